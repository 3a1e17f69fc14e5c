"""Reads packs into `Content`: finds their files, checks every item by itself, applies patches.

In go paths or ids of packs; out comes what they and all they require say together, or None if the
packs themselves cannot be put together. A broken file or item goes to the report and is left out;
its name is kept as poisoned, so that nobody complains of it twice. Nothing here knows what an item
means.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from os.path import realpath
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import COMMON_KINDS, KINDS_WITHOUT_ID, Content, Item, Pack
from ruleloom.compiler.packs.extend import KIND as EXTENSION
from ruleloom.compiler.packs.extend import with_extensions
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, find_packs, shown_path
from ruleloom.compiler.packs.manifest import Manifest, gather
from ruleloom.compiler.packs.poison import Poison
from ruleloom.compiler.packs.renames import Renames, old_words
from ruleloom.compiler.packs.scenario_files import check_cases
from ruleloom.compiler.packs.schema_bounds import check_bounds
from ruleloom.compiler.packs.settings import chosen_switches, with_settings
from ruleloom.compiler.packs.walk import MANIFEST, FoundFile
from ruleloom.compiler.patch.apply import apply_patches
from ruleloom.compiler.schema.extended import extended_files
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item, item_nodes, kind_of
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose

__all__ = ["BUILTIN", "MISPLACED", "SCHEMAS", "load", "schemas_of"]

MISPLACED = {
    "pack": "a pack has one manifest, in the file `pack.yaml`",
    "scenarios": "scenarios stand in a file of their own, which is no list of items",
}


@dataclass(slots=True, eq=False)
class _Reading:
    """What has been read so far, of all packs."""

    sources: dict[str, Source]
    items: dict[tuple[str, str], Item] = field(default_factory=dict)
    files: dict[str, tuple[str, str]] = field(default_factory=dict)
    scenarios: list[str] = field(default_factory=list)
    found: list[tuple[YamlNode, str]] = field(default_factory=list)
    """Each item as it stands in its file, with its pack."""
    poisoned: Poison = field(default_factory=Poison)
    complete: bool = True

    def poison(self, node: YamlNode, kind: str | None) -> None:
        """Remember what a broken item may have declared; one without a name leaves a hole."""
        named = node.get("id")
        self.complete &= named is not None and named.text is not None
        self.poisoned.add_item(node, COMMON_KINDS if kind is None else (kind,))


def load(
    arguments: Iterable[str | Path],
    report: Report,
    builtin: Path = BUILTIN,
    schemas: Path = SCHEMAS,
    sources: dict[str, Source] | None = None,
    loose: Iterable[str | Path] = (),
) -> Content | None:
    """Return what the named packs, and all they require, say together; None if they do not go
    together.

    The text of every file that was read also goes to `sources`, so that a complaint can show its
    line. The `loose` files are read as if they lay in the last of the packs; they do not change
    what it is known by.
    """
    sources = {} if sources is None else sources
    folders = [folder for argument in arguments for folder in find_packs(argument, builtin, report)]
    manifests = gather(folders, builtin, schemas_of(schemas, None), report, sources)
    if not manifests:
        return None
    return _read_all(
        manifests, schemas_of(schemas, manifests[0].game), report, sources, tuple(loose)
    )


@cache
def schemas_of(folder: Path, game: str | None) -> SchemaStore:
    """Return the schemas of a game, read once: they are ours and never change under a run."""
    return SchemaStore.load(folder, game)


def _read_all(
    manifests: Sequence[Manifest],
    store: SchemaStore,
    report: Report,
    sources: dict[str, Source],
    loose: Sequence[str | Path],
) -> Content:
    reading = _Reading(sources)
    packs = tuple(_read_pack(manifest, reading, report) for manifest in manifests)
    _read_loose(loose, manifests, reading, report)
    own, store = store, _extended(store, reading)
    unsure = _broken_extensions(store, reading)
    for node, pack in reading.found:
        if _is_extension(node) or not unsure:
            _take_in(node, pack, store, reading, report)
        else:
            _take_in_unsure(node, pack, unsure, store, reading, report)
    _check_kinds(manifests[0], reading, store, report)
    extended = with_extensions(tuple(reading.items.values()), manifests, own.kinds, report)
    poisoned, read = reading.poisoned, extended.items
    poisoned.add_all(extended.poisoned)
    renames = Renames.of(read, report)
    patched = apply_patches(read, poisoned, store, report, renames)
    vocabulary = next((one for one in patched.items if one.kind == "vocabulary"), None)
    if vocabulary is not None:
        check_bounds(manifests[0].game, vocabulary.fields, store, report)
    items, history = with_settings(packs, patched.items, patched.history, poisoned, renames, report)
    return Content(
        game=manifests[0].game,
        packs=packs,
        items=items,
        switches=chosen_switches(packs, items, poisoned, renames, report),
        history=history,
        sources=reading.sources,
        files=reading.files,
        scenarios=tuple(reading.scenarios),
        poisoned=poisoned,
        complete=reading.complete,
        disabled=patched.disabled,
        renamed=renames.items,
        old_words=old_words(renames.items, read),
        schemas=store,
    )


def _extended(store: SchemaStore, reading: _Reading) -> SchemaStore:
    """The schemas with what extensions add to them, be they sound or not: whose fault it is, is
    told there."""
    nodes = [node for node, _ in reading.found]
    extensions = [to_data(node) for node in nodes if _is_extension(node)]
    if not extensions:
        return store
    vocabulary = next((node for node in nodes if _kind_text(node) == "vocabulary"), None)
    known = to_data(vocabulary) if vocabulary is not None else None
    return store.extended(extended_files(store.files, known, extensions))


def _kind_text(node: YamlNode) -> str | None:
    kind = node.get("kind")
    return None if kind is None else kind.text


def _is_extension(node: YamlNode) -> bool:
    return _kind_text(node) == EXTENSION


def _read_pack(manifest: Manifest, reading: _Reading, report: Report) -> Pack:
    """Read all files of one pack, and return the pack."""
    digest = hashlib.sha256()
    files, complete = manifest.folder.files(report)
    reading.complete &= complete
    for file in files:
        reading.files[file.shown] = (manifest.id, file.inside)
        if file.inside == MANIFEST:
            source: Source | None = manifest.item.source
        else:
            source = _read_file(file, manifest.id, reading, report)
        if source is not None:
            reading.sources[file.shown] = source
        # Each part with its length in front, so that no two packs run together to the same bytes.
        for part in (file.inside, "" if source is None else source.text):
            data = part.encode()
            digest.update(b"%d:%b" % (len(data), data))
    fields = manifest.item.fields
    return Pack(
        id=manifest.id,
        version=str(manifest.item.data("version")),
        game=manifest.game,
        edition=int(manifest.item.data("edition")),
        title=str(manifest.item.data("title") or manifest.id),
        folder=manifest.folder.path,
        manifest=manifest.item,
        hash=digest.hexdigest(),
        requires=tuple((id, str(node.value)) for id, node in manifest.requires.items()),
        switches=fields["switches"].entries if "switches" in fields else {},
        settings=fields["settings"].entries if "settings" in fields else {},
    )


def _read_loose(
    loose: Sequence[str | Path],
    manifests: Sequence[Manifest],
    reading: _Reading,
    report: Report,
) -> None:
    """Read files that lie in none of the packs, as if they lay in the last one. What is read
    already is left."""
    if not loose:
        return
    folders = {manifest.id: Path(manifest.folder.key) for manifest in manifests}
    # Not `Path.resolve`, which raises where a link leads to itself.
    there = {realpath(folders[pack] / inside) for pack, inside in reading.files.values()}
    for path in map(Path, loose):
        if realpath(path) in there:
            continue
        pack, shown = manifests[-1].id, shown_path(path)
        inside = path.name if (pack, path.name) not in reading.files.values() else shown
        file = FoundFile(path, inside, shown)
        reading.files[shown] = (pack, inside)
        source = _read_file(file, pack, reading, report)
        if source is not None:
            reading.sources[file.shown] = source


def _read_file(file: FoundFile, pack: str, reading: _Reading, report: Report) -> Source | None:
    """Read one file and find its items; return its text if there is any."""
    try:
        source = file.read()
    except SourceError as error:
        report.refuse(error)
        reading.complete = False
        return None
    root = compose(source, report)
    if report.has_errors_in(file.shown):
        # What the file would have said is unknown, but its names can be guessed.
        reading.complete = False
        reading.poisoned.add_file(source.text)
    if root is None:
        return source
    if _is_scenarios(root):
        reading.scenarios.append(file.shown)
        check_cases(root, report)
        return source
    reading.found += [(node, pack) for node in item_nodes(root, report)]
    return source


def _is_scenarios(root: YamlNode) -> bool:
    """Tell whether a file holds scenarios: cases, or a plain list of clauses with examples."""
    if root.kind == "map":
        kind = root.get("kind")
        return kind.value == "scenarios" if kind is not None else root.get("cases") is not None
    fields = {field for node in root.items for field in node.entries}
    return "kind" not in fields and "example" in fields


def _broken_extensions(store: SchemaStore, reading: _Reading) -> Poison:
    """What the extensions that will be refused may have been to bring: kinds, fields and values."""
    brought = Poison()
    for node, _ in reading.found:
        if _is_extension(node) and not store.passes(EXTENSION, to_data(node)):
            brought.add_file(node.raw)
    if EXTENSION in reading.poisoned.kinds:
        # A file that could not be read at all has left its words behind.
        brought.add_all(reading.poisoned)
    return brought


def _take_in_unsure(
    node: YamlNode,
    pack: str,
    unsure: Poison,
    store: SchemaStore,
    reading: _Reading,
    report: Report,
) -> None:
    """Check one item where its kind, its fields or their values may be those of a broken
    extension."""
    kind = _kind_text(node)
    if kind is not None and kind not in store.kinds and unsure.mentions(kind):
        reading.poison(node, None)
        return
    heard = Report()
    _take_in(node, pack, store, reading, heard)
    for one in heard.diagnostics():
        if one.subject is None or not unsure.mentions(one.subject):
            report.add(one)


def _take_in(
    node: YamlNode, pack: str, store: SchemaStore, reading: _Reading, report: Report
) -> None:
    """Check one item and add it to what was read."""
    written, named = node.get("id"), node.get("kind")
    if named is not None and named.text in MISPLACED:
        report.error("misplaced-item", named.place, MISPLACED[named.text], "move it there")
        return
    kind = kind_of(node, store, report)
    if kind is None or not check_item(node, kind, store, report):
        reading.poison(node, kind)
        return
    if written is None and kind not in KINDS_WITHOUT_ID:
        report.error(
            "missing-field", node.place, f"this {kind} has no `id`", "add `id:` and a name"
        )
        reading.poison(node, kind)
        return
    name = written or node.entries["kind"]
    item = Item(kind, str(name.value), pack, node.entries, name.place, node, node.source)
    first = reading.items.setdefault((kind, item.name), item)
    if first is not item:
        # One of the two may have been meant to have another name, which somebody uses.
        reading.poisoned.anything = True
        reading.poisoned.kinds.add(kind)
        _complain_twice(item, first, report)


def _complain_twice(second: Item, first: Item, report: Report) -> None:
    note = Note(first.place, "the first one is here")
    if second.name == second.kind:
        message, help = (
            f"a game has one {second.kind}, and this is a second one",
            "put both into one",
        )
    else:
        article = "an" if second.kind[0] in "aeiou" else "a"
        message, help = (
            f"{article} {second.kind} called `{second.name}` is already there",
            "rename one of them",
        )
    if first.pack != second.pack:
        help = f"to change the one in `{first.pack}`, write a patch with `target: {first.id}`"
    report.error("duplicate-id", second.place, message, help, [note])


def _check_kinds(game: Manifest, reading: _Reading, store: SchemaStore, report: Report) -> None:
    """Check that the game has a vocabulary, and a schema for each kind of content that it speaks
    of."""
    vocabulary = reading.items.get(("vocabulary", "vocabulary"))
    if vocabulary is None:
        if reading.complete:
            message = f"the game `{game.id}` has no vocabulary"
            report.error(
                "no-vocabulary", game.item.place, message, "add an item of the kind `vocabulary`"
            )
        return
    named = vocabulary.fields.get("game")
    if named is not None and named.text != game.id:
        message = f"this is a pack of the game `{game.id}`, so its vocabulary cannot be that of `{named.text}`"
        help = did_you_mean(named.text or "", [game.id]) or f"write `game: {game.id}`"
        report.error("unknown-game", named.place, message, help)
    kinds = vocabulary.fields.get("kinds")
    for name, place in kinds.key_places.items() if kinds else ():
        if name not in store.kinds:
            message = f"there is no schema for items of the kind `{name}`"
            report.error(
                "missing-schema",
                place,
                message,
                f"add `{game.id}/{name}.schema.json` to the schemas",
            )
