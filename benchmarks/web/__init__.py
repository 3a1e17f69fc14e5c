"""Load on the table in the browser."""
