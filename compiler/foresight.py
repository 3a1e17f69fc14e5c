"""What a block will change, found before it is checked: loops have to know it at their head.

Nothing is resolved here; names are taken as they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.effect import tree

# The statements that hold others.
WITH_BLOCKS = (
    *(tree.ChooseOne, tree.Branch, tree.Optional, tree.ForEach, tree.Repeat, tree.RepeatUntil),
    *(tree.Ignoring, tree.Combinable),
)


def inner_blocks(statement: tree.Stmt) -> tuple[tuple[tree.Stmt, ...], ...]:
    """The blocks directly inside a statement."""
    match statement:
        case tree.ChooseOne(modes=modes):
            return tuple(mode.body for mode in modes)
        case tree.Branch(arms=arms, otherwise=otherwise):
            return (*(body for _, body in arms), otherwise)
        case tree.Optional(body=body) | tree.ForEach(body=body) | tree.Repeat(body=body):
            return (body,)
        case tree.RepeatUntil(body=body) | tree.Ignoring(body=body):
            return (body,)
        case tree.Combinable(uses=uses):
            return (uses,)
        case _:
            return ()


def walk(statements: Iterable[tree.Stmt]) -> Iterator[tree.Stmt]:
    """Every statement of a block, outer before inner."""
    waiting = [iter(statements)]
    while waiting:
        statement = next(waiting[-1], None)
        if statement is None:
            waiting.pop()
            continue
        yield statement
        if type(statement) in WITH_BLOCKS:
            waiting.extend(iter(block) for block in reversed(inner_blocks(statement)))


def changed_names(statements: Iterable[tree.Stmt]) -> frozenset[str]:
    """Every name that a block sets in any way: locals and variables of the game."""
    names: set[str] = set()
    for statement in walk(statements):
        match statement:
            case tree.Assign(name=name) | tree.Add(name=name) | tree.Let(name=name):
                names.add(name.id)
            case (
                tree.Choose(name=name)
                | tree.Secretly(name=name)
                | tree.Ask(name=name)
                | tree.Roll(name=name)
                | tree.Draw(name=name)
            ):
                names.add(name.id)
            case tree.ForEach(name=name):
                names.add(name.id)
            case tree.Operate(giving=giving) | tree.Use(giving=giving) if giving is not None:
                names.add(giving.id)
            case _:
                pass
    return frozenset(names)


def reassigned_names(statements: Iterable[tree.Stmt]) -> frozenset[str]:
    """The names that `set`, `add`, `remove` or `giving` changes: their size is not known for long."""
    names: set[str] = set()
    for one in walk(statements):
        if isinstance(one, tree.Assign | tree.Add):
            names.add(one.name.id)
        elif isinstance(one, tree.Operate | tree.Use) and one.giving is not None:
            names.add(one.giving.id)
    return frozenset(names)
