"""The reason a step cannot be played: of all the ways tried, that of the one that fits best.

Ways that took up something the step does not mention, or guessed an answer, count least. Among the
others the one that answered most of the step's facts, in order, is the way that was meant; and a
rule's reason against the very thing named beats one that only says where the way ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import takewhile
from typing import Any

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.labels import fill, value_text
from ruleloom.runtime.program.program import Choose
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.notation import ScenarioStep

# How much a reason tells, from little to much.
BEFORE = 0  # something else is asked first
TOO_LATE = 1  # the turn is at its end
SILENT = 2  # the step does not say what is asked
BESIDE = 3  # a way that does not ask for what the step says is barred
NOT_ASKED = 4  # nobody asks for what the step says
CLOSED = 5  # the way to it is barred
NO_SUCH = 6  # what the step names is not among the things to choose from
BARRED = 7  # the rules say why it cannot be chosen

SHOWN = 12


@dataclass(frozen=True, slots=True)
class StepAttempt:
    """The progress of one way of playing a step."""

    used: frozenset[str] = frozenset()  # facts of the step that have been answered
    # Of facts that are answers in turn, those that are still to come.
    rest: Mapping[str, list[Any]] = field(default_factory=dict)
    entered: bool = False  # the step's power has begun
    real: bool = True  # not only followed to learn why it is barred
    guesses: int = 0  # answers that the step does not give, though nothing else could be chosen
    strayed: bool = False  # into something that the step does not speak of
    modes: tuple[tuple[str, str], ...] = ()  # the modes taken, each with its question
    named: int = 0  # how many of the modes the step named


@dataclass
class Reasons:
    """The reasons met so far for one step."""

    step: ScenarioStep
    best: str = "it is not on offer here"  # the one to tell
    _rank: tuple[int, ...] = field(default=())

    def add(self, way: StepAttempt, kind: int, reason: str) -> None:
        """Take in a reason; of two equally good ones the first is kept."""
        in_order = len(list(takewhile(way.used.__contains__, self.step.facts)))
        rank = (-way.strayed, -way.guesses, in_order, kind, len(way.used))
        if rank > self._rank:
            self._rank = rank
            self.best = reason

    def not_there(self, way: StepAttempt, node: PlayNode, row: Choose, wanted: Any) -> None:
        """What the step names is none of the things to choose from."""
        names = list(dict.fromkeys(text_of(node, row, value) for value in node.candidates()))
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        choice = f"the choice is from {', '.join(names[:SHOWN])}{more}"
        listed = choice if names else "there is nothing to choose from"
        self.add(way, NO_SUCH, f"{row.name} {answer_text(wanted)} is not on offer; {listed}")

    def wrong_number(self, way: StepAttempt, node: PlayNode, row: Choose, count: int) -> None:
        """The step names too many or too few."""
        least, most = node.limits()
        may = f"exactly {most} are chosen" if least == most else f"{least} to {most} may be chosen"
        self.add(way, BARRED, f"{count} were named, but {may}{_limit_words(node, row)}")


def text_of(node: PlayNode, row: Choose, value: Any) -> str:
    """A candidate as scenarios write it."""
    return value_text(node.linked, node.state.world, Type.parse(row.type), value)


def answer_text(wanted: Any) -> str:
    """An answer of a step in words; yes and no for the booleans of YAML."""
    return {True: "yes", False: "no"}[wanted] if isinstance(wanted, bool) else str(wanted)


def _limit_words(node: PlayNode, row: Choose) -> str:
    """The limit of a set choice, where the rules have a name for it."""
    if row.limit is None or row.limit[0] != "function":
        return ""
    linked, state, frame = node.linked, node.state, node.frame
    function = next(f for f in linked.program.functions if f.id == row.limit[1])
    args = tuple(
        linked.codegen.value(arg)(state.world, frame.slots, state.scope, frame.ignored)
        for arg in row.limit[2:]
    )
    words = fill(linked, function.english, (state.world, args, state.scope, frame.ignored))
    return f": {words}"
