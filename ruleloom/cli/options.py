"""Options and arguments shared by several verbs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import click

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.packs.locate import pack_of
from ruleloom.runtime.play.files import FileFault, write_atomically

F = TypeVar("F", bound=Callable[..., Any])


class Wanted(SimpleNamespace):
    """The options of a command by name, parsed and checked by click."""


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
run_seed_option = click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="The seed of the run."
)
switch_option = click.option(
    "--switch",
    "--set",
    "switches",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a switch of the rules, or a number; may be given several times.",
)
scene_option = click.option(
    "--scene", metavar="NAME", help="The scene to play, in games that ask for one."
)


def format_option(*forms: str, help: str = "The output format.") -> Callable[[F], F]:
    """The `--format` option, by default the first form."""
    choice = click.Choice(list(forms))
    return click.option("--format", "form", type=choice, default=forms[0], help=help)


def locked_option() -> Callable[[F], F]:
    """The `--locked` option: only packs in the campaign's lock."""
    help = "Refuse packs that are not those in the `ruleloom.lock` of the last pack."
    return click.option("--locked", is_flag=True, help=help)


def write_output(path: str | Path, text: str) -> None:
    """Write an output file. Raises WrongUse."""
    try:
        write_atomically(path, text)
    except FileFault as fault:
        raise WrongUse(f"{fault.path} cannot be written: {fault.reason}") from None


def refuse_existing(path: Path) -> None:
    """Raise WrongUse if the file exists."""
    if os.path.lexists(path):
        raise WrongUse(f"{path} exists already, and is never overwritten", "choose another name")


def write_new(path: Path, text: str, make_folder: bool = False) -> None:
    """Write a file that must be new. Raises WrongUse."""
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise WrongUse(f"{path} cannot be written: {(error.strerror or '').lower()}") from None


def pack_around() -> str | None:
    """The pack around the current folder."""
    found = pack_of(Path())
    return None if found is None else str(found)


def pack_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths given; without any, the pack that contains the current folder."""
    if paths:
        return tuple(paths)
    here = pack_around()
    if here is None:
        help = "name a folder that contains a `pack.yaml`, or a shipped game"
        raise WrongUse("no pack is named, and the current folder is in none", help)
    return (here,)


def read_switches(words: Sequence[str]) -> dict[str, Any]:
    """The values of `name=value` words: whole numbers as ints, all else as strings."""
    table: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name or not value:
            raise WrongUse(f"`--switch {word}` has no value", "write it as --switch name=value")
        table[name] = int(value) if re.fullmatch(r"-?[0-9]{1,15}", value) else value
    return table
