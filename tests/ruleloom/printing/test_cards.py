"""Printed cards: everything that is shipped fits, the words are those of the game, sizes are exact on paper, and
the same bytes come out each time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from html import unescape
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from shutil import make_archive

import pypdfium2
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image

from ruleloom.api.at_rest import at_rest
from ruleloom.api.making import sound
from ruleloom.api.saves import load
from ruleloom.cli.cards import things
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.paper_sizes import PAPERS
from ruleloom.printing.deck import Card, Deck
from ruleloom.printing.fitting import Paragraph, fitted, words
from ruleloom.printing.font_file import FontError, font_of
from ruleloom.printing.fonts import FONTS, Face, PackFace
from ruleloom.printing.marks import Drawing, MarkGroup, TextRun
from ruleloom.printing.paper import alone, sheets
from ruleloom.printing.pdf import pdf, png
from ruleloom.printing.svg import document
from ruleloom.runtime.play.corrections import things_there
from tests.ruleloom.printing.font_metrics import text as font_metrics
from tests.support.command import call
from tests.support.pack_examples import write

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
SERIF = Face("serif")
PACK = {
    "pack.yaml": "kind: pack\nid: mine\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
    'title: Mine\nrequires: {gnostica: "*"}\n',
    "cards.yaml": "- kind: major\n  id: lantern\n  title: Lantern\n  number: 99\n"
    '  effect: |\n    optional "create":\n      use create\n',
}


def deck_of(game: str, black: bool = False) -> tuple[list[Card], Report]:
    program, content = sound(compile_paths([game], texts=True, reasons=False, scenarios=False))
    report = Report()
    deck = Deck(program, content, at_rest(program), report, black)
    return list(deck.cards(things(program, content, ()))), report


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """A pack in a folder of its own."""
    write(folder / "mine", files)
    return folder / "mine"


def said(svg: str) -> str:
    """The words of a drawing, in order, without the spaces that lines are broken at."""
    return "".join(unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))).split())


@pytest.mark.parametrize("game", GAMES)
def test_all_shipped_cards_fit_and_say_what_the_game_says(game: str):
    cards, report = deck_of(game)
    assert report.diagnostics() == []
    program, _ = sound(compile_paths([game], texts=True, reasons=False, scenarios=False))
    texts = dict(program.cards)
    assert cards
    for card in cards:
        printed, told = said(document(card.front)), texts[card.item.id]
        for part in (told.rules, told.words):
            assert "".join(part.split()) in printed, card.name
        assert "".join(card.front.title.split()) in printed


def test_the_bytes_are_the_same_each_time_and_black_has_no_colour():
    first, second = ([document(card.front) for card in deck_of("gnostica")[0]] for _ in range(2))
    assert first == second
    colours = {
        one
        for card in deck_of("gnostica", True)[0]
        for one in re.findall('"(#[0-9a-f]{6})"', document(card.front))
    }
    assert colours == {"#1c1a17", "#ffffff"}


def test_a_sheet_on_paper_is_exact_and_can_be_searched():
    cards = deck_of("gnostica")[0][:10]
    pages = list(sheets(cards, PAPERS["letter"], False, True))
    data = pdf(pages, "cards")
    assert data == pdf(pages, "cards")
    found = pypdfium2.PdfDocument(data)
    assert len(found) == len(pages) == 6
    width, height = found[0].get_size()
    assert {round(width / 72 * 25.4, 1), round(height / 72 * 25.4, 1)} == {215.9, 279.4}
    page = found[0].get_textpage()
    text = page.get_text_range()
    assert "You may use this card as a" in text
    for card in cards[:4]:
        assert card.front.title in text
    # The first title stands where its card was placed, to a tenth of a millimetre.
    start = page.search("Create 1").get_next()
    assert start is not None
    left = page.get_charbox(start[0])[0] / 72 * 25.4
    marks = (mark for group in cards[0].front.groups for mark in group.marks)
    (run,) = (one for one in marks if isinstance(one, TextRun) and one.text == "Create 1")
    assert left == pytest.approx((pages[0].placed[0].left + run.x) / 1000, abs=0.6)


def test_backs_lie_behind_their_fronts_when_a_sheet_is_turned_at_its_long_edge():
    front, back, *_ = sheets(deck_of("monotheism")[0], PAPERS["a4"], True, True)
    width = front.placed[0].drawing.width
    for one, other in zip(front.placed, back.placed, strict=True):
        assert one.left + width == front.width - other.left
        assert one.top == other.top


def test_cards_of_one_sheet_do_not_touch_and_lie_within_the_margins():
    for paper in PAPERS.values():
        for bleed in (False, True):
            for side in sheets(deck_of("moonstone")[0], paper, bleed, False):
                gap = 2 * side.placed[0].drawing.bleed if bleed else 0
                lefts = sorted({one.left for one in side.placed})
                step = side.placed[0].drawing.width + gap
                assert all(after - before == step for before, after in pairwise(lefts))
                assert lefts[0] >= 5_000
                assert lefts[-1] + side.placed[0].drawing.width <= side.width - 5_000


def test_a_picture_has_the_dots_that_were_asked_for():
    from_card = png(
        next(iter(sheets(deck_of("monotheism")[0][:1], PAPERS["a4"], False, False))), 100
    )
    assert from_card.startswith(b"\x89PNG")


def test_text_shrinks_until_it_fits_and_no_further():
    text = [Paragraph("to be or not to be " * 10, SERIF)]
    large = fitted(text, (60_000, 40_000), 12, 6)
    small = fitted(text, (60_000, 20_000), 12, 6)
    assert large is not None
    assert small is not None
    assert large.lines[0].size > small.lines[0].size >= 24
    assert fitted(text, (60_000, 5_000), 12, 6) is None
    assert fitted([Paragraph("incomprehensibilities", SERIF)], (10_000, 40_000), 12, 12) is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a well-known thing", ["a", " well-", "known", " thing"]),
        ("it is -5 or 1/2", ["it", " is", " -5", " or", " 1/", "2"]),
        ("now—or never", ["now—", "or", " never"]),
    ],
)
def test_a_line_is_broken_between_words_and_behind_dashes(text: str, parts: list[str]):
    assert list(words(text)) == parts


def test_the_widths_of_letters_are_those_of_the_fonts():
    assert (FONTS / "metrics.json").read_text(encoding="utf-8") == font_metrics()


def test_what_does_not_fit_is_told_with_its_place_and_nothing_is_written(tmp_path: Path):
    files = {**PACK, "cards.yaml": PACK["cards.yaml"] + f"  text: {'very long words ' * 90}\n"}
    pack = written(tmp_path, files)
    done = call("cards", pack, "-o", tmp_path / "out.svg")
    assert done.code == 1
    assert "cards.yaml:2:7: error[text-does-not-fit]" in done.out + done.err
    assert not (tmp_path / "out.svg").exists()


def test_a_letter_that_no_font_has_is_told(tmp_path: Path):
    files = {
        **PACK,
        "cards.yaml": PACK["cards.yaml"].replace("title: Lantern", "title: Lantern 灯"),
    }
    pack = written(tmp_path, files)
    done = call("cards", pack, "-o", tmp_path / "out.svg")
    assert done.code == 1
    assert "error[no-such-letter]" in done.out + done.err


@pytest.mark.parametrize("name", ["one.svg", "one.png", "one.html", "one.pdf", "folder"])
def test_only_the_cards_of_the_named_packs_are_printed(tmp_path: Path, name: str):
    pack = written(tmp_path, PACK)
    done = call("cards", pack, "-o", tmp_path / name, "--backs")
    assert done.out.startswith(f"wrote {tmp_path / name}: 1 card"), done.err
    assert (tmp_path / name).exists()


def test_several_cards_are_no_picture_and_a_form_has_to_be_known(tmp_path: Path):
    assert "do not go into one picture" in call("cards", "monotheism", "-o", tmp_path / "a.svg").err
    assert "is no form of cards" in call("cards", "monotheism", "-o", tmp_path / "a.doc").err
    done = call("cards", "monotheism", "--of", "creaton", "-o", tmp_path / "a.svg")
    assert "did you mean `creation`?" in done.err


def test_a_setting_is_filled_in_where_a_text_is_printed(tmp_path: Path):
    text = '  text: "For whoever has {target_score} points."\n'
    pack = written(tmp_path, {**PACK, "cards.yaml": PACK["cards.yaml"] + text})
    assert call("cards", pack, "-o", tmp_path / "a.svg").code == 0
    assert "Forwhoeverhas9points." in said((tmp_path / "a.svg").read_text())
    (pack / "cards.yaml").write_text(PACK["cards.yaml"] + text.replace("target_", "taget_"))
    done = call("check", pack)
    assert "cards.yaml:8:26: error[unknown-name]" in done.out
    assert "did you mean `{target_score}`?" in done.out


def test_things_are_named_behind_their_packs(tmp_path: Path):
    target = tmp_path / "a.pdf"
    assert ": 2 cards on 1 page" in call("cards", "gnostica", "fool", "Sun", "-o", target).out
    assert "did you mean `gnostica`?" in call("cards", "gnostca", "fool", "-o", target).err
    done = call("cards", "gnostica", "foool", "-o", target)
    assert "did you mean `fool`?" in done.err


def test_a_picture_of_a_pack_is_cut_to_its_box_and_one_that_is_missing_is_told(tmp_path: Path):
    pack = written(
        tmp_path,
        {
            **PACK,
            "art.yaml": "- {kind: picture, id: shot, of: major/lantern, file: art/shot.png}\n"
            "- kind: patch\n  id: room\n  target: gnostica:layout/tarot-card\n"
            "  set: {boxes.art: {place: 9mm 9mm 9mm 9mm, art: fill}}\n",
        },
    )
    done = call("cards", pack, "-o", tmp_path / "a.svg")
    assert "art.yaml:1:54: error[unreadable-file]" in done.out + done.err
    (tmp_path / "mine" / "art").mkdir()
    Image.new("RGB", (8, 8)).save(tmp_path / "mine" / "art" / "shot.png")
    assert call("cards", pack, "-o", tmp_path / "a.svg").code == 0
    shown = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "data:image/png;base64," in shown
    zipped = make_archive(str(tmp_path / "packed"), "zip", pack)
    assert call("cards", zipped, "-o", tmp_path / "z.svg").code == 0
    assert (tmp_path / "z.svg").read_text(encoding="utf-8") == shown
    assert call("cards", pack, "-o", tmp_path / "a.pdf").code == 0
    (tmp_path / "mine" / "art" / "shot.png").write_bytes(b"GIF89a")
    done = call("cards", pack, "-o", tmp_path / "b.svg")
    assert "neither a PNG nor a JPEG" in done.out + done.err
    (tmp_path / "mine" / "art" / "shot.png").write_bytes(bytes(5_000_001))
    done = call("cards", pack, "-o", tmp_path / "b.svg")
    assert "larger than 5,000,000 bytes" in done.out + done.err
    assert "a smaller picture" in done.out + done.err


def test_what_is_made_in_play_is_printed_to_fill_in_and_from_a_saved_game(tmp_path: Path):
    save, cards = tmp_path / "game.json", tmp_path / "cards"
    call("play", "monotheism", "--players", "random,random", "--seed", "3", "--save", save)
    done = call("cards", "monotheism", "--save", save, "-o", cards)
    assert done.code == 0, done.err
    game = load(save)
    followers = things_there(game.linked, game.state.world, game.linked.program.entity("Follower"))
    assert len([*cards.glob("follower-card-*.svg")]) == len(followers) > 0
    shown = said((cards / "follower-card-1.svg").read_text())
    assert "black" in shown
    call("cards", "monotheism", "--blank", "1", "-o", tmp_path / "form.svg")
    assert said((tmp_path / "form.svg").read_text()) == "blackredbluefollower"
    assert "other packs" in call("cards", "gnostica", "--save", save, "-o", cards).err
    assert (
        "no thing by its name" in call("cards", "monotheism", "a", "--blank", "1", "-o", cards).err
    )


def own_font(family: str = "Own", permission: int = 0) -> bytes:
    """A font of three letters, each 600 wide."""
    builder = FontBuilder(1000, isTTF=True)
    pen = TTGlyphPen(None)
    for corner in ((0, 0), (0, 700), (500, 700)):
        (pen.lineTo if corner[1] or corner[0] else pen.moveTo)(corner)
    pen.closePath()
    names = [".notdef", "space", "a", "zhe"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({32: "space", 97: "a", 0x416: "zhe"})
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(fsType=permission)
    builder.setupPost()
    file = BytesIO()
    builder.save(file)
    return file.getvalue()


FONT_PACK = {
    **PACK,
    "cards.yaml": PACK["cards.yaml"].replace("title: Lantern", "title: aaЖa"),
    "layout.yaml": "- kind: layout\n  id: own\n  of: 'card: Card'\n  like: gnostica:layout/tarot-card\n"
    "  fonts: {own: fonts/own.ttf}\n  boxes:\n    title: {font: own}\n",
}


@pytest.fixture
def pack_with_font(tmp_path: Path) -> Path:
    pack = written(tmp_path, FONT_PACK)
    (pack / "fonts").mkdir()
    (pack / "fonts" / "own.ttf").write_bytes(own_font())
    return pack


def test_a_font_of_a_pack_is_measured_and_lies_in_every_form(pack_with_font: Path, tmp_path: Path):
    assert call("cards", pack_with_font, "-o", tmp_path / "a.svg").code == 0
    shown = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "font-family:'Pack mine/fonts/own.ttf';src:url(data:font/ttf;base64," in shown
    assert "aaЖa" in said(shown)
    zipped = make_archive(str(tmp_path / "packed"), "zip", pack_with_font)
    assert call("cards", zipped, "-o", tmp_path / "a.pdf").code == 0
    text = pypdfium2.PdfDocument(tmp_path / "a.pdf")[0].get_textpage().get_text_range()
    assert "aaЖa" in text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (None, "there is no such file"),
        (b"OTTO" + bytes(99), "this is no TrueType font"),
        (own_font()[:-10], "this font file is damaged"),
        (own_font(permission=2), "may not be put into documents"),
        (b"\0\1\0\0" + bytes(5_000_001), "error[file-too-big]"),
    ],
    ids=["none", "another form", "cut off", "forbidden", "too large"],
)
def test_a_font_that_cannot_be_had_is_told_where_it_is_named(
    pack_with_font: Path, tmp_path: Path, data: bytes | None, told: str
):
    file = pack_with_font / "fonts" / "own.ttf"
    file.unlink() if data is None else file.write_bytes(data)
    done = call("cards", pack_with_font, "-o", tmp_path / "a.svg")
    assert "layout.yaml:5:16: error[" in done.out
    assert told in done.out
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize("seed", range(40))
def test_a_hostile_font_is_a_font_or_told(seed: int):
    data = bytearray(own_font())
    random = Random(seed)
    for _ in range(random.choice((1, 4, 40))):
        data[random.randrange(len(data))] = random.randrange(256)
    with suppress(FontError):
        face = PackFace("mine/own.ttf", file=font_of(bytes(data)))
        run = TextRun(1_000, 9_000, "a a", face, 40, "#000000")
        pdf([alone(Drawing("", 60_000, 90_000, 0, (MarkGroup((run,)),)), False)], "")
