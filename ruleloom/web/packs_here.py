"""The packs that lie at a server: those that a program was made of, and their languages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from ruleloom.api.languages import language_for
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.runtime.program.language import Language
from ruleloom.runtime.program.program import Lock, Program
from ruleloom.upgrade.offer import PackHere, packs_by_id
from ruleloom.web.lobby import ONE_AT_A_TIME, Shelf


def packs_here(shelf: Shelf) -> dict[str, list[PackHere]]:
    """The packs of this server, and those that come with Ruleloom, by id, as their manifests say."""
    return packs_by_id(dict.fromkeys(chain(shipped_packs(BUILTIN), *shelf.games)))


def packs_of(program: Program, shelf: Shelf) -> Sequence[str]:
    """What names the packs of a program as they lie here, of several of an id that of its version; a pack
    that does not is named by its id."""
    here = packs_here(shelf)
    return [_name_of(lock, here.get(lock.pack, [])) for lock in program.lock]


def _name_of(lock: Lock, here: Sequence[PackHere]) -> str:
    same = [one for one in here if one.version == lock.version]
    return next((one.named for one in (*same, *here)), lock.pack)


def language_here(program: Program, code: str, shelf: Shelf) -> Language:
    """A language for the readers of a program, by the packs here. Raises Refused if there is none."""
    packs = packs_of(program, shelf)
    with ONE_AT_A_TIME:
        return language_for(program, code, packs, turn=ONE_AT_A_TIME)
