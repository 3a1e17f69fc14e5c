"""The condition of a class of items: an effect-language expression over their static fields.

In goes the text under `where:`; out comes a `Condition` that can be asked of the fields of an item.
A bare name is a field of the kind, or, beside a field in a comparison, a word that the field may
hold. What no field and no word can be, and what is no condition, raises `QueryError`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.fields import folded, is_number
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Span
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.syntax.tokens import EffectSyntaxError

# From the name of a field to its value, as `ruleloom.compiler.packs.fields.value_of` gives it.
Card = Callable[[str], Any]
Ask = Callable[[Card], Any]

COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RECKONED: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


class QueryError(Exception):
    """A condition that cannot be asked. `span` is the stretch of its text that is wrong."""

    def __init__(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.span = span
        self.message = message
        self.help = help


@dataclass(frozen=True, slots=True)
class Word:
    """A word that a field is compared with: some item must hold it there, or it is a slip."""

    field: str
    word: str
    written: str
    span: Span
    ask: Ask


@dataclass(frozen=True, slots=True)
class QueryPart:
    """One of the conditions that must hold together."""

    span: Span
    ask: Ask


@dataclass(slots=True)
class ItemCondition:
    """A condition on items of one kind: its parts, the fields it reads and the words it names."""

    kind: str
    names: Mapping[str, str]
    """Each field as effect text writes it, and as items do."""
    parts: tuple[QueryPart, ...] = ()
    reads: set[str] = field(default_factory=set)
    words: list[Word] = field(default_factory=list)

    def holds(self, card: Card) -> bool:
        """Is an item as this condition says? QueryError where that cannot be told."""
        return all(part.ask(card) for part in self.parts)

    # ------------------------------------------------------------------ conditions

    def truth(self, node: ast.Expr) -> Ask:
        """What asks a condition."""
        match node:
            case ast.BoolLiteral(value=value):
                return lambda card: value
            case ast.Unary(op="not", value=inner):
                negated = self.truth(inner)
                return lambda card: not negated(card)
            case ast.Binary(op="and", left=left, right=right):
                a, b = self.truth(left), self.truth(right)
                return lambda card: a(card) and b(card)
            case ast.Binary(op="or", left=left, right=right):
                a, b = self.truth(left), self.truth(right)
                return lambda card: a(card) or b(card)
            case ast.IsNone(value=inner, negated=negative):
                read = self.value(inner)
                return lambda card: (read(card) is None) != negative
            case ast.Binary(op="=" | "!=" as op):
                return self._equal(node, op == "=")
            case ast.Binary(op="in" | "not in" as op):
                return self._within(node, op == "in")
            case ast.Binary(op=op) if op in COMPARED:
                return self._compared(node, COMPARED[op])
            case ast.Name() | ast.CallExpr():
                return self._flag(node)
        raise QueryError("patch-query", node.span, "this is no condition on what is printed", FORMS)

    def _flag(self, node: ast.Name | ast.CallExpr) -> Ask:
        """A field that is true or false; one that is not there is not true."""
        read = self.value(node)

        def ask(card: Card) -> bool:
            found = read(card)
            if found is not None and not isinstance(found, bool):
                message = f"this is {phrase(found)}, neither true nor false"
                help = "compare it with something: `= 3`"
                raise QueryError("patch-query", node.span, message, help)
            return found is True

        return ask

    def _compared(self, node: ast.Binary, compare: Callable[[Any, Any], bool]) -> Ask:
        a, b = self.value(node.left), self.value(node.right)

        def ask(card: Card) -> bool:
            left, right = a(card), b(card)
            if left is None or right is None:
                return False
            for found, side in ((left, node.left), (right, node.right)):
                if not is_number(found):
                    message = f"`{node.op}` compares numbers, and this is {phrase(found)}"
                    raise QueryError("patch-query", side.span, message)
            return compare(left, right)

        return ask

    def _equal(self, node: ast.Binary, wanted: bool) -> Ask:
        a, b = self._side(node.left, node.right), self._side(node.right, node.left)

        def ask(card: Card) -> bool:
            left, right = a(card), b(card)
            if left is not None and right is not None and sort_of(left) != sort_of(right):
                message = f"this compares {phrase(left)} with {phrase(right)}"
                raise QueryError("patch-query", node.span, message)
            return bool(left == right) == wanted

        return ask

    def _within(self, node: ast.Binary, wanted: bool) -> Ask:
        if isinstance(node.right, ast.ListExpr):
            options = [self._side(one, node.left) for one in node.right.items]
            read = self.value(node.left)
            return lambda card: any(read(card) == one(card) for one in options) == wanted
        within, one = self.value(node.right), self._side(node.left, node.right)

        def ask(card: Card) -> bool:
            found = within(card)
            if found is not None and not isinstance(found, tuple | dict):
                message = f"this is {phrase(found)}, and `in` looks into a list"
                help = "write `=` in place of `in`"
                raise QueryError("patch-query", node.right.span, message, help)
            return (one(card) in (found or ())) == wanted

        return ask

    def _side(self, node: ast.Expr, other: ast.Expr) -> Ask:
        """One side of a comparison: a word, or whatever has a value."""
        if isinstance(node, ast.BoolLiteral):
            value = node.value
            return lambda card: value
        plain = isinstance(node, ast.Name) and node.id not in self.names
        if not (isinstance(node, ast.TextLiteral) or (plain and self._is_field(other))):
            return self.value(node)
        written = (
            node.id
            if isinstance(node, ast.Name)
            else node.value
            if isinstance(node, ast.TextLiteral)
            else ""
        )
        word = folded(written)
        named = other.name if isinstance(other, ast.CallExpr) else other
        about = self.names.get(named.id, "") if isinstance(named, ast.Name) else ""
        self.words.append(Word(about, word, written, node.span, self.value(other)))
        return lambda card: word

    def _is_field(self, node: ast.Expr) -> bool:
        named = node.name if isinstance(node, ast.CallExpr) else node
        return isinstance(named, ast.Name) and named.id in self.names

    # ------------------------------------------------------------------ values

    def value(self, node: ast.Expr) -> Ask:
        """What reads a value of an item."""
        match node:
            case ast.NumberLiteral(value=number):
                return lambda card: number
            case ast.Name():
                name = self._field(node)
                return lambda card: card(name)
            case ast.CallExpr(name=ast.Name() as named, args=(ast.Arg(label=None, value=key),)):
                return self._row(self._field(named), key)
            case ast.Aggregate(kind="count", value=None, binder=None, domain=domain):
                listed = self.value(domain)
                return lambda card: _length(listed(card), domain.span)
            case ast.Unary(op="-", value=inner):
                read = self.value(inner)
                return lambda card: _reckoned(operator.sub, 0, read(card), node.span)
            case ast.Binary(op=op, left=left, right=right) if op in RECKONED:
                a, b, do = self.value(left), self.value(right), RECKONED[op]
                return lambda card: _reckoned(do, a(card), b(card), node.span)
        message = "this is nothing that is printed on an item"
        raise QueryError("patch-query", node.span, message, FORMS)

    def _row(self, name: str, key: ast.Expr) -> Ask:
        if isinstance(key, ast.Name):
            row: Any = folded(key.id)
        elif isinstance(key, ast.TextLiteral):
            row = folded(key.value)
        elif isinstance(key, ast.NumberLiteral):
            row = str(key.value)
        else:
            raise QueryError("patch-query", key.span, "a row is named by one word or number")

        def ask(card: Card) -> Any:
            rows = card(name)
            return rows.get(row) if isinstance(rows, dict) else None

        return ask

    def _field(self, node: ast.Name) -> str:
        name = self.names.get(node.id)
        if name is None:
            known = list(self.names)
            message = f"`{self.kind}` has no field `{node.id}`; {choices_text(node.id, known)}"
            help = did_you_mean(node.id, known)
            raise QueryError("patch-unknown-field", node.span, message, help)
        self.reads.add(name)
        return name


FORMS = "such as `price >= 10 and sort = blade`, `heavy in tags`, `title is none`"


def condition(kind: str, names: Sequence[str], text: str) -> ItemCondition:
    """Parse the condition of a class of items. Raises QueryError with a span of the text."""
    found = ItemCondition(kind, {name.replace("-", "_"): name for name in names})
    try:
        parsed = parse_expr(text)
    except EffectSyntaxError as error:
        raise QueryError(error.code, error.span, error.message, error.help) from None
    found.parts = tuple(QueryPart(one.span, found.truth(one)) for one in ast.conjuncts(parsed))
    return found


def _length(found: Any, span: Span) -> int:
    if found is not None and not isinstance(found, tuple | dict):
        message = f"this is {phrase(found)}, and no list that could be counted"
        raise QueryError("patch-query", span, message)
    return len(found or ())


def _reckoned(do: Callable[[Any, Any], Any], left: Any, right: Any, span: Span) -> Any:
    if left is None or right is None:
        return None
    if not (is_number(left) and is_number(right)):
        message = f"this reckons with {phrase(left)} and {phrase(right)}"
        raise QueryError("patch-query", span, message)
    return do(left, right)


def sort_of(value: Any) -> str:
    """What sort of thing a value is, in a word or two."""
    if isinstance(value, bool):
        return "true or false"
    if is_number(value):
        return "a number"
    return "a list" if isinstance(value, tuple | dict) else "a word"


def phrase(value: Any) -> str:
    """A value for a message: a word or number as it is, a list as such."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    return (
        sort_of(value)
        if isinstance(value, tuple | dict)
        else f"{sort_of(value)}, `{str(value)[:40]}`"
    )
