"""The claims of a case: about prompts, the log and what players know, and about a table in play.

Every case can make those of the first group. The others belong to games with a notation: built-in
ones, and those that the notation declares.
"""

from __future__ import annotations

from collections import ChainMap, Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ruleloom.compiler.cases.case_file import BECAUSE, REASON, REMARKS
from ruleloom.compiler.cases.case_words import NONE, as_list, folded, slug_of, word
from ruleloom.runtime.machine.information import Viewer, secrecy_of
from ruleloom.runtime.machine.labels import value_text
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.play.event_log import log, tell
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Entity, Modal, Zone
from ruleloom.runtime.program.state import Event, State
from ruleloom.runtime.program.values import PLAYER, Type, World, ends_name, parse_point
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.results import MISFITS
from ruleloom.scenarios.setup.position import (
    RiggedTable,
    chain_of,
    chanced,
    game_at,
    turn_began,
)
from ruleloom.scenarios.setup.state import (
    CaseNames,
    ClaimedNumbers,
    as_found,
    claim_text,
    same_names,
    things_in,
)
from ruleloom.scenarios.setup.things import unmarked
from ruleloom.scenarios.steps.answers import asked_of, offered, prompt_names, written_out

MOST_SHOWN, MOST_LINES = 40, 20
LOG, ME, RESULT = "log", "me", "result"
# The claims of every case, methods `wrong_NAME`, and those about the end of a game.
OF_ANY = ("unasked", "whom", "offers", "unseen", "sees", LOG, "unlogged", "done")
ENDS = ("winner", "drawn", "won", "ranking")


class Claims:
    """Claims that every case can make, about a state, its `events` and its prompts.

    `way` are the games at each prompt of the last step, the one at which it stopped included.
    """

    known: Sequence[str] = OF_ANY

    def __init__(
        self, words: CaseNames, state: State, events: Sequence[Event], way: Sequence[Game]
    ) -> None:
        self.words, self.linked, self.layout = words, words.linked, words.linked.layout
        self.state, self.world, self.events = state, state.world, events
        words.world = state.world
        self.asked_by_name = defaultdict[str, list[Game]](list)
        for game in way:
            for name in prompt_names(game.node):
                self.asked_by_name[name].append(game)

    def wrong(self, then: CaseData) -> Iterator[str]:
        """The messages of the claims that do not hold."""
        for claim, said in then.items():
            if claim in self.known:
                yield from getattr(self, f"wrong_{claim}")(said)

    def lines(self, reader: Viewer = None) -> list[str]:
        """The log lines for a reader."""
        return [unmarked(line) for line in log(self.linked, self.events, reader)]

    def tells(self, event: Event, part: Any, reader: Viewer = None) -> bool:
        """Is it told as claimed: by a part of its line, or by its operation with some of its facts?"""
        if not isinstance(part, Mapping):
            return str(part) in unmarked(tell(self.linked, event, reader) or "")
        ((name, said),) = part.items()
        if event.kind != "operation" or event.name != folded(name):
            return False
        facts = facts_of(self.words, event)
        self.words.world = self.world
        return all(
            as_found(one, facts[folded(key)]) == facts[folded(key)] for key, one in said.items()
        )

    def wrong_whom(self, whom: CaseData) -> Iterator[str]:
        """Prompts that asked another player than claimed, at any time they came up."""
        for name, player in whom.items():
            found = [asked_of(one) for one in self.asked_by_name[folded(name)]] or ["nobody"]
            each = player if isinstance(player, list) else [player] * len(found)
            wanted = list(map(word, each)) or ["nobody"]
            if found != wanted:
                yield f"whom: {word(name)}: wanted {claim_text(wanted)}, found {claim_text(found)}"

    def wrong_offers(self, offers: CaseData) -> Iterator[str]:
        """Prompts that offered other options than claimed, at any time they came up."""
        for name, options in offers.items():
            asked = self.asked_by_name[folded(name)]
            apart = bool(options) and all(isinstance(one, list) for one in options)
            each = options if apart else [options] * len(asked)
            if not asked:
                yield f"offers: {word(name)}: this is not asked"
            elif len(each) != len(asked):
                often = f"wanted {len(each)}, found {len(asked)}"
                yield f"offers: {word(name)}: how often it is asked: {often}"
            else:
                for wanted, game in zip(each, asked, strict=True):
                    yield from wrong_offer(f"offers: {word(name)}", wanted, game)

    def wrong_unasked(self, unasked: Sequence[Any]) -> Iterator[str]:
        """Prompts that came up though claimed not to."""
        asked = (word(one) for one in unasked if self.asked_by_name[folded(one)])
        yield from (f"unasked: `{one}` is asked" for one in asked)

    def wrong_done(self, said: Mapping[str, int]) -> Iterator[str]:
        """Operations done more or less often than claimed."""
        done = Counter(event.name for event in self.events if event.kind == "operation")
        for name, times in said.items():
            if done[name] != times:
                yield f"done: {name}: wanted {times}, found {done[name]}"

    def in_order(self, wanted: Sequence[Any], reader: Viewer = None) -> Iterator[Event | None]:
        """For each part of a claim, the next event that is told so; None once there is none."""
        events = iter(self.events)
        for part in wanted:
            yield next((one for one in events if self.tells(one, part, reader)), None)

    def wrong_log(self, wanted: Sequence[Any], reader: Viewer = None) -> Iterator[str]:
        """The first part missing from the lines after the last."""
        for part, event in zip(wanted, self.in_order(wanted, reader), strict=False):
            if event is None:
                again = any(self.tells(one, part, reader) for one in self.events)
                after, found = " at its place" if again else "", self.lines(reader)
                told = found if len(found) <= MOST_LINES else ["...", *found[-MOST_LINES:]]
                yield f"log: no line has `{claim_text(part)}`{after}: {claim_text(told)}"
                return

    def wrong_unlogged(self, unwanted: Sequence[Any]) -> Iterator[str]:
        """Each part that a line contains though claimed not to."""
        for part in unwanted:
            event = next((one for one in self.events if self.tells(one, part)), None)
            if event is not None:
                line = unmarked(tell(self.linked, event) or event.name)
                yield f"unlogged: `{claim_text(part)}` stands in the log: `{line}`"

    def wrong_unseen(self, said: Mapping[str, Sequence[Any]]) -> Iterator[str]:
        """Each thing that a player may see though claimed hidden."""
        secrecy = secrecy_of(self.linked)
        for viewer, names in said.items():
            eyes = self.words.value(PLAYER, viewer)
            for name in map(str, names):
                found = ((kind, self.words.number(kind, name)) for kind in sorted(secrecy.kinds))
                kind, thing = next((one for one in found if one[1] is not None), ("", None))
                if thing is None:
                    raise StepNotUnderstood(f"`unseen`: nothing called `{name}` can be hidden")
                if not secrecy.hides(eyes, Type(kind), thing, (self.world,)):
                    yield f"unseen: {viewer} may see `{name}`"

    def wrong_sees(self, sees: CaseData) -> Iterator[str]:
        """Each mismatch in a player's view: log lines, or the contents or size of a zone."""
        for player, said in sees.items():
            viewer = self.words.value(PLAYER, player)
            for told in self.wrong_log(said.get(LOG, ()), viewer):
                yield f"sees: {player}: {told}"
            zones = {name: one for name, one in said.items() if name != LOG}
            for zone, owner, held, wanted in self.words.parts(zones):
                found: Any = len(held)
                if secrecy_of(self.linked).shows(viewer, zone, owner):
                    names, points = self.layout.names[zone.of], wanted if zone.at else ()
                    there = {one: parse_point(one) for one in points}
                    on = {one: names[held[at]] for one, at in there.items() if at in held}
                    found = on if zone.at else self.words.called(zone, held)
                both_lists = isinstance(wanted, list) and isinstance(found, list)
                if not (same_names(wanted, found) if both_lists else wanted == found):
                    told = f"wanted {claim_text(wanted)}, found {claim_text(found)}"
                    yield f"sees: {player}: {zone.name}: {told}"

    @property
    def ranks(self) -> list[list[str]]:
        """The sorted players of each rank, winners first; empty before the end."""
        outcome, names = self.state.outcome, self.layout.players
        places = () if outcome is None else outcome.ranking or (outcome.winners,)
        return [sorted(names[one] for one in rank) for rank in places if rank]

    def end(self, claim: str, said: Any) -> tuple[Any, Any]:
        """The pair (found, wanted) of a claim about how the game ended; players of a rank are sorted."""
        outcome, ranks = self.state.outcome, self.ranks
        match claim:
            case "winner":
                winner = outcome.winner if outcome is not None else None
                name = None if winner is None else self.layout.players[winner]
                return name, None if said == NONE else said
            case "drawn":
                return outcome is not None and not ranks, bool(said)
            case "won":
                return ranks[0] if ranks else [], sorted(map(str, said or ()))
        return ranks, [sorted(map(str, as_list(one))) for one in said]


def facts_of(
    words: CaseNames, event: Event, told: Callable[[World, Type, Any], Any] | None = None
) -> dict[str, Any]:
    """The arguments and the result of an operation by parameter, and who did it as `me`: in case notation, or
    as `told`."""
    linked, told = words.linked, told or words.shown
    info = linked.operations[event.name].info
    typed = [*info.params, *([(RESULT, info.result)] if info.result else ())]
    found = {} if event.actor is None else {ME: linked.layout.players[event.actor]}
    for (name, written), value in zip(typed, event.args, strict=False):
        type_ = Type.parse(written)
        is_new = not type_.many and value is not None and linked.is_gone(type_, value, event.before)
        found[name] = told(event.after if is_new else event.before, type_, value)
    return found


def wrong_offer(where: str, wanted: Sequence[Any], game: Game) -> Iterator[str]:
    """The mismatch of a prompt's options with the claim, if any."""
    found = offered(game)
    if not same_names(written_out(wanted), found):
        some = found if len(found) <= MOST_SHOWN else [*found[:3], "...", found[-1]]
        yield f"{where}: wanted {claim_text(list(map(word, wanted)))}, found {claim_text(some)}"


# ---------------------------------------------------------------------------- a table in play

MOST_POSITIONS = 200_000
# The built-in claims of every game with a notation: methods of `PlayedClaims`.
BUILT_IN = ("offered", "asked", "sizes", "everywhere", "records", "printed")


class PlayedClaims(Claims):
    """Claims about the table that a case has reached, and about the events since `before`.

    Claims about prompts are about the last step, which began at `began`.
    """

    known = (*OF_ANY, "numbers")

    def __init__(
        self,
        notation: Notation,
        table: RiggedTable,
        before: RiggedTable | None = None,
        began: RiggedTable | None = None,
    ) -> None:
        self.notation, self.table, self.node = notation, table, table.node
        events = table.events[len(before.events) if before is not None else 0 :]
        way = (*table.path, table.node)[len((began or before or table).path) :]
        asking = [game_at(node) for node in way if node.stop.kind == ASK]
        words = CaseNames(table.node.linked, made=dict(table.made))
        super().__init__(words, table.node.state, events, asking)

    def wrong(self, then: CaseData) -> Iterator[str]:
        """The messages of the claims that do not hold; StepNotUnderstood for a meaningless one."""
        for key, wanted in then.items():
            if key in (*REMARKS, "legal", REASON, BECAUSE):
                continue
            try:
                if key in self.known:
                    yield from super().wrong({key: wanted})
                    continue
                found, expected = self._both(key, wanted)
            except MISFITS:
                raise StepNotUnderstood(
                    f"`{key}` in `then` cannot be {claim_text(wanted)}"
                ) from None
            if found != expected:
                yield f"{key}: wanted {claim_text(expected)}, found {claim_text(found)}"

    def wrong_numbers(self, claimed: CaseData) -> Iterator[str]:
        """Numbers that differ from the claim."""
        symbols, scope = self.notation.symbols, self.state.scope
        yield from ClaimedNumbers(symbols, self.words, self.world, scope).wrong(claimed)

    def _both(self, key: str, wanted: Any) -> tuple[Any, Any]:
        """The pair (found, wanted) of a claim."""
        if key in self.notation.counts:
            powers = frozenset(self.notation.counts[key]["powers"])
            return _count_ways(self.node, powers, False), wanted
        if key in self.notation.stops:
            closing = frozenset(self.notation.stops[key]["powers"])
            return len(end_positions(self.table, closing)), wanted
        if key in ENDS:
            return self.end(key, wanted)
        check: Callable[..., tuple[Any, Any]]
        if key in BUILT_IN:
            check = getattr(self, key)
            return check(wanted)
        entry = self.notation.then[key]
        kind = next(k for k in ("token", "zone", "measure", "first_true", "scope") if k in entry)
        check = getattr(self, f"_{kind}")
        return check(entry, wanted)

    def tokens(self) -> dict[str, list[str]]:
        """The tokens on the table, by the notation key that claims them."""
        entries = self.notation.then.items()
        return {key: self._token(entry, [])[0] for key, entry in entries if "token" in entry}

    def _token(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        entity = entry["token"]
        column = self.linked.column_of(entity)
        assert column is not None
        there = [i for i, value in enumerate(self.world[column]) if value is not None]
        return sorted(self._text(Type(entity), i) for i in there), sorted(map(str, wanted))

    def _zone(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        """The contents of a zone: a map by point, hands by player, a lazy pile in order, others sorted."""
        zone = self.linked.zones[entry["zone"]]
        held = self.world[self.layout.index[zone.name]]
        if zone.at:
            names = dict(enumerate(self.layout.names[zone.of]))
            found = {at: names.get(held.get(parse_point(at))) for at in wanted}
            return found, {at: None if name == NONE else name for at, name in wanted.items()}
        if zone.parted:
            return self._parts(zone, held, wanted)
        pile, said = sorted(self._names(zone.of, held)), list(map(str, wanted))
        return (self._as_drawn(zone, pile), said) if zone.lazy else (pile, sorted(said))

    def _parts(self, zone: Zone, held: Any, wanted: Any) -> tuple[Any, Any]:
        """The contents of the parts of a zone that a case names."""
        parts = dict(zone.parts(held))
        lying = {p: parts.get(self.words.owner(zone, p), ()) for p in wanted}
        found = {p: sorted(self._names(zone.of, held)) for p, held in lying.items()}
        return found, {p: sorted(map(str, cards)) for p, cards in wanted.items()}

    def _as_drawn(self, zone: Zone, pile: list[str]) -> list[str]:
        """A lazy pile in draw order, as far as the case fixes it."""
        at = self.layout.index.get(ends_name(zone.name))
        ends = self.world[at] if at is not None else ((), ())
        top, bottom = (self._names(zone.of, end) for end in ends)
        rest = [name for name in pile if name not in (*top, *bottom)]
        known = [name for name in self.table.order or self.table.shuffle if name in rest]
        return [*top, *known, *(name for name in rest if name not in known), *bottom]

    def _measure(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        name, (subject, *over) = entry["measure"], entry["for_each"]
        things = {key: self.words.value(Type(subject), key) for key in wanted}
        if not over:
            return {key: self._value_of(name, one) for key, one in things.items()}, dict(wanted)
        span = self.notation.spans[over[0]]
        numbers = range(span["from"], span["to"] + 1)
        found = {
            key: [self._value_of(name, one, n) for n in numbers] for key, one in things.items()
        }
        return found, dict(wanted)

    def check_given(self) -> None:
        """Refuse a table whose `given` pushes a measure below its least value."""
        for key, entry in self.notation.then.items():
            least = entry.get("least")
            if least is None:
                continue
            by_player, _ = self._measure(entry, dict.fromkeys(self.layout.players))
            for player, found in by_player.items():
                if min(as_list(found)) < least:
                    message = f"`given` leaves {player} a `{key}` of {claim_text(found)}"
                    raise StepNotUnderstood(f"{message}: none can be less than {least}")

    def _first_true(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        words, found = entry["first_true"].items(), {}
        for key in wanted:
            at = parse_point(str(key))
            found[key] = next((word for word, name in words if self._value_of(name, at)), None)
        return found, dict(wanted)

    def _value_of(self, name: str, *args: Any) -> Any:
        id = next(one.id for one in self.linked.program.functions if slug_of(one.id) == name)
        expr = ("function", id, *(("slot", i) for i in range(len(args))))
        return self.linked.codegen.value(expr)(self.world, args, self.state.scope, frozenset())

    def _scope(self, entry: CaseData, wanted: Any) -> tuple[Any, Any]:
        index = self.linked.scope_index[entry["scope"]]
        type_ = Type.parse(self.linked.program.scope[index].type)
        value = self.state.scope[index]
        wanted = None if wanted == NONE else wanted
        if not type_.many:
            return self._text(type_, value) if value is not None else None, wanted
        texts = sorted(self._text(type_.item, v) for v in value)
        if isinstance(wanted, list):
            return texts, sorted(map(str, wanted))
        return texts[0] if len(texts) == 1 else texts or None, wanted

    def offered(self, wanted: Any) -> tuple[Any, Any]:
        """The keys of all options at the open prompt."""
        keys = keyed(self.node, self.node.options) if self.node.stop.kind == ASK else {}
        return sorted(keys), sorted(map(str, wanted))

    def asked(self, wanted: Any) -> tuple[Any, Any]:
        """The player asked now; a list if the claim is a list."""
        names = [self.layout.players[p] for p in self.node.stop.who]
        return names if isinstance(wanted, list) else ", ".join(names), wanted

    def sizes(self, wanted: Any) -> tuple[Any, Any]:
        """The number of things in each zone, in total or by player."""
        found: dict[str, Any] = {}
        for name, said in wanted.items():
            zone, held = self.linked.zones[name], self.world[self.layout.index[name]]
            by_part = zone.parted and isinstance(said, Mapping)
            parts = dict(zone.parts(held))
            whose = {one: self.words.owner(zone, one) for one in said} if by_part else {}
            found[name] = {one: len(parts.get(at, ())) for one, at in whose.items()} or len(held)
        return found, dict(wanted)

    def everywhere(self, wanted: Any) -> tuple[Any, Any]:
        """The number of things of a kind over all zones; a message if one lies in two."""
        found = {}
        for entity in wanted:
            things = things_in(self.linked, self.world, entity)
            twice = {self.layout.names[entity][i] for i in things if things.count(i) > 1}
            found[entity] = f"{min(twice)} lies in two places" if twice else len(things)
        return found, dict(wanted)

    def records(self, wanted: Any) -> tuple[Any, Any]:
        """The names of all things made by records of a kind, in order."""
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
            printed = ChainMap(*reversed(tables))
            found[field] = {name: printed[name] for name in said}
        return found, dict(wanted)

    def _text(self, type_: Type, value: Any) -> str:
        return value_text(self.linked, self.world, type_, value)

    def _names(self, entity: str, held: Any) -> list[str]:
        names = self.layout.names[entity]
        return [names[i] for i in held]


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
    """All positions in which the running use can end, over all ways to play it; cards come as stacked."""
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
    """What everybody sees of a position; equal things without a name are interchangeable."""
    world, layout = node.state.world, node.linked.layout
    found: list[Any] = [
        one for one, info in zip(world, layout.columns, strict=True) if info.kind != "field"
    ]
    for entity in node.linked.program.entities:
        things = _things(node, entity)
        is_told_apart = entity.names or entity.name == PLAYER.name
        found.append(tuple(things if is_told_apart else sorted(things, key=repr)))
    return tuple(found)


def _things(node: PlayNode, entity: Entity) -> list[tuple[Any, ...]]:
    """The fields that everybody sees of each thing of a kind that is there."""
    world, index = node.state.world, node.linked.layout.index
    columns = [world[index[f"{entity.name}.{one.name}"]] for one in entity.changing if one.shown]
    return [
        one
        for at, one in enumerate(zip(*columns, strict=True))
        if not node.linked.is_gone(Type(entity.name), at, world)
    ]
