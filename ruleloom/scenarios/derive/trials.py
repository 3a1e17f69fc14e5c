"""Trial runs of an item on variants of its tables: each becomes a draft of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from ruleloom.compiler.cases.case_file import Case, cases_in
from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import FieldSymbol, Symbols
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.ask import SOME_TEXT
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Modal, Program
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import SEVERAL
from ruleloom.scenarios.claims import Claims
from ruleloom.scenarios.derive.derived_tables import Seed, Variant
from ruleloom.scenarios.derive.mutate import Mutant, choices_of, file_of_cases
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.results import MISFITS
from ruleloom.scenarios.setup.position import Links, PositionSetup, chain_of, game_at
from ruleloom.scenarios.setup.state import ClaimedNumbers
from ruleloom.scenarios.steps.answers import asked_of, name_of, offered
from ruleloom.scenarios.steps.attempts import Attempt, Attempts
from ruleloom.scenarios.steps.search import play_step
from ruleloom.scenarios.steps.trial_program import has_ended

NAME = "derived"  # of the file in which derived cases stand
POWER = "power"
NOT_YET = {"legal": False}
MOST_SIGHTS, DEEP, WAYS, CHOICES = 16, 7, 5, 2
MOST_ASKED, MOST_WORDS = 400, 40
LONG = 3  # more numbers in a row than this are written as a span
# What a table raises that makes no sense, or that the rules refuse.
SENSELESS = (StepNotUnderstood, Refused, RuntimeFault, RecursionError, *MISFITS)


@dataclass(slots=True, eq=False)
class Draft:
    """A draft of a case: plain data, what is special about it, and the prompt it is about."""

    given: CaseData
    when: tuple[CaseData, ...]
    then: CaseData
    says: str
    about: str = ""
    offered: int = -1  # how many options there are; -1 where that is not the point
    kills: list[Mutant] = field(default_factory=list)  # those under which it fails as a case

    @property
    def size(self) -> int:
        """How much it says."""
        return len(repr((self.given, self.when, self.then)))


@dataclass(frozen=True, slots=True)
class WalkAnswer:
    """One answer: the prompt's name and kind, the answer as a case writes it, and its key."""

    name: str
    kind: str
    said: Any
    key: str


@dataclass(frozen=True, slots=True)
class Sight:
    """The prompt reached by some answers, or, with no name, the end."""

    path: tuple[WalkAnswer, ...]
    game: Game
    name: str = ""

    @property
    def offered(self) -> list[Any]:
        """The options as a case writes them, numbers in a row as a span."""
        numbers = [_plain(one) for one in offered(self.game)]
        whole = all(isinstance(one, int) for one in numbers)
        if whole and len(numbers) > LONG and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return [f"{numbers[0]} .. {numbers[-1]}"]
        return numbers

    @property
    def answers(self) -> CaseData | list[CaseData]:
        """The path as a case writes it: by name, or in turn where a name comes twice."""
        by_name = {one.name: one.said for one in self.path}
        if len(by_name) == len(self.path):
            return by_name
        return [{one.name: one.said} for one in self.path]

    @property
    def keys(self) -> list[str]:
        """The keys of the options."""
        return [one.key for one in self.game.prompt.options]


class Trials:
    """One game with one item in it, ready to be tried on tables."""

    def __init__(self, item: Item, program: Program, content: Content, symbols: Symbols) -> None:
        self.item, self.program, self.content, self.symbols = item, program, content, symbols
        self.names = frozenset(choices_of(item, content))  # the prompts of its choices
        self.notation = Notation(program)
        self.links = Links(program)
        self.changing: tuple[str, ...] = ()  # the stats that its abilities modify
        self._known: dict[str, tuple[Case, Attempts]] = {}

    def drafts(self, pairs: Sequence[tuple[Seed, Variant]]) -> list[tuple[Variant, list[Draft]]]:
        """The drafts of each table on which play gets anywhere."""
        self.make_ready([pair for pair in pairs if pair[0].does])
        found = []
        for seed, variant in pairs:
            with suppress(*SENSELESS):
                walked = self._does(seed, variant) if seed.does else self._plays(seed, variant)
                found.append((variant, list(walked)))
        return found

    def make_ready(self, pairs: Sequence[tuple[Seed, Variant]]) -> None:
        """Compile together what these tables need; state is no part of it."""
        wanted: dict[str, dict[str, Any]] = {}
        for seed, variant in pairs:
            made = _made_of(seed, variant)
            if made not in self._known and made not in wanted:
                about = {"id": f"t{len(wanted)}", "note": "", "then": NOT_YET}
                wanted[made] = {**about, "given": variant.given, "when": seed.when}
        if wanted:
            tree = tree_of_cases(list(wanted.values()), f"{NAME} {len(self._known)}")
            cases = cases_in(tree) or ()
            attempts = Attempts.of(self.content, cases)
            self._known.update(zip(wanted, ((case, attempts) for case in cases), strict=True))

    def attempt(self, seed: Seed, variant: Variant) -> Attempt:
        """The case of a table, ready to be begun. StepNotUnderstood if it cannot be."""
        case, attempts = self._known[_made_of(seed, variant)]
        if case.fault:
            raise StepNotUnderstood(case.fault)
        return attempts.attempt(replace(case, given=variant.given))

    def _does(self, seed: Seed, variant: Variant) -> Iterator[Draft]:
        attempt = self.attempt(seed, variant)
        state, node = attempt.last_step()
        guide = {folded(name): value for name, value in seed.answers.items()}
        for sight in walk(node, has_ended, guide):
            answers = {"answers": sight.answers} if sight.path else {}
            when = (*seed.when[:-1], {**seed.when[-1], **answers})
            draft = Draft(variant.given, when, {}, variant.says)
            if sight.name:
                asked = {"name": sight.name, "of": asked_of(sight.game), "offered": sight.offered}
                count = -1 if sight.game.node.writes else len(sight.keys)
                yield replace(draft, then={"asked": asked}, about=sight.name, offered=count)
                continue
            numbers = _changed(attempt, state, sight.game.node.state, self.changing)
            self._end(draft, sight, numbers)
            if draft.then:
                yield draft

    def _end(self, draft: Draft, sight: Sight, numbers: CaseData) -> None:
        """Claim of an end what has changed, and the choices that did not come up."""
        draft.then = {"numbers": numbers} if numbers else {}
        if self.names and not self.names & {one.name for one in sight.path}:
            draft.then = {**draft.then, "unasked": sorted(self.names)}
            draft.about, draft.offered = min(self.names), 0

    def _plays(self, seed: Seed, variant: Variant) -> Iterator[Draft]:
        table = PositionSetup(self.links, self.notation, variant.given).table()
        draft = Draft(variant.given, seed.when, {}, variant.says)
        for number, step in enumerate(seed.when, 1):
            after, reason = play_step(self.notation, table, step)
            if after is None:
                if number == len(seed.when):
                    yield replace(draft, then={"legal": False, "reason": reason}, offered=0)
                return
            table = after
        used = self.item.kind not in self.symbols.kinds
        for sight in walk(table.node, self._is_done, {}):
            more = self._step(sight.path)
            if sight.path and more is None:
                continue
            draft = replace(draft, when=(*seed.when, more) if more is not None else seed.when)
            if sight.name:
                then = {"asked": asked_of(sight.game), "offered": sorted(sight.keys)}
                yield replace(draft, then=then, about=sight.name, offered=len(sight.keys))
            elif (sight.path or used) and not sight.game.over:
                # What lies there is the outcome of something.
                there = Claims(self.notation, replace(table, node=sight.game.node)).tokens()
                yield replace(draft, then=there)

    def _is_done(self, node: PlayNode) -> bool:
        """Has the item nothing more to ask?"""
        asks = node.stop.kind == ASK and node.stop.state.frame is not None
        return not asks or node.chance or self.item.slug not in chain_of(node)

    def _step(self, path: Sequence[WalkAnswer]) -> CaseData | None:
        """A walk as a step of the notation; None if it is empty, or repeats a name."""
        # A way that was chosen has no name of its own in a step.
        ways = [one.key for one in path if one.kind in ("mode", "combine", "optional")]
        named = [one for one in path if one.kind not in ("mode", "combine", "optional")]
        if not path or len({one.name for one in named}) < len(named):
            return None
        keys = self.notation.keys
        key = POWER if POWER in keys or not keys else keys[0]
        form = self.notation.forms.get((key, self.item.slug))
        facts = {form.key_of(one.name) if form else one.name: one.said for one in named}
        return {key: self.item.name, **facts, **({"way": ways} if ways else {})}


def tree_of_cases(data: Sequence[CaseData], name: str = NAME) -> YamlNode:
    """Cases given as plain data, as the tree of a file of this name."""
    tree = compose(Source(name, file_of_cases(data, "")), Report())
    assert tree is not None
    return tree


def _made_of(seed: Seed, variant: Variant) -> str:
    """A key that is the same for all tables that are compiled alike."""
    given = {name: value for name, value in variant.given.items() if name != "state"}
    return repr((given, seed.when))


# --------------------------------------------------------------------------------------- walks


def walk(start: PlayNode, ended: Callable[[PlayNode], bool], guide: CaseData) -> Iterator[Sight]:
    """The sights from here, nearest first; `ended` tells whether the item is done at a node."""
    waiting: list[tuple[Game, tuple[WalkAnswer, ...]]] = [(game_at(start), ())]
    seen = 0
    while waiting and seen < MOST_SIGHTS:
        game, path = waiting.pop(0)
        seen += 1
        if ended(game.node):
            yield Sight(path, game)
            continue
        prompt = game.prompt
        if prompt.kind == "secret":
            continue
        name = name_of(game.node)
        if prompt.kind not in ("roll", "draw"):
            yield Sight(path, game, name)
        if len(path) < DEEP:
            for said, chosen in _tried(game, guide.get(folded(name))):
                answer = WalkAnswer(name, prompt.kind, said, chosen[0] if chosen else "")
                with suppress(Refused, RuntimeFault):
                    waiting.append((game.answer(prompt.id, chosen), (*path, answer)))


def _tried(game: Game, meant: Any) -> Iterator[tuple[Any, Sequence[str]]]:
    """The answers to try: the guided one if it is on offer, else a few that differ."""
    prompt = game.prompt
    if prompt.kind == "roll":
        count, sides = game.node.dice
        sums = (meant,) if isinstance(meant, int) else (count * sides, count)
        yield from ((total, (str(total),)) for total in sums)
    elif prompt.kind == "optional":
        yield from (("yes", ("do",)), ("no", ("skip",)))
    elif prompt.kind == "text":  # which has no options: a text is its own key, and none is empty
        text = meant if isinstance(meant, str) else SOME_TEXT
        yield text, (text,)
        if not prompt.least:
            yield "none", ("",)
    else:
        yield from _of_options(game, meant)


def _of_options(game: Game, meant: Any) -> Iterator[tuple[Any, Sequence[str]]]:
    """The option that is meant, else the first few and the last; of several, the first that are enough."""
    prompt = game.prompt
    labels = [_plain(label) for label in offered(game)]
    pairs = [(one, option.key) for one, option in zip(labels, prompt.options, strict=True)]
    least = max(1, prompt.least)
    if prompt.kind in SEVERAL:
        if len(pairs) >= least <= prompt.most:
            yield labels[:least], tuple(key for _, key in pairs[:least])
        return
    few = WAYS if isinstance(game.node.row, Modal) else CHOICES
    wanted = [one for one in pairs if meant is not None and folded(one[0]) == folded(meant)]
    some = pairs if len(pairs) <= few else [*pairs[: few - 1], pairs[-1]]
    yield from ((label, (key,)) for label, key in wanted[:1] or some)


def _plain(label: str) -> Any:
    return int(label) if label.removeprefix("-").isdigit() else label


# ------------------------------------------------------------------------------------- numbers


def _changed(
    attempt: Attempt, before: State, after: State, stats: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """The changed fields of the case's things, and these stats, which the item modifies."""
    found: dict[str, dict[str, Any]] = {}
    for thing, name, value in (*_fields(attempt, before, after), *asked_for(attempt, after, stats)):
        found.setdefault(thing, {})[name] = str(value) if isinstance(value, Fraction) else value
    return found


def asked_for(
    attempt: Attempt, state: State, stats: Sequence[str]
) -> Iterator[tuple[str, str, Any]]:
    """The values of these stats (`max_PI`, `fine(dodging)`), for each thing that has them."""
    numbers = ClaimedNumbers(attempt.symbols, attempt.words, state.world, state.scope)
    for thing in attempt.made.things:
        for name in stats:
            with suppress(StepNotUnderstood):
                value = numbers.value_of(name, thing)
                if isinstance(value, int | Fraction):
                    yield thing, name, value


def stats_of(attempt: Attempt) -> tuple[str, ...]:
    """All stats that a thing of the case has, expanded over the first values of a second parameter."""
    found: list[str] = []
    for name, callee in attempt.symbols.callables.items():
        types = [one.type.name for one in callee.params]
        is_stat = callee.kind in ("stat", "rule") and not callee.broken
        if not is_stat or not types or types[0] not in attempt.made.things.values():
            continue
        if len(types) == 1:
            found.append(name)
        elif len(types) == 2:
            found += [f"{name}({word})" for word in _plain_words(attempt, types[1])[:MOST_WORDS]]
    return tuple(found[:MOST_ASKED])


def _plain_words(attempt: Attempt, type_name: str) -> list[str]:
    """The values of a type that are neither things of cases nor parts of things."""
    words = attempt.symbols.enums.get(type_name) or attempt.linked.layout.names.get(type_name, ())
    return [word for word in words if "__" not in word and "." not in word]


def _fields(attempt: Attempt, before: State, after: State) -> Iterator[tuple[str, str, Any]]:
    """The changed fields of things and players, but for lists; of tables, the changed entries."""
    layout = attempt.linked.layout
    people = dict.fromkeys(layout.players, "Player")
    for thing, entity in {**people, **attempt.made.things}.items():
        number = attempt.words.number(entity, thing)
        for name, symbol, place in _changing(attempt, entity) if number is not None else ():
            old, new = (state.world[place][number] for state in (before, after))
            if isinstance(new, FrozenMap):
                for key, value in _entries(layout.names.get(symbol.by), old, new):
                    yield thing, f"{name}({key})", value
            elif old != new:
                yield thing, name, attempt.words.shown(after.world, symbol.type, new)


def _changing(attempt: Attempt, entity: str) -> Iterator[tuple[str, FieldSymbol, int]]:
    """The fields of an entity that play changes, but for lists, each with its place in the world."""
    for name, fields in attempt.symbols.fields.items():
        symbol, place = fields.get(entity), attempt.linked.layout.index.get(f"{entity}.{name}")
        if symbol is not None and place is not None and not (symbol.static or symbol.type.many):
            yield name, symbol, place


def _entries(
    names: Sequence[str] | None, old: FrozenMap, new: FrozenMap
) -> Iterator[tuple[str, int]]:
    """The changed entries of a table field, by the names of their keys."""
    for one, value in new.items():
        if old.get(one) != value and isinstance(value, int):
            yield (names[one] if names is not None and isinstance(one, int) else str(one)), value
