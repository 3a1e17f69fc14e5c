"""The table in a terminal: the board, numbered options, and people and bots taking turns."""
