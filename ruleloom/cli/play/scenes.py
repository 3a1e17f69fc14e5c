"""The scene of `--scene`, named by its id or by a file that defines one. Raises WrongUse."""

from __future__ import annotations

from pathlib import Path

from ruleloom.bots.preset_answers import PresetAnswer, asked_in_set_up
from ruleloom.cli.faults import WrongUse
from ruleloom.cli.number_query import files_at, find_thing, things_in
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.packs.walk import ENDINGS
from ruleloom.runtime.program.program import Entity, Program

SCENE = "scene"


def loose_files(scene: str | None) -> tuple[str, ...]:
    """The file that defines a scene, if a file was named."""
    return (scene,) if scene is not None and is_path(scene) else ()


def is_path(scene: str) -> bool:
    """Whether this names a file rather than a scene."""
    return scene.endswith(ENDINGS) or "/" in scene


def parse_scene(scene: str, program: Program, content: Content) -> PresetAnswer:
    """The answer to the prompt for the scene."""
    row = asked_in_set_up(program, SCENE)
    if row is None:
        raise WrongUse(f"set-up of {program.title} asks for no {SCENE}", "leave out --scene")
    entity = next((one for one in program.entities if one.name == row.type.removesuffix("?")), None)
    if entity is None or not entity.names:
        raise WrongUse(f"packs define no {SCENE} of {program.title}", "leave out --scene")
    if is_path(scene):
        number = _in_file(scene, entity, content)
    else:
        number = find_thing(entity, scene, range(len(entity.names)))
    return PresetAnswer(SCENE, number, entity.titles[number])


def _in_file(path: str, entity: Entity, content: Content) -> int:
    shown = shown_path(Path(path))
    files = {content.files[shown]} if shown in content.files else files_at(path, content)
    found = things_in(entity, files)
    if len(found) != 1:
        what = f"no {entity.singular}" if not found else f"{len(found)} {entity.plural}"
        raise WrongUse(
            f"{path} defines {what}, and one is needed", "name one by its id: --scene NAME"
        )
    return found[0]
