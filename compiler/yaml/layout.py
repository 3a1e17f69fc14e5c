"""Slips in the text of a YAML file that YAML does not notice: invisible characters, lines or quotes
that it reads otherwise than they are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleloom.runtime.dataclass import Frozen

Span = tuple[int, int]

DOUBLE_CURLY = "“”„‟"
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
# A word, an optional colon, and its intended value: `cost 3`, `cost:3`, `english "..."`.
HALF_KEY = re.compile(r"[\w-]+(?:(:)| +)([^\s:])")
FIELD = re.compile(r" *(?:- +)*[\w-]+:(?: |$)")
TIGHT_DASH = re.compile(r"-[a-z]")
DASH_BELOW = re.compile(r"\n *(?=-)")
DASHES = re.compile(r" *(?:-(?: +|$))*")
MAX_DEPTH = 64


class Fault(Frozen):
    """One slip in a YAML file: code, span, message, help, and spans that explain it."""

    code: str
    start: int
    end: int
    message: str
    help: str | None = None
    notes: tuple[tuple[Span, str], ...] = ()


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


def indent_of(line: str) -> int:
    """Return the number of spaces at the start of *line*."""
    return len(line) - len(line.lstrip(" "))


def column_of(line: str) -> int:
    """Return the column, from 0, of the first word of *line* after the dashes of lists."""
    found = DASHES.match(line)
    return found.end() if found else 0


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
                tab = at + space.index("\t")
                yield Fault("tab", *one(tab), "a tab is used for indentation", "use spaces")
            elif line[margin] == " ":
                message = "this line is indented further than its text, so it would stand by itself"
                help = "line it up with those around it; to keep all lines, begin the text with `|`"
                yield Fault("bad-indentation", *one(at + len(space)), message, help)
        at += len(line) + 1


def misread(
    text: str, start: int, end: int, value: str, style: str | None, flow: bool
) -> int | None:
    """Return the offset at which a text was read otherwise than it is meant, or None."""
    if style:
        is_open = style in "\"'" and _is_left_open(text, start, end, flow)
        return start if is_open else None
    if not value:
        return None
    if _is_curly(value) or ODD_SPACE.match(value):
        return start
    if ends_unopened(value):
        return end - 1
    below = None if flow else DASH_BELOW.search(text, start, end)
    if below is None:
        return None
    # The dash of a line below, or of the same line: a list was taken for text.
    head = text[line_start(text, start) : start]
    is_entry = text[below.end() : below.end() + 2] == "- "
    beside = below.end() - below.start() - 1 in (head.rstrip(" ").rfind("-"), len(head))
    is_list = DASHES.fullmatch(head) and (text[start] == "-" or head.strip())
    return below.end() if is_entry or (is_list and beside) else None


def _is_curly(value: str) -> bool:
    """Is it a text in curly quotes, or one with an opening double one that is never closed?"""
    if value[0] not in CLOSING_CURLY or len(value) < 2:
        return False
    is_double = value[0] in DOUBLE_CURLY
    closing = CLOSING_CURLY[value[0]] + ('"' if is_double else "'")
    inner = APOSTROPHE.sub("", value[1:-1])  # an apostrophe quotes nothing
    if value[-1] in closing + "\"'" and not any(char in inner for char in value[0] + closing):
        return True
    return is_double and not any(char in inner + value[-1] for char in closing)


def ends_unopened(value: str) -> bool:
    """Say whether a text ends with an unopened quote; after a number it means inches."""
    return (
        len(value) > 1
        and value[-1] == '"'
        and value.count('"') % 2 == 1
        and not value[-2].isnumeric()
    )


def _is_left_open(text: str, start: int, end: int, flow: bool) -> bool:
    """Say whether a quote over several lines was meant to end on its first line."""
    first = line_start(text, start)
    column = column_of(text[first : line_end(text, start)])
    below = text[line_end(text, start) : line_end(text, end)].split("\n")[1:]
    outer = [line for line in below if line.strip() and indent_of(line) <= column]
    return any(not flow or FIELD.match(line) for line in outer)


def half_key(key: str, is_alone: bool) -> bool:
    """Say whether a key lacks its colon or the space after it; *is_alone* if it has no value."""
    if TIGHT_DASH.match(key):
        return True
    found = HALF_KEY.match(key)
    return found is not None and (is_alone or found[2] in "\"'[{")


def escape_fault(text: str, start: int, end: int, value: str) -> Fault | None:
    """Find an escape in a quoted text that makes an invisible character."""
    control = CONTROL.search(value)
    found = control or HIDDEN.search(value)
    if found is None or (control is None and found.group() in text[start:end]):
        return None
    code = "hidden-character" if control is None else "control-character"
    message = f"an escape in this text makes the character U+{ord(found.group()):04X}"
    return Fault(code, *one(start), f"{message}, which cannot be seen", "delete the escape")
