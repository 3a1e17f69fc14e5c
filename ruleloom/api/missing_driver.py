"""Finds the queries and operations of a game that need a driver in Python.

The compiler knows no drivers: an embedding program may have its own. The commands have only the drivers here,
so they cannot play such a game.
"""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import fields_of
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.games.plain import left_to_driver, seat_queries

OF_SEATS = (
    f"without one there are {quoted_list([*seat_queries(1)], 'and')}, and those that say `of:`"
)


def with_driver(result: CompileResult) -> CompileResult:
    """The result with an error for each query or operation that lacks a driver, then no program.

    A game that cannot be played yet, without a flow `set_up`, may still get one.
    """
    program, content = result.program, result.content
    if program is None or content is None or not program.set_up or program.game in DRIVERS:
        return result
    said, names = list(result.diagnostics), left_to_driver(program)
    for item in content.by_kind("vocabulary"):
        for part, help in (("queries", OF_SEATS), ("operations", "say under `sets:` what it sets")):
            for name, _, place in fields_of(item.fields.get(part)):
                if name in names:
                    message = f"`{name}` needs a driver in Python, and `{content.game}` has none"
                    said.append(Diagnostic(place, "error", "missing-driver", message, help))
    if len(said) == len(result.diagnostics):
        return result
    return replace(result, program=None, diagnostics=tuple(sorted(said, key=Diagnostic.order)))
