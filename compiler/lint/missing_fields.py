"""Effects that ask for what is not printed on their item, and printed fields nothing asks for.

With `asks: {target: aim}`, an effect that asks for `target`, itself or by what it uses, comes to
nothing where the item has no `aim`. With `asks: {armor: armor}`, the printed field comes to nothing
without an effect that asks for it, too.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lint.ignored_fields import place_of, printed_fields, says_something
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.resolve.vocabulary import section
from ruleloom.compiler.summary.summaries import Summaries
from ruleloom.compiler.yaml.node import YamlNode


def check(build: Build) -> None:
    """Report effects that ask for a field their item lacks, and fields that no effect asks for."""
    for vocabulary in build.content.by_kind("vocabulary"):
        for kind, node, _ in section(vocabulary, "kinds"):
            asks = node.get("asks")
            if asks is not None and _are_known(kind, asks, build.symbols, build.report):
                for item in build.content.by_kind(kind):
                    if item.id in build.checked:
                        _check_item(item, asks, build.summaries, build.report)


def _are_known(kind: str, asks: YamlNode, symbols: Symbols, report: Report) -> bool:
    printed = printed_fields(kind, symbols)
    named = [(name, asks.key_place(name), [*printed, *symbols.scope]) for name in asks.entries]
    named += [(str(one.value), one.place, printed) for one in asks.entries.values()]
    wrong = [one for one in named if one[0] not in one[2]]
    for name, place, known in wrong:
        message = f"nothing called `{name}` is asked for, or printed on items of this kind"
        report.error("unknown-field", place, message, did_you_mean(name, known))
    return not wrong


def _check_item(item: Item, asks: YamlNode, table: Summaries, report: Report) -> None:
    found, sure = _spoken(table, item.id)
    symbols = table.symbols
    for name, field in asks.entries.items():
        wanted = str(field.value)
        variable = name in symbols.scope
        asked = (name if variable else f"{symbols.kinds[item.kind]}.{name}") in found
        there = says_something(item, wanted, symbols)
        note = Note(field.place, f"`{name}` counts only with `{wanted}`")
        if asked and not there:
            why = f"it counts only with `{wanted}`"
            message = f"`effect` asks for `{name}`, which is nothing here: {why}"
            place, help = place_of(item, "effect"), f"add `{wanted}: ...`"
            report.error("means-nothing", place, message, help, [note])
        elif not asked and there and not variable and sure and "abilities" not in item.fields:
            message = f"`{wanted}` means nothing here: `effect` does not ask for it"
            help = f"take `{wanted}` out, or let the effect ask for it"
            report.error("means-nothing", place_of(item, wanted), message, help, [note])


def _spoken(table: Summaries, id: str) -> tuple[frozenset[str], bool]:
    """The variables and printed fields that the effect of an item reads, itself or by what it uses; and
    whether these are surely all: some uses are known only in play."""
    within = table.within(id)
    sure = all(one in table.routines and not table.outline(one).dynamic for one in within)
    names = (table.names(one) for one in within if one in table.routines)
    read = frozenset[tuple[str, str]]().union(*names)
    return frozenset(name for form, name in read if form in ("scope", "static")), sure
