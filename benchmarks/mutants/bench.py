"""Tries mutants out on the scenarios of a game.

Compiling is what takes time, so that it is done as seldom as can be. Mutants of different rules are
compiled together and tried one by one: what each of them changes is put into the programs that were
made once with all that the scenarios bring along. Only cases that come past what is changed are
run.
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import FrameType

from benchmarks.edits.shipped import File, Item, Shipped
from benchmarks.mutants.coverage import Covered, covered
from benchmarks.mutants.grafting import CannotGraft, Changed, changes, graft
from benchmarks.mutants.operators import Mutant
from ruleloom.compiler.cases.case_file import Case, read_cases
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import FAILED
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.things import Made, key
from ruleloom.scenarios.steps.attempts import Attempts

PATIENCE = 60
"""Seconds of processor time after which a mutant has gone round in circles, and is killed. By the
clock, a busy machine would kill some that no case notices."""
SHARES = (8, 24)
"""So many cases are linked and run together: those that most likely notice a mutant, some more,
then all others."""
TOGETHER = 24
"""So many mutants are compiled in one go."""
BY_ITEM = frozenset({"power", "measure", "table", "rule", "requirement", "flow", "stat"})
"""The kinds of items that make a part of the program of their own, so that each can be told whose
it is."""
ON_THINGS = frozenset({"change a printed value", "drop a field or entry"})
"""The kinds of mutants that change what is printed on one thing."""
PASSED_BY = frozenset({"functions", "routines", "stats"})
"""The parts of a program of which it is known which cases come past them."""
USED_BY_THINGS = frozenset({"vocabulary", "keyword"})
"""The kinds of items that things of a case are made with, so that these have to be made anew."""
UNMET = frozenset({"legal", "unmet", "reason"})
"""The claims of a case that ask what is required of its things."""
REFUSED, KILLED, SURVIVED = "refused", "killed", "survived"
SAME = "the same"
"""The fate of a mutant that compiles to the very program there was: a size of 1 that is no longer
printed, where 1 is what holds if nothing is said. There is nothing that anybody could notice."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant; `by` is the case that killed it, or what the checker said."""

    id: str
    kind: str
    place: str
    fate: str
    by: str
    seconds: float = 0.0


class TooLong(BaseException):
    """A mutant that does not come to an end. No `except Exception` of the machine may swallow
    it."""


@contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Raise TooLong in what takes more seconds of the processor."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Bench:
    """A copy of the pack, its cases, and which of them have killed most.

    Of the cases that a mutant concerns, `most` are run at most, where somebody is in a hurry: what
    survives those may be killed by another.
    """

    def __init__(self, folder: Path, pack: Shipped, most: int | None = None) -> None:
        self.pack = pack
        result = compile_paths(folder)
        assert result.program is not None, "the shipped pack must be sound"
        assert result.content is not None
        self.program = result.program
        self.cases = [
            case for case in cases_of(result) if case.steps is not None and not case.fault
        ]
        self.base = Runner(self.program, self.cases, content=result.content)
        self.scenarios = [result.content.files[name][1] for name in result.content.scenarios]
        self.move(folder)
        self.most = most
        self.kills: Counter[str] = Counter()
        self.covered: Covered = {}
        self._fails_anyway: dict[str, bool] = {}

    def move(self, folder: Path) -> None:
        """Go on with this copy of the pack. Its scenarios are read by now; without them, compiling
        is quicker."""
        self.folder = folder
        for name in self.scenarios:
            (folder / name).unlink(missing_ok=True)

    def cover(self) -> None:
        """Run every case once, to know which ones a mutant cannot fail. It pays where there are
        many mutants."""
        self.covered, failing = covered(self.base, self.cases)
        self._fails_anyway = {case.id: case.id in failing for case in self.cases}

    def prepare(self) -> None:
        """Make what the cases bring along, before several processes do so."""
        _ = self._attempts

    @property
    def broken(self) -> tuple[str, ...]:
        """The cases that were found to fail without any mutant. They kill none."""
        return tuple(sorted(id for id, fails in self._fails_anyway.items() if fails))

    def fails_anyway(self, case: Case) -> bool:
        """Does a case fail without any mutant? It is only run so once it has failed with one."""
        if case.id not in self._fails_anyway:
            self._fails_anyway[case.id] = self.runner([], [case]).run(case).status == FAILED
        return self._fails_anyway[case.id]

    # ------------------------------------------------------------------ compiling

    def try_out(self, mutants: Sequence[Mutant]) -> Iterator[Outcome]:
        """Compile mutants of different items together, and try each of them out.

        What the checker says in the text of a mutant is put down to that mutant.
        """
        start = time.perf_counter()
        result, places = self._compiled(mutants)
        each = (time.perf_counter() - start) / len(mutants)
        if result.program is None:
            yield from self._without_refused(mutants, result, places)
            return
        shares = _shares(mutants, changes(self.program, result.program))
        if shares is None:
            yield from self._in_halves(mutants)
            return
        for mutant, share in zip(mutants, shares, strict=True):
            start = time.perf_counter()
            try:
                fate, by = self._play(mutant.item, share, result if len(mutants) == 1 else None)
            except CannotGraft:
                yield from self.try_out([mutant])
            else:
                yield _outcome(mutant, fate, by, each + time.perf_counter() - start)

    def _compiled(self, mutants: Sequence[Mutant]) -> tuple[CompileResult, Sequence[_Placed]]:
        """The pack with these changes, and where they stand in it."""
        files = {mutant.site.file.name: mutant.site.file for mutant in mutants}
        written = [_Written.of(file, mutants) for file in files.values()]
        try:
            for one in written:
                (self.folder / one.file.name).write_text(one.text, encoding="utf-8", newline="")
            result = compile_paths(self.folder)
        finally:
            for one in written:
                (self.folder / one.file.name).write_text(
                    one.file.text, encoding="utf-8", newline=""
                )
        return result, [place for one in written for place in one.places]

    def _without_refused(
        self, mutants: Sequence[Mutant], result: CompileResult, places: Sequence[_Placed]
    ) -> Iterator[Outcome]:
        errors = [one for one in result.diagnostics if one.severity == "error"]
        if len(mutants) == 1:
            yield _outcome(mutants[0], REFUSED, errors[0].message if errors else "")
            return
        told = {
            place.mutant.id: one.message for one in errors for place in places if place.holds(one)
        }
        if not told:
            yield from self._in_halves(mutants)
            return
        for mutant in mutants:
            if mutant.id in told:
                yield _outcome(mutant, REFUSED, told[mutant.id])
        left = [mutant for mutant in mutants if mutant.id not in told]
        if left:
            yield from self.try_out(left)

    def _in_halves(self, mutants: Sequence[Mutant]) -> Iterator[Outcome]:
        half = len(mutants) // 2
        yield from self.try_out(mutants[:half])
        yield from self.try_out(mutants[half:])

    # ------------------------------------------------------------------ playing

    def _play(
        self, item: Item, share: Sequence[Changed], alone: CompileResult | None
    ) -> tuple[str, str]:
        if not share and item.kind not in USED_BY_THINGS:
            return SAME, ""
        for part in in_parts(self.in_order(item, share)[: self.most]):
            runner = self._runner(item, share, part, alone)
            for case in part:
                try:
                    with patience(PATIENCE):
                        failed = runner.run(case).status == FAILED
                except (
                    TooLong,
                    Exception,
                ):  # a mutant may do anything; whatever is raised, it is noticed
                    failed = True
                if failed and not self.fails_anyway(case):
                    self.kills[case.id] += 1
                    return KILLED, case.id
        return SURVIVED, ""

    def _runner(
        self,
        item: Item,
        share: Sequence[Changed],
        part: Sequence[Case],
        alone: CompileResult | None,
    ) -> Runner:
        try:
            if item.kind in USED_BY_THINGS:
                raise CannotGraft(item.kind)
            return self.runner(share, part)
        except CannotGraft:
            if alone is None or alone.program is None:
                raise
            return Runner(alone.program, part, content=alone.content)

    def runner(self, share: Sequence[Changed], part: Sequence[Case]) -> Runner:
        """What runs these cases with what is changed; raises CannotGraft."""
        runner = Runner(graft(self.program, share), part)
        attempts = self._attempts
        if attempts is not None:
            made = self._made(attempts.made, share, part)
            runner.attempts = Attempts(attempts.symbols, made, part)
        return runner

    @cached_property
    def _attempts(self) -> Attempts | None:
        """What all cases make without any mutant."""
        return (
            self.base.attempts
            if any(case.things is not None or case.texts for case in self.cases)
            else None
        )

    def _made(
        self, made: Mapping[str, Made], share: Sequence[Changed], part: Sequence[Case]
    ) -> dict[str, Made]:
        """What these cases make with what is changed. Texts of other cases are left out: linking
        takes a while."""
        mine = {key(case): made[key(case)] for case in part if key(case) in made}
        texts = {text for one in made.values() for text in one.texts}
        texts -= {text for one in mine.values() for text in one.texts}
        programs: dict[int, Program] = {}
        for one in mine.values():
            if one.program is not None and id(one.program) not in programs:
                routines = tuple(each for each in one.program.routines if each.id not in texts)
                programs[id(one.program)] = graft(replace(one.program, routines=routines), share)
        return {
            place: replace(one, program=programs.get(id(one.program)))
            for place, one in mine.items()
        }

    def in_order(self, item: Item, share: Sequence[Changed] | None = None) -> list[Case]:
        """The cases that come past what is changed, or all if that is not known: first those that
        cite a clause of the item, then those that are called after it or speak of it, then those
        that have killed most."""
        node = item.node.get("clauses")
        cited = {one.text for one in node.items} if node is not None else set()
        name = item.name.replace("_", "-")

        def rank(case: Case) -> tuple[int, bool, int, str]:
            named = name in case.id or (case.things is not None and name in case.things.raw)
            return -len(cited & set(case.clauses)), not named, -self.kills[case.id], case.id

        return sorted((case for case in self.cases if self._concerned(case, share)), key=rank)

    def _concerned(self, case: Case, share: Sequence[Changed] | None) -> bool:
        """Can the case notice the change at all?"""
        if share is None:
            return True
        if (
            not share
        ):  # what the pack itself leaves as it is changes at most what a case brings along
            return case.things is not None
        if case.id not in self.covered:
            return True
        seen = self.covered[case.id]
        return any(
            one.name in seen
            if one.part in PASSED_BY
            else bool(UNMET & case.then.keys())
            if one.part == "requirements"
            else True
            for one in share
        )


# ---------------------------------------------------------------------------------- whose is what


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where the text of a mutant stands."""

    mutant: Mutant
    start: tuple[int, int]
    end: tuple[int, int]

    def holds(self, found: Diagnostic) -> bool:
        """Does a diagnostic speak of it?"""
        place = found.place
        here = Path(place.path).name == Path(self.mutant.site.file.name).name
        return here and self.start <= (place.line, place.column) <= self.end


@dataclass(frozen=True, slots=True)
class _Written:
    """A file with the changes of some mutants."""

    file: File
    text: str
    places: tuple[_Placed, ...]

    @classmethod
    def of(cls, file: File, mutants: Iterable[Mutant]) -> _Written:
        """The file with those of the mutants that change it."""
        edits = [(edit, one) for one in mutants if one.site.file is file for edit in one.site.edits]
        edits.sort(key=lambda pair: pair[0].start)
        text, at, spans = "", 0, []
        for edit, mutant in edits:
            text += file.text[at : edit.start]
            spans.append((mutant, len(text), len(text) + len(edit.new)))
            text += edit.new
            at = edit.end
        text += file.text[at:]
        place = Source(file.name, text).line_col
        return cls(
            file, text, tuple(_Placed(one, place(start), place(end)) for one, start, end in spans)
        )


def _shares(mutants: Sequence[Mutant], found: Sequence[Changed]) -> list[list[Changed]] | None:
    """What each mutant has changed; None where that cannot be told."""
    if len(mutants) == 1:
        return [list(found)]
    owners = {end: number for number, one in enumerate(mutants) for end in _ends(one.item)}
    shares: list[list[Changed]] = [[] for _ in mutants]
    for one in found:
        owner = next((owners[name] for name in owners if one.name.endswith(name)), None)
        if owner is None:
            return None
        shares[owner].append(one)
    return shares


def _ends(item: Item) -> tuple[str, str]:
    """How the name of what an item has changed ends: that of a part of the program, and of what is
    printed."""
    return f":{item.kind}/{item.name}", f"/{item.name.replace('-', '_')}"


def _outcome(mutant: Mutant, fate: str, by: str, seconds: float = 0.0) -> Outcome:
    site = mutant.site
    line, _ = site.file.source.line_col(site.at)
    return Outcome(mutant.id, mutant.kind, f"{site.file.name}:{line}", fate, by, seconds)


def in_batches(mutants: Sequence[Mutant]) -> list[list[Mutant]]:
    """Mutants that may be compiled together: each of another item, and such that it can be told
    whose is what."""
    queues: dict[str, list[Mutant]] = {}
    alone: list[list[Mutant]] = []
    for one in mutants:
        if one.item.kind in BY_ITEM or (one.kind in ON_THINGS and one.item.kind != "vocabulary"):
            queues.setdefault(one.item.name.replace("-", "_"), []).append(one)
        else:
            alone.append([one])
    batches = []
    while queues:
        longest = sorted(queues, key=lambda name: -len(queues[name]))[:TOGETHER]
        batches.append([queues[name].pop() for name in longest])
        queues = {name: left for name, left in queues.items() if left}
    return [*batches, *alone]


def in_parts(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """The cases in the same order, a few first, then some more, and then the rest."""
    at = 0
    for size in (*SHARES, len(cases)):
        if at < len(cases):
            yield list(cases[at : at + size])
        at += size


def cases_of(result: CompileResult) -> list[Case]:
    """The scenarios that lie in the pack itself."""
    assert result.content is not None
    sources = [result.content.sources[name] for name in result.content.scenarios]
    return [case for source in sources for case in read_cases(source, Report()) or ()]
