"""Content: the items of all packs of one game, checked against the schemas and patched.

An item is one mapping with a `kind:`: a card, a power, a setting. Everything here is frozen. The
name of a broken item is in `Content.poisoned`, so that its uses are not reported as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Place, Remade, Source
from ruleloom.compiler.yaml.node import YamlNode, entries_of, to_data
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.program import Origin

WRITTEN_ID = re.compile(
    r"(?:^[ \t-]*|[{,][ \t]*)id:[ \t]*[\"'“]?([A-Za-z][\w-]{0,63})", re.MULTILINE
)
WRITTEN_KIND = re.compile(r"(?:^[ \t-]*|[{,][ \t]*)kind:[ \t]*[\"'“]?([a-z]+)", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w{0,63}")


@dataclass(slots=True, eq=False)
class Poison:
    """The names that broken items may have declared, and the kinds that may have more items.

    With `anything`, a broken item may have any name and be of any kind.
    """

    names: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    anything: bool = False

    def __bool__(self) -> bool:
        return self.anything or bool(self.names) or bool(self.kinds)

    def mentions(self, name: str) -> bool:
        """Is this name mentioned by something broken?"""
        return slug_of(name) in self.names

    def may_declare(self, name: str) -> bool:
        """May something broken have declared this name?"""
        return self.anything or self.mentions(name)

    def may_hold(self, kind: str) -> bool:
        """May there be more items of this kind than were read?"""
        return self.anything or kind in self.kinds

    def add(self, *names: str) -> None:
        """Poison these names."""
        self.names.update(map(slug_of, names))

    def add_all(self, other: Poison) -> None:
        """Add the names and kinds of another."""
        self.names |= other.names
        self.kinds |= other.kinds
        self.anything |= other.anything

    def add_file(self, text: str) -> None:
        """Poison every word of an unreadable file, as each may be a declared name."""
        self.add(*WORD.findall(text), *WRITTEN_ID.findall(text))
        self.kinds.update(WRITTEN_KIND.findall(text))

    def add_item(self, node: YamlNode, kinds: Iterable[str], has_no_id: bool = False) -> None:
        """Poison the names that a broken item of one of these kinds may have declared, its own included."""
        named, kinds = node.get("id"), frozenset(kinds)
        # In an extension any line may be lost, and with it any declared name.
        self.anything |= kinds == {"extension"}
        if named is not None and named.text is not None:
            self.add(re.sub(r"\W", "_", named.text))
        elif not has_no_id:
            self.anything = True
        self.add(*node.entries, *_names_within(node))
        self.kinds.update(kinds)


NO_PACK = ""
"""The pack of a file that a command names beside the packs: it sees the items of all of them."""
BETWEEN = "__"
"""Stands between the id of a pack and the name of its item where a name has both."""


def slug_of(name: str) -> str:
    """A name in the form of effect text."""
    return name.replace("-", "_")


def names_with_pack(pack: str, name: str) -> tuple[str, ...]:
    """The names that something of a pack goes by: its own, which may have that of the pack, that name as its
    author wrote it, and with the pack."""
    short = name.removeprefix(f"{pack}{BETWEEN}").removeprefix(f"{slug_of(pack)}{BETWEEN}")
    return tuple(dict.fromkeys((name, short, f"{pack}{BETWEEN}{short}")))


def _names_within(node: YamlNode) -> Iterator[str]:
    for child in (*node.entries.values(), *node.items):
        yield from child.entries
        if child.text is not None and WORD.fullmatch(child.text):
            yield child.text
        if child.entries or child.items:
            yield from _names_within(child)


# Kinds of every game; its vocabulary adds the content kinds (`kinds:`).
COMMON_KINDS = (
    *("pack", "vocabulary", "extension", "power", "rule", "measure", "stat", "bonus", "keyword"),
    *(
        "standing",
        "table",
        "requirement",
        "sheet",
        "layout",
        "picture",
        "translation",
        "setting",
        "switch",
        "trigger",
        "fusion",
        "way",
        "action",
        "random-table",
        "migration",
    ),
    *("lasting", "tag", "clause", "flow", "notation", "patch", "scenarios"),
)
# The kinds of items that `use` names.
POWERS = ("power", "random-table")
# The field of a power with a table of its odds.
ODDS = "odds"
# Kinds with one item per pack, which need no `id`: its name is the kind.
KINDS_WITHOUT_ID = ("vocabulary", "notation", "scenarios")

# The fields with the value of a rule, a number or a setting.
RULE_TEXTS = ("is", "holds", "value")
# The fields with the values of a table.
TABLE_VALUES = ("rows", "otherwise")


@dataclass(frozen=True, slots=True, eq=False)
class Item(Remade):
    """One authored item, after patches; `place` is that of its id."""

    kind: str
    name: str
    pack: str
    fields: Mapping[str, YamlNode]
    place: Place
    node: YamlNode
    source: Source
    rivals: tuple[Item, ...] = ()
    """All items that its short name may mean as well as this one, where it is written; see `notice`."""
    id: str = field(init=False)
    """`pack:kind/name`, stable and unique."""
    slug: str = field(init=False)
    """The name in the form of effect text."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", f"{self.pack}:{self.kind}/{self.name}")
        object.__setattr__(self, "slug", slug_of(self.name))

    @property
    def parts(self) -> tuple[object, ...]:
        """The author's text, its pack, name and place, and the patched fields."""
        return self.node, self.pack, self.name, self.place, self.fields

    def wrote(self, node: YamlNode) -> bool:
        """Is this node part of the item's own text, and not of a patch?"""
        is_inside = self.node.start <= node.start < self.node.end
        return is_inside and node.source.path == self.source.path

    @property
    def short(self) -> str:
        """Its name as its author wrote it."""
        return self.name.removeprefix(f"{self.pack}{BETWEEN}")

    @property
    def called(self) -> tuple[str, ...]:
        """All names that it goes by, alone, with its kind or pack, and in full."""
        names = names_with_pack(self.pack, self.name)
        return tuple(
            f"{head}{name}"
            for name in names
            for head in ("", f"{self.kind}/", f"{self.pack}:", f"{self.pack}:{self.kind}/")
        )

    def data(self, name: str) -> Any:
        """The plain value of field `name`, or None if it is missing."""
        node = self.fields.get(name)
        return None if node is None else to_data(node)


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """A folder of content. `hash` covers all YAML; `needs` are the ids of the packs it builds on."""

    id: str
    version: str
    folder: Path
    manifest: Item
    hash: str
    needs: tuple[str, ...]


class Change(Frozen):
    """One step in the history of a field: who changed it where, how, from what to what.

    `by` is the id of a patch, or of the pack whose manifest sets the value; `amount` its operand.
    """

    pack: str
    path: str
    line: int
    op: str
    old: Any
    new: Any
    by: str = ""
    amount: Any = None


class Derived(Frozen):
    """What a variant is like: the id of its base, and how its own `but:` and those of its bases change the
    fields that it takes over."""

    base: str
    changes: Mapping[str, tuple[Change, ...]] = field(default_factory=dict)


Start = tuple[str, int, int]
"""The start of a place: path, line and column."""


def start_of(place: Place) -> Start:
    """The start of a place."""
    return place.path + place.member, place.line, place.column


class Begun(Frozen):
    """The effect that begins in place of a deferred text, with these values.

    It lies `on_self`, or on the table; its owner is the owner of the surrounding effect (`by_owner`), or
    `me`.
    """

    name: str
    values: tuple[str, ...]
    on_self: bool
    by_owner: bool


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """All packs of one game: required ones first, then by id.

    If it is not `complete`, something unreadable may have declared any name. `files` maps each display
    path to the pack and the path within it.
    """

    game: str
    packs: tuple[Pack, ...]
    items: tuple[Item, ...]
    switches: Mapping[str, str]
    history: Mapping[tuple[str, str], tuple[Change, ...]]
    sources: Mapping[str, Source]
    files: Mapping[str, tuple[str, str]]
    scenarios: tuple[str, ...] = ()
    cases: Mapping[str, YamlNode] = field(default_factory=dict)
    """The trees of the files of scenarios in packs that the command names."""
    poisoned: Poison = field(default_factory=Poison)
    complete: bool = True
    disabled: tuple[Item, ...] = ()
    renamed: Mapping[tuple[str, str], Item] = field(default_factory=dict)
    """The renamed items, by kind and old name."""
    scopes: Mapping[str, Mapping[tuple[str, str], Item]] = field(default_factory=dict)
    """The same by pack, with what the short names mean in it of which strangers have one each."""
    words: Mapping[str, Mapping[tuple[str, str], Item]] = field(default_factory=dict)
    """The same, by the role of a name in a text, for names that are unambiguous in that role."""
    loose: frozenset[str] = frozenset()
    """The files that lie in no pack."""
    named: frozenset[str] = frozenset()
    """The ids of the packs that the command names."""
    derived: Mapping[str, Derived] = field(default_factory=dict)
    """The variants by id."""
    gm_starts: frozenset[tuple[Source, int]] = frozenset()
    """The sources and starts of items that say `for: gm`."""
    against: Mapping[tuple[Source, int], YamlNode] = field(default_factory=dict)
    """What items say that they were written against, by their sources and starts."""
    later: Mapping[Start, Begun] = field(default_factory=dict)
    """The effect that begins in place of each deferred text, by the start of the text."""
    schemas: SchemaStore = field(default_factory=lambda: SchemaStore({}, ()))
    """The schemas of the game, including all additions of packs to its vocabulary."""
    kinds: Mapping[str, tuple[Item, ...]] = field(init=False)
    """The items of each kind, in the order of packs, files and lines."""
    by_id: Mapping[str, Item] = field(init=False)
    owners: Mapping[int, Item] = field(init=False)
    """The item of each node, by `id`; empty unless there are words for items."""

    @property
    def for_gm(self) -> frozenset[str]:
        """The ids of the items that are for whoever leads the game, and of those of packs that are."""
        packs = {one.id for one in self.packs if one.manifest.data("for") == "gm"}
        marked = (
            item
            for item in self.items
            if item.pack in packs or (item.source, item.node.start) in self.gm_starts
        )
        return frozenset(item.id for item in marked)

    def __post_init__(self) -> None:
        kinds: dict[str, list[Item]] = {}
        for item in self.items:
            kinds.setdefault(item.kind, []).append(item)
        object.__setattr__(self, "kinds", {kind: tuple(found) for kind, found in kinds.items()})
        object.__setattr__(self, "by_id", {item.id: item for item in self.items})
        known = self.items if any(self.words.values()) else ()
        owners = {id(node): item for item in known for node in _nodes(item.fields.values())}
        object.__setattr__(self, "owners", owners)

    def by_kind(self, kind: str) -> tuple[Item, ...]:
        """The items of one kind, in the order of packs, files and lines."""
        return self.kinds.get(kind, ())

    @property
    def folders(self) -> dict[str, Path]:
        """The folder of each pack, by its id."""
        return {pack.id: pack.folder for pack in self.packs}

    @property
    def built_upon(self) -> set[str]:
        """The ids of the packs that another pack builds on."""
        return {id for pack in self.packs for id in pack.needs}

    def pack_of(self, path: str) -> str:
        """The id of the pack that a displayed path belongs to; the last pack's for one of none."""
        return self.files.get(path, (self.packs[-1].id, ""))[0]

    def names_at(self, path: str) -> Mapping[tuple[str, str], Item]:
        """The items by kind and name, for old names and short ones in the text at a path."""
        return self.scopes.get(self._scope(path), {})

    def words_at(self, path: str) -> Mapping[tuple[str, str], Item]:
        """The same, by the role of a name in an effect text."""
        return self.words.get(self._scope(path), {})

    def _scope(self, path: str) -> str:
        return NO_PACK if path in self.loose else self.files.get(path, (NO_PACK, ""))[0]

    def pack(self, id: str) -> Pack:
        """The pack of this id; KeyError if it is not part of this content."""
        return {pack.id: pack for pack in self.packs}[id]

    def items_called(self, name: str) -> list[Item]:
        """The items of this id, or of an id that ends so: `kind/name`, or the name."""
        return [one for one in self.items if name in one.called]

    def item_at(self, place: Place) -> Item | None:
        """The item whose own text contains a place, or None."""
        found = (item for item in self.items if place.begins_within(item.node.place))
        return next(found, None)

    def changes_of(self, item: Item) -> dict[str, tuple[Change, ...]]:
        """The changes of an item's fields: first its own to what it takes over, then those of patches."""
        derived = self.derived.get(item.id)
        found = dict(derived.changes) if derived is not None else {}
        for (id, name), changes in self.history.items():
            if id == item.id:
                found[name] = (*found.get(name, ()), *changes)
        return found

    def rule_places(self) -> dict[str, Origin]:
        """The place of each rule's, number's and setting's text, by item id."""
        return {item.id: self.origin(self._rule_place(item)) for item in self.items}

    def patched_rules(self) -> dict[str, Origin]:
        """The place of each such text that a patch or a manifest has changed, by item id."""
        changed = {id for id, name in self.history if name in RULE_TEXTS}
        return {
            id: self.origin(self._rule_place(item))
            for id, item in self.by_id.items()
            if id in changed
        }

    def _rule_place(self, item: Item) -> Place:
        patched = (name for name in RULE_TEXTS if (item.id, name) in self.history)
        nodes = (item.fields[name] for name in patched if name in item.fields)
        return next((one.place for one in nodes if not item.wrote(one)), item.place)

    def patched_fields(self) -> dict[tuple[Origin, str], Origin]:
        """The place of each patched field's value, by the place of its item and the field's name."""
        return {
            (self.origin(item.place), name): self.origin(node.place)
            for id, name in self.history
            if (item := self.by_id.get(id)) is not None
            and (node := item.fields.get(name)) is not None
            and not item.wrote(node)
        }

    def patched_rows(self) -> dict[str, tuple[Origin | None, ...]]:
        """The places of the rows of each patched table, in order, `otherwise` last; None for a row of the
        table's own text."""
        found: dict[str, list[Origin | None]] = {}
        for item, _, node in self._rows_of_patched():
            place = None if item.wrote(node) else self.origin(node.place)
            found.setdefault(item.id, []).append(place)
        return {id: tuple(rows) for id, rows in found.items()}

    def patched_row_places(self) -> dict[Origin, tuple[tuple[str, str], ...]]:
        """The changed fields of tables by the places of the rows' new values: pairs of table id and field."""
        found: dict[Origin, dict[tuple[str, str], None]] = {}
        for item, row, node in self._rows_of_patched():
            for one in (row, row.partition(".")[0]):  # a row, or all rows at once
                if not item.wrote(node) and (item.id, one) in self.history:
                    found.setdefault(self.origin(node.place), {})[item.id, one] = None
        return {place: tuple(fields) for place, fields in found.items()}

    def _rows_of_patched(self) -> Iterator[tuple[Item, str, YamlNode]]:
        """The rows of patched tables, each as table, field and value."""
        changed = {id for id, name in self.history if name.partition(".")[0] in TABLE_VALUES}
        for item in self.by_kind("table"):
            if item.id in changed:
                rows, other = item.fields.get("rows"), item.fields.get("otherwise")
                yield from ((item, f"rows.{key}", node) for key, node in entries_of(rows).items())
                if other is not None:
                    yield item, "otherwise", other

    def origin(self, place: Place) -> Origin:
        """The origin of a place, for program rows: pack, path within the pack, line and column."""
        pack, path = self.files[place.path]
        return Origin(pack, path, place.line, place.column)


def _nodes(nodes: Iterable[YamlNode]) -> Iterator[YamlNode]:
    for node in nodes:
        yield node
        yield from _nodes((*node.entries.values(), *node.items))
