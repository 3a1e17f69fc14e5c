"""The interface of a bot, its random stream, its texts, and the bots without lookahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, count
from typing import Any, Protocol, TypeVar

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.machine.ask import is_new, own_words
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.program.expr import callees_of, reached
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.ir import Ask
from ruleloom.runtime.program.program import Choose, Modal, Program
from ruleloom.runtime.program.state import frames
from ruleloom.runtime.search.node import PlayNode, sampled
from ruleloom.runtime.search.options import keyed


class Bot(Protocol):
    """A player's bot. It may use only what its player can see."""

    def answer(self, node: PlayNode, player: int) -> Any:
        """The answer at `node`: an option, or a tuple of options for a set choice."""


def keys_for(node: PlayNode, value: Any, player: int) -> tuple[str, ...]:
    """The keys under which `player` is offered `value` (a tuple for a set) at `node`."""
    if node.writes:
        return ("" if value is None else value,)
    offered = node.secret_options(player) if node.secret else node.found
    key_of = {found: key for key, found in keyed(node, offered).items()}
    return tuple(key_of[one] for one in value) if node.takes_sets else (key_of[value],)


T = TypeVar("T")


class Luck:
    """A random stream, uniform; the same seed and seat give the same stream everywhere."""

    def __init__(self, seed: int, seat: int = 0) -> None:
        self.restart(seed, seat)

    def restart(self, seed: int, seat: int = 0) -> None:
        """Start the stream of another seed."""
        # An odd factor decorrelates neighbouring seeds and seats, and the game's own stream.
        self._state = Xoshiro.seeded((seed * 0x9E3779B97F4A7C15 + seat + 1) * 0xD1342543DE82EF95)

    def below(self, n: int) -> int:
        """A number from 0 to `n` - 1."""
        number, self._state = self._state.below(n)
        return number

    def pick(self, things: Sequence[T]) -> T:
        """One of the things, uniformly."""
        return things[self.below(len(things))]

    def shuffle(self, things: list[T]) -> None:
        """Shuffle a list in place, uniformly."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def sample(self, things: Sequence[T], size: int) -> tuple[T, ...]:
        """`size` of the things, in their original order."""
        places = list(range(len(things)))
        for place in range(size):
            other = place + self.below(len(places) - place)
            places[place], places[other] = places[other], places[place]
        return tuple(things[place] for place in sorted(places[:size]))


STORIES = frozenset(
    {
        *("account", "declaration", "deed", "description", "narration"),
        *("origin", "plan", "story", "tale", "words"),
    }
)
"""Names of prompts for sentences. One called `name` takes a name; any other takes a few words."""
SIGNED = "(bot)"


@cache
def _template() -> Any:
    # Imported late: most games ask for no texts, and Jinja takes longer to load than the bots.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("ruleloom.bots", ".")
    made = Environment(loader=loader, undefined=StrictUndefined, autoescape=False)
    return made.get_template("narration.j2")


def bot_text(node: PlayNode, below: Callable[[int], int]) -> Any:
    """A bot's text for a prompt, or an allowed option instead. `below(n)` is a number under n."""
    row = node.row
    assert isinstance(row, Ask)
    text = text_for(row.name, below)
    if SIGNED in text:
        # A name or short text must be unique; a duplicate gets a number.
        numbered = (text.replace(SIGNED, f"(bot, {number})") for number in count(2))
        text = next(one for one in chain((text,), numbered) if is_new(node.linked, node.state, one))
    return text if node.allows(text) else next(iter(node.answers()))


def text_for(called: str, below: Callable[[int], int]) -> str:
    """A text for a prompt of this name."""

    def pick(several: Sequence[str]) -> str:
        return several[below(len(several))]

    sort = "name" if called == "name" else "story" if called in STORIES else "short"
    text = _template().render(sort=sort, what=f"the {called.replace('_', ' ')}", pick=pick)
    return own_words(" ".join(text.split()))


MOST_TRIES = 24


class RandomBot:
    """The bot that picks uniformly; for a set choice, a size and then a set of that size."""

    def __init__(self, seed: int, seat: int) -> None:
        self.luck = Luck(seed, seat)

    def answer(self, node: PlayNode, player: int) -> Any:
        """The answer at `node`: an option, or a tuple for a set choice."""
        if node.secret:
            return self.luck.pick(node.secret_options(player))
        if node.writes:
            return bot_text(node, self.luck.below)
        if not node.takes_sets:
            return self.luck.pick(node.options)
        if node.orders:
            return sampled(node, self.luck.below)
        least, most = node.limits()
        for _ in range(MOST_TRIES):
            chosen = self.luck.sample(node.found, least + self.luck.below(most - least + 1))
            if node.allows(chosen):
                return chosen
        return next(iter(node.answers()))


SKIP = 1  # the second mode of an optional part skips it


class SteadyBot:
    """The stand-in that takes the default, else the first or lowest, and skips if it can."""

    def answer(self, node: PlayNode, player: int) -> Any:
        """The answer at `node`: an option, or a tuple for a set choice."""
        if node.secret:
            return node.secret_options(player)[0]
        if not node.writes and not node.takes_sets:
            return next(value for value in in_order(node) if node.allows(value))
        usual = node.default
        if usual is not None and node.allows(usual):
            return usual
        if node.takes_sets:
            return next(iter(node.answers()))  # small sets come first
        return None if node.allows(None) else bot_text(node, lambda _: 0)


def in_order(node: PlayNode) -> Sequence[Any]:
    """The options at a node, in the steady bot's order of preference."""
    row, found = node.row, list(node.found)
    if isinstance(row, Modal):
        return sorted(found, key=lambda mode: row.kind == "optional" and mode != SKIP)
    if node.default is not None and node.default in found:
        return [node.default, *found]
    if isinstance(row, Choose) and row.or_none:
        return [None, *found]
    return sorted(found) if isinstance(row, Choose) and row.type in ("Int", "Fraction") else found


class NotOnOffer(Refused):
    """A preset answer that is not on offer at its prompt."""


class PresetAnswer(Frozen):
    """One answer, given once in a game; `called` is its displayed name."""

    variable: str
    value: Any
    called: str

    def answers(self, node: PlayNode) -> bool:
        """Is this the prompt of the answer? Raises NotOnOffer if it is not allowed."""
        if node.over or node.chance or node.secret or node.takes_sets:
            return False
        row, (*_, outermost) = node.row, frames(node.stop.state.frame)
        in_set_up = outermost.routine == node.linked.set_up
        if not (isinstance(row, Choose) and row.name == self.variable and in_set_up):
            return False
        if not node.allows(self.value):
            reason = node.why_not(self.value)
            told = f"`{self.called}` is not on offer as {self.variable}"
            raise NotOnOffer(f"{told}: {reason}" if reason else told)
        return True


def asked_in_set_up(program: Program, variable: str) -> Choose | None:
    """The row of set-up, or of a callee, that asks for a variable of this name."""
    routines = {routine.id: routine for routine in program.routines}

    def used(id: str) -> Iterator[str]:
        return (one.name for one in callees_of(routines[id]) if one.kind == "routine")

    rows = (row for id in reached([program.set_up], used) for row in routines[id].rows)
    asking = (row for row in rows if isinstance(row, Choose) and row.count == "one")
    return next((row for row in asking if row.name == variable), None)
