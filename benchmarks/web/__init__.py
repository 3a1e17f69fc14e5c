"""The table in the browser: its load, and people who play at it by clicks."""
