"""The English of items that have or change numbers: stats, kinds of bonus, keywords, effects that last,
requirements, and all that bears abilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.english.ability_text import Bearing, constant_of, heard
from ruleloom.compiler.english.glossary import NO, YES, Variable, parsed_field, parsed_text
from ruleloom.compiler.english.page import LETTERS, Step, Teller, rename
from ruleloom.compiler.english.phrase import relative
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.stretch import asked
from ruleloom.compiler.english.template import joined
from ruleloom.compiler.english.word import (
    listed,
    sentence,
    spaced,
    with_article,
)
from ruleloom.compiler.lower.abilities import Abilities
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.packs.lasting_names import NEVER, OWNER_NAME, SELF, THIS
from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr, parse_occurrence, parse_params
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import FRACTION, INT, PLAYER, Type

MOST_NAMES = 12
_LEVELS = {
    "error": "{} must meet this. One that does not is refused:",
    "warning": "{} should meet this. One that does not is warned of:",
    "notice": "{} usually meets this. One that does not is remarked on:",
}


def _whenever(teller: Teller, node: ast.When) -> str:
    before = dict(teller.names)
    said = heard(teller, node, before[SELF] != ("bearer", ""))
    teller.names = before
    return said.head + said.rest


class StatTexts:
    """Renders the stats of one game and everything that modifies them."""

    def __init__(
        self, content: Content, symbols: Symbols, abilities: Abilities | None = None
    ) -> None:
        self.symbols = symbols
        self.abilities = abilities or Abilities(content, symbols, Report())
        bonuses = content.by_kind("bonus")
        self.bonuses = Table({item.slug: str(item.data("english") or "") for item in bonuses})
        self.things = Table(self.abilities.numbers)

    def steps(self, item: Item, teller: Teller) -> tuple[Step, ...]:
        """The abilities of an item as steps; `teller` must be new."""
        block = self.abilities.block(item)
        if item.kind == LASTING:
            return self._lasting(item, block, teller)
        if not block:
            return ()
        if item.kind == "keyword":
            return self._keyword(item, block, teller)
        bearer = self.symbols.bearer(item)
        entity = bearer.entity if bearer is not None else str(item.data("for") or "")
        self._about(teller, entity)
        teller.names["this"] = this = self._this(item, teller.thing)
        if entity == self.symbols.made_by(item):
            teller.names["self"] = this  # its own bearer, which is no reader
        steps = Bearing(teller, self.bonuses, str(item.data("title") or "")).steps(block)
        if not steps:
            return (Step("under the present settings this does nothing"),)
        return self._headed(item, entity, steps, teller)

    def _this(self, item: Item, thing: str) -> Expr:
        """The thing that an item makes, where it makes only one; else words for it."""
        made, numbers = self.symbols.kinds.get(item.kind, ""), self.things.get(item.id, ())
        if made in self.symbols.made and len(numbers) == 1:
            return ("record", made, ("value", numbers[0]))
        return ("value", f"this {thing or spaced(item.kind)}")

    def _headed(
        self, item: Item, entity: str, steps: tuple[Step, ...], teller: Teller
    ) -> tuple[Step, ...]:
        """The steps, below a head for bearers that the item itself names."""
        own = self.symbols.bearers.get(item.id)
        if own is not None:
            # Abilities for only some things of a type.
            when = parsed_text(own.when.text if own.when is not None else None, parse_expr)
            test = teller.read(when) if when is not None else YES
            if test != YES:
                steps = (Step(f"while {teller.stated(test)}", steps),)
        elif item.kind != "standing":
            return steps
        english = item.data("english")
        said = (Step(english),) if isinstance(english, str) else ()
        if own is None and entity == PLAYER.name and not teller.full:
            return (*said, *steps)  # the reader of a card is a player
        head = f"for every {teller.glossary.noun(Type(entity))} (“you”)"
        return (*said, Step(head, steps))

    def _about(self, teller: Teller, entity: str) -> None:
        """Address `self` as `you`; the acting player may be another."""
        teller.names["self"] = ("bearer", entity)
        teller.let_another_act()

    def _lasting(
        self, item: Item, block: Sequence[ast.Ability], teller: Teller
    ) -> tuple[Step, ...]:
        """A lasting effect: its bearer, its abilities, the events that shorten it, and its end, by time or
        early, with the consequences."""
        lasting = self.symbols.lasting_of(item)
        if lasting is None or lasting.names.is_later:
            return ()  # it is rendered at its `begin`
        self._about(teller, lasting.on.name if lasting.on is not None else "")
        for name, (type_, _) in lasting.known(("value", None)).items():
            if name != SELF:
                teller.declare(name, type_)
        teller.declare(THIS, lasting.entity)
        noun = teller.glossary.noun(lasting.on) if lasting.on is not None else ""
        said = f"lasts on {with_article(noun)} (“you”)" if noun else "lasts on the table"
        if isinstance(english := item.data("english"), str):
            # The verb of the clause is in the third person: `{self} sleeps`.
            said += f": {teller.filled(english, {**teller.names, SELF: ('value', f'the {noun}')})}"
        title, borne = str(item.data("title") or ""), lasting.on is not None
        bearing = Bearing(teller, self.bonuses, title, OWNER_NAME, is_borne=borne)
        steps = [Step(said), *bearing.steps(block)]
        return (*steps, *self._endings(item, teller))

    def _endings(self, item: Item, teller: Teller) -> Iterator[Step]:
        """The events that shorten or end an effect, and the consequences."""
        counts = parsed_field(self.symbols, item, "counts", parse_occurrence)
        if counts is not None:
            yield Step(f"its time gets shorter by one {_whenever(teller, counts)}")
        for name, head in (("effect", "when its time is up"), ("ended", "when it ends early")):
            ending = parsed_field(self.symbols, item, name, parse_block)
            if ending is not None:
                before = dict(teller.names)
                inner = render_steps(teller, asked(ending, OWNER_NAME))
                yield Step(head, inner)
                teller.names = before
        until = item.data("until")
        for text in until if isinstance(until, list) else [until]:
            if isinstance(text, str) and text != NEVER:
                yield Step(f"it ends early {_whenever(teller, parse_occurrence(text))}")
        holds = parsed_field(self.symbols, item, "while", parse_expr)
        if holds is not None:
            yield Step(f"it ends as soon as {teller.stated(teller.read(holds), True)}")

    def _keyword(
        self, item: Item, block: Sequence[ast.Ability], teller: Teller
    ) -> tuple[Step, ...]:
        """The gloss of a keyword, with a letter for each number, and its abilities."""
        callee = self.symbols.keywords.get(item.slug)
        if callee is None or callee.id != item.id:
            return ()
        self._about(teller, "")
        teller.names["this"] = ("value", "this item")
        known: dict[str, Expr] = {}
        letters = iter(LETTERS)
        for param in callee.params:
            if param.type in (INT, FRACTION):
                letter = next(letters, spaced(param.name))
                known[param.name] = teller.names[param.name] = ("value", letter)
            else:
                teller.declare(param.name, param.type)
        rename(callee, teller)
        gloss = teller.introduced(callee, callee.english, known)
        steps = Bearing(teller, self.bonuses, known=frozenset(teller.variables)).steps(block)
        return (Step(gloss, steps),)

    def stat(self, item: Item, callee: Signature, teller: Teller) -> str:
        """`The reach of a player: 1 to begin with, never less than 0. Modified by: long arms.`"""
        rename(callee, teller)
        gloss = callee.english or spaced(callee.name)
        head = teller.introduced(callee, gloss)
        base, *limits = (
            "" if node is None else teller.noun(constant_of(teller.read(node, callee.result)))
            for node in (
                parsed_field(self.symbols, item, name, parse_expr)
                for name in ("is", "least", "most")
            )
        )
        plain = not any(sign in base for sign in (",", " if "))
        said = f"{head}: {base} to begin with" if plain else f"{head}: to begin with, {base}"
        for limit, words in zip(limits, ("less", "more"), strict=True):
            if limit:
                said += f"{', ' if plain else '; '}never {words} than {limit}"
        return sentence(said) + self._modified_by(callee.name)

    def _modified_by(self, stat: str) -> str:
        names = self._names(stat)
        if len(names) > MOST_NAMES + 1:
            names = [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"]
        return f" {sentence(f'Modified by: {listed(names)}')}" if names else ""

    def _names(self, stat: str) -> list[str]:
        """The modifiers of a stat: items by title, standing abilities by their reason, even one passed to
        a keyword."""
        names: dict[str, None] = {}
        for planned in self.abilities.by_stat.get(stat, ()):
            item, label = planned.texts[0].item, planned.node.label
            if item.kind == "keyword":
                continue  # an unused keyword
            for text in reversed(planned.texts):
                label = text.written(label.id) if isinstance(label, ast.Name) else label
            reason = label.value if isinstance(label, ast.TextLiteral) else ""
            title = str(item.data("title") or spaced(item.name))
            names[(reason if item.kind == "standing" else "") or title] = None
        return list(names)

    def bonus(self, item: Item) -> str:
        """The name of a bonus type, and its rule for several bonuses."""
        head = sentence(str(item.data("english") or spaced(item.name)))
        if str(item.data("keep")) == "best":
            return f"{head} Of several bonuses of this sort the highest counts, and the lowest below zero."
        return f"{head} All bonuses of this sort count."

    def requirement(self, item: Item, teller: Teller) -> str:
        """The level, things and message of a requirement."""
        about, said = self.demand(item, teller)
        if not about:
            return f"Under the present settings nothing has to meet this: “{said}”"
        level = _LEVELS[str(item.data("level") or "error")]
        return f"{sentence(level.format(about))} “{said}”"

    def demand(self, item: Item, teller: Teller) -> tuple[str, str]:
        """The things that have to meet a requirement (empty under some settings), and the message about
        one that does not; computed values in square brackets."""
        params = parsed_field(self.symbols, item, "of", parse_params)
        if not params:
            return "", ""
        type_ = Type(params[0].type.name)
        one = teller.glossary.noun(type_)
        slot = teller.declare(params[0].name, type_)
        teller.variables[slot] = Variable(one, type_)
        english = str(item.data("english") or "")
        values: dict[str, Expr] = {
            name: ("value", f"[{name.replace('_', ' ')}]")
            for name in HOLE.findall(english)
            if name not in self.symbols.settings
        }
        values[params[0].name] = ("slot", slot)
        said = sentence(teller.filled(english, values))
        where = parsed_field(self.symbols, item, "where", parse_expr)
        test = teller.read(where) if where is not None else YES
        if test == NO:
            return "", said
        such = relative(teller.speaker.binding(slot), test, slot) if test != YES else ()
        return teller.say(joined(f"every {one}", such)), said
