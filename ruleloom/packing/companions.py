"""The files of a pack that the compiler does not read, and those of them that travel with it: its licence,
what is to be read first, its pictures and fonts.

Links, hidden folders and other files stay where they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from ruleloom.compiler.packs.walk import ENDINGS, readable
from ruleloom.runtime.system import DEVICE_NAMES, is_folder

TO_READ = re.compile(
    r"(?:LICEN[CS]E|COPYING|NOTICE|README|CHANGELOG)(?:[.-][\w.-]+)?", re.IGNORECASE
)
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
FONTS = (".ttf", ".otf", ".woff", ".woff2")
NOT_ON_WINDOWS = re.compile(r'[<>:"|?*\\]|[. ]$')


def is_artwork(name: str) -> bool:
    """Whether a file is a picture or a font, by its name."""
    return name.lower().endswith((*PICTURES, *FONTS))


def travels(name: str) -> bool:
    """Whether a file that is not read travels: a picture, a font, or at the top a text about the pack."""
    return is_artwork(name) or TO_READ.fullmatch(name) is not None


def others_in(folder: Path) -> list[str]:
    """The names within the pack of all files that are not read, sorted."""
    return sorted(_others(os.fspath(folder), ""))


def _others(folder: str, inside: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{inside}{readable(entry.name)}"
            if entry.name.startswith("."):
                continue
            if is_folder(entry):
                yield from _others(entry.path, f"{name}/")
            elif not name.endswith(ENDINGS):
                yield name


def clashes_with_windows(name: str) -> bool:
    """Whether a part of a name cannot be the name of a file on Windows."""
    parts = name.split("/")
    return any(
        NOT_ON_WINDOWS.search(part) or part.partition(".")[0].lower() in DEVICE_NAMES
        for part in parts
    )
