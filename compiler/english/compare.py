"""Compares an author's text with the one made from the effect: numbers only the author has.

A card whose text says "three times" while its effect repeats two is the commonest slip of all.
"""

from __future__ import annotations

import re

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.english.rules_text import Book, Effects
from ruleloom.compiler.english.word import numbers_in, repetitions_in
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols


def compare_texts(content: Content, symbols: Symbols, report: Report, effects: Effects) -> None:
    """Warn about every number in the `text` of an item that its effect does not know."""
    printed = [item for item in content.items if "text" in item.fields and "effect" in item.fields]
    if not printed:
        return
    book = Book(content, symbols, effects)
    for item in printed:
        missing = missing_numbers(item, book)
        if missing:
            numbers = " and ".join(map(str, missing))
            message = f"the text says {numbers}, and the effect of `{item.name}` does not"
            help = f"the effect reads: {book.brief(item)}"
            report.warning("text-differs", item.fields["text"].place, message, help)


def missing_numbers(item: Item, book: Book) -> list[int]:
    """The numbers in the printed text of an item that the generated one lacks."""
    printed = item.data("text")
    if not isinstance(printed, str):
        return []
    # Repetitions stand in the paragraph, other numbers perhaps in the powers used; both texts are
    # expensive, so neither is made without need.
    # The effect itself has numbers too, such as an argument of a power: `use heal(target, 8)`.
    effect = re.sub(r"#.*", "", str(item.data("effect")))
    written = {int(number) for number in re.findall(r"\b\d+\b", effect)}
    often, numbers = repetitions_in(printed), numbers_in(printed) - written
    if often:
        often -= repetitions_in(book.brief(item))
    if numbers:
        numbers -= numbers_in(book.rules(item))
    return sorted(often | numbers)
