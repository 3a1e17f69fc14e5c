"""The lines that the log of a game can have, for claims about them.

A built game determines whether a part of a line can ever be logged: each word must be in a text of
the rules, or in a value that may fill a placeholder of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product

from ruleloom.compiler.cases.case_values import GameNames
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import words_of
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Words
from ruleloom.runtime.program.texts import of_one, optional_parts, settled

WORD = re.compile(r"[^\W_]+")
HOLE = re.compile(r"\{[^{}]*\}")
TOKEN = re.compile(r"[^\W_]+|[\W_]")
MOST_VARIANTS = 16  # of a text with optional parts, or nouns that may be in the singular
# The placeholders of a value, and of a reason that the machine composes.
VALUE, ANYTHING = "\1", "\0"
PIECE = re.compile(f"[{VALUE}{ANYTHING}]|[^{VALUE}{ANYTHING}]+")
# Lines that the machine logs in every game.
ALWAYS = (
    *("{} rolls {} for {}", "{} rolls in secret for {}", '{}: "{}"', "{}: {}", "to {}: {}"),
    *("{} is drawn", "{} draws {}", "{} is taken from {}", "{} takes {} from {}"),
    *("{} looks at {} on top of the {}", "{} looks at {} ({}) on top of the {}"),
    *(f"{{}} {be} put {at} the {{}}" for be in ("is", "are") for at in ("on top of",)),
    *(f"{{}} {be} put {at} the {{}}" for be in ("is", "are") for at in ("at the bottom of",)),
    *("{} is shown to {}", "{} are shown to {}", f"{{}} comes to nothing: {ANYTHING}"),
    *("{} wins", "{} wins: {}", "{} win", "{} win: {}", "the game is drawn: {}"),
    *("{} and {} win ({}. {}, {}. {}): {}", "{} wins ({}. {}, {}. {}): {}"),
)
COMMON = "a an and none something hidden that is gone yes no the game true false"


class LogWords:
    """The lines that a game can log, with placeholders for values."""

    def __init__(self, game: GameNames) -> None:
        build = game.build
        written = [*ALWAYS, *_of_operations(game)]
        written += [text for one in build.routines for row in one.rows for text in said(row)]
        self._entities, self._counted = build.entities, words_of(build, "counted")
        self.lines = list(dict.fromkeys(line for text in written for line in self.of(text)))
        names = [name for one in build.routines for name in (one.id, *one.slots)]
        things = [text for one in build.entities for text in _words_of_things(one)]
        self.words = frozenset(_words([COMMON, *names, *things, *game.literals, *_values(game)]))
        self.told = frozenset(_words(self.lines))

    def of(self, text: str) -> Iterator[str]:
        """The lines of a text, where nouns behind a placeholder are in the singular or the plural."""
        first, *behind = HOLE.split(text)
        both = [dict.fromkeys((one, self._of_one(one))) for one in behind]
        for pieces in islice(product(*both), MOST_VARIANTS):
            yield VALUE.join((first, *pieces))

    def _of_one(self, piece: str) -> str:
        counted, anything, rest = piece.partition(ANYTHING)
        return of_one(counted, self._entities, self._counted) + anything + rest


class CaseLog:
    """The log of one case, with the texts of its steps and its own names."""

    def __init__(
        self, log: LogWords, texts: Iterable[str], players: Iterable[str], nodes: Iterable[YamlNode]
    ) -> None:
        self.log = log
        self.lines = [line for text in texts for line in log.of(text)]
        own = {*_words(players), *_words(word for node in nodes for word in _texts_in(node))}
        self.free = WordList(log.words | own)
        self.known = WordList(self.free.words | log.told | {*_words(self.lines)})

    def why_not(self, part: str) -> tuple[str, str, str | None] | None:
        """An impossible word (empty for the whole part), the reason, and a help; None if it fits."""
        strange = self.known.strange(part)
        if strange is not None:
            help = did_you_mean(strange, sorted(self.known.words))
            if f"1 {strange}" in part and f"{strange}s" in self.known.words:
                help = f"`counted: {{{strange}s: {strange}}}` in an extension"
            return strange, f"nothing in the game says `{strange}` in the log", help
        lines = (*self.lines, *self.log.lines)
        own = self.free.strange(part)  # a word that only a text can have, not a value
        occurs = self._pattern(part)
        if own is None or any(
            occurs.search(line) for line in lines if own in line or ANYTHING in line
        ):
            return None
        return "", f"the log can never say `{part}`", _nearest(part, lines)

    def _pattern(self, part: str) -> re.Pattern[str]:
        """The pattern of a part in a line: a placeholder stands for any free words, also within a word.

        That of a reason does not match a part by itself: the texts of reasons do.
        """
        tokens: list[str] = []
        for found in TOKEN.finditer(part):
            text, (start, end) = found[0], found.span()
            ways = [re.escape(text), *([f"(?<={ANYTHING})"] if tokens else [])]
            for cut in range(start, end + 1):
                if cut > start and self.free.strange(part, start, cut) is None:
                    ways.append(f"(?<={VALUE}){re.escape(part[cut:end])}")
                if start < cut < end and self.free.strange(part, cut, end) is None:
                    ways.append(f"{re.escape(part[start:cut])}{VALUE}")
            tokens.append(f"(?:{'|'.join(ways)})")
        return re.compile(f"{VALUE}*" + f"[{VALUE}{ANYTHING}]*".join(tokens))


class WordList:
    """A set of words, which a word of a part matches whole, or cut off at an end of the part."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)
        self._lines = "\n".join(("", *self.words, ""))

    def strange(self, part: str, start: int = 0, end: int | None = None) -> str | None:
        """The first word between two offsets of a part that is not in the set."""
        for found in WORD.finditer(part, start, len(part) if end is None else end):
            word = found[0]
            if word in self.words or len(word) == 1 or not word.isalpha():
                continue  # numbers, single letters and signs of things are not checked
            tail = found.start() == 0 and f"{word}\n" in self._lines
            head = found.end() == len(part) and f"\n{word}" in self._lines
            if not (tail or head):
                return word
        return None


def _nearest(part: str, lines: Iterable[str]) -> str | None:
    """The help with the line that shares most words with a part."""
    wanted = set(_words([part]))
    shared = {line: len(wanted.intersection(_words([line]))) for line in lines}
    best = max(shared, key=lambda line: (shared[line], -len(PIECE.findall(line))), default="")
    written = best.replace(VALUE, "{}").replace(ANYTHING, "{}")
    return f"a line of the game is `{written}`" if shared.get(best) else None


@lru_cache(maxsize=20_000)
def _words_in_text(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text))


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _words_in_text(text)


def _texts_in(node: YamlNode) -> Iterator[str]:
    """Every text in a node, keys included."""
    for name, child in node.entries.items():
        yield name
        yield from _texts_in(child)
    for child in node.items:
        yield from _texts_in(child)
    if node.text is not None:
        yield node.text


def _of_operations(game: GameNames) -> Iterator[str]:
    """The log lines of operations, in variants with and without their optional parts."""
    for item in game.build.content.by_kind("vocabulary"):
        operations = item.fields.get("operations")
        for node in operations.entries.values() if operations is not None else ():
            log, english = node.get("log"), node.get("english")
            if log is not None:
                yield from _variants(log.text or "")
            elif english is not None:
                yield from _variants(f"{{me}}: {english.text or ''}")


def _variants(text: str) -> Iterator[str]:
    parts = list(optional_parts(text))
    for chosen in islice(product(*((one.given, one.otherwise) for one in parts)), MOST_VARIANTS):
        put = {one.start: text for one, text in zip(parts, chosen, strict=True)}
        yield settled(text, lambda one, put=put: put[one.start])  # type: ignore[misc]


def said(row: p.Row) -> Iterator[str]:
    """The log texts of a row."""
    match row:
        case p.Say() | p.Tell():
            yield _with_holes(row.text)
        case p.Finish() | p.Rank():
            yield f": {_with_holes(row.reason)}"
        case p.Ensure():
            yield f"{{}} comes to nothing: {_with_holes(row.reason)}"


def _with_holes(words: Words) -> str:
    if isinstance(words, str):
        return words
    return "".join(one if isinstance(one, str) else "{}" for one in words)


def _words_of_things(entity: p.Entity) -> Iterator[str]:
    yield from (entity.singular, entity.plural, entity.described)
    yield from (word for field in entity.fields for word in field.called)
    yield from entity.titles
    yield from entity.names


def _values(game: GameNames) -> Iterator[str]:
    """The texts that may fill placeholders: names of values, things and rolls, and entries of tables."""
    for enum, values in game.symbols.enums.items():
        yield enum
        yield from values
    for item in game.build.content.by_kind("vocabulary"):
        for part in ("words", "rolls", "zones", "values"):
            node = item.fields.get(part)
            yield from _texts_in(node) if node is not None else ()
    # The machine composes reasons, such as that of a fizzled effect, from these words.
    callables = (callee.english for callee in game.symbols.callables.values())
    yield from (*callables, *(one.english for one in game.build.scope))
    for item in game.build.content.by_kind("table"):
        yield from _texts_in(item.node)
