"""Words, numbers, points and tokens of cases, for their checks and their runner."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cache, lru_cache
from glob import escape
from itertools import chain
from typing import Any

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Template, Words
from ruleloom.runtime.program.texts import of_one, read_call, slug, with_holes
from ruleloom.runtime.program.values import BOOL, DICE, INT, TEXT, Type, exact, parse_point

SPAN = re.compile(r"(-?\d{1,9}) *\.\. *(-?\d{1,9})")
HOLE = re.compile(r"\{([a-z_]+)\}")
WHOLE_AND_PART = re.compile(r"(-?)(\d{1,15}) (\d{1,15}/[1-9]\d{0,14})")
NONE = "none"


def word(said: Any) -> str:
    """A plain value as a word."""
    if isinstance(said, bool):
        return "yes" if said else "no"
    return NONE if said is None else str(said)


def folded(name: Any) -> str:
    """A name with `-` as `_`, and booleans as `yes` and `no`."""
    return word(name).replace("-", "_")


def slug_of(routine: str) -> str:
    """The slug of a routine: `orchard:power/pick_fruit` as `pick_fruit`, an ability's by its item's name."""
    return folded(routine.partition("#")[0].rsplit("/", 1)[-1].rsplit(":", 1)[-1])


@lru_cache(maxsize=4_000)
def number_in(text: str) -> int | Fraction | None:
    """A number in the notation of cases, `3`, `1/2` or `40 9/10`; None for anything else."""
    mixed = WHOLE_AND_PART.fullmatch(text)
    try:
        if mixed is None:
            return exact(text)
        size = int(mixed[2]) + Fraction(mixed[3])
    except ValueError:
        return None
    return -size if mixed[1] else size


def reach_of(low: int | Fraction | None, high: int | Fraction | None) -> str:
    """The text of bounds: `lies between 1 and 3`, `is at most 9`."""
    if low is None or high is None:
        return f"is at least {low}" if high is None else f"is at most {high}"
    return f"lies between {low} and {high}"


@lru_cache(maxsize=2_000)
def name_and_words(asked: str) -> tuple[str, tuple[str, ...]]:
    """The name and the words in parentheses of `ends(bleeding)`; an empty name for anything else."""
    call = read_call(asked)
    return (call.name, call.words) if call is not None else ("", ())


def is_point(text: str) -> bool:
    """Is it a map point, such as `2/-1`?"""
    try:
        parse_point(text)
    except ValueError:
        return False
    return True


def token_parts(
    pattern: str, types: Mapping[str, str], words: Mapping[str, Iterable[str]], token: str
) -> Mapping[str, str] | None:
    """The field texts of a token such as `A2E@0/1`, by name; None if it does not match.

    `types` are the types of the fields, `words` the values by type.
    """
    parts = HOLE.split(pattern)  # text and field names alternate
    written = re.escape(parts[0])
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        other = "-?[0-9]+" if types[name] == "Int" else ".+?"
        said = "|".join(map(re.escape, words.get(types[name], ()))) or other
        written += f"(?P<{name}>{said}){re.escape(text)}"
    found = re.fullmatch(written, token)
    return found.groupdict() if found is not None else None


# The key of a step that names the ways to take, where it could otherwise be played in two ways.
WAY = "way"
# The key of a step that names which of several responses comes first, where a player decides that.
FIRST = "first"
# What refuses a step that is not on offer, by name, `because: [offer, move]`, or comes after its turn.
OFFER, TURN_ENDED = "offer", "turn_ended"
NO_OFFER = {OFFER, TURN_ENDED}
# The keys of `given` in every game with steps.
GIVEN_TO_PLAY = ("players", "fresh", "switches", "settings", "dice", "state", "made")
Entries = Mapping[str, Mapping[str, Any]]


def as_list(said: Any) -> list[Any]:
    """The list itself, or a list of a single value."""
    return said if isinstance(said, list) else [said]


class StepForm(Frozen):
    """One form of step."""

    key: str
    word: str
    powers: Sequence[str] = ()  # slugs of the routines that it is played in
    # The choice that a key of the step answers; several if the key takes a list.
    keys: Mapping[str, str | list[str]] = field(default_factory=dict)
    # The mode that a word denotes, by choice and word.
    words: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    # The zones that must hold the chosen thing, by key.
    claims: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    absent: Mapping[str, Any] = field(default_factory=dict)  # answers where the step gives none
    closing: bool = False  # it ends the turn, and enters nothing on the way
    together: str = ""  # the secret choice that it answers for several players at once

    @property
    def name(self) -> str:
        """The name of the step in reasons: its word, or its key if the word is none that a name can be."""
        return folded(self.word) if folded(self.word).isidentifier() else self.key

    def key_of(self, name: str) -> str:
        """The key that answers the choice of this name, or the name."""
        return next((key for key, choices in self.keys.items() if name in as_list(choices)), name)


class NotationWords:
    """The words of a notation, empty for a game without one.

    `powers` can be steps without an entry in the notation; `keys_of` gives their keys.
    """

    def __init__(
        self,
        data: Mapping[str, Any] = {},
        powers: Collection[str] = (),
        keys_of: Callable[[str], Mapping[str, str]] = lambda _: {},
    ) -> None:
        self.powers, self._keys_of = powers, cache(keys_of)
        data = data or {}
        self.given: Entries = data.get("given", {})
        self.then: Entries = data.get("then", {})
        self.counts: Entries = data.get("counts", {})
        self.stops: Entries = data.get("stops", {})
        self.tables: Mapping[str, Any] = data.get("tables", {})
        self.tokens: Mapping[str, str] = data.get("tokens", {})
        self.same_as: Mapping[str, str] = data.get("same_as", {})
        self.spans: Mapping[str, Mapping[str, int]] = data.get("spans", {})
        self.settings: Mapping[str, Any] = data.get("settings", {})
        self.inside: Mapping[str, Sequence[str]] = data.get("within", {})
        steps: Mapping[str, Mapping[str, Any]] = data.get("steps", {})
        self.keys = tuple(steps)
        self.forms = {
            (key, str(word)): StepForm(key, str(word), **entry)
            for key, words in steps.items()
            for word, entry in words.items()
        }

    def form(self, key: str, word: str) -> StepForm | None:
        """The form of a step by its first key and its value: one of the notation, or a power; else None."""
        known = self.forms.get((key, "*")) or self.forms.get((key, word))
        own = folded(word)
        if known is not None or own not in self.powers:
            return known
        return StepForm(key, word, (own,), self._keys_of(own))

    @property
    def names(self) -> set[str]:
        """The names of all steps."""
        return {*self.powers, *(one.name for one in self.forms.values())}

    def words_of(self, key: str) -> list[str]:
        """The notation's values for the first key of a step."""
        return [word for one, word in self.forms if one == key]


OPTIONAL = "optional"
DONE = ("yes", "no", "do", "skip")


class AskedRow(Frozen):
    """A row that asks: the name of its answer, its question if any, and the labels of a menu."""

    name: str
    row: Any
    question: str = ""
    labels: tuple[str, ...] = ()

    @property
    def words(self) -> Words:
        """The name as written in the rules, perhaps with placeholders."""
        is_menu = isinstance(self.row, p.Modal)
        return (self.row.prompt or self.row.modes[0].label) if is_menu else self.name


def asked(routine: p.Routine) -> Iterator[AskedRow]:
    """The rows of a routine that ask players or chance."""
    for row in routine.rows:
        match row:
            case p.Modal():
                labels = tuple(with_holes(mode.label, routine.slots) for mode in row.modes)
                name = with_holes(row.prompt or row.modes[0].label, routine.slots)
                yield AskedRow(name, row, "", labels)
            case p.Choose() | p.Secret() | p.Ask():
                yield AskedRow(row.name, row, with_holes(row.prompt, routine.slots))
            case p.Roll() | p.Draw() | p.Peek() | p.Pick():
                yield AskedRow(row.name, row)


class PromptForm(Frozen):
    """One form of a prompt: the type of its answer, or the labels to choose from."""

    type: Type
    labels: tuple[str, ...] = ()
    secret: bool = False


YES_OR_NO = PromptForm(BOOL, DONE)


def is_text(asking: PromptForm) -> bool:
    """Is the answer free text?"""
    return asking.type.name == TEXT.name and not asking.labels


class Prompts:
    """All prompts of a game by their folded names; placeholders in a name match any text."""

    def __init__(
        self,
        routines: Iterable[p.Routine],
        entities: Sequence[p.Entity],
        counted: Sequence[tuple[str, str]],
    ) -> None:
        found: dict[str, set[PromptForm]] = defaultdict(set)
        patterns: dict[str, set[PromptForm]] = defaultdict(set)
        self.by_question: dict[str, dict[str, None]] = defaultdict(dict)
        """The names of choices by their folded questions."""
        self._called: dict[str, set[str]] = defaultdict(set)
        for one in chain.from_iterable(map(asked, routines)):
            found[folded(one.name)].add(_form(one))
            if isinstance(one.row, p.Choose) and one.question:
                self.by_question[folded(one.question)][one.name] = None
            known_as = one.row.known_as if isinstance(one.row, p.Modal) else ""
            if known_as:
                found[known_as].add(_form(one))
            for pattern in _patterns(one, entities, counted):
                patterns[pattern].add(_form(one))
                self._called[pattern].add(known_as)
            if isinstance(one.row, p.Modal):
                self._called[folded(one.name)].add(known_as)
        self.by_name: Mapping[str, set[PromptForm]] = dict(found)
        self._patterns = dict(patterns)
        askings = chain.from_iterable(found.values())
        self.labels = {slug(label): label for asking in askings for label in asking.labels}

    def of(self, name: str) -> set[PromptForm]:
        """The forms of the prompts of this name; empty if there are none."""
        key = folded(name)
        if key in self.by_name or "{" in key:
            return self.by_name.get(key, set())
        filled = (one for pattern, one in self._patterns.items() if fnmatchcase(key, pattern))
        return set().union(*filled)

    def names_of(self, words: str) -> set[str]:
        """The names of the menus and optional parts that cases also call by these words; an empty one for
        those without a name."""
        key = folded(words)
        if key in self._called or key in self.by_name:
            return self._called.get(key, set())
        found = (words for words in self._called if fnmatchcase(key, words))
        # "What does * set out to do?" before "What does * do?"
        nearest = max(found, key=len, default="")
        return self._called.get(nearest, set())


def _of_one_each(
    words: Template, entities: Sequence[p.Entity], counted: Sequence[tuple[str, str]]
) -> Template:
    """A text with its counted nouns in the singular: `{left} die`."""
    return tuple(
        of_one(one, entities, counted)
        if isinstance(one, str) and isinstance(before, tuple)
        else one
        for before, one in zip(("", *words), words, strict=False)
    )


def _patterns(
    one: AskedRow, entities: Sequence[p.Entity], counted: Sequence[tuple[str, str]]
) -> list[str]:
    """The patterns of a name with placeholders."""
    if isinstance(one.words, str):
        return []
    return [*map(_pattern, (one.words, _of_one_each(one.words, entities, counted)))]


def _pattern(words: Template) -> str:
    return folded("".join(escape(one) if isinstance(one, str) else "*" for one in words))


def _form(one: AskedRow) -> PromptForm:
    match one.row:
        case p.Modal(kind=kind):
            return YES_OR_NO if kind == OPTIONAL else PromptForm(TEXT, one.labels)
        case p.RollEach() if not isinstance(one.row, p.RollSummed):
            return PromptForm(DICE)
        case p.Roll():
            return PromptForm(INT)
    type_ = Type.parse(one.row.type)
    if isinstance(one.row, p.Secret):
        return PromptForm(type_, secret=True)
    many, optional = type_.many, type_.optional or isinstance(one.row, p.Draw)
    if isinstance(one.row, p.Choose):
        many |= one.row.count != "one"
        # Another player may have to answer that nothing fits, where that is hidden.
        optional = optional or one.row.or_none or one.row.by is not None
    return PromptForm(Type(type_.name, many, optional))
