"""Pictures in packs: small files of the two forms that every printer knows, in a folder or a zip."""

from __future__ import annotations

from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.locate import BUILTIN, find_packs
from ruleloom.compiler.source.file import Place, SourceError

MOST_BYTES = 5_000_000
FORMS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""Media types by the first bytes of a file."""


def picture_of(picture: Item, folder: Path) -> tuple[bytes, str]:
    """The file of a picture in its pack, and its media type; SourceError says why it cannot be had."""
    name = str(picture.data("file"))
    (pack,) = find_packs(folder, BUILTIN, Report())
    try:
        data = pack.content(name, MOST_BYTES)
    except SourceError as error:
        help = "a smaller picture" if error.code == "file-too-big" else "a PNG or JPEG in the pack"
        raise SourceError(error.code, error.place, error.message, help) from None
    for start, media_type in FORMS.items():
        if data.startswith(start):
            return data, media_type
    message = "this file is neither a PNG nor a JPEG, whatever its name says"
    raise SourceError("unreadable-file", Place.of_file(name), message, "a PNG or JPEG in the pack")
