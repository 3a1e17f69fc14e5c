"""The names of `import ruleloom` that need no compiler: games, saves and prompts.

A program is compiled once and played any number of times: `new_game` takes the name of a game, the folder of
a pack, or a program. Programs and links of unchanged files are reused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruleloom.api.linking import linked_for
from ruleloom.api.ready import ready
from ruleloom.api.saves import load, save
from ruleloom.api.version import VERSION as __version__
from ruleloom.api.wire import (
    AnswerData,
    PromptData,
    WireError,
    prompt_data,
    read_answer,
    read_prompt,
)
from ruleloom.runtime.play import event_log
from ruleloom.runtime.play import view as player_view
from ruleloom.runtime.play.files import FileFault
from ruleloom.runtime.play.game import Game, beginning, go_back, moments
from ruleloom.runtime.play.game import new_game as begin
from ruleloom.runtime.play.view import SeatView
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import (
    GameOver,
    OutOfRange,
    Refused,
    RuleloomError,
    RuntimeFault,
    StaleAnswer,
    TooMuchWork,
)
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.state import Outcome
from ruleloom.runtime.search.options import Option, Prompt, Refusal
from ruleloom.store.programs import GAME

__all__ = ["Game", "Option", "Outcome", "Program", "Prompt", "Refusal", "SeatView"]
__all__ += ["go_back", "log", "new_game", "view"]
__all__ += ["AnswerData", "PromptData", "prompt_data", "read_answer", "read_prompt"]
__all__ += ["FileFault", "GameOver", "OutOfRange", "Refused", "RuleloomError", "RuntimeFault"]
__all__ += ["SaveError", "StaleAnswer", "TooMuchWork", "WireError"]
__all__ += ["__version__", "load", "save"]


def program_of(*packs: str | Path) -> Program:
    """The program of packs without their scenarios, from the store if nothing has changed, or from the
    installation. Raises ContentError if they have mistakes."""
    return ready(GAME, list(map(str, packs)))


def new_game(
    game: str | Path | Program,
    players: Sequence[str],
    seed: int | None = None,
    *,
    packs: Sequence[str | Path] = (),
    switches: Mapping[str, Any] | None = None,
) -> Game:
    """Start a game: a shipped one by its name, a pack by its folder, or a program compiled before.

    Without a seed every roll and draw is a prompt, for real dice and cards. Raises ContentError for packs
    with mistakes, and Refused if players, seed or switches do not fit the game.
    """
    if seed is not None and type(seed) is not int:
        raise Refused(f"a seed is a whole number, and `{seed}` is none")
    if isinstance(players, str):
        raise Refused(f"`players` is a list of names: [{players!r}]")
    program = game if isinstance(game, Program) else program_of(game, *packs)
    return begin(linked_for(program, tuple(players), switches or {}), seed)


def view(game: Game, seat: str) -> SeatView:
    """Return what the player called `seat` can see now, as JSON data."""
    return player_view.view(game, seat_number(game, seat))


def log(game: Game, seat: str | None, since: int | None = None) -> list[str]:
    """Return the log, in words, as visible to the player called `seat`.

    Without `since` it covers the latest answer; with it, all answers from that `game.serial` on, and the
    set-up for 0. For `seat=None`, the host, nothing is hidden.
    """
    viewer = None if seat is None else seat_number(game, seat)
    events = game.events
    if since is not None:  # replay the game
        later = (one for one in moments(game) if one.entry.serial >= since)
        every = (*([beginning(game)] if since <= 0 else []), *(one.after for one in later))
        events = tuple(event for one in every for event in one.events)
    return event_log.log(game.linked, events, viewer)


def seat_number(game: Game, seat: str) -> int:
    """Return the seat number of a player; Refused if nobody has that name."""
    if seat not in game.players:
        raise Refused(f"nobody here is called `{seat}`; there are {', '.join(game.players)}")
    return game.players.index(seat)
