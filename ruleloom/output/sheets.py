"""The sheet pages of packs: what each sheet of a game says of each thing, or of those asked for.

No driver is needed; what only a game in play could say is a `SheetFault`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleloom.api.requirements import at_rest
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.explain.sheet_pages import SheetPage, page_of
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Origin, Program


class SheetFault(Exception):
    """There is no such page; `help` says what could be done."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


def pages_of(program: Program, content: Content, names: Sequence[str] = ()) -> list[SheetPage]:
    """The pages of these things, by id or title; of all that have a sheet, where none is named."""
    if not program.sheets:
        raise SheetFault("this game has no sheet", "an item of `kind: sheet` says what is printed")
    meant = _named_things(program, names) if names else None
    linked, world = at_rest(program)
    pages = []
    for sheet in program.sheets:
        text_of = texts_of(program, content)
        for number in range(len(program.entity(sheet.entity).names)):
            if meant is not None and (sheet.entity, number) not in meant:
                continue
            try:
                pages.append(page_of(linked, world, sheet, number, text_of))
            except (
                RuntimeFault,
                TypeError,
            ):  # a query without a driver, or what set-up puts on the table
                message = f"{sheet.id} asks for what there is only in a game that is played"
                raise SheetFault(
                    message, "it can count on printed fields and on settings"
                ) from None
    if not pages:
        raise SheetFault("nothing in these packs has a sheet")
    return pages


def _named_things(program: Program, names: Sequence[str]) -> set[tuple[str, int]]:
    """The things that the names mean, among those that have a sheet."""
    found: set[tuple[str, int]] = set()
    entities = [
        program.entity(name) for name in dict.fromkeys(sheet.entity for sheet in program.sheets)
    ]
    for name in names:
        these = {(entity.name, number) for entity in entities for number in _called(entity, name)}
        if not these:
            known = [one for entity in entities for one in entity.names]
            raise SheetFault(
                f"nothing that has a sheet is called `{name}`", did_you_mean(name, known)
            )
        found |= these
    return found


def _called(entity: Entity, name: str) -> list[int]:
    """The things with this id, else those with this title, large and small letters alike."""
    id = name.replace("_", "-")
    by_id = [number for number, one in enumerate(entity.names) if one.replace("_", "-") == id]
    wanted = name.casefold()
    return by_id or [number for number, one in enumerate(entity.titles) if one.casefold() == wanted]


def texts_of(program: Program, content: Content) -> Callable[[str, int], str]:
    """What gives the text that is printed in the item behind a thing."""
    texts: dict[Origin, str] = {}
    for item in content.items:
        text = item.data("text")
        if isinstance(text, str):
            texts[content.origin(item.place)] = text.strip()

    def text_of(entity: str, number: int) -> str:
        places = program.entity(entity).places
        return texts.get(places[number], "") if number < len(places) else ""

    return text_of
