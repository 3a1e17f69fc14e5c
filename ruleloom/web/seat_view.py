"""A table as one seat sees it: the data of its page, and its lookups.

Each part respects the machine's secrecy, and never looks at another seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleloom.api.languages import languages_of
from ruleloom.output.printed import chronicle_html, chronicle_of
from ruleloom.runtime.machine.labels import moment_of, worded
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Choose, Roll, RollEach, Words
from ruleloom.runtime.program.values import Dynamic, Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import Prompt, open_roll
from ruleloom.runtime.search.showing import figures
from ruleloom.scenes.boards import Json, board_seen
from ruleloom.scenes.scene import NOBODY, ref_of
from ruleloom.table.authorised_view import AuthorisedView, is_private, throwers
from ruleloom.table.chances import chance_told
from ruleloom.table.diagram import TrackStep, diagram
from ruleloom.table.lookups import asking_rules, read_up, why
from ruleloom.table.narration import Notes, gathered
from ruleloom.table.panels import AskedField, after_answer, follows, panel, rows_of, within_reach
from ruleloom.table.questions import all_numbers, asking_title, type_of
from ruleloom.web.live_table import LOOK, LiveTable
from ruleloom.web.requests import BadInput

# With more options the dice behind each are not computed; more refusals are not listed.
MOST_LOOKED_AT, MOST_REFUSALS = 40, 80
PAGES = 6
LONGEST = 300


def seat_view(table: LiveTable, seat: int) -> Json:
    """The table as `seat` may see it now; for `NOBODY`, as spectators do."""
    game, view, notes = table.reading(seat), table.authorised(seat), table.notes[seat]
    program, wish = game.linked.program, table.wish
    end = game.outcome
    return {
        "type": "table",
        "stamp": table.stamp,
        "table": table.id,
        "game": program.game,
        "title": program.title,
        "seat": seat,
        "language": game.linked.language.code,
        "languages": languages_of(program.game),
        "leads": table.leads(seat),
        "seats": _seats(table),
        "secret": game.node.secret,
        "private": seat != NOBODY and not game.over and is_private(game, seat),
        "board": board_seen(game.linked, game.state, seat),
        "panel": None if view.prompt is None else panel_view(table, seat, panel(view)),
        "standing": [
            {"text": one.text, "answers": one.labels, "this_turn": one.this_turn}
            for one in table.standing.of(seat)
        ],
        "undo": table.may_undo(seat),
        "wish": wish and {"by": table.seats[wish.by].name, "asked": seat in wish.waits_for},
        "pages": len(notes.pages),
        "log": log_pages(notes, len(notes.pages) - PAGES),
        "over": end
        and {
            "winners": [game.players[one] for one in end.winners],
            "reason": str(game.linked.language.of(end.reason)),
            "ranking": [list(rank) for rank in game.ranking],
        },
    }


def _seats(table: LiveTable) -> list[Json]:
    """The players, as everybody sees them."""
    game, waited = table.game, set[int]()
    if not game.over:
        node = game.node
        waited = set(throwers(game, table.people) if node.chance else node.stop.who)
    return [
        {"name": one.name, "kind": one.kind, "leads": one.leads, "to_act": number in waited}
        for number, one in enumerate(table.seats)
    ]


def log_pages(notes: Notes, first: int = 0) -> list[Json]:
    """The log from page `first` on, one page per turn, as its reader sees it."""
    pages = (page for page in notes.pages[max(0, first) :] if page.lines)
    return [
        {"heading": one.heading(one.lines), "told": gathered(one.lines, one.language)}
        for one in pages
    ]


# ---------------------------------------------------------------------------------- the question


def panel_view(table: LiveTable, seat: int, fields: Sequence[AskedField]) -> Json:
    """The questions of a panel; the board as it will be at the last, if it has changed by then; the places
    within reach; and which standing answers may be given: one, or several in order."""
    first, last = fields[0].prompt, _last_of(fields[-1])
    board = board_seen(last.linked, last.state, seat)
    changed = board != board_seen(table.reading(seat).linked, table.game.state, seat)
    return {
        "id": table.question_id(seat),
        "may_stand": table.comes_again(seat) and first.usual is not None,
        "in_order": table.goes_round and first.kind == "choose" and first.usual is None,
        "fields": [
            {**_field(table, one), "row": row and row._asdict()}
            for one, row in zip(fields, rows_of(fields), strict=True)
        ],
        "board": board if changed else None,
        "reach": places_in_reach(fields[-1]) if fields[-1].keys is None else {},
    }


def chance(table: LiveTable, seat: int, id: str, given: Sequence[Sequence[str]]) -> str:
    """The chances of what the last of these answers to a panel leads to, in words."""
    fields = table.panel(seat, id, given)
    return chance_told(fields[len(given) - 1]) if 0 < len(given) <= len(fields) else ""


def _last_of(field: AskedField) -> Game:
    """The game at a question, or after its answer if that can be taken back."""
    game = field.view.game
    after = None if field.keys is None else after_answer(field.view, field.keys)
    return after if after is not None and follows(after, game) else game


def places_in_reach(field: AskedField) -> dict[str, list[Json]]:
    """The places that further answers lead to: the answers, by place."""
    found: dict[str, list[Json]] = {}
    if field.view.game.node.chance or field.view.game.node.secret:
        return found
    labels = {one.key: one.label for one in field.prompt.options}
    for given, view in within_reach(field):
        node, kind = view.game.node, type_of(view.game.node)
        options = () if view.prompt is None or node.takes_sets else view.prompt.options
        places = {ref_of(node.linked, node.state.world, kind, one.value): one for one in options}
        for ref, one in places.items():
            if ref is not None:
                answers = [*given, (one.key,)]
                card = one.label if is_card(node, kind, one.value) else None
                way = {"text": labels[given[0][0]], "answers": answers, "card": card}
                found.setdefault(ref, []).append(way)
    return found


def _field(table: LiveTable, field: AskedField) -> Json:
    """A question: its options, its refused options, the asking rules, and the dice to enter, or to be thrown
    after a text; `keys` is the answer filled in."""
    view, prompt = field.view, field.prompt
    game, node = view.game, view.game.node
    dice = _dice_of(node) if node.chance else None
    is_number = bool(prompt.options) and all_numbers(prompt.options)
    return {
        "kind": prompt.kind,
        "text": prompt.text[:1].upper() + prompt.text[1:],
        "title": asking_title(prompt, node, view.seat),
        "numbers": is_number,
        "options": _options(table, view, prompt),
        "refusals": [] if is_number else _refusals(view, type_of(node)),
        "least": prompt.least,
        "most": prompt.most,
        "usual": prompt.usual,
        "keys": field.keys,
        "rules": [text for _, text in asking_rules(game.linked, game.state)],
        "showing": [{"words": one.words, "text": one.text} for one in figures(node, view.seat)],
        "diagram": _diagram(field),
        "power": prompt.power,
        "turns": _turns(view, prompt),
        "dice": _dice_behind(node, node.found[0]) if node.writes else dice,
    }


def _diagram(field: AskedField) -> Json | None:
    """The tracks that a question is answered on, with the ways that lead to them."""
    found = diagram(field)
    if found is None:
        return None
    tracks = [
        {"title": title, "steps": [_step(one) for one in steps]}
        for title, steps in found.tracks.items()
    ]
    shut = [{"text": one.label, "reason": one.reason} for one in found.shut]
    return {"tracks": tracks, "ways": sorted(found.ways), "shut": shut, "goes_on": found.goes_on}


def _step(step: TrackStep) -> Json:
    """A step of a track, with the numbers beside it."""
    numbers = [{"words": one.words, "text": one.text} for one in step.figures if one.is_number]
    return {
        "text": step.label,
        "numbers": numbers,
        "take": step.take,
        "take_back": step.take_back,
    }


def _options(table: LiveTable, view: AuthorisedView, prompt: Prompt) -> list[Json]:
    """The options: the keys of each (several for equal things), its label, its place on the board, and the
    dice that it throws."""
    node, kind = view.game.node, type_of(view.game.node)
    values = {option.key: option.value for option in prompt.options}
    choices = view.choices(table.drawing(view.seat))
    is_one = not (node.chance or node.secret or node.takes_sets)
    look_ahead = len(choices) <= MOST_LOOKED_AT and is_one
    return [
        {
            "keys": list(one.keys),
            "text": one.text,
            "ref": ref_of(node.linked, node.state.world, kind, values[one.keys[0]]),
            "card": is_card(node, kind, values[one.keys[0]]),
            "dice": _dice_behind(node, values[one.keys[0]]) if look_ahead else None,
        }
        for one in choices
    ]


def _turns(view: AuthorisedView, prompt: Prompt) -> Json | None:
    """What a direction is asked of: a thing or place that the question names first, and the way of each
    answer; None for any other question."""
    node, kind = view.game.node, type_of(view.game.node)
    directions = [one for one in node.linked.program.directions if one.of == kind]
    if not directions or node.takes_sets or not isinstance(node.row, Choose):
        return None
    ref = _turned(node, node.row.prompt, view.seat)
    ways = {one.value: (one.east, one.north) for one in directions}
    keys = {one.key: ways.get(one.value, (0, 0)) for one in prompt.options}
    return {"ref": ref, "ways": keys} if ref is not None else None


def _turned(node: PlayNode, words: Words, seat: int) -> str | None:
    """The first thing or place on the board that a question names, if it hides nothing from the seat."""
    linked, moment = node.linked, moment_of(node.linked, node.state)
    if worded(linked, words, moment, (seat,)) != worded(linked, words, moment, ()):
        return None
    holes = ((one[0], Type.parse(one[1]).name) for one in words if not isinstance(one, str))
    placed = {name for name, how in linked.layout.described.items() if how.at}
    for expr, kind in holes:
        if kind in linked.layout.points or kind in placed:
            value = linked.test(-1, expr)(moment.world, moment.slots, moment.scope, moment.rules)
            return ref_of(linked, moment.world, kind, value)
    return None


def is_card(node: PlayNode, kind: str, value: Dynamic) -> bool:
    """Is this a thing with a rules text to read before it is chosen?"""
    entity = node.linked.entities.get(kind)
    return entity is not None and value is not None and any(entity.powers[value : value + 1])


def _refusals(view: AuthorisedView, kind: str) -> list[Json]:
    """The refused options, with reasons; equal ones are merged."""
    linked = view.game.linked
    is_place = kind in linked.entities or kind in linked.layout.points
    found = {(one.label.partition("#")[0], one.reason): one for one in reversed(view.refusals)}
    return [
        {"text": one.label, "reason": one.reason, "ref": f"{kind}:{one.key}" if is_place else None}
        for one in list(reversed(found.values()))[:MOST_REFUSALS]
    ]


def _dice_of(node: PlayNode) -> Json | None:
    """The dice thrown at a node: each counts, or only their sum."""
    count, sides = node.dice if isinstance(node.row, Roll) else (0, 0)
    dice = {"count": count, "sides": sides, "each": isinstance(node.row, RollEach)}
    return dice if count else None


def _dice_behind(node: PlayNode, value: Dynamic) -> Json | None:
    """The dice that an answer throws at once, if they are public."""
    try:
        after = open_roll(node, value)
        return None if after is None else _dice_of(after)
    except RuntimeFault:  # reported when the option is taken
        return None


# ---------------------------------------------------------------------------------- lookups


def rules_text(table: LiveTable, seat: int, name: str, in_full: bool) -> list[str]:
    """The rules text of a thing: as on its card, or step by step."""
    game = table.reading(seat)
    look, choices = (
        replace(LOOK, language=game.linked.language),
        table.authorised(seat).choices(table.drawing(seat)),
    )
    return read_up(game, _short(name), choices, in_full, look)


def reasons(table: LiveTable, seat: int, what: str) -> list[str]:
    """The derivation of a value, as far as this seat may see."""
    return why(table.game, _short(what), seat, LOOK)


def whole_log(table: LiveTable, seat: int) -> list[Json]:
    """The log from the start, as this seat may read it."""
    return log_pages(table.notes[seat])


def chronicle(table: LiveTable) -> str:
    """The chronicle of the game as an HTML page, for the host: it hides nothing."""
    return chronicle_html(chronicle_of(table.game))


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise BadInput(f"a name has at most {LONGEST} characters")
    return text
