"""Things and places without a title are told in words, by what they are and where; their keys stay."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Direction, PointWords, Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import NOTHING, schemas
from tests.support.orchard_driver import bind

ORCHARD = Path(__file__).parent.parent / "support" / "orchard" / "game"
WORDS = {
    "{type: Int, min: 1, max: 3}\n      colour": "{type: Int, min: 1, max: 3, words: [small, round, big]}\n      colour",
    "noun: [basket, baskets]": """noun: [basket, baskets]
    english: "{owner}'s {size} basket, painted {colour}\"""",
    "noun: [spot, spots]}": """noun: [spot, spots], english: {"the {tree} tree": 0/0, "the grass by {tree}": -1/0}}
directions: {Colour: {red: 0/1, green: 1/0}}
words: {gold: the colour of gold}""",
}
SET_UP = """\
- kind: flow
  id: set_up
  effect: |
    draw card from heap to hand(me)
    if card is not none: show(card)
    put(me, 1, home(me)) giving first
    put(after(me), 2, home(me)) giving other
    choose basket from [first, other] "Which basket is carried?"
    choose colour from Colour where colour != colour(basket) "Which way does {basket} go?"
    choose spot from beside(home(me), 1) "Where to, {colour}?"
    carry(basket, to: spot)
"""


def compiled(folder: Path, set_up: str = SET_UP) -> Program:
    """The orchard with words for its baskets and spots."""
    shutil.copytree(ORCHARD, folder / "orchard")
    vocabulary = folder / "orchard" / "vocabulary.yaml"
    text = vocabulary.read_text(encoding="utf-8")
    for old, new in WORDS.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    vocabulary.write_text(text, encoding="utf-8")
    flow = folder / "orchard" / "flow.yaml"
    _, _, turn = flow.read_text(encoding="utf-8").partition("- kind: flow\n  id: turn")
    flow.write_text(f"{set_up}- kind: flow\n  id: turn{turn}", encoding="utf-8")
    result = compile_paths(folder / "orchard", builtin=NOTHING, schemas=schemas())
    assert result.program is not None, result.diagnostics
    return result.program


def begun(program: Program) -> Game:
    """The game behind the draw, with the fruit that is shown on its tree."""
    again = program_of(program_data(program))
    check_program(again)
    game = new_game(link_game(again, bind, ("Ann", "Ben")))
    return game.choose(game.node.options[0])


def test_labels_questions_and_logs_say_what_a_thing_is_and_answers_its_key(tmp_path: Path):
    game = begun(compiled(tmp_path))
    tree = game.linked.program.entity("Fruit").titles[
        game.node.state.world[game.linked.layout.index["tree"]][0, 0]
    ]
    assert [(one.key, one.label) for one in game.prompt.options] == [
        ("basket0", "Ann's small basket, painted red"),
        ("basket1", "Ben's round basket, painted red"),
    ]
    assert f"Ann puts Ben's round basket, painted red, on the {tree} tree" in log(
        game.linked, game.events, 0
    )
    assert [one for one in log(game.linked, game.events, 0) if "small basket" in one] == [
        f"Ann puts a small basket, painted red, on the {tree} tree"
    ]
    game = game.answer(game.prompt.id, "basket1")
    assert game.prompt.text == "Which way does Ben's round basket, painted red, go?"
    assert [one.label for one in game.prompt.options] == ["green", "the colour of gold"]
    game = game.answer(game.prompt.id, "gold")
    assert [(one.key, one.label) for one in game.prompt.options] == [
        ("1/0", f"the grass by {tree}"),
        ("-1/0", "-1/0"),
    ]


def test_things_told_alike_are_told_with_their_places(tmp_path: Path):
    alike = SET_UP.replace("put(after(me), 2, home(me))", "put(me, 1, home(after(me)))")
    labels = [one.label for one in begun(compiled(tmp_path, alike)).prompt.options]
    assert all(one.startswith("Ann's small basket, painted red, at ") for one in labels)
    assert len({*labels}) == 2


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (
            {"spots": (PointWords("Spot", "by {heap}", 0, 0),)},
            "no public zone of such points `heap`",
        ),
        ({"spots": (PointWords("Spot", "by it", 0, 0),)}, "not called after one zone"),
        ({"directions": (Direction("Colour", "blue", 0, 1),)}, "no value of `Colour` `blue`"),
        ({"directions": (Direction("Hue", "red", 0, 1),)}, "no enum `Hue`"),
    ],
)
def test_a_damaged_program_is_refused(tmp_path: Path, change: dict[str, object], wrong: str):
    with pytest.raises(SaveError) as error:
        check_program(replace(compiled(tmp_path), **change))  # type: ignore[arg-type]
    assert wrong in str(error.value)
