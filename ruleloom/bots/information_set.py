"""Sampled states of a player's information set: what the player cannot see, exchanged at random.

Things of a kind that the player does not see are permuted in the whole state: in zones, fields, variables and
the queue. The number in each place stays the same, and so does all that the player sees. Secret answers of
other players and rolls that the player did not see are drawn again. A player forgets a thing that was once
seen and is now hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from ruleloom.bots.bot import Luck
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.chance import dice_of
from ruleloom.runtime.machine.information import secrecy_of, things_in
from ruleloom.runtime.program.expr import slots_read
from ruleloom.runtime.program.program import SECRET_ROLLS, Choose, LetTold, Roll, RollEach, Secret
from ruleloom.runtime.program.state import Frame, State, frames
from ruleloom.runtime.program.values import (
    ENDS,
    Column,
    ColumnInfo,
    Dynamic,
    FrozenMap,
    Type,
    World,
)
from ruleloom.runtime.search.node import PlayNode

Exchange = Mapping[int, int]


def hidden_things(linked: Linked, world: World, player: int) -> dict[str, list[int]]:
    """The things that lie only where `player` does not see them, by kind."""
    secrecy, index = secrecy_of(linked), linked.layout.index
    found: dict[str, list[int]] = {}
    for kind in sorted(secrecy.kinds):
        seen, unseen = set[int](), set[int]()
        for zone in secrecy.zones[kind]:
            for owner, held in zone.parts(world[index[zone.name]]):
                (seen if secrecy.shows(player, zone, owner) else unseen).update(held)
        if len(unseen - seen) > 1:
            found[kind] = sorted(unseen - seen)
    return found


def imagined(node: PlayNode, player: int, luck: Luck) -> PlayNode:
    """A node that `player` cannot tell from `node`, sampled uniformly."""
    state = node.state
    for kind, things in hidden_things(node.linked, state.world, player).items():
        others = list(things)
        luck.shuffle(others)
        state = exchanged(node.linked, state, kind, dict(zip(things, others, strict=True)))
    state = _guessed(node, state, player, luck)
    return node if state is node.state else _at(node, state)


def _at(node: PlayNode, state: State) -> PlayNode:
    """A node at another state of its information set."""
    found = _exchanged_options(node, state)
    return PlayNode(node.linked, node.stop._replace(state=state, found=found))


def in_canonical_order(node: PlayNode, player: int) -> PlayNode:
    """The node with what `player` cannot see in canonical order: the same for all nodes that `player` cannot
    tell apart."""
    state = node.state
    for kind, hidden in hidden_things(node.linked, state.world, player).items():
        known = {*_told(node, player, kind)}
        things = [one for one in hidden if one not in known]
        places = dict.fromkeys(_lying(node.linked, state.world, kind))
        found = [one for one in places if one in set(things)]
        state = exchanged(node.linked, state, kind, dict(zip(found, things, strict=True)))
    frame = state.frame and _rolled_anew(node.linked, state, state.frame, player, lambda _: 0)
    if frame is not state.frame:
        state = state._replace(frame=frame)
    return node if state is node.state else _at(node, state)


def _told(node: PlayNode, player: int, kind: str) -> Iterator[int]:
    """The things of a kind that the running texts have shown `player`, or offer now."""
    secrecy, slots, row = secrecy_of(node.linked), kinds_of(node.linked, kind).slots, node.row
    for frame in frames(node.state.frame):
        routine = node.linked.routines[frame.routine].id
        for slot, value in enumerate(frame.slots):
            of_kind = slots[frame.routine][slot]
            if of_kind and secrecy.was_told(player, routine, ("slot", slot), frame.slots):
                yield from things_in(value)
    if isinstance(row, Choose) and player in node.stop.who and _is_of(row.type, kind):
        yield from things_in(tuple(node.stop.found))


def _lying(linked: Linked, world: World, kind: str) -> Iterator[int]:
    """The things of a kind as they lie in its zones, zone by zone."""
    for zone in secrecy_of(linked).zones[kind]:
        column = world[linked.layout.index[zone.name]]
        yield from chain.from_iterable(held for _, held in zone.parts(column))


def exchanged(linked: Linked, state: State, kind: str, into: Exchange) -> State:
    """The state with things of a kind replaced as `into` maps them."""
    kinds = kinds_of(linked, kind)
    world = tuple(
        change(column, into) if change is not None else column
        for change, column in zip(kinds.columns, state.world, strict=True)
    )
    scope = _exchanged_values(kinds.scope, state.scope, into)
    frame = _exchanged_frame(linked, kinds, state.frame, into)
    queue = tuple(
        one._replace(
            args=_exchanged_values(kinds.slots[one.routine][: len(one.args)], one.args, into)
        )
        for one in state.queue
    )
    return state._replace(world=world, scope=scope, frame=frame, queue=queue)


def _exchanged_values(
    of_kind: Sequence[bool], values: Sequence[Dynamic], into: Exchange
) -> tuple[Dynamic, ...]:
    return tuple(
        _replaced(value, into) if there else value
        for there, value in zip(of_kind, values, strict=True)
    )


def _exchanged_frame(
    linked: Linked, kinds: _Kinds, frame: Frame | None, into: Exchange
) -> Frame | None:
    if frame is None:
        return None
    slots = _exchanged_values(kinds.slots[frame.routine], frame.slots, into)
    restore = tuple(
        (index, _replaced(value, into) if kinds.scope[index] else value)
        for index, value in frame.restore
    )
    parent = _exchanged_frame(linked, kinds, frame.parent, into)
    return frame._replace(slots=slots, restore=restore, parent=parent)


def _exchanged_options(node: PlayNode, state: State) -> tuple[Dynamic, ...]:
    """The options at a node, if hidden things are among them."""
    row = node.row
    if not isinstance(row, Choose) or not node.stop.found:
        return node.stop.found
    frame = state.frame
    assert frame is not None
    found = node.linked.codegen.options(row.slot, row.domain, tuple(c.test for c in row.conditions))
    again = tuple(dict.fromkeys(found(state.world, frame.slots, state.scope, frame.ignored)))
    return again if len(again) == len(node.stop.found) else node.stop.found


# ---------------------------------------------------------------------------------- where a kind is

Change = Callable[[Column, Exchange], Column]


class _Kinds:
    """The places in a game's state that may hold things of one kind."""

    def __init__(self, linked: Linked, kind: str) -> None:
        self.columns = [_change_of(column, kind) for column in linked.layout.columns]
        self.scope = [_is_of(one.type, kind) for one in linked.program.scope]
        self.slots = [
            [_is_of(type_, kind) for type_ in routine.slot_types]
            for routine in linked.program.routines
        ]


kinds_of = lru_cache(maxsize=16)(_Kinds)  # cached by game and kind


def _is_of(type_text: str, kind: str) -> bool:
    return bool(type_text) and Type.parse(type_text).name == kind


def _change_of(column: ColumnInfo, kind: str) -> Change | None:
    """The function that exchanges things of a kind in a column; None without any."""
    own, of_kind = column.name.partition(".")[0] == kind, column.type.name == kind
    match column.kind:
        case "field" if own or of_kind or column.by == kind:
            return lambda held, into: _field(held, into, own, of_kind, column.by == kind)
        case "each" if of_kind:
            return lambda held, into: tuple(_sorted(part, into) for part in held)
        case "under" if of_kind or column.by == kind:
            return lambda held, into: _parts(held, into, of_kind, column.by == kind)
        case "pile" if of_kind:
            return _sorted
        case "map" if of_kind:
            return _replaced
        case _ if column.kind == ENDS and of_kind:
            return _replaced
    return None


def _parts(held: Column, into: Exchange, of_kind: bool, by_kind: bool) -> Column:
    return FrozenMap(
        {
            into.get(place, place) if by_kind else place: _sorted(part, into) if of_kind else part
            for place, part in held.items()
        }
    )


def _sorted(things: Column, into: Exchange) -> Column:
    return tuple(sorted(into.get(one, one) for one in things))


def _field(held: Column, into: Exchange, own: bool, of_kind: bool, by_kind: bool) -> Column:
    entries = list(held)
    if own:
        for thing, other in into.items():
            entries[other] = held[thing]
    if by_kind:
        entries = [FrozenMap({into.get(k, k): v for k, v in one.items()}) for one in entries]
    return tuple(_replaced(one, into) for one in entries) if of_kind else tuple(entries)


def _replaced(value: Any, into: Exchange) -> Any:
    """A value with its things replaced: one thing, a list or a table of them."""
    if isinstance(value, tuple):
        return tuple(_replaced(one, into) for one in value)
    if isinstance(value, dict):
        return FrozenMap({key: _replaced(one, into) for key, one in value.items()})
    return into.get(value, value)


# ---------------------------------------------------------------------------------- other secrets


def _guessed(node: PlayNode, state: State, player: int, luck: Luck) -> State:
    """The state with the secret answers of others, and rolls only they saw, redrawn."""
    frame = state.frame
    if frame is None:
        return state
    if node.secret:
        assert isinstance(node.row, Secret)
        place = node.row.slot
        answers = {
            other: answer if other == player else luck.pick(node.secret_options(other))
            for other, answer in frame.slots[place].items()
        }
        frame = frame._replace(
            slots=(*frame.slots[:place], FrozenMap(answers), *frame.slots[place + 1 :])
        )
    rolled = _rolled_anew(node.linked, state, frame, player, luck.below)
    return state if rolled is state.frame else state._replace(frame=rolled)


def _rolled_anew(
    linked: Linked, state: State, frame: Frame, player: int, below: Callable[[int], int]
) -> Frame:
    """A frame and its parents, with secret rolls that others saw rolled again: `below(n)` is under n."""
    slots = list(frame.slots)
    routine = linked.routines[frame.routine]
    reading = (state.world, frame.slots, state.scope, frame.ignored)
    anew: set[int] = set()
    for row in routine.rows[: frame.pc]:
        if isinstance(row, SECRET_ROLLS) and slots[row.slot] is not None:
            readers = linked.compiled(row.seen_by)(*reading)
            if player not in (readers if isinstance(readers, tuple) else (readers,)):
                slots[row.slot] = _rolled(row, *dice_of(linked, row, *reading), below)
                anew.add(row.slot)
        elif isinstance(row, LetTold) and anew & slots_read(row.value):  # the sum of the dice
            now = (state.world, tuple(slots), state.scope, frame.ignored)
            slots[row.slot] = linked.compiled(row.value)(*now)
    parent = frame.parent and _rolled_anew(linked, state, frame.parent, player, below)
    if tuple(slots) == frame.slots and parent is frame.parent:
        return frame
    return frame._replace(slots=tuple(slots), parent=parent)


def _rolled(
    row: Roll, count: int, sides: int, below: Callable[[int], int]
) -> tuple[int, ...] | int:
    """The result of a roll: each face, highest first, or their sum."""
    faces = sorted((below(sides) + 1 for _ in range(count)), reverse=True)
    return tuple(faces) if isinstance(row, RollEach) else sum(faces)
