"""`ruleloom why`: what it prints of a number, what may be asked, and what happens to wrong
words."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ruleloom.output.derivation_text import WIDTH, derivation_text, text_of
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.finding import Finding
from ruleloom.runtime.program.program import Origin
from tests.conftest import ROOT
from tests.runtime.test_reckoning import pack
from tests.support.command import call
from tests.support.pack_examples import write

OTHERS = """\
- {kind: character, id: ann, title: Ann}
- {kind: character, id: bo-bo, title: Big Bo, start: {Agl: 3}, gifts: [{advantage: my-luck, points: 1}]}
"""


@pytest.fixture(scope="module")
def camp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(tmp_path_factory.mktemp("camp"), OTHERS)


def told(*words: str | Path) -> str:
    done = call("why", *words)
    assert (done.code, done.err) == (0, "")
    return done.out


def refused(*words: str | Path) -> str:
    done = call("why", *words)
    assert (done.code, done.out) == (2, "")
    return done.err


def test_a_number_part_by_part(camp: Path):
    out = re.sub(
        r"(moonstone/\w+\.yaml):\d+", r"\1:0", told(camp / "mira.yaml", "PR", "--depth", "1")
    )
    assert [line.split() for line in out.splitlines()] == [
        ["PR", "of", "Mira", "=", "28"],
        ["bought", "pr", "of", "Mira", "2", "mira.yaml:2"],
        ["Agl", "over", "15", "+15", "moonstone/statistics.yaml:0"],
        ["bark", "hide", "+5"],
        ["things.yaml:14,", "moonstone/keywords.yaml:0"],
        ["mail", "+8", "things.yaml:28"],
        ["leather", "(a", "better", "worn", "counts)", "(+3)", "things.yaml:29"],
        ["rags", "-2", "things.yaml:30"],
        [],
        ["--depth", "2", "shows", "more"],
    ]
    ends = {
        line.index(one) + len(one)
        for line, one in zip(out.splitlines()[1:], ("  2", "+15", "+5"), strict=False)
    }
    assert len(ends) == 1, "numbers stand under one another"


def test_what_all_comes_to_is_told_where_more_is_done_than_adding(camp: Path):
    assert "x 1/2  -> 1/2" in " ".join(
        told(camp / "mira.yaml", "taken(my_frost)").split(" ")
    ).replace("   ", "  ")
    assert "->" not in told(camp / "mira.yaml", "PR", "--depth", "1")


def test_a_file_a_folder_and_one_of_several(camp: Path):
    assert told(camp / "mira.yaml", "Init").startswith("Init of Mira = 3\n")
    heads = [line for line in told(camp / "others.yaml", "Init").splitlines() if "=" in line]
    assert heads == ["Init of Ann = 0", "Init of Big Bo = -2"]
    assert told(camp, "Init").count("Init of") == 3
    for name in ("bo-bo", "bo_bo", "big bo"):
        assert told(camp, "Init", "--of", name).startswith("Init of Big Bo = -2\n")
    message = refused(camp, "Init", "--of", "mirra")
    assert "there is no character `mirra`" in message
    assert "did you mean `mira`?" in message
    assert "defines no character" in refused(camp / "things.yaml", "Init")


def test_a_character_is_found_by_all_ways_to_write_its_file(
    camp: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(camp)
    assert (
        told("mira.yaml", "Init") == told("./mira.yaml", "Init") == told(camp / "mira.yaml", "Init")
    )


def test_values_in_parentheses(camp: Path):
    mira = camp / "mira.yaml"
    assert told(mira, "score(Str)").startswith("Str of Mira = 17\n")
    assert told(mira, " score ( Str ) ").startswith("Str of Mira = 17\n")
    assert told(mira, "fine_with(Str, my-sabres)").startswith(
        "the fine score of Mira in Sabres with Str"
    )
    assert told(mira, "fine(Sabres)") == told(mira, "fine(my-sabres)")
    assert told(mira, "has(my_bark_hide)").startswith("Mira has Bark hide = yes\n")
    assert told(mira, "has(my-bark-hide)") == told(mira, "has(mira, bark hide)")
    assert told(mira, "gain_at(9)").startswith("what 9 returns as a raw score = 9")
    assert told(mira, "cv") == told(mira, "CV")


@pytest.mark.parametrize(
    ("asked", "message", "help"),
    [
        ("PRR", "there is no stat, measure, rule or table `PRR`", "did you mean `PR`?"),
        ("score(Strr)", "`Strr` cannot be `which`: expected one of `Int`", "did you mean `Str`?"),
        ("score", "`score` takes 1 value in parentheses, not none", 'write "score(which)"'),
        ("PR(1, 2)", "`PR` takes no values in parentheses, not 2", 'write "PR"'),
        ("fine(my-sabrs)", "there is no ability `my-sabrs`", "did you mean `my-sabres`?"),
        ("gain_at(x)", "`x` cannot be `by`: expected a whole number", ""),
        ("PR(", "`PR(` is not the name of a number", "write its name"),
        ("", "`` is not the name of a number", "write its name"),
    ],
)
def test_wrong_words(camp: Path, asked: str, message: str, help: str):
    err = refused(camp / "mira.yaml", asked)
    assert f"ruleloom: {message}" in err
    assert help in err


def test_of_is_for_things_only(camp: Path):
    assert "leave out --of" in refused(camp, "gain_at(3)", "--of", "mira")


def test_what_brings_nothing_is_left_out_unless_all_is_asked_for(camp: Path):
    few, all_ = told(camp / "mira.yaml", "Init"), told(camp / "mira.yaml", "Init", "--all")
    assert "Agl under 5" not in few
    assert "Agl under 5 (not so: Agl of Mira <\n    low score (5))" in all_
    assert "the price of Wil" not in told(camp / "mira.yaml", "CV")
    assert "the price of Wil" in told(camp / "mira.yaml", "CV", "--all")


def test_deeper_where_it_is_asked_for(camp: Path):
    def deepest(depth: int) -> int:
        lines = told(camp / "mira.yaml", "CV", "--depth", str(depth)).splitlines()
        return max(len(line) - len(line.lstrip()) for line in lines if line.strip())

    assert deepest(1) < deepest(2) < deepest(5)
    assert "shows more" not in told(camp / "mira.yaml", "CV", "--depth", "12")
    assert call("why", camp, "CV", "--depth", "99").code == 2


def test_nothing_is_wider_than_a_screen(camp: Path):
    lines = told(camp, "CV", "--depth", "4", "--all").splitlines()
    assert len(lines) > 50
    assert max(map(len, lines)) <= WIDTH


def data(*words: str | Path) -> Any:
    return json.loads(told(*words, "--format", "json"))


def test_as_data(camp: Path):
    [found] = data(camp / "mira.yaml", "taken(my_frost)")
    assert found["value"] == "1/2"
    assert [(part["label"], part["does"], part["value"]) for part in found["parts"]] == [
        ("to begin with", "by", 1),
        ("resistant", "times", "1/2"),
    ]
    assert found["parts"][1]["at"][0]["path"] == "things.yaml"
    [found] = data(camp / "mira.yaml", "PR")
    assert found["value"] == 28
    [leather] = [part for part in found["parts"] if part["label"] == "leather"]
    assert (leather["counts"], leather["why"]) == (False, "a better worn counts")


def test_colour_only_where_it_is_wanted(camp: Path):
    assert "\x1b" not in told(camp / "mira.yaml", "PR")
    assert "\x1b[1mPR of Mira" in told(camp / "mira.yaml", "PR", "--color", "always")


def test_hostile_names_are_spelled_out(tmp_path: Path):
    evil = '{kind: character, id: evil, title: "E\\u202Evil", start: {Agl: 20}}\n'
    folder = pack(tmp_path, f"- {evil}")
    out = told(folder / "others.yaml", "PR", "--all", "--depth", "3")
    assert "\u202e" not in out
    assert "\\u202e" in out
    found = Finding(
        "x\x1b[31m", 1, parts=(Finding("y\x07", 1, why="z\x08", via=(Origin("p", "q\x1b", 1, 1),)),)
    )
    assert not {"\x1b", "\x07", "\x08"} & set("".join(derivation_text(found, "p", False)))


def test_packs_with_mistakes_have_no_numbers(tmp_path: Path):
    folder = pack(tmp_path)
    write(folder, {"others.yaml": "{kind: character, id: ann, title: Ann, gear: [mial]}\n"})
    done = call("why", folder, "PR")
    assert done.code == 1
    assert "mial" in done.out


def test_a_number_of_a_character_who_is_not_legal_is_told(tmp_path: Path):
    folder = pack(tmp_path, "- {kind: character, id: ann, title: Ann, start: {Str: 30}}\n")
    assert told(folder / "others.yaml", "CV").startswith("CV of Ann = ")


HOUSE = """\
- {kind: measure, id: room, gives: Int, is: "count(minions) + target_score", english: room}
- {kind: measure, id: square, takes: "n: Int", gives: Int, is: "n * n", english: "{n} times itself"}
- {kind: measure, id: height, takes: "p: Piece", gives: Int, is: "pips(p)", english: "how high {p} is"}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    manifest = "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
    write(tmp_path, {"pack.yaml": manifest, "numbers.yaml": HOUSE})
    return tmp_path


def test_a_game_that_is_played_has_numbers_too(house: Path):
    assert told(house, "room").splitlines()[:2] == [
        "room = 9",
        "  target score  9  gnostica/settings.yaml:5",
    ]
    assert told(house, "square(-12)").startswith(
        "-12 times itself = 144\n  n    -12\n  n  x -12  -> 144\n"
    )
    assert told("gnostica", "value", "--of", "sun").startswith(
        "the value of Sun = 3\n  major value  3  settings.yaml:"
    )


def test_what_cannot_be_worked_out(house: Path):
    done = call("why", house, "square(999999999999999)")
    assert (done.code, done.out) == (1, "")
    assert "`square` cannot be computed: a number beyond 2^53" in done.err
    assert "numbers.yaml:2" in done.err
    assert "`p` is a Piece, which cannot be typed here" in refused(house, "height(a)")


def test_what_is_not_there_before_the_game_begins(house: Path, monkeypatch: pytest.MonkeyPatch):
    def nothing(*_: Any) -> Finding:
        raise TypeError("none is no number")

    monkeypatch.setattr(Reckoning, "function", nothing)
    done = call("why", house, "room")
    assert done.code == 1
    assert (
        "`room` cannot be computed: it needs what is not there before the game begins" in done.err
    )


def test_other_verbs_do_not_wait_for_it():
    code = "import sys\nfrom ruleloom.cli.verbs import start\nstart(['explain', 'unknown-name'])\n"
    code += "print([m for m in sys.modules if m in ('ruleloom.runtime.explain.derivation', 'ruleloom.cli.why.why', 'ruleloom.cli.why.number_query')])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "yes"), (False, "no"), (None, "none"), (3, "3"), ("a\x1b", "a\\u001b")],
)
def test_values_as_texts(value: Any, text: str):
    assert text_of(value) == text
