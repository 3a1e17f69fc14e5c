"""The build backend: setuptools, with the shipped games compiled into a wheel.

An editable install has no games compiled, and needs nothing but setuptools.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.build_py import build_py
from setuptools.errors import ExecError

__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable"]
__all__ += ["get_requires_for_build_sdist", "get_requires_for_build_wheel"]
__all__ += ["prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]

HERE = Path(__file__).resolve().parent


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What a wheel needs to be built: the libraries of the compiler, too."""
    text = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")
    of_compiler: list[str] = tomllib.loads(text)["project"]["dependencies"]
    return [*build_meta.get_requires_for_build_wheel(config_settings), *of_compiler]


PAGES = ("language.md", "llm.md")  # what `ruleloom mcp` gives an assistant to read


class BuildWithGames(build_py):
    """Copies the package, and has the copy compile the games, so that they are made of the very
    files that will be installed."""

    def run(self) -> None:
        """Build; a game that cannot be compiled ends the build."""
        super().run()
        if not self.editable_mode:
            docs = Path(self.build_lib, "ruleloom", "docs")
            docs.mkdir(parents=True, exist_ok=True)
            for name in PAGES:
                shutil.copy(HERE.parent / "docs" / name, docs / name)
            compile_games(Path(self.build_lib))


def compile_games(place: Path) -> None:
    """Have the Ruleloom that lies in a folder compile the games in it. Raises ExecError."""
    with tempfile.TemporaryDirectory() as bytecode:
        paths = [os.fspath(place.resolve()), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "PYTHONPYCACHEPREFIX": bytecode,  # beside the modules it would get into the wheel
        }
        words: list[str | Path] = [sys.executable, HERE / "compile_games.py", place.resolve()]
        done = subprocess.run(words, cwd=bytecode, env=environment, check=False)
    if done.returncode != 0:
        raise ExecError("the shipped games cannot be compiled: what is wrong is told above")
