"""Rules of migration: each says one thing of an old name, and leads to what there is."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item, slug_of
from ruleloom.compiler.packs.manifest import read_version
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS
from ruleloom.compiler.yaml.node import YamlNode, text_of

SAYS = ("new", "becomes", "split", "person")
TABLES = {"operation": "operations", "moment": "operations", "variable": "scope", "menu": "menus"}
WITHIN = ("field", "parameter", "prompt", "step", "way")
"""Sorts whose names stand within others."""
Mistake = tuple[YamlNode, str, str | None]
"""Where it is, what is wrong, and what would be right."""


def migrations(build: Build) -> None:
    """Report rules of migration that say nothing, too much, or what is not there, in packs that no other
    builds on."""
    below = build.content.built_upon
    for item in (one for one in build.content.by_kind("migration") if one.pack not in below):
        for node, message, help in (*_of_form(item), *_of_names(item, build)):
            build.report.error("bad-migration", node.place, message, help)
        since, pack = text_of(item.fields["since"]), build.content.pack(item.pack)
        newest, asked = read_version(pack.version), read_version(since)
        if newest is not None and asked is not None and asked > newest:
            message = f"`{pack.id}` is at {pack.version}, so nothing is written so since {since}"
            help = f"raise the version in `pack.yaml`, or write {pack.version}"
            build.report.error("bad-migration", item.fields["since"].place, message, help)


def _of_form(item: Item) -> Iterator[Mistake]:
    said = [name for name in SAYS if name in item.fields]
    if len(said) != 1:
        message = f"a rule of migration says one of {', '.join(SAYS)}, and here are {len(said)}"
        yield (
            item.fields[said[1] if said else "old"],
            message,
            "take out the others" if said else None,
        )
    becomes = item.fields.get("becomes")
    if becomes is None:
        return
    if "takes" not in item.fields:
        yield becomes, "the parameters of the old name are missing", 'write `takes: "who, thing"`'
    try:
        PARSERS["block"](text_of(becomes))
    except EffectSyntaxError as error:
        yield becomes, error.message, error.help


def _of_names(item: Item, build: Build) -> Iterator[Mistake]:
    """A new name that is not there, or an old one that still is."""
    sort, _, old = text_of(item.fields["old"]).partition("/")
    new = item.fields.get("new")
    known = _known(sort, build)
    if new is None or known is None:
        return
    name = text_of(new).rpartition("/")[2]
    there = known if "/" not in text_of(new) else _known(text_of(new).partition("/")[0], build)
    if there is not None and slug_of(name) not in there:
        yield new, f"there is no {sort} `{name}`", did_you_mean(name, sorted(there))
    if slug_of(old) in known:
        yield (
            item.fields["old"],
            f"the {sort} `{old}` is still there",
            "`becomes` rewrites its calls",
        )


def _known(sort: str, build: Build) -> set[str] | None:
    """The names of a sort; None for a sort whose names stand within others."""
    symbols = build.symbols
    if sort in TABLES:
        return {*getattr(symbols, TABLES[sort])} | (
            {*symbols.events} if sort == "moment" else set()
        )
    if sort == "value":
        return {f"{name}.{one}" for name, values in symbols.enums.items() for one in values}
    items = build.content.by_kind(sort) if sort not in WITHIN else ()
    return {one.slug for one in items} if items else None
