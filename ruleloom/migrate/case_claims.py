"""Claims of cases on words that are told with quotation marks now, and the cases that fail besides."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ruleloom.compiler.analysis.analysis import real_paths
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, nodes_in
from ruleloom.compiler.cases.case_file import Case, read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import YamlNode, entries_of
from ruleloom.migrate.course import Course, Task
from ruleloom.runtime.machine.labels import title_text, value_text
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Type, parse_point
from ruleloom.scenarios.case_names import claims_on_words, named
from ruleloom.scenarios.results import FAILED, Result
from ruleloom.scenarios.runner import Runner

REASON = "reason"
CLAIMED = ("log", REASON, "unlogged")
POINT = r"-?\d+/-?\d+"
NAMED = re.compile(rf"((?:\b\w+@)?{POINT})")
"""A place, or a thing at one, as cases name it."""


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


def reword(course: Course, result: CompileResult) -> CompileResult:
    """Reword claims that hold with quotation marks, or with things told as the game tells them by now; return
    the last compilation."""
    failed, before = failures(course, result), dict(course.texts)
    edits: dict[str, list[FileEdit]] = defaultdict(list)
    for one in failed:
        edits[one.case.path] += _reworded(one, result)
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
    claims = claims_on_words(content, program, own)
    return {
        path: named(content.sources[shown], claims[shown])
        for shown, path in real_paths(content, own)
    }


def _reworded(failed: Result, result: CompileResult) -> Iterator[FileEdit]:
    """The edits of claims of a case whose words its message has with quotation marks, or with other words for
    the things in them."""
    titles = _titles(failed.case, result)
    for node in _claims(failed.case.node):
        text = node.text or ""
        patterns = ['"?'.join(map(re.escape, text)), _with_titles(text, titles)]
        told = (one[0] for each in patterns for one in re.finditer(f'"?{each}"?', failed.message))
        new = next((one for one in told if one.count('"') % 2 == 0 and one != text), None)
        if new is not None:
            quoted = "'" + new.replace("'", "''") + "'" if '"' in new else f'"{new}"'
            yield FileEdit(node.start, node.end, quoted)


def _with_titles(text: str, titles: Mapping[str, str]) -> str:
    """The pattern of a text with the titles of things in the place of their names in cases."""
    parts = NAMED.split(text)
    told = (f"{re.escape(titles[one])},?" if one in titles else re.escape(one) for one in parts)
    return "".join(told)


def _titles(case: Case, result: CompileResult) -> dict[str, str]:
    """The titles of things and places by their names in cases, before the step that is refused."""
    if result.program is None or REASON not in case.then:
        return {}
    runner = Runner(result.program, (), {}, result.content)
    node = runner.before_last(case)
    if node is None:
        return {}
    linked, world, found = node.linked, node.state.world, dict[str, str]()
    for type_ in map(Type, runner.notation.tokens):
        for number in range(linked.layout.sizes[type_.name]):
            token = value_text(linked, world, type_, number)
            found[token] = title_text(linked, world, type_, number)
    for type_ in map(Type, linked.layout.spots):
        for point in re.findall(POINT, str(case.then[REASON])):
            found[point] = title_text(linked, world, type_, parse_point(point))
    return found


def _claims(case: YamlNode) -> Iterator[YamlNode]:
    for node in nodes_in(case):
        for name, claimed in entries_of(node).items():
            if name in CLAIMED:
                yield from (one for one in nodes_in(claimed) if one.text is not None)


def case_tasks(failed: Sequence[Result]) -> Iterator[Task]:
    """What cases still claim and the game no longer does, a line for each."""
    for one in failed:
        yield Task(one.case.node.place, f"case `{one.case.id}`: {one.message}")
