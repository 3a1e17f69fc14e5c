"""Holds the rows of routines that somebody else's file brought against the program they stand in.

In goes a program whose parts have the right types; `RowCheck.routine` refuses, with a `SaveError`,
a routine with names that are not there, jumps and slots out of range, a missing end, or dice beyond
the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.canonical_json import SaveError, quoted
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.program.verify_expr import MOST_SLOTS, ExpressionCheck, Names, check_slot

MOST_ROWS, MOST_ROWS_IN_ALL = 10_000, 100_000
MOST_PARTS = 200

# What is of no type at all is what an empty list holds.
PLAIN_TYPES = frozenset({"Int", "Fraction", "Bool", "Text", "none", "?"})


class RowCheck:
    """Checks one program piece by piece; `where` is the piece in hand, for messages."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = Names.of(program)
        self.expressions = ExpressionCheck(self.names)
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
        self.columns = {*self.names.known["field"], *self.zones}

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

    def expr(self, expr: Any) -> None:
        """Refuse an expression that is not well formed over the slots in hand."""
        self.expressions.check(expr, self.slots)

    def maybe(self, expr: Any) -> None:
        """The same, where there need be none."""
        if expr is not None:
            self.expr(expr)

    def slot(self, slot: int, nowhere: bool = False) -> None:
        """Refuse a slot that is not there; `nowhere` allows -1."""
        if not (nowhere and slot == -1):
            check_slot(slot, self.slots)

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
        self.slots = len(routine.slots)
        self.rows += len(routine.rows)
        self.need(self.slots <= MOST_SLOTS, f"it has more than {MOST_SLOTS:,} slots")
        self.need(len(routine.params) <= self.slots, "it has more parameters than slots")
        self.typed(routine.slot_types, self.slots, "slot")
        self.need(len(routine.rows) <= MOST_ROWS, f"it has more than {MOST_ROWS:,} rows")
        self.need(self.rows <= MOST_ROWS_IN_ALL, f"there are more than {MOST_ROWS_IN_ALL:,} rows")
        self.need(
            bool(routine.rows) and isinstance(routine.rows[-1], p.Return),
            "its last row is no `Return`",
        )
        self.slot(routine.result, nowhere=True)
        for number, row in enumerate(routine.rows):
            self.where = f"routine {quoted(routine.id)}, row {number}"
            ROW_CHECKS[type(row)](self, row, len(routine.rows))

    def words(self, words: p.Words) -> None:
        """Check a text that may have holes."""
        if not isinstance(words, str):
            self.template(words)

    def template(self, template: p.Template) -> None:
        """Check the holes of a text."""
        self.need(len(template) <= MOST_PARTS, "a text has too many parts")
        for part in template:
            if not isinstance(part, str):
                self.expr(part[0])
                self.type(part[1])

    def _conditions(self, conditions: tuple[p.Condition, ...]) -> None:
        self.need(len(conditions) <= MOST_PARTS, "there are too many conditions")
        for condition in conditions:
            self.expr(condition.test)
            self.template(condition.english)

    def _jump(self, to: int, rows: int) -> None:
        self.need(0 <= to < rows, f"there is no row {to} to go on with")

    def _let(self, row: p.Let, rows: int) -> None:
        self.slot(row.slot)
        self.expr(row.value)

    def _set(self, row: p.SetScope, rows: int) -> None:
        self.known(row.name, self.names.known["scope"], "scope variable")
        self.expr(row.value)

    def _go(self, row: p.Jump, rows: int) -> None:
        self._jump(row.to, rows)

    def _unless(self, row: p.JumpUnless, rows: int) -> None:
        self.expr(row.condition)
        self._jump(row.to, rows)

    def _choose(self, row: p.Choose, rows: int) -> None:
        self.slot(row.slot)
        self.type(row.type)
        self.need(row.count in ("one", "up_to", "exactly", "any"), "it does not say how many")
        self.need(
            (row.limit is not None) == (row.count in ("up_to", "exactly")), "its limit does not fit"
        )
        for expr in (row.limit, row.by, row.default):
            self.maybe(expr)
        self.expr(row.domain)
        self._conditions(row.conditions)
        self.words(row.prompt)

    def _modal(self, row: p.Modal, rows: int) -> None:
        self.need(row.kind in ("choose", "optional", "combine"), "it is no way to choose a way")
        least = 2 if row.kind == "optional" else 1
        self.need(least <= len(row.modes) <= MOST_PARTS, "the number of ways makes no sense")
        self.maybe(row.by)
        self.words(row.prompt)
        for mode in row.modes:
            named = isinstance(mode.label, str) or row.kind == "optional"
            self.need(named, "a way that is answered by its label has a label with holes")
            self.words(mode.label)
            self._jump(mode.to, rows)
            self._conditions(mode.conditions)

    def _secret(self, row: p.Secret, rows: int) -> None:
        for slot in (row.slot, row.player_slot, row.candidate_slot):
            self.slot(slot)
        self.type(row.type)
        self.expr(row.players)
        self.expr(row.domain)
        self._conditions(row.conditions)
        self.words(row.prompt)

    def _ask(self, row: p.Ask, rows: int) -> None:
        self.slot(row.slot)
        self.maybe(row.by)
        self.maybe(row.default)
        self.words(row.prompt)

    def _roll(self, row: p.Roll, rows: int) -> None:
        self.slot(row.slot)
        for expr, least, most, what in (
            (row.count, 0, p.MOST_DICE, "dice"),
            (row.sides, 1, p.MOST_SIDES, "sides"),
        ):
            self.expr(expr)
            if (
                expr[0] == "value"
            ):  # what is worked out is held to the limits when the dice are rolled
                fits = type(expr[1]) is int and least <= expr[1] <= most
                self.need(fits, f"a roll of so many {what} is beyond the limits")
        self.maybe(row.by)

    def _draw(self, row: p.Draw, rows: int) -> None:
        self.slot(row.slot)
        self.type(row.type)
        self.known(row.pile, self.zones, "zone")
        self.known(row.zone, self.zones, "zone")
        pile, zone = self.zones[row.pile], self.zones[row.zone]
        self.need(not pile.at and not pile.per_player, f"nothing is drawn from {quoted(row.pile)}")
        self.need(not zone.at and pile.of == zone.of, f"nothing is drawn to {quoted(row.zone)}")
        self.need(zone.per_player == (row.owner is not None), "it does not fit whose the zone is")
        self.maybe(row.owner)

    def _pick(self, row: p.Pick, rows: int) -> None:
        self.slot(row.slot)
        self.type(row.type)
        self.expr(row.domain)

    def _operate(self, row: p.Operate, rows: int) -> None:
        self.call(row.operation, self.operations, row.args, "operation")
        self.slot(row.slot, nowhere=True)

    def _use(self, row: p.Use, rows: int) -> None:
        self.call(row.routine, self.routines, row.args, "routine")
        self.slot(row.slot, nowhere=True)

    def _power(self, row: p.UsePower, rows: int) -> None:
        self.known(row.entity, self.entities, "entity")
        self.expr(row.of)
        for name, expr in row.scope:
            self.known(name, self.names.known["scope"], "scope variable")
            self.expr(expr)

    def _relax(self, row: p.Relax, rows: int) -> None:
        self.need(len(row.rules) <= MOST_PARTS, "there are too many rules")

    def _ensure(self, row: p.Ensure, rows: int) -> None:
        self.expr(row.condition)
        self.words(row.reason)

    def _say(self, row: p.Say, rows: int) -> None:
        self.words(row.text)

    def _tell(self, row: p.Tell, rows: int) -> None:
        self.expr(row.to)
        self.words(row.text)

    def _finish(self, row: p.Finish, rows: int) -> None:
        self.maybe(row.winner)
        self.words(row.reason)

    def _nothing(self, row: p.Row, rows: int) -> None:
        """A row without parts that could be wrong."""


ROW_CHECKS: Mapping[type[p.Row], Callable[[RowCheck, Any, int], None]] = {
    p.Let: RowCheck._let,
    p.SetScope: RowCheck._set,
    p.Jump: RowCheck._go,
    p.JumpUnless: RowCheck._unless,
    p.Choose: RowCheck._choose,
    p.Modal: RowCheck._modal,
    p.Secret: RowCheck._secret,
    p.Ask: RowCheck._ask,
    p.Roll: RowCheck._roll,
    p.RollEach: RowCheck._roll,
    p.Draw: RowCheck._draw,
    p.Pick: RowCheck._pick,
    p.Operate: RowCheck._operate,
    p.Use: RowCheck._use,
    p.UsePower: RowCheck._power,
    p.Relax: RowCheck._relax,
    p.Ensure: RowCheck._ensure,
    p.Say: RowCheck._say,
    p.Tell: RowCheck._tell,
    p.Finish: RowCheck._finish,
    p.Return: RowCheck._nothing,
}
