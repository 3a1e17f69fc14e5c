"""A mistake that shows in one pack and comes of a patch in another: both places are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import compile_paths

GAME = """
- kind: vocabulary
  game: tarts
  entities: {Player: {noun: [player, players], max: 2, fields: {eaten: {type: Int, min: 0, max: 9}}}}
  scope: {me: {type: Player, life: game, english: you}}
  operations:
    eat: {params: {who: Player}, sets: {eaten(who): eaten(who) + 1}, english: "{who} eats", log: "{who} eats"}
- {kind: setting, id: most, value: 3, english: the most}
- {kind: measure, id: left, takes: "who: Player", gives: Int, is: "most - eaten(who)", english: "what {who} has left"}
- {kind: power, id: nibble, gloss: nibble, effect: eat(me)}
- {kind: flow, id: set_up, effect: use nibble}
- kind: flow
  id: turn
  effect: |
    if left(me) > 0: use nibble
"""
MANIFEST = "kind: pack\nid: {id}\nversion: 1.0.0\ngame: tarts\nedition: 1\n"


def found(folder: Path, patches: str) -> list[Diagnostic]:
    """What is wrong with the game, in the file `game.yaml`, as a pack with these patches leaves
    it."""
    for id, name, text in (("tarts", "game.yaml", GAME), ("house", "patches.yaml", patches)):
        (folder / id).mkdir()
        (folder / id / "pack.yaml").write_text(MANIFEST.format(id=id), encoding="utf-8")
        (folder / id / name).write_text(text, encoding="utf-8")
    result = compile_paths([folder / "tarts", folder / "house"])
    return [one for one in result.diagnostics if one.severity == "error"]


@pytest.mark.parametrize(
    ("patch", "code", "note"),
    [
        (
            "{kind: patch, id: no-more, target: power/nibble, disable: true}",
            "unknown-power",
            "`house:patch/no-more` takes `tarts:power/nibble` out of the game",
        ),
        (
            '{kind: patch, id: by-name, target: measure/left, set: {takes: "one: Player"}}',
            "unknown-name",
            "`house:patch/by-name` changes `tarts:measure/left`",
        ),
    ],
)
def test_the_patch_behind_a_mistake_is_told(tmp_path: Path, patch: str, code: str, note: str):
    told = [one for one in found(tmp_path, patch) if one.code == code]
    assert told
    for one in told:
        assert one.place.path.endswith("game.yaml")
        blamed, *others = one.notes
        assert (blamed.message, Path(blamed.place.path).name, blamed.place.line) == (
            note,
            "patches.yaml",
            1,
        )
        assert [(other.message, Path(other.place.path).name) for other in others] == [
            ("here, too", "game.yaml")
        ] * len(others)


def test_what_stands_in_the_patch_itself_needs_no_note(tmp_path: Path):
    (told,) = found(
        tmp_path, '{kind: patch, id: slip, target: measure/left, set: {is: "mst - eaten(who)"}}'
    )
    assert told.place.path.endswith("patches.yaml")
    assert told.notes == ()
