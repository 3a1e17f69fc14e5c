"""Semantic diff of two packs, or two versions of one: what they say, not how it is written."""
