"""The budgets of a kind: what its things cost, and how much a game allows.

A budget is a stat, measure or printed field of one such thing, `allowed` a setting, or a measure of such a
thing or of nothing. They are for who makes a thing; no game in play reads them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature, Symbols
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.types import fits
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import FRACTION, INT, Type

NUMBERS = (INT, FRACTION)
THE_THING: Expr = ("slot", 0)


class KindBudget(Frozen):
    """A price of things of a kind: the number `spent` of one, in slot 0, and what is `allowed`, if anything
    is. `english` has a hole for the thing, called `param`."""

    name: str
    spent: Expr
    allowed: Expr | None
    unit: str
    english: str
    param: str


def budgets_of(
    content: Content, symbols: Symbols, report: Report
) -> dict[str, tuple[KindBudget, ...]]:
    """The budgets of each kind that has any; those that name no number are reported."""
    found = {}
    for kind, node, _ in sections(content, "kinds"):
        entity = symbols.kinds.get(kind)
        if entity and symbols.is_recorded(entity):
            written = node.get("budgets")
            found[kind] = tuple(_Budgets(symbols, Type(entity), report).read(written))
    return {kind: some for kind, some in found.items() if some}


def is_number(callee: Signature) -> bool:
    """Whether this is a stat or measure that gives a number."""
    return callee.kind in ("measure", "stat") and callee.result in NUMBERS


class _Budgets(Frozen):
    """Reads the budgets of one kind of thing."""

    symbols: Symbols
    type: Type
    report: Report

    def read(self, node: YamlNode | None) -> Iterator[KindBudget]:
        for name, entry in entries_of(node).items():
            assert node is not None, "it has entries"
            spent, said = self.number(name), entries_of(entry).get("allowed")
            allowed = self.allowance(text_of(said)) if said is not None else None
            if spent is None:
                self.refuse(name, node.key_place(name))
            elif said is not None and allowed is None:
                self.refuse(text_of(said), said.place)
            else:
                english, param = self.words(name)
                unit = text_of(entries_of(entry).get("unit"))
                yield KindBudget(name, spent, allowed, unit, english, param)

    def number(self, name: str) -> Expr | None:
        """A number of the thing: a stat, a measure or a printed field."""
        callee = self.symbols.callables.get(name)
        if callee is not None and is_number(callee) and self.takes_thing(callee.params):
            self.symbols.used.add(callee.id)
            return ("function", callee.id, THE_THING)
        field = self.symbols.entities[self.type.name].fields.get(name)
        if field is not None and field.static and not field.by and field.type in NUMBERS:
            return ("static", f"{self.type.name}.{name}", THE_THING)
        return None

    def allowance(self, name: str) -> Expr | None:
        """A number that a setting or a measure allows."""
        setting = self.symbols.settings.get(name)
        if setting is not None and setting.type in NUMBERS:
            self.symbols.used.add(name)
            return ("setting", name)
        callee = self.symbols.callables.get(name)
        if callee is not None and is_number(callee) and not callee.params:
            self.symbols.used.add(callee.id)
            return ("function", callee.id)
        return self.number(name)

    def takes_thing(self, params: tuple[ParamSymbol, ...]) -> bool:
        """Whether these are one parameter, for the thing."""
        return len(params) == 1 and fits(self.type, params[0].type)

    def words(self, name: str) -> tuple[str, str]:
        """The English of a number, and the name of its hole for the thing."""
        callee = self.symbols.callables.get(name)
        if callee is not None and callee.params:
            return callee.english, callee.params[0].name
        field = self.symbols.entities[self.type.name].fields[name]
        return field.english or name.replace("_", " "), "it"

    def refuse(self, name: str, place: Place) -> None:
        """Report a name that is no number of the thing."""
        if self.symbols.poisoned.may_declare(name):
            return
        fields = self.symbols.entities[self.type.name].fields
        known = [*self.symbols.callables, *fields, *self.symbols.settings]
        numbers = [one for one in known if self.number(one) or self.allowance(one)]
        message = f"`{name}` is no number of {self.symbols.nouns[self.type.name][1]}"
        help = did_you_mean(name, numbers) or "a stat, measure, printed field or setting"
        self.report.error("unknown-name", place, message, help)
