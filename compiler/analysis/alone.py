"""What the checker knows at a place in an effect text: the variables there, and the type wanted.

The text is read up to the place, ended as shortly as can be with a name that nobody has, and checked
like any other. When the checker comes to that name, it is asked what it knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import NoReturn

from ruleloom.compiler.analysis.texts import effect_tree
from ruleloom.compiler.analysis.yaml_cursor import HERE, ItemLines, YamlCursor
from ruleloom.compiler.check.forms import FORMS, check_block, check_expr
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow.context import Context, Forms, Typed
from ruleloom.compiler.flow.flow import Local, is_unnamed
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import ParamSymbol, Symbols
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import UNKNOWN, is_unknown, list_of, read_type
from ruleloom.compiler.yaml.source_map import EffectText
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, PLAYER, Type

# Effect text in the kinds of games, whose schemas do not mark it.
USUAL = {"effect": "block", "abilities": "abilities", "ended": "block"}
SCENARIOS = "scenarios"
CONDITIONS = frozenset({"where", "when", "holds"})
THING = re.compile(r"(?:^|[{,\s])([A-Za-z_][\w-]*):[ \n]*(?:\{[ ]*|[ \n]+)kind:[ ]*([a-z][\w-]*)")

NUMERIC = ("<", "<=", ">", ">=", "+", "-", "*", "div", "mod", "..")


@dataclass(frozen=True, slots=True)
class KnownHere:
    """The variables known at a place by name, the latest first, and the type wanted."""

    wanted: Type | None = None
    variables: Mapping[str, Type] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The parameters of a text, and the type of its value."""

    params: tuple[ParamSymbol, ...] = ()
    wanted: Type | None = None


def form_of(schemas: SchemaStore, kind: str, fields: tuple[str, ...]) -> str:
    """The form of the effect text that a field holds; empty if it holds none."""
    found = form_in(schemas.effect_fields(kind) if kind in schemas.kinds else {}, fields)
    if found:
        return found
    if fields == ("replace-effect",) or fields[-1:] == ("do",):
        return "block"
    of_item = len(fields) == 1 or fields[0:1] == ("set",) or "things" in fields
    return USUAL.get(fields[-1], "") if of_item and fields else ""


def form_in(forms: Mapping[tuple[str, ...], str], fields: tuple[str, ...]) -> str:
    """The form at the path that leads to some fields, in which `*` is any step; empty without one."""
    if fields in forms:
        return forms[fields]
    for path, form in forms.items():
        steps = zip(path, fields, strict=False)
        if len(path) == len(fields) and all(want in ("*", field) for want, field in steps):
            return form
    return ""


def probe(bodies: Bodies, tree: object, around: Surroundings) -> KnownHere:
    """Check a tree in which `HERE` stands, and tell what is known there."""
    watching = _Probe()
    source = Source(next(iter(bodies.content.files)), "")  # rows have a place; nobody reads these
    passage = Passage(EffectText(source, "", (0,), (0,), 0), bodies.content)
    forms = Forms(watching.expression, watching.block, FORMS.arguments)
    ctx = _context(bodies, passage, forms, Report(), around.params)
    try:
        _check(ctx, tree, around.wanted)
    except _Noted as noted:
        return noted.known
    return KnownHere(None, _variables(ctx))


def check_alone(
    bodies: Bodies,
    passage: Passage,
    tree: object,
    around: Surroundings,
    report: Report,
    symbols: Symbols | None = None,
) -> None:
    """Check the tree of a text by itself, against the names of a game."""
    ctx = _context(bodies, passage, FORMS, report, around.params)
    ctx.symbols = symbols or ctx.symbols
    _check(ctx, tree, around.wanted)


def _check(ctx: Context, tree: object, wanted: Type | None) -> None:
    if isinstance(tree, tuple):
        ctx.block([one for one in tree if isinstance(one, ast.Stmt)])
        for one in tree:
            if isinstance(one, ast.Ability):
                _check_ability(ctx, one)
    elif isinstance(tree, ast.Expr):
        ctx.check(tree, wanted)


def _context(
    bodies: Bodies, passage: Passage, forms: Forms, report: Report, params: Iterable[ParamSymbol]
) -> Context:
    ctx = Context(bodies.symbols, report, passage, bodies.functions, forms, "")
    for one in params:
        _enter(ctx, one.name, one.type)
    return ctx


def _enter(ctx: Context, name: str, type_: Type) -> None:
    place = ctx.passage.place((0, 0))
    ctx.enter(Local(name, ctx.slot(name), type_, place, "a parameter", used=True))


class _Noted(Exception):
    """The place has been reached: the rest of the text need not be checked."""

    def __init__(self, known: KnownHere) -> None:
        super().__init__()
        self.known = known


class _Probe:
    """The forms of the checker, with an eye on the name that nobody has."""

    def expression(self, ctx: Context, node: ast.Expr, expected: Type | None) -> Typed:
        """Check an expression; where it is the place, note what is known."""
        if isinstance(node, ast.Name) and node.id == HERE:
            self.note(ctx, expected)
        if isinstance(node, ast.Binary):
            beside = _beside(ctx, node)
            if beside is not None:
                self.note(ctx, beside)
        if isinstance(node, ast.Aggregate) and _is_here(node.domain):
            self.note(ctx, Type("?", many=True))
        return check_expr(ctx, node, expected)

    def block(self, ctx: Context, statements: Sequence[ast.Stmt]) -> None:
        """Check statements one by one."""
        for statement in statements:
            named = (getattr(statement, name, None) for name in ("name", "call", "power"))
            if any(_is_here(getattr(one, "name", one)) for one in named):
                self.note(ctx, None)
            if isinstance(statement, ast.ChooseStmt | ast.ForEachStmt | ast.SecretlyStmt) and (
                _is_here(statement.domain)
            ):
                self.note(ctx, Type("?", many=True))
            check_block(ctx, [statement])

    def note(self, ctx: Context, wanted: Type | None) -> NoReturn:
        """Tell what is known here, and check no further."""
        raise _Noted(KnownHere(wanted, _variables(ctx)))


def _is_here(node: object) -> bool:
    return isinstance(node, ast.Name) and node.id == HERE


def _variables(ctx: Context) -> Mapping[str, Type]:
    found = {name: one.type for name, one in ctx.flow.visible.items() if not is_unnamed(name)}
    return dict(reversed(found.items()))


def _beside(ctx: Context, node: ast.Binary) -> Type | None:
    """The type wanted on one side of an operator, by the other side."""
    if _is_here(node.left) == _is_here(node.right):
        return None
    if node.op in NUMERIC:
        return INT
    if node.op in ("and", "or"):
        return BOOL
    other = node.right if _is_here(node.left) else node.left
    with_other = ctx.rehearsal().check(other).type
    if is_unknown(with_other):
        return Type("?", many=True) if node.op in ("in", "not in") and other is node.left else None
    if node.op in ("=", "!="):
        return with_other.present
    if _is_here(node.left):
        return with_other.item if with_other.many else None
    return list_of(with_other.present) if not with_other.many else None


# ------------------------------------------------------------------ abilities


def _check_ability(ctx: Context, node: ast.Ability) -> None:
    match node:
        case ast.Passive():
            ctx.check(node.where, BOOL)
            for inner in node.body:
                _check_ability(ctx, inner)
        case ast.When() | ast.Instead():
            _check_reaction(ctx, node)
        case ast.Modify():
            _check_places(ctx, node.stat.id, node.places)
            ctx.check(node.value, FRACTION)
            _check_optional(ctx, node.where)
        case ast.Restrict():
            _check_places(ctx, node.rule.id, node.places)
            _check_optional(ctx, node.where)
        case ast.Keyword():
            callee = ctx.symbols.keywords.get(node.name.id)
            params = callee.params if callee is not None else ()
            for number, arg in enumerate(node.args):
                ctx.check(arg.value, params[number].type if number < len(params) else None)


def _check_reaction(ctx: Context, node: ast.Reaction) -> None:
    told = ctx.symbols.events.get(node.event.name.id, ())
    for arg, param in zip(node.event.args, told, strict=False):
        if isinstance(arg.value, ast.Name):
            _enter(ctx, arg.value.id, param.type)
    _check_optional(ctx, node.where)
    ctx.block(node.body)


def _check_places(ctx: Context, name: str, places: Sequence[ast.StatArg]) -> None:
    callee = ctx.symbols.callables.get(name)
    params = callee.params if callee is not None else ()
    for number, place in enumerate(places):
        wanted = params[number].type if number < len(params) else None
        if place.value is not None:
            ctx.check(place.value, wanted)
        elif place.each is not None and wanted is not None:
            _enter(ctx, place.each.id, wanted)


def _check_optional(ctx: Context, node: ast.Expr | None) -> None:
    if node is not None:
        ctx.check(node, BOOL)


# ------------------------------------------------------------------ what a text knows beforehand


def surroundings(symbols: Symbols, cursor: YamlCursor) -> Surroundings:
    """The surroundings of a text, by the fields of its item."""
    item = cursor.item
    if item.kind == SCENARIOS:
        return Surroundings(tuple(_things(symbols, cursor)), _wanted(item, cursor, ""))
    params = [*_params(item.value("takes")), *_params(item.value("of"))]
    params += _told(symbols, item.value("event"))
    params += _bearer(symbols, item)
    if cursor.fields[-1:] == ("do",) or "things" in cursor.fields:
        params += _things(symbols, cursor)
    given = item.value("gives")
    named = _params(given)
    if named and cursor.fields[-1:] == ("effect",):
        params += [one for one in named if one.type.optional]
    return Surroundings(tuple(params), _wanted(item, cursor, given))


def _wanted(item: ItemLines, cursor: YamlCursor, given: str) -> Type | None:
    """The type wanted of the value of a field."""
    field = cursor.fields[-1] if cursor.fields else ""
    if field in CONDITIONS or (item.kind == "rule" and field == "is"):
        return BOOL
    if field == "is":
        return read_type(given) or (FRACTION if item.kind == "stat" else None)
    return None


def _params(text: str) -> list[ParamSymbol]:
    """The names that a field declares, such as `who: Player`."""
    types = ((one.name, one.type) for one in effect_tree(text, "params") or ())
    return [
        ParamSymbol(name, Type(one.name, one.many, one.optional, one.by_player))
        for name, one in types
    ]


def _told(symbols: Symbols, event: str) -> list[ParamSymbol]:
    """The names under which a trigger knows what its event tells."""
    call = effect_tree(event, "event")
    if call is None:
        return []
    told = symbols.events.get(call.name.id, ())
    names = [arg.value.id for arg in call.args if isinstance(arg.value, ast.Name)]
    return [ParamSymbol(name, one.type) for name, one in zip(names, told, strict=False)]


def _bearer(symbols: Symbols, item: ItemLines) -> list[ParamSymbol]:
    """`self` and `this`, in the abilities of an item and in the texts of an effect that lasts."""
    found: list[ParamSymbol] = []
    known = symbols.bearers.get(item.kind)
    on = item.value("on") if item.kind == "lasting" else ""
    entity = known.entity if known is not None else on or item.value("entity")
    if item.kind == "lasting":
        found.append(ParamSymbol(OWNER_NAME, PLAYER))
    if entity or item.kind == "keyword":
        found.append(ParamSymbol(SELF, Type(entity) if entity else UNKNOWN))
    if symbols.kinds.get(item.kind):
        found.append(ParamSymbol(THIS, Type(symbols.kinds[item.kind])))
    return found


def _things(symbols: Symbols, cursor: YamlCursor) -> list[ParamSymbol]:
    """The things that cases bring, under the names that their texts use."""
    written = cursor.item.text[cursor.item.start : cursor.start]
    found = {
        slug_of(name): symbols.kinds[kind]
        for name, kind in THING.findall(written)
        if symbols.kinds.get(kind)
    }
    return [ParamSymbol(name, Type(entity)) for name, entity in found.items()]
