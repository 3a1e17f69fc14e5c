"""The values of the effect language: types, world layout, and their text.

Entities are ints: the index of the entity within its kind. The world is a tuple of columns; `Layout`
maps names to columns and gives the names and titles of values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any, NoReturn, Protocol, TypeAlias, TypeVar

from ruleloom.runtime.dataclass import Frozen, dataclass

T = TypeVar("T")

# An enum value is a text; a list, dice and a point `(x, y)` are tuples.
Value: TypeAlias = "int | Fraction | bool | str | tuple[Value, ...] | FrozenMap | None"
# The content of a column, a slot or a variable: of its type in the program, which mypy cannot know.
Dynamic: TypeAlias = Any
Column: TypeAlias = Dynamic
World = tuple[Column, ...]
Point = tuple[int, int]

Slots: TypeAlias = Sequence[Dynamic]
Scope: TypeAlias = tuple[Dynamic, ...]
Rules = frozenset[str]
# The inputs of an expression, the last being the ignored rules; and a compiled expression.
Reading: TypeAlias = tuple[World, Slots, Scope, Rules]
Compiled: TypeAlias = Callable[[World, Slots, Scope, Rules], T]


class CandidateTest(Protocol):
    """A compiled expression that also takes the candidate of a choice."""

    def __call__(self, w: World, e: Slots, s: Scope, g: Rules, x: Value = None, /) -> Dynamic: ...


LARGEST = 2**53 - 1
_EXACT = re.compile(r"-?[0-9]{1,15}(?:/[1-9][0-9]{0,14}|\.[0-9]{1,15})?")


class FrozenMap(dict[Any, Any]):
    """An immutable, hashable dictionary."""

    __slots__ = ("_hash",)

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash: int = hash(frozenset(self.items()))
            return self._hash

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError("a FrozenMap cannot be changed")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def with_item(self, key: Value, value: Value) -> FrozenMap:
        """A copy with `key` set to `value`."""
        return FrozenMap({**self, key: value})

    def with_entry(self, key: Value, value: Value, unset: Value) -> FrozenMap:
        """A copy with `key` set to `value`, or without it if that is `unset`."""
        return self.without(key) if value == unset else self.with_item(key, value)

    def without(self, key: Value) -> FrozenMap:
        """A copy without `key`."""
        return FrozenMap({k: v for k, v in self.items() if k != key})


class Type(Frozen):
    """`Int`, `Piece?`, `List of Card`, `Card by Player`, `Dice`.

    `Dice` are the faces of several dice, the highest first, with repeats.
    """

    name: str
    many: bool = False
    optional: bool = False
    by_player: bool = False
    repeats: bool = False

    def __hash__(self) -> int:
        # The name distinguishes nearly all types, and types are hashed all the time.
        return hash(self.name)

    @classmethod
    @lru_cache(maxsize=1_000)
    def parse(cls, text: str) -> Type:
        """The type of a text; the inverse of `str`."""
        if text in ("Dice", "Dice?"):
            return cls("Int", True, text.endswith("?"), repeats=True)
        many = text.startswith("List of ")
        name = text.removeprefix("List of ")
        by_player = name.endswith(" by Player")
        name = name.removesuffix(" by Player")
        if name in ("", "?"):  # an unknown type, or that of the items of an empty list
            return cls("?", many)
        return cls(name.removesuffix("?"), many, name.endswith("?"), by_player)

    def __str__(self) -> str:
        if self.repeats:
            return "Dice?" if self.optional else "Dice"
        text = self.name + ("?" if self.optional else "") + (" by Player" if self.by_player else "")
        return f"List of {text}" if self.many else text

    @property
    def item(self) -> Type:
        """The type of a list's elements."""
        return Type(self.name)

    @property
    def present(self) -> Type:
        """The same type without `none`."""
        return Type(self.name, self.many, False, self.by_player, self.repeats)


INT, BOOL, TEXT, PLAYER = Type("Int"), Type("Bool"), Type("Text"), Type("Player")
FRACTION = Type("Fraction")
DICE = Type("Int", many=True, repeats=True)
NONE = Type("none", optional=True)
# The type of an unknown value, or of an expression already reported: it fits everywhere.
UNKNOWN = Type("?")
# The empty list, which takes the type of its first use.
EMPTY = Type("?", many=True)


def is_unknown(type_: Type) -> bool:
    """Is this the unknown type?"""
    return type_.name == "?" and not type_.many


def list_of(item: Type) -> Type:
    """The type of a list of such values."""
    return replace(item, many=True, optional=False)


def maybe(type_: Type) -> Type:
    """The optional type."""
    return type_ if is_unknown(type_) else replace(type_, optional=True)


def join(left: Type, right: Type) -> Type | None:
    """The narrowest supertype of both, or None if they have nothing in common."""
    if is_unknown(left) or is_unknown(right):
        return UNKNOWN
    if NONE in (left, right):
        return maybe(right if left == NONE else left)
    name = _joint_name(left.name, right.name)
    if name is None or not _of_one_form(left, right):
        return None
    repeats = left.repeats or right.repeats
    return replace(left, name=name, optional=left.optional or right.optional, repeats=repeats)


def _of_one_form(left: Type, right: Type) -> bool:
    """Are both single values, lists or tables? Items of unknown type may be dice."""
    may_repeat = left.repeats == right.repeats or "?" in (left.name, right.name)
    return may_repeat and (left.many, left.by_player) == (right.many, right.by_player)


def _joint_name(left: str, right: str) -> str | None:
    if "?" in (left, right):
        return right if left == "?" else left
    if {left, right} == {INT.name, FRACTION.name}:
        return FRACTION.name
    return left if left == right else None


def point_text(point: Point) -> str:
    """`(2, -1)` as `2/-1`."""
    return f"{point[0]}/{point[1]}"


def parse_point(text: str) -> Point:
    """`2/-1` as `(2, -1)`; raises ValueError for anything else."""
    x, y = text.split("/")
    return int(x), int(y)


ROUND: Mapping[str, Callable[[int | Fraction], int]] = {
    "down": floor,
    "up": ceil,
    "nearest": lambda number: floor(number + Fraction(1, 2)),
}
"""The rounding modes; `nearest` rounds halves up."""


def exact(text: str) -> int | Fraction:
    """`3`, `1/2` or `0.5` as a number, an int if whole; raises ValueError for anything else."""
    if not _EXACT.fullmatch(text):
        raise ValueError(text)
    return plain_number(Fraction(text))


def plain_number(value: int | Fraction) -> int | Fraction:
    """The same number, as an int if it is whole."""
    return value.numerator if value.denominator == 1 else value


def with_entry(column: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A copy of a column with one entry replaced."""
    return (*column[:index], value, *column[index + 1 :])


Ends: TypeAlias = tuple[tuple[Value, ...], tuple[Value, ...]]
"""The known top and bottom of a lazy pile, each in draw order."""
ENDS = "ends"


def ends_name(pile: str) -> str:
    """The name of the column with the ends of a lazy pile, distinct from any zone or field."""
    return f"{pile}/{ENDS}"


class ColumnInfo(Frozen):
    """One column of the world.

    `kind` is `field` (a tuple by entity index), `each` (a zone: a tuple per player of sorted ids), `under`
    (a zone: FrozenMap of the things or points `by` which it is parted, to sorted ids, where there are any),
    `pile` (a zone: sorted ids), `map` (a zone: FrozenMap of point to id) or `ends` (the known order of a
    lazy pile). `seen_by` is all, owner or nobody. A field starts at `initial`. With `by` an entry is a
    FrozenMap by enum value or entity, without values equal to `initial`.
    """

    name: str
    kind: str
    type: Type
    seen_by: str
    lazy: bool = False
    initial: Value = None
    by: str = ""


WHOSE = "'s "


class Description(Frozen):
    """How things of a kind are told by their fields: texts, and columns, each with its lowest number and
    words for it and those above. `present` is the column that says where they are, or -1; `owner` that of
    the player with whom it begins, as in `{owner}'s piece`, or -1."""

    parts: tuple[str | tuple[int, int, tuple[str, ...]], ...]
    present: int
    at: str
    """The kind of points in that column, or empty."""
    owner: int
    own: tuple[str | tuple[int, int, tuple[str, ...]], ...] = ()
    """The parts of one's own, where a language says more than to leave out the owner."""

    @property
    def has_aside(self) -> bool:
        """Does it end in a phrase between commas?"""
        return any(isinstance(part, str) and ", " in part for part in self.parts)


class SpotWords(Frozen):
    """What a point is called after what lies in a column this far from it, in a `form` of its title."""

    before: str
    column: int
    after: str
    east: int
    north: int
    form: str = ""


@dataclass(frozen=True)
class Layout:
    """The columns, and the names of players and entities of one game.

    `names["Card"][i]` is the name of card `i`, `titles` for people; `players` are in seating order.
    `named["Piece"]` is the column with the given names of pieces, `words` the words for values of enums,
    `described` and `spots` how things and points without a title are told.
    """

    columns: tuple[ColumnInfo, ...]
    index: Mapping[str, int]
    enums: Mapping[str, tuple[str, ...]]
    points: frozenset[str]
    sizes: Mapping[str, int]
    names: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, tuple[str, ...]]
    players: tuple[str, ...]
    named: Mapping[str, int] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    described: Mapping[str, Description] = field(default_factory=dict)
    spots: Mapping[str, tuple[SpotWords, ...]] = field(default_factory=dict)

    def number_there(self, entity: str) -> int:
        """The most entities of a kind in this game."""
        return len(self.players) if entity == "Player" else self.sizes[entity]

    def names_of(self, entity: str) -> tuple[str, ...]:
        """The names of players, or of the things of a kind; empty if they have none."""
        return self.players if entity == "Player" else self.names.get(entity, ())

    def number_of(self, entity: str, name: str) -> int | None:
        """The index of the entity `name`, or None."""
        names = self.names.get(entity, ())
        return names.index(name) if name in names else None


Query = Callable[..., Dynamic]
Operation = Callable[..., Dynamic]


@dataclass(frozen=True)
class Driver:
    """The Python functions of a game: one pure function per query and operation, and text for entities.

    An operation returns the new world, or `(world, result)` if the vocabulary declares a result.
    `token(world, entity_kind, index)` names an entity without a name of its own (or returns None);
    `start` turns an empty world into the one before set-up.
    """

    queries: Mapping[str, Query]
    operations: Mapping[str, Operation]
    token: Callable[[World, str, int], str | None]
    start: Callable[[World], World] = lambda world: world
    spare: bool = False
    """It may bind more than the vocabulary names, as the driver for games without their own does."""


Bind = Callable[[Layout], Driver]
"""Makes the driver of a game for its layout."""
