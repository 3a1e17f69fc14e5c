"""The scenarios about what is being written, each with what came of it, and their steps on the board."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, TypedDict

from lsprotocol import types as lsp

from ruleloom.api.linking import linked_for
from ruleloom.bots.arena import make_bot
from ruleloom.compiler.cases.case_reader import file_of_cases
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import Plain, YamlNode
from ruleloom.editor.lsp.documents import Documents, path_of
from ruleloom.editor.lsp.editor_session import EditorSession
from ruleloom.editor.lsp.positions import TextLines
from ruleloom.editor.project import Project
from ruleloom.editor.scenario_runs import CaseMoment, RunFinding, case_moments, run_cases
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program, Zone
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Column, FrozenMap, World
from ruleloom.scenes.boards import board_seen
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.web.app import Service
from ruleloom.web.lobby import LARGEST_SEED, invite, keep
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput, Fields
from ruleloom.workbench.form import form_of, order_of, remove_value, set_value
from ruleloom.workbench.item_card import ItemShown, item_card

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
    me = state.scope[linked.me] if linked.me is not None else None
    return board_seen(linked, state, me if isinstance(me, int) else 0)


NAMES = ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn", "Gus", "Hana")
BOTS = ("greedy", "steady")


class TableOpened(TypedDict):
    """A table, with the link to the first seat, and what lies in its hand."""

    link: str
    held: str


def play_from_here(
    service: Service, program: Program, content: Content, id: str, url: str
) -> TableOpened:
    """Open a table for the person at the workbench, with bots for the others it needs."""
    settings = {one.name: one.value for one in program.settings}
    least = max(1, int(settings.get("least_players", 1)))
    names = NAMES[:least] if least <= len(NAMES) else tuple(f"P{one + 1}" for one in range(least))
    linked = linked_for(program, names, {})
    thing = thing_of(program, content, id)
    world = with_in_hand(linked, *thing) if thing is not None else None
    game = new_game(linked, secrets.randbelow(LARGEST_SEED), world)
    seats = [Seat(name, HUMAN if n == 0 else _bot(linked, n)) for n, name in enumerate(names)]
    table = keep(service.store, game, seats)
    token = invite(service.store, (url,), table, 0).token
    held = ""
    if world is not None and thing is not None:
        entity, number = thing
        held = program.entity(entity).titles[number]
    return {"link": f"/t/{table.id}#{token}", "held": held}


def thing_of(program: Program, content: Content, id: str) -> tuple[str, int] | None:
    """The first thing that an item makes: its kind and number."""
    item = content.by_id.get(id)
    if item is None:
        return None
    place = content.origin(item.place)
    for entity in program.entities:
        for number, one in enumerate(entity.places):
            if one == place:
                return entity.name, number
    return None


def with_in_hand(linked: Linked, entity: str, number: int) -> World | None:
    """The world before set-up, but with this thing in the hand of the first player; None where the
    game has no hand for it."""
    hand = next((zone for zone in linked.program.zones if _is_hand(zone, entity)), None)
    if hand is None:
        return None
    world = list(linked.driver.start(empty_world(linked.layout)))
    for zone in linked.program.zones:
        if zone.of == entity:
            at = linked.layout.index[zone.name]
            world[at] = _without(zone, world[at], number)
    at = linked.layout.index[hand.name]
    held = list(world[at])
    world[at] = (tuple(sorted((*held[0], number))), *held[1:])
    return tuple(world)


def _is_hand(zone: Zone, entity: str) -> bool:
    return zone.of == entity and zone.per_player and zone.seen_by == "owner" and not zone.at


def _without(zone: Zone, column: Column, number: int) -> Column:
    if zone.at:
        return FrozenMap((at, one) for at, one in column.items() if one != number)
    if zone.per_player:
        return tuple(tuple(one for one in held if one != number) for held in column)
    return tuple(one for one in column if one != number)


def _bot(linked: Linked, seat: int) -> str:
    """The best bot that can play this game."""
    for kind in BOTS:
        try:
            make_bot(kind, linked, 0, seat)
        except Refused:
            continue
        return kind
    return HUMAN


DEEPEST_PATH = 12

Answer = Callable[[Fields], Awaitable[object]]


class EditShown(TypedDict):
    """An edit of the text, from and to in UTF-16 units, as the page counts them."""

    start: int
    end: int
    text: str


class BesideText:
    """Answers for one page."""

    def __init__(self, session: EditorSession, service: Service) -> None:
        self.session, self.service = session, service
        # What was worked out for the last state of the packs.
        self._texts: tuple[Snapshot, Mapping[str, str]] | None = None
        self._result: tuple[Snapshot, CompileResult] | None = None

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The answers by the names of the requests."""
        return {
            "item": self._item,
            "cases": self._cases,
            "step": self._step,
            "form": self._form,
            "set": self._set,
            "remove": self._remove,
            "play": self._play,
        }

    async def _settled(self, fields: Fields) -> tuple[Project, str, int]:
        """The packs as they are now, the path of the file that is meant, and the place in it."""
        path = _path(fields)
        project = await self.session.settled(path)
        if project is None:
            raise Refused(told("packs_unread"))
        lines = TextLines(project.text(path))
        place = lsp.Position(fields.number("line"), fields.number("character"))
        return project, path, lines.offset(place)

    async def _with_reasons(self, project: Project) -> CompileResult:
        """The packs compiled with the reasons of refusals, once for each of their states."""
        if self._result is None or self._result[0] is not project.snapshot:
            self._result = project.snapshot, await self.session.with_reasons(project.group)
        return self._result[1]

    async def _item(self, fields: Fields) -> ItemShown | None:
        """The card. Texts of rules take longer than all else: without `fresh` the last ones known
        stand there, and the answer says whether they are those of now."""
        project, path, offset = await self._settled(fields)
        is_new = self._texts is None or self._texts[0] is not project.snapshot
        if is_new and fields.flag("fresh"):
            self._texts = project.snapshot, await self.session.fresh_rules(project.group)
        known, texts = self._texts or (None, {})
        is_fresh, program = known is project.snapshot, project.snapshot.program
        return await self.session.in_worker(
            lambda: item_card(project, path, offset, texts, is_fresh, program)
        )

    async def _cases(self, fields: Fields) -> object:
        project, path, offset = await self._settled(fields)
        item = project.names(path).item_near(offset)
        named = [item.get("id"), item.get("title")] if item is not None else []
        names = [one.text for one in named if one is not None and one.text]
        names += [name.replace("-", "_") for name in names]
        result = await self._with_reasons(project)
        documents = self.session.documents
        return await self.session.in_worker(
            lambda: cases_about(project, result, documents, path, names)
        )

    async def _step(self, fields: Fields) -> list[MomentShown]:
        project, path, _ = await self._settled(fields)
        case, result = fields.text("case", 200), await self._with_reasons(project)
        return await self.session.in_worker(lambda: moments_shown(project, result, path, case))

    async def _form(self, fields: Fields) -> object:
        project, path, offset = await self._settled(fields)
        form = await self.session.in_worker(lambda: form_of(project, path, offset))
        if form is not None:
            lines = TextLines(project.text(path))
            _in_units(form["fields"], lines)
        return form

    async def _set(self, fields: Fields) -> EditShown:
        project, text, path = self._known(fields)
        kind, number = fields.text("kind", 64), fields.number("number")
        order = order_of(project, kind, path[:-1])
        return _edit(text, set_value(text, number, path, _plain(fields.data.get("value")), order))

    async def _remove(self, fields: Fields) -> EditShown:
        _, text, path = self._known(fields)
        return _edit(text, remove_value(text, fields.number("number"), path))

    def _known(self, fields: Fields) -> tuple[Project, str, list[str | int]]:
        """The packs as they were last known, the text as it stands now, and the path in it."""
        file, path = _path(fields), fields.data.get("path")
        text = self.session.workspace.texts.get(file)
        project = next((one for one in self.session.projects() if one.is_known(file)), None)
        if text is None or project is None:
            raise Refused(told("no_such_file"))
        if self.session.documents.versions.get(file) != fields.number("version"):
            raise Refused(told("text_moved"))
        if not isinstance(path, list) or not 0 < len(path) <= DEEPEST_PATH:
            raise BadInput(told("bad_field", name="path"))
        steps = [one for one in path if isinstance(one, str) or (type(one) is int and one >= 0)]
        if len(steps) != len(path):
            raise BadInput(told("bad_field", name="path"))
        return project, text, steps

    async def _play(self, fields: Fields) -> TableOpened:
        project, _, _ = await self._settled(fields)
        id = fields.text("id", 300)
        snapshot = project.snapshot
        if not snapshot.result.ok or snapshot.program is None:
            raise Refused(told("mend_first"))
        program, content = snapshot.program, snapshot.now
        url = self.service.urls[0]
        return await self.session.in_worker(
            lambda: play_from_here(self.service, program, content, id, url)
        )


def _path(fields: Fields) -> str:
    document = fields.data.get("textDocument")
    return path_of(Fields(document if isinstance(document, dict) else {}).text("uri"))


def _plain(value: object) -> Plain:
    """A value of a form: a text, a number, yes or no, or a list or map of such."""
    parts = value if isinstance(value, list) else [value]
    if isinstance(value, dict):
        parts = [*value.values()]
    if not all(isinstance(one, str | int) for one in parts) or not isinstance(
        value, str | int | list | dict
    ):
        raise BadInput(told("bad_field", name="value"))
    return value


def _edit(text: str, edit: tuple[int, int, str]) -> EditShown:
    """An edit in the units of the page."""
    start, end, new = edit
    return {"start": _units(text[:start]), "end": _units(text[:end]), "text": new}


def _units(text: str) -> int:
    return len(text) + sum(ord(sign) > 0xFFFF for sign in text)


def _in_units(fields: object, lines: TextLines) -> None:
    """Turn the places of a form into lines, from 0, as the page counts them."""
    for field in fields if isinstance(fields, list) else ():
        field["at"] = lines.position(field["at"]).line if field["at"] >= 0 else -1
        _in_units(field["fields"], lines)
