"""Findings about a number: its value, its label, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.program import Origin
from ruleloom.runtime.program.values import ROUND, Dynamic, Type

BY, LESS, OF = "by", "less", "of"
# The effect of a part on the total so far; a rounding may follow after a space.
DOES: Mapping[str, Callable[[Dynamic, Dynamic], Dynamic]] = {
    BY: lambda whole, part: whole + part,
    LESS: lambda whole, part: whole - part,
    "to": lambda _, part: part,
    "times": lambda whole, part: whole * part,
    "first": lambda whole, part: whole * part,
    "least": max,
    "most": min,
    "div": lambda whole, part: whole // part,
    "mod": lambda whole, part: whole % part,
    OF: lambda whole, _: whole,
}


class Finding(NamedTuple):
    """A value and its origin.

    `label` is its name in plain words, `via` the places where it was written. `does`, one of `DOES`, is
    its effect on the whole that it is part of. If it does not `count`, `why` gives the reason. The
    `kind` of a leaf is printed, setting, constant, argument, state (of a game in play) or nothing (an
    empty sum). A short answer omits `minor` findings. `more` marks parts below the requested depth.
    """

    label: str
    value: Dynamic
    kind: str = ""
    does: str = BY
    via: tuple[Origin, ...] = ()
    parts: tuple[Finding, ...] = ()
    counts: bool = True
    why: str = ""
    minor: bool = False
    more: bool = False

    # Derivations copy findings constantly: this is faster than `_replace` or the constructor.
    def as_part(self, does: str, minor: bool) -> Finding:
        """The same with another effect on its whole."""
        label, value, kind, _, via, parts, counts, why, _, more = self
        return Finding._make((label, value, kind, does, via, parts, counts, why, minor, more))

    def called(self, label: str, via: tuple[Origin, ...]) -> Finding:
        """The same with another label and other origins."""
        _, value, kind, does, _, parts, counts, why, minor, more = self
        return Finding._make((label, value, kind, does, via, parts, counts, why, minor, more))

    def made_of(self, parts: tuple[Finding, ...]) -> Finding:
        """The same with other parts."""
        label, value, kind, does, via, _, counts, why, minor, more = self
        return Finding._make((label, value, kind, does, via, parts, counts, why, minor, more))


def total(parts: Sequence[Finding]) -> Dynamic:
    """The total of parts, applied in order; parts that round alike are rounded once."""
    whole: Dynamic = 0
    counted = [(one.does, one.value) for one in parts if one.counts and one.does != OF]
    for does, group in groupby(counted, itemgetter(0)):
        what, _, how = does.partition(" ")
        for _, value in group:
            whole = DOES[what](whole, value)
        whole = ROUND[how](whole) if how else whole
    return whole


def only_term(terms: Sequence[Finding]) -> Finding | None:
    """The only term, with its `of` parts; else None."""
    real = [one for one in terms if one.does != OF]
    if len(real) != 1 or real[0].does != BY or not real[0].counts:
        return None
    return real[0].made_of((*[one for one in terms if one.does == OF], *real[0].parts))


def taken_off(found: Finding) -> Finding:
    """The same with the opposite sign."""
    return found.as_part({BY: LESS, LESS: BY}.get(found.does, found.does), found.minor)


def unless_named(found: Finding) -> Finding:
    """The finding of a condition, minor unless it is a named rule that holds."""
    minor = not (found.value is True and (found.parts or found.more))
    return found if found.minor == minor else found.as_part(found.does, minor)


def less_said(parts: Sequence[Finding]) -> Iterator[Finding]:
    """Parts without effect become minor, unless they carry a reason."""
    for part in parts:
        nothing = part.counts and part.does in (BY, LESS) and part.value == 0
        hidden = nothing and len(parts) > 1 and not _tells(part)
        yield part.as_part(part.does, True) if hidden else part


def _tells(found: Finding) -> bool:
    return found.label == "to begin with" or any(map(_is_reason, found.parts))


def _is_reason(found: Finding) -> bool:
    return not found.minor and (not found.counts or (found.does == OF and found.value is True))


class SlotView(NamedTuple):
    """The slots of an expression: values, types and names; `place` is its origin."""

    values: tuple[Dynamic, ...] = ()
    types: Mapping[int, Type] = {}
    names: tuple[str, ...] = ()
    place: tuple[Origin, ...] = ()

    def with_slot(self, slot: int, type_: Type, value: Dynamic) -> SlotView:
        """The same with one more slot."""
        values = (*self.values, *[None] * (slot + 1 - len(self.values)))
        names = (*self.names, *[""] * (slot + 1 - len(self.names)))
        return SlotView(
            v.with_entry(values, slot, value),
            {**self.types, slot: type_},
            v.with_entry(names, slot, ""),
            self.place,
        )
