"""The range of the numbers passed to a keyword or power: `min: {part: 0}`, `max: {part: 1}`.

A number that cannot be told from the text is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ruleloom.compiler.bounds.constant_conditions import bounds
from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.resolve.symbols import Bound, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import is_number
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Expr

Number = int | Fraction


def check_keyword_bounds(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter the bounds of parameters; report those of unknown ones, and empty ranges."""
    for kind, callees in (("keyword", symbols.keywords), ("power", symbols.powers)):
        for item in content.by_kind(kind):
            callee = callees.get(item.slug)
            if callee is not None and callee.id == item.id and not callee.broken:
                least = callee.least = _bounds(item.fields.get("min"), callee, report)
                most = callee.most_told = _bounds(item.fields.get("max"), callee, report)
                for name in least.keys() & most.keys():
                    if least[name].number > most[name].number:
                        message = f"nothing is from {least[name].number} to {most[name].number}"
                        report.error("out-of-bounds", most[name].place, message)


def _bounds(node: YamlNode | None, callee: Signature, report: Report) -> dict[str, Bound]:
    names = [param.name for param in callee.params if is_number(param.type)]
    found: dict[str, Bound] = {}
    for name, value in node.entries.items() if node is not None else ():
        number = amount(value)
        if number is not None:
            found[name] = Bound(number, value.place)
        if node is not None and name not in names:
            message = f"`{callee.name}` takes no number `{name}`; {choices_text(name, names)}"
            report.error("unknown-name", node.key_place(name), message, did_you_mean(name, names))
        elif number is None:
            written = value.text or value.raw
            message = f"a number is wanted here, such as `3` or `1/2`, and `{written}` is none"
            report.error("type-mismatch", value.place, message)
    return found


def written_arguments(callee: Signature, args: Sequence[ast.Arg]) -> dict[str, ast.Expr]:
    """The expressions written for parameters, by their names."""
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
    """Report numbers passed to a keyword or power that are surely out of bounds; is all well?"""
    sound = True
    for param, argument in zip(callee.params, arguments, strict=True):
        at = written.get(param.name) or call
        if isinstance(at, ast.ListExpr) and not at.items:
            message = f"`{callee.name}` is told of nothing here: this list is empty"
            context.warn("changes-nothing", at, message)
        low, high = _value_or_bounds(context, argument)
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


def _value_or_bounds(context: Context, expr: Expr) -> tuple[Number | None, Number | None]:
    match expr:
        case ("value", int() | Fraction() as number) if not isinstance(number, bool):
            return number, number
        case ("value", _):
            return None, None
    return bounds(context, expr)
