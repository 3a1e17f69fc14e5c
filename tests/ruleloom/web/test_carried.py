"""A pack in a link: the same pack arrives, what it changes is told, and what is hostile is refused."""

from __future__ import annotations

import base64
import json
import random
import string
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruleloom.runtime.program.faults import Refused
from ruleloom.web.carried import LARGEST_CARRIED, LONGEST_LINK, Carried, carried_by, preview
from ruleloom.web.lobby import Shelf
from ruleloom.web.requests import BadInput, Fields
from ruleloom.workbench.addresses import FILE_WORK
from ruleloom.workbench.work_files import WorkFiles, work_packs
from tests.conftest import ROOT

FOLK = ROOT / "rulesets" / "examples" / "river-folk"
MADE = ("gnostica 1.0.0", "ruleloom 0.1.0")
MANIFEST = "{kind: pack, id: lamps, version: 1.0.0, game: gnostica, edition: 1, requires: {gnostica: '>=1.0'}}"


def folk() -> Carried:
    files = {one.name: one.read_text("utf-8") for one in FOLK.glob("*.yaml")}
    return Carried("river-folk", files, MADE)


def link_of(data: object) -> str:
    """A link made by hand."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(data).encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def of_files(files: object) -> str:
    return link_of({"name": "lamps", "made": [], "files": files})


def test_what_arrives_is_what_was_sent():
    carried = folk()
    assert carried_by(carried.link) == carried
    assert len(carried.link) < 15_000
    assert set(carried.link) <= set(string.ascii_letters + string.digits + "-_")
    assert carried.zip == carried_by(carried.link).zip


def test_what_it_changes_is_told_with_the_new_cards_by_title():
    found = preview("river-folk", folk().zip, MADE)
    assert [one["title"] for one in found["added"]] == ["Ferryman", "Whirlpool"]
    assert "How many pieces a space holds: [-3-]{+4+}." in found["report"]
    assert (found["game"], found["id"], found["made"]) == ("Gnostica", "river-folk", MADE)
    assert found["here"][0] == "gnostica 1.0.0"


def test_a_pack_with_mistakes_is_not_shown_as_sound():
    files = {"pack.yaml": MANIFEST, "cards.yaml": "{kind: major, id: lamp, titel: Lamp}"}
    with pytest.raises(Refused, match="titel"):
        preview("lamps", Carried("lamps", files, ()).zip)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../evil.yaml", "leads out of the zip"),
        ("/etc/evil.yaml", "leads out of the zip"),
        ("C:/evil.yaml", "leads out of the zip"),
        ("a\\evil.yaml", "backslash"),
        ("PACK.yaml", "case"),
        ("\u202eevil.yaml", "cannot be seen"),
        ("inner.zip", "zip"),
        ("/".join("abcdefghijklmnopqrst") + ".yaml", "deep"),
        ("a" * 600 + ".yaml", "longer than"),
    ],
)
def test_names_are_those_that_an_archive_may_have(name: str, why: str):
    carried = carried_by(of_files({"pack.yaml": MANIFEST, name: "kind: power"}))
    with pytest.raises(Refused, match=why):
        preview(carried.name, carried.zip)


@pytest.mark.parametrize(
    "link",
    [
        "",
        "!!!",
        "AAAA",
        "é",
        folk().link[:-20],
        "A" * (LONGEST_LINK + 1),
        link_of([1]),
        link_of({"name": "x", "made": []}),
        link_of({"name": "x", "made": [], "files": {"pack.yaml": 1}}),
        link_of({"name": "x", "made": [], "files": [MANIFEST]}),
        link_of({"name": "x" * 65, "made": [], "files": {}}),
        link_of({"name": "x", "made": [1], "files": {}}),
        of_files({f"{one}.yaml": "" for one in range(201)}),
        of_files({"pack.yaml": "\ud800"}),
        of_files({"pack.yaml": [[]] * 40}),
    ],
    ids=range(15),
)
def test_a_damaged_link_is_refused(link: str):
    with pytest.raises(BadInput):
        carried_by(link)


def test_no_link_inflates_without_a_limit():
    link = of_files({"pack.yaml": "x" * (8 * LARGEST_CARRIED)})
    assert len(link) < LONGEST_LINK
    with pytest.raises(BadInput, match="too large"):
        carried_by(link)


def test_a_large_pack_goes_as_a_zip():
    noise = "".join(random.Random(1).choices(string.ascii_letters, k=60_000))
    carried = Carried("lamps", {"pack.yaml": MANIFEST, "noise.yaml": f"# {noise}"}, ())
    with pytest.raises(BadInput, match="send it as a zip"):
        _ = carried.link
    assert Path("noise.yaml").name.encode() in carried.zip


def on_lamps(folder: Path) -> tuple[Path, Path]:
    """A pack, and one that requires it."""
    low, high = folder / "lamps", folder / "lanterns"
    for place in (low, high):
        place.mkdir()
    needs = MANIFEST.replace("id: lamps", "id: lanterns").replace(
        "{gnostica", "{lamps: '>=1.0', gnostica"
    )
    (low / "pack.yaml").write_text(MANIFEST, "utf-8")
    (high / "pack.yaml").write_text(needs, "utf-8")
    return low, high


def test_a_pack_may_need_another_that_the_site_has(tmp_path: Path):
    low, high = on_lamps(tmp_path)
    link = Carried("lanterns", {"pack.yaml": (high / "pack.yaml").read_text("utf-8")}, ())
    games: list[tuple[str, ...]] = [("gnostica", str(low))]
    assert preview("lanterns", link.zip, games=games)["here"][1] == "lamps 1.0.0"
    with pytest.raises(Refused, match="the pack `lamps` is required and cannot be found"):
        preview("lanterns", link.zip)
    shelf = Shelf(games, tmp_path / "sent")
    sent = shelf.take_in("lanterns.zip", link.zip)
    assert shelf.games[sent][1:] == (str(low),)
    assert [one.pack for one in shelf.program(sent).lock] == ["gnostica", "lamps", "lanterns"]


def test_what_does_not_travel_is_told(tmp_path: Path):
    files = WorkFiles(work_packs([("gnostica", *map(str, on_lamps(tmp_path)))]))
    share: Callable[..., Any] = FILE_WORK["share"]
    low, high = (share(files, Fields({"pack": number})) for number in range(2))
    assert (low["needs"], high["needs"]) == ([], ["lamps"])
    assert high["link"]
    assert "lamps 1.0.0" in carried_by(high["link"]).made
