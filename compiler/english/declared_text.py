"""Renders items without an effect: rules, measures, tables, and what is only printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause_tree import (
    NounTree,
    NumberTree,
    RuleTree,
    TestTree,
    Told,
    tree_of,
)
from ruleloom.compiler.english.page import (
    Teller,
    rename,
)
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL

# ---------------------------------------------------------------------------- items without effects


LIFTED = " This rule can be lifted."
"""The note of a rule that cards may lift."""


def _sheet_text(item: Item) -> str:
    """`Printed about a ship: Masts, Crew and Cargo.` Titles with holes are left out."""
    titles = [str(section.get("title") or "") for section in item.data("sections") or []]
    parts = word.listed([title for title in titles if title and "{" not in title])
    english = f" about {item.data('english')}" if "english" in item.fields else ""
    return word.sentence(f"Printed{english}: {parts}" if parts else f"What is printed{english}")


PRINTED: Mapping[str, Callable[[Item], str]] = {
    "sheet": _sheet_text,
    "layout": lambda item: word.sentence(f"How {item.data('english') or 'a card'} is printed"),
    "picture": lambda item: word.sentence(f"The picture of {item.data('of')}"),
    "translation": lambda item: word.sentence(f"Texts of {item.data('of')} in another language"),
}
"""The texts of what is only printed."""


def _case_by_case(teller: Teller, head: str, meaning: Expr) -> str:
    """What must be so in each case: `If it rains: there is room. Otherwise: ...`"""
    cases, lead = [f"{head} if this is so"], "if"
    while meaning[0] == "if":
        cases.append(f"{lead} {teller.stated(meaning[1])}: {teller.stated(meaning[2])}")
        meaning, lead = meaning[3], "otherwise, if"
    return " ".join(map(word.sentence, (*cases, f"otherwise: {teller.stated(meaning)}")))


def function_text(item: Item, callee: Signature, teller: Teller) -> str:
    """A rule or measure, with its condition or value."""
    node = teller.glossary.meaning(callee)
    rename(callee, teller)
    english = callee.english or word.spaced(callee.name)
    if HOLE.fullmatch(english):
        english = f"the {word.spaced(callee.name)} of {english}"  # its English is its owner alone
    head = teller.introduced(callee, english)
    if node is None:
        return word.sentence(head)
    meaning = teller.read(node)
    if callee.result != BOOL:
        act, value = tree_of(head), NounTree(teller.speaker, meaning)
        said = word.sentence(f"{head}: {teller.noun(meaning)}")
        return Told.of(said, act and NumberTree(act, value))
    if meaning[0] == "value":
        always = "always" if meaning[1] else "never"
        said = f"{word.sentence(head)} Under the present settings this is {always} so."
        said = _rule(said, head, item, None, meaning[1] is True)
    elif meaning[0] == "if":
        said = _case_by_case(teller, head, meaning)
    else:
        stated, itself = teller.stated(meaning), teller.filled(english, teller.names)
        # If its English already states its whole meaning, its name is the head.
        alone = f"{word.spaced(callee.name)}: {itself}"
        said = word.sentence(alone if stated == itself else f"{head} if {stated}")
        if stated != itself:
            said = _rule(said, head, item, TestTree(teller.speaker, meaning), True)
    if item.kind != "rule":
        return said
    return Told.of(f"{said}{LIFTED}", tree_of(said))


def _rule(said: str, head: str, item: Item, test: TestTree | None, truth: bool) -> str:
    """The words of a rule, with their tree."""
    act = tree_of(head)
    return Told.of(said, act and RuleTree(act, test, truth, item.kind == "rule"))


_ROMAN = re.compile("[ivx]+|[IVX]+")


def table_rows(item: Item) -> list[str]:
    """The rows of a table as sentences, one per line."""
    rows = [(_as_printed(key), node) for key, node in item.fields["rows"].entries.items()]
    if "otherwise" in item.fields:
        rows.append(("any other", item.fields["otherwise"]))
    written = str if item.data("gives") == "Text" else _as_printed
    sort = f"{word.capital(word.spaced(str(item.data('by'))))} "
    return [
        word.sentence(
            f"{sort if _ROMAN.fullmatch(key) else ''}{key}: "
            f"{written(word.constant(node.value)) or 'nothing'}"
        )
        for key, node in rows
    ]


def _as_printed(written: str) -> str:
    """An id in words; unchanged if it contains a number, in brackets if negative."""
    if written.startswith("-"):
        return f"({written})"
    as_it_is = _ROMAN.fullmatch(written) or any(sign.isdecimal() for sign in written)
    return written if as_it_is else word.spaced(written)
