"""The quarrel, a game of nobody's, and small packs beside it that patch its weapons: read, or
compiled."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import Compiler, CompileResult, load
from ruleloom.runtime.program.program_json import program_data
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write
from tests.support.quarrel_table import QUARREL

SHIPPED = QUARREL / "packs"


@cache
def schema_folder() -> Path:
    """Return a folder with the schemas of the quarrel."""
    return schemas(QUARREL)


def read(*packs: Path) -> tuple[Content | None, list[Diagnostic]]:
    """Read these packs, without checking any text."""
    report = Report()
    return load([QUARREL / "game", *packs], report, NOTHING, schema_folder()), report.diagnostics()


def compiled(*packs: Path) -> CompileResult:
    """Compile the quarrel with these packs, named in this order; afresh, as orders are compared."""
    return Compiler().compile([*packs, QUARREL / "game"], builtin=NOTHING, schemas=schema_folder())


def program_hash(result: CompileResult) -> str | None:
    """A hash of all that a program is; None if there is none."""
    if result.program is None:
        return None
    return hashlib.sha256(json.dumps(program_data(result.program)).encode()).hexdigest()


def put(folder: Path, packs: Mapping[str, str]) -> list[Path]:
    """Write packs, each the text of one file beside its manifest; return their folders."""
    files = {f"{id}/pack.yaml": manifest(id, game="quarrel") for id in packs}
    write(folder, files | {f"{id}/items.yaml": text for id, text in packs.items()})
    return [folder / id for id in packs]


def tried(packs: Mapping[str, str]) -> tuple[Content | None, list[Diagnostic]]:
    """Read packs that lie in a folder which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="quarrel-") as folder:
        return read(*put(Path(folder), packs))


def values(content: Content | None, field: str, kind: str = "weapon") -> dict[str, object]:
    """The plain value of a field of every item of a kind, by the item's name."""
    assert content is not None
    return {item.name: item.data(field) for item in content.by_kind(kind)}


def errors(found: Iterable[Diagnostic]) -> list[str]:
    """The codes of what is wrong; notices do not count."""
    return [one.code for one in found if one.severity == "error"]
