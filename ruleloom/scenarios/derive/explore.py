"""Bounded exploration of an item's prompts on one table: each prompt, and each end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ruleloom.runtime.machine.free_text import SOME_TEXT
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Modal
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.call_stack import game_at
from ruleloom.scenarios.steps.answers import folded, name_of, offered

MOST_SIGHTS = 16
DEEP = 7
WAYS = 5
CHOICES = 2
LONG = 3  # more numbers in a row than this are written as a span


@dataclass(frozen=True, slots=True)
class WalkAnswer:
    """One answer: the prompt's name and kind, the answer as a case writes it, and its key."""

    name: str
    kind: str
    said: Any
    key: str


@dataclass(frozen=True, slots=True)
class Sight:
    """The prompt reached by some answers, or, with no name, the end."""

    path: tuple[WalkAnswer, ...]
    game: Game
    name: str = ""

    @property
    def offered(self) -> list[Any]:
        """The options as a case writes them, numbers in a row as a span."""
        numbers = [_plain(one) for one in offered(self.game)]
        whole = all(isinstance(one, int) for one in numbers)
        if whole and len(numbers) > LONG and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return [f"{numbers[0]} .. {numbers[-1]}"]
        return numbers

    @property
    def keys(self) -> list[str]:
        """The keys of the options."""
        return [one.key for one in self.game.prompt.options]


def walk(start: PlayNode, ended: Any, guide: Mapping[str, Any]) -> Iterator[Sight]:
    """The sights from here, nearest first; `ended` tells whether the item is done at a node."""
    waiting: list[tuple[Game, tuple[WalkAnswer, ...]]] = [(game_at(start), ())]
    seen = 0
    while waiting and seen < MOST_SIGHTS:
        game, path = waiting.pop(0)
        seen += 1
        if ended(game.node):
            yield Sight(path, game)
            continue
        prompt = game.prompt
        if prompt.kind == "secret":
            continue
        name = name_of(game.node)
        if prompt.kind not in ("roll", "draw"):
            yield Sight(path, game, name)
        if len(path) < DEEP:
            for said, chosen in _tried(game, guide.get(folded(name))):
                answer = WalkAnswer(name, prompt.kind, said, chosen[0] if chosen else "")
                with suppress(Refused, RuntimeFault):
                    waiting.append((game.answer(prompt.id, chosen), (*path, answer)))


def _tried(game: Game, meant: Any) -> Iterator[tuple[Any, Sequence[str]]]:
    """The answers to try: the guided one if it is on offer, else a few that differ."""
    prompt = game.prompt
    if prompt.kind == "roll":
        count, sides = game.node.dice
        sums = (meant,) if isinstance(meant, int) else (count * sides, count)
        yield from ((total, (str(total),)) for total in sums)
    elif prompt.kind == "optional":
        yield from (("yes", ("do",)), ("no", ("skip",)))
    elif prompt.kind == "text":  # which has no options: a text is its own key, and none is empty
        text = meant if isinstance(meant, str) else SOME_TEXT
        yield text, (text,)
        if not prompt.least:
            yield "none", ("",)
    else:
        labels = [_plain(label) for label in offered(game)]
        pairs = [(one, option.key) for one, option in zip(labels, prompt.options, strict=True)]
        least = max(1, prompt.least)
        if prompt.kind != "subset":
            few = WAYS if isinstance(game.node.row, Modal) else CHOICES
            yield from ((label, (key,)) for label, key in _some(pairs, meant, few))
        elif len(pairs) >= least <= prompt.most:
            yield labels[:least], tuple(key for _, key in pairs[:least])


def _some(pairs: list[tuple[Any, str]], meant: Any, few: int) -> list[tuple[Any, str]]:
    """The option that is meant; else the first few, and the last."""
    wanted = [one for one in pairs if meant is not None and folded(one[0]) == folded(meant)]
    return wanted[:1] or (pairs if len(pairs) <= few else [*pairs[: few - 1], pairs[-1]])


def _plain(label: str) -> Any:
    return int(label) if label.removeprefix("-").isdigit() else label
