"""Reads the structure of a zip: the entries its directory lists, and the bytes of one entry.

The directory and the header before each entry must agree, no two entries may share bytes, and no
content may be longer than announced. Any ambiguity is refused, so that no two programs read one
archive differently. Names are left as bytes.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise

from ruleloom.runtime.dataclass import Frozen

END = struct.Struct("<4s4H2IH")
LISTED = struct.Struct("<4s6H3I5H2I")
HEADER = struct.Struct("<4s5H3I2H")
END_MARK, LISTED_MARK, HEADER_MARK = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
LONGEST_COMMENT = 0xFFFF
# The value of a four-byte number whose true value is in the zip64 record, for archives above 4 GiB.
ELSEWHERE = 0xFFFFFFFF
# The number of characters of a name that a message shows.
LONGEST_SHOWN = 100
ANEW = "make it anew from the folder: `python -m zipfile -c house.zip house/`"

STORED, DEFLATED = 0, 8
# Encrypted, holding a patch, strongly encrypted, with a masked directory.
ENCRYPTED = 0x0001 | 0x0040 | 0x2000
PATCHED = 0x0020
SIZES_BEHIND = 0x0008


class BadZip(Exception):
    """A refused zip: the message, help and code of its diagnostic."""

    def __init__(self, message: str, help: str = ANEW, code: str = "bad-archive") -> None:
        super().__init__(message)
        self.help = help
        self.code = code


class ZipEntry(Frozen):
    """One entry: its name in bytes, its file mode, and the span of its content.

    `start` and `end` bound the packed bytes; `size` and `crc` are those of the unpacked content.
    """

    name: bytes
    mode: int
    method: int
    start: int
    end: int
    size: int
    crc: int


def directory_of(data: bytes) -> tuple[int, int, int]:
    """Return the start, end and number of entries of an archive's directory. Raises BadZip."""
    at = data.rfind(END_MARK, max(0, len(data) - END.size - LONGEST_COMMENT))
    if at < 0 or len(data) - at < END.size:
        beginning = data.startswith(HEADER_MARK)
        message = "this zip breaks off before its end" if beginning else "this file is no zip"
        raise BadZip(message)
    _, disk, first_disk, here, count, size, start, comment = END.unpack_from(data, at)
    if disk or first_disk or here != count:
        raise BadZip("this is one part of a zip in several parts")
    if ELSEWHERE in (size, start):
        raise BadZip("this zip is written in the form for archives above 4 GiB")
    if at + END.size + comment != len(data) or start + size != at:
        raise BadZip("the directory of this zip is broken: it is not where it should be")
    return start, at, count


def entries_of(data: bytes, at: int, end: int, count: int) -> list[ZipEntry]:
    """Return the `count` entries that the directory from `at` to `end` lists. Raises BadZip."""
    found = list(_listed(data, at, end, count))
    spans = [*sorted((header, entry.end) for header, entry in found), (at, 0)]
    if any(end > following for (_, end), (following, _) in pairwise(spans)):
        raise BadZip("two entries of this zip share the same bytes")
    return [entry for _, entry in found]


def _listed(data: bytes, at: int, end: int, count: int) -> Iterator[tuple[int, ZipEntry]]:
    """The entries, each with the offset of its header."""
    for _ in range(count):
        if at + LISTED.size > end:
            raise BadZip("the directory of this zip is broken: it breaks off")
        mark, _, _, flags, method, _, _, *sizes, disk, _, attributes, header = LISTED.unpack_from(
            data, at
        )
        crc, packed, size, *lengths = sizes
        name_at, at = at + LISTED.size, at + LISTED.size + sum(lengths)
        if mark != LISTED_MARK or at > end:
            raise BadZip("the directory of this zip is broken: an entry in it is none")
        name = data[name_at : name_at + lengths[0]]
        if ELSEWHERE in (packed, size, header) or disk:
            raise BadZip(f"{quoted(name)} is written in the form for archives above 4 GiB")
        start = _content_start(data, header, name, flags, method, (crc, packed, size))
        yield header, ZipEntry(name, attributes >> 16, method, start, start + packed, size, crc)
    if at != end:
        raise BadZip("the directory of this zip is broken: it lists more than it counts")


def _content_start(
    data: bytes, at: int, name: bytes, flags: int, method: int, sizes: tuple[int, int, int]
) -> int:
    """The offset of an entry's content, after a header that must agree with the directory."""
    if flags & ENCRYPTED:
        raise BadZip(f"{quoted(name)} is encrypted", "make the zip without a password")
    if flags & PATCHED or method not in (STORED, DEFLATED):
        raise BadZip(f"{quoted(name)} is compressed in an unknown way (method {method})")
    broken = f"the header of {quoted(name)} does not say what the directory says of it"
    if at + HEADER.size > len(data):
        raise BadZip(broken)
    mark, _, own_flags, own_method, _, _, *own_sizes, length, extra = HEADER.unpack_from(data, at)
    name_at = at + HEADER.size
    same = (mark, own_flags, own_method) == (HEADER_MARK, flags, method)
    # A streamed entry has its sizes only after its content, and in the directory.
    if not same or not (flags & SIZES_BEHIND or tuple(own_sizes) == sizes):
        raise BadZip(broken)
    if data[name_at : name_at + length] != name:
        raise BadZip(broken)
    start: int = name_at + length + extra
    return start


def content_of(data: bytes, entry: ZipEntry) -> bytes:
    """Return an entry's content, never more than announced. Raises BadZip."""
    packed = memoryview(data)[entry.start : entry.end]
    if entry.method == STORED:
        content, whole = bytes(packed[: entry.size + 1]), True
    else:
        unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = unpacking.decompress(packed, entry.size + 1)
        except zlib.error:
            raise BadZip("this entry of the zip is damaged: it cannot be unpacked") from None
        whole = unpacking.eof and not unpacking.unused_data
    if len(content) > entry.size:
        raise BadZip(f"this entry of the zip holds more than the {entry.size:,} bytes it announces")
    if len(content) < entry.size or not whole:
        raise BadZip("this entry of the zip is damaged: it has another length than it announces")
    if zlib.crc32(content) != entry.crc:
        raise BadZip("this entry of the zip is damaged: its checksum is wrong")
    return content


def quoted(name: bytes) -> str:
    """A name in backticks for messages, cut if very long."""
    text = name.decode("utf-8", "backslashreplace")
    return f"`{text[:LONGEST_SHOWN]}...`" if len(text) > LONGEST_SHOWN else f"`{text}`"
