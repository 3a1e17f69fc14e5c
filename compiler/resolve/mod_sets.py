"""Mod sets: the variables of the game that a block or a power may change, directly or not.

Found before anything is checked, from the parsed effects alone: a loop needs the set of its body at
its head, and the checker forgets what a `use` may change. Names are taken as written; a power that
does not exist changes nothing here and is reported elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from ruleloom.compiler.graph import Callee, components
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax import ast


def walk(statements: Iterable[ast.Stmt]) -> Iterator[ast.Stmt]:
    """Every statement of a block, outer before inner."""
    for statement in statements:
        yield statement
        match statement:
            case ast.ChooseOneStmt(modes=modes):
                yield from walk(chain.from_iterable(mode.body for mode in modes))
            case ast.IfStmt(arms=arms, otherwise=otherwise):
                yield from walk(chain(*(body for _, body in arms), otherwise))
            case ast.OptionalStmt(body=body) | ast.ForEachStmt(body=body):
                yield from walk(body)
            case ast.RepeatStmt(body=body) | ast.RepeatUntilStmt(body=body):
                yield from walk(body)
            case ast.IgnoringStmt(body=body) | ast.CombinableStmt(uses=body):
                yield from walk(body)


CHOOSING = (ast.ChooseStmt, ast.SecretlyStmt, ast.AskStmt)
NAMING = (*CHOOSING, ast.LetStmt, ast.RollStmt, ast.DrawStmt, ast.ForEachStmt)


def changed_names(statements: Collection[ast.Stmt]) -> frozenset[str]:
    """Every name that a block sets in any way: locals and variables of the game."""
    named = frozenset(one.name.id for one in walk(statements) if isinstance(one, NAMING))
    return named | reassigned_names(statements)


def reassigned_names(statements: Iterable[ast.Stmt]) -> frozenset[str]:
    """The names that `set`, `add`, `remove` or `giving` changes: no bound on them lasts."""
    names: set[str] = set()
    for one in walk(statements):
        if isinstance(one, SETTING):
            names.add(one.name.id)
        elif isinstance(one, ast.OperateStmt | ast.UseStmt) and one.giving is not None:
            names.add(one.giving.id)
    return frozenset(names)


Statements = tuple[ast.Stmt, ...]
ANY_RECORD, ANY_FUSION, ANY_TRIGGER = Callee("record"), Callee("fusion"), Callee("trigger")
SETTING = (ast.AssignStmt, ast.AddStmt)
CHANGING = (ast.OperateStmt, ast.DrawStmt)


@dataclass(slots=True)
class ModSets:
    """The names each power may set, and what triggers and powers of records may set."""

    by_callee: dict[Callee, frozenset[str]] = field(default_factory=dict)

    def of_power(self, name: str) -> frozenset[str]:
        """The names that using this power may change."""
        return self.of(Callee("power", name))

    def of(self, callee: Callee) -> frozenset[str]:
        """The names that may change whenever this is used, or set off."""
        return self.by_callee.get(callee, frozenset())


def variable_changes(
    effects: Mapping[str, tuple[Item, Statements]], answers: Iterable[Statements] = ()
) -> ModSets:
    """What each power may change, through all it uses and sets off.

    `answers` are the blocks of abilities that answer events.
    """
    sets: dict[Callee, set[str]] = {one: set() for one in (ANY_RECORD, ANY_FUSION, ANY_TRIGGER)}
    uses: dict[Callee, set[Callee]] = {one: set() for one in sets}
    for item, statements in effects.values():
        node = _callee(item)
        _gather(statements, sets.setdefault(node, set()), uses.setdefault(node, set()))
    for statements in answers:
        _gather(statements, sets[ANY_TRIGGER], uses[ANY_TRIGGER])
    for part in components(uses):
        # All on a circle change what any of them does; what it needs is known by now.
        used = set(part).union(*(uses[node] for node in part))
        together = set().union(*(sets[node] for node in used & sets.keys()))
        sets.update(dict.fromkeys(part, together))
    return ModSets({node: frozenset(names) for node, names in sets.items()})


def _callee(item: Item) -> Callee:
    match item.kind:
        case "power" | "flow" as kind:
            return Callee(kind, item.slug)
        case "fusion" | "trigger" as kind:
            return Callee(kind)
    return ANY_RECORD


def _gather(statements: Statements, sets: set[str], uses: set[Callee]) -> None:
    """Add the names that statements set, and what they use."""
    for one in walk(statements):
        if isinstance(one, SETTING):
            sets.add(one.name.id)
        elif isinstance(one, ast.UseStmt):
            uses.add(Callee("power", one.power.id))
        elif isinstance(one, ast.UsePowerStmt):
            uses.add(ANY_RECORD)
        elif isinstance(one, ast.CombinableStmt):
            uses.add(ANY_FUSION)
        elif isinstance(one, CHANGING):
            uses.add(ANY_TRIGGER)
