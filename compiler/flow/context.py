"""The state of the checker in one text: names, slots, flow, and rows so far.

Rules and measures are checked on their first use; `Functions` caches their bodies, and raises `Circle`
if they are recursive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import field, replace
from itertools import accumulate
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Notes, Report
from ruleloom.compiler.flow.cost import Call, Cost, Flat
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, Flow, Local, ZoneRead
from ruleloom.compiler.packs.content import slug_of
from ruleloom.compiler.query.lookups import BODY, NEVER_SAME, Lookups, Remembered, Table
from ruleloom.compiler.resolve.embedded import Meaning, Passage, meaning_of
from ruleloom.compiler.resolve.symbols import OpenSet, Signature, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Span, SyntaxNode
from ruleloom.compiler.types import UNKNOWN, fits, is_unknown, spoken
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee, Reads, calls, depth, mentions, reached
from ruleloom.runtime.program.interval import ANY_NUMBER, Interval
from ruleloom.runtime.program.values import Type

DEEPEST_CALLS = 24
FunctionFacts = tuple[tuple[str, Any], ...]
Spot = SyntaxNode | Span
# The expression for a reported error. It never gets into a program, since there is an error.
BROKEN: program.Expr = ("broken",)
# The nesting limit of an expression, a little below the machine's limit for a save; the default of
# a parameter is nested in others.
MOST_NESTED, MOST_NESTED_DEFAULT = 60, 30
TOO_DEEP = "(too deep)"
MISMATCHED = "type of "
"""The prefix, before the name of a local, of a note that its type was reported."""
# The lowered arguments in parameter order; None after an error.
Arguments = tuple[program.Expr, ...] | None
# Makes the template of a refusal from a lowered condition and the chooser (None: me).
Reason = Callable[["Context", program.Expr, program.Expr | None, bool], program.Template]


class Body(Frozen):
    """A lowered rule or measure: slots 0, 1, ... are its parameters.

    `zones` are the zones it reads. It is not `sound` if part of it was reported.
    """

    expr: program.Expr
    zones: tuple[ZoneRead, ...]
    sound: bool = True


class Circle(Exception):
    """A recursive rule or measure; `names` are the circle."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(names)
        self.names = names


class TooDeep(Exception):
    """Rules and measures are nested more than `DEEPEST_CALLS` deep."""


class Functions:
    """The bodies of rules and measures by name; None for a broken one.

    By id: `work` is the number of evaluations each may take, besides those `once` of measures without
    parameters that the machine caches, of which it needs `asked`; `nesting` is its call depth, `spans`
    and `lengths` bound its result, `lasting` bounds it whatever packs add, `limits` are the bounds that
    a stat declares, `reads` its reads. `views` are the same under other settings.
    """

    def __init__(self, check: Callable[[str], Body | None], lookups: Lookups) -> None:
        self.work = Table[str, int]()
        self.once = Table[str, int]()
        self.asked = Table[str, frozenset[str]]()
        self.reads = Table[str, Reads]()
        self.nesting = Table[str, int]()
        self.limits = Table[str, Interval]()
        self.lasting = Remembered[str, Interval](lookups)
        self.spans = Remembered[str, Interval | None](lookups)
        self.lengths = Remembered[str, int | None](lookups)
        self.views: dict[frozenset[str], tuple[Symbols, Functions]] = {}
        self.lookups = lookups
        names = ("work", "once", "asked", "reads", "nesting", "limits")
        self.tables: dict[str, Table[str, Any]] = {
            f"function {name}": getattr(self, name) for name in names
        }
        """The tables of facts by function id, by table name."""
        for name, table in self.tables.items():
            table.watched(name, lookups)
        self._check = check
        self._known: dict[str, Body | None] = {}
        self._open: list[str] = []

    def body(self, name: str) -> Body | None:
        """The body of a rule or measure. Raises Circle in a recursion, TooDeep in too deep a nesting."""
        self.lookups.note((BODY, name))
        if name in self._known:
            return self._known[name]
        if name in self._open:
            raise Circle((*self._open[self._open.index(name) :], name))
        if len(self._open) >= DEEPEST_CALLS:
            raise TooDeep
        self._open.append(name)
        try:
            with self.lookups.apart():
                self._known[name] = self._check(name)
        finally:
            self._open.pop()
        return self._known[name]

    def of(self, id: str) -> Body | None:
        """The body of the rule or measure with this id."""
        return self.body(slug_of(id.rpartition("/")[2]))

    def called(self, exprs: Iterable[program.Expr]) -> list[program.Expr]:
        """The bodies of all functions called by expressions, transitively."""

        def within(id: str) -> Iterable[str]:
            body = self.of(id)
            return calls(body.expr) if body is not None else ()

        ids = reached((id for expr in exprs for id in calls(expr)), within)
        return [body.expr for body in map(self.of, ids) if body is not None]

    def settle(self) -> None:
        """Drop the references back to this: the checker of bodies, and the views. A body unknown by now
        stays so.
        """
        self._check = _unknown
        self.views.clear()

    def own_limits(self, id: str) -> Interval:
        """The bounds set by the stat that is being checked, without a recorded look-up."""
        with self.lookups.apart():
            return self.limits.get(id, ANY_NUMBER)

    def facts(self, id: str) -> FunctionFacts:
        """The facts of one rule or measure in `tables`."""
        return tuple((name, table.peek(id)) for name, table in self.tables.items())

    def restore(self, id: str, facts: FunctionFacts) -> None:
        """Restore the facts of one rule or measure."""
        for name, fact in facts:
            if fact is not None:
                self.tables[name][id] = fact


def _unknown(name: str) -> Body | None:
    """The body of a function that was never checked."""
    return None


def body_under(symbols: Symbols, functions: Functions, name: str) -> object:
    """The body of a name and its facts, for a later build to compare."""
    with symbols.lookups.apart():
        body = functions.body(name)
    callee = symbols.callables.peek(name)
    return body, functions.facts(getattr(callee, "id", ""))


class Rows:
    """Collects rows. `label` makes a label, `put` sets it to the next row."""

    def __init__(self) -> None:
        self._rows: list[program.Row] = []
        self._labels: list[int | None] = []

    @property
    def count(self) -> int:
        """The number of rows so far."""
        return len(self._rows)

    def add(self, row: program.Row) -> None:
        """Append a row; its jump targets are labels."""
        self._rows.append(row)

    def label(self) -> int:
        """Make a label without a position."""
        self._labels.append(None)
        return len(self._labels) - 1

    def put(self, label: int) -> None:
        """Set a label to the next row."""
        self._labels[label] = len(self._rows)

    @contextmanager
    def looping(self, origin: program.Origin, goes_on: program.Expr) -> Iterator[None]:
        """Loop over the rows added inside, as long as `goes_on` holds before them."""
        head, end = self.label(), self.label()
        self.put(head)
        self.add(program.JumpUnless(origin, goes_on, end))
        yield
        self.add(program.Jump(origin, head))
        self.put(end)

    def finish(self) -> tuple[program.Row, ...]:
        """All rows, with the labels replaced by the numbers of rows."""
        return tuple(_led(row, self._target) for row in self._rows)

    def _target(self, label: int) -> int:
        target = self._labels[label]
        assert target is not None, f"label {label} was never put"
        return target


def with_fuel(rows: tuple[program.Row, ...], heavy: Mapping[int, int]) -> tuple[program.Row, ...]:
    """The rows, with a row before each heavy one that charges its evaluations to the fuel."""
    starts = list(accumulate((1 + (pc in heavy) for pc in range(len(rows))), initial=0))
    found: list[program.Row] = []
    for pc, row in enumerate(rows):
        if pc in heavy:
            found.append(program.Spend(row.origin, heavy[pc]))
        found.append(_led(row, starts.__getitem__))
    return tuple(found)


def _led(row: program.Row, target: Callable[[int], int]) -> program.Row:
    """A row with its targets mapped."""
    if isinstance(row, program.Jump | program.JumpUnless | program.Replaceable):
        return replace(row, to=target(row.to))
    if isinstance(row, program.Modal):
        return replace(row, modes=tuple(replace(mode, to=target(mode.to)) for mode in row.modes))
    return row


class Typed(Frozen):
    """A lowered expression with its type.

    `yes` are the expressions known not to be none if this one is true, `no` if it is false.
    """

    expr: program.Expr
    type: Type
    yes: Facts = NO_FACTS
    no: Facts = NO_FACTS

    @property
    def known(self) -> bool:
        """Whether its type is known; False after an error."""
        return not is_unknown(self.type)

    @property
    def sound(self) -> bool:
        """Whether no part of it was reported."""
        return self.known and not mentions(self.expr, BROKEN)


BAD = Typed(BROKEN, UNKNOWN)


class Forms(Frozen):
    """The mutually recursive checks, called through a context: expressions, blocks, arguments."""

    expression: Callable[[Context, ast.Expr, Type | None], Typed]
    block: Callable[[Context, Sequence[ast.Stmt]], None]
    arguments: Callable[[Context, SyntaxNode, Signature, Sequence[ast.Arg]], Arguments]


class Lifted(Frozen):
    """One rule named by an `ignoring`, and the range of rows in which it is off."""

    place: Place
    name: str
    rule: str
    first: int
    last: int


class Loop(Frozen):
    """A loop over a list without a set order, and its rows: from the counter, after that of the list,
    to the jump back.
    """

    place: Place
    item: int
    first: int
    last: int
    alone: bool
    """Whether a round is a single operation or use."""


class LateEnsure(Frozen):
    """An `ensure` after uses: an error if one of them turns out to have a barrier."""

    place: Place
    behind: tuple[Callee, ...]


@dataclass
class Context:
    """The state of the check of one text. `routine` is the id of its item."""

    symbols: Symbols
    report: Report
    passage: Passage
    functions: Functions
    forms: Forms
    routine: str
    reason: Reason | None = None
    """Words the condition of a refused option; None if no reasons are needed."""
    flow: Flow = field(default_factory=Flow)
    rows: Rows = field(default_factory=Rows)
    slots: list[str] = field(default_factory=list)
    slot_types: list[Type] = field(default_factory=list)
    """The types of hidden slots; those of other slots follow from `held`."""
    held: list[Local] = field(default_factory=list)
    """The locals that the slots have held."""
    reads: list[ZoneRead] = field(default_factory=list)
    locals: list[Local] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    asker: program.Expr | None = None
    """The default player of a prompt; None for me."""
    skipped_to: int | None = None
    """The label of the end of the text, where a replacement of it continues."""
    ending: str = ""
    """The event raised at the end of the text, if answered."""
    open_value: tuple[Signature, int] | None = None
    """The moment that this text answers, and the slot of its open value."""
    given: tuple[str, int] | None = None
    """The variable and the slot by which this text, a replacement, passes the power's result."""
    given_back: frozenset[str] = frozenset()
    """The names that only moments reassign."""
    settled: str = ""
    """The name of an open value that this text comes too late to change."""
    event: str = ""
    """The event that this text answers."""
    fixed: frozenset[str] = frozenset()
    """The fixed values of that event."""
    before: frozenset[str] | None = None
    """The names set before the current statement; None in a text without statements."""
    relaxed: tuple[str, ...] = ()
    kept: tuple[ast.AssignStmt, ...] = ()
    """The assignments that restore the variables of the enclosing `keeping`s, innermost first."""
    result: Local | None = None
    reassigned: frozenset[str] = frozenset()
    by_name: dict[str, int] = field(default_factory=dict)
    barrier: str = ""
    """The words for an earlier unforeseeable event in this block; empty without one."""
    used_here: tuple[Callee, ...] = ()
    """The callees used earlier in this block, which may have a barrier."""
    late: list[LateEnsure] = field(default_factory=list)
    lifted: list[Lifted] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    rehearsed: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    """The names that were reported: the second time is the same mistake."""
    unsure: bool = False
    """Whether a condition was broken, so that it is unknown what may be none."""
    nesting: int = 0
    """The number of expressions around the current one."""

    def check(self, node: ast.Expr, expected: Type | None = None) -> Typed:
        """Check and lower an expression; `expected` resolves the name of an enum's value."""
        if self.nesting >= MOST_NESTED:
            return self.too_deep(node)
        self.nesting += 1
        typed = self.forms.expression(self, node, expected)
        self.nesting -= 1
        if self.nesting == 0 and typed.sound and depth(typed.expr) > MOST_NESTED:
            return self.too_deep(node)
        return typed

    def too_deep(self, node: ast.Expr) -> Typed:
        """Report, once per text, an expression that is nested too deep for the machine."""
        if TOO_DEEP in self.told:
            return BAD
        self.told.add(TOO_DEEP)
        chain = "a chain of operators counts as it is long"
        message = f"this is nested more than {MOST_NESTED} deep; {chain}"
        help = "name a part with `let`, or make a measure of it"
        return self.error("too-deep", node, message, help)

    def means(self, name: ast.Name, table: str, key: str, word: str = "") -> None:
        """Note the meaning of a name."""
        self.symbols.uses.note(self.passage, name.span, Meaning(table, key), word)

    def means_callee(self, name: ast.Name, callee: Signature) -> None:
        """Note that a name refers to a callee."""
        meaning = meaning_of(callee.id, callee.name, callee.kind)
        self.symbols.uses.note(self.passage, name.span, meaning, callee.kind)

    def block(self, statements: Sequence[ast.Stmt]) -> None:
        """Check and lower the statements of a block in order."""
        self.forms.block(self, statements)

    def arguments(self, at: SyntaxNode, callee: Signature, args: Sequence[ast.Arg]) -> Arguments:
        """Check and lower the arguments of a call; in parameter order, None after an error."""
        return self.forms.arguments(self, at, callee, args)

    def rehearsal(self) -> Context:
        """A copy whose reports and rows are dropped, with the same locals."""
        collected = ("slots", "slot_types", "held", "by_name", "reads", "locals", "told")
        copies: dict[str, Any] = {name: copy(getattr(self, name)) for name in collected}
        apart: dict[str, Any] = {"report": Report(), "reason": None, "rows": Rows()}
        return replace(self, costs=[], late=[], lifted=[], loops=[], **apart, **copies)

    def error(
        self, code: str, node: Spot, message: str, help: str | None = None, notes: Notes = ()
    ) -> Typed:
        """Report an error at a node or span; BAD, which is not reported again."""
        span = node.span if isinstance(node, SyntaxNode) else node
        self.report.error(code, self.passage.place(span), message, help, notes)
        return BAD

    def warn(self, code: str, node: Spot, message: str, help: str | None = None) -> None:
        """Warn about a probable mistake at a node or span."""
        span = node.span if isinstance(node, SyntaxNode) else node
        self.report.warning(code, self.passage.place(span), message, help)

    def words(self, node: SyntaxNode) -> str:
        """The source text of a node."""
        return self.passage.words(node.span)

    def say(self, type_: Type) -> str:
        """A type in the author's words."""
        return spoken(type_, self.symbols.nouns)

    def place(self, node: SyntaxNode) -> Place:
        """The place of a node."""
        return self.passage.place(node.span)

    def spends(
        self, node: SyntaxNode, *, prompts: int = 0, operations: int = 0, dice: int = 0
    ) -> None:
        """Add the cost of a statement."""
        self.costs.append(Flat(prompts, operations, dice, at=self.place(node)))

    def calls(self, node: SyntaxNode, callee: Callee) -> None:
        """Add the cost of a callee of a statement."""
        self.costs.append(Call(callee, self.place(node)))

    def runs(self, at: Place, callee: Callee) -> None:
        """Add the cost of a callee that returns first, and may have a barrier."""
        self.costs.append(Call(callee, at))
        self.used_here = (*self.used_here, callee)

    def origin(self, node: SyntaxNode) -> program.Origin:
        """The origin of a row made for a node."""
        return self.passage.origin(node.span)

    def slot(self, name: str) -> int:
        """The slot of a local; each name has one, in all branches."""
        if name not in self.by_name:
            self.by_name[name] = self.hidden_slot(name)
        return self.by_name[name]

    def hidden_slot(self, name: str, type_: Type = UNKNOWN) -> int:
        """A new slot for a hidden variable or the candidate of an aggregate."""
        self.slots.append(name)
        self.slot_types.append(type_)
        return len(self.slots) - 1

    def enter(self, local: Local) -> None:
        """Bring a local into scope."""
        self.held.append(local)
        self.flow = self.flow.with_local(local)

    @contextmanager
    def costing(self) -> Iterator[list[Cost]]:
        """Collect the cost of a part separately."""
        before, self.costs = self.costs, []
        try:
            yield self.costs
        finally:
            self.costs = before

    @contextmanager
    def knowing(self, facts: Facts) -> Iterator[None]:
        """Assume `facts` inside the block."""
        before = self.flow
        self.flow = before.knowing(facts)
        try:
            yield
        finally:
            self.flow = before

    @contextmanager
    def binding(self, local: Local) -> Iterator[None]:
        """Bring a local into scope inside the block only."""
        with self.knowing(NO_FACTS):
            self.enter(local)
            yield

    def fresh_local(self, name: ast.Name, type_: Type, word: str, slot: int | None = None) -> Local:
        """A new local, not in scope yet; reports a taken name."""
        clash = self.clashes(name)
        slot = self.slot(name.id) if slot is None else slot
        local = Local(name.id, slot, type_, self.place(name), word, used=clash)
        self.locals.append(local)
        self.symbols.uses.note_local(self.passage, name, declares=True)
        return local

    def clashes(self, name: ast.Name) -> bool:
        """Whether a new name is taken here; reports it."""
        mine = self.flow.visible.get(name.id)
        if mine is not None and mine is self.result:
            return False
        if mine is not None and name.id in self.flow.certain:
            mine.use()
            note = Note(mine.place, f"`{name.id}` is {mine.word} here")
            message = f"`{name.id}` already means something here"
            help = f"another name, or `set {name.id} = ...` to change it"
            self.error("name-clash", name, message, help, (note,))
            return True
        if self.symbols.is_value_name(name.id):
            place = self.symbols.places.get(("value", name.id))
            notes = (Note(place, f"`{name.id}` is declared here"),) if place else ()
            message = f"`{name.id}` already means something everywhere"
            self.error("name-clash", name, message, "another name", notes)
            return True
        return False

    def set_local(self, local: Local) -> None:
        """Set a local; one promised by `gives:` must have the promised type."""
        result = self.result
        if result is not None and result.name == local.name:
            if not fits(local.type, result.type):
                write = f'write `gives: "{local.name}: {local.type}"`'
                help = None if is_unknown(local.type) else write
                promised = f"`gives:` promises {self.say(result.type)}"
                message = f"`{local.name}` is {self.say(local.type)} here, but {promised}"
                notes = (Note(result.place, "promised here"),)
                self.report.error("type-mismatch", local.place, message, help, notes)
                self.told.add(MISMATCHED + local.name)
            local.used = True
        self.enter(local)

    def set_open(self, node: SyntaxNode, local: Local, high: int | None) -> None:
        """Note an assignment to the open value of a moment."""
        if self.open_value is not None and local.slot == self.open_value[1]:
            self.symbols.lookups.note(NEVER_SAME)
            found = self.symbols.open_sets.setdefault(self.open_value[0].name, [])
            found.append(OpenSet(self.place(node), local.name, high))
