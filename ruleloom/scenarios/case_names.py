"""Claims of cases on the words of packs below, which may change with any version, and their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.yaml_cursor import FileEdit, edited
from ruleloom.compiler.cases.case_file import BECAUSE, PLAYED, REASON, THEN, Case, file_of_cases
from ruleloom.compiler.cases.check_cases import CaseChecks
from ruleloom.compiler.cases.claimed_words import ClaimedPart, ClaimedWords, WordsOfOthers
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import case_checks
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import (
    YamlNode,
    entries_of,
    items_of,
    to_data,
    written,
)
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.program.faults import NO_REASON, NamedReason
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Type, World
from ruleloom.scenarios.claims import LOG, Claims, facts_of
from ruleloom.scenarios.reason_names import ReasonNames
from ruleloom.scenarios.results import PASSED
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.state import claim_text
from ruleloom.scenarios.setup.things import unmarked
from ruleloom.scenarios.steps.attempts import Attempts, TriedClaims

NOT_NAMED = "nothing else claims it yet"


class WordsClaim(NamedTuple):
    """Words that a case claims: the name that does it in their stead, if there is one, and the edit that
    writes it."""

    node: YamlNode
    name: str = ""
    help: str = ""
    edit: FileEdit | None = None


def claims_on_words(
    content: Content, program: Program, files: Iterable[str], only: str = ""
) -> dict[str, list[WordsClaim]]:
    """The claims of files of cases, or of the `only` case of that id, on words that their own packs do not
    choose, by file.

    Which names a reason or a line goes by is known from play, so cases that claim them are run.
    """
    seen = _Seen(content, program)
    return {shown: [*_claims_in(shown, seen, only)] for shown in files if shown in content.cases}


def _claims_in(shown: str, seen: _Seen, only: str) -> Iterator[WordsClaim]:
    read = file_of_cases(seen.content.cases[shown]).cases
    cases = [one for one in read if only in ("", one.id)]
    words = seen.checks.words_of(shown)
    seen.run(one for one in cases if any(map(_is_seen_in_play, words.claimed_in([one]))))
    for one in words.claimed_in(cases):
        match one.part:
            case ClaimedPart.QUESTION:
                yield _claim(one, one.name, one.name)
            case ClaimedPart.LINE:
                yield from _of_line(one, words, seen)
            case ClaimedPart.REASON:
                yield _of_reason(one, seen)


def _is_seen_in_play(claimed: ClaimedWords) -> bool:
    return claimed.part is not ClaimedPart.QUESTION


class _Seen:
    """The reasons and events that the claims of passing cases met, by the start of the claim in the file."""

    def __init__(self, content: Content, program: Program) -> None:
        self.content, self.program, self.named = content, program, ReasonNames(program)
        self.reasons: dict[int, NamedReason] = {}
        self.events: dict[int, tuple[str, dict[str, Any]]] = {}

    def run(self, cases: Iterable[Case]) -> None:
        """Run the cases of the next file."""
        self.reasons, self.events = {}, {}
        runner = Runner(self.program, tuple(cases), {}, self.content)
        for case in runner.cases:
            then, result = case.body.entries[THEN], runner.run(case)
            said = then.get(REASON)
            if result.status == PASSED and said is not None and self._is_sound_by_names(case):
                self.reasons[said.start] = result.reason
            if result.status == PASSED and case.texts and runner.attempts is not None:
                self._take_events(case, runner.attempts)

    def _is_sound_by_names(self, case: Case) -> bool:
        """Are all answers of a case known, also those that only the words of its reason allow?"""
        then = case.body.entries[THEN]
        left = replace(then, value={key: one for key, one in then.entries.items() if key != REASON})
        body = replace(case.body, value={**case.body.entries, THEN: left})
        found = self.checks.faults(replace(case, body=body)) if case.form == PLAYED else ()
        return all(one.severity != "error" for one in found)

    @cached_property
    def checks(self) -> CaseChecks:
        return case_checks(self.content, "names of claims")

    def _take_events(self, case: Case, attempts: Attempts) -> None:
        attempt = attempts.attempt(case)
        states = attempt.states()
        state, _ = next(states)
        for step, (after, events) in zip(items_of(case.body.get("when")), states, strict=False):
            state = after
            self._take(entries_of(step.get(THEN)).get(LOG), TriedClaims(attempt, state, events))
        then = case.body.entries[THEN]
        self._take(then.get(LOG), TriedClaims(attempt, state, attempt.events))

    def _take(self, log: YamlNode | None, claims: Claims) -> None:
        parts = items_of(log)
        for node, event in zip(parts, claims.in_order([*map(to_data, parts)]), strict=False):
            if event is not None and event.kind == "operation":
                told = facts_of(claims.words, event, partial(_title, claims.linked))
                facts = facts_of(claims.words, event).items()
                by_words = {k: one for k, one in facts if _is_told((one, told[k]), node.text or "")}
                self.events[node.start] = event.name, by_words


def _claim(claimed: ClaimedWords, name: str, text: str, help: str = "") -> WordsClaim:
    """A claim on words, and the edit that writes `text` in their stead, unless it is empty."""
    node = claimed.node
    edit = FileEdit(claimed.start, node.end, text) if text else None
    return WordsClaim(node, name, help, edit)


def _of_reason(claimed: ClaimedWords, seen: _Seen) -> WordsClaim:
    """The claim on the words of a reason."""
    names = seen.named.names_of(seen.reasons.get(claimed.node.start, NO_REASON))
    name = f"{BECAUSE}: {written(names)}" if names else ""
    if name and seen.named.words.tell_more(claimed.node.text or ""):
        return _claim(claimed, "", "", f"`{name}` claims it without its numbers and options")
    return _claim(claimed, name, name)


def _of_line(claimed: ClaimedWords, words: WordsOfOthers, seen: _Seen) -> Iterator[WordsClaim]:
    """The claim on a line of the log, if another pack's operation writes it; it tells some facts of that."""
    operation, told = seen.events.get(claimed.node.start, ("", {}))
    if not operation:
        yield _claim(claimed, "", "")
    elif operation in words.operations and not told:
        yield _claim(claimed, "", "", f"`done: {{{operation}: ...}}` claims the operation")
    elif operation in words.operations:
        name = written({operation: {**told}})
        yield _claim(claimed, name, name)


def _title(linked: Linked, world: World, type_: Type, value: Any) -> str:
    """A fact as a line of the log tells it."""
    return unmarked(title_text(linked, world, type_, value))


def _is_told(called: tuple[Any, str], text: str) -> bool:
    """Does a part of a line tell a fact, by its name in cases or by its title?"""
    fact, title = called
    names = fact if isinstance(fact, list) else [fact]
    ways = [[*map(claim_text, names)], [title]]
    return bool(names) and any(all(_has(text, one) for one in way) for way in ways)


def _has(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def named(source: Source, claims: Sequence[WordsClaim]) -> str:
    """The text of a file with names in place of the words that have one; all else stays as it is."""
    return edited(source.text, (one.edit for one in claims if one.edit is not None))
