"""Reports, the words that are offered for misspelt ones, and text made safe to show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import (
    choices_text,
    did_you_mean,
    edit_distance,
    nearest,
    quoted_list,
)
from ruleloom.compiler.source.file import Place, SourceError
from ruleloom.runtime.program.safe_text import safe_text


def place(line: int = 1, column: int = 1, path: str = "a.yaml") -> Place:
    return Place(path, line, column, line, column + 1)


def test_a_report_is_sorted_and_says_nothing_twice():
    report = Report()
    report.error("tab", place(2, 5), "b")
    report.warning("empty-file", place(2, 1), "a")
    report.error("tab", place(9, 9, "A.yaml"), "c", "help", [Note(place(), "n")])
    report.error("tab", place(2, 5), "b")
    assert [one.message for one in report.diagnostics()] == ["c", "a", "b"]


def test_warnings_break_nothing():
    report = Report()
    report.warning("empty-file", place(), "a")
    assert not report.has_errors
    report.refuse(SourceError("not-utf8", place(path="b.yaml"), "b"))
    assert report.has_errors
    assert report.has_errors_in("b.yaml")
    assert not report.has_errors_in("a.yaml")


def test_errors_within_a_place():
    report = Report()
    report.error("tab", place(3, 4), "in")
    report.error("tab", place(9, 1), "out")
    report.error("tab", place(3, 4, "b.yaml"), "elsewhere")
    assert [one.message for one in report.errors_within(Place("a.yaml", 2, 1, 4, 1))] == ["in"]


def test_a_code_that_stands_nowhere_is_our_fault():
    with pytest.raises(AssertionError, match="no such code"):
        Report().error("no-such-code", place(), "a")


@pytest.mark.parametrize(
    ("word", "choices", "found"),
    [
        ("titel", ["title", "text", "id"], ["title"]),
        ("Title", ["title", "text"], ["title"]),
        ("tag", ["tags", "takes"], ["tags"]),
        ("englis", ["english", "gloss"], ["english"]),
        ("gamess", ["game"], ["game"]),
        ("hand-size", ["hand_size"], ["hand_size"]),
        ("efect", ["effect", "effort"], ["effect"]),
        ("ab", ["abc", "b", "xyz"], ["abc", "b"]),
        ("zzz", ["title"], []),
        ("x" * 1_000, ["y" * 64], []),
        ("", ["a"], ["a"]),
    ],
)
def test_the_nearest_words(word: str, choices: list[str], found: list[str]):
    assert nearest(word, choices) == found


def test_slips_of_the_pen():
    assert edit_distance("chose", "choose") == 1
    assert edit_distance("chosoe", "choose") == 1
    assert edit_distance("", "abc") == 3
    assert edit_distance("abc", "abc") == 0


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_slips_are_the_same_both_ways(a: str, b: str):
    assert edit_distance(a, b) == edit_distance(b, a)
    assert (edit_distance(a, b) == 0) == (a == b)
    assert abs(len(a) - len(b)) <= edit_distance(a, b) <= max(len(a), len(b))


def test_choices_in_a_sentence():
    assert choices_text("x", ["a"]) == "expected `a`"
    assert choices_text("x", ["a", "b"]) == "expected one of `a`, `b`"
    many = [f"word{i}" for i in range(9)]
    assert choices_text("word", many) == "the nearest known are `word0`, `word1` and `word2`"
    assert (
        choices_text("qqq", many) == "expected one of 9 words, such as `word0`, `word1` and `word2`"
    )
    assert quoted_list([]) == ""
    assert did_you_mean("qqq", many) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("é漢 ½ “a” 🚀", "é漢 ½ “a” 🚀"),
        ("👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"),
        ("a\x1b[31mb", "a\\u001b[31mb"),
        ("a\nb\tc\rd\x08", "a\\u000ab\\u0009c\\u000dd\\u0008"),
        ("\x9b\x7f\x00", "\\u009b\\u007f\\u0000"),
        ("\u202e\u2066\u200b\ufeff\u00ad\u2028", "\\u202e\\u2066\\u200b\\ufeff\\u00ad\\u2028"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("\u3164", "\\u3164"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_text_is_made_safe(text: str, shown: str):
    assert safe_text(text) == shown


def test_towers_of_marks_are_cut_down():
    shown = safe_text("a" + "\u0301" * 5_000)
    assert shown.startswith("a" + "\u0301" * 8 + "\\u0301")


@given(st.text())
def test_safe_text_is_safe_and_stays_so(text: str):
    shown = safe_text(text)
    assert safe_text(shown) == shown
    allowed = {"\u200c", "\u200d"}
    assert all(
        unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
        for char in set(shown) - allowed
    )
