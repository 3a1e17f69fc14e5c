"""What a board shows a seat, as plain data; the page draws it. One module for each game that has a
board of its own, and one for all others."""
