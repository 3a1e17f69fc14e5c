"""Who answers in a session of Witchgates that nobody attends.

Some answer at random, some take what is usual, and the keen do what brings much about: they cast
spells, help each other with aspects, hurt and heal. The mixed do each of these now and then.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ruleloom.bots.bot import SteadyBot, bot_text
from ruleloom.runtime.program.program import Choose, Modal
from ruleloom.runtime.search.node import PlayNode, sampled
from tests.laws.gnostica.strategies import RandomPlayer

Policy = Callable[[PlayNode, int, random.Random], Any]
# How the keen weigh what is on offer, by the power that asks: the label of a way, the name of a
# thing. All else is 1.
LIKES: Mapping[str, Mapping[str, float]] = {
    "what_happens": {
        "somebody acts": 12, "something happens to somebody": 4, "an NPC acts": 6, "an NPC leaves": 0.3,
        "an NPC rolls": 0.7, "an aspect is removed": 0.3, "somebody is hurt": 1.5, "downtime": 3,
        "hours pass": 0.4, "gear and money": 4, "a clock moves": 2,
    },
    "declare": {"act": 3, "use magic": 6, "reach for something": 2, "wait": 0.2},
    "work_magic": {
        "cast a spell": 6, "trigger a waiting spell": 20, "use mage sight": 2, "take back an enchantment": 0.6,
        "end a spell": 0.3,
    },
    "cast_spell": {"f3": 6, "f5": 12, "f6": 2},
    "say_what_for": {"the caster": 3, "somebody": 3, "an NPC": 5},
    "arrange": {
        "put something in": 3, "take something out": 0.5, "roll for it": 3, "cast it": 8,
        "drop the spell": 0.05, "anchored": 6, "duration-scene": 5, "duration-day": 5, "delayed": 4,
        "target-few": 2, "selective": 2, "rewind": 5, "binding": 5,
    },
    "put_component": {"yes": 4},
    "bring_about": {"what was intended": 0.3},
    "suffer_damage": {"for less damage": 3, "for milder damage": 3},
    "take_time": {
        "a rest": 4, "free hours": 3, "armor repair": 5, "somebody comes back": 4,
        "more treatment": 3,
    },
    "free_time": {"pursue the vocation": 5},
    "resist_consequence": {"yes": 2},
    "resist_damage": {"yes": 2},
    "flash_back": {"yes": 2},
    "brace_with_mana": {"yes": 4},
    "spend_experience": {"done": 0.3, "learn magic": 2},
    "buy_trait": {"an ability": 5, "a merit": 0.5},
    "bind": {"none": 0.2},
    "buy_magic": {"a lower splice": 6},
    "mend_by_spell": {"yes": 2},
    "see_auras": {"yes": 2},
    "captivate": {"lost": 0.5},
    "end_session": {"0": 0.2, "8": 3, "9": 3, "10": 6},
    "learn_from_failure": {"mark a circle": 3},
    "learn_from_failed_spell": {"mark a circle": 3},
}  # fmt: skip
USUAL, LEFT_OUT = 0.6, 0.5
AMOUNTS = frozenset({"much", "strain", "low_one", "high_one", "days", "extra_damage"})
"""Numbers of which the keen take small ones, so that people live."""


def called(node: PlayNode, value: Any) -> str:
    """What an option is called: a way by its label, an entity by its name, yes and no, a word of an
    enum."""
    row = node.row
    if isinstance(row, Modal):
        return row.modes[value].label if value < len(row.modes) else "left out"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    names = node.linked.layout.names.get(getattr(row, "type", "").rstrip("?"), ())
    return str(names[value]) if isinstance(value, int) and value < len(names) else str(value)


def asks(node: PlayNode) -> str:
    """The power that asks."""
    return node.routine.id.rpartition("/")[2]


def at_random(node: PlayNode, player: int, source: random.Random) -> Any:
    """Anything with something on offer."""
    return bot_text(node, source.randrange) if node.writes else sampled(node, source.randrange)


def steady(node: PlayNode, player: int, source: random.Random) -> Any:
    """What is usual."""
    return SteadyBot().answer(node, player)


def keen(node: PlayNode, player: int, source: random.Random) -> Any:
    """What brings much about."""
    if node.writes or node.takes_sets:
        return at_random(node, player, source)
    row, likes = node.row, LIKES.get(asks(node), {})
    if isinstance(row, Choose):
        if row.name in AMOUNTS and not likes and source.random() < USUAL:
            return weighted(node, [1 / (1 + abs(value)) ** 2 for value in node.found], source)
        if (
            not likes
            and node.default is not None
            and source.random() < USUAL
            and node.allows(node.default)
        ):
            return node.default
        if row.or_none and source.random() < LEFT_OUT and node.allows(None):
            return None
    weights = [likes.get(called(node, one), 1.0) * lean(node, one) for one in node.found]
    if getattr(row, "name", "") == "unwanted":
        weights = [1 / weight for weight in weights]
    return weighted(node, weights, source)


def lean(node: PlayNode, value: Any) -> float:
    """Of components, what an arcana teaches is wanted more than steps of size or range."""
    if getattr(node.row, "name", "") not in ("piece", "unwanted") or value is None:
        return 1.0
    return 1.0 if dict(node.linked.entities["Component"].static)["arcana"][value] is None else 4.0


def weighted(node: PlayNode, weights: Sequence[float], source: random.Random) -> Any:
    """One of the answers on offer, by its weight. Only what is picked is looked ahead of."""
    left = dict(enumerate(node.found))
    while left:
        place = source.choices(list(left), [weights[number] for number in left])[0]
        if node.allows(left[place]):
            return left[place]
        del left[place]
    return next(iter(node.answers()))


def mixed(node: PlayNode, player: int, source: random.Random) -> Any:
    """One or the other."""
    return source.choice((keen, keen, steady, at_random))(node, player, source)


STYLES: Mapping[str, Policy] = {"random": at_random, "steady": steady, "keen": keen, "mixed": mixed}


class Everybody(RandomPlayer):
    """One source of answers for all seats, each of which has its style. The GM begins with the
    scene of the session."""

    def __init__(self, seed: int, scene: int, styles: tuple[str, ...]) -> None:
        super().__init__(seed)
        self.scene, self.styles = scene, styles

    def anew(self, seed: int) -> Everybody:
        """The same people with other chance."""
        return Everybody(seed, self.scene, self.styles)

    def answer(self, node: PlayNode, player: int | None = None) -> Any:
        """The value to answer with."""
        assert player is not None
        if asks(node) == "set_up":
            return self.scene
        return STYLES[self.styles[player]](node, player, self.source)
