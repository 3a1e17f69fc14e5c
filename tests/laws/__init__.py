"""The laws of the runtime, proved on random games and random small programs."""
