"""Packs as they stand at one moment, with what a compilation has found out about them.

In goes the result of a compilation; out come findings, files and names. The names are those of the
last sound state where the present one has mistakes, so that half a line takes nothing away.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property

from ruleloom.compiler.analysis.analysis import GameAnalysis, real_paths
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import CompileResult
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
