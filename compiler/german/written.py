"""How the German words of a translation have to be written, so that sentences can be made of them."""

from __future__ import annotations

from ruleloom.compiler.english.clause_tree import Unspoken
from ruleloom.compiler.german.verb import Clause, commanded, is_act

OWN_HOLES = ("der", "it", "zone")
"""Holes that German words have of their own: a relative pronoun, and what is put where."""


def misspelt(text: str) -> str:
    """What is wrong with German words of which sentences are made; empty if nothing is."""
    if "*" in text:
        try:
            Clause.read(text)
        except Unspoken:
            return "a clause marks its finite verb, and what closes it: `*kann* auf {spot:akk} *zielen*`"
    if is_act(text):
        try:
            commanded(text)
        except Unspoken:
            return "what is to be done stands before its verb, and behind the last: `eine Karte ab-legen!`"
    return ""
