"""Comparison of two packs: manifests, items, and the numbers and texts that change with them.

Items pair by kind and name; the packs' own items pair even if the packs have different ids. A removed and
an added item are one renamed item if the new one says so (`renamed_from`) or differs in its name alone.
A pair is compared value by value, by meaning: effect text by its syntax tree, numbers by value, prose
without its line ends; the order of maps and of lists of clauses and authors does not count.

Every stat, measure and rule is computed for every thing that items make, unless it needs a game in play.
Printed values are compared too: a default that no item mentions may have changed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.analysis.effect_cursor import form_in
from ruleloom.compiler.analysis.yaml_cursor import effect_tree
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content, Item, Pack
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, PackFolder, find_packs
from ruleloom.compiler.packs.settings import amount
from ruleloom.compiler.pipeline import compile_paths, rules_of
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.ast import TypeName
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.explain.expr_words import ExprWords
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text, unique_keys
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Function, Program
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import World

FieldDoes = Literal["added", "removed", "changed", "order"]
ItemDoes = Literal["added", "removed", "renamed", "kind", "changed"]
# A place: path within the pack (in another pack: after its id), line and column.
Where = tuple[str, int, int]


class FieldChange(NamedTuple):
    """A changed value of an item."""

    path: tuple[str, ...]  # keys, with `[name]` for an entry of a list
    does: FieldDoes  # `order`: the same entries in another order
    old: Plain
    new: Plain
    old_at: Where | None
    new_at: Where | None
    form: str = ""  # the form of effect text, if it is one

    @property
    def name(self) -> str:
        """The path for display: `skills.dodging`, `gifts[deep-chest].points`."""
        return ".".join(self.path).replace(".[", "[")


class ItemChange(NamedTuple):
    """An item added, removed or changed."""

    id: str  # without the pack if it is the pack's own
    does: ItemDoes
    own: bool
    was: str = ""  # its former id, if different
    advised: bool = False  # `renamed_from` is missing
    old_at: Where | None = None
    new_at: Where | None = None
    fields: tuple[FieldChange, ...] = ()
    text: tuple[str, str] | None = None  # its rules text before and after, if different
    patched: bool = False

    @property
    def kind(self) -> str:
        """The kind of the item."""
        return self.id.rpartition(":")[2].partition("/")[0]


class NumberChange(NamedTuple):
    """A number of the thing `of` that changed although its item did not."""

    id: str
    of: str
    label: str
    old: int | Fraction | bool
    new: int | Fraction | bool


class Changes(Frozen):
    """The changes of `manifest` and items, and the resulting ones of numbers and rules `texts`."""

    manifest: tuple[FieldChange, ...] = ()
    items: tuple[ItemChange, ...] = ()
    numbers: tuple[NumberChange, ...] = ()
    texts: tuple[tuple[str, str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.manifest or self.items or self.numbers or self.texts)


def value_text(value: int | Fraction | bool) -> str:
    """A number or a Boolean for display: `3`, `1 1/2`, `yes`."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else number_text(value)


def plain(value: Any) -> Any:
    """A value for JSON: fractions as strings such as `1/2`."""
    return str(value) if isinstance(value, Fraction) else value


class Broken(Exception):
    """A side that does not compile; `sources` holds the texts that its diagnostics point into."""

    def __init__(
        self, label: str, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]
    ) -> None:
        super().__init__(f"{label} holds mistakes")
        self.label = label
        self.diagnostics = diagnostics
        self.sources = sources


class NotOne(Exception):
    """A path that names several packs where one is expected."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One pack, compiled with all packs it requires; `label` is its displayed name."""

    label: str
    pack: Pack
    content: Content
    program: Program

    def owns(self, item: Item) -> bool:
        """Whether an item belongs to this pack, not to one that it requires."""
        return item.pack == self.pack.id


def load_side(
    path: str | Path,
    label: str,
    beside: Sequence[str | Path] = (),
    shown: tuple[str, str] | None = None,
    *,
    builtin: Path = BUILTIN,
    schemas: Path = SCHEMAS,
) -> Side:
    """Compile the one pack that `path` names, with the packs `beside` it. Raises Broken or NotOne.

    `shown` is a path prefix and its replacement: a past version lies in a temporary folder.
    """
    folder = one_pack(path, label, builtin)
    named = path if isinstance(path, str) and not Path(path).exists() else folder.path
    result = compile_paths([named, *beside], texts=True, builtin=builtin, schemas=schemas)
    content = result.content
    if result.program is not None and content is not None:
        here = (one for one in content.packs if os.path.realpath(one.folder) == folder.key)
        return Side(label, next(here), content, result.program)
    diagnostics, sources = result.diagnostics, result.sources
    if shown is not None:
        diagnostics = tuple(_shown_as(one, *shown) for one in diagnostics)
        sources = {_renamed(name, *shown): text for name, text in sources.items()}
    raise Broken(label, diagnostics, sources)


def one_pack(path: str | Path, label: str, builtin: Path = BUILTIN) -> PackFolder:
    """The folder of the one pack that `path` names. Raises Broken or NotOne."""
    report = Report()
    found = find_packs(path, builtin, report)
    if not found:
        raise Broken(label, report.diagnostics(), {})
    if len(found) > 1:
        raise NotOne(", ".join(one.shown for one in found[:3]))
    return found[0]


def _renamed(path: str, begins: str, instead: str) -> str:
    return instead + path.removeprefix(begins) if path.startswith(begins) else path


def _shown_as(found: Diagnostic, begins: str, instead: str) -> Diagnostic:
    """A diagnostic with the prefix of its paths replaced."""

    def moved(place: Place) -> Place:
        return replace(place, path=_renamed(place.path, begins, instead))

    notes = tuple(replace(note, place=moved(note.place)) for note in found.notes)
    return replace(found, place=moved(found.place), notes=notes)


FieldPath = tuple[str, ...]
Forms = Mapping[FieldPath, str]
Fields = Mapping[str, YamlNode]
Nodes = Sequence[YamlNode]
NO_FIELDS = ("kind", "id", "renamed_from")
UNORDERED = ("clauses", "authors", "after")


class Comparison(NamedTuple):
    """A comparison of fields, with effect texts at the paths of `forms`; `*` matches any step."""

    sides: Sides
    forms: Forms

    def of_fields(
        self, old: Fields, new: Fields, left_out: Collection[str] = NO_FIELDS
    ) -> tuple[FieldChange, ...]:
        """The changes between the fields of two items."""
        old = {key: node for key, node in old.items() if key not in left_out}
        new = {key: node for key, node in new.items() if key not in left_out}
        return tuple(self._maps(old, new, ()))

    def _maps(self, old: Fields, new: Fields, path: FieldPath) -> Iterator[FieldChange]:
        for key in {**old, **new}:
            inner, before, after = (*path, key), old.get(key), new.get(key)
            if before is None or after is None:
                yield self._change(inner, "added" if before is None else "removed", before, after)
            elif self._meaning(before, inner) == self._meaning(after, inner):
                continue
            elif before.kind == after.kind == "map":
                yield from self._maps(before.entries, after.entries, inner)
            elif before.kind == after.kind == "list":
                yield from self._lists(before, after, inner)
            else:
                yield self._change(inner, "changed", before, after)

    def _lists(self, old: YamlNode, new: YamlNode, path: FieldPath) -> Iterator[FieldChange]:
        """The entries added or removed; two entries of the same name are compared by field."""
        gone = self._unlike(old.items, new.items, path)
        came = self._unlike(new.items, old.items, path)
        if not gone and not came:
            yield self._change(path, "order", old, new)
        for node in list(gone):
            other = _namesake(node, came)
            if other is not None:
                gone.remove(node)
                came.remove(other)
                yield from self._maps(node.entries, other.entries, (*path, f"[{_called(node)}]"))
        yield from (self._change(path, "removed", node, None) for node in gone)
        yield from (self._change(path, "added", None, node) for node in came)

    def _unlike(self, nodes: Nodes, others: Nodes, path: FieldPath) -> list[YamlNode]:
        """The entries without an equal among the others, each of which matches at most one."""
        inner = (*path, "*")
        left = [self._meaning(one, inner) for one in others]
        unlike = []
        for node in nodes:
            meaning = self._meaning(node, inner)
            if meaning in left:
                left.remove(meaning)
            else:
                unlike.append(node)
        return unlike

    def _meaning(self, node: YamlNode, path: FieldPath) -> Any:
        """The normal form of a value, to compare meanings."""
        if node.kind == "map":
            return {key: self._meaning(child, (*path, key)) for key, child in node.entries.items()}
        if node.kind == "list":
            meanings = [self._meaning(child, (*path, "*")) for child in node.items]
            return sorted(meanings, key=repr) if path[-1:] and path[-1] in UNORDERED else meanings
        form = form_in(self.forms, path)
        if form:
            tree = effect_tree(node.text if node.text is not None else node.raw, form)
            return node.value if tree is None else tree
        number = amount(node)
        if number is not None:
            return ("number", number)
        return " ".join(node.text.split()) if node.text is not None else (node.kind, node.value)

    def _change(
        self, path: FieldPath, does: Any, old: YamlNode | None, new: YamlNode | None
    ) -> FieldChange:
        before, after = (None if node is None else to_data(node) for node in (old, new))
        sides, form = self.sides, form_in(self.forms, path)
        old_at = None if old is None else sides.where(sides.old, old.place)
        new_at = None if new is None else sides.where(sides.new, new.place)
        return FieldChange(path, does, before, after, old_at, new_at, form)


def _namesake(node: YamlNode, others: Nodes) -> YamlNode | None:
    """The first entry of the same name, if both are mappings."""
    alike = (one for one in others if one.kind == node.kind == "map" and _called(one))
    return next((one for one in alike if _called(one) == _called(node)), None)


def _called(node: YamlNode) -> str:
    """The name of an entry of a list: its first value, if text."""
    first = next(iter(node.entries.values()), None)
    return first.text or "" if first is not None else ""


# The fields that name an item: a renamed one differs in nothing else.
NAMES = (*NO_FIELDS, "title")
Items = Mapping[str, Item]
RulesTexts = tuple[Mapping[str, str], Mapping[str, str]]
"""The rules texts of both sides, by common item id."""


class Sides(NamedTuple):
    """The two packs, with a common id for their items."""

    old: Side
    new: Side

    @property
    def alike(self) -> bool:
        """Whether both are versions of one pack."""
        return self.old.pack.id == self.new.pack.id

    def key(self, side: Side, id: str) -> str:
        """The common id of an item: without its pack if that is the one compared."""
        pack, _, rest = id.partition(":")
        olds, news = ({pack.id for pack in side.content.packs} for side in (self.old, self.new))
        # If one pack builds on the other, its changes to the other are compared.
        nested = self.old.pack.id in news or self.new.pack.id in olds
        return rest if pack == side.pack.id and (self.alike or not nested) else id

    def items(self, side: Side) -> dict[str, Item]:
        """The items of a side's own and shared packs, by common id."""
        other = self.new if side is self.old else self.old
        shared = {pack.id for pack in other.content.packs} | {side.pack.id}
        return {
            self.key(side, item.id): item
            for item in side.content.items
            if item.pack in shared and item.kind != "pack"
        }

    def where(self, side: Side, place: Place) -> Where:
        """A place within its pack; the pack's id comes first unless both sides are versions of it."""
        pack, inside = side.content.files[place.path]
        own = pack == side.pack.id and self.alike
        return (inside if own else f"{pack}/{inside}", place.line, place.column)

    def forms_of(self, item: Item) -> Forms:
        """The paths of effect texts in an item; in a patch, those of its target."""
        store = self.new.content.schemas
        forms = dict(store.effect_fields(item.kind))
        if item.kind == "patch":
            target = str(item.data("target")).rpartition(":")[2].partition("/")[0]
            inner = store.effect_fields(target) if target in store.kinds else {}
            forms |= {("set", *path): form for path, form in inner.items()}
            forms["replace-effect",] = "block"
        return forms


def item_changes(sides: Sides, texts: RulesTexts) -> list[ItemChange]:
    """The changed items, by id: the pack's own, and those of other packs that it patches."""
    old, new = sides.items(sides.old), sides.items(sides.new)
    found = []
    was = _other_names(sides, old, new)
    for id in sorted({*old, *new} - set(was.values())):
        former = was.get(id, id)
        change = _change(sides, id, former, old.get(former), new.get(id))
        text = texts[0].get(former, ""), texts[1].get(id, "")
        if change is not None:
            found.append(change if text[0] == text[1] else change._replace(text=text))
    return found


def _change(
    sides: Sides, id: str, former: str, old: Item | None, new: Item | None
) -> ItemChange | None:
    """The change of one item; None if there is none."""
    if old is None:
        assert new is not None
        after = sides.where(sides.new, new.place)
        return ItemChange(id, "added", sides.new.owns(new), new_at=after)
    before, own = sides.where(sides.old, old.place), sides.old.owns(old)
    if new is None:
        return ItemChange(id, "removed", own, old_at=before)
    after = sides.where(sides.new, new.place)
    if old.kind != new.kind:
        return ItemChange(id, "kind", own, former, old_at=before, new_at=after)
    fields = Comparison(sides, sides.forms_of(new)).of_fields(old.fields, new.fields)
    if id != former:
        may_tell = "renamed_from" in sides.new.content.schemas.fields(new.kind)
        advised = may_tell and old.name not in _former_names(new)
        return ItemChange(id, "renamed", own, former, advised, before, after, fields)
    own = sides.new.owns(new)
    change = ItemChange(id, "changed", own, "", False, before, after, fields, patched=not own)
    return change if fields else None


def rules_texts(sides: Sides) -> RulesTexts:
    """The generated rules texts of both sides, by common id; printed texts are compared as fields."""

    def of(side: Side) -> Mapping[str, str]:
        return {sides.key(side, id): rules for id, rules in rules_of(side.content).items()}

    return of(sides.old), of(sides.new)


def _other_names(sides: Sides, old: Items, new: Items) -> dict[str, str]:
    """The former id of each item that has a new name or kind."""
    gone = {id: old[id] for id in sorted(old.keys() - new.keys())}
    came = {id: new[id] for id in sorted(new.keys() - old.keys())}
    was: dict[str, str] = {}

    def by_former_name(item: Item, free: Items) -> Iterator[str]:
        names = _former_names(item)
        return (id for id, one in free.items() if one.kind == item.kind and one.name in names)

    def of_another_kind(item: Item, free: Items) -> Iterator[str]:
        return (id for id, one in free.items() if one.name == item.name and one.kind != item.kind)

    for find in (by_former_name, of_another_kind, partial(_alike, sides, came)):
        for id, item in came.items():
            free = {other: one for other, one in gone.items() if other not in was.values()}
            former = None if id in was else next(find(item, free), None)
            if former is not None:
                was[id] = former
    return was


def _former_names(item: Item) -> list[str]:
    names = item.data("renamed_from")
    listed = names if isinstance(names, list) else [names]
    return [str(name).rpartition("/")[2] for name in listed if name is not None]


def _alike(sides: Sides, came: Items, item: Item, gone: Items) -> Iterator[str]:
    """The only removed item equal to `item` but for its name, if no other item is."""
    comparison = Comparison(sides, sides.forms_of(item))

    def says_the_same(one: Item, other: Item) -> bool:
        return one.kind == other.kind and not comparison.of_fields(one.fields, other.fields, NAMES)

    found = [id for id, one in gone.items() if says_the_same(one, item)]
    rivals = (one for one in came.values() if one is not item)
    if len(found) == 1 and not any(says_the_same(gone[found[0]], one) for one in rivals):
        yield found[0]


ASKED = ("stat", "measure", "rule")
NUMBERS = ("Int", "Fraction", "Bool")
# A function with more combinations of arguments than this is skipped.
MOST_CALLS = 20_000
Key = tuple[str, ...]
Numbers = dict[Key, Any]
K = TypeVar("K")


@dataclass(frozen=True, slots=True, eq=False)
class NumberSheet:
    """One side, ready for its numbers to be computed."""

    side: Side
    linked: Linked
    world: World
    names: Mapping[str, Sequence[str]]  # of the things, by entity

    @classmethod
    def of(cls, side: Side, renamed: Mapping[str, str]) -> NumberSheet:
        """The sheet of a side. `renamed` maps old names of things to new."""
        linked, world = at_rest(side.program)
        made = (entity for entity in linked.entities.values() if entity.places)
        return cls(side, linked, world, {one.name: things(one, renamed) for one in made})


def number_changes(sides: Sides, changes: Sequence[ItemChange]) -> tuple[NumberChange, ...]:
    """The numbers that changed, sorted by thing, then in the order of functions."""
    renamed = {change.was: change.id for change in changes if change.was}
    names = {was.rpartition("/")[2]: id.rpartition("/")[2] for was, id in renamed.items()}
    old, new = NumberSheet.of(sides.old, names), NumberSheet.of(sides.new, {})
    words = ExprWords(new.linked, new.world, new.linked.initial_scope, NO_RULES)
    written = {change.id for change in changes if change.fields}
    before = {(renamed.get(id, id), *of): one for (id, *of), one in _numbers(sides, old).items()}
    found = [
        NumberChange(key[0], key[1], _label(sides, new, words, key), before[key], value)
        for key, value in _differing(before, _numbers(sides, new))
    ]
    printed = _printed(sides, old, written), _printed(sides, new, written)
    for (id, of), value in _differing(*printed):
        label = f"{id.rpartition('.')[2].replace('_', ' ')} of {of}"
        found.append(NumberChange(id, of, label, printed[0][id, of], value))
    return tuple(sorted(found, key=lambda one: one.of))


def _differing(before: Mapping[K, Any], after: Mapping[K, Any]) -> Iterator[tuple[K, Any]]:
    """The common keys whose values differ, each with the new value."""
    return ((key, now) for key, now in after.items() if key in before and before[key] != now)


def things(entity: Entity, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """Stable names of an entity's things: of an unnamed part, its title."""
    named = []
    for name, title in zip(entity.names, entity.titles, strict=True):
        parts = [renamed.get(part, part) for part in name.split(".")]
        part_of = len(parts) > 1 and parts[-1].isdecimal()
        named.append(f"{'.'.join(parts[:-1])}: {title}" if part_of else ".".join(parts))
    return tuple(unique_keys(named))


def _numbers(sides: Sides, sheet: NumberSheet) -> Numbers:
    """Every number that can be computed before play, by function id and argument names."""
    items = {item.id: item for item in sheet.side.content.items if item.kind in ASKED}
    return {
        (sides.key(sheet.side, function.id), *names): value
        for function in sheet.linked.program.functions
        if function.id in items and function.result in NUMBERS
        for names, value in _values(sheet, function, items[function.id])
    }


def _values(sheet: NumberSheet, function: Function, item: Item) -> Iterator[tuple[Key, Any]]:
    """A function's values by its arguments, the first of which is an item's thing."""
    types = _types(item)
    if not types or types[0].name not in sheet.names:
        return
    domains = [_domain(sheet, one) for one in types]
    if not all(domains) or prod(map(len, domains)) > MOST_CALLS:
        return
    linked = sheet.linked
    slots = (("slot", number) for number in range(len(function.params)))
    compiled = linked.codegen.value(("function", function.id, *slots))
    for arguments in product(*domains):
        names, values = zip(*arguments, strict=True)
        try:
            value = compiled(sheet.world, values, linked.initial_scope, NO_RULES)
        except (RuntimeFault, TypeError, RecursionError):
            continue  # it reads state that only a game in play has
        if isinstance(value, int | Fraction):
            yield names, value


def _types(item: Item) -> list[TypeName]:
    return [one.type for one in effect_tree(str(item.data("takes") or ""), "params") or ()]


def _domain(sheet: NumberSheet, type_: TypeName) -> list[tuple[str, Any]]:
    """All values of a type, with names; empty if not enumerable."""
    if type_.many or type_.by_player:
        return []
    if type_.name in sheet.names:
        return [(name, number) for number, name in enumerate(sheet.names[type_.name])]
    if type_.name == "Bool":
        return [("no", False), ("yes", True)]
    return [(value, value) for value in sheet.linked.layout.enums.get(type_.name, ())]


def _label(sides: Sides, sheet: NumberSheet, words: ExprWords, key: Key) -> str:
    """A number in the game's own English, with the owner of a part."""
    functions = sheet.linked.program.functions
    function = next(one for one in functions if sides.key(sheet.side, one.id) == key[0])
    item = next(one for one in sheet.side.content.items if one.id == function.id)
    named = zip(_types(item), key[1:], strict=True)
    args = tuple(dict(_domain(sheet, t))[name] for t, name in named)
    said = words.called(function, args)
    owner, parted, _ = key[1].partition(": ")
    return f"{said} ({owner})" if parted and owner else said


def _printed(sides: Sides, sheet: NumberSheet, told: set[str]) -> dict[tuple[str, str], Any]:
    """The printed numbers of things whose items are not in `told`, by field and thing."""
    side, content = sheet.side, sheet.side.content
    by_place = {content.origin(item.place): sides.key(side, item.id) for item in content.items}
    found = {}
    for entity in sheet.linked.entities.values():
        names = sheet.names.get(entity.name, ())
        for field, values in entity.static:
            for name, place, value in zip(names, entity.places, values, strict=True):
                item = by_place.get(place, "")
                if item and item not in told and isinstance(value, int | Fraction):
                    found[f"{entity.name}.{field}", name] = value
    return found


# The fields of a manifest other than its settings are compared only between versions of one pack.
MANIFEST_LEFT_OUT = {"kind", "id", "version"}
CHOICES = {"switches", "settings"}


def compare(old: Side, new: Side) -> Changes:
    """The differences between two packs of one game."""
    sides = Sides(old, new)
    before, after = old.pack.manifest.fields, new.pack.manifest.fields
    left_out = MANIFEST_LEFT_OUT if sides.alike else {*before, *after} - CHOICES
    manifest = Comparison(sides, {}).of_fields(before, after, left_out)
    was, now = texts = rules_texts(sides)
    items = item_changes(sides, texts)
    numbers = number_changes(sides, items)
    # The texts of items that did not change themselves.
    both = sorted(was.keys() & now.keys() - {item.id for item in items})
    others = tuple((id, was[id], now[id]) for id in both if was[id] != now[id])
    return Changes(manifest, tuple(items), numbers, others)
