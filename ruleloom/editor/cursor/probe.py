"""What the checker knows at a place in an effect text: the variables there, and the type wanted.

The text is read up to the place, ended as shortly as can be with a name that nobody has, and checked
like any other. When the checker comes to that name, it is asked what it knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import NoReturn

from ruleloom.compiler.check.expr import check_expr
from ruleloom.compiler.check.stmt import check_block
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow.context import Context, Forms, Typed
from ruleloom.compiler.flow.flow import Local, is_unnamed
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import ParamSymbol, Symbols
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import is_unknown, list_of
from ruleloom.compiler.yaml.source_map import EffectText
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, Type

HERE = "typed_here"
NUMERIC = ("<", "<=", ">", ">=", "+", "-", "*", "div", "mod", "..")


@dataclass(frozen=True, slots=True)
class KnownHere:
    """What is known at a place: the variables by name, the latest first, and what is wanted."""

    wanted: Type | None = None
    variables: Mapping[str, Type] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a text knows before its first line: its parameters, and what it is to give."""

    params: tuple[ParamSymbol, ...] = ()
    wanted: Type | None = None


def probe(bodies: Bodies, tree: object, around: Surroundings) -> KnownHere:
    """Check a tree in which `HERE` stands, and tell what is known there."""
    watching = _Probe()
    source = Source(next(iter(bodies.content.files)), "")  # rows have a place; nobody reads these
    passage = Passage(EffectText(source, "", (0,), (0,), 0), bodies.content)
    forms = Forms(watching.expression, watching.block)
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
    forms = Forms(check_expr, check_block)
    ctx = _context(bodies, passage, forms, report, around.params)
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
    """What is wanted on one side of an operator, as the other side says."""
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
