"""The prompts of a game, by the names that scenarios, policies and bots use for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ruleloom.reference.gathered import Gathered, Piece
from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Draw,
    Modal,
    Peek,
    Pick,
    Roll,
    RollEach,
    Routine,
    Row,
    Secret,
)
from ruleloom.runtime.program.texts import with_holes
from ruleloom.runtime.program.values import Type

COUNTS = {
    "one": "one of them",
    "up_to": "some of them, at most so many",
    "exactly": "so many of them",
    "any": "any number of them",
    "order": "all of them, in an order",
}
YES_OR_NO = "yes or no"


class Asking(NamedTuple):
    """One place at which a prompt comes up: its words, its answers, and the item that asks."""

    words: str
    answers: str
    type: tuple[Piece, ...]
    options: tuple[str, ...]
    item: Piece


class PromptEntry(NamedTuple):
    """A prompt by its name, wherever it comes up."""

    name: str
    askings: tuple[Asking, ...]


def prompts_of(made: Gathered) -> list[PromptEntry]:
    """All prompts of a game, by name."""
    found: dict[str, dict[Asking, None]] = defaultdict(dict)
    for routine in made.program.routines:
        item = made.mention(routine.id.partition("#")[0])
        for row in routine.rows:
            for name, asking in _asked(made, routine, row, item):
                found[name][asking] = None
    names = sorted(found, key=lambda name: (name.lower(), name))
    return [PromptEntry(name, tuple(found[name])) for name in names]


def _asked(made: Gathered, routine: Routine, row: Row, item: Piece) -> Iterator[tuple[str, Asking]]:
    """The prompts of a row."""
    match row:
        case Modal():
            yield _of_ways(routine, row, item)
        case Choose() | Secret():
            count = COUNTS.get(row.count, "") if isinstance(row, Choose) else "in secret"
            words = with_holes(row.prompt, routine.slots)
            if row.type == "Bool":
                yield row.name, Asking(words, YES_OR_NO, (), (), item)
            else:
                yield row.name, Asking(words, count, *_type(made, row.type), item)
        case Ask():
            yield row.name, Asking(with_holes(row.prompt, routine.slots), "a text", (), (), item)
        case Roll():
            dice = "the faces of the dice" if isinstance(row, RollEach) else "the sum, or the faces"
            yield row.name, Asking("", f"{dice}: chance decides", (), (), item)
        case Draw() | Peek() | Pick():
            yield row.name, Asking("", "chance decides", *_type(made, row.type), item)


def _of_ways(routine: Routine, row: Modal, item: Piece) -> tuple[str, Asking]:
    """A menu with its ways, or an offer, which is taken or not."""
    labels = tuple(with_holes(mode.label, routine.slots) for mode in row.modes)
    name = with_holes(row.prompt or row.modes[0].label, routine.slots)
    if row.kind == "optional":
        return name, Asking("", YES_OR_NO, (), (), item)
    said = "one of these" if row.kind == "choose" else "these, in an order"
    return name, Asking("", said, (), labels, item)


def _type(made: Gathered, text: str) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """A type with its name linked, and the values of an enum."""
    enums: Mapping[str, tuple[str, ...]] = made.symbols.enums
    return tuple(made.names.typed(text)), tuple(enums.get(Type.parse(text).name, ()))
