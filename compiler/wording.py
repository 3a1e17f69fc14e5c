"""English with holes: templates of the vocabulary, and the words that explain a refused option.

`{space}` in a template is a hole for the parameter of that name, `{space_limit}` for a setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from compiler.context import Context
from compiler.effect import tree
from compiler.symbols import Signature, Symbols
from runtime.program import Expr, Template

HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?::[a-z_]+)?\}")


def holes(text: str) -> Iterator[re.Match[str]]:
    """The holes of a template, in order."""
    return HOLE.finditer(text)


def template(symbols: Symbols, text: str, values: Mapping[str, tuple[Expr, str]]) -> Template:
    """A text with its holes filled by expressions; a hole that means nothing stays as it is written."""
    parts: list[str | tuple[Expr, str]] = []
    end = 0
    for hole in holes(text):
        value = values.get(hole[1]) or _global_value(symbols, hole[1])
        if value is None:
            continue
        if hole.start() > end:
            parts.append(text[end : hole.start()])
        parts.append(value)
        end = hole.end()
    if end < len(text):
        parts.append(text[end:])
    return tuple(parts)


def _global_value(symbols: Symbols, name: str) -> tuple[Expr, str] | None:
    if name in symbols.settings:
        return ("setting", name), str(symbols.settings[name].type)
    if name in symbols.scope:
        return ("scope", name), str(symbols.scope[name].type)
    return None


def signature_template(symbols: Symbols, callee: Signature, args: tuple[Expr, ...]) -> Template:
    """The English of a callee with these arguments in its holes."""
    values = {param.name: (arg, str(param.type)) for param, arg in zip(callee.params, args, strict=False)}
    return template(symbols, callee.english, values)


def condition_template(ctx: Context, node: tree.Expr, expr: Expr) -> Template:
    """The English of one condition: its callee's words, or what the author wrote with holes for names."""
    callee = _callee(ctx.symbols, expr)
    if callee is not None and callee.english:
        return signature_template(ctx.symbols, callee, expr[2:])
    return _written(ctx, node)


def _callee(symbols: Symbols, expr: Expr) -> Signature | None:
    if expr[0] not in ("query", "function", "allowed"):
        return None
    return next((one for one in symbols.callables.values() if expr[1] in (one.id, one.name)), None)


def _written(ctx: Context, node: tree.Expr) -> Template:
    start, stop = node.span
    parts: list[str | tuple[Expr, str]] = []
    for match in re.finditer(r"[A-Za-z_][A-Za-z0-9_]*(?!\w|\s*\()", ctx.passage.text[start:stop]):
        local = ctx.flow.visible.get(match[0])
        if local is None or local.type.name == "?":
            continue
        parts.append(" ".join(ctx.passage.text[start : node.span[0] + match.start()].split(" ")))
        parts.append((("slot", local.slot), str(local.type)))
        start = node.span[0] + match.end()
    parts.append(ctx.passage.text[start:stop])
    return tuple(part for part in parts if part != "")
