"""`keeping NAME:` gives variables of the game back what they were, however its block is left."""

from __future__ import annotations

import pytest

from tests.support.on_quarrel import ASK, block, result_with_packs, sound, started, variable

POWERS = """- kind: power
  id: count_up
  gloss: count up
  effect: "set tally = tally + 10"
"""


def power(text: str) -> str:
    return f"- kind: power\n  id: tried\n  gloss: try it\n  effect: |\n{block(text)}"


def tally_after(text: str) -> object:
    turn = f"set tally = 1\nuse tried\n{ASK}"
    return variable(started(sound(result_with_packs(turn, POWERS + power(text)))), "tally")


@pytest.mark.parametrize(
    ("text", "tally"),
    [
        ("keeping tally: set tally = 5", 1),
        ("keeping tally:\n    use count_up\n    use count_up", 1),
        # Behind the block it can be set to what was there inside.
        ("keeping tally:\n    use count_up\n    let found = tally\nset tally = found", 11),
        # Where the text stops inside it, and only where it does.
        ("keeping tally:\n    use count_up\n    if tally = 11: stop\nset tally = 3", 1),
        ("keeping tally:\n    use count_up\n    if tally = 12: stop\nset tally = 3", 3),
        # One within the other, each of its own variable; and one behind the other.
        ("keeping tally, seen:\n    add me to seen\n    keeping me: use count_up\n    stop", 1),
        ("keeping tally: use count_up\nset tally = 2\nkeeping tally: use count_up", 2),
        # Round by round.
        ("repeat 3 times:\n    set tally = tally + 1\n    keeping tally: use count_up", 4),
    ],
)
def test_the_variable_is_as_before(text: str, tally: int):
    assert tally_after(text) == tally
