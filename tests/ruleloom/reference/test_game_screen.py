"""Screens, and the edition of a game for its players."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import load
from ruleloom.reference.game_screen import ReferenceBlock, table_blocks, texts_in, turn_blocks
from tests.conftest import ROOT
from tests.support.command import call
from tests.support.pack_examples import write

HOMEBREW = ROOT / "tests" / "content" / "homebrew" / "packs"
SECRET = {
    "secret/pack.yaml": "kind: pack\nid: secret\nversion: 1.0.0\ngame: gnostica\nedition: 1\n",
    "secret/items.yaml": """\
- kind: random-table
  id: culprit
  for: gm
  rows: ["The gardener.", "The cook."]
- kind: random-table
  id: weather
  rows: ["Rain.", "Sun."]
- kind: major
  id: inquest
  title: Inquest
  number: 88
  effect: |
    use culprit
    use weather
""",
    "secret/cases.yaml": """\
kind: scenarios
cases:
  - id: it-was-the-cook
    when: [{do: use culprit, answers: {culprit: 4}}]
    then: {log: ["The cook."]}
""",
}


def blocks(pack: Path | str, *wanted: str) -> dict[str, ReferenceBlock]:
    content = load([pack], Report(), scenarios=False)
    assert content is not None
    texts = texts_in(content)
    found = [*(() if wanted else turn_blocks(texts)), *table_blocks(texts, wanted)]
    return {one.title: one for one in found}


def test_a_turn_has_its_steps_and_the_ways_of_its_menus():
    found = blocks("gnostica")
    assert found["A turn"].rows[-1][1] == "The turn passes to the left."
    menu = next(one for one in found.values() if one.id == "gnostica:power/take_option")
    assert ("Play a card", "discard a card of your hand and use its power") in menu.rows


@pytest.mark.parametrize(
    ("pack", "label", "costs"),
    [("gnostica/wagers", None, "card"), ("moonstone/taunts", "Taunt", "5 EI")],
)
def test_an_action_has_its_costs(pack: str, label: str | None, costs: str):
    found = blocks(HOMEBREW / pack)
    priced = [row for one in found.values() if "costs" in one.columns for row in one.rows]
    assert any(costs in row[2] and (label is None or row[0] == label) for row in priced)


def test_a_random_table_has_its_rows():
    found = blocks(HOMEBREW / "moonstone" / "forest-roads", "forest-encounter", "pack-size")
    assert list(found) == ["Forest Encounter (2d6)", "Pack size (1d6)"]
    assert found["Forest Encounter (2d6)"].rows[2] == ("6-8", "“Nobody, and the rain”.")
    assert found["Pack size (1d6)"].rows == (("1-3", "2."), ("4-5", "4."), ("6", "7."))


def test_a_screen_is_one_page_of_html(tmp_path: Path):
    screen = tmp_path / "screen.html"
    assert call("screen", HOMEBREW / "gnostica" / "night-omens", "-o", screen).code == 0
    text = screen.read_text()
    assert "Night Omens (2d6)" in text
    assert "wholePages(" in text


@pytest.mark.parametrize("words", [("docs",), ("docs", "--rulebook"), ("screen",)])
def test_players_do_not_read_what_is_for_the_gm(words: tuple[str, ...], tmp_path: Path):
    write(tmp_path, SECRET)
    told = []
    for audience in ("gm", "players"):
        out = tmp_path / audience
        done = call(*words, tmp_path / "secret", "--for", audience, "-o", out)
        assert done.code == 0, done.err
        files = [out] if out.is_file() else [*out.iterdir()]
        told.append("".join(path.read_text() for path in files if path.is_file()))
    for_gm, for_players = told
    assert "The gardener" in for_gm
    assert "The gardener" not in for_players
    assert "The cook" not in for_players
    assert "Rain" in for_players


def test_what_everybody_has_can_be_for_the_gm(tmp_path: Path):
    standing = "- kind: standing\n  id: hidden\n  for: gm, Player\n  abilities: |\n    on turn_passed: draw 0\n"
    write(tmp_path, {"mine/pack.yaml": SECRET["secret/pack.yaml"], "mine/items.yaml": standing})
    report = Report()
    content = load([tmp_path / "mine"], report, scenarios=False)
    assert content is not None
    assert not report.diagnostics()
    (item,) = content.by_kind("standing")[-1:]
    assert item.id in content.for_gm
    place = item.fields["for"].place
    assert (item.data("for"), place.line, place.column) == ("Player", 3, 12)


def test_a_pack_can_be_for_the_gm_as_a_whole(tmp_path: Path):
    head = SECRET["secret/pack.yaml"] + "for: gm\n"
    write(tmp_path, {**SECRET, "secret/pack.yaml": head})
    content = load([tmp_path / "secret"], Report(), scenarios=False)
    assert content is not None
    assert {id.partition("/")[2] for id in content.for_gm} == {"culprit", "weather", "inquest"}
