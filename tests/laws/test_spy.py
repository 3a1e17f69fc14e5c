"""A spying player learns nothing: not from options, prompts of others, refusals, logs, views or
saves."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from ruleloom.api.languages import language_for
from ruleloom.runtime.play.game import moments as replayed
from ruleloom.runtime.play.game import new_game, read_in
from ruleloom.runtime.play.view import view
from tests.laws.gnostica.spying import named, pairs, record, shown, visible, watch
from tests.laws.gnostica.strategies import table
from tests.laws.resuming import played
from tests.support.german_cards import brewed, brewed_in_german

GAMES, MANY, PAIRS, ANSWERS = 3, 300, 4, 90


def watched(games, first=0, code="en", packs=()):
    """Watch pairs in so many games, read in a language, with cards of one's own: faults, moments, times the spy was asked, moments
    the worlds differed."""
    wrong, moments, asked, apart = [], 0, 0, 0
    for seed in range(first, first + games):
        of = table(seed)
        of = replace(of, pack=str(packs[0])) if packs else of
        found = record(of, ANSWERS)
        language = language_for(found.linked.program, code, [*map(str, packs)])
        for pair in pairs(found, random.Random(seed), PAIRS):
            seen = watch(found, pair, language)
            wrong += [f"{of}: {fault}" for fault in seen.wrong]
            moments, asked, apart = (
                moments + seen.moments,
                asked + seen.asked,
                apart + seen.told_apart,
            )
    print(f"seeds {first} to {first + games - 1}: {moments:,} moments compared, {apart:,} of them with worlds "
          f"that differ; the spy was asked {asked:,} times")  # fmt: skip
    return wrong, moments, asked, apart


def test_what_is_hidden_makes_no_difference():
    wrong, moments, asked, apart = watched(GAMES)
    assert not wrong, "\n".join(wrong)
    assert moments > 350
    assert asked > 100
    assert apart > 150


def test_what_is_hidden_makes_no_difference_to_a_reader_of_german():
    wrong, moments, asked, apart = watched(2, code="de")
    assert not wrong, "\n".join(wrong)
    assert moments > 200
    assert asked > 50
    assert apart > 80


def test_what_is_hidden_makes_no_difference_in_german_with_cards_of_one_s_own(tmp_path):
    brew = brewed(tmp_path / "brew")
    wrong, moments, asked, apart = watched(
        2, 6, "de", (brew, brewed_in_german(tmp_path / "brew-de"))
    )
    assert not wrong, "\n".join(wrong)
    assert moments > 150
    assert asked > 40
    assert apart > 60


def test_the_owner_sees_the_difference_in_german():
    """The views that are compared are German, and whoever holds one of the two cards is shown another."""
    found = record(table(2), ANSWERS)
    german = language_for(found.linked.program, "de")
    pair = next(iter(pairs(found, random.Random(1), 9)))
    at = next(at for at in range(pair.hidden) if (found.holder(pair.one, at) or 0) >= 0)
    owner = found.holder(pair.one, at)
    assert owner is not None
    assert watch(found, pair._replace(spy=owner), german).wrong
    game = read_in(new_game(found.linked, seed=3), german)
    assert "Welche Karte bietest du" in shown(game, game.node.stop.who[0]).view


@pytest.mark.slow
def test_what_is_hidden_makes_no_difference_in_many_games():
    wrong, moments, _, _ = watched(MANY, 1_000)
    assert not wrong, "\n".join(wrong[:20])
    assert moments > 20_000


def test_the_owner_sees_the_difference():
    """The exchange is real: whoever holds one of the two cards is shown something else."""
    found = record(table(2), ANSWERS)
    pair = next(iter(pairs(found, random.Random(1), 9)))
    at = next(at for at in range(pair.hidden) if (found.holder(pair.one, at) or 0) >= 0)
    owner = found.holder(pair.one, at)
    assert owner is not None
    seen = watch(found, pair._replace(spy=owner))
    assert seen.wrong


@pytest.mark.parametrize("seed", range(6))
def test_only_cards_that_were_seen_are_named(seed):
    """What a player is shown names no card that the player never saw."""
    of = table(seed)
    game = of.game()
    for number, answer in enumerate(played(game, of.player())):
        game = answer.after
        if number > 120:
            break
    spy = seed % of.players
    seen = set()
    for moment in replayed(game):
        for event in moment.after.events:
            seen |= visible(game.linked, event.after, spy)
        seen |= visible(game.linked, moment.after.state.world, spy)
        assert named(game.linked, view(moment.after, spy)) <= seen
    assert len(seen) >= 9


def test_a_view_shows_what_is_open():
    """The same views show all that everybody can see, so that saying nothing is no way to keep the
    law."""
    of = table(7)
    for number, answer in enumerate(played(of.game(), of.player())):
        game = answer.after
        data = view(game, 0)
        world, index = game.state.world, game.linked.layout.index
        names = game.linked.layout.names["Card"]
        assert set(data["zones"]["board"].values()) == {
            names[c] for c in world[index["board"]].values()
        }
        assert data["zones"]["hand"]["A"] == [names[c] for c in world[index["hand"]][0]]
        assert data["zones"]["hand"]["B"] == len(world[index["hand"]][1])
        assert data["zones"]["draw_pile"] == len(world[index["draw_pile"]])
        assert len(data["things"]["Piece"]) == sum(
            at is not None for at in world[index["Piece.space"]]
        )
        assert bool(data["prompts"]) == (not game.over and 0 in game.node.stop.who)
        assert shown(game, 0).view == json.dumps(data, sort_keys=True)
        if number > 60:
            break
