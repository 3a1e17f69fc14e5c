"""Checks of all cases of the packs: their form first, then the names and values in them.

A built game and the files of scenarios go in; mistakes come out, which leave the game itself
playable. Names are only checked if the game is sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

from ruleloom.compiler.cases.case_file import (
    ABOUT_THINGS,
    ANSWERS,
    ATTEMPT,
    BECAUSE,
    BUILD,
    DO,
    OF_THINGS,
    PLAYED,
    PROSE,
    REASON,
    REMARKS,
    THEN,
    Case,
    file_of_cases,
    names_in_cases,
    stated,
)
from ruleloom.compiler.cases.case_values import (
    Fault,
    GameNames,
    OwnNames,
    each,
    entries,
    fault,
    part_of,
    scalar,
    unknown,
)
from ruleloom.compiler.cases.case_words import (
    DONE,
    NO_OFFER,
    NONE,
    NotationWords,
    folded,
    name_and_words,
    number_in,
    slug_of,
)
from ruleloom.compiler.cases.claimed_words import LOG, WordsOfOthers
from ruleloom.compiler.cases.given_checks import CaseGiven
from ruleloom.compiler.cases.log_words import CaseLog, LogWords
from ruleloom.compiler.cases.step_checks import CaseSteps
from ruleloom.compiler.cases.thing_checks import CaseThings
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.lint.cited_clauses import Ledger, cited_by, told
from ruleloom.compiler.lint.deprecated import deprecated_in_cases
from ruleloom.compiler.lint.notation import Ways
from ruleloom.compiler.lower.program import Build, notation_of
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, Signature
from ruleloom.compiler.resolve.values import key_node
from ruleloom.compiler.schema.expected_values import how_to_write, how_to_write_number
from ruleloom.compiler.yaml.node import YamlNode, empty_map, items_of
from ruleloom.runtime.program.expr import reasons_of
from ruleloom.runtime.program.program import Zone
from ruleloom.runtime.program.values import INT, PLAYER, Type

USUAL_PLAYERS = 2  # of a case played in steps without `players`
# The claims of every case, of one about things or texts, and of one about a table in play. The check of
# each is the method `check_NAME`.
OF_ANY = (
    *("numbers", "whom", "offers", "unasked", LOG, "unlogged", "done", "sees", "unseen"),
    BECAUSE,
)
OF_TEXTS = ("unmet", "asked", "zones", "there", "over", "odds")
OF_TABLES = (
    *("winner", "won", "ranking", "asked", "offered"),
    *("sizes", "everywhere", "records", "printed"),
)
OUTCOME = ("legal", REASON, "drawn")  # claims whose form needs no further check


def check_cases(build: Build, report: Report) -> None:
    """Report the mistakes in all cases."""
    content = build.content
    checks = CaseChecks(build) if content.cases and build.is_sound else None
    before = len(build.symbols.uses.found)
    for path, root in content.cases.items():
        if not build.report.has_errors_in(path):
            file = file_of_cases(root)
            report.take(file.found)
            if checks is not None:
                report.take(one for case in file.sound for one in checks.faults(case))
                report.take(checks.words_of(path).told_of(file.sound))
    if checks is not None:
        words = chain.from_iterable(map(names_in_cases, content.cases.values()))
        deprecated_in_cases(build, words, [*build.symbols.uses][before:], report)


def clauses_to_prove(content: Content, pack: str) -> tuple[str, ...]:
    """The clauses that the cases of a pack have to prove: its own, and those that its items cite."""
    ledger = Ledger(content)
    items = [item for item in content.items if item.pack == pack]
    cited = (node.text or "" for item in items for node in cited_by(item))
    own = (id for id, item in ledger.clauses.items() if item.pack == pack)
    return tuple(one for one in dict.fromkeys((*cited, *own)) if not ledger.needs_none(one))


def clauses_told(contents: Iterable[Content]) -> dict[str, tuple[Item, str]]:
    """The clauses declared by packs, each with its text and its place in the book."""
    ledgers = (Ledger(one).clauses for one in contents)
    return {id: (item, told(item)) for clauses in ledgers for id, item in clauses.items()}


class CaseChecks:
    """The checks of the cases of one game."""

    def __init__(self, build: Build) -> None:
        self.game = GameNames(build)
        self._words: dict[str, WordsOfOthers] = {}
        self.ledger = Ledger(build.content)
        # The notation may leave out powers, triggers and ways.
        ways, notation = Ways(build), notation_of(build.content, build.symbols.zones.values())
        for id in build.checked:
            ways.call(slug_of(id), id)
        self.words = NotationWords(
            notation, ways.powers, lambda power: {name: name for name in ways.asked([power])}
        )

    @cached_property
    def log(self) -> LogWords:
        """The possible lines and words of the game's log."""
        return LogWords(self.game)

    def words_of(self, path: str) -> WordsOfOthers:
        """What cases of a file can claim of words that its pack does not choose."""
        build, pack = self.game.build, self.game.pack_of(path)
        if pack not in self._words:
            parts = build.content, pack, build.routines, build.entities, self.game.prompts
            self._words[pack] = WordsOfOthers(*parts)
        return self._words[pack]

    def faults(self, case: Case) -> Sequence[Diagnostic]:
        """The mistakes in a case whose form is sound."""
        found = list(
            self.ledger.faults(case.node.get("clauses"), self.game.pack_of(case.node.source.path))
        )
        if case.form == PROSE:
            return found
        claims = CaseClaims(self, case)
        claims.check_played() if case.form == PLAYED else claims.check_tried()
        return [*found, *claims.found]

    def faults_of_given(self, given: YamlNode) -> Sequence[Diagnostic]:
        """The mistakes in the `given` of an effect text outside any case."""
        entries = {"given": given, THEN: empty_map(given.source, given.start)}
        body = YamlNode(given.source, "map", entries, given.start, given.end)
        return self.faults(replace(Case.of(body, body), form=ATTEMPT))


class CaseClaims(CaseGiven, CaseThings, CaseSteps):
    """The checks of one whole case, and of its claims."""

    def __init__(self, checks: CaseChecks, case: Case) -> None:
        self.is_played = case.form == PLAYED
        words = checks.words if self.is_played else NotationWords()
        usual = USUAL_PLAYERS if self.is_played else 0
        super().__init__(OwnNames(checks.game, case.body, words, usual), words)
        self.case, self.checks = case, checks
        self.given = case.body.get("given") or empty_map(case.body.source, case.body.start)
        self.then = case.body.entries[THEN]
        self.steps = items_of(case.body.get("when"))

    @cached_property
    def log(self) -> CaseLog:
        """The log of the case."""
        parts = [step.get(key) for step in self.steps for key in (DO, ANSWERS)]
        nodes = [one for one in (self.case.body.get("given"), *parts) if one is not None]
        return CaseLog(self.checks.log, self.names.own_texts, self.names.players, nodes)

    def check_tried(self) -> None:
        """Check a case about things, or one that tries effect text."""
        case, zones = self.case, self.given.get("zones")
        self.check_players(self.given)
        may_go_beyond = case.refused or (case.form == BUILD and case.is_meant_illegal)
        self.check_choices(self.given, may_go_beyond)
        if case.refused:
            return
        self.check_things(self.given)
        if case.form == ATTEMPT:
            self.check_state(self.given)
            self.check_made(self.given)
            self.check_zones(zones)
            self.check_laid_once(zones)
            self._check_texts()
            self.names.own_texts |= self.texts
        self.own = None if self.is_broken else self.game.prompts_in(self.routines)
        for step in self.steps:
            self.check_answers(step.get(ANSWERS))
            self.check_claims(step.get(THEN))
        self.check_claims(self.then)

    def _check_texts(self) -> None:
        """Check the texts of the steps, and the conditions of `odds`."""
        odds = [where for _, _, where in entries(self.then.get("odds"))]
        for number, step in enumerate(self.steps, 1):
            text, asked = step.entries[DO], odds if number == len(self.steps) else []
            if (text.text or "").strip() in self.game.flows:
                self.check_conditions(asked)
            else:
                self.check_do(text, asked)

    def check_played(self) -> None:
        """Check a case that is played in steps of the notation."""
        case, fresh, reason = self.case, self.given.get("fresh"), self.then.get(REASON)
        if not case.illegal and "players" in self.given.entries:
            self.check_players(self.given)
        self.check_choices(self.given, case.is_meant_illegal)
        self.check_position(self.given, fresh is not None and bool(fresh.value))
        self.free = frozenset((reason.text or "").split() if reason is not None else ())
        self.is_ledger = case.illegal and not stated(case) and case.is_example
        for step in self.steps:
            self.check_step(step)
        self.own = self.game.prompts_in(())
        for then in filter(None, (step.get(THEN) for step in self.steps)):
            self._check_claims_of_step(then)
        self.check_claims(self.then)

    def _check_claims_of_step(self, then: YamlNode) -> None:
        """Check the claims of a played case's step; `legal` and `reason` belong to the whole case."""
        if then.kind != "map":
            self.tell("type-mismatch", then, "`then` is a mapping of claims")
        for name in (one for one in ("legal", REASON, BECAUSE) if one in then.entries):
            message = f"`{name}` is said in `then` of the case, and not of a step"
            self.tell("unknown-field", key_node(then, name), message)
        self.check_claims(then)

    def check_claims(self, then: YamlNode | None) -> None:
        """Check the claims of a case or of one of its steps."""
        words, claims = self.words, (*OF_ANY, *(OF_TABLES if self.is_played else OF_TEXTS))
        for name, node, where in entries(then):
            if name in words.then:
                self._check_own(words.then[name], node)
            elif name in claims:
                getattr(self, f"check_{name}")(node)
            elif not self.is_played:
                continue
            elif name in (*words.counts, *words.stops):
                self.hold(INT, node)
            elif name in OF_THINGS:
                self.tell("unknown-name", where, f"`then` has no `{name}` here", ABOUT_THINGS)
            elif name not in (*OUTCOME, *REMARKS):
                known = [*words.then, *words.counts, *words.stops, *claims, *OUTCOME]
                self.tell_unknown(where, "`then` has no {}", known)

    # ------------------------------------------------------------------- claims of any case

    def check_log(self, told: YamlNode) -> None:
        """Check parts of log lines: one that the log can never have claims nothing."""
        for one in told.items:
            if one.kind == "map":
                self._check_event(one)
                continue
            wrong = self.log.why_not(scalar(one))
            if wrong is not None:
                word, message, help = wrong
                where, message = part_of(one, word), f"{message}, so this claims nothing"
                self.tell("idle-claim", where, message, help)

    check_unlogged = check_log

    def _check_event(self, event: YamlNode) -> None:
        """Check the name of an operation, and the facts that are claimed of it."""
        for name, facts in self.named(event, self._operations, "there is no operation {}"):
            operation = self.symbols.operations[name]
            types = {one.name: one.type for one in operation.params}
            types |= {"me": PLAYER} | ({"result": operation.result} if operation.result else {})
            if facts.kind != "map":
                help = f"`{{{name}: {{{next(iter(types))}: ...}}}}`"
                self.want("a mapping of what is claimed of it", facts, help)
            for fact, said in self.named(facts, types, f"`{name}` has no {{}}"):
                self.add(self._wrong_value(types[fact], said))

    @property
    def _operations(self) -> list[str]:
        operations = self.symbols.operations.items()
        return [name for name, one in operations if one.kind != "moment"]

    def check_because(self, names: YamlNode) -> None:
        """Check the names of what refuses, or of where that is."""
        own = chain.from_iterable(map(reasons_of, () if self.is_broken else self.routines))
        offered = (*NO_OFFER, *self.words.names) if self.is_played else ()
        named = (*offered, *(name for one in own for name in one.names))
        known = {**self.game.refusing, **dict.fromkeys(named)}
        for one in each(names):
            if folded(scalar(one)) not in known:
                self.tell_unknown(one, "nothing is refused for {}", known)

    def check_done(self, done: YamlNode) -> None:
        """Check the names of operations."""
        list(self.named(done, self._operations, "there is no operation {}"))

    def check_unseen(self, unseen: YamlNode) -> None:
        """Check that each thing is of a kind that some zone hides from some player."""
        kinds = sorted({zone.of for zone in self.symbols.zones.values() if zone.seen_by != "all"})
        known = [name for kind in kinds for name in self.names.names_of(kind)]
        for one in chain.from_iterable(items_of(things) for _, things in self.by_player(unseen)):
            word, of = scalar(one), self.names.entities_of(scalar(one))
            if not any(kind in of or self.names.may_be_named(kind, word) for kind in kinds):
                message = f"nothing called `{word}` can be hidden, so this claims nothing"
                self.add(replace(unknown(one, message, word, known), code="idle-claim"))

    def check_sees(self, sees: YamlNode) -> None:
        """Check each player's view: things in zones or their number, and log lines."""
        for _, zones in self.by_player(sees):
            for name, node, at in entries(zones):
                zone = self.symbols.zones.get(folded(name))
                if zone is None and name == LOG:
                    self._check_read(node)
                elif zone is None or (zone.at and not self.is_played):
                    self.tell_unknown(at, "there is no zone {}", [*self.symbols.zones, LOG])
                elif zone.at:
                    self.check_map(zone, node, True)
                else:
                    self._check_seen(zone, name, node)

    def _check_read(self, lines: YamlNode) -> None:
        """Check what a player reads of the log: words, as these show what is hidden."""
        for one in (one for one in lines.items if one.kind == "map"):
            self.want("a part of a line as it is read", one)
        self.check_log(replace(lines, value=[one for one in lines.items if one.kind != "map"]))

    def _check_seen(self, zone: Zone, name: str, node: YamlNode) -> None:
        if zone.parted != (node.kind == "map"):
            what = f"the part of each {self.keys_of(zone)}" if zone.parted else "what lies there"
            self.tell("type-mismatch", node, f"`{name}` is {what}: a list, or a number")
            return
        parts = self.by_part(zone, node) if zone.parted else [("", node)]
        for part in (part for _, part in parts if part.kind != "int"):
            if part.kind == "list" and not any(one.kind == "int" for one in part.items):
                self.hold(Type(zone.of, many=True), part)
            else:
                what = f"a list of {self.symbols.entities[zone.of].plural} or their number"
                self.want(what, part, how_to_write(part, ("integer",)))

    # ---------------------------------------------------------- claims about things and texts

    def check_numbers(self, numbers: YamlNode) -> None:
        """Check claimed values of stats, measures, fields and variables, alone or by thing."""
        for name, node, where in entries(numbers):
            if node.kind != "map":
                self.add(self._wrong_number(name, node, where, ""))
            elif self._entities(name):
                for asked, said, at in entries(node):
                    self.add(self._wrong_number(asked, said, at, name))
            else:
                message = f"there is no thing or player `{name}`"
                known = [*self.names.all_names(), *self.symbols.named]
                self.add(self.no_item(where, message, name, known))

    def _entities(self, thing: str) -> tuple[str, ...]:
        made = (one for one in self.game.made_in_play if self.names.may_be_named(one, thing))
        return (*self.names.entities_of(thing), *made)

    def _wrong_number(self, asked: str, node: YamlNode, where: YamlNode, thing: str) -> Fault:
        name, words = name_and_words(asked)
        slug = folded(name)
        variable = self.symbols.scope.get(slug)
        if variable is not None and not thing and not words:
            return self._wrong_value(variable.type, node)
        if fields := self.symbols.fields.get(slug):
            field = self._field_of(fields, thing)
            if field is None:
                known = self._of_thing(self.names.entities_of(thing))
                return unknown(where, f"`{thing}` has no `{slug}`", slug, known)
            return self.why_no_key(field, words, where) or self._wrong_value(field.type, node)
        callee = self.symbols.callables.get(slug)
        if callee is not None and callee.result is not None:
            return self._wrong_claim_of_call(callee, words, node, where, thing)
        return self._no_number(where, name or asked, thing)

    def _no_number(self, where: YamlNode, name: str, thing: str) -> Fault:
        known = [*self.symbols.callables, *self.symbols.fields]
        known += [] if thing else self.symbols.scope
        return self.no_item(where, f"there is no stat, measure or field `{name}`", name, known)

    def _field_of(self, fields: Mapping[str, FieldSymbol], thing: str) -> FieldSymbol | None:
        """The field that is meant of a thing; None if the thing has none of these."""
        entities = self.names.entities_of(thing)
        own = [field for entity, field in fields.items() if not thing or entity in entities]
        return next(iter(own or (() if entities else fields.values())), None)

    def _of_thing(self, entities: Sequence[str]) -> list[str]:
        """The fields and callables of a thing."""
        known = self.symbols.entities
        fields = [name for one in entities if one in known for name in known[one].fields]
        callables = self.symbols.callables.items()
        return fields + [
            name for name, one in callables if one.params and one.params[0].type.name in entities
        ]

    def _wrong_claim_of_call(
        self, callee: Signature, words: Sequence[str], node: YamlNode, where: YamlNode, thing: str
    ) -> Fault:
        assert callee.result is not None
        about_thing = bool(thing) or len(words) != len(callee.params)
        params = callee.params[1:] if about_thing else callee.params
        if about_thing + len(words) != len(callee.params):
            takes = ", ".join(f"{one.name}: {one.type}" for one in params)
            message = f"`{callee.name}` of a thing takes ({takes})"
            return fault("missing-argument", where, message)
        pairs = zip(params, words, strict=True)
        found = (self.why_not_word(one.type, part_of(where, said), said) for one, said in pairs)
        if (wrong := next(filter(None, found), None)) is not None:
            return wrong
        if thing and callee.params[0].type.name not in self._entities(thing):
            message = f"`{thing}` is nothing that has a `{callee.name}`"
            return unknown(where, message, callee.name, self._of_thing(self._entities(thing)))
        return self._wrong_value(callee.result, node)

    def _wrong_value(self, type_: Type, node: YamlNode) -> Fault:
        """The fault in a claimed value; `none` is allowed for any optional type, and a number is how long a
        list is."""
        if type_.many and node.kind == "int":
            return None
        if type_.name not in ("Int", "Fraction") or type_.many or node.kind != "text":
            return self.why_not(type_, node)
        word = scalar(node)
        if (type_.optional and word == NONE) or number_in(word) is not None:
            return None
        message = f"a number is wanted here, and not `{word}`"
        return fault("type-mismatch", node, message, how_to_write_number(word))

    def check_unmet(self, unmet: YamlNode) -> None:
        """Check the ids of requirements."""
        known = [one.name for one in self.game.build.content.by_kind("requirement")]
        for one in items_of(unmet):
            if folded(scalar(one).rpartition("/")[2]) not in map(folded, known):
                self.tell_unknown(one, "there is no requirement {}", known)

    def check_there(self, there: YamlNode) -> None:
        """Check the names of all things of each entity made in play."""
        for entity, named in self.of_made(there):
            if named.kind != "list":
                self.want(f"a list of {entity.plural}", named)
            for one in named.items:
                self.hold(Type(entity.name), one)

    def check_over(self, over: YamlNode) -> None:
        """Check the winners or the ranking."""
        for node in filter(None, map(over.get, ("winner", "won", "ranking"))):
            for one in _flat(node):
                self.hold(PLAYER, one)

    def check_odds(self, odds: YamlNode) -> None:
        """Check the claimed chances."""
        for node in odds.entries.values():
            if number_in(scalar(node)) is None:
                self.want("a chance", node, "`1/6`")

    # ----------------------------------------------------------- claims about a table in play

    def _check_own(self, entry: Mapping[str, Any], node: YamlNode) -> None:
        """Check a claim of the game's notation."""
        if "measure" in entry:
            self._check_measure(entry["measure"], entry["for_each"], node)
        elif "first_true" in entry:
            self._check_words(entry["first_true"], node)
        else:
            self.check_part(entry, node, True)

    def _check_measure(self, name: str, over: Sequence[str], node: YamlNode) -> None:
        """Check a number for each thing, or one for each number of a span."""
        if node.kind != "map":
            self.want("a number for each", node)
        result = self.symbols.callables[name].result or Type("Int")
        for _, said, key in entries(node):
            if not self.hold(Type(over[0]), key):
                continue
            if len(over) > 1:
                span = self.words.spans[over[1]]
                wanted = span["to"] - span["from"] + 1
                if said.kind != "list" or len(said.items) != wanted:
                    self.want(f"a list of {wanted} numbers", said)
                    continue
            for one in each(said) if len(over) > 1 else [said]:
                self.hold(result, one)

    def _check_words(self, words: Mapping[str, str], node: YamlNode) -> None:
        of = self.symbols.callables[next(iter(words.values()))].params[0].type
        if node.kind != "map":
            self.want(f"a word for each {self.symbols.noun(of)}", node)
        for _, said, point in entries(node):
            if self.hold(of, point) and said.kind != "null" and scalar(said) not in words:
                self.tell_unknown(said, "{} is no word for it", words)

    def check_winner(self, node: YamlNode) -> None:
        """Check players, one or more at each rank."""
        for one in _flat(node):
            for word in scalar(one).split(", ") if scalar(one) not in (NONE, "") else ():
                self.add(self.why_not_word(PLAYER, one, word))

    check_won = check_ranking = check_winner

    def check_asked(self, asked: YamlNode) -> None:
        """Check the player asked; without a notation, the prompt."""
        if self.is_played:
            self.check_winner(asked)
        else:
            super().check_asked(asked)

    def check_everywhere(self, everywhere: YamlNode) -> None:
        """Check the names of things that lie in zones."""
        lying = {zone.of for zone in self.symbols.zones.values()}
        list(self.named(everywhere, lying, "nothing called {} lies in zones"))

    def check_offered(self, node: YamlNode) -> None:
        """Check that each option can be one of some prompt."""
        types = {asking.type for found in self.prompts.by_name.values() for asking in found}
        names = [one for type_ in types for one in self.candidates(type_)]
        known = list(dict.fromkeys([*self.prompts.labels, *names, *DONE, NONE]))
        for one in items_of(node):
            stem = scalar(one).partition("#")[0]
            if stem not in known and not self._may_be_shown(scalar(one), stem):
                self.tell_unknown(one, "nothing that is asked can offer {}", known)

    def _may_be_shown(self, word: str, stem: str) -> bool:
        """Is it a number, a point, or a token in the notation's pattern?"""
        is_token = any(self.names.parts_of(one, stem) for one in self.words.tokens)
        return is_token or number_in(word) is not None or "/" in word

    def check_sizes(self, node: YamlNode) -> None:
        """Check the names of zones, and of the players who have one each."""
        for name, said in self.named(node, self.symbols.zones, "there is no zone {}"):
            zone = self.symbols.zones[name]
            if zone.parted:
                list(self.by_part(zone, said))
            elif said.kind == "map":
                self.want("a whole number", said)

    def check_records(self, node: YamlNode) -> None:
        """Check the names of records made by items of each kind."""
        kinds = {kind: entity for kind, entity in self.symbols.kinds.items() if entity}
        for kind, said, where in entries(node):
            if kind in kinds:
                self.hold(Type(kinds[kind], many=True), said)
            else:
                self.tell_unknown(where, "there is no kind {}", kinds)

    def check_printed(self, node: YamlNode) -> None:
        """Check the printed values of things, by field."""
        printed = {
            name: [one for one in of.values() if one.static]
            for name, of in self.symbols.fields.items()
            if any(one.static for one in of.values())
        }
        for name, said in self.named(node, printed, "nothing has a {} printed on it"):
            for _, value, thing in entries(said):
                wrong = [self.why_not(Type(one.entity), thing) for one in printed[name]]
                if all(wrong):
                    self.add(wrong[0])
                else:
                    self.hold(printed[name][0].type, value)


def _flat(node: YamlNode) -> Iterator[YamlNode]:
    for one in each(node):
        yield from _flat(one) if one.kind == "list" else [one]
