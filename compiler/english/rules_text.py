"""The rules text of an item: `brief` in one paragraph, as a card would print it; `full` as a
numbered list, with the powers it uses below. Abilities have one sentence a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ruleloom.compiler.english import item_text
from ruleloom.compiler.english.ability_text import lines
from ruleloom.compiler.english.event_text import event_of, unanswered_text
from ruleloom.compiler.english.glossary import Glossary
from ruleloom.compiler.english.page import (
    FARTHEST,
    Constants,
    Step,
    StepPart,
    Teller,
    asks,
    common,
    is_set,
    numbered,
    paragraph,
)
from ruleloom.compiler.english.printed_text import PrintedTexts
from ruleloom.compiler.english.relower import Scene
from ruleloom.compiler.english.stat_text import StatTexts
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.word import (
    capital,
    constant,
    denied,
    is_noun,
    listed,
    numbers_in,
    sentence,
    spaced,
)
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item, start_of
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.query.lookups import Remembered, Table
from ruleloom.compiler.query.reuse import Reuse
from ruleloom.compiler.resolve.mod_sets import (
    idle_moments,
    with_idle_marked,
    without_idle,
)
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block
from ruleloom.compiler.syntax.tree import walk
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Expr

Effect = Sequence[ast.Stmt]
Effects = Mapping[str, Effect]
"""Effects that have been parsed already, by item id."""

NOTHING_GIVEN: Constants = {}
MOST_ROUNDS = 4
"""How often it is tried to tell powers for what every use of them gives."""
MOST_WORDS = 60
"""How many words a card has room for."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The list of one item, and the powers it speaks of. `asks`: there is something to choose."""

    lines: tuple[str, ...]
    used: Mapping[str, Constants]
    asks: bool
    flat: str = ""
    """The same as a paragraph, where each step is one line."""


class Book:
    """Writes the texts of one game.

    What it reads besides the names of the game stands in `tables`, so that a later build can tell
    which texts must come out the same.
    """

    def __init__(
        self,
        content: Content,
        symbols: Symbols,
        effects: Effects | None = None,
        abilities: Abilities | None = None,
    ) -> None:
        self.content, self.symbols, self.effects = content, symbols, dict(effects or {})
        powers = {item.slug: item for item in content.by_kind("power")}
        self._items = Table({**content.by_id, **powers})
        self._printed_settings = Table({item.slug: item for item in content.by_kind("setting")})
        self.idle = Table(idle_moments(symbols))
        self.settings: Mapping[str, object] = Table(
            {name: one.value for name, one in symbols.settings.items()}
        )
        self.words = Glossary(symbols, self._items)
        self.numbers = StatTexts(content, symbols, abilities)
        self.printed = PrintedTexts(content, self.words)
        self.tables: Mapping[str, Table[Any, Any]] = {
            "told items": self._items,
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

    def card(self, item: Item) -> str:
        """What a card would print: its fields, its rules in a few words, what its author says."""
        rules = self._card_rules(item)
        parts = (
            self.printed.fields(item),
            rules,
            self._own_words(item),
            self.printed.patched(item),
        )
        return "\n".join(part for part in parts if part)

    def text(self, item: Item) -> str:
        """The whole text of an item: what is printed on it, its rules, and who has patched it."""
        foot = (self._own_words(item), self.printed.patched(item))
        fields = self.printed.fields(item, whole=True)
        parts = (fields, self.rules(item), "\n".join(filter(None, foot)))
        return "\n\n".join(part for part in parts if part)

    def rules(self, item: Item) -> str:
        """What an item does: abilities, the paragraph, and the list if it says more."""
        abilities = "\n".join(lines(self._abilities(item, full=True)))
        if item.kind == LASTING or (abilities and self.effect(item) is None):
            return abilities
        brief, full = self.brief(item), self.full(item)
        abilities = self._headed(item, brief) or abilities
        own = self._page(item, {})
        if own is not None and own.flat == brief and full == "\n".join(own.lines):
            full = ""
        return "\n\n".join(part for part in (abilities, brief, full) if part)

    def _card_rules(self, item: Item) -> str:
        """The rules of an item in a few words: what its author calls them, where that is shorter."""
        abilities = "\n".join(lines(self._abilities(item)))
        effect = self.effect(item)
        bare = item.kind == LASTING or (abilities and effect is None)
        brief = "" if bare else self.brief(item)
        said_aloud = [one.text for one in effect or () if isinstance(one, ast.SayStmt)]
        if effect and len(said_aloud) == len(effect):
            # Where nothing else happens, what is said is what happens.
            teller = self.teller(item, full=False)
            brief = " ".join(sentence(teller.quoted(one)) for one in said_aloud)
        head = self._headed(item, brief)
        parts = [part for part in (abilities, head, brief) if part]
        if item.kind == "table":
            return "\n".join((*parts, *item_text.table_rows(item)))
        return "\n".join(parts if _fits(parts) else self._shortened(item, parts))

    def _shortened(self, item: Item, parts: list[str]) -> list[str]:
        """The rules of an item, for which a card has no room, in the words of its author if those
        leave nothing out."""
        short = self._in_short(item)
        if not short:
            return parts
        left = _left_out(item, "\n".join(parts), short) - self._caps(item)
        if not left:
            return [short]
        rules = self._with_bounds(item, short, left)
        if rules:
            return [rules]
        # What an author says of abilities is left out before the abilities are.
        alone = "\n".join(parts).split("\n")[parts[0].split("\n")[0] == short :]
        return alone if _fits(alone) else parts

    def _in_short(self, item: Item) -> str:
        """What an author calls a power, or what stands or joins two; empty where nobody has."""
        if item.kind == "power":
            gloss = item.data("gloss")
            return (
                sentence(self._heading(item))
                if isinstance(gloss, str) and not is_noun(gloss)
                else ""
            )
        if item.kind == "trigger" and isinstance(item.data("gloss"), str):
            when = event_of(item, self.teller(item, full=False))
            return "" if when.never else sentence(f"{when.head}{when.rest}: {item.data('gloss')}")
        if item.kind == "keyword":
            return sentence("".join(step.text for step in self._abilities(item)))
        english = item.data({"standing": "english", "fusion": "gloss"}.get(item.kind, ""))
        return sentence(english) if isinstance(english, str) else ""

    def _headed(self, item: Item, brief: str) -> str:
        """What a power is, before the steps that it takes; empty where these say it all."""
        gloss = item.data("gloss") if item.kind == "power" else None
        if not isinstance(gloss, str) or is_noun(gloss):
            return ""
        head = sentence(self._heading(item))
        return "" if head == brief else head

    def _caps(self, item: Item) -> set[int]:
        """The settings that only keep an amount of a rule from growing without end, `lowest([much,
        most_points])`: nobody at a table gets near."""
        found = [one for one in walk(self.effect(item) or ()) if isinstance(one, ast.Aggregate)]
        kept = [one.domain for one in found if one.kind == "lowest"]
        names = (one for one in walk(tuple(kept)) if isinstance(one, ast.Name))
        values = (self.settings.get(name.id) for name in names)
        return {one for one in values if type(one) is int and one > FARTHEST}

    def _with_bounds(self, item: Item, short: str, left: set[int]) -> str:
        """A rule in short with the settings that it depends on, if that says every number."""
        settings = self.symbols.settings
        names = {one.id for one in walk(self.effect(item) or ()) if isinstance(one, ast.Name)}
        named = filter(None, map(self._printed_settings.get, sorted(names)))
        bounds = {
            one.slug: item_text.setting_text(one, self.settings)
            for one in sorted(named, key=lambda one: start_of(one.place))
            if one.slug in settings and self.settings.get(one.slug) in left
        }
        said = " ".join((short, *bounds.values()))
        return said if not left - {self.settings.get(name) for name in bounds} else ""

    def _own_words(self, item: Item) -> str:
        """The text that its author has printed on an item."""
        text = item.data("text")
        return " ".join(text.split()) if isinstance(text, str) else ""

    def brief(self, item: Item) -> str:
        """One paragraph; empty for items that have nothing to say."""
        return self._briefs.get(item.id, lambda: self._paragraph(item))

    def _paragraph(self, item: Item) -> str:
        effect = self.effect(item) if item.kind != LASTING else None
        if effect is not None:
            return paragraph(self._steps(item, effect, self.teller(item, full=False)))
        if "abilities" in item.fields or item.kind == LASTING:
            return paragraph(self._abilities(item))
        return self._declaration(item)

    def _declaration(self, item: Item) -> str:
        """What an item without an effect declares; empty for kinds that declare nothing."""
        callee, teller = self.callee(item), self.teller(item, full=True)
        match item.kind:
            case "bonus":
                return self.numbers.bonus(item)
            case "requirement":
                return self.numbers.requirement(item, teller)
            case "sheet":
                return item_text.sheet_text(item)
            case "setting":
                return item_text.setting_text(item, self.settings)
            case "switch":
                return item_text.switch_text(item, self.words, self.settings)
            case "rule" | "measure" if callee is not None:
                return item_text.function_text(item, callee, teller)
            case "stat" if callee is not None:
                return self.numbers.stat(item, callee, teller)
            case "table" if callee is not None:
                return item_text.table_text(item, callee, teller)
        return ""

    def full(self, item: Item) -> str:
        """Every step as a list, and below it each power used that asks for a choice."""
        if item.kind == "table":
            return "\n".join(item_text.table_rows(item))
        own = self._page(item, {})
        if own is None:
            return ""
        given: Mapping[str, Constants] = {}
        for _ in range(MOST_ROUNDS):
            lines, found = self._with_powers(item, own, given)
            if found == given:
                break
            given = found
        else:
            lines, _ = self._with_powers(item, own, dict.fromkeys(given, NOTHING_GIVEN))
        return "\n".join(lines)

    def _with_powers(
        self, item: Item, own: RulesPage, given: Mapping[str, Constants]
    ) -> tuple[list[str], Mapping[str, Constants]]:
        """The list of an item and those of the powers it uses, each told for what it is `given`.

        Besides the lines, what every use of each power gives it is returned.
        """
        lines, waiting = list(own.lines), list(own.used.items())
        found: dict[str, Constants] = {item.slug: {}, item.id: {}}
        for name, constants in waiting:
            told = name in found
            found[name] = common(found.get(name), constants)
            other = self._items.get(name)
            if told or other is None:
                continue
            values = common(given.get(name), constants)
            page = self._page(other, values)
            if page is not None and page.asks:
                lines += ["", f"{self._heading(other, values)}:", *page.lines]
                # The list grows while it is gone through: powers that powers use come last.
                waiting += page.used.items()
        return lines, {name: common(given.get(name), one) for name, one in found.items()}

    def _page(self, item: Item, constants: Constants) -> RulesPage | None:
        """The list of one item alone. Many items use the same powers, so each list is made once."""
        key = (item.id, tuple(constants.items()))
        return self._pages.get(key, lambda: self._new_page(item, constants))

    def _new_page(self, item: Item, constants: Constants) -> RulesPage | None:
        effect = self.effect(item) if item.kind != LASTING else None
        if effect is None:
            return None
        teller = self.teller(item, full=True, constants=constants)
        steps = self._steps(item, effect, teller)
        lines = (*self._options(item, constants), *numbered(steps))
        flat = paragraph(steps) if len(lines) == len(steps) else ""
        return RulesPage(lines, teller.used, asks(tuple(effect)), flat)

    def _abilities(self, item: Item, full: bool = False) -> tuple[Step, ...]:
        return self._told.get((item.id, full), lambda: self._ability_steps(item, full))

    def _ability_steps(self, item: Item, full: bool) -> tuple[Step, ...]:
        teller = self._teller_of(item, Scene(self.words, self.settings), full)
        return self.numbers.steps(item, teller)

    def effect(self, item: Item) -> Effect | None:
        """The effect of an item, without the moments that nothing answers; None if it has none."""
        if item.id not in self.effects:
            effect = item_text.parsed_field(item, "effect", parse_block)
            if effect is None:
                return None
            self.effects[item.id] = effect
        return without_idle(with_idle_marked(tuple(self.effects[item.id]), self.idle))

    def teller(self, item: Item, full: bool, constants: Constants = NOTHING_GIVEN) -> Teller:
        """The teller of an item's effect: in brief texts, parameters have their defaults."""
        scene = Scene(self.words, self.settings)
        callee = self.callee(item)
        scene.words = callee.words if callee is not None else {}
        letters = item_text.lettered(callee) if callee is not None else {}
        effect = tuple(self.effect(item) or ())
        letters = {name: one for name, one in letters.items() if not is_set(effect, name)}
        for param in callee.params if callee is not None else ():
            value = constants.get(param.name) or _by_default(scene, param, full)
            if value is not None:
                scene.names[param.name] = value
            else:
                scene.declare(param.name, param.type, letters.get(param.name, ""))
        way = self.symbols.ways.get(item.id)
        for param in way.takes if way is not None else ():
            scene.declare(param.name, param.type)
        return self._teller_of(item, scene, full)

    def _teller_of(self, item: Item, scene: Scene, full: bool) -> Teller:
        entity = self.symbols.kinds.get(item.kind, "")
        return Teller(scene, self.symbols.nouns.get(entity, ("", ""))[0] if entity else "", full)

    def callee(self, item: Item) -> Signature | None:
        """An item as what can be called or used."""
        table = self.symbols.powers if item.kind == "power" else self.symbols.callables
        callee = table.get(item.slug)
        return callee if callee is not None and callee.id == item.id else None

    def _steps(self, item: Item, effect: Effect, teller: Teller) -> tuple[Step, ...]:
        if item.kind == "way":
            return (
                Step(self._offered(item, teller), (StepPart("", render_steps(teller, effect)),)),
            )
        if item.kind != "trigger":
            return render_steps(teller, effect)
        when = event_of(item, teller)
        if when.never:
            return (Step(unanswered_text(item, teller)),)
        return (when.step(render_steps(teller, effect)),)

    def _offered(self, item: Item, teller: Teller) -> str:
        """Where a way is on offer, and when: `at “What now?”, “sing” may be chosen if it rains`."""
        menu, way = self.symbols.menus.get(str(item.data("to"))), self.symbols.ways.get(item.id)
        prompt = menu.node.prompt if menu is not None else None
        asked = f"“{teller.quoted(prompt)}”" if prompt is not None else "a menu"
        label = str(item.data("label") or item.data("instead_of") or "")
        instead = str(item.data("instead_of") or "")
        said = f"at {asked}, “{label}” may be chosen"
        if instead and instead != label:
            said += f", instead of “{instead}”"
        tests = teller.tests(way.when[1]) if way is not None and way.when is not None else []
        return f"{said} if {' and '.join(teller.stated(one) for one in tests)}" if tests else said

    def _heading(self, item: Item, constants: Constants = NOTHING_GIVEN) -> str:
        if item.kind == "fusion":
            return f"{capital(listed([spaced(str(part)) for part in item.data('parts') or []]))} together"
        gloss, callee = item.data("gloss"), self.callee(item)
        if not isinstance(gloss, str) or not gloss:
            return capital(spaced(item.slug))
        if callee is None:
            return capital(gloss)
        teller = self.teller(item, full=True)
        values = {**item_text.anything(callee, self.words), **constants}
        return capital(teller.filled(item_text.told_again(gloss, values), values))

    def _options(self, item: Item, constants: Constants) -> list[str]:
        scene = Scene(self.words, self.settings)
        callee = self.callee(item)
        params, words = (callee.params, callee.words) if callee is not None else ((), {})
        said = []
        for param in params:
            default = scene.default(param.default, param.type)
            if (
                param.default is not None
                and param.name not in constants
                and default[0] == "value"
                and default[1] not in (None, False)
            ):
                said.append(_by_itself(param, words.get(param.name, ""), default[1]))
        return [f"(Unless the use says otherwise, {listed(said)}.)"] if said else []


def _fits(parts: Sequence[str]) -> bool:
    """Has a card room for these texts?"""
    return sum(len(part.split()) for part in parts) <= MOST_WORDS


def _left_out(item: Item, said: str, short: str) -> set[int]:
    """The numbers that an author leaves out: each is a rule that nobody would know.

    In a power that goes through several things one by one, 1 is hardly ever such a number.
    """
    amounts = numbers_in(re.sub(r"\b(?:one|once)\b", "", said, flags=re.IGNORECASE))
    told = numbers_in(re.sub(r"\b(?:half|double)\b", "2", short))
    return amounts - told - ({0, 1} if item.kind in ("power", "trigger") else {0})


def _by_default(scene: Scene, param: ParamSymbol, full: bool) -> Expr | None:
    """The value of a parameter that a text takes for granted; in full, plain ones are told first."""
    default = scene.default(param.default, param.type)
    plain = default[0] == "value" and default[1] is not None
    return default if param.default is not None and not (full and plain) else None


def _by_itself(param: ParamSymbol, words: str, default: object) -> str:
    """What a parameter is where a use does not say: `EI may not be given up for it`."""
    told = words if default is True else denied(words) if words else None
    return told or f"“{spaced(param.name)}” is {constant(default)}"


@dataclass(frozen=True, slots=True)
class Texts:
    """The rules texts of all items by id, as a card would print them and in full."""

    cards: tuple[tuple[str, str], ...] = ()
    full: tuple[tuple[str, str], ...] = ()


def book_of(build: Build) -> Book:
    """The book of a game that has been built, whose texts later builds can take over."""
    bodies = build.bodies
    book = Book(build.content, build.symbols, build.effects, bodies.stats.abilities)
    bodies.now.tables.update(book.tables)
    return book


def all_texts(book: Book, reuse: Reuse | None = None) -> Texts:
    """The texts of every item that has something to say; what must be as in an earlier build is
    taken over from that."""
    cards, full = [], []
    for item in book.content.items:
        card, text = partial(book.card, item), partial(book.text, item)
        if reuse is None:
            cards.append((item.id, card()))
            full.append((item.id, text()))
            continue
        inputs = _inputs(book.content, item)
        cards.append((item.id, reuse.result(("card", item.id), inputs, card)))
        full.append((item.id, reuse.result(("rules text", item.id), inputs, text)))
    return Texts(tuple(one for one in cards if one[1]), tuple(one for one in full if one[1]))


def _inputs(content: Content, item: Item) -> tuple[object, ...]:
    """What the texts of an item come of, besides names: what is printed goes by its kind's fields."""
    schemas = content.schemas
    return item, schemas.schema(item.kind), tuple(schemas.effect_fields(item.kind))
