"""Collects the cases to run, each with its program.

A file in a pack belongs to that pack. A file elsewhere (a ledger of clauses) belongs to the game of
`--game`, or to the shipped game that its clauses are named after.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from os.path import realpath
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.packs import locate
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder
from ruleloom.compiler.packs.walk import ENDINGS, walk
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.cases import Case, read_cases, reviewed_reasons


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases of one program; `member` is the pack that contains them, if any.

    `clauses` are cited by the rules; `reviewed` are the approved reasons of refusals, by case.
    """

    program: Program
    content: Content | None
    cases: tuple[Case, ...]
    clauses: tuple[str, ...]
    reviewed: Mapping[str, str]
    member: Member | None = None


@dataclass(slots=True)
class Collected:
    """All cases found, the findings about their files, and what the packs compiled to."""

    members: list[Member] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    # By packs, because several files of one pack may be named.
    compiled: dict[tuple[str | Path, ...], CompileResult] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        """The number of errors in the files themselves; a failing case is none."""
        return sum(found.severity == "error" for found in self.diagnostics)

    @property
    def tested_games(self) -> set[str]:
        """The games of the packs with cases."""
        return {one.member.game for one in self.batches if one.member is not None and one.cases}

    @property
    def count(self) -> int:
        """The number of cases."""
        return sum(len(batch.cases) for batch in self.batches)


def collect(paths: Sequence[str], game: str | None) -> Collected:
    """The cases that the paths name."""
    if game is not None:
        _check_game(game)
    gathered = Collected()
    named = {argument: members_of(argument) if game is None else [] for argument in paths}
    gathered.members += chain.from_iterable(named.values())
    silent = []
    for argument, members in named.items():
        found, broken = gathered.count, gathered.errors
        _add(argument, members, game, gathered)
        if gathered.count == found and gathered.errors == broken:
            silent.append(argument)
    for argument in silent:
        # A pack without cases may be named for what it does to the cases of another one.
        games = {member.game for member in named[argument]}
        if _is_yaml(argument) or games.isdisjoint(gathered.tested_games):
            gathered.diagnostics.append(_no_scenario(argument))
    return gathered


def _check_game(game: str) -> None:
    """Refuse a game that is neither shipped nor a folder."""
    shipped = locate.shipped_packs(BUILTIN)
    if game not in shipped and not Path(game).exists():
        help = did_you_mean(game, shipped) or f"shipped are {quoted_list(shipped)}"
        raise WrongUse(f"there is no game `{game}`", help)


def _add(argument: str, members: Sequence[Member], game: str | None, gathered: Collected) -> None:
    """Add the cases that one path names."""
    if members:
        for member in members:
            _add_pack(argument, member, gathered)
    elif Path(argument).is_dir() or (Path(argument).exists() and argument.endswith(ENDINGS)):
        _add_files(argument, game, gathered)
    else:
        found = Report()
        locate.find_packs(argument, BUILTIN, found)
        gathered.diagnostics += found.diagnostics()


def _is_yaml(argument: str) -> bool:
    """Whether this is a single file, not a pack (a folder or a zip)."""
    return argument.endswith(ENDINGS) and Path(argument).is_file()


def _no_scenario(argument: str) -> Diagnostic:
    what = "file" if _is_yaml(argument) else "folder" if Path(argument).is_dir() else "pack"
    help = "write a file with `kind: scenarios` and a list under `cases:`"
    place = Place.of_file(locate.shown_path(Path(argument)))
    return Diagnostic(place, "error", "no-scenarios", f"this {what} holds no scenario", help)


def _add_pack(argument: str, member: Member, gathered: Collected) -> None:
    """Add the scenarios of a pack, or only those of the one file in it that was named."""
    folder = member.folder.path
    result = _compiled([one.named for one in with_needs(member, gathered.members)], gathered)
    if result.program is None or result.content is None:
        return
    content = result.content
    own = next((one.id for one in content.packs if one.folder == folder), content.packs[-1].id)
    only = realpath(argument) if _is_yaml(argument) else None
    report = Report()
    cases: list[Case] = []
    for name in content.scenarios:
        pack, path = content.files[name]
        if pack == own and only in (None, realpath(folder / path)):
            cases += read_cases(content.sources[name], report) or ()
    gathered.diagnostics += report.diagnostics()
    cited = _cited(content, own)
    gathered.batches.append(Batch(result.program, content, tuple(cases), cited, {}, member))


def _cited(content: Content, pack: str) -> tuple[str, ...]:
    """The clauses cited by the items of a pack."""
    listed = (item.data("clauses") for item in content.items if item.pack == pack)
    cited = chain.from_iterable(clauses for clauses in listed if isinstance(clauses, list))
    return tuple(clause for clause in cited if isinstance(clause, str))


def _compiled(named: Sequence[str | Path], gathered: Collected) -> CompileResult:
    """The result for some packs, compiled once; its findings are added for each path to them."""
    key = tuple(named)
    if key not in gathered.compiled:
        gathered.compiled[key] = compile_paths(named)
    result = gathered.compiled[key]
    gathered.diagnostics += result.diagnostics
    gathered.sources.update(result.sources)
    return result


def _add_files(argument: str, game: str | None, gathered: Collected) -> None:
    """Add the cases of a file, or of a folder's files, outside any pack."""
    report = Report()
    path = Path(argument)
    files = [(path, argument)]
    if path.is_dir():
        files = [(one.path, one.shown) for one in walk(path, argument, report)[0]]
    cases: list[Case] = []
    for file, shown in files:
        try:
            source = Source.read(file, shown)
        except SourceError as error:
            report.refuse(error)
            continue
        gathered.sources[shown] = source.text
        cases += read_cases(source, report) or ()
    gathered.diagnostics += report.diagnostics()
    if cases:
        result = _compiled([game or _game_of(cases, argument)], gathered)
        program = result.program
        if program is not None:
            reasons = reviewed_reasons(BUILTIN / program.game)
            gathered.batches.append(Batch(program, result.content, tuple(cases), (), reasons))


def _game_of(cases: Sequence[Case], argument: str) -> str:
    """The shipped game that the names of cases and clauses begin with."""
    names = [name for case in cases for name in (case.id, *case.clauses) if "." in name]
    found = {name.partition(".")[0] for name in names} & set(locate.shipped_packs(BUILTIN))
    if len(found) != 1:
        message = f"{argument} is in no pack and does not name its game"
        raise WrongUse(message, "name it: --game gnostica")
    return found.pop()


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
    folders = locate.find_packs(argument, BUILTIN, Report())
    return [_member(argument, folder, len(folders) > 1) for folder in folders]


def _member(argument: str, folder: PackFolder, among_others: bool) -> Member:
    # A shipped pack is compiled by the id that was typed, because its files are shown by it, too.
    named = argument if folder == locate.shipped_pack(argument, BUILTIN) else folder.path
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
