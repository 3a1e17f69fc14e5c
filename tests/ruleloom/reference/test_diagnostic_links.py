"""`ruleloom check --reference`: names in messages lead to the site."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleloom.reference.diagnostic_links import links_into, with_links
from tests.support.command import call
from tests.support.reference_games import compiled
from tests.support.site_pages import PageReader

BASE = "https://example.org/g"
# Of what is wrong `me`, `face` and `grow`; of the help the lists of cards that `grow` would take.
LINKS = 7
ITEM = """\
kind: major
id: owl
title: Owl
number: 41
effect: |
  face(me, N)
  use grow(3)
  say "`me` is no name here"
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack with two mistakes."""
    folder = tmp_path / "pack"
    folder.mkdir()
    manifest = "{kind: pack, id: own, version: 1.0.0, game: gnostica, edition: 1}\n"
    (folder / "pack.yaml").write_text(manifest, encoding="utf-8")
    (folder / "owl.yaml").write_text(ITEM, encoding="utf-8")
    return folder


def test_a_terminal_is_shown_links(pack: Path):
    done = call("check", pack, "--reference", BASE, "--color", "always")
    assert done.code == 1
    link = f"\x1b]8;;{BASE}/events.html#operation-face\x1b\\`face`\x1b]8;;\x1b\\"
    assert link in done.out
    assert "`piece` of" in done.out
    assert done.out.count("\x1b]8;;http") == LINKS
    assert "\x1b]8" not in call("check", pack, "--color", "always").out


def test_without_colour_the_addresses_are_listed(pack: Path):
    lines = call("check", pack, "--reference", f"{BASE}/").out.splitlines()
    assert f" see: `me`: {BASE}/words.html#variable-me" in lines
    assert f" see: `grow`: {BASE}/kind-power.html#gnostica:power/grow" in lines
    assert f" see: `hand`: {BASE}/words.html#zone-hand" in lines
    assert sum(line.startswith(" see:") for line in lines) == LINKS


def test_a_place_is_listed_once_and_a_kind_before_a_field():
    content, _ = compiled("moonstone")
    link = links_into(content, BASE)
    assert link("advantage") == f"{BASE}/kinds.html#kind-advantage"
    told = with_links("needs `kind`: `suffer(who)`, `suffer`\n", "text", False, link)
    assert told.count("moonstone:power/suffer") == 1


def test_json_has_the_links_of_each_message(pack: Path):
    first, _ = json.loads(call("check", pack, "--reference", BASE, "--format", "json").out)
    assert first["links"] == [
        {"name": "me", "url": f"{BASE}/words.html#variable-me"},
        {"name": "face", "url": f"{BASE}/events.html#operation-face"},
    ]
    assert "links" not in json.loads(call("check", pack, "--format", "json").out)[0]


def test_sarif_has_links_in_its_messages(pack: Path):
    log = json.loads(call("check", pack, "--reference", BASE, "--format", "sarif").out)
    text = log["runs"][0]["results"][0]["message"]["text"]
    assert f"of [`face`]({BASE}/events.html#operation-face)" in text


def test_links_lead_to_what_the_site_has(pack: Path, tmp_path: Path):
    target = tmp_path / "site"
    assert call("docs", "gnostica", "-o", target).code == 0
    out = call("check", pack, "--reference", target).out
    links = [line.rpartition(": ")[2] for line in out.splitlines() if line.startswith(" see:")]
    assert len(links) == LINKS
    for link in links:
        file, _, anchor = link.removeprefix(target.resolve().as_uri() + "/").partition("#")
        assert anchor in PageReader((target / file).read_text(encoding="utf-8")).ids


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--reference", BASE, "--format", "junit"], "junit has no links"),
        (["--reference", "nowhere"], "nowhere holds no reference"),
        (["--reference", "https://x/\x1b]8;;"], "no plain address"),
        (["--reference", "javascript://x"], "no plain address"),
    ],
)
def test_what_cannot_be_linked_is_refused(pack: Path, words: list[str], told: str):
    done = call("check", pack, *words)
    assert done.code == 2
    assert told in done.err
