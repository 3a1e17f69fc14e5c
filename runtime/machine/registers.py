"""One run of the machine: its registers, its frames, its operations and their events."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from ruleloom.runtime.link.link import (
    Linked,
    LinkedAlways,
    LinkedAssignment,
    LinkedMaker,
    LinkedOperation,
)
from ruleloom.runtime.link.ops import bounded, kept_ends, several, with_member, without_member
from ruleloom.runtime.link.symbolic_pools import seen
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.program.faults import RuntimeFault, TooMuchWork
from ruleloom.runtime.program.program import (
    MOST_REPLACED,
    Choose,
    Expr,
    Origin,
    Pick,
    Replacement,
    Row,
    Secret,
)
from ruleloom.runtime.program.state import NO_RULES, Event, Frame, Mark, Queued, State
from ruleloom.runtime.program.values import (
    Column,
    Dynamic,
    Reading,
    Rules,
    Scope,
    Value,
    World,
    with_entry,
)

NO_NUMBERS = frozenset((bool, str, type(None)))


def carried_out(
    op: LinkedOperation, world: World, args: tuple[Value, ...], scope: Scope, rules: frozenset[str]
) -> tuple[World, int | None]:
    """The world after an operation, and any new thing; values are computed before any is set."""
    if op.maker is None and not op.sets and not op.moves:
        return world, None
    made = None
    if op.maker is not None:
        made = first_free(op.maker, world)
        args = (*args, made)
    columns = list(world)
    becomes = op.becomes(world, args, scope, rules)
    owners = op.owners(world, args, scope, rules) if op.moves else ()
    if op.maker is not None and made is not None:
        for number, initial in op.maker.begins:
            if columns[number][made] is not initial:
                columns[number] = with_entry(columns[number], made, initial)
    for one, (of, key, value) in zip(op.sets, becomes, strict=True):
        _assign(columns, one, of, key, value)
    for move, owner in zip(op.moves, owners, strict=True):
        for thing in several(args[move.thing]):
            for number, kind in move.sources:
                columns[number] = without_member(columns[number], kind, thing)
            columns[move.column] = with_member(columns[move.column], thing, owner)
    return tuple(columns), made


def first_free(maker: LinkedMaker, world: World) -> int | None:
    """The first absent thing of a kind; None if all are in play."""
    there = enumerate(world[maker.present])
    return next((number for number, value in there if value is None), None)


def _assign(
    columns: list[Column], one: LinkedAssignment, of: int, key: Value, value: Value
) -> None:
    if value.__class__ is int:  # nearly always an int within bounds, or no number
        if not one.least <= value <= one.greatest:
            one.hold(value)
    elif value.__class__ not in NO_NUMBERS:
        one.hold(value)
    column = columns[one.column]
    if one.keyed:
        value = column[of].with_entry(key, value, one.unset)
    # An unchanged column must stay the same object: caches depend on its identity.
    if column[of] is not value:
        columns[one.column] = with_entry(column, of, value)


GONE = "something this needs is no longer there"
ASK, BARRIER, DEAD, OVER = "ask", "barrier", "dead", "over"
MOST_DEPTH = 64
# A named tuple is built twice as fast without its own constructor, which adds defaults; runs make
# thousands.
new = tuple.__new__
MOST_SETTLING = 1_000
# The most responses to one event that are stacked; with more of them, each waits its turn.
MOST_STACKED = 16

Args = tuple[Value, ...]
Bindings = tuple[tuple[int, Value], ...]


class Suspension(NamedTuple):
    """The reason why a run stopped. `found` are the raw options of an ASK, `reason` explains a DEAD end.

    `dice` is the source after the run, or None, `cast` its answers with their types; `marks` are its
    restore points and those of uses begun in it.
    """

    kind: str
    state: State
    found: tuple[Dynamic, ...]
    who: tuple[int, ...]
    reason: str
    events: tuple[Event, ...]
    dice: Xoshiro | None = None
    cast: tuple[tuple[str, Value], ...] = ()
    marks: tuple[Mark, ...] = ()


class Run:
    """The registers of one run; mutable, and discarded when the run stops.

    A live run with `dice` answers rolls and draws itself and records the answers with their types in
    `cast`. `asked` is the frame of the question that the run answers; `reply` the response, or else the
    text, in which a player other than the acting one answered it. The first of `marks` is the start of
    the run, or the last reveal; each use begun since has another.
    """

    __slots__ = (
        "asked", "begun", "cast", "dice", "events", "frame", "linked", "live", "marks",
        "outcome", "pc", "pending", "queue", "relaxed", "reply", "routine", "rules", "scope",
        "settling", "slots", "steps", "world",
    )  # fmt: skip

    def __init__(
        self, linked: Linked, state: State, live: bool, dice: Xoshiro | None = None
    ) -> None:
        self.linked = linked
        self.dice = dice
        self.cast: list[tuple[str, Value]] = []
        world, scope, frame, queue, self.begun, self.outcome = state
        self.world, self.scope, self.queue = world, scope, queue
        self.live = live
        self.frame = self.asked = frame
        self.reply: Frame | None = None
        self.events: list[Event] = []
        self.pending: list[tuple[int, Args, Value]] = []
        self.steps = 0
        self.settling = False
        self.marks = [new(Mark, (-1, world, scope, queue, 0))]  # what `mark` does
        if frame is not None:
            self.open(frame)

    def open(self, frame: Frame) -> None:
        """Make `frame` the running one."""
        self.frame = frame
        routine, self.pc, slots, _, _, inherited, relaxed, _, _, _ = frame
        self.routine = self.linked.routines[routine]
        self.slots = [*slots]
        self.relaxed = relaxed
        self.rules = inherited | relaxed if relaxed else inherited

    def close(self) -> Frame:
        """The current frame, as data."""
        assert self.frame is not None
        routine, _, _, parent, slot, inherited, _, restore, fuel, depth = self.frame
        slots = tuple(self.slots)
        return new(
            Frame,
            (routine, self.pc, slots, parent, slot, inherited, self.relaxed, restore, fuel, depth),
        )

    def state(self) -> State:
        """The whole state, as data."""
        frame = self.close() if self.frame is not None else None
        return new(State, (self.world, self.scope, frame, self.queue, self.begun, self.outcome))

    def mark(self, depth: int) -> None:
        """Record a restore point for a use that begins now at this depth."""
        at = (depth, self.world, self.scope, self.queue, len(self.events))
        self.marks.append(new(Mark, at))

    def seal(self) -> None:
        """Discard all restore points: after a reveal, nothing is undone."""
        at = (-1, self.world, self.scope, self.queue, len(self.events))
        self.marks = [new(Mark, at)]

    def restore(self, depth: int) -> None:
        """Undo everything back to the start of the use at this depth, or to the last reveal."""
        mark = next((one for one in self.marks if one.depth == depth), self.marks[0])
        _, self.world, self.scope, self.queue, told = mark
        del self.events[told:]

    @property
    def row(self) -> Row:
        """The current row."""
        return self.routine.rows[self.pc]

    @property
    def reading(self) -> Reading:
        """An expression's inputs here."""
        return self.world, self.slots, self.scope, self.rules

    def value(self, expr: Expr | None) -> Dynamic:
        """The value of an expression here; none for None."""
        if expr is None:
            return None
        linked = self.linked
        function = linked.functions.get(id(expr)) or linked.compiled(expr)
        return function(self.world, self.slots, self.scope, self.rules)

    def given(self, args: tuple[Expr, ...]) -> Args:
        """The argument values of an operation or moment."""
        return self.linked.given(args)(self.world, self.slots, self.scope, self.rules)

    def options(self, row: Choose | Secret | Pick) -> list[Value]:
        """The candidates of a row here that pass its conditions."""
        return self.linked.options(row)(self.world, self.slots, self.scope, self.rules)

    def take(self, slot: int, value: Value) -> Suspension | None:
        """Store a value in a slot and advance to the next row; never suspends."""
        self.slots[slot] = value
        self.pc += 1
        return None

    def bounded(self, name: str, expr: Expr) -> tuple[int, Value]:
        """The index of a variable, and a value checked against its bounds."""
        value, bounds = self.value(expr), self.linked.codegen.bounds.get(name)
        return self.linked.scope_index[name], value if bounds is None else bounded(value, *bounds)

    def bind(self, values: Iterable[tuple[int, Value]]) -> None:
        """Set some scope variables, by index."""
        for index, value in values:
            self.scope = with_entry(self.scope, index, value)

    def bind_watched(self, values: Collection[tuple[int, Value]]) -> None:
        """The same, and enforce the always-rules that read one of them."""
        self.bind(values)
        if not self.linked.watched.isdisjoint(index for index, _ in values):
            settle(self)

    def replaces(self, event: str, args: Args, by: int | None = None) -> bool:
        """Run the first replacement of an operation (of `by`) or moment that applies, if any."""
        one = self.replacing(event, args)
        if one is None:
            return False
        routine = self.linked.routine_index[one.routine]
        self.respond(routine, args, self.within(one, by), self.past)
        return True

    def within(self, one: Replacement, by: int | None) -> Rules:
        """The rules lifted within a replacement, and a mark of the original doer."""
        return self.rules | {one.id} | (set() if by is None else {_mark_of(one, by)})

    def giver(self, operation: str) -> int | None:
        """The doer of an operation within its own replacement; None for me."""
        for one in self.linked.replacements.get(operation, ()):
            if one.id in self.rules:
                players = range(len(self.linked.layout.players))
                return next((by for by in players if _mark_of(one, by) in self.rules), None)
        return None

    def replacing(self, event: str, args: Args) -> Replacement | None:
        """The first replacement that applies; none applies within itself."""
        found = self.linked.replacements.get(event)
        if found is None or len(self.rules & self.linked.marks) >= MOST_REPLACED:
            return None
        scope = self.looking_back
        for one in found:
            if one.id not in self.rules and self._holds(one.where, args, scope, self.rules):
                return one
        return None

    @property
    def past(self) -> Value:
        """The world that responses look back to: that before the things which happen together."""
        at = self.linked.together
        held: Dynamic = self.scope[at] if at is not None else None
        return (True, held[1]) if held and not held[0] else None

    @property
    def looking_back(self) -> Scope:
        """The variables for conditions of responses to the current event."""
        at = self.linked.together
        if at is None or self.scope[at] is None:
            return self.scope
        return with_entry(self.scope, at, self.past)

    def respond(self, routine: int, args: Args, rules: Rules, past: Value) -> None:
        """Run a response next, outside any simultaneous group of its cause."""
        parent = self.close() if self.frame is not None else None
        wanted = ((self.linked.together, past), (self.linked.doer, None))
        bound = [(at, v) for at, v in wanted if at is not None and self.scope[at] != v]
        restore = tuple([(at, self.scope[at]) for at, _ in bound])
        self.push(routine, args, parent, -1, rules, restore, parent.fuel if parent else 0)
        if bound:
            self.bind(bound)

    def push(
        self, routine: int, args: Args, parent: Frame | None, slot: int, rules: Rules,
        restore: Bindings, fuel: int,
    ) -> None:  # fmt: skip
        """Begin a routine on top of the waiting frame."""
        depth = parent.depth + 1 if parent is not None else 0
        if depth > MOST_DEPTH:
            raise TooMuchWork(f"powers that use powers more than {MOST_DEPTH} deep")
        self.mark(depth)
        begun = self.routine = self.linked.routines[routine]
        self.pc = 0
        self.slots = [*args, *begun.blank[len(args) :]]
        self.relaxed = NO_RULES
        self.rules = rules
        # `close` takes the slots of the run.
        at = (routine, 0, begun.blank, parent, slot, rules, NO_RULES, restore, fuel, depth)
        self.frame = new(Frame, at)

    def leave(self, result: Value) -> None:
        """End the running routine and continue in its caller, or between flows."""
        assert self.frame is not None
        routine, _, _, parent, slot, _, lifted, restore, _, depth = self.frame
        if self.marks[-1][0] == depth:
            self.marks.pop()
        if restore:
            self.bind_watched(restore)
        reply = self.reply
        if reply is not None and reply.parent is parent and reply.routine == routine:
            self.seal()
        if parent is None:
            self.frame = None
            return
        self.open(parent)
        if slot >= 0:
            self.slots[slot] = result
        if lifted:
            settle(self)
        if self.queue:
            self.go_on_waiting()
        if self.pending:
            self.interrupt()

    def release(self) -> None:
        """Start the oldest waiting trigger; the others follow it."""
        if self.frame is None or not self.waits_here():  # else an `Apart` comes first
            self.run_waiting(0)

    def waits_here(self) -> list[int]:
        """The queue positions of the running frame's responses."""
        assert self.frame is not None
        below = self.frame.depth + 1
        return [at for at, one in enumerate(self.queue) if one.depth == below]

    def go_on_waiting(self) -> None:
        """Run the next response for the running frame, or the outermost use."""
        waiting = self.waits_here()
        if waiting:
            self.run_waiting(waiting[0])
        elif self.frame is not None and self.frame.parent is None:
            self.run_waiting(0)

    def run_waiting(self, at: int) -> None:
        """Run the queue entry at this position."""
        waiting = [at]
        while waiting:
            one = self.queue[waiting[0]]
            self.queue = (*self.queue[: waiting[0]], *self.queue[waiting[0] + 1 :])
            replaced = self.linked.replaced.get(one.routine)
            if replaced is None or self._applies(replaced[1], one):
                self.respond(one.routine, one.args, one.rules, one.past)
                return
            do_after_all(self, replaced[0], one)
            waiting = self.waits_here()

    def _applies(self, instead: Replacement, one: Queued) -> bool:
        """Does a waiting replacement still apply after others of that moment?"""
        at = self.linked.together
        scope = self.scope if at is None else with_entry(self.scope, at, one.past)
        return at is None or self._holds(instead.where, one.args, scope, one.rules)

    def _holds(self, where: Expr | None, args: Args, scope: Scope, rules: Rules) -> bool:
        """Does the condition of a response hold? None always does."""
        return where is None or self.linked.compiled(where)(self.world, args, scope, rules)

    @property
    def me(self) -> int | None:
        """The acting player."""
        player: int | None = self.scope[self.linked.me]
        return player

    @property
    def doer(self) -> int | None:
        """The doer here: the player the running power was handed to, or the acting one."""
        at = self.linked.doer
        handed: int | None = self.scope[at] if at is not None else None
        return self.me if handed is None else handed

    def tell(
        self, kind: str, name: str, args: tuple[Dynamic, ...], before: World,
        seen_by: tuple[int, ...] | None = None, origin: Origin | None = None, by: int | None = None,
    ) -> None:  # fmt: skip
        """Record an event for the log."""
        by = self.scope[self.linked.me] if by is None else by
        self.events.append(new(Event, (kind, name, args, before, self.world, by, seen_by, origin)))

    def happen(self, name: str, args: Args) -> None:
        """Match an event with the triggers: the immediate ones run first, others are queued."""
        found = self.linked.triggers.get(name)
        if not found:
            return
        scope = self.looking_back
        for trigger in found:
            if not self._holds(trigger.where, args, scope, self.rules):
                continue
            routine = self.linked.routine_index[trigger.routine]
            if trigger.timing == "immediately":
                self.pending.append((routine, args, self.past))
            else:
                self.queue = (*self.queue, Queued(routine, args, past=self.past))

    def interrupt(self) -> None:
        """Run the pending immediate triggers in order, before anything else."""
        if len(self.pending) > MOST_STACKED:
            gather(self, ())
            self.go_on_waiting()
        elif self.pending:
            for routine, args, past in reversed(self.pending):
                self.respond(routine, args, self.rules, past)
            self.pending.clear()


def _mark_of(one: Replacement, by: int) -> str:
    return f"{one.id} of player {by}"


def perform(
    r: Run, operation: LinkedOperation, args: Args, origin: Origin | None = None,
    by: int | None = None,
) -> Value:  # fmt: skip
    """Perform one operation for the line `origin`, and match its responses; `by` defaults to the acting
    player."""
    result = carry_out(r, operation, args, origin, by)
    if operation.touches or operation.info.name in r.linked.triggers:
        announce(r, operation, args, result)
    return result


def announce(r: Run, operation: LinkedOperation, args: Args, result: Value) -> None:
    """Match a completed operation with the triggers."""
    for position in operation.touches:
        r.happen("touched", (result if position < 0 else args[position],))
    r.happen(operation.info.name, args)


def carry_out(
    r: Run, operation: LinkedOperation, args: Args, origin: Origin | None, by: int | None
) -> Value:
    """Perform one operation: change the world, log it, enforce the always-rules."""
    before = r.world
    result: Value = None
    if operation.function is None:
        r.world, result = carried_out(operation, before, args, r.scope, r.rules)
    elif operation.info.result:
        r.world, result = operation.function(before, *args)
    else:
        r.world = operation.function(before, *args)
    if r.linked.ends and r.world is not before:
        r.world = kept_ends(r.linked.ends, before, r.world)
    told = args if result is None else (*args, result)
    r.tell("operation", operation.info.name, told, before, None, origin, by)
    if r.linked.always:
        settle(r, before)
    if operation.info.reveals:
        r.seal()
    return result


def begin_together(r: Run) -> None:
    """Fix the world that responders are judged by, unless a group is running already."""
    at = r.linked.together
    assert at is not None
    held: Dynamic = r.scope[at]
    if not held or held[0]:
        unseen = r.linked.unseen
        past = tuple([() if i in unseen else column for i, column in enumerate(r.world)])
        r.bind([(at, (False, past))])


def gather(r: Run, replaced: Iterable[tuple[Replacement, Args, int | None]]) -> None:
    """Queue replacements (with arguments and doer), and all immediate responses."""
    assert r.frame is not None
    below, rules, past = r.frame.depth + 1, r.rules, r.past
    index = r.linked.routine_index
    found = [
        Queued(index[one.routine], args, below, r.within(one, by), past, by)
        for one, args, by in replaced
    ]
    found += [Queued(routine, args, below, rules, then) for routine, args, then in r.pending]
    r.pending.clear()
    r.queue = (*r.queue, *found)


def missing(r: Run, operation: LinkedOperation, args: tuple[Dynamic, ...]) -> str:
    """The reason why an operation cannot be done; empty if it can."""
    for position, column in operation.entities:
        thing = args[position]
        if thing is None and operation.info.params[position][1].endswith("?"):
            continue  # an optional value that is none
        if thing is None or r.world[column][thing] is None:
            return GONE
    if operation.maker is not None and first_free(operation.maker, r.world) is None:
        return f"there are no more {operation.maker.plural}"
    return ""


def do_after_all(r: Run, operation: LinkedOperation, one: Queued) -> None:
    """Do a replaced operation whose replacement no longer applies, unless another replaces it."""
    before, rules = r.scope, r.rules
    past: Dynamic = one.past
    assert r.linked.together is not None
    r.bind([(r.linked.together, past and (False, past[1]))])
    r.rules = one.rules
    instead = r.replacing(operation.info.name, one.args)
    if instead is None and not missing(r, operation, one.args):
        perform(r, operation, one.args, by=one.by)
    gather(r, [] if instead is None else [(instead, one.args, one.by)])
    r.scope, r.rules = before, rules


def settle(r: Run, before: World | None = None) -> None:
    """Enforce the always-rules that read a column changed since `before`, until none is broken."""
    if r.settling:
        return
    r.settling = True
    try:
        for _ in range(MOST_SETTLING):
            broken = _first_broken(r, before)
            if broken is None:
                return
            rule, offender = broken
            r.steps += 1
            perform(r, rule.operation, rule.args(r.world, (offender,), r.scope, r.rules))
        raise TooMuchWork(f"the rule `{rule.name}` is broken again however often it is kept")
    finally:
        r.settling = False


def _first_broken(r: Run, before: World | None) -> tuple[LinkedAlways, Value] | None:
    """The first broken always-rule, with its first offender."""
    for rule in r.linked.always:
        if rule.name in r.rules:
            continue
        if before is None or any(r.world[i] is not before[i] for i in rule.reads):
            offenders = rule.offenders(r.world, (None,), r.scope, r.rules)
            if offenders:
                return rule, offenders[0]
    return None


def anything_gone(r: Run) -> bool:
    """Does a variable of the running routine hold a thing that is gone?"""
    seen(r.slots)  # an open face could be taken for a thing here, so resolve it
    lists = [slot if isinstance(slot, tuple) else (slot,) for slot in r.slots]
    held = {value for values in lists for value in values if isinstance(value, int)}
    columns = [r.world[number] for number in r.linked.presence]
    return any(i in range(len(column)) and column[i] is None for column in columns for i in held)


def stopped(
    r: Run, kind: str, found: tuple[Value, ...] = (), who: tuple[int, ...] = (), reason: str = ""
) -> Suspension:
    """This run's suspension, here."""
    return new(
        Suspension,
        (
            kind, r.state(), found, who, reason, tuple(r.events), r.dice, tuple(r.cast),
            tuple(r.marks),
        ),
    )  # fmt: skip


def readers(r: Run, seen_by: Expr | None) -> tuple[int, ...] | None:
    """The players who may read something, or None for everybody."""
    return None if seen_by is None else several(r.value(seen_by))


def player_asked(r: Run, by: Expr | None) -> tuple[int, ...]:
    """The player who answers: the value of an expression, or the acting one."""
    player = r.scope[r.linked.me] if by is None else r.value(by)
    if player is None:
        raise RuntimeFault("nobody is there to answer", r.row.origin)
    return (player,)
