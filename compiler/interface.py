"""The interface of a game: what a pack on top of it is compiled against.

It is the build of the packs below alone, as the next build takes it up (`ruleloom.compiler.query.reuse`), with
the trees of their files; written once, and kept under the hash of all these files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruleloom.compiler.load import FileTree
from ruleloom.compiler.packs.pack_files import PackInputs
from ruleloom.compiler.query.lazy_objects import read, written
from ruleloom.compiler.query.reuse import Generation
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.summary.outline import names_read_in, outline_of, texts_of
from ruleloom.compiler.syntax.parser import ParsedText
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.calls import callees_of
from ruleloom.runtime.program.expr import OfPart
from ruleloom.runtime.program.program import Routine

FACTS: tuple[OfPart[Routine, Any], ...] = outline_of, names_read_in, texts_of, callees_of
SCHEMAS, SOURCE = "schemas", "source"


@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """A build of packs without mistakes, the trees of their files by the paths that are shown, those of
    their effects by the kind of text and its words."""

    build: Generation
    trees: Mapping[str, FileTree]
    texts: Mapping[tuple[str, str], ParsedText]
    facts: tuple[list[tuple[Any, Any]], ...]
    """The facts about its routines, as `FACTS` finds them."""


def below(inputs: PackInputs) -> PackInputs | None:
    """The packs that are only required, if they are a game by themselves."""
    kept = {pack.manifest.id for pack in inputs.packs} - inputs.named
    found = inputs.only(kept)
    return found if found.packs and found.packs[0].manifest.id == inputs.game else None


def digest_of(inputs: PackInputs) -> str:
    """The hash of all that an interface depends on but our own code."""
    digest = hashlib.sha256()
    for pack in inputs.packs:
        folder = pack.manifest.folder
        digest.update(repr((pack.manifest.id, str(folder.path), folder.shown)).encode())
    for path, source in inputs.sources().items():
        head = path, source.pasted, len(source.text)
        digest.update(repr(head).encode())
        digest.update(source.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def interface_bytes(interface: Interface, inputs: PackInputs, folder: Path) -> bytes:
    """An interface as bytes. TypeError if there is something in it that cannot be written."""
    base, sources = schemas_of(folder, inputs.game), inputs.sources()

    def outside(value: object) -> Any:
        if isinstance(value, Source) and sources.get(value.path) is value:
            return SOURCE, value.path
        if isinstance(value, SchemaStore):
            more = {name: one for name, one in value.files.items() if base.files.get(name) != one}
            return SCHEMAS, more
        return None

    return written(interface, outside)


def read_interface(data: bytes, inputs: PackInputs, folder: Path) -> Interface:
    """The interface of these packs, about the sources that were read."""
    base, sources = schemas_of(folder, inputs.game), inputs.sources()

    def outside(name: Any) -> object:
        kind, what = name
        if kind == SOURCE:
            return sources[what]
        return base.extended(what) if what else base

    found: Interface = read(data, outside)
    return found
