"""`ruleloom pack`: one zip, the same everywhere, that is the pack and says whose it is."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.load import load_content
from tests.conftest import ROOT
from tests.support.command import call

RIVER = ROOT / "rulesets" / "examples" / "river-folk"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'


@pytest.fixture
def river(tmp_path: Path) -> Path:
    """A copy of the example, with what authors leave beside it."""
    folder = tmp_path / "river-folk"
    shutil.copytree(RIVER, folder)
    for name, text in (
        ("LICENSE", "Apache-2.0\r\n"),
        ("README.md", "# River\n"),
        ("notes.txt", "mine"),
        (".git/config", "x"),
        ("art/tower.svg", SVG),
    ):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    add(folder / "pack.yaml", 'credits: [{of: "art/*", by: Ann, licence: CC-BY-4.0}]\n')
    return folder


def add(path: Path, text: str) -> None:
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def packed(folder: Path, *more: str | Path) -> dict[str, bytes]:
    """The files in the zip of a pack, by name."""
    target = folder.parent / "out" / "deeper" / "x.zip"
    done = call("pack", folder, "-o", target, *more)
    assert done.code == 0, done.out + done.err
    with zipfile.ZipFile(target) as archive:
        return {one: archive.read(one) for one in archive.namelist()}


def test_a_zip_holds_what_is_read_and_what_travels_with_it(river: Path):
    files = packed(river)
    read = ("cards.yaml", "house-rules.yaml", "pack.yaml", "scenarios.yaml")
    more = ("LICENSE", "README.md", "art/tower.svg", "ruleloom.lock")
    assert list(files) == sorted(f"river-folk/{one}" for one in (*read, *more))
    assert files["river-folk/LICENSE"] == b"Apache-2.0\n"
    lock = json.loads(files["river-folk/ruleloom.lock"])["packs"]
    assert set(lock) == {"gnostica", "river-folk"}


def test_what_is_told_is_what_was_written(river: Path, tmp_path: Path):
    target = tmp_path / "x.zip"
    done = call("pack", river, "-o", target)
    assert f"sha256 {hashlib.sha256(target.read_bytes()).hexdigest()}\n" in done.out
    assert "left out: notes.txt\n" in done.out
    assert "licence Apache-2.0\n" in done.out


def test_the_bytes_are_the_same_whatever_the_times_modes_and_line_ends(river: Path, tmp_path: Path):
    first, again = tmp_path / "1.zip", tmp_path / "2.zip"
    assert call("pack", river, "-o", first).code == 0
    other = tmp_path / "elsewhere" / "copied"
    shutil.copytree(river, other, copy_function=shutil.copyfile)
    for name in ("cards.yaml", "README.md"):
        path = other / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        path.chmod(0o700)
    assert call("pack", other, "-o", again).code == 0
    assert first.read_bytes() == again.read_bytes()


def test_a_zip_is_the_pack_and_holds_to_its_lock(river: Path, tmp_path: Path):
    target = tmp_path / "x.zip"
    call("pack", river, "-o", target)
    assert call("check", target).code == 0
    assert call("lock", target, "--check").out.endswith("ruleloom.lock: as locked\n")
    assert call("test", target, "--locked").code == 0
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(target).extractall(unpacked)
    assert call("lock", unpacked / "river-folk", "--check").code == 0
    assert call("pack", target, "-o", tmp_path / "y.zip").code == 2


def test_a_zip_without_a_lock_is_told(tmp_path: Path):
    target = tmp_path / "x.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(RIVER.glob("*.yaml")):
            archive.write(path, path.name)
    assert "there is no lock in" in call("lock", target, "--check").err


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        ("pack.yaml", "licence: Apache-2.0", "licence: do what you like", "bad-licence"),
        ("pack.yaml", "CC-BY-4.0", "CC-BY-4", "bad-licence"),
        ("pack.yaml", "art/*", "pictures/*", "no-credit"),
        ("pack.yaml", ", licence: CC-BY-4.0", ", license: CC-BY-4.0", "unknown-field"),
        ("cards.yaml", "kind: major", "kind: mayor", "unknown-kind"),
    ],
)
def test_what_is_unsound_or_somebody_elses_is_refused(
    river: Path, tmp_path: Path, file: str, old: str, new: str, code: str
):
    change(river / file, old, new)
    done = call("pack", river, "-o", tmp_path / "x.zip")
    assert (done.code, f"error[{code}]" in done.out) == (1, True), done.out
    assert not (tmp_path / "x.zip").exists()


PLAIN = "kind: pack\nid: mine\nversion: 1.0.0\ngame: moonstone\nedition: 1\n"


def test_a_text_of_another_pack_needs_a_credit_and_one_taken_over_does_not(tmp_path: Path):
    content = load_content(["moonstone"], Report(), scenarios=False)
    assert content is not None
    spell = next(one for one in content.by_kind("spell") if len(str(one.data("text") or "")) > 60)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PLAIN, "utf-8")
    path = folder / "spells.yaml"
    like = f"kind: spell\nid: my-own\ntitle: My own\nlike: {spell.name}\n"
    path.write_text(like, "utf-8")
    done = call("pack", folder, "-o", tmp_path / "x.zip")
    assert done.code == 0, done.out
    add(path, f"text: {json.dumps(spell.data('text'))}\n")
    done = call("pack", folder, "-o", tmp_path / "x.zip")
    assert f"this text is that of {spell.id}" in done.out
    add(folder / "pack.yaml", "credits: [{of: moonstone, by: its author}]\n")
    assert call("pack", folder, "-o", tmp_path / "x.zip").code == 0


def test_a_picture_of_a_card_travels_and_one_that_is_missing_is_told(river: Path, tmp_path: Path):
    add(
        river / "cards.yaml",
        "- {kind: picture, id: sun-picture, of: major/sun, file: art/sun.png}\n",
    )
    done = call("pack", river, "-o", tmp_path / "x.zip")
    assert (done.code, "error[unreadable-file]: there is no `art/sun.png`" in done.out) == (1, True)
    (river / "art" / "sun.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "river-folk/art/sun.png" in packed(river)


def test_a_link_and_a_name_that_windows_cannot_have_are_refused(river: Path, tmp_path: Path):
    (river / "art" / "link.png").symlink_to(river / "notes.txt")
    done = call("pack", river, "-o", tmp_path / "x.zip")
    assert (done.code, "links are not followed" in done.out) == (1, True)
    (river / "art" / "link.png").unlink()
    (river / "art" / "nul.svg").write_text(SVG)
    done = call("pack", river, "-o", tmp_path / "x.zip")
    assert "`art/nul.svg` cannot be the name of a file on Windows" in done.err


def test_a_changelog_says_what_changed_since_a_folder_a_zip_or_a_tag(river: Path, tmp_path: Path):
    old = tmp_path / "old"
    shutil.copytree(river, old)
    call("pack", old, "-o", tmp_path / "old.zip")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(river)]
    shutil.rmtree(river / ".git")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True)
    change(river / "house-rules.yaml", "value: 4", "value: 5")
    done = call("pack", river, "-o", tmp_path / "x.zip", "--since", old)
    assert (done.code, "asks for 1.1.0 (minor)" in done.err) == (2, True), done.err
    change(river / "pack.yaml", "version: 1.0.0", "version: 1.1.0")
    (river / "CHANGELOG.md").write_text("# 1.0.0\n\nThe first.\n", "utf-8")
    logs = {
        packed(river, "--since", since)["river-folk/CHANGELOG.md"].decode()
        for since in (old, tmp_path / "old.zip", "v1")
    }
    (log,) = logs
    assert log.startswith("# river-folk 1.1.0\n\nSince 1.0.0:\n\n    ")
    assert "4 -> 5" in log
    assert log.endswith("\n\n# 1.0.0\n\nThe first.\n")
    assert str(tmp_path) not in log


@pytest.mark.skipif(importlib.util.find_spec("fpdf") is None, reason="without the extra `pdf`")
def test_what_is_asked_for_beside_it_is_there_or_told(river: Path, tmp_path: Path):
    done = call(
        "pack", river, "-o", tmp_path / "x.zip", "--with", "cards, sheets,reference,exports"
    )
    assert done.code == 0, done.err
    assert "no sheets: this game has no sheet\n" in done.out
    names = zipfile.ZipFile(tmp_path / "x-reference.zip").namelist()
    assert "index.html" in names
    names = zipfile.ZipFile(tmp_path / "x-exports.zip").namelist()
    assert {"csv/major.csv", "foundry/module.json", "chat/LEFT-OUT.txt"} <= {*names}
    cards = zipfile.ZipFile(tmp_path / "x-cards.zip")
    assert cards.namelist() == ["cards-a4.pdf", "cards-letter.pdf"]
    assert cards.read("cards-a4.pdf").startswith(b"%PDF")
    wrong = call("pack", river, "-o", tmp_path / "x.zip", "--with", "cakes")
    assert (wrong.code, "there is no part `cakes`" in wrong.err) == (2, True)
    assert call("pack", river, "-o", tmp_path / "x.tar").code == 2
