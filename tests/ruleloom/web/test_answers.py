"""Records made by the answers of a file: `ruleloom build --answers`, and the same answers by clicks in
Chromium, give the same YAML, byte for byte.

The first line of each file in `answers/` is the command that takes it, without `--answers FILE`.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from ruleloom.building.building import build
from tests.support.command import call
from tests.support.record_maker import Maker
from tests.support.web_tables import served

FOLDER = Path(__file__).parent / "answers"
FILES = sorted(FOLDER.glob("*/*"))


class Answers(NamedTuple):
    """The answers of a file, and the packs and kind that they are about."""

    file: Path
    packs: tuple[str, ...]
    kind: str
    lines: tuple[str, ...]


def answers_of(file: Path) -> Answers:
    """The answers of a file."""
    command, *lines = file.read_text(encoding="utf-8").splitlines()
    words = shlex.split(command.removeprefix("# ruleloom build "))
    packs, _, kind = " ".join(words).partition(" --kind ")
    return Answers(file, tuple(packs.split()), kind or "character", tuple(lines))


EVERY = {str(file.relative_to(FOLDER)): answers_of(file) for file in FILES}
# The others together take some 70 s of processor time.
DAILY = (
    "rulebook/captain",
    "rulebook/open-window",
    "homebrew/keel",
    "homebrew/mage-with-a-familiar",
)
CASES = [
    pytest.param(one, id=name, marks=() if name in DAILY else pytest.mark.slow)
    for name, one in EVERY.items()
]


@pytest.fixture(scope="module")
def at_the_page(running_browser):
    """Somebody at the page of a server that has all these packs, and the number of each on its shelf."""
    shelf = list(dict.fromkeys(one.packs for one in EVERY.values()))
    with served(packs=shelf[0]) as running:
        running.service.shelf.games[:] = shelf
        yield Maker(running_browser, running.making), {packs: at for at, packs in enumerate(shelf)}


@pytest.mark.parametrize("answers", CASES)
def test_clicks_make_what_the_script_makes(at_the_page, answers):
    maker, shelf = at_the_page
    kind = ("--kind", answers.kind)
    script = call("build", *answers.packs, *kind, "--answers", str(answers.file))
    assert script.code == 0, script.err  # what it makes is legal
    start = build(answers.packs[0], answers.kind, answers.packs[1:])
    headings = {one.at: each.title for each in start.choices for one in each.choices}
    (title, id), lines = answers.lines[:2], answers.lines[2:]
    maker.goes_back()
    maker.plays(shelf[answers.packs])
    maker.begins(title.removeprefix("title = "), answers.kind)
    assert f"{id.replace(' =', ':')}\n" in maker.text
    here = ""
    for line in lines:
        wanted = headings.get(line.split()[0].split(".")[0], here)
        if wanted != here:
            maker.heading(wanted)
        here = wanted
        maker.clicks(line)
    assert maker.text == script.out
    assert maker.person.said == []


def test_there_are_ten_of_each():
    folders = [name.partition("/")[0] for name in EVERY]
    assert (folders.count("rulebook"), folders.count("homebrew")) == (10, 10)
    assert set(DAILY) <= set(EVERY)
