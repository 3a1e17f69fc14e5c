"""The candidates of completion with their order, and what is usual at a place, by which they are sorted.

Names are counted by their surroundings, over all texts of some packs; those of variables count as one
word, `LOCAL`, besides by themselves, since each text has its own. Names written just before or behind a
place are likely to be written again, and of names in an order, such as the clauses of a ledger, the one
that comes next.
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
    """One thing to write: `insert` is a snippet where `is_snippet`, `score` how likely it is."""

    label: str
    sort: str
    score: float = 0.0
    detail: str = ""
    english: str = ""
    insert: str = ""
    is_snippet: bool = False

    @property
    def text(self) -> str:
        """The text that is inserted."""
        return self.insert or self.label


class Completions(Frozen):
    """The candidates at a place, the likeliest first, and the stretch of the word."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    is_complete: bool = True


def offered(start: int, end: int, word: str, found: Iterable[Candidate]) -> Completions:
    """The candidates for what stands of a word, each label once, the likeliest first."""
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
    """How well a label fits what is written: 3 as its beginning, 2 but for capitals, 1 within a name
    of several words, 0 not at all."""
    if label.startswith(word):
        return 3
    found = _begun_with(word).search(label)
    if found is None:
        return 0
    return 1 if found.start() else 2


@lru_cache(maxsize=64)
def _begun_with(word: str) -> re.Pattern[str]:
    """The pattern of names that begin with a word, or have a part that does; `-` and `_` are the same."""
    letters = ("[-_]" if sign in "-_" else re.escape(sign) for sign in word)
    return re.compile(f"(?:^|[-_/:]){''.join(letters)}", re.IGNORECASE)


def spoken(english: str) -> str:
    """English with its holes as plain words."""
    if "{" not in english:
        return english
    return HOLE.sub(lambda hole: hole[1].replace("_", " "), english)


def call_snippet(name: str, params: Iterable[ParamSymbol]) -> str:
    """A call with a stop for each argument."""
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
    """The words around a place."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text[max(0, offset - REACH) : offset]
        self.text_behind = text[offset : offset + REACH]

    @cached_property
    def words(self) -> Mapping[str, float]:
        """The words before the place as names are compared, the nearer the more they count."""
        return _nearest_most(reversed(WORD.findall(self.text)))

    @cached_property
    def words_behind(self) -> Mapping[str, float]:
        """The same of the words behind the place."""
        return _nearest_most(WORD.findall(self.text_behind))

    @cached_property
    def known(self) -> frozenset[str]:
        """All words around the place."""
        return frozenset([*self.words, *self.words_behind])

    @cached_property
    def followers(self) -> Mapping[str, float]:
        """The share of each word among those that follow the word before the place."""
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
        """The parts of those words: what a case is called tells what it is about."""
        found: dict[str, float] = {}
        for number, part in enumerate(reversed(PART.findall(self.text.lower()))):
            if len(part) > SHORT:
                found.setdefault(part, 1 / (1 + number / 16))
        return found

    def of(self, name: str, id: str = "") -> float:
        """The weight of a name that stands near, or whose item does."""
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
        """Of names of several parts those near the one that was written last, in their order."""
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
    """Words as names are compared, with weights that fall from the first to the last."""
    found: dict[str, float] = {}
    for number, word in enumerate(words):
        found.setdefault(slug_of(word), 1 / (1 + number / 8))
    return found


NOWHERE = Nearness("", 0)


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


class SharesHere(Frozen):
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
