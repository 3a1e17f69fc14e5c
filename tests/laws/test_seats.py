"""Seats are kept apart: a few games every day, and thousands where there is time.

`python -m tests.laws.seats` plays as many as wanted. The law is shown to notice when the check is
taken out of any one route.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse

from ruleloom.runtime.play import event_log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.search.options import question
from ruleloom.table import lookups, loop, session
from ruleloom.table.authorised_view import NOT_ASKED, AuthorisedView
from ruleloom.table.canvas import Look
from ruleloom.table.lookups import read_up, why
from ruleloom.table.questions import choices_of
from ruleloom.web import app, hall
from ruleloom.web import seat_view as pages_of_seats
from ruleloom.web.live_table import LOOK, LiveTable
from ruleloom.web.requests import fields_of
from ruleloom.web.seat_view import log_pages, seat_view
from ruleloom.workbench import addresses
from tests.laws.seats import SEATS

FEW, MANY = 10, 2_000
# Games in which much is hidden are tried first.
TELLING = (0, 15, 4, 30, 7)


def test_a_spy_does_nothing_and_learns_nothing():
    seen = SEATS.blank()
    for seed in range(FEW):
        seen.add(SEATS.play(SEATS.make(seed, 1)))
    print(*seen.lines(), sep="\n")
    assert not seen.wrong, "\n".join(seen.wrong[:5])
    assert len(seen.sorts) == 6
    assert seen.counts["apart"] >= 12
    assert seen.counts["calls"] > 2_000
    assert seen.counts["screens apart"] >= 3


@pytest.mark.slow
def test_a_spy_does_nothing_and_learns_nothing_in_many_games():
    seen = SEATS.soak(MANY, workers=2, first=1)
    print(*seen.lines(), sep="\n")
    assert not seen.wrong, "\n".join(seen.wrong[:20])


# ---------------------------------------------------------------------------------- mutants


def next_to(table: LiveTable, seat: int) -> int:
    """Another seat."""
    return (seat + 1) % len(table.seats)


def any_answer(table: LiveTable, seat: int, id: str, answers: Sequence[Sequence[str]]) -> None:
    """An answer to whatever question is named."""
    table.take(table.game.answer(id, list(answers[0])))


def anybody_s_question(
    table: LiveTable, seat: int, id: str, answers: Sequence[Sequence[str]]
) -> None:
    """An answer by the id of any seat's question."""
    for one in range(len(table.seats)):
        if id == table.question_id(one):
            table.take(table.authorised(one).answer(list(answers[0])))


def plain_ids(table: LiveTable, seat: int) -> str:
    """The number of the prompt, and whose it is among how many."""
    return f"{table.game.serial}.{len(table.game.node.stop.who)}"


def page_of(view: Callable[..., Any]) -> Callable[..., Any]:
    """A page as another seat sees it."""
    return lambda table, seat: {**view(table, next_to(table, seat)), "seat": seat}


def any_prompt(view: AuthorisedView) -> Any:
    """The open question, whoever is asked."""
    return None if view.game.over else view.game.prompt


def rules_of_deck(table: LiveTable, seat: int, name: str, in_full: bool) -> list[str]:
    """What is read up by its number in anybody's question."""
    choices = choices_of(table.game.prompt, table.game.node, table.drawing(seat))
    return read_up(table.game, name, choices, in_full, LOOK)


def without(view: Callable[..., Any], **more: Any) -> Callable[..., Any]:
    """A page that tells more."""
    return lambda table, seat: {**view(table, seat), **{k: v(table) for k, v in more.items()}}


def the_deck_answers(view: AuthorisedView, keys: Sequence[str]) -> Game:
    """An answer judged by what is there, not by what is shown."""
    if view.prompt is None:
        raise Refused(NOT_ASKED)
    return view.game.answer(view.prompt.id, keys)


def everything(game: Game, what: str, seat: int, look: Look) -> list[str]:
    """The reasons of a value as nobody but the host may know them."""
    host: Any = None
    return why(game, what, host, look)


def anybody_s_files(bench: addresses.Workbench, work: addresses.FileWork) -> Callable[..., Any]:
    """A route of the workbench for whoever sends something."""

    async def handle(request: Request) -> Any:
        fields = await fields_of(request)
        return JSONResponse(
            {"result": await bench.service.apart(lambda: work(bench.files, fields))}
        )

    return handle


named = event_log._named

MUTANTS: dict[str, tuple[object, str, object]] = {
    "answer": (LiveTable, "answer", any_answer),
    "answer by the id of another": (LiveTable, "answer", anybody_s_question),
    "page": (hall, "seat_view", page_of(seat_view)),
    "the number of who thinks": (LiveTable, "question_id", plain_ids),
    "the question on the page": (AuthorisedView, "prompt", property(any_prompt)),
    "the world on the page": (hall, "seat_view", without(seat_view, state=lambda t: hash(t.game.state.world))),
    "rules": (pages_of_seats, "rules_text", rules_of_deck),
    "why": (pages_of_seats, "why", everything),
    "the questions in a reason": (lookups, "question", lambda node, player, reader: question(node, player)),
    "log": (pages_of_seats, "whole_log", lambda table, seat: log_pages(table.notes[next_to(table, seat)])),
    "a line of the log": (event_log, "_named", lambda linked, event, viewer, *more, **how: named(linked, event, None, *more, **how)),
    "undo": (LiveTable, "may_undo", lambda table, seat: bool(table.game.past)),
    "agree": (LiveTable, "agree", lambda table, seat, agrees: setattr(table, "wish", None)),
    "correct": (LiveTable, "leads", lambda table, seat: True),
    "host": (app, "host", lambda door, token: None),
    "workbench": (addresses.Workbench, "_for_host", anybody_s_files),
    "the list of a deck": (AuthorisedView, "_unseen", lambda view, prompt: prompt),
    "what a deck lacks": (AuthorisedView, "answer", the_deck_answers),
    "refusals on the page": (pages_of_seats, "_refusals", lambda view, kind: [str(view.game.node.stop.found)]),
    "one screen": (session, "is_private", lambda game, player: False),
    "going back at one screen": (loop, "is_public", lambda secrecy, moment, player: True),
    "reasons at one screen": (loop, "why", everything),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_the_law_misses_the_check_on_any_route(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(*MUTANTS[name])
    seeds = (*TELLING, *(seed for seed in range(150) if seed not in TELLING))
    wrong = next((seed for seed in seeds if SEATS.play(SEATS.make(seed, 1)).wrong), None)
    assert wrong is not None, f"the law does not notice that {name} is not checked"
