"""Cases about things: what is worked out of them, what they are required to be, and what is no such
case."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.source.file import Source
from ruleloom.scenarios.results import FAILED, PASSED, Result
from ruleloom.scenarios.steps.attempts import Attempts
from tests.support.check_layer import NOTHING, game_files, schemas
from tests.support.command import call
from tests.support.pack_examples import write
from tests.support.scenario_runs import checked_cases

RULES = """\
- {kind: stat, id: pace, takes: "who: Picker, of: Colour", is: "speed(who, of)", english: "{of} of {who}"}
- kind: measure
  id: burden
  takes: "who: Picker"
  gives: Int
  is: "sum(upkeep(tool(k)) for k: Kit where bearer(k) = who)"
  english: burden
- kind: measure
  id: share
  takes: "what: Tool, more: Fraction"
  gives: Fraction
  is: "portion(what) + more"
  english: share
- kind: measure
  id: skilled
  takes: "who: Picker, with: Fruit"
  gives: Bool
  is: "exists(k: Knack where learner(k) = who and about(k) = with)"
  english: skilled
- {kind: measure, id: used_up, takes: "kit: Kit", gives: Int, is: "wear(kit) + 1", english: used up}
- kind: measure
  id: borne
  takes: "who: Picker"
  gives: List of Kit
  is: "those(k: Kit where bearer(k) = who)"
  english: kits
- kind: requirement
  id: not_laden
  of: "who: Picker"
  holds: "burden(who) <= most"
  english: "{who} carries {burden}, more than {most}"
- kind: requirement
  id: hatted
  of: "who: Picker"
  holds: "hat(who) != gold"
  level: warning
  english: "{who} has a golden hat"
- {kind: requirement, id: new_kits, of: "kit: Kit", holds: "wear(kit) < 5", english: "{kit} is worn"}
"""


@cache
def orchard(folder: Path) -> Content:
    files = {**game_files(), "more.yaml": RULES}
    # A case that brings a fruit along must not ask every picker what it yields.
    yields = "yield: {type: Int, by: Fruit}"
    assert yields in files["vocabulary.yaml"]
    files["vocabulary.yaml"] = files["vocabulary.yaml"].replace(
        yields, yields[:-1] + ", default: 0}"
    )
    write(folder, {f"orchard/{name}": text for name, text in files.items()})
    report = Report()
    content = load([folder / "orchard"], report, NOTHING, schemas())
    assert content is not None
    assert not report.has_errors, report.diagnostics()
    return content


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    return orchard(tmp_path_factory.mktemp("orchard"))


def results(content: Content, text: str) -> list[Result]:
    cases = read_cases(Source("cases.yaml", text), Report())
    assert cases
    builds = Attempts.of(content, cases)
    return [builds.run(case, {}) for case in cases]


def result(content: Content, given: str, then: str) -> Result:
    [found] = results(content, f"cases:\n  - {{id: one, given: {given}, then: {then}}}\n")
    return found


ANN = "ann: {kind: picker, speed: {red: 7}, tools: [rake, {tool: saw, wear: 2}], knacks: {fig: 3}}"
TOOLS = "rake: {kind: tool, upkeep: 2, portion: 3/4}, saw: {kind: tool, upkeep: 1, portion: 1/3}"
FIG = "fig: {kind: fruit, weight: 1, tint: red}"
GIVEN = f"{{things: {{{ANN}, {TOOLS}, {FIG}}}}}"


@pytest.mark.parametrize(
    "numbers",
    [
        "pace(red): 7, pace(green): 5",
        "ann: {burden: 3, pace(red): 7}, burden: 3",
        "rake: {'share(1/4)': 1, 'share(0)': 3/4, 'share(5/4)': 2, 'share(1)': 1 3/4}",
        "saw: {'share(-2)': -1 2/3}",
        "skilled(fig): true, skilled(plum): false",
        "ann.2: {used_up: 3}, ann.1: {used_up: 1}",
        "borne: [ann.1, ann.2]",
        "speed(red): 7, ann: {speed(green): 5}, ann.2: {wear: 2, tool: saw}, rake: {portion: 3/4, "
        "upkeep: 2}",
        "fig: {tint: red}",
        "burden(ann): 3, 'pace(ann, red)': 7",
    ],
)
def test_what_a_thing_comes_to(content: Content, numbers: str):
    found = result(content, GIVEN, f"{{numbers: {{{numbers}}}}}")
    assert (found.status, found.message) == (PASSED, "")


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ("pace(red): 8", "pace(red): wanted 8, found 7"),
        ("ann: {burden: 4}", "ann: burden: wanted 4, found 3"),
        ("rake: {share(1): 1.7}", "rake: share(1): wanted 1.7, found 1 3/4"),
        ("skilled(fig): false", "skilled(fig): wanted false, found true"),
        ("skilled(fig): 1", "skilled(fig): wanted 1, found true"),
        ("burden: true", "burden: wanted true, found 3"),
        ("borne: [ann.1]", "borne: wanted ann.1, found ann.1, ann.2"),
        ("rake: {upkeep: 3}", "rake: upkeep: wanted 3, found 2"),
        ("upkeep: 2", "not understood: whose `upkeep`? say of which: `rake: {upkeep: ...}`"),
        ("speed: 7", "not understood: `speed` has a colour in parentheses"),
        ("burden: three", "burden: wanted three, found 3"),
        (
            "birden: 3",
            "not understood: there is no stat, measure or field `birden`: did you mean `burden`?",
        ),
        ("pace: 7", "not understood: `pace` of a thing takes (of: Colour)"),
        ("pace(pink): 7", "not understood: `pink` is no Colour"),
        ("bob: {burden: 3}", "not understood: `bob` is nothing of this case that has a `burden`"),
        ("share(1): 3/4", "not understood: whose `share`? say of which: `rake: {share: ...}`"),
    ],
)
def test_a_number_that_is_otherwise(content: Content, numbers: str, told: str):
    text = f"cases:\n  - {{id: one, given: {GIVEN}, then: {{numbers: {{{numbers}}}}}}}\n"
    [found], [checked] = results(content, text), checked_cases(content, text)
    assert found.status == FAILED
    assert told in (found.message, checked.fault.replace("line 2: ", ""))


# ---------------------------------------------------------------------------------- requirements

LADEN = (
    "{things: {ann: {kind: picker, hat: gold, tools: [{tool: rake, wear: 6}]}, rake: {kind: tool, "
    "upkeep: 4}}}"
)
GOLDEN = "{things: {ann: {kind: picker, hat: gold}}}"
LADEN_NO_MORE = LADEN.replace("{things", "{settings: {most: 4}, things")


@pytest.mark.parametrize(
    ("given", "then"),
    [
        (GIVEN, "{legal: true, unmet: []}"),
        (LADEN, "{legal: false, reason: ann carries 4}"),
        (LADEN, "{legal: false, reason: rake is worn}"),
        (LADEN, "{unmet: [not-laden, new_kits, hatted]}"),
        (LADEN_NO_MORE, "{legal: false, unmet: [hatted, new_kits]}"),
        (GOLDEN, "{legal: true, unmet: [hatted], reason: a golden hat}"),
    ],
)
def test_what_is_required(content: Content, given: str, then: str):
    found = result(content, given, then)
    assert found.status == PASSED, found.message


@pytest.mark.parametrize(
    ("given", "then", "told"),
    [
        (GIVEN, "{legal: false}", "legal: wanted false, found true"),
        (LADEN, "{legal: true}", "legal: wanted true, found false: ann carries 4, more than 3; "),
        (LADEN, "{unmet: []}", "unmet: wanted nothing, found hatted, new_kits, not_laden"),
        (
            LADEN,
            "{legal: false, reason: it rains}",
            "refused for another reason than `it rains`: ann carries",
        ),
        (GIVEN, "{unmet: [hatted]}", "unmet: wanted hatted, found nothing"),
        (
            GOLDEN,
            "{unmet: [hatted], reason: it rains}",
            "refused for another reason than `it rains`: ann",
        ),
    ],
)
def test_what_is_required_otherwise(content: Content, given: str, then: str, told: str):
    found = result(content, given, then)
    assert found.status == FAILED
    assert found.message.startswith(told)


# --------------------------------------------------------------------------------- what is not made


@pytest.mark.parametrize(
    ("things", "told"),
    [
        ("ann: {kind: picker, speed: {pink: 7}}", "`pink`"),
        ("ann: {kind: picker, tools: [spade]}", "there is no tool `spade`"),
        ("ann: {kind: picker, colour: red}", "`colour`"),
        ("ann: {kind: piker}", "`piker`"),
        ("ann: {speed: {red: 7}}", "what kind it is"),
        ("ann: {kind: picker, id: ann}", "its key is its id"),
        ("ann: {kind: setting, value: 3, english: x}", "is no kind of thing"),
        ("gold: {kind: picker}", "`gold` already means something"),
        ("burden: {kind: picker}", "`burden` already means something"),
    ],
)
def test_a_thing_that_cannot_be_made(content: Content, things: str, told: str):
    found = result(content, f"{{things: {{{things}}}}}", "{numbers: {burden: 0}}")
    assert found.status == FAILED
    assert found.message.startswith("this cannot be made: ")
    assert told in found.message
    claimed = result(content, f"{{things: {{{things}}}}}", f"{{refused: '{told}'}}")
    assert claimed.status == PASSED
    other = result(content, f"{{things: {{{things}}}}}", "{refused: it rains}")
    assert (other.status, "it rains" in other.message) == (FAILED, True)


def test_all_that_is_wrong_with_things_can_be_claimed_at_once(content: Content):
    given = "{things: {ann: {kind: picker, colour: red}, rake: {kind: tool, taste: sour}}}"
    assert result(content, given, "{refused: ['`taste`', '`colour`']}").status == PASSED
    other = result(content, given, "{refused: ['`taste`', it rains]}")
    assert (
        other.status,
        other.message.startswith("refused for another reason than `it rains`"),
    ) == (
        FAILED,
        True,
    )


def test_a_thing_that_can_be_made_is_not_refused(content: Content):
    found = result(content, GIVEN, "{refused: anything}")
    assert (found.status, found.message) == (FAILED, "this can be made, but should be refused")


def test_one_that_cannot_be_made_spoils_no_other(content: Content):
    good = f"{{given: {GIVEN}, then: {{numbers: {{burden: 3}}}}, id: "
    bad = "{given: {things: {ann: {kind: picker, tools: [spade]}}}, then: {numbers: {burden: 0}}, id: "
    found = results(content, f"cases:\n  - {good}a}}\n  - {bad}b}}\n  - {good}c}}\n")
    assert [one.status for one in found] == [PASSED, FAILED, PASSED]


def test_more_than_the_game_allows_are_made_in_turns(content: Content):
    # Of pickers there may be three.
    cases = "".join(
        "  - "
        f"{{id: case-{speed}, given: {{things: {{ann: {{kind: picker, speed: {{red: {speed}}}}}}}}}, "
        f"then: {{numbers: {{pace(red): {speed}}}}}}}\n"
        for speed in range(9)
    )
    assert [one.status for one in results(content, f"cases:\n{cases}")] == [PASSED] * 9


def test_a_case_has_things_of_its_own(content: Content):
    tool = "{things: {ann: {kind: picker, tools: [rake]}, rake: {kind: tool, upkeep: %d}}}"
    found = results(
        content,
        "cases:\n"
        f"  - {{id: a, given: {tool % 1}, then: {{numbers: {{burden: 1}}}}}}\n"
        f"  - {{id: b, given: {tool % 3}, then: {{numbers: {{burden: 3}}}}}}\n",
    )
    assert [one.message for one in found] == ["", ""]


# ---------------------------------------------------------------------------- how cases are written


@pytest.mark.parametrize(
    ("given", "then", "told"),
    [
        ("{things: {}}", "{legal: true}", "`things` must have at least 1 entry"),
        ("{things: {ann: picker}}", "{legal: true}", "`ann` must be a map"),
        ("{things: [ann]}", "{legal: true}", "`things` must be a map"),
        (GIVEN, "{}", "`then` must have at least 1 entry"),
        (GIVEN, "{note: look}", "`then` claims nothing"),
        (GIVEN, "{legal: maybe}", "`legal` must be `true` or `false`"),
        (GIVEN, "{numbers: 3}", "`numbers` must be a map"),
        (GIVEN, "{numbers: {}}", "`numbers` must have at least 1 entry"),
        (GIVEN, "{numbers: {ann: {}}}", "`ann` must have at least 1 entry"),
        (GIVEN, "{unmet: hatted}", "`unmet` must be a list"),
        (GIVEN, "{legal: true, reason: x}", "`reason` goes with `legal: false`"),
        (
            GIVEN,
            "{refused: x, legal: true}",
            "`refused` is the only claim of a case",
        ),
        (GIVEN, "{refused: []}", "`refused` must have at least 1 entry"),
        (GIVEN, "{refused: [x, 3]}", "an entry of `refused` must be text"),
        (GIVEN, "{winner: A}", "`winner` is not a field of `then`"),
        (
            GIVEN.replace("{things", "{players: [A], things"),
            "{legal: true}",
            "`players` is not a field of `given`",
        ),
        (
            GIVEN.replace("{things", "{settings: {mosst: 1}, things"),
            "{legal: true}",
            "there is no",
        ),
        (
            GIVEN.replace("{things", "{settings: {most: 99}, things"),
            "{legal: true}",
            "`most` is",
        ),
        (
            GIVEN.replace("{things", "{settings: 4, things"),
            "{legal: true}",
            "`settings` must be a map",
        ),
    ],
)
def test_a_case_that_is_no_case(content: Content, given: str, then: str, told: str):
    found = result(content, given, then)
    assert found.status == FAILED
    assert found.message.startswith("not understood: ")
    assert told in found.message


def test_cases_about_things_are_listed_like_others(tmp_path: Path):
    path = tmp_path / "cases.yaml"
    head = (
        "cases:\n  - {id: moonstone.cv, clauses: [moonstone.cv.limit], given: {things: {ann: {kind: "
        "character}}}, "
    )
    path.write_text(head + "then: {numbers: {CV: 0}}}\n", encoding="utf-8")
    assert "proved: 1\n  moonstone.cv.limit: " in call("test", str(path), "--clauses").out
    path.write_text(head + "then: {numbers: {CV: 1}}}\n", encoding="utf-8")
    done = call("test", str(path), "--format", "junit")
    assert done.code == 1
    assert '<failure message="CV: wanted 1, found 0"/>' in done.out
