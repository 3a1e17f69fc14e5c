"""The sheet pages of packs, for all things with a sheet or for those named."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleloom.api.requirements import at_rest
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content
from ruleloom.runtime.explain.sheet_pages import SheetPage, page_of
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Origin, Program


class SheetFault(Exception):
    """A page that cannot be made; `help` says what to do."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


def pages_of(program: Program, content: Content, names: Sequence[str] = ()) -> list[SheetPage]:
    """The pages of these things, by id or title; of all that have a sheet if none is named."""
    if not program.sheets:
        raise SheetFault("this game has no sheet", "an item of `kind: sheet` says what is printed")
    wanted = _named_things(program, names) if names else None
    linked, world = at_rest(program)
    text_of = texts_of(program, content)
    pages = []
    for sheet in program.sheets:
        for number in range(len(program.entity(sheet.entity).names)):
            if wanted is not None and (sheet.entity, number) not in wanted:
                continue
            try:
                pages.append(page_of(linked, world, sheet, number, text_of))
            except (RuntimeFault, TypeError):
                # It asks a query, and there is no driver, or for something that set-up makes.
                message = f"{sheet.id} needs something that exists only in a game in play"
                help = "it can use printed fields and settings"
                raise SheetFault(message, help) from None
    if not pages:
        raise SheetFault("nothing in these packs has a sheet")
    return pages


def _named_things(program: Program, names: Sequence[str]) -> set[tuple[str, int]]:
    """The things that the names mean, among those that have a sheet."""
    found: set[tuple[str, int]] = set()
    kinds = dict.fromkeys(sheet.entity for sheet in program.sheets)
    entities = [program.entity(kind) for kind in kinds]
    for name in names:
        these = {(entity.name, number) for entity in entities for number in _called(entity, name)}
        if not these:
            known = [one for entity in entities for one in entity.names]
            message = f"nothing that has a sheet is called `{name}`"
            raise SheetFault(message, did_you_mean(name, known))
        found |= these
    return found


def _called(entity: Entity, name: str) -> list[int]:
    """The things with this id, or else with this title in any case."""
    id = name.replace("_", "-")
    by_id = [number for number, one in enumerate(entity.names) if one.replace("_", "-") == id]
    wanted = name.casefold()
    return by_id or [number for number, one in enumerate(entity.titles) if one.casefold() == wanted]


def texts_of(program: Program, content: Content) -> Callable[[str, int], str]:
    """A function for the text printed in the item behind a thing."""
    texts: dict[Origin, str] = {}
    for item in content.items:
        text = item.data("text")
        if isinstance(text, str):
            texts[content.origin(item.place)] = text.strip()

    def text_of(entity: str, number: int) -> str:
        places = program.entity(entity).places
        return texts.get(places[number], "") if number < len(places) else ""

    return text_of
