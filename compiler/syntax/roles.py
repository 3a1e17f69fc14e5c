"""Facts of the forms of the language: what their names stand for, and what statements do.

A role is that of a field of a class. A name in any other place is a value: a variable, a setting, a
thing, what a measure gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree_walk import walk

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
"""Where a call stands, the role is that of the name that is called; an event gives new names to
its arguments. A name that is new within a form is not known behind it."""


def roles_of(kind: type) -> Mapping[str, str]:
    """The roles of the names in a form, by field."""
    return ROLES.get(kind, {})


def names_given(tree: object) -> Iterator[ast.Name]:
    """The names that a text gives to something."""
    if isinstance(tree, ast.CallExpr):  # the event of a trigger
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
    """The subject of an event, without `before` and its like, and where that stands."""
    word = name.id.rpartition(" ")[2]
    return word, (name.span[1] - len(word), name.span[1])


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


PERSON, CHANCE = "person", "chance"
Calls = Literal["", "fusion", "menu", "power", "record", "trigger"]


class FormFacts(NamedTuple):
    """The facts of a form: who decides in it, what it calls (as a trigger: an event), whether the
    text ends there."""

    asks: str = ""
    calls: Calls = ""
    ends: bool = False


_EVENT = FormFacts(calls="trigger")
FACTS: Mapping[type[ast.SyntaxNode], FormFacts] = {
    ast.ChooseStmt: FormFacts(asks=PERSON),
    ast.ChooseOneStmt: FormFacts(asks=PERSON),
    ast.MenuName: FormFacts(calls="menu"),
    ast.OptionalStmt: FormFacts(asks=PERSON),
    ast.SecretlyStmt: FormFacts(asks=PERSON),
    ast.AskStmt: FormFacts(asks=PERSON),
    ast.RollStmt: FormFacts(asks=CHANCE),
    ast.DrawStmt: FormFacts(asks=CHANCE, calls="trigger"),
    ast.LookStmt: FormFacts(),
    ast.PutStmt: _EVENT,
    ast.ShowStmt: FormFacts(),
    ast.LetStmt: FormFacts(),
    ast.AssignStmt: FormFacts(),
    ast.AddStmt: FormFacts(),
    ast.OperateStmt: _EVENT,
    ast.IdleMoment: FormFacts(),
    ast.UseStmt: FormFacts(calls="power"),
    ast.UsePowerStmt: FormFacts(calls="record"),
    ast.IfStmt: FormFacts(),
    ast.ForEachStmt: FormFacts(),
    ast.RepeatStmt: FormFacts(),
    ast.RepeatUntilStmt: FormFacts(),
    ast.StopStmt: FormFacts(ends=True),
    ast.EnsureStmt: FormFacts(),
    ast.IgnoringStmt: FormFacts(),
    ast.KeepingStmt: FormFacts(),
    ast.CombinableStmt: FormFacts(asks=PERSON, calls="fusion"),
    ast.SayStmt: FormFacts(),
    ast.TellStmt: FormFacts(),
    ast.BeginStmt: _EVENT,
    ast.EndStmt: _EVENT,
    ast.ProlongStmt: _EVENT,
    ast.LaterStmt: FormFacts(),
    ast.RunOut: _EVENT,
    ast.FinishStmt: FormFacts(ends=True),
    ast.RankStmt: FormFacts(ends=True),
}
"""Every form of statement, and the name of a menu."""


def forms_that(has: Callable[[FormFacts], object]) -> tuple[type[ast.SyntaxNode], ...]:
    """The forms with such facts."""
    return tuple(kind for kind, facts in FACTS.items() if has(facts))


def names_in(node: ast.SyntaxNode, *roles: str) -> Iterator[ast.Name]:
    """The names in these roles of a node itself."""
    for field, role in roles_of(type(node)).items():
        part = getattr(node, field)
        if role in roles:
            named = part if isinstance(part, tuple) else (part,)
            yield from (one for one in named if isinstance(one, ast.Name))
