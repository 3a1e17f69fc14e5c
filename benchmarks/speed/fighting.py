"""Whole fights between two in Moonstone, against the same fights in Python by hand.

Both sides roll the same dice in the same order and decide alike: nobody gives up EI, and everybody
strikes with their sword. What a fight ends with, and how everybody is left, is the same, or the
measurement stops.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.figures import Figure
from benchmarks.harness import collector_off
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.program import Modal
from ruleloom.runtime.search.node import PlayNode

PACK = """\
kind: pack
id: yard
version: 0.1.0
game: moonstone
edition: 1
title: The yard
requires: {moonstone: ">=0.1"}
"""
ACTION, DYING, DEAD = 5, -10, -25


@dataclass(frozen=True)
class Fighter:
    """Who fights: raw scores, points in swords, worn armour by id and what it protects, and the
    sword's dice."""

    strength: int
    endurance: int
    agility: int
    swords: int
    armour: tuple[str, int]
    sword: tuple[str, int, int]

    def item(self, name: str) -> str:
        """The same as an item."""
        start = f"Str: {self.strength}, End: {self.endurance}, Agl: {self.agility}"
        gear = f", gear: [{self.armour[0]}]" if self.armour[0] else ""
        return (
            f"- {{kind: character, id: {name}, title: {name}, text: x, start: {{{start}}}, "
            f"skills: {{swords: {self.swords}}}, weapons: [{self.sword[0]}]{gear}}}\n"
        )


LONG, SHORT = ("long-sword", 2, 10), ("short-sword", 2, 8)
BARE, LEATHER, MAIL = ("", 0), ("leather-coat", 6), ("mail", 12)
FIGHTERS = (
    Fighter(17, 12, 14, 4, LEATHER, LONG),
    Fighter(15, 14, 16, 3, BARE, LONG),
    Fighter(18, 13, 12, 5, MAIL, LONG),
    Fighter(16, 15, 13, 4, LEATHER, SHORT),
    Fighter(12, 12, 17, 5, BARE, SHORT),
    Fighter(19, 12, 12, 2, BARE, LONG),
)


class Result(NamedTuple):
    """How a fight ended: who is left standing (None: nobody), after which round, and the PI and EI
    of both."""

    left: int | None
    rounds: int
    levels: tuple[int, int, int, int]


# ---------------------------------------------------------------------------------- by hand


class Body:
    """A fighter in a fight by hand."""

    __slots__ = (
        "agile",
        "dead",
        "dying_since",
        "ei",
        "extra",
        "fighter",
        "fine",
        "initiative",
        "most",
        "pi",
        "pr",
    )

    def __init__(self, fighter: Fighter) -> None:
        self.fighter = fighter
        self.most = self.pi = self.ei = 40 + 5 * fighter.endurance
        self.agile = max(0, fighter.agility - 15)
        self.pr = 5 * self.agile + fighter.armour[1]
        self.extra = max(0, fighter.strength - 15)
        self.fine = fighter.agility + 3 * fighter.swords
        self.initiative = 0
        self.dead = False
        self.dying_since = -1

    @property
    def able(self) -> bool:
        return not self.dead and self.pi > 0 and self.ei > 0

    @property
    def tired(self) -> bool:
        return 4 * self.ei <= self.most

    def fall(self, before: int, now: int) -> None:
        """What it means that PI went from one number to another."""
        if self.pi <= 0 and self.pi < before and not self.dead:
            if self.pi <= DEAD:
                self.dead, self.dying_since = True, -1
            elif self.pi < DYING and self.dying_since < 0:
                self.dying_since = now


def by_hand(one: Fighter, other: Fighter, dice: Xoshiro) -> Result:
    """The whole fight, round by round."""
    both = (Body(one), Body(other))
    now = 0
    while True:
        now += 1
        for body in both:
            if body.able:
                rolled, dice = dice.roll(1, 12)
                body.initiative = rolled + body.agile - (2 if body.tired else 0)
            else:
                body.initiative = 0
        first, dice = in_order(both, dice)
        for body in (both[first], both[1 - first]):
            foe = both[1] if body is both[0] else both[0]
            if body.able and not foe.dead:
                dice = blow(body, foe, now, dice)
        for body in both:
            if 0 <= body.dying_since < now and not body.dead:
                body.pi -= 1
                body.dead = body.pi <= DEAD
        if not (both[0].able and both[1].able):
            left = 0 if both[0].able else 1 if both[1].able else None
            return Result(left, now, (both[0].pi, both[0].ei, both[1].pi, both[1].ei))


def in_order(both: tuple[Body, Body], dice: Xoshiro) -> tuple[int, Xoshiro]:
    """Who comes first: by initiative, Init, Agl, and a roll."""
    keys = [(x.initiative, x.agile - (2 if x.tired else 0), x.fighter.agility) for x in both]
    if keys[0] != keys[1]:
        return int(keys[1] > keys[0]), dice
    while True:
        mine, dice = dice.roll(1, 12)
        yours, dice = dice.roll(1, 12)
        if mine != yours:
            return int(yours > mine), dice


def blow(body: Body, foe: Body, now: int, dice: Xoshiro) -> Xoshiro:
    """One strikes the other, and pays for it."""
    attack, dice = dice.roll(1, 20)
    attack += body.fine - body.tired
    hit = True
    if foe.able:
        defence, dice = dice.roll(1, 20)
        hit = foe.fine - foe.tired + defence < attack
    if hit:
        harm, dice = dice.roll(*body.fighter.sword[1:])
        if body.extra:
            more, dice = dice.roll(body.extra, 20)
            harm += more
        # What agility gives is gone once there is no dodging.
        protected = foe.pr if foe.pi > 0 else foe.pr - 5 * foe.agile
        lost, before = max(0, harm - protected), foe.pi
        foe.pi -= lost
        foe.ei -= lost
        foe.fall(before, now)
    before, below = body.pi, max(0, -10 - body.ei)
    body.ei -= ACTION
    body.pi -= max(0, -10 - body.ei) - below
    body.fall(before, now)
    return dice


# ---------------------------------------------------------------------------------- by the machine


def yard() -> Linked:
    """The fighters, and a scene for each two of them, linked for one player who plays all."""
    people = "".join(fighter.item(f"f{number}") for number, fighter in enumerate(FIGHTERS))
    scenes = "".join(
        f"- {{kind: scene, id: s{a}{b}, title: s, text: x, cast: {{f{a}: 1, f{b}: 2}}}}\n"
        for a, b in pairs()
    )
    with TemporaryDirectory() as name:
        (Path(name) / "pack.yaml").write_text(PACK, encoding="utf-8")
        (Path(name) / "items.yaml").write_text(people + scenes, encoding="utf-8")
        result = compile_paths([name], reasons=False, scenarios=False)
    assert result.program is not None, [str(found) for found in result.diagnostics[:3]]
    return link_game(result.program, driver_of("moonstone"), ["A"])


def pairs() -> Iterator[tuple[int, int]]:
    """Every two fighters."""
    return ((a, b) for a in range(len(FIGHTERS)) for b in range(a + 1, len(FIGHTERS)))


def decide(node: PlayNode) -> Any:
    """The first way of what is done; what is usual; else the first on offer."""
    if not isinstance(node.row, Modal):
        default = node.default
        if default is not None:
            return default
    return node.found[0]


class Fought(NamedTuple):
    """A fight by the machine: its result, and how many prompts were answered."""

    result: Result
    prompts: int


def by_machine(linked: Linked, scene: int, pair: tuple[int, int], seed: int) -> Fought:
    """The whole fight, as a bot plays it."""
    game = new_game(linked, seed)
    node, dice, prompts = game.node.after(scene, None, game.random), game.random, 1
    while not node.over:
        dice = node.stop.dice or dice
        node = node.after(decide(node), None, dice)
        prompts += 1
    index, world = linked.layout.index, node.state.world
    able = [
        who for who in pair if min(world[index[f"Character.{x}"]][who] for x in ("pi", "ei")) > 0
    ]
    left = pair.index(able[0]) if able else None
    levels = tuple(
        world[index[f"Character.{level}"]][who] for who in pair for level in ("pi", "ei")
    )
    return Fought(Result(left, node.state.scope[linked.scope_index["round"]], levels), prompts)


def figures(keys: Collection[str], fights: int = 60, rounds: int = 5) -> Iterator[Figure]:
    """Fights a second, every pair in turn."""
    linked, matches = yard(), list(pairs())
    assert linked.layout.names["Scene"] == tuple(f"s{a}{b}" for a, b in matches)
    ours, theirs = [], []
    for number in range(rounds):
        jobs = [
            (n % len(matches), matches[n % len(matches)], number * fights + n)
            for n in range(fights)
        ]
        with collector_off():
            begun = time.process_time()
            fought = [by_machine(linked, *job) for job in jobs]
            between = time.process_time()
            known = [
                by_hand(FIGHTERS[a], FIGHTERS[b], Xoshiro.seeded(seed)) for _, (a, b), seed in jobs
            ]
            ended = time.process_time()
        assert [one.result for one in fought] == known
        ours.append(fights / (between - begun))
        theirs.append(fights / (ended - between))
    prompts = sum(one.prompts for one in fought) / fights
    rounds_each = sum(one.result.rounds for one in fought) / fights
    note = f"{rounds_each:.1f} rounds, {prompts:.0f} prompts each"
    yield Figure("fights", median(ours), median(theirs), rounds, note=note)
