"""Odds: rows of the table about pools, merging and a strike."""
