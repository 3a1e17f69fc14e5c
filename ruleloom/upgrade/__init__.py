"""Saved games taken to a new version of their packs."""
