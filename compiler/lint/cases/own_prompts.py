"""What the texts of a case's own steps ask, with the types of the answers.

Nothing is compiled: the type of a list is read off its outermost form. Where that does not tell it,
the answer may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.compiler.lint.cases.known_names import OwnNames
from ruleloom.compiler.lint.cases.prompts import PromptForm
from ruleloom.compiler.lint.cases.text_checks import Reading
from ruleloom.compiler.resolve.record_values import folded
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import is_unknown, list_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import DICE, INT, PLAYER, TEXT, Type


def prompts_in(reading: Reading, names: OwnNames) -> dict[str, PromptForm | None]:
    """The prompts of a text by their names; None for one whose answer may be anything."""
    found: dict[str, PromptForm | None] = dict(reading.asked)
    types = _Types(names, reading.bound, {})
    for stmt in reading.asking:
        name = stmt.name.id
        form = types.form(stmt)
        is_open = name in found and found[name] != form  # two of one name, told apart by nothing
        found[name] = None if is_open else form
        known = form is not None and not is_open and not isinstance(stmt, ast.SecretlyStmt)
        types.local[name] = form.type if form is not None and known else None
    return found


@dataclass(frozen=True, slots=True)
class _Types:
    """The types of expressions; `local` are those of the names that the text has asked for."""

    names: OwnNames
    bound: set[str]
    local: dict[str, Type | None]

    def form(self, stmt: ast.SyntaxNode) -> PromptForm | None:
        """How a statement asks; None where that is not plain to see."""
        match stmt:
            case ast.AskStmt():
                return PromptForm(TEXT)
            case ast.RollStmt(each=each):
                return PromptForm(DICE if each else INT)
            case ast.DrawStmt(pile=listed):
                one = self._item(listed)
                return PromptForm(Type(one.name, optional=True)) if one is not None else None
            case ast.ChooseStmt(count=count, domain=listed, or_none=or_none, by=by):
                or_none |= by is not None
                one, many = self._item(listed), count != "one"
                return PromptForm(Type(one.name, many, or_none)) if one is not None else None
            case ast.SecretlyStmt(domain=listed):
                one = self._item(listed)
                return PromptForm(one, secret=True) if one is not None else None
        return None

    def _item(self, node: ast.Expr) -> Type | None:
        """The type of one of a list."""
        type_ = self._type(node)
        if type_ is None or not type_.many or is_unknown(type_) or type_.repeats:
            return None
        return Type(type_.name)

    def _type(self, node: ast.Expr) -> Type | None:
        match node:
            case ast.Name(id=name):
                return self._of_name(name)
            case ast.CallExpr(name=called):
                return self._of_call(called.id)
            case ast.NumberLiteral(value=int()):
                return INT
            case ast.ListExpr(items=items):
                one = self._alike(items)
                return list_of(one) if one is not None and not one.many else None
            case ast.Binary(op=".."):
                return list_of(INT)
            case ast.Binary(op="+" | "-", left=left, right=right):
                return self._alike((left, right))
            case ast.Aggregate(kind="those", value=None, domain=domain):
                return self._type(domain)
        return None

    def _alike(self, nodes: Iterable[ast.Expr]) -> Type | None:
        types = {self._type(node) for node in nodes}
        return types.pop() if len(types) == 1 else None

    def _of_name(self, name: str) -> Type | None:
        symbols = self.names.game.symbols
        if name in self.local or name in self.bound:
            return self.local.get(name)
        own = self.names.things.get(folded(name))
        if own is not None:
            return Type(own)
        variable = symbols.scope.get(name) or symbols.settings.get(name)
        if variable is not None:
            return variable.type
        if name in symbols.values:
            return Type(symbols.values[name])
        if name == "players":
            return list_of(PLAYER)
        if name in symbols.zones:
            return list_of(Type(symbols.zones[name].of))
        if name in symbols.enums or symbols.is_recorded(name):
            return list_of(Type(name))
        callee = symbols.callables.get(name)
        if callee is not None:
            return callee.result
        made = {entity for entity, _ in symbols.named.get(name, ())}
        return Type(made.pop()) if len(made) == 1 else None

    def _of_call(self, name: str) -> Type | None:
        symbols = self.names.game.symbols
        if name in symbols.zones:
            return list_of(Type(symbols.zones[name].of))
        if name in symbols.fields:
            types = {field.type for field in symbols.fields[name].values()}
            return types.pop() if len(types) == 1 else None
        callee = symbols.callables.get(name)
        return callee.result if callee is not None else None
