"""Odds of effect texts: what comes of them over all falls of the dice."""
