"""`ruleloom play`: a game at the terminal between people and bots."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence

import click

from ruleloom.bots.bot import NotOnOffer, PresetAnswer
from ruleloom.bots.lookahead import judge_of
from ruleloom.bots.searching import SearchingBot, ThinkingAloud
from ruleloom.cli.faults import CLEAN, WRONG_USE, WrongUse
from ruleloom.cli.options import (
    Wanted,
    colour_option,
    game_argument,
    language_option,
    language_wanted,
    locked_option,
    option,
    pack_option,
    read_switches,
    scene_option,
    switch_option,
)
from ruleloom.cli.play import saved_games
from ruleloom.cli.play.saved_games import Keeper, Mark, command_for, mark_of
from ruleloom.cli.play.start import (
    bots_of,
    ready_game,
    resumed,
    rules_blamed,
    seats_of,
)
from ruleloom.output.terminal import colour_wanted
from ruleloom.runtime.link.link_game import told_in
from ruleloom.runtime.play.game import LEAST_SEED, MOST_SEED, Game, new_game, read_in
from ruleloom.runtime.program.language import Language
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import result_text
from ruleloom.table.line_screen import look_of
from ruleloom.table.loop import Ending, play
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.table.session import Session

DEFAULT_PLAYERS, PLAYERS_OF_ANY_GAME = "human,greedy", "human,steady"
LARGEST_SEED = 2**32
# Nobody is there to stop an endless game between bots.
UNATTENDED_TURNS = 500


@click.command("play")
@game_argument(required=False)
@option(
    "--players LIST",
    "The players, seat by seat: human, greedy, random, searching or steady, optionally with "
    f"names, as in Ann=human,greedy. The default is {DEFAULT_PLAYERS}, or {PLAYERS_OF_ANY_GAME} if "
    "the game has no greedy bot.",
)
@option("--seed N", "The seed of dice and decks: the same seed gives the same game.", type=int)
@option("--real-dice", "Ask for the results of real dice and decks, instead of a seed.")
@pack_option
@option("--campaign PATH", "The pack of the campaign to play, besides the game.")
@scene_option
@switch_option
@option(
    "--save FILE",
    "Save the game in FILE at every question and at the end; otherwise it is kept among the "
    "last games.",
    name="save_path",
)
@option(
    "--resume [FILE]",
    "Resume a saved game by the rules saved with it; --save names another file to save it in. "
    "Without FILE, or with a number or name, one of the games that are kept.",
    name="resume_path",
    is_flag=False,
    flag_value="",
)
@option(
    "--recover",
    "With --resume, play on from what is intact of a damaged save, which stays as it is under "
    "another name.",
)
@option(
    "--turn-limit N",
    "Stop after N turns; the game is then unfinished, and nobody has won. Without people, the "
    f"default is {UNATTENDED_TURNS}.",
    type=click.IntRange(min=1),
)
@option(
    "--thoughts",
    "Show what searching bots looked at before each decision; only where no people play.",
)
@language_option
@locked_option
@colour_option
def command(**asked: object) -> int:
    """Play a game in the terminal.

    GAME is the name of a shipped game (gnostica) or the folder of a pack, PACK what comes on top of
    it. At a prompt, `help` lists what can be typed besides an answer.
    """
    with rules_blamed():
        try:
            return _play(Wanted(**asked))
        except NotOnOffer as refused:
            raise WrongUse(refused.reason) from None


def _play(wanted: Wanted) -> int:
    if wanted.resume_path is not None:
        return _resume(wanted)
    _refuse_contradictions(wanted)
    name, packs = wanted.game[0], [*wanted.game[1:], *wanted.packs]
    seats = seats_of(wanted.players or PLAYERS_OF_ANY_GAME)
    is_watched = any(seat.is_human for seat in seats)
    if not is_watched:
        wanted.turn_limit = wanted.turn_limit or UNATTENDED_TURNS
    switches = read_switches(wanted.switches)
    packs += [] if wanted.campaign is None else [wanted.campaign]
    if wanted.locked:
        # Imported late: the compiler takes longer to load than a cached game.
        from ruleloom.cli.lock import hold_to_lock

        hold_to_lock([name, *packs])
    linked, given = ready_game(name, packs, switches, seats, wanted.scene)
    if not wanted.players and judge_of(linked) is not None:
        seats = seats_of(DEFAULT_PLAYERS)
    linked = told_in(linked, language_wanted(linked.program, wanted.language, packs))
    seed = wanted.seed if wanted.seed is not None else secrets.randbelow(LARGEST_SEED)
    # The seed would predict dice and hands: people see a random one only at the end.
    known = wanted.seed is not None or not is_watched
    said = linked.language.said
    luck = said("; seed {seed}", seed=str(seed)) if known else ""
    luck = said("; real dice") if wanted.real_dice else luck
    print(safe_text(f"{linked.program.title}: {_names(seats, linked.language)}{luck}"))
    game = new_game(linked, None if wanted.real_dice else seed)
    return _at_table(game, seats, wanted, given)


def _refuse_seed(seed: int, real_dice: bool) -> None:
    if real_dice:
        raise WrongUse("--real-dice asks for results, and --seed would produce them")
    if not LEAST_SEED <= seed <= MOST_SEED:
        raise WrongUse("--seed is a whole number of at most 64 bits")


def _refuse_contradictions(wanted: Wanted) -> None:
    if wanted.recover:
        raise WrongUse("--recover is for a saved game", "ruleloom play --resume FILE --recover")
    if not wanted.game:
        raise WrongUse("say which game to play", "ruleloom play gnostica")
    if wanted.seed is not None:
        _refuse_seed(wanted.seed, wanted.real_dice)


def _names(seats: Sequence[Seat], language: Language) -> str:
    return ", ".join(f"{seat.name} ({language.said(seat.kind)})" for seat in seats)


def _resume(wanted: Wanted) -> int:
    """Resume a saved game."""
    flags = (wanted.real_dice, wanted.switches)
    if any(flags) or {wanted.seed, wanted.campaign, wanted.scene} != {None}:
        help = "only --players, --pack, --language, --save, --recover and --turn-limit go with --resume"
        raise WrongUse("a saved game brings its own seed, dice, switches, campaign and scene", help)
    path = wanted.resume_path = saved_games.chosen(wanted.resume_path)
    mark = mark_of(path)
    named = (*wanted.game, *wanted.packs)
    game, kinds, remarks, torn = resumed(path, named, wanted.recover)
    language = language_wanted(game.linked.program, wanted.language, named)
    game = read_in(game, language)
    all_human = ",".join(HUMAN for _ in game.players)
    seats = seats_of(wanted.players or kinds or all_human, game.players)
    for remark in remarks:
        print(safe_text(remark), file=sys.stderr)
    sentence = "resumed after 1 answer" if game.serial == 1 else "resumed after {number} answers"
    after = language.said(sentence, number=f"{game.serial:,}")
    print(safe_text(f"{game.linked.program.title}, {after}: {_names(seats, language)}"))
    return _at_table(game, seats, wanted, mark=mark, torn=torn)


def _keeper(game: Game, seats: tuple[Seat, ...], wanted: Wanted, mark: Mark, torn: bool) -> Keeper:
    """The keeper of the game: for the named file, or a new one if people play."""
    named, is_watched = wanted.save_path or wanted.resume_path, any(one.is_human for one in seats)
    # A game between bots can be repeated with its seed.
    path = named or (saved_games.new_place(game.linked.program.game) if is_watched else None)
    goes_on = wanted.resume_path is not None and wanted.save_path in (None, wanted.resume_path)
    keeper = Keeper(path, seats, mark if goes_on else None)
    keeper.start(game, goes_on, named is not None, torn)
    return keeper


def _at_table(
    game: Game,
    seats: tuple[Seat, ...],
    wanted: Wanted,
    given: PresetAnswer | None = None,
    mark: Mark = None,
    torn: bool = False,
) -> int:
    """Play one game until it ends or somebody leaves."""
    bots = bots_of(seats, game.linked, (game.seed or 0) + game.serial)
    is_watched = len(bots) < len(seats)
    if wanted.thoughts and is_watched:
        help = "leave it out, or have bots play"
        raise WrongUse("--thoughts would show people what bots know", help)
    keeper = _keeper(game, seats, wanted, mark, torn)
    look = look_of(colour_wanted(wanted.color))
    session = Session(game, seats, look, wanted.turn_limit, keeper.keep, keeper.save_as, given)
    for seat, bot in bots.items():
        if wanted.thoughts and isinstance(bot, SearchingBot):
            bots[seat] = ThinkingAloud(bot, session.say)
    try:
        ending = play(session, bots)
    except KeyboardInterrupt:
        session.rise()
        print()
        print(safe_text(closing_words(session, Ending.LEFT, keeper)))
        raise
    session.rise()
    told = closing_words(session, ending, keeper)
    if ending is Ending.LEFT:  # a command is copied from the screen, so it stays on one line
        print(safe_text(told))
    else:
        session.draw()
        session.say_wrapped([told], "")
    if session.people and session.game.over and session.game.seed is not None:
        print(session.said("The seed was {seed}.", seed=str(session.game.seed)))
    return CLEAN if keeper.fault is None else WRONG_USE


def closing_words(session: Session, ending: Ending, keeper: Keeper) -> str:
    """The end of the game in one sentence, and whether it was saved."""
    told, fault = _ending(session, ending, keeper), keeper.fault
    if fault is None:
        return told
    before = ""
    if keeper.path is not None and mark_of(keeper.path) is not None:
        before = f"; `{command_for(keeper.path)}` goes on with what was saved before"
    return f"{told} It could not be saved in {fault.path}: {fault.reason}{before}."


def _turns(session: Session, number: int) -> str:
    """A number of turns in words."""
    return session.said("1 turn" if number == 1 else "{number} turns", number=f"{number:,}")


def _ending(session: Session, ending: Ending, keeper: Keeper) -> str:
    game, said = session.game, session.said
    if game.outcome is not None:
        language = game.linked.language
        result = result_text(game.outcome.told, game.players, language) or said("a draw")
        why = str(language.of(game.outcome.reason))
        reason = f" {why[:1].upper()}{why[1:]}." if why else ""
        turns = _turns(session, session.notes.turns.begun)
        told = said("The game is over after {turns}: {result}.", turns=turns, result=result)
        return f"{told}{reason}"
    if ending is Ending.UNFINISHED:
        turns = _turns(session, session.turn_limit or 0)
        return said("Unfinished after {turns}: nobody has won.", turns=turns)
    if keeper.fault is not None:
        return said("The game is not finished.")
    if keeper.path is None:
        return said("The game is not finished, and not saved; next time, --save FILE saves it.")
    told = "The game is not finished, and kept; `{command}` goes on with it."
    return said(told, command=command_for(keeper.path))
