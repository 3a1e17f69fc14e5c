"""Faults in effect text: names, choices, types, units, arguments.

Where a mistake is: a name at its first character; a value of a wrong type or unit at its first
character (of a comparison, whose sides are equals, at its left side); an argument too many at that
argument, one too few at the name of what is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TypeGuard

from benchmarks.edits.shipped import Shipped, Spot, Text, spots
from benchmarks.edits.sites import INVENTED, Site, as_slip, in_text, misspelt, of_node
from benchmarks.edits.text_names import Callee, Names, asked_types, patterns
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Keyword, Modify

TRUTHS = {True: ("true", "True", "on", "TRUE"), False: ("false", "False", "off", "FALSE")}


def _spots(pack: Shipped) -> Iterator[tuple[Text, Spot]]:
    for text in pack.texts:
        for spot in spots(text.tree):
            yield text, spot


def _wrong_name(pack: Shipped, name: str, rng: Random) -> str | None:
    return rng.choice(
        [misspelt(name, pack.words, rng), misspelt(name, pack.words, rng), rng.choice(INVENTED)]
    )


# ---------------------------------------------------------------------------------- names


def misspelt_labels(pack: Shipped, rng: Random) -> Iterator[Site]:
    """The name of an argument, or a word of the language, with one letter wrong. The mistake: that
    word."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, ast.Arg) and spot.node.label is not None:
            start = spot.node.span[0]
            wrong = misspelt(spot.node.label, pack.words, rng)
            if wrong is not None:
                yield as_slip(in_text(text, (start, start + len(spot.node.label)), wrong))


def dangling_names(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A power, rule, operation, measure, zone, setting, type or event that does not exist."""
    names = Names.of(pack)
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.TypeName):
            word = node.name
            wrong = misspelt(word, pack.words, rng)
            start = node.span[1] - len(word) - node.optional
            if wrong is not None:
                site = in_text(text, (start, start + len(word)), wrong, node.span[0] - start)
                yield as_slip(site)
            continue
        if not isinstance(node, ast.Name) or not _is_reference(spot, names):
            continue
        wrong = _wrong_name(pack, node.id, rng)
        if wrong is not None:
            yield replace(in_text(text, node.span, wrong), slip=wrong not in INVENTED)


def _is_reference(spot: Spot, names: Names) -> bool:
    """Does this name stand for something that is declared as an item or in the vocabulary?"""
    if isinstance(spot.parent, ast.UseStmt | ast.Allowed | ast.IgnoringStmt) and spot.field in (
        "power",
        "rule",
        "rules",
    ):
        return True
    if isinstance(spot.parent, ast.CallExpr) and spot.field == "name":
        return spot.node.id in names.callees or spot.node.id in names.zones
    known = (
        spot.node.id in names.things
        or spot.node.id in names.sorts
        or spot.node.id in names.entities
    )
    return known and not names.declares(spot) and not isinstance(spot.parent, Modify | Keyword)


def misspelt_variables(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A variable with a letter wrong, where it is read or set, or in a hole of a template.

    Where a name is first given, as by `let` or in the pattern of an event, any name will do.
    """
    names = Names.of(pack)
    for text, spot in _spots(pack):
        node = spot.node
        if not isinstance(node, ast.Name) or names.declares(spot) or names.is_global(node.id):
            continue
        if (
            isinstance(spot.parent, ast.CallExpr)
            and spot.field == "name"
            and node.id in names.callees
        ):
            continue
        if (
            isinstance(spot.parent, ast.UseStmt | ast.Allowed | ast.IgnoringStmt)
            and spot.field != "args"
        ):
            continue
        if text.form == "event" or node.span in patterns(text):
            continue
        wrong = misspelt(node.id, pack.words, rng)
        if wrong is not None:
            yield as_slip(in_text(text, node.span, wrong))
    yield from _holes(pack, rng)


def _holes(pack: Shipped, rng: Random) -> Iterator[Site]:
    for file, item in pack.items():
        for key, node in _templates(item.kind, item.node):
            raw = node.raw
            at = raw.find("{")
            if node.style == '"' and at >= 0:
                end = raw.index("}", at)
                wrong = misspelt(raw[at + 1 : end], pack.words, rng)
                if wrong is not None:
                    new = raw[:at] + "{" + wrong + raw[end:]
                    site = of_node(file, f"{item.kind}.{key}", node, new)
                    says = f"`{raw[at : end + 1]}` became `{{{wrong}}}`"
                    yield Site(file, site.group, site.edits, node.start + at, says)


def _templates(kind: str, node):  # type: ignore[no-untyped-def]
    if kind in ("rule", "measure", "stat", "table", "requirement"):
        yield "english", node.entries["english"]
    if kind == "keyword":
        yield "gloss", node.entries["gloss"]
    if kind == "vocabulary":
        for part in ("queries", "operations"):
            declared = node.get(part)
            for one in declared.entries.values() if declared is not None else ():
                for key in ("english", "log"):
                    if key in one.entries:
                        yield key, one.entries[key]


def wrong_options(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A value of an enum or an option of a switch: misspelt, or one of another enum or switch."""
    names = Names.of(pack)
    for text, spot in _spots(pack):
        if not isinstance(spot.node, ast.Name) or spot.node.id not in names.options:
            continue
        others = [one for one, home in names.options.items() if home != names.options[spot.node.id]]
        others = [one for one in others if one.isidentifier()]
        wrong = rng.choice([misspelt(spot.node.id, pack.words, rng), rng.choice(sorted(others))])
        if wrong is not None:
            yield replace(in_text(text, spot.node.span, wrong), slip=wrong not in others)


def foreign_truths(pack: Shipped, rng: Random) -> Iterator[Site]:
    """`true` or `off` where effect text says `yes` and `no`. The mistake: that word."""
    for text, spot in _spots(pack):
        if isinstance(spot.node, ast.BoolLiteral):
            yield in_text(text, spot.node.span, rng.choice(TRUTHS[spot.node.value]))


# ---------------------------------------------------------------------------------- types and units


def wrong_types(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A literal of another sort where the type of a value is fixed. The mistake: the value."""
    for text, node, type_ in asked_types(pack):
        literals = {
            "Int": ('"two"', "yes", "[1, 2]"),
            "Number": ('"two"', "yes", "[1, 2]"),
            "Fraction": ('"half"', "yes", "[1]"),
            "Text": ("3", "yes", "[1]"),
            "Bool": ("3", "[1]"),
            "List": ("3", "yes", '"all"'),
        }.get(type_, ("3", '"here"', "yes"))
        new = rng.choice(literals)
        if text.words(node) != new:
            yield in_text(text, node.span, new)


def wrong_units(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A value of the wrong sort of thing: a player for a piece, a piece for its size, a space for a
    card.

    A field that holds the same sort of thing as has it is left out: `waits_for(who)` and `who` are
    both people. The mistake: the value; of a comparison, its left side.
    """
    names = Names.of(pack)
    for text, node, type_ in asked_types(pack):
        words = text.words(node)
        if "\n" in words:
            continue
        options = {
            "Piece": ["me", f"owner({words})", f"pips({words})"],
            "Space": ["me", "hand_limit"],
            "Player": ["1"],
            "Card": [f"number({words})", "me"],
            "Facing": ["me"],
            "Int": ["me"],
            "List": ["me", "hand_limit"],
        }.get(type_, [])
        options = [one for one in options if _speaks_of(pack, one)] or _fields_of(
            names, type_, words
        )
        if _reads_field(node, names) and len(node.args) == 1:
            options = [text.words(node.args[0].value)]
        if options:
            yield in_text(text, node.span, rng.choice(options))
    for text, spot in _spots(pack):
        if isinstance(spot.node, ast.Binary) and spot.node.op in ("=", "!="):
            left = spot.node.left
            if _reads_field(left, names):
                yield in_text(text, left.span, text.words(left.args[0].value))


def _reads_field(node: ast.SyntaxNode, names: Names) -> TypeGuard[ast.CallExpr]:
    """Is this a field of a thing, and of another sort than the thing?"""
    if not isinstance(node, ast.CallExpr) or node.name.id not in names.fields or not node.args:
        return False
    return not names.passes_on(node.name.id)


def _speaks_of(pack: Shipped, words: str) -> bool:
    """Does the game know the name that these words begin with? `me` is asked of games that are
    played only."""
    name = words.partition("(")[0]
    return name in (*Names.of(pack).callees, *Names.of(pack).things) or (
        name == "me" and bool(pack.declared("zones"))
    )


def _fields_of(names: Names, type_: str, words: str) -> list[str]:
    """What is printed on a thing, in the place of the thing."""
    found = [name for name, entity in names.fields.items() if entity == type_ != ""]
    found = [name for name in found if type_ not in names.field_types.get(name, ())]
    return [f"{name}({words})" for name in found if len(names.callees[name].params) == 1]


# ---------------------------------------------------------------------------------- arguments


def wrong_arity(pack: Shipped, rng: Random) -> Iterator[Site]:
    """One argument more (the mistake: that argument) or fewer (the mistake: the name of what is
    called)."""
    names = Names.of(pack)
    for text, spot in _spots(pack):
        node = spot.node
        if isinstance(node, ast.CallExpr):
            name, args, callee = node.name, node.args, names.callees.get(node.name.id)
            if text.form == "event":
                callee = Callee(tuple("x" for _ in args), 0)
        elif isinstance(node, ast.UseStmt) and node.args:
            name, args, callee = node.power, node.args, names.powers.get(node.power.id)
        elif isinstance(node, Keyword):
            name, args, callee = node.name, node.args, names.keywords.get(node.name.id)
        elif isinstance(node, ast.Allowed):
            name, args, callee = node.rule, node.args, names.callees.get(node.rule.id)
        else:
            continue
        if callee is None:
            continue
        yield from _arity(text, name, args, callee, rng)


def _arity(
    text: Text, name: ast.Name, args: tuple[ast.Arg, ...], callee: Callee, rng: Random
) -> Iterator[Site]:
    words = [text.words(arg) for arg in args]
    if len(args) == len(callee.params) and args:
        extra = rng.choice(["1", "yes"]) if text.form != "event" else "another"
        end = args[-1].span[1]
        yield in_text(
            text, (end, end), f", {extra}", 2, f"`{extra}` as one more argument of `{name.id}`"
        )
    if args and text.form != "event" and len(args) <= callee.needed:
        start, end = args[0].span[0], args[-1].span[1]
        gone = rng.randrange(len(args))
        if args[gone].label is None and gone < len(args) - 1:
            gone = len(args) - 1
        if "\n" in text.text[start:end]:
            return
        new = ", ".join(words[:gone] + words[gone + 1 :])
        site = in_text(text, (start, end), new)
        says = f"`{name.id}` without `{words[gone]}`"
        yield Site(text.file, site.group, site.edits, text.at(name.span[0]), says)
