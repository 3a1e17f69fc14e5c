"""Packs as they stand at one moment, with what a compilation has found out about them.

In goes the result of a compilation; out come findings, files and names. The names are those of the
last sound state where the present one has mistakes, so that half a line takes nothing away.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.build import names_and_bodies
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suppress import suppress
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.resolve.name_uses import THING, NameUse
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.archive import is_archive
from ruleloom.editor.names.use_table import Occurrence, by_file, moved
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import World


class SoundState:
    """What is worked out from one state of some packs, once somebody asks."""

    def __init__(
        self, content: Content, program: Program | None, uses: tuple[NameUse, ...] = ()
    ) -> None:
        self.content, self.program = content, program
        self._uses = uses

    @cached_property
    def uses(self) -> Mapping[str, Sequence[Occurrence]]:
        """The names in effect texts by file, as it is shown."""
        return by_file(self._uses, self.content, self.items)

    @cached_property
    def bodies(self) -> Bodies:
        """What effect texts are checked against."""
        return names_and_bodies(self.content)

    @cached_property
    def at_rest(self) -> tuple[Linked, World] | None:
        """The program and the world before any game has begun; None without a program."""
        return at_rest(self.program) if self.program is not None else None

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The real path of each file, by how it is shown; of one in a zip, `ZIP!/NAME`."""
        return dict(_files(self.content, self.content.files))

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """How each file is shown, by its real path."""
        return {path: shown for shown, path in self.files.items()}

    @cached_property
    def items(self) -> Mapping[tuple[str, str], str]:
        """The id of each item, by its kind and the name by which effect texts know what it makes."""
        content, symbols = self.content, self.bodies.symbols
        found = {(item.kind, item.slug): item.id for item in content.items}
        places = {
            content.origin(item.place): item for item in content.items if item.kind in symbols.kinds
        }
        for made in symbols.made.values():
            for number, (name, origin) in enumerate(zip(made.names, made.places, strict=False)):
                item = places.get(origin)
                if item is not None:
                    found.setdefault((item.kind, slug_of(name)), item.id)
                    found[THING, f"{made.name}.{number}"] = item.id
        return found


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What is known of some packs: `result` is the present state, `kept` the last sound one."""

    result: CompileResult
    kept: SoundState

    @classmethod
    def after(cls, result: CompileResult, before: Snapshot | None) -> Snapshot | None:
        """The next snapshot; None as long as nothing could be read."""
        if result.content is None:
            return None if before is None else cls(result, before.kept)
        if result.program is None and before is not None and before.program is not None:
            return cls(result, before.kept)
        return cls(result, SoundState(result.content, result.program, result.uses))

    @property
    def content(self) -> Content:
        """The content of the last sound state; of the present one if none has been sound."""
        return self.kept.content

    @property
    def program(self) -> Program | None:
        """The program of the last sound state; None if none has been sound."""
        return self.kept.program

    @property
    def bodies(self) -> Bodies:
        """What effect texts are checked against."""
        return self.kept.bodies

    @property
    def symbols(self) -> Symbols:
        """Every name of the game."""
        return self.bodies.symbols

    @property
    def schemas(self) -> SchemaStore:
        """The schemas of the game, with what packs add."""
        return self.content.schemas

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What `ruleloom check` would say, in its order."""
        return tuple(suppress(self.result.diagnostics, dict(self.result.sources)))

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The real path of each file, by how it is shown; of one in a zip, `ZIP!/NAME`.

        Also of a file that is new, and has had mistakes since it was made.
        """
        known, now = self.kept.files, self.now
        new = {shown for shown in now.files if shown not in known}
        return {**known, **dict(_files(now, new))} if new else known

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """How each file is shown, by its real path."""
        if self.files is self.kept.files:
            return self.kept.shown
        return {path: shown for shown, path in self.files.items()}

    def uses_in(self, shown: str, text: str) -> Iterator[Occurrence]:
        """The names in effect texts of a file as its text is now: as the present state knows them, else
        the last sound one."""
        known: set[int] = set()
        present, kept = self._present, self.kept
        for state in (present,) if present is kept else (present, kept):
            source = state.content.sources.get(shown)
            for one in moved(state.uses.get(shown, ()), source.text if source else "", text):
                if one.start not in known:
                    known.add(one.start)
                    yield one

    @cached_property
    def _present(self) -> SoundState:
        result, kept = self.result, self.kept
        if result.content is None or result.content is kept.content:
            return kept
        return SoundState(result.content, None, result.uses)

    @property
    def now(self) -> Content:
        """The content as it is, sound or not, where it could be read."""
        return self.result.content or self.content

    def real_path(self, shown: str) -> str:
        """The real path of a file that is shown as `shown`."""
        if shown in self.files:
            return self.files[shown]
        if os.path.lexists(shown):
            return os.path.realpath(shown)
        return os.path.realpath(BUILTIN / shown)

    def text_of(self, path: str) -> str | None:
        """The text of a file as it was compiled."""
        return self.result.sources.get(self.shown.get(path, ""))

    def items_in(self, path: str) -> list[Item]:
        """The items of a file, in the order in which they stand there."""
        shown = self.shown.get(path)
        found = [item for item in self.now.items if item.source.path == shown]
        return sorted(found, key=lambda item: item.node.start)


def unread(result: CompileResult) -> Snapshot:
    """What can be told of packs that nobody could ever read: what is wrong with them."""
    return Snapshot(result, SoundState(Content("", (), (), {}, {}, {}, {}), None))


def _files(content: Content, wanted: Iterable[str]) -> Iterator[tuple[str, str]]:
    folders = content.folders
    for shown in wanted:
        pack, inside = content.files[shown]
        folder = folders[pack]
        if is_archive(str(folder)) and folder.is_file():
            yield shown, f"{os.path.realpath(folder)}{IN_ZIP}{inside}"
        else:
            inner = folder / inside
            is_loose = Path(shown).exists() and not inner.exists()
            yield shown, os.path.realpath(Path(shown) if is_loose else inner)


IN_ZIP = "!/"
"""Stands between the path of a zip and the name of a file in it."""
