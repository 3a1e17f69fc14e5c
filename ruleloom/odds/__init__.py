"""Odds of effect texts, over all dice results."""
