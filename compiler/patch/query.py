"""The condition of a class of items: an effect-language expression over their static fields.

The text under `where:` is parsed into an `ItemCondition`, which is evaluated on an item's fields. A
bare name is a field of the kind, or, opposite a field in a comparison, a word that the field may
hold. A name that is neither, and a text that is no condition, raise `QueryError`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.settings import folded, is_number
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Span
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.syntax.tree import conjuncts
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.interval import compare_values

# A field's value by its name, as given by `ruleloom.compiler.packs.settings.value_of`.
Card = Callable[[str], Any]

PACK = "pack"  # a pseudo-field: the pack that an item comes from
COMPARED = ("<", "<=", ">", ">=")
RECKONED: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
FORMS = "such as `price >= 10 and sort = blade`, `heavy in tags`, `title is none`"


class QueryError(EffectSyntaxError):
    """A condition that parses but cannot be evaluated."""

    usual_code = "patch-query"


class Word(Frozen):
    """A word that a field is compared with, a misspelling if no item's field holds it."""

    field: str
    word: str
    written: str
    span: Span
    beside: ast.Expr
    """The other side of the comparison."""


def blank(_: str) -> None:
    """The card of an item without values, on which every part of a condition is evaluated."""


@dataclass(slots=True)
class ItemCondition:
    """A condition on items of one kind: its conjuncts, the fields it reads and the words it names."""

    kind: str
    names: Mapping[str, str]
    """The fields by their names in effect text."""
    parts: Sequence[ast.Expr]
    reads: set[str] = field(default_factory=set)
    words: dict[Span, Word] = field(default_factory=dict)

    def holds(self, card: Card) -> bool:
        """Does the condition hold for an item? Raises QueryError if values cannot be compared."""
        return all(self.truth(part, card) for part in self.parts)

    # ------------------------------------------------------------------ conditions

    def truth(self, node: ast.Expr, card: Card) -> bool:
        """Does a part of the condition hold?"""
        match node:
            case ast.BoolLiteral(value=value):
                return value
            case ast.Unary(op="not", value=inner):
                return not self.truth(inner, card)
            case ast.Binary(op="and" | "or" as op, left=left, right=right):
                sides = (self.truth(side, card) for side in (left, right))
                both = all if op == "and" else any
                return both([*sides] if card is blank else sides)
            case ast.IsNone(value=inner, negated=negative):
                return (self.value(inner, card) is None) != negative
            case ast.Binary(op="=" | "!=" as op):
                return self._equal(node, card) == (op == "=")
            case ast.Binary(op="in" | "not in" as op):
                return self._within(node, card) == (op == "in")
            case ast.Binary(op=op) if op in COMPARED:
                return self._compared(node, card)
            case ast.Name() | ast.CallExpr():
                return self._flag(node, card)
        raise QueryError(node.span, "this is no condition on printed fields", FORMS)

    def _flag(self, node: ast.Name | ast.CallExpr, card: Card) -> bool:
        """The value of a boolean field; a missing one is false."""
        found = self.value(node, card)
        if found is not None and not isinstance(found, bool):
            message = f"this is {phrase(found)}, neither true nor false"
            raise QueryError(node.span, message, "compare it with something: `= 3`")
        return found is True

    def _compared(self, node: ast.Binary, card: Card) -> bool:
        left, right = self.value(node.left, card), self.value(node.right, card)
        if left is None or right is None:
            return False
        for found, side in ((left, node.left), (right, node.right)):
            if not is_number(found):
                message = f"`{node.op}` compares numbers, and this is {phrase(found)}"
                raise QueryError(side.span, message)
        return compare_values(node.op, left, right) is True

    def _equal(self, node: ast.Binary, card: Card) -> bool:
        left = self._side(node.left, node.right, card)
        right = self._side(node.right, node.left, card)
        if left is not None and right is not None and sort_of(left) != sort_of(right):
            raise QueryError(node.span, f"this compares {phrase(left)} with {phrase(right)}")
        return bool(left == right)

    def _within(self, node: ast.Binary, card: Card) -> bool:
        if isinstance(node.right, ast.ListExpr):
            options = [self._side(one, node.left, card) for one in node.right.items]
            return self.value(node.left, card) in options
        found, one = self.value(node.right, card), self._side(node.left, node.right, card)
        if found is not None and not isinstance(found, tuple | dict):
            message = f"this is {phrase(found)}, and `in` looks into a list"
            raise QueryError(node.right.span, message, "write `=` in place of `in`")
        return one in (found or ())

    def _side(self, node: ast.Expr, other: ast.Expr, card: Card) -> Any:
        """One side of a comparison: a word, or an expression's value."""
        named = other.name if isinstance(other, ast.CallExpr) else other
        about = self.names.get(named.id) if isinstance(named, ast.Name) else None
        if isinstance(node, ast.TextLiteral):
            written = node.value
        elif isinstance(node, ast.Name) and node.id not in self.names and about is not None:
            written = node.id
        else:
            is_truth = isinstance(node, ast.BoolLiteral)
            return self.truth(node, card) if is_truth else self.value(node, card)
        word = folded(written)
        self.words.setdefault(node.span, Word(about or "", word, written, node.span, other))
        return word

    # ------------------------------------------------------------------ values

    def value(self, node: ast.Expr, card: Card) -> Any:
        """The value of an expression."""
        match node:
            case ast.NumberLiteral(value=number):
                return number
            case ast.Name():
                return card(self._field(node))
            case ast.CallExpr(name=ast.Name() as named, args=(ast.Arg(label=None, value=key),)):
                rows, row = card(self._field(named)), _row(key)
                return rows.get(row) if isinstance(rows, dict) else None
            case ast.Aggregate(kind="count", value=None, binder=None, domain=domain):
                return _length(self.value(domain, card), domain.span)
            case ast.Unary(op="-", value=inner):
                return _reckoned(operator.sub, 0, self.value(inner, card), node.span)
            case ast.Binary(op=op, left=left, right=right) if op in RECKONED:
                sides = self.value(left, card), self.value(right, card)
                return _reckoned(RECKONED[op], *sides, node.span)
        raise QueryError(node.span, "this is no printed field", FORMS)

    def _field(self, node: ast.Name) -> str:
        name = self.names.get(node.id)
        if name is None:
            known = list(self.names)
            message = f"`{self.kind}` has no field `{node.id}`; {choices_text(node.id, known)}"
            help = did_you_mean(node.id, known)
            raise QueryError(node.span, message, help, "patch-unknown-field")
        self.reads.add(name)
        return name


def condition(kind: str, names: Sequence[str], text: str) -> ItemCondition:
    """Parse the condition of a class of items; raises EffectSyntaxError, or QueryError."""
    fields = [name for name in (*names, PACK) if name != "kind"]
    parts = conjuncts(parse_expr(text))
    found = ItemCondition(kind, {name.replace("-", "_"): name for name in fields}, parts)
    for part in parts:
        found.truth(part, blank)
    return found


def _row(key: ast.Expr) -> str:
    """The key of a row of a map."""
    match key:
        case ast.Name(id=word) | ast.TextLiteral(value=word):
            return folded(word)
        case ast.NumberLiteral(value=number):
            return str(number)
    raise QueryError(key.span, "a row is named by one word or number")


def _length(found: Any, span: Span) -> int:
    if found is not None and not isinstance(found, tuple | dict):
        raise QueryError(span, f"this is {phrase(found)}, and no list that could be counted")
    return len(found or ())


def _reckoned(do: Callable[[Any, Any], Any], left: Any, right: Any, span: Span) -> Any:
    if left is None or right is None:
        return None
    if not (is_number(left) and is_number(right)):
        raise QueryError(span, f"this calculates with {phrase(left)} and {phrase(right)}")
    return do(left, right)


def sort_of(value: Any) -> str:
    """The sort of a value as a phrase."""
    if isinstance(value, bool):
        return "true or false"
    if is_number(value):
        return "a number"
    return "a list" if isinstance(value, tuple | dict) else "a word"


def phrase(value: Any) -> str:
    """A value in a message: a word or number in full, a list as such."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, tuple | dict):
        return "a list"
    return f"{sort_of(value)}, `{str(value)[:40]}`"
