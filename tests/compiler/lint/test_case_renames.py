"""Names in cases that items had before, or that a patch has taken out of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import compile_paths
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write

GAME = """\
- kind: vocabulary
  game: orchard
  enums: {Colour: [red, green]}
  entities:
    Player: {noun: [player, players], max: 2}
    Fruit:
      noun: [fruit, fruits]
      max: 20
      records: [fruit]
      static: {weight: Int}
      fields: {holder: {type: Player?}}
    Seed: {noun: [seed, seeds], max: 20, records: [seed], static: {of: Fruit}}
  kinds: {fruit: {makes: Fruit}, seed: {makes: Seed}}
  zones: {meadow: {of: Fruit, seen_by: all, english: the meadow}}
  scope: {me: {type: Player, life: game, english: you}}
  operations:
    drop: {params: {what: Fruit}, sets: {}, moves: {what: meadow}, english: "drop {what}", log: "{me} drops {what}"}
- {kind: fruit, id: prune, renamed_from: plum, weight: 1}
- {kind: fruit, id: fig, weight: 1}
- {kind: measure, id: heft, renamed_from: burden, takes: "what: Fruit", gives: Int, is: weight(what), english: "the heft of {what}"}
- {kind: setting, id: most, renamed_from: limit, value: 3, min: 1, max: 9, english: the most}
- {kind: power, id: let_go, renamed_from: lose, takes: "what: Fruit", gloss: let go, effect: drop(what)}
- {kind: flow, id: set_up, effect: finish drawn "no"}
- {kind: flow, id: turn, effect: finish drawn "no"}
"""
CASES = "kind: scenarios\ncases:\n"
NO_FIG = "- {kind: patch, id: no-fig, target: orchard:fruit/fig, disable: true}\n"
HUM = 'when: [{do: "say \\"hm\\""}]'
HUMMED = "then: {log: [hm]}"


def told(folder: Path, case: str, of_the_game: bool = False) -> list[tuple[str, str, str, str]]:
    """What is said of one case: of the pack that takes the fig out, or of the game."""
    files = {
        "orchard/pack.yaml": manifest("orchard", game="orchard"),
        "orchard/game.yaml": GAME,
        "bare/pack.yaml": manifest("bare", game="orchard"),
        "bare/no-fig.yaml": NO_FIG,
        f"{'orchard' if of_the_game else 'bare'}/cases.yaml": CASES + case,
    }
    write(folder, files)
    paths = [folder / "orchard", folder / "bare"]
    result = compile_paths(paths, builtin=NOTHING, schemas=schemas())
    assert result.program is not None
    return [
        (one.severity, one.code, one.message, str(one.help))
        for one in result.diagnostics
        if one.code != "unused"
    ]


def case(given: str = "{}", when: str = HUM, then: str = HUMMED) -> str:
    return f"  - id: a\n    given: {given}\n    {when}\n    {then}\n"


TAKEN = "`{}` is now called `{}`, and is taken as that"
GONE = "`fig` is not in the game: `bare:patch/no-fig` takes it out"
CHOOSE = 'when: [{{do: "choose what from Fruit", answers: {{what: {0}}}}}]'


@pytest.mark.parametrize(
    "text",
    [
        case(when=CHOOSE.format("OLD"), then="then: {zones: {meadow: []}}"),
        case(given="{zones: {meadow: [OLD]}}"),
        case(then="then: {zones: {meadow: [OLD]}}"),
        case(given="{state: {OLD: {holder: A}}}"),
        case(then="then: {numbers: {OLD: {heft: 1}}}"),
        case(then="then: {numbers: {heft(OLD): 1}}"),
    ],
    ids=["answer", "zone", "claimed zone", "state", "number", "argument"],
)
@pytest.mark.parametrize(
    ("old", "severity", "code", "says", "help"),
    [
        ("plum", "warning", "renamed", TAKEN.format("plum", "prune"), "write `prune`"),
        ("fig", "error", "unknown-name", GONE, "None"),
    ],
)
def test_what_became_of_a_thing_is_told(
    tmp_path: Path, text: str, old: str, severity: str, code: str, says: str, help: str
):
    assert told(tmp_path, text.replace("OLD", old)) == [(severity, code, says, help)]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (case(then="then: {numbers: {prune: {burden: 1}}}"), "burden", "heft"),
        (case(given="{settings: {limit: 2}}"), "limit", "most"),
    ],
)
def test_what_became_of_a_number_is_told(tmp_path: Path, text: str, old: str, new: str):
    says = TAKEN.format(old, new)
    assert told(tmp_path, text) == [("warning", "renamed", says, f"write `{new}`")]


@pytest.mark.parametrize(
    ("do", "old", "new"), [("drop(plum)", "plum", "prune"), ("use lose(prune)", "lose", "let_go")]
)
def test_a_text_takes_an_old_name_as_the_new_one(tmp_path: Path, do: str, old: str, new: str):
    """As those of items do, with a warning: the case runs."""
    says = f"`{old}` is now called `{new}`, and is taken as that"
    text = case(when=f'when: [{{do: "{do}"}}]', then="then: {zones: {meadow: [prune]}}")
    assert told(tmp_path, text) == [("warning", "renamed", says, f"write `{new}`")]


def test_a_thing_keeps_an_old_name(tmp_path: Path):
    """What is printed on it is read as on an item, with a warning: the case runs."""
    given = "{things: {odd: {kind: seed, of: plum}}}"
    found = told(tmp_path, case(given=given, then="then: {numbers: {odd: {of: prune}}}"))
    assert [one[:2] for one in found] == [("warning", "renamed")]


def test_a_text_cannot_name_what_is_gone(tmp_path: Path):
    text = case(when='when: [{do: "drop(fig)"}]', then="then: {zones: {meadow: []}}")
    [found] = told(tmp_path, text)
    assert found[2] == "`fig` is not in the game: `bare:patch/no-fig` takes it out"


def test_the_cases_of_others_hold_without_a_patch(tmp_path: Path):
    """The game's own case names the fig, and was right: a run tells which pack breaks it."""
    text = case(given="{zones: {meadow: [fig]}}")
    assert told(tmp_path, text, of_the_game=True) == []
