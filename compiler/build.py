"""Makes the program of a game out of its content: names first, then every text, then what they are
together.

Everything that can be checked is checked; the program comes out only if nothing is wrong. The same
content gives an equal program.

The English is imported where it is asked for, not above: a mere check writes none, and would wait
longer for those modules than for the rest of the check of a small pack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ruleloom.compiler.bounds.keyword_bounds import check_keyword_bounds
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow.context import Reason
from ruleloom.compiler.lint.ignored_fields import check_needs
from ruleloom.compiler.lint.missing_fields import check_asked
from ruleloom.compiler.lint.never_happens import warn_of_idle
from ruleloom.compiler.lint.redundant_ignoring import warn_of_idle_ignoring
from ruleloom.compiler.lint.uniqueness import check_unique
from ruleloom.compiler.lint.unused import unused_items
from ruleloom.compiler.lower.assignments import build_assignments, build_moves
from ruleloom.compiler.lower.call_graph import (
    check_late_ensures,
    check_triggers,
    check_uses,
    refuse_many,
    replacements_by_operation,
    triggers_by_operation,
    with_bounds,
)
from ruleloom.compiler.lower.notation import check_notation
from ruleloom.compiler.lower.program import Parts, assemble
from ruleloom.compiler.lower.reactions import build_reaction, refuse_kept
from ruleloom.compiler.lower.requirements import build_requirement
from ruleloom.compiler.lower.routines import Bodies, Checked
from ruleloom.compiler.lower.sheets import build_sheet
from ruleloom.compiler.lower.triggers import build_always, build_trigger, enter_events
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.ownership import Belonging
from ruleloom.compiler.resolve.embedded import passage
from ruleloom.compiler.resolve.items import called_table, read_declarations
from ruleloom.compiler.resolve.operations import read_calls
from ruleloom.compiler.resolve.records import build_entities
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.resolve.templates import signature_template
from ruleloom.compiler.resolve.vocabulary import read_parts, read_things, section
from ruleloom.compiler.syntax.ast import Stmt
from ruleloom.compiler.types import is_unknown
from ruleloom.runtime.program.program import Function, Program, ScopeVariable
from ruleloom.runtime.program.values import BOOL, INT, PLAYER, TEXT, Type

Effects = Mapping[str, Sequence[Stmt]]


def build_program(
    content: Content, report: Report, texts: bool = True, reasons: bool = True
) -> Program | None:
    """Check all of a game's content; its program if nothing is wrong with it.

    `texts` says whether the program is to hold the generated rules text of each item, `reasons`
    whether its conditions are to say why an option is refused.
    """
    symbols = Symbols(game=content.game, belonging=Belonging.of(content))
    read_names(content, symbols, report)
    check_keyword_bounds(content, symbols, report)
    check_needs(content, symbols, report)
    check_unique(content, symbols, report)
    bodies = Bodies(content, symbols, report, _reason() if reasons else None)
    parts = Parts(entities=build_entities(content, symbols, report))
    if "$patch" not in symbols.poisoned:
        # A patch that could not be read may be the one that says something of them.
        symbols.new_values.complain(report)
    symbols.made = {entity.name: entity for entity in parts.entities}
    bodies.records = {entity.name: entity.names for entity in parts.entities}
    _check_defaults(bodies)
    bodies.parse_effects([item for item in content.items if "effect" in item.fields])
    _functions(bodies, parts)
    _scope(bodies, parts)
    parts.assignments = build_assignments(bodies)
    parts.moves = build_moves(bodies)
    _routines(bodies, parts)
    _standing(bodies, parts)
    _together(bodies, parts)
    check_notation(content, symbols, parts.checked, parts.entities, report)
    unused_items(content, symbols, report)
    flows = {item.name: item.id for item in content.by_kind("flow")}
    _check_flows(content, symbols, flows, report)
    warn_of_idle(bodies, parts)
    if report.has_errors:
        return None
    effects = {id: block[1] for id, block in bodies.blocks.items() if block is not None}
    return assemble(
        content, symbols, parts, flows, _written(content, symbols, report, effects, texts)
    )


def _reason() -> Reason:
    """What words a condition."""
    from ruleloom.compiler.english.clause import condition_template  # see the head of this module

    return condition_template


def _written(
    content: Content, symbols: Symbols, report: Report, effects: Effects, texts: bool
) -> tuple[tuple[str, str], ...]:
    """The rules texts, if they are asked for; texts that authors have printed are compared with
    them."""
    if not texts and not any(
        "text" in item.fields and "effect" in item.fields for item in content.items
    ):
        return ()
    from ruleloom.compiler.english.compare import compare_texts  # see the head of this module
    from ruleloom.compiler.english.rules_text import all_texts

    compare_texts(content, symbols, report, effects)
    return all_texts(content, symbols, effects) if texts else ()


def read_names(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter every name of the game."""
    symbols.renamed, symbols.old_words = content.renamed, content.old_words
    read_things(content, symbols, report)
    read_parts(content, symbols, report)
    read_calls(content, symbols, report)
    read_declarations(content, symbols, report)
    enter_events(symbols)


def _check_defaults(bodies: Bodies) -> None:
    for kind in ("measure", "stat", "rule", "power", "keyword"):
        for item in bodies.content.by_kind(kind):
            table = called_table(bodies.symbols, kind)
            callee = table.get(item.slug)
            if (
                callee is None
                or callee.id != item.id
                or not any(param.default for param in callee.params)
            ):
                continue
            text = passage(bodies.content, item, "takes", bodies.report)
            if text is not None:
                bodies.defaults(callee, text)


def _functions(bodies: Bodies, parts: Parts) -> None:
    bodies.stats.bearers.check()
    for name, callee in bodies.symbols.callables.items():
        if callee.kind not in ("rule", "measure", "stat", "table"):
            continue
        body = bodies.functions.body(name)
        if body is None:
            continue
        names = tuple(param.name for param in callee.params)
        slots = tuple(("slot", number) for number in range(len(names)))
        english = signature_template(bodies.symbols, callee, slots)
        soft = callee.kind == "rule"
        types = tuple(str(param.type) for param in callee.params)
        parts.functions.append(
            Function(callee.id, names, types, str(callee.result), body.expr, soft, english)
        )
        if callee.id in bodies.stats.built:
            parts.stats.append(bodies.stats.built[callee.id])


def _scope(bodies: Bodies, parts: Parts) -> None:
    written = {
        name: node
        for item in bodies.content.by_kind("vocabulary")
        for name, node, _ in section(item, "scope")
    }
    for name, symbol in bodies.symbols.scope.items():
        node = written.get(name)
        initial = node.get("initial") if node is not None else None
        if initial is not None:
            value = bodies.constant(initial, symbol.type)
        else:
            value = _natural(symbol.type)
            if value is None and not symbol.type.optional and not is_unknown(symbol.type):
                bodies.report.error(
                    "missing-value",
                    symbol.place,
                    f"`{name}` needs a value to begin with",
                    "`initial:`",
                )
        life = str(node.entries["life"].value) if node is not None and node.get("life") else "game"
        parts.scope.append(ScopeVariable(name, str(symbol.type), life, value))


def _natural(type_: Type) -> Any:
    """What a variable begins with that says nothing of it."""
    if type_.optional:
        return None
    if type_.many:
        return ()
    return {INT: 0, BOOL: False, TEXT: "", PLAYER: 0}.get(type_)


# ---------------------------------------------------------------------------------- routines


def _routines(bodies: Bodies, parts: Parts) -> None:
    content, symbols = bodies.content, bodies.symbols
    for item in content.by_kind("power"):
        callee = symbols.powers.get(item.slug)
        if callee is None or callee.id != item.id or callee.broken:
            continue
        promised = (callee.result_name, callee.result) if callee.result is not None else None
        _add(parts, item, bodies.routine(item, callee.params, promised))
    records = [item for item in content.items if item.kind in symbols.kinds]
    for item in (*content.by_kind("fusion"), *content.by_kind("flow"), *records):
        if item.id in bodies.blocks:
            _add(parts, item, bodies.routine(item, ()))


def _add(parts: Parts, item: Item, checked: Checked | None) -> None:
    if checked is not None:
        parts.checked[item.id] = checked


def _standing(bodies: Bodies, parts: Parts) -> None:
    for item in bodies.content.by_kind("trigger"):
        found = build_trigger(bodies, item)
        if found is not None:
            parts.triggers.append(found[0])
            parts.checked[item.id] = found[1]
    for reacting in bodies.stats.abilities.reactions:
        reaction = build_reaction(bodies, reacting)
        if reaction is not None:
            parts.triggers += reaction.triggers
            parts.replacements += reaction.replacements
            parts.checked.update(reaction.routines)
            parts.items.update(dict.fromkeys(reaction.routines, reacting.texts[0].item))
    for item in bodies.content.by_kind("requirement"):
        requirement = build_requirement(bodies, item)
        if requirement is not None:
            parts.requirements.append(requirement)
    for item in bodies.content.by_kind("sheet"):
        sheet = build_sheet(bodies, item)
        if sheet is not None:
            parts.sheets.append(sheet)
    for vocabulary in bodies.content.by_kind("vocabulary"):
        always = vocabulary.fields.get("always")
        for node in always.items if always is not None else []:
            rule = build_always(bodies, node)
            if rule is not None:
                parts.always.append(rule)
    refuse_kept(bodies, [rule.operation for rule in parts.always])


def _together(bodies: Bodies, parts: Parts) -> None:
    """Check how the texts use and answer one another, and add up their bounds."""
    symbols, report = bodies.symbols, bodies.report
    items = {**{item.id: item for item in bodies.content.items}, **parts.items}
    powers = [power for entity in parts.entities for power in entity.powers if power]
    check_uses(parts.checked, items, report)
    refuse_many(bodies.content, report)
    own = sorted(set(powers))
    check_triggers(symbols, parts.checked, parts.triggers, own, items, report, parts.replacements)
    replaced = replacements_by_operation(parts.replacements)
    at_once = triggers_by_operation(
        symbols, [one for one in parts.triggers if one.timing == "immediately"]
    )
    check_late_ensures(symbols, parts.checked, report, (replaced, at_once))
    answers = triggers_by_operation(symbols, parts.triggers)
    warn_of_idle_ignoring(bodies, parts)
    check_asked(bodies, parts)
    parts.routines = with_bounds(parts.checked, answers, items, report, replaced)


def _check_flows(content: Content, symbols: Symbols, flows: dict[str, str], report: Report) -> None:
    """A game that can change anything must say how it begins and what a turn is."""
    if not symbols.operations or not content.complete:
        return
    place = content.by_kind("vocabulary")[0].place
    for name in ("set_up", "turn"):
        if name not in flows and "$flow" not in symbols.poisoned:
            report.error(
                "missing-flow",
                place,
                f"this game has no flow `{name}`",
                f"`kind: flow`, `id: {name}`",
            )
