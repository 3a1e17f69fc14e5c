"""A building in lines of text: its price, its mistakes, its choices and offers, and what another version of
a pack changes about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.building.appraisal import BudgetState, Unmet, counted, signed
from ruleloom.building.building import Building, ChangedNumber
from ruleloom.building.choices import GROUP, LISTS, ChoiceMaker, OpenChoice
from ruleloom.building.offers import PricedOffer
from ruleloom.runtime.machine.labels import number_text

LONGEST_TEXT = 72


def budget_line(one: BudgetState, with_limit: bool = True) -> str:
    """A price, what is allowed, and what is left."""
    spent = f"{one.label}: {counted(one.spent, one.unit)}"
    if one.allowed is None or one.left is None or not with_limit:
        return spent
    left = f"{number_text(-one.left)} too much" if one.over else f"{number_text(one.left)} left"
    return f"{spent} of {counted(one.allowed, one.unit)}, {left}"


def finding_lines(findings: Sequence[Unmet]) -> Iterator[str]:
    """What is wrong with a record, each with its requirement and what can be done about it."""
    for one in findings:
        level = "allowed" if one.allowed is not None else "unknown" if one.unknown else one.level
        level = "open" if one.open else level
        at = f" at {one.at}" if one.at else ""
        yield f"{level}[{one.requirement}]{at}: {one.text}"
        if one.open:
            yield f"  still to say: {', '.join(one.open)}"
        if one.allowed is not None:
            yield f"  {one.allowed}"
        elif one.help:
            yield f"  help: {one.help}"
        if one.clauses:
            yield f"  by {', '.join(one.clauses)}"


def standing_lines(building: Building) -> Iterator[str]:
    """The price and the mistakes of a record."""
    yield from map(budget_line, building.budgets)
    yield from finding_lines(building.findings)


def choice_line(building: Building, one: OpenChoice) -> str:
    """A choice with what is written there."""
    return f"{one.at} = {said(building, one)}"


def said(building: Building, one: OpenChoice) -> str:
    """The value of a choice in words."""
    value = one.value
    if value is None:
        return "" if one.standard is None else f"({one.standard})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    titles = ChoiceMaker(building.bench).keys(one.key or one.of)
    if isinstance(value, dict):
        return ", ".join(f"{titles.get(key, key)} {_brief(x)}" for key, x in value.items())
    if isinstance(value, list):
        return ", ".join(titles.get(_name(each, one.short), _brief(each)) for each in value)
    return " ".join(str(value).split())


def _name(entry: object, short: str) -> str:
    return str(entry.get(short) if isinstance(entry, dict) else entry)


def _brief(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_brief(one)}" for key, one in value.items())
    return str(value)


def overview(building: Building) -> Iterator[str]:
    """The headings with their choices: lists in one line each, and plain fields that are written."""
    for heading in building.choices:
        yield heading.title
        listed = [one for one in heading.choices if _is_listed(one)]
        yield from (f"  {choice_line(building, one)}" for one in listed)
        left = [one.at for one in heading.choices if one not in listed]
        if left:
            yield f"  open: {', '.join(left)}"


def _is_listed(one: OpenChoice) -> bool:
    """Does a choice stand on a line of its own: a list, or what is written?"""
    return one.value is not None or (one.sort in LISTS and one.sort != GROUP)


def offer_line(one: PricedOffer) -> str:
    """An offer with its price, or the first reason against it."""
    cost = ", ".join(f"{signed(more)} {budget.unit or budget.label}" for budget, more in one.cost)
    text = " ".join(one.text.split())
    text = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."
    there = "taken" if one.there else ""
    still = f"still to say: {', '.join(one.open)}" if one.open else ""
    about = "; ".join(
        filter(None, (there, cost, text if one.legal else one.reasons[0].text, still))
    )
    name = one.label if one.label == one.value else f"{one.value} ({one.label})"
    return f"{name}: {about}" if about else name


def change_lines(changes: Sequence[ChangedNumber]) -> Iterator[str]:
    """The numbers that differ."""
    for one in changes:
        yield f"{one.label}: {one.before or 'nothing'} -> {one.after or 'nothing'}"


def version_lines(before: Building, after: Building) -> list[str]:
    """What another version of a pack changes about a record: numbers, and what is wrong that was not, or
    no longer is."""
    old, new = ([*finding_lines(x.findings)] for x in (before, after))
    gone = [f"no longer: {line}" for line in old if line not in new and not line.startswith("  ")]
    fresh = [line for line in new if line not in old]
    return [*change_lines(before.changes(after)), *fresh, *gone]
