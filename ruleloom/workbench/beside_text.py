"""The workbench's own requests, outside the language server protocol: the card and form of an item,
edits by the form, the scenarios about it, and a table to play it.

All work runs in the session's compile thread, and no file is written.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress

from lsprotocol import types as lsp

from ruleloom.api.at_rest import at_rest
from ruleloom.api.linking import linked_for
from ruleloom.compiler.analysis.analysis import GameAnalysis, TextOf
from ruleloom.compiler.cases.case_file import file_of_cases
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import Plain, YamlNode, to_data, written
from ruleloom.editor.annotations import WITHOUT_USES, odds_in
from ruleloom.editor.editor_session import EditorSession
from ruleloom.editor.project import Documents, Project, Snapshot, TextLines, path_of
from ruleloom.editor.scenario_runs import CaseMoment, case_moments, run_cases
from ruleloom.reference.dice import mean_text, points
from ruleloom.runtime.explain.sheet_pages import SheetPage, page_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.link.ops import without_member
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.texts import with_settings
from ruleloom.runtime.program.values import World
from ruleloom.scenes.boards import Json, board_seen
from ruleloom.table.seats import HUMAN, Seat
from ruleloom.web.lobby import LARGEST_SEED, can_play, invite, keep
from ruleloom.web.pages import told
from ruleloom.web.printed_card import printed_card
from ruleloom.web.requests import BadInput, Fields
from ruleloom.web.table_store import TableStore
from ruleloom.workbench.form import form_of, order_of, remove_value, set_value

MOST_CURVES, MOST_POINTS, MOST_SHEETS = 40, 60, 3
# Fields that appear elsewhere on the card, or are not printed.
NOT_PRINTED = ("kind", "id", "title", "text", "renamed_from", "deprecated", "cases")


def item_card(
    project: Project, path: str, offset: int, texts: Mapping[str, str], is_fresh: bool
) -> Json | None:
    """The card of the item at or near an offset; None without one.

    `texts` are the rules texts by item id, current if `is_fresh`. In the card, `id` is the full id,
    empty for an item without one, and `sound` is true if the packs have no errors.
    """
    names = project.names(path)
    item = names.item_near(offset)
    if item is None:
        return None
    kind = names.kind_of(item)
    id = names.id_of(item) if item.get("id") is not None else ""
    title = item.get("title") or item.get("id")
    said = item.get("text")
    return {
        "id": id,
        "kind": kind,
        "title": (title.text or "") if title is not None else kind,
        "fields": list(_fields(item, {text.path for text in names.all_texts})),
        "said": (said.text or "").strip() if said is not None else "",
        "rules": texts.get(id, ""),
        "fresh": is_fresh,
        "curves": list(_curves([text for text in names.texts if text.item is item]))[:MOST_CURVES],
        "sheets": list(_sheets(project, id)),
        "prints": _prints(project, id),
        "changes": list(_changes(project, id)),
        "uses": project.uses.get(Meaning("item", id), 0) if kind not in WITHOUT_USES else 0,
        "sound": project.snapshot.result.ok,
        "start": item.start,
    }


def _fields(item: YamlNode, effects: set[tuple[str, ...]]) -> Iterator[Json]:
    """The fields printed verbatim: no effect text, and none shown elsewhere on the card."""
    for name, node in item.entries.items():
        is_effect = any(path[:1] == (name,) for path in effects)
        if name in NOT_PRINTED or is_effect or node.kind == "null":
            continue
        value = to_data(node)
        yield {"name": name, "text": value if isinstance(value, str) else written(value)}


# ---------------------------------------------------------------------------------- odds


def _curves(texts: list[TextOf]) -> Iterator[Json]:
    """The odds of each roll, and of each expression over rolled numbers."""
    for text in texts:
        told: list[ast.Span] = []
        for node, odds, _ in odds_in(text.tree, walk(text.tree), ast.RollStmt, ast.Binary):
            # Only the outermost expression is shown.
            inside = any(span[0] <= node.span[0] and node.span[1] <= span[1] for span in told)
            if not inside:
                told.append(node.span)
                start, end = text.span(node.span)
                words = " ".join(text.written.source.text[start:end].split())
                shown = [
                    {"value": value, "chance": float(chance), "exact": str(chance)}
                    for value, chance in points(odds, MOST_POINTS)
                ]
                yield {"words": words, "average": mean_text(odds), "points": shown}


# ---------------------------------------------------------------------------------- sheets, changes


def _sheets(project: Project, id: str) -> Iterator[Json]:
    """The sheets of an item's things."""
    kept = project.snapshot.kept
    item, program = kept.content.by_id.get(id), kept.program
    if item is None or program is None:
        return
    linked, world = at_rest(program)
    settings = {one.name: one.value for one in program.settings}
    printed = with_settings(str(item.data("text") or "").strip(), settings)
    for sheet in program.sheets:
        numbers = [number for name, number in kept.made(item) if name == sheet.entity]
        for number in numbers[:MOST_SHEETS]:
            # A sheet that needs the state of a game in play is left out.
            with suppress(RuntimeFault, TypeError, Refused):
                yield _sheet(page_of(linked, world, sheet, number, lambda *_: printed))


def _prints(project: Project, id: str) -> bool:
    """Whether a layout prints things of an item."""
    kept = project.snapshot.kept
    item, program = kept.content.by_id.get(id), kept.program
    if item is None or program is None:
        return False
    printed = {layout.entity for layout in program.layouts}
    return any(entity in printed for entity, _ in kept.made(item))


def _sheet(page: SheetPage) -> Json:
    """A sheet as JSON; a line has a label, a value, a note and a text."""
    blocks = [
        {
            "title": block.title,
            "headings": list(block.headings),
            "lines": [[one.label, one.value, one.note, one.text] for one in block.lines],
        }
        for block in page.blocks
    ]
    return {"title": page.title, "blocks": blocks}


def _changes(project: Project, id: str) -> Iterator[Json]:
    for field, one in project.changes(id):
        old, new = _short(one.old), _short(one.new)
        yield {"field": field, "by": one.by, "pack": one.pack, "old": old, "new": new}


def _short(value: object) -> str:
    text = written(value) if not isinstance(value, str) else value
    return text if len(text) <= 200 else f"{text[:200]} ..."


MOST_MOMENTS = 60
DEEPEST_PATH = 12
NAMES = ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn", "Gus", "Hana")
BOTS = ("greedy", "steady")

Answer = Callable[[Fields], Awaitable[object]]


class BesideText:
    """A page's handlers."""

    def __init__(self, session: EditorSession, store: TableStore) -> None:
        self.session, self.store = session, store
        # The rules texts of one snapshot of the packs.
        self._texts: tuple[Snapshot, Mapping[str, str]] | None = None

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The handlers by request name."""
        return {
            "item": self._item,
            "print": self._print,
            "cases": self._cases,
            "step": self._step,
            "form": self._form,
            "set": self._set,
            "remove": self._remove,
            "play": self._play,
        }

    async def _settled(self, fields: Fields) -> tuple[Project, str, int]:
        """The current project, the path of a request's file, and the offset in it."""
        path = _path(fields)
        project = await self.session.project(path, settled=True)
        if project is None:
            raise Refused(told("packs_unread"))
        lines = TextLines(project.text(path))
        place = lsp.Position(fields.number("line"), fields.number("character"))
        return project, path, lines.offset(place)

    async def _item(self, fields: Fields) -> Json | None:
        """The card of an item. Rules texts are slow to render: without `fresh` the card has the last
        known ones, and says whether they are current."""
        project, path, offset = await self._settled(fields)
        is_new = self._texts is None or self._texts[0] is not project.snapshot
        if is_new and fields.flag("fresh"):
            self._texts = project.snapshot, await self.session.fresh_rules(project.group)
        known, texts = self._texts or (None, {})
        is_fresh = known is project.snapshot
        return await self.session.in_worker(
            lambda: item_card(project, path, offset, texts, is_fresh)
        )

    async def _print(self, fields: Fields) -> Json:
        project, _, _ = await self._settled(fields)
        id = fields.text("id", 300)
        result = await self.session.with_texts(project.group)
        return await self.session.in_worker(lambda: printed_card(result, id))

    async def _cases(self, fields: Fields) -> object:
        project, path, offset = await self._settled(fields)
        item = project.names(path).item_near(offset)
        named = [item.get("id"), item.get("title")] if item is not None else []
        names = [one.text for one in named if one is not None and one.text]
        names += [name.replace("-", "_") for name in names]
        result = await self.session.with_reasons(project)
        documents = self.session.documents
        return await self.session.in_worker(
            lambda: cases_about(project, result, documents, path, names)
        )

    async def _step(self, fields: Fields) -> list[Json]:
        project, path, _ = await self._settled(fields)
        case, result = fields.text("case", 200), await self.session.with_reasons(project)
        return await self.session.in_worker(lambda: moments_shown(project, result, path, case))

    async def _form(self, fields: Fields) -> Json | None:
        project, path, offset = await self._settled(fields)
        return await self.session.in_worker(lambda: form_of(project, path, offset))

    async def _set(self, fields: Fields) -> Json:
        project, text, path = self._known(fields)
        kind, number = fields.text("kind", 64), fields.number("number")
        order = order_of(project, kind, path[:-1])
        return _edit(text, set_value(text, number, path, _plain(fields.data.get("value")), order))

    async def _remove(self, fields: Fields) -> Json:
        _, text, path = self._known(fields)
        return _edit(text, remove_value(text, fields.number("number"), path))

    def _known(self, fields: Fields) -> tuple[Project, str, list[str | int]]:
        """The last project, the current text of a file, and the path in an item."""
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

    async def _play(self, fields: Fields) -> Json:
        project, _, _ = await self._settled(fields)
        id = fields.text("id", 300)
        snapshot = project.snapshot
        if not snapshot.result.ok or snapshot.kept.program is None:
            raise Refused(told("mend_first"))
        return await self.session.in_worker(lambda: play_from_here(self.store, snapshot.kept, id))


def _path(fields: Fields) -> str:
    document = fields.data.get("textDocument")
    return path_of(Fields(document if isinstance(document, dict) else {}).text("uri"))


def _plain(value: object) -> Plain:
    """A form value: a string, a number, a boolean, or a list or map of these."""
    parts = [*value.values()] if isinstance(value, dict) else value
    plain = all(isinstance(o, str | int) for o in (parts if isinstance(parts, list) else [parts]))
    if not plain or not isinstance(value, str | int | list | dict):
        raise BadInput(told("bad_field", name="value"))
    return value


def _edit(text: str, edit: tuple[int, int, str]) -> Json:
    """An edit as JSON, with offsets in UTF-16 units, as the page counts them."""
    start, end = (len(text[:at].encode("utf-16-le")) // 2 for at in edit[:2])
    return {"start": start, "end": end, "text": edit[2]}


# ---------------------------------------------------------------------------------- scenarios


def cases_about(
    project: Project, result: CompileResult, documents: Documents, path: str, names: list[str]
) -> list[Json]:
    """The cases of a case file, else the cases of the packs that mention one of these names: each with
    its place, whether it passes, and the message if not.

    Raises Refused if they cannot be run now.
    """
    if _holds_cases(project, path):
        return list(_cases_of(project, result, documents, path, None))
    files = [
        one for one in project.paths if project.is_writable(one) and _holds_cases(project, one)
    ]
    return [one for file in files for one in _cases_of(project, result, documents, file, names)]


def _holds_cases(project: Project, path: str) -> bool:
    return any(one.get("cases") is not None for one in project.names(path).items)


def _cases_of(
    project: Project,
    result: CompileResult,
    documents: Documents,
    path: str,
    names: list[str] | None,
) -> Iterator[Json]:
    """The results of the cases of a file that mention one of the names, or of all if None."""
    nodes = _nodes(project, path)
    meant = {id for id, node in nodes.items() if _speaks(node, names)}
    for run in run_cases(project, result, path) if meant else ():
        if run.case in meant:
            title = nodes[run.case].get("title")
            yield {
                "id": run.case,
                "title": (title.text or "") if title is not None else "",
                "uri": documents.uri(path),
                "line": project.text(path).count("\n", 0, run.start),
                "passed": run.passed,
                "message": "" if run.passed and run.message == "passed" else run.message,
            }


def _nodes(project: Project, path: str) -> dict[str, YamlNode]:
    root = project.names(path).root
    cases = file_of_cases(root).cases if root is not None else ()
    return {one.id: one.node for one in cases}


def _speaks(node: YamlNode, names: list[str] | None) -> bool:
    """Does a node name one of these, as a whole word? Always true if None is given."""
    if names is None:
        return True
    any_name = "|".join(re.escape(name) for name in names if name)
    return re.search(rf"(?<![\w-])(?:{any_name or '(?!)'})(?![\w-])", node.raw, re.I) is not None


def moments_shown(project: Project, result: CompileResult, path: str, case: str) -> list[Json]:
    """The board before a case and after each step, as seen by the acting player, else by the first; the
    board is None at an early end. Raises Refused if it cannot be run now."""
    moments = case_moments(project, result, path, case)
    left = len(moments) - MOST_MOMENTS
    if left > 0:
        rest = CaseMoment(told("further_steps", count=left), [], None)
        moments = [*moments[:MOST_MOMENTS], rest]
    return [_moment(one) for one in moments]


def _moment(moment: CaseMoment) -> Json:
    shown: Json = {"heading": moment.heading, "happened": moment.happened}
    if moment.table is None:
        return {**shown, "board": None, "seats": []}
    linked, state = moment.table
    me = state.scope[linked.me] if linked.me is not None else None
    board = board_seen(linked, state, me if isinstance(me, int) else 0)
    return {**shown, "board": board, "seats": list(linked.layout.players)}


# ---------------------------------------------------------------------------------- play from here


def play_from_here(store: TableStore, kept: GameAnalysis, id: str) -> Json:
    """Open a table with the user in the first seat and bots in the others: the link to that seat, and
    the title of the edited thing in its hand.

    If the game has no hand for the thing, the table starts as usual with the pack in play.
    """
    program, item = kept.program, kept.items.get(id)
    assert program is not None, "only sound packs are played"
    settings = {one.name: one.value for one in program.settings}
    least = max(1, int(settings.get("least_players", 1)))
    names = NAMES[:least] if least <= len(NAMES) else tuple(f"P{one + 1}" for one in range(least))
    linked = linked_for(program, names, {})
    thing = next(iter(kept.made(item)), None) if item is not None else None
    world = with_in_hand(linked, *thing) if thing is not None else None
    game = new_game(linked, secrets.randbelow(LARGEST_SEED), world)
    seats = [Seat(name, _best(linked, n) if n else HUMAN) for n, name in enumerate(names)]
    table = keep(store, game, seats)
    token = invite(store, (), table, 0).token
    entity, number = thing or ("", 0)
    held = "" if world is None else program.entity(entity).titles[number]
    return {"link": f"/t/{table.id}#{token}", "held": held}


def _best(linked: Linked, seat: int) -> str:
    """The best bot for a seat, or `HUMAN`."""
    return next((kind for kind in BOTS if can_play(kind, linked, seat)), HUMAN)


def with_in_hand(linked: Linked, entity: str, number: int) -> World | None:
    """The world before set-up, with this thing in the first player's hand; None if the game has no hand
    for it: a zone per player, visible only to its owner, of things of this entity."""
    world = list(linked.driver.start(empty_world(linked.layout)))
    zones = [zone for zone in linked.program.zones if zone.of == entity]
    hands = [o for o in zones if o.per_player and o.seen_by == "owner" and not o.at]
    for at, kind in linked.zones_of.get(entity, ()):
        world[at] = without_member(world[at], kind, number)
    for hand in hands[:1]:
        at = linked.layout.index[hand.name]
        first, *others = world[at]
        world[at] = (tuple(sorted((*first, number))), *others)
    return tuple(world) if hands else None
