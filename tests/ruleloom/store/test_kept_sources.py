"""Where rules stand and what patches changed is kept: `why` says the same, reads no file again, and
believes nothing that has been changed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruleloom.api import making
from ruleloom.api.content_sources import sources_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.load import load_content
from ruleloom.compiler.pipeline import load
from ruleloom.store import store
from ruleloom.store.rule_sources import SOURCES, read_sources, sources_data
from ruleloom.store.store import StoreEntry, pack_store, pack_store_in
from tests.conftest import ROOT
from tests.support.command import call
from tests.support.empty_cache import empty_cache
from tests.support.pack_examples import manifest

Write = Callable[[dict[str, str]], object]
HOUSE = {
    "house/pack.yaml": manifest("house", 'requires: {moonstone: "*"}', game="moonstone"),
    "house/rules.yaml": """\
- {kind: patch, id: cheap, target: moonstone:advantage/second-wind, set: {rating: II, title: Wind}}
- {kind: patch, id: less, target: moonstone:table/general_price, set: {rows.3: 2}}
- {kind: patch, id: strong, target: moonstone:stat/score, set: {is: "score_in_play(who, which) + 1"}}
""",
    "house/people.yaml": """\
- {kind: character, id: ann, title: Ann, gifts: [second-wind]}
- {kind: character, id: bo, title: Bo, start: {Agl: 18}}
""",
}
ASKED = (
    ("why", "house", "CV", "--depth", "3"),
    ("why", "house/people.yaml", "PR", "--of", "bo"),
    ("why", "house", "general_price(3)", "--format", "json"),
    ("why", "moonstone", "max_MI"),
    ("why", "house", "no_such_number"),
    ("why", "house/rules.yaml", "PR"),
)
FIRST_LIGHT = ROOT / "rulesets" / "examples" / "first-light"
PACKS = (FIRST_LIGHT, *sorted((ROOT / "tests" / "content" / "homebrew" / "packs").glob("*/*")))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache, and nothing in it yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(store, "_HELD", {})
    return empty_cache(tmp_path, monkeypatch)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Whatever content was read besides what was compiled."""
    found: list[object] = []

    def count(packs: Any, *others: Any, **options: Any) -> Any:
        found.append(packs)
        return load(packs, *others, **options)

    monkeypatch.setattr(making, "load", count)
    return found


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_the_second_time_says_the_same(words: tuple[str, ...], write_files: Write):
    write_files(HOUSE)
    first = call(*words)
    assert first.code == 0 or first.err.startswith("ruleloom: ")
    assert call(*words) == first


def test_what_is_kept_is_not_read_again(write_files: Write):
    write_files(HOUSE)
    code = "import sys\nfrom ruleloom.cli.verbs import start\n"
    code += "start(sys.argv[1:])\nprint('ruleloom.compiler.load' in sys.modules)"
    words = [sys.executable, "-c", code, "why", "house", "PR"]
    told = [
        subprocess.run(words, capture_output=True, text=True, check=True).stdout for _ in range(2)
    ]
    *first, loaded = told[0].splitlines()
    *second, loaded_again = told[1].splitlines()
    assert first == second
    assert first[0].startswith("PR of Ann")
    assert (loaded, loaded_again) == ("True", "False")


def test_where_the_program_is_kept_the_content_alone_is_read(write_files: Write, read: list[Any]):
    write_files(HOUSE)
    call("sheet", "house")
    assert not read
    told = call("why", "house", "PR")
    assert read == [["house"]]
    assert call("why", "house", "PR") == told
    assert read == [["house"]]


def test_a_change_of_a_file_is_seen(write_files: Write):
    write_files(HOUSE)
    words = ("why", "house", "general_price(3)")
    assert "advantage = 2\n" in call(*words).out
    assert "advantage = 2\n" in call(*words).out
    rules = HOUSE["house/rules.yaml"].replace("rows.3: 2", "rows.3: 9")
    write_files({"house/rules.yaml": rules})
    assert "advantage = 9\n" in call(*words).out


def test_a_pack_may_be_moved(write_files: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What is kept does not say where the files of a pack lay."""
    write_files(HOUSE)
    words = ("why", "house/people.yaml", "PR")
    told = call(*words)
    assert told.code == 0
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "house", tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert call(*words) == told


@pytest.mark.parametrize("data", [{}, [], None, {"packs": [["house"]]}, {"packs": 3}])
def test_what_is_no_such_data_counts_as_not_kept(data: object, write_files: Write):
    write_files(HOUSE)
    words = ("why", "house", "PR")
    told = call(*words)
    shelf = pack_store(["house"])
    assert shelf is not None
    assert shelf.store is not None
    name = shelf._name(SOURCES)
    head, _, _ = (shelf.store.get(name) or b"").partition(b"\n")
    shelf.store.put(name, head + b"\n" + json.dumps(data).encode())
    assert shelf.find(SOURCES) is None
    assert call(*words) == told


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_sources_come_back_as_they_were(pack: Path):
    content = load_content([pack], Report(), scenarios=False)
    assert content is not None
    sources = sources_of(content)
    shelf = pack_store_in(None, [str(pack)])
    assert shelf is not None
    below = shelf._known([id for id, folder in content.folders.items() if folder != pack])
    assert below is not None
    data = json.loads(json.dumps(sources_data(sources)))
    assert read_sources(StoreEntry(data, shelf.inputs, below, True)) == sources
