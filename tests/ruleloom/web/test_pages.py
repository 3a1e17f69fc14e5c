"""The files of the page: all that it says is in the catalogue, and it runs nothing but its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from ruleloom.compiler.translation.language import LANGUAGES
from ruleloom.web.app import REFUSALS
from ruleloom.web.pages import CATALOGUE, catalogue, page_files, told
from tests.conftest import ROOT

SCRIPTS = sorted((ROOT / "ruleloom" / "web" / "static" / "js").rglob("*.js"))
VENDOR = ROOT / "ruleloom" / "web" / "static" / "vendor"
BUNDLE, LICENCES = VENDOR / "codemirror.js", VENDOR / "codemirror-licences.txt"
MODULES = [
    one for name in ("web", "workbench", "site") for one in (ROOT / "ruleloom" / name).rglob("*.py")
]
NAMED = re.compile(r"""\b(?:t|counted|told)\(\s*["'](\w+)["']""")
# Names that are put together: the beginning is written out.
PARTS = re.compile(r"\b(?:t|counted|told)\(\s*f?[`\"](\w+?)(?:\$?\{)")
HOLES = re.compile(r"\{\w+\}")
EITHER = re.compile(r"\bt\([^()]*\? \"(\w+)\" : \"(\w+)\"")


def used(paths: Iterable[Path] = (*SCRIPTS, *MODULES)) -> tuple[set[str], set[str]]:
    """The texts that are named in code, and the beginnings of those that are put together."""
    whole = {text for _, text in REFUSALS.values() if text}
    begun: set[str] = set()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        whole.update(NAMED.findall(text))
        begun.update(PARTS.findall(text))
        for pair in EITHER.findall(text):
            whole.update(pair)
    return whole, begun


def test_every_text_that_is_said_is_in_the_catalogue_and_every_one_there_is_said():
    whole, begun = used()
    assert whole <= set(catalogue()), sorted(whole - set(catalogue()))
    idle = {
        name
        for name in catalogue()
        if name.removesuffix("_one") not in whole and not name.startswith(tuple(begun))
    }
    assert not idle, sorted(idle)
    assert {"why_not_one", "kind_greedy", "has_won", "let_bot"} <= set(catalogue())


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_what_is_said_outside_the_workbench_is_translated(code: str):
    """At a table, in the lobby, where a person is made: all that is not said in the workbench alone."""
    whole, begun = used(one for one in (*SCRIPTS, *MODULES) if one.parent.name != "workbench")
    wanted = {
        name
        for name in catalogue()
        if name.removesuffix("_one") in whole or name.startswith(tuple(begun))
    }
    assert len(wanted) > 350
    lacking = wanted - json.loads(page_files()[f"/static/{code}.json"].body).keys()
    assert not lacking, sorted(lacking)


def test_holes_are_filled():
    assert told("bad_name", name="A=b") == "`A=b` cannot be a name"
    with pytest.raises(KeyError):
        told("no_such_text")


@pytest.mark.parametrize("path", [*SCRIPTS, BUNDLE], ids=lambda path: path.name)
def test_no_script_makes_markup_or_code_from_text(path):
    text = path.read_text(encoding="utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setAttribute(\"on", "javascript:"):  # fmt: skip
        assert word not in text, word


def test_scripts_import_only_each_other():
    for path in SCRIPTS:
        for name in re.findall(r"from \"([^\"]+)\"", path.read_text(encoding="utf-8")):
            assert (path.parent / name).resolve() in (*SCRIPTS, BUNDLE), (path.name, name)


def test_the_licence_of_all_that_is_in_the_bundle_stands_beside_it():
    wanted = json.loads((ROOT / "editors" / "browser" / "package.json").read_text("utf-8"))
    found = LICENCES.read_text("utf-8")
    for name, version in wanted["devDependencies"].items():
        if name != "esbuild":  # it builds the bundle, and is not in it
            assert f"{name} {version} (MIT)\n" in found, name
    assert found.count("Permission is hereby granted") >= len(wanted["devDependencies"]) - 1
    bundle = BUNDLE.read_text("utf-8")
    assert not [word for word in ("import{", "import(", "import ", "fetch(", "XMLHttpRequest") if word in bundle]  # fmt: skip


def test_the_index_holds_the_page_and_nothing_else():
    files = page_files()
    assert {CATALOGUE, "/static/index.html", "/static/js/main.js", "/static/style.css"} <= set(
        files
    )
    assert all(path.startswith("/static/") for path in files)
    assert not [path for path in files if path.endswith(".py")]


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_a_translated_catalogue_has_texts_that_are_there_with_their_holes(code: str):
    english, other = catalogue(), json.loads(page_files()[f"/static/{code}.json"].body)
    assert other.keys() <= english.keys()
    for name, text in other.items():
        assert set(HOLES.findall(text)) == set(HOLES.findall(english[name])), name
