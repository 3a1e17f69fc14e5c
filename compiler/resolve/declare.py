"""Claims of names: within one table no name means two things; and the types written exist."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, nearest
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.name_uses import Meaning
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tokens import RESERVED
from ruleloom.compiler.types import UNKNOWN, read_type
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.values import Type

# The tables of names that effect texts use; an enum or a kind of items may be called anything.
SPOKEN = ("value", "call", "operation", "power")


def claim(symbols: Symbols, report: Report, table: str, name: str, place: Place) -> bool:
    """Take a name for one meaning; after a complaint, False if it has one in that table already."""
    first = symbols.places.get((table, name))
    if first is not None:
        # A vocabulary is read before all other items, so what a pack adds to it may come first.
        late = symbols.belonging.is_later(first, place)
        wrong, right = (first, place) if late else (place, first)
        note = Note(right, "the first one")
        message = f"`{name}` already means something"
        report.error("name-clash", wrong, message, "another name", (note,))
        # A text that uses the name may mean either, so neither is reported as unused.
        symbols.used.add(name)
        if late:
            symbols.forget(name)
            symbols.places[table, name] = place
        return late
    symbols.places[table, name] = place
    if table in SPOKEN and refuse_reserved(name, place, report):
        symbols.used.add(name)
        return False
    return True


def refuse_reserved(name: str, place: Place, report: Report) -> bool:
    """Complain about a name that is a word of the effect language."""
    is_reserved = name in RESERVED or name == "players"
    if is_reserved:
        message = f"`{name}` is a word of the effect language"
        report.error("reserved-name", place, message, "another name")
    return is_reserved


def type_in(symbols: Symbols, report: Report, node: YamlNode | None) -> Type:
    """The type written at a node, or unknown after a complaint."""
    if node is None or node.text is None:
        return UNKNOWN
    type_ = read_type(node.text)
    if type_ is None:
        message = f"`{node.text}` is not written like a type"
        report.error("unknown-type", node.place, message, "`Int`, `Piece?` or `List of Piece`")
        return UNKNOWN
    return known_type(symbols, report, type_, node.place, node.text)


def known_type(symbols: Symbols, report: Report, type_: Type, place: Place, written: str) -> Type:
    """The type written there if its name is known, else unknown after a complaint."""
    if symbols.is_type_name(type_.name):
        return type_
    close = nearest(type_.name, symbols.type_names(), 1)
    help = Suggestion(written, written.replace(type_.name, close[0])) if close else None
    if not symbols.poisoned.may_declare(type_.name):
        report.error("unknown-type", place, f"there is no type `{type_.name}`", help)
    return UNKNOWN


def written_type(symbols: Symbols, report: Report, passage: Passage, written: ast.TypeName) -> Type:
    """The type written in `takes:` or `gives:`."""
    start, end = written.span
    plain = Type(written.name, written.many, written.optional, written.by_player)
    table = "enum" if written.name in symbols.enums else "type"
    if symbols.uses.on and written.name in symbols.types:
        first = passage.text.index(written.name, start)
        span = first, first + len(written.name)
        symbols.uses.note(passage, span, Meaning(table, written.name), "type")
    type_ = Type.parse(str(plain)) if written.name == "Dice" and not written.many else plain
    return known_type(symbols, report, type_, passage.place(written.span), passage.text[start:end])
