"""One game of a run: played to its end or to a limit, and kept as a record."""

from __future__ import annotations

from functools import lru_cache

from ruleloom.api.linking import driver_of
from ruleloom.bots.arena import judge_of, make_bot, play_out
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.link.watched import Found, watched
from ruleloom.runtime.program.canonical_json import read_json
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program_json import program_of
from ruleloom.runtime.search.node import PlayNode
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.in_step import LuckInStep
from ruleloom.simulate.placing import Placer
from ruleloom.simulate.run_plan import RunPlan, SentProgram
from ruleloom.simulate.sightings import ContentNames, Sightings

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
