"""Scenarios run from an editor: what came of each, at its line, and the table after each step.

In goes the path of a file of cases and, perhaps, the id of one; out come findings. The machine that
plays is the real one, and nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ruleloom.compiler.cases.case_file import Case, read_cases, with_findings
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import YamlNode, written
from ruleloom.editor.project import Project
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import Event, State
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.results import FAILED, MISFITS, PASSED, Result
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.position import PositionSetup
from ruleloom.scenarios.setup.things import unmarked
from ruleloom.scenarios.steps.search import play_step
from ruleloom.table.canvas import Look
from ruleloom.table.drawing import table_for

AFTER_STEP = "after step "


@dataclass(frozen=True, slots=True)
class RunFinding:
    """The result of a case, at a stretch of its file."""

    case: str
    start: int
    end: int
    passed: bool
    message: str


def run_cases(
    project: Project, result: CompileResult, path: str, wanted: str | None = None
) -> list[RunFinding]:
    """Run the cases of a file, or the one that is wanted, by a result compiled with its reasons.

    Raises Refused.
    """
    cases, runner = _prepared(project, result, path)
    found = [_finding(runner.run(case)) for case in cases if wanted in (None, case.id)]
    if wanted is not None and not found:
        raise Refused(f"there is no case `{wanted}` in this file")
    return found


def _prepared(
    project: Project, result: CompileResult, path: str
) -> tuple[tuple[Case, ...], Runner]:
    """The cases of a file, and what runs them."""
    if result.program is None or result.content is None:
        raise Refused("the packs have mistakes; a case can be run once they are mended")
    report = Report()
    cases = read_cases(project.names(path).source, report, result.content)
    if not cases:
        errors = report.diagnostics()
        raise Refused(errors[0].message if errors else "this file holds no case")
    cases = with_findings(cases, result.diagnostics)
    return cases, Runner(result.program, cases, content=result.content)


def _finding(result: Result) -> RunFinding:
    """The result at its place: the first claim that does not hold, or the name of the case."""
    case = result.case.node
    assert case is not None
    named = case.get("id") or case
    if result.status == PASSED:
        message = f"passed{f': {result.message}' if result.message else ''}"
        return RunFinding(result.case.id, named.start, named.end, True, message)
    said = result.message if result.status == FAILED else f"{result.status}: {result.message}"
    start, end = _claim_place(case, result.message) or (named.start, named.end)
    return RunFinding(result.case.id, start, end, False, said)


def _claim_place(case: YamlNode, message: str) -> tuple[int, int] | None:
    """The place of the claim that a message begins with, as in `numbers: bare: pi: wanted 80`."""
    body = case.get("example") or case
    node = body.get("then")
    if message.startswith(AFTER_STEP):
        number = message.removeprefix(AFTER_STEP).partition(":")[0].partition(" ")[0]
        steps = body.get("when")
        if number.isdecimal() and steps is not None and int(number) <= len(steps.items):
            node = steps.items[int(number) - 1].get("then")
        message = message.partition(": ")[2]
    if node is None:
        return None
    words = message.split(": ")
    # A claim may leave out the heading under which it stands, such as `numbers`.
    tried = (_innermost(one, words) for one in (node, *node.entries.values()))
    return next((place for place in tried if place is not None), None)


def _innermost(node: YamlNode, words: Sequence[str]) -> tuple[int, int] | None:
    """The deepest entry that some words lead to; None if they lead nowhere."""
    place: tuple[int, int] | None = None
    for said in words:
        keys = node.key_spans or {}
        name = next((one for one in keys if _is_same(one, said)), None)
        if name is None:
            break
        node = node.entries[name]
        place = keys[name][0], node.end
    return place


def _is_same(key: str, said: str) -> bool:
    return key.replace("-", "_") == said.strip("`").replace("-", "_")


# ------------------------------------------------------------------ step by step


class CaseMoment(NamedTuple):
    """The table before a case or after one of its steps; `table` is None where it ends too early,
    which the heading tells."""

    heading: str
    happened: list[str]
    table: tuple[Linked, State] | None


def stepped(project: Project, result: CompileResult, path: str, wanted: str) -> str:
    """The table as text before the first step of a case and after each. Raises Refused."""
    return "\n\n".join(map(_block, case_moments(project, result, path, wanted))) + "\n"


def case_moments(
    project: Project, result: CompileResult, path: str, wanted: str
) -> list[CaseMoment]:
    """The table before the first step of a case and after each. Raises Refused."""
    cases, runner = _prepared(project, result, path)
    case = next((one for one in cases if one.id == wanted), None)
    if case is None or case.fault:
        raise Refused(case.fault if case is not None else f"there is no case `{wanted}`")
    if not case.steps:
        raise Refused("this case has no steps")
    return list(_moments(runner, case))


def _moments(runner: Runner, case: Case) -> Iterator[CaseMoment]:
    """Each state of the table, and one that says where the case ends too early."""
    taken = 0
    try:
        for taken, (linked, state, events) in enumerate(_states(runner, case)):
            head = f"after step {taken}: {_step_text(case, taken)}" if taken else "before"
            yield CaseMoment(head, _happened(linked, events), (linked, state))
    except FAULTS as fault:
        yield CaseMoment(f"here it ends: {unmarked(str(fault))}", [], None)
        return
    if taken < len(case.steps or ()):
        head = f"step {taken + 1} is refused: {_step_text(case, taken + 1)}"
        yield CaseMoment(head, [], None)


def _block(moment: CaseMoment) -> str:
    drawn = _table(*moment.table) if moment.table is not None else []
    happened = [f"   {line}" for line in moment.happened]
    return "\n".join([f"== {moment.heading}", *happened, *drawn])


FAULTS = (Refused, StepNotUnderstood, RuntimeFault, *MISFITS)


def _states(runner: Runner, case: Case) -> Iterator[tuple[Linked, State, Sequence[Event]]]:
    if case.texts:
        attempts = runner.attempts
        if attempts is None:
            return
        attempt = attempts.attempt(case)
        yield from ((attempt.linked, state, events) for state, events in attempt.states())
        return
    table = PositionSetup(runner.links, runner.notation, case.given).table()
    yield table.node.linked, table.node.state, ()
    for data in case.steps or ():
        known = len(table.events)
        after, reason = play_step(runner.notation, table, data)
        if after is None:
            raise StepNotUnderstood(f"refused: {reason}")
        table = after
        yield table.node.linked, table.node.state, table.events[known:]


def _step_text(case: Case, number: int) -> str:
    step = (case.steps or ())[number - 1]
    said = step.get("do", step) if isinstance(step, dict) else step
    return " ".join((said if isinstance(said, str) else written(said)).split())


def _happened(linked: Linked, events: Sequence[Event]) -> list[str]:
    return [unmarked(line) for line in log(linked, events)]


def _table(linked: Linked, state: State) -> list[str]:
    drawing = table_for(linked, Look(plain=True))
    seats = [""] * len(linked.layout.players)
    lines = [*drawing.board(state), "", *drawing.status(state, seats, None)]
    return [safe_text(unmarked(line)) for line in lines]
