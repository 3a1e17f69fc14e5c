"""Reads the manifests of packs, adds the packs that they require, and sorts them.

Required packs come first, otherwise packs are sorted by id, so that the order in which they are named
never matters. Errors found before any content is read: an unknown game, a missing or wrong version,
packs that require one another, one id twice, two games at once. Version ranges are PEP 440
specifiers (`>=1.0,<2`, `==1.2.*`), `*` for any, and the two short forms `^1.2` (below 2) and `~1.2`
(below 1.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import find_circle, in_order
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.locate import PackFolder, known_pack, known_packs
from ruleloom.compiler.packs.walk import ALL_SAVED, Unsaved
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass

# Longer texts would only slow the comparison down.
MAX_LENGTH = 100
SHORT_FORM = re.compile(r"([\^~])\s*(\S+)")


class RangeError(ValueError):
    """An unreadable range; `help` suggests a readable one."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def read_version(text: str) -> Version | None:
    """Return the version written in `text`, or None if it is not one."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        return Version(text)
    except InvalidVersion:
        return None


def read_range(text: str) -> SpecifierSet:
    """Return the versions that `text` allows; raise RangeError if it cannot be parsed."""
    if len(text) > MAX_LENGTH:
        raise RangeError("this range is too long", "write `>=1.0`")
    if text.strip() == "*":
        return SpecifierSet("")
    parts = [_long_form(part.strip()) for part in text.split(",")]
    try:
        return SpecifierSet(",".join(parts))
    except InvalidSpecifier:
        raise RangeError(f"`{text}` is not a range of versions", _advice(text)) from None


def allows(allowed: SpecifierSet, version: Version) -> bool:
    """Tell whether a version is in a range. Previews count: an author who has one wants to use it."""
    return allowed.contains(version, prereleases=True)


def _long_form(part: str) -> str:
    """Spell out `^1.2` and `~1.2` as PEP 440; return other specifiers unchanged."""
    short = SHORT_FORM.fullmatch(part)
    if short is None or part.startswith("~="):
        if part.startswith("===") or not part:
            raise RangeError(f"`{part}` is not a range of versions", "write `>=1.0`")
        return part
    sign, written = short.groups()
    version = read_version(written)
    if version is None:
        raise RangeError(f"`{written}` is not a version", f"write `{sign}1.2`")
    release = version.release
    # The upper bound: `^` keeps all numbers up to the first that is not 0, `~` keeps two.
    first = next((i for i, number in enumerate(release, 1) if number), len(release))
    kept = first if sign == "^" else min(2, len(release))
    ceiling = ".".join(map(str, [*release[: kept - 1], release[kept - 1] + 1]))
    return f">={version.public},<{ceiling}"


def _advice(text: str) -> str:
    text = text.strip()
    if read_version(text) is not None:
        return f"write `^{text}` for this version and later ones that fit, or `=={text}`"
    if re.fullmatch(r"=\s*[0-9][^,\s]*", text):
        return f"write `={text}`"
    if re.fullmatch(r"([<>=!~^]+\s*\S+\s+)+[<>=!~^]+\s*\S+", text):
        return "put a comma between the two: `>=1.0,<2.0`"
    return "write `>=1.0`, `>=1.0,<2.0` or `^1.2`"


EDITIONS = (1,)


@dataclass(frozen=True, slots=True, eq=False)
class Manifest:
    """One `pack.yaml`, checked in isolation."""

    item: Item
    folder: PackFolder
    version: Version

    @property
    def id(self) -> str:
        """The pack's id."""
        return self.item.name

    @property
    def game(self) -> str:
        """The game of the pack."""
        return str(self.item.data("game"))

    @property
    def requires(self) -> Mapping[str, YamlNode]:
        """The ranges by pack id, as written."""
        return entries_of(self.item.fields.get("requires"))

    def ranges(self) -> dict[str, SpecifierSet]:
        """The versions of each required pack, its game included, that fit."""
        written = {id: read_range(str(one.value)) for id, one in self.requires.items()}
        return {id: written.get(id, SpecifierSet("")) for id in self.needs()}

    def needs(self) -> dict[str, Place]:
        """The ids of the required packs, its game included, each with its place in the manifest."""
        needed = {} if self.game == self.id else {self.game: self.item.fields["game"].place}
        required = fields_of(self.item.fields.get("requires"))
        return needed | {id: place for id, _, place in required}


Read = Callable[[PackFolder], Manifest | None]


def gather(
    folders: Iterable[PackFolder],
    builtin: Path,
    store: SchemaStore,
    report: Report,
    sources: dict[str, Source],
    unsaved: Unsaved = ALL_SAVED,
) -> tuple[Manifest, ...]:
    """Return the manifests of these packs and all required ones, sorted; none after reporting an error.

    The source of each is added to `sources`, even if it is broken.
    """

    def read(folder: PackFolder) -> Manifest | None:
        return read_manifest(folder, store, report, sources, unsaved)

    known: dict[str, Manifest] = {}
    sound = True
    for manifest in map(read, {folder.key: folder for folder in folders}.values()):
        if manifest is None:
            sound = False
        elif manifest.id in known:
            note = Note(known[manifest.id].item.place, "the other one is here")
            other = known[manifest.id].folder.manifest_shown
            message = f"two packs are called `{manifest.id}`: this one, and that of {other}"
            help = "name one of them alone, or give one another id"
            report.error("duplicate-pack", manifest.item.place, message, help, [note])
            sound = False
        else:
            known[manifest.id] = manifest
    # A pack with a broken manifest may be the very one that another requires.
    if not sound or not _pull_in(known, builtin, read, report):
        return ()
    fitting = [_check_needs(manifest, known, report) for manifest in known.values()]
    return _in_order(known, report) if all(fitting) and _check_one_game(known, report) else ()


def read_manifest(
    folder: PackFolder,
    store: SchemaStore,
    report: Report,
    sources: dict[str, Source],
    unsaved: Unsaved = ALL_SAVED,
) -> Manifest | None:
    """Return the manifest of a pack; None after reporting an error. Its source is added to `sources`."""
    try:
        source = folder.manifest(unsaved)
    except SourceError as error:
        report.refuse(error)
        return None
    sources[source.path] = source
    node = _one_item(source, report)
    if node is None or not check_item(node, "pack", store, report):
        return None
    return _checked(node, source, folder, report)


def _one_item(source: Source, report: Report) -> YamlNode | None:
    begin = "begin with `kind: pack`, and move everything else to other files"
    reading = Report()
    node = compose(source, reading)
    if node is None and not reading.has_errors:
        place = Place.of_file(source.path)
        report.error("bad-manifest", place, "this manifest holds nothing", begin)
        return None
    report.take(reading.diagnostics())
    if node is None or reading.has_errors:
        return None
    kind = node.get("kind")
    if node.kind == "map" and (kind is None or kind.value == "pack"):
        return node
    help = did_you_mean(kind.text or "", ["pack"]) if kind is not None else None
    message = "`pack.yaml` holds one item, of the kind `pack`"
    report.error("bad-manifest", (kind or node).place, message, help or begin)
    return None


def _checked(node: YamlNode, source: Source, folder: PackFolder, report: Report) -> Manifest | None:
    fields = node.entries
    name = str(fields["id"].value)
    item = Item("pack", name, name, fields, fields["id"].place, node, source)
    written, edition = fields["version"], fields["edition"]
    version = read_version(str(written.value))
    sound = version is not None
    if version is None:
        message = f"`{written.value}` is not a version"
        report.error("bad-version", written.place, message, "write three numbers: `1.0.0`")
    if edition.value not in EDITIONS:
        message = f"edition {edition.value} of the language is not known here; the latest is {EDITIONS[-1]}"
        report.error("unknown-edition", edition.place, message, f"write `edition: {EDITIONS[-1]}`")
        sound = False
    for wanted in entries_of(fields.get("requires")).values():
        try:
            read_range(str(wanted.value))
        except RangeError as error:
            report.error("bad-range", wanted.place, str(error), error.help)
            sound = False
    return Manifest(item, folder, version) if sound and version is not None else None


def _pull_in(known: dict[str, Manifest], builtin: Path, read: Read, report: Report) -> bool:
    waiting = list(known.values())
    sound = True
    for manifest in waiting:  # the list grows meanwhile
        for id, place in manifest.needs().items():
            if id in known:
                continue
            near, before = manifest.folder.path, len(report.found)
            folder = known_pack(id, near, builtin, report)
            if folder is None:
                choices = sorted({*known, *known_packs(near, builtin)} - {manifest.id})
                if len(report.found) == before:
                    _complain_missing(manifest, id, place, choices, report)
                sound = False
                continue
            pulled = read(folder)
            if pulled is None:
                return False
            known[id] = pulled
            waiting.append(pulled)
    return sound


def _complain_missing(
    manifest: Manifest, id: str, place: Place, choices: list[str], report: Report
) -> None:
    code, message = "missing-pack", f"the pack `{id}` is required and cannot be found"
    help = f"name the folder of `{id}` too, so that both are checked together"
    if id == manifest.game and id not in manifest.requires:
        code, message = "unknown-game", f"no pack for the game `{id}` is known"
        help = "name a shipped game, or check the game's own pack along with this one"
    report.error(code, place, message, did_you_mean(id, choices) or help)


def _check_needs(manifest: Manifest, known: Mapping[str, Manifest], report: Report) -> bool:
    """Check the versions that a pack requires, and that its game is a game."""
    sound = True
    game = known[manifest.game]
    if game.game != game.id:
        place = manifest.item.fields["game"].place
        message = f"`{game.id}` is no game: it is a pack for the game `{game.game}`"
        report.error("unknown-game", place, message, f"write `game: {game.game}`")
        sound = False
    for id, wanted in manifest.requires.items():
        found = known[id]
        if not allows(read_range(str(wanted.value)), found.version):
            both = f"in version `{wanted.value}`, and version {found.version} is found"
            note = Note(found.item.fields["version"].place, "its version is set here")
            report.error("wrong-version", wanted.place, f"`{id}` is wanted {both}", None, [note])
            sound = False
    return sound


def _check_one_game(known: Mapping[str, Manifest], report: Report) -> bool:
    ordered = [known[id] for id in sorted(known)]
    other = next((one for one in ordered if one.game != ordered[0].game), None)
    if other is None:
        return True
    first = ordered[0]
    message = f"`{other.id}` is for `{other.game}`, and `{first.id}` for `{first.game}`"
    note = Note(first.item.fields["game"].place, f"the game of `{first.id}` is set here")
    help = "check packs of different games one by one"
    report.error("other-game", other.item.fields["game"].place, message, help, [note])
    return False


def _in_order(known: Mapping[str, Manifest], report: Report) -> tuple[Manifest, ...]:
    needs = {id: known[id].needs() for id in sorted(known)}
    order = in_order(needs)
    if len(order) == len(known):
        return tuple(known[id] for id in order)
    path = find_circle({id: places for id, places in needs.items() if id not in order})
    message = f"packs require each other in a circle: {' -> '.join(path)}"
    first, *notes = (Note(needs[a][b], f"`{a}` needs `{b}`") for a, b in pairwise(path))
    report.error("pack-cycle", first.place, message, "take one of them out", notes)
    return ()
