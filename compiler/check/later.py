"""`next time EVENT: ...` and `in 3 times EVENT: ...`: what an effect that comes later has to keep.

The first time a game is checked, such a statement notes the types of the names that its block speaks of.
Then it is written out as an item of its own (`ruleloom.compiler.lower.later_items`), and what stands in
its place begins that.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import Local
from ruleloom.compiler.packs.content import start_of
from ruleloom.compiler.packs.lasting_names import OWNER_NAME
from ruleloom.compiler.resolve.lookups import NEVER_SAME
from ruleloom.compiler.resolve.symbols import Waiting
from ruleloom.compiler.syntax import ast


def check_later(ctx: Context, node: ast.LaterStmt) -> None:
    """Note what it has to keep; its block is checked to find what stands in that and comes later, too."""
    if node.times is not None:
        ctx.check(node.times)
    inner = ctx.rehearsal()
    kept = {
        name: inner.check(ast.Name(span, name)).type
        for name, span in _names(node)
        if name in inner.flow.visible and not (name == OWNER_NAME and ctx.asker is not None)
    }
    place = ctx.passage.place(node.span)
    waiting = Waiting(node, ctx.passage, kept, ctx.asker is not None)
    ctx.symbols.lookups.note(NEVER_SAME)
    ctx.symbols.waiting.setdefault(start_of(place), waiting)
    told = ctx.symbols.events.get(node.event.name.id, ())
    for arg, param in zip(node.event.args, told, strict=False):
        if isinstance(arg.value, ast.Name):
            slot = inner.slot(arg.value.id)
            inner.enter(Local(arg.value.id, slot, param.type, place, "of the event", used=True))
    inner.block(node.body)
    for name in kept:
        ctx.flow.visible[name].use()


def _names(node: ast.LaterStmt) -> Iterator[tuple[str, ast.Span]]:
    """The names that its texts speak of, each where it stands first."""
    new = {arg.value.id for arg in node.event.args if isinstance(arg.value, ast.Name)}
    found: dict[str, ast.Span] = {}
    for one in ast.walk((node.where, node.label, node.body)):
        names = ast.holes(one) if isinstance(one, ast.TextLiteral) else (one,)
        for name in names:
            if isinstance(name, ast.Name) and name.id not in new:
                found.setdefault(name.id, name.span)
    yield from found.items()
