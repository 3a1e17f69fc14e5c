"""The reads and changes of an answer to an event, through all that it uses and sets off.

Two answers commute unless one changes what the other reads, or both change something, and not in
ways of one class that commutes. What is only said does not count. Two values of one event are taken
for two things; so are a value and any other of which nothing is known taken for perhaps the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr import mentions, transform
from ruleloom.runtime.program.program import Expr

ENDING = "the end of the game"
COMMUTING = frozenset({"adds", "takes", "moves", "multiplies", "lowest", "highest"})
"""The kinds of changes of which two of one kind commute, whatever is added, or is the bound."""
BOUNDED = "adds within bounds"
"""The kind of a change that commutes with another of the same operation."""
OLD: Expr = ("old",)
"""The old value, in an expression for the new one."""
ANY: Expr = ("any",)
"""Some thing of which nothing more is known; an expression for a thing stands for that one."""
ONLY: Expr = ("value", "")
"""Where there is but one, as of the variables of the game."""


class Read(NamedTuple):
    """A column of a thing (in a table for a `key`), the zone of a player, or a variable."""

    what: str
    of: Expr
    key: Expr = ANY


class Written(NamedTuple):
    """A change of the same; `how` it comes about, and what it becomes, in terms of `OLD`."""

    what: str
    of: Expr
    key: Expr
    how: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Effects:
    """The reads and changes of something, in terms of the values in its slots."""

    reads: frozenset[Read] = frozenset()
    changes: frozenset[Written] = frozenset()

    def __or__(self, other: Effects) -> Effects:
        return Effects(self.reads | other.reads, self.changes | other.changes)

    def told(self, args: Sequence[Expr]) -> Effects:
        """The same with arguments for the values."""
        given = partial(_given, known=dict(enumerate(args)))
        reads = (Read(one.what, given(one.of), given(one.key)) for one in self.reads)
        changes = (
            one._replace(of=given(one.of), key=given(one.key), value=given(one.value))
            for one in self.changes
        )
        return Effects(frozenset(reads), frozenset(changes))


NOTHING = Effects()


class Act(NamedTuple):
    """One thing that a routine does: an operation, a power used, a variable set, a card drawn."""

    form: str
    name: str
    effects: Effects
    later: Effects = NOTHING
    """The effects of the answers to it."""

    @property
    def all(self) -> Effects:
        """Its own effects, and those of the answers."""
        return self.effects | self.later


class Interference(NamedTuple):
    """The clash of two answers over `what`, with the acts by which each changes it."""

    what: str
    first: Act | None
    second: Act | None
    """None for the one that only reads it."""


class Doings(NamedTuple):
    """The acts of a routine in their order, and its reads in between."""

    reads: frozenset[Read]
    acts: tuple[Act, ...]

    @property
    def effects(self) -> Effects:
        """All of it at once."""
        return Effects(self.reads) | union(act.all for act in self.acts)

    def told(self, args: Sequence[Expr]) -> Doings:
        """The same with what is handed in for the values."""
        acts = (
            one._replace(effects=one.effects.told(args), later=one.later.told(args))
            for one in self.acts
        )
        return Doings(Effects(self.reads).told(args).reads, tuple(acts))

    def clash(self, other: Doings) -> Interference | None:
        """Something by which it makes a difference which of these two comes first."""
        for act in other.acts if self.acts else ():
            for what in read_and_changed(self.reads, act.all.changes):
                return Interference(what, None, act)
        for act in self.acts if other.acts else ():
            for what in read_and_changed(other.reads, act.all.changes):
                return Interference(what, act, None)
        return next(filter(None, (_clash(a, b) for a in self.acts for b in other.acts)), None)


def _clash(one: Act, other: Act) -> Interference | None:
    alike = (one.form, one.name) == (other.form, other.name)
    if alike and one.form == "use":
        return None  # what a power is used for twice is its own affair
    if alike:
        return _twice_changed(one, other, one.effects, other.effects, one.form == "do")
    for what in read_and_changed(one.all.reads, other.all.changes):
        return Interference(what, None, other)
    for what in read_and_changed(other.all.reads, one.all.changes):
        return Interference(what, one, None)
    return _twice_changed(one, other, one.all, other.all, alike=False)


def _twice_changed(
    one: Act, other: Act, mine: Effects, others: Effects, alike: bool
) -> Interference | None:
    for change, twin in product(mine.changes, others.changes):
        if _is_same(change, twin) and not _commute(change, twin, alike):
            return Interference(change.what, one, other)
    return None


def read_and_changed(reads: frozenset[Read], changes: frozenset[Written]) -> Iterator[str]:
    """The names read in one place and changed in another."""
    for one in sorted(changes, key=repr):
        if any(_is_same(read, one) for read in reads):
            yield one.what


def _is_same(one: Read | Written, other: Read | Written) -> bool:
    """May these be the same place on the table?"""
    return one.what == other.what and _may_be(one.of, other.of) and _may_be(one.key, other.key)


def _may_be(one: Expr, other: Expr) -> bool:
    known = ("value", "record", "slot")
    return one == other or one[0] not in known or one[0] != other[0]


def _commute(one: Written, other: Written, alike: bool) -> bool:
    """Do two changes commute: both of a class that does, or twice the same?"""
    if one.how != other.how:
        return False
    if one.how in COMMUTING or (alike and one.how == BOUNDED):
        return True
    return one.value == other.value and not mentions(one.value, ANY)


def in_terms_of_old(value: Expr, old: Expr, known: Mapping[int, Expr]) -> Expr:
    """A new value in terms of the `OLD` one; ANY if something in it is not known."""
    return _given(value, known, old)


def _given(expr: Expr, known: Mapping[int, Expr], old: Expr | None = None) -> Expr:
    """An expression in terms of what its slots hold, with `OLD` for an old value; ANY if something in
    it is not known."""

    def given(part: Expr) -> Expr:
        if part == old:
            return OLD
        return known.get(part[1], ANY) if part[0] == "slot" else part

    found = transform(expr, given)
    return ANY if found != ANY and found[0] != "list" and mentions(found, ANY) else found


def union(parts: Iterable[Effects]) -> Effects:
    reads: set[Read] = set()
    changes: set[Written] = set()
    for one in parts:
        reads |= one.reads
        changes |= one.changes
    return Effects(frozenset(reads), frozenset(changes))


def known_thing(expr: Expr, known: Mapping[int, Expr]) -> Expr:
    """A thing in terms of values that are known; ANY if nothing can be said of it."""
    named = ("slot", "value", "record", "scope", "field", "setting", "list")
    return _given(expr, known) if expr[0] in named else ANY
