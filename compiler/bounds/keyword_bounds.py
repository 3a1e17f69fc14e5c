"""How large the numbers may be that a keyword or power is told: `min: {part: 0}` and
`max: {part: 1}`.

In go the keywords and powers of a game, and what they are used with; out come errors, and a warning
of a list in which nothing stands. A number that cannot be told from the text is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ruleloom.compiler.bounds.constant_conditions import bounds
from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.resolve.symbols import Bound, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import is_number
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Expr

LEAST, MOST = "min", "max"


def check_keyword_bounds(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter the bounds of what is told; complain of those of what is not, and of those that nothing
    lies within."""
    for kind, callees in (("keyword", symbols.keywords), ("power", symbols.powers)):
        for item in content.by_kind(kind):
            callee = callees.get(item.slug)
            if callee is not None and callee.id == item.id and not callee.broken:
                for field in (LEAST, MOST):
                    if field in item.fields:
                        _check_names(item.fields[field], callee, report)
                _check_order(item, report)
                callee.least, callee.most_told = _bounds(item, LEAST), _bounds(item, MOST)


def _check_names(node: YamlNode, callee: Signature, report: Report) -> None:
    names = [param.name for param in callee.params if is_number(param.type)]
    for name, value in node.entries.items():
        if name not in names:
            message = f"`{callee.name}` takes no number `{name}`; {choices_text(name, names)}"
            report.error("unknown-name", node.key_place(name), message, did_you_mean(name, names))
        elif amount(value) is None:
            message = (
                f"a number is wanted here, such as `3` or `1/2`, and `{value.text or value.raw}` is "
                "none"
            )
            report.error("type-mismatch", value.place, message)


def _check_order(item: Item, report: Report) -> None:
    least, most = _bounds(item, LEAST), _bounds(item, MOST)
    for name in least.keys() & most.keys():
        if least[name].number > most[name].number:
            message = f"nothing is from {least[name].number} to {most[name].number}"
            report.error("out-of-bounds", item.fields[MOST].entries[name].place, message)


def _bounds(item: Item, field: str) -> dict[str, Bound]:
    node = item.fields.get(field)
    found = (
        {name: (amount(value), value) for name, value in node.entries.items()}
        if node is not None
        else {}
    )
    return {
        name: Bound(number, value.place)
        for name, (number, value) in found.items()
        if number is not None
    }


def said(callee: Signature, args: Sequence[ast.Arg]) -> dict[str, ast.Expr]:
    """What was written for each parameter for which something was."""
    names = [param.name for param in callee.params]
    placed = dict(zip(names, (arg.value for arg in args if arg.label is None), strict=False))
    return placed | {arg.label: arg.value for arg in args if arg.label is not None}


def hold_to_bounds(
    context: Context,
    callee: Signature,
    call: ast.SyntaxNode,
    written: Mapping[str, ast.Expr],
    arguments: Sequence[Expr],
) -> bool:
    """Complain where a keyword or power is told a number that is surely too small or too large; is
    all well?"""
    sound = True
    for param, argument in zip(callee.params, arguments, strict=True):
        at = written.get(param.name) or call
        if isinstance(at, ast.ListExpr) and not at.items:
            message = f"`{callee.name}` is told of nothing here: this list is empty"
            context.warn("changes-nothing", at, message)
        low, high = _span(context, argument)
        for bound, reached, limit in (
            (callee.least.get(param.name), high, "at least"),
            (callee.most_told.get(param.name), low, "at most"),
        ):
            if bound is None or reached is None:
                continue
            if reached >= bound.number if limit == "at least" else reached <= bound.number:
                continue
            note = Note(bound.place, "said here")
            message = f"`{param.name}` of `{callee.name}` is {limit} {bound.number}, and this is {reached}"
            context.error("out-of-bounds", at, message, None, [note])
            sound = False
    return sound


def _span(context: Context, expr: Expr) -> tuple[int | Fraction | None, int | Fraction | None]:
    if expr[0] == "value":
        number = expr[1]
        known = isinstance(number, int | Fraction) and not isinstance(number, bool)
        return (number, number) if known else (None, None)
    return bounds(context, expr)
