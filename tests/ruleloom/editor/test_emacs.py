"""A real editor: Emacs with eglot, in batch, with the settings that the page for editors shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.ruleloom.editor.test_neovim import PACK, SONGS

SCRIPT = Path(__file__).with_name("emacs.el")
EMACS = shutil.which("emacs")
PAGE = ROOT / "docs" / "editors.md"


def has_eglot() -> bool:
    """Whether Emacs is there, with eglot and yaml-mode."""
    if EMACS is None:
        return False
    tried = ["-batch", "--eval", "(progn (require 'eglot) (require 'yaml-mode))"]
    return subprocess.run([EMACS, *tried], capture_output=True, timeout=60).returncode == 0


def settings(command: str) -> str:
    """The settings of the page, with another command for the server."""
    found = re.search(r"```elisp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    assert '"ruleloom" "lsp"' in found[1]
    return found[1].replace('"ruleloom" "lsp"', command)


@pytest.mark.editors
def test_emacs_shows_completes_renames_and_formats(tmp_path):
    if not has_eglot():
        pytest.skip("needs Emacs with eglot: apt-get install emacs-nox elpa-eglot elpa-yaml-mode")
    pack = tmp_path / "choir"
    pack.mkdir()
    (pack / "pack.yaml").write_text(PACK, encoding="utf-8")
    songs = pack / "songs.yaml"
    songs.write_text(SONGS, encoding="utf-8")
    out, init = tmp_path / "out.json", tmp_path / "init.el"
    server = " ".join(map(json.dumps, (sys.executable, "-m", "ruleloom", "lsp")))
    init.write_text(settings(server), encoding="utf-8")
    named = {"rl-file": songs, "rl-out": out, "rl-init": init}
    values = " ".join(f"(defvar {name} {json.dumps(str(value))})" for name, value in named.items())
    assert EMACS is not None
    done = subprocess.run(
        [EMACS, "-batch", "--eval", f"(progn {values})", "-l", str(SCRIPT)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert out.is_file(), done.stderr + done.stdout
    found = json.loads(out.read_text(encoding="utf-8"))

    (shown,) = found["diagnostics"]
    line = SONGS.split("\n")[12]
    assert (shown["line"], shown["characters"]) == (12, line.index("moev"))
    assert "there is no power `moev`" in shown["message"]
    assert "move" in found["completion"]
    assert 'optional "𝄞 sing 🎼": use move' in found["text"]
    assert "  id: tune\n  renamed_from: song\n" in found["text"]
    assert "    use tune" in found["text"]
    assert '    say "𝄞 große Noten 🎼"\n    use move\n' in found["text"]  # formatted
