"""Operations as Python: what a row that performs one does, as lines in the function of its routine.

In go operations of the vocabulary, with the rules that always hold and the events that something
responds to; what comes out does what `perform` does, and leaves out what cannot be needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link_operations import LinkedAssignment, LinkedOperation
from ruleloom.runtime.link.ops import with_member, without_member
from ruleloom.runtime.program.program import Assignment, Draw, Operate, Zone

# What `Run.seal` does, where the world and the variables are at hand.
SEALED = "r.marks = [_new(_Mark, (-1, w, s, r.queue, len(r.events)))]"
TOUCHED, DRAWN = "touched", "drawn"


@dataclass(frozen=True)
class OperationLines:
    """The lines that perform an operation: first its arguments are worked out.

    If it is `blocked` (a condition, or empty) the row has to go by itself instead. After the lines
    an event may be answered at once if it `interrupts`.
    """

    args: tuple[str, ...]
    blocked: str
    lines: tuple[str, ...]
    interrupts: bool


class OperationCode:
    """Writes operations for the functions of routines."""

    def __init__(
        self,
        codegen: Codegen,
        operations: Mapping[str, LinkedOperation],
        answered: frozenset[str],
        always: Sequence[tuple[int, ...]],
        keeps_ends: bool,
        me: int,
    ) -> None:
        self._codegen = codegen
        self._operations = operations
        self._answered = answered
        self._always = bool(always)
        self._watched = tuple(dict.fromkeys(column for reads in always for column in reads))
        self.keeps_ends = keeps_ends
        self._me = me
        self._named: set[str] = set()

    def of(self, row: Operate, origin: str) -> OperationLines:
        """The lines of one row; `origin` is the name of its place."""
        operation = self._operations[row.operation]
        names = [f"x{at}" for at in range(len(row.args))]
        args = tuple(
            f"{name} = {self._codegen.stored(arg)}"
            for name, arg in zip(names, row.args, strict=True)
        )
        given = f"({''.join(f'{name}, ' for name in names)})"
        by = "None" if row.by is None else self._codegen.source(row.by)
        if self._is_plain(operation):
            me = f"s[{self._me}]"
            by = me if row.by is None else f"{me} if (y := {by}) is None else y"
            lines = self._plain(operation, names, given, origin, by)
        else:
            name = self._bound(f"_operation{operation.number}", operation)
            lines = [f"made = r.perform({name}, {given}, {origin}, {by})", "w = r.world"]
        if row.slot >= 0:
            lines.append(f"e[{row.slot}] = made")
        lines += [SEALED] if operation.info.reveals else []
        heard = {operation.info.name, *([TOUCHED] if operation.touches else [])}
        interrupts = self._always or bool(heard & self._answered)
        return OperationLines(args, self._blocked(operation, names), tuple(lines), interrupts)

    def _is_plain(self, operation: LinkedOperation) -> bool:
        """Does it only change columns, by a function?"""
        moves = operation.maker is not None or operation.moves
        return not self.keeps_ends and (operation.function is not None or not moves)

    def _blocked(self, operation: LinkedOperation, names: Sequence[str]) -> str:
        """When something that it needs is not there; and in look-ahead, when it shows something."""
        tests = ["not r.live"] if operation.info.reveals else []
        for at, column in operation.entities:
            gone = f"w[{column}][{names[at]}] is None"
            if operation.info.params[at][1].endswith("?"):
                tests.append(f"({names[at]} is not None and {gone})")
            else:
                tests.append(f"({names[at]} is None or {gone})")
        if operation.maker is not None:
            tests.append(f"None not in w[{operation.maker.present}]")
        return " or ".join(tests)

    def _plain(
        self, operation: LinkedOperation, names: Sequence[str], given: str, origin: str, by: str
    ) -> list[str]:
        info, args = operation.info, "".join(f", {name}" for name in names)
        lines, told = ["b = w"], given
        if operation.function is None:
            lines += [f"r.world = w = {self._setting(operation)}(w, s, g{args})", "made = None"]
        else:
            function = self._bound(f"_operate{operation.number}", operation.function)
            if info.result:
                lines += [f"r.world, made = {function}(w{args})", "w = r.world"]
                told = f"{given} if made is None else (*{given}, made)"
            else:
                lines += [f"r.world = w = {function}(w{args})", "made = None"]
        name = self._codegen.constant(info.name)
        event = f"('operation', {name}, {told}, b, w, {by}, None, {origin})"
        lines += [f"r.events.append(_new(_Event, {event}))", *self._settled()]
        if operation.touches and TOUCHED in self._answered:
            touched = ("made" if at < 0 else names[at] for at in operation.touches)
            lines += [f"r.happen({self._codegen.constant(TOUCHED)}, ({one},))" for one in touched]
        if info.name in self._answered:
            lines.append(f"r.happen({name}, {given})")
        return lines

    def _settled(self) -> list[str]:
        """The lines that keep the rules that always hold, where a column of one has changed."""
        changed = " or ".join(f"w[{at}] is not b[{at}]" for at in self._watched)
        return [f"if {changed}: r.settle(b); w = r.world"] if changed else []

    def drawn(self, row: Draw, pile: int, zone: Zone, column: int) -> OperationLines:
        """The lines that draw one of the things `t` of a pile; `d` are the dice of the run."""
        owner = "None" if row.owner is None else self._codegen.source(row.owner)
        seen_by = {"nobody": "()", "owner": "None if o is None else (o,)"}.get(zone.seen_by, "None")
        type_, name = self._codegen.constant(row.type), self._codegen.constant(row.zone)
        event = f"('drawn', {name}, (x, o), b, w, s[{self._me}], {seen_by}, None)"
        self._codegen.provide(_with_member=with_member, _without_member=without_member)
        lines = [
            "i, r.dice = d.below(len(t))",
            f"x = t[i]; o = {owner}; b = w; c = list(w)",
            f"r.cast.append(({type_}, x))",
            f"c[{pile}] = _without_member(t, 'pile', x)",
            f"c[{column}] = _with_member(c[{column}], x, o)",
            f"r.world = w = tuple(c); e[{row.slot}] = x",
            f"r.events.append(_new(_Event, {event}))",
            *self._settled(),
            SEALED,
        ]
        if DRAWN in self._answered:
            lines.append(f"r.happen({self._codegen.constant(DRAWN)}, (x,))")
        return OperationLines((), "", tuple(lines), self._always or DRAWN in self._answered)

    def _bound(self, name: str, value: object) -> str:
        self._codegen.provide(**{name: value})
        return name

    def _setting(self, operation: LinkedOperation) -> str:
        """The name of the function that sets what an operation sets."""
        name = f"_set{operation.number}"
        if name not in self._named:
            self._named.add(name)
            source = self._source_of_setting(operation)
            made = self._codegen.define("operation", source, operation.info.name)
            self._codegen.provide(**{name: made})
        return name

    def _source_of_setting(self, operation: LinkedOperation) -> str:
        """`operation(w, s, g, *arguments)`: all values are worked out before any is set."""
        params = {at: f"a{at}" for at in range(len(operation.info.params))}
        head = "".join(f", {name}" for name in params.values())
        lines = [f"def operation(w, s, g{head}):", " c = list(w)"]
        sets = list(zip(operation.sets, operation.info.sets or (), strict=True))
        for at, (_, said) in enumerate(sets):
            lines.append(f" {self._worked_out(at, said, params)}")
        for at, (one, _) in enumerate(sets):
            name = self._bound(f"_assign{operation.number}_{at}", one)
            lines += [f" {line}" for line in _assigned(at, one, name)]
        return "\n".join([*lines, " return tuple(c)" if sets else " return w"])

    def _worked_out(self, at: int, said: Assignment, params: Mapping[int, str]) -> str:
        of, value = (self._codegen.inner(one, params) for one in (said.of, said.value))
        key = None if said.key is None else self._codegen.inner(said.key, params)
        return f"o{at} = {of}; k{at} = {key}; v{at} = {value}"


def _assigned(at: int, one: LinkedAssignment, name: str) -> list[str]:
    """The lines that set one column; what stays as it was is still the same column."""
    value = f"v{at}"
    whole = f"{value}.__class__ is int and {one.least} <= {value} <= {one.greatest}"
    plain = f"{value}.__class__ is bool or {value}.__class__ is str or {value} is None"
    lines = [f"if not ({whole} or {plain}): {name}.hold({value})"]
    lines.append(f"x = c[{one.column}]")
    if one.keyed:
        lines.append(f"{value} = x[o{at}].with_entry(k{at}, {value}, {name}.unset)")
    lines.append(
        f"if x[o{at}] is not {value}: c[{one.column}] = (*x[:o{at}], {value}, *x[o{at} + 1:])"
    )
    return lines
