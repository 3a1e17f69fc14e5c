"""Exact numbers: written `1/2`, never rounded, and the same in a program, a state and a save."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruleloom.compiler.pipeline import CompileResult
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.labels import constant, number_text, value_text
from ruleloom.runtime.program.canonical_json import (
    Json,
    SaveError,
    canonical,
    ratio_data,
    ratio_of,
    read_json,
)
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.state import value_data, value_of
from ruleloom.runtime.program.values import LARGEST, Type, exact
from ruleloom.runtime.program.verify_expr import check_constant
from tests.support.check_layer import compile_case, run_check
from tests.support.evening import PROGRAM
from tests.support.orchard_driver import bind


def measure(written: str, gives: str = "Fraction") -> CompileResult:
    """The orchard with one measure more."""
    return compile_case(
        f'- kind: measure\n  id: part\n  gives: {gives}\n  is: "{written}"\n  english: x\n'
    )


def codes(result: CompileResult) -> list[str]:
    """The errors."""
    return [one.code for one in result.diagnostics if one.severity == "error"]


@pytest.mark.parametrize(
    ("written", "gives"),
    [
        ("1/2", "Fraction"),
        ("3 * 1/5 + 1/2", "Fraction"),
        ("1 if day > 3 else 1/2", "Fraction"),
        ("sum([1/2, 1])", "Fraction"),
        ("highest(size(b) * 1/2 for b: mine)", "Fraction"),
        ("-1/2 * day", "Fraction"),
        ("day", "Fraction"),
        ("(day + 1/2) div 1", "Int"),
        ("count(b: mine where size(b) > 1/2)", "Int"),
        ("4/2", "Int"),
    ],
)
def test_fractions_are_numbers(written: str, gives: str):
    assert codes(measure(written, gives)) == []


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("day + 1/2", "type-mismatch"),
        ("1/2 mod 2", "type-mismatch"),
        ("count(x: 1/2 .. 3)", "type-mismatch"),
        ("day / 2", "syntax"),
        ("1/0", "syntax"),
        ("½", "syntax"),
        ("1.5", "syntax"),
    ],
)
def test_a_fraction_is_no_whole_number(written: str, code: str):
    assert codes(measure(written, "Int")) == [code]


@pytest.mark.parametrize(
    ("typed", "help"), [("½", "write `1/2`"), ("0.25", "write `1/4`, which is exact")]
)
def test_other_ways_to_write_a_fraction(typed: str, help: str):
    text = f'- kind: measure\n  id: part\n  gives: Fraction\n  is: "{typed}"\n  english: x\n'
    (said,) = [one for one in run_check(text) if one.severity == "error"]
    assert said.help == help


def test_a_program_keeps_fractions():
    program = measure("1/3 + day").program
    assert program is not None
    assert program_of(read_json(canonical(program_data(program)))) == program


@pytest.mark.parametrize(
    "data",
    [
        {"ratio": [1, 1]},
        {"ratio": [2, 4]},
        {"ratio": [1, 0]},
        {"ratio": [1, -2]},
        {"ratio": [1]},
        {"ratio": [True, 2]},
        {"ratio": [1, 2], "more": 1},
        {"ratio": [LARGEST * 2 + 1, 2]},
    ],
)
def test_a_damaged_fraction_is_refused(data: dict[str, Json]):
    with pytest.raises(ValueError, match=r"^$"):
        ratio_of(data)
    with pytest.raises(SaveError):
        value_of(data)


def test_equal_numbers_look_equal_in_a_state():
    assert value_data(Fraction(4, 2)) == value_data(2) == 2
    assert value_of(value_data((Fraction(1, 2), 3))) == (Fraction(1, 2), 3)
    assert ratio_data(Fraction(-3, 6)) == {"ratio": [-1, 2]}


def test_a_constant_has_its_bounds():
    check_constant(Fraction(1, 3))
    with pytest.raises(SaveError, match="beyond"):
        check_constant(Fraction(LARGEST + 2, 2**54))


@pytest.mark.parametrize("text", ["", "1/", "/2", "1/0", "a", "1.2.3", "½", "1e5", "- 1"])
def test_what_is_no_number(text: str):
    with pytest.raises(ValueError, match=r"."):
        exact(text or " ")


def test_numbers_are_read_exactly():
    assert [exact(text) for text in ("3", "1/2", "0.5", "4/2", "-1.25")] == [
        3,
        Fraction(1, 2),
        Fraction(1, 2),
        2,
        Fraction(-5, 4),
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-4, "-4"),
        (Fraction(4, 2), "2"),
        (Fraction(1, 2), "1/2"),
        (Fraction(-1, 2), "-1/2"),
        (Fraction(191, 2), "95 1/2"),
        (Fraction(-3, 2), "-1 1/2"),
    ],
)
def test_numbers_are_told_as_people_write_them(value: int | Fraction, text: str):
    linked = link_game(PROGRAM, bind, ["Ann", "Ben"])
    type_ = Type("Fraction")
    assert value_text(linked, (), type_, value) == number_text(value) == text
    assert constant(linked, type_, text) == value


@pytest.mark.parametrize("text", ["1 2", "1  1/2", "1 1/0", "1 -1/2", "a 1/2", "1/2 1/2", "1 1/2 "])
def test_what_is_no_mixed_number(text: str):
    linked = link_game(PROGRAM, bind, ["Ann", "Ben"])
    with pytest.raises(ValueError):  # noqa: PT011 - as `constant` promises
        constant(linked, Type("Fraction"), text)
