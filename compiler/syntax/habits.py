"""Habits from other languages and word processors, and what to type here."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from ruleloom.compiler.syntax.tokens import EffectSyntaxError

# Both tables: what was typed -> (message, help).
MARK_SLIPS: dict[str, tuple[str, str]] = {
    "==": ("`==` is not used here", "compare with a single `=`"),
    "=<": ("`=<` is not used here", "write `<=`"),
    "=>": ("`=>` is not used here", "write `>=`"),
    "<>": ("`<>` is not used here", "write `!=`"),
    "&&": ("`&&` is not used here", "write `and`"),
    "||": ("`||` is not used here", "write `or`"),
    "**": ("there are no powers of numbers", "multiply with `*`"),
    "//": ("`//` is not used here", "write `div` to divide, and `#` before a comment"),
    "+=": ("`+=` is not used here", "write `set x = x + 1`, or `add x to xs` for a list"),
    "-=": ("`-=` is not used here", "write `set x = x - 1`, or `remove x from xs` for a list"),
    ":=": ("`:=` is not used here", "write `let x = ...` or `set x = ...`"),
    "...": ("`...` is not used here", "write `..` with two dots: `1 .. 3`"),
}

_CONSTANTS = {"yes": "true True TRUE", "no": "false False FALSE", "none": "null None"}
WORD_SLIPS: dict[str, tuple[str, str]] = {
    word: (f"`{word}` is not a word here", f"write `{right}`")
    for right, words in _CONSTANTS.items()
    for word in words.split()
}

_CHARACTERS: dict[str, tuple[str, str]] = {
    "!": ("`!` is not used here", "write `not`"),
    "&": ("`&` is not used here", "write `and`"),
    "|": ("`|` is not used here", "write `or`"),
    "^": ("there are no powers of numbers", "multiply with `*`"),
    "/": ("`/` is not used here", "write `div`, which rounds down"),
    "%": ("`%` is not used here", "write `mod`"),
    ";": (
        "a statement needs no `;` at its end",
        "take the `;` out; each statement has a line of its own",
    ),
    "{": ("braces are not used here", "end the line above with `:` and indent the block"),
    "}": ("braces are not used here", "a block ends where the indentation ends; take the `}` out"),
    "×": ("`×` is not used here", "write `*`"),
    "÷": ("`÷` is not used here", "write `div`, which rounds down"),
    "−": ("this is a typographic minus", "write `-`"),
    "–": ("this is a dash", "write `-`"),
    "—": ("this is a dash", "write `-`"),
    "≤": ("`≤` is not used here", "write `<=`"),
    "≥": ("`≥` is not used here", "write `>=`"),
    "≠": ("`≠` is not used here", "write `!=`"),
    "…": ("`…` is not used here", "write `..` with two dots: `1 .. 3`"),
    "\N{NO-BREAK SPACE}": ("this is a no-break space", "type an ordinary space"),
}

_SMART = "“”„«»‘’‚‹›"
# What may have been meant to close a text: a double one anywhere, a single one that ends a word.
_CLOSING_CURLY = re.compile(r"[“”„«»]|[‘’‚‹›](?!\w)")
_NUMBER = re.compile(r"([0-9]+)(\.[0-9]+)?([A-Za-z0-9_]*)")
_WORD_BEFORE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def slip_at(text: str, at: int) -> EffectSyntaxError:
    """Return the mistake that a character which begins no token is."""
    char = text[at]
    if char in _SMART:
        message = f"`{char}` is a typographic quotation mark"
        return EffectSyntaxError((at, at + 1), message, 'use straight ones: "', "smart-quote")
    if char in "\"'":
        return _quote_slip(text, at)
    if char.isdigit() and char.isascii():
        return _number_slip(text, at)
    if char == ".":
        return _dot_slip(text, at)
    if char.isalpha():
        message = f"names are made of the letters a to z, digits and `_`, not `{char}`"
        return EffectSyntaxError((at, at + 1), message, None)
    if unicodedata.decomposition(char).startswith("<fraction>"):
        written = Fraction(unicodedata.numeric(char)).limit_denominator(100)
        return EffectSyntaxError((at, at + 1), f"`{char}` is not used here", f"write `{written}`")
    known = _CHARACTERS.get(char)
    if known:
        return EffectSyntaxError((at, at + 1), *known)
    shown = f"`{char}`" if char.isprintable() else f"the character U+{ord(char):04X}"
    return EffectSyntaxError((at, at + 1), f"{shown} means nothing here", "take it out")


def _quote_slip(text: str, at: int) -> EffectSyntaxError:
    end = at + len(text[at:].partition("\n")[0])
    if text[at] == "'":
        end = text.find("'", at + 1, end) + 1 or at + 1
        message = "texts stand in double quotation marks"
        return EffectSyntaxError((at, end), message, "write \" instead of '")
    curly = [found.start() for found in _CLOSING_CURLY.finditer(text, at, end)]
    if curly:
        return slip_at(text, curly[-1])
    return EffectSyntaxError((at, end), "this text is never closed", 'add `"` at its end')


def _number_slip(text: str, at: int) -> EffectSyntaxError:
    match = _NUMBER.match(text, at)
    assert match is not None
    whole, fraction, tail = match[1], match[2], match[3]
    if fraction:
        written = Fraction(whole + fraction)
        message = "there are no decimal points here"
        return EffectSyntaxError((at, match.end(2)), message, f"write `{written}`, which is exact")
    if re.fullmatch(r"d[0-9]+", tail):
        message = "dice are written like `3d6`"
        return EffectSyntaxError(match.span(), message, "999 dice of 9999 sides are the most")
    if tail:
        message = "a name cannot begin with a digit"
        return EffectSyntaxError(match.span(), message, f"put a space after `{whole[:15]}`")
    if len(whole) > 1 and whole[0] == "0":
        message = "a number does not begin with 0"
        return EffectSyntaxError(match.span(), message, f"write `{whole.lstrip('0')[:15] or '0'}`")
    return EffectSyntaxError(match.span(), "this number is too large", "15 digits are the most")


def _dot_slip(text: str, at: int) -> EffectSyntaxError:
    owner = _WORD_BEFORE.search(text, max(0, at - 64), at)
    part = _WORD.match(text, at + 1)
    if owner and part:
        message = "a dot does not lead to a part of something"
        return EffectSyntaxError((at, at + 1), message, f"write `{part[0]}({owner[0]})`")
    message = "`.` is not used here"
    return EffectSyntaxError((at, at + 1), message, "take it out; a span is `1 .. 3`")
