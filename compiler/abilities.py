"""Finds what each item does for its bearers: goes through all abilities, and through the keywords they use.

In go the items with `abilities:`; out come, for each stat, every `modify`, and all that answers events, each with
the texts it came by: that of the item first, then those of keywords. What the texts mean is worked out by
`compiler.stats` and `compiler.reacting`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from compiler.content import Content, Item
from compiler.diagnostics import Note, Report, did_you_mean
from compiler.effect import tree
from compiler.effect.ability_tree import Ability, Instead, Keyword, Modify, Passive, Reaction, Restrict, When
from compiler.effect.parse import parse_abilities
from compiler.symbols import Signature, Symbols
from compiler.texts import Passage, parsed, passage
from compiler.types import with_article

# How deep keywords may use one another, and how many modifiers the abilities of one item may come to.
MOST_KEYWORDS, MOST_MODIFIERS = 8, 1_000


@dataclass(frozen=True, slots=True)
class Text:
    """One text on the way to a modifier: that of an item, or of the keyword `callee`, used as `call`."""

    item: Item
    passage: Passage
    callee: Signature | None
    call: Keyword | None
    conditions: tuple[tree.Expr, ...] = ()

    def said(self, name: str) -> tree.Expr | None:
        """What was written for a parameter of the keyword."""
        if self.callee is None or self.call is None:
            return None
        labelled = {arg.label: arg.value for arg in self.call.args if arg.label is not None}
        names = [param.name for param in self.callee.params]
        placed = dict(zip(names, (arg.value for arg in self.call.args if arg.label is None), strict=False))
        return labelled.get(name) or placed.get(name)


@dataclass(frozen=True, slots=True)
class Planned:
    """One modifier of a stat, not looked into yet. `texts` begin with that of the item."""

    stat: str
    node: Modify
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Reacting:
    """Something that answers an event, not looked into yet. `number` counts those of one item, from 1."""

    node: Reaction
    texts: tuple[Text, ...]
    number: int


class Abilities:
    """The modifiers of a game, by stat, and its reactions."""

    def __init__(self, content: Content, symbols: Symbols, report: Report) -> None:
        self.content = content
        self.symbols = symbols
        self.report = report
        self._blocks: dict[str, tuple[Passage, tuple[Ability, ...]] | None] = {}
        self._keywords = {item.slug: item for item in content.by_kind("keyword")}
        self.by_stat: dict[str, list[Planned]] = {}
        self.reactions: list[Reacting] = []
        """In the order of packs, files and lines."""
        for item in content.items:
            if "abilities" in item.fields and item.kind != "keyword":
                self._item(item)
        for name, item in self._keywords.items():
            if symbols.keywords.get(name) is not None and item.id not in symbols.used:
                self._alone(item, symbols.keywords[name])

    def planned(self, stat: str) -> Sequence[Planned]:
        """What modifies a stat, in the order of packs, files and lines."""
        return self.by_stat.get(stat, ())

    def block(self, item: Item) -> tuple[Ability, ...]:
        """The abilities that an item has written; none if they cannot be read."""
        found = self._block(item) if "abilities" in item.fields else None
        return found[1] if found is not None else ()

    # ------------------------------------------------------------------ items and keywords

    def _item(self, item: Item) -> None:
        if item.kind != "standing" and item.kind not in self.symbols.bearers:
            node = item.fields["abilities"]
            kinds = ", ".join(f"`{kind}`" for kind in self.symbols.bearers) or "none"
            message = f"nobody bears {with_article(item.kind)}, so its abilities would hold for nobody"
            self.report.error("no-bearer", node.place, message, f"the kinds with a `bearer:` are {kinds}")
            return
        block = self._block(item)
        if block is not None:
            self._add(item, block, None)

    def _alone(self, item: Item, callee: Signature) -> None:
        """Look into a keyword that nothing uses: what is wrong with it is wrong all the same."""
        block = self._block(item)
        if block is not None:
            self._add(item, block, callee)

    def _block(self, item: Item) -> tuple[Passage, tuple[Ability, ...]] | None:
        if item.id not in self._blocks:
            text = passage(self.content, item, "abilities", self.report)
            found = parsed(text, parse_abilities, self.report) if text is not None else None
            self._blocks[item.id] = None if text is None or found is None else (text, found)
        return self._blocks[item.id]

    def _add(self, item: Item, block: tuple[Passage, tuple[Ability, ...]], callee: Signature | None) -> None:
        found = self._modifiers(block[1], (Text(item, block[0], callee, None),))
        for one in islice(found, MOST_MODIFIERS):
            if isinstance(one, Planned):
                self.by_stat.setdefault(one.stat, []).append(one)
            else:
                number = 1 + sum(other.texts[0].item is item for other in self.reactions[-MOST_MODIFIERS:])
                self.reactions.append(replace(one, number=number))
        if next(found, None) is not None:
            message = f"these abilities come to more than {MOST_MODIFIERS:,} modifiers"
            place = item.fields["abilities"].place
            self.report.error("too-much-work", place, message, "use fewer keywords within keywords")

    def _modifiers(
        self, abilities: Sequence[Ability], texts: tuple[Text, ...]
    ) -> Iterator[Planned | Reacting]:
        for one in abilities:
            match one:
                case Passive():
                    inner = replace(texts[-1], conditions=(*texts[-1].conditions, one.where))
                    yield from self._modifiers(one.body, (*texts[:-1], inner))
                case Keyword():
                    yield from self._keyword(one, texts)
                case Modify():
                    stat = self._stat(one.stat, texts)
                    if stat is not None:
                        yield Planned(stat, one, texts)
                case Restrict():
                    if self._rule(one.rule, texts[-1]):
                        node = Modify(
                            *(one.span, one.rule, one.places, "not"),
                            *(tree.Truth(one.span, True), None, one.where, one.label),
                        )
                        yield Planned(one.rule.id, node, texts)
                case When() | Instead():
                    yield Reacting(one, texts, 0)

    def _keyword(self, node: Keyword, texts: tuple[Text, ...]) -> Iterator[Planned | Reacting]:
        name, here = node.name.id, texts[-1].passage
        callee, item = self.symbols.keywords.get(name), self._keywords.get(name)
        if callee is None or item is None:
            if name not in self.symbols.poisoned:
                self._unknown(node.name, here)
            return
        self.symbols.used.add(callee.id)
        if len(texts) > MOST_KEYWORDS:
            message = f"keywords use one another more than {MOST_KEYWORDS} deep here"
            self.report.error("recursive-keyword", here.place(node.span), message)
            return
        if any(text.item is item for text in texts):
            path = " -> ".join(f"`{text.item.slug}`" for text in texts)
            self.report.error(
                "recursive-keyword", here.place(node.span), f"`{name}` uses itself: {path} -> `{name}`"
            )
            return
        block = self._block(item)
        if block is not None and not callee.broken:
            yield from self._modifiers(block[1], (*texts, Text(item, block[0], callee, node)))

    def _unknown(self, name: tree.Name, here: Passage) -> None:
        symbols = self.symbols
        help = did_you_mean(name.id, [*symbols.keywords, "modify", "passive", "restrict"])
        if name.id in symbols.powers or name.id in symbols.operations:
            help = "what is done stands in an `effect`, or below `when event:` or `instead of event:`"
        self.report.error("unknown-keyword", here.place(name.span), f"there is no keyword `{name.id}`", help)

    # ------------------------------------------------------------------ which stat

    def _stat(self, name: tree.Name, texts: tuple[Text, ...]) -> str | None:
        symbols, text = self.symbols, texts[-1]
        place = text.passage.place(name.span)
        if text.callee is not None and any(param.name == name.id for param in text.callee.params):
            return self._told(name, texts)
        if name.id in symbols.stats():
            symbols.used.add(symbols.callables[name.id].id)
            return name.id
        if name.id in symbols.poisoned:
            return None
        callee = symbols.callables.get(name.id)
        if callee is not None:
            notes = (Note(callee.place, "declared here"),)
            message = f"`{name.id}` is a {callee.kind}, and only a stat can be modified"
            self.report.error("unknown-stat", place, message, "make it `kind: stat`", notes)
            return None
        help = did_you_mean(name.id, symbols.stats())
        self.report.error("unknown-stat", place, f"there is no stat `{name.id}`", help)
        return None

    def _rule(self, name: tree.Name, text: Text) -> bool:
        """Is this a rule, so that it can be restricted? Complain if not."""
        symbols = self.symbols
        if name.id in symbols.rules():
            return True
        if name.id in symbols.poisoned:
            return False
        callee = symbols.callables.get(name.id)
        help = did_you_mean(name.id, symbols.rules())
        message = f"there is no rule `{name.id}`"
        if callee is not None or name.id in symbols.always:
            kind = callee.kind if callee is not None else "rule that always holds"
            message, help = (
                f"`{name.id}` is a {kind}, and only a rule can be restricted",
                "make it `kind: rule`",
            )
        self.report.error("unknown-rule", text.passage.place(name.span), message, help)
        return False

    def _told(self, name: tree.Name, texts: tuple[Text, ...]) -> str | None:
        """The stat that a keyword was told. Any stat of one thing stands in where nobody uses the keyword, and
        where what it was told is missing or no name, so that its arguments are looked into all the same."""
        text = texts[-1]
        written = text.said(name.id)
        if isinstance(written, tree.Name):
            return self._stat(written, texts[:-1])
        plain = (one for one in self.symbols.stats() if len(self.symbols.callables[one].params) == 1)
        return next(plain, None)
