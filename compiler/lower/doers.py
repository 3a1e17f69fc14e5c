"""The doers of operations, for the log: each the player who gave the last answer that led to it.

In go rows; in the rows that come out an operation whose words name who acts knows that player, if
it need not be `me`. What comes of no answer in a power is done by whoever the power was handed to:
whoever gave the last of the answers that its use comes of. An answer that a power gives back is the
same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TypeAlias

from ruleloom.runtime.program.expr import ME, slots_read, substitute, walk
from ruleloom.runtime.program.program import (
    DOER,
    Ask,
    Choose,
    Expr,
    Jump,
    Let,
    Modal,
    Operate,
    Routine,
    Row,
    ScopeVariable,
    Secret,
    Use,
    UsePower,
)

Answer: TypeAlias = tuple[int, Expr | None]
"""The row that asked, and who answered: None for me."""
EACH: Expr = ("players",)
"""The answerer, where a table has an answer of each player."""
HANDED: Expr = ("scope", DOER)
KEPT: Expr = ("kept",)
"""The doer of a use that follows from no answer: the one so far."""


def with_doers(
    routines: Sequence[Routine], named: Collection[str]
) -> tuple[tuple[Routine, ...], tuple[ScopeVariable, ...]]:
    """The same routines; the operations `named` say who does them. With the variable that this needs."""
    given_back = _GivenBack(routines)
    told = tuple(_with_doers(one, named, given_back, handed=True) for one in routines)
    rows = [row for one in told for row in one.rows]
    handed = any(isinstance(row, Use) and row.by not in (None, ME) for row in rows)
    if handed and any(isinstance(row, Operate) and row.by == HANDED for row in rows):
        return told, (ScopeVariable(DOER, "Player?", "game", None, shown=False),)
    return tuple(_with_doers(one, named, given_back, handed=False) for one in routines), ()


def _with_doers(
    routine: Routine, named: Collection[str], given_back: _GivenBack, handed: bool
) -> Routine:
    """The same routine; if powers are `handed` to those who answered, their uses say so as well."""
    answers, rows = _Answers(routine.rows, given_back), list(routine.rows)
    for pc, row in enumerate(routine.rows):
        if isinstance(row, Operate) and row.operation in named:
            by = answers.doer(pc, row, HANDED if handed else None)
            rows[pc] = row if by is None else replace(row, by=by)
        elif handed:
            rows[pc] = _with_hand(answers, pc, row)
        answers.note(pc, row)
    told = tuple(rows)
    return routine if told == routine.rows else replace(routine, rows=told)


def _with_hand(answers: _Answers, pc: int, row: Row) -> Row:
    """A row that uses a power, with the player it goes to."""
    if isinstance(row, UsePower) and "me" in dict(row.scope):
        return replace(row, scope=(*row.scope, (DOER, ("value", None))))
    if not isinstance(row, Use):
        return row
    by = answers.doer(pc, row, KEPT)
    return row if by == KEPT else replace(row, by=ME if by is None else by)


class _GivenBack:
    """The giver of the last answer that each routine gives back, in terms of its parameters."""

    def __init__(self, routines: Iterable[Routine]) -> None:
        self.routines = {one.id: one for one in routines}
        self.known: dict[str, Answer | None] = {}

    def of(self, id: str) -> Answer | None:
        """That of a routine; None where it gives back no answer, or only itself knows whose it is."""
        if id not in self.known:
            self.known[id] = None  # what uses itself
            self.known[id] = self._found(self.routines[id])
        return self.known[id]

    def _found(self, routine: Routine) -> Answer | None:
        answers, last = _Answers(routine.rows, self), None
        for pc, row in enumerate(routine.rows if routine.result >= 0 else ()):
            answers.note(pc, row)
            if getattr(row, "slot", -1) == routine.result:
                last = answers.given.get(routine.result, last)
        if last is None or last[1] is None:
            return last
        by = substitute(last[1], _set_once(routine))
        known = set(range(len(routine.params))) - answers.changing
        return (last[0], by) if slots_read(by) <= known else None


def _set_once(routine: Routine) -> dict[int, Expr]:
    """The values of the slots that a single row sets."""
    setting = Counter(getattr(row, "slot", -1) for row in routine.rows)
    return {
        row.slot: row.value
        for row in routine.rows
        if isinstance(row, Let) and setting[row.slot] == 1
    }


class _Answers:
    """The answers so far: those that stand in the slots, and those that led to the ways around."""

    def __init__(self, rows: tuple[Row, ...], given_back: _GivenBack) -> None:
        self.rows, self.given_back = rows, given_back
        self.changing = {getattr(row, "slot", -1) for row in rows}
        self.given: dict[int, Answer] = {}
        self.ways: list[tuple[int, Answer]] = []

    def doer(self, pc: int, row: Operate | Use, otherwise: Expr | None) -> Expr | None:
        """The giver of the last answer that led to an operation or a use."""
        answers = [one for arg in row.args for one in self._within(arg)]
        answers += [answer for end, answer in self.ways if end > pc]
        return max(answers, key=itemgetter(0), default=(pc, otherwise))[1]

    def note(self, pc: int, row: Row) -> None:
        """Go past a row."""
        if isinstance(row, Modal):
            self.ways.append((self._end(row), (pc, row.by)))
        slot = getattr(row, "slot", -1)
        answer = self._put(pc, row)
        self.given.pop(slot, None)
        if answer is not None:
            self.given[slot] = answer

    def _end(self, row: Modal) -> int:
        """The row behind all ways of a prompt."""
        first = row.modes[0]
        jumps = (one for one in self.rows[first.to :] if isinstance(one, Jump))
        return next(one.to for one in jumps if one.origin == first.origin)

    def _put(self, pc: int, row: Row) -> Answer | None:
        """The answer that a row puts into its slot, if it does."""
        match row:
            case Choose() | Ask():
                return pc, row.by
            case Secret():
                return pc, EACH
            case Use(routine=id, args=args) if (back := self.given_back.of(id)) is not None:
                by = back[1]
                return pc, None if by is None else substitute(by, dict(enumerate(args)))
            case Let():
                last = max(self._within(row.value), key=itemgetter(0), default=None)
                by = last[1] if last is not None else None
                # A value gathered over several rounds has no single owner.
                gathered = row.value[0] not in ("slot", "lookup")
                if by is None or not (gathered and slots_read(by) & self.changing):
                    return last
        return None

    def _within(self, expr: Expr) -> Iterator[Answer]:
        """The answers that an expression comes of."""
        for one in walk(expr):
            match one:
                case ("lookup", ("slot", slot), key) if self._is_table(slot):
                    yield self.given[slot][0], key
                case ("slot", slot) if slot in self.given and not self._is_table(slot):
                    yield self.given[slot]

    def _is_table(self, slot: int) -> bool:
        return slot in self.given and self.given[slot][1] == EACH
