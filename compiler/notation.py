"""Checks that what the notation of scenarios speaks of exists: powers, the choices asked within them, zones,
variables, settings, measures and operations.

The data itself passes through unchanged; only scenario players read it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from compiler.content import Content, Item
from compiler.diagnostics import Report, did_you_mean
from compiler.symbols import Symbols
from compiler.yaml_node import Node
from runtime import program
from runtime.program import Routine

NAMED = ("power", "fusion", "flow")


def check_notation(content: Content, symbols: Symbols, routines: Sequence[Routine], report: Report) -> None:
    """Complain about everything that the notation names and that does not exist."""
    if not content.complete or len(routines) < sum("effect" in item.fields for item in content.items):
        # A text that could not be read may hold just the choice that is missing.
        return
    by_name = {_plain(routine.id): routine for routine in routines if _kind(routine.id) in NAMED}
    for item in content.by_kind("notation"):
        inside = item.fields.get("inside")
        _powers(inside.get("powers") if inside is not None else None, by_name, report)
        words = item.fields.get("words")
        for entry in _steps(item.fields.get("steps")):
            _step(entry, by_name, set(words.entries) if words is not None else set(), report)
        _positions(item, symbols, report)


def _kind(id: str) -> str:
    return id.partition(":")[2].partition("/")[0]


def _plain(id: str) -> str:
    return id.rpartition("/")[2].replace("-", "_")


def _steps(node: Node | None) -> Iterator[Node]:
    for forms in node.entries.values() if node is not None else ():
        yield from forms.entries.values()


def _powers(node: Node | None, by_name: Mapping[str, Routine], report: Report) -> list[Routine]:
    found: list[Routine] = []
    for one in node.items if node is not None else ():
        name = (one.text or one.raw).replace("-", "_")
        if name in by_name:
            found.append(by_name[name])
        else:
            report.error(
                "unknown-name", one.place, f"there is no power `{name}`", did_you_mean(name, by_name)
            )
    return found


def _step(entry: Node, by_name: Mapping[str, Routine], words: Collection[str], report: Report) -> None:
    powers = _powers(entry.get("powers"), by_name, report)
    if not powers:
        return
    known = _choices(powers, {routine.id: routine for routine in by_name.values()})
    names = entry.get("names")
    for node in names.entries.values() if names is not None else ():
        for one in node.items if node.kind == "list" else [node]:
            name = one.text or one.raw
            if name not in known and name not in words:
                message = f"none of these powers asks for `{name}`"
                report.error("unknown-name", one.place, message, did_you_mean(name, known))


def _choices(powers: list[Routine], by_id: Mapping[str, Routine]) -> set[str]:
    """The names of all choices, rolls and draws in these powers and in what they use."""
    names: set[str] = set()
    seen: set[str] = set()
    waiting = list(powers)
    while waiting:
        routine = waiting.pop()
        if routine.id in seen:
            continue
        seen.add(routine.id)
        for row in routine.rows:
            if isinstance(row, program.Choose | program.Secret | program.Roll | program.Draw):
                names.add(row.name)
            elif isinstance(row, program.Use) and row.routine in by_id:
                waiting.append(by_id[row.routine])
    return names


def _positions(item: Item, symbols: Symbols, report: Report) -> None:
    """`given` and `then`: where the words of a position are kept."""
    known: dict[str, tuple[str, Collection[str]]] = {
        "zone": ("zone", symbols.zones),
        "zone_size": ("zone", symbols.zones),
        "map": ("zone", symbols.zones),
        "map_size": ("zone", symbols.zones),
        "scope": ("variable", symbols.scope),
        "setting": ("setting", symbols.settings),
        "measure": ("measure", symbols.callables),
        "by": ("operation", symbols.operations),
        "tokens": ("entity", symbols.entities),
    }
    for part in ("given", "then"):
        section = item.fields.get(part)
        for entry in section.entries.values() if section is not None else ():
            for key, node in entry.entries.items():
                if key in known:
                    what, names = known[key]
                    _known(node, what, names, symbols, report)


def _known(node: Node, what: str, names: Collection[str], symbols: Symbols, report: Report) -> None:
    name = node.text or node.raw
    if what in ("setting", "measure"):
        symbols.used.add(symbols.callables[name].id if name in symbols.callables else name)
    if name not in names and name not in symbols.poisoned:
        report.error("unknown-name", node.place, f"there is no {what} `{name}`", did_you_mean(name, names))
