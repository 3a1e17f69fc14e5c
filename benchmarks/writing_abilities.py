"""Writes a syntax tree of abilities back as text, one ability a line, as its author would."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.effect.ability_tree import Ability, Keyword, Modify, Passive, Place
from compiler.effect.tree import Call
from compiler.effect.write import write_expr

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
                yield margin + write_expr(Call(one.span, one.name, one.args))
            case Modify():
                yield margin + _modify(one)


def _modify(one: Modify) -> str:
    places = ", ".join(_place(place) for place in one.places)
    text = f"modify {one.stat.id}({places}) {CHANGES[one.change]} {write_expr(one.value)}"
    if one.bonus is not None:
        text += f" type {one.bonus.id}"
    if one.where is not None:
        text += f" where {write_expr(one.where)}"
    return text if one.label is None else f"{text} as {write_expr(one.label)}"


def _place(place: Place) -> str:
    if place.each is not None:
        return f"each {place.each.id}"
    assert place.value is not None, "a place holds a value or `each NAME`"
    return write_expr(place.value)
