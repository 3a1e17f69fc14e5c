"""A table taken to the version of its packs that lies here, by the host: told first, then done, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ruleloom.api.compiling import ContentError
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.faults import Refused
from ruleloom.table.seats import tool_with
from ruleloom.upgrade.offer import NewVersion, PackHere, new_version, offer, taken
from ruleloom.upgrade.upgrade_report import changes_of, report_lines
from ruleloom.web.live_table import load_table
from ruleloom.web.lobby import ONE_AT_A_TIME, Shelf
from ruleloom.web.packs_here import packs_here
from ruleloom.web.pages import told
from ruleloom.web.table_store import TableStore


class PackChange(NamedTuple):
    """The ids of the packs that come to a game and that leave it."""

    coming: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()


NO_CHANGE = PackChange()
PacksHere = Mapping[str, Sequence[PackHere]]


def newer(versions: Mapping[str, str], here: PacksHere) -> list[str]:
    """The packs of a table that lie here in another version, in words."""
    return [
        f"{id} {version} -> {one.version}"
        for id, version in versions.items()
        for one in here.get(id, ())
        if one.version != version
    ]


def told_of_new_rules(
    store: TableStore, shelf: Shelf, id: str, change: PackChange = NO_CHANGE
) -> dict[str, Any]:
    """What would change for a table: the lines of the report, how much is set aside, why it waits; and the
    packs that it has or could have, each with whether it has it then."""
    game = load_table(store, id).game
    back = None if game.seam is None else len(game.entries)
    here = packs_here(shelf)
    version = _version(game, here, change)
    packs = [*_packs_of(game, here, change)]
    told_always = {
        "same": version.is_of(game), "answers": game.serial, "back": back, "packs": packs
    }  # fmt: skip
    if told_always["same"]:
        return {**told_always, "lines": [], "aside": 0, "waits": ""}
    changes = changes_of(offer(game, version))
    lines, aside = [*report_lines(changes)], len(changes.aside)
    return {**told_always, "lines": lines, "aside": aside, "waits": changes.waits}


def _packs_of(game: Game, here: PacksHere, change: PackChange) -> Iterator[dict[str, object]]:
    program = game.linked.original.program
    lock = {one.pack: one.version for one in program.lock if one.pack != program.game}
    could = {
        id: ", ".join(one.version for one in those)
        for id, those in here.items()
        if those[0].game == program.game and id != program.game
    }
    for id, version in {**could, **lock}.items():
        is_in = id in change.coming or (id in lock and id not in change.leaving)
        yield {"id": id, "version": version, "of_table": id in lock, "in": is_in}


def _version(game: Game, here: PacksHere, change: PackChange) -> NewVersion:
    """The packs of a game as they lie here. Raises Refused where they have mistakes, or two have one id."""
    stay = {one.pack for one in game.linked.original.program.lock}.difference(change.leaving)
    named = [name for id in sorted(stay) for name in _names_of(id, here) or [id]]
    lost = [id for id in change.coming if id not in here]
    if lost:
        raise Refused(told("no_such_pack", pack=lost[0]))
    coming = [name for id in change.coming for name in _names_of(id, here)]
    try:
        with ONE_AT_A_TIME:
            return new_version(game, named, coming, change.leaving)
    except ContentError as error:
        raise Refused(f"{told('mistakes')}\n{error}") from None


def _names_of(id: str, here: PacksHere) -> list[str]:
    return [one.named for one in here.get(id, ())]


def by_new_rules(
    store: TableStore,
    shelf: Shelf,
    id: str,
    answers: int,
    agreed: str,
    change: PackChange = NO_CHANGE,
) -> Game:
    """The game of a table after the seam. Raises Refused if somebody has answered since it was told."""
    live = load_table(store, id)
    _refuse_moved(live.game, answers)
    text = "\n".join(saved_lines(live.game, tool_with(one.kind for one in live.seats))) + "\n"
    one = offer(live.game, _version(live.game, packs_here(shelf), change))
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
