"""An editor on packs of strangers that mean two sorts of things by a word: each name is that of its pack."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ruleloom.editor.navigation import definitions, hover, references
from ruleloom.editor.project import PackGroup, Project, Workspace
from tests.compiler.packs.test_words_apart import PAIRS, USES, put


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_each_name_leads_to_its_declaration(tmp_path: Path, one: str, other: str):
    names = ("a__heat", "b__heat")
    uses = (USES[sort].replace("~", id) for id, sort in (("a", one), ("b", other)))
    put(
        tmp_path,
        "".join(use.replace("§", name) for use, name in zip(uses, names, strict=True)),
        a=one,
        b=other,
    )
    group = PackGroup(
        tuple(os.path.realpath(tmp_path / id) for id in ("market", "a", "b", "third"))
    )
    workspace = Workspace()
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert [str(found) for found in snapshot.findings if found.severity == "error"] == []
    project = Project(snapshot, group, workspace.texts)
    third = os.path.realpath(tmp_path / "third" / "items.yaml")
    for id in "ab":
        path = os.path.realpath(tmp_path / id / "items.yaml")
        text = project.text(path)
        declared = text.index("heat")
        places = [found.start() for found in re.finditer(r"heat\b", text)]
        for at in places:
            spots = definitions(project, path, at)
            assert [(spot.path, spot.start) for spot in spots] == [(path, declared)], text[
                at - 30 :
            ]
        at = project.text(third).index(f"{id}__heat")
        [spot] = definitions(project, third, at)
        assert (spot.path, spot.start) == (path, declared)
        if (one if id == "a" else other) == "field":
            continue  # a field belongs to an entity where it is declared, and to any where it is used
        used = {(spot.path, spot.end) for spot in references(project, path, declared)}
        assert (third, at + len("x__heat")) in used
        assert {(path, at + 4) for at in places} <= used
        assert {where for where, _ in used} <= {path, third, path.replace("items", "cases")}
        shown = hover(project, path, declared)
        assert shown is not None
        assert "heat" in str(shown.contents)
