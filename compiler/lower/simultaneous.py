"""Loops whose rounds are simultaneous, and the warning about those that affect their next round.

The input is loops without a set order. If a round is one operation, its rows become rows that do all
of it before any answer, and answers look back: the bearers, and the values read of a thing that has
left, are those from before. Other loops are reported if a round can change the bearers of answers to
the next, or its arguments.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial, reduce
from itertools import starmap
from typing import TypeAlias

from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.flow.context import Loop
from ruleloom.compiler.flow.flow import unnamed
from ruleloom.compiler.lower.program import Build, changed_by
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.summary.effects import ANY, Analysis, Read, Written, known_thing
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import (
    Callee,
    called_by,
    conjuncts,
    expressions_of,
    reached,
    substitute,
    walk,
    with_children,
    with_expressions,
)
from ruleloom.runtime.program.program import TOGETHER, Expr
from ruleloom.runtime.program.values import BOOL

ROWS_ALONE = 6  # for one row per round: two for the counter, one for the item, two jumps
HELD: Expr = ("scope", TOGETHER)
# What a round may change of the next one.
GIVEN, FOUND = "what the next one is done with", "what the next one finds"
ANSWERED = "who has something to say about the next"
Among: TypeAlias = tuple[int, str, Expr]
Left: TypeAlias = dict[int, tuple[Expr, ...]]
"""The slots of things that may have left, with the conditions of their presence."""


def hold_together(build: Build) -> None:
    """Make the rounds of loops simultaneous where each is one act, and report the others; let removals
    of things be answered by the state before.
    """
    loops = [(id, loop) for id, one in build.checked.items() for loop in one.loops]
    if not build.is_sound or not (loops or build.triggers or build.replacements):
        return
    moments = _Moments(build)
    taking = frozenset(filter(moments.takes_away, moments.answered))
    held = list(starmap(moments.held, loops))
    if taking or any(held):
        together = program.ScopeVariable(TOGETHER, f"{BOOL}?", "game", None, shown=False)
        build.scope.append(together)
        moments.look_back(taking.union(*held))
    if taking:
        build.rewrite(partial(_alone, taking))


def _alone(taking: Collection[str], row: program.Row) -> program.Row:
    """An operation that takes a thing away is answered as it was before, wherever it is done."""
    if type(row) is not program.Operate or row.operation not in taking:
        return row
    return program.AtOnce(row.origin, row.operation, row.args, row.slot, row.by)


def _is_read_next(read: Read, change: Written, item: Expr) -> bool:
    """Is this read in another round than that about `item`? Each may be about something else."""
    is_own = read.of == change.of == item or read.key == change.key == item
    return read.what == change.what and not is_own


class _Moments:
    """The effects of the rounds of loops, and the answers affected."""

    def __init__(self, build: Build) -> None:
        self.build, self.answered = build, build.summaries.answers.keys()
        self.analysis = Analysis(build.summaries, build.bodies.functions.body)
        self._there: dict[str, tuple[Expr, ...]] = {}

    @cached_property
    def borne(self) -> Mapping[str, frozenset[str]]:
        """By event, the columns that decide the bearers of its answers, other than of its own values."""
        found: dict[str, set[str]] = {}
        for one in self.build.bodies.stats.abilities.reactions:
            event, test = one.node.event.name.id, self.build.borne.get(one.id)
            told = len(self.build.symbols.events.get(event, ()))
            read = self.analysis.reads(test, told) if test is not None else ()
            others = (each.what for each in read if each.of[0] != "slot")
            found.setdefault(event, set()).update(others)
            if one.id in self.build.among:
                listed = self.analysis.reads(self.build.among[one.id][2], told)
                found[event].update(each.what for each in listed)
        return {event: frozenset(columns) for event, columns in found.items()}

    @cached_property
    def modified(self) -> frozenset[str]:
        """The columns that decide the bearers of modifiers."""
        tests = (one.test for stat in self.build.stats for one in stat.modifiers)
        return frozenset(
            read.what for test in tests if test is not None for read in self.analysis.reads(test, 0)
        )

    def _events(self, starts: Iterable[Callee]) -> frozenset[str]:
        """All events that these callees raise."""
        graph = self.build.summaries.repeating
        met = reached(starts, lambda one: graph.get(one, ()))
        return frozenset(one.name for one in met if one.kind == "event")

    def _changed(self, events: Iterable[str]) -> frozenset[str]:
        """The columns changed by the operations among these events."""
        operations = self.build.symbols.operations
        done = (one for one in events if one in operations)
        return frozenset(column for one in done for column in changed_by(self.build, one))

    def held(self, id: str, loop: Loop) -> frozenset[str]:
        """The events whose answers look back because of a loop, which is made simultaneous or reported."""
        checked = self.build.checked[id]
        rows = checked.routine.rows[loop.first + 2 : loop.last - 1]
        events = self._events(called_by(rows))
        changed = self._changed(events)
        concerned = frozenset(one for one in events if self.borne.get(one, frozenset()) & changed)
        alone = loop.alone and loop.last - loop.first == ROWS_ALONE
        act = rows[-1] if alone else None
        given = act.args if isinstance(act, program.Operate | program.Use) else ()
        if self._told(loop, self._changed_for_next(loop, rows, given), GIVEN):
            return frozenset()
        if isinstance(act, program.Operate):
            touches = self.build.symbols.operations[act.operation].touches
            raised = {act.operation, "touched"} if touches else {act.operation}
            if raised.isdisjoint(self.answered):
                return frozenset()
            self._replace(id, loop, self._at_once(loop, checked, act))
            return events
        if not concerned:
            self._told(loop, frozenset() if alone else self._found_anew(loop, rows), FOUND)
            return frozenset()
        if isinstance(act, program.Use):
            self._replace(id, loop, self._together(id, loop, checked, act))
            return events
        bearing = frozenset[str]().union(*(self.borne[one] & changed for one in concerned))
        self._told(loop, bearing, ANSWERED)
        return frozenset()

    def _changed_for_next(
        self, loop: Loop, rows: Iterable[program.Row], exprs: Iterable[Expr]
    ) -> frozenset[str]:
        """The columns through which one round of these rows can change the values of these expressions
        in the next.
        """
        known: dict[int, Expr] = {loop.item: ("slot", loop.item)}
        reads = {read for expr in exprs for read in self.analysis.read_by(expr, known)}
        if self._changed(self._events(called_by(rows))).isdisjoint(read.what for read in reads):
            return frozenset()
        item = known[loop.item]
        return frozenset(
            read.what
            for row in rows
            for change in self._changes(row, item)
            for read in reads
            if _is_read_next(read, change, item)
        )

    def _changes(self, row: program.Row, item: Expr) -> Iterable[Written]:
        """The changes of a row in a round of `item`; a power that takes it changes it."""
        known: dict[int, Expr] = {item[1]: item}
        if isinstance(row, program.Operate):
            args = [known_thing(arg, known) for arg in row.args]
            return self.analysis.operation(row.operation).told(args).changes
        of = item if item in getattr(row, "args", ()) else ANY
        return [
            Written(what, of, of, "sets", ANY)
            for what in self._changed(self._events(called_by([row])))
        ]

    def _found_anew(self, loop: Loop, rows: Sequence[program.Row]) -> frozenset[str]:
        """The columns through which a round can change the modifiers of the next one's conditions."""
        tests = [row.condition for row in rows if isinstance(row, program.JumpUnless)]
        reads = {read.what for test in tests for read in self.analysis.read_by(test, {})}
        return self._changed_for_next(loop, rows, tests) if reads & self.modified else frozenset()

    def _told(self, loop: Loop, by: Collection[str], what: str) -> bool:
        """Whether a round changes columns that matter to the next; warns of that."""
        # A pack's changes are not the fault of the texts it builds on.
        content = self.build.content
        if not by or content.files[loop.place.path][0] in content.built_upon:
            return bool(by)
        effects = {one.names.entity: name for name, one in self.build.symbols.lasting.items()}
        parts = [(one.partition(".")[0], one.rpartition(".")[2]) for one in sorted(by)]
        named = quoted_list([*dict.fromkeys(effects.get(of, field) for of, field in parts)])
        message = f"one round can change {named}, and by that {what}"
        help = "`one by one` behind the list says that this is meant"
        self.build.report.warning("one-after-the-other", loop.place, message, help)
        return True

    def _replace(self, id: str, loop: Loop, rows: Sequence[program.Row]) -> None:
        checked = self.build.checked[id]
        before, behind = checked.routine.rows[: loop.first], checked.routine.rows[loop.last :]
        self.build.checked[id] = checked.with_rows((*before, *rows, *behind))

    def _at_once(self, loop: Loop, checked: Checked, act: program.Operate) -> list[program.Row]:
        """The rows of a loop at once; as many as before, for jumps."""
        origin, goes_through = act.origin, checked.routine.rows[loop.first - 1]
        assert isinstance(goes_through, program.Let)
        things: Expr = ("slot", goes_through.slot)
        row = program.AtOnce(origin, act.operation, act.args, -1, act.by, loop.item, things)
        left = program.Jump(origin, loop.last)
        return [row, program.Apart(origin, None), *(left,) * (ROWS_ALONE - 2)]

    def _together(
        self, id: str, loop: Loop, checked: Checked, act: program.Use
    ) -> list[program.Row]:
        routine, origin = checked.routine, act.origin
        slot = len(routine.slots)
        first, goes_on, item, count, _, back = routine.rows[loop.first : loop.last]
        assert isinstance(first, program.Let)
        assert isinstance(goes_on, program.JumpUnless)
        assert isinstance(item, program.Let)
        now: Expr = ("-", ("slot", first.slot), ("value", 1))
        this: Expr = ("lookup", item.value[1], now)
        args = tuple(substitute(arg, {loop.item: this}) for arg in act.args)
        wider = replace(
            routine,
            slots=(*routine.slots, unnamed(TOGETHER)),
            slot_types=(*routine.slot_types, f"{BOOL}?"),
        )
        self.build.checked[id] = replace(checked, routine=wider)
        return [
            program.Simultaneous(origin, slot, first.slot),
            replace(goes_on, to=loop.last - 1),
            count,
            replace(act, args=args),
            back,
            program.Apart(origin, ("slot", slot)),
        ]

    def look_back(self, events: frozenset[str]) -> None:
        """Let the answers to these events look back, and the powers that they pass departed things to."""
        build, told = self.build, dict[str, Left]()
        for number, trigger in enumerate(build.triggers):
            # An answer has an event of its own where a player decides the order.
            event = trigger.event.removesuffix(f" {trigger.id}")
            if event in events:
                back = _Back(self, self.departures(event), "ever", build.among.get(trigger.id))
                build.triggers[number] = with_expressions(trigger, back)
                self._in_routine(trigger.routine, back, told)
        for number, one in enumerate(build.replacements):
            if one.operation in events:
                back = _Back(self, self.departures(one.operation), "past", build.among.get(one.id))
                back.before = self._before(one)
                build.replacements[number] = with_expressions(one, back)
                self._in_routine(one.routine, back, told)
        for id, left in told.items():
            self._rewrite(id, _Back(self, left))

    def _before(self, one: program.Replacement) -> frozenset[Expr]:
        """The conditions of a replacement that the replaced operation may change itself, which are
        judged by the state before. The others are tested again when its turn comes, as an earlier
        replacement may have used up what it needs.
        """
        if one.where is None or one.operation not in self.build.symbols.operations:
            return frozenset()
        test = one.where[5] if one.where[0] == "each" else one.where
        changed = self._changed([one.operation])
        return frozenset(
            each
            for each in conjuncts(test)
            if not changed.isdisjoint(read.what for read in self.analysis.read_by(each, {}))
            and self.is_public(each)
        )

    def _in_routine(self, id: str, back: _Back, told: dict[str, Left]) -> None:
        """Make a routine, and the block that it runs for each bearer, look back."""
        self._tell_powers(id, back.left, told)
        for each in self._with_block(id):
            back.listing = back.form == "past" or each not in self.build.borne
            self._rewrite(each, back)

    def _rewrite(self, id: str, back: _Back) -> None:
        checked = self.build.checked[id]
        rows = (with_expressions(row, back) for row in checked.routine.rows)
        self.build.checked[id] = checked.with_rows(rows)

    def _with_block(self, id: str) -> Iterator[str]:
        """The ids of an answering routine and of its block."""
        if id in self.build.checked:
            yield id
            for row in self.build.checked[id].routine.rows:
                if isinstance(row, program.Use) and row.routine in self.build.borne.keys() - {id}:
                    yield from self._with_block(row.routine)

    def _tell_powers(self, id: str, left: Left, told: dict[str, Left]) -> None:
        """Note the powers that a routine passes departed things to, and in which parameters."""
        rows = [row for one in self._with_block(id) for row in self.build.checked[one].routine.rows]
        for row in rows:
            if isinstance(row, program.Use) and row.routine not in self.build.borne:
                known = told.setdefault(row.routine, {})
                new = {
                    place: one for place, one in _handed(row, left).items() if place not in known
                }
                known.update(new)
                if new:
                    self._tell_powers(row.routine, known, told)

    def there(self, entity: str) -> tuple[Expr, ...]:
        """The conditions on which a thing of a kind, in slot 0, is present and bears its own item."""
        if entity not in self._there:
            known = self.build.symbols.entities.get(entity)
            found = [*self.build.bodies.stats.bearers.own(entity)]
            if known is not None and known.present:
                gone = ("is_none", ("field", f"{entity}.{known.present}", ("slot", 0)))
                found.append(("not", gone))
            self._there[entity] = tuple(found)
        return self._there[entity]

    def departures(self, event: str) -> Left:
        """The values of an event, by place, that are things it may remove, with the conditions of their
        presence.
        """
        found = {}
        for place, param in enumerate(self.build.symbols.events.get(event, ())):
            there = self.there(param.type.name) if not param.type.many else ()
            reads = {read.what for test in there for read in self.analysis.reads(test, 0)}
            if not reads.isdisjoint(self._changed_of(event, place)):
                found[place] = tuple(substitute(one, {0: ("slot", place)}) for one in there)
        return found

    def _changed_of(self, event: str, place: int) -> set[str]:
        """The columns that an event changes of one of its values."""
        symbols, thing = self.build.symbols, ("slot", place)
        power = symbols.powers.get(event.rpartition(" ")[2])
        if event in symbols.operations:
            changes = self.analysis.operation(event).changes
            return {one.what for one in changes if one.of in (thing, ANY)}
        if power is None or place >= len(power.params):
            return set()
        own = f"{power.params[place].type.name}."
        events = self._events([Callee("routine", power.id)])
        return {what for what in self._changed(events) if what.startswith(own)}

    def takes_away(self, event: str) -> bool:
        """Whether an operation removes a thing that answers it, or of which an answer reads more."""
        operation = self.build.symbols.operations.get(event)
        if operation is None or operation.kind == "moment":
            return False
        reactions = self.build.bodies.stats.abilities.reactions
        answers = [one.id for one in reactions if one.node.event.name.id == event]
        listed = [self.build.among[id][2] for id in answers if id in self.build.among]
        reads = (one.what for one in self._read_by(event, listed))
        # Does it change a list of the bearers of its answers?
        return not self._changed([event]).isdisjoint(reads) or (
            bool(self.departures(event))
            and (
                any(_Back(self, left).touches(part) for part, left in self._answers(event))
                or self._ends_bearing(event, operation, answers)
            )
        )

    def _ends_bearing(self, event: str, operation: Signature, answers: Iterable[str]) -> bool:
        """Whether an event changes, of its values, what decides that they bear its answers."""
        own = {
            (of, what)
            for place, param in enumerate(operation.params)
            for what in self._changed_of(event, place)
            for of in (("slot", place), ("record", param.type.name))
        }
        tests = [self.build.borne.get(id) for id in answers]
        return any((read.of[:2], read.what) in own for read in self._read_by(event, tests))

    def _read_by(self, event: str, exprs: Iterable[Expr | None]) -> Iterator[Read]:
        """The reads of expressions over an event's values."""
        told = len(self.build.symbols.operations[event].params)
        for expr in exprs:
            if expr is not None:
                yield from self.analysis.reads(expr, told)

    def _answers(self, event: str) -> Iterator[tuple[object, Left]]:
        """The answers to an event, and the rows of their routines and powers, each with the departing
        things.
        """
        left, told = self.departures(event), dict[str, Left]()
        answers: list[program.Trigger | program.Replacement] = []
        answers += [one for one in self.build.triggers if one.event == event]
        answers += [one for one in self.build.replacements if one.operation == event]
        for one in answers:
            yield one, left
            self._tell_powers(one.routine, left, told)
            for id in self._with_block(one.routine):
                yield from ((row, left) for row in self.build.checked[id].routine.rows)
        for id, places in told.items():
            yield from ((row, places) for row in self.build.checked[id].routine.rows)

    def is_public(self, expr: Expr) -> bool:
        """Whether an expression reads only public zones."""
        zones = self.build.symbols.zones
        reads = self.analysis.read_by(expr, {})
        return all(read.what not in zones or zones[read.what].seen_by == "all" for read in reads)


class _Back:
    """Rewrites an expression of an answer to an event: bearing looks back as `form` says, and reads of
    a thing that has `left` give the state before.
    """

    def __init__(
        self, moments: _Moments, left: Left, form: str = "", among: Among | None = None
    ) -> None:
        self.moments, self.form, self.among, self.listing = moments, form, among, True
        self.borne = {one for one in moments.build.borne.values() if one is not None and form}
        self.before: frozenset[Expr] = frozenset()
        self.left = dict(left)
        if among is not None:
            slot, kind, _ = among
            there = moments.there(kind)
            if there:
                self.left[slot] = tuple(substitute(one, {0: ("slot", slot)}) for one in there)

    def __call__(self, expr: Expr) -> Expr:
        if self.among is not None and self.listing:
            slot, _, listed = self.among
            whole: Expr = ("past", HELD, listed)
            if self.form == "ever":
                whole = ("join", whole, listed)
            if expr == listed:
                return whole
            if expr == (">", ("count", listed), ("value", 0)):
                return (">", ("count", whole), ("value", 0))
            if expr[0] == "each" and expr[3:5] == (slot, listed):
                return (*expr[:4], whole, self._inner(expr[5]))
        return self._inner(expr)

    def _inner(self, expr: Expr) -> Expr:
        if expr in self.borne:
            return (self.form, HELD, expr)
        if expr in self.before:
            return ("past", HELD, expr)
        left = self._departures(expr)
        if left:
            return ("if", left, ("past", HELD, expr), expr)
        return with_children(expr, self._inner)

    def touches(self, part: object) -> bool:
        """Whether a part of a program reads a thing that may have left."""
        return any(
            self._departures(one) is not None for expr in expressions_of(part) for one in walk(expr)
        )

    def _departures(self, expr: Expr) -> Expr | None:
        """The condition that a read is of a thing that has left; None for other expressions."""
        if expr[0] not in ("field", "function") or expr[:2] in self._deciding:
            return None
        places = [arg[1] for arg in expr[2:] if arg[0] == "slot" and arg[1] in self.left]
        if not places or not self.moments.is_public(expr):
            return None
        gone: list[Expr] = [
            ("and", ("past", HELD, test), ("not", test))
            for place in places
            for test in self.left[place]
        ]
        return reduce(lambda one, other: ("or", one, other), gone)

    @cached_property
    def _deciding(self) -> frozenset[tuple[str, str]]:
        """The fields that say where a thing is now, except those that say it is present."""
        tests = [test for tests in self.left.values() for test in tests]
        fields = {(one[0], one[1]) for test in tests for one in walk(test) if one[0] == "field"}
        entities = self.moments.build.symbols.entities
        return frozenset(
            fields - {("field", f"{id}.{one.present}") for id, one in entities.items()}
        )


def _handed(row: program.Use, left: Left) -> Left:
    """The arguments of a power that are things which may have left, by place."""
    slots = ((place, arg[1]) for place, arg in enumerate(row.args) if arg[0] == "slot")
    return {
        place: tuple(substitute(one, {slot: ("slot", place)}) for one in left[slot])
        for place, slot in slots
        if slot in left
    }
