"""Changes of a known size, planted in the shipped games, are found; changes of nothing but luck are not.

A pack on top has two numbers. `helped` has seat one win so many of a hundred games before play (below
0, seat two), so that what it makes of A's wins is known: that share of the games that A would not
have won. `stirred` throws dice for nothing, so that all later luck is other luck.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruleloom.balance.item_trials import TrialGround, trial_of
from ruleloom.cli.balance.item_runs import ItemRuns
from ruleloom.cli.simulate.running import RunWishes
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.simulate.contrast import Contrast, contrasts, sure_together
from ruleloom.simulate.run_plan import GivenAnswer
from tests.conftest import ROOT
from tests.support.known_games import HERE, plan_for

SUPPORT = ROOT / "tests" / "support"
PACKS = {
    "gnostica": ("gnostica", str(SUPPORT / "planted" / "gnostica")),
    "moonstone": ("moonstone", str(SUPPORT / "duels"), str(SUPPORT / "planted" / "moonstone")),
}
BOTS = {"gnostica": "random,random", "moonstone": "steady,steady"}
SIZES = {"gnostica": (20, 25, 30, 35, 40), "moonstone": (50, 55, 60, 65, 70)}
"""In points of a hundred games; larger where fewer games can be played in the time."""
NULL = [f"stirred={number}" for number in range(1, 21)]


def ground_of(game: str) -> TrialGround:
    """A game with its planted numbers, between two bots that cost little."""
    compiled = compile_paths(PACKS[game], texts=True)
    assert compiled.program is not None, [one.message for one in compiled.diagnostics]
    plan = plan_for(BOTS[game])
    if game == "moonstone":
        names = next(one.names for one in compiled.program.entities if one.name == "Scene")
        plan = replace(plan, given=GivenAnswer("scene", names.index("swords"), "swords"))
    return TrialGround(PACKS[game], compiled, plan)


def compared(game: str, names: list[str], games: int) -> dict[str, list[Contrast]]:
    """All figures of each name, those marked that are sure among all."""
    ground = ground_of(game)
    runs = ItemRuns(game, RunWishes(games, lambda _: False, None, False), HERE)
    found = [contrasts(*runs.both(trial_of(ground, name)), ("A", "B")) for name in names]
    return dict(zip(names, sure_together(found), strict=True))


def wins_of_a(figures: list[Contrast]) -> Contrast:
    """The one figure whose true change is known."""
    return next(one for one in figures if one.name == "wins of A")


def is_found(name: str, figures: list[Contrast]) -> bool:
    """Do A's wins surely go where the planted number sends them?"""
    wins, size = wins_of_a(figures), int(name.partition("=")[2])
    return wins.sure and (wins.difference.value > 0) == (size > 0)


@pytest.mark.parametrize(("game", "games"), [("gnostica", 60), ("moonstone", 24)])
def test_one_large_change_is_found_and_one_of_luck_is_not(game, games):
    found = compared(game, ["helped=60", "stirred=3"], games)
    assert is_found("helped=60", found["helped=60"])
    assert not any(one.sure for one in found["stirred=3"])
    assert any(one.difference.half_width for one in found["stirred=3"])  # other luck, other games


@pytest.mark.slow
@pytest.mark.parametrize(("game", "games"), [("gnostica", 300), ("moonstone", 100)])
def test_nine_of_ten_planted_changes_are_found_and_none_of_twenty_null_ones(game, games):
    planted = [f"helped={sign * size}" for sign in (1, -1) for size in SIZES[game]]
    found = compared(game, [*planted, *NULL], games)
    for name, figures in found.items():
        print(f"{name}: {wins_of_a(figures).difference}")
    right = [name for name in planted if is_found(name, found[name])]
    wrong = [name for name in NULL if any(one.sure for one in found[name])]
    assert len(right) >= 9, right
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "games"), [("gnostica", 300), ("moonstone", 100)])
def test_the_size_of_a_planted_change_lies_in_its_interval(game, games):
    size = SIZES[game][-1]
    wins = wins_of_a(compared(game, [f"helped={size}"], games)[f"helped={size}"])
    assert not wins.difference.excludes(size / 100 * (1 - wins.old))
