"""Scenario cases read from a file: clauses with `example:`, a list of cases, or `cases:`.

Each case keeps its place, so that a failure can be clicked. A clause of a ledger says only that a
step is refused; the pack's case of the same name also states the reason (`approved_reasons`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.packs.scenario_files import ABOUT, CASE_FIELDS, DO, EXAMPLE_FIELDS, REMARKS
from ruleloom.compiler.packs.walk import walk
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario: the clauses it proves, its position, steps and claims.

    `steps` is None where `when` is prose; `things` without steps are only built; `texts` are the
    effect texts of `do:` steps.
    """

    id: str
    clauses: tuple[str, ...]
    given: Mapping[str, Any]
    steps: tuple[Any, ...] | None
    then: Mapping[str, Any]
    path: str
    line: int
    fault: str = ""
    things: YamlNode | None = None
    texts: tuple[YamlNode, ...] = ()


GIVEN = "given"
ATTEMPT = "attempt"  # what the schema calls a case that tries effect text


def read_cases(source: Source, report: Report) -> tuple[Case, ...] | None:
    """The cases of a file, or None if it holds none; faults in the YAML go to the report."""
    tree = compose(source, report)
    if tree is None:
        return None
    value: Any = tree.value
    if tree.kind == "list" and any(map(_is_case, value)):
        found = [_case(item, source) for item in value if _is_case(item)]
    elif _has(tree, "cases") and value["cases"].kind == "list":
        found = [_case(item, source) for item in value["cases"].value]
    else:
        return None
    seen: dict[str, int] = {}
    for number, case in enumerate(found):
        first = seen.setdefault(case.id, case.line)
        if first != case.line:
            found[number] = replace(case, fault=f"line {first} has a case of this name already")
    return tuple(found)


def _is_case(node: YamlNode) -> bool:
    """Is this entry of a list a clause with an example, or a case by itself?"""
    return _has(node, "example") or (
        _has(node, "then") and (_has(node, "when") or _has(node, "given"))
    )


def _has(node: YamlNode, key: str) -> bool:
    return isinstance(node.value, dict) and key in node.value


def _case(node: YamlNode, source: Source) -> Case:
    line = node.place.line
    data: Any = to_data(node)
    if not isinstance(data, Mapping) or not isinstance(data.get("id"), str):
        return Case(
            f"line {line}", (), {}, (), {}, source.path, line, "a case is a mapping with an `id`"
        )
    told = "example" in data
    body = data["example"] if told else data
    clauses = data.get("clauses", [data["id"]] if told else [])
    written_out = node.entries["example"] if told else node
    tried = isinstance(body, Mapping) and _does(body)
    faults = (
        _faults_about_texts(written_out, body.get("then"))
        if tried
        else _faults(body, EXAMPLE_FIELDS if told else CASE_FIELDS, clauses)
    )
    fault = next(faults, "")
    if fault:
        return Case(data["id"], (), {}, (), {}, source.path, line, fault)
    given = body.get("given") or {}
    written = written_out.get("given")
    texts = _texts(written_out) if tried else ()
    things = (
        written.get("things") if written is not None and ("when" not in body or texts) else None
    )
    steps = None if isinstance(body.get("when"), str) else tuple(body.get("when") or ())
    return Case(
        data["id"], tuple(clauses), given, steps, body["then"], source.path, line, "", things, texts
    )


def _texts(body: YamlNode) -> tuple[YamlNode, ...]:
    """The effect texts of a case whose steps are all `do:`."""
    return tuple(step.entries[DO] for step in body.entries["when"].items)


def _does(body: Mapping[str, Any]) -> bool:
    """Has a case a step that runs effect text?"""
    when = body.get("when")
    return isinstance(when, list) and any(isinstance(step, Mapping) and DO in step for step in when)


def _faults(body: Any, fields: Sequence[str], clauses: Any) -> Iterator[str]:
    """What is wrong with how a case is written, the first thing first."""
    if not isinstance(body, Mapping):
        yield "an example is a mapping with `given`, `when` and `then`"
        return
    unknown = [str(key) for key in body if key not in (*fields, *ABOUT)]
    if unknown:
        yield f"a case has no `{unknown[0]}`; it has {', '.join(fields)}"
    if not isinstance(clauses, list) or not all(isinstance(clause, str) for clause in clauses):
        yield "`clauses` is a list of clauses"
    given = body.get("given") or {}
    if not isinstance(given, Mapping) and not isinstance(body.get("when"), str):
        yield "`given` is a mapping"
        return
    if "things" in given and "when" not in body:
        yield from _faults_about_things(given, body.get("then"))
        return
    for key, kinds in (("when", (list, str)), ("then", (Mapping,))):
        if not isinstance(body.get(key), kinds):
            yield f"a case needs `{key}`"
            return
    if not isinstance(body.get("given") or {}, Mapping):
        yield "`given` is a mapping"
    then = body["then"]
    if body["when"] == [] and not [key for key in then if key not in REMARKS]:
        yield "`then` claims nothing"
    if "legal" in then and not isinstance(then["legal"], bool):
        yield "`legal` is true or false"
    if "reason" in then and (then.get("legal") is not False or not _is_said(then["reason"])):
        yield "`reason` is a text, and goes with `legal: false`"


def _faults_about_things(given: Mapping[str, Any], then: Any) -> Iterator[str]:
    """What is wrong with how a case about things is written."""
    if not isinstance(given["things"], Mapping) or not given["things"]:
        yield "`things` is a mapping of things, each with its `kind`"
    for key in ("settings", "switches"):
        if not isinstance(given.get(key) or {}, Mapping):
            yield f"`{key}` is a mapping"
    if not isinstance(then, Mapping):
        yield "a case needs `then`"
        return
    claims = [key for key in then if key not in REMARKS]
    if not claims:
        yield "`then` claims nothing"
    refused = then.get("refused", "")
    parts = refused if isinstance(refused, list) else [refused]
    if "refused" in then and (
        not parts or not all(_is_said(one) for one in parts) or len(claims) > 1
    ):
        yield "`refused` is a part of the message, or a list of parts, and the only claim"
    numbers = then.get("numbers", {"": 0})
    if not isinstance(numbers, Mapping) or not numbers or {} in numbers.values():
        yield "`numbers` is a mapping of stats and measures, each with a value"
    if not isinstance(then.get("legal", True), bool):
        yield "`legal` is true or false"
    unmet = then.get("unmet", [])
    if not isinstance(unmet, list) or not all(isinstance(one, str) for one in unmet):
        yield "`unmet` is a list of requirements"
    elif "reason" in then and not (
        _is_said(then["reason"]) and (then.get("legal") is False or unmet)
    ):
        yield "`reason` is a text, and goes with `legal: false` or `unmet`"


def _is_said(text: Any) -> bool:
    """Is this a text with something in it? Any message holds the empty one."""
    return isinstance(text, str) and bool(text.strip())


# ----------------------------------------------------------------------- cases that try effect text


@cache
def _schemas() -> SchemaStore:
    """The schema of such a case, which is a part of that of a whole file."""
    file = json.loads((SCHEMAS / "scenarios.schema.json").read_text(encoding="utf-8"))
    attempt = file["$defs"][ATTEMPT]
    return SchemaStore.of(
        {
            "scenarios.schema.json": file,
            f"{ATTEMPT}.schema.json": attempt,
            f"{GIVEN}.schema.json": {
                "properties": {GIVEN: attempt["properties"][GIVEN]},
                "required": [GIVEN],
                "additionalProperties": False,
            },
        }
    )


def has_given(node: YamlNode, report: Report) -> bool:
    """Has a mapping a sound `given:`, as cases that try effect text have it?"""
    return check_item(node, GIVEN, _schemas(), report)


def _faults_about_texts(node: YamlNode, then: Any) -> Iterator[str]:
    """What is wrong with how a case that tries effect text is written."""
    report = Report()
    if not check_item(node, ATTEMPT, _schemas(), report):
        for found in report.diagnostics():
            message = found.message.replace(f"`{ATTEMPT}`", "a case")
            yield f"line {found.place.line}: {message}" + (f": {found.help}" if found.help else "")
        return
    claims = [key for key in then if key not in REMARKS]
    if not claims:
        yield "`then` claims nothing"
    for alone in ("refused", "odds"):
        if alone in claims and claims != [alone]:
            yield f"`{alone}` is the only claim of a case"


def reasons_in(cases: Iterable[Case]) -> dict[str, str]:
    """The reason that each case of a refusal states, by the name of the case."""
    return {case.id: str(case.then["reason"]) for case in cases if "reason" in case.then}


def reviewed_reasons(folder: Path) -> dict[str, str]:
    """The reasons that the scenarios in a pack's folder state. What cannot be read states none."""
    report = Report()
    reasons: dict[str, str] = {}
    for file in walk(folder, folder.name, report)[0]:
        try:
            source = Source.read(file.path, file.shown)
        except SourceError:
            continue
        reasons.update(reasons_in(read_cases(source, report) or ()))
    return reasons
