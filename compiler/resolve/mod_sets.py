"""The variables of the game that a block or power may change, and moments without answers.

Computed before any check, from the parsed effects alone: a loop needs the set of its body at its head,
and the checker drops the facts that a `use` may change. Names are taken as written; an unknown power
changes nothing here and is reported elsewhere. Idle moments are marked in the tree, so that a variable
that only answers could change keeps its bounds, and rules texts omit the moment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from ruleloom.compiler.graph import gathered
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.source.file import OVERHEAD, Memo
from ruleloom.compiler.syntax import ast, tree
from ruleloom.runtime.program.expr import Callee

Statements = tuple[ast.Stmt, ...]
ANY_RECORD, ANY_FUSION, ANY_TRIGGER = Callee("record"), Callee("fusion"), Callee("trigger")
CALLING = tree.forms_that(lambda facts: facts.calls)
# Marked trees with their originals, by the original's id and the places of idle moments: they are
# compared by identity with those of earlier compilations.
MARKED: Memo[tuple[Statements, Statements]] = Memo(5_000 * OVERHEAD)


def changed_names(statements: Statements) -> frozenset[str]:
    """Every name that a block sets: locals and variables of the game."""
    return tree.index_of(statements).fact("names", _changed_names)


def _changed_names(statements: Statements) -> frozenset[str]:
    nodes = tree.nodes_of(statements, *tree.FACTS)
    return frozenset(
        name.id
        for one in nodes
        for name in tree.names_in(one, tree.NEW, tree.WITHIN, tree.VARIABLE)
    )


def reassigned_names(
    statements: Statements, but: Callable[[str], bool] = lambda _: False
) -> frozenset[str]:
    """The names that `set`, `add`, `remove` or `giving` changes, which keep no bounds.

    Those only given by operations that `but` picks are left out.
    """
    names: set[str] = set()
    for one in tree.nodes_of(statements, *tree.FACTS):
        names.update(name.id for name in tree.names_in(one, tree.VARIABLE))
        operation = one.call.name.id if isinstance(one, ast.OperateStmt) else ""
        giving = getattr(one, "giving", None)
        if giving is not None and not (operation and but(operation)):
            names.add(giving.id)
    return frozenset(names)


def variable_changes(
    effects: Mapping[str, tuple[Item, Statements]],
    variables: Collection[str],
    answers: Iterable[Statements] = (),
    answered: Collection[str] = (),
) -> dict[Callee, frozenset[str]]:
    """The variables of the game that each callee may change when used or triggered.

    `answers` are the blocks of abilities that answer events, `answered` the names of all answered
    events.
    """
    hooked = {name.rpartition(" ")[2] for name in answered if " " in name}
    rolls = any(name.startswith(("rolled ", "thrown ")) for name in answered)
    sets: dict[Callee, set[str]] = {one: set() for one in (ANY_RECORD, ANY_FUSION, ANY_TRIGGER)}
    uses: dict[Callee, set[Callee]] = {one: set() for one in sets}
    for item, statements in effects.values():
        node = _callee(item)
        used = uses.setdefault(node, set())
        _gather(statements, sets.setdefault(node, set()), used, rolls)
        used |= {ANY_TRIGGER} if item.slug in hooked else set()
    for statements in answers:
        _gather(statements, sets[ANY_TRIGGER], uses[ANY_TRIGGER], rolls)
    changes = gathered(uses, sets)
    named = frozenset(variables)
    return {node: named & names for node, names in changes.items()}


def _callee(item: Item) -> Callee:
    match item.kind:
        case "power" | "flow" as kind:
            return Callee(kind, item.slug)
        case "random-table":
            return Callee("power", item.slug)
        case "fusion" | "trigger" as kind:
            return Callee(kind)
        case "way" | "action":
            return Callee("menu", str(item.data("to")))
        case "lasting":
            return ANY_TRIGGER
    return ANY_RECORD


def set_going(node: ast.SyntaxNode) -> Callee | None:
    """The callee that a statement, or the name of a menu, calls directly."""
    facts = tree.FACTS.get(type(node))
    if facts is None or not facts.calls:
        return None
    name = next(tree.names_in(node, tree.POWER, tree.MENU), None)
    return Callee(facts.calls, name.id if name is not None else "")


def _gather(statements: Statements, sets: set[str], uses: set[Callee], rolls: bool) -> None:
    """Add the names that statements set, and their callees."""
    changed, called, rolled = tree.index_of(statements).fact("changes", _changes)
    sets |= changed
    uses |= called
    if rolls and rolled:
        uses.add(ANY_TRIGGER)


def _changes(statements: Statements) -> tuple[frozenset[str], frozenset[Callee], bool]:
    """The names that statements set, their callees, and whether they roll."""
    changed = (tree.names_in(one, tree.VARIABLE) for one in tree.nodes_of(statements, *tree.FACTS))
    called = filter(None, map(set_going, tree.nodes_of(statements, *CALLING)))
    rolled = any(tree.nodes_of(statements, ast.RollStmt))
    return frozenset(name.id for names in changed for name in names), frozenset(called), rolled


def idle_moments(symbols: Symbols) -> dict[str, Signature]:
    """The moments without answers, by name."""
    moments = (one for one in symbols.operations.values() if one.kind == "moment")
    return {one.name: one for one in moments if one.name not in symbols.answered}


def with_idle_marked(statements: Statements, idle: Mapping[str, Signature]) -> Statements:
    """The tree with an `IdleMoment` for each moment without answers that gives back its own value."""
    operations = tree.index_of(statements).fact("operations", _operations)
    named = (one for name in operations.keys() & idle.keys() for one in operations[name])
    places = tuple(sorted(one.span for one in named if _is_idle(one, idle)))
    if not places:
        return statements
    return MARKED.get((id(statements), places), 0, lambda: (statements, _marked(statements, idle)))[
        1
    ]


def _operations(statements: Statements) -> dict[str, list[ast.OperateStmt]]:
    found: dict[str, list[ast.OperateStmt]] = {}
    for one in tree.nodes_of(statements, ast.OperateStmt):
        found.setdefault(one.call.name.id, []).append(one)
    return found


def without_idle(statements: Statements) -> Statements:
    """The tree without idle moments, except where a block has only those."""
    if not any(tree.nodes_of(statements, ast.IdleMoment)):
        return statements
    spoken: Statements = _spoken(statements)
    return spoken


def _marked(node: Any, idle: Mapping[str, Signature]) -> Any:
    if isinstance(node, ast.OperateStmt) and _is_idle(node, idle):
        return ast.IdleMoment(node.span, node.call, node.giving)
    return tree.rebuilt(node, lambda one, _: _marked(one, idle))


def _is_idle(node: ast.OperateStmt, idle: Mapping[str, Signature]) -> bool:
    moment = idle.get(node.call.name.id)
    if moment is None or not moment.open:
        return moment is not None and node.giving is None
    args = node.call.args
    told = [arg.value for arg in args if arg.label == moment.open]
    told = told or [arg.value for arg in args[moment.open_place :][:1] if arg.label is None]
    return node.giving is not None and told == [node.giving]


def _spoken(node: Any) -> Any:
    if isinstance(node, tuple):
        node = tuple(one for one in node if not isinstance(one, ast.IdleMoment)) or node
    return tree.rebuilt(node, lambda one, _: _spoken(one))
