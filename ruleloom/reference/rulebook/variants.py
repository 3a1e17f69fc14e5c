"""The chapter on variants: what a group may decide otherwise, with how it stands in this document."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.english.word import capital, constant, listed, sentence
from ruleloom.compiler.packs.content import Item
from ruleloom.reference.rulebook.document import Definition, Definitions, Grid, Part, Prose
from ruleloom.reference.rulebook.sections import anchor_of
from ruleloom.reference.rulebook.telling import Telling, pack_title


def variants_part(telling: Telling) -> Part | None:
    """The readings of rules and the numbers that are for a group to decide."""
    parts = tuple(part for part in (_readings(telling), _numbers(telling)) if part is not None)
    return Part("Variants", "variants", (), parts) if parts else None


def _readings(telling: Telling) -> Part | None:
    switches = telling.content.by_kind("switch")
    if not switches:
        return None
    head = Prose("Where a rule can be read in several ways, this book follows the first of them.")
    entries = Definitions(tuple(_switch(telling, item) for item in switches))
    return Part("Other readings of the rules", "readings", (head, entries))


def _switch(telling: Telling, item: Item) -> Definition:
    words = telling.words
    chosen = str(telling.symbols.settings[item.slug].value)
    options = [str(one) for one in item.data("options") or {}]
    said = [words.option(item.slug, one) for one in options if one != chosen]
    others = "".join(f" Or: {sentence(one)[:1].lower()}{sentence(one)[1:]}" for one in said)
    text = f": {sentence(words.option(item.slug, chosen))}{others}"
    return Definition(
        anchor_of(item), capital(words.setting(item.slug)), text, _set_by(telling, item)
    )


def _set_by(telling: Telling, item: Item) -> str:
    """Which packs have decided this, if any."""
    content = telling.content
    packs = [one.pack for one in telling.symbols.set_by.get(item.slug, ())]
    packs += [
        pack.id
        for pack in content.packs
        if item.slug
        in {str(name).replace("-", "_") for name in pack.manifest.data("switches") or {}}
    ]
    found = dict.fromkeys(packs)
    if not found:
        return telling.source(item)
    return f"Set by {listed([pack_title(content, pack) for pack in found])}."


def _numbers(telling: Telling) -> Part | None:
    items = telling.content.by_kind("setting")
    if not items:
        return None
    head = Prose("These numbers can be changed, within the bounds given.", soft=True)
    grid = Grid(("", "here", "from", "to"), tuple(_row(telling, item) for item in items))
    return Part("Numbers to agree on", "settings", (head, grid))


def _row(telling: Telling, item: Item) -> tuple[str, ...]:
    setting = telling.symbols.settings[item.slug]
    bounds: Iterator[str] = ("" if one is None else str(one) for one in (setting.low, setting.high))
    name = capital(telling.words.setting(item.slug))
    said = _set_by(telling, item)
    return (f"{name} ({said})" if said else name, constant(setting.value), *bounds)
