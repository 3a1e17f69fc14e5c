"""`ruleloom play`: a game at the terminal, between people and bots, or many between bots."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import click

from ruleloom.bots.arena import JUDGES
from ruleloom.bots.preset_answers import NotOnOffer, PresetAnswer
from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import colour_option, format_option, pack_option, read_switches
from ruleloom.cli.play.autosave import Keeper
from ruleloom.cli.play.start import all_human, look_of, ready_game, resumed, rules_blamed, seats_of
from ruleloom.cli.play.tournament import bots_of, play_series
from ruleloom.output.terminal import colour_wanted, count_of
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.loop import Ending, play
from ruleloom.table.seats import Seat
from ruleloom.table.session import House, Session

DEFAULT_PLAYERS, PLAYERS_OF_ANY_GAME = "human,greedy", "human,steady"
LARGEST_SEED = 2**32


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What was asked for on the command line."""

    game: str | None
    players: str | None
    seed: int | None
    real_dice: bool
    packs: tuple[str, ...]
    switches: tuple[str, ...]
    save_path: str | None
    resume_path: str | None
    turn_limit: int | None
    games: int | None
    summary: bool
    form: str
    color: str
    campaign: str | None
    scene: str | None

    @property
    def is_series(self) -> bool:
        """Is this a series of games, told in a summary, and not a game at the table?"""
        return self.games is not None or self.summary or self.form == "json"

    @property
    def chooses(self) -> bool:
        """Is anything chosen here that a saved game brings along?"""
        named = (self.seed, self.campaign, self.scene)
        return any(one is not None for one in named) or self.real_dice or bool(self.switches)

    @property
    def all_packs(self) -> tuple[str, ...]:
        """The packs besides the game, with that of the campaign."""
        return self.packs if self.campaign is None else (*self.packs, self.campaign)


@click.command("play")
@click.argument("game", required=False)
@click.option(
    "--players",
    metavar="LIST",
    help="The players, seat by seat: human, greedy, random or steady, with names if you like, as in "
    f"Ann=human,greedy. The default is {DEFAULT_PLAYERS}, or {PLAYERS_OF_ANY_GAME} where the game has no "
    "greedy bot.",
)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="The seed of dice and decks: the same seed gives the same game.",
)
@click.option(
    "--real-dice",
    is_flag=True,
    help="Type in what real dice and decks show, instead of a seed.",
)
@pack_option
@click.option(
    "--campaign", metavar="PATH", help="The pack of the campaign to play, besides the game."
)
@click.option(
    "--scene",
    metavar="NAME",
    help="The scene to play: its id, or a file with one; without it the game asks.",
)
@click.option(
    "--switch",
    "--set",
    "switches",
    multiple=True,
    metavar="NAME=VALUE",
    help="Choose a reading of a rule, or set a number (3, 1/4, 0.25); may be given several times.",
)
@click.option(
    "--save",
    "save_path",
    metavar="FILE",
    help="Save the game in FILE, after every turn and when leaving.",
)
@click.option(
    "--resume",
    "resume_path",
    metavar="FILE",
    help="Resume a saved game, by the rules saved with it; it is saved there, unless --save is given.",
)
@click.option(
    "--turn-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N turns. The game is then unfinished, and nobody has won it.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Play N games between bots, each with the next seed.",
)
@click.option("--summary", is_flag=True, help="Print only the summary of the games.")
@format_option("text", "json", help="The format of the summary.")
@colour_option
def command(**asked: object) -> int:
    """Play a game in the terminal.

    GAME is the name of a shipped game (gnostica) or the folder of a pack. At a prompt, `help`
    lists what can be typed besides an answer.
    """
    with rules_blamed():
        return _play(PlayOptions(**asked))  # type: ignore[arg-type]


def _play(wanted: PlayOptions) -> int:
    """Play what was asked for."""
    if wanted.resume_path is not None:
        return _resume(wanted)
    if wanted.game is None:
        raise WrongUse("say which game to play", "ruleloom play gnostica")
    if wanted.real_dice:
        _refuse_luck(wanted)
    usual = DEFAULT_PLAYERS if wanted.game in JUDGES else PLAYERS_OF_ANY_GAME
    seats = seats_of(wanted.players or usual)
    switches = read_switches(wanted.switches)
    linked, given = ready_game(wanted.game, wanted.all_packs, switches, seats, wanted.scene)
    seed = wanted.seed if wanted.seed is not None else secrets.randbelow(LARGEST_SEED)
    if wanted.is_series:
        if wanted.save_path:
            options = "--games, --summary or --format json"
            raise WrongUse(f"--save keeps one game at the table; it does not go with {options}")
        games, limit = wanted.games or 1, wanted.turn_limit
        play_series(linked, seats, seed, games, limit, wanted.form, wanted.summary, given)
        return CLEAN
    # Whoever knows the seed can deal the same hands again: people are told a drawn one when it is
    # over.
    known = wanted.seed is not None or not any(seat.is_human for seat in seats)
    luck = "; real dice" if wanted.real_dice else f"; seed {seed}" if known else ""
    print(safe_text(f"{linked.program.title}: {_names(seats)}{luck}"))
    game = new_game(linked, None if wanted.real_dice else seed)
    return _at_table(game, seats, Keeper(wanted.save_path, seats), wanted, given)


def _names(seats: Sequence[Seat]) -> str:
    return ", ".join(f"{seat.name} ({seat.kind})" for seat in seats)


def _refuse_luck(wanted: PlayOptions) -> None:
    """Refuse what does not go with people who say how chance falls."""
    if wanted.seed is not None:
        told = "--real-dice asks people what the dice show, and --seed would answer for them"
        raise WrongUse(told)
    if wanted.is_series:
        options = "--games, --summary or --format json"
        raise WrongUse(f"--real-dice is for one game at the table, not for {options}")


def _resume(wanted: PlayOptions) -> int:
    """Go on with a saved game."""
    assert wanted.resume_path is not None
    if wanted.chooses or wanted.games is not None or wanted.summary:
        raise WrongUse(
            "a saved game brings its own seed, dice, switches, campaign and scene",
            "only --players, --pack, --save and --turn-limit go with --resume",
        )
    found = resumed(wanted.resume_path, wanted.game, wanted.packs)
    game = found.game
    seats = seats_of(wanted.players or found.kinds or all_human(len(game.players)), game.players)
    for remark in found.remarks:
        print(safe_text(remark), file=sys.stderr)
    told = f"{game.linked.program.title}, resumed after {count_of(game.serial, 'answer')}"
    print(safe_text(f"{told}: {_names(seats)}"))
    keeper = Keeper(wanted.save_path or wanted.resume_path, seats)
    return _at_table(game, seats, keeper, wanted)


def _at_table(
    game: Game,
    seats: tuple[Seat, ...],
    keeper: Keeper,
    wanted: PlayOptions,
    given: PresetAnswer | None = None,
) -> int:
    """Play one game to its end, or until somebody leaves."""
    bots = bots_of(seats, game.linked, (game.seed or 0) + game.serial)
    same_file = wanted.save_path in (None, wanted.resume_path)
    keeper.start(game, wanted.resume_path is not None and same_file)
    look = look_of(colour_wanted(wanted.color))
    house = House(seats, look, wanted.turn_limit, keeper.keep, keeper.save_as, given)
    session = Session(game, house)
    try:
        ending = play(session, bots)
    except NotOnOffer as refused:
        raise WrongUse(refused.reason) from None
    if len(session.people) > 1:
        session.viewer = None
    if ending is not Ending.LEFT:
        session.draw()
    print(safe_text(closing_words(session, ending, keeper)))
    if session.people and session.game.over and session.game.seed is not None:
        print(f"The seed was {session.game.seed}.")
    return CLEAN


def closing_words(sitting: Session, ending: Ending, keeper: Keeper) -> str:
    """How it ended, in a sentence."""
    turns = count_of(sitting.notes.turns.begun, "turn")
    outcome = sitting.game.outcome
    if outcome is not None:
        players = sitting.game.players
        result = "a draw" if outcome.winner is None else f"{players[outcome.winner]} wins"
        reason = f" {outcome.reason[:1].upper()}{outcome.reason[1:]}." if outcome.reason else ""
        return f"The game is over after {turns}: {result}.{reason}"
    if ending is Ending.UNFINISHED:
        return (
            f"Unfinished after {count_of(sitting.house.turn_limit or 0, 'turn')}: nobody has won."
        )
    if keeper.path is None:
        return "The game is not finished, and not kept; next time, --save FILE keeps it."
    return f"The game is not finished; `ruleloom play --resume {keeper.path}` goes on with it."
