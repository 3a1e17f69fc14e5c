"""Scenario cases: a given position, the steps played from it, and the claims about the result."""
