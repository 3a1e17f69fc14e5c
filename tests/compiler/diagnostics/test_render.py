"""Exact renderings, a few of each form; and that no form lets a hostile name through."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

from ruleloom.compiler.diagnostics.render import RENDERERS, render
from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.source.file import Place

SOURCE = "kind: setting\nvalue: 3\nvalue: 4\n"
SOURCES = {"pack/a.yaml": SOURCE, "pack/b.yaml": "fine: 1\n"}
TWICE = Diagnostic(
    Place("pack/a.yaml", 3, 1, 3, 6),
    "error",
    "duplicate-key",
    "`value` is given twice",
    "keep one of the two",
    (Note(Place("pack/a.yaml", 2, 1, 2, 6), "the first one is here"),),
)
EMPTY = Diagnostic(Place("c.yaml", 1, 1, 1, 1), "warning", "empty-file", "this file holds nothing")

EVIL = "\x1b[2J\u202e\r\n::error::%0A,</script>]]>&\"'"
HOSTILE = Diagnostic(
    Place(f"p/{EVIL}.yaml", 1, 3, 1, 4),
    "error",
    "unknown-field",
    f"`{EVIL}`",
    EVIL,
    (Note(EMPTY.place, EVIL),),
)


def test_text():
    assert render([TWICE], SOURCES, "text") == (
        "pack/a.yaml:3:1: error[duplicate-key]: `value` is given twice\n"
        "   |\n"
        " 3 | value: 4\n"
        "   | ^^^^^\n"
        " note: the first one is here, at pack/a.yaml:2:1\n"
        "   |\n"
        " 2 | value: 3\n"
        "   | -----\n"
        " help: keep one of the two\n"
    )


def test_text_parts_diagnostics_by_an_empty_line():
    first, second = render([TWICE, EMPTY], SOURCES, "text").split("\n\n")
    assert first.startswith("pack/a.yaml")
    assert second == "c.yaml:1:1: warning[empty-file]: this file holds nothing\n"


@pytest.mark.parametrize(
    ("line", "columns", "shown", "signs"),
    [
        ("ab cd", (4, 6), "ab cd", "   ^^"),
        ("漢字 x", (4, 5), "漢字 x", "     ^"),
        ("e\u0301 x", (4, 5), "e\u0301 x", "  ^"),
        ("\tx", (2, 3), " x", " ^"),
        ("a\u202eb", (3, 4), "a\\u202eb", "       ^"),
        ("a\u202eb", (2, 3), "a\\u202eb", " ^^^^^^"),
        ("ab", (3, 3), "ab", "  ^"),
        ("x" * 300, (200, 202), "…" + "x" * 99 + "…", " " * 31 + "^^"),
    ],
)
def test_carets_stand_under_the_place(line: str, columns: tuple[int, int], shown: str, signs: str):
    found = Diagnostic(Place("a.yaml", 1, columns[0], 1, columns[1]), "error", "tab", "m")
    assert render([found], {"a.yaml": line}, "text").split("\n")[2:4] == [
        f" 1 | {shown}",
        f"   | {signs}",
    ]


def test_a_place_over_lines_is_underlined_to_the_end_of_its_first():
    found = Diagnostic(Place("pack/a.yaml", 1, 7, 3, 2), "error", "tab", "m")
    assert "   |       ^^^^^^^\n" in render([found], SOURCES, "text")


def test_concise():
    assert render([TWICE, EMPTY], SOURCES, "concise") == (
        "pack/a.yaml:3:1: error[duplicate-key]: `value` is given twice\n"
        "c.yaml:1:1: warning[empty-file]: this file holds nothing\n"
    )


def test_colour():
    assert render([TWICE], {}, "concise", colour=True) == (
        "pack/a.yaml:3:1: \x1b[31merror[duplicate-key]\x1b[0m: \x1b[1m`value` is given twice\x1b[0m\n"
    )


@pytest.mark.parametrize(
    ("count", "last"), [(50, "m49"), (51, "and 1 more"), (1_234, "and 1,184 more")]
)
@pytest.mark.parametrize("fmt", ["text", "concise"])
def test_people_are_shown_fifty_and_a_count(fmt: str, count: int, last: str):
    found = [
        Diagnostic(Place("a.yaml", i + 1, 1, i + 1, 1), "error", "tab", f"m{i}")
        for i in range(count)
    ]
    shown = render(found, {}, fmt)
    assert shown.rstrip("\n").endswith(last)
    assert shown.count("error[tab]") == 50
    assert len(json.loads(render(found, {}, "json"))) == count


def test_json():
    assert json.loads(render([TWICE, EMPTY], SOURCES, "json")) == [
        {
            "path": "pack/a.yaml",
            "line": 3,
            "column": 1,
            "end_line": 3,
            "end_column": 6,
            "severity": "error",
            "code": "duplicate-key",
            "message": "`value` is given twice",
            "help": "keep one of the two",
            "fix": None,
            "notes": [
                {"path": "pack/a.yaml", "line": 2, "column": 1, "message": "the first one is here"}
            ],
        },
        {
            "path": "c.yaml",
            "line": 1,
            "column": 1,
            "end_line": 1,
            "end_column": 1,
            "severity": "warning",
            "code": "empty-file",
            "message": "this file holds nothing",
            "help": None,
            "fix": None,
            "notes": [],
        },
    ]
    assert render([], {}, "json") == "[]\n"


def test_github():
    assert render([TWICE], SOURCES, "github") == (
        "::error file=pack/a.yaml,line=3,col=1,endLine=3,endColumn=6,title=duplicate-key::"
        "`value` is given twice (keep one of the two)\n"
    )
    odd = Diagnostic(Place("a,b:c%.yaml", 1, 1, 1, 1), "warning", "tab", "50% of a: b, c")
    assert render([odd], {}, "github") == (
        "::warning file=a%2Cb%3Ac%25.yaml,line=1,col=1,endLine=1,endColumn=1,title=tab::50%25 of a: b, c\n"
    )


def test_sarif():
    log = json.loads(render([TWICE, EMPTY], SOURCES, "sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [
        "duplicate-key",
        "empty-file",
    ]
    first, second = run["results"]
    assert (first["ruleIndex"], first["level"], second["ruleIndex"], second["level"]) == (
        0,
        "error",
        1,
        "warning",
    )
    assert first["message"] == {"text": "`value` is given twice (keep one of the two)"}
    (location,) = first["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "pack/a.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 6},
    }
    assert first["relatedLocations"][0]["message"] == {"text": "the first one is here"}


def test_junit():
    assert render([TWICE, EMPTY], SOURCES, "junit") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuite name="ruleloom" tests="3" failures="1" errors="0" skipped="0">\n'
        '  <testcase classname="ruleloom" name="c.yaml">\n'
        "    <system-out>c.yaml:1:1: warning[empty-file]: this file holds nothing</system-out>\n"
        "  </testcase>\n"
        '  <testcase classname="ruleloom" name="pack/a.yaml">\n'
        '    <failure message="1 error">'
        "pack/a.yaml:3:1: error[duplicate-key]: `value` is given twice</failure>\n"
        "  </testcase>\n"
        '  <testcase classname="ruleloom" name="pack/b.yaml"/>\n'
        "</testsuite>\n"
    )


@pytest.mark.parametrize("fmt", sorted(RENDERERS))
def test_no_form_lets_a_hostile_name_through(fmt: str):
    shown = render([HOSTILE], {HOSTILE.place.path: f"x{EVIL}"}, fmt)
    assert all(char.isprintable() for line in shown.split("\n") for char in line)
    assert not any(
        line.startswith("::") and not line.startswith("::error file=") for line in shown.split("\n")
    )


def test_machine_forms_stay_well_formed_whatever_the_name():
    for text in (render([HOSTILE], {}, "json"), render([HOSTILE], {}, "sarif")):
        json.loads(text)
    assert json.loads(render([HOSTILE], {}, "json"))[0]["message"] == f"`{EVIL}`"
    suite = ElementTree.fromstring(render([HOSTILE], {}, "junit"))
    assert suite.find("testcase/failure") is not None


@pytest.mark.parametrize("fmt", sorted(RENDERERS))
def test_nothing_found(fmt: str):
    shown = render([], {}, fmt)
    assert shown == "" or shown.endswith("\n")
