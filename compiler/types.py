"""How types relate: what fits where, and what a type is called in messages.

While checking, `UNKNOWN` is the type of an expression with a mistake that was reported. It fits
everywhere, so that one mistake makes one message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleloom.runtime.program.values import EMPTY as EMPTY
from ruleloom.runtime.program.values import FRACTION, INT, NONE, Type
from ruleloom.runtime.program.values import UNKNOWN as UNKNOWN
from ruleloom.runtime.program.values import is_unknown as is_unknown
from ruleloom.runtime.program.values import join as join
from ruleloom.runtime.program.values import list_of as list_of
from ruleloom.runtime.program.values import maybe as maybe

PLAIN = ("Int", "Fraction", "Bool", "Text")
_PLAIN_NOUNS = {
    "Int": ("number", "numbers"),
    "Fraction": ("number that may be a fraction", "numbers that may be fractions"),
    "Bool": ("yes or no", "answers of yes or no"),
    "Text": ("text", "texts"),
}

_WRITTEN = re.compile(r"(?:List of )?[A-Z][A-Za-z0-9]*\??(?: by Player)?")


def read_type(text: str) -> Type | None:
    """Read a type as an author writes it, or None if it is not written like one."""
    text = text.strip()
    return Type.parse(text) if _WRITTEN.fullmatch(text) else None


def fits(given: Type, wanted: Type) -> bool:
    """May a value of type `given` stand where `wanted` is asked for?"""
    if any(map(is_unknown, (given, wanted))):
        return True
    if given == NONE:
        return wanted.optional
    if (given.many, given.by_player) != (wanted.many, wanted.by_player):
        return False
    if given.repeats != wanted.repeats and given.name != "?":
        return False
    if given.optional and not wanted.optional:
        return False
    return given.name in ("?", wanted.name) or wanted.name == "?" or is_whole_for(given, wanted)


def is_whole_for(given: Type, wanted: Type) -> bool:
    """Is one a whole number where any exact number will do?"""
    return (given.name, wanted.name) == (INT.name, FRACTION.name)


def is_faces(dice: Type, given: Type) -> bool:
    """Can the numbers of a list be put to dice, or taken away from them?"""
    return dice.repeats and given.many and given.name == INT.name and not given.optional


def dice_form(adding: bool) -> str:
    """What puts dice that show some faces to others, or takes them away."""
    return "with_dice" if adding else "without_dice"


def is_number(type_: Type) -> bool:
    """Is it a single number, whole or not?"""
    return type_ in (INT, FRACTION)


def comparable(left: Type, right: Type) -> bool:
    """Do `=` and `!=` make sense between these? None-able values compare with present ones."""
    return join(left, right) is not None


def with_article(noun: str) -> str:
    """`piece` as `a piece`, `entity` as `an entity`."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def spoken(type_: Type, nouns: Mapping[str, tuple[str, str]]) -> str:
    """A type in the author's words: `a card`, `a list of pieces`, `a number or none`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type_.name).lower()
    known = nouns.get(type_.name) or _PLAIN_NOUNS.get(type_.name)
    singular, plural = known or (words, f"{words}s")
    if type_ == NONE:
        return "none"
    if type_.repeats:
        text = "a roll of dice"
    elif type_.many:
        text = f"a list of {plural}" if type_.name != "?" else "an empty list"
    elif type_.name == "Bool":
        text = "yes or no"
    else:
        text = with_article(singular)
    if type_.by_player:
        text += " for each player"
    return f"{text} or none" if type_.optional else text
