"""Options and arguments that several verbs share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.packs.locate import MAX_CLIMB
from ruleloom.compiler.packs.walk import MANIFEST

F = TypeVar("F", bound=Callable[..., Any])

colour_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour: on a terminal (auto), always or never. NO_COLOR and FORCE_COLOR are heeded.",
)
pack_option = click.option(
    "--pack",
    "packs",
    multiple=True,
    metavar="DIR",
    help="A pack to play with besides the game; may be given several times.",
)
switch_option = click.option(
    "--switch",
    "--set",
    "switches",
    multiple=True,
    metavar="NAME=VALUE",
    help="Choose a reading of a rule, or set a number (3, 1/4, 0.25); may be given several times.",
)


def pack_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths given, or the pack that holds the present folder if there are none."""
    if paths:
        return tuple(paths)
    for folder in [Path.cwd(), *Path.cwd().parents][:MAX_CLIMB]:
        if (folder / MANIFEST).is_file():
            return (os.path.relpath(folder),)
    raise WrongUse(
        "no pack is named, and the present folder lies in none",
        "name a folder that holds a `pack.yaml`, or a shipped game",
    )


def read_switches(words: Sequence[str]) -> dict[str, Any]:
    """`name=value` words as a table; whole numbers become numbers, `yes` and `no` stay words."""
    table: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name or not value:
            raise WrongUse(f"`--switch {word}` has no value", "write it as --switch name=value")
        number = value.removeprefix("-")
        table[name] = (
            int(value) if number.isascii() and number.isdecimal() and len(number) <= 15 else value
        )
    return table
