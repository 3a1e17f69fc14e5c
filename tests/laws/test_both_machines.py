"""Routines as Python functions play as rows do one by one: random programs, and the shipped games.

The long run: `python -m tests.laws.both_machines --programs 100000 --games 500`.
"""

from __future__ import annotations

import pytest

from ruleloom.runtime.link import routine_code
from ruleloom.runtime.machine import step
from ruleloom.runtime.machine.registers import Run
from tests.laws.both_machines import GAMES, both_of, difference, game_of, points, random_program
from tests.support.evening import bind

PROGRAMS = 100


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


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_games_play_alike_on_both_machines(name: str):
    both = game_of(name)
    for seed in range(60):
        assert not difference(both, seed, 400)[1]


def test_a_machine_that_forgets_a_result_is_found_out(monkeypatch: pytest.MonkeyPatch):
    """The comparison notices a mistake in a function of a routine."""
    written = routine_code._Writer._use

    def forgetful(writer: routine_code._Writer, *where: object) -> None:
        written(writer, *where)  # type: ignore[arg-type]
        writer.lines = [line.replace("= r.result", "= None") for line in writer.lines]

    monkeypatch.setattr(routine_code._Writer, "_use", forgetful)
    wrong = (difference(both_of(random_program(seed), bind, "AB"), seed, 40) for seed in range(60))
    assert any(told for _, told in wrong)


def test_runs_are_done_again_only_where_something_is_wrong(monkeypatch: pytest.MonkeyPatch):
    """Whatever fails in a function would be mended by doing the run again, and nobody would see."""
    played: list[bool] = []
    in_code = step.go_on_in_code

    def counted(r: Run) -> object:
        played.append(False)
        stop = in_code(r)
        played[-1] = True
        return stop

    monkeypatch.setattr(step, "go_on_in_code", counted)
    code, _ = game_of("gnostica")
    for seed in range(4):
        assert [*points(code, seed, 100)]
    assert len(played) > 300
    assert all(played)
