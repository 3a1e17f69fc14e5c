"""Random small programs that keep what falls in variables of the game, and ask for it later.

Like those of `small_programs`, with variables that are set and read in the text and in what it uses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleloom.runtime.program.program import Expr, Program, Roll, ScopeVariable, SetScope
from tests.laws.small.small_programs import Writer, small_program
from tests.support.rows import const

KEPT = ("one", "two", "three")


class VariableWriter(Writer):
    """Writes statements that keep a roll in a variable of the game, and conditions that read one."""

    def number(self) -> Expr:
        kept: Expr = ("scope", self.pick(*KEPT))
        return kept if self.pick(True, False) else super().number()

    def condition(self) -> Expr:
        form = self.pick("=", "<", ">=")
        return (form, ("scope", self.pick(*KEPT)), const(self.pick(1, 2)))

    def kinds(self, depth: int) -> list[Callable[[], None]]:
        kinds = [*super().kinds(depth), *[self.keep, self.keep_roll] * 3]
        return [*kinds, *[lambda: self.when(depth - 1)] * 6] if depth else kinds

    def keep(self) -> None:
        """Set a variable to any number."""
        self.text.add(SetScope, name=self.pick(*KEPT), value=self.number())

    def keep_roll(self) -> None:
        """Roll, and set a variable to what falls."""
        if self.open(3):
            name = self.fresh("roll")
            slot = self.text.slot(name)
            self.text.add(
                Roll, slot=slot, name=name, count=const(1), sides=const(3), by=None, whom=None
            )
            self.text.add(SetScope, name=self.pick(*KEPT), value=("slot", slot))


def small_keeper(seed: int, size: int) -> Program:
    """A random program of the orchard that keeps numbers in variables of the game."""
    program = small_program(seed, size, VariableWriter)
    kept = tuple(ScopeVariable(name, "Int", "game", 0) for name in KEPT)
    return replace(program, scope=(*program.scope, *kept))
