"""Dice sources, which answer rolls and draws. The machine itself never calls a generator.

`Xoshiro` is xoshiro256** seeded by splitmix64, implemented here so that a seed gives the same game on
any machine and any version of Python. Its state is a value: a draw returns the next state, too.
"""

from __future__ import annotations

from typing import NamedTuple

_MASK = (1 << 64) - 1


class Xoshiro(NamedTuple):
    """The state of the generator: four 64-bit numbers."""

    a: int
    b: int
    c: int
    d: int

    @classmethod
    def seeded(cls, seed: int) -> Xoshiro:
        """The state for any integer seed."""
        state = seed & _MASK
        words = []
        for _ in range(4):
            state = (state + 0x9E3779B97F4A7C15) & _MASK
            z = state
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            words.append(z ^ (z >> 31))
        return cls(*words)

    def step(self) -> tuple[int, Xoshiro]:
        """64 random bits, and the state after them."""
        a, b, c, d = self
        times = (b * 5) & _MASK
        result = (((times << 7) | (times >> 57)) * 9) & _MASK
        t = (b << 17) & _MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        return result, Xoshiro(a, b, c, ((d << 45) | (d >> 19)) & _MASK)

    def below(self, n: int) -> tuple[int, Xoshiro]:
        """A uniform number from 0 to `n` - 1, and the state after it."""
        state = self
        limit = (1 << 64) - (1 << 64) % n
        while True:
            bits, state = state.step()
            if bits < limit:
                return bits % n, state

    def roll(self, count: int, sides: int) -> tuple[int, Xoshiro]:
        """The sum of `count` dice of `sides` sides, and the state after them."""
        total, state = count, self
        for _ in range(count):
            face, state = state.below(sides)
            total += face
        return total, state

    def roll_each(self, count: int, sides: int) -> tuple[tuple[int, ...], Xoshiro]:
        """The faces of `count` dice, the highest first, and the state after them."""
        faces, state = [], self
        for _ in range(count):
            face, state = state.below(sides)
            faces.append(face + 1)
        return tuple(sorted(faces, reverse=True)), state
