"""Lasting effects: items for delayed statements, and the lowering of the texts of all.

Each `next time ...:` and `in 3 times ...:` becomes an item whose texts are the author's own lines, so
that every message points there; the values it keeps are found by a silent check of the game beforehand.
`effect` runs when its time is up, `ended` when it ends early. Both end the effect first: the values
they read are in slots by then. An effect whose bearer has left play, or whose `while` no longer holds,
is ended by a rule that always holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ruleloom.compiler.check.expect import condition, judge, warn_if_constant
from ruleloom.compiler.check.lasting import bearers
from ruleloom.compiler.diagnostics.report import ErrorLimit, Report
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.cost import Call
from ruleloom.compiler.flow.flow import Local
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.lower.triggers import columns_of
from ruleloom.compiler.packs.content import Begun, Content, Item
from ruleloom.compiler.packs.lasting_names import (
    EACH,
    KIND,
    OWNER_NAME,
    SELF,
    THIS,
    told_id,
    unit_of,
)
from ruleloom.compiler.packs.lasting_parts import GeneratedSource, with_lasting
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.mod_sets import reassigned_names
from ruleloom.compiler.resolve.symbols import Lasting, ParamSymbol, Symbols, Waiting
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.types import is_unknown
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.source_map import WovenLine, woven_node
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee, FunctionReads, substitute
from ruleloom.runtime.program.program import Always, Expr
from ruleloom.runtime.program.values import Type

# The start of a line that may be a delayed statement; the syntax tree decides.
LATER = re.compile(r"(?:^|:)[ \t]*(?:next time|in [^:\n]* times) [a-z][^\n]*\(", re.MULTILINE)
WHEN = "when "
INSTANCE: Expr = ("slot", 0)


def with_later(content: Content, report: Report, noted: Callable[[Build], None]) -> Content:
    """Return the content with an item for each delayed statement; `noted` checks a game.

    Errors are reported when the game itself is checked, unless they exceed the limit.
    """
    if not any(source.uses(LATER) for source in _sources(content)):
        return content
    symbols = Symbols(game=content.game)
    silent = Report(limited=True)
    try:
        noted(Build(content, silent, symbols, None))
    except ErrorLimit:
        report.take(silent.found)
        return content
    if not symbols.waiting:
        return content
    items, later = list(content.items), {}
    for number, (start, waiting) in enumerate(symbols.waiting.items(), 1):
        item = _item(content, waiting, number, symbols)
        kept = tuple(name for name in waiting.kept if name != SELF or "on" not in item.fields)
        later[start] = Begun(item.slug, kept, "on" in item.fields, waiting.by_owner)
        items.append(item)
    return replace(content, items=with_lasting(items), later=later)


def _sources(content: Content) -> set[Source]:
    """The sources of items, and those of texts from patches."""
    changed = {id for id, _ in content.history}
    patched = (item for item in content.items if item.id in changed)
    files = {one for path, one in content.sources.items() if path not in content.scenarios}
    return files | {node.source for item in patched for node in item.fields.values()}


def _is_one_thing(type_: Type | None, symbols: Symbols) -> bool:
    if type_ is None or type_.many or type_.optional:
        return False
    return type_.name in symbols.entities


def _item(content: Content, waiting: Waiting, number: int, symbols: Symbols) -> Item:
    """The item of one delayed statement."""
    node, text = waiting.node, waiting.passage
    place = text.place(node.span)
    pack = content.files[place.path][0]
    source = text.written.source
    kept = {name: type_ for name, type_ in waiting.kept.items() if not is_unknown(type_)}

    def written(value: str) -> YamlNode:
        return YamlNode(GeneratedSource(source.path, value, place), "text", value, 0, len(value))

    label = node.label.value if node.label is not None else "something waits"
    operation = symbols.operations.get(node.event.name.id)
    unit = unit_of(node.event.name.id, operation.english if operation is not None else "")
    label += f", in {{time}} {unit}" if node.times is not None else ""
    fields = {
        "kind": written(KIND),
        "title": written("wait"),
        "english": written(label),
        "stacks": written(EACH),
        "abilities": woven_node(written(KIND), _reaction(waiting)),
    }
    if _is_one_thing(kept.get(SELF), symbols):
        fields["on"] = written(kept.pop(SELF).name)
    if kept:
        fields["takes"] = written(", ".join(f"{name}: {one}" for name, one in kept.items()))
    whole = YamlNode(GeneratedSource(source.path, "", place), "map", fields, 0, 0, None)
    return Item(KIND, f"later-{number}", pack, fields, place, whole, source)


def _reaction(waiting: Waiting) -> list[WovenLine]:
    """The lines of `when EVENT where ...:` and its block, at their original places."""
    node, written = waiting.node, waiting.passage.written
    head, begin = node.where or node.event, node.event.span[0]
    colon = written.text.index(":", (node.label or head).span[1])
    text = written.text[: head.span[1]].ljust(colon) + written.text[colon : node.span[1]]
    line = text[text.rfind("\n", 0, node.span[0]) + 1 :]
    when = line[: len(line) - len(line.lstrip())] + WHEN
    lines, at = list[WovenLine](), begin
    for words in text[begin:].split("\n"):
        lines.append(WovenLine(words, written.source, written.offset_of(at)))
        at += len(words) + 1
    first = lines[0]
    return [WovenLine(when + first.text, first.source, first.start - len(when)), *lines[1:]]


def lower_lasting(build: Build) -> None:
    """Lower the texts of all lasting effects, and the rules that end them."""
    for lasting in build.symbols.lasting.values():
        if lasting.signature.broken:
            continue
        for id in filter(None, (lasting.effect, lasting.ended)):
            block = build.bodies.blocks[id]
            if block is not None:
                fades = id == lasting.ended and lasting.names.fade
                found = (_fading if fades else _text)(build, lasting, id, *block)
                build.checked.update(found)
                build.items.update(dict.fromkeys(found, lasting.names.item))
        build.always += _rules(build, lasting)


def _text(
    build: Build, lasting: Lasting, id: str, text: Passage, statements: tuple[ast.Stmt, ...]
) -> dict[str, Checked]:
    """The routine of a text that ends `this` and then runs."""
    ctx = build.bodies.context(text, id, (ParamSymbol(THIS, lasting.entity),))
    ctx.reassigned = reassigned_names(statements)
    origin, place, end = text.origin((0, 0)), text.place((0, 0)), lasting.names.end
    for slot, value in _enter(ctx, lasting, place).items():
        ctx.rows.add(program.Let(origin, slot, value))
    ctx.rows.add(program.Operate(origin, end, (*bearers(lasting, INSTANCE), INSTANCE), -1))
    ctx.costs.append(Call(Callee("event", end), place))
    return {id: build.bodies.lowered(ctx, statements, (THIS,), lasting.names.item.place)}


def _fading(
    build: Build, lasting: Lasting, id: str, text: Passage, statements: tuple[ast.Stmt, ...]
) -> dict[str, Checked]:
    """The routines for an early end that a condition may also cause: rules that always hold only
    operate, so the text answers the operation, which passes the kept values.
    """
    names, origin, place, told = lasting.names, text.origin((0, 0)), text.place((0, 0)), told_id(id)
    params = build.symbols.operations[names.fade].params
    ctx = build.bodies.context(text, told, params)
    ctx.reassigned, ctx.asker = reassigned_names(statements), ("slot", ctx.by_name[OWNER_NAME])
    given = (SELF, THIS) if lasting.on is not None else (THIS,)
    values = tuple(("slot", ctx.by_name[name]) for name in given)
    ctx.rows.add(program.Announce(origin, names.end, values))
    ctx.costs.append(Call(Callee("event", names.end), place))
    own = tuple(one.name for one in params)
    answer = build.bodies.lowered(ctx, statements, own, names.item.place)
    build.triggers.append(program.Trigger(told, names.fade, None, "immediately", told))
    ends = build.bodies.context(text, id, (ParamSymbol(THIS, lasting.entity),))
    ends.rows.add(program.Operate(origin, names.fade, _kept(lasting), -1))
    ends.costs.append(Call(Callee("event", names.fade), place))
    return {id: build.bodies.lowered(ends, (), (THIS,), names.item.place), told: answer}


def _kept(lasting: Lasting) -> tuple[Expr, ...]:
    """The values of the effect in the first slot, and itself, as arguments of `fade`."""
    known = {name: kept for name, (_, kept) in lasting.known(INSTANCE).items()}
    values = [known[one.name] for one in lasting.signature.params]
    return (*bearers(lasting, INSTANCE), *values, known[OWNER_NAME], INSTANCE)


def _enter(ctx: Context, lasting: Lasting, place: Place) -> dict[int, Expr]:
    """Bind the values kept by the effect in the first slot; the expression of each by its slot."""
    found: dict[int, Expr] = {}
    for name, (type_, kept) in lasting.known(INSTANCE).items():
        slot = ctx.slot(name)
        ctx.enter(Local(name, slot, type_, place, "kept by the effect", used=True))
        found[slot] = kept
    ctx.asker = ("slot", ctx.by_name[OWNER_NAME])
    return found


def _rules(build: Build, lasting: Lasting) -> list[Always]:
    """The rules that end an effect whose bearer is gone, or whose `while` no longer holds."""
    names, found = lasting.names, lasting.found()
    rules: list[Always] = []
    entity = build.symbols.entities.get(lasting.on.name) if lasting.on is not None else None
    bearer = lasting.known(INSTANCE)[SELF][1] if lasting.on is not None else None
    if entity is not None and entity.present and bearer is not None:
        there = f"{entity.name}.{entity.present}"
        gone: Expr = ("is_none", ("field", there, bearer))
        english = f"what is gone bears no {names.noun}"
        lost = f"{names.lose}", found, gone, names.lose, (INSTANCE,), (there,), english
        rules.append(Always(*lost))
    holds = _condition(build, lasting)
    if holds is not None:
        told = _kept(lasting) if names.fade else (*bearers(lasting, INSTANCE), INSTANCE)
        columns = {*columns_of(build.bodies, holds), *columns_of(build.bodies, found)}
        english = f"the {names.noun} ends"
        test, ends, reads = ("not", holds), names.fade or names.end, tuple(sorted(columns))
        rules.append(Always(names.end, found, test, ends, told, reads, english))
    return rules


def _condition(build: Build, lasting: Lasting) -> Expr | None:
    """The condition in `while`, over the effect in the first slot."""
    written = lasting.names.item.fields.get("while")
    found = build.bodies.read(written, parse_expr, "", (ParamSymbol(THIS, lasting.entity),))
    if found is None:
        return None
    ctx, node = found
    known = _enter(ctx, lasting, ctx.passage.place((0, 0)))
    typed = condition(ctx, node)
    judge(ctx, 0, None)
    if typed.sound:
        warn_if_constant(ctx, node, typed.expr)
    return substitute(typed.expr, known) if typed.sound else None


def watch_variables(build: Build) -> None:
    """Make assignments to a variable that an always-rule reads apply the rule at once."""
    if not build.is_sound:
        return
    reads = FunctionReads(build.functions)
    rules = [expr for rule in build.always for expr in (rule.domain, rule.when)]
    watched = frozenset[str]().union(*(reads.within(expr).scope for expr in rules))

    def rewritten(row: program.Row) -> program.Row:
        if isinstance(row, program.SetScope) and row.name in watched:
            return program.SetWatched(row.origin, row.name, row.value)
        return row

    if watched:
        build.rewrite(rewritten)
