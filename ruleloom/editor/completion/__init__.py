"""Completions, the likeliest first."""
