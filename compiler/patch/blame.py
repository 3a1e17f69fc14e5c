"""Notes on errors that name the patch behind them, where the error shows in another file.

A patch can break an item far from its own text: it disables what the item uses, or changes another
field of it. In go the findings and the content; out come the findings, each error with notes at the
patches that may be behind it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.packs.content import Content, Item

MOST_BLAMED = 3


def with_blame(found: Sequence[Diagnostic], content: Content) -> tuple[Diagnostic, ...]:
    """The findings; errors note each patch that changed the item or disabled what it names."""
    if not content.history or not any(one.severity == "error" for one in found):
        return tuple(found)
    behind = _Behind(content)
    return tuple(behind.blamed(one) if one.severity == "error" else one for one in found)


class _Behind:
    """The patches behind each item: by the file of the changed ones, and of the disabled ones."""

    def __init__(self, content: Content) -> None:
        self.sources = content.sources
        patches = {item.id: item for item in content.by_kind("patch")}
        changed: dict[str, dict[str, Item]] = {}
        for (id, _), changes in content.history.items():
            by = {change.by: patches[change.by] for change in changes if change.by in patches}
            changed.setdefault(id, {}).update(by)
        self.changed = defaultdict[str, list[tuple[Item, dict[str, Item]]]](list)
        for item in content.items:
            if item.id in changed:
                self.changed[item.place.path].append((item, changed[item.id]))
        self.gone = [(item, changed.get(item.id, {})) for item in content.disabled]

    def blamed(self, found: Diagnostic) -> Diagnostic:
        """A finding with its notes; what stands in the file of a patch needs none."""
        known, path = {note.place for note in found.notes}, found.place.path
        others = (note for note in self._notes(found) if note.place.path != path)
        notes = [note for note in others if note.place not in known]
        return replace(found, notes=(*found.notes, *notes[:MOST_BLAMED])) if notes else found

    def _notes(self, found: Diagnostic) -> Iterator[Note]:
        for item, patches in self.changed.get(found.place.path, ()):
            if item.node.place.line <= found.place.line <= item.node.place.end_line:
                for patch in patches.values():
                    yield Note(patch.place, f"`{patch.id}` changes `{item.id}`")
        if not found.code.startswith("unknown-"):
            return
        source = self.sources.get(found.place.path)
        unknown = source.text_at(found.place).strip("\"'") if source is not None else ""
        for item, patches in self.gone:
            if unknown in (item.slug, item.name):
                for patch in patches.values():
                    yield Note(patch.place, f"`{patch.id}` takes `{item.id}` out of the game")
