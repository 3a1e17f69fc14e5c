"""Checks of cases: a step each, from the shape of a case to the names in it.

A case is held against the lowered game without being played: whatever it names must be there, and
every value must be of the type that stands there.
"""
