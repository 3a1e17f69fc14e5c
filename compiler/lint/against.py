"""What items override in other packs, and whether that still says what they were written against.

A patch of one item overrides what it changes; a patch of a class and a variant only what they put something
in the place of, since all else goes along. `instead of` overrides a power or an operation, and a way the one
that it replaces. What counts is what the other pack says by itself, before any patch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.apart import full_words
from ruleloom.compiler.packs.content import BETWEEN, POWERS, Change, Content, Item, slug_of
from ruleloom.compiler.packs.settings import own_words
from ruleloom.compiler.patch.edits import REMOVE, REPLACE, REPLACING
from ruleloom.compiler.resolve.embedded import with_new_names
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.compiler.yaml.node import YamlNode, text_of, to_data
from ruleloom.compiler.yaml.node import written as plain_text

LENGTH = 8
OVERRIDING = {*REPLACING, REPLACE, REMOVE, "remove", "disable"}
"""The operations that put something in the place of what was there."""
WORDS = ("english", "log")
"""The fields of an operation that are only told."""


class Overridden(NamedTuple):
    """What another pack says: the id of the item or operation, its field or way, the place, and the text."""

    id: str
    part: str
    place: Place
    text: str


class FileEntry(NamedTuple):
    """The items that an entry of a file makes, several of a family, and what it says that it is `against`."""

    items: tuple[Item, ...]
    against: YamlNode | None

    @property
    def first(self) -> Item:
        """The item that speaks for all."""
        return self.items[0]


def moved_on(build: Build) -> None:
    """Warn about each item that overrides something else than what it was written against, or nothing."""
    for entry in entries(build.content) if build.content.against else ():
        found = overridden(build.content, entry) if entry.against is not None else []
        if entry.against is None or short_hash(text_in(found)) == text_of(entry.against):
            continue
        if found:
            message = moved_words(entry, found)
            help = "`ruleloom migrate` shows both texts, `ruleloom fmt --against` takes the new one"
            notes = [Note(found[0].place, f"`{found[0].id}` stands here")]
            build.report.warning("moved-on", entry.against.place, message, help, notes)
        elif (
            entry.first.kind != "patch"
        ):  # of a patch without a target it is told, or it may lack it
            message = f"`{entry.first.name}` overrides nothing of another pack"
            build.report.warning("moved-on", entry.against.place, message, "take out `against:`")


def moved_words(entry: FileEntry, found: Sequence[Overridden]) -> str:
    """What is told of an entry if what it overrides has changed."""
    ids = [*dict.fromkeys(one.id for one in found)]
    changed = f"one of {quoted_list(ids)}" if ids[1:] else f"`{ids[0]}`"
    them = "them" if ids[1:] else "it"
    return f"{changed} has changed since `{entry.first.name}` was written against {them}"


def entries(content: Content) -> list[FileEntry]:
    """The entries of all files."""
    found: dict[tuple[str, int], list[Item]] = {}
    for item in content.items:
        found.setdefault((item.source.path, item.node.start), []).append(item)
    said = {(source.path, start): node for (source, start), node in content.against.items()}
    return [FileEntry(tuple(items), said.get(key)) for key, items in found.items()]


def overridden(content: Content, entry: FileEntry) -> list[Overridden]:
    """What an entry overrides, in order: in other packs, or where a patch names it."""
    makers = (_changed, _replaced, _ways)
    found = {one for item in entry.items for make in makers for one in make(content, item)}
    return sorted(found, key=lambda one: (_short_id(one.id), *one[1:]))


def text_in(found: Sequence[Overridden]) -> str:
    """All that is overridden as one text."""
    if len(found) == 1:
        return found[0].text
    is_one = len({one.id for one in found}) == 1
    return "\n".join(
        f"{one.part if is_one else f'{_short_id(one.id)} {one.part}'}: {one.text}" for one in found
    )


def _short_id(id: str) -> str:
    """An id without the pack before its name, which it has only where a stranger has a namesake."""
    pack, _, inside = id.partition(":")
    kind, _, name = inside.partition("/")
    for prefix in (pack, slug_of(pack)):  # of an item, and of a word of an extension
        name = name.removeprefix(f"{prefix}{BETWEEN}")
    return f"{pack}:{kind}/{name}"


def short_hash(text: str) -> str:
    """The hash of a text, without the ends of its lines."""
    lines = (line.rstrip() for line in text.strip().split("\n"))
    return sha256("\n".join(lines).encode("utf-8")).hexdigest()[:LENGTH]


def _changed(content: Content, item: Item) -> Iterator[Overridden]:
    """What a patch or a variant changes in others."""
    is_one, below = "target" in item.fields, _below(content, item.pack)
    known = {**content.by_id, **{one.id: one for one in content.disabled}}
    for id, part, changes in _changes(content, item):
        does, target = {one.op for one in changes if one.by == item.id}, known.get(id)
        if target is None or not (does if is_one else does & OVERRIDING):
            continue
        if is_one or target.pack in below:
            old = changes[0].old if part else to_data(target.node)
            yield Overridden(id, part, target.place, _said(old))


def _changes(content: Content, item: Item) -> Iterator[tuple[str, str, tuple[Change, ...]]]:
    """The changes of each field of the items that an item may change."""
    if item.kind == "patch":
        yield from ((id, part, changes) for (id, part), changes in content.history.items())
    elif (derived := content.derived.get(item.id)) is not None:
        yield from ((derived.base, part, changes) for part, changes in derived.changes.items())


def _below(content: Content, pack: str) -> list[str]:
    """All that a pack builds on: a class is not told of packs that are only played along."""
    found = [*content.pack(pack).needs]
    for one in found:  # the list grows meanwhile
        found += [id for id in content.pack(one).needs if id not in found]
    return found


def _replaced(content: Content, item: Item) -> Iterator[Overridden]:
    """The powers and operations in whose place an item does something."""
    text = _printed(content, item, "abilities")
    words = {**content.words_at(item.source.path), **full_words(text, content.items)}
    tree, _ = with_new_names(_tree(text, "abilities"), words, own_words(item))
    names = {one.event.name.id for one in nodes_of(tree, ast.Instead)}
    for power in chain.from_iterable(map(content.by_kind, (*POWERS, "flow"))) if names else ():
        if power.slug in names and power.pack != item.pack:
            text = _printed(content, power, "effect")
            yield Overridden(power.id, "effect", power.place, text)
    for name, node, place in sections(content, "operations") if names else ():
        pack = content.files[place.path][0]
        if name in names and pack != item.pack:
            does = plain_text(_told_apart(node))
            yield Overridden(f"{pack}:operation/{name}", "does", place, does)


def _told_apart(operation: YamlNode) -> dict[str, object]:
    """What an operation does, without what is only told of it."""
    return {key: to_data(one) for key, one in operation.entries.items() if key not in WORDS}


def _ways(content: Content, item: Item) -> Iterator[Overridden]:
    """The way of a menu that an item replaces."""
    menu, label = (text_of(item.fields.get(one)) for one in ("to", "instead_of"))
    others = content.items if item.kind == "way" and label else ()
    for other in (one for one in others if one.pack != item.pack):
        text = _printed(content, other, "effect")
        for mode in _modes(text, menu) if menu in text else ():
            if mode.label.value == label:
                yield Overridden(other.id, label, other.place, text[slice(*mode.span)])


def _modes(text: str, menu: str) -> Iterator[ast.ModeClause]:
    """The ways of a menu in a text."""
    for node in nodes_of(_tree(text, "block"), ast.ChooseOneStmt):
        if node.menu is not None and node.menu.name.id == menu:
            yield from node.modes


def _tree(text: str, form: str) -> tuple[ast.SyntaxNode, ...]:
    """The tree of a text; empty for none that parses."""
    with suppress(EffectSyntaxError):
        return tuple(PARSERS[form](text)) if text else ()
    return ()


def _printed(content: Content, item: Item, field: str) -> str:
    """A text of an item before any patch."""
    changes = content.history.get((item.id, field))
    return _said(changes[0].old) if changes else text_of(item.fields.get(field))


def _said(old: object) -> str:
    return old if isinstance(old, str) else plain_text(old)
