"""The English of a game for its readers: the steps, standing rules, headings and sources of items, and
reference sections on things, variables, tables, settings and requirements.

The English name of each power, number and rule ends in a mark, one private-use code point that maps to
the item's id. Marks are added before rendering, so they survive wherever a name occurs, whatever the
sentence does to it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

from ruleloom.compiler.analysis.normal_form import without_bookkeeping
from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause_tree import OutcomeTree, RuleTree, Told, tree_of
from ruleloom.compiler.english.declared_text import LIFTED as LIFTED
from ruleloom.compiler.english.event_text import event_of
from ruleloom.compiler.english.mark import FIRST, LAST
from ruleloom.compiler.english.mark import MARK as MARK
from ruleloom.compiler.english.page import Step, as_sentence, outline, paragraph
from ruleloom.compiler.english.page import StepLine as StepLine
from ruleloom.compiler.english.phrase import Letter
from ruleloom.compiler.english.rules_text import Book, Effects
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.packs.random_tables import KIND as RANDOM_TABLE
from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import EntitySymbol, FieldSymbol, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import parts, walk
from ruleloom.compiler.types import PLAIN
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Expr, Program, Zone
from ruleloom.runtime.program.values import BOOL, INT, PLAYER, Type

K = TypeVar("K")
Lines = tuple[StepLine, ...]
# The kinds that can be cross-referenced; marks of the first end a clause that does something.
DONE = ("power", "fusion")
MARKED = (*DONE, "measure", "stat", "rule", "table")
# Openings that make no heading on their own, and the word count above which a heading is cut.
BEGINNINGS = ("If ", "When ", "While ", "With ", "From ", "After ", "At ", "Unless ", "Where ")
LONG = 7
# A summary of at most this many words adds nothing to the heading.
FEW = 3


Row = tuple[str, ...]
NEVER = "such that this is never so"
# The headings of requirement messages, by severity.
REFUSED = {
    "error": "None of this may be so of {}",
    "warning": "This is as a rule a mistake in {}",
    "notice": "This is unusual in {}",
}
# An entity with more fields than this is a character sheet, not a piece on the table.
MOST_FIELDS = 8
# A bound above this is an implementation limit, not a rule of the game.
MOST_SHOWN = 100
# A variable that fewer texts mention is not worth listing.
FEWEST = 4
SEEN_BY = {
    "owner": "only their owner sees them",
    "nobody": "nobody sees them",
    "all": "everybody sees them",
}


def unmarked(text: str) -> str:
    """A text without its marks."""
    return MARK.sub("", text)


class ItemText(Frozen):
    """The text of an item: its standing rules, its steps, the ids of the powers that these use, and
    its options."""

    passive: Lines = ()
    steps: Lines = ()
    uses: tuple[str, ...] = ()
    options: str = ""

    def all(self) -> Iterator[str]:
        """All lines."""
        for line in (*self.passive, *self.steps):
            yield from line.all()


class GameTexts:
    """Renders the items of one game as English; `headings` are the packs' headings by item id, and
    `named` has the game's symbols and effects.

    Marks of numbers alter some sentences. So all is rendered twice, and where the two differ, the
    one with the marks of powers alone is used.
    """

    def __init__(
        self,
        content: Content,
        headings: Mapping[str, str],
        named: tuple[Symbols, Effects],
    ) -> None:
        self.content, self.headings = content, headings
        self.items: Mapping[str, Item] = content.by_id
        self._ids: dict[str, str] = {}
        self._marks: dict[str, str] = {}
        symbols, effects = named
        self.book, self._full = (
            Book(content, self._marked(symbols, kinds), effects) for kinds in (DONE, MARKED)
        )
        self.symbols, self.words = self.book.symbols, self.book.words
        self._texts: dict[str, ItemText] = {}
        self._declared: dict[str, str] = {}
        self._shortcuts = dict(self._echoes())

    # ------------------------------------------------------------------ marks

    def _marked(self, symbols: Symbols, kinds: Container[str]) -> Symbols:
        """The symbols with a mark after the English of each power, number or rule in `kinds`."""

        def marked(table: Mapping[K, Signature]) -> Table[K, Signature]:
            return Table({key: self._with_mark(one, kinds) for key, one in table.items()})

        powers, fusions = marked(symbols.powers), marked(symbols.fusions)
        return replace(symbols, powers=powers, fusions=fusions, callables=marked(symbols.callables))

    def _with_mark(self, callee: Signature, kinds: Container[str]) -> Signature:
        mark = self.mark_of(callee.id) or chr(FIRST + len(self._ids))
        if callee.kind not in kinds or not callee.english or not callee.id or mark > chr(LAST):
            return callee
        self._ids[mark], self._marks[callee.id] = callee.id, mark
        return replace(callee, english=f"{unmarked(callee.english)}{mark}")

    def mark_of(self, id: str) -> str:
        """The mark of an id; empty if it has none."""
        return self._marks.get(id, "")

    def pieces(self, text: str) -> Iterator[tuple[str, str]]:
        """The segments of a text, each with the id whose mark ends it, or an empty one."""
        start = 0
        for mark in MARK.finditer(text):
            yield text[start : mark.start()], self._ids.get(mark[0], "")
            start = mark.end()
        if start < len(text):
            yield text[start:], ""

    # ------------------------------------------------------------------ what items say

    def text_of(self, item: Item) -> ItemText:
        """An item's rendering."""
        if item.id not in self._texts:
            self._texts[item.id] = self._text(item)
        return self._texts[item.id]

    def _text(self, item: Item) -> ItemText:
        plain, used = self._steps(self.book, item)
        passive, used_then = self._passive(self.book, item)
        steps = _without_echo(_merged(plain, self._steps(self._full, item)[0]))
        passive = _merged(passive, self._passive(self._full, item)[0])
        uses = dict.fromkeys(filter(None, map(self._id, (*used_then, *used))))
        return ItemText(passive, steps, tuple(uses), self.book.options(item) if steps else "")

    def _steps(self, book: Book, item: Item) -> tuple[Lines, tuple[str, ...]]:
        """The steps of an item, and the names that they use."""
        whole = self.effect(item)
        teller = book.teller(item, full=True)
        when = event_of(item, teller) if whole and item.kind == "trigger" else None
        if not whole or (when is not None and when.never):
            return (), ()
        if item.kind == RANDOM_TABLE:
            return outline(book.rows(item, teller)), tuple(teller.used)
        steps = render_steps(teller, without_bookkeeping(whole, self.symbols) or whole)
        return outline((replace(when, inner=steps),) if when is not None else steps), tuple(
            teller.used
        )

    def _passive(self, book: Book, item: Item) -> tuple[Lines, tuple[str, ...]]:
        """The standing rules of an item, and the names that they use."""
        teller = book.teller(item, full=False)
        return outline(book.numbers.steps(item, teller), ": "), tuple(teller.used)

    def effect(self, item: Item) -> tuple[ast.Stmt, ...]:
        """An item's effect as statements; empty without one."""
        return tuple(self.book.effect(item) or ())

    def declaration(self, item: Item) -> str:
        """The paragraph of an item without an effect."""
        if item.id not in self._declared:
            both = ((StepLine(book.brief(item)),) for book in (self.book, self._full))
            self._declared[item.id] = _merged(*both)[0].text
        return self._declared[item.id]

    def demand(self, item: Item) -> tuple[str, str]:
        """The subject of a requirement, and its message for a subject that fails it."""
        both = (book.demand(item) for book in (self.book, self._full))
        about, said = _merged(*(tuple(map(StepLine, one)) for one in both))
        return about.text, said.text

    def source(self, item: Item) -> str:
        """The pack that added an item, if not the game, and its patching packs."""
        own = item.pack == self.content.game
        said = "" if own else f"From {self.pack_title(item.pack)}."
        return f"{said} {self.book.printed.patched(item)}".strip()

    def pack_title(self, id: str) -> str:
        """The title of a pack."""
        return str(self.content.pack(id).manifest.data("title") or id)

    def endings(self) -> list[str]:
        """The ways in which items end the game, each with the mark of the last item that does so."""
        found: dict[str, str] = {}
        for item in self.content.items:
            mark = self.mark_of(self.describer(item.id))
            for node in walk(self.effect(item)) if self.text_of(item).steps else ():
                if isinstance(node, ast.FinishStmt | ast.RankStmt):
                    reason = [*parts(node.reason)]
                    fixed = all(isinstance(part, str) for part in reason)  # else it has holes
                    why = f": {''.join(map(str, reason))}" if fixed and reason else ""
                    said = word.sentence(f"{_winner(node)}{why}{mark}")
                    said = Told.of(said, OutcomeTree(_winner(node), why.removeprefix(": "), mark))
                    found[unmarked(said)] = said
        return [*found.values()]

    # ------------------------------------------------------------------ who uses what

    def _id(self, name: str) -> str:
        """The id of a used power, by its name, or of a fusion, by its id; else empty."""
        power = self.symbols.powers.get(name)
        return power.id if power is not None else name if name in self.items else ""

    def _echoes(self) -> Iterator[tuple[str, str]]:
        """The powers that only use one other power, each with that power."""
        for item in self.content.by_kind("power"):
            told = self.text_of(item)
            if len(told.steps) == len(told.uses) == 1 and not told.steps[0].inner:
                gloss = word.capital(str(self.items[told.uses[0]].data("gloss") or ""))
                if unmarked(told.steps[0].text).rstrip(".") == gloss:
                    yield item.id, told.uses[0]

    def describer(self, id: str) -> str:
        """The id of the item that describes a power: itself, or the only used one."""
        seen: set[str] = set()
        while id in self._shortcuts and id not in seen:
            seen.add(id)
            id = self._shortcuts[id]
        return id

    def uses(self, item: Item) -> tuple[str, ...]:
        """The ids of the powers that an item's reader needs to know, in order."""
        return tuple(dict.fromkeys(map(self.describer, self.text_of(item).uses)))

    def has_steps(self, id: str) -> bool:
        """Has this item steps, and so its own section? A random table stands among the tables."""
        item = self.items.get(id)
        return item is not None and item.kind != RANDOM_TABLE and bool(self.text_of(item).steps)

    def mentioned(self, kinds: Container[str]) -> set[str]:
        """The ids of all items of these kinds that texts or their declarations mention."""
        waiting = [id for text in self.all() for _, id in self.pieces(text)]
        found: set[str] = set()
        for id in waiting:
            item = self.items.get(id)
            if id not in found and item is not None and item.kind in kinds:
                found.add(id)
                # The list grows during iteration.
                waiting += [one for _, one in self.pieces(self.declaration(item))]
        return found

    def all(self) -> Iterator[str]:
        """The lines of all items and requirements."""
        for item in self.content.items:
            yield from self.text_of(item).all()
            if item.kind == "requirement":
                yield self.declaration(item)

    # ------------------------------------------------------------------ headings

    def heading(self, item: Item) -> str:
        """The heading of an item: its title, else its summary, shortened."""
        title = item.data("title") or self.headings.get(item.id)
        if isinstance(title, str) and title:
            return word.capital(title)
        if item.kind == "fusion":
            named = [self._part(str(part)) for part in item.data("parts") or ()]
            return word.capital(f"{word.listed(named)}, joined")
        return _shortened(self.summary(item)) or word.capital(word.spaced(item.slug))

    def summary(self, item: Item) -> str:
        """The author's summary of an item, with holes filled; empty without one."""
        gloss = str(item.data("gloss") or "")
        callee = self.book.callee(item)
        if not gloss or callee is None:
            return word.capital(gloss)
        return word.capital(self._summed(item, callee, gloss))

    def _summed(self, item: Item, callee: Signature, gloss: str) -> str:
        numbers: dict[str, Expr] = {
            one.name: ("value", Letter("N")) for one in callee.params if one.type == INT
        }
        return self.book.teller(item, full=True).introduced(callee, gloss, numbers)

    def remark(self, item: Item) -> str:
        """The summary of an item as a sentence, if longer than the heading; else empty."""
        said = self.summary(item)
        more = len(said) > len(self.heading(item)) and len(said.split()) > FEW
        callee, gloss = self.book.callee(item), str(item.data("gloss") or "")
        if not more or callee is None or not gloss:
            return word.sentence(said) if more else ""
        return as_sentence(self._summed(item, callee, gloss))

    def _part(self, name: str) -> str:
        power = self.symbols.powers.get(name)
        return unmarked(power.english) if power is not None and power.english else word.spaced(name)

    def kind_title(self, kind: str) -> str:
        """A kind's plural noun."""
        symbols = self.symbols
        entity = symbols.kinds.get(kind, "")
        alone = [one for one, made in symbols.kinds.items() if made == entity] == [kind]
        noun = symbols.nouns.get(entity, ("", ""))[1] if entity and alone else ""
        return word.capital(noun or word.plural(word.spaced(kind)))


def told_of(texts: GameTexts) -> Iterator[str]:
    """All that a rulebook and cards say of items, a sentence or line at a time, with its tree."""
    yield from texts.endings()
    for item in texts.content.items:
        yield from texts.text_of(item).all()
        yield texts.remark(item)
        yield from texts.book.told(item)
        declared = "" if texts.effect(item) else texts.declaration(item)
        yield declared
        tree = tree_of(declared)
        if isinstance(tree, RuleTree) and tree.lifted:
            # A rulebook says once for all such rules that cards may lift them.
            yield Told.of(declared.removesuffix(LIFTED), replace(tree, lifted=False))


def _winner(node: ast.FinishStmt | ast.RankStmt) -> str:
    if isinstance(node, ast.RankStmt):
        return "Whoever is ahead wins"
    return "Nobody wins" if node.winner is None else "Somebody wins"


def _shortened(gloss: str) -> str:
    """A gloss as a heading; a long one is cut at a break."""
    head = re.split(r"[,;:] ", gloss, maxsplit=1)[0]
    short = len(gloss.split()) > LONG and " " in head and not head.startswith(BEGINNINGS)
    return head if short else gloss


def _merged(plain: Lines, full: Lines) -> Lines:
    """Each line with all marks, unless they altered its wording."""
    if len(plain) != len(full):
        return plain
    return tuple(
        StepLine((more if unmarked(more.text) == unmarked(less.text) else less).text, inner)
        for less, more in zip(plain, full, strict=True)
        for inner in (_merged(less.inner, more.inner),)
    )


def _without_echo(lines: Lines) -> Lines:
    """Lines without the labels that merely repeat the text of their choice."""
    found = []
    for line in lines:
        label, _, rest = line.text.partition(": ")
        again = rest and unmarked(rest).rstrip(".").lower() == label.lower()
        text = word.sentence(rest) if again else line.text
        found.append(StepLine(text, _without_echo(line.inner)))
    return tuple(found)


# ------------------------------------------------------------------ besides items


class Reading(NamedTuple):
    """A rule with several readings: its name, and the readings, the one in force first."""

    item: Item
    head: str
    text: str
    source: str


def title_of(texts: GameTexts) -> str:
    """The title of a game with its packs' titles."""
    game, packs = texts.content.game, texts.content.packs
    on_top = word.listed([texts.pack_title(pack.id) for pack in packs if pack.id != game])
    return " with ".join(filter(None, (texts.pack_title(game), on_top)))


def kinds_that_do(texts: GameTexts) -> str:
    """The kinds whose items use powers described elsewhere, as `cards and pieces`."""
    by_kind = texts.content.by_kind
    own = [kind for kind in texts.symbols.kinds if any(map(texts.uses, by_kind(kind)))]
    return word.listed([texts.kind_title(kind).lower() for kind in own])


def players_text(program: Program) -> str:
    """The maximum number of players."""
    return f"For up to {word.count(program.entity(PLAYER.name).most)} players."


def always_true(texts: GameTexts) -> list[str]:
    """The vocabularies' rules that always hold."""
    listed = (item.data("always") or () for item in texts.content.by_kind("vocabulary"))
    return [
        word.sentence(str(one["english"])) for many in listed for one in many if one.get("english")
    ]


def readings(texts: GameTexts) -> Iterator[Reading]:
    """The rules with several readings."""
    words = texts.words
    for item in texts.content.by_kind("switch"):
        chosen = str(texts.symbols.settings[item.slug].value)
        others = [str(one) for one in item.data("options") or {} if str(one) != chosen]
        said = [word.sentence(words.option(item.slug, one)) for one in (chosen, *others)]
        more = "".join(f" Or: {one[:1].lower()}{one[1:]}" for one in said[1:])
        head, source = word.capital(words.named("setting", item.slug)), _set_by(texts, item)
        yield Reading(item, head, f": {said[0]}{more}", source)


def settings(texts: GameTexts) -> list[Row]:
    """The settings that a group may change: the name, value and bounds of each."""
    rows = []
    for item in texts.content.by_kind("setting"):
        setting = texts.symbols.settings[item.slug]
        bounds = ("" if one is None else str(one) for one in (setting.low, setting.high))
        name, said = word.capital(texts.words.named("setting", item.slug)), _set_by(texts, item)
        rows.append((f"{name} ({said})" if said else name, word.constant(setting.value), *bounds))
    return rows


def _set_by(texts: GameTexts, item: Item) -> str:
    """The packs that set a setting, else the source of its item."""
    packs = [one.pack for one in texts.symbols.set_by.get(item.slug, ())]
    for pack in texts.content.packs:
        said = pack.manifest.data("switches") or {}
        packs += [pack.id] * (item.slug in map(slug_of, map(str, said)))
    titles = [texts.pack_title(pack) for pack in dict.fromkeys(packs)]
    return f"Set by {word.listed(titles)}." if titles else texts.source(item)


def tables(texts: GameTexts) -> Iterator[tuple[Item, str, list[Row]]]:
    """Every table with its title and rows, unless its keys equal its values."""
    for item in texts.content.by_kind("table"):
        entries = item.fields["rows"].entries.items()
        rows = [(word.spaced(key) if key.islower() else key, _cell(node)) for key, node in entries]
        if "otherwise" in item.fields:
            rows.append(("any other", _cell(item.fields["otherwise"])))
        if any(key != value for key, value in rows):
            title = str(item.data("english") or word.spaced(item.slug))
            yield item, word.capital(HOLE.sub("…", title)), [*rows]
    for item in texts.content.by_kind(RANDOM_TABLE):
        head, *steps = texts.book.rows(item, texts.book.teller(item, full=True))
        title = str(item.data("title") or word.capital(word.spaced(item.slug)))
        yield (
            item,
            f"{title} ({head.text.partition(';')[0].removeprefix('roll ')})",
            [*map(_row_of, steps)],
        )


def _row_of(step: Step) -> Row:
    return step.text.removeprefix("on "), paragraph(step.inner)


def _cell(node: YamlNode) -> str:
    return _option(word.constant(node.value))


def _option(value: str) -> str:
    return word.spaced(value) if "_" in value else value


def demands(texts: GameTexts) -> Mapping[str, list[str]]:
    """The messages of requirements on content, by heading."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for item in texts.content.by_kind("requirement"):
        about, complaint = texts.demand(item)
        if about and NEVER not in about:
            head = REFUSED[str(item.data("level") or "error")]
            said = re.sub(r"`([^`]*)`", lambda name: f"“{word.spaced(name[1])}”", complaint)
            grouped[head.format(about.replace("every", "any", 1))].append(said)
    return grouped


class Things:
    """The things, zones and variables of one game, as far as its texts mention them."""

    def __init__(self, texts: GameTexts, program: Program) -> None:
        self.program, self.symbols, self.words = program, texts.symbols, texts.words
        self._mentions = Counter(
            name
            for item in texts.content.items
            for name in {node.id for node in walk(texts.effect(item)) if isinstance(node, ast.Name)}
        )
        self._all_words = " ".join(unmarked("\n".join(texts.all())).lower().split())

    def numbers(self) -> str:
        """The counts of the things items create; empty if none."""
        made = self.symbols.kinds.values()
        entities = [one for one in self.symbols.entities.values() if one.name in made]
        numbers = [(len(self.program.entity(one.name).names), one) for one in entities]
        said = [
            f"{number} {entity.plural}" if number > 1 else f"one {entity.singular}"
            for number, entity in numbers
            if number
        ]
        return f"There are {word.listed(said)}." if said else ""

    def things(self) -> Iterator[tuple[str, str]]:
        """The entities that no item creates, with the fields that texts mention."""
        for entity in self.symbols.entities.values():
            told_of = entity.part is None and entity.name not in self.symbols.kinds.values()
            about = self._about(entity) if told_of else ""
            if about and " " not in entity.name and self._is_named(entity.singular):
                yield word.capital(entity.plural), about

    def _is_named(self, words: str) -> bool:
        return words.lower() in self._all_words

    def _about(self, entity: EntitySymbol) -> str:
        said = []
        printed, changing = self._known(entity, True), self._known(entity, False)
        if printed:
            said.append(f"On each stands: {word.listed(printed)}.")
        if 0 < len(changing) <= MOST_FIELDS:
            said.append(f"Known of each: {word.listed(changing)}.")
        return " ".join(said)

    def _known(self, entity: EntitySymbol, static: bool) -> list[str]:
        """The fields that texts mention, in English."""
        return [
            self._field(one)
            for one in entity.fields.values()
            if one.static == static
            and one.type != BOOL
            and self._is_named(f"'s {self.words.field(one.name)}")
        ]

    def _field(self, field: FieldSymbol) -> str:
        name = self.words.field(field.name)
        if self.symbols.enums.get(field.type.name):
            return f"{name} ({self._sort(field.type)})"
        if field.low is not None and field.high is not None and field.high <= MOST_SHOWN:
            return f"{name} ({field.low} to {field.high})"
        if field.type.name in self.symbols.entities and field.type != PLAYER:
            noun = self.words.noun(field.type)
            return name if noun in name else f"{name} ({word.with_article(noun)})"
        return name

    def zones(self) -> Iterator[tuple[str, str]]:
        """The game's zones."""
        for zone in self.program.zones:
            yield (
                word.capital(self.words.named("zones", zone.name).removeprefix("the ")),
                self._zone(zone),
            )

    def _zone(self, zone: Zone) -> str:
        what = word.capital(self.words.noun(Type(zone.of), plural=True))
        where = "; each player has one" if zone.per_player else ""
        if key := zone.at or zone.under:
            where = f"; one for each {self.words.noun(Type(key))}"
        hidden = ", shuffled" if zone.lazy else ""
        return word.sentence(f"{what}{hidden}{where}; {SEEN_BY.get(zone.seen_by, '')}")

    def variables(self) -> Iterator[tuple[str, str]]:
        """The variables to remember."""
        for one in self.program.scope:
            words, symbol = self.words.named("scope", one.name), self.symbols.scope.get(one.name)
            if symbol is None or one.name == "me" or self._mentions[one.name] < FEWEST:
                continue
            if symbol.type.name not in PLAIN and self._is_named(words):
                lasts = "for one turn" if one.life == "turn" else "until it changes"
                said = word.sentence(f"{self._sort(symbol.type)}, {lasts}")
                yield word.capital(words.removeprefix("the ")), said

    def _sort(self, type_: Type) -> str:
        if type_.name in self.symbols.enums:
            return word.listed([_option(one) for one in self.symbols.enums[type_.name]], "or")
        noun = self.words.noun(type_, type_.many)
        return noun if type_.many else word.with_article(noun)
