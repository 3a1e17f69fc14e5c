"""A text beside the rules of its item: what it says otherwise is told, what it repeats is not."""

from __future__ import annotations

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.english.compare import (
    PrintedTitles,
    TextAndRules,
    amounts,
    differences,
    spans,
)
from ruleloom.compiler.english.rules_text import Book
from ruleloom.compiler.lower.passes import read_names
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.resolve.symbols import Symbols

MANIFEST = "kind: pack\nid: mine\nversion: 1.0.0\ngame: {}\nedition: 1\n"


@pytest.fixture
def told(write_files):
    """What is said about an item, and at which words of its text."""

    def told(game: str, item: str) -> list[tuple[str, str]]:
        folder = write_files({"pack.yaml": MANIFEST.format(game), "item.yaml": item})
        result = compile_paths([folder], texts=False)
        assert result.content is not None
        assert {one.code for one in result.diagnostics} <= {"text-differs", "bypassed-moment"}, (
            result.diagnostics
        )
        sources = result.content.sources
        return [
            (one.message, sources[one.place.path].text_at(one.place))
            for one in result.diagnostics
            if one.code == "text-differs"
        ]

    return told


def words_only_in_text(item, book: Book) -> list[str]:
    sides = TextAndRules(item, book, PrintedTitles(book.content, book.symbols))
    return [one.words for one in differences(sides)]


def test_numbers_as_people_write_them():
    assert [*amounts("Lose 2d10, or three; one is half a horse.")] == [2, 10, 3]
    assert {str(one) for one in amounts("half of it, two thirds, 3/4, half as much again")} == {
        *("1/2", "2/3", "3/4", "3/2")
    }
    assert [*amounts("Twice as much, doubled; one-third time, a quarter past.")] == [2]
    found = [*spans("In a round, for a turn or 3 more rounds.")]
    assert [(int(number), unit) for number, unit in found] == [(1, "turn"), (3, "round")]


# ----------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("printed", "missing"),
    [
        ("You may create up to two times.", []),
        ("Create up to three times, 1 step each.", ["three times"]),
    ],
)
def test_the_printed_text_is_compared(printed, missing, write_files):
    folder = write_files(
        {
            "pack.yaml": "kind: pack\nid: mine\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
            'requires: {gnostica: ">=1.0"}\n',
            "cards.yaml": "kind: major\nid: mason\ntitle: Mason\nnumber: 40\n"
            f"text: {printed}\n"
            'effect: |\n  repeat 2 times:\n      optional "create":\n          use create\n',
        }
    )
    content = load([folder], Report())
    assert content is not None
    symbols = Symbols(game="gnostica")
    read_names(content, symbols, Report())
    item = next(item for item in content.items if item.name == "mason")
    assert words_only_in_text(item, Book(content, symbols)) == missing


@pytest.mark.parametrize(
    ("much", "missing"),
    [("8)", []), ("7)", ["8"]), ("7)  # not 8", ["8"]), ("18)", ["8"])],
)
def test_what_an_effect_hands_to_a_power_is_known(much, missing, write_files):
    """No text made from the effect says the 8 of `use heal(whom, 8)`, but the author did write
    it."""
    folder = write_files(
        {
            "pack.yaml": "kind: pack\nid: mine\nversion: 1.0.0\ngame: moonstone\nedition: 1\n",
            "spells.yaml": "kind: spell\nid: glow\ntitle: Glow\nof: hearth-magic\ncost: 1\naim: anybody\n"
            f'text: "Heals 8 PI."\neffect: |\n  if target is not none:\n      use heal(target, {much}\n',
        }
    )
    content = load([folder], Report())
    assert content is not None
    item = next(item for item in content.items if item.name == "glow")
    assert words_only_in_text(item, Book(content, Symbols(game="moonstone"))) == missing


GLARE = """\
kind: spell
id: glare
title: Glare
of: hearth-magic
cost: 3
aim: a_foe
text: >-
  Wil against Wil, {}.
effect: |
  let whom = target
  if whom is none: stop
  use attack_by(Wil, none, Wil) giving hit
  if hit: use afflict(whom, dazzled, 2)
"""


def test_what_a_condition_does_is_no_number_that_only_the_text_has(told):
    """The condition, not the effect that lays it, says by how much attacks are worse."""
    assert told("moonstone", GLARE.format("and for two rounds the target attacks 4 worse")) == []
    assert told("moonstone", GLARE.format("and for two rounds the target attacks 5 worse")) == [
        ("the text says 5, and the effect of `glare` does not", "5")
    ]


THROW = """\
kind: advantage
id: throw
title: Throw
rating: III
active: true
aim: a_foe
text: Roll a ten-sided die; {} the target loses 3 PI.
effect: |
  roll die = 1d10
  if target is not none and {}: hurt_body(target, 3)
"""


@pytest.mark.parametrize(
    ("words", "condition", "found"),
    [
        ("if it is never less than 5,", "die > 4", ""),
        ("if it is never more than 4,", "die < 5", ""),
        ("if it is never less than 6,", "die > 4", "6"),
    ],
)
def test_never_less_is_a_limit(told, words, condition, found):
    said = told("moonstone", THROW.format(words, condition))
    message = f"the text says {found}, and the effect of `throw` does not"
    assert said == ([(message, found)] if found else [])


BREATH = """\
kind: advantage
id: breath
title: Breath
rating: III
active: true
aim: a_foe
uses_a_day: 3
text: {}
effect: |
  if target is not none: hurt_body(target, 4)
"""


def test_what_is_printed_on_an_item_may_be_repeated(told):
    """How often it may be used a day stands in a field of its own."""
    assert told("moonstone", BREATH.format("Three times a day the target loses 4 PI.")) == []
    assert told("moonstone", BREATH.format("Five times a day the target loses 4 PI.")) == [
        ("the text says 5, and the effect of `breath` does not", "Five times")
    ]


# ---------------------------------------------------------------------------- kinds and durations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("and a hit dazzles", []),
        ("and a hit leaves the target Dazzled", []),
        ("and a Stunned target is Dazzled", []),
        (
            "and the target is Stunned",
            [("the text says Stunned, and the effect Dazzled", "Stunned")],
        ),
        (
            "for three\n  rounds",
            [
                (
                    "the text says 3 rounds, and the rules of `glare` say 2 rounds",
                    "three\n  rounds",
                )
            ],
        ),
        (
            "for two turns",
            [("the text says 2 turns, and the rules of `glare` say 2 rounds", "two turns")],
        ),
    ],
)
def test_another_kind_and_another_duration(told, text, found):
    assert told("moonstone", GLARE.format(text)) == found


KETTLE = """\
kind: spell
id: kettle
title: Kettle
of: hearth-magic
cost: 1
aim: a_foe
text: {}
effect: use assail(Wil, none, Wil, 2, 6, heat)
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Water leaps, for 2d6 Heat.", []),
        ("Cold water would do, for 2d6.", []),
        ("For 2d6 Cold.", [("the text says Cold, and the effect Heat", "Cold")]),
        (
            "Crossover shock, and 2d6 of Shock.",
            [("the text says Crossover shock and Shock, and the effect Heat", "Crossover shock")],
        ),
    ],
)
def test_another_kind_of_damage(told, text, found):
    assert told("moonstone", KETTLE.format(text)) == found


SLEEP = """\
- kind: lasting
  id: sleep
  "on": Piece
  english: "{{self}} sleeps"
  counts: after turn()
- kind: major
  id: poppy
  title: Poppy
  number: 92
  text: One of your pieces sleeps for {}.
  effect: |
    choose piece from pieces_on_board "Who falls asleep?"
    begin sleep on piece for 2
"""


@pytest.mark.parametrize(
    ("time", "said"), [("two turns", ""), ("three turns", "3 turns"), ("two rounds", "2 rounds")]
)
def test_what_counts_an_effect_that_lasts_is_its_unit(told, time, said):
    message = f"the text says {said}, and the rules of `poppy` say 2 turns"
    assert told("gnostica", SLEEP.format(time)) == ([(message, time)] if said else [])


def test_to_play_nothing_is_compared(write_files):
    item = BREATH.format("The target loses 5 PI.")
    folder = write_files({"pack.yaml": MANIFEST.format("moonstone"), "item.yaml": item})
    checked, played = (
        {one.code for one in compile_paths([folder], scenarios=scenarios).diagnostics}
        for scenarios in (True, False)
    )
    assert checked - played == {"text-differs"}


# ----------------------------------------------------------------------------- persons, abilities


def test_another_person(told):
    assert told("moonstone", BREATH.format("You take aim, and the target loses 4 PI.")) == []
    assert told("moonstone", BREATH.format("Before long you lose 4 PI.")) == [
        ("the text says you (“you lose 4 PI”), and the effect somebody else", "you lose 4 PI")
    ]


HIDE = """\
kind: advantage
id: hide
title: Hide
rating: II
text: {}
abilities: |
  bonus(PR, 5, "hide")
  resists(heat, 1/2)
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Your PR is 5 higher, and you take half of all Heat.", []),
        # Prose tells more than abilities do.
        ("Your PR is 5 higher, and you weigh three times as much as others, at 90 kilos.", []),
        ("You take 3 points of your tea without sugar, and PR is five higher.", []),
        ("Your PR is 6 higher.", [("the text says 6, and the abilities of `hide` do not", "6")]),
        ("You take half of all Cold.", [("the text says Cold, and the abilities Heat", "Cold")]),
    ],
)
def test_prose_beside_abilities(told, text, found):
    assert told("moonstone", HIDE.format(text)) == found


@pytest.mark.parametrize(
    ("much", "found"),
    [(5, []), (7, [("the text says 5, and the abilities of `hide` do not", "5")])],
)
def test_a_number_of_the_stat_that_abilities_change_excuses_nothing(told, much, found):
    """Max PI is 40 and 5 for each End."""
    item = HIDE.format("Your max PI is 5 higher, and you take half of all Heat.")
    assert told("moonstone", item.replace("PR, 5", f"max_PI, {much}")) == found


def card(text: str, *effect: str) -> str:
    lines = "".join(f"  {line}\n" for line in effect)
    return f"kind: major\nid: seven\ntitle: Seven\nnumber: 70\ntext: {text}\neffect: |\n{lines}"


NEIGHBOUR = ("let who = seat_after(me)", "draw shown from draw_pile to hand(who)")
TURNED = ('choose piece from pieces_of(me) "Which?"', "face(piece, up)")


@pytest.mark.parametrize(
    ("text", "effect", "found"),
    [
        ("Grow, then grow again.", ("use create",), "the text says grow, and the effect create"),
        ("Draw three cards.", ("use draw_cards(2)",), "the text says 3"),
        ("The player to your right draws a card.", NEIGHBOUR, "says right, and the effect left"),
        ("The left-hand neighbour takes a card.", NEIGHBOUR, ""),
        ("A couple of cards are drawn.", ("use draw_cards(2)",), ""),
        ("One of yours stands upright from now on.", TURNED, ""),
        ("You may create something.", ('optional "c": use create',), ""),
    ],
)
def test_a_card_in_words_of_ones_own(told, text, effect, found):
    said = told("gnostica", card(f"You may. {text}", *effect))
    assert len(said) == bool(found)
    assert all(found in message for message, _ in said)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "and for a minute the target is dazzled",
            "1 minute, and the rules of `glare` say 2 rounds",
        ),
        ("and for two rounds the target is restrained", "Restrained, and the effect Dazzled"),
        ("and they see nothing but spots for two rounds", ""),
        ("which takes a minute to say, and dazzles for two rounds", ""),
    ],
)
def test_a_spell_in_words_of_ones_own(told, text, found):
    said = told("moonstone", GLARE.format(text))
    assert len(said) == bool(found)
    assert all(found in message for message, _ in said)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The target regains 8 MI.", "the text says MI, and the effect PI"),
        ("Somebody is eight points of PI the better for it.", ""),
        ("Costs no MI, and gives 8 PI back.", ""),
    ],
)
def test_another_thing_in_capitals(told, text, found):
    item = (
        "kind: spell\nid: glow\ntitle: Glow\nof: hearth-magic\ncost: 1\naim: anybody\n"
        f'text: "{text}"\neffect: |\n  if target is not none: use heal(target, 8)\n'
    )
    said = told("moonstone", item)
    assert len(said) == bool(found)
    assert all(found in message for message, _ in said)


@pytest.mark.parametrize(
    ("who", "found"),
    [("The caster takes", "“The caster takes 2 stress”"), ("Everybody hit takes", "")],
)
def test_who_is_no_target(told, who, found):
    item = (
        "kind: component\nid: hiss\ntitle: Hiss\narcana: forces\nlevel: 1\nglances: 1\n"
        f'text: "{who} 2 stress."\neffect: |\n'
        "  for each whom in target_people:\n      take_stress(whom, 2)\n"
    )
    said = told("witchgates", item)
    assert len(said) == bool(found)
    assert all(found in message for message, _ in said)


@pytest.mark.parametrize(
    ("whose", "found"),
    [
        ("of yours", []),
        (
            "of another player",
            [
                (
                    "the text says somebody else's (“Two aspects of another player”), "
                    "and the abilities yours",
                    "Two aspects of another player",
                )
            ],
        ),
    ],
)
def test_every_player_who_is_you_is_you(told, whose, found):
    item = (
        "kind: merit\nid: two-minds\ntitle: Two Minds\nleast_value: 2\nmost_value: 2\n"
        f'text: "Two aspects {whose} can be there at once."\nabilities: |\n'
        '  modify aspects_at_once(each by) to 2 where by = speaker(self) as "two minds"\n'
    )
    assert told("witchgates", item) == found
