"""Semantic comparison of fields: normalized values, narrowed version ranges, ledger clauses, the forms of
statements, and syntax trees without bookkeeping statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, product
from operator import is_not
from typing import Any, NamedTuple

from packaging.version import InvalidVersion, Version

from ruleloom.compiler.analysis.effect_cursor import form_in
from ruleloom.compiler.analysis.yaml_cursor import effect_tree
from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.lint.cited_clauses import Ledger, told
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.manifest import RangeError, allows, read_range
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.errors import ABILITIES, CHOOSE_ONE, FORMS
from ruleloom.compiler.yaml.node import YamlNode

UNORDERED = ("clauses", "authors", "after")
FieldPath = tuple[str, ...]
Forms = Mapping[FieldPath, str]
WRITE, CHOICE = "write ", "a choice is written "


def normal_form(node: YamlNode, path: FieldPath, forms: Forms) -> Any:
    """A value normalized for comparison: effect texts, at the paths of `forms`, as syntax trees;
    numbers by value; other texts with whitespace collapsed."""
    if node.kind == "map":
        return {key: normal_form(child, (*path, key), forms) for key, child in node.entries.items()}
    if node.kind == "list":
        meanings = [normal_form(child, (*path, "*"), forms) for child in node.items]
        return sorted(meanings, key=repr) if path[-1:] and path[-1] in UNORDERED else meanings
    form = form_in(forms, path)
    if form:
        tree = effect_tree(node.text if node.text is not None else node.raw, form)
        return node.value if tree is None else tree
    return _scalar(node)


def _scalar(node: YamlNode) -> Any:
    number = amount(node)
    if number is not None:
        return ("number", number)
    return " ".join(node.text.split()) if node.text is not None else (node.kind, node.value)


def narrows(old: str, new: str) -> bool:
    """Does the new range exclude a version that the old one allowed, or is one invalid?"""
    try:
        before, after = read_range(old), read_range(new)
    except RangeError:
        return True
    # Only at, just above and just below a bound can ranges differ.
    around = [Version("0")]
    for bound in chain(before, after):
        release = (*Version(bound.version.removesuffix(".*")).release, 0, 0, 0)[:3]
        near = ({0, number, number + 1, max(number - 1, 0)} for number in release)
        around += (Version(".".join(map(str, one))) for one in product(*near))
    return any(allows(before, one) and not allows(after, one) for one in around)


def ends_before(range: str, version: str) -> bool:
    """Does a range allow only versions below this one? One that cannot be read does not."""
    return not narrows(range, f"{range},<{version}")


def excludes(range: str, version: str) -> bool:
    """Does a range of versions exclude a version? One that cannot be read excludes none."""
    try:
        return not allows(read_range(range), Version(version))
    except (RangeError, InvalidVersion):
        return False


class StatementForm(NamedTuple):
    """A statement: its first word and its syntax."""

    word: str
    form: str
    is_ability: bool


def statements() -> list[StatementForm]:
    """Every statement of effects and abilities; the forms are help texts."""
    choice = f"{FORMS['choose'].removeprefix(CHOICE)}, or {CHOOSE_ONE.removeprefix(WRITE)}"
    forms = {**FORMS, "choose": choice}.items()
    return [StatementForm(one, form.removeprefix(WRITE), one in ABILITIES) for one, form in forms]


def clauses(content: Content) -> Mapping[str, str]:
    """The text of each clause in the packs' ledgers, with its book place."""
    return {name: told(item) for name, item in Ledger(content).clauses.items()}


def clause_notes(content: Content, ids: Iterable[str]) -> list[Note]:
    """A note for each of these clauses in the packs' ledgers."""
    ledger = Ledger(content)
    return [*filter(None, map(ledger.note, ids))]


def without_bookkeeping(node: Any, symbols: Symbols) -> Any:
    """Syntax without the statements that only clear a variable of the game. An unchanged node is
    returned itself, as is a menu: menus are identified by their nodes."""
    if isinstance(node, tuple):
        return _kept(node, symbols)
    is_menu = isinstance(node, ast.ChooseOneStmt) and node.menu is not None
    if not isinstance(node, ast.SyntaxNode) or is_menu:
        return node
    fields = [getattr(node, field) for field in node.__match_args__]
    kept = [without_bookkeeping(field, symbols) for field in fields]
    return type(node)(*kept) if any(map(is_not, kept, fields)) else node


def _kept(nodes: tuple[Any, ...], symbols: Symbols) -> tuple[Any, ...]:
    kept = [without_bookkeeping(one, symbols) for one in nodes if not _empties(one, symbols)]
    return tuple(kept) if len(kept) < len(nodes) or any(map(is_not, kept, nodes)) else nodes


def _empties(node: Any, symbols: Symbols) -> bool:
    """Does a statement set a variable of the game to none, or to an empty list?"""
    match node:
        case ast.AssignStmt(
            name=ast.Name(id=name), value=ast.NoneLiteral() | ast.ListExpr(items=())
        ):
            return name in symbols.scope
    return False
