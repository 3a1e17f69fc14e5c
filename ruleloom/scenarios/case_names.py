"""Claims of cases on the words of packs below, which may change with any version, and their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.analysis import offsets
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, edited
from ruleloom.compiler.cases.case_file import BECAUSE, PLAYED, REASON, THEN, Case, file_of_cases
from ruleloom.compiler.cases.case_words import Prompts, folded
from ruleloom.compiler.cases.check_cases import CaseChecks
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import case_checks
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import (
    YamlNode,
    entries_of,
    fields_of,
    items_of,
    text_of,
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

BY_PROMPT, LINES = ("answers", "whom", "offers"), (LOG, "unlogged")
UNASKED, ASKED = "unasked", "asked"
HOLE = re.compile(r"\{[^{}]*\}")
LEAST = 4  # letters of a part of a log line that tells it from others


class WordsClaim(NamedTuple):
    """Words that a case claims: their place, the name that does it in their stead, if there is one, and the
    edit that writes it."""

    place: Place
    words: str
    name: str = ""
    help: str = ""
    edit: FileEdit | None = None


def claims_on_words(
    content: Content, program: Program, files: Iterable[str]
) -> dict[str, list[WordsClaim]]:
    """The claims of files of cases on words of packs that their own build on, by file.

    Which names a reason or a line goes by is known from play, so cases that claim them are run.
    """
    seen = _Seen(content, program)
    return {shown: [*_claims_in(shown, seen)] for shown in files if shown in content.cases}


def _claims_in(shown: str, seen: _Seen) -> Iterator[WordsClaim]:
    content, program, root = seen.content, seen.program, seen.content.cases[shown]
    pack = content.files[shown][0]
    is_own = {one.id: one.id.startswith(f"{pack}:") for one in program.routines}
    others, own = (
        Prompts((one for one in program.routines if is_own[one.id] is mine), program.entities, ())
        for mine in (False, True)
    )
    paths = {path for path, (of, _) in content.files.items() if of == pack}
    texts = "\n".join(content.sources[path].text for path in paths - set(content.scenarios))
    seen.run(one for one in file_of_cases(root).cases if _may_claim(one))
    yield from _Claims(others, own, dict(_lines(content, paths)), texts, seen).of(root)


def _lines(content: Content, own: set[str]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the log lines of operations of other packs, by operation."""
    for item in content.by_kind("vocabulary"):
        for name, node, place in fields_of(item.fields.get("operations")):
            if place.path not in own:
                yield name, HOLE.split(text_of(node.get("log") or node.get("english")))


def _may_claim(case: Case) -> bool:
    """Does a case claim a reason or a line?"""
    thens = (case.body.get(THEN), *(one.get(THEN) for one in items_of(case.body.get("when"))))
    return any({REASON, LOG} & entries_of(one).keys() for one in thens)


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
        found = self._checks.faults(replace(case, body=body)) if case.form == PLAYED else ()
        return all(one.severity != "error" for one in found)

    @cached_property
    def _checks(self) -> CaseChecks:
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


class _Claims:
    """The claims on words in the tree of a file."""

    def __init__(
        self,
        prompts: Prompts,
        own: Prompts,
        lines: Mapping[str, list[str]],
        written: str,
        seen: _Seen,
    ) -> None:
        self.prompts, self.own, self.lines, self.written = prompts, own, lines, written
        self.seen = seen

    def of(self, node: YamlNode) -> Iterator[WordsClaim]:
        """The claims in a node and below it."""
        for key, child, _ in fields_of(node):
            for name, place in _prompts(key, child):
                yield from self._of_prompt(child.source, place, name)
            for one in items_of(child) if key in LINES else ():
                yield from self._of_line(one)
            if key == REASON and child.text and child.text not in self.written:
                yield self._of_reason(child, offsets(node.source, node.key_place(key))[0])
            yield from self.of(child)
        for one in node.items:
            yield from self.of(one)

    def _of_prompt(self, source: Source, place: Place, said: str) -> Iterator[WordsClaim]:
        """The claim on the words of a question, unless it is the pack's own."""
        named = self.prompts.names_of(said)
        if named and folded(said) not in named and not self.own.of(said):
            name = next(iter(named)) if len(named) == 1 else ""
            edit = FileEdit(*offsets(source, place), name) if name else None
            yield WordsClaim(place, said, name, edit=edit)

    def _of_reason(self, node: YamlNode, start: int) -> WordsClaim:
        """The claim on the words of a reason."""
        named, words = self.seen.named, node.text or ""
        names = named.names_of(self.seen.reasons.get(node.start, NO_REASON))
        if not names:
            return WordsClaim(node.place, words)
        name = f"{BECAUSE}: {written(names)}"
        if named.tells_more(words):
            help = f"`{name}` claims it without its numbers and options"
            return WordsClaim(node.place, words, "", help)
        return WordsClaim(node.place, words, name, edit=FileEdit(start, node.end, name))

    def _of_line(self, node: YamlNode) -> Iterator[WordsClaim]:
        """The claim on a line of the log that an operation of another pack writes."""
        text = node.text or ""
        if node.start in self.seen.events:
            operation, told = self.seen.events[node.start]
            if operation in self.lines:
                yield _of_event(node, operation, told)
        elif text and text not in self.written:
            parts = chain.from_iterable(self.lines.values())
            if any(_shared(one, text) for one in parts):
                yield WordsClaim(node.place, text)


def _of_event(node: YamlNode, operation: str, told: Mapping[str, Any]) -> WordsClaim:
    """The claim on the words of an operation, which tell some of its facts."""
    text = node.text or ""
    if not told:
        help = f"`done: {{{operation}: ...}}` claims the operation"
        return WordsClaim(node.place, text, "", help)
    name = written({operation: {**told}})
    return WordsClaim(node.place, text, name, edit=FileEdit(node.start, node.end, name))


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


def _prompts(key: str, node: YamlNode) -> Iterator[tuple[str, Place]]:
    """The prompts that a field of a case names, each with its place."""
    if key in BY_PROMPT:
        for one in node.items or [node]:
            yield from ((name, place) for name, _, place in fields_of(one))
    elif key == UNASKED:
        yield from ((text_of(one), one.place) for one in node.items)
    elif key == ASKED and (name := node.get("name")) is not None:
        yield text_of(name), name.place


def _shared(part: str, text: str) -> bool:
    """Does one text contain the other, and enough of it?"""
    part = part.strip()
    return len(part) >= LEAST and (part in text or text in part)


def named(source: Source, claims: Sequence[WordsClaim]) -> str:
    """The text of a file with names in place of the words that have one; all else stays as it is."""
    return edited(source.text, (one.edit for one in claims if one.edit is not None))
