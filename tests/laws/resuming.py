"""The laws of saves and of undo, held against one random game.

Each function plays the game of a table to a random place in mid-effect and returns what is wrong
there, in words, and whether it came to such a place at all.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple, Protocol

from ruleloom.bots.bot import keys_for
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import Game, prompt_id
from ruleloom.runtime.play.game import moments as replayed
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.state import state_hash
from tests.laws.gnostica.strategies import RandomPlayer

SHALLOW, LATE = 3, 150
AFTERWARDS = 25
BARRIERS = ("drawn", "picked", "rolled", "revealed")


class Playable(Protocol):
    """One game to be."""

    def game(self) -> Game:
        """The game at a prompt."""

    def player(self) -> RandomPlayer:
        """Who answers."""


class Played(NamedTuple):
    """One answer given by key: the game before and after it, and who answered."""

    before: Game
    after: Game
    player: int


def played(game: Game, players: RandomPlayer) -> Iterator[Played]:
    """Play on through prompts and keys, as a table would, to the end."""
    while not game.over:
        player = game.node.stop.who[0]
        value = players.answer(game.node, player)
        keys = keys_for(game.node, value, player)
        after = game.answer(prompt_id(game, player), keys)
        yield Played(game, after, player)
        game = after


def in_mid_effect(game: Game) -> bool:
    """Is a power going on inside another, so that its frames must be kept?"""
    return not game.over and not game.node.secret and game.node.frame.depth >= SHALLOW - 1


def _to_mid_effect(
    of: Playable, source: random.Random, wanted: Callable[[Game], bool]
) -> list[Played]:
    """The answers up to a random place in mid-effect; empty if the game never comes to one."""
    least = source.randint(1, LATE)
    path: list[Played] = []
    best: list[Played] = []
    for answer in played(of.game(), of.player()):
        path.append(answer)
        if wanted(answer.after):
            best = list(path) if len(path) < least else best
            if len(path) >= least:
                return path
        if len(path) > least + LATE:
            break
    return best


class Kept(NamedTuple):
    """What the laws of saves and of undo found in one game: what is wrong, and how much of each
    they could try."""

    wrong: list[str]
    saved: int
    undone: int
    prompts: int

    @property
    def counts(self) -> dict[str, int]:
        """How much was tried."""
        return {"saved": self.saved, "undone": self.undone, "prompts saved": self.prompts}

    @staticmethod
    def line(counts: Mapping[str, int]) -> str:
        """The same in words, of one game or of many."""
        return (
            f"{counts['saved']:,} saved and resumed in mid-effect, {counts['undone']:,} undone to a barrier, "
            f"{counts['prompts saved']:,} prompts saved and undone one by one"
        )


def kept(of: Playable, seed: int, most: int) -> Kept:
    """One game held against all these laws: at a random place in mid-effect, and at each of its
    first prompts."""
    source = random.Random(seed)
    try:
        first, saved = resume_law(of, source)
        second, undone = undo_law(of, source)
        third, prompts = every_prompt_law(of, most)
    except Exception:
        return Kept([f"{of}: {traceback.format_exc()}"], 0, 0, 0)
    return Kept(
        [f"{of}: {fault}" for fault in first + second + third], int(saved), int(undone), prompts
    )


# ---------------------------------------------------------------------------------- saves


def resume_law(of: Playable, source: random.Random) -> tuple[list[str], bool]:
    """A game saved in mid-effect and loaded is the same game, and plays on the same."""
    path = _to_mid_effect(of, source, in_mid_effect)
    if not path:
        return [], False
    game = path[-1].after
    found = loaded("\n".join(saved_lines(game)) + "\n", driver_of)
    again = found.game
    wrong = [f"{what} differ after loading" for what in differences(game, again)]
    told = [*path[0].before.events, *(event for answer in path for event in answer.after.events)]
    if list(found.events) != told:
        wrong.append("other events are told after loading")
    seed = source.getrandbits(32)
    one, other = (played(g, of.player().anew(seed)) for g in (game, again))
    for number, (here, there) in enumerate(zip(one, other, strict=False), 1):
        if state_hash(here.after.state) != state_hash(there.after.state):
            wrong.append(f"the states part {number} answers after loading")
            break
        if number >= AFTERWARDS:
            break
    return wrong, True


def differences(game: Game, again: Game) -> list[str]:
    """In what two games differ that should be the same one."""
    both = {
        "the hashes of the states": (state_hash(game.state), state_hash(again.state)),
        "the states": (game.state, again.state),
        "the prompts": (game.prompts, again.prompts),
        "the refusals": (game.refusals, again.refusals),
        "the journals": (game.entries, again.entries),
        "the dice": (game.random, again.random),
        "the moments to go back to": (
            [state_hash(g.state) for g in game.past],
            [state_hash(g.state) for g in again.past],
        ),
    }
    return [what for what, (one, other) in both.items() if one != other]


# ---------------------------------------------------------------------------------- undo


def undo_law(of: Playable, source: random.Random) -> tuple[list[str], bool]:
    """Undo goes back to the last barrier, no further, and what is answered again leads to the same
    place."""
    path = _to_mid_effect(of, source, lambda game: in_mid_effect(game) and bool(game.past))
    if not path:
        return [], False
    game = path[-1].after
    back = list(_undone(game))
    start = back[-1]
    wrong = _same_as_played(path, back) + _as_far_as_it_may(path, start)
    again = start
    for answer in path:
        if answer.before.serial >= start.serial:
            keys = next(e.keys for e in game.entries if e.serial == answer.before.serial)
            again = again.answer(prompt_id(again, answer.player), keys)
    wrong += [f"{what} differ when answered again" for what in differences(game, again)]
    other = start
    for number, answer in enumerate(played(start, of.player().anew(source.getrandbits(32)))):
        other = answer.after
        if number >= AFTERWARDS:
            break
    if list(replayed(other))[-1].after.state != other.state:
        wrong.append("played on another way after undo, the journal does not lead to the state")
    return wrong, True


def _undone(game: Game) -> Iterator[Game]:
    """The game after each undo, until it is refused."""
    while True:
        try:
            game = game.undo()
        except Refused:
            return
        yield game


def _same_as_played(path: list[Played], back: list[Game]) -> list[str]:
    """Every moment undo leads to is the one that was played."""
    serials = {game.serial for game in back}
    wanted = (answer.before for answer in path if answer.before.serial in serials)
    hashes = {game.serial: state_hash(game.state) for game in wanted}
    return [
        f"undo leads to another state than answer {game.serial} began with"
        for game in back
        if hashes.get(game.serial) != state_hash(game.state)
    ]


def _as_far_as_it_may(path: list[Played], start: Game) -> list[str]:
    """No barrier is crossed, and none less: the answer before the first moment was a barrier."""
    wrong = []
    for answer in path:
        barrier = is_barrier(answer)
        if answer.before.serial >= start.serial and barrier:
            wrong.append(f"undo crosses answer {answer.before.serial}: {barrier}")
        if answer.after.serial == start.serial and not barrier:
            wrong.append(f"undo stops at answer {answer.before.serial}, which is no barrier")
    return wrong


# ---------------------------------------------------------------------------------- at every prompt


def every_prompt_law(of: Playable, most: int) -> tuple[list[str], int]:
    """At each prompt of a game, up to so many, undo and a save lead where they should; and how many
    prompts there were.

    A save is what was set up, the answers, and a hash of where they lead. Its answers are gone
    through one by one as loading does, so that each prompt is held against a save that was made
    there.
    """
    path = list(islice(played(of.game(), of.player()), most))
    if not path:
        return [], 0
    wrong = [fault for answer in path for fault in _undone_by_one(answer)]
    game = loaded("\n".join(saved_lines(path[-1].after)) + "\n", driver_of).game
    known = {moment.after.serial: moment.after for moment in replayed(game)}
    entries = game.entries
    for answer in path:
        now, again = answer.after, known.get(answer.after.serial)
        if again is None or again.state != now.state or again.prompts != now.prompts:
            wrong.append(f"a save after {now.serial} answers leads to another prompt")
        if now.entries != entries[: len(now.entries)]:
            wrong.append(f"a save after {now.serial} answers has other answers in it")
    return wrong, len(path)


def _undone_by_one(answer: Played) -> list[str]:
    """An answer can be taken back exactly if it was no barrier, and that leads to where it was
    given."""
    barrier, past = is_barrier(answer), answer.after.past
    if bool(past) == bool(barrier):
        return [
            f"answer {answer.before.serial} can{'' if past else 'not'} be undone: {barrier or 'no barrier'}"
        ]
    if past and state_hash(answer.after.undo().state) != state_hash(answer.before.state):
        return [f"undo of answer {answer.before.serial} leads elsewhere"]
    return []


def is_barrier(answer: Played) -> str:
    """Why an answer cannot be taken back, told apart from how the machine tells it; empty if it
    can."""
    for event in answer.after.events:
        if event.kind in BARRIERS and not (event.kind == "rolled" and event.args[0] == 0):
            return event.kind
        if event.kind == "operation" and answer.after.linked.operations[event.name].info.reveals:
            return f"{event.name} shows something"
    if answer.before.node.secret:
        return "a secret answer"
    if answer.after.over:
        return "the end of the game"
    if set(answer.after.node.stop.who) != {answer.player}:
        return "somebody else is asked"
    return ""
