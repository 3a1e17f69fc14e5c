"""Cases: parsed once into types, and checked against the lowered game without being played.

Whatever a case names must exist, and every value must have the type that its place requires.
"""
