"""The verbs of the command line; each verb's module is loaded on demand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module

import click

from ruleloom.api.version import version_text
from ruleloom.cli.faults import extra_needed, guarded
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.output.terminal import prepare

VERBS = {
    "check": "find mistakes in packs",
    "test": "run the scenarios of packs and clauses, and report failures",
    "build": "make a record, such as a character, choice by choice",
    "compile": "compile packs into one program file",
    "export": "write items, tables and odds for other programs",
    "pack": "write a pack as one zip to give away",
    "lock": "write down the versions of packs that a campaign uses",
    "add": "get packs for a project, from a zip, an address or an index",
    "list": "list the packs that a project keeps",
    "outdated": "list the newer versions of kept packs",
    "update": "get newer versions of kept packs",
    "remove": "remove kept packs",
    "index": "list a folder of packs, for others to get them by name",
    "fmt": "rewrite effect text in canonical form",
    "sheet": "write printable sheets, such as character sheets",
    "cards": "print the things of packs as cards",
    "explain": "explain a diagnostic code, an item or a word of effect text",
    "screen": "write what is looked up in play, as pages to print",
    "places": "list where packs can hook in",
    "api": "list what a pack promises, and refuse to break it",
    "docs": "write the reference of a game as a site",
    "why": "explain a number, down to the printed values",
    "odds": "compute the odds of an effect text or a random table",
    "roll": "roll on a random table",
    "play": "play a game with people, bots, or both",
    "serve": "open a table in the browser",
    "site": "write a game as pages that need no server",
    "replay": "print the log of a saved game, or verify it",
    "simulate": "play many games between bots, and count",
    "balance": "say what an item, a switch or a number makes in play",
    "diff": "compare two packs, or two versions of one",
    "translation": "say what the translation of a game lacks",
    "migrate": "rewrite a pack for what it builds on now",
    "new": "create a pack or an item from a worked example",
    "lsp": "serve an editor while you write",
    "mcp": "serve an assistant while it writes",
}

# Verbs with a package of their own, and those in another module, with their function there.
WITH_PARTS = {
    "balance",
    "build",
    "check",
    "explain",
    "mcp",
    "odds",
    "play",
    "simulate",
    "test",
    "why",
}
BESIDE = {
    "compile": ("lock", "compile"),
    "places": ("docs", "places"),
    "add": ("keeping.add", "command"),
    "index": ("keeping.index", "command"),
    "list": ("keeping.kept", "listing"),
    "outdated": ("keeping.kept", "outdated"),
    "remove": ("keeping.kept", "remove"),
    "update": ("keeping.add", "update"),
}

# Verbs that need the libraries of an extra.
WITH_EXTRA = {"serve": "web", "site": "web", "lsp": "lsp", "mcp": "mcp"}

COMPLETION = "_RULELOOM_COMPLETE"
EXAMPLES = """\
Examples:
  ruleloom play gnostica --players human,greedy    play against a bot
  ruleloom check my-pack                           find mistakes in a pack
  ruleloom explain unknown-name                    what a message means, with an example
"""


class Verbs(click.Group):
    """The `ruleloom` command group."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in the order of the help."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a verb; None if it is unknown."""
        if cmd_name not in VERBS:
            return None
        module, function = BESIDE.get(cmd_name, (cmd_name, "command"))
        module = f"{module}.{module}" if module in WITH_PARTS else module
        extra = WITH_EXTRA.get(cmd_name)
        with extra_needed(f"`ruleloom {cmd_name}`", extra) if extra else nullcontext():
            command: click.Command = getattr(import_module(f"ruleloom.cli.{module}"), function)
        command.short_help = VERBS[cmd_name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb of the first word, or suggest the nearest."""
        word = args[0]
        if word not in VERBS and not word.startswith("-"):
            help = did_you_mean(word, VERBS) or f"the verbs are {', '.join(VERBS)}"
            raise click.UsageError(f"there is no verb `{word}`; {help}", ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, then the verbs."""
        width = max(map(len, VERBS)) + 1
        verbs = "".join(f"  {verb:<{width}}{purpose}\n" for verb, purpose in VERBS.items())
        formatter.write(f"{EXAMPLES}\nUsage: ruleloom VERB [WORDS]...\n\nVerbs:\n{verbs}\n")
        formatter.write(
            "`ruleloom VERB --help` describes a verb, `ruleloom --version` shows the version.\n"
        )


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
    # Not `command.main`, which handles closed pipes and Ctrl-C itself.
    with command.make_context("ruleloom", words) as context:
        return command.invoke(context)
