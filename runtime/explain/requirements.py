"""The requirements of content, checked against the entities of the world before set-up."""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import fill
from ruleloom.runtime.program.program import Requirement
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import World

Unmet = tuple[Requirement, int, str]


def unmet(linked: Linked, world: World) -> list[Unmet]:
    """Every requirement that is not met, with the number of the entity and the text about it."""
    requirements = linked.program.requirements
    return [found for one in requirements for found in unmet_by(one, linked, world)]


def unmet_by(
    requirement: Requirement, linked: Linked, world: World, numbers: Iterable[int] | None = None
) -> list[Unmet]:
    """The entities, of all or of `numbers`, that do not meet one requirement."""
    scope = linked.initial_scope
    where = linked.test(0, requirement.where) if requirement.where is not None else None
    holds = linked.test(0, requirement.holds)
    found = []
    every = range(len(linked.entities[requirement.entity].names))
    for number in every if numbers is None else numbers:
        if where is not None and not where(world, (), scope, NO_RULES, number):
            continue
        if not holds(world, (), scope, NO_RULES, number):
            text = fill(linked, requirement.english, (world, (), scope, NO_RULES), 0, number)
            found.append((requirement, number, text))
    return found
