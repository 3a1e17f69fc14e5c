"""The lines of a save: JSON with a checksum each, so that damage names its line.

`scan` keeps what stands before the first damage. `ruleloom.runtime.play.journal` replays the lines.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.canonical_json import SaveError, canonical, quoted, read_json
from ruleloom.runtime.program.program_json import accepted

SAVE_FORMAT = 1
OLDEST_SAVE_FORMAT = 1
LONGEST_HEADER = 32 * 1024 * 1024
LONGEST_LINE = 1024 * 1024
MOST_KEPT, LONGEST_KEPT = 4, 4_000_000  # headers, and characters or bytes of one
MOST_PARTS = 4_000_000
MOST_ANSWERS = 1_000_000

# A JSON object, for readers that know its fields.
JsonDict: TypeAlias = dict[str, Any]
# The same as read, its parts not yet checked.
Line: TypeAlias = Mapping[str, Any]

SAVE, PLAYER_SAVE = "save", "player-save"


@dataclass(frozen=True)
class Scan:
    """A save taken apart. `trouble` is the first damage; `answers` are those before it."""

    first: str | bytes
    """The line of the header, as it stands there."""
    header: Line
    answers: tuple[Line, ...]
    end: Line | None
    trouble: SaveError | None


def sealed(data: Line) -> str:
    """One line of a save: the data as canonical JSON, with its checksum."""
    return canonical({**data, "crc": _checksum(data)})


def _checksum(data: Line) -> str:
    return f"{zlib.crc32(canonical(data).encode('utf-8')):08x}"


def _unsealed(text: str, longest: int) -> JsonDict:
    """The data of one line with its checksum; SaveError if it cannot be read."""
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


def scan(save: str | bytes) -> Scan:
    """Take a save apart. SaveError if the header cannot be used; later damage is `trouble`.

    Of bytes, which need not be decoded where the header is known, UnicodeDecodeError if they are no
    text.
    """
    if not save or save.isspace():
        raise SaveError("the file is empty")
    first, lines = _parted(save)
    try:
        header = header_in(first)
    except SaveError as error:
        raise error.at(None, 1) from None
    answers: list[Line] = []
    end: Line | None = None
    trouble: SaveError | None = None
    for number, line in enumerate(lines, 2):
        try:
            end = _take(line, answers, end)
        except SaveError as error:
            trouble = error.at(None, number)
            break
    if end is None and trouble is None:
        trouble = SaveError("the end of the save is missing", None, len(lines) + 2)
    if trouble is not None:
        intact, end = len(answers), None
        before = "answer before it is" if intact == 1 else "answers before it are"
        message = f"{trouble.message}; the {intact:,} {before} intact and can be recovered"
        trouble = SaveError(message, trouble.path, trouble.line, intact)
    return Scan(first, header, tuple(answers), end, trouble)


def _parted(save: str | bytes) -> tuple[str | bytes, list[str]]:
    """The line of the header, and the lines behind it."""
    if isinstance(save, str):
        first, _, rest = save.partition("\n")
        return first, rest.removesuffix("\n").split("\n") if rest else []
    head, _, body = save.partition(b"\n")
    rest = body.decode("utf-8")
    return head, rest.removesuffix("\n").split("\n") if rest else []


def header_in(line: str | bytes) -> Line:
    """The header, which is read once for several saves of one game, as it holds all of its rules."""
    return _known_header(line) if len(line) <= LONGEST_KEPT else _read_header(line)


@lru_cache(maxsize=MOST_KEPT)
def _known_header(line: str | bytes) -> Line:
    return _read_header(line)


def _read_header(line: str | bytes) -> Line:
    text = line if isinstance(line, str) else line.decode("utf-8")
    try:
        data = _unsealed(text, LONGEST_HEADER)
    except SaveError as error:
        raise SaveError(f"this is no save of Ruleloom, or a damaged one: {error.message}") from None
    kind, found = data.get("ruleloom"), data.get("format")
    if kind not in (SAVE, PLAYER_SAVE):
        raise SaveError("this is no save of Ruleloom")
    if type(found) is not int:
        raise SaveError("the save does not say its format")
    if not OLDEST_SAVE_FORMAT <= found <= SAVE_FORMAT:
        newer = "; it was made by a newer one" if found > SAVE_FORMAT else ""
        reads = accepted(OLDEST_SAVE_FORMAT, SAVE_FORMAT)
        raise SaveError(f"the save is of format {found}; {reads}{newer}")
    data = _verified(data)
    if kind == PLAYER_SAVE:
        seen = "this is what one player may see of a game"
        raise SaveError(f"{seen}; only the host's save can be played on")
    return data


def _take(line: str, answers: list[Line], end: Line | None) -> Line | None:
    """Add an answer, or give the data of the end line."""
    if end is not None:
        raise SaveError("something stands after the end of the save")
    data = unsealed(line)
    if "end" in data:
        _check_end(data, len(answers))
        return data
    if "reason" in data:
        _check_correction(data)
    elif "back" in data:
        _check_return(data)
    else:
        _check_answer(data)
    if type(data["n"]) is not int or data["n"] != len(answers):
        raise SaveError(f"answer {len(answers)} was expected here, not {quoted(str(data['n']))}")
    if len(answers) >= MOST_ANSWERS:
        raise SaveError(f"there are more than {MOST_ANSWERS:,} answers")
    answers.append(data)
    return None


def _check_answer(data: Line) -> None:
    if data.keys() != {"n", "by", "keys"}:
        raise SaveError("an answer has `n`, `by` and `keys`")
    if data["by"] is not None and type(data["by"]) is not str:
        raise SaveError("`by` is the name of a player, or null for dice and decks")
    if type(data["keys"]) is not list or not all(type(key) is str for key in data["keys"]):
        raise SaveError("`keys` is a list of texts")


def _check_correction(data: Line) -> None:
    """Check the parts of a correction; whether it fits the game shows when it is replayed."""
    if data.keys() != {"n", "field", "thing", "key", "value", "reason"}:
        raise SaveError("a correction has `n`, `field`, `thing`, `key`, `value` and `reason`")
    if type(data["field"]) is not str or type(data["reason"]) is not str:
        raise SaveError("`field` and `reason` are texts")
    if not all(data[name] is None or type(data[name]) is str for name in ("thing", "key")):
        raise SaveError("`thing` and `key` are texts or null")


def _check_return(data: Line) -> None:
    """Check the parts of a return, which everybody has agreed to."""
    if data.keys() != {"n", "back", "agreed"}:
        raise SaveError("a return has `n`, `back` and `agreed`")
    agreed = data["agreed"]
    if type(agreed) is not list or not all(type(name) is str for name in agreed):
        raise SaveError("`agreed` is a list of players")


def _check_end(data: Line, answers: int) -> None:
    if data.keys() - {"over"} != {"end", "state", "random"} or data.get("over", True) is not True:
        raise SaveError(
            "the last line has `end`, `state`, `random` and, if the game is over, `over`"
        )
    if type(data["end"]) is not int or data["end"] != answers:
        ends = f"the save ends after {quoted(str(data['end']))} answers"
        raise SaveError(f"{ends}, but {answers} stand here")
    if type(data["state"]) is not str:
        raise SaveError("`state` is a hash")
    words = data["random"]
    if words is not None and not _are_words(words):
        raise SaveError("`random` is null or four numbers of 16 hexadecimal digits")


def _are_words(words: object) -> bool:
    if type(words) is not list or len(words) != 4:
        return False
    return all(type(word) is str and re.fullmatch("[0-9a-f]{16}", word) for word in words)
