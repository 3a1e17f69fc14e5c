"""What is wanted of packs: kept from an earlier run, come with the installation, or made now.

This is the one way to what is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from ruleloom.store.findings import Findings
from ruleloom.store.store import NewValue, StoreKind, get

T = TypeVar("T")


def ready(kind: StoreKind[T], paths: Sequence[str], kept: bool = True) -> T:
    """What of this kind packs come to, kept or made; findings anew of nothing that is `kept`, if so
    asked. ContentError for packs with mistakes, of which there are only findings."""

    def make() -> NewValue[T]:
        # Imported late: the compiler takes longer to load than the store to answer.
        from ruleloom.api.making import MAKERS

        return MAKERS[kind.name](paths, **({} if kept else {"kept": False}))

    return get(kind, paths, make) if kept else make().value


def ready_cases(packs: Sequence[str | Path], files: Sequence[Path]) -> Findings:
    """The findings about cases that lie in no pack, held against the game of these packs."""
    # Imported late: see above.
    from ruleloom.api.making import findings_of_cases

    return findings_of_cases(packs, files)
