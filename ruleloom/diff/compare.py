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
import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.analysis.effect_cursor import form_in
from ruleloom.compiler.analysis.normal_form import FieldPath, Forms, normal_form
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content, Item, Pack
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, PackFolder, find_packs, shown_path
from ruleloom.compiler.pipeline import compile_paths, rules_of
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data
from ruleloom.diff.promises import Promises, promises_of
from ruleloom.diff.revisions import unpack
from ruleloom.diff.weighing import weighed
from ruleloom.output.repository import with_paths
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.explain.expr_words import ExprWords
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text, unique_keys
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Entity, Function, Program
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import Type, World

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


class PromiseChange(NamedTuple):
    """A change of something that others hold on to by its name."""

    name: str  # with its sort, as in `api.json`
    level: str
    words: str
    at: Where | None


class Changes(Frozen):
    """The changes of `manifest`, items and promises, and the resulting ones of numbers and rules `texts`."""

    manifest: tuple[FieldChange, ...] = ()
    items: tuple[ItemChange, ...] = ()
    numbers: tuple[NumberChange, ...] = ()
    texts: tuple[tuple[str, str, str], ...] = ()
    promises: tuple[PromiseChange, ...] = ()

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


class NotOne(Refused):
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
    begins, instead = shown or ("", "")
    raise Broken(
        label,
        *with_paths(
            result.diagnostics,
            result.sources,
            lambda one: one if not one.startswith(begins) else instead + one.removeprefix(begins),
        ),
    )


def side_at(folder: PackFolder, revision: str, beside: Sequence[str]) -> Side:
    """A pack at a git revision. Raises Broken, NotOne or NoRevision."""
    label = f"{revision}:{folder.shown}"
    with TemporaryDirectory(prefix="ruleloom-") as place:
        inside = Path(place) / "pack"
        unpack(folder.path, revision, inside)
        return load_side(inside, label, beside, (shown_path(inside), label))


def one_pack(path: str | Path, label: str, builtin: Path = BUILTIN) -> PackFolder:
    """The folder of the one pack that `path` names. Raises Broken or NotOne."""
    report = Report()
    found = find_packs(path, builtin, report)
    if not found:
        raise Broken(label, report.diagnostics(), {})
    if len(found) > 1:
        named = ", ".join(one.shown for one in found[:3])
        raise NotOne(f"there are several packs: {named}", "name the folder of one")
    return found[0]


Fields = Mapping[str, YamlNode]
NO_FIELDS = ("kind", "id", "renamed_from")


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
        """Entries that came or went; two that are called the same are compared with one another."""
        gone, came, inner = list(old.items), list(new.items), (*path, "*")
        meanings = [self._meaning(one, inner) for one in came]
        for node in old.items:  # what has its like among the others stays as it is
            meaning = self._meaning(node, inner)
            if meaning in meanings:
                at = meanings.index(meaning)
                del meanings[at], came[at]
                gone.remove(node)
        if not gone and not came:
            yield self._change(path, "order", old, new)
        for node in list(gone):
            alike = (one for one in came if one.kind == node.kind == "map" and _called(one))
            other = next((one for one in alike if _called(one) == _called(node)), None)
            if other is not None:
                gone.remove(node)
                came.remove(other)
                yield from self._maps(node.entries, other.entries, (*path, f"[{_called(node)}]"))
        yield from (self._change(path, "removed", node, None) for node in gone)
        yield from (self._change(path, "added", None, node) for node in came)

    def _meaning(self, node: YamlNode, path: FieldPath) -> Any:
        return normal_form(node, path, self.forms)

    def _change(
        self, path: FieldPath, does: Any, old: YamlNode | None, new: YamlNode | None
    ) -> FieldChange:
        before, after = (None if node is None else to_data(node) for node in (old, new))
        sides, form = self.sides, form_in(self.forms, path)
        old_at = None if old is None else sides.where(sides.old, old.place)
        new_at = None if new is None else sides.where(sides.new, new.place)
        return FieldChange(path, does, before, after, old_at, new_at, form)


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
        advised = may_tell and old.name not in former_names(new)
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
        names = former_names(item)
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


def former_names(item: Item) -> list[str]:
    """The names that an item had before."""
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


ASKED = re.compile(r"[^:]*:(?:stat|measure|rule)/")
NUMBERS = ("Int", "Fraction", "Bool")
# A function with more combinations of arguments than this is skipped.
MOST_CALLS = 20_000


class Figure(NamedTuple):
    """A number that can be computed before the game, by a function from its arguments; a printed one
    without."""

    value: int | Fraction | bool
    function: Function | None = None
    arguments: tuple[Any, ...] = ()


Figures = dict[tuple[str, ...], Figure]
"""Numbers by the common id of what computes or prints them, and the names of its arguments."""


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

    def computed(self, function: Function) -> Iterator[tuple[tuple[str, ...], Figure]]:
        """A function's values by its arguments, the first of which is a thing that items make."""
        types = [Type.parse(one) for one in function.param_types]
        domains = [self._domain(one) for one in types]
        known = types and types[0].name in self.names and all(domains)
        if not known or prod(map(len, domains)) > MOST_CALLS:
            return
        slots = (("slot", number) for number in range(len(types)))
        compiled = self.linked.codegen.value(("function", function.id, *slots))
        for arguments in product(*domains):
            names, values = zip(*arguments, strict=True)
            try:
                value = compiled(self.world, values, self.linked.initial_scope, NO_RULES)
            except (RuntimeFault, TypeError, RecursionError):
                continue  # it reads what only a game in play has
            if isinstance(value, int | Fraction):
                yield names, Figure(value, function, values)

    def _domain(self, type_: Type) -> list[tuple[str, Any]]:
        """All values of a type by name; none if they cannot be listed."""
        if type_.many or type_.by_player:
            return []
        if type_.name in self.names:
            return [(name, number) for number, name in enumerate(self.names[type_.name])]
        if type_.name == "Bool":
            return [("no", False), ("yes", True)]
        return [(value, value) for value in self.linked.layout.enums.get(type_.name, ())]

    def printed(self, told: Container[str], key: Callable[[Side, str], str]) -> Figures:
        """The printed numbers of things whose items say nothing new, as they are not `told`."""
        side, content = self.side, self.side.content
        by_place = {content.origin(item.place): key(side, item.id) for item in content.items}
        found: Figures = {}
        for entity in self.linked.entities.values():
            names = self.names.get(entity.name, ())
            for field, values in entity.static:
                for name, place, value in zip(names, entity.places, values, strict=True):
                    item = by_place.get(place, "")
                    if item and item not in told and isinstance(value, int | Fraction):
                        found[f"{entity.name}.{field}", name] = Figure(value)
        return found


def number_changes(sides: Sides, changes: Sequence[ItemChange]) -> tuple[NumberChange, ...]:
    """The numbers that changed, sorted by thing, then in the order of functions."""
    renamed = {change.was: change.id for change in changes if change.was}
    names = {was.rpartition("/")[2]: id.rpartition("/")[2] for was, id in renamed.items()}
    new = NumberSheet.of(sides.new, {})
    words = ExprWords(new.linked, new.world, new.linked.initial_scope, NO_RULES)
    told = {change.id for change in changes if change.fields}

    def figures(sheet: NumberSheet) -> Figures:
        functions = (one for one in sheet.linked.program.functions if one.result in NUMBERS)
        found: Figures = {}
        for one in functions:
            if ASKED.match(one.id):
                id = sides.key(sheet.side, one.id)
                id = id if sheet is new else renamed.get(id, id)
                found |= {(id, *of): figure for of, figure in sheet.computed(one)}
        return found | sheet.printed(told, sides.key)

    def label(id: str, of: str, figure: Figure) -> str:
        """A number in the game's own English, with the owner of what has one."""
        if figure.function is None:
            return f"{id.rpartition('.')[2].replace('_', ' ')} of {of}"
        said = words.called(figure.function, figure.arguments)
        owner, parted, _ = of.partition(": ")
        return f"{said} ({owner})" if parted and owner else said

    before = figures(NumberSheet.of(sides.old, names))
    found = [
        NumberChange(key[0], key[1], label(key[0], key[1], now), before[key].value, now.value)
        for key, now in figures(new).items()
        if key in before and before[key].value != now.value
    ]
    return tuple(sorted(found, key=lambda one: one.of))


def things(entity: Entity, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """Stable names of an entity's things: of an unnamed part, its title."""
    named = []
    for name, title in zip(entity.names, entity.titles, strict=True):
        parts = [renamed.get(part, part) for part in name.split(".")]
        part_of = len(parts) > 1 and parts[-1].isdecimal()
        named.append(f"{'.'.join(parts[:-1])}: {title}" if part_of else ".".join(parts))
    return tuple(unique_keys(named))


def promise_changes(sides: Sides, changes: Sequence[ItemChange]) -> Iterator[PromiseChange]:
    """The changes of what a pack promises, apart from items that came, went or have a new name."""
    old, new = (promises_of(one.content, one.pack.id) for one in (sides.old, sides.new))
    was = {change.id: change.was for change in changes if change.was}
    told = {id for one in changes if one.does != "changed" for id in (one.id, one.was)}
    for name, promise in new.items():
        before = old.get(was.get(name, name))
        for one in weighed(before.says, promise.says) if before is not None else ():
            at = sides.where(sides.new, promise.places.get(one.field, promise.place))
            yield PromiseChange(name, one.level, one.words, at)
    for name in sorted(new.keys() - old.keys() - told):
        yield PromiseChange(name, "minor", "is new", sides.where(sides.new, new[name].place))
    for name in sorted(old.keys() - new.keys() - told):
        at = sides.where(sides.old, old[name].place)
        yield PromiseChange(name, "major", _gone(name, new, old), at)


def _gone(name: str, new: Promises, old: Promises) -> str:
    """That a name is gone, and where else one like it has come."""
    last = re.split("[/.]", name)[-1]
    like = [one for one in new if one not in old and re.split("[/.]", one)[-1] == last]
    return f"is gone; `{like[0]}` is new" if like else "is gone"


# What a manifest says apart from the settings is compared only between two versions of a pack.
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
    promises = tuple(promise_changes(sides, items)) if sides.alike else ()
    return Changes(manifest, tuple(items), numbers, others, promises)
