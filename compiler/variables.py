"""Which variables of the game a power may change, however far down: what the checker forgets after a `use`.

In go the parsed effects of all items; out come sets of names. Nothing is resolved; a power that does not
exist changes nothing here and is complained about elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compiler.circles import knots
from compiler.content import Item
from compiler.effect import tree
from compiler.foresight import walk

Statements = tuple[tree.Stmt, ...]
EVERY_RECORD = "$record"
EVERY_FUSION = "$fusion"
EVERY_TRIGGER = "$trigger"
SETTING = (tree.Assign, tree.Add)
CHANGING = (tree.Operate, tree.Draw)


@dataclass(slots=True)
class Changes:
    """The names each power may set, and what triggers and powers of records may set."""

    by_power: dict[str, frozenset[str]] = field(default_factory=dict)

    def of_power(self, name: str) -> frozenset[str]:
        """What using this power may change."""
        return self.by_power.get(name, frozenset())

    def of_records(self) -> frozenset[str]:
        """What using the power of any record may change."""
        return self.by_power.get(EVERY_RECORD, frozenset())

    def of_triggers(self) -> frozenset[str]:
        """What may change whenever an operation is done."""
        return self.by_power.get(EVERY_TRIGGER, frozenset())


def variable_changes(
    effects: Mapping[str, tuple[Item, Statements]], answers: Iterable[Statements] = ()
) -> Changes:
    """Work out what each power may change, through everything that it uses and sets off. `answers` are the
    blocks of abilities that answer events."""
    sets: dict[str, set[str]] = {EVERY_RECORD: set(), EVERY_FUSION: set(), EVERY_TRIGGER: set()}
    uses: dict[str, set[str]] = {EVERY_RECORD: set(), EVERY_FUSION: set(), EVERY_TRIGGER: set()}
    for item, statements in effects.values():
        name = _node(item)
        _gather(statements, sets.setdefault(name, set()), uses.setdefault(name, set()))
    for statements in answers:
        _gather(statements, sets[EVERY_TRIGGER], uses[EVERY_TRIGGER])
    for part in knots(uses):
        # What lies on a circle changes whatever any of the circle does; what it needs is known by now.
        together = set().union(*(sets[name] for name in part))
        together.update(*(sets.get(other, ()) for name in part for other in uses[name]))
        for name in part:
            sets[name] = together
    return Changes({name: frozenset(names) for name, names in sets.items()})


def _node(item: Item) -> str:
    known = {
        "power": item.slug,
        "fusion": EVERY_FUSION,
        "trigger": EVERY_TRIGGER,
        "flow": f"flow {item.slug}",
    }
    return known.get(item.kind, EVERY_RECORD)


def _gather(statements: Statements, sets: set[str], uses: set[str]) -> None:
    """Add the names that statements set, and what they use."""
    for one in walk(statements):
        if isinstance(one, SETTING):
            sets.add(one.name.id)
        elif isinstance(one, tree.Use):
            uses.add(one.power.id)
        elif isinstance(one, tree.UsePower):
            uses.add(EVERY_RECORD)
        elif isinstance(one, tree.Combinable):
            uses.add(EVERY_FUSION)
        elif isinstance(one, CHANGING):
            uses.add(EVERY_TRIGGER)
