"""Derivations of numbers as text: a line for each part, amounts aligned, then places."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ruleloom.output.terminal import paint
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.explain.finding import BY, LESS, OF, Finding, total
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.program import Origin
from ruleloom.runtime.program.safe_text import safe_text

WIDTH = 80
LEAST_LABEL, MOST_PLACE = 24, 34
DOES = {
    "times": "x {}",
    "first": "x {}",
    "to": "set to {}",
    "least": "at least {}",
    "most": "at most {}",
}


class DerivationLine(Frozen):
    """One part: its label, its effect on the number, and its place, after a running total."""

    label: str
    amount: str
    place: str = ""
    depth: int = 1
    counts: bool = True


def derivation_text(
    found: Finding, pack: str, everything: bool, colour: bool = False, width: int = WIDTH
) -> list[str]:
    """A finding and its parts as lines; places in `pack` omit its name."""
    condition = "" if isinstance(found.value, bool) else "as "
    lines = list(_lines(found.parts, 1, pack, everything, condition))
    head = equation(safe_text(found.label), text_of(found.value), colour)
    return [head, *aligned_lines(lines, colour, width)]


def equation(label: str, value: str, colour: bool) -> str:
    """The head of a derivation: `label = value`, both escaped."""
    return f"{paint(label, 'bold', on=colour)} = {paint(value, 'bold', on=colour)}"


def text_of(value: Any) -> str:
    """A value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Fraction):
        return number_text(value)
    return "none" if value is None else safe_text(str(value))


def place_text(via: Sequence[Origin], pack: str) -> str:
    """Places in the rules, the nearest first."""
    packs = ("" if one.pack == pack else f"{one.pack}/" for one in via)
    places = (f"{pack}{one.path}:{one.line}" for pack, one in zip(packs, via, strict=True))
    return safe_text(", ".join(places))


def _lines(
    parts: Sequence[Finding], depth: int, pack: str, everything: bool, condition: str
) -> Iterator[DerivationLine]:
    """The lines of parts, with running totals unless all add."""
    shown = _shown(parts, everything)
    running = any(one.counts and one.does not in (BY, LESS, OF) for one in shown)
    first = True
    for number, one in enumerate(parts):
        adds = one.counts and one.does != OF
        if one in shown:
            place = place_text(one.via, pack)
            if running and adds and not first:
                place = f"-> {number_text(total(parts[: number + 1]))}  {place}".rstrip()
            label, amount = _label(one, condition), _amount(one, first)
            yield DerivationLine(label, amount, place, depth, one.counts)
            yield from _lines(one.parts, depth + 1, pack, everything, condition or "as ")
        first = first and not adds


def _shown(parts: Sequence[Finding], everything: bool) -> Sequence[Finding]:
    return [one for one in parts if everything or not one.minor]


def _label(found: Finding, condition: str) -> str:
    """The label of a part, marked if it is the source of a number, or a condition."""
    label = safe_text(f"{found.label} ({found.why})" if found.why else found.label)
    if found.does == OF:
        label = f"{condition if isinstance(found.value, bool) else 'from '}{label}"
    return label


def _amount(found: Finding, first: bool) -> str:
    """The effect of a part on the number, in brief."""
    value = found.value
    if value is None:
        return "-"
    if isinstance(value, bool) or found.does == OF or (first and found.does == BY):
        amount = text_of(value)
    elif found.does in (BY, LESS):
        signed = value if found.does == BY else -value
        amount = f"{'+' if signed >= 0 else ''}{number_text(signed)}"
    else:
        what, _, how = found.does.partition(" ")
        amount = DOES.get(what, f"{what} {{}}").format(number_text(value))
        amount += f", rounded {how}" if how else ""
    return amount if found.counts else f"({amount})"


def aligned_lines(
    lines: Sequence[DerivationLine], colour: bool, width: int = WIDTH
) -> Iterator[str]:
    """Lines with their amounts aligned, at most `width` wide if names allow."""
    amounts, places, labels = (
        max(map(len, texts), default=0)
        for texts in (
            [line.amount for line in lines],
            [line.place for line in lines],
            ["  " * line.depth + line.label for line in lines],
        )
    )
    # The greatest label width that leaves room for most places.
    room = width - amounts - 2 - (min(places, MOST_PLACE) + 2 if places else 0)
    labels = min(labels, max(room, LEAST_LABEL))
    for line in lines:
        indent = "  " * line.depth
        *above, last = _wrapped(line.label, max(labels, len(indent) + LEAST_LABEL), indent, "  ")
        row = f"{last:<{labels}}  {line.amount:>{amounts}}"
        style = () if line.counts else ("dim",)
        yield from (paint(one, *style, on=colour) for one in above)
        if line.place and len(row) + 2 + len(line.place) <= width:
            yield paint(row, *style, on=colour) + "  " + paint(line.place, "dim", on=colour)
        else:  # places get lines of their own
            yield paint(row.rstrip(), *style, on=colour)
            below = _wrapped(line.place, width, f"{indent}    ") if line.place else []
            yield from (paint(one, "dim", on=colour) for one in below)


def _wrapped(text: str, width: int, indent: str, further: str = "") -> list[str]:
    wrapped = textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent + further)
    return wrapped or [indent]


def as_data(found: Finding, everything: bool) -> dict[str, Any]:
    """A finding as JSON data; fractions as strings, such as `191/2`."""
    value = str(found.value) if isinstance(found.value, Fraction) else found.value
    data: dict[str, Any] = {"label": found.label, "value": value}
    data |= {"does": found.does, "counts": found.counts}
    data |= {"why": found.why} if found.why else {}
    data |= {"from": found.kind} if found.kind else {}
    data["at"] = [
        {"pack": one.pack, "path": one.path, "line": one.line, "column": one.column}
        for one in found.via
    ]
    data["parts"] = [as_data(one, everything) for one in _shown(found.parts, everything)]
    return data | ({"more": True} if found.more else {})


def has_more(found: Finding, everything: bool) -> bool:
    """Would a greater depth add lines?"""
    shown = _shown(found.parts, everything)
    return found.more or any(has_more(one, everything) for one in shown)


def normalised(found: Finding) -> Finding:
    """A finding with whole fractions as ints."""
    value = found.value
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    return found._replace(value=value, parts=tuple(normalised(one) for one in found.parts))
