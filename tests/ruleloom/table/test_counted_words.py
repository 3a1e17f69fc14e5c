"""What a number counts stands in the singular behind 1, in the log and in questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.labels import joined
from ruleloom.runtime.play.game import new_game
from ruleloom.table.loop import play
from tests.ruleloom.table.test_shared_screen import seated
from tests.runtime.test_dice import begun


@pytest.mark.parametrize(
    ("behind", "said"),
    [
        (" dice are rolled", "1 die are rolled"),
        (" baskets", "1 basket"),
        (" comes", "1 comes"),
        (", dice", "1, dice"),
    ],
)
def test_one_of_them(behind: str, said: str):
    linked = begun("choose day_off from 1 .. 2 by me\nset day = day_off\n").linked
    assert joined(linked, [("1", "Int"), (behind, "")]) == said
    assert joined(linked, [("2", "Int"), (behind, "")]) == f"2{behind}"
    assert joined(linked, [("1", ""), (behind, "")]) == f"1{behind}"


def test_a_word_between_does_not_matter():
    linked = begun("choose day_off from 1 .. 2 by me\nset day = day_off\n").linked
    pieces = [("1", "Int"), (" ", ""), ("red", ""), (" baskets of ", "")]
    assert joined(linked, pieces) == "1 red basket of "


def test_a_question_counts():
    game = begun(
        'choose a from 1 .. 2 by me\nchoose b from 1 .. 2 by me "{a} dice?"\nset day = b\n'
    )
    assert game.choose(1).prompt.text == "1 die?"
    assert game.choose(2).prompt.text == "2 dice?"


HOUSE = """
kind: pack
id: house
version: 1.0.0
game: monotheism
edition: 1
"""
SAME_WORDS = """
- kind: patch
  id: begin-at-once
  target: monotheism:flow/set_up
  set:
    effect: |
      set me = seat(1)
      set first_mover = me
- kind: patch
  id: write-and-strike
  target: monotheism:flow/turn
  set:
    effect: |
      use bring_forth(me) giving card
      use write_traits(me, card, black, 3)
      use write_traits(me, card, red, 1)
      choose exactly 2 gone from traits_of(card) by me "Which go?"
      finish drawn "enough"
"""


def test_things_of_one_name_are_told_apart_by_what_is_so_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "pack.yaml").write_text(HOUSE)
    (tmp_path / "items.yaml").write_text(SAME_WORDS)
    program = compile_paths([str(tmp_path)]).program
    assert program is not None
    game = new_game(link_game(program, driver_of(program), ("ann", "bob")), 1)
    screen = seated(game, monkeypatch, "Ur", "a smith", "2", "shy", "shy", "bold", "shy", "2 2")
    play(screen, {})
    rows = [line.strip() for line in screen.screen]
    asked = next(n for n, row in enumerate(rows) if "Which go?" in row)
    assert rows[asked + 1 : asked + 4] == [
        "1  shy (bearer Ur) x2",
        "2  bold",
        "3  shy (bearer Ur, colour red)",
    ]
