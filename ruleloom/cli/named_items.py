"""Items and things by their names as typed, for the verbs that are about some."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ruleloom.cli.faults import WrongUse, several
from ruleloom.cli.options import pack_around, pack_paths
from ruleloom.cli.why.number_query import things_called
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.locate import BUILTIN, is_pack_name, known_packs
from ruleloom.runtime.program.program import Entity


def item_named(word: str, items: Sequence[Item], renamed: Item | None = None) -> Item:
    """The item with this id, or an end of one, such as `weapon/carbine`; else the one `renamed` from
    it. Raises WrongUse."""
    asked = word.replace("_", "-")
    found = [one for one in items if any(name.replace("_", "-") == asked for name in one.called)]
    found = found or [one for one in items if renamed is not None and one.id == renamed.id]
    if len(found) == 1:
        return found[0]
    raise _not_one(word, found, items)


def _not_one(word: str, found: Sequence[Item], items: Sequence[Item]) -> WrongUse:
    """The refusal of a word that names several items, or none."""
    if found:
        return several(word, [one.id for one in found])
    names = sorted({f"{one.kind}/{one.name}" if "/" in word else one.name for one in items})
    message = f"there is no item `{word}`; {choices_text(word, names)}"
    return WrongUse(message, did_you_mean(word, names))


def packs_and_names(words: Sequence[str], more: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Words by position as packs, and as names of items: all that no pack is called, with `more`. Raises
    WrongUse."""
    packs = [one for one in words if is_pack_name(one, BUILTIN)]
    names = [one for one in words if one not in packs]
    if names and not packs and pack_around() is None:
        message = f"there is no file, folder or shipped pack `{names[0]}`"
        help = did_you_mean(names[0], known_packs(Path(), BUILTIN))
        raise WrongUse(message, help or "name the packs, then the items")
    return pack_paths(packs), [*names, *more]


def named_things(
    entities: Sequence[Entity], names: Sequence[str], what: str
) -> set[tuple[str, int]]:
    """The things with these ids or titles, by entity and number, among those that have `what`. Raises
    WrongUse."""
    found: set[tuple[str, int]] = set()
    for name in names:
        these = {
            (entity.name, number) for entity in entities for number in things_called(entity, name)
        }
        if not these:
            known = [one for entity in entities for one in entity.names]
            message = f"nothing that has {what} is called `{name}`"
            help = did_you_mean(name, known + known_packs(Path(), BUILTIN))
            raise WrongUse(message, help or "a thing by its id or title, a pack by its folder")
        found |= these
    return found
