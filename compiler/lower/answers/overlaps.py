"""Events that come together with others: `touched` with each operation that touches something,
`rolled any` and `rolled each` with each roll that has a name.

The answers to both respond to the same thing that happens, those to one of the two events always
first: `touched` before the operation, a roll by its name before any roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ruleloom.compiler.lower.answers.exclusions import excludes
from ruleloom.compiler.lower.triggers import ANY_ROLL, ROLLED
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.summary.doings import Analysis
from ruleloom.compiler.summary.effects import (
    ANY,
    ONLY,
    Doings,
    Effects,
    Interference,
    Read,
    read_and_changed,
)
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr import mentions, substitute
from ruleloom.runtime.program.program import Expr, Trigger
from ruleloom.runtime.program.values import DICE

TOUCHED = "touched"


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two events of one thing that happens, the one first that is answered first."""

    first: str
    second: str
    touched: Expr | None = None
    """The thing touched, in terms of the operation; None for rolls, which tell the same."""
    variables: tuple[str, str] = ("", "")
    """The variables of the open value, which after the first event goes over into the second."""

    def pairs(self, triggers: list[Trigger]) -> Iterator[tuple[Trigger, Trigger]]:
        """An answer to each of the two that run at the same time."""
        answers = ([one for one in triggers if one.event == event] for event in self.events)
        for one, other in product(*answers):
            if one.timing == other.timing:
                yield one, other

    @property
    def events(self) -> tuple[str, str]:
        return self.first, self.second

    def clash(
        self, analysis: Analysis, answers: tuple[Trigger, Trigger], doings: tuple[Doings, Doings]
    ) -> Interference | None:
        """By what an answer to the first event and one to the second clash."""
        applies, first = self._in_terms_of_second(answers[0].where, doings[0])
        where, second = answers[1].where, doings[1]
        asked = self._asked_later(analysis, where)
        changed = any(read_and_changed(asked, first.effects.changes))
        if excludes(applies, where) and not changed:
            return None
        return first.clash(second._replace(reads=second.reads | asked))

    def _in_terms_of_second(self, where: Expr | None, doings: Doings) -> tuple[Expr | None, Doings]:
        """When an answer to the first event responds, and what it does."""
        touched = self.touched
        if touched is None:
            acts = (
                act._replace(effects=self._renamed(act.effects), later=self._renamed(act.later))
                for act in doings.acts
            )
            return where, Doings(self._renamed(Effects(doings.reads)).reads, tuple(acts))
        told = doings.told((touched,))
        if where is None:
            return None, told
        return substitute(where, {0: touched}), told

    def _renamed(self, effects: Effects) -> Effects:
        """The same with the variable of the second event for that of the first."""
        old, new = self.variables
        reads = (one._replace(what=new) if one.what == old else one for one in effects.reads)
        changes = (one._replace(what=new) if one.what == old else one for one in effects.changes)
        return Effects(frozenset(reads), frozenset(changes))

    def _asked_later(self, analysis: Analysis, where: Expr | None) -> frozenset[Read]:
        """What decides whether an answer to the second event responds, if that is decided only when
        the first has been answered, as after a roll."""
        if self.touched is not None or where is None:
            return frozenset()
        asked = analysis.reads(where, len(ANY_ROLL[self.second]))
        is_about_value = mentions(where, ("slot", 1))
        return asked | {Read(self.variables[1], ONLY)} if is_about_value else asked


def overlaps(symbols: Symbols) -> Iterator[Overlap]:
    """The events that come together with others."""
    for name, one in symbols.operations.items():
        for param in one.touches:
            places = [place for place, known in enumerate(one.params) if known.name == param]
            yield Overlap(TOUCHED, name, ("slot", places[0]) if places else ANY)
        if name.startswith(ROLLED) and name not in ANY_ROLL and one.result is not None:
            general = symbols.operations[f"{ROLLED}{'each' if one.result == DICE else 'any'}"]
            variables = one.open_variable, general.open_variable
            yield Overlap(name, general.name, variables=variables)
