"""Claims about numbers: stats and measures, fields of things, and variables of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ruleloom.api.requirements import CANNOT, why_not
from ruleloom.compiler.cases.case_words import folded, name_and_words
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.symbols import FieldSymbol, Signature, Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.labels import number_text
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import Type, World
from ruleloom.scenarios.claims.case_names import CaseNames, number_said
from ruleloom.scenarios.notation import StepNotUnderstood


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
