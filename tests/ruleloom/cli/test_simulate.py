"""`ruleloom simulate` as a command: what it prints, writes, and refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.simulate.simulate import work_place
from tests.support.command import Done, call
from tests.support.known_games import FOLDER

COIN = FOLDER / "coin"


def simulate(*words: str | Path) -> Done:
    """Run it here, in this process."""
    return call("simulate", *words, "--workers", "1")


def data_of(*words: str | Path) -> dict:
    """What it prints as JSON."""
    return json.loads(simulate(*words, "--format", "json").out)


def test_all_figures_as_json():
    found = data_of(COIN, "--games", "60")
    assert (found["games"], found["finished"], found["limits"]) == (60, 60, {})
    wins = found["wins"]["by_seat"]["A"]
    assert wins["low"] < 0.7 < wins["high"]
    assert sum(one["value"] for one in found["endings"].values()) == pytest.approx(1)


def test_the_hash_is_the_same_again_and_on_two_processes():
    first = data_of(COIN, "--games", "30")["hash"]
    again = json.loads(
        call("simulate", COIN, "--games", "30", "--workers", "2", "--format", "json").out
    )
    assert first == again["hash"]


def test_a_game_that_meets_the_limit_is_told_and_counts_as_unfinished():
    done = simulate(FOLDER / "nim", "--games", "2", "--turn-limit", "1")
    assert "2 games met the limit of 1 turns and count as unfinished (--turn-limit" in done.out
    assert "2 games, seed 1: 0 finished" in done.out


def test_tables_of_games(tmp_path):
    files = {name: tmp_path / f"games.{name}" for name in ("csv", "lines", "html", "markdown")}
    words = [word for name, path in files.items() for word in (f"--{name}", path)]
    assert simulate(COIN, "--games", "5", *words).code == 0
    rows = list(csv.DictReader(files["csv"].open()))
    assert [row["game"] for row in rows] == ["0", "1", "2", "3", "4"]
    assert {row["won by A"] for row in rows} <= {"1.0", "0.0"}
    lines = [json.loads(line) for line in files["lines"].read_text().splitlines()]
    assert [str(one["seed"]) for one in lines] == [row["seed"] for row in rows]
    assert files["markdown"].read_text().startswith("# coin: 5 games")


def test_a_report_asks_nothing_of_a_network_and_has_a_table_beside_each_chart(tmp_path):
    path = tmp_path / "report.html"
    simulate(COIN, "--games", "5", "--html", path, "--players", "random,steady")
    text = path.read_text()
    assert "<script" not in text
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert text.count("<svg") == text.count("</svg>") >= 3
    sections = text.split("<section>")[1:]
    assert all("<table>" in one for one in sections if "<svg" in one)


def test_an_extra_that_is_not_installed_is_named(monkeypatch):
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name="dask")

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(WrongUse) as refused, work_place(None, "local"):
        pass
    assert refused.value.help == "pip install './ruleloom-0.1.0-py3-none-any.whl[dask]'"


def test_a_stopped_run_is_resumed(tmp_path):
    store = tmp_path / "results.sqlite"
    simulate(COIN, "--games", "10", "--store", store)
    again = data_of(COIN, "--games", "20", "--store", store, "--resume")
    assert again["hash"] == data_of(COIN, "--games", "20")["hash"]


def test_another_number_is_found_and_the_threshold_ends_with_1():
    words = (COIN, "--against", "heads=4", "--games", "150")
    done = simulate(*words, "--threshold", "5%")
    assert done.code == 1
    assert "over the threshold: wins of A" in done.out
    assert simulate(*words, "--threshold", "90%").code == 0


def test_two_versions_of_a_pack(tmp_path):
    new = tmp_path / "coin"
    new.mkdir()
    for path in COIN.iterdir():
        text = path.read_text().replace("value: 7", "value: 3")
        (new / path.name).write_text(text)
    done = simulate("--compare", COIN, new, "--games", "100", "--format", "json")
    wins = next(one for one in json.loads(done.out)["figures"] if one["figure"] == "wins of A")
    assert wins["sure"]
    assert wins["difference"] < -0.2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--compare", COIN], "--compare takes two versions of a game"),
        (["--compare", COIN, FOLDER / "nim"], "is nim: two games cannot be compared"),
        (["no-such-pack", "--resume"], "--resume goes on with what is stored"),
        ([COIN, "--threshold", "5%"], "--threshold is for differences"),
        ([COIN, "--players", "human,random"], "games are simulated between bots"),
        ([COIN, "--players", "searching:0,random"], "has no budget that fits"),
        ([COIN, "--players", "greedy,random"], "the greedy bot cannot judge coin"),
        ([COIN, "--until", "many"], "`many` is no share"),
        ([COIN, "--set", "heads=11"], "heads"),
    ],
)
def test_wrong_use_is_refused_with_a_message(words, message):
    done = simulate(*words)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
