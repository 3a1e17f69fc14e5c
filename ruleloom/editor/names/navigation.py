"""The declarations and uses of a name."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.analysis.uses import Occurrence, span_in
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.editor.project import Project
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a file."""

    path: str
    start: int
    end: int


def name_at(project: Project, path: str, offset: int) -> Occurrence | None:
    """The name at a place; in a text that does not parse, what its word may mean."""
    names = project.names(path)
    found = names.at(offset)
    if found is not None:
        return found
    start, end = word_at(names.text, offset)
    for word in project.words.all_of(names.text[start:end]):
        table, name = ("item", word.id) if ":" in word.id else (word.sort, word.name)
        return Occurrence(start, end, Meaning(table, name), word=word.sort)
    return None


def word_at(text: str, offset: int) -> tuple[int, int]:
    """From where to where a word around an offset goes."""
    start = end = min(offset, len(text))
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] in "_-"):
        end += 1
    return start, end


def definitions(project: Project, path: str, offset: int) -> list[Spot]:
    """The declarations of the name at a place."""
    name = name_at(project, path, offset)
    return [] if name is None else list(declarations(project, name.meaning, path))


def declarations(project: Project, target: Meaning, path: str = "") -> Iterator[Spot]:
    """The declarations of something; of a variable of a text, the first place that names it."""
    if target.table == "local":
        found = (one for one in project.names(path).occurrences if one.meaning == target)
        first = next(found, None)
        if first is not None:
            yield Spot(path, first.start, first.end)
        return
    item = project.item(target)
    place = item.place if item is not None else project.snapshot.kept.declared.get(target)
    if place is not None:
        where = project.snapshot.real_path(place.path)
        yield Spot(where, *span_in(project.text(where), place))


def references(project: Project, path: str, offset: int, declared: bool = True) -> list[Spot]:
    """Every place at which what stands here is named, the one where it is declared included."""
    name = name_at(project, path, offset)
    if name is None:
        return []
    return [
        Spot(where, one.start, one.end)
        for where, one in project.everywhere(name.meaning)
        if declared or not one.declares
    ]
