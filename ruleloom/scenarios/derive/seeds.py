"""Seed tables of derived cases: how an item of a kind comes into play.

Shipped games keep some beside their starters, with `my-KIND` for the item; cases that name the item
are seeds too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ruleloom.compiler.cases.case_model import DO, Case
from ruleloom.compiler.cases.case_reader import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Instead, Keyword, When
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass
from ruleloom.scaffold.starters import STARTERS
from ruleloom.scenarios.derive.mutate import nodes_of, numbers_in, texts_of
from ruleloom.scenarios.derive.write_yaml import flow
from ruleloom.scenarios.notation import CaseData

MOST_OWN, MOST_EVENTS = 4, 8
VALUES = ("Int", "Fraction", "Bool")


@dataclass(frozen=True, slots=True)
class Seed:
    """A table and the steps that bring the item up."""

    given: CaseData
    when: tuple[CaseData, ...]
    answers: CaseData  # to the last step

    @property
    def does(self) -> bool:
        """Whether the last step runs effect text."""
        return DO in self.when[-1]


def seeds_of(item: Item, content: Content, symbols: Symbols) -> list[Seed]:
    """The tables for an item, those made for its kind first."""
    return [*_made_for(item, content, symbols), *_of_cases(item, content)[:MOST_OWN]]


def _made_for(item: Item, content: Content, symbols: Symbols) -> Iterator[Seed]:
    path = STARTERS / f"{content.game}.yaml"
    try:
        root = compose(Source.read(path, path.name), Report())
    except SourceError:
        return
    data: Any = to_data(root) if root is not None else {}
    for entry in data.get(item.kind, ()):
        if entry.get("needs", item.kind) in (item.kind, *item.fields):
            filled: Any = _filled(entry, item)
            if "event" in entry:
                yield from _events(filled, item, content, symbols)
            else:
                yield seed_of(filled["given"], filled["when"])


def _filled(entry: Any, item: Item) -> Any:
    """A table with the item's name, and what is printed on it, in the places kept for them."""
    name = f"my-{item.kind}"
    if isinstance(entry, Mapping):
        return {_filled(key, item): _filled(value, item) for key, value in entry.items()}
    if isinstance(entry, list):
        return [_filled(one, item) for one in entry]
    if not isinstance(entry, str):
        return entry
    for field in item.fields:
        entry = entry.replace(f"{name}.{field}", str(item.data(field)))
    return entry.replace(name, item.name).replace(name.replace("-", "_"), item.slug)


def seed_of(given: CaseData, when: Sequence[Any]) -> Seed:
    """A seed whose last step is left without answers."""
    steps = [dict(step) for step in when]
    answers = steps[-1].pop("answers", {}) if steps else {}
    if isinstance(answers, list):
        answers = {name: value for one in answers for name, value in one.items()}
    return Seed(given, tuple(steps), answers or {})


def _events(entry: CaseData, item: Item, content: Content, symbols: Symbols) -> Iterator[Seed]:
    """The events an item answers, done to its bearer and by others: `event` names both people."""
    bearer, other = entry["event"]
    amounts = _amounts(item, content)
    count = 0
    for event in _answered(item, content):
        operation = symbols.operations.get(event.name.id)
        if operation is None or count >= MOST_EVENTS:
            continue
        types = [one.type.name for one in operation.params]
        for first, amount in product((bearer, other) if types else ("",), amounts):
            rest = [
                # Any other person of the event is the other one.
                other
                if name == types[0] and name not in VALUES
                else _argument(name, amount, item, symbols, content)
                for name in types[1:]
            ]
            if None not in rest:
                said = ", ".join(map(str, filter(None, (first, *rest))))
                yield Seed(entry["given"], ({DO: f"{operation.name}({said})"},), {})
                count += 1


def _amounts(item: Item, content: Content) -> list[int]:
    """Numbers on both sides of those that the item writes."""
    near = {near for one in numbers_in(item, content) for near in (one // 2, one, one + 1)}
    return sorted(near or {3, 40})[:6]


def _answered(item: Item, content: Content) -> Iterator[ast.CallExpr]:
    """The events that an item's abilities answer, also those of keywords that it has."""
    keywords = {one.slug: one for one in content.by_kind("keyword")}
    waiting = [item]
    while waiting:
        for node in nodes_of(waiting.pop(), content):
            if isinstance(node, When | Instead):
                yield node.event
            elif isinstance(node, Keyword) and node.name.id in keywords:
                keyword = keywords.pop(node.name.id)
                if keyword.id != item.id:
                    waiting.append(keyword)


def _argument(
    type_name: str, amount: int, item: Item, symbols: Symbols, content: Content
) -> str | None:
    if type_name in VALUES:
        return "yes" if type_name == "Bool" else str(amount)
    if type_name in symbols.enums:
        return symbols.enums[type_name][0]
    made = [one.slug for one in content.items if symbols.kinds.get(one.kind) == type_name]
    words = " ".join(text for _, text, _ in texts_of(item, content))
    named = (one for one in made if re.search(rf"\b{one}\b", words))
    return next(named, made[0] if made else None)


def _of_cases(item: Item, content: Content) -> list[Seed]:
    """The tables of cases that name the item, the shortest first."""
    folded = "[-_]".join(map(re.escape, re.split("[-_]", item.name)))
    name = re.compile(rf"(?<![\w-]){folded}\d*(?![\w-])")
    found = []
    for shown in content.scenarios:
        for case in read_cases(content.sources[shown], Report(), content) or ():
            refused = case.fault or "refused" in case.then
            begins = not refused and case.steps and not case.given.get("fresh")
            seed = _of_case(case, name) if begins else None
            if seed is not None:
                other_pack = content.files[shown][0] != item.pack
                found.append((other_pack, len(flow(dict(case.given))), seed))
    return [seed for _, _, seed in sorted(found, key=lambda one: one[:2])]


def _of_case(case: Case, name: re.Pattern[str]) -> Seed | None:
    """The table of a case, with its steps as far as the one that names the item."""
    steps = [step for step in case.steps or () if isinstance(step, Mapping)]
    naming = [number for number, step in enumerate(steps) if name.search(flow(step))]
    if not naming and not name.search(flow(dict(case.given))):
        return None
    return seed_of(case.given, steps[: _last_step(steps, naming, name) + 1])


def _last_step(steps: Sequence[CaseData], naming: Sequence[int], name: re.Pattern[str]) -> int:
    """The step that a seed ends with: the first to name the item, or the one before its use."""
    end = len(steps) - 1
    if any(DO in step for step in steps):
        return end
    if not naming:
        return 0
    is_use = naming[0] == end > 0 and name.search(str(next(iter(steps[end].values()))))
    return end - 1 if is_use else naming[0]
