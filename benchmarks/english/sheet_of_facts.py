"""The sheet: which items are judged, and what is true of each, written from its YAML by hand.

A file for each game; in it, for each set of packs that are compiled together, the items by id. A fact
is one entry of `says`: its kind, and a wording or several of which one will do. Anything else in the
files is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.english.wording import pattern

SHEETS = Path(__file__).parent / "sheet"
GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
KINDS = ("who", "what", "how much", "how long", "when")
_FIELDS = {"says", "never", "named"}


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a card has to say, in one of several wordings."""

    kind: str
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of the sheet. `named`: its English names all persons and things."""

    item: str
    game: str
    packs: tuple[str, ...]
    says: tuple[Fact, ...]
    never: tuple[str, ...] = ()
    named: bool = True


def read_sheet(games: tuple[str, ...] = GAMES) -> list[Entry]:
    """The items of some games, in the order of the sheet. ValueError for what is no sheet."""
    return [entry for game in games for entry in _entries_of(game)]


def entry_of(item: str, game: str, packs: tuple[str, ...], about: Mapping[str, Any]) -> Entry:
    """What a sheet says of one item."""
    unknown = about.keys() - _FIELDS
    if unknown or not about.get("says"):
        raise ValueError(f"{item}: {', '.join(sorted(unknown)) or '`says` is missing'}")
    says = tuple(_fact(item, kind, said) for one in about["says"] for kind, said in one.items())
    never = tuple(_several(about.get("never", ())))
    for wording in (*never, *(one for fact in says for one in fact.wordings)):
        for part in wording.split(" & "):
            pattern(part)
    return Entry(item, game, packs, says, never, about.get("named", True))


def _entries_of(game: str) -> Iterator[Entry]:
    for group in yaml.safe_load((SHEETS / f"{game}.yaml").read_text(encoding="utf-8")):
        for item, about in group["items"].items():
            yield entry_of(item, game, tuple(_several(group["packs"])), about)


def _fact(item: str, kind: str, said: Any) -> Fact:
    if kind not in KINDS:
        raise ValueError(f"{item}: a fact is one of {', '.join(KINDS)}, not {kind!r}")
    return Fact(kind, tuple(_several(said)))


def _several(said: Any) -> list[str]:
    return [str(one) for one in ([said] if isinstance(said, str | int) else said)]
