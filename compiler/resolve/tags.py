"""Enters the tags of a game, and lets texts ask for them as printed fields of things.

All tags together are the values of a type; every thing that items make has a printed list of them,
unless its game has given it a list of that name. A tag means itself only where a tag is wanted, so
that its name may mean something else everywhere. Without tags none of this is there.
"""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.fields import TAG, TAGS, Families
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.resolve.declare import claim
from ruleloom.compiler.resolve.name_uses import ITEM, Meaning
from ruleloom.compiler.resolve.symbols import TAG_TYPE, FieldSymbol, Symbols
from ruleloom.compiler.resolve.templates import check_holes
from ruleloom.compiler.schema.registry import is_tags
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.program.values import Type


def enter_tags(content: Content, symbols: Symbols, report: Report) -> None:
    """Enter all tags, check what items carry, and note which of them something carries."""
    if TAG in content.poisoned.kinds:
        symbols.poisoned.add(TAGS)  # a broken one may be the only one
    tags = content.by_kind(TAG)
    symbols.tags.update({item.slug: item.id for item in tags})
    symbols.families = Families.of(tags)
    for item in tags:
        _check_parent(item, symbols, report)
        check_holes(item.fields.get("english"), symbols, report)
    if tags and claim(symbols, report, "type", TAG_TYPE, tags[0].place):
        symbols.types[TAG_TYPE] = tags[0].place
        symbols.enums[TAG_TYPE] = tuple(symbols.tags)
        symbols.nouns[TAG_TYPE] = (TAG, TAGS)
        _print_on_things(content, symbols)
    for item in content.items:
        if TAGS in item.fields and not _is_own(item.kind, content, symbols):
            _check_carried(item, item.fields[TAGS], symbols, report)


def _print_on_things(content: Content, symbols: Symbols) -> None:
    for name, entity in symbols.entities.items():
        own = any(_is_own(kind, content, symbols) for kind in entity.records)
        if entity.records and not own and TAGS not in entity.fields:
            field = FieldSymbol(name, TAGS, Type(TAG_TYPE, many=True), True, None, None)
            symbols.entities[name] = replace(entity, fields={**entity.fields, TAGS: field})
            symbols.fields.setdefault(TAGS, {})[name] = field


def _is_own(kind: str, content: Content, symbols: Symbols) -> bool:
    """Do items of this kind have a list of this name that the game itself has brought?"""
    field = symbols.fields.get(TAGS, {}).get(symbols.kinds.get(kind, ""))
    schemas = content.schemas
    known = kind not in schemas.kinds or is_tags(schemas.schema(kind))
    return not known or (field is not None and field.written is not None)


def _check_parent(item: Item, symbols: Symbols, report: Report) -> None:
    written = item.fields.get("parent")
    if written is None:
        return
    parent = slug_of(written.text or written.raw)
    if not _is_known(parent, written, symbols, report):
        return
    symbols.used.add(symbols.tags[parent])
    symbols.uses.note_value(written, Meaning(ITEM, symbols.tags[parent]), TAG)
    above = [parent]
    while (above[-1] != item.slug) and (wider := symbols.families.parents.get(above[-1], "")):
        if wider in above:
            return  # reported at those that go round
        above.append(wider)
    if above[-1] == item.slug:
        path = " -> ".join(f"`{one}`" for one in (item.slug, *above))
        message = f"a tag cannot be wider than itself: {path}"
        report.error("kinds-disagree", written.place, message, "take one `parent:` out")


def _check_carried(item: Item, node: YamlNode, symbols: Symbols, report: Report) -> None:
    seen: dict[str, Place] = {}
    for one in items_of(node):
        tag = slug_of(one.text or one.raw)
        if _is_known(tag, one, symbols, report):
            wider = symbols.families.widened([tag])
            symbols.used.update(symbols.tags[name] for name in wider if name in symbols.tags)
            symbols.uses.note_value(one, Meaning(ITEM, symbols.tags[tag]), TAG)
        # Two packs may give an item the same tag by patches.
        if tag in seen and seen[tag].path == one.place.path:
            report.error("repeated-entry", one.place, f"`{tag}` stands here twice")
        seen.setdefault(tag, one.place)


def _is_known(tag: str, node: YamlNode, symbols: Symbols, report: Report) -> bool:
    if tag in symbols.tags or symbols.poisoned.may_declare(tag):
        return tag in symbols.tags
    help = did_you_mean(tag, symbols.tags) or "`kind: tag` declares one"
    report.error("unknown-name", node.place, f"there is no tag `{tag}`", help)
    return False
