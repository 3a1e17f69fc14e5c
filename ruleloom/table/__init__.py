"""The table in a terminal: the board drawn, options numbered, people and bots taking turns."""
