"""The rules text of an item, made from what it does.

`brief` is one paragraph, as a card would print it; `full` is every step as a numbered list, with the powers it
uses below. Items that are no effects (rules, measures, settings, switches) say what they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compiler.content import Content, Item
from compiler.effect import tree
from compiler.effect.parse import EffectSyntaxError, parse_block, parse_event, parse_expr
from compiler.english.folding import YES, folded
from compiler.english.glossary import Glossary, glossary
from compiler.english.phrases import constant, filled
from compiler.english.pages import numbered, paragraph
from compiler.english.reading import Scene
from compiler.english.speaker import GIVEN, Variable
from compiler.english.statements import told
from compiler.english.telling import Part, Step, Teller
from compiler.english.words import capital, is_noun, sentence, spaced, third_person, with_article
from compiler.symbols import ParamSymbol, Signature, Symbols
from runtime.program import Expr
from runtime.values import BOOL, INT

Blocks = Mapping[str, tuple[tree.Stmt, ...]]

MUTE = ("pack", "vocabulary", "notation", "patch", "scenarios")


@dataclass(slots=True)
class Book:
    """Writes the texts of one game. `blocks` are effects that have been parsed already, by item id."""

    content: Content
    symbols: Symbols
    blocks: Blocks = field(default_factory=dict)
    words: Glossary = field(init=False)
    settings: Mapping[str, object] = field(init=False)
    _by_slug: dict[str, Item] = field(init=False)
    _by_id: dict[str, Item] = field(init=False)

    def __post_init__(self) -> None:
        self.words = glossary(self.content, self.symbols)
        self.settings = {name: one.value for name, one in self.symbols.settings.items()}
        self._by_slug = {item.slug: item for item in self.content.by_kind("power")}
        self._by_id = {item.id: item for item in self.content.items}

    # ------------------------------------------------------------------ what is asked for

    def text(self, item: Item) -> str:
        """The whole text of an item: the paragraph, then, if there is more to say, the list."""
        brief, full = self.brief(item), self.full(item)
        return f"{brief}\n\n{full}" if full and full != brief else brief

    def brief(self, item: Item) -> str:
        """One paragraph."""
        block = self.block(item)
        if block is None:
            return self._plain(item)
        teller = self.teller(item, full=False)
        return paragraph(self._steps(item, block, teller))

    def full(self, item: Item) -> str:
        """Every step as a list, and below it every power that is used on the way."""
        block = self.block(item)
        if block is None:
            return ""
        teller = self.teller(item, full=True)
        lines = [*self._options(item), *numbered(self._steps(item, block, teller))]
        known = {item.slug if item.kind == "power" else item.id}
        waiting = list(teller.used)
        while waiting:
            name = waiting.pop(0)
            if name in known:
                continue
            known.add(name)
            other = self._by_slug.get(name) or self._by_id.get(name)
            inner = self.block(other) if other is not None else None
            if other is None or inner is None:
                continue
            other_teller = self.teller(other, full=True)
            steps = numbered(self._steps(other, inner, other_teller))
            lines += ["", f"{self._heading(other)}:", *self._options(other), *steps]
            waiting += other_teller.used
        return "\n".join(lines)

    # ------------------------------------------------------------------ effects

    def block(self, item: Item) -> tuple[tree.Stmt, ...] | None:
        """The effect of an item, or None if it has none."""
        if item.id in self.blocks:
            return self.blocks[item.id]
        text = item.data("effect")
        if not isinstance(text, str):
            return None
        try:
            return parse_block(text)
        except EffectSyntaxError:
            return None

    def teller(self, item: Item, full: bool) -> Teller:
        """Who tells the effect of an item: parameters have their default where the text is brief."""
        scene = Scene(self.words, self.settings)
        for param in self.params(item):
            default = scene.default(param.default, param.type) if param.default is not None else None
            if default is not None and (not full or default[0] not in ("value",) or default[1] is None):
                scene.names[param.name] = default
            else:
                scene.declare(param.name, param.type)
        entity = self.symbols.kinds.get(item.kind, "")
        thing = self.symbols.nouns.get(entity, ("", ""))[0] if entity else ""
        return Teller(scene, thing, full)

    def params(self, item: Item) -> tuple[ParamSymbol, ...]:
        """What an item takes."""
        callee = self.callee(item)
        return callee.params if callee is not None else ()

    def callee(self, item: Item) -> Signature | None:
        """An item as what can be called."""
        table = self.symbols.powers if item.kind == "power" else self.symbols.callables
        callee = table.get(item.slug)
        return callee if callee is not None and callee.id == item.id else None

    def _steps(self, item: Item, block: tuple[tree.Stmt, ...], teller: Teller) -> tuple[Step, ...]:
        if item.kind != "trigger":
            return told(teller, block)
        head = self._event(item, teller)
        if not head:
            return (Step("under the present settings this never happens"),)
        return (Step(head, (Part("", told(teller, block)),)),)

    def _heading(self, item: Item) -> str:
        gloss = item.data("gloss")
        if item.kind == "fusion":
            parts = [spaced(str(part)) for part in item.data("parts") or []]
            return f"{capital(' and '.join(parts))} together"
        return capital(gloss) if isinstance(gloss, str) and gloss else capital(spaced(item.slug))

    def _options(self, item: Item) -> list[str]:
        """What a use of this power may set otherwise."""
        scene = Scene(self.words, self.settings)
        said = []
        for param in self.params(item):
            if param.default is None:
                continue
            default = scene.default(param.default, param.type)
            if default[0] == "value" and default[1] is not None:
                said.append(f"{spaced(param.name)} is {constant(default[1])}")
        return [f"(Unless the use says otherwise, {' and '.join(said)}.)"] if said else []

    # ------------------------------------------------------------------ triggers

    def _event(self, item: Item, teller: Teller) -> str:
        """`when you move a piece`: what a trigger waits for. Empty if that can never happen."""
        call = self._parsed(item, "event", parse_event)
        if not isinstance(call, tree.Call):
            return "whenever its event happens"
        params = self.symbols.events.get(call.name.id, ())
        slots: dict[str, Expr] = {}
        for arg, param in zip(call.args, params, strict=False):
            if isinstance(arg.value, tree.Name):
                slots[param.name] = ("slot", teller.scene.declare(arg.value.id, param.type))
        said = f"when {self._happening(call.name.id, params, slots, teller)}"
        where = self._parsed(item, "where", parse_expr)
        tests = teller.tests(where) if where is not None else []
        if ("value", False) in tests:
            return ""
        if tests:
            said += f", if {' and '.join(teller.stated(test) for test in tests)}"
        if item.data("once_per"):
            said += f" (once a {item.data('once_per')})"
        return said if str(item.data("timing")) == "immediately" else f"{said}, afterwards"

    def _happening(
        self, event: str, params: tuple[ParamSymbol, ...], slots: Mapping[str, Expr], teller: Teller
    ) -> str:
        values = {
            param.name: slots.get(param.name) or ("value", with_article(self.words.noun(param.type))) for param in params
        }
        if event in ("touched", "drawn"):
            thing = teller.noun(next(iter(values.values()), ("value", "anything")))
            thing = with_article(thing.removeprefix("the ")) if thing.startswith("the ") else thing
            return f"something is done to {thing}" if event == "touched" else f"{thing} is drawn"
        operation = self.symbols.operations.get(event)
        if operation is None or not operation.english:
            return f"{spaced(event)} happens"
        words = teller.say(filled(teller.speaker, operation.english.partition(";")[0], values))
        verb, _, rest = words.partition(" ")
        return f"somebody {third_person(verb)} {rest}"

    def _parsed(self, item: Item, name: str, parse: object) -> tree.Expr | None:
        text = item.data(name)
        if not isinstance(text, str) or not callable(parse):
            return None
        try:
            return parse(text)  # type: ignore[no-any-return]
        except EffectSyntaxError:
            return None

    # ------------------------------------------------------------------ rules, measures, settings, switches

    def _plain(self, item: Item) -> str:
        if item.kind == "setting":
            return sentence(f"{item.data('english') or spaced(item.slug)}: {constant(self.settings.get(item.slug, item.data('value')))}")
        if item.kind == "switch":
            return self._switch(item)
        if item.kind in ("rule", "measure"):
            return self._function(item)
        return ""

    def _switch(self, item: Item) -> str:
        chosen = str(self.settings.get(item.slug, item.data("default")))
        options = [str(one) for one in item.data("options") or {}]
        said = sentence(f"{item.data('english') or spaced(item.slug)}: {self.words.option(item.slug, chosen)}")
        others = [f"“{spaced(one)}”: {self.words.option(item.slug, one)}" for one in options if one != chosen]
        if not others:
            return said
        head = "The other reading is" if len(others) == 1 else "The other readings are"
        return f"{said} {head} {sentence('; '.join(others))}"

    def _function(self, item: Item) -> str:
        callee = self.callee(item)
        node = self._parsed(item, "holds" if item.kind == "rule" else "is", parse_expr)
        teller = self.teller(item, full=True)
        if callee is None:
            return ""
        self._rename(callee, teller.scene)
        values = self._anything(callee)
        head = teller.say(filled(teller.speaker, callee.english or spaced(callee.name), values))
        meaning = folded(teller.scene.read(node), self.settings) if node is not None else YES
        if callee.result == BOOL:
            itself = teller.say(filled(teller.speaker, callee.english or "", teller.scene.names))
            stated = "" if meaning[0] == "value" else teller.stated(meaning)
            said = sentence(f"{head} if {stated}" if stated not in ("", itself) else head)
            if not stated:
                said += f" Under the present settings this is {'always' if meaning[1] else 'never'} so."
            return f"{said} This rule can be lifted." if item.kind == "rule" else said
        return sentence(f"{head}: {teller.noun(meaning)}")

    def _anything(self, callee: Signature) -> dict[str, Expr]:
        """Words for every parameter while it can be anything: `a piece`, then `another piece`."""
        values: dict[str, Expr] = {}
        said: set[str] = set()
        for param in callee.params:
            noun = self.words.noun(param.type, param.type.many)
            one = f"another {noun}" if noun in said else noun if param.type.many else with_article(noun)
            values[param.name] = ("value", GIVEN if param.type == INT else one)
            said.add(noun)
        return values

    def _rename(self, callee: Signature, scene: Scene) -> None:
        """Call each parameter after what it is, where it is the only one of its kind: `the space`."""
        types = [param.type for param in callee.params]
        for param in callee.params:
            known = scene.names.get(param.name)
            if known is not None and known[0] == "slot" and types.count(param.type) == 1 and param.type not in (INT, BOOL):
                scene.variables[known[1]] = Variable(self.words.noun(param.type, param.type.many), param.type)


def rules_text(item: Item, content: Content, symbols: Symbols, full: bool = False) -> str:
    """The rules text of one item, as a paragraph or, with `full`, as a list."""
    book = Book(content, symbols)
    return book.full(item) or book.brief(item) if full else book.brief(item)


def all_texts(content: Content, symbols: Symbols, blocks: Blocks | None = None) -> tuple[tuple[str, str], ...]:
    """The text of every item, by id: the paragraph first, then after an empty line the list."""
    book = Book(content, symbols, blocks or {})
    items = (item for item in content.items if item.kind not in MUTE)
    return tuple((item.id, text) for item in items if (text := book.text(item)))


__all__ = ["Book", "all_texts", "is_noun", "rules_text"]
