"""Where in an effect text somebody writes: which sort of name is due, and what is known there.

In goes a place in a YAML file; out comes an `EffectCursor`, or None where there is no effect text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruleloom.compiler.analysis.alone import (
    KnownHere,
    Surroundings,
    form_of,
    probe,
    surroundings,
)
from ruleloom.compiler.analysis.analysis import GameAnalysis
from ruleloom.compiler.analysis.words import GameWord, GameWords
from ruleloom.compiler.analysis.yaml_cursor import HERE, YamlCursor
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.syntax.lexer import LAYOUT, Tok
from ruleloom.compiler.syntax.parser import (
    FIXED,
    STARTS,
    BrokenOff,
    finished,
    read_open,
)
from ruleloom.compiler.syntax.parser import open_tokens as open_tokens
from ruleloom.compiler.syntax.tree import (
    BONUS,
    EVENT,
    KEYWORD,
    LASTING,
    OPERATION,
    POWER,
    REPLACED,
    RULE,
    STAT,
    TYPE,
    VALUE,
    role_at,
)
from ruleloom.runtime.dataclass import dataclass

TEXT, START = "text", "<start>"
LANGUAGE = frozenset(FIXED.values())
"""The words and marks of the language."""
# The phases of an event whose names are those of another phase, or of effects that last.
AS_AFTER, OF_LASTING = {"before": "after"}, ("begin", "end", "prolong")


@dataclass(frozen=True, slots=True)
class EffectCursor:
    """A place in an effect text.

    `role` is what a name there would stand for (see `syntax/roles.py`), `text` within quotes and
    empty where no name may stand; of an event, `phase` is the word before it. `reading` has the tokens
    around the place; `known` has its variables and the type wanted.
    """

    form: str
    before: str
    word: str
    role: str
    phase: str
    read: BrokenOff
    reading: TextReading
    known: KnownHere
    in_comment: bool

    @property
    def callee(self) -> str:
        """The name of the call around the place."""
        return self.reading.called[0]

    @property
    def argument(self) -> int:
        """The number of its argument there, from 0."""
        return self.reading.called[1]

    @property
    def tokens(self) -> tuple[Tok, ...]:
        """The tokens before the place."""
        return self.read.tokens

    @property
    def takes_name(self) -> bool:
        """May any name stand here?"""
        return "NAME" in self.read.accepted

    @property
    def accepted(self) -> list[str]:
        """The words and marks of the language that may stand here."""
        return [FIXED[kind] for kind in self.read.accepted if kind in FIXED]

    @property
    def is_first(self) -> bool:
        """Does a statement or an ability begin here?"""
        return self.role in (OPERATION, KEYWORD)

    def due(self, words: GameWords) -> Iterable[GameWord]:
        """The words of a game that may stand here and are no values."""
        tables = {
            POWER: words.powers,
            OPERATION: words.operations,
            KEYWORD: words.keywords,
            BONUS: words.bonuses,
            TYPE: words.types,
            LASTING: words.lasting,
        }
        if self.role in (RULE, STAT):
            return [one for one in words.numbers.values() if one.sort == self.role]
        if self.role not in (EVENT, REPLACED):
            return tables.get(self.role, {}).values()
        if self.phase in OF_LASTING:
            return words.lasting.values()
        phase = AS_AFTER.get(self.phase, self.phase)
        return [one for one in words.events.values() if one.name.rpartition(" ")[0] == phase]


def effect_cursor(analysis: GameAnalysis, cursor: YamlCursor) -> EffectCursor | None:
    """The place in an effect text, if there is one."""
    form = form_of(analysis.schemas, cursor.item.kind, cursor.fields)
    if not form or cursor.before is None:
        return None
    found = re.search(r"[A-Za-z_]\w*$", cursor.before)
    word = found[0] if found is not None else ""
    before = cursor.before[: len(cursor.before) - len(word)]
    line = before.rpartition("\n")[2]
    in_comment = comment_start(line) is not None
    in_text = not in_comment and line.count('"') % 2 == 1
    read = read_open(before, STARTS[form])
    tree = None if in_text or in_comment else finished(read, HERE, STARTS[form])
    around = surroundings(analysis.symbols, cursor)
    if tree is not None:
        known = probe(analysis.bodies, tree, around)
    else:
        known = _known_at_line(analysis.bodies, form, before, around)
    role, name = role_at(tree, HERE, EVENT if form == "event" else VALUE) or (TEXT * in_text, "")
    phase = name.rpartition(" ")[0]
    reading = TextReading(read.tokens)
    return EffectCursor(form, before, word, role, phase, read, reading, known, in_comment)


def _known_at_line(bodies: Bodies, form: str, before: str, around: Surroundings) -> KnownHere:
    """The variables where a line begins that cannot be ended so that it means something."""
    above, newline, line = before.rpartition("\n")
    margin = line[: len(line) - len(line.lstrip(" "))]
    tree = finished(read_open(f"{above}{newline}{margin}", STARTS[form]), HERE, STARTS[form])
    if tree is None:
        return KnownHere(None, {one.name: one.type for one in around.params})
    return KnownHere(None, probe(bodies, tree, around).variables)


def comment_start(line: str) -> int | None:
    """The start of the comment of a line: its first `#` outside quotes; None without one."""
    inside = False
    for at, sign in enumerate(line):
        if sign == '"':
            inside = not inside
        elif sign == "#" and not inside:
            return at
    return None


class TextReading:
    """The surroundings of the next token of a text."""

    def __init__(self, tokens: Iterable[Tok] = ()) -> None:
        self.before = [START, START, START]
        self.calls: list[tuple[str, int]] = []
        self.head = START
        for token in tokens:
            self.take(token)

    def take(self, token: Tok) -> None:
        """Go past a token."""
        value = token.type if token.type in (*LAYOUT, "STRING", "NUMBER") else str(token.value)
        if token.type in LAYOUT:
            self.head = START
        elif self.head == START:
            self.head = value
        if value in ("(", "["):
            self.calls.append((self.before[-1] if value == "(" else "[", 0))
        elif value in (")", "]") and self.calls:
            self.calls.pop()
        elif value == "," and self.calls:
            name, number = self.calls.pop()
            self.calls.append((name, number + 1))
        self.before = [*self.before[1:], value]

    @property
    def called(self) -> tuple[str, int]:
        """The call around the next token, and the number of its argument; no name outside of any."""
        name, number = self.calls[-1] if self.calls else ("", 0)
        return (name, number) if name.isidentifier() else ("", 0)

    def around(self) -> list[tuple[str, ...]]:
        """The surroundings of the next token, from the narrowest to the widest."""
        _, second, last = self.before
        call = self.calls[-1] if self.calls else ("", 0)
        within = ("call", call[0], str(call[1]), last)
        return [
            (*within, second, self.head),
            ("two", second, last, self.head),
            within if call[0] else ("line", self.head, last),
            ("one", last),
        ]
