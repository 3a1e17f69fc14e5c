"""How what is being called is written, with the argument that is due."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.analysis.effect_cursor import effect_cursor
from ruleloom.compiler.analysis.words import GameWord
from ruleloom.compiler.analysis.yaml_cursor import yaml_cursor
from ruleloom.editor.completion.candidates import spoken
from ruleloom.editor.project import Project
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CallHelp:
    """A call: how it is written, its parameters as they stand there, its English, and which is due."""

    label: str
    parameters: tuple[str, ...]
    english: str
    active: int


def signature_help(project: Project, path: str, offset: int) -> CallHelp | None:
    """The call in which a place stands; None outside of any."""
    cursor = effect_cursor(project.snapshot.kept, yaml_cursor(project.text(path), offset))
    if cursor is None or not cursor.callee:
        return None
    word = next(_called(project, cursor.callee), None)
    if word is None or not word.params:
        return None
    parameters = tuple(f"{one.name}: {one.type}" for one in word.params)
    label = f"{word.name}({', '.join(parameters)})"
    rest = word.called.partition(")")[2]
    labels = [one.name for one in word.params]
    active = _labelled(cursor.before, labels)
    number = cursor.argument if active is None else active
    return CallHelp(
        f"{label}{rest}", parameters, spoken(word.english), min(number, len(labels) - 1)
    )


def _called(project: Project, name: str) -> Iterator[GameWord]:
    yield from (one for one in project.words.all_of(name) if one.params is not None)
    yield from (one for one in (project.words.events.get(name),) if one is not None)


def _labelled(before: str, labels: list[str]) -> int | None:
    """The number of the parameter whose label stands before the place."""
    piece = before.rpartition("(")[2].rpartition(",")[2]
    label = piece.partition(":")[0].strip() if ":" in piece else ""
    return labels.index(label) if label in labels else None
