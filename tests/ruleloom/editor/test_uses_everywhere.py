"""References, lenses and renaming know a name in every position that the language has for it.

The text is that in which old names stand everywhere; renaming keeps the old name alive, so whatever
it misses is told as an old name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import pytest

from ruleloom.compiler.analysis.yaml_cursor import edited
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.editor.annotations import lenses
from ruleloom.editor.navigation import references, rename
from ruleloom.editor.project import PackGroup, Project, Workspace
from tests.compiler.packs.test_old_names_everywhere import NAMES, declared
from tests.support.check_layer import NOTHING, game_files, schemas

TEXT = declared(renamed=False)


class OrchardWorkspace(Workspace):
    """Knows the game of the tests, which has no driver here."""

    def compiled(
        self, group: PackGroup, texts: Mapping[str, str] | None = None, *_: Any, **options: Any
    ) -> CompileResult:
        unsaved = dict(self.texts if texts is None else texts)
        return self.compiler.compile(
            group.packs, builtin=NOTHING, schemas=schemas(), unsaved=unsaved
        )


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Project, str]:
    folder = tmp_path_factory.mktemp("orchard")
    for name, text in {**game_files(), "zz.yaml": TEXT}.items():
        (folder / name).write_text(text, encoding="utf-8")
    workspace = OrchardWorkspace()
    group = PackGroup((os.path.realpath(folder),))
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert snapshot.kept.program is not None, snapshot.findings
    return (
        workspace,
        Project(snapshot, group, workspace.texts),
        os.path.realpath(folder / "zz.yaml"),
    )


def declaration(name: str) -> int:
    found = re.search(rf"id: ({name})\b", TEXT)
    assert found is not None
    return found.start(1)


@pytest.mark.parametrize("name", NAMES)
def test_a_rename_reaches_every_use(name: str, orchard: tuple[Workspace, Project, str]):
    workspace, project, path = orchard
    edits = rename(workspace, project, path, declaration(name), "brandnew")
    after = workspace.compiled(project.group, {path: edited(TEXT, edits[path])})
    assert after.program is not None
    assert [one.message for one in after.diagnostics if one.code == "renamed"] == []


@pytest.mark.parametrize("name", NAMES)
def test_references_and_lenses_count_them_all(name: str, orchard: tuple[Workspace, Project, str]):
    """All places at which the word stands in the text: it means nothing else anywhere."""
    _, project, path = orchard
    words = {one.start() for one in re.finditer(rf"(?<![\w-]){name}(?![\w-])", WITHOUT_PROSE)}
    found = {
        spot.end - len(name)
        for spot in references(project, path, declaration(name))
        if spot.path == path
    }
    assert found == words
    count = len(found) - 1
    told = f"{count} use{'s' * (count != 1)}"
    place = project.lines(path).position(declaration(name))
    above = {
        one.command.title
        for one in lenses(project, path)
        if one.command is not None and one.range.start == place
    }
    assert told in above or not above  # patches have none


WITHOUT_PROSE = re.sub(
    r"english: (?:\"[^\"]*\"|[^,}\n]*)|say \"[^{\n]*|gloss: [^,}\n]*",
    lambda found: re.sub(r"(?<!\{)\b\w+", lambda one: "." * len(one[0]), found[0]),
    TEXT,
)
"""Words that people read mean nothing; what stands in braces does."""


def test_a_variable_is_renamed_with_the_calls_that_name_it(
    orchard: tuple[Workspace, Project, str],
):
    workspace, project, path = orchard
    at = TEXT.index("how: Int = twofold")
    edits = rename(workspace, project, path, at, "manner")
    text = edited(TEXT, edits[path])
    assert "use chime(me, manner: 2)" in text
    assert "manner: Int = twofold" in text
    assert 'takes: "how: Int"' in text, "that of another item"
    assert workspace.compiled(project.group, {path: text}).program is not None


def test_names_are_known_where_a_text_has_moved(
    orchard: tuple[Workspace, Project, str],
):
    """Between two compilations the checker's table holds for all but what was written since."""
    _, project, path = orchard
    moved = TEXT.replace("- {kind: bonus", "# a line more\n- {kind: bonus", 1)
    later = Project(project.snapshot, project.group, {path: moved})
    shift = len("# a line more\n")
    at = TEXT.index("use chime(me, how")
    assert {spot.start - shift for spot in references(later, path, at + shift + 4)
            if spot.path == path} >= {at + 4}  # fmt: skip
