"""Routines as Python functions: all rows between one question and the next, calls included.

A function runs from one row of a routine to the end of the routine. Where a row needs more than
this (a question, an event that is answered at once), the function leaves its activation in
`r.stack`, and so do the functions that called it: from there on the rows go one by one, until the
next one for which there is a function. What fails in any way is not told from here: the run is
done again row by row.

The functions count steps exactly as rows that go one by one do, basic block by basic block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ruleloom.runtime.analysis.liveness import successors
from ruleloom.runtime.link.basic_blocks import MOST_NESTED, PLAIN, joins_of
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.operation_code import SEALED, OperationCode
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import DICE_A_STEP, MOST_DICE, MOST_SIDES, MOST_STEPS, Expr
from ruleloom.runtime.program.state import Event, Mark

# `f(r, e, depth)` for a run, the slots and the depth of the frame: DONE, or why the row that it has
# come to goes on by itself.
RowFunction: TypeAlias = Callable[[Any, list[Any], int], int]
DONE, BY_ROW, INTERRUPT, RELEASE, ONWARD = range(5)
# A routine that never ends a chain of calls, since it is part of a circle of them.
ENDLESS = 1_000_000
# How deep the source of a function is nested, and how many blocks it writes in one go, before it goes
# on with a case of its own; how many cases it has, before another function goes on.
DEEPEST, LONGEST, MOST_CASES = 30, 40, 40


# What a function can always go past.
GOES_ON = (*PLAIN, p.Use, p.Return, p.Ensure, p.Say, p.Announce, p.Roll)


class Unfinished(Exception):
    """The run has to be done row by row, to say what is wrong and where."""


class Calls:
    """What functions of routines need to know of the whole program."""

    def __init__(
        self,
        program: p.Program,
        codegen: Codegen,
        operations: OperationCode,
        answered: frozenset[str],
        replaced: frozenset[str],
        columns: Mapping[str, int],
        me: int,
    ) -> None:
        self.routines = program.routines
        self.zones = {zone.name: zone for zone in program.zones}
        self.columns = columns
        self.codegen = codegen
        self.operations = operations
        self.answered = answered
        self.replaced = replaced
        self.me = me
        self.number = {routine.id: at for at, routine in enumerate(program.routines)}
        self._heights: dict[int, int] = {}
        self._code: dict[int, RoutineCode] = {}
        codegen.provide(_new=tuple.__new__, _Event=Event, _Mark=Mark, _Unfinished=Unfinished)

    def height(self, routine: int) -> int:
        """The most frames that calls of a routine, and of what it calls, can need."""
        if routine not in self._heights:
            self._heights[routine] = ENDLESS
            rows = self.routines[routine].rows
            called = [self.number[row.routine] for row in rows if isinstance(row, p.Use)]
            self._heights[routine] = 1 + max(map(self.height, called), default=0)
        return self._heights[routine]

    def of(self, routine: int) -> RoutineCode:
        """The functions of a routine."""
        if routine not in self._code:
            self._code[routine] = RoutineCode(self, routine)
        return self._code[routine]


class RoutineCode(dict[int, "RowFunction | None"]):
    """The functions of a routine by the row they begin with, compiled on demand.

    None where the row has to go by itself.
    """

    __slots__ = ("_calls", "_number", "height")

    def __init__(self, calls: Calls, number: int) -> None:
        super().__init__()
        self._calls = calls
        self._number = number
        self.height = calls.height(number)

    def __missing__(self, start: int) -> RowFunction | None:
        routine = self._calls.routines[self._number]
        function = None
        if goes_on(self._calls, routine.rows[start]):
            source = _Writer(self._calls, self._number).source(start)
            function = self._calls.codegen.define("routine", source, routine.id)
        self[start] = function
        return function


def goes_on(calls: Calls, row: p.Row) -> bool:
    """Can a function go past such a row?"""
    match row:
        case p.AtOnce() | p.SetWatched():
            return False
        case p.Operate():
            return row.operation not in calls.replaced
        case p.Replaceable():
            return row.event not in calls.replaced
        case p.SecretRoll() | p.SecretRollEach() | p.Take():
            return False
        case p.Draw():
            return not calls.operations.keeps_ends
    return isinstance(row, GOES_ON)


class _Writer:
    """Writes one function: a case for each row that several ways lead to."""

    def __init__(self, calls: Calls, number: int) -> None:
        self.calls = calls
        self.codegen = calls.codegen
        self.number = number
        self.routine = calls.routines[number]
        self.rows = self.routine.rows
        self.block_joins = joins_of(self.rows)
        before = Counter(to for pc, row in enumerate(self.rows) for to in successors(row, pc))
        self.joins = {pc for pc, many in before.items() if many > 1}
        self.id = self.codegen.constant(self.routine.id)
        self.cases: list[int] = []
        self.lines: list[str] = []
        self.steps = 0  # taken on the way here, and not yet counted by the run
        self.written = 0  # blocks on the way here

    def source(self, start: int) -> str:
        """The source of the function that begins with row `start`."""
        self.cases = [start]
        bodies = []
        for pc in self.cases:  # which grows on the way
            self.lines, self.steps, self.written = [], 0, 0
            self._rows(pc, 0)
            bodies.append(self.lines)
        lines = ["def routine(r, e, depth):", " w = r.world; s = r.scope; g = r.rules"]
        if len(bodies) == 1 and not any(line.endswith("continue") for line in bodies[0]):
            return "\n".join([*lines, *(f" {line}" for line in bodies[0])])
        lines += [f" pc = {start}", " while True:"]
        for pc, body in zip(self.cases, bodies, strict=True):
            # No `elif`: every way through a case ends with `continue` or `return`.
            lines += [f"  if pc == {pc}:", *(f"   {line}" for line in body)]
        return "\n".join(lines)

    def _add(self, indent: int, *lines: str) -> None:
        self.lines += [f"{' ' * indent}{line}" for line in lines]

    def _counted(self) -> str:
        """What counts the steps taken on the way here, wherever the function is left."""
        return f"r.steps += {self.steps}; " if self.steps else ""

    def _go_to(self, pc: int, indent: int) -> None:
        if pc not in self.cases:
            if len(self.cases) == MOST_CASES:
                return self._stop(indent, pc, ONWARD)
            self.cases.append(pc)
        return self._add(indent, f"{self._counted()}pc = {pc}; continue")

    def _go_back(self, pc: int, indent: int) -> None:
        self._add(
            indent, f"{self._counted()}pc = {pc}", f"if r.steps > {MOST_STEPS}: raise _Unfinished"
        )
        self.steps = 0
        self._go_to(pc, indent)

    def _stop(self, indent: int, pc: int, why: int = BY_ROW) -> None:
        stack = f"[({self.number}, {pc}, e, -1)]"
        self._add(indent, f"{self._counted()}r.stack = {stack}; return {why}")

    def _rows(self, pc: int, indent: int, first: bool = True) -> None:
        """Write what happens from a row on, at which no basic block is running."""
        while first or not self._is_shared(pc):
            first = False
            if self.rows[pc].__class__ in PLAIN:
                return self._block(pc, indent, 1, False)
            if not goes_on(self.calls, self.rows[pc]):
                return self._stop(indent, pc)
            if not self._row(pc, indent):
                return None
            pc += 1
        return self._go_to(pc, indent)

    def _is_shared(self, pc: int) -> bool:
        """Is a row worth a case of its own, since several ways lead to it?"""
        row = self.rows[pc]
        return pc in self.joins and goes_on(self.calls, row) and not isinstance(row, p.Return)

    def _after_block(self, pc: int, indent: int) -> None:
        """Write how it goes on where a basic block ends."""
        if self.rows[pc].__class__ in PLAIN or indent > DEEPEST or self.written > LONGEST:
            return self._go_to(pc, indent)
        self.written += 1
        self._rows(pc, indent, first=False)
        self.written -= 1
        return None

    def _block(self, pc: int, indent: int, nested: int, written: bool) -> None:
        """Write a basic block from row `pc` on, as `BasicBlocks` does, and what follows it."""
        if not written and nested == 1:
            self.steps += 1
        while self.rows[pc].__class__ in PLAIN and nested <= MOST_NESTED:
            if written and pc in self.block_joins:
                break
            row, to = self.rows[pc], pc + 1
            match row:
                case p.Let():
                    self._add(indent, *self.codegen.storing(f"e[{row.slot}]", row.value))
                case p.SetScope():
                    self._add(indent, *self.codegen.setting(row.name, row.value))
                case p.JumpUnless():
                    self._add(indent, f"if {self.codegen.source(row.condition)}:")
                    before = self.steps
                    self._block(pc + 1, indent + 1, nested + 1, True)
                    self.steps, to = before, row.to
                case p.Jump():
                    to = row.to
                case p.Spend():
                    self.steps += row.evaluations // p.EVALUATIONS_A_STEP
            written = written or not isinstance(row, p.Jump)
            if to <= pc:
                return self._go_back(to, indent)
            pc = to
        return self._after_block(pc, indent)

    def _row(self, pc: int, indent: int) -> bool:
        """Write a row that is no part of a basic block; true if the next row follows."""
        row = self.rows[pc]
        match row:
            case p.Return():
                result = self.routine.result
                value = f"e[{result}]" if result >= 0 else None
                self.steps += 1
                self._add(indent, f"{self._counted()}r.result = {value}; return {DONE}")
                return False
            case p.Use():
                return self._use(pc, row, indent)
            case p.Operate():
                self._operate(pc, row, indent)
            case p.Roll():
                self._roll(pc, row, indent)
            case p.Draw():
                self._draw(pc, row, indent)
            case p.Ensure():
                self._add(indent, f"if not {self.codegen.source(row.condition)}:")
                self._stop(indent + 1, pc)
                self.steps += 1
            case p.Say():
                words = self._bound("said", pc, row.text)
                self.steps += 1
                self._add(indent, f"r.say({words}, {self.id}, e)")
            case p.Announce() | p.Replaceable():
                self._announce(pc, row, indent)
        return True

    def _bound(self, kind: str, pc: int, value: object) -> str:
        name = f"_{kind}{self.number}_{pc}"
        self.codegen.provide(**{name: value})
        return name

    def _given(self, args: Iterable[Expr]) -> str:
        return "".join(f"{self.codegen.stored(arg)}, " for arg in args)

    def _use(self, pc: int, row: p.Use, indent: int) -> bool:
        called = self.calls.number[row.routine]
        routine = self.calls.routines[called]
        blanks = "None, " * (len(routine.slots) - len(row.args))
        slots = f"[{self._given(row.args)}{blanks}]"
        ours = f"({self.number}, {pc + 1}, e, {row.slot})"
        if row.by is not None:  # a frame keeps who did it so far
            by, doer = map(self.codegen.source, (row.by, ("scope", p.DOER)))
            self._add(indent, f"if {by} != (s[{self.calls.me}] if (y := {doer}) is None else y):")
            self._stop(indent + 1, pc)
        self.steps += 1
        if not goes_on(self.calls, routine.rows[0]):
            self._add(indent, "r.mark(depth + 1)")
            stack = f"[({called}, 0, {slots}, -1), {ours}]"
            self._add(indent, f"{self._counted()}r.stack = {stack}; return {BY_ROW}")
            return False
        code = f"_code{called}"
        self.codegen.provide(**{code: self.calls.of(called)})
        # Where the use began is of interest only if it is left before its end.
        left = "r.mark_left(marks, depth + 1, w, s, queue, told)"
        self._add(
            indent,
            "marks = r.marks; queue = r.queue; told = len(r.events)",
            f"why = {code}[0](r, {slots}, depth + 1)",
            f"if why: {self._counted()}{left}; r.stack.append({ours}); return why",
            "w = r.world; s = r.scope",
            *([f"e[{row.slot}] = r.result"] if row.slot >= 0 else []),
            "if r.queue:",
        )
        self._stop(indent + 1, pc + 1, RELEASE)
        return True

    def _announce(self, pc: int, row: p.Announce | p.Replaceable, indent: int) -> None:
        given = f"({self._given(row.args)})"
        self.steps += 1
        if isinstance(row, p.Announce) and row.event in self.calls.answered:
            event = self.codegen.constant(row.event)
            self._add(indent, f"r.happen({event}, {given})", "if r.pending:")
            self._stop(indent + 1, pc + 1, INTERRUPT)
        elif row.args:
            self._add(indent, given)

    def _operate(self, pc: int, row: p.Operate, indent: int) -> None:
        written = self.calls.operations.of(row, self._bound("at", pc, row.origin))
        self._add(indent, *written.args)
        if written.blocked:
            self._add(indent, f"if {written.blocked}:")
            self._stop(indent + 1, pc)
        self.steps += 1
        self._add(indent, *written.lines)
        if written.interrupts:
            self._add(indent, "if r.pending:")
            self._stop(indent + 1, pc + 1, INTERRUPT)

    def _roll(self, pc: int, row: p.Roll, indent: int) -> None:
        """Write a roll; look-ahead stops at one, and so does a run without dice."""
        source, each = self.codegen.source, isinstance(row, p.RollEach)
        throw = "roll_each" if each else "roll"
        self._add(indent, "d = r.dice", "if d is None or not r.live:")
        self._stop(indent + 1, pc)
        name = self.codegen.constant(row.name)
        by = f"s[{self.calls.me}]" if row.by is None else source(row.by)
        self._add(indent, f"who = {by}", "if who is None: raise _Unfinished")
        number, counted = self._within(row.count, "n", 0, MOST_DICE)
        sides, measured = self._within(row.sides, "m", 1, MOST_SIDES)
        one = f"v, r.dice = d.below({sides}); v += 1"  # what `roll` does for each of several
        rolled = [
            one if number == "1" and not each else f"v, r.dice = d.{throw}({number}, {sides})",
            f"r.cast.append(({'Dice' if each else 'Int'!r}, v)); r.steps += {number} // {DICE_A_STEP}",
        ]
        if number.isdecimal() and 0 < int(number) < DICE_A_STEP:
            rolled[1] = rolled[1].partition(";")[0]
        else:
            rolled = [
                f"v = {'()' if each else '0'}",
                f"if {number}:",
                *(f" {one}" for one in rolled),
            ]
        self._add(
            indent,
            *counted,
            *measured,
            *rolled,
            f"e[{row.slot}] = v",
            f"r.events.append(_new(_Event, ('rolled', {name}, (v, who), w, w, "
            f"s[{self.calls.me}], None, None)))",
            SEALED,
        )
        self.steps += 1

    def _draw(self, pc: int, row: p.Draw, indent: int) -> None:
        """Write a draw; people tell what it was where a run has no dice."""
        columns = self.calls.columns
        zone, pile = self.calls.zones[row.zone], columns[row.pile]
        drawn = self.calls.operations.drawn(row, pile, zone, columns[row.zone])
        self._add(indent, f"t = w[{pile}]", "if t:", " d = r.dice", " if d is None:")
        self._stop(indent + 2, pc)
        self.steps += 1
        self._add(indent + 1, *drawn.lines)
        if drawn.interrupts:
            self._add(indent + 1, "if r.pending:")
            self._stop(indent + 2, pc + 1, INTERRUPT)
        self._add(indent, f"else: e[{row.slot}] = None")

    def _within(self, expr: Expr, name: str, least: int, most: int) -> tuple[str, list[str]]:
        """What a number of dice or sides is called, and the lines that make sure what it is."""
        match expr:
            case ("value", number) if type(number) is int and least <= number <= most:
                return str(number), []
        fits = f"{name}.__class__ is int and {least} <= {name} <= {most}"
        found = f"{name} = {self.codegen.source(expr)}"
        return name, [found, f"if not ({fits}): raise _Unfinished"]
