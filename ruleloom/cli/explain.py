"""`ruleloom explain`: the meaning of a diagnostic code, or the rules text of an item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
@click.option("--card", is_flag=True, help="Print what a card would say, not every step.")
@colour_option
def command(word: str, packs: tuple[str, ...], card: bool, color: str) -> int:
    """Explain a diagnostic code (`unknown-name`), or print the rules text of an item.

    An ITEM is an id (`gnostica:major/sun`) or the end of one (`major/sun`, `sun`). It is looked up
    in the packs of --pack, or else in the pack that contains the current folder and in the shipped
    games.
    """
    colour = colour_wanted(color)
    if word in CODES:
        print(code_page(word, CODES[word], colour))
        return CLEAN
    here = pack_around() if not packs else None
    shipped = [[id] for id in shipped_packs(BUILTIN)]
    texts = texts_of([list(packs)] if packs else [[here], *shipped] if here else shipped, card)
    found = matching(word, texts)
    if not found:
        raise WrongUse(f"`{word}` is no diagnostic code and no item", suggestion(word, texts))
    heads = {id: paint(safe_text(id), "bold", on=colour) for id in found}
    print("\n\n".join(f"{head}\n{safe_lines(texts[id])}" for id, head in heads.items()))
    return CLEAN


def texts_of(groups: Sequence[Sequence[str]], card: bool = False) -> dict[str, str]:
    """The text of every item, by id, in full or as a `card` would print it.

    The packs of a group are compiled together.
    """
    texts: dict[str, str] = {}
    broken = []
    for group in groups:
        result = compile_paths(group, texts=True, reasons=False)
        if result.program is None:
            broken.append(group[0])
        else:
            generated = dict(result.program.cards if card else result.program.texts)
            for item in result.content.items if result.content is not None else ():
                texts.setdefault(item.id, generated.get(item.id) or as_written(item))
    if broken and not texts:
        message = f"{broken[0]} has mistakes, so there is no text yet"
        raise WrongUse(message, f"ruleloom check {broken[0]}")
    return texts


def as_written(item: Item) -> str:
    """The author's own words and effect, for an item without a generated text."""
    fields = map(item.data, ("title", "english", "gloss", "effect", "is", "holds"))
    words = [field.rstrip("\n") for field in fields if isinstance(field, str)]
    return "\n".join(words) or "nothing is written about it"


def matching(word: str, texts: Mapping[str, str]) -> list[str]:
    """The ids that a word means: the whole id, the part behind the pack, or the name alone."""
    asked = word.lower().replace("_", "-").replace(" ", "-")
    folded = {id: id.replace("_", "-").lower() for id in texts}
    for sign in ("\n", ":", "/"):  # no id has a line break, so that whole ids come first
        found = [id for id, text in folded.items() if text.rpartition(sign)[2] == asked]
        if found:
            return sorted(found)
    return []


def suggestion(word: str, texts: Mapping[str, str]) -> str:
    """The help for a word that is no code and no item."""
    names = {id.rpartition("/")[2] for id in texts}
    close = nearest(word, [*CODES, *sorted(names), *texts])
    if close:
        return f"did you mean {' or '.join(f'`{one}`' for one in close)}?"
    return (
        "give a diagnostic code, such as `unknown-name`, or the id of an item, such as `major/sun`"
    )


def code_page(word: str, code: Code, colour: bool) -> str:
    """The page of a diagnostic code: its meaning, a wrong example and a right one."""
    lines = [f"{paint(word, 'bold', on=colour)}: {code.title}", "", code.why]
    for heading, style, example in (("Wrong:", "red", code.bad), ("Right:", "green", code.good)):
        lines += ["", paint(heading, style, on=colour), *example_lines(example)]
    return "\n".join(lines).rstrip()


def example_lines(example: str | bytes | Mapping[str, str]) -> Iterator[str]:
    """An example, indented; of a small pack, file by file."""
    if isinstance(example, bytes):
        example = example.decode("utf-8", "backslashreplace")
    files = {"": example} if isinstance(example, str) else example
    for name, text in files.items():
        yield from [f"  {name}:"] if name else ()
        yield from (f"    {safe_text(line)}" for line in text.rstrip("\n").split("\n"))
