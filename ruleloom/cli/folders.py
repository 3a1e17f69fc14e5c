"""Folders that a command writes whole: what an earlier run wrote and this one does not is removed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ruleloom.cli.faults import WrongUse


def write_folder(folder: Path, files: Mapping[str, bytes], list_name: str, command: str) -> None:
    """Write the files, by their path in the folder, and remove those of an earlier run. The file `list_name`
    has the list of them. Raises WrongUse if the folder holds something else, or cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in _written_before(folder, list_name, command) - files.keys():
            (folder / old).unlink(missing_ok=True)
        listed = "".join(f"{name}\n" for name in sorted(files)).encode()
        for name, data in {list_name: listed, **files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise WrongUse(f"{folder} cannot be written: {reason}") from None


def refuse_foreign(folder: Path, list_name: str, command: str) -> None:
    """Raise WrongUse if the folder holds something that no earlier run has written."""
    if folder.is_dir():
        _written_before(folder, list_name, command)


def _written_before(folder: Path, list_name: str, command: str) -> set[str]:
    """The paths of the files from an earlier run."""
    listed = folder / list_name
    if not listed.is_file():
        if any(folder.iterdir()):
            help = f"name a new folder, or one that `{command}` has written"
            raise WrongUse(f"{folder} holds something else", help)
        return set()
    names = listed.read_text(encoding="utf-8", errors="replace").splitlines()
    return {name for name in names if _is_inside(PurePosixPath(name))}


def _is_inside(path: PurePosixPath) -> bool:
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts
