"""Goes through the nodes of a tree: all of them in order, or those of some classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields
from typing import Any, TypeVar, cast

from ruleloom.compiler.syntax.ast import SyntaxNode
from ruleloom.runtime.dataclass import dataclass

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
F = TypeVar("F")
MOST_INDEXES = 10_000


@dataclass(slots=True, eq=False)
class TreeIndex:
    """The nodes of a tree by class, which many passes ask for, in each compilation."""

    tree: tuple[SyntaxNode, ...]
    kinds: frozenset[str]
    """The names of the classes of its nodes."""
    facts: dict[str, Any] = field(default_factory=dict)
    """Facts of later stages about the whole tree, by name."""
    _sorted: dict[str, list[SyntaxNode]] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, tree: tuple[SyntaxNode, ...]) -> TreeIndex:
        """Go through a tree once."""
        index = cls(tree, frozenset())
        index.kinds = frozenset(index.by_class())
        return index

    def by_class(self) -> Mapping[str, list[SyntaxNode]]:
        """The nodes by the name of their class, each in the order of writing."""
        if not self._sorted:
            for one in walk(self.tree):
                self._sorted.setdefault(type(one).__name__, []).append(one)
        return self._sorted

    def fact(self, name: str, make: Callable[[tuple[Any, ...]], F]) -> F:
        """A fact about the tree, found out once."""
        if name not in self.facts:
            self.facts[name] = make(self.tree)
        found: F = self.facts[name]
        return found


_INDEXES: dict[int, TreeIndex] = {}
"""The indexes by the `id` of their trees, which they keep, so that no other one gets it."""


def index_of(tree: tuple[SyntaxNode, ...]) -> TreeIndex:
    """The index of a tree, which is gone through only once."""
    found = _INDEXES.get(id(tree))
    return found if found is not None else with_index(TreeIndex.of(tree))


def with_index(index: TreeIndex) -> TreeIndex:
    """Know the index of a tree from now on."""
    if len(_INDEXES) >= MOST_INDEXES:
        _INDEXES.clear()
    return _INDEXES.setdefault(id(index.tree), index)


def nodes_of(tree: tuple[SyntaxNode, ...], *kinds: type[N]) -> Iterator[N]:
    """All nodes of these very classes in a tree, class by class, in the order of writing."""
    index = index_of(tree)
    for kind in kinds:
        if kind.__name__ in index.kinds:
            yield from cast(Iterable[N], index.by_class()[kind.__name__])
