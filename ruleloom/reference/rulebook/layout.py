"""Which chapter tells what: the flows, then what grows out of them, then the kinds of items.

Each power is told once, below the only one that uses it or where a reader first meets it; what grows
large becomes a chapter of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ruleloom.reference.rulebook.telling import Telling
from ruleloom.reference.rulebook.uses import Tree, tree_of

ROOT = "the whole game"
TRIGGERS = "trigger"
# A power that brings so many others with it has a chapter of its own.
LARGE = 9


@dataclass(slots=True)
class Chapter:
    """What a chapter is about (a flow, a power, a kind, the triggers), and the sections in it: what
    is told, and below each what only that uses."""

    head: str
    sections: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Layout:
    """The chapters in order; `within` has for an item what it alone uses."""

    chapters: Sequence[Chapter]
    within: Mapping[str, tuple[str, ...]]


def laid_out(telling: Telling) -> Layout:
    """The chapters of a game."""
    content = telling.content
    flows = [item.id for item in content.by_kind("flow")]
    kinds = [kind for kind in telling.symbols.kinds if content.by_kind(kind)]
    uses: dict[str, Sequence[str]] = {item.id: telling.uses(item) for item in content.items}
    for kind in (*kinds, TRIGGERS):
        uses[kind] = tuple(item.id for item in content.by_kind(kind))
    uses[ROOT] = (*sorted(flows, key=_set_up_first), *kinds, TRIGGERS)
    tree = tree_of(uses, ROOT)
    return _Placing(telling, uses, tree).layout()


def _set_up_first(flow: str) -> bool:
    return not flow.endswith("/set_up")


class _Placing:
    """Finds the chapter of each node."""

    def __init__(self, telling: Telling, uses: Mapping[str, Sequence[str]], tree: Tree) -> None:
        self.telling, self.uses, self.tree = telling, uses, tree
        self.above = {child: node for node in tree.order for child in tree.children[node]}
        self.heads = [*uses[ROOT]]
        self.items = {id for head in self.heads for id in uses[head] if head not in telling.items}
        self.large = set(self._large())
        self.home: dict[str, str] = {}

    def _large(self) -> Iterator[str]:
        """The powers that become chapters: those with the most in them first."""
        left = {node: 1 for node in self.tree.order}
        for node in reversed(self.tree.order):
            above = self.above.get(node)
            if above is None or above in self.items or node in self.heads or node in self.items:
                continue
            if left[node] > LARGE and self.telling.is_told(node):
                yield node
            else:
                left[above] += left[node]

    def layout(self) -> Layout:
        """The chapters in the order in which their first words are needed."""
        chapters: dict[str, Chapter] = {}
        within: dict[str, tuple[str, ...]] = {}
        users = self.tree.first_user
        for node in self.tree.order[1:]:
            above = self.above[node]
            if node in self.heads or node in self.large:
                chapters[node] = Chapter(node)
                self.home[node] = node
            elif node in self.items:
                within[node] = tuple(self._told_below(node))
                self.home[node] = above if above in self.heads else users[node]
            elif self._is_shared(above):
                home = self.home[users[node]]
                self.home[node] = home
                below = tuple(self._told_below(node))
                if self.telling.is_told(node):
                    chapters[home].sections.append((node, below))
                else:
                    chapters[home].sections += [(one, ()) for one in below]
            else:
                self.home[node] = self.home[above]
        return Layout(self._in_order(chapters), within)

    def _is_shared(self, above: str) -> bool:
        """Is what hangs here told as a section of its own, not below another one?"""
        return above == ROOT or above in self.heads or above in self.large

    def _told_below(self, node: str) -> Iterator[str]:
        for child in self.tree.children[node]:
            if child not in self.large:
                if self.telling.is_told(child):
                    yield child
                yield from self._told_below(child)

    def _in_order(self, chapters: Mapping[str, Chapter]) -> list[Chapter]:
        """Flows and what grew out of them as they come, then the kinds, then the triggers."""
        kinds = [head for head in self.heads if head not in self.telling.items]
        first = [one for head, one in chapters.items() if head not in kinds]
        return [*first, *(chapters[kind] for kind in kinds)]
