"""Builds the modules under `[tool.ruleloom]` in pyproject.toml with mypyc where RULELOOM_COMPILED=1.

Without that variable nothing is added to what pyproject.toml says, and the wheel is pure Python. An
editable install is always pure: what is edited is what runs.
"""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).resolve().parent
TOLD = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))
WANTED = os.environ.get("RULELOOM_COMPILED", "0") not in ("", "0")
# Commands that compile. Others ask what is needed for that, or are an editable install.
COMPILING = {"bdist_wheel", "build", "build_ext"}
# What is compiled lies in the package, under a name of its own, and nowhere beside it.
GROUP = "ruleloom.native"
# Types are what the annotations say, whether or not the libraries and their stubs are there.
TYPES = ("--config-file=", "--explicit-package-bases", "--ignore-missing-imports")


def requirements() -> list[str]:
    """The compiler of the compiled modules: the mypy that they are checked with."""
    extras = TOLD["project"]["optional-dependencies"]
    return [one for one in extras["dev"] if one.startswith("mypy")]


def extensions() -> list[Extension]:
    """The extension modules. Exits with what is missing where there is no mypyc."""
    try:
        from mypyc.build import mypycify
    except ImportError:
        needed = " ".join(requirements())
        sys.exit(f"RULELOOM_COMPILED=1 needs mypyc to build with: pip install '{needed}'")
    paths = [f"{name.replace('.', '/')}.py" for name in TOLD["tool"]["ruleloom"]["compiled"]]
    made: list[Extension] = mypycify([*TYPES, *paths], group_name=GROUP)
    return made


if __name__ == "__main__":
    # setuptools learns what a build needs from `egg_info`, before any of that is there.
    setup(
        setup_requires=requirements() if WANTED and "egg_info" in sys.argv else [],
        ext_modules=extensions() if WANTED and COMPILING & set(sys.argv) else [],
    )
