"""Odds of effect texts, over all results of the dice."""
