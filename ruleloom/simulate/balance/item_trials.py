"""Trials of items: two games that differ in one item alone, and the seat whose wins count.

An item is *held* if its things can lie in a player's zone: one player begins with it, or nobody does. It is
*bought* if a buyer is named: it is in the buyer's list or not. It is *changed* by a pack if somebody has it
in both games. Otherwise it is *in the game* or not, or a switch or number has one value or another: then all
players' wins are compared.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ruleloom.api.at_rest import at_rest
from ruleloom.api.making import sound
from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.simulate.run_plan import Placement, RunPlan, SentProgram

HELD, BOUGHT, IN_GAME, SETTING = "held", "bought", "in the game", "setting"
CHANGED = "changed"
PACK_ID = "ruleloom-balance"
Sent = tuple[SentProgram, RunPlan]


class NoTrial(Refused):
    """An item that cannot be tried as requested; `help` suggests a fix."""

    def __init__(self, reason: str, help: str | None = None) -> None:
        super().__init__(reason)
        self.help = help


class ItemTrial(Frozen):
    """An item with the two sides of its trial. `is_about_one` if only bot 0's wins count."""

    name: str
    how: str
    without: Sent
    with_it: Sent
    is_about_one: bool
    price: float | None = None
    contents: tuple[Content, Content] | None = None
    """The content without and with the item, if they differ."""


class TrialGround(Frozen):
    """The game in which items are tried: its packs, their compiled result, and the plan."""

    packs: tuple[str, ...]
    compiled: CompileResult
    plan: RunPlan
    hand_turns: int | None = None
    """The turn limit of games in which somebody begins with a thing; None: as in the plan."""

    @property
    def hand_plan(self) -> RunPlan:
        """The plan of games in which a player begins with a thing."""
        plan = replace(self.plan, rotates=True)
        return plan if self.hand_turns is None else replace(plan, turn_limit=self.hand_turns)

    @property
    def content(self) -> Content:
        """The items of all packs."""
        return sound(self.compiled)[1]

    @property
    def program(self) -> Program:
        """The unchanged game."""
        return sound(self.compiled)[0]


def find_item(content: Content, name: str) -> Item:
    """The item by name or id. Raises NoTrial."""
    found = content.items_called(name)
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(one.id for one in found)
        raise NoTrial(f"`{name}` may be any of {ids}", "name one in full")
    help = did_you_mean(name, [one.name for one in content.items])
    raise NoTrial(f"there is no item `{name}`", help)


# ---------------------------------------------------------------------------------- the four ways


def trial_of(
    ground: TrialGround, name: str, buyer: str | None = None, price: str | None = None
) -> ItemTrial:
    """The trial of an item, in the way that fits. Raises NoTrial."""
    if "=" in name:
        return _setting_trial(ground, name)
    item = find_item(ground.content, name)
    cost = price_of(ground.program, item, price)
    if buyer is not None:
        return _bought_trial(ground, item, buyer, cost)
    held = held_things(ground, ground.program, item)
    if held is not None:
        sent = SentProgram.of(ground.program)
        lack, have = ((sent, held.plan(ground, has)) for has in (False, True))
        return ItemTrial(item.name, HELD, lack, have, True, cost)
    without = patched(ground, {"target": item.id, "disable": True})
    sides = (without, ground.compiled)
    return _patched_trial(item.name, IN_GAME, sides, (ground.plan, ground.plan), False, cost)


def changed_trial(
    ground: TrialGround, name: str, changed: CompileResult, buyer: str | None, price: str | None
) -> ItemTrial:
    """The trial of a pack's change to an item, which the same player holds, or the same list contains, in
    both games. Raises NoTrial."""
    item = find_item(ground.content, name)
    sides = (ground.compiled, changed)
    plans = [replace(ground.plan, rotates=False) for _ in sides]
    if buyer is not None:
        owner, field = _list_of(ground, buyer)
        if not any(_names(one, item.name) for one in owner.data(field) or ()):
            raise NoTrial(f"`{buyer}` has no {item.name} that a pack could change")
    else:
        for at, side in enumerate(sides):
            held = held_things(ground, side.program, item) if side.program is not None else None
            if held is None:
                raise NoTrial(f"nobody holds {item.name}", "name who has it, with --to ITEM.FIELD")
            plans[at] = held.plan(ground, True)
    cost = price_of(ground.program, item, price)
    return _patched_trial(item.name, CHANGED, sides, plans, True, cost)


def _list_of(ground: TrialGround, buyer: str) -> tuple[Item, str]:
    """The item and the field of a buyer's list. Raises NoTrial."""
    owner_name, _, field = buyer.partition(".")
    owner = find_item(ground.content, owner_name)
    has = owner.data(field)
    if not field or (has is not None and not isinstance(has, list)):
        raise NoTrial(f"`{buyer}` is no list of an item", "name it as ITEM.FIELD: anna.gifts")
    return owner, field


def things_of(program: Program, item: Item) -> tuple[str, list[int]] | None:
    """The entity and the numbers of an item's things; None if it makes none."""
    for entity in program.entities:
        numbers = [
            number
            for number, one in enumerate(entity.names)
            if re.fullmatch(rf"{re.escape(item.name)}(?:#.*|[0-9]+)?", one)
        ]
        # They come from this item, not from another pack's of a similar name.
        places = entity.places
        if numbers and all(places[one].pack == item.pack for one in numbers if places):
            return entity.name, numbers
    return None


class HeldThings(NamedTuple):
    """The entity of some things, the zone in which players hold them, and the first of them."""

    entity: str
    zone: str
    first: tuple[int, ...]

    def plan(self, ground: TrialGround, has: bool) -> RunPlan:
        """The plan of games in which a player begins with the first, or nobody has it."""
        sides = (self.first, ()) if has else ((), self.first)
        return replace(ground.hand_plan, placement=Placement(self.entity, self.zone, *sides))


def held_things(ground: TrialGround, program: Program, item: Item) -> HeldThings | None:
    """The things that an item makes in a program, if players can hold them in the game."""
    entity, numbers = things_of(program, item) or ("", [])
    zones = (one.name for one in ground.program.zones if one.per_player and one.of == entity)
    zone = next(zones, None)
    return None if zone is None else HeldThings(entity, zone, tuple(numbers[:1]))


def pair_plans(
    ground: TrialGround, one: str, other: str
) -> tuple[RunPlan, RunPlan, RunPlan, RunPlan]:
    """The plans for two held things: neither, first, second, both. Raises NoTrial."""
    places = []
    for name in (one, other):
        held = held_things(ground, ground.program, find_item(ground.content, name))
        if held is None:
            raise NoTrial(f"`{name}` is nothing that a player holds")
        places.append(held)
    (entity, zone, first), (kind, _, second) = places
    if kind != entity:
        raise NoTrial(f"`{one}` and `{other}` are held in different ways")

    def plan(held: tuple[int, ...], withheld: tuple[int, ...]) -> RunPlan:
        placement = Placement(entity, zone, held, withheld)
        return replace(ground.hand_plan, placement=placement)

    return (
        plan((), first + second),
        plan(first, second),
        plan(second, first),
        plan(first + second, ()),
    )


def _setting_trial(ground: TrialGround, name: str) -> ItemTrial:
    setting, _, value = name.partition("=")
    chosen = dict(ground.plan.settings)
    chosen[setting] = int(value) if re.fullmatch(r"-?[0-9]{1,15}", value) else value
    sent = SentProgram.of(ground.program)
    other = replace(ground.plan, settings=tuple(sorted(chosen.items())))
    return ItemTrial(name, SETTING, (sent, ground.plan), (sent, other), False)


def _bought_trial(ground: TrialGround, item: Item, buyer: str, cost: float | None) -> ItemTrial:
    """A buyer's list with and without the item; the wins are those of bot 0's seat."""
    owner, field = _list_of(ground, buyer)
    entry = next((one for one in owner.data(field) or () if _names(one, item.name)), None)
    plan = replace(ground.plan, rotates=False)
    change = {"append": {field: [item.name]}} if entry is None else {"remove": {field: [entry]}}
    other = patched(ground, {"target": owner.id, **change})
    sides = (ground.compiled, other) if entry is None else (other, ground.compiled)
    return _patched_trial(item.name, BOUGHT, sides, (plan, plan), True, cost)


def _patched_trial(
    name: str,
    how: str,
    sides: tuple[CompileResult, CompileResult],
    plans: Sequence[RunPlan],
    about_one: bool,
    cost: float | None,
) -> ItemTrial:
    (less, old), (more, new) = map(sound, sides)
    without, with_it = zip(map(SentProgram.of, (less, more)), plans, strict=True)
    return ItemTrial(name, how, without, with_it, about_one, cost, (old, new))


def _names(entry: Any, item: str) -> bool:
    return entry == item or (isinstance(entry, Mapping) and item in entry.values())


def patched(ground: TrialGround, patch: Mapping[str, Any]) -> CompileResult:
    """The game with one patch on top. Raises NoTrial if it does not compile."""
    with patch_pack(ground, patch) as folder:
        result = compile_paths([*ground.packs, folder], texts=True)
    if result.program is None:
        raise NoTrial(f"the game cannot be played with that change: {first_mistake(result)}")
    return result


def first_mistake(result: CompileResult) -> str:
    """The first diagnostic of a failed compilation."""
    told = render(result.diagnostics, result.sources, "concise").strip().splitlines()
    return told[0] if told else "it does not compile"


@contextmanager
def patch_pack(ground: TrialGround, patch: Mapping[str, Any]) -> Iterator[str]:
    """A temporary pack: a patch."""
    needs = {one.id: f">={one.version}" for one in ground.content.packs}
    manifest = {
        "kind": "pack",
        "id": PACK_ID,
        "version": "1.0.0",
        "game": ground.content.game,
        "edition": 1,
        "requires": needs,
    }
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as folder:
        head = yaml.safe_dump(manifest, sort_keys=False)
        (Path(folder) / "pack.yaml").write_text(head, encoding="utf-8")
        body = yaml.safe_dump([{"kind": "patch", "id": "trial", **patch}], sort_keys=False)
        (Path(folder) / "patch.yaml").write_text(body, encoding="utf-8")
        yield folder


# ---------------------------------------------------------------------------------- prices


def price_of(program: Program, item: Item, field: str | None) -> float | None:
    """The price of an item: a number or the position of an enum value in a field, or a measure.

    Raises NoTrial without such a field or measure.
    """
    if field is None:
        return None
    value = _printed(program, item, field)
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        return float(value)
    for _, values in program.enums:
        if str(value) in values:
            return float(values.index(str(value)) + 1)
    measured = _measured(program, item, field)
    if measured is None:
        raise NoTrial(f"`{field}` of {item.name} is no number, and no measure of it gives one")
    return measured


def _printed(program: Program, item: Item, field: str) -> Any:
    """The printed value of a field of the item's thing, including defaults; else of the item."""
    things = things_of(program, item)
    printed = dict(program.entity(things[0]).static) if things is not None else {}
    if things is not None and field in printed:
        return printed[field][things[1][0]]
    return item.data(field)


def _measured(program: Program, item: Item, name: str) -> float | None:
    """The value of a measure for an item's thing, before play."""
    things = things_of(program, item)
    if things is None:
        return None
    for function in program.functions:
        if function.param_types == (things[0],) and slug_of(function.id) == name:
            linked, world = at_rest(program)
            call = ("function", function.id, ("value", things[1][0]))
            value = linked.codegen.value(call)(world, (), linked.initial_scope, NO_RULES)
            return float(value) if isinstance(value, int | Fraction) else None
    return None
