"""Wrong card texts: how many of them are found, and how many right ones are blamed."""
