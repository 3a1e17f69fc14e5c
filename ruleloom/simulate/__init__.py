"""Simulation: whole games by bots, as records that can be counted, kept and compared."""
