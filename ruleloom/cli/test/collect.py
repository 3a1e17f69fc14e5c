"""Collects the cases to run, each with its program.

A file in a pack belongs to that pack. A file elsewhere (a ledger of clauses) belongs to the game of `--game`,
or to the shipped game that prefixes its clauses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain, combinations
from os.path import realpath
from pathlib import Path

from ruleloom.api.missing_driver import with_driver
from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.cases.case_file import (
    Case,
    Reasons,
    cases_in,
    has_cases,
    reviewed_reasons,
    with_findings,
)
from ruleloom.compiler.cases.check_cases import clauses_to_prove
from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.load import FileTree
from ruleloom.compiler.packs import locate
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder
from ruleloom.compiler.packs.walk import ENDINGS, walk
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import FAILED, PASSED, Result, recordings_in
from ruleloom.scenarios.runner import Runner


class Batch(Frozen):
    """The cases of one program; `member` is their pack, if any.

    `clauses` are to be proved; `reviewed` are the approved reasons of refusals, by case.
    """

    program: Program
    content: Content | None
    cases: tuple[Case, ...]
    clauses: tuple[str, ...]
    reviewed: Reasons
    member: Member | None = None


@dataclass(slots=True)
class Collected:
    """All cases found, the findings in their files, and the compiled packs.

    `games` are the packs of the game named by `--game`, with which the others are compiled.
    """

    games: list[Member] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    # Keyed by packs, because several files of one pack may be named.
    compiled: dict[tuple[str | Path, ...], CompileResult] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        """The number of errors in the files; failing cases do not count."""
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
    """The cases under the paths."""
    gathered = Collected(games=_members_of_game(game) if game is not None else [])
    named = {argument: members_of(argument) for argument in paths}
    gathered.members += chain.from_iterable(named.values())
    if game is not None:
        _check_fit(gathered, game)
    silent = []
    for argument, members in named.items():
        before = gathered.count, gathered.errors
        _add(argument, members, game, gathered)
        is_silent = before == (gathered.count, gathered.errors)
        if is_silent and not any(recordings_in(member.folder.path) for member in members):
            silent.append(argument)
    for argument in silent:
        _note_silent(argument, named[argument], gathered)
    return gathered


def _note_silent(argument: str, members: Sequence[Member], gathered: Collected) -> None:
    # A pack without cases may be named for what it does to the cases of another one.
    games = {member.game for member in members}
    if _is_yaml(argument) or games.isdisjoint(gathered.tested_games):
        gathered.diagnostics.append(_no_scenario(argument))


def _check_fit(gathered: Collected, game: str) -> None:
    """Refuse packs of a game other than the one named."""
    ids = {one.id for one in gathered.games} or {game}
    for one in gathered.members:
        if one.game and one.game not in ids:
            message = f"`{one.id}` is a pack of `{one.game}`, and no game of `--game {game}`"
            raise WrongUse(message, f"leave out --game, or say --game {one.game}")


def _members_of_game(game: str) -> list[Member]:
    """The packs of a game, shipped or in a folder. Raises WrongUse."""
    shipped = locate.shipped_packs(BUILTIN)
    if game not in shipped and not Path(game).exists():
        help = did_you_mean(game, shipped) or f"shipped are {quoted_list(shipped)}"
        raise WrongUse(f"there is no game `{game}`", help)
    return members_of(game)


def _add(argument: str, members: Sequence[Member], game: str | None, gathered: Collected) -> None:
    """Add the cases under one path."""
    for member in members:
        _add_pack(argument, member, gathered)
    path = Path(argument)
    if path.is_dir() or (not members and path.exists() and argument.endswith(ENDINGS)):
        if all(one.below for one in members):
            _add_files(argument, game, gathered, members)
    elif not members:
        found = Report()
        locate.find_packs(argument, BUILTIN, found)
        gathered.diagnostics += found.diagnostics()


def _is_yaml(argument: str) -> bool:
    """Is this a single file, not a pack (a folder or a zip)?"""
    return argument.endswith(ENDINGS) and Path(argument).is_file()


def _no_scenario(argument: str) -> Diagnostic:
    what = "file" if _is_yaml(argument) else "folder" if Path(argument).is_dir() else "pack"
    help = "write a file with `kind: scenarios` and a list under `cases:`"
    place = Place.of_file(locate.shown_path(Path(argument)))
    return Diagnostic(place, "error", "no-scenarios", f"this {what} holds no scenario", help)


def _add_pack(argument: str, member: Member, gathered: Collected) -> None:
    """Add the scenarios of a pack, or only those in the one file named."""
    folder = member.folder.path
    only = realpath(argument) if _is_yaml(argument) else None
    needed = with_needs(member, [*gathered.members, *gathered.games])
    result = _compiled([one.named for one in needed], gathered)
    content, hidden = result.content, set[str]()  # findings in other case files are left out
    trees: dict[str, YamlNode | None] = {}
    if content is not None:
        own = next((one.id for one in content.packs if one.folder == folder), content.packs[-1].id)
        for name in content.scenarios:
            pack, path = content.files[name]
            shown = content.sources[name].path
            if only not in (None, realpath(content.folders[pack] / path)):
                hidden.add(shown)
            elif pack == own:
                trees[name] = content.cases.get(shown)
    gathered.diagnostics += [one for one in result.diagnostics if one.place.path not in hidden]
    if result.program is not None and content is not None:
        cases = with_findings(_cases_of(trees), result.diagnostics)
        clauses = clauses_to_prove(content, own)
        gathered.batches.append(Batch(result.program, content, cases, clauses, {}, member))


def _compiled(
    named: Sequence[str | Path], gathered: Collected, loose: Sequence[Path] = ()
) -> CompileResult:
    """The result of compiling some packs, cached. The `loose` case files are checked with the game as
    well."""
    key = (*named, *loose)
    if key not in gathered.compiled:
        gathered.compiled[key] = with_driver(compile_paths(named, loose=loose))
        gathered.sources.update(gathered.compiled[key].sources)
    return gathered.compiled[key]


def _add_files(
    argument: str, game: str | None, gathered: Collected, members: Sequence[Member] = ()
) -> None:
    """Add the cases of a file or folder outside any pack; `members` are the packs in the folder."""
    trees, checked = _read_loose(argument, members, gathered)
    cases = _cases_of(trees)
    if not cases:
        return
    game = game or _game_of(cases, members, argument)
    packs = [one.named for one in gathered.games] or [game]
    result = _compiled(packs, gathered, checked)
    gathered.diagnostics += result.diagnostics
    if result.program is not None and result.content is not None:
        reasons = reviewed_reasons(BUILTIN / result.program.game)
        # Items may have been renamed: use the cases with the new names.
        cases = _cases_of({path: result.content.cases.get(path, trees[path]) for path in trees})
        cases = with_findings(cases, result.diagnostics)
        gathered.batches.append(Batch(result.program, result.content, cases, (), reasons))


def _read_loose(
    argument: str, members: Sequence[Member], gathered: Collected
) -> tuple[dict[str, YamlNode | None], list[Path]]:
    """The trees of the loose files under a path, and the files that can be checked as cases."""
    report = Report()
    trees: dict[str, YamlNode | None] = {}
    checked: list[Path] = []
    for file, shown in _loose_files(argument, members, report):
        try:
            source = Source.read(file, shown)
        except SourceError as error:
            report.refuse(error)
            trees[shown] = None
            continue
        gathered.sources[shown] = source.text
        tree = FileTree.of(source)
        report.take(tree.findings)
        is_broken = report.has_errors_in(shown)
        if tree.root is not None or is_broken:
            trees[shown] = tree.root
            if tree.root is not None and has_cases(tree.root) and not is_broken:
                checked.append(file)
    gathered.diagnostics += report.diagnostics()
    return trees, checked


def _cases_of(trees: Mapping[str, YamlNode | None]) -> tuple[Case, ...]:
    """The cases of some files, by displayed path; an unreadable file becomes a failing case."""
    found: list[Case] = []
    for shown, tree in trees.items():
        if tree is None:
            unread = "this file cannot be read"
            found.append(Case(Path(shown).name, (), {}, (), {}, shown, 1, unread))
        else:
            found += cases_in(tree) or ()
    return tuple(found)


def _loose_files(
    argument: str, members: Sequence[Member], report: Report
) -> list[tuple[Path, str]]:
    """The files under a path, except those in packs, each with its displayed path."""
    path = Path(argument)
    shown = locate.shown_path(path)  # as in `check`, so that nothing is reported twice
    if not path.is_dir():
        return [(path, shown)]
    walked = Report()
    found = walk(path, shown, walked)[0]
    for one in walked.diagnostics():
        if not (members and one.code == "nested-pack"):  # those are tested by themselves
            report.add(one)
    inside = [one.folder.path.resolve() for one in members]
    files = [(Path(one.path), one.shown) for one in found]
    return [one for one in files if not any(map(one[0].resolve().is_relative_to, inside))]


def _game_of(cases: Sequence[Case], members: Sequence[Member], argument: str) -> str:
    """The game of the packs beside cases, or the shipped one that prefixes names of cases and clauses."""
    games = {one.game for one in members if one.game}
    if len(games) == 1:
        return games.pop()
    names = [name for case in cases for name in (case.id, *case.clauses) if "." in name]
    found = {name.partition(".")[0] for name in names} & set(locate.shipped_packs(BUILTIN))
    if len(found) != 1:
        message = f"{argument} is in no pack and does not name its game"
        raise WrongUse(message, "name it: --game gnostica")
    return found.pop()


class Member(Frozen):
    """A pack named in a command; `among_others` if named only by a folder of several packs.

    `named` is the compiler's argument; `needs` are the ids of its game and required packs.
    """

    folder: PackFolder
    named: str | Path
    id: str
    game: str
    needs: frozenset[str]
    among_others: bool
    below: bool = False  # it is nested in the folder that was named

    @property
    def key(self) -> str:
        """A key, however the pack is named."""
        return self.folder.key


def members_of(argument: str) -> list[Member]:
    """The packs under a path, if any."""
    folders = locate.find_packs(argument, BUILTIN, Report())
    return [_member(argument, folder, len(folders) > 1) for folder in folders]


def _member(argument: str, folder: PackFolder, among_others: bool) -> Member:
    # A shipped pack is compiled by the id as typed, because its displayed paths use it, too.
    named = argument if folder == locate.shipped_pack(argument, BUILTIN) else folder.path
    try:
        fields = entries_of(FileTree.of(folder.manifest()).root)
    except SourceError:
        fields = {}
    id, game = (text_of(fields.get(name)) for name in ("id", "game"))
    needs = entries_of(fields.get("requires"))
    below = Path(argument).is_dir() and Path(argument).resolve() in folder.path.resolve().parents
    return Member(folder, named, id, game, frozenset({*needs, game} - {id}), among_others, below)


def with_needs(member: Member, members: Iterable[Member]) -> list[Member]:
    """A pack and the others that it requires, directly or not."""
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
    """The packs of each game with several, deduplicated."""
    by_game: dict[str, dict[str, Member]] = defaultdict(dict)
    for member in members:
        # A pack named by itself takes precedence over the same pack in a named folder.
        known = by_game[member.game]
        if member.key not in known or known[member.key].among_others:
            known[member.key] = member
    return (list(known.values()) for game, known in by_game.items() if game and len(known) > 1)


Played = list[tuple[Batch, list[Result]]]
CasesByPlace = dict[tuple[str, int], Case]
"""Cases by their file and line."""


def play_together(
    gathered: Collected, played: Played, step: Callable[[int], None]
) -> tuple[Played, list[str]]:
    """The results with all packs together, and remarks; errors are added to the collected findings.

    `step` counts each case run.
    """
    remarks: list[str] = []
    for members in games_of(gathered.members):
        company = _Company(members)
        whole = company.compiled(members)
        if whole.program is None:
            remarks += _complain(company, whole, gathered)
            continue
        played = [(batch, company.play(batch, results, step)) for batch, results in played]
    return played, remarks


class _Company:
    """The named packs of one game; compiled programs are cached, since many cases share them."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members
        self._compiled: dict[frozenset[str], CompileResult] = {}
        self._runners: dict[tuple[int, frozenset[str]], tuple[Runner, CasesByPlace]] = {}

    def compiled(self, members: Iterable[Member]) -> CompileResult:
        """The compiled program of these packs."""
        by_key = {member.key: member for member in members}
        key = frozenset(by_key)
        if key not in self._compiled:
            named = [by_key[one].named for one in sorted(by_key)]
            self._compiled[key] = compile_paths(named)
        return self._compiled[key]

    def needed(self, *members: Member) -> list[Member]:
        """These packs and those that they require."""
        found = {one.key: one for member in members for one in with_needs(member, self.members)}
        return list(found.values())

    def play(
        self, batch: Batch, results: Sequence[Result], step: Callable[[int], None]
    ) -> list[Result]:
        """The results of a batch after also running its cases with all packs."""
        key = batch.member.key if batch.member is not None else ""
        member = next((one for one in self.members if one.key == key), None)
        if member is None or len(self.needed(member)) == len(self.members):
            return list(results)
        # Packs in a folder beside their game are meant to change it: the game's own cases are not
        # run with them unless the game is named by itself.
        if member.among_others and member.id == member.game:
            return list(results)
        return [self._in_company(batch, member, result, step) for result in results]

    def _in_company(
        self, batch: Batch, member: Member, alone: Result, step: Callable[[int], None]
    ) -> Result:
        if alone.status != PASSED:
            return alone
        case = alone.case
        result = self._failure(batch, self.members, case)
        step(1)
        if result is None:
            return alone
        breakers = self._breakers(batch, member, case)
        ids = tuple(sorted(breaker.id for breaker in breakers))
        verb = "breaks" if len(ids) == 1 else "break"
        if len(ids) > 1 and not all(
            self._failure(batch, self.needed(member, one), case) for one in breakers
        ):
            verb = "together break"
        told = f"passes without {quoted_list(ids, 'and')}, which {verb} it: {result.message}"
        return Result(case, FAILED, told, ids)

    def _failure(self, batch: Batch, members: Sequence[Member], case: Case) -> Result | None:
        """The result of a case that fails with these packs; None if it passes or they do not compile."""
        compiled = self.compiled(members)
        if compiled.program is None:
            return None
        key = id(batch), frozenset(member.key for member in members)
        if key not in self._runners:
            read = _as_read_with(compiled.content, batch.cases)
            parts = compiled.program, [*read.values()], batch.reviewed, compiled.content
            self._runners[key] = Runner(*parts), read
        runner, read = self._runners[key]
        result = runner.run(read[case.path, case.line])
        return result if result.status != PASSED else None

    def _breakers(self, batch: Batch, member: Member, case: Case) -> list[Member]:
        """The packs that each break a case alone, or else a minimal set."""
        own = {one.key for one in self.needed(member)}
        others = [one for one in self.members if one.key not in own]
        others.sort(key=lambda one: (len(self.needed(one)), one.id))
        found: list[Member] = []
        for other in others:
            builds_on = {one.key for one in self.needed(other)}
            # A pack that builds on a breaking pack fails too, and is not to blame.
            if not any(one.key in builds_on for one in found):
                found += [other] if self._failure(batch, self.needed(member, other), case) else []
        return found or self._fewest(batch, member, others, case)

    def _fewest(
        self, batch: Batch, member: Member, others: list[Member], case: Case
    ) -> list[Member]:
        left = others
        for other in reversed(others):
            fewer = [one for one in left if one is not other]
            needed = self.needed(member, *fewer)
            if other not in needed and self._failure(batch, needed, case):
                left = fewer
        return left


def _as_read_with(content: Content | None, cases: Sequence[Case]) -> CasesByPlace:
    """The cases as they are read with other packs, in which a short name may stand for a longer one."""
    trees = content.cases if content is not None else {}
    paths = {case.path for case in cases} & trees.keys()
    again = _cases_of({path: trees[path] for path in sorted(paths)})
    return {(case.path, case.line): case for case in (*cases, *again)}


def _complain(company: _Company, whole: CompileResult, gathered: Collected) -> list[str]:
    """Report packs that do not compile together; only as a remark if they share a folder."""

    def fit(*members: Member) -> bool:
        return company.compiled(company.needed(*members)).program is not None

    if not all(map(fit, company.members)):
        return []  # a pack with mistakes of its own has been reported already
    if all(member.among_others for member in company.members):
        ids = quoted_list(sorted(member.id for member in company.members))
        return [f"{ids} do not go together, so each was run by itself; `ruleloom check` says why"]
    gathered.sources.update(whole.sources)
    gathered.diagnostics += [one for one in whole.diagnostics if one.severity == "error"]
    packs = whole.content.packs if whole.content is not None else ()
    places = {pack.id: pack.manifest.place for pack in packs}
    for pair in combinations(company.members, 2):
        if not fit(*pair):
            one, other = (
                places.get(each.id) or Place.of_file(each.folder.manifest_shown) for each in pair
            )
            message = f"`{pair[0].id}` and `{pair[1].id}` compile each by itself, but not together"
            notes = (Note(other, f"`{pair[1].id}` is this one"),)
            help = "let one of them require the other and follow it, or play them apart"
            apart = Diagnostic(one, "error", "packs-apart", message, help, notes)
            gathered.diagnostics.append(apart)
    return []
