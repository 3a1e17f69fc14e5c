"""Plans a new pack or item: its files, whether they are sound, and the writing.

Nothing is written if anything is in the way: an impossible name, an existing file, or a mistake.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean
from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.packs.locate import MAX_CLIMB, PACK_ID
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.reader import compose
from ruleloom.scaffold.editor_schema import editor_schema, file_name, schema_of_pack
from ruleloom.scaffold.starters import PACK, SCENARIOS, example, filled, games, kinds

# A longer one would leave no room for what an example adds to it.
LONGEST_NAME = 40


class CannotMake(Exception):
    """Why something cannot be made; `help` says what can."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.help = help


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written, by path; what is `kept` is there already and stays as it is."""

    pack: Path
    files: Mapping[Path, str]
    kept: tuple[Path, ...] = ()


def check_name(name: str) -> None:
    """Raise CannotMake if an item or a pack cannot be called so."""
    if PACK_ID.fullmatch(name) and len(name) <= LONGEST_NAME:
        return
    words = re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-_")
    better = re.sub(r"^[^a-z]+", "", words)[:LONGEST_NAME].rstrip("-_")
    follow = f"up to {LONGEST_NAME - 1} small letters, digits, `-` or `_` follow"
    rule = f"it begins with a small letter, and {follow}"
    help = f"write `{better}`" if better else "write a name such as `lamp-lighter`"
    raise CannotMake(f"`{name}` cannot be a name: {rule}", help)


def plan_pack(name: str, game: str | None, folder: Path) -> Plan:
    """The files of a new pack, in a folder of its name."""
    check_name(name)
    known = games()
    if game is None:
        raise CannotMake(
            "which game is the pack for?", f"name it: --game {' or --game '.join(known)}"
        )
    if game not in known:
        raise CannotMake(
            f"there is no game `{game}`; {choices_text(game, known)}", did_you_mean(game, known)
        )
    above = pack_of(folder)
    if above is not None:
        raise CannotMake(
            f"{folder} lies in the pack {above}, and no pack lies inside another",
            "name a folder outside of it: --in FOLDER",
        )
    texts = example(game, PACK)
    place = folder / name
    files = {place / MANIFEST: filled(texts[PACK], PACK, name)}
    if SCENARIOS in texts:
        files[place / f"{SCENARIOS}.yaml"] = filled(texts[SCENARIOS], PACK, name)
    return _with_schema(place, game, files)


def plan_item(kind: str, name: str, folder: Path, game: str | None = None) -> Plan:
    """The files of a new item, in a folder of a pack."""
    pack = pack_of(folder)
    if pack is None:
        raise CannotMake(
            f"{folder} lies in no pack",
            "make one, `ruleloom new pack NAME --game GAME`, or name its folder: --in FOLDER",
        )
    inside = Path(os.path.relpath(folder, pack)).parts
    if any(part.startswith(".") for part in inside):
        raise CannotMake(
            f"{folder} is hidden: packs leave folders alone whose name begins with a dot"
        )
    game = _game_of(pack, game)
    known = kinds(game)
    if kind not in known:
        raise CannotMake(*_no_such_kind(kind, game, known))
    check_name(name)
    texts = example(game, kind)
    files = {folder / f"{name}.yaml": filled(texts[kind], kind, name)}
    if SCENARIOS in texts and kind != SCENARIOS:
        files[folder / f"{name}-{SCENARIOS}.yaml"] = filled(texts[SCENARIOS], kind, name)
    return _with_schema(pack, game, files)


def pack_of(folder: Path) -> Path | None:
    """The pack that a folder is, or lies in."""
    whole = folder.absolute()
    for place in [whole, *whole.parents][:MAX_CLIMB]:
        if (place / MANIFEST).is_file():
            return folder if place == whole else Path(os.path.relpath(place))
    return None


def _game_of(pack: Path, said: str | None) -> str:
    """The game of a pack, which has to be the one that was said."""
    try:
        root = compose(Source.read(pack / MANIFEST, MANIFEST), Report())
    except SourceError:
        root = None
    named = root.get("game") if root is not None else None
    game = named.text if named is not None else None
    if game is None:
        raise CannotMake(
            f"the `{MANIFEST}` of {pack} does not say its game", f"ruleloom check {pack}"
        )
    if said is not None and said != game:
        raise CannotMake(f"{pack} is a pack for {game}, not for {said}", "leave --game out")
    if game not in games():
        raise CannotMake(
            f"there are no examples for {game}; there are some for {' and '.join(games())}"
        )
    return game


def _no_such_kind(kind: str, game: str, known: list[str]) -> tuple[str, str | None]:
    if kind in COMMON_KINDS:
        return (
            f"a game has one {kind}, and a pack changes it with a patch",
            "ruleloom new patch NAME",
        )
    names = ", ".join(known)
    return f"there is no example of `{kind}` for {game}; there is one of {names}", did_you_mean(
        kind, known
    )


def _with_schema(pack: Path, game: str, files: dict[Path, str]) -> Plan:
    """The files, each with a modeline for editors, and the schema it names if that is missing."""
    schema = pack / file_name(game)
    text = schema_of_pack(pack, game) if (pack / MANIFEST).is_file() else editor_schema(game)
    whole = {path: f"{_modeline(path, schema)}\n{text}" for path, text in files.items()}
    if not os.path.lexists(schema):
        return Plan(pack, {**whole, schema: text})
    try:
        same = schema.read_text(encoding="utf-8") == text
    except (OSError, ValueError):
        same = False
    return Plan(pack, whole, () if same else (schema,))


def _modeline(path: Path, schema: Path) -> str:
    way = os.path.relpath(schema, path.parent).replace(os.sep, "/")
    return f"# yaml-language-server: $schema={way}"


def check_plan(plan: Plan) -> list[Diagnostic]:
    """What would be wrong with the new files; raises CannotMake if one is in the way."""
    for path in plan.files:
        if os.path.lexists(path):
            told = f"{path} is there already, and is never written over"
            raise CannotMake(told, "choose another name")
    texts = {path.name: text for path, text in plan.files.items() if path.suffix == ".yaml"}
    with tempfile.TemporaryDirectory(prefix="ruleloom-") as folder:
        written = [Path(folder) / name for name in texts]
        for path in written:
            path.write_text(texts[path.name], encoding="utf-8")
        is_there = (plan.pack / MANIFEST).is_file()
        named, loose = (plan.pack, written) if is_there else (Path(folder), [])
        found = compile_paths([named], texts=False, reasons=False, loose=loose).diagnostics
    errors = [one for one in found if one.severity == "error"]
    return [one for one in errors if Path(one.place.path).name in texts]


def write(plan: Plan) -> None:
    """Write the files, each of which must not be there yet. Raises CannotMake."""
    for path, text in plan.files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise CannotMake(f"{path} cannot be written: {reason}") from None
