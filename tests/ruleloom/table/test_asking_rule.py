"""By which rule a question is asked: said the first time, and again when somebody asks."""

from __future__ import annotations

import pytest

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.table.lookups import asking_rules, said_in_general, says_more, way_in
from ruleloom.table.loop import play
from tests.compiler.check.test_check import compiled
from tests.ruleloom.table.test_shared_screen import seated
from tests.support.orchard_driver import bind

HAGGLE = """
- kind: power
  id: haggle
  takes: "who: Player, much: Int, friend: Player? = none"
  gloss: "{who} haggles{friend?, helped by {friend},} over {much} baskets"
  effect: |
    use settle(who)
- kind: power
  id: settle
  takes: "who: Player"
  gloss: "{who} names a day, on which the baskets are fetched"
  effect: |
    choose number from 1 .. 3 by who
    set day = number
"""


def haggling(*texts: str) -> Game:
    program = compiled("\n".join(texts) + "\n", HAGGLE)
    return new_game(link_game(program, bind, ("ann", "bob")), 1)


def test_the_rules_that_are_going_on_are_told_with_what_they_were_used_with():
    game = haggling(
        "for each other in players:", "    use haggle(other, 2, other if other != me else none)"
    )
    rules = [told for _, told in asking_rules(game.linked, game.state)]
    assert rules == [
        "Ann names a day, on which the baskets are fetched.",
        "Ann haggles over 2 baskets.",
    ]
    game = game.choose(2)
    rules = [told for _, told in asking_rules(game.linked, game.state)]
    assert rules[1] == "Bob haggles, helped by bob, over 2 baskets."


def test_a_rule_says_what_it_is_about_once_to_all_who_look_on(monkeypatch: pytest.MonkeyPatch):
    effect = "for each other in players:", "    use settle(other)"
    game = haggling(*effect, *effect)
    screen = seated(game, monkeypatch, "1", "2", "?", "3", "1")
    play(screen, {})
    told = [line for line in screen.screen if "names a day" in line]
    assert told == [
        "  Ann names a day, on which the baskets are fetched.",
        "  Ann names a day, on which the baskets are fetched.",  # asked for with `?`
    ]


def test_a_setting_in_the_words_of_a_rule_is_told_as_it_is_in_force():
    peck = """
- {kind: setting, id: most_pecks, value: 3, english: "the most pecks"}
- kind: power
  id: peck
  takes: "who: Player"
  gloss: "{who} pecks up to {most_pecks} fruits"
  effect: |
    choose number from 1 .. most_pecks by who
    set day = number
"""
    game = new_game(link_game(compiled("use peck(me)\n", peck), bind, ("ann", "bob")), 1)
    (rule,) = asking_rules(game.linked, game.state)
    assert rule == ("orchard:power/peck", "Ann pecks up to 3 fruits.")
    assert said_in_general(game.linked, rule[0]) == "A player pecks up to 3 fruits."


def test_what_is_hidden_is_not_told_by_the_rule():
    effect = "draw dealt from heap to hand(me)\nchoose fruit from hand(me) by me\nuse eat(fruit)\n"
    eat = """
- kind: power
  id: eat
  takes: "fruit: Fruit"
  gloss: "{fruit} is eaten"
  effect: |
    choose number from 1 .. 3 by me
    set day = number
"""
    game = new_game(link_game(compiled(effect, eat), bind, ("ann", "bob")), 1)
    game = game.answer(game.prompt.id, [game.prompt.options[0].key])
    (rule,) = asking_rules(game.linked, game.state)
    assert rule[1] == "A fruit is eaten."


def test_what_a_way_to_go_on_does_can_be_read_up(monkeypatch: pytest.MonkeyPatch):
    choice = (
        'choose one "What now?":',
        '    "haggle":',
        "        use settle(me)",
        '    "wait":',
        "        set day = 2",
        '    "leave it":',
        "        let idle = 0",
    )
    screen = seated(haggling(*choice), monkeypatch, "? 1", "?? 1", "? 2", "? 3", "2")
    play(screen, {})
    text = [line.strip() for line in screen.screen]
    first, second, third, fourth = (
        text[number:] for number, line in enumerate(text) if line in ("haggle", "wait", "leave it")
    )
    assert first[1] == "You name a day, on which the baskets are fetched."
    assert second[1] == first[1]
    assert second[2] == "A player names a day, on which the baskets are fetched."
    assert second[4].startswith("The player chooses the number")
    assert third[1] == "The day is now 2."
    assert fourth[1] == "nothing more follows from it"


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("rest", "A round passes."),
        ("Fight", "Choose a foe. Strike the foe, in order: a. With a fist."),
        ("wait", ""),
        ("flee", None),
    ],
)
def test_the_text_of_a_menu_says_what_follows_from_a_way(label: str, told: str | None):
    menu = """You choose one.

1. You choose one:
   a. Rest: a round passes.
   b. Fight, if there is a foe:
      i. Choose a foe.
      ii. Strike the foe, in order:
         a. With a fist.
   c. Wait."""
    assert way_in(menu, label) == told


def test_a_number_has_no_card(monkeypatch: pytest.MonkeyPatch):
    screen = seated(haggling("use settle(me)"), monkeypatch, "? 2", "2")
    play(screen, {})
    assert "  2: nothing more follows from it" in screen.screen


def test_a_rule_that_says_no_more_than_its_question_stays_silent():
    assert not says_more("A create.", "Which way does the piece you create face?")
    assert says_more("A small piece is placed.", "Which way does the piece face?")
