"""Undo goes back to the last barrier and no further; answering the same again leads to the same
state."""

from __future__ import annotations

import random

from tests.laws.gnostica.strategies import table
from tests.laws.resuming import is_barrier, played, undo_law

FAST = 12


def test_undone_to_the_last_barrier():
    wrong: list[str] = []
    undone = 0
    for seed in range(FAST):
        faults, done = undo_law(table(seed), random.Random(seed))
        wrong += [f"{table(seed)}: {fault}" for fault in faults]
        undone += done
    assert not wrong, "\n".join(wrong)
    assert undone >= FAST - 2


def test_every_answer_but_a_barrier_can_be_taken_back():
    """At every moment of a game: undo is possible exactly if the last answer was no barrier."""
    for seed in (1, 5, 9):
        of = table(seed)
        for number, answer in enumerate(played(of.game(), of.player())):
            assert bool(answer.after.past) == (not is_barrier(answer)), (str(of), number)
            if answer.after.past:
                assert answer.after.undo() is answer.before
            if number > 150:
                break
