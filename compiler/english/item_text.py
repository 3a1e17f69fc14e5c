"""Items without effects, in words: settings, switches, rules, measures; events of triggers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from ruleloom.compiler.english.glossary import Glossary, parsed_text
from ruleloom.compiler.english.page import Teller
from ruleloom.compiler.english.relower import Scene
from ruleloom.compiler.english.speaker import Unsaid, Variable
from ruleloom.compiler.english.word import (
    capital,
    constant,
    listed,
    plural,
    sentence,
    spaced,
    with_article,
)
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, INT, TEXT

T = TypeVar("T")


def parsed_field(item: Item, name: str, parse: Callable[[str], T]) -> T | None:
    """The tree of the text in a field of an item, or None if there is none that can be read."""
    return parsed_text(item.data(name), parse)


def setting_text(item: Item, settings: Mapping[str, object]) -> str:
    """`How many pieces a space holds: 3.`"""
    value = settings.get(item.slug, item.data("value"))
    return sentence(f"{item.data('english') or spaced(item.slug)}: {constant(value)}")


def sheet_text(item: Item) -> str:
    """`Printed about a ship: Masts, Crew and Cargo.` A title with a hole is no title yet."""
    titles = [str(section.get("title") or "") for section in item.data("sections") or []]
    parts = listed([title for title in titles if title and "{" not in title])
    english = f" about {item.data('english')}" if "english" in item.fields else ""
    return sentence(f"Printed{english}: {parts}" if parts else f"What is printed{english}")


def switch_text(item: Item, words: Glossary, settings: Mapping[str, object]) -> str:
    """A switch in words: its subject, the option in force, and the other readings."""
    chosen = str(settings.get(item.slug, item.data("default")))
    english = item.data("english") or spaced(item.slug)
    said = sentence(f"{english}: {words.option(item.slug, chosen)}")
    options = [str(one) for one in item.data("options") or {}]
    others = [
        f"“{spaced(one)}”: {words.option(item.slug, one)}" for one in options if one != chosen
    ]
    if not others:
        return said
    head = "The other reading is" if len(others) == 1 else "The other readings are"
    return f"{said} {head} {sentence('; '.join(others))}"


def function_text(item: Item, callee: Signature, teller: Teller) -> str:
    """A rule or measure in words, with its condition or its value."""
    node = parsed_field(item, "holds" if item.kind == "rule" else "is", parse_expr)
    scene = teller.scene
    rename(callee, scene)
    english = callee.english or spaced(callee.name)
    if HOLE.fullmatch(english):
        english = f"the {spaced(callee.name)} of {english}"  # elsewhere it goes by whose it is
    head = teller.filled(english, anything(callee, scene.glossary))
    if node is None:
        return sentence(head)
    meaning = scene.read(node)
    if callee.result != BOOL:
        return sentence(f"{head}: {teller.noun(meaning)}")
    if meaning[0] == "value":
        always = "always" if meaning[1] else "never"
        said = f"{sentence(head)} Under the present settings this is {always} so."
    elif meaning[0] == "if":
        said = f"{sentence(f'{head} if this is so')} {_by_case(meaning, teller)}"
    else:
        stated = teller.stated(meaning)
        itself = teller.filled(english, scene.names)
        # Where the game's words say all that it comes to, its name tells what they are about.
        alone = f"{spaced(callee.name)}: {teller.filled(english, scene.names)}"
        said = sentence(alone if stated == itself else f"{head} if {stated}")
    return f"{said} This rule can be lifted." if item.kind == "rule" else said


def _by_case(meaning: Expr, teller: Teller) -> str:
    """What must be so in each case: `If it rains: there is room. Otherwise: ...`"""
    said, head = [], "if"
    while meaning[0] == "if":
        said.append(f"{head} {teller.stated(meaning[1])}: {teller.stated(meaning[2])}")
        meaning, head = meaning[3], "otherwise, if"
    return " ".join(sentence(one) for one in (*said, f"otherwise: {teller.stated(meaning)}"))


def table_text(item: Item, callee: Signature, teller: Teller) -> str:
    """What a table gives, in a sentence: `The price of a rating.`"""
    words = teller.scene.glossary
    keys = anything(callee, words)
    return sentence(teller.filled(callee.english or spaced(callee.name), keys))


def table_rows(item: Item) -> list[str]:
    """Each row of a table on a line of its own, as it is printed."""
    rows = [(_printed(key), node) for key, node in item.fields["rows"].entries.items()]
    if "otherwise" in item.fields:
        rows.append(("any other", item.fields["otherwise"]))
    written = str if item.data("gives") == "Text" else _printed
    found = [(key, written(constant(node.value)) or "nothing") for key, node in rows]
    sort = capital(spaced(str(item.data("by"))))
    return [
        sentence(f"{sort} {key}: {said}" if _ROMAN.fullmatch(key) else f"{key}: {said}")
        for key, said in found
    ]


_ROMAN = re.compile("[ivx]+|[IVX]+")


def _printed(written: str) -> str:
    """An id in words; what holds a number as it is written, below zero in brackets."""
    if written.startswith("-"):
        return f"({written})"
    as_it_is = _ROMAN.fullmatch(written) or any(sign.isdecimal() for sign in written)
    return written if as_it_is else spaced(written)


LETTERS = "NMKLPQRSTUV"


def lettered(callee: Signature) -> dict[str, str]:
    """A letter for each number that a text is about, in the order in which it tells of them."""
    told = dict.fromkeys((*HOLE.findall(callee.english), *_PART.findall(callee.english)))
    order = sorted(told, key=lambda name: callee.english.index(f"{{{name}"))
    numbers = {param.name for param in callee.params if param.type == INT}
    return dict(zip((name for name in order if name in numbers), LETTERS, strict=False))


_PART = re.compile(r"\{(\w+)\?")


def anything(callee: Signature, words: Glossary) -> dict[str, Expr]:
    """Words for every parameter while it can be anything: `a piece`, then `another piece`."""
    order = [*HOLE.findall(callee.english), *(one.name for one in callee.params)]
    values: dict[str, Expr] = {}
    said: set[str] = set()
    letters = lettered(callee)
    for param in sorted(callee.params, key=lambda one: order.index(one.name)):
        noun = words.noun(param.type, param.type.many)
        one = _standing_for(param, callee, noun, noun in said, words)
        number = letters.get(param.name, Unsaid.GIVEN)
        unsaid = {INT: number, BOOL: Unsaid.EITHER, TEXT: f"({spaced(param.name)})"}
        values[param.name] = ("value", unsaid.get(param.type, one))
        said |= {noun} if one.endswith(noun) else set()
    return values


def told_again(gloss: str, values: Mapping[str, Expr]) -> str:
    """A gloss in which anything that is named again is known by then: `a piece ... the piece`."""
    for name, value in values.items():
        first, hole, rest = gloss.partition(f"{{{name}}}")
        if type(value[1]) is str and value[1].startswith(("a ", "an")):
            known = re.sub(r"^(?:an? |an(?=other ))", "the ", value[1])
            gloss = first + hole + rest.replace(hole or "{}", known)
    return gloss


def _standing_for(
    param: ParamSymbol, callee: Signature, noun: str, again: bool, words: Glossary
) -> str:
    """Words for a parameter: `a piece`, `another piece`, or what fits behind an article."""
    hole, english = f"{{{param.name}}}", callee.english
    if _is_one_of_a_list(param, words):
        return with_article(spaced(param.name))
    if again:
        return f"another {noun}"
    if param.type.name in words.symbols.enums and f"{hole} {noun}" in english:
        return "given" if re.search(rf"\b(?:an?|the) {re.escape(hole)}", english) else "a given"
    behind_the = f"the {hole}" in english
    if param.type.many:
        return noun if behind_the else f"some {noun}"
    return noun if behind_the or f"}} {hole}" in english else with_article(noun)


def _is_one_of_a_list(param: ParamSymbol, words: Glossary) -> bool:
    """Is a parameter called after a list of the game, as a guest is one of `your guests`?"""
    its_list = words.symbols.scope.get(plural(param.name))
    return its_list is not None and its_list.type == replace(param.type, many=True)


def rename(callee: Signature, scene: Scene) -> None:
    """Call each parameter after what it is, where it is the only one of its kind: `the space`."""
    types = [param.type.present for param in callee.params]
    for param in callee.params:
        known = scene.names.get(param.name)
        alone = types.count(param.type.present) == 1 and param.type not in (INT, BOOL)
        if _is_one_of_a_list(param, scene.glossary):
            continue
        if known is not None and known[0] == "slot" and alone:
            noun = scene.glossary.noun(param.type, param.type.many)
            scene.variables[known[1]] = Variable(noun, param.type)
