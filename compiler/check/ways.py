"""The ways of a menu with a name: those of its own text, and those that items bring to it.

The condition of an item's way is checked in the words of the item, in the place of the menu; its
effect is a routine of its own. Both know of the menu's text only the values that the menu tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from ruleloom.compiler.check.assign import after_change
from ruleloom.compiler.check.expect import conditions
from ruleloom.compiler.check.messages import plain
from ruleloom.compiler.flow.context import Context, Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, Flow
from ruleloom.compiler.resolve.symbols import Menu, Offer, Way
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import fits
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.calls import Callee
from ruleloom.runtime.program.program import Condition, Expr, Origin, Words


@dataclass(frozen=True, slots=True)
class CheckedMode:
    """One mode in the making; `body` adds its rows."""

    origin: Origin
    label: Words
    body: Callable[[], None]
    conditions: tuple[Condition, ...] = ()
    facts: Facts = NO_FACTS


def check_ways(ctx: Context, node: ast.ChooseOneStmt, by: Expr | None) -> list[CheckedMode]:
    """Check all that a `choose one` offers, in order."""
    told = _told(ctx, node.menu) if node.menu is not None else {}
    menu = ctx.symbols.menu(node)
    if menu is None:
        return [_own(ctx, mode, by) for mode in node.modes]
    return [_offered(ctx, menu, offer, told, by) for offer in menu.offers]


def _told(ctx: Context, menu: ast.MenuName) -> dict[str, Typed]:
    """The values of the text that the menu tells its ways, after complaints about others."""
    found: dict[str, Typed] = {}
    for name in menu.told:
        mark = len(ctx.reads)
        typed = ctx.check(name)
        del ctx.reads[mark:]
        if name.id in found:
            ctx.error("name-clash", name, f"`{name.id}` stands here twice", "take one out")
        elif typed.known and name.id not in ctx.flow.visible:
            message = f"every text knows `{name.id}`, so a menu need not tell it"
            ctx.error("name-clash", name, message, "leave it out")
        found[name.id] = typed
    return found


def _own(ctx: Context, mode: ast.ModeClause, by: Expr | None) -> CheckedMode:
    tests, facts = conditions(ctx, mode.when, by)
    body = partial(ctx.block, mode.body)
    return CheckedMode(ctx.origin(mode), plain(ctx, mode.label), body, tests, facts)


def _offered(
    ctx: Context, menu: Menu, offer: Offer, told: Mapping[str, Typed], by: Expr | None
) -> CheckedMode:
    """Check one way of a menu: of the text, of an item, or of the text and reworded by an item."""
    way = offer.way
    own = _own(ctx, offer.mode, by) if offer.mode is not None else None
    if way is None:
        assert own is not None, "a way is somebody's"
        return own
    fine = _takes_what_is_told(ctx, menu, way, told)
    with ctx.knowing(own.facts if own is not None else NO_FACTS):
        tests = _conditions(ctx, way, by) if fine else ()
    if own is not None:
        return replace(own, label=offer.label, conditions=(*own.conditions, *tests))
    origin = ctx.passage.content.origin(way.item.place)
    args = tuple(told[param.name].expr for param in way.takes)
    use = program.Use(origin, way.item.id, args, -1)
    return CheckedMode(origin, way.label, partial(_use, ctx, menu, use, way.item.place), tests)


def _takes_what_is_told(ctx: Context, menu: Menu, way: Way, told: Mapping[str, Typed]) -> bool:
    """Complain if a way takes a value as something that it is not, or may not be."""
    for param in way.takes:
        given = told[param.name].type
        if not fits(given, param.type):
            tells = f"`{menu.name.name.id}` tells {ctx.say(given)} as `{param.name}`"
            message = f"{tells}, and this takes {ctx.say(param.type)}"
            help = f"`{param.name}: {given}`"
            ctx.report.error("type-mismatch", way.place("takes"), message, help)
            return False
    return all(told[param.name].known for param in way.takes)


def _conditions(ctx: Context, way: Way, by: Expr | None) -> tuple[Condition, ...]:
    """Check when a way is on offer: in its own words, with what it takes of the menu's text."""
    if way.when is None:
        return ()
    text, test = way.when
    taken = {
        param.name: replace(ctx.flow.visible[param.name], type=param.type) for param in way.takes
    }
    flow = Flow(taken, frozenset(taken), ctx.flow.facts)
    # It shares the slots of the menu's text, so that what it binds has one there.
    there = replace(ctx, passage=text, flow=flow, reads=[], locals=[], told=set())
    return conditions(there, test, by)[0]


def _use(ctx: Context, menu: Menu, use: program.Use, place: Place) -> None:
    """Write the use of a way, as of a power."""
    ctx.rows.add(use)
    ctx.runs(place, Callee("routine", use.routine))
    after_change(ctx, Callee("menu", menu.name.name.id))
