"""Which packs are checked together, and the texts that stand in the editor but not yet on disk.

A file belongs to the pack in whose folder it lies. A `ruleloom.toml` in that folder or above may
say which packs are checked together:

    [[together]]
    packs = ["house-rules", "campaign"]

A file in no pack is read as if it belonged to the game whose kinds it uses.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path

from ruleloom.api.missing_driver import with_driver
from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.packs.locate import BUILTIN, MAX_CLIMB, SCHEMAS, shipped_packs
from ruleloom.compiler.packs.walk import ENDINGS, MANIFEST
from ruleloom.compiler.pipeline import Compiler, CompileResult
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass

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

    compiler: Compiler = field(default_factory=lambda: Compiler(most_results=0))
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

    def compiled(
        self,
        group: PackGroup,
        texts: Mapping[str, str] | None = None,
        reasons: bool = False,
        rules: bool = False,
    ) -> CompileResult:
        """The result for a group, with the open texts or with others: on request with the `reasons`
        of refusals, which only cases need, or with the texts of the `rules`."""
        unsaved = dict(self.texts if texts is None else texts)
        result = self.compiler.compile(
            group.packs, reasons=reasons, texts=rules, loose=group.loose, unsaved=unsaved
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
    """The packs that are checked together with one, itself included."""
    for folder in [Path(pack), *Path(pack).parents][:MAX_CLIMB]:
        table = folder / TABLE
        if not table.is_file():
            continue
        for packs in _rows(table):
            if pack in packs:
                return packs
        break  # the nearest table decides
    return (pack,)


def _rows(table: Path) -> Iterator[tuple[str, ...]]:
    """The packs of each `[[together]]`, as real paths; nothing of a table that cannot be read."""
    try:
        with table.open("rb") as file:
            data = tomllib.loads(file.read(LARGEST_TABLE).decode())
    except (OSError, ValueError):
        return
    rows = data.get("together")
    for row in rows if isinstance(rows, list) else []:
        packs = row.get("packs") if isinstance(row, dict) else None
        if isinstance(packs, list):
            yield tuple(os.path.realpath(table.parent / str(pack)) for pack in packs)


def game_of_text(text: str) -> str | None:
    """The shipped game whose kinds a text uses most; None if it uses none."""
    used = Counter(KIND_LINE.findall(text))
    if not used:
        return None
    scores = {
        game: sum(count for kind, count in used.items() if kind in own)
        for game, own in _own_kinds().items()
    }
    best = max(scores, key=lambda game: scores[game], default=None)
    return best if best is not None and (scores[best] or used.keys() & {*COMMON_KINDS}) else None


@cache
def _own_kinds() -> Mapping[str, frozenset[str]]:
    """The kinds that each shipped game has for itself."""
    common = frozenset(SchemaStore.load(SCHEMAS).kinds)
    games = [game for game in shipped_packs(BUILTIN) if (SCHEMAS / game).is_dir()]
    return {game: frozenset(SchemaStore.load(SCHEMAS, game).kinds) - common for game in games}
