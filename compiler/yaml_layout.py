"""Looks at the text of a YAML file itself, for slips that YAML reads on from without a word, or tells of too late.

In goes the text; out come faults: a quote or bracket that is never closed (found at its opening sign, not at the end of
the file, where YAML notices), curly quotes used as quotes, a list entry that YAML took for more of the text
above it, characters nobody can see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Span = tuple[int, int]

OPENING_CURLY = "“”„‟‘’‚‛"
CLOSING_CURLY = {"“": "”“", "”": "”", "„": "“”‟", "‟": "”", "‘": "’‘", "’": "’", "‚": "‘’‛", "‛": "’"}
# Spaces that look like the ordinary one, as copied from web pages and word processors.
ODD_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
ODD_SPACE = re.compile(f"[{ODD_SPACES}]")
HIDDEN = re.compile("[\u00ad\u200b\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u206f]")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
KEY = re.compile(r"(?:- +)*[\w-]+:(?: |$)")
DASHES = re.compile(r" *(?:-(?: +|$))*")
BLOCK_HEADER = re.compile(r"[|>][-+0-9]*[ \t]*(?: #.*)?$")
ESCAPED_OR_END = {'"': re.compile(r'\\.|"', re.DOTALL), "'": re.compile(r"''|'")}


@dataclass(frozen=True, slots=True)
class Fault:
    """One slip in a YAML file: code, stretch of the text, wording, and stretches that explain it."""

    code: str
    start: int
    end: int
    message: str
    help: str | None = None
    notes: tuple[tuple[Span, str], ...] = ()


def one(at: int) -> Span:
    """Return the stretch of the one character at *at*."""
    return at, at + 1


def line_start(text: str, at: int) -> int:
    """Return the offset of the first character of the line that *at* stands in."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return the offset behind the last character of the line that *at* stands in."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def indent_of(line: str) -> int:
    """Return how many spaces *line* begins with."""
    return len(line) - len(line.lstrip(" "))


def column_of_words(line: str) -> int:
    """Return the column, from 0, where the words of *line* begin, behind the dashes of lists."""
    found = DASHES.match(line)
    return found.end() if found else 0


def text_faults(text: str) -> Iterator[Fault]:
    """Find characters that nobody can see: the first of each line."""
    if text.isascii():
        return
    last_line = -1
    for found in HIDDEN.finditer(text):
        line = line_start(text, found.start())
        if line != last_line:
            last_line = line
            message = f"the character U+{ord(found.group()):04X} here cannot be seen"
            yield Fault("hidden-character", *found.span(), message, "delete it")


def plain_fault(text: str, start: int, end: int, value: str) -> Fault | None:
    """Find what is odd in a text without quotes around it: *value*, written from *start* to *end*."""
    if value[0] in CLOSING_CURLY and len(value) > 1:
        closing = CLOSING_CURLY[value[0]]
        inner = value[1:-1]
        if value[-1] in closing + '"' and not any(char in inner for char in value[0] + closing):
            return curly_fault(start, inner)
    if ODD_SPACE.match(value):
        return odd_space_fault(start)
    if value[-1] == '"' and value.count('"') % 2 and len(value) > 1 and not value[-2].isnumeric():
        message = "this quote closes nothing, as no quote stands before the text"
        return Fault(
            "unopened-quote", end - 1, end, message, f'write "{value[:-1]}"' if end - start < 60 else None
        )
    if "\n" in text[start:end]:
        return continued_fault(text, start, end)
    return None


def curly_fault(start: int, inner: str | None) -> Fault:
    """Return the fault of a curly quote at *start* that stands where a straight one is meant."""
    help = f'write "{inner}"' if inner is not None and len(inner) < 60 else 'use the straight quote `"`'
    return Fault("smart-quote", start, start + 1, "this curly quote does not quote anything in YAML", help)


def odd_space_fault(at: int) -> Fault:
    """Return the fault of a space at *at* that is none to YAML."""
    message = "this looks like a space but is another character"
    return Fault("odd-space", at, at + 1, message, "replace it by an ordinary space")


def continued_fault(text: str, start: int, end: int) -> Fault | None:
    """Find a list entry that YAML took for more of the text before it."""
    head = text[line_start(text, start) : start]
    column = len(head)
    missing = "a space is missing behind this dash"
    if text[start] == "-" and not head.strip() and re.search(f"\n {{{column}}}-", text[start:end]):
        return Fault(
            "missing-space", start + 1, start + 2, missing, f"write `- {text[start + 1 : start + 20]}`"
        )
    dash = head.rstrip(" ").rfind("-")
    for found in re.finditer(r"\n( *)-( ?)", text[start:end]):
        at = start + found.end(1)
        if found[2]:
            message = "this entry is indented further than the one above, so it counts as more of its text"
            return Fault("bad-indentation", at, at + 1, message, "line the dashes up")
        if DASHES.fullmatch(head) and len(found[1]) == dash:
            return Fault("missing-space", at + 1, at + 2, missing)
    return None


def quoted_fault(text: str, start: int, end: int, value: str, flow: bool) -> Fault | None:
    """Find what is odd in a quoted text that runs over lines or holds escapes."""
    control = CONTROL.search(value)
    if control:
        message = (
            f"an escape in this text makes the character U+{ord(control.group()):04X}, which cannot be seen"
        )
        return Fault("control-character", start, start + 1, message, "delete the escape")
    return None if flow else _left_open(text, start, end)


def _left_open(text: str, start: int, end: int) -> Fault | None:
    """Find out whether a quote over several lines was meant to end on its first line."""
    first = line_start(text, start)
    column = column_of_words(text[first : line_end(text, start)])
    at = line_end(text, start)
    while at < end:
        below = line_end(text, at + 1)
        line = text[at + 1 : below]
        if line.strip() and indent_of(line) <= column:
            return unclosed_quote(text, start)
        at = below
    return None


def unclosed_quote(text: str, start: int) -> Fault:
    """Return the fault of the quote at *start*, which nothing closes."""
    quote = text[start]
    rest = text[start:].partition("\n")[0].rstrip()
    curly = rest[-1] if rest[-1] in OPENING_CURLY else None
    if curly:
        at = start + len(rest) - 1
        return curly_fault(at, rest[1:-1])
    return Fault("unclosed-quote", start, start + 1, f"this quote is never closed by another {quote}")


@dataclass(slots=True)
class _Bracket:
    sign: str
    at: int
    column: int


class Scanner:
    """Walks a file's lines as YAML would, but minds the layout, to find what was opened and never closed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.brackets: list[_Bracket] = []
        self.block: int | None = None  # the column that the lines of a `|` block must exceed
        self.plain: int | None = None  # the column that the further lines of a plain text must exceed
        self.fault: Fault | None = None

    def find(self) -> Fault | None:
        """Return the first loose end of the file."""
        at = 0
        while at <= len(self.text) and self.fault is None:
            at = self.line(at) + 1
        if self.fault is None and self.brackets:
            return self.unclosed_bracket()
        return self.fault

    def unclosed_bracket(self) -> Fault:
        bracket = self.brackets[-1]
        closing = "]" if bracket.sign == "[" else "}"
        message = f"this `{bracket.sign}` is never closed by a `{closing}`"
        return Fault("unclosed-bracket", bracket.at, bracket.at + 1, message)

    def line(self, start: int) -> int:
        """Read the line that begins at *start*; return where the reading ended."""
        end = line_end(self.text, start)
        line = self.text[start:end]
        indent = indent_of(line)
        if not line.strip() or line[indent] == "#":
            return end
        for column in (self.block, self.plain):
            if column is not None and indent > column and not self.brackets:
                return end
        self.block = self.plain = None
        if self.brackets and indent <= self.brackets[-1].column and KEY.match(line, indent):
            self.fault = self.unclosed_bracket()
            return end
        words = column_of_words(line)
        dash = line.rfind("-", 0, words)
        return self.tokens(start + words, end, words, dash if dash >= 0 else words)

    def tokens(self, at: int, end: int, column: int, outer: int) -> int:
        """Read signs from *at* to the end of the line; *column* is where its words begin."""
        text = self.text
        fresh, parent = True, outer
        while at < end:
            char = text[at]
            if char == "#" and text[at - 1] in " \t":
                break
            if fresh and char in "\"'":
                closed = self.quote(at, column)
                if closed is None:
                    return end
                at, end, fresh = closed, line_end(text, closed), False
            elif fresh and char in "[{":
                self.brackets.append(_Bracket(char, at, column))
            elif self.brackets and char in "]}":
                fresh = False
                if not self.close(at):
                    return end
            elif (char == ":" and (at + 1 == end or text[at + 1] in " \t")) or (
                char == "," and self.brackets
            ):
                fresh, parent = True, column
            elif fresh and not self.brackets and BLOCK_HEADER.match(text, at, end):
                self.block = parent
                return end
            elif char not in " \t":
                fresh = False
            at += 1
        self.plain = None if fresh else parent
        return end

    def close(self, at: int) -> bool:
        bracket = self.brackets.pop()
        expected = "]" if bracket.sign == "[" else "}"
        found = self.text[at]
        if found == expected:
            return True
        message = f"expected `{expected}` before this `{found}`"
        opened = (((bracket.at, bracket.at + 1), f"the `{bracket.sign}` to close is here"),)
        self.fault = Fault("unclosed-bracket", at, at + 1, message, None, opened)
        return False

    def quote(self, start: int, column: int) -> int | None:
        """Return where the quote that opens at *start* is closed, or None with the fault noted."""
        pattern = ESCAPED_OR_END[self.text[start]]
        closing = next(
            (m.start() for m in pattern.finditer(self.text, start + 1) if len(m.group()) == 1), None
        )
        stop = line_end(self.text, start)
        if closing is not None and closing < stop:
            return closing
        if closing is None or self.leaves(stop, closing, column):
            self.fault = unclosed_quote(self.text, start)
            return None
        return closing

    def leaves(self, at: int, closing: int, column: int) -> bool:
        """Say whether a line up to *closing* stands too far left to belong to the quote."""
        while at < closing:
            below = line_end(self.text, at + 1)
            line = self.text[at + 1 : below]
            if (
                line.strip()
                and indent_of(line) <= column
                and (not self.brackets or KEY.match(line, indent_of(line)))
            ):
                return True
            at = below
        return False
