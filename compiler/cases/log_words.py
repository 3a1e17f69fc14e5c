"""The lines that the log of a game can have, for claims about them.

A built game determines whether a part of a line can ever be logged: each word must be in a text of
the rules, or in a value that may fill a placeholder of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, product

from ruleloom.compiler.cases.case_values import CaseValues, GameNames, part_of, scalar
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import words_of
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Words
from ruleloom.runtime.program.texts import of_one, optional_parts, settled

WORD = re.compile(r"[^\W_]+")
HOLE = re.compile(r"\{[^{}]*\}")
MOST_VARIANTS = 16  # of a text with optional parts
ANYTHING = "\0"  # placeholder of a reason that the machine composes
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

# The pieces of a line: the possible texts of each, or none for a placeholder.
Line = tuple[tuple[str, ...], ...]


class LogWords:
    """The lines that a game can log, with placeholders for values."""

    def __init__(self, game: GameNames) -> None:
        build = game.build
        written = [*ALWAYS, *_of_operations(game)]
        written += [text for one in build.routines for row in one.rows for text in _said(row)]
        self._entities, self._counted = build.entities, words_of(build, "counted")
        self.lines = list(dict.fromkeys(map(self.line, written)))
        names = [name for one in build.routines for name in (one.id, *one.slots)]
        things = [text for one in build.entities for text in _words_of_things(one)]
        self.words = frozenset(_words([COMMON, *names, *things, *game.literals, *_values(game)]))
        self.told = frozenset(word for line in self.lines for word in _told_by(line))

    def line(self, text: str) -> Line:
        """The pieces of a text; a piece after a placeholder may be in the singular or the plural."""
        pieces: list[tuple[str, ...]] = []
        for number, piece in enumerate(HOLE.split(text)):
            if number:
                pieces.append(())
            for at, one in enumerate(piece.split(ANYTHING)):
                pieces += [(ANYTHING,)] if at else []
                single = of_one(one, self._entities, self._counted) if number and not at else one
                pieces += [tuple(dict.fromkeys((one, single)))] if one else []
        return tuple(pieces)


class CaseLog:
    """The log of one case, with the texts of its steps and its own names."""

    def __init__(
        self, log: LogWords, texts: Iterable[str], players: Iterable[str], nodes: Iterable[YamlNode]
    ) -> None:
        self.log = log
        self.lines = [log.line(one) for one in texts]
        own = {*_words(players), *_words(word for node in nodes for word in _texts_in(node))}
        self.free = WordList(log.words | own)
        self.known = WordList(self.free.words | log.told.union(*map(_told_by, self.lines)))

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
        if own is None or any(fits(part, line, self.free) for line in lines if _has(line, own)):
            return None
        return "", f"the log can never say `{part}`", _nearest(part, lines)


def check_lines(values: CaseValues, log: Callable[[], CaseLog], told: YamlNode) -> None:
    """Check parts of log lines: one that the log can never have claims nothing."""
    for one in told.items:
        wrong = log().why_not(scalar(one))
        if wrong is not None:
            word, message, help = wrong
            values.tell(
                "idle-claim", part_of(one, word), f"{message}, so this claims nothing", help
            )


def _has(line: Line, word: str) -> bool:
    return any(word in text for piece in line for text in piece) or (ANYTHING,) in line


def _told_by(line: Line) -> set[str]:
    return {word for piece in line for word in _words(piece)}


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


def fits(part: str, line: Line, free: WordList) -> bool:
    """Can the part occur in this line, with `free` words in its placeholders?

    The placeholder of a reason does not match a part by itself: the texts of reasons do.
    """
    for at, piece in enumerate(line):
        tails = (text[start:] for text in piece for start in range(len(text)))
        begins = [(tail,) for tail in tails] if piece else [()]
        if piece != (ANYTHING,) and any(
            _goes_on(part, 0, (one, *line[at + 1 :]), 0, free) for one in begins
        ):
            return True
    return False


def _goes_on(part: str, done: int, line: Line, at: int, free: WordList) -> bool:
    if done == len(part):
        return True
    if at == len(line):
        return False
    if line[at] == (ANYTHING,):
        return True
    for text in line[at]:
        if text.startswith(part[done:]):
            return True
        if part.startswith(text, done) and _goes_on(part, done + len(text), line, at + 1, free):
            return True
    return not line[at] and any(
        _goes_on(part, end, line, at + 1, free)
        for end in range(done, len(part) + 1)
        if _may_begin(part, end, line, at + 1) and free.strange(part, done, end) is None
    )


def _may_begin(part: str, at: int, line: Line, piece: int) -> bool:
    """Can the text of a piece begin at this offset? A quick pre-check, which mostly fails."""
    if at == len(part) or piece == len(line) or not line[piece] or line[piece] == (ANYTHING,):
        return True
    return any(part.startswith(one, at) or one.startswith(part[at:]) for one in line[piece])


def _nearest(part: str, lines: Iterable[Line]) -> str | None:
    """The help with the line that shares most words with a part."""
    wanted = set(_words([part]))
    shared = {line: len(wanted & _told_by(line)) for line in lines}
    best = max(shared, key=lambda line: (shared[line], -len(line)), default=())
    if not shared.get(best):
        return None
    written = "".join(one[0] if one else "{}" for one in best).replace(ANYTHING, "{}")
    return f"a line of the game is `{written}`"


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
    choices = product(*((one.given, one.otherwise) for one in parts))
    for chosen in islice(choices, MOST_VARIANTS):
        yield _as_chosen(text, dict(zip((one.start for one in parts), chosen, strict=True)))


def _as_chosen(text: str, parts: Mapping[int, str]) -> str:
    return settled(text, lambda one: parts[one.start])


def _said(row: p.Row) -> Iterator[str]:
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
    yield from (entity.singular, entity.plural)
    yield from entity.titles
    yield from entity.names


def _values(game: GameNames) -> Iterator[str]:
    """The texts that may fill placeholders: names of values, things and rolls, and entries of tables."""
    for enum, values in game.symbols.enums.items():
        yield enum
        yield from values
    for item in game.build.content.by_kind("vocabulary"):
        for part in ("words", "rolls", "zones"):
            node = item.fields.get(part)
            yield from _texts_in(node) if node is not None else ()
    # The machine composes reasons, such as that of a fizzled effect, from these words.
    callables = (callee.english for callee in game.symbols.callables.values())
    yield from (*callables, *(one.english for one in game.build.scope))
    for item in game.build.content.by_kind("table"):
        yield from _texts_in(item.node)
