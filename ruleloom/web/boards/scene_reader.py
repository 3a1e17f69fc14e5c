"""Reads one moment of a game by the names of its vocabulary, as far as one viewer may know it.

A value that the game does not have, or the viewer may not know, is None: a pack may have removed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NotRequired, TypedDict

from ruleloom.bots.lookahead import Measured, function_called, measure
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import title_text, value_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.values import Dynamic, Type


class Figure(TypedDict):
    """A number on a board, with the question to `why` about it."""

    name: str
    value: int
    why: str
    most: NotRequired[int]
    ref: NotRequired[str]


class SceneReader:
    """The view of one viewer of one moment."""

    def __init__(self, game: Game, viewer: int) -> None:
        self.game, self.viewer = game, viewer
        self.linked: Linked = game.linked
        self.world = game.state.world
        self._secrecy = secrecy_of(game.linked)

    def things(self, kind: str) -> list[int]:
        """The things of a kind that are there."""
        entity = self.linked.entities.get(kind)
        return (
            [] if entity is None else list(things_there(self.linked, self.world, entity).values())
        )

    def field(self, kind: str, name: str, thing: int) -> Dynamic:
        """The value of a field of a thing, changing or printed."""
        number = self.linked.layout.index.get(f"{kind}.{name}")
        if number is not None:
            return self.world[number][thing]
        entity = self.linked.entities.get(kind)
        printed = {} if entity is None else dict(entity.static)
        return printed[name][thing] if name in printed else None

    def scope(self, name: str) -> Dynamic:
        """The value of a variable of the game."""
        number = self.linked.scope_index.get(name)
        if number is None:
            return None
        value = self.game.state.scope[number]
        type_ = Type.parse(self.linked.program.scope[number].type)
        derived = name in self._secrecy.derived.scope
        hidden = self._secrecy.hides(self.viewer, type_, value, (self.world,), derived)
        return None if hidden else value

    def measured(self, name: str, *args: Dynamic) -> Dynamic:
        """The present value of a measure, rule or stat; None where it cannot be evaluated."""
        found = _measure(self.linked, name)
        if found is None or found[0] in self._secrecy.derived.functions:
            return None
        try:
            return found[1](self.game.state, *args)
        except (RuntimeFault, TypeError, LookupError, ArithmeticError):
            return None

    def title(self, kind: str, value: Dynamic) -> str:
        """The title of a value."""
        return title_text(self.linked, self.world, Type.parse(kind), value)

    def name(self, kind: str, value: Dynamic) -> str:
        """The name of a value, as people type it."""
        return value_text(self.linked, self.world, Type.parse(kind), value)

    def title_or_none(self, kind: str, value: Dynamic) -> str | None:
        """The same; None for nothing."""
        return None if value is None else self.title(kind, value)

    def titles(self, kind: str, values: Dynamic) -> list[str]:
        """The titles of several values."""
        return [self.title(kind, one) for one in values or ()]

    def figures(self, name: str, of: Dynamic, headings: Mapping[str, str]) -> list[Figure]:
        """Measures of a thing by their headings; those that cannot be worked out are left out."""
        found = ((one, self.measured(one, of)) for one in headings)
        return [
            self.figure(headings[one], f"{one}({name})", value)
            for one, value in found
            if value is not None
        ]

    def ref(self, kind: str, thing: Dynamic) -> str:
        """The name of a thing, or of a value of an enum, in options."""
        return thing_ref(self.game, kind, thing)

    def figure(self, heading: str, call: str, value: Dynamic, most: Dynamic = None) -> Figure:
        """A number with its heading; `call` is what `why` is asked."""
        shown: Figure = {"name": heading, "value": whole(value), "why": call}
        if most is not None:
            shown["most"] = whole(most)
        return shown

    def level(self, stat: str, of: str, who: int, kind: str, one: Dynamic) -> Figure:
        """A measure of somebody `of` that name in a thing, which is pressed to choose the thing."""
        call = f"{stat}({of}, {self.name(kind, one)})"
        shown = self.figure(self.title(kind, one), call, self.measured(stat, who, one))
        return {**shown, "ref": self.ref(kind, one)}

    def enum(self, name: str) -> tuple[str, ...]:
        """The values of an enum."""
        return tuple(self.linked.layout.enums.get(name, ()))


def ref_of(game: Game, kind: str, value: Dynamic) -> str | None:
    """The name of an option on the board; None if it is no thing and no place."""
    linked = game.linked
    kinds = (linked.entities, linked.layout.points, linked.layout.enums)
    if value is None or not any(kind in one for one in kinds):
        return None
    return thing_ref(game, kind, value)


def thing_ref(game: Game, kind: str, value: Dynamic) -> str:
    """The name of a thing or a place, by which options and the board find each other."""
    return f"{kind}:{value_text(game.linked, game.state.world, Type(kind), value)}"


def whole(value: Dynamic) -> int:
    """A number for a board, on which halves are rounded down; `why` tells them."""
    try:
        return int(value or 0)
    except (TypeError, ValueError):
        return 0


@lru_cache(maxsize=4_096)
def _measure(linked: Linked, name: str) -> tuple[str, Measured] | None:
    function, found = function_called(linked, name), measure(linked, name)
    return None if function is None or found is None else (function.id, found)
