"""Printed fields whose value only one item of a kind may have: `unique: [number]`."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import show
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.resolve.vocabulary import section
from ruleloom.compiler.yaml.node import YamlNode, to_data


def check(build: Build) -> None:
    """Report every item that has a value which only one of its kind may have."""
    for vocabulary in build.content.by_kind("vocabulary"):
        for kind, node, _ in section(vocabulary, "kinds"):
            unique = node.get("unique")
            for name in unique.items if unique is not None else ():
                if _is_known(kind, name, build.symbols, build.report):
                    _check_items(build.content.by_kind(kind), name, build.report)


def _is_known(kind: str, name: YamlNode, symbols: Symbols, report: Report) -> bool:
    entity = symbols.kinds.get(kind, "")
    known = [field for field, of in symbols.fields.items() if entity in of and of[entity].static]
    written = str(name.value)
    if written not in known:
        message = (
            f"nothing called `{written}` is printed on items of this kind; "
            f"{choices_text(written, known)}"
        )
        report.error("unknown-field", name.place, message, did_you_mean(written, known))
    return written in known


def _check_items(items: Sequence[Item], name: YamlNode, report: Report) -> None:
    field = str(name.value)
    first: dict[str, Item] = {}
    for item in items:
        value = item.fields.get(field)
        if value is None or value.value in (None, "none"):
            continue
        data = to_data(value)
        other = first.setdefault(repr(data), item)
        if other is not item:
            notes = [Note(other.fields[field].place, "the first"), Note(name.place, "said here")]
            message = (
                f"`{field}` is {show(data)} here and of `{other.name}`, and each `{item.kind}` has its "
                "own"
            )
            report.error("printed-twice", value.place, message, None, notes)
