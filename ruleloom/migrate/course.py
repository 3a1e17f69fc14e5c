"""The course of a migration: what the compiler complains of is rewritten by rules, round by round, until
nothing changes. Nothing is written to disk.

A rule applies where something is wrong with its old name, and, in packs written for versions before it, also
where its call still compiles and may mean something else.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from ruleloom.compiler.analysis.analysis import GameAnalysis, SourceFile, offsets, real_paths
from ruleloom.compiler.analysis.normal_form import excludes
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, edited, items_in
from ruleloom.compiler.diagnostics.fixes import fix_of
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS, PackFolder
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import CompileResult, compile_paths, load
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.yaml.node import entries_of, text_of
from ruleloom.migrate.rewriting import calls_of, edits_at
from ruleloom.migrate.rules import Rule, is_later, may_be_later, rule_for, rules_of
from ruleloom.runtime.dataclass import dataclass

MOST_ROUNDS = 20
QUOTES = "\"'"


class Task(NamedTuple):
    """What a person must do: where, what, and two or three texts to compare, each with its name."""

    place: Place
    words: str
    texts: tuple[tuple[str, str], ...] = ()
    code: str = ""


@dataclass(slots=True, eq=False)
class Course:
    """The migration of one pack; `texts` are the changed files by real path."""

    folder: PackFolder
    beside: Sequence[str]
    texts: dict[str, str] = field(default_factory=dict)
    ranges: Mapping[str, str] = field(default_factory=dict)
    """The versions that the pack required before, by pack."""
    builtin: Path = BUILTIN
    schemas: Path = SCHEMAS

    def compiled(self) -> CompileResult:
        """The pack with its changed files."""
        paths: list[str | Path] = [self.folder.path, *self.beside]
        unsaved = dict(self.texts)
        return compile_paths(paths, builtin=self.builtin, schemas=self.schemas, unsaved=unsaved)

    def id_in(self, content: Content) -> str:
        """The id of the pack; empty if it could not be read."""
        own = (one.id for one in content.packs if os.path.realpath(one.folder) == self.folder.key)
        return next(own, "")

    def is_own(self, content: Content, path: str) -> bool:
        """Does a shown file belong to the pack?"""
        return path in content.files and content.files[path][0] == self.id_in(content)

    def own_files(self, content: Content) -> list[str]:
        """The shown files of the pack."""
        return [shown for shown in content.sources if self.is_own(content, shown)]

    def change(self, content: Content, edits: Mapping[str, Sequence[FileEdit]]) -> bool:
        """Make edits by shown path; return whether a file has changed."""
        before = dict(self.texts)
        for shown, path in real_paths(content, edits):
            old = content.sources[shown].text
            self.texts[path] = edited(old, _apart(edits[shown]))
        return self.texts != before


def _apart(edits: Sequence[FileEdit]) -> Iterator[FileEdit]:
    """The edits without those that overlap an earlier one."""
    end = -1
    for one in sorted(set(edits)):
        if one.start >= end:
            yield one
            end = one.end


def raise_requirements(course: Course) -> None:
    """Require the present versions of what the pack requires, where its ranges exclude them."""
    file = Path(course.folder.path) / MANIFEST
    try:
        source = Source.read(file, MANIFEST)
    except SourceError:
        return
    root = next(iter(items_in(source.text, MANIFEST)), None)
    required = entries_of(root.get("requires") if root is not None else None)
    course.ranges = {id: text_of(node) for id, node in required.items()}
    versions = _versions(course, text_of(root.get("game")) if root is not None else "")
    edits = [
        FileEdit(node.start, node.end, f'"^{versions[id]}"')
        for id, node in required.items()
        if id in versions and excludes(text_of(node), versions[id])
    ]
    if edits:
        course.texts[os.path.realpath(file)] = edited(source.text, edits)


def _versions(course: Course, game: str) -> dict[str, str]:
    """The present versions of the packs below."""
    paths = [*dict.fromkeys(filter(None, (game, *course.ranges))), *course.beside]
    below = load(paths, Report(), course.builtin, course.schemas, scenarios=False)
    return {one.id: one.version for one in below.packs} if below is not None else {}


def rewrite(course: Course) -> CompileResult:
    """Rewrite by rules until nothing changes; return the last compilation."""
    silent = True
    for _ in range(MOST_ROUNDS):
        result = course.compiled()
        if result.content is None or not course.change(
            result.content, edits_of(course, result, silent)
        ):
            return result
        silent = False
    return course.compiled()


def edits_of(course: Course, result: CompileResult, silent: bool) -> dict[str, list[FileEdit]]:
    """The edits by rules, by shown path, for what is complained of; with `silent` also of later rules."""
    content = result.content
    assert content is not None
    rules = below(course, content)
    found: dict[str, list[FileEdit]] = defaultdict(list)
    for one in result.diagnostics:
        if course.is_own(content, one.place.path):
            found[one.place.path] += _edits_for(one, result, rules)
    later = [one for one in rules if is_later(one, course.ranges)] if silent else []
    for file, rule, start in _calls_in(course, content, later):
        found[file.shown] += edits_at(file, start, start + len(rule.word), rule)
    return found


def unsure_tasks(course: Course, result: CompileResult) -> Iterator[Task]:
    """The calls that compile and fit a rule, in a pack that may be of before the rule or of after it."""
    content = result.content
    if content is None:
        return
    rules = below(course, content)
    complained = set(_complained(result.diagnostics, content, rules))
    unsure = [one for one in rules if may_be_later(one, course.ranges)]
    for file, rule, start in _calls_in(course, content, unsure):
        end = start + len(rule.word)
        edits = edits_at(file, start, end, rule)
        is_other = any(file.text[one.start : one.end] != one.text for one in edits)
        if is_other and (file.shown, rule, start) not in complained:
            yield Task(content.sources[file.shown].place(start, end), rule.unsure)


def _complained(
    told: Sequence[Diagnostic], content: Content, rules: Sequence[Rule]
) -> Iterator[tuple[str, Rule, int]]:
    """The rules that complaints lead to, with the files and offsets of the names."""
    for one in (one for one in told if one.place.path in content.sources):
        found = rule_at(one, content, rules)
        if found is not None:
            yield one.place.path, found[0], found[1]


def _calls_in(
    course: Course, content: Content, rules: Sequence[Rule]
) -> Iterator[tuple[SourceFile, Rule, int]]:
    """The calls in the pack that some of the rules write otherwise, whether or not they compile."""
    rewriting = [one for one in rules if one.says("becomes")]
    for shown in course.own_files(content) if rewriting else ():
        file = file_of(content, shown)
        yield from ((file, rule, start) for rule in rewriting for start in calls_of(file, rule))


def below(course: Course, content: Content) -> list[Rule]:
    """The rules of all packs but the migrated one."""
    return rules_of(content, {one.id for one in content.packs} - {course.id_in(content)})


def file_of(content: Content, shown: str) -> SourceFile:
    """A file of the pack, for edits."""
    return SourceFile([GameAnalysis(content, None)], shown, content.sources[shown].text)


def rule_at(
    one: Diagnostic, content: Content, rules: Sequence[Rule]
) -> tuple[Rule, int, int] | None:
    """The rule about the name at the place of a complaint, or around it, and the span of the name."""
    source = content.sources[one.place.path]
    start, end = offsets(source, one.place)
    if source.text[start:end][:1] in QUOTES:
        start, end = start + 1, end - 1
    for word in (source.text[start:end].rstrip(":"), source.text[start:end].partition("(")[0]):
        rule = rule_for(rules, word)
        if rule is not None:
            return rule, start, start + len(word)
    return _call_around(file_of(content, one.place.path), start, rules)


def _edits_for(one: Diagnostic, result: CompileResult, rules: Sequence[Rule]) -> list[FileEdit]:
    content = result.content
    assert content is not None
    fix = fix_of(one, result.sources) if one.code == "renamed" else None
    if fix is not None:
        start, end = offsets(content.sources[fix.place.path], fix.place)
        return [FileEdit(start, end, fix.text)]
    found = rule_at(one, content, rules)
    if found is None:
        return []
    rule, start, end = found
    return edits_at(file_of(content, one.place.path), start, end, rule)


def tasks_of(course: Course, result: CompileResult) -> Iterator[Task]:
    """What is still complained of, with what a rule says of it."""
    content = result.content
    rules = below(course, content) if content is not None else []
    for one in result.diagnostics:
        if content is not None and not course.is_own(content, one.place.path):
            continue
        rule = _told_by(one, content, rules) if content is not None else None
        help = f"; {one.help}" if one.help else ""
        yield Task(one.place, rule.task if rule else f"{one.message}{help}", (), one.code)


def _told_by(one: Diagnostic, content: Content, rules: Sequence[Rule]) -> Rule | None:
    """The rule that says what to do about a complaint: one about the name there, or about what is patched."""
    found = rule_at(one, content, rules) if one.place.path in content.sources else None
    patch = content.item_at(one.place)
    if found is not None or patch is None or patch.kind != "patch":
        return found[0] if found is not None else None
    return rule_for(
        [each for each in rules if each.says("person")], text_of(patch.fields.get("target"))
    )


def _call_around(
    file: SourceFile, start: int, rules: Sequence[Rule]
) -> tuple[Rule, int, int] | None:
    """The rule about a call within whose brackets a place lies, and the span of its name."""
    if file.text_at(start) is None:
        return None
    for rule in (one for one in rules if one.says("becomes")):
        for at in calls_of(file, rule):
            if at <= start and file.text[at:start].count("(") > file.text[at:start].count(")"):
                return rule, at, at + len(rule.word)
    return None
