"""Positions in the middle of a game, made by hand or at random, and walks from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap, Point, World
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.runtime.search.options import keyed
from tests.laws.gnostica.oracle import Man
from tests.laws.gnostica.strategies import NAMES

PIECES_EACH = 15
CLOSING = frozenset({"offer_announcement", "keep_announcement"})


def world_of(
    linked: Linked,
    board: Mapping[Point, str],
    men: Iterable[Man],
    hands: Mapping[str, Iterable[str]],
    discard: Iterable[str] = (),
    draw: Iterable[str] | None = None,
) -> World:
    """The world in which these pieces and cards lie there. The draw pile is `draw`, or every other
    card."""
    layout = linked.layout
    world = list(linked.driver.start(empty_world(layout)))

    def cards(names: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted(layout.names["Card"].index(name) for name in names))

    columns = {
        name: list(world[layout.index[f"Piece.{name}"]]) for name in ("pips", "facing", "space")
    }
    taken = dict.fromkeys(NAMES, 0)
    for man in men:
        number = NAMES.index(man.owner) * PIECES_EACH + taken[man.owner]
        taken[man.owner] += 1
        values = {"pips": man.pips, "facing": man.facing, "space": man.at}
        for name, value in values.items():
            columns[name][number] = value
    for name, column in columns.items():
        world[layout.index[f"Piece.{name}"]] = tuple(column)
    laid = FrozenMap({at: cards([card])[0] for at, card in board.items()})
    held = tuple(cards(hands.get(name, ())) for name in layout.players)
    thrown = cards(discard)
    lying = {*laid.values(), *thrown, *(card for hand in held for card in hand)}
    rest = tuple(card for card in range(layout.sizes["Card"]) if card not in lying)
    pile = rest if draw is None else cards(draw)
    zones: dict[str, Any] = {"board": laid, "hand": held, "discard_pile": thrown, "draw_pile": pile}
    for name, lies in zones.items():
        world[layout.index[name]] = lies
    return tuple(world)


def turn_of(linked: Linked, world: World, player: int = 0) -> PlayNode:
    """The first prompt of a turn of this player in this world."""
    scope = list(linked.initial_scope)
    scope[linked.me] = player
    state = State(world, tuple(scope), None, (), True, None)
    return settled(linked, run(linked, state, live=True))


def answered(node: PlayNode, *keys: str) -> PlayNode:
    """Where these answers lead, one after the other."""
    for key in keys:
        node = node.after(keyed(node, node.options)[key])
    return node


def routine_slugs(node: PlayNode) -> set[str]:
    """The plain names of the routines that are running."""
    names = set()
    frame = node.state.frame
    while frame is not None:
        name = node.linked.routines[frame.routine].id
        names.add(name.rpartition("/")[2])
        frame = frame.parent
    return names


def ends_of(node: PlayNode, closing: frozenset[str] = CLOSING) -> Iterator[PlayNode]:
    """Every node at which the use going on ends, whatever is answered; the same state only once."""
    seen: set[State] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.state in seen:
            continue
        seen.add(here.state)
        if here.over or routine_slugs(here) & closing:
            yield here
        else:
            waiting.extend(here.after(value) for value in here.answers())


def men_in(linked: Linked, world: World) -> dict[int, Man]:
    """The pieces on the board, by number."""
    index = linked.layout.index
    owner, pips, facing, space = (
        world[index[f"Piece.{name}"]] for name in ("owner", "pips", "facing", "space")
    )
    return {
        i: Man(linked.layout.players[owner[i]], pips[i], facing[i], at)
        for i, at in enumerate(space)
        if at is not None
    }


def card_names(linked: Linked, held: Iterable[int]) -> frozenset[str]:
    """Cards by name."""
    return frozenset(linked.layout.names["Card"][card] for card in held)


def board_in(linked: Linked, world: World) -> dict[Point, str]:
    """The territories, by space."""
    held: Mapping[Any, int] = world[linked.layout.index["board"]]
    return {at: linked.layout.names["Card"][card] for at, card in held.items()}
