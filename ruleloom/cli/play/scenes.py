"""The scene of `--scene`: one of the packs by its name, or the one in a file.

An unknown scene, or a game that asks for none, is refused with what would be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ruleloom.bots.preset_answers import PresetAnswer, asked_in_set_up
from ruleloom.cli.faults import WrongUse
from ruleloom.cli.number_query import files_at, find_thing
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.runtime.program.program import Entity, Program

SCENE = "scene"


def loose_files(scene: str | None) -> tuple[str, ...]:
    """The file that a scene stands in, where a file was named."""
    return (scene,) if scene is not None and is_file(scene) else ()


def is_file(scene: str) -> bool:
    """Is this the name of a file rather than of a scene?"""
    return scene.endswith(ENDINGS) or "/" in scene


def parse_scene(scene: str, program: Program, content: Content) -> PresetAnswer:
    """The answer to the question which scene is played."""
    row = asked_in_set_up(program, SCENE)
    if row is None:
        raise WrongUse(f"set-up of {program.title} asks for no {SCENE}", "leave out --scene")
    entity = next((one for one in program.entities if one.name == row.type.removesuffix("?")), None)
    if entity is None or not entity.names:
        told = f"a {SCENE} of {program.title} is nothing that packs make"
        raise WrongUse(told, "leave out --scene")
    every = range(len(entity.names))
    is_path = is_file(scene)
    number = _in_file(scene, entity, content) if is_path else find_thing(entity, scene, every)
    return PresetAnswer(SCENE, number, entity.titles[number])


def _in_file(path: str, entity: Entity, content: Content) -> int:
    shown = shown_path(Path(path))
    meant = {content.files[shown]} if shown in content.files else files_at(path, content)
    found: Sequence[int] = [
        number for number, place in enumerate(entity.places) if (place.pack, place.path) in meant
    ]
    if len(found) != 1:
        what = f"no {entity.singular}" if not found else f"{len(found)} {entity.plural}"
        raise WrongUse(
            f"{path} holds {what}, and one is to be played", "name one by its id: --scene NAME"
        )
    return found[0]
