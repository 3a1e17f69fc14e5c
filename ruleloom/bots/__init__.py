"""Bots: players that answer at nodes of the machine, using only what their player can see."""
