"""Goes through the nodes of a tree: all of them in order, or those of some classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import Any, TypeVar, cast

from ruleloom.compiler.syntax.ast import SyntaxNode

# The types of fields, as they are written above, in which there is never a node.
LEAVES = frozenset({"Span", "bool", "int | Fraction", "str", "str | None"})


def walk(node: object) -> Iterator[SyntaxNode]:
    """Every node of a tree, or of several, in the order of writing."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, SyntaxNode):
            yield one
            waiting += [getattr(one, name) for name in _branches(type(one))]
        elif isinstance(one, tuple):
            waiting += one[::-1]


def rebuilt(node: Any, change: Callable[[Any, str], Any]) -> Any:
    """A tree in which each part of its root became what `change` makes of it and its field."""
    if isinstance(node, tuple):
        return tuple([change(one, "") for one in node])
    if not isinstance(node, SyntaxNode):
        return node
    return type(node)(*(change(getattr(node, name), name) for name in node.__match_args__))


_BRANCHES: dict[type[SyntaxNode], tuple[str, ...]] = {}


def _branches(kind: type[SyntaxNode]) -> tuple[str, ...]:
    """The fields of a class in which there may be nodes, last one first."""
    if kind not in _BRANCHES:
        names = [one.name for one in fields(kind) if one.type not in LEAVES]
        _BRANCHES[kind] = tuple(reversed(names))
    return _BRANCHES[kind]


N = TypeVar("N", bound=SyntaxNode)
Sorted = dict[type[SyntaxNode], list[SyntaxNode]]
# The texts of a game are looked through by many passes, in each compilation.
_SORTED: dict[int, tuple[object, Sorted]] = {}
MOST_SORTED = 10_000


def nodes_of(tree: tuple[SyntaxNode, ...], *kinds: type[N]) -> Iterator[N]:
    """All nodes of these very classes in a tree, class by class, in the order of writing.

    A tree is gone through once, however often it is asked.
    """
    found = _SORTED.get(id(tree))
    if found is None:
        if len(_SORTED) >= MOST_SORTED:
            _SORTED.clear()
        # It is kept with the tree, so that no other one can have its id.
        found = _SORTED[id(tree)] = tree, _by_class(tree)
    for kind in kinds:
        yield from cast(Iterable[N], found[1].get(kind, ()))


def _by_class(tree: object) -> Sorted:
    found: Sorted = {}
    for one in walk(tree):
        found.setdefault(type(one), []).append(one)
    return found
