"""Bots: players that answer at nodes of the machine, by what their player can see."""
