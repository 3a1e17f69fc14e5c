"""What a pack overrides: it remembers what that was, and is told when it has changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lint.against import entries, overridden, short_hash, text_in
from ruleloom.compiler.packs.locate import find_packs
from ruleloom.compiler.pipeline import Compiler
from ruleloom.migrate.against import FOLDER, written_against
from ruleloom.migrate.course import Course
from ruleloom.migrate.migration import migrate
from tests.conftest import ROOT
from tests.support.check_layer import NOTHING, ORCHARD, schemas
from tests.support.command import call
from tests.support.pack_examples import manifest, write

RIVER = ROOT / "rulesets" / "examples" / "river-folk"
MANIFEST = "kind: pack\nid: grove\nversion: 1.0.0\ngame: orchard\nedition: 1\n"
GAME = (
    ("choose one:", "choose one named day_menu:"),
    ("green, copies: 2", 'green, effect: "step bite: use gamble"'),
)
"""What the game has that can be overridden."""
OVERRIDING = {
    "a patch": (
        "value: 3",
        "value: 2",
        "kind: patch\nid: own\ntarget: setting/most\nset: {value: 5}\n",
    ),
    "a patch of a class": (
        "weight: 2, tint: green",
        "weight: 3, tint: green",
        "kind: patch\nid: own\nevery: fruit\nset: {weight: 1}\n",
    ),
    "a patch that disables": (
        "weight: 2, tint: green",
        "weight: 1, tint: green",
        "kind: patch\nid: own\ntarget: fruit/pear\ndisable: true\n",
    ),
    "a replacement of a power": (
        "use snack(bite) giving rest",
        "use snack(bite, 2) giving rest",
        "kind: standing\nid: own\nfor: Player\nabilities: |\n  instead of turn(): stop\n",
    ),
    "a replacement of an operation": (
        "changes: [Basket.size], at_table: true",
        "changes: [Basket.size, Basket.spot], at_table: true",
        "kind: standing\nid: own\nfor: Player\nabilities: |\n  instead of fill(basket): stop\n",
    ),
    "a way in place of another": (
        "set favourite = rest",
        "set favourite = bite",
        'kind: way\nid: own\nto: day_menu\ninstead_of: snack\nlabel: feast\neffect: "use gamble"\n',
    ),
    "a variant": (
        "step bite: use gamble",
        "step bite: set day = 2",
        "kind: fruit\nid: own\nlike: pear\nbut: {replace-step: {bite: use walk}}\n",
    ),
}


def course_on(tmp_path: Path, *changes: tuple[str, str]) -> Course:
    """The grove on top of the orchard, with texts of it changed."""
    game, pack = tmp_path / "game", tmp_path / "grove"
    shutil.copytree(ORCHARD / "game", game, dirs_exist_ok=True)
    for file in game.glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        for old, new in changes:
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    (folder,) = find_packs(str(pack), NOTHING, Report())
    return Course(folder, [str(game)], builtin=NOTHING, schemas=schemas())


@pytest.mark.parametrize("name", OVERRIDING)
def test_what_overrides_is_told_when_that_has_changed(name: str, tmp_path: Path):
    old, new, items = OVERRIDING[name]
    pack = tmp_path / "grove"
    pack.mkdir()
    (pack / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (pack / "items.yaml").write_text(items, encoding="utf-8")
    course = course_on(tmp_path, *GAME)
    result = course.compiled()
    assert result.ok, result.diagnostics
    kept, left = written_against(course, result)
    assert left == []
    assert len(kept) == 1
    (written,) = course.texts.values()
    assert written.count("against:") == 1
    (pack / "items.yaml").write_text(written, encoding="utf-8")
    for inside, text in kept.items():
        (pack / inside).parent.mkdir()
        (pack / inside).write_text(text, encoding="utf-8")
    course = course_on(tmp_path, *GAME)
    assert [one.code for one in course.compiled().diagnostics] == []
    assert migrate(course).tasks == ()
    course = course_on(tmp_path, *GAME, (old, new))
    (told,) = course.compiled().diagnostics
    assert (told.code, told.place.path) == ("moved-on", f"{pack}/items.yaml")
    (task,) = migrate(course).tasks
    was, now = (dict(task.texts)[one] for one in ("then", "now"))
    assert was in kept.values()
    assert was != now


def test_a_field_of_the_same_name_stays_that_of_its_kind(tmp_path: Path):
    manifest = "kind: pack\nid: wits\nversion: 1.0.0\ngame: witchgates\nedition: 1\n"
    wits = (
        "kind: ability\nid: wits\nlike: resolve\ntitle: Wits\nagainst: deception\n"
        "but: {remove: {clauses: [witchgates.ability.list]}}\n"
    )
    (tmp_path / "pack.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "items.yaml").write_text(wits, encoding="utf-8")
    told = call("fmt", "--against", tmp_path).out
    assert "`wits` cannot remember what it overrides" in told
    assert (tmp_path / "items.yaml").read_text(encoding="utf-8") == wits


def test_the_hash_of_what_is_no_text_of_another_is_refused(tmp_path: Path):
    pack = tmp_path / "grove"
    pack.mkdir()
    (pack / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    fig = 'kind: fruit\nid: fig\nagainst: "12345678"\nweight: 1\ntint: red\n'
    (pack / "items.yaml").write_text(fig, encoding="utf-8")
    (told,) = course_on(tmp_path).compiled().diagnostics
    assert told.message == "`fig` overrides nothing of another pack"


def test_what_has_changed_under_a_patch_is_told_with_all_texts(tmp_path: Path):
    pack = tmp_path / "river-folk"
    shutil.copytree(RIVER, pack)
    rules = pack / "house-rules.yaml"
    whole = rules.read_text(encoding="utf-8")
    start, end = (
        whole.index("  after-step:\n    act:"),
        whole.index("- kind: power\n  id: act_again"),
    )
    ours = "  replace-effect: |\n    use act_again\n    use pass_on\n\n"
    rules.write_text(whole[:start] + ours + whole[end:], encoding="utf-8")
    assert "`two-actions` replaces a whole text" in call("migrate", pack, "--dry-run").out
    assert "4 texts kept in `against`" in call("fmt", "--against", pack).out
    written = rules.read_text(encoding="utf-8")
    assert written.count('  against: "') == 4
    assert "moved-on" not in call("check", pack, "--no-cache").out
    assert (
        "`two-actions` replaces" not in call("migrate", pack, "--dry-run").out
    )  # it was looked at
    (kept,) = (one for one in (pack / FOLDER).iterdir() if "step act:" in one.read_text())
    was = kept.read_text(encoding="utf-8").replace("giving again", "giving once_more")
    rules.write_text(written.replace(f'"{kept.stem}"', '"00000000"'), encoding="utf-8")
    (pack / FOLDER / "00000000.txt").write_text(was, encoding="utf-8")
    assert (
        "warning[moved-on]: `gnostica:flow/turn` has changed"
        in call("check", pack, "--no-cache").out
    )
    told = call("migrate", pack, "--dry-run").out
    for words in ("then", "now", "your pack", "giving once_more", "| use act_again"):
        assert words in told
    call("fmt", "--against", pack)
    assert rules.read_text(encoding="utf-8") == written


STALL = """\
- {kind: power, id: taste, gloss: taste, effect: say "a bite of §"}
- {kind: power, id: sip, gloss: sip, effect: use taste}
- {kind: extension, id: more, §}
"""
GUARD = """\
kind: standing
id: own
for: Player
abilities: |
  instead of taste(): stop
  instead of sip(): stop
  instead of heat(who): stop
"""
OPERATION = (
    "extends: {Player: {fields: {warm: {type: Int, initial: 0, min: 0, max: 9, at_table: true}}}}, "
    "operations: {heat: {params: {who: Player}, sets: {warm(who): warm(who) + 1}, english: warm, log: warm, at_table: true}}"
)
MOMENT = "moments: {heat: {params: {who: Player}, english: warm}}"


def what_own_overrides(folder: Path, *packs: str) -> dict[str, str]:
    """The texts that the grove overrides, by the ids of their items, and the hash of all."""
    paths = [ORCHARD / "game", *(folder / pack for pack in packs)]
    result = Compiler().compile(paths, builtin=NOTHING, schemas=schemas(ORCHARD))
    assert result.content is not None
    assert [str(one) for one in result.diagnostics if one.severity == "error"] == []
    (entry,) = (one for one in entries(result.content) if one.first.name == "own")
    found = overridden(result.content, entry)
    return {**{one.id: one.text for one in found}, "": short_hash(text_in(found))}


def test_what_is_overridden_does_not_depend_on_strangers(tmp_path: Path):
    """A pack writes the short names of the one that it builds on, also where a stranger has them, too."""
    files = {"grove/items.yaml": GUARD}
    for id, words in (("old-ash", OPERATION), ("birch", MOMENT)):
        files[f"{id}/pack.yaml"] = manifest(id, game="orchard")
        files[f"{id}/items.yaml"] = STALL.replace("more, §", f"more, {words}").replace("§", id)
    needs = 'requires: {old-ash: "*"}'
    files["grove/pack.yaml"] = manifest("grove", needs, game="orchard")
    write(tmp_path, files)
    alone = what_own_overrides(tmp_path, "old-ash", "grove")
    assert [*alone] == ["old-ash:operation/heat", "old-ash:power/sip", "old-ash:power/taste", ""]
    beside = what_own_overrides(tmp_path, "old-ash", "birch", "grove")
    assert [*beside.values()] == [*alone.values()]
    assert "old-ash:power/old-ash__taste" in beside
    long = GUARD.replace("taste", "old_ash__taste")
    (tmp_path / "grove" / "items.yaml").write_text(long, encoding="utf-8")
    for packs in (("old-ash", "grove"), ("old-ash", "birch", "grove")):
        assert what_own_overrides(tmp_path, *packs)[""] == alone[""]
