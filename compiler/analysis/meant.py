"""The meaning of what stands in fields: values by what counts of them, ranges by what they allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from ruleloom.compiler.analysis.effect_cursor import form_in
from ruleloom.compiler.analysis.yaml_cursor import effect_tree
from ruleloom.compiler.packs.manifest import RangeError, allows, read_range
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.yaml.node import YamlNode

UNORDERED = ("clauses", "authors", "after")
FieldPath = tuple[str, ...]
Forms = Mapping[FieldPath, str]


def meant(node: YamlNode, path: FieldPath, forms: Forms) -> Any:
    """The meaning of a value, so that equal meanings are equal: of effect texts, at the paths of
    `forms`, their trees; of numbers, their value; of other texts, their words."""
    if node.kind == "map":
        return {key: meant(child, (*path, key), forms) for key, child in node.entries.items()}
    if node.kind == "list":
        meanings = [meant(child, (*path, "*"), forms) for child in node.items]
        return sorted(meanings, key=repr) if path[-1:] and path[-1] in UNORDERED else meanings
    form = form_in(forms, path)
    if form:
        tree = effect_tree(node.text if node.text is not None else node.raw, form)
        return node.value if tree is None else tree
    number = amount(node)
    if number is not None:
        return ("number", number)
    return " ".join(node.text.split()) if node.text is not None else (node.kind, node.value)


def narrows(old: str, new: str) -> bool:
    """Does a range exclude a version that an earlier one allowed, or is one of them none?"""
    try:
        before, after = read_range(old), read_range(new)
    except RangeError:
        return True
    return any(allows(before, one) and not allows(after, one) for one in _around(before, after))


def _around(*ranges: SpecifierSet) -> Iterator[Version]:
    """Versions at, just above and just below every bound of the ranges: only there they differ."""
    yield Version("0")
    for bound in chain(*ranges):
        release = (*Version(bound.version.removesuffix(".*")).release, 0, 0, 0)[:3]
        near = ({0, number, number + 1, max(number - 1, 0)} for number in release)
        yield from (Version(".".join(map(str, one))) for one in product(*near))
