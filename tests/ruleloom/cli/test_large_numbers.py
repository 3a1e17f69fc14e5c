"""Numbers beyond 2^53 are told where they come about, in every command that works numbers out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest, write

RULES = """\
- {kind: stat, id: heft, takes: "who: Character", is: "3", english: "the heft of {who}"}
- {kind: standing, id: bulk, for: Character, abilities: "modify heft(self) by 999999999999999 * score(self, Agl) * score(self, Agl)"}
- {kind: character, id: tova, title: Tova, start: {Agl: 14}, text: "A ferrywoman."}
"""
LIGHT = '- {kind: requirement, id: light, of: "who: Character", holds: "heft(who) < 9", english: "{who} is light"}\n'
CASE = """\
kind: scenarios
cases:
  - id: heavy
    given: {things: {mage: {kind: character, start: {Str: 9}}}}
    then: {numbers: {heft: 3}}
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    write(tmp_path, {"pack.yaml": manifest("bulky", game="moonstone"), "rules.yaml": RULES})
    return tmp_path


def test_a_requirement_says_so_at_what_it_asks_for(pack: Path):
    (pack / "light.yaml").write_text(LIGHT)
    out = call("check", pack, "--format", "concise").out
    column = LIGHT.index('"heft(who)') + 1
    assert f"light.yaml:1:{column}: error[requirement]: this comes to a number beyond 2^53" in out


def test_a_case_says_so_of_what_it_claims(pack: Path):
    (pack / "cases.yaml").write_text(CASE)
    assert "`heft`: this comes to a number beyond 2^53" in call("test", pack).out


def test_a_question_of_odds_names_its_line(pack: Path):
    text = "roll die = 1d6\nlet many = 999999999999999 * die\nlet more = many * (die - 1)"
    done = call("odds", pack, text)
    assert "a number beyond 2^53" in done.err
    assert "line 3 of the text" in done.err


def test_a_setting_of_too_many_digits_is_no_text(tmp_path: Path):
    """Unquoted digits are meant as a number, and are one up to 15 of them."""
    setting = "{kind: setting, id: cap, value: VALUE, english: the cap}\n"
    write(tmp_path, {"pack.yaml": manifest("capped", game="moonstone")})

    def told(value: str) -> str:
        (tmp_path / "x.yaml").write_text(setting.replace("VALUE", value))
        return call("check", tmp_path, "--format", "concise").out

    assert "x.yaml:1:33: error[number-too-large]" in told("9007199254740993")
    assert "number-too-large" not in told('"9007199254740993"')
    assert "number-too-large" not in told("900719925474099")
