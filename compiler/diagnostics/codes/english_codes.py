"""The codes of English: where what an author printed and what an effect does part ways."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code
from ruleloom.compiler.diagnostics.codes.example_game import fruit


def _printed(text: str, *lines: str) -> str:
    """Return a fruit with a text of its own beside its effect."""
    return fruit(*lines).replace("effect: |", f"text: {text}\neffect: |")


TABLE: dict[str, Code] = {
    "text-differs": Code(
        "the printed text has a number that the effect has not",
        "The rules text made from the effect is held against the text the author wrote. Words may differ, "
        "but a number that occurs in the printed text alone is usually a slip in one of the two.",
        _printed("Walk up to three times.", "repeat 2 times:", '    optional "walk": use walk'),
        _printed("Walk up to two times.", "repeat 2 times:", '    optional "walk": use walk'),
        "lint",
    ),
}
