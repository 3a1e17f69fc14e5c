"""Faults in `abilities:`: keywords, stats, and what may stand behind `modify`.

Where a mistake is: the name of the keyword or stat; the word that `modify` does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from benchmarks.edits.shipped import Shipped, Spot, Text, spots
from benchmarks.edits.sites import INVENTED, Site, in_text, misspelt
from benchmarks.edits.text_names import Names
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Keyword, Modify

# What `modify` says, and what somebody would write who remembers another language.
CLAUSES = {
    "by": ("with", "plus", "bye"),
    "to": ("as_much_as", "into", "equals"),
    "times": ("multiplied", "time", "timse"),
    "type": ("kind", "tpye", "sort"),
    "where": ("when", "if", "wehre"),
    "as": ("because", "named", "since"),
}
CLAUSE = re.compile(r"(?<=[)\w\"] )(by|to|times|type|where|as)(?= )")


def _spots(pack: Shipped) -> Iterator[tuple[Text, Spot]]:
    for text in pack.texts:
        if text.form == "abilities":
            for spot in spots(text.tree):
                yield text, spot


def _wrong(pack: Shipped, text: Text, name: ast.Name, rng: Random) -> Iterator[Site]:
    slip = misspelt(name.id, pack.words, rng)
    wrong = rng.choice([slip, slip, rng.choice(INVENTED)])
    if wrong is not None:
        yield replace(in_text(text, name.span, wrong), slip=wrong == slip)


def misspelt_keywords(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A keyword that does not exist. The mistake: its name."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, Keyword):
            yield from _wrong(pack, text, spot.node.name, rng)


def misspelt_stats(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A stat that does not exist, behind `modify` or as a value of a keyword. The mistake: its
    name."""
    names = Names.of(pack)
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, Modify) and _is_stat(names, node.stat):
            yield from _wrong(pack, text, node.stat, rng)
        elif (
            isinstance(spot.parent, ast.Arg)
            and isinstance(node, ast.Name)
            and _is_stat(names, node)
        ):
            yield from _wrong(pack, text, node, rng)


def _is_stat(names: Names, node: ast.Name) -> bool:
    return names.sorts.get(node.id) == "stat"


def unknown_clauses(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A word behind `modify` that it does not know. The mistake: that word."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, Modify):
            words = text.words(spot.node)
            for found in CLAUSE.finditer(words):
                at = spot.node.span[0] + found.start()
                wrong = rng.choice(CLAUSES[found[1]])
                yield in_text(text, (at, at + len(found[1])), wrong)
