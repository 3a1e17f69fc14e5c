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
from ruleloom.runtime.play.files import FileFault, write_atomically

F = TypeVar("F", bound=Callable[..., Any])

paths_argument = click.argument("paths", nargs=-1, metavar="[PATH]...")
colour_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Use colour on a terminal (auto), always or never; auto obeys NO_COLOR and FORCE_COLOR.",
)
pack_option = click.option(
    "--pack",
    "packs",
    multiple=True,
    metavar="DIR",
    help="A pack to load besides the game; may be given several times.",
)


def format_option(*forms: str, help: str = "The output format.") -> Callable[[F], F]:
    """`--format`, of which the first form is the default."""
    choice = click.Choice(list(forms))
    return click.option("--format", "form", type=choice, default=forms[0], help=help)


def write_output(path: str | Path, text: str) -> None:
    """Write a file that was asked for. Raises WrongUse."""
    try:
        write_atomically(path, text)
    except FileFault as fault:
        raise WrongUse(f"{fault.path} cannot be written: {fault.reason}") from None


def pack_around() -> str | None:
    """The pack that the current folder is, or lies in."""
    folders = [Path.cwd(), *Path.cwd().parents][:MAX_CLIMB]
    found = next((one for one in folders if (one / MANIFEST).is_file()), None)
    return None if found is None else os.path.relpath(found)


def pack_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths given, or the pack that holds the present folder if there are none."""
    here = pack_around()
    if paths or here is not None:
        return tuple(paths) or (str(here),)
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
