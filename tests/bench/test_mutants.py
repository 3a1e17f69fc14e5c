"""One small change of a rule at a time: the pack's own scenarios notice it, or it is listed with
the reason.

`python -m benchmarks.mutants` prints the table; docs/lab-book.md shows it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from benchmarks.edits.shipped import GAMES, read_shipped
from benchmarks.faults.injection import copy_of
from benchmarks.mutants.bench import KILLED, REFUSED, SAME, SURVIVED, Bench, Outcome, in_parts
from benchmarks.mutants.operators import KINDS, Mutant, all_mutants
from benchmarks.mutants.testing import TARGET, killed_share, known_survivors, run, sampled
from ruleloom.compiler.packs.locate import BUILTIN

MADE_OF = tuple(
    f"{name}.yaml"
    for name in (
        *(
            "abilities",
            "advantages",
            "banes",
            "bonuses",
            "creation",
            "damage-types",
            "gear",
            "keywords",
        ),
        *("pairings", "settings", "spell-lists", "statistics"),
    )
)
"""What characters are made of. The rules of play join here as their scenarios are written."""
LONG = tuple(one for one in GAMES if one != "gnostica")
SMALL = 1
"""So few that of each kind one is tried. The slowest test tries all."""


# The mutants of a long game take seconds to find.
@pytest.fixture(
    scope="module",
    params=["gnostica", *(pytest.param(one, marks=pytest.mark.slow) for one in LONG)],
)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def mutants_of(game: str) -> list[Mutant]:
    return all_mutants(read_shipped(BUILTIN / game))


@pytest.fixture(scope="module")
def mutants(game: str) -> list[Mutant]:
    return mutants_of(game)


def unexplained(game: str, outcomes: list[Outcome]) -> list[str]:
    listed = known_survivors(game)
    return [
        f"{one.place}: {one.id}"
        for one in outcomes
        if one.fate == SURVIVED and one.id not in listed
    ]


@pytest.mark.slow
def test_a_few_mutants_of_each_kind_are_noticed(game: str, mutants: list[Mutant]):
    mutants = [one for one in mutants if game != "moonstone" or one.site.file.name in MADE_OF]
    chosen = sampled(mutants, SMALL, seed=3)
    assert {one.kind for one in chosen} == {one.kind for one in mutants}
    outcomes, broken = run(game, chosen)
    assert not broken
    assert [one.id for one in outcomes] == [one.id for one in chosen]
    assert not unexplained(game, outcomes)
    assert {one.fate for one in outcomes} <= {KILLED, REFUSED, SAME, SURVIVED}
    assert sum(one.fate == KILLED for one in outcomes) > len(outcomes) / 2, (
        "most have to be run at all"
    )


@pytest.mark.slow
def test_between_them_the_games_show_every_kind():
    assert {one.kind for game in GAMES for one in mutants_of(game)} == set(KINDS)


@pytest.mark.parametrize(
    ("game", "item"),
    [
        ("gnostica", "drop an ensure"),
        pytest.param("moonstone", "table/gain_at", marks=pytest.mark.slow),
    ],
)
def test_a_case_that_fails_without_any_mutant_kills_none(game: str, item: str):
    pack = read_shipped(BUILTIN / game)
    with copy_of(game) as copy:
        bench = Bench(copy.folder, pack)
        mutant = next(one for one in all_mutants(pack) if item in one.id)
        assert [one.fate for one in bench.try_out([mutant])] == [KILLED]
        assert not bench.broken
        bench.cases = [replace(case, then={"winner": "nobody"}) for case in bench.cases[:1]]
        assert [one.fate for one in bench.try_out([mutant])] == [SURVIVED]
        assert bench.broken == (bench.cases[0].id,)


def test_cases_run_in_parts_are_all_run_and_in_order():
    """A few go first, as making things takes longer than running the case; none is left out."""
    with copy_of("moonstone") as copy:
        pack = read_shipped(BUILTIN / "moonstone")
        bench = Bench(copy.folder, pack)
    item = pack.named("measure")["price_over"]
    ordered = bench.in_order(item)
    first, more, rest = in_parts(ordered)
    assert [*first, *more, *rest] == ordered
    assert sorted(case.id for case in ordered) == sorted(case.id for case in bench.cases)
    assert "moonstone.rawscore.cost-over-23" in {
        clause for case in first for clause in case.clauses
    }


@pytest.mark.slow
def test_all_mutants_are_noticed(game: str, mutants: list[Mutant]):
    outcomes, broken = run(game, mutants, workers=2)
    assert not broken
    assert not unexplained(game, outcomes)
    assert killed_share(outcomes) >= TARGET
    late = [one.id for one in outcomes if one.fate == KILLED and one.id in known_survivors(game)]
    assert not late, "listed as survivors, but noticed"


def test_the_target_is_what_was_promised():
    assert TARGET == 0.95


def test_each_listed_survivor_is_a_mutant_and_has_a_reason(game: str, mutants: list[Mutant]):
    listed = known_survivors(game)
    gone = listed.keys() - {one.id for one in mutants}
    assert not gone, "no mutant is called so any more: try the new one out, and list it or kill it"
    assert all(len(reason.split()) >= 5 for reason in listed.values())


def test_no_two_mutants_share_a_name(mutants: list[Mutant]):
    assert len({one.id for one in mutants}) == len(mutants)
