"""`ruleloom test --accept`: texts and logs of a pack are kept, and compared at the next run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import call

PACK = "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
CARDS = """\
- kind: major
  id: stand-up
  title: Stand up
  number: 40
  effect: |
    choose minion from minions "Who stands up?"
    face(minion, up)
    say "it stands"
- kind: patch
  id: longer
  target: gnostica:setting/space_limit
  set: {value: 4}
"""
CASES = """\
kind: scenarios
cases:
  - id: a-piece-stands-up
    given: {pieces: [A1N@0/0], hands: {A: [stand-up]}}
    when:
      - {option: play, card: stand-up}
      - {power: stand-up, minion: A1N@0/0}
    then: {pieces: [A1up@0/0]}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    folder.mkdir()
    for name, text in {"pack": PACK, "cards": CARDS, "cases": CASES}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def change(house: Path, file: str, old: str, new: str) -> None:
    path = house / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_is_kept_unless_somebody_asks(house: Path):
    call("test", house)
    assert not (house / "accepted.json").exists()


def test_what_was_accepted_stays_as_it_is(house: Path):
    assert call("test", house, "--accept").code == 0
    kept = json.loads((house / "accepted.json").read_text(encoding="utf-8"))
    assert kept["log a-piece-stands-up"][-1] == "it stands"
    assert {"card house:major/stand-up", "text house:major/stand-up"} <= set(kept)
    done = call("test", house)
    assert done.code == 0
    assert "accepted" not in done.out
    assert call("check", house).code == 0  # it is no part of the rules


def test_another_log_or_text_is_shown_and_fails(house: Path):
    call("test", house, "--accept")
    change(house, "cards.yaml", "it stands", "it is upright")
    done = call("test", house)
    assert done.code == 1
    log = done.out.partition("not as accepted: log a-piece-stands-up\n")[2]
    assert "  -it stands\n  +it is upright\n" in log
    assert "not as accepted: text house:major/stand-up\n" in done.out
    assert "if it is meant so: ruleloom test --accept\n" in done.out
    told = json.loads(call("test", house, "--format", "json").out)["accepted"]
    assert "-it stands" in told[0]["changed"]["log a-piece-stands-up"]
    assert call("test", house, "--accept").code == 0
    assert call("test", house).code == 0


def test_what_is_new_is_only_counted_and_what_is_gone_is_missed(house: Path):
    call("test", house, "--accept")
    change(house, "cases.yaml", "a-piece-stands-up", "some-piece-stands-up")
    done = call("test", house)
    assert done.code == 0
    assert "accepted.json yet: 1\n" in done.out
    change(house, "cards.yaml", "  id: stand-up", "  id: stand-straight")
    change(house, "cases.yaml", "{power: stand-up,", "{power: stand-straight,")
    change(house, "cases.yaml", "{A: [stand-up]}", "{A: [stand-straight]}")
    change(house, "cases.yaml", "card: stand-up}", "card: stand-straight}")
    done = call("test", house)
    assert done.code == 1
    assert "not as accepted: card house:major/stand-up\n" in done.out


def test_coverage_and_logs_are_kept_of_one_run(house: Path):
    done = call("test", house, "--accept", "--coverage")
    assert done.code == 0
    assert "coverage of house: 100 %" in done.out
    assert (house / "accepted.json").is_file()


def test_a_file_that_is_not_ours_is_not_read(house: Path):
    (house / "accepted.json").write_text('{"log": 3}', encoding="utf-8")
    done = call("test", house)
    assert done.code == 2
    assert "cannot be read" in done.err
    assert call("test", house, "--accept").code == 0
