"""Stats in words: the modifiers of each, types of bonuses, keywords, requirements."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.english.ability_text import Bearing, asked, constant_of
from ruleloom.compiler.english.event_text import occasion, once_a_turn
from ruleloom.compiler.english.glossary import parsed_text
from ruleloom.compiler.english.item_text import LETTERS, anything, parsed_field, rename
from ruleloom.compiler.english.page import Step, StepPart, Teller
from ruleloom.compiler.english.phrase import relative
from ruleloom.compiler.english.phrase_parts import joined
from ruleloom.compiler.english.relower import NO, YES, Scene
from ruleloom.compiler.english.speaker import Variable
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.word import listed, sentence, spaced, with_article
from ruleloom.compiler.lower.abilities import Abilities, Planned
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.lasting_names import KIND as LASTING
from ruleloom.compiler.packs.lasting_names import NEVER, OWNER_NAME, SELF, THIS
from ruleloom.compiler.query.lookups import Table
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import Bearer, Lasting, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr, parse_occurrence, parse_params
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import FRACTION, INT, PLAYER, TEXT, Type

MOST_NAMES = 12
_LEVELS = {
    "error": "{} must meet this. One that does not is refused:",
    "warning": "{} should meet this. One that does not is warned of:",
    "notice": "{} usually meets this. One that does not is remarked on:",
}


def _whenever(teller: Teller, when: ast.When) -> str:
    """The event that an effect waits for, as a clause."""
    before = dict(teller.scene.names)
    bearer = before[SELF] if before[SELF] != ("bearer", "") else None
    said = occasion(teller, "whenever", when.event, when.where, {SELF: before[SELF]})
    teller.scene.names = before
    return said.head + said.rest + (once_a_turn(teller, bearer) if when.once else "")


class StatTexts:
    """Writes about the numbers of one game, and about all that changes them."""

    def __init__(
        self, content: Content, symbols: Symbols, abilities: Abilities | None = None
    ) -> None:
        self.symbols = symbols
        self.abilities = abilities or Abilities(content, symbols, Report())
        bonuses = content.by_kind("bonus")
        self.bonuses = Table({item.slug: str(item.data("english") or "") for item in bonuses})
        self.things = Table(self.abilities.numbers)

    def steps(self, item: Item, teller: Teller) -> tuple[Step, ...]:
        """The abilities of an item, told by a teller who knows nothing yet."""
        block = self.abilities.block(item)
        if not block and item.kind != LASTING:
            return ()
        if item.kind == LASTING:
            return self._lasting(item, block, teller)
        if item.kind == "keyword":
            return self._keyword(item, block, teller)
        bearer = self.symbols.bearer(item)
        entity = bearer.entity if bearer is not None else str(item.data("for") or "")
        self._about(teller.scene, entity)
        teller.scene.names["this"] = self._this(item, teller)
        title = item.data("title")
        steps = Bearing(teller, self.bonuses, str(title or "")).steps(block)
        if not steps:
            return (Step("under the present settings this does nothing"),)
        return self._headed(item, entity, steps, teller)

    def _headed(
        self, item: Item, entity: str, steps: tuple[Step, ...], teller: Teller
    ) -> tuple[Step, ...]:
        """Abilities below whom they are about, where the item says so itself."""
        own = self.symbols.bearers.get(item.id)
        if own is not None:
            steps = self._narrowed(own, steps, teller)
        elif item.kind != "standing":
            return steps
        english = item.data("english")
        said = (Step(english),) if isinstance(english, str) else ()
        if own is None and entity == PLAYER.name and not teller.full:
            return (*said, *steps)  # whoever reads a card plays
        head = f"for every {teller.scene.glossary.noun(Type(entity))} (“you”)"
        return (*said, Step(head, (StepPart("", steps),)))

    def _narrowed(
        self, bearer: Bearer, steps: tuple[Step, ...], teller: Teller
    ) -> tuple[Step, ...]:
        """Abilities that an item gives only to some of a type."""
        written = bearer.when.text if bearer.when is not None else None
        when = parsed_text(written, parse_expr)
        if when is None or (test := teller.scene.read(when)) == YES:
            return steps
        return (Step(f"while {teller.stated(test)}", (StepPart("", steps),)),)

    def _about(self, scene: Scene, entity: str) -> None:
        """Address `self`; the player who acts may then be somebody else."""
        scene.names["self"] = ("bearer", entity)
        if "me" in self.symbols.scope:
            slot = scene.declare("me", PLAYER)
            scene.variables[slot] = Variable(f"acting {scene.glossary.noun(PLAYER)}", PLAYER)

    def _this(self, item: Item, teller: Teller) -> Expr:
        entity, numbers = self.symbols.kinds.get(item.kind, ""), self.things.get(item.id, ())
        if entity in self.symbols.made and len(numbers) == 1:
            return ("record", entity, ("value", numbers[0]))
        return ("value", f"this {teller.thing or spaced(item.kind)}")

    def _lasting(
        self, item: Item, block: Sequence[ast.Ability], teller: Teller
    ) -> tuple[Step, ...]:
        """An effect that lasts: its meaning meanwhile, the events that shorten it, and its end."""
        lasting = self.symbols.lasting_of(item)
        if lasting is None or lasting.names.is_later:
            return ()  # it is told where it begins
        self._about(teller.scene, lasting.on.name if lasting.on is not None else "")
        for name, (type_, _) in lasting.known(("value", None)).items():
            if name != SELF:
                teller.scene.declare(name, type_)
        teller.scene.declare(THIS, lasting.entity)
        steps = [self._lying(lasting, teller)]
        title = str(item.data("title") or "")
        steps += Bearing(
            teller, self.bonuses, title, OWNER_NAME, is_borne=lasting.on is not None
        ).steps(block)
        counts = parsed_field(item, "counts", parse_occurrence)
        if counts is not None:
            steps.append(Step(f"its time gets shorter by one {_whenever(teller, counts)}"))
        steps += self._endings(item, teller)
        return tuple(steps)

    def _lying(self, lasting: Lasting, teller: Teller) -> Step:
        """The bearer of an effect, and its meaning meanwhile."""
        noun = teller.scene.glossary.noun(lasting.on) if lasting.on is not None else ""
        where = f"on {with_article(noun)} (“you”)" if noun else "on the table"
        english = lasting.names.item.data("english")
        if not isinstance(english, str):
            return Step(f"lasts {where}")
        # The verb of the clause is that of somebody else: `{self} sleeps`.
        named = {**teller.scene.names, SELF: ("value", f"the {noun}")}
        return Step(f"lasts {where}: {teller.filled(english, named)}")

    def _endings(self, item: Item, teller: Teller) -> list[Step]:
        """The ends of an effect: its time is up, or something ends it early; and what follows."""
        steps: list[Step] = []
        texts = (("effect", "when its time is up"), ("ended", "when it ends early"))
        for field, head in texts:
            block = parsed_field(item, field, parse_block)
            if block is not None:
                before = dict(teller.scene.names)
                part = StepPart("", render_steps(teller, asked(block, OWNER_NAME)))
                steps.append(Step(head, (part,)))
                teller.scene.names = before
        until = item.data("until")
        for text in until if isinstance(until, list) else [until]:
            if isinstance(text, str) and text != NEVER:
                steps.append(Step(f"it ends early {_whenever(teller, parse_occurrence(text))}"))
        holds = parsed_field(item, "while", parse_expr)
        if holds is not None:
            steps.append(Step(f"it ends as soon as not: {teller.stated(teller.scene.read(holds))}"))
        return steps

    def _keyword(
        self, item: Item, block: Sequence[ast.Ability], teller: Teller
    ) -> tuple[Step, ...]:
        """A keyword in words, with a letter for each number, and its abilities."""
        callee = self.symbols.keywords.get(item.slug)
        if callee is None or callee.id != item.id:
            return ()
        scene = teller.scene
        self._about(scene, "")
        scene.names["this"] = ("value", "this item")
        head = anything(callee, scene.glossary)
        letters = iter(LETTERS)
        for param in callee.params:
            if param.type in (INT, FRACTION):
                letter = next(letters, spaced(param.name))
                head[param.name] = scene.names[param.name] = ("value", letter)
            elif param.type == TEXT:
                head[param.name] = ("value", f"({spaced(param.name)})")
                scene.declare(param.name, param.type)
            else:
                scene.declare(param.name, param.type)
        rename(callee, scene)
        gloss = teller.filled(callee.english, head)
        steps = Bearing(teller, self.bonuses, known=frozenset(scene.variables)).steps(block)
        return (Step(gloss, (StepPart("", steps),) if steps else ()),)

    def stat(self, item: Item, callee: Signature, teller: Teller) -> str:
        """`The reach of a player: 1 to begin with, never less than 0. Modified by: long arms.`"""
        scene = teller.scene
        rename(callee, scene)
        gloss = callee.english or spaced(callee.name)
        head = teller.filled(gloss, anything(callee, scene.glossary))
        node = parsed_field(item, "is", parse_expr)
        base = self._value(node, callee, teller)
        plain = not any(sign in base for sign in (",", " if "))
        said = f"{head}: {base} to begin with" if plain else f"{head}: to begin with, {base}"
        for name, words in (("least", "never less than"), ("most", "never more than")):
            limit = parsed_field(item, name, parse_expr)
            if limit is not None:
                said += f"{', ' if plain else '; '}{words} {self._value(limit, callee, teller)}"
        names = self._names(callee.name)
        if not names:
            return sentence(said)
        if len(names) > MOST_NAMES + 1:
            names = [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"]
        text = listed(names)
        stop = "" if text.endswith((".", "!", "?")) else "."
        return f"{sentence(said)} Modified by: {text}{stop}"

    def _value(self, node: ast.Expr | None, callee: Signature, teller: Teller) -> str:
        if node is None:
            return "nothing"
        return teller.noun(constant_of(teller.scene.read(node, callee.result)))

    def _names(self, stat: str) -> list[str]:
        """The modifiers of a stat: items by title, standing abilities by the reason they give."""
        names: dict[str, None] = {}
        for planned in self.abilities.by_stat.get(stat, ()):
            item = planned.texts[0].item
            if item.kind != "keyword":  # one that nothing uses
                reason = _reason(planned) if item.kind == "standing" else ""
                names[reason or str(item.data("title") or spaced(item.name))] = None
        return list(names)

    def bonus(self, item: Item) -> str:
        """The name of a sort of bonus, and which of several count."""
        head = sentence(str(item.data("english") or spaced(item.name)))
        if str(item.data("keep")) == "best":
            return f"{head} Of several bonuses of this sort the highest counts, and the lowest below zero."
        return f"{head} All bonuses of this sort count."

    def requirement(self, item: Item, teller: Teller) -> str:
        """The complaint about a thing that does not meet it; computed values in square brackets."""
        params = parsed_field(item, "of", parse_params)
        if not params:
            return ""
        scene, type_ = teller.scene, Type(params[0].type.name)
        one = scene.glossary.noun(type_)
        slot = scene.declare(params[0].name, type_)
        scene.variables[slot] = Variable(one, type_)
        english = str(item.data("english") or "")
        values: dict[str, Expr] = {
            hole[1]: ("value", f"[{hole[1].replace('_', ' ')}]")
            for hole in HOLE.finditer(english)
            if hole[1] not in self.symbols.settings
        }
        values[params[0].name] = ("slot", slot)
        said = teller.filled(english, values)
        where = parsed_field(item, "where", parse_expr)
        test = scene.read(where) if where is not None else YES
        if test == NO:
            return f"Under the present settings nothing has to meet this: “{sentence(said)}”"
        such = relative(teller.speaker.binding(slot), test, slot) if test != YES else ()
        about = teller.say(joined(f"every {one}", such))
        level = _LEVELS[str(item.data("level") or "error")]
        return f"{sentence(level.format(about))} “{sentence(said)}”"


def _reason(planned: Planned) -> str:
    """The reason that an ability gives, perhaps as an argument of a keyword."""
    label = planned.node.label
    for text in reversed(planned.texts):
        if isinstance(label, ast.Name):
            label = text.written(label.id)
    return label.value if isinstance(label, ast.TextLiteral) else ""
