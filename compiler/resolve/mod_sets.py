"""Mod sets: the variables of the game that a block or a power may change, directly or not.

Found before anything is checked, from the parsed effects alone: a loop needs the set of its body at
its head, and the checker forgets what a `use` may change. Names are taken as written; a power that
does not exist changes nothing here and is reported elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from ruleloom.compiler.graph import gathered
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.roles import (
    FACTS,
    MENU,
    NEW,
    POWER,
    VARIABLE,
    WITHIN,
    forms_that,
    names_in,
)
from ruleloom.compiler.syntax.tree_walk import index_of, nodes_of
from ruleloom.runtime.program.calls import Callee

Statements = tuple[ast.Stmt, ...]
ANY_RECORD, ANY_FUSION, ANY_TRIGGER = Callee("record"), Callee("fusion"), Callee("trigger")
CALLING = forms_that(lambda facts: facts.calls)


def changed_names(statements: Statements) -> frozenset[str]:
    """Every name that a block sets in any way: locals and variables of the game."""
    return index_of(statements).fact("names", _changed_names)


def _changed_names(statements: Statements) -> frozenset[str]:
    nodes = nodes_of(statements, *FACTS)
    return frozenset(name.id for one in nodes for name in names_in(one, NEW, WITHIN, VARIABLE))


def reassigned_names(
    statements: Statements, but: Callable[[str], bool] = lambda _: False
) -> frozenset[str]:
    """The names that `set`, `add`, `remove` or `giving` changes: no bound on them lasts.

    Those that are only given by operations which `but` picks are left out.
    """
    names: set[str] = set()
    for one in nodes_of(statements, *FACTS):
        names.update(name.id for name in names_in(one, VARIABLE))
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
    """The variables of the game that each callee may change whenever it is used or set off.

    `answers` are the blocks of abilities that answer events, `answered` the names of all events
    that anything answers.
    """
    hooked = {name.rpartition(" ")[2] for name in answered if " " in name}
    rolls = any(name.startswith("rolled ") for name in answered)
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
        case "fusion" | "trigger" as kind:
            return Callee(kind)
        case "way":
            return Callee("menu", str(item.data("to")))
        case "lasting":
            return ANY_TRIGGER
    return ANY_RECORD


def called_by(node: ast.SyntaxNode) -> Callee | None:
    """The callee that a statement, or the name of a menu, sets going by itself."""
    facts = FACTS.get(type(node))
    if facts is None or not facts.calls:
        return None
    name = next(names_in(node, POWER, MENU), None)
    return Callee(facts.calls, name.id if name is not None else "")


def _gather(statements: Statements, sets: set[str], uses: set[Callee], rolls: bool) -> None:
    """Add the names that statements set, and what they use."""
    changed, called, rolled = index_of(statements).fact("changes", _changes)
    sets |= changed
    uses |= called
    if rolls and rolled:
        uses.add(ANY_TRIGGER)


def _changes(statements: Statements) -> tuple[frozenset[str], frozenset[Callee], bool]:
    """The names that statements set, what they call, and whether they roll."""
    changed = (names_in(one, VARIABLE) for one in nodes_of(statements, *FACTS))
    called = filter(None, map(called_by, nodes_of(statements, *CALLING)))
    rolled = any(nodes_of(statements, ast.RollStmt))
    return frozenset(name.id for names in changed for name in names), frozenset(called), rolled
