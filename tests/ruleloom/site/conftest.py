"""Where the npm package of Python for the browser is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def pyodide() -> Path:
    """The npm package; the tests are skipped where there is none, or no Node.js."""
    found = (folder / "node_modules" / "pyodide" for folder in (Path.cwd(), *Path.cwd().parents))
    package = next((one for one in found if one.is_dir()), None)
    if package is None or shutil.which("node") is None:
        pytest.skip("there is no Pyodide: npm install pyodide beside the checkout")
    return package
