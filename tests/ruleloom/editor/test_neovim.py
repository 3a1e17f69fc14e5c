"""A real editor: Neovim, without a screen, over a text with wide characters."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPT = Path(__file__).with_name("neovim.lua")
NVIM = shutil.which("nvim")
PACK = "kind: pack\nid: choir\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
SONGS = """\
- kind: power
  id: song
  gloss: "a song"
  effect: |
    say "𝄞 große Noten 🎼"
    use   move
- kind: major
  id: choir-master
  title: Choir master
  number: 61
  effect: |
    if count(hand) > 1: say "𝄞𝄞𝄞"
    optional "𝄞 sing 🎼": use moev
    use song
"""


def lua(value: object) -> str:
    """A value as Lua writes it."""
    if isinstance(value, list):
        return "{" + ", ".join(map(lua, value)) + "}"
    return json.dumps(str(value))


@pytest.mark.editors
@pytest.mark.skipif(NVIM is None, reason="needs Neovim: apt-get install neovim")
def test_neovim_shows_completes_fixes_renames_and_formats(tmp_path):
    pack = tmp_path / "choir"
    pack.mkdir()
    (pack / "pack.yaml").write_text(PACK, encoding="utf-8")
    songs = pack / "songs.yaml"
    songs.write_text(SONGS, encoding="utf-8")
    out = tmp_path / "out.json"
    named = {
        "SERVER": [sys.executable, "-m", "ruleloom", "lsp"],
        "FILE": songs,
        "ROOT": pack,
        "OUT": out,
    }
    start = tmp_path / "start.lua"
    lines = [f"{name} = {lua(value)}\n" for name, value in named.items()]
    start.write_text("".join([*lines, f"dofile({lua(SCRIPT)})\n"]), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    assert NVIM is not None
    done = subprocess.run(
        [NVIM, "--headless", "-u", "NONE", "-c", f"luafile {start}", "-c", "qall!"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert out.is_file(), done.stderr + done.stdout
    found = json.loads(out.read_text(encoding="utf-8"))

    (shown,) = found["diagnostics"]
    line = SONGS.split("\n")[12]
    assert (shown["line"], shown["column"]) == (12, len(line[: line.index("moev")].encode()))
    assert shown["message"].startswith("there is no power `moev`")
    assert found["completion"][0] == "move"
    assert found["action"] == "write `move`"
    assert found["fixed"] == found["renamed"] == []
    text = "\n".join(found["text"])
    assert 'optional "𝄞 sing 🎼": use move' in text
    assert "  id: tune\n  renamed_from: song\n" in text
    assert "    use tune" in text
    assert '    say "𝄞 große Noten 🎼"\n    use move\n' in text  # formatted
