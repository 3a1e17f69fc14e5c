"""The modules that mypyc compiles, and what it changes the meaning of."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# The lines of a module that mypyc reads otherwise than Python does.
Restriction = Callable[[ast.Module], Iterator[int]]
MODULES: list[str] = TOLD["tool"]["ruleloom"]["compiled"]


def path_of(module: str) -> Path:
    return ROOT.joinpath(*module.split(".")).with_suffix(".py")


def tree_of(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def eager(tree: ast.Module) -> Iterator[int]:
    """The lines of generators that are given a name or handed back.

    mypyc makes a list of each generator there and then. That is the same where the generator is
    used up in the expression that it stands in, and may cost much where it is not.
    """
    for one in ast.walk(tree):
        if isinstance(one, ast.Return | ast.Assign) and isinstance(one.value, ast.GeneratorExp):
            unpacked = isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Tuple)
            if not unpacked:
                yield one.lineno


def repeated(tree: ast.Module) -> Iterator[int]:
    """The lines of class bodies that give one value to several names, which mypyc refuses."""
    for one in ast.walk(tree):
        if isinstance(one, ast.ClassDef):
            for line in one.body:
                if isinstance(line, ast.Assign) and len(line.targets) > 1:
                    yield line.lineno


def rests(tree: ast.Module) -> Iterator[int]:
    """The lines of cases that name the rest of a tuple: mypyc 2.4 takes it for a list."""
    for one in ast.walk(tree):
        if isinstance(one, ast.MatchStar) and one.name is not None:
            yield one.lineno


RESTRICTIONS: dict[Restriction, str] = {
    eager: "write a list, `filter`, `map`, or a function with `yield`",
    repeated: "write a line for each name",
    rests: "name the whole tuple, and take the rest by its place",
}


def test_the_list_names_modules_in_order_and_each_once():
    assert sorted(set(MODULES)) == MODULES
    missing = [module for module in MODULES if not path_of(module).is_file()]
    assert not missing, "pyproject.toml lists modules that are not there"


@pytest.mark.parametrize("restriction", RESTRICTIONS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("module", MODULES)
def test_a_module_means_the_same_compiled(module: str, restriction: Restriction):
    lines = [*restriction(tree_of(module))]
    assert not lines, f"{module}, lines {lines}: {RESTRICTIONS[restriction]}"


@pytest.mark.parametrize(
    ("restriction", "text"),
    [
        (eager, "a = any(x for x in y)\nb, c = (x for x in y)\nd = (x for x in y)"),
        (repeated, "class A:\n    a = 1\n    b = c = 1"),
        (rests, "match a:\n    case (b, *_):\n        pass\n    case (b, *c):\n        pass"),
    ],
    ids=["eager", "repeated", "rests"],
)
def test_what_mypyc_reads_otherwise_is_found(restriction: Restriction, text: str):
    (line,) = restriction(ast.parse(text))
    assert line >= 3


def test_without_mypyc_a_compiled_build_says_what_is_missing(tmp_path: Path):
    (tmp_path / "mypyc.py").write_text("raise ImportError\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(tmp_path / "lib")],
        cwd=ROOT,
        env={"RULELOOM_COMPILED": "1", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "pip install 'mypy==" in done.stderr
