"""Cards: the layouts of a game filled with its things, at rest, as drawings.

What does not fit, and letters that no font has, are reported with the place of the item.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.source.file import SourceError
from ruleloom.compiler.yaml.node import YamlNode, text_of
from ruleloom.printing.fitting import Fitted, Paragraph, fitted
from ruleloom.printing.fonts import FAMILIES, Face, PackFace
from ruleloom.printing.marks import Drawing, Icon, Mark, MarkGroup, Picture, Shape, TextRun, mixed
from ruleloom.printing.pictures import font_in, picture_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.explain.sheet_pages import BlankPress, Press
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.lengths import micrometres
from ruleloom.runtime.program.program import CardLayout, CardText, LayoutBox, Program
from ruleloom.runtime.program.values import World

DARK, LIGHT, PLAIN = "#1c1a17", "#ffffff", "#4a4640"
PALE = 14
"""Hundredths of the colour of the frame."""
OTHERWISE = "otherwise"
# How parts of an item are set where the layout does not say: family, bold, italic, hundredths of the size.
PARTS: Mapping[str, tuple[str, bool, bool, int]] = {
    "title": ("sans", True, False, 130),
    "sort": ("sans", False, False, 90),
    "facts": ("sans", False, False, 90),
    "rules": ("serif", False, False, 100),
    "words": ("serif", False, True, 95),
}
SIZES = {
    "poker": "63.5mm 88.9mm",
    "bridge": "57.15mm 88.9mm",
    "tarot": "70mm 120mm",
    "mini": "44.45mm 63.5mm",
    "square": "70mm 70mm",
    "a6": "105mm 148mm",
    "a7": "74mm 105mm",
}
POSITIONS = {"left": 0, "top": 0, "centre": 1, "middle": 1, "right": 2, "bottom": 2}
"""Halves of what is left over."""


class Card(Frozen):
    """A printed card: its item, the name of its thing, and both sides."""

    item: Item
    name: str
    front: Drawing
    back: Drawing


class Deck:
    """The cards of a game at rest, or of what was made in a game in play."""

    def __init__(
        self,
        program: Program,
        content: Content,
        at_rest: tuple[Linked, World],
        report: Report,
        saving: bool,
    ) -> None:
        self.program, self.content, self.report, self.saving = program, content, report, saving
        self.linked, self.world = at_rest
        self.texts = dict(program.cards)
        self.items = {content.origin(item.place): item for item in content.items}
        self.faces: dict[str, Face] = {}
        self.pictures = {
            of.id: one
            for one in content.by_kind("picture")
            for of in content.items_called(str(one.data("of")))
        }

    def face(self, layout: CardLayout, box: LayoutBox, part: Face) -> Face:
        """The face of a part of a text: that of the box, of which a pack may bring the file."""
        node = self._font_node(layout, box.font)
        if node is None:
            return replace(part, family=box.font or part.family)
        pack, _ = self.content.files[node.source.path]
        family = f"{pack}/{text_of(node)}"
        if family not in self.faces:
            self.faces[family] = part
            try:
                file = font_in(self.content.pack(pack).folder, text_of(node))
                self.faces[family] = PackFace(family, file=file)
            except SourceError as error:
                self.report.error(error.code, node.place, error.message, error.help)
        return self.faces[family]

    def _font_node(self, layout: CardLayout, name: str) -> YamlNode | None:
        """The file of one of the fonts of a layout, where it is written; None for those that we ship."""
        item = self.items[layout.origin]
        return None if name in ("", *FAMILIES) else item.fields["fonts"].entries[name]

    def cards(self, chosen: Iterable[tuple[str, int]]) -> Iterator[Card]:
        """The cards of these things, by entity and number; a thing without a layout has none."""
        for entity, number in chosen:
            for layout in reversed(self.program.layouts):
                press = Press(self.linked, self.world, number, _no_text)
                if layout.entity == entity and press.holds(layout.where):
                    yield self._card(layout, press)
                    break

    def forms(self, copies: int) -> Iterator[Card]:
        """So many cards to fill in, by each layout of what is made in play."""
        for layout in self.program.layouts:
            entity = self.program.entity(layout.entity)
            if entity.present and not entity.places:
                for number in range(copies):
                    yield self._card(layout, BlankPress(self.linked, self.world, number, _no_text))

    def _card(self, layout: CardLayout, press: Press) -> Card:
        entity, number = self.program.entity(layout.entity), press.number
        item = self.items[entity.places[number] if entity.places else layout.origin]
        side = _Side(self, layout, press, item)
        front = side.drawing(layout.boxes)
        name = entity.names[number] if entity.places else f"{item.name}-{number + 1}"
        return Card(item, name, front, side.drawing(layout.back or _plain_back(layout)))

    def complain(self, item: Item, code: str, message: str, help: str) -> None:
        """Report a mistake of the card of an item."""
        self.report.error(code, item.place, message, help)


def size_of(layout: CardLayout) -> tuple[int, int]:
    """The width and height of the cards of a layout."""
    width, height = micrometres(SIZES.get(layout.size, layout.size))
    return width, height


def _plain_back(layout: CardLayout) -> tuple[LayoutBox, ...]:
    bleed, inset = layout.bleed, 4_000
    wide, high = size_of(layout)
    return (
        LayoutBox("ground", -bleed, -bleed, wide + 2 * bleed, high + 2 * bleed, ground="frame"),
        LayoutBox(
            "inner",
            inset,
            inset,
            wide - 2 * inset,
            high - 2 * inset,
            ground="pale",
            edge=400,
            rounding=2_500,
        ),
    )


class _Side(Frozen):
    """One side of the card of a thing."""

    deck: Deck
    layout: CardLayout
    press: Press
    item: Item

    def drawing(self, boxes: Sequence[LayoutBox]) -> Drawing:
        """Its marks."""
        groups = tuple(
            MarkGroup(
                marks,
                (box.left + box.width // 2, box.top + box.height // 2) if box.turned else None,
            )
            for box in boxes
            if self.press.holds(box.where) and (marks := tuple(self._marks(box)))
        )
        layout = self.layout
        return Drawing(self._title(), *size_of(layout), layout.bleed, groups)

    def _title(self) -> str:
        return self.press.title(self.layout.entity)

    def _colour(self, named: str) -> str:
        """The colour of text, icon or ground."""
        if self.deck.saving:
            return {"frame": DARK, "dark": DARK, "light": DARK}.get(named, LIGHT)
        frames = dict(self.layout.frames)
        frame = self.layout.frame
        value = OTHERWISE if frame is None else str(self.press.value(frame, None))
        own = frames.get(value, frames.get(OTHERWISE, PLAIN))
        shades = {
            "dark": DARK,
            "light": LIGHT,
            "white": LIGHT,
            "frame": own,
            "pale": mixed(own, PALE),
        }
        return shades[named]

    def _marks(self, box: LayoutBox) -> Iterator[Mark]:
        if box.ground or box.edge:
            yield self._shape(box)
        if box.icon is not None:
            side = min(box.width, box.height)
            left, top = box.left + (box.width - side) // 2, box.top + (box.height - side) // 2
            name = self.press.value(box.icon, None)
            if name is not None:
                icons = dict(self.layout.icons)
                path = icons.get(str(name)) or icons[OTHERWISE]
                yield Icon(left, top, side, path, self._colour(box.ink))
        if box.art:
            yield from self._picture(box)
        yield from self._lines(box)

    def _picture(self, box: LayoutBox) -> Iterator[Picture]:
        picture = self.deck.pictures.get(self.item.id)
        if picture is None:
            return
        try:
            data, media_type = picture_of(picture, self.deck.content.pack(picture.pack).folder)
        except SourceError as error:
            place = picture.fields["file"].place
            self.deck.report.error(error.code, place, error.message, error.help)
            return
        where = box.left, box.top, box.width, box.height
        yield Picture(*where, data, media_type, box.art == "fill")

    def _shape(self, box: LayoutBox) -> Shape:
        # Saving ink, a ground becomes its outline.
        filled = box.ground == "frame" and self.deck.saving
        edge = box.edge or (200 if filled else 0)
        ground = "" if filled or not box.ground else self._colour(box.ground)
        place = box.left, box.top, box.width, box.height
        return Shape(*place, box.rounding, ground, edge, self._colour("frame"))

    def _lines(self, box: LayoutBox) -> Iterator[TextRun]:
        paragraphs = [*self._paragraphs(box)]
        if not paragraphs:
            return
        found = fitted(paragraphs, (box.width, box.height), box.points, box.least)
        if found is None:
            self._does_not_fit(box, paragraphs)
            return
        if found.missing:
            letters = ", ".join(f"`{letter}`" for letter in found.missing)
            message = f"the fonts of cards lack {letters}"
            self.deck.complain(
                self.item, "no-such-letter", message, "a layout with a font of your own that has it"
            )
        ink = self._colour(box.ink)
        above = (box.height - found.height) * POSITIONS[box.stand] // 2
        for line in found.lines:
            before = (box.width - line.width) * POSITIONS[box.align] // 2
            yield TextRun(
                box.left + before, box.top + above + line.base, line.text, line.face, line.size, ink
            )

    def _does_not_fit(self, box: LayoutBox, paragraphs: Sequence[Paragraph]) -> None:
        tall = fitted(paragraphs, (box.width, 100 * box.height), box.least, box.least)
        size = f"at {box.least} points"
        more = (
            f"{size}, {_excess(tall, box)}" if tall is not None else f"{size}, a word is too wide"
        )
        message = f"the text of {self._title()} does not fit in `{box.name}` of its card: {more}"
        help = "fewer words, or a layout with a larger box or a smaller `least`"
        self.deck.complain(self.item, "text-does-not-fit", message, help)

    def _paragraphs(self, box: LayoutBox) -> Iterator[Paragraph]:
        if box.text:
            face = self._face(box, Face("serif", box.bold, box.italic))
            # Of a form, nobody knows the members.
            members = (None,) if box.domain is None else self.press.value(box.domain, None) or ()
            for member in members:
                yield from _split(self.press.words(box.text, member), face, 100)
        for part in box.show:
            family, bold, italic, size = PARTS[part]
            alone = len(box.show) == 1
            face = self._face(box, Face(family, bold or box.bold, italic or box.italic))
            yield from _split(self._part(part), face, 100 if alone else size)

    def _face(self, box: LayoutBox, part: Face) -> Face:
        return self.deck.face(self.layout, box, part)

    def _part(self, part: str) -> str:
        text = self.deck.texts.get(self.item.id, CardText("", "", ""))
        match part:
            case "title":
                return self._title()
            case "sort":
                return self.deck.program.entity(self.layout.entity).singular
            case _:
                return str(getattr(text, part))


def _no_text(entity: str, number: int) -> str:
    return ""


def _split(text: str, face: Face, size: int) -> Iterator[Paragraph]:
    yield from (Paragraph(line, face, size) for line in text.split("\n") if line.strip())


def _excess(found: Fitted, box: LayoutBox) -> str:
    return f"it is {(found.height - box.height + 999) // 1000} mm too high"
