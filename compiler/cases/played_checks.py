"""Holds a case that is played in the steps of its game's notation against that and the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ruleloom.compiler.cases.case_model import REMARKS, THEN, CaseNode
from ruleloom.compiler.cases.case_values import (
    CaseValues,
    Fault,
    Faults,
    Tokens,
    fault,
    some,
    unknown,
)
from ruleloom.compiler.cases.case_words import NONE
from ruleloom.compiler.cases.given_checks import wrong_choices, wrong_players
from ruleloom.compiler.cases.known_names import Key, Where, entries, scalar
from ruleloom.compiler.cases.notation_words import (
    FIRST,
    GIVEN_TO_PLAY,
    WAY,
    NotationWords,
    StepForm,
)
from ruleloom.compiler.cases.prompts import PromptForm
from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.resolve.values import folded, key_node
from ruleloom.compiler.yaml.node import YamlNode, entries_of, items_of
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Type


class PlayedChecks:
    """The checks of one case; `words` is what its notation says."""

    def __init__(self, values: CaseValues, words: NotationWords, case: CaseNode) -> None:
        self.values, self.words, self.case = values, words, case
        self.game = values.names.game
        self.symbols = self.game.symbols
        self.tokens = Tokens(values, words.tokens)
        # What the reason of a refusal speaks of may be no option anywhere.
        reason = case.body.entries["then"].get("reason")
        self.refused = frozenset((reason.text or "").split() if reason is not None else ())

    @property
    def is_fresh(self) -> bool:
        """Does the case begin with a new game?"""
        given = entries_of(self.case.body.get("given"))
        return bool(getattr(given.get("fresh"), "value", False))

    def faults(self) -> Faults:
        """The mistakes in the case."""
        body = self.case.body
        given = body.get("given")
        if given is not None:
            if not self.case.illegal and "players" in given.entries:
                yield from wrong_players(self.values, given)
            yield from wrong_choices(self.values, given, self.case.is_meant_illegal)
            for name, node in given.entries.items():
                yield from self._wrong_part(given, name, node)
            if self.is_fresh:
                yield from self._wrongly_placed(given)
        for step in items_of(body.get("when")):
            yield from self._wrong_step(step)

    # -------------------------------------------------------------------------------- the position

    def _wrong_part(self, given: YamlNode, name: str, node: YamlNode) -> Faults:
        entry = self.words.given.get(name)
        if entry is not None:
            if node.kind != "null":
                yield from self._wrong_position(entry, node)
        elif name == "dice":
            for one in node.items:
                if one.kind != "int":
                    yield from some(self._wrong_any(one))
        elif name not in GIVEN_TO_PLAY:
            known = [*self.words.given, *GIVEN_TO_PLAY]
            message = f"`given` has no `{name}`"
            if not self.words.forms:
                message = f"{message}: a step of this game is written `{{do: EFFECT}}`"
            yield unknown(Key(given, name), message, name, known)

    def _wrongly_placed(self, given: YamlNode) -> Faults:
        """The parts of `given` that set-up places in a new game; only piles can be stacked."""
        for name, node, where in entries(given):
            entry = self.words.given.get(name, {})
            zone = self.symbols.zones.get(entry.get("zone", ""))
            placed = zone is not None and not zone.lazy
            said = "token" in entry or ("scope" in entry and scalar(node) != NONE)
            if node.kind != "null" and (placed or said):
                message = f"a fresh game takes no `{name}`: set-up places it"
                yield fault("unknown-field", where, message)

    def _wrong_position(self, entry: Mapping[str, Any], node: YamlNode) -> Faults:
        if "zone" in entry:
            yield from self.wrong_zone(entry["zone"], node)
        elif "token" in entry:
            yield from self.wrong_tokens(entry["token"], node)
        elif "scope" in entry:
            variable = self.symbols.scope[entry["scope"]]
            if scalar(node) != NONE:
                yield from some(self.wrong(variable.type, node))
        elif "order_after" in entry:
            lazy = [zone.of for zone in self.symbols.zones.values() if zone.lazy]
            yield from self._wrong_list(lazy[0], node)
        elif "setting" in entry:
            setting = self.symbols.settings[entry["setting"]]
            yield from some(self.values.why_not(setting.type, node))

    def wrong_zone(self, name: str, node: YamlNode, claimed: bool = False) -> Faults:
        """The mistakes in the contents of a zone."""
        zone = self.symbols.zones[name]
        if zone.at:
            yield from self._wrong_map(zone.of, zone.at, node, claimed)
        elif not zone.per_player:
            yield from self._wrong_list(zone.of, node)
        elif node.kind != "map":
            yield fault("type-mismatch", node, "a list for each player is wanted here")
        else:
            for player, held, where in entries(node):
                yield from some(self.values.why_no_player(player, where, node))
                yield from self._wrong_list(zone.of, held)

    def _wrong_list(self, of: str, node: YamlNode) -> Faults:
        if node.kind != "list":
            noun = self.symbols.nouns.get(of, ("", "things"))[1]
            yield fault("type-mismatch", node, f"a list of {noun} is wanted here", "`[...]`")
            return
        for one in node.items:
            yield from some(self.wrong(Type(of), one))

    def _wrong_map(self, of: str, at: str, node: YamlNode, claimed: bool) -> Faults:
        """What lies on points: a table by name, points with names, or what changes a table."""
        if node.kind != "map":
            if scalar(node) not in self.words.tables:
                message = f"there is no table `{scalar(node)}`"
                yield unknown(node, message, scalar(node), self.words.tables)
            return
        if not claimed and {"base", "set", "del"} & node.entries.keys():
            yield from self._wrong_changes(of, at, node)
            return
        yield from self._wrong_points(of, at, node, claimed)

    def _wrong_points(self, of: str, at: str, node: YamlNode, claimed: bool) -> Faults:
        """What lies on each point; that nothing does can only be claimed."""
        for point, held, where in entries(node):
            named = key_node(node, point)
            if (found := self.values.why_not(Type(at), named)) is not None:
                near = did_you_mean(point, ["base", "set", "del"])
                yield fault(found.code, where, found.message, near or found.help)
                continue
            if scalar(held) == NONE:
                if not claimed:
                    message = f"nothing can be put on {point}: `del: [{point}]` empties it"
                    yield fault("type-mismatch", where, message)
            else:
                yield from some(self.wrong(Type(of), held))

    def _wrong_changes(self, of: str, at: str, node: YamlNode) -> Faults:
        for name, part, where in entries(node):
            match name:
                case "base" | "set":
                    is_map = part.kind == "map"
                    if is_map != (name == "set"):
                        yield fault("type-mismatch", part, "points with names are wanted here")
                    elif is_map:
                        yield from self._wrong_points(of, at, part, False)
                    else:
                        yield from self._wrong_map(of, at, part, False)
                case "del":
                    if part.kind != "list":
                        yield fault("type-mismatch", part, "a list of points is wanted here")
                    for one in part.items:
                        yield from some(self.values.why_not(Type(at), one))
                case _:
                    message = f"a change of the table has no `{name}`"
                    yield unknown(where, message, name, ["base", "set", "del"])

    def wrong_tokens(self, entity: str, node: YamlNode) -> Faults:
        """The mistakes in a list of tokens."""
        if node.kind != "list":
            message = f"a list is wanted here, each written like {self.words.tokens[entity]}"
            yield fault("type-mismatch", node, message, "`[...]`")
            return
        for one in node.items:
            yield from some(self.wrong(Type(entity), one))

    def wrong(self, type_: Type, node: YamlNode) -> Fault:
        """The mistake in a value, a token among them."""
        if type_.name not in self.words.tokens:
            return self.values.why_not(type_, node)
        if node.kind in ("map", "list") and not type_.many:
            message = f"one is wanted here, written like {self.words.tokens[type_.name]}"
            return fault("type-mismatch", node, message)
        if type_.optional and scalar(node) == NONE:
            return None
        for one in node.items if node.kind == "list" else [node]:
            if self.tokens.why_not(type_.name, scalar(one), one) is not None:
                others = self._all_tokens()
                return self.tokens.why_not(type_.name, scalar(one), one, others)
        return None

    def _all_tokens(self) -> list[str]:
        given = entries_of(self.case.body.get("given"))
        keys = [key for key, entry in self.words.given.items() if "token" in entry]
        return [scalar(one) for key in keys for one in items_of(given.get(key))]

    def _wrong_any(self, node: YamlNode) -> Fault:
        """A name of anything that chance may take."""
        word = folded(scalar(node))
        known = self.game.entities_by_record
        if word in known or word in self.symbols.values or self.values.names.entities_of(word):
            return None
        names = [name for names in self.game.records.values() for name in names.values()]
        return unknown(node, f"there is nothing called `{scalar(node)}`", word, names)

    # -------------------------------------------------------------------------------- the steps

    def _wrong_step(self, step: YamlNode) -> Faults:
        key = next((one for one in self.words.keys if one in step.entries), None)
        first = next(iter(step.entries))
        misspelt = first not in self.words.keys and did_you_mean(first, self.words.keys)
        if key is None or misspelt:
            yield self._no_form(step)
        else:
            yield from self._wrong_form(step, key)

    def _wrong_form(self, step: YamlNode, key: str) -> Faults:
        node = step.entries[key]
        word = scalar(node) if node.kind not in ("map", "list") else "*"
        form = self.words.form(key, word)
        if form is None:
            message = f"`{key}: {word}` is no step"
            yield unknown(node, message, word, [*self.words.words_of(key), *self.words.powers])
        elif form.together:
            yield from self._wrong_together(form, node)
        else:
            for name, said, where in entries(step):
                if name != key:
                    yield from self._wrong_key(form, name, said, where)

    def _no_form(self, step: YamlNode) -> Diagnostic:
        first, where = next((name, where) for name, _, where in entries(step))
        if not self.words.forms:
            message = "a step of this game is written `{do: EFFECT}`"
            return fault("unknown-field", where, message, did_you_mean(first, ["do"]))
        known = [*self.words.keys]
        for name, _, at in entries(step):
            help = did_you_mean(name, known)
            if help is not None:
                return fault("unknown-field", at, f"a step has no `{name}`", help)
        message = f"a step has one of the keys {', '.join(known)}"
        return fault("unknown-field", where, message)

    def _wrong_together(self, form: StepForm, node: YamlNode) -> Faults:
        if node.kind != "map":
            message = f"`{form.key}` says what each player chooses"
            yield fault("type-mismatch", node, message, "`{A: ..., B: ...}`")
            return
        for player, said, where in entries(node):
            if (found := self.values.why_no_player(player, where, node)) is not None:
                yield found
            else:
                yield from some(self._wrong_fact(form, form.together, said))

    def _wrong_key(self, form: StepForm, name: str, node: YamlNode, where: Where) -> Faults:
        if name in form.claims:
            lies_in = form.claims[name]["lies_in"]
            if scalar(node) not in lies_in:
                message = f"`{name}` is one of {', '.join(lies_in)}, not `{scalar(node)}`"
                yield unknown(node, message, scalar(node), lies_in)
        elif name in form.keys:
            yield from self._wrong_facts(form, name, form.keys[name], node)
        elif name in self.words.inside:
            if node.kind != "bool":
                yield fault("type-mismatch", node, "`true` is wanted here")
        elif name == WAY:
            yield from self._wrong_ways(node)
        elif name == FIRST and self.game.prompts.of(FIRST):
            yield from some(self._wrong_fact(form, FIRST, node))
        elif name not in (*REMARKS, THEN):
            yield self._unknown_key(form, name, where)

    def _unknown_key(self, form: StepForm, name: str, where: Where) -> Diagnostic:
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
        if self.game.prompts.of(name):
            return f"`answers: {{{name}: ...}}` beside `do:` answers that"
        return None

    def _wrong_facts(
        self, form: StepForm, name: str, choice: str | list[str], node: YamlNode
    ) -> Faults:
        if isinstance(choice, str):
            yield from some(self._wrong_fact(form, choice, node))
        elif node.kind != "list" or len(node.items) > len(choice):
            yield fault("type-mismatch", node, f"`{name}` takes a list of at most {len(choice)}")
        else:
            for one, said in zip(choice, node.items, strict=False):
                yield from some(self._wrong_fact(form, one, said))

    def _wrong_fact(self, form: StepForm, choice: str, node: YamlNode) -> Fault:
        """The mistake in an answer: a value of what the choice asks for, or a word for one."""
        if node.kind == "map":
            return fault("type-mismatch", node, f"one answer to `{choice}` is wanted here")
        words = [*form.words.get(choice, ()), *self.words.same_as]
        free = {NONE, *words, *self.refused}
        askings = self.game.prompts.of(choice)
        takes_lists = bool(askings) and all(one.type.many for one in askings)
        if takes_lists and node.kind != "list" and scalar(node) not in free:
            return fault("type-mismatch", node, f"`{choice}` takes a list", f"`[{node.raw}]`")
        found: Fault = None
        for one in node.items if node.kind == "list" else [node]:
            if one.kind == "list":  # one of several sets
                found = self._wrong_fact(form, choice, one)
            elif scalar(one) not in free:
                found = self.wrong_answer(choice, askings, one, words)
            if found:
                return found
        return None

    def wrong_answer(
        self, choice: str, askings: Iterable[PromptForm], node: YamlNode, words: list[str]
    ) -> Fault:
        """The mistake in a value that none of these prompts may be answered with."""
        types = {asking.type.item for asking in askings}
        wrong = [self.wrong(type_, node) for type_ in types]
        found = [one for one in wrong if one is not None]
        if not found or len(found) < len(types):
            return None
        word = scalar(node) if node.kind not in ("map", "list") else node.raw
        known = [one for type_ in types for one in self.values.candidates(type_)]
        known += [*words, *(self._all_tokens() if types & self._written() else ())]
        near = did_you_mean(word, known)
        if len(found) == 1:
            return fault(found[0].code, node, found[0].message, near or found[0].help)
        return unknown(node, f"`{word}` is no answer to `{choice}`", word, known)

    def _written(self) -> set[Type]:
        return {Type(entity) for entity in self.words.tokens}

    def _wrong_ways(self, node: YamlNode) -> Faults:
        modes = self.game.prompts.labels
        for one in node.items if node.kind == "list" else [node]:
            if slug(scalar(one)) not in modes:
                yield unknown(one, f"no way is called `{scalar(one)}`", scalar(one), modes.values())
