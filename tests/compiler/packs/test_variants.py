"""Items that are like another one: what they take over, and what is told of wrong ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ruleloom.compiler.pipeline import Compiler, CompileResult
from ruleloom.scaffold.starters import editor_schema
from tests.support.command import call

GAME = """
- kind: vocabulary
  game: soups
  enums: {Herb: [dill, mint]}
  entities:
    Player: {noun: [player, players], max: 2}
    Soup:
      noun: [soup, soups]
      max: 9
      records: [soup]
      static: {price: Int, strength: {type: Int, by: Herb, default: 0}, cold: {type: Bool, default: false}}
  kinds: {soup: {makes: Soup}}
  scope: {me: {type: Player, life: game, english: you}}
- {kind: soup, id: broth, price: 2, strength: {dill: 3, mint: 1}, cold: true}
- {kind: power, id: stir, takes: "times: Int = 1", gloss: "stir {times} times", effect: 'say "{times}"'}
- {kind: power, id: serve, gloss: serve it, effect: "step ladle: use stir"}
- {kind: flow, id: set_up, effect: use serve}
- {kind: flow, id: turn, effect: 'finish drawn "x"'}
"""
MANIFEST = "kind: pack\nid: {id}\nversion: 1.0.0\ngame: soups\nedition: 1\n"


def compiled(
    folder: Path, items: str, game: str = GAME, compiler: Compiler | None = None
) -> CompileResult:
    """What a pack with these items comes to, upon a game."""
    for id, text in (("soups", game), ("house", items)):
        (folder / id).mkdir(exist_ok=True)
        (folder / id / "pack.yaml").write_text(MANIFEST.format(id=id), encoding="utf-8")
        titled = re.sub(r"kind: soup, id: (\w+)", r"kind: soup, id: \1, title: \1", text)
        (folder / id / "items.yaml").write_text(titled, encoding="utf-8")
    return (compiler or Compiler()).compile([folder / "soups", folder / "house"])


def fields(result: CompileResult, id: str) -> dict[str, Any]:
    """The fields of an item of a sound pack."""
    assert [one.message for one in result.diagnostics] == []
    assert result.content is not None
    item = result.content.by_id[id]
    return {name: item.data(name) for name in item.fields if name not in ("kind", "id", "title")}


BROTH = {"price": 2, "strength": {"dill": 3, "mint": 1}, "cold": True}


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ("like: broth", {}),
        ("like: soup/broth", {}),
        ('like: "soups:soup/broth"', {}),
        ("like: broth, price: 5", {"price": 5}),
        ("like: broth, strength: {mint: 4}", {"strength": {"dill": 3, "mint": 4}}),
        ("like: broth, cold: null", {"cold": None}),
    ],
)
def test_a_variant_has_what_it_does_not_say(tmp_path: Path, given: str, changed: Mapping[str, Any]):
    result = compiled(tmp_path, f"- {{kind: soup, id: stew, {given}}}\n")
    wanted = {name: value for name, value in {**BROTH, **changed}.items() if value is not None}
    assert fields(result, "house:soup/stew") == wanted
    assert fields(result, "soups:soup/broth") == BROTH


def test_a_variant_of_a_variant_has_what_both_say(tmp_path: Path):
    items = (
        "- {kind: soup, id: thick, like: stew, strength: {dill: 9}}\n"
        "- {kind: soup, id: stew, like: broth, price: 5}\n"
    )
    found = fields(compiled(tmp_path, items), "house:soup/thick")
    assert found == {**BROTH, "price": 5, "strength": {"dill": 9, "mint": 1}}


@pytest.mark.parametrize(
    ("but", "changed"),
    [
        ("add: {price: 3}", {"price": 5}),
        ("scale: {price: 3/2}", {"price": 3}),
        ("add: {strength.mint: 3}", {"strength": {"dill": 3, "mint": 4}}),
        ("remove: {strength: [mint]}", {"strength": {"dill": 3}}),
    ],
)
def test_a_variant_changes_what_it_takes_over_as_patches_do(
    tmp_path: Path, but: str, changed: Mapping[str, Any]
):
    result = compiled(tmp_path, f"- {{kind: soup, id: stew, like: broth, but: {{{but}}}}}\n")
    assert fields(result, "house:soup/stew") == {**BROTH, **changed}
    assert fields(result, "soups:soup/broth") == BROTH


@pytest.mark.parametrize(
    ("but", "lines"),
    [
        ("before-step: {ladle: stop}", ["stop", "step ladle: use stir"]),
        ("after-step: {ladle: stop}", ["step ladle: use stir", "stop"]),
        ("replace-step: {ladle: stop}", ["step ladle:", "    stop"]),
        ("append: {effect: stop}", ["step ladle: use stir", "stop"]),
    ],
)
def test_the_text_of_a_variant_is_changed_by_steps(tmp_path: Path, but: str, lines: list[str]):
    result = compiled(tmp_path, f"- {{kind: power, id: gulp, like: serve, but: {{{but}}}}}\n")
    assert result.content is not None
    text = result.content.by_id["house:power/gulp"].data("effect")
    assert [one for one in text.split("\n") if one] == lines


def test_what_is_written_anew_further_on_is_changed_no_more(tmp_path: Path):
    items = (
        "- {kind: soup, id: stew, like: broth, but: {add: {price: 3}}}\n"
        "- {kind: soup, id: thick, like: stew, but: {add: {price: 1}}}\n"
        "- {kind: soup, id: cheap, like: thick, price: 1}\n"
    )
    result = compiled(tmp_path, items)
    assert fields(result, "house:soup/thick") == {**BROTH, "price": 6}
    assert fields(result, "house:soup/cheap") == {**BROTH, "price": 1}
    packs = ("--pack", str(tmp_path / "house"), "--pack", str(tmp_path / "soups"))
    told = call("why", "soup/thick.price", *packs).out
    assert "house:soup/stew        +3  -> 5  house/items.yaml:1" in told
    assert "house:soup/thick       +1  -> 6  house/items.yaml:2" in told
    assert "house:soup/stew" not in call("why", "soup/cheap.price", *packs).out


def test_a_class_sees_a_variant_with_its_changes(tmp_path: Path):
    items = (
        "- {kind: soup, id: stew, like: broth, but: {add: {price: 3}}}\n"
        "- {kind: patch, id: all, every: soup, where: price > 4, add: {price: 10}}\n"
    )
    assert fields(compiled(tmp_path, items), "house:soup/stew") == {**BROTH, "price": 15}


def test_explain_says_how_a_variant_differs(tmp_path: Path):
    compiled(
        tmp_path,
        "- {kind: soup, id: stew, like: broth, cold: null, but: {add: {price: 3}}}\n"
        "- {kind: soup, id: twin, like: broth}\n"
        "- {kind: power, id: gulp, like: serve, gloss: gulp it, but: {replace-step: {ladle: stop}}}\n",
    )
    packs = ("--pack", str(tmp_path / "house"), "--pack", str(tmp_path / "soups"))
    stew = call("explain", "soup/stew", *packs).out
    assert "As broth, but:\n- price: 5\n- not cold\n" in stew
    assert "As broth.\n" in call("explain", "soup/twin", *packs).out
    assert "- not: Stir 1 time.\n- instead: " in call("explain", "power/gulp", *packs).out
    assert "As " not in call("explain", "soup/broth", *packs).out


@pytest.mark.parametrize(("length", "is_sound"), [(15, True), (16, False)])
def test_a_chain_ends_somewhere(tmp_path: Path, length: int, is_sound: bool):
    links = [f"- {{kind: power, id: s{n}, like: s{n + 1}}}\n" for n in range(length)]
    items = "".join(links).replace(f"like: s{length}}}", "like: stir}")
    result = compiled(tmp_path, items)
    errors = [one for one in result.diagnostics if one.severity == "error"]
    assert [one.code for one in errors] == ["too-deep"] * (not is_sound)


def test_a_variant_is_like_what_is_printed_and_is_patched_itself(tmp_path: Path):
    items = (
        "- {kind: soup, id: stew, like: broth}\n"
        "- {kind: soup, id: truffle, price: 9}\n"
        "- {kind: patch, id: dear, target: soups:soup/broth, set: {price: 7}}\n"
        "- {kind: patch, id: warm, target: house:soup/stew, set: {cold: false}}\n"
        "- {kind: patch, id: all, every: soup, where: price < 9, add: {strength.mint: 1}}\n"
    )
    result = compiled(tmp_path, items)
    mint = {"strength": {"dill": 3, "mint": 2}}
    assert fields(result, "house:soup/stew") == {**BROTH, **mint, "cold": False}
    assert fields(result, "soups:soup/broth") == {**BROTH, **mint, "price": 7}


def test_a_variant_follows_the_other_one_in_a_process_that_has_seen_both(tmp_path: Path):
    compiler, items = Compiler(), "- {kind: soup, id: stew, like: broth}\n"
    compiled(tmp_path, items, compiler=compiler)
    dearer = GAME.replace("price: 2", "price: 3")
    result = compiled(tmp_path, items, dearer, compiler)
    assert fields(result, "house:soup/stew") == {**BROTH, "price": 3}


def test_what_is_wrong_with_the_other_one_is_told_there_alone(tmp_path: Path):
    compiler, items = Compiler(), "- {kind: soup, id: stew, like: broth}\n"
    assert compiled(tmp_path, items, compiler=compiler).ok
    broken = GAME.replace("price: 2", "price: two")
    (told,) = compiled(tmp_path, items, broken, compiler).diagnostics
    assert (told.code, Path(told.place.path).parent.name) == ("wrong-type", "soups")


def test_an_old_name_leads_to_the_item_with_a_notice(tmp_path: Path):
    game = GAME.replace("id: broth,", "id: broth, renamed_from: bouillon,")
    found = compiled(tmp_path, "- {kind: soup, id: stew, like: bouillon}\n", game)
    (told,) = found.diagnostics
    assert (told.code, str(told.help)) == ("renamed", "did you mean `broth`?")
    assert found.ok


WRONG = {
    "- {kind: soup, id: stew, like: broth, but: {set: {price: 3}}}\n": (
        "unknown-field",
        1,
        "write a new value as a field of the item itself",
    ),
    "- {kind: soup, id: stew, like: broth, but: {ad: {price: 3}}}\n": (
        "unknown-field",
        1,
        "did you mean `add`?",
    ),
    "- {kind: soup, id: stew, like: broth, but: {add: {prize: 3}}}\n": (
        "patch-unknown-field",
        1,
        "did you mean `price`?",
    ),
    "- {kind: soup, id: stew, like: broth, but: []}\n": (
        "wrong-type",
        1,
        "write the changes, or take it out",
    ),
    "- {kind: soup, id: stew, price: 1, but: {add: {price: 3}}}\n": (
        "unknown-field",
        1,
        "`like:` names the item that this one differs from",
    ),
    "- {kind: power, id: gulp, like: serve, but: {after-step: {lade: stop}}}\n": (
        "patch-matches-nothing",
        1,
        "did you mean `ladle`?",
    ),
    "- {kind: power, id: gulp, like: serve, but: {after-step: {ladle: use stirr}}}\n": (
        "unknown-power",
        1,
        "did you mean `stir`?",
    ),
    "- {kind: soup, id: stew, like: brot}\n": ("unknown-name", 1, "did you mean `broth`?"),
    "- {kind: soup, id: stew, like: stir}\n": ("unknown-name", 1, "the id of another soup"),
    "- {kind: soup, id: stew, like: power/stir}\n": ("unknown-name", 1, "the id of another soup"),
    "- {kind: soup, id: stew, like: stew}\n": (
        "like-circle",
        1,
        "one of them says everything itself",
    ),
    "- {kind: soup, id: a, like: b}\n- {kind: soup, id: c, like: a}\n- {kind: soup, id: b, like: a}\n": (
        "like-circle",
        1,
        "one of them says everything itself",
    ),
    "- {kind: power, id: whisk, like: stir, gloss: null}\n": ("missing-field", 1, "add `gloss:`"),
    "- {kind: extension, id: x, like: y, enums: {Size: [big]}}\n": (
        "unknown-field",
        1,
        None,
    ),
    # A field that fits no more stands in the item that is like it.
    '- {kind: power, id: whisk, like: stir, takes: "n: Int = 1", effect: \'say "{n}"\'}\n': (
        "unknown-name",
        1,
        "give `whisk` its own `gloss:`",
    ),
    # Also where both are of one pack.
    '- {kind: power, id: beat, takes: "n: Int", gloss: "beat {n}", effect: \'say "{n}"\'}\n'
    '- {kind: power, id: whip, like: beat, takes: "k: Int", gloss: whip}\n': (
        "unknown-name",
        2,
        "give `whip` its own `effect:`",
    ),
}


@pytest.mark.parametrize("items", WRONG)
def test_what_is_wrong_with_a_variant_is_told_there_once(tmp_path: Path, items: str):
    result = compiled(tmp_path, items)
    (told,) = [one for one in result.diagnostics if one.severity == "error"]
    found = (told.code, told.place.line, None if told.help is None else str(told.help))
    assert found == WRONG[items]
    assert Path(told.place.path).parent.name == "house"


def test_why_names_the_item_that_a_field_is_from(tmp_path: Path):
    compiled(tmp_path, "- {kind: soup, id: stew, like: broth, cold: false}\n")
    packs = ("--pack", str(tmp_path / "house"), "--pack", str(tmp_path / "soups"))
    price = call("why", "soup/stew.price", *packs).out
    assert "like soups:soup/broth  2" in price
    assert "soups/items.yaml:14" in price
    assert "as printed" in call("why", "soup/stew.cold", *packs).out
    compiled(
        tmp_path,
        "- {kind: soup, id: stew, like: broth}\n"
        "- {kind: patch, id: dear, target: soup/stew, set: {price: 9}}\n",
    )
    patched = call("why", "soup/stew.price", *packs).out
    assert "like soups:soup/broth  " in patched
    assert "soups/items.yaml:14" in patched


def test_a_thing_of_a_case_is_like_no_other_one(tmp_path: Path):
    compiled(tmp_path, "[]\n")
    case = (
        "kind: scenarios\ncases:\n- id: one\n"
        "  given: {things: {stew: {kind: soup, title: x, like: broth, price: 1}}}\n"
        "  then: {numbers: {stew: {price: 1}}}\n"
    )
    (tmp_path / "house" / "items.yaml").write_text(case, encoding="utf-8")
    result = Compiler().compile([tmp_path / "soups", tmp_path / "house"])
    assert [one.code for one in result.diagnostics] == ["unknown-field"]


def test_editors_know_that_a_variant_needs_no_more(tmp_path: Path):
    schema = jsonschema.Draft202012Validator(json.loads(editor_schema("gnostica")))
    assert schema.is_valid({"kind": "major", "id": "dim", "like": "sun"})
    assert not schema.is_valid({"kind": "major", "id": "dim"})
    assert not schema.is_valid({"kind": "major", "like": "sun"})
