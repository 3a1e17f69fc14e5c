"""Families: items made of one text for each of several members."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.patch.blame import without
from ruleloom.compiler.pipeline import Compiler
from ruleloom.runtime.program.ir import Say
from tests.compiler.packs.test_variants import compiled, fields
from tests.support.command import call

SOUPS = """
- kind: soup
  id: <each>-soup
  title: <Each> soup
  like: broth
  price: <price>
  for:
    pea: {price: 3}
    red_pea: {price: 4}
"""
STIRS = """
- kind: power
  id: stir
  gloss: "stir the <each>"
  for: [pot, pan]
  effect: |
    say "the <each> is stirred"
    use stir(<times>)
"""


def test_a_family_makes_an_item_of_each_member(tmp_path: Path):
    result = compiled(tmp_path, SOUPS)
    assert fields(result, "house:soup/pea-soup")["price"] == 3
    assert fields(result, "house:soup/red_pea-soup")["price"] == 4
    assert result.content is not None
    assert result.content.by_id["house:soup/red_pea-soup"].data("title") == "Red pea soup"


@pytest.mark.parametrize(
    ("items", "ids"),
    [
        (
            "- {kind: power, id: gulp, gloss: gulp <each>, for: [1, 2], effect: stop}",
            ["gulp-1", "gulp-2"],
        ),
        ('- {kind: power, id: "gulp", gloss: gulp <each>, for: [a], effect: stop}', ["gulp-a"]),
        ("- {kind: power, gloss: g, for: [a, b], id: <each>, effect: stop}", ["a", "b"]),
        (
            "- {kind: patch, id: dear, target: soup/broth, append: {tags: [<each>]}, for: [a]}",
            ["dear-a"],
        ),
    ],
)
def test_an_id_without_a_hole_ends_in_the_member(tmp_path: Path, items: str, ids: list[str]):
    result = compiled(tmp_path, f"{items}\n")
    assert result.content is not None
    kinds = ("power", "patch")
    found = [one.name for one in result.content.items if one.kind in kinds and one.pack == "house"]
    assert found == ids


def test_others_are_like_a_member_and_patch_it(tmp_path: Path):
    more = (
        "- {kind: soup, id: stew, like: pea-soup, but: {add: {price: 1}}}\n"
        "- {kind: patch, id: dear, target: soup/red_pea-soup, add: {price: 5}}\n"
    )
    result = compiled(tmp_path, SOUPS + more)
    prices = [fields(result, f"house:soup/{id}")["price"] for id in ("stew", "red_pea-soup")]
    assert prices == [4, 9]


def test_a_mistake_is_told_in_the_template_once_with_the_members(tmp_path: Path):
    text = STIRS.replace("<times>", "many")
    (told,) = compiled(tmp_path, text).diagnostics
    assert (told.code, told.place.line, told.place.column) == ("unknown-name", 8, 14)
    assert told.message.endswith("(for `pot`, `pan`)")


def test_a_mistake_of_one_member_is_told_with_its_name(tmp_path: Path):
    text = STIRS.replace("[pot, pan]", "{pot: {times: 2}, pan: {times: two}}")
    (told,) = compiled(tmp_path, text).diagnostics
    assert (told.code, told.place.line, told.place.column) == ("unknown-name", 8, 14)
    assert told.place.end_column == 21
    assert told.message.endswith("(for `pan`)")


def test_each_member_begins_its_own_later_effect(tmp_path: Path):
    text = STIRS.replace(
        "    use stir(<times>)\n", '    next time stirred_<each>(): say "<each> again"\n'
    )
    extension = (
        "- kind: extension\n  id: m\n  moments:\n"
        "    stirred_pot: {params: {}, english: the pot}\n    stirred_pan: {params: {}, english: the pan}\n"
    )
    result = compiled(tmp_path, text + extension)
    assert {one.code for one in result.diagnostics if one.severity == "error"} == set()
    assert result.program is not None
    said = [row.text for one in result.program.routines for row in one.rows if isinstance(row, Say)]
    assert {"pot again", "pan again"} <= {*said}


WRONG = {
    "- {kind: soup, id: x, like: broth, for: [a, b]}": (1, "`<each>` stands for the member"),
    "- {kind: soup, id: <eech>, like: broth, for: [a]}": (1, "did you mean `each`?"),
    "- {kind: soup, id: <each>, like: broth, for: [a, a]}": (
        1,
        "a member is a word of letters, digits and `_`",
    ),
    "- {kind: soup, id: <each>, like: broth, for: [a b]}": (
        1,
        "a member is a word of letters, digits and `_`",
    ),
    "- {kind: soup, id: <each>, like: broth, for: []}": (
        1,
        "`for: [fire, cold]` makes an item of each",
    ),
    "- {kind: soup, id: <each>, like: broth, for: {a: {p: 1}}}": (
        1,
        "write `<p>` where it belongs",
    ),
    "- {kind: soup, id: <each>, like: broth, price: <p>, for: {a: {p: 1}, b: {}}}": (
        1,
        "say `p:` for `b`",
    ),
    "- {kind: soup, id: <each>, like: broth, price: <p>, for: {a: {p: [1]}}}": (
        1,
        "a word, a number or a text on one line can, without ` #`, which begins a comment",
    ),
    "- {kind: soup, id: <each>, like: broth, title: <p>, for: {a: {p: 'hot # cold'}}}": (
        1,
        "a word, a number or a text on one line can, without ` #`, which begins a comment",
    ),
    "- {kind: soup, id: <each>, like: broth, for: {a: 3}}": (
        1,
        "`a: {word: burning}` fills `<word>`",
    ),
}


@pytest.mark.parametrize("items", WRONG)
def test_what_is_wrong_with_a_family_is_told_at_its_place(tmp_path: Path, items: str):
    found = [
        one for one in compiled(tmp_path, f"{items}\n").diagnostics if one.code == "bad-family"
    ]
    assert (found[0].place.line, str(found[0].help)) == WRONG[items]


def test_a_text_that_is_no_family_is_no_field(tmp_path: Path):
    found = compiled(tmp_path, "- {kind: soup, id: x, price: 1, for: fire}\n").diagnostics
    assert [(one.code, str(one.help)) for one in found] == [
        ("unknown-field", "`for: [fire, cold]` makes an item of each")
    ]


def test_the_template_is_left_out_whole(tmp_path: Path):
    more = "- {kind: tag, id: hot, english: hot}\n"
    result = compiled(tmp_path, SOUPS + more)
    assert result.content is not None
    (text,) = without([result.content.by_id["house:soup/pea-soup"]]).values()
    assert text.replace(" ", "").strip("\n-") == more.replace(" ", "").strip("\n-")


def test_a_process_that_has_seen_one_member_sees_the_next(tmp_path: Path):
    compiler = Compiler()
    compiled(tmp_path, SOUPS, compiler=compiler)
    result = compiled(tmp_path, SOUPS.replace("price: 4", "price: 7"), compiler=compiler)
    assert fields(result, "house:soup/pea-soup")["price"] == 3
    assert fields(result, "house:soup/red_pea-soup")["price"] == 7


def test_a_template_is_not_formatted_where_it_has_holes(tmp_path: Path):
    compiled(tmp_path, STIRS.replace("<times>", "1"))
    out = call("fmt", str(tmp_path / "house"))
    assert (out.code, out.err) == (0, "")
