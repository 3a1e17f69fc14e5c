"""A game whose vocabulary and driver do not fit together is told by `check`."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

from ruleloom.api.driver_binding import with_binding
from ruleloom.compiler.pipeline import compile_paths

ROOT = Path(__file__).parents[3]


def test_a_parameter_that_the_driver_takes_and_the_vocabulary_does_not_name(tmp_path: Path):
    game = tmp_path / "gnostica"
    copytree(ROOT / "rulesets" / "gnostica", game)
    for path in game.glob("*.yaml"):
        text = path.read_text(encoding="utf-8").replace(
            "way: Facing, distance: Int}", "way: Facing}"
        )
        text = re.sub(r"(?<=\bahead\()((?:[^()]|\([^()]*\))*), [^,()]+\)", r"\1)", text)
        if path.name == "vocabulary.yaml":
            text = text.replace("{distance}", "so many")
        path.write_text(text, encoding="utf-8")
    result = with_binding(compile_paths([game], reasons=False, scenarios=False))
    (found,) = [one for one in result.diagnostics if one.severity == "error"]
    assert (found.code, Path(found.place.path).name) == ("missing-driver", "vocabulary.yaml")
    assert "query ahead to a function that does not take the world and 2 arguments" in found.message
    assert result.program is None


def test_the_shipped_game_fits_its_driver():
    result = compile_paths(["gnostica"], reasons=False, scenarios=False)
    assert with_binding(result) is result
