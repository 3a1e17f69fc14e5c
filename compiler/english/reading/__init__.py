"""Reads English about rules into facts, and finds where the author's text contradicts the rules."""
