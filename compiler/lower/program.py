"""Puts the program of a game together from its names and from what its texts came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.resolve.vocabulary import section
from ruleloom.compiler.yaml.node import to_data
from ruleloom.runtime.program.program import (
    FORMAT,
    Always,
    Assignment,
    Entity,
    Function,
    Move,
    OperationInfo,
    Program,
    QueryInfo,
    Replacement,
    Requirement,
    Routine,
    ScopeVariable,
    Setting,
    Sheet,
    Stat,
    Trigger,
)


@dataclass
class Parts:
    """What the texts of a game came to."""

    checked: dict[str, Checked] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    """The item of each routine that is called otherwise than its item."""
    triggers: list[Trigger] = field(default_factory=list)
    replacements: list[Replacement] = field(default_factory=list)
    always: list[Always] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    stats: list[Stat] = field(default_factory=list)
    scope: list[ScopeVariable] = field(default_factory=list)
    routines: list[Routine] = field(default_factory=list)
    assignments: dict[str, tuple[Assignment, ...]] = field(default_factory=dict)
    """What each operation that needs no driver sets."""
    moves: dict[str, tuple[Move, ...]] = field(default_factory=dict)
    """What it moves, and where."""
    entities: tuple[Entity, ...] = ()
    requirements: list[Requirement] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)


def assemble(
    content: Content,
    symbols: Symbols,
    parts: Parts,
    flows: dict[str, str],
    written: tuple[tuple[str, str], ...],
) -> Program:
    """Return the program; `flows` are the ids of its flows by name, `written` its rules texts."""
    game = content.pack(content.game)
    notation = content.by_kind("notation")
    return Program(
        format=FORMAT,
        edition=game.edition,
        game=content.game,
        title=game.title,
        lock=tuple(pack.lock for pack in content.packs),
        enums=tuple(symbols.enums.items()),
        points=tuple(symbols.points),
        entities=parts.entities,
        zones=tuple(symbols.zones.values()),
        scope=tuple(parts.scope),
        queries=tuple(_query(one) for one in symbols.callables.values() if one.kind == "query"),
        operations=_operations(content, symbols, parts),
        settings=_settings(content, symbols),
        functions=tuple(parts.functions),
        bonuses=tuple(symbols.bonuses.items()),
        stats=tuple(parts.stats),
        routines=tuple(parts.routines),
        triggers=tuple(parts.triggers),
        always=tuple(parts.always),
        set_up=flows.get("set_up", ""),
        turn=flows.get("turn", ""),
        texts=written,
        notation=_notation_data(notation),
        requirements=tuple(parts.requirements),
        sheets=tuple(parts.sheets),
        replacements=tuple(parts.replacements),
    )


def _notation_data(items: list[Item]) -> Any:
    data: dict[str, Any] = {}
    for item in items:
        data.update({key: to_data(node) for key, node in item.fields.items() if key != "kind"})
    return data or None


def _query(one: Signature) -> QueryInfo:
    params = tuple((param.name, str(param.type)) for param in one.params)
    return QueryInfo(one.name, params, str(one.result), one.reads, one.most, one.english, one.of)


def _operations(content: Content, symbols: Symbols, parts: Parts) -> tuple[OperationInfo, ...]:
    logs = {
        name: node.entries["log"].text or ""
        for item in content.by_kind("vocabulary")
        for name, node, _ in section(item, "operations")
        if "log" in node.entries
    }
    return tuple(
        OperationInfo(
            one.name,
            tuple((param.name, str(param.type)) for param in one.params),
            str(one.result) if one.result is not None else "",
            one.changes or _set_by(symbols, parts, one.name),
            one.touches,
            one.reveals,
            one.english,
            logs.get(one.name, ""),
            parts.assignments.get(one.name),
            one.makes,
            parts.moves.get(one.name, ()),
        )
        for one in symbols.operations.values()
    )


def _set_by(symbols: Symbols, parts: Parts, operation: str) -> tuple[str, ...]:
    """The columns that an operation sets by itself."""
    columns = [one.field for one in parts.assignments.get(operation, ())]
    made = symbols.entities.get(symbols.operations[operation].makes)
    columns += (
        [f"{made.name}.{one.name}" for one in made.fields.values()] if made is not None else []
    )
    moved = {symbols.zones[one.zone].of for one in parts.moves.get(operation, ())}
    columns += [zone.name for zone in symbols.zones.values() if zone.of in moved]
    return tuple(dict.fromkeys(columns))


def _settings(content: Content, symbols: Symbols) -> tuple[Setting, ...]:
    items = {item.slug: item for kind in ("setting", "switch") for item in content.by_kind(kind)}
    return tuple(
        Setting(
            one.name,
            "Text" if one.options else str(one.type),
            one.value,
            one.options,
            str(items[one.name].data("clause") or ""),
            str(items[one.name].data("english") or ""),
            one.low,
            one.high,
        )
        for one in symbols.settings.values()
    )
