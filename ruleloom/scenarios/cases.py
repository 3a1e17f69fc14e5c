"""Reads the cases of a file: a list of clauses with `example:`, a list of cases, or a mapping with `cases:`.

Each case keeps its place, so that a failure can be clicked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compiler.diagnostics import Report
from compiler.source import Source
from compiler.yaml_tree import Node, compose, to_data


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario. `clauses` are the rules it proves; `steps` is None where `when` is prose. A case about
    `things` without steps is not played. `texts` are the effect texts of one whose steps are `do:`."""

    id: str
    clauses: tuple[str, ...]
    given: Mapping[str, Any]
    steps: tuple[Any, ...] | None
    then: Mapping[str, Any]
    path: str
    line: int
    fault: str = ""
    things: Node | None = None
    texts: tuple[Node, ...] = ()


EXAMPLE_FIELDS = ("given", "when", "then")
CASE_FIELDS = ("id", "clauses", *EXAMPLE_FIELDS)
REMARKS = ("note", "why")
DO = "do"  # the key of a step that runs effect text
ABOUT = (*REMARKS, "section", "kind", "rule", "reading")  # what a clause says besides its example


def read_cases(source: Source, report: Report) -> tuple[Case, ...] | None:
    """The cases of a file, or None if it holds none. What is wrong with the YAML goes to the report."""
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


def _is_case(node: Node) -> bool:
    """Is this entry of a list a clause with an example, or a case by itself?"""
    return _has(node, "example") or (_has(node, "then") and (_has(node, "when") or _has(node, "given")))


def _has(node: Node, key: str) -> bool:
    return isinstance(node.value, dict) and key in node.value


def _case(node: Node, source: Source) -> Case:
    line = node.place.line
    data: Any = to_data(node)
    if not isinstance(data, Mapping) or not isinstance(data.get("id"), str):
        return Case(f"line {line}", (), {}, (), {}, source.path, line, "a case is a mapping with an `id`")
    told = "example" in data
    body = data["example"] if told else data
    clauses = data.get("clauses", [data["id"]] if told else [])
    fault = next(_faults(body, EXAMPLE_FIELDS if told else CASE_FIELDS, clauses), "")
    if fault:
        return Case(data["id"], (), {}, (), {}, source.path, line, fault)
    given = body.get("given") or {}
    written = (node.entries["example"] if told else node).get("given")
    texts = _texts(node.entries["example"] if told else node)
    things = written.get("things") if written is not None and ("when" not in body or texts) else None
    steps = None if isinstance(body.get("when"), str) else tuple(body.get("when") or ())
    return Case(data["id"], tuple(clauses), given, steps, body["then"], source.path, line, "", things, texts)


def _texts(body: Node) -> tuple[Node, ...]:
    """The effect texts of a case whose steps are all `do:`."""
    when = body.get("when")
    found = [step.get(DO) for step in when.items] if when is not None else []
    texts = tuple(text for text in found if text is not None)
    return texts if len(texts) == len(found) else ()


def does(body: Mapping[str, Any]) -> bool:
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
    if does(body):
        yield from _faults_about_texts(body)
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
    if "reason" in then and (then.get("legal") is not False or not isinstance(then["reason"], str)):
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
    if "refused" in then and (not isinstance(then["refused"], str) or claims != ["refused"]):
        yield "`refused` is a part of the message, and the only claim"
    numbers = then.get("numbers", {"": 0})
    if not isinstance(numbers, Mapping) or not numbers or {} in numbers.values():
        yield "`numbers` is a mapping of stats and measures, each with a value"
    if not isinstance(then.get("legal", True), bool):
        yield "`legal` is true or false"
    unmet = then.get("unmet", [])
    if not isinstance(unmet, list) or not all(isinstance(one, str) for one in unmet):
        yield "`unmet` is a list of requirements"
    elif "reason" in then and not (isinstance(then["reason"], str) and (then.get("legal") is False or unmet)):
        yield "`reason` is a text, and goes with `legal: false` or `unmet`"


def _faults_about_texts(body: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with how a case that runs effect text is written."""
    given, then = body.get("given") or {}, body.get("then")
    for step in body["when"]:
        if not isinstance(step, Mapping) or not isinstance(step.get(DO), str):
            yield "either all steps are `do:` with an effect text, or none is"
        elif unknown := next((key for key in step if key not in (DO, "answers")), None):
            yield f"a step has no `{unknown}`; it has `do` and `answers`"
        elif not _are_answers(step.get("answers") or {}):
            yield "`answers` is a mapping of prompts with their answers, or a list of such with one entry each"
    for key in ("things", "settings", "switches", "state"):
        if not isinstance(given.get(key) or {}, Mapping):
            yield f"`{key}` is a mapping"
    if not isinstance(then, Mapping):
        yield "a case needs `then`"
        return
    if not [key for key in then if key not in REMARKS]:
        yield "`then` claims nothing"
    if "refused" in then and (not isinstance(then["refused"], str) or [*then] != ["refused"]):
        yield "`refused` is a part of the message, and the only claim"
    if "legal" in then and then["legal"] is not False:
        yield "`legal` is false: that an answer is taken needs no claim"
    if "reason" in then and not ("legal" in then and isinstance(then["reason"], str)):
        yield "`reason` is a text, and goes with `legal: false`"
    for key in ("numbers", "asked", "over", "odds"):
        if key in then and (not isinstance(then[key], Mapping) or not then[key]):
            yield f"`{key}` is a mapping that claims something"
    log = then.get("log", [""])
    if not isinstance(log, list) or not log or not all(isinstance(line, str) for line in log):
        yield "`log` is a list of texts"


def _are_answers(answers: Any) -> bool:
    if isinstance(answers, list):
        return all(isinstance(one, Mapping) and len(one) == 1 for one in answers)
    return isinstance(answers, Mapping)
