"""Checks of a whole game: functions by subject, a module each, all in one list.

Checks of a single text (constant conditions, unreachable statements, modes with the same effect) are in
`ruleloom.compiler.check`, where the text is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ruleloom.compiler.lint import (
    against,
    bypassed,
    cited_clauses,
    deprecated,
    in_vain,
    migrations,
    notation,
    odds_tables,
    pictures,
    printed,
    rules_words,
    unused,
)
from ruleloom.compiler.lower.program import Build

__all__ = ["CHECKS", "Check", "run_checks"]


class Check(NamedTuple):
    """One check of a lowered game.

    It runs on broken games only with `on_broken`: in others, a broken part may be the missing one.
    """

    run: Callable[[Build], None]
    on_broken: bool = False


# After an error, the checks below it that need a sound game do not run.
CHECKS = [
    Check(printed.ignored_fields, on_broken=True),
    Check(printed.text_holes, on_broken=True),
    Check(printed.printed_twice, on_broken=True),
    Check(printed.allowed_requirements),
    Check(printed.silent_tables, on_broken=True),
    Check(in_vain.redundant_ignoring),
    Check(printed.missing_fields),
    Check(pictures.pictures),
    Check(migrations.migrations),
    Check(notation.notation, on_broken=True),
    Check(odds_tables.odds_tables),
    Check(unused.unused),
    Check(deprecated.deprecated_uses),
    Check(printed.same_title),
    Check(cited_clauses.rulebook_names),
    Check(rules_words.odd_english),
    Check(unused.missing_flows, on_broken=True),
    Check(unused.never_happens),
    Check(bypassed.bypassed_moments),
    Check(against.moved_on),
    Check(in_vain.lasting_ends),
    Check(in_vain.passed_over),
    Check(in_vain.idle_ensures),
    Check(in_vain.idle_keeping),
    Check(rules_words.unspoken_values),
    Check(rules_words.foreign_limits),
    Check(cited_clauses.cited_clauses),
]


def run_checks(build: Build) -> None:
    """Run each check that suits the soundness of the game."""
    for check in CHECKS:
        if check.on_broken or build.is_sound:
            check.run(build)
