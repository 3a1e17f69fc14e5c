"""Adds packs to a project, or newer versions of them.

What is wished is resolved with all that is kept, brought, held against what was promised of it, and compiled,
before anything is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from packaging.version import Version

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.index_file import ANY, IndexEntry
from ruleloom.compiler.packs.kept import KeptPack
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, shipped_pack, shown_path
from ruleloom.compiler.packs.manifest import Manifest, allows, read_manifest
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.diff.compare import Broken
from ruleloom.getting.indexes import Index
from ruleloom.getting.project_packs import ProjectPacks
from ruleloom.getting.resolving import Offered, Wish, newness, range_text, resolve
from ruleloom.getting.sources import Arrived, ReadPack, bring, check_sum, read_pack
from ruleloom.getting.written_sources import AnySource, NamedSource, NotGot, read_source
from ruleloom.output.repository import with_paths
from ruleloom.runtime.dataclass import Frozen
from ruleloom.store.store import get_bytes


class NewPack(Frozen):
    """A pack that may be kept: as the lock would list it, its zip, its manifest, and what it compiles to."""

    kept: KeptPack
    arrived: Arrived
    manifest: Manifest
    content: Content


Indexes = Callable[[], Sequence[Index]]
"""The indexes, read when first asked for: what needs none asks nobody."""


class Resolved(NamedTuple):
    """What would be kept, required packs first, and why the newest versions of some would not be."""

    found: Sequence[NewPack]
    held_back: Sequence[str]


class _Shelf:
    """Where candidates come from: sources that were named, shipped packs, kept ones, indexes."""

    def __init__(self, project: ProjectPacks, indexes: Indexes, newer: Collection[str]) -> None:
        self.project, self.indexes, self.newer = project, indexes, newer
        self.given: dict[str, Offered] = {}
        self.offer = cache(self._offered)

    def _offered(self, id: str) -> tuple[Offered, ...]:
        if id in self.given:
            return (self.given[id],)
        shipped = shipped_pack(id, BUILTIN)
        if shipped is not None:
            manifest = read_manifest(shipped, schemas_of(SCHEMAS), Report(), {})
            assert manifest is not None, id
            return (_candidate(manifest, None),)
        kept = self.project.packs.get(id)
        own = () if kept is None else (_candidate(self.project.manifest(kept), kept),)
        if kept is not None and id not in self.newer:
            return own
        listed = self._listed(id, {one.version for one in own})
        return tuple(sorted((*own, *listed), key=newness, reverse=True))

    def _listed(self, id: str, known: Collection[Version]) -> Iterator[Offered]:
        """What the first index that lists a pack lists of it."""
        for index in self.indexes():
            found = index.listed(id)
            for one in found:
                if one.version not in known:
                    yield Offered(id, one.version, one.requires, (index, one))
            if found:
                return


def _candidate(manifest: Manifest, origin: object) -> Offered:
    return Offered(manifest.id, manifest.version, manifest.ranges(), origin)


@contextmanager
def additions(
    project: ProjectPacks,
    sources: Sequence[AnySource],
    indexes: Indexes,
) -> Iterator[Resolved]:
    """What would be kept beside what is. Packs that are named may be replaced by a newer version. Raises
    NotGot or Broken."""
    newer = [one.id for one in sources if isinstance(one, NamedSource)]
    with TemporaryDirectory(prefix="ruleloom-") as place:
        folder, shelf = Path(place), _Shelf(project, indexes, newer)
        wishes = [_wish(source, shelf, folder) for source in sources]
        wishes += [Wish(id, ANY) for id in project.packs]
        chosen = resolve(wishes, shelf.offer)
        arrived = {
            id: pack for id, one in chosen.items() if (pack := _arrived(one, project, folder))
        }
        held_back = [*_held_back((shelf.offer(id)[0] for id in newer), chosen)]
        yield Resolved([*_checked(chosen, arrived, project)], held_back)


def _held_back(newest: Iterable[Offered], chosen: Mapping[str, Offered]) -> Iterator[str]:
    """Why the newest versions of packs would not be kept."""
    return (_why_not(one, chosen) for one in newest if newness(one) > newness(chosen[one.id]))


def _why_not(newest: Offered, chosen: Mapping[str, Offered]) -> str:
    """Why a version does not fit with those that were chosen."""
    pairs = [(one, newest) for one in chosen.values()]
    pairs += [(newest, chosen[id]) for id in newest.requires if id in chosen]
    why = [
        f"{one.id} {one.version} wants {other.id} {range_text(wanted)}"
        for one, other in pairs
        if not allows(wanted := one.requires.get(other.id, ANY), other.version)
    ]
    told = "; ".join(why) or "what it requires does not fit with other packs"
    return f"{newest.id} {newest.version} is not taken: {told}"


def _wish(source: AnySource, shelf: _Shelf, folder: Path) -> Wish:
    """What a source asks for; a pack that is not of an index is brought at once."""
    if isinstance(source, NamedSource):
        if shipped_pack(source.id, BUILTIN) is not None:
            raise NotGot(f"`{source.id}` comes with Ruleloom, and need not be added")
        return Wish(source.id, source.wanted)
    pack = read_pack(bring(source, shelf.project.folder), folder)
    other = shelf.given.setdefault(pack.id, _candidate(pack.manifest, pack))
    if other.origin is not pack:
        raise NotGot(f"two of the sources are the pack `{pack.id}`", "name one of them")
    return Wish(pack.id, ANY)


def _arrived(chosen: Offered, project: ProjectPacks, folder: Path) -> ReadPack | None:
    """The pack of a candidate that is not kept yet. Raises NotGot for one that is not what was promised."""
    match chosen.origin:
        case ReadPack() as pack:
            kept = project.packs.get(pack.id)
            if kept is None or kept.sha256 != pack.arrived.sha256:
                _refuse_changed(kept, pack)
                return pack
        case Index() as index, IndexEntry() as entry:
            source, led = index.source_of(entry)
            arrived = bring(source, project.folder, led)
            check_sum(arrived, entry.sha256, f"{index.source.shown} lists")
            pack = read_pack(arrived, folder)
            _hold_to(entry, pack, index)
            _refuse_changed(project.packs.get(pack.id), pack)
            return pack
    return None


def _refuse_changed(kept: KeptPack | None, pack: ReadPack) -> None:
    """Refuse another content under a version that is kept: it would be another game without a sign of it."""
    is_other = kept is not None and kept.sha256 != pack.arrived.sha256
    if kept is not None and is_other and kept.version == str(pack.version):
        message = f"{pack.arrived.shown} is `{kept.id}` {kept.version}, which is kept, with another content"
        help = f"its author can raise the version; to take it as it is: ruleloom remove {kept.id}"
        raise NotGot(message, help)


def _hold_to(entry: IndexEntry, pack: ReadPack, index: Index) -> None:
    """Refuse a pack that is not what its index says."""
    says = {"id": entry.id, "version": entry.version, "requires": dict(entry.requires)}
    found = {"id": pack.id, "version": pack.version, "requires": pack.manifest.ranges()}
    for part, said in says.items():
        if found[part] != said:
            now, told = _told(found[part]), _told(said)
            whose = f"the {part} of the pack in {pack.arrived.shown}"
            message = f"{whose} is {now}, and {index.source.shown} says {told}"
            raise NotGot(message, "whoever keeps the index can make it anew: `ruleloom index`")


def _told(part: object) -> str:
    if not isinstance(part, dict):
        return f"`{part}`"
    return (
        ", ".join(f"{id} {range_text(wanted) or '*'}" for id, wanted in sorted(part.items()))
        or "nothing"
    )


def _checked(
    chosen: Mapping[str, Offered], arrived: Mapping[str, ReadPack], project: ProjectPacks
) -> Iterator[NewPack]:
    """Compile each pack that has come with all that it requires. Raises Broken or NotGot."""
    shown = {shown_path(pack.path): pack.arrived.shown for pack in arrived.values()}
    needs = {id: _below(id, chosen) for id in chosen}
    zips = {id: [*_zips(needs[id], arrived, project)] for id in chosen}
    # What is kept has to go on with what is new.
    for id in (id for id in project.packs.keys() - arrived.keys() if arrived.keys() & needs[id]):
        _compiled(zips[id], id, shown)
    for id, pack in sorted(arrived.items(), key=lambda one: (len(needs[one[0]]), one[0])):
        yield _new_pack(pack, chosen[id], _compiled(zips[id], pack.arrived.shown, shown))


def _zips(
    ids: Sequence[str], arrived: Mapping[str, ReadPack], project: ProjectPacks
) -> Iterator[Path]:
    """The zips of packs that have come or are kept; shipped ones have none."""
    for id in ids:
        if id in arrived:
            yield arrived[id].path
        elif id in project.packs:
            yield project.path(project.packs[id])


def _new_pack(pack: ReadPack, chosen: Offered, content: Content) -> NewPack:
    arrived, origin = pack.arrived, chosen.origin
    index = origin[0].text if isinstance(origin, tuple) else ""
    hash, version = content.pack(pack.id).hash, str(pack.version)
    kept = KeptPack(pack.id, version, hash, arrived.source, arrived.sha256, arrived.commit, index)
    return NewPack(kept, arrived, pack.manifest, content)


def _below(id: str, chosen: Mapping[str, Offered]) -> list[str]:
    """A pack and all that it requires."""
    found = [id]
    for one in found:  # the list grows meanwhile
        found += [other for other in chosen[one].requires if other not in found]
    return found


def _compiled(zips: Sequence[Path], label: str, shown: Mapping[str, str]) -> Content:
    """The content of packs without mistakes. Raises Broken; zips are displayed by what they are from."""
    interfaces = partial(get_bytes, "interface")
    result = compile_paths(zips, reasons=False, interfaces=interfaces, played=False)
    if result.ok and result.content is not None:
        return result.content

    def told(path: str) -> str:
        top = next((one for one in shown if path.startswith(one)), None)
        return path if top is None else shown[top] + path.removeprefix(top)

    raise Broken(label, *with_paths(result.diagnostics, result.sources, told))


def keep(project: ProjectPacks, found: Sequence[NewPack]) -> ProjectPacks:
    """Keep these packs beside what is kept. Raises NotGot, and then all is as it was."""
    packs = {**project.packs, **{one.kept.id: one.kept for one in found}}
    return project.replaced(packs, {one.kept.file: one.arrived.data for one in found})


def without(project: ProjectPacks, ids: Collection[str]) -> ProjectPacks:
    """Remove these packs. Raises NotGot if one is not kept, or required by one that stays."""
    for id in ids:
        if id not in project.packs:
            help = f"`ruleloom list` says which are: {', '.join(project.packs)}"
            raise NotGot(f"no pack `{id}` is kept", help)
    stay = {id: one for id, one in project.packs.items() if id not in ids}
    for one in stay.values():
        needed = [id for id in project.manifest(one).needs() if id in ids]
        if needed:
            message = f"`{needed[0]}` is required by `{one.id}`, which would stay"
            raise NotGot(message, f"ruleloom remove {' '.join([*ids, one.id])}")
    return project.replaced(stay, {})


def renewals(project: ProjectPacks, ids: Sequence[str]) -> list[AnySource]:
    """The sources of kept packs, for what is newer: their own, or their name in an index."""
    found: list[AnySource] = []
    for id in ids:
        if id not in project.packs:
            raise NotGot(f"no pack `{id}` is kept", "`ruleloom list` says which are")
        kept, near = project.packs[id], project.folder
        found.append(NamedSource(id, ANY) if kept.index else read_source(kept.source, near))
    return found


def newest(project: ProjectPacks, indexes: Indexes) -> Iterator[tuple[KeptPack, Version]]:
    """The kept packs of which there is a newer version, with that. Raises NotGot or Broken."""
    with TemporaryDirectory(prefix="ruleloom-") as place:
        for kept in project.packs.values():
            own, (source,) = Version(kept.version), renewals(project, [kept.id])
            if isinstance(source, NamedSource):
                lists = (index.listed(kept.id) for index in indexes())
                version = next((found[0].version for found in lists if found), own)
            else:
                version = read_pack(bring(source, project.folder), Path(place)).version
            if version > own:
                yield kept, version
