"""Tables of the rulebook: rows of keys and values, and the expression that looks a key up in them.

In goes a `table` item. `key_param` and `looked_up` read its outside, types alone; `table_expr`
reads the rows once the things of the game are known by name.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.renames import notice
from ruleloom.compiler.resolve.declare import type_in
from ruleloom.compiler.resolve.records import Register, Values
from ruleloom.compiler.resolve.symbols import ParamSymbol, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import UNKNOWN, is_unknown, maybe, spoken
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, LARGEST, TEXT, Type

KEY = "by"
"""The name of a table's one parameter."""
TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
WHOLE = re.compile(r"0|-?[1-9][0-9]{0,15}")
MISSING = object()
Names = Mapping[str, tuple[str, ...]]


# ---------------------------------------------------------------------------------- types


def key_param(item: Item, symbols: Symbols, report: Report) -> tuple[ParamSymbol, ...] | None:
    """The one parameter of a table: what it is looked up by."""
    node = item.fields.get("by")
    type_ = type_in(symbols, report, node)
    if node is None or is_unknown(type_):
        return None
    made = type_.name in symbols.entities and bool(symbols.entities[type_.name].records)
    if type_ != Type(type_.name) or not (
        type_ in (INT, BOOL) or type_.name in symbols.enums or made
    ):
        message = f"nothing is looked up by {spoken(type_, symbols.nouns)}"
        help = "`Int`, `Bool`, an enum, or things that items of a kind make"
        report.error("type-mismatch", node.place, message, help)
        return None
    return (ParamSymbol(KEY, type_),)


def looked_up(item: Item, symbols: Symbols, report: Report) -> Type:
    """The type that a table gives: it may be none unless every key has a row, or `otherwise`."""
    node = item.fields.get("gives")
    type_ = type_in(symbols, report, node)
    if node is None or is_unknown(type_):
        return UNKNOWN
    plain = (
        type_ in (INT, BOOL, TEXT, FRACTION)
        or type_.name in symbols.enums
        or type_.name in symbols.points
    )
    if type_ != Type(type_.name) or not plain:
        message = f"a table does not give {spoken(type_, symbols.nouns)}"
        help = "a number, a text, yes or no, an enum or a point"
        report.error("type-mismatch", node.place, message, help)
        return UNKNOWN
    return type_ if "otherwise" in item.fields or _covers(item, symbols) else maybe(type_)


def _covers(item: Item, symbols: Symbols) -> bool:
    by, rows = item.fields["by"].text or "", item.fields["rows"].entries
    if by == BOOL.name:
        return {TRUTHS.get(key) for key in rows} >= {True, False}
    if by not in symbols.enums:
        return False
    known = set(symbols.enums[by])
    lacking = [one for one in symbols.enums[by] if one not in rows]
    new = symbols.new_values
    some = lacking and known > set(lacking)
    if some and new.are_all_new(by, lacking, item.place, symbols.belonging):
        new.note(by, lacking, item.name, "rows", item.id, item.place)
        return True
    # A row for an unknown key is reported where it stands; it may be the one that is lacking.
    return len(known - rows.keys()) <= len(rows.keys() - known)


# ---------------------------------------------------------------------------------- rows


def table_expr(
    item: Item, by: Type, gives: Type, symbols: Symbols, names: Names, report: Report
) -> Expr | None:
    """The look-up of slot 0 in a table; None after a complaint. `names` are those of the things."""
    seen: dict[Any, Place] = {}
    values: list[Any] = []
    fine = True
    rows, single = item.fields["rows"], Values(symbols, Register(), report).single

    def value_at(node: YamlNode) -> Any:
        written = gives == BOOL and node.text in TRUTHS
        return TRUTHS[node.text or ""] if written else single(gives, node)

    for written, node in rows.entries.items():
        place = _key_place(rows, written, node)
        key = _key(by, written, place, symbols, names, rows.entries, report)
        value = value_at(node)
        if key is not MISSING and key in seen:
            note, message = Note(seen[key], "the first one"), f"`{written}` has a row already"
            report.error("name-clash", place, message, "keep one of the two", (note,))
            key = MISSING
        fine &= key is not MISSING and value is not None
        if key is not MISSING:
            seen[key] = place
            values.append(value)
    other = item.fields.get("otherwise")
    otherwise = value_at(other) if other is not None else None
    if not fine or (other is not None and otherwise is None):
        return None
    columns = tuple(seen), tuple(values), otherwise
    return ("table", ("slot", 0), *(("value", column) for column in columns))


def _key_place(rows: YamlNode, key: str, node: YamlNode) -> Place:
    # The key of a row that a patch gave stands nowhere in this map: the place of its value has to do.
    own = node.source is rows.source and key in (rows.key_spans or {})
    return rows.key_place(key) if own else node.place


def _key(
    by: Type,
    written: str,
    place: Place,
    symbols: Symbols,
    names: Names,
    rows: Container[str],
    report: Report,
) -> Any:
    if by in (INT, BOOL):
        return _plain_key(by, written, place, report)
    known = symbols.enums.get(by.name) or names.get(by.name, ())
    if written in known:
        return written if by.name in symbols.enums else known.index(written)
    renamed = _renamed(by, written, symbols)
    if renamed is not None and renamed.name in known:
        notice(report, place, written, renamed, renamed.name)
        return known.index(renamed.name)
    made = symbols.entities.get(by.name)
    broken = made is not None and any(map(symbols.poisoned.may_hold, made.records))
    if not broken and not symbols.poisoned.may_declare(written):
        message = f"there is no {symbols.noun(by)} `{written}`; {choices_text(written, known)}"
        free = [one for one in known if one not in rows]
        help = did_you_mean(written, free) or did_you_mean(written, known)
        report.error("unknown-name", place, message, help)
    return MISSING


def _renamed(by: Type, written: str, symbols: Symbols) -> Item | None:
    """The item that makes such a thing and had this name before."""
    kinds = (kind for kind, entity in symbols.kinds.items() if entity == by.name)
    found = (symbols.renamed.get((kind, written)) for kind in kinds)
    return next((item for item in found if item is not None), None)


def _plain_key(by: Type, written: str, place: Place, report: Report) -> Any:
    if by == BOOL:
        if written in TRUTHS:
            return TRUTHS[written]
        message = f"`{written}` is neither `yes` nor `no`"
    else:
        if WHOLE.fullmatch(written) and abs(int(written)) <= LARGEST:
            return int(written)
        message = f"`{written}` is no whole number, and this table is by numbers"
    report.error("type-mismatch", place, message)
    return MISSING
