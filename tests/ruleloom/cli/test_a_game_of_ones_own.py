"""A small game of one's own, without a driver: what is not given has a beginning, and cases, odds
and derived cases work as they do for the games that are shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Done, call
from tests.support.pack_examples import manifest, write

GAME = """\
- kind: vocabulary
  game: purses
  entities:
    Player: {noun: [player, players], max: 4, fields: {purse: {type: Int}}}
  scope:
    me: {type: Player, life: game, english: you}
    pot: {type: Int, life: game, max: 9, at_table: true, english: the pot}
  operations:
    pay:
      params: {who: Player, much: Int}
      sets: {purse(who): purse(who) + much}
      english: "{who} gets {much}"
      log: "{who} gets {much}"
- kind: extension
  id: cards
  entities:
    Card: {noun: [card, cards], max: 40, static: {worth: {type: Int, default: 1}}, records: [card]}
  kinds: {card: {makes: Card}}
  zones:
    pile: {of: Card, seen_by: nobody, order: lazy, english: the pile}
    hand: {of: Card, per: Player, seen_by: owner, english: the hand}
    row: {of: Card, seen_by: all, english: the row}
- {kind: card, id: red_card, title: Red}
- {kind: card, id: blue-card, title: Blue, worth: 2}
- kind: rule
  id: has_room
  takes: "who: Player, much: Int"
  holds: "purse(who) + much <= 4"
  english: "{who} has room for {much}"
- kind: power
  id: earn_more
  gloss: You get as much as you like.
  effect: |
    choose pay_out from [1, 2, 3] where pay_out > 1
    pay(me, pay_out)
- kind: power
  id: draw-one
  gloss: You draw a card.
  effect: |
    draw c from pile to hand
    if c is not none:
        pay(me, worth(c))
- {kind: flow, id: set_up, effect: "pay(me, 0)"}
- kind: flow
  id: turn
  effect: |
    choose one named main "What now?":
        "earn": use earn_more
        "draw": use draw_one
        "nothing": pay(me, 0)
    choose much from [1, 2] where has_room(me, much)
    pay(me, much)
"""

CASES = """\
kind: scenarios
cases:
  - id: cards-come-out-of-the-pile
    given: {players: [A, B], zones: {hand: {A: [red_card]}, row: [blue-card]}}
    when: [{do: use draw_one}]
    then: {zones: {hand: {A: [red_card]}, row: [blue-card]}, numbers: {A: {purse: 0}}}
"""

TURN = """\
kind: scenarios
cases:
  - id: a-full-purse
    given: {players: [A, B], state: {A: {purse: 3}}}
    when: [{do: turn, answers: {"What now?": nothing, much: 2}}]
    then: {legal: false, reason: "you have room for 2"}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "purses"
    write(folder, {"pack.yaml": manifest("purses", game="purses"), "game.yaml": GAME})
    return folder


def trial(game: Path, cases: str) -> Done:
    write(game, {"cases.yaml": cases})
    return call("test", game)


def test_what_players_have_begins_with_nothing(game: Path):
    done = call("play", game, "--players", "A=human,B=human", "--seed", "1", typed="3\n1\n")
    assert done.code == 0
    assert "A gets 1" in done.out


def test_what_has_no_natural_beginning_is_told_by_check(game: Path):
    lucky = GAME.replace("purse: {type: Int}", "purse: {type: Int}, luck: {type: Card}")
    write(game, {"game.yaml": lucky})
    done = call("check", game)
    assert done.code == 1
    assert "error[missing-value]: `luck` needs a value to begin with" in done.out


def test_cards_of_a_pile_can_be_laid_out(game: Path):
    done = trial(game, CASES)
    assert "1 passed, 0 failed" in done.out


def test_a_refusal_in_a_flow_has_its_reason(game: Path):
    done = trial(game, TURN)
    assert "1 passed, 0 failed" in done.out, done.out


def test_a_case_gives_no_variable_more_than_it_may_be(game: Path):
    given = "[A, B], state: {pot: 10}, zones: {hand"
    done = trial(game, CASES.replace("[A, B], zones: {hand", given))
    assert "error[out-of-bounds]" in done.out
    assert "`pot` is at most 9" in done.out


def test_the_odds_of_a_flow_are_those_of_what_it_leaves(game: Path):
    done = call("odds", game, "turn", "--of", "purse(me)", "--policy", "What now?=draw")
    assert done.code == 0, done.err
    assert [line.split()[:2] for line in done.out.splitlines()[1:]] == [
        ["2", "1/4"],
        ["3", "1/2"],
        ["4", "1/4"],
    ]
    both = call("odds", game, "turn", "--of", "purse(me)", "--of", "count(hand(me))")
    assert both.code == 0, both.err
    assert "count(hand(me)): 1/3 on average" in both.out
    unasked = call("odds", game, "turn")
    assert unasked.code == 2
    assert "--of EXPR" in unasked.err
    wrong = call("odds", game, "turn", "--of", "purses(me)")
    assert "`purses(me)`: there is no `purses(...)`" in wrong.err


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("pay", ["operation pay(who: Player, much: Int)", "{who} gets {much}", "used by earn_more, draw-one, set_up, turn"]),
        ("pot", ["variable pot: Int (until it is changed, at most 9)"]),
        ("Player", ["entity Player: player, players", "purse: Int (changes in play)"]),
        ("purse", ["Player.purse: Int (changes in play)"]),
        ("worth", ["Card.worth: Int (printed)"]),
        ("hand", ["zone hand: Card (one for each player, seen by owner)", "used by draw-one"]),
        ("card", ["kind card, which makes a Card"]),
        ("main", ["menu main", "stands in turn"]),
    ],
)  # fmt: skip
def test_a_word_of_the_vocabulary_is_explained(game: Path, word: str, told: list[str]):
    done = call("explain", word, "--pack", game)
    assert done.code == 0
    for one in told:
        assert one in done.out


def test_an_unknown_word_is_told_with_the_one_that_was_meant(game: Path):
    done = call("explain", "purze", "--pack", game)
    assert done.code == 2
    assert "`purze` is no diagnostic code, no item and no word of a vocabulary" in done.err
    assert "did you mean `purse`?" in done.err


@pytest.mark.parametrize("word", ["earn_more", "earn-more", "power/earn-more"])
def test_what_is_to_be_derived_goes_by_either_sign(game: Path, word: str):
    trial(game, CASES.replace("use draw_one", "use earn_more").replace("purse: 0", "purse: 2"))
    done = call("test", game, "--derive", word)
    assert done.code == 0
    assert "for power/earn_more" in done.err
