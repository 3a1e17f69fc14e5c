"""`ruleloom explain`: a diagnostic code, the rules text of an item, or a word of a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from ruleloom.cli.explain.word_page import WordPages
from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import colour_option, pack_around, pack_option
from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.table import CODES
from ruleloom.compiler.diagnostics.suggest import nearest
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import colour_wanted, paint, safe_lines
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.safe_text import safe_text


@click.command("explain")
@click.argument("word", metavar="CODE|ITEM|WORD")
@pack_option
@click.option("--card", is_flag=True, help="Print what a card would say, not every step.")
@colour_option
def command(word: str, packs: tuple[str, ...], card: bool, color: str) -> int:
    """Explain a diagnostic code (`unknown-name`), print the rules text of an item, or say what a
    word of effect text is.

    An ITEM is an id (`gnostica:major/sun`) or the end of one (`major/sun`, `sun`). It is looked up
    in the packs of --pack, or else in the pack that contains the current folder and in the shipped
    games. A WORD is an operation, a query, an event, a field, a kind or anything else that a
    vocabulary names.
    """
    colour = colour_wanted(color)
    if word in CODES:
        print(code_page(word, CODES[word], colour))
        return CLEAN
    here = pack_around() if not packs else None
    shipped = [[id] for id in shipped_packs(BUILTIN)]
    groups = [list(packs)] if packs else [[here], *shipped] if here else shipped
    games = compiled(groups)
    texts = texts_of(games, card)
    found = matching(word, texts)
    if not found:
        pages = pages_of(word, games, texts)
        print("\n\n".join(f"{paint(pack, 'bold', on=colour)}: {page}" for pack, page in pages))
        return CLEAN
    heads = {id: paint(safe_text(id), "bold", on=colour) for id in found}
    print("\n\n".join(f"{head}\n{safe_lines(texts[id])}" for id, head in heads.items()))
    return CLEAN


def compiled(groups: Sequence[Sequence[str]]) -> list[tuple[Content, Program]]:
    """The games without mistakes; the packs of a group are compiled together."""
    games = []
    for group in groups:
        result = compile_paths(group, texts=True, reasons=False, scenarios=False)
        if result.program is not None and result.content is not None:
            games.append((result.content, result.program))
    if not games:
        message = f"{groups[0][0]} has mistakes, so there is no text yet"
        raise WrongUse(message, f"ruleloom check {groups[0][0]}")
    return games


def texts_of(games: Sequence[tuple[Content, Program]], card: bool = False) -> dict[str, str]:
    """The text of every item, by id, in full or as a `card` would print it."""
    texts: dict[str, str] = {}
    for content, program in games:
        generated = dict(program.cards if card else program.texts)
        for item in content.items:
            texts.setdefault(item.id, generated.get(item.id) or as_written(item))
    return texts


def pages_of(
    word: str, games: Sequence[tuple[Content, Program]], texts: Mapping[str, str]
) -> list[tuple[str, str]]:
    """What a word of a vocabulary is, each page with the game; WrongUse where it is none."""
    known = [(content.game, WordPages(content, program)) for content, program in games]
    found = [(game, safe_lines(page)) for game, pages in known for page in pages.of(word)]
    if not found:
        words = sorted({one for _, pages in known for one in pages.words})
        message = f"`{word}` is no diagnostic code, no item and no word of a vocabulary"
        raise WrongUse(message, suggestion(word, texts, words))
    return found


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


def suggestion(word: str, texts: Mapping[str, str], words: Sequence[str]) -> str:
    """The help for a word that is nothing known."""
    names = {id.rpartition("/")[2] for id in texts}
    close = nearest(word, [*CODES, *sorted(names), *words, *texts])
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
