"""The runner of scenarios: what it does not understand it fails, and what it refuses it can
explain."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.cases.case_file import Case, read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import FAILED, NOT_EXECUTABLE, PASSED, Result, Results
from tests.support.examples import examples
from tests.support.scenario_runs import checked_cases, run_cases


@cache
def program() -> Program:
    made = compile_paths(["gnostica"], scenarios=False).program
    assert made is not None
    return made


@cache
def content() -> Content:
    made = compile_paths(["gnostica"]).content
    assert made is not None
    return made


def cases_in(text: str) -> tuple[Case, ...] | None:
    return read_cases(Source("cases.yaml", text), Report())


def case(given: str, when: str, then: str) -> Case:
    """A case, with what `check` says of it."""
    text = f"cases:\n  - {{id: one, clauses: [rule], given: {given}, when: {when}, then: {then}}}\n"
    return checked_cases(content(), text)[0]


def run(given: str, when: str, then: str) -> Result:
    return run_cases(program(), [case(given, when, then)]).results[0]


def told(result: Result, status: str, *words: str) -> None:
    assert result.status == status, result.message
    assert all(word in result.message for word in words), result.message


PIECES = "{pieces: [A1E@0/1, B1N@1/1], hands: {A: [attack2, create5, hermit, death, judgement]}}"


# ---------------------------------------------------------------------------- steps without meaning

PLAY = "{option: play, card: attack2}"
CREATE = "{option: play, card: create5}"
STEPS_WITHOUT_MEANING = {
    "no form": "[{dance: slowly}]",
    "unknown power": f"[{PLAY}, {{power: dance, minion: A1E@0/1}}]",
    "unknown option": "[{option: sing}]",
    "unknown shortcut": "[{shortcut: move+dance, minions: [A1E@0/1]}]",
    "unknown end": "[{end: game}]",
    "unknown key": f"[{PLAY}, {{power: attack, minion: A1E@0/1, colour: red}}]",
    "misspelt key": f"[{PLAY}, {{power: attack, minon: A1E@0/1, piece: self, by: 1}}]",
    "a step of text": '["play attack2"]',
    "a step that is a list": "[[play, attack2]]",
    "a step that is nothing": "[null]",
    "unknown card": "[{option: play, card: create15}]",
    "card of the wrong type": "[{option: play, card: 5}]",
    "unknown player's piece": f"[{PLAY}, {{power: attack, minion: Z1E@0/1, piece: self, by: 1}}]",
    "piece too large": f"[{PLAY}, {{power: attack, minion: A1E@0/1, piece: B4N@1/1, by: 1}}]",
    "piece that faces nowhere": f"[{PLAY}, {{power: attack, minion: A1NE@0/1, piece: self, by: 1}}]",
    "piece without a space": f"[{PLAY}, {{power: attack, minion: A1E, piece: self, by: 1}}]",
    "piece on no space": f"[{PLAY}, {{power: attack, minion: A1E@here, piece: self, by: 1}}]",
    "space that is none": "[{option: activate, at: 1-1}]",
    "space of three": "[{option: activate, at: 1/1/1}]",
    "number in words": f"[{PLAY}, {{power: attack, minion: A1E@0/1, piece: self, by: one}}]",
    "truth for a number": f"[{PLAY}, {{power: attack, minion: A1E@0/1, piece: self, by: true}}]",
    "number for a truth": "[{option: draw, take: 0}, {end: turn, announce: 1}]",
    "number for a facing": "[{option: orient, piece: A1E@0/1, to: 5}]",
    "minions not listed": "[{option: play, card: death}, {shortcut: attack+attack, minions: A1E@0/1, by: [1, 1]}]",
    "too many minions": "[{option: play, card: death}, {shortcut: attack+attack, minions: [A1E@0/1, A1E@0/1, self]}]",
    "cards not listed": "[{option: play, card: judgement}, {power: recover, minion: A1E@0/1, cards: attack2}]",
    "discard not listed": "[{option: draw, discard: attack2, take: 0}]",
    "unknown place for a card": f"[{PLAY}, {{power: attack, minion: A1E@0/1, territory: 1/1, by: 1, from: attic}}]",
    "bids not by player": "[{bid: sun}]",
    "bid of a stranger": "[{bid: {Z: sun}}]",
    "bid of no card": "[{bid: {A: sunshine}}]",
}


@pytest.mark.parametrize("name", STEPS_WITHOUT_MEANING)
@pytest.mark.parametrize("then", ["{legal: false}", "{turn: A}"])
def test_a_step_without_meaning_is_never_taken_for_a_refusal(name: str, then: str):
    told(run(PIECES, STEPS_WITHOUT_MEANING[name], then), FAILED, "not understood: ")


@pytest.mark.parametrize(
    "when",
    [
        "[{option: activate, at: 7/7}]",
        "[{option: play, card: world}]",
        "[{option: orient, piece: B1N@1/1, to: E}]",
        "[{option: draw, take: 99}]",
        "[{option: place, at: 0/0, orient: N}]",
        "[{option: play, card: attack2}, {power: attack, minion: A1E@0/1, piece: B3N@1/1, by: 1}]",
        "[{power: attack, minion: A1E@0/1, piece: B1N@1/1, by: 1}]",
        "[{shortcut: attack+attack, minions: [A1E@0/1], by: [1, 1], piece: B1N@1/1}]",
        "[{bid: {A: sun, B: moon}}]",
    ],
)
def test_what_means_something_and_is_not_allowed_is_refused(when: str):
    result = run(PIECES, when, "{legal: false}")
    told(result, PASSED, "refused: ")
    assert len(result.message) > len("refused: ") + 10


# ------------------------------------------------------------------------ positions without meaning

POSITIONS_WITHOUT_MEANING = {
    "unknown key": "{colour: red}",
    "unknown card in a hand": "{hands: {A: [create15]}}",
    "hand of a stranger": "{hands: {Z: [create5]}}",
    "unknown card on the board": "{board: {0/0: create15}}",
    "card on no space": "{board: {here: create5}}",
    "unknown table": "{board: large}",
    "piece of a stranger": "{pieces: [Z1N@0/0]}",
    "piece of four pips": "{pieces: [A4N@0/0]}",
    "sixteen pieces": f"{{pieces: [{', '.join(['A1N@0/0'] * 16)}]}}",
    "turn of a stranger": "{turn: Z}",
    "unknown switch": "{switches: {weather: rain}}",
    "unknown option of a switch": "{switches: {adjacency: diagonal}}",
    "unknown setting": "{settings: {weather: 4}}",
    "a card in two hands": "{hands: {A: [create5], B: [create5]}}",
    "a card in a hand and on the board": "{hands: {A: [create2]}}",
    "a card drawn and discarded": "{draw: [fool], discard: [fool]}",
    "pieces in a new game": "{fresh: true, pieces: [A1N@0/0]}",
    "hands in a new game": "{fresh: true, hands: {A: [create5]}}",
    "a turn in a new game": "{fresh: true, turn: B}",
    "a deck with an unknown card": "{fresh: true, draw: [create15]}",
    "a deck with a card twice": "{fresh: true, draw: [fool, fool]}",
    "a die that is not cast": "{fresh: true, switches: {first_player: by_lot}}",
    "a die with too many pips": "{fresh: true, switches: {first_player: by_lot}, dice: [3]}",
}


@pytest.mark.parametrize("name", POSITIONS_WITHOUT_MEANING)
@pytest.mark.parametrize("then", ["{legal: false}", "{turn: A}"])
def test_a_position_without_meaning_fails(name: str, then: str):
    told(
        run(POSITIONS_WITHOUT_MEANING[name], "[{option: draw, take: 0}]", then),
        FAILED,
        "not understood: ",
    )


def test_a_game_that_cannot_begin_fails():
    told(
        run("{fresh: true, players: [A]}", "[]", "{turn: A}"), FAILED, "the game cannot be set up: "
    )
    told(run("{players: [A, A]}", "[]", "{turn: A}"), FAILED, "`A` stands here twice")


def test_that_a_game_cannot_begin_can_be_claimed():
    told(
        run("{players: [A, A]}", "[]", "{legal: false}"),
        PASSED,
        "refused: two players have the same name",
    )
    told(run("{players: [A, B]}", "[]", "{legal: false}"), FAILED, "such a game can begin")
    told(
        run("{players: [A, A]}", "[{end: turn}]", "{legal: false}"),
        FAILED,
        "the game cannot be set up: ",
    )
    told(run("{switches: {weather: rain}}", "[]", "{legal: false}"), FAILED, "not understood: ")


def test_that_a_number_is_beyond_its_limits_can_be_claimed():
    far = "{settings: {space_limit: 91}}"
    told(
        run(far, "[]", "{legal: false}"),
        PASSED,
        "refused: `space_limit` is a number from 1 to 90, not 91",
    )
    told(run(far, "[]", "{turn: A}"), FAILED, "`space_limit` lies between 1 and 90")
    told(
        run("{settings: {space_limit: 90}}", "[]", "{legal: false}"),
        FAILED,
        "such a game can begin",
    )
    told(run("{settings: {space_limit: many}}", "[]", "{legal: false}"), FAILED, "not understood: ")


# --------------------------------------------------------------------------- claims without meaning

CLAIMS_WITHOUT_MEANING = [
    "{colour: red}",
    "{stash: {Z: [5, 5, 5]}}",
    "{score: {Z: 1}}",
    "{score: 5}",
    "{spaces: {here: territory}}",
    "{sizes: {attic: 5}}",
    "{sizes: 5}",
    "{sees: {Z: {hand: {A: 1}}}}",
    "{sees: {B: {attic: null}}}",
    "{printed: {colour: {fool: red}}}",
    "{printed: {number: {foll: null}}}",
    "{pieces: 5}",
    "{board: {here: null}}",
    "{hands: [create5]}",
]


@pytest.mark.parametrize("then", CLAIMS_WITHOUT_MEANING)
def test_a_claim_without_meaning_fails(then: str):
    told(run(PIECES, "[{option: draw, take: 0}]", then), FAILED, "not understood: ")


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("{pieces: [A1E@0/1]}", "pieces: wanted A1E@0/1, found A1E@0/1, B1N@1/1"),
        ("{hands: {A: [create5]}}", "hands: wanted"),
        ("{turn: B}", "turn: wanted B, found A"),
        ("{winner: A}", "winner: wanted A, found none"),
        ("{drawn: true}", "drawn: wanted true, found false"),
        ("{asked: B}", "asked: wanted B, found A"),
        ("{offered: [no]}", "offered: wanted no, found no, yes"),
        ("{score: {A: 2}}", "score: "),
        ("{spaces: {5/5: wasteland}}", "spaces: "),
        ("{sizes: {hand: {A: 4}}}", "sizes: "),
        ("{everywhere: {Card: 78}}", "everywhere: "),
        ("{records: {major: [fool]}}", "records: "),
        ("{printed: {number: {fool: 16}}}", "printed: "),
        ("{sees: {B: {hand: {A: 4}}}}", "sees: "),
        ("{pieces: [A1E@0/1, B1N@1/1], turn: A, score: {A: 9}}", "score: "),
    ],
)
def test_a_claim_that_does_not_hold_fails(then: str, words: str):
    result = run(PIECES, "[{option: draw, take: 0}]", then)
    told(result, FAILED, words)
    assert "not understood" not in result.message


def test_claims_that_hold():
    then = (
        "{pieces: [B1N@1/1, A1E@0/1], turn: A, score: {A: 1}, sizes: {hand: {A: 5}}, offered: [yes, "
        "no]}"
    )
    told(run(PIECES, "[{option: draw, take: 0}]", then), PASSED)


# ---------------------------------------------------------------------------------- refusals


def test_a_refusal_of_an_earlier_step_is_no_pass():
    when = "[{option: activate, at: 2/2}, {power: attack, minion: A1E@0/1, piece: B1N@1/1, by: 1}]"
    told(run(PIECES, when, "{legal: false}"), FAILED, "step 1 ", "was refused: ")


def test_an_accepted_last_step_is_no_refusal():
    told(run(PIECES, "[{option: draw, take: 0}]", "{legal: false}"), FAILED, "was accepted")


def test_a_refusal_that_nobody_claims_fails():
    told(
        run(PIECES, "[{option: activate, at: 2/2}]", "{turn: A}"),
        FAILED,
        "step 1 ",
        "was refused: ",
    )


def test_a_refusal_for_another_reason_fails():
    when = "[{option: activate, at: 2/2}]"
    told(run(PIECES, when, '{legal: false, reason: "you have a piece on Move 8"}'), PASSED)
    told(
        run(PIECES, when, '{legal: false, reason: "it rains"}'),
        FAILED,
        "for another reason than `it rains`",
    )


def test_a_reviewed_reason_of_a_clause_is_held_against_what_is_found():
    one = replace(case(PIECES, "[{option: activate, at: 2/2}]", "{legal: false}"), clauses=("one",))
    assert (
        run_cases(program(), [one], {"one": {"reason": "you have a piece on Move 8"}})
        .results[0]
        .status
        == PASSED
    )
    told(
        run_cases(program(), [one], {"one": {"reason": "it rains"}}).results[0],
        FAILED,
        "for another reason",
    )
    assert run_cases(program(), [one], {"two": {"reason": "it rains"}}).results[0].status == PASSED


def test_other_claims_are_held_against_the_table_before_the_refused_step():
    when = f"[{PLAY}, {{power: attack, minion: A1E@0/1, territory: 1/1, by: 1}}]"
    told(
        run(PIECES, when, "{legal: false, discard: [attack2], pieces: [A1E@0/1, B1N@1/1]}"), PASSED
    )
    told(run(PIECES, when, "{legal: false, discard: []}"), FAILED, "discard: ")
    told(run(PIECES, when, "{legal: false, colour: red}"), FAILED, "not understood: ")


@pytest.mark.parametrize(
    ("given", "when", "reason"),
    [
        # The reason is of the thing that was named, not of the first that was looked at.
        (
            "{pieces: [A1E@1/1, B3W@2/1, B1N@0/0, B1N@0/0, B1N@0/0, B1N@0/2, B1N@0/2], hands: {A: "
            "[create5]}}",
            f"[{CREATE}, {{power: create, minion: A1E@1/1, piece: B3W@2/1}}]",
            "B has a 1-pip piece in the stash",
        ),
        (
            "{pieces: [A2E@0/1, B1W@3/1], hands: {A: [move2]}}",
            "[{option: play, card: move2}, {power: move, minion: A2E@0/1, territory: 1/1, by: 2}]",
            "no enemy piece stands on the empty space east of Grow 13",
        ),
        # It is of the way that was meant, not of one that went further by guessing.
        (
            "{pieces: [A3up@1/1, B2N@1/2], hands: {A: [attack2]}}",
            "[{option: play, card: attack2}, {power: attack, minion: A3up@1/1, piece: B2N@1/2, by: 1}]",
            "piece B2N@1/2 is not on offer; the choice is from A3up@1/1",
        ),
        (
            "{pieces: [A1E@2/1, A1N@3/1, B1N@3/1], hands: {A: [create5, attack3]}}",
            f"[{CREATE}, {{power: create, minion: A1E@2/1, card: attack3}}]",
            "no enemy piece stands on the empty space east of Grow 13",
        ),
        # What merely comes first at the table is no reason where it can be passed over.
        (
            "{pieces: [A1N@0/0], hands: {A: [fool]}, draw: [move2]}",
            "[{option: play, card: fool}, {power: reveal, shows: move2}, {power: reveal}]",
            "the turn is at its end",
        ),
        # It is no reason that another option of the turn cannot be taken.
        (
            "{pieces: [A1N@3/1]}",
            "[{option: place, at: 2/0, orient: N}]",
            "`option: place` is not on offer here",
        ),
        # The limit of a set says where it comes from.
        (
            "{board: {base: std, set: {1/1: judgement}}, pieces: [A1N@1/1], discard: [grow1, grow2]}",
            "[{option: activate, at: 1/1}, {power: recover, minion: A1N@1/1, cards: [grow1, grow2]}]",
            "0 to 1 may be chosen: one for each pip of A's small piece, facing north",
        ),
    ],
)
def test_the_reason_told_is_the_cause(given: str, when: str, reason: str):
    told(run(given, when, "{legal: false}"), PASSED, reason)


# ---------------------------------------------------------------------------------- files of cases


def test_prose_is_not_executable():
    result = run(PIECES, '"somebody sighs"', "{note: relief}")
    told(result, NOT_EXECUTABLE, "prose")


def test_a_list_of_clauses_names_its_clauses():
    found = cases_in(
        "- {id: a.b, rule: yes indeed, example: {given: {}, when: [], then: {turn: A}}}\n"
        "- {id: a.c, rule: nothing to see}\n"
        "- {id: a.d, example: {given: {}, when: talk, then: {note: so so}}}\n"
    )
    assert found is not None
    assert [(one.id, one.clauses, one.line) for one in found] == [
        ("a.b", ("a.b",), 1),
        ("a.d", ("a.d",), 3),
    ]
    assert [r.status for r in run_cases(program(), found).results] == [PASSED, NOT_EXECUTABLE]


@pytest.mark.parametrize(
    "text", ["", "a: b", "- a\n- b", "cases: none", "- {id: a, rule: b}", "just text"]
)
def test_other_files_hold_no_cases(text: str):
    assert cases_in(text) is None


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        ("[]", "a case is a mapping with an `id`"),
        ("{when: [], then: {turn: A}}", "a case needs `id`"),
        ("{id: 7, when: [], then: {turn: A}}", "`id` must be text"),
        ("{id: a, then: {turn: A}}", "a case needs `when`"),
        ("{id: a, when: 5, then: {turn: A}}", "`when` must be a list"),
        ("{id: a, when: {option: draw}, then: {turn: A}}", "`when` must be a list"),
        ("{id: a, when: []}", "a case needs `then`"),
        ("{id: a, when: [], then: [turn]}", "`then` must be a map"),
        ("{id: a, given: std, when: [], then: {turn: A}}", "`given` must be a map"),
        ("{id: a, givn: {}, when: [], then: {turn: A}}", "a case has no `givn`"),
        ("{id: a, clauses: a.b, when: [], then: {turn: A}}", "`clauses` must be a list"),
        ("{id: a, clauses: [5], when: [], then: {turn: A}}", "an entry of `clauses` must be text"),
        ("{id: a, when: [], then: {}}", "`then` must have at least 1 entry"),
        ("{id: a, when: [], then: {note: look, why: so}}", "`then` claims nothing"),
        ("{id: a, when: [{end: turn}], then: {hands: {}}}", "`hands` claims nothing"),
        ("{id: a, when: [{end: turn}], then: {sees: {A: {}}}}", "`A` claims nothing"),
        ("{id: a, when: [], then: {legal: maybe}}", "`legal` must be `true` or `false`"),
        ("{id: a, when: [], then: {legal: true, reason: none}}", "goes with `legal: false`"),
        ("{id: a, when: [], then: {turn: A, reason: none}}", "goes with `legal: false`"),
        ("{id: a, when: [], then: {legal: false, reason: 5}}", "`reason` must be text"),
    ],
)
def test_a_case_that_is_no_case_fails(case: str, fault: str):
    found = cases_in(f"cases:\n  - {case}\n")
    assert found is not None
    told(run_cases(program(), found).results[0], FAILED, fault)


def test_a_table_with_more_than_there_is_cannot_be_given():
    """Five pieces of each size belong to a player; `supply` of the notation says so."""
    five = "A1E@0/1, A1N@0/1, A1W@0/1, A1E@1/1, A1E@1/2"
    told(run(f"{{pieces: [{five}]}}", "[]", "{stash: {A: [0, 5, 5]}}"), PASSED)
    many = run(f"{{pieces: [{five}, A1E@2/2]}}", "[]", "{turn: A}")
    told(many, FAILED, "at most 5 pieces of owner A and pips 1 (`pieces_per_size`), and not 6")


def test_two_cases_of_one_name():
    found = cases_in("cases:\n" + 2 * "  - {id: a, when: [], then: {turn: A}}\n")
    assert found is not None
    first, second = run_cases(program(), found).results
    told(first, PASSED)
    told(second, FAILED, "a case called `a` is already there")


# ---------------------------------------------------------------------------------- results

GOOD = ("{}", "[]", "{turn: A}")
BAD = ("{}", "[]", "{turn: B}")
PROSE = ("{}", "talk", "{note: so so}")


def results(*cases: tuple[str, str, str]) -> Results:
    return run_cases(program(), [case(*one) for one in cases], known=["other"])


@pytest.mark.parametrize(
    ("cases", "good", "summary"),
    [
        ([], False, "0 passed, 0 failed, 0 not executable"),
        ([PROSE], False, "0 passed, 0 failed, 1 not executable"),
        ([GOOD], True, "1 passed, 0 failed, 0 not executable"),
        ([GOOD, PROSE], True, "1 passed, 0 failed, 1 not executable"),
        ([GOOD, BAD], False, "1 passed, 1 failed, 0 not executable"),
        ([BAD], False, "0 passed, 1 failed, 0 not executable"),
    ],
)
def test_good_is_what_was_executed_and_did_not_fail(cases: list[Any], good: bool, summary: str):
    found = results(*cases)
    assert found.good is good
    assert found.summary == summary


def test_a_clause_is_proved_by_a_case_that_passed_if_none_failed():
    assert results(GOOD).to_json()["clauses"] == {"proved": ["rule"], "unproved": ["other"]}
    assert results(GOOD, PROSE).to_json()["clauses"]["proved"] == ["rule"]
    assert results(GOOD, BAD).to_json()["clauses"] == {"proved": [], "unproved": ["other", "rule"]}
    assert results(PROSE).to_json()["clauses"] == {"proved": [], "unproved": ["other", "rule"]}


def test_results_as_json():
    found = results(GOOD, BAD, PROSE).to_json()
    assert (found["passed"], found["failed"], found["not_executable"]) == (1, 1, 1)
    assert [one["status"] for one in found["cases"]] == ["passed", "failed", "not_executable"]
    assert found["cases"][0] == {
        "id": "one",
        "status": "passed",
        "message": "",
        "path": "cases.yaml",
        "line": 2,
    }


# ---------------------------------------------------------------------------------- anything at all

WORDS = st.sampled_from(
    [
        *(
            "A",
            "B",
            "Z",
            "A1E@0/1",
            "B1N@1/1",
            "self",
            "own",
            "none",
            "from-draw",
            "0/1",
            "3/1",
            "9/9",
            "N",
            "up",
        ),
        *(
            "attack2",
            "create5",
            "sun",
            "play",
            "draw",
            "activate",
            "attack",
            "create",
            "turn",
            "std",
            "discard",
        ),
    ]
)
KEYS = st.sampled_from(
    [
        *(
            "option",
            "power",
            "shortcut",
            "end",
            "bid",
            "take",
            "pick",
            "minion",
            "minions",
            "piece",
            "card",
            "at",
        ),
        *(
            "by",
            "orient",
            "territory",
            "discard",
            "from",
            "through",
            "to",
            "cards",
            "announce",
            "legal",
            "reason",
        ),
        *(
            "pieces",
            "hands",
            "board",
            "turn",
            "players",
            "fresh",
            "switches",
            "settings",
            "dice",
            "pending",
            "draw",
        ),
        *(
            "stash",
            "score",
            "spaces",
            "sizes",
            "sees",
            "everywhere",
            "records",
            "printed",
            "offered",
            "winner",
        ),
    ]
)
ATOMS = WORDS | st.none() | st.booleans() | st.integers(-2, 9)
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | WORDS, inner, max_size=3),
    max_leaves=6,
)
MAPPINGS = st.dictionaries(KEYS, VALUES, max_size=4)


@examples(3)
@given(MAPPINGS, st.lists(MAPPINGS | VALUES, max_size=3), MAPPINGS)
def test_nothing_that_a_case_says_can_break_the_runner(position: Any, steps: Any, then: Any):
    text = yaml.safe_dump(
        {"cases": [{"id": "one", "given": position, "when": steps, "then": then}]}
    )
    found = cases_in(text)
    assert found is not None
    result = run_cases(program(), found).results[0]
    assert result.status in (PASSED, FAILED)
    assert result.message or result.status == PASSED


def test_a_case_is_run_by_itself():
    """One case leaves nothing behind for the next, in whatever order they run."""
    cases = [case(*GOOD), case(*BAD), case(PIECES, "[{option: draw, take: 0}]", "{turn: A}")]
    forth = [r.status for r in run_cases(program(), cases).results]
    back = [r.status for r in run_cases(program(), cases[::-1]).results]
    assert forth == back[::-1] == [PASSED, FAILED, PASSED]


@pytest.mark.parametrize(("dice", "code"), [("[2]", PASSED), ("[2, 1]", FAILED)])
def test_dice_that_nothing_rolls_fail_the_case(dice: str, code: str):
    given = f"{{fresh: true, players: [A, B, C], switches: {{first_player: by_lot}}, dice: {dice}}}"
    message = "" if code == PASSED else "`dice` has 1 as the next, and nothing more is rolled"
    told(run(given, "[]", "{turn: B}"), code, message)
