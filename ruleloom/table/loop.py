"""The main loop of a game at the table: people and bots answer in turn."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ruleloom.bots.bot import Bot, keys_for
from ruleloom.runtime.machine.prompt import Prompt
from ruleloom.runtime.play.replay import prompt_id
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.table.commands import CommandResult, own_prompt, run_command
from ruleloom.table.prompt_text import (
    AnswerNotUnderstood,
    command_in,
    forced,
    parse_answer,
    question,
)
from ruleloom.table.session import Leave, Session


class Ending(Enum):
    """How a sitting ends."""

    OVER = "over"
    UNFINISHED = "unfinished"
    LEFT = "left"


def play(session: Session, bots: Mapping[int, Bot]) -> Ending:
    """Play until the game is over, turns run out, or somebody leaves; always keep the game."""
    limit = session.house.turn_limit
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
        session.house.keep(session.game)
    return Ending.OVER


def _next_answer(session: Session, bots: Mapping[int, Bot]) -> None:
    """Have the open question answered by whoever it is for."""
    if given_before(session):
        return
    node = session.game.node
    if node.chance:
        somebody_throws(session)
    elif node.stop.who[0] in bots:
        bot_answers(session, bots[node.stop.who[0]], node.stop.who[0])
    else:
        person_answers(session, node.stop.who[0])


def given_before(sitting: Session) -> bool:
    """Give an answer that was told before the game, if it belongs here, and say it aloud."""
    given, game = sitting.house.given, sitting.game
    if given is None or not given.answers(game.node):
        return False
    sitting.say([f"  {game.prompt.text}  {given.called}"])
    sitting.take(game.choose(given.value))
    return True


def bot_answers(sitting: Session, bot: Bot, player: int) -> None:
    """Let a bot take its turn at one question."""
    game = sitting.game
    value = bot.answer(game.node, player)
    sitting.take(game.answer(prompt_id(game, player), keys_for(game.node, value, player)))


def somebody_throws(sitting: Session) -> None:
    """Ask whoever is at the keyboard what real dice, or a real deck, show."""
    game = sitting.game
    prompt, who = game.prompt, game.node.stop.who
    if (only := forced(prompt)) is not None:
        sitting.take(game.answer(prompt.id, only))
        return
    if sitting.viewer is None and sitting.people:
        sitting.sit_down(who[0] if who and who[0] in sitting.people else sitting.people[0])
    lines = question(prompt, game.node, sitting.drawing, sitting.look)
    sitting.show(["", *(f"{sitting.house.seats[player].name} rolls." for player in who), *lines])
    while not answered(sitting, prompt, 0 if sitting.viewer is None else sitting.viewer):
        pass


def person_answers(sitting: Session, player: int) -> None:
    """Ask a person; what has only one answer is given, and said aloud."""
    prompt = own_prompt(sitting.game, player)
    only = forced(prompt)
    if only is not None:
        if sitting.viewer == player:
            sitting.say([f"  {prompt.text}  {labels_of(prompt, only)} (there is no other way)"])
        sitting.take(sitting.game.answer(prompt.id, only))
        return
    sitting.sit_down(player)
    sitting.show(["", *question(prompt, sitting.game.node, sitting.drawing, sitting.look)])
    while not answered(sitting, prompt, player):
        pass


def answered(sitting: Session, prompt: Prompt, player: int) -> bool:
    """Read one line and do what it says; say whether the question is done with."""
    name = sitting.look.paint(sitting.house.seats[player].name, *sitting.drawing.style(player))
    line = sitting.read(f"{name}> ")
    command = command_in(line, prompt)
    did = (
        CommandResult.NOTHING if command is None else run_command(sitting, command, prompt, player)
    )
    if did is not CommandResult.NOTHING:
        return did is CommandResult.MOVED
    try:
        sitting.take(sitting.game.answer(prompt.id, parse_answer(line, prompt)))
    except (AnswerNotUnderstood, Refused) as error:
        sitting.say([f"  {error}"])
        return False
    return True


def labels_of(prompt: Prompt, keys: tuple[str, ...]) -> str:
    """The options of these keys in words."""
    labels = {option.key: option.label for option in prompt.options}
    return ", ".join(labels[key] for key in keys) or "none"
