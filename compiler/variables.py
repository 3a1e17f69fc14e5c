"""Which variables of the game a power may change, however far down: what the checker forgets after a `use`.

In go the parsed effects of all items; out come sets of names. Nothing is resolved; a power that does not
exist changes nothing here and is complained about elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compiler.content import Item
from compiler.effect import tree
from compiler.foresight import walk

Statements = tuple[tree.Stmt, ...]
EVERY_RECORD = "$record"
EVERY_FUSION = "$fusion"
EVERY_TRIGGER = "$trigger"
CHANGING = tree.Operate | tree.Draw


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


def variable_changes(effects: Mapping[str, tuple[Item, Statements]]) -> Changes:
    """Work out what each power may change, through everything that it uses and sets off."""
    sets: dict[str, set[str]] = {EVERY_RECORD: set(), EVERY_FUSION: set(), EVERY_TRIGGER: set()}
    uses: dict[str, set[str]] = {EVERY_RECORD: set(), EVERY_FUSION: set(), EVERY_TRIGGER: set()}
    for item, statements in effects.values():
        name = _node(item)
        sets.setdefault(name, set()).update(_set_names(statements))
        uses.setdefault(name, set()).update(_used_names(statements))
    changed = True
    while changed:
        changed = False
        for name, others in uses.items():
            before = len(sets[name])
            sets[name].update(*(sets.get(other, set()) for other in others))
            changed = changed or len(sets[name]) > before
    return Changes({name: frozenset(names) for name, names in sets.items()})


def _node(item: Item) -> str:
    known = {
        "power": item.slug,
        "fusion": EVERY_FUSION,
        "trigger": EVERY_TRIGGER,
        "flow": f"flow {item.slug}",
    }
    return known.get(item.kind, EVERY_RECORD)


def _set_names(statements: Statements) -> set[str]:
    return {one.name.id for one in walk(statements) if isinstance(one, tree.Assign | tree.Add)}


def _used_names(statements: Statements) -> set[str]:
    found: set[str] = set()
    for one in walk(statements):
        if isinstance(one, tree.Use):
            found.add(one.power.id)
        elif isinstance(one, tree.UsePower):
            found.add(EVERY_RECORD)
        elif isinstance(one, tree.Combinable):
            found.add(EVERY_FUSION)
        elif isinstance(one, CHANGING):
            found.add(EVERY_TRIGGER)
    return found
