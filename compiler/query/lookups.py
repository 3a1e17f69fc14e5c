"""Tables that record their lookups while a text is checked.

The result of lowering a text depends on the text and on the entries under these keys, and on nothing
else. If none of them has changed, the text need not be checked again (`ruleloom.compiler.query.reuse`).
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
# The name of a table, a key in it and, for only a part of the entry, the path to it; iterating over a
# whole table counts as one key. All of it is plain data, except for questions.
Key = tuple[str, Hashable] | tuple[str, Hashable, tuple[str, ...]]
# The name of a set, and what was added to it.
Mark = tuple[str, Hashable]
WHOLE = ...
# For a text with a side effect that is not recorded: it is lowered anew each time.
NEVER_SAME: Key = ("never the same", None)
BODY = "function body"
"""The table name for the bodies of rules and measures."""


def part_of(value: object, path: Iterable[str]) -> object:
    """The part of a value at a path of attributes, entries or members; None if an entry is missing.
    If the path is empty, whether the value is not None."""
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
    """The key of the answer to one question about all entries of a table; the question is a function."""

    question: Callable[[Iterable[tuple[Any, Any]], Any], Any]
    asked: Hashable


class Lookups:
    """The keys looked up and the names marked while a result is made."""

    __slots__ = ("keys", "marks")

    def __init__(self) -> None:
        self.keys: dict[Key, None] | None = None
        """In the order of the lookups; None while nothing is recorded."""
        self.marks: dict[Mark, None] = {}

    @contextmanager
    def apart(self) -> Iterator[tuple[dict[Key, None], dict[Mark, None]]]:
        """Record keys and marks separately within the block."""
        outer = self.keys, self.marks
        self.keys, self.marks = {}, {}
        try:
            yield self.keys, self.marks
        finally:
            self.keys, self.marks = outer

    def note(self, *keys: Key) -> None:
        """Record keys that were looked up by other means."""
        if self.keys is not None:
            self.keys.update(dict.fromkeys(keys))


NOBODY = Lookups()
"""Lookups that record nothing."""


class Table(dict[K, V]):
    """A mapping that records its lookups once it is `watched`."""

    __slots__ = ("lookups", "name")

    def __init__(self, entries: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        super().__init__(entries)
        self.name, self.lookups = "", NOBODY

    def watched(self, name: str, lookups: Lookups) -> None:
        """Record later lookups under this name."""
        self.name, self.lookups = name, lookups

    def peek(self, key: Any) -> object:
        """The entry under a key, unrecorded; all entries for `WHOLE`."""
        if key is WHOLE:
            return [*super().items()]
        if isinstance(key, AnswerKey):
            return key.question(super().items(), key.asked)
        return super().get(key)

    def part(self, key: K, *path: str) -> Any:
        """A part of the entry under a key; only this part is recorded."""
        noted = self.lookups.keys
        if noted is not None:
            noted[self.name, key, path] = None
        return part_of(super().get(key), path)

    def answer(self, question: Callable[[Iterable[tuple[K, V]], A], T], asked: A) -> T:
        """The answer of `question` about all entries; only this answer is recorded."""
        self._note(AnswerKey(question, asked))
        return question(super().items(), asked)

    def _note(self, key: Hashable) -> None:
        noted = self.lookups.keys
        if noted is not None:
            noted[self.name, key] = None

    # These three are called so often that `_note` is inlined in each.

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
        """`dict.get`, recorded."""
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
        """`dict.keys`, recorded."""
        self._note(WHOLE)
        return super().keys()

    def values(self) -> ValuesView[V]:  # type: ignore[override]
        """`dict.values`, recorded."""
        self._note(WHOLE)
        return super().values()

    def items(self) -> ItemsView[K, V]:  # type: ignore[override]
        """`dict.items`, recorded."""
        self._note(WHOLE)
        return super().items()

    def replace(self, found: Mapping[K, V]) -> None:
        """Replace all entries by these."""
        self.clear()
        self.update(found)


class StillTable(Table[K, V]):
    """A table of a finished game: its lookups are not recorded."""

    __slots__ = ()

    get = dict.get
    __getitem__ = dict.__getitem__
    __contains__ = dict.__contains__
    __iter__ = dict.__iter__
    __len__ = dict.__len__


class Remembered(Generic[K, V]):
    """A cache of values shared by many texts, each of which depends on all lookups of a value."""

    __slots__ = ("_found", "lookups")

    def __init__(self, lookups: Lookups) -> None:
        self.lookups = lookups
        self._found: dict[K, tuple[V, tuple[Key, ...]]] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value under a key, made if missing."""
        found = self._found.get(key)
        if found is None:
            with self.lookups.apart() as (needed, _):
                value = make()
            found = self._found[key] = value, tuple(needed)
        self.lookups.note(*found[1])
        return found[0]


class WatchedPoison(Poison):
    """Names that may have been declared; a result that such a name excuses is not reused: once all
    broken items are mended, it has to be reported, although no entry it looked up has changed.
    """

    __slots__ = ("lookups",)

    def watched(self, lookups: Lookups) -> None:
        """Record later lookups."""
        self.lookups = lookups

    def mentions(self, name: str) -> bool:
        """`Poison.mentions`, recorded."""
        return self._noted(super().mentions(name))

    def may_declare(self, name: str) -> bool:
        """`Poison.may_declare`, recorded."""
        return self._noted(super().may_declare(name))

    def may_hold(self, kind: str) -> bool:
        """`Poison.may_hold`, recorded."""
        return self._noted(super().may_hold(kind))

    def _noted(self, excused: bool) -> bool:
        if excused:
            self.lookups.note(NEVER_SAME)
        return excused


class Marks(set[str]):
    """A set of names that texts mark; each mark is recorded."""

    __slots__ = ("lookups", "name")

    def watched(self, name: str, lookups: Lookups) -> None:
        """Record later marks under this name."""
        self.name, self.lookups = name, lookups

    def add(self, name: str) -> None:
        """`set.add`, recorded."""
        super().add(name)
        lookups: Lookups | None = getattr(self, "lookups", None)
        if lookups is not None and lookups.keys is not None:
            lookups.marks[self.name, name] = None

    def update(self, *names: Iterable[str]) -> None:
        """`set.update`, recorded."""
        for several in names:
            for name in several:
                self.add(name)
