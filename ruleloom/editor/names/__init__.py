"""Names: their declarations, their uses, and how they are renamed."""
