"""Finds where two readings speak of the same thing and disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ruleloom.compiler.english.reading.facts import DOES, EARLY, LATE, MAY, MUST, NOT, Fact
from ruleloom.compiler.english.reading.lexicon import (
    ACTING,
    EVERYBODY,
    GM,
    OPPOSITES,
    OTHERS,
    SIDES,
    THOSE,
    YOU,
)
from ruleloom.compiler.english.reading.phrases import Amount


class Contradiction(NamedTuple):
    """A fact of a text, and the facts of the rules that it contradicts."""

    said: Fact
    told: Sequence[Fact]


def contradictions(said: Sequence[Fact], told: Sequence[Fact]) -> Iterator[Contradiction]:
    """The facts of a text that every fact of the rules about the same contradicts."""
    for fact in said:
        others = _about_the_same(fact, told) or _only_one(fact, said, told)
        if others and all(_contradicts(fact, one) for one in others):
            yield Contradiction(fact, others)


def _about_the_same(fact: Fact, others: Sequence[Fact]) -> list[Fact]:
    """The facts on the same axis about the same things."""
    same = [one for one in others if one.axis == fact.axis]
    if fact.axis in SIDES:
        return same
    if fact.axis in ("may", "who"):
        return [one for one in same if _is_same_act(fact, one)]
    fits = [one for one in same if one.about & fact.about]
    if fact.axis == "limit":
        return fits or [one for one in same if one.verb == fact.verb and one.about & _VAGUE]
    return fits if fact.axis in _NUMERIC else _of_same_things(fact, fits)


def _of_same_things(fact: Fact, others: Sequence[Fact]) -> list[Fact]:
    """The facts on what the same verb does to the same things; whose they are, with any verb."""
    fits = [one for one in others if one.within == fact.within]
    alike = [one for one in fits if one.verb == fact.verb]
    return alike or [one for one in fits if fact.axis == "whose" or _has_number_of(fact, one)]


def _is_same_act(fact: Fact, other: Fact) -> bool:
    """Whether two facts are about the same act; what must be done is about any of its verb."""
    if other.verb != fact.verb:
        return False
    if fact.axis == "may":
        return fact.value == MUST or bool(fact.about & other.about)
    return bool(fact.about & other.about) or not (fact.about or other.about)


def _has_number_of(fact: Fact, other: Fact) -> bool:
    number = _number(fact) if fact.axis == "amount" else None
    return number is not None and _number(other) == number


def _only_one(fact: Fact, said: Sequence[Fact], told: Sequence[Fact]) -> list[Fact]:
    """The only fact of the rules on the axis of the only one of the text, if both have one number."""
    if fact.axis not in ("change", "limit"):
        return []
    mine, theirs = ([one for one in some if one.axis == fact.axis] for some in (said, told))
    numbers = {_number(one) for one in (*mine, *theirs)}
    same = len(mine) == len(theirs) == 1 and len(numbers) == 1
    return theirs if same and not numbers & {1, "1"} else []


def _number(fact: Fact) -> object:
    match fact.value:
        case (_, number):
            return fact.verb or number
        case Amount(number=number):
            return number
    return None


def _contradicts(one: Fact, other: Fact) -> bool:
    """Whether a fact of the text and one of the rules about the same cannot both be right."""
    mine, theirs = one.value, other.value
    if mine == theirs:
        return False
    match one.axis:
        case "may":
            return (mine, theirs) in _MODALS
        case "who" | "whose":
            return _differ(str(mine), str(theirs))
        case "time":
            return {mine, theirs} == {EARLY, LATE}
        case "change":
            return _changes_differ(mine, theirs)
    return True


def _changes_differ(one: object, other: object) -> bool:
    match one, other:
        case (sign, number), (other_sign, other_number):
            return sign != other_sign or (
                None not in (number, other_number) and number != other_number
            )
    return False


# A text that only says what is done may leave out that nobody has to.
_MODALS = ((MAY, DOES), (MUST, MAY), (NOT, MAY), (NOT, DOES), (MAY, NOT), (DOES, NOT))
_NUMERIC = ("than", "time", "change", "extreme")
_VAGUE = frozenset(("amount", "number", "total"))
_KNOWN = (YOU, OTHERS, EVERYBODY, GM, ACTING)


def _differ(one: str, other: str) -> bool:
    """Whether these are not the same person for sure."""
    both = {one, other}
    if THOSE in both:
        return bool(both & {YOU, GM})
    if one in _KNOWN and other in _KNOWN:
        return both != {YOU, ACTING}
    return bool(both & {EVERYBODY, GM})


def value_told(fact: Fact) -> str:
    """What a fact says, in words: `at most 2`, `somebody else's`."""
    value = fact.value
    match fact.axis, value:
        case "may", _:
            return _ACTS[str(value)]
        case "whose", _:
            return "yours" if value == YOU else f"{value}'s"
        case "limit", (sign, number):
            return f"{'at least' if sign == 1 else 'at most'} {number}"
        case "change", (sign, number):
            return f"{'' if number is None else f'{number} '}{'higher' if sign == 1 else 'lower'}"
        case "than", _:
            return "more" if value == 1 else "less"
    before = f"{fact.axis.partition(' ')[2]} the " if fact.axis.startswith("place ") else ""
    return f"{before}{value}"


_ACTS = {
    MAY: "that it may be done",
    MUST: "that it must be done",
    DOES: "that it is done",
    NOT: "that it cannot be done",
}


def opposite(word: str, said: Fact, told: Fact) -> str:
    """The word that may be right in place of one of the words of a fact."""
    if said.axis in SIDES or said.axis.startswith("option "):
        return str(told.value) if word == said.value else ""
    return OPPOSITES.get(word, "")
