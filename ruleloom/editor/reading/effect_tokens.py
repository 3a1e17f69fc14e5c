"""The tokens of effect texts inside YAML, each with its class, for colours.

Names get the class of what they mean; the words of the language are keywords only where they are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.analysis.effect_cursor import comment_start, open_tokens
from ruleloom.compiler.analysis.source_file import SourceFile, TextOf
from ruleloom.compiler.analysis.uses import Occurrence
from ruleloom.compiler.syntax.lexer import LAYOUT
from ruleloom.runtime.dataclass import dataclass

CLASSES = (
    *("keyword", "function", "method", "variable", "parameter", "property", "enumMember", "class"),
    *("event", "string", "number", "comment", "operator", "macro"),
)
MODIFIERS = ("declaration", "readonly")
OF_TABLE: Mapping[str, str] = {
    "operation": "function",
    "moment": "event",
    "query": "method",
    "field": "property",
    "zone": "property",
    "variable": "property",
    "value": "enumMember",
    "enum": "class",
    "type": "class",
    "event": "event",
    "local": "variable",
    "bonus": "enumMember",
    "menu": "event",
}
OF_WORD: Mapping[str, str] = {
    "power": "function",
    "keyword": "macro",
    "measure": "method",
    "rule": "method",
    "stat": "property",
    "setting": "property",
    "switch": "property",
    "parameter": "parameter",
}
OF_TOKEN = {"STRING": "string", "NUMBER": "number", "DICE": "number"}


@dataclass(frozen=True, slots=True)
class ColouredToken:
    """A stretch of a file on one line, its class, and whether a name is declared there."""

    start: int
    end: int
    name: str
    declares: bool = False


def effect_tokens(names: SourceFile) -> list[ColouredToken]:
    """The tokens of all effect texts of a file, in order."""
    by_start = {one.start: one for one in names.occurrences}
    found = [token for text in names.all_texts for token in _tokens(text, by_start)]
    return sorted(set(found), key=lambda one: one.start)


def _tokens(text: TextOf, by_start: Mapping[int, Occurrence]) -> Iterator[ColouredToken]:
    yield from _comments(text)
    for token in open_tokens(text.written.text):
        if token.type in LAYOUT or token.span[0] == token.span[1]:
            continue
        start, end = text.span(token.span)
        known = by_start.get(start)
        if known is not None and known.end == end:
            name = OF_WORD.get(known.word) or OF_TABLE.get(known.meaning.table, "variable")
            yield ColouredToken(start, end, name, known.declares)
        elif token.type in OF_TOKEN:
            yield ColouredToken(start, end, OF_TOKEN[token.type])
        elif token.type == "NAME":
            yield ColouredToken(start, end, "variable")
        elif str(token.value).replace(" ", "").isalpha():
            yield ColouredToken(start, end, "keyword")


def _comments(text: TextOf) -> Iterator[ColouredToken]:
    """The comments, which the lexer passes over, each to the end of its line."""
    at = 0
    for line in text.written.text.split("\n"):
        begun = comment_start(line)
        if begun is not None:
            yield ColouredToken(*text.span((at + begun, at + len(line))), "comment")
        at += len(line) + 1
