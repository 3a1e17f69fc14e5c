"""Holds the answers of a step, and claims about prompts, against what the game can ask."""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.compiler.cases.case_values import CaseValues, Fault, Faults, fault, some, unknown
from ruleloom.compiler.cases.case_words import SPAN
from ruleloom.compiler.cases.known_names import Where, entries, scalar
from ruleloom.compiler.cases.prompts import PromptForm, Prompts
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.values import folded
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.values import DICE, INT, PLAYER

NOBODY = "nobody"
ROLLED = (INT, DICE)  # what is rolled may be answered by its faces


class AnswerChecks:
    """What a case says of prompts; `own` are those of its own texts, None where nobody knows them."""

    def __init__(self, values: CaseValues, own: Prompts | None) -> None:
        self.values, self.own = values, own
        self.prompts = values.names.game.prompts

    def askings(self, name: str) -> set[PromptForm] | None:
        """How a prompt of this name is asked; None where its answer can be anything."""
        return self.prompts.of(name) | self.own.of(name) if self.own is not None else None

    @property
    def _known(self) -> list[str]:
        return [*(self.own.by_name if self.own is not None else ()), *self.prompts.by_name]

    def wrong_name(self, name: str, where: Where) -> Fault:
        """The mistake in a name by which a prompt is called."""
        askings = self.askings(name)
        if askings is None or askings:
            return None
        message = f"nothing asks for `{name}`"
        answers = self.prompts.by_question.get(folded(name))
        if answers is not None:
            help = f"this question is answered as {' or '.join(f'`{one}`' for one in answers)}"
            return fault("unknown-name", where, message, help)
        return unknown(where, message, folded(name), self._known)

    def wrong_answers(self, answers: YamlNode | None) -> Faults:
        """The mistakes in the answers of a step: a mapping, or a list in strict order."""
        if answers is None:
            return
        for one in answers.items if answers.kind == "list" else [answers]:
            for name, node, where in entries(one):
                found = self.wrong_name(name, where)
                if found is not None:
                    yield found
                else:
                    yield from self._wrong_answer(name, node, one.kind == "map")

    def _wrong_answer(self, name: str, node: YamlNode, in_turn: bool = False) -> Faults:
        """An answer, several `in_turn`, or one of each player."""
        askings = self.askings(name)
        if askings is None:
            return
        if node.kind == "list":
            if not in_turn and not any(one.type.many or one.type in ROLLED for one in askings):
                message = f"one answer to `{name}` is wanted here, and no list"
                yield fault("type-mismatch", node, message)
                return
            for one in node.items:
                yield from self._wrong_answer(name, one)
        elif node.kind == "map":
            yield from self._wrong_secret(name, askings, node)
        else:
            yield from some(self.values.why_no_answer(name, askings, node))

    def _wrong_secret(self, name: str, askings: Iterable[PromptForm], node: YamlNode) -> Faults:
        if not any(one.secret for one in askings):
            message = f"`{name}` is not answered by several players at once"
            yield fault("type-mismatch", node, message, f"`{name}: ANSWER`")
            return
        for player, said, where in entries(node):
            yield from some(self.values.why_no_player(player, where, node))
            yield from self._wrong_answer(name, said)

    def wrong_askings(self, whom: YamlNode | None) -> Faults:
        """The mistakes in `whom`: prompts by name, each with a player or several in turn."""
        for name, node, where in entries(whom):
            found = self.wrong_name(name, where)
            if found is not None:
                yield found
                continue
            for one in node.items if node.kind == "list" else [node]:
                if scalar(one) != NOBODY:
                    yield from some(self._wrong_players(one))

    def _wrong_players(self, node: YamlNode) -> Fault:
        """One player, or several who are asked together."""
        words = scalar(node).split(", ")
        faults = (self.values.why_not_word(PLAYER, node, word, node) for word in words)
        found = next(filter(None, faults), None)
        if found is None or not did_you_mean(scalar(node), [NOBODY]):
            return found
        return unknown(node, found.message, scalar(node), [*self.values.names.players, NOBODY])

    def wrong_offers(self, offers: YamlNode | None) -> Faults:
        """The mistakes in `offers`: prompts by name, each with all that is on offer."""
        for name, node, where in entries(offers):
            found = self.wrong_name(name, where)
            if found is not None:
                yield found
            else:
                yield from self.wrong_offer(name, node)

    def wrong_offer(self, name: str, node: YamlNode) -> Faults:
        """The mistakes in a list of options; `2 .. 30` stands for numbers."""
        askings = self.askings(name)
        if askings is None:
            return
        for one in node.items:
            if one.kind == "list":
                yield from self.wrong_offer(name, one)
            else:
                yield from some(self._wrong_option(name, askings, one))

    def _wrong_option(self, name: str, askings: Iterable[PromptForm], node: YamlNode) -> Fault:
        word = scalar(node)
        if SPAN.fullmatch(word) or word in ("none", "a text"):
            return None
        return self.values.why_no_answer(name, askings, node)

    def wrong_unasked(self, unasked: YamlNode | None) -> Faults:
        """Names that nothing can ever be asked by: they would claim nothing."""
        for one in unasked.items if unasked is not None else ():
            name = scalar(one)
            askings = self.askings(name)
            if askings is not None and not askings:
                message = f"nothing asks for `{name}`, so this claims nothing"
                found = unknown(one, message, folded(name), self._known)
                yield fault("idle-claim", one, message, found.help)

    def wrong_question(self, asked: YamlNode | None) -> Faults:
        """The mistakes in `asked`: the name of a prompt, whom it is asked, what is on offer."""
        if asked is None:
            return
        name, of, offered = (asked.get(key) for key in ("name", "of", "offered"))
        if name is not None and (found := self.wrong_name(scalar(name), name)) is not None:
            yield found
            return
        if of is not None:
            yield from some(self._wrong_players(of))
        if offered is not None and name is not None:
            yield from self.wrong_offer(scalar(name), offered)
