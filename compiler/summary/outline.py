"""The outline of a routine: the calls, questions and reads of its own rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.calls import Callee, called_by
from ruleloom.runtime.program.expr import ME, OfPart, expressions_of, walk
from ruleloom.runtime.program.program import Expr

T = TypeVar("T")
CHANCE = (program.Roll, program.Secret, program.Draw, program.Peek, program.Pick)
ASKING = (program.Choose, program.Ask, *CHANCE)
Part = tuple[object, ...] | program.Row | program.Condition
WITH_PARTS = (tuple, program.Row, program.Condition)


@dataclass(frozen=True, slots=True)
class Outline:
    """The effects of a routine's own rows."""

    calls: tuple[Callee, ...]
    asks: frozenset[str]
    """The names of what people and chance decide in it."""
    modes: frozenset[str]
    """The labels of its modes."""
    blind: bool
    """Does chance decide in it, or somebody else?"""

    @property
    def uses(self) -> Iterator[str]:
        """The routines that it uses by name."""
        return (one.name for one in self.calls if one.kind == "routine")

    @property
    def dynamic(self) -> bool:
        """Does it use the power of a record that is known only in play?"""
        return any(one.kind == "record" for one in self.calls)

    @property
    def events(self) -> Iterator[str]:
        """The events that it raises: operations, moments, draws."""
        return (one.name for one in self.calls if one.kind == "event")


def outline(rows: Sequence[object]) -> Outline:
    """The outline of some rows; other parts of a program among them do nothing by themselves."""
    labels = [mode.label for row in _only(program.Modal, rows) for mode in row.modes]
    return Outline(
        called_by(rows),
        asks=frozenset(row.name for row in rows if isinstance(row, ASKING)),
        modes=frozenset(label for label in labels if isinstance(label, str)),
        blind=any(map(_is_blind, rows)),
    )


def _only(form: type[T], rows: Sequence[object]) -> list[T]:
    return [row for row in rows if isinstance(row, form)]


def _is_blind(row: object) -> bool:
    """Does chance decide here, or another player, is something shown, or is the power not known
    beforehand?"""
    if isinstance(row, program.Choose | program.Ask | program.Modal):
        return row.by is not None and row.by != ME
    return isinstance(row, (program.UsePower, program.Show, *CHANCE))


outline_of = OfPart[program.Routine, Outline](lambda routine: outline(routine.rows))


def names_read(exprs: Iterable[Expr]) -> frozenset[tuple[str, str]]:
    """The names that some expressions read, each with its form: `scope`, `static`, `function`."""
    parts = (part for expr in exprs for part in walk(expr))
    return frozenset((one[0], one[1]) for one in parts if one[0] in NAMED)


NAMED = frozenset({"scope", "static", "function", "allowed"})
names_read_in = OfPart[program.Routine, frozenset[tuple[str, str]]](
    lambda routine: names_read(expr for row in routine.rows for expr in expressions_of(row))
)


def texts_in(part: Part) -> frozenset[str]:
    """Every text that stands as a value in a part of a program."""
    found: set[str] = set()
    _take_texts(part, found)
    return frozenset(found)


def _take_texts(part: Part, found: set[str]) -> None:
    if isinstance(part, tuple):
        if len(part) == 2 and part[0] == "value" and isinstance(part[1], str):
            found.add(part[1])
        parts = part
    else:
        parts = tuple([getattr(part, name) for name in type(part).__match_args__])
    for one in parts:
        if isinstance(one, WITH_PARTS):
            _take_texts(one, found)


texts_of = OfPart[program.Routine, frozenset[str]](lambda routine: texts_in(routine.rows))
