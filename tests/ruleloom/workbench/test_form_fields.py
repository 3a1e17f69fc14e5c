"""A form for every kind of every game, made from its schema alone."""

from __future__ import annotations

import os

import pytest

from ruleloom.editor.project import Project, Workspace
from ruleloom.workbench.form import form_of
from tests.conftest import ROOT
from tests.support.lsp_client import EDITING

PACKS = {
    "gnostica": "river-folk",
    "moonstone": "salt-and-lanterns",
    "monotheism": "tide-and-ember",
    "witchgates": "wet-ink",
}


@pytest.mark.parametrize(("game", "pack"), PACKS.items())
def test_every_kind_has_a_form_with_all_its_fields(game, pack):
    workspace = Workspace(EDITING)
    path = os.path.realpath(ROOT / "rulesets" / "examples" / pack / "tried.yaml")
    group = workspace.group_of(path)
    assert group is not None
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert snapshot.kept.content.game == game
    project = Project(snapshot, group, workspace.texts)
    store = snapshot.kept.schemas
    bare = []
    for kind in store.kinds:
        workspace.texts[path] = f"kind: {kind}\n"
        form = form_of(project, path, 0)
        assert form is not None, kind
        names = {field["name"] for field in form["fields"]}
        wanted = set(store.schema(kind).get("properties", {})) - {"kind"}
        assert wanted <= names, (kind, wanted - names)
        needed = set(store.schema(kind).get("required", ())) - {"kind"}
        assert needed <= {field["name"] for field in form["fields"] if field["needed"]}, kind
        bare += [f"{kind}.{one['name']}" for one in form["fields"] if not one["help"]]
    assert len(store.kinds) > 10
    assert bare == [], "a field says what it is for"
