"""Mutants of the shipped games, and whether their scenarios notice each: `python -m benchmarks.mutants`."""
