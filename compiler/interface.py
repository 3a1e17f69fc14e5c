"""The interface of a game, against which the packs on top of it are compiled.

It holds the build of the packs below, for reuse by the next build (`ruleloom.compiler.query.reuse`), and
the trees of their files; it is written once, and cached under the hash of these files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from ruleloom.compiler.flow.cost import callees_in, last_counted
from ruleloom.compiler.load import FileTree
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.packs.pack_files import PackInputs
from ruleloom.compiler.query.lazy_objects import read, written
from ruleloom.compiler.query.reuse import Generation
from ruleloom.compiler.resolve.mod_sets import MARKED, Statements
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Memo, Source
from ruleloom.compiler.summary.summaries import names_read_in, outline_of, texts_of
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import TREES, ParsedText
from ruleloom.compiler.syntax.tree import TreeIndex, index_of, with_index
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr import OfPart, callees_of

FACTS: Mapping[str, tuple[OfPart[Any, Any], ...]] = {
    "routine": (outline_of, names_read_in, texts_of, callees_of),
    "cost": (callees_in, last_counted),
}
"""The facts that are kept of parts of a text that was checked."""
SCHEMAS, SOURCE = "schemas", "source"
Trees = Memo[FileTree]


@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """A build of packs without errors, with the cached trees and facts of their texts."""

    build: Generation
    trees: Mapping[str, FileTree]
    """The trees of their files, by displayed path."""
    texts: Mapping[tuple[str, str], ParsedText]
    """The trees of their effects, by the kind of text and its words."""
    marked: tuple[tuple[Statements, tuple[ast.Span, ...], TreeIndex], ...]
    """Effects with idle moments: their trees, the spans of these moments, and the marked trees."""
    parts: tuple[tuple[Any, ...], ...]
    """All routines, and their costs: what `FACTS` are about."""
    facts: tuple[tuple[tuple[Any, ...], ...], ...]
    """For each of these the values of its `FACTS`."""

    @classmethod
    def of(cls, build: Generation, inputs: PackInputs, trees: Trees) -> Interface:
        """The interface of packs that have just been built."""
        known, files = trees.items(), inputs.sources()
        keys = {path: FileTree.key(source) for path, source in files.items()}
        found = {path: known[key] for path, key in keys.items() if key in known}
        results = (one.result for one in build.kept.values())
        checked = [one for one in results if isinstance(one, Checked)]
        parts = tuple(tuple(getattr(one, part) for one in checked) for part in FACTS)
        told = zip(parts, FACTS.values(), strict=True)
        facts = tuple(tuple(tuple(map(fact, some)) for fact in asked) for some, asked in told)
        marked = tuple(
            (tree, places, index_of(result))
            for (_, places), (tree, result) in MARKED.items().items()
        )
        return cls(build, found, TREES.items(), marked, parts, facts)

    def enter(self, inputs: PackInputs, trees: Trees) -> None:
        """Add the trees and facts of these packs to the caches."""
        files = inputs.sources()
        for path, tree in self.trees.items():
            trees.enter(FileTree.key(files[path]), len(files[path].text), tree)
        for text, parsed in self.texts.items():
            TREES.enter(text, len(text[1]), parsed)
        for statements, places, index in self.marked:
            marked: Any = with_index(index).tree
            MARKED.enter((id(statements), places), 0, (statements, marked))
        for parts, facts, found in zip(self.parts, FACTS.values(), self.facts, strict=True):
            for fact, values in zip(facts, found, strict=True):
                fact.enter(parts, values)


def below(inputs: PackInputs) -> PackInputs | None:
    """The packs only required, if they are a game by themselves."""
    required = {pack.manifest.id for pack in inputs.packs} - inputs.named
    return inputs.only(required) if inputs.game in required else None


def digest_of(inputs: PackInputs, sort: object) -> str:
    """The hash of all inputs of an interface of this sort except our own code."""
    folders = (pack.manifest.folder for pack in inputs.packs)
    heads = sort, [(str(folder.path), folder.shown) for folder in folders]
    digest = hashlib.sha256(repr(heads).encode("utf-8", "surrogatepass"))
    for path, source in inputs.sources().items():
        text = source.text.encode("utf-8", "surrogatepass")
        digest.update(repr((path, source.pasted, len(text))).encode("utf-8", "surrogatepass"))
        digest.update(text)
    return digest.hexdigest()


def interface_bytes(interface: Interface, inputs: PackInputs, store: SchemaStore) -> bytes:
    """The bytes of an interface. TypeError or ValueError if an object in it cannot be written."""
    sources = inputs.sources()

    def outside(value: object) -> Any:
        if isinstance(value, Source) and sources.get(value.path) is value:
            return SOURCE, value.path
        if isinstance(value, SchemaStore):
            own = {name: one for name, one in value.files.items() if store.files.get(name) != one}
            return SCHEMAS, own
        return None

    return written(interface, outside)


def read_interface(data: bytes, inputs: PackInputs, store: SchemaStore) -> Interface:
    """The interface of these packs, with their sources."""
    sources = inputs.sources()

    def outside(name: Any) -> object:
        kind, what = name
        if kind == SOURCE:
            return sources[what]
        return store.extended(what) if what else store

    found: Interface = read(data, outside)
    return found
