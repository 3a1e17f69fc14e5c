"""The migration of a pack: requirements, rules, steps, claims; then what is left for a person."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ruleloom.migrate.against import moved_tasks
from ruleloom.migrate.case_claims import by_names, case_tasks, failures, reword
from ruleloom.migrate.course import (
    Course,
    Task,
    raise_requirements,
    rewrite,
    tasks_of,
    unsure_tasks,
)
from ruleloom.migrate.whole_texts import as_steps

MOVED = "moved-on"


class Migrated(NamedTuple):
    """The changed files of a pack, old and new, by real path, and what a person must do."""

    files: dict[str, tuple[str, str]]
    tasks: tuple[Task, ...]


def migrate(course: Course) -> Migrated:
    """Migrate a pack in memory."""
    raise_requirements(course)
    tasks = [*unsure_tasks(course, course.compiled())]
    result = rewrite(course)
    if result.ok:
        tasks += as_steps(course, result)
        result = by_names(course, reword(course, course.compiled()))
    tasks += [one for one in tasks_of(course, result) if one.code != MOVED]
    tasks += moved_tasks(course, result)
    tasks += case_tasks(failures(course, result))
    files = {path: (read(path), text) for path, text in course.texts.items()}
    changed = {path: both for path, both in files.items() if both[0] != both[1]}
    return Migrated(changed, tuple(tasks))


def read(path: str) -> str:
    """The text of a file as it lies on disk, with line feeds."""
    return Path(path).read_text(encoding="utf-8-sig").replace("\r\n", "\n")
