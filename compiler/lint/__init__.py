"""Checks of a whole game: a module each, named in one list, with one function `check(build)`.

Checks of a single text (constant conditions, what is never reached, ways that do the same) stand in
`ruleloom.compiler.check`, where the text is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ruleloom.compiler.lint import (
    cited_clauses,
    idle_ensures,
    idle_keeping,
    ignored_fields,
    lasting_ends,
    missing_fields,
    missing_flows,
    never_happens,
    notation,
    odd_english,
    passed_over,
    redundant_ignoring,
    rulebook_names,
    same_title,
    silent_tables,
    uniqueness,
    unspoken_values,
    unused,
)
from ruleloom.compiler.lower.program import Build

__all__ = ["CHECKS", "Check", "run_checks"]


class Check(NamedTuple):
    """One check of a lowered game.

    It runs on broken games only if it says so: in others, what is missing may be what it misses.
    """

    run: Callable[[Build], None]
    on_broken: bool = False


# Where one finds an error, those below it that want a sound game do not run.
CHECKS = [
    Check(ignored_fields.check, on_broken=True),
    Check(uniqueness.check, on_broken=True),
    Check(silent_tables.check, on_broken=True),
    Check(redundant_ignoring.check),
    Check(missing_fields.check),
    Check(notation.check, on_broken=True),
    Check(unused.check),
    Check(same_title.check),
    Check(rulebook_names.check),
    Check(odd_english.check),
    Check(missing_flows.check, on_broken=True),
    Check(never_happens.check),
    Check(lasting_ends.check),
    Check(passed_over.check),
    Check(idle_ensures.check),
    Check(idle_keeping.check),
    Check(unspoken_values.check),
    Check(cited_clauses.check),
]


def run_checks(build: Build) -> None:
    """Run each check that the game is sound enough for."""
    for check in CHECKS:
        if check.on_broken or build.is_sound:
            check.run(build)
