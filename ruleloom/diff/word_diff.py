"""Word diff of two texts: the lines that differ, as runs of words kept, removed and added.

Lines that are equal, and words far from any difference, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

# Stayed, went, came.
STAYED, WENT, CAME = " ", "-", "+"
Stretch = tuple[str, str]
Line = tuple[Stretch, ...]
CONTEXT = 8
# Two texts of more words than this together are not compared word by word.
MOST_PAIRS = 4_000_000
LEFT_OUT = "..."
# A word with its mark of punctuation apart, so that `3.` differs from `4.` in the number alone.
WORD = re.compile(r"\s+|[\w/'’-]+|[^\w\s]")


def differing_lines(old: str, new: str, context: int = CONTEXT) -> tuple[Line, ...]:
    """The lines of two texts that differ, each with what went and what came."""
    before, after = old.split("\n"), new.split("\n")
    found: list[Line] = []
    for does, i1, i2, j1, j2 in _steps(before, after):
        if does == "equal":
            continue
        for one, other in zip_longest(before[i1:i2], after[j1:j2]):
            if one is None or other is None:
                mark, text = (CAME, other) if one is None else (WENT, one)
                found += [((mark, text or ""),)] if text else []
            elif one != other:
                found.append(tuple(_shortened(list(_stretches(one, other)), context)))
    return tuple(found)


def _steps(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """What became of the parts of a text; of one that is too long, only that it is another."""
    if len(before) * len(after) > MOST_PAIRS:
        return [("replace", 0, len(before), 0, len(after))]
    return list(SequenceMatcher(None, before, after, autojunk=False).get_opcodes())


def _stretches(old: str, new: str) -> Iterator[Stretch]:
    """Kept, removed and added runs in reading order; a mere space joins two changes."""
    before, after = WORD.findall(old), WORD.findall(new)
    went = came = ""
    for does, i1, i2, j1, j2 in _steps(before, after):
        gone, new_words = "".join(before[i1:i2]), "".join(after[j1:j2])
        if does != "equal" or (
            gone.isspace() and (went or came) and i2 < len(before) and j2 < len(after)
        ):
            went, came = went + gone, came + new_words
            continue
        yield from _parted(went, came)
        went = came = ""
        yield STAYED, gone
    yield from _parted(went, came)


def _parted(went: str, came: str) -> Iterator[Stretch]:
    """A change, with the spaces at its ends that both have outside of it."""
    both = len(went) > 0 and len(came) > 0
    tail = (
        went[len(went.rstrip()) :] if both and went[-1:].isspace() and came[-1:].isspace() else ""
    )
    yield from [(WENT, went.removesuffix(tail))] if went.removesuffix(tail) else []
    yield from [(CAME, came.removesuffix(tail))] if came.removesuffix(tail) else []
    yield from [(STAYED, tail)] if tail else []


def _shortened(stretches: Sequence[Stretch], context: int) -> Iterator[Stretch]:
    """The same without words that are far from any difference."""
    for number, (mark, text) in enumerate(stretches):
        words = text.split(" ")
        first, last = number == 0, number == len(stretches) - 1
        if mark != STAYED or len(words) <= context * (1 if first or last else 2) + 1:
            yield mark, text
        elif first:
            yield mark, " ".join([LEFT_OUT, *words[-context:]])
        elif last:
            yield mark, " ".join([*words[:context], LEFT_OUT])
        else:
            yield mark, " ".join([*words[:context], LEFT_OUT, *words[-context:]])


def brief(text: str) -> str:
    """A rules text without its numbered list, if it has anything besides."""
    parts = text.split("\n\n")
    kept = []
    for part in parts:
        if part.startswith(("1. ", "(Unless")):
            break
        kept.append(part)
    return "\n".join(kept) or text
