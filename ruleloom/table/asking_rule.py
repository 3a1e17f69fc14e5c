"""The rule behind a question: the glosses of the powers in progress, as everybody may read them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import unnamed, worded
from ruleloom.runtime.program.program import Words
from ruleloom.runtime.program.state import Frame, State, TemplateScope, frames
from ruleloom.runtime.program.texts import OptionalPart, settled
from ruleloom.runtime.program.values import Type
from ruleloom.table.privacy import NOBODY

_HOLE = re.compile(r"\{(\w+)\}")


def asking_rules(linked: Linked, state: State) -> Iterator[tuple[str, str]]:
    """The powers in progress, the asking one first: the id of each, and its gloss in words."""
    glosses = dict(linked.program.glosses)
    for frame in frames(state.frame):
        id = linked.routines[frame.routine].id
        if gloss := glosses.get(id):
            moment = TemplateScope(id, state.world, frame.slots, state.scope, frame.ignored)
            told = worded(linked, _words(linked, moment, frame, gloss), moment, (NOBODY,))
            yield id, f"{told[:1].upper()}{told[1:]}."


def said_in_general(linked: Linked, id: str) -> str:
    """The gloss of a power before its use: kinds of things stand in its holes."""
    gloss = dict(linked.program.glosses).get(id, "")
    routine = linked.program.routines[linked.routine_index[id]] if gloss else None
    if routine is None:
        return ""
    given = {name: routine.slot_types[slot] for slot, name in enumerate(routine.params)}

    def one(found: re.Match[str]) -> str:
        name = found[1]
        return _any(linked, Type.parse(given[name])) if name in given else _in_force(linked, name)

    told = _HOLE.sub(one, settled(gloss, lambda part: part.otherwise))
    return f"{told[:1].upper()}{told[1:]}."


def _in_force(linked: Linked, name: str) -> str:
    """The value of a setting that a gloss names; of anything else its name in words."""
    return str(linked.settings[name]) if name in linked.settings else name.replace("_", " ")


def _any(linked: Linked, type_: Type) -> str:
    """Any value of a type, in words."""
    entity = linked.entities.get(type_.name)
    if entity is None:
        return "some"
    return entity.plural if type_.many else unnamed(linked, type_.name, 1)


def says_more(rule: str, question: str) -> bool:
    """Does a rule say more than the question?"""
    own = set(re.findall(r"\w+", question.lower()))
    return not own.issuperset(set(re.findall(r"\w+", rule.lower())) - {"a", "an", "the"})


def _words(linked: Linked, moment: TemplateScope, frame: Frame, gloss: str) -> Words:
    """The gloss of a power with its arguments in the holes."""
    routine = linked.program.routines[frame.routine]
    given = {
        name: (("slot", slot), routine.slot_types[slot]) for slot, name in enumerate(routine.params)
    }

    def chosen(part: OptionalPart) -> str:
        is_told = part.name in given and _is_told(linked, moment, *given[part.name])
        return part.given if is_told else part.otherwise

    pieces = _HOLE.split(settled(gloss, chosen))
    return tuple(
        given.get(one) or _in_force(linked, one) if hole % 2 else one
        for hole, one in enumerate(pieces)
    )


def _is_told(linked: Linked, moment: TemplateScope, slot: tuple[str, int], type_: str) -> bool:
    """Is a parameter publicly known, and neither none nor no?"""
    value, secrecy = moment.slots[slot[1]], secrecy_of(linked)
    if value is None or value is False or value == ():
        return False
    derived = secrecy.derived.of(moment.routine, slot)
    return not secrecy.hides(NOBODY, Type.parse(type_), value, (moment.world,), derived)
