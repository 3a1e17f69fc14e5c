"""Runs the cases of packs with all packs named together, and finds which pack breaks another.

A case that passes with its own pack and fails among the others is a failure that names the packs
that break it: each that does so alone, or the fewest that do so together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from ruleloom.cli.test.collect import Batch, Collected, Member, games_of, with_needs
from ruleloom.compiler.cases.case_model import Case
from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.source.file import Place
from ruleloom.scenarios.results import FAILED, PASSED, Result
from ruleloom.scenarios.runner import Runner

Played = list[tuple[Batch, list[Result]]]


def play_together(
    gathered: Collected, played: Played, step: Callable[[int], None]
) -> tuple[Played, list[str]]:
    """The results with all packs together, and remarks; errors go to the collected findings.

    `step` counts each case that is run.
    """
    remarks: list[str] = []
    for members in games_of(gathered.members):
        company = _Company(members)
        whole = company.compiled(members)
        if whole.program is None:
            remarks += _complain(company, whole, gathered)
            continue
        played = [(batch, company.play(batch, results, step)) for batch, results in played]
    return played, remarks


class _Company:
    """The named packs of one game; compiled programs are kept, since many cases need the same."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members
        self._compiled: dict[frozenset[str], CompileResult] = {}
        self._runners: dict[tuple[int, frozenset[str]], Runner] = {}

    def compiled(self, members: Iterable[Member]) -> CompileResult:
        """The result for these packs together."""
        by_key = {member.key: member for member in members}
        key = frozenset(by_key)
        if key not in self._compiled:
            named = [by_key[one].named for one in sorted(by_key)]
            self._compiled[key] = compile_paths(named)
        return self._compiled[key]

    def needed(self, *members: Member) -> list[Member]:
        """These packs and those they need, each once."""
        found = {one.key: one for member in members for one in with_needs(member, self.members)}
        return list(found.values())

    def play(
        self, batch: Batch, results: Sequence[Result], step: Callable[[int], None]
    ) -> list[Result]:
        """The results of a batch after its cases were run with all packs, too."""
        key = batch.member.key if batch.member is not None else ""
        member = next((one for one in self.members if one.key == key), None)
        if member is None or len(self.needed(member)) == len(self.members):
            return list(results)
        # Packs in a folder beside their game are there to change it: the game's own cases are not
        # run with them unless the game is named by itself.
        if member.among_others and member.id == member.game:
            return list(results)
        return [self._in_company(batch, member, result, step) for result in results]

    def _in_company(
        self, batch: Batch, member: Member, alone: Result, step: Callable[[int], None]
    ) -> Result:
        if alone.status != PASSED:
            return alone
        case = alone.case
        result = self._run(batch, self.members, case)
        step(1)
        if result is None or result.status == PASSED:
            return alone
        breakers = self._breakers(batch, member, case)
        ids = tuple(sorted(breaker.id for breaker in breakers))
        verb = "breaks" if len(ids) == 1 else "break"
        if len(ids) > 1 and not all(
            self._fails(batch, self.needed(member, one), case) for one in breakers
        ):
            verb = "together break"
        told = f"passes without {quoted_list(ids, 'and')}, which {verb} it: {result.message}"
        return Result(case, FAILED, told, ids)

    def _run(self, batch: Batch, members: Iterable[Member], case: Case) -> Result | None:
        """The result of a case with these packs; None if they do not compile."""
        members = list(members)
        compiled = self.compiled(members)
        program = compiled.program
        if program is None:
            return None
        key = id(batch), frozenset(member.key for member in members)
        if key not in self._runners:
            self._runners[key] = Runner(program, batch.cases, batch.reviewed, compiled.content)
        return self._runners[key].run(case)

    def _fails(self, batch: Batch, members: Iterable[Member], case: Case) -> bool:
        result = self._run(batch, members, case)
        return result is not None and result.status != PASSED

    def _breakers(self, batch: Batch, member: Member, case: Case) -> list[Member]:
        """The packs that each break a case alone, or else the fewest together."""
        own = {one.key for one in self.needed(member)}
        others = [one for one in self.members if one.key not in own]
        others.sort(key=lambda one: (len(self.needed(one)), one.id))
        found: list[Member] = []
        for other in others:
            builds_on = {one.key for one in self.needed(other)}
            # What builds on a pack that breaks it breaks it too, and is not to blame.
            if not any(one.key in builds_on for one in found):
                found += [other] if self._fails(batch, self.needed(member, other), case) else []
        return found or self._fewest(batch, member, others, case)

    def _fewest(
        self, batch: Batch, member: Member, others: Sequence[Member], case: Case
    ) -> list[Member]:
        left = list(others)
        for other in reversed(others):
            fewer = [one for one in left if one is not other]
            needed = {one.key for one in self.needed(member, *fewer)}
            if other.key not in needed and self._fails(batch, self.needed(member, *fewer), case):
                left = fewer
        return left


def _complain(company: _Company, whole: CompileResult, gathered: Collected) -> list[str]:
    """Report packs that do not compile together; only remark on it if they share a folder."""
    fit = [
        one for one in company.members if company.compiled(company.needed(one)).program is not None
    ]
    if len(fit) < len(company.members):
        return []  # a pack that is broken by itself has been reported already
    if all(member.among_others for member in company.members):
        ids = quoted_list(sorted(member.id for member in company.members))
        return [f"{ids} do not go together, so each was run by itself; `ruleloom check` says why"]
    gathered.sources.update(whole.sources)
    gathered.diagnostics += [one for one in whole.diagnostics if one.severity == "error"]
    gathered.diagnostics += [
        _packs_apart(first, second, whole)
        for first, second in combinations(company.members, 2)
        if company.compiled(company.needed(first, second)).program is None
    ]
    return []


def _packs_apart(first: Member, second: Member, whole: CompileResult) -> Diagnostic:
    message = f"`{first.id}` and `{second.id}` compile each by itself, but not together"
    notes = (Note(_id_place(second, whole), f"`{second.id}` is this one"),)
    help = "let one of them require the other and follow it, or play them apart"
    return Diagnostic(_id_place(first, whole), "error", "packs-apart", message, help, notes)


def _id_place(member: Member, whole: CompileResult) -> Place:
    packs = whole.content.packs if whole.content is not None else ()
    found = next((pack.manifest.place for pack in packs if pack.id == member.id), None)
    return found or Place.of_file(member.folder.manifest_shown)
