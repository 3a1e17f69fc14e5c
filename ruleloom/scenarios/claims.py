"""Holds a case's `then` against the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.scenarios.notation import Notation, NotUnderstood
from ruleloom.scenarios.search import Table, chain_of, slug_of
from runtime.asking import keyed
from runtime.machine import ASK
from runtime.naming import constant, value_text
from runtime.node import Node
from runtime.program import Modal
from runtime.values import Type, parse_point, point_text

MOST_POSITIONS = 200_000


class Claims:
    """The claims of one case. `check` returns what does not hold, in words."""

    def __init__(self, notation: Notation, table: Table, start: Table) -> None:
        self.notation = notation
        self.table = table
        self.start = start
        self.node = table.node
        self.linked = table.node.linked
        self.world = table.node.state.world

    def check(self, then: Mapping[str, Any]) -> list[str]:
        """What is claimed but not so; NotUnderstood for a claim without meaning."""
        wrong = []
        for key, wanted in then.items():
            if key in ("note", "why", "legal", "reason"):
                continue
            entry = self.notation.then.get(key)
            if entry is None:
                raise NotUnderstood(f"`then` has no `{key}`; known are {', '.join(self.notation.then)}")
            found, expected = self._both(entry, wanted)
            if found != expected:
                wrong.append(f"{key}: wanted {_shown(expected)}, found {_shown(found)}")
        return wrong

    def _both(self, entry: Mapping[str, Any], wanted: Any) -> tuple[Any, Any]:
        (kind, what), *_ = entry.items()
        method = getattr(self, f"_{kind}", None)
        if method is None:
            raise NotUnderstood(f"the notation has no kind of claim `{kind}`")
        both: tuple[Any, Any] = method(what, wanted, entry)
        return both

    # ------------------------------------------------------------------ kinds of claim

    def _tokens(self, entity: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        column = self.linked.column_of(entity)
        assert column is not None
        there = [i for i, value in enumerate(self.world[column]) if value is not None]
        return sorted(self._text(Type(entity), i) for i in there), sorted(str(w) for w in wanted)

    def _map(self, zone: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        held = self.world[self.linked.layout.index[zone]]
        names = self.linked.layout.names[self.linked.zones[zone].of]
        found = {at: names[held[parse_point(at)]] if parse_point(at) in held else None for at in wanted}
        return found, dict(wanted)

    def _map_size(self, zone: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        return len(self.world[self.linked.layout.index[zone]]), wanted

    def _zone(self, zone: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        held = self.world[self.linked.layout.index[zone]]
        if self.linked.zones[zone].per_player:
            players = self.linked.layout.players
            found = {p: sorted(self._names(zone, held[players.index(p)])) for p in wanted if p in players}
            return found, {p: sorted(map(str, cards)) for p, cards in wanted.items()}
        return sorted(self._names(zone, held)), sorted(map(str, wanted))

    def _zone_size(self, zone: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        held = self.world[self.linked.layout.index[zone]]
        if not self.linked.zones[zone].per_player:
            return len(held), wanted
        players = self.linked.layout.players
        return {p: len(held[players.index(p)]) for p in wanted}, dict(wanted)

    def _deck(self, zone: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        pile = sorted(self._names(zone, self.world[self.linked.layout.index[zone]]))
        order = [n for n in self.table.order if n in pile] or [n for n in self.table.shuffle if n in pile]
        if sorted(order) != pile:
            return pile, sorted(map(str, wanted))
        return order, [str(w) for w in wanted]

    def _measure(self, name: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        subject = Type(entry["of"])
        over = entry.get("over")
        found = {}
        for key in wanted:
            first = constant(self.linked, subject, str(key))
            if over:
                found[key] = [self._value_of(name, (first, o)) for o in over]
            else:
                found[key] = self._value_of(name, (first,))
        return found, dict(wanted)

    def _which(self, measures: Mapping[str, str], wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        found = {}
        for key in wanted:
            at = parse_point(str(key))
            found[key] = next((word for word, name in measures.items() if self._value_of(name, (at,))), None)
        return found, dict(wanted)

    def _value_of(self, name: str, args: tuple[Any, ...]) -> Any:
        function = next((f for f in self.linked.program.functions if slug_of(f.id) == name), None)
        if function is None:
            raise NotUnderstood(f"there is no measure `{name}`")
        expr = ("function", function.id, *(("slot", i) for i in range(len(args))))
        s = self.node.state
        return self.linked.codegen.value(expr)(s.world, args, s.scope, frozenset())

    def _scope(self, name: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        index = self.linked.scope_index[name]
        type_ = Type.parse(self.linked.program.scope[index].type)
        value = self.node.state.scope[index]
        if not type_.many:
            return self._text(type_, value) if value is not None else None, wanted
        texts = sorted(self._text(type_.item, v) for v in value)
        if isinstance(wanted, list):
            return texts, sorted(map(str, wanted))
        return texts[0] if len(texts) == 1 else texts or None, wanted

    def _outcome(self, what: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        outcome = self.node.state.outcome
        if what == "drawn":
            return outcome is not None and outcome.winner is None, bool(wanted)
        winner = outcome.winner if outcome is not None else None
        return self.linked.layout.players[winner] if winner is not None else None, wanted

    def _answers(self, power: str, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        """How many different ways there are to play one power to its end, from the first prompt."""
        return _count_ways(self.start.node, power, False), wanted

    def _positions(self, _what: Any, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        closing = self.notation.closing_powers
        zones = entry.get("zones", [])
        return len(end_positions(self.node, closing, zones)), wanted

    def _offered(self, _what: Any, wanted: Any, entry: Mapping[str, Any]) -> tuple[Any, Any]:
        """The keys on offer at the prompt, as a set; `wanted` lists them all."""
        keys = keyed(self.node, self.node.options) if self.node.stop.kind == ASK else {}
        return sorted(keys), sorted(map(str, wanted))

    # ------------------------------------------------------------------ words

    def _text(self, type_: Type, value: Any) -> str:
        return value_text(self.linked, self.world, type_, value)

    def _names(self, zone: str, held: Any) -> list[str]:
        names = self.linked.layout.names[self.linked.zones[zone].of]
        return [names[i] for i in held]


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)


def _count_ways(node: Node, power: str, entered: bool) -> int:
    if node.over or node.stop.state.frame is None:
        return int(entered)
    inside = power in chain_of(node)
    if entered and not inside:
        return 1
    if not inside and not isinstance(node.row, Modal):
        return 0
    return sum(_count_ways(node.after(value), power, inside) for value in node.answers())


def end_positions(node: Node, closing: frozenset[str], zones: list[str]) -> set[Any]:
    """Every position in which the use going on can end, however it is played.

    A position is the driver's position text and the content of some zones. Chance is not looked through.
    """
    found: set[Any] = set()
    seen: set[Any] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.stop.state in seen:
            continue
        seen.add(here.stop.state)
        if len(seen) > MOST_POSITIONS:
            raise NotUnderstood(f"more than {MOST_POSITIONS:,} positions")
        if here.over or here.stop.state.frame is None or chain_of(here) & closing:
            found.add(_position(here, zones))
        else:
            waiting.extend(here.after(value) for value in here.answers())
    return found


def _position(node: Node, zones: list[str]) -> tuple[Any, ...]:
    world, linked = node.state.world, node.linked
    return (linked.driver.position(world), *(world[linked.layout.index[zone]] for zone in zones))


__all__ = ["Claims", "end_positions", "point_text"]
