"""Reads what can be asked and done in a game into the symbols: queries, operations, names of
standing rules.

In go the vocabulary items, whose types are known by now; out come signatures. Columns, touched
things and the holes of English templates must name something that there is.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.declare import claim, type_in
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature, Symbols
from ruleloom.compiler.resolve.templates import hole_help, hole_place, holes
from ruleloom.compiler.resolve.vocabulary import int_of, section, text_of
from ruleloom.compiler.types import is_unknown
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.values import Type


def read_calls(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter the queries, operations and standing rules that the vocabularies of the packs
    declare."""
    for item in content.by_kind("vocabulary"):
        _queries(item, symbols, report)
        _operations(item, symbols, report)
        _always(item, symbols, report)


def _queries(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "queries"):
        params = _params(node, symbols, report)
        table = "call" if params else "value"
        if not claim(symbols, report, "call", name, place) or (
            table == "value" and not claim(symbols, report, "value", name, place)
        ):
            continue
        english = text_of(node, "english")
        result = type_in(symbols, report, node.get("result"))
        of = _found_by(node, name, params, result, symbols, report)
        reads = (of,) if of else _columns(node.get("reads"), symbols, report)
        symbols.callables[name] = Signature(
            "query",
            name,
            f"query/{name}",
            params,
            result,
            place,
            english,
            reads,
            int_of(node, "max"),
            of=of,
        )
        check_holes(node.get("english"), {one.name for one in params}, symbols, report)


def _found_by(
    node: YamlNode,
    name: str,
    params: tuple[ParamSymbol, ...],
    result: Type,
    symbols: Symbols,
    report: Report,
) -> str:
    """The column `of:` names: a query that no driver answers finds the things whose field has a
    value."""
    written = node.get("of")
    if written is None:
        if node.get("reads") is None:
            message = f"`{name}` says neither what it `reads` nor by which field it finds things"
            report.error("missing-value", node.place, message, "`of: Piece.owner`, or `reads:`")
        return ""
    [column] = _columns(written, symbols, report)
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
    elif len(params) > 1 or any(not _may_find(one.type, field.type) for one in params):
        message = f"`{name}` takes the `{field.type.present}` by which things are found, or nothing"
        report.error("type-mismatch", node.key_place("params"), message)
    else:
        symbols.read.add(column)
        return column
    return ""


def _may_find(given: Type, wanted: Type) -> bool:
    """Can things be found by such a value? Of a type that does not exist nothing more is said."""
    return is_unknown(given) or is_unknown(wanted) or given.present == wanted.present


def _params(node: YamlNode, symbols: Symbols, report: Report) -> tuple[ParamSymbol, ...]:
    params = node.get("params")
    found: list[ParamSymbol] = []
    for name, child in params.entries.items() if params is not None else ():
        type_ = type_in(symbols, report, child if child.kind == "text" else child.get("type"))
        found.append(ParamSymbol(name, type_))
    return tuple(found)


def _columns(node: YamlNode | None, symbols: Symbols, report: Report) -> tuple[str, ...]:
    """The columns named by `reads:` or `changes:`: `Piece.space`, or a zone."""
    known = [f"{entity}.{field}" for field, owners in symbols.fields.items() for entity in owners]
    known += symbols.zones
    columns: list[str] = []
    for one in [] if node is None else node.items if node.kind == "list" else [node]:
        name = one.text or one.raw
        columns.append(name)
        if name not in known and not symbols.poisoned.may_declare(name):
            report.error(
                "unknown-name", one.place, f"there is no column `{name}`", did_you_mean(name, known)
            )
    return tuple(columns)


def _operations(item: Item, symbols: Symbols, report: Report) -> None:
    for name, node, place in section(item, "operations"):
        params = _params(node, symbols, report)
        if not claim(symbols, report, "operation", name, place):
            continue
        makes = _makes(node, symbols, report)
        written = node.get("result")
        result = (
            type_in(symbols, report, written)
            if written is not None
            else Type(makes)
            if makes
            else None
        )
        reveals = node.get("reveals")
        signature = Signature(
            "operation",
            name,
            f"operation/{name}",
            params,
            result,
            place,
            text_of(node, "english"),
            reveals=reveals is not None and (reveals.value is True or reveals.text == "yes"),
            changes=_columns(node.get("changes"), symbols, report),
            sets=node.get("sets"),
            makes=makes,
            moves=node.get("moves"),
            touches=_touches(node.get("touches"), params, result, report),
        )
        _does_something(signature, node, report)
        symbols.operations[name] = signature
        symbols.events[name] = params
        names = {one.name for one in params} | ({"result"} if result else set())
        check_holes(node.get("english"), names, symbols, report)
        check_holes(node.get("log"), names, symbols, report)


def _makes(node: YamlNode, symbols: Symbols, report: Report) -> str:
    """The entity of which an operation brings one into play: one that can be there or not."""
    written = node.get("makes")
    name = written.text or "" if written is not None else ""
    entity = symbols.entities.get(name)
    if written is None or (entity is not None and entity.present and not entity.recorded):
        return name
    choices = [one.name for one in symbols.entities.values() if one.present and not one.recorded]
    if entity is None and symbols.poisoned.may_declare(name):
        return ""
    message = f"`{name}` is nothing of which one more can come into play: it says no `present:`"
    if entity is None:
        message = f"there is no entity `{name}`"
    report.error("unknown-type", written.place, message, did_you_mean(name, choices))
    return ""


def _does_something(operation: Signature, node: YamlNode, report: Report) -> None:
    """An operation says which columns its driver changes, or itself what it sets; not both."""
    if operation.sets is None and node.get("changes") is None:
        message = f"`{operation.name}` does not say what it changes"
        report.error("missing-value", operation.place, message, "`sets: {field(thing): value}`")
    elif operation.sets is None:
        extra = next((word for word in ("makes", "moves") if node.get(word) is not None), None)
        if extra is not None:
            message = (
                f"what `{operation.name}` {extra} is the driver's, as it says what it `changes`"
            )
            help = f"`sets:` instead of `changes:`, or delete `{extra}:`"
            report.error("kinds-disagree", node.key_place(extra), message, help)
    else:
        extra = next((word for word in ("changes", "result") if node.get(word) is not None), None)
        if extra is not None:
            message = f"`{operation.name}` says what it `sets`, and so needs no `{extra}`"
            report.error("kinds-disagree", node.key_place(extra), message, f"delete `{extra}:`")


def _touches(
    node: YamlNode | None, params: tuple[ParamSymbol, ...], result: Type | None, report: Report
) -> tuple[str, ...]:
    known = [one.name for one in params] + (["result"] if result else [])
    found: list[str] = []
    for one in (
        node.items
        if node is not None and node.kind == "list"
        else [node]
        if node is not None
        else []
    ):
        name = one.text or one.raw
        if name in known:
            found.append(name)
        else:
            report.error(
                "unknown-name", one.place, f"it has no `{name}` to touch", did_you_mean(name, known)
            )
    return tuple(found)


def check_holes(node: YamlNode | None, params: set[str], symbols: Symbols, report: Report) -> None:
    """Complain about holes of a template that name nothing."""
    text = node.text if node is not None else None
    if node is None or text is None:
        return
    known = {*params, *symbols.scope, *symbols.settings}
    for hole in holes(text):
        if hole[1] not in known and not symbols.poisoned.may_declare(hole[1]):
            help, place = hole_help(symbols, hole[1], known), hole_place(node, hole)
            report.error("unknown-name", place, f"nothing fills the hole `{hole[0]}`", help)


def _always(item: Item, symbols: Symbols, report: Report) -> None:
    node = item.fields.get("always")
    for one in node.items if node is not None else []:
        name = one.get("name")
        if name is not None and name.text and claim(symbols, report, "rule", name.text, name.place):
            symbols.always[name.text] = name.place
