"""The check of untrusted routines, row by row, against the program they stand in.

The parts of the program have the right types already. A SaveError tells of unknown names, jumps and
slots out of range, a missing end, or dice beyond the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from ruleloom.runtime.dataclass import field_types
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.canonical_json import SaveError, quoted
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.program.verify_expr import MOST_SLOTS, ExpressionCheck, check_slot

MOST_ROWS, MOST_ROWS_IN_ALL = 10_000, 100_000
MOST_PARTS = 200

# An empty list holds values of no type.
PLAIN_TYPES = frozenset({"Int", "Fraction", "Bool", "Text", "none", "?"})


class RowCheck:
    """Checks one program piece by piece; `where` is the piece in hand, for messages."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.expressions = ExpressionCheck(program)
        self.names = self.expressions.names
        self.where = "the program"
        self.slots = 0
        self.rows = 0
        self.routines = {routine.id: routine for routine in program.routines}
        self.entities = {entity.name: entity for entity in program.entities}
        self.zones = {zone.name: zone for zone in program.zones}
        self.operations = {info.name: info for info in program.operations}
        self.types = {
            *PLAIN_TYPES, *self.entities, *program.points, *(name for name, _ in program.enums)
        }  # fmt: skip
        self.columns = {*self.names["field"], *self.zones}

    def need(self, fits: bool, message: str) -> None:
        """Refuse with `message` unless it fits."""
        if not fits:
            raise SaveError(message)

    def known(self, name: str, table: Iterable[str], what: str) -> None:
        """Refuse a name that is not in `table`."""
        self.need(name in table, f"there is no {what} {quoted(name)}")

    def type(self, text: str) -> None:
        """Refuse the text of a type of things that are not there."""
        self.known(Type.parse(text).name, self.types, "type")

    def typed(self, types: tuple[str, ...], number: int, what: str) -> None:
        """Refuse types that are not one for each of so many slots."""
        self.need(len(types) == number, f"it does not have one type for each {what}")
        for text in types:
            self.type(text)

    def expr(self, expr: object) -> None:
        """Refuse an expression that is not well formed over the slots in hand."""
        self.expressions.check(expr, self.slots)

    def maybe(self, expr: object) -> None:
        """The same, where there need be none."""
        if expr is not None:
            self.expr(expr)

    def slot(self, slot: int) -> None:
        """Refuse a slot that is not there."""
        check_slot(slot, self.slots)

    def slot_or_nowhere(self, slot: int) -> None:
        """Refuse a slot that is neither there nor -1."""
        if slot != -1:
            self.slot(slot)

    def call(self, name: str, table: Mapping[str, Any], args: tuple[Any, ...], what: str) -> None:
        """Refuse a call of something that is not there, or with too many or too few arguments."""
        self.known(name, table, what)
        takes = len(table[name].params)
        self.need(len(args) == takes, f"{quoted(name)} takes {takes} arguments, not {len(args)}")
        for arg in args:
            self.expr(arg)

    def routine(self, routine: p.Routine) -> None:
        """Check one routine, row by row."""
        self.where = f"routine {quoted(routine.id)}"
        rows = routine.rows
        self.slots = len(routine.slots)
        self.rows += len(rows)
        self.need(self.slots <= MOST_SLOTS, f"it has more than {MOST_SLOTS:,} slots")
        self.need(len(routine.params) <= self.slots, "it has more parameters than slots")
        self.typed(routine.slot_types, self.slots, "slot")
        self.need(len(rows) <= MOST_ROWS, f"it has more than {MOST_ROWS:,} rows")
        self.need(self.rows <= MOST_ROWS_IN_ALL, f"there are more than {MOST_ROWS_IN_ALL:,} rows")
        ends = bool(rows) and isinstance(rows[-1], p.Return)
        self.need(ends, "its last row is no `Return`")
        self.slot_or_nowhere(routine.result)
        for number, row in enumerate(rows):
            self.where = f"routine {quoted(routine.id)}, row {number}"
            kind: Any = type(row)
            self.fields(row)
            if kind in _ROW_CHECKS:
                _ROW_CHECKS[kind](self, row, len(rows))

    def fields(self, part: object) -> None:
        """Check those fields of a part whose name or type alone says what has to be so."""
        kind: Any = type(part)
        for name, check in _field_checks(kind):
            check(self, getattr(part, name))

    def words(self, words: p.Words) -> None:
        """Check the holes of a text, if it has any."""
        if isinstance(words, str):
            return
        self.need(len(words) <= MOST_PARTS, "a text has too many parts")
        for part in words:
            if not isinstance(part, str):
                self.expr(part[0])
                self.type(part[1])

    def conditions(self, conditions: tuple[p.Condition, ...]) -> None:
        """Check the conditions of a choice or of a way."""
        self.need(len(conditions) <= MOST_PARTS, "there are too many conditions")
        for condition in conditions:
            self.expr(condition.test)
            self.words(condition.english)

    def _jump(self, row: p.Jump | p.JumpUnless | p.Replaceable | p.Mode, rows: int) -> None:
        self.need(0 <= row.to < rows, f"there is no row {row.to} to go on with")

    def _choose(self, row: p.Choose, rows: int) -> None:
        self.need(
            row.count in ("one", "up_to", "exactly", "any", "order"), "it does not say how many"
        )
        limited = row.count in ("up_to", "exactly")
        self.need((row.limit is not None) == limited, "its limit does not fit")

    def _modal(self, row: p.Modal, rows: int) -> None:
        self.need(row.kind in ("choose", "optional", "combine"), "it is no way to choose a way")
        least = 2 if row.kind == "optional" else 1
        self.need(least <= len(row.modes) <= MOST_PARTS, "the number of ways makes no sense")
        for mode in row.modes:
            named = isinstance(mode.label, str) or row.kind == "optional"
            self.need(named, "a way that is answered by its label has a label with holes")
            self.words(mode.label)
            self._jump(mode, rows)
            self.conditions(mode.conditions)

    def _roll(self, row: p.Roll, rows: int) -> None:
        limits = ((row.count, 0, p.MOST_DICE, "dice"), (row.sides, 1, p.MOST_SIDES, "sides"))
        for expr, least, most, what in limits:
            # What is worked out is held to the limits when the dice are rolled.
            fits = expr[0] != "value" or (type(expr[1]) is int and least <= expr[1] <= most)
            self.need(fits, f"a roll of so many {what} is beyond the limits")

    def _draw(self, row: p.Draw, rows: int) -> None:
        self.known(row.pile, self.zones, "zone")
        self.known(row.zone, self.zones, "zone")
        pile, zone = self.zones[row.pile], self.zones[row.zone]
        held = isinstance(row, p.Take) and row.holder is not None
        fits = not pile.at and pile.per_player == held
        self.need(fits, f"nothing is drawn from {quoted(row.pile)}")
        self.need(not zone.at and pile.of == zone.of, f"nothing is drawn to {quoted(row.zone)}")
        self.need(zone.per_player == (row.owner is not None), "it does not fit whose the zone is")

    def _lazy(self, row: p.Peek | p.Put, rows: int) -> None:
        self.known(row.pile, self.zones, "zone")
        self.need(self.zones[row.pile].lazy, f"{quoted(row.pile)} is no lazy pile")
        if isinstance(row, p.Put):
            self.need(row.end in ("top", "bottom"), "it is no end of a pile")

    def _use(self, row: p.Use, _: int) -> None:
        self.call(row.routine, self.routines, row.args, "routine")
        if row.by is not None:
            self.expr(("scope", p.DOER))

    def _power(self, row: p.UsePower, rows: int) -> None:
        self.known(row.entity, self.entities, "entity")
        for name, expr in row.scope:
            self.known(name, self.names["scope"], "scope variable")
            self.expr(expr)


_ROW_CHECKS: Mapping[type[p.Row], Callable[[RowCheck, Any, int], None]] = {
    p.SetScope: lambda c, row, _: c.known(row.name, c.names["scope"], "scope variable"),
    p.SetWatched: lambda c, row, _: c.known(row.name, c.names["scope"], "scope variable"),
    p.Jump: RowCheck._jump,
    p.JumpUnless: RowCheck._jump,
    p.Replaceable: RowCheck._jump,
    p.Choose: RowCheck._choose,
    p.Modal: RowCheck._modal,
    p.Roll: RowCheck._roll,
    p.RollEach: RowCheck._roll,
    p.SecretRoll: RowCheck._roll,
    p.SecretRollEach: RowCheck._roll,
    p.Draw: RowCheck._draw,
    p.Take: RowCheck._draw,
    p.Peek: RowCheck._lazy,
    p.Put: RowCheck._lazy,
    p.Operate: lambda c, row, _: c.call(row.operation, c.operations, row.args, "operation"),
    p.AtOnce: lambda c, row, _: c.call(row.operation, c.operations, row.args, "operation"),
    p.Use: RowCheck._use,
    p.UsePower: RowCheck._power,
    p.Spend: lambda c, row, _: c.need(row.evaluations >= 0, "it gives back what is spent"),
    p.Relax: lambda c, row, _: c.need(len(row.rules) <= MOST_PARTS, "there are too many rules"),
}
_FieldCheck = Callable[[RowCheck, Any], None]
_BY_TYPE: Mapping[object, _FieldCheck] = {
    p.Expr: RowCheck.expr,
    p.Expr | None: RowCheck.maybe,
    **dict.fromkeys((p.Words, p.Template, tuple[tuple[p.Expr, str], ...]), RowCheck.words),
    tuple[p.Condition, ...]: RowCheck.conditions,
}


@cache
def _field_checks(kind: Any) -> tuple[tuple[str, _FieldCheck], ...]:
    """The checks of those fields whose name or type alone says what has to be so."""
    result = kind in (p.Operate, p.AtOnce, p.Use)
    slot = RowCheck.slot_or_nowhere if result else RowCheck.slot
    by_name: dict[str, _FieldCheck] = {
        "type": RowCheck.type,
        **dict.fromkeys(("slot", "player_slot", "candidate_slot", "counter"), slot),
    }
    hints = field_types(kind).items()
    found = ((name, by_name.get(name) or _BY_TYPE.get(type_)) for name, type_ in hints)
    return tuple((name, check) for name, check in found if check is not None)
