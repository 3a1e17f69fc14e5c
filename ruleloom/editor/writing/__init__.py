"""What an editor changes for its user: fixes, formatting, new texts."""
