"""The invented game of tests/quarrel at the table: its own schemas, and the command line in this process."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from compiler import pipeline
from tests.command import Done, call

QUARREL = Path(__file__).resolve().parent / "quarrel"
COMMON = Path(__file__).resolve().parent.parent / "schemas"


@cache
def schemas() -> Path:
    """A folder with the schemas every game shares and those of the quarrel."""
    folder = Path(tempfile.mkdtemp(prefix="quarrel-schemas-"))
    for path in COMMON.glob("*.schema.json"):
        shutil.copy(path, folder)
    shutil.copytree(QUARREL / "schemas" / "quarrel", folder / "quarrel")
    return folder


def ruleloom(*words: str | Path, typed: str = "") -> Done:
    """Run `ruleloom` with these words, where the quarrel has schemas."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "SCHEMAS", schemas())
        return call(*words, typed=typed)


def quarrel(*words: str | Path, typed: str = "") -> Done:
    """Play the quarrel."""
    return ruleloom("play", QUARREL / "game", *words, typed=typed)
