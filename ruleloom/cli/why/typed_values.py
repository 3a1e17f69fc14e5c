"""Things and values of a game as somebody typed them, and the things that files define."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.program.program import Entity
from ruleloom.runtime.program.values import Type

WANTED = {"Int": "a whole number", "Fraction": "a number, such as 3 or 1/2", "Bool": "yes or no"}


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


def things_called(entity: Entity, name: str) -> list[int]:
    """The things with this id, or else with this title in any case."""
    id = name.replace("_", "-")
    by_id = [number for number, one in enumerate(entity.names) if one.replace("_", "-") == id]
    wanted = name.casefold()
    return by_id or [number for number, one in enumerate(entity.titles) if one.casefold() == wanted]


def things_in(entity: Entity, files: set[tuple[str, str]]) -> list[int]:
    """The things defined in these files, given as pack and path."""
    return [
        number for number, place in enumerate(entity.places) if (place.pack, place.path) in files
    ]


def typed_value(name: str, type_: Type, text: str, linked: Linked) -> Any:
    """The value of a text typed for a parameter."""
    entity = linked.entities.get(type_.name)
    nameless = entity is not None and not entity.names and type_.name != "Player"
    if type_.many or type_.by_player or nameless:
        raise WrongUse(f"`{name}` is a {type_}, which cannot be typed here")
    none = type_.optional and text == "none"
    if entity is not None and entity.names and not none:
        return find_thing(entity, text, range(len(entity.names)))
    with suppress(ValueError, KeyError):
        return constant(linked, type_, text)
    options = linked.layout.enums.get(type_.name, ())
    wanted = choices_text(text, options) if options else f"expected {WANTED.get(type_.name, type_)}"
    raise WrongUse(f"`{text}` cannot be `{name}`: {wanted}", did_you_mean(text, options))
