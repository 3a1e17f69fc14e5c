"""Holds the claims of a case about things or effect text against the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ruleloom.compiler.cases.answer_checks import AnswerChecks
from ruleloom.compiler.cases.case_values import (
    CaseValues,
    Fault,
    Faults,
    fault,
    some,
    unknown,
    unknown_item,
)
from ruleloom.compiler.cases.case_words import name_and_words, number_in
from ruleloom.compiler.cases.given_checks import wrong_key, wrong_zones
from ruleloom.compiler.cases.known_names import (
    Key,
    Where,
    WordOfKey,
    entries,
    scalar,
)
from ruleloom.compiler.cases.log_words import CaseLog, wrong_lines
from ruleloom.compiler.resolve.symbols import FieldSymbol, Signature
from ruleloom.compiler.resolve.values import folded
from ruleloom.compiler.schema.expected_values import how_to_write, how_to_write_number
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.program.values import PLAYER, Type

LOG = "log"
LINES = (LOG, "unlogged")


class ClaimChecks:
    """The claims of one case."""

    def __init__(
        self, values: CaseValues, answers: AnswerChecks, log: Callable[[], CaseLog]
    ) -> None:
        self.values, self.answers, self.log = values, answers, log
        self.symbols = values.names.game.symbols

    def faults(self, then: YamlNode | None) -> Faults:
        """The mistakes in all of `then`, of the case or of one of its steps."""
        checks: Mapping[str, Callable[[YamlNode], Faults]] = {
            "numbers": self.wrong_numbers,
            "unmet": self.wrong_requirements,
            "asked": self.answers.wrong_question,
            "whom": self.answers.wrong_askings,
            "offers": self.answers.wrong_offers,
            "unasked": self.answers.wrong_unasked,
            "zones": lambda node: wrong_zones(self.values, node),
            "there": self.wrong_things,
            "sees": self.wrong_sight,
            "unseen": lambda node: wrong_secrets(self.values, node),
            **dict.fromkeys(LINES, lambda node: wrong_lines(self.log, node)),
            "done": lambda node: wrong_counts(self.values, node),
            "over": self.wrong_end,
            "odds": self.wrong_odds,
        }
        for name, node, _ in entries(then):
            check = checks.get(name)
            if check is not None:
                yield from check(node)

    # -------------------------------------------------------------------------------- numbers

    def wrong_numbers(self, numbers: YamlNode) -> Faults:
        """Stats, measures, fields and variables, each with its value, or those of a thing."""
        for name, node, where in entries(numbers):
            if node.kind != "map":
                yield from some(self._wrong_number(name, node, where, ""))
                continue
            if not self.values.names.entities_of(name) and not self._may_be_there(name):
                message = f"there is no thing or player `{name}`"
                known = [*self.values.names.all_names(), *self.symbols.named]
                yield from some(unknown_item(self.values.names, where, message, name, known))
                continue
            for asked, said, at in entries(node):
                yield from some(self._wrong_number(asked, said, at, name))

    def _may_be_there(self, name: str) -> bool:
        names = self.values.names
        made = names.game.made_in_play
        return any(names.may_be_named(one, name) for one in made)

    def _wrong_number(self, asked: str, node: YamlNode, where: Key, thing: str) -> Fault:
        name, words = name_and_words(asked)
        slug = folded(name)
        variable = self.symbols.scope.get(slug)
        if variable is not None and not thing and not words:
            return self._wrong_value(variable.type, node)
        fields = self.symbols.fields.get(slug)
        if fields:
            return self._wrong_field(fields, words, node, where, thing)
        callee = self.symbols.callables.get(slug)
        if callee is None or callee.result is None:
            return self._unknown_number(name, asked, where, thing)
        return self._wrong_call(callee, words, node, where, thing)

    def _wrong_field(
        self,
        fields: Mapping[str, FieldSymbol],
        words: tuple[str, ...],
        node: YamlNode,
        where: Key,
        thing: str,
    ) -> Fault:
        entities = self.values.names.entities_of(thing)
        own = [field for entity, field in fields.items() if not thing or entity in entities]
        if not own and entities:
            name = next(iter(fields.values())).name
            return unknown(where, f"`{thing}` has no `{name}`", name, self._of_thing(entities))
        field = (own or list(fields.values()))[0]
        wrong = wrong_key(self.values, field, words, node, where)
        return wrong or self._wrong_value(field.type, node)

    def _of_thing(self, entities: tuple[str, ...]) -> list[str]:
        """What there is to claim about a thing."""
        fields = [
            name
            for entity in entities
            if entity in self.symbols.entities
            for name in self.symbols.entities[entity].fields
        ]
        callables = self.symbols.callables.items()
        about = [
            name for name, one in callables if one.params and one.params[0].type.name in entities
        ]
        return [*fields, *about]

    def _unknown_number(self, name: str, asked: str, where: Where, thing: str) -> Fault:
        known = [*self.symbols.callables, *self.symbols.fields]
        known += [] if thing else self.symbols.scope
        message = f"there is no stat, measure or field `{name or asked}`"
        return unknown_item(self.values.names, where, message, name or asked, known)

    def _wrong_call(
        self, callee: Signature, words: tuple[str, ...], node: YamlNode, where: Key, thing: str
    ) -> Fault:
        assert callee.result is not None
        about_thing = bool(thing) or len(words) != len(callee.params)
        params = callee.params[1:] if about_thing else callee.params
        if len(words) != len(params) or (about_thing and not callee.params):
            takes = ", ".join(f"{one.name}: {one.type}" for one in params)
            message = f"`{callee.name}` of a thing takes ({takes})"
            return fault("missing-argument", where, message)
        for param, word in zip(params, words, strict=True):
            at = WordOfKey(where, word)
            if not (param.type.optional and word == "none"):
                found = self.values.why_not_word(param.type, node, word, at)
                if found is not None:
                    return found
        if thing and callee.params[0].type.name not in self._entities(thing):
            message = f"`{thing}` is nothing that has a `{callee.name}`"
            return unknown(where, message, callee.name, self._of_thing(self._entities(thing)))
        return self._wrong_value(callee.result, node)

    def _entities(self, thing: str) -> tuple[str, ...]:
        names = self.values.names
        made = tuple(one for one in names.game.made_in_play if names.may_be_named(one, thing))
        return names.entities_of(thing) + made

    def _wrong_value(self, type_: Type, node: YamlNode) -> Fault:
        """The mistake in a claimed value; `none` can be of any type."""
        if type_.name in ("Int", "Fraction") and not type_.many and node.kind == "text":
            is_none = type_.optional and scalar(node) == "none"
            fine = is_none or number_in(scalar(node)) is not None
            message = f"a number is wanted here, and not `{scalar(node)}`"
            help = how_to_write_number(scalar(node))
            return None if fine else fault("type-mismatch", node, message, help)
        return self.values.why_not(type_, node)

    # -------------------------------------------------------------------------------- the rest

    def wrong_requirements(self, unmet: YamlNode) -> Faults:
        """The ids of requirements."""
        items = self.values.names.game.build.content.by_kind("requirement")
        known = {folded(one.name): one.name for one in items}
        for one in items_of(unmet):
            word = folded(scalar(one).rpartition("/")[2])
            if word not in known:
                message = f"there is no requirement `{scalar(one)}`"
                yield unknown(one, message, scalar(one), known.values())

    def wrong_things(self, there: YamlNode) -> Faults:
        """For each entity that play makes, what all are called."""
        made = self.values.names.game.made_in_play
        for kind, named, where in entries(there):
            if kind not in made:
                yield unknown(where, f"nothing makes a `{kind}` in play", kind, made)
            elif named.kind != "list":
                message = f"a list of {made[kind].plural} is wanted here"
                yield fault("type-mismatch", named, message)
            else:
                for one in named.items:
                    yield from some(self.values.why_not(Type(kind), one))

    def wrong_sight(self, sees: YamlNode) -> Faults:
        """What each player sees of zones: what lies there, or how much."""
        zones_of = {name: zone for name, zone in self.symbols.zones.items() if not zone.at}
        for viewer, zones, where in entries(sees):
            yield from some(self.values.why_no_player(viewer, where, sees))
            for name, node, at in entries(zones):
                zone = zones_of.get(folded(name))
                if zone is None and name == LOG:
                    yield from wrong_lines(self.log, node)
                elif zone is None:
                    yield unknown(at, f"there is no zone `{name}`", name, zones_of)
                elif zone.per_player != (node.kind == "map"):
                    what = "each player's part" if zone.per_player else "what lies there"
                    message = f"`{name}` is {what}: a list, or a number"
                    yield fault("type-mismatch", node, message)
                else:
                    yield from self._wrong_parts(zone.of, node)

    def _wrong_parts(self, of: str, node: YamlNode) -> Faults:
        for player, part, where in entries(node):
            yield from some(self.values.why_no_player(player, where, node))
            yield from self._wrong_parts(of, part)
        if node.kind == "list" and not any(one.kind == "int" for one in node.items):
            yield from some(self.values.why_not(Type(of, many=True), node))
        elif node.kind not in ("int", "map"):
            message = f"a list of {self.symbols.entities[of].plural} or their number is wanted here"
            yield fault("type-mismatch", node, message, how_to_write(node, ("integer",)))

    def wrong_end(self, over: YamlNode) -> Faults:
        """Who has won, or the order of all."""
        for part in ("winner", "won", "ranking"):
            node = over.get(part)
            for one in _flat(node) if node is not None else ():
                yield from some(self.values.why_not(PLAYER, one))

    def wrong_odds(self, odds: YamlNode) -> Faults:
        """The chance of each condition."""
        for node in odds.entries.values():
            if number_in(scalar(node)) is None:
                yield fault("type-mismatch", node, "a chance is wanted here", "`1/6`")


def wrong_counts(values: CaseValues, done: YamlNode) -> Faults:
    """Operations, each with how often it was done."""
    operations = values.names.game.symbols.operations
    known = [name for name, one in operations.items() if one.kind != "moment"]
    for name, _, where in entries(done):
        if name not in known:
            yield unknown(where, f"there is no operation `{name}`", name, known)


def wrong_secrets(values: CaseValues, unseen: YamlNode) -> Faults:
    """For each player, things of a kind of which some lie where not all see them."""
    names = values.names
    zones = names.game.symbols.zones.values()
    kinds = sorted({zone.of for zone in zones if zone.seen_by != "all"})
    known = [name for kind in kinds for name in names.names_of(kind)]
    for viewer, things, where in entries(unseen):
        yield from some(values.why_no_player(viewer, where, unseen))
        for one in items_of(things):
            word = scalar(one)
            if not any(names.is_of(kind, word) for kind in kinds):
                message = f"nothing called `{word}` can be hidden, so this claims nothing"
                help = unknown(one, message, word, known).help
                yield fault("idle-claim", one, message, help)


def _flat(node: YamlNode) -> Iterator[YamlNode]:
    if node.kind == "list":
        for one in node.items:
            yield from _flat(one)
    else:
        yield node
