"""The names and values that a case writes, as the program of its game has them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from ruleloom.compiler.cases.case_words import number_in
from ruleloom.compiler.cases.notation_words import as_list
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import constant, title_text, value_text
from ruleloom.runtime.play.corrections import thing_of
from ruleloom.runtime.program.values import Type, World
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.made import Made, unmarked

PART_OF_NAME = re.compile(r"[^.#]+")
PLAIN = ("Int", "Fraction", "Bool")
UNNAMED = ("Int", "Fraction", "Text")  # types none of whose values can be called `none`


class HasKey(Protocol):
    """A field, as far as its key is concerned: `by` is the type of that, empty if it has none."""

    @property
    def name(self) -> str: ...

    @property
    def by(self) -> str: ...


@lru_cache(maxsize=64)
def _numbers(names: tuple[str, ...]) -> Mapping[str, int]:
    """The things of these names by name; of two of one name, the first."""
    return {name.replace("-", "_"): number for number, name in reversed(tuple(enumerate(names)))}


@dataclass(eq=False)
class CaseNames:
    """The names and values that a case writes; things made in play are looked for in `world`."""

    made: Made
    linked: Linked
    world: World | None = None

    def number(self, entity: str, name: str) -> int | None:
        """The index of a thing of this case (`hero`, `hero.lore`), of the game, or of a player."""
        if entity == "Player":
            players = self.linked.layout.players
            return players.index(name) if name in players else None
        known = _numbers(self.linked.layout.names.get(entity, ()))
        number = known.get(self.marked(name).replace("-", "_"))
        if number is None and self.world is not None and entity in self.linked.layout.named:
            return thing_of(self.linked, self.world, self.linked.entities[entity], name)
        return number

    def marked(self, name: str) -> str:
        """The program's name for a thing of this case, or a part or copy of one."""
        things = {one.replace("-", "_") for one in self.made.things}

        def with_mark(part: re.Match[str]) -> str:
            return part[0] + (self.made.mark if part[0].replace("-", "_") in things else "")

        return PART_OF_NAME.sub(with_mark, name)

    def value(self, type_: Type, word: Any) -> Any:
        """The value of this type that a case writes so. StepNotUnderstood if it is none."""
        if type_.many:
            return self._values(type_, word)
        if type_.optional and (word is None or (word == "none" and type_.name in UNNAMED)):
            return None
        match type_.name:
            case "Bool" if isinstance(word, bool):
                return word
            case "Int" | "Fraction":
                return _number(type_, str(word))
            case "Text":
                return str(word)
        thing = self.number(type_.name, str(word))
        if thing is not None:
            return thing
        try:
            return constant(self.linked, type_, str(word))
        except (ValueError, KeyError) as error:
            raise StepNotUnderstood(f"`{word}` is no {type_.name}") from error

    def _values(self, type_: Type, word: Any) -> tuple[Any, ...]:
        words = [] if word in ("none", None) else as_list(word)
        items = [self.value(type_.item, one) for one in words]
        return tuple(sorted(items, reverse=True) if type_.repeats else dict.fromkeys(items))

    def key_of(self, field: HasKey, words: Sequence[str]) -> tuple[Any] | None:
        """The key of a field that is a table, from what stands in parentheses behind its name."""
        if len(words) != bool(field.by):
            wanted = f"one {field.by}" if field.by else "nothing"
            raise StepNotUnderstood(f"`{field.name}` has {wanted} in parentheses")
        return (self.value(Type(field.by), words[0]),) if words else None

    def shown(self, world: World, type_: Type, value: Any) -> Any:
        """A value as a case writes it."""
        if type_.name in self.linked.layout.named and value is not None:
            many = value if type_.many else (value,)
            called = sorted(title_text(self.linked, world, type_.item, one) for one in many)
            return called if type_.many else called[0]
        if type_.many:
            texts = (value_text(self.linked, world, type_.item, one) for one in value)
            return sorted(map(unmarked, texts))
        if type_.name in PLAIN and value is not None:
            return value
        return unmarked(value_text(self.linked, world, type_, value))


def _number(type_: Type, word: str) -> int | Fraction:
    value = number_said(word)
    if type_.name == "Int" and not isinstance(value, int):
        raise StepNotUnderstood(f"`{word}` is no whole number")
    return value


def number_said(text: str) -> int | Fraction:
    """A number as people write it. StepNotUnderstood for anything else."""
    value = number_in(text)
    if value is None:
        raise StepNotUnderstood(f"`{text}` is no number")
    return value
