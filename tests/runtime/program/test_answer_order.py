"""Answers to one event that do not commute: told once with both outcomes, or put in order in play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import pytest

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.runtime.play.game import Game
from tests.support.on_quarrel import (
    ASK,
    block,
    charm,
    lives,
    result_with_packs,
    resumed,
    sound,
    started,
    variable,
)

LOOSE = "answers-in-fixed-order"
BLOW = """- kind: extension
  id: blows
  extends:
    Player: {fields: {breath: {type: Int, initial: 9}}}
  zones:
    stack: {of: Charm, seen_by: nobody, order: lazy, english: the stack}
  moments:
    blow_falls:
      params: {whom: Player, much: Int}
      open: much
      english: "a blow falls on {whom}"
    dusk: {params: {who: Player, other: Player}, english: night falls}
  operations:
    rest: {params: {who: Player}, sets: {breath(who): "lowest([breath(who) + 1, 9])"}, english: rest, log: rests}
    gasp: {params: {who: Player}, sets: {breath(who): "0"}, english: gasp, log: gasps}
    pant: {params: {who: Player, to: Int}, sets: {breath(who): to}, english: pant, log: pants}
- kind: power
  id: blow
  takes: "whom: Player, much: Int"
  gloss: deal a blow
  effect: |
    let hard = much
    blow_falls(whom, hard) giving hard
    hurt(whom, hard)
    dusk(whom, seat_after(whom))
- kind: power
  id: nurse
  takes: "who: Player, much: Int"
  gloss: nurse
  effect: |
    if life(who) < 18: heal(who, much)
"""
TURN = f"use blow(me, 2)\n{ASK}"


def for_all(name: str, line: str, more: str = "") -> str:
    return f"- kind: standing\n  id: {name}\n  for: Player\n{more}  abilities: |\n{block(line)}"


def deciders(of: str) -> str:
    return f"- {{kind: extension, id: deciders, deciders: {{{of}}}}}\n"


def found(*packs: str, turn: str = TURN) -> list[Diagnostic]:
    return list(result_with_packs(turn, BLOW, *packs).diagnostics)


def played(*packs: str, turn: str = TURN, held: Sequence[Sequence[str]] = ()) -> Game:
    return started(sound(result_with_packs(turn, BLOW, *packs)), *held)


def keys(game: Game) -> list[str]:
    return [one.key for one in game.prompt.options]


def answered(game: Game, *answers: str) -> Game:
    """The game after these answers, each taken by the game as a save gives it back."""
    for one in answers:
        game = resumed(game)
        game = game.answer(game.prompt.id, one)
    return game


# ------------------------------------------------------------------- what commutes, and what does not


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Both add.
        ("when dusk(self): heal(self, 1)", "when dusk(self): hurt(self, 2)"),
        ("when dusk(self): set tally = tally + 1", "when dusk(self): set tally = 2 + tally"),
        # The same done to a bounded number, and the same value set.
        ("when dusk(self): rest(self)", "when dusk(self): rest(self)"),
        ("when dusk(self): gasp(self)", "when dusk(self): gasp(self)"),
        ("when dusk(self): pant(self, 3)", "when dusk(self): pant(self, 3)"),
        # One after the other of the same power.
        ("when dusk(self): use nurse(self, 1)", "when dusk(self): use nurse(self, 2)"),
        # Whether one responds is decided when the event happens.
        ("when dusk(self) where life(self) < 9: heal(self, 2)", "when dusk(self): hurt(self, 1)"),
        # Two things, as far as anybody knows.
        ("when dusk(self): gasp(self)", "when dusk(who, self): rest(self)"),
        # They are never both there.
        (
            "when dusk(self) where tally = 1: gasp(self)",
            "when dusk(who) where tally = 2 and life(self) > 1: rest(self)",
        ),
        (
            "when dusk(self) where tally < 3: gasp(self)",
            "when dusk(self) where tally >= 3: rest(self)",
        ),
        # What is only said does not count.
        ("when dusk(self): heal(self, 1)", 'when dusk(self):\n    if life(self) < 9: say "ouch"'),
        (
            "when dusk(self): heal(self, 1)",
            'when dusk(self):\n    let n = life(self)\n    say "{n}"',
        ),
        # One at once, one later.
        ("when dusk(self): gasp(self)", "when dusk(self) afterwards: rest(self)"),
        (
            "when blow_falls(self, n): set n = n + 1",
            "when blow_falls(self, n): set n = n - life(self)",
        ),
        ("instead of hurt(self, n): stop", "instead of hurt(self, n) where n > 3: stop"),
        (
            "instead of hurt(self, n) where n < 3: stop",
            "instead of hurt(self, n) where n > 2: hurt(self, 1)",
        ),
    ],
)
def test_answers_that_commute_are_nobodys_business(one: str, other: str):
    assert found(for_all("one", one), for_all("other", other)) == []


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (
            "when dusk(self): hurt(self, 1)",
            "when dusk(self):\n    if life(self) < 9: heal(self, 1)",
            "changes `life` by `hurt` before `b:standing/other` reads it; the other way round, after",
        ),
        (
            "when dusk(self): heal(self, life(self))",
            "when dusk(self): hurt(self, 1)",
            "reads `life` before `b:standing/other` changes it by `hurt`; the other way round, after",
        ),
        (
            "when dusk(self): gasp(self)",
            "when dusk(self): rest(self)",
            "`b:standing/other` by `rest` after it, or the other way round",
        ),
        (
            "when dusk(self): pant(self, 1)",
            "when dusk(who): pant(self, 2)",
            "changes `breath` by `pant`, and so does `b:standing/other` by `pant`",
        ),
        (
            "when dusk(self): use nurse(self, 1)",
            "when dusk(self): hurt(self, 1)",
            "reads `life` before `b:standing/other` changes it by `hurt`",
        ),
        (
            "when dusk(self): hurt(self, 1)",
            "when dusk(who) where life(self) < 9: gasp(self)",
            "before `b:standing/other` reads it",
        ),
        (
            "when dusk(self): set tally = 1",
            "when dusk(self): set tally = 2",
            "`a:standing/one` comes first and changes `tally`, and so does",
        ),
        (
            "when blow_falls(self, n): set n = n + 1",
            "when blow_falls(self, n): heal(self, n)",
            "changes `much` before `b:standing/other` reads it",
        ),
        (
            'when dusk(self): finish won by self "it is over"',
            'when dusk(who, self): finish won by self "it is over"',
            "changes the end of the game",
        ),
        (
            'when dusk(self): finish ranked p in players by life(p) "it is over"',
            'when dusk(self): finish won by self "it is over"',
            "changes the end of the game",
        ),
        (
            "when dusk(self): put those(c: Charm where power(c) = 1) on top of stack",
            "when dusk(self): put those(c: Charm where power(c) = 2) on top of stack",
            "changes `stack`",
        ),
        (
            "instead of hurt(self, n): hurt(self, n div 2)",
            "instead of hurt(self, n) where n > 1: hurt(self, n - 1)",
            "two packs replace `hurt`, and both may apply",
        ),
        (
            "instead of nurse(self, n): use nurse(self, n + 1)",
            "instead of nurse(self): stop",
            "two packs replace `nurse`",
        ),
    ],
)
def test_answers_in_conflict_are_told_once_with_both_outcomes(one: str, other: str, words: str):
    [told] = found(for_all("one", one), for_all("other", other))
    assert (told.code, told.severity, len(told.notes)) == (LOOSE, "warning", 1)
    assert words in told.message
    assert "the other way round" in told.message
    assert told.help is not None
    assert "write `after: [a:standing/one]` in `other`, or the other way round" in told.help


CHANGES: dict[str, Callable[[int], int]] = {
    "n + 1": lambda n: n + 1,
    "2 + n": lambda n: 2 + n,
    "n - 2": lambda n: n - 2,
    "n * 2": lambda n: n * 2,
    "3 * n": lambda n: 3 * n,
    "n div 2": lambda n: n // 2,
    "n mod 4": lambda n: n % 4,
    "7": lambda n: 7,
    "4 - n": lambda n: 4 - n,
    "lowest([8, n])": lambda n: min(8, n),
    "lowest([n, 5])": lambda n: min(n, 5),
    "highest([n, 3])": lambda n: max(n, 3),
    "highest([1, n - 2])": lambda n: max(1, n - 2),
    "lowest([n + 1, 9])": lambda n: min(n + 1, 9),
    "n - 2 if n > 2 else 1": lambda n: n - 2 if n > 2 else 1,
}
TWO = [(one, other) for one, other in combinations_with_replacement(CHANGES, 2)]


@pytest.mark.parametrize(("one", "other"), TWO)
def test_changes_whose_order_matters_are_told_and_with_somebody_who_decides_asked_about(
    one: str, other: str
):
    first, second = CHANGES[one], CHANGES[other]
    packs = [
        for_all(name, f"when blow_falls(self, n): set n = {text}")
        for name, text in (("one", one), ("other", other))
    ]
    told = [(each.code, each.severity) for each in found(*packs)]
    program = sound(result_with_packs(TURN, BLOW, *packs, HURT_ONE))
    asked = any(routine.id == "blow_falls in order" for routine in program.routines)
    assert told == [("answer-order", "error")] * asked
    matters = any(first(second(n)) != second(first(n)) for n in range(-20, 20))
    assert asked or not matters


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("n + 1", "n - 2"),
        ("n * 2", "3 * n"),
        ("lowest([8, n])", "lowest([n, 5])"),
        ("n div 2", "n div 2"),
    ],
)
def test_changes_of_one_class_commute(one: str, other: str):
    packs = [
        for_all(name, f"when blow_falls(self, n): set n = {text}")
        for name, text in (("one", one), ("other", other))
    ]
    assert found(*packs) == []


def test_answers_by_way_of_the_answers_to_what_they_do():
    """A pain that comes with being hurt reads what another answer changes."""
    one = for_all("one", "when dusk(self): gasp(self)")
    other = for_all("other", "when dusk(self): hurt(self, 1)")
    pain = for_all("pain", "when hurt(self):\n    if breath(self) > 3: heal(self, 1)")
    [told] = found(one, other + pain)
    assert (
        "`a:standing/one` comes first and changes `breath` by `gasp` before `b:standing/other` reads it"
        in told.message
    )


TALLIED = (
    "- kind: trigger\n  id: late\n  event: dusk(who, other)\n  timing: immediately\n"
    "  effect: set tally = tally * 10 + 1\n",
    for_all("early", "when dusk(self): set tally = tally * 10 + 2"),
    "- kind: charm\n  id: gem\n  title: gem\n  power: 1\n"
    "  abilities: |\n    when dusk(self): set tally = tally * 10 + 3\n",
)


@pytest.mark.parametrize(
    "order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
)
def test_in_one_pack_whatever_stands_first_responds_first(order: tuple[int, ...]):
    game = played("".join(TALLIED[one] for one in order), held=(("gem",),))
    assert variable(game, "tally") == int("".join(str(one + 1) for one in order))


GASP = for_all("gasping", "when dusk(self): gasp(self)")
REST = for_all("resting", "when dusk(self): rest(self)")


@pytest.mark.parametrize(
    "packs",
    [
        (
            GASP,
            for_all("resting", "when dusk(self): rest(self)", "  after: [a:standing/gasping]\n"),
        ),
        (
            for_all("gasping", "when dusk(self): gasp(self)", "  after: [b:standing/resting]\n"),
            REST,
        ),
        (GASP, f'requires: {{a: "*"}}\n---\n{REST}'),
        (GASP + REST,),
        (GASP, REST, deciders("dusk: who")),
        (GASP, REST, deciders("any: me")),
    ],
)
def test_whoever_knows_both_settles_it(packs: tuple[str, ...]):
    assert found(*packs) == []


# ------------------------------------------------------------------- two events of one thing

TOSS = (
    "roll luck = 1d6\nhurt(me, luck)\nroll each lot = 2 d 6\nif count(lot) > 1: heal(me, 1)\n"
    f"choose gem from held(me)\ngive(gem, me)\n{ASK}"
)


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (
            "when rolled any(self, n): set n = n + 1",
            "when rolled luck(self, n): set n = n * 2",
            "answers to `rolled luck` and `rolled any`, `b:standing/other` comes first and changes `value`",
        ),
        (
            "when rolled luck(self, n) where n = 1: set n = 6",
            "when rolled any(self, n) where n > 5: heal(self, 2)",
            "`a:standing/one` comes first and changes `value` before `b:standing/other` reads it",
        ),
        (
            "when rolled luck(self, n): hurt(self, n)",
            "when rolled any(self, n): set n = 3",
            "`a:standing/one` comes first and reads `value` before `b:standing/other` changes it",
        ),
        (
            "when rolled lot(self, n): remove 6 from n",
            "when rolled each(self, n): set n = [6, 6]",
            "answers to `rolled lot` and `rolled each`, `a:standing/one` comes first and changes `value`",
        ),
        (
            "when give(gem, self): gasp(self)",
            "when touched(gem): rest(self)",
            "answers to `touched` and `give`, `b:standing/other` comes first and changes `breath`",
        ),
    ],
)
def test_answers_to_two_events_of_one_thing(one: str, other: str, words: str):
    told, *_ = found(for_all("one", one), for_all("other", other), turn=TOSS)
    assert (told.code, told.severity, len(told.notes)) == (LOOSE, "warning", 1)
    assert words in told.message


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("when rolled luck(self, n): set n = n + 1", "when rolled any(self, n): set n = n + 2"),
        ("when rolled luck(self, n): set n = n * 2", "when rolled each(self, n): remove 6 from n"),
        (
            "when rolled luck(self, n) where tally = 1: set n = n * 2",
            "when rolled any(self, n) where tally = 2: set n = n + 1",
        ),
        (
            "when rolled luck(self, n): set n = n * 2",
            "when rolled any(self, n) afterwards: gasp(self)",
        ),
        ("when touched(gem): heal(self, 1)", "when give(gem, self): hurt(self, 1)"),
        (
            "when give(gem) where power(gem) = 1: gasp(self)",
            "when touched(it) where power(it) = 2: rest(self)",
        ),
    ],
)
def test_answers_to_two_events_that_do_not_matter_to_each_other(one: str, other: str):
    assert found(for_all("one", one), for_all("other", other), turn=TOSS) == []


@pytest.mark.parametrize(("first", "second", "told"), [("any", "luck", 0), ("luck", "any", 1)])
def test_after_says_that_the_order_of_two_events_is_meant(first: str, second: str, told: int):
    """Nothing turns it round, so an `after:` that would is told."""
    one = for_all(
        "one", f"when rolled {first}(self, n): set n = n + 1", "  after: [b:standing/two]\n"
    )
    two = for_all("two", f"when rolled {second}(self, n): set n = n * 2")
    assert [one.code for one in found(one, two, turn=TOSS)] == [LOOSE] * told
    assert [one.code for one in found(one, two, deciders("any: me"), turn=TOSS)] == [LOOSE] * told


def test_help_with_two_events_says_what_can_come_first():
    luck = for_all("lucky", "when rolled luck(self, n): set n = n * 2")
    more = for_all("more", "when rolled any(self, n): set n = n + 1")
    [told] = found(luck, more, turn=TOSS)
    assert told.help == (
        "write `after: [a:standing/lucky]` in `more` if that is meant; it can come first only if it "
        "answers `rolled luck` too"
    )


def test_whatever_has_abilities_can_say_what_it_comes_after():
    one = charm("one", "when dusk(self): gasp(self)")
    other = charm("other", "when dusk(self): rest(self)")
    [told] = found(one, other)
    assert told.help == (
        "write `after: [a:charm/one]` in `other`, or the other way round; or name the player who says it "
        "in an extension: `deciders: {dusk: ...}`"
    )
    said = other.replace("  abilities:", '  after: ["a:charm/one"]\n  abilities:')
    assert found(one, said) == []


def test_what_responds_to_nothing_comes_after_nothing():
    [told] = found(
        charm("one", "when dusk(self): gasp(self)"),
        '- {kind: charm, id: other, title: other, power: 2, after: ["a:charm/one"]}\n',
    )
    assert (told.code, told.severity) == ("answer-order", "error")
    assert "responds to nothing" in told.message


# ------------------------------------------------------------------- somebody decides

MORE = for_all("more", "when blow_falls(self, n): set n = n + 1")
TWICE = for_all("twice", "when blow_falls(self, n): set n = n * 2")
SEVEN = for_all("seven", "when blow_falls(self, n): set n = 7")
HURT_ONE = deciders("blow_falls: whom")


@pytest.mark.parametrize(("first", "life"), [("more", 20 - 6), ("twice", 20 - 5)])
def test_whoever_decides_is_asked_which_comes_first(first: str, life: int):
    game = played(MORE, TWICE, HURT_ONE)
    assert game.prompt.text == "What comes first?"
    assert (game.prompt.player, keys(game)) == (0, ["more", "twice"])
    after = answered(game, first)
    assert (lives(after), keys(after)) == ([life, 20], ["go"])
    assert resumed(after).state == after.state


def test_another_player_decides():
    game = played(MORE, TWICE, deciders("blow_falls: seat_after(whom)"))
    assert game.prompt.player == 1


def test_what_is_left_is_asked_for_until_one_is_left():
    game = played(MORE, TWICE, SEVEN, HURT_ONE)
    assert keys(game) == ["more", "twice", "seven"]
    game = answered(game, "seven")
    assert keys(game) == ["more", "twice"]
    assert lives(answered(game, "twice")) == [20 - 15, 20]


def test_nobody_is_asked_where_only_one_responds():
    more = charm("more", "when blow_falls(self, n): set n = n + 1")
    assert keys(played(more, TWICE, HURT_ONE)) == ["go"]
    assert keys(played(more, TWICE, HURT_ONE, held=(("more",),))) == ["more", "twice"]


def test_answers_of_one_pack_keep_their_order():
    game = played(MORE + TWICE, SEVEN, HURT_ONE)
    assert keys(game) == ["more", "seven"]
    assert keys(answered(game, "more")) == ["twice", "seven"]
    after = for_all(
        "twice", "when blow_falls(self, n): set n = n * 2", "  after: [c:standing/seven]\n"
    )
    assert keys(played(MORE, after, SEVEN, HURT_ONE)) == ["more", "seven"]


def test_those_that_commute_with_all_others_are_not_asked_about():
    heal = for_all("healing", "when blow_falls(self): heal(self, 3)")
    game = played(heal, MORE, TWICE, HURT_ONE)
    assert keys(game) == ["more", "twice"]
    assert lives(answered(game, "more")) == [20 + 3 - 6, 20]


def test_whether_one_responds_is_decided_when_the_event_happens():
    little = for_all("little", "when blow_falls(self, n) where n < 3: set n = n + 10")
    game = played(little, TWICE, HURT_ONE)
    assert lives(answered(game, "twice")) == [20 - 14, 20]


def test_once_a_turn_is_once_a_turn():
    once = for_all("once", "when blow_falls(self, n) once per turn: set n = n + 1")
    game = played(once, TWICE, HURT_ONE, turn=f"use blow(me, 1)\nuse blow(me, 1)\n{ASK}")
    assert keys(game) == ["once", "twice"]
    game = answered(game, "once")
    assert (keys(game), lives(game)) == (["go"], [20 - 4 - 2, 20])
    assert keys(answered(game, "go")) == ["once", "twice"]  # the next turn


def test_an_answer_that_leads_back_to_the_event_once_a_turn():
    echo = for_all(
        "echo", "when blow_falls(self, n) once per turn:\n    use blow(self, 1)\n    set n = n + 5"
    )
    game = played(echo, TWICE, HURT_ONE)
    assert keys(game) == ["echo", "twice"]
    assert lives(answered(game, "twice")) == [20 - 2 - 9, 20]


def test_a_dead_end_in_one_leaves_the_others_be():
    stuck = for_all(
        "stuck",
        "when blow_falls(self, n):\n    choose one from seen\n    heal(one, 9)\n    set n = 9",
    )
    game = played(stuck, TWICE, HURT_ONE)
    assert lives(answered(game, "stuck")) == [16, 20]


def test_titles_that_are_the_same_are_told_apart():
    one, other = charm("luck", MORE.split("|\n")[1]), charm("fate", TWICE.split("|\n")[1])
    game = played(
        one, other.replace("title: fate", "title: luck"), HURT_ONE, held=(("luck", "fate"),)
    )
    assert [option.label for option in game.prompt.options] == ["luck (a)", "luck (b)"]


def test_before_a_flow_and_after_a_power_too():
    first = for_all("first", "when before turn() where self = me: set tally = 1")
    second = for_all("second", "when before turn() where self = me: set tally = 2")
    game = played(first, second, deciders("before turn: me"))
    assert variable(answered(game, "first"), "tally") == 2
    assert variable(answered(game, "second"), "tally") == 1


def test_any_roll():
    six = for_all("six", "when rolled any(self, n): set n = 6")
    less = for_all("less", "when rolled any(self, n): set n = n - 1")
    turn = f"roll luck = 1d6\nhurt(me, luck)\n{ASK}"
    game = played(six, less, deciders("rolled any: who"), turn=turn)
    game = answered(game, "3")
    assert lives(answered(game, "six")) == [15, 20]
    assert lives(answered(game, "less")) == [14, 20]


# ------------------------------------------------------------------- in place of one event

HALF = for_all("half", "instead of hurt(self, n) where n > 1: hurt(self, n div 2)")
LESS = for_all("less", "instead of hurt(self, n): hurt(self, n - 1)")
WORSE = for_all("worse", "instead of hurt(self, n): hurt(self, n + 3)")
VICTIM = deciders("hurt: who")
NINE = f"hurt(me, 9)\n{ASK}"


@pytest.mark.parametrize(("first", "life"), [("half", 20 - 3), ("less", 20 - 4)])
def test_whoever_decides_chooses_the_first_replacement(first: str, life: int):
    game = played(HALF, LESS, VICTIM, turn=NINE)
    assert keys(game) == ["half", "less"]
    after = answered(game, first)
    assert (lives(after), keys(after)) == ([life, 20], ["go"])


def test_what_is_left_to_replace_is_asked_for_again():
    game = played(HALF, LESS, WORSE, VICTIM, turn=NINE)
    assert keys(game) == ["half", "less", "worse"]
    game = answered(game, "worse")
    assert keys(game) == ["half", "less"]
    assert lives(answered(game, "half")) == [20 - 5, 20]


def test_nothing_is_asked_where_nothing_is_left():
    never = for_all("never", "instead of hurt(self, n): stop")
    game = played(HALF, never, VICTIM, turn=NINE)
    after = answered(game, "never")
    assert (lives(after), keys(after)) == ([20, 20], ["go"])
    assert lives(played(HALF, LESS, VICTIM, turn=f"hurt(me, 1)\n{ASK}")) == [20, 20]


def test_a_power_is_replaced_in_the_order_of_whoever_decides():
    more = for_all("more", "instead of blow(self, n): use blow(self, n + 1)")
    twice = for_all("twice", "instead of blow(self, n): use blow(self, n * 2)")
    game = played(more, twice, deciders("instead of blow: whom"))
    assert lives(answered(game, "more")) == [14, 20]
    assert lives(answered(game, "twice")) == [15, 20]


# ------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("items", "code"),
    [
        (deciders("dsuk: who"), "unknown-event"),
        (deciders("dusk: hwo"), "unknown-name"),
        (deciders("dusk: life(who)"), "type-mismatch"),
        (deciders("before trun: me"), "unknown-event"),
        (deciders("rolled lcuk: who"), "unknown-event"),
        (deciders("rolled any: value"), "type-mismatch"),
        (deciders("rolled any: who"), ""),
        (deciders("dusk: who, blow_falls: seat_after(whom), hurt: who, any: me"), ""),
    ],
)
def test_mistakes_in_deciders_are_told(items: str, code: str):
    told = [one.code for one in found(items) if one.severity == "error"]
    assert told == [code] * bool(code)


def test_two_packs_that_say_who_decides_have_to_agree():
    assert found(deciders("dusk: who"), deciders("dusk: who").replace("id: d", "id: e")) == []
    [told] = found(deciders("dusk: who"), deciders("dusk: other").replace("id: d", "id: e"))
    settled = "`deciders: {dusk: ...}` in an extension of a pack that requires both says what holds"
    assert (told.code, told.help) == ("name-clash", settled)
