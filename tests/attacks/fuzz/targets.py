"""What is fuzzed: each part of the front end as a function from an input to nothing, which raises
what is wrong.

An input is a text; that of a zip has one character a byte, and that of several files a line
`=== NAME` before each.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.edits.printer import write_block, write_expr, write_params
from ruleloom.compiler.analysis.yaml_cursor import formatted
from ruleloom.compiler.cases.case_file import Case, read_cases
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import SCHEMAS
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.compiler.pipeline import CompileResult, compile_paths, load
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.source.archive import open_archive
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax import parser
from ruleloom.compiler.syntax.formatter import format_text
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.play.journal import loaded
from ruleloom.runtime.play.scan import sealed
from ruleloom.runtime.program.canonical_json import SaveError, read_json
from ruleloom.runtime.program.faults import Refused, RuntimeFault
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_data, program_of, program_text
from ruleloom.runtime.program.verify import check_program
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.steps.attempts import Attempts
from tests.attacks.fuzz import mutate, seeds
from tests.attacks.fuzz.oracle import hold, hold_diagnostics
from tests.support import evening
from tests.support.check_layer import NOTHING, game_files, schemas
from tests.support.expect import check, run_effect_text, run_syntax, sample_store
from tests.support.orchard_driver import bind
from tests.support.pack_examples import GAME, write
from tests.support.patch_packs import schema_folder
from tests.support.quarrel_table import QUARREL
from tests.support.scratch import scratch

NAME = "case.yaml"
PYTHON = re.compile(r"\b(?:Key|Value|Type|Attribute|Index|Assertion|Zero\w+|Recursion)Error\b")
SAFE_NAME = re.compile(r"(?:[\w.-]+/)*[\w.-]+")
LONGEST_EFFECT = 32_768


@dataclass(frozen=True)
class Target:
    """A part of the front end: what it is tried with at first, what it does, and how its inputs are
    changed."""

    name: str
    seeds: Callable[[], Sequence[str]]
    run: Callable[[str], None]
    ways: tuple[mutate.Mutation, ...] = mutate.TEXT
    encoding: str = "utf-8"

    def encoded(self, text: str) -> bytes:
        """An input as the bytes of a file."""
        return text.encode(
            self.encoding, "surrogatepass" if self.encoding == "utf-8" else "replace"
        )

    def decoded(self, data: bytes) -> str:
        """And back."""
        return data.decode(
            self.encoding, "surrogatepass" if self.encoding == "utf-8" else "replace"
        )


def read_source(text: str, report: Report) -> Source | None:
    """A file of this text, as far as it is one."""
    try:
        return Source.decode(text.encode("utf-8", "surrogatepass"), NAME)
    except SourceError as error:
        report.refuse(error)
        return None


# ---------------------------------------------------------------------------------- one file


def run_yaml(text: str) -> None:
    """Bytes to a tree."""
    report = Report()
    source = read_source(text, report)
    root = compose(source, report) if source is not None else None
    hold_diagnostics(report.diagnostics(), {NAME: source.text} if source is not None else {})
    hold(root is not None or bool(report.diagnostics()), "nothing is read, and nothing is said")
    if root is not None:
        json.dumps(to_data(root), ensure_ascii=False)


@cache
def all_stores() -> tuple[SchemaStore, ...]:
    """The schemas of the tests, and of the shipped games."""
    return (
        sample_store(),
        *(schemas_of(SCHEMAS, game) for game in ("gnostica", "moonstone")),
    )


def run_schema(text: str) -> None:
    """A tree to items, by the schemas of several games; and the tidy form of their effect texts."""
    for store in all_stores():
        report = Report()
        source = read_source(text, report)
        root = compose(source, report) if source is not None else None
        if root is None or source is None:
            return
        check(root, store, report)
        hold_diagnostics(report.diagnostics(), {NAME: source.text})
        tidy = formatted(source, store, Report())
        hold(
            formatted(Source(NAME, tidy), store, Report()) == tidy,
            "formatting twice is not formatting once",
        )
    texts = {NAME: text.replace("\r\n", "\n").removeprefix("\ufeff")}
    hold_diagnostics(run_syntax(text), texts)
    hold_diagnostics(run_effect_text(text), texts)


# ---------------------------------------------------------------------------------- effect text


def run_effect(text: str) -> None:
    """A text of the effect language to trees, and back."""
    if len(text) > LONGEST_EFFECT:
        return
    for form in ("block", "abilities"):
        tree = _parsed(getattr(parser, f"parse_{form}"), text)
        if tree is None:
            continue
        tidy = format_text(text, start=form)
        hold(format_text(tidy, start=form) == tidy, "formatting twice is not formatting once")
        hold(
            _parsed(getattr(parser, f"parse_{form}"), tidy) == tree,
            "the tidy form says something else",
        )
        if form == "block":
            hold(
                parser.parse_block(format_text(write_block(tree))) == tree,
                "the written form says something else",
            )
    value = _parsed(parser.parse_expr, text)
    hold(
        value is None or parser.parse_expr(write_expr(value)) == value,
        "the written value is another",
    )
    params = _parsed(parser.parse_params, text)
    hold(
        params is None or parser.parse_params(write_params(params)) == params,
        "the written parameters are others",
    )
    _parsed(parser.parse_result, text)
    _parsed(parser.parse_event, text)


def _parsed(read: Callable[[str], Any], text: str) -> Any:
    """What a text is read as; None if it is refused, with a place within it."""
    try:
        return read(text)
    except EffectSyntaxError as error:
        start, end = error.span
        hold(
            0 <= start <= end <= len(text),
            f"{error.code} stands outside: {error.span} of {len(text)}",
        )
        hold_diagnostics([_diagnostic(error)], {})
        return None


def _diagnostic(error: EffectSyntaxError) -> Diagnostic:
    report = Report()
    report.error(error.code, Source(NAME, "").place(0, 0), error.message, error.help)
    return report.diagnostics()[0]


# ---------------------------------------------------------------------------------- packs


@cache
def _folder(game: str) -> Path:
    """A folder with an invented game, and room beside it."""
    folder = scratch(f"fuzz-{game}-")
    if game == "orchard":
        write(folder, {f"orchard/{name}": text for name, text in game_files().items()})
    elif game == "inn":
        write(folder, GAME)
    return folder


def _hold_result(result: CompileResult) -> None:
    """What comes of a compilation is a program or errors, and a program can be written and read."""
    hold_diagnostics(result.diagnostics, result.sources)
    errors = any(one.severity == "error" for one in result.diagnostics)
    hold(errors == (result.program is None), "there is neither a program nor an error")
    if result.program is not None:
        if result.program.set_up:
            check_program(result.program)
        text = program_text(result.program)
        hold(
            program_text(program_of(read_json(text))) == text,
            "the program is not read as it was written",
        )


def run_check(text: str) -> None:
    """One more file of the orchard: names, types, bounds, English, a program; and the first answers
    of a game."""
    pack = _folder("orchard") / "orchard"
    (pack / "zz_case.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
    result = compile_paths([pack], builtin=NOTHING, schemas=schemas())
    _hold_result(result)
    if result.program is not None:
        _play(result.program)


def _play(program: Program) -> None:
    """Answer a few questions of a game; the rules may ask for what cannot be done, and nothing else
    may happen."""
    try:
        game = new_game(link_game(program, bind, ("A", "B")), 1)
        evening.play(game, Random(1), 4)
    except Refused:
        pass
    except RuntimeFault as fault:
        hold(fault.by_rules, f"a fault of ours: {fault.message}")


def run_patch(text: str) -> None:
    """Packs beside the quarrel: patches, their order and their conflicts."""
    with tempfile.TemporaryDirectory(prefix="fuzz-patch-") as name:
        folder = _written(text, Path(name))
        packs = [path for path in sorted(folder.iterdir()) if path.is_dir()]
        results = [
            compile_paths([*order, QUARREL / "game"], builtin=NOTHING, schemas=schema_folder())
            for order in (packs, packs[::-1])
        ]
        for result in results:
            _hold_result(result)
        one, other = (
            [(d.code, d.place, d.message) for d in result.diagnostics] for result in results
        )
        hold(
            sorted(map(repr, one)) == sorted(map(repr, other)),
            "the order of the packs changes what is said",
        )
        data = [program_data(result.program) if result.program else None for result in results]
        hold(data[0] == data[1], "the order of the packs changes the program")


def run_packs(text: str) -> None:
    """Packs of any shape: manifests, requirements, names."""
    with tempfile.TemporaryDirectory(prefix="fuzz-packs-") as name:
        folder = _written(text, Path(name))
        report, sources = Report(), dict[str, Source]()
        load([folder], report, NOTHING, SCHEMAS, sources)
        hold_diagnostics(
            report.diagnostics(), {path: source.text for path, source in sources.items()}
        )


def _written(text: str, folder: Path) -> Path:
    """The files of an input, in a folder."""
    for part in text.split(f"\n{seeds.FILE}"):
        name, _, content = part.removeprefix(seeds.FILE).partition("\n")
        if not SAFE_NAME.fullmatch(name) or ".." in name or len(name) > 80:
            continue
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8", "surrogatepass"))
        except OSError:  # one of its folders is a file of another, or the other way round
            continue
    return folder


def run_zip(text: str) -> None:
    """The bytes of a zip to what a pack holds."""
    path = _folder("inn") / "house.zip"
    path.write_bytes(text.encode("latin-1", "replace"))
    try:
        archive = open_archive(path, "house.zip", ENDINGS)
        for name in archive.entries:
            archive.read(name, name)
    except SourceError as error:
        report = Report()
        report.refuse(error)
        hold_diagnostics(report.diagnostics(), {})
    report, sources = Report(), dict[str, Source]()
    load([_folder("inn") / "inn", path], report, NOTHING, SCHEMAS, sources)
    hold_diagnostics(
        report.diagnostics(), {shown: source.text for shown, source in sources.items()}
    )


# ----------------------------------------------------------------------- scenarios, saves, programs


@cache
def _gnostica() -> Program:
    made = compile_paths(["gnostica"], scenarios=False).program
    assert made is not None
    return made


@cache
def _orchard() -> Content:
    pack = scratch("fuzz-orchard-") / "orchard"
    write(pack, {**game_files()})
    content = compile_paths([pack], builtin=NOTHING, schemas=schemas()).content
    assert content is not None
    return content


def _cases_of(text: str) -> Sequence[Case]:
    report = Report()
    source = read_source(text, report)
    cases = read_cases(source, report) if source is not None else None
    hold_diagnostics(report.diagnostics(), {NAME: source.text} if source is not None else {})
    return cases or ()


def _hold_message(message: str) -> None:
    hold(not PYTHON.search(message), f"a message speaks of Python: {PYTHON.search(message)}")


def run_scenarios(text: str) -> None:
    """A file of cases, played with the notation of a shipped game."""
    cases = [case for case in _cases_of(text) if case.things is None and not case.texts][:3]
    runner = Runner(_gnostica(), cases)
    for case in cases:
        _hold_message(runner.run(case).message)


def run_attempts(text: str) -> None:
    """A file of cases about things and effect texts, tried in the orchard."""
    cases = [case for case in _cases_of(text) if case.things is not None or case.texts][:3]
    if cases:
        tries = Attempts.of(_orchard(), cases, drivers=lambda _game: bind)
        for case in cases:
            _hold_message(tries.run(case, {}).message)


def run_save(text: str) -> None:
    """The text of a save to a game."""
    for recover in (False, True):
        try:
            loaded(text, evening.bind_for_game, recover=recover)
        except SaveError as error:
            hold(bool(str(error)), "the save is refused without a word")
            _hold_message(str(error))


def resealed(text: str, rng: Random, _others: Sequence[str]) -> str:
    """Change one line of a save as somebody does who knows about checksums."""
    lines = text.split("\n")
    at = rng.choice((0, rng.randrange(len(lines))))
    try:
        data = json.loads(lines[at])
    except ValueError:
        return text
    data = mutate.json_changed(data, rng)
    if isinstance(data, dict):
        data.pop("crc", None)
        lines[at] = sealed(data)
    return "\n".join(lines)


def run_program(text: str) -> None:
    """The JSON of a program to a program, and the first answers of its game."""
    try:
        program = program_of(read_json(text))
        check_program(program)
    except SaveError as error:
        hold(bool(str(error)), "the program is refused without a word")
        _hold_message(str(error))
        return
    again = program_text(program)
    hold(
        program_text(program_of(read_json(again))) == again,
        "the program is not read as it was written",
    )
    try:
        game = new_game(link_game(program, evening.bind, ("A", "B", "C")), 1)
        evening.play(game, Random(1), 6)
    except (Refused, RuntimeFault):
        pass


JSON = (
    mutate.as_json,
    mutate.as_json,
    mutate.as_json,
    mutate.cut,
    mutate.hostile,
    mutate.other_number,
)
TARGETS: Mapping[str, Target] = {
    one.name: one
    for one in (
        Target("yaml", lambda: seeds.cases("yaml", "schema", "syntax"), run_yaml),
        Target("schema", lambda: seeds.cases("schema", "syntax", "effect-text"), run_schema),
        Target("effect", seeds.effects, run_effect),
        Target(
            "check",
            lambda: (*seeds.cases("check", "lint", "game", "requirement"), *seeds.orchard_files()),
            run_check,
        ),
        Target("patch", seeds.patches, run_patch),
        Target("packs", seeds.packs, run_packs),
        Target("zip", seeds.archives, run_zip, (*mutate.BYTES, *[mutate.flipped] * 6), "latin-1"),
        Target("scenarios", seeds.scenarios, run_scenarios),
        Target("attempts", lambda: tuple(seeds.attempts()), run_attempts),
        Target(
            "save",
            seeds.saves,
            run_save,
            (*[resealed] * 6, mutate.cut, mutate.lines_apart, mutate.flipped),
        ),
        Target("program", seeds.programs, run_program, JSON),
    )
}
