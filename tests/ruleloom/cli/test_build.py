"""`ruleloom build`: a record made line by line, by answers, at random, and against a new version."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.analysis.yaml_cursor import items_in
from tests.support.command import call

PACK = "kind: pack\nid: {}\nversion: {}.0.0\ngame: moonstone\nedition: 1\nrequires: {{moonstone: '*'}}\n"
AL = "{kind: character, id: al, title: Al, gifts: [mist]}\n"
MIST = "- {kind: advantage, id: mist, title: Mist, rating: %s, text: You fade.}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pack(folder: Path, version: int, items: str) -> None:
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK.format("mists", version), encoding="utf-8")
    (folder / "items.yaml").write_text(items, encoding="utf-8")


def test_somebody_is_made_line_by_line_and_saved(here: Path):
    lines = (
        *(
            "gifts leather",
            "1",
            "start.Str = 14",
            "what start.End = 18",
            "why CV",
            "undo",
            "redo",
            "find keen",
        ),
        *("start", "start.Str = 30", "check", "undo", "nonsense + x", "sheet", "text", "save"),
    )
    done = call("build", "moonstone", "ann.yaml", typed="\n".join((*lines, "quit", "")))
    assert done.code == 0, done.err
    assert "  1 thick-hide (Thick hide): +2 Ad; Your skin is leather" in done.out
    assert "Ann | CV: 6 Ad of 40 Ad, 34 left | legal" in done.out
    assert "Integrities: PI: 100 -> 130" in done.out
    assert "error[within_allowance]: Ann costs" in done.out
    assert "there is no choice `nonsense`" in done.out
    assert "CV of Ann = 6" in done.out
    assert "  1 gifts: keen-nose (Keen nose): +1 Ad; " in done.out
    assert (here / "ann.yaml").read_text(encoding="utf-8") == (
        "kind: character\nid: ann\ntitle: Ann\nstart: {Str: 14}\ngifts: [thick-hide]\n"
    )


def test_answers_of_a_file_make_the_same_and_a_check_says_what_is_wrong(here: Path):
    (here / "lines").write_text("# Ann\nstart.Str = 14\n\ngifts + thick-hide\n", encoding="utf-8")
    done = call("build", "moonstone", "ann.yaml", "--answers", "lines", "-o", "ann.yaml")
    assert (done.code, done.out) == (0, "")
    assert done.err == "wrote ann.yaml\nCV: 6 Ad of 40 Ad, 34 left\n"
    checked = call("build", "moonstone", "ann.yaml", "--check", "--points", "5")
    assert checked.code == 1
    assert checked.out.startswith(
        "CV: 6 Ad of 5 Ad, 1 too much\n"
        "error[within_allowance]: Ann costs 6 Ad, and the campaign allows 5\n"
        "  help: take something out, or give something up\n"
        "  by moonstone.cv.limit, "
    )


def test_a_random_record_costs_what_it_may_and_is_the_same_for_a_seed(here: Path):
    words = ("build", "moonstone", "--random", "--points", "45", "--seed", "3")
    done = call(*words)
    assert (done.code, done.err) == (0, "seed 3\nCV: 45 Ad of 45 Ad, 0 left\n")
    assert call(*words) == done


def test_many_are_made_from_a_template_each_in_a_file_of_its_own(here: Path):
    (here / "guard.yaml").write_text(
        "kind: character\nid: guard\ntitle: Guard\nweapons: [spear]\n", encoding="utf-8"
    )
    many = (
        "--template",
        "guard.yaml",
        "--count",
        "3",
        "--points",
        "20",
        "--seed",
        "1",
        "-o",
        "guards",
    )
    done = call("build", "moonstone", *many)
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1] == "seed 1; 3 legal records in guards"
    made = {path.name: path.read_text(encoding="utf-8") for path in (here / "guards").iterdir()}
    table = made.pop("guard-encounters.yaml")
    assert table.startswith("kind: random-table\nid: guard-encounters\n")
    assert table.count("weight: 1, text:") == 3  # each costs 20
    assert set(made) == {"guard-1.yaml", "guard-2.yaml", "guard-3.yaml"}
    assert all("weapons: [spear" in text for text in made.values())
    assert call("build", "moonstone", *many).code == 2  # nothing is overwritten


def test_what_a_new_version_of_a_pack_changes_is_told_of_each(here: Path):
    pack(here / "old", 1, MIST % "II")
    pack(here / "new", 2, MIST % "III")
    pack(here / "gone", 3, "[]\n")
    (here / "old" / "al.yaml").write_text(AL, encoding="utf-8")
    own = call("build", "moonstone", "old/al.yaml", "--check")
    assert (own.code, own.out) == (0, "CV: 2 Ad of 40 Ad, 38 left\n")
    (here / "old" / "al.yaml").unlink()
    people = (
        "# people\n- {kind: character, id: mo, title: Mo, gifts: [mist]}\n"
        "- {kind: character, id: bo, title: Bo}\n"
    )
    (here / "people.yaml").write_text(people, encoding="utf-8")
    done = call("build", "moonstone", "new", "people.yaml", "--against", "old")
    assert done.code == 0, done.err
    assert "Mo:\n  CV: 2 Ad -> 3 Ad\n" in done.out
    assert done.out.endswith("Bo: as before\n")
    lost = call("build", "moonstone", "gone", "people.yaml", "--against", "old")
    assert lost.code == 1
    assert "error[fields] at gifts.1: there is no advantage `mist`" in lost.out
    assert len(items_in((here / "people.yaml").read_text(encoding="utf-8"))) == 2


def test_people_of_a_pack_have_its_things_also_against_an_older_version(here: Path):
    pack(here / "old", 1, MIST % "II")
    pack(here / "new", 2, MIST % "III")
    pack(here / "gone", 3, "[]\n")
    (here / "folk").mkdir()
    (here / "folk" / "pack.yaml").write_text(PACK.format("folk", 1), encoding="utf-8")
    (here / "folk" / "lamp.yaml").write_text(
        "- {kind: advantage, id: lamp, title: Lamp, rating: I, text: You glow.}\n", encoding="utf-8"
    )
    people = "- {kind: character, id: mo, title: Mo, gifts: [mist, lamp]}\n"
    (here / "folk" / "people.yaml").write_text(people, encoding="utf-8")
    done = call("build", "moonstone", "new", "folk/people.yaml", "--against", "old")
    assert done.code == 0, done.err
    assert "Mo:\n  CV: 3 Ad -> 4 Ad\n" in done.out
    # What the record names and its packs no longer have is a finding, and no reason not to read it.
    lost = call("build", "gone", "folk/people.yaml", "--against", "old")
    assert lost.code == 1
    assert "  CV: 3 Ad -> 1 Ad\n" in lost.out
    assert "error[fields] at gifts.1: there is no advantage `mist`" in lost.out
    assert call("build", "gone", "folk/people.yaml", "--check").out.startswith("CV: 1 Ad of")
    # A mistake in anything else of the file is.
    wrong = people + "- {kind: advantage, id: fog, title: Fog, rating: XX, text: x}\n"
    (here / "folk" / "people.yaml").write_text(wrong, encoding="utf-8")
    assert "XX" in call("build", "gone", "folk/people.yaml", "--of", "mo", "--check").out


def test_effect_text_that_does_nothing_yet_is_told(here: Path):
    pack(here / "folk", 1, "[]\n")
    hider = (
        "kind: character\nid: zed\ntitle: Zed\nbearer: {entity: Character, when: self = this}\n"
        'abilities: |\n  modify PR(self) by 4 as "hide"\n'
    )
    told = "warning[fields] at abilities: this effect text does nothing yet"
    for place in ("zed.yaml", "folk/zed.yaml"):
        (here / place).write_text(hider, encoding="utf-8")
    loose = call("build", "moonstone", "zed.yaml", typed="why PR\n")
    assert "PR of Zed = 0" in loose.out
    assert told in loose.out
    lines = 'why PR\nabilities = modify PR(self) by 5 as "hide"\ncheck\n'
    own = call("build", "folk/zed.yaml", typed=lines)
    before, _, after = own.out.partition("PR of Zed = 4")
    assert after
    assert told not in before
    assert told in after
    (here / "folk" / "zed.yaml").write_text(
        hider.replace("PR(self)", "PRR(self)"), encoding="utf-8"
    )
    assert "PRR" in call("build", "folk/zed.yaml", "--check").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("gnostica", "--kind", "wizard"), "there is no kind `wizard` of things"),
        (("gnostica",), "which kind?"),
        (("moonstone", "--template", "nobody"), "there is no character `nobody`"),
        (("moonstone", "--count", "2"), "where to?"),
        (
            ("witchgates", "--kind", "merit", "--points", "3"),
            "no setting says what a merit may cost",
        ),
        (("moonstone", "two.yaml", "--check"), "which record of the file?"),
        (("moonstone", "--against", "old"), "whom?"),
    ],
)
def test_what_cannot_be_made_is_refused(here: Path, words: tuple[str, ...], told: str):
    two = "- {kind: character, id: a, title: A}\n- {kind: character, id: b, title: B}\n"
    (here / "two.yaml").write_text(two, encoding="utf-8")
    done = call("build", *words)
    assert done.code == 2
    assert told in done.err
