"""Makes each item of the kind `action` a way of the menu that its game names for it under `actions:`.

Its condition is `where:` with what its costs need, its effect what comes before each action there, then
the costs, then its own. Lines of the game stand at the id of the action, lines of its author where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.packs.content import Item, Poison
from ruleloom.compiler.packs.lasting_parts import GeneratedSource, generated
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of
from ruleloom.compiler.yaml.source_map import WovenLine, effect_text, woven_node

KIND = "action"
ACTIONS, COSTS, AT, WHERE, EFFECT = "actions", "costs", "at", "where", "effect"
MUCH = re.compile(r"\bmuch\b")


def with_actions(items: Sequence[Item], poisoned: Poison, report: Report) -> tuple[Item, ...]:
    """Return the items, each action with the fields of a way, and what asks for actions turned on."""
    vocabulary = next((item for item in items if item.kind == "vocabulary"), None)
    if vocabulary is None:
        return tuple(items)
    work = _Lowering(vocabulary.fields, poisoned, report)
    found = [work.whole(item) if item.kind == KIND else item for item in items]
    return tuple(_turned_on(item) if item.slug in work.opened else item for item in found)


class _Lowering:
    """The making of ways by what a vocabulary says of actions."""

    def __init__(self, words: Mapping[str, YamlNode], poisoned: Poison, report: Report) -> None:
        self.places, self.costs = entries_of(words.get(ACTIONS)), entries_of(words.get(COSTS))
        self.poisoned, self.report = poisoned, report
        self.opened: set[str] = set()
        """The settings that are yes where there are actions."""

    def whole(self, item: Item) -> Item:
        """An action with the fields of a way; without them after an error."""
        place = self._place(item)
        if place is None:
            return item
        self.opened.add(text_of(place.get("opens")))
        costs = [
            (cost, amount)
            for name, amount in entries_of(item.fields.get(COSTS)).items()
            if (cost := self._named(name, item.fields[COSTS].key_place(name), self.costs, COSTS))
        ]
        fields = {"to": place.entries["menu"], EFFECT: self._effect(item, place, costs)}
        when = _condition(item, costs)
        more = {"takes": place.get("takes"), "when": when}
        fields |= {name: node for name, node in more.items() if node is not None}
        return replace(item, fields={**item.fields, **fields})

    def _place(self, item: Item) -> YamlNode | None:
        at = item.fields.get(AT)
        if at is not None:
            return self._named(text_of(at), at.place, self.places, ACTIONS)
        first = next(iter(self.places.values()), None)
        if first is None and not self.poisoned.anything:
            message = "the vocabulary of this game says nowhere where actions are on offer"
            help = "a `way` of one of its menus, or `actions:` in an extension"
            self.report.error("unknown-name", item.place, message, help)
        return first

    def _named(
        self, name: str, place: Place, known: Mapping[str, YamlNode], section: str
    ) -> YamlNode | None:
        if name not in known and not self.poisoned.may_declare(name):
            message = f"the game has no `{name}` under `{section}:`"
            self.report.error("unknown-name", place, message, offer(name, known))
        return known.get(name)

    def _effect(
        self, item: Item, place: YamlNode, costs: Sequence[tuple[YamlNode, YamlNode]]
    ) -> YamlNode:
        own, begins = item.fields[EFFECT], place.get("begins")
        lines = [*said(text_of(begins), item.place)] if begins is not None else []
        for cost, amount in costs:
            lines += said(_filled(cost.entries["pays"], amount), amount.place)
        written = list(_written(own))
        return woven_node(own, [*lines, *written]) if lines and written else own


def _condition(item: Item, costs: Sequence[tuple[YamlNode, YamlNode]]) -> YamlNode | None:
    """Who may act, and what it takes to pay; None without either."""
    where = item.fields.get(WHERE)
    parts = [[*_written(where)]] if where is not None else []
    if not costs or parts == [[]]:
        return where
    parts += [[*said(_filled(cost.entries["when"], much), much.place)] for cost, much in costs]
    lines = list[WovenLine]()
    for part in parts:
        lines += [*said(") and (" if lines else "(", item.place), *part]
    return woven_node(where or item.fields[COSTS], [*lines, *said(")", item.place)])


def _filled(text: YamlNode, amount: YamlNode) -> str:
    return MUCH.sub(str(amount.value), text_of(text))


def said(text: str, anchor: Place) -> Iterator[WovenLine]:
    """The lines of a text of the game, all at one place."""
    for line in text.rstrip("\n").split("\n"):
        yield WovenLine(line, GeneratedSource(anchor.path, line, anchor), 0)


def _written(node: YamlNode) -> Iterator[WovenLine]:
    """The lines of a text of the author; none if it is refused where it is read."""
    text = effect_text(node.source, node, Report())
    if text is not None:
        starts = text.source_starts
        for line, start in zip(text.text.rstrip("\n").split("\n"), starts, strict=False):
            yield WovenLine(line, text.source, start)


def _turned_on(setting: Item) -> Item:
    """A setting of the game, as yes; what else has its name is left."""
    if setting.kind != "setting":
        return setting
    return replace(setting, fields={**setting.fields, "value": generated(True, setting.place)})
