"""From effect text to tokens, with the layout of lines as NEWLINE, INDENT and DEDENT.

Keywords and marks come from the grammar. All limits are enforced here, before anything is built. An
invalid character becomes the last token, of kind `MISTAKE`, as the parser may find an earlier error. Of
two lines that do not line up, the one that fits the common step is right, and several that agree
outvote a single one.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from ruleloom.compiler.syntax.ast import ROUNDINGS, Span
from ruleloom.runtime.dataclass import dataclass

# Limits of one text. They bound the work and the depth of the tree, so that a hostile file cannot
# exhaust later passes, which all walk the tree recursively.
LONGEST_TEXT = 32_768
DEEPEST = 64  # blocks and brackets around one place, together
MOST_OPERATORS = 100  # in one statement or expression

# A name with dashes, like an id, which texts write with `_`.
DASHED = re.compile(r"[A-Za-z_]\w*(?:-[A-Za-z_]\w*)+")

LAYOUT = frozenset(["NEWLINE", "INDENT", "DEDENT"])

# Reserved words; every other word of the grammar is a keyword only in its place.
RESERVED = frozenset(
    [
        *("and", "or", "not", "in", "is", "none", "yes", "no", "if", "elif", "else", "for"),
        *("where", "allowed", "count", "exists", "every", "those", "sum", "highest", "lowest"),
        *("div", "mod", "choose", "from", "each", "let", "set", "add", "remove", "use", "giving"),
        *("stop", "ensure", "say", "finish", "optional", "repeat", "until", "as", "when"),
        *("ignoring", "combinable", "ask"),
    ]
)


OR, AND, NOT, COMPARISON, SPAN, SUM, PRODUCT = range(1, 8)
LEVELS: dict[str, int] = {
    "or": OR,
    "and": AND,
    **dict.fromkeys(
        ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "is none", "is not none"], COMPARISON
    ),
    "..": SPAN,
    **dict.fromkeys(["+", "-", *ROUNDINGS], SUM),
    **dict.fromkeys(["*", "div", "mod"], PRODUCT),
}
SLIPS: dict[str, Any] = json.loads(
    Path(__file__).with_name("slips.json").read_text(encoding="utf-8")
)
"""Common typing mistakes with their corrections, and the form of each statement."""
Slips = dict[str, tuple[str, str]]  # the mistake, with a message and a help
WORD_SLIPS: Slips = SLIPS["words"]
ROLL_FORM: str = SLIPS["forms"]["roll"]
_SMART = "“”„«»‘’‚‹›"
# Characters probably meant to close a text: a double quote anywhere, a single one that ends a word.
_CLOSING_CURLY = re.compile(r"[“”„«»]|[‘’‚‹›](?!\w)")
_NUMBER = re.compile(r"([0-9]+)(\.[0-9]+)?([A-Za-z0-9_]*)")
_WORD_BEFORE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DEFAULT_STEP = 4
_SIGNS = re.compile(r'"[^"]*"|#.*|[][()]')
_CLOSING = {"(": ")", "[": "]"}
_OPERATORS = frozenset(LEVELS) | {"not", "is", "if", "else"}
_BRACKETS_AND_COLON = frozenset("()[]:")
_VALUE_GROUPS = {5: "NUMBER", 6: "STRING", 8: "DICE"}
_LEADING = re.compile(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*([ \t]*)")
MARK_SLIPS: Slips = SLIPS["marks"]
_CHARACTERS: Slips = SLIPS["characters"]


class EffectSyntaxError(Exception):
    """A syntax error in a text: its span, a message for the author, and the text to type instead."""

    usual_code = "syntax"

    def __init__(self, span: Span, message: str, help: str | None = None, code: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.message = message
        self.help = help
        self.code = code or self.usual_code


class Unclosed(EffectSyntaxError):
    """A bracket never closed: the parser fails at the next line long before the lexer notices."""


@dataclass(slots=True, eq=False)
class Tok:
    """One token: its kind in the grammar, its text, and its span.

    Not a frozen class: those take longer to create, and a short text has sixty tokens. The `value` of a
    `MISTAKE` is the error to raise if the parser gets that far.
    """

    # Lark copies these from the last token to its end token; nothing reads them.
    start_pos = end_pos = line = column = end_line = end_column = 0

    type: str
    value: Any
    span: Span


@dataclass(slots=True, eq=False)
class Comment:
    """A `#` comment: its text, its place, and the number of tokens before it."""

    text: str
    span: Span
    before: int


def open_brackets(tokens: Sequence[Tok]) -> list[int]:
    """The indexes of the tokens of unclosed brackets, outermost first."""
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.type in ("LPAR", "LSQB"):
            opened.append(at)
        elif token.type in ("RPAR", "RSQB") and opened:
            opened.pop()
    return opened


def slip_at(text: str, at: int) -> EffectSyntaxError:
    """Return the error for a character that begins no token."""
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


def _dot_slip(text: str, at: int) -> EffectSyntaxError:
    owner = _WORD_BEFORE.search(text, max(0, at - 64), at)
    part = _WORD.match(text, at + 1)
    if owner and part:
        message = "a dot does not lead to a part of something"
        return EffectSyntaxError((at, at + 1), message, f"write `{part[0]}({owner[0]})`")
    message = "`.` is not used here"
    return EffectSyntaxError((at, at + 1), message, "take it out; a span is `1 .. 3`")


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
    if re.match(r"[0-9]+/0(?![0-9])", text[at:]):
        help = "a point is not written in a text: choose one, or take that of a thing"
        return EffectSyntaxError(match.span(), "a fraction has no 0 below its line", help)
    return EffectSyntaxError(match.span(), "this number is too large", "15 digits are the most")


def odd_one_above(text: str, at: int) -> Span | None:
    """Return the first word of the line to blame for the one at `at`; or None."""
    lines = _lines(text)
    index = next((number for number, (start, _) in enumerate(lines) if start == at), 0)
    if index == 0:
        return None
    widths = [width for _, width in lines]
    width = widths[index]
    parent = max((number for number in range(index) if widths[number] < width), default=-1)
    if widths[index - 1] < width:
        head, parent = index - 1, index - 2
        if parent >= 0 and widths[parent] >= widths[head]:
            return None
    else:
        head = parent + 1
        if widths[head:index].count(widths[head]) > 1:
            return None
    if not _is_odd(widths, head, index, parent):
        return None
    start = lines[head][0]
    word = re.compile(r"\S+").match(text, start)
    return (start, word.end() if word else start + 1)


def odd_line(span: Span) -> EffectSyntaxError:
    """Return the error for a line that is not indented like those it belongs with."""
    message = "this line is not indented like those below it"
    return EffectSyntaxError(span, message, "line it up with those below it", "mixed-indentation")


def _is_odd(widths: list[int], head: int, index: int, parent: int) -> bool:
    """Whether the line `head` is wrong, not `index`."""
    others = set(range(1, len(widths))) - {head, head + 1, index, index + 1}
    steps = Counter(widths[n] - widths[n - 1] for n in sorted(others) if widths[n] > widths[n - 1])
    step = steps.most_common(1)[0][0] if steps else DEFAULT_STEP
    if parent < 0:
        # The very first line sets the margin: it is wrong if no other line keeps to it.
        rest = widths[index:]
        off_step = (widths[index] - widths[head]) % step != 0
        return off_step and len(rest) > 1 and min(rest) >= widths[index]
    base = widths[parent]
    return (widths[index] - base) % step == 0 and (widths[head] - base) % step != 0


def _lines(text: str) -> list[tuple[int, int]]:
    """The start and indentation of each line of code, without comments and the inside of brackets."""
    found: list[tuple[int, int]] = []
    at = depth = 0
    for line in text.split("\n"):
        words = line.lstrip(" ")
        width = len(line) - len(words)
        if words and not words.startswith("#") and not depth:
            found.append((at + width, width))
        for sign in _SIGNS.findall(line):
            depth = max(depth + (sign in "([") - (sign in ")]"), 0)
        at += len(line) + 1
    return found


class Lexer:
    """Splits texts for a grammar."""

    def __init__(self, fixed: Mapping[str, str], patterns: Mapping[str, str]) -> None:
        """Take the terminals by name: fixed texts, and regular expressions."""
        self.kinds = {text: name for name, text in fixed.items() if " " not in text}
        # `not in` and the like are one token each; their single words may have other meanings.
        self.joined = {tuple(text.split()): name for name, text in fixed.items() if " " in text}
        self.enders = frozenset(words[-1] for words in self.joined)
        for words in self.joined:
            self.kinds.setdefault(words[0], "STRAY")
        # The longest first: `<=` is not `<` and then `=`.
        marks = sorted((one for one in self.kinds if not one.isidentifier()), key=len, reverse=True)
        branches = [  # a group each: `lastindex` is the number of the one that matched
            patterns["NAME"],
            "|".join(map(re.escape, MARK_SLIPS)),
            "|".join(map(re.escape, marks)),
            r"\n[ \t\r]*",
            patterns["NUMBER"],
            patterns["STRING"],
            r"#[^\n]*",
            patterns["DICE"],
            r"\S",
        ]
        groups = "|".join(f"({branch})" for branch in branches)
        self.pattern = re.compile(f"[ \t\r]*(?:{groups})")

    def open_tokens(self, text: str) -> list[Tok]:
        """Return the tokens of an incomplete text, up to its first error, without closing lines, blocks
        and brackets.
        """
        scan = _Scan(self, text)
        with suppress(EffectSyntaxError):
            scan.read(None)
        return scan.tokens

    def tokens(self, text: str, comments: list[Comment] | None = None) -> list[Tok]:
        """Return the tokens of `text`; append its comments to `comments`, if given."""
        if len(text) > LONGEST_TEXT:
            span = (LONGEST_TEXT, LONGEST_TEXT + 1)
            message = f"an effect may have {LONGEST_TEXT:,} characters, and this one has "
            help = "move parts of it into powers of their own and `use` them"
            raise EffectSyntaxError(span, f"{message}{len(text):,}", help, "too-long")
        scan = _Scan(self, text)
        try:
            scan.read(comments)
            scan.finish()
        except EffectSyntaxError as error:
            scan.tokens.append(Tok("MISTAKE", error, error.span))
        return scan.tokens


class _Scan:
    """The state of the scan of one text."""

    __slots__ = ("brackets", "levels", "lexer", "operators", "text", "tokens")

    def __init__(self, lexer: Lexer, text: str) -> None:
        self.lexer = lexer
        self.text = text
        self.tokens: list[Tok] = []
        leading = _LEADING.match(text)
        self.levels = [len(leading[1]) if leading else 0]
        self.brackets: list[Tok] = []
        self.operators = 0

    def read(self, comments: list[Comment] | None) -> None:
        """Read the text once; the branches are in order of frequency."""
        tokens = self.tokens
        append = tokens.append
        kind_of = self.lexer.kinds.get
        for match in self.lexer.pattern.finditer(self.text):
            group = match.lastindex or 0
            value = match[group]
            span = match.span(group)
            if group == 1:
                self.word(value, span)
            elif group == 3:
                append(Tok(kind_of(value), value, span))  # type: ignore[arg-type]
                if value in _BRACKETS_AND_COLON:
                    self.bracket(tokens[-1])
                elif value in _OPERATORS:
                    self.count(span)
            elif group == 4:
                if not self.brackets:
                    self.newline(value, span)
            elif group in _VALUE_GROUPS:
                append(Tok(_VALUE_GROUPS[group], value, span))
            elif group == 7:
                if comments is not None:
                    comments.append(Comment(value.rstrip(), span, len(tokens)))
            elif group == 2:
                raise EffectSyntaxError(span, *MARK_SLIPS[value])
            else:
                raise slip_at(self.text, span[0])

    def word(self, value: str, span: Span) -> None:
        kind = self.lexer.kinds.get(value)
        if kind is None and value in WORD_SLIPS:
            raise EffectSyntaxError(span, *WORD_SLIPS[value])
        if value in _OPERATORS:
            self.count(span)
        self.tokens.append(Tok(kind or "NAME", value, span))
        if value in self.lexer.enders:
            self.join()

    def count(self, span: Span) -> None:
        """Count an operator: a chain is as deep in the tree as it is long."""
        self.operators += 1
        if self.operators > MOST_OPERATORS:
            message = f"this statement has more than {MOST_OPERATORS} operators"
            raise EffectSyntaxError(span, message, "split it with `let`", "too-long")

    def join(self) -> None:
        """Merge the last words into one token if they are `not in`, `is none` and the like."""
        tokens = self.tokens
        for count in (3, 2):
            words = tokens[-count:]
            kind = self.lexer.joined.get(tuple(word.value for word in words))
            if kind is not None:
                span = (words[0].span[0], words[-1].span[1])
                tokens[-count:] = [Tok(kind, " ".join(word.value for word in words), span)]
                return

    def bracket(self, token: Tok) -> None:
        """Update the stack of open brackets; before a colon inside them, every word is a name."""
        mark = token.value
        if mark in _CLOSING:
            self.brackets.append(token)
            self.check_depth(token.span)
        elif mark == ":":
            if self.brackets and len(self.tokens) > 1 and str(self.tokens[-2].value).isidentifier():
                self.tokens[-2].type = "NAME"
        elif not self.brackets:
            self.tokens.pop()  # the error takes its place
            message = f"`{mark}` closes nothing"
            raise EffectSyntaxError(token.span, message, "take it out, or open it before")
        elif _CLOSING[self.brackets.pop().value] != mark:
            self.tokens.pop()
            right = ")" if mark == "]" else "]"
            message = f"`{mark}` closes a bracket that was opened as another"
            raise EffectSyntaxError(token.span, message, f"write `{right}` here")

    def newline(self, value: str, span: Span) -> None:
        """End the line, and compare the indentation of the next non-blank one."""
        tokens = self.tokens
        if tokens and tokens[-1].type not in LAYOUT:
            tokens.append(Tok("NEWLINE", "\n", (span[0], span[0] + 1)))
            self.operators = 0
        end = span[1]
        if not tokens or self.text[end : end + 1] in ("", "\n", "#"):
            return
        if "\t" in value:
            at = span[0] + value.index("\t")
            help = "indent with spaces, four a level"
            raise EffectSyntaxError((at, at + 1), "a tab in the indentation", help, "tab")
        width = end - span[0] - 1
        if width > self.levels[-1]:
            self.levels.append(width)
            self.check_depth((end, end + 1))
            tokens.append(Tok("INDENT", "", (end, end)))
        elif width < self.levels[-1]:
            self.dedent(width, end)

    def dedent(self, width: int, end: int) -> None:
        """Close the blocks left at this `width`."""
        while width < self.levels[-1] and len(self.levels) > 1:
            self.levels.pop()
            self.tokens.append(Tok("DEDENT", "", (end, end)))
        if width != self.levels[-1]:
            odd = odd_one_above(self.text, end)
            if odd is not None:
                raise odd_line(odd)
            message = "this line is indented like no line above it"
            level = self.levels[-1]
            spaces = {0: "no spaces", 1: "1 space"}.get(level, f"{level} spaces")
            help = f"indent it with {spaces}, like the block it belongs to"
            raise EffectSyntaxError((end, end + 1), message, help, "mixed-indentation")

    def check_depth(self, span: Span) -> None:
        """Refuse a text nested deeper than `DEEPEST`."""
        if len(self.brackets) + len(self.levels) > DEEPEST:
            message = f"blocks and brackets are nested more than {DEEPEST} deep"
            help = "name a part with `let`, or move it into a power of its own"
            raise EffectSyntaxError(span, message, help, "too-deep")

    def finish(self) -> None:
        tokens = self.tokens
        end = len(self.text)
        if self.brackets:
            opening = self.brackets[-1]
            message = f"this `{opening.value}` is never closed"
            raise Unclosed(opening.span, message, f"add `{_CLOSING[opening.value]}`")
        if tokens and tokens[-1].type not in LAYOUT:
            tokens.append(Tok("NEWLINE", "\n", (end, end)))
        tokens.extend(Tok("DEDENT", "", (end, end)) for _ in self.levels[1:])
