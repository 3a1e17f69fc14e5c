"""Undo past what has been seen, where everybody agrees: an entry of the journal, in saves and logs."""

from __future__ import annotations

import json

import jsonschema
import pytest

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, go_back, moments, standing
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.scan import sealed
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from tests.conftest import ROOT
from tests.support.on_quarrel import lives, program_of_duel, started

TURN = 'choose one "And?":\n    "strike":\n        roll luck = 1d6\n        hurt(me, luck)\n    "rest":\n        stop'


def struck(seed: int | None = 5) -> Game:
    """A has struck, and dice have told how hard."""
    game = started(program_of_duel(TURN), seed=seed)
    game = game.answer(game.prompt.id, "strike")
    return game if seed is not None else game.answer(game.prompt.id, "4")


@pytest.mark.parametrize("seed", [5, None])
def test_the_game_goes_on_from_before_an_answer_although_dice_have_been_seen(seed: int | None):
    game = struck(seed)
    with pytest.raises(Refused, match="what has been seen stays seen"):
        game.undo()
    back = go_back(game, 0, ["A", "B"])
    assert lives(back) == [20, 20]
    assert [one.key for one in back.prompt.options] == ["strike", "rest"]
    assert lives(back.answer(back.prompt.id, "rest")) == [20, 20]
    assert log(back.linked, back.events) == ["everybody agrees to go back to before answer 1, of A"]


def test_dice_go_on_from_where_they_were():
    game = struck(1)
    again = go_back(game, 0, ["A", "B"])
    assert again.random == game.random
    with pytest.raises(Refused, match="nothing to take back"):
        again.undo()


@pytest.mark.parametrize(
    ("serial", "agreed", "why"),
    [
        (0, ["A"], "everybody has to agree; B did not"),
        (0, [], "A and B did not"),
        (9, ["A", "B"], "no such answer"),
        (-1, ["A", "B"], "no such answer"),
        (True, ["A", "B"], "no such answer"),
        (1, ["A", "B"], "dice and decks answer there"),
    ],
)
def test_what_nobody_can_go_back_to(serial: int, agreed: list[str], why: str):
    with pytest.raises(Refused, match=why):
        go_back(struck(), serial, agreed)


def test_a_save_keeps_what_was_gone_back_behind():
    game = go_back(struck(), 0, ["A", "B"])
    game = game.answer(game.prompt.id, "strike")
    lines = saved_lines(game)
    assert json.loads(lines[3])["back"] == 0
    assert json.loads(lines[3])["agreed"] == ["A", "B"]
    schema = json.loads((ROOT / "schemas/save.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(lines[3]), schema)
    found = loaded("\n".join(lines) + "\n", driver_of)
    assert found.game.state == game.state
    assert found.game.random == game.random
    assert found.game.entries == game.entries
    assert [moment.after.state for moment in moments(found.game)][-1] == game.state
    assert [entry.serial for entry in standing(game.entries)] == [3, 4]


def test_a_torn_save_is_recovered_with_its_returns():
    game = go_back(struck(), 0, ["A", "B"])
    game = game.answer(game.prompt.id, "rest")
    torn = "\n".join(saved_lines(game)[:-1])
    assert loaded(torn, driver_of, recover=True).game.state == game.state


def test_one_goes_back_behind_a_return_as_behind_anything():
    game = struck()
    back = go_back(go_back(game, 0, ["A", "B"]), 2, ["A", "B"])
    assert back.state == game.state


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agreed": ["A"]}, "everybody has to agree; B did not"),
        ({"agreed": "AB"}, "`agreed` is a list of players"),
        ({"back": 7}, "no such answer"),
        ({"back": "0"}, "no such answer"),
        ({"more": 1}, "a return has `n`, `back` and `agreed`"),
    ],
)
def test_hostile_returns(changes: dict[str, object], message: str):
    lines = saved_lines(go_back(struck(), 0, ["A", "B"]))
    data = {key: value for key, value in json.loads(lines[3]).items() if key != "crc"}
    lines[3] = sealed({**data, **changes})
    with pytest.raises(SaveError, match=message) as error:
        loaded("\n".join(lines) + "\n", driver_of)
    assert error.value.line == 4


def test_many_returns_are_followed_no_further_than_what_stands():
    """Each goes back behind the one before: to follow them all would take longer with each."""
    game = struck()
    for _ in range(60):
        game = go_back(
            game, game.serial - 1 if game.entries[-1].back is not None else 0, ["A", "B"]
        )
    assert len(standing(game.entries)) <= 2
