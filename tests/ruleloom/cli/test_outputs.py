"""Every option that names a file or folder to write: the folders it lies in need not exist."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
import pytest

from ruleloom.cli.verbs import VERBS, command
from tests.support.command import call

SIMULATED = ("gnostica", "--games", "1", "--turn-limit", "2", "--workers", "1")
# Each option that writes, by verb and flag: the words to call it with, and the name of what it writes.
WRITES: Mapping[tuple[str, str], tuple[tuple[str, ...], str]] = {
    ("compile", "-o"): (("gnostica",), "gnostica.json"),
    ("build", "-o"): (("moonstone", "--random", "--seed", "1"), "ann.yaml"),
    ("sheet", "-o"): (("witchgates",), "sheets.html"),
    ("export", "-o"): (("gnostica", "--to", "json"), "export"),
    ("screen", "-o"): (("witchgates",), "screen.html"),
    ("docs", "-o"): (("gnostica",), "site"),
    ("simulate", "--lines"): (SIMULATED, "games.jsonl"),
    ("simulate", "--csv"): (SIMULATED, "games.csv"),
    ("simulate", "--html"): (SIMULATED, "report.html"),
    ("simulate", "--markdown"): (SIMULATED, "report.md"),
    ("simulate", "--store"): (SIMULATED, "games.db"),
}
# What `-o` takes in tests of its own, and options that continue or read a file that is there.
ELSEWHERE = {
    ("site", "-o"),  # tests/ruleloom/site
    ("pack", "-o"),  # tests/ruleloom/packing
    ("index", "-o"),  # tests/ruleloom/getting: it lies above what it lists
    ("cards", "-o"),  # below
    ("upgrade", "-o"),  # test_upgrade.py
    ("replay", "--chronicle"),
    ("test", "--write"),  # proofs/test_derive.py
    ("balance", "--html"),  # the same functions as those of `simulate`
    ("balance", "--markdown"),
    ("balance", "--store"),
}
READS = {"--baseline", "--given", "--save", "--resume", "--file", "--scene", "--answers"}


def options_with_files() -> set[tuple[str, str]]:
    """Every option of a verb whose value is a file or folder, `--pack` and the like aside."""
    found = set()
    for verb in VERBS:
        known = command.get_command(click.Context(command), verb)
        assert known is not None
        for one in known.params:
            shown = one.metavar or ""
            flag = next((opt for opt in one.opts if opt.startswith("-")), "")
            if ("FILE" in shown or "output" in one.opts or "--output" in one.opts) and flag:
                found.add((verb, flag))
    return {one for one in found if one[1] not in READS}


def test_no_option_that_writes_is_left_out():
    assert options_with_files() == {*WRITES} | ELSEWHERE


@pytest.mark.parametrize(("verb", "flag"), WRITES)
def test_an_output_makes_its_folders(verb: str, flag: str, tmp_path: Path):
    words, name = WRITES[verb, flag]
    target = tmp_path / "new" / "deeper" / name
    done = call(verb, *words, flag, target)
    assert done.code == 0, done.err
    assert target.is_file() or any(target.iterdir())


@pytest.mark.parametrize("name", ["cards.html", "cards"])
def test_cards_make_their_folders(name: str, tmp_path: Path):
    target = tmp_path / "new" / "deeper" / name
    assert call("cards", "gnostica", "-o", target).code == 0
    assert target.exists()


def test_a_chronicle_makes_its_folders(tmp_path: Path):
    save, target = tmp_path / "game.save", tmp_path / "new" / "deeper" / "game.html"
    bots = ("--players", "random,random", "--turn-limit", "1")
    assert call("play", "gnostica", *bots, "--save", save).code == 0
    assert call("replay", save, "--chronicle", target).code == 0
    assert target.is_file()


@pytest.mark.parametrize(("verb", "flag"), [("compile", "-o"), ("sheet", "-o")])
def test_a_file_in_the_place_of_a_folder_is_told(verb: str, flag: str, tmp_path: Path):
    (tmp_path / "notes").write_text("mine", encoding="utf-8")
    words, name = WRITES[verb, flag]
    done = call(verb, *words, flag, tmp_path / "notes" / name)
    assert done.code == 2
    assert "a part of the path is no folder" in done.err
