"""What a game master sets right: the open question asked anew, told, kept in the journal, taken
back, checked."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.corrections import spoken, things_there
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, moments, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.scan import sealed
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused, StaleAnswer
from ruleloom.runtime.program.program import FieldInfo
from ruleloom.runtime.program.values import FrozenMap, Type
from tests.compiler.check.test_check import compiled
from tests.conftest import ROOT
from tests.support import orchard_driver
from tests.support.evening import PROGRAM, bind, bind_for_game, play, start, step

BASKETS = """\
put(me, 1, home(me)) giving first
put(me, 1, home(me)) giving second
set mine = [first, second]
for each round in 1..9:
    choose basket from those(b: mine where size(b) < 2)
    choose goal from beside(spot(basket), 1) where allowed room(goal)
    carry(basket, goal)
    roll luck = 1d6
    choose who from players where luck > 0
"""
VALUES: dict[str, tuple[Any, ...]] = {
    "Int": (0, 1, 2, 3),
    "Player": ("A", "B"),
    "Colour": ("red", "green", "gold"),
    "Spot": ("0/0", "-3/7"),
    "Text": ("none of it", "x"),
    "Fruit": ("plum", "pear"),
}


@pytest.fixture(scope="module")
def orchard() -> Game:
    """The orchard at a choice of one's own two baskets, with dice."""
    return new_orchard(4)


def new_orchard(seed: int | None) -> Game:
    return new_game(link_game(compiled(BASKETS), orchard_driver.bind, ("A", "B")), seed)


def orchard_for(name: str) -> Any:
    return {"orchard": orchard_driver.bind}[name]


def text_of(game: Game) -> str:
    return "\n".join(saved_lines(game, "0.1.0")) + "\n"


def same(one: Game, other: Game) -> None:
    """Two games between which no player could tell a difference."""
    assert text_of(one) == text_of(other)
    assert one.prompts == other.prompts
    assert (one.serial, one.entries, one.random) == (other.serial, other.entries, other.random)


def any_correction(game: Game, source: random.Random) -> dict[str, Any]:
    """A correction that might fit the game."""
    linked = game.linked
    columns = [column for column in linked.layout.columns if column.kind == "field"]
    if source.random() < 0.25:
        variable = source.choice(linked.program.scope)
        return {
            "field": variable.name,
            "thing": None,
            "value": any_value(game, Type.parse(variable.type), source),
        }
    column = source.choice(columns)
    entity = linked.entities[column.name.partition(".")[0]]
    there = list(things_there(linked, game.state.world, entity)) or ["nothing"]
    return {
        "field": column.name,
        "thing": source.choice(there),
        "value": any_value(game, column.type, source),
    }


def any_value(game: Game, type_: Type, source: random.Random) -> Any:
    if type_.many:
        return [one for one in any_things(game, type_.name) if source.random() < 0.5]
    if type_.optional and source.random() < 0.2:
        return None
    known = VALUES.get(type_.name) or any_things(game, type_.name)
    if type_.name == "Space":
        known = [f"{x}/0" for x in range(5)]
    return source.choice(list(known) or ["nothing"])


def any_things(game: Game, kind: str) -> list[str]:
    entity = game.linked.entities.get(kind)
    return list(things_there(game.linked, game.state.world, entity)) if entity is not None else []


def games() -> list[tuple[Game, Any]]:
    return [
        (new_orchard(4), orchard_for),
        *((start(seed, ("A", "B", "C")[: 2 + seed % 2]), bind_for_game) for seed in (1, 2)),
    ]


# ---------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("number", range(3))
def test_taken_back_and_saved_at_any_prompt(number):
    """correct, then undo, is nothing; a save of what was corrected is the same game, and plays on
    the same."""
    game, drivers = games()[number]
    source = random.Random(number)
    made = 0
    for _ in range(18):
        if game.over:
            break
        wanted = any_correction(game, source)
        try:
            after = game.correct(**wanted, reason="a slip")
        except Refused:
            game = step(game, source)
            continue
        made += 1
        if after.past:
            same(after.undo(), game)
        again = loaded(text_of(after), drivers).game
        same(again, after)
        same(play(again, random.Random(7), 3), play(after, random.Random(7), 3))
        assert list(moments(after))[-1].after.state.world is not None
        game = step(after, source) if not after.over else after
    assert made > 4


def test_a_value_stands_where_it_was_set(orchard):
    for field, thing, value, kept in (
        ("size", "basket1", 2, 2),
        ("colour", "basket0", "gold", "gold"),
        ("spot", "basket0", "4/-1", (4, -1)),
        ("label", "basket0", "mended", "mended"),
        ("label", "basket0", None, None),
        ("owner", "basket1", "B", 1),
    ):
        after = orchard.correct(field, thing, value, reason="so it is")
        column = orchard.linked.layout.index[f"Basket.{field}"]
        assert after.state.world[column][int(thing[-1])] == kept
        others = [i for i in range(len(after.state.world)) if i != column]
        assert all(after.state.world[i] == orchard.state.world[i] for i in others)
    scope: tuple[tuple[str, Any, Any], ...] = (
        ("day", 9, 9),
        ("favourite", "plum", 0),
        ("kept", ["basket1"], (1,)),
        ("me", "B", 1),
    )
    for name, wanted, now in scope:
        after = orchard.correct(name, None, wanted, reason="so it is")
        assert after.state.scope[orchard.linked.scope_index[name]] == now
        assert after.state.world == orchard.state.world


# -------------------------------------------------------------------------------- the open question


def test_the_open_question_is_asked_anew(orchard):
    assert [option.key for option in orchard.prompt.options] == ["basket0", "basket1"]
    after = orchard.correct("size", "basket0", 2, reason="it is a big one")
    assert [option.key for option in after.prompt.options] == ["basket1"]
    assert [option.key for option in orchard.prompt.options] == ["basket0", "basket1"]
    with pytest.raises(StaleAnswer):
        after.answer(orchard.prompt.id, "basket1")
    assert after.answer(after.prompt.id, "basket1").prompt.name == "goal"


def test_a_question_without_an_answer_comes_to_nothing(orchard):
    after = orchard.correct("mine", None, [], reason="they were stolen")
    assert [event.kind for event in after.events][:2] == ["corrected", "fizzled"]
    assert after.over
    assert not after.past
    with pytest.raises(Refused, match="the game is over"):
        after.correct("day", None, 2, reason="too late")


def test_a_value_with_which_nobody_could_play_on_is_refused(orchard):
    """A basket of size 3 is dropped, and dropped, and dropped: the orchard's rule never has
    enough."""
    with pytest.raises(
        Refused, match="nobody could play on from there: the rule `rot` is broken again"
    ):
        orchard.correct("size", "basket0", 3, reason="a big one")


def test_rules_that_always_hold_hold_after_a_correction():
    """In the evening baskets are dropped where more than `most` stand."""
    linked = link_game(PROGRAM, bind, ("A", "B"), {"most": 2})
    world = start(1).state.world
    world = tuple(
        (None,) * len(c) if i.kind == "field" else c
        for i, c in zip(linked.layout.columns, world, strict=True)
    )
    for x in (1, 1, 3):
        world, _ = linked.driver.operations["put"](world, 0, 1, (x, 0))
    game = new_game(linked, 1, world)
    baskets = any_things(game, "Basket")
    after = game.correct("spot", "A's basket 1 on 3/0", "1/0", reason="it stood there")
    assert [event.name for event in after.events][:2] == ["Basket.spot", "drop"]
    assert len(any_things(after, "Basket")) == len(baskets) - 1


def test_a_secret_choice_is_asked_of_everybody_again():
    game = start(5, ("A", "B"))
    while not game.node.secret:
        game = step(game, random.Random(5))
    assert [prompt.kind for prompt in game.prompts] == ["secret", "secret"]
    bid = game.prompts[0].options[0]
    half = game.answer(game.prompts[0].id, bid.key)
    assert [prompt.player for prompt in half.prompts] == [1]
    after = half.correct("day", None, 3, reason="the second evening")
    assert [prompt.player for prompt in after.prompts] == [0, 1]
    same(loaded(text_of(after), bind_for_game).game, after)
    done = after
    while done.node.secret:
        done = done.answer(done.prompts[0].id, done.prompts[0].options[-1].key)
    # What A chose first was never shown.
    assert [event.kind for event in after.events] == ["corrected"]


# ---------------------------------------------------------------------------------- told


def test_it_is_told(orchard):
    told = [
        (("size", "basket0", 2), "the GM sets size of basket0 to 2 (mistyped)"),
        (("spot", "basket0", None), "the GM sets spot of basket0 to none (mistyped)"),
        (("favourite", None, "plum"), "the GM sets favourite to Plum (mistyped)"),
        (("kept", None, ["basket0", "basket1"]), "the GM sets kept to basket0, basket1 (mistyped)"),
    ]
    for (field, thing, value), line in told:
        after = orchard.correct(field, thing, value, reason="mistyped")
        assert log(after.linked, after.events)[0] == line
        assert view(after, 0)["log"][0] == line.replace("Plum", "a fruit")
        assert after.events[0].kind == "corrected"


def test_lines_fit_the_schema(orchard):
    schema = json.loads((ROOT / "schemas/save.schema.json").read_text(encoding="utf-8"))
    after = orchard.correct("size", "basket0", 1, reason="x").correct(
        "kept", None, ["basket0"], reason="y"
    )
    for line in saved_lines(after)[1:]:
        jsonschema.Draft202012Validator({"oneOf": schema["oneOf"][1:]}).validate(json.loads(line))


# ---------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("field", "thing", "value", "message"),
    [
        ("size", "basket0", 4, "`size` is a number from 1 to 3, not 4"),
        ("size", "basket0", 0, "from 1 to 3"),
        ("size", "basket0", "2", "`2` is not a whole number"),
        ("size", "basket0", True, "`True` is not a whole number"),
        ("size", "basket0", 2.5, "`2.5` is not a whole number"),
        ("size", "basket0", None, "there has to be a value here, a whole number"),
        ("day", None, 2**53, "is not a whole number"),
        ("colour", "basket0", "blue", "`blue` is not one of red, green, gold"),
        ("spot", "basket0", "here", "`here` is not a place, such as 2/1"),
        ("owner", "basket0", "C", "`C` is not the name of a player that is there"),
        ("label", "basket0", "x" * 501, "is not a text"),
        ("size", "basket7", 2, "no basket `basket7` is there; there is `basket0`, `basket1`"),
        ("size", None, 2, "`size` is a field: say of which thing, as in `size(NAME)`"),
        ("sice", "basket0", 2, "there is no changeable field `sice`; there is `colour`, `label`"),
        ("dai", None, 2, "there is no field or variable `dai`; there is `me`, `mine`"),
        ("weight", "plum", 2, "`weight` is printed and never changes"),
        ("weight", None, 2, "`weight` is printed and never changes"),
        ("day", "basket0", 2, "there is no changeable field `day`"),
        ("mine", None, "basket0", "a list is wanted here"),
        ("mine", None, ["basket0", "basket0"], "a list names nothing twice"),
        ("mine", None, ["basket5"], "`basket5` is not the name of a basket"),
    ],
)
def test_what_does_not_fit_is_refused(orchard, field, thing, value, message):
    before = text_of(orchard)
    with pytest.raises(Refused) as caught:
        orchard.correct(field, thing, value, reason="because")
    assert message in caught.value.reason
    assert text_of(orchard) == before


@pytest.mark.parametrize("reason", ["", " ", "x" * 501, 7, None])
def test_a_reason_is_needed(orchard, reason):
    with pytest.raises(Refused, match="needs a reason, a text of 1 to 500 characters"):
        orchard.correct("day", None, 2, reason=reason)


def test_an_entry_of_one_value_is_refused(orchard):
    with pytest.raises(Refused, match="`size` is one value, without entries such as `red`"):
        orchard.correct("size", "basket0", 2, key="red", reason="x")


# ---------------------------------------------------------------------------------- tables


def with_tables() -> Game:
    """The evening with two fields of its baskets that are tables."""
    more = (
        FieldInfo("marks", "Int", 0, 5, 1, "Colour"),
        FieldInfo("seen", "Bool", None, None, False, "Fruit"),
    )
    entities = tuple(
        replace(one, fields=(*one.fields, *more)) if one.name == "Basket" else one
        for one in PROGRAM.entities
    )
    return new_game(link_game(replace(PROGRAM, entities=entities), bind, ("A", "B")), 1)


def test_one_entry_of_a_table():
    game = with_tables()
    name = any_things(game, "Basket")[0]
    number = things_there(game.linked, game.state.world, game.linked.entities["Basket"])[name]

    def held(after: Game, field: str) -> FrozenMap:
        return after.state.world[after.linked.layout.index[f"Basket.{field}"]][number]

    after = game.correct("marks", name, 4, key="gold", reason="twice")
    assert held(after, "marks") == FrozenMap({"gold": 4})
    assert log(after.linked, after.events)[0] == f"the GM sets marks gold of {name} to 4 (twice)"
    same(loaded(text_of(after), bind_for_game).game, after)
    # What it begins with is not kept: the table is as if it had never been changed.
    same_again = after.correct("marks", name, 1, key="gold", reason="once")
    assert held(same_again, "marks") == FrozenMap()
    assert same_again.state == game.state
    seen = game.correct("seen", name, True, key="Spy 2", reason="peeped")
    assert held(seen, "seen") == FrozenMap({5: True})
    assert log(seen.linked, seen.events)[0] == f"the GM sets seen Spy 2 of {name} to yes (peeped)"
    same(loaded(text_of(seen), bind_for_game).game, seen)
    for key, value, message in (
        (None, 1, "`marks` has several entries: say which; there is `red`, `green`"),
        ("blue", 1, "`marks` has no entry `blue`; there is `red`, `green`"),
        ("gold", 6, "from 0 to 5"),
    ):
        with pytest.raises(Refused, match=message):
            game.correct("marks", name, value, key=key, reason="x")


def test_typed_values():
    assert spoken(Type("Int"), " 30 ") == spoken(Type("Int"), "+30") == 30
    assert spoken(Type("Int", optional=True), "none") is None
    assert spoken(Type("Bool"), "yes") is True
    assert spoken(Type("Int"), "many") == "many"
    assert spoken(Type("Basket", many=True), "basket0, basket1") == ("basket0", "basket1")
    assert spoken(Type("Basket", many=True), "none") == ()


# ---------------------------------------------------------------------------------- hostile saves


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"field": "Basket.shoe"}, "there is no changeable field `Basket.shoe`"),
        ({"field": "Fruit.weight", "thing": "plum"}, "`weight` is printed and never changes"),
        ({"field": "weight", "thing": "plum"}, "`weight` is printed and never changes"),
        ({"field": "size"}, "is not written as a save writes it"),
        ({"field": 7}, "`field` and `reason` are texts"),
        ({"thing": "basket9"}, "no basket `basket9` is there"),
        ({"thing": 0}, "`thing` and `key` are texts or null"),
        ({"thing": None}, "`Basket.size` is a field: say of which thing"),
        ({"key": "red"}, "`size` is one value"),
        ({"value": "1"}, "`1` is not a whole number"),
        ({"value": True}, "`True` is not a whole number"),
        ({"value": 4}, "`size` is a number from 1 to 3, not 4"),
        ({"value": 10**30}, "a value was expected"),
        ({"value": None}, "there has to be a value here"),
        ({"value": [1]}, "is not a whole number"),
        ({"value": {"table": []}}, "is not a whole number"),
        ({"value": {"set": []}}, "a table of values was expected"),
        ({"value": {"ratio": [1, 0]}}, "a fraction was expected"),
        ({"reason": ""}, "a correction needs a reason"),
        ({"reason": "x" * 501}, "a correction needs a reason"),
        ({"reason": None}, "`field` and `reason` are texts"),
        ({"reason": ...}, "an answer has `n`, `by` and `keys`"),
        ({"by": "A"}, "a correction has `n`, `field`, `thing`, `key`, `value` and `reason`"),
        ({"n": 7}, "was expected here"),
        ({"value": 1}, "do not lead to the position that was saved"),
    ],
)
def test_hostile_corrections(orchard, changes, message):
    lines = saved_lines(orchard.correct("size", "basket0", 2, reason="x"))
    data = {**json.loads(lines[-2]), **changes}
    lines[-2] = sealed(
        {key: value for key, value in data.items() if key != "crc" and value is not ...}
    )
    with pytest.raises(SaveError) as caught:
        loaded("\n".join(lines) + "\n", orchard_for)
    assert message in str(caught.value)
    assert caught.value.line == len(lines) - ("position" not in message)


def test_a_correction_after_the_end_is_refused(orchard):
    over = orchard.correct("mine", None, [], reason="stolen")
    lines = saved_lines(over)
    data = json.loads(lines[-2])
    more = sealed({**{k: v for k, v in data.items() if k != "crc"}, "n": data["n"] + 1})
    end = {k: v for k, v in json.loads(lines[-1]).items() if k != "crc"}
    with pytest.raises(SaveError, match="the game is over before this correction"):
        loaded("\n".join([*lines[:-1], more, sealed({**end, "end": end["end"] + 1})]), orchard_for)


def test_a_torn_save_gives_its_corrections_back(orchard):
    game = orchard.correct("size", "basket0", 1, reason="x")
    game = game.answer(game.prompt.id, "basket0").correct("day", None, 4, reason="y")
    torn = "\n".join(saved_lines(game)[:-1])
    found = loaded(torn, orchard_for, recover=True)
    same(found.game, game)


def test_real_dice_and_corrections():
    """At a roll that a person throws a correction may be made and taken back."""
    game = new_orchard(None)
    game = game.answer(game.prompt.id, "basket0")
    game = game.answer(game.prompt.id, game.prompt.options[0].key)
    assert game.prompt.kind == "roll"
    after = game.correct("day", None, 3, reason="x")
    assert after.prompt.kind == "roll"
    assert after.prompt.id != game.prompt.id
    same(after.undo(), game)
    same(loaded(text_of(after), orchard_for).game, after)
