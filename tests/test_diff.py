"""What `ruleloom diff` tells of two packs: the cases of tests/differences, revisions of git, the version number."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ruleloom.diff.compare import compare
from ruleloom.diff.data import as_data
from ruleloom.diff.report import WIDTH, Report
from ruleloom.diff.sides import Side, load_side
from ruleloom.diff.weights import LEVELS, advice, raised
from ruleloom.diff.words import differing_lines
from tests.check_layer import NOTHING, ORCHARD, schemas
from tests.command import call

FOLDER = Path(__file__).resolve().parent / "differences"
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['case']}")
    for path in sorted(FOLDER.glob("*.yaml"))
    for case in yaml.safe_load(path.read_text(encoding="utf-8"))
]
MANIFEST = {"kind": "pack", "id": "house", "version": "1.0.0", "game": "orchard", "edition": 1}


def write(folder: Path, items: str, manifest: dict[str, Any]) -> Path:
    folder.mkdir(parents=True)
    text = yaml.safe_dump({**MANIFEST, **manifest}, sort_keys=False)
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    if items:
        (folder / "items.yaml").write_text(items, encoding="utf-8")
    return folder


def side(folder: Path, items: str = "", manifest: dict[str, Any] | None = None) -> Side:
    """A pack for the orchard, compiled."""
    pack = write(folder, items, manifest or {})
    return load_side(pack, folder.name, [ORCHARD / "game"], builtin=NOTHING, schemas=schemas())


def body(report: str) -> list[str]:
    """The lines below the first, without their layout."""
    return [" ".join(line.split()) for line in report.split("\n")[1:] if line]


@pytest.mark.parametrize("case", CASES)
def test_a_case(case: dict[str, Any], tmp_path: Path):
    old = side(tmp_path / "old", case.get("old", ""), case.get("old_pack"))
    new = side(tmp_path / "new", case.get("new", ""), case.get("new_pack"))
    changes = compare(old, new)
    found = body(Report().text(old, new, changes, None))
    assert found == case["says"]
    asked = advice(changes, "1.0.0", "1.0.0")
    assert asked.level == case["asks"]
    assert asked.enough == (asked.level == "none")
