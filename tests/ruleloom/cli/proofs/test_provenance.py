"""`ruleloom why` names the patches behind a number: what they change, their packs and versions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import call

PACK = "kind: pack\nid: cheaper\nversion: 1.2.0\ngame: moonstone\nedition: 1\n"
ITEMS = """\
- kind: patch
  id: cheap-wind
  target: moonstone:advantage/second-wind
  set: {rating: II, title: A second wind}
- kind: patch
  id: cheap-hide
  target: moonstone:advantage/thick-hide
  set: {rating: I}
- kind: character
  id: hero
  title: Hero
  gifts: [second-wind]
- kind: character
  id: other
  title: Other
  start: {Str: 13}
"""


@pytest.fixture
def cheaper(tmp_path: Path) -> Path:
    folder = tmp_path / "cheaper"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    (folder / "items.yaml").write_text(ITEMS, encoding="utf-8")
    return folder


@pytest.mark.parametrize("depth", ["1", "3"])
def test_a_re_rated_advantage_names_its_patch(cheaper: Path, depth: str):
    """However deep it stands; a title is behind no number, nor a gift that somebody does not have."""
    done = call("why", cheaper / "items.yaml", "CV", "--of", "hero", "--depth", depth)
    assert done.code == 0
    assert [line for line in done.out.splitlines() if line.startswith("patched")] == [
        "patched: moonstone:advantage/second-wind.rating: III, now II, "
        "by cheaper:patch/cheap-wind (cheaper 1.2.0)  cheaper/items.yaml:4"
    ]


def test_numbers_that_nobody_has_patched_name_none(cheaper: Path):
    assert "patched" not in call("why", cheaper / "items.yaml", "CV", "--of", "other").out
    assert "patched" not in call("why", cheaper / "items.yaml", "max_MI").out


def test_json_tells_these_patches_and_none_of_what_is_not_read(cheaper: Path):
    patch = (
        "- {kind: patch, id: poor, target: 'moonstone:setting/cv_allowance', set: {value: 30}}\n"
    )
    (cheaper / "more.yaml").write_text(patch, encoding="utf-8")
    told = json.loads(
        call("why", cheaper / "items.yaml", "CV", "--of", "hero", "--format", "json").out
    )
    assert [(one["by"], one["version"], one["old"], one["new"]) for one in told[0]["patches"]] == [
        ("cheaper:patch/cheap-wind", "1.2.0", "III", "II")
    ]


def test_a_patched_rule_stands_in_its_patch(cheaper: Path):
    """Its own line is told, and no longer that of the text which the patch has replaced."""
    (cheaper / "more.yaml").write_text(
        "- kind: patch\n  id: stronger\n  target: moonstone:stat/score\n"
        '  set: {is: "score_in_play(who, which) + 1"}\n'
        "- kind: patch\n  id: easier\n  target: moonstone:setting/ordinary\n  add: {value: -1}\n",
        encoding="utf-8",
    )
    more = call("why", cheaper / "items.yaml", "max_MI", "--of", "hero", "--depth", "3")
    (line,) = [one for one in more.out.splitlines() if "Wil of Hero    " in one and "x 13" in one]
    assert line.endswith("more.yaml:4")
    paid = call("why", cheaper / "items.yaml", "CV", "--of", "other", "--depth", "5")
    lines = [one for one in paid.out.splitlines() if "ordinary" in one and "-11" in one]
    assert lines
    assert all(one.endswith("more.yaml:8") for one in lines)
    assert "by cheaper:patch/easier (cheaper 1.2.0)  cheaper/more.yaml:8" in paid.out


TABLES = """\
- kind: patch
  id: less
  target: moonstone:table/general_price
  set: {rows.3: 2}
- kind: patch
  id: more
  target: moonstone:table/gain_at
  add: {rows.8: 1}
  set: {otherwise: 1}
- kind: patch
  id: whole
  target: moonstone:table/general_row
  set: {rows: {1/5: 0, 1/2: 0, I: 1, II: 2, III: 3, IV: 4, V: 5, VI: 6, VII: 8}}
"""


@pytest.mark.parametrize(
    ("asked", "line", "patch"),
    [
        ("general_price(3)", 4, "less"),
        ("general_price(4)", None, None),
        ("gain_at(8)", 8, "more"),
        ("gain_at(7)", None, None),
        ("gain_at(70)", 9, "more"),
        ("general_row(VII)", 13, "whole"),
    ],
)
def test_a_patched_row_stands_in_its_patch(
    cheaper: Path, asked: str, line: int | None, patch: str | None
):
    """The row that was looked up, and no other: a table whose other rows were changed has its own."""
    (cheaper / "more.yaml").write_text(TABLES, encoding="utf-8")
    done = call("why", cheaper / "more.yaml", asked, "--format", "json")
    [told] = json.loads(done.out)
    assert [one["by"] for one in told["patches"]] == (
        [f"cheaper:patch/{patch}"] if patch is not None else []
    )
    [place] = told["at"]
    own = ("moonstone", "creation.yaml")
    assert (place["pack"], place["path"]) == (("cheaper", "more.yaml") if line else own)
    assert line in (None, place["line"])


def test_a_patched_row_deep_in_a_number_stands_in_its_patch(cheaper: Path):
    (cheaper / "more.yaml").write_text(TABLES, encoding="utf-8")
    done = call("why", cheaper / "items.yaml", "CV", "--of", "hero", "--depth", "4")
    (line,) = [one for one in done.out.splitlines() if "the price of row 2 for" in one]
    assert "creation.yaml" in line
    (cheaper / "items.yaml").write_text(ITEMS.replace("rating: II", "rating: III"), "utf-8")
    done = call("why", cheaper / "items.yaml", "CV", "--of", "hero", "--depth", "4")
    (line,) = [one for one in done.out.splitlines() if "the price of row 3 for" in one]
    assert line.endswith("more.yaml:4")
