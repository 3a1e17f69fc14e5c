"""The path of texts from an item, through keywords, to one of its abilities, with their contexts.

The conditions and values read on the way are expressed in the slots with which the contexts of all
texts on the path begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleloom.compiler.bounds.intervals import hold_to_bounds, written_arguments
from ruleloom.compiler.check.expect import condition, held_to, warn_if_constant
from ruleloom.compiler.flow.context import BROKEN, Context, Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Local, ZoneRead
from ruleloom.compiler.lower.abilities import AbilityText, Bearers, Terms, Texts, reads_in_terms
from ruleloom.compiler.packs.lasting_names import BEARER as LIES_ON
from ruleloom.compiler.packs.lasting_names import SELF, THIS
from ruleloom.compiler.resolve.symbols import Lasting
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.types import UNKNOWN, is_unknown
from ruleloom.runtime.program.expr import mentions, substitute
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Type


class KeywordPath:
    """The path of texts from an item to one ability.

    All contexts begin with the slots named in `first`; `slot` is that of `self`, `about` its type.
    """

    def __init__(
        self, bearers: Bearers, texts: Texts, first: Sequence[str], slot: int, about: Type
    ) -> None:
        self.bearers, self.texts = bearers, texts
        self.first, self.slot, self.about = first, slot, about
        self.terms: Terms = {}
        """The expressions for the slots of `this` and of the keyword's parameters in the last text."""
        self.reads: list[ZoneRead] = []
        self.facts = NO_FACTS
        """What holds where the conditions do, in the slots of their texts."""
        self.sound = True
        self.borne: Expr | None = None
        """The condition of bearing the item."""
        self.lasting = bearers.symbols.lasting_of(texts[0].item)
        self.instance = len(first) - 1
        """The slot of the effect itself, if a lasting effect has the abilities."""
        self.listed = False
        """Whether `self` runs over a list, and is no value of the stat or event."""
        self.at: ast.Span = (0, 0)
        """The span in the last text to report problems with bearing at."""
        self.size = len(first)
        """The largest number of slots of the contexts so far."""

    @property
    def turn(self) -> tuple[int, Type]:
        """The slot and type of the bearer or effect in a round for each."""
        if self.lasting is not None:
            return self.instance, self.lasting.entity
        return self.slot, self.about

    @property
    def alone(self) -> bool:
        """Whether this is an unused keyword, which has no bearer."""
        return self.texts[0].callee is not None

    def everybody(self) -> Expr | None:
        """The list of all possible bearers, None without one; its reads are noted.

        For a lasting effect, the list of all effects of its name.
        """
        if self.lasting is not None:
            return self.lasting.found()
        found = self.bearers.everybody(self.texts[0], len(self.first))
        if found is None:
            return None
        self.reads.extend(read for read in found[1] if read not in self.reads)
        return found[0]

    def is_unlisted(self) -> bool:
        """Whether the item has no list of possible bearers and no `among`."""
        bearer = self.bearers.symbols.bearer(self.texts[0].item)
        return self.everybody() is None and (bearer is None or bearer.among is None)

    def unlisted(self, about: Type) -> tuple[str, str]:
        """The message for bearers of a type without a list, and the field that gives one."""
        several = self.bearers.symbols.nouns.get(about.name, ("", "of them"))[1]
        entity = self.bearers.entity(self.texts[0])
        callables = self.bearers.symbols.callables.values()
        given = [(one.name, one.result) for one in callables if not one.params]
        lists = [name for name, result in given if result and result.many and result.item == entity]
        among = f"among: {lists[0] if lists else '...'}"
        if self.texts[0].item.kind != "standing":
            among = f"bearer: {{entity: {entity}, {among}}}"
        missing = "the item has" if lists else "there is"
        return f"{missing} no list of all {several}", f"`{among}` in `{self.texts[0].item.name}`"

    def walk(self) -> tuple[Context, list[Expr]]:
        """Check the texts in order: the last context, and the conditions on the way, bearing first."""
        tests = self._tests_of_bearing()
        context = self._context(self.texts[0], None)
        for number, text in enumerate(self.texts):
            if number:
                self.close(context)
                context = self._context(text, context)
            tests += [self.condition(context, node) for node in text.conditions]
        return context, tests

    def close(self, context: Context) -> None:
        """Note the reads and the number of slots of a context."""
        self.reads.extend(reads_in_terms(context.reads, self.terms))
        context.reads.clear()
        self.size = max(self.size, len(context.slots))

    def checked(
        self, context: Context, node: ast.Expr, type_: Type, typed: Typed | None = None
    ) -> Expr:
        """An expression of this type, in the slots common to all texts."""
        typed = held_to(context, node, typed or context.check(node, type_), type_)
        self.sound &= typed.sound
        return substitute(typed.expr, self.terms)

    def condition(self, context: Context, node: ast.Expr) -> Expr:
        """A condition, in the slots common to all texts."""
        typed = condition(context, node)
        if typed.sound:
            warn_if_constant(context, node, typed.expr)
        self.sound &= typed.sound
        self.facts |= typed.yes
        return substitute(typed.expr, self.terms)

    def mark_of(self, text: AbilityText, node: ast.SyntaxNode) -> ast.Span:
        """The span in a text that uses the next keyword, or is the ability `node` itself."""
        after = self.texts[self.texts.index(text) + 1 :]
        call = after[0].call if after else None
        return call.span if call is not None else node.span

    def _tests_of_bearing(self) -> list[Expr]:
        entity = self.bearers.entity(self.texts[0])
        if self.alone or (entity not in (None, self.about) and not is_unknown(self.about)):
            return []
        found = self.bearers.bearing(self.texts[0], self.slot, len(self.first), self.listed)
        if found is None:
            return []
        here = self.texts[-1].passage.place(self.at)
        self.reads.extend(replace(read, place=here) for read in found[1])
        self.borne = found[0]
        return [found[0]]

    def _context(self, text: AbilityText, outer: Context | None) -> Context:
        """A context with `self`, and `this` or the parameters of the keyword, bound."""
        context = self.bearers.make(text.passage, text.item.id, ())
        for name in self.first:
            context.hidden_slot(name)
        place = text.passage.place((0, 0))
        args: tuple[Expr, ...] | None = None
        if text.callee is not None and outer is not None and text.call is not None:
            args = self._arguments(outer, text)
            self.close(outer)
        self.terms = {}
        known = [*self._bearer(place), *self._this(context, text)]
        if text.callee is not None:
            fresh = [context.hidden_slot(param.name) for param in text.callee.params]
            known += [
                Local(param.name, slot, param.type, place, "a parameter", used=True)
                for slot, param in zip(fresh, text.callee.params, strict=True)
            ]
            self.terms |= dict(zip(fresh, args, strict=True)) if args is not None else {}
        for local in known:
            context.enter(local)
        return context

    def _bearer(self, place: Place) -> list[Local]:
        """The local `self`; for a lasting effect its bearer, unless the slot is filled otherwise."""
        lasting = self.lasting if self.listed else None
        if lasting is not None and lasting.on is None:
            return []
        if lasting is not None:
            self.terms[self.slot] = lasting.kept(LIES_ON, ("slot", self.instance))
        return [Local(SELF, self.slot, self.about, place, "who bears it", used=True)]

    def _this(self, context: Context, text: AbilityText) -> list[Local]:
        """The local `this`, the thing that the item makes; of unknown type in an unused keyword."""
        symbols, place = self.bearers.symbols, text.passage.place((0, 0))
        if self.lasting is not None:
            return self._kept(context, self.lasting, place, text)
        kind = symbols.made_by(self.texts[0].item)
        if not text.names_this or not (kind or self.alone):
            return []
        slot = context.hidden_slot(THIS)
        self.terms[slot] = self.bearers.this(self.texts[0])
        made = UNKNOWN if self.alone else Type(kind)
        return [Local(THIS, slot, made, place, "the item", used=True, broken=self.alone)]

    def _kept(
        self, context: Context, lasting: Lasting, place: Place, text: AbilityText
    ) -> list[Local]:
        """The effect and the values it keeps, without its bearer; in a keyword `this` alone."""
        this: Expr = ("slot", self.instance)
        found = [Local(THIS, self.instance, lasting.entity, place, "the effect", used=True)]
        if text.callee is not None:
            return found if text.names_this else []
        for name, (type_, kept) in lasting.known(this).items():
            if name != SELF:
                slot = context.hidden_slot(name, type_)
                self.terms[slot] = kept
                found.append(Local(name, slot, type_, place, "kept by the effect", used=True))
        return found

    def _arguments(self, outer: Context, text: AbilityText) -> tuple[Expr, ...] | None:
        assert text.callee is not None
        assert text.call is not None
        found = outer.arguments(text.call, text.callee, text.call.args)
        if found is None or any(mentions(one, BROKEN) for one in found):
            self.sound = False
            return None
        told = tuple(substitute(one, self.terms) for one in found)
        written = written_arguments(text.callee, text.call.args)
        self.sound &= hold_to_bounds(outer, text.callee, text.call, written, told)
        return told
