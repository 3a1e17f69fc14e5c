"""Random games: nothing is lost, nobody is asked what cannot be answered, nothing raises.

The same laws on ten thousand games: `pytest -m slow -k ten_thousand`, or
`python -m tests.laws.soak`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from itertools import islice

import pytest

from tests.conftest import ROOT
from tests.laws.gnostica.conserve import Account
from tests.laws.gnostica.strategies import STYLES, linked, moments, table
from tests.laws.resuming import played
from tests.laws.soak import Figures, play, soak, unasked
from tests.support.command import another_hash_seed

FAST, MOST_TURNS = 30, 60
EXAMPLES = sorted(
    path.parent.name
    for path in (ROOT / "rulesets/examples").glob("*/pack.yaml")
    if "\ngame: gnostica\n" in path.read_text(encoding="utf-8")
)


def test_random_games_keep_the_laws():
    """Sixty games of two to six players, half of them under other readings than the defaults."""
    total = Figures()
    for seed in range(FAST):
        total.add(play(table(seed), MOST_TURNS, every=5))
    print(f"seeds 0 to {FAST - 1}", *total.lines(), sep="\n")
    assert not total.wrong
    assert total.finished >= FAST // 4
    assert total.real > 5_000
    assert len(unasked(total.asked)) < 40, "the games meet too few of the choices of the rules"


@pytest.mark.parametrize("pack", EXAMPLES)
def test_random_games_of_an_example_pack(pack):
    """What a pack changes and adds keeps the laws as well."""
    total = Figures()
    for seed in range(12):
        total.add(
            play(
                replace(table(seed), pack=str(ROOT / "rulesets/examples" / pack)),
                MOST_TURNS,
                every=5,
            )
        )
    print(f"{pack}, seeds 0 to 11", *total.lines()[:4], sep="\n")
    assert not total.wrong
    assert total.real > 500


def test_the_games_differ():
    """All numbers of players and all styles come up, under the default readings and under
    others."""
    tables = [table(seed) for seed in range(FAST)]
    assert {t.players for t in tables} == {2, 3, 4, 5, 6}
    assert {t.style for t in tables} == set(STYLES)
    assert 10 < sum(not t.chosen for t in tables) < 50


def test_one_seed_is_one_game():
    first, second = ([m.after.state for m in moments(table(3), 20)] for _ in range(2))
    assert first == second


def digest() -> str:
    """All that is asked, refused and answered in the beginning of two games."""
    told = hashlib.sha256()
    for seed in (3, 4):
        of = table(seed)
        for answer in islice(played(of.game(), of.player()), 122):
            after = answer.after
            told.update(repr((after.prompts, after.refusals, after.entries[-1])).encode())
    return told.hexdigest()


def test_one_seed_is_one_game_in_every_process():
    """No prompt, option, refusal or answer hangs on how Python orders its sets: in this process
    otherwise than in another one."""
    elsewhere = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import digest; print(digest())"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": another_hash_seed(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert elsewhere.stdout.strip() == digest()


def test_the_account_finds_what_is_lost():
    """The laws are no laws if nothing breaks them: worlds with a card, a piece or a turn amiss are
    found."""
    game = table(4).game()
    for moment in moments(table(4), 12):
        node = moment.after
    world = node.state.world
    index = game.linked.layout.index

    def faults(**columns):
        changed = list(world)
        for name, column in columns.items():
            changed[index[name.replace("_of_", ".")]] = column
        return Account(game.linked).world(tuple(changed))

    assert faults() == []
    assert faults(draw_pile=world[index["draw_pile"]][1:])
    assert faults(aside=(*world[index["aside"]], world[index["draw_pile"]][0]))
    space = world[index["Piece.space"]]
    there = next(piece for piece, at in enumerate(space) if at is not None)
    away = tuple(None if piece == there else at for piece, at in enumerate(space))
    assert faults(Piece_of_space=away)
    assert faults(Piece_of_pips=(3,) * len(space), Piece_of_facing=("N",) * len(space))
    assert faults(Piece_of_owner=world[index["Piece.owner"]][::-1])


def test_the_limits_hold_where_the_table_is_crowded():
    """An account for another limit sees what an honest one does not."""
    wrong = []
    strict = Account(linked(3, (("space_limit", 1),)))
    for moment in moments(table(8), 40):
        wrong += strict._crowds(moment.after, moment.before)
    assert wrong


@pytest.mark.slow
def test_ten_thousand_games():
    total = soak(10_000, workers=2, first=1_000_000, every=50)
    print("seeds 1000000 to 1009999", *total.lines(), sep="\n")
    assert not total.wrong
    assert total.games == 10_000
    assert not unasked(total.asked)
