"""The oracle for shortcuts: relax, then settle.

A second telling of the four suit powers in plain Python, which shares nothing with the rulesets,
the driver or the machine. It has no idea of a fusion. Where a card joins two powers it lets the
first one run into *debt*: a piece of a size that is not in the stash, a territory whose card nobody
has (a blank), a piece on a space that is full or in the void. The second power must then act on the
same thing (or, with the Moon, attack), and what it leaves must be free of debt. Whatever can be
reached so, or by two plain powers, is a way to end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

Point = tuple[int, int]
Power = Callable[["Side", "Table"], Iterator["Step"]]

WAYS: Mapping[str, Point] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0), "up": (0, 0)}
LIMIT, EACH, LARGEST = 3, 5, 3


@dataclass(frozen=True)
class Man:
    """A piece on the board."""

    owner: str
    pips: int
    facing: str
    at: Point


@dataclass(frozen=True)
class Table:
    """What lies where. A blank is a card called `?1`, `?2`: worth so much, and owed."""

    men: Mapping[int, Man]
    board: Mapping[Point, str]
    hand: frozenset[str]
    discard: frozenset[str]
    minions: frozenset[int]

    def end(self) -> tuple[object, ...]:
        """The position, in which equal pieces are interchangeable."""
        men = sorted((m.owner, m.pips, m.facing, m.at) for m in self.men.values())
        return tuple(men), frozenset(self.board.items()), self.hand, self.discard


@dataclass(frozen=True)
class Step:
    """A power used: the table after it, and what it acted on (a piece's number or a space)."""

    table: Table
    target: int | Point


@dataclass(frozen=True)
class Side:
    """Who acts, and which debts a power may run into."""

    me: str
    debt: frozenset[Literal["stash", "card", "full", "void"]] = frozenset()


def worth(card: str | None) -> int:
    """The points of a card: 1 to 10 of a suit are minor, 11 to 14 royalty, the rest major."""
    if card is None:
        return 0
    if card.startswith("?"):
        return int(card[1:])
    digits = card.lstrip("abcdefghijklmnopqrstuvwxyz-")
    return 3 if not digits else 1 if int(digits) <= 10 else 2


# ---------------------------------------------------------------------------------- the table


def step(at: Point, way: str, distance: int = 1) -> Point:
    """So many spaces on."""
    dx, dy = WAYS[way]
    return at[0] + dx * distance, at[1] + dy * distance


def next_to_card(t: Table, at: Point) -> bool:
    """Does `at` share a side with a territory?"""
    return any(step(at, way) in t.board for way in "NESW")


def void(t: Table, at: Point) -> bool:
    """Neither a territory nor next to one."""
    return at not in t.board and not next_to_card(t, at)


def on(t: Table, at: Point) -> list[int]:
    """The pieces on a space."""
    return [i for i, m in t.men.items() if m.at == at]


def out(t: Table, owner: str, pips: int) -> int:
    """How many pieces of that size the owner has on the board."""
    return sum(m.owner == owner and m.pips == pips for m in t.men.values())


def aim(t: Table, minion: int) -> Point:
    """The space a minion targets."""
    m = t.men[minion]
    return step(m.at, m.facing)


def aims_at(t: Table, minion: int) -> list[int]:
    """The pieces a minion can target: itself, and those on the space it targets, never in the
    void."""
    at = aim(t, minion)
    return [minion, *(i for i in on(t, at) if i != minion)] if not void(t, at) else [minion]


def hostile(t: Table, me: str, at: Point) -> bool:
    """Does a piece of somebody else stand there?"""
    return any(t.men[i].owner != me for i in on(t, at))


def with_man(t: Table, number: int, man: Man, me: str) -> Table:
    """A piece put, moved, turned or resized; if it is one's own it can act from now on."""
    minions = t.minions | {number} if man.owner == me else t.minions
    return replace(t, men={**t.men, number: man}, minions=minions)


def without(t: Table, gone: Iterator[int] | list[int]) -> Table:
    """Pieces gone back to their stashes."""
    lost = set(gone)
    men = {i: m for i, m in t.men.items() if i not in lost}
    return replace(t, men=men, minions=t.minions - lost)


def fallen(t: Table, spared: int | None = None) -> Table:
    """The table once everything in the void is gone, but for a piece that may hang there."""
    return without(t, [i for i, m in t.men.items() if i != spared and void(t, m.at)])


def turned(t: Table, number: int, me: str) -> Iterator[Table]:
    """One's own piece may be turned after something was done to it."""
    man = t.men[number]
    if man.owner != me:
        yield t
        return
    for way in WAYS:
        yield with_man(t, number, replace(man, facing=way), me)


def laid(t: Table, at: Point, card: str, from_hand: bool = True) -> Table:
    """A card put on the board; what it covers is discarded. A blank comes from nowhere and goes
    there."""
    covered = t.board.get(at)
    thrown = t.discard | (
        {covered} if covered is not None and not covered.startswith("?") else frozenset()
    )
    hand = t.hand - {card} if from_hand else t.hand
    return replace(t, board={**t.board, at: card}, hand=hand, discard=thrown)


# ---------------------------------------------------------------------------------- the four powers


def cards_worth(side: Side, t: Table, value: int) -> Iterator[str]:
    """The cards that may be put down for a territory of this value: those in hand, or a blank on
    credit."""
    yield from (card for card in t.hand if worth(card) == value)
    if "card" in side.debt and value > 0:
        yield f"?{value}"


def supplied(side: Side, t: Table, owner: str, pips: int) -> bool:
    """Is there such a piece in the stash, or may one be owed?"""
    return "stash" in side.debt or out(t, owner, pips) < EACH


def create(side: Side, t: Table) -> Iterator[Step]:
    """A small piece of one's own or like an enemy's, or a minor card on wasteland."""
    for minion in t.minions:
        at = aim(t, minion)
        if void(t, at):
            continue
        number = 1 + max(t.men)
        if len(on(t, at)) < LIMIT:
            if supplied(side, t, side.me, 1):
                for way in WAYS:
                    yield Step(with_man(t, number, Man(side.me, 1, way, at), side.me), number)
            for i in on(t, at):
                model = t.men[i]
                if model.owner != side.me and supplied(side, t, model.owner, 1):
                    yield Step(with_man(t, number, replace(model, pips=1), side.me), number)
        if at not in t.board and not hostile(t, side.me, at):
            for card in cards_worth(side, t, 1):
                yield Step(laid(t, at, card), at)


def move(side: Side, t: Table) -> Iterator[Step]:
    """A piece or a territory goes the way the minion faces, at most its pips far."""
    for minion in t.minions:
        m = t.men[minion]
        if m.facing == "up":
            continue
        for distance in range(1, m.pips + 1):
            for number in aims_at(t, minion):
                yield from _moved(side, t, number, step(t.men[number].at, m.facing, distance))
            at = aim(t, minion)
            to = step(at, m.facing, distance)
            lands = to not in t.board and not void(t, to) and not hostile(t, side.me, to)
            if at in t.board and not hostile(t, side.me, at) and lands:
                board = {p: c for p, c in t.board.items() if p != at} | {to: t.board[at]}
                yield Step(fallen(replace(t, board=board)), at)


def _moved(side: Side, t: Table, number: int, to: Point) -> Iterator[Step]:
    """A piece that stops in the void is in debt; so is one that makes a space too full."""
    if void(t, to) and "void" not in side.debt:
        return
    if len(on(t, to)) >= LIMIT and "full" not in side.debt:
        return
    there = with_man(t, number, replace(t.men[number], at=to), side.me)
    for after in turned(there, number, side.me):
        yield Step(after, number)


def grow(side: Side, t: Table) -> Iterator[Step]:
    """A piece one size up, or a territory one point."""
    for minion in t.minions:
        for number in aims_at(t, minion):
            man = t.men[number]
            if man.pips < LARGEST and supplied(side, t, man.owner, man.pips + 1):
                larger = with_man(t, number, replace(man, pips=man.pips + 1), side.me)
                yield from (Step(after, number) for after in turned(larger, number, side.me))
        at = aim(t, minion)
        if at in t.board and not hostile(t, side.me, at):
            for card in cards_worth(side, t, worth(t.board[at]) + 1):
                yield Step(laid(t, at, card), at)


def attack(side: Side, t: Table) -> Iterator[Step]:
    """Up to as many pips or points as the minion has are taken off a piece or a territory."""
    for minion in t.minions:
        for damage in range(1, t.men[minion].pips + 1):
            for number in aims_at(t, minion):
                yield from _hit(side, t, number, damage)
            at = aim(t, minion)
            if at in t.board and not hostile(t, side.me, at):
                left = worth(t.board[at]) - damage
                if left == 0:
                    bare = laid(t, at, "?0")
                    board = {p: c for p, c in t.board.items() if p != at}
                    yield Step(fallen(replace(bare, board=board)), at)
                for card in cards_worth(side, t, left) if left > 0 else ():
                    yield Step(laid(t, at, card), at)


def _hit(side: Side, t: Table, number: int, damage: int) -> Iterator[Step]:
    man = t.men[number]
    if damage == man.pips:
        yield Step(without(t, [number]), number)
    elif damage < man.pips and supplied(side, t, man.owner, man.pips - damage):
        smaller = with_man(t, number, replace(man, pips=man.pips - damage), side.me)
        yield from (Step(after, number) for after in turned(smaller, number, side.me))


# ---------------------------------------------------------------------------------- cards


@dataclass(frozen=True)
class Card:
    """Two powers, and the debt that the first may run into for the second to pay."""

    first: Power
    second: Power
    debt: frozenset[Literal["stash", "card", "full", "void"]]
    same: bool = True


CARDS: dict[str, Card] = {
    "chariot": Card(move, move, frozenset({"full", "void"})),
    "strength": Card(grow, grow, frozenset({"stash", "card"})),
    "death": Card(attack, attack, frozenset({"stash", "card"})),
    "sun": Card(create, grow, frozenset({"stash", "card"})),
    "moon": Card(move, attack, frozenset({"full"}), same=False),
}


def owes(t: Table, start: Table, target: int | Point) -> bool:
    """Is anything owed: pieces that are in no stash, blanks, or `target` standing where none may
    stay?"""
    if any(card.startswith("?") for card in t.board.values()):
        return True
    if any(out(t, m.owner, m.pips) > EACH for m in t.men.values()):
        return True
    man = t.men.get(target) if isinstance(target, int) else None
    if man is None:
        return False
    before = start.men.get(target) if isinstance(target, int) else None
    moved = before is None or before.at != man.at
    return void(t, man.at) or (moved and len(on(t, man.at)) > LIMIT)


def ends(card: str, me: str, start: Table) -> set[tuple[object, ...]]:
    """Every position in which the card can end: either power left out, one after the other, or
    joined."""
    rule = CARDS[card]
    plain, relaxed = Side(me), Side(me, rule.debt)
    found = {start.end()}
    for second in rule.second(plain, start):
        found.add(second.table.end())
    for first in rule.first(relaxed, start):
        if not owes(first.table, start, first.target):
            found.add(first.table.end())
            found.update(second.table.end() for second in rule.second(plain, first.table))
        else:
            found.update(_settled(rule, plain, start, first))
    return found


def _settled(rule: Card, plain: Side, start: Table, first: Step) -> Iterator[tuple[object, ...]]:
    """The ends of a joined use: the second power pays what the first one owes."""
    for second in rule.second(plain, first.table):
        if rule.same and second.target != first.target:
            continue
        if not owes(second.table, start, first.target) and _cleared(rule, first, second.table):
            yield second.table.end()


def _cleared(rule: Card, first: Step, after: Table) -> bool:
    """With the Moon the space entered must hold no more than the limit, whoever is gone from it.

    A space of four can never be entered (clause `moon.overfull`), not even if it is about to fall
    into the void.
    """
    if rule.same or not isinstance(first.target, int):
        return True
    at = first.table.men[first.target].at
    return len(on(first.table, at)) == LIMIT + 1 and len(on(after, at)) <= LIMIT
