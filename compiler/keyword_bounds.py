"""How large the numbers may be that a keyword is told: `min: {part: 0}` and `max: {part: 1}`.

In go the keywords of a game, and the numbers with which items use them; out come errors. A number that cannot be
told from the text is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from compiler.abilities import Text
from compiler.content import Content, Item
from compiler.context import Context
from compiler.diagnostics import Note, Report, choices_text, did_you_mean
from compiler.holding import bounds
from compiler.setting_sorts import amount
from compiler.symbols import Signature, Symbols
from compiler.types import is_number
from compiler.yaml_node import Node
from runtime.program import Expr

LEAST, MOST = "min", "max"


def check_keyword_bounds(content: Content, symbols: Symbols, report: Report) -> None:
    """Complain about bounds of what a keyword does not take, and of those that nothing lies within."""
    for item in content.by_kind("keyword"):
        callee = symbols.keywords.get(item.slug)
        if callee is not None and callee.id == item.id and not callee.broken:
            for field in (LEAST, MOST):
                if field in item.fields:
                    _check_names(item.fields[field], callee, report)
            _check_order(item, report)


def _check_names(node: Node, callee: Signature, report: Report) -> None:
    names = [param.name for param in callee.params if is_number(param.type)]
    for name, value in node.entries.items():
        if name not in names:
            message = f"`{callee.name}` takes no number `{name}`; {choices_text(name, names)}"
            report.error("unknown-name", node.key_place(name), message, did_you_mean(name, names))
        elif amount(value) is None:
            message = (
                f"a number is wanted here, such as `3` or `1/2`, and `{value.text or value.raw}` is none"
            )
            report.error("type-mismatch", value.place, message)


def _check_order(item: Item, report: Report) -> None:
    least, most = _bounds(item, LEAST), _bounds(item, MOST)
    for name in least.keys() & most.keys():
        if least[name] > most[name]:
            message = f"nothing is from {least[name]} to {most[name]}"
            report.error("out-of-bounds", item.fields[MOST].entries[name].place, message)


def _bounds(item: Item, field: str) -> dict[str, int | Fraction]:
    node = item.fields.get(field)
    found = {name: amount(value) for name, value in node.entries.items()} if node is not None else {}
    return {name: value for name, value in found.items() if value is not None}


def hold_to_bounds(context: Context, text: Text, arguments: Sequence[Expr]) -> bool:
    """Complain where a keyword is told a number that is surely too small or too large; is all well?"""
    assert text.callee is not None
    assert text.call is not None
    sound = True
    least, most = _bounds(text.item, LEAST), _bounds(text.item, MOST)
    for param, argument in zip(text.callee.params, arguments, strict=True):
        low, high = _span(context, argument)
        for field, bound in ((LEAST, least.get(param.name)), (MOST, most.get(param.name))):
            reached = high if field == LEAST else low
            if bound is None or reached is None or (reached >= bound if field == LEAST else reached <= bound):
                continue
            at = text.said(param.name) or text.call
            limit = "at least" if field == LEAST else "at most"
            note = Note(text.item.fields[field].entries[param.name].place, "said here")
            message = f"`{param.name}` of `{text.callee.name}` is {limit} {bound}, and this is {reached}"
            context.error("out-of-bounds", at, message, None, [note])
            sound = False
    return sound


def _span(context: Context, expr: Expr) -> tuple[int | Fraction | None, int | Fraction | None]:
    if expr[0] == "value":
        number = expr[1]
        known = isinstance(number, int | Fraction) and not isinstance(number, bool)
        return (number, number) if known else (None, None)
    return bounds(context, expr)
