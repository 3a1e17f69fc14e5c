"""The form of a case, before any name in it is looked at.

What goes in is a file of scenarios; what comes out are its cases, each with its form. A case whose
fields cannot stand so is told and left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from ruleloom.compiler.diagnostics.report import Diagnostic, ErrorLimit, Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.packs.scenario_files import (
    ABOUT,
    BUILD,
    CASE_FIELDS,
    EXAMPLE_FIELDS,
    LIKE,
    PLAYED,
    PROSE,
    REMARKS,
    THEN,
    CaseNode,
    case_nodes,
    form_of,
    why_not_like,
    written_cases,
)
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.memo import Memo
from ruleloom.compiler.yaml.node import Plain, YamlNode, entries_of, items_of, to_data

CODE = "unreadable-case"
CASE = "case"  # what messages call it
ALONE = ("refused", "odds")
MOST_SOUND = 20_000
MOST_SHAPES = 3_000_000  # characters of files
DEEP, LONGEST = 20, 200
NAMED = ("id", "clauses")
_SOUND: dict[str, None] = {}  # outlines that fit their schema


class _Shapes(NamedTuple):
    """What comes of one file: its sound cases, and what is told of the others."""

    root: YamlNode  # kept, so that no other file goes by its number meanwhile
    cases: tuple[CaseNode, ...]
    found: tuple[Diagnostic, ...]


_SHAPES: Memo[_Shapes] = Memo(MOST_SHAPES)


def sound_cases(root: YamlNode, report: Report) -> tuple[CaseNode, ...]:
    """The cases of a file that have a form in which they can be run; the others are told.

    A file that is read again, as those of a game are for each pack on top of it, is not gone through.
    """
    shapes = _SHAPES.get(id(root), len(root.source.text), lambda: _shapes(root))
    report.take(shapes.found)
    return shapes.cases


def _shapes(root: YamlNode) -> _Shapes:
    report, cases = Report(limited=True), list[CaseNode]()
    with suppress(ErrorLimit):  # whoever takes these findings comes to the same limit
        _check_file(root, report)
        cases += _sound(root, report)
    return _Shapes(root, tuple(cases), report.found)


def _sound(root: YamlNode, report: Report) -> Iterator[CaseNode]:
    seen: dict[str, YamlNode] = {}
    written = written_cases(root)
    for alone, node in zip(written, case_nodes(root), strict=True):
        if (wrong := why_not_like(alone, written)) is not None:
            report.error("unknown-name", alone.entries[LIKE].place, *wrong)
            continue
        case = read_case(node, report)
        if case is None:
            continue
        first = seen.setdefault(case.name, case.whole)
        if first is not case.whole:
            message = f"a case called `{case.name}` is already there"
            notes = (Note(first.place, "the first one is here"),)
            place = case.whole.entries["id"].place
            report.error("duplicate-id", place, message, "rename one of them", notes)
        yield case


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


def read_case(node: YamlNode, report: Report) -> CaseNode | None:
    """One case; None after a complaint."""
    if node.kind != "map":
        report.error(CODE, node.place, "a case is a mapping with an `id`", "begin with `id:`")
        return None
    example = node.get("example")
    body = node if example is None else _with_id(node, example)
    form = form_of(body)
    case = CaseNode(str(getattr(node.get("id"), "value", "")), node, body, form)
    own = Report()
    if _fields_fit(case, example is not None, own) and _fits(case, own):
        _check_claims(case, own)
    for found in own.diagnostics():
        report.add(found)
    return None if own.has_errors else case


def _with_id(node: YamlNode, example: YamlNode) -> YamlNode:
    """An example with the name of its clause, so that it is a case like any other."""
    own = {key: node.entries[key] for key in ("id",) if key in node.entries}
    spans = {key: (node.key_spans or {})[key] for key in own} | (example.key_spans or {})
    if example.kind != "map":
        return example
    entries = {**own, **example.entries}
    return YamlNode(node.source, "map", entries, example.start, example.end, "{", spans)


def _fields_fit(case: CaseNode, is_example: bool, report: Report) -> bool:
    body = case.body
    fields = ("id", *EXAMPLE_FIELDS) if is_example else CASE_FIELDS
    before = ""
    for key in body.entries:
        if key not in (*fields, *ABOUT):
            help = did_you_mean(key, [one for one in fields if one not in body.entries])
            if help is None and before in EXAMPLE_FIELDS:
                help = f"a part of `{before}:` stands further in than `{before}:` itself"
            message = f"a case has no `{key}`; it has {', '.join(fields)}"
            report.error(CODE, body.key_place(key), message, help)
            return False
        before = key
    needed = ("id", "then") if "things" in entries_of(body.get("given")) else ("id", "when", "then")
    missing = next((key for key in needed if key not in body.entries), None)
    if missing is not None:
        place = (case.whole.get("id") or case.whole).place
        report.error(CODE, place, f"a case needs `{missing}`", f"add `{missing}:`")
    return missing is None


@cache
def schema_of(form: str) -> SchemaStore:
    """The schema of one form of case, which is a part of that of a whole file."""
    file: dict[str, Any] = json.loads(
        (SCHEMAS / "scenarios.schema.json").read_text(encoding="utf-8")
    )
    return SchemaStore.of(
        {"scenarios.schema.json": file, f"{CASE}.schema.json": file["$defs"][form]}
    )


@cache
def _played_claims() -> frozenset[str]:
    """What every case that is played may claim."""
    return frozenset(schema_of(PLAYED).fields_at(CASE, ("then",)))


def _fits(case: CaseNode, report: Report) -> bool:
    if case.form == PROSE:
        return True
    store, outline = schema_of(case.form), _outline(case)
    key = _key_of(case, outline)
    if key in _SOUND:
        return True
    if not store.passes(CASE, outline):
        return check_item(case.body, CASE, store, report)
    if key:
        _SOUND[key] = None
        if len(_SOUND) > MOST_SOUND:
            _SOUND.clear()
    return True


def _key_of(case: CaseNode, outline: Mapping[str, Plain]) -> str:
    """The outline of a case as a text, but for its names; empty if those need the schema."""
    id, clauses = outline.get("id"), outline.get("clauses", [])
    if not isinstance(id, str) or not id or not isinstance(clauses, list):
        return ""
    if not all(isinstance(one, str) and one for one in clauses):
        return ""
    return case.form + repr([(key, one) for key, one in outline.items() if key not in NAMED])


def _outline(case: CaseNode) -> dict[str, Plain]:
    """As much of a case as its schema looks at: texts of any words, and only so deep."""
    played = case.form == PLAYED
    whole = ("players", "settings", "switches", "dice") if played else ("players",)
    data: dict[str, Plain] = {}
    for key, node in case.body.entries.items():
        match key:
            case "given" if node.kind == "map":
                data[key] = {
                    name: _surface(child, DEEP if name in whole else 1)
                    for name, child in node.entries.items()
                }
            case "when":
                data[key] = [_step(step, played) for step in node.items] or _surface(node, 0)
            case "then" if node.kind == "map" and played:
                known = _played_claims()
                data[key] = {
                    name: _surface(child, DEEP) if name in known else 0
                    for name, child in node.entries.items()
                }
            case _:
                data[key] = to_data(node) if key == "id" else _surface(node, DEEP)
    return data


def _step(node: YamlNode, played: bool) -> Plain:
    """A step: of one that is played, only that it says something."""
    if played:
        return {"step": 0} if node.entries else _surface(node, 1)
    if node.kind != "map":
        return _surface(node, 1)
    return {key: _surface(one, DEEP if key == THEN else 1) for key, one in node.entries.items()}


def _surface(node: YamlNode, depth: int) -> Plain:
    """A value of which nothing is said below a depth; one text is as good as another."""
    value = node.value
    if isinstance(value, dict):
        return {key: _surface(one, depth - 1) for key, one in value.items()} if depth else {}
    if isinstance(value, list):
        return [_surface(one, depth - 1) for one in value] if depth else []
    return "..." if isinstance(value, str) and 0 < len(value) <= LONGEST else value


def _check_claims(case: CaseNode, report: Report) -> None:
    """What a schema does not say well: which claims go together, and that there is one."""
    then = case.body.entries["then"]
    claims = [key for key in then.entries if key not in REMARKS]
    if not claims and case.form != PROSE and not _plays(case):
        report.error("idle-claim", then.place, "`then` claims nothing", "say what then holds")
    for alone in ALONE:
        if alone in claims and claims != [alone]:
            place = then.key_place(alone)
            report.error(
                CODE, place, f"`{alone}` is the only claim of a case", "leave out the others"
            )
            return
    _check_reason(case, then.entries, report)
    for found in _idle(then, REMARKS):
        report.add(found)


def _plays(case: CaseNode) -> bool:
    """Does it claim at least that its steps can be played?"""
    return case.form == PLAYED and bool(items_of(case.body.get("when")))


def _check_reason(case: CaseNode, then: Mapping[str, YamlNode], report: Report) -> None:
    reason = then.get("reason")
    if reason is None or ("legal" not in then and did_you_mean("legal", then)):
        return
    unmet = then.get("unmet") if case.form == BUILD else None
    if not (case.illegal or items_of(unmet)):
        message = "`reason` goes with `legal: false`, or with `unmet` of things"
        report.error(CODE, reason.place, message, "add `legal: false`")
    elif reason.kind != "text" or not (reason.text or "").strip():
        report.error(CODE, reason.place, "`reason` is a part of what is told", "write some words")


def _idle(node: YamlNode, remarks: Sequence[str] = ()) -> Iterator[Diagnostic]:
    """A mapping of claims that has none in it: every claim names what it is of."""
    for key, child in node.entries.items():
        if key in remarks or child.kind != "map":
            continue
        if not child.entries:
            message = f"`{key}` claims nothing"
            yield Diagnostic(child.place, "error", "idle-claim", message, "say what then holds")
        else:
            yield from _idle(child)
