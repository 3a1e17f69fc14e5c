"""Warns about `ignoring` around rows that never ask for the rule, not even indirectly."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.summary.summaries import Summaries, names_read
from ruleloom.runtime.program.calls import called_by, reached
from ruleloom.runtime.program.expr import expressions_of
from ruleloom.runtime.program.program import Row


def check(build: Build) -> None:
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
