"""The chances of what a roll decides, before it is made.

A roll decides the variables of the game, of yes and no or of an enum, that its routine sets after it.
Between its dice everybody answers as usual. Nothing is foreseen that hangs on something hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial

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
Rows = Mapping[str, Sequence[p.Row]]
# A roll that falls in more ways is not looked at.
MOST_FALLS = 1_000


class _NotForeseen(Exception):
    """A question without a usual answer, a deck, or too many stops."""


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
        ends = list(_ends(linked, roll, budget)) if names else []
    except (HiddenRow, _Decided, OverBudget, RuntimeFault, _NotForeseen):
        return {}
    if any(end.depth != roll.frame.depth for end, _ in ends):
        return {}
    found: dict[str, dict[Dynamic, Fraction]] = {name: {} for name in names}
    for end, share in ends:
        for name, shares in found.items():
            decided = end.scope[linked.scope_index[name]]
            shares[decided] = shares.get(decided, Fraction(0)) + share
    return found


def _ends(linked: Linked, roll: PlayNode, budget: int) -> Iterator[tuple[_Decided, Fraction]]:
    """Where all is decided, in each way that the dice may fall; _NotForeseen after `budget` stops."""
    waiting = [(roll, Fraction(1))]
    while waiting:
        at, share = waiting.pop()
        ways = list(_answers(linked, at))
        budget -= len(ways)
        if budget < 0:
            raise _NotForeseen
        total = sum(many for _, many in ways)
        for value, many in ways:
            try:
                waiting.append((at.after(value), share * many / total))
            except _Decided as end:
                yield end, share * many / total


def _answers(linked: Linked, node: PlayNode) -> Iterable[tuple[Dynamic, int]]:
    """Every result of open dice, with its ways; the usual answer of whoever is asked."""
    if _is_open(node):
        return Fair(node, MOST_FALLS)
    if node.chance or _asks_for_more(node):
        raise _NotForeseen
    (prompt,) = prompts_of(PlayNode(linked, node.stop), 0)
    usual = [one.value for one in prompt.options if one.key in (prompt.usual or ())]
    if not usual:
        raise _NotForeseen
    return [(usual[0], 1)]


def _asks_for_more(node: PlayNode) -> bool:
    """Is it the end, or a question whose answer is not one of its options?"""
    return node.secret or node.over or node.writes or node.takes_sets


def _is_open(node: PlayNode) -> bool:
    """Are dice thrown here that everybody sees?"""
    hidden = isinstance(node.row, p.SECRET_ROLLS)
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
    rows = {one.id: one.rows for one in linked.program.routines}
    names = _decidable(linked.program)

    def may_set(at: RowAt) -> tuple[str, ...]:
        found = (rows[id][pc] for id, pc in reached([at], partial(_behind, rows, True)))
        sets = {row.name for row in found if isinstance(row, p.SetScope)}
        return tuple(sorted(sets & names))

    deciding = filter(may_set, _rolls(rows))
    return {at: may_set(at) for at in reached(deciding, partial(_behind, rows, False))}


def _decidable(program: p.Program) -> set[str]:
    """The variables of the game, of yes and no or of an enum."""
    types = {"Bool", *dict(program.enums)}
    return {one.name for one in program.scope if one.type in types}


def _rolls(rows: Rows) -> Iterator[RowAt]:
    for id, of in rows.items():
        yield from ((id, pc) for pc, row in enumerate(of) if isinstance(row, p.Roll))


def _behind(rows: Rows, used: bool, at: RowAt) -> Iterator[RowAt]:
    """The rows that may come next in a routine, and if `used` the first of those that it uses."""
    id, pc = at
    row = rows[id][pc]
    if not isinstance(row, p.Return):
        yield from ((id, one) for one in successors(row, pc))
    if used and isinstance(row, p.Use):
        yield row.routine, 0
