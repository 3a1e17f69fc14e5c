"""Who uses what, from the flows on: the order of first use, and within what each power alone is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ruleloom.runtime.dataclass import dataclass

Uses = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Tree:
    """Each node below the one without which it would never be used, all in the order of first use.

    `first_user` is who uses a node first as a reader goes from the root into each use in turn.
    """

    order: tuple[str, ...]
    children: Mapping[str, tuple[str, ...]]
    first_user: Mapping[str, str]

    def below(self, node: str) -> Iterator[str]:
        """The nodes that are used within one node alone, from the first to the last."""
        for child in self.children[node]:
            yield child
            yield from self.below(child)


def tree_of(uses: Uses, root: str) -> Tree:
    """The tree of all that `root` uses."""
    first_user, left = _visited(uses, root)
    order = (root, *first_user)
    users: dict[str, list[str]] = {node: [] for node in order}
    for node in order:
        for used in uses.get(node, ()):
            users[used].append(node)
    above = _dominators(left[::-1], users)
    children: dict[str, list[str]] = {node: [] for node in order}
    for node in first_user:
        children[above[node]].append(node)
    return Tree(order, {node: tuple(found) for node, found in children.items()}, first_user)


def _visited(uses: Uses, root: str) -> tuple[dict[str, str], list[str]]:
    """Every node with its first user, in the order in which they are met; and the order in which
    they are done with, all that they use included."""
    first_user: dict[str, str] = {}
    left: list[str] = []
    path = [(root, iter(uses.get(root, ())))]
    while path:
        node, rest = path[-1]
        following = next((one for one in rest if one not in first_user and one != root), None)
        if following is None:
            left.append(node)
            path.pop()
        else:
            first_user[following] = node
            path.append((following, iter(uses.get(following, ()))))
    return first_user, left


def _dominators(order: Sequence[str], users: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each node the nearest one that every way from the root leads through.

    In `order` each comes before what it uses, circles apart. Cooper, Harvey and Kennedy, “A Simple,
    Fast Dominance Algorithm”.
    """
    place = {node: number for number, node in enumerate(order)}
    above = {order[0]: order[0]}

    def common(one: str, other: str) -> str:
        while one != other:
            if place[one] > place[other]:
                one = above[one]
            else:
                other = above[other]
        return one

    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            known = [user for user in users[node] if user in above]
            nearest = known[0]
            for user in known[1:]:
                nearest = common(nearest, user)
            if above.get(node) != nearest:
                above[node], changed = nearest, True
    return above
