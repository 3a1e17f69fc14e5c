"""The deciders of the order of answers to one event, and the routines that ask them.

Answers that do not commute are replaced by one trigger, whose routine asks which comes first, runs
that, and asks again until none is left. For replacements it asks once: what the chosen one leaves
undone is an event of its own, for which the rest are asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from ruleloom.compiler.check.expect import judge, wanted
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.flow.context import Rows
from ruleloom.compiler.flow.cost import Call, Flat
from ruleloom.compiler.flow.cost import Sequence as Steps
from ruleloom.compiler.flow.flow import unnamed
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.routines import NO_BOUNDS, Checked
from ruleloom.compiler.lower.triggers import of_any_roll
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import ParamSymbol
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ONE, ZERO, Callee, walk
from ruleloom.runtime.program.program import Expr, Origin
from ruleloom.runtime.program.values import BOOL, PLAYER, TEXT

EVERY = "any"
"""The key of the decider for all events without one of their own."""
QUESTION, CHOICE = "What comes first?", "first"
YES: Expr = ("value", True)
NO: Expr = ("value", False)
SLOT_AT = {"slot": 1, "each": 3}
"""The index of the slot number in expressions of each form."""
Answer = program.Trigger | program.Replacement


class Decider(Frozen):
    """The deciding player, as an expression over the values of the event."""

    text: Passage
    by: Expr


def read_deciders(build: Build) -> dict[str, Decider]:
    """Check the decider of each event; `EVERY` is the key for all others."""
    found: dict[str, Decider] = {}
    symbols = build.symbols
    rolls = of_any_roll(symbols)
    for event, (node, place) in symbols.deciders.items():
        params = () if event == EVERY else symbols.events.get(event, rolls.get(event))
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


class Contest(Frozen):
    """Answers to one event whose order a player decides, in the order of their items.

    `before` has, for each, the indices of those that always come before it.
    """

    event: str
    decider: Decider
    answers: tuple[Answer, ...]
    before: tuple[frozenset[int], ...]


def ask_for_order(build: Build, contest: Contest) -> None:
    """Let the decider order triggers: each gets an event of its own."""
    asking = _Asking(build, contest)
    for one in contest.answers:
        if isinstance(one, program.Trigger):
            own = replace(one, event=asking.own_event(one), where=None)
            build.symbols.events[own.event] = asking.params
            build.triggers[build.triggers.index(one)] = own
    id = f"{contest.event} in order"
    build.triggers.insert(0, program.Trigger(id, contest.event, None, "immediately", id))
    asking.keep(id, prompts=len(contest.answers) - 1)


def ask_for_first(build: Build, contest: Contest) -> None:
    """Let the decider choose among replacements, as long as something is left to replace."""
    asking, english = _Asking(build, contest), ("it has replaced this already",)
    for one in contest.answers:
        build.functions.append(program.Function(_mark(one), (), (), str(BOOL), NO, True, english))
    gone = {one.id for one in contest.answers}
    at = next(place for place, one in enumerate(build.replacements) if one.id in gone)
    rest = [one for one in build.replacements if one.id not in gone]
    new = []
    # Nested: each level has one fewer left.
    for level in range(len(contest.answers)):
        id = f"{contest.event} replaced {level + 1}"
        applies = reduce(lambda a, b: ("or", a, b), map(_applies, contest.answers))
        new.append(program.Replacement(id, contest.event, applies, id))
        asking.keep(id, prompts=1)
    build.replacements[:] = [*rest[:at], *new, *rest[at:]]


def _mark(one: Answer) -> str:
    """The rule ignored once a replacement is chosen."""
    return f"{one.id} has replaced"


def _applies(one: Answer) -> Expr:
    """The test that an answer applies and has not been used."""
    test = one.where or YES
    if isinstance(one, program.Replacement):
        return "and", ("not", ("allowed", _mark(one))), test
    return test


class _Asking:
    """The routines that ask a player which of several answers comes first."""

    def __init__(self, build: Build, contest: Contest) -> None:
        self.build, self.contest = build, contest
        self.params: tuple[ParamSymbol, ...] = build.symbols.events[contest.event]
        self.items = [build.items_by_routine()[one.routine] for one in contest.answers]
        self.labels = _labels(self.items)
        self.numbers = range(len(contest.answers))
        tests = [one.where for one in contest.answers if one.where is not None]
        # The candidates in the tests have slots of their own.
        parts = [part for expr in (*tests, contest.decider.by) for part in walk(expr)]
        used = [part[SLOT_AT[part[0]]] for part in parts if part[0] in SLOT_AT]
        self.first = 1 + max((*used, len(self.params) - 1), default=-1)
        self.chosen = self.first + len(self.numbers)
        """The slot of the chosen label, after those that flag which answers are waiting."""
        self.origin: Origin = contest.decider.text.origin((0, 0))
        self.values: tuple[Expr, ...] = tuple(("slot", at) for at in range(len(self.params)))

    def own_event(self, one: Answer) -> str:
        """The event of one answer, which no text can name."""
        return f"{self.contest.event} {one.id}"

    def _is_open(self, number: int) -> Expr:
        """The test that it waits, and nothing before it."""
        before = sorted(self.contest.before[number])
        others = (("not", ("slot", self.first + one)) for one in before)
        wait: Expr = ("slot", self.first + number)
        return reduce(lambda a, b: ("and", a, b), others, wait)

    def _is_chosen(self, number: int) -> Expr:
        return "=", ("slot", self.chosen), ("value", self.labels[number])

    def _rows(self) -> tuple[program.Row, ...]:
        """The tests of all answers come first; the decider is asked only if there is a choice.

        Without a reply the order is that of the items, as without a decider.
        """
        rows, origin = Rows(), self.origin
        for number, one in enumerate(self.contest.answers):
            rows.add(program.Let(origin, self.first + number, _applies(one)))
        head, asked = rows.label(), rows.label()
        rows.put(head)
        counted: Expr = ZERO
        usual: Expr = ("value", None)
        for number in self.numbers:
            counted = "+", counted, ("if", self._is_open(number), ONE, ZERO)
        for number in reversed(self.numbers):  # the first open one
            usual = "if", self._is_open(number), ("value", self.labels[number]), usual
        rows.add(program.Let(origin, self.chosen, usual))
        rows.add(program.JumpUnless(origin, (">", counted, ONE), asked))
        rows.add(self._question(usual))
        rows.put(asked)
        for number in self.numbers:
            other = rows.label()
            rows.add(program.JumpUnless(origin, self._is_chosen(number), other))
            for row in self._turn_of(number, head):
                rows.add(row)
            rows.put(other)
        rows.add(program.Return(origin))
        return rows.finish()

    def _turn_of(self, number: int, head: int) -> Sequence[program.Row]:
        """The rows that run a trigger and go back for the rest, or run a replacement and disable it."""
        one, origin = self.contest.answers[number], self.origin
        if isinstance(one, program.Trigger):
            return (
                program.Let(origin, self.first + number, NO),
                program.Announce(origin, self.own_event(one), self.values),
                program.Jump(origin, head),
            )
        return (
            program.Relax(origin, (_mark(one),)),
            program.Use(origin, one.routine, self.values, -1),
            program.Return(origin),
        )

    def _question(self, usual: Expr) -> program.Choose:
        offered = (("and", self._is_chosen(one), self._is_open(one)) for one in self.numbers)
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
            default=usual,
            prompt=QUESTION,
        )

    def keep(self, id: str, prompts: int) -> None:
        """Add a routine that asks `prompts` times."""
        names, kept_type = tuple(param.name for param in self.params), self.build.symbols.kept_type
        hidden, waiting = self.first - len(names), len(self.numbers)
        slots = (*names, *(unnamed(""),) * (hidden + waiting), CHOICE)
        types = (*(kept_type(param.type) for param in self.params), *("",) * hidden)
        types = (*types, *(str(BOOL),) * waiting, str(TEXT))
        rows, text = self._rows(), self.contest.decider.text
        routine = program.Routine(id, names, slots, types, -1, rows, self.origin, NO_BOUNDS)
        runs = (
            Callee("event", self.own_event(one))
            if isinstance(one, program.Trigger)
            else Callee("routine", one.routine)
            for one in self.contest.answers
        )
        place = text.place((0, 0))
        cost = Steps((Flat(prompts=prompts), *(Call(callee, place) for callee in runs)))
        self.build.checked[id] = Checked(routine, cost, (), (), text)
        self.build.items[id] = self.items[0]


def _labels(items: Sequence[Item]) -> list[str]:
    """The labels of answers: the titles of their items, made unique."""
    titles = [
        str(one.data("title") or one.name.replace("-", " ").replace("_", " ")) for one in items
    ]
    several, seen, labels = Counter(titles), Counter[str](), list[str]()
    for title, item in zip(titles, items, strict=True):
        label = title if several[title] == 1 else f"{title} ({item.pack})"
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label}, {seen[label]}")
    return labels
