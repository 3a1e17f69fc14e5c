"""The offer to take a game to the version of its packs that lies here: what would be carried over, what set
aside, or what the game waits for. Nothing is changed until it is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ruleloom.api.content_error import ContentError
from ruleloom.api.making import sound
from ruleloom.compiler.analysis.yaml_cursor import pack_heading
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.packs.content import BETWEEN, Content
from ruleloom.compiler.packs.locate import BUILTIN, find_packs
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import SourceError
from ruleloom.diff.compare import former_names
from ruleloom.migrate.rules import rules_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game, settings_of
from ruleloom.runtime.play.carried_names import NewNames
from ruleloom.runtime.play.carry import CarriedState, Waits
from ruleloom.runtime.play.game import Game, chosen_settings
from ruleloom.runtime.play.seam import Renames, carried, join, upgraded
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_hash


class NewVersion(Frozen):
    """The program of the packs as they lie here, and the names that are other ones in it."""

    program: Program
    renames: tuple[tuple[str, str], ...]

    def is_of(self, game: Game) -> bool:
        """Does the game play by this very program?"""
        return program_hash(self.program) == program_hash(game.linked.original.program)


class PackHere(NamedTuple):
    """A pack that lies here: what names it, and what its manifest says."""

    named: str
    id: str
    version: str
    game: str
    requires: tuple[str, ...]


class UpgradeOffer(Frozen):
    """A game, the rules it may go on by, and its state under these; `waits` says why it has to wait."""

    before: Game
    linked: Linked
    renames: tuple[tuple[str, str], ...]
    carried: CarriedState | None
    waits: str = ""


def new_version(
    game: Game, packs: Sequence[str] = (), coming: Sequence[str] = (), leaving: Sequence[str] = ()
) -> NewVersion:
    """The packs of a game as they lie here: those named, and the others by their ids. Further ones may be
    `coming` to it, and those of some ids `leaving` it.

    Raises ContentError for packs with mistakes, and Refused where one is not found, or cannot come or go.
    """
    program = game.linked.original.program
    lock = [one.pack for one in program.lock]
    there = _ids_of([*packs, *coming])
    _refuse_leaving(leaving, lock, program.game, there)
    _refuse_coming(_ids_of(coming), lock)
    stay = [one for one in lock if one not in there and one not in leaving]
    new, content = _compiled([*stay, *packs, *coming], bool(leaving))
    if new.game != program.game:
        raise Refused(f"this is a game of {program.game}, and these are rules of {new.game}")
    for one in content.packs:
        for needed in sorted({*one.needs} & {*leaving}):
            raise Refused(f"`{one.id}` requires `{needed}`, which can only leave with it")
    return NewVersion(new, renames_of(content, program))


def _compiled(named: Sequence[str], has_leavers: bool) -> tuple[Program, Content]:
    """The packs of these names. What another one requires may be missing because it leaves."""
    try:
        return sound(compile_paths(named, texts=True, scenarios=False))
    except ContentError as error:
        missing = {one.code for one in error.findings.diagnostics} & {
            "no-such-path",
            "missing-pack",
        }
        if missing and not (has_leavers and missing == {"missing-pack"}):
            lost = [one for one in named if not find_packs(one, BUILTIN, Report())]
            names = ", ".join(lost or named)
            raise Refused(
                f"its packs are not all here: name the folder or zip of each that is not ({names})"
            ) from None
        raise


def packs_by_id(names: Iterable[str]) -> dict[str, list[PackHere]]:
    """What the manifests of the packs say for which folders or names stand, as far as they can be read.
    Several of one id are told apart by whoever compiles them; a zip that is here twice is one."""
    found = dict[str, dict[str | bytes, PackHere]]()
    for named in names:
        for folder in find_packs(named, BUILTIN, Report()):
            which = folder.key if folder.archive is None else folder.archive.data
            with suppress(SourceError):
                one = PackHere(named, *pack_heading(folder.manifest()))
                found.setdefault(one.id, {}).setdefault(which, one)
    return {id: [*those.values()] for id, those in found.items()}


def _ids_of(packs: Sequence[str]) -> set[str]:
    """The ids of packs, by their folders or names. Raises Refused where one is not found."""
    for named in packs:
        if not [*find_packs(named, BUILTIN, Report())]:
            raise Refused(f"there is no pack `{named}` here: name its folder")
    return {*packs_by_id(packs)}


def _refuse_leaving(
    leaving: Sequence[str], lock: Sequence[str], game: str, there: Collection[str]
) -> None:
    for one in leaving:
        if one == game:
            raise Refused(f"`{one}` is the game itself")
        if one in there:
            raise Refused(f"`{one}` is to leave, and is named among those that stay")
        if one not in lock:
            others = quoted_list(sorted({*lock} - {game})) or "no pack but the game"
            raise Refused(f"`{one}` is no pack of this game, which has {others}")


def _refuse_coming(coming: Iterable[str], lock: Sequence[str]) -> None:
    for one in sorted({*coming} & {*lock}):
        raise Refused(
            f"`{one}` is a pack of this game already: name it as a PACK for its version here"
        )


def renames_of(content: Content, old: Program) -> tuple[tuple[str, str], ...]:
    """What has another name, as the packs say, and for want or because of a namesake in another pack:
    `major/wick` and `major/candle`, `major/glow` and `major/house__glow`. A name that now is that of a
    pack which has come, for one that is gone, leads to nothing."""
    return (*_renames(content), *_namesakes(content, old))


def _namesakes(content: Content, old: Program) -> Iterator[tuple[str, str]]:
    before, packs = {*dict(old.texts), *dict(old.cards)}, {one.id for one in content.packs}
    gone = {id.partition(":")[2] for id in before if id.partition(":")[0] not in packs}
    for item in content.items:
        prefix = f"{item.pack}{BETWEEN}"
        short = item.name.removeprefix(prefix)
        was = f"{prefix}{short}" if short == item.name else short
        if f"{item.pack}:{item.kind}/{was}" in before:
            yield f"{item.kind}/{was}", f"{item.kind}/{item.name}"
        elif item.id not in before and f"{item.kind}/{item.name}" in gone:
            yield f"{item.kind}/{item.name}", ""


def _renames(content: Content) -> Iterator[tuple[str, str]]:
    for item in content.items:
        for name in former_names(item):
            yield f"{item.kind}/{name}", f"{item.kind}/{item.name}"
    for rule in rules_of(content, {one.id for one in content.packs}):
        if new := rule.says("new"):
            yield f"{rule.sort}/{rule.old}", new


def offer(game: Game, new: NewVersion) -> UpgradeOffer:
    """What it would be to go on by a new version. Raises Refused where that cannot be at any time."""
    linked = linked_as(game, new)
    try:
        return UpgradeOffer(game, linked, new.renames, carried(game, linked, new.renames))
    except Waits as waits:
        return UpgradeOffer(game, linked, new.renames, None, waits_told(game, waits))


def waits_told(game: Game, waits: Waits) -> str:
    """What has to happen before a game can go on by the new version."""
    question = "" if game.over else game.prompt.text
    asked = f": the open question is `{question}`" if question else ""
    return (
        f"{waits.reason}; play on until it is done, or to the first question of the next turn, "
        f"and ask again{asked}"
    )


def linked_as(game: Game, new: NewVersion) -> Linked:
    """A program linked for the players of a game, with what was chosen for it as far as it fits."""
    program, fitting = new.program, dict[str, Any]()
    names = NewNames(game.linked.original.program, program, dict(new.renames))
    known = {one.name for one in program.settings}
    for name, value in chosen_settings(game.linked).items():
        chosen = {names.of_item(name, known) or name: value}
        try:
            settings_of(program, chosen)
            fitting |= chosen
        except Refused:
            continue  # `carry` sets it aside
    return link_game(program, driver_of(program.game), game.players, fitting)


def taken(one: UpgradeOffer, text: str, agreed: str) -> Game:
    """The game after the seam, with the `text` of its save and the word of the host for what is set aside.

    Raises Refused: NoWord without that word, or where nobody could play on.
    """
    renames: Renames = one.renames
    return upgraded(join(one.before, text, one.linked, renames, agreed), one.linked)
