"""`python -m tests.docs.editor_pictures`: takes the pictures of hover in docs/editors.md anew.

Neovim runs in tmux, over two packs that are written for it; what its screen shows is drawn by a
browser. Look at the pictures before they are committed.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.conftest import ROOT
from tests.support.browser import started

IMAGES = ROOT / "docs" / "images"
COLUMNS, SOCKET, PATIENCE = 100, "ruleloom-pictures", 60
FILES = {
    "ruleloom.toml": 'reference = "https://rules.example/moonstone"\n\n'
    '[[together]]\npacks = ["ferry", "deep-water"]\n',
    "ferry/pack.yaml": "kind: pack\nid: ferry\nversion: 1.0.0\ngame: moonstone\nedition: 1\n",
    "ferry/people.yaml": """\
- kind: character
  id: tova
  title: Tova
  start: {Agl: 18, Sen: 12}
  gifts: [steady, quick-feet]
  text: "A ferrywoman."
- kind: advantage
  id: steady
  title: Steady
  rating: I
  text: "You are on your feet before the boat is."
  abilities: |
    modify Init(self) by 2 as "steady"
""",
    "deep-water/pack.yaml": "kind: pack\nid: deep-water\nversion: 1.0.0\ngame: moonstone\n"
    'edition: 1\nrequires: {ferry: ">=1"}\n',
    "deep-water/patches.yaml": """\
- kind: patch
  id: surer-feet
  target: ferry:advantage/steady
  set: {abilities: 'modify Init(self) by 3 as "steady"'}
  english: "on deep water, the steady are steadier"
""",
}
PICTURES = {"editor-parts": ("modify In|it", 30), "editor-patched": ("gifts: [ste|ady", 26)}
INIT = """\
vim.cmd("syntax on | set number termguicolors noswapfile laststatus=2 shortmess+=F")
vim.cmd("colorscheme desert | highlight NormalFloat guibg=#1f2b38 guifg=#dddddd")
local client = vim.lsp.start_client({{ name = "ruleloom", cmd = {command}, root_dir = {root} }})
vim.lsp.buf_attach_client(0, client)
vim.wait(60000, function()
  local known = vim.lsp.get_client_by_id(client)
  return known ~= nil and known.initialized
end, 50)
for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
  local start = line:find({words}, 1, true)
  if start then vim.api.nvim_win_set_cursor(0, {{ number, start - 1 + {before} }}) end
end
"""
CODE = re.compile(r"\x1b\[([0-9;]*)m")
PAGE = (
    "<style>body{{margin:0;background:#333}}pre{{margin:0;padding:12px;width:max-content;"
    "font:14px/18px 'DejaVu Sans Mono',monospace;color:#fff;background:#333}}</style><pre>{}</pre>"
)


def tmux(*words: str) -> str:
    """What a command of tmux, in a server of its own, answers."""
    command = ["tmux", "-L", SOCKET, "-f", os.devnull, *words]
    env = {**os.environ, "TERM": "screen-256color", "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout


def settled(fits: Callable[[str], bool]) -> str:
    """The screen, once it fits and stands still."""
    before, until = "", time.monotonic() + PATIENCE
    while time.monotonic() < until:
        time.sleep(1)
        screen = tmux("capture-pane", "-e", "-p", "-N")
        if fits(screen) and screen == before:
            return screen
        before = screen
    raise AssertionError(f"not seen in {PATIENCE} s:\n{before}")


def hovered(folder: Path, words: str, rows: int) -> str:
    """The screen of Neovim with hover at the `|` in some words of the people's file."""
    before, _, after = words.partition("|")
    init = folder / "init.lua"
    server = ", ".join(map(json.dumps, (sys.executable, "-m", "ruleloom", "lsp")))
    init.write_text(
        INIT.format(
            command=f"{{{server}}}",
            root=json.dumps(str(folder)),
            words=json.dumps(before + after),
            before=len(before),
        )
    )
    size = ("-x", str(COLUMNS), "-y", str(rows))
    editor = f"cd {folder} && nvim -u NONE ferry/people.yaml -c 'luafile {init}'"
    tmux("new-session", "-d", *size, editor)
    tmux("set", "-g", "status", "off")
    tmux("resize-window", *size)
    try:
        _hover()
        time.sleep(20)  # the rules texts are written after the first time
        tmux("send-keys", "h", "l")
        settled(lambda screen: "rules.example" not in screen)
        return _hover()
    finally:
        tmux("kill-server")


def _hover() -> str:
    tmux("send-keys", ":lua vim.lsp.buf.hover()", "Enter")
    return settled(lambda screen: "rules.example" in screen)


def spans(screen: str) -> Iterator[str]:
    """A screen as HTML: its colours are those of a terminal with all of them."""
    style: dict[str, str] = {}
    at = 0
    for code in CODE.finditer(screen):
        yield _span(screen[at : code.start()], style)
        style, at = _styled(style, code[1]), code.end()
    yield _span(screen[at:], style)


def _styled(style: dict[str, str], code: str) -> dict[str, str]:
    numbers = code.split(";")
    colour = f"rgb({','.join(numbers[2:5])})"
    match numbers[0]:
        case "38":
            return {**style, "color": colour}
        case "48":
            return {**style, "background": colour}
        case "1":
            return {**style, "font-weight": "bold"}
        case "39":
            return {name: value for name, value in style.items() if name != "color"}
        case "49":
            return {name: value for name, value in style.items() if name != "background"}
    return {} if numbers[0] in ("", "0") else style


def _span(text: str, style: dict[str, str]) -> str:
    said = ";".join(f"{name}:{value}" for name, value in style.items())
    return f'<span style="{said}">{html.escape(text)}</span>' if text else ""


def main() -> int:
    """Take the pictures."""
    with tempfile.TemporaryDirectory() as name, started() as browser:
        folder = Path(name).resolve()
        for path, text in FILES.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        for picture, (words, rows) in PICTURES.items():
            page = browser.new_page(viewport={"width": 940, "height": 24 + 18 * rows})
            page.set_content(PAGE.format("".join(spans(hovered(folder, words, rows)))))
            page.locator("pre").screenshot(path=str(IMAGES / f"{picture}.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
