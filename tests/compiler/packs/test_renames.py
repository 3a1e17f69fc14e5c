"""Every id of a game is renamed, and packs that name the old ones are looked at: each name is led
to the new one with a notice, or it is an error. Nothing that a pack says becomes void in silence.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.fixes import apply_fixes, fix_of
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from tests.support.check_layer import NOTHING, compile_case
from tests.support.command import call
from tests.support.patch_packs import (
    SHIPPED,
    compiled,
    errors,
    put,
    read,
    schema_folder,
    tried,
)
from tests.support.quarrel_table import QUARREL

PACKS = ("a-guns", "b-dearer", "c-guns-too", "d-new-gun", "e-rules", "house")
ID = re.compile(r"\b(kind: \w+(?:, |\n +| *\n))id: ([\w-]+)")
FILES = ("weapons.yaml", "prices.yaml")
IDS = sorted(
    name for file in FILES for _, name in ID.findall((QUARREL / "game" / file).read_text())
)
# Which of the packs name which of them.
NAMED = {
    "carbine": {"a-guns", "c-guns-too", "house", "e-rules"},
    "cannon": {"b-dearer"},
    **{
        id: {"e-rules"}
        for id in ("hill-smithy", "old-forge", "discount", "purse", "cheap", "sword")
    },
}


def renamed_game(folder: Path, ids: Iterable[str], keep: bool) -> Path:
    """A copy of the game in which these ids are called `new-...`, with or without saying so."""
    game = folder / "game"
    shutil.copytree(QUARREL / "game", game)
    for file in FILES:
        text = (game / file).read_text(encoding="utf-8")
        for id in ids:
            flow = rf"\g<1>id: new-{id}" + (rf", renamed_from: {id}" if keep else "")
            block = rf"\g<1>id: new-{id}" + (rf"\n  renamed_from: {id}" if keep else "")
            text = re.sub(rf"(kind: \w+, )id: {id}\b(?!-)", flow, text)
            text = re.sub(rf"(kind: \w+\n +)id: {id}\b(?!-)", block, text)
            if not keep:  # what the game itself says of it is mended along with it
                text = re.sub(rf"(maker: (?:quarrel:maker/)?){id}\b", rf"\g<1>new-{id}", text)
        (game / file).write_text(text, encoding="utf-8")
    return game


def built(game: Path, packs: Iterable[str] = PACKS) -> CompileResult:
    folders = [SHIPPED / pack for pack in packs]
    return compile_paths([game, *folders], builtin=NOTHING, schemas=schema_folder())


def packs_of(found: Iterable[Diagnostic], code: str) -> set[str]:
    """The packs in which something of this code stands."""
    return {Path(one.place.path).parent.name for one in found if one.code == code} - {"game"}


def facts(result: CompileResult) -> dict[str, object]:
    """What every item of a program comes to, by names without `new-`."""
    assert result.program is not None, result.diagnostics
    said: dict[str, object] = {}
    for entity in result.program.entities:
        for name, column in entity.static:
            for thing, value in zip(entity.names, column, strict=True):
                said[f"{thing.removeprefix('new-')}.{name}"] = value
    said |= {one.name.removeprefix("new_"): one.value for one in result.program.settings}
    return said


def test_every_id_at_once_is_led_to_the_new_one(tmp_path: Path):
    result = built(renamed_game(tmp_path, IDS, keep=True))
    assert errors(result.diagnostics) == []
    assert facts(result) == facts(compiled(*(SHIPPED / pack for pack in PACKS)))
    assert packs_of(result.diagnostics, "renamed") == set(PACKS) - {"d-new-gun"}
    notices = [one for one in result.diagnostics if one.code == "renamed"]
    assert {one.severity for one in notices} == {"warning"}
    assert all(
        "`new" in one.message or ":new" in one.message or "/new-" in one.message for one in notices
    )
    # In the pack e-rules every place that names something: one manifest, two fields, five words of
    # texts, one patch.
    assert sum("e-rules" in one.place.path for one in notices) == 9


def test_every_id_at_once_is_an_error_where_nobody_says_so(tmp_path: Path):
    game = renamed_game(tmp_path, IDS, keep=False)
    for pack in sorted(set(PACKS) - {"d-new-gun"}):
        wrong = errors(built(game, [pack]).diagnostics)
        assert wrong, f"{pack} names what is no longer there, and nobody says so"
        assert "renamed" not in wrong
    assert errors(built(game, ["d-new-gun"]).diagnostics) == []


@pytest.mark.parametrize("id", IDS)
def test_each_id_by_itself(id: str, tmp_path: Path):
    kept = built(renamed_game(tmp_path / "kept", [id], keep=True))
    assert errors(kept.diagnostics) == []
    assert packs_of(kept.diagnostics, "renamed") == NAMED.get(id, set())
    lost = renamed_game(tmp_path / "lost", [id], keep=False)
    hurt = {pack for pack in PACKS if errors(built(lost, [pack]).diagnostics)}
    assert hurt == NAMED.get(id, set())


@pytest.mark.parametrize(
    ("line", "notices"), [("", 0), ("renamed_from: better-carbine\n", 1)], ids=["lost", "kept"]
)
def test_a_patch_is_renamed(line: str, notices: int, tmp_path: Path):
    shutil.copytree(SHIPPED, tmp_path / "packs")
    file = tmp_path / "packs" / "a-guns" / "guns.yaml"
    text = file.read_text(encoding="utf-8").replace(
        "id: better-carbine\n", f"id: best-carbine\n{line}"
    )
    file.write_text(text, encoding="utf-8")
    content, found = read(*(tmp_path / "packs" / pack for pack in ("a-guns", "b-dearer", "house")))
    assert content is not None
    assert sum(one.code == "renamed" for one in found) == notices
    # Lost, nothing says any more what comes after what: no value is silently another one.
    assert ("patch-conflict" in errors(found)) is (notices == 0)


WEAPON = "{{kind: weapon, id: {}, title: X, price: 1, damage: 1, sort: bow, renamed_from: {}}}\n"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            (WEAPON.format("musket", "sword"),),
            "`sword` is the name of `quarrel:weapon/sword` itself",
        ),
        (
            (f"- {WEAPON.format('musket', '[flint, old]')}- {WEAPON.format('rifle', 'old')}",),
            "`p0:weapon/rifle` and `p0:weapon/musket` both claim the old name `old`",
        ),
        ((WEAPON.format("musket", "musket"),), "`musket` is the name of `p0:weapon/musket` itself"),
    ],
)
def test_old_names_that_lead_nowhere(texts: tuple[str, ...], said: str):
    _, found = tried({f"p{number}": text for number, text in enumerate(texts)})
    assert [(one.code, one.message) for one in found] == [("bad-rename", said)]


def test_an_old_name_of_another_kind_is_free():
    _, found = tried({"p": WEAPON.format("musket", "old-forge")})
    assert found == []


def test_a_notice_says_the_new_name():
    patch = "{kind: patch, id: one, target: p:weapon/flint, add: {price: 1}}\n"
    content, [found] = tried({"p": WEAPON.format("musket", "flint"), "q": patch})
    assert (found.severity, found.code) == ("warning", "renamed")
    assert found.message == "`p:weapon/flint` is now called `p:weapon/musket`, and is taken as that"
    assert found.help == "write `p:weapon/musket`"
    assert content is not None
    assert content.history["p:weapon/musket", "price"][0].new == 2


def test_a_text_keeps_its_own_names():
    """A variable that is called like the old name of an item is no old name; a power that is used
    by it is one."""
    walk = "- {kind: power, id: stroll, renamed_from: amble, gloss: walks, effect: use walk}\n"
    own = (
        "- kind: power\n  id: tried\n  gloss: x\n  effect: |\n    let amble = 2\n    repeat amble "
        "times: use walk\n"
    )
    uses = "- kind: power\n  id: used\n  gloss: x\n  effect: |\n    use amble\n"
    codes = [[one.code for one in compile_case(walk + text).diagnostics if one.code != "unused-item"]
             for text in (own, uses)]  # fmt: skip
    assert codes == [[], ["renamed"]]


def test_a_fusion_and_a_holed_text():
    fusion = (
        "- {kind: power, id: stroll, renamed_from: amble, gloss: walks, effect: use walk}\n"
        "- {kind: fusion, id: both, parts: [amble, walk], gloss: x, effect: use walk}\n"
    )
    found = [
        one
        for one in compile_case(fusion).diagnostics
        if one.code not in ("unused-item", "no-unused")
    ]
    assert [(one.code, one.place.line) for one in found] == [("renamed", 2)]


def test_the_command_line_leads_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    patch = "{kind: patch, id: one, target: setting/hand_size, add: {value: 1}}\n"
    setting = (
        "{kind: setting, id: hands, renamed_from: hand_size, value: 2, english: how many hands}\n"
    )
    folders = put(tmp_path, {"p": patch, "q": setting})
    for folder in folders:
        file = folder / "pack.yaml"
        file.write_text(file.read_text().replace("game: quarrel", "game: gnostica"))
    monkeypatch.chdir(tmp_path)
    done = call("why", "setting/hand_size.value", "--pack", "p", "--pack", "q")
    assert (done.code, done.out.splitlines()[0]) == (0, "q:setting/hands.value = 3")


HOLES = """
- {kind: setting, id: top, value: 3, min: 1, max: 9, english: the top, renamed_from: high}
- {kind: measure, id: twice, takes: "n: Int", gives: Int, is: "n + top", english: "{n} and {high}"}
- kind: fruit
  id: apple
  weight: 1
  tint: red
  effect: |
    say "as many as {high}, {twice(day)}"
    set day = twice(day)
"""


def test_an_old_name_in_a_hole_is_taken_as_the_new_one_and_can_be_mended():
    result = compile_case(HOLES)
    assert result.ok
    assert [one.help for one in result.diagnostics if one.code == "renamed"] == ["write `top`"] * 2
    fixes = [fix for one in result.diagnostics if (fix := fix_of(one, result.sources)) is not None]
    mended = apply_fixes(HOLES, fixes)
    assert mended.count("{top}") == 2
    assert "renamed" not in [one.code for one in compile_case(mended).diagnostics]


def test_every_old_name_can_be_mended(tmp_path: Path):
    """In targets, conditions, manifests, fields and effect texts alike, with quotes and without."""
    game = renamed_game(tmp_path, IDS, keep=True)
    shutil.copytree(SHIPPED, tmp_path / "packs")
    folders = [tmp_path / "packs" / pack for pack in PACKS]

    def look() -> CompileResult:
        return compile_paths([game, *folders], builtin=NOTHING, schemas=schema_folder())

    before = look()
    fixes = [fix for one in before.diagnostics if (fix := fix_of(one, before.sources)) is not None]
    assert len(fixes) == sum(one.code == "renamed" for one in before.diagnostics)
    for path in {fix.place.path for fix in fixes}:
        own = [fix for fix in fixes if fix.place.path == path]
        Path(path).write_text(apply_fixes(before.sources[path], own), encoding="utf-8")
    after = look()
    assert [one.code for one in after.diagnostics if one.code == "renamed"] == []
    assert facts(after) == facts(before)


def test_the_command_mends_old_names(tmp_path: Path):
    files = {
        "pack.yaml": "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n",
        "cards.yaml": (
            "- {kind: power, id: calm, renamed_from: quiet, gloss: rest, effect: stop}\n"
            "- kind: major\n  id: lake\n  title: Lake\n  number: 77\n  effect: |\n"
            "    use quiet\n"
            "- {kind: clause, id: lake.calm, renamed_from: lake.quiet, words: calm lakes are deep}\n"
            "- {kind: patch, id: deeper, target: house:power/quiet, append: {clauses: [lake.quiet]}}\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert call("check", tmp_path).out.count("warning[renamed]") == 3
    call("check", tmp_path, "--fix")
    text = (tmp_path / "cards.yaml").read_text(encoding="utf-8")
    for mended in ("use calm", "target: house:power/calm", "clauses: [lake.calm]"):
        assert mended in text
    assert "renamed]" not in call("check", tmp_path).out
