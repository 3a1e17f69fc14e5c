"""The rules text of an item: `brief` in one paragraph, as a card would print it; `full` as a
numbered list, with the powers it uses below. Abilities have one sentence a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ruleloom.compiler.english.ability_text import StatTexts, lines
from ruleloom.compiler.english.event_text import event_of, unanswered_text
from ruleloom.compiler.english.glossary import Glossary, Scene, parsed_field
from ruleloom.compiler.english.page import (
    FARTHEST,
    Constants,
    Step,
    StepPart,
    Teller,
    anything,
    asks,
    common,
    is_set,
    lettered,
    numbered,
    paragraph,
    rename,
    told_again,
)
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.word import (
    capital,
    constant,
    denied,
    is_noun,
    listed,
    numbers_in,
    plain_verb,
    sentence,
    spaced,
)
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import COMMON_KINDS, Content, Item, start_of
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.query.lookups import Remembered, Table
from ruleloom.compiler.query.reuse import Reuse
from ruleloom.compiler.resolve.idle_moments import idle_moments, with_idle_marked, without_idle
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature, Symbols
from ruleloom.compiler.resolve.templates import HOLE
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.compiler.types import PLAIN
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL

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
            return "\n".join((*parts, *table_rows(item)))
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
            one.slug: setting_text(one, self.settings)
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
                return sheet_text(item)
            case "setting":
                return setting_text(item, self.settings)
            case "switch":
                return switch_text(item, self.words, self.settings)
            case "rule" | "measure" if callee is not None:
                return function_text(item, callee, teller)
            case "stat" if callee is not None:
                return self.numbers.stat(item, callee, teller)
            case "table" if callee is not None:
                return table_text(item, callee, teller)
        return ""

    def full(self, item: Item) -> str:
        """Every step as a list, and below it each power used that asks for a choice."""
        if item.kind == "table":
            return "\n".join(table_rows(item))
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
            effect = parsed_field(item, "effect", parse_block)
            if effect is None:
                return None
            self.effects[item.id] = effect
        return without_idle(with_idle_marked(tuple(self.effects[item.id]), self.idle))

    def teller(self, item: Item, full: bool, constants: Constants = NOTHING_GIVEN) -> Teller:
        """The teller of an item's effect: in brief texts, parameters have their defaults."""
        scene = Scene(self.words, self.settings)
        callee = self.callee(item)
        scene.words = callee.words if callee is not None else {}
        letters = lettered(callee) if callee is not None else {}
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
        values = {**anything(callee, self.words), **constants}
        return capital(teller.filled(told_again(gloss, values), values))

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


def setting_text(item: Item, settings: Mapping[str, object]) -> str:
    """`How many pieces a space holds: 3.`"""
    value = settings.get(item.slug, item.data("value"))
    return sentence(f"{item.data('english') or spaced(item.slug)}: {constant(value)}")


def sheet_text(item: Item) -> str:
    """`Printed about a ship: Masts, Crew and Cargo.` A title with a hole is no title yet."""
    titles = [str(section.get("title") or "") for section in item.data("sections") or []]
    parts = listed([title for title in titles if title and "{" not in title])
    english = f" about {item.data('english')}" if "english" in item.fields else ""
    return sentence(f"Printed{english}: {parts}" if parts else f"What is printed{english}")


def switch_text(item: Item, words: Glossary, settings: Mapping[str, object]) -> str:
    """A switch in words: its subject, the option in force, and the other readings."""
    chosen = str(settings.get(item.slug, item.data("default")))
    english = item.data("english") or spaced(item.slug)
    said = sentence(f"{english}: {words.option(item.slug, chosen)}")
    options = [str(one) for one in item.data("options") or {}]
    others = [
        f"“{spaced(one)}”: {words.option(item.slug, one)}" for one in options if one != chosen
    ]
    if not others:
        return said
    head = "The other reading is" if len(others) == 1 else "The other readings are"
    return f"{said} {head} {sentence('; '.join(others))}"


def function_text(item: Item, callee: Signature, teller: Teller) -> str:
    """A rule or measure in words, with its condition or its value."""
    node = parsed_field(item, "holds" if item.kind == "rule" else "is", parse_expr)
    scene = teller.scene
    rename(callee, scene)
    english = callee.english or spaced(callee.name)
    if HOLE.fullmatch(english):
        english = f"the {spaced(callee.name)} of {english}"  # elsewhere it goes by whose it is
    head = teller.filled(english, anything(callee, scene.glossary))
    if node is None:
        return sentence(head)
    meaning = scene.read(node)
    if callee.result != BOOL:
        return sentence(f"{head}: {teller.noun(meaning)}")
    if meaning[0] == "value":
        always = "always" if meaning[1] else "never"
        said = f"{sentence(head)} Under the present settings this is {always} so."
    elif meaning[0] == "if":
        said = f"{sentence(f'{head} if this is so')} {_by_case(meaning, teller)}"
    else:
        stated = teller.stated(meaning)
        itself = teller.filled(english, scene.names)
        # Where the game's words say all that it comes to, its name tells what they are about.
        alone = f"{spaced(callee.name)}: {teller.filled(english, scene.names)}"
        said = sentence(alone if stated == itself else f"{head} if {stated}")
    return f"{said} This rule can be lifted." if item.kind == "rule" else said


def _by_case(meaning: Expr, teller: Teller) -> str:
    """What must be so in each case: `If it rains: there is room. Otherwise: ...`"""
    said, head = [], "if"
    while meaning[0] == "if":
        said.append(f"{head} {teller.stated(meaning[1])}: {teller.stated(meaning[2])}")
        meaning, head = meaning[3], "otherwise, if"
    return " ".join(sentence(one) for one in (*said, f"otherwise: {teller.stated(meaning)}"))


def table_text(item: Item, callee: Signature, teller: Teller) -> str:
    """What a table gives, in a sentence: `The price of a rating.`"""
    words = teller.scene.glossary
    keys = anything(callee, words)
    return sentence(teller.filled(callee.english or spaced(callee.name), keys))


def table_rows(item: Item) -> list[str]:
    """Each row of a table on a line of its own, as it is printed."""
    rows = [(_printed(key), node) for key, node in item.fields["rows"].entries.items()]
    if "otherwise" in item.fields:
        rows.append(("any other", item.fields["otherwise"]))
    written = str if item.data("gives") == "Text" else _printed
    found = [(key, written(constant(node.value)) or "nothing") for key, node in rows]
    sort = capital(spaced(str(item.data("by"))))
    return [
        sentence(f"{sort} {key}: {said}" if _ROMAN.fullmatch(key) else f"{key}: {said}")
        for key, said in found
    ]


_ROMAN = re.compile("[ivx]+|[IVX]+")


def _printed(written: str) -> str:
    """An id in words; what holds a number as it is written, below zero in brackets."""
    if written.startswith("-"):
        return f"({written})"
    as_it_is = _ROMAN.fullmatch(written) or any(sign.isdecimal() for sign in written)
    return written if as_it_is else spaced(written)


# Fields that are told elsewhere, or that say nothing of the item itself.
_NOT_PRINTED = (
    *("kind", "id", "renamed_from", "title", "text", "english", "gloss"),
    *("clauses", "after", "effect", "abilities"),
)
# Two fields that are read as one: `2d10`.
_DICE, _SIDES = "dice", "sides"
# What an option is called that is something to do, as rules speak of it: `to light a lamp`.
_TO = "to "
_LONGEST, MOST = 8, 1000
"""How many entries of a list are printed."""


class PrintedTexts:
    """Writes the printed fields of the items of one game."""

    def __init__(self, content: Content, words: Glossary) -> None:
        self.content, self.words, self.symbols = content, words, words.symbols
        self._longest = _LONGEST
        self.titles = Table({item.name: _title_of(item) for item in content.items})
        self.packs = Table({pack.id: _title_of(pack.manifest) for pack in content.packs})
        self.changes = Table[str, dict[str, list[str]]]()
        """The fields of each item that packs have changed, by pack."""
        for (id, field), changes in content.history.items():
            by_pack = self.changes.setdefault(id, {})
            for change in changes:
                by_pack.setdefault(change.pack, []).append(field)

    def fields(self, item: Item, whole: bool = False) -> str:
        """`Rating: II; EI cost: 5; natural.` Empty for what is rule and not content.

        Of long lists only the `whole` text has all entries.
        """
        self._longest = MOST if whole else _LONGEST
        if item.kind in COMMON_KINDS:
            return ""
        labels = self._labels(item.kind)
        told = [
            (name, self._field(labels[name], name, node))
            for name, node in item.fields.items()
            if name in labels
        ]
        told = self._with_spans(item, self._with_dice(item, told))
        said = "; ".join(one for _, one in told if one)
        return sentence(said) if said else ""

    def _with_dice(self, item: Item, told: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The same, with a number of dice and their sides as one: `2d10`."""
        given = dict(told)
        for name in [one for one in given if one.endswith(_DICE)]:
            sides = name.removesuffix(_DICE) + _SIDES
            number, large = item.data(name), item.data(sides) or self._default(item.kind, sides)
            if isinstance(number, int) and isinstance(large, int):
                label = "" if name == _DICE else f"{given[name].partition(':')[0]}: "
                given |= {name: f"{label}{number}d{large}", sides: ""}
        return list(given.items())

    def _default(self, kind: str, name: str) -> object:
        """What a printed field is where an item does not say."""
        field = self.symbols.fields.get(name, {}).get(self.symbols.kinds.get(kind, ""))
        written = field.written if field is not None else None
        default = written.get("default") if written is not None and written.kind == "map" else None
        return to_data(default) if default is not None else None

    def _with_spans(self, item: Item, told: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The same, with the least and the most of something as one: `Value: 1 to 3`."""
        given = dict(told)
        for least in [name for name in given if name.startswith("least_")]:
            name = least.removeprefix("least_")
            low, high = item.data(least), item.data(f"most_{name}")
            if given.get(f"most_{name}"):
                span = str(low) if low == high else f"{low} to {high}"
                given |= {least: f"{capital(spaced(name))}: {span}", f"most_{name}": ""}
        return list(given.items())

    def patched(self, item: Item) -> str:
        """`Changed by Wet Ink (cost and effect).`"""
        labels = {name: self._label(item.kind, name) for name in item.fields}
        said = []
        for pack, names in self.changes.get(item.id, {}).items():
            fields = dict.fromkeys(labels.get(one, spaced(one)).lower() for one in names if one)
            what = f" ({listed(list(fields))})" if fields else ""
            said.append(f"{self.packs.get(pack, pack)}{what}")
        return f"Changed by {listed(said)}." if said else ""

    def _labels(self, kind: str) -> Mapping[str, str]:
        """The fields of a kind that are printed, with what each is called."""
        store = self.content.schemas
        effects = {path[0] for path in store.effect_fields(kind)}
        names = (one for one in store.fields(kind) if one not in effects | {*_NOT_PRINTED})
        return {name: self._label(kind, name) for name in names}

    def _label(self, kind: str, name: str) -> str:
        schema = self.content.schemas.schema(kind).get("properties", {}).get(name, {})
        return str(schema.get("title") or capital(spaced(name)))

    def _field(self, label: str, name: str, node: YamlNode) -> str:
        value = to_data(node)
        if isinstance(value, bool):
            words = label if label[1:2].isupper() else label[:1].lower() + label[1:]
            return _flag(words, value)
        said = self._value(name, value).removeprefix(_TO)
        return f"{label}: {said}" if said else ""

    def _value(self, name: str, value: object) -> str:
        if isinstance(value, list):
            parts = [self._entry(name, one) for one in value[: self._longest]]
            more = len(value) - len(parts)
            return listed([*parts, f"{more} more"] if more else parts)
        if isinstance(value, dict):
            return ", ".join(self._entries(name, value))
        return self._word(name, value)

    def _entry(self, name: str, value: object) -> str:
        """One of a list: what it is, and the rest in brackets: `Lamp rites (8 points)`."""
        if not isinstance(value, dict) or not isinstance(next(iter(value.values()), None), str):
            return self._value(name, value)
        (key, first), *rest = value.items()
        said = [
            _flag(spaced(one), more) if isinstance(more, bool) else self._amount(one, more)
            for one, more in rest
        ]
        word = self._word(key, first)
        return f"{word} ({', '.join(said)})" if said else word

    def _amount(self, name: str, value: object) -> str:
        """A value behind what it is called, `rank 2`; what is counted stands before it, `8 points`."""
        said = self._value(name, value)
        counts = type(value) is int and re.fullmatch(r"[a-z]+[^\Wsui]s", name)
        return f"{said} {name}" if counts else f"{spaced(name)} {said}"

    def _entries(self, name: str, value: Mapping[str, object]) -> Iterator[str]:
        if set(value) == {"from", "to"}:
            yield f"{value['from']} to {value['to']}"
            return
        for key, one in value.items():
            said = "yes" if one is True else "no" if one is False else self._value(name, one)
            key = self._title(key) or self._word(name, key)
            if said.startswith(_TO):
                yield f"{said.removeprefix(_TO)} ({key})"
            else:
                yield f"{key} {said}".strip() if isinstance(one, int) else f"{key} ({said})"

    def _title(self, name: str) -> str:
        return self.titles.get(name) or self.titles.get(name.replace("_", "-")) or ""

    def _word(self, name: str, value: object) -> str:
        """A value as it is printed: the title of an item, an option in words, or as it stands."""
        if not isinstance(value, str):
            return "" if value is None else str(value)
        if ("value", value) in self.words.symbols.words:
            return self.words.value(value)
        types = {one.type.name for one in self.symbols.fields.get(name, {}).values()}
        if (types and types <= {*PLAIN}) or name == "examples":
            return value
        return self._title(value) or (spaced(value) if value.islower() else value)


def _flag(label: str, holds: bool) -> str:
    return label if holds else _denied(label)


def _denied(label: str) -> str:
    """`tires` as `does not tire`, `natural` as `not natural`."""
    verb, _, rest = label.partition(" ")
    if re.fullmatch(r"[a-z]{2,}[^s]s", verb):
        return f"does not {plain_verb(verb)} {rest}".rstrip()
    return f"not {label}"


def _title_of(item: Item) -> str:
    return str(item.data("title") or spaced(item.name))
