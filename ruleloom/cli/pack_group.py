"""The packs named in one command, and their needs, from manifests that the compiler checks later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder, find_packs, shipped_pack
from ruleloom.compiler.source.file import SourceError
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose


@dataclass(frozen=True, slots=True)
class Member:
    """A pack named in a command; `among_others` if only a folder of several packs was named.

    `named` is what the compiler is given; `needs` are the ids of its game and required packs.
    """

    folder: PackFolder
    named: str | Path
    id: str
    game: str
    needs: frozenset[str]
    among_others: bool

    @property
    def key(self) -> str:
        """The same for every way of naming the pack."""
        return self.folder.key


def members_of(argument: str) -> list[Member]:
    """The packs that a path means, if any."""
    folders = find_packs(argument, BUILTIN, Report())
    return [_member(argument, folder, len(folders) > 1) for folder in folders]


def _member(argument: str, folder: PackFolder, among_others: bool) -> Member:
    # A shipped pack is compiled by the id that was typed, because its files are shown by it, too.
    named = argument if folder == shipped_pack(argument, BUILTIN) else folder.path
    try:
        root = compose(folder.manifest(), Report())
    except SourceError:
        root = None
    fields: Mapping[str, YamlNode] = root.entries if root is not None and root.kind == "map" else {}
    id, game = (fields[name].text or "" if name in fields else "" for name in ("id", "game"))
    required = fields.get("requires")
    needs = required.entries if required is not None and required.kind == "map" else {}
    return Member(folder, named, id, game, frozenset({*needs, game} - {id}), among_others)


def with_needs(member: Member, members: Iterable[Member]) -> list[Member]:
    """A pack with those of the others that it needs, directly or not."""
    known = {other.id: other for other in members}
    found = {member.id: member}
    waiting = [member]
    while waiting:
        for id in sorted(waiting.pop().needs - set(found)):
            if id in known:
                found[id] = known[id]
                waiting.append(known[id])
    return list(found.values())


def games_of(members: Sequence[Member]) -> Iterator[list[Member]]:
    """The packs of each game with several packs, each pack once."""
    by_game: dict[str, dict[str, Member]] = defaultdict(dict)
    for member in members:
        # A pack named by itself takes precedence over the same one in a folder that was named.
        known = by_game[member.game]
        if member.key not in known or known[member.key].among_others:
            known[member.key] = member
    return (list(known.values()) for game, known in by_game.items() if game and len(known) > 1)
