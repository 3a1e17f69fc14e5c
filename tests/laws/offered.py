"""Types in what the help of a finding offers, where the finding stands.

`READINGS` says for each form of help how a reader types it in. Help that is nothing but a text in
backticks always is a rewrite, but for the forms of whole statements (`set x = value`); the backticks of a sentence
may tell a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.edits.shipped import GAMES
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.source.file import Place
from tests.support.expect import LAYERS, Example

Typing = Callable[[str, Place, str], "str | None"]


class Offer(NamedTuple):
    """A rewrite: the file after it, and whether it only guesses which name was meant."""

    after: str
    is_guess: bool


def offer(text: str, found: Diagnostic) -> Offer | None:
    """The rewrite that a finding in this text offers; None where it gives advice, or nothing."""
    help = found.help or ""
    if isinstance(found.help, Suggestion):
        wrong, right = found.help.wrong, found.help.right
        old = marked(text, found.place) or ""
        return (
            Offer(put(text, found.place, old.replace(wrong, right, 1)), True)
            if wrong in old
            else None
        )
    for pattern, typing in READINGS:
        fits = re.fullmatch(pattern, help)
        if fits is not None and "..." not in fits[1]:
            after = typing(text, found.place, fits[1])
            return Offer(after, typing is as_key) if after is not None else None
    return None


# ------------------------------------------------------------------------- how something is typed in


def span(text: str, place: Place) -> tuple[int, int]:
    """Where a place begins and ends in the text."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts[place.line - 1] + place.column - 1, starts[
        place.end_line - 1
    ] + place.end_column - 1


def marked(text: str, place: Place) -> str | None:
    """What is marked, if it is on one line."""
    start, end = span(text, place)
    return text[start:end] if place.line == place.end_line else None


def put(text: str, place: Place, new: str) -> str:
    """The text with something else in the place of what is marked; quotes around a field stay."""
    start, end = span(text, place)
    old = text[start:end]
    if (
        len(old) > 2
        and old[0] == old[-1]
        and old[0] in "\"'"
        and not new[0].isdigit()
        and new[0] != "["
    ):
        start, end = start + 1, end - 1
    return text[:start] + new + text[end:]


def around(text: str, place: Place, new: str) -> str | None:
    """In the place of the call in which the mark stands."""
    _, end = span(text, place)
    name = new.partition("(")[0]
    begin = text.rfind(f"{name}(", 0, end)
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if at > begin + len(name) and depth == 0:
            return text[:begin] + new + text[at + 1 :]
    return None


def as_block(text: str, place: Place, new: str) -> str | None:
    """As the head of a block around the line of the mark; of a loop, with its name for the list."""
    lines = text.split("\n")
    line = lines[place.line - 1]
    indent = line[: len(line) - len(line.lstrip())]
    loop = re.fullmatch(r"for each (\w+) in .*:", new)
    if loop is not None:
        line = put(text, place, loop[1]).split("\n")[place.line - 1]
    within = place.line
    while within < len(lines) and lines[within].startswith(f"{indent} "):
        within += 1
    block = [f"    {one}" for one in (line, *lines[place.line : within])]
    return "\n".join([*lines[: place.line - 1], indent + new, *block, *lines[within:]])


def without(text: str, place: Place, word: str) -> str | None:
    """Taken out, with what is marked behind it."""
    start, end = span(text, place)
    found = re.search(rf"\s*\b{re.escape(word)}\s+$", text[:start])
    return text[: found.start()] + text[end:] if found is not None else None


def as_key(text: str, place: Place, new: str) -> str:
    """In the place of the name of a field, or of the gap where its colon is missing."""
    is_gap = not (marked(text, place) or "").strip()
    return put(text, place, ": " if is_gap else new.removesuffix(":"))


def as_field(text: str, place: Place, new: str) -> str:
    """As a field of the item in which the mark stands, in the place of one of that name."""
    lines = text.split("\n")
    top = place.line - 1
    while top and not re.match(r"(- )?kind:", lines[top]):
        top -= 1
    indent = "  " if lines[top].startswith("- ") else ""
    at = top + 1
    while at < len(lines) and lines[at].strip() and not lines[at].startswith(("- ", "---")):
        if lines[at].startswith(f"{indent}{new.partition(':')[0]}:"):
            return "\n".join([*lines[:at], indent + new, *lines[at + 1 :]])
        at += 1
    return "\n".join([*lines[: top + 1], indent + new, *lines[top + 1 :]])


def as_mark(text: str, place: Place, new: str) -> str | None:
    """Behind the event of the item in which the mark stands."""
    head = re.compile(r"^ *when [^\n:]*", re.MULTILINE).search(text, span(text, place)[0])
    return None if head is None else f"{text[: head.end()]} {new}{text[head.end() :]}"


def dotted(text: str, place: Place, new: str) -> str:
    """In the place of `thing.field`, of which the dot is marked."""
    start, end = span(text, place)
    return re.sub(r"\w*$", "", text[:start]) + new + re.sub(r"^\w*", "", text[end:])


READINGS: tuple[tuple[str, Typing], ...] = (
    (r"`(once per turn)`", as_mark),
    (r"`(once_per: turn)`", as_field),
    (r"`(stacks: once)` or `stacks: longest`", as_field),
    (r"write `(gives: [^`]+|edition: \d+)`", as_field),
    (r"`(if [^`]+:)`", as_block),
    (r"`(for each [^`]+:)` goes through the list one by one", as_block),
    (r"leave out `(\w+)`", without),
    (r"write `([\w-]+:)`", as_key),
    (r"write `(\w+\(\w+\))`", dotted),
    (r"`(\w+\([^`]*, [^`]*\))`", around),
    (r"`([^`]+)`(?: is never more than 12| is a list of one)?", put),
    (r"write `([^` ]+|\[[^`]+\])`(?:, (?:without quotes|without brackets|which is exact))?", put),
)


# ------------------------------------------------------------------------- what a rewrite does


def is_there(found: Diagnostic, after: list[Diagnostic]) -> bool:
    """Is it still found, on its line?"""
    same = (found.code, found.message, found.place.line)
    return any((one.code, one.message, one.place.line) == same for one in after)


def errors(found: list[Diagnostic]) -> Counter[tuple[str, str]]:
    """The errors, by code and message."""
    return Counter((one.code, one.message) for one in found if one.severity == "error")


def retyped(example: Example, found: Diagnostic) -> tuple[Example, bool] | None:
    """An example after the rewrite that a finding in it offers, and whether that is a guess."""
    if isinstance(example, str):
        return offer(example, found)
    assert not isinstance(example, bytes)
    path = next((one for one in example if found.place.path.endswith(one)), "")
    made = offer(example[path], found) if path else None
    return ({**example, path: made.after}, made.is_guess) if made is not None else None


def hold_rewrites(layer: str, text: Example, found: list[Diagnostic]) -> None:
    """Hold that each rewrite offered for what is found in an example mends it, and breaks nothing."""
    for one in found:
        made = retyped(text, one)
        if made is not None:
            whole, is_guess = made
            after = LAYERS[layer](whole)
            assert not is_there(one, after), f"{one.message}: {one.help}"
            # Several mistakes hide one another, and what a novice writes has several.
            if len(found) == 1 and layer not in GAMES and not is_guess:
                assert errors(after) == Counter(), f"{one.message}: {one.help}"
