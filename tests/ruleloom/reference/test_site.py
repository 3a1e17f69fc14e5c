"""`ruleloom docs`: the sites of the four games, and what a hostile pack can make of one."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from ruleloom.cli.docs import DOCS, LIST
from ruleloom.cli.folders import write_folder
from ruleloom.compiler.syntax.errors import FORMS
from ruleloom.reference.dice import dice_odds
from ruleloom.reference.gathered import case_link, item_link, link_to, page_of_cases
from ruleloom.reference.reference_pages import Site, page, site_of
from ruleloom.runtime.program.program import Modal
from ruleloom.scenarios.notation import NAMED
from tests.conftest import ROOT
from tests.support.command import call
from tests.support.reference_games import compiled
from tests.support.site_pages import PageReader, faults_of, leads, read_pages

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
MANIFEST = """\
kind: pack
id: nasty
version: 1.0.0
game: gnostica
edition: 1
title: "<script>alert('title')</script>"
about: "</p><img src=x onerror=alert(1)> {{ 7 * 7 }} {% raw %} ]]> javascript:alert(1)"
"""
ITEMS = """\
- kind: major
  id: o_d-d--1
  title: "\\"><script>alert(\\"major\\")</script>"
  number: 91
  text: "<b onclick='x()'>bold</b> ]]> --> javascript:alert(2) [x](javascript:y)"
  effect: |
    choose one "<i>Which?</i>":
        "</script><script>alert('way')</script>":
            use o_d("<s>")
        "' onmouseover='alert(3)":
            use o_d("'")
- kind: power
  id: o_d
  takes: "word: Text"
  gloss: "do <u>nothing</u> & \\"more\\""
  effect: say "<marquee>{word}</marquee>"
- kind: setting
  id: nasty
  value: 1
  min: 0
  max: 9
  english: "</style><style>*{display:none}</style>"
"""
CASES = """\
# <script>alert('remark')</script>
kind: scenarios
cases:
  - id: "<script>alert('case')</script>"
    given: {hands: {A: [o_d-d--1]}}
    when: [{option: play, card: o_d-d--1}, {power: o_d-d--1}]
    then: {legal: false, reason: "</pre><script>alert('reason')</script>"}
"""


@cache
def site(path: str) -> dict[str, str]:
    """The site of a game, or of a pack on top of one."""
    return dict(site_of(*compiled(path)))


@pytest.fixture
def nasty(tmp_path: Path) -> dict[str, str]:
    """The site of a pack whose every text would like to be markup."""
    for name, text in (("pack", MANIFEST), ("items", ITEMS), ("scenarios/a b'&", CASES)):
        file = tmp_path / f"{name}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return site(str(tmp_path))


@pytest.mark.parametrize("game", GAMES)
def test_the_site_of_a_game(game: str):
    """One test a game, so that its site is built and read once."""
    pages = read_pages(site(game))
    hold_links(game, pages)
    hold_search(game, pages)
    hold_prompts(game, pages)
    hold_statements(pages)


def hold_statements(pages: dict[str, PageReader]) -> None:
    """Effect text is told of with every statement, those that the game does not use as well."""
    told = pages["effects.html"]
    assert {f"statement-{word}" for word in FORMS} <= told.anchors
    assert "begin effect(values) on thing for 3" in told.text


def hold_links(game: str, pages: dict[str, PageReader]) -> None:
    """Every link leads somewhere."""
    files = site(game)
    assert faults_of(files, pages) == []
    assert all(name == name.lower() for name in files)


def hold_search(game: str, pages: dict[str, PageReader]) -> None:
    """Search finds places that are there."""
    files = site(game)
    rows = json.loads(files["index.js"].partition(" = ")[2].rstrip().rstrip(";"))
    assert len(rows) > 200
    assert [row for row in rows if not leads(row[2], "index.html", files, pages)] == []


def test_a_hostile_pack_stays_text(nasty: dict[str, str]):
    assert faults_of(nasty, read_pages(nasty)) == []
    whole = "".join(text for name, text in nasty.items() if name.endswith(".html"))
    for mark in (
        "<script>alert",
        "<img",
        "<b onclick",
        "<marquee",
        "<style>",
        "<i>Which",
        "\u202e",
    ):
        assert mark not in whole, mark
    shown = PageReader(nasty["kind-major.html"])
    assert "<b onclick='x()'>bold</b> ]]>" in shown.text
    assert "{{ 7 * 7 }}" in PageReader(nasty["index.html"]).text
    assert "</script>" not in nasty["index.js"]


def test_what_deceives_the_eye_is_spelled_out():
    site = Site("a\u202eb", (), (), "")
    text = page(
        "case_file.html", site=site, file="x", title="t", path="\x1b[2J", about="", cases=()
    )
    assert "a\\u202eb" in text
    assert "\\u001b[2J" in text


def test_an_anchor_comes_of_the_id_alone():
    assert item_link("gnostica:major/sun") == "kind-major.html#gnostica:major/sun"
    assert link_to("operation", "place") == "events.html#operation-place"
    assert link_to("prompt", "Lie or stand?") == "prompts.html#prompt-Lie_20or_20stand_3f"
    assert page_of_cases("own", "Two/a b.yaml") == "cases-own~_54wo~a_20b.yaml.html"
    assert case_link("own", "a.yaml", "x y") == "cases-own~a.yaml.html#case-x_20y"
    assert 'id="gnostica:major/sun"' in site("gnostica")["kind-major.html"]


def test_an_item_is_told_of_whole():
    powers = PageReader(site("moonstone")["kind-power.html"]).text
    assert "will_to_live: the die of 1d20, 21/2 on average" in powers.replace("10 1/2", "21/2")
    magic = PageReader(site("witchgates")["kind-power.html"]).text
    assert "thrown: the highest of so many d6" in magic
    assert "Odds that scenarios prove" in magic
    text = site(str(ROOT / "rulesets" / "examples" / "river-folk"))["kind-setting.html"]
    told = " ".join(PageReader(text).text.split())
    assert "Patched by roomy-spaces, value: 3, now 4" in told


def hold_prompts(game: str, pages: dict[str, PageReader]) -> None:
    """Prompts are listed by the names that cases use."""
    _, program = compiled(game)
    rows = [row for routine in program.routines for row in routine.rows]
    named = {row.name for row in rows if isinstance(row, NAMED)}
    menus = {row.prompt for row in rows if isinstance(row, Modal) and isinstance(row.prompt, str)}
    ids = pages["prompts.html"].anchors
    asked = (named | menus) - {""}
    assert {link_to("prompt", name).partition("#")[2] for name in asked} <= ids


@pytest.mark.parametrize("game", ["gnostica", "monotheism"])
def test_the_examples_of_cases_run(game: str, tmp_path: Path):
    shown = site(game)["cases.html"].split('<pre class="example"')[1:]
    cases = [PageReader("<pre" + one.partition("</pre>")[0] + "</pre>").text for one in shown]
    assert len(cases) >= 2
    (tmp_path / "pack.yaml").write_text(
        f"{{kind: pack, id: own, version: 1.0.0, game: {game}, edition: 1}}\n", encoding="utf-8"
    )
    lines = "".join(f"  {line}\n" for case in cases for line in case.splitlines())
    (tmp_path / "cases.yaml").write_text(f"kind: scenarios\ncases:\n{lines}", encoding="utf-8")
    done = call("test", tmp_path)
    assert done.code == 0, done.out
    assert f"{len(cases)} passed, 0 failed" in done.out


def test_the_page_on_cases_tells_of_dice_and_odds():
    text = site("moonstone")["cases.html"]
    assert 'data-shape="odds"' in text
    shown = text.partition('data-shape="dice"')[2].partition("</pre>")[0]
    assert "dice_thrown" in shown
    assert "says it only if not" in text


def test_what_a_case_has_to_know_is_told():
    pages = site("moonstone")
    assert "the log says: {who} loses {much} PI" in pages["events.html"]
    assert "the acting character" in pages["words.html"]
    assert "do: stop" in pages["cases.html"]


def test_dice_are_counted_exactly():
    assert dice_odds(2, 6) == {n: Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}
    assert sum(dice_odds(3, 6).values()) == 1
    highest = {face: Fraction(2 * face - 1, 36) for face in range(1, 7)}
    assert dice_odds(2, 6, each=True) == highest


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path):
    (tmp_path / "letters.txt").write_text("dear aunt", encoding="utf-8")
    done = call("docs", "gnostica", "-o", tmp_path)
    assert done.code == 2
    assert "holds something else" in done.err
    assert [one.name for one in tmp_path.iterdir()] == ["letters.txt"]


def test_pages_that_are_gone_are_removed(tmp_path: Path):
    target = tmp_path / "site"
    write_folder(target, {"index.html": b"new"}, LIST, DOCS)
    listed = target / ".ruleloom-docs"
    listed.write_text(listed.read_text() + "old.html\n../precious\n", encoding="utf-8")
    (target / "old.html").write_text("old", encoding="utf-8")
    (target / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "precious").write_text("keep", encoding="utf-8")
    write_folder(target, {"index.html": b"newer"}, LIST, DOCS)
    assert not (target / "old.html").exists()
    assert (target / "notes.txt").exists()
    assert (tmp_path / "precious").exists()


def test_a_pack_with_mistakes_has_no_site(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text(
        "{kind: pack, id: own, version: 1.0.0, game: gnostica, edition: 1}\n", encoding="utf-8"
    )
    (tmp_path / "a.yaml").write_text(
        "{kind: power, id: p, gloss: p, effect: use nowhere}\n", encoding="utf-8"
    )
    done = call("docs", tmp_path, "-o", tmp_path / "site")
    assert done.code == 1
    assert "nowhere" in done.out
    assert not (tmp_path / "site").exists()
