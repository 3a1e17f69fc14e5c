"""Comparison of two items value by value, by meaning.

Effect text is compared by its syntax tree, numbers by value, prose without its line ends; the order
of maps and of lists of clauses and authors does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.analysis.alone import form_in
from ruleloom.compiler.analysis.texts import effect_tree
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.diff.changes import FieldChange, Where
from ruleloom.runtime.dataclass import dataclass

Path = tuple[str, ...]
Forms = Mapping[Path, str]
Fields = Mapping[str, YamlNode]
Nodes = Sequence[YamlNode]
NO_FIELDS = ("kind", "id", "renamed_from")
UNORDERED = ("clauses", "authors", "after")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of fields with effect texts at the paths of `forms`; `*` is any step of one."""

    forms: Forms
    old_where: Callable[[Place], Where]
    new_where: Callable[[Place], Where]

    def of_fields(
        self, old: Fields, new: Fields, left_out: Collection[str] = NO_FIELDS
    ) -> tuple[FieldChange, ...]:
        """The differences between the fields of two items."""
        old = {key: node for key, node in old.items() if key not in left_out}
        new = {key: node for key, node in new.items() if key not in left_out}
        return tuple(self._maps(old, new, ()))

    def _maps(self, old: Fields, new: Fields, path: Path) -> Iterator[FieldChange]:
        for key in {**old, **new}:
            inner, before, after = (*path, key), old.get(key), new.get(key)
            if before is None or after is None:
                yield self._change(inner, "added" if before is None else "removed", before, after)
            elif self._meaning(before, inner) == self._meaning(after, inner):
                continue
            elif before.kind == after.kind == "map":
                yield from self._maps(before.entries, after.entries, inner)
            elif before.kind == after.kind == "list":
                yield from self._lists(before, after, inner)
            else:
                yield self._change(inner, "changed", before, after)

    def _lists(self, old: YamlNode, new: YamlNode, path: Path) -> Iterator[FieldChange]:
        """Entries that came or went; two that are called the same are compared with one another."""
        gone = self._unlike(old.items, new.items, path)
        came = self._unlike(new.items, old.items, path)
        if not gone and not came:
            yield self._change(path, "order", old, new)
        for node in list(gone):
            other = _namesake(node, came)
            if other is not None:
                gone.remove(node)
                came.remove(other)
                yield from self._maps(node.entries, other.entries, (*path, f"[{_called(node)}]"))
        yield from (self._change(path, "removed", node, None) for node in gone)
        yield from (self._change(path, "added", None, node) for node in came)

    def _unlike(self, nodes: Nodes, others: Nodes, path: Path) -> list[YamlNode]:
        """The entries that have no like among the others, each of which is the like of one."""
        inner = (*path, "*")
        left = [self._meaning(one, inner) for one in others]
        unlike = []
        for node in nodes:
            meaning = self._meaning(node, inner)
            if meaning in left:
                left.remove(meaning)
            else:
                unlike.append(node)
        return unlike

    def _meaning(self, node: YamlNode, path: Path) -> Any:
        """The meaning of a value, so that equal meanings are equal."""
        if node.kind == "map":
            return {key: self._meaning(child, (*path, key)) for key, child in node.entries.items()}
        if node.kind == "list":
            meanings = [self._meaning(child, (*path, "*")) for child in node.items]
            return sorted(meanings, key=repr) if path[-1:] and path[-1] in UNORDERED else meanings
        form = self._form(path)
        if form:
            tree = effect_tree(node.text if node.text is not None else node.raw, form)
            return node.value if tree is None else tree
        number = amount(node)
        if number is not None:
            return ("number", number)
        return " ".join(node.text.split()) if node.text is not None else (node.kind, node.value)

    def _form(self, path: Path) -> str:
        return form_in(self.forms, path)

    def _change(
        self, path: Path, does: Any, old: YamlNode | None, new: YamlNode | None
    ) -> FieldChange:
        before, after = (None if node is None else to_data(node) for node in (old, new))
        old_at = None if old is None else self.old_where(old.place)
        new_at = None if new is None else self.new_where(new.place)
        return FieldChange(path, does, before, after, old_at, new_at, self._form(path))


def _namesake(node: YamlNode, others: Nodes) -> YamlNode | None:
    """The first entry of the same name, if both are mappings."""
    name = _called(node)
    other = next((one for one in others if name and _called(one) == name), None)
    return other if other is not None and node.kind == other.kind == "map" else None


def _called(node: YamlNode) -> str:
    """The name of an entry of a list: its first value, where that is a text."""
    first = next(iter(node.entries.values()), None)
    return first.text or "" if first is not None else ""
