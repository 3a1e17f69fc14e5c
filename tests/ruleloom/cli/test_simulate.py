"""`ruleloom simulate` and `ruleloom balance` as commands: what they print, write, and refuse."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ruleloom.compiler import pipeline
from tests.support.check_layer import schemas
from tests.support.command import Done, call
from tests.support.known_games import FOLDER

COIN, HANDS = FOLDER / "coin", FOLDER / "hands" / "game"
VIGOUR = FOLDER / "vigour"


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


def test_parquet_has_the_same_rows(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "games.parquet"
    simulate(COIN, "--games", "4", "--parquet", path)
    assert parquet.read_table(path).column("game").to_pylist() == [0, 1, 2, 3]


def test_an_extra_that_is_not_installed_is_named(monkeypatch):
    def missing(name: str) -> None:
        raise ImportError(name=name)

    monkeypatch.setattr("importlib.import_module", missing)
    from ruleloom.cli.faults import WrongUse
    from ruleloom.cli.simulate.running import bring_extra

    with pytest.raises(WrongUse) as refused:
        bring_extra("ruleloom.simulate.dask_cluster", "dask")
    assert refused.value.help == "pip install 'ruleloom[dask]'"


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
        (["--compare", COIN], "--compare takes two games"),
        ([COIN, "--resume"], "--resume goes on with what is stored"),
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


# ---------------------------------------------------------------------------------- balance


def balance(*words: str | Path) -> Done:
    """Run it here, where the cards of the known game have a schema."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "SCHEMAS", schemas(FOLDER / "hands"))
        return call("balance", *words, "--workers", "1", "--players", "random,random")


def test_a_planted_card_helps():
    done = balance(HANDS, "strong-0", "plain-0", "--games", "120", "--price", "cost")
    assert done.code == 0
    lines = {line.split()[0]: line for line in done.out.splitlines() if line.startswith("  ")}
    assert "helps" in done.out
    assert "strong-0" in lines
    assert "Against others of its price" in done.out


def test_balance_as_json_and_html(tmp_path):
    path = tmp_path / "balance.html"
    done = balance(HANDS, "weak-0", "--games", "100", "--format", "json", "--html", path)
    (item,) = json.loads(done.out)["items"]
    assert (item["item"], item["how"], item["says"]) == ("weak-0", "held", "hurts")
    assert "<svg" in path.read_text()


def test_pairs_are_looked_for():
    done = balance(HANDS, "strong-0", "strong-1", "--games", "60", "--pairs")
    assert "strong-0 and strong-1" in done.out


def test_a_number_in_balance_is_a_comparison():
    done = balance(COIN, "heads=3", "--games", "80")
    assert "as it is" in done.out
    assert "wins of A" in done.out


def exact_of_rage(text: str, of: str, *words: str) -> dict:
    """What it says exactly of rage, which adds 2 to a force of 0."""
    asked = ("--exact", text, "--of", of, *words)
    done = balance(VIGOUR, "rage", *asked, "--games", "2", "--format", "json")
    (found,) = json.loads(done.out)["exact"]
    return found


def test_what_dice_decide_is_exact():
    found = exact_of_rage("roll luck = 1d6\nlet total = luck + force(me)", "total")
    assert (found["without"]["mean"], found["with"]["mean"]) == ("7/2", "11/2")
    assert found["with"]["chances"] == {str(total): "1/6" for total in range(3, 9)}


def test_three_blows_by_a_policy_are_exact():
    # With two hands, a blow is twice a die and twice the force: three are 21, and 12 more in rage.
    blows = "use blow\nuse blow\nuse blow"
    found = exact_of_rage(blows, "struck(me)", "--policy", "stance=2")
    assert (found["without"]["mean"], found["with"]["mean"]) == ("21", "33")
    assert found["without"]["chances"]["6"] == "1/216"  # three ones
    assert found["without"]["chances"]["8"] == "1/72"  # two ones and a two, in three orders
    assert found["with"]["chances"]["18"] == "1/216"


def test_what_is_exact_stands_before_what_was_played():
    text = "roll luck = 1d6\nlet total = luck + force(me)"
    done = balance(VIGOUR, "rage", "--exact", text, "--of", "total", "--games", "2")
    exact, played = "Exactly, without it: total (rage)", "What changed in play"
    assert exact in done.out
    assert done.out.index(exact) < done.out.index(played)
    assert "exact, and not estimated" in done.out


def test_what_is_held_has_no_exact_odds_of_its_own():
    done = balance(HANDS, "strong-0", "--exact", "roll luck = 1d6")
    assert done.code == 2
    assert "the odds are the same with and without strong-0" in done.err


def test_an_item_that_is_not_there():
    done = balance(HANDS, "strong-77")
    assert done.code == 2
    assert "there is no item `strong-77`" in done.err


def exactly(*words: str) -> Done:
    """The exact figures of a whetstone in the known game `strikes`, and four pairs of games."""
    return balance(FOLDER / "strikes", "whetstone", "--games", "4", "--exact", *words)


@pytest.mark.parametrize(
    ("text", "policy", "without", "gain"),
    [
        # 1d6, kept as it falls
        ("use strike", "again=0", "7/2", "1"),
        # 1 to 3 are thrown again: half of 5, and half of 3 1/2
        ("use strike", "again=best:hurt(seat_after(me))", "17/4", "1"),
        # three rolls of a round, merged
        ("repeat 3 times:\n    use strike", "again=best:hurt(seat_after(me))", "51/4", "3"),
    ],
)
def test_exact_figures_are_those_worked_out_by_hand(text, policy, without, gain):
    asked = ("--of", "hurt(seat_after(me))", "--policy", policy)
    (figure,) = json.loads(exactly(text, *asked, "--format", "json").out)["exact"]
    assert (figure["item"], figure["of"]) == ("whetstone", "hurt(seat_after(me))")
    assert (figure["without"]["mean"], figure["gain"]) == (without, gain)


def test_exact_figures_stand_before_play_and_say_that_they_are_exact(tmp_path):
    path = tmp_path / "report.md"
    words = ("repeat 3 times:\n    use strike", "--of", "hurt(seat_after(me))")
    out = exactly(*words, "--policy", "again=0", "--markdown", str(path)).out
    for told in (out, path.read_text()):
        first, second = told.index("it makes 3 more on average, exactly"), told.index("in play")
        assert first < second
        assert "exact, and not estimated" in told


def test_what_cannot_be_exact_is_refused():
    done = balance(HANDS, "strong-0", "--games", "2", "--exact", "roll luck = 1d6")
    assert done.code == 2
    assert "the odds are the same with and without strong-0 as it is tried" in done.err
