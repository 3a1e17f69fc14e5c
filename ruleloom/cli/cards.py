"""`ruleloom cards`: prints the things of packs as cards."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import click

from ruleloom.api.at_rest import at_rest
from ruleloom.api.content_error import ContentError
from ruleloom.api.making import findings_of, sound
from ruleloom.api.saves import load
from ruleloom.cli.faults import CLEAN, WrongUse, extra_needed
from ruleloom.cli.folders import write_folder
from ruleloom.cli.named_items import named_things, packs_and_names
from ruleloom.cli.options import of_option, option, paths_and_items_argument, write_output
from ruleloom.cli.play.start import unusable
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.paper_sizes import PAPERS
from ruleloom.output.terminal import count_of
from ruleloom.printing.deck import Card, Deck
from ruleloom.printing.font_file import FontError
from ruleloom.printing.html import html
from ruleloom.printing.paper import PaperSide, alone, sheets
from ruleloom.printing.svg import document
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import Type

LIST, CARDS = ".ruleloom-cards", "ruleloom cards"
DOTS = 300


@click.command("cards")
@paths_and_items_argument
@of_option
@option(
    "-o, --output FILE|DIR",
    "A file that ends in .pdf, .html, .svg or .png, or a folder for an SVG of each card.",
    required=True,
)
@click.option(
    "--paper",
    type=click.Choice(list(PAPERS)),
    default="a4",
    show_default=True,
    help="The paper that sheets are printed on.",
)
@option("--bleed", "Leave room between cards, and print their ground beyond the cut.")
@option(
    "--backs", "Print the backs, too, on the other side of each sheet (turned at the long edge)."
)
@option(
    "--save FILE", "Print what was made in this saved game and has a layout, such as followers."
)
@option(
    "--blank N",
    "Print N cards to fill in of whatever is made in play and has a layout.",
    type=click.IntRange(1, 500),
)
@option("--black", "Print in black, with outlines in place of coloured grounds.")
def command(
    words: tuple[str, ...],
    names: tuple[str, ...],
    output: str,
    paper: str,
    bleed: bool,
    backs: bool,
    save: str | None,
    blank: int | None,
    black: bool,
) -> int:
    """Print the things of packs as cards, as the layouts of their game say.

    A PATH is a pack's folder or the name of a shipped game, and whatever else you name is an ITEM, by
    its id or title. Without items, all things of these packs are printed. A PDF or PNG needs the extra
    `pdf`. Exit code 1 if there are mistakes in the packs, or a text does not fit on its card.
    """
    packs, called = packs_and_names(words, names)
    result = compile_paths(packs, texts=True, reasons=False, scenarios=False)
    _, content = sound(result)
    if blank is not None:
        if called or save is not None:
            raise WrongUse("`--blank` prints forms, and no thing by its name", "leave out either")
        cards = forms(result, blank, black)
    else:
        cards = cards_of(result, called, black, save)
    wrote = _write(output, cards, (paper, bleed, backs), content.game)
    print(f"wrote {safe_text(output)}: {count_of(len(cards), 'card')}{wrote}")
    return CLEAN


def cards_of(
    result: CompileResult,
    names: Sequence[str] = (),
    black: bool = False,
    save: str | None = None,
) -> list[Card]:
    """The cards of the things with these names, else of the packs that were named; of what was made in a
    saved game. Raises WrongUse if there are none, ContentError if a text does not fit."""
    program, content = sound(result)
    report = Report()
    if save is None:
        deck = Deck(program, content, at_rest(program), report, black)
        return _told(deck, result, deck.cards(things(program, content, names)))
    game = _saved(save, program)
    deck = Deck(program, content, (game.linked, game.state.world), report, black)
    return _told(deck, result, deck.cards(_made(game, names)))


def forms(result: CompileResult, copies: int, black: bool) -> list[Card]:
    """Cards to fill in of what is made in play. Raises WrongUse if there are none."""
    program, content = sound(result)
    deck = Deck(program, content, at_rest(program), Report(), black)
    return _told(deck, result, deck.forms(copies), "nothing that is made in play has a layout")


def _saved(path: str, program: Program) -> Game:
    """The saved game, by the rules of these packs. Raises WrongUse."""
    try:
        game = load(path)
    except SaveError as error:
        raise unusable(error) from None
    if game.linked.program.lock != program.lock:
        raise WrongUse(
            "this game was saved with other packs", "name the packs that it is played with"
        )
    return game


def _made(game: Game, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The things made in a game that have a layout; those of these names, if any."""
    linked, program = game.linked, game.linked.program
    entities = [program.entity(one) for one in dict.fromkeys(one.entity for one in program.layouts)]
    world = game.state.world
    found = [
        (title_text(linked, world, Type(entity.name), number), entity.name, number)
        for entity in entities
        if not entity.places
        for number in things_there(linked, world, entity).values()
    ]
    titles = dict.fromkeys(title for title, *_ in found)
    if not found:
        raise WrongUse("nothing that was made in this game has a layout")
    for name in names:
        if name not in titles:
            message = f"nothing that was made in this game and has a layout is called `{name}`"
            raise WrongUse(message, offer(name, list(titles)))
    yield from ((entity, one) for title, entity, one in found if not names or title in names)


def _told(
    deck: Deck,
    result: CompileResult,
    found: Iterable[Card],
    none: str = "nothing in these packs has a layout",
) -> list[Card]:
    """Cards without mistakes. Raises WrongUse if there are none, ContentError if a text does not fit."""
    cards, report = list(found), deck.report
    if report.has_errors:
        raise ContentError(replace(findings_of(result), diagnostics=tuple(report.diagnostics())))
    if not cards:
        raise WrongUse(none, "an item of `kind: layout` says what is printed")
    return cards


def things(program: Program, content: Content, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The things with these names, else those of these packs, that a layout prints; in file order."""
    entities = [program.entity(one) for one in dict.fromkeys(one.entity for one in program.layouts)]
    chosen = (
        named_things(entities, names, "a layout")
        if names
        else {
            (entity.name, number)
            for entity in entities
            for number, place in enumerate(entity.places)
            if place.pack in content.named
        }
    )
    for entity in entities:
        numbers = range(len(entity.places))
        yield from ((entity.name, one) for one in numbers if (entity.name, one) in chosen)


def _write(output: str, cards: Sequence[Card], how: tuple[str, bool, bool], title: str) -> str:
    """Write the cards; what to say beside their number."""
    paper, bleed, backs = how
    path = Path(output)
    match path.suffix.lower():
        case ".svg" | ".png" if len(cards) > 1:
            raise WrongUse(
                f"{len(cards)} cards do not go into one picture",
                "name a folder, or one card by --of",
            )
        case ".svg":
            write_output(path, document(cards[0].front, bleed))
            return ""
        case ".png":
            with pdf_writer("a PNG") as writer:
                write_output(path, writer.png(alone(cards[0].front, bleed), DOTS))
            return ""
        case ".pdf" | ".html":
            pages = _sheets(cards, paper, bleed, backs)
            if path.suffix.lower() == ".html":
                write_output(path, html(pages, title))
            else:
                with pdf_writer("a PDF") as writer:
                    write_output(path, writer.pdf(pages, title))
            return f" on {count_of(len(pages), 'page')}"
        case "":
            files = dict(_files(cards, bleed, backs))
            write_folder(path, files, LIST, CARDS)
            return ""
    raise WrongUse(f"{path.suffix} is no form of cards", "a file ends in .pdf, .html, .svg or .png")


@contextmanager
def pdf_writer(user: str) -> Iterator[ModuleType]:
    """The module that writes PDF and PNG. Raises WrongUse without the extra that it needs, and for a font
    of a pack that cannot be put into a PDF."""
    with extra_needed(user, "pdf"):
        module = importlib.import_module("ruleloom.printing.pdf")
    try:
        yield module
    except FontError as error:
        raise WrongUse(str(error), "another file of the font, or an SVG") from None


def _sheets(cards: Sequence[Card], paper: str, bleed: bool, backs: bool) -> list[PaperSide]:
    try:
        return list(sheets(cards, PAPERS[paper], bleed, backs))
    except ValueError as error:
        raise WrongUse(str(error), "another --paper") from None


def _files(cards: Sequence[Card], bleed: bool, backs: bool) -> Iterator[tuple[str, bytes]]:
    """An SVG of each side, by its name: that of its thing, which is unique in its kind."""
    kinds = Counter(card.name for card in cards)
    for card in cards:
        name = card.name if kinds[card.name] == 1 else f"{card.item.kind}-{card.name}"
        yield f"{name}.svg", document(card.front, bleed).encode()
        if backs:
            yield f"{name}-back.svg", document(card.back, bleed).encode()
