"""Things that packs define, by the name that somebody typed, or by the files that define them."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.runtime.program.program import Entity


def find_thing(entity: Entity, text: str, among: Sequence[int]) -> int:
    """The thing of this name or title."""
    folded = text.replace("_", "-").lower()
    for names in (entity.names, entity.titles):
        found = [number for number in among if names[number].replace("_", "-").lower() == folded]
        if len(found) == 1 or (found and names is entity.names):
            return found[0]
    known = [entity.names[number] for number in among]
    message = f"there is no {entity.singular} `{text}`; {choices_text(text, known)}"
    raise WrongUse(message, did_you_mean(text, known))


def things_in(entity: Entity, files: set[tuple[str, str]]) -> list[int]:
    """The things defined in these files, given as pack and path."""
    return [
        number for number, place in enumerate(entity.places) if (place.pack, place.path) in files
    ]
