"""What stands beside a text: the card, its odds and its sheet, its form, its cases and the board."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ruleloom.reference.dice import dice_odds, points
from ruleloom.runtime.program.faults import Refused
from ruleloom.web.live_table import load_table
from tests.support.bench import with_bench, write_files
from tests.support.command import call

MOTH = """\
# two of them
- kind: major
  id: moth  # small
  title: Moth
  number: 44
  tags: [night]
  text: "It flies."
  effect: |
    choose minion from minions "Who wakes?"
    roll luck = 2d6
    if luck >= 11:
        face(minion, up)
- kind: tag
  id: night
  english: "of the night"
"""
SHEET = """\
kind: sheet
id: plate
of: "card: Card"
title: "{card}"
english: "a card"
sections:
  - title: Numbers
    rows:
      - {label: rank, value: "number(card)"}
"""
CASES = """\
kind: scenarios
cases:
  - id: a-moth-is-played
    given: {pieces: [A1E@0/0], hands: {A: [moth]}, dice: [11]}
    when:
      - {option: play, card: moth}
      - {power: moth, minion: A1E@0/0}
      - {end: turn}
    then: {pieces: [A1up@0/0]}
  - id: a-moth-that-is-wrong
    given: {pieces: [A1E@0/0], hands: {A: [moth]}, dice: [3]}
    when:
      - {option: play, card: moth}
      - {power: moth, minion: A1E@0/0}
      - {end: turn}
    then: {pieces: [A1up@0/0]}
"""


@pytest.fixture
def pack(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("new", "pack", "my-pack", "--game", "gnostica").code == 0
    (tmp_path / "my-pack" / "scenarios.yaml").unlink()
    write_files(tmp_path / "my-pack", {"moth.yaml": MOTH, "sheet.yaml": SHEET, "cases.yaml": CASES})
    return tmp_path / "my-pack"


@pytest.fixture
def packs(pack):
    return ("gnostica", str(pack))


def test_the_card_with_its_text_odds_and_sheet(packs):
    async def work(bench):
        early = await bench.ask("item", "moth.yaml", 5)
        assert (early["title"], early["rules"], early["fresh"]) == ("Moth", "", False)
        card = await bench.ask("item", "moth.yaml", 5, fresh=True)
        assert card["fresh"]
        assert card["sound"], [one.message for one in bench.server.session.projects()[0].snapshot.findings]  # fmt: skip
        assert (card["id"], card["kind"], card["title"]) == ("my-pack:major/moth", "major", "Moth")
        assert card["fields"] == [{"name": "number", "text": "44"}, {"name": "tags", "text": "[night]"}]  # fmt: skip
        assert card["said"] == "It flies."
        assert "Choose one of your minions" in card["rules"]
        dice, condition = card["curves"]
        assert dice["average"] == "7"
        assert sum(Fraction(one["exact"]) for one in dice["points"]) == 1
        assert dice["points"][0] == {"value": "2", "chance": 1 / 36, "exact": "1/36"}
        assert condition["words"] == "luck >= 11"
        assert [(one["value"], one["exact"]) for one in condition["points"]] == [("yes", "1/12"), ("no", "11/12")]  # fmt: skip
        (sheet,) = card["sheets"]
        assert sheet["blocks"][0]["lines"] == [["rank", "44", "", ""]]
        other = await bench.ask("item", "moth.yaml", 14)
        assert (other["id"], other["title"], other["uses"]) == ("my-pack:tag/night", "night", 1)

    with_bench(packs, work)


def test_the_card_as_it_is_printed(packs):
    async def work(bench):
        card = await bench.ask("item", "moth.yaml", 5)
        assert card["prints"]
        shown = await bench.ask("print", "moth.yaml", 5, id=card["id"])
        assert shown["title"] == "Moth"
        assert shown["svg"].startswith("<svg ")
        assert "It flies." in shown["svg"]
        assert shown["page"].count('<svg class="card"') == 1
        tag = await bench.ask("item", "moth.yaml", 14)
        assert not tag["prints"]
        with pytest.raises(Refused, match="no layout says how this is printed"):
            await bench.ask("print", "moth.yaml", 14, id=tag["id"])

    with_bench(packs, work)


def test_what_packs_change_stands_on_the_card(tmp_path, packs):
    for name, number in (("one", 50), ("two", 60)):
        assert call("new", "pack", name, "--game", "gnostica").code == 0
        (tmp_path / name / "scenarios.yaml").unlink()
        patch = (
            f"kind: patch\nid: {name}-m\ntarget: my-pack:major/moth\nset: {{number: {number}}}\n"
        )
        write_files(tmp_path / name, {"m.yaml": patch if name == "one" else patch + "after: [one:patch/one-m]\n"})  # fmt: skip
        manifest = tmp_path / name / "pack.yaml"
        needs = "gnostica: '^1.0', my-pack: '*'" + (", one: '*'" if name == "two" else "")
        text = manifest.read_text().replace('gnostica: "^1.0"', needs)
        manifest.write_text(text)

    async def work(bench):
        card = await bench.ask("item", "moth.yaml", 5)
        found = [(one["field"], one["pack"], one["old"], one["new"]) for one in card["changes"]]
        assert found == [("number", "one", "44", "50"), ("number", "two", "50", "60")]

    with_bench((*packs, "one", "two"), work)


def test_a_card_of_a_text_with_mistakes_is_told_to_be_an_earlier_one(pack, packs):
    async def work(bench):
        assert (await bench.ask("item", "moth.yaml", 5, fresh=True))["sound"]
        path = str(pack / "moth.yaml")
        bench.server.session.workspace.texts[path] = MOTH.replace("face(", "fase(")
        bench.server.session.changed(path, 0)
        card = await bench.ask("item", "moth.yaml", 5)
        assert not card["sound"]
        assert "Choose one of your minions" in card["rules"]
        with pytest.raises(Refused, match="mistakes"):
            await bench.ask("cases", "moth.yaml", 5)
        with pytest.raises(Refused, match="errors"):
            await bench.ask("play", "moth.yaml", 5, id="my-pack:major/moth")

    with_bench(packs, work)


def test_cases_with_green_and_red(packs):
    async def work(bench):
        right, wrong = await bench.ask("cases", "moth.yaml", 5)
        assert (right["id"], right["passed"], right["line"]) == ("a-moth-is-played", True, 2)
        assert (wrong["id"], wrong["passed"]) == ("a-moth-that-is-wrong", False)
        assert "A1up@0/0" in wrong["message"]
        assert right["uri"].endswith("/my-pack/cases.yaml")
        assert await bench.ask("cases", "cases.yaml") == [right, wrong]

    with_bench(packs, work)


def test_a_case_is_walked_on_the_board(packs):
    async def work(bench):
        moments = await bench.ask("step", "cases.yaml", 2, case="a-moth-is-played")
        assert [one["heading"] for one in moments][:2] == ["before", "after step 1: {option: play, card: moth}"]  # fmt: skip
        assert len(moments) == 4
        assert {one["board"]["kind"] for one in moments} == {"gnostica"}
        assert "straight up" not in str(moments[0]["board"])
        assert "straight up" in str(moments[3]["board"])
        with pytest.raises(Refused, match="no case"):
            await bench.ask("step", "cases.yaml", 2, case="nothing")

    with_bench(packs, work)


def test_a_card_is_played_from_here(packs):
    async def work(bench):
        found = await bench.ask("play", "moth.yaml", 5, id="my-pack:major/moth")
        assert found["held"] == "Moth"
        id = found["link"].removeprefix("/t/").partition("#")[0]
        table = load_table(bench.service.store, id)  # as it is found again next month
        linked, world = table.game.linked, table.game.state.world
        moth = linked.layout.number_of("Card", "moth")
        hands = world[linked.layout.index["hand"]]
        assert moth in hands[0]
        everywhere = [world[linked.layout.index[zone.name]] for zone in linked.program.zones if zone.of == "Card"]  # fmt: skip
        assert str(everywhere).count(f"{moth},") + str(everywhere).count(f"{moth})") >= 1
        assert all(moth not in hand for hand in hands[1:])
        assert len({len(hand) for hand in hands}) == 1 or len(hands[0]) == len(hands[1]) + 1
        other = await bench.ask("play", "moth.yaml", 14, id="my-pack:tag/night")
        assert other["held"] == ""  # a tag is nothing that lies in a hand

    with_bench(packs, work)


def test_the_form_has_every_field_of_the_schema(packs):
    async def work(bench):
        form = await bench.ask("form", "moth.yaml", 5)
        assert (form["number"], form["kind"]) == (0, "major")
        fields = {one["name"]: one for one in form["fields"]}
        assert {"id", "title", "number", "effect", "text", "tags", "abilities"} <= set(fields)
        assert [fields[name]["by"] for name in ("id", "number", "effect", "tags")] == ["text", "number", "effect", "list"]  # fmt: skip
        assert fields["number"]["value"] == 44
        assert fields["tags"]["value"] == ["night"]
        assert fields["abilities"]["there"] is False
        edit = await bench.ask(
            "set", "moth.yaml", kind="major", number=0, path=["number"], value=45
        )
        at = MOTH.index("44")
        assert edit == {"start": at, "end": at + 2, "text": "45"}
        with pytest.raises(Refused, match="in the meantime"):
            await bench.ask("remove", "moth.yaml", number=0, path=["text"], version=2)
        gone = await bench.ask("remove", "moth.yaml", number=0, path=["text"])
        assert MOTH[gone["start"] : gone["end"]] == '  text: "It flies."\n'

    with_bench(packs, work)


def test_maps_in_a_list_are_groups(packs):
    async def work(bench):
        form = await bench.ask("form", "sheet.yaml")
        sections = next(one for one in form["fields"] if one["name"] == "sections")
        (section,) = sections["fields"]
        assert (sections["by"], section["by"], section["path"]) == (
            "group",
            "group",
            ["sections", 0],
        )
        titles = [one for one in section["fields"] if one["name"] == "title"]
        assert [(one["by"], one["value"]) for one in titles] == [("text", "Numbers")]
        path = titles[0]["path"]
        edit = await bench.ask("set", "sheet.yaml", kind="sheet", number=0, path=path, value="Rank")
        assert SHEET[: edit["start"]].endswith("title: ")
        assert edit["text"] == "Rank"

    with_bench(packs, work)


def test_many_values_stand_together_and_none_is_left_out():
    shown = points(dice_odds(40, 100), 60)
    assert len(shown) <= 60
    assert shown[0][0].startswith("40-")
    assert shown[-1][0].endswith("-4000")
    assert sum(chance for _, chance in shown) == 1


def test_a_long_list_is_left_to_the_text_and_a_long_case_says_so(pack, packs, monkeypatch):
    monkeypatch.setattr("ruleloom.workbench.form.MOST_ENTRIES", 1)
    monkeypatch.setattr("ruleloom.workbench.beside_text.MOST_MOMENTS", 2)

    async def work(bench):
        form = await bench.ask("form", "cases.yaml")
        cases = next(one for one in form["fields"] if one["name"] == "cases")
        assert [(one["name"], one["by"]) for one in cases["fields"]] == [("cases 1", "group"), ("cases 2-2", "other")]  # fmt: skip
        moments = await bench.ask("step", "cases.yaml", case="a-moth-is-played")
        assert [one["heading"] for one in moments][2:] == ["and 2 more steps"]

    with_bench(packs, work)


def test_places_are_counted_as_the_page_counts_them(pack, packs):
    """Signs beyond the first 65,536 are two units to a browser."""
    write_files(pack, {"moth.yaml": MOTH.replace("# two of them", "# 🦋🦋")})

    async def work(bench):
        text = bench.files.read(0, "moth.yaml").text
        edit = await bench.ask(
            "set", "moth.yaml", kind="major", number=0, path=["number"], value=45
        )
        units = text.encode("utf-16-le")
        assert units[edit["start"] * 2 : edit["end"] * 2].decode("utf-16-le") == "44"

    with_bench(packs, work)


def test_packs_that_nobody_can_read_are_told_as_such(pack, packs):
    manifest = (pack / "pack.yaml").read_text()
    (pack / "pack.yaml").write_text(manifest + "id: again\n")

    async def work(bench):
        with pytest.raises(Refused, match="cannot be read"):
            await bench.ask("item", "moth.yaml", 5)
        sent = [one["params"] for one in bench.client.sent if "publishDiagnostics" in one["method"]]
        found = {one["uri"].rpartition("/")[2]: one["diagnostics"] for one in sent}
        assert "given twice" in found["pack.yaml"][0]["message"]

    with_bench(packs, work)


def test_a_map_of_any_names_takes_another_entry(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("new", "pack", "ours", "--game", "moonstone").code == 0
    hero = "kind: character\nid: hero\ntitle: Hero\nstart: {Str: 14}  # strong\ntext: Bold.\n"
    write_files(tmp_path / "ours", {"hero.yaml": hero})

    async def work(bench):
        form = await bench.ask("form", "hero.yaml")
        fields = {one["name"]: one for one in form["fields"]}
        assert (fields["start"]["by"], fields["start"]["more"]) == ("group", "number")
        assert (fields["skills"]["by"], fields["skills"]["there"]) == ("group", False)
        assert [(one["name"], one["by"]) for one in fields["start"]["fields"]] == [
            ("Str", "either")
        ]
        for path, value, line in (
            (["start", "Agl"], 13, "start: {Str: 14, Agl: 13}  # strong"),
            (["skills"], {"dodging": 2}, "skills: {dodging: 2}"),
        ):
            edit = await bench.ask("set", "hero.yaml", kind="character", number=0, path=path, value=value)  # fmt: skip
            assert line in hero[: edit["start"]] + edit["text"] + hero[edit["end"] :]
        with pytest.raises(Refused):
            await bench.ask("set", "hero.yaml", kind="character", number=0, path=["skills"], value={"a": {}})  # fmt: skip

    with_bench(("moonstone", "ours"), work)
