"""The papers that people print on: width and height in micrometres."""

PAPERS = {"a4": (210_000, 297_000), "letter": (215_900, 279_400)}
