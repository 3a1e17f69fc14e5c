"""Exact changes of a shipped game's files: what they hold, places in them, and texts rewritten."""
