"""Checks of a case's steps against its game: answers by name of prompt, and steps of a notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ruleloom.compiler.cases.case_file import REMARKS, THEN
from ruleloom.compiler.cases.case_values import (
    CaseValues,
    Fault,
    each,
    entries,
    fault,
    scalar,
    unknown,
)
from ruleloom.compiler.cases.case_words import (
    FIRST,
    NONE,
    SPAN,
    WAY,
    PromptForm,
    Prompts,
    StepForm,
    folded,
)
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.ir import Use
from ruleloom.runtime.program.program import Routine
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import DICE, INT, PLAYER, Type

NOBODY = "nobody"
ROLLED = (INT, DICE)  # types whose prompts may be answered by faces of dice


def _used_by(routines: Mapping[str, Routine], ids: Iterable[str]) -> frozenset[str]:
    """The powers of the game that these routines use."""
    rows = chain.from_iterable(routines[id].rows for id in ids)
    return frozenset(
        row.routine for row in rows if isinstance(row, Use) and row.routine in routines
    )


class CaseAnswers(CaseValues):
    """The checks of one case's answers, and claims about prompts."""

    own: Prompts | None = None  # the prompts of its texts; None if unknown

    def askings(self, name: str) -> set[PromptForm] | None:
        """The forms of the prompts of this name; None where any answer is possible."""
        return self.prompts.of(name) | self.own.of(name) if self.own is not None else None

    def is_asked(self, name: str, where: YamlNode, idle: bool = False) -> bool:
        """Whether a prompt of this name may exist; reports the name if none does."""
        askings = self.askings(name)
        if askings is None or askings:
            return True
        message = f"nothing asks for `{name}`"
        answers = self.prompts.by_question.get(folded(name))
        if answers is not None and not idle:
            help = f"this question is answered as {' or '.join(f'`{one}`' for one in answers)}"
            self.tell("unknown-name", where, message, help)
            return False
        known = [*(self.own.by_name if self.own is not None else ()), *self.prompts.by_name]
        message += ", so this claims nothing" if idle else ""
        found = unknown(where, message, folded(name), known)
        found = replace(found, help=found.help or self._asked_by_powers())
        self.add(replace(found, code="idle-claim") if idle else found)
        return False

    def _asked_by_powers(self) -> str | None:
        """The help that lists what the powers ask for that its texts use, the nearest first."""
        routines = {one.id: one for one in (*self.game.build.routines, *self.routines)}
        reached = dict.fromkeys(one.id for one in self.routines)
        while more := _used_by(routines, reached).difference(reached):
            reached |= dict.fromkeys(sorted(more))
        names = list(self.game.prompts_in(routines[id] for id in reached).by_name)
        return f"asked for here: {quoted_list(names)}" if names else None

    def _asked(self, node: YamlNode | None) -> Iterator[tuple[str, YamlNode]]:
        """The entries of a map of prompts, reporting unknown ones."""
        return ((key, one) for key, one, where in entries(node) if self.is_asked(key, where))

    def check_answers(self, answers: YamlNode | None) -> None:
        """Check the answers of a step: a mapping, or a list in strict order."""
        for one in each(answers) if answers is not None else ():
            for name, node in self._asked(one):
                self._check_answer(name, node, one.kind == "map")

    def _check_answer(self, name: str, node: YamlNode, in_turn: bool = False) -> None:
        """Check an answer, several `in_turn`, or one for each player."""
        askings = self.askings(name)
        if askings is None:
            return
        takes_lists = any(one.type.many or one.type in ROLLED for one in askings)
        if node.kind == "list" and not (in_turn or takes_lists):
            message = f"one answer to `{name}` is wanted here, and no list"
            self.tell("type-mismatch", node, message)
        elif node.kind == "list":
            for one in node.items:
                self._check_answer(name, one)
        elif node.kind != "map":
            self.add(self.why_no_answer(name, askings, node))
        else:
            self._check_of_each(name, askings, node)

    def _check_of_each(self, name: str, askings: Iterable[PromptForm], node: YamlNode) -> None:
        """Check the answers by player, which only secret prompts have."""
        is_secret = any(one.secret for one in askings)
        if not is_secret:
            message = f"`{name}` is not answered by several players at once"
            self.tell("type-mismatch", node, message, f"`{name}: ANSWER`")
        for _, said in self.by_player(node) if is_secret else ():
            self._check_answer(name, said)

    def why_no_answer(self, name: str, askings: Iterable[PromptForm], node: YamlNode) -> Fault:
        """The fault of an answer to a prompt of this name, if no form of the prompt takes it."""
        found = [self._why_not_asked(asking, node) for asking in askings]
        if None in found or len(found) == 1:
            return None if None in found else found[0]
        known = [one for form in askings for one in form.labels or self.candidates(form.type)]
        word = scalar(node)
        return unknown(node, f"`{word}` is no answer to `{name}`", word, known)

    def _why_not_asked(self, asking: PromptForm, node: YamlNode) -> Fault:
        word = scalar(node) if node.kind not in ("map", "list") else ""
        if not asking.labels:
            # Anything without a name in the case may be written as a token, `A2E@0/1`.
            is_shown = "@" in word and asking.type.name in self.symbols.entities
            return None if is_shown else self.why_not(asking.type, node)
        if node.kind in ("map", "list"):
            return fault("type-mismatch", node, "one of the ways is wanted here")
        if any("{" in label or slug(word) == slug(label) for label in asking.labels):
            return None
        return unknown(node, f"no way is called `{word}`", word, asking.labels)

    # ---------------------------------------------------------------------- claims about prompts

    def check_whom(self, whom: YamlNode) -> None:
        """Check the players, one or several in turn, of each prompt."""
        for _, node in self._asked(whom):
            for one in each(node):
                if scalar(one) != NOBODY:
                    self._check_players(one)

    def _check_players(self, node: YamlNode) -> None:
        """Check one player, or several who are asked together."""
        words, players = scalar(node).split(", "), self.names.players
        faults = (self.why_not_word(PLAYER, node, word) for word in words)
        found = next(filter(None, faults), None)
        if found is not None and did_you_mean(scalar(node), [NOBODY]):
            found = unknown(node, found.message, scalar(node), [*players, NOBODY])
        self.add(found)

    def check_offers(self, offers: YamlNode) -> None:
        """Check the options of each prompt."""
        for name, node in self._asked(offers):
            self._check_offer(name, node)

    def _check_offer(self, name: str, node: YamlNode) -> None:
        """Check a list of options; `2 .. 30` is a span of numbers."""
        askings = self.askings(name)
        for one in node.items if askings is not None else ():
            word = scalar(one)
            if one.kind == "list":
                self._check_offer(name, one)
            elif not (SPAN.fullmatch(word) or word in (NONE, "a text")):
                self.add(self.why_no_answer(name, askings or (), one))

    def check_unasked(self, unasked: YamlNode) -> None:
        """Report names that no prompt can have, as the claim is then idle."""
        for one in unasked.items:
            self.is_asked(scalar(one), one, idle=True)

    def check_asked(self, asked: YamlNode) -> None:
        """Check a prompt's name, players and options."""
        name, of, offered = (asked.get(key) for key in ("name", "of", "offered"))
        if name is None or self.is_asked(scalar(name), name):
            if of is not None:
                self._check_players(of)
            if offered is not None and name is not None:
                self._check_offer(scalar(name), offered)


# ---------------------------------------------------------------------------- steps of a notation


class CaseSteps(CaseAnswers):
    """The checks of one case's steps in the notation of a game.

    Words in the reason of a refusal are `free`: they may be options nowhere. In a clause of a ledger,
    whose reason is stated elsewhere, an enum's word is not checked.
    """

    free: frozenset[str] = frozenset()
    is_ledger = False

    def check_step(self, step: YamlNode) -> None:
        """Check one step."""
        key = next((one for one in self.words.keys if one in step.entries), None)
        first = next(iter(step.entries))
        misspelt = first not in self.words.keys and did_you_mean(first, self.words.keys)
        if key is None or misspelt:
            self.add(self._no_form(step))
        else:
            self._check_form(step, key)

    def _check_form(self, step: YamlNode, key: str) -> None:
        node = step.entries[key]
        word = scalar(node) if node.kind not in ("map", "list") else "*"
        form = self.words.form(key, word)
        if form is None:
            known = [*self.words.words_of(key), *self.words.powers]
            found = unknown(node, f"`{key}: {word}` is no step", word, known)
            listed = quoted_list(self.words.words_of(key))
            by_id = f"there are {listed}; a way or an action of a pack goes by its id"
            self.add(found if found.help else replace(found, help=by_id))
        elif form.together:
            if node.kind != "map":
                message = f"`{form.key}` says what each player chooses"
                self.tell("type-mismatch", node, message, "`{A: ..., B: ...}`")
            for _, said in self.by_player(node):
                self.add(self._wrong_fact(form, form.together, said))
        else:
            for name, said, where in entries(step):
                if name != key:
                    self._check_key(form, name, said, where)

    def _no_form(self, step: YamlNode) -> Diagnostic:
        (first, _, where), *_ = entries(step)
        if not self.words.forms:
            message = "a step of this game is written `{do: EFFECT}`"
            return fault("unknown-field", where, message, did_you_mean(first, ["do"]))
        for name, _, at in entries(step):
            help = did_you_mean(name, self.words.keys)
            if help is not None:
                return fault("unknown-field", at, f"a step has no `{name}`", help)
        message = f"a step has one of the keys {', '.join(self.words.keys)}"
        return fault("unknown-field", where, message)

    def _check_key(self, form: StepForm, name: str, node: YamlNode, where: YamlNode) -> None:
        if name in form.claims:
            lies_in = form.claims[name]["lies_in"]
            if scalar(node) not in lies_in:
                message = f"`{name}` is one of {', '.join(lies_in)}, not {{}}"
                self.tell_unknown(node, message, lies_in)
        elif name in form.keys:
            self._check_facts(form, name, node)
        elif name in self.words.inside:
            if node.kind != "bool":
                self.want("`true`", node)
        elif name == WAY:
            self._check_ways(node)
        elif name == FIRST and self.prompts.of(FIRST):
            self.add(self._wrong_fact(form, FIRST, node))
        elif name not in (*REMARKS, THEN):
            self.add(self._unknown_key(form, name, where))

    def _check_ways(self, node: YamlNode) -> None:
        modes = self.prompts.labels
        for one in (one for one in each(node) if slug(scalar(one)) not in modes):
            self.tell_unknown(one, "no way is called {}", modes.values())

    def _unknown_key(self, form: StepForm, name: str, where: YamlNode) -> Diagnostic:
        known = [*form.keys, *form.claims, *self.words.inside]
        message = f"a step `{form.key}: {form.word}` has no `{name}`"
        found = unknown(where, message, name, known)
        elsewhere = None if did_you_mean(name, known) else self._asked_elsewhere(form.key, name)
        return replace(found, help=elsewhere) if elsewhere else found

    def _asked_elsewhere(self, key: str, name: str) -> str | None:
        """The help for a name that another step answers."""
        key = "power" if "power" in self.words.keys else key
        for power in sorted(self.words.powers):
            form = self.words.form(key, power)
            if form is not None and name in form.keys:
                return f"`{{{key}: {power}, {name}: ...}}` answers that, as a step of its own"
        if self.prompts.of(name):
            return f"`answers: {{{name}: ...}}` beside `do:` answers that"
        return None

    def _check_facts(self, form: StepForm, name: str, node: YamlNode) -> None:
        choice = form.keys[name]
        if isinstance(choice, str):
            self.add(self._wrong_fact(form, choice, node))
        elif node.kind != "list" or len(node.items) > len(choice):
            self.tell("type-mismatch", node, f"`{name}` takes a list of at most {len(choice)}")
        else:
            for one, said in zip(choice, node.items, strict=False):
                self.add(self._wrong_fact(form, one, said))

    def _wrong_fact(self, form: StepForm, choice: str, node: YamlNode) -> Fault:
        """The fault of a step's answer: neither a value of the choice's type nor a word for one."""
        if node.kind == "map":
            return self._wrong_of_each(form, choice, node)
        words = [*form.words.get(choice, ()), *self.words.same_as]
        free = {NONE, *words, *self.free}
        types = [one.type for one in self.prompts.of(choice)]
        takes_lists = {one.many for one in types} == {True}
        if takes_lists and node.kind != "list" and scalar(node) not in free:
            return fault("type-mismatch", node, f"`{choice}` takes a list", f"`[{node.raw}]`")
        wrong = (
            self._wrong_fact(form, choice, one)  # one of several sets, or rounds of secret answers
            if one.kind in ("list", "map")
            else self._wrong_answer(choice, types, one, words)
            for one in each(node)
            if scalar(one) not in free
        )
        return next(filter(None, wrong), None)

    def _wrong_of_each(self, form: StepForm, choice: str, node: YamlNode) -> Fault:
        """The fault of answers by player, which only secret choices take."""
        if not any(one.secret for one in self.prompts.of(choice)):
            return fault("type-mismatch", node, f"one answer to `{choice}` is wanted here")
        found = (self._wrong_fact(form, choice, said) for _, said in self.by_player(node))
        return next(filter(None, found), None)

    def _wrong_answer(
        self, choice: str, types: Iterable[Type], node: YamlNode, words: Sequence[str]
    ) -> Fault:
        """The fault of a value that is of none of these types."""
        items = {one.item for one in types}
        if self.is_ledger and all(one.name in self.symbols.enums for one in items):
            return None
        found = list(filter(None, (self.why_not(one, node) for one in items)))
        if not found or len(found) < len(items):
            return None
        word = scalar(node)
        known = [*chain.from_iterable(map(self.candidates, items)), *words]
        if len(found) == 1:
            help = did_you_mean(word, known) or found[0].help
            return fault(found[0].code, node, found[0].message, help)
        return unknown(node, f"`{word}` is no answer to `{choice}`", word, known)
