"""Plain data as YAML that reads back the same: mutated items, and cases for an author."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

PLAIN = re.compile(r"[A-Za-z_](?:[\w./()@+-]| (?=[\w(]))*|\d+[A-Za-z/][\w./@-]*")
WORDS_OF_YAML = frozenset(
    one for word in ("true", "false", "null") for one in (word, word.title(), word.upper())
)


def flow(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(str(key))}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        plain = PLAIN.fullmatch(value) and value not in WORDS_OF_YAML
        return value if plain else json.dumps(value, ensure_ascii=False)
    return str(value)


def lines_of_item(fields: Mapping[str, Any], texts: Sequence[str]) -> Iterator[str]:
    """An item whose effect texts are blocks, so that every character keeps its place."""
    for name, value in fields.items():
        if name in texts and isinstance(value, str):
            yield f"{name}: |"
            lines = value.rstrip("\n").split("\n")
            yield from (f"  {line}" if line.strip() else "" for line in lines)
        else:
            yield f"{name}: {flow(value)}"


def lines_of_case(case: Mapping[str, Any]) -> Iterator[str]:
    """A case as an entry of `cases:`, with what belongs together in one line."""
    yield f"  - id: {flow(case['id'])}"
    yield f"    note: {flow(case['note'])}"
    yield "    given:"
    for key, value in case["given"].items():
        inner = value.values() if isinstance(value, Mapping) else ()
        if not any(isinstance(one, Mapping) for one in inner):
            yield f"      {key}: {flow(value)}"
            continue
        yield f"      {key}:"
        yield from (f"        {flow(str(name))}: {flow(one)}" for name, one in value.items())
    yield "    when:"
    for step in case["when"]:
        yield from _step(step)
    yield f"    then: {flow(case['then'])}"


def _step(step: Mapping[str, Any]) -> Iterator[str]:
    text = step.get("do")
    if not isinstance(text, str) or "\n" not in text.rstrip("\n"):
        yield f"      - {flow(step)}"
        return
    yield "      - do: |"
    yield from (f"          {line}" for line in text.rstrip("\n").split("\n"))
    yield from (f"        {key}: {flow(value)}" for key, value in step.items() if key != "do")


def file_of_cases(cases: Sequence[Mapping[str, Any]], remark: str) -> str:
    """A whole file of scenarios."""
    lines = [f"# {remark}", "kind: scenarios", "cases:"]
    for case in cases:
        lines += lines_of_case(case)
    return "\n".join(lines) + "\n"
