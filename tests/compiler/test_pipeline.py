"""The pipeline: one sorted list of findings, texts to show lines from, no program while anything is
wrong."""

from __future__ import annotations

from ruleloom.compiler.pipeline import compile_paths
from tests.support.check_layer import NOTHING, game_files, schemas
from tests.support.pack_examples import GAME, manifest, write


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
