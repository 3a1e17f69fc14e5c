"""The check of a program from a save against everything the machine takes for granted.

A compiled program is right by construction; one from a file may be anything. `check_program`
refuses unknown names, jumps and slots out of range, routines without an end, calls in a circle,
dice beyond the limits, and more of anything than an honest game has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from operator import attrgetter

from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.canonical_json import SaveError, quoted
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.verify_expr import called_functions, check_constant, check_printed
from ruleloom.runtime.program.verify_rows import MOST_PARTS, RowCheck

MOST_PLAYERS = 64
MOST_ENTITIES = 10_000
MOST_DEFINITIONS = 5_000
MOST_CALL_DEPTH = 64
LEVELS = ("error", "warning", "notice")


def check_program(program: Program) -> None:
    """Refuse a program that could make the machine do anything but play."""
    _Check(program).run()


class _Check(RowCheck):
    def run(self) -> None:
        """Check everything; the first fault is reported."""
        try:
            self._sizes()
            self._vocabulary()
            self._functions()
            self._assignments()
            for routine in self.program.routines:
                self.routine(routine)
            self._triggers()
            self._replacements()
            self._always()
            self._requirements()
            self._sheets()
            self._calls()
        except SaveError as error:
            raise SaveError(f"the program is damaged at {self.where}: {error.message}") from None

    def _sizes(self) -> None:
        program, by_name, by_id = self.program, attrgetter("name"), attrgetter("id")
        named: dict[str, Iterable[str]] = {
            "enum": [name for name, _ in program.enums],
            "entity": map(by_name, program.entities),
            "zone": map(by_name, program.zones),
            "scope variable": map(by_name, program.scope),
            "query": map(by_name, program.queries),
            "operation": map(by_name, program.operations),
            "setting": map(by_name, program.settings),
            "function": map(by_id, program.functions),
            "routine": map(by_id, program.routines),
            "trigger": map(by_id, program.triggers),
            "replacement": map(by_id, program.replacements),
            "rule": map(by_name, program.always),
            "requirement": map(by_id, program.requirements),
            "sheet": map(by_id, program.sheets),
        }
        for what, found in named.items():
            names = list(found)
            few = len(names) <= MOST_DEFINITIONS
            self.need(few, f"there are more than {MOST_DEFINITIONS:,} of {what}")
            twice = len(set(names)) != len(names)
            self.need(not twice, f"a name of {what} stands there twice")
        self.need("Player" in self.entities, "there are no players")
        players = self.entities["Player"].most
        self.need(0 < players <= MOST_PLAYERS, "the number of players makes no sense")
        self.need("me" in self.names["scope"], "there is no scope variable `me`")
        twice = not self.zones.keys().isdisjoint(self.names["field"])
        self.need(not twice, "a name is used for two things")
        for flow in (self.program.set_up, self.program.turn):
            self.known(flow, self.routines, "routine")

    def _vocabulary(self) -> None:
        for entity in self.program.entities:
            self._entity(entity)
        for zone in self.program.zones:
            self._zone(zone)
        for variable in self.program.scope:
            self.where = f"scope variable {quoted(variable.name)}"
            self.type(variable.type)
            check_constant(variable.initial)
            self.need(variable.life in ("game", "turn"), "its life is game or turn")
        for setting in self.program.settings:
            self.where = f"setting {quoted(setting.name)}"
            check_constant(setting.value)
            for bound in (setting.low, setting.high):
                number = bound is None or type(bound) in (int, Fraction)
                self.need(number, "a bound of it is no number")
        self._signatures()

    def _zone(self, zone: p.Zone) -> None:
        self.where = f"zone {quoted(zone.name)}"
        self.known(zone.of, self.entities, "entity")
        is_map = not zone.at or zone.at in self.program.points
        self.need(is_map, f"there is no grid {quoted(zone.at)}")
        self.need(zone.seen_by in ("all", "owner", "nobody"), "it does not say who sees it")
        switches = {one.name: one.options for one in self.program.settings}
        opens = not zone.open_if or (
            len(zone.open_if) == 2 and zone.open_if[1] in switches.get(zone.open_if[0], ())
        )
        self.need(opens, "it is opened by no option of a switch")
        alone = not (zone.at and (zone.per_player or zone.lazy))
        self.need(alone, "a map is neither lazy nor a player's")
        self.need(not (zone.per_player and zone.lazy), "a lazy pile is nobody's")

    def _signatures(self) -> None:
        fields = self.names["field"]
        for query in self.program.queries:
            self.where = f"query {quoted(query.name)}"
            self._signature(query.params, query.result, query.reads)
            self.need(not query.of or len(query.params) <= 1, "it finds things by one value")
            self.need(not query.of or query.of in fields, "it finds things by no field")
        for info in self.program.operations:
            self.where = f"operation {quoted(info.name)}"
            self._signature(info.params, info.result, info.changes)
            wanted = {name for name, _ in info.params} | ({"result"} if info.result else set())
            for name in info.touches:
                self.known(name, wanted, "parameter")

    def _assignments(self) -> None:
        entities = self.program.entities
        keyed = {f"{one.name}.{field.name}" for one in entities for field in one.fields if field.by}
        for info in self.program.operations:
            self.where = f"operation {quoted(info.name)}"
            sets = info.sets or ()
            self.need(len(sets) <= MOST_PARTS, "it sets too many fields")
            gives = info.sets is None or info.result == info.makes
            self.need(gives, "it gives what it does not make")
            self._made_and_moved(info)
            for one in sets:
                self.known(one.field, self.names["field"], "field")
                fits = (one.key is not None) == (one.field in keyed)
                self.need(fits, "a table is set key by key")
                self.maybe(one.key)
                self.expr(one.of)
                self.expr(one.value)

    def _made_and_moved(self, info: p.OperationInfo) -> None:
        driven = info.sets is None
        self.need(not (driven and (info.makes or info.moves)), "it has a driver, and none")
        self.slots = len(info.params) + bool(info.makes)
        if info.makes:
            self.known(info.makes, self.entities, "entity")
            made = self.entities[info.makes]
            self.need(bool(made.present) and not made.names, "what it makes is always there")
        self.need(len(info.moves) <= MOST_PARTS, "it moves too many things")
        types = [type_ for _, type_ in info.params] + [info.makes]
        for move in info.moves:
            self.known(move.zone, self.zones, "zone")
            zone = self.zones[move.zone]
            fits = 0 <= move.thing < self.slots and types[move.thing] == zone.of
            self.need(fits, "it moves something else")
            fits = not zone.at and zone.per_player == (move.owner is not None)
            self.need(fits, "it moves to no zone")
            self.maybe(move.owner)

    def _entity(self, entity: p.Entity) -> None:
        self.where = f"entity {quoted(entity.name)}"
        size = entity.size
        few = 0 <= size <= MOST_ENTITIES and entity.most >= 0
        self.need(few, f"there are more than {MOST_ENTITIES:,} of it")
        self.need("." not in entity.name, "its name has a dot")
        self.need(len(entity.titles) == len(entity.names), "not every name has a title")
        self.need(len(entity.powers) in (0, len(entity.names)), "not every name has a power")
        self.need(len(entity.places) in (0, len(entity.names)), "not every name has a place")
        self._fields(entity)
        for name, values in entity.static:
            self.need(len(values) == size, f"{quoted(name)} has {len(values)} values for {size}")
            check_printed(values)
        for power in entity.powers:
            self.need(not power or power in self.routines, f"there is no routine {quoted(power)}")

    def _fields(self, entity: p.Entity) -> None:
        names = [field.name for field in entity.fields]
        self.need(len(set(names)) == len(names), "a field stands there twice")
        tables = {"", *self.entities, *dict(self.program.enums)}
        for field in entity.fields:
            self.type(field.type)
            check_constant(field.initial)
            self.need(field.by in tables, f"there is no table by {quoted(field.by)}")
        if entity.present:
            self.known(entity.present, names, "field")
        if entity.named_by:
            plain = [field for field in entity.changing if not field.by]
            texts = [field.name for field in plain if field.type in ("Text", "Text?")]
            self.known(entity.named_by, texts, "field of texts that can change")

    def _signature(
        self, params: tuple[tuple[str, str], ...], result: str, columns: tuple[str, ...]
    ) -> None:
        self.need(len(params) <= MOST_PARTS, "it has too many parameters")
        for _, type_ in params:
            self.type(type_)
        if result:
            self.type(result)
        for column in columns:
            self.known(column, self.columns, "column")

    def _functions(self) -> None:
        bodies = {f.id: f for f in self.program.functions}
        self.where = "the functions"
        graph = {id_: called_functions(f.body) & bodies.keys() for id_, f in bodies.items()}
        circle = "functions call each other in a circle"
        for id_ in _callees_first(graph, MOST_DEFINITIONS, circle):
            function = bodies[id_]
            self.where = f"function {quoted(id_)}"
            self.need(len(function.params) <= MOST_PARTS, "it has too many parameters")
            self.typed(function.param_types, len(function.params), "parameter")
            self.type(function.result)
            self.expressions.function(id_, function.body, len(function.params))
        for function in self.program.functions:
            self.where = f"function {quoted(function.id)}"
            self.slots = len(function.params)
            self.words(function.english)
        self._stats(bodies)

    def _stats(self, functions: Mapping[str, p.Function]) -> None:
        ids = {stat.id for stat in self.program.stats}
        self.need(len(ids) == len(self.program.stats), "a stat stands there twice")
        for stat in self.program.stats:
            self.where = f"stat {quoted(stat.id)}"
            self.known(stat.id, functions, "function")
            self.need(len(stat.modifiers) <= MOST_DEFINITIONS, "it has too many modifiers")
            self.slots = len(functions[stat.id].params)
            self.fields(stat)
            for modifier in stat.modifiers:
                self.known(modifier.change, p.CHANGES, "change")
                self.fields(modifier)

    def _raised(self, form: type[p.Announce | p.Replaceable]) -> dict[str, int]:
        """The events of operations and of such rows, with the number of their values."""
        rows = (row for routine in self.program.routines for row in routine.rows)
        found = {row.event: len(row.args) for row in rows if isinstance(row, form)}
        return found | {name: len(info.params) for name, info in self.operations.items()}

    def _triggers(self) -> None:
        events = self._raised(p.Announce) | {"touched": 1, "drawn": 1}
        for one in self.program.triggers:
            self.where = f"trigger {quoted(one.id)}"
            self.need(one.event in events, "there is no such event")
            timed = one.timing in ("immediately", "afterwards")
            self.need(timed, "its timing is immediately or afterwards")
            self._answer(one, events[one.event])

    def _answer(self, one: p.Trigger | p.Replacement, values: int) -> None:
        """Check what answers an event with so many values."""
        self.known(one.routine, self.routines, "routine")
        self.slots = values
        room = len(self.routines[one.routine].slots)
        self.need(values <= room, "its routine has no room")
        self.maybe(one.where)

    def _replacements(self) -> None:
        kept, events = {rule.operation for rule in self.program.always}, self._raised(p.Replaceable)
        rules = {f.id for f in self.program.functions} | {rule.name for rule in self.program.always}
        for one in self.program.replacements:
            self.where = f"replacement {quoted(one.id)}"
            self.need(one.id not in rules, "it is called like a rule")
            self.known(one.operation, events, "operation")
            info = self.operations.get(one.operation)
            free = info is None or (not info.result and info.name not in kept)
            self.need(free, "this operation cannot be replaced")
            self._answer(one, events[one.operation])

    def _always(self) -> None:
        for rule in self.program.always:
            self.where = f"rule {quoted(rule.name)}"
            self.slots = 0
            self.expr(rule.domain)
            self.slots = 1
            self.call(rule.operation, self.operations, rule.args, "operation")
            self.fields(rule)
            for column in rule.reads:
                self.known(column, self.columns, "column")

    def _requirements(self) -> None:
        self.slots = 1
        for requirement in self.program.requirements:
            self.where = f"requirement {quoted(requirement.id)}"
            self.known(requirement.entity, self.entities, "entity")
            self.need(requirement.level in LEVELS, "its level is error, warning or notice")
            self.fields(requirement)

    def _sheets(self) -> None:
        for sheet in self.program.sheets:
            self.where = f"sheet {quoted(sheet.id)}"
            self.known(sheet.entity, self.entities, "entity")
            self.need(len(sheet.sections) <= MOST_PARTS, "it has too many sections")
            self.slots = 1
            self.words(sheet.title)
            for section in sheet.sections:
                self.slots = 1
                self.fields(section)
                self.need(len(section.headings) in (0, 3), "it has three headings or none")
                self.need(len(section.rows) <= MOST_PARTS, "a section has too many rows")
                self.slots = 1 if section.domain is None else 2
                for row in section.rows:
                    self.need(len(row.texts) <= MOST_PARTS, "a row has too many texts")
                    self.fields(row)

    def _calls(self) -> None:
        self.where = "the routines"
        graph = {
            one.id: {row.routine for row in one.rows if isinstance(row, p.Use)}
            for one in self.program.routines
        }
        circle = "routines use each other in a circle, or too deep"
        _callees_first(graph, MOST_CALL_DEPTH, circle)


def _callees_first(graph: Mapping[str, set[str]], most_depth: int, message: str) -> list[str]:
    """The nodes, each after all that it calls; SaveError for a circle, or if it is too deep."""
    depth: dict[str, int] = {}
    try:
        # Sorted, so that of several faults the same one is found first each time.
        for node in TopologicalSorter({n: sorted(graph[n]) for n in graph}).static_order():
            depth[node] = 1 + max((depth[callee] for callee in graph[node]), default=0)
    except CycleError:
        raise SaveError(message) from None
    if max(depth.values(), default=0) > most_depth:
        raise SaveError(message)
    return list(depth)
