"""Saves of games, written and loaded.

A save has a header with the whole program, the players, the settings and the seed; a line for each
answer and correction; and a last line with a hash of the state and the state of the dice. Each line is
JSON with a checksum, so that damage can be located. Loading answers the same prompts with the program
*in the save*, whatever has become of its packs, and compares the hash. Only `SaveError`s leave this
module.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import LONGEST_NAME, SORTS, link_game
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.play.corrections import Correction
from ruleloom.runtime.play.files import FileFault, read_bytes, text_of, write_atomically
from ruleloom.runtime.play.game import Game, JournalEntry, again, go_back, new_game, prompt_id
from ruleloom.runtime.program.canonical_json import (
    Json,
    SaveError,
    canonical,
    quoted,
    ratio_of,
    read_json,
)
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Lock, Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.state import Event, state_hash, value_data, value_of
from ruleloom.runtime.program.values import (
    ENDS,
    LARGEST,
    Bind,
    ColumnInfo,
    Dynamic,
    FrozenMap,
    Layout,
    World,
)
from ruleloom.runtime.program.verify import check_program

SAVE_FORMAT = 1
LONGEST_HEADER = 32 * 1024 * 1024
LONGEST_LINE = 1024 * 1024
MOST_KEPT, LONGEST_KEPT = 4, 4_000_000  # cached headers, and the length limit of one
MOST_PARTS = 4_000_000
MOST_ANSWERS = 1_000_000

# A JSON object, for readers that know its fields.
JsonDict: TypeAlias = dict[str, Any]
# The same as read, before its parts are checked.
Line: TypeAlias = Mapping[str, Any]

SAVE = "save"

T = TypeVar("T")


@dataclass(frozen=True)
class Scan:
    """A parsed save. `trouble` is the first damage; `answers` are those before it."""

    first: str | bytes
    """The header line, verbatim."""
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
def _at_line(number: int, failure: str = "") -> Iterator[None]:
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
    with _at_line(1):
        header = _header_in(first)
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


def _parted(save: Any) -> tuple[str | bytes, list[str]]:
    """The header line, and the lines after it."""
    first, _, body = save.partition("\n" if type(save) is str else b"\n")
    rest = body if type(body) is str else body.decode("utf-8")
    return first, rest.removesuffix("\n").split("\n") if rest else []


def _once(read: Callable[..., T]) -> Callable[..., T]:
    """Cache a reader of header lines, except for lines too long to keep: several saves share one header."""
    known = lru_cache(maxsize=MOST_KEPT)(read)
    return lambda line, *rest: (known if len(line) <= LONGEST_KEPT else read)(line, *rest)


@_once
def _header_in(line: str | bytes) -> Line:
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


def _are_texts(value: object) -> bool:
    return type(value) is list and all(type(one) is str for one in value)


def _are_words(value: Any) -> bool:
    """Is this null, or the four words of a dice state?"""
    if value is None or not _are_texts(value):
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
    "keys": (_are_texts, "`keys` is a list of texts"),
    "field": (_of(str), "`field` and `reason` are texts"),
    "reason": (_of(str), "`field` and `reason` are texts"),
    "thing": (_of(str, type(None)), "`thing` and `key` are texts or null"),
    "key": (_of(str, type(None)), "`thing` and `key` are texts or null"),
    "agreed": (_are_texts, "`agreed` is a list of players"),
    "state": (_of(str), "`state` is a hash"),
    "random": (_are_words, "`random` is null or four numbers of 16 hexadecimal digits"),
}


def _check_parts(data: Line) -> None:
    for name, (fits, said) in _PARTS.items():
        if name in data and not fits(data[name]):
            raise SaveError(said)


def _take(line: str, answers: list[Line], end: Line | None) -> Line | None:
    """Add an answer, or return the data of the end line."""
    if end is not None:
        raise SaveError("something stands after the end of the save")
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


FIELDS = frozenset((
    "ruleloom", "format", "tool", "game", "players", "seed", "settings", "program", "lock", "world",
))  # fmt: skip


@dataclass(frozen=True)
class Header:
    """The start of a game. `world` is None for an empty one."""

    linked: Linked
    seed: int | None
    world: World | None


def lock_data(program: Program) -> list[list[str]]:
    """The packs that the program was built from, as plain data."""
    return [[lock.pack, lock.version, lock.hash] for lock in program.lock]


@_once
def _header_of(line: str | bytes, bind_for_game: Callable[[str], Bind], game: str | None) -> Header:
    """The game of a header, its program checked, linked and bound to a driver."""
    header = _header_in(line)
    _check_fields(header, game)
    program = program_of(header["program"])
    if program.game != header["game"] or lock_data(program) != header["lock"]:
        raise SaveError("the header and its program speak of different games")
    check_program(program)
    players = header["players"]
    if not _are_texts(players) or not all(0 < len(name) <= LONGEST_NAME for name in players):
        raise SaveError("`players` is a list of names")
    settings = settings_read(program, header["settings"])
    try:
        bind = bind_for_game(program.game)
    except KeyError:
        raise SaveError(f"this version of Ruleloom cannot play {quoted(program.game)}") from None
    with _at_line(1, "the program cannot be played"):
        linked = link_game(program, bind, players, settings)
    return Header(linked, header["seed"], world_read(linked, header["world"]))


def _check_fields(header: Line, game: str | None) -> None:
    """Refuse a header with wrong fields, of another game, or with a field of the wrong type."""
    if header.keys() != FIELDS:
        odd = sorted(header.keys() ^ FIELDS)[0]
        raise SaveError(f"the header {'lacks' if odd in FIELDS else 'does not take'} {quoted(odd)}")
    if type(header["game"]) is not str or type(header["tool"]) is not str:
        raise SaveError("`game` and `tool` are texts")
    if game is not None and header["game"] != game:
        raise SaveError(f"this is a save of {quoted(header['game'])}, not of {quoted(game)}")
    seed = header["seed"]
    if seed is not None and type(seed) is not int:
        raise SaveError("`seed` is a whole number or null")


def settings_read(program: Program, data: Json) -> dict[str, Dynamic]:
    """The settings of a save, converted to the types in the program; SaveError if they do not fit."""
    if type(data) is not dict:
        raise SaveError("`settings` is a table")
    known = {setting.name: setting for setting in program.settings}
    for name in data:
        if name not in known:
            raise SaveError(f"there is no setting {quoted(name)}")
    return {name: _setting(known[name].type, name, value) for name, value in data.items()}


def _setting(type_: str, name: str, data: Json) -> Dynamic:
    """The value of a setting, converted to its type in the program."""
    value: Dynamic = data
    if type(data) is dict:
        with suppress(ValueError):
            value = ratio_of(data)
    if type_ in SORTS:
        fits = type(value) in SORTS[type_][0]
    elif type(value) is list:  # names are texts, and may be in a list
        fits = all(type(item) in (int, bool, str) for item in value)
    else:
        fits = value is None or type(value) in (int, bool, str, Fraction)
    if not fits:
        raise SaveError(f"the setting {quoted(name)} has a value of the wrong kind")
    if type(value) is int and abs(value) > LARGEST:
        raise SaveError(f"the setting {quoted(name)} is beyond 2^53")
    return tuple(value) if type(value) is list else value


def world_read(linked: Linked, data: Json) -> World | None:
    """The initial world of a game, its columns checked against the layout."""
    if data is None:
        return None
    world = value_of(data)
    layout = linked.layout
    if type(world) is not tuple or len(world) != len(layout.columns):
        raise SaveError("`world` has not the columns of the game")
    for info, column in zip(layout.columns, world, strict=True):
        if not _fits(layout, info, column):
            raise SaveError(f"`world` has a column {quoted(info.name)} that does not fit")
    return world


def _is_map(column: Dynamic) -> bool:
    return isinstance(column, FrozenMap) and all(
        type(at) is tuple and [*map(type, at)] == [int, int] for at in column
    )


def _fits(layout: Layout, info: ColumnInfo, column: Dynamic) -> bool:
    """Does a column of the world fit the layout?"""
    most = layout.sizes[info.type.name] if info.kind != "field" else 0

    def are_things(ids: Dynamic) -> bool:
        return type(ids) is tuple and all(type(one) is int and 0 <= one < most for one in ids)

    if info.kind == "map":
        return _is_map(column) and are_things(tuple(column.values()))
    if info.kind == "under":
        return _is_map(column) and all(map(are_things, column.values()))
    if type(column) is not tuple:
        return False
    if info.kind == "field":
        tables = not info.by or all(isinstance(entry, FrozenMap) for entry in column)
        return tables and len(column) == layout.sizes[info.name.split(".")[0]]
    if info.kind in ("each", ENDS):
        parts = 2 if info.kind == ENDS else len(layout.players)
        return len(column) == parts and all(map(are_things, column))
    return are_things(column)


class Loaded(NamedTuple):
    """A game from a save, and all `events` so far.

    `differences` says how the packs installed now differ from the save's, `lost` what a recovery
    left out.
    """

    game: Game
    events: tuple[Event, ...]
    differences: tuple[str, ...] = ()
    lost: str | None = None


def saved_lines(game: Game, tool: str = "") -> list[str]:
    """The lines of a save of this position, for the host: nothing is hidden."""
    entries = game.entries
    end = end_data(game, len(entries))
    header = _header_line(game.linked, game.players, game.seed, game.started, tool)
    return [header, *(sealed(entry_data(game, one)) for one in entries), sealed(end)]


def entry_data(game: Game, entry: JournalEntry) -> JsonDict:
    """One answer, correction or return as plain data."""
    if entry.back is not None:
        return {"n": entry.serial, "back": entry.back, "agreed": list(game.players)}
    one = entry.correction
    if one is not None:
        return {"n": entry.serial, **one._asdict(), "value": value_data(one.value)}
    by = None if entry.player is None else game.players[entry.player]
    return {"n": entry.serial, "by": by, "keys": list(entry.keys)}


def end_data(game: Game, answers: int) -> JsonDict:
    """The last line of a save as plain data, after `answers` answers."""
    words = None if game.random is None else [f"{word:016x}" for word in game.random]
    over = {"over": True} if game.over else {}
    return {"end": answers, "state": state_hash(game.state), "random": words, **over}


# A game is saved at every question, and most of a save is its header.
@lru_cache(maxsize=4)
def _header_line(
    linked: Linked, players: tuple[str, ...], seed: int | None, started: World | None, tool: str
) -> str:
    header = header_data(linked, players, seed, started, tool)
    return sealed({**header, "program": program_data(linked.original.program)})


def header_data(
    linked: Linked, players: tuple[str, ...], seed: int | None, started: World | None, tool: str
) -> JsonDict:
    """The header of a save as plain data, without the program."""
    program = linked.original.program
    return {
        "ruleloom": SAVE,
        "format": SAVE_FORMAT,
        "tool": tool,
        "game": program.game,
        "players": list(players),
        "seed": seed,
        "settings": {name: value_data(value) for name, value in linked.settings.items()},
        "lock": lock_data(program),
        "world": None if started is None else value_data(started),
    }


def save(game: Game, path: Path | str, tool: str = "") -> None:
    """Write a save; on FileFault an older one is left intact."""
    write_atomically(path, "\n".join(saved_lines(game, tool)) + "\n")


def load(
    path: Path | str,
    bind_for_game: Callable[[str], Bind],
    *,
    game: str | None = None,
    installed: Mapping[str, tuple[str, str]] | None = None,
    recover: bool = False,
) -> Loaded:
    """The game in the save at `path`.

    `bind_for_game` returns the driver's `bind` for the name of a game, or raises KeyError. `game` is the
    expected game, `installed` the installed packs: id to version and hash. With `recover`, a damaged
    save gives the game up to the damage.
    """
    try:
        data = read_bytes(path)
        try:
            return loaded(data, bind_for_game, game=game, installed=installed, recover=recover)
        except UnicodeDecodeError:
            text_of(path, data)  # for the number of the line
            raise
    except FileFault as fault:
        raise SaveError(fault.reason, fault.path) from None
    except SaveError as error:
        raise error.at(str(path), None) from None


def loaded(
    save: str | bytes,
    bind_for_game: Callable[[str], Bind],
    *,
    game: str | None = None,
    installed: Mapping[str, tuple[str, str]] | None = None,
    recover: bool = False,
) -> Loaded:
    """The game in a save; as `load`, but UnicodeDecodeError for bytes that are not UTF-8."""
    found = scan(save)
    with _at_line(1):
        header = _header_of(found.first, bind_for_game, game)
    if found.trouble is not None and not recover:
        raise found.trouble
    changed = differences(header.linked.program.lock, installed)
    if found.trouble is None:
        return replayed(header, found)._replace(differences=changed)
    return _recovered(header, found)._replace(differences=changed, lost=found.trouble.message)


def _played(header: Header, found: Scan, seed: int | None) -> Loaded:
    """The game after a save's answers; with a seed, its dice are rolled again."""
    with _at_line(1, "the game cannot be set up"):
        game = new_game(header.linked, seed, header.world)
    events = list(game.events)
    for number, line in enumerate(found.answers, 2):
        if game.serial <= line["n"]:  # dice rolled again answer for themselves
            game = _next(game, line, number)
            events += game.events
    return Loaded(game, tuple(events))


def replayed(header: Header, found: Scan) -> Loaded:
    """The game after replaying every answer, dice included; SaveError if the result differs."""
    game, events, *_ = _played(header, found, None)
    end, last = found.end or {}, len(found.answers) + 2
    seed, words = header.seed, end["random"]
    if (seed is None) != (words is None):
        raise SaveError("the seed and the state of the dice do not belong together", None, last)
    if state_hash(game.state) != end["state"]:
        message = "the answers do not lead to the position that was saved: the rules have changed in Python"
        raise SaveError(message, None, last)
    if "over" in end and not game.over:
        raise SaveError("the save calls this game finished, and it is not", None, last)
    random = None if words is None else Xoshiro(*(int(word, 16) for word in words))
    past: tuple[Game, ...] = ()
    for moment in game.past:  # undo never crosses a roll, so the dice are the same there
        past = (*past, replace(moment, random=random, seed=seed, past=past))
    return Loaded(replace(game, random=random, seed=seed, past=past), events)


def _recovered(header: Header, found: Scan) -> Loaded:
    """The game up to the damage, its dice rolled again from the seed: they must fall the same."""
    loaded = _played(header, found, header.seed)
    thrown = [entry_data(loaded.game, entry) for entry in loaded.game.entries]
    for number, line in enumerate(found.answers, 2):
        if thrown[line["n"]] != line:
            raise SaveError("the dice of this save do not follow from its seed", None, number)
    return loaded


def _next(game: Game, line: Line, number: int) -> Game:
    """The game after the entry of a line."""
    if "back" in line:
        with _at_line(number, "nobody can go back so"):
            return go_back(game, line["back"], line["agreed"])
    what = "answer" if "by" in line else "correction"
    if game.over:
        raise SaveError(f"the game is over before this {what}", None, number)
    if "by" in line:
        by, who = line["by"], game.node.stop.who
        if by not in ([None] if game.node.chance else [game.players[one] for one in who]):
            raise SaveError(f"it is not {quoted(by or 'chance')} that is asked here", None, number)
        prompt = prompt_id(game, None if by is None else game.players.index(by))
        with _at_line(number, "this answer cannot be played"):
            return game.answer(prompt, line["keys"])
    with _at_line(number, "this correction cannot be made"):
        parts = {name: line[name] for name in Correction._fields}
        correction = Correction(**parts | {"value": value_of(line["value"])})
        after = again(game, JournalEntry(game.serial, None, (), correction))
    kept = JournalEntry(line["n"], None, (), after.entries[line["n"]].correction)
    if entry_data(after, kept) != line:
        raise SaveError("this correction is not written as a save writes it", None, number)
    return after


def differences(
    locks: tuple[Lock, ...], installed: Mapping[str, tuple[str, str]] | None
) -> tuple[str, ...]:
    """The differences of the installed packs from those of a save, in words."""
    if installed is None:
        return ()
    found = []
    for lock in locks:
        version, hash_ = installed.get(lock.pack, (None, None))
        if version is None:
            found.append(f"pack {lock.pack} {lock.version} is no longer there")
        elif version != lock.version:
            found.append(f"pack {lock.pack} was {lock.version} and is {version} now")
        elif hash_ != lock.hash:
            found.append(f"pack {lock.pack} {lock.version} was edited since")
    return tuple(found)
