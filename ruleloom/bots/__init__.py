"""Bots: players that answer at nodes of the machine, from what their player sees."""
