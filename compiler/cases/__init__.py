"""Cases: read once into types, and held against the lowered game without being played.

Whatever a case names must be there, and every value must be of the type that stands there.
"""
