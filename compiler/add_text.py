"""Compiles one text more for a game that is compiled already.

All names of the game are read, and of its texts only the measures and rules that the new one asks
for are checked: the others were sound, and stay so, as long as the new text only rolls, asks and
computes. What follows from any other text, only a whole build can tell.
"""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.build import names_and_bodies
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.english.clause import condition_template
from ruleloom.compiler.flow.cost_totals import Costs
from ruleloom.compiler.lower.routines import Bodies, Checked
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Jump,
    JumpUnless,
    Let,
    Lock,
    Program,
    Return,
    Roll,
    RollEach,
    Routine,
)

# Rows that leave everything as it is, but for what is remembered in the text itself.
ALONE = (Let, Jump, JumpUnless, Choose, Ask, Roll, RollEach, Return)


def with_text(program: Program, content: Content, item: Item) -> Program | None:
    """The program of a sound game, without rules texts, and with the effect of a power that is the last
    item of its `content`; None if there is anything to complain of, or only a whole build can tell.

    The program has to hold reasons, as the effect will.
    """
    if program.lock != tuple(Lock(one.id, one.version, one.hash) for one in content.packs):
        return None
    report = Report()
    bodies = names_and_bodies(content, report, condition_template, [item])
    checked = bodies.routine(item, ())
    routine = _alone(checked, bodies) if checked is not None and not report.has_errors else None
    if routine is None:
        return None
    powers = {one.id for one in content.by_kind("power")}
    behind = max((at for at, one in enumerate(program.routines, 1) if one.id in powers), default=0)
    routines = (*program.routines[:behind], routine, *program.routines[behind:])
    return replace(program, routines=routines, texts=(), cards=(), glosses=())


def _alone(checked: Checked, bodies: Bodies) -> Routine | None:
    """The routine of a text that leaves everything as it is, with its bounds; None for another."""
    routine = checked.routine
    asks_for_parts = any(one.kind == "part" for one in bodies.symbols.callables.values())
    if checked.late or asks_for_parts or not all(type(row) in ALONE for row in routine.rows):
        return None
    costs = Costs({routine.id: checked.cost}, {}, {})
    return None if costs.is_heavy else replace(routine, bounds=costs.bounds(routine.id))
