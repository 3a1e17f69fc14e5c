"""The scenarios about what is being written, each with what came of it, and their steps on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypedDict

from ruleloom.compiler.cases.case_reader import file_of_cases
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.project import Documents, Project
from ruleloom.editor.scenario_runs import CaseMoment, RunFinding, case_moments, run_cases
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.registers import DEAD, Suspension
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.state import State
from ruleloom.runtime.search.node import PlayNode
from ruleloom.web.pages import told
from ruleloom.web.seat_view import board_seen

MOST_MOMENTS = 60


class CaseShown(TypedDict):
    """A case: where it stands, and whether it passes, with what was found instead."""

    id: str
    title: str
    uri: str
    line: int
    passed: bool
    message: str


class MomentShown(TypedDict):
    """A moment of a case: what it is, what has happened, and the board; None where it ends early."""

    heading: str
    happened: list[str]
    board: Any
    seats: list[str]


def cases_about(
    project: Project, result: CompileResult, documents: Documents, path: str, names: list[str]
) -> list[CaseShown]:
    """Run the cases of a file of cases, or those of the packs that speak of one of these names.

    Raises Refused where they cannot be run now.
    """
    if _holds_cases(project, path):
        return list(_cases_of(project, result, documents, path, None))
    found: list[CaseShown] = []
    for file in project.paths:
        if project.is_writable(file) and _holds_cases(project, file):
            found += _cases_of(project, result, documents, file, names)
    return found


def _cases_of(
    project: Project,
    result: CompileResult,
    documents: Documents,
    path: str,
    names: list[str] | None,
) -> Iterator[CaseShown]:
    """The cases of a file, or those of them that speak of one of the names, as they have run."""
    nodes = dict(_nodes(project, path))
    meant = {id for id, node in nodes.items() if names is None or _speaks(node.raw, names)}
    for run in run_cases(project, result, path) if meant else ():
        if run.case in meant:
            yield _shown(project, documents, path, nodes[run.case], run)


def _shown(
    project: Project, documents: Documents, path: str, node: YamlNode, run: RunFinding
) -> CaseShown:
    title = node.get("title")
    return {
        "id": run.case,
        "title": (title.text or "") if title is not None else "",
        "uri": documents.uri(path),
        "line": project.text(path).count("\n", 0, run.start),
        "passed": run.passed,
        "message": "" if run.passed and run.message == "passed" else run.message,
    }


def _holds_cases(project: Project, path: str) -> bool:
    return any(one.get("cases") is not None for one in project.names(path).items)


def _nodes(project: Project, path: str) -> Iterator[tuple[str, YamlNode]]:
    root = project.names(path).root
    for case in file_of_cases(root).cases if root is not None else ():
        if case.name:
            yield case.name, case.whole


def _speaks(text: str, names: list[str]) -> bool:
    """Does a text name one of these, as a whole word?"""
    return any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE)
        for name in names
        if name
    )


# ---------------------------------------------------------------------------------- on the board


def moments_shown(
    project: Project, result: CompileResult, path: str, case: str
) -> list[MomentShown]:
    """The board before a case and after each of its steps; Refused where it cannot be run now."""
    moments = case_moments(project, result, path, case)
    left = len(moments) - MOST_MOMENTS
    if left > 0:
        rest = CaseMoment(told("further_steps", count=left), [], None)
        moments = [*moments[:MOST_MOMENTS], rest]
    return [
        {
            "heading": one.heading,
            "happened": one.happened,
            "board": board_of(*one.table) if one.table is not None else None,
            "seats": list(one.table[0].layout.players) if one.table is not None else [],
        }
        for one in moments
    ]


def board_of(linked: Linked, state: State) -> Any:
    """The board of a moment for the player who is to act; on nobody's turn, for the first player."""
    node = PlayNode(linked, Suspension(DEAD, state, (), (), "", ()))
    game = Game(linked, node, 0, None, (), None, None, ())
    me = state.scope[linked.me] if linked.me is not None else None
    viewer = me if isinstance(me, int) else 0
    return board_seen(game, viewer)
