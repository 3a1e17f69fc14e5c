"""Finds where two readings speak of the same thing and disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ruleloom.compiler.english.reading.facts import AT, DOES, EARLY, LATE, MAY, MUST, NOT, Fact
from ruleloom.compiler.english.reading.phrases import Amount
from ruleloom.compiler.english.reading.words import EVERYBODY, GM, OTHERS, SIDES, YOU


class Contradiction(NamedTuple):
    """A fact of a text, and the facts of the rules that it contradicts."""

    said: Fact
    told: Sequence[Fact]


def contradictions(
    said: Sequence[Fact], told: Sequence[Fact], excused: Sequence[Fact] = ()
) -> Iterator[Contradiction]:
    """The facts of a text that every fact of the rules about the same contradicts.

    The facts of what the rules name, `excused`, contradict nothing, but may agree.
    """
    for fact in said:
        others = _about_the_same(fact, told)
        if not others or not all(_contradicts(fact, one) for one in others):
            continue
        if any(not _contradicts(fact, one) for one in _about_the_same(fact, excused)):
            continue
        yield Contradiction(fact, others)


def _about_the_same(fact: Fact, others: Sequence[Fact]) -> list[Fact]:
    """The facts on the same axis about the same things."""
    axis = fact.axis
    same = [one for one in others if one.axis == axis]
    if axis in SIDES:
        return same
    if axis in ("may", "who"):
        fits = [one for one in same if one.verb == fact.verb]
        return [one for one in fits if one.about & fact.about or not (one.about and fact.about)]
    fits = [one for one in same if one.about & fact.about]
    if axis in ("limit", "than", "time", "change", "extreme"):
        return fits
    fits = [one for one in fits if one.within == fact.within]
    alike = [one for one in fits if one.verb == fact.verb]
    return alike or (fits if axis == "whose" else [])


def _contradicts(one: Fact, other: Fact) -> bool:
    """Whether two facts about the same cannot both be right."""
    mine, theirs = one.value, other.value
    if mine == theirs:
        return False
    match one.axis:
        case "may":
            return {mine, theirs} in _MODALS
        case "who" | "whose":
            return _differ(str(mine), str(theirs))
        case "amount":
            return isinstance(mine, Amount) and isinstance(theirs, Amount) and _amounts_differ(mine, theirs)
        case "time":
            return {mine, theirs} in ({EARLY, LATE}, {EARLY, AT})
        case "limit":
            return _limits_differ(mine, theirs)
    return True


_MODALS = ({MAY, MUST}, {MAY, DOES}, {NOT, MAY}, {NOT, DOES}, {NOT, MUST})
_KNOWN = (YOU, OTHERS, EVERYBODY, GM)


def _differ(one: str, other: str) -> bool:
    if one in _KNOWN and other in _KNOWN:
        return True
    nouns = {one, other} - {*_KNOWN}
    return bool({one, other} & {EVERYBODY, GM}) and len(nouns) == 1


def _amounts_differ(one: Amount, other: Amount) -> bool:
    bounds = {one.bound, other.bound}
    if "all" in bounds or "any" in bounds:
        return True
    if bounds == {"exactly"}:
        return one.number != other.number
    return True


def _limits_differ(one: object, other: object) -> bool:
    match one, other:
        case (sign, number), (other_sign, other_number) if isinstance(number, int):
            return sign != other_sign or number != other_number
    return False
