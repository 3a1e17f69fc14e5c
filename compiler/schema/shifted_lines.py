"""Finds misindented lines of an item that YAML reads all the same.

In goes an item with what its schema finds wrong; out come diagnostics at those lines, and which of
the findings are their consequences.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.schema.violations import Path, Violation
from ruleloom.compiler.yaml.node import YamlNode, node_at

TOO_FEW = frozenset({"minProperties", "minItems"})

Unknown = Callable[[YamlNode, list[Violation]], Collection[str]]
FieldsAt = Callable[[Path], Collection[str]]


def misplaced_lines(
    item: YamlNode, by_path: Mapping[Path, list[Violation]], unknown: Unknown, fields_at: FieldsAt
) -> Iterator[tuple[Diagnostic, tuple[Path, ...]]]:
    """Return each misplaced line, with the paths below which everything follows from it.

    *unknown* tells the strange keys of a map, *fields_at* the fields that one within the item may have.
    """
    for path, here in by_path.items():
        node = node_at(item, path)
        if node.kind == "map" and node.style is None:
            for key, above in _unknown_below(node, unknown(node, here)):
                if _wants_more(by_path.get((*path, above), [])):
                    yield _too_far_left(node, key, above), ((*path, above), (*path, key))
        elif node.kind == "null" and len(path) > 1 and isinstance(path[-1], str):
            yield from _fields_further_left(item, path[:-1], path[-1], fields_at)


def _fields_further_left(
    item: YamlNode, path: Path, key: str, fields_at: FieldsAt
) -> Iterator[tuple[Diagnostic, tuple[Path, ...]]]:
    """Find an empty field of the map at *path* that is one of a map further out."""
    owner = node_at(item, path)
    for outer in (path[:end] for end in range(len(path))) if owner.style is None else ():
        if key not in node_at(item, outer).entries and key in fields_at(outer):
            yield _too_far_right(owner, key), (path, (*outer, key))


def _wants_more(found: Sequence[Violation]) -> bool:
    """Say whether a value lacks just what may stand on the line below it."""
    return any(
        one.keyword in TOO_FEW or (one.keyword == "type" and one.instance is None) for one in found
    )


def _unknown_below(node: YamlNode, unknown: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each unknown key with the field before it, where that ends on the line above."""
    above_each = {key: above for above, key in pairwise(node.entries)} if unknown else {}
    for key, above in ((key, above_each[key]) for key in unknown if key in above_each):
        value = node.entries[above]
        last = node.key_place(above).line if value.kind == "null" else value.place.end_line
        if last == node.key_place(key).line - 1:
            yield key, above


def _too_far_left(node: YamlNode, key: str, above: str) -> Diagnostic:
    has = "nothing" if node.entries[above].kind == "null" else "too little"
    message = f"`{key}` stands beside `{above}`, which has {has} below it"
    help = "indent it by two spaces more"
    return Diagnostic(node.key_place(key), "error", "bad-indentation", message, help)


def _too_far_right(node: YamlNode, key: str) -> Diagnostic:
    message = f"`{key}` has nothing below it, and is a field of what stands further left"
    return Diagnostic(node.key_place(key), "error", "bad-indentation", message, "indent it less")
