"""What may be put at a choice: each offer with its words, its price, and the reasons against it.

An offer is legal if the record with it meets every requirement that it does not break already in the same
words. The reasons against any other are those that `check` then gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ruleloom.building.answer_lines import (
    REMOVED,
    RecordChange,
    change_of,
    nested_change,
)
from ruleloom.building.appraisal import Appraisal, BudgetState, Number, Unmet
from ruleloom.building.building import Building
from ruleloom.building.choices import (
    ENTRIES,
    NUMBER,
    SEVERAL,
    TABLE,
    YES_NO,
    ChoiceMaker,
    OpenChoice,
)
from ruleloom.building.plain_tree import Steps, at_path
from ruleloom.compiler.packs.content import Item
from ruleloom.runtime.dataclass import Frozen

AROUND = 6
"""A number without bounds is offered this far up and down."""
MOST_NUMBERS = 40
LONGEST_SCALE = 10
"""The entries of a table are levels up to this, each tried for the first legal one; more are a count."""
ANSWERS = ("yes", "no")


class PricedOffer(Frozen):
    """An answer `say` at a choice: what it is called and does, whether it is there already or would be legal,
    the reasons against it, and what it adds to each budget.

    Fields of its own that are still to be said are `open`; its price and reasons are those with first values.
    """

    say: str
    at: str
    value: str
    label: str
    text: str
    tags: tuple[str, ...]
    there: bool
    legal: bool
    reasons: tuple[Unmet, ...]
    cost: tuple[tuple[BudgetState, Number], ...]
    open: tuple[str, ...] = ()


class Offers(Frozen):
    """The offers at a choice, how many more match, and the tags of all that match."""

    offers: tuple[PricedOffer, ...]
    more: int
    tags: tuple[str, ...]


class Eligible(NamedTuple):
    """What may be offered, before it is appraised."""

    value: str
    label: str
    text: str = ""
    tags: tuple[str, ...] = ()


def offers(
    building: Building, at: str, search: str = "", tag: str = "", most: int | None = None
) -> Offers:
    """What may be put at a choice, legal offers first; only what has all words of `search` and the tag, and
    at most so many, the others not appraised."""
    choice = building.choice_at(at)
    if choice is None:
        return Offers((), 0, ())
    found = [one for one in candidates(building, choice) if _is_sought(one, search, tag)]
    made = [offer_of(building, choice, one) for one in found[:most]]
    made.sort(key=lambda one: not one.legal)
    tags = sorted({each for one in found for each in one.tags})
    return Offers(tuple(made), len(found) - len(made), tuple(tags))


def card_text(building: Building, at: str, value: str) -> str:
    """What is printed of a thing that may be put at a choice."""
    choice = building.choice_at(at)
    found = candidates(building, choice) if choice is not None else ()
    return next((one.text for one in found if one.value == value), "")


def candidates(building: Building, choice: OpenChoice) -> Iterator[Eligible]:
    """Everything that the type of a choice allows."""
    if choice.of or (choice.sort == TABLE and choice.key):
        yield from _things(building, choice.of or choice.key)
    elif choice.sort == NUMBER:
        yield from (Eligible(str(one), str(one)) for one in _numbers(choice))
    elif choice.sort == YES_NO:
        yield from (Eligible(one, one) for one in ANSWERS)
    else:
        yield from (Eligible(one, one) for one in choice.options)


def _things(building: Building, entity: str) -> Iterator[Eligible]:
    """The things of an entity, or the values of an enum, with what is printed of them."""
    titles = ChoiceMaker(building.bench).keys(entity)
    items = building.bench.items.get(entity, {})
    for name, title in titles.items():
        item = items.get(name.partition("#")[0])
        yield Eligible(name, title, *(("", ()) if item is None else _printed(item)))


def _printed(item: Item) -> tuple[str, tuple[str, ...]]:
    """The text and tags of an item."""
    words = (item.data(name) for name in ("text", "gloss", "english"))
    text = next((one for one in words if isinstance(one, str)), "")
    return text.strip(), tuple(map(str, item.data("tags") or ()))


def _numbers(choice: OpenChoice) -> range:
    """The numbers on offer: within the bounds, or around what is there."""
    now = choice.value if isinstance(choice.value, int) else choice.standard
    now = now if isinstance(now, int) else 0
    low = choice.low if choice.low is not None else now - AROUND
    high = choice.high if choice.high is not None else now + AROUND
    if high - low > MOST_NUMBERS:
        low, high = max(low, now - AROUND), min(high, now + AROUND)
    return range(low, high + 1)


def _is_sought(one: Eligible, search: str, tag: str) -> bool:
    if tag and tag not in one.tags:
        return False
    text = " ".join((one.value, one.label, one.text, *one.tags)).casefold()
    return all(word in text for word in search.casefold().split())


def offer_of(building: Building, choice: OpenChoice, one: Eligible) -> PricedOffer:
    """A candidate with its price and the reasons against it."""
    there, before = is_there(choice, one.value), building.appraisal
    made: list[PricedOffer] = []
    for line in lines_of(choice, one.value):
        change, left = filled(building, choice, line)
        after = appraised(building, change)
        reasons, cost = new_reasons(before, after, choice.at), costs(before, after)
        about = choice.at, one.value, one.label, one.text, one.tags, there
        made.append(PricedOffer(line, *about, not reasons, reasons, cost, left))
        if not reasons or any(each.over for each in after.budgets):
            break
    return next((each for each in made if each.legal), made[0])


def filled(
    building: Building, choice: OpenChoice, line: str
) -> tuple[RecordChange, tuple[str, ...]]:
    """The change that an answer means, with first values for what an entry lacks, and the names of that."""
    every = [each for heading in building.choices for each in heading.choices]
    change = change_of(line, building.data, every)
    place = (*choice.path, len(choice.value) if isinstance(choice.value, list) else 0)
    entry = at_path(building.after(change), place) if choice.sort == ENTRIES else None
    if not isinstance(entry, dict):
        return change, ()
    bench = building.bench
    field = bench.rows.entity.fields.get(choice.at)
    entity = bench.rows.symbols.entities[field.type.name] if field is not None else None
    lacking = bench.first_values(place, entity, entry)
    return nested_change(place, entry | lacking, building.data), tuple(lacking)


def appraised(building: Building, change: RecordChange) -> Appraisal:
    """The price and mistakes of the record after a change."""
    return building.bench.appraise(building.after(change))


def lines_of(choice: OpenChoice, value: str) -> Iterator[str]:
    """The answers that put a value at a choice: one, or one for each number of an entry of a table."""
    sign = "+" if choice.sort in (ENTRIES, SEVERAL, TABLE) else "="
    yield f"{choice.at} {sign} {value}"
    if choice.sort == TABLE and choice.high is not None and choice.high <= LONGEST_SCALE:
        yield from (f"{choice.at} {sign} {value} {level}" for level in range(2, choice.high + 1))


def is_there(choice: OpenChoice, value: str) -> bool:
    """Is a value at a choice already?"""
    held = choice.value
    if isinstance(held, dict):
        return value in held
    if not isinstance(held, list):
        return str(held) == value or (
            ANSWERS[not held] == value if isinstance(held, bool) else False
        )
    return any((one.get(choice.short) if isinstance(one, dict) else one) == value for one in held)


def new_reasons(before: Appraisal, after: Appraisal, at: str) -> tuple[Unmet, ...]:
    """What forbids a record after a change `at` a choice, and did not in the same words before. What is
    merely not filled in yet elsewhere forbids nothing."""
    known = {(one.requirement, one.at, one.text) for one in _forbidding(before, "")}
    return tuple(
        one for one in _forbidding(after, at) if (one.requirement, one.at, one.text) not in known
    )


def _forbidding(one: Appraisal, at: str) -> Iterator[Unmet]:
    """What forbids a record, without what is still to say at another choice than this."""
    return (x for x in one.findings if x.forbids and not {*x.open} - {at})


def cost_of_entry(building: Building, path: Steps) -> tuple[tuple[BudgetState, Number], ...]:
    """What an entry of the record costs as it stands."""
    without = appraised(building, RecordChange(path, REMOVED))
    return costs(without, building.appraisal)


def costs(before: Appraisal, after: Appraisal) -> tuple[tuple[BudgetState, Number], ...]:
    """What a change adds to each budget, where it adds something."""
    spent = {one.name: one.spent for one in before.budgets}
    both = ((one, one.spent - spent.get(one.name, 0)) for one in after.budgets)
    return tuple((one, more) for one, more in both if more)
