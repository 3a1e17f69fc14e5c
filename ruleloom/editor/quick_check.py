"""What can be told at once about a file that is being written, without the rest of its packs.

In go a text and what the last whole check has said; out come findings. Changed items are held
against their schemas, and their texts checked against the names of the last sound state. Everything
else is remembered: of other items, of unchanged lines, and of the other files. What only a whole
check can tell of a changed line (who uses it, what it costs) is not said until there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from ruleloom.compiler.analysis.yaml_cursor import ItemLines, YamlCursor
from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.resolve.embedded import parsed, passage_at
from ruleloom.compiler.schema.registry import LIKE
from ruleloom.compiler.schema.validate import check_item, item_nodes, kind_of
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.editor.cursor.effect_cursor import form_of, surroundings
from ruleloom.editor.cursor.probe import check_alone
from ruleloom.editor.names.occurrences import PARSERS
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass

CHECKED = frozenset({"block", "abilities", "expr"})


@dataclass
class QuickCheck:
    """The quick checks since one whole check, whose `snapshot` they begin with."""

    snapshot: Snapshot
    _read: dict[str, _ReadFile] = field(default_factory=dict)

    def snapshot_with(self, path: str, text: str) -> Snapshot | None:
        """The snapshot with another text of a file; None for a file that the packs do not have."""
        snapshot, shown = self.snapshot, self.snapshot.shown.get(path, "")
        old = snapshot.result.sources.get(shown)
        if old is None or shown not in snapshot.content.files:
            return None
        before = self._read.get(shown) or _ReadFile.of(snapshot, shown, old)
        self._read[shown] = before
        diagnostics = snapshot.result.diagnostics
        said = [one for one in diagnostics if one.place.path == shown]
        found = {one for one in diagnostics if one.place.path != shown}
        found.update(_told(before, _ReadFile.of(snapshot, shown, text), said))
        result = replace(
            snapshot.result,
            diagnostics=tuple(sorted(found, key=Diagnostic.order)),
            sources={**snapshot.result.sources, shown: text},
        )
        return Snapshot(result, snapshot.kept)


@dataclass(frozen=True, slots=True)
class _ReadFile:
    """A file in one state: what is wrong with its YAML, and its items, if it could be read."""

    snapshot: Snapshot
    text: str
    findings: tuple[Diagnostic, ...]
    items: tuple[YamlNode, ...] | None
    checked: dict[int, tuple[Diagnostic, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, snapshot: Snapshot, shown: str, text: str) -> _ReadFile:
        report = Report()
        try:
            source = Source.from_text(text, shown)
        except SourceError as error:
            report.refuse(error)
            return cls(snapshot, text, report.found, None)
        root = compose(source, report)
        items = tuple(item_nodes(root, report)) if root is not None else None
        return cls(snapshot, text, report.found, items)

    def touching(self, first: int, last: int) -> list[YamlNode]:
        """The items with one of some lines, or just beside them."""
        return [
            one
            for one in self.items or ()
            if one.place.line <= last + 1 and one.place.end_line >= first - 1
        ]

    def said_of(self, item: YamlNode) -> tuple[Diagnostic, ...]:
        """What is wrong with an item by itself."""
        if item.start not in self.checked:
            report = Report()
            report.take(self.findings)
            _check_item(self.snapshot, self.text, item, report)
            self.checked[item.start] = report.found[len(self.findings) :]
        return self.checked[item.start]


def _told(before: _ReadFile, after: _ReadFile, said: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings about the later state of a file, by what a whole check has said of the earlier."""
    yield from after.findings
    if after.items is None or before.items is None:
        return
    lines = _ChangedLines.between(before.text, after.text)
    was = before.touching(lines.first, lines.old_last)
    quick = {_words(one) for item in was for one in before.said_of(item)}
    # What is wrong only as long as the rest of the game is not asked is no mistake.
    untrue = quick - {_words(one) for one in said}
    for item in after.touching(lines.first, lines.new_last):
        yield from (one for one in after.said_of(item) if _words(one) not in untrue)
    of_yaml = {_words(one) for one in before.findings}
    kept = (one for one in said if _words(one) not in of_yaml)
    left = (one for one in kept if _words(one) not in quick or not _is_in(one, was))
    yield from filter(None, map(lines.moved, left))


def _is_in(one: Diagnostic, items: Sequence[YamlNode]) -> bool:
    return any(item.place.line <= one.place.line <= item.place.end_line for item in items)


def _words(one: Diagnostic) -> tuple[str, str]:
    return one.code, one.message


@dataclass(frozen=True, slots=True)
class _ChangedLines:
    """The lines from the first to the last that differ, from 1, in an old and a new text; the last
    may lie before the first where lines were only added or only taken out."""

    first: int
    old_last: int
    new_last: int

    @classmethod
    def between(cls, old_text: str, new_text: str) -> _ChangedLines:
        old, new = old_text.split("\n"), new_text.split("\n")
        most = min(len(old), len(new))
        start = 0
        while start < most and old[start] == new[start]:
            start += 1
        end = 0
        while end < most - start and old[-1 - end] == new[-1 - end]:
            end += 1
        return cls(start + 1, len(old) - end, len(new) - end)

    def moved(self, one: Diagnostic) -> Diagnostic | None:
        """A finding where its line is now; None for one on a line that has changed."""
        place = self._place(one.place)
        if place is None:
            return None
        notes = tuple(
            Note(self._place(note.place) or note.place, note.message) for note in one.notes
        )
        return replace(one, place=place, notes=notes if one.notes else one.notes)

    def _place(self, place: Place) -> Place | None:
        if place.line < self.first:
            return place
        if place.line <= self.old_last:
            return None
        by = self.new_last - self.old_last
        return replace(place, line=place.line + by, end_line=place.end_line + by)


# ------------------------------------------------------------------ one item


def _check_item(snapshot: Snapshot, text: str, item: YamlNode, report: Report) -> None:
    """Check an item by itself."""
    kind = kind_of(item, snapshot.schemas, report)
    if kind is None or kind == "scenarios" or LIKE in item.entries:
        return  # what another item says of it takes a whole check
    if not check_item(item, kind, snapshot.schemas, report):
        return
    lines = ItemLines(text, item.start, item.end)
    for path, node in _values(item, ()):
        form = form_of(snapshot.schemas, kind, path)
        if form:
            cursor = YamlCursor(lines, path, "value", "", node.start)
            _check_text(snapshot, form, cursor, node, report)


def _check_text(
    snapshot: Snapshot, form: str, cursor: YamlCursor, node: YamlNode, report: Report
) -> None:
    passage = passage_at(snapshot.content, node, report)
    tree = parsed(passage, PARSERS[form], report) if passage is not None else None
    if passage is not None and tree is not None and form in CHECKED:
        check_alone(snapshot.bodies, passage, tree, surroundings(snapshot, cursor), report)


def _values(node: YamlNode, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], YamlNode]]:
    """The values within an item, with the fields that lead to them; `*` for entries of lists."""
    for key, child in (*node.entries.items(), *(("*", one) for one in node.items)):
        if child.kind in ("map", "list"):
            yield from _values(child, (*path, key))
        elif child.kind != "null":
            yield (*path, key), child
