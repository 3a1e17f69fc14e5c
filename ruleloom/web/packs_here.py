"""The packs that lie at a server: those that a program was made of, and their languages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from ruleloom.api.languages import language_for
from ruleloom.compiler.analysis.yaml_cursor import pack_version
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, find_packs, shipped_packs
from ruleloom.compiler.source.file import SourceError
from ruleloom.runtime.program.language import Language
from ruleloom.runtime.program.program import Program
from ruleloom.web.lobby import ONE_AT_A_TIME, Shelf


class PackHere(NamedTuple):
    """A pack that lies here: what names it, and its version."""

    named: str
    version: str


def packs_here(shelf: Shelf) -> dict[str, PackHere]:
    """The packs of this server, and those that come with Ruleloom, by id, as their manifests say."""
    found: dict[str, PackHere] = {}
    for named in dict.fromkeys(chain(shipped_packs(BUILTIN), *shelf.games)):
        place = next(iter(find_packs(named, BUILTIN, Report())), None)
        if place is not None:
            with suppress(SourceError):
                id, version = pack_version(place.manifest())
                found[id] = PackHere(named, version)
    return found


def packs_of(program: Program, shelf: Shelf) -> Sequence[str]:
    """What names the packs of a program as they lie here; a pack that does not is named by its id."""
    here = packs_here(shelf)
    return [here[one.pack].named if one.pack in here else one.pack for one in program.lock]


def language_here(program: Program, code: str, shelf: Shelf) -> Language:
    """A language for the readers of a program, by the packs here. Raises Refused if there is none."""
    packs = packs_of(program, shelf)
    with ONE_AT_A_TIME:
        return language_for(program, code, packs)
