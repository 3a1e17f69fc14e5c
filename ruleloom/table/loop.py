"""The main loop of a game at the table: people and bots answer in turn."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from random import SystemRandom

from ruleloom.bots.bot import Bot, keys_for
from ruleloom.runtime.machine.prompt import Prompt
from ruleloom.runtime.play.replay import prompt_id
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.search.node import sampled
from ruleloom.table import prompt_text
from ruleloom.table.commands import CommandResult, own_prompt, run_command
from ruleloom.table.session import Leave, Session


class Ending(Enum):
    """How a sitting ends."""

    OVER = "over"
    UNFINISHED = "unfinished"
    LEFT = "left"


def play(session: Session, bots: Mapping[int, Bot]) -> Ending:
    """Play until the game is over, turns run out, or somebody leaves; save the game in any case."""
    limit = session.turn_limit
    try:
        while not session.game.over:
            if limit is not None and session.notes.turns.begun > limit:
                return Ending.UNFINISHED
            _next_answer(session, bots)
    except Leave:
        return Ending.LEFT
    except RuntimeFault as fault:
        if fault.origin is None and not session.game.over:
            fault.origin = session.game.node.row.origin
        raise
    finally:
        session.keep(session.game)
    return Ending.OVER


def _next_answer(session: Session, bots: Mapping[int, Bot]) -> None:
    """Have the open question answered: as chosen before the game, by chance, a bot or a person."""
    given, game = session.given, session.game
    node, who = game.node, game.node.stop.who
    if given is not None and given.answers(node):
        session.say([f"  {game.prompt.text}  {given.called}"])
        session.take(game.choose(given.value))
    elif node.chance:
        somebody_throws(session)
    elif who[0] in bots:
        keys = keys_for(node, bots[who[0]].answer(node, who[0]), who[0])
        session.take(game.answer(prompt_id(game, who[0]), keys))
    else:
        person_answers(session, who[0])


def somebody_throws(session: Session) -> None:
    """Ask whoever is at the keyboard what real dice, or a real deck, show."""
    game = session.game
    prompt, who = game.prompt, game.node.stop.who
    if (only := prompt_text.forced(prompt)) is not None:
        session.take(game.answer(prompt.id, only))
        return
    if game.node.confided:
        _one_throws(session, who[0])
        return
    if session.viewer is None and session.people:
        session.sit_down(who[0] if who and who[0] in session.people else session.people[0])
    lines = prompt_text.question(prompt, game.node, session.drawing, session.look)
    session.show(["", *(f"{session.seats[player].name} rolls." for player in who), *lines])
    while not answered(session, prompt, 0 if session.viewer is None else session.viewer):
        pass


def _one_throws(session: Session, player: int) -> None:
    """Ask the one player who may see what chance has done; for a bot a generator throws."""
    game = session.game
    prompt = game.prompt
    if player not in session.people:
        session.take(game.choose(sampled(game.node, SystemRandom().randrange)))
        return
    session.sit_down(player)
    lines = prompt_text.question(prompt, game.node, session.drawing, session.look)
    session.show(["", *lines])
    while not answered(session, prompt, player):
        pass


def person_answers(session: Session, player: int) -> None:
    """Ask a person, or give the only answer there is and print it."""
    prompt = own_prompt(session.game, player)
    only = prompt_text.forced(prompt)
    if only is not None:
        if session.may_show(player):
            labels = [option.label for option in prompt.options if option.key in only]
            answer = ", ".join(labels) or "none"
            session.say([f"  {prompt.text}  {answer} (there is no other way)"])
        session.take(session.game.answer(prompt.id, only))
        return
    session.sit_down(player)
    lines = prompt_text.question(prompt, session.game.node, session.drawing, session.look)
    session.show(["", *lines])
    while not answered(session, prompt, player):
        pass


def answered(session: Session, prompt: Prompt, player: int) -> bool:
    """Read one line and carry it out; return whether the question is settled."""
    name = session.look.paint(session.seats[player].name, *session.drawing.style(player))
    line = session.read(f"{name}> ")
    command = prompt_text.command_in(line, prompt)
    try:
        if command is not None:
            result = run_command(session, command, prompt, player)
            if result is not CommandResult.NOTHING:
                return result is CommandResult.MOVED
        session.take(session.game.answer(prompt.id, prompt_text.parse_answer(line, prompt)))
    except (prompt_text.AnswerNotUnderstood, Refused) as error:
        session.say([f"  {error}"])
        return False
    return True
