"""A number that the rules compute, part by part as `ruleloom why` tells it, and the printed value of
a field with what patches have made of it.

Before any game has begun, a number is that of a thing which an item makes: the item at the place, or
the first one of the packs.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.analysis.analysis import GameAnalysis
from ruleloom.compiler.packs.content import Item
from ruleloom.editor.project import Project
from ruleloom.output.derivation_text import derivation_text, normalised
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Function

DEPTH, MOST_LINES, WIDTH = 2, 14, 72


def number_parts(project: Project, number: Item, around: Item | None) -> str:
    """The parts of a number for the thing that the item `around` makes, or for an example; empty
    where there is none, or where the number needs more than that."""
    kept = project.snapshot.kept
    program = kept.program
    function = (
        next((one for one in program.functions if one.id == number.id), None) if program else None
    )
    if program is None or function is None:
        return ""
    linked, world = at_rest(program)
    args = _arguments(kept, linked, function, around)
    if args is None:
        return ""
    content = kept.content
    places, patched = content.rule_places(), content.patched_fields()
    reckoning = Reckoning(
        linked, world, places=places, patched=patched, rows=content.patched_rows()
    )
    try:
        found = normalised(reckoning.function(function.id, args, DEPTH))
    except (RuntimeFault, TypeError, RecursionError):  # it needs what is only there in a game
        return ""
    lines = derivation_text(found, number.pack, False, width=WIDTH)
    more = ["..."] if len(lines) > MOST_LINES else []
    return "\n".join([*lines[:MOST_LINES], *more])


def _arguments(
    kept: GameAnalysis, linked: Linked, function: Function, around: Item | None
) -> tuple[int, ...] | None:
    """The arguments of a number: none, or a thing that an item makes."""
    if not function.param_types:
        return ()
    entity = linked.entities.get(function.param_types[0])
    if len(function.param_types) > 1 or entity is None or not entity.places:
        return None
    return (_thing(kept, entity, around),)


def _thing(kept: GameAnalysis, entity: Entity, around: Item | None) -> int:
    """The thing that an item makes, or the first of the pack that comes last."""
    if around is not None:
        origin = kept.content.origin(around.place)
        if origin in entity.places:
            return entity.places.index(origin)
    last = kept.content.packs[-1].id
    own = (number for number, place in enumerate(entity.places) if place.pack == last)
    return next(own, 0)


def field_history(project: Project, item: Item, field: str) -> Iterator[str]:
    """The printed value of a field, and its value after each patch, a line each."""
    for number, one in enumerate(project.snapshot.content.history.get((item.id, field), ())):
        if not number:
            yield f"as printed: {_brief(one.old)}"
        yield f"by {one.by}: {_brief(one.new)}"


def _brief(value: object) -> str:
    text = "nothing" if value is None else " ".join(str(value).split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
