"""Writes a syntax tree of abilities back as text, one ability a line, as its author would."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.edits.printer import write_block, write_expr
from ruleloom.compiler.syntax.ast import (
    Ability,
    CallExpr,
    Expr,
    Instead,
    Keyword,
    Modify,
    Passive,
    Restrict,
    StatArg,
    When,
)

CHANGES = {"by": "by", "to": "to", "times": "times", "least": "at least", "most": "at most"}


def write_abilities(abilities: tuple[Ability, ...]) -> str:
    """The abilities as text, without a line break at the end."""
    return "\n".join(_lines(abilities, 0))


def _lines(abilities: tuple[Ability, ...], depth: int) -> Iterator[str]:
    margin = "    " * depth
    for one in abilities:
        match one:
            case Passive():
                yield f"{margin}passive where {write_expr(one.where)}:"
                yield from _lines(one.body, depth + 1)
            case Keyword():
                yield margin + write_expr(CallExpr(one.span, one.name, one.args))
            case Modify():
                yield margin + _modify(one)
            case Restrict():
                places = ", ".join(_place(place) for place in one.places)
                yield f"{margin}restrict {one.rule.id}({places})" + _marks(
                    where=one.where, label=one.label
                )
            case When() | Instead():
                yield f"{margin}{_reaction(one)}:"
                yield from (f"{margin}    {line}" for line in write_block(one.body).splitlines())


def _modify(one: Modify) -> str:
    places = ", ".join(_place(place) for place in one.places)
    text = f"modify {one.stat.id}({places}) {CHANGES[one.change]} {write_expr(one.value)}"
    if one.bonus is not None:
        text += f" type {one.bonus.id}"
    return text + _marks(one.where, one.label)


def _reaction(one: When | Instead) -> str:
    names = (
        f"({', '.join(write_expr(arg.value) for arg in one.event.args)})" if one.event.args else ""
    )
    if isinstance(one, Instead):
        return f"instead of {one.event.name.id}{names}" + _marks(one.where)
    later = " afterwards" * one.afterwards + " once per turn" * one.once
    return f"when {one.event.name.id}{names}" + _marks(one.where) + later


def _marks(where: Expr | None = None, label: Expr | None = None) -> str:
    text = f" where {write_expr(where)}" if where is not None else ""
    return text if label is None else f"{text} as {write_expr(label)}"


def _place(place: StatArg) -> str:
    if place.each is not None:
        return f"each {place.each.id}"
    assert place.value is not None, "a place holds a value or `each NAME`"
    return write_expr(place.value)
