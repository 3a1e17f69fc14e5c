"""The game as one document: whole, in order, with links that lead somewhere and no inner names."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ruleloom.compiler.english.word import capital
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.reference.rulebook.rulebook import rulebook, tree_of
from tests.conftest import ROOT
from tests.support.check_layer import compile_files, game_files
from tests.support.command import call
from tests.support.reference_games import compiled

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
# Names of the effect language, code, and the head of a block of YAML are nobody's prose.
INNER_NAME = re.compile(r"\b[a-z]+_[a-z_]+\b|`|: \|")
EXAMPLES = ROOT / "rulesets" / "examples"


class Page(HTMLParser):
    """The anchors, links, headings and words of a document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[str] = []
        self.words: list[str] = []
        self.tags: Counter[str] = Counter()
        self._within: list[str] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self._within.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "src"):
                self.links.append(value or "")
        if tag in ("h2", "h3", "h4"):
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._within and self._within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" in self._within:
            return
        self.words.append(data)
        if {"h2", "h3", "h4"} & {*self._within} and "a" not in self._within:
            self.headings[-1] += data

    @property
    def text(self) -> str:
        """All that is to be read."""
        return " ".join(" ".join(self.words).split())

    @property
    def titles(self) -> list[str]:
        """The headings, without their numbers."""
        return [re.sub(r"^[\d.]+ ", "", " ".join(one.split())) for one in self.headings]


@cache
def document_of(*paths: str) -> str:
    """The rulebook of some packs."""
    return rulebook(*compiled(*paths))


@cache
def page_of(*paths: str) -> Page:
    """The rulebook of some packs, taken apart."""
    return Page(document_of(*paths))


def test_a_name_whose_noun_stands_behind_a_hole_is_linked_and_defined():
    """`{who} can thwart with {colour} dice`: the mark of the measure follows the noun."""
    assert (
        '<p id="measure-may_thwart"><b>A player can thwart with dice of a colour<a'
        in document_of("monotheism")
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_link_leads_to_a_place_of_the_document(game: str):
    page = page_of(game)
    assert {link for link in page.links if link.removeprefix("#") not in page.ids} == set()
    assert [id for id, count in Counter(page.ids).items() if count > 1] == []


@pytest.mark.parametrize("game", GAMES)
def test_nobody_meets_a_name_of_the_effect_language(game: str):
    assert INNER_NAME.findall(page_of(game).text) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_item_that_is_printed_stands_in_the_catalogue(game: str):
    content = compile_paths([game], texts=True, reasons=False, scenarios=False).content
    assert content is not None
    titles = Counter(page_of(game).titles)
    printed = [item for item in content.items if "title" in item.fields and item.kind != "sheet"]
    titled = (capital(str(item.data("title"))) for item in printed)
    assert [title for title in titled if not titles[title]] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_is_done_is_told_once_and_referred_to_by_number(game: str):
    page = page_of(game)
    references = re.findall(r'class="ref" href="#([^"]+)">([\d.]+|below)<', document_of(game))
    assert len(references) > 50
    assert {anchor for anchor, _ in references} <= {*page.ids}
    assert all(
        len({one[1] for one in references if one[0] == to}) == 1 for to, _ in references[:40]
    )


def test_the_chapters_come_in_the_order_in_which_the_game_is_learnt():
    titles = page_of("gnostica").titles
    wanted = ["The game", "What there is", "Setting up", "A turn", "What minions do"]
    wanted += ["Rules and limits", "What the words mean", "Majors", "Variants", "Index"]
    assert [title for title in titles if title in wanted] == wanted


def test_what_a_reading_rules_out_is_not_told():
    assert "Your pieces there become minions" not in page_of("gnostica").text


def test_the_ways_to_end_the_game_stand_at_its_beginning():
    text = page_of("gnostica").text
    assert "Somebody wins: the announced last turn ended with enough points" in text


def test_packs_on_top_are_named_where_they_bring_or_change_something():
    page = page_of("gnostica", str(EXAMPLES / "river-folk"))
    titles = " ".join(page.titles)
    assert "Gnostica with The River Folk" in page.text
    assert "Ferryman From The River Folk." in titles
    assert "Temperance Changed by The River Folk" in titles
    assert "Set by The River Folk." in page.text


HOSTILE = """
- kind: fruit
  id: trap
  title: "<script>alert(1)</script>"
  weight: 1
  tint: red
  text: "<img src=x onerror=alert(1)> \\u202e {{ 7 * 7 }}"
"""


def test_nothing_of_a_pack_becomes_markup():
    result = compile_files({**game_files(), "trap.yaml": HOSTILE}, texts=True)
    assert result.program is not None, result.diagnostics
    assert result.content is not None
    document = rulebook(result.content, result.program)
    page = Page(document)
    assert page.tags["script"] == page.tags["img"] == 0
    assert "<script>alert(1)</script>" in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert "\u202e" not in document


FROST = """
- kind: lasting
  id: frost
  title: Frost
  on: Space
  while: "board(self) is not none"
  english: "whoever comes to {self} stands up"
  abilities: |
    when shift(piece, goal) where goal = self: face(piece, up)
- kind: way
  id: frost-begins
  to: turn_menu
  label: "lay frost"
  effect: |
    choose spot from territories "Which territory?"
    begin frost on spot
"""


def test_effects_that_last_stand_among_the_rules_and_ways_among_the_steps(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text(
        "kind: pack\nid: cold\nversion: 1.0.0\ngame: gnostica\nedition: 1\ntitle: Cold\n"
    )
    (tmp_path / "frost.yaml").write_text(FROST)
    page = page_of(str(tmp_path))
    assert page.titles[page.titles.index("Effects that last") + 1] == "Frost From Cold."
    assert "Lay frost" in page.text


def test_keywords_are_explained():
    assert "Immune to a damage type : reduces the part" in page_of("moonstone").text


def test_a_plan_of_chapters_is_followed(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text(
        "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\nrulebook:\n"
        "  headings: {trade: Swapping hands}\n"
        "  chapters: [{title: Odds and ends, about: As it is., tells: [trade]}]\n"
    )
    page = page_of(str(tmp_path))
    assert page.titles[page.titles.index("Odds and ends") + 1] == "Swapping hands"
    assert page.titles.count("Swapping hands") == 1
    assert "As it is." in page.text


def test_a_plan_that_names_nothing_is_refused(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text(
        "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
        "rulebook: {headings: {trad: Swapping}, chapters: [{title: More, tells: [atack]}]}\n"
    )
    found = compile_paths([tmp_path]).diagnostics
    assert [(one.code, one.message, one.help) for one in found] == [
        ("unknown-power", "there is no power or flow `trad`", "did you mean `trade`?"),
        ("unknown-power", "there is no power or flow `atack`", "did you mean `attack`?"),
    ]


def test_the_verb_writes_it_to_a_file(tmp_path: Path):
    target = tmp_path / "rules.html"
    done = call("docs", "gnostica", "--rulebook", "-o", target)
    assert (done.code, done.out, done.err) == (0, f"wrote {target}\n", "")
    assert target.read_text(encoding="utf-8") == document_of("gnostica")


def test_what_only_one_uses_hangs_below_it():
    uses = {"all": "ab", "a": "cd", "b": "d", "c": "e", "d": "", "e": "c"}
    tree = tree_of(uses, "all")
    assert tree.order == ("all", "a", "c", "e", "d", "b")
    assert tree.children == {
        "all": ("a", "d", "b"),
        "a": ("c",),
        "b": (),
        "c": ("e",),
        "d": (),
        "e": (),
    }
    assert tree.first_user["d"] == "a"
