"""The order of patches: what `after:` says, and nothing else.

It does not matter which pack requires another, or is named first. Patches in no order are applied
in that of their packs and names, which makes no difference because they agree with each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, nearest
from ruleloom.compiler.graph import closures, find_circle, in_order
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.poison import Poison
from ruleloom.compiler.packs.renames import Renames, notice, renamed
from ruleloom.compiler.patch.select import may_lack
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The position of each patch, by name, and the others that it comes after."""

    position: Mapping[str, int]
    earlier: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls, patches: Sequence[Item], poisoned: Poison, renames: Renames, report: Report
    ) -> Order:
        """Return the order of patches; those in a circle of `after:` have none."""
        known = {patch.name: patch for patch in patches}
        after = {
            name: _after(patch, known, poisoned, renames, report) for name, patch in known.items()
        }
        order = in_order(after)
        if len(order) < len(known):
            # Patches in no order are on a circle, or come after one.
            path = find_circle({name: after[name] for name in known.keys() - order})
            steps = pairwise(path[1:])
            notes = [Note(after[a][b].place, f"`{a}` comes after `{b}`") for a, b in steps]
            message = f"patches come after each other in a circle: {' -> '.join(path)}"
            place = after[path[0]][path[1]].place
            report.error("patch-cycle", place, message, "take one `after:` out", notes)
        whole = closures({name: after[name] for name in order})
        earlier = {name: found - {name} for name, found in whole.items()}
        return cls({name: index for index, name in enumerate(order)}, earlier)

    def is_before(self, first: Item, second: Item) -> bool:
        """Tell whether `second` is said to come after `first`."""
        return first.name in self.earlier[second.name]

    def is_free(self, a: Item, b: Item) -> bool:
        """Tell whether two different patches stand in no order."""
        return a.name != b.name and not self.is_before(a, b) and not self.is_before(b, a)


def _after(
    patch: Item, known: Mapping[str, Item], poisoned: Poison, renames: Renames, report: Report
) -> dict[str, YamlNode]:
    """Return the names of the patches that one says it comes after, each with where it says so."""
    found: dict[str, YamlNode] = {}
    for node in items_of(patch.fields.get("after")):
        written = str(node.value)
        pack, _, inside = written.rpartition(":")
        name = inside.removeprefix("patch/")
        other = known.get(name)
        if other is not None and pack in ("", other.pack):
            found[name] = node
        elif (item := renamed(renames, pack, "patch", name)) is not None:
            notice(report, node.place, written, item)
            found[item.name] = node
        elif not poisoned.mentions(name) and not may_lack(patch, "after"):
            message = f"there is no patch `{written}` to come after"
            pack = other.pack if other else pack or patch.pack
            help = _meant_by_after(written, f"{pack}:patch/{name}", patch, known)
            report.error("unknown-patch", node.place, message, help)
    return found


def _meant_by_after(written: str, id: str, patch: Item, known: Mapping[str, Item]) -> str:
    """The help for the name of no patch: the nearest other one."""
    for close in nearest(id, [one.id for one in known.values() if one is not patch], 1):
        return Suggestion(written, close)
    return "with `optional: after` the other patch need not be there"
