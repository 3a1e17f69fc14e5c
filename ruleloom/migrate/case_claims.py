"""Claims of cases on words that are told with quotation marks now, and the cases that fail besides."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ruleloom.compiler.analysis.analysis import real_paths
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, nodes_in
from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import YamlNode, entries_of
from ruleloom.migrate.course import Course, Task
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.case_names import claims_on_words, named
from ruleloom.scenarios.results import FAILED, Result
from ruleloom.scenarios.runner import Runner

CLAIMED = ("log", "reason", "unlogged")


def failures(course: Course, result: CompileResult) -> list[Result]:
    """The failed cases of a sound pack."""
    content, program = result.content, result.program
    if content is None or program is None:
        return []
    found: list[Result] = []
    for shown in (one for one in content.scenarios if course.is_own(content, one)):
        cases = read_cases(content.sources[shown], Report()) or ()
        runner = Runner(program, tuple(cases), {}, content)
        found += [one for one in map(runner.run, runner.cases) if one.status == FAILED]
    return found


def requote(course: Course, result: CompileResult) -> CompileResult:
    """Put quotation marks into claims that hold with them alone; return the last compilation."""
    failed, before = failures(course, result), dict(course.texts)
    edits: dict[str, list[FileEdit]] = defaultdict(list)
    for one in failed:
        for edit in _quoted(one):
            edits[one.case.path].append(edit)
    if result.content is None or not course.change(result.content, edits):
        return result
    again = course.compiled()
    left = {one.case.id for one in failures(course, again)}
    if again.ok and left < {one.case.id for one in failed}:
        return again
    course.texts = before
    return result


def by_names(course: Course, result: CompileResult) -> CompileResult:
    """Claim by names what cases claim by words of packs below, where as much holds; return the last
    compilation."""
    if result.content is None or result.program is None:
        return result
    before = dict(course.texts)
    course.texts |= _named_texts(course, result.content, result.program)
    again = course.compiled()
    failed = ({one.case.id for one in failures(course, each)} for each in (again, result))
    if again.ok and next(failed) <= next(failed):
        return again
    course.texts = before
    return result


def _named_texts(course: Course, content: Content, program: Program) -> dict[str, str]:
    """The files of cases with names in place of words, by real path."""
    own = [one for one in content.scenarios if course.is_own(content, one)]
    return {
        path: named(content.sources[shown], claims_on_words(content, program, shown))
        for shown, path in real_paths(content, own)
    }


def _quoted(failed: Result) -> Iterator[FileEdit]:
    """The edits of claims of a case whose words its message has with quotation marks."""
    for node in _claims(failed.case.node):
        text = node.text or ""
        pattern = '"?'.join(map(re.escape, text))
        told = (one[0] for one in re.finditer(rf'"?{pattern}"?', failed.message))
        quoted = next((one for one in told if one.count('"') % 2 == 0 and one != text), None)
        if quoted is not None:
            yield FileEdit(node.start, node.end, "'" + quoted.replace("'", "''") + "'")


def _claims(case: YamlNode) -> Iterator[YamlNode]:
    for node in nodes_in(case):
        for name, claimed in entries_of(node).items():
            if name in CLAIMED:
                yield from (one for one in nodes_in(claimed) if one.text is not None)


def case_tasks(failed: Sequence[Result]) -> Iterator[Task]:
    """What cases still claim and the game no longer does, a line for each."""
    for one in failed:
        yield Task(one.case.node.place, f"case `{one.case.id}`: {one.message}")
