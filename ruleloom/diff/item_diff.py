"""The items of two packs in pairs, and what is different in each pair.

Items pair by kind and name; the packs' own also where their packs have different ids. A removed and
an added item are one renamed, if the new one says so (`renamed_from`) or says the same in all but
its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ruleloom.compiler.analysis.rules import rules_of
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.source.file import Place
from ruleloom.diff.changes import ItemChange, Where
from ruleloom.diff.field_diff import NO_FIELDS, Comparison, Forms
from ruleloom.diff.operand import Side
from ruleloom.runtime.dataclass import dataclass

# What an item says apart from what it is called.
NAMES = (*NO_FIELDS, "title")
Items = Mapping[str, Item]
RulesTexts = tuple[Mapping[str, str], Mapping[str, str]]
"""The rules of the items of both sides, by their common ids."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two packs, and how their items are named in common."""

    old: Side
    new: Side

    @property
    def alike(self) -> bool:
        """Whether these are two versions of one pack."""
        return self.old.pack.id == self.new.pack.id

    def key(self, side: Side, id: str) -> str:
        """The id of an item, without the pack where that is the one compared."""
        pack, _, rest = id.partition(":")
        olds, news = ({pack.id for pack in side.content.packs} for side in (self.old, self.new))
        # Where one pack builds on the other, the question is what it changes there.
        nested = self.old.pack.id in news or self.new.pack.id in olds
        return rest if pack == side.pack.id and (self.alike or not nested) else id

    def items(self, side: Side) -> dict[str, Item]:
        """The items of a side that the other could have, by their common id."""
        other = self.new if side is self.old else self.old
        shared = {pack.id for pack in other.content.packs} | {side.pack.id}
        return {
            self.key(side, item.id): item
            for item in side.content.items
            if item.pack in shared and item.kind != "pack"
        }

    def comparison(self, forms: Forms) -> Comparison:
        """The comparison of fields of the two."""
        return Comparison(forms, partial(self.where, self.old), partial(self.where, self.new))

    def where(self, side: Side, place: Place) -> Where:
        """The place of something: without the pack's name if both are versions of the same pack."""
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
            found.append(change if text[0] == text[1] else replace(change, text=text))
    return found


def _change(
    sides: Sides, id: str, former: str, old: Item | None, new: Item | None
) -> ItemChange | None:
    """The change of one item; None if it says the same."""
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
    fields = sides.comparison(sides.forms_of(new)).of_fields(old.fields, new.fields)
    if id != former:
        may_tell = "renamed_from" in sides.new.content.schemas.fields(new.kind)
        advised = may_tell and old.name not in _former_names(new)
        return ItemChange(id, "renamed", own, former, advised, before, after, fields)
    own = sides.new.owns(new)
    change = ItemChange(id, "changed", own, "", False, before, after, fields, patched=not own)
    return change if fields else None


def rules_texts(sides: Sides) -> RulesTexts:
    """The generated rules of both sides, by the common ids; what is printed is compared by field."""
    both = (sides.old, sides.new)
    old, new = (
        {sides.key(side, id): rules for id, rules in rules_of(side.content).items()}
        for side in both
    )
    return old, new


def _other_names(sides: Sides, old: Items, new: Items) -> dict[str, str]:
    """The former id of each item that has a new name or kind."""
    gone = {id: old[id] for id in sorted(old.keys() - new.keys())}
    came = {id: new[id] for id in sorted(new.keys() - old.keys())}
    was: dict[str, str] = {}

    def by_former_name(item: Item, free: Items) -> str | None:
        same_kind = {id: one for id, one in free.items() if one.kind == item.kind}
        names = _former_names(item)
        return next((id for id, one in same_kind.items() if one.name in names), None)

    def of_another_kind(item: Item, free: Items) -> str | None:
        namesakes = {id: one for id, one in free.items() if one.name == item.name}
        return next((id for id, one in namesakes.items() if one.kind != item.kind), None)

    for find in (by_former_name, of_another_kind, partial(_alike, sides, came)):
        for id, item in came.items():
            free = {other: one for other, one in gone.items() if other not in was.values()}
            former = None if id in was else find(item, free)
            if former is not None:
                was[id] = former
    return was


def _former_names(item: Item) -> list[str]:
    names = item.data("renamed_from")
    listed = names if isinstance(names, list) else [names]
    return [str(name).rpartition("/")[2] for name in listed if name is not None]


def _alike(sides: Sides, came: Items, item: Item, gone: Items) -> str | None:
    """The only item that said the same, if this is also the only one that says it now."""
    comparison = sides.comparison(sides.forms_of(item))

    def says_the_same(one: Item, other: Item) -> bool:
        return one.kind == other.kind and not comparison.of_fields(one.fields, other.fields, NAMES)

    found = [id for id, one in gone.items() if says_the_same(one, item)]
    if len(found) != 1:
        return None
    rivals = (one for one in came.values() if one is not item)
    return None if any(says_the_same(gone[found[0]], one) for one in rivals) else found[0]
