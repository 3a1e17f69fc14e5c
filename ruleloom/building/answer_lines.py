"""Answers in words, such as `gifts + thick-hide`, as changes of a record's data.

An entry of a list is named by its number, from 1, or by the plain value that it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ruleloom.api.requirements import ALLOWED
from ruleloom.building.choices import LISTS, RULES, WORDS, YES_NO, OpenChoice
from ruleloom.building.plain_tree import Data, Steps, at_path
from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.yaml.node import Plain, to_data
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused

LINE = re.compile(r"(?P<at>\S+?)\s*(?P<op>=|\s[+-])(?:\s+(?P<value>.*\S))?\s*", re.DOTALL)
ALLOW = re.compile(
    r"(?P<word>allow|forbid)\s+(?P<name>\S+)(?:\s+because\s+(?P<note>.*\S))?\s*", re.DOTALL
)
TRUTHS = {"yes": True, "true": True, "no": False, "false": False}
REMOVED = object()
HOW = "write it as `field = value`, `list + entry` or `list - entry`"


class RecordChange(Frozen):
    """A value to set at a path of the record; REMOVED takes out what is there."""

    path: Steps
    value: Any


def change_of(line: str, data: Data, choices: Sequence[OpenChoice]) -> RecordChange:
    """The change that a line means. Raises Refused for what it does not name."""
    if allows := ALLOW.fullmatch(line.strip()):
        return _allowing(allows["word"], allows["name"], allows["note"], data)
    said = LINE.fullmatch(line.strip())
    if said is None:
        raise Refused(f"`{line}` is no answer: {HOW}")
    choice, path = find_choice(said["at"], data, choices)
    if said["op"] == "=":
        return _setting(choice, path, said["value"], data, choices)
    if choice is None or choice.sort not in LISTS:
        raise Refused(f"`{said['at']}` is no list: write `{said['at']} = value`")
    if said["value"] is None:
        raise Refused(f"`{line}` names no entry: {HOW}")
    if said["op"].strip() == "-":
        return RecordChange((*path, _held(at_path(data, path), said["value"], choice)), REMOVED)
    return _adding(choice, said["value"], data, choices)


def _setting(
    choice: OpenChoice | None,
    path: Steps,
    text: str | None,
    data: Data,
    choices: Sequence[OpenChoice],
) -> RecordChange:
    """The change that sets a field, or takes it out."""
    if text is None:
        return RecordChange(path, REMOVED)
    return nested_change(path, value_of(choice, text), data, choices)


def _adding(
    choice: OpenChoice, text: str, data: Data, choices: Sequence[OpenChoice]
) -> RecordChange:
    """The change that adds an entry."""
    held = at_path(data, choice.path)
    if choice.key:
        name, _, rest = text.partition(" ")
        return nested_change((*choice.path, name), plain_of(rest) if rest else 1, data, choices)
    is_value = choice.by_number or text[:1] in "{[\"'"
    entry = plain_of(text) if is_value else text
    if not choice.plain and choice.short and not isinstance(entry, dict):
        entry = {choice.short: entry}
    place = len(held) if isinstance(held, list) else 0
    return nested_change((*choice.path, place), entry, data, choices)


def find_choice(
    at: str, data: Data, choices: Sequence[OpenChoice]
) -> tuple[OpenChoice | None, Steps]:
    """The choice at a place as people write it, and its path. Raises Refused if there is none.

    A key of a table that is not written yet has a path, and no choice of its own.
    """
    found: OpenChoice | None = None
    path: Steps = ()
    level = choices
    words = at.split(".")
    for number, word in enumerate(words, 1):
        step = _step(word, found, data)
        inner = next((one for one in level if one.path == (*path, step)), None)
        if inner is None and found is not None and found.key and number == len(words):
            return None, (*path, word)
        if inner is None:
            raise _no_choice(word, found, level)
        found, path, level = inner, inner.path, inner.choices
    return found, path


def _no_choice(word: str, within: OpenChoice | None, level: Sequence[OpenChoice]) -> Refused:
    """The refusal of a name that no choice has."""
    known = [_last(one) for one in level]
    help = did_you_mean(word, known) or choices_text(word, known)
    where = f" in `{within.at}`" if within is not None else ""
    return Refused(f"there is no choice `{word}`{where}; {help}")


def _last(choice: OpenChoice) -> str:
    return choice.at.rpartition(".")[2]


def _step(word: str, within: OpenChoice | None, data: Data) -> str | int:
    """The step of a path that a word means."""
    held = at_path(data, within.path) if within is not None else None
    if not isinstance(held, list):
        return word
    return _held(held, word, within)


def _held(held: Plain, word: str, choice: OpenChoice | None) -> str | int:
    """The key or number of an entry that a word names."""
    if isinstance(held, dict) and word in held:
        return word
    entries = held if isinstance(held, list) else []
    names = [_named(one, choice.short if choice is not None else "") for one in entries]
    if word in names:
        return names.index(word)
    if word.isdigit() and 1 <= int(word) <= len(entries):
        return int(word) - 1
    where = choice.at if choice is not None else "the record"
    raise Refused(f"there is no `{word}` in `{where}`")


def _named(entry: Plain, short: str) -> str:
    """What an entry is called: its plain value, or that of the field it is named by."""
    return str(entry.get(short) if isinstance(entry, dict) and short else entry)


def value_of(choice: OpenChoice | None, text: str) -> Plain:
    """The value that a text means for a choice."""
    if choice is None:
        return plain_of(text)
    if choice.sort == YES_NO:
        return TRUTHS.get(text, text)
    is_word = choice.sort in (WORDS, RULES) or choice.of or choice.options
    return text if is_word and text[:1] not in "\"'" else plain_of(text)


def plain_of(text: str) -> Plain:
    """A value written in YAML."""
    try:
        [node] = items_in(f"kind: {text}\n") if "\n" not in text else []
    except ValueError:
        return text
    return to_data(node.entries["kind"])


def nested_change(
    path: Steps, value: Plain, data: Data, choices: Sequence[OpenChoice] = ()
) -> RecordChange:
    """The change at the deepest place that is written: what holds the value is written with it."""
    for length in range(1, len(path)):
        above = path[:length]
        held = at_path(data, above)
        if isinstance(held, dict | list):
            continue
        step = path[length]
        inner = nested_change(path[length:], value, {}).value if length < len(path) - 1 else value
        if held is None or held == "":
            return RecordChange(above, [inner] if isinstance(step, int) else {str(step): inner})
        short = _short(above, choices)
        if not short:
            raise Refused("this entry is a plain value, and has no fields")
        return RecordChange(above, {short: held, str(step): inner})
    return RecordChange(path, value)


def _short(path: Steps, choices: Sequence[OpenChoice]) -> str:
    """The field that the plain entry at a path stands for."""
    level = choices
    found = None
    for length in range(1, len(path) + 1):
        found = next((one for one in level if one.path == path[:length]), None)
        level = found.choices if found is not None else ()
    return found.short if found is not None else ""


def _allowing(word: str, name: str, note: str | None, data: Data) -> RecordChange:
    """The GM's override of a requirement, or its end."""
    entries = data.get(ALLOWED)
    held = entries if isinstance(entries, list) else []
    slugs = [str(one.get("requirement")) if isinstance(one, dict) else "" for one in held]
    if word == "forbid":
        if name not in slugs:
            raise Refused(f"`{name}` is not allowed")
        return RecordChange((ALLOWED, slugs.index(name)), REMOVED)
    if note is None:
        raise Refused(f"who allows it, and why? write `allow {name} because ...`")
    entry: Plain = {"requirement": name, "note": note}
    if name in slugs:
        return RecordChange((ALLOWED, slugs.index(name)), entry)
    return nested_change((ALLOWED, len(held)), entry, data)
