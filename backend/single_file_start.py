"""Runs Ruleloom from a single file, unpacked into the user's cache when it is run for the first time."""

import os
import shutil
import sys
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

DIGEST = "{digest}"  # of what is unpacked


def unpacked() -> tuple[Path, bool]:
    """The folder of what this file holds; a temporary one, and True, where nothing can be kept."""
    said = (os.environ.get(name, "") for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"))
    base = next((Path(one) for one in said if Path(one).is_absolute()), None)
    try:
        if os.environ.get("RULELOOM_CACHE") == "off":
            raise OSError
        place = (base or Path.home() / ".cache") / "ruleloom" / "single-file"
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = place / DIGEST
        if not folder.is_dir():
            draft = Path(tempfile.mkdtemp(dir=place))
            unpack(draft)
            try:
                draft.rename(folder)
            except OSError:  # another process was faster
                shutil.rmtree(draft, ignore_errors=True)
        if folder.is_dir():
            return folder, False
    except (OSError, RuntimeError):
        pass
    folder = Path(tempfile.mkdtemp(prefix="ruleloom-"))
    unpack(folder)
    return folder, True


def unpack(folder: Path) -> None:
    """Write what this file holds into a folder."""
    with zipfile.ZipFile(sys.argv[0] if zipfile.is_zipfile(sys.argv[0]) else sys.path[0]) as own:
        data = own.read("libraries.zip")
    with zipfile.ZipFile(BytesIO(data)) as libraries:
        libraries.extractall(folder)


def main() -> None:
    """Run the command line."""
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever runs a file may have any Python
        sys.exit("ruleloom needs Python 3.11 or newer, this is " + sys.version.split()[0])
    folder, passing = unpacked()
    sys.path.insert(0, str(folder))
    try:
        from ruleloom.cli.main import run

        run()
    finally:
        if passing:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
