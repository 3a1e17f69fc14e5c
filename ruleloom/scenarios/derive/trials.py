"""Trial runs of an item on variants of its tables: each becomes a draft of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.cases.case_file import Case, cases_in
from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.machine.ask import SOME_TEXT
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Modal, Program
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import SEVERAL
from ruleloom.scenarios.claims import PlayedClaims
from ruleloom.scenarios.derive.derived_tables import Draft, TrialTable
from ruleloom.scenarios.derive.mutate import choices_of, file_of_cases
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.reason_names import ReasonNames
from ruleloom.scenarios.results import MISFITS
from ruleloom.scenarios.setup.position import Links, PositionSetup, chain_of, game_at
from ruleloom.scenarios.setup.state import ClaimedNumbers
from ruleloom.scenarios.steps.answers import asked_of, claimed_name, offered, prompt_names
from ruleloom.scenarios.steps.attempts import Attempt, Attempts
from ruleloom.scenarios.steps.search import play_step
from ruleloom.scenarios.steps.trial_program import has_ended

NAME = "derived"  # of the file of derived cases
POWER = "power"
NOT_YET = {"legal": False}
WAYS = ("mode", "combine", "optional")  # the kinds of prompts that ask for a way
MOST_SIGHTS, DEEP, FEW_WAYS, FEW = 16, 7, 5, 2
MOST_ASKED, MOST_WORDS = 400, 40
LONG = 3  # longer runs of numbers are written as a span
# Exceptions of a table that makes no sense or that the rules refuse.
SENSELESS = (StepNotUnderstood, Refused, RuntimeFault, RecursionError, *MISFITS)


class WalkAnswer(Frozen):
    """One answer: the prompt's name and kind, the answer in case notation, and its key."""

    name: str
    kind: str
    said: Any
    key: str


class Sight(Frozen):
    """The prompt reached by some answers, or, with no name, the end."""

    path: tuple[WalkAnswer, ...]
    game: Game
    name: str = ""

    @property
    def offered(self) -> list[Any]:
        """The options in case notation, a run of numbers as a span."""
        numbers = [_plain(one) for one in offered(self.game)]
        whole = all(isinstance(one, int) for one in numbers)
        if whole and len(numbers) > LONG and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return [f"{numbers[0]} .. {numbers[-1]}"]
        return numbers

    @property
    def answers(self) -> CaseData | list[CaseData]:
        """The path in case notation: by name, or a list in order if a name occurs twice."""
        by_name = {one.name: one.said for one in self.path}
        if len(by_name) == len(self.path):
            return by_name
        return [{one.name: one.said} for one in self.path]

    @property
    def keys(self) -> list[str]:
        """The keys of the options."""
        return [one.key for one in self.game.prompt.options]


class Trials:
    """Trial runs of one item in one game."""

    def __init__(self, item: Item, program: Program, content: Content, symbols: Symbols) -> None:
        self.item, self.program, self.content, self.symbols = item, program, content, symbols
        self.names = frozenset(choices_of(item, content))  # the prompts of its choices
        self.notation = Notation(program, content)
        self.links, self.reasons = Links(program), ReasonNames(program)
        self.changing: tuple[str, ...] = ()  # the stats that its abilities modify
        self._known: dict[str, tuple[Case, Attempts]] = {}

    def run(self, tables: Sequence[TrialTable]) -> None:
        """Set the drafts of each table; None stays where a run fails."""
        self.make_ready(tables)
        for table in tables:
            with suppress(*SENSELESS):
                table.drafts = list(self._does(table) if table.does else self._plays(table))

    def make_ready(self, tables: Sequence[TrialTable]) -> None:
        """Compile the things and texts of these tables, not their `state`."""
        wanted = {one.made: one for one in tables if one.does and one.made not in self._known}
        if wanted:
            data = [
                one.draft(then=NOT_YET).written(f"t{key}")
                for key, one in enumerate(wanted.values())
            ]
            cases = cases_of(data, f"{NAME} {len(self._known)}")
            attempts = Attempts.of(self.content, cases)
            self._known.update(zip(wanted, ((case, attempts) for case in cases), strict=True))

    def attempt(self, table: TrialTable) -> Attempt:
        """The attempt of a table; StepNotUnderstood if its case is at fault or does not compile."""
        case, attempts = self._known[table.made]
        if case.fault:
            raise StepNotUnderstood(case.fault)
        return attempts.attempt(replace(case, given=table.given))

    def _does(self, table: TrialTable) -> Iterator[Draft]:
        attempt = self.attempt(table)
        state, node = attempt.last_step()
        guide = {folded(name): value for name, value in table.answers.items()}
        for sight in walk(node, has_ended, guide):
            answers = {"answers": sight.answers} if sight.path else {}
            when = (*table.when[:-1], {**table.when[-1], **answers})
            if sight.name:
                asked = {"name": sight.name, "of": asked_of(sight.game), "offered": sight.offered}
                count = -1 if sight.game.node.writes else len(sight.keys)
                ends: CaseData = {"asked": asked}
                yield table.draft(when=when, then=ends, about=sight.name, offered=count)
                continue
            numbers = _changed(attempt, state, sight.game.node.state, self.changing)
            then: dict[str, Any] = {"numbers": numbers} if numbers else {}
            if self.names and not self.names & {one.name for one in sight.path}:
                then |= {"unasked": sorted(self.names)}
                yield table.draft(when=when, then=then, about=min(self.names), offered=0)
            elif then:
                yield table.draft(when=when, then=then)

    def _plays(self, played: TrialTable) -> Iterator[Draft]:
        table = PositionSetup(self.links, self.notation, played.given).table()
        for number, step in enumerate(played.when, 1):
            after, reason = play_step(self.notation, table, step)
            if after is None:
                if number == len(played.when):
                    then = {"legal": False, **self.reasons.claim_of(reason)}
                    yield played.draft(then=then, offered=0)
                return
            table = after
        used = self.item.kind not in self.symbols.kinds
        for sight in walk(table.node, self._is_done, {}):
            more = self._step(sight.path)
            if sight.path and more is None:
                continue
            when = (*played.when, more) if more is not None else played.when
            if sight.name:
                then = {"asked": asked_of(sight.game), "offered": sorted(sight.keys)}
                yield played.draft(when=when, then=then, about=sight.name, offered=len(sight.keys))
            elif (sight.path or used) and not sight.game.over:
                # The tokens on the table are then an outcome.
                there = PlayedClaims(self.notation, replace(table, node=sight.game.node)).tokens()
                yield played.draft(when=when, then=there)

    def _is_done(self, node: PlayNode) -> bool:
        """Has the item no further prompts?"""
        asks = node.stop.kind == ASK and node.stop.state.frame is not None
        return not asks or node.chance or self.item.slug not in chain_of(node)

    def _step(self, path: Sequence[WalkAnswer]) -> CaseData | None:
        """The path as a step of the notation; None if it is empty or repeats a name."""
        # A chosen way has no name of its own in a step.
        ways = [one.key for one in path if one.kind in WAYS]
        named = [one for one in path if one.kind not in WAYS]
        if not path or len({one.name for one in named}) < len(named):
            return None
        keys = self.notation.keys
        key = POWER if POWER in keys or not keys else keys[0]
        form = self.notation.forms.get((key, self.item.slug))
        facts = {form.key_of(one.name) if form else one.name: one.said for one in named}
        return {key: self.item.name, **facts, **({"way": ways} if ways else {})}


def cases_of(data: Sequence[CaseData], name: str = NAME) -> tuple[Case, ...]:
    """The cases parsed from plain data, as if from a file of this name."""
    (tree,) = items_in(file_of_cases(data, ""), name)
    return cases_in(tree) or ()


# --------------------------------------------------------------------------------------- walks


def walk(start: PlayNode, ended: Callable[[PlayNode], bool], guide: CaseData) -> Iterator[Sight]:
    """The sights reached from a node, breadth first; `ended` tells whether the item is done at a node."""
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
        name = claimed_name(game.node)
        if prompt.kind not in ("roll", "draw"):
            yield Sight(path, game, name)
        if len(path) < DEEP:
            for said, chosen in _tried(game, guide):
                answer = WalkAnswer(name, prompt.kind, said, chosen[0] if chosen else "")
                with suppress(Refused, RuntimeFault):
                    waiting.append((game.answer(prompt.id, chosen), (*path, answer)))


def _tried(game: Game, guide: CaseData) -> Iterator[tuple[Any, Sequence[str]]]:
    """The answers to try: the guided one if it is on offer, else a few different ones."""
    meant = next((guide[one] for one in prompt_names(game.node) if one in guide), None)
    prompt = game.prompt
    if prompt.kind == "roll":
        count, sides = game.node.dice
        sums = (meant,) if isinstance(meant, int) else (count * sides, count)
        yield from ((total, (str(total),)) for total in sums)
    elif prompt.kind == "optional":
        yield from (("yes", ("do",)), ("no", ("skip",)))
    elif prompt.kind == "text":  # no options: a text is its own key, `none` is empty
        text = meant if isinstance(meant, str) else SOME_TEXT
        yield text, (text,)
        if not prompt.least:
            yield "none", ("",)
    else:
        yield from _of_options(game, meant)


def _of_options(game: Game, meant: Any) -> Iterator[tuple[Any, Sequence[str]]]:
    """The guided option, else the first few and the last; of a set, the first options up to the minimum."""
    prompt = game.prompt
    labels = [_plain(label) for label in offered(game)]
    pairs = [(one, option.key) for one, option in zip(labels, prompt.options, strict=True)]
    least = max(1, prompt.least)
    if prompt.kind in SEVERAL:
        if len(pairs) >= least <= prompt.most:
            yield labels[:least], tuple(key for _, key in pairs[:least])
        return
    few = FEW_WAYS if isinstance(game.node.row, Modal) else FEW
    wanted = [one for one in pairs if meant is not None and folded(one[0]) == folded(meant)]
    some = pairs if len(pairs) <= few else [*pairs[: few - 1], pairs[-1]]
    yield from ((label, (key,)) for label, key in wanted[:1] or some)


def _plain(label: str) -> Any:
    return int(label) if label.removeprefix("-").isdigit() else label


# ------------------------------------------------------------------------------------- numbers


Asked = tuple[str, str]
"""A thing or player, and its field or stat as a case writes it: `max_PI`, `fine(dodging)`."""


def _changed(
    attempt: Attempt, before: State, after: State, stats: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """The changed fields of the case's things and players, and these modified stats."""
    fields = list(_fields(attempt))
    old = numbers_of(attempt, before, fields)
    new = numbers_of(attempt, after, fields).items()
    changed = {key: value for key, value in new if key in old and old[key] != value}
    asked = numbers_of(attempt, after, product(attempt.made.things, stats)).items()
    changed |= {key: value for key, value in asked if isinstance(value, int | Fraction)}
    found: dict[str, dict[str, Any]] = {}
    for (thing, name), value in changed.items():
        found.setdefault(thing, {})[name] = str(value) if isinstance(value, Fraction) else value
    return found


def numbers_of(attempt: Attempt, state: State, asked: Iterable[Asked]) -> dict[Asked, Any]:
    """The values of those fields and stats that things have."""
    numbers = ClaimedNumbers(attempt.symbols, attempt.words, state.world, state.scope)
    found = {}
    for thing, name in asked:
        with suppress(StepNotUnderstood):
            found[thing, name] = numbers.value_of(name, thing)
    return found


def stats_of(attempt: Attempt) -> Sequence[str]:
    """All stats of the case's things, expanded over the first values of a second parameter."""
    found: list[str] = []
    for name, callee in attempt.symbols.callables.items():
        types = [one.type.name for one in callee.params]
        is_stat = callee.kind in ("stat", "rule") and not callee.broken
        if is_stat and types and types[0] in attempt.made.things.values():
            found += [name] if len(types) == 1 else []
            words = _plain_words(attempt, types[1])[:MOST_WORDS] if len(types) == 2 else ()
            found += [f"{name}({word})" for word in words]
    return found[:MOST_ASKED]


def _plain_words(attempt: Attempt, type_name: str) -> list[str]:
    """The names of a type's values, without things of cases and parts of things."""
    words = attempt.symbols.enums.get(type_name) or attempt.linked.layout.names.get(type_name, ())
    return [word for word in words if "__" not in word and "." not in word]


def _fields(attempt: Attempt) -> Iterator[Asked]:
    """The fields that change in play, except lists; of tables, each entry."""
    people = dict.fromkeys(attempt.linked.layout.players, "Player")
    for thing, entity in {**people, **attempt.made.things}.items():
        for name, fields in attempt.symbols.fields.items():
            symbol = fields.get(entity)
            if symbol is not None and not (symbol.static or symbol.type.many):
                keys = _plain_words(attempt, symbol.by)
                names = [f"{name}({key})" for key in keys] if symbol.by else [name]
                yield from product([thing], names)
