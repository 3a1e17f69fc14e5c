"""What README and docs show is run: Python blocks, and commands in `console` blocks.

A page is walked from its top in one fresh folder that holds a copy of `rulesets/`:

- a block marked `<!-- file: PATH -->` on the line above it is written to that path;
- a `python` block is run; it has to end without an exception;
- in a `console` block each line `$ ruleloom ...` is run, and what is shown beneath has to stand in its
  output, line by line (`...` stands for anything left out; `# exit N` behind a command names its exit code);
- a block marked `<!-- skip: REASON -->` is left alone, as are blocks of any other language.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import ROOT

MARK = re.compile(r"<!-- (file|skip): (.*?) -->")
EXIT = re.compile(r"\s+# exit (\d+)$")


@dataclass
class Block:
    """A fenced block: its language, its lines, where it stands, and the mark above it."""

    language: str
    line: int
    mark: tuple[str, str] | None
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def pages() -> list[str]:
    """The README; `test_docs.py` runs what the pages under `docs/` show."""
    return ["README.md"]


def blocks_of(text: str) -> list[Block]:
    blocks: list[Block] = []
    open_block: Block | None = None
    above = ""
    for number, line in enumerate(text.split("\n"), 1):
        if open_block is None and line.startswith("```"):
            mark = MARK.fullmatch(above.strip())
            open_block = Block(line[3:].strip(), number, (mark[1], mark[2]) if mark else None)
        elif open_block is not None and line.startswith("```"):
            blocks.append(open_block)
            open_block = None
        elif open_block is not None:
            open_block.lines.append(line)
        above = line or above
    return blocks


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=300,
    )


def run_console(block: Block, folder: Path, page: str) -> None:
    commands: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
    for command, shown in commands:
        exit_code = EXIT.search(command)
        wanted = int(exit_code[1]) if exit_code else 0
        words = shlex.split(EXIT.sub("", command))
        assert words[0] == "ruleloom", (
            f"{page}:{block.line}: only `ruleloom` is run here, not {words[0]}"
        )
        done = run(["-m", "ruleloom", *words[1:]], folder)
        output = done.stdout + done.stderr
        assert done.returncode == wanted, (
            f"{page}: `{command}` ended with {done.returncode}:\n{output}"
        )
        rest = output.split("\n")
        for line in shown:
            if line.strip() not in ("", "..."):
                pattern = re.compile(re.escape(line).replace(re.escape("..."), ".*"))
                found = next((i for i, there in enumerate(rest) if pattern.fullmatch(there)), None)
                assert found is not None, (
                    f"{page}: `{command}` does not print `{line}` (there):\n{output}"
                )
                rest = rest[found + 1 :]


@pytest.mark.parametrize("page", pages())
def test_what_a_page_shows_works(page: str, tmp_path: Path):
    shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    for block in blocks_of((ROOT / page).read_text(encoding="utf-8")):
        if block.mark is not None and block.mark[0] == "skip":
            continue
        if block.mark is not None:
            path = tmp_path / block.mark[1]
            assert path.resolve().is_relative_to(tmp_path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            done = run(["-c", block.text], tmp_path)
            assert done.returncode == 0, f"{page}:{block.line}: the Python fails:\n{done.stderr}"
        elif block.language == "console":
            run_console(block, tmp_path, page)


def test_the_readme_drives_a_game_from_python_in_under_ten_lines():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = [b for b in blocks_of(text) if b.language == "python" and "import ruleloom" in b.lines]
    assert found, "README.md shows no Python block that begins with `import ruleloom`"
    lines = [line for line in found[0].lines if line.strip()]
    assert len(lines) < 10
    assert any("new_game(" in line for line in lines)
    assert any(".answer(" in line for line in lines)


def test_the_readme_names_every_verb(capsys: pytest.CaptureFixture[str]):
    done = run(["-m", "ruleloom", "--help"], ROOT)
    verbs = re.findall(r"^  (\w+) {2,}\w", done.stdout.partition("Verbs:")[2], re.M)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert verbs
    missing = [verb for verb in verbs if f"ruleloom {verb}" not in text]
    assert not missing, f"README.md does not show {', '.join(missing)}"
