"""What every test may use: the checkout, golden files, and small packs written on the spot."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"

# `steady` tries the same examples in every run, so that nobody else's change turns red by chance, and
# fewer than the 100 of Hypothesis; `search` looks for new ones, many. Tests leave nothing in anybody's
# cache, and learn nothing from it; those of the cache name a folder of their own.
os.environ["RULELOOM_CACHE"] = "off"
os.environ["RULELOOM_GAMES"] = "off"

# Compiled games are kept for later tests: looking through them for garbage takes a tenth of the time.
gc.set_threshold(100_000, 20, 10)

# The group of a test is the mark of its folder, or of the nearest above that has one: `pytest -m code`
# runs what most changes of the code can break.
GROUPS = {
    "test_architecture.py": "code",
    "compiler": "code",
    "compiler/english/test_english.py": "content",
    "runtime": "code",
    "ruleloom": "code",
    "ruleloom/api/test_embedding.py": "docs",
    "ruleloom/balance": "tools",
    "ruleloom/bots": "tools",
    "ruleloom/cli/test_mcp.py": "tools",
    "ruleloom/cli/test_new.py": "content",
    "ruleloom/editor": "tools",
    "ruleloom/reference": "tools",
    "ruleloom/simulate": "tools",
    "ruleloom/web": "tools",
    "ruleloom/workbench": "tools",
    "content": "content",
    "bench": "content",
    "docs": "docs",
    "laws": "laws",
    "attacks": "attacks",
}

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("search", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--reset`, which rewrites golden files (`git diff` is then the review)."""
    parser.addoption(
        "--reset", action="store_true", help="rewrite golden files instead of comparing them"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where one group is asked for, leave the files of others unread: that spares seconds."""
    wanted = config.getoption("markexpr")
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if wanted not in GROUPS.values() or not is_test:
        return None
    return group_of(collection_path.relative_to(ROOT / "tests")) != wanted or None


@pytest.hookimpl(tryfirst=True)  # before pytest picks tests by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test with the group of its folder, and leave out what is slow unless `-m` speaks
    of it; a folder without a group is an error."""
    for item in items:
        item.add_marker(group_of(item.path.relative_to(ROOT / "tests")))
    if "slow" not in config.getoption("markexpr"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def group_of(path: Path) -> str:
    """The group of a test file, by its path below `tests/`; StopIteration if no folder has one."""
    return next(GROUPS[name] for one in (path, *path.parents) if (name := one.as_posix()) in GROUPS)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Let pytest look for lost garbage, five times at the end, without what is kept till then."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the processes that tests start keep their bytecode, where this one may not: else each
    compiles all of Ruleloom again. It lies beside the temporary folders, for all workers
    together."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("PYTHONDONTWRITEBYTECODE") and "PYTHONPYCACHEPREFIX" not in os.environ:
            own = tmp_path_factory.getbasetemp()
            folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
            patch.delenv("PYTHONDONTWRITEBYTECODE")
            patch.setenv("PYTHONPYCACHEPREFIX", str(folder / "bytecode"))
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the top folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a function that holds a text against `tests/golden/NAME`, or writes it under
    `--reset`."""
    reset = bool(request.config.getoption("--reset"))

    def hold(name: str, text: str) -> None:
        path = GOLDEN / name
        if reset:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        advice = "run `pytest --reset` and read `git diff`"
        assert path.exists(), f"tests/golden/{name} is not there yet: {advice}"
        assert text == path.read_text(encoding="utf-8"), (
            f"tests/golden/{name} differs; if it should: {advice}"
        )

    return hold


@pytest.fixture
def write_files(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Return a function that writes {relative path: text} into a fresh folder and returns the
    folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        return tmp_path

    return write
