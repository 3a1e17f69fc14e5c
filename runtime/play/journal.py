"""Saves of games, written and loaded.

A save has a header with the whole program, the players, the settings and the seed; a line for each
answer and correction; and a last line with a hash of the state and the state of the dice. Each line is
JSON with a checksum, so that damage can be located (`ruleloom.runtime.play.scan`). Loading answers the
same prompts with the program *in the save*, whatever has become of its packs, and compares the hash. After
a seam another header follows, with the program by which the game went on. Only `SaveError`s leave this
module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import LONGEST_NAME, SORTS, link_game
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.play.carry import Aside
from ruleloom.runtime.play.corrections import Correction
from ruleloom.runtime.play.files import FileFault, read_bytes, text_of, write_atomically
from ruleloom.runtime.play.game import (
    Game,
    JournalEntry,
    Seam,
    again,
    begun_at,
    go_back,
    new_game,
    prompt_id,
)
from ruleloom.runtime.play.scan import (
    SAVE,
    SAVE_FORMAT,
    JsonDict,
    Line,
    Scan,
    are_texts,
    at_line,
    header_in,
    once,
    scan,
    sealed,
)
from ruleloom.runtime.play.seam import LONGEST_WORD, join
from ruleloom.runtime.program.canonical_json import (
    Json,
    SaveError,
    quoted,
    ratio_of,
)
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

FIELDS = frozenset((
    "ruleloom", "format", "tool", "game", "players", "seed", "settings", "program", "lock", "world",
))  # fmt: skip
# The fields of a seam: a hash of all lines before it, one of the state that is carried over, the new names,
# the word of the host, and what was set aside.
SEAM = frozenset(("save", "state", "renames", "agreed", "aside"))


@dataclass(frozen=True)
class Header:
    """The start of a game, or of its part after a `seam`. `world` is None for an empty one."""

    linked: Linked
    seed: int | None
    world: World | None
    seam: Line | None = None


def lock_data(program: Program) -> list[list[str]]:
    """The packs that the program was built from, as plain data."""
    return [[lock.pack, lock.version, lock.hash] for lock in program.lock]


@once
def _header_of(line: str | bytes, bind_for_game: Callable[[str], Bind], game: str | None) -> Header:
    """The game of a header, its program checked, linked and bound to a driver."""
    header = header_in(line)
    _check_fields(header, game)
    program = program_of(header["program"])
    if program.game != header["game"] or lock_data(program) != header["lock"]:
        raise SaveError("the header and its program speak of different games")
    check_program(program)
    players = header["players"]
    if not are_texts(players) or not all(0 < len(name) <= LONGEST_NAME for name in players):
        raise SaveError("`players` is a list of names")
    settings = settings_read(program, header["settings"])
    try:
        bind = bind_for_game(program.game)
    except KeyError:
        raise SaveError(f"this version of Ruleloom cannot play {quoted(program.game)}") from None
    with at_line(1, "the program cannot be played"):
        linked = link_game(program, bind, players, settings)
    world = world_read(linked, header["world"])
    return Header(linked, header["seed"], world, seam_read(header.get("seam")))


def seam_read(data: Any) -> Line | None:
    """The seam in a header, its parts of the right types; SaveError if they are not."""
    if data is None:
        return None
    if type(data) is not dict or data.keys() != SEAM:
        raise SaveError(f"`seam` has {', '.join(f'`{one}`' for one in sorted(SEAM))}")
    for name, parts in (("renames", 2), ("aside", len(Aside._fields))):
        rows = data[name]
        if type(rows) is not list or not all(are_texts(one) and len(one) == parts for one in rows):
            raise SaveError(f"`{name}` of a seam is a list of lists of {parts} texts")
    if not are_texts([data[name] for name in ("save", "state", "agreed")]):
        raise SaveError("`save`, `state` and `agreed` of a seam are texts")
    if len(data["agreed"]) > LONGEST_WORD:
        raise SaveError(f"`agreed` of a seam has at most {LONGEST_WORD} characters")
    return dict(data)


def _check_fields(header: Line, game: str | None) -> None:
    """Refuse a header with wrong fields, of another game, or with a field of the wrong type."""
    if header.keys() - {"seam"} != FIELDS:
        odd = sorted((header.keys() - {"seam"}) ^ FIELDS)[0]
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
    """A game from a save, and all `events` so far, or since its seam.

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
    before = [] if game.seam is None else game.seam.text.removesuffix("\n").split("\n")
    header = _header_line(game.linked, game.players, game.seed, game.started, tool, game.seam)
    return [*before, header, *(sealed(entry_data(game, one)) for one in entries), sealed(end)]


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
    linked: Linked, players: tuple[str, ...], seed: int | None, started: World | None, tool: str,
    seam: Seam | None,
) -> str:  # fmt: skip
    header = header_data(linked, players, seed, started, tool, seam)
    return sealed({**header, "program": program_data(linked.original.program)})


def header_data(
    linked: Linked, players: tuple[str, ...], seed: int | None, started: World | None, tool: str,
    seam: Seam | None = None,
) -> JsonDict:  # fmt: skip
    """The header of a save as plain data, without the program."""
    program = linked.original.program
    joined = {} if seam is None else {"seam": seam_data(seam)}
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
        **joined,
    }


def seam_data(seam: Seam) -> JsonDict:
    """A seam as plain data."""
    return {
        "save": hash_of(seam.text),
        "state": state_hash(seam.state),
        "renames": [list(one) for one in seam.renames],
        "agreed": seam.agreed,
        "aside": [list(one) for one in seam.aside],
    }


def hash_of(text: str) -> str:
    """SHA-256 of a text in UTF-8: 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


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
    return _loaded(found, bind_for_game, game, installed, recover)


def _loaded(
    found: Scan,
    bind_for_game: Callable[[str], Bind],
    game: str | None,
    installed: Mapping[str, tuple[str, str]] | None,
    recover: bool,
) -> Loaded:
    """The game in a part of a save, after the game in the parts before it."""
    if found.trouble is not None and not recover:
        raise found.trouble
    before = None
    if found.before is not None:
        before = _loaded(found.before, bind_for_game, game, None, False).game
    with at_line(found.at):
        header = _header_of(found.first, bind_for_game, game)
        if (header.seam is None) != (before is None):
            raise SaveError("a seam has a part before it, and a first part has none")
    changed = differences(header.linked.program.lock, installed)
    seam = None if before is None else seam_of(header, before, found.text, found.at)
    if found.trouble is None:
        return replayed(header, found, seam)._replace(differences=changed)
    lost = found.trouble.message
    return _recovered(header, found, seam)._replace(differences=changed, lost=lost)


def seam_of(header: Header, before: Game, text: str, at: int = 1) -> Seam:
    """The seam of a header, after the game in the `text` before it; SaveError if it is not as it says."""
    data = header.seam
    assert data is not None
    with at_line(at):
        if hash_of(text) != data["save"]:
            raise SaveError("the part before this seam is not the one it was made after")
        if before.players != header.linked.layout.players or before.seed != header.seed:
            raise SaveError("players and seed are others before this seam")
    with at_line(at, "the game cannot be carried over this seam"):
        renames = [(was, now) for was, now in data["renames"]]
        seam = join(before, text, header.linked, renames, data["agreed"])
    if seam_data(seam) != data:
        message = "the part before this seam does not lead to the position after it"
        raise SaveError(message, None, at)
    return seam


def _played(header: Header, found: Scan, seed: int | None, seam: Seam | None) -> Loaded:
    """The game after a save's answers; with a seed, its dice are rolled again."""
    with at_line(found.at, "the game cannot be set up"):
        if seam is not None:
            game = begun_at(
                seam, header.linked, seam.before.random if seed is not None else None, seed
            )
        else:
            game = new_game(header.linked, seed, header.world)
    events = list(game.events)
    for number, line in enumerate(found.answers, found.at + 1):
        if game.serial <= line["n"]:  # dice rolled again answer for themselves
            game = _next(game, line, number)
            events += game.events
    return Loaded(game, tuple(events))


def replayed(header: Header, found: Scan, seam: Seam | None = None) -> Loaded:
    """The game after replaying every answer, dice included; SaveError if the result differs."""
    game, events, *_ = _played(header, found, None, seam)
    end, last = found.end or {}, found.at + len(found.answers) + 1
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


def _recovered(header: Header, found: Scan, seam: Seam | None) -> Loaded:
    """The game up to the damage, its dice rolled again from the seed: they must fall the same."""
    loaded = _played(header, found, header.seed, seam)
    thrown = [entry_data(loaded.game, entry) for entry in loaded.game.entries]
    for number, line in enumerate(found.answers, found.at + 1):
        if thrown[line["n"]] != line:
            raise SaveError("the dice of this save do not follow from its seed", None, number)
    return loaded


def _next(game: Game, line: Line, number: int) -> Game:
    """The game after the entry of a line."""
    if "back" in line:
        with at_line(number, "nobody can go back so"):
            return go_back(game, line["back"], line["agreed"])
    what = "answer" if "by" in line else "correction"
    if game.over:
        raise SaveError(f"the game is over before this {what}", None, number)
    if "by" in line:
        by, who = line["by"], game.node.stop.who
        if by not in ([None] if game.node.chance else [game.players[one] for one in who]):
            raise SaveError(f"it is not {quoted(by or 'chance')} that is asked here", None, number)
        prompt = prompt_id(game, None if by is None else game.players.index(by))
        with at_line(number, "this answer cannot be played"):
            return game.answer(prompt, line["keys"])
    with at_line(number, "this correction cannot be made"):
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
