"""What a field holds, for somebody who fills it in: the help of its schema without what is only for whoever
writes it in a file, and what the vocabulary says of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruleloom.compiler.analysis.yaml_cursor import FieldHelp
from ruleloom.compiler.resolve.symbols import EntitySymbol

CLAUSE_END = re.compile(r"(?<=[.;:])\s+")
WORD_IN_CODE = re.compile(r"`([A-Za-z]+)`")
QUOTED = re.compile(r"`[^`]*`")
IDS = re.compile(r"\b(?:the )?ids? of (?:the )?", re.IGNORECASE)
CODE = re.compile(r"[`{}]|\w_\w")


def plain_help(about: FieldHelp) -> str:
    """The help of a field without its clauses about ids, code and YAML."""
    words = WORD_IN_CODE.sub(lambda one: one[1] if one[1] in about.values else one[0], about.help)
    written = CLAUSE_END.split(QUOTED.sub("`", words))
    clauses = [IDS.sub("", one) for one in written if not CODE.search(one)]
    text = " ".join(clauses).rstrip(" ;:.,")
    return f"{text[0].upper()}{text[1:]}." if text else ""


def entry_help(fields: Sequence[FieldHelp]) -> str:
    """What an entry of a list says, and what it may say."""
    needed, more = ([name_of(one) for one in fields if one.needed is so] for so in (True, False))
    both = ("To be said of each", needed), ("If you like", more)
    return " ".join(f"{lead}: {', '.join(names)}." for lead, names in both if names)


def things_help(entity: EntitySymbol, many: bool) -> str:
    """Which things a field may name."""
    return f"{'Any' if many else 'One'} of the {entity.plural}."


def name_of(about: FieldHelp) -> str:
    """What a field is called within a sentence."""
    words = about.title or about.name.replace("_", " ")
    return words if words[1:2].isupper() else f"{words[0].lower()}{words[1:]}"
