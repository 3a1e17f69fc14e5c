"""`ruleloom check` of a thousand small item files, cold, against check-jsonschema on the same files."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import Row, commands, time_row

ITEMS = 1_000
SHIPPED = Path(__file__).parent.parent / "rulesets" / "gnostica"
ITEM = """kind: major
id: card-{n}
title: Card {n}
number: {number}
clauses: [thousand.card-{n}]
effect: |
  optional "turn a piece for card {n}":
      choose minion from minions where pips(minion) >= {pips}
      choose piece from targets(minion) where owner(piece) != me
      choose orient from Facing where orient != facing(piece)
      face(piece, orient)
  optional "create":
      use create
"""


def write_items(folder: Path) -> None:
    """The shipped pack with room for a thousand more cards, and the thousand, a file each.

    Its scenarios stay behind: they are no items, and the other tool does not get them either.
    """
    shutil.copytree(SHIPPED, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("scenarios"))
    vocabulary = folder / "vocabulary.yaml"
    text = vocabulary.read_text(encoding="utf-8")
    vocabulary.write_text(text.replace("max: 200\n    static", "max: 2000\n    static"), encoding="utf-8")
    items = folder / "items"
    items.mkdir()
    for n in range(ITEMS):
        text = ITEM.format(n=n, number=40 + n % 60, pips=n % 3 + 1)
        (items / f"card-{n}.yaml").write_text(text, encoding="utf-8")


def rows(rounds: int = 5) -> list[Row]:
    """The whole check, all passes, as one process."""
    bin_folder = Path(sys.executable).parent
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_items(folder)
        schema = _flat_schema(folder)
        files = [str(path) for path in sorted((folder / "items").iterdir())]
        ours = [str(bin_folder / "ruleloom"), "check", str(folder)]
        theirs = [str(bin_folder / "check-jsonschema"), "--schemafile", str(schema), *files]
        times = commands(ours, theirs, rounds)
    return [
        time_row(
            "`check` of 1,000 item files, cold (reference: schema only)",
            *times,
            1,
        )
    ]


def _flat_schema(folder: Path) -> Path:
    """The shipped schema of a major with its common parts inside, as check-jsonschema wants them."""
    schemas = Path(__file__).parent.parent / "schemas"
    common = (schemas / "common.schema.json").read_text(encoding="utf-8")
    major = (schemas / "gnostica" / "major.schema.json").read_text(encoding="utf-8")
    flat = json.loads(major.replace("common.schema.json#", "#"))
    flat["$defs"] = {
        **flat.get("$defs", {}),
        **json.loads(common.replace("common.schema.json#", "#"))["$defs"],
    }
    flat.pop("$id", None)
    path = folder.parent / f"{folder.name}-major.schema.json"
    path.write_text(json.dumps(flat), encoding="utf-8")
    return path
