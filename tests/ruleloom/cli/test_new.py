"""What `ruleloom new` makes: every example of every game is sound at once, and nothing that is
there is touched."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from ruleloom.cli.new import LONGEST_NAME, plan_item, plan_pack, write
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.scaffold.starters import (
    STARTERS,
    editor_schema,
    file_name,
    filled,
    games,
    kinds,
    title_of,
)
from tests.conftest import ROOT
from tests.support.command import call

# What a game has one of, so that no pack brings another; and what lies in packs of its own.
ONE_EACH = {"pack", "vocabulary", "notation", "flow", "translation"}
WORKED = [
    pytest.param(path, id=f"{path.parent.name}: {path.stem}")
    for path in sorted(STARTERS.glob("*/*.yaml"))
]


def content_kinds(game: str) -> set[str]:
    """The kinds of content of a game."""
    return {
        path.name.removesuffix(".schema.json") for path in (ROOT / "schemas" / game).glob("*.json")
    }


def test_there_is_an_example_for_every_shipped_game():
    shipped = {path.parent.name for path in (ROOT / "rulesets").glob("*/pack.yaml")}
    assert set(games()) == shipped


@pytest.mark.parametrize("game", games())
def test_there_is_an_example_of_every_kind(game: str):
    assert set(kinds(game)) == (set(COMMON_KINDS) - ONE_EACH) | content_kinds(game)


@pytest.mark.parametrize("game", games())
def test_whatever_is_made_passes_check_and_test_at_once(game: str, tmp_path: Path):
    write(plan_pack("all-of-it", game, tmp_path))
    pack = tmp_path / "all-of-it"
    for kind in kinds(game):
        write(plan_item(kind, f"brand-new-{kind}", pack))
    checked = call("check", pack)
    assert (checked.code, checked.out.partition(":")[2]) == (0, " no problems\n")
    tested = call("test", pack, "--format", "json")
    assert tested.code == 0
    cases = json.loads(tested.out)["cases"]
    assert {case["status"] for case in cases} == {"passed"}
    # Every example brings a case of its own.
    assert all(any(f"brand-new-{kind}-" in case["id"] for case in cases) for kind in kinds(game))


@pytest.mark.parametrize("path", WORKED)
def test_an_example_needs_nothing_of_another(path: Path):
    """So that one which is sound beside the others is also sound alone."""
    kind = path.stem.removesuffix("-scenarios") if path.stem != "scenarios" else "scenarios"
    text = re.sub(r"(?m)#.*$", "", path.read_text(encoding="utf-8")).lower()
    text = text.replace(title_of(f"my-{kind}").lower(), f"my-{kind}").replace("_", "-")
    called = set(re.findall(r"\bmy[- ][\w-]+", text))
    assert called
    strangers = {name for name in called if not name.startswith(f"my-{kind}")}
    assert not strangers, f"not called after its kind: {', '.join(sorted(strangers))}"


def test_the_command_writes_and_says_what_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    home = tmp_path / "my games"
    home.mkdir()
    monkeypatch.chdir(home)
    made = call("new", "pack", "lamp-light", "--game", "gnostica")
    assert made.code == 0
    assert made.out.split("\n") == [
        "wrote lamp-light/pack.yaml",
        "wrote lamp-light/scenarios.yaml",
        "wrote lamp-light/.ruleloom/gnostica.schema.json",
        "",
        "next:",
        "  ruleloom check lamp-light",
        "  ruleloom test lamp-light",
        "",
    ]
    assert "id: lamp-light\n" in (home / "lamp-light" / "pack.yaml").read_text(encoding="utf-8")
    assert "title: Lamp light\n" in (home / "lamp-light" / "pack.yaml").read_text(encoding="utf-8")
    (home / "lamp-light" / "more cards").mkdir()
    monkeypatch.chdir(tmp_path)
    made = call("new", "power", "moth", "--in", "my games/lamp-light/more cards")
    assert made.out.split("\n")[-4:] == [
        "next:",
        "  ruleloom check 'my games/lamp-light'",
        "  ruleloom test 'my games/lamp-light'",
        "",
    ]
    text = (home / "lamp-light" / "more cards" / "moth.yaml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=../.ruleloom/gnostica.schema.json\n")
    assert "  title: Moth card\n" in text
    assert "    use moth\n" in text


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack for Gnostica with nothing in it."""
    folder = tmp_path_factory.mktemp("games")
    write(plan_pack("lamps", "gnostica", folder))
    return folder / "lamps"


@pytest.mark.parametrize(
    ("words", "message", "help"),
    [
        (["major", "Lamp Lighter!"], "`Lamp Lighter!` cannot be a name", "write `lamp-lighter`"),
        (["major", "7"], "`7` cannot be a name", "write a name such as `lamp-lighter`"),
        (["major", "x" * 41], f"and up to {LONGEST_NAME - 1} small letters", f"write `{'x' * 40}`"),
        (["major", "../x"], "`../x` cannot be a name", "write `x`"),
        (["major", "sun"], "`sun` cannot be made there: a major called `sun` is already there",
         "to change the one in `gnostica`, write a patch with `target: gnostica:major/sun`"),
        (["power", "if"], "`if` cannot be made there: `if` is a word of the effect language", None),
        (["power", "true"], "`true` cannot be made there: `id` must be text", None),
        (["mayor", "x"], "there is no example of `mayor` for gnostica", "did you mean `major`?"),
        (["flow", "x"], "a game has one flow, and a pack changes it with a patch", "ruleloom new patch NAME"),
        (["major", "x", "--game", "moonstone"], "is a pack for gnostica, not for moonstone", "leave out --game"),
        (["pack", "x", "--game", "gnostica"], "and a pack cannot contain another", "outside of it: --in FOLDER"),
    ],
)  # fmt: skip
def test_what_is_refused_in_a_pack(words: list[str], message: str, help: str | None, pack: Path):
    before = sorted(pack.rglob("*"))
    done = call("new", *words, "--in", pack)
    assert done.code == 2
    assert message in done.err
    assert (help or "") in done.err
    assert sorted(pack.rglob("*")) == before


@pytest.mark.parametrize(
    ("words", "message", "help"),
    [
        (["major", "x"], "is in no pack", "make one, `ruleloom new pack NAME --game GAME`"),
        (
            ["pack", "x"],
            "which game is the pack for?",
            "name it: --game gnostica or --game monotheism or ",
        ),
        (
            ["pack", "x", "--game", "gnostca"],
            "there is no game `gnostca`",
            "did you mean `gnostica`?",
        ),
        (
            ["pack", "x", "--game", "gnostica", "--in", "nowhere"],
            "there is no folder nowhere",
            None,
        ),
        (
            ["pack", "null", "--game", "gnostica"],
            "`null` cannot be made there: `id` must be text",
            None,
        ),
        (["pack", "gnostica", "--game", "gnostica"], "`gnostica` cannot be made there: ", None),
    ],
)
def test_what_is_refused_elsewhere(
    words: list[str],
    message: str,
    help: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)
    done = call("new", *words)
    assert done.code == 2
    assert message in done.err
    assert (help or "") in done.err
    assert not list(tmp_path.iterdir())


def test_nothing_is_made_where_no_pack_looks(pack: Path):
    done = call("new", "major", "x", "--in", pack / ".ruleloom")
    assert done.code == 2
    assert "packs ignore folders whose name begins with a dot" in done.err


def test_a_manifest_that_does_not_say_its_game(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text("kind: pack\nid: x\n", encoding="utf-8")
    done = call("new", "major", "x", "--in", tmp_path)
    assert done.code == 2
    assert "does not name its game" in done.err


@pytest.mark.parametrize("there", ["moth.yaml", "moth-scenarios.yaml"])
def test_nothing_is_written_over(there: str, tmp_path: Path):
    write(plan_pack("lamps", "gnostica", tmp_path))
    (tmp_path / "lamps" / there).write_text("# mine\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = call("new", "major", "moth", "--in", tmp_path / "lamps")
    assert done.code == 2
    assert f"{there} exists already, and is never overwritten" in done.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_schema_of_another_version_is_kept_and_told(tmp_path: Path):
    write(plan_pack("lamps", "gnostica", tmp_path))
    old = tmp_path / "lamps" / file_name("gnostica")
    old.write_text("{}", encoding="utf-8")
    done = call("new", "patch", "roomy", "--in", tmp_path / "lamps")
    assert done.code == 0
    assert f"kept {old}, which is of another version" in done.out
    assert old.read_text(encoding="utf-8") == "{}"


def test_mistakes_elsewhere_in_the_pack_stop_nobody(tmp_path: Path):
    write(plan_pack("lamps", "gnostica", tmp_path))
    (tmp_path / "lamps" / "broken.yaml").write_text("kind: major\nid: broken\n", encoding="utf-8")
    assert call("new", "patch", "roomy", "--in", tmp_path / "lamps").code == 0


def test_every_place_of_a_name_is_filled_once():
    text = "my-rule my_rule-card My rule, my rule; my-rule"
    assert filled(text, "rule", "my-rule-of-rule") == (
        "my-rule-of-rule my_rule_of_rule-card My rule of rule, my rule of rule; my-rule-of-rule"
    )


# --------------------------------------------------------------------------- the schema for editors


def said_by(path: Path) -> object:
    root = compose(Source.read(path, path.name), Report())
    assert root is not None
    return to_data(root)


@pytest.fixture(scope="module")
def valid() -> Callable[[str, object], bool]:
    """Whether a file of a game is sound in the eyes of an editor."""
    known = {
        game: jsonschema.Draft202012Validator(json.loads(editor_schema(game))) for game in games()
    }
    return lambda game, data: known[game].is_valid(data)


@pytest.mark.parametrize("game", games())
def test_an_editor_finds_no_fault_with_the_examples(
    game: str, valid: Callable[[str, object], bool]
):
    assert not [
        path.name
        for path in sorted((STARTERS / game).glob("*.yaml"))
        if not valid(game, said_by(path))
    ]


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "mayor", "id": "x"},
        {"id": "x"},
        {"kind": "major", "id": "x", "title": "X", "number": "seven", "effect": "use create"},
        [
            {
                "kind": "major",
                "id": "x",
                "title": "X",
                "number": 7,
                "effect": "use create",
                "naem": "X",
            }
        ],
        {"kind": "advantage", "id": "x", "title": "X", "rating": "I", "text": "of another game"},
    ],
)
def test_an_editor_finds_what_is_wrong(data: object, valid: Callable[[str, object], bool]):
    assert not valid("gnostica", data)


def test_an_editor_may_read_a_fraction_as_a_number(valid: Callable[[str, object], bool]):
    assert valid(
        "gnostica", {"kind": "setting", "id": "share", "value": 0.25, "english": "a share"}
    )


@pytest.mark.parametrize("game", games())
def test_every_kind_in_an_editor_has_an_example_that_is_one(game: str):
    schema = json.loads(editor_schema(game))
    for kind in kinds(game):
        found = schema["$defs"][kind]["examples"]
        assert found
        one = {"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]}
        assert all(jsonschema.Draft202012Validator(one).is_valid(item) for item in found)


def test_the_settings_on_the_page_lead_to_what_is_written():
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    blocks = map(json.loads, re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    (schemas,) = (one["yaml.schemas"] for one in blocks if "yaml.schemas" in one)
    assert list(schemas) == [file_name("moonstone")]
    assert f"$schema={file_name('moonstone')}\n" in page


@pytest.mark.parametrize("sort", ["pages", "release"])
def test_a_pack_comes_with_the_workflow_that_the_page_shows(tmp_path, sort: str):
    asked = f"--{sort}"
    done = call("new", "pack", "house", "--game", "gnostica", "--in", tmp_path, asked)
    assert done.code == 0, done.err
    made = (tmp_path / ".github" / "workflows" / f"{sort}.yml").read_text("utf-8")
    assert f"```yaml\n{made}```" in (ROOT / "docs" / "ci.md").read_text("utf-8")
    again = call("new", "pack", "lamps", "--game", "gnostica", "--in", tmp_path, asked)
    assert again.code == 2
    assert not (tmp_path / "lamps").exists()
    assert (
        f"{asked} is for a new pack"
        in call("new", "major", "x", "--in", tmp_path / "house", asked).err
    )
