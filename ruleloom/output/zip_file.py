"""Zips that are the same bytes for the same files, on every system and with every zlib."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from io import BytesIO

EPOCH = (1980, 1, 1, 0, 0, 0)
UNIX, PLAIN_FILE = 3, 0o100644 << 16


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The files in a zip, by name; stored, as what packs them differs from one zlib to another."""
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system, entry.external_attr = UNIX, PLAIN_FILE
            archive.writestr(entry, data)
    return held.getvalue()
