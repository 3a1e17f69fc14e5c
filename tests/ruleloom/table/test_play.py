"""Games at the terminal: what is drawn, what can be typed, and that nothing gets lost."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import ruleloom
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Origin
from ruleloom.runtime.search.options import Option, Prompt
from ruleloom.table.canvas import Look, cut, fill, seen_width
from ruleloom.table.drawing import GnosticaTable, letters_of
from ruleloom.table.questions import AnswerNotUnderstood, forced, parse_answer
from ruleloom.table.seats import parse_seats
from tests.support.command import Done, call

PLAY = ("play", "gnostica")
FIRST = ("--switch", "first_player=by_agreement")


def play(*words: str | Path, typed: str = "") -> Done:
    return call(*PLAY, *words, typed=typed)


def prompt(
    *keys: str, kind: str = "choose", default: str | None = None, least: int = 1, most: int = 1
) -> Prompt:
    options = tuple(Option(key, key.title(), number) for number, key in enumerate(keys))
    usual = None if default is None else (default,)
    return Prompt(
        "1",
        kind,
        0,
        "x",
        "which one?",
        options,
        least,
        most,
        usual,
        usual,
        "",
        (),
        Origin("p", "f", 1, 1),
    )


# ---------------------------------------------------------------------------------- bots


def test_bots_play_to_the_end():
    done = play("--players", "greedy,random", "--seed", "7")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "Gnostica: A (greedy), B (random); seed 7"
    assert any(line.startswith("turn 1, ") for line in lines)
    assert lines[-1].startswith("The game is over after ")
    assert max(map(seen_width, lines)) <= 80
    assert play("--players", "greedy,random", "--seed", "7").out == done.out


def test_without_a_seed_one_is_drawn_and_told():
    found = re.search(r"seed (\d+)$", play("--players", "random,random").out.splitlines()[0])
    assert found
    again = play("--players", "random,random", "--seed", found[1])
    assert again.code == 0


def test_running_out_of_turns_is_not_winning():
    done = play("--players", "greedy,greedy", "--seed", "1", "--turn-limit", "3")
    assert done.code == 0
    assert done.out.splitlines()[-1] == "Unfinished after 3 turns: nobody has won."
    assert "turn 3, " in done.out
    assert "turn 4, " not in done.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play"], "which game"),
        (["play", "gnostca"], "gnostica"),
        ([*PLAY, "--players", "human"], "2 to 6 players"),
        ([*PLAY, "--players", "greddy,random"], "did you mean `greedy`?"),
        ([*PLAY, "--players", "A=random,A=random"], "same name"),
        ([*PLAY, "--players", "=random,random"], "cannot be a name"),
        ([*PLAY, "--switch", "bid_tie=x"], "no switch or setting `bid_tie`"),
        ([*PLAY, "--switch", "bid_ties=x"], "one of"),
        ([*PLAY, "--switch", "bid_ties"], "name=value"),
        ([*PLAY, "--resume", "nowhere.save"], "nowhere.save"),
        ([*PLAY, "--turn-limit", "0"], "turn-limit"),
    ],
)
def test_what_cannot_be_played_is_said(words: list[str], told: str):
    done = call(*words)
    assert done.code == 2
    assert told in done.err
    assert "Traceback" not in done.err


def test_settings_can_be_switched():
    assert play("--players", "random,random", "--seed", "1", "--switch", "target_score=1").code == 0
    done = play(
        "--players",
        "greedy,random",
        "--seed",
        "1",
        "--switch",
        "target_score=8",
        "--turn-limit",
        "1",
    )
    assert "/8 " in done.out


# ---------------------------------------------------------------------------------- people


def test_the_table_is_drawn_for_a_person():
    done = play("--players", "Ann=human,random", "--seed", "11", *FIRST, typed="ann\n")
    assert done.code == 0
    assert "Who goes first?" in done.out
    assert "Hand of Ann: " in done.out
    assert "draw pile 57, discard pile 0" in done.out
    assert "Where do you place your piece?" in done.out
    assert done.out.splitlines()[-1].startswith("The game is not finished, and not saved")
    assert re.search(r"^    B \(\w+\) +0/9 +6 ", done.out, re.M), "it is drawn how many cards B has"
    assert "draws" not in done.out, "and not told besides"
    assert "Hand of B" not in done.out


def test_answers_by_number_name_and_enter():
    done = play(
        "--players", "human,random", "--seed", "11", *FIRST, typed="1\n1/1\nnorthwest\nN\n\nquit\n"
    )
    assert "`northwest` is no option here" in done.out
    assert "turn 1, A: A puts a small piece, facing north, on Move 9" in done.out
    assert "(usual: Enter)" in done.out
    assert "A1↑" in done.out


def test_undo_goes_back_to_the_last_choice():
    done = play(
        "--players",
        "human,random",
        "--seed",
        "11",
        *FIRST,
        typed="1\n1/1\nundo\n2/2\nE\nundo\nW\n\n",
    )
    assert done.out.count("Where do you place your piece?") == 2
    assert "facing west, on Strength" in done.out
    assert "facing east, on Strength" in done.out
    assert "(taken back)" in done.out
    first = play("--players", "human,random", "--seed", "11", *FIRST, typed="undo\n")
    assert "nothing to take back" in first.out


def test_why_not_tells_the_reasons():
    done = play(
        "--players", "human,random", "--seed", "12", *FIRST, typed="2\nwhy not\n1\n1\n\nwhy not\n"
    )
    assert re.search(r"^  .*: needs: no piece stands on", done.out, re.M), done.out
    first = play("--players", "human,random", "--seed", "12", *FIRST, typed="why not\n")
    assert "everything that could be chosen here is on offer" in first.out


def test_looking_things_up():
    typed = "1\n?\n? 1/1\n? sun\n? 1\n? nothing\nhand\nboard\nlog\nhelp\nhlep\nwhy\nsave\n0\n99\n"
    done = play("--players", "human,random", "--seed", "11", *FIRST, typed=typed)
    assert done.code == 0
    assert "`? NAME` reads a card" in done.out
    assert "  Move 9\n" in done.out
    assert "  Sun\n" in done.out
    assert "there is no card `nothing`" in done.out
    assert "did you mean `help`?" in done.out
    assert "say where: save FILE" in done.out
    assert done.out.count("numbered 1 to 21") == 2


def test_several_people_do_not_see_each_others_cards():
    done = play("--players", "Ann=human,Ben=human", "--seed", "11", *FIRST, typed="\n1\n\n")
    head, _, rest = done.out.partition("Hand of Ann")
    assert "The keyboard goes to Ann" in head
    assert re.search(r"^    B Ben \(human\) +0/9 +6 ", head, re.M)
    assert "Hand of Ben" not in head + rest


def test_what_is_forced_is_said_aloud():
    """With one card in hand there is one bid."""
    done = play(
        "--players", "human,random", "--seed", "11", "--switch", "starting_hand=1", typed=""
    )
    assert re.search(
        r"Which card do you bid for the first turn\?  .* \(there is no other way\)", done.out
    )


# ---------------------------------------------------------------------------------- saved games


def test_a_game_is_kept_and_resumed(tmp_path: Path):
    path = tmp_path / "game.save"
    words = ("--players", "Ann=human,random", "--seed", "11", "--save", path, *FIRST)
    first = play(*words, typed="1\n1/1\n")
    assert f"ruleloom play --resume {path}" in first.out
    again = call("play", "--resume", path, typed="N\n\nquit\n")
    assert again.code == 0
    assert again.out.startswith("Gnostica, resumed after ")
    assert "Ann (human), B (random)" in again.out.splitlines()[0]
    assert "facing north, on Move 9" in again.out
    third = call(*PLAY, "--resume", path, typed="quit\n")
    assert "A1↑" in third.out
    assert "turn 3, " not in third.out


def test_resuming_says_what_differs(tmp_path: Path):
    pack, path = tmp_path / "my-pack", tmp_path / "game.save"
    pack.mkdir()
    manifest = 'kind: pack\nid: my-pack\nversion: 0.1.0\ngame: gnostica\nedition: 1\nrequires: {gnostica: ">=0.1"}\n'
    (pack / "pack.yaml").write_text(manifest, encoding="utf-8")
    words = (
        "--players",
        "random,random",
        "--seed",
        "3",
        "--turn-limit",
        "1",
        "--save",
        path,
        "--pack",
        pack,
    )
    assert play(*words).code == 0
    same = call("play", "--resume", path, "--pack", pack)
    assert (same.code, same.err) == (0, "")
    play(*words)
    (pack / "pack.yaml").write_text(manifest.replace("0.1.0", "0.2.0"), encoding="utf-8")
    assert (
        "my-pack was 0.1.0 and is 0.2.0 now" in call("play", "--resume", path, "--pack", pack).err
    )
    play(*words[:-2])
    assert call("play", "--resume", path).code == 0


@pytest.mark.parametrize("text", ["", "{}", "not a save", '{"ruleloom":"save","format":99}'])
def test_what_is_no_save_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "game.save"
    path.write_text(text, encoding="utf-8")
    for words in (["play", "--resume", str(path)], ["replay", str(path)]):
        done = call(*words)
        assert done.code == 2
        assert str(path) in done.err
        assert "Traceback" not in done.err


def test_a_place_that_cannot_be_written_is_refused_before_the_game(tmp_path: Path):
    done = play("--players", "human,random", "--save", tmp_path / "no" / "folder" / "game.save")
    assert done.code == 2
    assert "could not be saved" in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_keeps_the_old_save(tmp_path: Path):
    path = tmp_path / "game.save"
    path.write_text("old", encoding="utf-8")
    tmp_path.chmod(0o500)
    try:
        assert play("--players", "random,random", "--save", path).code == 2
        assert path.read_text(encoding="utf-8") == "old"
    finally:
        tmp_path.chmod(0o700)


def test_replay_tells_the_game_again(tmp_path: Path):
    path = tmp_path / "game.save"
    told = play("--players", "greedy,random", "--seed", "7", "--save", path)
    again = call("replay", path)
    assert again.code == 0
    turns = [line for line in told.out.splitlines() if line.startswith("turn ")]
    assert [line for line in again.out.splitlines() if line.startswith("turn ")] == turns
    verified = call("replay", path, "--verify")
    assert verified.code == 0
    assert verified.out.startswith("verified: ")
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    damaged = call("replay", path, "--verify")
    assert damaged.code == 1
    assert damaged.out.startswith("differs: ")


# ---------------------------------------------------------------------------------- parts


def test_words_for_answers():
    one = prompt("sun", "moon", "move1", default="moon")
    assert parse_answer("", one) == ("moon",)
    assert (
        parse_answer("1", one) == parse_answer("sun", one) == parse_answer("SUN", one) == ("sun",)
    )
    assert parse_answer("s", one) == ("sun",)
    for wrong in ("4", "0", "mo", "star"):
        with pytest.raises(AnswerNotUnderstood):
            parse_answer(wrong, one)
    some = prompt("sun", "moon", "star", kind="subset", least=0, most=3)
    assert parse_answer("1 3", some) == parse_answer("sun, star", some) == ("sun", "star")
    assert parse_answer("none", some) == ()
    assert parse_answer("all", some) == ("sun", "moon", "star")


def test_numbers_are_their_own_numbering():
    pips = prompt("0", "1", "2")
    assert parse_answer("0", pips) == ("0",)
    assert parse_answer("2", pips) == ("2",)
    with pytest.raises(AnswerNotUnderstood, match="0, 1, 2"):
        parse_answer("3", pips)


def test_what_is_forced():
    assert forced(prompt("sun")) == ("sun",)
    assert forced(prompt("sun", "moon")) is None
    assert forced(prompt("sun", kind="subset", least=0)) is None
    assert forced(prompt("sun", "moon", kind="subset", least=2, most=2)) == ("sun", "moon")


def test_seats():
    assert [(s.name, s.kind) for s in parse_seats("Ann=human, greedy,random")] == [
        ("Ann", "human"), ("B", "greedy"), ("C", "random"),
    ]  # fmt: skip
    assert [s.name for s in parse_seats("greedy,random", ["Zoe", "Yan"])] == ["Zoe", "Yan"]
    with pytest.raises(Refused, match="2 players"):
        parse_seats("greedy", ["Zoe", "Yan"])


def test_letters_tell_players_apart():
    assert letters_of(["Ann", "Ben"]) == ["A", "B"]
    assert letters_of(["Ann", "Alf"]) == ["A", "B"]
    assert letters_of(["Ýr", "Ben"]) == ["A", "B"]


def test_widths_count_what_is_seen():
    assert seen_width("e\u0301") == 1
    assert seen_width("塔") == 2
    assert cut("Wheel of Fortune", 8) == "Wheel o."
    assert fill("Sun", 5) == "Sun  "


def test_names_cannot_steer_the_screen():
    done = play("--players", "\x1b[2J=random,random", "--seed", "1")
    assert "\x1b" not in done.out
    assert "\\u001b" in done.out


def test_any_board_fits_the_screen():
    """Territories far apart, crowds, long names: never wider than 80 columns."""
    game = ruleloom.new_game("gnostica", players=["Ann", "Ben"], seed=1)
    layout = game.linked.layout
    board = layout.index["board"]
    cards = list(game.state.world[board].values())
    for step in (1, 2, 5):
        spread = type(game.state.world[board])(
            {(i * step - 6, i % 3): card for i, card in enumerate(cards)}
        )
        world = list(game.state.world)
        world[board] = spread
        world = list(game.linked.driver.operations["place"](tuple(world), 0, 3, (-6, 0), "up")[0])
        for look in (Look(), Look(plain=True)):
            lines = GnosticaTable(game.linked, look).board(game.state._replace(world=tuple(world)))
            assert max(map(seen_width, lines)) <= 80
            assert any("A3" in line for line in lines)
            assert all(line.isascii() for line in lines) or not look.plain


@pytest.mark.parametrize(
    ("seed", "code"), [(2**64 - 1, 0), (2**64, 2), (-(2**63), 0), (-(2**63) - 1, 2), (10**400, 2)]
)
def test_a_seed_has_at_most_64_bits(seed: int, code: int):
    done = call(
        "play", "gnostica", "--players", "random,random", "--turn-limit", "1", "--seed", str(seed)
    )
    assert done.code == code
    assert ("at most 64 bits" in done.err) == bool(code)
