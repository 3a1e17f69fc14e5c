"""Texts with holes, and chance that takes one of a list, from the source to what players read and
saves keep."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of as bind_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Choose, Pick, Program, Say
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from ruleloom.runtime.search.odds import distribution
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write

GAME = """\
- kind: vocabulary
  game: orchard
  enums: {Colour: [red, green]}
  entities:
    Player: {noun: [player, players], max: 4, fields: {purse: {type: Int, initial: 10, min: 0}}}
    Fruit: {noun: [fruit, fruits], max: 9, records: [fruit], static: {weight: Int}}
  kinds: {fruit: {makes: Fruit}}
  zones:
    heap: {of: Fruit, seen_by: nobody, order: lazy}
    hand: {of: Fruit, per: Player, seen_by: owner}
  scope:
    me: {type: Player, life: game, english: you}
    day: {type: Int, life: game, initial: "1", english: the day}
  queries:
    seat: {params: {place: Int}, result: Player, reads: [], english: "the player at {place}"}
    seat_after: {params: {player: Player}, result: Player, reads: [], english: "the player after {player}"}
  operations:
    pay:
      params: {who: Player, price: Int}
      sets: {purse(who): purse(who) - price}
      english: "{who} pays {price}"
      log: "{who} pays {price}"
- {kind: fruit, id: sour-plum, title: Sour plum, weight: 3}
- {kind: fruit, id: pear, weight: 2}
- kind: flow
  id: set_up
  effect: |
    set me = seat(1)
    draw dealt from heap to hand(me)
- kind: flow
  id: turn
  effect: |
TURN
"""

TURN = """\
choose friend from players where friend != me "Whom does {me} meet on day {day}?"
choose one by friend "What does {friend} do to {me}?":
    "wait":
        let price = 1
        optional "pay {price} to {friend}":
            pay(me, price)
            say "{me} pays {price} {}"
    "fight":
        choose much from [1, 20] "How hard?"
        ensure purse(me) >= much "{me} cannot pay {much}"
        pay(me, much)
        finish won by me "{me} stands alone on day {day}"
"""


def program(folder: Path, turn: str) -> Program:
    """The orchard whose turn this is."""
    text = GAME.replace("TURN\n", "".join(f"    {line}\n" for line in turn.splitlines()))
    write(
        folder,
        {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": text},
    )
    result = compile_paths(folder / "orchard", builtin=NOTHING, schemas=schemas())
    assert result.program is not None, result.diagnostics
    check_program(program_of(program_data(result.program)))
    assert program_of(program_data(result.program)) == result.program
    return result.program


def linked(folder: Path, turn: str, players: tuple[str, ...] = ("Ann", "Bob")) -> Linked:
    found = program(folder, turn)
    return link_game(found, driver_of(found), players)


def answered(game: Game, *keys: str) -> Game:
    """The game after these answers, one a prompt."""
    for key in keys:
        game = game.answer(game.prompt.id, key)
    return game


def begun(
    folder: Path, turn: str, players: tuple[str, ...] = ("Ann", "Bob"), seed: int | None = 1
) -> Game:
    return new_game(linked(folder, turn, players), seed=seed)


def test_prompts_labels_and_remarks_are_filled_when_they_are_read(tmp_path: Path):
    game = begun(tmp_path, TURN)
    assert game.prompt.text == "Whom does Ann meet on day 1?"
    game = answered(game, "Bob")
    assert game.prompt.text == "What does Bob do to Ann?"
    assert game.prompt.player == 1
    game = answered(game, "wait")
    assert [(one.key, one.label) for one in game.prompt.options] == [
        ("do", "pay 1 to Bob"),
        ("skip", "skip"),
    ]
    assert view(game, 0)["prompts"][0]["options"][0]["label"] == "pay 1 to Bob"
    game = answered(game, "do")
    assert "Ann pays 1 {}" in log(game.linked, game.events)
    assert "Ann pays 1 {}" in view(game, 1)["log"]


def test_a_reason_is_filled_for_who_asks_why_not_and_the_end_for_all(tmp_path: Path):
    game = answered(begun(tmp_path, TURN), "Bob", "fight")
    assert [(one.key, one.reason) for one in game.refusals] == [("20", "Ann cannot pay 20")]
    with pytest.raises(Refused, match="Ann cannot pay 20"):
        answered(game, "20")
    game = answered(game, "1")
    assert game.outcome is not None
    assert game.outcome.reason == "Ann stands alone on day 1"
    assert log(game.linked, game.events)[-1] == "Ann wins: Ann stands alone on day 1"


def test_a_remark_keeps_what_it_said_when_it_was_said(tmp_path: Path):
    turn = 'let price = 1\nsay "{price} on day {day}"\nset price = 2\nset day = day + 1\nchoose fruit from Fruit\n'
    turn += 'if weight(fruit) = price: say "{price} is the weight of {fruit}"\n'
    game = begun(tmp_path, turn)
    assert log(game.linked, game.events)[-1] == "1 on day 1"
    assert log(game.linked, answered(game, "pear").events)[0] == "2 is the weight of pear"


def test_a_hidden_thing_is_named_only_to_who_sees_it(tmp_path: Path):
    turn = 'choose fruit from hand "Of {hand}?"\nsay "{me} likes {fruit}"\nchoose x from Colour\n'
    turn += "if weight(fruit) = 9 and x = red: pay(me, 1)\n"
    found = program(tmp_path, turn)
    names = found.entity("Fruit").titles
    game = new_game(link_game(found, driver_of(found), ("Ann", "Bob")), seed=1)
    mine = game.prompt.options[0].label
    assert mine in names
    assert game.prompt.text == f"Of {mine}?"
    game = answered(game, game.prompt.options[0].key)
    assert log(game.linked, game.events, 0)[-1] == f"Ann likes {mine}"
    assert log(game.linked, game.events, 1)[-1] == "Ann likes a fruit"
    assert mine not in str(view(game, 1))


def test_a_save_keeps_templates_and_refuses_what_they_cannot_hold(tmp_path: Path):
    game = answered(begun(tmp_path, TURN), "Bob", "wait", "do")
    again = loaded("\n".join(saved_lines(game)) + "\n", bind_of)
    assert again.game.state == game.state
    assert (
        log(game.linked, again.events)[-1] == log(game.linked, game.events)[-1] == "Ann pays 1 {}"
    )


@pytest.mark.parametrize(
    ("hole", "message"),
    [
        ([["slot", 99], "Int"], "slot"),
        ([["scope", "nobody"], "Int"], "nobody"),
        ([["scope", "day"], "Thing"], "there is no type `Thing`"),
        ([["scope", "day"]], "a list of 2 was expected"),
        (7, "a text was expected"),
    ],
)
def test_a_hostile_hole_is_refused(tmp_path: Path, hole: object, message: str):
    data = program_data(program(tmp_path, TURN))
    rows = [row for routine in data["routines"] for row in routine["rows"]]
    said = next(row for row in rows if row["row"] == "Say")
    said["text"] = ["a", hole]
    with pytest.raises(SaveError, match=message):
        check_program(program_of(data))


def test_only_the_label_of_what_is_optional_has_holes(tmp_path: Path):
    data = program_data(program(tmp_path, TURN))
    rows = [row for routine in data["routines"] for row in routine["rows"]]
    modal = next(row for row in rows if row["row"] == "Modal" and row["kind"] == "choose")
    modal["modes"][0]["label"] = [[["scope", "day"], "Int"]]
    with pytest.raises(SaveError, match="a label with holes"):
        check_program(program_of(data))


def test_a_plain_text_stays_a_text(tmp_path: Path):
    turn = 'let price = 2\nsay "no {} here"\nsay "{price} of it"\nchoose fruit from Fruit "Which?"\nsay "{fruit}"\n'
    rows = [row for one in program(tmp_path, turn).routines for row in one.rows]
    said = [row.text for row in rows if isinstance(row, Say)]
    assert said == ["no {} here", ((("slot", 0), "Int"), " of it"), ((("slot", 1), "Fruit"),)]
    assert [row.prompt for row in rows if isinstance(row, Choose)] == ["Which?"]


LOT = """\
draw lucky from those(p: players where purse(p) > 9)
if lucky is not none:
    pay(lucky, 1)
    say "{lucky} pays"
draw colour from Colour
choose one "{colour}?":
    "yes": pay(me, 0)
    "no": set day = day + 1
"""


def test_chance_takes_one_of_a_list_and_everybody_sees_it(tmp_path: Path):
    game = begun(tmp_path, LOT, ("Ann", "Bob", "Cid"), seed=None)
    game = answered(game, game.prompt.options[0].key)  # the fruit that is dealt
    assert (game.prompt.kind, game.prompt.player, game.prompt.text) == ("draw", None, "draw lucky")
    assert [one.key for one in game.prompt.options] == ["Ann", "Bob", "Cid"]
    assert game.prompt.weights == (1, 1, 1)
    game = answered(game, "Bob")
    assert log(game.linked, game.events, 2)[:1] == ["lucky: Bob"]
    with pytest.raises(Refused):
        game.undo()
    game = answered(game, "green")
    assert game.prompt.text == "green?"
    again = loaded("\n".join(saved_lines(game)) + "\n", bind_of).game
    assert again.state == game.state
    assert [list(one.keys) for one in game.entries][1:] == [["Bob"], ["green"]]


def test_the_odds_of_a_list_are_even(tmp_path: Path):
    game = begun(tmp_path, LOT, ("Ann", "Bob", "Cid"), seed=None)
    purse = game.linked.layout.index["Player.purse"]
    start = answered(game, game.prompt.options[0].key).node
    found = distribution(start, lambda s: s.world[purse][:3], done=lambda n: n.stop.who == (0,))
    assert found == {
        (9, 10, 10): Fraction(1, 3),
        (10, 9, 10): Fraction(1, 3),
        (10, 10, 9): Fraction(1, 3),
    }


def test_of_nothing_chance_takes_none(tmp_path: Path):
    game = begun(tmp_path, LOT.replace("> 9", "> 99"))
    assert not any("lucky" in line for line in log(game.linked, game.events))
    assert game.prompt.text in ("red?", "green?")


def test_a_seed_answers_for_chance_and_a_hostile_list_is_refused(tmp_path: Path):
    one, two = begun(tmp_path, LOT, seed=7), begun(tmp_path, LOT, seed=7)
    assert one.state == two.state
    data = program_data(one.linked.program)
    pick = next(row for r in data["routines"] for row in r["rows"] if row["row"] == Pick.__name__)
    pick["domain"] = ["zone", "nowhere", None]
    with pytest.raises(SaveError, match="nowhere"):
        check_program(program_of(data))
