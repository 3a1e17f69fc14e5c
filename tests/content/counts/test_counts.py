"""Counts of lines of play, held against `gnostica.yaml`: how many ways there are to give so many
answers.

One line is one sequence of answers; dice and cards that are drawn are answers too, in every way
they can fall. A line that reaches the end of the game before the depth counts at its end. When a
count is off, the failure shows the subtotal of each first answer, as one would go on looking by
hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed
from tests.laws.gnostica.oracle import Man
from tests.laws.gnostica.positions import answered, turn_of, world_of
from tests.laws.gnostica.strategies import linked

FILE = Path(__file__).with_name("gnostica.yaml")
CASES: list[dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
TOKEN = re.compile(r"([A-F])([123])(up|[NESW])@(-?\d+)/(-?\d+)")


def start_of(case: dict[str, Any]) -> PlayNode:
    """The node at which a case begins to count."""
    given = case["given"]
    chosen = tuple(sorted(given.get("switches", {}).items()))
    game = linked(given.get("players", 2), chosen)
    if "seed" in given:
        return new_game(game, given["seed"]).node
    board = {point(at): card for at, card in given["board"].items()}
    men = [man(token) for token in given.get("pieces", ())]
    world = world_of(
        game, board, men, given.get("hands", {}), given.get("discard", ()), given.get("draw", ())
    )
    return answered(turn_of(game, world), *case.get("after", ()))


def point(text: str) -> tuple[int, int]:
    """`2/-1` as a space."""
    x, y = text.split("/")
    return int(x), int(y)


def man(token: str) -> Man:
    """`A1E@0/1` as a piece."""
    found = TOKEN.fullmatch(token)
    assert found, f"`{token}` is no piece"
    owner, pips, facing, x, y = found.groups()
    return Man(owner, int(pips), facing, (int(x), int(y)))


def ways(node: PlayNode) -> Iterator[tuple[str, PlayNode]]:
    """Every answer, by its key, and where it leads."""
    if node.secret:
        player = node.stop.who[0]
        for key, value in keyed(node, node.secret_options(player)).items():
            yield key, node.after(value, player)
        return
    names = {value: key for key, value in keyed(node, tuple(node.options)).items()}
    for value in node.options if node.chance else node.answers():
        key = names[value] if value in names else " ".join(names[part] for part in value) or "none"
        yield key, node.after(value)


def lines(node: PlayNode, depth: int) -> int:
    """How many lines of so many answers begin at this node."""
    if depth == 0 or node.over:
        return 1
    return sum(lines(after, depth - 1) for _, after in ways(node))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_counts(case):
    start = start_of(case)
    for depth, wanted in enumerate(case["lines"], 1):
        subtotals = {key: lines(after, depth - 1) for key, after in ways(start)}
        shown = "\n".join(f"  {key}: {count:,}" for key, count in subtotals.items())
        total = sum(subtotals.values())
        assert total == wanted, (
            f"{case['id']}: {total:,} lines of {depth} answers, not {wanted:,}:\n{shown}"
        )


def test_every_case_says_what_it_counts():
    assert len({case["id"] for case in CASES}) == len(CASES) >= 5
    assert all(case["about"] and len(case["lines"]) >= 3 for case in CASES)
