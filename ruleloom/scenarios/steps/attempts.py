"""Cases that try effect text: what is given, what the text is answered, and what then holds.

A text is run as it would be in play, triggers and all; the flows of the game run only where a step
names one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any

from ruleloom.compiler.cases.case_model import DO, THEN, Case, chosen_in
from ruleloom.compiler.cases.case_words import folded, word
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import settings_of
from ruleloom.runtime.machine.information import Viewer
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.state import Event, State
from ruleloom.runtime.program.values import Bind, Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.scenarios.call_stack import game_at
from ruleloom.scenarios.claims.askings import Askings, claims_of_any, wrong_offer
from ruleloom.scenarios.claims.case_names import CaseNames
from ruleloom.scenarios.claims.chances import wrong_odds
from ruleloom.scenarios.claims.knowledge import wrong_log
from ruleloom.scenarios.claims.numbers import ClaimedNumbers, claim_text
from ruleloom.scenarios.notation import CaseData, StepNotUnderstood
from ruleloom.scenarios.results import FAILED, NOT_COMPILED, Result, guarded_result
from ruleloom.scenarios.setup.made import Made, unmarked
from ruleloom.scenarios.setup.things import key
from ruleloom.scenarios.setup.zones import ZoneSetup, start
from ruleloom.scenarios.steps.answers import (
    ABSENT,
    Answers,
    answer_keys,
    as_called,
    asked_of,
    name_of,
    names_of,
    usual_keys,
    without_asking,
)
from ruleloom.scenarios.steps.builds import Builds
from ruleloom.scenarios.steps.missed_answers import (
    Named,
    asked_instead,
    changed_since,
    lost_things,
    not_refused,
    on_offer,
    things_given,
)
from ruleloom.scenarios.steps.trial_program import begin, has_ended, linked_to_try, trial_of

LOG = "log"
CANNOT = "this cannot be worked out here"


class Attempts:
    """The cases of one run that try effect text."""

    def __init__(
        self,
        builds: Builds,
        cases: Sequence[Case],
        drivers: Callable[[str], Bind] = driver_of,
    ) -> None:
        self.made = builds.made
        self.symbols = builds.symbols
        self.drivers = drivers
        self.watch = builds.watch
        self.cases = [case for case in cases if case.texts and not case.fault]
        self._linked: dict[Any, Linked] = {}

    def run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        """Run one case; nothing that it says can raise."""
        return guarded_result(case, lambda: self._run(case, reviewed))

    def _run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        made, wanted = self.made[key(case)], case.then.get("refused")
        complaints = made.complaints
        if wanted is not None and not complaints:
            assert made.program is not None
            try:
                settings_of(made.program, chosen_in(case.given))
            except Refused as error:
                complaints = (error.reason,)
        if complaints:
            return Result.of_complaints(case, complaints, wanted, NOT_COMPILED)
        if wanted is not None:
            return Result(case, FAILED, "this compiles, but should be refused")
        attempt = self.attempt(case)
        result = attempt.result(reviewed)
        self.watch.walk(attempt.events, attempt.linked)
        return result

    def attempt(self, case: Case) -> Attempt:
        """A case that can be tried. StepNotUnderstood if what it brings does not compile."""
        made = self.made[key(case)]
        if made.program is None:
            raise StepNotUnderstood("; ".join(made.complaints))
        return Attempt(case, made, self.symbols, self.linked(case, made))

    def linked(self, case: Case, made: Made) -> Linked:
        """The program of a case, linked once for all cases with the same players and settings."""
        group = self._group(case)
        if group not in self._linked:
            texts = [text for one in self._alike[group] for text in self.made[key(one)].texts]
            assert made.program is not None
            linked = linked_to_try(made.program, texts, case.given, self.drivers)
            self._linked[group] = self.watch.relink(linked)
        return self._linked[group]

    @cached_property
    def _alike(self) -> Mapping[tuple[int, str, str], Sequence[Case]]:
        """The cases of each group that shares a linked program."""
        groups = defaultdict[tuple[int, str, str], list[Case]](list)
        for case in self.cases:
            groups[self._group(case)].append(case)
        return groups

    def _group(self, case: Case) -> tuple[int, str, str]:
        program, given = self.made[key(case)].program, case.given
        return id(program), repr(given.get("players")), repr(chosen_in(given))


@dataclass
class Attempt:
    """The trial of one case."""

    case: Case
    made: Made
    symbols: Symbols
    linked: Linked
    words: CaseNames = field(init=False)
    events: list[Event] = field(default_factory=list)
    stopped: Game | None = None  # at the prompt that the claims are about
    reason: str | None = None  # of a refusal
    way: list[Game] = field(default_factory=list)  # the moments at which a step asks something
    given: Named = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = CaseNames(self.made, self.linked)

    def result(self, reviewed: Mapping[str, str]) -> Result:
        """The result of the case."""
        then, steps = self.case.then, self.case.steps or ()
        state = self._start()
        self.given = things_given(self.words, self.case.given.get("made") or {})
        for number, step in enumerate(steps, 1):
            last = number == len(steps)
            if state.outcome is not None:
                return Result.of_claims(self.case, [f"the game is over before step {number}"])
            state, node = self._begin(state, step)
            answers, began = Answers(step.get("answers")), len(self.events)
            if last and "odds" in then:
                odds = wrong_odds(node, answers, then["odds"], self.words)
                return Result.of_claims(self.case, odds)
            at = f"step {number}: " if len(steps) > 1 else ""
            try:
                node = self._answered(node, answers, last)
            except StepNotUnderstood as error:
                raise StepNotUnderstood(f"{at}{error}") from None
            if missed := self._missed(answers, last):
                return Result.of_claims(self.case, [f"step {number}: {missed}", *self._fizzled()])
            state = node.state
            if wrong := list(self._wrong(state, step.get(THEN) or {}, self.events[began:])):
                return Result.of_claims(self.case, [f"after step {number}: {wrong[0]}", *wrong[1:]])
        return self._end(state, reviewed)

    def _missed(self, answers: Answers, last: bool) -> str:
        """The mistake in the answers of a step: one that nothing asked for, or a refusal."""
        if (left := answers.left_over) is not None:
            told = f", and the answer before was refused: {self.reason}" if self.reason else ""
            return left + (told or asked_instead(self.way, answers.unused))
        if self.reason is not None and not (last and self.case.then.get("legal") is False):
            return self.reason + on_offer(self.way[-1])
        return ""

    def _end(self, state: State, reviewed: Mapping[str, str]) -> Result:
        wrong = list(self._wrong(state, self.case.then, self.events))
        if wrong or self.case.then.get("legal") is not False:
            return Result.of_claims(self.case, wrong and [*wrong, *self._fizzled()])
        if self.reason is None:
            return Result(self.case, FAILED, not_refused(self._fizzled()))
        return Result.of_refusal(self.case, self.reason, reviewed)

    def states(self) -> Iterator[tuple[State, Sequence[Event]]]:
        """The table before the first step and after each, with what happened meanwhile. Where a step
        is refused, or asks what the case does not answer, they end. Raises like `result`."""
        state = self._start()
        yield state, ()
        for step in self.case.steps or ():
            _, node = self._begin(state, step)
            began = len(self.events)
            node = self._answered(node, Answers(step.get("answers")), True)
            if self.reason is not None or self.stopped is not None:
                return
            state = node.state
            yield state, self.events[began:]

    def last_step(self) -> tuple[State, PlayNode]:
        """The state before the last step, with the earlier ones answered, and its first prompt."""
        state, steps = self._start(), self.case.steps or ()
        for step in steps[:-1]:
            _, node = self._begin(state, step)
            state = self._answered(node, Answers(step.get("answers")), False).state
        return self._begin(state, steps[-1])

    def _start(self) -> State:
        self._texts = iter(self.made.texts)
        return start(self.linked, self.words, self.symbols, self.case.given)

    def _begin(self, state: State, step: CaseData) -> tuple[State, PlayNode]:
        """The first prompt of a step: of its text, or of the flow that it names."""
        linked = self.linked
        flow = _flows(linked).get(str(step[DO]).strip())
        if flow is None:
            return state, begin(linked, state, next(self._texts))
        scope = list(state.scope)
        for index, value in linked.turn_scope:
            scope[index] = value
        state = state._replace(scope=tuple(scope))
        return state, begin(linked, state, trial_of(flow))

    def _answered(self, node: PlayNode, answers: Answers, last: bool) -> PlayNode:
        """The node after the answers: the end, the prompt asked about, or a refusal."""
        game = game_at(node)
        self.way.clear()
        self.events += node.events
        while not has_ended(game.node):
            name = name_of(game.node)
            self.way.append(game)
            said = answers.take(game)
            if said is not ABSENT:
                self.words.world = game.state.world
                keys = self._keys(game, said)
            elif last and answers.left_over is None and self._is_claimed(game):
                self.stopped = game
                return game.node
            else:
                keys = usual_keys(game, [name for _, name, _ in answers.left])
            try:
                game = game.answer(game.prompt.id, keys)
            except Refused as error:
                if said is ABSENT:
                    told = f"the usual answer to `{name}`, which the case leaves out, is refused"
                    raise StepNotUnderstood(f"{told}: {unmarked(error.reason)}") from None
                self.reason = as_called(unmarked(error.reason), keys, said)
                return game.node
            self.events += game.events
        return game.node

    def _keys(self, game: Game, said: Any) -> tuple[str, ...]:
        try:
            return answer_keys(game, said, self.words)
        except StepNotUnderstood as error:
            raise StepNotUnderstood(f"{error}{changed_since(game, said, self.given)}") from None

    @property
    def askings(self) -> Askings:
        """What the last step has asked."""
        return Askings(self.linked, self.way)

    def _is_claimed(self, game: Game) -> bool:
        """Whether `asked` is about this prompt: without a name, the first that needs an answer."""
        asked, prompt = self.case.then.get("asked"), game.prompt
        if asked is None or "name" in asked:
            return asked is not None and folded(asked["name"]) in names_of(game.node)
        needed = without_asking(game) is None
        return needed or (prompt.kind == "text" and prompt.default is None)

    def _wrong(self, state: State, then: CaseData, events: Sequence[Event]) -> Iterator[str]:
        """The claims about a table, and about these events on the way to it, that do not hold."""
        numbers = ClaimedNumbers(self.symbols, self.words, state.world, state.scope, CANNOT)
        table = ZoneSetup(self.words, self.symbols, state.world)
        checks: Mapping[str, Callable[[Any], Iterator[str]]] = {
            "numbers": lambda claimed: self._wrong_numbers(numbers, claimed),
            "asked": self._wrong_question,
            "zones": table.wrong_zones,
            "there": table.wrong_things,
            "sees": lambda claimed: self._wrong_sight(table, events, claimed),
            **claims_of_any(
                self.askings, state.world, events, self.words.number, lambda: self._log(events)
            ),
            "over": lambda claimed: _wrong_end(self.linked, state, claimed),
        }
        for claim, wanted in then.items():
            if claim in checks:
                yield from checks[claim](wanted)

    def _wrong_numbers(self, numbers: ClaimedNumbers, claimed: CaseData) -> Iterator[str]:
        """Numbers that are others than is claimed; of things that are gone, that they are."""
        lost = list(lost_things(self.words, numbers.world, claimed, self.given))
        yield from lost or numbers.wrong(claimed)

    def _wrong_sight(
        self, table: ZoneSetup, events: Sequence[Event], sees: CaseData
    ) -> Iterator[str]:
        """What players see of zones, and the lines that they read."""
        zones = {who: {k: v for k, v in said.items() if k != LOG} for who, said in sees.items()}
        yield from table.wrong_sight(zones)
        for player, said in sees.items():
            if LOG in said:
                lines = self._log(events, self.words.value(Type("Player"), player))
                yield from (f"sees: {player}: {one}" for one in wrong_log(lines, said[LOG]))

    def _wrong_question(self, asked: CaseData) -> Iterator[str]:
        if self.stopped is None:
            passed = "name" in asked and folded(asked["name"]) in self.askings.by_name()
            goes_on = f"`{word(asked['name'])}` is asked, but the step goes on" if passed else ""
            yield f"asked: {goes_on or 'nothing is asked'}"
            return
        node = self.stopped.node
        found = {"name": (name_of(node), names_of(node)), "of": (asked_of(self.stopped), ())}
        for part, (is_so, also) in found.items():
            if part in asked and folded(asked[part]) not in (folded(is_so), *also):
                yield f"asked: {part}: wanted {word(asked[part])}, found {is_so}"
        if "offered" in asked:
            yield from wrong_offer("asked: offered", asked["offered"], self.stopped)

    def _log(self, events: Iterable[Event], reader: Viewer = None) -> list[str]:
        return [unmarked(line) for line in log(self.linked, events, reader)]

    def _fizzled(self) -> list[str]:
        """The lines about what was called off: it may be why a claim does not hold."""
        return self._log(event for event in self.events if event.kind == "fizzled")


@lru_cache(maxsize=8)
def _flows(linked: Linked) -> Mapping[str, str]:
    """The routines of flows, by the names that a step gives them."""
    parted = ((id, id.partition(":flow/")) for id in reversed(linked.routine_index))
    return {name: id for id, (_, flow, name) in parted if flow}


def _wrong_end(linked: Linked, state: State, over: CaseData) -> Iterator[str]:
    outcome = state.outcome
    if outcome is None:
        yield "over: the game goes on"
        return
    winner = None if outcome.winner is None else linked.layout.players[outcome.winner]
    if "winner" in over and over["winner"] != winner:
        yield f"over: winner: wanted {word(over['winner'])}, found {word(winner)}"
    drawn = not outcome.winners
    if "drawn" in over and over["drawn"] != drawn:
        yield f"over: drawn: wanted {claim_text(over['drawn'])}, found {claim_text(drawn)}"
    names = linked.layout.players
    ranks = [[names[one] for one in rank] for rank in outcome.ranking or (outcome.winners,)]
    if "won" in over and sorted(over["won"]) != sorted(ranks[0]):
        yield f"over: won: wanted {claim_text(over['won'])}, found {claim_text(ranks[0])}"
    yield from _wrong_ranking([sorted(rank) for rank in ranks if rank], over.get("ranking"))


def _wrong_ranking(found: list[list[str]], wanted: list[str | list[str]] | None) -> Iterator[str]:
    if wanted is None:
        return
    asked = [sorted(one) if isinstance(one, list) else [one] for one in wanted]
    if asked != found:
        yield f"over: ranking: wanted {claim_text(asked)}, found {claim_text(found)}"
