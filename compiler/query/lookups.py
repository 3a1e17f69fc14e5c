"""Tables that note what is looked up in them while a text is checked.

What a text is lowered to depends on the text and on what is found under these keys, and on nothing
else. If all of that is as it was, the text need not be checked again (`ruleloom.compiler.query.reuse`).
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    ValuesView,
)
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar, overload

from ruleloom.compiler.packs.content import Poison

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")
A = TypeVar("A", bound=Hashable)
# The name of a table, and a key in it, or only a part of what stands there, by the path to it; a whole
# table that is gone through counts as one key. All of it is plain data, but for questions.
Key = tuple[str, Hashable] | tuple[str, Hashable, tuple[str, ...]]
# The name of a set, and what was added to it.
Mark = tuple[str, Hashable]
WHOLE = ...
# For what leaves something behind that is not noted: it is made anew each time.
NEVER_SAME: Key = ("never the same", None)
BODY = "function body"
"""The name of the bodies of rules and measures among the tables."""


def part_of(value: object, path: Iterable[str]) -> object:
    """A part of a value: what attributes, entries or members lead to; an entry that is missing is None.
    If the path is empty, whether there is anything."""
    if not path:
        return value is not None
    for step in path:
        match value:
            case Mapping():
                value = value.get(step)
            case frozenset():
                value = step in value
            case _:
                value = getattr(value, step, None)
    return value


class AnswerKey(NamedTuple):
    """Of a whole table only the answer to a question about its entries, which stands in the code."""

    question: Callable[[Iterable[tuple[Any, Any]], Any], Any]
    asked: Hashable


class Lookups:
    """The keys that were looked up, and the names that were marked, while something was made."""

    __slots__ = ("keys", "marks")

    def __init__(self) -> None:
        self.keys: dict[Key, None] | None = None
        """In the order of looking; None where nobody wants to know."""
        self.marks: dict[Mark, None] = {}

    @contextmanager
    def apart(self) -> Iterator[tuple[dict[Key, None], dict[Mark, None]]]:
        """Collect meanwhile the keys and marks of something that is made for its own sake."""
        outer = self.keys, self.marks
        self.keys, self.marks = {}, {}
        try:
            yield self.keys, self.marks
        finally:
            self.keys, self.marks = outer

    def note(self, *keys: Key) -> None:
        """Note keys that were looked up by other means."""
        if self.keys is not None:
            self.keys.update(dict.fromkeys(keys))


NOBODY = Lookups()
"""Lookups that note nothing."""


class Table(dict[K, V]):
    """A mapping that notes which of its keys are looked up, once it is told where."""

    __slots__ = ("lookups", "name")

    def __init__(self, entries: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        super().__init__(entries)
        self.name, self.lookups = "", NOBODY

    def watched(self, name: str, lookups: Lookups) -> None:
        """Note from now on, under this name."""
        self.name, self.lookups = name, lookups

    def peek(self, key: Any) -> object:
        """The entry under a key, without a note; the whole table for `WHOLE`."""
        if key is WHOLE:
            return [*super().items()]
        if isinstance(key, AnswerKey):
            return key.question(super().items(), key.asked)
        return super().get(key)

    def part(self, key: K, *path: str) -> Any:
        """A part of the entry under a key: the text depends on nothing else of it."""
        noted = self.lookups.keys
        if noted is not None:
            noted[self.name, key, path] = None
        return part_of(super().get(key), path)

    def answer(self, question: Callable[[Iterable[tuple[K, V]], A], T], asked: A) -> T:
        """The answer of a function of the entries: the text depends on nothing else of them."""
        self._note(AnswerKey(question, asked))
        return question(super().items(), asked)

    def _note(self, key: Hashable) -> None:
        noted = self.lookups.keys
        if noted is not None:
            noted[self.name, key] = None

    # These three are called so often that each does all by itself.

    def __getitem__(self, key: K) -> V:
        noted = self.lookups.keys
        if noted is not None:
            noted[self.name, key] = None
        return dict.__getitem__(self, key)

    @overload
    def get(self, key: K, default: None = None, /) -> V | None: ...
    @overload
    def get(self, key: K, default: V, /) -> V: ...
    @overload
    def get(self, key: K, default: T, /) -> V | T: ...
    def get(self, key: K, default: Any = None, /) -> Any:
        """As that of a dict."""
        noted = self.lookups.keys
        if noted is not None:
            noted[self.name, key] = None
        return dict.get(self, key, default)

    def __contains__(self, key: object) -> bool:
        noted = self.lookups.keys
        if noted is not None:
            noted[self.name, key, ()] = None
        return dict.__contains__(self, key)

    def __iter__(self) -> Iterator[K]:
        self._note(WHOLE)
        return super().__iter__()

    def __len__(self) -> int:
        self._note(WHOLE)
        return super().__len__()

    def keys(self) -> KeysView[K]:  # type: ignore[override]
        """As that of a dict."""
        self._note(WHOLE)
        return super().keys()

    def values(self) -> ValuesView[V]:  # type: ignore[override]
        """As that of a dict."""
        self._note(WHOLE)
        return super().values()

    def items(self) -> ItemsView[K, V]:  # type: ignore[override]
        """As that of a dict."""
        self._note(WHOLE)
        return super().items()

    def replace(self, found: Mapping[K, V]) -> None:
        """Hold these entries and no others."""
        self.clear()
        self.update(found)


class StillTable(Table[K, V]):
    """A table in which nobody notes what is looked up: it is that of a game that is done."""

    __slots__ = ()

    get = dict.get
    __getitem__ = dict.__getitem__
    __contains__ = dict.__contains__
    __iter__ = dict.__iter__
    __len__ = dict.__len__


class Remembered(Generic[K, V]):
    """Values worked out once for many texts, each of which depends on all the lookups behind them."""

    __slots__ = ("_found", "lookups")

    def __init__(self, lookups: Lookups) -> None:
        self.lookups = lookups
        self._found: dict[K, tuple[V, tuple[Key, ...]]] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value under a key, made if there is none yet."""
        found = self._found.get(key)
        if found is None:
            with self.lookups.apart() as (needed, _):
                value = make()
            found = self._found[key] = value, tuple(needed)
        self.lookups.note(*found[1])
        return found[0]


class WatchedPoison(Poison):
    """Names that may have been declared; what such a name excuses is not reused. Once all that is
    broken is mended, it has to be complained about, and nothing that it was looked up in has changed.
    """

    __slots__ = ("lookups",)

    def watched(self, lookups: Lookups) -> None:
        """Note from now on."""
        self.lookups = lookups

    def mentions(self, name: str) -> bool:
        """As that of a poison."""
        return self._noted(super().mentions(name))

    def may_declare(self, name: str) -> bool:
        """As that of a poison."""
        return self._noted(super().may_declare(name))

    def may_hold(self, kind: str) -> bool:
        """As that of a poison."""
        return self._noted(super().may_hold(kind))

    def _noted(self, excused: bool) -> bool:
        if excused:
            self.lookups.note(NEVER_SAME)
        return excused


class Marks(set[str]):
    """A set of names that texts speak of; what marks one is noted."""

    __slots__ = ("lookups", "name")

    def watched(self, name: str, lookups: Lookups) -> None:
        """Note from now on, under this name."""
        self.name, self.lookups = name, lookups

    def add(self, name: str) -> None:
        """As that of a set."""
        super().add(name)
        lookups: Lookups | None = getattr(self, "lookups", None)
        if lookups is not None and lookups.keys is not None:
            lookups.marks[self.name, name] = None

    def update(self, *names: Iterable[str]) -> None:
        """As that of a set."""
        for several in names:
            for name in several:
                self.add(name)
