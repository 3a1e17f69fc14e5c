"""`import ruleloom`: games are made, seen, told, saved and sent without a look at the machine, and
wrong use is told in words."""

from __future__ import annotations

import json
import pickle
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import ruleloom
from ruleloom.api import compiling, facade
from ruleloom.building import building
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import SHARED
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from tests.conftest import ROOT

NAMES = ["Ann", "Ben"]
SCHEMA = json.loads((ROOT / "schemas" / "prompt.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def program() -> ruleloom.Program:
    result = ruleloom.compile("gnostica")
    assert result.program is not None
    return result.program


def moves(game: ruleloom.Game, most: int, seed: int = 1) -> list[ruleloom.Game]:
    """A game played at random, with each moment of it, the last one included."""
    luck = random.Random(seed)
    found = [game]
    while not game.over and len(found) <= most:
        keys = [option.key for option in game.prompt.options]
        try:
            game = game.answer(game.prompt.id, luck.sample(keys, game.prompt.least))
        except ruleloom.Refused:
            continue
        found.append(game)
    return found


@pytest.fixture(scope="module")
def played(program: ruleloom.Program) -> list[ruleloom.Game]:
    games = moves(ruleloom.new_game(program, NAMES, seed=11), 400)
    assert games[-1].over
    return games


def test_the_module_offers_the_facade():
    assert ruleloom.__all__ == facade.__all__ + compiling.__all__ + building.__all__
    assert all(getattr(ruleloom, name) is not None for name in ruleloom.__all__)


# ---------------------------------------------------------------------------------- compile once


def test_a_game_is_compiled_and_linked_once():
    first = ruleloom.new_game("gnostica", NAMES, seed=1)
    again = ruleloom.new_game("gnostica", NAMES, seed=2)
    assert again.linked is first.linked
    other = ruleloom.new_game("gnostica", ["Ann", "Cid"], seed=1)
    assert other.linked.program is first.linked.program
    assert other.linked is not first.linked


def test_of_a_game_that_is_played_no_scenario_is_read(monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []

    def listen(source: Source, report: Report) -> YamlNode | None:
        read.append(source.path)
        return compose(source, report)

    monkeypatch.setattr("ruleloom.compiler.load.compose", listen)
    SHARED.forget()
    ruleloom.new_game("gnostica", NAMES, seed=1)
    assert any(path.endswith("majors.yaml") for path in read)
    assert not [path for path in read if "scenarios" in path]


def test_switches_that_are_equal_to_python_are_told_apart(program: ruleloom.Program):
    ruleloom.new_game(program, NAMES, seed=1, switches={"target_score": 1})
    with pytest.raises(ruleloom.Refused, match="is a whole number"):
        ruleloom.new_game(program, NAMES, seed=1, switches={"target_score": True})


# ------------------------------------------------------------------------------------- one's side


def test_a_seat_sees_its_own_hand_only(played: list[ruleloom.Game]):
    game = played[len(played) // 2]
    ann, ben = (ruleloom.view(game, name) for name in NAMES)
    assert (ann["you"], ben["you"]) == ("Ann", "Ben")
    assert isinstance(ann["zones"]["hand"]["Ann"], list)
    assert isinstance(ann["zones"]["hand"]["Ben"], int)
    assert len(ben["zones"]["hand"]["Ben"]) == ann["zones"]["hand"]["Ben"]
    assert json.loads(json.dumps(ann)) == ann


def test_the_log_of_all_answers_is_that_of_each(played: list[ruleloom.Game]):
    for seat in ("Ann", None):
        told = [line for game in played for line in ruleloom.log(game, seat)]
        assert ruleloom.log(played[-1], seat, since=0) == told
    later = played[10]
    assert ruleloom.log(played[10], "Ben", since=played[9].serial) == ruleloom.log(later, "Ben"), (
        "the latest answer alone"
    )
    assert ruleloom.log(played[-1], "Ann")[-1].startswith(str(played[-1].winner))


def test_the_winner_is_a_player(played: list[ruleloom.Game]):
    assert played[0].winner is None
    last = played[-1]
    assert last.outcome is not None
    assert last.outcome.winner is not None
    assert last.winner == NAMES[last.outcome.winner]


# ----------------------------------------------------------------------------------- sent and kept


def test_prompts_and_answers_travel_as_json(played: list[ruleloom.Game]):
    check = jsonschema.Draft202012Validator(SCHEMA).validate
    for game, after in pairwise(played):
        data = ruleloom.prompt_data(game, game.prompt)
        check(data)
        assert ruleloom.read_prompt(json.dumps(data)) == data
        assert data["player"] in NAMES
        keys = list(after.entries[game.serial].keys)
        answer: ruleloom.AnswerData = {"prompt": data["id"], "keys": keys}
        check(answer)
        assert ruleloom.read_answer(json.dumps(answer)) == answer
    dice = ruleloom.new_game("gnostica", NAMES)
    chance = ruleloom.prompt_data(dice, dice.prompt)
    check(chance)
    assert chance["player"] is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        '{"prompt": "1"}',
        '{"prompt": "1", "keys": "a"}',
        '{"prompt": 1, "keys": ["a"]}',
        '{"prompt": "1", "keys": [1.5]}',
        '{"prompt": "1", "keys": [], "more": 1}',
        '{"prompt": "1", "prompt": "1", "keys": []}',
        "[" * 100_000,
        '{"prompt": "1", "keys": ["' + "x" * 2_000_000 + '"]}',
    ],
)
def test_a_text_that_is_no_answer_is_refused(text: str):
    with pytest.raises(ruleloom.WireError, match=r"this is (no|longer than any) answer"):
        ruleloom.read_answer(text)
    with pytest.raises(ruleloom.WireError):
        ruleloom.read_prompt(text)


def test_the_form_is_a_schema_of_the_standard():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("number", [0, 9, -1])
def test_a_game_is_saved_and_pickled(played: list[ruleloom.Game], number: int, tmp_path: Path):
    game = played[number]
    ruleloom.save(game, tmp_path / "game.save")
    for again in (ruleloom.load(tmp_path / "game.save"), pickle.loads(pickle.dumps(game))):
        assert again.state == game.state
        assert again.random == game.random
        assert again.entries == game.entries
        assert len(again.past) == len(game.past)
        assert ruleloom.log(again, "Ann", since=0) == ruleloom.log(game, "Ann", since=0)


def test_a_program_is_pickled(program: ruleloom.Program):
    assert pickle.loads(pickle.dumps(program)) == program


# -------------------------------------------------------------------------------------- wrong use


def test_what_is_asked_of_a_game_that_is_over(played: list[ruleloom.Game]):
    over = played[-1]
    assert over.prompts == ()
    with pytest.raises(ruleloom.GameOver, match=f"asks nothing any more: {over.winner} has won"):
        _ = over.prompt
    with pytest.raises(ruleloom.StaleAnswer):
        over.answer(played[-2].prompt.id, "x")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"seed": "seven"}, "a seed is a whole number, and `seven` is none"),
        ({"seed": True}, "a seed is a whole number"),
        ({"players": "Ann"}, r"`players` is a list of names: \['Ann'\]"),
        ({"players": ["Ann"]}, "is for 2 to 6 players, not 1"),
        ({"players": list("ABCDEFG")}, "not 7"),
        ({"players": ["Ann", "Ann"]}, "two players have the same name"),
        ({"switches": {"nonsense": 1}}, "there is no switch or setting `nonsense`"),
        ({"switches": {"target_score": []}}, "`target_score` is a whole number"),
    ],
)
def test_a_game_that_cannot_begin(arguments: dict[str, Any], told: str):
    with pytest.raises(ruleloom.Refused, match=told):
        ruleloom.new_game("gnostica", **{"players": NAMES, **arguments})


def test_answers_of_another_form(played: list[ruleloom.Game]):
    game = played[5]
    with pytest.raises(ruleloom.Refused, match=r"names its prompt by `prompt.id`"):
        game.answer(game.prompt, "x")  # type: ignore[arg-type]
    for keys in (3, None, [1], [["x"]]):
        with pytest.raises(ruleloom.Refused, match="an answer is the key of an option"):
            game.answer(game.prompt.id, keys)  # type: ignore[arg-type]
    with pytest.raises(ruleloom.Refused, match="`Zoe` is not one of the options"):
        game.answer(game.prompt.id, "Zoe")


def test_seats_and_games_that_are_not_there(played: list[ruleloom.Game], tmp_path: Path):
    with pytest.raises(ruleloom.Refused, match="nobody here is called `Zoe`; there are Ann, Ben"):
        ruleloom.view(played[0], "Zoe")
    with pytest.raises(ruleloom.Refused, match="nobody here is called"):
        ruleloom.log(played[0], "Zoe")
    with pytest.raises(ruleloom.ContentError, match="no file, folder or shipped pack"):
        ruleloom.new_game("gnostika", NAMES)
    with pytest.raises(ruleloom.SaveError, match="no such file"):
        ruleloom.load(tmp_path / "nothing.save")
    with pytest.raises(ruleloom.FileFault, match="no such file or folder"):
        ruleloom.save(played[0], tmp_path / "nowhere" / "game.save")


def test_every_error_is_one_of_ruleloom():
    errors = [
        getattr(ruleloom, name)
        for name in ruleloom.__all__
        if isinstance(getattr(ruleloom, name), type)
        and issubclass(getattr(ruleloom, name), Exception)
    ]
    assert len(errors) > 8
    assert all(issubclass(one, ruleloom.RuleloomError) for one in errors)
