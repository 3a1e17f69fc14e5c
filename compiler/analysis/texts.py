"""Texts as they stand: their edits, and the trees of YAML files and effect texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.schema.validate import item_nodes
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS
from ruleloom.compiler.syntax.tree import NEW, names_in, walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass


class FileEdit(NamedTuple):
    """A stretch of a text, and its replacement."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[FileEdit]) -> str:
    """A text after some edits that do not overlap."""
    for start, end, new in sorted(set(edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def line_end(text: str, at: int) -> int:
    """The end of the line around an offset, before its line feed."""
    end = text.find("\n", max(at, 0))
    return len(text) if end < 0 else end


def items_in(text: str, shown: str = "text") -> list[YamlNode]:
    """The items of a YAML text, as far as it can be read."""
    try:
        return items_of(compose(Source.from_text(text, shown), Report()))
    except SourceError:
        return []


def items_of(root: YamlNode | None) -> list[YamlNode]:
    """The items of a file; a file of cases is one."""
    return list(item_nodes(root, Report())) if root is not None else []


def game_named(folder: Path) -> str:
    """The game that the manifest in a folder names; empty for none."""
    with suppress(SourceError):
        for manifest in items_of(compose(Source.read(folder / MANIFEST, MANIFEST), Report())):
            named = manifest.get("game")
            return (named.text or "") if named is not None else ""
    return ""


def effect_tree(text: str, form: str) -> Any:
    """The tree of an effect text; None where it does not parse, or the form has none."""
    with suppress(EffectSyntaxError):
        return PARSERS[form](text) if form in PARSERS else None


def names_bound(text: str) -> list[str]:
    """The names that a block binds outside all blocks within it; none where it does not parse."""
    names: dict[str, None] = {}
    for one in effect_tree(text, "block") or ():
        names |= dict.fromkeys(name.id for name in names_in(one, NEW))
    return list(names)


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an effect text, and the item in which it stands."""

    item: Item
    part: ast.SyntaxNode


def nodes_of(content: Content) -> Iterator[Node]:
    """Every part of the effects and abilities of all items."""
    for item in content.items:
        for form, field in (("block", "effect"), ("abilities", "abilities")):
            found = read_text(content, item.fields.get(field), PARSERS[form], Report())
            if found is not None:
                yield from (Node(item, part) for part in walk(found[1]))
