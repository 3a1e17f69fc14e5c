"""A shipped game or pack as the measuring tools see it: its files, their items, and every piece of
effect text.

Everything knows its offsets into the file, so that a fault or a mutant can be put at an exact
place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_args

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.schema.validate import effect_nodes
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import PARSERS
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import EffectText, effect_text

GAMES = tuple(sorted(path.parent.name for path in BUILTIN.glob("*/pack.yaml")))
"""The games that are shipped; each has its folder under `BUILTIN`."""
PACKS = tuple(
    sorted(path.parent.relative_to(BUILTIN).as_posix() for path in BUILTIN.glob("*/*/pack.yaml"))
)
"""The packs for these games that are shipped: the examples, and what `ruleloom new` begins with."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One item of the pack. Scenario files have none."""

    kind: str
    name: str
    node: YamlNode


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """One YAML file; `name` is its path within the pack."""

    name: str
    source: Source
    root: YamlNode
    items: tuple[Item, ...]

    @property
    def text(self) -> str:
        """What stands in it."""
        return self.source.text


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """One effect text: the field it stands in, how it is to be parsed, and its tree."""

    file: File
    item: Item
    path: tuple[str, ...]
    form: str
    node: YamlNode
    written: EffectText
    tree: Any

    @property
    def text(self) -> str:
        """The text alone, as the parser gets it."""
        return self.written.text

    @property
    def group(self) -> str:
        """What tells texts of one sort from others: kind of item and field."""
        return f"{self.item.kind}.{self.path[-1] if len(self.path) < 3 else self.path[0]}"

    def at(self, offset: int) -> int:
        """Where a character of the text stands in the file."""
        return self.written.offset_of(offset)

    def words(self, node: ast.SyntaxNode) -> str:
        """What is written for a node of its tree."""
        return self.text[node.span[0] : node.span[1]]


@dataclass(frozen=True, slots=True, eq=False)
class Shipped:
    """The whole pack; `base` is the game that it is for, where it is not a game itself.

    Files, items and texts are those of the pack alone. Names and words are those of the game, too.
    """

    files: tuple[File, ...]
    texts: tuple[Text, ...]
    store: SchemaStore
    words: frozenset[str]
    base: Shipped | None = None

    def items(self, kind: str | None = None) -> Iterator[tuple[File, Item]]:
        """All items of the pack itself, or those of one kind, with their files."""
        for file in self.files:
            for item in file.items:
                if kind is None or item.kind == kind:
                    yield file, item

    def named(self, kind: str) -> dict[str, Item]:
        """The items of one kind by name, as effect text writes it, those of the game first."""
        known = self.base.named(kind) if self.base is not None else {}
        return known | {item.name.replace("-", "_"): item for _, item in self.items(kind)}

    @property
    def vocabulary(self) -> YamlNode:
        """The game's vocabulary."""
        return self.vocabulary_item[1].node

    @property
    def vocabulary_item(self) -> tuple[File, Item]:
        """The item that the game's vocabulary is, with its file."""
        if self.base is not None:
            return self.base.vocabulary_item
        return next(self.items("vocabulary"))

    def declared(self, part: str) -> dict[str, YamlNode]:
        """What a part of the vocabulary declares, by name; nothing where there is no such part."""
        node = self.vocabulary.get(part)
        return node.entries if node is not None else {}


def read_shipped(folder: Path) -> Shipped:
    """Read the pack in a folder, and the game that it is for; both must be sound."""
    files = tuple(_read(path, folder) for path in sorted(folder.rglob("*.yaml")))
    manifest = next(item for file in files for item in file.items if item.kind == "pack")
    game = str(manifest.node.entries["game"].value)
    base = read_shipped(BUILTIN / game) if manifest.name != game else None
    store = schemas_of(SCHEMAS, game) if base is None else _extended_schemas(folder)
    texts = tuple(
        text for file in files for item in file.items for text in _texts(file, item, store)
    )
    words = frozenset(
        word for file in files for word in re.findall(r"[A-Za-z_][A-Za-z0-9_]*", file.text)
    )
    return Shipped(files, texts, store, words | (base.words if base is not None else set()), base)


def _extended_schemas(folder: Path) -> SchemaStore:
    """The schemas of a game with all that a pack, and what it requires, add to its vocabulary."""
    content = compile_paths(folder, reasons=False).content
    assert content is not None, f"{folder.name} cannot be read"
    return content.schemas


def _read(path: Path, folder: Path) -> File:
    name = path.relative_to(folder).as_posix()
    report = Report()
    source = Source.read(path, name)
    root = compose(source, report)
    if root is None or report.has_errors:
        raise ValueError(f"{name} is no sound YAML")
    nodes = root.items if root.kind == "list" else [root]
    return File(name, source, root, tuple(_items(nodes)))


def _items(nodes: list[YamlNode]) -> Iterator[Item]:
    for node in nodes:
        kind, named = node.get("kind"), node.get("id")
        if kind is not None and kind.text != "scenarios":
            yield Item(str(kind.value), str(named.value if named is not None else kind.value), node)


def _texts(file: File, item: Item, store: SchemaStore) -> Iterator[Text]:
    for path, node, form in effect_nodes(item.node, item.kind, store):
        if item.kind == "vocabulary" and path[-1] == "do":
            form = "block"
        report = Report()
        written = effect_text(file.source, node, report)
        if written is not None:
            yield Text(file, item, path, form, node, written, PARSERS[form](written.text))


@dataclass(frozen=True, slots=True)
class Spot:
    """A node of a syntax tree, with the node it is part of and the name of the field it stands
    in."""

    node: Any
    parent: Any
    field: str


def spots(node: Any, parent: Any = None, field: str = "") -> Iterator[Spot]:
    """Every node of a tree (or of a tuple of trees) from the outside in."""
    if isinstance(node, tuple):
        for one in node:
            yield from spots(one, parent, field)
    elif isinstance(node, ast.SyntaxNode):
        yield Spot(node, parent, field)
        for each in fields(node):
            if each.name != "span":
                yield from spots(getattr(node, each.name), node, each.name)


def blocks(node: Any) -> Iterator[tuple[Any, ...]]:
    """Every block of statements in a tree, outer ones first."""
    if isinstance(node, tuple):
        if (
            node
            and all(isinstance(one, ast.SyntaxNode) for one in node)
            and isinstance(node[0], STATEMENTS)
        ):
            yield node
        for one in node:
            yield from blocks(one)
    elif isinstance(node, ast.SyntaxNode):
        for each in fields(node):
            if each.name != "span":
                yield from blocks(getattr(node, each.name))


STATEMENTS = get_args(ast.Stmt)
