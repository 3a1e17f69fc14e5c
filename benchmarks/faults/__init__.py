"""Faults seeded into what is shipped, and whether `check` finds each: `python -m benchmarks.faults`."""
