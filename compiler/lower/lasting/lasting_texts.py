"""Lowers the texts of effects that last, and what ends them whatever happens.

`effect` runs when the time of one is up, `ended` when it ends early. Both end the effect first: what
they know of it stands in slots by then. An effect whose bearer has gone out of play, or whose `while`
no longer holds, is ended by a rule that always holds.
"""

from __future__ import annotations

from ruleloom.compiler.check.expect import condition, warn_if_constant
from ruleloom.compiler.check.secrecy import judge
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.cost import Call
from ruleloom.compiler.flow.flow import Local
from ruleloom.compiler.graph import Callee
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.lower.triggers import columns_of
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS
from ruleloom.compiler.resolve.mod_sets import reassigned_names
from ruleloom.compiler.resolve.symbols import Lasting, ParamSymbol
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import substitute
from ruleloom.runtime.program.program import Always, Expr

INSTANCE: Expr = ("slot", 0)


def lower_lasting(build: Build) -> None:
    """Lower the texts of all effects that last, and the rules that end them."""
    for lasting in build.symbols.lasting.values():
        if lasting.signature.broken:
            continue
        for id in filter(None, (lasting.effect, lasting.ended)):
            checked = _text(build, lasting, id)
            if checked is not None:
                build.checked[id] = checked
                build.items[id] = lasting.names.item
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
    bearer = (lasting.known(INSTANCE)[SELF][1],) if lasting.on is not None else ()
    ctx.rows.add(program.Operate(origin, lasting.names.end, (*bearer, INSTANCE), -1))
    ctx.costs.append(Call(Callee("event", lasting.names.end), text.place((0, 0))))
    return build.bodies.lowered(ctx, statements, (THIS,), lasting.names.item.place)


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
    """What ends an effect whose bearer is gone, and one whose condition no longer holds."""
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
        told = (*((bearer,) if bearer is not None else ()), INSTANCE)
        columns = {*columns_of(build.bodies, holds), *columns_of(build.bodies, found)}
        english = f"the {names.noun} ends"
        ends = names.end, found, ("not", holds), names.end, told, tuple(sorted(columns)), english
        rules.append(Always(*ends))
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
