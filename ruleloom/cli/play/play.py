"""`ruleloom play`: a game at the terminal, between people and bots, or many between bots."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from ruleloom.bots.arena import JUDGES
from ruleloom.bots.bot import Bot
from ruleloom.bots.preset_answers import NotOnOffer, PresetAnswer
from ruleloom.bots.searching import SearchingBot, ThinkingAloud
from ruleloom.cli.faults import CLEAN, WRONG_USE, WrongUse
from ruleloom.cli.options import (
    colour_option,
    format_option,
    locked_option,
    pack_option,
    read_switches,
)
from ruleloom.cli.play import saved_games
from ruleloom.cli.play.saved_games import Keeper, Mark, command_for, mark_of
from ruleloom.cli.play.start import look_of, ready_game, resumed, rules_blamed, seats_of
from ruleloom.cli.play.tournament import bots_of, play_series
from ruleloom.output.terminal import colour_wanted, count_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import LEAST_SEED, MOST_SEED, Game, new_game
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.table.loop import Ending, play
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.table.session import Session

DEFAULT_PLAYERS, PLAYERS_OF_ANY_GAME = "human,greedy", "human,steady"
LARGEST_SEED = 2**32
# Nobody is there to stop a game between bots that never ends.
UNATTENDED_TURNS = 500
SERIES = "--games, --summary or --format json"


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command."""

    game: str | None
    players: str | None
    seed: int | None
    real_dice: bool
    packs: tuple[str, ...]
    switches: tuple[str, ...]
    save_path: str | None
    resume_path: str | None
    recover: bool
    turn_limit: int | None
    thoughts: bool
    games: int | None
    summary: bool
    form: str
    color: str
    campaign: str | None
    scene: str | None
    locked: bool

    @property
    def is_series(self) -> bool:
        """Is this a series of games with a summary, not one game at the table?"""
        return self.games is not None or self.summary or self.form == "json"


@click.command("play")
@click.argument("game", required=False)
@click.option(
    "--players",
    metavar="LIST",
    help="The players, seat by seat: human, greedy, random, searching or steady, optionally with "
    f"names, as in Ann=human,greedy. The default is {DEFAULT_PLAYERS}, or {PLAYERS_OF_ANY_GAME} if "
    "the game has no greedy bot.",
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
    help="Ask for the results of real dice and decks, instead of a seed.",
)
@pack_option
@click.option(
    "--campaign", metavar="PATH", help="The pack of the campaign to play, besides the game."
)
@click.option(
    "--scene",
    metavar="NAME",
    help="The scene to play: its id, or a file that defines one; without it the game asks.",
)
@click.option(
    "--switch",
    "--set",
    "switches",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a switch of the rules, or a number (3, 1/4, 0.25); may be given several times.",
)
@click.option(
    "--save",
    "save_path",
    metavar="FILE",
    help="Save the game in FILE at every question and at the end; otherwise it is kept among the "
    "last games.",
)
@click.option(
    "--resume",
    "resume_path",
    metavar="[FILE]",
    is_flag=False,
    flag_value="",
    help="Resume a saved game by the rules saved with it; --save names another file to save it in. "
    "Without FILE, or with a number or name, one of the games that are kept.",
)
@click.option(
    "--recover",
    is_flag=True,
    help="With --resume, play on from what is intact of a damaged save, which stays as it is under "
    "another name.",
)
@click.option(
    "--turn-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N turns; the game is then unfinished, and nobody has won. Without people, the "
    f"default is {UNATTENDED_TURNS}.",
)
@click.option(
    "--thoughts",
    is_flag=True,
    help="Show what searching bots looked at before each decision; only where no people play.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Play N games between bots, each with the next seed.",
)
@click.option("--summary", is_flag=True, help="Print only the summary of the games.")
@format_option("text", "json", help="The format of the summary.")
@locked_option()
@colour_option
def command(**asked: object) -> int:
    """Play a game in the terminal.

    GAME is the name of a shipped game (gnostica) or the folder of a pack. At a prompt, `help`
    lists what can be typed besides an answer.
    """
    with rules_blamed():
        return _play(PlayOptions(**asked))  # type: ignore[arg-type]


def _packs(game: str, wanted: PlayOptions) -> tuple[str, ...]:
    """The packs on top of a game, the campaign last; as the lock says, if they are held to it."""
    packs = wanted.packs if wanted.campaign is None else (*wanted.packs, wanted.campaign)
    if wanted.locked:
        # Imported late: the compiler takes longer to load than a game that is kept compiled.
        from ruleloom.cli.lock import hold_to_lock

        hold_to_lock([game, *packs])
    return packs


def _play(wanted: PlayOptions) -> int:
    if wanted.resume_path is not None:
        return _resume(wanted)
    if wanted.recover:
        raise WrongUse("--recover is for a saved game", "ruleloom play --resume FILE --recover")
    if wanted.game is None:
        raise WrongUse("say which game to play", "ruleloom play gnostica")
    _refuse_contradictions(wanted)
    name = wanted.game
    seats = seats_of(wanted.players or (DEFAULT_PLAYERS if name in JUDGES else PLAYERS_OF_ANY_GAME))
    wanted = replace(wanted, turn_limit=_turn_limit(wanted.turn_limit, seats))
    switches = read_switches(wanted.switches)
    packs = _packs(name, wanted)
    linked, given = ready_game(name, packs, switches, seats, wanted.scene)
    seed = wanted.seed if wanted.seed is not None else secrets.randbelow(LARGEST_SEED)
    if wanted.is_series:
        games, limit = wanted.games or 1, wanted.turn_limit
        play_series(linked, seats, seed, games, limit, wanted.form, wanted.summary, given)
        return CLEAN
    # The seed would predict dice and hands: people see a drawn one only at the end.
    known = wanted.seed is not None or not any(seat.is_human for seat in seats)
    luck = "; real dice" if wanted.real_dice else f"; seed {seed}" if known else ""
    print(safe_text(f"{linked.program.title}: {_names(seats)}{luck}"))
    game = new_game(linked, None if wanted.real_dice else seed)
    return _at_table(game, seats, wanted, given)


def _turn_limit(wanted: int | None, seats: Sequence[Seat]) -> int | None:
    """The limit that was asked for; without people one stands anyway."""
    if wanted is None and not any(seat.is_human for seat in seats):
        return UNATTENDED_TURNS
    return wanted


def _refuse_contradictions(wanted: PlayOptions) -> None:
    if wanted.real_dice and wanted.seed is not None:
        raise WrongUse("--real-dice asks for results, and --seed would produce them")
    if wanted.seed is not None and not LEAST_SEED <= wanted.seed <= MOST_SEED:
        raise WrongUse("--seed is a whole number of at most 64 bits")
    if wanted.is_series and wanted.real_dice:
        raise WrongUse(f"--real-dice is for one game at the table, not for {SERIES}")
    if wanted.is_series and wanted.save_path:
        raise WrongUse(f"--save is for one game at the table, not for {SERIES}")


def _names(seats: Sequence[Seat]) -> str:
    return ", ".join(f"{seat.name} ({seat.kind})" for seat in seats)


def _resume(wanted: PlayOptions) -> int:
    """Resume a saved game."""
    assert wanted.resume_path is not None
    chosen = (wanted.seed, wanted.campaign, wanted.scene, wanted.games)
    flags = (wanted.real_dice, wanted.switches, wanted.summary)
    if any(flags) or any(one is not None for one in chosen):
        help = "only --players, --pack, --save, --recover and --turn-limit go with --resume"
        raise WrongUse("a saved game brings its own seed, dice, switches, campaign and scene", help)
    wanted = replace(wanted, resume_path=saved_games.chosen(wanted.resume_path))
    assert wanted.resume_path is not None
    mark = mark_of(wanted.resume_path)
    game, kinds, remarks, torn = resumed(
        wanted.resume_path, wanted.game, wanted.packs, wanted.recover
    )
    all_human = ",".join(HUMAN for _ in game.players)
    seats = seats_of(wanted.players or kinds or all_human, game.players)
    for remark in remarks:
        print(safe_text(remark), file=sys.stderr)
    resumed_after = f"resumed after {count_of(game.serial, 'answer')}"
    print(safe_text(f"{game.linked.program.title}, {resumed_after}: {_names(seats)}"))
    return _at_table(game, seats, wanted, mark=mark, torn=torn)


def _at_table(
    game: Game,
    seats: tuple[Seat, ...],
    wanted: PlayOptions,
    given: PresetAnswer | None = None,
    mark: Mark = None,
    torn: bool = False,
) -> int:
    """Play one game to its end, or until somebody leaves."""
    bots: Mapping[int, Bot] = bots_of(seats, game.linked, (game.seed or 0) + game.serial)
    same_file = wanted.save_path in (None, wanted.resume_path)
    named = wanted.save_path or wanted.resume_path
    people = any(seat.is_human for seat in seats)
    if wanted.thoughts and people:
        raise WrongUse(
            "--thoughts would show people what bots know", "leave it out, or have bots play"
        )
    # What bots do among themselves comes again with the same seed.
    path = named or (saved_games.new_place(game.linked.program.game) if people else None)
    goes_on = wanted.resume_path is not None and same_file
    keeper = Keeper(path, seats, mark if goes_on else None)
    keeper.start(game, goes_on, named is not None, torn)
    look = look_of(colour_wanted(wanted.color))
    keep, save_as = keeper.keep, keeper.save_as
    session = Session(game, seats, look, wanted.turn_limit, keep, save_as, given)
    bots = _thinking(bots, session) if wanted.thoughts else bots
    try:
        ending = play(session, bots)
    except NotOnOffer as refused:
        raise WrongUse(refused.reason) from None
    except KeyboardInterrupt:
        session.rise()
        print()
        print(safe_text(closing_words(session, Ending.LEFT, keeper)))
        raise
    session.rise()
    if ending is not Ending.LEFT:
        session.draw()
    _tell_end(session, ending, keeper)
    return CLEAN if keeper.fault is None else WRONG_USE


def _thinking(bots: Mapping[int, Bot], session: Session) -> dict[int, Bot]:
    """The bots, those that search saying what they look at."""
    return {
        seat: ThinkingAloud(bot, session.say) if isinstance(bot, SearchingBot) else bot
        for seat, bot in bots.items()
    }


def _tell_end(session: Session, ending: Ending, keeper: Keeper) -> None:
    told = closing_words(session, ending, keeper)
    # A command is copied from the screen, and must stay on one line.
    if ending is Ending.LEFT:
        print(safe_text(told))
    else:
        session.say_wrapped([told], "")
    if session.people and session.game.over and session.game.seed is not None:
        print(f"The seed was {session.game.seed}.")


def closing_words(session: Session, ending: Ending, keeper: Keeper) -> str:
    """The end of the game in a sentence, and whether it could be saved."""
    told, fault = _ending(session, ending, keeper), keeper.fault
    if fault is None:
        return told
    before = (
        f"; `{command_for(keeper.path)}` goes on with what was saved before"
        if (keeper.path is not None and mark_of(keeper.path) is not None)
        else ""
    )
    return f"{told} It could not be saved in {fault.path}: {fault.reason}{before}."


def _ending(session: Session, ending: Ending, keeper: Keeper) -> str:
    game = session.game
    if game.outcome is not None:
        result, why = game.outcome.result(game.players) or "a draw", game.outcome.reason
        reason = f" {why[:1].upper()}{why[1:]}." if why else ""
        turns = count_of(session.notes.turns.begun, "turn")
        return f"The game is over after {turns}: {result}.{reason}"
    if ending is Ending.UNFINISHED:
        turns = count_of(session.turn_limit or 0, "turn")
        return f"Unfinished after {turns}: nobody has won."
    if keeper.fault is not None:
        return "The game is not finished."
    if keeper.path is None:
        return "The game is not finished, and not saved; next time, --save FILE saves it."
    return f"The game is not finished, and kept; `{command_for(keeper.path)}` goes on with it."
