"""A game's items, tables and odds for other programs, each with a list of what it could not carry."""
