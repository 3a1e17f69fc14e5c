"""The deciders of the order of answers to one event, and the routines in which they are asked.

In go answers that do not commute; out comes one trigger in their place, whose routine asks which
comes first, runs that, and asks again until none is left. For replacements it asks once: what the
chosen one leaves to be done is an event of its own, at which those that are left are asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from ruleloom.compiler.check.expect import judge, wanted
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.flow.cost import Call, Cost, Flat
from ruleloom.compiler.flow.cost import Sequence as Steps
from ruleloom.compiler.flow.flow import unnamed
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.routines import NO_BOUNDS, Checked
from ruleloom.compiler.lower.triggers import ANY_ROLL
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import ParamSymbol
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.calls import Callee
from ruleloom.runtime.program.expr import ONE, ZERO, walk
from ruleloom.runtime.program.program import Expr, Origin
from ruleloom.runtime.program.values import BOOL, PLAYER, TEXT

EVERY = "any"
"""Stands for all events of which nothing else says who decides."""
QUESTION, CHOICE = "What comes first?", "first"
YES: Expr = ("value", True)
NO: Expr = ("value", False)
SLOT_AT = {"slot": 1, "each": 3}
"""Where in an expression of each form the number of a slot stands."""
Answer = program.Trigger | program.Replacement


@dataclass(frozen=True, slots=True)
class Decider:
    """The player who decides, in terms of the values of the event."""

    text: Passage
    by: Expr


def read_deciders(build: Build) -> dict[str, Decider]:
    """Check who decides for which event; `EVERY` stands for all others."""
    found: dict[str, Decider] = {}
    symbols = build.symbols
    for event, (node, place) in symbols.deciders.items():
        params = () if event == EVERY else symbols.events.get(event, ANY_ROLL.get(event))
        if params is None:
            if not symbols.poisoned.may_declare(event):
                help = offer(event, symbols.events)
                message = f"nothing that happens is called `{event}`"
                build.report.error("unknown-event", place, message, help)
            continue
        read = build.bodies.read(node, parse_expr, "", params)
        if read is not None:
            context, tree = read
            typed = wanted(context, tree, PLAYER, "as who decides")
            judge(context, 0, None)
            found[event] = Decider(context.passage, typed.expr)
    return found


@dataclass(frozen=True, slots=True)
class Contest:
    """Answers to one event whose order somebody decides, in the order of their items.

    `before` has for each the numbers of those that come before it in any case.
    """

    event: str
    decider: Decider
    answers: tuple[Answer, ...]
    before: tuple[frozenset[int], ...]


def ask_for_order(build: Build, contest: Contest) -> None:
    """Let the decider of triggers put them in order: each gets an event of its own."""
    asking = _Asking(build, contest)
    answers = [one for one in contest.answers if isinstance(one, program.Trigger)]
    for number, one in enumerate(answers):
        own = replace(one, event=asking.own_event(number), where=None)
        build.symbols.events[own.event] = asking.params
        build.triggers[build.triggers.index(one)] = own
    id = f"{contest.event} in order"
    build.triggers.insert(0, program.Trigger(id, contest.event, None, "immediately", id))
    asking.keep(id, asking.rows_in_order(), Steps(tuple(asking.costs_in_order())))


def ask_for_first(build: Build, contest: Contest) -> None:
    """Let the decider choose among replacements, as often as something is left to replace."""
    asking = _Asking(build, contest)
    for number in range(len(contest.answers)):
        mark, english = asking.mark(number), ("it has replaced this already",)
        build.functions.append(program.Function(mark, (), (), str(BOOL), NO, True, english))
    gone = {one.id for one in contest.answers}
    at = next(place for place, one in enumerate(build.replacements) if one.id in gone)
    rest = [one for one in build.replacements if one.id not in gone]
    new = []
    # One within the other: each time one fewer is left.
    for level in range(len(contest.answers)):
        id = f"{contest.event} replaced {level + 1}"
        applies = reduce(lambda a, b: ("or", a, b), map(asking.applies, asking.numbers))
        new.append(program.Replacement(id, contest.event, applies, id))
        asking.keep(id, asking.rows_of_first(), Steps(tuple(asking.costs_of_first())))
    build.replacements[:] = [*rest[:at], *new, *rest[at:]]


class _Asking:
    """The rows in which somebody is asked which of several answers comes first."""

    def __init__(self, build: Build, contest: Contest) -> None:
        self.build, self.contest = build, contest
        self.params: tuple[ParamSymbol, ...] = build.symbols.events[contest.event]
        self.items = [build.items_by_routine()[one.routine] for one in contest.answers]
        self.labels = _labels(self.items)
        self.numbers = range(len(contest.answers))
        tests = [one.where for one in contest.answers if one.where is not None]
        # Candidates of the tests have slots of their own.
        parts = [part for expr in (*tests, contest.decider.by) for part in walk(expr)]
        used = [part[SLOT_AT[part[0]]] for part in parts if part[0] in SLOT_AT]
        self.first = 1 + max((*used, len(self.params) - 1), default=-1)
        node = contest.decider.text
        self.origin: Origin = node.origin((0, 0))

    # ------------------------------------------------------------------ names that nobody writes

    def own_event(self, number: int) -> str:
        return f"{self.contest.event} {self.contest.answers[number].id}"

    def mark(self, number: int) -> str:
        return f"{self.contest.answers[number].id} has replaced"

    # ------------------------------------------------------------------ what applies

    def applies(self, number: int) -> Expr:
        """Does an answer apply, and has not been used already?"""
        one = self.contest.answers[number]
        test = one.where or YES
        if isinstance(one, program.Replacement):
            return "and", ("not", ("allowed", self.mark(number))), test
        return test

    def waits(self, number: int) -> Expr:
        return "slot", self.first + number

    def is_open(self, number: int) -> Expr:
        """Does it wait, and nothing that comes before it in any case?"""
        others = (("not", self.waits(one)) for one in sorted(self.contest.before[number]))
        return reduce(lambda a, b: ("and", a, b), others, self.waits(number))

    def rows_in_order(self) -> tuple[program.Row, ...]:
        """Ask, run one, and go on with what is left."""
        size = len(self.numbers)
        head = size
        pieces: list[list[program.Row]] = []
        for number in self.numbers:
            pieces.append(
                [
                    program.Let(self.origin, self.first + number, NO),
                    program.Announce(self.origin, self.own_event(number), self.values()),
                    program.Jump(self.origin, head),
                ]
            )
        return self.rows(pieces)

    def rows_of_first(self) -> tuple[program.Row, ...]:
        """Ask once, and run that one; within it, it does not apply again."""
        pieces: list[list[program.Row]] = [
            [
                program.Relax(self.origin, (self.mark(number),)),
                program.Use(self.origin, one.routine, self.values(), -1),
                program.Return(self.origin),
            ]
            for number, one in enumerate(self.contest.answers)
        ]
        return self.rows(pieces)

    def rows(self, pieces: Sequence[Sequence[program.Row]]) -> tuple[program.Row, ...]:
        """The tests of all answers come first; the decider is asked only if there is a choice.

        Without an answer the order is that of the items, as if nobody decided.
        """
        size, origin = len(pieces), self.origin
        rows: list[program.Row] = [
            program.Let(origin, self.first + number, self.applies(number))
            for number in self.numbers
        ]
        begins = [size + 3]
        for piece in pieces:
            begins.append(begins[-1] + len(piece) + 1)
        counted = ZERO
        for number in self.numbers:
            counted = "+", counted, ("if", self.is_open(number), ONE, ZERO)
        rows.append(program.Let(origin, self.chosen, self.usual()))
        rows.append(program.JumpUnless(origin, (">", counted, ONE), begins[0]))
        rows.append(self.question())
        for number, piece in enumerate(pieces):
            test = program.JumpUnless(origin, self.is_chosen(number), begins[number + 1])
            rows += [test, *piece]
        return (*rows, program.Return(origin))

    @property
    def chosen(self) -> int:
        """The slot of the label that is chosen."""
        return self.first + len(self.numbers)

    def is_chosen(self, number: int) -> Expr:
        return "=", ("slot", self.chosen), ("value", self.labels[number])

    def usual(self) -> Expr:
        """The first of those that are open; none if there is none."""
        usual: Expr = ("value", None)
        for number in reversed(self.numbers):
            usual = "if", self.is_open(number), ("value", self.labels[number]), usual
        return usual

    def question(self) -> program.Choose:
        offered = (("and", self.is_chosen(number), self.is_open(number)) for number in self.numbers)
        test: Expr = reduce(lambda a, b: ("or", a, b), offered)
        return program.Choose(
            self.origin,
            slot=self.chosen,
            name=CHOICE,
            type=str(TEXT),
            count="one",
            limit=None,
            domain=("list", *(("value", label) for label in self.labels)),
            conditions=(
                program.Condition(test, ("it responds, and nothing has to come before it",)),
            ),
            by=self.contest.decider.by,
            or_none=False,
            default=self.usual(),
            prompt=QUESTION,
        )

    def values(self) -> tuple[Expr, ...]:
        return tuple(("slot", slot) for slot in range(len(self.params)))

    # ------------------------------------------------------------------ the whole

    def costs_in_order(self) -> Iterator[Cost]:
        yield Flat(prompts=len(self.numbers) - 1)
        place = self.contest.decider.text.place((0, 0))
        for number in self.numbers:
            yield Call(Callee("event", self.own_event(number)), place)

    def costs_of_first(self) -> Iterator[Cost]:
        yield Flat(prompts=1)
        place = self.contest.decider.text.place((0, 0))
        for one in self.contest.answers:
            yield Call(Callee("routine", one.routine), place)

    def keep(self, id: str, rows: tuple[program.Row, ...], cost: Cost) -> None:
        """Enter a routine of these rows."""
        names = tuple(param.name for param in self.params)
        hidden = self.first - len(names)
        slots = (*names, *(unnamed(""),) * (hidden + len(self.numbers)), CHOICE)
        kept_type = self.build.symbols.kept_type
        types = (
            *(kept_type(param.type) for param in self.params),
            *("",) * hidden,
            *(str(BOOL),) * len(self.numbers),
            str(TEXT),
        )
        routine = program.Routine(id, names, slots, types, -1, rows, self.origin, NO_BOUNDS)
        text = self.contest.decider.text
        self.build.checked[id] = Checked(routine, cost, (), (), text)
        self.build.items[id] = self.items[0]


def _labels(items: Sequence[Item]) -> list[str]:
    """The labels of answers: the titles of their items, each another."""
    titles = [
        str(one.data("title") or one.name.replace("-", " ").replace("_", " ")) for one in items
    ]
    several = Counter(titles)
    full = [
        title if several[title] == 1 else f"{title} ({item.pack})"
        for title, item in zip(titles, items, strict=True)
    ]
    seen: Counter[str] = Counter()
    labels = []
    for label in full:
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label}, {seen[label]}")
    return labels
