"""Cases about things, and cases that try effect text: set-up, answers and claims.

Things are only built, and their numbers and unmet requirements computed. A text is run as in play,
with triggers; a flow of the game runs only where a step names it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ruleloom.api.at_rest import at_rest
from ruleloom.api.requirements import unmet_by, why_not
from ruleloom.compiler.cases.case_file import (
    BECAUSE,
    DO,
    REASON,
    THEN,
    Case,
    Reasons,
    chosen_in,
    stated,
)
from ruleloom.compiler.cases.case_words import folded, number_in, slug_of, word
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import names_of
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import settings_of
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import NamedReason, Refused, RuntimeFault
from ruleloom.runtime.program.program import Requirement
from ruleloom.runtime.program.state import Event, State
from ruleloom.runtime.program.values import Bind, Type, World
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.odds import Fair, distribution
from ruleloom.scenarios.claims import ENDS, OF_ANY, Claims, wrong_offer
from ruleloom.scenarios.listener import NOBODY, Watch
from ruleloom.scenarios.notation import CaseData, StepNotUnderstood
from ruleloom.scenarios.results import FAILED, Result, guarded_result
from ruleloom.scenarios.setup.position import game_at
from ruleloom.scenarios.setup.state import (
    CaseNames,
    ClaimedNumbers,
    claim_text,
    same_names,
    start,
)
from ruleloom.scenarios.setup.things import (
    Made,
    keep_apart,
    key,
    make_things,
    own_scope,
    unmarked,
)
from ruleloom.scenarios.steps.answers import (
    ABSENT,
    Answers,
    Named,
    answer_keys,
    as_called,
    asked_instead,
    asked_of,
    changed_since,
    lost_things,
    name_of,
    not_refused,
    on_offer,
    prompt_names,
    things_given,
    usual_keys,
    without_asking,
)
from ruleloom.scenarios.steps.trial_program import (
    begin,
    has_ended,
    linked_to_try,
    trial_of,
    values_sought,
)

CANNOT = "this cannot be worked out here"


Group = tuple[int, str, str]


class Attempts:
    """The cases of a run that declare things or effect text; `made` holds their things, by case key."""

    def __init__(
        self,
        symbols: Symbols,
        made: Mapping[str, Made],
        cases: Sequence[Case],
        watch: Watch = NOBODY,
        drivers: Callable[[str], Bind] = driver_of,
    ) -> None:
        self.symbols, self.made, self.watch, self.drivers = symbols, made, watch, drivers
        # The texts of all cases that share one linked program.
        self._texts = defaultdict[Group, list[str]](list)
        for case in (case for case in cases if case.texts and not case.fault):
            self._texts[self._group(case)] += made[key(case)].texts
        self._at_rest: dict[Group, tuple[Linked, World]] = {}
        self._linked: dict[Group, Linked] = {}

    @classmethod
    def of(
        cls,
        content: Content,
        cases: Sequence[Case],
        watch: Watch = NOBODY,
        drivers: Callable[[str], Bind] = driver_of,
    ) -> Attempts:
        """The attempts of these cases, all compiled together."""
        symbols = names_of(content)
        making = (case for case in cases if case.things is not None or case.texts)
        made = make_things(content, symbols, [one for one in making if not one.fault])
        keep_apart(made.values())
        return cls(symbols, made, cases, watch, drivers)

    def run(self, case: Case, reviewed: Reasons) -> Result:
        """Run one case; no fault in it escapes as an exception."""
        return guarded_result(case, lambda: self._run(case, reviewed))

    def _run(self, case: Case, reviewed: Reasons) -> Result:
        made, wanted = self.made[key(case)], case.then.get("refused")
        complaints = made.complaints
        if wanted is not None and made.program is not None:
            try:
                settings_of(made.program, chosen_in(case.given))
            except Refused as error:
                complaints = (error.reason,)
        if complaints or wanted is not None:
            return Result.of_complaints(case, complaints, wanted)
        if not case.texts:
            return self._built(case, made, reviewed)
        attempt = self.attempt(case)
        result = attempt.result(reviewed)
        self.watch.walk(attempt.events, attempt.linked)
        return result

    def _built(self, case: Case, made: Made, reviewed: Reasons) -> Result:
        """The result of a case that only builds things."""
        assert made.program is not None
        group, then = self._group(case), case.then
        if group not in self._at_rest:
            linked, world = at_rest(made.program, chosen_in(case.given))
            self._at_rest[group] = self.watch.relink(linked), world
        linked, world = self._at_rest[group]
        scope = own_scope(linked, made.mark)
        numbers = ClaimedNumbers(self.symbols, CaseNames.of(made, linked), world, scope)
        wrong = list(numbers.wrong(then.get("numbers", {})))
        claimed = {"legal", "unmet", REASON, BECAUSE} & then.keys()
        unmet = list(_unmet(made, linked, world, scope)) if claimed else []
        names = [slug_of(one.id) for one, _ in unmet]
        reason = NamedReason("; ".join(text for _, text in unmet), (), names)
        wrong += _wrong_requirements(then, [one for one, _ in unmet], reason)
        if not wrong and (then.get("legal") is False or stated(case)):
            return Result.of_refusal(case, reason, reviewed)
        return Result.of_claims(case, wrong)

    def attempt(self, case: Case) -> Attempt:
        """The attempt of a case; StepNotUnderstood if its things or texts do not compile."""
        made = self.made[key(case)]
        if made.program is None:
            raise StepNotUnderstood("; ".join(made.complaints))
        group = self._group(case)
        if group not in self._linked:
            linked = linked_to_try(made.program, self._texts[group], case.given, self.drivers)
            self._linked[group] = self.watch.relink(linked)
        return Attempt(case, made, self.symbols, self._linked[group])

    def _group(self, case: Case) -> Group:
        program, given = self.made[key(case)].program, case.given
        return id(program), repr(given.get("players")), repr(chosen_in(given))


def _unmet(
    made: Made, linked: Linked, world: World, scope: tuple[Any, ...]
) -> Iterator[tuple[Requirement, str]]:
    """The requirements that the things of a case do not meet, each with its message."""
    own: dict[str, list[int]] = {}  # cached, as many requirements are about the same few entities
    for requirement in linked.program.requirements:
        entity = requirement.entity
        if entity not in own:
            names = linked.entities[entity].names
            own[entity] = [number for number, name in enumerate(names) if made.owns(name)]
        try:
            for one, _, text in unmet_by(requirement, linked, world, own[entity], scope):
                yield one, unmarked(text)
        except (TypeError, RuntimeFault) as error:
            named = f"the requirement `{slug_of(requirement.id)}`"
            raise StepNotUnderstood(f"{named}: {why_not(error)}") from error


def _wrong_requirements(then: CaseData, unmet: Sequence[Requirement], told: str) -> Iterator[str]:
    legal = not any(one.level == "error" for one in unmet)
    if then.get("legal", legal) != legal:
        because = told and f": {told}"
        yield f"legal: wanted {claim_text(then['legal'])}, found {claim_text(legal)}{because}"
    found = sorted({slug_of(one.id) for one in unmet})
    wanted = sorted({slug_of(str(one)) for one in then.get("unmet", found)})
    if found != wanted:
        yield f"unmet: wanted {claim_text(wanted)}, found {claim_text(found)}"


@dataclass
class Attempt:
    """The run of one case."""

    case: Case
    made: Made
    symbols: Symbols
    linked: Linked
    words: CaseNames = field(init=False)
    events: list[Event] = field(default_factory=list)
    stopped: Game | None = None  # at the prompt that the claims are about
    reason: NamedReason | None = None  # of a refusal
    way: list[Game] = field(default_factory=list)  # the game at each prompt of the current step
    given: Named = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = CaseNames.of(self.made, self.linked)
        self.steps: Sequence[CaseData] = self.case.steps or ()

    def result(self, reviewed: Reasons) -> Result:
        """The result of the case."""
        then, state = self.case.then, self._start()
        self.given = things_given(self.words, self.case.given.get("made") or {})
        for number, step in enumerate(self.steps, 1):
            last = number == len(self.steps)
            if state.outcome is not None:
                return Result.of_claims(self.case, [f"the game is over before step {number}"])
            state, node = self._begin(state, step)
            answers, began = Answers(step.get("answers")), len(self.events)
            if last and "odds" in then:
                odds = wrong_odds(node, answers, then["odds"], self.words)
                return Result.of_claims(self.case, odds)
            try:
                node = self._answered(node, answers, last)
            except StepNotUnderstood as error:
                at = f"step {number}: " if len(self.steps) > 1 else ""
                raise StepNotUnderstood(f"{at}{error}") from None
            if missed := self._missed(answers, last):
                return Result.of_claims(self.case, [f"step {number}: {missed}", *self._fizzled()])
            state = node.state
            claims = TriedClaims(self, state, self.events[began:])
            if wrong := list(claims.wrong(step.get(THEN) or {})):
                return Result.of_claims(self.case, [f"after step {number}: {wrong[0]}", *wrong[1:]])
        wrong = list(TriedClaims(self, state, self.events).wrong(then))
        if wrong or then.get("legal") is not False:
            return Result.of_claims(self.case, wrong and [*wrong, *self._fizzled()])
        if self.reason is None:
            return Result(self.case, FAILED, not_refused(self._fizzled()))
        return Result.of_refusal(self.case, self.reason, reviewed)

    def _missed(self, answers: Answers, last: bool) -> str:
        """The complaint about a step's answers: an unused one, or an unexpected refusal; else empty."""
        if (left := answers.left_over) is not None:
            told = f", and the answer before was refused: {self.reason}" if self.reason else ""
            unused = str(answers.unused[1]) if answers.unused is not None else ""
            return left + (told or asked_instead(self.way, unused))
        if self.reason is not None and not (last and self.case.then.get("legal") is False):
            return self.reason + on_offer(self.way[-1])
        return ""

    def states(self) -> Iterator[tuple[State, Sequence[Event]]]:
        """The state before the first step and after each, with the step's events.

        Ends at a step that is refused, or stops at an unanswered prompt. Raises like `result`.
        """
        state = self._start()
        yield state, ()
        for step in self.steps:
            began = len(self.events)
            state = self._after(state, step, True)
            if self.reason is not None or self.stopped is not None:
                return
            yield state, self.events[began:]

    def last_step(self) -> tuple[State, PlayNode]:
        """The state before the last step, after playing the earlier ones, and its first prompt."""
        state = self._start()
        for step in self.steps[:-1]:
            state = self._after(state, step, False)
        return self._begin(state, self.steps[-1])

    def _after(self, state: State, step: CaseData, last: bool) -> State:
        _, node = self._begin(state, step)
        return self._answered(node, Answers(step.get("answers")), last).state

    def _start(self) -> State:
        self._texts = iter(self.made.texts)
        return start(self.linked, self.words, self.symbols, self.case.given)

    def _begin(self, state: State, step: CaseData) -> tuple[State, PlayNode]:
        """The state and first prompt of a step, a text or a named flow."""
        linked = self.linked
        flow = _flows(linked).get(str(step[DO]).strip())
        if flow is None:
            text = next(self._texts)
            named = self.made.named[text].values()
            return state, begin(linked, state, text, tuple(self.words.made[one] for one in named))
        scope = dict(enumerate(state.scope)) | dict(linked.turn_scope)
        state = state._replace(scope=tuple(scope.values()))
        return state, begin(linked, state, trial_of(flow))

    def _answered(self, node: PlayNode, answers: Answers, last: bool) -> PlayNode:
        """The node after the answers: the end, the claimed prompt, or a refused one."""
        game = game_at(node)
        self.way.clear()
        self.events += node.events
        while not has_ended(game.node):
            name = name_of(game.node)
            self.way.append(game)
            said = answers.take(game)
            if said is not ABSENT:
                self.words.world = game.state.world
                try:
                    keys = answer_keys(game, said, self.words)
                except StepNotUnderstood as error:
                    since = changed_since(game, said, self.given)
                    raise StepNotUnderstood(f"{error}{since}") from None
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
                told = as_called(unmarked(error.reason), keys, said)
                self.reason = error.reason.told(told)
                return game.node
            self.events += game.events
        return game.node

    def _is_claimed(self, game: Game) -> bool:
        """Whether `asked` is about this prompt: without a name, the first that needs an answer."""
        asked, prompt = self.case.then.get("asked"), game.prompt
        if asked is None or "name" in asked:
            return asked is not None and folded(asked["name"]) in prompt_names(game.node)
        needed = without_asking(game) is None
        return needed or (prompt.kind == "text" and prompt.default is None)

    def _fizzled(self) -> list[str]:
        """The log lines of effects that were called off, a likely cause of a failed claim."""
        fizzled = (event for event in self.events if event.kind == "fizzled")
        return [unmarked(line) for line in log(self.linked, fizzled)]


class TriedClaims(Claims):
    """The claims of a case that tries effect text."""

    known = (*OF_ANY, "numbers", "zones", "there", "over", "asked")

    def __init__(self, attempt: Attempt, state: State, events: Sequence[Event]) -> None:
        self.attempt = attempt
        super().__init__(attempt.words, state, events, attempt.way)

    def wrong_numbers(self, claimed: CaseData) -> Iterator[str]:
        """Numbers that differ from the claim; if claimed things are gone, only their fate."""
        symbols, state = self.attempt.symbols, self.state
        numbers = ClaimedNumbers(symbols, self.words, state.world, state.scope, CANNOT)
        lost = list(lost_things(self.words, state.world, claimed, self.attempt.given))
        yield from lost or numbers.wrong(claimed)

    def wrong_zones(self, said: CaseData) -> Iterator[str]:
        """Each zone whose contents differ from the claim."""
        for zone, owner, held, names in self.words.parts(said):
            by = Type(zone.parted_by)
            whose = (
                "" if owner is None else f" of {unmarked(self.words.shown(self.world, by, owner))}"
            )
            yield from _wrong_names(f"{zone.name}{whose}", names, self.words.called(zone, held))

    def wrong_there(self, said: CaseData) -> Iterator[str]:
        """Each kind whose existing things differ from the claim: `{Card: [ann, bob]}`."""
        for kind, names in said.items():
            things = things_there(self.linked, self.world, self.linked.entities[kind]).values()
            titles = (title_text(self.linked, self.world, Type(kind), one) for one in things)
            yield from _wrong_names(kind, names, sorted(titles))

    def wrong_over(self, over: CaseData) -> Iterator[str]:
        """Mismatches in the outcome."""
        if self.state.outcome is None:
            yield "over: the game goes on"
            return
        for claim in (one for one in ENDS if one in over):
            found, wanted = self.end(claim, over[claim])
            if found != wanted:
                yield f"over: {claim}: wanted {claim_text(wanted)}, found {claim_text(found)}"

    def wrong_asked(self, asked: CaseData) -> Iterator[str]:
        """Mismatches in the prompt at the stop."""
        stopped = self.attempt.stopped
        if stopped is None:
            passed = "name" in asked and self.asked_by_name[folded(asked["name"])]
            goes_on = f"`{word(asked['name'])}` is asked, but the step goes on" if passed else ""
            yield f"asked: {goes_on or 'nothing is asked'}"
            return
        node = stopped.node
        found = {"name": (name_of(node), prompt_names(node)), "of": (asked_of(stopped), ())}
        for part, (is_so, also) in found.items():
            if part in asked and folded(asked[part]) not in (folded(is_so), *also):
                yield f"asked: {part}: wanted {word(asked[part])}, found {is_so}"
        if "offered" in asked:
            yield from wrong_offer("asked: offered", asked["offered"], stopped)


def _wrong_names(where: str, wanted: Sequence[Any], found: Sequence[str]) -> Iterator[str]:
    if not same_names(wanted, found):
        said = claim_text(sorted(map(str, wanted)))
        yield f"{where}: wanted {said}, found {claim_text(list(found))}"


@lru_cache(maxsize=8)
def _flows(linked: Linked) -> Mapping[str, str]:
    """The routine ids of flows, by their names in steps."""
    parted = ((id, id.partition(":flow/")) for id in reversed(linked.routine_index))
    return {name: id for id, (_, flow, name) in parted if flow}


# --------------------------------------------------------------------------------------- odds


def wrong_odds(node: PlayNode, answers: Answers, claims: CaseData, words: CaseNames) -> list[str]:
    """Each claim about a chance that does not hold, over all rolls that no answer fixes."""
    settled = Settled(answers, words)

    def outcome(state: State) -> Hashable:
        return values_sought(state, node.linked, range(1, len(claims) + 1))

    def done(node: PlayNode) -> bool:
        if node.secret:
            secret = f"`{name_of(node)}` is answered in secret"
            raise StepNotUnderstood(f"{secret}, so there are no odds to claim")
        return has_ended(node)

    found = distribution(node, outcome, settled.answer, done, falls=settled.fall, variables=False)
    never = [name for name in settled.fixed if name not in settled.asked]
    if never:
        return [f"`{never[0]}` was never asked for"]
    return [
        f"odds: {asked}: wanted {claim_text(wanted)}, found {claim_text(chance)}"
        for place, (asked, wanted) in enumerate(claims.items())
        if (chance := _chance(found, place, str(asked))) != number_in(str(wanted))
    ]


def _chance(found: Mapping[Any, Fraction], place: int, asked: str) -> Fraction:
    """The chance that the condition at this index holds; it does not where a text is called off."""
    ended = [(key[place], chance) for key, chance in found.items() if key]
    if not all(isinstance(value, bool | None) for value, _ in ended):
        raise StepNotUnderstood(f"`{asked}` is no condition")
    return sum((chance for value, chance in ended if value), Fraction(0))


class Settled:
    """Fixed answers to prompts, the same each time."""

    def __init__(self, answers: Answers, words: CaseNames) -> None:
        if answers.in_order:
            raise StepNotUnderstood("where the dice are left open, `answers` is a mapping")
        self.fixed = {name: said for name, _, said in answers.left}
        self.words = words
        self.asked: set[str] = set()

    def fall(self, node: PlayNode) -> Iterable[tuple[Any, int]]:
        """The results of a roll with weights: fixed or fair."""
        return self.answer(node) if folded(name_of(node)) in self.fixed else Fair(node)

    def answer(self, node: PlayNode) -> Iterable[tuple[Any, int]]:
        """The only answer to a prompt, with weight 1: the fixed one, else the usual one."""
        game, name = game_at(node), folded(name_of(node))
        if name in self.fixed:
            self.asked.add(name)
            return [(game.value_of(answer_keys(game, self.fixed[name], self.words)), 1)]
        return [(game.value_of(usual_keys(game)), 1)]
