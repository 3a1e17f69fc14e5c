"""The list of passes: each needs what passes above it give, and touches nothing else."""

from __future__ import annotations

from typing import Any

from ruleloom.compiler.build import PASSES
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.locate import BUILTIN, SCHEMAS
from ruleloom.compiler.packs.ownership import Belonging
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.resolve.symbols import Symbols
from tests.support.check_layer import compile_files, game_files

SHARED = {"content", "report", "before", "reuse"}
GIVEN = {*SHARED, "symbols", "reason"}
PARTS = {*Build.__slots__}


def test_each_pass_needs_what_passes_above_it_give():
    there = set(GIVEN)
    for one in PASSES:
        assert set(one.needs.split()) <= there, one.run.__name__
        assert set(one.gives.split()) <= PARTS
        there |= set(one.gives.split())
    assert there == PARTS, "a part of the build that no pass gives"


class Watched(Build):
    """A build that remembers which of its parts are touched."""

    touched: set[str]

    def __getattribute__(self, name: str) -> Any:
        if name in PARTS:
            object.__getattribute__(self, "touched").add(name)
        return super().__getattribute__(name)


def test_each_pass_touches_what_it_says():
    report = Report()
    content = load(["monotheism"], report, BUILTIN, SCHEMAS)
    assert content is not None
    Watched.touched = set()
    build = Watched(content, report, Symbols("monotheism", Belonging.of(content)), None)
    for one in PASSES:
        Watched.touched = set()
        one.run(build)
        said = {*one.needs.split(), *one.gives.split()}
        assert build.touched - SHARED <= said, one.run.__name__


def test_a_game_without_a_title_is_called_by_its_id():
    files = dict(game_files())
    for line, called in (("title: Orchard\n", "Orchard"), ("", "orchard")):
        manifest = files["pack.yaml"].replace("title: Orchard\n", line)
        program = compile_files({**files, "pack.yaml": manifest}).program
        assert program is not None
        assert program.title == called
