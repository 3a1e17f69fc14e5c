"""Writes a site into a folder, and removes what an earlier run left there.

A folder that holds anything else is refused, so that nobody's files are lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

# Lists the files of the site; a folder without it is somebody else's.
LIST = ".ruleloom-docs"


class NotOurs(Exception):
    """The folder cannot be written, or is no site."""


def write_site(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a site. Raises NotOurs."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in _written_before(folder) - files.keys():
            (folder / old).unlink(missing_ok=True)
        listed = "".join(f"{name}\n" for name in sorted(files))
        (folder / LIST).write_text(listed, encoding="utf-8")
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NotOurs(f"{folder} cannot be written: {reason}") from None


def _written_before(folder: Path) -> set[str]:
    """The names of the files that an earlier run wrote: nothing that lies elsewhere."""
    listed = folder / LIST
    if not listed.is_file():
        if any(folder.iterdir()):
            raise NotOurs(f"{folder} is not empty, and no site of a game")
        return set()
    names = listed.read_text(encoding="utf-8", errors="replace").splitlines()
    return {name for name in names if name and Path(name).name == name}
