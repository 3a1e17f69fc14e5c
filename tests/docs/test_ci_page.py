"""What docs/ci.md shows works for a stranger: the files of the page alone make a repository whose
CI turns red at a mistake, with the annotation at its line, and green once it is mended.

The commands of each snippet are run as they stand, in bash, as GitHub, GitLab and pre-commit run
them. In place of `ruleloom` stands this checkout, and nothing is installed: `python -m pip` only
writes down what it was asked for.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from junitparser import JUnitXml

from ruleloom.site.folder import PYODIDE
from tests.conftest import ROOT
from tests.docs.test_docs import blocks

PAGE = "ci.md"
HOUSE = "house/patches.yaml"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}


def files_of_the_page() -> dict[str, list[str]]:
    """Each file of the page with all that it is to hold, one after the other."""
    found: dict[str, list[str]] = {}
    for block in blocks(PAGE):
        if block.mark is not None and block.mark[0] == "file":
            found.setdefault(block.mark[1], []).append(block.text)
    return found


FILES = files_of_the_page()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A fresh git repository with the files of the page, each as the page first shows it."""
    folder = tmp_path / "packs"
    for name in ("house/pack.yaml", HOUSE, "house/scenarios.yaml", *SNIPPETS):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILES[name][0], encoding="utf-8")
    bin = tmp_path / "bin"
    bin.mkdir()
    stand_in(bin / "ruleloom", f'exec {shlex.quote(sys.executable)} -m ruleloom "$@"')
    stand_in(bin / "python", f'echo "$@" >> {shlex.quote(str(bin / "asked"))}')
    run("git init -q && git add -A", folder)
    return folder


SNIPPETS = (".github/workflows/rules.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml")
PAGES = ".github/workflows/pages.yml"
RELEASE = ".github/workflows/release.yml"


def stand_in(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)


def run(
    command: str, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command as the services do: bash, which stops at the first failure."""
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    known = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "GITHUB_ACTION_PATH": str(ROOT)}
    known["RUNNER_TEMP"] = str(folder.parent / "aside")
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
        cwd=folder,
        env={**known, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def plant(repository: Path) -> str:
    """Make the mistake that the page shows; return the line it makes wrong."""
    before, after = FILES[HOUSE]
    (repository / HOUSE).write_text(after, encoding="utf-8")
    (wrong,) = set(after.splitlines()) - set(before.splitlines())
    return wrong


def asked_of_python(repository: Path) -> list[str]:
    asked = repository.parent / "bin" / "asked"
    return asked.read_text(encoding="utf-8").splitlines() if asked.exists() else []


# ---------------------------------------------------------------------------------- GitHub


def github(
    repository: Path, name: str = SNIPPETS[0]
) -> dict[str, subprocess.CompletedProcess[str]]:
    """Run the steps of the action as a workflow of the page asks for it; what came of each, by
    name."""
    workflow = yaml.safe_load((repository / name).read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    (step,) = (step for step in job["steps"] if "/ruleloom@" in step.get("uses", ""))
    inputs = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
    assert set(step["with"]) <= set(inputs)
    inputs |= step["with"]
    done: dict[str, subprocess.CompletedProcess[str]] = {}
    for step in ACTION["runs"]["steps"]:
        failed = any(one.returncode for one in done.values())
        if "run" in step and wanted(step.get("if", ""), inputs, failed):
            assert "${{" not in step["run"], "an input goes through the environment"
            assert step["shell"] == "bash"
            environment = {
                name: filled(value, inputs) for name, value in step.get("env", {}).items()
            }
            done[step["name"]] = run(step["run"], repository, environment)
    return done


def filled(text: str, inputs: Mapping[str, str]) -> str:
    """A text of the action with the inputs in it."""
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)


def wanted(condition: str, inputs: Mapping[str, str], failed: bool) -> bool:
    """Whether a step is run: its condition is a chain of `always()` and comparisons of inputs."""
    terms = condition.removeprefix("${{").removesuffix("}}").split("&&") if condition else []
    terms = [term.strip() for term in terms]
    comparisons = [
        re.fullmatch(r"inputs\.([\w-]+) (==|!=) '(.*)'", term)
        for term in terms
        if term != "always()"
    ]
    holds = all(
        one is not None and (inputs[one[1]] == one[3]) == (one[2] == "==") for one in comparisons
    )
    return holds and ("always()" in terms or not failed)


ANNOTATION = re.compile(
    r"::(error|warning) file=([^,]+),line=(\d+),col=(\d+),endLine=(\d+),endColumn=(\d+),title=(.*?)::(.*)"
)


def test_a_strangers_repository_turns_red_at_the_line_and_green_once_mended(repository: Path):
    wrong = plant(repository)
    steps = github(repository)
    assert asked_of_python(repository) == [f"-m pip install --quiet {ROOT}"]
    assert {name: done.returncode for name, done in steps.items()} == {
        "Install Ruleloom": 0,
        "Check the packs": 1,
        "Write the report for code scanning": 0,
    }
    (line,) = steps["Check the packs"].stdout.splitlines()
    found = ANNOTATION.fullmatch(line)
    assert found is not None, line
    severity, file, number, column, _, end, code, message = found.groups()
    assert (severity, file, code) == ("error", HOUSE, "unknown-power")
    at = (repository / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
    assert at == wrong
    assert at[int(column) - 1 : int(end) - 1] == "moev"
    assert "did you mean `move`?" in message
    (result,) = json.loads((repository / "rules.sarif").read_text(encoding="utf-8"))["runs"][0][
        "results"
    ]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == int(number)

    mend_as_sarif_says(repository, result)
    assert (repository / HOUSE).read_text(encoding="utf-8") == FILES[HOUSE][0]
    plant(repository)
    assert run("ruleloom check house --fix", repository).returncode == 0
    assert (repository / HOUSE).read_text(encoding="utf-8") == FILES[HOUSE][0]
    steps = github(repository)
    assert {name: done.returncode for name, done in steps.items()} == {
        "Install Ruleloom": 0,
        "Check the packs": 0,
        "Hold them to their promises": 0,
        "Play their scenarios": 0,
        "Write the report for code scanning": 0,
    }
    assert not steps["Check the packs"].stdout


def test_a_path_with_spaces_stands_in_a_line_of_its_own(repository: Path):
    (repository / "house").rename(repository / "our house")
    workflow = repository / SNIPPETS[0]
    text = workflow.read_text(encoding="utf-8")
    many = text.replace("paths: house", "paths: |\n            our house")
    workflow.write_text(many, encoding="utf-8")
    steps = github(repository)
    assert {done.returncode for done in steps.values()} == {0}, steps


def mend_as_sarif_says(repository: Path, result: Mapping[str, Any]) -> None:
    """Make the fix that a result carries, as a tool would that knows nothing of us."""
    (change,) = result["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    path, region = repository / change["artifactLocation"]["uri"], replacement["deletedRegion"]
    lines = path.read_text(encoding="utf-8").split("\n")
    line = lines[region["startLine"] - 1]
    new = replacement["insertedContent"]["text"]
    lines[region["startLine"] - 1] = (
        line[: region["startColumn"] - 1] + new + line[region["endColumn"] - 1 :]
    )
    path.write_text("\n".join(lines), encoding="utf-8")


def test_the_action_names_its_inputs_once_and_the_page_all_of_them():
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])
    page = (ROOT / "docs" / PAGE).read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in ACTION["inputs"])
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert set(step) <= {"name", "if", "uses", "with", "run", "shell", "env"}


def test_a_tag_becomes_a_release(repository: Path):
    text = FILES[RELEASE][0]
    workflow = yaml.safe_load(text)
    assert workflow[True] == {"push": {"tags": ["v*"]}}
    _, before, _, made = workflow["jobs"]["release"]["steps"]
    (repository / RELEASE).write_text(text, encoding="utf-8")
    commit = "git -c user.name=a -c user.email=a@b commit -qm x"
    assert run(f"git add -A && {commit} && git tag v1", repository).returncode == 0
    pack = repository / "house" / "pack.yaml"
    for tag in ("v1", "v2"):
        told = repository.parent / f"told-{tag}"
        known = {"GITHUB_REF_NAME": tag, "GITHUB_OUTPUT": str(told)}
        assert run(before["run"], repository, known).returncode == 0
        since = told.read_text().strip().removeprefix("tag=")
        assert since == ("v1" if tag == "v2" else "")
        filled_in = text.replace("${{ steps.before.outputs.tag }}", since)
        (repository / RELEASE).write_text(filled_in, encoding="utf-8")
        steps = github(repository, RELEASE)
        assert list(steps)[-1] == "Write the zip"
        assert {done.returncode for done in steps.values()} == {0}, steps
        pack.write_text(pack.read_text().replace("1.0.0", "2.0.0").replace("0.1.0", "1.0.0"))
        run(f"git add -A && {commit} && git tag v2", repository)
    stand_in(repository.parent / "bin" / "gh", 'echo "$@" > gh-asked')
    assert run(made["run"], repository, {"GITHUB_REF_NAME": "v2"}).returncode == 0
    asked = (repository / "gh-asked").read_text().split()
    assert asked[-3:] == ["dist/house-exports.zip", "dist/house-reference.zip", "dist/house.zip"]
    zip = ZipFile(repository / "dist" / "house.zip")
    assert "house/CHANGELOG.md" in zip.namelist()


@pytest.mark.slow
def test_the_packs_become_a_page(repository: Path):
    """With the npm package beside the checkout in place of what npm would install."""
    package = next(
        (
            one / "node_modules" / "pyodide"
            for one in ROOT.parents
            if (one / "node_modules" / "pyodide").is_dir()
        ),
        None,
    )
    if package is None or shutil.which("node") is None:
        pytest.skip("there is no Pyodide: npm install pyodide beside the checkout")
    (repository / PAGES).write_text(FILES[PAGES][0], encoding="utf-8")
    place = repository.parent / "aside" / "node_modules"
    told = shlex.quote(str(repository.parent / "bin" / "npm-asked"))
    link = f"mkdir -p {shlex.quote(str(place))} && ln -s {shlex.quote(str(package))} {shlex.quote(str(place))}"
    stand_in(repository.parent / "bin" / "npm", f'echo "$@" > {told} && {link}')
    steps = github(repository, PAGES)
    assert {done.returncode for done in steps.values()} == {0}, steps
    assert list(steps)[-1] == "Write the site"
    assert asked_of_python(repository)[-1] == f"-m pip install --quiet {ROOT}[web]"
    assert (repository.parent / "bin" / "npm-asked").read_text().split()[-1] == f"pyodide@{PYODIDE}"
    assert (repository / "_site" / "index.html").is_file()


# ------------------------------------------------------------------------------- GitLab, pre-commit


def test_the_gitlab_snippet_writes_its_reports_and_fails(repository: Path):
    plant(repository)
    job = yaml.safe_load((repository / SNIPPETS[1]).read_text(encoding="utf-8"))["ruleloom"]
    done = run("\n".join([*job["before_script"], *job["script"]]), repository, job["variables"])
    assert done.returncode == 1
    assert asked_of_python(repository) == [f"-m pip install --quiet {job['variables']['RULELOOM']}"]
    assert "house/patches.yaml:13:13: error[unknown-power]" in done.stdout
    reports = {
        kind: (repository / name).read_text("utf-8")
        for kind, name in job["artifacts"]["reports"].items()
    }
    (entry,) = json.loads(reports["codequality"])
    assert entry["location"] == {"path": HOUSE, "lines": {"begin": 13, "end": 13}}
    (suite,) = JUnitXml.fromstring(reports["junit"].encode())
    assert (suite.tests, len(list(suite))) == (0, 0)


def test_the_hooks_of_the_page_pass(repository: Path):
    config = yaml.safe_load((repository / SNIPPETS[2]).read_text(encoding="utf-8"))
    hooks = [{**HOOKS[hook["id"]], **hook} for repo in config["repos"] for hook in repo["hooks"]]
    assert [hook["id"] for hook in hooks] == ["ruleloom-fmt", "ruleloom-check", "ruleloom-test"]
    for hook in hooks:
        assert hook["pass_filenames"] is False
        done = run(shlex.join([*shlex.split(hook["entry"]), *hook["args"]]), repository)
        assert done.returncode == 0, (hook["id"], done.stdout, done.stderr)
    assert run("git diff --exit-code", repository).returncode == 0, "the files of the page are tidy"


def test_what_is_told_of_a_change_alone(repository: Path):
    """The one command of the page that needs a history of git."""
    (command,) = (block.text for block in blocks(PAGE, "sh"))
    assert (
        run(
            "git -c user.name=Ann -c user.email=a@example.org commit -qm first", repository
        ).returncode
        == 0
    )
    assert run("git update-ref refs/remotes/origin/main HEAD", repository).returncode == 0
    plant(repository)
    done = run(command, repository)
    assert done.returncode == 1
    assert "house/patches.yaml:13:13: error[unknown-power]" in done.stdout


def test_every_hook_can_be_run_without_arguments():
    for hook in HOOKS.values():
        assert set(hook) >= {"id", "name", "entry", "language", "args", "pass_filenames"}
        assert hook["entry"].split()[0] == "ruleloom"
        assert hook["args"] == ["."]
