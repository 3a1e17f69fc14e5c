"""What the texts of a game can ask, by the name that a case gives it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from glob import escape
from typing import Any

from ruleloom.compiler.resolve.record_values import folded
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program as p
from ruleloom.runtime.program.program import Template, Words
from ruleloom.runtime.program.texts import of_one, slug, with_holes
from ruleloom.runtime.program.values import BOOL, DICE, INT, TEXT, Type

OPTIONAL, MENU = "optional", "menu"
DONE = ("yes", "no", "do", "skip")


@dataclass(frozen=True, slots=True)
class AskedRow:
    """One place at which a text asks: the name by which it is answered, its question if it has one,
    and the labels of a menu."""

    name: str
    row: Any
    question: str = ""
    labels: tuple[str, ...] = ()

    @property
    def words(self) -> Words:
        """The name as its author wrote it, perhaps with holes."""
        is_menu = isinstance(self.row, p.Modal)
        return (self.row.prompt or self.row.modes[0].label) if is_menu else self.name


def asked(routine: p.Routine) -> Iterator[AskedRow]:
    """All that a text asks players and chance."""
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
        self.by_question: dict[str, dict[str, None]] = defaultdict(dict)
        """The names of choices by their questions."""
        for routine in routines:
            for one in asked(routine):
                found[folded(called(one.name))].add(_form(one))
                if isinstance(one.row, p.Choose) and one.question:
                    self.by_question[folded(one.question)][one.name] = None
                if not isinstance(one.words, str):
                    one_each = _of_one_each(one.words, entities, counted)
                    for pattern in map(_pattern, (one.words, one_each)):
                        patterns[called(pattern)].add(_form(one))
        self.by_name: Mapping[str, set[PromptForm]] = dict(found)
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


def _form(one: AskedRow) -> PromptForm:
    match one.row:
        case p.Modal(kind=kind):
            return YES_OR_NO if kind == OPTIONAL else PromptForm(TEXT, one.labels)
        case p.RollEach():
            return PromptForm(DICE)
        case p.Roll():
            return PromptForm(INT)
    type_ = Type.parse(one.row.type)
    if isinstance(one.row, p.Secret):
        return PromptForm(type_, secret=True)
    many, optional = type_.many, type_.optional or isinstance(one.row, p.Draw)
    if isinstance(one.row, p.Choose):
        many = many or one.row.count != "one"
        # Another may have to say that nothing fits, where that is hidden.
        optional = optional or one.row.or_none or one.row.by is not None
    return PromptForm(Type(type_.name, many, optional))
