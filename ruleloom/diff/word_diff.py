"""Word diff of two texts: the lines that differ, as runs of words kept, removed and added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile, zip_longest

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


def differing_lines(old: str, new: str) -> tuple[Line, ...]:
    """The lines of two texts that differ, without words far from any difference."""
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
                found.append(tuple(_shortened(list(_stretches(one, other)))))
    return tuple(found)


def _steps(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """The edits that make one text of the other; of one too long, that all of it is replaced."""
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
    outside = went[-1:].isspace() and came[-1:].isspace()
    tail = went[len(went.rstrip()) :] if outside else ""
    parts = (WENT, went.removesuffix(tail)), (CAME, came.removesuffix(tail)), (STAYED, tail)
    yield from ((mark, text) for mark, text in parts if text)


def _shortened(stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    for number, (mark, text) in enumerate(stretches):
        words = text.split(" ")
        first, last = number == 0, number == len(stretches) - 1
        if mark != STAYED or len(words) <= CONTEXT * (1 if first or last else 2) + 1:
            yield mark, text
        else:
            before = [] if first else words[:CONTEXT]
            after = [] if last and not first else words[-CONTEXT:]
            yield mark, " ".join([*before, LEFT_OUT, *after])


def brief(text: str) -> str:
    """A rules text without its numbered list, if it has anything besides."""
    listed = ("1. ", "(Unless")
    kept = takewhile(lambda part: not part.startswith(listed), text.split("\n\n"))
    return "\n".join(kept) or text
