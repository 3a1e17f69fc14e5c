"""Asks the requirements of a game of everything that its packs make.

In goes what came of compiling; out comes the same with one diagnostic more for each thing that is
not as a requirement demands. A requirement that asks a query can be asked only where the game's
driver is at hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.explain.requirements import unmet_by
from ruleloom.runtime.games import DRIVERS, driver_of, plain
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.settings import settings_of
from ruleloom.runtime.play.game import empty_world, layout_of
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Bounds, Origin, Program, Requirement, Return, Routine
from ruleloom.runtime.program.values import Driver, Layout, World

# What an item or an entry is called by, in its file.
_WORD = re.compile(r"[\w:/-]+")
# A notice is a warning that nobody need heed: diagnostics know no third severity.
SEVERITIES: Mapping[str, Any] = {"error": "error", "warning": "warning", "notice": "warning"}


def with_requirements(result: CompileResult) -> CompileResult:
    """The result together with what its requirements find; no program where one of them is an
    error."""
    program, content = result.program, result.content
    if program is None or content is None or not program.requirements:
        return result
    report = Report()
    for found in result.diagnostics:
        report.add(found)
    linked, world = at_rest(program)
    for requirement in program.requirements:
        try:
            for _, number, text in unmet_by(requirement, linked, world):
                report.add(_diagnostic(content, program, requirement, number, text))
        except _Unanswered:
            message = "this asks a query, and the game has no driver that could answer it"
            report.error("requirement", _item(content, requirement).place, message)
        except (RuntimeFault, TypeError):  # most likely it speaks of what set-up puts there
            message = "this cannot be worked out before the game begins"
            report.error("requirement", _item(content, requirement).place, message)
    kept = None if report.has_errors else program
    return replace(result, program=kept, diagnostics=tuple(report.diagnostics()))


def at_rest(program: Program, chosen: Mapping[str, Any] | None = None) -> tuple[Linked, World]:
    """The program without anything to play, with these settings, and the world before set-up.

    Raises Refused for a setting that the program does not have.
    """
    linked = _linked(_without_play(program), settings_of(program, chosen or {}))
    return linked, linked.driver.start(empty_world(linked.program, linked.layout))


class _Unanswered(RuntimeFault):
    """A query was asked, and nobody is there to answer it."""


def _without_play(program: Program) -> Program:
    """The program without all that happens in play: quick to link, and no operation is needed."""
    nowhere = Origin(program.game, "", 1, 1)
    rest = Routine("", (), (), (), -1, (Return(nowhere),), nowhere, Bounds(0, 0, 0, False))
    return replace(
        program,
        operations=(),
        routines=(rest,),
        triggers=(),
        replacements=(),
        always=(),
        set_up="",
        turn="",
    )


def _linked(program: Program, settings: Mapping[str, Any]) -> Linked:
    """The program with as many players as it needs, bound to its driver if there is one."""
    players = tuple(f"player {seat}" for seat in range(1, settings.get("least_players", 1) + 1))
    layout = layout_of(program, players)
    known = program.game in DRIVERS or plain.serves(program)
    driver = (
        replace(driver_of(program.game)(layout), operations={})
        if known
        else _nobody(program, layout)
    )
    return Linked(program, layout, driver, settings)


def _nobody(program: Program, layout: Layout) -> Driver:
    """A driver for a game that has none: it knows no answer."""

    def ask(*_args: Any) -> NoReturn:
        raise _Unanswered("nobody answers")

    queries = {query.name: ask for query in program.queries}
    return Driver(queries, {}, token=lambda _world, _kind, _number: None, position=repr)


def _diagnostic(
    content: Content, program: Program, requirement: Requirement, number: int, text: str
) -> Diagnostic:
    item = _item(content, requirement)
    return Diagnostic(
        _place(content, program, requirement.entity, number),
        SEVERITIES[requirement.level],
        "requirement",
        text,
        requirement.help or None,
        (Note(item.place, f"the requirement `{item.name}`"),),
    )


def _item(content: Content, requirement: Requirement) -> Item:
    return next(item for item in content.items if item.id == requirement.id)


def _place(content: Content, program: Program, entity: str, number: int) -> Place:
    """Where the item, or the entry of one, stands that makes this thing."""
    origin = program.entity(entity).places[number]
    shown = next(
        shown for shown, file in content.files.items() if file == (origin.pack, origin.path)
    )
    line = content.sources[shown].line_text(origin.line)
    word = _WORD.match(line, origin.column - 1)
    end = word.end() + 1 if word is not None else origin.column
    return Place(shown, origin.line, origin.column, origin.line, end)
