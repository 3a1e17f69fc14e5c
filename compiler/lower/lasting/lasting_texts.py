"""Lowers the texts of effects that last, and what ends them whatever happens.

`effect` runs when the time of one is up, `ended` when it ends early. Both end the effect first: what
they know of it stands in slots by then. An effect whose bearer has gone out of play, or whose `while`
no longer holds, is ended by a rule that always holds.
"""

from __future__ import annotations

from ruleloom.compiler.check.expect import condition, judge, warn_if_constant
from ruleloom.compiler.check.lasting import bearers
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.cost import Call
from ruleloom.compiler.flow.flow import Local
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.lower.triggers import columns_of
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS, told_id
from ruleloom.compiler.resolve.mod_sets import reassigned_names
from ruleloom.compiler.resolve.symbols import Lasting, ParamSymbol
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.runtime.program import program
from ruleloom.runtime.program.calls import Callee, FunctionReads
from ruleloom.runtime.program.expr import substitute
from ruleloom.runtime.program.program import Always, Expr

INSTANCE: Expr = ("slot", 0)


def lower_lasting(build: Build) -> None:
    """Lower the texts of all effects that last, and the rules that end them."""
    for lasting in build.symbols.lasting.values():
        if lasting.signature.broken:
            continue
        for id in filter(None, (lasting.effect, lasting.ended)):
            fades = id == lasting.ended and lasting.names.fade
            found = _fading(build, lasting) if fades else {id: _text(build, lasting, id)}
            for routine, checked in found.items():
                if checked is not None:
                    build.checked[routine] = checked
                    build.items[routine] = lasting.names.item
        build.always += _rules(build, lasting)


def _text(build: Build, lasting: Lasting, id: str) -> Checked | None:
    """The routine of a text that ends `this` and does what it says."""
    found = build.bodies.blocks[id]
    if found is None:
        return None
    text, statements = found
    ctx = build.bodies.context(text, id, (ParamSymbol(THIS, lasting.entity),))
    ctx.reassigned = reassigned_names(statements)
    origin, known = text.origin((0, 0)), _enter(ctx, lasting, text.place((0, 0)))
    for slot, value in known.items():
        ctx.rows.add(program.Let(origin, slot, value))
    ctx.rows.add(
        program.Operate(origin, lasting.names.end, (*bearers(lasting, INSTANCE), INSTANCE), -1)
    )
    ctx.costs.append(Call(Callee("event", lasting.names.end), text.place((0, 0))))
    return build.bodies.lowered(ctx, statements, (THIS,), lasting.names.item.place)


def _fading(build: Build, lasting: Lasting) -> dict[str, Checked | None]:
    """What runs when one ends early that a condition may end, too: rules that always hold only
    operate, so the text answers the operation, which tells what was kept."""
    found = build.bodies.blocks[lasting.ended]
    if found is None:
        return {}
    (text, statements), names = found, lasting.names
    origin, place, told = text.origin((0, 0)), text.place((0, 0)), told_id(lasting.ended)
    params = build.symbols.operations[names.fade].params
    ctx = build.bodies.context(text, told, params)
    ctx.reassigned, ctx.asker = reassigned_names(statements), ("slot", ctx.by_name[OWNER_NAME])
    this: Expr = ("slot", ctx.by_name[THIS])
    bearer: tuple[Expr, ...] = (("slot", ctx.by_name[SELF]),) if lasting.on is not None else ()
    ctx.rows.add(program.Announce(origin, names.end, (*bearer, this)))
    ctx.costs.append(Call(Callee("event", names.end), place))
    answer = build.bodies.lowered(
        ctx, statements, tuple(one.name for one in params), names.item.place
    )
    build.triggers.append(program.Trigger(told, names.fade, None, "immediately", told))
    ends = build.bodies.context(text, lasting.ended, (ParamSymbol(THIS, lasting.entity),))
    ends.rows.add(program.Operate(origin, names.fade, _kept(lasting), -1))
    ends.costs.append(Call(Callee("event", names.fade), place))
    return {lasting.ended: build.bodies.lowered(ends, (), (THIS,), names.item.place), told: answer}


def _kept(lasting: Lasting) -> tuple[Expr, ...]:
    """The values kept by the effect in the first slot, and itself, as its `fade` takes them."""
    known = {name: kept for name, (_, kept) in lasting.known(INSTANCE).items()}
    values = [known[one.name] for one in lasting.signature.params]
    return (*bearers(lasting, INSTANCE), *values, known[OWNER_NAME], INSTANCE)


def _enter(ctx: Context, lasting: Lasting, place: Place) -> dict[int, Expr]:
    """Let a text read what the effect in its first slot keeps; each slot with where that is."""
    found: dict[int, Expr] = {}
    for name, (type_, kept) in lasting.known(INSTANCE).items():
        slot = ctx.slot(name)
        ctx.enter(Local(name, slot, type_, place, "kept by the effect", used=True))
        found[slot] = kept
    ctx.asker = ("slot", ctx.by_name[OWNER_NAME])
    return found


def _rules(build: Build, lasting: Lasting) -> list[Always]:
    """The rules that end an effect whose bearer is gone, or whose condition no longer holds."""
    names, found = lasting.names, lasting.found()
    rules: list[Always] = []
    entity = build.symbols.entities.get(lasting.on.name) if lasting.on is not None else None
    bearer = lasting.known(INSTANCE)[SELF][1] if lasting.on is not None else None
    if entity is not None and entity.present and bearer is not None:
        there = f"{entity.name}.{entity.present}"
        gone: Expr = ("is_none", ("field", there, bearer))
        english = f"what is gone bears no {names.noun}"
        lost = f"{names.lose}", found, gone, names.lose, (INSTANCE,), (there,), english
        rules.append(Always(*lost))
    holds = _condition(build, lasting)
    if holds is not None:
        told = _kept(lasting) if names.fade else (*bearers(lasting, INSTANCE), INSTANCE)
        columns = {*columns_of(build.bodies, holds), *columns_of(build.bodies, found)}
        english = f"the {names.noun} ends"
        test, ends, reads = ("not", holds), names.fade or names.end, tuple(sorted(columns))
        rules.append(Always(names.end, found, test, ends, told, reads, english))
    return rules


def _condition(build: Build, lasting: Lasting) -> Expr | None:
    """The condition in `while`, about the effect in the first slot."""
    written = lasting.names.item.fields.get("while")
    found = build.bodies.read(written, parse_expr, "", (ParamSymbol(THIS, lasting.entity),))
    if found is None:
        return None
    ctx, node = found
    known = _enter(ctx, lasting, ctx.passage.place((0, 0)))
    typed = condition(ctx, node)
    judge(ctx, 0, None)
    if typed.sound:
        warn_if_constant(ctx, node, typed.expr)
    return substitute(typed.expr, known) if typed.sound else None


def watch_variables(build: Build) -> None:
    """Let texts that set a variable keep the rules at once that always hold and read it."""
    if not build.is_sound:
        return
    reads = FunctionReads(build.functions)
    rules = [expr for rule in build.always for expr in (rule.domain, rule.when)]
    watched = frozenset[str]().union(*(reads.within(expr).scope for expr in rules))

    def rewritten(row: program.Row) -> program.Row:
        if isinstance(row, program.SetScope) and row.name in watched:
            return program.SetWatched(row.origin, row.name, row.value)
        return row

    if watched:
        build.rewrite(rewritten)
