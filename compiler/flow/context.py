"""The state of the checker in one text: names, slots, the flow, the rows so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import field, replace
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.flow.cost import Call, Cost, Flat
from ruleloom.compiler.flow.emit import Rows
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, Flow, Local, ZoneRead
from ruleloom.compiler.flow.functions import Functions
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.name_uses import Meaning, meaning_of
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Span, SyntaxNode
from ruleloom.compiler.types import UNKNOWN, is_unknown, spoken
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.calls import Callee
from ruleloom.runtime.program.expr import depth, mentions
from ruleloom.runtime.program.program import Expr, Origin, Template
from ruleloom.runtime.program.values import Type

# Stands for what was complained about. It never gets into a program: where it is, there is an error.
BROKEN: Expr = ("broken",)
# How deep an expression may be nested, a little less than what the machine reads back from a save.
# One written no deeper than `SURELY_FLAT` is not measured: lowered, it is at most three times as
# deep, but for the default of a parameter, which has a limit of its own.
MOST_NESTED, SURELY_FLAT, MOST_NESTED_DEFAULT = 60, 8, 30
TOO_DEEP = "(too deep)"


@dataclass(frozen=True, slots=True)
class Typed:
    """A lowered expression with its type.

    `yes` are the expressions known not to be none where this one is true, `no` where it is false.
    """

    expr: Expr
    type: Type
    yes: Facts = NO_FACTS
    no: Facts = NO_FACTS

    @property
    def known(self) -> bool:
        """Is there anything to say about it, or was it complained about already?"""
        return not is_unknown(self.type)

    @property
    def sound(self) -> bool:
        """Was nothing in it complained about?"""
        return self.known and not mentions(self.expr, BROKEN)


BAD = Typed(BROKEN, UNKNOWN)
MISMATCHED = "type of "
"""With the name of a local: that it is of another type was complained about."""


@dataclass(frozen=True, slots=True)
class Forms:
    """The two walks that call each other through a context: over expressions and over blocks."""

    expression: Callable[[Context, ast.Expr, Type | None], Typed]
    block: Callable[[Context, Sequence[ast.Stmt]], None]


@dataclass(frozen=True, slots=True)
class Lifted:
    """One rule that an `ignoring` names, and the stretch of rows for which it does not count."""

    place: Place
    name: str
    rule: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop through a list of which nobody has said in which order, and its rows: from the counter,
    behind that with the list, to the jump back."""

    place: Place
    item: int
    first: int
    last: int
    alone: bool
    """Does each round do one thing, and nothing else?"""


# The condition with its lowered form, and who chooses (None: me): a template of the program.
Reason = Callable[["Context", Expr, Expr | None], Template]


@dataclass(frozen=True, slots=True)
class LateEnsure:
    """An `ensure` behind something used: wrong if any of that turns out to hold a barrier."""

    place: Place
    behind: tuple[Callee, ...]


@dataclass
class Context:
    """One text being checked. `routine` is the id of the item it belongs to."""

    symbols: Symbols
    report: Report
    passage: Passage
    functions: Functions
    forms: Forms
    routine: str
    reason: Reason | None = None
    """Words a condition, for a player whose option is refused; None where nobody will ask."""
    flow: Flow = field(default_factory=Flow)
    rows: Rows = field(default_factory=Rows)
    slots: list[str] = field(default_factory=list)
    slot_types: list[Type] = field(default_factory=list)
    """The types of hidden slots; those of the others follow from `held`."""
    held: list[Local] = field(default_factory=list)
    """The locals that have stood in the slots."""
    reads: list[ZoneRead] = field(default_factory=list)
    locals: list[Local] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    asker: Expr | None = None
    """The player who is asked where a text names nobody; None for me."""
    skipped_to: int | None = None
    """The label of the end of the text, to which a replacement of it leads."""
    ending: str = ""
    """The event that the end of the text raises, if anything answers it."""
    open_value: tuple[Signature, int] | None = None
    """The moment that this text answers, and the slot in which it changes the open value."""
    given: tuple[str, int] | None = None
    """The variable in which this text, a replacement, hands over what the power gives, and the slot
    of that."""
    given_back: frozenset[str] = frozenset()
    """The names that only moments change."""
    settled: str = ""
    """The name of a value that was open, in a text that comes too late to change it."""
    event: str = ""
    """The event that this text answers."""
    fixed: frozenset[str] = frozenset()
    """The values of that event that nobody can change."""
    before: frozenset[str] | None = None
    """The names that are set before the statement in hand; None in a text without statements."""
    relaxed: tuple[str, ...] = ()
    kept: tuple[ast.AssignStmt, ...] = ()
    """The statements that put back the variables of a `keeping` around, the innermost first."""
    result: Local | None = None
    reassigned: frozenset[str] = frozenset()
    by_name: dict[str, int] = field(default_factory=dict)
    barrier: str = ""
    """The event earlier in this block that cannot be foreseen, in words; empty if there is none."""
    used_here: tuple[Callee, ...] = ()
    """The callees used earlier in this block: one may hold a barrier."""
    late: list[LateEnsure] = field(default_factory=list)
    lifted: list[Lifted] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    rehearsed: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    """Names that were complained about: the second time is the same mistake."""
    unsure: bool = False
    """A condition could not be read: what may be none is no longer known."""
    nesting: int = 0
    """The number of expressions checked around the present one; `deepest`: the most so far."""
    deepest: int = 0

    def check(self, node: ast.Expr, expected: Type | None = None) -> Typed:
        """Check and lower an expression; `expected` helps to find a value of an enum."""
        if self.nesting >= MOST_NESTED:
            return self.too_deep(node)
        self.nesting += 1
        self.deepest = max(self.deepest, self.nesting)
        typed = self.forms.expression(self, node, expected)
        self.nesting -= 1
        if self.nesting == 0:
            deep, self.deepest = self.deepest > SURELY_FLAT, 0
            if deep and typed.sound and depth(typed.expr) > MOST_NESTED:
                return self.too_deep(node)
        return typed

    def too_deep(self, node: ast.Expr) -> Typed:
        """Complain, once a text, that no machine will take an expression that is nested so deep."""
        if TOO_DEEP in self.told:
            return BAD
        self.told.add(TOO_DEEP)
        chain = "a chain of operators counts as it is long"
        message = f"this is nested more than {MOST_NESTED} deep; {chain}"
        help = "name a part with `let`, or make a measure of it"
        return self.error("too-deep", node, message, help)

    def means(self, name: ast.Name, table: str, key: str, word: str = "") -> None:
        """Note what a name means."""
        self.symbols.uses.note(self.passage, name.span, Meaning(table, key), word)

    def means_callee(self, name: ast.Name, callee: Signature) -> None:
        """Note that a name means something that is called, used or done."""
        meaning = meaning_of(callee.id, callee.name, callee.kind)
        self.symbols.uses.note(self.passage, name.span, meaning, callee.kind)

    def block(self, statements: Sequence[ast.Stmt]) -> None:
        """Check and lower the statements of a block, one after the other."""
        self.forms.block(self, statements)

    def rehearsal(self) -> Context:
        """A copy whose reports and rows do not count, while its locals are the real ones."""
        collected = ("slots", "slot_types", "held", "by_name", "reads", "locals", "told")
        copies: dict[str, Any] = {name: copy(getattr(self, name)) for name in collected}
        apart: dict[str, Any] = {"report": Report(), "reason": None, "rows": Rows()}
        return replace(self, costs=[], late=[], lifted=[], loops=[], **apart, **copies)

    # ------------------------------------------------------------------ complaints

    def error(
        self,
        code: str,
        node: SyntaxNode | Span,
        message: str,
        help: str | None = None,
        notes: Sequence[Note] = (),
    ) -> Typed:
        """Complain about a stretch of the text; nothing more is said of what this returns."""
        span = node.span if isinstance(node, SyntaxNode) else node
        self.report.error(code, self.passage.place(span), message, help, notes)
        return BAD

    def warn(
        self, code: str, node: SyntaxNode | Span, message: str, help: str | None = None
    ) -> None:
        """Warn about something that is probably not meant."""
        span = node.span if isinstance(node, SyntaxNode) else node
        self.report.warning(code, self.passage.place(span), message, help)

    def words(self, node: SyntaxNode) -> str:
        """The author's text of a node."""
        return self.passage.words(node.span)

    def say(self, type_: Type) -> str:
        """A type in the author's words."""
        return spoken(type_, self.symbols.nouns)

    def place(self, node: SyntaxNode) -> Place:
        """Where a node stands."""
        return self.passage.place(node.span)

    def spends(
        self, node: SyntaxNode, *, prompts: int = 0, operations: int = 0, dice: int = 0
    ) -> None:
        """Count what a statement takes."""
        self.costs.append(Flat(prompts, operations, dice, at=self.place(node)))

    def calls(self, node: SyntaxNode, callee: Callee) -> None:
        """Count what a statement sets going."""
        self.costs.append(Call(callee, self.place(node)))

    def runs(self, at: Place, callee: Callee) -> None:
        """The same of what runs before the text goes on, and may hold a barrier."""
        self.costs.append(Call(callee, at))
        self.used_here = (*self.used_here, callee)

    def origin(self, node: SyntaxNode) -> Origin:
        """Where a row made for this node comes from."""
        return self.passage.origin(node.span)

    # ------------------------------------------------------------------ slots and flow

    def slot(self, name: str) -> int:
        """The slot of a local; each name has one, whichever branch sets it."""
        if name not in self.by_name:
            self.by_name[name] = self.hidden_slot(name)
        return self.by_name[name]

    def hidden_slot(self, name: str, type_: Type = UNKNOWN) -> int:
        """A slot of its own, for a hidden variable or the candidate of an aggregate."""
        self.slots.append(name)
        self.slot_types.append(type_)
        return len(self.slots) - 1

    def enter(self, local: Local) -> None:
        """From here on `local` can be read."""
        self.held.append(local)
        self.flow = self.flow.with_local(local)

    @contextmanager
    def costing(self) -> Iterator[list[Cost]]:
        """Collect the cost of what is checked meanwhile on its own."""
        before, self.costs = self.costs, []
        try:
            yield self.costs
        finally:
            self.costs = before

    @contextmanager
    def knowing(self, facts: Facts) -> Iterator[None]:
        """Check something where `facts` hold."""
        before = self.flow
        self.flow = before.knowing(facts)
        try:
            yield
        finally:
            self.flow = before

    @contextmanager
    def binding(self, local: Local) -> Iterator[None]:
        """Check something in which `local` can be read, and only there."""
        with self.knowing(NO_FACTS):
            self.enter(local)
            yield
