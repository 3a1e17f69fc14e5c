"""`ruleloom explain`: a diagnostic code, the rules text of an item or of a pack, or a word of a
vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from ruleloom.api.content_error import ContentError
from ruleloom.api.ready import ready
from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.options import colour_option, option, pack_around, pack_option
from ruleloom.compiler.diagnostics.codes import Code, codes
from ruleloom.compiler.diagnostics.suggest import nearest
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.output.terminal import colour_wanted, paint, safe_lines
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.store.item_texts import NO_TEXTS, TEXTS

SUCH_AS = (
    "give a diagnostic code, such as `unknown-name`, or the id of an item, such as `major/sun`"
)


@click.command("explain")
@click.argument("word", metavar="CODE|ITEM|PACK|WORD")
@pack_option
@option("--card", "Print what a card would say, not every step.")
@colour_option
def command(word: str, packs: tuple[str, ...], card: bool, color: str) -> int:
    """Explain a diagnostic code (`unknown-name`), print the rules text of an item or of all that a
    pack adds and changes, or say what a word of effect text is.

    An ITEM is an id (`gnostica:major/sun`) or the end of one (`major/sun`, `sun`). It is looked up
    in the packs of --pack, or else in the pack that contains the current folder and in the shipped
    games. A PACK is a folder, or the id of a pack of --pack. A WORD is an operation, a query, an
    event, a field, a kind or anything else that a vocabulary names.
    """
    colour = colour_wanted(color)
    if word in codes():
        print(code_page(word, codes()[word], colour))
        return CLEAN
    is_pack = (Path(word) / "pack.yaml").is_file()
    groups, own = looked_up(word, (*packs, word) if is_pack else packs)
    texts = {} if is_pack else item_texts(groups, card, word)
    found = matching(word, texts)
    if found:
        heads = {id: paint(safe_text(id), "bold", on=colour) for id in found}
        print("\n\n".join(f"{head}\n{safe_lines(texts[id])}" for id, head in heads.items()))
        return CLEAN
    # Imported late: the compiler takes longer to load than the cache to answer.
    from ruleloom.cli.explain.word_pages import pack_page

    page = pack_page(word, groups[0], card, colour) if own else ""
    print(page or word_pages(word, groups, texts, colour))
    return CLEAN


def looked_up(word: str, packs: tuple[str, ...]) -> tuple[list[list[str]], bool]:
    """The groups of packs to search for a word, and whether the first is the user's own."""
    here = pack_around() if not packs else None
    game = word.partition(":")[0]
    shipped = [[id] for id in sorted(shipped_packs(BUILTIN), key=lambda id: id != game)]
    groups = [list(packs)] if packs else [[here], *shipped] if here else shipped
    return groups, bool(packs or here)


def word_pages(
    word: str, groups: Sequence[Sequence[str]], texts: Mapping[str, str], colour: bool
) -> str:
    """The pages of a vocabulary word. WrongUse if there is none, or if a pack has mistakes."""
    from ruleloom.cli.explain.word_pages import broken_pack, pages_of  # late, as above

    found, words = pages_of(word, groups)
    broken = broken_pack(groups[0]) if not found else ""
    if broken:
        message = f"{broken} has mistakes, so there is no text yet"
        raise WrongUse(message, f"ruleloom check {' '.join(dict.fromkeys(groups[0]))}")
    if not found:
        message = f"`{word}` is no diagnostic code, no item and no word of a vocabulary"
        names = {id.rpartition("/")[2] for id in texts}
        close = nearest(word, [*codes(), *sorted(names), *words, *texts])
        told = " or ".join(f"`{one}`" for one in close)
        raise WrongUse(message, f"did you mean {told}?" if close else SUCH_AS)
    return "\n\n".join(f"{paint(game, 'bold', on=colour)}: {page}" for game, page in found)


def item_texts(groups: Sequence[Sequence[str]], card: bool, wanted: str = "") -> dict[str, str]:
    """The text of every item, by id, in full or as for a `card`. The packs of a group are compiled together;
    groups after the one with an item of the `wanted` id are skipped."""
    texts: dict[str, str] = {}
    for group in groups:
        try:
            known = ready(TEXTS, group)
        except ContentError:
            known = NO_TEXTS
        texts = {**(known.cards if card else known.full), **texts}
        if wanted in texts:
            break
    return texts


def matching(word: str, texts: Mapping[str, str]) -> list[str]:
    """The ids that match a word: by whole id, by the part after the pack, or by name alone."""
    asked = word.lower().replace("_", "-").replace(" ", "-")
    forms = {id: _forms(id.replace("_", "-").lower()) for id in texts}
    for rank in range(3):  # whole ids come first
        found = [id for id, ranked in forms.items() if asked in ranked[rank]]
        if found:
            return sorted(found)
    return []


def _forms(id: str) -> tuple[tuple[str, ...], ...]:
    """An id whole, without its pack, and as a name alone; the name as such, without that of the pack, and
    with it."""
    pack, _, inside = id.partition(":")
    kind, _, name = inside.partition("/")
    short = name.removeprefix(f"{pack}--")
    names = name, short, f"{pack}--{short}"
    alone = tuple(f"{kind}/{one}" for one in names)
    return tuple(f"{pack}:{one}" for one in (*alone, *names)), alone, names


def code_page(word: str, code: Code, colour: bool) -> str:
    """The page of a diagnostic code."""
    # Imported late: rules texts that are kept need no templates.
    from ruleloom.output.printed import document

    return document("code.txt.j2", word=word, code=code, paint=partial(paint, on=colour)).rstrip()
