"""Counts of names by their surroundings, over all texts of some packs.

In goes content; out come shares by which completion sorts what fits. Names of variables count as
one word, `LOCAL`, besides by themselves, since each text has its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field

from ruleloom.compiler.analysis.alone import form_of
from ruleloom.compiler.analysis.effect_cursor import TextReading, open_tokens
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax.lexer import Tok
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.completion.nearness import NOWHERE, Nearness
from ruleloom.runtime.dataclass import dataclass

LOCAL = "<local>"
# How much each kind of surroundings says, from the narrowest to the widest, and how many times it
# has to have been seen for half of that.
SHARES = (0.6, 0.3, 0.15, 0.1)
TRUSTED_AFTER = 3

Around = tuple[str, ...]
Fields = tuple[str, ...]


@dataclass
class Shares:
    """Counts of words by what stands around them."""

    seen: dict[Around, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, around: Sequence[Around], words: Iterable[str], count: int = 1) -> None:
        """Count a word, or take it out again with a negative count."""
        for word in words:
            for one in around:
                self.seen[one][word] += count

    def here(self, around: Sequence[Around]) -> SharesHere:
        """The shares of words in these surroundings, given from the narrowest to the widest."""
        known: list[tuple[float, Counter[str]]] = []
        for weight, one in zip(SHARES, around, strict=False):
            counts = self.seen.get(one)
            whole = counts.total() if counts else 0
            if counts and whole > 0:
                known.append((weight / (whole + TRUSTED_AFTER), counts))
        return SharesHere(tuple(known))


@dataclass(frozen=True, slots=True)
class SharesHere:
    """The counts of some surroundings, each with what one of them weighs."""

    known: tuple[tuple[float, Counter[str]], ...] = ()
    near: Nearness = NOWHERE

    def share(self, word: str) -> float:
        """The share of a word."""
        total = 0.0
        for weight, counts in self.known:
            if word in counts:
                total += weight * counts[word]
        return total

    def words(self) -> frozenset[str]:
        """Every word that has stood here."""
        return frozenset(
            word for _, counts in self.known for word, count in counts.items() if count
        )


@dataclass
class Usage:
    """The usual names in effect texts, values and keys of items in some packs."""

    effects: Shares = field(default_factory=Shares)
    values: Shares = field(default_factory=Shares)
    keys: Shares = field(default_factory=Shares)
    globals: Collection[str] = ()
    """The names of the game: what is none of them is a variable."""

    @classmethod
    def of(cls, content: Content, globals: Collection[str]) -> Usage:
        """Count what stands in all items and cases."""
        usage = cls(globals=globals)
        manifests = [pack.manifest for pack in content.packs]
        for item in (*manifests, *content.items):
            usage._node(content.schemas, item.kind, (), item.node)
        for root in content.cases.values():
            usage._node(content.schemas, "scenarios", (), root)
        return usage

    def _node(self, schemas: SchemaStore, kind: str, path: Fields, node: YamlNode) -> None:
        if node.kind == "map":
            before: list[str] = []
            for key, child in node.entries.items():
                self.keys.add(key_around(schemas, kind, path, before), [key])
                before = [key]
                self._node(schemas, kind, (*path, key), child)
        elif node.kind == "list":
            for child in node.items:
                self._node(schemas, kind, (*path, "*"), child)
        elif node.value is not None:
            if form_of(schemas, kind, path):
                for around, word in words_of(open_tokens(str(node.value))):
                    self.effects.add(around, outcomes(word, self.globals))
            else:
                self.values.add(value_around(schemas, kind, path), [node.raw.strip("\"'")])


def settled(schemas: SchemaStore, kind: str, path: Fields) -> Fields:
    """A path with `*` for those keys that authors make up."""
    known = schemas.names_in(kind)
    return tuple(step if step in known else "*" for step in path)


def value_around(
    schemas: SchemaStore, kind: str, path: Fields, sort: str = "value"
) -> list[Around]:
    """The surroundings of a value, or of a `key` of a map: the field itself, then any field of that
    name."""
    last = path[-1:] if path[-1:] != ("*",) else path[-2:]
    return [(sort, kind, *path), (sort, kind, *settled(schemas, kind, path)), (sort, *last)]


def key_around(schemas: SchemaStore, kind: str, path: Fields, keys: Sequence[str]) -> list[Around]:
    """The surroundings of a key: what stands behind the last of the `keys` before it, then the same
    as of any key of the map."""
    last = keys[-1] if keys else ""
    return [
        ("next", kind, *settled(schemas, kind, path), last),
        *value_around(schemas, kind, path, "key"),
    ]


# ------------------------------------------------------------------ effect texts


def outcomes(word: str, globals: Collection[str]) -> tuple[str, ...]:
    """A word, counted as itself and, where it is no name of the game, as a variable."""
    return (word,) if word in globals else (word, LOCAL)


def words_of(tokens: Sequence[Tok]) -> Iterator[tuple[list[Around], str]]:
    """The words of a text, each with its surroundings."""
    reading = TextReading()
    for token in tokens:
        if token.type == "NAME" or str(token.value).isalpha():
            yield reading.around(), str(token.value)
        reading.take(token)
