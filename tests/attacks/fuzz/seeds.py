"""What the fuzzer begins with: the repository's own cases and items, each small, and read each time
anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from random import Random
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from benchmarks.edits.shipped import read_shipped
from ruleloom.compiler.diagnostics.codes import codes
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.runtime.play.journal import saved_lines
from ruleloom.runtime.program.program_json import program_text
from tests.support import evening
from tests.support.check_layer import game_files
from tests.support.expect import TESTS, read_cases
from tests.support.pack_examples import GAME, manifest, setting

LONGEST = 3_000
FILE = "=== "
"""A line with this in front and a file's name begins that file, in an input of several files."""


def joined(files: Mapping[str, str]) -> str:
    """Several files as one input."""
    return "".join(f"{FILE}{name}\n{text.rstrip()}\n" for name, text in files.items())


@cache
def cases(*folders: str) -> tuple[str, ...]:
    """The cases of tests/cases in these folders, and the examples of the codes whose layer is
    called so."""
    texts = [
        case.source.lstrip("\n")
        for folder in folders
        for path in sorted((TESTS / "cases" / folder).glob("*.yaml"))
        for case in read_cases(path)
    ]
    for code in codes().values():
        if code.layer in folders:
            texts += [example for example in (code.bad, code.good) if isinstance(example, str)]
    return tuple(text for text in texts if len(text) <= LONGEST)


@cache
def packs() -> tuple[str, ...]:
    """Packs of several files: the examples of codes."""
    found = [
        joined(example)
        for code in codes().values()
        if code.layer == "pack"
        for example in (code.bad, code.good)
        if isinstance(example, Mapping) and not any(".zip/" in name for name in example)
    ]
    house = {"house/pack.yaml": manifest("house"), "house/beds.yaml": setting("chairs", 6)}
    return tuple(text for text in (*found, joined({**GAME, **house})) if len(text) <= LONGEST)


@cache
def patches() -> tuple[str, ...]:
    """The packs beside the quarrel, alone and in company."""
    packs = {
        folder.name: {
            f"{folder.name}/{path.name}": path.read_text(encoding="utf-8")
            for path in sorted(folder.glob("*.yaml"))
        }
        for folder in sorted((TESTS / "support" / "quarrel" / "packs").iterdir())
    }
    alone = [joined(files) for files in packs.values()]
    return (
        *alone,
        *(joined({**packs["a-guns"], **packs[name]}) for name in packs if name != "a-guns"),
    )


@cache
def effects() -> tuple[str, ...]:
    """Effect texts: those of the shipped games, and the fields of the cases that hold one."""
    texts = {
        text.text
        for game in ("gnostica", "moonstone")
        for text in read_shipped(BUILTIN / game).texts
    }
    return tuple(sorted(text for text in texts if len(text) <= LONGEST))


@cache
def scenarios() -> tuple[str, ...]:
    """Cases of the shipped game that is played with a notation, one a file."""
    found = []
    for path in sorted((BUILTIN / "gnostica" / "scenarios").glob("*.yaml")):
        _head, *rest = path.read_text(encoding="utf-8").split("\n  - id: ")
        found += [f"kind: scenarios\ncases:\n  - id: {case.split('  # ---')[0]}" for case in rest]
    return tuple(text for text in Random(1).sample(found, 120) if len(text) <= LONGEST)


def attempts() -> Iterator[str]:
    """Cases that try effect text in the orchard."""
    head = "kind: scenarios\ncases:\n  - id: one\n    given: "
    ann, fig = "ann: {kind: picker, speed: {red: 7}}", "fig: {kind: fruit, weight: 3, tint: red}"
    things = f"{{things: {{{ann}, {fig}}}, state: {{day: 2}}}}"
    for steps, then in (
        ("{do: 'set day = day + 1'}", "{numbers: {day: 3}}"),
        ("{do: 'set favourite = fig'}, {do: 'set day = 4'}", "{numbers: {day: 4, favourite: fig}}"),
        ("{do: 'roll luck = 2d6', rolls: [3, 4]}", "{numbers: {day: 2}}"),
        ("{do: 'choose k from 1 .. 3', answer: [2]}", "{asked: nobody}"),
        ("{do: 'use snack(fig)'}", "{refused: 'no'}"),
        (
            "{do: 'roll luck = 1d4\n  set day = luck'}",
            "{odds: {day: {1: 1/4, 2: 1/4, 3: 1/4, 4: 1/4}}}",
        ),
    ):
        yield f"{head}{things}\n    when: [{steps}]\n    then: {then}\n"
    yield f"{head}{things}\n    then: {{numbers: {{ann: {{speed(red): 7}}}}}}\n"


@cache
def archives() -> tuple[str, ...]:
    """Small zips, as texts of one character a byte."""
    found = []
    house = {
        "pack.yaml": manifest("house"),
        "beds.yaml": setting("chairs", 6),
        "rooms/more.yml": setting("tables", 2),
    }
    for top in ("", "house/"):
        for method in (ZIP_STORED, ZIP_DEFLATED):
            made = BytesIO()
            with ZipFile(made, "w", method) as archive:
                for name, text in house.items():
                    archive.writestr(f"{top}{name}", text)
            found.append(made.getvalue().decode("latin-1"))
    return tuple(found)


@cache
def saves() -> tuple[str, ...]:
    """Saves of the evening after some answers."""
    games = (
        evening.play(evening.start(seed), Random(seed), answers)
        for seed, answers in ((6, 25), (1, 0), (2, 6))
    )
    return tuple("\n".join(saved_lines(game, "0.1.0")) + "\n" for game in games)


@cache
def programs() -> tuple[str, ...]:
    """The program of the evening."""
    return (json.dumps(json.loads(program_text(evening.PROGRAM)), separators=(",", ":")),)


def orchard_files() -> Iterator[str]:
    """The files of the orchard itself, for the words in them."""
    return (
        text for name, text in game_files().items() if len(text) <= LONGEST and name != "pack.yaml"
    )
