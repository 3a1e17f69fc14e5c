"""The texts of an item: `brief` as one paragraph, for a card; `full` as a numbered list, followed by the
powers it uses. Abilities are one sentence per line; the printed fields are one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause_tree import ActTree, Told
from ruleloom.compiler.english.declared_text import PRINTED, function_text, table_rows
from ruleloom.compiler.english.event_text import event_of, unanswered_text
from ruleloom.compiler.english.glossary import Glossary, parsed_field
from ruleloom.compiler.english.likeness import likeness, sentences, unnumbered
from ruleloom.compiler.english.page import (
    FARTHEST,
    NOTHING_GIVEN,
    Constants,
    Step,
    StepLine,
    Teller,
    as_heading,
    as_sentence,
    common,
    lettered,
    lines,
    numbered,
    outline,
    paragraph,
    paragraph_sentences,
)
from ruleloom.compiler.english.phrase import constant
from ruleloom.compiler.english.printed_text import PrintedTexts
from ruleloom.compiler.english.random_table_text import table_steps
from ruleloom.compiler.english.stat_text import StatTexts
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.stretch import asks, is_set
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import POWERS, Content, Item, start_of
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.packs.random_tables import KIND as RANDOM_TABLE
from ruleloom.compiler.packs.random_tables import tables_of
from ruleloom.compiler.query.lookups import Remembered, Table
from ruleloom.compiler.query.reuse import Reuse
from ruleloom.compiler.resolve.mod_sets import idle_moments, with_idle_marked, without_idle
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block
from ruleloom.compiler.syntax.tree import walk
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import CardText
from ruleloom.runtime.program.texts import with_settings

Effect = Sequence[ast.Stmt]
Effects = Mapping[str, Effect]
"""Parsed effects, by item id."""

MOST_ROUNDS = 4
"""The most rounds of the fixpoint over the constant arguments of powers."""
HeadedPages: TypeAlias = "list[tuple[str, RulesPage]]"
"""The page of an item, and those of the powers it leads to, each below a heading."""
MOST_WORDS = 60
"""The most words that fit on a card."""


class RulesPage(Frozen):
    """The list of one item, and the powers it mentions. `asks`: it has a prompt, a roll or a draw."""

    lines: tuple[str, ...]
    used: Mapping[str, Constants]
    asks: bool
    steps: tuple[StepLine, ...]
    flat: str = ""
    """The list as a paragraph, if each step is one line."""


class Book:
    """Renders the texts of one game.

    All its inputs besides the names of the game are in `tables`, so that a later build knows which
    texts are unchanged.
    """

    def __init__(
        self,
        content: Content,
        symbols: Symbols,
        effects: Effects | None = None,
        abilities: Abilities | None = None,
    ) -> None:
        self.content, self.symbols, self.effects = content, symbols, dict(effects or {})
        powers = {item.slug: item for kind in POWERS for item in content.by_kind(kind)}
        self._items = Table({**content.by_id, **powers})
        self._random = tables_of(content.by_kind(RANDOM_TABLE))
        self._printed_settings = Table({item.slug: item for item in content.by_kind("setting")})
        self._bases = Table({id: one.base for id, one in content.derived.items()})
        self.idle = Table(idle_moments(symbols))
        self.settings: Mapping[str, object] = Table(
            {name: one.value for name, one in symbols.settings.items()}
        )
        self.numbers = StatTexts(content, symbols, abilities)
        self.words = Glossary(symbols, self._items, self.numbers.abilities.by_stat)
        self.printed = PrintedTexts(content, self.words)
        self.tables: Mapping[str, Table[Any, Any]] = {
            "told items": self._items,
            "bases of variants": self._bases,
            "printed settings": self._printed_settings,
            "idle moments": self.idle,
            "values of settings": self.settings,
            "words of bonuses": self.numbers.bonuses,
            "numbers of things": self.numbers.things,
            "titles": self.printed.titles,
            "packs": self.printed.packs,
            "patched": self.printed.changes,
        }
        for name, table in self.tables.items():
            table.watched(name, symbols.lookups)
        self._briefs = Remembered[str, str](symbols.lookups)
        self._told = Remembered[tuple[str, bool], tuple[Step, ...]](symbols.lookups)
        self._pages = Remembered[tuple[object, ...], RulesPage | None](symbols.lookups)

    # ------------------------------------------------------------------------------ whole texts

    def card(self, item: Item) -> CardText:
        """The words for a card: the fields, the rules in brief, the author's words and the patches."""
        foot = own_words(item, self.settings), self.printed.patched(item)
        words = "\n".join(filter(None, foot))
        # The words alone: trees are no part of a program.
        return CardText(str(self.printed.fields(item)), str(self._card_rules(item)), words)

    def text(self, item: Item) -> str:
        """The whole text of an item: its fields, its rules, its author's words and its patches."""
        foot = "\n".join(filter(None, (own_words(item, self.settings), self.printed.patched(item))))
        fields = self.printed.fields(item, whole=True)
        return "\n\n".join(filter(None, (self.likeness(item), fields, self.rules(item), foot)))

    def likeness(self, item: Item) -> str:
        """`As Sun, but:` and how it differs; empty for an item that is no variant."""
        base = self._items.get(self._bases.get(item.id, ""))
        if base is None:
            return ""
        fields, said = partial(self.printed.fields, whole=True), self._sentences
        title = self.printed.titles.get(base.name, "")
        return likeness(title, (fields(base), fields(item)), (said(base), said(item)))

    def _sentences(self, item: Item) -> list[str]:
        """The rules of an item: each ability, each step or else each sentence, each row."""
        page = self._page(item, {})
        said = sentences(self.brief(item)) if page is None else unnumbered(page.lines)
        rows = table_rows(item) if item.kind == "table" else ()
        return list(dict.fromkeys((*lines(self._abilities(item, full=True)), *said, *rows)))

    def steps(self, item: Item) -> tuple[Step, ...]:
        """The steps of an item's effect and abilities, as on its card."""
        effect = self.effect(item)
        own = self._steps(item, effect, self.teller(item, full=False)) if effect is not None else ()
        return (*own, *self._abilities(item))

    def rules(self, item: Item) -> str:
        """Its abilities or gloss, its paragraph, and its list if that says more."""
        abilities = "\n".join(lines(self._abilities(item, full=True)))
        if item.kind == LASTING or (abilities and self.effect(item) is None):
            return abilities
        brief, full, own = self.brief(item), self.full(item), self._page(item, {})
        if own is not None and own.flat == brief and full == "\n".join(own.lines):
            full = ""
        return "\n\n".join(filter(None, (self._headed(item, brief) or abilities, brief, full)))

    def brief(self, item: Item) -> str:
        """The rules of an item in one paragraph; empty without any."""
        return self._briefs.get(item.id, lambda: self._paragraph(item))

    def told(self, item: Item) -> Iterator[str]:
        """The sentences and lines of an item, on its card and step by step, with their trees."""
        yield self.printed.fields(item)
        yield self._headed(item)
        yield from paragraph_sentences(self.steps(item))
        effect = self.effect(item)
        if effect is not None and item.kind not in (LASTING, RANDOM_TABLE):
            for heading, page in self._pages_read(item):
                yield heading
                for line in page.steps:
                    yield from line.all()

    def _paragraph(self, item: Item) -> str:
        effect = self.effect(item)
        if effect is not None:
            return paragraph(self._steps(item, effect, self.teller(item, full=False)))
        if "abilities" in item.fields or item.kind == LASTING:
            return paragraph(self._abilities(item))
        return self._declaration(item)

    def _declaration(self, item: Item) -> str:
        """The text of an item without an effect; empty for kinds without one."""
        alone = {
            "bonus": self.numbers.bonus,
            "setting": self._setting_text,
            "switch": self._switch_text,
            **PRINTED,
        }
        if item.kind in alone:
            return alone[item.kind](item)
        callee, teller = self.callee(item), self.teller(item, full=True)
        match item.kind:
            case "way":
                return word.sentence(self._offered(item, teller))
            case "requirement":
                return self.numbers.requirement(item, teller)
            case "rule" | "measure" if callee is not None:
                return function_text(item, callee, teller)
            case "stat" if callee is not None:
                return self.numbers.stat(item, callee, teller)
            case "table" if callee is not None:
                english = callee.english or word.spaced(callee.name)
                return word.sentence(teller.introduced(callee, english))
        return ""

    def demand(self, item: Item) -> tuple[str, str]:
        """The things that have to meet a requirement, and its message."""
        return self.numbers.demand(item, self.teller(item, full=True))

    def _setting_text(self, item: Item) -> str:
        """`How many pieces a space holds: 3.`"""
        value = self.settings.get(item.slug, item.data("value"))
        return word.sentence(
            f"{item.data('english') or word.spaced(item.slug)}: {word.constant(value)}"
        )

    def _switch_text(self, item: Item) -> str:
        """A switch: its subject, the current option, and the other readings."""
        chosen = str(self.settings.get(item.slug, item.data("default")))
        options = {str(one): self.words.option(item.slug, str(one)) for one in item.data("options")}
        head = f"{item.data('english') or word.spaced(item.slug)}: {options[chosen]}"
        others = [
            f"“{word.spaced(name)}”: {one}" for name, one in options.items() if name != chosen
        ]
        which = "reading is" if len(others) == 1 else "readings are"
        return f"{word.sentence(head)} The other {which} {word.sentence('; '.join(others))}"

    # ---------------------------------------------------------------------------- rules of a card

    def _card_rules(self, item: Item) -> str:
        """The rules of an item for a card, in its author's words if they do not fit otherwise."""
        abilities = "\n".join(lines(self._abilities(item)))
        effect = self.effect(item)
        bare = item.kind == LASTING or (abilities and effect is None)
        brief = "" if bare else self.brief(item)
        said_aloud = [one.text for one in effect or () if isinstance(one, ast.SayStmt)]
        if effect and len(said_aloud) == len(effect):
            # An effect that only says texts is rendered as these texts.
            teller = self.teller(item, full=False)
            brief = " ".join(word.sentence(teller.quoted(one)) for one in said_aloud)
        parts = [part for part in (abilities, self._headed(item, brief), brief) if part]
        if item.kind == "table":
            return "\n".join((*parts, *table_rows(item)))
        if item.kind == RANDOM_TABLE:
            return "\n".join(lines(self.steps(item)))
        return "\n".join(parts if _fits(parts) else self._shortened(item, parts))

    def _shortened(self, item: Item, parts: list[str]) -> list[str]:
        """Rules too long for a card, in the author's words if those have every number."""
        short = self._in_short(item)
        if not short:
            return parts
        left = _left_out(item, "\n".join(parts), short) - self._caps(item)
        rules = self._with_bounds(item, short, left) if left else short
        if rules:
            return [rules]
        # The author's words about abilities are omitted rather than the abilities.
        alone = "\n".join(parts).split("\n")[parts[0].split("\n")[0] == short :]
        return alone if _fits(alone) else parts

    def _in_short(self, item: Item) -> str:
        """The author's gloss of an item, as a sentence; empty without one."""
        if item.kind == "power":
            return self._headed(item)
        if item.kind == "trigger" and isinstance(item.data("gloss"), str):
            when = event_of(item, self.teller(item, full=False))
            return (
                "" if when.never else word.sentence(f"{when.head}{when.rest}: {item.data('gloss')}")
            )
        if item.kind == "keyword":
            return word.sentence("".join(step.text for step in self._abilities(item)))
        english = item.data({"standing": "english", "fusion": "gloss"}.get(item.kind, ""))
        return word.sentence(english) if isinstance(english, str) else ""

    def _headed(self, item: Item, brief: str = "") -> str:
        """A power's gloss, before its steps; empty if it is a noun or `brief`."""
        gloss = item.data("gloss") if item.kind == "power" else None
        if not isinstance(gloss, str) or word.is_noun(gloss):
            return ""
        head = as_sentence(self._heading(item))
        return "" if head == brief else head

    def _caps(self, item: Item) -> set[int]:
        """The values of settings that only cap an amount, `lowest([much, most_points])`, at a number that
        no table reaches."""
        found = [one for one in walk(self.effect(item) or ()) if isinstance(one, ast.Aggregate)]
        kept = tuple(one.domain for one in found if one.kind == "lowest")
        values = (self.settings.get(name) for name in _names_in(kept))
        return {one for one in values if type(one) is int and one > FARTHEST}

    def _with_bounds(self, item: Item, short: str, left: set[int]) -> str:
        """The short rules with their settings; empty if these lack a number of `left`."""
        names = sorted(_names_in(self.effect(item) or ()))
        named = sorted(
            filter(None, map(self._printed_settings.get, names)),
            key=lambda one: start_of(one.place),
        )
        settings = [one for one in named if self.settings.get(one.slug) in left]
        if left - {self.settings.get(one.slug) for one in settings}:
            return ""
        return " ".join((short, *map(self._setting_text, settings)))

    # ------------------------------------------------------------------------------- lists of steps

    def full(self, item: Item) -> str:
        """Every step as a list, followed by each power used that has a prompt."""
        if item.kind == "table":
            return "\n".join(table_rows(item))
        pages = self._pages_read(item)
        parts = ([heading, *page.lines] if heading else page.lines for heading, page in pages)
        return "\n\n".join(map("\n".join, parts))

    def _pages_read(self, item: Item) -> HeadedPages:
        """The page of an item, and of each power that it leads to and has a prompt, with its heading."""
        own = self._page(item, {})
        if own is None:
            return []
        given: Mapping[str, Constants] = {}
        for _ in range(MOST_ROUNDS):
            pages, found = self._with_powers(item, own, given)
            if found == given:
                return pages
            given = found
        return self._with_powers(item, own, dict.fromkeys(given, NOTHING_GIVEN))[0]

    def _with_powers(
        self, item: Item, own: RulesPage, given: Mapping[str, Constants]
    ) -> tuple[HeadedPages, Mapping[str, Constants]]:
        """The pages of an item and of the powers it uses, each rendered for its `given` constants; and the
        constants found, which every use of a power passes to it."""
        pages, waiting = [("", own)], list(own.used.items())
        found: dict[str, Constants] = {item.slug: {}, item.id: {}}
        for name, constants in waiting:
            is_new, other = name not in found, self._items.get(name)
            found[name] = common(found.get(name), constants)
            if not is_new or other is None:
                continue
            values = common(given.get(name), constants)
            page = self._page(other, values)
            if page is not None and page.asks:
                pages.append((as_heading(self._heading(other, values)), page))
                # The list grows during the loop: powers used by powers come last.
                waiting += page.used.items()
        return pages, {name: common(given.get(name), one) for name, one in found.items()}

    def _page(self, item: Item, constants: Constants) -> RulesPage | None:
        """The list of one item, cached, as many items use the same powers; None without an effect."""
        key = (item.id, tuple(constants.items()))
        return self._pages.get(key, lambda: self._new_page(item, constants))

    def _new_page(self, item: Item, constants: Constants) -> RulesPage | None:
        effect = self.effect(item)
        if effect is None:
            return None
        teller = self.teller(item, full=True, constants=constants)
        steps = self._steps(item, effect, teller)
        options = self.options(item, constants)
        outlined = outline(steps)
        told = (*([options] if options else []), *numbered(outlined))
        flat = paragraph(steps) if len(told) == len(steps) else ""
        return RulesPage(told, teller.used, asks(tuple(effect)), outlined, flat)

    def _abilities(self, item: Item, full: bool = False) -> tuple[Step, ...]:
        return self._told.get(
            (item.id, full), lambda: self.numbers.steps(item, self._bare_teller(item, full))
        )

    def effect(self, item: Item) -> Effect | None:
        """The effect of an item, without idle moments; None if it has none, or its abilities are rendered
        instead."""
        if item.kind == LASTING:
            return None
        if item.id not in self.effects:
            effect = parsed_field(self.symbols, item, "effect", parse_block)
            if effect is None:
                return None
            self.effects[item.id] = effect
        return without_idle(with_idle_marked(tuple(self.effects[item.id]), self.idle))

    def teller(self, item: Item, full: bool, constants: Constants = NOTHING_GIVEN) -> Teller:
        """The teller of an item's effect; in brief texts, its parameters have their defaults."""
        teller, callee = self._bare_teller(item, full), self.callee(item)
        if callee is not None:
            teller.words, letters = callee.words, lettered(callee)
            effect = tuple(self.effect(item) or ())
            for param in callee.params:
                default = teller.default(param.default, param.type)
                plain = default[0] == "value" and default[1] is not None
                # A full text lists plain defaults first (`options`).
                granted = param.default is not None and not (full and plain)
                value = constants.get(param.name) or (default if granted else None)
                if value is not None:
                    teller.names[param.name] = value
                else:
                    letter = "" if is_set(effect, param.name) else letters.get(param.name, "")
                    teller.declare(param.name, param.type, letter)
        way = self.symbols.ways.get(item.id)
        for taken in way.takes if way is not None else ():
            teller.declare(taken.name, taken.type)
        return teller

    def _bare_teller(self, item: Item, full: bool) -> Teller:
        entity = self.symbols.kinds.get(item.kind, "")
        thing = self.symbols.nouns.get(entity, ("", ""))[0] if entity else ""
        return Teller(self.words, self.settings, thing=thing, full=full)

    def callee(self, item: Item) -> Signature | None:
        """The signature of an item, if any."""
        table = self.symbols.powers if item.kind in POWERS else self.symbols.callables
        callee = table.get(item.slug)
        return callee if callee is not None and callee.id == item.id else None

    def _steps(self, item: Item, effect: Effect, teller: Teller) -> tuple[Step, ...]:
        if item.id in self.symbols.ways:
            head = self._offered(item, teller)
            return (Step(head, render_steps(teller, effect)),)
        if item.kind == RANDOM_TABLE:
            return self.rows(item, teller)
        if item.kind != "trigger":
            return render_steps(teller, effect)
        when = event_of(item, teller)
        if when.never:
            return (Step(unanswered_text(item, teller)),)
        return (replace(when, inner=render_steps(teller, effect)),)

    def rows(self, item: Item, teller: Teller) -> tuple[Step, ...]:
        """What a random table rolls, and a step for each row."""
        return table_steps(teller, self._random[item.slug], self._random)

    def _offered(self, item: Item, teller: Teller) -> str:
        """The menu and condition of a way: `at “What now?”, “sing” may be chosen if it rains`."""
        menu, way = self.symbols.menus.get(str(item.data("to"))), self.symbols.ways.get(item.id)
        prompt = menu.node.prompt if menu is not None else None
        asked = f"“{teller.quoted(prompt)}”" if prompt is not None else "a menu"
        instead = str(item.data("instead_of") or "")
        label = str(item.data("label") or instead)
        tests = teller.tests(way.when[1]) if way is not None and way.when is not None else []
        changes = label == instead and self.effect(item) is None
        may = ("may only be" if tests else "cannot be") if changes else "may be"
        said = f"at {asked}, “{label}” {may} chosen"
        if instead not in ("", label):
            said += f", instead of “{instead}”"
        return f"{said} if {' and '.join(map(teller.stated, tests))}" if tests else said

    def _heading(self, item: Item, constants: Constants = NOTHING_GIVEN) -> str:
        teller = self.teller(item, full=True)
        if item.kind == "fusion":
            parts = [word.spaced(str(part)) for part in item.data("parts") or []]
            together = f"{word.listed(parts)} together"
            return Told.of(together, ActTree(teller.speaker, together, {}))
        gloss, callee = item.data("gloss"), self.callee(item)
        if not isinstance(gloss, str) or not gloss or callee is None:
            return gloss or word.spaced(item.slug)
        return teller.introduced(callee, gloss, constants)

    def options(self, item: Item, constants: Constants = NOTHING_GIVEN) -> str:
        """The note on the defaults of parameters: `(Unless the use says otherwise, ...)`."""
        teller, callee, said = self._bare_teller(item, full=True), self.callee(item), []
        if callee is None:
            return ""
        for param in callee.params:
            value = teller.default(param.default, param.type)
            if param.name in constants or value[0] != "value" or value[1] in (None, False):
                continue
            words = callee.words.get(param.name, "")
            told = words if value[1] is True else word.denied(words) if words else None
            said.append(told or f"“{word.spaced(param.name)}” is {constant(self.words, value[1])}")
        return f"(Unless the use says otherwise, {word.listed(said)}.)" if said else ""


def own_words(item: Item, settings: Mapping[str, object]) -> str:
    """The author's `text` of an item, on one line, with settings in its holes."""
    text = item.data("text")
    return with_settings(" ".join(text.split()), settings) if isinstance(text, str) else ""


def _names_in(tree: object) -> set[str]:
    return {one.id for one in walk(tree) if isinstance(one, ast.Name)}


def _fits(parts: Sequence[str]) -> bool:
    """Whether these texts fit on a card."""
    return sum(len(part.split()) for part in parts) <= MOST_WORDS


def _left_out(item: Item, said: str, short: str) -> set[int]:
    """The numbers of the rules (`said`) that the author's words (`short`) leave out.

    In a power or trigger, which often handles things one by one, 1 does not count.
    """
    amounts = word.numbers_in(re.sub(r"\b(?:one|once)\b", "", said, flags=re.IGNORECASE))
    told = word.numbers_in(re.sub(r"\b(?:half|double)\b", "2", short))
    return amounts - told - ({0, 1} if item.kind in ("power", "trigger") else {0})


class Texts(Frozen):
    """The rules texts of all items by id, for cards and in full."""

    cards: tuple[tuple[str, CardText], ...] = ()
    full: tuple[tuple[str, str], ...] = ()


def book_of(build: Build) -> Book:
    """The book of a built game, whose texts later builds can reuse."""
    book = Book(build.content, build.symbols, build.effects, build.bodies.stats.abilities)
    build.reuse.now.tables.update(book.tables)
    return book


def all_texts(book: Book, reuse: Reuse | None = None) -> Texts:
    """The nonempty texts of all items; unchanged texts are reused from an earlier build."""
    cards, full, schemas = [], [], book.content.schemas
    for item in book.content.items:
        card, text = partial(book.card, item), partial(book.text, item)
        if reuse is not None:
            # The inputs of a text besides names; printed fields depend on the schema of the kind.
            inputs = item, schemas.schema(item.kind), tuple(schemas.effect_fields(item.kind))
            card = partial(reuse.result, ("card", item.id), inputs, card)
            text = partial(reuse.result, ("rules text", item.id), inputs, text)
        cards.append((item.id, card()))
        full.append((item.id, text()))
    return Texts(tuple(one for one in cards if one[1].whole), tuple(one for one in full if one[1]))
