"""Small packs on disk, for tests: an invented game, and a function that reads whatever lies in a
folder."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from ruleloom.api.missing_driver import with_driver
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.yaml.node import to_data
from ruleloom.packing.companions import others_in
from ruleloom.packing.credits import findings_about

Example = str | bytes | Mapping[str, str]
NO_PACKS = Path(__file__).resolve().parent / "no-such-folder"


def manifest(id: str, *lines: str, game: str = "inn", version: str = "1.0.0") -> str:
    """Return the text of a `pack.yaml`."""
    head = f"kind: pack\nid: {id}\nversion: {version}\ngame: {game}\nedition: 1\n"
    return head + "".join(f"{line}\n" for line in lines)


def fingerprint(content: Content) -> str:
    """Return a hash of the content, the same in whatever order the packs are given."""
    says = {
        "game": content.game,
        "packs": [(pack.id, pack.version, pack.hash) for pack in content.packs],
        "switches": dict(content.switches),
        "items": [
            (i.id, {key: to_data(node) for key, node in i.fields.items()}) for i in content.items
        ],
        "history": [
            (
                *key,
                [
                    (c.by, c.pack, *content.files[c.path], c.line, c.op, c.old, c.new)
                    for c in changes
                ],
            )
            for key, changes in content.history.items()
        ],
    }
    text = json.dumps(says, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def setting(id: str, value: int = 4) -> str:
    """Return the text of a setting, as an entry of a list."""
    return f"- {{kind: setting, id: {id}, value: {value}, english: how many guests there are}}\n"


FUSION = """\
kind: fusion
id: friends
parts: [walk, run]
clauses: [walk, run]
gloss: two go together
effect: |
  stop
"""
GAME = {
    "inn/pack.yaml": manifest("inn"),
    "inn/vocabulary.yaml": "kind: vocabulary\ngame: inn\n",
    "inn/settings.yaml": setting("guests") + setting("beds", 6),
    "inn/friends.yaml": FUSION,
}


def write(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Write {relative path: text} into a folder; return the zips, into which `house.zip/cards.yaml`
    puts an entry."""
    archives: set[Path] = set()
    for name, text in files.items():
        archive, mark, inside = name.partition(".zip/")
        if mark:
            path = folder / f"{archive}.zip"
            with ZipFile(path, "a") as made:
                made.writestr(inside, text)
            archives.add(path)
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return sorted(archives)


def read(*paths: Path, builtin: Path = NO_PACKS) -> tuple[Any, list[Diagnostic]]:
    """Read packs with nothing shipped beside them; the content may be None, which each test
    knows."""
    report = Report()
    return load(paths, report, builtin), report.diagnostics()


def run_packs(example: Example) -> list[Diagnostic]:
    """Write an example to a folder of its own and read all the packs in it."""
    assert isinstance(example, Mapping), "this layer reads packs"
    with tempfile.TemporaryDirectory() as folder:
        archives = write(Path(folder), example)
        return read(Path(folder), *archives)[1]


def run_with_driver(example: Example) -> list[Diagnostic]:
    """The same of packs that are to be played without a driver of their own."""
    assert isinstance(example, Mapping), "this layer reads packs"
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), example)
        return list(with_driver(compile_paths([Path(folder)], builtin=NO_PACKS)).diagnostics)


def run_whole_packs(example: Example) -> list[Diagnostic]:
    """Write an example to a folder of its own and compile all the packs in it to one program; return
    the infos, too."""
    assert isinstance(example, Mapping), "this layer reads packs"
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), example)
        result = compile_paths([Path(folder)], builtin=NO_PACKS)
        return [*result.diagnostics, *result.infos]


def run_packing(example: Example) -> list[Diagnostic]:
    """Write an example to a folder of its own and judge all the packs in it as they are packed."""
    assert isinstance(example, Mapping), "this layer reads packs"
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), example)
        content, found = read(Path(folder))
        if content is None:
            return found
        named = ((pack, others_in(pack.folder)) for pack in content.packs)
        return [
            *found,
            *(one for pack, names in named for one in findings_about(content, pack, names)),
        ]
