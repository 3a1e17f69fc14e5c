"""Scenario cases read from a file: clauses with `example:`, a list of cases, or `cases:`.

A clause of a ledger says only that a step is refused; the pack's case of the same name also states
the reason (`reviewed_reasons`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.packs.old_case_names import with_new_case_names
from ruleloom.compiler.packs.scenario_files import (
    ABOUT,
    CASE_FIELDS,
    DO,
    EXAMPLE_FIELDS,
    REMARKS,
    case_nodes,
    why_not_like,
    written_cases,
)
from ruleloom.compiler.packs.walk import walk
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, items_of, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario: the clauses it proves, its position, steps and claims."""

    id: str
    clauses: tuple[str, ...]
    given: Mapping[str, Any]
    steps: tuple[Any, ...] | None  # None where `when` is prose
    then: Mapping[str, Any]
    path: str
    line: int
    fault: str = ""
    things: YamlNode | None = None  # without steps, they are only built
    texts: tuple[YamlNode, ...] = ()  # of `do:` steps
    title: str = ""


GIVEN = "given"
ATTEMPT = "attempt"  # what the schema calls a case that tries effect text


def read_cases(
    source: Source, report: Report, content: Content | None = None
) -> tuple[Case, ...] | None:
    """The cases of a file, or None if it holds none; faults in the YAML go to the report.

    With the content of the game, old names in them mean what the new ones do.
    """
    tree = compose(source, report)
    if tree is not None and content is not None:
        tree = with_new_case_names(tree, content.old_words, content.renamed, Report())
    return None if tree is None else cases_in(tree, source)


def cases_in(tree: YamlNode, source: Source) -> tuple[Case, ...] | None:
    """The cases of a file whose tree is read already, or None if it holds none."""
    written, cases = written_cases(tree), tree.get("cases")
    if not written and (cases is None or cases.kind != "list"):
        return None
    found = [
        replace(_case(node, source), fault=wrong[0])
        if (wrong := why_not_like(alone, written)) is not None
        else _case(node, source)
        for alone, node in zip(written, case_nodes(tree), strict=True)
    ]
    seen: dict[str, int] = {}
    for number, case in enumerate(found):
        first = seen.setdefault(case.id, case.line)
        if first != case.line:
            found[number] = replace(case, fault=f"line {first} has a case of this name already")
    return tuple(found)


def _case(node: YamlNode, source: Source) -> Case:
    data: Any = to_data(node)
    line = node.place.line
    if not isinstance(data, Mapping) or not isinstance(data.get("id"), str):
        fault = "a case is a mapping with an `id`"
        return Case(f"line {line}", (), {}, (), {}, source.path, line, fault)
    fields: Sequence[str]
    if "example" in data:
        body, written, fields = data["example"], node.entries["example"], EXAMPLE_FIELDS
        clauses = data.get("clauses", [data["id"]])
    else:
        body, written, fields, clauses = data, node, CASE_FIELDS, data.get("clauses", [])
    steps = items_of(written.get("when"))
    runs_text = any(DO in step.entries for step in steps)
    faults = (
        _text_faults(written, body.get("then")) if runs_text else _faults(body, fields, clauses)
    )
    case = Case(data["id"], (), {}, (), {}, source.path, line, next(faults, ""))
    if case.fault:
        return case
    texts = tuple(step.entries[DO] for step in steps) if runs_text else ()
    title = str(data.get("title") or "")
    case = replace(case, clauses=tuple(clauses), texts=texts, title=title)
    return _with_body(case, body, written)


def _with_body(case: Case, body: Mapping[str, Any], written: YamlNode) -> Case:
    when, given = body.get("when"), written.get("given")
    builds = case.texts or "when" not in body
    return replace(
        case,
        given=body.get("given") or {},
        steps=None if isinstance(when, str) else tuple(when or ()),
        then=body["then"],
        things=given.get("things") if given is not None and builds else None,
    )


def _faults(body: Any, fields: Sequence[str], clauses: Any) -> Iterator[str]:
    """What is wrong with how a case is written; only the first fault is reported."""
    if not isinstance(body, Mapping):
        yield "an example is a mapping with `given`, `when` and `then`"
        return
    for key in body:
        if key not in (*fields, *ABOUT):
            yield f"a case has no `{key}`; it has {', '.join(fields)}"
    if not _is_texts(clauses):
        yield "`clauses` is a list of clauses"
    given = body.get("given") or {}
    is_table = isinstance(given, Mapping)
    if not is_table and not isinstance(body.get("when"), str):
        yield "`given` is a mapping"
    elif "things" in given and "when" not in body:
        yield from _thing_faults(given, body.get("then"))
    else:
        yield from _step_faults(body, is_table)


def _step_faults(body: Mapping[str, Any], given_is_table: bool) -> Iterator[str]:
    if amiss := _amiss(body, "when", (list, str), "list of steps"):
        yield amiss
        return
    if amiss := _amiss(body, "then", (Mapping,), "mapping"):
        yield amiss
        return
    then = body["then"]
    if not given_is_table:
        yield "`given` is a mapping"
    if body["when"] == [] and not _claims(then):
        yield "`then` claims nothing"
    yield from (f"`{key}` claims nothing" for key, said in then.items() if _is_idle(said))
    if not isinstance(then.get("legal", True), bool):
        yield "`legal` is true or false"
    if "reason" in then and (then.get("legal") is not False or not _is_text(then["reason"])):
        yield "`reason` is a text, and goes with `legal: false`"


def _amiss(body: Mapping[str, Any], key: str, kinds: tuple[type, ...], form: str) -> str:
    """What is wrong with a part that every case with steps has."""
    if isinstance(body.get(key), kinds):
        return ""
    return f"`{key}` is a {form}" if body.get(key) else f"a case needs `{key}`"


def _is_idle(said: Any) -> bool:
    """Does a mapping of claims have none in it, or none in a part? Every claim names what it is of."""
    return isinstance(said, Mapping) and (not said or any(map(_is_idle, said.values())))


def _thing_faults(given: Mapping[str, Any], then: Any) -> Iterator[str]:
    if not isinstance(given["things"], Mapping) or not given["things"]:
        yield "`things` is a mapping of things, each with its `kind`"
    for key in ("settings", "switches"):
        if not isinstance(given.get(key) or {}, Mapping):
            yield f"`{key}` is a mapping"
    if not isinstance(then, Mapping):
        yield "a case needs `then`"
        return
    if not _claims(then):
        yield "`then` claims nothing"
    if "refused" in then and not _is_sound_refusal(then):
        yield "`refused` is a part of the message, or a list of parts, and the only claim"
    yield from _claim_faults(then)


def _is_sound_refusal(then: Mapping[str, Any]) -> bool:
    refused = then["refused"]
    parts = refused if isinstance(refused, list) else [refused]
    return bool(parts) and all(map(_is_text, parts)) and len(_claims(then)) == 1


def _claim_faults(then: Mapping[str, Any]) -> Iterator[str]:
    numbers = then.get("numbers", {"": 0})
    if not isinstance(numbers, Mapping) or not numbers or {} in numbers.values():
        yield "`numbers` is a mapping of stats and measures, each with a value"
    if not isinstance(then.get("legal", True), bool):
        yield "`legal` is true or false"
    if not _is_texts(then.get("unmet", [])):
        yield "`unmet` is a list of requirements"
    refused = then.get("legal") is False or then.get("unmet")
    if "reason" in then and not (_is_text(then["reason"]) and refused):
        yield "`reason` is a text, and goes with `legal: false` or `unmet`"


def _claims(then: Mapping[str, Any]) -> list[str]:
    return [key for key in then if key not in REMARKS]


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_text(text: Any) -> bool:
    """Whether this is a text, and not the empty one, which any message holds."""
    return isinstance(text, str) and bool(text.strip())


def chosen_in(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings and switches of a case."""
    return {
        str(name).replace("-", "_"): value
        for part in ("switches", "settings")
        for name, value in sorted((given.get(part) or {}).items())
    }


# ----------------------------------------------------------------------- cases that try effect text


@cache
def _schemas() -> SchemaStore:
    """The schemas of such a case and of its `given`, which are parts of that of a whole file."""
    file = json.loads((SCHEMAS / "scenarios.schema.json").read_text(encoding="utf-8"))
    attempt = file["$defs"][ATTEMPT]
    given = {GIVEN: attempt["properties"][GIVEN]}
    given = {"properties": given, "required": [GIVEN], "additionalProperties": False}
    parts = {f"{ATTEMPT}.schema.json": attempt, f"{GIVEN}.schema.json": given}
    return SchemaStore.of({"scenarios.schema.json": file, **parts})


def has_given(node: YamlNode, report: Report) -> bool:
    """Whether a mapping has a sound `given:` of a case that tries effect text."""
    return check_item(node, GIVEN, _schemas(), report)


def _text_faults(node: YamlNode, then: Any) -> Iterator[str]:
    if isinstance(then, Mapping) and then.get("legal") is True:
        yield "`legal: true` is for cases without steps; all steps are accepted, if nothing is said"
    report = Report()
    if not check_item(node, ATTEMPT, _schemas(), report):
        for found in report.diagnostics():
            message = found.message.replace(f"`{ATTEMPT}`", "a case")
            yield f"line {found.place.line}: {message}" + (f": {found.help}" if found.help else "")
        return
    claims = _claims(then)
    if not claims:
        yield "`then` claims nothing"
    for alone in ("refused", "odds"):
        if alone in claims and claims != [alone]:
            yield f"`{alone}` is the only claim of a case"


def reasons_in(cases: Iterable[Case]) -> dict[str, str]:
    """The reason that each case of a refusal states, by the name of the case."""
    return {case.id: str(case.then["reason"]) for case in cases if "reason" in case.then}


def reviewed_reasons(folder: Path) -> dict[str, str]:
    """The reasons stated by the scenarios in a pack's folder, but for those that cannot be read."""
    report = Report()
    reasons: dict[str, str] = {}
    for file in walk(folder, folder.name, report)[0]:
        try:
            source = Source.read(file.path, file.shown)
        except SourceError:
            continue
        reasons.update(reasons_in(read_cases(source, report) or ()))
    return reasons
