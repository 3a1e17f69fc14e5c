"""`ensure` in a response to an event, where nothing has been asked yet: it prevents nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import PERSON, forms_that, walk

ASKING = forms_that(lambda facts: facts.asks == PERSON or facts.calls in ("power", "record"))


def check(build: Build) -> None:
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
