"""Reads one file of a pack, safely, and maps offsets to lines and columns.

Refused before parsing: links, pipes and devices, more than 2 MiB, text that is not UTF-8, control
characters and odd line ends.

`Memo` is a bounded cache for results that depend on their key alone.
"""

from __future__ import annotations

import errno
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import field
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.system import open_plain

Made = TypeVar("Made")

OVERHEAD = 100  # characters that even the shortest text counts for


class Memo(Generic[Made]):
    """A cache of the latest results, by key. It is thread-safe."""

    __slots__ = ("_kept", "_lock", "_most", "_size")

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._kept: dict[Hashable, tuple[int, Made]] = {}
        self._lock = Lock()

    def get(self, key: Hashable, size: int, make: Callable[[], Made]) -> Made:
        """Return the cached result, or that of `make`; `size` is its text's, in characters."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found  # moved to the end, as the latest
                return found[1]
        made = make()
        weight = size + OVERHEAD
        if weight > self._most:
            return made
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (weight, made)
                self._size += weight
            while self._size > self._most:
                self._size -= self._kept.pop(next(iter(self._kept)))[0]
        return made

    def items(self) -> dict[Any, Made]:
        """The cached results, by key."""
        with self._lock:
            return {key: made for key, (_, made) in self._kept.items()}

    def enter(self, key: Hashable, size: int, made: Made) -> None:
        """Cache a result made elsewhere."""
        self.get(key, size, lambda: made)

    def clear(self) -> None:
        """Drop all results."""
        with self._lock:
            self._kept.clear()
            self._size = 0


class Remade:
    """A result that each compilation makes anew from the same texts: another object each time, it is
    compared by its parts."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a text checked against it can depend on."""
        return tuple(getattr(self, name) for name in self.__match_args__)


MAX_BYTES = 2 * 1024 * 1024
MOST_KEPT = 8_000_000
"""The limit of the cache of sources, in characters."""

PIECE = 64 * 1024

# Allowed below space: tab and line feed. Refused besides: DEL and the C1 controls, the two odd line
# ends of Unicode (YAML would count them as lines, editors do not), a byte order mark in the middle,
# non-characters.
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
NAMES = {"\r": "a lone carriage return", "\0": "a zero byte", "\ufeff": "a byte order mark"}
PASTED = re.compile("[\x85\u2028\u2029\ufeff]")
CONTROL = "control-character"
_IS_LINK = "this is a link to another file, and links are not followed"
_NO_FILE = "this is not an ordinary file"
_NOT_ALLOWED = "you have no permission to read this file"
WHY_UNREADABLE: dict[int | None, str] = {
    errno.ELOOP: _IS_LINK,
    errno.EMLINK: _IS_LINK,
    errno.ENOENT: "there is no such file",
    errno.EISDIR: _NO_FILE,
    errno.ENXIO: _NO_FILE,
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
}


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A span of a file: lines and columns from 1, columns in characters, the end exclusive.

    In the template of a family, it is that of one `member`.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    member: str = ""

    def begins_within(self, other: Place) -> bool:
        """Whether it begins in another."""
        begin, end = (other.line, other.column), (other.end_line, other.end_column)
        is_there = self.path == other.path and self.member in ("", other.member)
        return is_there and begin <= (self.line, self.column) < end

    @classmethod
    def of_file(cls, path: str) -> Place:
        """Return the place used for a whole file: line 1, column 1, empty."""
        return cls(path, 1, 1, 1, 1)


def unseen(char: str) -> str:
    """The message about a file that holds this character."""
    name = NAMES.get(char, f"the character U+{ord(char):04X}")
    return f"this file holds {name}, which cannot be seen"


class SourceError(Exception):
    """A file that cannot be read at all: code, place, message and help of its diagnostic."""

    def __init__(self, code: str, place: Place, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.place = place
        self.message = message
        self.help = help


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The text of one file, with the path shown to authors."""

    path: str
    text: str
    _starts: list[int] = field(default_factory=list, init=False, repr=False)
    _places: dict[tuple[int, int], Place] = field(default_factory=dict, init=False, repr=False)
    mapped: dict[tuple[int, int], Any] = field(default_factory=dict, init=False, repr=False)
    """The cached results of later stages, by span."""
    pasted: list[tuple[int, str]] = field(default_factory=list, init=False, repr=False)
    """Invisible characters, replaced by spaces in `text`, with offsets; reported when the tree is read."""
    _uses: dict[re.Pattern[str], int] = field(default_factory=dict, init=False, repr=False)

    @property
    def line_starts(self) -> Sequence[int]:
        """The start offset of each line. Made on demand: most files never need it."""
        if not self._starts:
            lengths = (len(line) + 1 for line in self.text.split("\n")[:-1])
            self._starts[:] = accumulate(lengths, initial=0)
        return self._starts

    @classmethod
    def read(cls, path: str | Path, display: str, max_bytes: int = MAX_BYTES) -> Source:
        """Read the plain text at *path*, displayed as *display*; raise `SourceError`."""
        return cls.decode(read_bytes(path, display, max_bytes), display)

    @classmethod
    def decode(cls, data: bytes, display: str) -> Source:
        """Return the source of bytes in memory (a file in an archive), with the same refusals."""
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _not_utf8(data, error, display) from None
        return cls.from_text(text, display)

    @classmethod
    def from_text(cls, text: str, display: str) -> Source:
        """Return the source of text in memory (an editor's buffer), with the same refusals.

        The same text gives the same object, with its cached results.
        """
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        return _LATEST.get((display, text), len(text), lambda: cls._checked(text, display))

    @classmethod
    def _checked(cls, text: str, display: str) -> Source:
        found = FORBIDDEN.search(text)
        if found is None:
            return cls(display, text)
        # Characters that come with pasted text are no sign that the rest is broken.
        source = cls(display, PASTED.sub(" ", text))
        source.pasted.extend((one.start(), one.group()) for one in PASTED.finditer(text))
        found = FORBIDDEN.search(source.text)
        if found is not None:
            place = source.place(*found.span())
            raise SourceError(CONTROL, place, unseen(found.group()), "delete it")
        return source

    def uses(self, pattern: re.Pattern[str]) -> int:
        """The number of matches of a pattern in the text, cached."""
        found = self._uses.get(pattern)
        if found is None:
            found = self._uses[pattern] = len(pattern.findall(self.text))
        return found

    def line_col(self, offset: int) -> tuple[int, int]:
        """Return the line and column, both from 1, of the character at *offset*."""
        starts = self.line_starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def beginning(self, offset: int) -> tuple[str, int, int]:
        """Return the path, line and column of the character at *offset*."""
        return self.path, *self.line_col(offset)

    def place(self, start: int, end: int) -> Place:
        """Return the place of the text from *start* to *end*, cut off at the end of the text."""
        found = self._places.get((start, end))
        if found is None:
            first, last = min(start, len(self.text)), min(end, len(self.text))
            line, column = self.line_col(first)
            is_one_line = line == len(self.line_starts) or last < self.line_starts[line]
            ends = (line, column + last - first) if is_one_line else self.line_col(last)
            found = self._places[start, end] = Place(self.path, line, column, *ends)
        return found

    def written(self, start: int, end: int) -> tuple[Source, int, int]:
        """Return the source as its author wrote it, and the span in it."""
        return self, start, end

    def text_at(self, place: Place) -> str:
        """Return the text at a *place* of this source."""
        start = self.line_starts[place.line - 1] + place.column - 1
        return self.text[start : self.line_starts[place.end_line - 1] + place.end_column - 1]

    def line_text(self, line: int) -> str:
        """Return line number *line*, counted from 1, without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] - 1 if line < len(self.line_starts) else len(self.text)
        return self.text[start:end]


_LATEST: Memo[Source] = Memo(MOST_KEPT)


def read_bytes(path: str | Path, display: str, max_bytes: int) -> bytes:
    """Return the content of an ordinary file; raise `SourceError` for others and larger ones."""
    try:
        handle, status = open_plain(path)
        try:
            data = _content(handle, status.st_size, max_bytes)
        finally:
            os.close(handle)
    except OSError as error:
        message = WHY_UNREADABLE.get(error.errno, "this file cannot be read")
        raise SourceError("unreadable-file", Place.of_file(display), message) from None
    except ValueError:
        message = "this name cannot be the name of a file"
        raise SourceError("unreadable-file", Place.of_file(display), message) from None
    if len(data) > max_bytes:
        raise too_big(display, max_bytes)
    return data


def _content(handle: int, size: int, max_bytes: int) -> bytes:
    """The content of an open file; if it is too large, at least one byte more than allowed."""
    # Never ask for much more than the file size: allocating it takes longer than a small file.
    data = os.read(handle, min(size, max_bytes) + 1)
    # The file may grow, or be a system file that reports no size.
    if len(data) > size:
        while len(data) <= max_bytes and (more := os.read(handle, PIECE)):
            data += more
    return data


def too_big(display: str, max_bytes: int = MAX_BYTES) -> SourceError:
    """Return the error for a file larger than `max_bytes`."""
    message = f"this file is larger than {max_bytes:,} bytes"
    help = "spread its items over several files"
    return SourceError("file-too-big", Place.of_file(display), message, help)


def _not_utf8(data: bytes, error: UnicodeDecodeError, display: str) -> SourceError:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        message = "this file is written in UTF-16, not in UTF-8"
        place, help = Place.of_file(display), "save it as UTF-8 in your editor"
        return SourceError("not-utf8", place, message, help)
    # error.start is counted after the byte order mark that the decoder has skipped.
    body = error.object
    start = body.rfind(b"\n", 0, error.start) + 1
    line = body.count(b"\n", 0, start) + 1
    column = len(body[start : error.start].decode("utf-8", "replace")) + 1
    place = Place(display, line, column, line, column + 1)
    help = "save the file as UTF-8 in your editor"
    return SourceError("not-utf8", place, "this character is not UTF-8", help)
