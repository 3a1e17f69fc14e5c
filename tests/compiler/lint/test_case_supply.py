"""More on the table than there is: told by `check`, at its place, with what fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import compile_paths
from tests.support.check_layer import NOTHING, schemas
from tests.support.command import call
from tests.support.pack_examples import manifest, write

CASES = "kind: scenarios\ncases:\n"
PLAYED = "  - id: {0}\n    given: {1}\n    when: []\n    then: {{turn: A}}\n"
SMALL = ", ".join(["A1E@0/1"] * 18)
SIX = ", ".join(["A1E@0/1"] * 6)


def checked(tmp_path: Path, given: str) -> list[tuple[str, int, int, str, str | None]]:
    """What is said of a case of Gnostica."""
    head = manifest("storm", 'requires: {gnostica: ">=1.0,<2"}', game="gnostica")
    text = CASES + PLAYED.format("many", given)
    write(tmp_path, {"storm/pack.yaml": head, "storm/cases.yaml": text})
    found = compile_paths([tmp_path / "storm"]).diagnostics
    return [(one.code, one.place.line, one.place.column, one.message, one.help) for one in found]


def at(given: str, word: str, number: int) -> int:
    """The column of the word's n-th place, from 1, in the line of `given`."""
    column = -1
    line = f"    given: {given}"
    for _ in range(number):
        column = line.index(word, column + 1)
    return column + 1


@pytest.mark.parametrize(
    ("pieces", "over", "message", "help"),
    [
        (SMALL, 6, "5 pieces of owner A and pips 1 (`pieces_per_size`), and not 18", "13 of them"),
        (SIX, 6, "5 pieces of owner A and pips 1 (`pieces_per_size`), and not 6", "this one"),
    ],
)
def test_more_pieces_than_a_player_has(
    tmp_path: Path, pieces: str, over: int, message: str, help: str
):
    given = f"{{pieces: [{pieces}]}}"
    [told] = checked(tmp_path, given)
    column = at(given, "A1E@0/1", over)
    says = f"there are at most {message}"
    assert told == ("out-of-bounds", 4, column, says, f"leave out {help}")


def test_as_many_as_fit_are_silent(tmp_path: Path):
    sizes = ", ".join(f"{who}{size}E@0/1" for who in "AB" for size in "123" for _ in range(5))
    assert checked(tmp_path, f"{{pieces: [{sizes}]}}") == []


def test_a_case_may_have_another_limit(tmp_path: Path):
    """The setting that holds it is read as the case sets it."""
    four = "A1E@0/1, A1E@0/1, A1E@0/1, A1E@0/1"
    given = f"{{settings: {{pieces_per_size: 3}}, pieces: [{four}]}}"
    [told] = checked(tmp_path, given)
    assert told[2:4] == (
        at(given, "A1E@0/1", 4),
        "there are at most 3 pieces of owner A and pips 1 (`pieces_per_size`), and not 4",
    )


@pytest.mark.parametrize(
    ("given", "name", "number"),
    [
        ("{hands: {A: [sun]}}", "sun", 1),  # the usual table has it
        ("{hands: {A: [moon], B: [moon]}}", "moon", 2),
        ("{discard: [moon], aside: [moon]}", "moon", 2),
        ("{board: {set: {5/5: grow3}}}", "grow3", 1),
        ("{board: {0/0: moon}, hands: {A: [moon]}}", "moon", 2),
        ("{board: std, hands: {A: [grow3]}}", "grow3", 1),
    ],
)
def test_a_card_lies_in_one_place(tmp_path: Path, given: str, name: str, number: int):
    [told] = checked(tmp_path, given)
    says = f"`{name}` lies in two places"
    assert told[:4] == ("repeated-entry", 4, at(given, name, number), says)


@pytest.mark.parametrize(
    "given",
    [
        "{hands: {A: [sun]}, board: {0/0: grow5}}",
        "{hands: {A: [sun]}, board: {del: [2/0]}}",
        "{hands: {A: [sun]}, board: {set: {2/0: moon}}}",
        '{hands: {A: [moon], B: ["moon#2"]}}',
        "{fresh: true, draw: [sun, grow3]}",
    ],
)
def test_a_card_that_lies_in_one_place_is_silent(tmp_path: Path, given: str):
    assert checked(tmp_path, given) == []


GAME = """\
- kind: vocabulary
  game: orchard
  enums: {Colour: [red, green]}
  entities:
    Player: {noun: [player, players], max: 2}
    Fruit: {noun: [fruit, fruits], alike: true, max: 20, records: [fruit], static: {weight: Int}}
    Nest: {noun: [nest, nests], max: 2, fields: {under: {type: Player?}}, present: under}
    Wasp:
      noun: [wasp, wasps]
      max: 3
      fields: {home: {type: Nest?}, hue: {type: Colour?}}
      present: home
  kinds: {fruit: {makes: Fruit}}
  zones: {hand: {of: Fruit, per: Player, seen_by: owner, english: the hand}}
  scope: {me: {type: Player, life: game, english: you}}
  queries:
    swarm: {params: {nest: Nest}, result: List of Wasp, of: Wasp.home, max: 3, english: "the swarm of {nest}"}
- {kind: fruit, id: plum, weight: 1, copies: 2}
- {kind: flow, id: set_up, effect: finish drawn "no"}
- {kind: flow, id: turn, effect: finish drawn "no"}
"""
TRIED = '  - id: a\n    given: {}\n    when: [{{do: "say \\"hm\\""}}]\n    then: {{log: [hm]}}\n'


def tried(tmp_path: Path, given: str) -> list[tuple[str, int, str]]:
    """What is said of a case of the orchard."""
    text = CASES + TRIED.format(given)
    head = manifest("orchard", game="orchard")
    files = {"orchard/pack.yaml": head, "orchard/game.yaml": GAME, "orchard/cases.yaml": text}
    write(tmp_path, files)
    result = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas())
    return [
        (one.code, one.place.column, one.message)
        for one in result.diagnostics
        if one.severity == "error"
    ]


NEST = "{under: A}"


@pytest.mark.parametrize(
    ("given", "word", "says"),
    [
        (
            f"{{made: {{Nest: {{a: {NEST}, b: {NEST}, last: {NEST}}}}}}}",
            "last",
            "there are at most 2 nests, and this is one too many",
        ),
        (
            "{made: {Nest: {a: {under: A, swarm: [x, y, z, last]}}}}",
            "last",
            "there are at most 3 wasps, and this is one too many",
        ),
        (
            "{made: {Nest: {a: {under: A, swarm: {red: 1, green: 3}}}}}",
            "3}",
            "there are at most 3 wasps, and not 4",
        ),
        (
            "{players: [A, B], zones: {hand: {A: [plum, plum], B: [plum]}}}",
            "plum]}}",
            "there is no other `plum` that could lie there: the game has 2",
        ),
    ],
)
def test_other_games_have_limits_too(tmp_path: Path, given: str, word: str, says: str):
    column = f"    given: {given}".index(word) + 1
    [told] = tried(tmp_path, given)
    assert told[1:] == (column, says)


@pytest.mark.parametrize(
    "given",
    [
        f"{{made: {{Nest: {{a: {NEST}, b: {{under: A, swarm: {{red: 3}}}}}}}}}}",
        "{players: [A, B], zones: {hand: {A: [plum], B: [plum]}}}",
        "{things: {fig: {kind: fruit, weight: 1, copies: 3}}, zones: {hand: {A: [fig, fig, fig]}}}",
    ],
)
def test_what_fits_is_silent(tmp_path: Path, given: str):
    assert tried(tmp_path, given) == []


@pytest.mark.parametrize(
    ("supply", "says"),
    [
        ("{for_each: [home, heu], most: 2}", "there is no field in the token `heu`"),
        ("{for_each: [home], most: least_player}", "no setting with a number `least_player`"),
    ],
)
def test_the_supply_of_a_notation_is_held_against_the_game(tmp_path: Path, supply: str, says: str):
    notation = f"""\
- {{kind: setting, id: least_players, value: 2, min: 2, max: 2, english: the fewest}}
- kind: notation
  tokens: {{Wasp: "{{home}}{{hue}}"}}
  given: {{wasps: {{token: Wasp, supply: {supply}}}}}
  then: {{}}
  steps: {{}}
"""
    head = manifest("orchard", game="orchard")
    write(tmp_path, {"orchard/pack.yaml": head, "orchard/game.yaml": GAME + notation})
    [found] = compile_paths(tmp_path / "orchard", builtin=NOTHING, schemas=schemas()).diagnostics
    assert says in found.message
    assert found.help is not None
    assert found.help.startswith("did you mean")


LOOSE = CASES + PLAYED.format("gnostica.many", f"{{pieces: [{SMALL}]}}")
MISSHAPEN = ["{pieces: 5}", "{hands: [grow5]}", "{board: nope}", "{dice: 3}", "{players: 3}"]


def test_a_run_shows_no_exception_and_points_at_the_line(tmp_path: Path):
    more = "".join(PLAYED.format(f"gnostica.c{n}", one) for n, one in enumerate(MISSHAPEN))
    write(tmp_path, {"cases.yaml": LOOSE + more})
    done = call("test", tmp_path / "cases.yaml", "--game", "gnostica", "--format", "concise")
    assert done.code == 1
    assert "and not 18" in done.out
    assert f"cases.yaml:4:{at(f'{{pieces: [{SMALL}]}}', 'A1E@0/1', 6)}: " in done.out
    for line in (8, 12, 16, 20, 24):
        assert f"cases.yaml:{line}:" in done.out
    assert "Error" not in done.out
    assert "FAILED" not in done.out  # the findings have said what is wrong with each
    assert "6 failed" in done.out
