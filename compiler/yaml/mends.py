"""Slips in the layout of a YAML file, each told by the small mend after which the file can be read.

libyaml's marks are often behind the slip, and its words are a parser's. So where reading breaks off,
the mends of `MENDS` are tried at that line and those just above it, then other indentations of these
lines; the first mend after which reading gets further is the slip.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, chain, islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ruleloom.compiler.yaml.events import nodes
from ruleloom.compiler.yaml.layout import (
    DOUBLE_CURLY,
    ODD_SPACES,
    Fault,
    column_of,
    half_key,
    indent_of,
    misread,
)

ABOVE, BELOW = 60, 40
MOST_TRIED, MOST_READ, MOST_FOUND = 300, 3_000_000, 30
LONGEST_LINE = 4_000
NEAR = 4
"""How many lines above the place are tried."""
STEP = 2
EXCHANGED = 20
"""How many lines above the place are tried beside the ones next to them."""
FURTHER = 3
"""How many lines further reading must get where the file has another slip."""
LONGEST_HELP = 80

Put = str | Callable[[re.Match[str]], str]

TEXTS = json.loads(Path(__file__).with_name("mends.json").read_text(encoding="utf-8"))
SAYS: dict[str, tuple[str, str | None]] = {
    slip: tuple(said) for slip, said in TEXTS["says"].items()
}
"""What is said of each slip, and how to mend it. The first word is the code; the words found can be named."""
BRIEFLY: dict[str, str] = TEXTS["briefly"]
"""In place of a help in which the words found are too long."""


def _quoted(match: re.Match[str]) -> str:
    """Put the text in single quotes, in which nothing else has a meaning."""
    text = match["text"]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    doubled = text.replace("'", "''")
    return f"{match['in']}'{doubled}'"


WORDS = r"(?P<in>^(?> *- +)*+ *+"  # up to the words of a line
NAME = WORDS + r"[\w-]+: +)"  # up to the value of a field
VALUE = WORDS + r"(?:[\w-]+: +)?+)"
WITHIN = r"(?P<in>[,\[{] *(?:[\w-]+: +)?+)"
END = r"(?= *(?: #.*)?$)"
# The first word of a line, or of an entry in braces.
FIRST = r"(?:^(?: *- +)* *|[{,] *)(?P<word>[A-Za-z][\w-]*)"
OPENED = r"(?:^(?: *- +)* *|[:,] +|[\[{] *)(?P<at>"
CURLY, SINGLE = DOUBLE_CURLY, "‘’‚‛"


class Mend(NamedTuple):
    """A small change of a line: what is said of it, what it looks for, and what it puts there.

    The place is the group `at`.
    """

    slip: str
    pattern: re.Pattern[str]
    put: Put


def _mend(slip: str, pattern: str, put: Put) -> Mend:
    return Mend(slip, re.compile(pattern), put)


SPACES = (
    _mend("tab", r"^[ -]*(?P<at>\t)", ""),
    _mend("odd-space", f"^ *(?P<at>[{ODD_SPACES}])", ""),
)
"""Characters that are slips wherever they stand in an indentation."""
COLON = _mend("missing-colon", FIRST + r"(?P<at>)(?= +[^\s:=]|$)", r"\g<0>:")
GUESSED = _mend("missing-colon", COLON.pattern.pattern, r"\g<0>:")
NO_BAR = _mend("block-text", r"^.*:(?P<at>) *$", r"\g<0> |")
NO_DASH = _mend("bad-indentation dash", r"^(?P<out> *)  (?P<at>)(?=[a-z_]+:)", r"\g<out>- ")
MENDS = (
    COLON,
    NO_BAR,
    GUESSED,
    _mend("bad-indentation gap", r"^(?P<out> *-) {2,}(?P<at>)(?=\S)", r"\g<out> "),
    _mend("odd-space", f"{VALUE}(?P<at>[{ODD_SPACES}])", r"\g<in> "),
    _mend("missing-space dash", r"^ *-(?P<at>)(?=[^\s-])", r"\g<0> "),
    _mend("missing-space colon", FIRST + r":(?P<at>)(?=[^\s:])", r"\g<0> "),
    _mend("bad-key", r"^ *(?P<at>:)(?= )", r"x\g<0>"),
    _mend("smart-quote", f'(?P<at>[{CURLY}])(?P<text>[^{CURLY}"]*)[{CURLY}"]', r'"\g<text>"'),
    _mend("smart-quote", f'"(?P<text>[^{CURLY}"]*)(?P<at>[{CURLY}])', r'"\g<text>"'),
    _mend("smart-quote", f"(?P<at>[{SINGLE}])(?P<text>[^{SINGLE}\"]*)[{SINGLE}']", r'"\g<text>"'),
    _mend("smart-quote", f'{VALUE}(?P<at>[{CURLY}])(?P<text>[^"]*?){END}', r'\g<in>"\g<text>"'),
    *(
        _mend("unclosed-quote", f"{OPENED}{quote})[^{quote}]*?(?={end})", rf"\g<0>{quote}")
        for quote in "\"'"
        for end in (
            r"(?<=[\w-]):",
            END,
            ", ",
            r"[\]}]+, ",
            *(f"[\\]}}]{{{n}}}{END}" for n in (1, 2, 3)),
        )
    ),
    _mend("unclosed-bracket ]", r"(?P<at>\})", "]}"),
    _mend("unclosed-bracket ]", r"(?P<at>\})", "]"),
    _mend("unclosed-bracket }", r"(?P<at>\])", "}]"),
    _mend("unclosed-bracket }", r"(?P<at>\])", "}"),
    _mend("unopened-bracket", r"(?<=[^\s:])(?P<at>[\]}])" + END, ""),
    _mend(
        "unopened-bracket before",
        r"(?:[:,-] +|\[)(?P<at>)(?=[\w-]+: .*(?P<closing>\}))",
        r"\g<0>{",
    ),
    _mend(
        "unopened-bracket before", r"(?:[:,-] +|\{)(?P<at>)(?=[^\[\]]+(?P<closing>\]))", r"\g<0>["
    ),
    _mend("missing-comma", r"(?<=[\w\"'\]})])(?P<at> )(?=[\w\"'\[{])", ", "),
    _mend("missing-comma", r"^ *[\"'{\[].*[\"'}\]](?P<at>)$", r"\g<0>,"),
    _mend("bad-escape", r"(?P<at>\\.)", r"\\\g<0>"),
    _mend("block-text beside", r"(?P<in>[:-] )(?P<at>[|>])[-+]? +\S.*$", r"\g<in>\g<at>"),
    _mend(
        "unopened-quote",
        rf"{VALUE}(?P<text>[^\"'\s](?:[^\"]|\"[^\"]*\")*)(?P<at>\"){END}",
        _quoted,
    ),
    _mend("unopened-quote", rf"{WORDS})(?P<text>[\w-]+)(?P<at>\")(?=:(?: |$))", r"\g<in>\g<text>"),
    _mend(
        "text-after-quote",
        rf"{VALUE}(?P<text>(?P<quote>[\"']).*?(?P<at>(?P=quote)).*?){END}",
        _quoted,
    ),
    *(
        _mend(code, f"{before}(?P<text>(?P<at>(?P<sign>{sign})){rest}", _quoted)
        for code, sign in (("anchor", "[*&]"), ("tag", "!"), ("needs-quotes", r"[@`%|>?}\]-]"))
        for before, rest in ((VALUE, f".*?){END}"), (WITHIN, r"[^,\]}]*)"))
    ),
    _mend("colon-in-text", rf"{NAME}(?P<text>[^\s\"'\[{{].*?(?P<at>:)(?: .*?)?){END}", _quoted),
    _mend(
        "needs-quotes",
        rf"{VALUE}(?P<text>(?P<at>(?P<sign>[\[{{]))[^\]}}]*[\]}}]+ *[^\s,\]}}#].*?){END}",
        _quoted,
    ),
)


class Slip(NamedTuple):
    """A fault, the lines in which it is mended, and which of them has been moved; -1 for none."""

    fault: Fault
    lines: list[str]
    moved: int = -1


class Page:
    """The lines around the place where reading breaks off, of which the number is `here`.

    The broken value begins on the line `first`.
    """

    def __init__(self, text: str, top: int, end: int, here: int, first: int) -> None:
        lines = text.split("\n")
        starts = list(accumulate((len(line) + 1 for line in lines[:end]), initial=0))
        self.text, self.starts = text, starts[top:]
        self.lines = [line[:LONGEST_LINE] for line in lines[top:end]]
        self.here, self.first = here - top, first - top

    @classmethod
    def around(cls, text: str, at: int, since: int) -> Page:
        """Return the lines around an offset, from one that begins a text that can be read by itself."""
        lines = text.split("\n")
        here = text.count("\n", 0, at)
        while here > 0 and not _is_said(lines[here]):
            here -= 1
        first = min(text.count("\n", 0, since), here)
        first = first if here - first < ABOVE else here
        end = here + BELOW
        said = [n for n, line in enumerate(lines[:end]) if _is_said(line)]
        least = min((indent_of(lines[n]) for n in said if n >= first - ABOVE), default=0)
        # A line as far left as any around.
        outer = (n for n in reversed(said) if n < first - NEAR and indent_of(lines[n]) <= least)
        return cls(text, next(outer, 0), end, here, first)

    def said(self, number: int, step: int) -> Iterator[int]:
        """Yield the lines above or below one, without blank ones and comments."""
        while 0 <= (number := number + step) < len(self.lines):
            if _is_said(self.lines[number]):
                yield number

    def near(self) -> list[int]:
        """The lines to mend: that of the place, that where the value begins, and those just above."""
        above = list(islice(self.said(self.here, -1), NEAR))
        return list(dict.fromkeys([self.here, self.first, *above]))

    def with_line(self, number: int, line: str) -> list[str]:
        """The lines with one of them replaced."""
        return [*self.lines[:number], line, *self.lines[number + 1 :]]

    def fault(self, slip: str, number: int, column: int, /, **words: str) -> Fault:
        """Return the fault of the character at a column."""
        return self.told(slip, self.starts[number] + column, **words)

    def told(self, slip: str, place: int, /, **words: str) -> Fault:
        """Return the fault of the character at an offset of the text."""
        code = slip.partition(" ")[0]
        message, help = SAYS[slip]
        help = help and help.format_map(words)
        if help is not None and len(help) > LONGEST_HELP:
            help = BRIEFLY.get(code)
        return Fault(code, place, min(place + 1, len(self.text)), message.format_map(words), help)


def _is_said(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def broken_at(text: str, moved: int, before: str) -> int:
    """Return the offset where reading a text breaks off or goes wrong; its length if it does not.

    A line that begins at *moved* must not have become more of the text above it, nor words that were
    no key *before* have become one.
    """
    try:
        root = nodes(text)
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        mark = getattr(error, "problem_mark", None)
        return 0 if mark is None else min(mark.index, len(text) - 1)
    return min(_wrong(text, root, moved, before), default=len(text))


def _wrong(text: str, root: yaml.Node | None, moved: int, before: str) -> Iterator[int]:
    """Yield the offset of each value that YAML reads otherwise than it is meant."""
    waiting: list[tuple[Any, bool]] = [(root, False)]
    while waiting:
        node, flow = waiting.pop()
        if isinstance(node, yaml.ScalarNode):
            start, end = node.start_mark.index, node.end_mark.index
            wrong = misread(text, start, end, node.value, node.style, flow)
            if wrong is not None:
                yield wrong
            if not node.style and start < moved < end:
                yield moved
            continue
        inner = flow or bool(node is not None and node.flow_style)
        if isinstance(node, yaml.MappingNode):
            yield from _wrong_keys(node, before)
            waiting += [one for key, value in node.value for one in ((key, True), (value, inner))]
        elif node is not None:
            waiting += [(entry, inner) for entry in node.value]


def _wrong_keys(node: yaml.MappingNode, before: str) -> Iterator[int]:
    names = set()
    for key, value in node.value:
        is_alone = bool(node.flow_style) and value.value == "" and not value.style
        name = key.value if isinstance(key, yaml.ScalarNode) else ""
        is_new = " " in name and not key.style and f"{name}:" not in before
        if is_new or name in names or half_key(name, is_alone):
            yield key.start_mark.index
        names.add(name)


FIELDS = re.compile(r"^( *)([\w-]+): ?", re.MULTILINE)
FIELD = re.compile(r"^(?: *- +)* *(?P<key>[\w-]+):(?: |$)")
TEXT_BELOW = re.compile(r" [|>][-+]? *$")
OPENS = re.compile(r":(?: +[|>][-+]?)? *$")


def _mended(page: Page) -> Iterator[Slip]:
    """Yield what `MENDS` change in the lines near the place."""
    for number in page.near():
        for mend in MENDS:
            if mend is not NO_BAR or _has_text_below(page, number):
                yield from _mended_by(page, number, mend)


def _is_field(page: Page, number: int, word: str, mend: Mend) -> bool:
    """Say whether a word without a colon is a field: one of that name stands elsewhere in the file.

    An unknown word may be one, too, if the line is not a line of text that stands too far left.
    """
    if mend is COLON:
        return re.search(rf"^[ -]*{word}:", page.text, re.MULTILINE) is not None
    indent = indent_of(page.lines[number])
    above = list(page.said(number, -1))
    if above and _has_text_below(page, above[0]):
        return False
    heads = [*above[:1], *islice((n for n in above if indent_of(page.lines[n]) <= indent), 1)]
    return not any(TEXT_BELOW.search(page.lines[n]) for n in heads)


def _has_text_below(page: Page, number: int) -> bool:
    """Say whether text stands below a heading, and no field or list."""
    below = next(page.said(number, 1), None)
    line = "" if below is None else page.lines[below]
    is_text = len(line.split()) > 2 and not (FIELD.match(line) or half_key(line.strip(), False))
    return (
        is_text and line.lstrip()[0].isalpha() and indent_of(line) > indent_of(page.lines[number])
    )


def _mended_by(page: Page, number: int, mend: Mend) -> Iterator[Slip]:
    """Yield a line with all that a mend finds in it mended, then with each alone, the last first."""
    line = COMMENT.sub("", page.lines[number])
    comment = page.lines[number][len(line) :]
    found = list(islice(mend.pattern.finditer(line), MOST_FOUND))
    if len(found) > 1 and mend.slip == "smart-quote":
        whole = page.with_line(number, mend.pattern.sub(mend.put, line) + comment)
        yield Slip(_told(page, number, mend, found[0]), whole)
    for match in reversed(found):
        if mend.slip != COLON.slip or _is_field(page, number, match["word"], mend):
            put = match.expand(mend.put) if isinstance(mend.put, str) else mend.put(match)
            mended = line[: match.start()] + put + line[match.end() :] + comment
            yield Slip(_told(page, number, mend, match), page.with_line(number, mended))


def _told(page: Page, number: int, mend: Mend, match: re.Match[str]) -> Fault:
    words = {name: word or "" for name, word in match.groupdict().items() if name != "in"}
    return page.fault(mend.slip, number, match.start("at"), **words)


BRACKETS = {"[": "]", "{": "}"}
COMMENT = re.compile(r"\s+#[\s~].*$")
TEXTS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'[^']*'|(?<!\S)#.*")
OPENS_FLOW = re.compile(r"(?:^ *|: +|- +)[\[{]")


def _closed(page: Page) -> Iterator[Slip]:
    """Yield the lines with the brackets closed at the end of one of them."""
    for first in sorted(page.near()):
        if OPENS_FLOW.search(page.lines[first]) is None:
            continue
        left: list[tuple[str, int, int]] = []
        for number in range(first, page.here + 1):
            line = TEXTS.sub(lambda found: "_" * len(found[0]), page.lines[number])
            for found in re.finditer(r"[\[\]{}]", line):
                if found[0] in BRACKETS:
                    left.append((found[0], number, found.start()))
                elif left:
                    left.pop()
            if left:
                sign, above, column = left[-1]
                closing = "".join(BRACKETS[one[0]] for one in reversed(left))
                lines = page.with_line(number, _ending(page.lines[number], closing))
                words = {"sign": sign, "closing": BRACKETS[sign]}
                yield Slip(page.fault("unclosed-bracket", above, column, **words), lines)


def _ending(line: str, words: str) -> str:
    """Return the line with words at its end, before its comment."""
    said = COMMENT.sub("", line).rstrip()
    return said + words + line[len(said) :]


def _exchanged(page: Page) -> Iterator[Slip]:
    """Yield the lines with a heading and the line beside it in each other's place."""
    near = [page.here, *islice(page.said(page.here, -1), EXCHANGED)]
    for lower, upper in pairwise(near):
        yield from exchanged(page, upper, lower)


def exchanged(page: Page, upper: int, lower: int) -> Iterator[Slip]:
    """Yield the lines with two of them in each other's place, if one of them is a heading."""
    head, field = page.lines[upper], page.lines[lower]
    one, other = FIELD.match(head), FIELD.match(field)
    is_head, is_other_head = (OPENS.search(line) is not None for line in (head, field))
    is_outside = is_head or column_of(head) > column_of(field)
    if other is None or is_head == is_other_head or not is_outside:
        return
    lines = page.with_line(upper, field)
    lines[lower] = head
    words = {"key": other["key"], "head": one["key"] if one else other["key"]}
    slip, blamed = "bad-indentation swapped", lower if is_head else upper
    if one is None:
        slip = "bad-indentation over"
    elif TEXT_BELOW.search(head):
        slip = "bad-indentation beside"
    yield Slip(page.fault(slip, blamed, column_of(page.lines[blamed]), **words), lines)


def _moved(page: Page) -> Iterator[Slip]:
    """Yield the lines with one of them, or one and those below it, moved: the most regular first."""
    near = page.near()
    below = list(islice(page.said(page.here, 1), 2))
    columns = {0, *(column for n in (*near, *below) for column in _columns(page.lines[n]))}
    found = []
    fields = Counter((len(one[1]), one[2]) for one in FIELDS.finditer(page.text))
    for rank, number in enumerate(near):
        indent, field = indent_of(page.lines[number]), FIELD.match(page.lines[number])
        name = field["key"] if field is not None and field.start("key") == indent else ""
        for column in columns - {indent}:
            for last in dict.fromkeys((number, end_of_block(page.lines, number))):
                lines = shifted(page.lines, number, last, column - indent)
                votes = fields[column, name] - fields[indent, name] + bool(name)
                weight = (
                    _strays(lines, page.starts[0] > 0),
                    -votes,
                    last - number,
                    rank,
                    abs(column - indent),
                )
                found.append((weight, number, lines))
    for _, number, lines in sorted(found, key=lambda one: one[0]):
        slip = "bad-indentation" if number == page.here else "bad-indentation above"
        indent = indent_of(page.lines[number])
        if _is_text(page, number, indent_of(lines[number])) and not _is_text(page, number, indent):
            slip = "bad-indentation text"
        yield Slip(page.fault(slip, number, indent), lines, number)


def _is_text(page: Page, number: int, indent: int) -> bool:
    """Say whether a line would belong to a block text above if it were indented so far."""
    above = (page.lines[n] for n in page.said(number, -1))
    head = next((line for line in above if indent_of(line) < indent), "")
    return TEXT_BELOW.search(head) is not None


def _columns(line: str) -> set[int]:
    indent, words = indent_of(line), column_of(line)
    return {indent, words, words + STEP} if OPENS.search(line) else {indent, words}


def end_of_block(lines: list[str], number: int) -> int:
    """Return the last line of those below one that stand further in."""
    last, indent = number, indent_of(lines[number])
    for below in range(number + 1, len(lines)):
        if lines[below].strip():
            if indent_of(lines[below]) <= indent:
                break
            last = below
    return last


def shifted(lines: list[str], first: int, last: int, by: int) -> list[str]:
    """The lines with some of them indented by more or fewer columns."""
    block = [
        " " * max(indent_of(line) + by, 0) + line.lstrip(" ") for line in lines[first : last + 1]
    ]
    return [*lines[:first], *block, *lines[last + 1 :]]


def _strays(lines: list[str], is_part: bool) -> int:
    """Count the lines that do not keep to the usual step of two columns."""
    strays, outer = 0, list[int]()
    for line in filter(_is_said, lines):
        indent, words = indent_of(line), column_of(line)
        left = [column for column in outer if column <= indent]
        if not left:
            strays += indent > 0 and not is_part
        elif left[-1] != indent:
            strays += len(left) < len(outer) or indent != left[-1] + STEP
        left.append(indent)
        if words > indent:
            strays += words != indent + STEP
            left.append(words)
        outer = left
    return strays


def reserved(text: str, at: int) -> Fault:
    """Return the fault of the sign at an offset that begins an anchor, an alias or a tag."""
    return Page.around(text, at, at).told("tag" if text[at] == "!" else "anchor", at, sign=text[at])


def explain(text: str, at: int, since: int) -> Fault:
    """Return the slip that makes reading break off at an offset, in a value that begins at *since*."""
    page = Page.around(text, at, since)
    if (space := _odd_space(page)) is not None:
        return space
    otherwise, here = page.told("unreadable-yaml", at), page.lines[page.here]
    if at <= page.starts[page.here] + column_of(here):
        otherwise = page.fault("bad-indentation", page.here, indent_of(here))
    best, furthest = otherwise, page.here + FURTHER
    most = MOST_READ // (sum(map(len, page.lines)) + 1)
    headed = _mended_by(page, next(page.said(-1, 1), 0), NO_DASH)  # a dash before the first item
    tried = chain(_mended(page), _closed(page), _exchanged(page), _moved(page), headed)
    for slip in islice(tried, min(most, MOST_TRIED)):
        mended = "\n".join(slip.lines)
        moved = sum(len(line) + 1 for line in slip.lines[: slip.moved]) if slip.moved > 0 else -1
        reached = broken_at(mended, moved, text)
        if reached >= len(mended):
            return slip.fault
        line = mended.count("\n", 0, reached)
        if line > furthest or (best is otherwise and slip.fault.code == "missing-space"):
            best, furthest = slip.fault, max(line, furthest)
    return best


def _odd_space(page: Page) -> Fault | None:
    """Return the fault of an indentation that is no ordinary spaces, or None."""
    tried = ((number, mend) for number in (page.here, page.first) for mend in SPACES)
    found = ((n, mend, mend.pattern.match(page.lines[n])) for n, mend in tried)
    return next((_told(page, n, mend, match) for n, mend, match in found if match), None)
