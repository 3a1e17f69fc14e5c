"""The single file: its start, the plain Python in it, and that install lines are true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import rpds
import yaml

from backend.single_file import make_plain, zipped
from ruleloom.site import plain_rpds
from tests.conftest import ROOT

# Nobody may be told to install our name from an index, before it is ours there.
FROM_AN_INDEX = re.compile(
    r"""(?:pip|pipx|uv|uvx)\s+(?:tool\s+)?(?:install|run|inject)\s+(?:-\S+\s+)*["']?ruleloom(?:\[|["'\s]|$)"""
)
TOLD_IN = ("README.md", "CONTRIBUTING.md", "action.yml", ".github", "docs", "ruleloom", "editors")
ENDINGS = {".md", ".py", ".ts", ".yml", ".yaml", ".json", ".html", ".js"}
PROGRAM = "import sys\n\n\ndef run():\n    print('ran', *sys.argv[1:])\n"


def told() -> list[Path]:
    found = [ROOT / name for name in TOLD_IN]
    below = [path for one in found for path in ([one] if one.is_file() else one.rglob("*"))]
    return [
        path
        for path in below
        if path.suffix in ENDINGS and "node_modules" not in path.parts and path.is_file()
    ]


def test_nobody_is_told_to_install_our_name_from_an_index():
    assert FROM_AN_INDEX.search("pip install 'ruleloom[web]'")
    assert FROM_AN_INDEX.search("pipx install ruleloom")
    assert not FROM_AN_INDEX.search("pip install './ruleloom-0.1.0-py3-none-any.whl[web]'")
    wrong = [
        f"{path.relative_to(ROOT)}: {found.group()}"
        for path in told()
        if "decisions" not in path.parts
        for found in FROM_AN_INDEX.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not wrong


def test_a_release_builds_what_the_page_names():
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    steps = "\n".join(
        step.get("run", "")
        for job in yaml.safe_load(workflow)["jobs"].values()
        for step in job["steps"]
    )
    for name in ("ruleloom.pyz", "ruleloom.vsix", "SHA256SUMS"):
        assert name in page
        assert name in steps
    assert "python backend/single_file.py" in page
    assert "python backend/single_file.py" in steps


# ----------------------------------------------------------------------------------- the start


@pytest.fixture
def single_file(tmp_path):
    """A single file whose program only says that it runs."""
    libraries = tmp_path / "libraries"
    (libraries / "ruleloom" / "cli").mkdir(parents=True)
    for name in ("ruleloom/__init__.py", "ruleloom/cli/__init__.py"):
        (libraries / name).write_text("")
    (libraries / "ruleloom" / "cli" / "main.py").write_text(PROGRAM)
    app = tmp_path / "app"
    app.mkdir()
    (app / "libraries.zip").write_bytes(zipped(libraries))
    start = ROOT / "backend" / "single_file_start.py"
    (app / "__main__.py").write_text(start.read_text(encoding="utf-8"), encoding="utf-8")
    file = tmp_path / "ruleloom.pyz"
    file.write_bytes(b"#!/usr/bin/env python3\n" + zipped(app))
    return file


def started(file: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", str(file), "check", "a pack"],
        env={**os.environ, **environment},
        cwd=file.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_unpacked_once(single_file, tmp_path):
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "RULELOOM_CACHE": ""}
    assert started(single_file, **cache) == "ran check a pack\n"
    place = tmp_path / "cache" / "ruleloom" / "single-file"
    (folder,) = place.iterdir()
    (folder / "ruleloom" / "cli" / "main.py").write_text(PROGRAM.replace("ran", "kept"))
    assert started(single_file, **cache) == "kept check a pack\n"
    assert list(place.iterdir()) == [folder]


@pytest.mark.parametrize("cache", ["off", ""])
def test_where_nothing_can_be_kept_it_leaves_nothing(single_file, tmp_path, cache):
    (tmp_path / "no-folder").touch()
    (tmp_path / "tmp").mkdir()
    said = {"XDG_CACHE_HOME": str(tmp_path / "no-folder"), "TMPDIR": str(tmp_path / "tmp")}
    assert started(single_file, RULELOOM_CACHE=cache, **said) == "ran check a pack\n"
    assert list((tmp_path / "tmp").iterdir()) == []


# ------------------------------------------------------------------------------- plain libraries


def test_what_is_compiled_is_left_out(tmp_path):
    for name in ("yaml/_yaml.so", "yaml/x.pyd", "rpds/rpds.so", "bin/tool", "yaml/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    make_plain(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"yaml/__init__.py", "rpds.py"}


def test_the_plain_library_says_what_the_compiled_one_says():
    for ours, theirs in (
        (plain_rpds.HashTrieMap, rpds.HashTrieMap),
        (plain_rpds.HashTrieMap.convert, rpds.HashTrieMap.convert),
    ):
        one, other = ours({"a": 1}), theirs({"a": 1})
        assert dict(one.insert("b", 2).items()) == dict(other.insert("b", 2).items())
        assert dict(one.update({"a": 3}).items()) == dict(other.update({"a": 3}).items())
        assert dict(one.remove("a").items()) == dict(other.remove("a").items()) == {}
        assert dict(one.items()) == dict(other.items()) == {"a": 1}
        for gone in (one.remove, other.remove):
            with pytest.raises(KeyError):
                gone("z")
    kinds: Any
    for kinds in (plain_rpds.HashTrieSet, rpds.HashTrieSet):
        assert set(kinds().insert(1).update([2])) == {1, 2}
    stack: Any
    for stack in (plain_rpds.List, rpds.List):
        assert list(stack().push_front(1).push_front(2)) == [2, 1]
        assert list(stack([1, 2]).drop_first()) == [2]
        assert stack([1, 2]).first == 1


def test_findings_are_the_same_with_plain_libraries(tmp_path):
    manifest = "kind: pack\nid: bad\nedition: 1\nversion: 0.1.0\ngame: gnostica\ntitle: Bad\n"
    (tmp_path / "pack.yaml").write_text(manifest + 'requires: {gnostica: "*"}\n')
    (tmp_path / "card.yaml").write_text("kind: major\nid: x\ntitel: 3\nnumber: many\n")
    plain = "import sys; from ruleloom.site import plain_rpds; sys.modules['rpds'] = plain_rpds\n"
    run = "from ruleloom.cli.main import run; run()"
    found = [
        subprocess.run(
            [sys.executable, "-c", lead + run, "check", "--no-cache", str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        for lead in ("", plain)
    ]
    assert found[0].returncode == 1
    assert "titel" in found[0].stdout
    assert found[1].stdout == found[0].stdout, found[1].stderr
