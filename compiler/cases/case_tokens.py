"""Things without a name of their own, written like `A2E@0/1`, in one case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleloom.compiler.cases.case_values import CaseValues, Fault, fault
from ruleloom.compiler.cases.case_words import number_in, token_regex
from ruleloom.compiler.cases.known_names import Where
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.symbols import FieldSymbol
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one case; `patterns` are those of the notation, by entity."""

    values: CaseValues
    patterns: Mapping[str, str]

    def why_not(self, entity: str, token: str, where: Where, others: Sequence[str] = ()) -> Fault:
        """What is wrong with a token of this entity; a slip may be meant for one of the `others`."""
        key = entity, self.values.names.players, token
        sound = self.values.names.game.tokens
        if key in sound:
            return None
        symbol = self.values.names.game.symbols.entities[entity]
        found = self.parts(entity, token)
        if found is None:
            message = f"`{token}` is not written like {self.patterns[entity]}"
            return fault("type-mismatch", where, message, did_you_mean(token, others))
        for name, text in found.items():
            wrong = self._wrong_part(symbol.fields[name], text, token, where)
            if wrong is not None:
                return wrong
        sound.add(key)
        return None

    def parts(self, entity: str, token: str) -> Mapping[str, str] | None:
        """The texts of a token's fields, by name; None if it is not written as one."""
        symbols = self.values.names.game.symbols
        types = tuple(
            (name, one.type.name) for name, one in symbols.entities[entity].fields.items()
        )
        players, enums = self.values.names.players, symbols.enums
        known = ((of, players if of == "Player" else enums.get(of)) for _, of in types)
        words = tuple((of, values) for of, values in known if values is not None)
        found = token_regex(self.patterns[entity], types, words).fullmatch(token)
        return found.groupdict() if found is not None else None

    def _wrong_part(self, field: FieldSymbol, text: str, token: str, where: Where) -> Fault:
        number = number_in(text)
        if field.type.name == "Int" and isinstance(number, int):
            low, high = field.low, field.high
            if (low is not None and number < low) or (high is not None and number > high):
                message = f"`{token}`: {field.name} is {low} to {high}"
                return fault("type-mismatch", where, message)
        if field.type.name in self.values.names.game.symbols.points:
            try:
                x, y = text.split("/")
                int(x), int(y)
            except ValueError:
                return fault("type-mismatch", where, f"`{token}`: `{text}` is no {field.name}")
        return None
