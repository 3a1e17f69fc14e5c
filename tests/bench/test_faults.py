"""Single faults seeded into the shipped pack: `check` tells each of them, at its place, and once.

`python -m benchmarks.faults` prints the table; docs/lab-book.md shows it.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks.edits.shipped import GAMES, read_shipped
from benchmarks.faults.fields import all_fields
from benchmarks.faults.injection import (
    BESIDE,
    TARGETS,
    Outcome,
    copy_of,
    good,
    misses,
    run,
    seeded,
    share,
)
from benchmarks.faults.kinds import KINDS
from ruleloom.compiler.packs.locate import BUILTIN

# For these some lines of each file are tried out on a reader of YAML, which takes its time.
SLOW_TO_SEED = ("bad indentation", "tab", "deleted line", "doubled line", "swapped lines")
FEW_FILES = (
    "fusions.yaml",
    "triggers.yaml",
    "settings.yaml",
    "scenarios/ledger-grow.yaml",
    "people.yaml",
)


# Moonstone has six hundred items, and each fault is one more check of them.
@pytest.fixture(
    scope="module", params=["gnostica", pytest.param("moonstone", marks=pytest.mark.slow)]
)
def sample(request: pytest.FixtureRequest) -> list[Outcome]:
    game = str(request.param)
    with copy_of(game, BESIDE / game) as copy:
        pack = read_shipped(copy.folder)
        few = replace(pack, files=tuple(file for file in pack.files if file.name in FEW_FILES))
        return [
            copy.check(kind, site)
            for kind in KINDS
            for site in seeded(few if kind in SLOW_TO_SEED else pack, kind, 1, seed=7)
        ]


def hold(outcomes: list[Outcome]) -> None:
    told = "\n".join(misses(outcomes))
    assert not [one.crash for one in outcomes if one.crash], told
    for name, least in TARGETS.items():
        assert share(outcomes, name) >= least, f"{name}:\n{told}"
    assert good(outcomes)


def test_a_few_faults_of_each_kind_are_told_exactly_and_once(sample: list[Outcome]):
    assert len(sample) == len({one.kind for one in sample}) > len(KINDS) / 2
    hold(sample)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_faults_of_each_kind_are_told_exactly_and_once(game: str):
    hold(run(game, each=40, seed=1))


def test_the_targets_are_those_that_were_promised():
    assert TARGETS == {"reported": 0.99, "exact": 0.98, "once": 0.95, "mended": 0.95}


@pytest.mark.slow
def test_between_them_the_games_show_every_kind():
    slow = {*SLOW_TO_SEED, "duplicate key"}
    found: set[str] = set()
    for game in GAMES:
        with copy_of(game, BESIDE / game) as copy:
            pack = read_shipped(copy.folder)
            rng = Random(1)  # one site is enough: each way stops at its first
            found |= {
                kind
                for kind, ways in KINDS.items()
                if kind not in slow | found and any(True for way in ways for _ in way(pack, rng))
            }
    assert found == set(KINDS) - slow


def test_a_pack_that_brings_kinds_of_its_own_has_faults_too():
    pack = read_shipped(BUILTIN / "examples" / "quiet-house")
    fields = {field.path for field in all_fields(pack) if field.item.kind == "haunt"}
    assert ("id",) in fields
    assert seeded(pack, "missing field", 2, 1)


def test_a_seed_makes_the_same_faults_each_time():
    pack = read_shipped(BUILTIN / "gnostica")
    one, two, other = (
        [(site.file.name, site.at, site.says) for site in seeded(pack, "misspelt key", 5, seed)]
        for seed in (3, 3, 4)
    )
    assert one == two
    assert one != other


def test_a_fault_that_is_told_elsewhere_is_not_exact():
    """The measure itself: a fault is looked for where it is, and not where anything is said."""
    (right,) = run("gnostica", 1, seed=7, kinds=["misspelt key"])
    kind, site, said = right.kind, right.site, right.said[0]
    assert site.slip
    assert right.mended
    beside = Outcome(kind, replace(site, at=site.at + 1), (said,), "", 0.0)
    assert (beside.reported, beside.exact, beside.once) == (True, False, True)
    twice = Outcome(kind, site, (said, said), "", 0.0)
    assert (twice.reported, twice.exact, twice.once) == (True, True, False)
    silent = Outcome(kind, site, (), "", 0.0)
    assert (silent.reported, silent.exact, silent.once) == (False, False, False)
    assert good([right])
    assert not good([replace(right, mended=False)])
    assert not good([silent])
    assert not good([Outcome(kind, site, (said,), "TypeError: x", 0.0)])
