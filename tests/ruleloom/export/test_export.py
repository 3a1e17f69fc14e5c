"""What is exported is read by others: spreadsheets, JSON, Foundry's own packing command, Roll20's TableExport
and Mod scripts in Node."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import shutil
import subprocess
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ruleloom.cli.export import LEFT_OUT, TARGETS
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.export.chat import BETWEEN, LONGEST, to_chat
from ruleloom.export.foundry import stable_id, to_foundry
from ruleloom.export.game_data import (
    Exported,
    GameData,
    ItemData,
    Lookup,
    Rollable,
    RollableRow,
    game_data,
)
from ruleloom.export.plain_files import to_csv, to_json, to_markdown
from ruleloom.export.roll20 import to_roll20
from tests.conftest import ROOT
from tests.support.command import call

GAMES = ("gnostica", "moonstone", "monotheism", "witchgates")
PLAIN = "kind: pack\nid: mine\nversion: 1.0.0\ngame: moonstone\nedition: 1\n"
HOSTILE = '=HYPERLINK("x") --a <script>alert(1)</script> | [x](javascript:y) {{z}}'


@cache
def data_of(game: str) -> GameData:
    result = compile_paths([game], texts=True, reasons=False, scenarios=False)
    assert result.program is not None
    assert result.content is not None
    return game_data(result.content, result.program, with_odds=True)


def invented() -> GameData:
    """A game of one item, one lookup, a table with two dice and a deck, all with texts of an attacker."""
    item = ItemData(
        "inn:dish/pie", "dish", HOSTILE, "inn", "x", HOSTILE, HOSTILE, {"price": HOSTILE}, True
    )
    lookup = Lookup("inn:table/price", HOSTILE, HOSTILE, ("Meal", "Int"), (("pie", HOSTILE),))
    rows = RollableRow(2, 6, HOSTILE, 15), RollableRow(7, 12, "rain", 21)
    rolls = Rollable("inn:random-table/omens", "Omens", "2d6", False, True, rows)
    rows = RollableRow(1, 1, "north", 1), RollableRow(2, 4, "south", 3)
    deck = Rollable("inn:random-table/winds", "Winds", "1d4", True, False, rows)
    return GameData(
        "inn",
        HOSTILE,
        HOSTILE,
        "inn",
        (("inn", "1.0.0"),),
        ("Ann",),
        "CC0-1.0",
        (item,),
        (lookup,),
        (rolls, deck),
        (),
    )


def text_of(made: Exported, name: str) -> str:
    text = made.files[name]
    return text if isinstance(text, str) else text.decode()


PACKS = ROOT / "tests" / "content" / "homebrew" / "packs"


def data_with(pack: Path) -> GameData:
    """What a homebrew pack carries elsewhere, with its game."""
    result = compile_paths([pack], texts=True, reasons=False, scenarios=False)
    assert result.program is not None, result.diagnostics
    assert result.content is not None
    return game_data(result.content, result.program, with_odds=False)


def test_a_random_table_of_a_pack_is_rolled_on_elsewhere_with_the_same_odds():
    data = data_with(PACKS / "moonstone" / "forest-roads")
    meets = next(one for one in data.rollable if one.title == "Forest Encounter")
    assert (meets.dice, meets.deck, meets.nested) == ("2d6", False, True)
    assert [(row.results, row.falls) for row in meets.rows] == [
        ("2", 1),
        ("3-5", 9),
        ("6-8", 16),
        ("9-11", 9),
        ("12", 1),
    ]
    assert meets.rows[1].text == "[Pack size] wolves."
    wonder = next(one for one in data.rollable if one.deck)
    table = next(one for one in documents(to_foundry(data)) if one["name"] == wonder.title)
    assert (table["formula"], table["replacement"]) == ("1d3", False)
    assert "!import-table --Forest Encounter --show" in text_of(to_roll20(data), "tables.txt")
    assert "2d6,3,5,[Pack size] wolves." in text_of(to_csv(data), "random-tables.csv")
    assert "- 3-5" not in text_of(to_markdown(data), "random-tables.md")
    assert "> 3-5: " in text_of(to_chat(data), "random-tables.md")


# ------------------------------------------------------------------------------ spreadsheets, JSON, Markdown


@pytest.mark.parametrize("game", GAMES)
def test_every_item_and_row_comes_through_csv_json_and_markdown(game: str):
    data = data_of(game)
    ids = Counter(one.id for one in data.items)
    assert max(ids.values()) == 1
    read = json.loads(text_of(to_json(data), f"{game}.json"))
    assert [one["id"] for one in read["items"]] == [*ids]
    in_csv = [
        row["id"]
        for name, text in to_csv(data).files.items()
        if name not in ("lookups.csv", "odds.csv")
        for row in csv.DictReader(io.StringIO(str(text)))
    ]
    apart = {one.id for one in data.lookups}
    assert sorted(in_csv) == sorted({*ids} - apart)
    made = to_csv(data)
    rows = [*csv.DictReader(io.StringIO(text_of(made, "lookups.csv")))] if data.lookups else []
    assert len(rows) == sum(len(one.rows) for one in data.lookups)
    pages = "".join(str(text) for text in to_markdown(data).files.values())
    assert all(f'<a id="{one.id}">' in pages for one in data.items if one.id not in apart)


def test_the_words_are_those_on_the_screen():
    data = data_of("gnostica")
    sun = next(one for one in data.items if one.id == "gnostica:major/sun")
    shown = call("explain", "gnostica:major/sun", "--card").out
    assert sun.card
    assert all(line in shown for line in sun.card.splitlines())


def test_odds_are_exact_and_only_there_where_asked(tmp_path: Path):
    data = data_of("moonstone")
    (rolled,) = (one for one in data.odds if one.dice == "1d20")
    assert rolled.rows[0] == ("1", Fraction(1, 20))
    made = text_of(to_csv(data), "odds.csv")
    assert "moonstone:power/roll_to_live,will_to_live,1d20,1,1/20,5.0%" in made
    assert call("export", "moonstone", "--to", "csv", "-o", tmp_path / "x").code == 0
    assert not (tmp_path / "x" / "odds.csv").exists()


def test_a_spreadsheet_runs_no_text_of_a_pack():
    made = to_csv(invented())
    (row,) = csv.DictReader(io.StringIO(text_of(made, "dish.csv")))
    assert row["title"] == row["price"] == f"'{HOSTILE}"
    assert any("apostrophe" in line for line in made.left_out)


def test_markdown_and_chats_show_texts_as_they_are():
    for made in (to_markdown(invented()), to_chat(invented())):
        text = "".join(str(one) for one in made.files.values())
        assert "<script>" not in text
        assert "[x](" not in text


@pytest.mark.parametrize("game", GAMES)
def test_a_message_is_no_longer_than_a_chat_takes(game: str):
    made = to_chat(data_of(game))
    for name, text in made.files.items():
        if name.endswith(".md"):
            assert max(map(len, str(text).rstrip("\n").split(BETWEEN))) <= LONGEST
    cut = [line for line in made.left_out if "cut:" in line]
    assert all(
        line.split("cut: ")[1].split(", ")[0] in {one.id for one in data_of(game).items}
        for line in cut
    )


# --------------------------------------------------------------------------------------------------- Foundry


def found_in_node(package: str) -> Path | None:
    """An npm package beside the checkout, if Node is there."""
    places = (one / "node_modules" / package for one in (ROOT, *ROOT.parents))
    found = next((one for one in places if one.is_dir()), None)
    return found if shutil.which("node") is not None else None


def write(made: Exported, folder: Path) -> None:
    for name, text in made.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(text), encoding="utf-8")


def documents(made: Exported) -> list[dict[str, Any]]:
    return [json.loads(str(text)) for name, text in made.files.items() if name.startswith("src/")]


@pytest.mark.parametrize("game", GAMES)
def test_ids_are_stable_unlike_and_as_foundry_wants_them(game: str):
    made = documents(to_foundry(data_of(game)))
    keys = [one["_key"] for one in made] + [
        page["_key"] for one in made for page in one.get("pages", ())
    ]
    assert len(keys) == len(set(keys))
    assert all(one["_id"].isalnum() and len(one["_id"]) == 16 for one in made)
    assert stable_id("gnostica:major/sun") == "jai1N1kKYENCSwA5"
    folders = {one["_id"] for one in made if one["_key"].startswith("!folders")}
    assert {one["folder"] for one in made if one["_key"].startswith("!journal")} <= folders


def test_a_table_of_dice_and_a_deck_are_roll_tables_whose_rows_are_escaped():
    dice, deck = (one for one in documents(to_foundry(invented())) if "formula" in one)
    assert (dice["formula"], dice["replacement"]) == ("2d6", True)
    assert [one["range"] for one in dice["results"]] == [[2, 6], [7, 12]]
    assert "<script>" not in json.dumps(dice)
    assert (deck["formula"], deck["replacement"]) == ("1d4", False)


@pytest.mark.parametrize("game", [*GAMES, "inn"])
def test_the_packing_command_of_foundry_takes_the_sources_and_gives_them_back(
    game: str, tmp_path: Path
):
    tool = found_in_node("@foundryvtt/foundryvtt-cli")
    if tool is None:
        pytest.skip("npm install @foundryvtt/foundryvtt-cli beside the checkout")
    made = to_foundry(invented() if game == "inn" else data_of(game))
    write(made, tmp_path)
    module = json.loads((tmp_path / "module.json").read_text("utf-8"))
    known = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "home"), "PATH": ""}
    back = []
    for pack in module["packs"]:
        name = pack["name"]
        for words in (
            ("pack", name, "--in", f"src/{name}", "--out", "packs"),
            ("unpack", name, "--in", "packs", "--out", f"back/{name}"),
        ):
            command = [str(shutil.which("node")), str(tool / "fvtt.mjs"), "package", *words]
            done = subprocess.run(
                command,
                cwd=tmp_path,
                env=known,
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
            )
            assert done.returncode == 0, done.stderr
            assert not done.stderr, done.stderr
        back += [
            json.loads(one.read_text("utf-8")) for one in (tmp_path / "back" / name).glob("*.json")
        ]
    sent = {one["_key"]: one for one in documents(made)}
    assert {one["_key"] for one in back} == {*sent}
    for one in back:
        same = {key: value for key, value in one.items() if key in sent[one["_key"]]}
        assert same == sent[one["_key"]]


# ---------------------------------------------------------------------------------------------------- Roll20

IN_ROLL20 = """
const made = [];
globalThis.log = () => {};
globalThis.findObjs = ({ name }) => made.filter((one) => one.name === name);
globalThis.createObj = (type, one) => {
  made.push({ type, ...one });
  return { set: (key, value) => { made.at(-1)[key] = value; } };
};
let start;
globalThis.on = (moment, then) => { start = then; };
require("./handouts.js");
start();
start();
console.log(JSON.stringify(made));
"""


@pytest.mark.parametrize("game", [*GAMES, "inn"])
def test_the_script_makes_each_handout_once(game: str, tmp_path: Path):
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js")
    data = invented() if game == "inn" else data_of(game)
    write(to_roll20(data), tmp_path)
    (tmp_path / "run.js").write_text(IN_ROLL20, encoding="utf-8")
    done = subprocess.run(
        [str(shutil.which("node")), "run.js"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    made = json.loads(done.stdout)
    assert {one["type"] for one in made} == {"handout"}
    assert len(made) == (2 if game == "inn" else len(data.items))
    assert all("<script>" not in one["notes"] for one in made)


def test_tables_are_commands_that_their_importer_parts_as_meant():
    made = to_roll20(invented())
    lines = text_of(made, "tables.txt").splitlines()
    # As the script of that name parts them: by ` --`, which a text must not hold.
    parts = [line.split(" --") for line in lines]
    assert parts[0] == ["!import-table", "Omens", "show"]
    (first, second), (north, south) = parts[1:3], parts[4:6]
    assert [one[0] for one in (first, second, north, south)] == ["!import-table-item"] * 4
    assert first[2].replace("[TABLEEXPORT:ESCAPE]", " --") == HOSTILE
    assert [int(one[3]) for one in (first, second, north, south)] == [15, 21, 1, 3]
    assert any(line.startswith("Decks:") for line in made.left_out)


# ----------------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_not_carried_over_is_printed_and_stands_in_the_folder(target: str, tmp_path: Path):
    folder = tmp_path / "new" / "deeper"
    done = call("export", "monotheism", "--to", target, "-o", folder)
    assert done.code == 0, done.err
    told = [line.strip() for line in done.out.partition("not carried over:\n")[2].splitlines()]
    assert told == (folder / LEFT_OUT).read_text("utf-8").splitlines()
    assert told
    first = {one.name: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    assert call("export", "monotheism", "--to", target, "-o", folder).code == 0
    assert first == {one.name: one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize("target", ["json", "tts"])
def test_what_is_for_the_gm_is_not_given_to_players(target: str, tmp_path: Path):
    if target == "tts" and importlib.util.find_spec("fpdf") is None:
        pytest.skip("the extra `pdf` is not installed")
    pack = tmp_path / "mine"
    pack.mkdir()
    (pack / "pack.yaml").write_text(PLAIN, encoding="utf-8")
    told = (
        "- {kind: spell, id: told, title: Told, of: hearth-magic, cost: 0, text: Known to all.}\n"
    )
    hidden = told.replace("told", "kept").replace("Known to all.", "Kept from players., for: gm")
    (pack / "spells.yaml").write_text(told + hidden, encoding="utf-8")
    for audience, whole in (("gm", True), ("players", False)):
        done = call("export", pack, "--to", target, "-o", tmp_path / "x", "--for", audience)
        assert done.code == 0, done.out + done.err
        text = (tmp_path / "x" / "mine.json").read_text("utf-8")
        assert ("Kept from" in text, "Known to" in text) == (whole, True)


def test_a_folder_of_something_else_and_packs_with_mistakes_are_refused(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert call("export", "gnostica", "--to", "csv", "-o", tmp_path).code == 2
    assert call("export", "no-such", "--to", "csv", "-o", tmp_path / "x").code == 1
    assert call("export", "gnostica", "--to", "excel", "-o", tmp_path / "x").code == 2
