"""The targets of a patch: one item named as `target:`, or every item of a class.

A class is a kind and a condition on the printed values of all packs before any patch, so that it is
the same in every order. A patch without targets is an error, and so are an exemption that exempts
nothing and a word that no item has, unless the patch is optional. The edits of all patches are collected
by item.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import chain

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import (
    CHOICES_SHOWN,
    Suggestion,
    choices_text,
    did_you_mean,
    nearest,
)
from ruleloom.compiler.packs.content import Item, Poison
from ruleloom.compiler.packs.settings import (
    TAG,
    TAGS,
    Printed,
    Renames,
    folded,
    notice,
    renamed,
    value_of,
)
from ruleloom.compiler.patch.edits import (
    DOT,
    MERGE,
    Edit,
    EditError,
    PatchLeftOut,
    may_lack,
    root_of,
)
from ruleloom.compiler.patch.query import PACK, Card, ItemCondition, Word, condition
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import dataclass

FIXED_KINDS = ("pack", "patch", "extension", "scenarios")
# Fields of an item that patches never change.
FIXED_FIELDS = ("kind", "id", "renamed_from")
MAX_ASKED = 1_000_000
NOTHING = "patch-matches-nothing"


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """The target items of a patch; for a class, also its condition and its exemptions."""

    patch: Item
    items: tuple[Item, ...]
    is_class: bool = False
    condition: ItemCondition | None = None
    text: EffectText | None = None
    exempt: Mapping[str, YamlNode] = field(default_factory=dict)
    """The exempt items by id, each with its node under `except:`."""


@dataclass(slots=True, eq=False)
class Work:
    """The patches that disable an item, and the edits of others by field."""

    item: Item
    disabling: list[Item] = field(default_factory=list)
    edits: dict[str, list[Edit]] = field(default_factory=lambda: defaultdict(list))
    merges: dict[str, list[Edit]] = field(default_factory=lambda: defaultdict(list))
    steps: list[Edit] = field(default_factory=list)
    of_class: set[str] = field(default_factory=set)
    """The names of the patches that are for a class of items, not for this one by id."""

    def take(self, aim: Aim, edits: Sequence[Edit]) -> None:
        """Add the changes of one patch."""
        if "disable" in aim.patch.fields:
            self.disabling.append(aim.patch)
        for edit in edits:
            by_field = self.merges if edit.op == MERGE else self.edits
            (self.steps if edit.is_of_step else by_field[edit.at]).append(edit)
        if aim.is_class:
            self.of_class.add(aim.patch.name)

    def changing(self) -> list[Item]:
        """The patches that change a field or a step."""
        patches = [edit.patch for edit in chain(*self.edits.values())]
        patches += [edit.patch for edit in self.steps]
        return list({patch.name: patch for patch in patches}.values())


@dataclass(slots=True, eq=False)
class Targets:
    """A finder of the targets of patches among the items of all packs."""

    items: Sequence[Item]
    poisoned: Poison
    store: SchemaStore
    printed: Printed
    renames: Mapping[str, Renames]
    report: Report
    known: dict[tuple[str, str], Item] = field(init=False)
    given: Mapping[str, Sequence[str]] = field(init=False)
    """The tags that patches of single items append, by item id: these count as printed."""
    asked: int = 0
    missing: set[str] = field(default_factory=set)
    """The unknown kinds, reported with the first patch that names them."""

    def __post_init__(self) -> None:
        self.known = {
            (item.kind, item.name): item for item in self.items if item.kind not in FIXED_KINDS
        }
        self.given = self._given_tags()

    def _given_tags(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for patch in self.items:
            target, more = patch.fields.get("target"), patch.fields.get("append")
            tags = more.get(TAGS) if more is not None and patch.kind == "patch" else None
            if target is not None and tags is not None:
                pack, _, inside = str(target.value).rpartition(":")
                kind, _, name = inside.rpartition("/")
                item = self.known.get((kind, name)) or renamed(
                    self.renames.get(patch.pack, {}), pack, kind, name
                )
                if item is not None and pack in ("", item.pack):
                    names = [folded(one.text or one.raw) for one in items_of(tags)]
                    found.setdefault(item.id, []).extend(names)
        return found

    def of(self, patch: Item) -> Aim:
        """The targets of a patch; raises EditError, or PatchLeftOut for a missing optional one."""
        self._check_aimed(patch)
        if "every" in patch.fields:
            return self._class(patch)
        return Aim(patch, (self.named(patch.fields["target"], patch, "to change"),))

    def _check_aimed(self, patch: Item) -> None:
        one, many = patch.fields.get("target"), patch.fields.get("every")
        stray = next((name for name in ("where", "except") if name in patch.fields), None)
        if one is None and many is None:
            message = "this patch does not say what it changes"
            help = "add `target:` and an id, or `every:` and a kind"
            raise EditError("bad-patch", patch.place, message, help)
        if one is not None and (many is not None or stray is not None):
            word = stray or "every"
            message = f"`{word}` is about a class of items, and this patch has one `target`"
            place = patch.node.key_place(word)
            raise EditError("bad-patch", place, message, "take one of them out")

    # ------------------------------------------------------------------ one item

    def named(self, node: YamlNode, patch: Item, why: str, kind: str = "") -> Item:
        """The item of this id or old id; raises EditError or PatchLeftOut if there is none."""
        wanted = str(node.value)
        pack, _, inside = wanted.rpartition(":")
        written_kind, _, name = inside.rpartition("/")
        kind = written_kind or kind
        if kind in FIXED_KINDS:
            message = f"a patch cannot change items of the kind `{kind}`"
            raise EditError("bad-patch", node.place, message)
        target = self.known.get((kind, name))
        if target is not None and pack in ("", target.pack):
            return target
        item = renamed(self.renames.get(patch.pack, {}), pack, kind, name)
        if item is not None:
            notice(self.report, node.place, wanted, item)
            return item
        if self.poisoned.mentions(name) or may_lack(patch, "target"):
            raise PatchLeftOut
        close = target or self._nearest(kind, name)
        if kind not in self.store.kinds:
            self._check_new(kind)
        help = Suggestion(wanted, close.id) if close else None
        raise EditError(NOTHING, node.place, f"there is no `{wanted}` {why}", help)

    def _nearest(self, kind: str, name: str) -> Item | None:
        """Return the item most likely meant: one of a similar name, else one of another kind."""
        names = nearest(name, [other for other_kind, other in self.known if other_kind == kind], 1)
        keys = [(kind, one) for one in names] + [key for key in self.known if key[1] == name]
        return self.known[keys[0]] if keys else None

    # ------------------------------------------------------------------ a class of items

    def _class(self, patch: Item) -> Aim:
        kind = str(patch.data("every"))
        of_kind = self._of_kind(kind, patch.fields["every"])
        where = patch.fields.get("where")
        if where is None:
            if not of_kind and not self._may_be_empty(patch):
                place = patch.fields["every"].place
                raise EditError(NOTHING, place, f"there is no `{kind}` in these packs")
            return self._but_exempt(patch, of_kind)
        text = effect_text(where.source, where, self.report)
        if text is None:
            raise PatchLeftOut
        try:
            asked = condition(kind, self.store.fields(kind), text.text)
            found = self._asked(patch, asked, text, of_kind)
        except EffectSyntaxError as error:
            place = text.place_of(error.span)
            raise EditError(error.code, place, error.message, error.help) from None
        return self._but_exempt(patch, found, asked, text)

    def _but_exempt(
        self,
        patch: Item,
        found: Sequence[Item],
        asked: ItemCondition | None = None,
        text: EffectText | None = None,
    ) -> Aim:
        """The items of a class without the exempt ones."""
        kind = str(patch.data("every"))
        exempt = self._exempt(patch, kind)
        left = tuple(item for item in found if item.id not in exempt)
        if found and not left and not self._may_be_empty(patch):
            message = f"every `{kind}` of this class is exempt"
            raise EditError(NOTHING, patch.fields["except"].place, message)
        if not found:
            raise PatchLeftOut
        return Aim(patch, left, True, asked, text, exempt)

    def _of_kind(self, kind: str, node: YamlNode) -> list[Item]:
        """The items of a kind; EditError for an unknown one."""
        kinds = [one for one in self.store.kinds if one not in FIXED_KINDS]
        if kind not in kinds:
            self._check_new(kind)
            message = f"there is no kind `{kind}` to change"
            raise EditError(NOTHING, node.place, message, did_you_mean(kind, kinds))
        found = [item for item in self.items if item.kind == kind]
        self.asked += len(found)
        if self.asked > MAX_ASKED:
            message = f"the classes of these patches ask more than {MAX_ASKED:,} items"
            raise EditError(
                "too-many-patches", node.place, message, "name the items with `target:`"
            )
        return found

    def _check_new(self, kind: str) -> None:
        """Raise PatchLeftOut if this kind has been reported as unknown, else record it as reported."""
        if kind in self.missing:
            raise PatchLeftOut
        self.missing.add(kind)

    def _may_be_empty(self, patch: Item) -> bool:
        """May the class of this patch be empty, as it is optional or items may have been lost?"""
        return self.poisoned.may_hold(str(patch.data("every"))) or may_lack(patch, "target")

    def card(self, item: Item, fields: Mapping[str, YamlNode] | None = None) -> Card:
        """The reader of an item's fields for a condition; `fields` replace the item's own."""
        held = item.fields if fields is None else fields

        def read(name: str) -> object:
            if name == PACK and PACK not in held:
                return folded(item.pack)
            found = value_of(self.printed.value(item, held, name))
            if self.printed.field(item.kind, name).type == TAG:
                given = (*(found or ()), *(self.given.get(item.id, ()) if fields is None else ()))
                return self.printed.families.widened(given) if given else found
            return found

        return read

    def value(self, item: Item, fields: Mapping[str, YamlNode], name: str) -> YamlNode | None:
        """The value of a field or row, if an item has these fields."""
        root, dot, row = name.partition(DOT)
        if not dot:
            return self.printed.value(item, fields, name)
        return entries_of(fields.get(root)).get(row)

    def is_fractional(self, item: Item, name: str) -> bool:
        """May a field or row hold a number that is not whole?"""
        return self.printed.is_fractional(item, root_of(name))

    def _asked(
        self, patch: Item, asked: ItemCondition, text: EffectText, of_kind: Sequence[Item]
    ) -> list[Item]:
        """The items of a class; EditError if it is empty or its condition has a word that no item has."""
        cards = [self.card(item) for item in of_kind]
        quiet = self._may_be_empty(patch)
        for word in asked.words.values() if cards and not quiet else ():
            self._check_word(word, asked, cards, text)
        found = [item for item, card in zip(of_kind, cards, strict=True) if asked.holds(card)]
        if not found and not quiet:
            raise _no_items(asked, text, cards)
        return found

    def _check_word(
        self, word: Word, asked: ItemCondition, cards: Sequence[Card], text: EffectText
    ) -> None:
        """Raise EditError for a word of a condition that no item of the kind has."""
        kind, found = asked.kind, (asked.value(word.beside, card) for card in cards)
        held = {one for value in found for one in _words(value) if isinstance(one, str)}
        known = sorted({*held, *map(folded, self.printed.field(kind, word.field).words)})
        if word.word in known:
            return
        message = f"no `{kind}` has `{word.written}` in its `{word.field}`"
        help = did_you_mean(word.written, known)
        if help is None and 0 < len(known) <= CHOICES_SHOWN:
            help = choices_text(word.written, known)
        raise EditError(NOTHING, text.place_of(word.span), message, help)

    def _exempt(self, patch: Item, kind: str) -> dict[str, YamlNode]:
        """The exempt items of a patch, by id."""
        found: dict[str, YamlNode] = {}
        sound = True
        for node in items_of(patch.fields.get("except")):
            try:
                item = self.named(node, patch, "to be exempt", kind)
                if item.kind != kind:
                    message = f"`{item.id}` is no `{kind}`, so it is exempt anyway"
                    raise EditError(NOTHING, node.place, message, "take it out")
                if item.id in found:
                    message = f"`{item.id}` stands here twice"
                    raise EditError("bad-patch", node.place, message, "take one out")
                found[item.id] = node
            except EditError as error:
                error.tell(self.report)
                sound = False
            except PatchLeftOut:
                sound &= self._may_be_empty(patch)
        if not sound:
            raise PatchLeftOut
        return found


def _no_items(asked: ItemCondition, text: EffectText, cards: Sequence[Card]) -> EditError:
    """The error of an empty class, with the number of items that each conjunct holds for."""
    notes = []
    for part in asked.parts if len(asked.parts) > 1 else ():
        number = sum(asked.truth(part, card) for card in cards) or "none"
        words = text.text[slice(*part.span)]
        notes.append(Note(text.place_of(part.span), f"`{words}` holds for {number} of them"))
    message = f"there is no `{asked.kind}` in these packs"
    if cards:
        none = f"none of the {len(cards)} in these packs is"
        there = none if len(cards) > 1 else "the only one is not"
        message = f"this is for no `{asked.kind}`: {there} like that"
    return EditError(NOTHING, text.place_of((0, text.end)), message, None, notes)


def _words(value: object) -> tuple[object, ...]:
    """The values that a comparison can match: the value itself, or its elements."""
    if isinstance(value, tuple | dict):
        return tuple(value)
    return () if value is None else (value,)
