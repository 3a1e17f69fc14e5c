"""Prints syntax trees as effect text, one statement a line, with the parentheses needed.

Long lines are left to formatter.py. Parsing the text gives an equal tree again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import LEVELS
from ruleloom.runtime.program.values import Type

_ANY, _OR, _NOT, _COMPARISON = 0, LEVELS["or"], LEVELS["and"] + 1, LEVELS["="]
_TIGHTEST = LEVELS["*"] + 1
_ALONE = frozenset([LEVELS["="], LEVELS[".."]])

Line = tuple[int, str]


def write_block(stmts: tuple[ast.Stmt, ...]) -> str:
    """Return the statements as text, indented by single spaces."""
    return "".join(f"{' ' * depth}{line}\n" for depth, line in _block(stmts, 0))


def write_params(params: tuple[ast.Param, ...]) -> str:
    """Return what stands in `takes:`."""
    written: list[str] = []
    for param in params:
        one = param.type
        type_ = Type(one.name, one.many, one.optional, one.by_player)
        default = f" = {write_expr(param.default)}" if param.default is not None else ""
        written.append(f"{param.name}: {type_}{default}")
    return ", ".join(written)


def write_expr(expr: ast.Expr, floor: int = _ANY) -> str:
    """Return an expression; in parentheses if it binds looser than *floor*."""
    text, level = _expr(expr)
    return f"({text})" if level < floor else text


def _expr(expr: ast.Expr) -> tuple[str, int]:
    """Return the text of an expression and how tight it binds."""
    match expr:
        case ast.Binary(_, op, left, right):
            level = LEVELS[op]
            first = write_expr(left, level + 1 if level in _ALONE else level)
            second = write_expr(right, level + 1)
            if op == "or" and f"{second} ".startswith("none "):
                second = f"({second})"  # `or none` is a clause of `choose`
            return f"{first} {op} {second}", level
        case ast.Unary(_, "not", value):
            return f"not {write_expr(value, _NOT)}", _NOT
        case ast.Unary(_, op, value) if op in ast.ROUNDINGS:
            twice = isinstance(value, ast.Unary) and value.op in ast.ROUNDINGS
            return f"{write_expr(value, LEVELS[op] + twice)} {op}", LEVELS[op]
        case ast.Unary(_, _, value):
            return f"-{write_expr(value, _TIGHTEST)}", _TIGHTEST
        case ast.IsNone(_, value, negated):
            compared = write_expr(value, _COMPARISON + 1)
            return f"{compared} is {'not ' if negated else ''}none", _COMPARISON
        case ast.IfElse(_, then, condition, otherwise):
            whole = f"{write_expr(then, _OR)} if {write_expr(condition, _OR)} else {write_expr(otherwise)}"
            return whole, _ANY
        case _:
            return _atom(expr), _TIGHTEST


def _atom(expr: ast.Expr) -> str:
    match expr:
        case ast.Name(_, id):
            return id
        case ast.NumberLiteral(_, value):
            return str(value)
        case ast.TextLiteral():
            return _text(expr)
        case ast.BoolLiteral(_, yes):
            return "yes" if yes else "no"
        case ast.NoneLiteral():
            return "none"
        case ast.DiceLiteral(_, int(count), int(sides)):
            return f"{count}d{sides}"
        case ast.DiceLiteral(_, ast.SyntaxNode() as count, ast.SyntaxNode() as sides):
            return f"{write_expr(count)} d {write_expr(sides)}"
        case ast.CallExpr(_, name, args):
            return f"{name.id}({_args(args)})"
        case ast.Allowed(_, rule, args):
            return f"allowed {rule.id}({_args(args)})"
        case ast.ListExpr(_, items):
            return f"[{', '.join(map(write_expr, items))}]"
        case ast.Aggregate():
            return _aggregate(expr)
    raise TypeError(f"no expression: {expr!r}")


def _aggregate(expr: ast.Aggregate) -> str:
    value = f"{write_expr(expr.value)} for " if expr.value is not None else ""
    label = f"{expr.binder.id}: " if expr.binder is not None else ""
    where = f" where {write_expr(expr.where)}" if expr.where is not None else ""
    return f"{expr.kind}({value}{label}{write_expr(expr.domain)}{where})"


def _args(args: tuple[ast.Arg, ...]) -> str:
    return ", ".join(
        (f"{arg.label}: " if arg.label is not None else "") + write_expr(arg.value) for arg in args
    )


def _text(text: ast.TextLiteral) -> str:
    assert not {'"', "\n"} & set(text.value), "a text holds no quotation mark and no line break"
    return f'"{text.value}"'


def _block(stmts: tuple[ast.Stmt, ...], depth: int) -> Iterator[Line]:
    for stmt in stmts:
        yield from _compound(stmt, depth)


def _compound(stmt: ast.Stmt, depth: int) -> Iterator[Line]:
    match stmt:
        case ast.IfStmt(_, arms, otherwise):
            for at, (condition, body) in enumerate(arms):
                yield depth, f"{'elif' if at else 'if'} {write_expr(condition)}:"
                yield from _block(body, depth + 1)
            if otherwise:
                yield depth, "else:"
                yield from _block(otherwise, depth + 1)
        case ast.ChooseOneStmt(modes=modes):
            yield depth, f"{_line(stmt)}:"
            for mode in modes:
                yield depth + 1, f"{_line(mode)}:"
                yield from _block(mode.body, depth + 2)
        case (
            ast.OptionalStmt(body=body)
            | ast.ForEachStmt(body=body)
            | ast.RepeatStmt(body=body)
            | ast.RepeatUntilStmt(body=body)
            | ast.IgnoringStmt(body=body)
            | ast.KeepingStmt(body=body)
            | ast.CombinableStmt(uses=body)
            | ast.LaterStmt(body=body)
        ):
            yield depth, f"{_line(stmt)}:"
            yield from _block(body, depth + 1)
        case _:
            yield depth, _line(stmt)


# The clauses of each form, with its fields in braces; one is left out if a field of it is none.
_CLAUSES: dict[type, tuple[str, ...]] = {
    ast.ChooseStmt: (
        *("choose", "{count}", "{limit}", "{name} from {domain}", "where {where}", "by {by}"),
        *("{or_none}", "default {default}", "usual {usual}", "showing {showing}"),
        "{prompt}",
    ),
    ast.ChooseOneStmt: ("choose one", "named {menu}", "by {by}", "showing {showing}", "{prompt}"),
    ast.ModeClause: ("{label}", "when {when}", "{usual}"),
    ast.OptionalStmt: ("optional", "{label}", "by {by}", "{usual}"),
    ast.SecretlyStmt: (
        "each {player} in {players} secretly choose {name} from {domain}",
        *("where {where}", "{or_none}", "{prompt}", "seen by {seen_by}"),
    ),
    ast.AskStmt: (
        *(
            "ask {who} for text {name}",
            "with {naming}",
            "{or_none}",
            "default {default}",
            "usual {usual}",
        ),
        "{prompt}",
    ),
    ast.RollStmt: (
        "roll",
        "{each}",
        "{name} = {dice}",
        "by {by}",
        "for {whom}",
        "seen by {seen_by}",
    ),
    ast.DrawStmt: ("draw {name} from {pile}", "to {to}"),
    ast.LookStmt: ("look at {number} of {pile}", "by {by}", "as {name}"),
    ast.PutStmt: ("put {things} on {end} of {pile}",),
    ast.ShowStmt: ("show {things} to {to}",),
    ast.LetStmt: ("let {name} = {value}",),
    ast.AssignStmt: ("set {name} = {value}",),
    ast.OperateStmt: ("{call}", "giving {giving}"),
    ast.ForEachStmt: ("for each {name} in {domain}", "ordered by {order}", "{one_by_one}"),
    ast.RepeatStmt: ("repeat {times} times", "as {name}"),
    ast.RepeatUntilStmt: ("repeat until {until} at most {most} times",),
    ast.StopStmt: ("stop",),
    ast.EnsureStmt: ("ensure {condition} {reason}",),
    ast.IgnoringStmt: ("ignoring {rules}",),
    ast.KeepingStmt: ("keeping {names}",),
    ast.CombinableStmt: ("combinable",),
    ast.SayStmt: ("say {text}",),
    ast.TellStmt: ("say to {to} {text}",),
    ast.EndStmt: ("end {name}", "on {on}"),
    ast.ProlongStmt: ("prolong {name}", "on {on}", "by {by}"),
    ast.RankStmt: ("finish ranked {name} in {domain} by {number} {reason}",),
}
_FIELD = re.compile(r"{(\w+)}")
_WORDS = {"one": None, "up_to": "up to", "any": "any number of"}


def _line(stmt: ast.Stmt | ast.ModeClause) -> str:
    """Return a statement of one line, or what stands above the block of another."""
    written: list[str] = []
    for clause in _CLAUSES.get(type(stmt), ()):
        fields = {name: _field(name, getattr(stmt, name)) for name in _FIELD.findall(clause)}
        if None not in fields.values():
            written.append(clause.format_map(fields))
    return " ".join(written) or _irregular(stmt)


def _irregular(stmt: ast.Stmt | ast.ModeClause) -> str:
    match stmt:
        case ast.AddStmt(_, value, name, removing):
            verb, where = ("remove", "from") if removing else ("add", "to")
            return f"{verb} {write_expr(value)} {where} {name.id}"
        case ast.UseStmt(_, power, args, giving):
            end = f" giving {giving.id}" if giving is not None else ""
            return f"use {power.id}" + (f"({_args(args)})" if args else "") + end
        case ast.UsePowerStmt(_, of, scope):
            return f"use power of {write_expr(of)}" + (f" with {_args(scope)}" if scope else "")
        case ast.BeginStmt() | ast.LaterStmt():
            return _lasting(stmt)
        case ast.FinishStmt(_, winner, reason):
            how = "drawn" if winner is None else f"won by {write_expr(winner)}"
            return f"finish {how} {_text(reason)}"
    raise TypeError(f"no statement: {stmt!r}")


def _lasting(stmt: ast.BeginStmt | ast.LaterStmt) -> str:
    """What begins an effect, or stands above the block of what comes later."""
    match stmt:
        case ast.LaterStmt(_, times, event, where, label):
            head = "next time" if times is None else f"in {write_expr(times)} times"
            test = f" where {write_expr(where)}" if where is not None else ""
            return f"{head} {_event(event)}{test}" + (f" {_text(label)}" if label else "")
        case ast.BeginStmt(_, name, args):
            terms = {"on": stmt.on, "for": stmt.time, "by": stmt.by, "giving": stmt.giving}
            told = [f" {word} {write_expr(one)}" for word, one in terms.items() if one is not None]
            return f"begin {name.id}" + (f"({_args(args)})" if args else "") + "".join(told)


def _event(event: ast.CallExpr) -> str:
    """An event as it is written: without parentheses where it names nothing."""
    return write_expr(event) if event.args else event.name.id


def _field(name: str, value: Any) -> str | None:
    if value is None or value is False:
        return None
    if value is True:
        return name.replace("_", " ")
    if isinstance(value, str):
        return _WORDS.get(value, value)
    if isinstance(value, tuple):
        return ", ".join(map(write_expr, value)) or None
    if isinstance(value, ast.MenuName):
        told = _field("told", value.told)
        return f"{value.name.id}({told})" if told else value.name.id
    return write_expr(value)
