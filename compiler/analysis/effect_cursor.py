"""Where in an effect text somebody writes: which sort of name is due, and what is known there.

In goes a place in a YAML file; out comes an `EffectCursor`, or None where there is no effect text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
from ruleloom.compiler.syntax.parser import (
    FIXED,
    STARTS,
    BrokenOff,
    finished,
    read_open,
)
from ruleloom.compiler.syntax.parser import open_tokens as open_tokens
from ruleloom.compiler.syntax.roles import (
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
from ruleloom.compiler.syntax.tokens import Tok
from ruleloom.runtime.dataclass import dataclass

TEXT = "text"
LANGUAGE = frozenset(FIXED.values())
"""The words and marks of the language."""
# The phases of an event whose names are those of another phase, or of effects that last.
AS_AFTER, OF_LASTING = {"before": "after"}, ("begin", "end", "prolong")


@dataclass(frozen=True, slots=True)
class EffectCursor:
    """A place in an effect text.

    `role` is what a name there would stand for (see `syntax/roles.py`), `text` within quotes and
    empty where no name may stand; of an event, `phase` is the word before it. `callee` is what is
    being called there, with the number of the argument; `known` is what the checker knows.
    """

    form: str
    before: str
    word: str
    role: str
    phase: str
    read: BrokenOff
    callee: str
    argument: int
    known: KnownHere
    in_comment: bool

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
    in_text, in_comment = _in_quotes(before.rpartition("\n")[2])
    read = read_open(before, STARTS[form])
    tree = None if in_text or in_comment else finished(read, HERE, STARTS[form])
    around = surroundings(analysis.symbols, cursor)
    if tree is not None:
        known = probe(analysis.bodies, tree, around)
    else:
        known = _known_at_line(analysis.bodies, form, before, around)
    role, name = role_at(tree, HERE, EVENT if form == "event" else VALUE) or (TEXT * in_text, "")
    phase = name.rpartition(" ")[0]
    callee, argument = _called(read.tokens)
    return EffectCursor(form, before, word, role, phase, read, callee, argument, known, in_comment)


def _known_at_line(bodies: Bodies, form: str, before: str, around: Surroundings) -> KnownHere:
    """The variables where a line begins that cannot be ended so that it means something."""
    above, newline, line = before.rpartition("\n")
    margin = line[: len(line) - len(line.lstrip(" "))]
    tree = finished(read_open(f"{above}{newline}{margin}", STARTS[form]), HERE, STARTS[form])
    if tree is None:
        return KnownHere(None, {one.name: one.type for one in around.params})
    return KnownHere(None, probe(bodies, tree, around).variables)


def _in_quotes(line: str) -> tuple[bool, bool]:
    """Whether the end of a line lies in a text in quotes, or in a comment."""
    inside = False
    for sign in line:
        if sign == '"':
            inside = not inside
        elif sign == "#" and not inside:
            return False, True
    return inside, False


def _open_bracket(tokens: Sequence[Tok]) -> int | None:
    """The number of the token that opens the bracket around the end."""
    depth = 0
    for at in reversed(range(len(tokens))):
        kind = tokens[at].type
        if kind in ("RPAR", "RSQB"):
            depth += 1
        elif kind in ("LPAR", "LSQB"):
            if depth == 0:
                return at
            depth -= 1
    return None


def _called(tokens: Sequence[Tok]) -> tuple[str, int]:
    """What is being called at the end of the tokens, and which argument it is given there."""
    opened = _open_bracket(tokens)
    if not opened or tokens[opened].type != "LPAR":
        return "", 0
    depth = argument = 0
    for token in tokens[opened + 1 :]:
        depth += {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}.get(token.type, 0)
        argument += token.type == "COMMA" and depth == 0
    name = tokens[opened - 1]
    return (str(name.value), argument) if str(name.value).isidentifier() else ("", 0)
