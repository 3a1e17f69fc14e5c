"""What is installed is what stands in the folders, and CI runs what the README promises."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.runtime.system import is_device
from ruleloom.store.store import ARTIFACT
from tests.ruleloom.api.test_embedding import bot_beside_modules, hold_types, run
from tests.ruleloom.store.test_artifacts import KINDS

FOLDERS = ("compiler", "runtime", "ruleloom", "rulesets", "schemas")
SUFFIXES = {".py", ".yaml", ".json", ".lark", ".j2", ".js", ".css", ".html", ".svg"}
LONGEST_PATH = 160  # of 260 that Windows takes, with the folder of an environment before it
MOST_COMPRESSED = 2_000_000  # bytes of the wheel for games that come compiled
COMMANDS = (
    ("play gnostica --players random,random --seed 7 --turn-limit 2", "A (random)"),
    ("explain gnostica:major/tower", "You may orient a minion."),
)
PAGES = ("docs/language.md", "docs/llm.md")  # for assistants
LEFTOVERS = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info")


def files_below(folder: Path) -> set[str]:
    """Return the files to be installed, by the names under which they are: all in `ruleloom`."""
    return {
        (Path() if name == "ruleloom" else Path("ruleloom"))
        .joinpath(path.relative_to(folder))
        .as_posix()
        for name in FOLDERS
        for path in (folder / name).rglob("*")
        if path.suffix in SUFFIXES and path.is_file()
    }


def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def readme_commands(root: Path) -> list[str]:
    """Return the lines of the README that make their own environment."""
    lines = (root / "README.md").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("python3 -m venv ")]


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel from a copy, so that no leftover of an earlier build gets into it."""
    place = tmp_path_factory.mktemp("wheel")
    copy = place / "checkout"
    copy.mkdir()
    for name in (*FOLDERS, "backend"):
        shutil.copytree(root / name, copy / name, ignore=LEFTOVERS, symlinks=True)
    (copy / "docs").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", *PAGES):
        shutil.copy(root / name, copy / name)
    # What pip does of it, in a third of the time.
    build = f"from wheel_backend import build_wheel; build_wheel({os.fspath(place)!r})"
    built = subprocess.run(
        [sys.executable, "-c", build],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": "backend"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, f"the wheel cannot be built:\n{built.stdout}{built.stderr}"
    (found,) = place.glob("*.whl")
    return zipfile.ZipFile(found)


def test_the_wheel_holds_every_file(root: Path, wheel: zipfile.ZipFile):
    missing = files_below(root) - set(wheel.namelist())
    assert not missing, (
        f"not in the wheel: {', '.join(sorted(missing))}. pyproject.toml says under [tool.setuptools] which "
        "folders and which kinds of file are installed. A folder with a `.` in its name is never taken."
    )


def test_the_wheel_holds_the_pages_for_assistants(root: Path, wheel: zipfile.ZipFile):
    for page in PAGES:
        assert wheel.read(f"ruleloom/{page}") == (root / page).read_bytes()


def test_the_wheel_holds_nothing_else(root: Path, wheel: zipfile.ZipFile):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    about = {name for name in tops if re.fullmatch(r"ruleloom-.*\.dist-info", name)}
    assert tops - about == {"ruleloom"}
    assert any(name.endswith("/licenses/LICENSE") for name in wheel.namelist())
    strangers = {n for n in wheel.namelist() if Path(n).suffix in SUFFIXES} - files_below(root)
    assert not strangers


def test_the_wheel_holds_plain_files_with_names_for_every_system(wheel: zipfile.ZipFile):
    """Links are nothing to Windows, and some names are devices there; a zip says what a file is in its
    upper bits."""
    kinds = {stat.S_IFMT(one.external_attr >> 16) for one in wheel.infolist()}
    assert kinds <= {0, stat.S_IFREG}
    names = wheel.namelist()
    assert not any(map(is_device, names))
    assert not re.search(r"[:<>|?*\\]", "".join(names))
    assert len({name.lower() for name in names}) == len(names)
    assert max(map(len, names)) < LONGEST_PATH


@pytest.fixture(scope="module")
def unpacked(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it would lie among other packages."""
    folder = tmp_path_factory.mktemp("installed")
    wheel.extractall(folder)
    return folder


def test_the_wheel_holds_each_shipped_game_compiled(root: Path, wheel: zipfile.ZipFile):
    brought = [one for one in wheel.infolist() if one.filename.startswith("ruleloom/compiled/")]
    games, translated = shipped_packs(BUILTIN), [*(BUILTIN / "translations").iterdir()]
    assert len(brought) == len(KINDS) * len(games) + 2 * len(
        translated
    )  # its texts, and its sentences
    assert all(one.filename.endswith(ARTIFACT) for one in brought)
    assert sum(one.compress_size for one in brought) < MOST_COMPRESSED
    assert not (root / "ruleloom" / "compiled").exists(), "a checkout holds none"


@pytest.mark.parametrize(("words", "told"), COMMANDS)
def test_what_is_installed_needs_no_compiler(words: str, told: str, unpacked: Path, tmp_path: Path):
    """With no cache, and a home that nobody can write to."""
    home = tmp_path / "home"
    home.touch()  # a file, in which not even the superuser can make a folder
    nowhere = {"HOME": str(home), "RULELOOM_CACHE": str(home / "cache"), "XDG_STATE_HOME": ""}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "ruleloom", *words.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked), **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "ruleloom.store.store" in done.stderr
    assert "ruleloom.compiler.check" not in done.stderr
    assert told in done.stdout


def test_a_bot_may_have_a_runtime_of_its_own_beside_the_wheel(unpacked: Path, tmp_path: Path):
    done = run(bot_beside_modules(tmp_path).name, folder=tmp_path, path=unpacked)
    assert (done.stdout, done.returncode) == ("crrs True\n", 0), done.stderr


@pytest.mark.slow
def test_the_wheel_brings_types(unpacked: Path, tmp_path: Path):
    hold_types(tmp_path, unpacked, tmp_path / "cache")


def test_the_wheel_brings_the_command(wheel: zipfile.ZipFile):
    (entry_points,) = (name for name in wheel.namelist() if name.endswith("/entry_points.txt"))
    assert "ruleloom = ruleloom.cli.main:run" in wheel.read(entry_points).decode()


def test_the_readme_starts_with_two_commands_of_one_line(root: Path):
    play, test = readme_commands(root)
    assert "ruleloom play gnostica " in play
    assert "--seed " in play
    assert test.endswith("-m pytest")
    for line in (play, test):
        assert not line.endswith("\\"), f"not one line: {line}"
        assert ".venv/bin/pip install" in line


def test_ci_runs_the_commands_of_the_readme(root: Path):
    script = (root / ".ci" / "run").read_text(encoding="utf-8")
    for words, variable in (("ruleloom play ", "play_line"), ("-m pytest", "test_line")):
        assert f"{variable}=$(readme_line '{words}')" in script
        assert f'bash -euo pipefail -c "${variable}"' in script
        assert len([line for line in readme_commands(root) if words in line]) == 1


def test_ci_can_be_run(root: Path):
    assert (root / ".ci" / "run").stat().st_mode & 0o111, "run `chmod +x .ci/run`"


def test_the_changelog_knows_the_version(root: Path):
    version = project(root)["version"]
    assert re.search(
        rf"^## \[{re.escape(version)}\]", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.M
    )


def test_a_golden_text_is_held(golden: Callable[[str, str], None], request: pytest.FixtureRequest):
    if request.config.getoption("--reset"):
        pytest.skip("golden files are being rewritten")
    with pytest.raises(AssertionError, match="--reset"):
        golden("no-such-file.txt", "text")
