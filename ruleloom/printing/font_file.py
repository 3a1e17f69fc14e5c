"""Font files of packs: TrueType, read as far as cards need it, and cut down to the tables that print letters.

Whatever a file says is checked against its length; nothing else of it gets into a document.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from itertools import islice

from ruleloom.runtime.dataclass import Frozen

STARTS = (b"\0\1\0\0", b"true")
# What prints a letter, and what a PDF has to tell of it.
PRINTING = (
    b"OS/2",
    b"cmap",
    b"cvt ",
    b"fpgm",
    b"glyf",
    b"head",
    b"hhea",
    b"hmtx",
    b"loca",
    b"maxp",
    b"prep",
)
NAMES = (b"name", b"post")
NEEDED = (b"OS/2", b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", *NAMES)
MOST_TABLES, MOST_LETTERS = 100, 70_000
NOT_TO_EMBED = 0x0002
"""Of the embedding permissions in `OS/2`: only whoever owns the font may use it."""


class FontError(Exception):
    """What is wrong with a font file."""


class FontFile(Frozen):
    """A font that a card can be set in: its tables for a document, widths and ascent in thousandths."""

    data: bytes
    widths: Mapping[str, int]
    ascent: int


def font_of(data: bytes) -> FontFile:
    """The font in a file. Raises FontError."""
    try:
        return _font(data)
    except (struct.error, IndexError, ZeroDivisionError):
        raise FontError("this font file is damaged") from None


def _font(data: bytes) -> FontFile:
    if not data.startswith(STARTS):
        raise FontError("this is no TrueType font, whatever its name says")
    tables = dict(_tables(data))
    missing = [one.decode() for one in NEEDED if one not in tables]
    if missing:
        raise FontError(f"this font has no table `{missing[0]}`")
    (permission,) = struct.unpack_from(">H", tables[b"OS/2"], 8)
    if permission & 0x000F == NOT_TO_EMBED:
        raise FontError("this font says of itself that it may not be put into documents")
    (unit,) = struct.unpack_from(">H", tables[b"head"], 18)
    (ascent,) = struct.unpack_from(">h", tables[b"hhea"], 4)
    wide = _widths(tables, unit)
    letters = {
        chr(code): wide[glyph] for code, glyph in _letters(tables[b"cmap"]) if 0 < glyph < len(wide)
    }
    if " " not in letters:
        raise FontError("this font has no letters, or no space between them")
    return FontFile(_cut(tables), letters, ascent * 1000 // unit)


def _tables(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The tables of a file that are kept, by their names."""
    (many,) = struct.unpack_from(">H", data, 4)
    for number in range(min(many, MOST_TABLES)):
        tag, _, start, length = struct.unpack_from(">4sLLL", data, 12 + 16 * number)
        if start + length > len(data):
            raise FontError("this font file is damaged")
        if tag in (*PRINTING, *NAMES):
            yield tag, data[start : start + length]


def _widths(tables: Mapping[bytes, bytes], unit: int) -> list[int]:
    """The width of each glyph, in thousandths of the size."""
    (glyphs,) = struct.unpack_from(">H", tables[b"maxp"], 4)
    (many,) = struct.unpack_from(">H", tables[b"hhea"], 34)
    every: tuple[int, ...] = struct.unpack_from(f">{2 * min(many, glyphs)}H", tables[b"hmtx"])[::2]
    wide = [advance * 1000 // unit for advance in every]
    return wide + wide[-1:] * (int(glyphs) - len(wide))


def _letters(table: bytes) -> Iterator[tuple[int, int]]:
    """Letters with their glyphs, of the last Unicode table of a kind that there is, which has most."""
    (many,) = struct.unpack_from(">H", table, 2)
    starts = {}
    for number in range(many):
        system, kind, start = struct.unpack_from(">HHL", table, 4 + 8 * number)
        if (system, kind) in ((0, 3), (0, 4), (3, 1), (3, 10)):
            starts[struct.unpack_from(">H", table, start)[0]] = start
    if 12 in starts:
        return islice(_in_groups(table, starts[12]), MOST_LETTERS)
    if 4 in starts:
        return islice(_in_segments(table, starts[4]), MOST_LETTERS)
    raise FontError("this font does not say which letters it has")


def _in_groups(table: bytes, start: int) -> Iterator[tuple[int, int]]:
    (many,) = struct.unpack_from(">L", table, start + 12)
    for number in range(many):
        first, last, glyph = struct.unpack_from(">LLL", table, start + 16 + 12 * number)
        for code in range(first, min(last, 0x10FFFF) + 1):
            yield code, glyph + code - first


def _in_segments(table: bytes, start: int) -> Iterator[tuple[int, int]]:
    (twice,) = struct.unpack_from(">H", table, start + 6)
    ends, starts = start + 14, start + 16 + twice
    for at in range(0, twice, 2):
        (last,) = struct.unpack_from(">H", table, ends + at)
        (first,) = struct.unpack_from(">H", table, starts + at)
        (delta,) = struct.unpack_from(">H", table, starts + twice + at)
        place = starts + 2 * twice + at
        (offset,) = struct.unpack_from(">H", table, place)
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offset:
                (glyph,) = struct.unpack_from(">H", table, place + offset + 2 * (code - first))
            yield code, (glyph + delta) % 0x10000 if glyph else 0


def _cut(tables: Mapping[bytes, bytes]) -> bytes:
    """A font file of some tables."""
    names = sorted(tables)
    power = len(names).bit_length() - 1
    head = struct.pack(
        ">4sHHHH", STARTS[0], len(names), 16 << power, power, 16 * (len(names) - (1 << power))
    )
    place, entries, bodies = len(head) + 16 * len(names), b"", b""
    for name in names:
        body = tables[name] + b"\0" * (-len(tables[name]) % 4)
        total = sum(struct.unpack(f">{len(body) // 4}L", body)) % 2**32
        entries += struct.pack(">4sLLL", name, total, place + len(bodies), len(tables[name]))
        bodies += body
    return head + entries + bodies
