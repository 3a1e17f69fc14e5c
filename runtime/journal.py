"""Saves of games, and games from saves.

A save is text, line by line: the header with the whole program, the players, the settings and the seed; each
answer; and at the end a hash of the state and the state of the dice. Loading answers the same prompts again
with the program *in the save*, whatever has become of its packs, and compares the hash. A save that is
damaged, hostile or of another format is refused with a `SaveError`; nothing else leaves this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from runtime.dice import Xoshiro
from runtime.faults import Refused, RuntimeFault
from runtime.files import FileFault, read_text, write_atomically
from runtime.game import Entry, Game, link_game, new_game
from runtime.link import Linked
from runtime.plain_json import SaveError, quoted
from runtime.program import Lock, Program
from runtime.program_check import check_program
from runtime.program_json import program_data, program_of
from runtime.save_lines import SAVE, SAVE_FORMAT, Scan, scan, sealed
from runtime.state import Event
from runtime.state_json import state_hash
from runtime.values import Driver, Layout, Type

Bind = Callable[[Layout], Driver]

HEADER = frozenset({"ruleloom", "format", "tool", "game", "players", "seed", "settings", "program", "lock"})
LONGEST_NAME = 200


@dataclass(frozen=True)
class Loaded:
    """A game from a save.

    `events` is all that has happened so far. `differences` says, in words, how the packs that are installed
    now differ from those of the save; `lost` says what a recovery had to leave out.
    """

    game: Game
    events: tuple[Event, ...]
    differences: tuple[str, ...]
    lost: str | None


# ---------------------------------------------------------------------------------- saving


def saved_lines(game: Game, tool: str = "") -> list[str]:
    """The lines of a save of this moment, for the host: everything is in it."""
    linked = game.linked
    program = linked.program
    lines = [
        sealed(
            {
                "ruleloom": SAVE,
                "format": SAVE_FORMAT,
                "tool": tool,
                "game": program.game,
                "players": list(game.players),
                "seed": game.seed,
                "settings": linked.settings,
                "program": program_data(program),
                "lock": lock_data(program),
            }
        )
    ]
    entries = game.entries
    lines += [sealed(answer_data(game, entry)) for entry in entries]
    words = None if game.random is None else [f"{word:016x}" for word in game.random]
    lines.append(sealed({"end": len(entries), "state": state_hash(game.state), "random": words}))
    return lines


def lock_data(program: Program) -> list[list[str]]:
    """Which packs the program was built from, as plain data."""
    return [[lock.pack, lock.version, lock.hash] for lock in program.lock]


def answer_data(game: Game, entry: Entry) -> dict[str, Any]:
    """One answer as plain data."""
    by = None if entry.player is None else game.players[entry.player]
    return {"n": entry.serial, "by": by, "keys": list(entry.keys)}


def save(game: Game, path: Path | str, tool: str = "") -> None:
    """Write a save, or raise FileFault and leave an older one as it was."""
    write_atomically(path, "\n".join(saved_lines(game, tool)) + "\n")


# ---------------------------------------------------------------------------------- loading


def load(
    path: Path | str,
    bind_for_game: Callable[[str], Bind],
    *,
    game: str | None = None,
    installed: Mapping[str, tuple[str, str]] | None = None,
    recover: bool = False,
) -> Loaded:
    """The game in the save at `path`.

    `bind_for_game` gives the driver's `bind` of a game by its name, or raises KeyError. `game` is the game
    that is asked for, `installed` the packs there are now: id to version and hash. With `recover` a damaged
    save gives the game up to the damage.
    """
    try:
        text = read_text(path)
    except FileFault as fault:
        raise SaveError(fault.reason, fault.path) from None
    try:
        return loaded(text, bind_for_game, game=game, installed=installed, recover=recover)
    except SaveError as error:
        raise error.at(str(path), None) from None


def loaded(
    text: str,
    bind_for_game: Callable[[str], Bind],
    *,
    game: str | None = None,
    installed: Mapping[str, tuple[str, str]] | None = None,
    recover: bool = False,
) -> Loaded:
    """The game in the text of a save; as `load`."""
    found = scan(text)
    try:
        linked = _linked(found.header, bind_for_game, game)
    except SaveError as error:
        raise error.at(None, 1) from None
    if found.trouble is not None and not recover:
        raise found.trouble
    again, events = _recovered(linked, found) if found.trouble is not None else _replayed(linked, found)
    lost = found.trouble.message if found.trouble is not None else None
    return Loaded(again, events, differences(linked.program.lock, installed), lost)


def _linked(header: Mapping[str, Any], bind_for_game: Callable[[str], Bind], game: str | None) -> Linked:
    if header.keys() != HEADER:
        odd = sorted(header.keys() ^ HEADER)[0]
        raise SaveError(f"the header {'lacks' if odd in HEADER else 'does not take'} {quoted(odd)}")
    if type(header["game"]) is not str or type(header["tool"]) is not str:
        raise SaveError("`game` and `tool` are texts")
    if game is not None and header["game"] != game:
        raise SaveError(f"this is a save of {quoted(header['game'])}, not of {quoted(game)}")
    seed = header["seed"]
    if seed is not None and type(seed) is not int:
        raise SaveError("`seed` is a whole number or null")
    program = program_of(header["program"])
    if program.game != header["game"] or lock_data(program) != header["lock"]:
        raise SaveError("the header and its program speak of different games")
    check_program(program)
    players = _players(header["players"])
    settings = _settings(program, header["settings"])
    try:
        bind = bind_for_game(program.game)
    except KeyError:
        raise SaveError(f"this version of Ruleloom cannot play {quoted(program.game)}") from None
    linked: Linked = _guarded(
        lambda: link_game(program, bind, players, settings), "the program cannot be played"
    )
    return linked


def _players(data: Any) -> tuple[str, ...]:
    if type(data) is not list or not all(
        type(name) is str and 0 < len(name) <= LONGEST_NAME for name in data
    ):
        raise SaveError("`players` is a list of names")
    return tuple(data)


def _settings(program: Program, data: Any) -> dict[str, Any]:
    if type(data) is not dict:
        raise SaveError("`settings` is a table")
    known = {setting.name: setting for setting in program.settings}
    for name, value in data.items():
        if name not in known:
            raise SaveError(f"there is no setting {quoted(name)}")
        _check_setting(known[name].type, name, value)
    return {name: tuple(value) if type(value) is list else value for name, value in data.items()}


def _check_setting(type_: str, name: str, value: Any) -> None:
    wanted = {"Int": int, "Bool": bool}.get(str(Type.parse(type_)))
    plain = value is None or type(value) in (int, bool, str)
    listed = type(value) is list and all(type(item) in (int, bool, str) for item in value)
    if not (plain or listed) or (wanted is not None and type(value) is not wanted):
        raise SaveError(f"the setting {quoted(name)} has a value of the wrong kind")
    if type(value) is int and abs(value) > 2**53 - 1:
        raise SaveError(f"the setting {quoted(name)} is beyond 2^53")


# ---------------------------------------------------------------------------------- playing it again


def _replayed(linked: Linked, found: Scan) -> tuple[Game, tuple[Event, ...]]:
    """Answer every prompt as it was answered, dice included, and compare where that leads."""
    game = _begun(linked, None)
    events = list(game.events)
    for number, line in enumerate(found.answers, 2):
        game = _answered(game, line, number)
        events += game.events
    end = found.end
    assert end is not None
    last = len(found.answers) + 2
    seed, words = found.header["seed"], end["random"]
    if (seed is None) != (words is None):
        raise SaveError("the seed and the state of the dice do not belong together", None, last)
    if state_hash(game.state) != end["state"]:
        message = "the answers do not lead to the position that was saved: the rules have changed in Python"
        raise SaveError(message, None, last)
    random = None if words is None else Xoshiro(*(int(word, 16) for word in words))
    return _with_dice(game, random, seed), tuple(events)


def _with_dice(game: Game, random: Xoshiro | None, seed: int | None) -> Game:
    """The game with its dice. The moments undo may go back to all lie after the last roll or draw."""
    past = tuple(replace(moment, random=random, seed=seed, past=()) for moment in game.past)
    past = tuple(replace(moment, past=past[:number]) for number, moment in enumerate(past))
    return replace(game, random=random, seed=seed, past=past)


def _recovered(linked: Linked, found: Scan) -> tuple[Game, tuple[Event, ...]]:
    """The game up to the damage. The state of the dice is lost, so the dice are thrown again from the seed;
    they must fall as they did."""
    seed = found.header["seed"]
    game = _begun(linked, seed)
    events = list(game.events)
    for number, line in enumerate(found.answers, 2):
        if game.serial <= line["n"]:
            game = _answered(game, line, number)
            events += game.events
    thrown = [list(entry.keys) for entry in game.entries]
    for number, line in enumerate(found.answers, 2):
        if thrown[line["n"]] != line["keys"]:
            raise SaveError("the dice of this save do not follow from its seed", None, number)
    return game, tuple(events)


def _begun(linked: Linked, seed: int | None) -> Game:
    game: Game = _guarded(lambda: new_game(linked, seed), "the game cannot be set up")
    return game


def _answered(game: Game, line: Mapping[str, Any], number: int) -> Game:
    by, who = line["by"], game.node.stop.who
    if game.over:
        raise SaveError("the game is over before this answer", None, number)
    seats = [None] if game.node.chance else [game.players[player] for player in who]
    if by not in seats:
        raise SaveError(f"it is not {quoted(by or 'chance')} that is asked here", None, number)
    prompt = f"{game.serial}.{game.players.index(by)}" if game.node.secret else str(game.serial)
    try:
        after: Game = _guarded(lambda: game.answer(prompt, line["keys"]), "this answer cannot be played")
        return after
    except SaveError as error:
        raise error.at(None, number) from None


def _guarded(action: Callable[[], Any], failure: str) -> Any:
    """Do something with a program that may be hostile: whatever breaks is the save's fault."""
    try:
        return action()
    except (Refused, RuntimeFault) as error:
        raise SaveError(f"{failure}: {error}") from None
    except Exception as error:  # a program made to break the machine or its driver may raise anything
        raise SaveError(f"{failure}: {type(error).__name__}") from error


# ---------------------------------------------------------------------------------- packs since


def differences(locks: tuple[Lock, ...], installed: Mapping[str, tuple[str, str]] | None) -> tuple[str, ...]:
    """How the packs that are installed now differ from those of a save, in words."""
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
