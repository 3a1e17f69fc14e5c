"""Who speaks, and what a phrase is while it is being put together.

A phrase is a template of the program: texts, and holes for values. To a player whose option is
refused the speaker says values, so that everything that can be worked out becomes a hole; in rules
texts it says words, and only variables stay holes, until `ruleloom.compiler.english.phrase` decides
between `the piece` and `it`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ruleloom.compiler.english.glossary import Glossary
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, PLAYER, TEXT, Type

Part = str | tuple[Expr, str]

# `it`, where it stands for the thing that is looked at just now: nothing else may then be called
# `it`.
IT = "\x03"
# The place of an answer that is told in the place where it is used: `a way of your choice`.
CHOICE = "\x02"
# A number that is handed in, where nothing is known of it: `a given size`.
GIVEN = "\x04"


@dataclass(frozen=True, slots=True)
class Variable:
    """A local variable: its name, and the type of what it holds."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Speaker:
    """Puts expressions into words.

    `variables` are the locals by slot, `settings` the values in force (empty: they are holes).
    `values` says whether holes are filled when the game is played. `you` says whether `me` is
    spoken to. `bound` are the slots of things looked at one by one, whose values nobody else can
    name.
    """

    glossary: Glossary
    variables: Mapping[int, Variable]
    settings: Mapping[str, object]
    values: bool
    nouns: Callable[[Speaker, Expr], Template]
    clauses: Callable[[Speaker, Expr, bool], Template]
    you: bool = True
    bound: frozenset[int] = frozenset()
    attaching: bool = False
    """Is what is said to stand behind a noun, as `whose owner is not you`?"""
    named: frozenset[int] = frozenset()
    """The slots of things that go by their own name wherever they stand."""

    def noun(self, expr: Expr) -> Template:
        """An expression as a noun phrase."""
        return self.nouns(self, expr)

    def clause(self, expr: Expr, denied: bool = False) -> Template:
        """A condition as a statement, or as its opposite."""
        return self.clauses(self, expr, denied)

    def binding(self, slot: int) -> Speaker:
        """The same speaker, while it looks at things one by one."""
        return replace(self, bound=self.bound | {slot})

    def variable(self, slot: int) -> Variable:
        """A local variable."""
        return self.variables.get(slot) or Variable("it", TEXT)

    def type_of(self, expr: Expr) -> Type:
        """What kind of value a lowered expression has."""
        return type_of(expr, self.variables, self.glossary)


def joined(*pieces: str | Template) -> Template:
    """Texts and templates as one template, in which texts do not stand side by side."""
    parts: list[Part] = []
    for piece in pieces:
        for part in (piece,) if isinstance(piece, str) else piece:
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            elif part != "":
                parts.append(part)
    return tuple(parts)


def enumerated(phrases: list[Template], word: str) -> Template:
    """Several phrases as `a, b and c`."""
    pieces: list[str | Template] = []
    for number, phrase in enumerate(phrases):
        if number:
            pieces.append(f" {word} " if number == len(phrases) - 1 else ", ")
        pieces.append(phrase)
    return joined(*pieces)


def opening(phrase: Template) -> str:
    """The text at the head of a phrase; empty if it begins with a hole."""
    return phrase[0] if phrase and isinstance(phrase[0], str) else ""


def without_opening(phrase: Template, head: str) -> Template:
    """A phrase without the text it begins with."""
    return joined(opening(phrase)[len(head) :], phrase[1:])


def is_hole(part: Part, slot: int) -> bool:
    """Is this part the hole of that variable?"""
    return not isinstance(part, str) and part[0] == ("slot", slot)


_NUMBERS = frozenset(("+", "-", "*", "div", "mod", "negative", "count"))
_RESULTS = {"sum": INT, "highest": INT, "lowest": INT, "count": INT, "exists": BOOL, "every": BOOL}
UNSURE = Type("?")


def type_of(expr: Expr, variables: Mapping[int, Variable], words: Glossary) -> Type:
    """What kind of value a lowered expression has; `UNSURE` if it cannot be told."""

    def inner(part: Expr) -> Type:
        return type_of(part, variables, words)

    symbols = words.symbols
    match expr:
        case ("value", value):
            return _constant(value, words)
        case ("slot", slot):
            return variables[slot].type if slot in variables else UNSURE
        case ("scope", name):
            return symbols.scope[name].type if name in symbols.scope else UNSURE
        case ("setting", name):
            return symbols.settings[name].type if name in symbols.settings else UNSURE
        case ("bearer", name):
            return Type(name) if name else UNSURE
        case ("players",):
            return Type("Player", many=True)
        case ("record", name, _):
            return Type(name)
        case ("records", name):
            return Type(name, many=True)
        case (("field" | "static"), name, _):
            entity, _, field = name.partition(".")
            symbol = symbols.fields.get(field, {}).get(entity)
            return symbol.type.present if symbol else UNSURE
        case ("zone", name, _):
            return Type(symbols.zones[name].of, many=True) if name in symbols.zones else UNSURE
        case ("at", name, _):
            return Type(symbols.zones[name].of, optional=True) if name in symbols.zones else UNSURE
        case (("query" | "function" | "allowed"), name, *_):
            callee = words.callee(name)
            return (callee.result if callee else None) or UNSURE
        case ("lookup", table, _):
            of = inner(table)
            return Type(of.name, of.many, of.optional)
        case ("list", first, *_):
            return Type(inner(first).name, many=True)
        case ("..", _, _):
            return Type("Int", many=True)
        case ("if", _, then, _):
            return inner(then)
        case ("first", _, of):
            return inner(of)
        case (("join" | "without" | "with_dice" | "without_dice"), left, _):
            return inner(left)
        case ("each", "those", value, _, domain, _):
            return Type((inner(value) if value is not None else inner(domain)).name, many=True)
        case ("each", kind, *_):
            return _RESULTS[kind]
    return INT if expr[0] in _NUMBERS else BOOL


def _constant(value: object, words: Glossary) -> Type:
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    if isinstance(value, Fraction):
        return FRACTION
    if isinstance(value, str):
        return Type(words.symbols.values.get(value, "Text"))
    if isinstance(value, tuple) and value:
        return Type(_constant(value[0], words).name, many=True)
    return UNSURE


def is_me(expr: Expr) -> bool:
    """Is this the player who acts, or whoever bears an ability: the one who is spoken to?"""
    return expr == ("scope", "me") or expr[0] == "bearer"


__all__ = [
    "CHOICE",
    "GIVEN",
    "IT",
    "PLAYER",
    "UNSURE",
    "Part",
    "Speaker",
    "Variable",
    "enumerated",
    "is_hole",
    "is_me",
    "joined",
    "opening",
    "type_of",
    "without_opening",
]
