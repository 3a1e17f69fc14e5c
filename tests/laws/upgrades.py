"""Takes thousands of games to changed versions of their packs, and holds each against the laws of upgrading.

    python -m tests.laws.upgrades --games 500 --versions 25 --first 1

For each of the four games, versions of its pack are made by small random changes: a number in an effect, a
text, the name of an item, a new field, an item less. Each is tried on games that were played to a random
question and saved. Upgrading never fails but with a reason, loses nothing, the game goes on, and going
back gives the same bytes; an upgrade to the same version changes nothing.
"""

from __future__ import annotations

import argparse
import atexit
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.analysis import real_paths
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world
from ruleloom.runtime.machine.labels import value_text
from ruleloom.runtime.play.carry import Aside, Waits
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.play.scan import scan
from ruleloom.runtime.play.seam import carried, join, upgraded
from ruleloom.runtime.program.state import State, state_hash
from ruleloom.runtime.program.values import FrozenMap, Type
from ruleloom.upgrade.offer import NewVersion, linked_as, renames_of
from tests.laws.gnostica.strategies import table
from tests.laws.monotheism.gods import evening
from tests.laws.moonstone import fighters
from tests.laws.resuming import Playable, played
from tests.laws.witchgates import mages

MAKERS: Mapping[str, Callable[[int], Playable]] = {
    "gnostica": table,
    "monotheism": evening,
    "moonstone": fighters.bout,
    "witchgates": mages.session,
}
# So many answers are given at most before the upgrade, while it waits, and after it.
BEFORE: Mapping[str, int] = {"gnostica": 120, "monotheism": 150, "moonstone": 40, "witchgates": 150}
PATIENCE, AFTER = 60, 200
MOST_TRIES = 12


# ---------------------------------------------------------------------------------- changed versions

Edit = tuple[int, int, str]


def _number(content: Content, item: Item, rng: random.Random) -> Iterator[Edit]:
    """One number in an effect, a rule or a value is another one."""
    for name in ("effect", "value", "is", "holds"):
        node = item.fields.get(name)
        if node is not None and node.source is item.source:
            text = item.source.text[node.start : node.end]
            spots = [*re.finditer(r"(?<![\w\"'.-])[1-9](?![\w.])", text)]
            for one in rng.sample(spots, min(1, len(spots))):
                start = node.start + one.start()
                yield start, start + 1, str(int(one[0]) + rng.choice((1, 1, 2)))


def _text(content: Content, item: Item, rng: random.Random) -> Iterator[Edit]:
    """The title of an item, or a question, is worded otherwise."""
    title = item.fields.get("title")
    effect = item.fields.get("effect")
    if effect is not None and effect.source is item.source:
        text = item.source.text[effect.start : effect.end]
        spots = [*re.finditer(r'"[A-Z][^"{}\n]*\?"', text)]
        for one in rng.sample(spots, min(1, len(spots))):
            at = effect.start + one.end() - 2
            yield at, at + 1, ", then?"
    elif title is not None and title.source is item.source and title.style == "":
        yield title.end, title.end, " anew"


def _name(content: Content, item: Item, rng: random.Random) -> Iterator[Edit]:
    """An item has another name, and says so."""
    id = item.fields.get("id")
    if id is not None and id.source is item.source and item.node.style != "{":
        margin = " " * (item.node.start - item.source.text.rfind("\n", 0, item.node.start) - 1)
        yield id.start, id.end, f"{item.name}-anew\n{margin}renamed_from: {item.name}"


def _less(content: Content, item: Item, rng: random.Random) -> Iterator[Edit]:
    """An item is gone."""
    start = item.source.text.rfind("\n", 0, item.node.start) + 1
    if item.source.text[start : item.node.start] == "- ":
        yield start, item.node.end, ""


def _field(content: Content, item: Item, rng: random.Random) -> Iterator[Edit]:
    """Each entity with fields may have one more."""
    if item.kind == "vocabulary":
        spots = [*re.finditer(r"^    fields:\n", item.source.text, re.MULTILINE)]
        for one in rng.sample(spots, min(1, len(spots))):
            yield one.end(), one.end(), "      newly_kept: {type: Int, initial: 3}\n"


CHANGES: Mapping[str, Callable[[Content, Item, random.Random], Iterator[Edit]]] = {
    "number": _number,
    "text": _text,
    "name": _name,
    "field": _field,
    "less": _less,
}


def _suits(game: str, change: str, item: Item) -> bool:
    """Is an item of the sort that a change is about? Names and lives are those of things in play."""
    if change in ("name", "less"):
        program = shipped(game).program
        assert program is not None
        return any(item.name in _items_of(one.names) for one in program.entities)
    return (item.kind == "vocabulary") == (change == "field")


@cache
def _items_of(names: tuple[str, ...]) -> set[str]:
    return {one.partition("#")[0] for one in names}


class Version(NamedTuple):
    """A changed version of a game: how it was changed, and its program."""

    change: str
    about: str
    new: NewVersion


CAMPAIGNS: Mapping[str, Callable[[Path], None]] = {
    "moonstone": fighters.write_campaign,
    "witchgates": mages.write_campaign,
}


@cache
def packs(game: str) -> list[str]:
    """The packs that are played: the game alone, or a campaign upon it, in a folder for this process."""
    if game not in CAMPAIGNS:
        return [game]
    folder = Path(tempfile.mkdtemp(prefix="upgrades-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    CAMPAIGNS[game](folder)
    return [str(folder)]


@cache
def shipped(game: str) -> CompileResult:
    """The packs as they are."""
    return compile_paths(packs(game), texts=True, scenarios=False)


@cache
def version(game: str, seed: int) -> Version:
    """The version of a seed: the first random change of its sort with which the pack is sound."""
    content, old, rng = shipped(game).content, shipped(game).program, random.Random(seed)
    assert content is not None
    assert old is not None
    change = list(CHANGES)[seed % len(CHANGES)]
    items = [one for one in content.items if one.pack == game and _suits(game, change, one)]
    for _ in range(MOST_TRIES):
        item = rng.choice(items)
        edits = list(CHANGES[change](content, item, rng))
        while not edits:
            item = rng.choice(items)
            edits = list(CHANGES[change](content, item, rng))
        text = item.source.text
        for start, end, instead in edits:
            text = text[:start] + instead + text[end:]
        (_, path), *_ = real_paths(content, [item.source.path])
        result = compile_paths(packs(game), texts=True, scenarios=False, unsaved={path: text})
        if result.program is not None and result.content is not None:
            renames = renames_of(result.content, old)
            return Version(change, item.id, NewVersion(result.program, renames))
    raise AssertionError(f"no change of the sort `{change}` leaves {game} sound, seed {seed}")


# ---------------------------------------------------------------------------------- laws

Facts = dict[tuple[str, str, str], str]


def facts(linked: Linked, state: State) -> Facts:
    """All that a state says, by names: a fact for each field of each thing that is there, for each part
    of a zone, and for each variable."""
    found: Facts = {}
    layout, world = linked.layout, state.world
    for info, column in zip(layout.columns, world, strict=True):
        if info.kind == "field":
            entity, _, name = info.name.partition(".")
            there = linked.column_of(entity)
            for number, value in enumerate(column[: layout.number_there(entity)]):
                if there is None or world[there][number] is not None:
                    found[entity, _thing(linked, entity, number), name] = _told(linked, info, value)
        elif info.kind in ("each", "pile", "map", "under"):
            parts = column.items() if isinstance(column, FrozenMap) else enumerate(column)
            for at, ids in parts if info.kind != "pile" else [(0, column)]:
                for one in ids if isinstance(ids, tuple) else (ids,):
                    place = f"{info.name} {value_text(linked, world, Type(info.by), at) if info.by else at}"
                    found["", _thing(linked, info.type.name, one), place] = "there"
    for variable, value in zip(linked.program.scope, state.scope, strict=True):
        if not isinstance(value, tuple) or variable.type != "":
            told = value_text(linked, world, Type.parse(variable.type), value)
            found["", "", variable.name] = told
    return found


def _start(game: Game) -> State:
    """The state before set-up."""
    linked = game.linked
    world = linked.driver.start(empty_world(linked.layout))
    return State(world, linked.initial_scope, None, (), False, None)


def _thing(linked: Linked, entity: str, number: int) -> str:
    names = linked.layout.names_of(entity)
    return names[number] if names else f"{entity} {number}"


class Written(str):
    """A text that somebody wrote: no new name of the game changes it."""

    __slots__ = ()


def _told(linked: Linked, info: Any, value: Any) -> str:
    if info.by and isinstance(value, FrozenMap):
        entries = (
            f"{_thing(linked, info.by, key) if info.by in linked.entities else key}={one}"
            for key, one in value.items()
        )
        return ", ".join(sorted(entries))
    if info.type.name in linked.entities and value is not None and info.type.name != "Player":
        several = value if isinstance(value, tuple) else (value,)
        return ", ".join(_thing(linked, info.type.name, one) for one in several)
    return Written(value) if info.type.name == "Text" else str(value)


def lost(
    started: Facts,
    before: Facts,
    after: Facts,
    renames: Mapping[str, str],
    aside: tuple[Aside, ...],
) -> list[str]:
    """The facts that are neither in the new state nor set aside, but for those of a game that begins."""
    names = {was.rpartition("/")[2]: now.rpartition("/")[2] for was, now in renames.items()}

    def renamed(text: str) -> str:
        return re.sub(r"[\w-]+", lambda one: names.get(one[0], one[0]), text)

    told = " ".join(one.words for one in aside)
    wrong = []
    for key, value in before.items():
        if key[0] and started.get(key) == value:  # nothing has happened to it
            continue
        now = after.get((key[0], renamed(key[1]), renamed(key[2])))
        wanted = value if isinstance(value, Written) else renamed(value)
        if now != wanted and not aside:
            wrong.append(f"{key} was {value} and is {now}, and nothing is set aside")
        elif now != wanted and not _is_told(key, value, told):
            wrong.append(f"{key} was {value} and is {now}; set aside: {told}")
    return wrong


def _is_told(key: tuple[str, str, str], value: str, told: str) -> bool:
    """Is a fact about what was set aside? Titles stand there, and names here."""
    words = {
        one
        for text in (*key, value)
        for one in re.findall(r"[a-z]{3,}", text.lower().replace("_", " "))
    }
    return bool(words & set(re.findall(r"[a-z]{3,}", told.lower())))


@dataclass
class Tried:
    """What was seen."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def try_upgrade(game: str, seed: int, to: Version | None, tried: Tried, after: int = AFTER) -> None:
    """One game, played to a random question, saved, upgraded (to its own version with None), played on,
    and taken back."""
    of, rng = MAKERS[game](seed), random.Random(f"{game} {seed}")
    now, player = of.game(), of.player()
    for answer in islice(played(now, player), rng.randrange(1, BEFORE[game])):
        if answer.after.over:
            break
        now = answer.after
    program = now.linked.original.program
    new = NewVersion(program, ()) if to is None else to.new
    text, found = _rested(now, player, new, tried)
    if found is None:
        return
    before, linked, renames = found
    carried_state = carried(before, linked, renames)
    tried.counts["upgraded"] += 1
    tried.counts["with something set aside"] += bool(carried_state.aside)
    label = f"{game} {seed} to {'itself' if to is None else f'{to.change} in {to.about}'}"
    if to is None and (
        carried_state.aside or state_hash(carried_state.state) != state_hash(before.state)
    ):
        tried.wrong.append(f"{label}: the same version is another game")
    old_facts, new_facts = facts(before.linked, before.state), facts(linked, carried_state.state)
    names, begun = dict(renames), facts(before.linked, _start(before))
    tried.wrong += [
        f"{label}: {one}" for one in lost(begun, old_facts, new_facts, names, carried_state.aside)
    ][:3]
    game_on = upgraded(join(before, text, linked, renames, "as tried"), linked)
    for answer in islice(played(game_on, player), after):
        game_on = answer.after
    tried.counts["answers after"] += game_on.serial
    tried.counts["over after"] += game_on.over
    lines = "\n".join(saved_lines(game_on, "laws")) + "\n"
    again = loaded(lines, driver_of).game
    if state_hash(again.state) != state_hash(game_on.state):
        tried.wrong.append(f"{label}: saved and resumed, it is another game")
    if scan(lines).text != text:
        tried.wrong.append(f"{label}: back, it is another save")


def _rested(
    now: Game, player: Any, new: NewVersion, tried: Tried
) -> tuple[str, tuple[Game, Linked, tuple[tuple[str, str], ...]] | None]:
    """The game where it can be upgraded, and its save; None if it ends before."""
    linked = linked_as(now, new)
    for waited in range(PATIENCE):
        try:
            carried(now, linked, new.renames)
        except Waits:
            tried.counts["waited"] += not waited
        else:
            text = "\n".join(saved_lines(now, "laws")) + "\n"
            return text, (loaded(text, driver_of).game, linked, new.renames)
        answer = next(played(now, player), None)
        if answer is None or answer.after.over:
            break
        now = answer.after
    tried.counts["waited to no end"] += 1
    return "", None


def try_all(
    game: str, games: int, versions: int, first: int, tried: Tried, after: int = AFTER
) -> None:
    """So many games, each taken to one of so many versions; every tenth to its own."""
    for number in range(games):
        seed = first + number
        to = None if number % 10 == 9 else version(game, first + number % versions)
        try:
            try_upgrade(game, seed, to, tried, after)
        except Exception:
            about = "itself" if to is None else f"{to.change} in {to.about}"
            told = "".join(traceback.format_exc().splitlines(True)[-7:])
            tried.wrong.append(f"{game} {seed} to {about}: {told}")
        tried.counts["games"] += 1


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.upgrades", description=__doc__)
    parser.add_argument("--games", type=int, default=500, help="games of each of the four")
    parser.add_argument("--versions", type=int, default=25, help="changed versions of each")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--only", choices=list(MAKERS), action="append")
    options = parser.parse_args()
    any_wrong = False
    for game in options.only or MAKERS:
        tried, start = Tried(), time.perf_counter()
        try_all(game, options.games, options.versions, options.first, tried)
        told = ", ".join(f"{many:,} {what}" for what, many in tried.counts.items())
        print(f"{game}: {told}; {time.perf_counter() - start:,.0f} s", flush=True)
        for line in tried.wrong[:20]:
            print(f"  WRONG {line}", flush=True)
        print(f"  {len(tried.wrong)} faults", flush=True)
        any_wrong |= bool(tried.wrong)
    return int(any_wrong)


if __name__ == "__main__":
    sys.exit(main())
