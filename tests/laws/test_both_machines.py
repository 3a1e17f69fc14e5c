"""Routines as Python functions play as rows do one by one: random programs, and the shipped games.

The long run: `python -m tests.laws.both_machines --programs 100000 --games 500`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link import routine_code
from ruleloom.runtime.machine import step
from ruleloom.runtime.machine.registers import Run, Suspension
from ruleloom.runtime.program.program import (
    Finish,
    JumpUnless,
    Origin,
    Return,
    Row,
    Say,
    SetScope,
    Use,
)
from tests.conftest import ROOT
from tests.laws.both_machines import GAMES, both_of, difference, game_of, points, random_program
from tests.support.evening import PROGRAM, bind
from tests.support.rows import const

PROGRAMS = 100
REPLIES = ROOT / "tests" / "content" / "replies"
HERE = Origin("orchard", "long.yaml", 1, 1)


def test_random_programs_play_alike_on_both_machines():
    alike = 0
    for seed in range(PROGRAMS):
        same, told = difference(both_of(random_program(seed), bind, "AB"), seed, 40)
        assert not told
        alike += same
    assert alike > 5 * PROGRAMS


def test_games_of_gnostica_play_alike_on_both_machines():
    both, alike = game_of("gnostica"), 0
    for seed in range(6):
        same, told = difference(both, seed, 100)
        assert not told
        alike += same
    assert alike > 150


def test_powers_that_go_to_whoever_answered_play_alike_on_both_machines():
    program = compile_paths([REPLIES / "offerings"]).program
    assert program is not None
    both = both_of(program, driver_of("monotheism"), "AB")
    assert not any(difference(both, seed, 200)[1] for seed in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_games_play_alike_on_both_machines(name: str):
    both = game_of(name)
    for seed in range(60):
        assert not difference(both, seed, 400)[1]


def test_a_machine_that_forgets_a_result_is_found_out(monkeypatch: pytest.MonkeyPatch):
    """The comparison notices a mistake in a function of a routine."""
    written = routine_code._Writer._use

    def forgetful(writer: routine_code._Writer, pc: int, row: Use, indent: int) -> bool:
        follows = written(writer, pc, row, indent)
        writer.lines = [line.replace("= r.result", "= None") for line in writer.lines]
        return follows

    monkeypatch.setattr(routine_code._Writer, "_use", forgetful)
    both = game_of("witchgates")
    assert any(difference(both, seed, 100)[1] for seed in range(6))


@pytest.mark.pure
def test_runs_are_done_again_only_where_the_rules_are_at_fault(monkeypatch: pytest.MonkeyPatch):
    """What is wrong with a function would be mended by doing the run again, and nobody would see."""
    ended: Counter[type] = Counter()
    in_code = step.go_on_in_code

    def counted(r: Run) -> object:
        try:
            stop = in_code(r)
        except Exception as error:
            ended[type(error)] += 1
            raise
        ended[type(stop)] += 1
        return stop

    monkeypatch.setattr(step, "go_on_in_code", counted)
    for seed in range(0, 100, 5):
        code, _ = both_of(random_program(seed), bind, "AB")
        assert [*points(code, seed, 40)]
    code, _ = game_of("gnostica")
    for seed in range(4):
        assert [*points(code, seed, 100)]
    assert ended[Suspension] > 600
    assert not ended.keys() & {NameError, UnboundLocalError, AttributeError, SyntaxError}
    assert ended[Suspension] > 0.98 * ended.total()


@pytest.mark.pure
def test_a_very_long_routine_is_cut_into_functions(monkeypatch: pytest.MonkeyPatch):
    """Neither Python nor its compiler has to nest as deep as a routine is long."""
    rows: list[Row] = []
    for day in range(120):
        told = Say(HERE, "three"), SetScope(HERE, "day", const(day % 5))
        rows += [
            told[1],
            JumpUnless(HERE, ("=", ("scope", "day"), const(3)), len(rows) + 3),
            told[0],
        ]
    rows += [Finish(HERE, None, "the end"), Return(HERE)]
    long = [
        replace(one, rows=tuple(rows)) if one.id == PROGRAM.set_up else one
        for one in PROGRAM.routines
    ]
    both = both_of(replace(PROGRAM, routines=tuple(long)), bind, "AB")
    assert difference(both, 1, 5) == (1, "")
    monkeypatch.setattr(step, "go_on", None)  # nothing is done again
    assert [*points(both[0], 1, 5)]
