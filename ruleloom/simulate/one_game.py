"""One game of a run: its placement, its random stream turn by turn, and its record; and batches of games."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from ruleloom.api.linking import driver_of
from ruleloom.bots.arena import Onlooker, make_bot, play_out
from ruleloom.bots.bot import Bot, Luck, RandomBot
from ruleloom.bots.information_set import exchanged
from ruleloom.bots.lookahead import GreedyBot, judge_of
from ruleloom.bots.searching import SearchingBot
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.link.watched import RAN, Found, watched
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.canonical_json import read_json
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.program.program_json import program_of
from ruleloom.runtime.program.state import Event, State, frames
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.simulate.run_plan import GameRecord, Placement, RunPlan, SentProgram, derived_seed


class Placer(Frozen):
    """Carries out one placement for the player in `seat`."""

    placement: Placement
    seat: int
    seed: int

    def arranged(self, node: PlayNode, dice: Xoshiro | None) -> PlayNode:
        """The first node of the first turn, after the placement."""
        linked, wanted, state = node.linked, self.placement, node.state
        ours, zone = {*wanted.held, *wanted.withheld}, linked.layout.index[wanted.zone]
        for thing in sorted(ours):
            hands, is_held = state.world[zone], thing in wanted.held
            there = {*hands[self.seat]} if is_held else {one for hand in hands for one in hand}
            others = sorted(there - ours) if is_held else self._in_nobodys(linked, state, ours)
            if others and (thing in there) != is_held:
                other = Luck(derived_seed(self.seed, "placing", thing)).pick(others)
                into = {thing: other, other: thing}
                state = exchanged(linked, state, wanted.entity, into)
        if state is node.state:
            return node
        again = settled(linked, run(linked, state, True, dice), dice=dice)
        return PlayNode(linked, again.stop._replace(events=node.events + again.events))

    def _in_nobodys(self, linked: Linked, state: State, ours: set[int]) -> list[int]:
        """The things of the kind in a zone without an owner, hidden zones first."""
        zones = [
            zone
            for zone in linked.program.zones
            if zone.of == self.placement.entity and not zone.parted and not zone.at
        ]
        for zone in sorted(zones, key=lambda one: one.seen_by == "all"):
            lies = set(state.world[linked.layout.index[zone.name]]) - ours
            if lies:
                return sorted(lies)
        return []


class LuckInStep:
    """The random streams of one game. The n-th time in a turn that a player is asked in a routine, all chance
    until the next prompt is the same as there in any game of this seed, including the bots' own."""

    def __init__(self, seed: int, bots: Sequence[Bot]) -> None:
        self._seed = seed
        self._lucks: list[Luck | None] = [
            one.luck if isinstance(one, RandomBot | GreedyBot | SearchingBot) else None
            for one in bots
        ]
        self._turn, self._asked = 0, Counter[tuple[str, int]]()

    def dice_at(self, node: PlayNode, turn: int) -> Xoshiro:
        """The dice after a node of a turn."""
        if turn != self._turn:
            self._turn = turn
            self._asked.clear()
        player = node.stop.who[0]
        place = (node.routine.id, player)
        self._asked[place] += 1
        seed = derived_seed(self._seed, turn, *place, self._asked[place])
        luck = self._lucks[player]
        if luck is not None:
            luck.restart(seed)
        return Xoshiro.seeded(seed)


# Recording which routines run takes time, so only some games of a long run are watched.
WATCHED_FIRST, WATCHED_EVERY = 100, 10


class ReadyGame(Frozen):
    """A program linked for the players and settings of a plan, and the names of its content.

    `watched` plays the same games, and records which routines run.
    """

    linked: Linked
    watched: Linked
    found: Found
    names: ContentNames


def is_watched(number: int) -> bool:
    """Does game `number` record routines?"""
    return number < WATCHED_FIRST or number % WATCHED_EVERY == 0


@lru_cache(maxsize=4)
def ready(sent: SentProgram, plan: RunPlan) -> ReadyGame:
    """Link a program for a plan; cached per process."""
    program = program_of(read_json(sent.text))
    linked = link_game(program, driver_of(program), plan.players, dict(plan.settings))
    found = Found()
    return ReadyGame(linked, watched(linked, found), found, ContentNames(linked))


def play_one(game: ReadyGame, plan: RunPlan, number: int) -> GameRecord:
    """Play game `number` of the plan. A fault of the rules ends it, and is recorded."""
    seed, seats = plan.game_seed(number), plan.seating(number)
    # Comparisons do not use what was never met: a few watched games suffice.
    tells = is_watched(number) and not (plan.judges and number % WATCHED_EVERY)
    linked = game.watched if tells else game.linked
    seen = Sightings(game.names)
    game.found.seen.clear()
    bots = [make_bot(kind, linked, seed, seat) for seat, kind in enumerate(seats)]
    placer = Placer(plan.placement, number % len(seats), seed) if plan.placement else None
    try:
        played = play_out(
            linked,
            bots,
            seed,
            plan.turn_limit,
            plan.given,
            plan.answer_limit,
            seen,
            placer.arranged if placer is not None else None,
            LuckInStep(seed, bots).dice_at if plan.in_step else None,
        )
    except RuntimeFault as fault:
        if not fault.by_rules:
            raise
        return GameRecord(number, seed, seats, (), "", "", 0, 0, fault=fault.told, **seen.kept())
    seen.were_read(game.found)
    ended, winners = "", tuple[int, ...]()
    if played.outcome is not None:
        ended, winners = played.outcome.reason, played.outcome.winners
    length = (played.limit, played.turns, played.decisions)
    stands = _standings(linked, seen, placer is not None) if plan.judges and not winners else ()
    return GameRecord(number, seed, seats, winners, ended, *length, standings=stands, **seen.kept())


def _standings(linked: Linked, seen: Sightings, gained: bool) -> tuple[int, ...]:
    """The judge's worth of the end for each seat; with `gained`, less the worth after the placement, since
    the judge values a card in hand before it is used."""
    judge = judge_of(linked)
    if judge is None or seen.last is None:
        return ()

    seats, first = range(len(linked.layout.players)), seen.first if gained else None
    before = [judge.worth(first, seat) if first is not None else 0 for seat in seats]
    return tuple(judge.worth(seen.last, seat) - before[seat] for seat in seats)


MOST_KNOWN = 4
_PROGRAMS: OrderedDict[str, SentProgram] = OrderedDict()


class GameBatch(Frozen):
    """The numbers of some games of a plan, and the key of its program."""

    numbers: tuple[int, ...]
    plan: RunPlan
    key: str


class PlayedBatch(Frozen):
    """The records of some games as lines, and their processor time."""

    lines: tuple[str, ...]
    seconds: float


def play_batch(batch: GameBatch, sent: SentProgram | None = None) -> PlayedBatch | None:
    """Play the games of a batch; None if the worker lacks the program."""
    if sent is not None:
        _PROGRAMS[sent.key] = sent
        while len(_PROGRAMS) > MOST_KNOWN:
            _PROGRAMS.popitem(last=False)
    known = _PROGRAMS.get(batch.key)
    if known is None:
        return None
    game, begun = ready(known, batch.plan), time.process_time()
    lines = tuple(play_one(game, batch.plan, number).line() for number in batch.numbers)
    return PlayedBatch(lines, time.process_time() - begun)


OFFERED, TAKEN, REFUSED = range(3)
MOST_CANDIDATES = 60
"""Choices with more candidates are not searched for refused ones."""


class ContentNames:
    """The names of a program's content, and the routine of each line of its texts."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.things = {
            one.name: tuple(item_name(name) for name in one.names)
            for one in linked.program.entities
            if one.names
        }
        self.routine_at = {
            row.origin: number
            for number, routine in enumerate(linked.program.routines)
            for row in routine.rows
        }
        self.users = _users(linked)
        self.changing = {
            ("modifier", stat.id, one.via): of_item(one.item)
            for stat in linked.program.stats
            for one in stat.modifiers
        }
        self.hands = [
            (place, self.things[column.type.name])
            for place, column in enumerate(linked.layout.columns)
            if column.kind == "each" and column.type.name in self.things
        ]
        self.candidates_in = cache(linked.codegen.candidates)
        self._ways: dict[tuple[int, int], list[str]] = {}

    def ways(self, node: PlayNode, row: Modal) -> list[str]:
        """The names of the ways of a menu at a node."""
        place = (node.frame.routine, node.frame.pc)
        if place not in self._ways:
            modes = range(len(row.modes))
            self._ways[place] = [way_name(node.routine.id, row, mode) for mode in modes]
        return self._ways[place]


def _users(linked: Linked) -> dict[int, str]:
    """The items by the routines that run when they are used or triggered."""
    program = linked.program
    # Several cards of a suit share one text, which is named after the item.
    found = {
        number: program.routines[number].id.rpartition("/")[2]
        for routines in linked.powers.values()
        for number in routines
        if number >= 0
    }
    of_themselves = [(one.routine, one.id) for one in program.triggers]
    of_themselves += [(one.routine, one.id) for one in program.replacements]
    for routine, id in of_themselves:
        found[linked.routine_index[routine]] = of_item(id)
    return found


def item_name(name: str) -> str:
    """The item that made a thing: `black-d4` for `black-d4#3`."""
    return name.partition("#")[0]


def of_item(id: str) -> str:
    """The item that a part belongs to: `undying` for `moonstone:advantage/undying#1`."""
    return item_name(id.rpartition("/")[2])


def way_name(routine: str, row: Modal, mode: int) -> str:
    """The way of a menu: its power and its label."""
    label = slug(str(row.modes[mode].label))
    return f"{routine}: {label}" if row.kind != "optional" else f"{routine}: {('do', 'skip')[mode]}"


class Sightings(Onlooker):
    """The sightings of a game."""

    def __init__(self, names: ContentNames) -> None:
        self.names = names
        self.offers: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.nothing: Counter[str] = Counter()
        self.held: defaultdict[str, set[int]] = defaultdict(set)
        self.used: defaultdict[str, set[int]] = defaultdict(set)
        self.reached: set[int] = set()
        self.read: set[str] = set()
        self.first: PlayNode | None = None
        self.last: PlayNode | None = None
        self._hands: dict[int, Any] = {}

    def asked(self, node: PlayNode, value: Dynamic) -> None:
        """Count the options at a prompt."""
        row = node.row
        if isinstance(row, Modal):
            ways = self.names.ways(node, row)
            self._count(set(ways), {ways[mode] for mode in node.options}, {ways[value]})
        elif isinstance(row, Choose) and row.type.removesuffix("?") in self.names.things:
            things = self.names.things[row.type.removesuffix("?")]
            values = value if node.takes_sets else (value,)
            offered = {things[one] for one in node.options if one is not None}
            taken = {things[one] for one in values if one is not None}
            self._count(offered | self._refused(row, node, things), offered, taken)

    def _count(self, every: set[str], offered: set[str], taken: set[str]) -> None:
        for name in every:
            counts = self.offers[name]
            counts[OFFERED] += name in offered
            counts[TAKEN] += name in taken
            counts[REFUSED] += name not in offered

    def _refused(self, row: Choose, node: PlayNode, things: tuple[str, ...]) -> set[str]:
        if not row.conditions and len(node.options) == len(node.found):
            return set()  # there were no conditions, and all options can be completed
        # All candidates before the conditions are applied.
        state, frame = node.state, node.frame
        candidates = self.names.candidates_in(row.domain)
        found: list[Dynamic] = candidates(state.world, frame.slots, state.scope, frame.ignored)
        return {things[one] for one in found} if len(found) <= MOST_CANDIDATES else set()

    def came_to(self, node: PlayNode) -> None:
        """Record events and hands."""
        self.last = node
        for event in node.events:
            self._happened(event)
            if event.kind == "turn" and self.first is None:
                self.first = node
        world = node.state.world
        for frame in frames(node.state.frame):
            self._ran(frame.routine, node.state.scope[self.names.linked.me])
        for place, things in self.names.hands:
            if world[place] is not self._hands.get(place):
                self._hands[place] = world[place]
                for player, hand in enumerate(world[place]):
                    for thing in hand:
                        self.held[things[thing]].add(player)

    def _happened(self, event: Event) -> None:
        if event.kind == RAN:
            number = self.names.linked.routine_index[event.name]
            self.reached.add(number)
            if number in self.names.users:
                self.read.add(self.names.users[number])
            return
        if event.kind == "fizzled":
            self.nothing[event.name] += 1
        if event.origin is not None and event.origin in self.names.routine_at:
            self._ran(self.names.routine_at[event.origin], event.actor)

    def _ran(self, routine: int, player: int | None) -> None:
        if routine in self.names.users and player is not None:
            self.used[self.names.users[routine]].add(player)

    def were_read(self, found: Found) -> None:
        """Record the items whose modifiers applied when a number was computed."""
        for what, holds in found.seen:
            if holds and what in self.names.changing:
                self.read.add(self.names.changing[what])

    def kept(self) -> dict[str, Any]:
        """The sightings as a record's fields, in fixed order."""
        return {
            "offers": {key: tuple(self.offers[key]) for key in sorted(self.offers)},
            "nothing": {key: self.nothing[key] for key in sorted(self.nothing)},
            "held": {key: tuple(sorted(self.held[key])) for key in sorted(self.held)},
            "used": {key: tuple(sorted(self.used[key])) for key in sorted(self.used)},
            "reached": tuple(sorted(self.reached)),
            "read": tuple(sorted(self.read)),
        }
