"""The printed card of an item for a page: a picture, and a sheet to print."""

from __future__ import annotations

from ruleloom.api.at_rest import at_rest
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


def printed_card(result: CompileResult, id: str) -> Json:
    """The first card of an item as SVG, and a page of HTML with all of its cards on sheets of A4; Refused for
    packs with mistakes, an item without cards, and a text that does not fit."""
    program, content = result.program, result.content
    if program is None or content is None:
        raise Refused(told("mend_first"))
    report, item = Report(), content.by_id.get(id)
    deck = Deck(program, content, at_rest(program), report, saving=False)
    made = GameAnalysis(content, program).made(item) if item is not None else ()
    cards = list(deck.cards(made))
    if report.has_errors:
        raise Refused(report.diagnostics()[0].message)
    if not cards:
        raise Refused(told("no_card"))
    front = cards[0].front
    page = html(list(sheets(cards, PAPERS["a4"], bleed=False, backs=False)), front.title)
    return {"title": front.title, "svg": document(front), "page": page}
