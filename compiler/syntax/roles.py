"""What the names in each form of the language stand for, by its class and the field they stand in.

A name in any other place is a value: a variable, a setting, a thing, what a measure gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree_walk import walk

NEW, VALUE, VARIABLE = "new", "value", "variable"
POWER, OPERATION, EVENT, REPLACED = "power", "operation", "event", "replaced event"
RULE, STAT, BONUS, KEYWORD, LASTING, MENU = "rule", "stat", "bonus", "keyword", "lasting", "menu"
TYPE, PARAMETER = "type", "parameter"

_GIVING = (ast.ChooseStmt, ast.AskStmt, ast.RollStmt, ast.DrawStmt, ast.LookStmt, ast.LetStmt)
ROLES: Mapping[type, Mapping[str, str]] = {
    **{key: {"name": NEW} for key in (*_GIVING, ast.ForEachStmt, ast.RepeatStmt, ast.RankStmt)},
    **{key: {"name": VARIABLE} for key in (ast.AssignStmt, ast.AddStmt)},
    **{key: {"name": LASTING} for key in (ast.EndStmt, ast.ProlongStmt)},
    **{key: {"event": EVENT} for key in (ast.When, ast.LaterStmt)},
    ast.Instead: {"event": REPLACED},
    ast.BeginStmt: {"name": LASTING, "giving": NEW},
    ast.RunOut: {"name": NEW},
    ast.SecretlyStmt: {"player": NEW, "name": NEW},
    ast.OperateStmt: {"call": OPERATION, "giving": NEW},
    ast.IdleMoment: {"call": OPERATION, "told": VALUE},
    ast.UseStmt: {"power": POWER, "giving": NEW},
    ast.IgnoringStmt: {"rules": RULE},
    ast.Allowed: {"rule": RULE},
    ast.Restrict: {"rule": RULE},
    ast.Modify: {"stat": STAT, "bonus": BONUS},
    ast.Keyword: {"name": KEYWORD},
    ast.MenuName: {"name": MENU, "told": VALUE},
    ast.Aggregate: {"binder": NEW},
    ast.StatArg: {"each": NEW},
    ast.CallExpr: {"name": VALUE},
    ast.Param: {"name": NEW},
    ast.TypeName: {"name": TYPE},
    ast.Arg: {"label": PARAMETER},
}
"""Where a call stands, the role is that of the name that is called; an event gives new names to
what it tells."""
PHASES = ("before", "after", "begin", "end", "prolong", "rolled")


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
            elif role in (NEW, MENU) and isinstance(part, ast.Name):
                yield part


def _told(event: ast.CallExpr) -> Iterator[ast.Name]:
    yield from (arg.value for arg in event.args if isinstance(arg.value, ast.Name))


def event_word(name: ast.Name) -> tuple[str, ast.Span]:
    """What an event is about, without `before` and its like, and where that stands."""
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
