"""Shortcuts: what the machine reaches with a card is what relaxing and settling reaches, and
nothing else.

The oracle (`tests/laws/gnostica/oracle.py`) tells the suit powers again in plain Python. Both play the same
card from the same random position; the sets of ends are compared: pieces, territories, hand and
discards.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from ruleloom.runtime.search.node import PlayNode
from tests.laws.gnostica import oracle
from tests.laws.gnostica.oracle import Man, Point
from tests.laws.gnostica.positions import (
    answered,
    board_in,
    card_names,
    ends_of,
    men_in,
    turn_of,
    world_of,
)
from tests.laws.gnostica.strategies import linked, program

FAST, MANY = 25, 1_500
WAYS = ("N", "E", "S", "W", "up")
FAR: tuple[Point, ...] = ((20, 20), (21, 20))  # an island for pieces that only empty a stash


@dataclass(frozen=True)
class Position:
    """A card in use, and everything around it."""

    card: str
    activated: bool
    board: dict[Point, str]
    men: tuple[Man, ...]
    hand: tuple[str, ...]

    def node(self) -> PlayNode:
        """The first prompt of the card's power."""
        game = linked(2)
        held = self.hand if self.activated else (*self.hand, self.card)
        node = turn_of(game, world_of(game, self.board, self.men, {"A": held}))
        if self.activated:
            at = next(at for at, card in self.board.items() if card == self.card)
            return answered(node, "activate-a-territory", f"{at[0]}/{at[1]}")
        return answered(node, "play-a-card", self.card)


def position(card: str, seed: int) -> Position:
    """A random position in which A uses `card`: crowded, and short of pieces in the stashes."""
    source = random.Random(f"{card} {seed}")
    activated = source.random() < 0.5
    deck = [name for name in program().entity("Card").names if name != card]
    source.shuffle(deck)
    cells = [(x, y) for x in range(3) for y in range(3)]
    source.shuffle(cells)
    board = {at: deck.pop() for at in cells[: source.randint(2, 7)]}
    home = next(iter(board))
    if activated:
        board[home] = card
    near = list(board) + [at for at in _around(board) if source.random() < 0.5]
    men: list[Man] = []
    full = source.choice([near, near[:2], near[:1]])
    for _ in range(source.randint(1, 4)):
        _put(men, Man("B", source.randint(1, 3), source.choice(WAYS), source.choice(full)))
    for number in range(source.randint(1, 2)):
        at = home if activated and number == 0 else source.choice(near)
        _put(men, Man("A", source.choice((1, 1, 2, 3)), source.choice(WAYS), at))
    if activated and source.random() < 0.5:
        _put(men, Man("A", source.randint(1, 3), source.choice(WAYS), source.choice(near)))
    if not any(man.owner == "A" and man.at == home for man in men):
        men = [man for man in men if man.at != home]
        men.append(Man("A", source.randint(1, 3), source.choice(WAYS), home))
    if source.random() < 0.6:
        _crowd_ahead(source, near, men)
    _run_short(source, board, men, "B", deck)
    if activated:
        _run_short(source, board, men, "A", deck)
    hand = tuple(deck.pop() for _ in range(source.randint(0, 3)))
    return Position(card, activated, board, tuple(men), hand)


def _around(board: dict[Point, str]) -> list[Point]:
    """The spaces beside territories."""
    beside = {(x + dx, y + dy) for x, y in board for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return sorted(beside - set(board))


def _put(men: list[Man], man: Man, most: int = 3) -> None:
    """Add a piece if its space has room and its stash has one."""
    same = sum(m.owner == man.owner and m.pips == man.pips for m in men)
    if sum(m.at == man.at for m in men) < most and same < 5:
        men.append(man)


def _crowd_ahead(source: random.Random, near: list[Point], men: list[Man]) -> None:
    """Fill a space that one of the pieces of A could move to."""
    movers = [man for man in men if man.owner == "A" and man.facing != "up"]
    for man in movers:
        to = oracle.step(man.at, man.facing, source.randint(1, man.pips))
        if to in near:
            most = source.choice((3, 3, 3, 4))  # an Empress may have left four
            for _ in range(4):
                owner = source.choice("ABB")
                _put(men, Man(owner, source.choice((1, 1, 2, 3)), source.choice(WAYS), to), most)
            return


def _run_short(
    source: random.Random, board: dict[Point, str], men: list[Man], owner: str, deck: list[str]
) -> None:
    """Empty the stash of one size, or of none: the pieces stand far away, as many as it takes."""
    size = source.choice((0, 1, 2, 3))
    spare = 5 - sum(m.owner == owner and m.pips == size for m in men)
    if not size or not spare:
        return
    for at in FAR:
        board.setdefault(at, deck.pop())
    x = 0 if owner == "A" else 10
    while spare > 0:
        at = (FAR[0][0] + x // 3, FAR[0][1])
        board.setdefault(at, deck.pop())
        men.append(Man(owner, size, "up", at))
        spare -= 1
        x += 1


def of_machine(position: Position) -> set[tuple[object, ...]]:
    """The ends that the machine can reach."""
    return {_table(node).end() for node in ends_of(position.node())}


def of_oracle(position: Position) -> set[tuple[object, ...]]:
    """The ends that the oracle can reach."""
    return oracle.ends(position.card, "A", _table(position.node()))


def _table(node: PlayNode) -> oracle.Table:
    game, state = node.linked, node.state
    index = game.layout.index
    return oracle.Table(
        men_in(game, state.world),
        board_in(game, state.world),
        card_names(game, state.world[index["hand"]][0]),
        card_names(game, state.world[index["discard_pile"]]),
        frozenset(state.scope[game.scope_index["minions"]]),
    )


def differences(card: str, seed: int) -> list[str]:
    """How the machine and the oracle differ for one position, in words."""
    given = position(card, seed)
    machine, other = of_machine(given), of_oracle(given)
    if machine == other:
        return []
    lines = [f"{card}, seed {seed}: {given}"]
    lines += [f"  only the machine: {_told(end)}" for end in sorted(machine - other, key=str)[:5]]
    lines += [f"  only the oracle: {_told(end)}" for end in sorted(other - machine, key=str)[:5]]
    return lines


def _told(end: tuple[object, ...]) -> str:
    return " | ".join(map(str, end))


@pytest.mark.parametrize("card", sorted(oracle.CARDS))
def test_shortcuts_are_what_relaxing_and_settling_allows(card):
    found = [line for seed in range(FAST) for line in differences(card, seed)]
    assert not found, "\n".join(found[:40])


@pytest.mark.parametrize("card", sorted(oracle.CARDS))
def test_the_positions_ask_for_shortcuts(card, monkeypatch):
    """In many of these positions some end can be reached by running into debt only."""
    with_debt = [of_oracle(position(card, seed)) for seed in range(60)]
    plain = replace(oracle.CARDS[card], debt=frozenset())
    monkeypatch.setitem(oracle.CARDS, card, plain)
    without = [of_oracle(position(card, seed)) for seed in range(60)]
    assert all(one >= other for one, other in zip(with_debt, without, strict=True))
    assert sum(one > other for one, other in zip(with_debt, without, strict=True)) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("card", sorted(oracle.CARDS))
def test_shortcuts_in_many_positions(card):
    found = [line for seed in range(10_000, 10_000 + MANY) for line in differences(card, seed)]
    assert not found, "\n".join(found[:40])
