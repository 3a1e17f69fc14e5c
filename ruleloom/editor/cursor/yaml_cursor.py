"""Where in a YAML file somebody writes, found line by line, so that half-typed files have a place, too.

In goes the text of a file and an offset; out come the item there, the fields that lead to the place,
and whether a field's name, its value or an effect text is being written. Nothing is refused: what
cannot be read is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import field, replace
from functools import lru_cache

from ruleloom.runtime.dataclass import dataclass

BLOCK_SIGN = re.compile(r"[|>][+-]?\d?[ \t]*(?:#.*)?$")
KEY = re.compile(
    r"""(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#:{}\[\],"'][^#:{}\[\],\n]*?(?:\([^)\n]*\))?))"""
    r"[ \t]*:(?=[ \t\n]|$)"
)
VALUE = r"""(?:^[ \t]*(?:-[ \t]+)?|[{,][ \t]*)%s:[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'|([^\n]*))"""
WORD = re.compile(r"[^\s,:{}\[\]()'\"#|>]*$")
QUOTED = {'"': re.compile(r"[\"\\]"), "'": re.compile("'")}
PLAIN_SIGN, FLOW_SIGN = re.compile(r"[\"'#{\[]"), re.compile(r"[\"'#{}\[\],]")
ANY_SIGN = re.compile(r"\S")
NAME_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
Step = str | int


@dataclass(slots=True)
class _Frame:
    """A map or a list around the place: where it begins, and the entry that is being read."""

    column: int
    is_list: bool
    step: Step
    flow: bool = False
    keys: list[str] = field(default_factory=list)

    @property
    def is_root(self) -> bool:
        """Is it the list of the items of a file?"""
        return self.is_list and self.column == 0 and not self.flow


@dataclass(frozen=True, slots=True)
class Writing:
    """An effect text, or another text, in which somebody writes: what it says up to there."""

    before: str
    is_block: bool


@dataclass(frozen=True, slots=True)
class YamlCursor:
    """The place in an item: `path` leads to it, `word` is what stands of the word, from `start` on.

    `role` is `key`, `value` or `text` (within a block or between quotes, where `writing` says what
    stands before). `keys` are the fields that the map has so far.
    """

    item: ItemLines
    path: tuple[Step, ...]
    role: str
    word: str
    start: int
    keys: tuple[str, ...]
    writing: Writing | None
    in_flow: bool

    @property
    def fields(self) -> tuple[str, ...]:
        """The path as the names of fields; `*` for entries of lists."""
        return tuple("*" if isinstance(step, int) else step for step in self.path)


@dataclass(frozen=True, slots=True)
class ItemLines:
    """The lines of one item, from and to, in the text of its file."""

    text: str
    start: int
    end: int

    @property
    def written(self) -> str:
        """The item as it is written."""
        return self.text[self.start : self.end]

    def value(self, name: str) -> str:
        """The value of a field of the item on one line; empty where there is none."""
        found = re.search(VALUE % re.escape(name), self.written, re.MULTILINE)
        if found is None:
            return ""
        quoted = found[1] if found[1] is not None else found[2]
        if quoted is not None:
            return quoted
        plain = re.split(r"\s#", found[3])[0].strip()
        return re.split(r"[,}]", plain)[0].strip() if self.is_flow else plain

    @property
    def is_flow(self) -> bool:
        """Is it written on one line, between braces?"""
        return self.written.lstrip("- \t").startswith("{")

    @property
    def kind(self) -> str:
        """The kind of the item; empty if it does not say."""
        return self.value("kind")


ENTRY = re.compile(r"^-(?=[ \t\n{])", re.MULTILINE)
FIELD = re.compile(r"^[A-Za-z_][\w-]*:", re.MULTILINE)


def item_at(text: str, offset: int) -> ItemLines:
    """The lines of the item around an offset: entries of a list at the left edge, or the whole file."""
    starts = [found.start() for found in ENTRY.finditer(text)]
    if not starts or FIELD.search(text, 0, starts[0]):
        return ItemLines(text, 0, len(text))
    before = [start for start in starts if start <= offset]
    start = before[-1] if before else 0
    end = next((one for one in starts if one > offset), len(text))
    return ItemLines(text, start, end)


def yaml_cursor(text: str, offset: int) -> YamlCursor:
    """Where somebody writes."""
    offset = min(max(offset, 0), len(text))
    item = item_at(text, offset)
    line = max(text.rfind("\n", 0, offset) + 1, item.start)
    reader = _above(text[:line], item.start).going_on(text, offset)
    reader.read_last(line)
    return reader.cursor(item)


@lru_cache(maxsize=64)
def _above(text: str, start: int) -> _Reader:
    """What is open behind the lines above a place. It is the same as long as somebody writes on one
    line, and what stands far above is the same for longer."""
    far = text.rfind("\n", start, (len(text) - 1) // STRETCH * STRETCH) + 1
    if far <= start:
        reader = _Reader(text, len(text))
    else:
        reader, start = _above(text[:far], start).going_on(text, len(text)), far
    reader.read_above(start)
    return reader


STRETCH = 8_000


class _Reader:
    """Reads the lines of an item up to an offset, keeping the maps and lists that are open."""

    def __init__(self, text: str, offset: int) -> None:
        self.text, self.offset = text, offset
        self.frames: list[_Frame] = []
        self.block: tuple[int, int] | None = None
        """The column of the field whose block is being read, and where the block begins."""
        self.value_at: int | None = None
        """Where the value begins that is being read; None where no field is."""
        self.quote = ""
        self.quote_at = 0

    def going_on(self, text: str, offset: int) -> _Reader:
        """A reader of a text that begins with this one, in the same state."""
        other = copy(self)
        other.text, other.offset = text, offset
        other.frames = [replace(one, keys=[*one.keys]) for one in self.frames]
        return other

    def read_above(self, at: int) -> None:
        """Read all lines from one that begins here; each has an end."""
        while at < len(self.text):
            end = self.text.index("\n", at)
            self._line(at, end, is_last=False)
            at = end + 1

    def read_last(self, at: int) -> None:
        """Read the line that begins here up to the offset."""
        self._line(at, self.offset, is_last=True)

    def _line(self, start: int, end: int, is_last: bool) -> None:
        line = self.text[start:end]
        said = line.strip()
        column = len(line) - len(line.lstrip(" "))
        if self.block is not None:
            if column > self.block[0] or not (said or is_last):
                return
            self.block = None
        if self.quote or self._in_flow():
            self._inside(start, end)
        elif said or is_last:
            self.value_at = None
            if not said.startswith("#"):
                self._open_line(start, end, column)

    def _open_line(self, start: int, end: int, column: int) -> None:
        """Read a line that stands by itself: dashes, a field, the beginning of its value."""
        text = self.text
        at = self._dashes(start, start + column, end)
        key = KEY.match(text, at, end)
        if key is None:
            self.value_at = at if self.frames and self.frames[-1].is_list else None
            self._inside(at, end)
            return
        self._field(at - start, key[1] or key[2] or key[3] or "")
        at = self._past_spaces(key.end(), end)
        self.value_at = at
        if BLOCK_SIGN.match(text, at, end):
            self.block = (self._parent_column(), text.find("\n", at) + 1 or len(text) + 1)
            return
        self._inside(at, end)

    def _dashes(self, start: int, at: int, end: int) -> int:
        """Take in the dashes at the beginning of a line; return where the rest begins."""
        text = self.text
        self._leave(at - start, text.startswith("-", at, end))
        while at < end and text[at] == "-" and (at + 1 >= end or text[at + 1] in " \t"):
            self._entry(at - start)
            at = self._past_spaces(at + 1, end)
            self._leave(at - start, text.startswith("- ", at, end))
        return at

    def _past_spaces(self, at: int, end: int) -> int:
        while at < end and self.text[at] in " \t":
            at += 1
        return at

    def _parent_column(self) -> int:
        return self.frames[-1].column if self.frames else 0

    def _leave(self, column: int, is_entry: bool) -> None:
        """Close what a line at a column does not belong to."""
        while self.frames:
            top = self.frames[-1]
            deeper = top.column > column
            other = top.column == column and top.is_list != is_entry
            if not (deeper or (other and (top.is_list or len(self.frames) > 1))):
                return
            if other and not top.is_list:
                return  # a list may stand below its field without further indentation
            self.frames.pop()

    def _entry(self, column: int) -> None:
        top = self.frames[-1] if self.frames else None
        if top is not None and top.is_list and top.column == column:
            assert isinstance(top.step, int)
            top.step += 1
        else:
            self.frames.append(_Frame(column, True, 0))

    def _field(self, column: int, name: str) -> None:
        top = self.frames[-1] if self.frames else None
        if top is None or top.is_list or top.column != column or top.flow:
            self.frames.append(top := _Frame(column, False, name))
        top.step = name
        top.keys.append(name)

    def _in_flow(self) -> bool:
        return bool(self.frames) and self.frames[-1].flow

    def _inside(self, start: int, end: int) -> None:
        """Read quotes and brackets on a line."""
        text, at = self.text, start
        while (found := self._telling().search(text, at, end)) is not None:
            sign, at = found[0], found.start()
            if self.quote:
                at += sign == "\\"  # whatever stands behind it
                self.quote = "" if sign == self.quote else self.quote
            elif sign == "#" and (at == start or text[at - 1] in " \t\n"):
                self.value_at = None if not self._in_flow() else self.value_at
                return
            else:
                at = self._sign(sign, at, end)
            at += 1

    def _telling(self) -> re.Pattern[str]:
        """The next sign that tells something, where the reader is now."""
        if self.quote:
            return QUOTED[self.quote]
        if not self._in_flow():
            return PLAIN_SIGN
        is_key_due = self.value_at is None and not self.frames[-1].is_list
        return ANY_SIGN if is_key_due else FLOW_SIGN

    def _sign(self, sign: str, at: int, end: int) -> int:
        """Take in one sign outside quotes; return where the next one is looked for."""
        if sign in "\"'" and self._begins_value(at):
            self.quote, self.quote_at = sign, at + 1
        elif sign in "{[" and (self._in_flow() or self._begins_value(at)):
            self.frames.append(_Frame(at, sign == "[", 0 if sign == "[" else "", flow=True))
            self.value_at = at + 1 if sign == "[" else None
        elif self._in_flow():
            return self._flow_sign(sign, at, end)
        return at

    def _begins_value(self, at: int) -> bool:
        """Does a value begin here, and not only go on?"""
        if self.value_at is None:
            return self._in_flow()
        return not self.text[self.value_at : at].strip(" \t")

    def _flow_sign(self, sign: str, at: int, end: int) -> int:
        top = self.frames[-1]
        if sign in "}]":
            self.frames.pop()
            self.value_at = None
        elif sign == ",":
            if top.is_list:
                assert isinstance(top.step, int)
                top.step += 1
                self.value_at = at + 1
            else:
                top.step, self.value_at = "", None
        elif not top.is_list and self.value_at is None and not sign.isspace():
            key = KEY.match(self.text, at, end)
            if key is not None:
                top.step = key[1] or key[2] or key[3] or ""
                top.keys.append(str(top.step))
                self.value_at = key.end()
                return key.end() - 1
        return at

    # ------------------------------------------------------------------ the place

    def cursor(self, item: ItemLines) -> YamlCursor:
        """The place at the offset."""
        text, offset = self.text, self.offset
        if self.block is not None:
            begin = self.block[1]
            if begin <= offset:
                writing = Writing(_dedented(text[begin:offset]), True)
                word = _last_word(writing.before)
                return self._at(item, "text", word, writing)
        if self.quote:
            writing = Writing(text[self.quote_at : offset], False)
            return self._at(item, "text", _last_word(writing.before), writing)
        line_start = text.rfind("\n", 0, offset) + 1
        found = WORD.search(text, max(line_start, self.value_at or line_start), offset)
        word = found[0] if found is not None else ""
        if self.value_at is not None and self._has_value():
            writing = Writing(text[self.value_at : offset].lstrip(" "), False)
            return self._at(item, "value", word, writing)
        self._settle(offset - len(word) - line_start)
        return self._at(item, "key", word, None)

    def _has_value(self) -> bool:
        return bool(self.frames)

    def _settle(self, column: int) -> None:
        """Close what the place is not in: its column says so where nothing is written yet."""
        if not self._in_flow():
            line_start = self.text.rfind("\n", 0, self.offset) + 1
            if self.text[line_start : self.offset].strip() in ("", "-"):
                is_entry = self.text[line_start : self.offset].strip() == "-"
                self._leave(column, is_entry)

    def _at(self, item: ItemLines, role: str, word: str, writing: Writing | None) -> YamlCursor:
        frames = [one for one in self.frames if not one.is_root]
        top = frames[-1] if frames and not frames[-1].is_list else None
        keys = tuple(top.keys) if top is not None else ()
        path = [one.step for one in frames]
        if role == "key" and top is not None:
            # The map may be that of the field above, and not have begun yet.
            below = self._is_below(top)
            path = path if below else path[:-1]
            keys = () if below else keys
        shown = tuple(step for step in path if step != "")
        in_flow = self._in_flow()
        return YamlCursor(item, shown, role, word, self.offset - len(word), keys, writing, in_flow)

    def _is_below(self, frame: _Frame) -> bool:
        """Is the place indented further than the field above it?"""
        if frame.flow:
            return False
        line_start = self.text.rfind("\n", 0, self.offset) + 1
        line = self.text[line_start : self.offset]
        indented = len(line) - len(line.lstrip(" -"))
        return indented > frame.column


def _last_word(text: str) -> str:
    found = NAME_PART.search(text)
    return found[0] if found is not None else ""


def _dedented(text: str) -> str:
    """A block without the margin that YAML takes off each line."""
    margin = _margin(text)
    return "\n".join(
        line[margin:] if line[:margin].strip() == "" else line for line in _lines(text)
    )


def _margin(text: str) -> int:
    widths = (len(line) - len(line.lstrip(" ")) for line in _lines(text) if line.strip())
    first = next(widths, None)
    if first is not None:
        return first
    return max((len(line) for line in _lines(text)), default=0)


def _lines(text: str) -> Iterator[str]:
    yield from text.split("\n")
