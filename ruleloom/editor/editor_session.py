"""The state of one editor session: its open texts and the analyses of their packs.

Texts change on every keystroke; packs are compiled in a worker thread, shortly after the last one. A
stale result is neither shown nor kept. Nothing is ever written or sent.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import Any, NamedTuple, TypeVar

from lsprotocol import types as lsp

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.diagnostics.report import Stopped
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.editor.completion import Completer
from ruleloom.editor.project import (
    Documents,
    PackGroup,
    Project,
    Snapshot,
    TextLines,
    Workspace,
    path_of,
    unread,
)
from ruleloom.runtime.dataclass import dataclass

T = TypeVar("T")
DELAY = 0.08
"""Minimum seconds without a keystroke before packs are compiled."""
LONGEST_DELAY = 1.0
VERY_LONG = 0.7
IDLE, MOST_GARBAGE = 1.5, 6
"""Seconds without a keystroke before garbage is collected, and the number of compilations after which
it is collected regardless."""
USAGE_LASTS = 200
"""Compilations before usage is counted again."""

OFTEN = 40
"""Collections after which frozen objects are collected, too."""


@dataclass(repr=False)
class _State:
    """The state of one group of packs: `version` grows with every change of its texts.

    Its repr omits the fields: asyncio prints the arguments of a failed callback, and those of a game
    would take minutes to format.
    """

    version: int = 0
    compiled: int = -1
    task: asyncio.Task[None] | None = None
    done: asyncio.Event = field(default_factory=asyncio.Event)
    project: Project | None = None
    seconds: float = 0.0
    """Seconds of the last compilation."""
    completer: Completer | None = None
    usage_left: int = 0
    texts: Mapping[str, str] = field(default_factory=dict)
    told: int = -1
    """The version of the last rules texts, or pending ones."""
    telling: asyncio.Task[None] | None = None
    shown: dict[str, list[lsp.Diagnostic]] = field(default_factory=dict)


Publish = Callable[[PackGroup, Snapshot], None]
"""Publish a group's findings."""


class DocumentPlace(NamedTuple):
    """The place in a document that a request with `params` refers to: its project and completer, its
    path, lines and offset."""

    params: Any
    project: Project
    path: str
    lines: TextLines
    offset: int
    completer: Completer


class EditorSession:
    """One editor."""

    def __init__(
        self,
        publish: Publish,
        report: Callable[[BaseException], None],
        workspace: Workspace | None = None,
    ) -> None:
        self.workspace = workspace or Workspace()
        self.documents = Documents(self.workspace.texts)
        self._publish, self._report = publish, report
        self._states: dict[PackGroup, _State] = {}
        self._worker = ThreadPoolExecutor(1, "ruleloom-compile")
        self.collector = IdleCollector()
        self._changes = self._garbage = 0
        self._reasoned: tuple[Snapshot, CompileResult] | None = None

    def speak_to(self, publish: Publish, report: Callable[[BaseException], None]) -> None:
        """Publish to another client from now on."""
        self._publish, self._report = publish, report

    def prepare(self, group: PackGroup) -> None:
        """Compile and analyse a group before a client opens it."""
        snapshot = self.workspace.check(group)
        if snapshot is None:
            return
        state = self._states.setdefault(group, _State())
        state.project, state.completer = self._prepared(group, state, snapshot)
        self._take_texts(state, self.workspace.compiled(group, rules=True))
        _ = state.project.uses, state.completer.usage

    def changed(self, path: str, delay: float = DELAY) -> None:
        """Schedule a compilation after a change of a file."""
        group = self.workspace.group_of(path)
        if group is not None:
            self._touch(group, delay)

    def changed_on_disk(self) -> None:
        """Recompile after a change on the disk."""
        for group in self.workspace.open_groups():
            self._touch(group, DELAY)

    def _touch(self, group: PackGroup, delay: float) -> None:
        state = self._states.setdefault(group, _State())
        state.version += 1
        self._changes += 1
        state.shown.clear()
        state.done.clear()
        if state.task is None or state.task.done():
            state.task = asyncio.get_running_loop().create_task(self._compile(group, state, delay))

    async def _compile(self, group: PackGroup, state: _State, delay: float) -> None:
        """Compile until the texts are stable."""
        while state.compiled != state.version:
            before = -1
            while before != state.version:
                before = state.version
                await asyncio.sleep(max(delay, min(state.seconds / 2, LONGEST_DELAY)))
            await self._compile_once(group, state)
            if state.compiled == state.version:
                state.done.set()

    async def _compile_once(self, group: PackGroup, state: _State) -> None:
        """Compile the current texts; the result is dropped if they have changed meanwhile."""
        version, texts = state.version, dict(self.workspace.texts)
        begun = time.perf_counter()
        try:
            result = await self.in_worker(
                lambda: self.workspace.compiled(
                    group, texts, wanted=lambda: version == state.version
                )
            )
        except Stopped:
            self._leave_garbage()
            return
        except Exception as fault:  # the editor goes on, and the fault is logged
            self._report(fault)
            state.compiled = version
            return
        if version != state.version:
            return
        state.compiled, state.seconds = version, time.perf_counter() - begun
        snapshot = self.workspace.keep(group, result)
        self._publish(group, snapshot or unread(result))
        if snapshot is not None:
            state.project, state.completer = await self.in_worker(
                lambda: self._prepared(group, state, snapshot)
            )
            self._leave_garbage()

    def _prepared(
        self, group: PackGroup, state: _State, snapshot: Snapshot
    ) -> tuple[Project, Completer]:
        """The project and completer for a new snapshot; usage is recounted every `USAGE_LASTS`
        compilations."""
        before, completer = state.project, state.completer
        state.usage_left -= 1
        if completer is None or before is None or before.snapshot.kept is not snapshot.kept:
            usage = completer.usage if completer is not None and state.usage_left >= 0 else None
            completer = Completer(snapshot, usage)
        if state.usage_left < 0:
            state.usage_left = USAGE_LASTS
        completer.prepare()
        if snapshot.kept.program is not None:
            at_rest(snapshot.kept.program)  # link it ahead, for hover
        return Project(snapshot, group, self.workspace.texts, before), completer

    def _leave_garbage(self) -> None:
        """Schedule the collection of a compilation's garbage when idle."""
        self._garbage += 1
        if self._garbage > MOST_GARBAGE:
            self._collect()
        else:
            asyncio.get_running_loop().call_later(IDLE, self._collect, self._changes)

    def _collect(self, changes: int | None = None) -> None:
        """Collect garbage, unless there is none, or a text has changed since."""
        if self._garbage and changes in (None, self._changes):
            self._garbage = 0
            asyncio.get_running_loop().run_in_executor(self._worker, self.collector.collect)

    async def in_worker(self, work: Callable[[], T]) -> T:
        """The result of work in the worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    async def project(self, path: str, settled: bool = False) -> Project | None:
        """The project of a file. Waits for the first compilation or, if `settled`, for that of the
        current texts."""
        group = self.workspace.group_of(path)
        if group is None:
            return None
        if group not in self._states or self._states[group].task is None:
            self._touch(group, 0)
        state = self._states[group]
        if settled or state.project is None:
            await state.done.wait()
        return state.project

    async def place(self, params: Any, settled: bool) -> DocumentPlace | None:
        """The place of a document request: its position, else the start of its range, else the start
        of the document; None for a file in no pack."""
        path = path_of(params.text_document.uri)
        project = await self.project(path, settled)
        group = self.workspace.group_of(path)
        completer = self._states[group].completer if group is not None else None
        if project is None or completer is None:
            return None
        lines = project.lines(path)
        range = getattr(params, "range", None)
        position = getattr(params, "position", range and range.start) or lsp.Position(0, 0)
        return DocumentPlace(params, project, path, lines, lines.offset(position), completer)

    async def with_reasons(self, project: Project) -> CompileResult:
        """The compilation of a project with the reasons of refusals, for cases; kept until it
        changes."""
        if self._reasoned is None or self._reasoned[0] is not project.snapshot:
            texts = dict(self.workspace.texts)
            result = await self.in_worker(
                lambda: self.workspace.compiled(project.group, texts, reasons=True)
            )
            self._reasoned = project.snapshot, result
        return self._reasoned[1]

    async def fresh_rules(
        self, group: PackGroup, wanted: Callable[[], bool] | None = None
    ) -> Mapping[str, str]:
        """The current rules texts by item id; the last known ones if the packs have errors.

        Raises Stopped once `wanted` returns False.
        """
        state = self._states[group]
        if state.project is None or state.project.snapshot.result.ok:
            self._take_texts(state, await self.with_texts(group, wanted))
        return state.texts

    def _take_texts(self, state: _State, result: CompileResult) -> None:
        if result.program is not None:
            state.texts = dict(result.program.texts)

    async def with_texts(
        self, group: PackGroup, wanted: Callable[[], bool] | None = None
    ) -> CompileResult:
        """The compilation of packs with the rules texts of their items. Raises Stopped once `wanted` returns
        False."""
        texts = dict(self.workspace.texts)
        return await self.in_worker(
            lambda: self.workspace.compiled(group, texts, rules=True, wanted=wanted)
        )

    def show(self, path: str, shown: Sequence[lsp.Diagnostic]) -> None:
        """Publish the results of a command on a file, until its packs change."""
        group = self.workspace.group_of(path)
        state = self._states.get(group) if group is not None else None
        if group is not None and state is not None and state.project is not None:
            state.shown[path] = [*shown]
            self._publish(group, state.project.snapshot)

    def shown_for(self, group: PackGroup) -> Mapping[str, Sequence[lsp.Diagnostic]]:
        """The results of commands, by path."""
        return self._states[group].shown if group in self._states else {}

    async def rules_texts(self, path: str) -> Mapping[str, str]:
        """The rules texts by item id. The first call waits for them unless packs are large; later
        ones return the last texts while newer ones are rendered in the worker."""
        group = self.workspace.group_of(path)
        state = self._states.get(group) if group is not None else None
        if group is None or state is None:
            return {}
        is_at_rest = state.told != state.compiled == state.version
        if is_at_rest and (state.telling is None or state.telling.done()):
            state.told = state.compiled
            state.telling = asyncio.get_running_loop().create_task(self._tell(group, state))
        if not state.texts and state.telling is not None and state.seconds < VERY_LONG:
            await state.telling
        return state.texts

    async def _tell(self, group: PackGroup, state: _State) -> None:
        """Render the rules texts, unless a text changes."""
        version = state.version
        try:
            await self.fresh_rules(group, lambda: version == state.version)
        except Stopped:
            state.told = -1
        except Exception as fault:  # hover goes on without rules texts, and the fault is logged
            self._report(fault)

    def projects(self) -> list[Project]:
        """All projects of the session."""
        return [state.project for state in self._states.values() if state.project is not None]

    def rest(self) -> None:
        """Cancel pending compilations and publications, as the client may be gone by then, and close its
        documents. What is prepared stays for the next client."""
        for state in self._states.values():
            state.version += 1  # so that a running compilation stops
            for later in (state.task, state.telling):
                if later is not None:
                    later.cancel()
            state.task = state.telling = None
            state.shown.clear()
        self.documents.clear()
        self._garbage = 0

    def stop(self, waits: bool = False) -> None:
        """Rest, and end the worker thread; if `waits`, join it."""
        self.rest()
        self._worker.shutdown(wait=waits, cancel_futures=True)


class IdleCollector:
    """Garbage collection on request; until `start`, Python collects automatically.

    A collection visits every live object, and large packs have millions of them: an automatic one
    would interrupt a response. The survivors of the first compilation are frozen.
    """

    def __init__(self) -> None:
        self._count: int | None = None

    def start(self) -> None:
        """Disable automatic collection."""
        gc.disable()
        self._count = 0

    def collect(self) -> None:
        """Collect garbage; every `OFTEN` times, among frozen objects, too."""
        if self._count is None:
            return
        if self._count % OFTEN == 0:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        else:
            gc.collect()
        self._count += 1
