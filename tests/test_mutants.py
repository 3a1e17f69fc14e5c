"""One small change of a rule at a time: the pack's own scenarios notice it, or it is listed with the reason.

`python -m benchmarks.mutants` prints the table; docs/performance.md shows it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.faults import copy_of
from benchmarks.mutant_kinds import KINDS, Mutant, all_mutants
from benchmarks.mutants import (
    KILLED,
    REFUSED,
    SURVIVED,
    TARGET,
    Bench,
    Outcome,
    killed_share,
    known_survivors,
    run,
    sampled,
)
from benchmarks.shipped import Shipped, read_shipped

SMALL = 1
"""So few that of each kind one is tried, which takes seconds. The slow test tries all."""


@pytest.fixture(scope="module")
def pack() -> Shipped:
    return read_shipped()


@pytest.fixture(scope="module")
def mutants(pack: Shipped) -> list[Mutant]:
    return all_mutants(pack)


def unexplained(outcomes: list[Outcome]) -> list[str]:
    listed = known_survivors()
    return [f"{one.place}: {one.id}" for one in outcomes if one.fate == SURVIVED and one.id not in listed]


def test_a_few_mutants_of_each_kind_are_noticed(mutants: list[Mutant]):
    chosen = sampled(mutants, SMALL, seed=3)
    assert {one.kind for one in chosen} == set(KINDS)
    outcomes, broken = run(chosen, workers=1)
    assert not broken
    assert [one.id for one in outcomes] == [one.id for one in chosen]
    assert not unexplained(outcomes)
    assert {one.fate for one in outcomes} <= {KILLED, REFUSED, SURVIVED}
    assert sum(one.fate == KILLED for one in outcomes) > len(outcomes) / 2, "most have to be played at all"


def test_a_case_that_fails_without_any_mutant_kills_none(pack: Shipped, mutants: list[Mutant]):
    with copy_of() as copy:
        bench = Bench(copy.folder, pack)
        mutant = next(one for one in mutants if one.kind == "drop an ensure")
        assert bench.try_out(mutant).fate == KILLED
        assert not bench.broken
        bench.cases = [replace(case, then={"winner": "nobody"}) for case in bench.cases[:1]]
        assert bench.try_out(mutant).fate == SURVIVED
        assert bench.broken == (bench.cases[0].id,)


@pytest.mark.slow
def test_all_mutants_are_noticed(mutants: list[Mutant]):
    outcomes, broken = run(mutants, workers=2)
    assert not broken
    assert not unexplained(outcomes)
    assert killed_share(outcomes) >= TARGET
    late = [one.id for one in outcomes if one.fate == KILLED and one.id in known_survivors()]
    assert not late, "listed as survivors, but noticed"


def test_the_target_is_what_was_promised():
    assert TARGET == 0.95


def test_each_listed_survivor_is_a_mutant_and_has_a_reason(mutants: list[Mutant]):
    listed = known_survivors()
    gone = listed.keys() - {one.id for one in mutants}
    assert not gone, "no mutant is called so any more: try the new one out, and list it or kill it"
    assert all(len(reason.split()) >= 5 for reason in listed.values())


def test_no_two_mutants_share_a_name(mutants: list[Mutant]):
    assert len({one.id for one in mutants}) == len(mutants)
