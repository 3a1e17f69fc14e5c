"""A building and its offers as JSON data, for pages and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ruleloom.building.appraisal import BudgetState, Number, Unmet, signed
from ruleloom.building.building import Building, ChangedNumber
from ruleloom.building.choices import GROUP, ONE, SEVERAL, ChoiceMaker, Heading, OpenChoice
from ruleloom.building.offers import Offers, PricedOffer, cost_of_entry
from ruleloom.runtime.explain.sheet_pages import SheetPage
from ruleloom.runtime.machine.labels import number_text

Json = dict[str, Any]


def view_data(building: Building) -> Json:
    """Everything that a page shows of a building."""
    return {**record_data(building), "sheet": [sheet_data(page) for page in building.sheets]}


def record_data(building: Building, priced: int | None = None) -> Json:
    """The same without the sheets; entries have a price, or only those under the heading `priced`, which is
    quicker."""
    bench = building.bench
    return {
        "game": bench.content.game,
        "kind": building.kind,
        "kind_title": bench.rows.entity.singular,
        "id": building.id,
        "title": building.title,
        "text": building.text,
        "legal": building.legal,
        "unfinished": building.appraisal.unfinished,
        "can_undo": building.can_undo,
        "can_redo": building.can_redo,
        "budgets": [budget_data(one) for one in building.budgets],
        "findings": [finding_data(one) for one in building.findings],
        "headings": [
            heading_data(building, one, with_prices=priced in (None, number))
            for number, one in enumerate(building.choices)
        ],
    }


def heading_data(building: Building, one: Heading, with_prices: bool) -> Json:
    """A heading with its choices."""
    choices = [choice_data(building, each, with_prices) for each in one.choices]
    return {"title": one.title, "choices": choices}


def budget_data(one: BudgetState) -> Json:
    """A budget, its numbers in words."""
    allowed, left = (None if x is None else number_text(x) for x in (one.allowed, one.left))
    about = {"name": one.name, "label": one.label, "spent": number_text(one.spent)}
    return {**about, "allowed": allowed, "left": left, "unit": one.unit, "over": one.over}


def finding_data(one: Unmet) -> Json:
    """A requirement that is not met."""
    words = {"level": one.level, "text": one.text, "help": one.help, "clauses": [*one.clauses]}
    rest = {"at": one.at, "allowed": one.allowed, "unknown": one.unknown, "open": [*one.open]}
    return {"requirement": one.requirement, **words, **rest, "forbids": one.forbids}


def choice_data(building: Building, one: OpenChoice, with_prices: bool) -> Json:
    """A choice, with those inside it; an entry of a list with its price, if that is wanted."""
    names = ("at", "label", "help", "sort", "value", "standard", "low", "high", "needed", "short")
    data = {name: getattr(one, name) for name in names}
    inner = [choice_data(building, each, with_prices) for each in one.choices]
    data |= {"options": [*one.options], "offered": bool(one.of or one.key or one.options)}
    if one.of and one.sort in (ONE, SEVERAL):
        data["titles"] = _titles(building, one)
    if one.sort == GROUP and one.short:
        value = one.value.get(one.short) if isinstance(one.value, dict) else one.value
        cost = cost_of_entry(building, one.path) if with_prices else ()
        data |= {"value": value, "cost": cost_data(cost)}
    return {**data, "choices": inner}


def _titles(building: Building, one: OpenChoice) -> list[str]:
    """The titles of the things at a choice."""
    titles = ChoiceMaker(building.bench).keys(one.of)
    held = one.value if isinstance(one.value, list) else [one.value] if one.value else []
    return [titles.get(str(each), str(each)) for each in held]


def cost_data(cost: Iterable[tuple[BudgetState, Number]]) -> Json:
    """A price by budget, in words."""
    return {budget.name: number_text(more) for budget, more in cost}


def offers_data(found: Offers) -> Json:
    """The offers at a choice."""
    made = [offer_data(one) for one in found.offers]
    return {"offers": made, "more": found.more, "tags": [*found.tags]}


def offer_data(one: PricedOffer) -> Json:
    """An offer, its price in words."""
    names = ("say", "at", "value", "label", "text", "there", "legal")
    reasons = [finding_data(each) for each in one.reasons]
    cost = {budget.name: signed(more) for budget, more in one.cost}
    data = {name: getattr(one, name) for name in names}
    lists = {"tags": [*one.tags], "reasons": reasons, "open": [*one.open]}
    return {**data, **lists, "cost": cost}


def changes_data(changes: Sequence[ChangedNumber]) -> list[Json]:
    """The numbers that an answer changes."""
    return [{"label": x.label, "before": x.before, "after": x.after} for x in changes]


def sheet_data(page: SheetPage) -> Json:
    """A sheet."""
    line = ("label", "value", "note", "text", "blank")
    blocks = [
        {
            "title": block.title,
            "tiles": block.tiles,
            "headings": [*block.headings],
            "lines": [{name: getattr(one, name) for name in line} for one in block.lines],
        }
        for block in page.blocks
    ]
    return {"title": page.title, "english": page.english, "blocks": blocks}
