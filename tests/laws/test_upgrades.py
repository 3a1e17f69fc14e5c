"""Games of all four are taken to their own version, which changes nothing, and to changed ones, which loses
nothing."""

from __future__ import annotations

import pytest

from tests.laws.upgrades import MAKERS, Tried, try_all, try_upgrade

FAST, VERSIONS, AFTER = 8, 5, 40


@pytest.mark.parametrize("game", list(MAKERS))
def test_the_same_version_is_the_same_game(game):
    tried = Tried()
    for seed in (1, 2):
        try_upgrade(game, seed, None, tried, AFTER)
    assert not tried.wrong, "\n".join(tried.wrong)
    assert tried.counts["upgraded"] == 2


def test_a_game_taken_to_changed_versions_loses_nothing_and_goes_on():
    """Each sort of change once; the other games have theirs among the slow runs."""
    tried = Tried()
    try_all("gnostica", FAST, VERSIONS, 1, tried, AFTER)
    assert not tried.wrong, "\n".join(tried.wrong)
    assert tried.counts["upgraded"] >= FAST - 1
    assert tried.counts["with something set aside"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", list(MAKERS))
def test_many_games_taken_to_changed_versions(game):
    tried = Tried()
    try_all(game, 500, 25, 1, tried)
    print(game, dict(tried.counts))
    assert not tried.wrong, "\n".join(tried.wrong)
    assert tried.counts["upgraded"] >= 450
