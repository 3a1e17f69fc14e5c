"""`ruleloom places`: lists where packs can hook in, as a page in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN
from ruleloom.cli.options import pack_paths, paths_argument
from ruleloom.compiler.analysis.texts import nodes_of
from ruleloom.compiler.analysis.words import head_text, result_text
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.output.markdown import plain
from ruleloom.reference.gathered import menus, open_bounds, rolls
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios.setup.things import names_of

Row = tuple[str, ...]


@click.command("places")
@paths_argument
def command(paths: tuple[str, ...]) -> int:
    """List where packs can hook in: moments, rolls, menus, powers and operations.

    A PATH is a pack's folder or the name of a shipped game; the default is the pack that contains
    the current folder. The list is Markdown; docs/language.md says how to respond.
    """
    program, content = sound(compile_paths(pack_paths(paths), scenarios=False))
    print(page_of(content, program), end="")
    return CLEAN


def page_of(content: Content, program: Program) -> str:
    """The page of a game."""
    symbols, nodes = names_of(content), list(nodes_of(content))
    moments = [one for one in symbols.operations.values() if one.kind == "moment"]
    operations = [one for one in symbols.operations.values() if one.kind != "moment"]
    flows = [(f"`{one.slug}()`", "", "") for one in content.by_kind("flow")]
    kept = {one.operation for one in program.always}
    rolled = {one.name: "dice" if one.dice else "a number" for one in rolls(nodes)}
    powers = symbols.powers.values()
    dice = {"any": "a number", "each": "dice"} | rolled if rolled else {}
    parts: tuple[tuple[str, str, Row, Sequence[Row]], ...] = (
        (
            "Moments",
            "`when NAME(...)`",
            ("moment", "open", "when it comes", "who decides"),
            [
                (_called(one), _open(one), plain(one.english), _decider(symbols, one.name))
                for one in moments
            ],
        ),
        (
            "Rolls",
            "`when rolled NAME(who, value)`",
            ("roll", "the value is"),
            [(f"`{name}`", value) for name, value in dice.items()],
        ),
        (
            "Menus",
            "an item of the kind `way`, `to: NAME`",
            ("menu", "ways"),
            [
                (f"`{one.called}`", ", ".join(plain(f'"{way}"') for way in one.ways))
                for one in menus(nodes)
            ],
        ),
        (
            "Powers and flows",
            "`when before NAME(...)`, `when after NAME(...)` or `instead of NAME(...)`",
            ("power or flow", "gives", "what it does"),
            [*flows, *((_called(one), _result(one), plain(one.english)) for one in powers)],
        ),
        (
            "Operations",
            "`when NAME(...)` or, if it gives nothing and keeps no rule that always holds, "
            "`instead of NAME(...)`",
            ("operation", "gives", "what it does"),
            [
                (
                    _called(one),
                    "keeps a rule" if one.name in kept else _result(one),
                    plain(one.english),
                )
                for one in operations
            ],
        ),
    )
    lines = [f"# Where to hook in: {plain(program.title)}", ""]
    lines += [f"Written by `ruleloom places {content.game}`.", ""]
    for heading, form, head, rows in parts:
        if rows:
            table = [f"| {' | '.join(row)} |" for row in (head, *rows)]
            table.insert(1, f"|{'---|' * len(head)}")
            lines += [f"## {heading}", "", f"Write {form}.", "", *table, ""]
    return "\n".join(lines)


def _open(moment: Signature) -> str:
    """The value that answers may change, and its bounds."""
    return ", ".join([f"`{moment.open}`", *open_bounds(moment)]) if moment.open else ""


def _decider(symbols: Symbols, event: str) -> str:
    """The player who orders the responses where that makes a difference."""
    decider = symbols.deciders.get(event)
    return f"`{decider[0].text}`" if decider is not None else ""


def _called(one: Signature) -> str:
    return f"`{head_text(one)}`"


def _result(one: Signature) -> str:
    return f"`{result_text(one)}`" if one.result is not None else ""
