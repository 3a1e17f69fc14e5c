"""`ruleloom play`: a game at the terminal, between people and bots, or many games between bots."""

from __future__ import annotations

import secrets
import sys

import click

from ruleloom.bots.make import make_bot
from ruleloom.cli.faults import CLEAN, INTERRUPTED, WrongUse
from ruleloom.cli.options import colour_option, pack_option, read_switches, switch_option
from ruleloom.cli.output import colour_wanted, count_of
from ruleloom.cli.playing import Keeper, begin, look_of, resumed, seats_of
from ruleloom.cli.series import FORMATS, play_series
from ruleloom.table.loop import Ending, play
from ruleloom.table.seats import HUMAN
from ruleloom.table.sitting import House, Sitting
from runtime.game import Game
from runtime.text import safe_text

DEFAULT_PLAYERS = "human,greedy"
LARGEST_SEED = 2**32


@click.command("play", short_help="play a game: people, bots, or both")
@click.argument("game", required=False)
@click.option("--players", metavar="LIST", help="Who plays, in order of seats: human, greedy or random, each perhaps with a name (Ann=human). [default: human,greedy]")
@click.option("--seed", type=int, help="What dice and decks follow from; the same seed gives the same game.")
@pack_option
@switch_option
@click.option("--save", "save_path", metavar="FILE", help="Keep the game in this file, after every turn and at the end.")
@click.option("--resume", "resume_path", metavar="FILE", help="Go on with a saved game. It brings its own rules.")
@click.option("--turn-limit", type=click.IntRange(min=1), metavar="N", help="Stop after so many turns; the game is then unfinished, and nobody has won it.")
@click.option("--games", type=click.IntRange(1, 1_000_000), metavar="N", help="Play so many games between bots, with seeds counting up from --seed.")
@click.option("--summary", is_flag=True, help="Tell only what came of the games.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How the summary is written.")
@colour_option
def command(
    game: str | None, players: str | None, seed: int | None, packs: tuple[str, ...], switches: tuple[str, ...],
    save_path: str | None, resume_path: str | None, turn_limit: int | None, games: int | None, summary: bool,
    form: str, color: str,
) -> int:  # fmt: skip
    """Play a game in the terminal.

    GAME is the name of a shipped game (gnostica) or a pack's folder. Type `help` at a question to see what
    can be typed besides an answer.
    """
    if (game is None) == (resume_path is None):
        raise WrongUse("say which game to play: its name, or --resume with a saved game", "ruleloom play gnostica")
    if resume_path is not None:
        if games is not None or summary or seed is not None or switches:
            raise WrongUse("a saved game has its own seed and switches; only --players, --save and --turn-limit go with --resume")
        moment, told = resumed(resume_path, packs)
        seats = seats_of(players, moment.players, told.seats)
        for line in told.lines:
            print(safe_text(line), file=sys.stderr)
        return at_table(moment, seats_text=players, seats=seats, save_path=save_path or resume_path, turn_limit=turn_limit, color=color)
    assert game is not None
    seed = seed if seed is not None else secrets.randbelow(LARGEST_SEED)
    seats = seats_of(players or DEFAULT_PLAYERS)
    if games is not None or summary or form != "text":
        if save_path:
            raise WrongUse("--save keeps one game; it does not go with --games or --summary")
        return play_series(game, packs, read_switches(switches), seats, seed, games or 1, turn_limit, form, summary)
    moment = begin(game, packs, read_switches(switches), seats, seed)
    return at_table(moment, seats, save_path, turn_limit, color)
