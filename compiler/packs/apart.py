"""Keeps apart the items of packs that do not know each other and call two things the same.

In: the items of all packs, and the packs that each builds on. Out: the same items, of which namesakes of
strangers have the name of their pack before their own (`night-market__silver-tongue`), and for each
pack what its short names mean: its own item, or that of the pack that it builds on. A name that may
mean several is an item with `rivals`, which `notice` rejects where it is written. So has an item of the
name of something in a stranger's extension, which keeps its own.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import (
    BETWEEN,
    COMMON_KINDS,
    KINDS_WITHOUT_ID,
    NO_PACK,
    POWERS,
    Derived,
    Item,
    Pack,
    slug_of,
)
from ruleloom.compiler.packs.settings import (
    ANY_WORD,
    Renames,
    Words,
    old_names,
    old_words,
    renames_of,
    with_new_names,
    words_for,
)
from ruleloom.compiler.yaml.node import entries_of, items_of, text_of
from ruleloom.runtime.dataclass import Frozen

# A game has one of each of these, and clauses are named after their book.
SHARED = (*KINDS_WITHOUT_ID, "flow", "clause", "pack")
# The kinds whose names are one namespace.
SPACES: Mapping[str, str] = {
    **dict.fromkeys(POWERS, "power"),
    **dict.fromkeys(("rule", "measure", "table", "stat", "setting", "switch", "lasting"), "value"),
}
Below = Mapping[str, frozenset[str]]
"""All packs that each pack builds on, itself included or not."""


def are_strangers(one: str, other: str, below: Below) -> bool:
    """Whether two packs are different, and neither builds on the other."""
    return one != other and one not in below[other] and other not in below[one]


def may_be_apart(one: Item, other: Item, below: Below) -> bool:
    """Whether two namesakes can both be in a game."""
    return one.kind not in SHARED and are_strangers(one.pack, other.pack, below)


class ItemNames(Frozen):
    """The items of all packs under the names that hold, with those in their tags and English.

    `scopes` are the items by kind and old or short name, `words` by role and name, both by the pack that
    writes them; `renamed` are those by old names alone, `ids` the new ids of namesakes.
    """

    items: tuple[Item, ...]
    scopes: Mapping[str, Renames]
    words: Mapping[str, Words]
    renamed: Renames
    ids: Mapping[str, str]

    def derived(self, variants: Mapping[str, Derived]) -> dict[str, Derived]:
        """The variants by their new ids."""
        ids = self.ids
        return {
            ids.get(id, id): replace(one, base=ids.get(one.base, one.base))
            for id, one in variants.items()
        }


def named_apart(
    items: Sequence[Item],
    below: Below,
    words: Sequence[Shared],
    loose: Container[str],
    report: Report,
) -> ItemNames:
    """Tell namesakes apart, and resolve old and short names in tags and English; `words` are those that
    extensions share, `loose` the files of no pack."""
    added = _words_added(items)
    apart, found, ids = _told_apart(items, below, added)
    shared = (*found, *words)
    old = renames_of(
        apart, report, {(one.kind, name) for many in shared for name, one in many.named}
    )
    scopes = {pack: {**old, **dict(_scope(pack, shared, below))} for pack in (*below, NO_PACK)}
    unseen = {pack: _unseen(pack, added, words, below) for pack in scopes}
    spoken = {pack: old_words(names, apart, unseen[pack]) for pack, names in scopes.items()}
    read = with_new_names(apart, spoken, loose, report)
    by_id = {item.id: item for item in read}

    def now(names: Renames) -> Renames:
        return {name: one if one.rivals else by_id.get(one.id, one) for name, one in names.items()}

    return ItemNames(read, {id: now(one) for id, one in scopes.items()}, spoken, now(old), ids)


def _unseen(
    pack: str, added: Mapping[str, frozenset[str]], words: Sequence[Shared], below: Below
) -> set[str]:
    """The words of extensions that mean nothing in a pack, or are told apart there."""
    apart = {name for one in words for name, _ in one.named}
    return apart | {word for word, packs in added.items() if not _sees(pack, packs, below)}


def _words_added(items: Iterable[Item]) -> Mapping[str, frozenset[str]]:
    """The bare words that extensions declare, each with the packs that do: variables, zones, queries,
    fields, and values of enums."""
    found: dict[str, set[str]] = {}
    for item in items:
        for word in _words_of(item) if item.kind == "extension" else ():
            found.setdefault(word, set()).add(item.pack)
    return {word: frozenset(packs) for word, packs in found.items()}


def _words_of(extension: Item) -> Iterator[str]:
    extends = entries_of(extension.fields.get("extends"))
    entities = [*entries_of(extension.fields.get("entities")).values(), *extends.values()]
    parts = [extension.fields.get(part) for part in ("scope", "zones", "queries")]
    for part in (*parts, *(one.get(part) for one in entities for part in ("fields", "static"))):
        yield from entries_of(part)
    for enum in (*entries_of(extension.fields.get("enums")).values(), *extends.values()):
        yield from map(text_of, items_of(enum))


def _sees(pack: str, packs: Iterable[str], below: Below) -> bool:
    """Whether a pack sees what one of these adds to the game; a file of no pack sees all."""
    return pack == NO_PACK or any(one == pack or one in below[pack] for one in packs)


class Shared(Frozen):
    """Items that strangers call the same, or have called so, each with that name; and the packs whose
    extensions declare it."""

    named: tuple[tuple[str, Item], ...]
    packs: frozenset[str]


def _told_apart(
    items: Sequence[Item], below: Below, added: Mapping[str, frozenset[str]]
) -> tuple[tuple[Item, ...], Sequence[Shared], Mapping[str, str]]:
    """The items with namesakes told apart, the names that they share, and the new ids."""
    new: dict[str, Item] = {}
    found: list[tuple[list[tuple[str, Item]], frozenset[str]]] = []
    for (space, slug), many in _by_name(items).items():
        is_value = space == "value" or space not in COMMON_KINDS
        others = added.get(slug, frozenset()) if is_value else frozenset[str]()
        met = _strangers([one for _, one in many], below, others)
        if met:
            found.append(([pair for pair in many if pair[1] in met], others))
            now = [one for one in met if one.slug == slug]
            new |= {one.id: replace(one, name=f"{one.pack}{BETWEEN}{one.name}") for one in now}
    shared = [
        Shared(tuple((name, new.get(one.id, one)) for name, one in many), others)
        for many, others in found
    ]
    ids = {old: item.id for old, item in new.items()}
    return tuple(new.get(item.id, item) for item in items), shared, ids


def _by_name(items: Sequence[Item]) -> Mapping[tuple[str, str], list[tuple[str, Item]]]:
    """The items, each with a name or old name of it, by namespace and name."""
    groups: dict[tuple[str, str], list[tuple[str, Item]]] = {}
    makes = _made_by_kind(items)
    for item in items:
        if item.kind not in SHARED:
            space = SPACES.get(item.kind) or makes.get(item.kind) or item.kind
            for name in (item.name, *(str(node.value) for node in old_names(item))):
                groups.setdefault((space, slug_of(name)), []).append((name, item))
    return groups


def _strangers(
    many: Sequence[Item], below: Below, others: frozenset[str] = frozenset()
) -> list[Item]:
    """The items of packs that are strangers to the pack of another, or to one of the `others`."""
    packs = {one.pack for one in many}
    met = {one for one in packs if any(are_strangers(one, two, below) for two in packs | others)}
    return [one for one in many if one.pack in met]


def _made_by_kind(items: Iterable[Item]) -> dict[str, str]:
    """The entity that items of each content kind make."""
    vocabulary = next((item for item in items if item.kind == "vocabulary"), None)
    kinds = entries_of(vocabulary.fields.get("kinds")) if vocabulary is not None else {}
    return {kind: text_of(entries_of(node).get("makes")) for kind, node in kinds.items()}


def full_words(text: str, items: Iterable[Item]) -> dict[tuple[str, str], Item]:
    """The items whose names, or old names, stand in a text with that of their pack, by role and word."""
    said = {word for word in ANY_WORD.findall(text) if BETWEEN in word}
    found: dict[tuple[str, str], Item] = {}
    for item in items:
        for name in (item.slug, *(slug_of(str(node.value)) for node in old_names(item))):
            word = f"{slug_of(item.pack)}{BETWEEN}{name}"
            if word in said:
                found |= dict.fromkeys(words_for(item.kind, word), item)
    return found


def _scope(
    pack: str, shared: Iterable[Shared], below: Below
) -> Iterator[tuple[tuple[str, str], Item]]:
    """The meaning of each short name, and of each name with its pack, in the texts of a pack. A word of
    an extension that the pack sees keeps its own meaning."""
    for one in shared:
        near = [
            item for _, item in one.named if item.pack == pack or item.pack in below.get(pack, ())
        ]
        is_word = bool(one.packs) and (not near or _sees(pack, one.packs, below))
        near = near or [item for _, item in one.named]
        meant = replace(near[0], rivals=tuple(near)) if len(near) > 1 else near[0]
        for name, item in one.named:
            yield (item.kind, f"{item.pack}:{name}"), item
            if item.name == name:  # a word of an extension, which keeps its name
                yield (item.kind, f"{item.pack}{BETWEEN}{name}"), item
            if not is_word and (meant.rivals or meant.kind == item.kind):
                yield (item.kind, name), meant
                yield (item.kind, slug_of(name)), meant


def with_titles_apart(
    items: Sequence[Item], packs: Iterable[Pack], below: Below
) -> tuple[Item, ...]:
    """The items, of which those of strangers with one title have that of their pack behind it."""
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        title = text_of(item.fields.get("title"))
        if title and item.kind != "sheet":  # that of a sheet is a text of its own
            groups.setdefault((item.kind, " ".join(title.casefold().split())), []).append(item)
    new: dict[str, Item] = {}
    titles = {pack.id: text_of(pack.manifest.fields.get("title")) or pack.id for pack in packs}
    for many in groups.values():
        for one in _strangers(many, below):
            node = one.fields["title"]
            told = replace(node, value=f"{node.text} ({titles[one.pack]})")
            new[one.id] = replace(one, fields={**one.fields, "title": told})
    return tuple(new.get(item.id, item) for item in items) if new else tuple(items)
