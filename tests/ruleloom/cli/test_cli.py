"""The command line: verbs, exit codes, formats, where output goes, and what happens to wrong
words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from ruleloom.api import making, version
from ruleloom.cli.test.collect import collect
from ruleloom.cli.verbs import VERBS
from ruleloom.compiler.pipeline import SHARED, CompileResult
from ruleloom.runtime.program.program import FORMAT
from tests.conftest import ROOT
from tests.support.command import call, spawn

MANIFEST = 'kind: pack\nid: my-pack\nversion: 0.1.0\ngame: gnostica\nedition: 1\nrequires: {gnostica: ">=0.1"}\n'
CARD = """\
# My first card.
kind: power
id: nudge
gloss: "turn a piece"
effect: |
    choose minion from minions "Who turns?"   # the one that acts
    choose orient from Facing "Which way?"
    face( minion,orient )
"""
TIDY = CARD.replace("face( minion,orient )", "face(minion, orient)").replace('"   #', '"  #')


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "my-pack"
    folder.mkdir()
    (folder / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "cards.yaml").write_text(CARD, encoding="utf-8")
    return folder


# ------------------------------------------------------------------------------- the command itself


def test_version_is_the_projects_and_needs_no_library():
    code = "import sys\nfrom ruleloom.cli.main import run\nsys.argv = ['ruleloom', '--version']\nrun()\n"
    code += "print(*sorted(m for m in sys.modules if m in ('click', 'rich', 'yaml', 'lark', 'dataclasses')))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [version.version_text(), ""]
    assert f'version = "{version.VERSION}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert version.PROGRAM_FORMAT == FORMAT


@pytest.mark.parametrize("words", [["--help"], ["-h"], []])
def test_help_begins_with_three_examples(words: list[str]):
    done = call(*words)
    text = done.out or done.err
    lines = text.splitlines()
    assert lines[0] == "Examples:"
    assert all(line.startswith("  ruleloom ") for line in lines[1:4])
    assert all(f"  {verb} " in text for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str):
    done = call(verb, "--help")
    assert done.code == 0
    assert f"Usage: ruleloom {verb}" in done.out


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("chek", "check"), ("Play", "play"), ("tests", "test"), ("exlpain", "explain")],
)
def test_an_unknown_verb_gets_the_nearest(wrong: str, right: str):
    done = call(wrong)
    assert done.code == 2
    assert f"did you mean `{right}`?" in done.err
    assert not done.out


def test_a_word_near_no_verb_gets_the_list():
    done = call("zzz")
    assert done.code == 2
    assert all(verb in done.err for verb in VERBS)


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (["check", "--fromat", "json"], "--format"),
        (["play", "--sed", "1"], "--seed"),
        (["fmt", "--chek"], "--check"),
    ],
)
def test_an_unknown_flag_gets_the_nearest(words: list[str], right: str):
    done = call(*words)
    assert done.code == 2
    assert right in done.err


def test_a_wrong_choice_is_wrong_use():
    done = call("check", "--format", "jsn")
    assert done.code == 2
    assert "json" in done.err


def test_our_own_fault_says_so(monkeypatch: pytest.MonkeyPatch):
    def fails(*_: object) -> CompileResult:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(making, "compile_paths", fails)
    done = call("check", "gnostica")
    assert done.code == 3
    assert "Traceback" in done.err
    assert "fault of ours" in done.err
    assert "report it" in done.err
    assert not done.out


def test_the_report_of_our_own_fault_is_short(monkeypatch: pytest.MonkeyPatch):
    def ping(depth: int) -> None:
        pong(depth + 1)

    def pong(depth: int) -> None:
        if depth > 300:
            raise RecursionError("x" * 9_000)
        ping(depth + 1)

    monkeypatch.setattr(making, "compile_paths", lambda *_, **__: ping(0))
    done = call("check", "gnostica")
    assert done.code == 3
    trace, _, advice = done.err.partition("ruleloom: this is a fault of ours")
    assert trace.startswith("Traceback")
    assert "lines are left out here" in trace
    assert "RecursionError: xxx" in trace
    assert len(trace.splitlines()) <= 41
    assert max(map(len, trace.splitlines())) <= 400
    assert "report it" in advice


def test_play_takes_packs_by_position():
    packs = [ROOT / "tests/content/homebrew/packs/gnostica" / one for one in ("wagers", "snares")]
    bots = ("--players", "random,random", "--seed", "3", "--turn-limit", "4")
    named = [word for pack in packs for word in ("--pack", pack)]
    by_position, by_option = (
        call("play", "gnostica", *packs, *bots),
        call("play", "gnostica", *named, *bots),
    )
    assert by_position.code == 0
    assert by_position.out == by_option.out != call("play", "gnostica", *bots).out


def test_ctrl_c_ends_with_130():
    game = spawn("play", "gnostica", "--players", "human,random", "--seed", "3")
    assert game.stdout is not None
    assert any("Hand of A" in line for line in game.stdout)
    game.send_signal(signal.SIGINT)
    # Its input stays open meanwhile: that it ends is not to end the game.
    assert game.wait(timeout=20) == 130
    _, err = game.communicate(timeout=20)
    assert "Traceback" not in err


def test_a_closed_pipe_is_quiet():
    reader, writer = os.pipe()
    os.close(reader)
    done = spawn("explain", "tab", stdout=writer)
    os.close(writer)
    _, err = done.communicate(timeout=20)
    assert err == ""
    assert done.returncode == 141


# ---------------------------------------------------------------------------------- check


def test_check_says_what_it_found(pack: Path):
    done = call("check", "gnostica")
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("checked 1 pack, ")
    good = call("check", pack)
    assert good.code == 0
    assert good.out.splitlines()[-1].startswith("checked 2 packs, ")


def test_check_finds_mistakes(pack: Path):
    (pack / "cards.yaml").write_text(CARD.replace("orient )", "oreint )"), encoding="utf-8")
    done = call("check", pack)
    assert done.code == 1
    assert "cards.yaml:8:" in done.out
    assert "`orient`" in done.out
    assert "1 error" in done.out.splitlines()[-1]


def test_check_writes_every_form(pack: Path):
    (pack / "cards.yaml").write_text(CARD.replace("orient )", "oreint )"), encoding="utf-8")
    (found,) = [
        d
        for d in json.loads(call("check", pack, "--format", "json").out)
        if d["severity"] == "error"
    ]
    assert (found["line"], found["severity"]) == (8, "error")
    assert set(found) == {
        *("path", "line", "column", "end_line", "end_column"),
        *("severity", "code", "message", "help", "fix", "notes"),
    }
    assert found["fix"]["text"] == "orient"
    assert json.loads(call("check", pack, "--format", "sarif").out)["version"] == "2.1.0"
    assert (
        ElementTree.fromstring(call("check", pack, "--format", "junit").out).get("failures") == "1"
    )
    assert "::error file=" in call("check", pack, "--format", "github").out
    assert call("check", pack, "--format", "concise").code == 1


def test_check_without_a_path_checks_the_pack_around(pack: Path, monkeypatch: pytest.MonkeyPatch):
    (pack / "deeper").mkdir()
    monkeypatch.chdir(pack / "deeper")
    assert call("check").code == 0
    monkeypatch.chdir(pack.parent)
    done = call("check")
    assert done.code == 2
    assert "no pack is named" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ["check", "nowhere"],
        ["test", "nowhere"],
        ["compile", "nowhere", "-o", "x"],
        ["fmt", "nowhere"],
    ],
)
def test_a_missing_folder_is_a_finding(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    done = call(*words)
    assert done.code == 1
    assert "nowhere" in done.out
    assert not list(tmp_path.iterdir())


def test_colour_is_for_terminals(pack: Path, monkeypatch: pytest.MonkeyPatch):
    assert "\x1b[" not in call("check", pack).out
    assert "\x1b[" in call("check", pack, "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in call("check", pack).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in call("check", pack).out
    assert "\x1b[" in call("check", pack, "--color", "always").out


# ---------------------------------------------------------------------------------- build


def test_build_writes_one_program(pack: Path, tmp_path: Path):
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    done = call("compile", pack, "-o", first)
    assert done.code == 0
    assert "my-pack 0.1.0" in done.out
    SHARED.forget()
    assert call("compile", pack, "-o", second).code == 0
    assert first.read_bytes() == second.read_bytes()
    assert json.loads(first.read_text(encoding="utf-8"))["game"] == "gnostica"


def test_build_keeps_the_old_file_when_it_cannot(pack: Path, tmp_path: Path):
    target = tmp_path / "program.json"
    target.write_text("old", encoding="utf-8")
    (pack / "cards.yaml").write_text(CARD.replace("orient )", "oreint )"), encoding="utf-8")
    assert call("compile", pack, "-o", target).code == 1
    assert target.read_text(encoding="utf-8") == "old"
    done = call("compile", "gnostica", "-o", target / "no" / "such" / "folder.json")
    assert done.code == 2
    assert "folder.json" in done.err


# ---------------------------------------------------------------------------------- fmt


def test_fmt_touches_only_effect_text(pack: Path):
    assert call("fmt", pack, "--check").code == 1
    assert (pack / "cards.yaml").read_text(encoding="utf-8") == CARD
    done = call("fmt", pack)
    assert done.code == 0
    assert done.out.splitlines()[-1] == "looked at 2 files: 1 file changed"
    assert (pack / "cards.yaml").read_text(encoding="utf-8") == TIDY
    assert call("fmt", pack, "--check").code == 0
    assert call("fmt", pack).out.splitlines()[-1] == "looked at 2 files: 0 files changed"


def test_fmt_of_one_file_leaves_the_others(pack: Path):
    (pack / "more.yaml").write_text(CARD.replace("nudge", "push"), encoding="utf-8")
    call("fmt", pack / "cards.yaml")
    assert (pack / "cards.yaml").read_text(encoding="utf-8") == TIDY
    assert (pack / "more.yaml").read_text(encoding="utf-8") == CARD.replace("nudge", "push")


def test_fmt_keeps_line_ends_and_byte_order_mark(pack: Path):
    path = pack / "cards.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + CARD.replace("\n", "\r\n").encode())
    assert call("fmt", pack).code == 0
    assert path.read_bytes() == b"\xef\xbb\xbf" + TIDY.replace("\n", "\r\n").encode()


def test_fmt_leaves_what_it_cannot_read(pack: Path):
    broken = CARD.replace("face(", "face((")
    (pack / "cards.yaml").write_text(broken, encoding="utf-8")
    done = call("fmt", pack)
    assert done.code == 1
    assert "cards.yaml:8" in done.out
    assert (pack / "cards.yaml").read_text(encoding="utf-8") == broken


def test_fmt_reaches_effects_in_patches(pack: Path):
    text = (
        'kind: patch\nid: other\ntarget: gnostica:power/turn_own\nreplace-effect: |\n  say   "x"\n'
    )
    (pack / "cards.yaml").write_text(text, encoding="utf-8")
    assert call("fmt", pack).code == 0
    assert (pack / "cards.yaml").read_text(encoding="utf-8") == text.replace("say   ", "say ")


def test_the_shipped_packs_are_tidy():
    assert call("fmt", ROOT / "rulesets", "--check").code == 0


# ---------------------------------------------------------------------------------- explain


def test_explain_a_code():
    done = call("explain", "tab")
    assert done.code == 0
    assert done.out.startswith("tab: ")
    assert "Wrong:" in done.out
    assert "Right:" in done.out


def test_explain_an_item():
    whole = call("explain", "gnostica:major/sun")
    assert whole.code == 0
    assert whole.out.startswith("gnostica:major/sun\n")
    assert call("explain", "major/sun").out == whole.out == call("explain", "sun").out


def test_explain_a_pack_tells_what_it_adds_and_changes():
    page = call("explain", ROOT / "rulesets" / "examples" / "river-folk", "--card").out
    adds, changes = page.split("river-folk changes:")
    assert "river-folk:major/whirlpool\nNumber: 38.\nUp to two times: use this card" in adds
    assert (
        "before: How many pieces a space holds: 3.\nnow: How many pieces a space holds: 4."
        in changes
    )
    assert "gnostica:major/sun" not in page


def test_explain_finds_names_in_capitals():
    assert call("explain", "moonstone:measure/CV").out.startswith("moonstone:measure/CV\nCV of")
    assert call("explain", "cv").out == call("explain", "CV").out


def test_a_game_without_scenarios_is_told(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text(
        "kind: pack\nid: bare\nversion: 0.1.0\ngame: bare\nedition: 1\n", encoding="utf-8"
    )
    (tmp_path / "vocabulary.yaml").write_text("kind: vocabulary\ngame: bare\n", encoding="utf-8")
    done = call("test", str(tmp_path))
    assert done.code == 1
    assert "no-scenarios" in done.out


def test_explain_prints_a_table_as_rows(tmp_path: Path):
    table = "kind: table\nid: sails\nby: Facing\ngives: Int\nrows: {N: 3, E: 2}\notherwise: 0\n"
    table += "english: the sails to {by}\n"
    (tmp_path / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "table.yaml").write_text(table, encoding="utf-8")
    done = call("explain", "sails", "--pack", str(tmp_path))
    assert done.out.split("\n", 1)[1] == "The sails to a facing.\n\nN: 3.\nE: 2.\nAny other: 0.\n"


def test_explain_names_the_pack_with_the_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for id, text in (("below", "kind: measure"), ("upper", "kind: measur")):
        (tmp_path / id).mkdir()
        manifest = MANIFEST.replace("id: ", f"id: {id} #")
        (tmp_path / id / "pack.yaml").write_text(manifest, encoding="utf-8")
        item = f'{text}\nid: {id}-one\ngives: Int\nis: "1"\nenglish: "one"\n'
        (tmp_path / id / "one.yaml").write_text(item, encoding="utf-8")
    below, upper = str(tmp_path / "below"), str(tmp_path / "upper")
    done = call("explain", "below-one", "--pack", below, "--pack", upper)
    assert done.code == 2
    assert "upper has mistakes" in done.err
    assert f"ruleloom check {below} {upper}" in done.err
    monkeypatch.chdir(upper)
    assert "upper has mistakes" in call("explain", "upper-one").err  # though other games are sound
    assert "no diagnostic code" in call("explain", "nothing-at-all", "--pack", below).err


def test_explain_something_unknown_gets_the_nearest():
    done = call("explain", "tabb")
    assert done.code == 2
    assert "`tab`" in done.err
    assert "magician" in call("explain", "magican").err


# ---------------------------------------------------------------------------------- test


CASES = """\
cases:
- id: placing
  given: {pieces: []}
  when: [{option: place, at: 1/1, orient: N}]
  then: {pieces: [A1N@1/1]}
- id: placing-twice
  given: {pieces: [A1N@0/0]}
  when: [{option: place, at: 1/1, orient: N}]
  then: {legal: false}
- id: told
  given: {}
  when: "somebody tells a story"
  then: {}
"""


def test_test_plays_scenarios(pack: Path):
    (pack / "cases.yaml").write_text(CASES, encoding="utf-8")
    done = call("test", pack)
    assert done.code == 0, done.out
    assert done.out.splitlines()[-1] == "2 passed, 0 failed, 1 not executable"
    assert "placing-twice: refused: " in done.out


def test_test_reads_a_file_outside_any_pack(tmp_path: Path):
    path = tmp_path / "cases.yaml"
    path.write_text(CASES, encoding="utf-8")
    done = call("test", path)
    assert done.code == 2
    assert "--game" in done.err
    assert (
        call("test", path, "--game", "gnostica")
        .out.splitlines()[-1]
        .startswith("2 passed, 0 failed")
    )


def test_a_failing_case_fails_the_run(tmp_path: Path):
    path = tmp_path / "cases.yaml"
    path.write_text(CASES.replace("[A1N@1/1]", "[A1S@1/1]"), encoding="utf-8")
    done = call("test", path, "--game", "gnostica")
    assert done.code == 1
    assert f"{path}:2: FAILED placing" in done.out
    report = json.loads(call("test", path, "--game", "gnostica", "--format", "json").out)
    assert {key: report[key] for key in ("passed", "failed", "not_executable")} == {
        "passed": 1,
        "failed": 1,
        "not_executable": 1,
    }
    assert {case["status"] for case in report["cases"]} == {"passed", "failed", "not_executable"}
    assert set(report["cases"][0]) == {"id", "status", "message", "path", "line"}
    assert {case["path"] for case in report["cases"]} == {str(path)}
    assert set(report["clauses"]) == {"proved", "unproved", "unlisted", "ledger"}
    suite = ElementTree.fromstring(
        call("test", path, "--game", "gnostica", "--format", "junit").out
    )
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")


def test_nothing_executed_is_no_pass(tmp_path: Path, pack: Path):
    path = tmp_path / "cases.yaml"
    path.write_text("cases:\n" + CASES[CASES.index("- id: told") :], encoding="utf-8")
    done = call("test", path, "--game", "gnostica")
    assert done.code == 1
    assert done.out.splitlines()[-1] == "0 passed, 0 failed, 1 not executable"
    assert call("test", pack).code == 1


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("my-pack", None, "folder"),
        ("my-pack/cards.yaml", None, "file"),
        ("ledger.yaml", "- id: gnostica.score.sole\n  rule: whoever is alone scores\n", "file"),
    ],
)
def test_what_holds_no_scenario_is_told(
    name: str, text: str | None, what: str, tmp_path: Path, pack: Path
):
    """Also beside another file whose cases pass: nobody should believe that both were tested."""
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    good = tmp_path / "good.yaml"
    example = "{given: {pieces: [A1N@2/0]}, when: [], then: {score: {A: 3, B: 0}}}"
    good.write_text(f"- id: gnostica.score.sole\n  example: {example}\n", encoding="utf-8")
    done = call("test", tmp_path / name, good)
    assert done.code == 1
    assert f"{name}:1:1: error[no-scenarios]: this {what} holds no scenario" in done.out
    assert done.out.count("no-scenarios") == 1
    assert done.out.splitlines()[-1] == "1 passed, 0 failed, 0 not executable"


def test_cases_of_a_shipped_game_are_shown_in_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    [batch] = collect(["gnostica"], None).batches
    assert {case.path.partition("/")[0] for case in batch.cases} == {"gnostica"}


WAYS = """
- kind: major
  id: bell
  title: Bell
  number: 42
  effect: |
    optional "turn round":
        for each piece in those(p: pieces_of(me) where pips(p) = 2): face(piece, S)
    choose one "Lie or stand?":
        "lie down":
            choose minion from minions "Who hears it?"
            face(minion, N)
        "stand up":
            choose minion from minions "Who hears it?"
            face(minion, up)
        "stay":
            choose minion from minions "Who hears it?"
            say "nothing"
- kind: scenarios
  cases:
    - id: bell
      given: {pieces: [A1E@0/0, A2E@1/1], hands: {A: [bell]}}
      when: [{option: play, card: bell}, {power: bell, minion: A1E@0/0WAY}]
      then: {pieces: [PIECES]}
"""


@pytest.mark.parametrize(
    ("way", "pieces", "told"),
    [
        (", way: [do, lie down]", "A1N@0/0, A2S@1/1", None),
        (", way: [skip, stand up]", "A1up@0/0, A2E@1/1", None),
        (", way: [skip, stay]", "A1E@0/0, A2E@1/1", None),
        (
            "",
            "",
            "two ways that end differently, at `Lie or stand?` by `lie-down` or by `stand-up`",
        ),
        (", way: do", "", "at `Lie or stand?` by `lie-down` or by `stand-up`"),
        (
            ", way: lie down",
            "",
            "at `turn round` by `do` or by `skip`; the step can say which with `way: do`",
        ),
        (", way: [do, sing]", "", "no way is called `sing`"),
    ],
)
def test_a_step_that_fits_in_two_ways_is_to_say_which(
    way: str, pieces: str, told: str | None, pack: Path
):
    """The first that fits would pass or fail by chance."""
    text = WAYS.replace("WAY", way).replace("PIECES", pieces)
    card, cases = text.split("- kind: scenarios\n  ")
    (pack / "bell.yaml").write_text(card, encoding="utf-8")
    (pack / "cases.yaml").write_text(
        "kind: scenarios\n" + cases.replace("\n  ", "\n"), encoding="utf-8"
    )
    done = call("test", pack)
    assert done.code == (0 if told is None else 1), done.out
    assert told is None or told in done.out


def test_clauses_are_listed(tmp_path: Path):
    path = tmp_path / "ledger.yaml"
    example = "{given: {pieces: [A1N@2/0]}, when: [], then: {score: {A: 3, B: 0}}}"
    path.write_text(f"- id: gnostica.score.sole\n  example: {example}\n", encoding="utf-8")
    done = call("test", path, "--clauses")
    assert done.code == 0, done.out
    assert "clauses proved: 1\n  gnostica.score.sole" in done.out


def test_a_file_that_is_no_yaml_is_a_finding(tmp_path: Path):
    path = tmp_path / "story.txt"
    path.write_text("once upon a time", encoding="utf-8")
    done = call("test", path)
    assert done.code == 1
    assert "not YAML" in done.out
