"""All cases of the packs that are checked: their form first, then the names and values in them.

What goes in is a built game and the files of scenarios; what comes out are mistakes, which leave
the game itself playable. Names are only looked at where the game is sound.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

from ruleloom.compiler.cases.answer_checks import AnswerChecks
from ruleloom.compiler.cases.case_model import (
    ANSWERS,
    ATTEMPT,
    BUILD,
    DO,
    PLAYED,
    THEN,
    CaseNode,
)
from ruleloom.compiler.cases.case_reader import file_of_cases
from ruleloom.compiler.cases.case_values import CaseValues, Faults
from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.compiler.cases.claim_checks import ClaimChecks
from ruleloom.compiler.cases.given_checks import (
    wrong_choices,
    wrong_made,
    wrong_players,
    wrong_state,
    wrong_zones,
)
from ruleloom.compiler.cases.known_names import GameNames, OwnNames
from ruleloom.compiler.cases.log_words import CaseLog, LogWords
from ruleloom.compiler.cases.notation_words import NotationWords
from ruleloom.compiler.cases.played_checks import PlayedChecks
from ruleloom.compiler.cases.played_claims import PlayedClaims
from ruleloom.compiler.cases.prompts import Prompts
from ruleloom.compiler.cases.supply_checks import (
    Supply,
    laid_twice,
    lies_in_two_places,
    too_many_made,
)
from ruleloom.compiler.cases.text_checks import Lowered, TextChecks
from ruleloom.compiler.cases.thing_checks import wrong_things
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lint.cited_clauses import Ledger
from ruleloom.compiler.lint.notation import Ways
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.resolve.values import key_node
from ruleloom.compiler.yaml.node import YamlNode, items_of, to_data

USUAL_PLAYERS = 2  # of a case that is played in steps and names none


def check_cases(build: Build, report: Report) -> None:
    """Complain about every case that cannot be run."""
    content = build.content
    checks = CaseChecks(build) if content.cases and build.is_sound else None
    for path, root in content.cases.items():
        if not build.report.has_errors_in(path):
            check_file(root, checks, report)


def check_file(root: YamlNode, checks: CaseChecks | None, report: Report) -> None:
    """Complain about the cases of one file; without `checks`, only about their form."""
    file = file_of_cases(root)
    report.take(file.found)
    for case in file.sound:
        if checks is not None:
            report.take(checks.faults(case))


def _notation_of(build: Build) -> NotationWords:
    """The words of the notation, and of the powers, triggers and ways that it has no word for."""
    data: dict[str, Any] = {}
    for item in build.content.by_kind("notation"):
        data |= {key: to_data(node) for key, node in item.fields.items() if key != "kind"}
    ways = Ways(build)
    for id in build.checked:
        ways.call(slug_of(id), id)
    return NotationWords(
        data, ways.powers, lambda power: {name: name for name in ways.asked([power])}
    )


class CaseChecks:
    """The checks of cases of one game."""

    def __init__(self, build: Build) -> None:
        self.game = GameNames(build)
        self.texts = TextChecks(self.game)
        self.words = _notation_of(build)
        self.ledger = Ledger(build.content)
        self.packs = {path: pack for path, (pack, _) in build.content.files.items()}

    @cached_property
    def log(self) -> LogWords:
        """The lines and words of the log of the game."""
        return LogWords(self.game)

    def _log_of(self, case: CaseNode, values: CaseValues) -> Callable[[], CaseLog]:
        """The log of one case, read when a claim is about it."""

        def log() -> CaseLog:
            steps = items_of(case.body.get("when"))
            parts = [step.get(key) for step in steps for key in (DO, ANSWERS)]
            nodes = [one for one in (case.body.get("given"), *parts) if one is not None]
            return CaseLog(self.log, values.names.own_texts, values.names.players, nodes)

        return cache(log)

    def faults(self, case: CaseNode) -> Faults:
        """The mistakes in a case whose form is sound."""
        yield from self.ledger.faults(case.whole.get("clauses"), self.packs[case.whole.source.path])
        checks = {BUILD: self._built, ATTEMPT: self._tried, PLAYED: self._played}
        if case.form in checks:
            yield from checks[case.form](case)

    def _built(self, case: CaseNode) -> Faults:
        given, then = case.body.entries["given"], case.body.entries[THEN]
        values = CaseValues(OwnNames.of(self.game, case.body))
        yield from wrong_choices(values, given, case.refused or case.is_meant_illegal)
        if not case.refused:
            found = Lowered()
            yield from wrong_things(values, self.texts, given, found)
            answers = AnswerChecks(values, self._prompts(found))
            yield from ClaimChecks(values, answers, self._log_of(case, values)).faults(then)

    def _tried(self, case: CaseNode) -> Faults:
        values = CaseValues(OwnNames.of(self.game, case.body))
        given = case.body.get("given")
        if given is not None:
            yield from wrong_players(values, given)
            yield from wrong_choices(values, given, case.refused)
        if case.refused:
            return
        found = Lowered()
        if given is not None:
            yield from wrong_things(values, self.texts, given, found)
            yield from wrong_state(values, given)
            yield from wrong_made(values, given)
            yield from wrong_zones(values, given.get("zones"))
            yield from too_many_made(values, given)
            yield from laid_twice(values, given.get("zones"))
        yield from self._wrong_texts(case, values, found)
        values.names.own_texts |= found.texts
        answers = AnswerChecks(values, self._prompts(found))
        claims = ClaimChecks(values, answers, self._log_of(case, values))
        for step in items_of(case.body.get("when")):
            yield from answers.wrong_answers(step.get(ANSWERS))
            yield from claims.faults(step.get(THEN))
        yield from claims.faults(case.body.entries[THEN])

    def _wrong_texts(self, case: CaseNode, values: CaseValues, found: Lowered) -> Faults:
        """The mistakes in the texts of steps, and in the conditions after the last one."""
        claimed = case.body.entries[THEN].get("odds")
        odds = [key_node(claimed, one) for one in claimed.entries] if claimed is not None else []
        steps = items_of(case.body.get("when"))
        for number, step in enumerate(steps, 1):
            text, asked = step.entries[DO], odds if number == len(steps) else []
            if (text.text or "").strip() in self.game.flows:
                yield from self.texts.wrong_odds(values, asked)
            else:
                yield from self.texts.wrong_step(values, text, asked, found)

    def _prompts(self, found: Lowered) -> Prompts | None:
        """What the texts of a case ask; None where that is not known."""
        return None if found.broken else self.game.prompts_in(found.routines)

    def _played(self, case: CaseNode) -> Faults:
        values = CaseValues(OwnNames.of(self.game, case.body, USUAL_PLAYERS))
        checks = PlayedChecks(values, self.words, case)
        yield from checks.faults()
        given = case.body.get("given")
        if given is not None:
            yield from lies_in_two_places(values, self.words, given, checks.is_fresh)
            yield from Supply(values, self.words, checks.tokens, given).faults()
        claims = PlayedClaims(checks, self._log_of(case, values))
        yield from claims.faults_of_steps(items_of(case.body.get("when")))
        yield from claims.faults(case.body.entries[THEN])
