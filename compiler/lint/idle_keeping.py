"""`keeping` of variables that nothing in its block can change: it puts back what is there."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.resolve.mod_sets import ANY_TRIGGER, CALLING, called_by, reassigned_names
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of


def check(build: Build) -> None:
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
    callees = {called_by(one) for one in nodes_of(node.body, *CALLING)}
    if any(nodes_of(node.body, ast.RollStmt)):  # what answers it may change things, too
        callees.add(ANY_TRIGGER)
    changed = reassigned_names(node.body)
    for name in node.names:
        if name.id not in changed and not any(
            c is not None and symbols.may_change(c, name.id) for c in callees
        ):
            yield name
