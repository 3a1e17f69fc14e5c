"""Completion candidates and their ranking, by usage statistics for the context of the cursor.

Names are counted by context over all texts of some packs; a variable counts both under its name and as
the one word `LOCAL`, since each text has its own variables. Names just before or after the cursor are
likely to recur, and so is the next of names in a sequence, such as the clauses of a ledger.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from ruleloom.compiler.analysis.effect_cursor import TextReading, form_of, open_tokens
from ruleloom.compiler.analysis.words import slug_of
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.resolve.symbols import ParamSymbol
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax.lexer import Tok
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import Frozen, dataclass

MOST_SHOWN = 400
HOLE = re.compile(r"\{([^{}:]*)(?::[^{}]*)?\}")


class Candidate(NamedTuple):
    """A completion candidate: `insert` is a snippet if `is_snippet`, `score` its likelihood."""

    label: str
    sort: str
    score: float = 0.0
    detail: str = ""
    english: str = ""
    insert: str = ""
    is_snippet: bool = False

    @property
    def text(self) -> str:
        """The inserted text."""
        return self.insert or self.label


class Completions(Frozen):
    """The candidates, most likely first, and the range of the word to replace."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    is_complete: bool = True


def offered(start: int, end: int, word: str, found: Iterable[Candidate]) -> Completions:
    """The candidates that match a prefix of a word, one per label, most likely first."""
    best: dict[str, Candidate] = {}
    for one in found:
        known = best.get(one.label)
        if known is None or one.score > known.score:
            best[one.label] = one
    fitting = [(fit, one) for one in best.values() if (fit := match(word, one.label))]
    ranked = sorted(fitting, key=lambda pair: (-pair[0], -pair[1].score, pair[1].label))
    shown = tuple(one for _, one in ranked[:MOST_SHOWN])
    return Completions(start, end, shown, len(ranked) <= MOST_SHOWN)


def match(word: str, label: str) -> int:
    """The rank of a match: 3 if the label starts with the word, 2 if only without case, 1 within a
    later part, 0 if not at all."""
    if label.startswith(word):
        return 3
    found = _begun_with(word).search(label)
    if found is None:
        return 0
    return 1 if found.start() else 2


@lru_cache(maxsize=64)
def _begun_with(word: str) -> re.Pattern[str]:
    """The pattern of names of which any part begins with a word; `-` and `_` are equivalent."""
    letters = ("[-_]" if sign in "-_" else re.escape(sign) for sign in word)
    return re.compile(f"(?:^|[-_/:]){''.join(letters)}", re.IGNORECASE)


def spoken(english: str) -> str:
    """English with its holes as plain words."""
    if "{" not in english:
        return english
    return HOLE.sub(lambda hole: hole[1].replace("_", " "), english)


def call_snippet(name: str, params: Iterable[ParamSymbol]) -> str:
    """A call with tab stops as arguments."""
    stops = ", ".join(f"${{{number}:{one.name}}}" for number, one in enumerate(params, 1))
    return f"{name}({stops})"


REACH = 1_500
FROM_NEAR, FROM_WORD, FROM_ITEM, FROM_PART = 0.05, 0.12, 0.1, 0.1
FROM_BEHIND, FROM_PAIR = 0.15, 0.25
PART, SHORT = re.compile(r"[a-z]+"), 2
WORD = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*")


@lru_cache(maxsize=20_000)
def _parts_of(name: str) -> tuple[str, ...]:
    return tuple(PART.findall(name.lower()))


class Nearness:
    """Words around a cursor."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text[max(0, offset - REACH) : offset]
        self.text_behind = text[offset : offset + REACH]

    @cached_property
    def words(self) -> Mapping[str, float]:
        """The weights of the words before the cursor, by slug; nearer words weigh more."""
        return _nearest_most(reversed(WORD.findall(self.text)))

    @cached_property
    def words_behind(self) -> Mapping[str, float]:
        """The same for words after the cursor."""
        return _nearest_most(WORD.findall(self.text_behind))

    @cached_property
    def known(self) -> frozenset[str]:
        """All words around a cursor."""
        return frozenset([*self.words, *self.words_behind])

    @cached_property
    def followers(self) -> Mapping[str, float]:
        """The share of each word that follows the word before the cursor."""
        before = [slug_of(word) for word in WORD.findall(self.text)]
        behind = [slug_of(word) for word in WORD.findall(self.text_behind)]
        if not before:
            return {}
        last = before[-1]
        pairs = (*pairwise(before), *pairwise(behind))
        found = Counter(second for first, second in pairs if first == last)
        whole = found.total()
        return {word: count / (whole + 1) for word, count in found.items()}

    @cached_property
    def parts(self) -> Mapping[str, float]:
        """The weights of the parts of those words: a case's name hints at it."""
        found: dict[str, float] = {}
        for number, part in enumerate(reversed(PART.findall(self.text.lower()))):
            if len(part) > SHORT:
                found.setdefault(part, 1 / (1 + number / 16))
        return found

    def of(self, name: str, id: str = "") -> float:
        """The weight of a name by nearby words, parts and items."""
        slug, score = slug_of(name), 0.0
        if slug in self.known:
            score += FROM_WORD * self.words.get(slug, 0.0)
            score += FROM_BEHIND * self.words_behind.get(slug, 0.0)
            score += FROM_PAIR * self.followers.get(slug, 0.0)
        parts = _parts_of(name)
        if len(parts) > 1:
            weights = [self.parts[part] for part in parts if part in self.parts]
            score += FROM_PART * sum(weights) / len(parts)
        if "/" in id:
            score += FROM_ITEM * self.words.get(slug_of(id.rpartition("/")[2]), 0.0)
        return score

    def following(self, names: Sequence[str]) -> Mapping[str, float]:
        """The weights of dotted names by distance in their order from the one written last."""
        if not names or "." not in names[0]:
            return {}
        at = {name: number for number, name in enumerate(names)}
        last = next((one for one in reversed(WORD.findall(self.text)) if one in at), None)
        if last is None:
            return {}
        begin = at[last]
        return {
            name: 1 / (number - begin if number > begin else 2 + 2 * (begin - number))
            for name, number in at.items()
            if number != begin
        }


def _nearest_most(words: Iterable[str]) -> dict[str, float]:
    """The weights of words by slug, falling from the first to the last."""
    found: dict[str, float] = {}
    for number, word in enumerate(words):
        found.setdefault(slug_of(word), 1 / (1 + number / 8))
    return found


NOWHERE = Nearness("", 0)


LOCAL = "<local>"
# The weight of each context, from narrowest to widest, and the number of occurrences at which a
# context gets half its weight.
SHARES = (0.6, 0.3, 0.15, 0.1)
TRUSTED_AFTER = 3

Around = tuple[str, ...]
Fields = tuple[str, ...]


@dataclass
class Shares:
    """Counts of words by context."""

    seen: dict[Around, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, around: Sequence[Around], words: Iterable[str], count: int = 1) -> None:
        """Count words by context; a negative count removes them."""
        for word in words:
            for one in around:
                self.seen[one][word] += count

    def here(self, around: Sequence[Around]) -> SharesHere:
        """The shares of words in these contexts, given from narrowest to widest."""
        known: list[tuple[float, Counter[str]]] = []
        for weight, one in zip(SHARES, around, strict=False):
            counts = self.seen.get(one)
            whole = counts.total() if counts else 0
            if counts and whole > 0:
                known.append((weight / (whole + TRUSTED_AFTER), counts))
        return SharesHere(tuple(known))


class SharesHere(Frozen):
    """The counts of some contexts, each with the weight per occurrence."""

    known: tuple[tuple[float, Counter[str]], ...] = ()
    near: Nearness = NOWHERE

    def share(self, word: str) -> float:
        """A word's share."""
        total = 0.0
        for weight, counts in self.known:
            if word in counts:
                total += weight * counts[word]
        return total

    def words(self) -> frozenset[str]:
        """Each word seen in them."""
        return frozenset(
            word for _, counts in self.known for word, count in counts.items() if count
        )


@dataclass
class Usage:
    """Counts of the names in effect texts, values and keys of some packs."""

    effects: Shares = field(default_factory=Shares)
    values: Shares = field(default_factory=Shares)
    keys: Shares = field(default_factory=Shares)
    globals: Collection[str] = ()
    """The names of the game; any other name is a variable."""

    @classmethod
    def of(cls, content: Content, globals: Collection[str]) -> Usage:
        """Count all items and cases."""
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
    """A path with `*` for the keys that authors choose."""
    known = schemas.names_in(kind)
    return tuple(step if step in known else "*" for step in path)


def value_around(
    schemas: SchemaStore, kind: str, path: Fields, sort: str = "value"
) -> list[Around]:
    """The contexts of a value, or of a `key` of a map: the field itself, then any field so named."""
    last = path[-1:] if path[-1:] != ("*",) else path[-2:]
    return [(sort, kind, *path), (sort, kind, *settled(schemas, kind, path)), (sort, *last)]


def key_around(schemas: SchemaStore, kind: str, path: Fields, keys: Sequence[str]) -> list[Around]:
    """The contexts of a key, narrowest first: the last of the `keys` before it, then those of any key
    of the map."""
    last = keys[-1] if keys else ""
    return [
        ("next", kind, *settled(schemas, kind, path), last),
        *value_around(schemas, kind, path, "key"),
    ]


# ------------------------------------------------------------------ effect texts


def outcomes(word: str, globals: Collection[str]) -> tuple[str, ...]:
    """A word as counted: by its name and, unless the game has it, as a variable."""
    return (word,) if word in globals else (word, LOCAL)


def words_of(tokens: Sequence[Tok]) -> Iterator[tuple[list[Around], str]]:
    """The words of a text, each with its contexts."""
    reading = TextReading()
    for token in tokens:
        if token.type == "NAME" or str(token.value).isalpha():
            yield reading.around(), str(token.value)
        reading.take(token)
