"""Saves of games, and games from saves.

A save has a header with the whole program, the players, the settings and the seed; a line for each
answer and correction; and a last line with a hash of the state and the state of the dice. Loading
answers the same prompts with the program *in the save*, whatever has become of its packs, and
compares the hash. Only `SaveError`s leave this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.play.corrections import Correction
from ruleloom.runtime.play.files import FileFault, read_bytes, text_of, write_atomically
from ruleloom.runtime.play.game import Game, JournalEntry, entry_data, new_game
from ruleloom.runtime.play.replay import again, go_back, prompt_id
from ruleloom.runtime.play.save_header import Header, guarded, header_of, lock_data
from ruleloom.runtime.play.save_lines import SAVE, SAVE_FORMAT, JsonDict, Line, Scan, scan, sealed
from ruleloom.runtime.program.canonical_json import SaveError, quoted
from ruleloom.runtime.program.program import Lock
from ruleloom.runtime.program.program_json import program_data
from ruleloom.runtime.program.state import Event, state_hash, value_data, value_of
from ruleloom.runtime.program.values import Bind, World


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
