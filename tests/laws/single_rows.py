"""Plays the same in basic blocks and in single rows.

    python -m tests.laws.single_rows --programs 100000 --games 500

Random programs, and random games of every shipped game, with dice and with chance that people
tell. At every point of play both must have the same state, events, options and answers of chance,
or the same fault. Prints what was seen; ends with 1 if anything differed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, zip_longest

from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.codegen import BasicBlock, BasicBlocks, Codegen
from ruleloom.runtime.link.link import Linked, LinkedRoutine, LinkedRoutines
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.link.watched import RAN, Found, watched
from ruleloom.runtime.machine.registers import Run, Suspension
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Program, Routine
from ruleloom.runtime.program.values import Bind, Dynamic
from ruleloom.runtime.search.node import PlayNode, sampled
from tests.conftest import ROOT
from tests.laws.small.small_pools import small_pool
from tests.laws.small.small_programs import small_program
from tests.support.evening import PROGRAM, bind

EXAMPLES = ROOT / "rulesets" / "examples"
GAMES: Mapping[str, str] = {
    "gnostica": "gnostica",
    "monotheism": "monotheism",
    "moonstone": str(EXAMPLES / "salt-and-lanterns"),
    "witchgates": str(EXAMPLES / "wet-ink"),
}
MOST_OPTIONS = 30

Both = tuple[Linked, Linked]


def both_of(program: Program, driver: Bind, players: str) -> Both:
    """A program made ready for basic blocks, and for single rows."""
    linked, other = (link_game(program, driver, players) for _ in range(2))
    other = watched(other, Found())
    other.routines = SingleRoutines(program, other.codegen)
    return linked, other


class SingleRoutines(LinkedRoutines):
    """Routines whose rows run one by one."""

    def __missing__(self, number: int) -> LinkedRoutine:
        blocks = SingleRows(self.program.routines[number], self.codegen)
        found = self[number] = replace(super().__missing__(number), blocks=blocks)
        return found


class SingleRows(BasicBlocks):
    """Blocks of a single row each."""

    __slots__ = ()

    def __init__(self, routine: Routine, codegen: Codegen) -> None:
        super().__init__(routine, codegen)
        self._joins = frozenset(range(len(routine.rows)))

    def __missing__(self, start: int) -> BasicBlock | None:
        block = super().__missing__(start)
        if block is None:
            return None

        def run(r: Run, *rest: object) -> int:
            to = block(r, *rest)
            r.steps -= to > start  # as if it stood in a longer block
            return to

        self[start] = run
        return run

    def row_of(self, start: int, error: BaseException) -> int:
        """The row at which the block that begins with row `start` failed."""
        return self._made[start][0] if start in self._made else start


def random_program(seed: int) -> Program:
    """A small program, one in two with pools of dice; every tenth is the evening."""
    if seed % 10 == 0:
        return PROGRAM
    return (small_pool if seed % 2 else small_program)(seed, 1 + seed % 7)


def game_of(name: str) -> Both:
    """A shipped game, with a campaign where it needs one."""
    program = compile_paths([GAMES[name]], scenarios=False).program
    assert program is not None
    return both_of(program, driver_of(name), "AB")


def points(linked: Linked, seed: int, answers: int) -> Iterator[tuple[object, ...]]:
    """What there is to every point of one random game, the same game for the same seed."""
    source = random.Random(seed)
    try:
        begun = new_game(linked, seed if source.random() < 0.7 else None)
        node, dice = begun.node, begun.random
        for _ in range(answers):
            dice = node.stop.dice or dice
            yield (*told(node.stop), offered(node))
            if node.over:
                return
            if node.secret:
                player = source.choice(node.stop.who)
                value = source.choice(node.secret_options(player))
                node = node.after(value, player, dice)
            else:
                node = node.after(answer_of(node, source), None, dice)
    except RuntimeFault as fault:
        yield "fault", type(fault), str(fault), fault.origin


def told(stop: Suspension) -> Suspension:
    """A stop without what only a watched game tells."""
    events = [event for event in stop.events if event.kind != RAN]
    return stop._replace(
        events=tuple(events), marks=tuple(one._replace(told=0) for one in stop.marks)
    )


def offered(node: PlayNode) -> tuple[Dynamic, ...]:
    """What look-ahead leaves of the first options."""
    if node.over or node.secret:
        return ()
    return tuple(islice(node.answers(), MOST_OPTIONS))


def answer_of(node: PlayNode, source: random.Random) -> Dynamic:
    """One of the answers, or of what chance may bring."""
    if node.chance:
        return node.options[source.randrange(len(node.options))]
    return sampled(node, source.randrange)


def difference(both: Both, seed: int, answers: int) -> tuple[int, str]:
    """How many points of play were alike, and what is not; empty if nothing."""
    alike = 0
    for one, other in zip_longest(*(points(linked, seed, answers) for linked in both)):
        if one != other:
            return alike, f"seed {seed}, point {alike}:\n  {one}\n  {other}"
        alike += 1
    return alike, ""


def main() -> int:
    """Play, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.single_rows", description=__doc__)
    parser.add_argument("--programs", type=int, default=1_000)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the first seed, for runs in parts")
    parser.add_argument("--answers", type=int, default=300, help="the most of one game")
    options = parser.parse_args()
    alike: Counter[str] = Counter()
    wrong, start = [], time.process_time()
    for seed in range(options.first, options.first + options.programs):
        same, told = difference(both_of(random_program(seed), bind, "AB"), seed, 40)
        alike["random programs"] += same
        wrong += [told] if told else []
    for name in GAMES if options.games else ():
        both = game_of(name)
        for seed in range(options.first, options.first + options.games):
            same, told = difference(both, seed, options.answers)
            alike[name] += same
            wrong += [told] if told else []
    for name, many in alike.items():
        print(f"{name}: {many:,} points of play alike")
    print(f"{time.process_time() - start:,.0f} seconds", f"{len(wrong)} differences", sep="\n")
    print(*wrong[:10], sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
