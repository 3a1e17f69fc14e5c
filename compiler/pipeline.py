"""The whole compiler on one screen: from paths to a program.

    paths ──▶ read_packs ──▶ PackInputs ──▶ content_of ──▶ Content ──▶ build_program ──▶ Program
                  │                             │                           │
                  ▼                             ▼                           ▼
               Report  ◀────────────────────────┴───────────────────────────┘
               one sorted list of diagnostics

Each item is checked even if its neighbour is broken; a program comes out only if there is no error.
`Compiler` caches the tree of each file, and whole results.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from ruleloom.compiler.build import build_program, case_checks_of, names_and_effects, rules_texts_of
from ruleloom.compiler.cases.check_cases import CaseChecks
from ruleloom.compiler.diagnostics.fixes import with_fixes
from ruleloom.compiler.diagnostics.report import Diagnostic, ErrorLimit, Report, of_families
from ruleloom.compiler.diagnostics.told import misspelt_declarations, told_once
from ruleloom.compiler.interface import Interface, below, digest_of, interface_bytes, read_interface
from ruleloom.compiler.load import FileTree, content_of, load_content, read_packs
from ruleloom.compiler.lower.passes import read_names
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS
from ruleloom.compiler.packs.pack_files import PackInputs
from ruleloom.compiler.packs.walk import ALL_SAVED, Unsaved
from ruleloom.compiler.patch.blame import spot_of, with_blame, without
from ruleloom.compiler.query.reuse import BuildKey, Generations
from ruleloom.compiler.resolve.embedded import NameUse
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.schema.registry import schemas_of
from ruleloom.compiler.source.file import Memo, Source
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program

# Characters of source: some 12 bytes of trees each, and 7 bytes of a result.
MOST_TREES, MOST_RESULTS = 8_000_000, 10_000_000
MOST_SHIPPED = 3 * MOST_RESULTS
"""The limit of shipped packs, a cache of their own: homebrew never evicts them."""


@dataclass(frozen=True, slots=True, eq=False)
class CompileResult:
    """The program, if sound, and all diagnostics; `infos` are about what is no mistake.

    `sources` holds the text of each file that was read, by the path its diagnostics show; `uses` the
    meanings of names in texts, if the compiler keeps them.
    """

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    content: Content | None
    uses: tuple[NameUse, ...] = ()
    infos: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is a program to play; warnings do not count."""
        return self.program is not None


Interfaces = Callable[[str, Callable[[], bytes | None]], bytes | None]
"""Returns the bytes under a hash, made if missing."""
Made = Callable[[PackInputs | None, Report, dict[str, Source]], "CompileResult"]
"""Compiles the files read."""


class Compiler:
    """Compiles packs, and caches the trees of files and whole results.

    Every compilation finds its packs and reads their files anew. The cache key of a tree is the name
    and text of its file, that of a result all its files, names, schemas and options. Both caches are
    bounded. Results are shared: never modify them.
    """

    def __init__(
        self,
        most_results: int = MOST_RESULTS,
        uses: bool = False,
        trees: Memo[FileTree] | None = None,
    ) -> None:
        """Cache results for `most_results` characters of source: 0 in an editor, whose texts never
        recur, and which needs the `uses` of names. `trees` may be those of another compiler."""
        self._uses = uses
        self.trees: Memo[FileTree] = Memo(MOST_TREES) if trees is None else trees
        self._results: Memo[CompileResult] = Memo(most_results)
        self._shipped: Memo[CompileResult] = Memo(MOST_SHIPPED if most_results else 0)
        self.builds = Generations()

    def compile(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        builtin: Path | None = None,
        schemas: Path | None = None,
        texts: bool = False,
        reasons: bool = True,
        scenarios: bool = True,
        loose: Iterable[str | Path] = (),
        unsaved: Unsaved = ALL_SAVED,
        wanted: Callable[[], bool] | None = None,
        interfaces: Interfaces | None = None,
        played: bool = True,
    ) -> CompileResult:
        """Compile the packs that `paths` name: folders, files in them, or ids of shipped packs.

        `builtin` and `schemas` replace the folders of shipped packs and of schemas. The `loose` files
        lie in no pack, and are read as if they lay in the last one. With `texts` the program holds
        the generated rules texts, which playing does not need. Without `reasons` its conditions do not
        say why an option is refused. Without `scenarios`, as to play, files that begin as scenarios are not
        parsed, and printed texts are not compared with their rules. A program that is not `played` lacks
        what only players see. `unsaved` texts replace those on disk, by the real path of their file.
        Packs that are only required are not built if `interfaces` has their interface.
        Raises Stopped between two passes once the result is no longer `wanted`.
        """
        named = [paths] if isinstance(paths, str | Path) else paths
        shipped, options = (
            builtin or BUILTIN,
            (schemas or SCHEMAS, texts, reasons, scenarios, played, scenarios),
        )
        report = Report(limited=True, wanted=wanted)
        sources: dict[str, Source] = {}
        inputs = None
        with collector_resting():
            with suppress(ErrorLimit):
                inputs = read_packs(named, report, shipped, options[0], sources, loose, unsaved)
            made = partial(_compiled, partial(self._made, *options), inputs, report, sources)
            key = None if inputs is None else inputs.key()
            if inputs is None or key is None:
                return made()
            if interfaces is not None and options[0] == SCHEMAS and not report.found:
                self._take_up(inputs, texts, reasons, interfaces)
            kept = self._shipped if inputs.lie_in(shipped) else self._results
            return kept.get((key, report.found, options), inputs.size, made)

    def program_of(
        self, content: Content, report: Report, reasons: bool = True, compare: bool = True
    ) -> Program | None:
        """The program of content already read, as of `build_program`."""
        return build_program(content, report, reasons=reasons, builds=self.builds, compare=compare)

    def case_checks(self, content: Content, path: str) -> CaseChecks:
        """The case checks of a sound game, for cases of the file `path`, which belongs to no pack."""
        return case_checks_of(content, path, self.builds)

    def _take_up(
        self, inputs: PackInputs, texts: bool, reasons: bool, interfaces: Interfaces
    ) -> None:
        """Enter the build of the packs below, read from their interface, as the earlier build, in a process
        without builds: later, builds are at hand, and an interface would hold all their texts."""
        under = below(inputs)
        sort = reasons, texts
        if under is None or self.builds.kept:
            return
        key, store = BuildKey(under.manifests, *sort), schemas_of(SCHEMAS, under.game)
        data = interfaces(digest_of(under, sort), lambda: self._interface(key, under))
        if data is not None and key not in self.builds.kept:
            found = read_interface(data, under, store)
            found.enter(under, self.trees)
            self.builds.keep(key, found.build)

    def _interface(self, key: BuildKey, inputs: PackInputs) -> bytes | None:
        """The bytes of the packs' interface; None if they have diagnostics."""
        report = Report(limited=True)
        flags = key.texts, key.reasons, False, False, True
        result = self._made(SCHEMAS, *flags, inputs, report, {})
        build = self.builds.at(key)
        if result.diagnostics or result.program is None or build is None:
            return None
        try:
            found = Interface.of(build, inputs, self.trees)
            return interface_bytes(found, inputs, schemas_of(SCHEMAS, inputs.game))
        except (TypeError, ValueError):  # an object in it cannot be written
            return None

    def forget(self) -> None:
        """Drop all cached results."""
        self.trees.clear()
        self._results.clear()
        self._shipped.clear()
        self.builds.clear()

    def _made(
        self,
        folder: Path,
        texts: bool,
        reasons: bool,
        scenarios: bool,
        played: bool,
        compare: bool,
        inputs: PackInputs | None,
        report: Report,
        sources: dict[str, Source],
    ) -> CompileResult:
        program, content, cases = None, None, Report(limited=True)
        uses: list[NameUse] | None = [] if self._uses else None
        with suppress(ErrorLimit):
            if inputs is not None:
                store = schemas_of(folder, inputs.game)
                content = content_of(inputs, store, report, sources, self.trees, scenarios)
            if content is not None and content.by_kind("vocabulary"):
                program = build_program(
                    content, report, texts, reasons, self.builds, cases, compare, uses, played
                )
        read = {path: source.text for path, source in sources.items()}
        found = sorted(of_families([*report.found, *cases.found]), key=Diagnostic.order)
        made = None if report.has_errors else program
        mistakes, infos = (tuple(_of(found, is_info)) for is_info in (False, True))
        return CompileResult(made, mistakes, read, content, tuple(uses or ()), infos)


def _of(found: Iterable[Diagnostic], is_info: bool) -> Iterator[Diagnostic]:
    """The diagnostics that are infos, or those that are not."""
    return (one for one in found if (one.severity == "info") is is_info)


SHARED = Compiler()
"""The shared compiler of commands, tests and `import ruleloom`."""

compile_paths = SHARED.compile
case_checks = SHARED.case_checks
program_of = SHARED.program_of
load = partial(load_content, trees=SHARED.trees)
"""`load_content`, with the trees of files cached."""
rules_of = partial(rules_texts_of, builds=SHARED.builds)
"""The generated rules of each item of a sound game that has any, by its id."""
named_in = partial(names_and_effects, builds=SHARED.builds)
"""Every name of a sound game, as its texts have left them, and the effects by item."""


def names_of(content: Content) -> Symbols:
    """The names of a game, with the parameter types of its stats and measures."""
    symbols = Symbols(game=content.game)
    read_names(content, symbols, Report())
    return symbols


def _compiled(
    make: Made, inputs: PackInputs | None, report: Report, sources: dict[str, Source]
) -> CompileResult:
    """The result, without the diagnostics that follow from misspelt declarations.

    All is compiled again with these corrected: the diagnostics left do not follow from them.
    """
    known = report.found

    def found_in(changed: PackInputs) -> tuple[Diagnostic, ...]:
        again = Report(limited=True)
        again.take(known)
        return make(changed, again, {}).diagnostics

    result = make(inputs, report, sources)
    left, causes = result.diagnostics, list[Diagnostic]()
    if inputs is None or any(source.pasted for source in sources.values()):
        return replace(result, diagnostics=tuple(told_once(left)))
    for cause in misspelt_declarations(left, sources):
        found = found_in(inputs.with_texts(with_fixes([*causes, cause], result.sources)))
        if _lines(found) < _lines(left):
            left = found
            causes.append(cause)
    if result.content is not None and left:
        left = with_blame(
            left,
            result.content,
            lambda packs, items: set(
                map(spot_of, found_in(inputs.only(packs).with_texts(without(items))))
            ),
        )
    every = sorted([*causes, *told_once(left)], key=Diagnostic.order)
    return replace(result, diagnostics=tuple(every))


def _lines(found: Iterable[Diagnostic]) -> set[tuple[str, int, str]]:
    """The path, line and code of each diagnostic: a corrected spelling shifts only columns."""
    return {(one.place.path, one.place.line, one.code) for one in found}


@contextmanager
def collector_resting() -> Iterator[None]:
    """Disable the garbage collector: compiling makes many small objects that stay, and scanning them
    again and again would take a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
