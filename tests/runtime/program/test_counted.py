"""What stands behind a number in the log: one of something is said in the singular."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.runtime.program.texts import of_one
from tests.support.command import call

COUNTED = (("lamps", "lamp"), ("lamps burn", "lamp burns"), ("oxen", "ox"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" lamps", " lamp"),
        (" lamps burn", " lamp burns"),
        (" lamps burn low", " lamp burns low"),
        (" lamps burning", " lamp burning"),
        (" lamps, and oxen", " lamp, and oxen"),
        (" oxen graze", " ox graze"),
        (" nights pass", " night pass"),
        (" dice", " die"),
        (" always", " always"),
        (" lampshades", " lampshades"),
        ("", ""),
        ("st", "st"),
    ],
)
def test_behind_a_one_the_words_for_several_become_those_for_one(text: str, said: str):
    assert of_one(text, (), COUNTED) == said


PACK = "kind: pack\nid: lights\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
ITEMS = """
- {kind: extension, id: words, counted: {lamps: lamp, lamps burn: lamp burns}}
- kind: major
  id: lights
  title: Lights
  number: 90
  effect: |
    choose n from 1 .. 3 "How many?"
    say "{n} lamps burn"
    say "{n} lamps for {n} nights"
"""
CASES = """
kind: scenarios
cases:
- id: one
  given: {pieces: [A1N@0/0], hands: {A: [lights]}}
  when: [{option: play, card: lights}, {power: lights, n: 1}]
  then: {log: [1 lamp burns, 1 lamp for 1 night]}
- id: two
  like: one
  when: [{option: play, card: lights}, {power: lights, n: 2}]
  then: {log: [2 lamps burn, 2 lamps for 2 nights]}
"""


def test_a_pack_says_what_one_of_its_own_nouns_is_called(tmp_path: Path):
    for name, text in (("pack", PACK), ("items", ITEMS), ("cases", CASES)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    done = call("test", str(tmp_path))
    assert "2 passed, 0 failed" in done.out, done.out


def test_explain_says_one_of_them_as_the_log_does(tmp_path: Path):
    text = ITEMS.replace('choose n from 1 .. 3 "How many?"', "let n = 1")
    for name, content in (("pack", PACK), ("items", text)):
        (tmp_path / f"{name}.yaml").write_text(content, encoding="utf-8")
    said = call("explain", "lights", "--pack", str(tmp_path)).out
    assert "“1 lamp burns”" in said
    assert "“1 lamp for 1 night”" in said
