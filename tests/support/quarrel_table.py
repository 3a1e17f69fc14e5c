"""The invented game of tests/support/quarrel at the table: its own schemas, and the command line in this
process."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler import pipeline
from tests.support.check_layer import schemas
from tests.support.command import Done, call

QUARREL = Path(__file__).resolve().parent / "quarrel"


def ruleloom(*words: str | Path, typed: str = "") -> Done:
    """Run `ruleloom` with these words, where the quarrel has schemas."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "SCHEMAS", schemas(QUARREL))
        return call(*words, typed=typed)


def quarrel(*words: str | Path, typed: str = "") -> Done:
    """Play the quarrel."""
    return ruleloom("play", QUARREL / "game", *words, typed=typed)
