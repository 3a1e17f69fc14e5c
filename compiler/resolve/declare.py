"""Putting a name into the symbols: no name means two things where it is looked up, and types
exist."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, nearest
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tokens import RESERVED
from ruleloom.compiler.types import UNKNOWN, read_type
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.values import Type

# The tables of names that effect texts write; an enum or a kind of items may be called anything.
SPOKEN = ("value", "call", "operation", "power")


def claim(symbols: Symbols, report: Report, table: str, name: str, place: Place) -> bool:
    """Take a name for one meaning; complain and return False if it has one in that table
    already."""
    first = symbols.places.get((table, name))
    if first is not None:
        # A vocabulary is read before all other items; what a pack adds to it may be what was not
        # free.
        late = symbols.belonging.is_later(first, place)
        wrong, right = (first, place) if late else (place, first)
        note = Note(right, "the first one")
        report.error(
            "name-clash", wrong, f"`{name}` already means something", "another name", (note,)
        )
        # Who meant which of the two cannot be told, so nobody is told that one of them is never
        # used.
        symbols.used.add(name)
        if late:
            symbols.forget(name)
            symbols.places[table, name] = place
        return late
    symbols.places[table, name] = place
    if table in SPOKEN and (name in RESERVED or name == "players"):
        report.error(
            "reserved-name", place, f"`{name}` is a word of the effect language", "another name"
        )
        symbols.used.add(name)
        return False
    return True


def type_in(symbols: Symbols, report: Report, node: YamlNode | None) -> Type:
    """The type written at a node, or unknown after a complaint."""
    text = node.text if node is not None else None
    if node is None or text is None:
        return UNKNOWN
    type_ = read_type(text)
    if type_ is None:
        report.error(
            "unknown-type",
            node.place,
            f"`{text}` is not written like a type",
            "`Int`, `Piece?` or `List of Piece`",
        )
        return UNKNOWN
    return known_type(symbols, report, type_, node.place, text)


def known_type(
    symbols: Symbols, report: Report, type_: Type, place: Place, written: str = ""
) -> Type:
    """The type itself if its name is known, else unknown after a complaint. `written` is what
    stands there."""
    if symbols.knows_type(type_.name):
        return type_
    close = nearest(type_.name, symbols.type_names(), 1)
    whole = written or type_.name
    help = Suggestion(whole, whole.replace(type_.name, close[0])) if close else None
    if not symbols.poisoned.may_declare(type_.name):
        report.error("unknown-type", place, f"there is no type `{type_.name}`", help)
    return UNKNOWN


def written_type(symbols: Symbols, report: Report, passage: Passage, written: ast.TypeName) -> Type:
    """The type written in `takes:` or `gives:`."""
    start, end = written.span
    plain = Type(written.name, written.many, written.optional, written.by_player)
    type_ = Type.parse(str(plain)) if written.name == "Dice" and not written.many else plain
    return known_type(symbols, report, type_, passage.place(written.span), passage.text[start:end])
