"""All cases of the packs that are checked: their form first, then the names and values in them.

What goes in is a built game and the files of scenarios; what comes out are mistakes, which leave
the game itself playable. Names are only looked at where the game is sound.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.lint.cases.answer_checks import AnswerChecks, OwnPrompts
from ruleloom.compiler.lint.cases.case_shapes import sound_cases
from ruleloom.compiler.lint.cases.case_values import CaseValues, Faults
from ruleloom.compiler.lint.cases.claim_checks import ClaimChecks
from ruleloom.compiler.lint.cases.given_checks import (
    wrong_choices,
    wrong_made,
    wrong_players,
    wrong_state,
    wrong_zones,
)
from ruleloom.compiler.lint.cases.known_names import GameNames, OwnNames
from ruleloom.compiler.lint.cases.log_words import CaseLog, LogWords
from ruleloom.compiler.lint.cases.notation_words import NotationWords
from ruleloom.compiler.lint.cases.own_prompts import prompts_in
from ruleloom.compiler.lint.cases.played_checks import PlayedChecks
from ruleloom.compiler.lint.cases.played_claims import PlayedClaims
from ruleloom.compiler.lint.cases.prompts import PromptForm
from ruleloom.compiler.lint.cases.supply_checks import laid_twice, too_many_made
from ruleloom.compiler.lint.cases.text_checks import Reading, TextChecks
from ruleloom.compiler.lint.cases.thing_checks import wrong_things
from ruleloom.compiler.lint.cited_clauses import Ledger
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs import scenario_files
from ruleloom.compiler.packs.scenario_files import DO, THEN, CaseNode
from ruleloom.compiler.yaml.node import YamlNode, items_of

ANSWERS = "answers"
USUAL_PLAYERS = 2  # of a case that is played in steps and names none


def check_cases(build: Build, report: Report) -> None:
    """Complain about every case that cannot be run as it is written."""
    content = build.content
    checks = CaseChecks(build) if content.cases and build.is_sound else None
    for path, root in content.cases.items():
        if not build.report.has_errors_in(path):
            check_file(root, checks, report)


def check_file(root: YamlNode, checks: CaseChecks | None, report: Report) -> None:
    """Complain about the cases of one file; without `checks`, only about their form."""
    told: set[Diagnostic] = set()  # of what several cases share, a mistake is told once
    for case in sound_cases(root, report):
        for found in checks.faults(case) if checks is not None else ():
            if found not in told:
                told.add(found)
                report.add(found)


class CaseChecks:
    """The checks of cases of one game."""

    def __init__(self, build: Build) -> None:
        self.game = GameNames(build)
        self.texts = TextChecks(build.content.old_words)
        self.words = NotationWords(build)
        self.ledger = Ledger(build.content)
        self.packs = {path: pack for path, (pack, _) in build.content.files.items()}

    @cached_property
    def log(self) -> LogWords:
        """What the log of the game can tell."""
        return LogWords(self.game)

    def _log_of(self, case: CaseNode, values: CaseValues) -> Callable[[], CaseLog]:
        """What it can tell in a case; worked out when something is claimed of it."""

        def log() -> CaseLog:
            steps = items_of(case.body.get("when"))
            parts = [step.get(key) for step in steps for key in (DO, ANSWERS)]
            nodes = [one for one in (case.body.get("given"), *parts) if one is not None]
            return CaseLog(self.log, values.names.own_texts, values.names.players, nodes)

        return cache(log)

    def faults(self, case: CaseNode) -> Faults:
        """What is wrong with a case whose form is sound."""
        yield from self.ledger.faults(case.whole.get("clauses"), self.packs[case.whole.source.path])
        match case.form:
            case scenario_files.BUILD:
                yield from self._built(case)
            case scenario_files.ATTEMPT:
                yield from self._tried(case)
            case scenario_files.PLAYED:
                yield from self._played(case)

    def _built(self, case: CaseNode) -> Faults:
        given, then = case.body.entries["given"], case.body.entries[THEN]
        values = CaseValues(OwnNames.of(self.game, case.body))
        yield from wrong_choices(values, given, case.refused or case.is_meant_illegal)
        if not case.refused:
            yield from wrong_things(values, self.texts, given)
            answers = AnswerChecks(values, {})
            log = self._log_of(case, values)
            yield from ClaimChecks(values, answers, self.texts, set(), log).faults(then)

    def _tried(self, case: CaseNode) -> Faults:
        values = CaseValues(OwnNames.of(self.game, case.body))
        given = case.body.get("given")
        if given is not None:
            yield from wrong_players(values, given)
            yield from wrong_choices(values, given, case.refused)
        if case.refused:
            return
        if given is not None:
            yield from wrong_things(values, self.texts, given)
            yield from wrong_state(values, given)
            yield from wrong_made(values, given)
            yield from wrong_zones(values, given.get("zones"))
            yield from too_many_made(values, given)
            yield from laid_twice(values, given.get("zones"))
        own, bound = self._own_prompts(case, values)
        answers = AnswerChecks(values, own)
        for step in items_of(case.body.get("when")):
            text = step.entries[DO]
            if (text.text or "").strip() not in self.game.flows:
                yield from self.texts.wrong_text(values, text, set())
            yield from answers.wrong_answers(step.get(ANSWERS))
        claims = ClaimChecks(values, answers, self.texts, bound, self._log_of(case, values))
        for step in items_of(case.body.get("when")):
            yield from claims.faults(step.get(THEN))
        yield from claims.faults(case.body.entries[THEN])

    def _played(self, case: CaseNode) -> Faults:
        values = CaseValues(OwnNames.of(self.game, case.body, USUAL_PLAYERS))
        checks = PlayedChecks(values, self.words, case)
        yield from checks.faults()
        claims = PlayedClaims(checks, self._log_of(case, values))
        yield from claims.faults_of_steps(items_of(case.body.get("when")))
        yield from claims.faults(case.body.entries[THEN])

    def _own_prompts(self, case: CaseNode, values: CaseValues) -> tuple[OwnPrompts, set[str]]:
        """The prompts in the texts of a case, and the names that these give."""
        own: dict[str, PromptForm | None] = {}
        bound: set[str] = set()
        for step in items_of(case.body.get("when")):
            reading = self.texts.reading(step.entries[DO].text or "")
            if isinstance(reading, Reading):
                for name, asking in prompts_in(reading, values.names).items():
                    # Asked in two steps in two ways, its answers are told apart by nothing.
                    own[name] = asking if own.get(name, asking) == asking else None
                bound |= reading.bound
                values.names.own_texts |= reading.texts
        return own, bound
