"""What `ruleloom diff` tells of two packs: the cases of tests/ruleloom/differences, revisions of git, the
version number."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.version import Version

from ruleloom.diff.compare import Side, compare, load_side
from ruleloom.diff.report import LEVELS, WIDTH, DiffReport, advice, as_data, differing_lines, raised
from ruleloom.diff.revisions import NoRevision, unpack
from tests.conftest import ROOT
from tests.support.check_layer import NOTHING, ORCHARD, schemas
from tests.support.command import call

FOLDER = ROOT / "tests" / "ruleloom" / "differences"
CASES: list[dict[str, Any]] = [
    {"file": path.stem, **case}
    for path in sorted(FOLDER.glob("*.yaml"))
    for case in yaml.safe_load(path.read_text(encoding="utf-8"))
]
MANIFEST = {"kind": "pack", "id": "house", "version": "1.0.0", "game": "orchard", "edition": 1}


def write(folder: Path, items: str, manifest: dict[str, Any]) -> Path:
    folder.mkdir(parents=True)
    text = yaml.safe_dump({**MANIFEST, **manifest}, sort_keys=False)
    (folder / "pack.yaml").write_text(text, encoding="utf-8")
    if items:
        (folder / "items.yaml").write_text(items, encoding="utf-8")
    return folder


def side(folder: Path, items: str = "", manifest: dict[str, Any] | None = None) -> Side:
    """A pack for the orchard, compiled."""
    pack = write(folder, items, manifest or {})
    return load_side(pack, folder.name, [ORCHARD / "game"], builtin=NOTHING, schemas=schemas())


def body(report: str) -> list[str]:
    """The lines below the first, without their layout."""
    return [" ".join(line.split()) for line in report.split("\n")[1:] if line]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['file']}: {case['case']}")
def test_a_case(case: dict[str, Any], tmp_path: Path):
    old = side(tmp_path / "old", case.get("old", ""), case.get("old_pack"))
    new = side(tmp_path / "new", case.get("new", ""), case.get("new_pack"))
    changes = compare(old, new)
    found = body(DiffReport().text(old, new, changes, None))
    assert found == case["says"]
    asked = advice(changes, "1.0.0", "1.0.0")
    assert asked.level == case["asks"]
    assert asked.enough == (asked.level == "none")


def test_every_case_is_about_a_level():
    assert {case["asks"] for case in CASES} == set(LEVELS)


# ------------------------------------------------------------------------------- the version number


@pytest.mark.parametrize(
    ("version", "level", "asked"),
    [
        ("1.2.3", "none", "1.2.3"),
        ("1.2.3", "patch", "1.2.4"),
        ("1.2.3", "minor", "1.3.0"),
        ("1.2.3", "major", "2.0.0"),
        ("0.2.3", "patch", "0.2.4"),
        ("0.2.3", "minor", "0.2.4"),
        ("0.2.3", "major", "0.3.0"),
        ("0.0.3", "major", "0.0.4"),
    ],
)
def test_what_a_version_is_raised_to(version: str, level: str, asked: str):
    assert raised(Version(version), level) == asked


FIG = "- {{kind: fruit, id: fig, title: Fig, weight: {}, tint: red}}\n"


@pytest.mark.parametrize(
    ("before", "after", "said", "enough"),
    [
        (
            "1.0.0",
            "1.0.0",
            "the version is still 1.0.0, and what changed asks for 1.1.0 (minor):",
            False,
        ),
        (
            "1.0.0",
            "1.0.9",
            "the version went from 1.0.0 to 1.0.9, and what changed asks for 1.1.0 (minor):",
            False,
        ),
        (
            "1.0.0",
            "1.1.0",
            "the version went from 1.0.0 to 1.1.0: enough for what changed (minor)",
            True,
        ),
        (
            "1.0.0",
            "2.0.0",
            "the version went from 1.0.0 to 2.0.0: enough for what changed (minor)",
            True,
        ),
        (
            "2.0.0",
            "1.9.0",
            "the version went from 2.0.0 to 1.9.0, and what changed asks for 2.1.0 (minor):",
            False,
        ),
    ],
)
def test_whether_a_version_was_raised_enough(
    before: str, after: str, said: str, enough: bool, tmp_path: Path
):
    old = side(tmp_path / "old", FIG.format(2), {"version": before})
    new = side(tmp_path / "new", FIG.format(4), {"version": after})
    changes = compare(old, new)
    found = advice(changes, before, after)
    lines = DiffReport().text(old, new, changes, found).split("\n")
    assert found.enough is enough
    assert said in lines
    # Where it is too low, the reason follows.
    told = [line.split() for line in lines[lines.index(said) + 1 :]]
    assert told == ([] if enough else [["weight", "of", "fruit/fig", "changed", "items.yaml:1"]])


def test_a_version_never_goes_back(tmp_path: Path):
    old = side(tmp_path / "old", FIG.format(2), {"version": "1.1.0"})
    new = side(tmp_path / "new", FIG.format(2), {"version": "1.0.0"})
    changes = compare(old, new)
    found = advice(changes, "1.1.0", "1.0.0")
    assert not changes
    assert not found.enough
    assert (
        DiffReport()
        .text(old, new, changes, found)
        .endswith("from 1.1.0 to 1.0.0, and versions only go up")
    )


# -------------------------------------------------------------------------------- how it is written


def test_no_line_is_too_wide_and_colour_changes_nothing_else(tmp_path: Path):
    long = (
        "a very long title that goes on and on, and is not yet at its end when the line is, so that "
        "it breaks"
    )
    id = "fig-with-a-name-that-is-as-long-as-a-name-may-be"
    item = f"- {{{{kind: fruit, id: {id}, title: '{{}}', weight: 2, tint: red}}}}\n"
    old, new = side(tmp_path / "old", item.format("Fig")), side(tmp_path / "new", item.format(long))
    changes = compare(old, new)
    plain = DiffReport().text(old, new, changes, advice(changes, "1.0.0", "1.0.0"))
    assert max(map(len, plain.split("\n"))) <= WIDTH
    coloured = DiffReport(colour=True).text(old, new, changes, advice(changes, "1.0.0", "1.0.0"))
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_what_a_pack_says_cannot_steer_the_screen(tmp_path: Path):
    old = side(tmp_path / "old", FIG.format(2).replace("Fig", '"Fig"'))
    new = side(tmp_path / "new", FIG.format(2).replace("Fig", '"Fig\\u202E"'))
    changes = compare(old, new)
    text = DiffReport().text(old, new, changes, None)
    assert "\u202e" not in text
    assert "\\u202e" in text


def test_the_data_holds_what_the_report_says(tmp_path: Path):
    old, new = side(tmp_path / "old", FIG.format(2)), side(tmp_path / "new", FIG.format(4))
    changes = compare(old, new)
    data = json.loads(json.dumps(as_data(old, new, changes, advice(changes, "1.0.0", "1.0.0"))))
    (item,) = data["items"]
    assert item["id"] == "fruit/fig"
    assert item["fields"] == [
        {
            "field": "weight",
            "does": "changed",
            "old": 2,
            "new": 4,
            "old_at": {"path": "items.yaml", "line": 1, "column": 46},
            "new_at": {"path": "items.yaml", "line": 1, "column": 46},
        }
    ]
    assert data["numbers"] == [
        {
            "id": "orchard:measure/heavy",
            "of": "fig",
            "label": "Fig is heavy",
            "old": False,
            "new": True,
        }
    ]
    assert data["version"]["asked"] == "1.1.0"


def test_words_that_change_side_by_side_are_told_together():
    assert differing_lines("one two three four", "one 2 3 four") == (
        ((" ", "one "), ("-", "two three"), ("+", "2 3"), (" ", " four")),
    )


def test_texts_too_long_to_be_compared_word_by_word_are_told_whole():
    old, new = "a b " * 2000, "a c " * 2000
    ((went, came),) = differing_lines(old.strip(), new.strip())
    assert (went[0], came[0]) == ("-", "+")


# ---------------------------------------------------------------------------------- revisions


def git(folder: Path, *words: str) -> None:
    author = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a pack in a folder, whose fig has become heavier since `v1.0`."""
    if shutil.which("git") is None:
        pytest.skip("there is no git here")
    folder = tmp_path / "a repository"
    pack = write(folder / "packs" / "my house", FIG.format(2), {})
    (pack / "notes.txt").write_text("not read", encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    git(folder, "tag", "v1.0")
    (pack / "items.yaml").write_text(FIG.format(4), encoding="utf-8")
    return pack


def test_a_pack_as_it_was_at_a_revision(repository: Path, tmp_path: Path):
    unpack(repository, "v1.0", tmp_path / "old")
    assert sorted(path.name for path in (tmp_path / "old").iterdir()) == ["items.yaml", "pack.yaml"]
    old, new = (
        load_side(folder, folder.name, [ORCHARD / "game"], builtin=NOTHING, schemas=schemas())
        for folder in (tmp_path / "old", repository)
    )
    (item,) = compare(old, new).items
    assert [(one.name, one.old, one.new) for one in item.fields] == [("weight", 2, 4)]


@pytest.mark.parametrize(
    ("revision", "message", "help"),
    [
        ("v1.1", "there is no revision `v1.1`", "did you mean `v1.0`?"),
        (
            "--help",
            "there is no revision `--help`",
            "give a tag, a branch, or a commit, such as `v1.0`",
        ),
    ],
)
def test_a_revision_that_is_none(
    revision: str, message: str, help: str, repository: Path, tmp_path: Path
):
    with pytest.raises(NoRevision, match=message) as found:
        unpack(repository, revision, tmp_path / "old")
    assert found.value.help == help


def test_a_folder_that_was_no_pack_then(repository: Path, tmp_path: Path):
    repository.rename(repository.parent / "moved")
    with pytest.raises(NoRevision, match=r"there is no `pack\.yaml` in moved at `v1.0`"):
        unpack(repository.parent / "moved", "v1.0", tmp_path / "old")


def test_links_of_a_revision_are_not_followed(repository: Path, tmp_path: Path):
    (repository / "more.yaml").symlink_to("items.yaml")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two")
    with pytest.raises(NoRevision, match=r"more.yaml is a link at `HEAD`"):
        unpack(repository, "HEAD", tmp_path / "old")


def test_without_a_repository(tmp_path: Path):
    if shutil.which("git") is None:
        pytest.skip("there is no git here")
    done = call("diff", "--rev", "v1.0", write(tmp_path / "house", FIG.format(2), {}))
    assert done.code == 2
    assert "lies in no git repository" in done.err


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = call("diff", "--rev", "v1.0", write(tmp_path / "house", FIG.format(2), {}))
    assert done.code == 2
    assert "there is no program `git` here" in done.err


# ---------------------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["one"], "two packs are compared, and 1 are named"),
        (["--rev", "a", "one", "two"], "`--rev` compares one pack with itself"),
        (["--rev", "a..", "."], "`--rev a..` lacks a revision"),
    ],
)
def test_wrong_use(words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path / "house", "", {})
    monkeypatch.chdir(tmp_path / "house")
    done = call("diff", *words)
    assert done.code == 2
    assert message in done.err


def test_a_pack_with_mistakes_cannot_be_compared(tmp_path: Path):
    house = write(tmp_path / "house", "- {kind: fruit}", {"game": "gnostica"})
    done = call("diff", house, "gnostica")
    assert done.code == 1
    assert "error[unknown-kind]" in done.err
    assert done.out == ""


def test_the_command_from_end_to_end(tmp_path: Path):
    card = "- {{kind: major, id: lamp, title: Lamp, number: 39, effect: use {}}}\n"
    old = write(tmp_path / "old", card.format("create"), {"game": "gnostica"})
    new = write(tmp_path / "new", card.format("grow"), {"game": "gnostica"})
    done = call("diff", old, new, "--strict")
    assert done.code == 1
    assert "        Use this card as a [-Create-]{+Grow+}." in done.out.split("\n")
    assert "the version is still 1.0.0, and what changed asks for 1.1.0 (minor):" in done.out
