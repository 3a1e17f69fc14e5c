"""Suggestions for misspelt words, and lists of choices for messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache


class Suggestion(str):
    """The help "did you mean `right`?", or a longer `text`, with the misspelt word."""

    wrong: str
    right: str

    def __new__(cls, wrong: str, right: str, text: str = "") -> Suggestion:
        self = super().__new__(cls, text or f"did you mean `{right}`?")
        self.wrong, self.right = wrong, right
        return self

    def __reduce__(self) -> tuple[type[Suggestion], tuple[str, str, str]]:
        return Suggestion, (self.wrong, self.right, str(self))


def nearest(word: str, choices: Iterable[str], n: int = 3) -> list[str]:
    """Return up to *n* of *choices* that *word* may be a misspelling of, the likeliest first."""
    plain = _alike(word)
    wanted = _singular(plain)
    allowed = max(1, len(wanted) // 3)
    ranked: list[tuple[int, int, str]] = []
    for choice in choices:
        whole = _alike(choice)
        offered = _singular(whole)
        if abs(len(offered) - len(wanted)) > allowed + 1:
            continue
        distance = edit_distance(wanted, offered, allowed)
        if distance and (wanted != plain) != (offered != whole):
            # The final `s` may be no plural: `englis` is `english` without its last letter.
            distance = min(distance, edit_distance(plain, whole, allowed))
        if distance <= allowed:
            # Among choices that differ only in case, the one that matches exactly comes first.
            ranked.append((distance, edit_distance(word[:64], choice[:64]), choice))
            if len(ranked) >= n:
                ranked.sort()
                del ranked[n:]
                # From here on only choices as near as the last one kept matter.
                allowed = ranked[-1][0]
    return [choice for _, _, choice in sorted(ranked)]


@lru_cache(maxsize=16_384)
def _alike(word: str) -> str:
    return word[:64].casefold().replace("-", "_").replace(" ", "_")


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def edit_distance(wrong: str, right: str, most: int = 100) -> int:
    """Count the edits between two words: a letter too many, missing, wrong or swapped.

    Above *most*, any number greater than it may be returned.
    """
    shared = _beginning(wrong, right)
    wrong, right = wrong[shared:], right[shared:]
    shared = _beginning(wrong[::-1], right[::-1])
    wrong, right = wrong[: len(wrong) - shared], right[: len(right) - shared]
    if most == 1 and max(len(wrong), len(right)) > 2:
        # One edit leaves at most two swapped letters between equal parts.
        return 2
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, a in enumerate(wrong, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            best = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if min(i, j) > 1 and a == right[j - 2] and b == wrong[i - 2]:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        if min(row) > most and min(above) > most:
            return most + 1
        before, above = above, row
    return above[-1]


def _beginning(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def quoted_list(words: Sequence[str], last: str = "and") -> str:
    """Return *words* as a phrase: "`a`, `b` and `c`"; beyond eight, "and 7 more"."""
    ticked = [f"`{word}`" for word in words[:CHOICES_SHOWN]]
    if len(words) > CHOICES_SHOWN:
        return f"{', '.join(ticked)} {last} {len(words) - CHOICES_SHOWN} more"
    if len(ticked) < 2:
        return "".join(ticked)
    return f"{', '.join(ticked[:-1])} {last} {ticked[-1]}"


def choices_text(word: str, choices: Sequence[str]) -> str:
    """Return the expected choices for *word*: all of them up to eight, else the nearest three."""
    if len(choices) == 1:
        return f"expected `{choices[0]}`"
    if len(choices) <= CHOICES_SHOWN:
        return f"expected one of {', '.join(f'`{choice}`' for choice in choices)}"
    close = nearest(word, choices) or begun_alike(word, choices)
    if close:
        return f"the nearest known {'is' if len(close) == 1 else 'are'} {quoted_list(close)}"
    return f"expected one of {len(choices)} words, such as {quoted_list(sorted(choices)[:3])}"


def begun_alike(word: str, choices: Iterable[str]) -> list[str]:
    """Return up to three of *choices* that *word* begins with, or that begin with it."""
    plain = _alike(word)
    pairs = [(sorted((plain, _alike(one)), key=len), one) for one in choices]
    begun = [one for (short, long), one in pairs if long.startswith(short)]
    return sorted((one for one in begun if len(one) >= LEAST_BEGUN <= len(word)), key=len)[:3]


def did_you_mean(word: str, choices: Iterable[str]) -> str | None:
    """Return the help "did you mean `x`?" if *word* may be a misspelling of one of *choices*."""
    close = nearest(word, choices, 1)
    return Suggestion(word, close[0]) if close else None


def offer(word: str, choices: Collection[str]) -> str | None:
    """Return the help for an unknown *word*: the nearest choice, else all of them."""
    help = did_you_mean(word, choices) or all_of(choices)
    return help or (choices_text(word, list(choices)) if choices else None)


def all_of(words: Collection[str]) -> str | None:
    """Return the help that lists all choices; None if there are none or too many.

    A few are listed in the order of their declaration, many alphabetically.
    """
    if not 0 < len(words) <= MOST_LISTED:
        return None
    there = "there is" if len(words) == 1 else "there are"
    *most, last = [
        f"`{word}`" for word in (words if len(words) <= CHOICES_SHOWN else sorted(words))
    ]
    return f"{there} {', '.join(most)} and {last}" if most else f"{there} {last}"


MOST_LISTED = 40
LEAST_BEGUN = 4  # characters that tell which word is meant
CHOICES_SHOWN = 8
