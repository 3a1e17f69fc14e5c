"""Completion in effect texts: the names and keywords allowed at the cursor, ranked by how they fit the
wanted type and by usage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from functools import cached_property

from ruleloom.compiler.analysis.effect_cursor import LANGUAGE, TEXT, EffectCursor
from ruleloom.compiler.analysis.words import GameWord, GameWords
from ruleloom.compiler.syntax.lexer import RESERVED
from ruleloom.compiler.types import fits, is_unknown
from ruleloom.editor.usage import (
    LOCAL,
    MOST_SHOWN,
    Candidate,
    Nearness,
    SharesHere,
    Usage,
    call_snippet,
    match,
    spoken,
)
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import BOOL, Type

# Score factors of a candidate whose type fits, if any type is allowed, and if it does not fit.
FITS, OPEN, UNFIT = 12.0, 1.0, 0.04
LEAST = 1e-5
# The weight of names that occur near the cursor.
NEAR = 0.6
# The total weight of all values of a wanted type if none has been seen before.
OF_FEW = 0.3
# The factor per older variable: the latest one is the most likely.
OLDER = 0.6
# Above this many things, only those nearby or seen in this context are offered before a letter is
# typed.
MANY_THINGS = 3_000

# Statements as snippets, by their first word.
SNIPPETS = {
    "choose": "choose ${1:name} from ${2:list}",
    "let": "let ${1:name} = ${2:value}",
    "set": "set ${1:name} = ${2:value}",
    "if": "if ${1:condition}:\n    $0",
    "elif": "elif ${1:condition}:\n    $0",
    "else": "else:\n    $0",
    "for": "for each ${1:name} in ${2:list}:\n    $0",
    "repeat": "repeat ${1:3} times:\n    $0",
    "optional": 'optional "${1:label}":\n    $0',
    "roll": "roll ${1:name} = ${2:1d6}",
    "draw": "draw ${1:name} from ${2:list}",
    "ask": 'ask ${1:player} for text ${2:name} "${3:question}"',
    "ensure": 'ensure ${1:condition} "${2:reason}"',
    "say": 'say "$1"',
    "finish": 'finish won by ${1:player} "${2:reason}"',
    "step": "step ${1:name}:\n    $0",
    "ignoring": "ignoring ${1:rule}:\n    $0",
    "keeping": "keeping ${1:variable}:\n    $0",
    "add": "add ${1:value} to ${2:list}",
    "remove": "remove ${1:value} from ${2:list}",
    "when": "when ${1:event}(${2:self}):\n    $0",
    "modify": "modify ${1:stat}(self) by ${2:1}",
    "passive": "passive where ${1:condition}:\n    $0",
    "instead": "instead of ${1:operation}(${2:self}):\n    $0",
    "restrict": 'restrict ${1:rule}(self) as "${2:reason}"',
}
TAG, TAG_TYPE = "tag", "Tag"
GATHERING = ("count", "exists", "every", "those", "sum", "highest", "lowest")
# Keywords that may also be names where no keyword is expected; those of them that begin a statement.
SOFT_WORDS = frozenset(word for word in LANGUAGE if word.isalpha()) - RESERVED
SOFT_HEADS = frozenset(
    [
        *("roll", "draw", "look", "show", "put", "begin", "end", "prolong", "next", "step"),
        *("keeping", "repeat", "modify", "passive", "instead", "restrict", "when"),
    ]
)
MARKS = frozenset(["let", "modify"])


class WordIndex:
    """An index of words by name and by the first letters of their parts: a game may have thousands of
    things, too many to scan."""

    def __init__(self, words: Iterable[GameWord]) -> None:
        self.words: Sequence[GameWord] = tuple(words)
        self._named = {one.name: one for one in self.words}
        self._begun: dict[str, list[GameWord]] = defaultdict(list)
        for one in self.words:
            for letter in {part[:1] for part in one.name.lower().split("_")}:
                self._begun[letter].append(one)

    def begun_with(self, written: str) -> Sequence[GameWord]:
        """The words of which some part begins with the first letter of the prefix; none if it is
        empty."""
        return self._begun.get(written[:1].lower(), ())

    def among(self, names: AbstractSet[str]) -> list[GameWord]:
        """The words with one of these names."""
        return [self._named[name] for name in self._named.keys() & names]


@dataclass(frozen=True)
class EffectNames:
    """Completion in effect texts, from the words of the game and their usage."""

    words: GameWords
    usage: Usage
    written: dict[int, tuple[str, bool, str]] = field(default_factory=dict)
    """The text to insert, whether it is a snippet, and the English of each word, by identity."""

    @cached_property
    def has_many(self) -> bool:
        """Has the game too many things to offer all?"""
        return sum(map(len, self.words.things.values())) > MANY_THINGS

    @cached_property
    def things(self) -> Mapping[str, WordIndex]:
        """The things that items create and the values of enums and switches, by type."""
        things, options = self.words.things, self.words.options
        tags = [one for one in self.words.bonuses.values() if one.sort == TAG]
        return {
            name: WordIndex((*things.get(name, {}).values(), *options.get(name, {}).values()))
            for name in dict.fromkeys((*things, *options))
        } | {TAG_TYPE: WordIndex(tags)}

    @cached_property
    def lasting(self) -> AbstractSet[str]:
        """The ids of lasting effects, which are named without arguments."""
        return {one.id for one in self.words.lasting.values()}

    def candidates(self, cursor: EffectCursor, near: Nearness) -> Iterator[Candidate]:
        """Candidates at a cursor, by the words `near` it."""
        if cursor.in_comment:
            return
        if cursor.role == TEXT:
            yield from self._holes(cursor)
            return
        around = replace(self.usage.effects.here(cursor.reading.around()), near=near)
        yield from self._named(cursor, around)
        yield from self._keywords(cursor, around)

    def _holes(self, cursor: EffectCursor) -> Iterator[Candidate]:
        """Candidates in a text's hole."""
        line = cursor.before.rpartition('"')[2]
        if line.rpartition("{")[2].find("}") >= 0 or "{" not in line:
            return
        yield from self._variables(cursor, SharesHere(), 1.0)
        yield from self._scored(self.words.values.values(), cursor, SharesHere())

    def _named(self, cursor: EffectCursor, around: SharesHere) -> Iterator[Candidate]:
        if cursor.role == "value":
            yield from self._values(cursor, around)
            return
        if cursor.role == "variable":
            yield from self._variables(cursor, around, 1.0)
            scope = (one for one in self.words.values.values() if one.sort == "variable")
            yield from self._scored(scope, cursor, around)
            return
        for word in cursor.due(self.words):
            if word.sort == "event":
                yield _event(word, around)
            else:
                is_plain = word.id in self.lasting
                yield from self._scored([word], cursor, around, plain=is_plain)

    def _values(self, cursor: EffectCursor, around: SharesHere) -> Iterator[Candidate]:
        words, wanted = self.words, cursor.known.wanted
        share = around.share(LOCAL)
        yield from self._variables(cursor, around, share)
        yield from self._labels(cursor, around)
        if wanted is not None and not wanted.many:
            yield from self._of_type(wanted.name, cursor, around)
        yield from self._scored(words.values.values(), cursor, around)
        if wanted == BOOL:  # `fire in tags(card)`
            yield from self._of_type(TAG_TYPE, cursor, around)
        if _known(wanted) is None:
            usual = None if cursor.word or not self.has_many else _usual(cursor, around)
            for many in self.things.values():
                yield from self._scored(_fitting(many, cursor, usual), cursor, around, 0.5)
        if cursor.callee == "part_of" and cursor.argument == 1:
            yield from self._scored(words.bonuses.values(), cursor, around)

    def _of_type(
        self, type_name: str, cursor: EffectCursor, around: SharesHere
    ) -> Iterator[Candidate]:
        """The things or values of a type; of very many, the usual ones and the first few."""
        index = self.things.get(type_name)
        if index is None:
            return
        is_part = len(index.words) > MANY_THINGS and not cursor.word
        fitting = _fitting(index, cursor, _usual(cursor, around) if is_part else None)
        more = index.words[:MOST_SHOWN] if is_part else ()
        prior = OF_FEW / (1 + len(index.words))
        yield from self._scored((*fitting, *more), cursor, around, prior=prior)

    def _labels(self, cursor: EffectCursor, around: SharesHere) -> Iterator[Candidate]:
        """The argument labels, where one may begin."""
        last = cursor.tokens[-1].type if cursor.tokens else ""
        if not cursor.callee or last not in ("LPAR", "COMMA"):
            return
        for word in self.words.called(cursor.callee):
            for param in word.params or ():
                share = around.share(param.name)
                detail = f"{param.name}: {param.type}"
                yield Candidate(
                    f"{param.name}:", "argument", share * 0.3 + LEAST, detail, "",
                    f"{param.name}: ",
                )  # fmt: skip

    def _variables(
        self, cursor: EffectCursor, around: SharesHere, share: float
    ) -> Iterator[Candidate]:
        """The variables of the text, latest first."""
        known = cursor.known
        weights: dict[str, float] = {}
        weight = 1.0
        for name, type_ in known.variables.items():
            usual = 1.0 + 20 * around.share(name)
            weights[name] = weight * usual * fit(known.wanted, (type_,))
            weight *= OLDER
        whole = sum(weights.values()) or 1.0
        best = max((fit(known.wanted, (one,)) for one in known.variables.values()), default=1.0)
        for name, one in weights.items():
            score = max(share, 0.02) * best * one / whole
            yield Candidate(name, "local variable", score, f"{name}: {known.variables[name]}")

    def _scored(
        self,
        words: Iterable[GameWord],
        cursor: EffectCursor,
        around: SharesHere,
        weight: float = 1.0,
        plain: bool = False,
        prior: float = LEAST,
    ) -> Iterator[Candidate]:
        for word in words:
            if not match(cursor.word, word.name):
                continue
            share = around.share(word.name) + prior
            share += NEAR * around.near.of(word.name)
            good = fit(cursor.known.wanted, word.types) if cursor.role == "value" else 1.0
            text, is_snippet, english = self._written(word)
            if plain:
                text, is_snippet = word.name, False
            yield Candidate(
                word.name, word.sort, weight * share * good, word.called, english, text, is_snippet
            )

    def _written(self, word: GameWord) -> tuple[str, bool, str]:
        found = self.written.get(id(word))
        if found is None:
            is_call = word.params is not None and bool(word.needed or word.sort != "power")
            text = call_snippet(word.name, word.needed) if is_call else word.name
            found = self.written[id(word)] = text, is_call, spoken(word.english)
        return found

    def _keywords(self, cursor: EffectCursor, around: SharesHere) -> Iterator[Candidate]:
        """The language's keywords allowed here."""
        accepted = cursor.accepted
        starts = bool(MARKS.intersection(accepted)) and cursor.is_first
        for text in accepted:
            if not text.replace(" ", "").isalpha():
                continue
            if cursor.takes_name and text in SOFT_WORDS and not (starts and text in SOFT_HEADS):
                continue
            share = around.share(text.split(" ")[0]) + LEAST / 10
            if text in GATHERING:
                yield Candidate(
                    text, "word", share, f"{text}(name: list where condition)", "",
                    f"{text}($1)", True,
                )  # fmt: skip
                continue
            snippet = SNIPPETS.get(text, "") if starts else ""
            yield Candidate(
                text, "word", share, _plain(snippet), "", snippet or text, bool(snippet)
            )


def _event(word: GameWord, around: SharesHere) -> Candidate:
    plain = word.name.rpartition(" ")[2]
    text = call_snippet(plain, word.params) if word.params else plain
    return Candidate(
        plain, "event", around.share(plain) + LEAST, word.called, spoken(word.english),
        text, bool(word.params),
    )  # fmt: skip


def _plain(snippet: str) -> str:
    """A snippet for display: its first line, without tab stops."""
    text = snippet.split("\n")[0]
    for part in text.split("${")[1:]:
        stop = part.split("}")[0]
        text = text.replace(f"${{{stop}}}", stop.partition(":")[2])
    return text.replace("$1", "...").replace("$0", "")


def _usual(cursor: EffectCursor, around: SharesHere) -> AbstractSet[str]:
    """The names nearby, and those seen in this context."""
    return around.near.known | around.words()


def _fitting(
    index: WordIndex, cursor: EffectCursor, usual: AbstractSet[str] | None
) -> Sequence[GameWord]:
    """The words that may match the typed prefix; if it is empty, the `usual` ones, or all if None."""
    if cursor.word:
        return index.begun_with(cursor.word)
    return index.words if usual is None else index.among(usual)


def _known(wanted: Type | None) -> Type | None:
    """The wanted type; None if any type is allowed."""
    return None if wanted is None or is_unknown(wanted) else wanted


def fit(wanted: Type | None, types: Iterable[Type]) -> float:
    """The score factor of the best-fitting type."""
    found, wanted = list(types), _known(wanted)
    if wanted is None or not found:
        return OPEN
    if wanted.name == "?" and wanted.many:
        return FITS if any(one.many for one in found) else UNFIT
    if any(fits(one.present, wanted) for one in found):
        return FITS
    if wanted.name == "Bool":
        return OPEN / 2  # any value may be compared
    return UNFIT
