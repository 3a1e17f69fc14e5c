"""Panels: a question with those that follow it for the same player, filled in with the usual answers.

The way is followed in a canonical game of the player's information set: what they cannot see is put into an
order of its own, so that two games that the player cannot tell apart give the same panel. It ends before
another player's question, a roll or draw, anything revealed, the end of the turn, and a question without a
usual answer, which is the last, empty field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import NamedTuple

from ruleloom.bots.information_set import in_canonical_order
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Origin, Refused, RuntimeFault
from ruleloom.runtime.search.options import SEVERAL, Keys, Prompt
from ruleloom.table.authorised_view import AuthorisedView
from ruleloom.table.questions import forced

# Further questions are asked once these have been answered.
MOST_FIELDS = 24
# The answer that does what is optional.
DONE = ("do",)
# With more options it is not looked what each leads to.
MOST_AHEAD = 12


class AskedField(NamedTuple):
    """A question of a panel: the player's view when it is asked, and the keys filled in; None in an empty
    field."""

    view: AuthorisedView
    keys: Keys | None

    @property
    def prompt(self) -> Prompt:
        """The question."""
        assert self.view.prompt is not None
        return self.view.prompt

    @property
    def said(self) -> str:
        """The answer filled in, in words; empty for none."""
        labels = {one.key: one.label for one in self.prompt.options}
        return ", ".join(labels.get(key, key) for key in self.keys or ())


class TableRow(NamedTuple):
    """A question of a panel as a row of a table: what the questions beside it have in common, and its own
    words."""

    heading: str
    words: str


def rows_of(fields: Sequence[AskedField]) -> list[TableRow | None]:
    """The row of each field that asks the same of one of several things as those beside it."""
    rows: list[TableRow | None] = []
    for _, group in groupby(fields, key=lambda one: (one.keys is None, one.prompt.origin)):
        texts = [one.prompt.text.split() for one in group]
        head = _shared(texts)
        tail = _shared([text[head:][::-1] for text in texts])
        first, *others = texts
        heading = " ".join((*first[:head], "…", *first[len(first) - tail :]))
        is_table = others and all(len(text) > head + tail for text in texts) and head + tail
        own = (" ".join(text[head : len(text) - tail]) for text in texts)
        heading = f"{heading[:1].upper()}{heading[1:]}"
        rows += [TableRow(heading, words) if is_table else None for words in own]
    return rows


def _shared(texts: Sequence[Sequence[str]]) -> int:
    """The number of words with which all of these begin."""
    columns = enumerate(zip(*texts, strict=False))
    fewest = min(map(len, texts))
    return next((at for at, words in columns if len({*words}) > 1), fewest)


def panel(view: AuthorisedView, given: Sequence[Sequence[str]] = ()) -> list[AskedField]:
    """The fields from the open question of a seat on: first `given` answers, then usual ones.

    A given answer that is not on offer leaves its field empty, and the last. Nothing is foreseen of secret
    answers, dice and decks. The list is empty if the seat is not asked.
    """
    if view.prompt is None:
        return []
    if view.game.node.chance or view.game.node.secret:
        return [AskedField(view, None)]

    def filled_in(number: int, prompt: Prompt) -> Keys | None:
        return tuple(given[number]) if number < len(given) else prompt.usual

    imagined = _imagined(view)
    assert imagined.prompt is not None
    if imagined.prompt.options != view.prompt.options:
        return [AskedField(view, None)]
    steps = _followed(imagined, filled_in)
    fields = (AskedField(one.view, one.keys) for one in steps if not one.is_forced)
    return list(islice(fields, MOST_FIELDS))


def answer_panel(view: AuthorisedView, given: Sequence[Sequence[str]]) -> list[Game]:
    """The game after each answer to a panel, and after each forced one between them, up to the first
    question that is not the one foreseen, or whose answer is not on offer. Raises Refused if that is the
    first."""
    foreseen = panel(view, given)

    def as_given(number: int, prompt: Prompt) -> Keys | None:
        if number >= min(len(given), len(foreseen)):
            return None
        expected = foreseen[number].prompt
        same = prompt.origin == expected.origin and prompt.text == expected.text
        return tuple(given[number]) if same else None

    steps = [one for one in _followed(view, as_given) if one.game is not None]
    while steps and steps[-1].is_forced:  # whether this is passed over is not for the player to say
        steps.pop()
    return [one.game for one in steps if one.game is not None] or [view.answer(given[0])]


def within_reach(field: AskedField) -> Iterator[tuple[list[Keys], AuthorisedView]]:
    """The questions that an answer to an empty field leads to, with the answers that lead there: through
    questions with one answer, and through those whether to do what is usually done."""
    prompt = field.prompt
    if prompt.kind in (*SEVERAL, "text") or len(prompt.options) > MOST_AHEAD:
        return
    for option in prompt.options:
        given: list[Keys] = [(option.key,)]

        def on_the_way(number: int, prompt: Prompt, given: list[Keys] = given) -> Keys | None:
            if number and prompt.usual == DONE:
                given.append(DONE)
            return given[number] if number < len(given) else None

        *before, last = _followed(field.view, on_the_way)
        if before and last.keys is None:
            yield given, last.view


class _Step(NamedTuple):
    """A question on the way, its answer, and the game after it; None without or for an impossible one."""

    view: AuthorisedView
    keys: Keys | None
    game: Game | None
    is_forced: bool


def _followed(
    view: AuthorisedView, answer: Callable[[int, Prompt], Keys | None]
) -> Iterator[_Step]:
    """The questions to one player from the open one on, as long as answers can be taken back.

    `answer(number, prompt)` answers them, numbered from 0; all but the first are passed over if they have one
    answer only. A question that comes again in the same words ends the way.
    """
    number, asked = 0, set[tuple[Origin, str]]()
    while (prompt := view.prompt) is not None and (prompt.origin, prompt.text) not in asked:
        asked.add((prompt.origin, prompt.text))
        only = forced(prompt) if number else None
        keys = answer(number, prompt) if only is None else only
        game = None if keys is None else after_answer(view, keys)
        yield _Step(view, None if game is None else keys, game, only is not None)
        if game is None or not follows(game, view.game):
            return
        number += only is None
        view = replace(view, game=game)


def after_answer(view: AuthorisedView, keys: Keys) -> Game | None:
    """The game after an answer; None if it is not on offer, or the rules fail behind it."""
    try:
        return view.answer(keys)
    except (Refused, RuntimeFault):
        return None


def follows(game: Game, before: Game) -> bool:
    """Can the answer between two games be taken back, so that nothing is shown by it that stays seen?"""
    return bool(game.past) and game.past[-1] is before


def _imagined(view: AuthorisedView) -> AuthorisedView:
    """The view of a game that its seat cannot tell from the real one, without dice."""
    game = view.game
    node = in_canonical_order(game.node, view.seat)
    return replace(view, game=replace(game, node=node, random=None, past=()))
