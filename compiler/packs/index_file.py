"""Reads an index: a list of packs with their versions, what they require, and where their zips are.

It is YAML, read as strictly as a pack. Errors are what its schema refuses, versions and ranges that are none,
and a version of a pack that is listed twice. What an address may be is decided by who follows it.
"""

from __future__ import annotations

from collections.abc import Mapping

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.packs.manifest import RangeError, read_range, read_version
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of, text_of
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import Frozen

EDITION = 1
ANY = SpecifierSet("")


class IndexEntry(Frozen):
    """One version of a pack in an index; `requires` has its game, too, and `place` is that of its address."""

    id: str
    version: Version
    requires: Mapping[str, SpecifierSet]
    sha256: str
    address: str
    place: Place


def read_index(source: Source, report: Report) -> tuple[IndexEntry, ...]:
    """Return the packs of an index; none after reporting an error."""
    node = compose(source, report)
    if report.has_errors or node is None:
        if node is None and not report.has_errors:
            place, help = Place.of_file(source.path), "`ruleloom index FOLDER` writes one"
            report.error("empty-file", place, "this index holds nothing", help)
        return ()
    if not check_item(node, "index", schemas_of(SCHEMAS), report):
        return ()
    found: dict[tuple[str, Version], IndexEntry] = {}
    for one in items_of(node.get("packs")):
        entry = _entry(one, report)
        if entry is None:
            continue
        first = found.setdefault((entry.id, entry.version), entry)
        if first is not entry:
            message = f"`{entry.id}` {entry.version} is listed twice"
            note = Note(first.place, "the other one is here")
            help = "leave one of them out: nobody could say which is meant"
            report.error("duplicate-pack", one.entries["id"].place, message, help, [note])
    return () if report.has_errors else tuple(found.values())


def _entry(node: YamlNode, report: Report) -> IndexEntry | None:
    fields = {name: text_of(one) for name, one in node.entries.items()}
    version = read_version(fields["version"])
    if version is None:
        message, place = f"`{fields['version']}` is not a version", node.entries["version"].place
        report.error("bad-version", place, message, "write three numbers: `1.0.0`")
    requires = {fields["game"]: ANY} if fields["game"] != fields["id"] else {}
    for id, wanted in entries_of(node.get("requires")).items():
        try:
            requires[id] = read_range(text_of(wanted))
        except RangeError as error:
            report.error("bad-range", wanted.place, str(error), error.help)
    if version is None:
        return None
    place = node.entries["address"].place
    return IndexEntry(fields["id"], version, requires, fields["sha256"], fields["address"], place)
