"""`ruleloom balance` as a command: what it prints, writes, keeps and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ruleloom.compiler import pipeline
from ruleloom.simulate.run_plan import GameRecord, RunPlan
from ruleloom.simulate.simulation import ResultsFile, Simulation
from tests.support.check_layer import schemas
from tests.support.command import Done, call
from tests.support.known_games import FOLDER
from tests.support.pack_examples import manifest, write

COIN, HANDS = FOLDER / "coin", FOLDER / "hands" / "game"
VIGOUR = FOLDER / "vigour"


def balance(*words: str | Path) -> Done:
    """Run it here, where the cards of the known game have a schema."""
    players = () if "--texts" in words else ("--players", "random,random")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "SCHEMAS", schemas(FOLDER / "hands"))
        return call("balance", *words, "--workers", "1", *players)


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


def test_a_run_of_seconds_ends_in_time_with_as_many_games_on_both_sides():
    done = balance(HANDS, "strong-0", "--seconds", "1", "--format", "json")
    (item,) = json.loads(done.out)["items"]
    assert item["difference"]["games"] == item["with"]["games"] == item["without"]["games"] > 0


def test_a_pack_that_changes_a_card_is_tried_with_that_card_in_hand(tmp_path):
    head = manifest("stronger", 'requires: {hands: ">=0.1"}', game="hands")
    patch = "- {kind: patch, id: more, target: 'hands:card/plain-0', set: {strength: 9}}\n"
    write(tmp_path, {"pack.yaml": head, "patch.yaml": patch})
    done = balance(HANDS, "plain-0", "--change", tmp_path, "--games", "120", "--format", "json")
    (item,) = json.loads(done.out)["items"]
    assert (item["how"], item["says"], item["met"]) == ("changed", "helps", 1.0)


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


# ---------------------------------------------------------------------------------- several at once


def test_several_comparisons_are_one_report_in_every_form(tmp_path):
    files = {name: tmp_path / f"report.{name}" for name in ("html", "markdown")}
    words = [word for name, path in files.items() for word in (f"--{name}", path)]
    asked = (COIN, "heads=3", "heads=5", "--games", "60", *words)
    done = balance(*asked)
    for told in (done.out, files["html"].read_text(), files["markdown"].read_text()):
        assert "What changed in play: heads=3" in told
        assert "What changed in play: heads=5" in told
    data = json.loads(balance(*asked, "--format", "json").out)
    assert [one["item"] for one in data["comparisons"]] == ["heads=3", "heads=5"]


def test_what_is_held_and_a_number_stand_in_one_document():
    found = json.loads(
        balance(HANDS, "strong-0", "least_players=2", "--games", "40", "--format", "json").out
    )
    assert [one["item"] for one in found["items"]] == ["strong-0"]
    assert [one["item"] for one in found["comparisons"]] == ["least_players=2"]


def test_items_of_a_kind_are_meant_whatever_else_has_their_name():
    assert call("balance", "gnostica", "grow", "--texts").code == 2  # a suit and a power
    done = call("balance", "gnostica", "--kind", "suit", "--texts")
    assert done.code == 0, done.err


def test_texts_of_which_none_has_all_of_another_are_said_to_have_been_compared():
    done = call("balance", "gnostica", "world", "fool", "--texts")
    assert "None of the 2 has all of another." in done.out


# ---------------------------------------------------------------------------------- broken off


def breaks_off(monkeypatch: pytest.MonkeyPatch, at_run: int, after: int) -> None:
    """Ctrl-C is pressed in one run, after so many of its games."""
    count, run = iter(range(1, 100)), Simulation.run

    def stopping(simulation: Simulation, most: int, *rest: object) -> object:
        if next(count) != at_run:
            return run(simulation, most, *rest)  # type: ignore[arg-type]
        run(simulation, after)
        raise KeyboardInterrupt

    monkeypatch.setattr(Simulation, "run", stopping)


def test_ctrl_c_keeps_the_items_that_are_done_and_the_pairs_of_the_one_that_is_not(monkeypatch):
    # Each item takes two runs: the second item's game with it is broken off.
    breaks_off(monkeypatch, at_run=4, after=30)
    words = ("strong-0", "weak-0", "plain-0", "--games", "60", "--format", "json")
    done = balance(HANDS, *words)
    assert done.code == 130
    assert "stopped at 2 of 3 items" in done.err
    games = {one["item"]: one["difference"]["games"] for one in json.loads(done.out)["items"]}
    assert games == {"strong-0": 60, "weak-0": 30}


def test_a_run_that_was_broken_off_goes_on_from_its_store(monkeypatch, tmp_path):
    store = tmp_path / "results.sqlite"
    asked = (HANDS, "strong-0", "weak-0", "--games", "40", "--format", "json")
    with pytest.MonkeyPatch.context() as patch:
        breaks_off(patch, at_run=3, after=10)
        done = balance(*asked, "--store", store)
    assert "--resume --store" in done.err
    played: list[GameRecord] = []
    add = ResultsFile.add

    def counted(file: ResultsFile, record: GameRecord) -> None:
        played.append(record)
        add(file, record)

    monkeypatch.setattr(ResultsFile, "add", counted)
    again = balance(*asked, "--store", store, "--resume")
    assert len(played) == 40 * 4 - 90  # 40 and 40 of the first item, 10 of the second
    monkeypatch.undo()
    assert again.out == balance(*asked).out


def test_the_game_as_it_is_is_played_once_for_all_numbers(monkeypatch):
    plans: list[RunPlan] = []
    run = Simulation.run

    def counted(simulation: Simulation, *rest: Any) -> list[GameRecord]:
        plans.append(simulation.plan)
        return run(simulation, *rest)

    monkeypatch.setattr(Simulation, "run", counted)
    balance(COIN, "heads=3", "heads=5", "heads=6", "--games", "10")
    assert len(plans) == 4


# ---------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such-pack", "x", "--resume"], "--resume goes on with what is stored"),
        ([HANDS, "strong-0", "--pairs"], "--pairs takes two items or more"),
        ([COIN, "heads=3", "heads=4", "--pairs"], "--pairs is for what players hold"),
        ([COIN, "heads=3", "--price", "cost"], "--price is for items, and `heads=3` is none"),
        ([COIN, "heads=3", "--to", "anna.gifts"], "--to is for items"),
        ([HANDS, "strong-0", "heads=3", "--texts"], "--texts is for items"),
        ([HANDS, "strong-0", "--texts"], "--texts compares items"),
        ([HANDS, "strong-0", "weak-0", "--texts", "--pairs"], "has no use for --pairs"),
        ([HANDS, "strong-0", "weak-0", "--texts", "--exact", "x"], "has no use for --exact"),
        ([HANDS, "strong-0", "--of", "me"], "--of is for odds"),
        ([HANDS, "strong-0", "--games", "4", "--seconds", "4"], "--games and --seconds both say"),
        ([COIN, "heads=3", "--change", HANDS], "--change is for items, and `heads=3` is none"),
        ([HANDS, "strong-0", "weak-0", "--change", HANDS, "--pairs"], "--change for one text"),
        ([HANDS, "strong-0", "--policy", "a=1"], "--policy is for odds"),
        ([VIGOUR, "rage", "--pairs"], "--pairs is for what players hold, and rage is in the game"),
    ],
)
def test_options_that_say_nothing_are_refused_before_anything_is_played(words, message):
    done = balance(*words)
    assert done.code == 2
    assert message in done.err
    assert "pairs of games" not in done.err


def test_a_price_of_what_nobody_holds_is_refused():
    # A setting is an item with a number, and nobody holds it; the coin cannot be thrown without it.
    words = ("balance", COIN, "least_players", "--price", "value")
    done = call(*words, "--players", "random,random", "--workers", "1")
    assert done.code == 2
    assert "nobody holds or buys least_players" in done.err
