"""Powers whose odds are tabulated: of one thing that items make, by choices that they ask for."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.lint.notation import Ways
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import ODDS, WORD, Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import entries_of, items_of, text_of


def odds_tables(build: Build) -> None:
    """Report each power with `odds:` that no table can be made of."""
    found = [item for item in build.content.by_kind("power") if ODDS in item.fields]
    if not found:
        return
    ways = Ways(build)
    for item in found:
        _parameters(build, item)
        asked = ways.asked([item.slug])
        for name, place in _names(item):
            # A question in words is that of a way, which is known only when it comes up.
            if WORD.fullmatch(name) and name not in asked:
                message = f"`{item.slug}` asks for no `{name}`"
                build.report.error("unknown-name", place, message, offer(name, asked))


def _parameters(build: Build, item: Item) -> None:
    """Report a power that takes more than one thing, or gives nothing."""
    params = build.symbols.powers[item.slug].params
    made = [build.symbols.entities.get(one.type.name) for one in params]
    if len(made) > 1 or not all(one is not None and one.records for one in made):
        message = f"a table of odds is of one thing, and `{item.slug}` takes something else"
        help = (
            "`takes:` one thing that items make, or nothing; what else there is to say is a choice"
        )
        build.report.error("type-mismatch", item.fields["takes"].place, message, help)
    if "gives" not in item.fields:
        message = f"`{item.slug}` gives nothing to tabulate"
        place = item.fields[ODDS].place
        build.report.error("type-mismatch", place, message, "`gives:`, such as `paid: Bool`")


def _names(item: Item) -> Iterator[tuple[str, Place]]:
    """The names of prompts under `odds:`, with their places."""
    written = entries_of(item.fields[ODDS])
    for node in items_of(written.get("by")):
        yield text_of(node), node.place
    answers = written.get("answers")
    yield from () if answers is None else ((one, answers.key_place(one)) for one in answers.entries)
