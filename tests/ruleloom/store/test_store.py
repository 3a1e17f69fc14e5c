"""The cache of `ruleloom check`: what has not changed is not compiled again, and nobody can tell by
what is said.

The packs are an inn whose settings nobody reads (each is a warning) and a room in it. `compiled`
counts how often the compiler was really asked.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ruleloom.api import making
from ruleloom.compiler import pipeline
from ruleloom.compiler.diagnostics.render import RENDERERS
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.store import inputs, store
from ruleloom.store.findings import FINDINGS
from ruleloom.store.item_texts import TEXTS
from ruleloom.store.programs import GAME, RULES
from ruleloom.store.rule_sources import SOURCES
from ruleloom.store.store import Store, user_store
from tests.conftest import ROOT
from tests.support.command import Done, call
from tests.support.empty_cache import empty_cache, kept_answers
from tests.support.pack_examples import manifest

GUESTS = "- {kind: setting, id: guests, value: 4, english: how many guests there are}\n"
BEDS = "- {kind: setting, id: beds, value: 6, english: how many beds there are}\n"
SLIP = "- {kind: patch, id: more, target: setting/gusts, set: {value: 5}}\n"
INN = {
    "inn/pack.yaml": manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
    "inn/settings.yaml": GUESTS,
}
ROOM = {
    "room/pack.yaml": manifest("room", 'requires: {inn: "*"}', game="inn"),
    "room/settings.yaml": BEDS,
}
Write = Callable[[Mapping[str, str]], Path]
Counted = list[tuple[object, ...]]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Everything that the compiler was asked for."""
    asked: Counted = []

    def count(*words: object, **options: bool) -> CompileResult:
        asked.append(words)
        return compile_paths(*words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(making, "compile_paths", count)
    return asked


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache, and nothing in it yet."""
    return empty_cache(tmp_path, monkeypatch)


@pytest.fixture
def write(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, write_files: Write
) -> Write:
    """The inn and its room in the present folder; a function that writes more."""
    monkeypatch.chdir(tmp_path)
    write_files(INN | ROOM)
    return write_files


# ----------------------------------------------------------------------------- the same, and sooner


@pytest.mark.parametrize("fault", ["", SLIP])
@pytest.mark.parametrize("form", RENDERERS)
def test_an_unchanged_pack_is_told_the_same_without_compiling(
    form: str, fault: str, write: Write, compiled: Counted
):
    write({"room/more.yaml": fault or "[]\n"})
    words = ("check", "inn", "room", "--format", form, "--color", "always")
    afresh = call(*words, "--no-cache")
    first = call(*words)
    assert len(compiled) == 2
    again = call(*words)
    assert len(compiled) == 2
    assert afresh == first == again
    assert afresh.code == bool(fault)


@pytest.mark.parametrize("options", [(), ("--fail-on", "warning"), ("--baseline", "old.json")])
def test_exit_codes_are_the_same(options: tuple[str, ...], write: Write, compiled: Counted):
    call("check", "inn", "--baseline", "old.json", "--write-baseline")
    write({"inn/beds.yaml": BEDS})
    runs = [call("check", "inn", *options) for _ in range(2)]
    assert runs[0] == runs[1] == call("check", "inn", "--no-cache", *options)
    assert runs[0].code == bool(options)
    assert len(compiled) == 3


def test_absolute_and_relative_paths_are_told_each_in_its_way(
    write: Write, tmp_path: Path, compiled: Counted
):
    (tmp_path / "elsewhere").mkdir()
    runs: dict[str, Done] = {}
    for where, path in (
        (".", "inn"),
        (".", str(tmp_path / "inn")),
        ("elsewhere", "../inn"),
        ("inn", "settings.yaml"),
    ):
        os.chdir(tmp_path / where)
        runs[where + path] = call("check", path)
        assert call("check", path) == runs[where + path] == call("check", path, "--no-cache")
    assert "../inn/settings.yaml:1" in runs["elsewhere../inn"].out
    assert runs["innsettings.yaml"].out.startswith("settings.yaml:1")


def test_a_fix_is_made_from_what_is_kept(write: Write, compiled: Counted, tmp_path: Path):
    write({"room/more.yaml": SLIP})
    call("check", "inn", "room")
    done = call("check", "inn", "room", "--fix")
    assert done.err == "fixed room/more.yaml: 1 word\n"
    assert (tmp_path / "room/more.yaml").read_text() == SLIP.replace(
        "setting/gusts", "inn:setting/guests"
    )
    assert len(compiled) == 2
    assert done.out == call("check", "inn", "room", "--no-cache").out


def test_only_a_change_is_told_as_before(write: Write, compiled: Counted, tmp_path: Path):
    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")
        subprocess.run(("git", *who, *words), cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    git("add", "inn")
    git("commit", "-qm", "one")
    write({"inn/beds.yaml": BEDS})
    words = ("check", "inn", "--changed-since", "HEAD")
    first, again = call(*words), call(*words)
    assert "beds" in first.out
    assert "guests" not in first.out
    assert first == again == call(*words, "--no-cache")
    assert len(compiled) == 1 + 1 + 1 + 2  # the packs as they were are never kept


def test_a_zip_is_kept_too(write: Write, compiled: Counted, tmp_path: Path):
    shutil.make_archive(str(tmp_path / "inn"), "zip", tmp_path / "inn")
    first = call("check", "inn.zip")
    assert call("check", "inn.zip") == first
    assert len(compiled) == 1
    with zipfile.ZipFile(tmp_path / "inn.zip", "a") as archive:
        archive.writestr("beds.yaml", BEDS)
    assert "2 warnings" in call("check", "inn.zip").out
    assert len(compiled) == 2


# ------------------------------------------------------------------------------ when it is not used


@pytest.mark.parametrize("name", [*INN, *ROOM])
def test_one_byte_of_any_file_is_enough(name: str, write: Write, compiled: Counted, tmp_path: Path):
    call("check", "inn", "room")
    text = (tmp_path / name).read_text()
    for change in (f"{text} ", f"\ufeff{text}", text.replace("\n", "\r\n", 1)):
        write({name: change})
        before = len(compiled)
        assert call("check", "inn", "room").code == 0
        assert len(compiled) == before + 1
    write({name: text})
    assert call("check", "inn", "room").code == 0
    assert len(compiled) == 4


def test_names_of_files_count(write: Write, compiled: Counted, tmp_path: Path):
    call("check", "inn")
    (tmp_path / "inn/settings.yaml").rename(tmp_path / "inn/numbers.yaml")
    assert "inn/numbers.yaml" in call("check", "inn").out
    write({"inn/none.yaml": ""})
    assert "empty-file" in call("check", "inn").out
    (tmp_path / "inn/none.yaml").unlink()
    (tmp_path / "inn/numbers.yaml").unlink()
    assert "no problems" in call("check", "inn").out
    assert len(compiled) == 4
    write({"inn/README.md": "no YAML"})
    call("check", "inn")
    assert len(compiled) == 4


def test_a_shipped_pack_that_is_built_upon_counts(
    write: Write, compiled: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "shipped").mkdir()
    (tmp_path / "inn").rename(tmp_path / "shipped/inn")
    for module in (pipeline, inputs):
        monkeypatch.setattr(module, "BUILTIN", tmp_path / "shipped")
    first = call("check", "room")
    assert call("check", "room") == first
    assert len(compiled) == 1
    write({"shipped/inn/settings.yaml": GUESTS + BEDS})
    assert "already there" in call("check", "room").out
    assert len(compiled) == 2


def test_what_only_the_compiler_can_tell_is_not_kept(write: Write, cache: Path, tmp_path: Path):
    (tmp_path / "inn/link.yaml").symlink_to("settings.yaml")
    for path in ("inn", "nowhere", "room"):  # the room alone lacks its inn
        assert call("check", path) == call("check", path, "--no-cache")
    assert not kept_answers(cache)


def test_another_ruleloom_does_not_believe_it(
    write: Write, compiled: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setattr(inputs, "HOME", tmp_path)
    monkeypatch.setattr(inputs, "PARTS", (own.name,))
    monkeypatch.setattr(inputs, "LIBRARIES", ("reader",))
    monkeypatch.syspath_prepend(own)
    # A process asks once only.
    monkeypatch.setattr(inputs, "own_digest", inputs.own_digest.__wrapped__)
    monkeypatch.setattr(store, "tool_digest", inputs.tool_digest.__wrapped__)
    for change in ("version.py", "some.schema.json", "reader.py"):
        call("check", "inn")
        before = len(compiled)
        call("check", "inn")
        assert len(compiled) == before
        (own / change).write_text("1")
        call("check", "inn")
        assert len(compiled) == before + 1
    monkeypatch.setattr(sys, "version", sys.version + "+")
    call("check", "inn")
    assert len(compiled) == 5


def test_all_that_makes_findings_is_ours():
    home = os.fspath(inputs.HOME)
    found = {
        name for part in inputs.PARTS for name in inputs._own_files(f"{home}/{part}", f"{part}/")
    }
    wanted = {
        "api/version.py",
        "api/requirements.py",
        "compiler/build.py",
        "compiler/syntax/tables.json",
        "compiler/syntax/grammar.lark",
        "runtime/program/program.py",
        "schemas/common.schema.json",
    }
    assert wanted <= found
    assert all(list(inputs._version_of(name))[2:] for name in inputs.LIBRARIES)


@pytest.mark.parametrize(
    "said", [{"RULELOOM_CACHE": "off"}, {"RULELOOM_CACHE": "", "HOME": "none"}]
)
def test_it_can_be_turned_off(
    said: dict[str, str],
    write: Write,
    compiled: Counted,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches") if "HOME" in said else "relative")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    call("check", "inn", "--no-cache")
    assert not (tmp_path / "caches").exists()
    call("check", "inn")
    call("check", "inn")
    assert len(compiled) == (2 if "HOME" in said else 3)
    assert (tmp_path / "caches/ruleloom").exists() == ("HOME" in said)


def test_a_file_that_is_saved_meanwhile_makes_no_wrong_answer(
    write: Write, monkeypatch: pytest.MonkeyPatch, cache: Path
):
    def late(*words: object, **options: bool) -> CompileResult:
        write({"inn/settings.yaml": GUESTS + BEDS})
        return compile_paths(*words, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(making, "compile_paths", late)
        assert "2 warnings" in call("check", "inn").out
    assert not kept_answers(cache)
    write({"inn/settings.yaml": GUESTS})
    assert "1 warning" in call("check", "inn").out


# --------------------------------------------------------------------------- what cannot be trusted


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


TAMPERED: dict[str, Callable[[bytes], bytes]] = {
    "its seal": lambda data: flipped(data, 3),
    "its first byte": lambda data: flipped(data, store.SEAL),
    "its last byte": lambda data: flipped(data, len(data) - 1),
    "cut short": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "more behind": lambda data: data + b" ",
    "no seal": lambda data: data[store.SEAL :],
    "a finding less": lambda data: data.replace(b"unused-item", b"unused-name"),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_was_changed_is_not_believed(how: str, write: Write, compiled: Counted, cache: Path):
    first = call("check", "inn")
    (entry,) = kept_answers(cache)
    entry.write_bytes(TAMPERED[how](entry.read_bytes()))
    assert call("check", "inn") == first
    assert len(compiled) == 2
    assert call("check", "inn") == first
    assert len(compiled) == 2


def test_what_stands_under_another_name_is_not_believed(
    write: Write, compiled: Counted, cache: Path
):
    call("check", "inn")
    (good,) = kept_answers(cache)
    write({"inn/settings.yaml": GUESTS + BEDS})
    call("check", "inn")
    (bad,) = set(kept_answers(cache)) - {good}
    shutil.copy(good, bad)
    assert "2 warnings" in call("check", "inn").out
    assert len(compiled) == 3


def test_what_somebody_else_has_sealed_is_not_believed(
    write: Write, compiled: Counted, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    call("check", "inn")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    call("check", "inn")
    assert len(compiled) == 2
    monkeypatch.setenv(store.KEY, "of the CI")
    call("check", "inn")
    call("check", "inn")
    assert len(compiled) == 3
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "a-fresh-runner"))
    call("check", "inn")
    assert len(compiled) == 3


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"below": [], "digest": "", "says": {}}', b"1"]
)
def test_what_is_sealed_and_makes_no_sense_is_left(
    body: bytes, write: Write, compiled: Counted, cache: Path
):
    call("check", "inn")
    (entry,) = kept_answers(cache)
    there = user_store()
    assert there is not None
    there.put(entry.stem, body)
    assert there.get(entry.stem) == body
    assert call("check", "inn").code == 0
    assert len(compiled) == 2


def test_a_key_that_others_can_read_is_none(write: Write, compiled: Counted, tmp_path: Path):
    call("check", "inn")
    key = tmp_path / "state/ruleloom/cache-key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o644)
    assert call("check", "inn").code == 0
    key.chmod(0o600)
    call("check", "inn")
    assert len(compiled) == 2
    key.rename(tmp_path / "moved")
    key.symlink_to(tmp_path / "moved")
    call("check", "inn")
    assert len(compiled) == 3


@pytest.mark.parametrize("where", ["cache", "state"])
def test_a_folder_that_cannot_be_written_is_no_fault(
    where: str, write: Write, compiled: Counted, tmp_path: Path
):
    (tmp_path / where).write_text("a file where a folder should be")
    first = call("check", "inn")
    assert first == call("check", "inn") == call("check", "inn", "--no-cache")
    assert first.err == ""
    assert len(compiled) == 3


def test_no_more_is_loaded_than_is_needed():
    """What an answer from the cache has to wait for: no library but that of the command line, and
    no pass."""
    look = "import sys, ruleloom.cli.check.check; print(*(name for name in sys.modules))"
    done = subprocess.run(
        (sys.executable, "-c", look), capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    unwanted = {
        "yaml",
        "lark",
        "jsonschema",
        "rich",
        "jinja2",
        "ruleloom.compiler.load",
        "ruleloom.compiler.build",
        "ruleloom.runtime.machine.step",
    }
    assert "ruleloom.store.store" in loaded
    assert not loaded & unwanted


# ------------------------------------------------------------------------------ the store by itself


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "shelf", tmp_path / "key")


def test_two_at_once_do_not_get_in_each_others_way(shelf: Store):
    bodies = [bytes([65 + n]) * 20_000 for n in range(4)]
    strange: list[bytes] = []

    def hammer(body: bytes) -> None:
        for _ in range(30):
            shelf.put("one", body)
            found = shelf.get("one")
            if found is not None and found not in bodies:
                strange.append(found)

    threads = [Thread(target=hammer, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not strange
    assert shelf.get("one") in bodies
    assert [path.name for path in shelf.folder.iterdir()] == ["one.check"]
    assert [path.name for path in shelf.key_file.parent.iterdir() if path.is_file()] == ["key"]


def test_the_oldest_go_first(shelf: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store, "MOST", 3)
    for n in range(5):
        shelf.put(f"n{n}", b"x")
        used = time.time() - 100 + n
        os.utime(shelf.folder / f"n{n}.check", (used, used))
    assert {path.stem for path in shelf.folder.iterdir()} == {"n2", "n3", "n4"}


def test_too_much_goes_and_too_large_is_not_taken(shelf: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store, "LARGEST_IN_ALL", 3_000)
    monkeypatch.setattr(store, "LARGEST", 2_000)
    shelf.put("large", b"x" * 2_000)
    assert not shelf.folder.exists()
    for n in range(4):
        shelf.put(f"n{n}", b"x" * 1_000)
    assert sum(path.stat().st_size for path in shelf.folder.iterdir()) <= 3_000


def test_what_was_not_used_for_a_month_is_forgotten(shelf: Store):
    shelf.put("one", b"x")
    assert shelf.get("one") == b"x"
    before = (shelf.folder / "one.check").stat().st_mtime - store.OLDEST - 60
    os.utime(shelf.folder / "one.check", (before, before))
    assert shelf.get("one") is None
    shelf.put("two", b"y")
    assert [path.stem for path in shelf.folder.iterdir()] == ["two"]


def test_a_link_in_the_folder_leads_nowhere(shelf: Store, tmp_path: Path):
    shelf.put("one", b"x")
    entry = shelf.folder / "one.check"
    entry.rename(tmp_path / "target")
    entry.symlink_to(tmp_path / "target")
    assert shelf.get("one") is None
    before = (tmp_path / "target").read_bytes()
    shelf.put("one", b"y")
    assert shelf.get("one") == b"y"
    assert (tmp_path / "target").read_bytes() == before


# ---------------------------------------------------------------------------------- a law

FILES = (
    "inn/settings.yaml",
    "inn/more.yaml",
    "room/settings.yaml",
    "room/pack.yaml",
    "inn/vocabulary.yaml",
)
LINES = (
    "",
    GUESTS,
    BEDS,
    SLIP,
    "# ruleloom: allow unused-item because we wait\n",
    "kind: [",
    "x: 1\r\n",
    "é\n",
)
EDITS = st.lists(
    st.tuples(st.sampled_from(FILES), st.lists(st.sampled_from(LINES), max_size=3).map("".join)),
    max_size=4,
)


@given(edits=EDITS)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_edits_it_says_what_the_compiler_says(
    edits: list[tuple[str, str]], write: Write, tmp_path: Path
):
    write(INN | ROOM)
    (tmp_path / "inn/more.yaml").unlink(missing_ok=True)
    for edit in [None, *edits]:
        if edit is not None:
            write(dict([edit]))
        words = ("check", "inn", "room", "--format", "json")
        afresh = call(*words, "--no-cache")
        assert call(*words) == afresh
        assert call(*words) == afresh


def test_every_kind_has_what_makes_it():
    kinds = (FINDINGS, GAME, RULES, TEXTS, SOURCES)
    assert {one.name for one in kinds} == {*making.MAKERS}


def test_commands_at_once_each_tell_of_their_own_files(write: Write, tmp_path: Path):
    """Two states of a pack take turns under one name, while several processes check it with one store."""
    states = [GUESTS, GUESTS + BEDS]
    wanted = ["1 warning", "2 warnings"]
    for number, text in enumerate(states):
        files = {f"at{number}/{path}": said for path, said in INN.items()}
        write(files | {f"at{number}/inn/settings.yaml": text})
    words = (sys.executable, "-m", "ruleloom", "check", "inn")
    for _ in range(2):
        running = [
            subprocess.Popen(words, cwd=tmp_path / f"at{n % 2}", stdout=subprocess.PIPE, text=True)
            for n in range(4)
        ]
        told = [one.communicate()[0] for one in running]
        assert all(wanted[n % 2] in said for n, said in enumerate(told)), told
