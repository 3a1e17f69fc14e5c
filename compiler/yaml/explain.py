"""Why a file cannot be read as YAML, in plain words and at the right place.

In goes libyaml's report, whose marks often stand behind the slip and whose words are a parser's; out
comes one `Fault` at the line to blame. Each rule knows one kind of slip, and the first that recognises
it in the text speaks: first those about lines (indentation, colons, dashes), then the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.events import AliasEvent

from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.layout import (
    BLOCK_HEADER,
    ODD_SPACES,
    OPENING_CURLY,
    SHORT,
    Fault,
    column_of_words,
    curly_fault,
    ends_unopened,
    indent_of,
    is_odd_head,
    key_fault,
    line_above,
    line_end,
    line_start,
    missing_colon,
    missing_space,
    odd_space_fault,
    one,
    unclosed_quote,
    unopened_quote,
)
from ruleloom.compiler.yaml.misindent import line_to_blame
from ruleloom.compiler.yaml.unclosed import Scanner

HAS_KEY = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s#"'][^#]*?):(?:\s|$)""")
FIELD = re.compile(r" *(?:- +)*[\w-]+:(?: |$)")
TIGHT_KEY = re.compile(r"([\w-]+):[^\s]")
TIGHT_DASH = re.compile(r" *-[^\s-]")
WITHIN_A_WORD = re.compile(r"(?<=[^\W_]).(?=[^\W_])")
VALUE = re.compile(r"(?: *- +)*(?: *[\w-]+: +)?")


@dataclass(frozen=True, slots=True)
class Failure:
    """What libyaml reported, and the line it means; *at* and *since* are offsets into the text."""

    text: str
    problem: str
    context: str
    at: int
    since: int

    @property
    def start(self) -> int:
        """Return where the line with the problem begins."""
        return line_start(self.text, self.at)

    @property
    def line(self) -> str:
        """Return the line with the problem."""
        return self.text[self.start : line_end(self.text, self.at)]

    @property
    def words(self) -> int:
        """Return where the words of that line begin, behind dashes."""
        return self.start + column_of_words(self.line)


def colon(failure: Failure) -> Fault | None:
    """A colon makes a key where none can be: by indentation, in a text, or by a slip above."""
    if "found unexpected ':'" in failure.problem:
        return _colon_in_text(failure)
    if "mapping values are not allowed" not in failure.problem:
        return None
    key = failure.text[failure.words : failure.at]
    above = line_above(failure.text, failure.start)
    if HAS_KEY.match(key + " ") or above is None:
        return _colon_in_text(failure)
    start, line = above
    slip = _slip_in(failure, start, line)
    if slip is not None:
        return slip
    if HAS_KEY.match(line, column_of_words(line)) and indent_of(failure.line) > column_of_words(
        line
    ):
        return _indentation(failure, failure.start)
    if _is_text_below(line_above(failure.text, start), line):
        return _without_colon(failure.text, start, line)
    return _colon_in_text(failure)


def _slip_in(failure: Failure, start: int, line: str) -> Fault | None:
    """Find what the line above lacks, so that the line with the problem counts as more of it."""
    column = column_of_words(line)
    if TIGHT_DASH.match(line):
        return missing_space(start + indent_of(line) + 1, "dash")
    if column == len(line) or HAS_KEY.match(line, column) or line[column] in "[{\"'":
        return None
    if TIGHT_KEY.match(line, column):
        return missing_space(start + line.index(":", column) + 1, "colon")
    if indent_of(failure.line) == column and not _continues(failure, start, column):
        return _without_colon(failure.text, start, line)
    return None


def _continues(failure: Failure, start: int, column: int) -> bool:
    """Say whether the line at *start* is more of a text that begins above it."""
    above = line_above(failure.text, start)
    if above is None or column_of_words(above[1]) >= column:
        return False
    words = above[1][column_of_words(above[1]) :].rstrip()
    return bool(HAS_KEY.match(words)) and not words.endswith(":") and not BLOCK_HEADER.search(words)


def _colon_in_text(failure: Failure) -> Fault:
    found = VALUE.match(failure.line)
    value = failure.line[found.end() :].rstrip() if found else ""
    if ends_unopened(value):
        return unopened_quote(failure.start + len(failure.line.rstrip()) - 1, value[:-1])
    can_show = value and len(value) < SHORT and '"' not in value
    help = f'write "{value}"' if can_show else "put the text in quotes"
    message = "a colon and a space within a text need quotes around it"
    return Fault("colon-in-text", *one(failure.at), message, help)


def key_without_colon(failure: Failure) -> Fault | None:
    """A line has no colon, where only fields can stand."""
    if "could not find expected ':'" not in failure.problem:
        return None
    start = line_start(failure.text, failure.since)
    line = failure.text[start : line_end(failure.text, start)]
    column = column_of_words(line)
    if TIGHT_DASH.match(line):
        return missing_space(start + indent_of(line) + 1, "dash")
    if TIGHT_KEY.match(line, column):
        return missing_space(start + line.index(":", column) + 1, "colon")
    return _without_colon(failure.text, start, line)


def _without_colon(text: str, start: int, line: str) -> Fault:
    """Return what the line at *start* lacks: its colon, or the `|` above it."""
    above = line_above(text, start)
    for head in (above, _head_of_block(text, start, line)):
        if (
            head is not None
            and BLOCK_HEADER.search(head[1])
            and indent_of(line) <= column_of_words(head[1])
        ):
            return _outside(start, line)
    if above is not None and _is_text_below(above, line):
        end = above[0] + len(above[1].rstrip())
        message = "text of several lines needs a `|` here"
        return Fault("block-text", *one(end), message, "put ` |` behind the colon")
    column = column_of_words(line)
    return missing_colon(start + column, line[column:].split()[0])


def _head_of_block(text: str, start: int, line: str) -> tuple[int, str] | None:
    """Return the line above that the lines between are indented below, as in a block of text."""
    above = line_above(text, start)
    while above is not None and indent_of(above[1]) > indent_of(line):
        above = line_above(text, above[0])
    return above


def _is_text_below(above: tuple[int, str] | None, line: str) -> bool:
    """Say whether *line* looks like effect text below a field's name, not like a field."""
    column = column_of_words(line)
    if above is None or "-" in line[:column] or not above[1].rstrip().endswith(":"):
        return False
    return column > column_of_words(above[1]) and len(line.split()) > 2


def text_outside(failure: Failure) -> Fault | None:
    """The first line of a text that `|` announces does not stand further in."""
    start = failure.start
    while (above := line_above(failure.text, start)) is not None:
        line = failure.text[start : line_end(failure.text, start)]
        if BLOCK_HEADER.search(above[1]) and HAS_KEY.match(above[1], column_of_words(above[1])):
            is_field = FIELD.match(line) is not None
            return (
                None
                if is_field or indent_of(line) > column_of_words(above[1])
                else _outside(start, line)
            )
        start = above[0]
    return None


def _outside(start: int, line: str) -> Fault:
    message = "this line does not stand inside the text that the line above begins"
    return Fault("bad-indentation", *one(start + indent_of(line)), message, "indent it further")


def misplaced_line(failure: Failure) -> Fault | None:
    """A line stands in a column where nothing can go on."""
    if "did not find expected" not in failure.problem or failure.at > failure.words:
        return None
    if TIGHT_DASH.match(failure.line):
        return missing_space(failure.start + indent_of(failure.line) + 1, "dash")
    if failure.text.startswith(":", failure.at):
        return Fault("bad-key", *one(failure.at), "there is no word before this `:`")
    above = line_above(failure.text, failure.start)
    slip = None if above is None else _slip_in(failure, *above)
    return slip or _indentation(failure, failure.start)


def _indentation(failure: Failure, start: int) -> Fault:
    """Blame the line at *start*, or the one above it if that one is the odd one out."""
    text = failure.text
    indent = indent_of(text[start : line_end(text, start)])
    help = "line it up with those around it"
    odd = line_to_blame(text, start)
    if odd is not None:
        message = "this line is not indented like those below it"
        return Fault("bad-indentation", *one(odd.start + odd.indent), message, help)
    above = line_above(text, start)
    if above is not None:
        first, line = above
        words = column_of_words(line)
        dash = line.rfind("-", 0, words)
        if is_odd_head(text, first, indent):
            at = first + indent_of(line)
            message = "this line is not indented like those below it"
            return Fault("bad-indentation", *one(at), message, help)
        # Two columns behind the dash is what everybody writes.
        if dash >= 0 and indent == dash + 2 and words != indent:
            message = "this stands too far behind its dash"
            return Fault("bad-indentation", *one(first + words), message, help)
    message = "this line is not indented like any line it could belong to"
    return Fault("bad-indentation", *one(start + indent), message, help)


ODD_INDENT = re.compile(f" *[{ODD_SPACES}]")
TAB_INDENT = re.compile(r"[ -]*\t")
BEFORE_VALUE = re.compile(r"[:,\[] *\Z")
NEEDS_QUOTES = "to begin a text with `{}`, put the text in quotes"


def explain(error: yaml.YAMLError | UnicodeEncodeError, source: Source) -> Fault:
    """Return in our words what made the file unreadable."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        at: int = (
            error.start if isinstance(error, UnicodeEncodeError) else getattr(error, "position", 0)
        )
        message = "this file holds a character that cannot be seen"
        return Fault("control-character", at, at + 1, message, "delete it")
    text = source.text
    at = min(error.problem_mark.index, len(text))
    since = at if error.context_mark is None else min(error.context_mark.index, len(text))
    failure = Failure(text, error.problem or "", error.context or "", at, since)
    for rule in RULES:
        fault = rule(failure)
        if fault is not None:
            return fault
    end = at + 1 if at < len(text) else at
    message = "this cannot be read as YAML"
    return Fault("unreadable-yaml", at, end, message, "compare the line with those around it")


def cause_of(fault: Fault, text: str) -> Fault:
    """Return the loose end or misplaced text above that caused a fault, or else the fault."""
    if fault.code not in ("missing-colon", "missing-space"):
        return fault
    loose = Scanner(text).find(fault.start)
    return loose or text_outside(Failure(text, "", "", fault.start, fault.start)) or fault


def explain_refusal(event: Any, text: str) -> Fault:
    """Return in our words why an anchor, an alias or a tag is not read."""
    at = event.start_mark.index
    if isinstance(event, AliasEvent) or (event.anchor is not None and text[at] == "&"):
        sign = text[at]
        what = "alias" if sign == "*" else "anchor"
        message = f"`{sign}` begins an {what} in YAML, which rulesets do not use"
        help = NEEDS_QUOTES.format(sign)
        return Fault("anchor", at, at + 1 + len(event.anchor or ""), message, help)
    message = "`!` begins a tag in YAML, which rulesets do not use"
    return Fault("tag", at, at + 1, message, NEEDS_QUOTES.format("!"))


def tab_indentation(failure: Failure) -> Fault | None:
    """A tab stands where YAML wants spaces."""
    found = TAB_INDENT.match(failure.line)
    at = failure.start + found.end() - 1 if found else failure.at
    if found is None and failure.text[at : at + 1] != "\t":
        return None
    return Fault("tab", at, at + 1, "a tab stands in the indentation", "use spaces")


def odd_space(failure: Failure) -> Fault | None:
    """A space from a web page stands in the indentation."""
    for start in (failure.start, line_start(failure.text, failure.since)):
        found = ODD_INDENT.match(failure.text, start)
        if found:
            return odd_space_fault(found.end() - 1)
    return None


def loose_end(failure: Failure) -> Fault | None:
    """A quote or a bracket above was never closed."""
    return Scanner(failure.text).find(failure.at)


def open_quote(failure: Failure) -> Fault | None:
    """The file ends within a quoted text."""
    if "quoted scalar" not in failure.context or "found unexpected" not in failure.problem:
        return None
    return unclosed_quote(failure.text, failure.since)


def curly_quote(failure: Failure) -> Fault | None:
    """The value of the line begins with a curly quote."""
    found = VALUE.match(failure.line)
    at = failure.start + (found.end() if found else 0)
    return curly_fault(at, None) if failure.text[at : at + 1] in tuple(OPENING_CURLY) else None


def reserved_sign(failure: Failure) -> Fault | None:
    """A text begins with a sign that YAML keeps for itself."""
    at = failure.since
    sign = failure.text[at : at + 1]
    if "a tag" in failure.context or "tag handle" in failure.problem:
        message = "`!` begins a tag in YAML, which rulesets do not use"
        return Fault("tag", *one(at), message, NEEDS_QUOTES.format("!"))
    starts = ("cannot start any token", "expected node content", "expected alphabetic", "directive")
    if not sign.strip() or not any(part in failure.problem + failure.context for part in starts):
        return None
    code = "anchor" if sign in "*&" else "needs-quotes"
    message = f"a text cannot begin with `{sign}` in YAML"
    return Fault(code, at, at + 1, message, NEEDS_QUOTES.format(sign))


def half_key(failure: Failure) -> Fault | None:
    """A field lacks the colon, or the space behind it, before a quote or a bracket."""
    words = failure.words
    return key_fault(failure.text[words : failure.at], words, False) if words < failure.at else None


def beside_a_quote(failure: Failure) -> Fault | None:
    """The text goes on behind a closing quote."""
    text, at = failure.text, failure.at
    head = text[failure.start : at].rstrip()
    if not head or head[-1] not in "\"'" or text[at : at + 1] in (":", ""):
        return None
    quote, closing = head[-1], failure.start + len(head) - 1
    above = _opened_above(failure, quote, closing)
    if above is not None:
        return unclosed_quote(text, above)
    is_odd = failure.line.count(quote) % 2 == 1
    in_flow = "flow" in failure.context
    if at > closing + 1 and (text[at] in "\"'" or (in_flow and not is_odd)):
        return _missing_comma(closing + 1) if in_flow else None
    if is_odd and not WITHIN_A_WORD.match(text, closing):
        return unclosed_quote(text, failure.start + _opening(failure.line, quote, len(head) - 1))
    message = "the quoted text ends at this quote, but the line goes on"
    other = "'" if quote == '"' else '"'
    help = f"put the whole text in {other} quotes instead"
    return Fault("text-after-quote", *one(closing), message, help)


def _opened_above(failure: Failure, quote: str, closing: int) -> int | None:
    """Return where a line above opens a quote that only the first quote of this value closes."""
    text = failure.text
    opening = text.rfind(quote, 0, failure.start)
    if (
        opening < 0
        or quote in text[failure.start : closing]
        or not BEFORE_VALUE.search(text, failure.start, closing)
    ):
        return None
    line = text[line_start(text, opening) : line_end(text, opening)]
    return opening if line.count(quote) % 2 else None


def _opening(line: str, quote: str, closing: int) -> int:
    """Return where the quoted text that ends at *closing* begins, or *closing* itself."""
    opening = line.rfind(quote, 0, closing)
    return opening if opening >= 0 else closing


def _missing_comma(at: int) -> Fault:
    message = "a comma is missing here"
    return Fault("missing-comma", at, at + 1, message, "put a comma between the entries")


def bracket_trouble(failure: Failure) -> Fault | None:
    """Within brackets a comma is missing; or the brackets belong to a text without quotes."""
    text, at = failure.text, failure.at
    if "flow" in failure.context:
        head = text[failure.start : at]
        if text[at : at + 1] == ":" and head.strip():
            head = head[: len(head) - len(head.split(" ")[-1])]
        return _missing_comma(failure.start + len(head.rstrip()))
    sign = text[at : at + 1]
    if sign and sign in "]},":
        help = "delete it, or put the text in quotes"
        return Fault("unopened-bracket", at, at + 1, f"this `{sign}` closes nothing", help)
    found = VALUE.match(failure.line)
    value = failure.start + (found.end() if found else 0)
    if value < at and text[value] in "[{" and "expected key" in failure.problem:
        message = f"a text cannot begin with `{text[value]}` in YAML"
        return Fault("needs-quotes", *one(value), message, NEEDS_QUOTES.format(text[value]))
    return None


def bad_escape(failure: Failure) -> Fault | None:
    """A backslash in double quotes is followed by what makes no escape."""
    if "escape" not in failure.problem and "hexdecimal" not in failure.problem:
        return None
    at = failure.text.rfind("\\", 0, failure.at + 1)
    if at < 0:  # of a tag, which has escapes of its own
        return None
    message = "a backslash in double quotes begins an escape, and this is none"
    return Fault("bad-escape", at, at + 2, message, "write two backslashes, or use single quotes")


def block_header(failure: Failure) -> Fault | None:
    """Text stands on the same line as the `|` that announces it."""
    if "block scalar" not in failure.context:
        return None
    sign = failure.text[failure.since]
    message = f"the text behind `{sign}` begins on the next line"
    help = f"to begin a text with `{sign}`, put it in quotes"
    return Fault("block-text", *one(failure.since), message, help)


def list_in_line(failure: Failure) -> Fault | None:
    """A dash stands behind a key, where a list cannot begin."""
    if "block sequence entries are not allowed" not in failure.problem:
        return None
    message = "a list cannot begin behind a key on the same line"
    help = "begin the list on the next line, or put the text in quotes"
    return Fault("needs-quotes", *one(failure.at), message, help)


def question_in_line(failure: Failure) -> Fault | None:
    """A text begins with a question mark, which YAML reads as a key of its own kind."""
    if "mapping keys are not allowed" not in failure.problem:
        return None
    message = "a text cannot begin with `?` and a space in YAML"
    return Fault("needs-quotes", *one(failure.at), message, NEEDS_QUOTES.format("?"))


def second_document(failure: Failure) -> Fault | None:
    """Text stands behind the end of the one document."""
    if "document" not in failure.problem:
        return None
    message = "the file goes on behind its end"
    help = "a file holds one list of items, or one item"
    return Fault("second-document", *one(failure.at), message, help)


RULES: tuple[Callable[[Failure], Fault | None], ...] = (
    tab_indentation,
    odd_space,
    loose_end,
    open_quote,
    curly_quote,
    bad_escape,
    block_header,
    reserved_sign,
    half_key,
    text_outside,
    beside_a_quote,
    bracket_trouble,
    colon,
    key_without_colon,
    misplaced_line,
    list_in_line,
    question_in_line,
    second_document,
)
