"""One typed case of a file: with source nodes for the checks, and as plain data for the runner."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.content import POWERS, Content, Item, slug_of
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.packs.settings import WORDS, Renames, notice
from ruleloom.compiler.packs.walk import walk
from ruleloom.compiler.resolve.values import key_node
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.syntax.tree import VALUE
from ruleloom.compiler.yaml.node import (
    YamlNode,
    empty_map,
    entries_of,
    items_of,
    text_of,
    to_data,
)
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass

LIKE = "like"
THINGS = "things"  # each is an item of its own: a repeated one replaces the other
EXAMPLE_FIELDS = ("given", "when", "then")
CASE_FIELDS = ("id", "title", "clauses", LIKE, *EXAMPLE_FIELDS)
REMARKS = ("note", "why")
ABOUT = (*REMARKS, "section", "kind", "rule", "reading")  # fields of a clause besides its example
# Claims about things and texts, which no notation has.
OF_THINGS = ("numbers", "unmet", "odds")
ABOUT_THINGS = "`given: {things: ...}` makes something to claim that of; or `when: [{do: ...}]`"
REASON, BECAUSE = "reason", "because"  # of a refusal: a part of its words, and its names
THEN = "then"  # claims: of a case, or after one of its steps
DO = "do"  # the key of a step that runs effect text
ANSWERS = "answers"
NOT_UNDERSTOOD = "not understood"  # the prefix of the result of a faulty case
PROSE, BUILD, ATTEMPT, PLAYED = "prose", "build", "attempt", "played"
NOWHERE = empty_map(Source("", ""), 0)  # of a case without a file


@dataclass(eq=False)
class Case:
    """A case: as plain data for the runner, and as nodes for the checks.

    `body` holds `given`, `when` and `then`; `form` says how it is run. Mistakes in its form, whatever the
    game, are its `findings`, and the first error is its `fault`.
    """

    id: str
    clauses: tuple[str, ...]  # that it proves
    given: Mapping[str, Any]
    steps: tuple[Any, ...] | None  # None where `when` is prose
    then: Mapping[str, Any]
    path: str
    line: int
    fault: str = ""
    things: YamlNode | None = None  # without steps, they are only built
    texts: tuple[YamlNode, ...] = ()  # of `do:` steps
    title: str = ""
    node: YamlNode = NOWHERE
    body: YamlNode = NOWHERE
    form: str = PLAYED
    findings: tuple[Diagnostic, ...] = ()

    @classmethod
    def of(cls, node: YamlNode, body: YamlNode) -> Case:
        """The case of a node, whose `body` may be the example of a clause."""
        line, form = node.place.line, form_of(body)
        name = text_of(node.get("id")) or f"line {line}"
        usual = [name] if body is not node else []  # an example proves its own clause
        steps, given = items_of(body.get("when")), body.get("given")
        tried = [one.entries[DO] for one in steps if DO in one.entries] if form == ATTEMPT else []
        return cls(
            name,
            tuple(_data(node.get("clauses"), usual)),
            _data(given, {}),
            None if form == PROSE else tuple(map(to_data, steps)),
            _data(body.get("then"), {}),
            node.source.path,
            line,
            things=entries_of(given).get(THINGS) if form in (BUILD, ATTEMPT) else None,
            texts=tuple(tried),
            title=text_of(node.get("title")),
            node=node,
            body=body,
            form=form,
        )

    @property
    def refused(self) -> bool:
        """Does it claim that it does not compile, or cannot be played?"""
        return "refused" in self.then

    @property
    def illegal(self) -> bool:
        """Does it claim a refusal?"""
        return self.then.get("legal") is False

    @property
    def refuses(self) -> bool:
        """Does it claim a refusal, or complaints of things?"""
        return self.illegal or (self.form == BUILD and bool(self.then.get("unmet")))

    @property
    def is_meant_illegal(self) -> bool:
        """Does it claim that, or give a reason for it next to a misspelt claim?"""
        return self.illegal or bool(stated(self))

    @property
    def is_example(self) -> bool:
        """Is it the example of a clause?"""
        return self.body is not self.node


def _fault(findings: Iterable[Diagnostic]) -> str:
    """The first error as the result of a case; empty if there is none."""
    for one in (one for one in findings if one.severity == "error"):
        help = f": {one.help}" if one.help else ""
        return f"{NOT_UNDERSTOOD}: line {one.place.line}: {one.message}{help}"
    return ""


def _data(node: YamlNode | None, usual: Any) -> Any:
    """A list or mapping as plain data; `usual` if it is missing or of another type."""
    found = None if node is None else to_data(node)
    return found if isinstance(found, type(usual)) else usual


Reasons = Mapping[str, Mapping[str, Any]]
"""The claims about the reasons of refusals, by case id."""


def stated(case: Case) -> dict[str, Any]:
    """What a case claims about the reason of its refusal: names, or words."""
    return {key: case.then[key] for key in (REASON, BECAUSE) if key in case.then}


def reasons_in(cases: Iterable[Case]) -> Reasons:
    """What cases claim about the reasons of their refusals, by case id."""
    return {case.id: claims for case in cases if (claims := stated(case))}


def chosen_in(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings and switches of a case, by name."""
    return {
        str(name).replace("-", "_"): value
        for part in ("switches", "settings")
        for name, value in sorted((given.get(part) or {}).items())
    }


# Fields without names of items: prose, effect text, and names of cases, players and clauses.
SKIPPED = frozenset(
    [*("id", "title", "clauses", LIKE, DO, "log", "unlogged", "reason", "refused", "players", "me")]
) | (frozenset(ABOUT) - {"kind"})
WORD = re.compile(r"[A-Za-z_][\w-]*")
NAME = re.compile(r"[\w.#-]+")


def with_new_case_names(
    root: YamlNode, words: Mapping[tuple[str, str], Item], renames: Renames, report: Report
) -> YamlNode:
    """The tree of a file of cases with old names of items replaced, each with a notice."""
    if not renames:
        return root
    meant = {word: item for (role, word), item in words.items() if role == VALUE}
    for (kind, name), item in renames.items():
        if kind in ("requirement", "operations", "moments", *POWERS):
            meant.setdefault(slug_of(name), item)
    text = root.source.text.replace("-", "_")
    if not any(word in text for word in meant):
        return root  # as most files: a walk through one takes longer than to read it
    own = {slug_of(name) for name in _own_names(root)}

    def new(node: YamlNode, found: re.Match[str]) -> str:
        item = None if slug_of(found[0]) in own else meant.get(slug_of(found[0]))
        if item is None:
            return found[0]
        name = item.slug if "_" in found[0] or item.kind in WORDS else item.name
        notice(report, node.place, found[0], item, name)
        return name

    def now(node: YamlNode) -> str:
        return WORD.sub(partial(new, node), node.text or "")

    return _renamed(root, now)


def names_in_cases(root: YamlNode) -> Iterator[tuple[str, Place]]:
    """The words of a file of cases that may name something of the game, outside effect texts."""
    own, found = {slug_of(name) for name in _own_names(root)}, list[tuple[str, YamlNode]]()

    def noted(node: YamlNode) -> str:
        found.extend((word, node) for word in WORD.findall(node.text or ""))
        return node.text or ""

    _renamed(root, noted)
    return ((word, node.place) for word, node in found if slug_of(word) not in own)


def _own_names(node: YamlNode) -> Iterator[str]:
    """The names of all things and players of the cases of a file."""
    for key, child in node.entries.items():
        if key in ("things", "made"):
            yield from child.entries
            yield from (name for made in child.entries.values() for name in made.entries)
        elif key == "players":
            yield from (one.text or "" for one in child.items)
        yield from _own_names(child)
    for child in node.items:
        yield from _own_names(child)


def _renamed(node: YamlNode, now: Callable[[YamlNode], str]) -> YamlNode:
    """A node with each name replaced by `now`."""
    if node.kind == "list":
        return replace(node, value=[_renamed(child, now) for child in node.items])
    if node.kind != "map":
        is_name = node.text is not None and NAME.fullmatch(node.text)
        return replace(node, value=now(node)) if is_name else node
    entries: dict[str, YamlNode] = {}
    spans = dict(node.key_spans or {})
    for key, child in node.entries.items():
        skipped = key in SKIPPED
        name = key if skipped else now(key_node(node, key))
        entries[name] = child if skipped else _renamed(child, now)
        spans[name] = spans.pop(key)
    return replace(node, value=entries, key_spans=spans)


CODE = "unreadable-case"
TWICE = "duplicate-id"
HARMLESS = ("idle-claim", "unknown-clause")
CASE, GIVEN = "case", "given"  # nouns in messages
ALONE = ("refused", "odds")


class FileOfCases(NamedTuple):
    """The cases of a file, and all findings about their form."""

    cases: tuple[Case, ...]
    found: tuple[Diagnostic, ...]

    @property
    def sound(self) -> Iterator[Case]:
        """The cases whose form is sound enough for further checks."""
        for case in self.cases:
            if all(one.code == TWICE for one in case.findings if one.severity == "error"):
                yield case


def file_of_cases(root: YamlNode) -> FileOfCases:
    """The cases of a file, each with the findings about its form."""
    report = Report()
    _check_file(root, report)
    written, seen, by_id = _written(root), dict[str, YamlNode](), dict[str, YamlNode]()
    for one in written:
        if name := text_of(one.get("id")):
            by_id.setdefault(name, one)
    cases = tuple(_case(alone, by_id, seen) for alone in written)
    return FileOfCases(cases, (*report.found, *(one for case in cases for one in case.findings)))


def read_cases(
    source: Source, report: Report, content: Content | None = None
) -> tuple[Case, ...] | None:
    """The cases of a file, or None if it has none; faults in the YAML go to the report.

    With the content of the game, old names of items are replaced by the new ones.
    """
    tree = compose(source, report)
    if tree is not None and content is not None:
        path = source.path
        tree = with_new_case_names(tree, content.words_at(path), content.names_at(path), Report())
    return None if tree is None else cases_in(tree)


def cases_in(tree: YamlNode) -> tuple[Case, ...] | None:
    """The cases of a parsed file, or None if it has none."""
    return file_of_cases(tree).cases if has_cases(tree) else None


def has_cases(tree: YamlNode) -> bool:
    """Does a file have cases, or an empty list of them?"""
    cases = tree.get("cases")
    return bool(_written(tree)) or (cases is not None and cases.kind == "list")


def with_findings(cases: Iterable[Case], found: Iterable[Diagnostic]) -> tuple[Case, ...]:
    """The cases, each with the first error of these findings as its fault, unless it has one.

    Idle claims and unknown clauses are no faults that keep a case from its run.
    """
    report = Report()
    report.take(one for one in found if one.code not in HARMLESS)
    return tuple(
        replace(case, fault=_fault(report.errors_within(case.node.place)))
        if not case.fault
        else case
        for case in cases
    )


def reviewed_reasons(folder: Path) -> Reasons:
    """The reasons stated by the scenarios in a pack's folder, without unreadable files.

    A clause of a ledger says only that a step is refused; the pack's case of the same name also
    states why.
    """
    report = Report()
    reasons: dict[str, Mapping[str, Any]] = {}
    for file in walk(folder, folder.name, report)[0]:
        try:
            source = Source.read(file.path, file.shown)
        except SourceError:
            continue
        reasons.update(reasons_in(read_cases(source, report) or ()))
    return reasons


def _written(root: YamlNode) -> list[YamlNode]:
    """The cases of a file as written, without inherited parts."""
    found = []
    for node in root.items:  # clauses with an example, and cases of their own
        keys = node.entries.keys()
        is_case = "then" in keys and not keys.isdisjoint(("when", "given", LIKE))
        found += [node] if is_case or "example" in keys else []
    return found or items_of(root.get("cases"))


def _case(alone: YamlNode, by_id: Mapping[str, YamlNode], seen: dict[str, YamlNode]) -> Case:
    """One case with the parts inherited by `like`; `seen` are the sound cases before it, by id."""
    report = Report()
    node = _whole(alone, by_id, report)
    example = node.get("example")
    case = Case.of(node, node if example is None else _with_id(node, example))
    if not report.has_errors:
        _check_form(case, report)
    if not report.has_errors and (first := seen.setdefault(case.id, node)) is not node:
        message = f"a case called `{case.id}` is already there"
        notes = (Note(first.place, "the first one is here"),)
        report.error(TWICE, node.entries["id"].place, message, "rename one of them", notes)
    case.findings = tuple(report.diagnostics())
    case.fault = _fault(case.findings)
    return case


def _check_form(case: Case, report: Report) -> None:
    if case.node.kind != "map":
        report.error(CODE, case.node.place, "a case is a mapping with an `id`", "begin with `id:`")
    elif _fields_fit(case, report) and _fits(case, report):
        _check_claims(case, report)


def form_of(body: YamlNode) -> str:
    """The form of a case."""
    when = body.get("when")
    if when is None:
        return BUILD
    if when.kind == "text":
        return PROSE
    # Without any `do:`, it may still be a faulty attempt to try effect text.
    tries = any(not one.entries.keys().isdisjoint((DO, ANSWERS)) for one in when.items)
    tries |= bool(when.items) and THINGS in entries_of(body.get("given"))
    return ATTEMPT if tries else PLAYED


def _check_file(root: YamlNode, report: Report) -> None:
    known = ("kind", "cases")
    for key in root.entries:
        if key not in known:
            help = did_you_mean(key, [one for one in known if one not in root.entries])
            message = f"a file of scenarios has no `{key}`; it has `cases`"
            report.error(CODE, root.key_place(key), message, help)
    cases = root.get("cases")
    if cases is not None and cases.kind != "list":
        report.error(CODE, cases.place, "`cases` is a list of cases", "put `- ` before each")


def _with_id(node: YamlNode, example: YamlNode) -> YamlNode:
    """An example with the id of its clause, so that it is a complete case."""
    own = {key: node.entries[key] for key in ("id",) if key in node.entries}
    spans = {key: (node.key_spans or {})[key] for key in own} | (example.key_spans or {})
    if example.kind != "map":
        return example
    entries = {**own, **example.entries}
    return YamlNode(node.source, "map", entries, example.start, example.end, "{", spans)


def _fields_fit(case: Case, report: Report) -> bool:
    body = case.body
    fields = ("id", *EXAMPLE_FIELDS) if case.is_example else CASE_FIELDS
    strange = next((key for key in body.entries if key not in (*fields, *ABOUT)), None)
    if strange is not None:
        message = f"a case has no `{strange}`; it has {', '.join(fields)}"
        report.error(CODE, body.key_place(strange), message, _meant(strange, body, fields))
    return strange is None and _is_whole(case, report)


def _is_whole(case: Case, report: Report) -> bool:
    body, then = case.body, entries_of(case.body.get("then"))
    needed = ("id", "then") if "things" in entries_of(body.get("given")) else ("id", "when", "then")
    missing = next((key for key in needed if key not in body.entries), None)
    if missing is not None:
        place = (case.node.get("id") or case.node).place
        of_things = missing == "when" and not then.keys().isdisjoint(OF_THINGS)
        help = ABOUT_THINGS if of_things else f"add `{missing}:`"
        report.error(CODE, place, f"a case needs `{missing}`", help)
    return missing is None


def _meant(key: str, body: YamlNode, fields: Sequence[str]) -> str | None:
    """The help for an unknown field: a similar one, or that it is part of the field before."""
    keys = [*body.entries]
    help = did_you_mean(key, [one for one in fields if one not in keys])
    before = keys[max(keys.index(key) - 1, 0)]
    if help is None and before in EXAMPLE_FIELDS:
        return f"a part of `{before}:` stands further in than `{before}:` itself"
    return help


FILE = "scenarios.schema.json"


@cache
def schema_of(form: str) -> SchemaStore:
    """The schema of one form of case, taken from that of a whole file."""
    file: dict[str, Any] = json.loads((SCHEMAS / FILE).read_text(encoding="utf-8"))
    given = {GIVEN: file["$defs"][ATTEMPT]["properties"][GIVEN]}
    given = {"properties": given, "required": [GIVEN], "additionalProperties": False}
    case = file["$defs"][form]
    return SchemaStore.of({FILE: file, f"{CASE}.schema.json": case, f"{GIVEN}.schema.json": given})


def has_given(node: YamlNode, report: Report) -> bool:
    """Whether a mapping has a sound `given:` for a case that tries effect text."""
    return check_item(node, GIVEN, schema_of(ATTEMPT), report)


def _fits(case: Case, report: Report) -> bool:
    if case.form == PROSE:
        return True
    store = schema_of(case.form)
    return store.passes(CASE, to_data(case.body)) or check_item(case.body, CASE, store, report)


def _check_claims(case: Case, report: Report) -> None:
    """Check claims where a schema's messages are poor: their combinations, and that there is one."""
    then = case.body.entries["then"]
    claims = [key for key in then.entries if key not in REMARKS]
    if not claims and not _plays(case):
        report.error("idle-claim", then.place, "`then` claims nothing", "say what then holds")
    for alone in ALONE:
        if alone in claims and claims != [alone]:
            message = f"`{alone}` is the only claim of a case"
            report.error(CODE, then.key_place(alone), message, "leave out the others")
            return
    _check_reason(case, then.entries, report)
    for found in _idle(then, REMARKS):
        report.add(found)


def _plays(case: Case) -> bool:
    """Is it prose, or does it claim at least that its steps can be played?"""
    return case.form == PROSE or (case.form == PLAYED and bool(case.steps))


def _check_reason(case: Case, then: Mapping[str, YamlNode], report: Report) -> None:
    if "legal" not in then and did_you_mean("legal", then):
        return
    for key in (one for one in stated(case) if not case.refuses):
        message = f"`{key}` goes with `legal: false`, or with `unmet` of things"
        report.error(CODE, then[key].place, message, "add `legal: false`")
    said = then.get(REASON)
    if case.refuses and said is not None and not (said.kind == "text" and text_of(said).strip()):
        report.error(CODE, said.place, "`reason` is a part of what is told", "write some words")


def _idle(node: YamlNode, remarks: Sequence[str] = ()) -> Iterator[Diagnostic]:
    """Findings about empty mappings of claims, at any depth."""
    for key, child in node.entries.items():
        if key in remarks or child.kind != "map":
            continue
        if not child.entries:
            message = f"`{key}` claims nothing"
            yield Diagnostic(child.place, "error", "idle-claim", message, "say what then holds")
        else:
            yield from _idle(child)


# ----------------------------------------------------------------------- cases that begin from another


def _whole(alone: YamlNode, by_id: Mapping[str, YamlNode], report: Report) -> YamlNode:
    """A case merged with the cases that it begins from; its own entries win."""
    chain, like = [alone], alone.get(LIKE)
    while (base := by_id.get(text_of(chain[-1].get(LIKE)))) is not None and base not in chain:
        chain.append(base)
    if like is not None and like.text is None:
        report.error("unknown-name", like.place, "the id of another case is wanted here")
    elif like is not None and like.text not in by_id:
        others = [id for id in by_id if id != text_of(alone.get("id"))]
        message = f"no case of this file is called `{like.text}`"
        report.error("unknown-name", like.place, message, did_you_mean(like.text or "", others))
    elif like is not None and base is not None:
        message = f"`{like.text}` begins from this case itself"
        report.error("unknown-name", like.place, message, "let one of them say all of its table")
    node = chain.pop()
    for own in reversed(chain):
        shared = {key: one for key, one in node.entries.items() if key in ("given", "when")}
        node = _merged(replace(node, value=shared), own)
    return node


def _merged(base: YamlNode, own: YamlNode) -> YamlNode:
    """Two maps merged recursively; where both have a value, the second wins."""
    if base.kind != "map" or own.kind != "map":
        return own
    entries = dict(base.entries)
    for key, one in own.entries.items():
        before = base.get(key)
        if before is not None and key == THINGS and one.kind == before.kind == "map":
            entries[key] = _map(one, before, {**before.entries, **one.entries})
        else:
            entries[key] = one if before is None else _merged(before, one)
    return _map(own, base, entries)


def _map(own: YamlNode, base: YamlNode, entries: dict[str, YamlNode]) -> YamlNode:
    spans = {**(base.key_spans or {}), **(own.key_spans or {})}
    return YamlNode(own.source, "map", entries, own.start, own.end, own.style, spans)
