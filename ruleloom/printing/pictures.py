"""Pictures in packs: small files of the two forms that every printer knows, in a folder or a zip."""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile, ZipFile

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.source.file import Place, SourceError, read_bytes

MOST_BYTES = 5_000_000
FORMS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""Media types by the first bytes of a file."""


def picture_of(picture: Item, folder: Path) -> tuple[bytes, str]:
    """The file of a picture in its pack, and its media type; SourceError says why it cannot be had."""
    name = str(picture.data("file"))
    data = (
        _in_zip(folder, name) if folder.is_file() else read_bytes(folder / name, name, MOST_BYTES)
    )
    for start, media_type in FORMS.items():
        if data.startswith(start):
            return data, media_type
    raise _refused(name, "this file is neither a PNG nor a JPEG, whatever its name says")


def _in_zip(path: Path, name: str) -> bytes:
    try:
        with ZipFile(path) as archive:
            found = next(
                (one for one in archive.infolist() if _is_called(one.filename, name)), None
            )
            if found is None:
                raise _refused(name, "there is no such file in the zip")
            if found.file_size > MOST_BYTES:
                raise _refused(name, f"this file is larger than {MOST_BYTES:,} bytes")
            with archive.open(found) as file:
                return file.read(MOST_BYTES)
    except (OSError, BadZipFile, NotImplementedError, RuntimeError):
        raise _refused(name, "this file cannot be read in its zip") from None


def _is_called(inside: str, name: str) -> bool:
    """Whether a file in a zip is this one of its pack, which may stand in one folder."""
    return inside == name or inside.partition("/")[2] == name


def _refused(name: str, message: str) -> SourceError:
    return SourceError("unreadable-file", Place.of_file(name), message, "a PNG or JPEG in the pack")
