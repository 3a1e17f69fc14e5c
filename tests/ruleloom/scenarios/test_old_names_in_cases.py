"""Cases that name items as these were called before run as they did."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import call
from tests.support.pack_examples import manifest, write

CARDS = """\
- {kind: power, id: rest, renamed_from: nap, gloss: rest, effect: 'say "hush"'}
- {kind: setting, id: breath, renamed_from: wind, value: 1, min: 0, max: 9, english: the breath}
- {kind: measure, id: deep, renamed_from: depth, takes: "who: Player", gives: Int, is: breath, english: "the depth of {who}"}
- {kind: major, id: lake, renamed_from: pond, title: Lake, number: 77, effect: use rest}
"""
CASES = """\
kind: scenarios
cases:
  - id: played
    given: {pieces: [A1N@0/0], hands: {A: [pond]}}
    when: [{option: play, card: pond}]
    then: {log: [hush]}
  - id: tried
    given: {settings: {wind: 3}, zones: {hand: {A: [pond]}}}
    when: [{do: "use nap\\nchoose which from hand", answers: {which: pond}}]
    then: {log: [hush], numbers: {depth(A): 3}, zones: {hand: {A: [pond]}}}
"""
FILES = {"pack.yaml": manifest("wet", game="gnostica"), "cards.yaml": CARDS}


def test_old_names_in_cases(tmp_path: Path):
    write(tmp_path, {**FILES, "cases.yaml": CASES})
    tested, checked = call("test", tmp_path), call("check", tmp_path)
    assert (tested.code, checked.code) == (0, 0), tested.out + checked.out
    assert "2 passed, 0 failed" in tested.out
    assert checked.out.count("is now called") == 8


def test_a_name_of_the_case_itself_is_none(tmp_path: Path):
    own = """\
kind: scenarios
cases:
  - id: own
    given: {players: [pond, B], settings: {breath: 2}}
    when: [{do: 'say "hush"'}]
    then: {numbers: {deep(pond): 2}}
"""
    write(tmp_path, {**FILES, "cases.yaml": own})
    assert "is now called" not in call("check", tmp_path).out
    assert "1 passed" in call("test", tmp_path).out
