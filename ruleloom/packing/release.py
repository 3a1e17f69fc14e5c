"""The zip of a pack: the files that the compiler reads, those that travel with them, and a lock.

Texts have the line ends and the zip the order, times and modes that no system changes. It is read back
before it is given away, as the one who gets it will read it.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.load import load_content
from ruleloom.compiler.packs.content import Content, Pack
from ruleloom.compiler.packs.kept import LOCK
from ruleloom.compiler.packs.locate import PackFolder
from ruleloom.compiler.source.file import SourceError
from ruleloom.output.zip_file import zipped
from ruleloom.packing.companions import clashes_with_windows, is_artwork, others_in, travels
from ruleloom.packing.credits import findings_about
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused

CHANGELOG = "CHANGELOG.md"
LARGEST = 16 * 1024 * 1024  # bytes of a picture


class Release(Frozen):
    """The files of a release by their name in the pack, and the names of those that stay."""

    pack: Pack
    files: Mapping[str, bytes]
    left_out: tuple[str, ...]

    @property
    def zip(self) -> bytes:
        """The files in the zip, in one folder with the pack's id."""
        return zipped({f"{self.pack.id}/{name}": data for name, data in self.files.items()})


def release_of(
    folder: PackFolder, content: Content, changes: str = ""
) -> tuple[Release, Sequence[Diagnostic]]:
    """The release of the pack in a folder, with these `changes` in its changelog, and what forbids it."""
    pack = next(one for one in content.packs if one.folder.resolve() == folder.path.resolve())
    report = Report()
    others = others_in(folder.path)
    names = [name for name in others if travels(name)]
    files = files_of(folder, names, report)
    report.take(findings_about(content, pack, names))
    files[LOCK] = lock_text(content.packs).encode()
    if changes:
        files[CHANGELOG] = b"\n".join(filter(None, (changes.encode(), files.get(CHANGELOG))))
    left = tuple(name for name in others if not travels(name) and name != LOCK)
    return Release(pack, files, left), report.diagnostics()


def files_of(folder: PackFolder, others: Sequence[str], report: Report) -> dict[str, bytes]:
    """The files that the compiler reads, and these `others`; those that cannot be read are reported."""
    return _texts(folder, report) | dict(_others(folder, others, report))


def _others(
    folder: PackFolder, names: Sequence[str], report: Report
) -> Iterator[tuple[str, bytes]]:
    """The files that travel beside what the loader reads; those that cannot be read are reported."""
    for name in names:
        try:
            data = folder.content(name, LARGEST)
        except SourceError as error:
            report.refuse(error)
            continue
        yield name, data if is_artwork(name) else data.replace(b"\r\n", b"\n")


def _texts(folder: PackFolder, report: Report) -> dict[str, bytes]:
    """The files that the compiler reads."""
    files: dict[str, bytes] = {}
    for one in folder.files(report)[0]:
        try:
            files[one.inside] = one.read().text.encode()
        except SourceError as error:
            report.refuse(error)
    return files


def lock_text(packs: Iterable[Pack]) -> str:
    """A lock: the version and hash of each pack."""
    data = {one.id: {"version": one.version, "hash": one.hash} for one in packs}
    return json.dumps({"packs": data}, indent=1, sort_keys=True) + "\n"


def read_back(release: Release, beside: Sequence[str]) -> str:
    """The hash of the zip, once it is read as a pack that is the same. Raises Refused if it is not."""
    name = next(filter(clashes_with_windows, release.files), None)
    if name is not None:
        raise Refused(f"`{name}` cannot be the name of a file on Windows")
    report = Report()
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as place:
        path = Path(place) / "pack.zip"
        path.write_bytes(release.zip)
        content = load_content([*beside, str(path)], report, scenarios=False)
    hashes = [] if content is None else [one.hash for one in content.packs]
    if release.pack.hash not in hashes:
        told = "; ".join(f"{one.place.path}: {one.message}" for one in report.diagnostics())
        raise Refused(f"the zip would not be the pack: {told or 'its files changed meanwhile'}")
    return hashlib.sha256(release.zip).hexdigest()
