"""Limits: whatever a program does, play ends in a prompt, in an effect that comes to nothing, or in
a fault that says what was too much. Never in silence, never in an exception of Python's own.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.step import MOST_FUEL
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.faults import RuntimeFault, TooMuchWork
from ruleloom.runtime.program.program import (
    Always,
    Ensure,
    Finish,
    Jump,
    JumpUnless,
    Let,
    Operate,
    OperationInfo,
    Program,
    Roll,
    Say,
    SetScope,
    Trigger,
    Use,
    UsePower,
)
from ruleloom.runtime.search.options import keyed, refusals_of
from tests.laws.gnostica.oracle import Man
from tests.laws.gnostica.positions import answered, routine_slugs, turn_of, world_of
from tests.laws.gnostica.strategies import ASKED_EVERY_TURN, NAMES, program
from tests.support.evening import PROGRAM, bind
from tests.support.rows import ME, Text, const
from tests.support.stopwatch import within

SECONDS = 30.0
SET_UP, TURN, POWER = "orchard:flow/set_up", "orchard:flow/turn", "orchard:power/part"


@pytest.fixture(autouse=True)
def _in_good_time():
    """Whatever happens here happens soon."""
    with within(SECONDS):
        yield


def evening(set_up: Text, *others: Text, **parts) -> Program:
    """The evening with this set-up; its turn asks a single question, again and again."""
    turn = Text(TURN)
    turn.choose("level", "Int", ("..", const(1), const(3)))
    routines = (set_up.done(), *(text.done() for text in others))
    if not any(routine.id == TURN for routine in routines):
        routines = (*routines, turn.done())
    fruits = PROGRAM.entity("Fruit")
    powers = (
        tuple("" for _ in fruits.names)
        if POWER not in {r.id for r in routines}
        else (POWER,) * len(fruits.names)
    )
    entities = tuple(replace(fruits, powers=powers) if e is fruits else e for e in PROGRAM.entities)
    plain = dict(routines=routines, triggers=(), always=(), entities=entities)
    return replace(PROGRAM, **{**plain, **parts})


def begun(made: Program, seed: int | None = 1) -> Game:
    """A game of it, at its first prompt."""
    return new_game(link_game(made, bind, ("A", "B")), seed)


def fizzled(game: Game) -> list[str]:
    """The reasons of what came to nothing on the way to this moment."""
    return [event.args[0] for event in game.events if event.kind == "fizzled"]


# --------------------------------------------------------------------------- powers that use powers


def with_copies(made: Program, name: str, count: int) -> Program:
    """The game with so many more copies of a card: `fool#2`, `fool#3`, ..."""
    cards = made.entity("Card")
    number = cards.names.index(name)
    more = replace(
        cards,
        names=(*cards.names, *(f"{name}#{copy}" for copy in range(2, count + 2))),
        titles=(*cards.titles, *(cards.titles[number],) * count),
        powers=(*cards.powers, *(cards.powers[number],) * count),
        static=tuple(
            (field, (*values, *(values[number],) * count)) for field, values in cards.static
        ),
    )
    return replace(made, entities=tuple(more if e is cards else e for e in made.entities))


@pytest.mark.parametrize(
    ("played", "copied", "on_board"),
    [("fool", "fool", "grow5"), ("world", "world", "fool"), ("fool", "world", "star")],
)
def test_a_deck_full_of_cards_that_play_cards(played, copied, on_board):
    """Each turns over or borrows the next; past the limit one comes to nothing, and the turn goes
    on."""
    made = with_copies(program(), copied, 40)
    game = link_game(made, DRIVERS["gnostica"], NAMES[:2], ASKED_EVERY_TURN)
    pile = [name for name in made.entity("Card").names if name.startswith(f"{copied}#")]
    men = (Man("A", 1, "E", (0, 0)), Man("B", 1, "N", (1, 0)))
    world = world_of(game, {(0, 0): on_board, (1, 0): "create2"}, men, {"A": [played]}, (), pile)
    node = answered(turn_of(game, world), "play-a-card", played)
    reasons, deepest = [], 0
    for _ in range(500):
        if "offer_announcement" in routine_slugs(node):
            break
        deepest = max(deepest, node.frame.fuel)
        value = node.options[0]
        node = node.after(value)
        reasons += [event.args[0] for event in node.events if event.kind == "fizzled"]
    assert "offer_announcement" in routine_slugs(node)
    assert deepest <= MOST_FUEL
    if (played, copied) != ("fool", "world"):
        assert deepest == MOST_FUEL
        assert all(f"{MOST_FUEL} deep" in reason for reason in reasons)


def test_a_power_that_uses_itself_without_a_card():
    text, part = Text(SET_UP), Text(POWER)
    text.add(Use, routine=POWER, args=(), slot=-1)
    part.add(Use, routine=POWER, args=(), slot=-1)
    with pytest.raises(TooMuchWork, match="deep"):
        begun(evening(text, part))


def test_a_card_whose_power_is_its_own():
    """The last of them comes to nothing, and so the others are done."""
    text, part = Text(SET_UP), Text(POWER)
    text.add(SetScope, name="me", value=const(0))
    text.add(UsePower, entity="Fruit", of=const(0), scope=())
    part.add(UsePower, entity="Fruit", of=const(1), scope=())
    part.add(Say, text="back again")
    game = begun(evening(text, part))
    assert game.prompt.name == "level"
    assert fizzled(game) == [f"powers that use powers may be nested {MOST_FUEL} deep"]
    assert [e.name for e in game.events if e.kind == "said"] == ["back again"] * (MOST_FUEL - 1)


# ---------------------------------------------------------------------------------- loops


def test_rows_that_never_end():
    text = Text(SET_UP)
    text.label("again")
    text.add(Let, slot=text.slot("n"), value=const(1))
    text.add(Jump, to="again")
    with pytest.raises(TooMuchWork, match="steps in one decision") as fault:
        begun(evening(text))
    assert fault.value.origin is not None


def test_turns_that_ask_nobody():
    turn = Text(TURN)
    turn.add(Say, text="nothing to do")
    with pytest.raises(TooMuchWork, match="steps in one decision"):
        begun(evening(Text(SET_UP), turn))


def test_turns_that_all_come_to_nothing():
    turn = Text(TURN)
    turn.add(Ensure, condition=("=", const(1), const(2)), reason="one is two")
    with pytest.raises(TooMuchWork):
        begun(evening(Text(SET_UP), turn))
    asking = Text(TURN)
    asking.choose("n", "Int", ("..", const(1), const(3)))
    asking.add(Ensure, condition=("=", const(1), const(2)), reason="one is two")
    with pytest.raises(TooMuchWork):
        begun(evening(Text(SET_UP), asking))


@pytest.mark.parametrize("seed", [None, 1])
def test_turns_that_only_roll(seed):
    """With seeded dice nobody is ever asked; with real dice every roll is a prompt."""
    turn = Text(TURN)
    turn.add(
        Roll, slot=turn.slot("n"), name="n", count=const(1), sides=const(6), by=None, whom=None
    )
    if seed is None:
        assert begun(evening(Text(SET_UP), turn), seed).prompt.kind == "roll"
    else:
        with pytest.raises(TooMuchWork):
            begun(evening(Text(SET_UP), turn), seed)


def _grower(timing: str) -> Program:
    text, more = Text(SET_UP), Text("orchard:trigger/more", ("basket",))
    text.add(SetScope, name="me", value=const(0))
    text.add(
        Operate, operation="put", args=(const(0), const(1), const((0, 0))), slot=text.slot("basket")
    )
    text.add(Operate, operation="fill", args=(text.get("basket"),), slot=-1)
    more.add(Operate, operation="fill", args=(more.get("basket"),), slot=-1)
    trigger = Trigger("orchard:trigger/more", "fill", None, timing, "orchard:trigger/more")
    return evening(text, more, triggers=(trigger,))


@pytest.mark.parametrize("timing", ["immediately", "afterwards"])
def test_a_trigger_that_sets_itself_off(timing):
    with pytest.raises(TooMuchWork):
        begun(_grower(timing))


def _placed(*always: Always, **parts) -> Program:
    text = Text(SET_UP)
    text.add(SetScope, name="me", value=const(0))
    for player in (0, 1):
        text.add(Operate, operation="put", args=(const(player), const(1), const((0, 0))), slot=-1)
    return evening(text, always=always, **parts)


def _rule(name: str, when, operation: str, *args) -> Always:
    return Always(
        name,
        ("query", "all_baskets"),
        when,
        operation,
        (("slot", 0), *args),
        ("Basket.spot", "Basket.size"),
        "",
    )


SPACE = ("field", "Basket.spot", ("slot", 0))


def test_an_always_rule_that_is_never_kept():
    with pytest.raises(TooMuchWork, match="`more` is broken again"):
        begun(_placed(_rule("more", ("=", const(1), const(1)), "fill")))


def test_always_rules_that_undo_each_other():
    left, right = const((0, 0)), const((1, 0))
    rules = (
        _rule("left", ("=", SPACE, right), "carry", left),
        _rule("right", ("=", SPACE, left), "carry", right),
    )
    with pytest.raises(TooMuchWork, match="is broken again"):
        begun(_placed(*rules))


def test_everything_falls_at_once():
    """The last territory goes, and ninety pieces with it: in one answer, and not one inside the
    other."""
    game = link_game(program(), DRIVERS["gnostica"], NAMES)
    men = [
        Man(owner, size, "up", (0, 0)) for owner in NAMES for size in (1, 2, 3) for _ in range(5)
    ]
    men = [man for man in men if man.owner == "A"] + [
        replace(man, at=(1, 0)) for man in men if man.owner != "A"
    ]
    node = turn_of(game, world_of(game, {(0, 0): "attack4"}, men, {}))
    keys = ["activate-a-territory", "0/0", "do", "A1up@0/0", "the-territory", "0/0", "1"]
    events = []
    for key in keys:
        node = answered(node, key)
        events += [event.name for event in node.events if event.kind == "operation"]
    assert events.count("return_to_stash") == 90
    assert node.over
    assert node.state.outcome is not None
    assert node.state.outcome.winner is None


def test_an_always_rule_that_changes_nothing():
    """The operation runs and the rule is still broken: the same rule, again and again."""
    idle = OperationInfo(
        "idle", (("basket", "Basket"),), "", ("Basket.size",), (), False, "wait", ""
    )

    def lazy(layout):
        driver = bind(layout)
        return replace(
            driver, operations={**driver.operations, "idle": lambda world, basket: world}
        )

    made = _placed(
        _rule("idle", ("=", const(1), const(1)), "idle"), operations=(*PROGRAM.operations, idle)
    )
    with pytest.raises(TooMuchWork, match="idle"):
        new_game(link_game(made, lazy, ("A", "B")), 1)


# ---------------------------------------------------------------------------------- look-ahead


def _choices(count: int, options: int, count_word: str = "one") -> Program:
    """So many choices in a row, in a turn, and at the end something that cannot be."""
    turn = Text(TURN)
    turn.add(SetScope, name="me", value=const(0))
    turn.add(Let, slot=turn.slot("left"), value=const(count))
    turn.label("again")
    turn.add(JumpUnless, condition=(">", turn.get("left"), const(0)), to="end")
    turn.choose("n", "Int", ("..", const(1), const(options)), count=count_word)
    turn.add(Let, slot=turn.slot("left"), value=("-", turn.get("left"), const(1)))
    turn.add(Jump, to="again")
    turn.label("end")
    turn.add(
        Ensure,
        condition=(">", ("scope", "day"), const(100)),
        reason="the day is over a hundred",
    )
    turn.add(Finish, winner=ME, reason="done")
    return evening(Text(SET_UP), turn)


def test_too_much_to_look_through_is_offered_and_fizzles():
    """Eight choices of eight, and none of the sixteen million ways can be finished."""
    game = begun(_choices(8, 8))
    assert len(game.prompt.options) > 4
    for _ in range(8):
        game = game.answer(game.prompt.id, game.prompt.options[-1].key)
        if fizzled(game):
            break
    assert fizzled(game)
    assert all("hundred" in reason for reason in fizzled(game))


def test_what_can_be_looked_through_is_not_offered():
    with pytest.raises(TooMuchWork):  # every turn comes to nothing before anybody is asked
        begun(_choices(3, 3))


def test_sets_beyond_counting():
    """Any number of forty things, twice, and nothing that follows can be."""
    game = begun(_choices(2, 40, "any"))
    prompt = game.prompt
    assert (prompt.least, prompt.most, len(prompt.options)) == (0, 40, 40)
    after = game.answer(prompt.id, [option.key for option in prompt.options[::2]])
    assert after.prompt.kind == "subset" or fizzled(after)


def test_a_long_way_to_look_ahead():
    """Four hundred choices in a row, each with two ways: too deep to look to the end of, but not to
    play."""
    game = begun(_choices(400, 2))
    for _ in range(20):
        assert [option.key for option in game.prompt.options] == ["1", "2"]
        assert refusals_of(game.node) == ()
        game = game.answer(game.prompt.id, "2")


def test_a_long_way_that_can_be_finished():
    made = _choices(400, 2)
    rows = [
        replace(row, condition=const(True)) if isinstance(row, Ensure) else row
        for row in next(r for r in made.routines if r.id == TURN).rows
    ]
    routines = tuple(replace(r, rows=tuple(rows)) if r.id == TURN else r for r in made.routines)
    game = begun(replace(made, routines=routines))
    for _ in range(400):
        game = game.answer(game.prompt.id, "1")
    assert game.over


def test_more_dice_than_a_table_holds():
    """A roll of 999 dice of 9999 sides is answered by its total; its options are not listed."""
    text = Text(SET_UP)
    text.add(SetScope, name="me", value=const(0))
    text.add(
        Roll, slot=text.slot("n"), name="n", count=const(999), sides=const(9999), by=None, whom=None
    )
    made = evening(text)
    assert begun(made, 1).prompt.name == "level"
    game = begun(made, None)
    assert game.prompt.kind == "roll"
    assert game.prompt.weights == ()
    assert game.answer(game.prompt.id, "123456").prompt.name == "level"


def test_a_span_that_is_too_long():
    text = Text(SET_UP)
    text.add(SetScope, name="me", value=const(0))
    text.choose("n", "Int", ("..", const(1), const(10**9)))
    with pytest.raises(RuntimeFault, match="span"):
        begun(evening(text))


def test_numbers_that_grow_without_end():
    text = Text(SET_UP)
    text.add(Let, slot=text.slot("n"), value=const(3))
    text.label("again")
    text.add(Let, slot=text.slot("n"), value=("*", text.get("n"), text.get("n")))
    text.add(Jump, to="again")
    with pytest.raises(RuntimeFault, match="2\\^53"):
        begun(evening(text))


def test_keys_of_a_hundred_options_are_one_each():
    text = Text(SET_UP)
    text.add(SetScope, name="me", value=const(0))
    text.choose("n", "Int", ("..", const(1), const(5_000)))
    node = begun(evening(text)).node
    assert len(keyed(node, node.options)) == 5_000
