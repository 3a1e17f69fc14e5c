"""The names and values that a case writes, as the program of its game has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from ruleloom.api.requirements import CANNOT, why_not
from ruleloom.compiler.cases.case_words import as_list, folded, name_and_words, number_in
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.symbols import FieldSymbol, Signature, Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import constant, number_text, title_text, value_text
from ruleloom.runtime.play.corrections import thing_of
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import Type, World
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.things import Made, unmarked

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


@dataclass
class ClaimedNumbers:
    """The numbers of the things of a case in one world; `cannot` says why one has no value."""

    symbols: Symbols
    words: CaseNames
    world: World
    scope: tuple[Any, ...]
    cannot: str = CANNOT

    def __post_init__(self) -> None:
        self.linked = self.words.linked
        self.words.world = self.world

    def wrong(self, numbers: Mapping[str, Any]) -> Iterator[str]:
        """Each claim about a number that does not hold."""
        for name, said in numbers.items():
            of_one = said if isinstance(said, Mapping) else {name: said}
            thing = str(name) if isinstance(said, Mapping) else ""
            for asked, wanted in of_one.items():
                found = self.value_of(str(asked), thing)
                if plain(wanted, found) != found:
                    label = f"{thing}: {asked}" if thing else asked
                    yield f"{label}: wanted {claim_text(wanted)}, found {claim_text(found)}"

    def value_of(self, asked: str, thing: str = "") -> Any:
        """The value that a case asks for, as it would be written; or StepNotUnderstood."""
        said, words = name_and_words(asked)
        name = folded(said)
        if name in self.linked.scope_index and not thing and not words:
            index = self.linked.scope_index[name]
            type_ = Type.parse(self.linked.program.scope[index].type)
            return self.words.shown(self.world, type_, self.scope[index])
        fields = list(self.symbols.fields.get(name, {}).values())
        if fields:
            return self._field(fields, thing, words)
        callee = self.symbols.callables.get(name)
        if callee is None or callee.result is None:
            raise self._unknown(name, asked)
        if not thing and len(words) == len(callee.params):
            return self._called(callee, (), words, asked)
        if not callee.params or len(words) != len(callee.params) - 1:
            takes = ", ".join(f"{one.name}: {one.type}" for one in callee.params[1:])
            raise StepNotUnderstood(f"`{callee.name}` of a thing takes ({takes}), not `{asked}`")
        return self._called(callee, (self._subject(callee, thing),), words, asked)

    def _unknown(self, name: str, asked: str) -> StepNotUnderstood:
        """The complaint about a name that is no stat or measure."""
        meant = did_you_mean(name, self.symbols.callables)
        help = f": {meant}" if meant else ""
        return StepNotUnderstood(f"there is no stat or measure `{asked.partition('(')[0]}`{help}")

    def _called(
        self, callee: Signature, first: tuple[int, ...], words: Sequence[str], asked: str
    ) -> Any:
        """The value of a stat or measure; `first` is the thing it is asked of, if there is one."""
        assert callee.result is not None
        left = callee.params[len(first) :]
        values = [self.words.value(one.type, word) for one, word in zip(left, words, strict=True)]
        form = ("query", callee.name) if callee.kind == "query" else ("function", callee.id)
        expr = (*form, *(("slot", number) for number in range(len(callee.params))))
        value = self._computed(expr, (*first, *values), asked)
        return self.words.shown(self.world, callee.result, value)

    def _field(self, fields: Sequence[FieldSymbol], thing: str, words: Sequence[str]) -> Any:
        """The value of a field, of the thing named or of the only one that has it."""
        subjects = [one for one in fields if self._fitting(one.entity, thing)]
        if len(subjects) != 1:
            name = fields[0].name
            raise StepNotUnderstood(f"whose `{name}`? say of which: `NAME: {{{name}: ...}}`")
        field = subjects[0]
        [subject] = self._fitting(field.entity, thing)
        key = self.words.key_of(field, words)
        form = "static" if field.static else "field"
        expr: Expr = (form, f"{field.entity}.{field.name}", ("slot", 0))
        if key is not None:
            expr = ("lookup", expr, ("slot", 1))
        value = self._computed(expr, (subject, *(key or ())), field.name)
        return self.words.shown(self.world, field.type, value)

    def _fitting(self, entity: str, thing: str) -> list[int]:
        """The thing of that name, or without a name the only one there is of its sort."""
        if thing:
            number = self.words.number(entity, thing)
            return [] if number is None else [number]
        names = [name for name, kind in self.words.made.things.items() if kind == entity]
        numbers = [self.words.number(entity, name) for name in names]
        return [one for one in numbers if one is not None] if len(numbers) == 1 else []

    def _computed(self, expr: Expr, slots: tuple[Any, ...], asked: str) -> Any:
        try:
            return self.linked.codegen.value(expr)(self.world, slots, self.scope, NO_RULES)
        except (TypeError, RuntimeFault) as error:
            raise StepNotUnderstood(f"`{asked}`: {why_not(error, self.cannot)}") from error

    def _subject(self, callee: Signature, thing: str) -> int:
        """Whose number is asked for: the thing named, else the only one that has such a number."""
        entity = callee.params[0].type.name
        fitting = self._fitting(entity, thing)
        if fitting:
            return fitting[0]
        if thing:
            raise StepNotUnderstood(f"`{thing}` is nothing of this case that has a `{callee.name}`")
        fitting_kind = (name for name, kind in self.words.made.things.items() if kind == entity)
        first = next(fitting_kind, None)
        say = f"say of which: `{first}: {{{callee.name}: ...}}`"
        help = "none of the things has one" if first is None else say
        raise StepNotUnderstood(f"whose `{callee.name}`? {help}")


def plain(wanted: Any, found: Any) -> Any:
    """What a case claims, as such a value: numbers exactly, also `1/2` and `40 9/10`."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        return wanted if isinstance(wanted, bool) and isinstance(found, bool) else None
    if isinstance(found, int | Fraction):
        return number_said(str(wanted))
    return sorted(map(str, wanted)) if isinstance(wanted, list) else str(wanted)


def claim_text(value: Any) -> str:
    """A value of a claim in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing"
    return number_text(value) if isinstance(value, Fraction) else str(value)
