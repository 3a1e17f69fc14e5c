"""A record in panels at a terminal: headings, offers, words that narrow them, Enter, and what is refused."""

from __future__ import annotations

import os
import pty
import re
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from ruleloom.building.building import Building, build
from ruleloom.cli.build.build_panels import BuildPanels
from ruleloom.table.canvas import Look, seen_width
from ruleloom.web.lobby import Shelf
from ruleloom.web.people import Making
from ruleloom.web.requests import Fields
from tests.conftest import ROOT


@pytest.fixture
def typed(monkeypatch, capsys):
    """Types lines at the panels of a building; gives it back, and what was shown."""

    def type_lines(building: Building, *lines: str, width: int = 100, colour: bool = False):
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{one}\n" for one in lines)))
        after = BuildPanels(building, "", Look(colour, width=width)).run()
        return after, capsys.readouterr().out

    return type_lines


def test_somebody_is_made_by_numbers_names_and_words(typed):
    lines = ["title = Rook", "start Str 14 End 18", "gifts leather", "", "1", "back"]
    lines += ["skills guns 3", "weapons pistol", "undo", "redo", "quit"]
    rook, out = typed(build("moonstone", "character"), *lines)
    assert rook.data == {
        **{"kind": "character", "id": "new-character", "title": "Rook"},
        **{"start": {"Str": 14, "End": 18}, "gifts": ["thick-hide"], "skills": {"guns": 3}},
        "weapons": ["pistol"],
    }
    assert "> Thick hide  +2 Ad" in out  # what alone has the word is marked,
    assert "PR: 0 -> 5" in out  # with each number before and after
    assert "Rook | CV: 23 Ad of 40 Ad, 17 left | legal" in out


def test_the_page_of_the_docs_shows_what_is_shown(typed):
    page = (ROOT / "docs" / "building.md").read_text(encoding="utf-8")
    sample = page.partition("```text\n")[2].partition("```")[0].splitlines()
    ann = build("moonstone", "character")
    for line in ("id = ann", "title = Ann", "start.Str = 14", "start.End = 18"):
        ann = ann.say(line)
    _, out = typed(ann, "gifts leather")
    shown = [line.rstrip() for line in out.splitlines()]
    wanted = [line for line in sample if line != "   ..." and not line.startswith("ann> ")]
    assert [line for line in wanted if line not in shown] == []


def test_a_whole_person_takes_seven_lines_and_131_keys(typed):
    lines = ["title = Rook", "start Str 15 End 18 Agl 14", "gifts, thick hide, fear gaze"]
    lines += ["skills guns 5 hacking 4", "weapons pistol", "gear stuffed-vest", "quit"]
    rook, _ = typed(build("moonstone", "character"), *lines, width=60)
    [budget] = rook.budgets
    assert rook.legal
    assert budget.left == 0
    assert rook.data["gear"] == ["stuffed-vest"]
    assert sum(len(line) + 1 for line in lines) == 131


def test_enter_goes_from_heading_to_heading_and_back_to_the_sheet(typed):
    start = build("moonstone", "character")
    _, out = typed(start, *[""] * (len(start.choices) + 1))
    invitations = re.findall(r"^([\w .-]+)> $", out, re.MULTILINE)
    places = [x.choices[0].at if len(x.choices) == 1 else x.title for x in start.choices]
    assert invitations == ["new-character", *places, "new-character", places[0]][: len(invitations)]
    assert len(invitations) == len(places) + 2


def test_a_row_of_choices_that_does_not_fit_changes_nothing(typed):
    start = build("moonstone", "character")
    after, out = typed(start, "start Str 14 Zzz 15", "")
    assert typed(start, "gifts zzz", "")[0].text == start.text
    assert "`Zzz`, answer 4 of 5: `Zzz` names nothing at `start`; none was taken" in out
    assert after.text == start.text
    assert re.findall(r"^(.+)> $", out, re.MULTILINE)[:2] == ["new-character", "new-character"]


def test_what_is_refused_is_folded_and_told_with_clauses(typed):
    start = build("moonstone", "character").say("start.End = 21").say("start.Str = 17")
    after, out = typed(start, "gifts", "why not", "undying", "? undying")
    assert re.search(r"\d+ not on offer: `why not` says why", out)
    assert re.search(r"Undying: \S.* costs \d+ Ad, and the campaign allows 40", out)
    assert "by moonstone.cv.limit" in out
    assert "Undying is not on offer: " in out
    assert "gifts" not in after.data


def test_what_is_wrong_stands_below_the_sheet(typed):
    start = build("moonstone", "character").say("start.End = 26")
    _, out = typed(start, "")
    assert "error[within_allowance]" in out
    assert "by moonstone.cv.limit" in out
    assert "too much | not legal" in out


def test_entries_are_opened_emptied_and_dropped(typed):
    start = build("moonstone", "character").say("gifts + thick-hide").say("gifts + fear-gaze")
    lines = ("gifts", "1", "fudge", "1", "", "drop fear gaze")
    after, _ = typed(start, *lines)
    assert after.data["gifts"] == [{"advantage": "thick-hide", "fudge": 1}]
    emptied, _ = typed(after, "gifts", "thick", "drop")
    assert "gifts" not in emptied.data


def test_long_lists_have_pages_whose_numbers_go_on(typed, monkeypatch):
    monkeypatch.setenv("LINES", "22")
    start = build("moonstone", "character")
    after, out = typed(start, "gifts", "more", "11", "11")
    first, second = re.findall(r"^ {2}(10|11) {2}(\w.*?) {2,}", out, re.MULTILINE)[:2]
    assert (first[0], second[0]) == ("10", "11")
    wanted = second[1].lower().replace(" ", "-")
    assert after.data["gifts"] == [wanted]
    assert f"{second[1]} is there already" in out  # the number still means what is on the screen


def test_a_text_is_typed_as_it_is_unless_it_is_a_command(typed):
    start = build("witchgates", "character")
    after, _ = typed(
        start, "character", "vocation", "street chess 14", "goals", "undo it all", "/undo"
    )
    assert after.data["vocation"] == "street chess 14"
    assert "goals" not in after.data
    assert after.can_redo


@pytest.mark.parametrize("game", ["moonstone", "witchgates"])
@pytest.mark.parametrize("width", [60, 100, 140])
def test_every_line_fits_and_colour_adds_only_colour(typed, game: str, width: int):
    start = build(game, "character")
    lines = [*[""] * len(start.choices), "? 1", "why not", "sheet"]
    _, plain = typed(start, *lines, width=width)
    _, coloured = typed(start, *lines, width=width, colour=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert "\x1b[" not in plain
    assert max(map(seen_width, plain.split("\n"))) <= width


def test_the_sheet_stands_beside_the_headings_if_there_is_room(typed):
    start = build("moonstone", "character")
    beside = re.compile(r"Raw scores .*\S +allowance +40 Ad|Raw scores +.*Ad")
    assert beside.search(typed(start, "", width=140)[1])
    assert "allowance" not in typed(start, width=100)[1]


def test_a_terminal_gets_panels_and_a_pipe_gets_lines(tmp_path: Path):
    file = tmp_path / "ann.yaml"
    child, screen = pty.fork()
    if child == 0:
        command = [sys.executable, "-m", "ruleloom", "build", "moonstone", str(file)]
        os.execve(sys.executable, command, {**os.environ, "NO_COLOR": "1", "TERM": "xterm"})
    os.write(screen, b"gifts 8\nsave\nquit\n")
    shown = b""
    while True:
        try:
            part = os.read(screen, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.waitpid(child, 0)
    assert "opens a heading" in shown.decode()
    assert "gifts: [thick-hide]" in file.read_text(encoding="utf-8")


def test_each_of_hundreds_of_things_is_reached_and_what_is_left_out_is_told(typed, tmp_path):
    manifest = "{kind: pack, id: many, version: 1.0.0, game: moonstone, edition: 1, requires: {moonstone: '*'}}"
    (tmp_path / "pack.yaml").write_text(manifest, encoding="utf-8")
    item = "- {{kind: advantage, id: gift-{0}, title: Gift {0}, rating: I, text: Of the hill.}}\n"
    items = "".join(item.format(number) for number in range(900))
    (tmp_path / "items.yaml").write_text(items, encoding="utf-8")
    ann = build("moonstone", "character", [str(tmp_path)])
    made, out = typed(ann, "gifts", "gift-777", "Gift 898", "back", "hill", "quit")
    assert made.data["gifts"] == ["gift-777", "gift-898"]
    assert "805 more: type a word of what you look for" in out  # 150 of 955 are appraised
    assert "870 more: type a word of what you look for" in out  # 30 of each list
    making = Making(Shelf([("moonstone", str(tmp_path))]))
    asked = {"game": 0, "text": ann.text, "number": 0, "at": "gifts"}
    found: Any = making.answer("offers", Fields({**asked, "most": 2_000}))
    assert (len(found["offers"]), found["more"]) == (500, 455)
    found = making.answer("offers", Fields({**asked, "most": 16, "search": "gift 899"}))
    assert [one["value"] for one in found["offers"]] == ["gift-899"]
