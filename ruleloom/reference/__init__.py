"""The reference of a game: a site of static pages, made from the game itself."""
