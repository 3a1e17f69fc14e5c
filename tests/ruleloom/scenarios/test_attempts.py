"""Cases that run effect text: every claim can hold and can fail, and every answer is wanted and is
there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.scenarios.results import FAILED, PASSED, Result
from ruleloom.scenarios.steps.attempts import Attempts
from tests.conftest import ROOT
from tests.support.check_layer import NOTHING, game_files, schemas
from tests.support.orchard_driver import bind
from tests.support.pack_examples import write
from tests.support.scenario_runs import checked_cases, run_cases

YIELDS = "yield: {type: Int, by: Fruit}"
PICKER = "    max: 3\n"
FIELDS = """\
    max: 30
    fields: {tired: {type: Int, min: 0, max: 100}, holds: {type: Fruit?}, wet: {type: Bool}, fed: {type: List of Fruit},
             love: {type: Int, by: Colour, initial: 2, max: 9}}
"""
RULES = """\
- {kind: stat, id: pace, takes: "who: Picker, of: Colour", is: "speed(who, of) - tired(who)", english: "{of} of {who}"}
- kind: power
  id: exert
  takes: "who: Picker"
  gloss: exert
  effect: |
    choose effort from [0, 5, 10] where effort < pace(who, red) default 0 "How hard?"
    roll strike = 1d20
    set day = strike + effort
- kind: trigger
  id: glad
  event: "put(player, size, spot)"
  timing: afterwards
  once_per: turn
  gloss: glad
  effect: |
    set day = day + 100
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    files = {**game_files(), "more.yaml": RULES}
    vocabulary = files["vocabulary.yaml"]
    assert YIELDS in vocabulary
    assert vocabulary.count(PICKER) == 1
    vocabulary = vocabulary.replace(YIELDS, YIELDS[:-1] + ", default: 0}").replace(PICKER, FIELDS)
    files["vocabulary.yaml"] = vocabulary
    folder = tmp_path_factory.mktemp("orchard")
    write(folder, {f"orchard/{name}": text for name, text in files.items()})
    report = Report()
    content = load([folder / "orchard"], report, NOTHING, schemas())
    assert content is not None
    assert not report.has_errors, report.diagnostics()
    return content


def results(content: Content, text: str) -> list[Result]:
    cases = read_cases(Source("cases.yaml", text), Report())
    assert cases
    attempts = Attempts.of(content, cases, drivers=lambda _game: bind)
    return [attempts.run(case, {}) for case in cases]


def text_of(given: str, does: str, then: str) -> str:
    """A case; `does` is its steps, one a line, each the fields of a mapping."""
    steps = "".join(f"      - {{{step}}}\n" for step in does.strip().splitlines())
    return f"cases:\n  - id: one\n    given: {given}\n    when:\n{steps}    then: {then}\n"


def result(content: Content, given: str, does: str, then: str) -> Result:
    """What comes of a case."""
    [found] = results(content, text_of(given, does, then))
    return found


ANN = (
    "things: {ann: {kind: picker, speed: {red: 7}, title: Ann Apple}, fig: {kind: fruit, weight: 3, "
    "tint: red}}"
)
EXERT = 'do: "use exert(ann)"'

CHOICE = (
    'do: "choose one \\"Rest, or work?\\":\\n    \\"rest\\":\\n        set day = 2\\n'
    '    \\"some work\\":\\n        set day = 3"'
)

MAYBE = 'do: "let many = 2\\noptional \\"rest {many} days\\":\\n    set day = 2"'

TIRED = f"{ANN}, state: {{ann: {{tired: 1}}}}"
HOLDS = [
    # numbers: variables, fields, stats, lists, words, truth
    ("state: {day: 3}", 'do: "set day = day + 1"', "numbers: {day: 4}"),
    (
        f"{ANN}, state: {{ann: {{tired: 2}}}}",
        'do: "set day = tired(ann)"',
        "numbers: {ann: {tired: 2, pace(red): 5}, day: 2}",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 2}}}}",
        'do: "set favourite = fig"',
        "numbers: {tired: 2, favourite: fig}",
    ),
    (
        f"{ANN}, state: {{ann: {{holds: fig}}}}",
        'do: "set favourite = holds(ann)"',
        "numbers: {favourite: fig, holds: fig}",
    ),
    (
        f"{ANN}, state: {{ann: {{wet: yes, fed: [fig]}}}}",
        'do: "set day = 1 if wet(ann) else 2"',
        "numbers: {wet: true, fed: [fig], day: 1}",
    ),
    (
        f"{ANN}, state: {{ann: {{holds: none}}, favourite: fig}}",
        'do: "set favourite = holds(ann)"',
        "numbers: {favourite: none}",
    ),
    (
        f"{ANN}, state: {{ann: {{love(red): 4, love(gold): 2}}}}",
        'do: "set day = love(ann, red) * 10 + love(ann, gold)"',
        "numbers: {day: 42, ann: {love(red): 4}, love(green): 2}",
    ),
    # who acts and who plays
    ("players: [Gwen, Bo], me: Bo", 'do: "finish won by me \\"so\\""', "over: {winner: Bo}"),
    (
        "players: [Gwen, Bo]",
        'do: "finish won by me \\"so\\""',
        "over: {winner: Gwen, drawn: false}",
    ),
    ("{}", 'do: "finish drawn \\"so\\""', "over: {drawn: true}"),
    (
        "switches: {weather: rainy}",
        'do: "set day = 1 if weather = rainy else 2"',
        "numbers: {day: 1}",
    ),
    ("settings: {most: 7}", 'do: "set day = most"', "numbers: {day: 7}"),
    # answers
    (
        f"{ANN}, state: {{ann: {{tired: 1}}}}",
        f"{EXERT}, answers: {{effort: 5, strike: 12}}",
        "numbers: {day: 17}",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 1}}}}",
        f"{EXERT}, answers: [{{effort: 5}}, {{strike: 12}}]",
        "numbers: {day: 17}",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 1}}}}",
        f"{EXERT}, answers: {{strike: 12}}",
        "numbers: {day: 12}",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 1}}}}",
        f"{EXERT}, answers: {{strike: [[12]]}}",
        "numbers: {day: 12}",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 1}}}}",
        f"{EXERT}, answers: {{strike: 1}}\n{EXERT}, answers: {{strike: 2}}",
        "numbers: {day: 2}",
    ),
    (
        "{}",
        'do: "roll luck = 3d6\\nset day = luck", answers: {luck: [[1, 2, 6]]}',
        "numbers: {day: 9}",
    ),
    (
        "{}",
        'do: "repeat 2 times:\\n    roll luck = 1d6\\n    set day = day + luck", answers: {luck: [3, 4]}',
        "numbers: {day: 8}",
    ),
    (
        "{}",
        'do: "optional \\"rest\\":\\n    set day = 9", answers: {rest: yes}',
        "numbers: {day: 9}",
    ),
    (
        "{}",
        'do: "optional \\"rest\\":\\n    set day = 9", answers: {rest: no}',
        "numbers: {day: 1}",
    ),
    ("{}", 'do: "optional \\"rest\\":\\n    set day = 9"', "numbers: {day: 1}"),
    (
        "{}",
        CHOICE + ', answers: {"Rest, or work?": some work}',
        "numbers: {day: 3}",
    ),
    (
        ANN,
        'do: "choose one_of from Fruit where weight(one_of) = 3\\nset favourite = one_of"',
        "numbers: {favourite: fig}",
    ),
    (
        ANN,
        'do: "choose any number of some from Fruit\\nset day = count(some)", answers: {some: [fig, plum]}',
        "numbers: {day: 2}",
    ),
    (
        ANN,
        'do: "choose any number of some from Fruit\\nset day = count(some)", answers: {some: []}',
        "numbers: {day: 0}",
    ),
    (
        "players: [A, B]",
        'do: "each who in players secretly choose bid from [1, 2]\\nset day = bid(me)", answers: {bid: {A: 2, B: 1}}',
        "numbers: {day: 2}",
    ),
    (
        "players: [A, B]",
        'do: "each who in players secretly choose bid from [1, 2]\\nroll luck = 1d6\\nset day = bid(me) + luck", '
        "answers: [{bid: 2}, {luck: 4}]",
        "numbers: {day: 6}, whom: {bid: [A, B], luck: [A]}",
    ),
    # where it stops
    (
        f"{ANN}, state: {{ann: {{tired: 0}}}}, players: [Gwen, Bo]",
        EXERT,
        "asked: {name: effort, of: Gwen, offered: [0, 5]}",
    ),
    (f"{ANN}, state: {{ann: {{tired: 0}}}}", EXERT, "asked: {name: strike}"),
    (f"{ANN}, state: {{ann: {{tired: 0}}}}", EXERT, "asked: {of: A}"),
    (
        "{}",
        'do: "optional \\"rest\\":\\n    set day = 9"',
        "asked: {name: rest, offered: [yes, no]}, numbers: {day: 1}",
    ),
    # refusals
    (
        f"{ANN}, state: {{ann: {{tired: 3}}}}",
        f"{EXERT}, answers: {{effort: 5}}",
        "legal: false, reason: less than",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 3}}}}",
        f"{EXERT}, answers: {{effort: 7}}",
        "legal: false, reason: not one of the options",
    ),
    # what is told
    (
        f"{ANN}, state: {{ann: {{tired: 0}}}}",
        'do: "say \\"one\\"\\nuse exert(ann)", answers: {strike: 4}\ndo: "say \\"two\\""',
        'log: [one, "rolls 4", two]',
    ),
    (ANN, 'do: "eat(fig)"', 'log: ["A eats fig"]'),
    (ANN, 'do: "eat(fig)"\ndo: "eat(fig)"', "done: {eat: 2, drop: 0}"),
    # triggers of what has been done
    ("{}", 'do: "put(me, 1, home(me))"', "numbers: {day: 101}"),
    ("{}", 'do: "put(me, 1, home(me))"\ndo: "put(me, 1, home(me))"', "numbers: {day: 101}"),
    # flows
    (
        f"{ANN}, players: [A, B]",
        "do: set_up, answers: {card: plum}",
        "asked: {name: card, of: B, offered: [pear, 'pear#2', fig]}",
    ),
    ("{}", "do: turn", "asked: {offered: [walk, gamble]}"),
    (f"{ANN}, state: {{ann: {{tired: 0}}}}", 'do: "set day = 1"', "unasked: [effort]"),
    ("{}", f'{MAYBE}\ndo: "set day = 1"', "unasked: [rest 2 days]"),
    ("{}", f'{MAYBE}\ndo: "set day = 1"', 'unasked: ["rest {many} days"]'),
    (
        "{}",
        MAYBE + ', answers: {"rest {many} days": yes}',
        'whom: {"rest {many} days": A}, numbers: {day: 2}',
    ),
    ("{}", MAYBE, 'asked: {name: "rest {many} days"}'),
    (
        f"{ANN}, state: {{ann: {{tired: 0}}}}",
        f'{EXERT}, answers: {{effort: 5, strike: 3}}\ndo: "set day = 1"',
        "unasked: [effort]",
    ),
    (TIRED, f"{EXERT}, answers: {{effort: 5, strike: 3}}", "whom: {effort: A, strike: A}"),
    (TIRED, f"{EXERT}, answers: {{effort: 5, strike: 3}}", "whom: {effort: [A], strike: [A]}"),
    (TIRED, 'do: "set day = 1"', "whom: {effort: []}"),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5, strike: 3}}",
        "offers: {effort: [0, 5], strike: [1 .. 20]}",
    ),
    # each time by itself
    (
        TIRED,
        'do: "use exert(ann)\\nuse exert(ann)", answers: {effort: [5, 0], strike: [3, 4]}',
        "whom: {effort: [A, A], strike: [A, A]}, offers: {effort: [[0, 5], [0, 5]]}",
    ),
    # chances
    (
        "{}",
        'do: "roll luck = 2d6"',
        'odds: {"luck >= 10": 1/6, "luck = 7": 1/6, "luck > 12": 0, "luck < 13": 1}',
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 0}}}}",
        f"{EXERT}, answers: {{effort: 5}}",
        'odds: {"day >= 20": 3/10}',
    ),
    (
        "{}",
        'do: "roll one_die = 1d6\\nroll luck = 1d6", answers: {one_die: 6}',
        'odds: {"luck + one_die > 10": 1/3}',
    ),
    # between the steps
    (
        "{}",
        'do: "set day = 3\\nsay \\"one\\"", then: {numbers: {day: 3}, log: [one], unlogged: [two]}\n'
        'do: "set day = 4\\nsay \\"two\\"", then: {numbers: {day: 4}, log: [two], unlogged: [one]}',
        "numbers: {day: 4}, log: [one, two]",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5, strike: 3}}, then: {{whom: {{effort: A}}, offers: "
        '{effort: [0, 5]}, done: {eat: 0}}\ndo: "eat(fig)", then: {unasked: [effort], done: {eat: 1}}',
        "done: {eat: 1}",
    ),
    # what is not told, and not seen
    ("{}", 'do: "say \\"one\\""', "unlogged: [two, three]"),
    (
        "players: [A, B]",
        'do: "say to after(me) \\"go on\\""',
        "log: [go on], sees: {B: {log: [go on]}}",
    ),
    ("players: [A, B], zones: {hand: {A: [plum]}}", 'do: "set day = 1"', "unseen: {B: [plum]}"),
    # what does not compile
    ("{}", 'do: "set dey = 1"', "refused: there is no `dey`"),
    (ANN, 'do: "set favourite = ann"', "refused: ann"),
    # what cannot be played so
    ("settings: {most: 99999}", 'do: "set day = most"', "refused: '`most` is a number from'"),
]


@pytest.mark.parametrize(("given", "does", "then"), HOLDS)
def test_what_holds(content: Content, given: str, does: str, then: str):
    found = result(content, given if given == "{}" else f"{{{given}}}", does, f"{{{then}}}")
    assert found.status == PASSED, found.message


WRONG = [
    # what was asked instead, in which step
    (
        TIRED,
        f'do: "set day = 3"\n{EXERT}, answers: {{effrt: 5, strike: 3}}',
        "numbers: {day: 8}",
        "step 2: `effrt` was never asked for; asked: `effort` and `strike`; did you mean `effort`?",
    ),
    ("{}", 'do: "set day = 3", answers: {much: 2}', "numbers: {day: 3}", "; the step asks nothing"),
    (
        TIRED,
        f'{EXERT}, answers: {{effort: 7}}\ndo: "set day = 3"',
        "numbers: {day: 3}",
        "on offer: 0, 5",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{efort: 5}}",
        "numbers: {day: 8}",
        "`efort` is answered, but not asked",
    ),
    # what comes to nothing is not refused
    (
        "{}",
        'do: "ensure day > 2 \\"it is too early\\""',
        "legal: false",
        "it is too early, which `log: [comes to nothing]` claims, and no `legal: false`",
    ),
    (
        "{}",
        'do: "set day = 3", then: {numbers: {day: 4}}\ndo: "set day = 4"',
        "numbers: {day: 4}",
        "after step 1: day: wanted 4, found 3",
    ),
    (
        "{}",
        'do: "say \\"one\\""\ndo: "set day = 4", then: {log: [one]}',
        "log: [one]",
        "after step 2: log: no line has `one`: nothing",
    ),
    ("{}", 'do: "say \\"one two\\""', "unlogged: [two]", "`two` stands in the log: `one two`"),
    (
        "players: [A, B], zones: {hand: {A: [plum]}}",
        'do: "set day = 1"',
        "unseen: {A: [plum]}",
        "unseen: A may see `plum`",
    ),
    ("{}", 'do: "set day = 1"', "unseen: {A: [plm]}", "nothing called `plm` can be hidden"),
    (
        "players: [A, B]",
        'do: "say to me \\"go on\\""',
        "sees: {B: {log: [go on]}}",
        "sees: B: log: no line has `go on`",
    ),
    ("{}", 'do: "set day = 3"', "numbers: {day: 4}", "day: wanted 4, found 3"),
    (TIRED, 'do: "set day = 3"', "numbers: {ann: {tired: 2}}", "ann: tired: wanted 2, found 1"),
    (
        TIRED,
        'do: "set day = 3"',
        "numbers: {ann: {pace(red): 7}}",
        "ann: pace(red): wanted 7, found 6",
    ),
    (TIRED, 'do: "set day = 3"', "numbers: {bob: {tired: 2}}", "there is no thing or player `bob`"),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5}}",
        "numbers: {day: 5}",
        "nobody answers `strike`, asked of A: 1d20",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{strike: 5, effrt: 5}}",
        "numbers: {day: 5}",
        "`effrt` was never asked for",
    ),
    # Nothing takes the place of a default that is not on offer.
    (
        "state: {day: 2}",
        'do: "choose few from [1, day] where few = day default 1\\nset day = few + 5"',
        "numbers: {day: 7}",
        "nobody answers `few`, asked of A, whose default is not on offer: 2",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{strike: [5, 6]}}",
        "numbers: {day: 5}",
        "`strike` was asked for once only, and not for `6`; asked: `effort` and `strike`",
    ),
    (
        "{}",
        'do: "choose few from [1, 2]\\nchoose more from [1, 2]\\nset day = few + more", '
        "answers: [{more: 1}, {few: 2}]",
        "numbers: {day: 3}",
        "nobody answers `few`, asked of A: 1, 2; the answers are in order, and `more` is answered first",
    ),
    (
        "{}",
        'do: "choose any number of few from [1, 2]\\nensure count(few) = 1 \\"just one\\"", answers: {few: [1, 2]}',
        "numbers: {day: 5}",
        "step 1: just one",
    ),
    (
        "{}",
        'do: "choose any number of few from [1, 2] default []\\nensure count(few) = 1 \\"just one\\""',
        "numbers: {day: 5}",
        "the usual answer to `few`, which the case leaves out, is refused: just one",
    ),
    (
        "players: [A, B]",
        'do: "choose bid from [1, 2] by me\\neach who in players - [me] secretly choose vote from [1, 2]", '
        "answers: {bid: 1, vote: {A: 1, B: 2}}",
        "numbers: {day: 1}",
        "`vote` was not asked of A",
    ),
    *(
        (
            "players: [A, B]",
            f'do: "each who in players secretly choose vote from [1, 2]", answers: {answers}',
            "numbers: {day: 1}",
            "A has no answer to `vote`",
        )
        for answers in ("{vote: []}", "[{vote: []}]", "{vote: {A: []}}")
    ),
    (
        ANN,
        f"{EXERT}, answers: {{strike: 5}}",
        "asked: {name: effort}",
        "`effort` is asked, but the step goes on",
    ),
    (
        TIRED,
        f"{EXERT}, answers: [{{strike: 5}}, {{effort: 5}}]",
        "numbers: {day: 5}",
        "`effort` was never asked for",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{strike: 21}}",
        "numbers: {day: 21}",
        "`strike` is a roll of 1d20, which cannot come to `21`",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{strike: [[3, 4]]}}",
        "numbers: {day: 7}",
        "which cannot come to `3, 4`",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: hard, strike: 3}}",
        "numbers: {day: 7}",
        "`hard` is no answer to `effort`: 0, 5",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 10, strike: 3}}",
        "numbers: {day: 7}",
        "`strike` was never asked for, and the answer before was refused: needs: 10 is less than",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 10}}",
        "numbers: {day: 7}",
        "step 1: needs: 10 is less than",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: hard}}",
        "legal: false",
        "`hard` is no answer to `effort`",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 10}}",
        "legal: false, reason: tired",
        "refused for another reason than `tired`",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5, strike: 1}}",
        "legal: false",
        "the last answer was taken, but should be refused",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 10}}\n{EXERT}, answers: {{effort: 10}}",
        "legal: false",
        "step 1: needs: 10",
    ),
    (TIRED, EXERT, "asked: {name: strike, of: B}", "asked: of: wanted B, found A"),
    (
        TIRED,
        EXERT,
        "asked: {name: effort, offered: [0, 5, 10]}",
        "asked: offered: wanted 0, 5, 10, found 0, 5",
    ),
    (TIRED, EXERT, "asked: {of: A, name: stroke}", "nobody answers `strike`"),
    (TIRED, EXERT, "asked: {who: A}", "`who` is not a field of `asked`"),
    ("{}", 'do: "set day = 3"', "asked: {of: A}", "asked: nothing is asked"),
    (
        "{}",
        'do: "say \\"one\\"\\nsay \\"two\\""',
        "log: [two, one]",
        "log: no line has `one` at its place: one, two",
    ),
    ("{}", 'do: "say \\"one\\""', "log: [three]", "log: no line has `three`: one"),
    (ANN, 'do: "eat(fig)"', "done: {eat: 2}", "done: eat: wanted 2, found 1"),
    (ANN, 'do: "eat(fig)"', "done: {eat: 0}", "done: eat: wanted 0, found 1"),
    (
        "{}",
        'do: "say \\"one\\""',
        "done: {eet: 0}",
        "there is no operation `eet`: did you mean `eat`?",
    ),
    (
        "{}",
        'do: "finish won by me \\"so\\""',
        "over: {winner: B}",
        "over: winner: wanted B, found A",
    ),
    (
        "{}",
        'do: "finish won by me \\"so\\""',
        "over: {drawn: true}",
        "over: drawn: wanted true, found false",
    ),
    ("{}", 'do: "set day = 3"', "over: {drawn: true}", "over: the game goes on"),
    (
        "{}",
        'do: "finish drawn \\"so\\""\ndo: "set day = 3"',
        "over: {drawn: true}",
        "the game is over before step 2",
    ),
    (
        "{}",
        'do: "roll luck = 2d6"',
        'odds: {"luck = 7": 1/5}',
        "odds: luck = 7: wanted 1/5, found 1/6",
    ),
    ("{}", 'do: "roll luck = 2d6"', 'odds: {"luck": 1/5}', "`luck` is no condition"),
    (
        "{}",
        'do: "roll luck = 2d6", answers: {lack: 3}',
        'odds: {"luck = 7": 1/6}',
        "`lack` was never asked for",
    ),
    (
        "{}",
        'do: "roll luck = 2d6\\nchoose it from [1, 2]"',
        'odds: {"luck = 7": 1/6}',
        "nobody answers `it`, asked of A: 1, 2",
    ),
    (
        "{}",
        'do: "set dey = 1"',
        "numbers: {day: 1}",
        "this does not compile: line 5: there is no `dey` to change",
    ),
    (
        "{}",
        'do: "set day = 1"',
        "refused: there is no `dey`",
        "this compiles, but should be refused",
    ),
    ("{}", 'do: "set dey = 1"', "refused: luck", "refused for another reason than `luck`"),
    (
        "settings: {most: 7}",
        'do: "set day = most"',
        "refused: most",
        "this compiles, but should be refused",
    ),
    (
        "settings: {most: 99999}",
        'do: "set day = most"',
        "refused: luck",
        "refused for another reason than `luck`",
    ),
    (
        "state: {dey: 1}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "there is no variable of the game and no thing `dey`",
    ),
    (
        f"{ANN}, state: {{ann: {{tyred: 1}}}}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "`ann` has no field `tyred` that changes in play",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 101}}}}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "`tired` lies between 0 and 100",
    ),
    (
        f"{ANN}, state: {{ann: {{tired: 1/2}}}}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "a whole number is wanted here, and not `1/2`",
    ),
    (
        f"{ANN}, state: {{ann: {{love: 1}}}}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "`love` has a colour in parentheses",
    ),
    (
        f"{ANN}, state: {{ann: {{tired(red): 1}}}}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "`tired` has nothing in parentheses",
    ),
    (
        f"{ANN}, state: {{ann: {{love(pink): 1}}}}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "`pink` is no Colour",
    ),
    (
        ANN,
        'do: "set day = 1"',
        "numbers: {ann: {love(red): 3}}",
        "ann: love(red): wanted 3, found 2",
    ),
    ("me: C", 'do: "set day = 1"', "numbers: {day: 1}", "`C` is no Player"),
    (
        "players: [Gwen, Gwen]",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "two players have the same name",
    ),
    (
        "settings: {moost: 3}",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "there is no switch or setting `moost`",
    ),
    (
        "pieces: []",
        'do: "set day = 1"',
        "numbers: {day: 1}",
        "line 3: `pieces` is not a field of `given`",
    ),
    ("{}", 'do: "set day = 1"', "pieces: []", "`pieces` is not a field of `then`"),
    ("{}", 'do: "set day = 1"', "note: nothing", "`then` claims nothing"),
    (
        "{}",
        'do: "roll luck = 1d6"',
        'odds: {"luck = 1": 1/6}, numbers: {day: 1}',
        "`odds` is the only claim",
    ),
    ("{}", 'do: "set day = 1"', "reason: so", "needs a field `legal`, as it has `reason`"),
    ("{}", 'do: "set day = 1"', "numbers: {}", "`numbers` must have at least 1 entry"),
    (
        "{}",
        'do: "set day = 1"\noption: play',
        "numbers: {day: 1}",
        "`option` is not a field of `when`, which",
    ),
    (
        "{}",
        'do: "set day = 1", answer: {}',
        "numbers: {day: 1}",
        "is not a field of `when`: did you mean",
    ),
    (
        "{}",
        'do: "set day = 1", answers: [{a: 1, b: 2}]',
        "numbers: {day: 1}",
        "must have at most 1 entry",
    ),
    ("{}", 'do: "set day = 1"', "legal: true", "`true` cannot stand in `legal`; expected `false`"),
    ("{}", 'do: "choose it from hand\\nset day = 3"', "numbers: {day: 3}", "comes to nothing"),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5, strike: 3}}",
        "whom: {effort: B}",
        "whom: effort: wanted B, found A",
    ),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5, strike: 3}}",
        "offers: {strike: [1 .. 21]}",
        "offers: strike: wanted 1 .. 21, found 1, 2, 3",
    ),
    (TIRED, 'do: "set day = 1"', "offers: {effort: [5]}", "offers: effort: this is not asked"),
    (TIRED, EXERT, "asked: {name: effort, offered: [9 .. 3]}", "`9 .. 3` is no span"),
    (TIRED, 'do: "set day = 1"', "whom: {effort: A}", "whom: effort: wanted A, found nobody"),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5, strike: 3}}",
        "whom: {effort: [A, A]}",
        "whom: effort: wanted A, A, found A",
    ),
    (TIRED, 'do: "set day = 1"', "whom: {effort: [A]}", "whom: effort: wanted A, found nobody"),
    (
        TIRED,
        f"{EXERT}, answers: {{effort: 5, strike: 3}}",
        "unasked: [effort]",
        "unasked: `effort` is asked",
    ),
    ("{}", MAYBE, "unasked: [rest 2 days]", "unasked: `rest 2 days` is asked"),
    ("{}", MAYBE, 'unasked: ["rest {many} days"]', "unasked: `rest {many} days` is asked"),
    ("{}", MAYBE, 'whom: {"rest {many} days": B}', "wanted B, found A"),
    (
        TIRED,
        'do: "set day = 1"',
        "whom: {effrot: []}",
        "nothing asks for `effrot`",
    ),
]


@pytest.mark.parametrize(("given", "does", "then", "told"), WRONG)
def test_what_does_not_hold(content: Content, given: str, does: str, then: str, told: str):
    text = text_of(given if given == "{}" else f"{{{given}}}", does, f"{{{then}}}")
    [found], [checked] = results(content, text), checked_cases(content, text)
    assert checked.fault or found.status == FAILED  # a slip that is found by checking is not run
    assert told in f"{found.message}, {checked.fault}"


def test_one_case_does_not_spoil_another(content: Content):
    text = """\
cases:
  - id: one
    given: {things: {ann: {kind: picker}}}
    when: [{do: "set day = speed(ann, red)"}]
    then: {numbers: {day: 5}}
  - id: two
    given: {things: {bob: {kind: picker}}}
    when: [{do: "set day = speed(ann, red)"}]
    then: {numbers: {day: 5}}
  - id: three
    given: {things: {ann: {kind: picker, speed: {red: 3}}}}
    when:
      - do: |
          set day = speed(ann, red)

          set day = day + speed(bob, red)
    then: {refused: "line 16: there is no `bob` here"}
  - id: four
    given: {things: {ann: {kind: picker, speed: {red: 3}}}}
    then: {numbers: {pace(red): 3}}
"""
    found = results(content, text)
    assert [one.status for one in found] == [PASSED, FAILED, PASSED, PASSED]
    assert "line 8: there is no `ann` here" in found[1].message


def test_gnostica_runs_texts_beside_its_own_cases():
    result = compile_paths(["gnostica"], scenarios=False)
    assert result.program is not None
    text = """\
cases:
  - id: a-roll
    when: [{do: "roll luck = 2d6\\nif luck > 7: finish won by me \\"luck\\"", answers: {luck: 8}}]
    then: {over: {winner: A}, log: ["rolls 8 for luck", "A wins: luck"]}
"""
    cases = read_cases(Source("cases.yaml", text), Report())
    assert cases
    found = run_cases(result.program, cases, content=result.content)
    assert [one.status for one in found.results] == [PASSED], found.results[0].message


@pytest.mark.parametrize(
    "path", sorted((ROOT / "rulesets").glob("*/scenarios/*.yaml")), ids=lambda path: path.stem
)
def test_the_shipped_files_are_as_the_schema_says(path: Path):
    root = compose(Source.read(path, path.name), Report())
    assert root is not None
    assert schemas_of(ROOT / "schemas").passes("scenarios", to_data(root))


def test_the_schema_refuses_a_file_with_a_slip():
    store = schemas_of(ROOT / "schemas")
    case: dict[str, Any] = {
        "id": "one",
        "when": [{"do": "stop"}],
        "then": {"over": {"drawn": True}},
    }
    good: Any = {"kind": "scenarios", "cases": [case]}
    assert store.passes("scenarios", good)
    slips: list[dict[str, Any]] = [{"ansers": {}}, {"do": 3}, {"answers": "five"}]
    for slip in slips:
        wrong = {**case, "when": [{"do": "stop", **slip}]}
        assert not store.passes("scenarios", {**good, "cases": [wrong]})
