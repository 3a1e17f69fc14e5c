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
Ask = Callable[[Card], Any]

PACK = "pack"  # a pseudo-field: the pack that an item comes from
COMPARED = ("<", "<=", ">", ">=")
RECKONED: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


class QueryError(EffectSyntaxError):
    """A condition that parses but cannot be evaluated."""

    usual_code = "patch-query"


class Word(Frozen):
    """A word that a field is compared with, a misspelling if no item's field holds it."""

    field: str
    word: str
    written: str
    span: Span
    ask: Ask


@dataclass(slots=True)
class ItemCondition:
    """A condition on items of one kind: its parts, the fields it reads and the words it names."""

    kind: str
    names: Mapping[str, str]
    """The fields by their names in effect text."""
    parts: tuple[tuple[Span, Ask], ...] = ()
    """The conjuncts of the condition, each with its span."""
    reads: set[str] = field(default_factory=set)
    words: list[Word] = field(default_factory=list)

    def holds(self, card: Card) -> bool:
        """Does the condition hold for an item? Raises QueryError if values cannot be compared."""
        return all(ask(card) for _, ask in self.parts)

    # ------------------------------------------------------------------ conditions

    def truth(self, node: ast.Expr) -> Ask:
        """An evaluator of a condition."""
        match node:
            case ast.BoolLiteral(value=value):
                return lambda card: value
            case ast.Unary(op="not", value=inner):
                negated = self.truth(inner)
                return lambda card: not negated(card)
            case ast.Binary(op="and" | "or" as op, left=left, right=right):
                parts, both = (self.truth(left), self.truth(right)), all if op == "and" else any
                return lambda card: both(part(card) for part in parts)
            case ast.IsNone(value=inner, negated=negative):
                read = self.value(inner)
                return lambda card: (read(card) is None) != negative
            case ast.Binary(op="=" | "!=" as op):
                return self._equal(node, op == "=")
            case ast.Binary(op="in" | "not in" as op):
                return self._within(node, op == "in")
            case ast.Binary(op=op) if op in COMPARED:
                return self._compared(node)
            case ast.Name() | ast.CallExpr():
                return self._flag(node)
        raise QueryError(node.span, "this is no condition on what is printed", FORMS)

    def _flag(self, node: ast.Name | ast.CallExpr) -> Ask:
        """The evaluator of a boolean field; a missing one is false."""
        read = self.value(node)

        def ask(card: Card) -> bool:
            found = read(card)
            if found is not None and not isinstance(found, bool):
                message = f"this is {phrase(found)}, neither true nor false"
                raise QueryError(node.span, message, "compare it with something: `= 3`")
            return found is True

        return ask

    def _compared(self, node: ast.Binary) -> Ask:
        a, b = self.value(node.left), self.value(node.right)

        def ask(card: Card) -> bool:
            left, right = a(card), b(card)
            if left is None or right is None:
                return False
            for found, side in ((left, node.left), (right, node.right)):
                if not is_number(found):
                    message = f"`{node.op}` compares numbers, and this is {phrase(found)}"
                    raise QueryError(side.span, message)
            return compare_values(node.op, left, right) is True

        return ask

    def _equal(self, node: ast.Binary, wanted: bool) -> Ask:
        a, b = self._side(node.left, node.right), self._side(node.right, node.left)

        def ask(card: Card) -> bool:
            left, right = a(card), b(card)
            if left is not None and right is not None and sort_of(left) != sort_of(right):
                raise QueryError(node.span, f"this compares {phrase(left)} with {phrase(right)}")
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
                raise QueryError(node.right.span, message, "write `=` in place of `in`")
            return (one(card) in (found or ())) == wanted

        return ask

    def _side(self, node: ast.Expr, other: ast.Expr) -> Ask:
        """One side of a comparison: a word, or an expression's value."""
        named = other.name if isinstance(other, ast.CallExpr) else other
        about = self.names.get(named.id) if isinstance(named, ast.Name) else None
        if isinstance(node, ast.TextLiteral):
            written = node.value
        elif isinstance(node, ast.Name) and node.id not in self.names and about is not None:
            written = node.id
        else:
            return self.truth(node) if isinstance(node, ast.BoolLiteral) else self.value(node)
        word = folded(written)
        self.words.append(Word(about or "", word, written, node.span, self.value(other)))
        return lambda card: word

    # ------------------------------------------------------------------ values

    def value(self, node: ast.Expr) -> Ask:
        """The reader of an expression's value."""
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
        raise QueryError(node.span, "this is nothing that is printed on an item", FORMS)

    def _row(self, name: str, key: ast.Expr) -> Ask:
        match key:
            case ast.Name(id=word) | ast.TextLiteral(value=word):
                row = folded(word)
            case ast.NumberLiteral(value=number):
                row = str(number)
            case _:
                raise QueryError(key.span, "a row is named by one word or number")

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
            raise QueryError(node.span, message, help, "patch-unknown-field")
        self.reads.add(name)
        return name


FORMS = "such as `price >= 10 and sort = blade`, `heavy in tags`, `title is none`"


def condition(kind: str, names: Sequence[str], text: str) -> ItemCondition:
    """Parse the condition of a class of items; raises EffectSyntaxError, or QueryError."""
    fields = [name for name in (*names, PACK) if name != "kind"]
    found = ItemCondition(kind, {name.replace("-", "_"): name for name in fields})
    parts = conjuncts(parse_expr(text))
    found.parts = tuple((one.span, found.truth(one)) for one in parts)
    return found


def _length(found: Any, span: Span) -> int:
    if found is not None and not isinstance(found, tuple | dict):
        raise QueryError(span, f"this is {phrase(found)}, and no list that could be counted")
    return len(found or ())


def _reckoned(do: Callable[[Any, Any], Any], left: Any, right: Any, span: Span) -> Any:
    if left is None or right is None:
        return None
    if not (is_number(left) and is_number(right)):
        raise QueryError(span, f"this reckons with {phrase(left)} and {phrase(right)}")
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
