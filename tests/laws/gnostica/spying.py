"""Pairs of games that differ only in what one player, the spy, cannot see.

A game is played at random and kept as its journal. Two cards that the spy does not see for long are
picked, and the journal is played again with the two exchanged wherever they come up, at draws as in
answers. Until one of them comes to light for the spy, everything that the spy is shown must be the
same, byte for byte.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import Game, JournalEntry, new_game, prompt_id, read_in
from ruleloom.runtime.play.view import view
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.values import World
from tests.laws.gnostica.strategies import Table
from tests.laws.resuming import played

OPEN = ("discard_pile", "aside")
NEVER = 1_000_000


class Pair(NamedTuple):
    """Two cards, whom they are hidden from, and the number of answers for which they are."""

    spy: int
    one: int
    other: int
    hidden: int


@dataclass(frozen=True)
class Record:
    """A game played once: its answers, the world after each, and where each card lay."""

    linked: Linked
    entries: tuple[JournalEntry, ...]
    worlds: tuple[World, ...]

    def holder(self, card: int, at: int) -> int | None:
        """Whose hand a card is in after so many answers; -1 for the draw pile, None where all see
        it."""
        index, world = self.linked.layout.index, self.worlds[at]
        if card in world[index["draw_pile"]]:
            return -1
        return next((p for p, hand in enumerate(world[index["hand"]]) if card in hand), None)

    def comes_to_light(self, card: int, spy: int) -> int:
        """The number of answers after which `spy` sees the card for the first time."""
        return next(
            (at for at in range(len(self.worlds)) if self.holder(card, at) in (spy, None)),
            len(self.worlds),
        )


def visible(linked: Linked, world: World, spy: int) -> set[int]:
    """The cards that the spy sees."""
    index = linked.layout.index
    seen = {card for zone in OPEN for card in world[index[zone]]}
    return seen | set(world[index["board"]].values()) | set(world[index["hand"]][spy])


def record(of: Table, answers: int) -> Record:
    """Play a game at random, its draws included, for so many answers of people."""
    game = of.game()
    for number, answer in enumerate(played(game, of.player())):
        game = answer.after
        if number >= answers:
            break
    entries = tuple(game.entries)
    again = new_game(of.linked)
    worlds = [again.state.world]
    for entry in entries:
        again = again.answer(prompt_id(again, entry.player), entry.keys)
        worlds.append(again.state.world)
    return Record(of.linked, entries, tuple(worlds))


def pairs(found: Record, source: random.Random, count: int) -> Iterator[Pair]:
    """Pairs that stay hidden for long and at some time lie in different places."""
    spies = list(range(len(found.linked.layout.players)))
    cards = range(found.linked.layout.sizes["Card"])
    for _ in range(count):
        spy = source.choice(spies)
        late = sorted(cards, key=lambda card: -found.comes_to_light(card, spy))[:24]
        held = [
            card
            for card in late
            if any(found.holder(card, at) != -1 for at in range(found.comes_to_light(card, spy)))
        ]
        if not held:
            continue
        one = source.choice(held)
        other = source.choice([card for card in late if card != one])
        hidden = min(found.comes_to_light(card, spy) for card in (one, other))
        if any(found.holder(one, at) != found.holder(other, at) for at in range(hidden)):
            yield Pair(spy, one, other, hidden)


class Shown(NamedTuple):
    """What the spy is shown at one moment, as text."""

    view: str
    refusals: str


def shown(game: Game, spy: int) -> Shown:
    """Everything the spy may read now: the view with prompts and log, and why what is not on offer
    is not."""
    mine = not game.over and spy in game.node.stop.who and not game.node.chance
    refused = [tuple(map(str, (r.key, r.label, r.reason))) for r in game.refusals] if mine else []
    return Shown(json.dumps(view(game, spy), sort_keys=True), json.dumps(refused))


@dataclass
class Watched:
    """What came of one pair: faults, how many moments were compared, how often the spy was
    asked."""

    wrong: list[str]
    moments: int = 0
    asked: int = 0
    told_apart: int = 0


def watch(found: Record, pair: Pair, language: Language = ENGLISH) -> Watched:
    """Play a pair side by side and compare what the spy is shown, in a language, after each answer."""
    names = found.linked.layout.names["Card"]
    swapped = {names[pair.one]: names[pair.other], names[pair.other]: names[pair.one]}
    what = f"{names[pair.one]} and {names[pair.other]} before player {pair.spy}"
    one = other = new_game(found.linked)
    seen = Watched([])
    for number, entry in enumerate(found.entries[: max(0, pair.hidden - 1)], 1):
        keys = tuple(swapped.get(key, key) for key in entry.keys)
        one = one.answer(prompt_id(one, entry.player), entry.keys)
        try:
            other = other.answer(prompt_id(other, entry.player), keys)
        except Refused as refused:
            seen.wrong.append(
                f"{what}: answer {number} {keys} is not on offer in the other game: {refused}"
            )
            return seen
        seen.moments += 1
        seen.asked += pair.spy in one.node.stop.who
        seen.told_apart += one.state.world != other.state.world
        here, there = (shown(read_in(game, language), pair.spy) for game in (one, other))
        if here != there:
            seen.wrong.append(
                f"{what}, after answer {number} {entry}: {_first_difference(here, there)}"
            )
            return seen
    return seen


def _first_difference(here: Shown, there: Shown) -> str:
    for name, one, other in zip(Shown._fields, here, there, strict=True):
        if one != other:
            at = next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
            return (
                f"{name}: ...{one[max(0, at - 80) : at + 80]}... / "
                f"...{other[max(0, at - 80) : at + 80]}..."
            )
    return "?"


# ---------------------------------------------------------------------------------- names


def texts(data: Any) -> Iterator[str]:
    """Every text in plain data, keys of tables included."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from texts(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from texts(item)


def named(linked: Linked, data: Any) -> set[int]:
    """The cards that plain data names, by name or by title, as a text of its own."""
    names, titles = linked.layout.names["Card"], linked.layout.titles["Card"]
    numbers = {**{t: i for i, t in enumerate(titles)}, **{n: i for i, n in enumerate(names)}}
    return {numbers[text] for text in texts(data) if text in numbers}


__all__ = [
    "JournalEntry",
    "Pair",
    "Record",
    "Watched",
    "named",
    "pairs",
    "record",
    "shown",
    "visible",
    "watch",
]
