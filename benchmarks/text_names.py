"""What the names in the pack's effect texts stand for, and which type a place in them asks for.

This is read off the pack by itself, not taken from the checker, which is what is being measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchmarks.shipped import Shipped, Spot, Text, spots
from compiler.effect import tree
from compiler.effect.parse import parse_params


@dataclass(frozen=True, slots=True)
class Callee:
    """What can be called: the types of its parameters, in order, and how many of them it needs."""

    params: tuple[str, ...]
    needed: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Every name that the pack declares for all texts."""

    callees: dict[str, Callee]
    powers: dict[str, Callee]
    zones: frozenset[str]
    things: frozenset[str]
    """Zones, settings, switches and measures without parameters: what is named by itself."""
    options: dict[str, str]
    """Each enum value and option of a switch, with its enum or switch."""
    fields: frozenset[str]
    types: frozenset[str]

    @staticmethod
    @cache
    def of(pack: Shipped) -> Names:
        """Read the names of a pack."""
        words = pack.vocabulary.entries
        fields = frozenset(
            name
            for entity in words["entities"].entries.values()
            for part in ("fields", "static")
            if part in entity.entries
            for name in entity.entries[part].entries
        )
        callees = {name: Callee(("Piece",), 1) for name in fields} | {"number": Callee(("Card",), 1)}
        for part in ("queries", "operations"):
            for name, one in words[part].entries.items():
                params = one.entries["params"].entries if "params" in one.entries else {}
                types = tuple(str(node.value) for node in params.values())
                callees[name] = Callee(types, len(types), tuple(params))
        for kind in ("rule", "measure"):
            for name, item in pack.named(kind).items():
                callees[name] = _callee(item.node.get("takes"))
        powers = {name: _callee(item.node.get("takes")) for name, item in pack.named("power").items()}
        zones = frozenset(words["zones"].entries)
        for name, one in words["zones"].entries.items():
            if "per" in one.entries or "at" in one.entries:
                callees[name] = Callee(("Player" if "per" in one.entries else "Space",), 1)
        settings = frozenset({**pack.named("setting"), **pack.named("switch")})
        plain = frozenset(name for name, one in callees.items() if not one.params)
        options = {
            str(one.value): enum for enum, node in words["enums"].entries.items() for one in node.items
        }
        for name, item in pack.named("switch").items():
            options |= dict.fromkeys(item.node.entries["options"].entries, name)
        sorts = frozenset({"Int", "Bool", "Text", *words["enums"].entries})
        return Names(callees, powers, zones, zones | settings | plain, options, fields, sorts)

    def is_global(self, name: str) -> bool:
        """Is this a declared thing, an option, or a word of the language, and so no variable?"""
        return name in self.things or name in self.options or name in self.types or name == "players"

    @staticmethod
    def binds(spot: Spot) -> bool:
        """Does this name make a new variable here?"""
        match spot.parent:
            case tree.Choose() | tree.Roll() | tree.Draw() | tree.Let() | tree.ForEach() | tree.Repeat():
                return spot.field == "name"
            case tree.Secretly():
                return spot.field in ("name", "player")
            case tree.Aggregate():
                return spot.field == "binder"
            case tree.Operate() | tree.Use():
                return spot.field == "giving"
        return False

    def declares(self, spot: Spot) -> bool:
        """The same, in words for outside."""
        return self.binds(spot)


def _callee(node) -> Callee:  # type: ignore[no-untyped-def]
    params = parse_params(node.text) if node is not None else ()
    types = tuple(
        "List" if one.type.many else one.type.name + ("?" if one.type.optional else "") for one in params
    )
    return Callee(types, sum(one.default is None for one in params), tuple(one.name for one in params))


def wanted_types(text: Text) -> frozenset[str]:
    """The names that are set before an effect text begins: its parameters."""
    node = text.item.node.get("takes")
    names = {one.name for one in parse_params(node.text or "")} if node is not None else set()
    event = text.item.node.get("event")
    if event is not None and event.text is not None:
        names |= set(event.text.partition("(")[2].rstrip(")").replace(" ", "").split(","))
    return frozenset(names)


def asked_types(pack: Shipped) -> Iterator[tuple[Text, tree.Expr, str]]:
    """Every value in an effect text of which only one type can be right, with that type."""
    names = Names.of(pack)
    for text in pack.texts:
        if text.form not in ("block", "expr"):
            continue
        for spot in spots(text.tree):
            for node, type_ in _asked(spot, names):
                yield text, node, type_


def _asked(spot: Spot, names: Names) -> Iterator[tuple[tree.Expr, str]]:
    node = spot.node
    match node:
        case tree.Call():
            yield from _arguments(node.args, names.callees.get(node.name.id))
        case tree.Use():
            yield from _arguments(node.args, names.powers.get(node.power.id))
        case tree.Allowed():
            yield from _arguments(node.args, names.callees.get(node.rule.id))
        case tree.Binary(op="<" | "<=" | ">" | ">=" | ".."):
            yield node.left, "Int"
            yield node.right, "Int"
        case tree.Choose() | tree.Secretly() | tree.ForEach():
            yield node.domain, "List"
            where = getattr(node, "where", None)
            if where is not None:
                yield where, "Bool"
        case tree.Repeat():
            yield node.times, "Int"
        case tree.Ensure():
            yield node.condition, "Bool"
        case tree.Branch():
            for condition, _ in node.arms:
                yield condition, "Bool"
        case tree.Finish() if node.winner is not None:
            yield node.winner, "Player"


def _arguments(args: tuple[tree.Arg, ...], callee: Callee | None) -> Iterator[tuple[tree.Expr, str]]:
    for number, arg in enumerate(args):
        if callee is None:
            continue
        if arg.label is not None:
            number = callee.names.index(arg.label)
        type_ = callee.params[number]
        yield arg.value, "List" if type_.startswith("List") else type_
