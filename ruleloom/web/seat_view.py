"""A question as a page shows it: options that can be pressed, those that cannot with the reason, the
rule that asks, and the odds of the dice that would be thrown.

Nothing here is worked out for anybody but the player who is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from ruleloom.output.documents import chronicle_html, chronicle_of
from ruleloom.runtime.link.steps import RollStep
from ruleloom.runtime.machine.prompt import Prompt, Refusal
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.open_roll import open_roll
from ruleloom.table.authorised_view import NOBODY, AuthorisedView, is_private, throwers
from ruleloom.table.narration import NarrationPage, Notes, gathered
from ruleloom.table.questions import Describing, all_numbers, asking_title, type_of
from ruleloom.table.reasons import why
from ruleloom.table.rules_lookup import asking_rules, read_up
from ruleloom.web.boards import (
    any_game,
    gnostica_scene,
    monotheism_scene,
    moonstone_scene,
    witchgates_scene,
)
from ruleloom.web.boards.scene_reader import ref_of
from ruleloom.web.live_table import LOOK, LiveTable
from ruleloom.web.requests import BadInput

# Of more options it is not looked ahead which dice they throw; more refusals are not listed.
MOST_LOOKED_AT, MOST_REFUSALS = 40, 80


class DiceShown(TypedDict):
    """Dice that are thrown next; each is looked at, or only their sum."""

    count: int
    sides: int
    each: bool


class OptionShown(TypedDict):
    """An option: its keys (several for things alike), its words, the place on the board that it
    stands for, and the dice that it throws."""

    keys: list[str]
    text: str
    ref: str | None
    dice: DiceShown | None


class RefusalShown(TypedDict):
    """An option that is refused now, with the reason."""

    text: str
    reason: str
    ref: str | None


class Asked(TypedDict):
    """A question, for the one who is asked."""

    id: str
    kind: str
    text: str
    title: str
    numbers: bool
    options: list[OptionShown]
    refusals: list[RefusalShown]
    least: int
    most: int
    usual: list[str] | None
    rules: list[str]
    power: str
    dice: DiceShown | None
    """The dice that are typed in, or that are thrown once a text is written."""


def asked(view: AuthorisedView, prompt: Prompt, id: str, drawing: Describing) -> Asked:
    """The open prompt of a seat as plain data, with the id by which the seat answers it."""
    game, node = view.game, view.game.node
    kind = type_of(node)
    return {
        "id": id,
        "kind": prompt.kind,
        "text": prompt.text[:1].upper() + prompt.text[1:],
        "title": asking_title(prompt, node, view.seat),
        "numbers": bool(prompt.options) and all_numbers(prompt.options),
        "options": _options(view, prompt, drawing, kind),
        "refusals": _refusals(view, kind),
        "least": prompt.least,
        "most": prompt.most,
        "usual": _usual(prompt),
        "rules": [text for _, text in asking_rules(game.linked, game.state)],
        "power": prompt.power,
        "dice": _dice_behind(node, node.found[0]) if node.writes else dice_at(node),
    }


def _options(
    view: AuthorisedView, prompt: Prompt, drawing: Describing, kind: str
) -> list[OptionShown]:
    node = view.game.node
    values = {option.key: option.value for option in prompt.options}
    choices = view.choices(drawing)
    is_one = not (node.chance or node.secret or node.takes_sets)
    look_ahead = len(choices) <= MOST_LOOKED_AT and is_one
    return [
        {
            "keys": list(one.keys),
            "text": one.text,
            "ref": ref_of(view.game, kind, values[one.keys[0]]),
            "dice": _dice_behind(node, values[one.keys[0]]) if look_ahead else None,
        }
        for one in choices
    ]


def _refusals(view: AuthorisedView, kind: str) -> list[RefusalShown]:
    """The refused options; of things alike only one."""
    found = {(one.label.partition("#")[0], one.reason): one for one in reversed(view.refusals)}
    first = list(reversed(found.values()))
    return [_refusal(view.game, kind, one) for one in first[:MOST_REFUSALS]]


def _refusal(game: Game, kind: str, one: Refusal) -> RefusalShown:
    is_place = kind in game.linked.entities or kind in game.linked.layout.points
    return {
        "text": one.label,
        "reason": one.reason,
        "ref": f"{kind}:{one.key}" if is_place else None,
    }


def _usual(prompt: Prompt) -> list[str] | None:
    if prompt.usual is not None:
        return list(prompt.usual)
    return None if prompt.default is None else [prompt.default]


def dice_at(node: PlayNode) -> DiceShown | None:
    """The dice that are asked for at a node."""
    return _dice_of(node) if node.chance else None


def _dice_of(node: PlayNode) -> DiceShown | None:
    if not isinstance(node.step, RollStep):
        return None
    count, sides = node.dice
    return {"count": count, "sides": sides, "each": node.step.each} if count else None


def _dice_behind(node: PlayNode, value: Dynamic) -> DiceShown | None:
    """The dice that an answer throws at once, if everybody may know which they are."""
    try:
        after = open_roll(node, value)
        return None if after is None else _dice_of(after)
    except RuntimeFault:  # reported when the option is taken
        return None


# A board of a game of its own joins these.
BOARDS: Mapping[str, Callable[[Game, int], Any]] = {
    "gnostica": gnostica_scene.board,
    "monotheism": monotheism_scene.board,
    "moonstone": moonstone_scene.board,
    "witchgates": witchgates_scene.board,
}
PAGES = 6


class SeatShown(TypedDict):
    """A player, as everybody at the table sees them."""

    name: str
    kind: str
    leads: bool
    to_act: bool


class PageShown(TypedDict):
    """A turn of the log."""

    heading: str
    told: list[str]


class EndShown(TypedDict):
    """The end of the game."""

    winners: list[str]
    reason: str
    ranking: list[list[str]]


class WishShown(TypedDict):
    """Somebody wants to take an answer back; `asked` says whether this seat is to agree."""

    by: str
    asked: bool


class TableShown(TypedDict):
    """The table as a seat sees it."""

    type: str
    stamp: int
    table: str
    game: str
    title: str
    seat: int
    leads: bool
    seats: list[SeatShown]
    secret: bool
    private: bool
    board: Any
    prompt: Asked | None
    undo: bool
    wish: WishShown | None
    pages: int
    log: list[PageShown]
    over: EndShown | None


def board_seen(game: Game, viewer: int) -> Any:
    """The board of a game as `viewer` may see it."""
    return BOARDS.get(game.linked.program.game, any_game.board)(game, viewer)


def seat_view(table: LiveTable, seat: int) -> TableShown:
    """The table as `seat` may see it now (`NOBODY`: as everybody may see it)."""
    game = table.game
    view = table.authorised(seat)
    prompt = view.prompt
    notes = table.notes[seat]
    return {
        "type": "table",
        "stamp": table.stamp,
        "table": table.id,
        "game": game.linked.program.game,
        "title": game.linked.program.title,
        "seat": seat,
        "leads": table.leads(seat),
        "seats": _seats(table),
        "secret": game.node.secret,
        "private": seat != NOBODY and not game.over and is_private(game, seat),
        "board": board_seen(game, seat),
        "prompt": None
        if prompt is None
        else asked(view, prompt, table.question_id(seat), table.drawing),
        "undo": table.may_undo(seat),
        "wish": _wish(table, seat),
        "pages": len(notes.pages),
        "log": log_pages(notes, len(notes.pages) - PAGES),
        "over": _end(game),
    }


def _seats(table: LiveTable) -> list[SeatShown]:
    game = table.game
    waited: set[int] = set()
    if not game.over:
        node = game.node
        waited = set(throwers(game, table.people) if node.chance else node.stop.who)
    return [
        {"name": one.name, "kind": one.kind, "leads": one.leads, "to_act": one.number in waited}
        for one in table.seats
    ]


def _wish(table: LiveTable, seat: int) -> WishShown | None:
    wish = table.wish
    if wish is None:
        return None
    return {"by": table.seats[wish.by].name, "asked": seat in wish.waits_for}


def log_pages(notes: Notes, first: int = 0) -> list[PageShown]:
    """The log from a page on, as its reader may know it."""
    pages = notes.pages[max(0, first) :]
    return [_page(page) for page in pages if page.lines]


def _page(page: NarrationPage) -> PageShown:
    return {"heading": page.heading(page.lines), "told": gathered(page.lines)}


def _end(game: Game) -> EndShown | None:
    end = game.outcome
    if end is None:
        return None
    return {
        "winners": [game.players[one] for one in end.winners],
        "reason": end.reason,
        "ranking": [list(rank) for rank in game.ranking],
    }


LONGEST = 300


def rules_text(table: LiveTable, seat: int, name: str, in_full: bool) -> list[str]:
    """The rules text of a thing: as on its card, or step by step."""
    choices = table.authorised(seat).choices(table.drawing)
    return read_up(table.game, _short(name), choices, in_full, LOOK)


def reasons(table: LiveTable, seat: int, what: str) -> list[str]:
    """The reasons of a value, as far as this seat may know them."""
    return why(table.game, _short(what), seat, LOOK)


def whole_log(table: LiveTable, seat: int) -> list[PageShown]:
    """The log from the beginning, as this seat may read it."""
    return log_pages(table.notes[seat])


def chronicle(table: LiveTable) -> str:
    """The story of the game as a page of its own, for the host: it hides nothing."""
    return chronicle_html(chronicle_of(table.game))


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(f"a name has at most {LONGEST} characters")
    return text
