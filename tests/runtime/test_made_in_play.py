"""Things that play makes and moves without Python: as new, found by a field, moved between zones,
alike as copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.bots.bot import SteadyBot
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.printed import (
    ChronicleLine,
    Quote,
    chronicle_html,
    chronicle_markdown,
    chronicle_of,
)
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from ruleloom.table.canvas import Look
from ruleloom.table.drawing import table_for
from ruleloom.table.questions import parse_answer
from tests.support.check_layer import NOTHING, schemas
from tests.support.command import call
from tests.support.pack_examples import manifest, write

GAME = """\
- kind: vocabulary
  game: orchard
  enums: {Colour: [red, green]}
  entities:
    Player: {noun: [player, players], max: 4}
    Fruit: {noun: [fruit, fruits], alike: true, max: 9, records: [fruit], static: {number: {type: Int, default: 7}}}
    Basket:
      noun: [basket, baskets]
      max: 2
      present: owner
      named_by: name
      fields:
        owner: {type: Player?}
        name: {type: Text, initial: ""}
        full: {type: Bool, initial: false}
    Tag:
      noun: [tag, tags]
      max: 8
      present: hangs_on
      named_by: words
      fields:
        hangs_on: {type: Basket?}
        colour: {type: Colour, initial: red}
        words: {type: Text, initial: ""}
  kinds: {fruit: {makes: Fruit}}
  scope: {me: {type: Player, life: game, english: you}}
  zones:
    table: {of: Fruit, seen_by: all}
    hand: {of: Fruit, per: Player, seen_by: all}
  queries:
    baskets: {result: List of Basket, max: 2, of: Basket.owner, english: "all baskets"}
    baskets_of:
      params: {who: Player}
      result: List of Basket
      max: 2
      of: Basket.owner
      english: "the baskets of {who}"
    tags_on:
      params: {basket: Basket}
      result: List of Tag
      max: 3
      of: Tag.hangs_on
      english: "the tags on {basket}"
  operations:
    weave:
      params: {who: Player, called: Text}
      makes: Basket
      sets: {owner(result): who, name(result): called}
      english: "{who} weaves {called}"
      log: "{who} weaves {called}"
    fill: {params: {basket: Basket}, sets: {full(basket): "yes"}, english: "fill {basket}", log: "{basket} is full"}
    burn: {params: {basket: Basket}, sets: {owner(basket): none}, english: "burn {basket}", log: "{basket} burns"}
    tag:
      params: {on: Basket, ink: Colour, text: Text}
      makes: Tag
      sets: {hangs_on(result): "on", colour(result): ink, words(result): text}
      english: "tag {on}"
      log: "{on} is tagged {text}"
    lay:
      params: {fruit: Fruit}
      sets: {}
      moves: {fruit: table}
      english: "lay {fruit} down"
      log: "{fruit} lies there"
    take:
      params: {who: Player, fruit: Fruit}
      sets: {}
      moves: {fruit: hand(who)}
      english: "{who} takes {fruit}"
      log: "{who} takes {fruit}"
- {kind: fruit, id: plum, copies: 3}
- {kind: fruit, id: pear}
- kind: flow
  id: set_up
  effect: |
    for each fruit in Fruit:
        if number(fruit) < LAID: lay(fruit)
- kind: flow
  id: turn
  effect: |
TURN"""


def with_turn(lines: str, laid: int = 9) -> str:
    """The text of the game with these lines for a turn."""
    return GAME.replace("TURN", lines).replace("LAID", str(laid))


def begun(tmp_path: Path, turn: str, laid: int = 9) -> Game:
    """The game with this turn, for two. The fruits with numbers below `laid` lie on the table."""
    lines = "".join(f"    {line}\n" for line in turn.strip().split("\n"))
    text = with_turn(lines, laid)
    write(
        tmp_path,
        {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": text},
    )
    result = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert result.program is not None, result.diagnostics
    program = program_of(program_data(result.program))
    check_program(program)
    return new_game(link_game(program, driver_of("orchard"), ("A", "B")), 1)


def value(game: Game, column: str) -> object:
    return game.state.world[game.linked.layout.index[column]]


def options(game: Game) -> list[str]:
    return [option.key for option in game.prompt.options]


def test_what_is_made_begins_as_new(tmp_path: Path):
    game = begun(
        tmp_path,
        """
weave(me, "one") giving one
fill(one)
burn(one)
weave(me, "two") giving two
choose again from baskets or none
""",
    )
    assert value(game, "Basket.full") == (False, False)
    assert value(game, "Basket.owner") == (0, None)
    assert [option.label for option in game.prompt.options] == ["two", "none"]


def test_when_there_are_no_more_it_comes_to_nothing(tmp_path: Path):
    game = begun(
        tmp_path,
        """
choose fruit from table
repeat 3 times:
    weave(me, "more")
take(me, fruit)
""",
    )
    game = game.answer(game.prompt.id, "pear")
    assert "there are no more baskets" in chronicle_markdown(chronicle_of(game))
    assert value(game, "Basket.owner") == (0, 0)


def test_things_are_found_by_their_field(tmp_path: Path):
    game = begun(
        tmp_path,
        """
weave(me, "mine") giving mine
for each who in players:
    if who != me: weave(who, "theirs")
tag(mine, green, "sour")
tag(mine, red, "sweet")
choose basket from baskets_of(me)
choose label from tags_on(mine) where colour(label) = red
choose any_basket from baskets
""",
    )
    for wanted in (["mine"], ["sweet"]):
        assert [option.label for option in game.prompt.options] == wanted
        game = game.answer(game.prompt.id, options(game)[0])
    assert [option.label for option in game.prompt.options] == ["mine", "theirs"]


def test_more_than_a_query_says_is_a_fault(tmp_path: Path):
    with pytest.raises(RuntimeFault, match="more than 3 tags for `tags_on`"):
        begun(
            tmp_path,
            """
weave(me, "mine") giving mine
repeat 4 times:
    tag(mine, red, "sweet")
choose label from tags_on(mine)
""",
        )


def test_what_moves_leaves_where_it_lay(tmp_path: Path):
    game = begun(tmp_path, "choose fruit from table\ntake(me, fruit)\nset me = me")
    assert value(game, "table") == (0, 1, 2, 3)
    game = game.answer(game.prompt.id, "plum")
    assert value(game, "table") == (1, 2, 3)
    assert value(game, "hand") == ((0,), ())


def test_of_copies_that_are_alike_one_is_on_offer(tmp_path: Path):
    game = begun(
        tmp_path,
        "choose fruit from table\ntake(me, fruit)\nchoose other from [fruit] + table\ntake(me, other)",
    )
    assert options(game) == ["plum", "pear"]
    game = game.answer(game.prompt.id, "plum")
    # The one in the hand differs from those on the table in where it lies.
    assert options(game) == ["plum", "plum#2", "pear"]


def test_what_the_first_player_has_is_not_like_what_lies_nowhere(tmp_path: Path):
    game = begun(
        tmp_path,
        "choose fruit from table\ntake(me, fruit)\nchoose other from Fruit\nlay(other)",
        laid=3,
    )
    game = game.answer(game.prompt.id, "plum")
    assert (value(game, "hand"), value(game, "table")) == (((0,), ()), (1,))
    assert options(game) == ["plum", "plum#2", "plum#3", "pear"]


def test_each_copy_has_its_number(tmp_path: Path):
    game = begun(tmp_path, "choose fruit from Fruit where number(fruit) > 1")
    assert dict(game.linked.entities["Fruit"].static)["number"] == (1, 2, 3, 7)
    assert options(game) == ["plum", "pear"]


def test_what_is_usual_may_be_nothing_or_several(tmp_path: Path):
    game = begun(
        tmp_path,
        """
choose fruit from table or none default none "Which?"
choose any number of kept from table default first(2, table) "What is kept?"
choose any number of lost from table default [] "What is lost?"
""",
    )
    assert game.prompt.default == ("none",)
    assert parse_answer("", game.prompt) == ("none",)
    game = game.answer(game.prompt.id, "none")
    assert game.prompt.usual == ("plum", "plum#2")
    assert SteadyBot().answer(game.node, 0) == (0, 1)
    game = game.answer(game.prompt.id, parse_answer("", game.prompt))
    assert parse_answer("", game.prompt) == ()


def test_such_a_game_is_saved_and_taken_up(tmp_path: Path):
    game = begun(
        tmp_path,
        'weave(me, "mine") giving mine\nchoose fruit from table\ntake(me, fruit)\nburn(mine)',
    )
    game = game.answer(game.prompt.id, "pear")
    again = loaded("\n".join(saved_lines(game)), driver_of).game
    assert again.state == game.state


def test_a_program_that_makes_or_moves_what_is_not_there_is_refused(tmp_path: Path):
    data = program_data(begun(tmp_path, "choose fruit from table").linked.program)
    weave = next(one for one in data["operations"] if one["name"] == "weave")
    lay = next(one for one in data["operations"] if one["name"] == "lay")
    for part, key, wrong in (
        (weave, "makes", "Fruit"),
        (lay["moves"][0], "zone", "hand"),
        (lay["moves"][0], "thing", 1),
    ):
        kept, part[key] = part[key], wrong
        with pytest.raises(SaveError):
            check_program(program_of(data))
        part[key] = kept
    check_program(program_of(data))


# ---------------------------------------------------------------------------------- chronicles


STORY = """
ask me for text tale "What happened?"
roll luck = 1d6
weave(me, "<b>one</b>") giving one
tag(one, green, "*sour*")
set me = me
"""


def test_a_chronicle_tells_who_did_and_wrote_what(tmp_path: Path):
    game = begun(tmp_path, STORY)
    game = game.answer(game.prompt.id, "# It <i>rained</i>.")
    chronicle = chronicle_of(game)
    assert [chapter.title for chapter in chronicle.chapters] == [
        "Before the first turn",
        "Turn 1: A",
    ]
    assert chronicle.chapters[0].entries[0] == ChronicleLine("plum lies there", times=3)
    first = chronicle.chapters[1].entries
    assert Quote("A", "What happened?", "# It <i>rained</i>.") in first
    assert any(
        isinstance(one, ChronicleLine) and one.dice and one.text.startswith("A rolls ")
        for one in first
    )
    assert [(one.title, one.note, one.lists) for one in chronicle.left] == [
        ("<b>one</b>", "owner: A", [("green", ["*sour*"])])
    ]


def test_nothing_that_somebody_wrote_is_read_as_markdown_or_html(tmp_path: Path):
    game = begun(tmp_path, STORY)
    chronicle = chronicle_of(game.answer(game.prompt.id, "# It <i>rained</i>."))
    text, page = chronicle_markdown(chronicle), chronicle_html(chronicle)
    assert r"> \# It \<i\>rained\</i\>." in text
    assert r"green (1): \*sour\*" in text
    assert "<i>" not in page
    assert "&lt;i&gt;rained&lt;/i&gt;" in page


def test_replay_writes_the_chronicle(tmp_path: Path):
    path = tmp_path / "game.save"
    call(
        "play",
        "gnostica",
        "--players",
        "steady,steady",
        "--seed",
        "7",
        "--turn-limit",
        "1",
        "--save",
        str(path),
    )
    done = call("replay", str(path), "--chronicle", str(tmp_path / "told.md"))
    assert done.code == 0, done.err
    assert (tmp_path / "told.md").read_text(encoding="utf-8").startswith("# Gnostica\n\n*A, B*\n")
    refused = call("replay", str(path), "--chronicle", str(tmp_path / "told.pdf"))
    assert refused.code == 2
    assert "ends in neither .html nor .md" in refused.err


def test_what_belongs_to_a_thing_is_drawn_with_it(tmp_path: Path):
    game = begun(tmp_path, STORY)
    game = game.answer(game.prompt.id, "It rained.")
    drawn = table_for(game.linked, Look(width=100)).board(game.state)
    assert any(line.strip() == "<b>one</b>, green 1: *sour*" for line in drawn)
    assert not any(line.startswith("Tags") for line in drawn)


# ---------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (
            "makes: Basket\n",
            "makes: Fruit\n",
            "`Fruit` is nothing of which one more can come into play",
        ),
        ("makes: Basket\n", "makes: Baskett\n", "there is no entity `Baskett`"),
        (
            "sets: {owner(result): who, ",
            "sets: {",
            "what `weave` makes is not there yet: it has no `owner`",
        ),
        ("moves: {fruit: table}", "moves: {fruits: table}", "it has no `fruits` to move"),
        ("moves: {fruit: table}", "moves: {fruit: me}", "`me` is not a zone to move something to"),
        ("moves: {fruit: hand(who)}", "moves: {who: hand(who)}", "in `hand(who)` lie others"),
        ("of: Tag.hangs_on\n", "of: Tag.hangs_onn\n", "there is no column `Tag.hangs_onn`"),
        ("of: Tag.hangs_on\n", "of: Tag.hangs_on\n      reads: []\n", "and so reads nothing else"),
        (
            "result: List of Tag\n",
            "result: List of Basket\n",
            "is `List of Tag`, not `List of Basket`",
        ),
        (
            "per: Player, seen_by: all}",
            "per: Player, seen_by: owner, open_if: {fog: no}}",
            "there is no switch `fog`",
        ),
    ],
)
def test_slips_are_told_where_they_stand(tmp_path: Path, right: str, wrong: str, told: str):
    assert right in GAME
    text = with_turn("    choose fruit from table\n    take(me, fruit)\n").replace(right, wrong, 1)
    write(
        tmp_path,
        {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": text},
    )
    result = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    errors = [one for one in result.diagnostics if one.severity == "error"]
    assert any(told in one.message for one in errors), [one.message for one in errors]
    assert all(one.place.line > 1 for one in errors)
