"""The packs that `python -m benchmarks` checks: valid to both tools, and no two texts the same."""

from __future__ import annotations

from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from benchmarks.many_items import flat_schema, items, write_items
from ruleloom.compiler.pipeline import compile_paths

COUNT = 130  # one round, and a few to fill up


def test_many_items_are_valid_to_both_tools(tmp_path: Path):
    write_items(tmp_path / "pack", COUNT)
    result = compile_paths([tmp_path / "pack"], reasons=False)
    assert result.diagnostics == ()
    assert len(list((tmp_path / "pack/items").iterdir())) == COUNT
    validator = Draft202012Validator(flat_schema())
    for name, text in items(COUNT):
        assert validator.is_valid(yaml.safe_load(text)), name
        assert not validator.is_valid(yaml.safe_load(text.replace("kind:", "sort:")))


def test_no_two_are_the_same():
    written = [text.replace(name, "") for name, text in items(3_000)]
    assert len(written) == 3_000
    effects = {text.partition("effect:")[2] for text in written if "effect:" in text}
    assert len(effects) > 1_000
