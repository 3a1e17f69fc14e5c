"""What a label, the table and the log tell of a hidden thing once everybody has been shown it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruleloom.runtime.analysis.derived_variables import DerivedVariables
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import empty_world, link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.program import Modal, Program, Replacement
from ruleloom.runtime.program.values import with_entry
from ruleloom.runtime.search.options import question
from tests.support.check_layer import compile_files
from tests.support.on_quarrel import block, on_quarrel
from tests.support.quarrel_table import QUARREL

LOTS = """
- kind: extension
  id: lots
  entities:
    Lot:
      noun: [lot, lots]
      max: 9
      records: [lot]
      static: {worth: {type: Int, min: 1, max: 9}, mate: Lot}
  kinds: {lot: {makes: Lot}}
  zones:
    fist: {of: Lot, per: Player, seen_by: owner}
    table: {of: Lot, seen_by: all}
  scope:
    pot: {type: Int, life: game, initial: "0", english: the pot}
  operations:
    open_up:
      params: {what: Lot}
      sets: {}
      moves: {what: table}
      english: "open {what}"
      log: "{what} is opened"
    lay_down:
      params: {what: Lot}
      sets: {}
      moves: {what: table}
      english: "lay {what} down"
      log: "a lot is laid down"
    close_up:
      params: {what: Lot, of: Player}
      sets: {}
      moves: {what: fist(of)}
      english: "close {what} up for {of}"
      log: "{what} is closed up"
    ring:
      params: {what: Lot}
      sets: {}
      english: "ring for {what}"
      log: "a bell rings"
- {kind: lot, id: lot-five, title: lot of 5, worth: 5, mate: lot-seven}
- {kind: lot, id: lot-seven, title: lot of 7, worth: 7, mate: lot-five}
- {kind: flow, id: set_up, effect: stop}
- kind: power
  id: add_up
  takes: "number: Int"
  gloss: "{number} is added up"
  effect: set pot = number
- kind: power
  id: tell_of
  takes: "number: Int"
  gloss: "{number} is told"
  effect: say "it is {number}"
- kind: power
  id: tell_on
  takes: "number: Int"
  gloss: "{number} is told by another"
  effect: use tell_of(number + 1)
- kind: power
  id: tell_anew
  takes: "number: Int"
  gloss: "another number is told"
  effect: |
    set number = pot
    say "it is {number}"
- kind: power
  id: bid
  gloss: bids are made
  effect: |
    optional "bid {pot} more" by me:
        say "more"
"""
PICK = "choose lot from fist(me)\n"
ADD = "set pot = worth(lot)\n"
SHOWN = f"{PICK}open_up(lot)\n"


def program_of(turn: str) -> Program:
    flow = f"- kind: flow\n  id: turn\n  effect: |\n{block(f'{turn}use bid')}"
    result = compile_files(on_quarrel(LOTS + flow), QUARREL)
    assert result.program is not None, [one.message for one in result.diagnostics]
    return result.program


def begun(program: Program) -> Game:
    """Two players, of whom the first holds both lots."""
    linked = link_game(program, driver_of(program.game), ("ann", "bob"))
    world = empty_world(linked.layout)
    return new_game(linked, None, with_entry(world, linked.layout.index["fist"], ((0, 1), ())))


def taken(game: Game, *keys: str) -> Game:
    for key in keys:
        game = game.answer(game.prompt.id, key)
    return game


SHOWN_TO_ALL = {
    "an operation": f"{SHOWN}{ADD}",
    "shown": f"{PICK}show lot to players\n{ADD}",
    "by way of a variable": f"{SHOWN}let number = worth(lot)\nset pot = number + 1\n",
    "handed on": f"{SHOWN}use add_up(worth(lot))\n",
    "on both ways": (
        f'{PICK}choose one:\n    "here":\n        open_up(lot)\n    "there":\n'
        f'        open_up(lot)\n        say "there"\n{ADD}'
    ),
    "before more": f"{SHOWN}ring(lot)\nuse bid\nif pot = 0:\n    {ADD}",
    "several at once": (
        "choose any number of some from fist(me)\nfor each lot in some:\n    open_up(lot)\n"
        f"    {ADD}"
    ),
}
HIDDEN = {
    "not shown": f"{PICK}{ADD}",
    "shown later": f"{PICK}{ADD}open_up(lot)\n",
    "another is shown": f"{PICK}choose other from fist(me)\nopen_up(other)\n{ADD}",
    "on one way": f"{PICK}if pot = 0:\n    open_up(lot)\n{ADD}",
    "on one way of asking": f'{PICK}optional "open it":\n    open_up(lot)\n{ADD}',
    "to one": f"{PICK}show lot to me\n{ADD}",
    "told a bell": f"{PICK}ring(lot)\n{ADD}",
    "not told which": f"{PICK}lay_down(lot)\n{ADD}",
    "taken back": f"{SHOWN}close_up(lot, me)\n{ADD}",
    "set anew": f"{SHOWN}choose another from fist(me)\nset lot = another\n{ADD}",
    "by way of another thing": f"{SHOWN}set pot = worth(mate(lot))\n",
    "in no round": f"{PICK}for each one in there:\n    open_up(lot)\n{ADD}",
}


@pytest.mark.parametrize("turn", SHOWN_TO_ALL.values(), ids=SHOWN_TO_ALL)
def test_what_all_were_shown_is_no_secret(turn: str):
    assert "pot" not in DerivedVariables(program_of(turn)).scope


@pytest.mark.parametrize("turn", HIDDEN.values(), ids=HIDDEN)
def test_anything_else_stays_secret(turn: str):
    assert "pot" in DerivedVariables(program_of(turn)).scope


def test_what_may_be_done_instead_shows_nothing():
    program = program_of(f"{SHOWN}{ADD}")
    instead = Replacement("not now", "open_up", None, "quarrel:power/bid")
    assert "pot" in DerivedVariables(replace(program, replacements=(instead,))).scope


def labels(turn: str) -> list[str]:
    """What stands in the question after the first player has chosen the seven."""
    return [one.label for one in taken(begun(program_of(turn)), "lot-seven").prompt.options]


@pytest.mark.parametrize(
    ("turn", "label"),
    [
        (f"{SHOWN}{ADD}", "bid 7 more"),
        (f"{PICK}{ADD}", "bid something hidden more"),
        (f'{SHOWN}let n = worth(lot)\noptional "raise {{n}}":\n    say "yes"\n', "raise 7"),
        (f'{PICK}let n = worth(lot)\noptional "raise {{n}}":\n    say "yes"\n', "raise 7"),
    ],
)
def test_a_label_tells_what_was_shown(turn: str, label: str):
    assert labels(turn) == [label, "skip"]


@pytest.mark.parametrize(("turn", "told"), [(f"{SHOWN}{ADD}", 7), (f"{PICK}{ADD}", "hidden")])
def test_the_others_see_the_number_on_the_table(turn: str, told: int | str):
    game = taken(begun(program_of(turn)), "lot-seven")
    found = [view(game, seat)["scope"].get("pot") for seat in (0, 1, -1)]
    assert found == [told] * 3


RAISE = 'choose one "raise {n}?":\n    "go on": say "a"\n    "wait": say "b"\n'
N = "let n = worth(lot)\n"
SEEN_BY_BOB = {
    "by play, under a log that names nothing": (f"{PICK}{N}lay_down(lot)\n{RAISE}", "7"),
    "by play, before the number is taken": (f"{PICK}lay_down(lot)\n{N}{RAISE}", "7"),
    "by rule, after the number is taken": (f"{PICK}{N}open_up(lot)\n{RAISE}", "7"),
    "chosen by a number that it has": (
        f"{PICK}open_up(lot)\nchoose n from worth(lot) .. worth(lot) + 1\n{RAISE}",
        "7",
    ),
    "by two steps": (f"{PICK}let k = worth(lot)\nlet n = k + 1\nlay_down(lot)\n{RAISE}", "8"),
    "not shown": (f"{PICK}{N}{RAISE}", "something hidden"),
    "another is shown": (
        f"{PICK}{N}choose other from fist(me) where other != lot\nopen_up(other)\n{RAISE}",
        "something hidden",
    ),
    "of another by now": (
        f"{PICK}{N}choose other from fist(me) where other != lot\nset lot = other\nopen_up(lot)\n{RAISE}",
        "something hidden",
    ),
    "shown on one way, but there": (
        f"{PICK}{N}if pot = 0:\n    lay_down(lot)\n{RAISE}",
        "7",
    ),
    "taken back": (f"{PICK}{N}lay_down(lot)\nclose_up(lot, me)\n{RAISE}", "something hidden"),
    "a number of either": (
        f"{PICK}choose other from fist(me) where other != lot\nlet n = worth(other)\n"
        f"if pot = 0: set n = worth(lot)\nopen_up(lot)\n{RAISE}",
        "something hidden",
    ),
}


@pytest.mark.parametrize(("turn", "told"), SEEN_BY_BOB.values(), ids=SEEN_BY_BOB)
def test_a_number_is_told_to_whoever_sees_what_it_is_of(turn: str, told: str):
    game = taken(begun(program_of(turn)), "lot-seven")
    while not isinstance(game.node.row, Modal):
        game = taken(game, game.prompt.options[0].key)
    assert question(game.node, 0, 1) == f"raise {told}?"


@pytest.mark.parametrize(
    ("turn", "label"),
    [
        (f"roll n = 1d6 by me seen by me\nlet m = n + 1\n{RAISE.replace('n}', 'm}')}", "raise 2"),
        (f"{PICK}choose n from 1 .. worth(lot)\n{RAISE}", "raise 1"),
        (f"{PICK}{N}{RAISE}", "raise 5"),
    ],
)
def test_a_label_tells_whoever_knows_what_it_is_of(turn: str, label: str):
    game = begun(program_of(turn))
    while not isinstance(game.node.row, Modal):
        game = taken(game, game.prompt.options[0].key)
    assert question(game.node, 0, 0) == f"{label}?"


@pytest.mark.parametrize(
    ("turn", "ann", "bob"),
    [
        (f"{PICK}use tell_of(worth(lot))\n", "7", "something hidden"),
        (f"{PICK}{N}use tell_on(n)\n", "8", "something hidden"),
        (f"{PICK}{N}lay_down(lot)\nuse tell_on(n)\n", "8", "8"),
        (f"{PICK}{N}{ADD}use tell_anew(n)\n", "something hidden", "something hidden"),
    ],
)
def test_the_log_tells_whoever_knows_what_it_is_of(turn: str, ann: str, bob: str):
    """Also where the number was handed to another text, but not where that has set it anew."""
    game = taken(begun(program_of(turn)), "lot-seven")
    told = [log(game.linked, game.events, who)[-1] for who in (0, 1)]
    assert told == [f"it is {ann}", f"it is {bob}"]


def test_what_everybody_is_shown_is_told_to_everybody():
    game = taken(begun(program_of(f"{PICK}show lot to players\n{ADD}")), "lot-seven")
    assert [log(game.linked, game.events, who) for who in (0, 1, -1)] == [
        ["lot of 7 is shown to ann, bob"]
    ] * 3


def test_what_one_is_shown_is_told_to_nobody_else():
    game = taken(begun(program_of(f"{PICK}show lot to me\n{ADD}")), "lot-seven")
    assert log(game.linked, game.events, 1) == ["a lot is shown to ann"]
