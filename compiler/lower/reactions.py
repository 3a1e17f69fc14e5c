"""Abilities that answer events: `when` becomes a trigger, `instead of` a replacement.

If the event's pattern names `self`, the event gives the bearer, and the routine is the block. Otherwise
a `when` runs its block for each bearer, from a routine of its own, which also tracks the bearers for
whom a once-per-turn ability has run.
"""

from __future__ import annotations

from collections.abc import Collection, Sized
from dataclasses import replace
from functools import cached_property, partial

from ruleloom.compiler.bounds.intervals import length, things
from ruleloom.compiler.bounds.work import ROUNDS, Find, check_work, counted
from ruleloom.compiler.check.changing import measure
from ruleloom.compiler.check.expect import judge, warn_if_clashing
from ruleloom.compiler.check.moments import INSTEAD, answer_moment, give_in_place, local_of
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.cost import Call, Cost, Sequence, Times, heavy_rows
from ruleloom.compiler.flow.flow import plain_name, unnamed
from ruleloom.compiler.lower.abilities import MARK, Reacting
from ruleloom.compiler.lower.keyword_paths import KeywordPath
from ruleloom.compiler.lower.routines import NO_BOUNDS, Bodies, Checked
from ruleloom.compiler.lower.triggers import Reaction, Spent, bound_event, settled
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS
from ruleloom.compiler.resolve.mod_sets import reassigned_names
from ruleloom.compiler.resolve.symbols import Lasting, ParamSymbol
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.compiler.types import UNKNOWN, is_unknown, list_of
from ruleloom.compiler.yaml.node import items_of, text_of
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee, conjunction
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import INT, Type


def build_reaction(bodies: Bodies, planned: Reacting) -> Reaction | None:
    """Check one reaction; None after an error, or for an unused keyword."""
    text, event = planned.texts[-1], planned.node.event
    context = bodies.context(text.passage, text.item.id)
    known = bodies.symbols.events.get(event.name.id)
    if known is None:
        instead = isinstance(planned.node, ast.Instead)
        if not instead or _replaceable(context, event.name, ()):
            bound_event(context, event, instead)
        return None
    if isinstance(planned.node, ast.Instead) and not _replaceable(context, event.name, event.args):
        return None
    return _Making(bodies, planned, known).reaction()


def _spans_of_own(statements: tuple[ast.Stmt, ...]) -> set[ast.Span]:
    """Where statements that set a variable name it, as what is set or within its new value."""
    return {
        name.span
        for node in nodes_of(statements, ast.AssignStmt)
        for name in nodes_of((node,), ast.Name)
        if name.id == node.name.id
    }


def _replaceable(context: Context, name: ast.Name, args: Sized) -> bool:
    """Whether an event can be replaced; reports one that cannot."""
    if name.id.startswith(INSTEAD):
        return _says_what_it_gives(context, name, args)
    operations, powers = context.symbols.operations, context.symbols.powers
    operation = operations.get(name.id) or powers.get(name.id)
    if operation is None and name.id not in context.symbols.events:
        return True  # there is no event of this name
    if operation is None:
        message = f"`{name.id}` goes along with operations; an operation itself can be replaced"
        context.error("unknown-operation", name, message, did_you_mean(name.id, operations))
    elif operation.result is not None:
        noun = context.say(operation.result)
        does = "uses" if name.id in powers else "does"
        message = f"`{name.id}` gives {noun} to the text that {does} it, so it cannot be replaced"
        context.error("fixed-operation", name, message)
    return operation is not None and operation.result is None


def _says_what_it_gives(context: Context, name: ast.Name, args: Sized) -> bool:
    """Whether a replacement of a power with a result names that; False after an error."""
    power = context.symbols.powers.get(name.id.removeprefix(INSTEAD))
    if power is None or power.result is None or len(args) > len(power.params):
        return True
    names = ", ".join([*(param.name for param in power.params), power.result_name])
    message = f"`{power.name}` gives {context.say(power.result)}, so a replacement must give one"
    help = f"`{name.id}({names})`, and `set {power.result_name} = ...`"
    context.error("result-not-set", name, message, help)
    return False


def _prevention(bodies: Bodies, name: str, args: str) -> str:
    """The help for an answer that only ends: a replacement of the event, if that is possible."""
    symbols, rules = bodies.symbols, bodies.content.by_kind("vocabulary")
    always = [
        text_of(one.get("do")) for rule in rules for one in items_of(rule.fields.get("always"))
    ]
    happens = symbols.operations.get(name) or symbols.powers.get(name)
    can_be = f"{INSTEAD}{name}" in symbols.events if happens is None else happens.result is None
    if not can_be or any(one.startswith(f"{name}(") for one in always):
        return "leave it out"
    return f"`instead of {name}{args}: stop` prevents it"


def refuse_kept(bodies: Bodies, operations: Collection[str]) -> None:
    """Refuse to replace operations of rules that always hold, which have no doer."""
    for one in bodies.stats.abilities.reactions:
        name = one.node.event.name
        if isinstance(one.node, ast.Instead) and name.id in operations:
            message = f"`{name.id}` keeps a rule that always holds, so it cannot be replaced"
            bodies.report.error("fixed-operation", one.texts[-1].passage.place(name.span), message)


class _Making(KeywordPath):
    """The lowering of one reaction.

    The event's values are in the first slots, followed by `self`, unless it is one of them.
    """

    def __init__(self, bodies: Bodies, planned: Reacting, known: tuple[ParamSymbol, ...]) -> None:
        self.bodies, self.planned, self.node, self.known = bodies, planned, planned.node, known
        names = [arg.value.id for arg in self.node.event.args if isinstance(arg.value, ast.Name)]
        self.names_self = SELF in names[: len(known)]
        slot = names.index(SELF) if self.names_self else len(known)
        bearers = bodies.stats.bearers
        lasting = bearers.symbols.lasting_of(planned.texts[0].item)
        first = [unnamed(param.name) for param in known] + self._borne_by(lasting)
        entity = None if planned.texts[0].callee is not None else bearers.entity(planned.texts[0])
        about = entity or (known[slot].type.present if self.names_self else Type(UNKNOWN.name))
        super().__init__(bearers, planned.texts, first, slot, about)
        self.at, self.listed = self.node.event.span, not self.names_self
        self.id = planned.id

    def _borne_by(self, lasting: Lasting | None) -> list[str]:
        """The names of the slots after those of the event: the bearer, unless the event gives it, and
        the lasting effect.
        """
        nobody = self.names_self or (lasting is not None and lasting.on is None)
        return ([] if nobody else [SELF]) + ([unnamed(THIS)] if lasting is not None else [])

    def reaction(self) -> Reaction | None:
        """The reaction; None after an error or for an unused keyword."""
        if not self._is_about_bearers():
            return None
        context, tests = self.walk()
        context.routine = self.id
        event = bound_event(context, self.node.event)
        if event is None:
            return None
        self._name_values(context, event[1])
        if self.node.where is not None:
            tests.append(self.condition(context, self.node.where))
        if self.sound:
            warn_if_clashing(context, self.node.event, tests)
        if self.names_self and self.known[self.slot].type.optional:
            tests.insert(0, ("not", ("is_none", ("slot", self.slot))))
        self.close(context)
        context.reads.extend(self.reads)
        judge(context, 0, None)
        test = conjunction(tests)
        with context.costing() as asking:
            asked = self._any_bearer(test)
            self.sound = self.sound and (
                asked is None or check_work(context, self.node.event, asked)
            )
        block = self._block(context, test)
        if not self.sound or self.alone:
            return None
        return self._put_together(event[0], test, block, asking)

    def _is_about_bearers(self) -> bool:
        """Whether `self` is a bearer, or the bearers have a list; False after an error."""
        context = self.bodies.context(self.texts[-1].passage, "")
        if is_unknown(self.about) or self.alone:
            return True
        if not self.names_self and self.lasting is not None:
            return True
        if not self.names_self:
            if not self.is_unlisted():
                return self.domain is not None
            lacks, among = self.unlisted(self.about)
            message = f"{lacks}, so the event must say which of them this is about"
            help = f"`{SELF}` in the place of one of its values, or {among}"
            context.error("not-self", self.node.event, message, help)
            return False
        given = self.known[self.slot].type
        if given.present != self.about and not is_unknown(given):
            name, noun = self.known[self.slot].name, context.say(self.about)
            event, other = self.node.event.name.id, context.say(given)
            message = f"`{SELF}` is {noun} here, and `{name}` of `{event}` is {other}"
            context.error("type-mismatch", self.node.event.args[self.slot], message)
            return False
        return True

    @cached_property
    def domain(self) -> Expr | None:
        """All possible bearers of the item, if the block runs for each; None if the event gives one.

        For a lasting effect, all effects of its name, or all those on the bearer of the event.
        """
        if self.lasting is not None:
            named: Expr | None = ("slot", self.slot) if self.names_self else None
            return self.lasting.found(named)
        if self.names_self or is_unknown(self.about):
            return None
        return self.everybody()

    def _name_values(self, context: Context, params: tuple[ParamSymbol, ...]) -> None:
        place = context.passage.place(self.node.event.span)
        given = self._given()
        for slot, param in enumerate(params):
            is_self = slot == self.slot and self.names_self and slot != given
            context.slots[slot] = SELF if is_self else param.name
            if slot == given:
                context.by_name.setdefault(param.name, slot)
                give_in_place(context, self.node.event.name.id, param, place)
            elif not is_self:
                context.enter(local_of(param, slot, place, "of the event"))
                context.by_name.setdefault(param.name, slot)

    def _given(self) -> int:
        """The slot of a replaced power's result, which the block sets; -1 for none."""
        name = self.node.event.name.id
        power = self.bodies.symbols.powers.get(name.removeprefix(INSTEAD))
        is_given = name.startswith(INSTEAD) and power is not None and power.result is not None
        return len(self.known) - 1 if is_given else -1

    def _block(self, context: Context, test: Expr | None) -> Checked:
        """The routine of the block, after assignments to the slots that the event does not fill."""
        context.reassigned = reassigned_names(self.node.body)
        event, many = self.node.event.name.id, len(self.known)
        context.flow = context.flow.knowing(settled(context.symbols, event, many, self.facts))
        origin = context.origin(self.node)
        self._warn_if_idle(context)
        one_of = isinstance(self.node, ast.Instead) and self.domain is not None
        if one_of:
            first: Expr = ("lookup", self._bearers(test), ("value", 0))
            context.rows.add(program.Let(origin, self.turn[0], first))
        for local in list(context.flow.visible.values()):
            if local.slot in self.terms:
                context.rows.add(program.Let(origin, local.slot, self.terms[local.slot]))
                context.by_name.setdefault(local.name, local.slot)
                measure(context, local, self.terms[local.slot])
        owner = context.flow.visible.get(OWNER_NAME)
        if self.lasting is not None and owner is not None:
            context.asker = ("slot", owner.slot)
        context.event, context.fixed = self.node.event.name.id, self._fixed()
        self._open_value(context, origin)
        for _ in range(self.size - len(context.slots)):
            context.hidden_slot(unnamed(""))
        takes = self.first[: len(self.known)] if one_of else self.first
        names = tuple(plain_name(name) for name in takes)
        place = self.texts[0].passage.place(self.mark_of(self.texts[0], self.node))
        return self.bodies.lowered(context, self.node.body, names, place)

    def _fixed(self) -> frozenset[str]:
        """The values of the event without effect if set: a replacement may pass on those it reads."""
        values = [arg.value for arg in self.node.event.args]
        given = values[self._given()] if len(values) > self._given() >= 0 else None
        told = frozenset(one.id for one in values if isinstance(one, ast.Name) and one is not given)
        told -= {SELF}
        if isinstance(self.node, ast.When):
            return told
        own = _spans_of_own(self.node.body)
        names = nodes_of(self.node.body, ast.Name)
        return told - {name.id for name in names if name.span not in own}

    def _open_value(self, context: Context, origin: program.Origin) -> None:
        """Let the block change the open value of a moment, if the pattern names it."""
        event = self.node.event
        moment = context.symbols.operations.get(event.name.id)
        if moment is None or not moment.open or len(event.args) <= moment.open_place:
            return
        name = event.args[moment.open_place].value
        if isinstance(name, ast.Name) and name.id != SELF:
            late = isinstance(self.node, ast.When) and self.node.afterwards
            answer_moment(context, moment, name.id, origin, late)

    def _warn_if_idle(self, context: Context) -> None:
        """Warn about a block that only stops, or that replaces an operation by itself."""
        replaces = isinstance(self.node, ast.Instead)
        match self.node.body:
            case (ast.StopStmt() as only,) if not replaces:
                id = self.node.event.name.id
                name = id.removeprefix("before ").removeprefix("after ")
                so = "happens all the same" if id.startswith("before ") else "has happened by now"
                _, sign, args = context.words(self.node.event).partition("(")
                help = _prevention(self.bodies, name, sign + args)
                message = f"this changes nothing: `{name}` {so}"
                context.warn("changes-nothing", only, message, help)
            case (ast.OperateStmt(call=call),) if replaces and call == self.node.event:
                message = f"this changes nothing: it is what `{call.name.id}` does anyway"
                context.warn("changes-nothing", call, message, "`stop` prevents it")

    def _put_together(
        self, event: str, test: Expr | None, block: Checked, asking: list[Cost]
    ) -> Reaction:
        """Assemble the reaction; `asking` is the cost of its condition, once per event."""
        domain, asked = self.domain, sum(heavy_rows(Sequence(tuple(asking))).values())
        block = replace(block, asking=asked)
        if domain is None or isinstance(self.node, ast.Instead):
            block = replace(block, cost=Sequence((*asking, block.cost)))
        spent = self._spent()
        if spent is not None:
            test = conjunction([*([test] if test else []), spent.is_open])
        where = self._any_bearer(test)
        among = (self.turn[0], self.about.name, domain) if domain and self._is_listed() else None
        if isinstance(self.node, ast.Instead):
            replacement = program.Replacement(self.id, event, where, self.id)
            return Reaction({self.id: block}, (), (replacement,), (), self.borne, among)
        context = self.bodies.context(block.text, self.id)
        block = replace(block, bearers=self._in_turn(test)[1](context))
        timing = "afterwards" if self.node.afterwards else "immediately"
        routines, run = {self.id: block}, self.id
        if domain is not None or spent is not None:
            round_ = self._round(block, test, asking, spent)
            run = round_.routine.id
            routines[run] = round_
        trigger = program.Trigger(self.id, event, where, timing, run)
        variables = (spent.variable,) if spent else ()
        return Reaction(routines, (trigger,), (), variables, self.borne, among)

    def _is_listed(self) -> bool:
        """Whether the item has an `among` for its bearers."""
        bearer = self.bearers.symbols.bearer(self.texts[0].item)
        return self.lasting is None and bearer is not None and bearer.among is not None

    def _spent(self) -> Spent | None:
        """The record of the bearers or effects of a once-per-turn ability; else None."""
        once = isinstance(self.node, ast.When) and self.node.once
        return Spent(self.id, ("slot", self.turn[0]), self.turn[1]) if once else None

    def _in_turn(self, test: Expr | None) -> tuple[Expr, Find]:
        """The bearers for whom the block may run in one turn, and the bound of their number: a list, or
        all of the type.
        """
        found = self._bearers(test) if self.domain is not None else self.everybody()
        if found is None:
            return ("list",), partial(things, type_name=self.about.name)
        return found, partial(length, expr=found)

    def _any_bearer(self, test: Expr | None) -> Expr | None:
        if self.domain is None or (test is None and self.lasting is None):
            return test
        if test is None:
            return (">", ("count", self.domain), ("value", 0))
        return ("each", "exists", None, self.turn[0], self.domain, test)

    def _bearers(self, test: Expr | None) -> Expr:
        """The bearers for whom the block runs; without a list, the bearer that the event gives."""
        if self.domain is None:
            return ("list", ("slot", self.turn[0]))
        if test is None:
            return self.domain
        return ("each", "those", None, self.turn[0], self.domain, test)

    def _round(
        self, block: Checked, test: Expr | None, asking: list[Cost], spent: Spent | None
    ) -> Checked:
        """The loop over the bearers."""
        bearers = self._bearers(test)
        size = len(block.routine.slots)
        whole, counter = ("slot", size), ("slot", size + 1)
        origin = block.routine.origin
        values = tuple(("slot", slot) for slot in range(len(self.first)))
        rows: tuple[program.Row, ...] = (
            program.Let(origin, size, bearers),
            program.Let(origin, size + 1, ("value", 0)),
            program.JumpUnless(origin, ("<", counter, ("count", whole)), 7 + 2 * bool(spent)),
            program.Let(origin, self.turn[0], ("lookup", whole, counter)),
            program.Let(origin, size + 1, ("+", counter, ("value", 1))),
            *(spent.rows(origin, 2) if spent else ()),
            program.Use(origin, self.id, values, -1),
            program.Jump(origin, 2),
            program.Return(origin),
        )
        names = (*block.routine.slots, unnamed("bearers"), unnamed("next"))
        types = (*block.routine.slot_types, str(list_of(self.turn[1])), str(INT))
        params = block.routine.params[: len(self.known)]
        id = f"{self.id}{MARK}"
        routine = program.Routine(id, params, names, types, -1, rows, origin, NO_BOUNDS)
        context = self.bodies.context(block.text, routine.id)
        place = block.text.place(self.node.event.span)
        in_turn, find = self._in_turn(test)
        words = context.symbols.nouns.get(self.turn[1].name, ROUNDS)
        many, by = counted(context, self.node.event, in_turn, find, words)
        is_once = spent is not None and find(context) is not None
        run = Call(Callee("routine", self.id), place)
        # Evaluated twice: to see whether there are bearers, and to list them.
        cost = Sequence((*asking, *asking, Times(max(many, 1), run, by)))
        checked = Checked(routine, cost, (), (), block.text, once=is_once)
        return replace(checked, asking=block.asking)
