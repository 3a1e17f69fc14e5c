"""Reads packs into `Content`: finds their files, checks each item on its own, applies patches.

A broken file or item is reported and left out; its name is poisoned, so that its uses are not
reported as well. Nothing here knows the meaning of an item.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterable
from dataclasses import field
from functools import cached_property
from pathlib import Path

from ruleloom.compiler.cases.case_file import has_cases, with_new_case_names
from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.action_parts import with_actions
from ruleloom.compiler.packs.apart import (
    Below,
    ItemNames,
    are_strangers,
    may_be_apart,
    named_apart,
    with_titles_apart,
)
from ruleloom.compiler.packs.audience import SaidBesides, without_besides
from ruleloom.compiler.packs.content import (
    COMMON_KINDS,
    KINDS_WITHOUT_ID,
    NO_PACK,
    Content,
    Derived,
    Item,
    Pack,
    Poison,
    slug_of,
)
from ruleloom.compiler.packs.extend import KIND as EXTENSION
from ruleloom.compiler.packs.extend import with_extensions
from ruleloom.compiler.packs.family import with_families
from ruleloom.compiler.packs.lasting_parts import with_lasting
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, find_packs
from ruleloom.compiler.packs.manifest import Manifest, gather
from ruleloom.compiler.packs.pack_files import PackFiles, PackInputs, ReadFile, read_inputs
from ruleloom.compiler.packs.place_parts import with_places
from ruleloom.compiler.packs.random_tables import with_random_tables
from ruleloom.compiler.packs.schema_bounds import check_bounds
from ruleloom.compiler.packs.settings import TAG, Choices
from ruleloom.compiler.packs.tagged_parts import with_tagged
from ruleloom.compiler.packs.walk import ALL_SAVED, MANIFEST, Unsaved
from ruleloom.compiler.packs.words_apart import with_words_apart
from ruleloom.compiler.patch.apply import apply_patches
from ruleloom.compiler.patch.variants import Completed, Completion, Link, Originals
from ruleloom.compiler.schema.extended import extended_files
from ruleloom.compiler.schema.registry import LIKE, SchemaStore, may_be_variant, schemas_of
from ruleloom.compiler.schema.validate import check_item, item_nodes, kind_of
from ruleloom.compiler.source.file import Memo, Place, Source, SourceError
from ruleloom.compiler.types import with_article
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass

MISPLACED = {
    "pack": "a pack has one manifest, in the file `pack.yaml`",
    "scenarios": "scenarios stand in a file of their own, not in a list of items",
}

# The head of a file that holds nothing but scenarios: its first line after comments.
SCENARIOS_HEAD = re.compile(r"(?:[ ]*(?:#.*)?\n)*kind:[ ]+scenarios[ ]*(?:#.*)?\n")


def read_packs(
    arguments: Iterable[str | Path],
    report: Report,
    builtin: Path,
    schemas: Path,
    sources: dict[str, Source],
    loose: Iterable[str | Path] = (),
    unsaved: Unsaved = ALL_SAVED,
) -> PackInputs | None:
    """Read the files of the named packs and of all they require; None if they do not fit.

    The `loose` files are read as if they lay in the last pack, and do not change its hash. `unsaved`
    texts replace those on disk.
    """
    folders = [folder for argument in arguments for folder in find_packs(argument, builtin, report)]
    manifests = gather(folders, builtin, schemas_of(schemas, None), report, sources, unsaved)
    keys = {folder.key for folder in folders}
    named = frozenset(one.id for one in manifests if one.folder.key in keys)
    return read_inputs(manifests, tuple(loose), named, unsaved) if manifests else None


def load_content(
    arguments: Iterable[str | Path],
    report: Report,
    builtin: Path = BUILTIN,
    schemas: Path = SCHEMAS,
    sources: dict[str, Source] | None = None,
    scenarios: bool = True,
    trees: Memo[FileTree] | None = None,
) -> Content | None:
    """The content of the packs that `arguments` name and of all they require; None if they do not fit.

    It is not checked against the names of the game. The text of each file is added to `sources`, its
    tree is cached in `trees`.
    """
    sources = {} if sources is None else sources
    inputs = read_packs(arguments, report, builtin, schemas, sources)
    if inputs is None:
        return None
    store = schemas_of(schemas, inputs.game)
    kept = Memo[FileTree](0) if trees is None else trees
    return content_of(inputs, store, report, sources, kept, scenarios)


@dataclass(slots=True, eq=False)
class FileTree:
    """A parsed file: the root node of its items (its cases, if it `has_scenarios`), and its findings."""

    root: YamlNode | None
    has_scenarios: bool
    findings: tuple[Diagnostic, ...]
    kinds: frozenset[str]
    """The kinds of its items."""
    has_variants: bool
    """Whether an item says that it is like another."""
    besides: SaidBesides
    """What its items say that is no field of their kinds."""
    passed: SchemaStore | None = None
    """The schemas that all its items passed when they were last checked."""
    entered: tuple[tuple[str, str, Item], ...] = ()
    """All its items, each with kind and name, if all of them passed."""
    made: dict[tuple[Source, int, str], Item] = field(default_factory=dict)
    """Its items, by start and pack: the same objects in every compilation."""
    variants: dict[tuple[Source, int], tuple[list[Link], SchemaStore, Completed]] = field(
        default_factory=dict
    )
    """Its completed variants, by start, each with its chain and the schemas."""

    @classmethod
    def of(cls, source: Source) -> FileTree:
        """Parse a file."""
        report = Report()
        root = compose(source, report)
        if root is not None and not report.has_errors:
            root = with_families(root, report)
        root, besides = without_besides(root) if root is not None else (None, SaidBesides())
        items = () if root is None else root.items if root.kind == "list" else [root]
        kinds = frozenset(text_of(item.get("kind")) for item in items)
        has_variants = any(LIKE in item.entries for item in items)
        has_scenarios = root is not None and _is_scenarios(root)
        return cls(root, has_scenarios, report.found, kinds, has_variants, besides)

    @staticmethod
    def key(source: Source) -> Hashable:
        """The cache key of a file's tree."""
        return (source.path, source.text, *source.pasted)

    def passes(self, store: SchemaStore, pack: str) -> bool:
        """Whether all its items, as items of this pack, have passed schemas that are still the same."""
        known = self.passed
        return (
            known is not None
            and bool(self.entered)
            and all(item.pack == pack for _, _, item in self.entered[:1])
            and (known is store or all(known.is_alike(store, kind) for kind in self.kinds))
        )

    def pass_by(self, store: SchemaStore, items: list[Item | None]) -> None:
        """Note that its items passed these schemas. Next time they are entered without a check if they
        are the whole file, and depend on no other one."""
        entered = [(item.kind, item.name, item) for item in items if item is not None]
        is_whole = self.root is not None and len(entered) == (len(self.root.items) or 1)
        self.passed = store
        self.entered = tuple(entered) if is_whole and not self.has_variants else ()

    def variant(self, chain: list[Link], completion: Completion) -> Completed:
        """The completed variant of a chain, cached by the chain and the schemas."""
        node, store = chain[0][1], completion.store
        start = node.source, node.start
        known = self.variants.get(start)
        if known is None or known[0] != chain or known[1] is not store:
            known = self.variants[start] = chain, store, completion.of(chain)
        return known[2]

    def item(self, kind: str, name: str, pack: str, place: Place, node: YamlNode) -> Item:
        """One of its items, cached."""
        key = node.source, node.start, pack
        found = self.made.get(key)
        if found is None or (found.kind, found.name, found.node) != (kind, name, node):
            found = Item(kind, name, pack, node.entries, place, node, node.source)
            self.made[key] = found
        return found


class _FoundItems:
    """The items of one file of a pack; its list of nodes is made on demand."""

    def __init__(self, tree: FileTree, pack: str) -> None:
        self.tree, self.pack = tree, pack

    @cached_property
    def nodes(self) -> list[YamlNode]:
        """The nodes of its items, without those that are no items."""
        root = self.tree.root
        return [] if root is None else list(item_nodes(root, Report()))


@dataclass(slots=True, eq=False)
class _Reading:
    """The state of reading all packs: their files, items and schemas so far."""

    store: SchemaStore
    report: Report
    sources: dict[str, Source]
    trees: Memo[FileTree]
    below: Below
    items: dict[tuple[str, str], Item] = field(default_factory=dict)
    namesakes: dict[tuple[str, str], list[Item]] = field(default_factory=dict)
    """The items of strangers with one kind and name."""
    unsettled: dict[tuple[str, str], tuple[Item, Item]] = field(default_factory=dict)
    """The clauses that strangers word differently, by kind and name: the second and the first."""
    files: dict[str, tuple[str, str]] = field(default_factory=dict)
    scenarios: list[str] = field(default_factory=list)
    cases: dict[str, YamlNode] = field(default_factory=dict)
    found: list[_FoundItems] = field(default_factory=list)
    """The items of each file."""
    derived: dict[str, Derived] = field(default_factory=dict)
    """The completed variants by id."""
    poisoned: Poison = field(default_factory=Poison)
    complete: bool = True

    @property
    def besides(self) -> SaidBesides:
        """What all items say that is no field of their kinds."""
        found = [one.tree.besides for one in self.found]
        for_gm = frozenset().union(*(one.for_gm for one in found))
        return SaidBesides(for_gm, {at: node for one in found for at, node in one.against.items()})

    def nodes(self, kind: str) -> list[YamlNode]:
        """The nodes of all items of a kind."""
        files = (one for one in self.found if kind in one.tree.kinds)
        nodes = (node for one in files for node in one.nodes)
        return [node for node in nodes if text_of(node.get("kind")) == kind]

    def poison(self, node: YamlNode, kind: str | None) -> None:
        """Poison the names that a broken item may have declared; one without a name poisons all."""
        named = node.get("id")
        self.complete &= named is not None and named.text is not None
        has_no_id = kind in KINDS_WITHOUT_ID
        self.poisoned.add_item(node, COMMON_KINDS if kind is None else (kind,), has_no_id)

    def read(self, files: PackFiles, scenarios: bool) -> Pack:
        """Collect the items of a pack; with `scenarios` also its cases."""
        manifest = files.manifest
        self.report.take(files.refused)
        self.complete &= files.complete
        for file in files.files:
            is_manifest = file.inside == MANIFEST
            self.find_items(file, manifest.id, scenarios, is_manifest)
        return Pack(
            id=manifest.id,
            version=str(manifest.item.data("version")),
            folder=manifest.folder.path,
            manifest=manifest.item,
            hash=files.digest(),
            needs=tuple(manifest.needs()),
        )

    def find_items(
        self,
        file: ReadFile,
        pack: str,
        scenarios: bool,
        is_manifest: bool = False,
        is_loose: bool = False,
    ) -> None:
        """Collect the items or cases of one file; a loose file may be a ledger with cases."""
        source = file.source
        self.files[file.shown] = (pack, file.inside)
        if isinstance(source, SourceError):
            self.report.refuse(source)
            self.complete = False
            return
        self.sources[file.shown] = source
        if is_manifest:
            return  # it was read before
        if not scenarios and SCENARIOS_HEAD.match(source.text):
            self.scenarios.append(source.path)
            return
        self.read_tree(source, pack, is_loose)

    def read_tree(self, source: Source, pack: str, is_loose: bool) -> None:
        """Collect the items or cases of a file, and the possible names of a broken one."""
        key = FileTree.key(source)
        broken = self.report.has_errors_in(source.path)
        tree = self.trees.get(key, len(source.text), lambda: FileTree.of(source))
        self.report.take(tree.findings)
        errors = sum(one.severity == "error" for one in tree.findings)
        if broken or errors > len(source.pasted):
            # The content of the broken part is unknown, but its names can be guessed.
            self.complete = False
            self.poisoned.add_file(source.text)
        if tree.root is None:
            return
        if tree.has_scenarios or (is_loose and has_cases(tree.root)):
            self.scenarios.append(source.path)
            self.cases[source.path] = tree.root
        else:
            if not tree.entered:
                list(item_nodes(tree.root, self.report))
            self.found.append(_FoundItems(tree, pack))

    def check(self, game: Manifest) -> None:
        """Complete and check all that was found."""
        self.extend_schemas()
        self.complete_variants()
        self.check_items()
        self.complain_unsettled()
        self.check_game(game)

    def extend_schemas(self) -> None:
        """Add the schemas of extensions, and of kinds that have none, to the store, sound or not: their
        own checks report their errors."""
        extensions = list(map(to_data, self.nodes(EXTENSION)))
        vocabulary = next(iter(self.nodes("vocabulary")), None)
        kinds = entries_of(vocabulary.get("kinds")) if vocabulary is not None else {}
        if extensions or not kinds.keys() <= {*self.store.kinds}:
            known = to_data(vocabulary) if vocabulary is not None else None
            more = extended_files(self.store.files, known, extensions)
            self.store = self.store.extended(more)

    def complete_variants(self) -> None:
        """Complete variants with the fields they inherit; one that cannot be completed is left out."""
        variants = [one for one in self.found if one.tree.has_variants]
        if not variants:
            return
        links = ((one.pack, node) for one in self.found for node in one.nodes)
        originals = Originals.of(links, self.below)
        completion = Completion(self.store, self.vocabulary())
        for one in variants:
            tree, nodes = one.tree, one.nodes
            for number, node in reversed(list(enumerate(nodes))):
                kind = text_of(node.get("kind"))
                if LIKE not in node.entries or not may_be_variant(kind, self.store):
                    continue
                chain = originals.chain((one.pack, node), self.poisoned, self.report)
                if chain is not None:
                    made = tree.variant(chain, completion)
                    self.report.take(made.findings)
                    nodes[number] = made.node
                    self.derived[f"{one.pack}:{kind}/{text_of(node.get('id'))}"] = made.derived
                else:
                    self.poison(node, kind)
                    del nodes[number]

    def vocabulary(self) -> tuple[Item, ...]:
        """The game's vocabulary as it is written, if there is one."""
        kind = "vocabulary"
        nodes = self.nodes(kind)[:1]
        return tuple(Item(kind, kind, "", one.entries, one.place, one, one.source) for one in nodes)

    def check_items(self) -> None:
        """Check and enter all items found; a file without errors is marked as passed."""
        unsure = self.broken_extensions()
        for one in self.found:
            tree, pack, before = one.tree, one.pack, self.report.count
            if not unsure and tree.passes(self.store, pack):
                for kind, name, item in tree.entered:
                    self.enter(kind, name, item, self.report)
                continue
            entered = [self.check_found(node, pack, tree, unsure) for node in one.nodes]
            # An item that YAML misread is refused without a diagnostic of its own.
            is_misread = any(one.severity == "error" for one in tree.findings)
            if self.report.count == before and not unsure and not is_misread:
                tree.pass_by(self.store, entered)

    def broken_extensions(self) -> Poison:
        """The kinds, fields and values that refused extensions may have meant to add."""
        brought = Poison()
        for node in self.nodes(EXTENSION):
            if not self.store.passes(EXTENSION, to_data(node)):
                brought.add_file(node.raw)
        if EXTENSION in self.poisoned.kinds:
            # The words of a file that could not be read at all are among the poisoned.
            brought.add_all(self.poisoned)
        return brought

    def check_found(self, node: YamlNode, pack: str, tree: FileTree, unsure: Poison) -> Item | None:
        """Check one item, without diagnostics on parts that the broken extensions in `unsure` may add."""
        if text_of(node.get("kind")) == EXTENSION or not unsure:
            return self.take_in(node, pack, tree, self.report)
        kind = text_of(node.get("kind"))
        if kind and kind not in self.store.kinds and unsure.mentions(kind):
            self.poison(node, None)
            return None
        own = Report()
        item = self.take_in(node, pack, tree, own)
        for one in own.diagnostics():
            if one.subject is None or not unsure.mentions(one.subject):
                self.report.add(one)
        return item

    def take_in(self, node: YamlNode, pack: str, tree: FileTree, report: Report) -> Item | None:
        """Check and enter one item of a file, unchecked if it has passed these schemas."""
        written, named = node.get("id"), node.get("kind")
        if named is not None and named.text in MISPLACED:
            report.error("misplaced-item", named.place, MISPLACED[named.text], "move it there")
            return None
        kind = kind_of(node, self.store, report)
        has_passed = tree.passed is self.store and (node.source, node.start) not in tree.variants
        if kind is None or not (has_passed or check_item(node, kind, self.store, report)):
            self.poison(node, kind)
            return None
        if written is None and kind not in KINDS_WITHOUT_ID:
            message = f"this {kind} has no `id`"
            report.error("missing-field", node.place, message, "add `id:` and a name")
            self.poison(node, kind)
            return None
        name = written or node.entries["kind"]
        item = tree.item(kind, str(name.value), pack, name.place, node)
        self.enter(kind, item.name, item, report)
        return item

    def enter(self, kind: str, name: str, item: Item, report: Report) -> None:
        """Enter a sound item; report a duplicate, unless it is of a pack that does not know the first."""
        first = self.items.setdefault((kind, name), item)
        if first is item:
            return
        others = self.namesakes.setdefault((kind, name), [first])
        known = [one for one in others if not may_be_apart(item, one, self.below)]
        if kind == "clause" and self.settle(item, others):
            return
        if known:
            # One of the two may be misnamed, and a text may use the intended name.
            self.poisoned.anything = True
            self.poisoned.kinds.add(kind)
            game = self.items.get(("vocabulary", "vocabulary"))
            is_of_game = game is not None and game.pack == known[0].pack
            _complain_twice(item, known[0], is_of_game, report)
        elif not any(_is_same_tag(item, one) for one in others):
            others.append(item)
            self.items[kind, item.id] = item

    def settle(self, item: Item, others: list[Item]) -> bool:
        """Note a clause that strangers have, too, or that settles what they say; False if it is neither."""
        first, key = others[0], (item.kind, item.name)
        if all(are_strangers(item.pack, one.pack, self.below) for one in others):
            if to_data(item.node) != to_data(first.node):
                self.unsettled.setdefault(key, (item, first))
            others.append(item)
            return True
        if len(others) > 1 and all(one.pack in self.below[item.pack] for one in others):
            self.unsettled.pop(key, None)
            self.items[key] = item
            others[:] = [item]
            return True
        return False

    def complain_unsettled(self) -> None:
        """Report each clause that strangers word differently."""
        for second, first in self.unsettled.values():
            self.poisoned.kinds.add(second.kind)
            name, both = second.name, f"`{first.pack}` and `{second.pack}`"
            message = f"{both} both have the clause `{name}`, and not alike"
            help = (
                f"`{{kind: clause, id: {name}, ...}}` in a pack that requires both says what holds"
            )
            note = Note(first.place, f"that of `{first.pack}`")
            self.report.error("duplicate-id", second.place, message, help, [note])

    def named_cases(
        self, names: ItemNames, packs: Container[str], loose: Container[str]
    ) -> dict[str, YamlNode]:
        """The cases of these packs by path, with old and short names of items replaced."""
        found: dict[str, YamlNode] = {}
        for path, root in self.cases.items():
            pack = self.files[path][0]
            if pack in packs:
                scope = NO_PACK if path in loose else pack
                known = names.words[scope], names.scopes[scope]
                found[path] = with_new_case_names(root, *known, self.report)
        return found

    def check_game(self, game: Manifest) -> None:
        """Check that the game has a vocabulary of its own."""
        vocabulary = self.items.get(("vocabulary", "vocabulary"))
        if vocabulary is None:
            if self.complete:
                message = f"the game `{game.id}` has no vocabulary"
                help = "add an item of the kind `vocabulary`"
                self.report.error("no-vocabulary", game.item.place, message, help)
            return
        named = vocabulary.fields.get("game")
        if named is not None and named.text != game.id:
            wrong = f"so its vocabulary cannot be that of `{named.text}`"
            message = f"this is a pack of the game `{game.id}`, {wrong}"
            help = did_you_mean(named.text or "", [game.id]) or f"write `game: {game.id}`"
            self.report.error("unknown-game", named.place, message, help)


def content_of(
    inputs: PackInputs,
    store: SchemaStore,
    report: Report,
    sources: dict[str, Source],
    trees: Memo[FileTree],
    scenarios: bool = True,
) -> Content:
    """Return the content of all packs.

    Files cached in `trees` are not parsed again. Those that begin as a file of scenarios are parsed
    only with `scenarios`, and only in packs that are named in the command.
    """
    manifests, named = [pack.manifest for pack in inputs.packs], inputs.named
    below = closures({one.id: one.needs() for one in manifests})
    reading = _Reading(store, report, sources, trees, below)
    packs = tuple(reading.read(one, scenarios and one.manifest.id in named) for one in inputs.packs)
    for file in inputs.loose:
        reading.find_items(file, manifests[-1].id, scenarios, is_loose=True)
    reading.check(manifests[0])
    found, poisoned = tuple(reading.items.values()), reading.poisoned
    told, words = with_words_apart(found, below)
    read, refused = with_extensions(told, manifests, store.kinds, report)
    poisoned.add_all(refused)
    loose = frozenset(file.shown for file in inputs.loose)
    names = named_apart(read, below, words, loose, report)
    patched = apply_patches(names.items, poisoned, reading.store, report, names.scopes)
    for vocabulary in [one for one in patched.items if one.kind == "vocabulary"]:
        check_bounds(manifests[0].game, vocabulary.fields, reading.store, report)
    shared = (poisoned, names.scopes, report)
    items, history = Choices("setting", packs, patched.items, *shared).applied(patched.history)
    items = with_random_tables(items, poisoned, report)
    made = with_actions(with_places(with_tagged(with_lasting(items))), poisoned, report)
    return Content(
        game=manifests[0].game,
        packs=packs,
        items=with_titles_apart(made, packs, below),
        switches=Choices("switch", packs, items, *shared).options(),
        history=history,
        sources=reading.sources,
        files=reading.files,
        scenarios=tuple(reading.scenarios),
        cases=reading.named_cases(names, named, loose),
        poisoned=poisoned,
        complete=reading.complete,
        disabled=patched.disabled,
        renamed=names.renamed,
        scopes=names.scopes,
        words=names.words,
        loose=loose,
        named=named,
        schemas=reading.store,
        derived=names.derived(reading.derived),
        gm_starts=reading.besides.for_gm,
        against=reading.besides.against,
    )


def _is_scenarios(root: YamlNode) -> bool:
    if root.kind == "map":
        kind = root.get("kind")
        return kind.value == "scenarios" if kind is not None else root.get("cases") is not None
    fields = {field for node in root.items for field in node.entries}
    return "kind" not in fields and "example" in fields


def _is_same_tag(second: Item, first: Item) -> bool:
    """Whether two packs declare one tag, as either may be played alone."""
    parents = {slug_of(str(one.data("parent") or "")) for one in (first, second)}
    return second.kind == TAG and len(parents) == 1


def _complain_twice(second: Item, first: Item, is_of_game: bool, report: Report) -> None:
    note = Note(first.place, "the first one is here")
    message = f"{with_article(second.kind)} called `{second.name}` is already there"
    help = "rename one of them"
    if second.name == second.kind:
        message = f"a game has one {second.kind}, and this is a second one"
        help = "put both into one"
    if first.pack != second.pack:
        help = f"to change the one in `{first.pack}`, write a patch with `target: {first.id}`"
        if not is_of_game:
            help += f"; something else is better called `{second.pack}-{second.name}`"
    report.error("duplicate-id", second.place, message, help, [note])
