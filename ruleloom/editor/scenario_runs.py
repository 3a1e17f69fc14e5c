"""Scenarios run from an editor, and scenarios generated for an item by trying it.

The input is the path of a case file and optionally the id of a case; the result is findings, or the
table after each step. The cases run on the real runtime, and no state is kept.

A power or flow is tried in a newly started game. Required parameters of a power are filled with the
acting player, small numbers, enum values, and things from the packs or added by the case, until it can
be used and something happens. If a player is prompted, the case claims the options; otherwise it
claims the log lines. The case records current behaviour: its author decides whether that is right.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple, TypeAlias

from ruleloom.compiler.analysis.words import slug_of
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, FileEdits
from ruleloom.compiler.cases.case_file import Case, read_cases, with_findings
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import POWERS, Content, Item
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.resolve.symbols import ParamSymbol, Symbols
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import YamlNode, written
from ruleloom.editor.annotations import can_write
from ruleloom.editor.project import Project
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.event_log import log, tell
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import Event, State
from ruleloom.scenarios.case_names import NOT_NAMED, claims_on_words
from ruleloom.scenarios.claims import facts_of
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.results import FAILED, MISFITS, PASSED, Result
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.position import PositionSetup
from ruleloom.scenarios.setup.things import unmarked
from ruleloom.scenarios.steps.answers import claimed_name, offered
from ruleloom.scenarios.steps.attempts import Attempt
from ruleloom.scenarios.steps.search import play_step
from ruleloom.table.canvas import Look
from ruleloom.table.drawing import table_for

AFTER_STEP = "after step "


class RunFinding(NamedTuple):
    """The result of a case, at a range of its file."""

    case: str
    start: int
    end: int
    passed: bool
    message: str


def run_cases(
    project: Project, result: CompileResult, path: str, wanted: str | None = None
) -> list[RunFinding]:
    """Run the cases of a file, or the `wanted` one; `result` must be compiled with reasons.

    Raises Refused.
    """
    cases, runner = _prepared(project, result, path)
    found = [_finding(runner.run(case)) for case in cases if wanted in (None, case.id)]
    if wanted is not None and not found:
        raise Refused(f"there is no case `{wanted}` in this file")
    return found


def named_claim(project: Project, result: CompileResult, path: str, start: int) -> FileEdits:
    """The edit that writes the name of what a case claims by the words at an offset, as `fmt --names` does.

    The case is played. Raises Refused.
    """
    cases, runner = _prepared(project, result, path)
    assert runner.content is not None
    around = (one.id for one in cases if one.node.start <= start < one.node.end)
    shown = project.snapshot.shown.get(path, path)
    claims = claims_on_words(runner.content, runner.program, [shown], next(around, ""))[shown]
    for one in (one for one in claims if one.node.start == start):
        if one.edit is not None:
            return {path: [one.edit]}
        raise Refused(one.help or NOT_NAMED)
    raise Refused("the packs have changed, and no claim on words is here")


def _prepared(
    project: Project, result: CompileResult, path: str
) -> tuple[tuple[Case, ...], Runner]:
    """The cases of a file, and their runner."""
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
    """The result at its place: the first failed claim, else the name of the case."""
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
    """The range of the claim that a message names, as in `numbers: bare: pi: wanted 80`."""
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
    # A message may omit the heading of the claim, such as `numbers`.
    tried = (_innermost(one, words) for one in (node, *node.entries.values()))
    return next((place for place in tried if place is not None), None)


def _innermost(node: YamlNode, words: Sequence[str]) -> tuple[int, int] | None:
    """The range of the deepest entry reached by keys; None if none match."""
    place: tuple[int, int] | None = None
    for said in words:
        keys = {one.replace("-", "_"): one for one in node.key_spans or {}}
        name = keys.get(said.strip("`").replace("-", "_"))
        if name is None or node.key_spans is None:
            break
        place = node.key_spans[name][0], node.entries[name].end
        node = node.entries[name]
    return place


# ------------------------------------------------------------------ step by step


class CaseMoment(NamedTuple):
    """The table before a case or after one of its steps; `table` is None at an early end, which the
    heading explains."""

    heading: str
    happened: list[str]
    table: tuple[Linked, State] | None


def stepped(project: Project, result: CompileResult, path: str, wanted: str) -> str:
    """The table as text, before a case's first step and after each. Raises Refused."""
    blocks = []
    for moment in case_moments(project, result, path, wanted):
        lines = [f"== {moment.heading}", *(f"   {line}" for line in moment.happened)]
        if moment.table is not None:
            linked, state = moment.table
            drawing = table_for(linked, Look(plain=True))
            seats = [""] * len(linked.layout.players)
            drawn = [*drawing.board(state), "", *drawing.status(state, seats, None)]
            lines += [safe_text(unmarked(line)) for line in drawn]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def case_moments(
    project: Project, result: CompileResult, path: str, wanted: str
) -> list[CaseMoment]:
    """The moments before the first step of a case and after each, and any early end. Raises
    Refused."""
    cases, runner = _prepared(project, result, path)
    case = next((one for one in cases if one.id == wanted), None)
    if case is None or case.fault:
        raise Refused(case.fault if case is not None else f"there is no case `{wanted}`")
    if not case.steps:
        raise Refused("this case has no steps")
    found: list[CaseMoment] = []
    try:
        for taken, (linked, state, events) in enumerate(_states(runner, case)):
            head = f"after step {taken}: {_step_text(case, taken)}" if taken else "before"
            happened = [unmarked(line) for line in log(linked, events)]
            found.append(CaseMoment(head, happened, (linked, state)))
    except FAULTS as fault:
        return [*found, CaseMoment(f"here it ends: {unmarked(str(fault))}", [], None)]
    refused = max(len(found), 1)
    if refused <= len(case.steps):
        head = f"step {refused} is refused: {_step_text(case, refused)}"
        found.append(CaseMoment(head, [], None))
    return found


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


MOST_LINES, MOST_OFFERED = 12, 12
MOST_TRIES = 8
_Argument: TypeAlias = tuple[str, str]
"""An argument, and the kind of its added thing, or empty."""
SIMPLE: Mapping[str, tuple[str, ...]] = {
    "Player": ("me",),
    "Int": ("1", "2", "6"),
    "Fraction": ("1", "1/2", "6"),
    "Bool": ("yes", "no"),
    "Text": ('"words"',),
}
HEAD = "kind: scenarios\ncases:\n"
CASES_LINE = re.compile(r"^kind: scenarios", re.MULTILINE)
CASE_LINE = re.compile(r"^( *)- (?:id|\{)", re.MULTILINE)


def _tries(item: Item, symbols: Symbols) -> Iterator[str]:
    """Candidate uses of an item, each as a case without claims: added things, and the step.

    Raises Refused if a required parameter has no candidate arguments.
    """
    power = symbols.powers.get(item.slug) if item.kind in POWERS else None
    needed = (one for one in (power.params if power is not None else ()) if one.default is None)
    choices = [_values(one, symbols) for one in needed]
    # First the first of each, then the second of each, and so on, before mixed combinations.
    alike = [
        tuple(many[min(number, len(many) - 1)] for many in choices)
        for number in range(max(map(len, choices), default=0))
    ]
    mixed = dict.fromkeys([*alike, *islice(product(*choices), MOST_TRIES)])
    for values in islice(mixed, MOST_TRIES):
        kinds = ", ".join(
            f"{name}: {{kind: {kind}}}" for name, kind in dict(values).items() if kind
        )
        given = f"given: {{things: {{{kinds}}}}}\n" if kinds else ""
        call = f"{item.slug}({', '.join(name for name, _ in values)})" if values else item.slug
        step = item.name if item.kind == "flow" else f"use {call}"
        yield f"{given}when: [{{do: {json.dumps(step, ensure_ascii=False)}}}]"


def _values(param: ParamSymbol, symbols: Symbols) -> list[_Argument]:
    """Candidate arguments."""
    type_ = param.type
    known = [*SIMPLE.get(type_.name, symbols.enums.get(type_.name, ()))[:3]]
    made = symbols.made.get(type_.name)
    known += [slug_of(name) for name in made.names[:2]] if made is not None else []
    found = [(name, "") for name in known]
    kinds = [kind for kind, entity in symbols.kinds.items() if entity == type_.name]
    found += [(f"some_{kind.replace('-', '_')}", kind) for kind in kinds[:1]]
    if type_.many:
        found = [(f"[{name}]", kind) for name, kind in found if not kind]
    if type_.optional:
        found.append(("none", ""))
    if not found:
        raise Refused(f"`{param.name}` is a {type_.name}, and a game that has just begun has none")
    return found


def new_case(project: Project, result: CompileResult, id: str) -> FileEdits:
    """The edit that adds a case for an item: its first use that has an effect. Raises Refused."""
    program, content = result.program, result.content
    if program is None or content is None:
        raise Refused("the packs have mistakes; a case can be written once they are mended")
    item = content.by_id.get(id)
    if item is None or not can_write(item):
        raise Refused("only powers and flows can be tried by themselves")
    name, refused = f"{item.name}-as-it-is", Refused("nobody knows how to use it")
    for number, head in enumerate(_tries(item, project.snapshot.kept.symbols)):
        try:
            tried = f"{head}\nthen: {{asked: {{of: anybody}}}}"
            case = _named(
                name, f"{head}\n{_claims(*_runner(content, program, _named(name, tried)))}"
            )
        except Refused as reason:
            refused = reason if number == 0 else refused
            continue
        runner, cases = _runner(content, program, case)
        ran = runner.run(cases[0])
        if ran.status == PASSED:  # only a passing case is written
            return _added(project, item, case)
        refused = Refused(f"no case comes out of it: {ran.message}")
    raise refused


def _claims(runner: Runner, cases: Sequence[Case]) -> str:
    """The claims of a tried case, on its first prompt, else on the log. Raises Refused."""
    if runner.attempts is None or not cases or not cases[0].texts:
        raise Refused("it cannot be tried by itself")
    try:
        attempt = runner.attempts.attempt(cases[0])
        attempt.result({})
    except (Refused, StepNotUnderstood, RuntimeFault) as fault:
        reason = unmarked(str(fault))
        raise Refused(f"it cannot be tried in a game that has just begun: {reason}") from None
    if attempt.stopped is not None:
        options = offered(attempt.stopped)
        said = [f"name: {written(claimed_name(attempt.stopped.node))}"]
        said += [f"offered: {written(options)}"] if len(options) <= MOST_OFFERED else []
        return f"then: {{asked: {{{', '.join(said)}}}}}\n"
    lines = [*islice(_lines(attempt), MOST_LINES)]
    if not lines:
        raise Refused("nothing happens when it is tried in a game that has just begun")
    return "then:\n  log:\n" + "".join(f"    - {written(line)}\n" for line in lines)


def _lines(attempt: Attempt) -> Iterator[Any]:
    """What is told of a case, as it claims it: an operation with its facts, or else the line."""
    for event in attempt.events:
        line = tell(attempt.linked, event)
        if line is not None:
            facts = facts_of(attempt.words, event) if event.kind == "operation" else {}
            yield {event.name: facts} if facts else unmarked(line)


def _named(name: str, body: str) -> str:
    return f"- id: {name}\n{indent(body, '  ')}"


def _runner(content: Content, program: Program, case: str) -> tuple[Runner, Sequence[Case]]:
    """The runner of a case given as text, and the parsed case."""
    source = Source.from_text(f"{HEAD}{indent(case, '  ')}", "case.yaml")
    cases = read_cases(source, Report()) or ()
    return Runner(program, cases, content=content), cases


def _added(project: Project, item: Item, case: str) -> FileEdits:
    """The edit that appends a case to the pack's own, or adds a new file."""
    folder = Path(project.snapshot.real_path(item.source.path)).parent
    files = {}
    for path in project.paths:
        text = project.text(path)
        line = CASE_LINE.search(text) if CASES_LINE.search(text) else None
        is_own = path.startswith(f"{folder}{os.sep}") and project.is_writable(path)
        if line is not None and is_own:
            files[path] = text, line[1]
    if files:
        path = min(files, key=lambda one: (len(one), one))
        text, margin = files[path]
        lead = "" if text.endswith("\n") else "\n"
        return {path: [FileEdit(len(text), len(text), f"{lead}\n{indent(case, margin)}")]}
    new = folder / f"{item.name}-scenarios.yaml"
    if os.path.lexists(new):
        raise Refused(f"{new.name} is there already, and holds no cases")
    return {str(new): [FileEdit(0, 0, f"{HEAD}{indent(case, '  ')}")]}
