"""The lines of a save, read without trust: sealed, counted, and of the right form, but not yet played.

A save is one part, or several: each has a header, its answers and an end, and each but the first begins at
a seam, with another version of the rules. Only `SaveError`s leave this module, and UnicodeDecodeError.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.corrections import Correction
from ruleloom.runtime.program.canonical_json import SaveError, canonical, quoted, read_json
from ruleloom.runtime.program.faults import Refused, RuntimeFault

SAVE_FORMAT = 1
LONGEST_HEADER = 32 * 1024 * 1024
LONGEST_LINE = 1024 * 1024
MOST_KEPT, LONGEST_KEPT = 4, 4_000_000  # cached headers, and the length limit of one
MOST_PARTS = 4_000_000
MOST_ANSWERS = 1_000_000
MOST_SEAMS = 100

# A JSON object, for readers that know its fields.
JsonDict: TypeAlias = dict[str, Any]
# The same as read, before its parts are checked.
Line: TypeAlias = Mapping[str, Any]

SAVE = "save"
# How each header begins, behind its checksum.
BEGINS = re.compile(r'\{"crc":"[0-9a-f]{8}","format":')

T = TypeVar("T")


@dataclass(frozen=True)
class Scan:
    """A parsed part of a save, the last one. `trouble` is the first damage; `answers` are those before it.

    `first` is the header line, verbatim, `at` its number. `before` are the parts before, and `text` is
    theirs.
    """

    first: str | bytes
    header: Line
    answers: tuple[Line, ...]
    end: Line | None
    trouble: SaveError | None
    at: int = 1
    before: Scan | None = None
    text: str = ""


def sealed(data: Line) -> str:
    """One line of a save: the data as canonical JSON, with its checksum."""
    return canonical({**data, "crc": _checksum(data)})


def _checksum(data: Line) -> str:
    return f"{zlib.crc32(canonical(data).encode('utf-8')):08x}"


def _unsealed(text: str, longest: int) -> JsonDict:
    """The data of one line, checksum included; SaveError if it cannot be read."""
    if len(text) > longest:
        raise SaveError(f"the line has {len(text):,} characters; {longest:,} are allowed")
    if text.count(",") + text.count("[") + text.count("{") > MOST_PARTS:
        raise SaveError(f"the line has more than {MOST_PARTS:,} parts")
    data = read_json(text)
    if not isinstance(data, dict):
        raise SaveError("the line is no table")
    return data


def _verified(data: JsonDict) -> JsonDict:
    found = data.pop("crc", None)
    if found is None:
        raise SaveError("the line has no checksum")
    if found != _checksum(data):
        raise SaveError("the line is damaged: its checksum does not fit")
    return data


def unsealed(line: str) -> JsonDict:
    """The data of an answer, from one line of a save; SaveError if it is damaged."""
    return _verified(_unsealed(line, LONGEST_LINE))


@contextmanager
def at_line(number: int, failure: str = "") -> Iterator[None]:
    """Add this line number to a SaveError; with a `failure`, turn any other error into one."""
    try:
        yield
    except SaveError as error:
        raise error.at(None, number) from None
    except Exception as error:
        # A malicious program may make the machine or its driver raise anything.
        if not failure:
            raise
        told = error.told if isinstance(error, RuntimeFault) else type(error).__name__
        by_rules = isinstance(error, RuntimeFault) and error.by_rules
        message = f"{failure}: {error if isinstance(error, Refused) else told}"
        raise SaveError(message, None, number, by_rules=by_rules) from error


def scan(save: str | bytes) -> Scan:
    """Parse a save. SaveError if the header cannot be used; later damage is `trouble`.

    UnicodeDecodeError for bytes that are not UTF-8; a cached header is not decoded again.
    """
    if not save or save.isspace():
        raise SaveError("the file is empty")
    first, lines = _parted(save)
    found = _scanned(first, lines, None, 1)
    for _ in range(MOST_SEAMS):
        rest = lines[found.at + len(found.answers) :]
        if found.trouble is not None or not rest:
            return found
        at, words = len(lines) - len(rest) + 2, "\n".join(lines[: -len(rest)])
        begins = first if isinstance(first, str) else first.decode("utf-8")
        try:
            found = _scanned(rest[0], rest[1:], found, at, f"{begins}\n{words}\n")
        except SaveError as error:
            return replace(found, trouble=_intact(error.at(None, at), len(found.answers)))
    raise SaveError(f"the save has more than {MOST_SEAMS} seams")


def _scanned(first: Any, lines: list[str], before: Scan | None, at: int, text: str = "") -> Scan:
    """Parse one part, whose header is the line `at`; lines after its end are left."""
    if before is not None and BEGINS.match(first) is None:
        raise SaveError("something stands after the end of the save")
    with at_line(at):
        header = header_in(first)
    answers: list[Line] = []
    end: Line | None = None
    trouble: SaveError | None = None
    for number, line in enumerate(lines, at + 1):
        try:
            end = _take(line, answers)
        except SaveError as error:
            trouble = error.at(None, number)
            break
        if end is not None:
            break
    if end is None and trouble is None:
        trouble = SaveError("the end of the save is missing", None, at + len(lines) + 1)
    if trouble is not None:
        end, trouble = None, _intact(trouble, len(answers))
    return Scan(first, header, tuple(answers), end, trouble, at, before, text)


def _intact(trouble: SaveError, intact: int) -> SaveError:
    """The same damage, with how much before it can be recovered."""
    told = "answer before it is" if intact == 1 else "answers before it are"
    message = f"{trouble.message}; the {intact:,} {told} intact and can be recovered"
    return SaveError(message, trouble.path, trouble.line, intact)


def _parted(save: Any) -> tuple[str | bytes, list[str]]:
    """The header line, and the lines after it."""
    first, _, body = save.partition("\n" if type(save) is str else b"\n")
    rest = body if type(body) is str else body.decode("utf-8")
    return first, rest.removesuffix("\n").split("\n") if rest else []


def once(read: Callable[..., T]) -> Callable[..., T]:
    """Cache a reader of header lines, except for lines too long to keep: several saves share one header."""
    known = lru_cache(maxsize=MOST_KEPT)(read)
    return lambda line, *rest: (known if len(line) <= LONGEST_KEPT else read)(line, *rest)


@once
def header_in(line: str | bytes) -> Line:
    """The header of a save, of the right format."""
    text = line if isinstance(line, str) else line.decode("utf-8")
    try:
        data = _unsealed(text, LONGEST_HEADER)
    except SaveError as error:
        raise SaveError(f"this is no save of Ruleloom, or a damaged one: {error.message}") from None
    found = data.get("format")
    if data.get("ruleloom") != SAVE:
        raise SaveError("this is no save of Ruleloom")
    if type(found) is not int:
        raise SaveError("the save does not say its format")
    if found != SAVE_FORMAT:
        newer = "; it was made by a newer one" if found > SAVE_FORMAT else ""
        only = f"this version of Ruleloom reads format {SAVE_FORMAT} only"
        raise SaveError(f"the save is of format {found}; {only}{newer}")
    return _verified(data)


def _of(*kinds: type) -> Callable[[object], bool]:
    return lambda value: type(value) in kinds


def are_texts(value: object) -> bool:
    return type(value) is list and all(type(one) is str for one in value)


def _are_words(value: Any) -> bool:
    """Is this null, or the four words of a dice state?"""
    if value is None or not are_texts(value):
        return value is None
    return len(value) == 4 and all(re.fullmatch("[0-9a-f]{16}", word) for word in value)


# The fields of each kind of line, by the field that marks it, and the same in words.
_LINES = {
    "end": (
        {"end", "state", "random"},
        "the last line has `end`, `state`, `random` and, if the game is over, `over`",
    ),
    "reason": (
        {"n", *Correction._fields},
        "a correction has `n`, `field`, `thing`, `key`, `value` and `reason`",
    ),
    "back": ({"n", "back", "agreed"}, "a return has `n`, `back` and `agreed`"),
    "by": ({"n", "by", "keys"}, "an answer has `n`, `by` and `keys`"),
}
# The type of each field: a text, a text or null, texts, or a dice state. Replay checks whether it
# fits the game.
_PARTS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "by": (_of(str, type(None)), "`by` is the name of a player, or null for dice and decks"),
    "keys": (are_texts, "`keys` is a list of texts"),
    "field": (_of(str), "`field` and `reason` are texts"),
    "reason": (_of(str), "`field` and `reason` are texts"),
    "thing": (_of(str, type(None)), "`thing` and `key` are texts or null"),
    "key": (_of(str, type(None)), "`thing` and `key` are texts or null"),
    "agreed": (are_texts, "`agreed` is a list of players"),
    "state": (_of(str), "`state` is a hash"),
    "random": (_are_words, "`random` is null or four numbers of 16 hexadecimal digits"),
}


def _check_parts(data: Line) -> None:
    for name, (fits, said) in _PARTS.items():
        if name in data and not fits(data[name]):
            raise SaveError(said)


def _take(line: str, answers: list[Line]) -> Line | None:
    """Add an answer, or return the data of the end line."""
    data = unsealed(line)
    sort = next((mark for mark in _LINES if mark in data), "by")
    wanted, said = _LINES[sort]
    count = "end" if sort == "end" else "n"
    optional = {"over"} if sort == "end" and data.get("over") is True else set()
    if data.keys() - optional != wanted:
        raise SaveError(said)
    is_next = type(data[count]) is int and data[count] == len(answers)
    if sort == "end" and not is_next:
        ends = f"the save ends after {quoted(str(data['end']))} answers"
        raise SaveError(f"{ends}, but {len(answers)} stand here")
    _check_parts(data)
    if sort == "end":
        return data
    if not is_next:
        raise SaveError(f"answer {len(answers)} was expected here, not {quoted(str(data['n']))}")
    if len(answers) >= MOST_ANSWERS:
        raise SaveError(f"there are more than {MOST_ANSWERS:,} answers")
    answers.append(data)
    return None
