"""A store of a test's own, with nothing in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.store import store


def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a store that commands of this test use; it is made when something is kept."""
    monkeypatch.setenv(store.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv(store.KEY, raising=False)
    return tmp_path / "cache"


def kept_answers(cache: Path) -> list[Path]:
    """The files of all that is kept there."""
    return sorted(cache.glob(f"*{store.ENDING}"))
