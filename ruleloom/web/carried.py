"""A pack that travels in a link or a zip: it comes from a stranger, so what it changes is told before it
can be played.

A link holds the files as JSON, deflated, in base64url, behind the `#` of an address: browsers send that
part to no server. What comes by a link is made a zip and read as one, within the same limits.
"""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ruleloom import __version__
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.yaml.node import to_data
from ruleloom.diff.compare import Broken, Changes, Side, compare, load_side
from ruleloom.diff.report import DiffReport
from ruleloom.output.zip_file import zipped
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused
from ruleloom.web.lobby import ONE_AT_A_TIME, with_required
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput, Fields, table_of

LONGEST_LINK = 30_000
LARGEST_CARRIED, MOST_FILES = 2 * 1024 * 1024, 200
LONGEST_NAME, MOST_MADE = 64, 50
RAW = -zlib.MAX_WBITS


class Carried(Frozen):
    """A pack on its way: its name, its files, and the versions it was made with, such as `gnostica 1.0.0`."""

    name: str
    files: Mapping[str, str]
    made: tuple[str, ...]

    @property
    def link(self) -> str:
        """The pack as the end of an address; BadInput if it is too long for one."""
        text = json.dumps(
            {"name": self.name, "made": self.made, "files": dict(self.files)}, ensure_ascii=False
        )
        packer = zlib.compressobj(9, zlib.DEFLATED, RAW)
        packed = packer.compress(text.encode()) + packer.flush()
        found = base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
        if len(found) > LONGEST_LINK:
            raise BadInput(told("too_long_for_link", most=LONGEST_LINK // 1000))
        return found

    @property
    def zip(self) -> bytes:
        """The files as a zip, the same for the same files."""
        return zipped({name: text.encode() for name, text in self.files.items()})


def offered(carried: Carried, needs: Sequence[str], reason: str = "") -> dict[str, object]:
    """A pack as a zip, and as the end of an address, or the reason why it cannot be one; what else it
    needs."""
    link = ""
    if not reason:
        try:
            link = carried.link
        except Refused as refused:
            reason = str(refused)
    data = base64.b64encode(carried.zip).decode()
    about = {"link": link, "reason": reason, "needs": [*needs]}
    return {"name": carried.name, "zip": data, **about}


def carried_by(link: str) -> Carried:
    """The pack of a link. Raises BadInput for one that is damaged or too large."""
    if len(link) > LONGEST_LINK:
        raise BadInput(told("bad_link"))
    reader = zlib.decompressobj(RAW)
    try:
        packed = base64.b64decode(link + "=" * (-len(link) % 4), b"-_", validate=True)
        text = reader.decompress(packed, LARGEST_CARRIED)
    except (ValueError, zlib.error):
        raise BadInput(told("bad_link")) from None
    if len(text) == LARGEST_CARRIED:
        raise BadInput(told("large_link"))
    if not reader.eof:
        raise BadInput(told("bad_link"))
    fields = Fields(table_of(text))
    files, made = fields.data.get("files"), fields.texts("made")
    is_pack = isinstance(files, dict) and all(type(one) is str for one in files.values())
    if not isinstance(files, dict) or not is_pack or len(files) > MOST_FILES:
        raise BadInput(told("bad_link"))
    return Carried(fields.text("name", LONGEST_NAME), files, tuple(made[:MOST_MADE]))


def made_with(versions: Mapping[str, str]) -> tuple[str, ...]:
    """The versions that a pack is made with: of the packs it builds on, and of Ruleloom."""
    return *(f"{id} {version}" for id, version in versions.items()), f"ruleloom {__version__}"


def without_packs(game: str, beside: Sequence[str] = ()) -> Side:
    """A game as it comes, or with the packs `beside` it."""
    return load_side(game, game, beside)


def preview(
    name: str, data: bytes, made: tuple[str, ...] = (), games: Iterable[Sequence[str]] = ()
) -> dict[str, Any]:
    """What a pack in a zip changes of its game, in the words of the rules, and its new items. What it
    requires may be among the packs of these `games`. Raises Refused with its mistakes."""
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as folder:
        path = Path(folder, "pack.zip")
        path.write_bytes(data)
        try:
            _, *beside = with_required(str(path), games)
            with ONE_AT_A_TIME:
                new = load_side(path, name, beside, shown=(shown_path(path), name))
                old = without_packs(new.content.game, beside)
        except Broken as broken:
            found = render(broken.diagnostics, broken.sources, "text")
            raise Refused(f"{told('mistakes')}\n{found}") from None
        changes = compare(old, new)
    here = {one.pack: one.version for one in new.program.lock if one.pack != new.pack.id}
    return {
        "name": name,
        "id": new.pack.id,
        "title": _title(new.pack.manifest.fields) or new.pack.id,
        "about": _text(new.pack.manifest.fields.get("about")),
        "version": new.pack.version,
        "game": old.program.title,
        "made": made,
        "here": made_with(here),
        "added": list(_added(changes, new)),
        "report": DiffReport(everything=True).text(old, new, changes, None),
        "zip": base64.b64encode(data).decode(),
    }


def _added(changes: Changes, new: Side) -> Iterator[dict[str, str]]:
    """The new items that have a title."""
    titles = {item.id: _title(item.fields) for item in new.content.items if new.owns(item)}
    for one in changes.items:
        if one.does == "added" and (title := titles.get(one.id)):
            yield {"kind": one.kind, "title": title}


def _title(fields: Mapping[str, Any]) -> str:
    return _text(fields.get("title"))


def _text(node: Any) -> str:
    found = to_data(node) if node is not None else ""
    return found if isinstance(found, str) else ""
