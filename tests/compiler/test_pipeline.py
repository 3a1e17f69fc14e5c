"""The pipeline: one sorted list of findings, texts to show lines from, no program while anything is
wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import Compiler, CompileResult, compile_paths
from ruleloom.compiler.source.file import OVERHEAD, Memo
from tests.conftest import ROOT
from tests.support.check_layer import NOTHING, game_files, schemas
from tests.support.pack_examples import GAME, fingerprint, manifest, write


def test_a_broken_manifest_still_has_its_text_to_show(tmp_path):
    write(tmp_path, GAME | {"house/pack.yaml": manifest("house", "requires: {in: '*'}")})
    result = compile_paths(tmp_path, builtin=tmp_path / "none")
    assert (result.ok, result.program, result.content) == (False, None, None)
    assert [found.code for found in result.diagnostics] == ["missing-pack"]
    assert "requires: {in: '*'}" in result.sources[result.diagnostics[0].place.path]


def test_a_path_a_list_of_paths_and_text_are_the_same(tmp_path):
    write(tmp_path, {"inn/pack.yaml": manifest("inn")})
    results = [
        compile_paths(paths)
        for paths in (tmp_path, [tmp_path], str(tmp_path), [str(tmp_path / "inn")])
    ]
    assert len({result.diagnostics for result in results}) == 1
    assert [found.code for found in results[0].diagnostics] == ["no-vocabulary"]


def test_findings_of_all_files_come_in_one_sorted_list(tmp_path):
    broken = {
        "inn/a.yaml": "kind: setting\nid: a\n",
        "inn/c.yaml": "a: [\n",
        "inn/b.yaml": "kind: nonsense\n",
    }
    write(tmp_path, GAME | broken)
    result = compile_paths(tmp_path)
    assert result.program is None
    assert list(result.diagnostics) == sorted(result.diagnostics, key=lambda found: found.order())
    assert {found.place.path[-6:] for found in result.diagnostics} >= {"a.yaml", "b.yaml", "c.yaml"}


def test_a_setting_of_a_pack_is_the_value_that_the_program_plays_by(tmp_path):
    game = {f"orchard/{name}": text for name, text in game_files().items()}
    write(
        tmp_path,
        {**game, "house/pack.yaml": manifest("house", "settings: {most: 5}", game="orchard")},
    )
    made = compile_paths([tmp_path], builtin=NOTHING, schemas=schemas())
    assert made.program is not None
    [most] = [one for one in made.program.settings if one.name == "most"]
    assert (most.value, most.low, most.high) == (5, 1, 9)


def test_a_setting_of_a_pack_lies_within_its_bounds(tmp_path):
    game = {f"orchard/{name}": text for name, text in game_files().items()}
    write(
        tmp_path,
        {**game, "house/pack.yaml": manifest("house", "settings: {most: 10}", game="orchard")},
    )
    [found] = compile_paths([tmp_path], builtin=NOTHING, schemas=schemas()).diagnostics
    assert (found.code, found.help) == ("out-of-bounds", "`most` is 1 to 9")
    assert found.place.path.endswith("house/pack.yaml")
    assert (found.place.line, found.place.column) == (6, 18)


# ------------------------------------------------------------------------ a compiler, used again

CARD = 'kind: power\nid: nudge\ngloss: "turn a piece"\neffect: |\n  say "one"\n'


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "gnostica"
    most = shutil.ignore_patterns("ledger*", "table-talk*")
    shutil.copytree(ROOT / "rulesets" / "gnostica", folder, ignore=most)
    (folder / "nudge.yaml").write_text(CARD, encoding="utf-8")
    return folder


@pytest.fixture
def compiled() -> Callable[..., CompileResult]:
    """What one compiler makes of a pack, time after time; a new one makes the same."""
    compiler = Compiler()

    def compile_again(folder: Path, texts: bool = False, scenarios: bool = True) -> CompileResult:
        found, fresh = (
            one.compile([folder], texts=texts, reasons=False, scenarios=scenarios)
            for one in (compiler, Compiler())
        )
        assert fresh.program is not found.program or found.program is None
        assert (found.program, found.diagnostics, found.sources) == (
            fresh.program,
            fresh.diagnostics,
            fresh.sources,
        )
        assert found.content is not None
        assert fresh.content is not None
        assert fingerprint(found.content) == fingerprint(fresh.content)
        return found

    return compile_again


def test_the_same_files_are_compiled_once(pack: Path, compiled: Callable[..., CompileResult]):
    first = compiled(pack)
    assert first.program is not None
    assert compiled(pack) is first
    texts = compiled(pack, texts=True).program
    assert texts is not None
    assert texts.texts
    assert not first.program.texts


def test_what_has_changed_is_compiled_again(pack: Path, compiled: Callable[..., CompileResult]):
    path = pack / "nudge.yaml"
    first = compiled(pack)
    path.write_text(CARD.replace("one", "two"), encoding="utf-8")
    second = compiled(pack)
    assert second.program is not None
    assert second.program != first.program
    path.write_text(CARD.replace("say", "sya"), encoding="utf-8")
    broken = compiled(pack)
    assert [one.code for one in broken.diagnostics] == ["syntax"]
    assert compiled(pack).diagnostics == broken.diagnostics
    path.write_text(CARD.replace(" |", " ["), encoding="utf-8")
    assert compiled(pack).diagnostics != broken.diagnostics
    path.unlink()
    assert compiled(pack).program not in (None, first.program, second.program)


def test_the_same_files_elsewhere_have_places_of_their_own(
    pack: Path, tmp_path: Path, compiled: Callable[..., CompileResult]
):
    (pack / "nudge.yaml").write_text(CARD.replace("say", "sya"), encoding="utf-8")
    other = tmp_path / "other" / "gnostica"
    shutil.copytree(pack, other)
    here, there = compiled(pack).diagnostics, compiled(other).diagnostics
    assert [one.place.path for one in here] != [one.place.path for one in there]
    assert [one.message for one in here] == [one.message for one in there]


def test_a_folder_with_something_unreadable_is_looked_at_each_time(
    pack: Path, compiled: Callable[..., CompileResult]
):
    (pack / "more.YAML").write_text(CARD, encoding="utf-8")
    assert compiled(pack) is not compiled(pack)
    (pack / "more.YAML").unlink()
    (pack / "more.yaml").write_bytes(b"\xff")
    assert compiled(pack) is not compiled(pack)


def test_without_scenarios_the_program_is_the_same(
    pack: Path, compiled: Callable[..., CompileResult]
):
    with_them, without = compiled(pack), compiled(pack, scenarios=False)
    assert with_them.program == without.program
    assert with_them.content is not None
    assert without.content is not None
    assert with_them.content.scenarios == without.content.scenarios
    bids = pack / "scenarios" / "bidding.yaml"
    bids.write_text(f"{bids.read_text(encoding='utf-8')}  - [\n", encoding="utf-8")
    assert compiled(pack).program is None
    assert compiled(pack, scenarios=False).program is not None
    # Only what must be a file of scenarios is left alone.
    bids.write_text(f"id: x\nkind: scenarios\n{CARD}", encoding="utf-8")
    assert compiled(pack, scenarios=False).program is None


def test_a_memo_keeps_the_latest_up_to_its_size():
    memo: Memo[int] = Memo(3 * OVERHEAD + 10)
    made = []

    def get(key: str) -> int:
        def make() -> int:
            made.append(key)
            return len(made)

        return memo.get(key, len(key), make)

    assert [get(key) for key in "abcab"] == [1, 2, 3, 1, 2]
    get("d")  # for which c, not asked for longest, makes room
    assert [get(key) for key in "abd"] == [1, 2, 4]
    assert made == ["a", "b", "c", "d"]
    get("c")
    assert made[-1] == "c"
    get("x" * 400)  # too large to be kept, and no reason to give up others
    get("c")
    assert made[-2:] == ["c", "x" * 400]


def test_what_ships_does_not_make_way_for_homebrew(tmp_path):
    shipped = tmp_path / "shipped"
    write(shipped / "orchard", game_files())
    write(tmp_path, {"inn/pack.yaml": manifest("inn", game="orchard")})
    compiler = Compiler(most_results=1)  # no homebrew is that short

    def made(pack: str | Path) -> CompileResult:
        return compiler.compile([pack], builtin=shipped, schemas=schemas())

    assert made("orchard") is made("orchard")
    assert made(tmp_path / "inn").program is not None
    assert made(tmp_path / "inn") is not made(tmp_path / "inn")
