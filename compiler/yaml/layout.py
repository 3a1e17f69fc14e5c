"""Slips in the text of a YAML file that YAML does not notice, or notices too late.

A quote that is never closed, curly quotes used as quotes, a list entry that YAML took for a
continuation of the text above it, invisible characters. Helpers for lines are here, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ruleloom.runtime.dataclass import Frozen

Span = tuple[int, int]

OPENING_CURLY = "“”„‟‘’‚‛"
DOUBLE_CURLY = "“”„‟"
CURLY = re.compile("[“”„‟]|[‘’‚‛](?=\\s*$)")
CURLY_VALUE = re.compile(f"(?:(?<=[:,-] )|(?<=[{{[])|^ *)[{DOUBLE_CURLY}]", re.MULTILINE)
APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)|(?<=s)['’](?=\s)")
CLOSING_CURLY = {
    **{"“": "”“", "”": "”", "„": "“”‟", "‟": "”"},
    **{"‘": "’‘", "’": "’", "‚": "‘’‛", "‛": "’"},
}
# Spaces that look like the ordinary one, as copied from web pages and word processors.
ODD_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
ODD_SPACE = re.compile(f"[{ODD_SPACES}]")
HIDDEN = re.compile("[\u00ad\u200b\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u206f]")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
KEY = re.compile(r"(?:- +)*[\w-]+:(?: |$)")
FIELD = re.compile(r" *([\w-]+):(?: |$)")
DASHES = re.compile(r" *(?:-(?: +|$))*")
# A word, an optional colon, and its intended value: `cost 3`, `cost:3`, `english "..."`.
HALF_KEY = re.compile(r"[\w-]+(?:(:)| +)([^\s:])")
SHORT = 60
REMARK = re.compile(r"(?:^|[ \t]+)#.*$|[ \t]+$")
# A field that announces a block, and a line below it that is not indented further.
EMPTY_BLOCK = re.compile(
    r"^(?P<in> *)(?:- )?(?P<key>[\w-]+): [|>]\n(?=(?P=in)[\w-]+:)", re.MULTILINE
)
NEAR_BY = 2_000
BLOCK_HEADER = re.compile(r"[|>][-+0-9]*[ \t]*(?: #.*)?$")


class Fault(Frozen):
    """One slip in a YAML file: code, span, message, help, and spans that explain it."""

    code: str
    start: int
    end: int
    message: str
    help: str | None = None
    notes: tuple[tuple[Span, str], ...] = ()


MAX_DEPTH = 64
NEEDS_QUOTES = "to begin a text with `{0}`, put the text in quotes"
RESERVED = ("a text cannot begin with `{0}` in YAML", NEEDS_QUOTES)
# The message and the help of each code for a single sign, with placeholders for words.
SLIPS: Mapping[str, tuple[str, str | None]] = {
    "anchor": RESERVED,
    "block-text": (
        "the text behind `{0}` begins on the next line",
        "to begin a text with `{0}`, put it in quotes",
    ),
    "missing-colon": ("a colon is missing behind `{0}`", "write `{0}:`"),
    "missing-comma": ("a comma is missing here", "put a comma between the entries"),
    "missing-space": ("a space is missing behind this {0}", "put a space here"),
    "needs-quotes": RESERVED,
    "nested-too-deep": (f"values are nested more than {MAX_DEPTH} deep here", None),
    "odd-space": (
        "this looks like a space but is another character",
        "replace it by an ordinary space",
    ),
    "tab": ("a tab stands in the indentation", "use spaces"),
    "tag": ("`{0}` begins a tag in YAML, which rulesets do not use", NEEDS_QUOTES),
    "unopened-bracket": ("this `{0}` closes nothing", "delete it, or put the text in quotes"),
}


def slip(code: str, at: int, *words: str) -> Fault:
    """Return the fault of the sign at *at*, worded by `SLIPS`."""
    message, help = SLIPS[code]
    return Fault(code, *one(at), message.format(*words), help and help.format(*words))


class Line(Frozen):
    """A line of a YAML file: the text of the file, the line's start offset, and its own text."""

    file: str
    start: int
    text: str

    @property
    def above(self) -> Line | None:
        """The next non-empty line above, without its comment."""
        start = self.start
        while start > 0:
            end = start - 1
            start = line_start(self.file, end)
            line = REMARK.sub("", self.file[start:end])
            if line:
                return Line(self.file, start, line)
        return None

    @property
    def indent(self) -> int:
        """The number of spaces at its start."""
        return indent_of(self.text)

    @property
    def column(self) -> int:
        """The column, from 0, of its first word after the dashes of lists."""
        found = DASHES.match(self.text)
        return found.end() if found else 0

    @property
    def words(self) -> int:
        """The offset of its first word after dashes."""
        return self.start + self.column

    @property
    def key(self) -> str:
        """The name of its field; empty for a line without one, or an entry of a list."""
        found = FIELD.match(self.text)
        return found[1] if found is not None else ""

    @property
    def value_sort(self) -> str:
        """The first sign of its value: a quote, a bracket, or `a` for any word."""
        value = self.text.partition(":")[2].strip()[:1]
        return "a" if value.isalnum() else value

    @property
    def begins_entry(self) -> bool:
        """Does it begin an entry of a list?"""
        return self.column > self.indent

    @property
    def begins_text(self) -> bool:
        """Does it end with `|` or `>`?"""
        return BLOCK_HEADER.search(self.text) is not None

    @property
    def opens(self) -> bool:
        """Is its value on the lines below?"""
        return self.begins_text or self.text.rstrip().endswith(":")


def one(at: int) -> Span:
    """Return the span of the one character at *at*."""
    return at, at + 1


def line_start(text: str, at: int) -> int:
    """Return the start offset of the line that contains *at*."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return the end offset of the line that contains *at*."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def line_at(text: str, start: int) -> Line:
    """Return the line that begins at *start*."""
    return Line(text, start, text[start : line_end(text, start)])


def indent_of(line: str) -> int:
    """Return the number of spaces at the start of *line*."""
    return len(line) - len(line.lstrip(" "))


def text_faults(text: str) -> Iterator[Fault]:
    """Find invisible characters: the first of each line."""
    if text.isascii():
        return
    last_line = -1
    for found in HIDDEN.finditer(text):
        line = line_start(text, found.start())
        if line != last_line:
            last_line = line
            message = f"the character U+{ord(found.group()):04X} here cannot be seen"
            yield Fault("hidden-character", *found.span(), message, "delete it")


def folded_faults(text: str, start: int, end: int) -> Iterator[Fault]:
    """Find the lines of a `>` text that are indented further, so that they are not folded."""
    margin: int | None = None
    at = line_end(text, start) + 1
    while at < end:
        line = text[at : line_end(text, at)]
        if line.strip():
            margin = indent_of(line) if margin is None else margin
            if indent_of(line) < margin:
                return  # a comment after the text
            space = line[: len(line) - len(line.lstrip())]
            if line[margin] in " \t" and "\t" in space:
                yield slip("tab", at + space.index("\t"))
            elif line[margin] == " ":
                message = "this line is indented further than its text, so it would stand by itself"
                help = "line it up with those around it; to keep all lines, begin the text with `|`"
                yield Fault("bad-indentation", *one(at + len(space)), message, help)
        at += len(line) + 1


def plain_fault(text: str, start: int, end: int, value: str) -> Fault | None:
    """Find the slip in an unquoted text: *value*, from *start* to *end*."""
    if value[0] in CLOSING_CURLY and len(value) > 1 and (curly := _curly_pair(start, value)):
        return curly
    if ODD_SPACE.match(value):
        return slip("odd-space", start)
    if ends_unopened(value):
        return unopened_quote(end - 1, value[:-1])
    if "\n" in text[start:end]:
        return continued_fault(text, start, end)
    return None


def _curly_pair(start: int, value: str) -> Fault | None:
    """Find a text in curly quotes, or one with an opening double one that is never closed."""
    is_double = value[0] in DOUBLE_CURLY
    closing = CLOSING_CURLY[value[0]] + ('"' if is_double else "'")
    inner = APOSTROPHE.sub("", value[1:-1])  # an apostrophe quotes nothing
    if value[-1] in closing + "\"'" and not any(char in inner for char in value[0] + closing):
        return curly_fault(start, value[1:-1])
    if is_double and not any(char in inner + value[-1] for char in closing):
        return curly_fault(start, None)
    return None


def ends_unopened(value: str) -> bool:
    """Say whether a text ends with an unopened quote; after a number it means inches."""
    return (
        len(value) > 1
        and value[-1] == '"'
        and value.count('"') % 2 == 1
        and not value[-2].isnumeric()
    )


def unopened_quote(at: int, inner: str) -> Fault:
    """Return the fault of the quote at *at*, which closes nothing."""
    message = "this quote closes nothing, as no quote stands before the text"
    help = f'write "{inner}"' if len(inner) < SHORT else None
    return Fault("unopened-quote", *one(at), message, help)


def curly_fault(start: int, inner: str | None) -> Fault:
    """Return the fault of a curly quote at *start* in place of a straight one."""
    is_short = inner is not None and len(inner) < SHORT
    help = f'write "{inner}"' if is_short else 'use the straight quote `"`'
    message = "this curly quote does not quote anything in YAML"
    return Fault("smart-quote", *one(start), message, help)


def curly_before(text: str, at: int) -> Fault | None:
    """Find a curly quote meant to begin a text on the line that contains *at*."""
    start = line_start(text, at)
    found = CURLY_VALUE.search(text, start, line_end(text, at))
    # YAML's error may be at the space before it.
    if found is None or found.end() - 1 > at + 1:
        return None
    return curly_fault(found.end() - 1, None)


def empty_block_before(text: str, at: int) -> Fault | None:
    """Find a field above *at* that announces a block and has none: its lines are below another field."""
    announced = EMPTY_BLOCK.finditer(text, max(0, at - NEAR_BY), at)
    found = max(announced, key=re.Match.start, default=None)
    if found is None or "\n- " in text[found.end() : at]:
        return None
    key = found["key"]
    message = f"`{key}` announces lines of text, and none stand below it"
    help = f"put the lines of its text directly below `{key}:`"
    return Fault("bad-indentation", *found.span("key"), message, help)


def key_fault(key: str, start: int, is_alone: bool) -> Fault | None:
    """Find a missing colon or space in a key as YAML sees it; *is_alone* if it has no value."""
    found = HALF_KEY.match(key)
    if found is None or not (is_alone or found[2] in "\"'[{"):
        return None
    if found[1]:
        return slip("missing-space", start + found.end(1), "colon")
    word = key.split(" ")[0]
    return slip("missing-colon", start + len(word), word)


def is_odd_head(line: Line, indent: int) -> bool:
    """Say whether a line begins a block oddly, where the indentation *indent* fits.

    As indentation is usually two or four, the odd line is an odd number of columns further in.
    """
    above = line.above
    if above is not None and not above.text.rstrip().endswith((":", "|")):
        return False
    column = above.column if above is not None else 0
    return (line.indent - column) % 2 == 1 and (indent - column) % 2 == 0


def continued_fault(text: str, start: int, end: int) -> Fault | None:
    """Find a list entry that YAML took for a continuation of the text before it."""
    first = line_start(text, start)
    head = text[first:start]
    column = len(head)
    if text[start] == "-" and not head.strip() and re.search(f"\n {{{column}}}-", text[start:end]):
        return slip("missing-space", start + 1, "dash")
    dash = head.rstrip(" ").rfind("-")
    for found in re.finditer(r"\n( *)-( ?)", text[start:end]):
        at = start + found.end(1)
        if found[2]:
            odd = is_odd_head(line_at(text, first), len(found[1]))
            at = first + indent_of(head + ".") if odd else at
            message = "this line and those around it do not line up, so a list was taken for text"
            return Fault("bad-indentation", *one(at), message, "line the dashes up")
        if DASHES.fullmatch(head) and len(found[1]) == dash:
            return slip("missing-space", at + 1, "dash")
    return None


def quoted_fault(text: str, start: int, end: int, value: str, flow: bool) -> Fault | None:
    """Find the slip in a quoted text of several lines or with escapes."""
    control = CONTROL.search(value)
    if control is None and not flow and _is_left_open(text, start, end):
        return unclosed_quote(text, start)
    found = control or HIDDEN.search(value)
    if found is None or (control is None and found.group() in text[start:end]):
        return None
    code = "hidden-character" if control is None else "control-character"
    message = f"an escape in this text makes the character U+{ord(found.group()):04X}"
    return Fault(code, *one(start), f"{message}, which cannot be seen", "delete the escape")


def _is_left_open(text: str, start: int, end: int) -> bool:
    """Say whether a quote over several lines was meant to end on its first line."""
    column = line_at(text, line_start(text, start)).column
    below = text[line_end(text, start) : line_end(text, end)].split("\n")[1:]
    return any(line.strip() and indent_of(line) <= column for line in below)


def unclosed_quote(text: str, start: int) -> Fault:
    """Return the fault of a quote never closed, or of the curly one meant to close it."""
    quote = text[start]
    rest = text[start : line_end(text, start)]
    curly = [found.start() for found in CURLY.finditer(rest)]
    if len(curly) == 1:
        return curly_fault(start + curly[0], rest[1 : curly[0]])
    return Fault("unclosed-quote", *one(start), f"this quote is never closed by another {quote}")


ESCAPED_OR_END = {'"': re.compile(r'\\.|"', re.DOTALL), "'": re.compile(r"''|'")}

# Most of a line: no sign of YAML's and no space. (The header of a block begins with `|` or `>`.)
PLAIN = re.compile(r"[^#:,\[\]{}\"'|> \t]+")
COMMENT = re.compile(r"(?<=[ \t])#")
# The sign before a value: in brackets also a comma.
BEFORE_VALUE = re.compile(r":(?![^ \t])")
BEFORE_VALUE_IN_FLOW = re.compile(r":(?![^ \t])|,")


CLOSING = {"[": "]", "{": "}"}


class _Bracket(NamedTuple):
    sign: str
    at: int
    column: int


class Scanner:
    """Scans the lines as YAML would, but respects the layout, to find signs that are never closed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.brackets: list[_Bracket] = []
        self.block: int | None = None  # the column that the lines of a `|` block must exceed
        self.plain: int | None = None  # the column that more lines of a plain text must exceed
        self.fault: Fault | None = None

    def find(self, last: int) -> Fault | None:
        """Return the first loose end of the file, if it is not after *last*."""
        at = 0
        while at <= min(last, len(self.text)) and self.fault is None:
            at = self.line(at) + 1
        if self.fault is None and self.brackets and at > len(self.text):
            self.fault = self.unclosed_bracket()
        return self.fault if self.fault is not None and self.fault.start <= last else None

    def unclosed_bracket(self) -> Fault:
        sign, at, _ = self.brackets[-1]
        message = f"this `{sign}` is never closed by a `{CLOSING[sign]}`"
        return Fault("unclosed-bracket", *one(at), message)

    def line(self, start: int) -> int:
        """Read the line that begins at *start*; return the offset where reading ended."""
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
        words = line_at(self.text, start).column
        dash = line.rfind("-", 0, words)
        return self.tokens(start + words, end, words, dash if dash >= 0 else words)

    def tokens(self, at: int, end: int, column: int, outer: int) -> int:
        """Read signs from *at* to the end of the line, whose words begin at *column*."""
        text = self.text
        fresh, parent = True, outer
        while at < end and self.fault is None:
            words = PLAIN.match(text, at, end)
            if words is not None:
                fresh, at = False, words.end()
                continue
            if COMMENT.match(text, at):
                break
            char = text[at]
            if fresh and char in "\"'":
                at = self.quote(at, column)
                end, fresh = line_end(text, at), False
            elif fresh and char in "[{":
                self.brackets.append(_Bracket(char, at, column))
            elif char in "]}" and self.brackets:
                self.close(at)
                fresh = False
            elif self.before_value(at, end):
                fresh, parent = True, column
            elif fresh and self.begins_block(at, end):
                self.block = parent
                return end
            else:
                fresh &= char in " \t"
            at += 1
        self.plain = None if fresh else parent
        return end

    def before_value(self, at: int, end: int) -> bool:
        sign = BEFORE_VALUE_IN_FLOW if self.brackets else BEFORE_VALUE
        return sign.match(self.text, at, end) is not None

    def begins_block(self, at: int, end: int) -> bool:
        return not self.brackets and BLOCK_HEADER.match(self.text, at, end) is not None

    def close(self, at: int) -> None:
        sign, opened_at, _ = self.brackets.pop()
        expected, found = CLOSING[sign], self.text[at]
        if found != expected:
            message = f"expected `{expected}` before this `{found}`"
            opened = ((one(opened_at), f"the `{sign}` to close is here"),)
            self.fault = Fault("unclosed-bracket", *one(at), message, None, opened)

    def quote(self, start: int, column: int) -> int:
        """Return the offset of the quote that closes the one at *start*, or *start* with the fault set."""
        signs = ESCAPED_OR_END[self.text[start]].finditer(self.text, start + 1)
        closing = next((sign.start() for sign in signs if len(sign.group()) == 1), None)
        stop = line_end(self.text, start)
        if closing is None or (closing >= stop and self.leaves(stop, closing, column)):
            self.fault = unclosed_quote(self.text, start)
            return start
        return closing

    def leaves(self, at: int, closing: int, column: int) -> bool:
        """Say whether a line up to *closing* is too far left to belong to the quote."""
        lines = self.text[at : line_end(self.text, closing)].split("\n")[1:]
        outer = [line for line in lines if line.strip() and indent_of(line) <= column]
        return any(not self.brackets or KEY.match(line, indent_of(line)) for line in outer)
