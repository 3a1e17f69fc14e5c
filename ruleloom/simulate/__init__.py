"""Simulation: whole games between bots, as records to count, store and compare."""
