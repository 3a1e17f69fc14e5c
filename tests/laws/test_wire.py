"""The bytes that the server sends to a seat hold nothing that the seat may not see."""

from __future__ import annotations

import random

import pytest

from ruleloom.scenes.scene import NOBODY
from ruleloom.web.seat_view import seat_view
from tests.laws.gnostica.spying import named, pairs, visible
from tests.laws.gnostica.strategies import table as seeded_table
from tests.laws.resuming import played
from tests.laws.wire import Seen, compare, follow, recorded
from tests.support.web_tables import table_of

GAMES, MANY, ANSWERS = 2, 200, 44


def test_what_is_hidden_makes_no_difference_on_the_wire():
    seen = compare(range(GAMES), ANSWERS, each=1)
    assert not seen.wrong, "\n".join(seen.wrong)
    assert seen.moments > 30
    assert seen.apart > 10


def test_a_way_that_was_the_only_one_is_told_like_any_other():
    """In this game a way was open to one player only by cards that the spy does not see."""
    seen = compare(range(2_104, 2_105), 60, each=1)
    assert not seen.wrong, "\n".join(seen.wrong)
    assert seen.apart > 10


@pytest.mark.slow
@pytest.mark.timeout(7_200)
def test_what_is_hidden_makes_no_difference_on_the_wire_in_many_games():
    seen = compare(range(2_000, 2_000 + MANY), 60, each=1)
    assert not seen.wrong, "\n".join(seen.wrong[:20])
    assert seen.moments > 4_000


def test_the_owner_is_sent_the_difference():
    """The exchange is real: whoever holds one of the two cards is sent something else."""
    _, found = next(recorded(range(2, 3), ANSWERS))
    pair = next(iter(pairs(found, random.Random(1), 9)))
    at = next(at for at in range(pair.hidden) if (found.holder(pair.one, at) or 0) >= 0)
    owner = found.holder(pair.one, at)
    assert owner is not None
    seen = Seen()
    follow(found, pair._replace(spy=owner), seen)
    assert seen.wrong


@pytest.mark.parametrize("seed", range(2))
def test_no_card_is_sent_before_it_was_seen(seed):
    of = seeded_table(seed)
    table = table_of(of.game())
    readers = range(-1, of.players)
    known: dict[int, set[int]] = {one: set() for one in readers}
    for number, answer in enumerate(played(of.game(), of.player())):
        if answer.after.serial <= table.game.serial:
            continue
        table.take(answer.after)
        game = answer.after
        for reader in readers:
            worlds = [*(event.after for event in game.events), game.state.world]
            for world in (*worlds, answer.before.state.world):
                known[reader] |= open_cards(game.linked, world, reader)
            sent = named(game.linked, seat_view(table, reader))
            assert sent <= known[reader], (number, reader)
        if number > 40:
            break


def open_cards(linked, world, reader):
    """What a seat sees, or whoever looks on."""
    if reader != NOBODY:
        return visible(linked, world, reader)
    hand = set(world[linked.layout.index["hand"]][0])
    return visible(linked, world, 0) - hand
