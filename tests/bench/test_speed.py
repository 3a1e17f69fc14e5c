"""The harness of `python -m benchmarks`: its catalogue, its figures, and the runs it keeps. Nothing is timed here.

The packs that are measured are looked at: what is edited is there, and is sound afterwards too.
"""

from __future__ import annotations

import ast
import json
import re
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks.catalogue import PARTS, Line, Part, lines, selected
from benchmarks.figures import Figure, Row, table, verdict
from benchmarks.harness import ProcessCost, process_cost, seconds
from benchmarks.history.__main__ import FOLDER, PAGE, kept_runs
from benchmarks.history.page import page
from benchmarks.history.runs import Run, about_this_run, read_run, write_run
from benchmarks.many_items import write_items
from benchmarks.sampling import IMPORTS, OTHERS, Samples, place_of
from benchmarks.speed.all_cases import passed
from benchmarks.speed.checking import changed, with_effect
from benchmarks.speed.small_packs import SMALL_PACKS, SmallPack
from benchmarks.speed.startup import TOY
from benchmarks.speed.tables import by_hand, by_machine
from benchmarks.speed_page import BEGINS, ENDS, pasted
from benchmarks.speed_page import PAGE as SPEED
from ruleloom.compiler.pipeline import Compiler, compile_paths
from tests.conftest import ROOT

TIMES = Line("quick", "a quick thing", "by hand", 3, 1)
RATE = Line("often", "things a second", "by hand", 0.2, 0.5, "rate")
SECONDS = Line("slow", "a slow thing", "", 2, None, "seconds")


def row(line: Line, ours: float, reference: float | None = None, **more: Any) -> Row:
    return Row(line, Figure(line.key, ours, reference, more.pop("rounds", 5), **more))


def run(date: str, *rows: Row, **more: Any) -> Run:
    about = {"commit": "0123abcd", "python": "CPython 3.11.0", "machine": "Linux, 2 processors"}
    return Run(date=date, rows=rows, **{**about, "load": 0.25, "note": "", **more})


def whole() -> list[Row]:
    """A figure for each row of the catalogue."""
    return [row(line, 0.01, 1) for line in lines()]


# ------------------------------------------------------------------ catalogue


def test_no_two_rows_share_a_key_or_words():
    found = list(lines())
    assert len({line.key for line in found}) == len(found) > 40
    assert len({line.what for line in found}) == len(found)


def test_every_part_is_a_module_that_measures():
    for part in PARTS.values():
        path = ROOT.joinpath(*part.module.split(".")).with_suffix(".py")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert "figures" in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_no_goal_is_easier_than_its_budget():
    for line in lines():
        assert line.wanted is None or line.keeps(line.wanted), line.key


def test_a_row_without_reference_is_held_to_seconds():
    for line in lines():
        assert line.reference or line.sort == "seconds", line.key


def test_rows_are_selected_by_key_and_by_part():
    assert selected([]) == {name: part.lines for name, part in PARTS.items()}
    chosen = selected(["roll", "effects"])
    assert {name: [line.key for line in part] for name, part in chosen.items()} == {
        "effects": ["expression", "effect"],
        "pools": ["roll"],
    }


def test_a_name_that_selects_nothing_is_refused():
    with pytest.raises(ValueError, match="`rol` is no row and no part; there is roll"):
        selected(["rol"])
    with pytest.raises(ValueError, match="there is characters, decisions"):
        selected(["zzz"])


# ------------------------------------------------------------------ figures


@pytest.mark.parametrize(
    ("found", "kept", "met"),
    [
        (row(TIMES, 1, 1), True, True),
        (row(TIMES, 2, 1), True, False),
        (row(TIMES, 7, 2), False, False),
        (row(RATE, 60, 100), True, True),
        (row(RATE, 20, 100), True, False),
        (row(RATE, 19, 100), False, False),
        (row(SECONDS, 2), True, None),
        (row(SECONDS, 2.5, 1), False, None),
    ],
)
def test_a_figure_is_held_against_budget_and_goal(found: Row, kept: bool, met: bool | None):
    assert (found.kept, found.met) == (kept, met)


def test_the_table_says_both():
    rows = [
        row(TIMES, 0.5, 0.2, memory=2_000_000, reference_memory=1_000_000),
        row(RATE, 12_345, 100_000, note="7 of them", rounds=3),
        row(SECONDS, 0.3, rounds=1),
    ]
    assert table(rows).splitlines()[2:] == [
        "| a quick thing (reference: by hand) | 500 ms, 2 MB | 200 ms, 1 MB | 2.50 | at most 3 | yes | at most 1 "
        "| not met |",
        "| things a second (reference: by hand) – 7 of them; 3 rounds | 12,345/s | 100,000/s | 0.12 | at least 0.2 | **no** "
        "| at least 0.5 | not met |",
        "| a slow thing – 1 round | 300 ms |  |  | at most 2 s | yes |  |  |",
    ]
    assert verdict(rows) == "2 of 3 budgets kept, 0 of 2 goals met"


@pytest.mark.parametrize(
    ("value", "shown"), [(1.5, "1.5 s"), (0.02, "20 ms"), (3e-6, "3 us"), (5e-10, "0.5 ns")]
)
def test_a_time_has_a_unit_that_suits_it(value: float, shown: str):
    assert seconds(value) == shown


def test_a_process_is_charged_with_what_it_takes_itself():
    mine = bytearray(200_000_000)
    small = process_cost([sys.executable, "-S", "-c", "print('done')"])
    large = process_cost([sys.executable, "-S", "-c", "bytearray(b'x') * 60_000_000"])
    assert small.output == "done\n"
    assert small.processor > 0
    assert small.clock > 0
    assert small.memory < 60_000_000 < large.memory < len(mine)


def test_a_process_that_fails_is_told_with_its_last_words():
    with pytest.raises(RuntimeError, match="no such luck"):
        process_cost([sys.executable, "-c", "raise SystemExit('no such luck')"])


# ------------------------------------------------------------------ the command


def with_parts(monkeypatch: pytest.MonkeyPatch, found: dict[str, list[Figure]]) -> None:
    """Let parts of one module each give these figures."""
    known = {"quick": TIMES, "often": RATE, "slow": SECONDS}
    parts = {name: Part(name, (known[name],)) for name in found}
    monkeypatch.setattr(command, "PARTS", parts)
    monkeypatch.setattr(
        command, "selected", lambda _: {name: part.lines for name, part in parts.items()}
    )
    monkeypatch.setattr(
        command,
        "import_module",
        lambda name: SimpleNamespace(figures=lambda keys: iter(found[name])),
    )


def test_a_goal_that_is_not_met_does_not_fail_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with_parts(
        monkeypatch, {"quick": [Figure("quick", 2, 1, 1)], "slow": [Figure("slow", 1, None, 1)]}
    )
    assert command.main(["--json", str(tmp_path / "run.json"), "--note", "tried"]) == 0
    assert "2 of 2 budgets kept, 0 of 1 goals met" in capsys.readouterr().out
    kept = read_run(tmp_path / "run.json")
    assert [one.value for one in kept.rows] == [2, 1]
    assert list(kept.taken) == ["quick", "slow"]
    assert kept.note == "tried"
    assert command.main(["--from", str(tmp_path / "run.json")]) == 0


def test_a_budget_that_is_not_kept_does(monkeypatch: pytest.MonkeyPatch):
    with_parts(monkeypatch, {"quick": [Figure("quick", 7, 2, 1)]})
    assert command.main([]) == 1


def test_what_was_measured_is_kept_where_a_run_breaks_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    with_parts(monkeypatch, {"quick": [Figure("quick", 2, 1, 1)], "slow": []})
    with pytest.raises(RuntimeError, match="slow has measured nothing for slow"):
        command.main(["--json", str(tmp_path / "run.json")])
    assert [one.line.key for one in read_run(tmp_path / "run.json").rows] == ["quick"]


def test_rows_are_listed_and_not_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(command, "import_module", None)
    assert command.main(["--list", "--only", "test", "--only", "expression"]) == 0
    shown = capsys.readouterr().out
    assert re.findall(r"^  (\S+)", shown, re.MULTILINE) == ["expression", "test"]
    assert "pure expression, beside the formula in Python: at most 1.3\n" in shown


@pytest.mark.parametrize(
    "words",
    [
        ["--only", "nothing-of-this-name"],
        ["--only", "effects", "--write"],
        ["--from", "run.json", "--only", "effects"],
        ["--from", "run.json", "--json", "other.json"],
        ["--from", "no-such-file.json"],
    ],
)
def test_what_does_not_go_together_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert "error: " in capsys.readouterr().err


def test_a_page_is_given_the_table_between_its_marks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    target, kept = tmp_path / "page.md", tmp_path / "run.json"
    target.write_text(f"# Speed\n\n{BEGINS}\nto be replaced\n{ENDS}\n\nMore.\n", encoding="utf-8")
    write_run(run("2026-01-02", *whole(), row(TIMES, 2, 1)), kept)
    monkeypatch.setattr(command, "PAGE", target)
    assert command.main(["--from", str(kept), "--write"]) == 1  # all rates are too low
    text = target.read_text(encoding="utf-8")
    assert text.startswith(f"# Speed\n\n{BEGINS}\n2026-01-02, commit 0123abcd, ")
    assert text.endswith(f"\n{ENDS}\n\nMore.\n")
    assert "| a quick thing (reference: by hand) | 2 s | 1 s | 2.00 |" in text
    assert "to be replaced" not in text


@pytest.mark.parametrize("text", ["", BEGINS, f"{ENDS}\n{BEGINS}", f"{BEGINS}{BEGINS}{ENDS}"])
def test_a_page_without_the_marks_is_left_alone(text: str):
    with pytest.raises(ValueError, match="speed: begins"):
        pasted(text, run("2026-01-02", *whole()))


def test_a_run_of_some_rows_is_no_page():
    with pytest.raises(ValueError, match="this run has no figures for toy, version, "):
        pasted(f"{BEGINS}{ENDS}", run("2026-01-02", row(TIMES, 2, 1)))


def test_the_page_shows_rows_of_the_catalogue():
    inside = SPEED.read_text(encoding="utf-8").partition(BEGINS)[2].partition(ENDS)[0]
    rows = re.findall(r"^\| (.+)$", inside, re.MULTILINE)[2:]
    shown = {re.split(r" \(reference: | – | \| ", one)[0] for one in rows}
    assert shown
    assert shown <= {line.what for line in lines()}


# ------------------------------------------------------------------ runs and their history


def test_a_run_comes_back_from_its_file(tmp_path: Path):
    rows = (row(TIMES, 2, 1, memory=5, note="of five"), row(RATE, 5, 9), row(SECONDS, 1))
    kept = run("2026-01-02", *rows, libraries={"icepool": "2.1"}, taken={"effects": 1.5})
    write_run(kept, tmp_path / "run.json")
    assert read_run(tmp_path / "run.json") == kept


def test_a_run_names_no_folder_and_no_host(tmp_path: Path):
    write_run(about_this_run("").with_part("quick", (row(TIMES, 2, 1),), 3), tmp_path / "run.json")
    text = (tmp_path / "run.json").read_text(encoding="utf-8")
    for word in (socket.gethostname(), str(ROOT), str(Path.home()), sys.prefix):
        assert f'{word}"' not in text
        assert f"{word}/" not in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "is no run of the benchmarks"),
        ("[]", "is no run of the benchmarks"),
        ('{"form": 2}', "has form 2, and this reads form 1"),
        ('{"form": 1, "rows": [{}]}', "is no run of the benchmarks"),
        ("", "Expecting value"),
    ],
)
def test_a_file_that_is_no_run_is_refused(text: str, told: str, tmp_path: Path):
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        read_run(tmp_path / "run.json")


def test_the_history_has_a_line_a_row_and_a_column_a_run():
    expression = Line("expression", "pure expression", "the formula in Python", 2, 1)
    older = run("2026-01-02", row(TIMES, 2, 1), row(expression, 3, 2), taken={"effects": 60})
    newer = run("2026-02-03", row(expression, 5, 2), row(SECONDS, 1), note="alone", load=1.0)
    assert page([newer, older]).partition("\n\n| run |")[2].splitlines() == [
        " commit | Python | machine | load | minutes | | |",
        "| --- | --- | --- | --- | ---: | ---: | --- | --- |",
        "| 1: 2026-01-02 | 0123abcd | CPython 3.11.0 | Linux, 2 processors | 0.2 | 1 | 2 of 2 budgets kept, "
        "0 of 2 goals met |  |",
        "| 2: 2026-02-03 | 0123abcd | CPython 3.11.0 | Linux, 2 processors | 1.0 | 0 | 1 of 2 budgets kept, "
        "0 of 1 goals met | alone |",
        "",
        "| what | budget | wanted | 1: 2026-01-02 | 2: 2026-02-03 |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| pure expression | at most 2 | at most 1 | 1.50 | **2.50** |",
        "| a quick thing | at most 3 | at most 1 | 2.00 | - |",
        "| a slow thing | at most 2 s |  | - | 1 s |",
    ]


def test_a_budget_is_that_of_the_latest_run_of_its_row():
    tighter = Line("quick", "a quick thing", "by hand", 2, 1)
    shown = page([run("2026-01-02", row(TIMES, 2.5, 1)), run("2026-02-03", row(tighter, 1.5, 1))])
    assert "| a quick thing | at most 2 | at most 1 | 2.50 | 1.50 |" in shown


def test_without_runs_the_page_says_so():
    assert page([]).endswith("No run has been kept yet.\n")


def test_the_page_is_made_of_the_kept_runs():
    """`python -m benchmarks.history --write` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page(kept_runs())


def test_kept_runs_are_small():
    for path in FOLDER.glob("*.json"):
        assert path.stat().st_size < 60_000, path.name


# ------------------------------------------------------------------ what is measured


@pytest.mark.parametrize("small", SMALL_PACKS, ids=lambda small: small.game)
def test_a_small_pack_is_sound_before_and_after_its_edits(small: SmallPack, tmp_path: Path):
    pack, compiler, texts = small.copied(tmp_path), Compiler(), set()
    for number in (None, 0, 4):
        if number is not None:
            small.edit(pack, number)
        assert compiler.compile([pack], scenarios=False).ok
        texts.add((pack / small.file).read_text(encoding="utf-8"))
    assert len(texts) == 3


def test_an_edit_of_what_is_not_there_is_refused(tmp_path: Path):
    small = SmallPack("gnostica", "hard-growth", "growth.yaml", "english: ", 1)
    with pytest.raises(ValueError, match=r"growth\.yaml has no number behind `english: `"):
        small.edit(small.copied(tmp_path), 1)


def test_the_one_item_of_many_that_is_changed_stays_sound(tmp_path: Path):
    write_items(tmp_path / "pack", 130)
    file = with_effect(sorted((tmp_path / "pack" / "items").iterdir()))
    text = file.read_text(encoding="utf-8")
    assert len({text, changed(text, 1), changed(text, 2)}) == 3
    file.write_text(changed(text, 1), encoding="utf-8")
    assert compile_paths([tmp_path / "pack"], reasons=False).diagnostics == ()


def test_the_toy_game_has_no_errors():
    assert compile_paths([TOY]).ok


@pytest.mark.parametrize("seed", [1, 2])
def test_a_table_set_up_by_hand_is_the_one_of_the_game(seed: int):
    assert by_machine(seed) == by_hand(seed)


def test_cases_are_counted_only_if_none_failed():
    said = "x: passed y\n12 passed, 0 failed, 3 not executable\n"
    assert passed(ProcessCost(1, 1, 1, said)) == 12
    with pytest.raises(ValueError, match="1 failed"):
        passed(ProcessCost(1, 1, 1, "12 passed, 1 failed, 3 not executable\n"))


# ------------------------------------------------------------------ samples


@pytest.mark.parametrize(
    ("file", "place"),
    [
        (str(ROOT / "ruleloom" / "runtime" / "machine" / "step.py"), "runtime/machine"),
        (str(ROOT / "compiler" / "yaml" / "reader.py"), "compiler/yaml"),
        (str(ROOT / "ruleloom" / "cli" / "check" / "check.py"), "ruleloom/cli"),
        (str(ROOT / "compiler" / "build.py"), "compiler"),
        ("<frozen importlib._bootstrap>", IMPORTS),
        ("<routine>", "generated from rules"),
        (json.__file__, OTHERS),
    ],
)
def test_a_sample_is_put_down_to_a_package(file: str, place: str):
    assert place_of(file) == place


def test_samples_of_processes_add_up():
    one, both = Samples(), Samples()
    one.take(0, sys._getframe())
    both.add(one.counted())
    both.add(one.counted())
    assert both.all == 2
    assert sum(both.packages.values()) == 2
    here = next(name for name in both.own if "test_samples_of_processes" in name)
    assert both.own[here] == both.within[here] == 2
    assert "| 100.0% |" in both.told(3)
