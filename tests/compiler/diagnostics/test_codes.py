"""Every code shows a mistake, reported as that code alone, and the same file mended, which is
silent."""

from __future__ import annotations

import pytest

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.table import CODES, merged
from tests.support.expect import LAYERS, TESTS, read_cases

# What a case file cannot hold: it is text, holds a comment with the mark, and is parted at `---`.
WITHOUT_CASE = frozenset(
    {
        "not-utf8",
        "control-character",
        "second-document",
        "directive",
        "empty-file",
        "nested-too-deep",
    }
)

# Codes whose layer runs in a test of its own, or whose examples are sentences (`described`).
RUNNABLE = sorted(name for name, code in CODES.items() if code.layer in LAYERS)


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_bad_example_reports_this_code_alone(name: str):
    code = CODES[name]
    assert {found.code for found in LAYERS[code.layer](code.bad)} == {name}


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_bad_example_makes_one_message(name: str):
    code = CODES[name]
    assert len(LAYERS[code.layer](code.bad)) == 1


@pytest.mark.parametrize("name", RUNNABLE)
def test_the_good_example_is_silent(name: str):
    code = CODES[name]
    assert LAYERS[code.layer](code.good) == []


def test_every_code_has_a_layer_that_exists():
    unknown = {
        name: code.layer for name, code in CODES.items() if code.layer not in {*LAYERS, "described"}
    }
    assert not unknown, f"write these layers into LAYERS in tests/support/expect.py: {unknown}"


def test_every_code_of_a_layer_with_cases_has_a_case():
    folders = {path.name for path in (TESTS / "cases").iterdir()}
    cases = [case for path in (TESTS / "cases").rglob("*.yaml") for case in read_cases(path)]
    shown = {mark.code for case in cases for mark in case.expected}
    missing = [
        name
        for name in RUNNABLE
        if CODES[name].layer in folders and name not in shown | WITHOUT_CASE
    ]
    assert not missing, f"write a case under tests/cases for {missing}"


@pytest.mark.parametrize("name", sorted(CODES))
def test_titles_and_reasons_are_written_in_our_voice(name: str):
    code = CODES[name]
    assert code.title[0].islower() or not code.title[0].isalpha()
    assert not code.title.endswith(".")
    assert code.why.endswith((".", "?"))
    assert name == name.lower()
    assert " " not in name


def test_two_owners_of_a_code_are_noticed():
    code = Code("a", "b.", "", "", "described")
    with pytest.raises(AssertionError, match="two owners"):
        merged({"x": code}, {"x": code})
