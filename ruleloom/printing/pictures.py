"""Pictures and fonts in packs: small files of the forms that every printer knows, in a folder or a zip."""

from __future__ import annotations

from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.locate import BUILTIN, find_packs
from ruleloom.compiler.source.file import Place, SourceError
from ruleloom.printing.font_file import FontError, FontFile, font_of

MOST_BYTES = 5_000_000
TRUETYPE = "a TrueType font (.ttf) in the pack, whose licence allows it"
FORMS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""Media types by the first bytes of a file."""


def picture_of(picture: Item, folder: Path) -> tuple[bytes, str]:
    """The file of a picture in its pack, and its media type; SourceError says why it cannot be had."""
    name = str(picture.data("file"))
    data = _content(folder, name, "a smaller picture", "a PNG or JPEG in the pack")
    for start, media_type in FORMS.items():
        if data.startswith(start):
            return data, media_type
    message = "this file is neither a PNG nor a JPEG, whatever its name says"
    raise SourceError("unreadable-file", Place.of_file(name), message, "a PNG or JPEG in the pack")


def font_in(folder: Path, name: str) -> FontFile:
    """The font in a file of a pack; SourceError says why it cannot be had."""
    data = _content(folder, name, "a font of fewer letters", TRUETYPE)
    try:
        return font_of(data)
    except FontError as error:
        place = Place.of_file(name)
        raise SourceError("unreadable-file", place, str(error), TRUETYPE) from None


def _content(folder: Path, name: str, smaller: str, wanted: str) -> bytes:
    (pack,) = find_packs(folder, BUILTIN, Report())
    try:
        return pack.content(name, MOST_BYTES)
    except SourceError as error:
        help = smaller if error.code == "file-too-big" else wanted
        raise SourceError(error.code, error.place, error.message, help) from None
