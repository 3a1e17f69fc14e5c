"""The verbs of the command line, and the modules that implement them.

A verb's module is loaded when it is called; help and suggestions load none.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

import click

from ruleloom.api.version import version_text
from ruleloom.cli.faults import guarded
from ruleloom.output.terminal import prepare

VERBS = {
    "check": "look for mistakes in packs",
    "test": "play the scenarios of packs and clauses, and say what failed",
    "build": "write packs as one program file",
    "fmt": "write effect text in its one tidy form",
    "sheet": "write the sheets of things, such as characters, to be printed",
    "explain": "explain a diagnostic code, or print the rules text of an item",
    "why": "say how a number comes about, down to what is printed",
    "odds": "say how likely what an effect text comes to is",
    "play": "play a game: people, bots, or both",
    "replay": "tell a saved game again, from its answers",
    "diff": "say what is different between two packs, or two versions of one",
    "new": "make a pack or an item to begin with, from a worked example",
}

# Verbs with a package of their own, for what only they need.
WITH_PARTS = {"check", "fmt", "play", "test", "why"}

COMPLETION = "_RULELOOM_COMPLETE"
EXAMPLES = """\
Examples:
  ruleloom play gnostica --players human,greedy    play against a bot
  ruleloom check my-pack                           look for mistakes in a pack
  ruleloom explain unknown-name                    what a message means, with an example
"""


class Verbs(click.Group):
    """The `ruleloom` command: hands the words on to a verb."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every verb, in the order in which they are met."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a verb; None if there is none of this name."""
        if cmd_name not in VERBS:
            return None
        module = f"{cmd_name}.{cmd_name}" if cmd_name in WITH_PARTS else cmd_name
        command: click.Command = import_module(f"ruleloom.cli.{module}").command
        command.short_help = VERBS[cmd_name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that the first word names, or say which is nearest."""
        if args[0] not in VERBS and not args[0].startswith("-"):
            raise click.UsageError(f"there is no verb `{args[0]}`; {_suggestion(args[0])}", ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples first, then the verbs."""
        formatter.write(EXAMPLES + "\n")
        formatter.write("Usage: ruleloom VERB [WORDS]...\n\n")
        formatter.write("Verbs:\n")
        for verb, purpose in VERBS.items():
            formatter.write(f"  {verb:<9}{purpose}\n")
        formatter.write(
            "\n`ruleloom VERB --help` tells more about a verb, `ruleloom --version` which Ruleloom this is.\n"
        )


def _suggestion(word: str) -> str:
    close = get_close_matches(word.lower(), VERBS, n=1, cutoff=0.5)
    return f"did you mean `{close[0]}`?" if close else f"the verbs are {', '.join(VERBS)}"


@click.group(
    cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(message=version_text(), version="")
def command() -> None:
    """The rules of tabletop games: checked, tested and played."""


def start(words: Sequence[str]) -> int:
    """Run the command line on these words and return the exit code."""
    prepare()
    return guarded(lambda: _run(list(words) or ["--help"]))


def _run(words: list[str]) -> object:
    if COMPLETION in os.environ:
        return command.main(words, prog_name="ruleloom", complete_var=COMPLETION)
    # Not `command.main`: it would answer a closed pipe and Ctrl-C in its own way.
    with command.make_context("ruleloom", words) as context:
        return command.invoke(context)
