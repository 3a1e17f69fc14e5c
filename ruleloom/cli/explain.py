"""`ruleloom explain`: the meaning of a diagnostic code, or the rules text of an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import colour_option, pack_around, pack_option
from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.table import CODES
from ruleloom.compiler.diagnostics.suggest import nearest
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import colour_wanted, paint, safe_lines
from ruleloom.runtime.program.safe_text import safe_text


@click.command("explain")
@click.argument("word", metavar="CODE|ITEM")
@pack_option
@colour_option
def command(word: str, packs: tuple[str, ...], color: str) -> int:
    """Explain a diagnostic code (`unknown-name`), or print the rules text of an item.

    An ITEM is an id (`gnostica:major/sun`) or the end of one (`major/sun`, `sun`). It is looked up
    in the packs given, or in the pack that contains the current folder and the shipped games.
    """
    colour = colour_wanted(color)
    if word in CODES:
        print(code_page(word, CODES[word], colour))
        return CLEAN
    texts = texts_of(packs_searched(packs))
    found = matching(word, texts)
    if not found:
        raise WrongUse(
            f"`{word}` is neither a diagnostic code nor an item", suggestion(word, texts)
        )
    print(
        "\n\n".join(
            f"{paint(safe_text(id), 'bold', on=colour)}\n{safe_lines(texts[id])}" for id in found
        )
    )
    return CLEAN


def packs_searched(packs: Sequence[str]) -> list[list[str]]:
    """Which packs to look in, as groups that are compiled together."""
    if packs:
        return [list(packs)]
    here = pack_around()
    groups = [[id] for id in shipped_packs(BUILTIN)]
    return [[here], *groups] if here is not None else groups


def texts_of(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """The text of every item, by id."""
    texts: dict[str, str] = {}
    broken = []
    for group in groups:
        result = compile_paths(group, reasons=False)
        if result.program is None:
            broken.append(group[0])
        else:
            generated = dict(result.program.texts)
            for item in result.content.items if result.content is not None else ():
                texts.setdefault(item.id, generated.get(item.id) or as_written(item))
    if broken and not texts:
        raise WrongUse(
            f"{broken[0]} holds mistakes, so there is no text yet", f"ruleloom check {broken[0]}"
        )
    return texts


def as_written(item: Item) -> str:
    """The author's own words and effect, for an item of which no text is generated."""
    words = (item.data(name) for name in ("title", "english", "gloss", "effect", "is", "holds"))
    return (
        "\n".join(word.rstrip("\n") for word in words if isinstance(word, str))
        or "nothing is written about it"
    )


def matching(word: str, texts: Mapping[str, str]) -> list[str]:
    """The ids that a word means: the whole id, or as much of its end as tells."""
    asked = word.lower().replace("_", "-").replace(" ", "-")
    for cut_behind in ("", ":", "/"):
        found = [id for id in texts if end_of(id, cut_behind).replace("_", "-").lower() == asked]
        if found:
            return sorted(found)
    return []


def end_of(id: str, cut_behind: str) -> str:
    """What stands behind the last such sign of an id; the whole id for no sign."""
    return id.rpartition(cut_behind)[2] if cut_behind else id


def suggestion(word: str, texts: Mapping[str, str]) -> str:
    """What to type instead of a word that is nothing."""
    names = {id.rpartition("/")[2] for id in texts}
    close = nearest(word, [*CODES, *sorted(names), *texts])
    if close:
        return f"did you mean {' or '.join(f'`{one}`' for one in close)}?"
    return "give the code of a message, such as `unknown-name`, or the id of an item, such as `major/sun`"


def code_page(word: str, code: Code, colour: bool = False) -> str:
    """Everything there is to say about a diagnostic code."""
    lines = [f"{paint(word, 'bold', on=colour)}: {code.title}", "", code.why, ""]
    for heading, example in (("Wrong:", code.bad), ("Right:", code.good)):
        lines += [
            paint(heading, "red" if heading == "Wrong:" else "green", on=colour),
            *example_lines(example),
            "",
        ]
    return "\n".join(lines).rstrip()


def example_lines(example: str | bytes | Mapping[str, str]) -> list[str]:
    """An example, indented; of a small pack, file by file."""
    if isinstance(example, bytes):
        example = example.decode("utf-8", "backslashreplace")
    if isinstance(example, str):
        return [f"    {safe_text(line)}" for line in example.rstrip("\n").split("\n")]
    return [
        line
        for name, text in example.items()
        for line in (
            f"  {name}:",
            *(f"    {safe_text(row)}" for row in text.rstrip("\n").split("\n")),
        )
    ]
