"""Files that are being written: whatever stands there, no feature fails, and at rest the editor says
what `ruleloom check` says."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from random import Random

import pytest

from ruleloom.cli.check.compile_check import compiled
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suppress import suppress
from ruleloom.editor.names.navigation import definitions, references
from ruleloom.editor.project import Project
from ruleloom.editor.reading.annotations import hints, lenses
from ruleloom.editor.reading.effect_tokens import effect_tokens
from ruleloom.editor.reading.hover import hover
from ruleloom.editor.reading.outline import document_symbols, folds, selections
from ruleloom.editor.reading.signature_help import signature_help
from ruleloom.editor.workspace import PackGroup, Workspace
from ruleloom.editor.writing.code_actions import actions
from ruleloom.editor.writing.formatting import formatting, indented
from tests.conftest import ROOT
from tests.support.lsp_client import lsp_editor

RIVER = ROOT / "rulesets" / "examples" / "river-folk"
PASTED = (
    "\n",
    " ",
    ":",
    "- ",
    "{",
    '"',
    "|",
    "use ",
    "𝄞",
    "\t",
    "#",
    "where ",
    "[",
    "  id: x\n",
    "'",
)


def edited(random: Random, text: str, others: list[str]) -> str:
    """A text after something was deleted, typed, or pasted, once half a file."""
    at = random.randrange(len(text) + 1)
    kind = random.random()
    if kind < 0.35:
        return text[:at] + text[at + random.choice([1, 1, 3, 20, 200]) :]
    if kind < 0.8:
        return text[:at] + random.choice(PASTED) + text[at:]
    other = random.choice(others)
    if kind < 0.85:
        return text[:at] + other[: len(other) // 2] + text[at:]
    begin = random.randrange(len(other) + 1)
    return text[:at] + other[begin : begin + random.randrange(1, 80)] + text[at:]


def ask_everything(project: Project, path: str, offset: int) -> None:
    """Ask every feature about a place."""
    names = project.names(path)
    project.completer.complete(project.text(path), offset)
    hover(project, path, offset)
    definitions(project, path, offset)
    signature_help(project, path, offset)
    effect_tokens(names)
    document_symbols(names)
    list(folds(names))
    selections(names, offset)
    list(hints(project, path, 0, len(names.text)))
    list(formatting(project, path))
    indented(project, path, offset)
    shown = project.snapshot.shown.get(path)
    found = [one for one in project.snapshot.findings if one.place.path == shown]
    actions(project, path, offset, offset, found)


def as_checked(folder: Path) -> list[tuple[object, ...]]:
    """What `ruleloom check` says of a folder."""
    result = compiled([str(folder)])
    return plain(suppress(result.diagnostics, dict(result.sources)))


def plain(found: list[Diagnostic] | tuple[Diagnostic, ...]) -> list[tuple[object, ...]]:
    """Findings as plain values."""
    return [(one.place, one.severity, one.code, one.message, one.help, one.notes) for one in found]


def edit_at_random(folder: Path, seed: int, count: int, compiled_every: int) -> None:
    """Edit a copy of the example pack, and hold the editor to its promises."""
    pack = folder / "pack"
    shutil.copytree(RIVER, pack)
    random = Random(seed)
    files = sorted(os.path.realpath(path) for path in pack.glob("*.yaml"))
    texts = {path: Path(path).read_text(encoding="utf-8") for path in files}
    workspace, group = Workspace(), PackGroup((os.path.realpath(pack),))
    snapshot = workspace.check(group)
    assert snapshot is not None
    project = Project(snapshot, group, workspace.texts)
    for number in range(1, count + 1):
        path = random.choice(files)
        if random.random() < 0.05:
            workspace.texts[path] = texts[path]
        text = edited(random, workspace.texts.get(path, texts[path]), list(texts.values()))
        workspace.texts[path] = text
        ask_everything(project, path, random.randrange(len(text) + 1))
        if number % compiled_every == 0:
            snapshot = workspace.check(group) or snapshot
            project = Project(snapshot, group, workspace.texts, project)
            for path, text in workspace.texts.items():
                Path(path).write_text(text, encoding="utf-8", newline="\n")
            assert plain(snapshot.findings) == as_checked(pack), f"after {number} edits"
            list(lenses(project, path))
            references(project, path, random.randrange(len(text) + 1))


def test_no_edit_breaks_anything(tmp_path):
    print("seed 1")
    edit_at_random(tmp_path, seed=1, count=80, compiled_every=40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_edits_break_nothing(tmp_path, seed):
    print(f"seed {seed}")
    edit_at_random(tmp_path, seed, count=2_500, compiled_every=25)


@pytest.mark.slow
def test_a_fast_writer_sees_at_rest_what_check_says(tmp_path):
    """A thousand edits sent as fast as they go, with requests between them."""
    pack = tmp_path / "pack"
    shutil.copytree(RIVER, pack)
    random = Random(7)

    async def run() -> None:
        async with lsp_editor(tmp_path) as editor:
            uri = await editor.open(pack / "cards.yaml")
            text = right = editor.texts[uri]
            for number in range(1_000):
                text = right if number % 50 == 49 else edited(random, text, [right])
                editor.write(uri, text)
                if number % 20 == 0:
                    await editor.labels(uri, f"|{text[:1]}")
            found = await editor.findings(uri)
            (pack / "cards.yaml").write_text(text, encoding="utf-8", newline="\n")
            checked = [one for one in as_checked(pack) if one[0].path.endswith("cards.yaml")]  # type: ignore[attr-defined]
            assert len(found) == len(checked)
            assert [one.code for one in found] == [one[2] for one in checked]

    asyncio.run(run())
