"""Prints syntax trees as effect text, one statement a line, with the parentheses needed.

Long lines are left to formatter.py. Parsing the text gives an equal tree again.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.precedence import LEVELS

_ANY, _OR, _NOT, _COMPARISON = 0, LEVELS["or"], LEVELS["and"] + 1, LEVELS["="]
_TIGHTEST = LEVELS["*"] + 1
_ALONE = frozenset([LEVELS["="], LEVELS[".."]])

_COUNTS = {"one": "", "up_to": "up to ", "exactly": "exactly ", "any": "any number of "}

Line = tuple[int, str]


def write_block(stmts: tuple[ast.Stmt, ...]) -> str:
    """Return the statements as text, indented by single spaces."""
    return "".join(f"{' ' * depth}{line}\n" for depth, line in _block(stmts, 0))


def write_params(params: tuple[ast.Param, ...]) -> str:
    """Return what stands in `takes:`."""
    written: list[str] = []
    for param in params:
        default = f" = {write_expr(param.default)}" if param.default is not None else ""
        written.append(f"{param.name}: {write_type(param.type)}{default}")
    return ", ".join(written)


def write_type(type: ast.TypeName) -> str:
    """Return a type as it is written."""
    many, optional = "List of " if type.many else "", "?" if type.optional else ""
    return f"{many}{type.name}{optional}{' by Player' if type.by_player else ''}"


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
        case ast.DiceLiteral(_, count, sides):
            return f"{count}d{sides}"
        case ast.CallExpr(_, name, args):
            return f"{name.id}({_args(args)})"
        case ast.Allowed(_, rule, args):
            return f"allowed {rule.id}({_args(args)})"
        case ast.ListExpr(_, items):
            return f"[{', '.join(map(write_expr, items))}]"
        case ast.Aggregate(_, kind, value, binder, domain, where):
            head = f"{write_expr(value)} for " if value is not None else ""
            label = f"{binder.id}: " if binder is not None else ""
            return f"{kind}({head}{label}{write_expr(domain)}{_part('where', where)})"
    raise TypeError(f"no expression: {expr!r}")


def _args(args: tuple[ast.Arg, ...]) -> str:
    return ", ".join(
        (f"{arg.label}: " if arg.label is not None else "") + write_expr(arg.value) for arg in args
    )


def _text(text: ast.TextLiteral) -> str:
    assert not {'"', "\n"} & set(text.value), "a text holds no quotation mark and no line break"
    return f'"{text.value}"'


def _part(word: str, expr: ast.Expr | None) -> str:
    """Return a clause that may be missing."""
    return f" {word} {write_expr(expr)}" if expr is not None else ""


def _prompt(text: ast.TextLiteral | None) -> str:
    return f" {_text(text)}" if text is not None else ""


def _giving(name: ast.Name | None) -> str:
    return f" giving {name.id}" if name is not None else ""


def _block(stmts: tuple[ast.Stmt, ...], depth: int) -> Iterator[Line]:
    for stmt in stmts:
        yield from _compound(stmt, depth)


def _compound(stmt: ast.Stmt, depth: int) -> Iterator[Line]:
    """Yield the lines of any statement."""
    match stmt:
        case ast.IfStmt(_, arms, otherwise):
            for at, (condition, body) in enumerate(arms):
                yield depth, f"{'elif' if at else 'if'} {write_expr(condition)}:"
                yield from _block(body, depth + 1)
            if otherwise:
                yield depth, "else:"
                yield from _block(otherwise, depth + 1)
        case ast.ChooseOneStmt(_, by, prompt, modes):
            yield depth, f"choose one{_part('by', by)}{_prompt(prompt)}:"
            for mode in modes:
                yield depth + 1, f"{_text(mode.label)}{_part('when', mode.when)}:"
                yield from _block(mode.body, depth + 2)
        case ast.CombinableStmt(_, uses):
            yield depth, "combinable:"
            yield from _block(uses, depth + 1)
        case (
            ast.OptionalStmt(body=body)
            | ast.ForEachStmt(body=body)
            | ast.RepeatStmt(body=body)
            | ast.RepeatUntilStmt(body=body)
            | ast.IgnoringStmt(body=body)
        ):
            yield depth, f"{_header(stmt)}:"
            yield from _block(body, depth + 1)
        case _:
            yield depth, _choice(stmt)


def _header(stmt: ast.Stmt) -> str:
    match stmt:
        case ast.OptionalStmt(_, label, by):
            return f"optional{_prompt(label)}{_part('by', by)}"
        case ast.ForEachStmt(_, name, domain, order):
            return f"for each {name.id} in {write_expr(domain)}{_part('ordered by', order)}"
        case ast.RepeatStmt(_, times, name):
            return f"repeat {write_expr(times)} times" + (f" as {name.id}" if name else "")
        case ast.RepeatUntilStmt(_, until, most):
            return f"repeat until {write_expr(until)} at most {write_expr(most)} times"
        case ast.IgnoringStmt(_, rules):
            return f"ignoring {', '.join(rule.id for rule in rules)}"
    raise TypeError(f"no statement with a block: {stmt!r}")


def _choice(stmt: ast.Stmt) -> str:
    """Return a statement of one line; here those that people or chance decide."""
    match stmt:
        case ast.SecretlyStmt(_, player, players, name, domain, where, prompt):
            head = f"each {player.id} in {write_expr(players)} secretly choose {name.id}"
            return f"{head} from {write_expr(domain)}{_part('where', where)}{_prompt(prompt)}"
        case ast.ChooseStmt(_, count, limit, name, domain, where):
            many = f"{write_expr(limit)} " if limit is not None else ""
            what = f"{name.id} from {write_expr(domain)}{_part('where', where)}"
            end = f"{' or none' if stmt.or_none else ''}{_part('default', stmt.default)}"
            who = _part("by", stmt.by)
            return f"choose {_COUNTS[count]}{many}{what}{who}{end}{_prompt(stmt.prompt)}"
        case ast.AskStmt(_, who, name, or_none, default, prompt):
            end = f"{' or none' if or_none else ''}{_part('default', default)}{_prompt(prompt)}"
            return f"ask {write_expr(who)} for text {name.id}{end}"
        case ast.RollStmt(_, name, dice, by, each):
            return f"roll {'each ' if each else ''}{name.id} = {_dice(dice)}{_part('by', by)}"
        case ast.DrawStmt(_, name, pile, to):
            return f"draw {name.id} from {write_expr(pile)}{_part('to', to)}"
    return _change(stmt)


def _change(stmt: ast.Stmt) -> str:
    """Return a statement that changes variables or the table, or another."""
    match stmt:
        case ast.LetStmt(_, name, value):
            return f"let {name.id} = {write_expr(value)}"
        case ast.AssignStmt(_, name, value):
            return f"set {name.id} = {write_expr(value)}"
        case ast.AddStmt(_, value, name, removing):
            verb, where = ("remove", "from") if removing else ("add", "to")
            return f"{verb} {write_expr(value)} {where} {name.id}"
        case ast.OperateStmt(_, call, giving):
            return f"{write_expr(call)}{_giving(giving)}"
        case ast.UseStmt(_, power, args, giving):
            return f"use {power.id}" + (f"({_args(args)})" if args else "") + _giving(giving)
        case ast.UsePowerStmt(_, of, scope):
            return f"use power of {write_expr(of)}" + (f" with {_args(scope)}" if scope else "")
    return _other(stmt)


def _other(stmt: ast.Stmt) -> str:
    match stmt:
        case ast.StopStmt():
            return "stop"
        case ast.EnsureStmt(_, condition, reason):
            return f"ensure {write_expr(condition)} {_text(reason)}"
        case ast.SayStmt(_, text):
            return f"say {_text(text)}"
        case ast.TellStmt(_, to, text):
            return f"say to {write_expr(to)} {_text(text)}"
        case ast.FinishStmt(_, winner, reason):
            how = "drawn" if winner is None else f"won by {write_expr(winner)}"
            return f"finish {how} {_text(reason)}"
    raise TypeError(f"no statement: {stmt!r}")


def _dice(dice: ast.DiceLiteral) -> str:
    if isinstance(dice.count, int) or isinstance(dice.sides, int):
        return write_expr(dice)
    return f"{write_expr(dice.count)} d {write_expr(dice.sides)}"
