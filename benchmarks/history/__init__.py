"""Runs of `python -m benchmarks` that were kept, a file each, and the page made of them."""
