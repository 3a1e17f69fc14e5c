"""The generated rules of all items, without their fields, their authors' words and their patches."""

from __future__ import annotations

from collections.abc import Mapping

from ruleloom.compiler.build import names_and_effects
from ruleloom.compiler.english.rules_text import Book
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import SHARED


def rules_of(content: Content) -> Mapping[str, str]:
    """The rules of each item that has any, by its id."""
    book = Book(content, *names_and_effects(content, SHARED.builds))
    found = ((item.id, book.rules(item)) for item in content.items)
    return {id: rules for id, rules in found if rules}
