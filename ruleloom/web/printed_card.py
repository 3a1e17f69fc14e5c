"""The printed card of an item, or of a record in the making, for a page: a picture, and a sheet to print."""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.api.at_rest import at_rest
from ruleloom.building.building import Building
from ruleloom.building.plain_tree import PlainTree
from ruleloom.compiler.analysis.analysis import GameAnalysis
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.output.paper_sizes import PAPERS
from ruleloom.printing.deck import Deck
from ruleloom.printing.html import html
from ruleloom.printing.paper import sheets
from ruleloom.printing.svg import document
from ruleloom.runtime.program.faults import Refused
from ruleloom.scenes.boards import Json
from ruleloom.web.pages import told

OF_ITEMS = {"facts", "rules", "words"}
"""Parts of a card that are worded once the item lies in a pack."""


def printed_card(result: CompileResult, id: str) -> Json:
    """The first card of an item as SVG, and a page of HTML with all of its cards on sheets of A4; Refused for
    packs with mistakes, an item without cards, and a text that does not fit."""
    program, content = result.program, result.content
    if program is None or content is None:
        raise Refused(told("mend_first"))
    item = content.by_id.get(id)
    deck = Deck(program, content, at_rest(program), Report(), saving=False)
    return _first(deck, GameAnalysis(content, program).made(item) if item is not None else ())


def record_card(building: Building) -> Json | None:
    """The card of a record as it stands on its bench; None without a layout, and for one that prints what
    only an item of a pack has. Refused for fields that cannot be read, and a text that does not fit."""
    bench, frame = building.bench, building.standing
    if frame is None:
        raise Refused(told("mend_fields"))
    layouts = [one for one in bench.program.layouts if one.entity == frame.main]
    if not layouts or any(OF_ITEMS.intersection(x.show) for one in layouts for x in one.boxes):
        return None
    at_rest = frame.linked, frame.world
    deck = Deck(frame.linked.program, bench.content, at_rest, Report(), saving=False)
    place = bench.content.origin(bench.rows.entity.place)
    deck.items[place] = bench.rows.item(PlainTree.of(building.data).node)
    return _first(deck, [(frame.main, frame.number)])


def _first(deck: Deck, made: Iterable[tuple[str, int]]) -> Json:
    """The first of the cards of some things as a picture, and all of them as a page."""
    cards = list(deck.cards(made))
    if deck.report.has_errors:
        raise Refused(deck.report.diagnostics()[0].message)
    if not cards:
        raise Refused(told("no_card"))
    front = cards[0].front
    page = html(list(sheets(cards, PAPERS["a4"], bleed=False, backs=False)), front.title)
    return {"title": front.title, "svg": document(front), "page": page}
