"""`ruleloom test --coverage`: what no passing case comes past, where it stands, and a floor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleloom.cli.test.collect import collect
from ruleloom.cli.test.test import run_gathered
from ruleloom.scenarios.listener import Watch
from tests.support.command import call

PACK = "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
CARDS = """\
- kind: rule
  id: is-small
  takes: "piece: Piece"
  holds: "pips(piece) = 1"
  english: "{piece} is small"

- kind: rule
  id: is-tall
  takes: "piece: Piece"
  holds: "pips(piece) = 3"
  english: "{piece} is tall"

- kind: major
  id: stand-up
  title: Stand up
  number: 40
  effect: |
    choose minion from minions "Who stands up?"
    if allowed is_small(minion):
        face(minion, up)
    else:
        face(minion, N)
    choose one "What else?":
        "turn east":
            face(minion, E)
        "turn west":
            face(minion, W)
    if allowed is_tall(minion):
        face(minion, S)

- kind: patch
  id: moon-turns
  target: gnostica:major/moon
  replace-effect: 'say "the moon is up"'
"""
CASES = """\
kind: scenarios
cases:
  - id: a-small-piece-stands-up
    given: {pieces: [A1N@0/0], hands: {A: [stand-up]}}
    when:
      - {option: play, card: stand-up}
      - {power: stand-up, minion: A1N@0/0, way: turn east}
    then: {pieces: [A1E@0/0]}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    folder.mkdir()
    for name, text in {"pack": PACK, "cards": CARDS, "cases": CASES}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def gaps_of(house: Path) -> list[tuple[str, int, str]]:
    done = call("test", house, "--coverage", "--format", "json")
    (one,) = json.loads(done.out)["coverage"]
    return [
        (gap["sort"], gap["line"], gap["message"]) for item in one["items"] for gap in item["gaps"]
    ]


def test_what_no_case_comes_past_is_told_where_it_stands(house: Path):
    """A line that nothing runs is told once, and none of its parts; a patch is an item, too."""
    assert gaps_of(house) == [
        ("rule", 2, "this never comes to no"),
        ("rule", 8, "this never comes to yes"),
        ("condition", 19, "this is always so"),
        ("line", 22, "nothing runs this"),
        ("way", 23, "nobody takes the way `turn west`"),
        ("line", 27, "nothing runs this"),
        ("condition", 28, "this is never so"),
        ("line", 29, "nothing runs this"),
        ("line", 34, "nothing runs this"),
    ]


def test_ways_that_are_only_looked_at_do_not_count(house: Path):
    """Look-ahead has tried both ways, and the case has taken one."""
    with_west = CASES + CASES.partition("cases:\n")[2].replace(
        "a-small-piece-stands-up", "it-turns-west"
    ).replace("turn east", "turn west").replace("A1E@0/0", "A1W@0/0")
    before = gaps_of(house)
    (house / "cases.yaml").write_text(with_west, encoding="utf-8")
    assert set(before) - set(gaps_of(house)) == {
        ("way", 23, "nobody takes the way `turn west`"),
        ("line", 27, "nothing runs this"),
    }


def test_a_case_that_fails_covers_nothing(house: Path):
    file = house / "cases.yaml"
    file.write_text(CASES.replace("A1E@0/0]}", "A1S@0/0]}"), encoding="utf-8")
    done = call("test", house, "--coverage")
    assert done.code == 1
    assert "coverage of house: 0 %" in done.out


def test_text_tells_the_gaps_by_item_and_the_share(house: Path):
    done = call("test", house, "--coverage")
    assert done.code == 0
    assert "house:patch/moon-turns: 0 of 1\n" in done.out
    assert "cards.yaml:23:5: nobody takes the way `turn west`\n" in done.out
    assert "coverage of house: 55 %, 11 of 20 (lines 6 of 10, ways 1 of 2, " in done.out


def test_a_pack_can_ask_for_a_share(house: Path):
    for floor, code in ((55, 0), (56, 1)):
        (house / "pack.yaml").write_text(f"{PACK}coverage: {floor}\n", encoding="utf-8")
        done = call("test", house, "--coverage")
        assert done.code == code
        assert ("house asks for 56 % in its pack.yaml" in done.out) == (code == 1)
    assert call("test", house).code == 0  # only if somebody asks
    assert "::error title=coverage::" in call("test", house, "--coverage", "--format", "github").out


def test_gaps_stand_on_their_lines_in_a_pull_request(house: Path):
    done = call("test", house, "--coverage", "--format", "github")
    (line,) = [one for one in done.out.splitlines() if "turn west" in one]
    assert line.startswith("::warning file=")
    assert "cards.yaml,line=23,col=5::nobody takes" in line


def test_who_does_not_ask_is_not_watched(house: Path):
    gathered = collect([str(house)], None)
    assert run_gathered(gathered).good
    watch = Watch()
    assert run_gathered(gathered, [watch]).good
    assert watch.marks
