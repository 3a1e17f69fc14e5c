"""Sheets as PDF and PNG, with the extra `pdf`: texts can be searched, and lengths are exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from io import BytesIO
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
from fpdf import FPDF
from fpdf.drawing import PaintedPath
from fpdf.drawing_primitives import Transform
from fpdf.svg import svg_path_converter
from PIL import Image, ImageOps

from ruleloom.printing.font_file import FontError
from ruleloom.printing.fonts import SUBSETS, Face, PackFace, letters_in
from ruleloom.printing.marks import POINT, QUARTERS, Icon, Mark, MarkGroup, Picture, Shape, TextRun
from ruleloom.printing.paper import PaperSide, Placed
from ruleloom.runtime.dataclass import Frozen

UNDATED = datetime(2000, 1, 1, tzinfo=UTC)
"""Stands in each document, so that its bytes are the same each time."""
CUT = 0.1


def pdf(sheets: Sequence[PaperSide], title: str) -> bytes:
    """Sheets as a document, a side of each to a page. Raises FontError for the font of a pack that cannot be
    put into one."""
    faces = (face for sheet in sheets for one in sheet.placed for face in one.drawing.faces())
    of_packs = {face.family for face in faces if isinstance(face, PackFace)}
    with TemporaryDirectory() as folder:
        try:
            return _pdf(sheets, title, Path(folder))
        except Exception as error:
            if not of_packs:
                raise
            # Whatever a hostile file makes the reader of fonts do.
            raise FontError(f"no PDF can be made with {', '.join(sorted(of_packs))}") from error


def _pdf(sheets: Sequence[PaperSide], title: str, folder: Path) -> bytes:
    document = FPDF(unit="mm")
    document.set_creation_date(UNDATED)
    document.set_title(title)
    document.set_margin(0)
    document.set_auto_page_break(False)
    writer = _Writer(document, set(), folder)
    for sheet in sheets:
        document.add_page(format=(sheet.width / 1000, sheet.height / 1000))
        for placed in sheet.placed:
            writer.card(placed, sheet.bleed)
        document.set_line_width(CUT)
        document.set_draw_color(0)
        for cut in sheet.cuts:
            document.line(*(length / 1000 for length in (cut.x, cut.y, cut.to_x, cut.to_y)))
    return bytes(document.output())


def png(sheet: PaperSide, dots_per_inch: int) -> bytes:
    """One side of a sheet as a picture."""
    page = pypdfium2.PdfDocument(pdf([sheet], ""))[0]
    found = BytesIO()
    page.render(scale=dots_per_inch / 72).to_pil().save(found, "png")
    return found.getvalue()


class _Writer(Frozen):
    """Draws cards into a document; `faces` are the fonts that it has so far. Those of packs are written to
    a folder first."""

    document: FPDF
    faces: set[str]
    folder: Path

    def card(self, placed: Placed, bleed: bool) -> None:
        """One side of a card, cut off at its edge or where its bleed ends."""
        drawing = placed.drawing
        beyond = drawing.bleed if bleed else 0
        start = placed.left - beyond, placed.top - beyond
        size = drawing.width + 2 * beyond, drawing.height + 2 * beyond
        cut = (length / 1000 for length in (*start, *size))
        # What is clipped gets back the colours of before, which the document has to know.
        with self.document.local_context(), self.document.rect_clip(*cut):
            for group in drawing.groups:
                self._group(group, placed.left, placed.top)

    def _group(self, group: MarkGroup, left: int, top: int) -> None:
        with ExitStack() as turned:
            if group.about is not None:
                x, y = group.about
                turned.enter_context(
                    self.document.rotation(180, (left + x) / 1000, (top + y) / 1000)
                )
            for mark in group.marks:
                self._mark(mark, left, top)

    def _mark(self, mark: Mark, left: int, top: int) -> None:
        match mark:
            case TextRun():
                self._text(mark, left, top)
            case Shape():
                self._shape(mark, left, top)
            case Icon():
                x, y = (left + mark.left) / 1000, (top + mark.top) / 1000
                self._icon(mark, x, y)
            case Picture():
                self._picture(mark, left, top)

    def _text(self, run: TextRun, left: int, top: int) -> None:
        self.document.set_text_color(run.colour)
        x, unit = left + run.x, run.size * POINT / QUARTERS / 1000
        for font, text in self._fonts(run.text, run.face):
            self.document.set_font(font, size=run.size / QUARTERS)
            self.document.text(x / 1000, (top + run.y) / 1000, text)
            x += round(run.face.width(text) * unit)

    def _fonts(self, text: str, face: Face) -> Iterator[tuple[str, str]]:
        """The parts of a text with the names of their fonts."""
        if isinstance(face, PackFace):
            file = self.folder / f"{face.name}.ttf"
            file.write_bytes(face.file.data)
            yield self._font(face.name, file), text
            return
        for subset, part in _by_subset(text, face):
            yield self._font(f"{face.name}-{subset}", face.path(subset)), part

    def _font(self, name: str, file: Path) -> str:
        if name not in self.faces:
            self.document.add_font(name, fname=file)
            self.faces.add(name)
        return name

    def _shape(self, shape: Shape, left: int, top: int) -> None:
        if shape.ground:
            self.document.set_fill_color(shape.ground)
        if shape.edge:
            self.document.set_draw_color(shape.colour)
            self.document.set_line_width(shape.edge / 1000)
        self.document.rect(
            (left + shape.left) / 1000,
            (top + shape.top) / 1000,
            shape.width / 1000,
            shape.height / 1000,
            style="F" * bool(shape.ground) + "D" * bool(shape.edge),
            round_corners=bool(shape.rounding),
            corner_radius=shape.rounding / 1000,
        )

    def _icon(self, icon: Icon, x: float, y: float) -> None:
        with self.document.drawing_context() as context:
            path = PaintedPath()
            svg_path_converter(path, icon.path)
            path.style.fill_color = icon.colour
            path.style.stroke_color = None
            path.style.intersection_rule = "evenodd"
            scale = icon.side / 24_000
            path.transform = Transform.scaling(scale).translate(x, y)
            context.add_item(path)

    def _picture(self, picture: Picture, left: int, top: int) -> None:
        shown = Image.open(BytesIO(picture.data)).convert("RGB")
        x, y = (left + picture.left) / 1000, (top + picture.top) / 1000
        width, height = picture.width / 1000, picture.height / 1000
        if picture.fill:
            most = shown.width, round(shown.width * height / width)
            shown = ImageOps.fit(shown, most)
        self.document.image(shown, x, y, width, height, keep_aspect_ratio=True)


def _by_subset(text: str, face: Face) -> Iterator[tuple[str, str]]:
    """The parts of a text by the file that has their letters."""
    latin = letters_in(SUBSETS[0])
    for first, letters in groupby(
        text, lambda letter: letter in latin or letter not in face.widths()
    ):
        yield SUBSETS[0 if first else 1], "".join(letters)
