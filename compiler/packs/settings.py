"""Declarations of manifests and items before any patch: old names, switches, settings, static fields."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import (
    Suggestion,
    choices_text,
    did_you_mean,
    quoted_list,
)
from ruleloom.compiler.graph import closures
from ruleloom.compiler.packs.content import (
    BETWEEN,
    COMMON_KINDS,
    NO_PACK,
    POWERS,
    Change,
    Item,
    Pack,
    Poison,
    slug_of,
)
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax.tree import (
    BONUS,
    EVENT,
    KEYWORD,
    LASTING,
    OPERATION,
    POWER,
    REPLACED,
    RULE,
    STAT,
    VALUE,
    VARIABLE,
)
from ruleloom.compiler.yaml.node import (
    YamlNode,
    fields_of,
    items_of,
    text_of,
    to_data,
    with_entries,
)
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.values import FRACTION, exact

RENAMED_FROM = "renamed_from"


Renames = Mapping[tuple[str, str], Item]
"""The items by kind and old name, without refused old names."""


def renames_of(
    items: Iterable[Item], report: Report, shared: Container[tuple[str, str]] = ()
) -> Renames:
    """Index items by their old names; those `shared` by strangers mean something else in each pack."""
    known = {(item.kind, item.name): item for item in items}
    found: dict[tuple[str, str], Item] = {}
    refused: set[tuple[str, str]] = set()
    for item in known.values():
        for node in old_names(item):
            old = (item.kind, str(node.value))
            if old in shared:
                continue
            other = known.get(old) or found.get(old)
            if other is None:
                found[old] = item
                continue
            refused.add(old)
            message = f"`{item.id}` and `{other.id}` both claim the old name `{old[1]}`"
            if old in known:
                message = f"`{old[1]}` is the name of `{other.id}` itself"
            note, help = (
                Note(other.place, f"`{other.id}` stands here"),
                "take it out of one of them",
            )
            report.error("bad-rename", node.place, message, help, [note])
    return {old: item for old, item in found.items() if old not in refused}


def renamed(renames: Renames, pack: str, kind: str, name: str) -> Item | None:
    """The item that had this name, or that it stands for here; `pack` may be empty."""
    item = renames.get((kind, f"{pack}:{name}")) if pack else None
    item = item or renames.get((kind, name))
    return item if item is not None and pack in ("", item.pack) else None


def old_names(item: Item) -> list[YamlNode]:
    """The old names that an item claims."""
    written = item.fields.get(RENAMED_FROM)
    if written is None:
        return []
    return written.items if written.kind == "list" else [written]


def notice(report: Report, place: Place, written: str, item: Item, wanted: str = "") -> None:
    """Warn about an old name, and reject one that may mean several; `wanted` is the new one if not the
    full id."""
    name = wanted or item.id
    if item.rivals:
        refuse_unclear(report, place, written, {one.pack: one.place for one in item.rivals})
        return
    short = slug_of(re.split("[:/]", written)[-1])
    if all(slug_of(str(one.value)) != short for one in old_names(item)):
        return  # only the name of its pack is left out
    message = f"`{written}` is now called `{name}`, and is taken as that"
    note = Note(item.fields[RENAMED_FROM].place, f"`{item.id}` was renamed here")
    help = Suggestion(written, name, f"write `{name}`")
    report.warning("renamed", place, message, help, [note])


def refuse_unclear(report: Report, place: Place, written: str, owners: Mapping[str, Place]) -> None:
    """Report a short name that may mean an item of several packs, each with the place of its item."""
    full = [f"{pack}:{written}" for pack in owners]
    if "/" not in written:
        full = [f"{pack}{BETWEEN}{written}" for pack in owners]
        full = full if "-" in written else list(map(slug_of, full))
    message = f"`{written}` may be that of {quoted_list([*owners], 'or')}"
    notes = [Note(at, f"that of `{pack}`") for pack, at in owners.items()]
    report.error("unclear-name", place, message, f"write {quoted_list(full, 'or')}", notes)


ANY_WORD = re.compile(r"[A-Za-z_]\w*")
PARAM = re.compile(r"([A-Za-z_]\w*)\s*:")
TOLD = re.compile(r"\((.*)\)", re.DOTALL)
OPEN_TO_OWN = (VALUE, LASTING)
"""The roles in which a name may be a variable of the text."""
_HOOKED = (*POWERS, "flow")
_IN_PLACE_OF = {"before": _HOOKED, "after": _HOOKED} | dict.fromkeys(
    ("begin", "end", "prolong"), ("lasting",)
)
# The kinds of items whose names can have each role; a content item is a value.
KINDS: Mapping[str, tuple[str, ...]] = {
    POWER: POWERS,
    REPLACED: _HOOKED,
    RULE: ("rule",),
    STAT: ("stat",),
    BONUS: ("bonus", "tag"),
    KEYWORD: ("keyword",),
    LASTING: ("lasting",),
    VALUE: (*("rule", "stat", "measure", "table", "setting", "switch", "lasting", "bonus", "tag"),),
}
# The same for words of extensions, by the section that declares them.
WORDS: Mapping[str, tuple[str, ...]] = {
    "scope": (VALUE, VARIABLE),
    "zones": (VALUE,),
    "queries": (VALUE,),
    "operations": (OPERATION, EVENT, REPLACED),
    "moments": (OPERATION, EVENT, REPLACED),
}
# Roles that names of the vocabulary can have, too.
_OF_VOCABULARY = (REPLACED, VALUE)


def own_words(item: Item) -> list[str]:
    """The words that an item's own texts may define; in the vocabulary of a game all its words."""
    if item.kind == "vocabulary":
        return ANY_WORD.findall(item.node.raw)
    if item.kind == "extension":
        always = items_of(item.fields.get("always"))
        return [*_declared(item.node), *(text_of(one.get("for")) for one in always)]
    params = " ".join(str(item.data(field) or "") for field in ("takes", "gives", "of"))
    told = TOLD.search(str(item.data("event") or ""))
    return PARAM.findall(params) + (ANY_WORD.findall(told[1]) if told is not None else [])


Words = Mapping[tuple[str, str], Item]
"""The items by the role of a name in a text, and the name."""


def old_words(
    renames: Renames, items: Iterable[Item], unseen: Collection[str] = ()
) -> dict[tuple[str, str], Item]:
    """The items by role and old word, for words that are unambiguous in the role: an event's word is
    `before old_name`. The `unseen` words of vocabularies mean nothing here."""
    if not renames:
        return {}
    taken: dict[tuple[str, str], str] = {}
    for item in items:
        taken |= dict.fromkeys(words_for(item.kind, item.slug), item.slug)
        if item.kind in ("vocabulary", "extension"):
            declared = set(_declared(item.node)).difference(unseen)
            taken |= {(role, word): word for role in _OF_VOCABULARY for word in declared}
    found: dict[tuple[str, str], Item] = {}
    for (kind, name), item in renames.items():
        for key in words_for(kind, slug_of(name)):
            if taken.setdefault(key, item.slug) == item.slug:
                found[key] = item
            else:
                found.pop(key, None)
    return found


def words_for(kind: str, word: str) -> Iterator[tuple[str, str]]:
    """The words in texts for an item of this kind and name, each with its role."""
    yield from ((role, word) for role, kinds in KINDS.items() if kind in kinds)
    if kind not in COMMON_KINDS:
        yield from ((role, word) for role in WORDS.get(kind, (VALUE,)))
    for phase, kinds in _IN_PLACE_OF.items():
        if kind in kinds:
            yield EVENT, f"{phase} {word}"


def _declared(node: YamlNode) -> Iterator[str]:
    """The words that a part of a vocabulary may declare: its keys, and the values of its enums."""
    yield from node.entries
    for child in (*node.entries.values(), *node.items):
        yield from _declared(child)
    yield from (child.text for child in node.items if child.text is not None)


HOLE = re.compile(r"\{([A-Za-z_]\w*)(?=[}:])")
# The fields with English in which settings may be placeholders.
_WORDED = frozenset({"english", "gloss", "called", "log"})
_TAGGED = frozenset({"tags", "parent"})


def with_new_names(
    items: Iterable[Item], words: Mapping[str, Words], loose: Container[str], report: Report
) -> tuple[Item, ...]:
    """The items with new names for old tags and for old placeholders in English; `words` are by pack,
    `loose` the files of none."""
    if not any(words.values()):
        return tuple(items)
    items = tuple(items)
    here = {
        item.source.path: words[NO_PACK if item.source.path in loose else item.pack]
        for item in items
    }
    # A vocabulary has parts of the extensions that were merged into it.
    merged: dict[str, set[str]] = defaultdict(set)
    for item in items:
        if item.kind in ("vocabulary", "extension"):
            merged[item.source.path].update(own_words(item))
    made = []
    for item in items:
        parts = merged if item.kind == "vocabulary" else None
        made.append(_Fields(here, parts, {*own_words(item)}, report).of(item))
    return tuple(made)


class _Fields(Frozen):
    """The fields of an item, with what words mean by the file that has them, and which are its own."""

    words: Mapping[str, Words]
    merged: Mapping[str, set[str]] | None
    own: set[str]
    report: Report

    def of(self, item: Item) -> Item:
        # The text of a thing may have holes, those of layouts hold expressions.
        worded = item.kind not in COMMON_KINDS
        fields = {
            name: self._read("english" if worded and name == "text" else name, node)
            for name, node in item.fields.items()
        }
        same = all(node is item.fields[name] for name, node in fields.items())
        if same:
            return item
        # Whoever adds to a vocabulary later reads its node.
        node = item.node if self.merged is None else with_entries(item.node, fields)
        return replace(item, fields=fields, node=node)

    def _read(self, field: str, node: YamlNode) -> YamlNode:
        if node.kind == "map":
            entries = {key: self._read(key, child) for key, child in node.entries.items()}
            same = all(child is node.entries[key] for key, child in entries.items())
            return node if same else replace(node, value=entries)
        if node.kind == "list":
            children = [self._read(field, child) for child in node.items]
            same = all(one is other for one, other in zip(children, node.items, strict=True))
            return node if same else replace(node, value=children)
        if node.text is None:
            return node
        if field in _TAGGED:
            return self._tag(node, node.text)
        return self._holes(node, node.text) if field in _WORDED and "{" in node.text else node

    def _tag(self, node: YamlNode, written: str) -> YamlNode:
        item = self.words[node.source.path].get((BONUS, slug_of(written)))
        if item is None or item.kind != "tag":
            return node
        notice(self.report, node.place, written, item, item.name)
        return replace(node, value=item.name)

    def _holes(self, node: YamlNode, text: str) -> YamlNode:
        path = node.source.path
        own = self.own if self.merged is None else self.merged[path]
        for hole in HOLE.finditer(text):
            item = self.words[path].get((VALUE, hole[1]))
            if item is not None and hole[1] not in own:
                start = node.source.text.find(hole[0], node.start, node.end) + 1
                place = node.source.place(start, start + len(hole[1])) if start else node.place
                notice(self.report, place, hole[1], item, item.slug)
                text = text.replace(hole[0], f"{{{item.slug}")
        return node if text == node.text else replace(node, value=text)


FRACTIONAL = "fraction"
FIELDS = {"switch": "switches", "setting": "settings"}  # of a manifest
# For each sort: the description of its values, and how to write one.
WANTED = {
    "int": ("a number", "a whole number"),
    FRACTIONAL: ("a number", "a number such as `3`, `1/2` or `0.5`"),
    "bool": ("`true` or `false`", "`true` or `false`"),
    "text": ("a text", "it in quotes"),
}


def sort_of(item: Item) -> str:
    """The sort of a setting, by its type or else by its value."""
    node, written = item.fields["value"], item.fields.get("type")
    if written is not None:
        return FRACTIONAL if written.text == str(FRACTION) else node.kind
    return FRACTIONAL if node.kind == "text" and amount(node) is not None else node.kind


def amount(node: YamlNode) -> int | Fraction | None:
    """The exact number in an unquoted node; None for anything else."""
    if node.kind not in ("int", "text") or node.style is not None:
        return None
    try:
        return exact(node.text if node.text is not None else str(node.value))
    except ValueError:
        return None


def may_be(item: Item, node: YamlNode) -> bool:
    """May this value replace a setting's own?"""
    sort = sort_of(item)
    if sort == FRACTIONAL:
        return amount(node) is not None
    if sort == "text" and "type" not in item.fields and amount(node) is not None:
        return False  # it would be taken for a number
    return node.kind == sort


def in_place_of(item: Item, node: YamlNode) -> YamlNode:
    """The value in the setting's own form: 3 becomes a fraction for a fractional setting."""
    is_fraction = sort_of(item) == FRACTIONAL
    return replace(node, kind="text", value=str(node.value)) if is_fraction else node


History = Mapping[tuple[str, str], tuple[Change, ...]]
# A choice: the pack, and the node that it wrote.
Choice = tuple[Pack, YamlNode]


class Choices(Frozen):
    """The choices of manifests for the items of one kind, switches or settings."""

    kind: str
    packs: Sequence[Pack]
    items: Sequence[Item]
    poisoned: Poison
    renames: Mapping[str, Renames]
    """The old and short names by the pack that writes them."""
    report: Report

    def options(self) -> dict[str, str]:
        """Return the options that packs choose, by the slug of the switch."""
        return {slug: str(node.value) for slug, (_, node) in self._decided().items()}

    def applied(self, history: History) -> tuple[tuple[Item, ...], History]:
        """Return the items with the settings that packs choose, and the history with those changes.

        A chosen value keeps its place in the manifest, so that findings point there.
        """
        chosen = self._decided()
        changed, result = dict(history), []
        for item in self.items:
            if item.kind != "setting" or item.slug not in chosen:
                result.append(item)
                continue
            pack, node = chosen[item.slug]
            place, old, new = node.place, item.data("value"), to_data(node)
            step = Change(pack.id, place.path, place.line, "settings", old, new, pack.id, new)
            changed[item.id, "value"] = (*changed.get((item.id, "value"), ()), step)
            fields = {**item.fields, "value": in_place_of(item, node)}
            result.append(replace(item, fields=fields))
        return tuple(result), changed

    def _decided(self) -> dict[str, Choice]:
        """Return the decisive choice for each name; report conflicting ones."""
        chosen: dict[str, Choice] = {}
        for slug, (first, *others) in self._setters().items():
            chosen[slug] = first
            winner, wanted = first
            values = "options" if self.kind == "switch" else "values"
            note = Note(wanted.place, f"`{winner.id}` sets it to `{wanted.raw}`")
            for pack, node in (one for one in others if _meant(one[1]) != _meant(wanted)):
                both = f"`{pack.id}` and `{winner.id}`"
                message = f"{both} set the {self.kind} `{slug}` to different {values}"
                help = "a pack that requires both may decide"
                self.report.error(f"{self.kind}-conflict", node.place, message, help, [note])
        return chosen

    def _setters(self) -> dict[str, list[Choice]]:
        """Return the choices for each name, without those of packs that another chooser builds on."""
        known = {item.slug: item for item in self.items if item.kind == self.kind}
        built_on = closures({pack.id: pack.needs for pack in self.packs})
        setters: dict[str, list[Choice]] = {}
        for pack in self.packs:
            below = built_on[pack.id] - {pack.id}
            for name, node, place in fields_of(pack.manifest.fields.get(FIELDS[self.kind])):
                item = renamed(self.renames[pack.id], "", self.kind, name)
                if item is not None:
                    notice(self.report, place, name, item, item.name)
                    name = item.name
                slug = slug_of(name)
                if self._is_sound(name, node, place, known):
                    others = [one for one in setters.get(slug, []) if one[0].id not in below]
                    setters[slug] = [*others, (pack, node)]
        return setters

    def _is_sound(self, name: str, node: YamlNode, place: Place, known: Mapping[str, Item]) -> bool:
        """Check that a manifest's name and value are valid; a poisoned name is not reported."""
        if self.poisoned.mentions(name):
            return False
        if slug_of(name) in known:
            return self._fits(name, known[slug_of(name)], node)
        choices = f"; {choices_text(name, sorted(known))}" if known else ""
        message = f"there is no {self.kind} `{name}`{choices}"
        self.report.error(f"unknown-{self.kind}", place, message, did_you_mean(name, known))
        return False

    def _fits(self, name: str, item: Item, node: YamlNode) -> bool:
        if self.kind == "setting":
            if may_be(item, node):
                return True
            message = f"the value of `{name}` must be {WANTED[sort_of(item)][0]}"
            help = f"such as `{item.fields['value'].raw}`"
            self.report.error("type-mismatch", node.place, message, help)
            return False
        options, word = list(item.fields["options"].entries), str(node.value)
        if node.value not in options:
            message = f"`{word}` is no option of `{name}`; {choices_text(word, options)}"
            self.report.error("unknown-option", node.place, message, did_you_mean(word, options))
        return node.value in options


def _meant(node: YamlNode) -> object:
    """A value for comparison: `1/4` and `0.25` are the same number."""
    number = amount(node)
    return node.value if number is None else number


TAG, TAGS = "tag", "tags"
FULL_ID = re.compile(r"(?:[a-z][a-z0-9_-]*:)?[a-z][a-z0-9_-]*/([A-Za-z][A-Za-z0-9_-]*)")


class Families(Frozen):
    """All tags of a game by slug, each with its parent's slug or an empty one."""

    parents: Mapping[str, str]

    @classmethod
    def of(cls, items: Iterable[Item]) -> Families:
        """Read the tags among these items, which are checked later."""
        tags = [item for item in items if item.kind == TAG]
        return cls({item.slug: slug_of(str(item.data("parent") or "")) for item in tags})

    def widened(self, tags: Iterable[str]) -> tuple[str, ...]:
        """These tags and all their ancestors, each once."""
        found: dict[str, None] = {}
        for tag in tags:
            while tag and tag not in found:
                found[tag] = None
                tag = self.parents.get(tag, "")
        return tuple(found)


class PrintedField(Frozen):
    """The declaration of one field of a content kind: its type, its default, its words."""

    type: str = ""
    """`tag` for the tags of items, but not for a list that a game declares under that name."""
    default: YamlNode | None = None
    words: tuple[str, ...] = ()


NO_FIELD = PrintedField()


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """The declarations of the fields of a game's content kinds."""

    vocabulary: Mapping[str, YamlNode]
    families: Families = field(default_factory=lambda: Families({}))
    _found: dict[tuple[str, str], PrintedField] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Iterable[Item]) -> Printed:
        """Read the vocabulary among these items, if any, and the tags."""
        items = tuple(items)
        vocabulary = next((item.fields for item in items if item.kind == "vocabulary"), {})
        return cls(vocabulary, Families.of(items))

    def field(self, kind: str, name: str) -> PrintedField:
        """The declaration of a field of items of this kind."""
        if (kind, name) not in self._found:
            self._found[kind, name] = self._read(kind, name)
        return self._found[kind, name]

    def value(self, item: Item, fields: Mapping[str, YamlNode], name: str) -> YamlNode | None:
        """The value of a field: the written one, else the vocabulary's default."""
        node = fields.get(name)
        return node if node is not None else self.field(item.kind, name).default

    def is_fractional(self, item: Item, name: str) -> bool:
        """May this field of an item hold a number that is not whole?"""
        if item.kind == "setting":
            return name == "value" and sort_of(item) == FRACTIONAL
        if item.kind == "table":
            return _type_in(item.data("gives")) == str(FRACTION)
        return self.field(item.kind, name).type == str(FRACTION)

    def _read(self, kind: str, name: str) -> PrintedField:
        entity = text_of(_at(self.vocabulary.get("kinds"), kind, "makes"))
        written = _at(self.vocabulary.get("entities"), entity, "static", name)
        if written is None:
            return (
                PrintedField(TAG, words=tuple(self.families.parents)) if name == TAGS else NO_FIELD
            )
        type_ = _type_in(written.text or getattr(written.get("type"), "text", None))
        values = _at(self.vocabulary.get("enums"), type_)
        words = [*values.entries, *(one.text or one.raw for one in values.items)] if values else []
        default = None if written.get("by") is not None else written.get("default")
        return PrintedField(type_, default, tuple(words))


def _at(node: YamlNode | None, *keys: str) -> YamlNode | None:
    for key in keys:
        node = node.get(key) if node is not None else None
    return node


def _type_in(written: Any) -> str:
    """The name of the item type: `Colour` of `List of Colour?`."""
    return str(written or "").removeprefix("List of ").partition(" by ")[0].removesuffix("?")


def value_of(node: YamlNode | None) -> Any:
    """The value of a node: number, boolean, folded word, tuple, dict by folded keys, or None."""
    if node is None or node.kind == "null":
        return None
    if node.kind == "list":
        return tuple(value_of(one) for one in node.items)
    if node.kind == "map":
        return {folded(key): value_of(one) for key, one in node.entries.items()}
    number = amount(node)
    if number is not None and not isinstance(node.value, bool):
        return number
    return folded(node.value) if isinstance(node.value, str) else node.value


def folded(word: str) -> str:
    """A word in the form of effect text, with `_` for `-` and without the pack and kind of an id."""
    full = FULL_ID.fullmatch(word)
    return (full[1] if full else word).replace("-", "_")


def is_number(value: Any) -> bool:
    """Is this a number, and not a boolean?"""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
