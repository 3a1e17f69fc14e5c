"""`python -m tests.laws.writing [PACK...] [--edits 10000]`: a writer who types, cuts and pastes at random.

Whatever stands in a file, no feature of the editor may fail; and every so often, when the writer
rests, the editor must say what a compiler says that has never seen the texts before.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.told import suppress
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import Compiler
from ruleloom.editor.annotations import (
    document_symbols,
    effect_tokens,
    folds,
    hints,
    lenses,
    selection,
)
from ruleloom.editor.code_actions import actions, formatting, indented
from ruleloom.editor.completion import Completer
from ruleloom.editor.navigation import definitions, hover, references, signature_help
from ruleloom.editor.project import PackGroup, Project, Workspace

PACKS = ("gnostica", "moonstone", "monotheism", "witchgates", "examples/river-folk")
TYPED = (
    *("\n", " ", ":", "- ", "{", '"', "|", "\t", "#", "[", "'", "  id: x\n", "\n    "),
    *("use ", "where ", "if ", "choose one ", "roll x = 3d", "let y = (", "modify ", " and "),
    *("𝄞", "e\u0301", "宽字", "\u200f", "🎲🎲"),
)
RESTS = (1, 2, 10, 50, 100)
"""How many edits there may be between two comparisons."""
FRESH = 0.5
"""How often all files are set right after a comparison, so that sound texts come between."""


def edited(random: Random, text: str, others: Sequence[str]) -> str:
    """A text after something was deleted, typed, or pasted, at times half a file."""
    at = random.randrange(len(text) + 1)
    kind = random.random()
    if kind < 0.25:
        return text[:at] + text[at + random.choice([1, 1, 3, 20, 200]) :]
    if kind < 0.4:  # a line that is only half there
        end = text.find("\n", at)
        return text[:at] + (text[end:] if end >= 0 else "")
    if kind < 0.8:
        return text[:at] + random.choice(TYPED) + text[at:]
    other = random.choice(others)
    if kind < 0.82:
        return text[:at] + other[: len(other) // 2] + text[at:]
    begin = random.randrange(len(other) + 1)
    return text[:at] + other[begin : begin + random.randrange(1, 80)] + text[at:]


def ask_everything(project: Project, completer: Completer, path: str, offset: int) -> int:
    """Ask every feature about a place; return how many that were."""
    names = project.names(path)
    completer.complete(project.text(path), offset)
    hover(project, path, offset)
    definitions(project, path, offset)
    signature_help(project, path, offset)
    effect_tokens(names)
    list(document_symbols(project, path))
    folds(project, path)
    selection(project, path, offset)
    list(hints(project, path, 0, len(names.text)))
    list(formatting(project, path))
    indented(project, path, offset)
    shown = project.snapshot.shown.get(path)
    found = [one for one in project.snapshot.findings if one.place.path == shown]
    actions(project, path, offset, offset, found)
    return 12


def plain(found: Sequence[Diagnostic]) -> list[tuple[object, ...]]:
    """Findings as plain values."""
    return [(one.place, one.severity, one.code, one.message, one.help, one.notes) for one in found]


class Checker:
    """`ruleloom check` of a folder, as if it ran for the first time: only trees of files are kept."""

    def __init__(self) -> None:
        self._compiler = Compiler(most_results=0)

    def said(self, folder: Path) -> list[tuple[object, ...]]:
        """What it says of the folder."""
        self._compiler.builds.clear()
        result = with_requirements(self._compiler.compile([folder], reasons=False))
        return plain(suppress((*result.diagnostics, *result.infos), dict(result.sources)))


@dataclass
class Outcome:
    """What came of some edits."""

    edits: int = 0
    asked: int = 0
    compared: int = 0
    sound: int = 0
    """Comparisons in which nothing was wrong."""
    faults: list[str] = field(default_factory=list)


class Writer:
    """Someone who edits a copy of a pack."""

    def __init__(self, pack: str, folder: Path, seed: int) -> None:
        self.folder = folder / Path(pack).name
        shutil.copytree(BUILTIN / pack, self.folder)
        self.name, self.random, self.checker = pack, Random(f"{seed} {pack}"), Checker()
        files = sorted(os.path.realpath(path) for path in self.folder.rglob("*.yaml"))
        self.right = {path: Path(path).read_text(encoding="utf-8") for path in files}
        self.workspace = Workspace()
        self.group = PackGroup((os.path.realpath(self.folder),))
        self.outcome = Outcome()
        self.project = self._checked()

    completer: Completer

    def _checked(self, before: Project | None = None) -> Project:
        found = self.workspace.check(self.group)
        snapshot = found if before is None else found or before.snapshot
        assert snapshot is not None, f"{self.name} cannot be read"
        self.completer = Completer(snapshot, None if before is None else self.completer.usage)
        return Project(snapshot, self.group, self.workspace.texts, before)

    def write(self, edits: int) -> Outcome:
        """Make so many edits; note each fault, and go on."""
        until = self.random.choice(RESTS)
        for number in range(1, edits + 1):
            path = self._edit()
            try:
                place = self.random.randrange(len(self.workspace.texts[path]) + 1)
                self.outcome.asked += ask_everything(self.project, self.completer, path, place)
                if number >= until:
                    self._rest(path)
                    until = number + self.random.choice(RESTS)
            except Exception:
                told = f"{self.name}, edit {number}: {traceback.format_exc()}"
                self.outcome.faults.append(told)
        return self.outcome

    def _edit(self) -> str:
        texts, path = self.workspace.texts, self.random.choice([*self.right])
        text = texts.get(path, self.right[path])
        texts[path] = edited(self.random, text, [*self.right.values()])
        self.outcome.edits += 1
        return path

    def _rest(self, path: str) -> None:
        """Compare, with the texts of the editor on the disk."""
        self.project = self._checked(self.project)
        for one, text in self.workspace.texts.items():
            Path(one).write_text(text, encoding="utf-8", newline="\n")
        findings = plain(self.project.snapshot.findings)
        self.outcome.compared += 1
        self.outcome.sound += not findings
        checked = self.checker.said(self.folder)
        if findings != checked:
            once = [one for one in findings + checked if (one in findings) != (one in checked)]
            self.outcome.faults.append(
                f"{self.name}, edit {self.outcome.edits}: only one of editor and check says "
                f"{once[:3] or 'it in this order'}"
            )
        list(lenses(self.project, path))
        references(self.project, path, self.random.randrange(len(self.project.text(path)) + 1))
        self.outcome.asked += 2
        if self.random.random() < FRESH:
            self.workspace.texts.update({one: self.right[one] for one in self.workspace.texts})


def write_at_random(pack: str, edits: int, seed: int) -> Outcome:
    """What came of random edits of a shipped pack."""
    with TemporaryDirectory() as folder:
        return Writer(pack, Path(folder), seed).write(edits)


def main() -> int:
    """Print the faults, and how much was done."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.writing", description=__doc__)
    parser.add_argument("packs", nargs="*", default=PACKS, metavar="PACK")
    parser.add_argument("--edits", type=int, default=10_000, help="edits of all packs together")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    each, faults = -(-options.edits // len(options.packs)), 0
    for pack in options.packs:
        begin = time.process_time()
        found = write_at_random(pack, each, options.seed)
        for fault in found.faults:
            print(fault, flush=True)
        faults += len(found.faults)
        print(
            f"{pack}: {found.edits:,} edits, {found.asked:,} requests, {found.compared} comparisons "
            f"({found.sound} of sound packs), {len(found.faults)} faults; "
            f"{time.process_time() - begin:.0f} s of processor time",
            flush=True,
        )
    print(f"{each * len(options.packs):,} edits of {len(options.packs)} packs: {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
