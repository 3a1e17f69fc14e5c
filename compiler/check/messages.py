"""Texts that people read while they play: prompts, remarks, reasons.

A text without holes stays a string; one with holes becomes a template. A hole that would show
hidden information is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ruleloom.compiler.check.secrecy import judge, judge_shown
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parts import holes, odd_holes, parts
from ruleloom.runtime.program.program import Expr, Words


def asked(ctx: Context, text: ast.TextLiteral | None, chooser: Expr | None) -> Words:
    """A text that is read by the player who is asked (None: me)."""
    return "" if text is None else _words(ctx, text, partial(judge, ctx, chooser=chooser))


def told(ctx: Context, text: ast.TextLiteral, reader: Expr | None = None) -> Words:
    """A text that one player reads, or (None) everybody."""
    return _words(ctx, text, partial(judge_shown, ctx, reader=reader))


def plain(ctx: Context, text: ast.TextLiteral) -> str:
    """A text that is a name for what it stands at; after a complaint about its holes."""
    _look_at(ctx, text)
    for hole in holes(text):
        message = f"the label of a way cannot change, and `{{{hole.id}}}` would"
        ctx.error("hole-in-label", hole, message, "ask it in the question behind `choose one`")
    return text.value


def _words(ctx: Context, text: ast.TextLiteral, refuse_hidden: Callable[..., None]) -> Words:
    _look_at(ctx, text)
    found: list[str | tuple[Expr, str]] = []
    for part in parts(text):
        if isinstance(part, str):
            found.append(part)
            continue
        mark = len(ctx.reads)
        typed = ctx.check(part)
        if typed.known and typed.type.by_player:
            message = f"`{part.id}` is {ctx.say(typed.type)}, which cannot be written out"
            ctx.error("type-mismatch", part, message, f"`let` a name be `{part.id}(...)` first")
        thing = any(zone.of == typed.type.name for zone in ctx.symbols.zones.values())
        refuse_hidden(mark, thing=thing)
        found.append((typed.expr, str(typed.type)))
    if all(isinstance(part, str) for part in found):
        return text.value
    return tuple(found)


def _look_at(ctx: Context, text: ast.TextLiteral) -> None:
    if not text.value.strip():
        ctx.error("empty-text", text, "nothing can be read here", "write what people are to read")
    for braces in odd_holes(text):
        message = f"`{ctx.passage.words(braces)}` is read as it stands: only a name in braces is filled in"
        help = "`let` a name be that, and write the name in the braces"
        ctx.warn("odd-hole", braces, message, help)
