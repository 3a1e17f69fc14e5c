"""Requirements: conditions on the things that items make, which `ruleloom check` tests.

A hole in its English is the thing itself, a setting, or a measure or table of such a thing.
"""

from __future__ import annotations

from ruleloom.compiler.bounds.work import check_work
from ruleloom.compiler.check.expect import condition, warn_if_constant
from ruleloom.compiler.flow.context import Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Facts
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.declare import HOLE, hole_help, hole_place, template
from ruleloom.compiler.resolve.items import params_of
from ruleloom.compiler.resolve.symbols import ParamSymbol, Symbols
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.types import fits, is_unknown, spoken
from ruleloom.compiler.yaml.node import items_of
from ruleloom.runtime.program.program import Expr, Requirement
from ruleloom.runtime.program.values import Type


def build_requirement(bodies: Bodies, item: Item) -> Requirement | None:
    """Check one requirement; None after a complaint."""
    param = one_thing(bodies, item, "a requirement")
    if param is None:
        return None
    where = _condition(bodies, item, "where", param, NO_FACTS)
    # Facts that follow from a broken condition are unknown.
    unsure = where is None and "where" in item.fields
    known = where.yes if where is not None else NO_FACTS
    holds = _condition(bodies, item, "holds", param, known, unsure)
    values = _check_holes(bodies, item, param)
    if holds is None or unsure:
        return None
    return Requirement(
        item.id,
        param.type.name,
        where.expr if where is not None else None,
        holds.expr,
        str(item.data("level") or "error"),
        template(bodies.symbols, str(item.data("english") or ""), values),
        str(item.data("help") or ""),
        bodies.content.origin(item.place),
        tuple(str(one.value) for one in items_of(item.fields.get("clauses"))),
    )


def one_thing(bodies: Bodies, item: Item, said: str) -> ParamSymbol | None:
    """The one parameter of a requirement or a sheet, in `of`: a thing that items make."""
    params = params_of(bodies.content, item, bodies.symbols, bodies.report, "of")
    if params is None or any(is_unknown(param.type) for param in params):
        return None
    place, type_ = item.fields["of"].place, params[0].type
    help = "one name and its type, such as `card: Card`"
    if len(params) != 1 or params[0].default is not None:
        bodies.report.error("type-mismatch", place, f"{said} is of one thing at a time", help)
        return None
    if type_ != Type(type_.name) or not bodies.symbols.is_recorded(type_.name):
        noun = spoken(type_, bodies.symbols.nouns)
        message = f"{said} is of things that items make, not of {noun}"
        bodies.report.error("type-mismatch", place, message, help)
        return None
    return params[0]


def _condition(
    bodies: Bodies, item: Item, field: str, param: ParamSymbol, known: Facts, unsure: bool = False
) -> Typed | None:
    found = bodies.read(item.fields.get(field), parse_expr, item.id, (param,))
    if found is None:
        return None
    ctx, node = found
    ctx.unsure = unsure
    with ctx.knowing(known):
        typed = condition(ctx, node)
    warn_if_constant(ctx, node, typed.expr)
    return typed if typed.sound and check_work(ctx, node, typed.expr) else None


def _check_holes(bodies: Bodies, item: Item, param: ParamSymbol) -> dict[str, tuple[Expr, str]]:
    """The values for the holes of the English besides settings; complains of unknown holes."""
    symbols, node = bodies.symbols, item.fields.get("english")
    values: dict[str, tuple[Expr, str]] = {param.name: (("slot", 0), str(param.type))}
    for hole in HOLE.finditer(node.text or "") if node is not None else ():
        name = hole[1]
        if name in symbols.settings:
            symbols.used.add(name)
        elif _is_measure(symbols, param, name) and name not in values:
            callee = symbols.callables[name]
            symbols.used.add(callee.id)
            values[name] = (("function", callee.id, ("slot", 0)), str(callee.result))
        elif name not in values and not symbols.poisoned.may_declare(name) and node is not None:
            measures = (one for one in symbols.callables if _is_measure(symbols, param, one))
            known = [param.name, *symbols.settings, *measures]
            message, help = f"nothing fills the hole `{hole[0]}`", hole_help(name, known)
            bodies.report.error("unknown-name", hole_place(node, hole), message, help)
    return values


def _is_measure(symbols: Symbols, param: ParamSymbol, name: str) -> bool:
    """Does a name stand for a measure of such a thing alone?"""
    one = symbols.callables.get(name)
    if one is None or one.kind not in ("measure", "stat", "table") or len(one.params) != 1:
        return False
    return fits(param.type, one.params[0].type)
