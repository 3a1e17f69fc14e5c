"""An editor on packs of strangers that call things the same: each name is that of its pack.

`ash` and `birch` have the same text; `cart` requires both, and names each thing with its pack.
"""

from __future__ import annotations

import os
import re

import pytest

from ruleloom.compiler.analysis.yaml_cursor import edited
from ruleloom.editor.completion import Completer
from ruleloom.editor.navigation import definitions, hover, references, rename
from ruleloom.editor.project import PackGroup, Project, Workspace
from tests.ruleloom.editor.test_uses_everywhere import OrchardWorkspace
from tests.support.check_layer import game_files
from tests.support.pack_examples import manifest, write

WORLD = """\
- {kind: tag, id: ripe, english: ripe}
- {kind: fruit, id: quince, title: Quince, weight: 3, tint: red, tags: [ripe]}
- {kind: setting, id: cap, value: 2, min: 0, max: 9, english: how many in §}
- {kind: measure, id: twofold, takes: "n: Int", gives: Int, is: "n + n", english: "twice {n}"}
- kind: power
  id: taste
  gloss: try it
  effect: |
    choose what from hand where what = quince
    say "at most {cap}"
    if cap > twofold(0): say "more"
- {kind: power, id: nibble-§, gloss: nibble, effect: use taste}
"""
CART = """\
- {kind: patch, id: dearer, target: "ash:setting/cap", set: {value: 4}}
- {kind: fruit, id: jam, title: Jam, like: birch__quince, weight: 4}
- kind: power
  id: compare
  gloss: compare
  effect: |
    choose what from hand where what = ash__quince or what = birch__quince
    say "{ash__cap} and {birch__cap}"
    if ash__cap > birch__cap: use ash__taste
"""
Editor = tuple[Workspace, Project, dict[str, str]]


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Editor:
    folder = tmp_path_factory.mktemp("packs")
    files = {f"game/{name}": text for name, text in game_files().items()}
    for id, text, *lines in (
        ("ash", WORLD),
        ("birch", WORLD),
        ("cart", CART, 'requires: {ash: "*", birch: "*"}'),
    ):
        files[f"{id}/pack.yaml"] = manifest(id, f"title: The {id}", *lines, game="orchard")
        files[f"{id}/items.yaml"] = text.replace("§", id)
    write(folder, files)
    workspace = OrchardWorkspace()
    group = PackGroup(
        tuple(os.path.realpath(folder / one) for one in ("game", "ash", "birch", "cart"))
    )
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert [str(one) for one in snapshot.findings if one.severity == "error"] == []
    paths = {id: os.path.realpath(folder / id / "items.yaml") for id in ("ash", "birch", "cart")}
    return workspace, Project(snapshot, group, workspace.texts), paths


def at(project: Project, path: str, words: str) -> int:
    before, _, after = words.partition("|")
    return project.text(path).index(before + after) + len(before)


USES = {
    "a thing": ("what = qu|ince", "quince"),
    "a setting": ("if c|ap >", "cap"),
    "a setting in a text": ("most {c|ap}", "cap"),
    "a measure": ("two|fold(0)", "twofold"),
    "a power": ("use ta|ste", "taste"),
}
PREFIXED = {
    "a thing": ("what = birch__qu|ince", "birch", "quince"),
    "a thing of the other": ("what = ash__qu|ince", "ash", "quince"),
    "a setting": ("> birch__c|ap", "birch", "cap"),
    "a setting in a text": ("{ash__c|ap}", "ash", "cap"),
    "a power": ("use ash__ta|ste", "ash", "taste"),
    "a whole id": ("ash:setting/c|ap", "ash", "cap"),
    "a name in a field": ("like: birch__qu|ince", "birch", "quince"),
}  # fmt: skip


def declared(project: Project, path: str, name: str) -> tuple[int, int]:
    found = re.search(rf"id: ({name})\b", project.text(path))
    assert found is not None
    return found.span(1)


@pytest.mark.parametrize("pack", ["ash", "birch"])
@pytest.mark.parametrize("what", USES)
def test_a_bare_name_leads_to_that_of_its_pack(editor: Editor, what: str, pack: str):
    _, project, paths = editor
    words, name = USES[what]
    [spot] = definitions(project, paths[pack], at(project, paths[pack], words))
    assert (spot.path, (spot.start, spot.end)) == (
        paths[pack],
        declared(project, paths[pack], name),
    )


@pytest.mark.parametrize("what", PREFIXED)
def test_a_name_with_its_pack_leads_there(editor: Editor, what: str):
    _, project, paths = editor
    words, pack, name = PREFIXED[what]
    [spot] = definitions(project, paths["cart"], at(project, paths["cart"], words))
    assert (spot.path, (spot.start, spot.end)) == (
        paths[pack],
        declared(project, paths[pack], name),
    )


NAMES = ("quince", "cap", "twofold", "taste")


@pytest.mark.parametrize("name", NAMES)
def test_references_are_those_of_one_of_the_two(editor: Editor, name: str):
    _, project, paths = editor
    found = references(project, paths["ash"], declared(project, paths["ash"], name)[0])
    assert paths["birch"] not in {one.path for one in found}
    ash, cart = project.text(paths["ash"]), project.text(paths["cart"])
    words = {one.start() for one in re.finditer(rf"(?<![\w-]){name}(?![\w-])", ash)}
    mine = {one.end - len(name) for one in found if one.path == paths["ash"]}
    assert mine == words
    wanted = {one.end() for one in re.finditer(rf"ash(__|:\w+/){name}\b", cart)}
    assert {one.end for one in found if one.path == paths["cart"]} == wanted


@pytest.mark.parametrize("name", NAMES)
def test_a_rename_in_one_does_not_touch_the_other(editor: Editor, name: str):
    workspace, project, paths = editor
    start = declared(project, paths["ash"], name)[0]
    edits = rename(workspace, project, paths["ash"], start, "brandnew")
    assert paths["birch"] not in edits
    texts = {path: edited(project.text(path), many) for path, many in edits.items()}
    after = workspace.compiled(project.group, texts)
    wrong = [one for one in after.diagnostics if one.severity == "error" or one.code == "renamed"]
    assert wrong == []


@pytest.mark.parametrize("what", PREFIXED)
def test_a_name_with_its_pack_is_renamed_in_a_third(editor: Editor, what: str):
    workspace, project, paths = editor
    words, pack, _ = PREFIXED[what]
    edits = rename(workspace, project, paths["cart"], at(project, paths["cart"], words), "brandnew")
    other = {"ash": "birch", "birch": "ash"}[pack]
    assert paths[other] not in edits
    texts = {path: edited(project.text(path), many) for path, many in edits.items()}
    after = workspace.compiled(project.group, texts)
    assert "brandnew" in texts[paths["cart"]]
    wrong = [one for one in after.diagnostics if one.severity == "error" or one.code == "renamed"]
    assert wrong == []


@pytest.mark.parametrize(("pack", "value"), [("ash", "ash"), ("birch", "birch")])
def test_hover_tells_that_of_its_pack(editor: Editor, pack: str, value: str):
    _, project, paths = editor
    found = hover(project, paths[pack], at(project, paths[pack], "if c|ap >"))
    assert found is not None
    assert f"{pack}:setting/" in str(found.contents)
    assert f"how many in {value}" in str(found.contents)


def offered(project: Project, path: str, line: str) -> set[str]:
    """What is offered at the end of a line that is added to the last effect of a file."""
    text = f"{project.text(path)}    {line}"
    return {one.label for one in Completer(project.snapshot).complete(text, len(text)).candidates}


@pytest.mark.parametrize(
    "line", ["choose what from hand where what = ", "choose what from hand where what = q"]
)
def test_a_third_pack_is_offered_both_with_their_packs(editor: Editor, line: str):
    _, project, paths = editor
    found = offered(project, paths["cart"], line)
    assert found >= {"ash__quince", "birch__quince"}
    assert "quince" not in found
