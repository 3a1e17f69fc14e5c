"""Dice whose number and sides come from data, and real dice that people read off the table."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from textwrap import indent

import pytest

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, moments, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.search.odds import distribution
from ruleloom.table.canvas import Look
from ruleloom.table.loop import play as table_play
from ruleloom.table.seats import Seat
from ruleloom.table.session import Session
from tests.compiler.check.test_check import compiled, play, routine
from tests.support.check_layer import compile_case
from tests.support.command import call
from tests.support.orchard_driver import bind

THREE_D20 = "roll hurt = (day + 2) d (most * 6 + 2)\nset day = hurt\n"


def begun(effect: str, seed: int | None = None, **settings: int) -> Game:
    """The orchard, whose set-up is this effect."""
    return new_game(link_game(compiled(effect), bind, ("ann", "bob"), settings), seed)


def complaints(effect: str, *items: str) -> list[str]:
    """The errors of a text of the orchard and what is over budget, each with what it says."""
    text = (
        "- kind: power\n  id: tried\n  gloss: x\n  effect: |\n"
        + indent(effect, "    ")
        + "".join(items)
    )
    found = compile_case(text).diagnostics
    told = [one for one in found if one.severity == "error" or one.code == "over-budget"]
    return [f"{one.code}: {one.message}" for one in told]


# ---------------------------------------------------------------------------------- what is rolled


def test_the_numbers_are_worked_out_when_the_dice_are_rolled():
    game = begun(THREE_D20)
    assert (game.prompt.kind, game.prompt.text) == ("roll", "roll 3d20")
    assert [option.key for option in game.prompt.options] == [str(total) for total in range(3, 61)]
    assert sum(game.prompt.weights) == 20**3
    assert game.prompt.weights[:3] == (1, 3, 6)
    game = begun(THREE_D20, most=1)
    assert game.prompt.text == "roll 3d8"


def test_seeded_dice_fall_like_those_that_are_written_out():
    for seed in range(20):
        one, other = (
            begun(text, seed) for text in (THREE_D20, "roll hurt = 3d20\nset day = hurt\n")
        )
        assert one.state.scope == other.state.scope
        assert one.random == other.random


def test_d_is_a_name_elsewhere():
    found = play("let d = 2\nroll x = d d d\nset day = x + d\n", "3")
    assert found.day == 5


def test_whoever_rolls_may_be_somebody_else():
    game = begun("choose who from players\nroll x = day d 6 by who\nset day = x\n")
    game = game.answer(game.prompt.id, "bob")
    assert game.node.stop.who == (1,)
    assert game.answer(game.prompt.id, "4").events[0].args == (4, 1, None)


def test_no_dice_make_nothing_and_nobody_is_asked():
    for seed in (None, 3):
        game = begun("roll x = (day - 1) d 6\nset day = 10 + x\n", seed)
        assert game.over
        assert game.state.scope[game.linked.scope_index["day"]] == 10
        assert game.entries == []
        assert [event.args for event in game.events if event.kind == "rolled"] == [(0, 0, None)]
        assert game.random == begun("set day = 10\n", seed).random


def test_no_dice_can_be_taken_back():
    """A roll of nothing has shown nothing."""
    game = begun(
        'choose one:\n    "a":\n        roll x = (day - 1) d 6\n        choose n from 1 .. 2\n',
        None,
    )
    after = game.answer(game.prompt.id, "a")
    assert after.undo().state == game.state
    game = begun(
        'choose one:\n    "a":\n        roll x = day d 6\n        choose n from 1 .. 2\n', 3
    )
    with pytest.raises(Refused):
        game.answer(game.prompt.id, "a").undo()


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (
            "roll x = (day - 2) d 6\n",
            "a roll of -1 dice is asked for, and it takes 0 to 1,000 dice",
        ),
        ("roll x = (day + 1000) d 6\n", "a roll of 1001 dice is asked for"),
        (
            "roll x = 2 d (day - 1)\n",
            "a roll of dice with 0 sides is asked for, and it takes 1 to 10,000 sides",
        ),
        ("roll x = 2 d (day + 10000)\n", "a roll of dice with 10001 sides"),
        ("roll x = 0 d (day - 1)\n", "a roll of dice with 0 sides"),
    ],
)
@pytest.mark.parametrize("seed", [None, 1])
def test_what_no_table_has_is_a_fault_with_its_line(effect: str, said: str, seed: int | None):
    with pytest.raises(RuntimeFault) as caught:
        begun('say "so"\n' + effect + "set day = x\n", seed)
    fault = caught.value
    assert said in fault.told
    assert "flow.yaml:5:5" in fault.told
    assert fault.by_rules


def test_look_ahead_stops_at_dice_that_may_be_wrong():
    """What the dice come to is worked out when they are rolled, not when somebody asks what is on
    offer."""
    game = begun("choose n from 1 .. 3\nroll x = (n - 2) d 6\nset day = x\n")
    assert [option.key for option in game.prompt.options] == ["1", "2", "3"]
    assert game.answer(game.prompt.id, "2").over
    assert game.answer(game.prompt.id, "3").prompt.text == "roll 1d6"
    with pytest.raises(RuntimeFault, match="a roll of -1 dice"):
        game.answer(game.prompt.id, "1")


# ---------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (
            "roll x = (1 - 2) d 6\n",
            "out-of-bounds: `(1 - 2)` is never more than -1, and a roll takes 0 to 1,000 dice",
        ),
        ("roll x = (most - 10) d 6\n", "out-of-bounds: `(most - 10)` is never more than -1"),
        ("roll x = (most + 1000) d 6\n", "out-of-bounds: `(most + 1000)` is never less than 1,001"),
        (
            "roll x = most d 0\n",
            "out-of-bounds: `0` is never more than 0, and a roll takes 1 to 10,000 sides",
        ),
        ("roll x = most d 10001\n", "out-of-bounds: `10001` is never less than 10,001"),
        ("roll x = me d 6\n", "type-mismatch: `me` is a player, but a number is wanted here"),
        ("roll x = 2 d (1/2)\n", "type-mismatch: `(1/2)` may be a fraction"),
        ("roll x = 2 d favourite\n", "type-mismatch"),
        ("roll x = 2d6 d 6\n", "dice-outside-roll: dice can only be rolled"),
        ("roll x = 2 d 6 by day\n", "type-mismatch: `day` is a number"),
        ("roll x = y d 6\n", "unknown-name"),
        ("roll x = x d 6\n", "unknown-name"),
        ("roll x = sum(weight(f) for f: heap) d 6\n", "hidden-information"),
        ("roll x = sum(weight(f) for f: hand(who)) d 6\n", "hidden-information"),
        ("roll x = 2 d sum(weight(f) for f: hand(who)) by me\n", "hidden-information"),
    ],
)
def test_what_is_surely_wrong_is_refused(effect: str, said: str):
    (found,) = complaints("choose who from players\n" + effect + "set day = x\n")
    assert found.startswith(said)


def test_who_sees_a_hand_may_roll_for_it():
    effect = "choose who from players\nroll x = sum(weight(f) for f: hand(who)) d 6 by who\nset day = x\n"
    assert complaints(effect) == []


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("roll x = day", "day"),
        ("roll x = 2d6 + 1", "2d6 + 1"),
        ("roll x = 3", "3"),
    ],
)
def test_what_are_no_dice(text: str, marked: str):
    power = f"- kind: power\n  id: a\n  gloss: x\n  effect: |\n    {text}\n"
    (found,) = compile_case(power).diagnostics
    assert (found.code, found.message) == ("syntax", "these are not dice")
    assert found.place.column == 5 + text.index(marked)
    assert "roll x = number d sides" in (found.help or "")


# ------------------------------------------------------------------------------- how much it can be


@pytest.mark.parametrize(
    ("dice", "most"),
    [
        ("most d 6", 9),
        ("(most * 2 - 9) d day", 9),
        ("day d 6", 1_000),
        ("2 d day", 2),
        ("count(mine) d 6", 20),
    ],
)
def test_bounds_count_the_most_dice(dice: str, most: int):
    made = compiled(f"roll x = {dice}\nset day = x\n")
    assert routine(made, "flow/set_up").bounds.dice == most


def test_a_loop_of_dice_has_a_limit():
    assert complaints("repeat 1000 times:\n    roll x = day d 6\n    set day = x\n") == []
    (found,) = complaints("repeat 1001 times:\n    roll x = day d 6\n    set day = x\n")
    told = "over-budget: `tried` may take 1,001,000 dice, over its budget of 1,000,000"
    assert found == f"{told}: 1,001 rounds x 1,000 dice = 1,001,000 dice"
    assert complaints("repeat 1001 times:\n    roll x = most d 6\n    set day = x\n") == []


def test_a_roll_is_as_high_as_its_dice():
    assert complaints("roll x = most d 6\nrepeat x times: use walk\n") == []
    (found,) = complaints("roll x = day d 6\nrepeat x * 1000 times: use walk\n")
    assert found


# ---------------------------------------------------------------------------------- chances


def test_odds_follow_the_numbers():
    """Choosing among 0 to 2 dice, then rolling them: the chances are those of the sums."""
    game = begun("choose n from 0 .. 2\nroll x = n d 2\nset day = x\n")
    found = distribution(game.node, lambda state: state.scope[game.linked.scope_index["day"]])
    third, quarter, half = Fraction(1, 3), Fraction(1, 4), Fraction(1, 2)
    assert found == {
        0: third, 1: third * half, 2: third * half + third * quarter, 3: third * half, 4: third * quarter
    }  # fmt: skip


def test_what_the_dice_need_is_not_forgotten():
    """States that differ only in a number a roll still needs are not the same."""
    effect = "roll n = 1d3\nroll luck = 1d2\nroll x = n d 1\nset day = x\n"
    game = begun(effect)
    found = distribution(game.node, lambda state: state.scope[game.linked.scope_index["day"]])
    assert found == {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}
    assert found == distribution(
        game.node, lambda state: state.scope[game.linked.scope_index["day"]], merge=False
    )


# ---------------------------------------------------------------------------------- real dice


@pytest.mark.parametrize(
    ("keys", "total"),
    [("24", 24), (("3", "17", "4"), 24), (("1", "1", "1"), 3), (("20", "20", "20"), 60)],
)
def test_a_person_reads_the_sum_or_the_faces(keys: str | tuple[str, ...], total: int):
    game = begun(THREE_D20)
    after = game.answer(game.prompt.id, keys)
    assert after.state.scope[after.linked.scope_index["day"]] == total
    assert after.entries[-1].keys == ((keys,) if isinstance(keys, str) else keys)
    found = loaded("\n".join(saved_lines(after)), lambda _: bind).game
    assert (found.state, found.entries) == (after.state, after.entries)
    (moment,) = moments(after)
    assert moment.after.state == after.state


@pytest.mark.parametrize(
    "keys",
    [
        (), "2", "61", "-3", "3.5", "", "x", ("3", "17"), ("3", "17", "4", "1"), ("3", "17", "0"),
        ("3", "17", "21"), ("3", "17", "x"), ("3", "17", ""), ("3", "17", "-1"), ("9" * 40,), "٣",
    ],
)  # fmt: skip
def test_what_the_dice_cannot_show(keys: str | tuple[str, ...]):
    game = begun(THREE_D20)
    with pytest.raises(Refused) as caught:
        game.answer(game.prompt.id, keys)
    assert caught.value.reason == "the dice show a sum from 3 to 60, or name 3 faces from 1 to 20"


def test_one_die_has_one_number():
    game = begun("roll x = 1d6\nset day = x\n")
    with pytest.raises(Refused) as caught:
        game.answer(game.prompt.id, ("3", "4"))
    assert caught.value.reason == "the dice show a sum from 1 to 6"


def test_a_save_with_faces_that_do_not_fit_is_refused():
    game = begun(THREE_D20)
    lines = saved_lines(game.answer(game.prompt.id, ("3", "17", "4")))
    from_faces = loaded("\n".join(lines), lambda _: bind).game
    assert from_faces.over
    with pytest.raises(Exception, match="the line is damaged"):
        loaded("\n".join(lines).replace('"17"', '"27"'), lambda _: bind)


# ---------------------------------------------------------------------------------- at the table


def at_the_table(effect: str, typed: str, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Play the orchard's set-up with real dice; Ann and Bob sit at one keyboard."""
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    seats = (Seat("ann", "human"), Seat("bob", "human"))
    look = Look(False, plain=True)
    sitting = Session(begun(effect), seats, look, None, lambda game: None, lambda game, name: "")
    table_play(sitting, {})
    return sitting


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("24", ("24",)),
        ("3 17 4", ("3", "17", "4")),
        ("3+17+4", ("3", "17", "4")),
        ("3, 17 + 4", ("3", "17", "4")),
    ],
)
def test_dice_are_typed_at_the_table(typed: str, keys: tuple[str, ...], monkeypatch, capsys):
    sitting = at_the_table(THREE_D20, f"{typed}\n", monkeypatch)
    assert sitting.game.over
    assert sitting.game.entries[-1].keys == keys
    shown = capsys.readouterr().out
    assert (
        "ann rolls.\nRoll 3d20\n      what the dice show: their sum, or the face of each" in shown
    )


def test_the_table_says_what_the_dice_can_show(monkeypatch, capsys):
    sitting = at_the_table(THREE_D20, "\n3 21 4\n61\nhigh\nundo\nwhy not\n1 1 1\n", monkeypatch)
    assert sitting.game.entries[-1].keys == ("1", "1", "1")
    shown = capsys.readouterr().out
    assert "there is no usual answer here; type what the dice show" in shown
    assert shown.count("the dice show a sum from 3 to 60, or name 3 faces from 1 to 20") == 3
    assert "there is nothing to take back" in shown


def test_a_person_is_asked_after_somebody_rolled(monkeypatch):
    effect = (
        "choose who from players\nroll x = 2 d 4 by who\nchoose n from 1 .. x by who\nset day = n\n"
    )
    sitting = at_the_table(effect, "\nbob\n1 2\n\n3\n", monkeypatch)
    assert [(entry.player, entry.keys) for entry in sitting.game.entries] == [
        (0, ("bob",)), (None, ("1", "2")), (1, ("3",))
    ]  # fmt: skip


def test_only_who_may_see_it_says_what_chance_took(monkeypatch, capsys):
    """What goes into Bob's hand, what lies there, and what is rolled for him is his to type."""
    effect = (
        "choose friend from players where friend != me\n"
        "draw one_card from heap to hand(friend)\n"
        "draw two_card from heap to hand(friend)\n"
        "draw stolen from hand(friend) to hand(me)\n"
        "roll luck = 1d6 by me seen by friend\n"
    )
    sitting = at_the_table(effect, "\n1\n1\n2\n5\n", monkeypatch)
    assert sitting.game.over
    shown = capsys.readouterr().out
    before, behind = shown.split("Draw from the heap for bob", 1)
    assert before.count("The keyboard goes to bob") == 1
    assert "keyboard goes to" not in behind[: behind.index("Draw from the hand")]
    assert sitting.game.entries[-1].keys == ("5",)


def test_a_card_that_was_foreseen_for_whoever_chose_is_drawn_at_once():
    """Look-ahead stops at a draw that the same player sees; with a seed nobody is asked there."""
    effect = (
        "choose n from 1 .. 3\nif n > 1:\n    draw one_card from heap to hand(me)\n"
        'else:\n    ensure n > 1 "no"\n'
    )
    game = begun(effect, 1)
    assert [option.key for option in game.prompt.options] == ["2", "3"]
    assert game.answer(game.prompt.id, "3").over


def test_real_dice_have_no_seed():
    done = call("play", "gnostica", "--players", "random,random", "--real-dice", "--seed", "1")
    assert (done.code, "--real-dice" in done.err) == (2, True)
    done = call("play", "gnostica", "--players", "human,random", "--real-dice", typed="\n1\n")
    assert done.code == 0
    assert "Gnostica: A (human), B (random); real dice" in done.out
    assert "Draw from the draw pile" in done.out
