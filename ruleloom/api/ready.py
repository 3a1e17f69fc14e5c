"""Products of packs: from the store, from the installation, or made now.

All access to the store goes through this module, but for languages (`languages.py`), which need the compiler
anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from ruleloom.store.findings import Findings
from ruleloom.store.store import NewValue, StoreKind, get

T = TypeVar("T")


def ready(kind: StoreKind[T], paths: Sequence[str], kept: bool = True) -> T:
    """The product of packs of one kind, stored or made; with `kept` false, made anew from nothing stored.
    Raises ContentError for packs with mistakes, which have only findings."""

    def make() -> NewValue[T]:
        # Imported late: the compiler takes longer to load than the store to answer.
        from ruleloom.api.making import MAKERS

        return MAKERS[kind.name](paths, **({} if kept else {"kept": False}))

    return get(kind, paths, make) if kept else make().value


def ready_cases(packs: Sequence[str | Path], files: Sequence[Path]) -> Findings:
    """The findings in case files outside any pack, checked with the game of these packs."""
    # Imported late: see above.
    from ruleloom.api.making import findings_of_cases

    return findings_of_cases(packs, files)
