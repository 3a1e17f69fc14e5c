"""Trial runs of an item on variants of its tables: each becomes a draft of a case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ruleloom.compiler.cases.case_model import Case
from ruleloom.compiler.cases.case_reader import read_cases
from ruleloom.compiler.cases.case_words import folded
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.machine.ask import SOME_TEXT
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Modal, Program
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import SEVERAL
from ruleloom.scenarios.call_stack import chain_of, game_at
from ruleloom.scenarios.claims.claims import Claims
from ruleloom.scenarios.derive.changed_numbers import changed
from ruleloom.scenarios.derive.mutate import choices_of
from ruleloom.scenarios.derive.perturb import Variant
from ruleloom.scenarios.derive.seeds import Seed
from ruleloom.scenarios.derive.write_yaml import file_of_cases
from ruleloom.scenarios.notation import CaseData, Notation, StepNotUnderstood
from ruleloom.scenarios.setup.position import Links, PositionSetup
from ruleloom.scenarios.steps.answers import asked_of, name_of, offered
from ruleloom.scenarios.steps.attempts import Attempt, Attempts
from ruleloom.scenarios.steps.builds import Builds
from ruleloom.scenarios.steps.search import play_step
from ruleloom.scenarios.steps.trial_program import has_ended

POWER = "power"
NOT_YET = {"legal": False}
MOST_SIGHTS, DEEP, WAYS, CHOICES = 16, 7, 5, 2
LONG = 3  # more numbers in a row than this are written as a span


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft of a case: plain data, what is special about it, and the prompt it is about."""

    given: CaseData
    when: tuple[CaseData, ...]
    then: CaseData
    says: str
    about: str = ""
    offered: int = -1  # how many options there are; -1 where that is not the point


@dataclass(frozen=True, slots=True)
class WalkAnswer:
    """One answer: the prompt's name and kind, the answer as a case writes it, and its key."""

    name: str
    kind: str
    said: Any
    key: str

    @property
    def is_way(self) -> bool:
        """Is this a way that was chosen, which has no name of its own in a step?"""
        return self.kind in ("mode", "combine", "optional")


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
        in_turn: list[CaseData] = [{one.name: one.said} for one in self.path]
        by_name = {one.name: one.said for one in self.path}
        return by_name if len(by_name) == len(in_turn) else in_turn

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
            walked = self._does(seed, variant) if seed.does else self._plays(seed, variant)
            try:
                found.append((variant, list(walked)))
            except (StepNotUnderstood, Refused, RuntimeFault, RecursionError):
                continue
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
            cases = cases_of(list(wanted.values()), f"derived {len(self._known)}")
            attempts = Attempts(Builds.of(self.content, cases), cases)
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
            numbers = changed(attempt, state, sight.game.node.state, self.changing)
            at_end = self._at_end(draft, sight, numbers)
            if at_end.then:
                yield at_end

    def _at_end(self, draft: Draft, sight: Sight, numbers: CaseData) -> Draft:
        """The draft of a walk to the end: what has changed, and the choices that did not come up."""
        then: dict[str, Any] = {"numbers": numbers} if numbers else {}
        if self.names and not self.names & {one.name for one in sight.path}:
            then["unasked"] = sorted(self.names)
            return replace(draft, then=then, about=min(self.names), offered=0)
        return replace(draft, then=then)

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
        for sight in walk(table.node, self._is_done, {}):
            more = self._step(sight.path)
            if sight.path and more is None:
                continue
            draft = replace(draft, when=(*seed.when, more) if more is not None else seed.when)
            if sight.name:
                then = {"asked": asked_of(sight.game), "offered": sorted(sight.keys)}
                yield replace(draft, then=then, about=sight.name, offered=len(sight.keys))
            elif self._went_on(sight):
                there = Claims(self.notation, replace(table, node=sight.game.node)).tokens()
                yield replace(draft, then=there)

    def _went_on(self, sight: Sight) -> bool:
        """Is what lies there at the end the outcome of something, in a game that is not over?"""
        used = bool(sight.path) or self.item.kind not in self.symbols.kinds
        return used and not sight.game.over

    def _is_done(self, node: PlayNode) -> bool:
        """Has the item nothing more to ask?"""
        asks = node.stop.kind == ASK and node.stop.state.frame is not None
        return not asks or node.chance or self.item.slug not in chain_of(node)

    def _step(self, path: Sequence[WalkAnswer]) -> CaseData | None:
        """A walk as a step of the notation; None if it is empty, or repeats a name."""
        ways = [one.key for one in path if one.is_way]
        named = [one for one in path if not one.is_way]
        if not path or len({one.name for one in named}) < len(named):
            return None
        form = self._form()
        facts = self._facts(form, named)
        return {form: self.item.name, **facts, **({"way": ways} if ways else {})}

    def _facts(self, form: str, named: Sequence[WalkAnswer]) -> dict[str, Any]:
        """Answers as a step writes them, each under the key that the notation has for it."""
        said = self.notation.forms.get((form, self.item.slug))
        if said is None:
            return {one.name: one.said for one in named}
        return {said.key_of(one.name): one.said for one in named}

    def _form(self) -> str:
        """The key under which a step writes the item that is used."""
        keys = self.notation.keys
        return POWER if POWER in keys or not keys else keys[0]


def cases_of(data: Sequence[CaseData], name: str = "derived") -> Sequence[Case]:
    """Cases given as plain data, read from a file of this name."""
    return read_cases(Source(name, file_of_cases(data, "")), Report()) or ()


def _made_of(seed: Seed, variant: Variant) -> str:
    """A key that is the same for all tables that are compiled alike."""
    given = {name: value for name, value in variant.given.items() if name != "state"}
    return repr((given, seed.when))


def walk(start: PlayNode, ended: Any, guide: CaseData) -> Iterator[Sight]:
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
    """Some of the options; where several are taken, the first that are enough."""
    prompt = game.prompt
    labels = [_plain(label) for label in offered(game)]
    pairs = [(one, option.key) for one, option in zip(labels, prompt.options, strict=True)]
    least = max(1, prompt.least)
    if prompt.kind not in SEVERAL:
        few = WAYS if isinstance(game.node.row, Modal) else CHOICES
        yield from ((label, (key,)) for label, key in _some(pairs, meant, few))
    elif len(pairs) >= least <= prompt.most:
        yield labels[:least], tuple(key for _, key in pairs[:least])


def _some(pairs: list[tuple[Any, str]], meant: Any, few: int) -> list[tuple[Any, str]]:
    """The option that is meant; else the first few, and the last."""
    wanted = [one for one in pairs if meant is not None and folded(one[0]) == folded(meant)]
    return wanted[:1] or (pairs if len(pairs) <= few else [*pairs[: few - 1], pairs[-1]])


def _plain(label: str) -> Any:
    return int(label) if label.removeprefix("-").isdigit() else label
