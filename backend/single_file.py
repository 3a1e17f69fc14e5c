"""Packs a wheel of Ruleloom and its libraries into one file: python backend/single_file.py WHEEL ruleloom.pyz

The file runs with any Python 3.11 or newer, on any system: what is compiled in the libraries is left out, and
plain Python does its work. When it is run for the first time, it unpacks itself into the user's cache.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPILED = ("*.so", "*.pyd", "*.c", "*.pyx")
LEFT_OUT = (
    "bin",
    "Scripts",
    "share",
    "rpds",
    "*__mypyc*",
    "**/__pycache__",
    "**/RECORD",
    "**/*_url.json",
)
MOMENT = (1980, 1, 1, 0, 0, 0)


def pack(wheel: Path, target: Path) -> None:
    """Write the single file. Raises CalledProcessError if a library cannot be fetched."""
    with tempfile.TemporaryDirectory() as place:
        libraries, app = Path(place, "libraries"), Path(place, "app")
        extras = f"{wheel.resolve()}[lsp,web]"
        # The library that only a console of Windows needs comes along everywhere.
        words = ["install", "-q", "--no-compile", "--target", str(libraries), extras, "colorama"]
        subprocess.run([sys.executable, "-m", "pip", *words], check=True)
        make_plain(libraries)
        app.mkdir()
        data = zipped(libraries)
        (app / "libraries.zip").write_bytes(data)
        start = (HERE / "single_file_start.py").read_text(encoding="utf-8")
        start = start.replace("{digest}", hashlib.sha256(data).hexdigest()[:24])
        (app / "__main__.py").write_text(start, encoding="utf-8", newline="\n")
        target.write_bytes(b"#!/usr/bin/env python3\n" + zipped(app))
        target.chmod(0o755)


def make_plain(libraries: Path) -> None:
    """Remove what runs on one system alone, and put plain Python where something has to be."""
    for pattern in (*(f"**/{one}" for one in COMPILED), *LEFT_OUT):
        for path in sorted(libraries.glob(pattern)):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    shutil.copy(HERE.parent / "ruleloom" / "site" / "plain_rpds.py", libraries / "rpds.py")


def zipped(folder: Path) -> bytes:
    """A folder as a zip; the same files give the same bytes."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), MOMENT)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, path.read_bytes())
        file.seek(0)
        return file.read()


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
