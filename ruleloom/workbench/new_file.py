"""New files of a pack, from the worked example of a kind with its scenarios, or empty."""

from __future__ import annotations

from pathlib import Path

from ruleloom.compiler.analysis.yaml_cursor import game_named
from ruleloom.compiler.packs.locate import PACK_ID
from ruleloom.runtime.program.faults import Refused
from ruleloom.scaffold.starters import SCENARIOS, example, file_name, filled, games, kinds
from ruleloom.web.pages import told
from ruleloom.web.requests import BadInput
from ruleloom.workbench.work_files import WorkFiles, WorkPack

LONGEST = 40


def starters(pack: WorkPack) -> list[str]:
    """The kinds of which there is an example for the game of a pack."""
    game = game_named(Path(pack.folder))
    return kinds(game) if game in games() else []


def new_file(files: WorkFiles, number: int, kind: str, name: str) -> list[str]:
    """Write the file of a new item, and one with its scenarios; return their names.

    Without a kind the file is empty. Refused for a name that is taken or none.
    """
    pack = files.pack(number)
    if not PACK_ID.fullmatch(name) or len(name) > LONGEST:
        raise BadInput(told("bad_item_name", name=name))
    texts = _texts(pack, kind, name)
    there = files.names(number)
    taken = next((one for one in texts if one in there), None)
    if taken is not None:
        raise Refused(told("file_is_there", name=taken))
    for one, text in texts.items():
        files.create(number, one, text)
    return list(texts)


def _texts(pack: WorkPack, kind: str, name: str) -> dict[str, str]:
    if not kind:
        return {f"{name}.yaml": ""}
    if kind not in starters(pack):
        raise BadInput(told("no_example", kind=kind))
    game = game_named(Path(pack.folder))
    found = example(game, kind)
    lead = _modeline(pack, game)
    texts = {f"{name}.yaml": lead + filled(found[kind], kind, name)}
    if SCENARIOS in found and kind != SCENARIOS:
        texts[f"{name}-{SCENARIOS}.yaml"] = lead + filled(found[SCENARIOS], kind, name)
    return texts


def _modeline(pack: WorkPack, game: str) -> str:
    """The line by which other editors find the schema, if the pack has one."""
    has = (Path(pack.folder) / file_name(game)).is_file()
    return f"# yaml-language-server: $schema={file_name(game)}\n" if has else ""
