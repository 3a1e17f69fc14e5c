"""Checks the requirements of a game against all things that its packs define.

Each thing that fails a requirement adds a diagnostic to the result. A requirement with a query can be checked
only if the game has a driver.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ruleloom.api.at_rest import Unanswered, at_rest
from ruleloom.compiler.analysis.normal_form import clause_notes
from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import items_of, text_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import fill
from ruleloom.runtime.program.faults import NumberTooLarge, RuntimeFault
from ruleloom.runtime.program.program import Program, Requirement
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import Scope, World

Unmet = tuple[Requirement, int, str]

ALLOWED = "allowed"
# The id of an item or an entry in its file.
_WORD = re.compile(r"[\w:/-]+")
# A notice becomes a warning: diagnostics have no third severity.
SEVERITIES: Mapping[str, Any] = {"error": "error", "warning": "warning", "notice": "warning"}


def with_requirements(result: CompileResult) -> CompileResult:
    """The result with the diagnostics of its requirements, and without a program after an error."""
    program, content = result.program, result.content
    if program is None or content is None or not program.requirements:
        return result
    report = Report()
    for found in result.diagnostics:
        report.add(found)
    linked, world = at_rest(program)
    used: set[tuple[str, str]] = set()
    for requirement in program.requirements:
        try:
            for _, number, text in unmet_by(requirement, linked, world):
                report.add(_diagnostic(content, program, requirement, number, text, used))
        except (RuntimeFault, TypeError) as fault:
            place = _item(content, requirement).fields["holds"].place
            report.error("requirement", place, why_not(fault))
    for found in _idle(content, used):
        report.add(found)
    kept = None if report.has_errors else program
    return replace(result, program=kept, diagnostics=tuple(report.diagnostics()))


CANNOT = "this cannot be worked out before the game begins"
"""It may need the set-up."""


def why_not(fault: Exception, otherwise: str = CANNOT) -> str:
    """The reason why a value cannot be computed outside a game."""
    match fault:
        case Unanswered():
            return "this asks a query, and the game has no driver that could answer it"
        case NumberTooLarge():
            return f"this comes to {fault.message}"
    return otherwise


def unmet_by(
    requirement: Requirement,
    linked: Linked,
    world: World,
    numbers: Iterable[int] | None = None,
    scope: Scope | None = None,
) -> list[Unmet]:
    """The entities, among all or among `numbers`, that fail one requirement."""
    scope = linked.initial_scope if scope is None else scope
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


def _diagnostic(
    content: Content,
    program: Program,
    requirement: Requirement,
    number: int,
    text: str,
    used: set[tuple[str, str]],
) -> Diagnostic:
    """A failed requirement, at the item or entry of its thing; a notice with the note of the GM who allows
    it, which is `used`."""
    item = _item(content, requirement)
    origin = program.entity(requirement.entity).places[number]
    file = (origin.pack, origin.path)
    shown = next(shown for shown, one in content.files.items() if one == file)
    word = _WORD.match(content.sources[shown].line_text(origin.line), origin.column - 1)
    end = word.end() + 1 if word is not None else origin.column
    place = Place(shown, origin.line, origin.column, origin.line, end)
    cited = clause_notes(content, requirement.clauses)
    notes = (Note(item.place, f"the requirement `{item.name}`"), *cited)
    owner = content.item_at(place)
    allowed = notes_of(owner.data(ALLOWED)).get(item.slug) if owner is not None else None
    if owner is None or allowed is None:
        severity = SEVERITIES[requirement.level]
        return Diagnostic(place, severity, "requirement", text, requirement.help or None, notes)
    used.add((owner.id, item.slug))
    told = f"{text}; it is allowed: {allowed}"
    return Diagnostic(place, "warning", "requirement", told, None, notes)


def notes_of(entries: Any) -> dict[str, str]:
    """The notes of `allowed: [{requirement: within_allowance, note: ...}]`, by requirement."""
    return {
        slug_of(str(one.get("requirement"))): str(one.get("note"))
        for one in (entries if isinstance(entries, list) else ())
        if isinstance(one, dict)
    }


def _idle(content: Content, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """The notes of the GM that allow what is met anyway."""
    known = {item.slug for item in content.by_kind("requirement")}
    for item in content.items:
        for entry in items_of(item.fields.get(ALLOWED)):
            node = entry.get("requirement")
            slug = slug_of(text_of(node))
            if node is not None and slug in known and (item.id, slug) not in used:
                message = idle_note(slug)
                yield Diagnostic(node.place, "warning", "requirement", message, "leave it out")


def idle_note(slug: str) -> str:
    """What is said of a note that allows a requirement that is met."""
    return f"`{slug}` is met, so that nothing has to be allowed"


def _item(content: Content, requirement: Requirement) -> Item:
    return next(item for item in content.items if item.id == requirement.id)
