"""Collects the cases to run, each with its program.

A file in a pack belongs to that pack. A file elsewhere (a ledger of clauses) belongs to the game of
`--game`, or to the shipped game that its clauses are named after.
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
    cases_in,
    has_cases,
    reviewed_reasons,
    with_findings,
)
from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.compiler.lint.cited_clauses import Ledger, cited_by
from ruleloom.compiler.packs import locate
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder
from ruleloom.compiler.packs.walk import ENDINGS, walk
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.source.file import Place, Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.results import FAILED, PASSED, Result, recordings_in, results_of
from ruleloom.scenarios.runner import Runner


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases of one program; `member` is the pack that contains them, if any.

    `clauses` are to be proved; `reviewed` are the approved reasons of refusals, by case.
    """

    program: Program
    content: Content | None
    cases: tuple[Case, ...]
    clauses: tuple[str, ...]
    reviewed: Mapping[str, str]
    member: Member | None = None


@dataclass(slots=True)
class Collected:
    """All cases found, the findings about their files, and what the packs compiled to.

    `games` are the packs of the game named by `--game`, with which the others are compiled.
    """

    games: list[Member] = field(default_factory=list)
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
    gathered = Collected(games=members_of(game) if game is not None else [])
    named = {argument: members_of(argument) for argument in paths}
    gathered.members += chain.from_iterable(named.values())
    if game is not None:
        for member in gathered.members:
            _check_fits(member, game, gathered)
    silent = []
    for argument, members in named.items():
        found, broken = gathered.count, gathered.errors
        _add(argument, members, game, gathered)
        is_silent = gathered.count == found and gathered.errors == broken
        if is_silent and not any(recordings_in(member.folder.path) for member in members):
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


def _check_fits(member: Member, game: str, gathered: Collected) -> None:
    """Refuse a pack of another game than the one that was named."""
    ids = {one.id for one in gathered.games} or {game}
    if member.game and member.game not in ids:
        message = f"`{member.id}` is a pack of `{member.game}`, and no game of `--game {game}`"
        raise WrongUse(message, f"leave out --game, or say --game {member.game}")


def _add(argument: str, members: Sequence[Member], game: str | None, gathered: Collected) -> None:
    """Add the cases that one path names."""
    if members:
        for member in members:
            _add_pack(argument, member, gathered)
        if Path(argument).is_dir() and all(one.below for one in members):
            _add_files(argument, game, gathered, members)
    elif Path(argument).is_dir() or (Path(argument).exists() and argument.endswith(ENDINGS)):
        _add_files(argument, game, gathered)
    else:
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
    """Add the scenarios of a pack, or only those of the one file in it that was named."""
    folder = member.folder.path
    only = realpath(argument) if _is_yaml(argument) else None
    needed = with_needs(member, [*gathered.members, *gathered.games])
    result = _compiled([one.named for one in needed], gathered, only)
    if result.program is None or result.content is None:
        return
    content = result.content
    own = next((one.id for one in content.packs if one.folder == folder), content.packs[-1].id)
    trees: dict[str, YamlNode | None] = {}
    for name in content.scenarios:
        pack, path = content.files[name]
        if pack == own and only in (None, realpath(folder / path)):
            trees[name] = content.cases.get(content.sources[name].path)
    cases = with_findings(_cases_of(trees), result.diagnostics)
    clauses = _to_be_proved(content, own)
    gathered.batches.append(Batch(result.program, content, cases, clauses, {}, member))


def _to_be_proved(content: Content, pack: str) -> tuple[str, ...]:
    """The clauses that the cases of a pack have to prove: its own, and those that its items cite."""
    ledger = Ledger(content)
    items = [item for item in content.items if item.pack == pack]
    cited = (node.text or "" for item in items for node in cited_by(item))
    own = (id for id, item in ledger.clauses.items() if item.pack == pack)
    return tuple(one for one in dict.fromkeys((*cited, *own)) if not ledger.needs_none(one))


def _compiled(
    named: Sequence[str | Path],
    gathered: Collected,
    only: str | None = None,
    loose: Sequence[Path] = (),
) -> CompileResult:
    """The result for some packs, compiled once; its findings are added for each path to them.

    Where `only` one file is wanted, what is said of other files of cases is left out. The `loose`
    files of cases are held against the game as well.
    """
    key = (*named, *loose)
    if key not in gathered.compiled:
        gathered.compiled[key] = with_driver(compile_paths(named, loose=loose))
    result = gathered.compiled[key]
    others = _other_cases(result.content, only) if only is not None else frozenset()
    gathered.diagnostics += [one for one in result.diagnostics if one.place.path not in others]
    gathered.sources.update(result.sources)
    return result


def _other_cases(content: Content | None, only: str) -> frozenset[str]:
    """The files of cases besides the one that is wanted, as findings show them."""
    if content is None:
        return frozenset()
    folders = content.folders
    places = ((name, *content.files[name]) for name in content.scenarios)
    return frozenset(
        content.sources[name].path
        for name, pack, path in places
        if realpath(folders[pack] / path) != only
    )


def _add_files(
    argument: str, game: str | None, gathered: Collected, members: Sequence[Member] = ()
) -> None:
    """Add the cases of a file, or of a folder's files, outside any pack: these `members` are in it."""
    trees, checked = _read_loose(argument, members, gathered)
    cases = _cases_of(trees)
    if not cases:
        return
    game = game or _game_of(cases, members, argument)
    packs = [one.named for one in gathered.games] or [game]
    result = _compiled(packs, gathered, loose=checked)
    if result.program is not None and result.content is not None:
        reasons = reviewed_reasons(BUILTIN / result.program.game)
        # With new names for those that items of the game had before.
        cases = _cases_of({path: result.content.cases.get(path, trees[path]) for path in trees})
        cases = with_findings(cases, result.diagnostics)
        gathered.batches.append(Batch(result.program, result.content, cases, (), reasons))


def _read_loose(
    argument: str, members: Sequence[Member], gathered: Collected
) -> tuple[dict[str, YamlNode | None], list[Path]]:
    """The trees of the files outside any pack that a path means, and which can be checked as cases."""
    report = Report()
    trees: dict[str, YamlNode | None] = {}
    checked: list[Path] = []
    for file, shown in _loose_files(argument, members, report):
        tree = None
        try:
            source = Source.read(file, shown)
            gathered.sources[shown] = source.text
            tree = compose(source, report)
        except SourceError as error:
            report.refuse(error)
        if tree is not None or report.has_errors_in(shown):
            trees[shown] = tree
            if tree is not None and has_cases(tree) and not report.has_errors_in(shown):
                checked.append(file)
    gathered.diagnostics += report.diagnostics()
    return trees, checked


def _cases_of(trees: Mapping[str, YamlNode | None]) -> tuple[Case, ...]:
    """The cases of some files, by their displayed paths; one that cannot be read is a case that fails."""
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
    """The files that a path means, but for those of the packs in it, each with its displayed path."""
    path = Path(argument)
    shown = locate.shown_path(path)  # as `check` shows it, so that nothing is told twice
    if not path.is_dir():
        return [(path, shown)]
    walked = Report()
    found = walk(path, shown, walked)[0]
    for one in walked.diagnostics():
        if not (members and one.code == "nested-pack"):  # those are run by themselves
            report.add(one)
    inside = [one.folder.path.resolve() for one in members]
    files = [(Path(one.path), one.shown) for one in found]
    return [one for one in files if not any(map(one[0].resolve().is_relative_to, inside))]


def _game_of(cases: Sequence[Case], members: Sequence[Member], argument: str) -> str:
    """The game of the packs beside cases, or the shipped one that the names of cases and clauses begin
    with."""
    games = {one.game for one in members if one.game}
    if len(games) == 1:
        return games.pop()
    names = [name for case in cases for name in (case.id, *case.clauses) if "." in name]
    found = {name.partition(".")[0] for name in names} & set(locate.shipped_packs(BUILTIN))
    if len(found) != 1:
        message = f"{argument} is in no pack and does not name its game"
        raise WrongUse(message, "name it: --game gnostica")
    return found.pop()


def recorded_results(batch: Batch) -> list[Result]:
    """The results of the recorded games that lie in the folder of the pack of a batch."""
    if batch.member is None:
        return []
    folder = batch.member.folder.path
    return list(results_of(folder, locate.shown_path(folder), batch.program))


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
    below: bool = False  # it lies further down in the folder that was named

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
    fields = entries_of(root)
    id, game = (text_of(fields.get(name)) for name in ("id", "game"))
    needs = entries_of(fields.get("requires"))
    below = Path(argument).is_dir() and Path(argument).resolve() in folder.path.resolve().parents
    return Member(folder, named, id, game, frozenset({*needs, game} - {id}), among_others, below)


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


Played = list[tuple[Batch, list[Result]]]


def play_together(
    gathered: Collected, played: Played, step: Callable[[int], None]
) -> tuple[Played, list[str]]:
    """The results with all packs together, and remarks; errors go to the collected findings.

    `step` counts each case that is run.
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
    """The named packs of one game; compiled programs are kept, since many cases need the same."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members
        self._compiled: dict[frozenset[str], CompileResult] = {}
        self._runners: dict[tuple[int, frozenset[str]], Runner] = {}

    def compiled(self, members: Iterable[Member]) -> CompileResult:
        """The result for these packs together."""
        by_key = {member.key: member for member in members}
        key = frozenset(by_key)
        if key not in self._compiled:
            named = [by_key[one].named for one in sorted(by_key)]
            self._compiled[key] = compile_paths(named)
        return self._compiled[key]

    def needed(self, *members: Member) -> list[Member]:
        """These packs and those they need, each once."""
        found = {one.key: one for member in members for one in with_needs(member, self.members)}
        return list(found.values())

    def fits(self, *members: Member) -> bool:
        """Do these packs compile together, with those they need?"""
        return self.compiled(self.needed(*members)).program is not None

    def play(
        self, batch: Batch, results: Sequence[Result], step: Callable[[int], None]
    ) -> list[Result]:
        """The results of a batch after its cases were run with all packs, too."""
        key = batch.member.key if batch.member is not None else ""
        member = next((one for one in self.members if one.key == key), None)
        if member is None or len(self.needed(member)) == len(self.members):
            return list(results)
        # Packs in a folder beside their game are there to change it: the game's own cases are not
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
        result = self._run(batch, self.members, case)
        step(1)
        if result is None or result.status == PASSED:
            return alone
        breakers = self._breakers(batch, member, case)
        ids = tuple(sorted(breaker.id for breaker in breakers))
        verb = "breaks" if len(ids) == 1 else "break"
        if len(ids) > 1 and not all(
            self._fails(batch, self.needed(member, one), case) for one in breakers
        ):
            verb = "together break"
        told = f"passes without {quoted_list(ids, 'and')}, which {verb} it: {result.message}"
        return Result(case, FAILED, told, ids)

    def _run(self, batch: Batch, members: Iterable[Member], case: Case) -> Result | None:
        """The result of a case with these packs; None if they do not compile."""
        members = list(members)
        compiled = self.compiled(members)
        program = compiled.program
        if program is None:
            return None
        key = id(batch), frozenset(member.key for member in members)
        if key not in self._runners:
            self._runners[key] = Runner(program, batch.cases, batch.reviewed, compiled.content)
        return self._runners[key].run(case)

    def _fails(self, batch: Batch, members: Iterable[Member], case: Case) -> bool:
        result = self._run(batch, members, case)
        return result is not None and result.status != PASSED

    def _breakers(self, batch: Batch, member: Member, case: Case) -> list[Member]:
        """The packs that each break a case alone, or else the fewest together."""
        own = {one.key for one in self.needed(member)}
        others = [one for one in self.members if one.key not in own]
        others.sort(key=lambda one: (len(self.needed(one)), one.id))
        found: list[Member] = []
        for other in others:
            builds_on = {one.key for one in self.needed(other)}
            # What builds on a pack that breaks it breaks it too, and is not to blame.
            if not any(one.key in builds_on for one in found):
                found += [other] if self._fails(batch, self.needed(member, other), case) else []
        return found or self._fewest(batch, member, others, case)

    def _fewest(
        self, batch: Batch, member: Member, others: Sequence[Member], case: Case
    ) -> list[Member]:
        left = list(others)
        for other in reversed(others):
            fewer = [one for one in left if one is not other]
            needed = {one.key for one in self.needed(member, *fewer)}
            if other.key not in needed and self._fails(batch, self.needed(member, *fewer), case):
                left = fewer
        return left


def _complain(company: _Company, whole: CompileResult, gathered: Collected) -> list[str]:
    """Report packs that do not compile together; only remark on it if they share a folder."""
    if not all(map(company.fits, company.members)):
        return []  # a pack that is broken by itself has been reported already
    if all(member.among_others for member in company.members):
        ids = quoted_list(sorted(member.id for member in company.members))
        return [f"{ids} do not go together, so each was run by itself; `ruleloom check` says why"]
    gathered.sources.update(whole.sources)
    gathered.diagnostics += [one for one in whole.diagnostics if one.severity == "error"]
    gathered.diagnostics += [
        _packs_apart(first, second, whole)
        for first, second in combinations(company.members, 2)
        if not company.fits(first, second)
    ]
    return []


def _packs_apart(first: Member, second: Member, whole: CompileResult) -> Diagnostic:
    message = f"`{first.id}` and `{second.id}` compile each by itself, but not together"
    notes = (Note(_id_place(second, whole), f"`{second.id}` is this one"),)
    help = "let one of them require the other and follow it, or play them apart"
    return Diagnostic(_id_place(first, whole), "error", "packs-apart", message, help, notes)


def _id_place(member: Member, whole: CompileResult) -> Place:
    packs = whole.content.packs if whole.content is not None else ()
    found = next((pack.manifest.place for pack in packs if pack.id == member.id), None)
    return found or Place.of_file(member.folder.manifest_shown)
