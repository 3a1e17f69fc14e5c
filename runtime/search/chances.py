"""The chances of what a roll decides, before it is made.

A roll decides the variables of the game, of yes and no or of an enum, that its routine sets after it.
Between its dice everybody answers as usual. Nothing is foreseen that hangs on something hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice

from ruleloom.runtime.analysis.rows import successors
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.registers import Run
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.expr import reached
from ruleloom.runtime.program.faults import OverBudget, RuntimeFault
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import Fair
from ruleloom.runtime.search.options import HiddenRow, halting_at, hidden_rows, prompts_of

Chances = Mapping[str, Mapping[Dynamic, Fraction]]
"""The chance of each value of each variable that a roll decides."""
RowAt = tuple[str, int]
# A roll that falls in more ways is not looked at.
MOST_FALLS = 1_000


class _NotForeseen(Exception):
    """A question without a usual answer, or a deck."""


class _Decided(BaseException):
    """The first row after everything is decided; no error, so that no `except Exception` catches it."""

    def __init__(self, r: Run) -> None:
        assert r.frame is not None
        self.scope, self.depth = r.scope, r.frame.depth


def chances_behind(node: PlayNode, value: Dynamic, budget: int) -> Chances:
    """What the roll decides to which an answer leads at once; empty if there is none, or it takes more than
    `budget` stops."""
    linked = node.linked
    try:
        roll = PlayNode(_stopping(linked), node.stop).after(value)
        if not _is_open(roll):
            return {}
        names = _after_rolls(linked).get((roll.routine.id, roll.frame.pc), ())
        ends = list(islice(_ends(linked, roll, Fraction(1)), budget + 1)) if names else []
    except (HiddenRow, _Decided, OverBudget, RuntimeFault, _NotForeseen):
        return {}
    found: dict[str, dict[Dynamic, Fraction]] = {name: {} for name in names}
    if len(ends) > budget or any(end.depth != roll.frame.depth for end, _ in ends):
        return {}
    for end, share in ends:
        for name in names:
            value = end.scope[linked.scope_index[name]]
            found[name][value] = found[name].get(value, Fraction(0)) + share
    return found


def _ends(linked: Linked, at: PlayNode, share: Fraction) -> Iterator[tuple[_Decided, Fraction]]:
    """Where all is decided, in each way that the dice may fall."""
    ways = list(_answers(linked, at))
    total = sum(many for _, many in ways)
    for value, many in ways:
        part = share * many / total
        try:
            after = at.after(value)
        except _Decided as end:
            yield end, part
        else:
            yield from _ends(linked, after, part)


def _answers(linked: Linked, node: PlayNode) -> Iterable[tuple[Dynamic, int]]:
    """Every result of open dice, with its ways; the usual answer of whoever is asked."""
    if _is_open(node):
        return Fair(node, MOST_FALLS)
    if node.chance or node.secret or node.over or node.writes or node.takes_sets:
        raise _NotForeseen
    (prompt,) = prompts_of(PlayNode(linked, node.stop), 0)
    usual = [one.value for one in prompt.options if one.key in (prompt.usual or ())]
    if not usual:
        raise _NotForeseen
    return [(usual[0], 1)]


def _is_open(node: PlayNode) -> bool:
    """Are dice thrown here that everybody sees?"""
    hidden = isinstance(node.row, p.SecretRoll | p.SecretRollEach)
    return node.chance and isinstance(node.row, p.Roll) and not hidden


@lru_cache(maxsize=8)
def _stopping(linked: Linked) -> Linked:
    """The same game, which stops where all is decided, and at what hangs on something hidden."""
    hidden = hidden_rows(linked)
    over = {(id, pc) for (id, pc), names in _after_rolls(linked).items() if not names}

    def halt(r: Run, number: int) -> None:
        row = (r.routine.id, number)
        if row in over:
            raise _Decided(r)
        if row in hidden:
            raise HiddenRow

    return halting_at(linked, halt)


@lru_cache(maxsize=8)
def _after_rolls(linked: Linked) -> Mapping[RowAt, tuple[str, ...]]:
    """For each row from a roll on that decides something, the variables that its routine may still set."""
    program = linked.program
    rows = {one.id: one.rows for one in program.routines}
    enums = dict(program.enums)
    names = {one.name for one in program.scope if one.type == "Bool" or one.type in enums}

    def behind(at: RowAt, used: bool = True) -> Iterator[RowAt]:
        id, pc = at
        row = rows[id][pc]
        if not isinstance(row, p.Return):
            yield from ((id, one) for one in successors(row, pc))
        if used and isinstance(row, p.Use):
            yield row.routine, 0

    def may_set(at: RowAt) -> tuple[str, ...]:
        found = (rows[id][pc] for id, pc in reached([at], behind))
        sets = {row.name for row in found if isinstance(row, p.SetScope)}
        return tuple(sorted(sets & names))

    rolls = [
        (id, pc) for id, of in rows.items() for pc, row in enumerate(of) if isinstance(row, p.Roll)
    ]
    deciding = [at for at in rolls if may_set(at)]
    return {at: may_set(at) for at in reached(deciding, partial(behind, used=False))}
