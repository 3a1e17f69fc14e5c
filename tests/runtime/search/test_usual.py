"""The usual answers of questions: what fills in a form, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.api.linking import driver_of
from ruleloom.bots.bot import SteadyBot
from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.games import driver_of as bind_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.program_json import program_data, program_of, program_text
from ruleloom.runtime.program.verify import check_program
from ruleloom.scenarios.results import PASSED
from ruleloom.scenarios.steps.attempts import Attempts
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write

FAIR = """\
- kind: vocabulary
  game: fair
  entities: {Player: {noun: [player, players], max: 4}}
  scope:
    me: {type: Player, life: game, english: you}
    best: {type: Int, life: game, initial: "2", english: the best}
- {kind: flow, id: set_up, effect: say "it begins"}
- kind: flow
  id: turn
  effect: |
"""


def begun(folder: Path, turn: str) -> Game:
    """The first prompt of a fair with this turn."""
    body = "".join(f"    {line}\n" for line in turn.strip("\n").split("\n"))
    write(folder, {"fair/pack.yaml": manifest("fair", game="fair"), "fair/game.yaml": FAIR + body})
    result = compile_paths(folder / "fair", builtin=NOTHING, schemas=schemas())
    assert result.program is not None, result.diagnostics
    check_program(program_of(program_data(result.program)))
    return new_game(link_game(result.program, driver_of(result.program), ("Ann", "Ben")), seed=1)


WAYS = 'choose one "What now?":\n    "rest": stop\n'
TEXT = 'say "{a}"\nset best = 3'


@pytest.mark.parametrize(
    ("turn", "usual", "default"),
    [
        ("choose a from 1 .. 3\nset best = a", None, None),
        ("choose a from 1 .. 3 usual best\nset best = a", ("2",), None),
        ("choose a from 1 .. 3 default 1 usual best + 1\nset best = a", ("3",), ("1",)),
        ("choose a from 1 .. 3 usual best + 2\nset best = a", None, None),
        ("choose a from 1 .. 3 default 1 usual best + 2\nset best = a", ("1",), ("1",)),
        ("choose a from 1 .. 3 or none\nif a is none: stop", ("none",), None),
        ("choose a from 1 .. 3 or none usual best\nif a is none: stop", ("2",), None),
        ("choose a from 1 .. 3 or none default 1 usual none\nif a is none: stop", ("none",), ("1",)),
        ("choose a from 1 .. 3 usual best\nensure a > best \"no\"", None, None),
        ("choose up to 2 a from 1 .. 3\nset best = count(a)", None, None),
        ("choose up to 2 a from 1 .. 3 usual []\nset best = count(a)", (), None),
        ("choose up to 2 a from 1 .. 3 usual [3, 1]\nset best = count(a)", ("3", "1"), None),
        ("choose exactly 2 a from 1 .. 3 usual [best]\nset best = count(a)", None, None),
        ("choose order a from 1 .. 3 usual [3, 1, 2]\nset best = count(a)", ("3", "1", "2"), None),
        ("choose a from 1 .. 3 usual 2 if best = 2 else none\nset best = a", ("2",), None),
        ("choose a from 1 .. 3 usual 2 if best = 3 else none\nset best = a", None, None),
        (f'ask me for text a usual "well"\n{TEXT}', ("well",), None),
        (f'ask me for text a default "no" usual "well"\n{TEXT}', ("well",), ("no",)),
        ('ask me for text a or none usual "well"\nif a is none: stop', ("well",), None),
        ('ask me for text a usual "well"\nensure a != "well" "no"', None, None),
        ('optional "work":\n    set best = 3', ("skip",), ("skip",)),
        ('optional "work" usual:\n    set best = 3', ("do",), ("skip",)),
        (f'{WAYS}    "work": say "w"', None, None),
        (f'{WAYS}    "work" usual: say "w"', ("work",), None),
        (f'{WAYS}    "work" when best > 2 usual: say "w"\n    "sing" usual: say "s"', ("sing",), None),
        (f'{WAYS}    "work" usual:\n        ensure best > 2 "no"\n    "sing": say "s"', None, None),
    ],
)  # fmt: skip
def test_what_is_usual(
    turn: str, usual: tuple[str, ...] | None, default: tuple[str, ...] | None, tmp_path: Path
):
    prompt = begun(tmp_path, turn).prompt
    assert (prompt.usual, prompt.default) == (usual, default)


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        ("choose a from 1 .. 3 default 1 usual 3\nset best = a", 1),
        ("choose a from 1 .. 3 usual 3\nset best = a", 1),
        ("choose up to 2 a from 1 .. 3 usual [3]\nset best = count(a)", ()),
        (f'ask me for text a or none usual "well"\n{TEXT}', None),
        ('optional "work" usual:\n    set best = 3', 1),
        (f'{WAYS}    "work" usual: say "w"', 0),
    ],
)
def test_the_steady_bot_does_not_see_it(turn: str, answer: object, tmp_path: Path):
    assert SteadyBot().answer(begun(tmp_path, turn).node, 0) == answer


CASES = """\
cases:
  - id: silent
    given: {}
    when:
      - do: |
          choose a from 1 .. 3 default 1 usual 3
          say "it is {a}"
          optional "work" usual: say "work"
    then: {log: [it is 1]}
"""


def test_cases_take_the_default(tmp_path: Path):
    begun(tmp_path, "choose a from 1 .. 3\nset best = a")
    content = load([tmp_path / "fair"], Report(), NOTHING, schemas())
    cases = read_cases(Source("cases.yaml", CASES), Report())
    assert content is not None
    assert cases is not None
    done = Attempts.of(content, cases, drivers=bind_of).run(cases[0], {})
    assert done.status == PASSED, done.message


def test_a_program_without_usual_answers_is_as_it_was(tmp_path: Path):
    plain = begun(tmp_path / "one", "choose a from 1 .. 3\nset best = a").linked.program
    marked = begun(tmp_path / "two", "choose a from 1 .. 3 usual 3\nset best = a").linked.program
    assert ('"usual"' in program_text(plain), '"usual"' in program_text(marked)) == (False, True)
    assert program_of(program_data(marked)) == marked
