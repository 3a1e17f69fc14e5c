"""Options and arguments shared by several verbs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import click

from ruleloom.cli.faults import WrongUse
from ruleloom.compiler.packs.locate import pack_of
from ruleloom.runtime.play.files import FileFault, write_atomically
from ruleloom.runtime.program.texts import setting_value

F = TypeVar("F", bound=Callable[..., Any])


class Wanted(SimpleNamespace):
    """The options of a command by name, parsed and checked by click."""


def option(shown: str, help: str, name: str | None = None, **more: Any) -> Callable[[F], F]:
    """An option as its help shows it, such as `-o, --output FILE`; one without a value is a flag."""
    flags = [one for one in shown.split(" ") if one.startswith("-")]
    metavar = shown.removeprefix(" ".join(flags)).strip()
    more |= {"metavar": metavar} if metavar else {"is_flag": True}
    names = [one.rstrip(",") for one in flags]
    return click.option(*names, *([name] if name else []), help=help, **more)


def grouped(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one, in this order."""

    def added(command: F) -> F:
        for one in reversed(options):
            command = one(command)
        return command

    return added


def game_argument(required: bool = True) -> Callable[[F], F]:
    """The game and the packs on top of it, by position."""
    metavar = "GAME [PACK]..." if required else "[GAME] [PACK]..."
    return click.argument("game", nargs=-1, required=required, metavar=metavar)


paths_argument = click.argument("paths", nargs=-1, metavar="[PATH]...")
paths_and_items_argument = click.argument("words", nargs=-1, metavar="[PATH]... [ITEM]...")
of_option = option(
    "--of NAME",
    "The id or title of a thing to print, as ITEM, also where a folder is called so; may be given several "
    "times.",
    name="names",
    multiple=True,
)
colour_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Use colour on a terminal (auto), always or never; auto obeys NO_COLOR and FORCE_COLOR.",
)
pack_option = option(
    "--pack DIR",
    "A pack to load besides the game; may be given several times.",
    name="packs",
    multiple=True,
)
run_seed_option = option("--seed N", "The seed of the run.", type=int, default=1, show_default=True)
switch_option = option(
    "--switch, --set NAME=VALUE",
    "Set a switch of the rules, or a number (3, 1/4, 0.25); may be given several times.",
    name="switches",
    multiple=True,
)
scene_option = option(
    "--scene NAME",
    "The scene to play, in games that ask for one: its id, or a file that defines it.",
)
audience_option = click.option(
    "--for",
    "audience",
    type=click.Choice(["gm", "players"]),
    default="gm",
    help="For players, what packs mark `for: gm` is left out.",
)
locked_option = option(
    "--locked", "Refuse packs that are not those in the `ruleloom.lock` of the last pack."
)


def format_option(*forms: str, help: str = "The output format.") -> Callable[[F], F]:
    """The `--format` option, by default the first form."""
    choice = click.Choice(list(forms))
    return click.option("--format", "form", type=choice, default=forms[0], help=help)


def write_output(path: str | Path, data: str | bytes) -> None:
    """Write an output file, in folders that need not exist. Raises WrongUse."""
    try:
        write_atomically(path, data, make_folder=True)
    except FileFault as fault:
        raise WrongUse(f"{fault.path} cannot be written: {fault.reason}") from None


def refuse_existing(path: Path) -> None:
    """Raise WrongUse if the file exists."""
    if os.path.lexists(path):
        raise WrongUse(f"{path} exists already, and is never overwritten", "choose another name")


def write_new(path: Path, text: str) -> None:
    """Write a file that must be new, in folders that need not exist. Raises WrongUse."""
    try:
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
        table[name] = setting_value(value)
    return table
