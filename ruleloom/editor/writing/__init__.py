"""The changes that an editor makes: fixes, formatting, new texts."""
