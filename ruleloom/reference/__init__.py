"""The reference of a game: a static site generated from the compiled game."""
