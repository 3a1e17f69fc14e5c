"""A scenario for an item, written from what it does when it is tried.

A power or flow is tried in a game that has just begun. A power that has to be told something is given
the player who acts, small numbers, values of enums, and things that the packs bring or the case does,
until it can be used and something happens. If somebody is asked, the case claims what is offered; else
it claims the lines of the log. The case says what is so today: its author decides whether it should be.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from textwrap import indent

from ruleloom.compiler.analysis.texts import FileEdit
from ruleloom.compiler.analysis.words import slug_of
from ruleloom.compiler.cases.case_file import Case, read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.resolve.symbols import ParamSymbol, Symbols
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import written
from ruleloom.editor.names.rename import FileEdits
from ruleloom.editor.project import Project
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.results import PASSED
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.things import unmarked
from ruleloom.scenarios.steps.answers import name_of, offered
from ruleloom.scenarios.steps.attempts import Attempt

WRITE_CASE = "ruleloom.writeScenario"
MOST_LINES, MOST_OFFERED = 12, 12
MOST_TRIES = 8
SIMPLE: Mapping[str, tuple[str, ...]] = {
    "Player": ("me",),
    "Int": ("1", "2", "6"),
    "Fraction": ("1", "1/2", "6"),
    "Bool": ("yes", "no"),
    "Text": ('"words"',),
}
HEAD = "kind: scenarios\ncases:\n"


def can_write(item: Item) -> bool:
    """Is there something to try about an item?"""
    return item.kind == "power" or (item.kind == "flow" and "takes" not in item.fields)


@dataclass(frozen=True, slots=True)
class _Try:
    """A way to use an item: the step, and the things that the case brings for it, by their kind."""

    step: str
    things: Mapping[str, str]

    @property
    def head(self) -> str:
        """The case up to its claims."""
        brought = ", ".join(f"{name}: {{kind: {kind}}}" for name, kind in self.things.items())
        given = f"given: {{things: {{{brought}}}}}\n" if brought else ""
        return f"{given}when: [{{do: {json.dumps(self.step, ensure_ascii=False)}}}]"


def _tries(item: Item, symbols: Symbols) -> Iterator[_Try]:
    """Ways to use an item. Raises Refused where something is needed that nobody can name."""
    if item.kind == "flow":
        yield _Try(item.name, {})
        return
    power = symbols.powers.get(item.slug)
    needed = [one for one in power.params if one.default is None] if power is not None else []
    if not needed:
        yield _Try(f"use {item.slug}", {})
        return
    choices = [_values(one, symbols) for one in needed]
    # The first of each, the second of each, and so on, before they are mixed.
    alike = [
        tuple(many[min(number, len(many) - 1)] for many in choices)
        for number in range(max(map(len, choices)))
    ]
    for values in islice(
        dict.fromkeys([*alike, *islice(product(*choices), MOST_TRIES)]), MOST_TRIES
    ):
        brought = {name: kind for name, kind in values if kind}
        yield _Try(f"use {item.slug}({', '.join(name for name, _ in values)})", brought)


def _values(param: ParamSymbol, symbols: Symbols) -> list[tuple[str, str]]:
    """The arguments for a parameter, each with the kind of the thing that the case must bring."""
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
    """The edit that adds a case for an item. Raises Refused."""
    program, content = result.program, result.content
    if program is None or content is None:
        raise Refused("the packs have mistakes; a case can be written once they are mended")
    item = content.by_id.get(id)
    if item is None or not can_write(item):
        raise Refused("only powers and flows can be tried by themselves")
    body = _first_that_works(content, program, item, project.snapshot.kept.symbols)
    name = f"{item.name}-as-it-is"
    case = f"- id: {name}\n{indent(body, '  ')}"
    _refuse_wrong(content, program, f"{HEAD}{indent(case, '  ')}")
    return _added(project, item, case)


def _first_that_works(content: Content, program: Program, item: Item, symbols: Symbols) -> str:
    """The claims of the first way to use an item in which something happens."""
    refused: Refused | None = None
    for one in _tries(item, symbols):
        try:
            return _effect(content, program, one.head)
        except Refused as reason:
            refused = refused or reason
    raise refused or Refused("nobody knows how to use it")


def _effect(content: Content, program: Program, head: str) -> str:
    """The case of an effect, with claims of what happens."""
    attempt = _tried(content, program, f"{head}\nthen: {{asked: {{of: anybody}}}}")
    if attempt.stopped is not None:
        options = offered(attempt.stopped)
        said = [f"name: {written(name_of(attempt.stopped.node))}"]
        said += [f"offered: {written(options)}"] if len(options) <= MOST_OFFERED else []
        return f"{head}\nthen: {{asked: {{{', '.join(said)}}}}}\n"
    lines = [unmarked(line) for line in log(attempt.linked, attempt.events)][:MOST_LINES]
    if not lines:
        raise Refused("nothing happens when it is tried in a game that has just begun")
    return f"{head}\nthen:\n  log:\n" + "".join(f"    - {written(line)}\n" for line in lines)


def _tried(content: Content, program: Program, body: str) -> Attempt:
    """An attempt of a case, as far as it gets."""
    lines = f"- id: tried\n{indent(body, '  ')}"
    cases = _cases(f"{HEAD}{indent(lines, '  ')}")
    attempts = Runner(program, cases, content=content).attempts
    if attempts is None or not cases or not cases[0].texts:
        raise Refused("it cannot be tried by itself")
    try:
        attempt = attempts.attempt(cases[0])
        attempt.result({})
    except (Refused, StepNotUnderstood, RuntimeFault) as fault:
        raise Refused(
            f"it cannot be tried in a game that has just begun: {unmarked(str(fault))}"
        ) from None
    return attempt


def _cases(text: str) -> Sequence[Case]:
    return read_cases(Source.from_text(text, "case.yaml"), Report()) or ()


def _refuse_wrong(content: Content, program: Program, text: str) -> None:
    """Run the new case: one that does not pass is not written."""
    cases = _cases(text)
    runner = Runner(program, cases, content=content)
    result = runner.run(cases[0]) if cases else None
    if result is None or result.status != PASSED:
        raise Refused(
            f"no case comes out of it: {result.message if result else 'it cannot be read'}"
        )


def _added(project: Project, item: Item, case: str) -> FileEdits:
    """The edit that puts a case at the end of the pack's own cases, or in a new file."""
    own = project.snapshot.real_path(item.source.path)
    folder = str(Path(own).parent)
    files = [
        path
        for path in project.paths
        if path.startswith(f"{folder}{os.sep}")
        and project.is_writable(path)
        and _holds_cases(project, path)
    ]
    if files:
        path = min(files, key=lambda one: (len(one), one))
        text = project.text(path)
        lead = "" if text.endswith("\n") else "\n"
        margin = _margin(text)
        return {path: [FileEdit(len(text), len(text), f"{lead}\n{indent(case, margin)}")]}
    path = str(Path(folder) / f"{item.name}-scenarios.yaml")
    if os.path.lexists(path):
        raise Refused(f"{Path(path).name} is there already, and holds no cases")
    return {path: [FileEdit(0, 0, f"{HEAD}{indent(case, '  ')}")]}


CASE_LINE = re.compile(r"^( *)- (?:id|\{)", re.MULTILINE)


def _holds_cases(project: Project, path: str) -> bool:
    text = project.text(path)
    is_of_cases = re.search(r"^kind: scenarios", text, re.MULTILINE) is not None
    return is_of_cases and CASE_LINE.search(text) is not None


def _margin(text: str) -> str:
    found = CASE_LINE.search(text)
    return found[1] if found is not None else "  "
