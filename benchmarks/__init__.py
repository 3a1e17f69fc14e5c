"""Measurements. Every figure is a ratio to a reference timed in the same run, because machines
differ."""
