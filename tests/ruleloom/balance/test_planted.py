"""Changes of a known size, planted in the shipped games, are found; changes of nothing but luck are not.

A pack on top has two numbers. `helped` has seat one win so many of a hundred games before play (below
0, seat two), so that what it makes of A's wins is known: that share of the games that A would not
have won. Nobody wins a session of Witchgates: there so many are over at once (below 0, break off), and
it is how they end that is looked at. `stirred` throws dice for nothing, so that all later luck is
other luck.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruleloom.bots.bot import PresetAnswer
from ruleloom.cli.balance.balance import ItemRuns
from ruleloom.cli.simulate.simulate import RunWishes
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.simulate.balance.item_trials import TrialGround, trial_of
from ruleloom.simulate.intervals import Contrast, contrasts, sure_together
from tests.conftest import ROOT
from tests.support.known_games import HERE, plan_for

SUPPORT = ROOT / "tests" / "support"
PACKS = {
    "gnostica": ("gnostica", str(SUPPORT / "planted" / "gnostica")),
    "moonstone": ("moonstone", str(SUPPORT / "duels"), str(SUPPORT / "planted" / "moonstone")),
    "monotheism": ("monotheism", str(SUPPORT / "planted" / "monotheism")),
    "witchgates": ("witchgates", str(SUPPORT / "planted" / "witchgates")),
}
BOTS = dict.fromkeys(PACKS, "random,random") | {"moonstone": "steady,steady"}
LIMITS = {"monotheism": 8, "witchgates": 8}
"""In turns; so many games do not end that way, which takes nothing from what is planted."""
SETTINGS = {"witchgates": (("session_rolls", 2),)}
SIZES = {
    "gnostica": (20, 25, 30, 35, 40),
    "moonstone": (50, 55, 60, 65, 70),
    "monotheism": (60, 65, 70, 75, 80),
    "witchgates": (60, 65, 70, 75, 80),
}
"""In points of a hundred games; larger where fewer games can be played in the time."""
GAMES = [("gnostica", 300), ("moonstone", 100), ("monotheism", 40), ("witchgates", 100)]
RISES, FALLS = 1, -1
SESSION_OVER = "ends: the session is over"
FIGURES = {
    "gnostica": (("wins of A", RISES), ("wins of A", FALLS)),
    "moonstone": (("wins of A", RISES), ("wins of A", FALLS)),
    "monotheism": (("wins of A", RISES), ("wins of B", RISES)),
    "witchgates": ((SESSION_OVER, RISES), (SESSION_OVER, FALLS)),
}
"""What a number above 0 changes, and one below 0. At random nearly nobody wins at Monotheism: A has
nothing to lose."""
NULL = [f"stirred={number}" for number in range(1, 21)]


def ground_of(game: str) -> TrialGround:
    """A game with its planted numbers, between two bots that cost little."""
    compiled = compile_paths(PACKS[game], texts=True, scenarios=False)
    assert compiled.program is not None, [one.message for one in compiled.diagnostics]
    plan = replace(plan_for(BOTS[game]), settings=SETTINGS.get(game, ()))
    if game in LIMITS:
        plan = replace(plan, turn_limit=LIMITS[game])
    if game == "moonstone":
        names = next(one.names for one in compiled.program.entities if one.name == "Scene")
        plan = replace(plan, given=PresetAnswer("scene", names.index("swords"), "swords"))
    return TrialGround(PACKS[game], compiled, plan)


def compared(game: str, names: list[str], games: int) -> dict[str, list[Contrast]]:
    """All figures of each name, those marked that are sure among all."""
    ground = ground_of(game)
    runs = ItemRuns(game, RunWishes(games, lambda _: False, None, False), HERE)
    found = [contrasts(*runs.both(trial_of(ground, name)), ("A", "B")) for name in names]
    return dict(zip(names, sure_together(found), strict=True))


def known_figure(game: str, size: int, figures: list[Contrast]) -> tuple[Contrast, int]:
    """The one figure whose true change is known, and which way it goes."""
    name, way = FIGURES[game][size < 0]
    return next(one for one in figures if one.name == name), way


def size_of(name: str) -> int:
    """The number that is planted: -60 for `helped=-60`."""
    return int(name.partition("=")[2])


def is_found(game: str, name: str, figures: list[Contrast]) -> bool:
    """Does what is known surely go where the planted number sends it?"""
    figure, way = known_figure(game, size_of(name), figures)
    return figure.sure and figure.difference.value * way > 0


LARGE = [
    ("gnostica", 60),
    pytest.param("moonstone", 24, marks=pytest.mark.slow),
    pytest.param("monotheism", 40, marks=pytest.mark.slow),
    pytest.param("witchgates", 100, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("game", "games"), LARGE)
def test_one_large_change_is_found_and_one_of_luck_is_not(game, games):
    found = compared(game, ["helped=60", "stirred=3"], games)
    assert is_found(game, "helped=60", found["helped=60"])
    assert not any(one.sure for one in found["stirred=3"])
    assert any(one.difference.half_width for one in found["stirred=3"])  # other luck, other games


@pytest.mark.slow
@pytest.mark.parametrize(("game", "games"), GAMES)
def test_nine_of_ten_planted_changes_are_found_and_none_of_twenty_null_ones(game, games):
    planted = [f"helped={sign * size}" for sign in (1, -1) for size in SIZES[game]]
    found = compared(game, [*planted, *NULL], games)
    for name, figures in found.items():
        print(f"{name}: {known_figure(game, size_of(name), figures)[0].difference}")
    right = [name for name in planted if is_found(game, name, found[name])]
    wrong = [name for name in NULL if any(one.sure for one in found[name])]
    print(
        f"{game}: {len(right)} of {len(planted)} found, {len(wrong)} of {len(NULL)} null reported"
    )
    assert len(right) >= 9, right
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "games"), GAMES)
def test_the_size_of_a_planted_change_lies_in_its_interval(game, games):
    size = SIZES[game][-1]
    figures = compared(game, [f"helped={size}"], games)[f"helped={size}"]
    known, _ = known_figure(game, size, figures)
    assert not known.difference.excludes(size / 100 * (1 - known.old))
