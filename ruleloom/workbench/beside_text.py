"""What the page of the workbench asks about the text at a place, beside the protocol of editors.

All of it is worked out in the thread that compiles for this page, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from lsprotocol import types as lsp

from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.yaml.node import Plain
from ruleloom.editor.editor_session import EditorSession
from ruleloom.editor.project import Project, Snapshot, TextLines, path_of
from ruleloom.runtime.program.faults import Refused
from ruleloom.web.app import Service
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput, Fields
from ruleloom.workbench.case_runs import MomentShown, cases_about, moments_shown
from ruleloom.workbench.form_fields import form_of, order_of
from ruleloom.workbench.item_card import ItemShown, item_card
from ruleloom.workbench.language_socket import Answer
from ruleloom.workbench.play_from_here import TableOpened, play_from_here
from ruleloom.workbench.yaml_edits import remove_value, set_value

DEEPEST_PATH = 12


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
