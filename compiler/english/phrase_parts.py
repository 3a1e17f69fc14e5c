"""Phrases in the making: texts and holes, put together and set out as words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleloom.compiler.english.agreement import (
    PRONOUNS,
    Fitted,
    SingularOf,
    fitted,
    led,
    nothing_counted,
    unrepeated,
)
from ruleloom.runtime.program.program import Expr, Template

Hole = tuple[Expr, str]
Part = str | Hole

# `it` for the thing looked at just now; nothing else may then be called `it`. A hole that is filled
# when the phrase is finished, as the next one is.
IT: Hole = (("it",), "")
# Between an owner and what is owned, until it is known whether the owner is `the piece` or `it`.
POSSESSIVE: Hole = (("possessive",), "")


def joined(*pieces: str | Template) -> Template:
    """Texts and templates as one template, in which texts do not stand side by side."""
    parts: list[Part] = []
    for piece in pieces:
        for part in (piece,) if isinstance(piece, str) else piece:
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            elif part != "":
                parts.append(part)
    return tuple(parts)


def enumerated(phrases: Sequence[Template], word: str) -> Template:
    """Several phrases as `a, b and c`."""
    return linked(phrases, ", ", f" {word} ")


def linked(phrases: Sequence[Template], link: str, last: str) -> Template:
    """Several phrases with `link` between any two, and `last` before the last one."""
    pieces: list[str | Template] = []
    for number, phrase in enumerate(phrases):
        if number:
            pieces.append(last if number == len(phrases) - 1 else link)
        pieces.append(phrase)
    return joined(*pieces)


def opening(phrase: Template) -> str:
    """The text at the head of a phrase; empty if it begins with a hole."""
    return phrase[0] if phrase and isinstance(phrase[0], str) else ""


def without_opening(phrase: Template, head: str) -> Template:
    """A phrase without the text it begins with."""
    return joined(opening(phrase)[len(head) :], phrase[1:]) if opening(phrase) else phrase


def is_hole(part: Part, slot: int) -> bool:
    """Is this part the hole of that variable?"""
    return not isinstance(part, str) and part[0] == ("slot", slot)


def in_other_words(clause: Template, slot: int, words: str | Template) -> Template:
    """A clause with other words for one thing."""
    words = (words,) if isinstance(words, str) else words
    said: Template = ()
    rest = list(clause)
    for at, part in enumerate(clause):
        if not is_hole(part, slot):
            said = joined(said, (rest[at],))
            continue
        tail = rest[at + 1] if at + 1 < len(rest) else ""
        if isinstance(tail, str):
            said, left = put_behind(said, words, tail)
            rest[at + 1 : at + 2] = [left]
        else:
            said = joined(said, words)
    return said


def places_of(phrase: Template, slot: int) -> list[int]:
    """Where a phrase mentions one variable."""
    return [at for at, part in enumerate(phrase) if is_hole(part, slot)]


def fit(
    head: str, words: Template, tail: str, singular_of: SingularOf
) -> tuple[str, Template, str]:
    """The words of a hole, and those before and behind it, as they fit each other."""
    if not "".join(map(str, words)) and head.endswith(" "):
        return head, (), tail.removeprefix(" ")
    if len(words) == 1 and isinstance(words[0], str):
        one = fitted(head, words[0], tail, singular_of)
        return one.before, (one.words,), one.behind
    if opening(words):
        head, first = led(head, opening(words))
        words = joined(first, words[1:])
    if words and isinstance(words[-1], str):
        tail = unrepeated(words[-1], tail)
    return head, words, tail


def put_behind(
    phrase: Template, words: Template, tail: str, singular_of: SingularOf = nothing_counted
) -> tuple[Template, str]:
    """A phrase that goes on with the words of a hole, and the text behind them, as they fit."""
    last = phrase[-1] if phrase and isinstance(phrase[-1], str) else ""
    before, words, tail = fit(last, words, tail, singular_of)
    return joined(phrase[:-1] if last else phrase, before, words), tail


def realise(
    phrase: Template,
    spoken: Callable[[Hole], str | None],
    singular_of: SingularOf = nothing_counted,
) -> Template:
    """A phrase with words in its holes, in their order; one for which nothing is `spoken` stays."""
    done: list[Part] = []
    rest = list(phrase)
    for at, part in enumerate(rest):
        if isinstance(part, str):
            done.append(part)
        elif part == POSSESSIVE:
            owner = done.pop()
            done += [possessive(owner)] if isinstance(owner, str) else [owner, "'s"]
        elif (words := spoken(part)) is None:
            done.append(part)
        else:
            before = done.pop() if at and isinstance(phrase[at - 1], str) else ""
            behind = rest[at + 1] if at + 1 < len(rest) else ""
            found = _between(str(before), words, behind, singular_of)
            done += [found.before, found.words]
            if isinstance(behind, str) and behind:
                rest[at + 1] = found.behind
    return joined(*((part,) for part in done))


def _between(before: str, words: str, behind: Part, singular_of: SingularOf) -> Fitted:
    if behind == POSSESSIVE:
        return Fitted(*led(before, words), "")
    return fitted(before, words, behind if isinstance(behind, str) else "", singular_of)


def possessive(owner: str) -> str:
    """An owner before what is owned: `the piece's`, `its`."""
    return PRONOUNS.get(owner) or (f"{owner}'" if owner.endswith("s") else f"{owner}'s")
