"""The prompts of a game, by the names that scenarios, policies and bots use for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from ruleloom.compiler.cases.case_words import AskedRow, asked
from ruleloom.reference.gathered import Gathered, Piece
from ruleloom.runtime.program.program import Ask, Choose, Modal, Roll, RollEach, Secret
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
        for one in asked(routine):
            found[one.name][_asking(made, one, item)] = None
    names = sorted(found, key=lambda name: (name.lower(), name))
    return [PromptEntry(name, tuple(found[name])) for name in names]


def _asking(made: Gathered, one: AskedRow, item: Piece) -> Asking:
    """How a prompt is answered at one place."""
    match one.row:
        case Modal(kind="optional"):
            return Asking("", YES_OR_NO, (), (), item)
        case Modal(kind=kind):
            said = "one of these" if kind == "choose" else "these, in an order"
            return Asking("", said, (), one.labels, item)
        case (Choose() | Secret()) as row if row.type == "Bool":
            return Asking(one.question, YES_OR_NO, (), (), item)
        case (Choose() | Secret()) as row:
            count = COUNTS.get(row.count, "") if isinstance(row, Choose) else "in secret"
            return Asking(one.question, count, *_type(made, row.type), item)
        case Ask():
            return Asking(one.question, "a text", (), (), item)
        case Roll():
            dice = "the faces of the dice" if isinstance(one.row, RollEach) else _SUM
            return Asking("", f"{dice}: chance decides", (), (), item)
    return Asking("", "chance decides", *_type(made, one.row.type), item)


_SUM = "the sum, or the faces"


def _type(made: Gathered, text: str) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """A type with its name linked, and the values of an enum."""
    enums: Mapping[str, tuple[str, ...]] = made.symbols.enums
    return tuple(made.names.typed(text)), tuple(enums.get(Type.parse(text).name, ()))
