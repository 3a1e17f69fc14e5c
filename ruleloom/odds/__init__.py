"""Odds of effect texts, over all falls of the dice."""
