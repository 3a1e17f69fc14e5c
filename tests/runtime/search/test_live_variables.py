"""Variables of the game that nothing can read any more are forgotten where odds merge states; those
are kept that a caller, a routine that is used, a response or a later turn may read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import OverBudget
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import distribution
from tests.support.check_layer import compile_files
from tests.support.on_quarrel import SET_UP, block, on_quarrel, text_of
from tests.support.quarrel_table import QUARREL

MARK = "    mark: {type: Int, life: game, english: the mark}\n"
POWERS = """
- kind: power
  id: wait
  gloss: wait
  effect: |
    roll still = 1d2
    say "{still}"
- kind: power
  id: settle
  gloss: settle
  effect: |
    use wait
    pay(me, mark)
- kind: power
  id: renew
  gloss: renew
  effect: |
    set mark = 0
    use wait
    pay(me, mark)
- kind: power
  id: fail
  gloss: fail
  effect: |
    ensure mark = 0 "it must"
    set mark = 7
"""
MARKED = "roll found = 1d6\nset mark = found\n"


def start(effect: str) -> PlayNode:
    set_up = f"- kind: flow\n  id: set_up\n  effect: |\n{block(effect)}"
    dice = text_of("dice").replace("  scope:\n", f"  scope:\n{MARK}").replace(SET_UP, set_up)
    result = compile_files(on_quarrel(dice + POWERS), QUARREL)
    program = result.program
    assert program is not None, [one.message for one in result.diagnostics]
    return new_game(link_game(program, driver_of(program.game), ("ann",))).node


def paid(effect: str, budget: int = 100) -> dict:
    """What is paid in the end, with the chances, of a text that asks at so many states."""
    node = start(effect + 'finish drawn "over"')
    spent = node.linked.layout.index["Player.spent"]
    return distribution(node, lambda state: state.world[spent][0], budget=budget, variables=False)


@pytest.mark.parametrize(
    "then",
    [
        "use wait\n",  # nothing reads the mark
        "use renew\n",  # it is set anew before it is read
        "set mark = 0\nuse wait\npay(me, mark)\n",
    ],
)
def test_what_nothing_reads_is_forgotten(then: str):
    """A roll before the mark and one behind it: two states ask."""
    assert paid(MARKED + then, budget=2) == {0: 1}


@pytest.mark.parametrize(
    "then",
    [
        "use settle\n",  # by what is used
        "use wait\nuse settle\n",  # later
        "use wait\npay(me, mark)\n",  # by what waits for it
        "use wait\nif mark > 3: pay(me, mark)\nelse: pay(me, mark)\n",
        "repeat 2 times:\n    use wait\n    if mark > 0: pay(me, mark)\n    set mark = 0\n",
    ],
)
def test_what_is_read_later_is_kept(then: str):
    assert paid(MARKED + then) == {mark: Fraction(1, 6) for mark in range(1, 7)}
    with pytest.raises(OverBudget):
        paid(MARKED + then, budget=6)


def test_what_a_use_would_set_is_kept_as_it_may_come_to_nothing():
    found = paid(MARKED + "use wait\nuse fail\npay(me, mark)\n")
    assert found == {mark: Fraction(1, 6) for mark in range(1, 7)}
