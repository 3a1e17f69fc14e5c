"""Effects that ask for what is not printed on their item, and printed fields nothing asks for.

With `asks: {target: aim}`, an effect that asks for `target`, itself or by what it uses, comes to
nothing where the item has no `aim`. With `asks: {armor: armor}`, the printed field comes to nothing
without an effect that asks for it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lint.ignored_fields import place_of, printed_fields, says_something
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.summaries import Outline, outline
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.resolve.vocabulary import section
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.expr import expressions_of, walk
from ruleloom.runtime.program.program import Expr, Routine


def check(build: Build) -> None:
    """Report effects that ask for a field their item lacks, and fields that no effect asks for."""
    spoken = _Spoken(build)
    for vocabulary in build.content.by_kind("vocabulary"):
        for kind, node, _ in section(vocabulary, "kinds"):
            asks = node.get("asks")
            if asks is not None and _are_known(kind, asks, build.symbols, build.report):
                for item in build.content.by_kind(kind):
                    if item.id in build.checked:
                        _check_item(item, asks, spoken, build.symbols, build.report)


def _are_known(kind: str, asks: YamlNode, symbols: Symbols, report: Report) -> bool:
    printed = printed_fields(kind, symbols)
    named = [(name, asks.key_place(name), [*printed, *symbols.scope]) for name in asks.entries]
    named += [(str(one.value), one.place, printed) for one in asks.entries.values()]
    wrong = [one for one in named if one[0] not in one[2]]
    for name, place, known in wrong:
        message = f"nothing called `{name}` is asked for, or printed on items of this kind"
        report.error("unknown-field", place, message, did_you_mean(name, known))
    return not wrong


def _check_item(
    item: Item, asks: YamlNode, spoken: _Spoken, symbols: Symbols, report: Report
) -> None:
    found, sure = spoken.of(item.id)
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


class _Spoken:
    """Which variables and printed fields the effect of an item reads, itself or by what it uses."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self.bodies: Mapping[str, Expr] = {one.id: one.body for one in build.functions}
        self.known: dict[str, frozenset[str]] = {}
        self._routines: dict[str, tuple[frozenset[str], Outline]] = {}

    def of(self, id: str) -> tuple[frozenset[str], bool]:
        """The names, and whether these are surely all: some uses are known only in play."""
        found: frozenset[str] = frozenset()
        ready, seen, sure = [id], {id}, True
        while ready:
            checked = self.build.checked.get(ready.pop())
            if checked is None:
                sure = False
                continue
            names, made = self._read(checked.routine)
            found |= names
            sure &= not made.dynamic
            ready += made.uses - seen
            seen |= made.uses
        return found, sure

    def _read(self, routine: Routine) -> tuple[frozenset[str], Outline]:
        """What one routine reads by itself, and what it uses: many items use the same powers."""
        if routine.id not in self._routines:
            names = self._names(expr for row in routine.rows for expr in expressions_of(row))
            self._routines[routine.id] = names, outline(routine.rows)
        return self._routines[routine.id]

    def _names(self, exprs: Iterable[Expr]) -> frozenset[str]:
        found: set[str] = set()
        for one in (part for expr in exprs for part in walk(expr)):
            if one[0] in ("scope", "static"):
                found.add(one[1])
            elif one[0] in ("function", "allowed") and one[1] in self.bodies:
                id = one[1]
                if id not in self.known:
                    self.known[id] = frozenset()
                    self.known[id] = self._names([self.bodies[id]])
                found |= self.known[id]
        return frozenset(found)
