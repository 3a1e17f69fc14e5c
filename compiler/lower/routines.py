"""Checks the texts inside items: effects, bodies of rules and measures, always-rules, constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, floor
from typing import Any, TypeVar

from ruleloom.compiler.bounds.work import check_work, count_function
from ruleloom.compiler.check import moments
from ruleloom.compiler.check.expect import mismatch, wanted, warn_if_constant
from ruleloom.compiler.check.forms import FORMS
from ruleloom.compiler.check.moments import local_of, slot_types, unused_locals
from ruleloom.compiler.check.steering import result_is_set
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow import context
from ruleloom.compiler.flow.context import Body, Context, FunctionFacts, Functions, body_under
from ruleloom.compiler.flow.cost import Cost
from ruleloom.compiler.flow.cost import Sequence as Steps
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, Local, ZoneRead
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.lower.stats import Stats
from ruleloom.compiler.packs.content import POWERS, Content, Item
from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.query.reuse import Reuse
from ruleloom.compiler.resolve.embedded import Passage, passage_at, read_text
from ruleloom.compiler.resolve.mod_sets import (
    idle_moments,
    reassigned_names,
    variable_changes,
    with_idle_marked,
)
from ruleloom.compiler.resolve.symbols import PART, ParamSymbol, Signature, Symbols
from ruleloom.compiler.resolve.values import table_expr
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr
from ruleloom.compiler.types import fits
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.expr import depth, mentions
from ruleloom.runtime.program.program import Bounds, Expr, Return, Routine, Row, Stat
from ruleloom.runtime.program.values import Type

T = TypeVar("T")
NO_BOUNDS = Bounds(0, 0, 0, False)
Params = Sequence[ParamSymbol]
Parse = Callable[[str], T]
Gives = tuple[str, Type] | None
"""The name and type of a text's promised result."""
Answered = tuple[Signature, bool] | None
MISSING = object()


class Checked(Frozen):
    """A routine, its cost, and the `ensure`s to check once the barriers of others are known."""

    routine: Routine
    cost: Cost
    late: tuple[context.LateEnsure, ...]
    lifted: tuple[context.Lifted, ...]
    text: Passage
    asking: int = 0
    """The evaluations that its condition may take."""
    once: bool = False
    """Whether it is a response that runs once per turn, or once per turn for each bearer."""
    bearers: int | None = 1
    """The number of bearers a once-per-turn response could run for; None if unknown."""
    loops: tuple[context.Loop, ...] = ()

    def with_rows(self, rows: Iterable[Row]) -> Checked:
        """A copy with other rows."""
        return replace(self, routine=replace(self.routine, rows=tuple(rows)))


def fresh_context(
    symbols: Symbols,
    report: Report,
    functions: Functions,
    reason: context.Reason | None,
    text: Passage,
    routine: str,
    params: Params = (),
) -> Context:
    """A context with the parameters bound."""
    ctx = Context(symbols, report, text, functions, FORMS, routine, reason)
    place = text.place((0, 0))
    for one in params:
        slot = ctx.slot(one.name)
        ctx.enter(local_of(one, slot, place, "a parameter"))
    return ctx


class Bodies:
    """Checks texts against the names of one game."""

    def __init__(
        self,
        content: Content,
        symbols: Symbols,
        report: Report,
        reason: context.Reason | None,
        reuse: Reuse,
    ) -> None:
        self.content, self.symbols, self.report, self.reason = content, symbols, report, reason
        self.reuse = reuse
        self.functions = Functions(self._function, symbols.lookups)
        # Not a method: a context would keep `self` alive, in a cycle for the garbage collector.
        self.context = partial(fresh_context, symbols, report, self.functions, reason)
        self.stats = Stats(Abilities(content, symbols, report), self.context)
        self.records: dict[str, tuple[str, ...]] = {}
        """The names of the things that items make, by entity, once they are known."""
        self.items = Table[str, Item]()
        self.blocks: dict[str, tuple[Passage, tuple[ast.Stmt, ...]] | None] = {}
        for item in content.items:
            if item.kind in ("rule", "measure", "stat", "table"):
                self.items.setdefault(item.slug, item)
        own: dict[str, Table[str, Any]] = {
            "function items": self.items,
            "modifiers": self.stats.abilities.by_stat,
            "item numbers": self.stats.abilities.numbers,
        }
        for name, table in own.items():
            table.watched(name, symbols.lookups)
        reuse.now.tables |= {**self.functions.tables, **own}
        reuse.now.body = partial(body_under, symbols, self.functions)
        reuse.now.settle = self.functions.settle

    def passage(self, node: YamlNode) -> Passage | None:
        """The text at a node; None after an error."""
        return passage_at(self.content, node, self.report)

    def read(
        self, node: YamlNode | None, parse: Parse[T], routine: str = "", params: Params = ()
    ) -> tuple[Context, T] | None:
        """A fresh context for the text at a node, and its tree; None without a valid text."""
        found = read_text(self.content, node, parse, self.report)
        return (self.context(found[0], routine, params), found[1]) if found is not None else None

    def texts(self) -> Iterator[tuple[Passage, tuple[ast.Stmt, ...]]]:
        """Yield the statements of all parsed effects and of all answers of abilities."""
        yield from filter(None, self.blocks.values())
        for one in self.stats.abilities.reactions:
            yield one.texts[-1].passage, one.node.body

    def parse_effects(self, items: Sequence[Item]) -> None:
        """Parse every effect, and note which variables of the game each one changes."""
        found: dict[str, tuple[Item, tuple[ast.Stmt, ...]]] = {}
        idle = idle_moments(self.symbols)
        texts = [(item.id, item, item.fields["effect"]) for item in items]
        for lasting in self.symbols.lasting.values():
            if lasting.ended:
                item = lasting.names.item
                texts.append((lasting.ended, item, item.fields["ended"]))
        for id, item, node in texts:
            block = read_text(self.content, node, parse_block, self.report)
            if block is not None:
                block = block[0], with_idle_marked(block[1], idle)
            self.blocks[id] = block
            if block is not None:
                found[id] = (item, block[1])
        answers = [one.node.body for one in self.stats.abilities.reactions]
        symbols = self.symbols
        changes = variable_changes(found, symbols.scope, answers, symbols.answered)
        symbols.changes.replace(changes)

    def routine(
        self,
        item: Item,
        params: Params,
        result: Gives = None,
        answered: Answered = None,
        known: Facts = NO_FACTS,
    ) -> Checked | None:
        """Check and lower one effect; None after a syntax error.

        `answered` is the moment that a trigger answers, and whether its value is settled by then; `known`
        is what its condition says of the event's values.
        """
        found = self.blocks[item.id]
        if found is None:
            return None
        text, statements = found

        def made() -> Checked:
            ctx = self.context(text, item.id, params)
            ctx.reassigned = reassigned_names(statements)
            ctx.flow = ctx.flow.knowing(known)
            _hold_to_told(ctx, self.symbols.powers.get(item.slug))
            operations = self.symbols.operations
            for_good = reassigned_names(
                statements, lambda name: bool(operations.part(name, "open"))
            )
            ctx.given_back = ctx.reassigned - for_good
            if result is not None:
                name, type_ = result
                place = item.fields["gives"].place
                ctx.result = Local(name, ctx.slot(name), type_, place, "promised", used=True)
                if type_.optional:
                    ctx.enter(ctx.result)
            if item.kind == "trigger":
                ctx.event = str(item.data("event")).partition("(")[0].strip()
                ctx.fixed = frozenset(param.name for param in params)
            if answered is not None:
                moment, late = answered
                name = params[moment.open_place].name
                moments.answer_moment(ctx, moment, name, self.content.origin(item.place), late)
            if item.kind in (*POWERS, "flow"):
                self._open(ctx, item)
            return self.lowered(ctx, statements, tuple(one.name for one in params), item.place)

        file, has_reasons = self.content.files[item.source.path], self.reason is not None
        inputs = item, statements, file, params, result, answered, known, has_reasons
        return self.reuse.result(item.id, inputs, made)

    def _open(self, ctx: Context, item: Item) -> None:
        """Raise the answered events about a power or flow."""
        answered, origin = self.symbols.answered, self.content.origin(item.place)
        before, after, instead = (
            f"{phase}{item.slug}" for phase in ("before ", "after ", moments.INSTEAD)
        )
        ctx.ending = after if after in answered else ""
        if instead in answered:
            moments.give_way(ctx, instead, origin)
        if before in answered:
            moments.announce(ctx, before, origin)

    def lowered(
        self, ctx: Context, statements: tuple[ast.Stmt, ...], names: tuple[str, ...], place: Place
    ) -> Checked:
        """Check and lower statements in a prepared context; `names` are the parameters."""
        ctx.block(statements)
        result_is_set(ctx, None)
        origin = self.content.origin(place)
        moments.close(ctx, origin)
        if ctx.skipped_to is not None:
            if ctx.result is not None:
                ctx.rows.add(Return(origin))
            moments.take_given(ctx, origin)
        ctx.rows.add(Return(origin))
        unused_locals(ctx)
        slot = ctx.by_name[ctx.result.name] if ctx.result is not None else -1
        rows = ctx.rows.finish()
        slots, types = tuple(ctx.slots), slot_types(ctx)
        routine = Routine(ctx.routine, names, slots, types, slot, rows, origin, NO_BOUNDS)
        cost, late, lifted = Steps(tuple(ctx.costs)), tuple(ctx.late), tuple(ctx.lifted)
        return Checked(routine, cost, late, lifted, ctx.passage, loops=tuple(ctx.loops))

    def _function(self, name: str) -> Body | None:
        callee = self.symbols.callables[name]
        if callee.kind == "part":
            return self._part(callee)
        item = self.items.get(name)
        if item is None or callee.broken or callee.result is None:
            return None
        gives = callee.result
        if callee.kind == "table":
            by = callee.params[0].type
            rows = table_expr(item, by, gives.present, self.symbols, self.records, self.report)
            body = Body(rows, ()) if rows is not None else None
            self.functions.work[item.id] = self.functions.nesting[item.id] = 1
        else:
            body = self._kept_formula(name, callee, item, gives)
        callee.broken |= body is None
        return body

    def _kept_formula(self, name: str, callee: Signature, item: Item, gives: Type) -> Body | None:
        """The body of a rule, measure or stat, reused or checked now."""

        def made() -> tuple[Body | None, FunctionFacts, Stat | None]:
            body = self._formula(name, callee, item, gives)
            return body, self.functions.facts(item.id), self.stats.built.get(callee.id)

        inputs = item, self.content.files[item.source.path], callee.params, gives
        body, facts, stat = self.reuse.result(("function", item.id), inputs, made)
        self.functions.restore(item.id, facts)
        if stat is not None:
            self.stats.built[callee.id] = stat
        return body

    def _part(self, callee: Signature) -> Body | None:
        """The body of a part of a stat, computed from the modifiers of the whole."""
        stat, _, sort = callee.name.partition(PART)
        whole, item = self.functions.body(stat), self.items[stat]
        found = self.read(item.fields.get("is"), parse_expr, callee.id, callee.params)
        if whole is None or found is None:
            return None
        expr = self.stats.part(self.symbols.callables[stat], sort)
        count_function(found[0], callee.id, expr, bool(callee.params))
        return Body(expr, whole.zones, whole.sound)

    def _formula(self, name: str, callee: Signature, item: Item, gives: Type) -> Body | None:
        body = item.fields.get("holds" if callee.kind == "rule" else "is")
        found = self.read(body, parse_expr, item.id, callee.params)
        if found is None:
            return None
        ctx, node = found
        before = len(self.report.diagnostics())
        typed = wanted(ctx, node, gives, f"as what `{name}` gives")
        if len(self.report.diagnostics()) != before and not typed.known:
            return None
        if callee.kind == "rule" and not isinstance(node, ast.BoolLiteral):
            # A plain `yes` or `no` is meant to be changed by packs.
            warn_if_constant(ctx, node, typed.expr)
        expr: Expr = typed.expr
        reads: tuple[ZoneRead, ...] = ()
        if callee.kind in ("stat", "rule"):
            expr, reads = self.stats.build(callee, typed.expr)
        if not check_work(ctx, node, expr):
            return None
        zones, sound = (
            tuple(dict.fromkeys((*ctx.reads, *reads))),
            not mentions(expr, context.BROKEN),
        )
        if sound:
            count_function(ctx, item.id, expr, bool(callee.params))
        return Body(expr, zones, sound)

    def defaults(self, callee: Signature, origin: Passage) -> None:
        """Lower the defaults of a callee's parameters, without locals in scope."""
        for param in callee.params:
            if param.default is None:
                continue
            ctx = self.context(origin, callee.id)
            typed = ctx.check(param.default, param.type)
            if not fits(typed.type, param.type):
                mismatch(ctx, param.default, typed.type, param.type, f"as `{param.name}`")
            elif depth(typed.expr) > context.MOST_NESTED_DEFAULT:
                ctx.too_deep(param.default)
            callee.defaults[param.name] = typed.expr

    def expression(self, node: YamlNode, asked: Type, params: Params = ()) -> Expr | None:
        """Check the expression of a field."""
        found = self.read(node, parse_expr, "", params)
        return wanted(*found, asked).expr if found is not None else None

    def operation(self, node: YamlNode, params: Params) -> tuple[str, tuple[Expr, ...]] | None:
        """The operation of an always-rule."""
        found = self.read(node, parse_block, "", params)
        if found is None:
            return None
        ctx, block = found
        match block:
            case (ast.OperateStmt(call=call, giving=None),):
                callee = self.symbols.operations.get(call.name.id)
            case _:
                message = "this must be one operation"
                ctx.error(
                    "not-an-operation", (0, len(ctx.passage.text)), message, "such as `move(piece)`"
                )
                return None
        if callee is None:
            ctx.block(block)
            return None
        self.symbols.used.add(callee.id)
        args = ctx.arguments(call, callee, call.args)
        return None if args is None else (callee.name, args)

    def constant(self, node: YamlNode, asked: Type) -> Any:
        """The value of a constant expression in a field."""
        expr = self.expression(node, asked)
        value = constant_value(expr) if expr is not None else MISSING
        if value is MISSING and expr is not None and not mentions(expr, context.BROKEN):
            message = "this is worked out before the game begins: write a plain value"
            self.report.error("not-a-constant", node.place, message)
        return None if value is MISSING else value


def _hold_to_told(ctx: Context, power: Signature | None) -> None:
    """Bound the parameters as the power declares, unless its text assigns them."""
    if power is None or power.id != ctx.routine:
        return
    for name in (power.least.keys() | power.most_told.keys()) - ctx.reassigned:
        local, least = ctx.flow.visible[name], power.least.get(name)
        most = power.most_told.get(name)
        local.low = ceil(least.number) if least is not None else None
        local.high = floor(most.number) if most is not None else None


def constant_value(expr: Expr) -> Any:
    """The value of a constant expression; else MISSING."""
    if expr[0] == "value":
        return expr[1]
    if expr[0] == "list":
        parts = tuple(constant_value(part) for part in expr[1:])
        return MISSING if MISSING in parts else parts
    return MISSING
