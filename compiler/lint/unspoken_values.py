"""Glosses of powers that leave out what uses give different values to: players read it in brackets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.resolve.templates import names_in
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree_walk import nodes_of

Given = dict[tuple[str, str], set[object]]


def check(build: Build) -> None:
    """Warn about each parameter with two values or more that the gloss has no hole for."""
    below = build.content.built_upon
    items = [item for item in build.content.by_kind("power") if item.pack not in below]
    given = _given(build) if items else {}
    for item in items:
        power = build.symbols.powers.get(item.slug)
        if power is None or power.id != item.id or _is_thing(power):
            continue
        spoken = names_in(power.english)
        left_out = [
            one.name
            for one in power.params
            if one.name not in spoken and len(given[power.name, one.name]) > 1
        ]
        if left_out:
            message = (
                f"uses give {quoted_list(left_out)} different values, and the gloss tells none"
            )
            help = f"`{{{left_out[0]}}}` where it is to be read"
            build.report.warning("gloss-leaves-out", item.fields["gloss"].place, message, help)


def _is_thing(power: Signature) -> bool:
    """Is its gloss a thing, `a Move`, behind which it is said with what?"""
    words = power.english.split()
    return words[:1] in (["a"], ["an"]) and len(words) <= 4


def _given(build: Build) -> Given:
    """The written values that uses give to parameters, by power and name; none where it is left."""
    found: Given = defaultdict(set)
    uses = (use for _, body in build.bodies.texts() for use in nodes_of(body, ast.UseStmt))
    for use in uses:
        power = build.symbols.powers.get(use.power.id)
        for name, value in _arguments(power, use) if power is not None else ():
            match value:
                case ast.NumberLiteral() | ast.BoolLiteral() | ast.TextLiteral():
                    found[use.power.id, name].add(value.value)
                case ast.DiceLiteral():
                    found[use.power.id, name].add((value.count, value.sides))
                case ast.Name(id=one) if one in build.symbols.values:
                    found[use.power.id, name].add(one)
                case None:
                    found[use.power.id, name].add(None)
    return found


def _arguments(power: Signature, use: ast.UseStmt) -> Iterator[tuple[str, ast.Expr | None]]:
    names = [one.name for one in power.params]
    left = dict.fromkeys(names)
    for name, arg in zip(names, use.args, strict=False):
        place = arg.label or name
        left.pop(place, None)
        yield place, arg.value
    yield from left.items()
