"""Hostile packs at the command line, as folders and as zips: each is told at once, and in little
memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ruleloom.compiler.diagnostics.render import RENDERERS
from ruleloom.runtime.program.safe_text import safe_text
from tests.attacks.packs import ATTACKS, setting, written, zipped
from tests.conftest import ROOT
from tests.support.command import call
from tests.support.stopwatch import in_time

SECONDS, MEGABYTES = 2.0, 300
"""What one attack may take: processor time beyond that of the game's own check, and memory
altogether."""


def checked(folder: Path) -> dict[str, list[Any]]:
    """What `check` says of each pack in a folder, and what it took, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.packs", str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=500,
        check=True,
    )
    return {name: rest for name, *rest in map(json.loads, done.stdout.splitlines())}


SOME = (
    "a million keys",
    "many unknown names",
    "100 MB",
    "ifs in ifs",
    "1,000 patches of one field",
)


@pytest.mark.parametrize("names", [SOME, pytest.param(tuple(ATTACKS), marks=pytest.mark.slow)])
def test_each_attack_is_told_within_two_seconds_and_300_mb(tmp_path: Path, names: tuple[str, ...]):
    written(tmp_path / "none", {})
    attacks = [ATTACKS[name] for name in names]
    for number, attack in enumerate(attacks):
        written(tmp_path / f"{number}", attack.files())
    results = checked(tmp_path)
    usual = results.pop("none")
    assert usual[:2] == [0, []]
    for number, (name, attack) in enumerate(zip(names, attacks, strict=True)):
        code, told, seconds, kilobytes, err = results[f"{number}"]
        assert (code in (0, 1), tuple(told), err) == (True, attack.told, ""), name
        assert in_time(seconds - usual[2], SECONDS), name
        assert kilobytes < MEGABYTES * 1024, name


IN_ZIPS = ("alias bomb", "a schema of its own", "stairs")


def test_a_zip_is_told_what_its_folder_is(tmp_path: Path):
    for name in IN_ZIPS:
        zipped(tmp_path / f"{IN_ZIPS.index(name)}.zip", ATTACKS[name].files())
    results = checked(tmp_path)
    assert {name: tuple(results[f"{at}.zip"][1]) for at, name in enumerate(IN_ZIPS)} == {
        name: ATTACKS[name].told for name in IN_ZIPS
    }


def test_links_pipes_and_loops_are_not_followed(tmp_path: Path):
    packs = tmp_path / "packs"
    secret = tmp_path / "secret.yaml"
    secret.write_text("the secret\n")
    for name, aim in (
        ("outside", secret),
        ("endless", Path("/dev/zero")),
        ("itself", Path("x.yaml")),
    ):
        (written(packs / name, {}) / "x.yaml").symlink_to(aim)
    (written(packs / "folder", {}) / "more").symlink_to(tmp_path)
    (written(packs / "round", {}) / "more").symlink_to(".")
    os.mkfifo(written(packs / "pipe", {}) / "x.yaml")
    os.mkfifo(written(packs / "pipes", {}) / "pack.yml")
    (packs / "manifest").mkdir()
    (packs / "manifest" / "pack.yaml").symlink_to(secret)
    results = checked(packs)
    assert {name: (code, told) for name, (code, told, *_) in results.items()} == dict.fromkeys(
        results, (1, ["unreadable-file"])
    )
    assert in_time(max(row[2] for row in results.values()), SECONDS)


@pytest.mark.parametrize(
    "names", [("Cards.yaml", "cards.yaml"), ("caf\u00e9.yaml", "cafe\u0301.yaml")]
)
def test_names_that_are_one_on_other_systems(tmp_path: Path, names: tuple[str, str]):
    files = {name: setting("1", f"s{at}") for at, name in enumerate(names)}
    folder = written(tmp_path / "evil", files)
    if len(list(folder.iterdir())) < 3:
        pytest.skip("this system takes the two for one")
    for pack in (folder, zipped(tmp_path / "evil.zip", files)):
        assert "error[case-clash]" in call("check", pack, "--format", "concise").out


@pytest.mark.parametrize("name", ["con.yaml", "Aux.old.yaml", "nul/cards.yaml"])
def test_names_that_windows_keeps_for_itself(tmp_path: Path, name: str):
    files = {name: setting("1", "one")}
    for pack in (written(tmp_path / "evil", files), zipped(tmp_path / "evil.zip", files)):
        done = call("check", pack, "--format", "concise")
        assert (done.code, done.out.count("error[unreadable-file]: Windows allows no")) == (1, 1)


HOSTILE = "a\u202e\u2066\u200bb\u00ad%0A::error::x</script><b>&]]>,"
HOSTILE_FILE = "a\x1b]52;c;eA==\x07\n::error::b\u202ec.yaml"
HOSTILE_TEXTS = {
    HOSTILE_FILE: f"- {{kind: setting, id: '{HOSTILE}', value: 1, english: x, '{HOSTILE}': 1}}\n",
    "b.yaml": f"- kind: major\n  id: m\n  number: 90\n  title: '{HOSTILE}'\n  effect: |\n    use {HOSTILE}\n",
    "c.yaml": f"- {{kind: patch, id: p, target: '{HOSTILE}', set: {{value: 1}}}}\n",
    "d.yaml": f"# {HOSTILE}\n- {{kind: {HOSTILE}, id: x}}\n",
}


@pytest.mark.parametrize("form", RENDERERS)
def test_nothing_of_a_pack_steers_who_reads_of_it(tmp_path: Path, form: str):
    folder = written(tmp_path / "evil", HOSTILE_TEXTS)
    done = call("check", folder, "--format", form)
    assert done.code == 1
    shown = done.out + done.err
    assert [line for line in shown.split("\n") if safe_text(line) != line] == []
    assert not {unicodedata.category(sign) for sign in shown} & {"Cf", "Co", "Cs"}
    assert not any(line.startswith(("::error::", "##")) for line in shown.splitlines())
    if form in ("json", "sarif", "gitlab"):
        assert json.loads(done.out)
    elif form == "junit":
        assert ElementTree.fromstring(done.out).tag == "testsuite"
    elif form == "github":
        assert all(
            line.startswith(("::error file=", "::warning file=")) for line in done.out.splitlines()
        )
