"""The English of every name of a game: the author's, or else the name itself in words.

What an operation says of yes and of more is turned here into its opposite.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from ruleloom.compiler.english.word import NUMBER, TEXT, is_statement, spaced, third_person
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr_types import zone_type
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Type

PLAIN_NOUNS = {
    "Int": (NUMBER, "numbers"),
    "Bool": ("answer", "answers"),
    "Text": (TEXT, "texts"),
    "?": ("thing", "things"),
}


T = TypeVar("T")


def parsed_text(text: object, parse: Callable[[str], T]) -> T | None:
    """The tree of a text, or None if it is none or cannot be read."""
    try:
        return parse(text) if isinstance(text, str) else None
    except EffectSyntaxError:
        return None


@dataclass(frozen=True, slots=True)
class Glossary:
    """Every name of a game in English."""

    symbols: Symbols
    items: Mapping[str, Item] = field(default_factory=dict)
    """The items of rules and measures, with their texts, by id."""

    def meaning(self, callee: Signature) -> ast.Expr | None:
        """The expression of a rule or measure; None for one without such a text."""
        item = self.items.get(callee.id)
        text = item and item.data("holds" if item.kind == "rule" else "is")
        return parsed_text(text, parse_expr)

    def counted(self) -> list[tuple[str, str]]:
        """The authors' words for several of something, each with that for one."""
        words = self.symbols.words.items()
        return [(name[1], single) for name, single in words if name[0] == "counted"]

    def scope(self, name: str) -> str:
        """A variable of the game."""
        return self.symbols.words.get(("scope", name)) or f"the {spaced(name)}"

    def field(self, name: str) -> str:
        """A field of things; an abbreviation as the sheet has it: `PI` where there is `max_PI`."""
        capitals = self.symbols.capitals
        noun, _ = self.symbols.nouns.get(name.capitalize()) or ("", "")
        if noun.lower() == name:
            return noun  # with its capital, as what it holds is called
        return " ".join(capitals.get(word, word) for word in spaced(name).split())

    def said_of_field(self, expr: Expr) -> tuple[str, Mapping[str, Expr]]:
        """What the vocabulary says of a field that is read, and what fills that; empty without."""
        key: Mapping[str, Expr] = {}
        if expr[0] == "lookup":
            expr, key = expr[1], {"key": expr[2]}
        if expr[0] not in ("field", "static"):
            return "", {}
        entity, _, name = expr[1].partition(".")
        symbol = self.symbols.fields.get(name, {}).get(entity)
        fits = symbol is not None and (bool(key) or not symbol.by)
        return (symbol.english if symbol is not None and fits else ""), {"it": expr[2], **key}

    def zone(self, name: str) -> str:
        """A zone."""
        return self.symbols.words.get(("zones", name)) or f"the {spaced(name)}"

    def setting(self, name: str) -> str:
        """A setting or switch: what it settles."""
        return self.symbols.words.get(("setting", name)) or f"the {spaced(name)}"

    def lengths_of_time(self, things: str) -> Sequence[tuple[str, str]]:
        """The settings that say how many rounds, or other things, a longer time has: each with that
        time, `minute` for `rounds in a minute`."""
        return self.symbols.words.answer(_lengths_of_time, things)

    def roll(self, name: str) -> str:
        """What some dice are rolled for."""
        return self.symbols.words.get(("roll", name), "")

    def option(self, switch: str, option: str) -> str:
        """What holds when a switch stands on one of its options."""
        return (
            self.symbols.words.get(("option", switch, option))
            or f"{spaced(switch)} is {spaced(option)}"
        )

    def value(self, name: str) -> str:
        """A value of an enum, as the vocabulary puts it."""
        return self.symbols.words.get(("value", name)) or name.replace("_", " ")

    def tag(self, expr: Expr) -> str:
        """What a tag says of a thing, behind `is`; empty for anything else."""
        return self.symbols.words.get(("tag", str(expr[1])), "") if expr[0] == "value" else ""

    def callee(self, name: str) -> Signature | None:
        """The query, measure or rule that a lowered expression calls."""
        return self.symbols.callables.get(name.rpartition("/")[2].replace("-", "_"))

    def declared(self, form: str, name: str) -> Type | None:
        """The type of what a lowered expression names."""
        symbols = self.symbols
        if form in ("query", "function", "allowed"):
            callee = self.callee(name)
            return callee.result if callee is not None else None
        if form in ("value", "bearer"):
            thing = symbols.values.get(name) if form == "value" else name
            return Type(thing) if thing else None
        if form in ("zone", "at", "field", "static"):
            return self._stored(form, name)
        variable = (symbols.scope if form == "scope" else symbols.settings).get(name)
        return variable.type if variable is not None else None

    def _stored(self, form: str, name: str) -> Type | None:
        """The type of a zone or field. A thing that is spoken of is there: no field is none."""
        if form in ("zone", "at"):
            zone = self.symbols.zones.get(name)
            return zone_type(form, zone.of) if zone is not None else None
        entity, _, field = name.partition(".")
        symbol = self.symbols.fields.get(field, {}).get(entity)
        return symbol.type.present if symbol is not None else None

    def called(self, rule: str) -> str:
        """A rule as a thing, `the limit of 3 pieces on a space`; empty if it has no such name."""
        return self.symbols.words.get(("called", rule), "")

    def rule(self, name: str) -> str:
        """A rule that can be ignored, as it is written: with holes for its parameters."""
        callee = self.symbols.callables.get(name)
        if callee is not None:
            return callee.english or spaced(name)
        return self.symbols.words.get(("always", name)) or spaced(name)

    def is_noun(self, word: str) -> bool:
        """Is it a word for one or several things of the game?"""
        return self.symbols.nouns.answer(_is_noun, word)

    def singular_of(self, several: str) -> str:
        """The singular of a word for things; empty for any other word."""
        return self.symbols.nouns.answer(_singular_of, several)

    def noun(self, type_: Type, plural: bool = False) -> str:
        """The word for one thing of a type, or for several."""
        if type_.repeats:
            return "dice" if plural else "die"
        known = self.symbols.nouns.get(type_.name) or PLAIN_NOUNS.get(type_.name)
        singular, several = known or (spaced(type_.name), f"{spaced(type_.name)}s")
        return several if plural else singular


def glossary(content: Content, symbols: Symbols) -> Glossary:
    """The English of a game."""
    return Glossary(symbols, content.by_id)


def _lengths_of_time(
    words: Iterable[tuple[tuple[str, ...], str]], things: str
) -> tuple[tuple[str, str], ...]:
    called = re.compile(rf"{things} in an? (\w+)")
    found = ((key[1], called.fullmatch(said)) for key, said in words if key[0] == "setting")
    return tuple((name, length[1]) for name, length in found if length is not None)


def _singular_of(nouns: Iterable[tuple[str, tuple[str, str]]], word: str) -> str:
    return next((one for _, (one, several) in nouns if several == word), "")


def _is_noun(nouns: Iterable[tuple[str, tuple[str, str]]], word: str) -> bool:
    return any(word in both for _, both in nouns)


# What an operation says of an amount below zero, or of no, is its opposite.
_NOTHING: Expr = ("value", False)
_TURNED = {"go into": "leave", "come into": "leave", "are put into": "are taken from"}


_LESS = (
    (re.compile(r"\{(\w+)\} more\b"), " more", " less"),
    (re.compile(r"\bmoves by \{(\w+)\}"), "moves", "moves back"),
)


def turned_round(english: str, values: dict[str, Expr]) -> str:
    """What is said of an amount below zero: of minus 3 coins that go into a bowl, 3 leave it."""
    return _made_less(english, values) or _led_back(english, values) or english


def _made_less(english: str, values: dict[str, Expr]) -> str:
    """`3 less` for minus 3 more; empty where nothing is more."""
    for pattern, more, less in _LESS:
        place = pattern.search(english)
        if place is not None and values.get(place[1], _NOTHING)[0] == "negative":
            values[place[1]] = values[place[1]][1]
            return english.replace(place[0], place[0].replace(more, less), 1)
    return ""


def _led_back(english: str, values: dict[str, Expr]) -> str:
    """`3 coins leave` for minus 3 coins that go in; empty where nothing goes anywhere."""
    found = re.match(rf"\{{(\w+)\}} [a-z]+ ({'|'.join(_TURNED)})\b", english)
    amount = values.get(found[1], _NOTHING) if found is not None else _NOTHING
    below = amount[0] == "value" and type(amount[1]) is int and amount[1] < 0
    if found is None or not (below or amount[0] == "negative"):
        return ""
    values[found[1]] = ("value", -amount[1]) if below else amount[1]
    return english.replace(found[2], _TURNED[found[2]], 1)


def undone_words(english: str) -> str:
    """The opposite of what an operation says that only speaks of yes: `{who} no longer hides`."""
    doer = re.fullmatch(
        r"((?:let [^{}]*)?\{\w+\}(?: is| are)?) (?!(?:and|to|from|of)\b)(.+)", english
    )
    if doer is not None:
        return f"{doer[1]} no longer {doer[2]}"
    thing = re.fullmatch(r"let (an? [a-z]+) ([a-z]+)(.*)", english)
    if thing is not None:
        return f"{thing[1]} no longer {third_person(thing[2])}{thing[3]}"
    again = "it is no longer so that " if is_statement(english) else "no longer "
    return again + english
