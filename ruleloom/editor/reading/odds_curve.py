"""The exact odds of what is rolled under a cursor, as a small curve of text.

Dice whose number is written out are counted, and conditions of numbers rolled in the same text.
What play decides is left alone: there is no curve then.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.reference.roll_odds import highest, sums
from ruleloom.runtime.machine.labels import number_text

MOST_DICE, MOST_FACES, MOST_WAYS, MOST_ROWS = 40, 100, 50_000, 24
WIDTH = 24
Value = int | Fraction | bool
Odds = Mapping[Value, Fraction]

OPERATORS: Mapping[str, Callable[[Fraction | int, Fraction | int], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class _Unknown(Exception):
    """Only play tells."""


def dice_odds(node: ast.DiceLiteral, each: bool = False) -> Odds | None:
    """The odds of the sum of some dice, or of the highest of them."""
    count, sides = _number(node.count), _number(node.sides)
    if count is None or sides is None or not (0 < count <= MOST_DICE and 1 < sides <= MOST_FACES):
        return None
    ways = highest(count, sides) if each else sums(count, sides)
    return {value: Fraction(many, sides**count) for value, many in ways.items() if many}


def _number(said: int | ast.Expr) -> int | None:
    value = said.value if isinstance(said, ast.NumberLiteral) else said
    return value if isinstance(value, int) else None


def rolls_in(tree: object) -> dict[str, Odds]:
    """The odds of each number that a text rolls once, by its name."""
    found: dict[str, Odds] = {}
    named: Counter[str] = Counter()
    for node in walk(tree):
        if isinstance(node, ast.RollStmt):
            named[node.name.id] += 1
            odds = None if node.each else dice_odds(node.dice)
            if odds is not None:
                found[node.name.id] = odds
        elif isinstance(node, ast.LetStmt | ast.AssignStmt):
            named[node.name.id] += 2  # it may be something else by then
    return {name: odds for name, odds in found.items() if named[name] == 1}


def expression_odds(node: ast.Expr, rolls: Mapping[str, Odds]) -> Odds | None:
    """The odds of an expression about numbers that are rolled; None where play decides."""
    names = sorted({one.id for one in walk(node) if isinstance(one, ast.Name)} & rolls.keys())
    ways = 1
    for name in names:
        ways *= len(rolls[name])
    if not names or ways > MOST_WAYS:
        return None
    found: dict[Value, Fraction] = {}
    try:
        for values in product(*(rolls[name].items() for name in names)):
            told = {name: value for name, (value, _) in zip(names, values, strict=True)}
            chance = Fraction(1)
            for _, one in values:
                chance *= one
            result = _value(node, told)
            found[result] = found.get(result, Fraction(0)) + chance
    except (_Unknown, ZeroDivisionError):
        return None
    return found


def _value(node: ast.Expr, told: Mapping[str, Value]) -> Value:
    match node:
        case ast.NumberLiteral() | ast.BoolLiteral():
            return node.value
        case ast.Name() if node.id in told:
            return told[node.id]
        case ast.Unary():
            value = _value(node.value, told)
            return not value if node.op == "not" else -value
        case ast.Binary(op="and" | "or"):
            left, right = _value(node.left, told), _value(node.right, told)
            return bool(left and right) if node.op == "and" else bool(left or right)
        case ast.Binary() if node.op in OPERATORS:
            return OPERATORS[node.op](_value(node.left, told), _value(node.right, told))
        case ast.IfElse():
            return _value(node.then if _value(node.condition, told) else node.otherwise, told)
    raise _Unknown


def mean(odds: Odds) -> Fraction:
    """The average."""
    return sum((Fraction(value) * chance for value, chance in odds.items()), Fraction(0))


def curve(odds: Odds) -> str:
    """The odds as lines of text: each value, its chance, a bar, and the chance of so much or more."""
    return "\n".join(_rows(odds))


def _rows(odds: Odds) -> Iterator[str]:
    if set(odds) <= {True, False}:
        for value in (True, False):
            chance = odds.get(value, Fraction(0))
            yield f"{'yes' if value else 'no':>3}  {percent(chance):>6}  {_bar(chance, Fraction(1))}"
        return
    values = sorted(odds)
    step = -(-len(values) // MOST_ROWS)
    groups = [values[at : at + step] for at in range(0, len(values), step)]
    chances = [sum((odds[one] for one in group), Fraction(0)) for group in groups]
    most, left = max(chances), Fraction(1)
    for group, chance in zip(groups, chances, strict=True):
        label = number_text(group[0])
        label = f"{label}-{number_text(group[-1])}" if len(group) > 1 else label
        yield f"{label:>7}  {percent(chance):>6}  {_bar(chance, most):<{WIDTH}}  {percent(left)}"
        left -= chance


def _bar(chance: Fraction, most: Fraction) -> str:
    return "█" * round(WIDTH * chance / most) if most else ""


def percent(chance: Fraction) -> str:
    """A chance in percent with one decimal; what may happen is never 0 %."""
    tenths = round(chance * 1000)
    if chance and not tenths:
        return "<0.1%"
    return f"{tenths // 10}.{tenths % 10}%"
