"""Planted changes of the orchard, each with its rule of migration: a pack from before is rewritten, or a person
is told at the place."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import find_packs
from ruleloom.migrate.course import Course
from ruleloom.migrate.migration import Migrated, migrate
from tests.support.check_layer import NOTHING, ORCHARD, schemas

MANIFEST = """\
kind: pack
id: grove
version: 1.0.0
game: orchard
edition: 1
requires: {orchard: "^1.0"}  # as ever
"""


class Planted(NamedTuple):
    """A change of the game, its rule, and the items of a pack before and after."""

    changes: Mapping[str, str]
    rule: str
    before: str
    after: str = ""
    told: str = ""


def fruit(*lines: str) -> str:
    head = "kind: fruit\nid: fig\nweight: 1\ntint: red  # like a brick\neffect: |\n"
    return head + "".join(f"  {line}\n" for line in lines)


WANDER = {"id: walk": "id: wander", "use walk": "use wander", "[walk, walk]": "[wander, wander]"}
TAKES = "fruit: Fruit, times: Int = 1"
USED = "use snack(bite) giving rest"
RESPONSE = "kind: standing\nid: rest\nfor: Player\nabilities: |\n  instead of {}(): stop\n"
PATCH = "kind: patch\nid: more\ntarget: orchard:setting/{}\nset: {{value: 5}}\n"
FIG = "# figs\nkind: fruit\nid: fig\n{}: 2  # or so\ntint: red\n"
PLANTED = {
    "a power has another name": Planted(
        WANDER,
        "old: power/walk, new: wander",
        fruit("# along the hedge", "use walk  # slowly"),
        fruit("# along the hedge", "use wander  # slowly"),
    ),
    "what is answered has another name": Planted(
        WANDER, "old: power/walk, new: wander", RESPONSE.format("walk"), RESPONSE.format("wander")
    ),
    "an operation is done by a power": Planted(
        {"id: gamble": "id: top_up\n  takes: 'basket: Basket'", "  fill: {": "  fill_it: {"},
        'old: operation/fill, takes: basket, becomes: "use top_up(basket)"',
        fruit("choose basket from mine", "if size(basket) = 3: fill(basket)"),
        fruit("choose basket from mine", "if size(basket) = 3: use top_up(basket)"),
    ),
    "parameters in another order": Planted(
        {TAKES: "times: Int, fruit: Fruit", USED: "use snack(1, bite) giving rest"},
        'old: power/snack, takes: "fruit, times = 1", becomes: "use snack(times, fruit)"',
        fruit("use snack(plum, day + 1) giving left", "if left is none: use snack(pear)"),
        fruit("use snack(day + 1, plum) giving left", "if left is none: use snack(1, pear)"),
    ),
    "a parameter that must be given": Planted(
        {TAKES: "fruit: Fruit, times: Int", USED: "use snack(bite, 1) giving rest"},
        'old: power/snack, takes: "fruit, times = 1", becomes: "use snack(fruit, times)"',
        fruit("use snack(plum)"),
        fruit("use snack(plum, 1)"),
    ),
    "a parameter has another name": Planted(
        {TAKES: "fruit: Fruit, often: Int = 1", "times > loose": "often > loose"},
        "old: parameter/power/snack.times, new: often",
        fruit("use snack(plum, times: 2)"),
        fruit("use snack(plum, often: 2)"),
    ),
    "a value has another name": Planted(
        {"[red, green, gold]": "[red, green, golden]"},
        "old: value/Colour.gold, new: golden",
        fruit("choose basket from mine where colour(basket) = gold", "fill(basket)"),
        fruit("choose basket from mine where colour(basket) = golden", "fill(basket)"),
    ),
    "a measure is gone": Planted(
        {"id: richest": "id: wealth", "richest(me)": "wealth(me)"},
        'old: measure/richest, person: "ask for the score"',
        fruit("if richest(me) > 2: stop"),
        told="`richest`: ask for the score (so it is)",
    ),
    "what is patched has another name": Planted(
        {"id: most": "id: spot_limit", "< most": "< spot_limit"},
        "old: setting/most, new: setting/spot_limit",
        PATCH.format("most"),
        PATCH.format("spot_limit"),
    ),
    "a field has another name": Planted(
        {}, "old: field/fruit.heft, new: weight", FIG.format("heft"), FIG.format("weight")
    ),
    "a field is two": Planted(
        {},
        "old: field/fruit.sort, split: {light: {weight: 1, tint: red}, dark: {weight: 3, tint: green}}",
        "- {kind: fruit, id: fig, sort: dark, title: Fig}\n- kind: fruit\n  id: date\n  sort: light  # so\n",
        "- {kind: fruit, id: fig, weight: 3, tint: green, title: Fig}\n"
        "- kind: fruit\n  id: date\n  weight: 1\n  tint: red  # so\n",
    ),
    "a field is part of another": Planted(
        {},
        "old: field/picker.pace, new: field/picker.speed.red",
        'kind: picker\nid: ann\npace: 3\nyield: {plum: 1, pear: 1, "pear#2": 1}\n',
        'kind: picker\nid: ann\nspeed: {red: 3}\nyield: {plum: 1, pear: 1, "pear#2": 1}\n',
    ),
    "a field has come that stands there": Planted(
        {},
        "old: field/fruit.heft, new: weight",
        "kind: fruit\nid: fig\nheft: 2\nweight: 1\n",
        told="`heft`: write `weight` (so it is)",
    ),
}


def migrated(planted: Planted, tmp_path: Path) -> Migrated:
    """The pack, written for version 1 of the orchard, under version 2."""
    game, pack = tmp_path / "game", tmp_path / "grove"
    shutil.copytree(ORCHARD / "game", game)
    for file in game.glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        for old, new in {**planted.changes, "version: 1.0.0": "version: 2.0.0"}.items():
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    rule = f"- {{kind: migration, id: one, since: 2.0.0, {planted.rule}, why: so it is}}\n"
    (game / "migrations.yaml").write_text(rule, encoding="utf-8")
    pack.mkdir()
    (pack / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (pack / "items.yaml").write_text(planted.before, encoding="utf-8")
    (folder,) = find_packs(str(pack), NOTHING, Report())
    return migrate(Course(folder, [str(game)], builtin=NOTHING, schemas=schemas()))


@pytest.mark.parametrize("name", PLANTED)
def test_a_pack_of_before_is_rewritten_or_a_person_is_told(name: str, tmp_path: Path):
    planted = PLANTED[name]
    done = migrated(planted, tmp_path)
    texts = {Path(file).name: new for file, (_, new) in done.files.items()}
    assert texts.pop("pack.yaml") == MANIFEST.replace("^1.0", "^2.0.0")
    assert texts.get("items.yaml", "") == planted.after
    assert [one.words for one in done.tasks] == [planted.told] * bool(planted.told)


def test_a_migrated_pack_is_migrated_to_itself(tmp_path: Path):
    done = migrated(PLANTED["parameters in another order"], tmp_path)
    for file, (_, new) in done.files.items():
        Path(file).write_text(new, encoding="utf-8")
    (folder,) = find_packs(str(tmp_path / "grove"), NOTHING, Report())
    game = str(tmp_path / "game")
    again = migrate(Course(folder, [game], builtin=NOTHING, schemas=schemas()))
    assert (again.files, again.tasks) == ({}, ())
