"""The passes, each of which lowers one part of a program, as listed in `compiler.build`.

A part with an error is reported and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from ruleloom.compiler.bounds.intervals import check_keyword_bounds
from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.lower import triggers
from ruleloom.compiler.lower.budgets import budgets_of
from ruleloom.compiler.lower.layouts import build_layout
from ruleloom.compiler.lower.program import Build, summaries_of
from ruleloom.compiler.lower.reactions import build_reaction, refuse_kept
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.lower.sheets import build_requirement, build_sheet
from ruleloom.compiler.packs.content import POWERS, Content, Item
from ruleloom.compiler.packs.settings import TAG
from ruleloom.compiler.query.lookups import NEVER_SAME, Marks
from ruleloom.compiler.query.reuse import Reuse
from ruleloom.compiler.resolve.declare import signature_template
from ruleloom.compiler.resolve.items import (
    called_table,
    declare_tags,
    enter_lasting,
    enter_tags,
    read_declarations,
)
from ruleloom.compiler.resolve.operations import check_open_bounds, read_calls
from ruleloom.compiler.resolve.records import build_entities
from ruleloom.compiler.resolve.symbols import Chosen, ParamSymbol, ScopeSymbol, Signature, Symbols
from ruleloom.compiler.resolve.values import key_node
from ruleloom.compiler.resolve.vocabulary import enter_words, read_parts, read_things, sections
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.types import is_unknown
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import Assignment, Expr, Function, Move, Roll, ScopeVariable
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, PLAYER, TEXT, Type

T = TypeVar("T")
# The initial values of variables without `initial:`.
NATURAL: Mapping[Type, Any] = {INT: 0, BOOL: False, TEXT: "", PLAYER: 0}


def read_names(
    content: Content, symbols: Symbols, report: Report, reuse: Reuse | None = None
) -> None:
    """Add every name of the game."""
    reuse = reuse or Reuse(symbols, None, report)
    declare_tags(content, symbols, report)
    _read_vocabularies(content, symbols, report, reuse)
    symbols.scopes.update(content.scopes)
    symbols.spoken.update(content.words)
    symbols.poisoned.add_all(content.poisoned)
    enter_tags(content, symbols, report)
    read_declarations(content, symbols, report, reuse)
    enter_lasting(content, symbols, report)
    enter_words(content, symbols)
    check_open_bounds(content, symbols, report)
    triggers.enter_events(content, symbols)


def _read_vocabularies(content: Content, symbols: Symbols, report: Report, reuse: Reuse) -> None:
    """Add the names of the vocabularies, which depend on these items and the tags alone."""

    def read() -> dict[str, list[Any]]:
        with symbols.lookups.apart() as (_, marks):
            read_things(content, symbols, report)
            read_parts(content, symbols, report)
            read_calls(content, symbols, report)
        symbols.hand_on((NEVER_SAME,) if symbols.new_values.places else (), marks)
        found = {name: [*dict.items(table)] for name, table in symbols.tables().items()}
        return {**found, "fields": [(name, {**some}) for name, some in found["fields"]]}

    inputs = (content.by_kind("vocabulary"), content.by_kind(TAG))
    found = reuse.result("vocabularies", inputs, read)
    for name, table in symbols.tables().items():
        table.update(found[name])
    # The fields of tags are added to these later.
    symbols.fields.update([(name, {**some}) for name, some in found["fields"]])


def enter_names(build: Build) -> None:
    """Add every name of the game, the changes of number settings by packs, and the bounds of the
    parameters of keywords and powers.
    """
    read_names(build.content, build.symbols, build.report, build.reuse)
    content, symbols = build.content, build.symbols
    for item in content.by_kind("setting"):
        found = content.history.get((item.id, "value"), ())
        setting = symbols.settings.get(item.slug)
        if found and setting is not None and setting.type == INT:
            symbols.set_by[item.slug] = tuple(
                Chosen(one.pack, one.new, one.old, Place(one.path, one.line, 1, one.line, 1))
                for one in found
            )
    check_keyword_bounds(content, symbols, build.report)


def plan_abilities(build: Build) -> None:
    """Read the abilities of all items: the modifiers of stats, and the answers to events."""
    build.bodies = Bodies(build.content, build.symbols, build.report, build.reason, build.reuse)
    reactions = build.bodies.stats.abilities.reactions
    triggers.note_answered(build.content, build.symbols, (one.node.event for one in reactions))


def make_entities(build: Build) -> None:
    """Build the entities, with the things that items make."""
    build.entities = build_entities(build.content, build.symbols, build.report)
    build.symbols.enter_made(build.entities)
    build.bodies.records = {entity.name: entity.names for entity in build.entities}


def lower_defaults(build: Build) -> None:
    """Lower the defaults of parameters, which any call may need."""
    bodies = build.bodies
    for kind in ("measure", "stat", "rule", *POWERS, "keyword", "lasting"):
        callees = called_table(bodies.symbols, kind)
        for item in build.content.by_kind(kind):
            callee = callees.get(item.slug)
            if callee is None or callee.id != item.id:
                continue
            if any(param.default for param in callee.params):
                text = bodies.passage(item.fields["takes"])
                if text is not None:
                    bodies.defaults(callee, text)


def parse_effects(build: Build) -> None:
    """Parse every effect, and note which variables of the game each one may set."""
    build.bodies.parse_effects([item for item in build.content.items if "effect" in item.fields])


def lower_functions(build: Build) -> None:
    """Lower rules, measures, stats and tables."""
    bodies, symbols = build.bodies, build.symbols
    bodies.stats.bearers.check()
    for name, callee in list(symbols.callables.items()):
        if callee.kind not in ("query", "part"):
            _lower_function(build, name, callee)


def lower_parts(build: Build) -> None:
    """Lower the parts of stats that texts use."""
    for name, callee in build.symbols.callables.items():
        if callee.kind == "part":
            _lower_function(build, name, callee)


def _lower_function(build: Build, name: str, callee: Signature) -> None:
    bodies, symbols = build.bodies, build.symbols
    body = bodies.functions.body(name)
    if body is None:
        return
    names = tuple(param.name for param in callee.params)
    types = tuple(str(param.type) for param in callee.params)
    slots = tuple(("slot", number) for number in range(len(names)))
    english = signature_template(symbols, callee, slots)
    gives, soft = str(callee.result), callee.kind == "rule"
    build.functions.append(Function(callee.id, names, types, gives, body.expr, soft, english))
    if callee.id in bodies.stats.built:
        build.stats.append(bodies.stats.built[callee.id])


def lower_scope(build: Build) -> None:
    """Add the variables of the game, with their initial values."""
    written = {name: node for name, node, _ in sections(build.content, "scope")}
    for name, symbol in build.symbols.scope.items():
        node = written.get(name)
        value, fields = _initial(build, name, symbol, node), entries_of(node)
        life, english, shown = (fields.get(one) for one in ("life", "english", "shown"))
        lasts = str(life.value) if life is not None else "game"
        # The compiler's own variables are in no vocabulary.
        drawn = False if node is None else None if shown is None else bool(shown.value)
        called = str(english.value) if english is not None else ""
        build.scope.append(
            ScopeVariable(
                name, str(symbol.type), lasts, value, called, drawn, symbol.low, symbol.high
            )
        )


def check_roll_words(build: Build) -> None:
    """Report words for rolls that no text makes."""
    worded = [*sections(build.content, "rolls")]
    rows = (row for one in build.checked.values() for row in one.routine.rows)
    names = {row.name for row in rows if isinstance(row, Roll)} if worded else set()
    for name, _, place in worded:
        if name not in names and build.is_sound:
            help = did_you_mean(name, names) or "the variable of a roll"
            build.report.error("unknown-name", place, f"no text rolls `{name}`", help)


def _initial(build: Build, name: str, symbol: ScopeSymbol, node: YamlNode | None) -> Any:
    """The initial value of a variable; required if its type has no natural one."""
    initial, type_ = node.get("initial") if node is not None else None, symbol.type
    if initial is not None:
        value = build.bodies.constant(initial, type_)
    else:
        value = () if type_.many else NATURAL.get(type_)
        if value is None and not (type_.optional or is_unknown(type_)):
            message = f"`{name}` needs a value to begin with"
            build.report.error("missing-value", symbol.place, message, "add `initial:`")
    value = None if type_.optional and initial is None else value
    _hold_to_bounds(build, symbol, initial, value)
    return value


def _hold_to_bounds(
    build: Build, symbol: ScopeSymbol, initial: YamlNode | None, value: Any
) -> None:
    """Report an initial value out of the bounds of its variable."""
    if symbol.type.name in (INT.name, FRACTION.name) and not lies_within(
        value, symbol.low, symbol.high
    ):
        place = symbol.place if initial is None else initial.place
        message = f"{value} is not within `min` and `max` of `{symbol.name}`"
        help = "add `initial:`" if initial is None else None
        build.report.error("out-of-bounds", place, message, help)


def lower_operations(build: Build) -> None:
    """Lower the operations without a driver."""
    bodies, operations = build.bodies, build.bodies.symbols.operations.values()
    for one in operations:
        if one.sets is not None:
            make = partial(_assignments, bodies, one, one.sets)
            inputs = one.sets, one.params, one.makes
            build.assignments[one.name] = bodies.reuse.result(("sets", one.id), inputs, make)
    for one in operations:
        if one.moves is not None and one.sets is not None:
            build.moves[one.name] = tuple(_moves(bodies, one, one.moves))


def lower_routines(build: Build) -> None:
    """Lower the effects of powers, fusions, flows, content items, and ways of items."""
    content, symbols, bodies = build.content, build.symbols, build.bodies
    found = list(_powers(build))
    records = [item for item in content.items if item.kind in symbols.kinds]
    plain = (*content.by_kind("fusion"), *content.by_kind("flow"), *records)
    found += [(item, (), None) for item in plain if item.id in bodies.blocks]
    found += [(way.item, way.takes, None) for way in symbols.ways.values() if way.body is not None]
    for item, params, result in found:
        checked = bodies.routine(item, params, result)
        if checked is not None:
            build.checked[item.id] = checked


def _powers(
    build: Build,
) -> Iterator[tuple[Item, Sequence[ParamSymbol], tuple[str, Type] | None]]:
    """The powers, each with its parameters and the name and type of its result."""
    for item in chain.from_iterable(map(build.content.by_kind, POWERS)):
        callee = build.symbols.powers.get(item.slug)
        if callee is not None and callee.id == item.id and not callee.broken:
            gives = (callee.result_name, callee.result) if callee.result is not None else None
            yield item, callee.params, gives


def lower_triggers(build: Build) -> None:
    """Lower triggers, and the abilities that answer or replace events, in the order of their items."""
    content, bodies = build.content, build.bodies
    places = {item.id: place for place, item in enumerate(content.items)}
    making: list[tuple[Item, Callable[[], triggers.Reaction | None]]] = [
        *(
            (item, partial(triggers.build_trigger, bodies, item))
            for item in content.by_kind("trigger")
        ),
        *(
            (one.texts[0].item, partial(build_reaction, bodies, one))
            for one in bodies.stats.abilities.reactions
        ),
    ]
    for item, make in sorted(making, key=lambda one: places[one[0].id]):
        reaction = make()
        if reaction is not None:
            build.triggers += reaction.triggers
            build.replacements += reaction.replacements
            build.scope += reaction.scope
            ids = [one.id for one in reaction.triggers] + [one.id for one in reaction.replacements]
            build.borne.update(dict.fromkeys(ids, reaction.borne))
            if reaction.among is not None:
                build.among.update(dict.fromkeys(ids, reaction.among))
            build.checked.update(reaction.routines)
            build.items.update(dict.fromkeys(reaction.routines, item))


def lower_printed(build: Build) -> None:
    """Lower the requirements, sheets and layouts of cards, and check the budgets of kinds."""
    budgets_of(build.content, build.symbols, build.report)
    build.requirements += _of_items(build, "requirement", build_requirement)
    build.sheets += _of_items(build, "sheet", build_sheet)
    build.layouts += _of_items(build, "layout", build_layout)


def _of_items(build: Build, kind: str, make: Callable[[Bodies, Item], T | None]) -> Iterator[T]:
    """The parts of the program made of the items of a kind."""
    for item in build.content.by_kind(kind):
        inputs = item, build.content.files[item.source.path]
        found = build.bodies.reuse.result(item.id, inputs, partial(make, build.bodies, item))
        if found is not None:
            yield found


def lower_always(build: Build) -> None:
    """Lower the rules that always hold."""
    for vocabulary in build.content.by_kind("vocabulary"):
        written = items_of(vocabulary.fields.get("always"))
        build.always += filter(
            None, (triggers.build_always(build.bodies, node) for node in written)
        )
    refuse_kept(build.bodies, [rule.operation for rule in build.always])


def summarize(build: Build) -> None:
    """Compute the summaries of all routines, once they are lowered."""
    build.summaries = summaries_of(build)


def in_reach(operation: Signature) -> tuple[ParamSymbol, ...]:
    """The names in scope of an operation: its parameters, and the `result` that it makes."""
    made = (ParamSymbol("result", operation.result),) if operation.result is not None else ()
    return operation.params + made


def _assignments(bodies: Bodies, operation: Signature, sets: YamlNode) -> tuple[Assignment, ...]:
    found: list[Assignment] = []
    read, bodies.symbols.read = bodies.symbols.read, Marks()
    places: dict[tuple[str, Expr, Expr | None], Place] = {}
    for key, node in sets.entries.items():
        one = _assignment(bodies, operation, key_node(sets, key), node)
        if one is None:
            continue
        target = one.field, one.of, one.key
        if target in places:
            place, notes = sets.key_place(key), [Note(places[target], "the first one")]
            message, help = f"`{key}` is set twice", "keep one of the two"
            bodies.report.error("name-clash", place, message, help, notes)
            continue
        places[target] = sets.key_place(key)
        found.append(one)
        # A field is not read by the computation of its own new value.
        read.update(bodies.symbols.read - {one.field})
        bodies.symbols.read = Marks()
    bodies.symbols.read = read
    _check_made(bodies, operation, sets, found)
    return tuple(found)


def _check_made(
    bodies: Bodies, operation: Signature, sets: YamlNode, found: list[Assignment]
) -> None:
    """Report an operation that makes a thing without setting the field of its presence."""
    if not operation.makes:
        return
    if bodies.report.has_errors:  # the missing part may be the broken one
        bodies.symbols.lookups.note(NEVER_SAME)
        return
    there = f"{operation.makes}.{bodies.symbols.entities[operation.makes].present}"
    made = ("slot", len(operation.params))
    if not any(one.field == there and one.of == made for one in found):
        name = there.partition(".")[2]
        message = f"what `{operation.name}` makes is not there yet: it has no `{name}`"
        bodies.report.error("missing-value", sets.place, message, f"`{name}(result): ...`")


def _moves(bodies: Bodies, operation: Signature, moves: YamlNode) -> Iterator[Move]:
    reach = in_reach(operation)
    names = [one.name for one in reach]
    for key, node in moves.entries.items():
        if key not in names:
            help = did_you_mean(key, names)
            place = moves.key_place(key)
            bodies.report.error("unknown-name", place, f"it has no `{key}` to move", help)
            continue
        index = names.index(key)
        found = bodies.read(node, parse_expr, operation.id, reach)
        to = _zone_for(*found, reach[index]) if found is not None else None
        if to is not None:
            yield Move(index, to[1], to[2])


def _zone_for(ctx: Context, goal: ast.Expr, param: ParamSymbol) -> Expr | None:
    """The zone that a move goes to; None after an error."""
    typed = ctx.check(goal)
    if not typed.sound:
        return None
    zones = ctx.symbols.zones
    if typed.expr[0] != "zone" or zones[typed.expr[1]].at:
        message = f"`{ctx.words(goal)}` is not a zone to move something to"
        known = [zone.name for zone in zones.values() if not zone.at]
        ctx.error("type-mismatch", goal, message, quoted_list(known, "or") if known else None)
        return None
    if param.type.item != typed.type.item and not is_unknown(param.type):
        message = f"`{param.name}` is {ctx.say(param.type)}, and in `{ctx.words(goal)}` lie others"
        ctx.error("type-mismatch", goal, message)
        return None
    return typed.expr


def _fields_that_change(symbols: Symbols) -> str | None:
    changeable = [
        f"{field.name}({symbols.entities[entity].singular})"
        for owners in symbols.fields.values()
        for entity, field in owners.items()
        if not field.static
    ]
    return f"a field that changes: {quoted_list(changeable, 'or')}" if changeable else None


def _assignment(
    bodies: Bodies, operation: Signature, left: YamlNode, right: YamlNode
) -> Assignment | None:
    found = bodies.read(left, parse_expr, operation.id, in_reach(operation))
    if found is None:
        return None
    ctx, target = found
    typed = ctx.check(target)
    if not typed.sound:
        return None
    read, key = (typed.expr[1], typed.expr[2]) if typed.expr[0] == "lookup" else (typed.expr, None)
    if not isinstance(target, ast.CallExpr) or read[0] != "field":
        message = f"`{ctx.words(target)}` is nothing that can be set"
        ctx.error("not-a-field", target, message, _fields_that_change(bodies.symbols))
        return None
    entity, _, name = read[1].partition(".")
    # Only this field of the entity is looked up: a pack may add others.
    type_ = bodies.symbols.entities.part(entity, "fields", name).type
    value = bodies.read(right, parse_expr, operation.id, in_reach(operation))
    if value is None:
        return None
    given = wanted(*value, type_, f"as the new value of `{ctx.words(target)}`")
    return Assignment(read[1], read[2], key, given.expr)
