"""The pages in docs/games/ say what is so: what a campaign decides, where a rule stands, which
scenarios prove it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.content.clause_pages import citations, items_of, page

LEDGERS = ROOT.parent / "shared" / "rules"
PACK = ROOT / "rulesets" / "moonstone"
PAGES = ROOT / "docs" / "games"
GAMES = ("moonstone", "monotheism", "witchgates")

# A choice, a text or a roll as effect text writes it; the group is its name.
CHOSEN = r"\bchoose (?:any number of |up to \w+(?:\([^()]*\))? |exactly \w+ )?"
ASKED = rf"(?:{CHOSEN}|\bask [^\"\n]*?for text |\broll )(\w+)(?= from | \"| or none| = )"

needs_ledger = pytest.mark.skipif(
    not LEDGERS.is_dir(), reason="the rule ledgers do not lie beside the checkout"
)

RULES = PAGES / "moonstone.md"


def test_what_a_campaign_decides_is_all_on_the_page():
    """Every setting and switch, with what it is if nothing is said."""
    text = RULES.read_text(encoding="utf-8")
    told: dict[str, str] = {}
    for line in text.splitlines():
        cells = line.split("|")
        if len(cells) == 6 and "`" in cells[1]:
            values = re.findall(r"`([^`]+)`", cells[2])
            told |= dict(zip(re.findall(r"`([^`]+)`", cells[1]), values, strict=False))
    told |= dict(re.findall(r"`(\w+)`\s+\(`(\w+)`", text))
    there = {
        item["id"]: str(item.get("value", item.get("default"))).lower()
        for file in PACK.glob("*.yaml")
        for item in items_of(file)
        if item.get("kind") in ("setting", "switch")
    }
    assert {name: told.get(name) for name in there if name != "until_lifted"} == {
        name: value for name, value in there.items() if name != "until_lifted"
    }
    assert "`until_lifted`" in text


@pytest.mark.parametrize("game", GAMES)
def test_the_files_of_the_ruleset_are_all_on_the_page(game: str):
    text = (PAGES / f"{game}.md").read_text(encoding="utf-8")
    files = {path.name for path in (ROOT / "rulesets" / game).glob("*.yaml")} - {"pack.yaml"}
    assert {name for name in files if f"`{name}`" not in text} == set()


def test_the_clauses_on_the_page_are_carried_out():
    cited = citations(sorted(PACK.glob("*.yaml")))
    text = RULES.read_text(encoding="utf-8")
    named = {
        name
        for cell in re.findall(r"\| ([^|]*) \|$", text, re.M)
        for name in re.findall(r"`([a-z]+\.[\w-]+)`", cell)
    }
    files = {path.name for path in PACK.glob("*.yaml")}
    assert len(named) >= 18
    assert {name for name in named - files if f"moonstone.{name}" not in cited} == set()


def test_the_questions_on_the_page_are_asked():
    """Every name under `What the questions are called`, and none that is asked in play is
    missing."""
    text = (PAGES / "monotheism.md").read_text(encoding="utf-8")
    section = text.split("## What the questions are called\n")[1].split("\n## ")[0]
    told = {
        name
        for row in re.findall(r"^\|[^|]*\|(.*)\|$", section, re.M)[2:]
        for name in re.findall(r"`(\w+)`", row)
    }
    asked = {
        name
        for path in (ROOT / "rulesets" / "monotheism").glob("*.yaml")
        for name in re.findall(ASKED, path.read_text(encoding="utf-8"))
    }
    assert told == asked - {
        "chosen"
    }  # `chosen`: only where there are several sorts of Ethos to choose from


@needs_ledger
@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_clauses_is_up_to_date(game: str, request: pytest.FixtureRequest):
    wanted, file = (
        page(LEDGERS / f"{game}.yaml", ROOT / "rulesets" / game),
        PAGES / f"{game}-clauses.md",
    )
    if request.config.getoption("--reset"):
        file.write_text(wanted, encoding="utf-8", newline="\n")
    assert file.read_text(encoding="utf-8") == wanted, (
        "run `pytest --reset tests/content/test_game_pages.py`"
    )


@needs_ledger
@pytest.mark.parametrize("game", GAMES)
def test_only_clauses_of_the_ledger_are_cited(game: str):
    pack = ROOT / "rulesets" / game
    known = {one["id"] for one in items_of(LEDGERS / f"{game}.yaml")}
    cited = citations([*sorted(pack.glob("*.yaml")), *sorted((pack / "scenarios").glob("*.yaml"))])
    assert {one for one in cited if one.startswith(f"{game}.")} - known == set()


def test_every_citation_is_found(tmp_path: Path):
    """A case that cites two clauses, an item in a list, and one that stands alone."""
    (tmp_path / "a.yaml").write_text(
        "kind: scenarios\ncases:\n  - {id: x, clauses: [m.one, m.two]}\n  - {id: y, clauses: [m.one]}\n"
    )
    (tmp_path / "b.yaml").write_text(
        "- {kind: rule, id: x, clauses: [m.two]}\n- {kind: rule, id: y}\n"
    )
    (tmp_path / "c.yaml").write_text("kind: vocabulary\nclauses: [m.three]\n")
    found = citations(sorted(tmp_path.glob("*.yaml")))
    assert dict(found) == {
        "m.one": ["a.yaml"],
        "m.two": ["a.yaml", "b.yaml"],
        "m.three": ["c.yaml"],
    }


def test_the_page_tells_what_nobody_cites(tmp_path: Path):
    ledger = tmp_path / "ledger.yaml"
    ledger.write_text(
        "- {id: moonstone.a.proved, section: A, kind: effect}\n"
        "- {id: moonstone.a.carried, section: A, kind: effect}\n"
        "- {id: moonstone.a.meant, section: A, kind: narrative}\n"
    )
    pack = tmp_path / "pack"
    (pack / "scenarios").mkdir(parents=True)
    (pack / "scenarios" / "s.yaml").write_text("cases: [{id: x, clauses: [moonstone.a.proved]}]\n")
    (pack / "rules.yaml").write_text(
        "- {id: x, clauses: [moonstone.a.proved, moonstone.a.carried]}\n"
    )
    text = page(ledger, pack)
    assert "1 of 3 clauses are cited by scenarios, 1 more only by rules, and 1 by nothing." in text
    assert "| `a.proved` | `s.yaml` |" in text
    assert "| `a.carried` | `rules.yaml` | to be tried |" in text
    assert "| `a.meant` | nowhere | meaning and style: nothing to be tried |" in text
