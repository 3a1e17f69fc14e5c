"""Variables of the game that nothing can read any more are forgotten where odds merge states; those
are kept that a caller, a routine that is used, a response or a later turn may read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import link_game, new_game
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import distribution, uniform
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


def looked_at(effect: str, over: str = 'finish drawn "over"') -> tuple[dict, int]:
    """What is paid, with the chances, and how many nodes finding that takes."""
    node, seen = start(effect + over), 0
    spent = node.linked.layout.index["Player.spent"]

    def done(node: PlayNode) -> bool:
        nonlocal seen
        seen += 1
        return node.over

    found = distribution(node, lambda state: state.world[spent][0], uniform, done, variables=False)
    return found, seen


@pytest.mark.parametrize(
    ("then", "nodes"),
    [
        ("use wait\n", 1 + 1 + 1),  # nothing reads the mark
        ("use renew\n", 1 + 1 + 1),  # it is set anew before it is read
        ("set mark = 0\nuse wait\npay(me, mark)\n", 1 + 1 + 1),
    ],
)
def test_what_nothing_reads_is_forgotten(then: str, nodes: int):
    assert looked_at(MARKED + then) == ({0: 1}, nodes)


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
    found, _ = looked_at(MARKED + then)
    assert found == {paid: Fraction(1, 6) for paid in range(1, 7)}


def test_what_a_use_would_set_is_kept_as_it_may_come_to_nothing():
    found, _ = looked_at(MARKED + "use wait\nuse fail\npay(me, mark)\n")
    assert found == {paid: Fraction(1, 6) for paid in range(1, 7)}
