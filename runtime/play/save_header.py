"""The header of a save, read without trust: the game, its players and settings, and the program."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import LONGEST_NAME, link_game
from ruleloom.runtime.play.save_lines import LONGEST_KEPT, MOST_KEPT, Line, Scan, header_in
from ruleloom.runtime.program.canonical_json import Json, SaveError, quoted, ratio_of
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_of
from ruleloom.runtime.program.state import value_of
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
    return _known_header(found.first, bind_for_game, game)


@lru_cache(maxsize=MOST_KEPT)
def _known_header(
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
