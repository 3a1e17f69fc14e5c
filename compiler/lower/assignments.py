"""Checks and lowers what operations set: `sets: {"purse(who)": "purse(who) - price"}`.

All values are computed before any field is set, so the order of the lines means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.query.lookups import NEVER_SAME, Marks
from ruleloom.compiler.resolve.record_values import key_node
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.types import is_unknown
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Assignment, Expr, Move


def build_assignments(bodies: Bodies) -> dict[str, tuple[Assignment, ...]]:
    """The assignments of each operation that needs no driver."""
    found: dict[str, tuple[Assignment, ...]] = {}
    for one in bodies.symbols.operations.values():
        if one.sets is not None:
            make = partial(_assignments, bodies, one, one.sets)
            inputs = one.sets, one.params, one.makes
            found[one.name] = bodies.reuse.result(("sets", one.id), inputs, make)
    return found


def in_reach(operation: Signature) -> tuple[ParamSymbol, ...]:
    """The names in reach of an operation: its parameters, and the `result` that it makes."""
    made = (ParamSymbol("result", operation.result),) if operation.result is not None else ()
    return operation.params + made


def _assignments(bodies: Bodies, operation: Signature, sets: YamlNode) -> tuple[Assignment, ...]:
    found: list[Assignment] = []
    read, bodies.symbols.read = bodies.symbols.read, Marks()
    places: dict[tuple[str, Expr, Expr | None], Place] = {}
    for key, node in sets.entries.items():
        one = _assignment(bodies, operation, key_node(sets, key), node)
        if one is None:
            continue
        target = one.field, one.of, one.key
        if target in places:
            place, notes = sets.key_place(key), [Note(places[target], "the first one")]
            message, help = f"`{key}` is set twice", "keep one of the two"
            bodies.report.error("name-clash", place, message, help, notes)
            continue
        places[target] = sets.key_place(key)
        found.append(one)
        # A field is not read by what only reckons out its own new value.
        read.update(bodies.symbols.read - {one.field})
        bodies.symbols.read = Marks()
    bodies.symbols.read = read
    _check_made(bodies, operation, sets, found)
    return tuple(found)


def _check_made(
    bodies: Bodies, operation: Signature, sets: YamlNode, found: list[Assignment]
) -> None:
    """Report an operation that makes a thing and does not set the field that says it is there."""
    if not operation.makes:
        return
    if bodies.report.has_errors:  # what is missing may be what is broken
        bodies.symbols.lookups.note(NEVER_SAME)
        return
    there = f"{operation.makes}.{bodies.symbols.entities[operation.makes].present}"
    made = ("slot", len(operation.params))
    if not any(one.field == there and one.of == made for one in found):
        name = there.partition(".")[2]
        message = f"what `{operation.name}` makes is not there yet: it has no `{name}`"
        bodies.report.error("missing-value", sets.place, message, f"`{name}(result): ...`")


def build_moves(bodies: Bodies) -> dict[str, tuple[Move, ...]]:
    """Where each operation that needs no driver moves things."""
    return {
        one.name: tuple(_moves(bodies, one, one.moves))
        for one in bodies.symbols.operations.values()
        if one.moves is not None and one.sets is not None
    }


def _moves(bodies: Bodies, operation: Signature, moves: YamlNode) -> Iterator[Move]:
    reach = in_reach(operation)
    names = [one.name for one in reach]
    for key, node in moves.entries.items():
        if key not in names:
            help = did_you_mean(key, names)
            place = moves.key_place(key)
            bodies.report.error("unknown-name", place, f"it has no `{key}` to move", help)
            continue
        index = names.index(key)
        found = bodies.read(node, parse_expr, operation.id, reach)
        to = _zone_for(*found, reach[index]) if found is not None else None
        if to is not None:
            yield Move(index, to[1], to[2])


def _zone_for(ctx: Context, goal: ast.Expr, param: ParamSymbol) -> Expr | None:
    """The zone that something is moved to; None after a complaint."""
    typed = ctx.check(goal)
    if not typed.sound:
        return None
    zones = ctx.symbols.zones
    if typed.expr[0] != "zone" or zones[typed.expr[1]].at:
        message = f"`{ctx.words(goal)}` is not a zone to move something to"
        known = [zone.name for zone in zones.values() if not zone.at]
        ctx.error("type-mismatch", goal, message, quoted_list(known, "or") if known else None)
        return None
    if param.type != typed.type.item and not is_unknown(param.type):
        message = f"`{param.name}` is {ctx.say(param.type)}, and in `{ctx.words(goal)}` lie others"
        ctx.error("type-mismatch", goal, message)
        return None
    return typed.expr


def _assignment(
    bodies: Bodies, operation: Signature, left: YamlNode, right: YamlNode
) -> Assignment | None:
    found = bodies.read(left, parse_expr, operation.id, in_reach(operation))
    if found is None:
        return None
    ctx, target = found
    typed = ctx.check(target)
    if not typed.sound:
        return None
    read, key = (typed.expr[1], typed.expr[2]) if typed.expr[0] == "lookup" else (typed.expr, None)
    if not isinstance(target, ast.CallExpr) or read[0] != "field":
        message = f"`{ctx.words(target)}` is nothing that can be set"
        symbols = bodies.symbols
        changeable = [
            f"{field.name}({symbols.entities[entity].singular})"
            for owners in symbols.fields.values()
            for entity, field in owners.items()
            if not field.static
        ]
        help = f"a field that changes: {quoted_list(changeable, 'or')}" if changeable else None
        ctx.error("not-a-field", target, message, help)
        return None
    entity, _, name = read[1].partition(".")
    # Of the entity no more: a pack may add fields to it.
    type_ = bodies.symbols.entities.part(entity, "fields", name).type
    value = bodies.read(right, parse_expr, operation.id, in_reach(operation))
    if value is None:
        return None
    given = wanted(*value, type_, f"as the new value of `{ctx.words(target)}`")
    return Assignment(read[1], read[2], key, given.expr)
