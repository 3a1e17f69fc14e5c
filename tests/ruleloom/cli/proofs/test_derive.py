"""Derived cases pass as they stand, each fails under the change that it names, and what cannot be
derived says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.scenarios.derive.mutate import file_of_cases
from tests.conftest import ROOT
from tests.support.command import Done, call
from tests.support.pack_examples import manifest, write

GAME = """\
- kind: vocabulary
  game: feud
  entities:
    Player:
      noun: [player, players]
      max: 3
      fields: {side: {type: Int, min: 0, max: 9}, hurt: {type: Int, min: 0, max: 99}, here: {type: Bool}}
  scope:
    me: {type: Player, life: game, english: you}
  operations:
    harm:
      params: {who: Player, much: Int}
      sets: {hurt(who): hurt(who) + much}
      english: "hurt {who} by {much}"
      log: "{who} loses {much}"
    join:
      params: {who: Player, what: Int}
      sets: {side(who): what, here(who): "yes"}
      english: "{who} joins side {what}"
      log: "{who} joins side {what}"
- {kind: setting, id: least_players, value: 3, min: 3, max: 3, english: the fewest players}
- kind: power
  id: sting
  gloss: sting a foe
  effect: |
    choose whom from players where here(whom) and side(whom) != side(me) and hurt(whom) * 4 < 27 "Whom?"
    harm(whom, 2)
- {kind: power, id: nod, gloss: nod, effect: say "a nod"}
- {kind: power, id: unused, gloss: bow, effect: use sting}
- kind: flow
  id: set_up
  effect: |
    for each who in players: join(who, 1)
- kind: flow
  id: turn
  effect: |
    use nod
    use unused
    if hurt(me) > 9: finish drawn "enough"
"""
SCENARIOS = """\
kind: scenarios
cases:
  - id: somebody-is-stung
    given:
      state: {A: {here: yes, side: 1, hurt: 0}, B: {here: yes, side: 2, hurt: 1}, C: {here: yes, side: 1, hurt: 0}}
    when: [{do: use sting, answers: {whom: B}}]
    then: {numbers: {B: {hurt: 3}}}
"""


@pytest.fixture
def feud(tmp_path: Path) -> Path:
    files = {
        "pack.yaml": manifest("feud", game="feud"),
        "game.yaml": GAME,
        "scenarios.yaml": SCENARIOS,
    }
    write(tmp_path / "feud", files)
    return tmp_path / "feud"


def cases_of(done: Done) -> list[dict[str, Any]]:
    assert done.code == 0, done.out + done.err
    return list(yaml.safe_load(done.out)["cases"])


def test_none_one_and_two_candidates(feud: Path):
    cases = cases_of(call("test", feud, "--derive", "sting"))
    then = [case["then"] for case in cases]
    assert {"unasked": ["whom"]} in then
    for offered in (["B"], ["B", "C"]):
        assert {"asked": {"name": "whom", "of": "A", "offered": offered}} in then
    assert all(case["note"].startswith("derived from what the machine does now") for case in cases)


def test_every_part_of_the_condition_is_proved(feud: Path):
    done = call("test", feud, "--derive", "sting")
    for part in (
        "without `here(whom)`",
        "without `side(whom) != side(me)`",
        "without `hurt(whom) * 4 < 27`",
    ):
        assert f"proves: a case fails {part}\n" in done.err
    # 6 * 4 < 27, and 7 * 4 is not.
    given = [case["given"]["state"] for case in cases_of(done)]
    assert {6, 7} <= {state[who]["hurt"] for state in given for who in "BC"}


def test_what_is_written_passes_and_fails_when_the_filter_is_another_one(feud: Path):
    file = feud / "derived" / "deeper" / "cases.yaml"  # in folders that are made
    done = call("test", feud, "--derive", "power/sting", "--write", file)
    assert done.code == 0
    assert "read it, then keep it" in file.read_text(encoding="utf-8")
    assert call("test", file).code == 0
    assert call("check", feud).code == 0
    game = feud / "game.yaml"
    for gone in ("here(whom) and ", " != side(me)", " and hurt(whom) * 4 < 27"):
        text = GAME.replace(gone, " = side(me)" if "side" in gone else "")
        assert text != GAME
        game.write_text(text, encoding="utf-8")
        assert call("test", file).code == 1, gone


def test_a_file_that_is_there_is_kept(feud: Path):
    done = call("test", feud, "--derive", "sting", "--write", feud / "game.yaml", together=True)
    assert done.code == 2
    assert "is never overwritten" in done.out
    assert (feud / "game.yaml").read_text(encoding="utf-8") == GAME


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--derive", "nod"], 1, "`nod` has no condition, number or printed word"),
        (["--derive", "stingg"], 2, "there is no item `stingg`"),
        (["--write", "x.yaml"], 2, "none are derived"),
    ],
)
def test_what_cannot_be_derived_says_why(feud: Path, words: list[str], code: int, message: str):
    done = call("test", feud, *words, together=True)
    assert done.code == code
    assert message in done.out


def test_without_a_table_to_begin_from_it_says_so(feud: Path):
    (feud / "scenarios.yaml").unlink()
    done = call("test", feud, "--derive", "sting", together=True)
    assert done.code == 1
    assert "no known table brings `sting` into play: write one case that uses it" in done.out


STOP_OVER = """\
- kind: power
  id: stop_over
  gloss: name the inn
  effect: |
    ask me for text inn "Where?"
    choose whom from players where hurt(whom) < 3 "Whom?"
    harm(whom, 2)
"""


@pytest.mark.parametrize("id", ["stop_over", "stop-over"])
@pytest.mark.filterwarnings("error::FutureWarning")
def test_an_item_whose_name_has_two_words_and_which_asks_for_a_text(feud: Path, id: str):
    game = GAME.replace("use unused", "use unused\n    use stop_over")
    (feud / "game.yaml").write_text(game + STOP_OVER.replace("stop_over", id), encoding="utf-8")
    scenarios = SCENARIOS.replace("use sting, answers: {", "use stop_over, answers: {inn: Ox, ")
    (feud / "scenarios.yaml").write_text(scenarios, encoding="utf-8")
    done = call("test", feud, "--derive", id)
    then = [case["then"] for case in cases_of(done)]
    assert {"asked": {"name": "whom", "of": "A", "offered": ["B", "C"]}} in then
    assert "proves: a case fails without `hurt(whom) < 3`" in done.err


def test_a_card_of_gnostica(tmp_path: Path):
    done = call("test", "gnostica", "--derive", "hierophant")
    assert "proves: a case fails without `supplied(me, pips(piece))`" in done.err
    (tmp_path / "derived.yaml").write_text(done.out, encoding="utf-8")
    assert call("test", tmp_path / "derived.yaml", "--game", "gnostica").code == 0


@pytest.mark.slow
def test_an_advantage_of_a_homebrew_pack_for_moonstone(tmp_path: Path):
    pack = ROOT / "rulesets" / "examples" / "salt-and-lanterns"
    done = call("test", pack, "--derive", "long-breath")
    assert "proves: a case fails without `much > 10`" in done.err
    assert any("two-copies" in case["id"] for case in cases_of(done))


KEYS = st.from_regex("[a-z]{1,8}", fullmatch=True)
plain = st.recursive(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=12)
    | st.integers(-999, 999)
    | st.sampled_from(["yes", "1/2", "true", "5", "a b", "a: b", "- a", "x#2", "# x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(plain)
def test_what_is_written_reads_back_the_same(value: Any):
    case = {
        "id": "x",
        "note": "n",
        "given": {"state": value},
        "when": [{"do": "a\nb"}],
        "then": {"numbers": value},
    }
    root = compose(Source("x.yaml", file_of_cases([case], "remark")), Report())
    assert root is not None
    read: Any = to_data(root)
    assert read["cases"][0] == {**case, "when": [{"do": "a\nb\n"}]}
