"""Reads the cases of a file: a list of clauses with `example:`, or a mapping with `cases:`.

Each case keeps its place, so that a failure can be clicked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.diagnostics import Report
from compiler.source import Source
from compiler.yaml_tree import Node, compose, to_data


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario. `clauses` are the rules it proves; `steps` is None where `when` is prose."""

    id: str
    clauses: tuple[str, ...]
    given: Mapping[str, Any]
    steps: tuple[Any, ...] | None
    then: Mapping[str, Any]
    path: str
    line: int
    fault: str = ""


def read_cases(source: Source, report: Report) -> tuple[Case, ...] | None:
    """The cases of a file, or None if it holds none. What is wrong with the YAML goes to the report."""
    tree = compose(source, report)
    if tree is None:
        return None
    value: Any = tree.value
    if tree.kind == "list" and any(_has(item, "example") for item in value):
        return tuple(_case(item, source) for item in value if _has(item, "example"))
    if _has(tree, "cases") and value["cases"].kind == "list":
        return tuple(_case(item, source) for item in value["cases"].value)
    return None


def _has(node: Node, key: str) -> bool:
    return isinstance(node.value, dict) and key in node.value


def _case(node: Node, source: Source) -> Case:
    line = node.place.line
    data: Any = to_data(node)
    if not isinstance(data, Mapping) or not isinstance(data.get("id"), str):
        return Case(f"line {line}", (), {}, (), {}, source.path, line, "a case is a mapping with an `id`")
    body = data.get("example", data)
    clauses = tuple(data.get("clauses", ())) or ((data["id"],) if "example" in data else ())
    fault = "".join(_faults(body))
    if fault:
        return Case(data["id"], clauses, {}, (), {}, source.path, line, fault)
    steps = None if isinstance(body["when"], str) else tuple(body["when"])
    return Case(data["id"], clauses, body.get("given") or {}, steps, body["then"], source.path, line)


def _faults(body: Any) -> Iterator[str]:
    if not isinstance(body, Mapping):
        yield "an example is a mapping with `given`, `when` and `then`"
        return
    for key, kinds in (("when", (list, str)), ("then", (Mapping,))):
        if not isinstance(body.get(key), kinds):
            yield f"a case needs `{key}`"
            return
    if not isinstance(body.get("given") or {}, Mapping):
        yield "`given` is a mapping"
