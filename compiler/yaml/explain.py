"""The reason why a file cannot be read as YAML, in plain words and at the right place.

libyaml's marks are often after the slip, and its words are a parser's. Each of `RULES` recognises one
kind of slip; the first match gives the `Fault`, at the line to blame. Of two lines that disagree,
the one that keeps to the usual step of two columns is right, and so is the one that is aligned with
its neighbours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import yaml
from yaml.events import AliasEvent

from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml import layout
from ruleloom.compiler.yaml.layout import (
    KEY,
    Fault,
    Line,
    Scanner,
    line_at,
    line_end,
    line_start,
    one,
    slip,
)
from ruleloom.runtime.dataclass import Frozen

HAS_KEY = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s#"'][^#]*?):(?:\s|$)""")
TIGHT_KEY = re.compile(r"([\w-]+):[^\s]")
TIGHT_DASH = re.compile(r" *-[^\s-]")
WITHIN_A_WORD = re.compile(r"(?<=[^\W_]).(?=[^\W_])")
VALUE = re.compile(r"(?: *- +)*(?: *[\w-]+: +)?")


class Failure(Frozen):
    """The words of libyaml, and the line they refer to; *at* and *since* are offsets into the text."""

    text: str
    says: str
    at: int
    since: int

    @property
    def line(self) -> Line:
        """Return the line with the problem."""
        return line_at(self.text, line_start(self.text, self.at))

    @property
    def value(self) -> int:
        """Return the offset of that line's value."""
        found = VALUE.match(self.line.text)
        return self.line.start + (found.end() if found else 0)


def colon(failure: Failure) -> Fault:
    """A colon makes a key where none can be: by indentation, in a text, or by a slip above."""
    key = failure.text[failure.line.words : failure.at]
    above = failure.line.above
    if HAS_KEY.match(key + " ") or above is None:
        return _colon_in_text(failure)
    lacking = _slip_in(failure, above)
    if lacking is not None:
        return lacking
    if HAS_KEY.match(above.text, above.column) and failure.line.indent > above.column:
        return _indentation(failure)
    if _is_text_below(above):
        return _without_colon(above)
    return _colon_in_text(failure)


def _missing_space(line: Line) -> Fault | None:
    """Find a dash or a colon without the space after it."""
    if TIGHT_DASH.match(line.text):
        return slip("missing-space", line.start + line.indent + 1, "dash")
    if TIGHT_KEY.match(line.text, line.column):
        return slip("missing-space", line.start + line.text.index(":", line.column) + 1, "colon")
    return None


def _slip_in(failure: Failure, above: Line) -> Fault | None:
    """Find the slip in the line above that makes the line with the problem continue it."""
    line, column = above.text, above.column
    is_whole = column == len(line) or HAS_KEY.match(line, column) or line[column] in "[{\"'"
    if is_whole and not TIGHT_DASH.match(line):
        return None
    lacking = _missing_space(above)
    if lacking is None and failure.line.indent == column and not _continues(above):
        return _without_colon(above)
    return lacking


def _continues(line: Line) -> bool:
    above = line.above
    if above is None or above.column >= line.column:
        return False
    return HAS_KEY.match(above.text.rstrip(), above.column) is not None and not above.opens


def _colon_in_text(failure: Failure) -> Fault:
    line = failure.line.text
    value = line[failure.value - failure.line.start :].rstrip()
    if layout.ends_unopened(value):
        return layout.unopened_quote(failure.line.start + len(line.rstrip()) - 1, value[:-1])
    can_show = value and len(value) < layout.SHORT and '"' not in value
    help = f'write "{value}"' if can_show else "put the text in quotes"
    message = "a colon and a space within a text need quotes around it"
    return Fault("colon-in-text", *one(failure.at), message, help)


def key_without_colon(failure: Failure) -> Fault:
    """A line without a colon where only fields are allowed."""
    line = line_at(failure.text, line_start(failure.text, failure.since))
    return _missing_space(line) or _without_colon(line)


def _without_colon(line: Line) -> Fault:
    """Return the fault: a missing colon, or a missing `|` above."""
    above = head = line.above
    while head is not None and head.indent > line.indent:
        head = head.above
    for one_above in (above, head):
        if one_above is not None and one_above.begins_text and line.indent <= one_above.column:
            return _outside(line)
    if above is not None and _is_text_below(line):
        end = above.start + len(above.text.rstrip())
        message = "text of several lines needs a `|` here"
        return Fault("block-text", *one(end), message, "put ` |` behind the colon")
    word = line.text[line.column :].split()[0]
    return slip("missing-colon", line.words + len(word), word)


def _is_text_below(line: Line) -> bool:
    """Say whether *line* looks like effect text below a field's name, not like a field."""
    above = line.above
    if above is None or line.begins_entry or not above.text.rstrip().endswith(":"):
        return False
    return line.column > above.column and len(line.text.split()) > 2


def text_outside(failure: Failure) -> Fault | None:
    """The first line after a `|` is not indented further."""
    line = failure.line
    while (above := line.above) is not None:
        if above.begins_text and HAS_KEY.match(above.text, above.column):
            is_field = KEY.match(line.text, line.indent) is not None
            return None if is_field or line.indent > above.column else _outside(line)
        line = line_at(failure.text, above.start)
    return None


def _outside(line: Line) -> Fault:
    message = "this line does not stand inside the text that the line above begins"
    return Fault("bad-indentation", *one(line.start + line.indent), message, "indent it further")


def misplaced_line(failure: Failure) -> Fault | None:
    """A line begins in a column where no node can continue."""
    if failure.at > failure.line.words:
        return None
    if TIGHT_DASH.match(failure.line.text):
        return slip("missing-space", failure.line.start + failure.line.indent + 1, "dash")
    if failure.text.startswith(":", failure.at):
        return Fault("bad-key", *one(failure.at), "there is no word before this `:`")
    above = failure.line.above
    lacking = None if above is None else _slip_in(failure, above)
    return lacking or _indentation(failure)


def _indentation(failure: Failure) -> Fault:
    """Blame the line with the problem, or the one above it if that is the odd one out."""
    line = failure.line
    first = HEADLESS.match(failure.text)
    if first is not None and line.text.startswith("- "):
        message = "this line stands further in than the items below it"
        help = "is a line missing above, with the dash that begins an item?"
        return Fault("bad-indentation", *one(first.end()), message, help)
    odd, above = _line_to_blame(line), line.above
    if odd is None and above is not None and layout.is_odd_head(above, line.indent):
        odd = above
    at, message = line.indent, "this line is not indented like any line it could belong to"
    if odd is not None:
        line, at, message = odd, odd.indent, "this line is not indented like those below it"
    elif above is not None and _is_far_behind_dash(above, line):
        line, at, message = above, above.column, "this stands too far behind its dash"
    help = "line it up with those around it"
    return Fault("bad-indentation", *one(line.start + at), message, help)


def _is_far_behind_dash(above: Line, line: Line) -> bool:
    """Say whether *line*, but not *above*, is two columns after the dash, as is usual."""
    dash = above.text.rfind("-", 0, above.column)
    return dash >= 0 and line.indent == dash + 2 != above.column


STEP = 2
NEXT_WORDS = re.compile(r"\n( *)[^\S\n]*[^\s#]")


def _line_to_blame(here: Line) -> Line | None:
    """Return the line above that is to blame for libyaml's error at *here*."""
    above = here.above
    if above is None:
        return None
    before = above.above
    if above.indent < here.indent:
        # An entry may be in a wrong column itself, but not a line that begins one below it.
        ends_above = here.begins_entry and _indent_below(here) != above.indent
        is_inner = above.opens or (above.begins_entry and not ends_above)
        return above if not is_inner and _stands_out(above, before, here) else None
    if above.begins_entry and above.indent == here.indent:
        # The first dash of a list may be where the words after it should begin.
        column = 0 if before is None else before.column
        is_list = before is None or before.opens
        is_odd = is_list and above.indent - column not in (0, STEP if before else 0)
    else:
        is_odd = _is_too_far_in(above, before, here)
    return above if is_odd else _parent_to_blame(here)


def _is_too_far_in(above: Line, before: Line | None, here: Line) -> bool:
    """Say whether *here* is one usual step below *before*, and *above* is further in."""
    if above.opens or above.indent <= here.indent:
        return False
    if before is None:
        return here.indent == 0
    right, wrong = here.indent - before.column, above.indent - before.column
    return before.opens and right == STEP != wrong


def _stands_out(above: Line, before: Line | None, here: Line) -> bool:
    """Say whether *above* is too far left: its parent is empty, or its neighbours agree."""
    if before is None:
        return False
    if before.opens and above.indent == before.column and here.indent == before.column + STEP:
        return True
    if before.indent != here.indent:
        return False
    votes = _votes(above, here.indent) - _votes(here, above.indent)
    if votes:
        return votes > 0
    if _indent_below(here) == here.indent:
        return True
    return before.value_sort == above.value_sort == here.value_sort


def _votes(line: Line, indent: int) -> int:
    """Count the lines with the same field at *indent*, minus those at the line's own indentation."""
    if not line.key:
        return 0
    same_field = re.compile(rf"^( *){re.escape(line.key)}:", re.MULTILINE)
    found = Counter(len(match[1]) for match in same_field.finditer(line.file))
    return found[indent] - (found[line.indent] - 1)


def _parent_to_blame(here: Line) -> Line | None:
    """Return the line whose children are too far in, if one more step would align them."""
    line, child = _parent_and_child(here)
    if line is None or child is None:
        return None
    if line.begins_text:
        # The first line of a text sets its margin, and this one should be inside too.
        return child if here.indent - line.column == STEP else None
    if child.indent - here.indent != STEP or child.indent - line.column == STEP:
        return None
    # A child that should have children and has none is in their column itself.
    return child if child.opens and _indent_below(child) == child.indent else line


def _parent_and_child(here: Line) -> tuple[Line | None, Line | None]:
    """Return the nearest line above that is indented less and opens a block, and its first child."""
    child, line = None, here.above
    while line is not None and line.indent > here.indent:
        child, line = line, line.above
    if line is None or line.indent == here.indent or line.begins_entry or not line.opens:
        return None, None
    return line, child


def _indent_below(line: Line) -> int | None:
    """Return the indentation of the next line of words below."""
    below = NEXT_WORDS.search(line.file, line_end(line.file, line.start))
    return None if below is None else len(below[1])


# A field below the heading of a text, where the text should begin.
SPLIT_TEXT = re.compile(
    r"^([ -]*)(?P<head>[\w-]+):[ ]*[>|][+-]?[ ]*\n[ ]*(?P<key>[\w-]+):[^\n]*\n", re.MULTILINE
)
# The lines above the words of a file whose first item has lost its dash.
HEADLESS = re.compile(r"(?:[^\S\n]*(?:#.*)?\n)*[ ]+(?=[a-z_]+:)")
ODD_INDENT = re.compile(f" *[{layout.ODD_SPACES}]")
TAB_INDENT = re.compile(r"[ -]*\t")
BEFORE_VALUE = re.compile(r"[:,\[] *\Z")


def explain(error: yaml.YAMLError | UnicodeEncodeError, source: Source) -> Fault:
    """Return the fault that made the file unreadable, in our words."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        at = error.start if isinstance(error, UnicodeEncodeError) else getattr(error, "position", 0)
        message = "this file holds a character that cannot be seen"
        return Fault("control-character", *one(at), message, "delete it")
    text = source.text
    at = min(error.problem_mark.index, len(text))
    since = at if error.context_mark is None else min(error.context_mark.index, len(text))
    failure = Failure(text, f"{error.context}: {error.problem}", at, since)
    for words, rule in RULES:
        fault = rule(failure) if re.search(words, failure.says) else None
        if fault is not None:
            return _split_text(fault, text) or fault
    end = min(at + 1, len(text))
    message = "this cannot be read as YAML"
    return Fault("unreadable-yaml", at, end, message, "compare the line with those around it")


def cause_of(fault: Fault, text: str) -> Fault:
    """Return the loose end or misplaced text above that caused a fault, or else the fault."""
    if fault.code not in ("missing-colon", "missing-space"):
        return fault
    loose = Scanner(text).find(fault.start)
    return loose or text_outside(Failure(text, "", fault.start, fault.start)) or fault


def _split_text(fault: Fault, text: str) -> Fault | None:
    """Return the fault of a field between `text: >` and its text, which the field begins."""
    if fault.code != "colon-in-text":
        return None
    for found in SPLIT_TEXT.finditer(text, 0, fault.start):
        between = text[found.end() : fault.start].splitlines()
        if all(line.startswith(" " * (len(found[1]) + 1)) for line in between):
            head, key = found["head"], found["key"]
            message = f"`{key}` stands between `{head}` and its text"
            help = f"move it above `{head}:`, or below the text"
            return Fault("bad-indentation", *found.span("key"), message, help)
    return None


def explain_refusal(event: Any, text: str) -> Fault:
    """Return the fault of an anchor, an alias or a tag, in our words."""
    at = event.start_mark.index
    if isinstance(event, AliasEvent) or (event.anchor is not None and text[at] == "&"):
        sign = text[at]
        what = "alias" if sign == "*" else "anchor"
        message = f"`{sign}` begins an {what} in YAML, which rulesets do not use"
        help = layout.NEEDS_QUOTES.format(sign)
        return Fault("anchor", at, at + 1 + len(event.anchor or ""), message, help)
    return slip("tag", at, "!")


def tab_indentation(failure: Failure) -> Fault | None:
    """A tab where YAML requires spaces."""
    found = TAB_INDENT.match(failure.line.text)
    at = failure.line.start + found.end() - 1 if found else failure.at
    return slip("tab", at) if found or failure.text[at : at + 1] == "\t" else None


def odd_space(failure: Failure) -> Fault | None:
    """A space from a web page in the indentation."""
    for start in (failure.line.start, line_start(failure.text, failure.since)):
        found = ODD_INDENT.match(failure.text, start)
        if found:
            return slip("odd-space", found.end() - 1)
    return None


def curly_quote(failure: Failure) -> Fault | None:
    """A curly quote at the beginning of the line's value."""
    at = failure.value
    return (
        layout.curly_fault(at, None)
        if failure.text[at : at + 1] in tuple(layout.OPENING_CURLY)
        else None
    )


def reserved_sign(failure: Failure) -> Fault | None:
    """A text that begins with a sign reserved by YAML."""
    at = failure.since
    sign = failure.text[at : at + 1]
    if not sign.strip():
        return None
    return slip("anchor" if sign in "*&" else "needs-quotes", at, sign)


def half_key(failure: Failure) -> Fault | None:
    """A field without its colon, or the space after it, before a quote or a bracket."""
    words = failure.line.words
    key = failure.text[words : failure.at]
    return layout.key_fault(key, words, False) if key else None


def beside_a_quote(failure: Failure) -> Fault | None:
    """Text after a closing quote."""
    text, at, start = failure.text, failure.at, failure.line.start
    head = text[start:at].rstrip()
    if not head or head[-1] not in "\"'" or text[at : at + 1] in (":", ""):
        return None
    quote, closing = head[-1], start + len(head) - 1
    above = _opened_above(failure, quote, closing)
    if above is not None:
        return layout.unclosed_quote(text, above)
    line = failure.line.text
    is_odd = line.count(quote) % 2 == 1
    in_flow = "flow" in failure.says
    if at > closing + 1 and (text[at] in "\"'" or (in_flow and not is_odd)):
        return slip("missing-comma", closing + 1) if in_flow else None
    if is_odd and not WITHIN_A_WORD.match(text, closing):
        opening = line.rfind(quote, 0, len(head) - 1)
        return layout.unclosed_quote(text, start + opening if opening >= 0 else closing)
    message = "the quoted text ends at this quote, but the line goes on"
    other = "'" if quote == '"' else '"'
    help = f"put the whole text in {other} quotes instead"
    return Fault("text-after-quote", *one(closing), message, help)


def _opened_above(failure: Failure, quote: str, closing: int) -> int | None:
    """Return the offset of a quote opened above that only the first quote of this value closes."""
    text = failure.text
    opening = text.rfind(quote, 0, failure.line.start)
    is_first = BEFORE_VALUE.search(text, failure.line.start, closing) is not None
    if opening < 0 or not is_first or quote in text[failure.line.start : closing]:
        return None
    line = text[line_start(text, opening) : line_end(text, opening)]
    return opening if line.count(quote) % 2 else None


def bracket_trouble(failure: Failure) -> Fault | None:
    """A comma missing within brackets; or brackets of an unquoted text."""
    text, at = failure.text, failure.at
    if "flow" in failure.says:
        head = text[failure.line.start : at]
        if text[at : at + 1] == ":" and head.strip():
            head = head[: len(head) - len(head.split(" ")[-1])]
        return slip("missing-comma", failure.line.start + len(head.rstrip()))
    sign = text[at : at + 1]
    if sign and sign in "]},":
        return slip("unopened-bracket", at, sign)
    value = failure.value
    if value < at and text[value] in "[{" and "expected key" in failure.says:
        return slip("needs-quotes", value, text[value])
    return None


def bad_escape(failure: Failure) -> Fault | None:
    """A backslash in double quotes that begins no escape."""
    at = failure.text.rfind("\\", 0, failure.at + 1)
    if at < 0:  # of a tag, which has escapes of its own
        return None
    message = "a backslash in double quotes begins an escape, and this is none"
    return Fault("bad-escape", at, at + 2, message, "write two backslashes, or use single quotes")


# Errors for which libyaml's own words and place suffice: code, message and help for each.
SIMPLE = {
    "block sequence entries are not allowed": (
        "needs-quotes",
        "a list cannot begin behind a key on the same line",
        "begin the list on the next line, or put the text in quotes",
    ),
    "mapping keys are not allowed": (
        "needs-quotes",
        "a text cannot begin with `?` and a space in YAML",
        layout.NEEDS_QUOTES.format("?"),
    ),
    "document": (
        "second-document",
        "the file goes on behind its end",
        "a file holds one list of items, or one item",
    ),
}


def simple_problem(failure: Failure) -> Fault | None:
    """A slip that libyaml itself names and places."""
    for part, (code, message, help) in SIMPLE.items():
        if part in failure.says:
            return Fault(code, *one(failure.at), message, help)
    return None


# Each rule with the words of libyaml for which it may apply, in the order of trial.
RULES: tuple[tuple[str, Callable[[Failure], Fault | None]], ...] = (
    ("maximum nesting depth", lambda failure: slip("nested-too-deep", failure.at)),
    ("", tab_indentation),
    ("", odd_space),
    ("", lambda failure: Scanner(failure.text).find(failure.at)),
    (
        "quoted scalar: found unexpected",
        lambda failure: layout.unclosed_quote(failure.text, failure.since),
    ),
    ("", curly_quote),
    ("escape|hexdecimal", bad_escape),
    (
        "block scalar:",
        lambda failure: slip("block-text", failure.since, failure.text[failure.since]),
    ),
    ("a tag|tag handle", lambda failure: slip("tag", failure.since, "!")),
    ("cannot start any token|expected node content|expected alphabetic|directive", reserved_sign),
    ("", half_key),
    ("", text_outside),
    ("", beside_a_quote),
    ("", bracket_trouble),
    ("found unexpected ':'", _colon_in_text),
    ("mapping values are not allowed", colon),
    ("could not find expected ':'", key_without_colon),
    ("did not find expected", misplaced_line),
    ("", simple_problem),
)
