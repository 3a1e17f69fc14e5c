"""Access to the files of editable packs, and to no others on the disk.

A file is identified by its pack's index and its path in the pack. Its folders are opened one by one
without following links, so that nothing outside the pack is read or written whatever another program
does meanwhile. A file is saved only if it has not changed since the client read it.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import unified_diff
from itertools import count
from pathlib import Path
from typing import NamedTuple

from ruleloom.compiler.analysis.yaml_cursor import game_named
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, PACK_ID, find_packs
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.compiler.source.file import MAX_BYTES, SourceError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.system import Folder, is_device
from ruleloom.scaffold.starters import file_name, games, kinds, new_item
from ruleloom.web.lobby import plain_stem
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput

LONGEST_NAME, DEEPEST, MOST_LISTED = 200, 12, 2_000
# One path segment; files that start with a dot are not part of a pack.
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9 ._-]{0,99}")


class WorkPack(NamedTuple):
    """An editable pack: its name, its real folder, and the folders of packs compiled with it."""

    name: str
    folder: str
    together: tuple[str, ...]


class FileText(NamedTuple):
    """The text of a file on the disk, and its mark, a content hash."""

    text: str
    mark: str


class SaveResult(NamedTuple):
    """The result of a save: the file's mark, and `theirs`, the conflicting file if it has changed
    since; None once saved."""

    mark: str
    theirs: FileText | None


def work_packs(games: Iterable[Sequence[str]]) -> list[WorkPack]:
    """The editable packs of these games: not shipped ones, and no zips."""
    shipped = os.path.realpath(BUILTIN)
    found: dict[str, WorkPack] = {}
    for packs in games:
        places = [place for pack in packs for place in find_packs(pack, BUILTIN, Report())]
        own = [one for one in places if not f"{one.key}{os.sep}".startswith(f"{shipped}{os.sep}")]
        together = tuple(one.key for one in own)
        for one in own:
            if one.archive is None:
                found.setdefault(one.key, WorkPack(Path(one.key).name, one.key, together))
    return list(found.values())


class WorkFiles:
    """The files of some packs. Raises BadInput for a file that is not one of them."""

    def __init__(self, packs: Sequence[WorkPack]) -> None:
        self.packs = tuple(packs)
        self._turn = threading.Lock()

    def pack(self, number: int) -> WorkPack:
        """The pack at an index."""
        if not 0 <= number < len(self.packs):
            raise BadInput(told("no_such_file"))
        return self.packs[number]

    def pack_of(self, path: str) -> WorkPack | None:
        """The pack whose folder contains a real path."""
        return next((o for o in self.packs if path.startswith(f"{o.folder}{os.sep}")), None)

    def names(self, number: int) -> list[str]:
        """Paths of a pack's files."""
        folder = self.pack(number).folder
        place = next(iter(find_packs(folder, BUILTIN, Report())), None)
        files, _ = place.files(Report()) if place is not None else ([], True)
        return [one.inside for one in files][:MOST_LISTED]

    def read(self, number: int, name: str) -> FileText:
        """A file's text."""
        with _opened(self.pack(number), name) as (folder, last):
            return _text_of(_bytes_at(folder, last))

    def save(self, number: int, name: str, text: str, mark: str) -> SaveResult:
        """Write a file if its mark is unchanged; otherwise return the current one."""
        data = _data_of(text)
        with self._turn, _opened(self.pack(number), name) as (folder, last):
            old = _bytes_at(folder, last)
            if _mark_of(old) != mark:
                return SaveResult(mark, _text_of(old))
            if b"\r\n" in old:  # keep its line ends
                data = data.replace(b"\n", b"\r\n")
            _replace(folder, last, data)
            return SaveResult(_mark_of(data), None)

    def create(self, number: int, name: str, text: str) -> FileText:
        """Write a file that does not exist."""
        data = _data_of(text)
        if is_device(name):
            raise BadInput(told("bad_file_name", name=name[:LONGEST_NAME]))
        with self._turn, _opened(self.pack(number), name) as (folder, last):
            try:
                folder.create(last, data, 0o644)
                folder.flush()
            except FileExistsError:
                raise Refused(told("file_is_there", name=name)) from None
            except OSError as error:
                raise _unwritten(error) from None
            return _text_of(data)

    def texts(self, number: int) -> dict[str, str]:
        """The texts of a pack's files."""
        return {name: self.read(number, name).text for name in self.names(number)}

    def diff(self, number: int, name: str, text: str) -> list[tuple[str, str]]:
        """The unified diff from the file on the disk to a text: pairs of a line's sign (`+`, `-`, `@` or
        a space) and its text."""
        old = self.read(number, name).text
        lines = unified_diff(old.splitlines(), text.splitlines(), lineterm="", n=3)
        return [(line[:1] or " ", line[1:]) for line in lines][2:]


def unpacked(name: str, data: bytes, folder: Path) -> Path:
    """Write the pack of a zip as a folder in which it can be edited. Raises Refused for an archive that is
    not plain, or holds no pack."""
    stem = plain_stem(name)
    texts = _texts_packed(f"{stem}.zip", data)
    names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    place = next(folder / one for one in names if not (folder / one).exists())
    for parts, text in texts.items():
        file = place.joinpath(*parts)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    return place


def _texts_packed(name: str, data: bytes) -> dict[tuple[str, ...], bytes]:
    """The files of the pack in a zip, by the segments of their paths."""
    report, texts = Report(), dict[tuple[str, ...], bytes]()
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as aside:
        path = Path(aside, name)
        path.write_bytes(data)
        try:
            for found in find_packs(path, BUILTIN, report):
                files, _ = found.files(report)
                texts |= {tuple(_parts(one.inside)): _data_of(one.read().text) for one in files}
        except SourceError as error:
            report.refuse(error)
    if mistakes := report.diagnostics():
        raise Refused("\n".join(one.message for one in mistakes))
    return texts


# ---------------------------------------------------------------------------------- the disk


@contextmanager
def _opened(pack: WorkPack, name: str) -> Iterator[tuple[Folder, str]]:
    """A file's folder, opened without following links, and its base name."""
    parts = _parts(name)
    try:
        folder = Folder.held(pack.folder)
    except OSError:
        raise BadInput(told("no_such_file")) from None
    try:
        for part in parts[:-1]:
            outer, folder = folder, folder.inner(part)
            outer.close()
        yield folder, parts[-1]
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput(told("no_such_file")) from None
    except PermissionError as error:
        raise _unwritten(error) from None
    finally:
        folder.close()


def _parts(name: str) -> list[str]:
    """The segments of a path. Raises BadInput for one that is not a plain path in a pack."""
    parts = name.split("/")
    plain = len(name) <= LONGEST_NAME and len(parts) <= DEEPEST
    plain = plain and all(_PART.fullmatch(part) and ".." not in part for part in parts)
    if not plain or not name.endswith(ENDINGS):
        raise BadInput(told("bad_file_name", name=name[:LONGEST_NAME]))
    return parts


def _bytes_at(folder: Folder, name: str) -> bytes:
    """The content of a regular file. Raises BadInput for a link, a pipe or a large file."""
    try:
        handle, about = folder.open(name)
    except FileNotFoundError:
        raise
    except OSError as error:
        denied = isinstance(error, PermissionError)
        reason = error.strerror if denied else told("no_plain_why")
        raise BadInput(told("no_plain_file", name=name, reason=reason)) from None
    if about.st_size > MAX_BYTES:
        os.close(handle)
        raise BadInput(told("no_plain_file", name=name, reason=told("no_plain_why")))
    with os.fdopen(handle, "rb") as file:
        return file.read(MAX_BYTES + 1)


def _text_of(data: bytes) -> FileText:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(told("not_utf8")) from None
    return FileText(text.replace("\r\n", "\n"), _mark_of(data))


def _data_of(text: str) -> bytes:
    try:
        data = text.replace("\r\n", "\n").encode()
    except UnicodeEncodeError:
        raise Refused(told("not_utf8")) from None
    if len(data) > MAX_BYTES:
        raise Refused(told("file_too_large"))
    return data


def _mark_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _replace(folder: Folder, name: str, data: bytes) -> None:
    """Replace a file atomically."""
    try:
        folder.replace(name, data, folder.mode(name), f".{secrets.token_hex(8)}.tmp")
    except OSError as error:
        raise _unwritten(error) from None


def _unwritten(error: OSError) -> Refused:
    return Refused(told("not_stored", reason=(error.strerror or "").lower()))


LONGEST = 40


def starters(pack: WorkPack) -> list[str]:
    """The kinds with a starter example in the game of a pack."""
    game = game_named(Path(pack.folder))
    return kinds(game) if game in games() else []


def new_file(files: WorkFiles, number: int, kind: str, name: str) -> list[str]:
    """Write the file of a new item, and one with its scenarios; return their names.

    Without a kind the file is empty. Raises Refused for a taken or invalid name.
    """
    pack = files.pack(number)
    if not PACK_ID.fullmatch(name) or len(name) > LONGEST:
        raise BadInput(told("bad_item_name", name=name))
    texts = _texts(pack, kind, name)
    there = files.names(number)
    taken = next((one for one in texts if one in there), None)
    if taken is not None:
        raise Refused(told("file_is_there", name=taken))
    for one, text in texts.items():
        files.create(number, one, text)
    return list(texts)


def _texts(pack: WorkPack, kind: str, name: str) -> dict[str, str]:
    if not kind:
        return {f"{name}.yaml": ""}
    if kind not in starters(pack):
        raise BadInput(told("no_example", kind=kind))
    game = game_named(Path(pack.folder))
    # This line lets other editors find the schema, if the pack has one.
    schema = file_name(game)
    has_schema = (Path(pack.folder) / schema).is_file()
    lead = f"# yaml-language-server: $schema={schema}\n" if has_schema else ""
    return {one: lead + text for one, text in new_item(game, kind, name).items()}
