"""The reads and changes of an answer to an event, through all that it uses and triggers.

Two answers commute unless one changes what the other reads, or both change the same, in ways that do
not commute. Output does not count. Two values of one event are assumed to be different things; a value
and any unknown one are assumed to be possibly the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import product
from typing import NamedTuple

from ruleloom.compiler.flow.context import Body
from ruleloom.compiler.summary.summaries import Summaries
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import children, expressions_of, mentions, slots_read, transform
from ruleloom.runtime.program.program import Expr

ENDING = "the end of the game"
COMMUTING = frozenset({"adds", "takes", "moves", "multiplies", "lowest", "highest"})
"""The kinds of changes that commute with their own kind, for any operand."""
BOUNDED = "adds within bounds"
"""The kind of a change that commutes with another by the same operation."""
OLD: Expr = ("old",)
"""The old value, in an expression for the new one."""
ANY: Expr = ("any",)
"""An unknown thing; any other expression is that thing."""
ONLY: Expr = ("value", "")
"""The owner of something unique, such as a variable of the game."""


class Read(NamedTuple):
    """A read: a column of a thing (for a `key`), a player's zone, or a variable."""

    what: str
    of: Expr
    key: Expr = ANY


class Written(NamedTuple):
    """A change of the same; `how` is its kind, `value` the new value, over `OLD`."""

    what: str
    of: Expr
    key: Expr
    how: str
    value: Expr


class Effects(Frozen):
    """The reads and changes of a part, in terms of its slots."""

    reads: frozenset[Read] = frozenset()
    changes: frozenset[Written] = frozenset()

    def __or__(self, other: Effects) -> Effects:
        return Effects(self.reads | other.reads, self.changes | other.changes)

    def told(self, args: Sequence[Expr]) -> Effects:
        """The effects with slots replaced by arguments."""
        given = partial(_given, known=dict(enumerate(args)))
        reads = (Read(one.what, given(one.of), given(one.key)) for one in self.reads)
        changes = (
            one._replace(of=given(one.of), key=given(one.key), value=given(one.value))
            for one in self.changes
        )
        return Effects(frozenset(reads), frozenset(changes))

    def renamed(self, old: str, new: str) -> Effects:
        """The effects with a variable renamed."""
        reads = (one._replace(what=new) if one.what == old else one for one in self.reads)
        changes = (one._replace(what=new) if one.what == old else one for one in self.changes)
        return Effects(frozenset(reads), frozenset(changes))


NOTHING = Effects()


class Act(NamedTuple):
    """One act of a routine: an operation, a power used, a variable set, a draw."""

    form: str
    name: str
    effects: Effects
    later: Effects = NOTHING
    """The effects of the answers to it."""

    @property
    def all(self) -> Effects:
        """Its own effects, and those of the answers."""
        return self.effects | self.later


class Interference(NamedTuple):
    """The conflict of two answers over `what`, with the acts that change it."""

    what: str
    first: Act | None
    second: Act | None
    """None if the answer only reads it."""


class Doings(NamedTuple):
    """The acts of a routine in order, and its reads in between."""

    reads: frozenset[Read]
    acts: tuple[Act, ...]

    @property
    def effects(self) -> Effects:
        """The union of the effects."""
        return Effects(self.reads) | union(act.all for act in self.acts)

    def each(self, change: Callable[[Effects], Effects]) -> Doings:
        """The doings, mapped by `change`."""
        acts = (
            one._replace(effects=change(one.effects), later=change(one.later)) for one in self.acts
        )
        return Doings(change(Effects(self.reads)).reads, tuple(acts))

    def clash(self, other: Doings) -> Interference | None:
        """A conflict of these two, if they do not commute; else None."""
        for act in other.acts if self.acts else ():
            for what in read_and_changed(self.reads, act.all.changes):
                return Interference(what, None, act)
        for act in self.acts if other.acts else ():
            for what in read_and_changed(other.reads, act.all.changes):
                return Interference(what, act, None)
        return next(filter(None, (_clash(a, b) for a in self.acts for b in other.acts)), None)


def _clash(one: Act, other: Act) -> Interference | None:
    alike = (one.form, one.name) == (other.form, other.name)
    if alike and one.form == "use":
        return None  # two uses of a power are its own affair
    if alike:
        return _twice_changed(one, other, one.effects, other.effects, one.form == "do")
    for what in read_and_changed(one.all.reads, other.all.changes):
        return Interference(what, None, other)
    for what in read_and_changed(other.all.reads, one.all.changes):
        return Interference(what, one, None)
    return _twice_changed(one, other, one.all, other.all, alike=False)


def _twice_changed(
    one: Act, other: Act, mine: Effects, others: Effects, alike: bool
) -> Interference | None:
    for change, twin in product(mine.changes, others.changes):
        if _is_same(change, twin) and not _commute(change, twin, alike):
            return Interference(change.what, one, other)
    return None


def read_and_changed(reads: frozenset[Read], changes: frozenset[Written]) -> Iterator[str]:
    """Yield the names that are both read and changed."""
    for one in sorted(changes, key=repr):
        if any(_is_same(read, one) for read in reads):
            yield one.what


def _is_same(one: Read | Written, other: Read | Written) -> bool:
    """Whether two places may be the same."""
    return one.what == other.what and _may_be(one.of, other.of) and _may_be(one.key, other.key)


def _may_be(one: Expr, other: Expr) -> bool:
    known = ("value", "record", "slot")
    return one == other or one[0] not in known or one[0] != other[0]


def _commute(one: Written, other: Written, alike: bool) -> bool:
    """Whether two changes commute: both of a commuting kind, or the same change."""
    if one.how != other.how:
        return False
    if one.how in COMMUTING or (alike and one.how == BOUNDED):
        return True
    return one.value == other.value and not mentions(one.value, ANY)


def in_terms_of_old(value: Expr, old: Expr, known: Mapping[int, Expr]) -> Expr:
    """A new value in terms of `OLD`; ANY if part of it is unknown."""
    return _given(value, known, old)


def _given(expr: Expr, known: Mapping[int, Expr], old: Expr | None = None) -> Expr:
    """An expression with its slots replaced by `known`, and `old` by `OLD`; ANY if part of it is unknown."""

    def given(part: Expr) -> Expr:
        if part == old:
            return OLD
        return known.get(part[1], ANY) if part[0] == "slot" else part

    found = transform(expr, given)
    return ANY if found != ANY and found[0] != "list" and mentions(found, ANY) else found


def union(parts: Iterable[Effects]) -> Effects:
    found = [*parts]
    reads = frozenset[Read]().union(*(one.reads for one in found))
    return Effects(reads, frozenset[Written]().union(*(one.changes for one in found)))


def known_thing(expr: Expr, known: Mapping[int, Expr]) -> Expr:
    """A thing in terms of known values; ANY if it is unknown."""
    named = ("slot", "value", "record", "scope", "field", "setting", "list")
    return _given(expr, known) if expr[0] in named else ANY


class Analysis:
    """The effects of the routines, operations and functions of a game, each computed once.

    A recursive part counts once. Rules that always hold are left out: they are applied after every
    operation, by any player.
    """

    def __init__(self, summaries: Summaries, body: Callable[[str], Body | None]) -> None:
        self.summaries, self.symbols, self._body = summaries, summaries.symbols, body
        self._doings: dict[str, Doings] = {}
        self._functions: dict[str, frozenset[Read]] = {}
        self._open: set[str] = set()
        self._names = {one.id: name for name, one in self.symbols.callables.items()}

    def doings(self, routine: str) -> Doings:
        """The doings of a routine, in terms of its parameters."""
        if routine not in self._doings:
            known = self.summaries.routines.get(routine)
            if known is None or routine in self._open:
                return Doings(frozenset(), ())
            self._open.add(routine)
            self._doings[routine] = _Walk(self, known).doings()
            self._open.discard(routine)
        return self._doings[routine]

    def effects(self, routine: str) -> Effects:
        """The union of the effects of a routine."""
        return self.doings(routine).effects

    def event(self, name: str, args: Sequence[Expr]) -> Effects:
        """The effects of the answers to an event."""
        found = []
        for one in self.summaries.answers.get(name, ()):
            if isinstance(one, program.Trigger) and one.timing != "immediately":
                continue
            asked = self.reads(one.where, len(args)) if one.where is not None else frozenset()
            found.append((self.effects(one.routine) | Effects(asked)).told(args))
        return union(found)

    @cached_property
    def any_power(self) -> Effects:
        """The effects of the power of any record."""
        powers = (power for entity in self.summaries.entities for power in entity.powers if power)
        return union(self.effects(power).told(()) for power in powers)

    def reads(self, expr: Expr, params: int) -> frozenset[Read]:
        """The reads of an expression over `params` values."""
        return frozenset(self.read_by(expr, _params(params)))

    def read_by(self, expr: Expr, known: Mapping[int, Expr]) -> Iterator[Read]:
        """Yield the reads of an expression, given the values of slots."""
        match expr:
            case ("lookup", ("field", column, of), key):
                # An entry of a table: the table itself is not read.
                yield Read(column, known_thing(of, known), known_thing(key, known))
                yield from (*self.read_by(of, known), *self.read_by(key, known))
                return
            case ("function" | "allowed", id, *args):
                told = [known_thing(arg, known) for arg in args]
                yield from Effects(self._function(id)).told(told).reads
            case ("query", name, *_):
                yield from (Read(column, ANY) for column in self.symbols.callables[name].reads)
            case ("field", column, of):
                yield Read(column, known_thing(of, known))
            case ("zone", zone, owner):
                yield Read(zone, ONLY if owner is None else known_thing(owner, known))
            case ("at", zone, _):
                yield Read(zone, ANY)
            case ("scope", name):
                yield Read(name, ONLY)
        for part in children(expr):
            yield from self.read_by(part, known)

    def _function(self, id: str) -> frozenset[Read]:
        if id not in self._functions:
            name = self._names.get(id, "")
            body = self._body(name) if name else None
            size = len(self.symbols.callables[name].params) if name else 0
            self._functions[id] = self.reads(body.expr, size) if body is not None else frozenset()
        return self._functions[id]

    def operation(self, name: str) -> Effects:
        """The effects of an operation alone, over its parameters."""
        one = self.symbols.operations[name]
        if one.sets is None:
            return Effects(changes=frozenset(self._driven(name)))
        size, effects = len(one.params), NOTHING
        for assignment in self.summaries.assignments.get(name, ()):
            effects |= self._assigned(assignment, size)
        for move in self.summaries.moves.get(name, ()):
            owner = move.owner if move.owner is not None else ONLY
            moved = known_thing(("slot", move.thing), _params(size))
            zone = self.symbols.zones[move.zone]
            goal: Expr = ("list", ("value", zone.name), known_thing(owner, _params(size)))
            others = (z.name for z in self.symbols.zones.values() if z.of == zone.of)
            found = {Written(f"where {zone.of} lies", moved, ONLY, "sets", goal)}
            found |= {Written(other, ANY, ANY, "moves", ANY) for other in others}
            effects |= Effects(changes=frozenset(found))
        return effects

    def _assigned(self, one: program.Assignment, size: int) -> Effects:
        known = _params(size)
        field: Expr = ("field", one.field, one.of)
        old = field if one.key is None else ("lookup", field, one.key)
        of = known_thing(one.of, known)
        if one.of == ("slot", size):
            # A new thing is not shared yet.
            return Effects(changes=frozenset({Written(one.field, ANY, ANY, "moves", ANY)}))
        key = known_thing(one.key, known) if one.key is not None else ANY
        how, rest = _how(one.value, old)
        reads = {read for part in rest for read in self.reads(part, size) if read.what != one.field}
        value = in_terms_of_old(one.value, old, known)
        change = Written(one.field, of, key, how, value)
        return Effects(frozenset(reads), frozenset({change}))

    def _driven(self, name: str) -> Iterator[Written]:
        """Yield the declared changes of a driver's operation."""
        one = self.symbols.operations[name]
        for column in one.changes:
            entity = column.partition(".")[0]
            if column in self.symbols.zones:
                yield Written(column, ANY, ANY, "moves", ANY)
                continue
            places = [
                place
                for place, param in enumerate(one.params)
                if param.name in one.touches and param.type.name == entity
            ]
            of: Expr = ("slot", places[0]) if len(places) == 1 else ANY
            rest = (("slot", place) for place in range(len(one.params)) if ("slot", place) != of)
            yield Written(column, of, ANY, "sets", ("list", ("value", name), *rest))


def _params(size: int) -> Mapping[int, Expr]:
    return {slot: ("slot", slot) for slot in range(size)}


def _how(value: Expr, old: Expr) -> tuple[str, Sequence[Expr]]:
    """The kind of a change from the old to the new value, and the other parts that it reads."""
    if not mentions(value, old):
        return "sets", (value,)
    match value:
        case ("+" | "-" | "join" | "with_dice", first, rest) if first == old:
            how = "adds"
        case ("without" | "without_dice", first, rest) if first == old:
            how = "takes"
        case ("*", first, rest) if first == old:
            how = "multiplies"
        case ("+" | "*" as sign, rest, last) if last == old:
            how = "adds" if sign == "+" else "multiplies"
        case ("each", "lowest" | "highest" as how, None, _, ("list", first, last), None):
            rest = last if first == old else first
            if old not in (first, last):
                return BOUNDED if _adds(value, old) else "reckons", (value,)
        case _:
            return "reckons", (value,)
    return (how, (rest,)) if not mentions(rest, old) else ("reckons", (value,))


def _adds(value: Expr, old: Expr) -> bool:
    """Whether a new value is the old one with additions, within bounds."""
    match value:
        case ("+" | "-", first, rest):
            return _adds(first, old) and not mentions(rest, old)
        case ("each", "lowest" | "highest", None, _, ("list", first, last), None):
            one, rest = (first, last) if mentions(first, old) else (last, first)
            return _adds(one, old) and not mentions(rest, old)
    return value == old


class _Walk:
    """The analysis of the rows of a routine."""

    def __init__(self, analysis: Analysis, routine: program.Routine) -> None:
        self.analysis, self.routine = analysis, routine
        self.rows = [row for row in routine.rows if not isinstance(row, program.Say | program.Tell)]
        self.opened = {
            row.slot: row.value[1]
            for row in self.rows
            if isinstance(row, program.Let) and row.value[0] == "scope" and " " in row.value[1]
        }
        """The slots with the open value of a moment, and the variable of each."""
        self.known = self._known()
        self.needed = self._needed()

    def _known(self) -> dict[int, Expr]:
        """The slots with one known value throughout."""
        written = Counter(getattr(row, "slot", -1) for row in self.rows)
        known: dict[int, Expr] = {
            slot: ("slot", slot) for slot in range(len(self.routine.params)) if not written[slot]
        }
        for row in self.rows:
            if isinstance(row, program.Let) and written[row.slot] == 1:
                known.setdefault(row.slot, known_thing(row.value, known))
        return known

    def _needed(self) -> set[int]:
        """The slots that affect acts, not only output."""
        needed: set[int] = set()
        while True:
            found = {
                slot
                for row in self.rows
                if not isinstance(row, program.Let) or row.slot in needed
                for expr in _asked(row)
                for slot in slots_read(expr)
            }
            if found <= needed:
                return needed
            needed |= found

    def doings(self) -> Doings:
        reads: set[Read] = set()
        acts: list[Act] = []
        for row in self.rows:
            if isinstance(row, program.SetScope) and " " in row.name:
                continue  # this only passes a value
            acts += self._acts(row)
            if not isinstance(row, program.SetScope):
                reads.update(self._reads_of(row))
        for slot, variable in self.opened.items():
            lets = (row for row in self.rows if isinstance(row, program.Let) and row.slot == slot)
            # Is this text an answer, rather than the one that raises the moment?
            if slot < len(self.routine.params) and next(lets).value == ("scope", variable):
                reads.update(self._reads_of_open(slot, variable))
                acts += self._acts_on_open(slot, variable)
        done = tuple(act for act in acts if act.effects.changes or act.later.changes)
        return Doings(frozenset(reads), done)

    def _reads_of(self, row: program.Row) -> Iterator[Read]:
        if isinstance(row, program.Let) and (
            row.slot not in self.needed or row.slot in self.opened
        ):
            return
        for expr in _asked(row):
            yield from self._reads(expr)

    def _reads(self, expr: Expr) -> set[Read]:
        return set(self.analysis.read_by(expr, self.known))

    def _acts(self, row: program.Row) -> Iterator[Act]:
        analysis = self.analysis
        match row:
            case program.SetScope(name=name, value=value):
                yield self._set(name, value, ("scope", name))
            case program.Operate(operation=name, args=args):
                yield self._operated(name, self._args(args))
            case (
                program.Announce(event=name, args=args) | program.Replaceable(event=name, args=args)
            ):
                yield Act("do", name, analysis.event(name, self._args(args)))
            case program.Use(routine=id, args=args) if analysis.doings(id).acts:
                yield Act("use", id, analysis.effects(id).told(self._args(args)))
            case program.UsePower():
                yield Act("use", "power of", analysis.any_power)
            case program.Draw(pile=pile, zone=zone):
                places = frozenset(Written(one, ANY, ANY, "moves", ANY) for one in (pile, zone))
                yield Act("draw", pile, Effects(changes=places), analysis.event("drawn", (ANY,)))
            case program.Put(things=things, end=end, pile=pile):
                laid: Expr = ("list", ("value", end), known_thing(things, self.known))
                yield _changing("put", pile, Written(pile, ANY, ANY, "sets", laid))
            case program.Finish(winner=winner):
                value = known_thing(winner or ONLY, self.known)
                yield _changing("finish", "", Written(ENDING, ONLY, ONLY, "sets", value))
            case program.Rank():
                yield _changing("finish", "", Written(ENDING, ONLY, ONLY, "sets", ANY))

    def _operated(self, name: str, told: Sequence[Expr]) -> Act:
        analysis = self.analysis
        later, signature = analysis.event(name, told), analysis.symbols.operations[name]
        for place, param in enumerate(signature.params):
            if param.name in signature.touches:
                later |= analysis.event("touched", told[place : place + 1])
        return Act("do", name, analysis.operation(name).told(told), later)

    def _args(self, args: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(known_thing(arg, self.known) for arg in args)

    def _set(self, name: str, value: Expr, old: Expr) -> Act:
        """A variable set to a value computed from `old`."""
        how, rest = _how(value, old)
        reads = (one for part in rest for one in self._reads(part) if one.what != name)
        change = Written(name, ONLY, ONLY, how, in_terms_of_old(value, old, self.known))
        return Act("set", name, Effects(frozenset(reads), frozenset({change})))

    def _reads_of_open(self, slot: int, variable: str) -> Iterator[Read]:
        """The read of an open value used beyond its own change."""
        for row in self.rows:
            is_own = isinstance(row, program.Let) and row.slot == slot
            handed_back = isinstance(row, program.SetScope) and row.name == variable
            if (
                not is_own
                and not handed_back
                and any(mentions(e, ("slot", slot)) for e in _asked(row))
            ):
                yield Read(variable, ONLY)

    def _acts_on_open(self, slot: int, variable: str) -> Iterator[Act]:
        setting = [row for row in self.rows if getattr(row, "slot", -1) == slot]
        lets = [row.value for row in setting if isinstance(row, program.Let)]
        if len(lets) < len(setting):
            yield _changing("set", variable, Written(variable, ONLY, ONLY, "sets", ANY))
        yield from (self._set(variable, value, ("slot", slot)) for value in lets[1:])


def _changing(form: str, name: str, change: Written) -> Act:
    return Act(form, name, Effects(changes=frozenset({change})))


def _asked(row: program.Row) -> list[Expr]:
    """The expressions of a row, except those only shown to players."""
    if isinstance(row, program.Choose | program.Ask):
        row = replace(row, usual=None)
    if isinstance(row, program.Choose | program.Modal):
        row = replace(row, showing=())
    if isinstance(row, program.Choose | program.Modal | program.Secret | program.Ask):
        row = replace(row, prompt="")
    if isinstance(row, program.Finish | program.Ensure):
        row = replace(row, reason="")
    return expressions_of(row)
