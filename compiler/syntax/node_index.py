"""An index of the nodes of a tree, by class, for the many passes that look for some of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar, cast

from ruleloom.compiler.syntax.ast import SyntaxNode, walk

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
        yield from cast(list[N], found[1].get(kind, ()))


def _by_class(tree: object) -> Sorted:
    found: Sorted = {}
    for one in walk(tree):
        found.setdefault(type(one), []).append(one)
    return found
