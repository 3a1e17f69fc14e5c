"""Bots: players that answer at nodes of the machine, seeing only what their player sees."""
