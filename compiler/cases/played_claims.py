"""Holds the claims of a case that is played in steps against the notation and the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ruleloom.compiler.cases.answer_checks import AnswerChecks
from ruleloom.compiler.cases.case_model import ABOUT_THINGS, OF_THINGS, REMARKS, THEN
from ruleloom.compiler.cases.case_values import Faults, fault, some, unknown
from ruleloom.compiler.cases.case_words import NONE, number_in
from ruleloom.compiler.cases.claim_checks import LINES, LOG, wrong_counts, wrong_secrets
from ruleloom.compiler.cases.known_names import NOWHERE, Key, Where, entries, scalar
from ruleloom.compiler.cases.log_words import CaseLog, wrong_lines
from ruleloom.compiler.cases.played_checks import PlayedChecks
from ruleloom.compiler.resolve.values import folded, key_node
from ruleloom.compiler.schema.expected_values import how_to_write
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import PLAYER, Type

OUTCOME = ("legal", "reason", "drawn")  # whose form says all
ENDS = ("winner", "won", "ranking")


class PlayedClaims:
    """The claims of one case."""

    def __init__(self, checks: PlayedChecks, log: Callable[[], CaseLog]) -> None:
        self.checks, self.log = checks, log
        self.values, self.words, self.symbols = checks.values, checks.words, checks.symbols
        self.answers = AnswerChecks(checks.values, self.values.names.game.prompts_in(()))

    def faults_of_steps(self, steps: Iterable[YamlNode]) -> Faults:
        """The mistakes in the claims of steps; that one is refused is said of the whole case."""
        for then in filter(None, (step.get(THEN) for step in steps)):
            if then.kind != "map":
                yield fault("type-mismatch", then, "`then` is a mapping of claims")
                continue
            for name in ("legal", "reason"):
                if name in then.entries:
                    message = f"`{name}` is said in `then` of the case, and not of a step"
                    yield fault("unknown-field", Key(then, name), message)
            yield from self.faults(then)

    def faults(self, then: YamlNode) -> Faults:
        """The mistakes in all of `then`."""
        checks: Mapping[str, Callable[[YamlNode], Faults]] = {
            **dict.fromkeys(ENDS, self._wrong_players),
            "asked": self._wrong_players,
            "offered": self._wrong_offer,
            "sizes": self._wrong_sizes,
            "everywhere": self._wrong_entities,
            "records": self._wrong_records,
            "printed": self._wrong_printed,
            "sees": self._wrong_sight,
            "unseen": lambda node: wrong_secrets(self.values, node),
            "whom": self.answers.wrong_askings,
            "offers": self.answers.wrong_offers,
            "unasked": self.answers.wrong_unasked,
            "done": lambda node: wrong_counts(self.values, node),
            **dict.fromkeys(LINES, lambda node: wrong_lines(self.log, node)),
        }
        for name, node in then.entries.items():
            if name not in OUTCOME:
                yield from self._wrong_part(checks, name, node, Key(then, name))

    def _wrong_part(
        self,
        checks: Mapping[str, Callable[[YamlNode], Faults]],
        name: str,
        node: YamlNode,
        where: Where,
    ) -> Faults:
        entry = self.words.then.get(name)
        if entry is not None:
            yield from self._wrong_claim(entry, node)
        elif name in (*self.words.counts, *self.words.stops):
            if node.kind != "int":
                help = how_to_write(node, ("integer",))
                yield fault("type-mismatch", node, "a whole number is wanted here", help)
        elif name in checks:
            yield from checks[name](node)
        elif name in OF_THINGS:
            yield fault("unknown-name", where, f"`then` has no `{name}` here", ABOUT_THINGS)
        elif name not in (*OUTCOME, *REMARKS):
            known = [*self.words.then, *self.words.counts, *self.words.stops, *checks, *OUTCOME]
            yield unknown(where, f"`then` has no `{name}`", name, known)

    def _wrong_claim(self, entry: Mapping[str, Any], node: YamlNode) -> Faults:
        if "token" in entry:
            yield from self.checks.wrong_tokens(entry["token"], node)
        elif "zone" in entry:
            yield from self.checks.wrong_zone(entry["zone"], node, True)
        elif "scope" in entry:
            yield from self._wrong_variable(entry["scope"], node)
        elif "measure" in entry:
            yield from self._wrong_measure(entry["measure"], entry["for_each"], node)
        elif "first_true" in entry:
            yield from self._wrong_words(entry["first_true"], node)

    def _wrong_variable(self, name: str, node: YamlNode) -> Faults:
        type_ = self.symbols.scope[name].type
        if scalar(node) == NONE or node.kind == "null":
            return
        for one in node.items if node.kind == "list" and type_.many else [node]:
            yield from some(self.checks.wrong(type_.item, one))

    def _wrong_measure(self, name: str, over: list[str], node: YamlNode) -> Faults:
        """A number for each thing, or one for each number of a span."""
        if node.kind != "map":
            yield fault("type-mismatch", node, "a number for each is wanted here")
            return
        result = self.symbols.callables[name].result or Type("Int")
        for key, said, where in entries(node):
            found = self.values.why_not_word(Type(over[0]), node, key, where)
            if found is not None:
                yield found
            elif len(over) == 1:
                yield from some(self.values.why_not(result, said))
            else:
                yield from self._wrong_span(result, over[1], said)

    def _wrong_span(self, result: Type, name: str, node: YamlNode) -> Faults:
        span = self.words.spans[name]
        wanted = span["to"] - span["from"] + 1
        if node.kind != "list" or len(node.items) != wanted:
            message = f"a list of {wanted} numbers is wanted here"
            yield fault("type-mismatch", node, message)
            return
        for one in node.items:
            yield from some(self.values.why_not(result, one))

    def _wrong_words(self, words: Mapping[str, str], node: YamlNode) -> Faults:
        measure = self.symbols.callables[next(iter(words.values()))]
        if node.kind != "map":
            message = f"a word for each {self.symbols.noun(measure.params[0].type)} is wanted here"
            yield fault("type-mismatch", node, message)
        for point, said, _ in entries(node):
            found = self.values.why_not(measure.params[0].type, key_node(node, point))
            if found is not None:
                yield found
            elif said.kind != "null" and scalar(said) not in words:
                message = f"`{scalar(said)}` is no word for it"
                yield unknown(said, message, scalar(said), words)

    def _wrong_players(self, node: YamlNode) -> Faults:
        for one in node.items if node.kind == "list" else [node]:
            if one.kind == "list":
                yield from self._wrong_players(one)
            elif scalar(one) not in (NONE, ""):
                for word in scalar(one).split(", "):
                    yield from some(self.values.why_not_word(PLAYER, one, word, one))

    def _wrong_offer(self, node: YamlNode) -> Faults:
        known = self._all_answers()
        for one in items_of(node):
            word = scalar(one)
            if self._may_be_offered(word, known):
                continue
            yield unknown(one, f"nothing that is asked can offer `{word}`", word, known)

    def _all_answers(self) -> list[str]:
        prompts = self.values.names.game.prompts.by_name.values()
        askings = {asking for found in prompts for asking in found}
        labels = [slug(label) for asking in askings for label in asking.labels]
        names = [one for asking in askings for one in self.values.candidates(asking.type)]
        return list(dict.fromkeys([*labels, *names, "yes", "no", "do", "skip", NONE]))

    def _may_be_offered(self, word: str, known: list[str]) -> bool:
        stem = word.partition("#")[0]
        if stem in known or number_in(word) is not None or "/" in word:
            return True
        tokens = (self.checks.tokens.why_not(one, stem, NOWHERE) for one in self.words.tokens)
        return any(found is None for found in tokens)

    def _wrong_sizes(self, node: YamlNode) -> Faults:
        for name, said, where in entries(node):
            zone = self.symbols.zones.get(name)
            if zone is None:
                yield unknown(where, f"there is no zone `{name}`", name, self.symbols.zones)
                continue
            if said.kind == "map" and not zone.per_player:
                yield fault("type-mismatch", said, "a whole number is wanted here")
            for player, _, at in entries(said) if zone.per_player else ():
                yield from some(self.values.why_no_player(player, at, said))

    def _wrong_entities(self, node: YamlNode) -> Faults:
        lying = {zone.of for zone in self.symbols.zones.values()}
        for name, _, where in entries(node):
            if name not in lying:
                yield unknown(where, f"nothing called `{name}` lies in zones", name, lying)

    def _wrong_records(self, node: YamlNode) -> Faults:
        """The names that items of each kind have made."""
        for kind, said, where in entries(node):
            entity = self.symbols.kinds.get(kind)
            if not entity:
                yield unknown(where, f"there is no kind `{kind}`", kind, self.symbols.kinds)
            else:
                yield from some(self.values.why_not(Type(entity, many=True), said))

    def _wrong_printed(self, node: YamlNode) -> Faults:
        """The printed values of things, by field."""
        for name, said, where in entries(node):
            fields = [one for one in self.symbols.fields.get(name, {}).values() if one.static]
            if not fields:
                static = [
                    one
                    for one, of in self.symbols.fields.items()
                    if any(each.static for each in of.values())
                ]
                yield unknown(where, f"nothing has a `{name}` printed on it", name, static)
                continue
            for thing, value, _ in entries(said):
                types = [Type(one.entity) for one in fields]
                wrong = [self.values.why_not(one, key_node(said, thing)) for one in types]
                if all(wrong) and wrong[0] is not None:
                    yield wrong[0]
                else:
                    yield from some(self.values.why_not(fields[0].type, value))

    def _wrong_sight(self, node: YamlNode) -> Faults:
        """What each player sees: of zones, or of the rest of the table."""
        for viewer, said, where in entries(node):
            yield from some(self.values.why_no_player(viewer, where, node))
            for name, seen, at in entries(said):
                zone = self.symbols.zones.get(folded(name))
                if zone is None and name == LOG:
                    yield from wrong_lines(self.log, seen)
                elif zone is None:
                    known = [*self.symbols.zones, LOG]
                    yield unknown(at, f"there is no zone `{name}`", name, known)
                else:
                    yield from self._wrong_seen(zone.name, seen)

    def _wrong_seen(self, zone: str, node: YamlNode) -> Faults:
        info = self.symbols.zones[zone]
        if node.kind == "int":
            return
        if info.at:
            yield from self.checks.wrong_zone(zone, node, True)
            return
        for player, part, where in entries(node):
            if (found := self.values.why_no_player(player, where, node)) is not None:
                yield found
            elif part.kind != "int":
                yield from self._wrong_held(info.of, part)
        if node.kind != "map":
            yield from self._wrong_held(info.of, node)

    def _wrong_held(self, of: str, node: YamlNode) -> Faults:
        if node.kind != "list" or any(one.kind == "int" for one in node.items):
            message = "a list, or how many there are, is wanted here"
            yield fault("type-mismatch", node, message, how_to_write(node, ("integer",)))
        else:
            yield from some(self.values.why_not(Type(of, many=True), node))
