"""Saves of games, and games from saves.

A save has a header with the whole program, the players, the settings and the seed; a line for each
answer and correction; and a last line with a hash of the state and the state of the dice. Each line is
JSON with a checksum, so that damage names its line. Loading answers the same prompts with the program
*in the save*, whatever has become of its packs, and compares the hash. Only `SaveError`s leave this
module.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import LONGEST_NAME, link_game
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.play.corrections import Correction
from ruleloom.runtime.play.files import FileFault, read_bytes, text_of, write_atomically
from ruleloom.runtime.play.game import Game, JournalEntry, new_game
from ruleloom.runtime.play.replay import again, go_back, prompt_id
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
from ruleloom.runtime.program.program_json import accepted, program_data, program_of
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.state_json import state_hash, value_data, value_of
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

SAVE = "save"


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
    if kind != SAVE:
        raise SaveError("this is no save of Ruleloom")
    if type(found) is not int:
        raise SaveError("the save does not say its format")
    if not OLDEST_SAVE_FORMAT <= found <= SAVE_FORMAT:
        newer = "; it was made by a newer one" if found > SAVE_FORMAT else ""
        reads = accepted(OLDEST_SAVE_FORMAT, SAVE_FORMAT)
        raise SaveError(f"the save is of format {found}; {reads}{newer}")
    return _verified(data)


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


T = TypeVar("T")

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
    """Which packs the program was built from, as plain data."""
    return [[lock.pack, lock.version, lock.hash] for lock in program.lock]


def header_of(found: Scan, bind_for_game: Callable[[str], Bind], game: str | None) -> Header:
    """The game that a save starts from: checked, linked and bound to a driver once for several saves
    of it."""
    if len(found.first) > LONGEST_KEPT:
        return read_header(found.header, bind_for_game, game)
    return _header_known(found.first, bind_for_game, game)


@lru_cache(maxsize=MOST_KEPT)
def _header_known(
    line: str | bytes, bind_for_game: Callable[[str], Bind], game: str | None
) -> Header:
    return read_header(header_in(line), bind_for_game, game)


def read_header(header: Line, bind_for_game: Callable[[str], Bind], game: str | None) -> Header:
    """The game that a header describes, its program checked and bound to a driver."""
    _check_fields(header, game)
    program = program_of(header["program"])
    if program.game != header["game"] or lock_data(program) != header["lock"]:
        raise SaveError("the header and its program speak of different games")
    check_program(program)
    players = _players(header["players"])
    settings = settings_read(program, header["settings"])
    try:
        bind = bind_for_game(program.game)
    except KeyError:
        raise SaveError(f"this version of Ruleloom cannot play {quoted(program.game)}") from None
    unplayable = "the program cannot be played"
    linked = guarded(lambda: link_game(program, bind, players, settings), unplayable)
    return Header(linked, header["seed"], world_read(linked, header["world"]))


def _check_fields(header: Line, game: str | None) -> None:
    """Refuse a header with other fields, of another game, or with a part of another kind."""
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


def _players(data: Json) -> tuple[str, ...]:
    if type(data) is not list or not all(
        type(name) is str and 0 < len(name) <= LONGEST_NAME for name in data
    ):
        raise SaveError("`players` is a list of names")
    return tuple(data)


def settings_read(program: Program, data: Json) -> dict[str, Dynamic]:
    """The settings of a save, of the types that the program says; SaveError if they do not fit."""
    if type(data) is not dict:
        raise SaveError("`settings` is a table")
    known = {setting.name: setting for setting in program.settings}
    found = {}
    for name, value in data.items():
        if name not in known:
            raise SaveError(f"there is no setting {quoted(name)}")
        found[name] = _setting(known[name].type, name, value)
    return found


def _setting(type_: str, name: str, data: Json) -> Dynamic:
    """The value of a setting, of the type that the program says."""
    try:
        value = ratio_of(data) if type(data) is dict else data
    except ValueError:
        value = data
    if not _is_of(type_, value):
        raise SaveError(f"the setting {quoted(name)} has a value of the wrong kind")
    if type(value) is int and abs(value) > LARGEST:
        raise SaveError(f"the setting {quoted(name)} is beyond 2^53")
    return tuple(value) if type(value) is list else value


def _is_of(type_: str, value: Dynamic) -> bool:
    """Can a setting of this type have such a value? Names are texts, and may stand in a list."""
    kinds = {"Int": (int,), "Bool": (bool,), "Fraction": (int, Fraction)}
    if type_ in kinds:
        return type(value) in kinds[type_]
    if type(value) is list:
        return all(type(item) in (int, bool, str) for item in value)
    return value is None or type(value) in (int, bool, str, Fraction)


def world_read(linked: Linked, data: Json) -> World | None:
    """The world that a game was started from, its columns as the layout has them."""
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


def _fits(layout: Layout, info: ColumnInfo, column: Dynamic) -> bool:
    if info.kind == "map":
        return _fits_map(layout, info, column)
    if type(column) is not tuple:
        return False
    if info.kind == "field":
        return _fits_field(layout, info, column)
    if info.kind in ("each", ENDS):
        parts = 2 if info.kind == ENDS else len(layout.players)
        return len(column) == parts and all(_ids(layout, info, held) for held in column)
    return _ids(layout, info, column)


def _fits_field(layout: Layout, info: ColumnInfo, column: tuple[Dynamic, ...]) -> bool:
    tables = not info.by or all(isinstance(entry, FrozenMap) for entry in column)
    return tables and len(column) == layout.sizes[info.name.split(".")[0]]


def _fits_map(layout: Layout, info: ColumnInfo, column: Dynamic) -> bool:
    table = isinstance(column, FrozenMap) and all(type(point) is tuple for point in column)
    points = table and all([*map(type, point)] == [int, int] for point in column)
    return points and _ids(layout, info, tuple(column.values()))


def _ids(layout: Layout, info: ColumnInfo, ids: Dynamic) -> bool:
    most = layout.sizes[info.type.name]
    return type(ids) is tuple and all(type(i) is int and 0 <= i < most for i in ids)


def guarded(action: Callable[[], T], failure: str) -> T:
    """Run an action on an untrusted program; every failure is a SaveError."""
    try:
        return action()
    except RuntimeFault as fault:
        raise SaveError(f"{failure}: {fault.told}", by_rules=fault.by_rules) from None
    except Refused as error:
        raise SaveError(f"{failure}: {error}") from None
    except Exception as error:
        # A program made to break the machine or its driver may raise anything.
        raise SaveError(f"{failure}: {type(error).__name__}") from error


@dataclass(frozen=True)
class Loaded:
    """A game from a save, and all `events` so far.

    `differences` says how the packs installed now differ from the save's, `lost` what a recovery
    left out.
    """

    game: Game
    events: tuple[Event, ...]
    differences: tuple[str, ...]
    lost: str | None


def saved_lines(game: Game, tool: str = "") -> list[str]:
    """The lines of a save of this moment, for the host: everything is in it."""
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
    """The last line of a save as plain data, after so many answers."""
    words = None if game.random is None else [f"{word:016x}" for word in game.random]
    over = {"over": True} if game.over else {}
    return {"end": answers, "state": state_hash(game.state), "random": words, **over}


# A game is saved at every question, and most of a save is its header.
@lru_cache(maxsize=4)
def _header_line(
    linked: Linked, players: tuple[str, ...], seed: int | None, started: World | None, tool: str
) -> str:
    header = header_data(linked, players, seed, started, tool)
    return sealed({**header, "program": program_data(linked.program)})


def header_data(
    linked: Linked, players: tuple[str, ...], seed: int | None, started: World | None, tool: str
) -> JsonDict:
    """The header of a save as plain data, but for the program."""
    program = linked.program
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
    """Write a save, or raise FileFault and leave an older one as it was."""
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

    `bind_for_game` gives the driver's `bind` of a game by its name, or raises KeyError. `game` is
    the game that is asked for, `installed` the packs there are now: id to version and hash. With
    `recover` a damaged save gives the game up to the damage.
    """
    try:
        data = read_bytes(path)
        try:
            return loaded(data, bind_for_game, game=game, installed=installed, recover=recover)
        except UnicodeDecodeError:
            text_of(path, data)  # which says in what line it is
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
    """The game in a save; as `load`, but UnicodeDecodeError for bytes that are no text."""
    found = scan(save)
    try:
        header = header_of(found, bind_for_game, game)
    except SaveError as error:
        raise error.at(None, 1) from None
    if found.trouble is not None and not recover:
        raise found.trouble
    changed = differences(header.linked.program.lock, installed)
    if found.trouble is not None:
        return Loaded(*_recovered(header, found), changed, found.trouble.message)
    return Loaded(*replayed(header, found), changed, None)


def replayed(header: Header, found: Scan) -> tuple[Game, tuple[Event, ...]]:
    """Answer every prompt as it was answered, dice included, and compare where that leads."""
    game = _begun(header, None)
    events = list(game.events)
    for number, line in enumerate(found.answers, 2):
        game = _next(game, line, number)
        events += game.events
    end = found.end
    assert end is not None
    last = len(found.answers) + 2
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
    return replace(game, random=random, seed=seed, past=past), tuple(events)


def _recovered(header: Header, found: Scan) -> tuple[Game, tuple[Event, ...]]:
    """The game up to the damage, its dice rolled again from the seed: they must fall the same."""
    game = _begun(header, header.seed)
    events = list(game.events)
    for number, line in enumerate(found.answers, 2):
        if game.serial <= line["n"]:
            game = _next(game, line, number)
            events += game.events
    thrown = [entry_data(game, entry) for entry in game.entries]
    for number, line in enumerate(found.answers, 2):
        if thrown[line["n"]] != line:
            raise SaveError("the dice of this save do not follow from its seed", None, number)
    return game, tuple(events)


def _begun(header: Header, seed: int | None) -> Game:
    begin = partial(new_game, header.linked, seed, header.world)
    return _at_line(1, begin, "the game cannot be set up")


def _at_line(number: int, action: Callable[[], Game], failure: str) -> Game:
    """The result of an action, whose SaveError is placed at this line."""
    try:
        return guarded(action, failure)
    except SaveError as error:
        raise error.at(None, number) from None


def _next(game: Game, line: Line, number: int) -> Game:
    if "back" in line:
        back = partial(go_back, game, line["back"], line["agreed"])
        return _at_line(number, back, "nobody can go back so")
    if game.over:
        what = "answer" if "by" in line else "correction"
        raise SaveError(f"the game is over before this {what}", None, number)
    return _answered(game, line, number) if "by" in line else _corrected(game, line, number)


def _corrected(game: Game, line: Line, number: int) -> Game:
    try:
        value = value_of(line["value"])
    except SaveError as error:
        raise error.at(None, number) from None
    correction = Correction(**{name: line[name] for name in Correction._fields} | {"value": value})
    entry = JournalEntry(game.serial, None, (), correction)
    after = _at_line(number, partial(again, game, entry), "this correction cannot be made")
    kept = JournalEntry(line["n"], None, (), after.entries[line["n"]].correction)
    if entry_data(after, kept) != line:
        raise SaveError("this correction is not written as a save writes it", None, number)
    return after


def _answered(game: Game, line: Line, number: int) -> Game:
    by, who = line["by"], game.node.stop.who
    seats = [None] if game.node.chance else [game.players[player] for player in who]
    if by not in seats:
        raise SaveError(f"it is not {quoted(by or 'chance')} that is asked here", None, number)
    prompt = prompt_id(game, None if by is None else game.players.index(by))
    answer = partial(game.answer, prompt, line["keys"])
    return _at_line(number, answer, "this answer cannot be played")


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
