"""Checks and lowers what operations set by themselves: `sets: {"purse(who)": "purse(who) - price"}`.

On the left stands a field that can change, of a parameter of the operation (and, in a table, a key); on the right
any value. Everything is worked out before anything is set, so the order of the lines means nothing.
"""

from __future__ import annotations

from compiler.bodies import Bodies
from compiler.diagnostics import Note, quoted_list
from compiler.effect import tree
from compiler.effect.parse import parse_expr
from compiler.record_values import key_node
from compiler.source import Place
from compiler.symbols import Signature, Symbols
from compiler.texts import Passage, parsed
from compiler.wanted import wanted
from compiler.yaml_node import Node
from runtime.program import Assignment, Expr


def build_assignments(bodies: Bodies) -> dict[str, tuple[Assignment, ...]]:
    """The assignments of each operation that needs no driver."""
    return {
        one.name: tuple(_assignments(bodies, one, one.sets))
        for one in bodies.symbols.operations.values()
        if one.sets is not None
    }


def _assignments(bodies: Bodies, operation: Signature, sets: Node) -> list[Assignment]:
    found: list[Assignment] = []
    read, bodies.symbols.read = bodies.symbols.read, set()
    places: dict[tuple[str, Expr, Expr | None], Place] = {}
    for key, node in sets.entries.items():
        one = _assignment(bodies, operation, key_node(sets, key), node)
        if one is None:
            continue
        target = one.field, one.of, one.key
        if target in places:
            note = Note(places[target], "the first one")
            message = f"`{key}` is set twice"
            bodies.report.error("name-clash", sets.key_place(key), message, "keep one of the two", (note,))
            continue
        places[target] = sets.key_place(key)
        found.append(one)
        # A field is not read by what only reckons out its own new value.
        read |= bodies.symbols.read - {one.field}
        bodies.symbols.read = set()
    bodies.symbols.read = read
    return found


def _assignment(bodies: Bodies, operation: Signature, left: Node, right: Node) -> Assignment | None:
    text = bodies.passage(left)
    target = parsed(text, parse_expr, bodies.report) if text is not None else None
    if text is None or target is None:
        return None
    ctx = bodies.context(text, operation.id, operation.params)
    typed = ctx.check(target)
    if not typed.sound:
        return None
    read, key = (typed.expr[1], typed.expr[2]) if typed.expr[0] == "lookup" else (typed.expr, None)
    if not isinstance(target, tree.Call) or read[0] != "field":
        fields = changeable(bodies.symbols)
        message = f"`{ctx.words(target)}` is nothing that can be set"
        ctx.error("not-a-field", target, message, f"a field that changes: {quoted_list(fields, 'or')}")
        return None
    entity, _, name = read[1].partition(".")
    type_ = bodies.symbols.entities[entity].fields[name].type
    value = _value(bodies, operation, right)
    if value is None:
        return None
    passage, node = value
    inner = bodies.context(passage, operation.id, operation.params)
    given = wanted(inner, node, type_, f"as the new value of `{ctx.words(target)}`")
    return Assignment(read[1], read[2], key, given.expr)


def _value(bodies: Bodies, operation: Signature, right: Node) -> tuple[Passage, tree.Expr] | None:
    text = bodies.passage(right)
    node = parsed(text, parse_expr, bodies.report) if text is not None else None
    return (text, node) if text is not None and node is not None else None


def changeable(symbols: Symbols) -> list[str]:
    """Every field that can change, as it is read: `purse(player)`."""
    return [
        f"{field.name}({symbols.entities[entity].singular})"
        for owners in symbols.fields.values()
        for entity, field in owners.items()
        if not field.static
    ]
