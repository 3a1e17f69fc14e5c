"""Everything that one seat is sent of a table, and nothing else.

Whatever leaves the server for a page is made here: the board, the question, who is waited for, the log,
and what the seat looks up. Each part asks the machine's own secrecy; a seat of another is never looked at.
"""

from __future__ import annotations

from ruleloom.output.printed import chronicle_html, chronicle_of
from ruleloom.runtime.link.steps import RollStep
from ruleloom.runtime.machine.prompt import Prompt
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.values import Dynamic
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.open_roll import open_roll
from ruleloom.scenes.boards import Json, board_seen
from ruleloom.scenes.scene import NOBODY, ref_of
from ruleloom.table.authorised_view import AuthorisedView, is_private, throwers
from ruleloom.table.narration import Notes, gathered
from ruleloom.table.questions import all_numbers, asking_title, type_of
from ruleloom.table.reasons import why
from ruleloom.table.rules_lookup import asking_rules, read_up
from ruleloom.web.live_table import LOOK, LiveTable
from ruleloom.web.requests import BadInput

# Of more options it is not looked ahead which dice they throw; more refusals are not listed.
MOST_LOOKED_AT, MOST_REFUSALS = 40, 80
PAGES = 6
LONGEST = 300


def seat_view(table: LiveTable, seat: int) -> Json:
    """The table as `seat` may see it now (`NOBODY`: as everybody may see it)."""
    game, view, notes = table.game, table.authorised(seat), table.notes[seat]
    program, prompt, wish = game.linked.program, view.prompt, table.wish
    return {
        "type": "table",
        "stamp": table.stamp,
        "table": table.id,
        "game": program.game,
        "title": program.title,
        "seat": seat,
        "leads": table.leads(seat),
        "seats": _seats(table),
        "secret": game.node.secret,
        "private": seat != NOBODY and not game.over and is_private(game, seat),
        "board": board_seen(game.linked, game.state, seat),
        "prompt": None if prompt is None else _asked(table, view, prompt),
        "undo": table.may_undo(seat),
        "wish": wish and {"by": table.seats[wish.by].name, "asked": seat in wish.waits_for},
        "pages": len(notes.pages),
        "log": log_pages(notes, len(notes.pages) - PAGES),
        "over": _end(game),
    }


def _seats(table: LiveTable) -> list[Json]:
    """The players, as everybody at the table sees them."""
    game, waited = table.game, set[int]()
    if not game.over:
        node = game.node
        waited = set(throwers(game, table.people) if node.chance else node.stop.who)
    return [
        {"name": one.name, "kind": one.kind, "leads": one.leads, "to_act": number in waited}
        for number, one in enumerate(table.seats)
    ]


def log_pages(notes: Notes, first: int = 0) -> list[Json]:
    """The log from a page on, a page for each turn, as its reader may know it."""
    pages = (page for page in notes.pages[max(0, first) :] if page.lines)
    return [{"heading": one.heading(one.lines), "told": gathered(one.lines)} for one in pages]


def _end(game: Game) -> Json | None:
    end = game.outcome
    return end and {
        "winners": [game.players[one] for one in end.winners],
        "reason": end.reason,
        "ranking": [list(rank) for rank in game.ranking],
    }


# ---------------------------------------------------------------------------------- the question


def _asked(table: LiveTable, view: AuthorisedView, prompt: Prompt) -> Json:
    """The open prompt of a seat: options that can be pressed, those that cannot, the rules that ask, and
    the dice that are typed in, or that are thrown once a text is written."""
    game, node = view.game, view.game.node
    default = None if prompt.default is None else [prompt.default]
    dice = _dice_of(node) if node.chance else None
    return {
        "id": table.question_id(view.seat),
        "kind": prompt.kind,
        "text": prompt.text[:1].upper() + prompt.text[1:],
        "title": asking_title(prompt, node, view.seat),
        "numbers": bool(prompt.options) and all_numbers(prompt.options),
        "options": _options(table, view, prompt),
        "refusals": _refusals(view, type_of(node)),
        "least": prompt.least,
        "most": prompt.most,
        "usual": default if prompt.usual is None else list(prompt.usual),
        "rules": [text for _, text in asking_rules(game.linked, game.state)],
        "power": prompt.power,
        "dice": _dice_behind(node, node.found[0]) if node.writes else dice,
    }


def _options(table: LiveTable, view: AuthorisedView, prompt: Prompt) -> list[Json]:
    """The options: the keys of each (several for things alike), its words, the place on the board that
    it stands for, and the dice that it throws."""
    node, kind = view.game.node, type_of(view.game.node)
    values = {option.key: option.value for option in prompt.options}
    choices = view.choices(table.drawing)
    is_one = not (node.chance or node.secret or node.takes_sets)
    look_ahead = len(choices) <= MOST_LOOKED_AT and is_one
    return [
        {
            "keys": list(one.keys),
            "text": one.text,
            "ref": ref_of(node.linked, node.state.world, kind, values[one.keys[0]]),
            "dice": _dice_behind(node, values[one.keys[0]]) if look_ahead else None,
        }
        for one in choices
    ]


def _refusals(view: AuthorisedView, kind: str) -> list[Json]:
    """The refused options, with reasons; of things alike only one."""
    linked = view.game.linked
    is_place = kind in linked.entities or kind in linked.layout.points
    found = {(one.label.partition("#")[0], one.reason): one for one in reversed(view.refusals)}
    return [
        {"text": one.label, "reason": one.reason, "ref": f"{kind}:{one.key}" if is_place else None}
        for one in list(reversed(found.values()))[:MOST_REFUSALS]
    ]


def _dice_of(node: PlayNode) -> Json | None:
    """The dice that are thrown at a node: each is looked at, or only their sum."""
    if not isinstance(node.step, RollStep):
        return None
    count, sides = node.dice
    return {"count": count, "sides": sides, "each": node.step.each} if count else None


def _dice_behind(node: PlayNode, value: Dynamic) -> Json | None:
    """The dice that an answer throws at once, if everybody may know which they are."""
    try:
        after = open_roll(node, value)
        return None if after is None else _dice_of(after)
    except RuntimeFault:  # reported when the option is taken
        return None


# ---------------------------------------------------------------------------------- lookups


def rules_text(table: LiveTable, seat: int, name: str, in_full: bool) -> list[str]:
    """The rules text of a thing: as on its card, or step by step."""
    choices = table.authorised(seat).choices(table.drawing)
    return read_up(table.game, _short(name), choices, in_full, LOOK)


def reasons(table: LiveTable, seat: int, what: str) -> list[str]:
    """The reasons of a value, as far as this seat may know them."""
    return why(table.game, _short(what), seat, LOOK)


def whole_log(table: LiveTable, seat: int) -> list[Json]:
    """The log from the beginning, as this seat may read it."""
    return log_pages(table.notes[seat])


def chronicle(table: LiveTable) -> str:
    """The story of the game as a page of its own, for the host: it hides nothing."""
    return chronicle_html(chronicle_of(table.game))


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(f"a name has at most {LONGEST} characters")
    return text
