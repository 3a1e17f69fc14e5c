"""Enters the effects that last: what each takes, on what it lies, and how its things are called.

What keeps them is in the vocabulary by now (`ruleloom.compiler.packs.lasting_parts`). Refused here: a
name that means something already, a value called like what every such effect has, and fields that go
together or not at all.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.lasting_names import (
    BEARER,
    KIND,
    LONGEST,
    OWNER,
    OWNER_NAME,
    SELF,
    TAKEN_NAMES,
    TIME,
    TIME_NAME,
    Names,
)
from ruleloom.compiler.resolve.declare import type_in
from ruleloom.compiler.resolve.items import params_of
from ruleloom.compiler.resolve.symbols import Lasting, Signature, Symbols
from ruleloom.compiler.resolve.templates import check_holes
from ruleloom.compiler.types import PLAIN, UNKNOWN, is_unknown
from ruleloom.runtime.program.values import Type


def enter_lasting(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter every effect that lasts."""
    for item in content.by_kind(KIND):
        names = Names(item)
        free = _is_free(names, symbols, report)
        params = params_of(content, item, symbols, report)
        signature = Signature(KIND, item.slug, item.id, params or (), None, item.place)
        on = _bearer(item, symbols, report)
        signature.broken = not free or params is None or on == UNKNOWN
        signature.broken |= not _are_free(item, signature, report)
        _check_fields(item, names, report)
        always = (OWNER_NAME, TIME_NAME, *((SELF,) if on is not None else ()))
        check_holes(item.fields.get("english"), symbols, report, signature.params, always)
        symbols.lasting[item.slug] = Lasting(names, signature, on)
        if signature.broken:
            symbols.poisoned.add(names.entity, names.query)
        else:
            kept = (OWNER, TIME, BEARER)
            symbols.read.update(f"{names.entity}.{field}" for field in kept)


def _bearer(item: Item, symbols: Symbols, report: Report) -> Type | None:
    """The type of what it lies on; unknown after a complaint, None for the table."""
    written = item.fields.get("on")
    if written is None:
        return None
    on = type_in(symbols, report, written)
    if on.name in PLAIN and not is_unknown(on):
        message = f"nothing lies on a value of the type `{on}`"
        help = "an entity, a point or an enum; without `on:` it lies on the table"
        report.error("type-mismatch", written.place, message, help)
        return UNKNOWN
    return on


def _is_free(names: Names, symbols: Symbols, report: Report) -> bool:
    """Complain about a name of its type or list that is there already."""
    item = names.item
    for table, name in (("type", names.entity), ("call", names.query)):
        first = symbols.places.get((table, name))
        if first is not None and first != item.place:
            what = "the type" if table == "type" else "the list"
            message = f"{what} of these effects would be `{name}`, which already means something"
            note = Note(first, "the first one")
            report.error("name-clash", item.place, message, "another id", [note])
            return False
    return True


def _are_free(item: Item, signature: Signature, report: Report) -> bool:
    """Complain about a value that is called like what every effect has."""
    for param in signature.params:
        if param.name in TAKEN_NAMES:
            message = f"every effect that lasts has `{param.name}` already"
            report.error("name-clash", item.fields["takes"].place, message, "another name")
            return False
    return True


def _check_fields(item: Item, names: Names, report: Report) -> None:
    """Complain about fields that do nothing without another."""
    fields = item.fields
    if "effect" in fields and not names.counts:
        message = "`effect` is what happens when its time is up, and nothing counts its time"
        help = "`counts: after turn()` counts turns; what happens at an early end stands in `ended`"
        report.error("missing-field", item.node.key_place("effect"), message, help)
    if names.stacks == LONGEST and not names.counts:
        message = "the longest of several stays, and nothing counts their time"
        report.error(
            "missing-field", fields["stacks"].place, message, "`counts:`, or `stacks: once`"
        )
