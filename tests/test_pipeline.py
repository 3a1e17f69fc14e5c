"""The pipeline: one sorted list of findings, texts to show lines from, no program while anything is wrong."""

from __future__ import annotations

from compiler.pipeline import compile_paths
from tests.pack_examples import GAME, manifest, write


def test_a_broken_manifest_still_has_its_text_to_show(tmp_path):
    write(tmp_path, GAME | {"house/pack.yaml": manifest("house", "requires: {in: '*'}")})
    result = compile_paths(tmp_path, builtin=tmp_path / "none")
    assert (result.ok, result.program, result.content) == (False, None, None)
    assert [found.code for found in result.diagnostics] == ["missing-pack"]
    assert "requires: {in: '*'}" in result.sources[result.diagnostics[0].place.path]


def test_a_path_a_list_of_paths_and_text_are_the_same(tmp_path):
    write(tmp_path, {"inn/pack.yaml": manifest("inn")})
    results = [
        compile_paths(paths) for paths in (tmp_path, [tmp_path], str(tmp_path), [str(tmp_path / "inn")])
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
