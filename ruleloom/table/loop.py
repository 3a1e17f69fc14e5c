"""The main loop of a game at the table: people and bots answer in turn; at a prompt, commands look things up,
correct a value, undo, save or quit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum

from ruleloom.bots.bot import Bot
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.play.game import Game, Moment, go_back, moments, standing
from ruleloom.runtime.play.view import is_public
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.search.options import SEVERAL, Keys, Prompt
from ruleloom.scenes.scene import NOBODY
from ruleloom.table.authorised_view import (
    NOT_ASKED,
    AuthorisedView,
    answered_by,
    before_last_choice,
    is_private,
    knows_more,
    throwers,
    thrown,
)
from ruleloom.table.diagram import step_of
from ruleloom.table.line_screen import Leave
from ruleloom.table.lookups import asking_rules, corrected, read_up, why
from ruleloom.table.numbered_list import command_in, words_of
from ruleloom.table.panels import AskedField, answer_panel, panel
from ruleloom.table.questions import (
    ALONE,
    HELP,
    HELP_ON,
    AnswerNotUnderstood,
    asking_title,
    forced,
    parse_answer,
    question,
)
from ruleloom.table.session import Session

TURNS_IN_LOG = 8
YES = ("y", "yes")
GONE_BY = (
    "there is nothing to take back: what has been seen stays seen, unless all agree (`go back`)"
)
HOW_TO_READ_UP = (
    "`? NAME` reads a card or a rule, `? 1` the first option; `help` lists all commands"
)


def run_command(session: Session, line: str, view: AuthorisedView, player: int) -> bool | None:
    """Carry out a typed line, and return whether the position has changed; None if it is not a command.
    Raises Refused for an impossible one."""
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    match word.lower(), rest.lower():
        case (typed, _) if typed.startswith("?"):
            look_up(session, line.strip(), view)
        case "why", what:
            show_reasons(session, view, player, "" if what in ("not", "not?") else rest)
        case "save", _:
            session.say([f"  {session.save_as(session.game, rest)}"])
        case "log", "":
            told = session.notes.last(TURNS_IN_LOG)
            session.say(told or [f"  {session.said('nothing has happened yet')}"])
        case "board" | "look", "":
            session.draw()
        case "hand", "":
            hand = session.drawing.hand(session.game.state, player)
            session.show(hand or [f"  {session.said('there is nothing in hand')}"])
        case "help", "":
            session.say_wrapped(map(session.said, HELP), "")
            session.say_wrapped([f"{word}: {session.said(meaning)}" for word, meaning in HELP_ON])
        case "standing", "":
            none = f"  {session.said('there is no standing answer of yours')}"
            session.say(standing_lines(session, player) or [none])
        case "quit" | "exit", "":
            raise Leave
        case _:
            return _run_move(session, word.lower(), rest, view)
    return False


def _run_move(session: Session, word: str, rest: str, view: AuthorisedView) -> bool | None:
    """Carry out a command that may change the position."""
    player = view.seat
    match word, rest.lower():
        case "always", answer if answer:
            return answer_always(session, view, rest)
        case "this", answer if answer.startswith("turn "):
            return answer_always(session, view, rest[5:], this_turn=True)
        case "ask", answer if answer.startswith("again "):
            session.standing.revoke(player, int(answer[6:]) - 1 if answer[6:].isdecimal() else -1)
            session.say([f"  {session.said('you will be asked again')}"])
            return False
        case "undo", "":
            return undo(session, player)
        case "go", "back":
            return go_back_together(session, player)
        case "correct", _:
            session.take(corrected(session.game, rest))
            session.keep(session.game)
            return True
    return None


def answer_always(
    session: Session, view: AuthorisedView, line: str, this_turn: bool = False
) -> bool:
    """Answer the open question, and whenever it comes again."""
    assert view.prompt is not None
    keys = parse_answer(line, view.prompt, view.choices(session.drawing))
    session.standing.give(view.seat, view.prompt, keys, this_turn)
    session.take(session.standing.game_after(view) or view.answer(keys))
    session.say([f"  {session.said('kept as a standing answer; `standing` lists them')}"])
    return True


def standing_lines(session: Session, player: int) -> list[str]:
    """The standing answers of a player, numbered."""
    return [
        f"{number:>4}  {one.text} {', '.join(one.labels)}"
        f"{session.said(' (this turn)') * one.this_turn}"
        for number, one in enumerate(session.standing.of(player), 1)
    ]


def look_up(session: Session, line: str, view: AuthorisedView) -> None:
    """Show a rules text: as on its card after `?`, step by step after `??`; without a name, the glosses of
    the rules behind the prompt, innermost last."""
    word, choices = line.lstrip("?").strip(), view.choices(session.drawing)
    if not word:
        told = [told for _, told in asking_rules(session.game.linked, session.game.state)]
        session.say_wrapped([*reversed(told), session.said(HOW_TO_READ_UP)])
        return
    session.say(read_up(session.game, word, choices, line.startswith("??"), session.look))


def show_reasons(session: Session, view: AuthorisedView, player: int, what: str) -> None:
    """Show the derivation of a value, as far as this screen may show it; without one, the refused options
    with their reasons, which may be this player's secret."""
    if what or is_private(session.game, player):
        session.confide()
    if what:
        viewer = NOBODY if session.viewer is None else session.viewer
        session.show(why(session.game, what, viewer, session.look))
        return
    found = [f"{one.label}: {one.reason}" for one in view.refusals]
    for game in session.forced:
        found += [f"{game.prompt.text} {one.label}: {one.reason}" for one in game.refusals]
    all_there = session.said("everything that could be chosen here is on offer")
    session.say_wrapped(found or [all_there])


def undo(session: Session, player: int) -> bool:
    """Go back to this player's last real choice, over forced answers; or undo a correction."""
    game = session.game
    if session.standing.forget_lists():
        session.say([f"  {session.said('what was answered in advance is forgotten')}"])
        return False
    if not game.past:
        raise Refused(session.said(GONE_BY))
    back = before_last_choice(game, lambda one: _is_forced(session, one, player))
    if back is None:
        session.say([f"  {session.said('there was no choice before this one')}"])
        return False
    session.notes.remark(session.said("(taken back)"))
    session.go_back(back)
    return True


def _is_forced(session: Session, game: Game, player: int) -> bool:
    prompt = session.authorised(player, game).prompt
    is_inside = game.serial in session.inside
    return is_inside or (prompt is not None and forced(prompt) is not None)


def _last_choice(session: Session, player: int) -> Moment:
    """A player's last answer that still stands and was not forced. Raises Refused."""
    game = session.game
    stands = {entry.serial for entry in standing(game.entries) if entry.player == player}
    chosen = [
        one
        for one in moments(game)
        if one.entry.serial in stands and not _is_forced(session, one.before, player)
    ]
    if not chosen:
        raise Refused(session.said("there is no choice of yours to go back to"))
    return max(chosen, key=lambda one: one.entry.serial)


def go_back_together(session: Session, player: int) -> bool:
    """Go on from before this player's last real choice, if all others agree; say who does not."""
    game, moment = session.game, _last_choice(session, player)
    asker = session.seats[player].name
    keys = ", ".join(moment.entry.keys) or session.said("nothing")
    answer = session.said("answering `{keys}`", keys=keys)
    if not is_public(secrecy_of(game.linked), moment, NOBODY):
        answer = session.said("an answer that not everybody knows")
    for other in session.people:
        name = session.seats[other].name
        question = "{name}, may {asker} go back to before {answer}? (yes or no) "
        asked = session.said(question, name=name, asker=asker, answer=answer)
        if other != player and session.read(asked).lower() not in (*YES, session.said("yes")):
            kept = "{name} does not agree, and everything stays as it is"
            session.say([f"  {session.said(kept, name=name)}"])
            return False
    back = go_back(game, moment.entry.serial, game.players)
    session.take(back)
    session.go_back(back)
    session.keep(back)
    return True


# ---------------------------------------------------------------------------------- the loop

SKIP = "skip"
# Kinds of prompts whose answer takes the whole line.
WHOLE_LINE = (*SEVERAL, "roll", "text")


class Ending(Enum):
    """The end of a sitting."""

    OVER = "over"
    UNFINISHED = "unfinished"
    LEFT = "left"


def play(session: Session, bots: Mapping[int, Bot]) -> Ending:
    """Play until the game is over, turns run out, or somebody leaves; always save the game."""
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
    """Answer the open prompt: by a preset answer, chance, a bot or a person."""
    given, game = session.given, session.game
    node, who = game.node, game.node.stop.who
    if given is not None and given.answers(node):
        session.given = None
        session.say([f"  {game.prompt.text}  {given.called}"])
        session.take(game.choose(given.value))
    elif node.chance:
        somebody_throws(session)
    elif who[0] in bots:
        session.take(answered_by(game, bots[who[0]], who[0]))
    else:
        person_answers(session, who[0])


def somebody_throws(session: Session) -> None:
    """Ask a person for the result of real dice or a real deck."""
    game = session.game
    if (only := forced(game.prompt)) is not None:
        session.take(game.answer(game.prompt.id, only))
        return
    who = throwers(game, session.authorised(0).people)
    if not who:  # results that only a bot may see are random
        session.take(thrown(game))
    elif game.node.confided:
        _ask_one(session, who[0])
    else:
        if session.viewer is None and session.people:
            session.sit_down(who[0])
        names = (session.seats[player].name for player in game.node.stop.who)
        rolls = [session.said("{name} rolls.", name=name) for name in names]
        typist = session.viewer if session.viewer in who else who[0]
        _ask(session, session.authorised(typist), None, rolls)


def _ask_one(session: Session, player: int) -> None:
    """Hand a person the keyboard, and ask only them."""
    if player in session.people:
        session.sit_down(player)
    _ask(session, session.authorised(player), player)


def _ask(
    session: Session, view: AuthorisedView, player: int | None, first: Sequence[str] = ()
) -> None:
    """Ask until answered; without a `player`, anybody at the keyboard may answer. What is asked in one go is
    filled in with the usual answers."""
    assert view.prompt is not None
    fields = [] if player is None else _filled_in(view)
    session.ask(view, view.prompt, player, first, fields)
    sits = 0 if session.viewer is None else session.viewer
    while not answered(session, view, sits if player is None else player, fields):
        pass


def _filled_in(view: AuthorisedView, given: Sequence[Keys] = ()) -> list[AskedField]:
    """The fields of a panel that are filled in, if there are several."""
    fields = [one for one in panel(view, given) if one.keys is not None]
    return fields if len(fields) > 1 else []


def person_answers(session: Session, player: int) -> None:
    """Ask a person, or give the only possible answer and print it."""
    view = session.authorised(player)
    prompt = view.prompt
    assert prompt is not None
    only, game = forced(prompt), session.game
    # Would skipping the prompt reveal to others what this player holds?
    looked_on = len(session.people) > 1 and game.node.asks_regardless
    would_tell = looked_on and knows_more(game.linked, game.state, player)
    if only is not None and not would_tell:
        session.say_forced(prompt, only, player)
        session.take(view.answer(only))
        return
    after = _left_out_again(session, view) or _as_always(session, view)
    if after is not None:
        session.take(after)
    else:
        _ask_one(session, player)


def _left_out_again(session: Session, view: AuthorisedView) -> Game | None:
    """The game after an option is skipped again, if it is offered again and nothing has changed."""
    before, game = session.left_out, session.game
    session.left_out = None
    if before is None or before.node.row is not game.node.row:
        return None
    old, new = before.state, game.state
    same = old.world == new.world and old.scope == new.scope
    if not (same and old.frame and new.frame and old.frame.parent == new.frame.parent):
        return None
    # Rounds are counted in one slot; if two differ, the text reads the count.
    differ = sum(one != other for one, other in zip(old.frame.slots, new.frame.slots, strict=True))
    if differ > 1:
        return None
    session.left_out = game
    return view.answer([SKIP])


def _as_always(session: Session, view: AuthorisedView) -> Game | None:
    """The game after a standing answer; None without one, and if it would reveal something."""
    prompt, player = view.prompt, view.seat
    assert prompt is not None
    for wanted in session.standing.drop_missing(player, prompt):
        hidden = is_private(session.game, player)
        said = session.said("what was said") if hidden else f"`{wanted}`"
        told = session.said("{what} is not on offer any more", what=said)
        session.say_wrapped([f"{session.seats[player].name}: {told}"])
    return session.standing.game_after(view)


def answered(
    session: Session, view: AuthorisedView, player: int, fields: Sequence[AskedField] = ()
) -> bool:
    """Read one line and carry it out; return whether the prompt is settled. Where several `fields` are filled
    in, nothing takes them all, and a number changes one."""
    prompt = view.prompt
    assert prompt is not None
    name = session.look.paint(session.seats[player].name, *session.drawing.style(player))
    line = session.read(f"{name}> ")
    command = command_in(line, prompt.kind == "text", ALONE)
    try:
        if _step_taken(session, view, line, fields):
            return True
        if fields and (not line or line.isdecimal()):
            return _one_go(session, view, player, line, fields)
        if command is not None:
            has_moved = run_command(session, command, view, player)
            if has_moved is not None:
                return has_moved
        games = _games_after(session, line, view, prompt)
        session.forced.clear()
        last = games[0].journal
        skipped = last is not None and last.last.keys == (SKIP,)
        is_left_out = len(games) == 1 and prompt.kind == "optional" and skipped
        session.left_out = session.game if is_left_out else None
        for game in games:
            session.take(game)
    except (AnswerNotUnderstood, Refused) as error:
        session.say_wrapped([session.why(error)])
        return False
    return True


def _one_go(
    session: Session, view: AuthorisedView, player: int, line: str, fields: Sequence[AskedField]
) -> bool:
    """Take all that is filled in, or change one field and show what then follows."""
    given = [one.keys for one in fields if one.keys is not None]
    if line:
        number = int(line[:3])
        if not 1 <= number <= len(fields):
            said = "the answers are numbered 1 to {last}"
            raise AnswerNotUnderstood(said, last=str(len(fields)))
        keys = _changed(session, fields[number - 1], player)
        if keys is None:
            return True
        given = [*given[: number - 1], keys]
        fields = _filled_in(view, given)
        if len(fields) > len(given):
            session.show_fields(fields)
            session.show_tracks(view, fields)
            while not answered(session, view, player, fields):
                pass
            return True
    _take_all(session, answer_panel(view, given))
    return True


def _take_all(session: Session, games: Sequence[Game]) -> None:
    """Go on with the game after each answer of a panel, which `undo` takes back at once."""
    session.forced.clear()
    session.inside.update(one.serial for one in games[:-1])
    for game in games:
        session.take(game)


def _step_taken(
    session: Session, view: AuthorisedView, line: str, fields: Sequence[AskedField]
) -> bool:
    """Take a step of a diagram, or take it back, if the line is its number."""
    number = int(line[:4]) if line.isdecimal() else 0
    before = len(fields) or len(view.choices(session.drawing))
    given = step_of(view, fields, number - before - 1) if number > before else None
    if given is not None:
        _take_all(session, answer_panel(view, given))
    return given is not None


def _changed(session: Session, field: AskedField, player: int) -> Keys | None:
    """Another answer to a field that is filled in; None if a command has changed the position instead."""
    prompt, choices = field.prompt, field.view.choices(session.drawing)
    title = asking_title(prompt, field.view.game.node, player)
    session.show(["", *question(prompt, title, choices, session.look)])
    while True:
        line = session.read(f"{session.look.paint(session.seats[player].name)}> ")
        command = command_in(line, prompt.kind == "text", ALONE)
        try:
            has_moved = command and run_command(session, command, field.view, player)
            if has_moved:
                return None
            if has_moved is False:
                continue
            keys = parse_answer(line, prompt, choices)
            field.view.answer(keys)
            return keys
        except (AnswerNotUnderstood, Refused) as error:
            session.say_wrapped([session.why(error)])


def _games_after(session: Session, line: str, view: AuthorisedView, prompt: Prompt) -> list[Game]:
    """The game after each answer on a line: one answer, or several to successive prompts."""
    player, choices = view.seat, view.choices(session.drawing)
    parts = [part.strip() for part in line.split(";") if part.strip()]
    if len(parts) > 1 and prompt.kind != "text":
        return _in_a_row(session, parts, player)
    try:
        return [view.answer(parse_answer(line, prompt, choices))]
    except AnswerNotUnderstood:
        words, first = words_of(line), None
        # A sentence is not a series of answers: the error is about the whole line.
        with suppress(AnswerNotUnderstood):
            first = parse_answer(words[0], prompt, choices) if len(words) > 1 else None
        if not first or prompt.kind in (*WHOLE_LINE, "draw"):
            raise
    return _in_a_row(session, words, player)


def _in_a_row(session: Session, parts: Sequence[str], player: int) -> list[Game]:
    """The game after each of several answers, including forced answers in between.

    If one of them does not fit, none is taken. Answers after one that cannot be undone are dropped: refusing
    that one now would reveal its outcome.
    """
    game = session.game
    games: list[Game] = []
    left = list(parts)
    while left and (not games or game.past):
        view = session.authorised(player, game)
        only = forced(view.prompt) if games and view.prompt is not None else None
        game = _answered_so(session, view, left, len(parts)) if only is None else view.answer(only)
        games.append(game)
    if not left:
        return games
    if len(games) == 1 and _goes_round(session.game, game, player):
        return _kept(session, games, left, player)
    told = (
        "`{what}` is left out, because something else has come first: dice, cards or another person"
    )
    session.say_wrapped([session.said(told, what=" ".join(left))])
    return games


def _goes_round(before: Game, after: Game, player: int) -> bool:
    """Is the same non-secret prompt now put to somebody else?"""
    if after.over or after.node.row is not before.node.row or after.node.secret:
        return False
    return player not in after.node.stop.who and before.prompt.kind not in WHOLE_LINE


def _kept(session: Session, games: list[Game], left: list[str], player: int) -> list[Game]:
    """Keep further answers for this player's next turns at a prompt that goes round the table."""
    view = session.authorised(player)
    assert view.prompt is not None
    choices = view.choices(session.drawing)
    keys = [parse_answer(word, view.prompt, choices)[0] for word in left]
    session.standing.give(player, view.prompt, tuple(keys), in_order=True)
    told = "`{what}` is kept for your next turns at this question; `undo` forgets it"
    session.say_wrapped([session.said(told, what=" ".join(left))])
    return games


def _answered_so(session: Session, view: AuthorisedView, left: list[str], many: int) -> Game:
    """The game after the first of the remaining answers."""
    part, prompt = left.pop(0), view.prompt
    if prompt is None:
        raise Refused(NOT_ASKED)
    try:
        if view.game.node.writes:
            raise Refused(session.said("a text is asked for there, on a line of its own"))
        choices = view.choices(session.drawing)
        return view.answer(parse_answer(part, prompt, choices))
    except (AnswerNotUnderstood, Refused) as error:
        told = (
            "`{part}`, answer {number} of {many}, does not fit: {question} {why}; "
            "none of these answers was taken"
        )
        raise AnswerNotUnderstood(
            told,
            part=part,
            number=str(many - len(left)),
            many=str(many),
            question=prompt.text,
            why=session.why(error),
        ) from None
