"""Reads queries, operations and the names of standing rules into the symbols.

From the vocabulary items, whose types are known, it makes signatures. Columns, touched things and the
holes of English templates must exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.declare import check_holes, claim, refuse_reserved, type_in
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature, Symbols
from ruleloom.compiler.resolve.vocabulary import int_of, section
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import UNKNOWN, is_unknown
from ruleloom.compiler.yaml.node import YamlNode, fields_of, items_of, text_of
from ruleloom.runtime.program.program import Expr, Zone
from ruleloom.runtime.program.values import INT, Type

Params = tuple[ParamSymbol, ...]


def read_calls(content: Content, symbols: Symbols, report: Report) -> None:
    """Add the queries, operations, moments and standing rules of the vocabularies."""
    for item in content.by_kind("vocabulary"):
        _queries(item, symbols, report)
        _operations(item, symbols, report)
        _moments(item, symbols, report)
        for name, node, place in section(item, "deciders"):
            _decide(name, node, place, symbols, report)
        for one in items_of(item.fields.get("always")):
            name = text_of(one.get("name"))
            if name and claim(symbols, report, "rule", name, one.entries["name"].place):
                symbols.always[name] = one.entries["name"].place


def _queries(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "queries"):
        params = _params(name, node, symbols, report)
        tables = ("call",) if params else ("call", "value")
        claimed = all(claim(symbols, report, table, name, place) for table in tables)
        if not claimed or params is None:
            continue
        id, english, most = f"query/{name}", text_of(node.get("english")), int_of(node, "max")
        result = type_in(symbols, report, node.get("result"))
        of = _found_by(node, name, params, result, symbols, report)
        reads = (of,) if of else _columns(node.get("reads"), symbols, report)
        symbols.callables[name] = Signature(
            "query", name, id, params, result, place, english, reads, most, of=of
        )
        check_holes(node.get("english"), symbols, report, params, asks=True)


def _found_by(
    node: YamlNode, name: str, params: Params, result: Type, symbols: Symbols, report: Report
) -> str:
    """The column in `of:`, by which a query without driver finds things; or empty."""
    written = node.get("of")
    if written is None:
        if node.get("reads") is None:
            message = f"`{name}` says neither what it `reads` nor by which field it finds things"
            report.error("missing-value", node.place, message, "`of: Piece.owner`, or `reads:`")
        return ""
    [column] = _columns(written, symbols, report)
    if column in symbols.zones:
        return _places_of(symbols.zones[column], node, params, result, report)
    return _by_field(column, node, name, params, result, symbols, report)


def _by_field(
    column: str,
    node: YamlNode,
    name: str,
    params: Params,
    result: Type,
    symbols: Symbols,
    report: Report,
) -> str:
    """The field by which a query finds things; empty after an error."""
    written = node.entries["of"]
    entity, _, field_name = column.partition(".")
    field = symbols.fields.get(field_name, {}).get(entity)
    if field is None:
        return ""
    wanted = Type(entity, many=True)
    if node.get("reads") is not None:
        message = f"`{name}` finds things by their `{field_name}`, and so reads nothing else"
        report.error("kinds-disagree", node.key_place("reads"), message, "delete `reads:`")
    elif field.static or field.by or field.type.many:
        message = f"things are found by a single value that can change, and `{column}` is none"
        report.error("kinds-disagree", written.place, message)
    elif result != wanted and not is_unknown(result):
        message = f"what is found by `{column}` is `{wanted}`, not `{result}`"
        report.error("type-mismatch", node.entries["result"].place, message, f"`result: {wanted}`")
    elif len(params) > 1 or not all(
        # No second error for an unknown type.
        is_unknown(one.type) or is_unknown(field.type) or one.type.present == field.type.present
        for one in params
    ):
        message = f"`{name}` takes the `{field.type.present}` by which things are found, or nothing"
        report.error("type-mismatch", node.key_place("params"), message)
    else:
        symbols.read.add(column)
        return column
    return ""


def _places_of(zone: Zone, node: YamlNode, params: Params, result: Type, report: Report) -> str:
    """The zone whose places a query finds; empty after an error."""
    wanted = Type(zone.under, many=True)
    if not zone.under or params or node.get("reads") is not None:
        message = f"`of: {zone.name}` finds the places of a zone under things or points, and takes nothing"
        report.error("kinds-disagree", node.entries["of"].place, message)
    elif result != wanted and not is_unknown(result):
        message = f"what is found by `{zone.name}` is `{wanted}`, not `{result}`"
        report.error("type-mismatch", node.entries["result"].place, message, f"`result: {wanted}`")
    else:
        return zone.name
    return ""


def _params(name: str, node: YamlNode, symbols: Symbols, report: Report) -> Params | None:
    """The parameters of a callee; None after an error for a reserved name."""
    found: list[ParamSymbol] = []
    for param, child, place in fields_of(node.get("params")):
        if refuse_reserved(param, place, report):
            symbols.poisoned.add(name)
            return None
        type_ = type_in(symbols, report, child if child.kind == "text" else child.get("type"))
        found.append(ParamSymbol(param, type_))
    return tuple(found)


def _listed(node: YamlNode | None) -> Iterator[tuple[str, YamlNode]]:
    """Yield the names in a node."""
    if node is not None:
        for one in node.items if node.kind == "list" else [node]:
            yield one.text or one.raw, one


def _columns(node: YamlNode | None, symbols: Symbols, report: Report) -> tuple[str, ...]:
    """The columns in `reads:` or `changes:`: `Piece.space`, or a zone."""
    columns: list[str] = []
    for name, one in _listed(node):
        columns.append(name)
        entity, dot, field = name.partition(".")
        is_there = entity in symbols.fields.get(field, ()) if dot else name in symbols.zones
        if not is_there and not symbols.poisoned.may_declare(name):
            owners = symbols.fields.items()
            known = [f"{of}.{field}" for field, found in owners for of in found]
            help = did_you_mean(name, [*known, *symbols.zones])
            report.error("unknown-name", one.place, f"there is no column `{name}`", help)
    return tuple(columns)


def _operations(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "operations"):
        params = _params(name, node, symbols, report)
        if not claim(symbols, report, "operation", name, place) or params is None:
            continue
        makes = _makes(node, symbols, report)
        result = Type(makes) if makes else UNKNOWN if "makes" in node.entries else None
        if (written := node.get("result")) is not None:
            result = type_in(symbols, report, written)
        id, english = f"operation/{name}", text_of(node.get("english"))
        signature = Signature("operation", name, id, params, result, place, english)
        if (reveals := node.get("reveals")) is not None:
            signature.reveals = reveals.value is True or reveals.text == "yes"
        signature.changes = _columns(node.get("changes"), symbols, report)
        signature.sets, signature.moves = node.get("sets"), node.get("moves")
        signature.makes = makes
        signature.touches = _touches(node.get("touches"), params, result, report)
        _does_something(signature, node, report)
        symbols.operations[name] = signature
        symbols.events[name] = params
        result_name = ("result",) if result else ()
        check_holes(node.get("english"), symbols, report, params, result_name)
        check_holes(node.get("log"), symbols, report, params, result_name)


def _moments(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "moments"):
        params = _params(name, node, symbols, report)
        if not claim(symbols, report, "operation", name, place) or params is None:
            continue
        moment = Signature("moment", name, f"moment/{name}", params, None, place)
        moment.english = text_of(node.get("english"))
        _open_value(moment, node, report)
        symbols.operations[name] = moment
        symbols.events[name] = params
        if (decider := node.get("decided_by")) is not None:
            _decide(name, decider, decider.place, symbols, report)
        check_holes(node.get("english"), symbols, report, params)


def _open_value(moment: Signature, node: YamlNode, report: Report) -> None:
    """Read the open parameter of a moment, and its bounds."""
    types, written = {param.name: param.type for param in moment.params}, node.get("open")
    if written is not None and written.text not in types:
        help = did_you_mean(str(written.text), types)
        message = f"it has no `{written.text}` to leave open"
        report.error("unknown-name", written.place, message, help)
        moment.result = UNKNOWN
        return
    if written is not None:
        moment.open = str(written.text)
        moment.result = types[moment.open]
    _open_bounds(moment, node, report)


def _open_bounds(moment: Signature, node: YamlNode, report: Report) -> None:
    """Read the bounds of a moment's open value."""
    moment.open_least, moment.open_most = (_bound(node.get(word)) for word in ("least", "most"))
    result = moment.result
    if result is not None and is_unknown(result):
        return
    refused: dict[str, str] = {}
    if result is None or (result != INT and not result.many):
        why = "only an open number, list or dice can be kept within bounds"
        refused = dict.fromkeys(("least", "most"), why)
    elif result.many:
        refused = {"least": "a list may always be empty"}
    for word in refused.keys() & node.entries.keys():
        report.error("kinds-disagree", node.key_place(word), refused[word], f"delete `{word}:`")
    match moment.open_least, moment.open_most:
        case ("value", least), ("value", most) if least > most:
            message = f"nothing is from {least} to {most}"
            report.error("out-of-bounds", node.entries["most"].place, message)


def _bound(node: YamlNode | None) -> Expr | None:
    if node is None:
        return None
    return ("value", node.value) if node.kind == "int" else ("setting", text_of(node))


def check_open_bounds(content: Content, symbols: Symbols, report: Report) -> None:
    """Report bounds of open values that are not settings of whole numbers."""
    numbers = [one.name for one in symbols.settings.values() if one.type == INT]
    items = content.by_kind("vocabulary") + content.by_kind("extension")
    moments = chain.from_iterable(section(item, "moments") for item in items)
    for (moment, entry, _), word in product(moments, ("least", "most")):
        node = entry.get(word)
        name = text_of(node)
        if node is None or node.kind == "int":
            continue
        if name in numbers:
            symbols.used.add(name)
            continue
        symbols.operations[moment].open_least = symbols.operations[moment].open_most = None
        help = did_you_mean(name, numbers)
        if name in symbols.settings:
            report.error("type-mismatch", node.place, f"`{name}` is no whole number", help)
        elif not symbols.poisoned.may_declare(name):
            report.error("unknown-setting", node.place, f"there is no setting `{name}`", help)


def _decide(event: str, node: YamlNode, place: Place, symbols: Symbols, report: Report) -> None:
    """Add the decider of the order of an event's answers."""
    other, where = symbols.deciders.setdefault(event, (node, place))
    if other is not node:
        message, notes = (f"it is said already who decides for `{event}`", [Note(where, "here")])
        report.error("name-clash", place, message, "take one of the two out", notes)


def _makes(node: YamlNode, symbols: Symbols, report: Report) -> str:
    """The entity that an operation makes, which must have `present:`."""
    written, name = node.get("makes"), text_of(node.get("makes"))
    choices = [one.name for one in symbols.entities.values() if one.present and not one.recorded]
    if written is None or name in choices:
        return name
    message = f"`{name}` is nothing of which one more can come into play: it says no `present:`"
    if name not in symbols.entities:
        if symbols.poisoned.may_declare(name):
            return ""
        message = f"there is no entity `{name}`"
    report.error("unknown-type", written.place, message, did_you_mean(name, choices))
    return ""


def _does_something(operation: Signature, node: YamlNode, report: Report) -> None:
    """Report an operation without either `changes:` or `sets:`, or with both."""
    name = f"`{operation.name}`"
    wrong = ("makes", "moves") if operation.sets is None else ("changes", "result")
    extra = next((word for word in wrong if word in node.entries), None)
    if operation.sets is None and "changes" not in node.entries:
        message, help = f"{name} does not say what it changes", "`sets: {field(thing): value}`"
        report.error("missing-value", operation.place, message, help)
    elif extra is not None and operation.sets is None:
        message = f"what {name} {extra} is the driver's, as it says what it `changes`"
        help = f"`sets:` instead of `changes:`, or delete `{extra}:`"
        report.error("kinds-disagree", node.key_place(extra), message, help)
    elif extra is not None:
        message = f"{name} says what it `sets`, and so needs no `{extra}`"
        report.error("kinds-disagree", node.key_place(extra), message, f"delete `{extra}:`")


def _touches(
    node: YamlNode | None, params: Params, result: Type | None, report: Report
) -> tuple[str, ...]:
    known = [one.name for one in params] + (["result"] if result else [])
    found: list[str] = []
    for name, one in _listed(node):
        if name in known:
            found.append(name)
        else:
            message = f"it has no `{name}` to touch"
            report.error("unknown-name", one.place, message, did_you_mean(name, known))
    return tuple(found)
