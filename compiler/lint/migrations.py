"""Rules of migration: each says one thing of an old name, and leads to what there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.apart import Below, are_strangers
from ruleloom.compiler.packs.content import Item, slug_of
from ruleloom.compiler.packs.manifest import read_version
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS, read_steps
from ruleloom.compiler.yaml.node import YamlNode, text_of

SAYS = ("new", "becomes", "split", "person")
TABLES = {"operation": "operations", "moment": "operations", "variable": "scope", "menu": "menus"}
LEADS_ELSEWHERE = {"new", "split"}
SIGNATURES = {"power": "powers", "operation": "operations", "moment": "operations"}
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
    """A new name that is not there, or an old one that still is, so that nothing leads to the rule."""
    sort, _, old = text_of(item.fields["old"]).partition("/")
    new, known = item.fields.get("new"), _known(sort, item.pack, build)
    if new is not None and known is not None:
        name = text_of(new).rpartition("/")[2]
        there = (
            known
            if "/" not in text_of(new)
            else _known(text_of(new).partition("/")[0], item.pack, build)
        )
        if there is not None and slug_of(name) not in there:
            yield new, f"there is no {sort} `{name}`", did_you_mean(name, sorted(there))
    # A person may be told of what a name takes by now, and a call that means something else is rewritten.
    if not LEADS_ELSEWHERE.isdisjoint(item.fields) and _is_there(sort, old, item.pack, build):
        message = f"the {sort} `{old}` is still there, so this rule never applies"
        help = None if sort in WITHIN else "`becomes` rewrites its calls"
        yield item.fields["old"], message, help


def _is_there(sort: str, old: str, pack: str, build: Build) -> bool:
    """Does a name still mean what it did, in this pack? Nothing is known of prompts and ways."""
    if sort in ("field", "parameter", "step"):
        of, _, name = old.rpartition(".")
        return name in _names_within(sort, of, name, build)
    known = _known(sort, pack, build)
    return known is not None and slug_of(old) in known


def _names_within(sort: str, of: str, name: str, build: Build) -> set[str]:
    """The names of fields, parameters or steps within something else."""
    kind, _, owner = of.rpartition("/")
    schemas, symbols = build.content.schemas, build.symbols
    if sort == "field":
        own = schemas.fields(of) if of in schemas.kinds else ()
        return {*own, *([name] if of in symbols.fields.get(name, {}) else [])}
    if sort == "parameter":
        signature = getattr(symbols, SIGNATURES.get(kind, "callables")).get(owner)
        return {one.name for one in signature.params} if signature is not None else set()
    items = (one for one in build.content.by_kind(kind) if one.slug == slug_of(owner))
    return {step.name for one in items for step in read_steps(text_of(one.fields.get("effect")))}


def _known(sort: str, pack: str, build: Build) -> set[str] | None:
    """The names of a sort that a pack may write; None for a sort whose names stand within others."""
    symbols, below = build.symbols, build.symbols.belonging.below
    if sort in TABLES:
        return {*getattr(symbols, TABLES[sort])} | (
            {*symbols.events} if sort == "moment" else set()
        )
    if sort == "value":
        return {f"{name}.{one}" for name, values in symbols.enums.items() for one in values}
    items = build.content.by_kind(sort) if sort not in WITHIN else ()
    return _seen_by(pack, items, below) if items else None


def _seen_by(pack: str, items: Iterable[Item], below: Below) -> set[str]:
    """The names by which a pack may call these items."""
    seen = (one for one in items if not are_strangers(one.pack, pack, below))
    return {slug_of(name) for one in seen for name in (one.name, one.short)}
