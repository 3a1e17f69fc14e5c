"""Collects the cases that are to be run, each with the program it is about.

A file in a pack is about that pack. A file elsewhere (a ledger of clauses) is about the game named,
or about the shipped game that its clauses are named after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os.path import realpath
from pathlib import Path

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.pack_group import Member, members_of, with_needs
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, find_packs, shipped_packs, shown_path
from ruleloom.compiler.packs.walk import ENDINGS, walk
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.cases import Case, read_cases, reviewed_reasons


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases about one program; `member` is the pack that they lie in, if any.

    `clauses` are those the rules cite, `reviewed` the approved reasons of refusals, by case.
    """

    program: Program
    content: Content | None
    cases: tuple[Case, ...]
    clauses: tuple[str, ...]
    reviewed: Mapping[str, str]
    member: Member | None = None


@dataclass(slots=True)
class Collected:
    """All cases found; `broken` if something could not be read, so that a pass proves nothing."""

    members: list[Member] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    compiled: dict[tuple[str | Path, ...], CompileResult] = field(default_factory=dict)
    """What packs came to together: of one pack, several files may be named."""

    @property
    def broken(self) -> bool:
        """Was anything wrong besides what the cases say?"""
        return self.errors > 0

    @property
    def errors(self) -> int:
        """How many things were wrong besides what the cases say."""
        return sum(found.severity == "error" for found in self.diagnostics)

    @property
    def count(self) -> int:
        """How many cases there are."""
        return sum(len(batch.cases) for batch in self.batches)


def collect(paths: Sequence[str], game: str | None) -> Collected:
    """The cases that the paths name."""
    gathered = Collected()
    named = {argument: members_of(argument) if game is None else [] for argument in paths}
    gathered.members += [member for members in named.values() for member in members]
    silent = []
    for argument, members in named.items():
        found, broken = gathered.count, gathered.errors
        _add(argument, members, game, gathered)
        if gathered.count == found and gathered.errors == broken:
            silent.append(argument)
    for argument in silent:
        if not _is_company(argument, named[argument], gathered):
            _complain(argument, gathered)
    return gathered


def _is_company(argument: str, members: Sequence[Member], gathered: Collected) -> bool:
    """Is this a pack without cases that was named for what it does to the cases of another one?"""
    games = {
        batch.member.game for batch in gathered.batches if batch.member is not None and batch.cases
    }
    return not _is_yaml(argument) and any(member.game in games for member in members)


def _add(argument: str, members: Sequence[Member], game: str | None, gathered: Collected) -> None:
    """The cases that one path names."""
    if members:
        for member in members:
            _add_pack(argument, member, gathered)
    elif Path(argument).is_dir() or (Path(argument).exists() and argument.endswith(ENDINGS)):
        _add_files(argument, game, gathered)
    else:
        found = Report()
        find_packs(argument, BUILTIN, found)
        gathered.diagnostics += found.diagnostics()


def _is_yaml(argument: str) -> bool:
    """Is this a file of its own, not a pack, be it a folder or a zip?"""
    return argument.endswith(ENDINGS) and Path(argument).is_file()


def _complain(argument: str, gathered: Collected) -> None:
    """Somebody wants to have something tested, and nothing tests it."""
    what = "file" if _is_yaml(argument) else "folder" if Path(argument).is_dir() else "pack"
    report = Report()
    help = "write a file with `kind: scenarios` and a list under `cases:`"
    place = Place.of_file(shown_path(Path(argument)))
    report.error("no-scenarios", place, f"this {what} holds no scenario", help)
    gathered.diagnostics += report.diagnostics()


def _add_pack(argument: str, member: Member, gathered: Collected) -> None:
    """The scenarios of a pack, or only those of the one file in it that was named."""
    folder = member.folder
    result = _compiled([one.named for one in with_needs(member, gathered.members)], gathered)
    if result.program is None or result.content is None:
        return
    content = result.content
    ids = (pack.id for pack in content.packs if pack.folder == folder.path)
    own = next(ids, content.packs[-1].id)
    files = {
        name: content.files[name][1] for name in content.scenarios if content.files[name][0] == own
    }
    if _is_yaml(argument):
        real = realpath(argument)
        files = {name: path for name, path in files.items() if realpath(folder.path / path) == real}
    report = Report()
    cases = [case for name in files for case in read_cases(content.sources[name], report) or ()]
    gathered.diagnostics += report.diagnostics()
    cited = _cited(content, own)
    gathered.batches.append(Batch(result.program, content, tuple(cases), cited, {}, member))


def _compiled(named: Sequence[str | Path], gathered: Collected) -> CompileResult:
    """What some packs come to; what is said of them is said for each path that leads to them."""
    key = tuple(named)
    if key not in gathered.compiled:
        gathered.compiled[key] = compile_paths(named, texts=False)
    result = gathered.compiled[key]
    gathered.diagnostics += result.diagnostics
    gathered.sources.update(result.sources)
    return result


def _cited(content: Content, pack: str) -> tuple[str, ...]:
    """The clauses that the items of a pack say they keep."""
    cited = (item.data("clauses") for item in content.items if item.pack == pack)
    return tuple(
        clause
        for clauses in cited
        if isinstance(clauses, list)
        for clause in clauses
        if isinstance(clause, str)
    )


def _add_files(argument: str, game: str | None, gathered: Collected) -> None:
    """The cases of a file, or of a folder's files, that lie in no pack."""
    report = Report()
    path = Path(argument)
    files = (
        [(f.path, f.shown) for f in walk(path, argument, report)[0]]
        if path.is_dir()
        else [(path, argument)]
    )
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
        wanted = game or _game_of(cases, argument)
        result = _compiled([wanted], gathered)
        if result.program is not None:
            reasons = reviewed_reasons(BUILTIN / result.program.game)
            gathered.batches.append(
                Batch(result.program, result.content, tuple(cases), (), reasons)
            )


def _game_of(cases: Sequence[Case], argument: str) -> str:
    """The shipped game that the cases speak of by the beginning of their names."""
    begins = {
        name.partition(".")[0] for case in cases for name in (case.id, *case.clauses) if "." in name
    }
    found = sorted(begins & set(shipped_packs(BUILTIN)))
    if len(found) != 1:
        raise WrongUse(
            f"{argument} lies in no pack and does not tell its game", "name it: --game gnostica"
        )
    return found[0]
