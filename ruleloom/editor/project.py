"""Everything that an editor may ask of some packs, by path and offset; shared by all its features.

A `Project` belongs to one state of the packs and keeps what it has worked out. Texts are those of
the editor where it has any, else those that were compiled.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from ruleloom.compiler.analysis.analysis import IN_ZIP
from ruleloom.compiler.analysis.effect_cursor import effect_cursor
from ruleloom.compiler.analysis.source_file import SourceFile
from ruleloom.compiler.analysis.texts import line_end
from ruleloom.compiler.analysis.uses import Occurrence
from ruleloom.compiler.analysis.words import GameWords
from ruleloom.compiler.analysis.yaml_cursor import yaml_cursor
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.editor.completion.complete import Completer
from ruleloom.editor.completion.usage import Usage
from ruleloom.editor.snapshot import Snapshot
from ruleloom.editor.workspace import PackGroup
from ruleloom.runtime.program.values import Type


class Project:
    """Some packs in one state, and the texts that are open now."""

    def __init__(
        self,
        snapshot: Snapshot,
        group: PackGroup,
        texts: Mapping[str, str],
        before: Project | None = None,
        usage: Usage | None = None,
    ) -> None:
        """Take over from the project `before` what must still be the same, and what is usual."""
        self.snapshot, self.group, self.texts = snapshot, group, texts
        self.completer = Completer(snapshot, usage)
        self._files: dict[str, SourceFile] = {}
        if before is not None and before.snapshot.kept is snapshot.kept:
            self.completer = before.completer
            self._files = before._files
        elif before is not None and before._declared == self._declared:
            self._files = before._files

    @cached_property
    def _declared(self) -> object:
        """All names: while they stay the same, the names of an unchanged file do, too."""
        symbols = self.snapshot.kept.symbols
        ids = frozenset(self.snapshot.kept.items)
        return ids, frozenset(symbols.places), frozenset(self.snapshot.shown)

    @property
    def words(self) -> GameWords:
        """The words of effect texts."""
        return self.snapshot.kept.words

    @property
    def paths(self) -> list[str]:
        """The files of all packs."""
        return [
            *self.snapshot.shown,
            *(path for path in self.texts if path not in self.snapshot.shown),
        ]

    def text(self, path: str) -> str:
        """The text of a file as it stands."""
        found = self.texts.get(path)
        return found if found is not None else self.snapshot.text_of(path) or ""

    def names(self, path: str) -> SourceFile:
        """The items and names of a file."""
        text = self.text(path)
        shown = self.snapshot.shown.get(path, path)
        states = self.snapshot.states
        known = self._files.get(path)
        if known is None or known.text != text:
            known = self._files[path] = SourceFile(states, shown, text)
        return known

    def known_at(self, path: str, offset: int) -> Mapping[str, Type]:
        """The variables of an effect text that are known at a place, with their types."""
        text = self.text(path)
        # Behind its line a name is known that is given there.
        below = f"{text[: line_end(text, offset)]}\n{_margin_of(text, offset)}"
        cursor = effect_cursor(self.snapshot.kept, yaml_cursor(below, len(below)))
        return cursor.known.variables if cursor is not None else {}

    def everywhere(self, target: Meaning) -> Iterator[tuple[str, Occurrence]]:
        """Every place at which something is named, with the file."""
        for path in self.paths:
            if _may_name(self.text(path), target):
                for one in self.names(path).occurrences:
                    if one.meaning == target:
                        yield path, one

    @cached_property
    def uses(self) -> Mapping[Meaning, int]:
        """The number of uses of each thing, its declaration not counted."""
        found: Counter[Meaning] = Counter()
        for path in self.paths:
            found.update(one.meaning for one in self.names(path).occurrences if not one.declares)
        return found

    def item(self, target: Meaning) -> Item | None:
        """The item that a name means."""
        if target.table != "item":
            return None
        return self.snapshot.kept.items.get(target.name)

    def is_known(self, path: str) -> bool:
        """Is there such a file?"""
        return path in self.texts or path in self.snapshot.shown

    def is_writable(self, path: str) -> bool:
        """Can a file be changed here? One in a zip cannot, nor one of a pack that is only required."""
        if IN_ZIP in path:
            return False
        folders = (f"{os.path.realpath(pack)}{os.sep}" for pack in self.group.packs)
        return path in self.group.loose or path.startswith(tuple(folders))


def _margin_of(text: str, offset: int) -> str:
    """The indentation of the line around an offset, and four more where the line opens a block."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:].partition("\n")[0]
    margin = line[: len(line) - len(line.lstrip(" "))]
    return f"{margin}    " if line.rstrip().endswith(":") else margin


def _may_name(text: str, target: Meaning) -> bool:
    """Does the name stand in a text at all? Most files are left alone by this."""
    word = target.name.rpartition("/")[2] if target.table == "item" else target.name
    word = word.rpartition(":")[2].rpartition(".")[2]
    return word in text or word.replace("-", "_") in text or target.table == "item"
