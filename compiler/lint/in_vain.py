"""Statements that come to nothing: `ensure` in a response, `keeping` and `ignoring` of what is not touched.

Where nothing has been asked yet, `ensure` in a response to an event prevents nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.mod_sets import ANY_TRIGGER, CALLING, reassigned_names, set_going
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.outline import names_read
from ruleloom.compiler.summary.summaries import Summaries
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import PERSON, forms_that, nodes_of, walk
from ruleloom.runtime.program.calls import called_by, reached
from ruleloom.runtime.program.expr import expressions_of
from ruleloom.runtime.program.program import Row

ASKING = forms_that(lambda facts: facts.asks == PERSON or facts.calls in ("power", "record"))


def idle_ensures(build: Build) -> None:
    """Warn about each: what led to a response has happened, whatever the response ensures."""
    places = dict.fromkeys(place for text in _responses(build) for place in _idle(*text))
    for place in places:
        message = (
            "a response prevents nothing that led to it: this only ends it where it does not hold"
        )
        help = "`where` behind the event, `if ...: stop`, or `restrict` a rule to prevent what leads here"
        build.report.warning("ensure-after-barrier", place, message, help)


def _responses(build: Build) -> Iterator[tuple[Passage, tuple[ast.Stmt, ...]]]:
    below = build.content.built_upon
    for one in build.bodies.stats.abilities.reactions:
        if one.texts[-1].item.pack not in below:
            yield one.texts[-1].passage, one.node.body
    for item in build.content.by_kind("trigger"):
        block = build.bodies.blocks.get(item.id)
        if block is not None and item.pack not in below:
            yield block


def _idle(passage: Passage, body: tuple[ast.Stmt, ...]) -> Iterator[Place]:
    """Where it stands before the first question; behind one, it says what may be answered."""
    found = list(walk(body))
    asked = [one.span[0] for one in found if isinstance(one, ASKING)]
    for one in found:
        if isinstance(one, ast.EnsureStmt) and all(one.span[0] < start for start in asked):
            yield passage.place(one.span)


def idle_keeping(build: Build) -> None:
    """Warn about each such variable, in packs that no other builds upon."""
    below = build.content.built_upon
    for passage, block in build.bodies.texts():
        if build.content.files[passage.path][0] in below:
            continue
        for node in nodes_of(block, ast.KeepingStmt):
            for name in _unchanged(node, build.symbols):
                message = f"nothing in here changes `{name.id}`, so keeping it makes no difference"
                build.report.warning("nothing-kept", passage.place(name.span), message)


def _unchanged(node: ast.KeepingStmt, symbols: Symbols) -> Iterator[ast.Name]:
    callees = {set_going(one) for one in nodes_of(node.body, *CALLING)}
    if any(nodes_of(node.body, ast.RollStmt)):  # what answers it may change things, too
        callees.add(ANY_TRIGGER)
    changed = reassigned_names(node.body)
    for name in node.names:
        if name.id not in changed and not any(
            c is not None and symbols.may_change(c, name.id) for c in callees
        ):
            yield name


def redundant_ignoring(build: Build) -> None:
    """Warn about each rule that is ignored where nothing asks for it."""
    for checked in build.checked.values():
        for one in checked.lifted:
            rows = checked.routine.rows[one.first : one.last]
            if not _asks(build.summaries, one.rule, rows):
                message = (
                    f"nothing in here asks for `{one.name}`, so ignoring it makes no difference"
                )
                build.report.warning("nothing-ignored", one.place, message)


def _asks(table: Summaries, rule: str, rows: Sequence[Row]) -> bool:
    """Does a stretch of rows ask for the rule, itself or by what it uses and sets off?"""
    met = reached(called_by(rows), lambda one: table.all.get(one, ()))
    if any(one.kind == "record" for one in met):
        return True
    if rule in table.symbols.always:
        return any(one.kind == "event" for one in met)
    names = table.through(names_read(expr for row in rows for expr in expressions_of(row)))
    return any(
        (form, rule) in names for names in (names, *map(table.names_at, met)) for form in CALLED
    )


CALLED = ("function", "allowed")
