"""What the texts of a game can ask, by the name that a case gives it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from glob import escape
from typing import Any

from ruleloom.compiler.resolve.values import folded
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Template, Words
from ruleloom.runtime.program.texts import of_one, slug, with_holes
from ruleloom.runtime.program.values import BOOL, DICE, INT, TEXT, Type

OPTIONAL, MENU = "optional", "menu"
DONE = ("yes", "no", "do", "skip")


@dataclass(frozen=True, slots=True)
class PromptForm:
    """One way in which a prompt is asked: the type of its answer, or the labels to choose from."""

    type: Type
    labels: tuple[str, ...] = ()
    secret: bool = False


YES_OR_NO = PromptForm(BOOL, DONE)


def is_text(asking: PromptForm) -> bool:
    """Is it answered in people's own words?"""
    return asking.type.name == TEXT.name and not asking.labels


class Prompts:
    """All prompts of a game by their folded names; those with holes may also stand filled."""

    def __init__(
        self,
        routines: Iterable[p.Routine],
        entities: Sequence[p.Entity],
        counted: Sequence[tuple[str, str]],
        called: Callable[[str], str] = str,
    ) -> None:
        """Gather what routines ask; `called` says how a case calls what they name."""
        found: dict[str, set[PromptForm]] = defaultdict(set)
        patterns: dict[str, set[PromptForm]] = defaultdict(set)
        for routine in routines:
            for row in routine.rows:
                for name, words, asking in _asked(row, routine.slots):
                    found[folded(called(name))].add(asking)
                    if not isinstance(words, str):
                        one_each = _of_one_each(words, entities, counted)
                        for pattern in map(_pattern, (words, one_each)):
                            patterns[called(pattern)].add(asking)
        self.by_name: Mapping[str, set[PromptForm]] = dict(found)
        self.by_question: dict[str, dict[str, None]] = defaultdict(dict)
        for question, name in (pair for one in routines for pair in _questions(one)):
            self.by_question[question][name] = None
        self._patterns = dict(patterns)
        askings = (asking for found in self.by_name.values() for asking in found)
        self.labels = {slug(label): label for asking in askings for label in asking.labels}

    def of(self, name: str) -> set[PromptForm]:
        """The ways in which a prompt of this name is asked; none if nothing is called so."""
        key = folded(name)
        known = self.by_name.get(key)
        if known is not None:
            return known
        if "{" in key:
            return set()
        filled = (one for pattern, one in self._patterns.items() if fnmatchcase(key, pattern))
        return set().union(*filled)


def _of_one_each(
    words: Template, entities: Sequence[p.Entity], counted: Sequence[tuple[str, str]]
) -> Template:
    """A text as it stands where each of its numbers is 1: `{left} die`."""
    behind = [isinstance(one, tuple) for one in ("", *words)]
    pairs = zip(words, behind, strict=False)
    return tuple(
        of_one(one, entities, counted) if isinstance(one, str) and is_behind else one
        for one, is_behind in pairs
    )


def _pattern(words: Words) -> str:
    return folded("".join(escape(one) if isinstance(one, str) else "*" for one in words))


def _questions(routine: p.Routine) -> Iterator[tuple[str, str]]:
    """The questions of named choices, each with the name by which it is answered."""
    for row in routine.rows:
        if isinstance(row, p.Choose) and row.prompt:
            yield folded(with_holes(row.prompt, routine.slots)), row.name


def _asked(row: Any, slots: Sequence[str]) -> Iterator[tuple[str, Words, PromptForm]]:
    match row:
        case p.Modal():
            called = row.prompt or row.modes[0].label
            labels = tuple(with_holes(mode.label, slots) for mode in row.modes)
            asking = YES_OR_NO if row.kind == OPTIONAL else PromptForm(TEXT, labels)
            yield with_holes(called, slots), called, asking
        case p.RollEach():
            yield row.name, row.name, PromptForm(DICE)
        case p.Roll():
            yield row.name, row.name, PromptForm(INT)
        case p.Secret():
            yield row.name, row.name, PromptForm(Type.parse(row.type), secret=True)
        case p.Choose() | p.Ask() | p.Draw() | p.Pick() | p.Peek():
            many = isinstance(row, p.Choose) and row.count != "one"
            type_ = Type.parse(row.type)
            type_ = Type(type_.name, many or type_.many, type_.optional or isinstance(row, p.Draw))
            # Another may have to say that nothing fits, where that is hidden.
            if isinstance(row, p.Choose) and (row.or_none or row.by is not None):
                type_ = Type(type_.name, type_.many, True)
            yield row.name, row.name, PromptForm(type_)
