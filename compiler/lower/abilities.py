"""Collects the abilities of all items, direct and through keywords, and their bearers.

From the items with `abilities:` it makes the modifiers of each stat and the reactions, each with its
path of texts: the item's first, then those of keywords. `ruleloom.compiler.lower.stats` and
`ruleloom.compiler.lower.reactions` lower them. The contexts of all texts on one path begin with the
same slots, one of which is `self`, so that their expressions can be combined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from ruleloom.compiler.bounds.intervals import written_arguments
from ruleloom.compiler.check.expect import wanted
from ruleloom.compiler.check.moments import INSTEAD
from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, offer
from ruleloom.compiler.flow.context import BROKEN, Context
from ruleloom.compiler.flow.flow import ZoneRead, unnamed
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.packs.lasting_names import NEVER, ONCE, SELF, THIS, TIME
from ruleloom.compiler.query.lookups import Key, Mark, Table
from ruleloom.compiler.resolve.embedded import ITEM, Meaning, Passage, read_text
from ruleloom.compiler.resolve.records import item_numbers
from ruleloom.compiler.resolve.symbols import Bearer, Lasting, ParamSymbol, Signature, Symbols
from ruleloom.compiler.source.file import Remade
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_abilities, parse_expr, parse_occurrence
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.compiler.types import is_unknown, list_of, with_article
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.expr import conjunction, substitute
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, INT, PLAYER, Type

# The depth of keywords within keywords, and the number of modifiers of one item.
MOST_KEYWORDS, MOST_MODIFIERS = 8, 1_000
# Separates the item id from the ability number in a routine's id; no item id contains it.
MARK = "#"
BEARER = "bearer"
Maker = Callable[[Passage, str, Sequence[ParamSymbol]], Context]
Terms = dict[int, Expr]
Borne = tuple[Expr, tuple[ZoneRead, ...]]
Kept = tuple[Borne | None, tuple[Key, ...], tuple[Mark, ...]]


@dataclass(frozen=True, slots=True)
class AbilityText(Remade):
    """One text on the path to a modifier: of an item, or of the keyword `callee`, used as `call`."""

    item: Item
    passage: Passage
    callee: Signature | None
    call: ast.Keyword | None
    names_this: bool = True
    """Whether it names the thing that the item makes; always True for an item's own text."""
    conditions: tuple[ast.Expr, ...] = ()
    copy: int = 0
    """The index of `this` among the things that the item makes."""

    def written(self, name: str) -> ast.Expr | None:
        """The argument for a parameter of the keyword."""
        if self.callee is None or self.call is None:
            return None
        return written_arguments(self.callee, self.call.args).get(name)


Texts = tuple[AbilityText, ...]


@dataclass(frozen=True, slots=True)
class Planned(Remade):
    """One unchecked modifier of a stat. `texts` begin with that of the item."""

    stat: str
    node: ast.Modify
    texts: Texts


class Reacting(Frozen):
    """An unchecked reaction; `number` counts those of one item, from 1."""

    node: ast.Reaction
    texts: Texts
    number: int

    @property
    def id(self) -> str:
        """The id of its routine and of its trigger or replacement, unlike any item id."""
        return f"{self.texts[0].item.id}{MARK}{self.number}"


Found = Iterator[Planned | Reacting]


class Abilities:
    """The modifiers of a game, by stat, and its reactions."""

    def __init__(self, content: Content, symbols: Symbols, report: Report) -> None:
        self.content = content
        self.symbols = symbols
        self.report = report
        self._blocks: dict[str, tuple[Passage, tuple[ast.Ability, ...]] | None] = {}
        self._keywords = {item.slug: item for item in content.by_kind("keyword")}
        self.numbers = Table[str, tuple[int, ...]](item_numbers(content, symbols))
        # Both are in the order of packs, files and lines.
        self.by_stat = Table[str, list[Planned]]()
        self.reactions: list[Reacting] = []
        for item in content.items:
            if item.kind == LASTING:
                self._lasting(item)
            elif "abilities" in item.fields and item.kind != "keyword":
                self._item(item)
            elif item.id in symbols.bearers:
                self._refuse_bearer(item)
        for name, item in self._keywords.items():
            if symbols.keywords.get(name) is not None and item.id not in symbols.used:
                self._add(item, symbols.keywords[name])

    def _refuse_bearer(self, item: Item) -> None:
        message = f"`{BEARER}` has no effect here: this item has no abilities"
        node, help = item.node, "add `abilities:`, or take it out"
        place = node.key_place(BEARER) if BEARER in node.entries else item.place
        self.report.error("means-nothing", place, message, help)

    def block(self, item: Item) -> tuple[ast.Ability, ...]:
        """The parsed abilities of an item."""
        found = self._block(item) if "abilities" in item.fields else None
        return found[1] if found is not None else ()

    def _item(self, item: Item) -> None:
        if item.kind != "standing" and self.symbols.bearer(item) is None:
            if "bearer" not in item.fields:  # an invalid one has been reported
                noun, place = with_article(item.kind), item.fields["abilities"].place
                message = f"{noun} has no bearer, so its abilities apply to nobody"
                help = "say who does: `bearer: {entity: Player, when: ...}`"
                self.report.error("no-bearer", place, message, help)
            return
        copies = self.numbers.get(item.id, ()) if self.symbols.made_by(item) else ()
        for copy in range(max(1, len(copies))):
            self._add(item, None, copy)

    def _block(self, item: Item) -> tuple[Passage, tuple[ast.Ability, ...]] | None:
        if item.id not in self._blocks:
            node = item.fields["abilities"]
            self._blocks[item.id] = read_text(self.content, node, parse_abilities, self.report)
        return self._blocks[item.id]

    def _add(self, item: Item, callee: Signature | None, copy: int = 0) -> None:
        block = self._block(item)
        if block is None:
            return
        names_this = callee is None or _names_this(block[1], callee)
        text = AbilityText(item, block[0], callee, None, names_this, copy=copy)
        found = self._modifiers(block[1], (text,))
        for one in islice(found, MOST_MODIFIERS):
            if isinstance(one, Planned):
                self.by_stat.setdefault(one.stat, []).append(one)
            else:
                self._answer(one)
        if next(found, None) is not None:
            message = f"these abilities make more than {MOST_MODIFIERS:,} modifiers"
            place = item.fields["abilities"].place
            self.report.error("too-much-work", place, message, "use fewer keywords within keywords")

    def _answer(self, one: Reacting) -> None:
        item, latest = one.texts[0].item, self.reactions[-MOST_MODIFIERS:]
        number = 1 + sum(other.texts[0].item is item for other in latest)
        self.reactions.append(replace(one, number=number))

    def _lasting(self, item: Item) -> None:
        """Add the reactions that count down or end an effect, and its abilities."""
        lasting = self.symbols.lasting_of(item)
        if lasting is None or lasting.signature.broken:
            return  # the names in its texts are unknown
        until = item.fields.get("until")
        for node in [until, *items_of(until)] if until is not None else []:
            if node.kind != "list" and node.text != NEVER:
                self._moment(item, node, ending)
        self._moment(item, item.fields.get("counts"), partial(counting, lasting))
        if "abilities" in item.fields:
            self._add(item, None)

    def _moment(
        self, item: Item, node: YamlNode | None, doing: Callable[[ast.When], ast.When]
    ) -> None:
        found = read_text(self.content, node, parse_occurrence, self.report)
        if found is not None:
            self._answer(Reacting(doing(found[1]), (AbilityText(item, found[0], None, None),), 0))

    def _modifiers(self, abilities: Sequence[ast.Ability], texts: Texts) -> Found:
        later = self._later(texts[0].item)
        for one in abilities:
            match one:
                case ast.Passive():
                    inner = replace(texts[-1], conditions=(*texts[-1].conditions, one.where))
                    yield from self._modifiers(one.body, (*texts[:-1], inner))
                case ast.Keyword():
                    yield from self._keyword(one, texts)
                case ast.Modify():
                    stat = self._stat(one.stat, texts)
                    if stat is not None:
                        yield Planned(stat, one, texts)
                case ast.Restrict():
                    if self._is_of_kind("rule", one.rule, texts[-1], "restricted"):
                        node = ast.Modify(
                            *(one.span, one.rule, one.places, "not"),
                            *(ast.BoolLiteral(one.span, True), None, one.where, one.label),
                        )
                        yield Planned(one.rule.id, node, texts)
                case ast.When() if later is not None:
                    yield Reacting(waiting(later, one), texts, 0)
                case ast.When() | ast.Instead():
                    yield Reacting(self._about(one), texts, 0)

    def _later(self, item: Item) -> Lasting | None:
        """The effect of an item that only waits for an event."""
        lasting = self.symbols.lasting_of(item)
        return lasting if lasting is not None and lasting.names.is_later else None

    def _about(self, node: ast.Reaction) -> ast.Reaction:
        """The reaction; one that replaces a power or flow is renamed to answer its own event."""
        name = node.event.name
        replaced = f"{INSTEAD}{name.id}"
        if not isinstance(node, ast.Instead) or replaced not in self.symbols.events:
            return node
        event = ast.CallExpr(node.event.span, ast.Name(name.span, replaced), node.event.args)
        return ast.Instead(node.span, event, node.where, node.body)

    def _keyword(self, node: ast.Keyword, texts: Texts) -> Found:
        name, here = node.name.id, texts[-1].passage
        callee, item = self.symbols.keywords.get(name), self._keywords.get(name)
        if callee is None or item is None:
            if not self.symbols.poisoned.may_declare(name):
                self._unknown(node.name, here)
            return
        self.symbols.used.add(callee.id)
        self._means(texts[-1], node.name, callee)
        block = self._block(item) if not self._goes_round(node, item, texts) else None
        if block is None or callee.broken:
            return
        inner = AbilityText(item, block[0], callee, node, _names_this(block[1], callee))
        if not inner.names_this or self._has_item(node, texts):
            yield from self._modifiers(block[1], (*texts, inner))

    def _goes_round(self, node: ast.Keyword, item: Item, texts: Texts) -> bool:
        """Report a keyword that uses itself, or is nested too deep."""
        name, place = node.name.id, texts[-1].passage.place(node.span)
        if len(texts) > MOST_KEYWORDS:
            message = f"keywords use one another more than {MOST_KEYWORDS} deep here"
        elif any(text.item is item for text in texts):
            path = " -> ".join(f"`{text.item.slug}`" for text in texts)
            message = f"`{name}` uses itself: {path} -> `{name}`"
        else:
            return False
        self.report.error("recursive-keyword", place, message)
        return True

    def _has_item(self, node: ast.Keyword, texts: Texts) -> bool:
        """Whether a keyword that names `this` has a thing as bearer."""
        first = texts[0]
        is_lasting = self.symbols.lasting_of(first.item) is not None
        if first.callee is not None or is_lasting or self.symbols.made_by(first.item):
            return True
        call = next((text.call for text in texts if text.call is not None), node)
        message = f"`{node.name.id}` names `{THIS}`, the thing that bears it: there is none"
        self.report.error("no-bearer", first.passage.place(call.span), message)
        return False

    def _unknown(self, name: ast.Name, here: Passage) -> None:
        symbols = self.symbols
        help = did_you_mean(name.id, [*symbols.keywords, "modify", "passive", "restrict"])
        if name.id in symbols.powers or name.id in symbols.operations:
            help = "actions belong in an `effect`, or below `when event:` or `instead of event:`"
        message = f"there is no keyword `{name.id}`"
        self.report.error("unknown-keyword", here.place(name.span), message, help)

    def _stat(self, name: ast.Name, texts: Texts) -> str | None:
        text = texts[-1]
        if text.callee is not None and any(param.name == name.id for param in text.callee.params):
            return self._given_stat(name, texts)
        if not self._is_of_kind("stat", name, text, "modified"):
            return None
        self.symbols.used.add(self.symbols.callables[name.id].id)
        return name.id

    def _is_of_kind(self, kind: str, name: ast.Name, text: AbilityText, does: str) -> bool:
        """Whether a name is a stat, to modify, or a rule, to restrict; reports others."""
        symbols, known = self.symbols, self.symbols.of_kind(kind)
        callee = symbols.callables.get(name.id)
        if callee is not None and name.id in known:
            self._means(text, name, callee)
            return True
        if symbols.poisoned.may_declare(name.id):
            return False
        message, notes = f"there is no {kind} `{name.id}`", list[Note]()
        help = offer(name.id, known) if kind == "stat" else did_you_mean(name.id, known)
        if callee is not None or (kind == "rule" and name.id in symbols.always):
            found = callee.kind if callee is not None else "rule that always holds"
            message = f"`{name.id}` is a {found}, and only a {kind} can be {does}"
            is_own = callee is not None and callee.id.partition(":")[0] == text.item.pack
            help = f"make it `kind: {kind}`" if is_own else f"`ruleloom places` lists each {kind}"
        elif name.id in symbols.powers or name.id in symbols.operations:
            message = f"`{name.id}` is something to do, and only a {kind} can be {does}"
            help = f"`instead of {name.id}(...)` stands in its place; `ruleloom places` lists each {kind}"
        if callee is not None and kind == "stat":
            notes.append(Note(callee.place, "declared here"))
        # unknown-stat, unknown-rule
        self.report.error(f"unknown-{kind}", text.passage.place(name.span), message, help, notes)
        return False

    def _means(self, text: AbilityText, name: ast.Name, callee: Signature) -> None:
        meaning = Meaning(ITEM, callee.id)
        self.symbols.uses.note(text.passage, name.span, meaning, callee.kind)

    def _given_stat(self, name: ast.Name, texts: Texts) -> str | None:
        self.symbols.uses.note_local(texts[-1].passage, name)
        written = texts[-1].written(name.id)
        if isinstance(written, ast.Name):
            return self._stat(written, texts[:-1])
        # For an unused keyword, or a broken argument, any stat with one parameter serves to check
        # the rest of the text.
        callables = self.symbols.callables
        return next(
            (one for one in self.symbols.of_kind("stat") if len(callables[one].params) == 1), None
        )


def ending(when: ast.When) -> ast.When:
    """The reaction that ends its effect."""
    end = ast.EndStmt(when.span, ast.Name(when.span, THIS), None)
    return ast.When(when.span, when.event, when.where, when.afterwards, when.once, (end,))


def counting(lasting: Lasting, when: ast.When) -> ast.When:
    """The reaction that counts down the time of an effect, and lets it run out."""
    return _counting(lasting, when, (ast.RunOut(when.span, ast.Name(when.span, THIS)),))


def waiting(lasting: Lasting, when: ast.When) -> ast.When:
    """The reaction that counts events, and after the last ends and runs its body."""
    end = ast.EndStmt(when.event.span, ast.Name(when.event.span, THIS), None)
    return _counting(lasting, when, (end, *when.body))


def _counting(lasting: Lasting, when: ast.When, then: tuple[ast.Stmt, ...]) -> ast.When:
    span, this = when.event.span, ast.Name(when.event.span, THIS)
    told = (ast.Arg(span, None, this),)
    left = ast.CallExpr(span, ast.Name(span, TIME), told)
    count = ast.CallExpr(span, ast.Name(span, lasting.names.count), told)
    is_over = ast.Binary(span, "=", left, ast.NumberLiteral(span, 0))
    over = ast.IfStmt(span, ((is_over, then),), ())
    body = (ast.OperateStmt(span, count, None), over)
    return ast.When(span, when.event, when.where, when.afterwards, when.once, body)


def _names_this(block: tuple[ast.Ability, ...], callee: Signature) -> bool:
    """Whether the text of a keyword names the thing that bears it."""
    if any(param.name == THIS for param in callee.params):
        return False
    return any(one.id == THIS for one in nodes_of(block, ast.Name))


class Bearers:
    """The bearers of the items of each content kind. `make` returns a fresh context for a text."""

    def __init__(self, abilities: Abilities, make: Maker) -> None:
        self.content, self.symbols = abilities.content, abilities.symbols
        self.report, self.make = abilities.report, make
        self._numbers = abilities.numbers
        self._asked: dict[tuple[YamlNode, int, int], Kept] = {}

    def check(self) -> None:
        """Check the bearer of each content kind, also of kinds without items."""
        for kind, bearer in self.symbols.bearers.items():
            made = self.symbols.kinds.get(kind)
            if made is not None:
                self._when(bearer, made, 0, 1)

    def entity(self, text: AbilityText) -> Type | None:
        """The type of `self` in the abilities of an item; None if unknown."""
        lasting = self.symbols.lasting_of(text.item)
        if lasting is not None:
            return lasting.on if lasting.on is not None and not is_unknown(lasting.on) else None
        bearer = self.symbols.bearer(text.item)
        entity = bearer.entity if bearer is not None else str(text.item.data("for") or "")
        # An unknown type has been reported at its place.
        return Type(entity) if self.symbols.is_type_name(entity) else None

    def everybody(self, text: AbilityText, first: int) -> Borne | None:
        """The list of all possible bearers of an item, and the zones it reads."""
        bearer, entity = self.symbols.bearer(text.item), self.entity(text)
        if bearer is not None and bearer.among is not None:
            return self._among(bearer, text, first)
        if entity == PLAYER:
            return ("players",), ()
        is_listed = entity is not None and self.symbols.is_recorded(entity.name)
        return (("records", entity.name), ()) if entity is not None and is_listed else None

    def bearing(self, text: AbilityText, slot: int, first: int, listed: bool) -> Borne | None:
        """The condition on which `self` (in `slot`) bears the item, and the zones it reads.

        None for everybody, or after an error. Slots below `first` are taken. If `listed`, the bearers
        come from a list, which the condition then leaves out.
        """
        bearer = self.symbols.bearer(text.item)
        if bearer is None:
            return None
        found: list[Borne] = []
        among = self._among(bearer, text, first) if not listed else None
        if among is not None:
            found.append((("in", ("slot", slot), among[0]), among[1]))
        found += self._of_copies(bearer, text, slot, first)
        tests = conjunction([test for test, _ in found])
        return (tests, tuple(read for _, reads in found for read in reads)) if tests else None

    def own(self, entity: str) -> Iterator[Expr]:
        """Yield the conditions on which a thing of this kind, in slot 0, bears its own item."""
        for kind, bearer in self.symbols.bearers.items():
            made = self.symbols.kinds.get(kind)
            found = self._when(bearer, made, 0, 1) if made == bearer.entity == entity else None
            if found is not None:
                yield substitute(found[0], {1: ("slot", 0)})

    def _of_copies(
        self, bearer: Bearer, text: AbilityText, slot: int, first: int
    ) -> Iterator[Borne]:
        """The conditions of bearing one copy and, if it counts once, none before it."""
        made = self.symbols.made_by(text.item)
        # An error is reported once, for slots that are the same for all.
        sound = self._when(bearer, made, 0, 1) is not None
        when = self._when(bearer, made, slot, first) if sound else None
        if when is None:
            return
        counts_once = made and text.item.data("stacks") == ONCE
        for copy in range(text.copy if counts_once else 0):
            other = self._of_this(when, replace(text, copy=copy), first)
            yield ("not", other[0]), other[1]
        yield self._of_this(when, text, first) if made else when

    def _of_this(self, found: Borne, text: AbilityText, first: int) -> Borne:
        """The same, with the thing that the item makes substituted for the slot `first`."""
        terms = {first: self.this(text)}
        return substitute(found[0], terms), reads_in_terms(found[1], terms)

    def _when(self, bearer: Bearer, made: str, slot: int, first: int) -> Borne | None:
        """The condition on which `self` bears `this` (in the slot `first`), and the zones it reads."""
        return self._expression(bearer.when, BOOL, made, first, (slot, Type(bearer.entity)))

    def _among(self, bearer: Bearer, text: AbilityText, first: int) -> Borne | None:
        """The list of possible bearers in an item's `among`."""
        made = self.symbols.made_by(text.item)
        found = self._expression(bearer.among, list_of(Type(bearer.entity)), made, first)
        return self._of_this(found, text, first) if found is not None and made else found

    def _expression(
        self,
        node: YamlNode | None,
        type_: Type,
        made: str,
        first: int,
        bearer: tuple[int, Type] | None = None,
    ) -> Borne | None:
        """The expression and reads of a text, with `this` in slot `first` and `bearer` in its own."""
        if node is None:
            return None
        params = [ParamSymbol(unnamed(str(number)), INT) for number in range(first)]
        if bearer is not None:
            params[bearer[0]] = ParamSymbol(SELF, bearer[1])
        params += [ParamSymbol(THIS, Type(made))] if made else []
        key = (node, bearer[0] if bearer is not None else -1, len(params))
        if key not in self._asked:
            self._asked[key] = None, (), ()
            with self.symbols.lookups.apart() as (keys, marks):
                found, borne = read_text(self.content, node, parse_expr, self.report), None
                if found is not None:
                    context = self.make(found[0], "", params)
                    typed = wanted(context, found[1], type_)
                    borne = (typed.expr, tuple(context.reads)) if typed.sound else None
            self._asked[key] = borne, tuple(keys), tuple(marks)
        borne, needed, marked = self._asked[key]
        self.symbols.hand_on(needed, marked)
        return borne

    def this(self, text: AbilityText) -> Expr:
        """The thing that an item makes: the copy that the text is about."""
        numbers = self._numbers.get(text.item.id)
        if numbers is None:
            return BROKEN
        return ("record", self.symbols.kinds[text.item.kind], ("value", numbers[text.copy]))


def reads_in_terms(reads: Iterable[ZoneRead], terms: Terms) -> tuple[ZoneRead, ...]:
    """The same reads, with slots in their owners replaced."""
    return tuple(
        read if read.owner is None else replace(read, owner=substitute(read.owner, terms))
        for read in reads
    )
