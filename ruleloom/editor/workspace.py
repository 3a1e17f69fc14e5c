"""Packs as they stand at one moment, with what a compilation has found out about them.

In goes the result of a compilation; out come findings, files and names. The names are those of the
last sound state where the present one has mistakes, so that half a line takes nothing away.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from functools import cache, cached_property
from pathlib import Path

from ruleloom.api.missing_driver import with_driver
from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.analysis.analysis import GameAnalysis, real_paths
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.packs.content import COMMON_KINDS, Content
from ruleloom.compiler.packs.locate import BUILTIN, MAX_CLIMB, SCHEMAS, shipped_packs
from ruleloom.compiler.packs.walk import ENDINGS, MANIFEST
from ruleloom.compiler.pipeline import Compiler, CompileResult
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Two states of some packs: `result` is the present one, `kept` the last sound one."""

    result: CompileResult
    kept: GameAnalysis

    @classmethod
    def after(cls, result: CompileResult, before: Snapshot | None) -> Snapshot | None:
        """The next snapshot; None as long as nothing could be read."""
        if result.content is None:
            return None if before is None else cls(result, before.kept)
        if result.program is None and before is not None and before.program is not None:
            return cls(result, before.kept)
        return cls(result, GameAnalysis(result.content, result.program, result.uses))

    @property
    def content(self) -> Content:
        """The content of the last sound state; of the present one if none has been sound."""
        return self.kept.content

    @property
    def program(self) -> Program | None:
        """The program of the last sound state; None if none has been sound."""
        return self.kept.program

    @property
    def schemas(self) -> SchemaStore:
        """The schemas of the game, with what packs add."""
        return self.content.schemas

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings of `ruleloom check`, in its order."""
        return tuple(suppress(self.result.diagnostics, dict(self.result.sources)))

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The real path of each file, by how it is shown; of one in a zip, `ZIP!/NAME`.

        Also of a file that is new, and has had mistakes since it was made.
        """
        known, now = self.kept.files, self.now
        new = {shown for shown in now.files if shown not in known}
        return {**known, **dict(real_paths(now, new))} if new else known

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """How each file is shown, by its real path."""
        if self.files is self.kept.files:
            return self.kept.shown
        return {path: shown for shown, path in self.files.items()}

    @cached_property
    def states(self) -> tuple[GameAnalysis, ...]:
        """The states that know the names of texts: the present one, and the last sound one."""
        result, kept = self.result, self.kept
        if result.content is None or result.content is kept.content:
            return (kept,)
        return GameAnalysis(result.content, None, result.uses), kept

    @property
    def now(self) -> Content:
        """The present content, sound or not, where it could be read."""
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


def unread(result: CompileResult) -> Snapshot:
    """The snapshot of packs that could never be read: their findings alone."""
    return Snapshot(result, GameAnalysis(Content("", (), (), {}, {}, {}, {}), None))


TABLE = "ruleloom.toml"
KIND_LINE = re.compile(r"(?:^|[{,])[ \t-]*kind:[ \t]*([a-z][a-z0-9_-]*)", re.MULTILINE)
LARGEST_TABLE = 65_536


@dataclass(frozen=True, slots=True)
class PackGroup:
    """Packs that are checked together, and a file in none of them."""

    packs: tuple[str, ...]
    loose: tuple[str, ...] = ()


@dataclass
class Workspace:
    """The open texts by real path, and what is known of each group of packs."""

    compiler: Compiler = field(default_factory=lambda: Compiler(most_results=0, uses=True))
    texts: dict[str, str] = field(default_factory=dict)
    known: dict[PackGroup, Snapshot] = field(default_factory=dict)

    def group_of(self, path: str) -> PackGroup | None:
        """The packs that a file is checked with; None if it is none of ours."""
        if not path.endswith(ENDINGS):
            return None
        pack = pack_above(path)
        if pack is not None:
            return PackGroup(_together(pack))
        game = game_of_text(self.texts.get(path, ""))
        return PackGroup((game,), (path,)) if game else None

    def open_groups(self) -> dict[PackGroup, list[str]]:
        """The groups of all open files, with these files."""
        found: dict[PackGroup, list[str]] = {}
        for path in self.texts:
            group = self.group_of(path)
            if group is not None:
                found.setdefault(group, []).append(path)
        return found

    def groups_beside(self, group: PackGroup) -> list[PackGroup]:
        """The other groups in which a pack of a group is checked: as a table says, or as one that an
        open pack requires."""
        rows = [
            PackGroup(packs) for pack in group.packs for packs in _tables(pack) if pack in packs
        ]
        needing = [
            other
            for other, snapshot in self.known.items()
            if any(os.path.realpath(one.folder) in group.packs for one in snapshot.content.packs)
        ]
        return [one for one in dict.fromkeys([*rows, *needing]) if one != group]

    def compiled(
        self,
        group: PackGroup,
        texts: Mapping[str, str] | None = None,
        reasons: bool = False,
        rules: bool = False,
        wanted: Callable[[], bool] | None = None,
    ) -> CompileResult:
        """The result for a group, with the open texts or with others: on request with the `reasons`
        of refusals, which only cases need, or with the texts of the `rules`.

        Raises Stopped once it is not `wanted` any more.
        """
        unsaved = dict(self.texts if texts is None else texts)
        result = self.compiler.compile(
            group.packs,
            reasons=reasons,
            texts=rules,
            loose=group.loose,
            unsaved=unsaved,
            wanted=wanted,
        )
        return with_requirements(with_driver(result))

    def check(self, group: PackGroup) -> Snapshot | None:
        """Compile a group anew, and keep what is known of it now."""
        return self.keep(group, self.compiled(group))

    def keep(self, group: PackGroup, result: CompileResult) -> Snapshot | None:
        """Take over a result."""
        snapshot = Snapshot.after(result, self.known.get(group))
        if snapshot is not None:
            self.known[group] = snapshot
        return snapshot


def pack_above(path: str) -> str | None:
    """The folder of the pack in which a file lies."""
    for folder in list(Path(path).parents)[:MAX_CLIMB]:
        if (folder / MANIFEST).is_file():
            return str(folder)
    return None


def _together(pack: str) -> tuple[str, ...]:
    """The packs that are checked together with one, itself included: the first ones of its table."""
    return next((packs for packs in _tables(pack) if pack in packs), (pack,))


def _tables(pack: str) -> Iterator[tuple[str, ...]]:
    """The packs of each `[[together]]` of the table that is nearest to a pack, as real paths."""
    folder, data = _table_above(pack)
    rows = data.get("together")
    for row in rows if isinstance(rows, list) else []:
        packs = row.get("packs") if isinstance(row, dict) else None
        if isinstance(packs, list):
            yield tuple(os.path.realpath(folder / str(pack)) for pack in packs)


def reference_of(pack: str) -> str:
    """The address of the reference in the table that is nearest to a pack; empty without one."""
    folder, data = _table_above(pack)
    said = data.get("reference")
    if not isinstance(said, str) or not said:
        return ""
    return said if said.startswith(("https://", "http://")) else (folder / said).as_uri()


def _table_above(pack: str) -> tuple[Path, Mapping[str, object]]:
    """The folder and the data of the table that is nearest to a pack; no data without a table, or of
    one that cannot be read."""
    for folder in [Path(pack), *Path(pack).parents][:MAX_CLIMB]:
        if (folder / TABLE).is_file():
            try:
                with (folder / TABLE).open("rb") as file:
                    return folder, tomllib.loads(file.read(LARGEST_TABLE).decode())
            except (OSError, ValueError):
                break
    return Path(pack), {}


def game_of_text(text: str) -> str | None:
    """The shipped game whose kinds a text uses most; None if it uses none."""
    used = Counter(KIND_LINE.findall(text))
    if not used:
        return None
    scores = {game: sum(used[kind] for kind in own) for game, own in _own_kinds().items()}
    best = max(scores, key=lambda game: scores[game], default=None)
    return best if best is not None and (scores[best] or used.keys() & {*COMMON_KINDS}) else None


@cache
def _own_kinds() -> Mapping[str, frozenset[str]]:
    """The kinds that each shipped game has for itself."""
    common = frozenset(SchemaStore.load(SCHEMAS).kinds)
    games = [game for game in shipped_packs(BUILTIN) if (SCHEMAS / game).is_dir()]
    return {game: frozenset(SchemaStore.load(SCHEMAS, game).kinds) - common for game in games}
