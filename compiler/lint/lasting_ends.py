"""Effects that last: one that nothing begins, one that nothing ends, values that nothing reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.lasting_names import NEVER, told_id
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.resolve.symbols import Lasting
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr, parse_occurrence
from ruleloom.compiler.syntax.tree import holes, walk

ENDINGS = ("counts", "until", "while")


def check(build: Build) -> None:
    """Warn about effects that last for ever or never, and about what they keep for nobody."""
    below = build.content.built_upon
    doers: dict[str, set[str]] = {}
    for id in build.checked:
        for done in build.summaries.outline(id).calls:
            doers.setdefault(done.name, set()).add(id)
    for lasting in build.symbols.lasting.values():
        item, name = lasting.names.item, lasting.names.query
        if item.pack in below:
            continue
        if lasting.names.begin not in doers:
            build.report.warning("unused-item", item.place, f"nothing begins `{name}`")
        elif not _ends(lasting, doers):
            message = f"nothing ends `{name}`: once begun, it lasts for ever"
            help = f"`counts:`, `until:` or `while:`; or `until: {NEVER}`"
            build.report.warning("never-ends", item.place, message, help)
        _check_values(build, lasting)


def _ends(lasting: Lasting, doers: Mapping[str, set[str]]) -> bool:
    """Does anything end it? `doers` are the texts that do each operation and use each text."""
    fields, names = lasting.names.item.fields, lasting.names
    if names.counts or any(field in fields for field in ENDINGS):
        return True
    own = {lasting.effect, lasting.ended, told_id(lasting.ended)}  # run only when it ends
    return any(doers.get(done, own) - own for done in (names.end, lasting.ended))


def _check_values(build: Build, lasting: Lasting) -> None:
    """Warn about values that it takes and nothing reads."""
    item = lasting.names.item
    spoken = set(HOLE.findall(str(item.data("english") or "")))
    spoken |= {name for tree in _texts(build, lasting) for name in _names(tree)}
    for param in lasting.signature.params:
        column = f"{lasting.names.entity}.{param.name}"
        if param.name not in spoken and column not in build.symbols.read:
            message = f"it takes `{param.name}`, and nothing reads that"
            build.report.warning("never-read", item.fields["takes"].place, message)


def _texts(build: Build, lasting: Lasting) -> Iterator[Any]:
    item, content = lasting.names.item, build.content
    yield build.bodies.stats.abilities.block(item)
    for id in filter(None, (lasting.effect, lasting.ended)):
        block = build.bodies.blocks[id]
        yield block[1] if block is not None else ()
    until = item.fields.get("until")
    nodes = [until, *until.items] if until is not None else []
    forms: list[tuple[Any, Callable[[str], Any]]] = [(node, parse_occurrence) for node in nodes]
    forms += [(item.fields.get("counts"), parse_occurrence), (item.fields.get("while"), parse_expr)]
    for node, parse in forms:
        if node is not None and node.kind != "list":
            found = read_text(content, node, parse, Report())
            yield found[1] if found is not None else ()


def _names(tree: Any) -> Iterator[str]:
    for one in walk(tree):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.TextLiteral):
            yield from (name.id for name in holes(one))
