"""Old names in a text: each is taken for the new one, with a notice.

In go the tree of a text and where its old names lead; out comes the tree with the new ones in their
stead. A name that the text itself gives to something is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.renames import notice
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.yaml.source_map import EffectText

# Which fields of which forms give a name to something.
NAMING: Mapping[type, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            ast.ChooseStmt,
            ast.AskStmt,
            ast.RollStmt,
            ast.DrawStmt,
            ast.LetStmt,
            ast.ForEachStmt,
            ast.RepeatStmt,
        ),
        ("name",),
    ),
    ast.SecretlyStmt: ("player", "name"),
    ast.OperateStmt: ("giving",),
    ast.UseStmt: ("giving",),
    ast.Aggregate: ("binder",),
    ast.StatArg: ("each",),
}
EVENTS = (ast.When, ast.Instead)


def with_new_names(found: Any, words: Mapping[str, Item], text: EffectText, report: Report) -> Any:
    """A tree, or a tuple of them, in which every old name is the new one."""
    own = set(_given(found))
    used = {name: item for name, item in words.items() if name not in own}
    return _renamed(found, used, text, report)


def _given(node: Any) -> Iterator[str]:
    """The names that a text gives to something."""
    for one in ast.walk(node):
        for field in NAMING.get(type(one), ()):
            named = getattr(one, field)
            if isinstance(named, ast.Name):
                yield named.id
        if isinstance(one, EVENTS):
            yield from (arg.value.id for arg in one.event.args if isinstance(arg.value, ast.Name))


def _renamed(node: Any, words: Mapping[str, Item], text: EffectText, report: Report) -> Any:
    if isinstance(node, tuple):
        return tuple(_renamed(one, words, text, report) for one in node)
    if isinstance(node, ast.Name) and node.id in words:
        item = words[node.id]
        notice(report, text.place_of(node.span), node.id, item, item.slug)
        return ast.Name(node.span, item.slug)
    if not isinstance(node, ast.SyntaxNode):
        return node
    return type(node)(
        *(_renamed(getattr(node, field), words, text, report) for field in node.__match_args__)
    )
