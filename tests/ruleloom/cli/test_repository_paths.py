"""Reports for code hosts name files from the root of the repository, whatever folder they are made in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest, write

CARDS = """\
- {kind: power, id: hum, gloss: hum, effect: use create}
- {kind: major, id: lake, title: Lake, number: 77, effect: use hum}
- {kind: major, id: pond, title: Lake, number: 78, effect: use hum}
"""
CASES = "kind: scenarios\ncases:\n  - {id: one, when: [], then: {lag: [hm]}}\n"
INSIDE = "table rules/dark, wet"


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a pack some folders down, some of whose names have spaces and commas."""
    root = tmp_path / "a repository"
    write(
        root,
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            f"{INSIDE}/pack.yaml": manifest("wet", game="gnostica"),
            f"{INSIDE}/cards.yaml": CARDS,
            f"{INSIDE}/cases.yaml": CASES,
        },
    )
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.setenv("RULELOOM_CACHE", "off")
    return root


def reported(form: str, verb: str = "check") -> set[str]:
    """The files that a report of the pack of the present folder names."""
    out = call(verb, ".", "--format", form).out
    if form == "github":
        found = set(re.findall(r"file=([^,]*),", out))
        return {one.replace("%2C", ",").replace("%3A", ":") for one in found}
    if form == "gitlab":
        return {issue["location"]["path"] for issue in json.loads(out)}
    return {unquote(place["uri"]) for place in artifacts(json.loads(out))}


def artifacts(node: object) -> Iterator[dict[str, str]]:
    """The places of files in a SARIF log."""
    if isinstance(node, dict):
        if "artifactLocation" in node:
            yield node["artifactLocation"]
        for child in node.values():
            yield from artifacts(child)
    elif isinstance(node, list):
        for child in node:
            yield from artifacts(child)


@pytest.mark.parametrize("form", ["github", "gitlab", "sarif"])
@pytest.mark.parametrize("below", [".", "table rules", INSIDE])
def test_paths_go_from_the_root_of_the_repository(
    form: str, below: str, repository: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(repository / below)
    assert reported(form) == {f"{INSIDE}/cards.yaml", f"{INSIDE}/cases.yaml"}


def test_those_of_cases_that_fail_do_so_too(repository: Path, monkeypatch: pytest.MonkeyPatch):
    text = CASES.replace("lag", "log")
    write(repository / INSIDE, {"cases.yaml": text})
    monkeypatch.chdir(repository / INSIDE)
    assert f"{INSIDE}/cases.yaml" in reported("github", "test")


def test_the_workspace_of_a_runner_is_the_root(repository: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(repository / INSIDE)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(repository.parent))
    assert f"{repository.name}/{INSIDE}/cards.yaml" in reported("gitlab")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(repository / "elsewhere"))  # of another job
    assert f"{INSIDE}/cards.yaml" in reported("gitlab")


def test_without_a_repository_paths_go_from_the_folder(
    repository: Path, monkeypatch: pytest.MonkeyPatch
):
    (repository / ".git" / "HEAD").unlink()
    (repository / ".git").rmdir()
    monkeypatch.chdir(repository / INSIDE)
    assert "cards.yaml" in reported("gitlab")


def test_a_file_outside_the_repository_is_absolute(
    repository: Path, monkeypatch: pytest.MonkeyPatch
):
    (repository / INSIDE).rename(repository.parent / "beside")
    monkeypatch.chdir(repository)
    out = call("check", "../beside", "--format", "gitlab").out
    outside = (repository.parent / "beside" / "cards.yaml").as_posix()
    assert outside in {issue["location"]["path"] for issue in json.loads(out)}


def test_sarif_says_where_its_paths_begin(repository: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(repository / INSIDE)
    (run,) = json.loads(call("check", "--format", "sarif").out)["runs"]
    [(name, base)] = run["originalUriBaseIds"].items()
    places = list(artifacts(run))
    assert {place["uriBaseId"] for place in places} == {name}
    files = {unquote((base["uri"] + place["uri"]).removeprefix("file://")) for place in places}
    assert files
    assert all(Path(file).is_file() for file in files)


def test_people_are_shown_paths_from_where_they_are(
    repository: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(repository / INSIDE)
    assert " cards.yaml:" in call("check").out
