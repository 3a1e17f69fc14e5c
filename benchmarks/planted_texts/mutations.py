"""Slips made mechanically from right texts: one word or phrase each is turned into its opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator

Slip = tuple[str, str]
"""The family of a slip, and the wrong text."""

SWAPS: dict[str, list[tuple[str, str]]] = {
    "may": [(r"\bmay\b", "must"), (r"\bcan\b", "must"), (r"\bmust\b", "may")],
    "whose": [
        (r"\bone of your (\w+?)s\b", r"an enemy's \1"),
        (r"\b(?:all|each of) your (\w+s)\b", r"all \1 of your enemies"),
        (r"\b(?:an opponent's|another player's|the enemy's)\b", "your"),
        (r"\bthe hand of another player\b", "your hand"),
    ],
    "all": [
        (r"\bone of your (\w+?)s\b", r"all your \1s"),
        (r"\b(?:all|each of) your (\w+s)\b", r"one of your \1"),
        (r"\b[Aa]ny number of\b", "all the"),
    ],
    "upto": [
        (r"\b[Uu]p to (?=two|three|\d)", "exactly "),
        (r"\b[Aa]t most (?=two|three|\d)", "exactly "),
        (r"\bany number of\b", "up to two"),
    ],
    "when": [
        (r"\bBefore\b", "After"),
        (r"\bbefore\b", "after"),
        (r"\bAfter\b", "Before"),
        (r"\bafter\b", "before"),
        (r"\b(?:start|beginning) of\b", "end of"),
        (r"\bend of\b", "start of"),
        (r"\bbegins\b", "ends"),
        (r"\bends\b", "begins"),
    ],
    "way": [
        (r"(?<=your )left\b", "right"),
        (r"(?<=your )right\b", "left"),
        (r"(?<=on the )right\b", "left"),
        (r"\bnorth\b", "south"),
        (r"\bsouth\b", "north"),
        (r"\beast\b", "west"),
        (r"\btop\b", "bottom"),
    ],
    "compare": [
        (r"(?<!no )\bmore than\b", "fewer than"),
        (r"\b(?:fewer|less) than\b", "more than"),
        (r"\b[Aa]t least\b", "at most"),
        (r"\bat most (?=\d)", "at least "),
        (r"\bhigher\b", "lower"),
        (r"\blower\b", "higher"),
        (r"\bbetter\b", "worse"),
        (r"\bworse\b", "better"),
        (r"\b(\w+) more\b(?! than)", r"\1 less"),
        (r"\b(\w+) less\b(?! than)", r"\1 more"),
    ],
    "change": [
        (r"\bregains\b", "loses"),
        (r"\bregain\b", "lose"),
        (r"\bloses\b", "regains"),
        (r"\blose\b", "regain"),
        (r"\bgets\b", "loses"),
    ],
    "number": [
        (r"\btwo\b", "three"),
        (r"\bthree\b", "four"),
        (r"\b(?<![/-])(\d)\b(?![/d])", "+1"),
    ],
    "kind": [
        (r"\bdraw pile\b", "discard pile"),
        (r"\bdiscard pile\b", "draw pile"),
        (r"\bred (?=traits?)", "blue "),
        (r"\bblue (?=traits?)", "red "),
        (r"\bblack (?=traits?)", "red "),
    ],
    "who": [
        (r"\b[Tt]he target(?= (?:regains|loses|is|gets|takes))", "everybody"),
        (r"\bEach player (\w+?)s\b", r"You \1"),
        (r"\bYou (?=draw|regain|lose|take|get)", "The target "),
        (r"\b[Tt]he acting follower\b", "the target"),
        (r"\bThe GM chooses\b", "You choose"),
    ],
    "condition": [(r"(?:^|(?<=\. ))(?:If|When|With) (?!you like)[^,.]+, (\w)", "capital")],
    "cost": [(r"(?:^|(?<=\. ))(?:Discard|Pay|Lose|Spend) [^.]*\. (?=\w)", "")],
}


def slips(text: str) -> Iterator[Slip]:
    """Every slip of a text: each swap at each place."""
    for family, swaps in SWAPS.items():
        for pattern, other in swaps:
            for found in re.finditer(pattern, text):
                made = _made(found, other)
                if made != found[0]:
                    yield family, text[: found.start()] + made + text[found.end() :]


def _made(found: re.Match[str], other: str) -> str:
    if other == "+1":
        return str(int(found[0]) + 1)
    made = found[1].upper() if other == "capital" else found.expand(other)
    return made[:1].upper() + made[1:] if found[0][:1].isupper() else made
