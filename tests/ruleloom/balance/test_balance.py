"""Balance: items that were planted strong or weak are found, others are not; prices, pairs, texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.simulate.balance.dominance import dominances
from ruleloom.simulate.balance.item_trials import (
    BOUGHT,
    CHANGED,
    HELD,
    IN_GAME,
    SETTING,
    ItemTrial,
    NoTrial,
    TrialGround,
    changed_trial,
    trial_of,
)
from ruleloom.simulate.balance.verdicts import (
    NOT_MET,
    STRONG,
    TOO_ALIKE,
    UNSURE,
    WEAK,
    ItemVerdict,
    beaten_in_play,
    out_of_line,
    together,
    verdict,
)
from ruleloom.simulate.intervals import Contrast, Estimate, sure_together
from ruleloom.simulate.run_plan import GameRecord
from ruleloom.simulate.simulation import Simulation
from tests.support.known_games import HERE, compiled, plan_for
from tests.support.pack_examples import manifest, write

HANDS = TrialGround(("hands",), compiled("hands"), plan_for())


def tried(trial: ItemTrial, games: int) -> ItemVerdict:
    """The verdict on an item after so many pairs of games."""
    without, with_it = (
        Simulation(sent, plan, HERE).run(games) for sent, plan in (trial.without, trial.with_it)
    )
    rotates = trial.with_it[1].rotates
    return verdict(trial.name, trial.how, trial.price, without, with_it, rotates)


def verdicts(names: list[str], games: int) -> dict[str, ItemVerdict]:
    """Those on several items, taken together."""
    found = [tried(trial_of(HANDS, name, price="cost"), games) for name in names]
    return {one.name: one for one in together(found)}


def test_the_two_sides_differ_in_who_holds_the_card():
    trial = trial_of(HANDS, "strong-0")
    assert trial.how == HELD
    (sent, lack), (_, have) = trial.without, trial.with_it
    with_it = Simulation(sent, have, HERE).run(6)
    without = Simulation(sent, lack, HERE).run(6)
    assert [one.number % 2 in one.held["strong-0"] for one in with_it] == [True] * 6
    assert not any("strong-0" in one.held for one in without)


def test_planted_cards_are_found_and_plain_ones_are_not():
    found = verdicts(["strong-0", "weak-0", "plain-0", "plain-1"], 150)
    says = {name: one.says for name, one in found.items()}
    assert says == {"strong-0": STRONG, "weak-0": WEAK, "plain-0": UNSURE, "plain-1": UNSURE}


@pytest.mark.slow
def test_nine_of_ten_planted_cards_are_found_and_no_plain_one():
    planted = [f"{sort}-{number}" for sort in ("strong", "weak") for number in range(5)]
    plain = [f"plain-{number}" for number in range(20)]
    found = verdicts([*planted, *plain], 200)
    right = {"strong": STRONG, "weak": WEAK}
    assert sum(found[name].says == right[name.partition("-")[0]] for name in planted) >= 9
    assert [name for name in plain if found[name].sure] == []


@pytest.mark.parametrize(
    ("low", "high", "says"), [(0.01, 0.19, STRONG), (-0.01, 0.21, UNSURE), (0.0, 0.2, UNSURE)]
)
def test_what_is_sure_by_its_ranks_is_not_sure_where_the_interval_shown_holds_zero(low, high, says):
    (one,) = verdicts(["strong-0"], 150).values()
    assert one.says == STRONG
    assert replace(one, difference=Estimate(0.1, low, high, 150)).says == says


def test_a_strong_card_of_the_same_price_is_out_of_line_and_beats_others():
    found = list(verdicts(["strong-0", "plain-0", "plain-1", "weak-0"], 150).values())
    assert {one.name: one.sure for one in out_of_line(found)}["strong-0"]
    beaten = {(one.worse, one.better) for one in beaten_in_play(found)}
    assert ("weak-0", "strong-0") in beaten
    assert ("plain-0", "plain-1") not in beaten


def test_a_number_is_tried_as_a_setting():
    coin = TrialGround(("coin",), compiled("coin"), plan_for())
    trial = trial_of(coin, "heads=5")
    assert trial.how == SETTING
    (old, new) = (
        Simulation(sent, plan, HERE).run(200) for sent, plan in (trial.without, trial.with_it)
    )
    assert sum(one.won(0) for one in old) - sum(one.won(0) for one in new) > 20


def test_figures_of_several_items_are_sure_among_all_of_them():
    one = Contrast("wins", 0.5, 0.6, Estimate(0.1, 0.01, 0.19, 100), 0.03, True)
    assert [sure_together([[one]])[0][0].sure, sure_together([[one], [one]])[0][0].sure] == [
        True,
        False,
    ]


def test_an_item_that_nobody_holds_is_in_the_game_or_not():
    packs = ("gnostica",)
    ground = TrialGround(packs, compile_paths(packs, texts=True, scenarios=False), plan_for())
    trial = trial_of(ground, "affected")
    assert trial.how == IN_GAME
    assert trial.without[0].key != trial.with_it[0].key


def test_an_item_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(NoTrial, match="there is no item `strong-9`") as refused:
        trial_of(HANDS, "strong-9")
    assert "strong" in (refused.value.help or "")


# ---------------------------------------------------------------------------------- what carries a verdict


def game(number: int, winner: int | None = None, **more: Any) -> GameRecord:
    """One game between two, won by a seat or not."""
    winners = () if winner is None else (winner,)
    return GameRecord(number, 0, ("random", "random"), winners, "", "", 1, 1, **more)


def of_pairs(lost_with_it: int, of: int, how: str = BOUGHT, **more: Any) -> ItemVerdict:
    """The verdict on an item where seat 0 won all games without it, and lost some with it."""
    without = [game(number, 0) for number in range(of)]
    with_it = [game(number, int(number < lost_with_it), **more) for number in range(of)]
    (found,) = together([verdict("charm", how, None, without, with_it, False)])
    return found


@pytest.mark.parametrize(("differ", "says"), [(0, TOO_ALIKE), (5, TOO_ALIKE), (6, WEAK)])
def test_a_verdict_rests_on_six_pairs_that_differ_or_more(differ, says):
    found = of_pairs(differ, 20)
    assert (found.differ, found.says) == (differ, says)


def test_what_nobody_has_met_has_no_verdict_whatever_else_differs():
    assert of_pairs(20, 20, HELD).says == NOT_MET
    met = of_pairs(20, 20, HELD, offers={"charm": (1, 0, 0)})
    assert (met.says, met.use.met, met.use.used) == (WEAK, 1.0, 0.0)


def test_what_was_used_read_and_never_done_is_told():
    offers = {
        "g:card/charm: do": (2, 0, 0),
        "g:card/charm: skip": (2, 2, 0),
        "g:card/x: do": (1, 0, 0),
    }
    use = of_pairs(6, 10, used={"charm": (0,)}, reached=(1,), read=("charm",), offers=offers).use
    assert (use.used, use.read, use.never) == (1.0, 1.0, ("do",))
    assert of_pairs(6, 10).use.read is None  # no game was watched


def test_a_game_that_nobody_has_won_counts_by_how_one_stands():
    without = [game(number, standings=(number % 3, 0)) for number in range(12)]
    with_it = [game(number, standings=(number % 3 + 20, 0)) for number in range(12)]
    found = verdict("charm", BOUGHT, None, without, with_it, False)
    assert found.judged
    assert found.differ == 12
    assert found.difference.low > 0


def test_what_a_pack_makes_of_a_card_is_tried_by_somebody_who_has_it_in_both_games():
    trial = changed_trial(HANDS, "plain-0", HANDS.compiled, None, None)
    (_, before), (_, after) = trial.without, trial.with_it
    assert trial.how == CHANGED
    assert before.placement is not None
    assert before.placement == after.placement
    assert before.placement.held
    with pytest.raises(NoTrial, match="no list of an item"):
        changed_trial(HANDS, "plain-0", HANDS.compiled, "strong-0.strength", None)


def test_only_what_is_held_is_judged_after_some_turns():
    ground = replace(HANDS, hand_turns=6)
    assert trial_of(ground, "plain-0").with_it[1].turn_limit == 6
    assert trial_of(ground, "least_players=2").with_it[1].turn_limit == ground.plan.turn_limit


# ---------------------------------------------------------------------------------- texts

ONE = 'optional "draw":\n    use redraw'
SUITS = {
    "plain": ONE,
    "richer": f'{ONE}\noptional "turn":\n    use orient_minion',
    "dearer": "use redraw\nuse orient_minion",
}


def content_with(texts: dict[str, str], tmp_path) -> Content:
    """Gnostica with majors of these texts."""
    items = "".join(
        f"- kind: major\n  id: {name}\n  title: {name.title()}\n  number: {80 + place}\n"
        + "  effect: |\n"
        + "".join(f"    {line}\n" for line in text.splitlines())
        for place, (name, text) in enumerate(texts.items())
    )
    head = manifest("extra", 'requires: {gnostica: ">=1.0"}', game="gnostica")
    write(tmp_path, {"pack.yaml": head, "cards.yaml": items})
    content = compile_paths([tmp_path]).content
    assert content is not None
    return content


def test_a_text_that_has_more_that_may_be_left_out_can_do_all(tmp_path):
    content = content_with(SUITS, tmp_path)
    items = [one for one in content.by_kind("major") if one.pack == "extra"]
    found = [(one.worse, one.better, one.why) for one in dominances(items, None)]
    assert found == [("plain", "richer", "has it and more that may be left out")]


def test_texts_that_differ_in_numbers_only_are_told(tmp_path):
    texts = {
        "twice": "repeat 2 times:\n    use redraw",
        "thrice": "repeat 3 times:\n    use redraw",
    }
    items = [one for one in content_with(texts, tmp_path).by_kind("major") if one.pack == "extra"]
    (found,) = dominances(items, None)
    assert (found.worse, found.better, found.numbers) == ("thrice", "twice", (("3", "2"),))
