"""Classes of fields: what the standard library makes of them, but for what cannot be changed."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from copy import copy
from pprint import pformat
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from ruleloom.runtime.dataclass import Frozen, dataclass

Kind = TypeVar("Kind")
Classes = dict[str, Any]
OURS: Any = dataclass


def family(made: Any) -> Classes:
    """Classes of every form, by either decorator."""

    @made(frozen=True, slots=True)
    class Empty:
        pass

    @made(frozen=True, slots=True)
    class Card:
        """A card."""

        name: str
        number: int = 0
        size: ClassVar[int] = 3
        marks: tuple[str, ...] = dataclasses.field(default=(), repr=False, compare=False)

    @made(frozen=True, slots=True)
    class Major(Card):
        ability: str = "none"

    @made
    class Pile:
        owner: str
        cards: list[Any] = dataclasses.field(default_factory=list)
        by_name: dict[str, Any] = dataclasses.field(init=False)
        seen: set[str] = dataclasses.field(init=False, default_factory=set)
        open: bool = dataclasses.field(init=False, default=True)

        def __post_init__(self) -> None:
            self.by_name = {card.name: card for card in self.cards}

    @made
    class Discard(Pile):
        height: int = 1

    @made(slots=True, eq=False)
    class Turn(Generic[Kind]):
        what: Kind
        before: Turn[Kind] | None = None

        def __repr__(self) -> str:
            return f"a turn: {self.what}"

    @made(frozen=True, slots=True, order=True)
    class Version:
        major: int
        minor: int

        def __hash__(self) -> int:
            return 7

    @made(slots=True)
    class Again(Turn[Any]):
        what: Any

        def __init__(self) -> None:
            self.what, self.before = "again", None

    return {name: made for name, made in locals().items() if isinstance(made, type)}


THEIRS = family(dataclasses.dataclass)
HERE = family(OURS)
BOTH = (HERE, THEIRS)

# What is done with each family has the same outcome, whether that is a value or an error.
Deed = Callable[[Classes], object]
DEEDS: dict[str, Deed] = {
    "a text": lambda of: repr(of["Card"]("tower", 16, ("fire",))),
    "a text of its own": lambda of: repr(of["Turn"](3)),
    "a text of an empty one": lambda of: repr(of["Empty"]()),
    "a nested text": lambda of: repr(of["Discard"]("me", [of["Major"]("sun")])),
    "a pretty text": lambda of: pformat(of["Pile"]("me", [of["Card"]("sun")] * 9), width=9999),
    "equal": lambda of: of["Card"]("sun", 19) == of["Card"]("sun", 19, ("light",)),
    "not equal": lambda of: of["Card"]("sun", 19) == of["Card"]("sun", 18),
    "empty ones": lambda of: of["Empty"]() == of["Empty"](),
    "of two classes": lambda of: of["Card"]("sun") == of["Major"]("sun"),
    "a thing of none": lambda of: of["Card"]("sun") == "sun",
    "only the same one": lambda of: of["Turn"](1) == of["Turn"](1),
    "a hash": lambda of: hash(of["Card"]("sun", 19)) == hash(of["Card"]("sun", 19, ("light",))),
    "a hash of its own": lambda of: hash(of["Version"](1, 2)),
    "no hash": lambda of: hash(of["Pile"]("me")),
    "no hash of its own": lambda of: of["Pile"].__hash__,
    "an order": lambda of: sorted([of["Version"](1, 2), of["Version"](1, 0)])[0].minor,
    "at most": lambda of: of["Version"](1, 2) <= of["Version"](1, 2),
    "no order": lambda of: of["Card"]("sun") < of["Card"]("moon"),
    "no order with others": lambda of: of["Version"](1, 2) < (1, 2),
    "new lists": lambda of: of["Pile"]("me").cards is of["Pile"]("me").cards,
    "a list that is given": lambda of: of["Pile"]("me", [of["Card"]("sun")]).by_name.keys(),
    "new sets": lambda of: of["Pile"]("me").seen is of["Pile"]("me").seen,
    "what is fixed": lambda of: of["Pile"]("me").open,
    "a class variable": lambda of: (of["Card"].size, of["Card"]("sun").size),
    "a slot": lambda of: vars(of["Card"]("sun")),
    "no slot": lambda of: {"cards", "owner", "seen"} <= vars(of["Pile"]("me")).keys(),
    "slots of each class": lambda of: {
        name: vars(one).get("__slots__") for name, one in of.items()
    },
    "another attribute": lambda of: setattr(of["Turn"](1), "after", 2),
    "what a default is in the class": lambda of: of["Discard"].height,
    "no default in the class": lambda of: of["Pile"].cards,
    "with changes": lambda of: repr(dataclasses.replace(of["Major"]("sun", 19), ability="shine")),
    "with a change of none": lambda of: dataclasses.replace(of["Card"]("sun"), colour="red"),
    "with a change of what is made": lambda of: dataclasses.replace(of["Pile"]("me"), seen=set()),
    "as a dictionary": lambda of: dataclasses.asdict(of["Pile"]("me", [of["Card"]("sun")])),
    "as a tuple": lambda of: dataclasses.astuple(of["Major"]("sun", 19)),
    "as fields": lambda of: [
        (one.name, one.type, one.default, one.default_factory, one.init, one.repr, one.compare)
        for name in ("Card", "Major", "Discard")
        for one in dataclasses.fields(of[name])
    ],
    "as a class of fields": lambda of: dataclasses.is_dataclass(of["Empty"]),
    "in a case": lambda of: {name: one.__match_args__ for name, one in of.items()},
    "its names": lambda of: {name: one.__init__.__qualname__ for name, one in of.items()},
    "its description": lambda of: of["Card"].__doc__,
    "a copy": lambda of: repr(copy(of["Turn"](of["Card"]("sun")))),
    "a generic class": lambda of: of["Turn"][int](3).what,
    "a method of its own": lambda of: of["Again"]().what,
    "too few": lambda of: of["Card"](),
    "too few of two": lambda of: of["Version"](),
    "too many": lambda of: of["Card"](1, 2, 3, 4),
    "one of another name": lambda of: of["Card"](title="sun"),
    "one twice": lambda of: of["Card"]("sun", name="moon"),
    "what is not given": lambda of: of["Pile"]("me", seen=set()),
}


def outcome(deed: Deed, of: Classes) -> tuple[str, object]:
    """The value of a deed, or the error."""
    try:
        return "value", deed(of)
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_classes_of_fields_are_those_of_the_standard_library(deed: Deed):
    assert outcome(deed, HERE) == outcome(deed, THEIRS)


@dataclass(frozen=True, slots=True)
class Kept:
    """What can be found again by its name."""

    name: str
    number: int = 0


def test_objects_can_be_pickled():
    again = pickle.loads(pickle.dumps(Kept("sun", 19)))
    assert again == Kept("sun", 19)
    assert again is not Kept("sun", 19)


# Where the standard library complains of a class, so does this.
def bare(made: Any) -> object:
    class Bare:
        name = dataclasses.field(default=1)

    return made(Bare)


def changeable(made: Any) -> object:
    class Changeable:
        names: list[str] = []  # noqa: RUF012

    return made(Changeable)


def slotted(made: Any) -> object:
    class Slotted:
        __slots__ = ("name",)
        name: str

    return made(slots=True)(Slotted)


@pytest.mark.parametrize("wrong", [bare, changeable, slotted])
def test_what_cannot_be_a_class_of_fields_is_refused(wrong: Callable[[Any], object]):
    refused = (TypeError, ValueError)
    with pytest.raises(refused):
        wrong(dataclasses.dataclass)
    with pytest.raises(refused):
        wrong(OURS)


def test_what_is_frozen_is_so_to_the_type_checker_alone():
    kept: Any = Kept("sun")
    kept.number = 19
    assert kept == Kept("sun", 19)


class Tile(Frozen):
    suit: str
    number: int = 1


class Crowned(Tile):
    by: str = ""


def test_a_class_below_frozen_is_as_if_it_were_decorated():
    tile = Crowned("moons", by="nobody")
    assert repr(tile) == "Crowned(suit='moons', number=1, by='nobody')"
    assert tile == Crowned("moons", 1, "nobody") != Crowned("stars", 1, "nobody")
    assert hash(tile) == hash(copy(tile)) == hash(pickle.loads(pickle.dumps(tile)))
    assert dataclasses.replace(tile, number=2).number == 2
    assert not hasattr(tile, "__dict__")


def test_what_is_ordered_and_frozen_has_a_hash():
    @dataclass(frozen=True, slots=True, order=True)
    class At:
        line: int

    assert hash(At(3)) == hash(At(3))
    assert At(3) < At(4)
