"""Words that cases claim though another pack or the machine chooses them: any version may change them.

Cases go in, and what is known of a game without play; out come the claims of questions, lines and reasons by
their words. A pack's claims on words of its own are none of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from ruleloom.compiler.cases.case_file import ANSWERS, PROSE, REASON, THEN, Case
from ruleloom.compiler.cases.case_values import entries
from ruleloom.compiler.cases.case_words import Prompts, folded
from ruleloom.compiler.cases.log_words import said
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.resolve.values import key_node
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, items_of, text_of
from ruleloom.runtime.program.program import Entity, Routine

LOG, LINES = "log", ("log", "unlogged")
WORDS_MAY_CHANGE = "words-may-change"
CHOICE = "the choice is from"  # before the options in a reason
MAY_CHANGE = "`{}` may be worded otherwise"
NO_NAME = "nothing but its words is known of this question; `named` would give it a name"
TELLS_MORE = "it tells a number or options, which no name does"
HOLE = re.compile(r"\{[^{}]*\}")
NUMBER, FIGURES = re.compile(r"\d"), re.compile(r"\d+")
STEP_SAYS = ("`[^`]*`", r"^\w+ \S+(?=: | is not on offer)")  # in words, of the step itself
LEAST = 4  # letters of a part of a log line that tells it from others


class ClaimedPart(Enum):
    """What a claim on words is about."""

    QUESTION, LINE, REASON = range(3)


class ClaimedWords(NamedTuple):
    """A claim on words: the node of the words, and the start of what a name replaces.

    The `name` is that of a question that goes by one.
    """

    part: ClaimedPart
    node: YamlNode
    start: int
    name: str = ""


class ReasonWords:
    """The words of reasons in a game with these entities."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._entities = entities

    def tell_more(self, words: str) -> bool:
        """Do the words of a reason tell a number, other than of a thing or a place, or what is on offer?"""
        return CHOICE in words or NUMBER.search(self._thing.sub("", words)) is not None

    @cached_property
    def _thing(self) -> re.Pattern[str]:
        """The pattern of things and places in words, and of what the case itself has said."""
        called = {name for one in self._entities for name in (*one.titles, *one.names)}
        told = map(re.escape, sorted(filter(NUMBER.search, called), key=len, reverse=True))
        return re.compile("|".join((*told, *STEP_SAYS, r"\w*@?-?\d+/-?\d+")))


class WordsOfOthers:
    """The claims on words in the cases of one pack; `prompts` are those of the whole game."""

    def __init__(
        self,
        content: Content,
        pack: str,
        routines: Iterable[Routine],
        entities: Iterable[Entity],
        prompts: Prompts,
    ) -> None:
        self.content, self.pack, self.prompts = content, pack, prompts
        self._routines, self._entities = routines, tuple(entities)

    def claimed_in(self, cases: Iterable[Case]) -> Iterator[ClaimedWords]:
        """The claims on words in the cases of a file, each once, also if several cases inherit it."""
        found = (one for case in cases if case.form != PROSE for one in self._claimed(case))
        yield from {one.start: one for one in found}.values()

    def told_of(self, cases: Iterable[Case]) -> Iterator[Diagnostic]:
        """The claims on words in the cases of a file, as far as they are known without play."""
        for one in self.claimed_in(cases):
            node, message = one.node, MAY_CHANGE.format(one.node.text)
            yield Diagnostic(node.place, "info", WORDS_MAY_CHANGE, message, self._help(one))

    def _help(self, claimed: ClaimedWords) -> str | None:
        words, name = claimed.node.text or "", claimed.name
        if name:
            return Suggestion(words, name, f"its name is `{name}`")
        if claimed.part is ClaimedPart.QUESTION:
            names = sorted(filter(None, self.prompts.names_of(words)))
            return f"its name is {' or '.join(map('`{}`'.format, names))}" if names else NO_NAME
        if claimed.part is ClaimedPart.REASON and self._reasons.tell_more(words):
            return TELLS_MORE
        return f"`ruleloom fmt --names {claimed.node.source.path}` writes its name, if it has one"

    def _claimed(self, case: Case) -> Iterator[ClaimedWords]:
        for step in items_of(case.body.get("when")):
            answers = step.get(ANSWERS)
            if answers is not None:
                yield from self._questions(_asked_in(answers))
            yield from self._in_claims(step.get(THEN))
        yield from self._in_claims(case.body.get(THEN))

    def _in_claims(self, then: YamlNode | None) -> Iterator[ClaimedWords]:
        for key, node, where in entries(then):
            if key in NAMING:
                yield from self._questions(NAMING[key](node))
            elif key in LINES:
                yield from (_line(one) for one in node.items if self._is_anothers(one.text or ""))
            elif key == REASON and node.text and not self._says(node.text):
                yield ClaimedWords(ClaimedPart.REASON, node, where.start)

    def _says(self, reason: str) -> bool:
        """Does the pack itself say this, maybe with holes for its numbers?"""
        pattern = FIGURES.sub(r"(?:\\d+|\\{[^{}]*\\})", re.escape(reason))
        return re.search(pattern, self._written) is not None

    def _questions(self, nodes: Iterable[YamlNode]) -> Iterator[ClaimedWords]:
        for node in nodes:
            words = text_of(node)
            named = self.prompts.names_of(words)
            if named and folded(words) not in named and not self._own.of(words):
                name = next(iter(named)) if len(named) == 1 else ""
                yield ClaimedWords(ClaimedPart.QUESTION, node, node.start, name)

    def _is_anothers(self, line: str) -> bool:
        """Does a line share more with operations of other packs than with what the pack itself says?"""
        most = _shared(self._lines, line)
        return most > _shared(self._own_lines, line) and line not in self._written

    @cached_property
    def _own_routines(self) -> list[Routine]:
        return [one for one in self._routines if one.id.startswith(f"{self.pack}:")]

    @cached_property
    def _own(self) -> Prompts:
        return Prompts(self._own_routines, self._entities, ())

    @cached_property
    def _own_lines(self) -> list[str]:
        """The parts of the lines that the pack's routines say."""
        rows = chain.from_iterable(one.rows for one in self._own_routines)
        return [part for text in chain.from_iterable(map(said, rows)) for part in HOLE.split(text)]

    @cached_property
    def _paths(self) -> set[str]:
        """The files of the pack that hold rules."""
        content = self.content
        paths = (path for path in content.sources if path in content.files)
        own = {path for path in paths if content.files[path][0] == self.pack}
        return own.difference(content.scenarios, content.loose)

    @cached_property
    def _written(self) -> str:
        """All that the pack itself says."""
        return "\n".join(self.content.sources[path].text for path in self._paths)

    @cached_property
    def _lines(self) -> list[str]:
        """The parts of the log lines of other packs' operations."""
        return [*chain.from_iterable(self.operations.values())]

    @cached_property
    def operations(self) -> dict[str, list[str]]:
        """The parts of the log line of each operation of another pack, by its name."""
        return {
            name: HOLE.split(text_of(node.get("log") or node.get("english")))
            for item in self.content.by_kind("vocabulary")
            for name, node, place in fields_of(item.fields.get("operations"))
            if place.path not in self._paths
        }

    @cached_property
    def _reasons(self) -> ReasonWords:
        return ReasonWords(self._entities)


def _asked_in(answers: YamlNode) -> Iterator[YamlNode]:
    """The names of the prompts in a map, or in several in turn."""
    for one in answers.items or [answers]:
        yield from (key_node(one, name) for name in one.entries)


NAMING: Mapping[str, Callable[[YamlNode], Iterable[YamlNode]]] = {
    "whom": _asked_in,
    "offers": _asked_in,
    "unasked": lambda node: node.items,
    "asked": lambda node: filter(None, [entries_of(node).get("name")]),
}
"""The names of prompts in each claim about prompts."""


def _line(node: YamlNode) -> ClaimedWords:
    return ClaimedWords(ClaimedPart.LINE, node, node.start)


def _shared(parts: Iterable[str], text: str) -> int:
    """The most letters that a text shares with one of these parts, of which one contains the other."""
    found = (min(one, text, key=len) for one in map(str.strip, parts) if one in text or text in one)
    return max((len(one) for one in found if len(one) >= LEAST), default=0)
