"""Statements without effect, and effects that last forever, never or for nobody.

`ensure` in a response to an event, before any prompt, prevents nothing; `keeping` and `ignoring` may
name variables and rules that the block does not affect. The events before and after a power are raised
only for the players for whom it is used: if each text that uses it selects them, the others keep an
effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.lasting_names import NEVER, SELF, told_id
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.embedded import read_text
from ruleloom.compiler.resolve.mod_sets import ANY_TRIGGER, CALLING, reassigned_names, set_going
from ruleloom.compiler.resolve.symbols import Lasting, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.summaries import Summaries, names_read
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr, parse_occurrence
from ruleloom.compiler.syntax.tree import PERSON, forms_that, names_spoken, nodes_of, walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.expr import called_by, expressions_of, mentions, reached
from ruleloom.runtime.program.program import Expr, JumpUnless, Let, Row, Use

ASKING = forms_that(lambda facts: facts.asks == PERSON or facts.calls in ("power", "record"))
CALLED = ("function", "allowed")
ENDINGS = ("counts", "until", "while")
HELP = "`while:`, or an `until:` that comes whoever is passed over, such as `after turn()`"


def idle_ensures(build: Build) -> None:
    """Warn about each `ensure` that comes too late: the cause of a response has happened."""
    places: dict[Place, None] = {}
    for response in build.responses():
        if response.item.pack in build.content.built_upon:
            continue
        found = list(walk(response.body))
        asked = [one.span[0] for one in found if isinstance(one, ASKING)]
        for one in found:
            # After a prompt, it limits the answers.
            if isinstance(one, ast.EnsureStmt) and all(one.span[0] < start for start in asked):
                places[response.passage.place(one.span)] = None
    for place in places:
        message = "a response cannot prevent its cause: where this fails, only the response ends"
        help = "`where` behind the event, `if ...: stop`, or `restrict` a rule to prevent what leads here"
        build.report.warning("ensure-after-barrier", place, message, help)


def idle_keeping(build: Build) -> None:
    """Warn about kept variables that do not change, except in packs built upon."""
    below = build.content.built_upon
    for passage, block in build.bodies.texts():
        if build.content.files[passage.path][0] in below:
            continue
        for node in nodes_of(block, ast.KeepingStmt):
            for name in _unchanged(node, build.symbols):
                message = f"nothing in this block changes `{name.id}`, so `keeping` has no effect"
                build.report.warning("nothing-kept", passage.place(name.span), message)


def _unchanged(node: ast.KeepingStmt, symbols: Symbols) -> Iterator[ast.Name]:
    callees = {set_going(one) for one in nodes_of(node.body, *CALLING)}
    if any(nodes_of(node.body, ast.RollStmt)):  # its answers may change variables, too
        callees.add(ANY_TRIGGER)
    changed = reassigned_names(node.body)
    for name in node.names:
        if name.id not in changed and not any(
            c is not None and symbols.may_change(c, name.id) for c in callees
        ):
            yield name


def redundant_ignoring(build: Build) -> None:
    """Warn about each ignored rule that the block does not use."""
    for checked in build.checked.values():
        for one in checked.lifted:
            rows = checked.routine.rows[one.first : one.last]
            if not _asks(build.summaries, one.rule, rows):
                message = f"nothing in this block uses `{one.name}`, so `ignoring` has no effect"
                build.report.warning("nothing-ignored", one.place, message)


def _asks(table: Summaries, rule: str, rows: Sequence[Row]) -> bool:
    """Whether some rows use a rule, directly or by what they use and trigger."""
    met = reached(called_by(rows), lambda one: table.all.get(one, ()))
    if any(one.kind == "record" for one in met):
        return True
    if rule in table.symbols.always:
        return any(one.kind == "event" for one in met)
    names = table.through(names_read(expr for row in rows for expr in expressions_of(row)))
    return any(
        (form, rule) in names for names in (names, *map(table.names_at, met)) for form in CALLED
    )


def lasting_ends(build: Build) -> None:
    """Warn about effects that last forever or never begin, and about values kept but never read."""
    below = build.content.built_upon
    doers: dict[str, set[str]] = {}
    for id in build.checked:
        for done in build.summaries.outline(id).calls:
            doers.setdefault(done.name, set()).add(id)
    for lasting in build.symbols.lasting.values():
        item, name = lasting.names.item, lasting.names.query
        if item.pack in below:
            continue
        if lasting.names.begin not in doers:
            build.report.warning("unused-item", item.place, f"nothing begins `{name}`")
        elif not _ends(lasting, doers):
            message = f"nothing ends `{name}`: once begun, it lasts for ever"
            help = f"`counts:`, `until:` or `while:`; or `until: {NEVER}`"
            build.report.warning("never-ends", item.place, message, help)
        _check_values(build, lasting)


def _ends(lasting: Lasting, doers: Mapping[str, set[str]]) -> bool:
    """Whether anything ends it. `doers` maps operations and texts to their users."""
    fields, names = lasting.names.item.fields, lasting.names
    if names.counts or any(field in fields for field in ENDINGS):
        return True
    own = {lasting.effect, lasting.ended, told_id(lasting.ended)}  # runs only when it ends
    return any(doers.get(done, own) - own for done in (names.end, lasting.ended))


def _check_values(build: Build, lasting: Lasting) -> None:
    """Warn about parameters of an effect that are never read."""
    item = lasting.names.item
    spoken = set(HOLE.findall(str(item.data("english") or "")))
    spoken |= {name for tree in _texts(build, lasting) for name in names_spoken(tree)}
    for param in lasting.signature.params:
        column = f"{lasting.names.entity}.{param.name}"
        if param.name not in spoken and column not in build.symbols.read:
            message = f"it takes `{param.name}`, and nothing reads that"
            build.report.warning("never-read", item.fields["takes"].place, message)


def _texts(build: Build, lasting: Lasting) -> Iterator[Any]:
    item = lasting.names.item
    yield build.bodies.stats.abilities.block(item)
    for id in filter(None, (lasting.effect, lasting.ended)):
        block = build.bodies.blocks[id]
        yield block[1] if block is not None else ()
    forms: list[tuple[Any, Callable[[str], Any]]] = [(item.fields.get("while"), parse_expr)]
    forms += [(node, parse_occurrence) for node in _written(lasting)]
    for node, parse in forms:
        found = read_text(build.content, node, parse, Report())
        yield found[1] if found is not None else ()


def passed_over(build: Build) -> None:
    """Warn about effects all of whose ends may skip their bearer."""
    below = build.content.built_upon
    for lasting in build.symbols.lasting.values():
        item = lasting.names.item
        if item.pack in below or lasting.names.is_later or "while" in item.fields:
            continue
        nodes = [*_written(lasting)]
        ends = [read_text(build.content, node, parse_occurrence, Report()) for node in nodes]
        if ends and all(end is not None and _may_pass(build, end[1].event) for end in ends):
            power = next(end[1].event.name.id for end in ends if end is not None)
            message = f"`{power}(...)` is not raised for everybody: a player passed over keeps it"
            build.report.warning("may-never-end", nodes[0].place, message, HELP)


def _written(lasting: Lasting) -> Iterator[YamlNode]:
    """The events that end or count down an effect."""
    for node in map(lasting.names.item.fields.get, ("counts", "until")):
        if node is not None:
            yield from node.items if node.kind == "list" else (node,)


def _may_pass(build: Build, event: ast.CallExpr) -> bool:
    """Whether an event is about the bearer, and each use of its power selects the players it is for."""
    names = [arg.value.id for arg in event.args if isinstance(arg.value, ast.Name)]
    phase, _, name = event.name.id.rpartition(" ")
    power = build.symbols.powers.get(name)
    if not phase or power is None or SELF not in names:
        return False
    place = names.index(SELF)
    uses = [
        _picks(one.routine.rows, number, row.args[place])
        for one in build.checked.values()
        for number, row in enumerate(one.routine.rows)
        if isinstance(row, Use) and row.routine == power.id and place < len(row.args)
    ]
    return bool(uses) and all(uses)


def _picks(rows: Sequence[Row], number: int, arg: Expr) -> bool:
    """Whether a text uses a power for `arg` only under a condition, or as a member of a filtered list."""
    asked = (
        row.condition
        for at, row in enumerate(rows[:number])
        if isinstance(row, JumpUnless) and row.to > number
    )
    set_to = {row.slot: row.value for row in rows[:number] if isinstance(row, Let)}
    return any(mentions(one, arg) for one in asked) or _is_sifted(set_to, arg)


def _is_sifted(set_to: Mapping[int, Expr], arg: Expr) -> bool:
    """Whether an expression is a member of a filtered list."""
    match set_to.get(arg[1]) if arg[0] == "slot" else arg:
        case ("lookup", ("slot", whole), _):
            match set_to.get(whole):
                case ("each", "those", _, _, _, where):
                    return where is not None
    return False
