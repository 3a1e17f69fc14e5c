"""Holds the values of a case against types: each as `check` tells those of items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ruleloom.compiler.cases.case_words import is_point, number_in, token_parts, within
from ruleloom.compiler.cases.known_names import OwnNames, Where, scalar
from ruleloom.compiler.cases.prompts import PromptForm
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.resolve.symbols import FieldSymbol
from ruleloom.compiler.resolve.values import folded
from ruleloom.compiler.schema.expected_values import how_to_write_number, without_brackets
from ruleloom.compiler.types import is_unknown, with_article
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import PLAYER, Type

MOST_SHOWN = 12
WANTED = {
    "Int": "a whole number",
    "Fraction": "a number",
    "Bool": "`yes` or `no`",
    "Text": "a text",
}

Fault = Diagnostic | None
Faults = Iterator[Diagnostic]


def fault(code: str, where: Where, message: str, help: str | None = None) -> Diagnostic:
    """A mistake in a case."""
    return Diagnostic(where.place, "error", code, message, help)


def some(found: Fault) -> Faults:
    """A mistake, if there is one."""
    if found is not None:
        yield found


def unknown(where: Where, message: str, word: str, known: Iterable[str]) -> Diagnostic:
    """An unknown name, with the one that was meant, or all there are if they are few."""
    choices = list(dict.fromkeys(known))
    few = f"there are {quoted_list(choices)}" if 0 < len(choices) <= MOST_SHOWN else None
    return fault("unknown-name", where, message, did_you_mean(word, choices) or few)


def unknown_item(
    names: OwnNames, where: Where, message: str, word: str, known: Iterable[str]
) -> Fault:
    """An unknown name, or the change to an item that had it, if this pack took it out."""
    became = names.game.what_became(word, where.place.path)
    if became is not None:
        return fault("unknown-name", where, *became)
    return None if names.game.forgives(word) else unknown(where, message, word, known)


@dataclass(frozen=True, slots=True)
class CaseValues:
    """Values as one case may write them."""

    names: OwnNames
    are_printed: bool = False
    """Are they printed on things, which can only name what items make?"""

    def why_not(self, type_: Type, node: YamlNode) -> Fault:
        """The mistake in a value where one of this type is wanted."""
        if is_unknown(type_):
            return None
        if node.kind == "int" and type_.name == "Int":
            return None
        if node.kind == "map":
            return fault("type-mismatch", node, f"{self.noun(type_)} is wanted here")
        if type_.many:
            return self._why_no_list(type_, node)
        if node.kind == "list":
            message = f"{self.noun(type_)} is wanted here, and no list"
            fits = len(node.items) == 1 and self.why_not(type_, node.items[0]) is None
            help = without_brackets(node) if fits else None
            return fault("type-mismatch", node, message, help)
        if type_.optional and scalar(node) == "none":
            return None
        return self.why_not_word(type_, node, scalar(node), node)

    def _why_no_list(self, type_: Type, node: YamlNode) -> Fault:
        if node.kind != "list":
            none = scalar(node) == "none"
            return None if none else self.why_not(type_.item, node)
        found = (self.why_not(type_.item, one) for one in node.items)
        return next(filter(None, found), None)

    def why_not_word(self, type_: Type, node: YamlNode, word: str, where: Where) -> Fault:
        """The mistake in one word: a value by itself, or in the parentheses of a key."""
        match type_.name:
            case "Bool":
                fine = word in ("yes", "no")
            case "Int":
                fine = isinstance(number_in(word), int)
            case "Fraction":
                fine = number_in(word) is not None
            case "Text":
                fine = True
            case _:
                return self._why_no_name(type_, word, where)
        if fine:
            return None
        message = f"{WANTED[type_.name]} is wanted here, and not `{word}`"
        help = f"write {WANTED['Bool']}" if type_.name == "Bool" else how_to_write_number(word)
        return fault("type-mismatch", where, message, help)

    def why_no_player(self, name: str, where: Where, node: YamlNode) -> Fault:
        """The mistake in a key of this node that is to be the name of a player."""
        return self.why_not_word(PLAYER, node, name, where)

    def _why_no_name(self, type_: Type, word: str, where: Where) -> Fault:
        symbols = self.names.game.symbols
        if type_.name in symbols.points:
            return None if is_point(word) else self._wrong(type_, word, where)
        options = self._options(type_)
        if options:
            fine = word in options or folded(word) in map(folded, options)
        else:
            named = type_.name in symbols.entities or type_.name == "Player"
            is_made = type_.name in self.names.entities_of(word)
            fine = not named or is_made
            if not fine and not self.are_printed:
                fine = self.names.may_be_named(type_.name, word)
        return None if fine else self._no_such(type_, word, where)

    def _options(self, type_: Type) -> Sequence[str]:
        """The values of an enum, the options of a switch, or all tags."""
        symbols = self.names.game.symbols
        return symbols.options_of(type_) or tuple(symbols.tags if type_.name == "Tag" else ())

    def _no_such(self, type_: Type, word: str, where: Where) -> Fault:
        known = self.candidates(type_)
        noun = self.names.game.symbols.noun(type_)
        message = f"there is no {noun} `{word}` here"
        other = self.names.entities_of(word)
        if other and type_.name not in other:
            message = f"`{word}` is {with_article(self.noun_of(other[0]))}, and no {noun}"
        if self.are_printed and self.names.game.was_called(word):
            return None  # what is printed on a thing keeps its old name, as it would on an item
        return unknown_item(self.names, where, message, word, known)

    def _wrong(self, type_: Type, word: str, where: Where) -> Diagnostic:
        noun = with_article(self.names.game.symbols.noun(type_))
        return fault("type-mismatch", where, f"{noun} is wanted here, and not `{word}`", "`2/-1`")

    def candidates(self, type_: Type) -> Sequence[str]:
        """The names that values of a type have."""
        if type_.name == "Bool":
            return ("yes", "no")
        return self._options(type_) or self.names.names_of(type_.name)

    def noun(self, type_: Type) -> str:
        """The type of a value that is wanted, in words."""
        if type_.name in WANTED:
            return WANTED[type_.name]
        return with_article(self.names.game.symbols.noun(type_))

    def noun_of(self, entity: str) -> str:
        """The noun for a thing of an entity."""
        return self.names.game.symbols.noun(Type(entity))

    def why_no_answer(self, name: str, askings: Iterable[PromptForm], node: YamlNode) -> Fault:
        """The mistake in an answer that a prompt of this name gets, in whichever way it is asked."""
        found = []
        for asking in askings:
            wrong = self._why_not_asked(asking, node)
            if wrong is None:
                return None
            found.append(wrong)
        if len(found) == 1:
            return found[0]
        known = [one for asking in askings for one in self._answers(asking)]
        word = scalar(node) if node.kind not in ("map", "list") else node.raw
        return unknown(node, f"`{word}` is no answer to `{name}`", word, known)

    def _answers(self, asking: PromptForm) -> Sequence[str]:
        return asking.labels or self.candidates(asking.type)

    def _is_as_shown(self, type_: Type, node: YamlNode) -> bool:
        """Is it what the table calls a thing that has no name in the case, `A2E@0/1`?"""
        shown = node.kind not in ("map", "list") and "@" in scalar(node)
        return shown and type_.item.name in self.names.game.symbols.entities

    def _why_not_asked(self, asking: PromptForm, node: YamlNode) -> Fault:
        if not asking.labels:
            return None if self._is_as_shown(asking.type, node) else self.why_not(asking.type, node)
        if node.kind in ("map", "list"):
            return fault("type-mismatch", node, "one of the ways is wanted here")
        word = scalar(node)
        if any(_alike(word, label) for label in asking.labels):
            return None
        return unknown(node, f"no way is called `{word}`", word, asking.labels)


def _alike(word: str, label: str) -> bool:
    return "{" in label or slug(word) == slug(label)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Things without a name of their own, written like `A2E@0/1`, in one case.

    `patterns` are those of the notation, by entity.
    """

    values: CaseValues
    patterns: Mapping[str, str]

    def why_not(self, entity: str, token: str, where: Where, others: Sequence[str] = ()) -> Fault:
        """The mistake in a token of this entity; a slip may be meant for one of the `others`."""
        symbol = self.values.names.game.symbols.entities[entity]
        found = self.parts(entity, token)
        if found is None:
            message = f"`{token}` is not written like {self.patterns[entity]}"
            return fault("type-mismatch", where, message, did_you_mean(token, others))
        for name, text in found.items():
            wrong = self._wrong_part(symbol.fields[name], text, token, where)
            if wrong is not None:
                return wrong
        return None

    def parts(self, entity: str, token: str) -> Mapping[str, str] | None:
        """The texts of a token's fields, by name; None if it is not written as one."""
        symbols = self.values.names.game.symbols
        fields = symbols.entities[entity].fields.items()
        types = tuple((name, one.type.name) for name, one in fields)
        words = {**symbols.enums, PLAYER.name: self.values.names.players}
        return token_parts(self.patterns[entity], types, words, token)

    def _wrong_part(self, field: FieldSymbol, text: str, token: str, where: Where) -> Fault:
        number = number_in(text)
        if field.type.name == "Int" and number is not None and not within(field, number):
            message = f"`{token}`: {field.name} is {field.low} to {field.high}"
            return fault("type-mismatch", where, message)
        if field.type.name in self.values.names.game.symbols.points and not is_point(text):
            return fault("type-mismatch", where, f"`{token}`: `{text}` is no {field.name}")
        return None
