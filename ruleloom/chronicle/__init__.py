"""The chronicle of a game: what everybody did and said, to be read by people."""
