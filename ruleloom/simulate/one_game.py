"""One game of a run: what is placed before it, its luck turn by turn, its record; and several in a batch."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from functools import lru_cache

from ruleloom.api.linking import driver_of
from ruleloom.bots.arena import judge_of, make_bot, play_out
from ruleloom.bots.bot import Bot, Luck, RandomBot
from ruleloom.bots.information_set import exchanged
from ruleloom.bots.lookahead import GreedyBot
from ruleloom.bots.searching import SearchingBot
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.link.watched import Found, watched
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.program.canonical_json import read_json
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program_json import program_of
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode, settled
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.run_plan import Placement, RunPlan, SentProgram, derived_seed
from ruleloom.simulate.sightings import ContentNames, Sightings


@dataclass(frozen=True, slots=True)
class Placer:
    """Carries out one placement for the player in `seat`."""

    placement: Placement
    seat: int
    seed: int

    def arranged(self, node: PlayNode, dice: Xoshiro | None) -> PlayNode:
        """The first node of the first turn, with all things in their places."""
        linked, wanted, state = node.linked, self.placement, node.state
        ours = {*wanted.held, *wanted.withheld}
        for thing in sorted(ours):
            luck = Luck(derived_seed(self.seed, "placing", thing))
            if thing in wanted.held:
                others = sorted(self._hand(linked, state, True) - ours)
            else:
                others = self._in_nobodys(linked, state, ours)
            there = thing in self._hand(linked, state, thing in wanted.held)
            if others and there != (thing in wanted.held):
                other = luck.pick(others)
                into = {thing: other, other: thing}
                state = exchanged(linked, state, wanted.entity, into)
        if state is node.state:
            return node
        again = settled(linked, run(linked, state, True, dice), dice=dice)
        return PlayNode(linked, again.stop._replace(events=node.events + again.events))

    def _hand(self, linked: Linked, state: State, own: bool) -> set[int]:
        """The things in the zone of the player, or of anybody."""
        column = state.world[linked.layout.index[self.placement.zone]]
        return set(column[self.seat]) if own else {one for hand in column for one in hand}

    def _in_nobodys(self, linked: Linked, state: State, ours: set[int]) -> list[int]:
        """The things of the kind that lie in a zone of nobody's, one that is not seen first."""
        zones = [
            zone
            for zone in linked.program.zones
            if zone.of == self.placement.entity and not zone.per_player and not zone.at
        ]
        for zone in sorted(zones, key=lambda one: one.seen_by == "all"):
            lies = set(state.world[linked.layout.index[zone.name]]) - ours
            if lies:
                return sorted(lies)
        return []


class LuckInStep:
    """The fate of one game. The n-th time in a turn that somebody is asked in a routine, all that falls
    until the next question falls as it does there in any game of this seed; what bots leave to chance
    does so too.
    """

    def __init__(self, seed: int, bots: Sequence[Bot]) -> None:
        self._seed = seed
        self._lucks: list[Luck | None] = [
            one.luck if isinstance(one, RandomBot | GreedyBot | SearchingBot) else None
            for one in bots
        ]
        self._turn, self._asked = 0, Counter[tuple[str, int]]()

    def dice_at(self, node: PlayNode, turn: int) -> Xoshiro:
        """The dice from a node of a turn on."""
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


# To tell which routines run takes time, so not all games of a long run tell it.
WATCHED_FIRST, WATCHED_EVERY = 100, 10


@dataclass(frozen=True, slots=True)
class ReadyGame:
    """A program linked for the players and settings of a plan, and the names of what it holds.

    The `watched` one plays the same games, and tells which routines run.
    """

    linked: Linked
    watched: Linked
    found: Found
    names: ContentNames


def is_watched(number: int) -> bool:
    """Does game `number` tell which routines run?"""
    return number < WATCHED_FIRST or number % WATCHED_EVERY == 0


@lru_cache(maxsize=4)
def ready(sent: SentProgram, plan: RunPlan) -> ReadyGame:
    """Link a program for a plan; worked out once a process."""
    program = program_of(read_json(sent.text))
    linked = link_game(program, driver_of(program), plan.players, dict(plan.settings))
    found = Found()
    return ReadyGame(linked, watched(linked, found), found, ContentNames(linked))


def play_one(game: ReadyGame, plan: RunPlan, number: int) -> GameRecord:
    """Play game `number` of the plan. A fault of the rules ends it, and is kept with it."""
    seed, seats = plan.game_seed(number), plan.seating(number)
    # What was never met is no question where games are held against each other: a few tell enough.
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
    """What each seat thinks of the end; `gained`, of how far it has come since things were placed, as
    a card in hand is worth something to the judge before anybody has used it."""
    judge, _ = judge_of(linked)
    if judge is None or seen.last is None:
        return ()

    def worth(node: PlayNode, seat: int) -> int:
        return judge.worth(node, seat)

    seats = range(len(linked.layout.players))
    before = [worth(seen.first, seat) if gained and seen.first else 0 for seat in seats]
    return tuple(worth(seen.last, seat) - before[seat] for seat in seats)


MOST_KNOWN = 4
_PROGRAMS: OrderedDict[str, SentProgram] = OrderedDict()


@dataclass(frozen=True, slots=True)
class GameBatch:
    """The numbers of some games of one plan, and the key of its program."""

    numbers: tuple[int, ...]
    plan: RunPlan
    key: str


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """The records of some games as lines, and the processor time that they took."""

    lines: tuple[str, ...]
    seconds: float


def play_batch(batch: GameBatch, sent: SentProgram | None = None) -> PlayedBatch | None:
    """Play the games of a batch; None if the program has to be sent along."""
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
