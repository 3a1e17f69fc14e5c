"""The claims of a case's `then` about a table, for games with a notation."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ruleloom.compiler.cases.case_file import REMARKS
from ruleloom.compiler.cases.case_words import as_list, slug_of
from ruleloom.runtime.machine.information import Viewer
from ruleloom.runtime.machine.labels import constant, value_text
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.program import Modal, Zone
from ruleloom.runtime.program.values import Type, ends_name, parse_point
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed
from ruleloom.scenarios.claims.askings import OF_ANY, Askings, claims_of_any, wrong_log
from ruleloom.scenarios.claims.numbers import claim_text
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.setup.points_of_play import (
    RiggedTable,
    chain_of,
    chanced,
    game_at,
    turn_began,
)
from ruleloom.scenarios.setup.position import things_in

MOST_POSITIONS = 200_000
# The claims that every game has: methods of `Claims`.
BUILT_IN = (
    *("winner", "drawn", "won", "ranking", "offered", "asked", "sizes"),
    *("everywhere", "records", "printed", "sees"),
)


class Claims:
    """Claims about the table that a case has led to, and about the way there from `before`.

    What is asked is that of the last step, which began at `began`.
    """

    def __init__(
        self,
        notation: Notation,
        table: RiggedTable,
        before: RiggedTable | None = None,
        began: RiggedTable | None = None,
    ) -> None:
        self.events = table.events[len(before.events) if before is not None else 0 :]
        way = (*table.path, table.node)[len((began or before or table).path) :]
        asking = (node for node in way if node.stop.kind == ASK)
        self.askings = Askings(table.node.linked, [game_at(node) for node in asking])
        self.notation = notation
        self.table = table
        self.node = table.node
        self.linked = table.node.linked
        self.world = table.node.state.world

    def check(self, then: CaseData) -> list[str]:
        """The claims that do not hold; StepNotUnderstood for one without meaning."""
        wrong: list[str] = []
        of_any = claims_of_any(
            self.askings, self.world, self.events, self.linked.layout.number_of, self._lines
        )
        for key, wanted in then.items():
            if key in (*REMARKS, "legal", "reason"):
                continue
            try:
                if key in of_any:
                    wrong += of_any[key](wanted)
                    continue
                found, expected = self._both(key, wanted)
            except (KeyError, ValueError, TypeError, AttributeError):
                raise StepNotUnderstood(f"`{key}` in `then` cannot be {_shown(wanted)}") from None
            if found != expected:
                wrong.append(f"{key}: wanted {_shown(expected)}, found {_shown(found)}")
        return wrong

    def _both(self, key: str, wanted: Any) -> tuple[Any, Any]:
        if key in self.notation.counts:
            powers = frozenset(self.notation.counts[key]["powers"])
            return _count_ways(self.node, powers, False), wanted
        if key in self.notation.stops:
            closing = frozenset(self.notation.stops[key]["powers"])
            return len(end_positions(self.table, closing)), wanted
        if key in BUILT_IN:
            check: Callable[..., tuple[Any, Any]] = getattr(self, key)
            return check(wanted)
        entry = self.notation.then.get(key)
        if entry is None:
            of_game = (*self.notation.then, *self.notation.counts, *self.notation.stops)
            known = (*of_game, *BUILT_IN, *OF_ANY)
            raise StepNotUnderstood(f"`then` has no `{key}`; known are {', '.join(known)}")
        kind = next(k for k in ("token", "zone", "measure", "first_true", "scope") if k in entry)
        check = getattr(self, f"_{kind}")
        return check(entry, wanted)

    def tokens(self) -> dict[str, list[str]]:
        """The tokens on the table, by the keys of the notation that would claim them."""
        entries = self.notation.then.items()
        return {key: self._token(entry, [])[0] for key, entry in entries if "token" in entry}

    def _token(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        entity = entry["token"]
        column = self.linked.column_of(entity)
        assert column is not None
        there = [i for i, value in enumerate(self.world[column]) if value is not None]
        return sorted(self._text(Type(entity), i) for i in there), sorted(str(w) for w in wanted)

    def _zone(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        """A map by point, a hand by player, a pile in its order, or another zone in any order."""
        zone = self.linked.zones[entry["zone"]]
        held = self.world[self.linked.layout.index[zone.name]]
        if zone.at:
            names = dict(enumerate(self.linked.layout.names[zone.of]))
            found = {at: names.get(held.get(parse_point(at))) for at in wanted}
            return found, {at: None if name == "none" else name for at, name in wanted.items()}
        if zone.per_player:
            hands = dict(zip(self.linked.layout.players, held, strict=True))
            mine = {p: sorted(self._names(zone.of, hands[p])) for p in wanted if p in hands}
            return mine, {p: sorted(map(str, cards)) for p, cards in wanted.items()}
        pile = sorted(self._names(zone.of, held))
        said = list(map(str, wanted))
        if not zone.lazy:
            return pile, sorted(said)
        return self._as_drawn(zone, pile), said

    def _as_drawn(self, zone: Zone, pile: list[str]) -> list[str]:
        """A lazy pile in the order in which it will be drawn, as far as the case knows it."""
        at = self.linked.layout.index.get(ends_name(zone.name))
        ends = self.world[at] if at is not None else ((), ())
        top, bottom = (self._names(zone.of, end) for end in ends)
        rest = [name for name in pile if name not in (*top, *bottom)]
        known = [name for name in self.table.order or self.table.shuffle if name in rest]
        return [*top, *known, *(name for name in rest if name not in known), *bottom]

    def _measure(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        name, (subject, *over) = entry["measure"], entry["for_each"]
        things = {key: constant(self.linked, Type(subject), str(key)) for key in wanted}
        if not over:
            return {key: self._value_of(name, one) for key, one in things.items()}, dict(wanted)
        span = self.notation.spans[over[0]]
        numbers = range(span["from"], span["to"] + 1)
        found = {
            key: [self._value_of(name, one, n) for n in numbers] for key, one in things.items()
        }
        return found, dict(wanted)

    def check_given(self) -> None:
        """Refuse a table that gives more than there is: a measure that is less than it can be."""
        for key, entry in self.notation.then.items():
            least = entry.get("least")
            if least is None:
                continue
            by_player, _ = self._measure(entry, dict.fromkeys(self.linked.layout.players))
            for player, found in by_player.items():
                if min(as_list(found)) < least:
                    message = f"`given` leaves {player} a `{key}` of {_shown(found)}"
                    raise StepNotUnderstood(f"{message}: none can be less than {least}")

    def _first_true(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        found = {}
        for key in wanted:
            at = parse_point(str(key))
            words = entry["first_true"].items()
            found[key] = next((word for word, name in words if self._value_of(name, at)), None)
        return found, dict(wanted)

    def _value_of(self, name: str, *args: Any) -> Any:
        function = next((f for f in self.linked.program.functions if slug_of(f.id) == name), None)
        if function is None:
            raise StepNotUnderstood(f"there is no measure `{name}`")
        expr = ("function", function.id, *(("slot", i) for i in range(len(args))))
        s = self.node.state
        return self.linked.codegen.value(expr)(s.world, args, s.scope, frozenset())

    def _scope(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        index = self.linked.scope_index[entry["scope"]]
        type_ = Type.parse(self.linked.program.scope[index].type)
        value = self.node.state.scope[index]
        wanted = None if wanted == "none" else wanted
        if not type_.many:
            return self._text(type_, value) if value is not None else None, wanted
        texts = sorted(self._text(type_.item, v) for v in value)
        if isinstance(wanted, list):
            return texts, sorted(map(str, wanted))
        return texts[0] if len(texts) == 1 else texts or None, wanted

    def winner(self, wanted: Any) -> tuple[Any, Any]:
        """Who has won; null for nobody."""
        outcome = self.node.state.outcome
        winner = outcome.winner if outcome is not None else None
        name = self.linked.layout.players[winner] if winner is not None else None
        return name, None if wanted == "none" else wanted

    def drawn(self, wanted: Any) -> tuple[Any, Any]:
        """Whether the game has ended without a winner."""
        outcome = self.node.state.outcome
        return outcome is not None and not outcome.winners, bool(wanted)

    def won(self, wanted: Any) -> tuple[Any, Any]:
        """All who have won."""
        ranking = self._ranking()
        return sorted(ranking[0]) if ranking else [], sorted(map(str, wanted or ()))

    def ranking(self, wanted: Any) -> tuple[Any, Any]:
        """The players by rank; those who share one stand in a list."""
        asked = [sorted(map(str, one)) if isinstance(one, list) else [str(one)] for one in wanted]
        return [sorted(rank) for rank in self._ranking()], asked

    def _ranking(self) -> list[list[str]]:
        outcome = self.node.state.outcome
        ranks = outcome and (outcome.ranking or (outcome.winners,) if outcome.winners else ())
        return [[self.linked.layout.players[one] for one in rank] for rank in ranks or ()]

    def offered(self, wanted: Any) -> tuple[Any, Any]:
        """The keys of the options at the open prompt, all of them."""
        keys = keyed(self.node, self.node.options) if self.node.stop.kind == ASK else {}
        return sorted(keys), sorted(map(str, wanted))

    def asked(self, wanted: Any) -> tuple[Any, Any]:
        """Who is asked now; a list if several are."""
        names = [self.linked.layout.players[p] for p in self.node.stop.who]
        return names if isinstance(wanted, list) else ", ".join(names), wanted

    def sizes(self, wanted: Any) -> tuple[Any, Any]:
        """The number of things in each zone, in all or by player."""
        found: dict[str, Any] = {}
        for name, said in wanted.items():
            if name not in self.linked.zones:
                raise StepNotUnderstood(f"there is no zone `{name}`")
            held = self.world[self.linked.layout.index[name]]
            players = self.linked.layout.players
            each = self.linked.zones[name].per_player and isinstance(said, Mapping)
            found[name] = {p: len(held[players.index(p)]) for p in said} if each else len(held)
        return found, dict(wanted)

    def everywhere(self, wanted: Any) -> tuple[Any, Any]:
        """The number of things of a kind in all zones together; none of them may lie in two."""
        found = {}
        for entity in wanted:
            things = things_in(self.linked, self.world, entity)
            twice = {self.linked.layout.names[entity][i] for i in things if things.count(i) > 1}
            found[entity] = f"{min(twice)} lies in two places" if twice else len(things)
        return found, dict(wanted)

    def records(self, wanted: Any) -> tuple[Any, Any]:
        """The names of all things made by records of a kind, in their order."""
        found: dict[str, list[str]] = {kind: [] for kind in wanted}
        for entity in self.linked.program.entities:
            for name, power in zip(entity.names, entity.powers, strict=False):
                kind = power.rpartition(":")[2].partition("/")[0]
                if kind in found:
                    found[kind].append(name)
        return found, dict(wanted)

    def printed(self, wanted: Any) -> tuple[Any, Any]:
        """The printed fields of things: `{number: {fool: 15}}`."""
        found: dict[str, dict[str, Any]] = {}
        for field, said in wanted.items():
            tables = [
                dict(zip(entity.names, values, strict=True))
                for entity in self.linked.program.entities
                for name, values in entity.static
                if name == field
            ]
            if not tables:
                raise StepNotUnderstood(f"nothing has a `{field}` printed on it")
            printed = ChainMap(*reversed(tables))
            for name in said:
                if name not in printed:
                    raise StepNotUnderstood(f"there is no `{name}` with a `{field}` printed on it")
            found[field] = {name: printed[name] for name in said}
        return found, dict(wanted)

    def sees(self, wanted: Any) -> tuple[Any, Any]:
        """What each player sees of the zones named: names where shown, else a count."""
        players = self.linked.layout.players
        found: dict[str, Any] = {}
        expected: dict[str, Any] = {}
        for player, zones in wanted.items():
            if player not in players:
                raise StepNotUnderstood(f"{player} is no player of this case")
            seen = view(game_at(self.node), players.index(player))["zones"]
            if "log" in zones:
                zones = {**zones}
                lines = self._lines(players.index(player))
                missing = list(wrong_log(lines, zones.pop("log")))
                found |= {f"{player} reads": missing} if missing else {}
            for zone in zones:
                if zone not in seen:
                    raise StepNotUnderstood(f"there is no zone `{zone}`")
            found[player] = {zone: _like(said, seen.get(zone)) for zone, said in zones.items()}
            expected[player] = {zone: _like(said, said) for zone, said in zones.items()}
        return found, expected

    def _lines(self, reader: Viewer = None) -> list[str]:
        return log(self.linked, self.events, reader)

    def _text(self, type_: Type, value: Any) -> str:
        return value_text(self.linked, self.world, type_, value)

    def _names(self, entity: str, held: Any) -> list[str]:
        names = self.linked.layout.names[entity]
        return [names[i] for i in held]


def _like(said: Any, seen: Any) -> Any:
    """The part of a sight that a claim is about; the order of a list does not matter."""
    if isinstance(said, Mapping) and isinstance(seen, Mapping):
        return {key: _like(value, seen.get(key)) for key, value in said.items()}
    return sorted(map(str, seen)) if isinstance(seen, list) else seen


def _shown(value: Any) -> str:
    return (
        ", ".join(map(_within, value)) or "nothing" if isinstance(value, list) else _within(value)
    )


def _within(value: Any) -> str:
    """A value as a case writes it."""
    match value:
        case Mapping():
            return "{" + ", ".join(f"{key}: {_within(one)}" for key, one in value.items()) + "}"
        case list():
            return f"[{', '.join(map(_within, value))}]"
        case None:
            return "none"
    return claim_text(value)


def _count_ways(node: PlayNode, powers: frozenset[str], entered: bool) -> int:
    if node.over or node.stop.state.frame is None:
        return int(entered)
    inside = bool(powers & chain_of(node))
    if entered and not inside:
        return 1
    if not inside and not isinstance(node.row, Modal):
        return 0
    return sum(_count_ways(node.after(value), powers, inside) for value in node.answers())


def end_positions(table: RiggedTable, closing: frozenset[str]) -> set[Any]:
    """Every position in which the running use can end, however it is played; cards come as stacked."""
    found: set[Any] = set()
    seen: set[Any] = set()
    waiting = [table]
    while waiting:
        stacked = chanced(waiting.pop())
        here = stacked.node
        known = (here.stop.state, stacked.order, stacked.dice)
        if known in seen:
            continue
        seen.add(known)
        if len(seen) > MOST_POSITIONS:
            raise StepNotUnderstood(f"more than {MOST_POSITIONS:,} positions")
        new_turn = here is not table.node and turn_began(here)
        ended = here.over or here.stop.state.frame is None or new_turn
        if ended or chain_of(here) & closing:
            found.add(_position(here))
        else:
            waiting.extend(replace(stacked, node=here.after(value)) for value in here.answers())
    return found


def _position(node: PlayNode) -> tuple[Any, ...]:
    world, linked = node.state.world, node.linked
    zones = (world[i] for i, column in enumerate(linked.layout.columns) if column.kind != "field")
    # Pieces of a kind are interchangeable, so the driver's position text stands for them.
    return (linked.driver.position(world), *zones)
