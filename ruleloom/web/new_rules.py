"""A table taken to the version of its packs that lies here, by the host: told first, then done, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ruleloom.api.compiling import ContentError
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.seats import tool_with
from ruleloom.upgrade.offer import NewVersion, new_version, offer, taken
from ruleloom.upgrade.upgrade_report import changes_of, report_lines
from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import ONE_AT_A_TIME, Shelf
from ruleloom.web.packs_here import PackHere, packs_of
from ruleloom.web.pages import told
from ruleloom.web.table_store import TableStore


def newer(versions: Mapping[str, str], here: Mapping[str, PackHere]) -> list[str]:
    """The packs of a table that lie here in another version, in words."""
    found = ((id, version, here.get(id)) for id, version in versions.items())
    return [
        f"{id} {version} -> {one.version}"
        for id, version, one in found
        if one is not None and one.version != version
    ]


def told_of_new_rules(store: TableStore, shelf: Shelf, id: str) -> dict[str, Any]:
    """What would change for a table: the lines of the report, how much is set aside, why it waits."""
    game = load_table(store, id).game
    back = None if game.seam is None else len(game.entries)
    version = _version(game, shelf)
    told_always = {"same": version.is_of(game), "answers": game.serial, "back": back}
    if told_always["same"]:
        return {**told_always, "lines": [], "aside": 0, "waits": ""}
    changes = changes_of(offer(game, version))
    lines, aside = [*report_lines(changes)], len(changes.aside)
    return {**told_always, "lines": lines, "aside": aside, "waits": changes.waits}


def _version(game: Game, shelf: Shelf) -> NewVersion:
    """The packs of a game as they lie here. Raises Refused where they have mistakes."""
    program = game.linked.original.program
    try:
        with ONE_AT_A_TIME:
            return new_version(game, packs_of(program, shelf))
    except ContentError as error:
        raise Refused(f"{told('mistakes')}\n{error}") from None


def by_new_rules(store: TableStore, shelf: Shelf, id: str, answers: int, agreed: str) -> Game:
    """The game of a table after the seam. Raises Refused if somebody has answered since it was told."""
    live = load_table(store, id)
    _refuse_moved(live.game, answers)
    text = "\n".join(saved_lines(live.game, tool_with(one.kind for one in live.seats))) + "\n"
    one = offer(live.game, _version(live.game, shelf))
    if one.carried is None:
        raise Refused(one.waits)
    return taken(one, text, agreed)


def before_new_rules(store: TableStore, id: str, answers: int) -> Game:
    """The game of a table as it was before its last seam."""
    game = load_table(store, id).game
    _refuse_moved(game, answers)
    if game.seam is None:
        raise Refused(told("no_seam"))
    return loaded(game.seam.text, driver_of).game


def _refuse_moved(game: Game, answers: int) -> None:
    if game.serial != answers:
        raise Refused(told("answered_meanwhile"))
