"""Ledgers in packs: which clauses are proved, what they say, and where they are cited in vain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import call

PACK = """\
kind: pack
id: house
version: 1.0.0
game: gnostica
edition: 1
"""
LEDGER = """\
- {kind: clause, id: house.standing, place: Second evening, page: 4, words: small pieces may stand up}
- {kind: clause, id: house.lying, place: Second evening, words: large ones may not}
- {kind: clause, id: house.spirit, sort: narrative, words: be kind to each other}
"""
CARD = """\
- kind: major
  id: stand-up
  title: Stand up
  number: 40
  clauses: [house.standing, house.spirit]
  effect: |
    choose minion from minions where pips(minion) = 1 "Who stands up?"
    face(minion, up)
"""
CASES = """\
kind: scenarios
cases:
  - id: a-small-piece-stands-up
    clauses: [house.standing]
    given: {pieces: [A1E@0/0], hands: {A: [stand-up]}}
    when:
      - {option: play, card: stand-up}
      - {power: stand-up, minion: A1E@0/0}
    then: {pieces: [A1up@0/0]}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    folder.mkdir()
    files = {"pack": PACK, "ledger": LEDGER, "card": CARD, "cases": CASES}
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_each_clause_is_told_with_what_it_says(house: Path):
    """What nobody cites is not proved either; what is a matter of style needs no proof."""
    done = call("test", house, "--clauses")
    assert done.code == 0
    assert done.out == (
        "clauses proved: 1\n"
        "  house.standing: small pieces may stand up (Second evening, page 4)\n"
        "clauses not proved: 1\n"
        "  house.lying: large ones may not (Second evening)\n"
        "1 passed, 0 failed, 0 not executable\n"
    )


def test_json_has_what_is_written_down(house: Path):
    told = json.loads(call("test", house, "--format", "json").out)["clauses"]
    assert told["unproved"] == ["house.lying"]
    assert told["unlisted"] == []
    assert told["ledger"]["house.standing"] == {
        "place": "Second evening",
        "page": 4,
        "words": "small pieces may stand up",
    }


def test_who_has_no_ledger_is_told_how_to_bring_one(house: Path):
    (house / "ledger.yaml").unlink()
    assert call("check", house).code == 0
    assert "clauses in no ledger: 2 (" in call("test", house, "--clauses").out


def test_a_case_that_cites_what_is_not_there_is_wrong(house: Path):
    file = house / "cases.yaml"
    file.write_text(CASES.replace("[house.standing]", "[house.stnading]"), encoding="utf-8")
    done = call("check", house)
    assert done.code == 1
    assert "cases.yaml:4:15: error[unknown-clause]: there is no clause `house.stnading`" in done.out
    assert "did you mean `house.standing`?" in done.out


def test_what_is_required_is_told_with_its_clause(house: Path):
    rule = (
        "kind: requirement\nid: numbered\nof: 'card: Card'\nholds: number(card) < 40\nlevel: warning\nenglish: '{card} has too high a number'\n"
        "clauses: [house.lying]\n"
    )
    (house / "rule.yaml").write_text(rule, encoding="utf-8")
    done = call("check", house, "--format", "json")
    found = json.loads(done.out)
    findings = found["diagnostics"] if isinstance(found, dict) else found
    (one,) = [finding for finding in findings if finding["code"] == "requirement"]
    assert "`house.lying`: large ones may not (Second evening)" in json.dumps(
        one, ensure_ascii=False
    )
