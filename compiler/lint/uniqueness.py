"""Printed fields whose value only one item of a kind may have: `unique: [number]`."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.lint.ignored_fields import is_printed, printed_fields
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.patch.edits import show
from ruleloom.compiler.resolve.vocabulary import section
from ruleloom.compiler.yaml.node import YamlNode, to_data


def check(build: Build) -> None:
    """Report every item that has a value which only one of its kind may have: at the later one."""
    for vocabulary in build.content.by_kind("vocabulary"):
        for kind, node, _ in section(vocabulary, "kinds"):
            unique = node.get("unique")
            for name in unique.items if unique is not None else ():
                known = printed_fields(kind, build.symbols)
                if is_printed(str(name.value), name.place, known, build.report):
                    _check_items(build.content.by_kind(kind), name, build.report)


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
            both = f"`{field}` is {show(data)} here and of `{other.name}`"
            message = f"{both}, and each `{item.kind}` has its own"
            # A table that joins two packs may have written neither.
            tell = report.error if other.pack == item.pack else report.warning
            tell("printed-twice", value.place, message, None, notes)
