"""What is looked up in play, as data for printing: a turn with its menus, and the tables of a game.

`turn_blocks` has the steps of a turn and what can be done in it, with the price of each action;
`table_blocks` has the random tables, the printed tables, and lists of things that say little each.
`screen` prints them on pages that fit A4 and Letter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ruleloom.api.version import version_text
from ruleloom.compiler.analysis.game_texts import GameTexts, StepLine, tables, unmarked
from ruleloom.compiler.analysis.yaml_cursor import nodes_of
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.random_tables import KIND as RANDOM_TABLE
from ruleloom.compiler.pipeline import named_in
from ruleloom.reference.audience import for_players
from ruleloom.reference.gathered import menus, title_of
from ruleloom.reference.reference_pages import page
from ruleloom.reference.rulebook.rulebook import planned_by

TURN = "turn"
# A list of things stands on a screen if each says no more words than these.
MOST_WORDS, MOST_THINGS = 16, 24


class ReferenceBlock(NamedTuple):
    """A table to print: its heading, what stands above its columns, and the words of its rows."""

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum(len(cell.split()) for row in (*self.rows, (self.title,)) for cell in row)


def texts_in(content: Content) -> GameTexts:
    """The texts of a game, under the headings that its packs give."""
    _, headings = planned_by(content)
    return GameTexts(content, headings, named_in(content))


def turn_blocks(texts: GameTexts) -> Iterator[ReferenceBlock]:
    """The steps of a turn, then each menu that it comes to, with what an action costs."""
    turn = next((one for one in texts.content.by_kind("flow") if one.name == TURN), None)
    if turn is None:
        return
    steps = texts.text_of(turn).steps
    rows = tuple((str(number), _said(step)) for number, step in enumerate(steps, 1))
    yield ReferenceBlock(turn.id, "A turn", ("", ""), rows)
    asking = {one.item.id for one in menus(nodes_of(texts.content))}
    costs = dict(_costs(texts.content))
    for id in _reached(texts, turn):
        if id in asking:
            yield from _menu_blocks(texts, texts.items[id], costs)


def _reached(texts: GameTexts, turn: Item) -> Iterator[str]:
    """The items that a turn uses, nearest first."""
    waiting = [turn.id]
    for id in waiting:
        yield id
        if id in texts.items:
            waiting += [one for one in texts.text_of(texts.items[id]).uses if one not in waiting]


def _menu_blocks(
    texts: GameTexts, item: Item, costs: Mapping[str, str]
) -> Iterator[ReferenceBlock]:
    """The ways of each choice in a text; a column of costs where one has a price."""
    for step in texts.text_of(item).steps:
        if not step.inner or "hoose" not in step.text:
            continue
        ways = [_way(line, costs) for line in step.inner]
        priced = any(cost for *_, cost in ways)
        columns = ("", "", "costs") if priced else ("", "")
        rows = tuple(way if priced else way[:2] for way in ways)
        yield ReferenceBlock(item.id, unmarked(texts.heading(item)), columns, rows)


def _way(line: StepLine, costs: Mapping[str, str]) -> tuple[str, str, str]:
    """The label of a way, what it does, and what it costs."""
    text = unmarked(line.text).rstrip(":.")
    head, _, rest = text.partition(": ")
    label, comma, condition = head.partition(", if ")
    said = [f"if {condition}"] if comma else []
    said += [rest] if rest else []
    said += [_said(one) for one in line.inner]
    return label, "; ".join(one.rstrip(".") for one in said), costs.get(label.lower(), "")


def _costs(content: Content) -> Iterator[tuple[str, str]]:
    """What each action costs, by its label."""
    for item in content.by_kind("action"):
        prices: Mapping[str, int] = item.data("costs") or {}
        named = (
            f"{much} {name.upper() if len(name) < 3 else name.replace('_', ' ')}"
            for name, much in prices.items()
        )
        yield str(item.data("label")).lower(), ", ".join(named)


def _said(step: StepLine) -> str:
    """A step with those below it, on one line."""
    return " ".join(unmarked(text) for text in step.all())


def table_blocks(texts: GameTexts, wanted: Collection[str] = ()) -> Iterator[ReferenceBlock]:
    """The tables of a game, then its lists of things that say little; or those with `wanted` names."""
    found = sorted(tables(texts), key=lambda one: one[0].kind != RANDOM_TABLE)
    for item, title, rows in found:
        if not wanted or item.name in wanted or item.kind in wanted:
            cells = tuple(tuple(unmarked(cell) for cell in row) for row in rows)
            yield ReferenceBlock(item.id, unmarked(title), ("", ""), cells)
    for kind in texts.symbols.kinds:
        things = [(title_of(one), _card(texts, one)) for one in texts.content.by_kind(kind)]
        short = all(0 < len(card.split()) <= MOST_WORDS for _, card in things)
        if kind in wanted or (not wanted and short and 1 < len(things) <= MOST_THINGS):
            title = unmarked(texts.kind_title(kind))
            yield ReferenceBlock(kind, title, ("", ""), tuple(things))


def _card(texts: GameTexts, item: Item) -> str:
    return unmarked(" ".join(texts.book.card(item).whole.split()))


def screen(content: Content, wanted: Collection[str] = (), players: bool = False) -> str:
    """The pages of a screen; of the card for players without what is for whoever leads the game.

    With `wanted` they have the tables and kinds of these names alone.
    """
    texts = texts_in(for_players(content) if players else content)
    blocks = [*(() if wanted else turn_blocks(texts)), *table_blocks(texts, wanted)]
    title = texts.pack_title(content.packs[-1].id)
    what = "For the players" if players else "For the GM"
    made_by = f"Made by {version_text()}"
    return page("screen.html", title=title, what=what, blocks=blocks, made_by=made_by)
