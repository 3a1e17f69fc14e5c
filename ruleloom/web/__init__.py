"""The table in a browser: a server on this machine, and the page to play on."""
