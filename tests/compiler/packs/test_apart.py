"""Packs of strangers that call things the same: each name means what it means in its own pack.

The two packs of the first test have one text, with a name in every position that takes one
(`test_old_names_everywhere`). Their program is that of packs whose authors write the prefixes by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import Compiler, CompileResult
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_text
from tests.compiler.packs.test_old_names_everywhere import TEXT
from tests.support.check_layer import NOTHING, ORCHARD, schemas
from tests.support.pack_examples import manifest, write

# A picker would need a number for each fruit of the other pack.
PLAIN = re.sub(r"- \{kind: picker.*\n", "", TEXT.replace("§", "")).replace("orchard:patch", "patch")
# Strangers share tags that they declare alike.
NAMES = {*re.findall(r"\bid: (\w+)", PLAIN)} - {"soft", "mushy"}


def compiled(
    folder: Path,
    packs: Mapping[str, str],
    requires: Mapping[str, str] | None = None,
    order: Sequence[str] = (),
) -> CompileResult:
    """Write packs for the orchard, each the text of one file, and compile them, afresh."""
    files = {}
    for id, text in packs.items():
        needs = (requires or {}).get(id)
        lines = [f"title: The {id}", *([f"requires: {needs}"] if needs else [])]
        files[f"{id}/pack.yaml"] = manifest(id, *lines, game="orchard")
        files[f"{id}/items.yaml"] = text
    write(folder, files)
    paths = [folder / id for id in order or packs]
    return Compiler(uses=True).compile(
        [ORCHARD / "game", *paths], builtin=NOTHING, schemas=schemas(ORCHARD), texts=True
    )


def sound(result: CompileResult) -> Program:
    """The program, without an error."""
    wrong = [str(one) for one in result.diagnostics if one.severity == "error"]
    if wrong or result.program is None:
        pytest.fail("\n".join(wrong))  # an `assert` would print the whole program
    return result.program


def prefixed(text: str, pack: str) -> str:
    """A text whose author has put the name of the pack before each name."""
    return re.sub(rf"\b({'|'.join(sorted(NAMES))})\b", rf"{pack}__\1", text)


def said(program: Program) -> list[str]:
    """What a program says, but for the lines in which it stands and the packs of names and titles, in
    pieces, as pytest takes minutes to compare long texts."""
    text = re.sub(r',\d+,\d+\]|"hash":"\w+"| \(The \w+\)', "", program_text(program))
    return re.sub(r"\b(ash|birch)(__| +)|(?<=\\n)(ash|birch) ", "", text.lower()).split(",")


def test_a_program_is_that_of_names_with_prefixes(tmp_path: Path):
    short = compiled(tmp_path / "short", {"ash": PLAIN, "birch": PLAIN})
    by_hand = {id: prefixed(PLAIN, id) for id in ("ash", "birch")}
    long = compiled(tmp_path / "long", by_hand)
    differing = [
        pair
        for pair in zip(said(sound(short)), said(sound(long)), strict=True)
        if pair[0] != pair[1]
    ]
    assert differing[:3] == []
    codes = {one.code for one in short.diagnostics}
    assert not codes & {"renamed", "same-title"}


FRUIT = "- {kind: fruit, id: quince, title: Quince, weight: 3, tint: red}\n"
LIMIT = "- {kind: setting, id: cap, value: 2, min: 0, max: 9, english: how many}\n"
USES = """\
- kind: power
  id: taste
  gloss: taste it
  effect: |
    choose what from hand where what = quince
    say "at most {cap}"
"""
WORLD = FRUIT + LIMIT + USES


def test_every_order_gives_one_program(tmp_path: Path):
    packs = dict.fromkeys(("ash", "birch", "cedar"), WORLD)
    made = [compiled(tmp_path, packs, order=order) for order in permutations(packs)]
    assert len({program_text(sound(one)) for one in made}) == 1


def test_a_name_means_that_of_the_pack_or_of_the_one_that_it_builds_on(tmp_path: Path):
    packs = {"ash": WORLD, "birch": WORLD, "leaf": USES.replace("taste\n", "nibble\n")}
    program = sound(compiled(tmp_path, packs, {"leaf": '{birch: "*"}'}))
    nibble = next(one for one in program.routines if one.id == "leaf:power/nibble")
    assert "birch__cap" in str(nibble.rows)
    fruits = next(one for one in program.entities if one.name == "Fruit")
    names = dict(zip(fruits.names, fruits.titles, strict=True))
    assert names["ash__quince"] == "Quince (The ash)"
    assert names["birch__quince"] == "Quince (The birch)"
    assert "leaf" not in {one.rpartition("The ")[2] for one in fruits.titles}


def test_alone_a_pack_has_short_names_and_titles(tmp_path: Path):
    program = sound(compiled(tmp_path, {"ash": WORLD}))
    assert "ash__" not in program_text(program)
    assert "(The ash)" not in program_text(program)


BOTH = '{ash: "*", birch: "*"}'
THIRD = """\
- {kind: patch, id: dearer, target: "ash:setting/cap", set: {value: 4}}
- {kind: fruit, id: jam, title: Jam, like: birch:fruit/quince}
- kind: power
  id: compare
  gloss: compare
  effect: |
    choose what from hand where what = ash__quince
    say "{ash__cap} and {birch__cap}"
"""


def test_a_pack_that_builds_on_both_names_each(tmp_path: Path):
    packs = {"ash": WORLD, "birch": WORLD, "cart": THIRD}
    program = sound(compiled(tmp_path, packs, {"cart": BOTH}))
    values = {one.name: one.value for one in program.settings}
    assert (values["ash__cap"], values["birch__cap"]) == (4, 2)


UNCLEAR = {
    "text": ("- kind: power\n  id: eat\n  gloss: eat\n  effect: |\n    say \"{cap}\"\n", "cap", 5),
    "thing": (
        "- kind: power\n  id: eat\n  gloss: eat\n  effect: |\n"
        "    choose what from hand where what = quince\n", "quince", 5,
    ),
    "target": ("- {kind: patch, id: p, target: setting/cap, set: {value: 4}}\n", "setting/cap", 1),
    "base": ("- {kind: fruit, id: jam, title: Jam, like: quince}\n", "fruit/quince", 1),
    "row": (
        "- {kind: table, id: price, by: Fruit, gives: Int, rows: {quince: 3}, otherwise: 1, english: a price}\n"
        "- {kind: measure, id: two, gives: Int, is: price(plum), english: two}\n", "quince", 1,
    ),
    "field": ("- {kind: picker, id: bo, bane: {red: quince}}\n", "quince", 1),
    "part": (
        "- {kind: fusion, id: f, parts: [taste, walk], gloss: two, effect: stop}\n", "taste", 1,
    ),
    "hole": ("- {kind: rule, id: r, holds: \"yes\", english: \"at most {cap}\"}\n", "cap", 1),
}  # fmt: skip


@pytest.mark.parametrize("where", UNCLEAR)
def test_a_short_name_of_both_is_told_with_what_to_write(tmp_path: Path, where: str):
    text, name, line = UNCLEAR[where]
    packs = {"ash": WORLD, "birch": WORLD, "cart": text}
    result = compiled(tmp_path, packs, {"cart": BOTH})
    found = [one for one in result.diagnostics if one.code == "unclear-name"]
    assert [(Path(one.place.path).parent.name, one.place.line) for one in found] == [("cart", line)]
    assert found[0].message == f"`{name}` may be that of `ash` or `birch`"
    full = [f"ash:{name}", f"birch:{name}"] if "/" in name else [f"ash__{name}", f"birch__{name}"]
    assert found[0].help == f"write `{full[0]}` or `{full[1]}`"
    assert "unknown-name" not in {one.code for one in result.diagnostics}


def test_a_name_with_its_pack_also_stands_where_there_is_only_one(tmp_path: Path):
    text = THIRD.replace("birch", "ash").replace("{ash__cap} and ", "")
    program = sound(compiled(tmp_path, {"ash": WORLD, "cart": text}, {"cart": '{ash: "*"}'}))
    assert "ash__" not in program_text(program)


OLD = WORLD.replace("id: cap", "id: limit, renamed_from: cap")


def cap_of(program: Program, id: str) -> str:
    """The setting that a power speaks of."""
    return re.findall(
        r"'(\w*(?:cap|limit))'", str(next(one for one in program.routines if one.id == id).rows)
    )[0]


@pytest.mark.parametrize("other", [WORLD, OLD], ids=["has it", "had it, too"])
def test_an_old_name_that_a_stranger_has_means_that_of_each_pack(tmp_path: Path, other: str):
    """Neither author knows of the other, so neither is told that the name is taken."""
    third = THIRD.replace("- {kind: patch", "# {kind: patch")
    packs = {"ash": OLD, "birch": other, "leaf": USES.replace("taste\n", "nibble\n"), "cart": third}
    needs = {"leaf": '{ash: "*"}', "cart": BOTH}
    program = sound(compiled(tmp_path, packs, needs))
    now = "limit" if other is WORLD else "ash__limit"
    cap = "birch__cap" if other is WORLD else "birch__limit"
    assert cap_of(program, "ash:power/ash__taste") == cap_of(program, "leaf:power/nibble") == now
    assert cap_of(program, "birch:power/birch__taste") == cap
    assert cap_of(program, "cart:power/compare") == now
    text = UNCLEAR["text"][0]
    result = compiled(tmp_path / "both", {**packs, "cart": text}, needs)
    assert "unclear-name" in {one.code for one in result.diagnostics}


@pytest.mark.parametrize("kind", ["fruit", "setting"])
def test_a_name_of_the_game_is_its_own(tmp_path: Path, kind: str):
    """A pack always builds on its game, so it never has a namesake there."""
    name = {"fruit": "plum", "setting": "most"}[kind]
    text = WORLD.replace("quince", "plum") if kind == "fruit" else WORLD.replace("cap", name)
    result = compiled(tmp_path, {"ash": text})
    assert "duplicate-id" in {one.code for one in result.diagnostics}


def test_a_pack_has_no_namesake_in_one_that_it_builds_on(tmp_path: Path):
    result = compiled(tmp_path, {"ash": WORLD, "birch": FRUIT}, {"birch": '{ash: "*"}'})
    [found] = [one for one in result.diagnostics if one.severity == "error"]
    assert found.code == "duplicate-id"
    assert "write a patch" in str(found.help)


def test_tags_of_one_name_and_different_parents_are_two(tmp_path: Path):
    wide = "- {kind: tag, id: wide, english: wide}\n"
    one = wide + "- {kind: tag, id: ripe, english: ripe}\n"
    other = wide + "- {kind: tag, id: ripe, parent: wide, english: ripe}\n"
    fruit = "- {kind: fruit, id: fig, title: Fig, weight: 3, tint: red, tags: [ripe]}\n"
    packs = {"ash": one + fruit, "birch": other + fruit.replace("fig", "date")}
    program = sound(compiled(tmp_path, packs))
    fruits = next(one for one in program.entities if one.name == "Fruit")
    tags = dict(zip(fruits.names, dict(fruits.static)["tags"], strict=True))
    assert tags["fig"] == ("ash__ripe",)
    assert set(tags["date"]) == {"wide", "birch__ripe"}
