"""The main loop of a game at the table: people and bots answer in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from random import SystemRandom

from ruleloom.bots.bot import Bot, keys_for
from ruleloom.runtime.play.game import Game, prompt_id
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.search.node import sampled
from ruleloom.runtime.search.options import SEVERAL, Prompt
from ruleloom.table import prompt_text
from ruleloom.table.authorised_view import NOT_ASKED, AuthorisedView, throwers
from ruleloom.table.commands import CommandResult, run_command
from ruleloom.table.privacy import is_private, knows_more
from ruleloom.table.prompt_text import Choice
from ruleloom.table.session import AnswersAhead, Leave, Session

SKIP = "skip"


class Ending(Enum):
    """The end of a sitting."""

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
        session.given = None
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
    """Ask the person at the keyboard for the result of real dice or a real deck."""
    game = session.game
    if (only := prompt_text.forced(game.prompt)) is not None:
        session.take(game.answer(game.prompt.id, only))
        return
    who = throwers(game, session.authorised(0).people)
    if not who:  # for what only a bot may see, a generator throws
        session.take(game.choose(sampled(game.node, SystemRandom().randrange)))
    elif game.node.confided:
        _ask_one(session, who[0])
    else:
        if session.viewer is None and session.people:
            session.sit_down(who[0])
        rolls = [f"{session.seats[player].name} rolls." for player in game.node.stop.who]
        typist = session.viewer if session.viewer in who else who[0]
        _ask(session, session.authorised(typist), None, rolls)


def _ask_one(session: Session, player: int) -> None:
    """Hand a person the keyboard, and ask them alone."""
    if player in session.people:
        session.sit_down(player)
    _ask(session, session.authorised(player), player)


def _ask(
    session: Session, view: AuthorisedView, player: int | None, first: Sequence[str] = ()
) -> None:
    """Ask until there is an answer; without a `player`, anybody at the keyboard may give it."""
    assert view.prompt is not None
    session.ask(view, view.prompt, player, first)
    sits = 0 if session.viewer is None else session.viewer
    while not answered(session, view, sits if player is None else player):
        pass


def person_answers(session: Session, player: int) -> None:
    """Ask a person, or give the only answer there is and print it."""
    view = session.authorised(player)
    prompt = view.prompt
    assert prompt is not None
    only = prompt_text.forced(prompt)
    if only is not None and not _would_tell(session, player):
        _say_forced(session, prompt, only, player)
        session.take(view.answer(only))
        return
    known = _left_out_again(session) or _planned(session, prompt, player)
    if known:
        session.take(view.answer([known]))
        return
    _ask_one(session, player)


def _would_tell(session: Session, player: int) -> bool:
    """Would it tell others what this player has not, if the question were passed over?"""
    game = session.game
    looked_on = len(session.people) > 1 and game.node.asks_regardless
    return looked_on and knows_more(game.linked, game.state, player)


def _left_out_again(session: Session) -> str:
    """The answer that leaves an option out again, where it is offered again and nothing has changed."""
    before, game = session.left_out, session.game
    session.left_out = None
    if before is None or before.node.row is not game.node.row:
        return ""
    old, new = before.state, game.state
    same = old.world == new.world and old.scope == new.scope
    if not (same and old.frame and new.frame and old.frame.parent == new.frame.parent):
        return ""
    # Rounds are counted in one slot; if two differ, the text itself looks at the number.
    differ = sum(one != other for one, other in zip(old.frame.slots, new.frame.slots, strict=True))
    if differ > 1:
        return ""
    session.left_out = game
    return SKIP


def _planned(session: Session, prompt: Prompt, player: int) -> str:
    """The answer that a person has given in advance, if it is still on offer."""
    row = session.game.node.row
    for other in [one for one, plan in session.plans.items() if plan.row is not row]:
        del session.plans[other]
    plan = session.plans.get(player)
    while plan is not None and plan.left:
        wanted = plan.left.pop(0)
        found = next((o.key for o in prompt.options if _base(o.key) == wanted), None)
        if found is not None:
            return found
        said = "what was said" if is_private(session.game, player) else f"`{wanted}`"
        session.say_wrapped([f"{session.seats[player].name}: {said} is not on offer any more"])
    return ""


def _base(key: str) -> str:
    """The key of a thing, the same for all that are alike."""
    return key.partition("#")[0]


def _say_forced(session: Session, prompt: Prompt, only: Sequence[str], player: int) -> None:
    if session.may_show(player):
        labels = [option.label for option in prompt.options if option.key in only]
        answer = ", ".join(labels) or "none"
        session.say_forced(prompt, answer)


def answered(session: Session, view: AuthorisedView, player: int) -> bool:
    """Read one line and carry it out; return whether the question is settled."""
    prompt = view.prompt
    assert prompt is not None
    name = session.look.paint(session.seats[player].name, *session.drawing.style(player))
    line = session.read(f"{name}> ")
    command = prompt_text.command_in(line, prompt)
    try:
        if command is not None:
            result = run_command(session, command, view, player)
            if result is not CommandResult.NOTHING:
                return result is CommandResult.MOVED
        games = _games_after(session, line, view, prompt)
        session.forced.clear()
        skipped = len(games) == 1 and prompt.kind == "optional" and _taken(games[0]) == SKIP
        session.left_out = session.game if skipped else None
        for game in games:
            session.take(game)
    except (prompt_text.AnswerNotUnderstood, Refused) as error:
        session.say_wrapped([str(error)])
        return False
    return True


def _games_after(session: Session, line: str, view: AuthorisedView, prompt: Prompt) -> list[Game]:
    """The game after each answer of a line: one, or several to questions that follow one another."""
    player, choices = view.seat, view.choices(session.drawing)
    parts = [part.strip() for part in line.split(";") if part.strip()]
    if len(parts) > 1 and prompt.kind != "text":
        return _in_a_row(session, parts, player)
    try:
        keys = prompt_text.parse_answer(line, prompt, choices)
    except prompt_text.AnswerNotUnderstood:
        words = prompt_text.words_of(line)
        if len(words) < 2 or prompt.kind in (*SEVERAL, "roll", "draw", "text"):
            raise
        # A sentence is no row of answers: that it is no option is said of the whole line.
        if not _is_answer(words[0], prompt, choices):
            raise
        return _in_a_row(session, words, player)
    return [view.answer(keys)]


def _is_answer(word: str, prompt: Prompt, choices: Sequence[Choice]) -> bool:
    try:
        return bool(prompt_text.parse_answer(word, prompt, choices))
    except prompt_text.AnswerNotUnderstood:
        return False


def _in_a_row(session: Session, parts: Sequence[str], player: int) -> list[Game]:
    """The game after each of several answers, questions with only one answer between them included.

    If one of them does not fit, none is taken. What stands behind an answer that cannot be taken
    back is left out: to refuse that answer now would tell what comes of it.
    """
    game = session.game
    games: list[Game] = []
    left = list(parts)
    while left and (not games or game.past):
        view = session.authorised(player, game)
        only = prompt_text.forced(view.prompt) if games and view.prompt is not None else None
        game = _answered_so(session, view, left, len(parts)) if only is None else view.answer(only)
        games.append(game)
    if left and len(games) == 1 and _goes_round(session.game, game, player):
        return _kept(session, games, left, player)
    if left:
        told = "is left out, because something else has come first: dice, cards or another person"
        session.say_wrapped([f"`{' '.join(left)}` {told}"])
    return games


def _goes_round(before: Game, after: Game, player: int) -> bool:
    """Is the same question, about nothing secret, put to somebody else now?"""
    if after.over or after.node.row is not before.node.row or after.node.secret:
        return False
    return player not in after.node.stop.who and before.prompt.kind not in (
        *SEVERAL,
        "text",
        "roll",
    )


def _kept(session: Session, games: list[Game], left: list[str], player: int) -> list[Game]:
    """Keep further answers for this player's next turns at a question that goes round the table."""
    view = session.authorised(player)
    assert view.prompt is not None
    choices = view.choices(session.drawing)
    keys = [prompt_text.parse_answer(word, view.prompt, choices)[0] for word in left]
    session.plans[player] = AnswersAhead(session.game.node.row, [_base(key) for key in keys])
    told = "is kept for your next turns at this question; `undo` forgets it"
    session.say_wrapped([f"`{' '.join(left)}` {told}"])
    return games


def _taken(game: Game) -> str:
    """The answer that has led to this moment, if it was one option."""
    keys = game.journal.last.keys if game.journal is not None else ()
    return keys[0] if len(keys) == 1 else ""


def _answered_so(session: Session, view: AuthorisedView, left: list[str], many: int) -> Game:
    """The game after the first of the answers that are left."""
    part, prompt = left.pop(0), view.prompt
    if prompt is None:
        raise Refused(NOT_ASKED)
    try:
        if view.game.node.writes:
            raise Refused("a text is asked for there, on a line of its own")
        choices = view.choices(session.drawing)
        return view.answer(prompt_text.parse_answer(part, prompt, choices))
    except (prompt_text.AnswerNotUnderstood, Refused) as error:
        place = f"`{part}`, answer {many - len(left)} of {many}, does not fit"
        told = f"{place}: {prompt.text} {error}; none of these answers was taken"
        raise prompt_text.AnswerNotUnderstood(told) from None
