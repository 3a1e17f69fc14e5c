"""Secrecy analysis: variables with hidden values, and variables whose things all players know.

A variable is hidden if only some players learn its value, or if it derives from hidden sources: zones
not visible to all, and queries that read them. Flows are gathered per part, then followed. What every
path to a row has shown to everybody counts as known there, until the variable is set again or something
may be hidden.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import NamedTuple, TypeAlias

from ruleloom.runtime.analysis.rows import held_before, successors
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import OfPart, children, reached, slots_read
from ruleloom.runtime.program.program import ITEM_OF, Expr, Program
from ruleloom.runtime.program.values import Type


def told_slots(routines: Iterable[p.Routine]) -> Mapping[tuple[str, int], int]:
    """Variables whose values only some players learn, each with the slot of those players.

    What one of them chooses from such a variable, or an order of it, is shown to the same players.
    """
    found: dict[tuple[str, int], int] = {}
    for routine in routines:
        found |= {(routine.id, slot): who for slot, who in _told_by(routine).items()}
    return found


def _told_in(routine: p.Routine) -> Mapping[int, int]:
    told: dict[int, int] = {}
    writing = [row for row in routine.rows if getattr(row, "slot", -1) >= 0]
    for row in writing:
        who = _readers_slot(row, told)
        if who is not None:
            told[row.slot] = who  # type: ignore[attr-defined]
    # A variable that any other row writes to belongs to no players in particular.
    before = len(told) + 1
    while before != (before := len(told)):
        for row in writing:
            slot: int = row.slot  # type: ignore[attr-defined]
            if slot in told and _readers_slot(row, told) != told[slot]:
                del told[slot]
    return told


# The forms of a list that things or dice were put into, or taken out of.
_CHANGED = frozenset(("join", "without", "with_dice", "without_dice"))


def _readers_slot(row: p.Row, told: Mapping[int, int]) -> int | None:
    """The slot that holds the players who learn the value that a row assigns."""
    match row:
        case p.Choose(domain=("slot", slot)):
            return told.get(slot)
        case p.LetTold(seen_by=("slot", slot)):
            return slot  # type: ignore[no-any-return]
        case p.Let(value=("slot", slot) | ("lookup", ("slot", slot), *_)):
            return told.get(slot)
        case p.Let(value=(form, ("slot", slot), _)) if form in _CHANGED and slot == row.slot:
            return told.get(slot)
        case p.Peek(by=("slot", slot)):
            return slot  # type: ignore[no-any-return]
        case p.SecretForSome() | p.SecretRoll() | p.SecretRollEach() | p.SecretRollSummed():
            return row.seen_by[1] if row.seen_by[0] == "slot" else None
    return None


_told_by = OfPart(_told_in)


def _made_before(routine: p.Routine) -> list[frozenset[tuple[int, Expr]]]:
    """For each row, variables with what they were computed or chosen from, unchanged since."""
    rows = routine.rows

    def leads_to(
        pc: int, made: frozenset[tuple[int, Expr]]
    ) -> Iterator[tuple[int, frozenset[tuple[int, Expr]]]]:
        row = rows[pc]
        written = _candidates(row) | {getattr(row, "slot", -1)}
        now = {(slot, of) for slot, of in made if written.isdisjoint((slot, *slots_read(of)))}
        of = row.value if isinstance(row, p.Let) else getattr(row, "domain", None)
        if isinstance(row, p.Let | p.Choose) and of is not None and row.slot not in slots_read(of):
            now.add((row.slot, of))
        return ((to, frozenset(now)) for to in successors(row, pc))

    return held_before(rows, frozenset(), leads_to, frozenset.intersection)


made_before = OfPart(_made_before)


def _written_slots(routine: p.Routine) -> frozenset[int]:
    """The variables that rows of a routine set."""
    return frozenset(getattr(row, "slot", -1) for row in routine.rows)


written_slots = OfPart(_written_slots)


Slots: TypeAlias = frozenset[int]
NO_SLOTS: Slots = frozenset()
# The slots that a row uses for iteration, beside its result.
_CANDIDATES = ("candidate_slot", "player_slot", "counter")


class Handled(NamedTuple):
    """The parameters that an operation moves to an open zone, and whether it may hide things."""

    shows: Slots
    hides: bool


class Showing:
    """The rows of a program that show things to everybody, and those that may hide them again."""

    def __init__(self, program: Program) -> None:
        self._open = {zone.name for zone in program.zones if zone.seen_by == "all"}
        self._closed = {zone.name for zone in program.zones} - self._open
        kinds = {zone.of for zone in program.zones if zone.name in self._closed}
        # The name of such a thing identifies it completely, for good.
        self._printed = {e.name for e in program.entities if e.name in kinds and not e.changing}
        replaced = {one.operation for one in program.replacements}
        self._handled: Mapping[str, Handled] = {
            one.name: Handled(
                NO_SLOTS if one.name in replaced else self._shown_by(one),
                not self._closed.isdisjoint(one.changes),
            )
            for one in program.operations
        }

    def _shown_by(self, one: p.OperationInfo) -> Slots:
        """Moved parameters that the log names, too: things may leave an open zone at once."""
        moved = {move.thing: move.zone for move in one.moves if move.thing < len(one.params)}
        return frozenset(
            number
            for number, zone in moved.items()
            if zone in self._open
            and one.shown
            and Type.parse(one.params[number][1]).name in self._printed
            and f"{{{one.params[number][0]}}}" in one.told
        )

    def by_routine(self, routines: Iterable[p.Routine]) -> Mapping[str, list[Slots]]:
        """The known slots by row, for routines with any."""
        found = {one.id: self._slots(one) for one in routines}
        return {id: rows for id, rows in found.items() if rows}

    def _slots(self, routine: p.Routine) -> list[Slots]:
        """For each row, the variables whose things everybody knows; empty if there are none."""
        rows = routine.rows
        if not any(self._shown_in(row) for row in rows):
            return []

        def leads_to(pc: int, shown: Slots) -> Iterator[tuple[int, Slots]]:
            row = rows[pc]
            kept = NO_SLOTS if self._may_hide(row) else shown
            now = (kept | self._shown_in(row)) - {getattr(row, "slot", -1)} - _candidates(row)
            return ((to, now) for to in successors(row, pc))

        held = held_before(rows, NO_SLOTS, leads_to, frozenset.intersection)
        return [one - _candidates(row) for one, row in zip(held, rows, strict=True)]

    def _shown_in(self, row: p.Row) -> Slots:
        """The variables whose things a row shows to everybody."""
        match row:
            case p.Show(things=("slot", slot), to=("players",)):
                return frozenset((slot,) if Type.parse(row.type).name in self._printed else ())
            case p.Operate():
                return self._shown_by_call(row)
        return NO_SLOTS

    def _shown_by_call(self, row: p.Operate) -> Slots:
        handled, each = self._handled[row.operation], {}
        if isinstance(row, p.AtOnce) and row.things is not None:
            each[("slot", row.candidate_slot)] = row.things
        args = [(number, each.get(arg, arg)) for number, arg in enumerate(row.args)]
        shown = {arg for number, arg in args if number in handled.shows}
        shown -= {arg for number, arg in args if number not in handled.shows}
        return frozenset(arg[1] for arg in shown if arg[0] == "slot")

    def _may_hide(self, row: p.Row) -> bool:
        match row:
            case p.Operate():
                return self._handled[row.operation].hides
            case p.Draw():
                return row.zone in self._closed
        return isinstance(row, p.Put)


def _candidates(row: p.Row) -> Slots:
    """The variables that hold something else while a row is evaluated."""
    found = {getattr(row, name, -1) for name in _CANDIDATES}
    return frozenset(found | {row.slot} if isinstance(row, p.Choose) else found)


# `("slot", routine, number)`, `("given", operation or moment, number)`; with number 0 the `result`
# of a routine, or a `scope` variable, `function`, `query`, `zone` or `field` by its name; or TOLD.
Source: TypeAlias = tuple[str, str, int]
TOLD: Source = ("told", "", 0)
# The kind of source that an expression of each form reads by its name.
_NAMED = {
    **{form: form for form in ("scope", "zone", "query", "function", "field")},
    "at": "zone",
    "allowed": "function",
    "static": "field",
}


class DerivedVariables:
    """The variables, functions and slots of a program whose values derive from hidden information."""

    def __init__(self, program: Program) -> None:
        self.zones = {zone.name for zone in program.zones if zone.seen_by != "all"}
        self.queries = {
            query.name for query in program.queries if self.zones & {*query.reads} - {query.of}
        }
        self._hidden = {TOLD}
        fields = _fields_of_things(program, self.zones)
        for kind, names in (("zone", self.zones), ("query", self.queries), ("field", fields)):
            self._hidden |= {(kind, name, 0) for name in names}
        self._shown = Showing(program).by_routine(program.routines)
        self._follow(program)
        self.functions = {name for name, _ in self._hidden_of("function")}
        self.scope = {name for name, _ in self._hidden_of("scope")}
        self.slots = self._hidden_of("slot")

    def _hidden_of(self, kind: str) -> set[tuple[str, int]]:
        return {(name, number) for of, name, number in self._hidden if of == kind}

    def of(self, routine: str, expr: Expr, pc: int = -1) -> bool:
        """Is the value of this expression of `routine` derived from something hidden?

        At row `pc`, variables shown to everybody by then do not count.
        """
        return next(self.hidden_in(routine, expr, pc), None) is not None

    def hidden_in(self, routine: str, expr: Expr, pc: int = -1) -> Iterator[Source]:
        """The hidden sources of this expression, as `of` counts them."""
        rows = self._shown.get(routine, [])
        shown = rows[pc] if 0 <= pc < len(rows) else NO_SLOTS
        return (source for source in _read(routine, expr, shown) if source in self._hidden)

    def asks_regardless(self, routine: str, row: p.Row) -> bool:
        """Must a choice be asked even if nothing fits?

        It must if its options depend on hidden information: skipping it would leak that. Whether a whole
        zone is empty is public. A mandatory choice of the acting player is ruled out earlier, by their
        own look-ahead.
        """
        if not isinstance(row, p.Choose | p.Secret):
            return False
        if isinstance(row, p.Choose) and (row.count == "order" or _is_foreseen(row)):
            return False
        sifted = [one.test for one in row.conditions]
        domain = [] if row.domain[0] == "zone" else [row.domain]
        return any(self.of(routine, one) for one in (*domain, *sifted))

    def _follow(self, program: Program) -> None:
        """Add all that derives from hidden sources."""
        routines = {one.id: self._leads_in(one) for one in program.routines}
        shared = defaultdict[Source, list[Source]](list)
        for leads in (*routines.values(), *map(_in_function, program.functions)):
            for source, target in leads.shared:
                shared[source].append(target)
        answers = _answers(program)

        def leads_to(source: Source) -> Iterable[Source]:
            kind, name, number = source
            if kind == "slot":
                return routines[name].of_slots.get(number, ())
            if kind == "given":
                return [("slot", answer, number) for answer in answers.get(name, ())]
            return shared.get(source, ())

        self._hidden = {*reached(self._hidden, leads_to)}

    def _leads_in(self, routine: p.Routine) -> _Leads:
        shown = self._shown.get(routine.id)
        return _leads_in_routine(routine, shown) if shown else _in_routine(routine)


def _is_foreseen(row: p.Choose) -> bool:
    may_be_none = row.or_none or row.count in ("any", "up_to")
    return row.by in (None, ("scope", "me")) and not may_be_none


def _fields_of_things(program: Program, zones: Collection[str]) -> Iterator[str]:
    """The fields that hold things which may lie in one of these zones."""
    kinds = {zone.of for zone in program.zones if zone.name in zones}
    for entity in program.entities if kinds else ():
        if entity.name in kinds:
            yield f"{entity.name}.{ITEM_OF}"
        for field in entity.fields:
            if Type.parse(field.type).name in kinds:
                yield f"{entity.name}.{field.name}"


class _Leads(NamedTuple):
    """The flows of a part of a program: by its own slot, or as source-target pairs."""

    of_slots: Mapping[int, list[Source]]
    shared: list[tuple[Source, Source]]


def _leads_in_routine(routine: p.Routine, shown: Sequence[Slots] = ()) -> _Leads:
    id = routine.id
    leads = _Leads(defaultdict(list), [])
    for row, known in zip(routine.rows, shown or repeat(NO_SLOTS), strict=False):
        for sources, target in _leads_of(id, row, known):
            for source in sources if target[2] >= 0 else ():  # -1 is no slot
                if source[0] == "slot":
                    leads.of_slots[source[2]].append(target)
                else:
                    leads.shared.append((source, target))
    if routine.result >= 0:
        leads.of_slots[routine.result].append(("result", id, 0))
    return leads


def _leads_of(id: str, row: p.Row, shown: Slots) -> Iterator[tuple[Iterable[Source], Source]]:
    """The sources and target of each value stored by a row."""
    read = partial(_read, id, shown=shown)
    slot: Source = ("slot", id, getattr(row, "slot", -1))
    match row:
        case p.LetTold():
            yield [TOLD], slot
        case p.Let():
            yield read(row.value), slot
        case p.Choose() | p.Pick():
            yield read(row.domain), slot
        case p.Draw():
            yield [("zone", row.zone, 0)], slot
        case p.Secret():
            yield read(row.domain), ("slot", id, row.candidate_slot)
            if isinstance(row, p.SecretForSome):
                yield [TOLD], slot
        case p.Peek() | p.SecretRoll() | p.SecretRollEach() | p.SecretRollSummed():
            yield [TOLD], slot
        case p.Operate():
            yield from ((read(arg), slot) for arg in row.args)
            yield from _handed(read, row.args, "given", row.operation)
        case p.Announce() | p.Replaceable():
            yield from _handed(read, row.args, "given", row.event)
        case p.Use():
            yield from _handed(read, row.args, "slot", row.routine)
            yield [("result", row.routine, 0)], slot
        case p.SetScope():
            yield read(row.value), ("scope", row.name, 0)
        case p.UsePower():
            yield from ((read(value), ("scope", name, 0)) for name, value in row.scope)


def _handed(
    read: Callable[[Expr], Iterable[Source]], args: Iterable[Expr], kind: str, to: str
) -> Iterator[tuple[Iterable[Source], Source]]:
    return ((read(arg), (kind, to, number)) for number, arg in enumerate(args))


def _leads_in_function(function: p.Function) -> _Leads:
    target = ("function", function.id, 0)
    # Arguments are tracked at each call.
    sources = (source for source in _read("", function.body) if source[0] != "slot")
    return _Leads({}, [(source, target) for source in sources])


def _read(routine: str, expr: Expr, shown: Slots = NO_SLOTS) -> Iterator[Source]:
    """The sources that an expression reads, less slots `shown`; a zone's length is public."""
    waiting = [expr]
    while waiting:
        one = waiting.pop()
        match one:
            case ("slot", number) if number not in shown:
                yield "slot", routine, number
            case ("count", ("zone", *_) as zone):
                one = zone
            case (form, name, *_) if form in _NAMED:
                yield _NAMED[form], name, 0
        waiting += children(one)


_in_routine = OfPart(_leads_in_routine)
_in_function = OfPart(_leads_in_function)


def _answers(program: Program) -> Mapping[str, list[str]]:
    """The routines that replace each operation or power, or respond to each moment."""
    found = defaultdict[str, list[str]](list)
    for one in program.replacements:
        found[one.operation].append(one.routine)
    operations = {one.name for one in program.operations}
    for trigger in program.triggers:
        if trigger.event not in operations:
            found[trigger.event].append(trigger.routine)
    return found
