"""What the names in the pack's effect texts stand for, and which type a place in them asks for.

This is read off the pack by itself, not taken from the checker, which is what is being measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchmarks.edits.shipped import Shipped, Spot, Text, spots
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Instead, Keyword, Modify, Passive, StatArg, When
from ruleloom.compiler.syntax.parser import parse_params
from ruleloom.compiler.yaml.node import YamlNode


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
    keywords: dict[str, Callee]
    zones: frozenset[str]
    things: frozenset[str]
    """Zones, settings, switches and measures without parameters: what is named by itself."""
    options: dict[str, str]
    """Each enum value and option of a switch, with its enum or switch."""
    sorts: dict[str, str]
    """Each item that can be named as a value, with what it is: the entity it makes, or `stat`."""
    fields: dict[str, str]
    """Each field of things, with the entity that has it; the empty text where several have one so
    called."""
    field_types: dict[str, frozenset[str]]
    """What each field of things holds: its types, without `?`, of several fields so called."""
    types: frozenset[str]

    @staticmethod
    @cache
    def of(pack: Shipped) -> Names:
        """Read the names of a pack."""
        fields: dict[str, str] = {}
        callees: dict[str, Callee] = {}
        for name, params in _fields(pack):
            fields[name] = "" if name in fields else params[0]
            callees[name] = Callee(("", *params[1:]) if not fields[name] else params, len(params))
        for part in ("queries", "operations"):
            for name, one in pack.declared(part).items():
                node = one.get("params")
                declared = node.entries if node is not None else {}
                handed = tuple(str(each.value) for each in declared.values())
                callees[name] = Callee(handed, len(handed), tuple(declared))
        for kind in ("rule", "measure", "stat"):
            for name, item in pack.named(kind).items():
                callees[name] = _callee(item.node.get("takes"))
        for name, item in pack.named("table").items():
            callees[name] = Callee((str(item.node.entries["by"].value),), 1, ("by",))
        powers, keywords = (
            {name: _callee(item.node.get("takes")) for name, item in pack.named(kind).items()}
            for kind in ("power", "keyword")
        )
        zones = frozenset(pack.declared("zones"))
        for name, one in pack.declared("zones").items():
            if "per" in one.entries or "at" in one.entries:
                callees[name] = Callee(("Player" if "per" in one.entries else "Space",), 1)
        settings = frozenset({**pack.named("setting"), **pack.named("switch")})
        plain = frozenset(name for name, one in callees.items() if not one.params)
        options = {
            str(one.value): enum
            for enum, node in pack.declared("enums").items()
            for one in node.items
        }
        for name, item in pack.named("switch").items():
            options |= dict.fromkeys(item.node.entries["options"].entries, name)
        sorts: dict[str, str] = dict.fromkeys(pack.named("stat"), "stat")
        for kind, node in pack.declared("kinds").items():
            sorts |= dict.fromkeys(pack.named(kind), str(node.entries["makes"].value))
        types = frozenset({"Int", "Bool", "Text", *pack.declared("enums")})
        things = zones | settings | plain
        held = _held(pack)
        return Names(callees, powers, keywords, zones, things, options, sorts, fields, held, types)

    def passes_on(self, field: str) -> bool:
        """Does this field hold things of the very sort that it belongs to, so that either may stand
        for the other?"""
        return self.fields.get(field, "") in self.field_types.get(field, ())

    def is_global(self, name: str) -> bool:
        """Is this a declared thing, an option, or a word of the language, and so no variable?"""
        known = (self.things, self.options, self.types, self.sorts, self.entities)
        return any(name in one for one in known) or name in ("players", "self", "this")

    @property
    def entities(self) -> frozenset[str]:
        """What the things are that items make."""
        return frozenset(self.sorts.values()) - {"stat"}

    @staticmethod
    def binds(spot: Spot) -> bool:
        """Does this name make a new variable here?"""
        match spot.parent:
            case (
                ast.ChooseStmt()
                | ast.AskStmt()
                | ast.RollStmt()
                | ast.DrawStmt()
                | ast.LetStmt()
                | ast.ForEachStmt()
            ):
                return spot.field == "name"
            case ast.RepeatStmt():
                return spot.field == "name"
            case ast.SecretlyStmt():
                return spot.field in ("name", "player")
            case ast.Aggregate():
                return spot.field == "binder"
            case ast.OperateStmt() | ast.UseStmt():
                return spot.field == "giving"
            case StatArg():
                return spot.field == "each"
        return False

    def declares(self, spot: Spot) -> bool:
        """The same, in words for outside."""
        return self.binds(spot)


def _fields(pack: Shipped) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The fields of things, each with the types by which it is read: the thing, and the key of one
    `by` a type."""
    for entity, node in pack.declared("entities").items():
        for part in ("fields", "static"):
            declared = node.get(part)
            for name, one in declared.entries.items() if declared is not None else ():
                by = one.get("by")
                yield name, (entity,) if by is None else (entity, str(by.value))
        under = node.get("under")
        if under is not None:
            yield str(under.value), (str(node.entries["part_of"].value),)


def _held(pack: Shipped) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one in pack.declared("entities").values():
        for part in ("fields", "static"):
            declared = one.get(part)
            for name, field in declared.entries.items() if declared is not None else ():
                written = field.get("type") if field.kind == "map" else field
                found.setdefault(name, set()).add(str(written.value).rstrip("?") if written else "")
    return {name: frozenset(types) for name, types in found.items()}


def _callee(node: YamlNode | None) -> Callee:
    params = parse_params(node.text or "") if node is not None else ()
    types = tuple(
        "List" if one.type.many else one.type.name + ("?" if one.type.optional else "")
        for one in params
    )
    return Callee(
        types, sum(one.default is None for one in params), tuple(one.name for one in params)
    )


def wanted_types(text: Text) -> frozenset[str]:
    """The names that are set before an effect text begins: its parameters."""
    node = text.item.node.get("takes")
    names = {one.name for one in parse_params(node.text or "")} if node is not None else set()
    event = text.item.node.get("event")
    if event is not None and event.text is not None:
        names |= set(event.text.partition("(")[2].rstrip(")").replace(" ", "").split(","))
    return frozenset(names)


# The fields of which the whole value is of one type.
WHOLE = {
    ("stat", "least"): "Int",
    ("stat", "most"): "Int",
    ("", "holds"): "Bool",
    ("", "where"): "Bool",
}


@cache
def patterns(text: Text) -> frozenset[ast.Span]:
    """Where the names stand that are given to the values of an event, by `when` and `instead of`."""
    answers = [
        spot.node.event for spot in spots(text.tree) if isinstance(spot.node, When | Instead)
    ]
    return frozenset(arg.value.span for event in answers for arg in event.args)


def asked_types(pack: Shipped) -> Iterator[tuple[Text, ast.Expr, str]]:
    """Every value in an effect text of which only one type can be right, with that type."""
    names = Names.of(pack)
    for text in pack.texts:
        if text.form == "expr":
            type_ = WHOLE.get((text.item.kind, text.path[-1])) or WHOLE.get(("", text.path[-1]))
            if type_ is not None:
                yield text, text.tree, type_
        if text.form in ("block", "expr", "abilities"):
            for spot in spots(text.tree):
                for node, asked in _asked(spot, names):
                    if node.span not in patterns(text):
                        yield text, node, asked


def _asked(spot: Spot, names: Names) -> Iterator[tuple[ast.Expr, str]]:
    node = spot.node
    match node:
        case ast.CallExpr():
            yield from _arguments(node.args, names.callees.get(node.name.id))
        case ast.UseStmt():
            yield from _arguments(node.args, names.powers.get(node.power.id))
        case ast.Allowed():
            yield from _arguments(node.args, names.callees.get(node.rule.id))
        case Keyword():
            yield from _arguments(node.args, names.keywords.get(node.name.id))
        case Modify():
            if node.where is not None:
                yield node.where, "Bool"
            yield node.value, "Number"
        case Passive():
            yield node.where, "Bool"
        case ast.Aggregate() if node.where is not None:
            yield node.where, "Bool"
        case ast.IfElse():
            yield node.condition, "Bool"
        case ast.Binary(op="<" | "<=" | ">" | ">=" | ".."):
            yield node.left, "Int"
            yield node.right, "Int"
        case ast.ChooseStmt() | ast.SecretlyStmt() | ast.ForEachStmt():
            yield node.domain, "List"
            where = getattr(node, "where", None)
            if where is not None:
                yield where, "Bool"
        case ast.RepeatStmt():
            yield node.times, "Int"
        case ast.EnsureStmt():
            yield node.condition, "Bool"
        case ast.IfStmt():
            for condition, _ in node.arms:
                yield condition, "Bool"
        case ast.FinishStmt() if node.winner is not None:
            yield node.winner, "Player"


def _arguments(args: tuple[ast.Arg, ...], callee: Callee | None) -> Iterator[tuple[ast.Expr, str]]:
    for number, arg in enumerate(args):
        if callee is None:
            continue
        if arg.label is not None:
            number = callee.names.index(arg.label)
        type_ = callee.params[number]
        yield arg.value, "List" if type_.startswith("List") else type_
