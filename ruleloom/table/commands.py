"""Commands typed at a prompt: look something up, correct a value, undo, save, leave."""

from __future__ import annotations

from enum import Enum

from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.play.game import Game, go_back, moments, standing
from ruleloom.runtime.play.view import is_public
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.asking_rule import asking_rules
from ruleloom.table.authorised_view import AuthorisedView, before_last_choice
from ruleloom.table.privacy import NOBODY, is_private
from ruleloom.table.prompt_text import HELP, HELP_ON, forced
from ruleloom.table.reasons import why
from ruleloom.table.rules_lookup import read_up
from ruleloom.table.session import Leave, Session
from ruleloom.table.value_lookup import corrected

TURNS_IN_LOG = 8
YES = ("y", "yes")
GONE_BY = (
    "there is nothing to take back: what has been seen stays seen, unless all agree (`go back`)"
)
HOW_TO_READ_UP = (
    "`? NAME` reads a card or a rule, `? 1` the first option; `help` lists all commands"
)


class CommandResult(Enum):
    """The effect of a typed line."""

    NOTHING = "it was no command"
    DONE = "the question is asked again"
    MOVED = "the game is at another position"


def run_command(session: Session, line: str, view: AuthorisedView, player: int) -> CommandResult:
    """Carry out a typed line, if it is a command; Refused if it asks for what cannot be."""
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    match word.lower(), rest.lower():
        case (typed, _) if typed.startswith("?"):
            look_up(session, line.strip(), view)
        case "why", "" | "not" | "not?":
            say_why_not(session, view, player)
        case "why", _:
            say_why(session, rest)
        case "save", _:
            session.say([f"  {session.save_as(session.game, rest)}"])
        case "log", "":
            session.say(session.notes.last(TURNS_IN_LOG) or ["  nothing has happened yet"])
        case "board" | "look", "":
            session.draw()
        case "hand", "":
            hand = session.drawing.hand(session.game.state, player)
            session.show(hand or ["  there is nothing in hand"])
        case "help", "":
            session.say_wrapped(HELP, "")
            session.say_wrapped([f"{word}: {meaning}" for word, meaning in HELP_ON])
        case "quit" | "exit", "":
            raise Leave
        case _:
            return _run_move(session, word.lower(), rest, player)
    return CommandResult.DONE


def _run_move(session: Session, word: str, rest: str, player: int) -> CommandResult:
    """Carry out what takes the game to another position."""
    match word, rest.lower():
        case "undo", "":
            return undo(session, player)
        case "go", "back":
            moved = go_back_together(session, player)
            return CommandResult.MOVED if moved else CommandResult.DONE
        case "correct", _:
            session.take(corrected(session.game, rest))
            session.keep(session.game)
            return CommandResult.MOVED
    return CommandResult.NOTHING


def look_up(session: Session, line: str, view: AuthorisedView) -> None:
    """Show a rules text: with one question mark its card, with two every step; without a name, the
    glosses of the rules behind the question, the asking one last."""
    word, choices = line.lstrip("?").strip(), view.choices(session.drawing)
    if not word:
        told = [told for _, told in asking_rules(session.game.linked, session.game.state)]
        session.say_wrapped([*reversed(told), HOW_TO_READ_UP])
        return
    session.say(read_up(session.game, word, choices, line.startswith("??"), session.look))


def say_why_not(session: Session, view: AuthorisedView, player: int) -> None:
    """Show the refused options with reasons, which may be this player's secret."""
    if is_private(session.game, player):
        session.confide()
    session.say_wrapped(refusals(session, view))


def say_why(session: Session, what: str) -> None:
    """Show the reasons of a value, as far as this screen may show them."""
    session.confide()
    viewer = NOBODY if session.viewer is None else session.viewer
    session.show(why(session.game, what, viewer, session.look))


def undo(session: Session, player: int) -> CommandResult:
    """Go back to this player's last real choice, over forced answers; or undo a later correction."""
    game = session.game
    if session.plans:
        session.plans.clear()
        session.say(["  what was answered in advance is forgotten"])
        return CommandResult.DONE
    if not game.past:
        raise Refused(GONE_BY)
    back = before_last_choice(game, lambda one: _is_forced(session, one, player))
    if back is None:
        session.say(["  there was no choice before this one"])
        return CommandResult.DONE
    session.notes.remark("(taken back)")
    session.go_back(back)
    return CommandResult.MOVED


def _is_forced(session: Session, game: Game, player: int) -> bool:
    prompt = session.authorised(player, game).prompt
    return prompt is not None and forced(prompt) is not None


def go_back_together(session: Session, player: int) -> bool:
    """Go on from before this player's last real choice, if all others agree; say who does not."""
    game = session.game
    serial = _last_choice(session, player)
    if serial is None:
        raise Refused("there is no choice of yours to go back to")
    asker = session.seats[player].name
    answer = _told(session, serial)
    for other in session.people:
        name = session.seats[other].name
        question = f"{name}, may {asker} go back to before {answer}? (yes or no) "
        if other != player and session.read(question).lower() not in YES:
            session.say([f"  {name} does not agree, and everything stays as it is"])
            return False
    back = go_back(game, serial, game.players)
    session.take(back)
    session.go_back(back)
    session.keep(back)
    return True


def _told(session: Session, serial: int) -> str:
    """An answer in words that everybody at the screen may read."""
    moment = next(one for one in moments(session.game) if one.entry.serial == serial)
    if not is_public(secrecy_of(session.game.linked), moment, NOBODY):
        return "an answer that not everybody knows"
    return f"answering `{', '.join(moment.entry.keys) or 'nothing'}`"


def _last_choice(session: Session, player: int) -> int | None:
    """The number of the last answer that still stands and was not the only one there was."""
    game = session.game
    stands = {entry.serial for entry in standing(game.entries) if entry.player == player}
    chosen = (
        one.entry.serial
        for one in moments(game)
        if one.entry.serial in stands and not _is_forced(session, one.before, player)
    )
    return max(chosen, default=None)


def refusals(session: Session, view: AuthorisedView) -> list[str]:
    """The options that are not on offer, with reasons."""
    found = [f"{one.label}: {one.reason}" for one in view.refusals]
    for game in session.forced:
        found += [f"{game.prompt.text} {one.label}: {one.reason}" for one in game.refusals]
    return found or ["everything that could be chosen here is on offer"]
