"""What reads as its own opposite, or as something else: yes and no, all and any, otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.english.filling import undone_words
from ruleloom.compiler.english.page import Sort, Step, paragraph
from ruleloom.compiler.english.word import (
    NUMBER,
    called,
    denied,
    sentence,
    with_article,
)
from ruleloom.compiler.pipeline import compile_paths
from tests.compiler.english.test_texts import GAME
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write

ITEMS = """\
- kind: measure
  id: suits
  takes: "fruit: Fruit, of: Fruit?"
  gives: Bool
  is: "of is none or fruit = of"
  english: "{fruit} is the fruit in question"
- kind: power
  id: eat
  takes: "of: Fruit? = none"
  gloss: "eat"
  effect: |
    choose fruit from Fruit where suits(fruit, of)
    say "{fruit} is eaten"
"""
OPERATIONS = """\
    nap:
      params: {who: Player, asleep: Bool}
      sets: {sleepy(who): asleep}
      english: "WORDS"
      log: "{who}: {asleep}"
"""


def said(folder: Path, *lines: str, words: str = "{who} sleeps", item: str = "flow/turn") -> str:
    """The paragraph of a flow that begins with these lines, in a game with naps and ripe fruit."""
    turn = "".join(f"    {line}\n" for line in (*lines, 'finish drawn "over"'))
    text = GAME.replace("TURN\n", turn) + ITEMS
    text = text.replace("fields: {purse:", "fields: {sleepy: {type: Bool}, purse:")
    text = text.replace("  operations:\n", "  operations:\n" + OPERATIONS.replace("WORDS", words))
    ripe = 'fields: {ripe: {type: Bool, by: Colour, english: "{it} has ripened in {key}"}}, static:'
    text = text.replace("static: {weight", f"{ripe} {{weight")
    ask = '    fruits: {result: List of Fruit, max: 9, reads: [], english: "all fruits"}\n'
    text = text.replace("  operations:\n", ask + "  operations:\n")
    pack = {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": text}
    write(folder, pack)
    result = compile_paths(folder / "orchard", builtin=NOTHING, schemas=schemas(), texts=True)
    assert result.program is not None, result.diagnostics
    return effect_text(dict(result.program.texts)[f"orchard:{item}"])


def effect_text(text: str) -> str:
    """The paragraph that says what is done; above that of a power stands what it is about."""
    return text.removeprefix("Eat.\n\n").split("\n")[0]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("nap(me, yes)",), "You sleep."),
        (("nap(me, no)",), "You no longer sleep."),
        (("nap(me, day > 2)",), "If the day is more than 2, you sleep, otherwise you no longer"),
        (("choose f from fruits() where weight(f) > 2", "say f"), "Choose a fruit whose weight is"),
        (("if exists(f: fruits() where weight(f) > 2): say 1",), "If there is a fruit whose"),
        (("if exists(f: Fruit where ripe(f, red)): say 1",), "If there is a fruit that has ripened in"),
        (("if exists(f: Fruit where not ripe(f, red)): say 1",), "If there is a fruit that has not"),
        (
            ("if day > 1:", "    if day > 2: say 2", "else: say 3"),
            "If the day is more than 1: [if the day is more than 2, say: “2”]. Otherwise, say: “3”.",
        ),
        (
            ('if day > 1: finish won by me "done"', "nap(me, yes)"),
            "If the day is more than 1, you win the game: done. Otherwise: you sleep;",
        ),
        (
            ("for each player in players:", '    if player = me: finish won by player "done"', "say 2"),
            "For every player, if you are the player, the player wins the game: done. If the game",
        ),
    ],
)  # fmt: skip
def test_it_reads_as_what_it_is(tmp_path: Path, lines: tuple[str, ...], text: str):
    lines = tuple(line.replace("say 1", 'say "1"').replace("say 2", 'say "2"') for line in lines)
    lines = tuple(line.replace("say 3", 'say "3"').replace("say f", 'say "{f}"') for line in lines)
    assert said(tmp_path, *lines).startswith(text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("let {who} sleep", "Let you no longer sleep."),
        ("{who} is asleep", "You are no longer asleep."),
        ("the moon shines on {who}", "It is no longer so that the moon shines on you."),
        ("lull {who}", "No longer lull you."),
    ],
)
def test_an_operation_that_speaks_of_yes_alone_is_turned(tmp_path: Path, words: str, text: str):
    assert said(tmp_path, "nap(me, no)", words=words).startswith(text)


def test_what_is_not_given_is_not_told(tmp_path: Path):
    assert said(tmp_path, "use eat", item="power/eat") == "Choose a fruit."


def test_a_card_has_no_room_for_what_is_only_said_beside_what_is_done(tmp_path: Path):
    beside = said(tmp_path, "if day > 1:", '    say "2"', "    nap(me, yes)")
    assert beside.startswith("If the day is more than 1, you sleep.")
    alone = said(tmp_path, "if day > 1:", '    say "2"', "else:", "    nap(me, yes)")
    assert alone.startswith("If the day is more than 1, say: “2”. Otherwise, you sleep.")


def test_a_field_can_only_speak_of_its_owner_and_its_key(tmp_path: Path):
    field = 'purse: {english: "{what} of {it}", '
    text = GAME.replace("TURN\n", '    finish drawn "over"\n').replace("purse: {", field)
    pack = {"orchard/pack.yaml": manifest("orchard", game="orchard"), "orchard/game.yaml": text}
    write(tmp_path, pack)
    found = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    assert "nothing fills the hole `{what}`" in [one.message for one in found.diagnostics]


def test_what_is_inside_of_another_step_shows_where_it_ends():
    inner = Step("if it rains", (Step("run"), Step("hide")))
    steps = (Step("for each day", (inner, Step("eat"))),)
    assert paragraph(steps) == "For each day: if it rains: [run; hide]; eat."


def test_of_all_that_there_are_it_is_not_asked_first_whether_there_is_one():
    def told(asked: str) -> str:
        out = (Step("it goes out"),)
        loop = Step("for every lamp that burns", out, sort=Sort.EACH, about="lamp that burns")
        tests, about = (f"there is a {asked}",), asked
        rain = Step("it rains", (loop,), lead="when ", tests=tests, about=about)
        return paragraph((rain,))

    every = "for every lamp that burns, it goes out."
    assert told("lamp that burns") == f"When it rains, {every}"
    assert told("fire") == f"When it rains, if there is a fire, {every}"


def test_what_is_to_be_no_longer_so():
    assert undone_words("let a ward surround {who}") == "a ward no longer surrounds {who}"
    assert undone_words("{who} hides") == "{who} no longer hides"


def test_words_agree():
    assert with_article("NPC") == "an NPC"
    assert with_article("UFO") == "a UFO"
    assert with_article("usual thing") == "a usual thing"
    assert with_article("unimportant thing") == "an unimportant thing"
    assert called("many_hours", NUMBER) == "number of hours"
    assert denied("the lamp does not fit") == "the lamp fits"
    assert sentence("(the rest) is lost") == "(The rest) is lost."
    assert denied("there has been rain") == "there has not been rain"
    assert denied("every die has been used") == "not every die has been used"
    assert denied("only one side has a king") == "not only one side has a king"
