"""Access to syntax trees: their nodes, the roles of names, facts of forms, parts of texts.

A role is that of a field of a class. A name in any other place is a value: a variable, a setting, a
thing, a measure. In a text, braces around a name are a hole, any others are literal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field as made_by
from dataclasses import fields
from typing import Any, Literal, NamedTuple, TypeVar, cast

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Binary, Expr, Name, Span, SyntaxNode, TextLiteral
from ruleloom.runtime.dataclass import dataclass

# The types of fields, as annotated, that never hold a node.
LEAVES = frozenset({"Span", "bool", "int | Fraction", "str", "str | None"})
_BRANCHES: dict[type[SyntaxNode], tuple[str, ...]] = {}
N = TypeVar("N", bound=SyntaxNode)
F = TypeVar("F")
MOST_INDEXES = 10_000
_INDEXES: dict[int, TreeIndex] = {}
"""The indexes by the `id` of their trees, kept alive so that it stays unique."""
_NAME = "[A-Za-z_][A-Za-z0-9_]*"
# A name, or a sum of names.
HOLE = re.compile(rf"\{{({_NAME}(?: [-+] {_NAME})*)\}}")
# The form of a hole in a sheet (a field, a measure), a sum with a number, or a name with spaces around it.
ODD_HOLE = re.compile(rf"(?!{HOLE.pattern})\{{ *{_NAME} *(?:[-+*(][^{{}}]*| )\}}")
NEW, WITHIN, VALUE, VARIABLE = "new", "new within", "value", "variable"
POWER, OPERATION, EVENT, REPLACED = "power", "operation", "event", "replaced event"
RULE, STAT, BONUS, KEYWORD, LASTING, MENU = "rule", "stat", "bonus", "keyword", "lasting", "menu"
TYPE, PARAMETER = "type", "parameter"
_GIVING = (ast.ChooseStmt, ast.AskStmt, ast.RollStmt, ast.DrawStmt, ast.LookStmt, ast.LetStmt)
ROLES: Mapping[type, Mapping[str, str]] = {
    **{key: {"name": NEW} for key in _GIVING},
    **{key: {"name": WITHIN} for key in (ast.ForEachStmt, ast.RepeatStmt, ast.RankStmt)},
    **{key: {"name": VARIABLE} for key in (ast.AssignStmt, ast.AddStmt)},
    **{key: {"name": LASTING} for key in (ast.EndStmt, ast.ProlongStmt)},
    **{key: {"event": EVENT} for key in (ast.When, ast.LaterStmt)},
    ast.Instead: {"event": REPLACED},
    ast.BeginStmt: {"name": LASTING, "giving": NEW},
    ast.RunOut: {"name": NEW},
    ast.SecretlyStmt: {"player": WITHIN, "name": NEW},
    ast.OperateStmt: {"call": OPERATION, "giving": NEW},
    ast.IdleMoment: {"call": OPERATION, "told": VALUE},
    ast.UseStmt: {"power": POWER, "giving": NEW},
    ast.IgnoringStmt: {"rules": RULE},
    ast.KeepingStmt: {"names": VARIABLE},
    ast.Allowed: {"rule": RULE},
    ast.Restrict: {"rule": RULE},
    ast.Modify: {"stat": STAT, "bonus": BONUS},
    ast.Keyword: {"name": KEYWORD},
    ast.MenuName: {"name": MENU, "told": VALUE},
    ast.Aggregate: {"binder": WITHIN},
    ast.StatArg: {"each": WITHIN},
    ast.CallExpr: {"name": VALUE},
    ast.Param: {"name": NEW},
    ast.TypeName: {"name": TYPE},
    ast.Arg: {"label": PARAMETER},
}
"""Roles by class and field. A call's role is that of the name called; an event's arguments are new
names. A name that is new within a form is out of scope after it.
"""
PERSON, CHANCE = "person", "chance"
Calls = Literal["", "fusion", "menu", "power", "record", "trigger"]
_ASKING = (ast.ChooseStmt, ast.ChooseOneStmt, ast.OptionalStmt, ast.SecretlyStmt, ast.AskStmt)
_EVENTS = (ast.PutStmt, ast.OperateStmt, ast.BeginStmt, ast.EndStmt, ast.ProlongStmt, ast.RunOut)
_PLAIN = (
    *(ast.LookStmt, ast.ShowStmt, ast.LetStmt, ast.AssignStmt, ast.AddStmt, ast.IdleMoment),
    *(ast.IfStmt, ast.ForEachStmt, ast.RepeatStmt, ast.RepeatUntilStmt, ast.EnsureStmt),
    *(ast.IgnoringStmt, ast.KeepingStmt, ast.SayStmt, ast.TellStmt, ast.LaterStmt),
)


def walk(node: object) -> Iterator[SyntaxNode]:
    """Yield every node of a tree, or of several, in source order."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, SyntaxNode):
            yield one
            waiting += [getattr(one, name) for name in _branches(type(one))]
        elif isinstance(one, tuple):
            waiting += one[::-1]


def rebuilt(node: Any, change: Callable[[Any, str], Any]) -> Any:
    """A tree with each part of its root replaced by `change` of it and its field."""
    if isinstance(node, tuple):
        return tuple([change(one, "") for one in node])
    if not isinstance(node, SyntaxNode):
        return node
    return type(node)(*(change(getattr(node, name), name) for name in node.__match_args__))


def _branches(kind: type[SyntaxNode]) -> tuple[str, ...]:
    """The fields of a class that may hold nodes, last one first."""
    if kind not in _BRANCHES:
        names = [one.name for one in fields(kind) if one.type not in LEAVES]
        _BRANCHES[kind] = tuple(reversed(names))
    return _BRANCHES[kind]


@dataclass(slots=True, eq=False)
class TreeIndex:
    """The nodes of a tree by class, which many passes of each compilation need."""

    tree: tuple[SyntaxNode, ...]
    kinds: frozenset[str]
    """The names of the classes of its nodes."""
    facts: dict[str, Any] = made_by(default_factory=dict)
    """Facts of later passes about the whole tree, by name."""
    _sorted: dict[str, list[SyntaxNode]] = made_by(default_factory=dict, init=False)

    @classmethod
    def of(cls, tree: tuple[SyntaxNode, ...]) -> TreeIndex:
        """Walk a tree once."""
        index = cls(tree, frozenset())
        index.kinds = frozenset(index.by_class())
        return index

    def by_class(self) -> Mapping[str, list[SyntaxNode]]:
        """The nodes by class name, in source order."""
        if not self._sorted:
            for one in walk(self.tree):
                self._sorted.setdefault(type(one).__name__, []).append(one)
        return self._sorted

    def fact(self, name: str, make: Callable[[tuple[Any, ...]], F]) -> F:
        """A fact about the tree, computed once."""
        if name not in self.facts:
            self.facts[name] = make(self.tree)
        found: F = self.facts[name]
        return found


def index_of(tree: tuple[SyntaxNode, ...]) -> TreeIndex:
    """The index of a tree, cached."""
    found = _INDEXES.get(id(tree))
    return found if found is not None else with_index(TreeIndex.of(tree))


def with_index(index: TreeIndex) -> TreeIndex:
    """Cache the index of a tree."""
    if len(_INDEXES) >= MOST_INDEXES:
        _INDEXES.clear()
    return _INDEXES.setdefault(id(index.tree), index)


def nodes_of(tree: tuple[SyntaxNode, ...], *kinds: type[N]) -> Iterator[N]:
    """Yield all nodes of exactly these classes in a tree, class by class, in source order."""
    index = index_of(tree)
    for kind in kinds:
        if kind.__name__ in index.kinds:
            yield from cast(Iterable[N], index.by_class()[kind.__name__])


def conjuncts(node: Expr) -> list[Expr]:
    """The conjuncts of a condition."""
    if isinstance(node, Binary) and node.op == "and":
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def parts(text: TextLiteral) -> tuple[str | Name | Binary, ...]:
    """The parts of a text in order, none of them empty; a hole is a name or a sum, without its braces."""
    found: list[str | Name | Binary] = []
    start = text.span[0] + 1  # after the quotation mark
    end = 0
    written = text.value if text.written is None else text.written
    for hole, place in zip(HOLE.finditer(text.value), HOLE.finditer(written), strict=True):
        if hole.start() > end:
            found.append(text.value[end : hole.start()])
        found.append(_in_hole(hole[1], place[1], start + place.start(1)))
        end = hole.end()
    if end < len(text.value):
        found.append(text.value[end:])
    return tuple(found)


def _in_hole(hole: str, written: str, start: int) -> Name | Binary:
    """The name or the sum in a hole, `written` at `start`."""
    found: Name | Binary | None = None
    op, end = "", start
    for word, place in zip(hole.split(" "), written.split(" "), strict=True):
        if word in "+-":
            op = word
        else:
            name = Name((end, end + len(place)), word)
            found = name if found is None else Binary((start, name.span[1]), op, found, name)
        end += len(place) + 1
    assert found is not None
    return found


def holes(text: TextLiteral) -> tuple[Name, ...]:
    """The names in a text's holes."""
    return tuple(name for name in walk(parts(text)) if isinstance(name, Name))


def renamed_in_holes(text: str, old: str, new: str) -> str:
    """A text in whose holes one name is replaced."""
    return HOLE.sub(lambda hole: re.sub(rf"\b{old}\b", new, hole[0]), text)


def names_spoken(tree: object) -> dict[str, Span]:
    """The names in a tree and in the holes of its texts, with the span of the first use."""
    found: dict[str, Span] = {}
    for one in walk(tree):
        for name in holes(one) if isinstance(one, TextLiteral) else (one,):
            if isinstance(name, Name):
                found.setdefault(name.id, name.span)
    return found


def odd_holes(text: TextLiteral) -> tuple[Span, ...]:
    """The spans of braces in a text that look like a hole but hold no plain name."""
    start = text.span[0] + 1
    return tuple((start + odd.start(), start + odd.end()) for odd in ODD_HOLE.finditer(text.value))


def roles_of(kind: type) -> Mapping[str, str]:
    """The roles of the names in a form, by field."""
    return ROLES.get(kind, {})


def names_given(tree: object, role: str = VALUE) -> Iterator[ast.Name]:
    """Yield the names that a text declares; the role of that of a trigger is an event."""
    if isinstance(tree, ast.CallExpr) and role == EVENT:
        yield from _told(tree)
    for node in walk(tree):
        for field, role in roles_of(type(node)).items():
            part = getattr(node, field)
            if role in (EVENT, REPLACED):
                yield from _told(part)
            elif role in (NEW, WITHIN, MENU) and isinstance(part, ast.Name):
                yield part


def _told(event: ast.CallExpr) -> Iterator[ast.Name]:
    yield from (arg.value for arg in event.args if isinstance(arg.value, ast.Name))


def event_word(name: ast.Name) -> tuple[str, ast.Span]:
    """The subject of an event, without `before` and the like, and its span."""
    word = name.id.rpartition(" ")[2]
    start, end = name.span
    # The text may have more spaces, and a shorter word, which stands for one with its pack. The span of
    # `instead of NAME` is that of the name.
    behind = start + len(name.id) - len(word)
    return word, (max(end - len(word), behind if behind < end else start), end)


def role_at(tree: object, word: str, role: str = VALUE) -> tuple[str, str] | None:
    """The role of the first name that ends with a word, and that name."""
    match tree:
        case str():
            return (role, tree) if tree.rpartition(" ")[2] == word else None
        case tuple():
            found = (role_at(one, word, role) for one in tree)
        case ast.Name():
            return role_at(tree.id, word, role)
        case ast.CallExpr():
            inner = NEW if role in (EVENT, REPLACED) else VALUE
            found = (role_at(*each) for each in ((tree.name, word, role), (tree.args, word, inner)))
        case ast.SyntaxNode():
            roles = roles_of(type(tree))
            fields = tree.__match_args__
            found = (role_at(getattr(tree, one), word, roles.get(one, role)) for one in fields)
        case _:
            return None
    return next(filter(None, found), None)


class FormFacts(NamedTuple):
    """The facts of a form: who decides in it, what it calls (`trigger` for an event), whether the text
    ends there.
    """

    asks: str = ""
    calls: Calls = ""
    ends: bool = False


FACTS: Mapping[type[ast.SyntaxNode], FormFacts] = {
    **dict.fromkeys(_ASKING, FormFacts(asks=PERSON)),
    **dict.fromkeys(_EVENTS, FormFacts(calls="trigger")),
    **dict.fromkeys((ast.StopStmt, ast.FinishStmt, ast.RankStmt), FormFacts(ends=True)),
    **dict.fromkeys(_PLAIN, FormFacts()),
    ast.MenuName: FormFacts(calls="menu"),
    ast.RollStmt: FormFacts(asks=CHANCE),
    ast.DrawStmt: FormFacts(asks=CHANCE, calls="trigger"),
    ast.UseStmt: FormFacts(calls="power"),
    ast.UsePowerStmt: FormFacts(calls="record"),
    ast.CombinableStmt: FormFacts(asks=PERSON, calls="fusion"),
}
"""Each form of statement, and the menu name."""


def forms_that(has: Callable[[FormFacts], object]) -> tuple[type[ast.SyntaxNode], ...]:
    """The forms that `has` accepts."""
    return tuple(kind for kind, facts in FACTS.items() if has(facts))


def names_in(node: ast.SyntaxNode, *roles: str) -> Iterator[ast.Name]:
    """Yield the names in these roles of a node itself."""
    for field, role in roles_of(type(node)).items():
        part = getattr(node, field)
        if role in roles:
            named = part if isinstance(part, tuple) else (part,)
            yield from (one for one in named if isinstance(one, ast.Name))
