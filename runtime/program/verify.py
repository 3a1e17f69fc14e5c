"""The check of an untrusted program against all assumptions of the machine.

A compiled program is right by construction; one from a file may be anything. Field types define the
content of fields: names, slots, jump targets, expressions, constants. `check_program` refuses unknown
names, cyclic calls, dice beyond the limits, and more of anything than an honest game has; constraints
between several fields of a part are defined here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import is_dataclass
from fractions import Fraction
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, get_args, get_origin

from ruleloom.runtime.dataclass import field_types
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program import verify_expr
from ruleloom.runtime.program.canonical_json import SaveError, quoted
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.texts import TEXT_HOLE
from ruleloom.runtime.program.values import Type

MOST_PLAYERS = 64
MOST_ENTITIES = 10_000
MOST_DEFINITIONS = 5_000
MOST_CALL_DEPTH = 64
MOST_ROWS, MOST_ROWS_IN_ALL = 10_000, 100_000
MOST_PARTS = 200

# An empty list has items of no type.
PLAIN_TYPES = frozenset({"Int", "Fraction", "Bool", "Text", "none", "?"})


def check_program(program: Program) -> None:
    """Refuse a program that could make the machine do anything but play."""
    _Check(program).run()


class _Check:
    """Checks one program part by part; `where` is the current definition, for messages."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.expressions = verify_expr.ExpressionCheck(program)
        self.where = "the program"
        self.slots = self.rows = self.rows_in_all = 0
        self.routines = {one.id: one for one in program.routines}
        self.functions = {one.id: one for one in program.functions}
        self.entities = {one.name: one for one in program.entities}
        self.zones = {one.name: one for one in program.zones}
        self.operations = {one.name: one for one in program.operations}
        self.switches = {one.name: one.options for one in program.settings}
        self.rules = {one.name for one in program.always}
        self.kept = {one.operation for one in program.always}
        values = {name: len(one.params) for name, one in self.operations.items()}
        self.raised: Mapping[type, Mapping[str, int]] = {
            p.Trigger: {"touched": 1, "drawn": 1} | _raised(program, p.Announce) | values,
            p.Replacement: _raised(program, p.Replaceable) | values,
        }
        enums, fields = dict(program.enums), self.expressions.names["field"]
        self.keyed = {
            f"{e.name}.{one.name}" for e in program.entities for one in e.fields if one.by
        }
        self.names: Mapping[object, Collection[str]] = {
            "scope variable": self.expressions.names["scope"],
            "zone": self.zones,
            "entity": self.entities,
            "operation": self.operations,
            "routine": self.routines,
            "function": self.functions,
            "field": fields,
            "column": {*fields, *self.zones},
            "grid": program.points,
            "place": {*self.entities, *program.points},
            "enum": enums,
            "table by": {*self.entities, *enums},
            "type": {*PLAIN_TYPES, *self.entities, *program.points, *enums},
        }

    def need(self, fits: bool, message: str) -> None:
        """Refuse with `message` unless it fits."""
        if not fits:
            raise SaveError(message)

    def known(self, name: str, table: Collection[str], what: object) -> None:
        """Refuse a name not in `table`."""
        self.need(name in table, f"there is no {what} {quoted(name)}")

    def run(self) -> None:
        """Check everything; SaveError for the first fault."""
        program = self.program
        try:
            self._sizes()
            self.fields(program, only=("set_up", "turn"))
            self.where = "the functions"
            graph = {
                id: verify_expr.called_functions(f.body) & self.functions.keys()
                for id, f in self.functions.items()
            }
            circle = "functions call each other in a circle"
            for id in _callees_first(graph, MOST_DEFINITIONS, circle):
                self.where = f"function {quoted(id)}"
                one = self.functions[id]
                self.expressions.function(id, one.body, len(one.params))
            for what, parts in self._definitions().items():
                for part in parts:
                    self.where = f"{what} {quoted(_name(part))}"
                    self.part(part)
            self.where = "the words for points"
            for place in (*program.spots, *program.directions):
                self.part(place)
            self.where = "the routines"
            uses = {
                one.id: {row.routine for row in one.rows if isinstance(row, p.Use)}
                for one in program.routines
            }
            circle = "routines use each other in a circle, or too deep"
            _callees_first(uses, MOST_CALL_DEPTH, circle)
        except SaveError as error:
            raise SaveError(f"the program is damaged at {self.where}: {error.message}") from None

    def _definitions(self) -> dict[str, tuple[Any, ...]]:
        """All named definitions, by kind."""
        program = self.program
        return {
            "entity": program.entities,
            "zone": program.zones,
            "scope variable": program.scope,
            "setting": program.settings,
            "query": program.queries,
            "function": program.functions,
            "stat": program.stats,
            "operation": program.operations,
            "routine": program.routines,
            "trigger": program.triggers,
            "replacement": program.replacements,
            "rule": program.always,
            "requirement": program.requirements,
            "sheet": program.sheets,
            "layout": program.layouts,
        }

    def _sizes(self) -> None:
        named = {what: [*map(_name, found)] for what, found in self._definitions().items()}
        named["enum"] = [name for name, _ in self.program.enums]
        for what, names in named.items():
            few = len(names) <= MOST_DEFINITIONS
            self.need(few, f"there are more than {MOST_DEFINITIONS:,} of {what}")
            twice = len(set(names)) != len(names)
            self.need(not twice, f"a name of {what} stands there twice")
        self.need("Player" in self.entities, "there are no players")
        players = self.entities["Player"].most
        self.need(0 < players <= MOST_PLAYERS, "the number of players makes no sense")
        self.known("me", self.names["scope variable"], "scope variable")
        twice = not self.zones.keys().isdisjoint(self.names["field"])
        self.need(not twice, "a name is used for two things")

    # ------------------------------------------------------------------ by the types of fields

    def part(self, part: Any) -> None:
        """Check a part: each field by its type, then the constraints between them."""
        kind: Any = type(part)
        before, between = _rules_of(kind)
        if before is not None:
            before(self, part)
        self.fields(part)
        if between is not None:
            between(self, part)

    def fields(self, part: Any, only: Collection[str] = ()) -> None:
        """Check the fields of a part, all of them or `only` some, by their types."""
        kind: Any = type(part)
        for name, check in _field_checks(kind):
            if not only or name in only:
                check(self, getattr(part, name))

    def expr(self, expr: object) -> None:
        """Refuse an expression that is not well formed over the current slots."""
        self.expressions.check(expr, self.slots)

    def name(self, name: str, what: object, optional: bool) -> None:
        """Refuse an unknown name of this kind; an optional one may be empty."""
        written = Type.parse(name).name if what == "type" else name
        if written or not optional:
            self.known(written, self.names[what], what)

    def call(self, name: str, params: Collection[object], args: Collection[object]) -> None:
        """Refuse a call with too many or too few arguments."""
        takes, given = len(params), len(args)
        self.need(given == takes, f"{quoted(name)} takes {takes} arguments, not {given}")

    # ------------------------------------------------------------------ between fields

    def entity(self, one: p.Entity) -> None:
        size, fields = one.size, [field.name for field in one.fields]
        few = 0 <= size <= MOST_ENTITIES and one.most >= 0
        self.need(few, f"there are more than {MOST_ENTITIES:,} of it")
        self.need("." not in one.name, "its name has a dot")
        self.need(len(one.titles) == len(one.names), "not every name has a title")
        self.need(len(one.powers) in (0, len(one.names)), "not every name has a power")
        self.need(len(one.places) in (0, len(one.names)), "not every name has a place")
        self.need(len(set(fields)) == len(fields), "a field stands there twice")
        for name, values in one.static:
            self.need(len(values) == size, f"{quoted(name)} has {len(values)} values for {size}")
            for value in values:
                verify_expr.check_printed(value)
        if one.present:
            self.known(one.present, fields, "field")
        if one.named_by:
            plain = [field for field in one.changing if not field.by]
            texts = [field.name for field in plain if field.type in ("Text", "Text?")]
            self.known(one.named_by, texts, "field of texts that can change")
        self._description(one)

    def _description(self, one: p.Entity) -> None:
        plain = [field for field in one.changing if not field.by]
        for hole in TEXT_HOLE.findall(one.described):
            self.known(hole, [field.name for field in plain], "field that can change")
        for field in plain:
            every = field.low is not None and field.high == field.low + len(field.called) - 1
            self.need(not field.called or every, "not every number has a word")

    def spot(self, one: p.PointWords) -> None:
        holes = TEXT_HOLE.findall(one.text)
        zones = [
            zone.name for zone in self.program.zones if zone.at == one.of and zone.seen_by == "all"
        ]
        self.need(len(holes) == 1, "it is not called after one zone")
        self.known(holes[0], zones, "public zone of such points")

    def direction(self, one: p.Direction) -> None:
        self.known(
            one.value, dict(self.program.enums).get(one.of, ()), f"value of {quoted(one.of)}"
        )

    def zone(self, one: p.Zone) -> None:
        opens = not one.open_if or (
            len(one.open_if) == 2 and one.open_if[1] in self.switches.get(one.open_if[0], ())
        )
        self.need(opens, "it is opened by no option of a switch")
        alone = not (one.at and (one.per_player or one.lazy))
        self.need(alone, "a map is neither lazy nor a player's")
        self.need(not (one.per_player and one.lazy), "a lazy pile is nobody's")

    def operation(self, one: p.OperationInfo) -> None:
        given = {name for name, _ in one.params} | ({"result"} if one.result else set())
        for name in one.touches:
            self.known(name, given, "parameter")
        driven = one.sets is None
        self.need(driven or one.result == one.makes, "it gives what it does not make")
        self.need(not (driven and (one.makes or one.moves)), "it has a driver, and none")
        if one.makes:
            made = self.entities[one.makes]
            self.need(bool(made.present) and not made.names, "what it makes is always there")
        types = [*(type_ for _, type_ in one.params), one.makes]
        for move in one.moves:
            zone = self.zones[move.zone]
            moved = (zone.of, f"List of {zone.of}")
            fits = 0 <= move.thing < self.slots and types[move.thing] in moved
            self.need(fits, "it moves something else")
            fits = not zone.at and zone.parted == (move.owner is not None)
            self.need(fits, "it moves to no zone")

    def answer(self, one: p.Trigger | p.Replacement) -> None:
        room = len(self.routines[one.routine].slots)
        self.need(self.slots <= room, "its routine has no room")
        if isinstance(one, p.Replacement):
            called_so = one.id in self.functions or one.id in self.rules
            self.need(not called_so, "it is called like a rule")
            info = self.operations.get(one.operation)
            free = info is None or (not info.result and info.name not in self.kept)
            self.need(free, "this operation cannot be replaced")

    def event(self, one: p.Trigger | p.Replacement) -> None:
        """Refuse a response to no event; expressions read the event's values."""
        raised = self.raised[type(one)]
        if isinstance(one, p.Trigger):
            self.need(one.event in raised, "there is no such event")
            self.slots = raised[one.event]
        else:
            self.known(one.operation, raised, "operation")
            self.slots = raised[one.operation]

    def rule(self, one: p.Always) -> None:
        self.slots = 0
        self.expr(one.domain)
        self.slots = 1

    def section(self, one: p.SheetSection) -> None:
        self.slots = 1
        self.fields(one, only=("title", "domain"))
        self.need(len(one.headings) in (0, 3), "it has three headings or none")
        self.slots = 1 if one.domain is None else 2

    def rectangle(self, one: p.LayoutBox) -> None:
        self.slots = 1
        self.fields(one, only=("where", "domain", "icon"))
        self.slots = 1 if one.domain is None else 2

    # ------------------------------------------------------------------ rows

    def routine(self, one: p.Routine) -> None:
        """Refuse a routine without an end, or one that is too long."""
        self.slots, self.rows = len(one.slots), len(one.rows)
        self.rows_in_all += self.rows
        self.need(
            self.slots <= verify_expr.MOST_SLOTS,
            f"it has more than {verify_expr.MOST_SLOTS:,} slots",
        )
        self.need(len(one.params) <= self.slots, "it has more parameters than slots")
        typed = len(one.slot_types) == self.slots
        self.need(typed, "it does not have one type for each slot")
        self.need(self.rows <= MOST_ROWS, f"it has more than {MOST_ROWS:,} rows")
        few = self.rows_in_all <= MOST_ROWS_IN_ALL
        self.need(few, f"there are more than {MOST_ROWS_IN_ALL:,} rows")
        ends = bool(one.rows) and isinstance(one.rows[-1], p.Return)
        self.need(ends, "its last row is no `Return`")

    def body(self, rows: tuple[p.Row, ...]) -> None:
        routine = self.where
        for number, row in enumerate(rows):
            self.where = f"{routine}, row {number}"
            self.part(row)

    def choose(self, row: p.Choose) -> None:
        limited = row.count in ("up_to", "exactly")
        self.need((row.limit is not None) == limited, "its limit does not fit")

    def modal(self, row: p.Modal) -> None:
        least = 2 if row.kind == "optional" else 1
        self.need(least <= len(row.modes), "the number of ways makes no sense")
        named = row.kind == "optional" or all(isinstance(one.label, str) for one in row.modes)
        self.need(named, "a way that is answered by its label has a label with holes")

    def roll(self, row: p.Roll) -> None:
        limits = ((row.count, 0, p.MOST_DICE, "dice"), (row.sides, 1, p.MOST_SIDES, "sides"))
        for expr, least, most, what in limits:
            # Computed numbers are checked when the dice are rolled.
            fits = expr[0] != "value" or (type(expr[1]) is int and least <= expr[1] <= most)
            self.need(fits, f"a roll of so many {what} is beyond the limits")

    def draw(self, row: p.Draw) -> None:
        pile, zone = self.zones[row.pile], self.zones[row.zone]
        held = isinstance(row, p.Take) and row.holder is not None
        fits = not pile.at and pile.parted == held
        self.need(fits, f"nothing is drawn from {quoted(row.pile)}")
        self.need(not zone.at and pile.of == zone.of, f"nothing is drawn to {quoted(row.zone)}")
        self.need(zone.parted == (row.owner is not None), "it does not fit whose the zone is")

    def lazy(self, row: p.Peek | p.Put) -> None:
        self.need(self.zones[row.pile].lazy, f"{quoted(row.pile)} is no lazy pile")

    def use(self, row: p.Use) -> None:
        self.call(row.routine, self.routines[row.routine].params, row.args)
        if row.by is not None:
            self.expr(("scope", p.DOER))


_Rule = Callable[[_Check, Any], None]


def _stat(c: _Check, one: p.Stat) -> None:
    c.known(one.id, c.functions, "function")
    c.slots = len(c.functions[one.id].params)


def _typed(c: _Check, one: p.Function) -> None:
    c.slots = len(one.params)
    typed = len(one.param_types) == c.slots
    c.need(typed, "it does not have one type for each parameter")


def _set_slots(number: Callable[[Any], int]) -> _Rule:
    return lambda c, one: setattr(c, "slots", number(one))


# Checks before the fields of a part: the number of slots that its expressions may read.
_BEFORE: Mapping[type, _Rule] = {
    p.Function: _typed,
    p.Stat: _stat,
    p.OperationInfo: _set_slots(lambda one: len(one.params) + bool(one.makes)),
    p.Routine: _Check.routine,
    p.Trigger: _Check.event,
    p.Replacement: _Check.event,
    p.Always: _Check.rule,
    p.Requirement: _set_slots(lambda _: 1),
    p.Sheet: _set_slots(lambda _: 1),
    p.SheetSection: _Check.section,
    p.CardLayout: _set_slots(lambda _: 1),
    p.LayoutBox: _Check.rectangle,
}


def _operates(c: _Check, one: p.Operate | p.Always) -> None:
    c.call(one.operation, c.operations[one.operation].params, one.args)


# Constraints between fields that are valid one by one, of a class and its subclasses.
_BETWEEN: Mapping[type, _Rule] = {
    p.Entity: _Check.entity,
    p.PointWords: _Check.spot,
    p.Direction: _Check.direction,
    p.Zone: _Check.zone,
    p.QueryInfo: lambda c, one: c.need(
        not one.of or len(one.params) <= ("." in one.of), "it finds things by one value"
    ),
    p.OperationInfo: _Check.operation,
    p.Assignment: lambda c, one: c.need(
        (one.key is not None) == (one.field in c.keyed), "a table is set key by key"
    ),
    p.Trigger: _Check.answer,
    p.Replacement: _Check.answer,
    p.Always: _operates,
    p.Choose: _Check.choose,
    p.Modal: _Check.modal,
    p.Roll: _Check.roll,
    p.Draw: _Check.draw,
    p.Peek: _Check.lazy,
    p.Put: _Check.lazy,
    p.Operate: _operates,
    p.Use: _Check.use,
    p.Relax: lambda c, row: c.need(len(row.rules) <= MOST_PARTS, "there are too many rules"),
    p.Spend: lambda c, row: c.need(row.evaluations >= 0, "it gives back what is spent"),
}


@cache
def _rules_of(kind: Any) -> tuple[_Rule | None, _Rule | None]:
    bases = (base for base in kind.__mro__ if base in _BETWEEN)
    return _BEFORE.get(kind), _BETWEEN.get(next(bases, object))


_FieldCheck = Callable[[_Check, Any], None]
_MARKED: Mapping[object, _FieldCheck] = {
    "an expression": _Check.expr,
    "slot": lambda c, slot: verify_expr.check_slot(slot, c.slots),
    "slot or -1": lambda c, slot: None if slot == -1 else verify_expr.check_slot(slot, c.slots),
    "row": lambda c, row: c.need(0 <= row < c.rows, f"there is no row {row} to go on with"),
    "constant": lambda _, value: verify_expr.check_constant(value),
    "bound": lambda c, bound: c.need(
        bound is None or type(bound) in (int, Fraction), "a bound of it is no number"
    ),
}
_SHORT = (
    *(p.Condition, p.Mode, p.Assignment, p.Move, p.SheetSection, p.SheetRow),
    *(get_args(kind)[0] for kind in (p.Template, p.Params)),
    tuple[p.Expr, p.TypeName],
)
"""Parts of which a definition has at most `MOST_PARTS`."""


@cache
def _field_checks(kind: Any) -> tuple[tuple[str, _FieldCheck], ...]:
    """The checks of the fields of a class; a `body` is checked later, after its callees."""
    made = ((name, _check_of(type_, name)) for name, type_ in field_types(kind).items())
    return tuple((name, check) for name, check in made if check is not None and name != "body")


@cache
def _check_of(kind: Any, name: str) -> _FieldCheck | None:
    """The check of a value of a type, in the field of this name; None if any value is valid."""
    if get_origin(kind) is Annotated:
        return _marked(*get_args(kind)[1:], name=name)
    if isinstance(kind, type) and is_dataclass(kind):
        return _Check.part if kind is p.Row or _field_checks(kind) else None
    if kind == tuple[p.Row, ...]:
        return _Check.body
    return _compound(kind, [_check_of(one, name) for one in get_args(kind)], name)


def _compound(kind: Any, inner: list[_FieldCheck | None], name: str) -> _FieldCheck | None:
    known = [(at, check) for at, check in enumerate(inner) if check is not None]
    if not known:
        return None
    check = known[0][1]
    if get_origin(kind) is not tuple:  # optional, or a text with or without holes
        return lambda c, value: None if value is None or type(value) is str else check(c, value)
    if get_args(kind)[-1] is Ellipsis:
        most = MOST_PARTS if get_args(kind)[0] in _SHORT else MOST_ENTITIES
        return partial(_each, check, most, name)
    return partial(_in_places, known)


def _marked(mark: object, *optional: str, name: str) -> _FieldCheck:
    if isinstance(mark, tuple):
        *most, last = mark
        message = f"its {name} is {', '.join(most)} or {last}"
        return lambda c, word: c.need(word in mark, message)
    return _MARKED.get(mark) or (lambda c, word: c.name(word, mark, bool(optional)))


def _each(check: _FieldCheck, most: int, name: str, c: _Check, values: tuple[Any, ...]) -> None:
    c.need(len(values) <= most, f"there are more than {most:,} of its {name}")
    for value in values:
        check(c, value)


def _in_places(
    checks: Collection[tuple[int, _FieldCheck]], c: _Check, values: tuple[Any, ...]
) -> None:
    for at, check in checks:
        check(c, values[at])


def _raised(program: Program, form: type[p.Announce | p.Replaceable]) -> dict[str, int]:
    """The events that such rows raise, with the number of their values."""
    rows = (row for routine in program.routines for row in routine.rows)
    return {row.event: len(row.args) for row in rows if isinstance(row, form)}


def _name(part: Any) -> str:
    """A definition's name or id."""
    name: str = part.id if hasattr(part, "id") else part.name
    return name


def _callees_first(graph: Mapping[str, set[str]], most_depth: int, message: str) -> list[str]:
    """The nodes, callees first; SaveError for a cycle, or if it is too deep."""
    depth: dict[str, int] = {}
    try:
        # Sorted, so that the first of several faults is always the same.
        for node in TopologicalSorter({n: sorted(graph[n]) for n in graph}).static_order():
            depth[node] = 1 + max((depth[callee] for callee in graph[node]), default=0)
    except CycleError:
        raise SaveError(message) from None
    if max(depth.values(), default=0) > most_depth:
        raise SaveError(message)
    return list(depth)
