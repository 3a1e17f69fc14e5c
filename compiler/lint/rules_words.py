"""English of vocabularies and glosses that does not fit into rules texts, or is incomplete.

An operation is worded as a request (`end the scene`), so it begins with a verb or a hole. A moment
follows `when`, so it is a clause without one. Any other beginning would read "somebody thes scene
ends". A gloss has to mention the parameters with different values in uses: players read it in brackets.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.declare import HOLE, hole_place, names_in
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.compiler.yaml.node import YamlNode

# Words that can begin a statement, but not a request.
STATEMENT_WORDS = """
    a an the this that these those its their your his her our my each every all any some no one
    another other both nobody nothing somebody someone something everybody everyone everything
    nowhere there it he she they we you i who whoever what whatever which when whenever if as only
    from in on at of for to by with without is are was were am has had been does did may must can
    cannot could should would will shall not never always
"""
NO_REQUEST = frozenset(STATEMENT_WORDS.split())
# Endings in `s` of base forms, unlike `takes` and `moves`.
BASE_IN_S = re.compile(r"(?:ss|us|is|as|ous)$")
CONJUNCTIONS = {"when", "whenever", "if", "as", "once", "while", "after", "before", "until"}
FIRST_WORD = re.compile(r"[A-Za-z]+")
COUNTED = "write the word for several of them"
Given = dict[tuple[str, str], set[object]]


def odd_english(build: Build) -> None:
    """Warn about each operation that is no request, each moment that is no clause, and each unused plural."""
    warning = partial(build.report.warning, "odd-english")
    vocabularies = partial(sections, build.content)
    for name, node, _ in vocabularies("operations"):
        english = node.get("english")
        # A name of two words is an operation of a lasting effect, made by the compiler.
        if english is not None and " " not in name and (word := _odd_request(english.text or "")):
            message = f"`{name}` is said as a request, and no request begins with `{word}`"
            help = "begin with a verb, `end the scene`, or with a hole, `{who} rests`"
            warning(english.place, message, help)
    for name, node, _ in vocabularies("moments"):
        english = node.get("english")
        if english is not None and (fault := _odd_clause(english)):
            help = "write who does what, as it follows `when`: `harm comes to {whom}`"
            warning(english.place, f"`{name}` {fault}", help)
    for word, _, place in vocabularies("counted"):
        said = re.compile(rf"\b{re.escape(word)}\b")
        uses = accumulate(source.uses(said) for source in build.content.sources.values())
        if not any(count > 1 for count in uses):
            message, help = f"no text says `{word}`, so none says one of them either", COUNTED
            build.report.warning("never-read", place, message, help)


def _odd_request(text: str) -> str | None:
    """The first word of a text that is no request."""
    found = FIRST_WORD.match(text.strip())
    if found is None:
        return None
    word = found[0]
    lower = word.lower()
    third_person = len(lower) > 3 and lower.endswith("s") and not BASE_IN_S.search(lower)
    return word if lower in NO_REQUEST or third_person else None


def _odd_clause(english: YamlNode) -> str | None:
    """The reason why a text cannot follow `when`."""
    words = (english.text or "").split()
    if len(words) == 1:
        return "follows `when` in rules texts, and one word is no clause"
    if words and words[0].lower() in CONJUNCTIONS:
        return f"follows `when` in rules texts, and so does not begin with `{words[0]}` itself"
    return None


def foreign_limits(build: Build) -> None:
    """Report each hole for a stat of something that the text is not about."""
    for item in build.content.items:
        one = build.symbols.callables.get(item.slug)
        if one is None or one.id != item.id or item.pack in build.content.built_upon:
            continue
        own = [param.name for param in one.params]
        for hole in (hole for hole in HOLE.finditer(one.english) if hole[1] not in own):
            stat = build.symbols.callables.get(hole[1])
            missing = [param.name for param in stat.params] if stat is not None else []
            if not {*missing} <= {*own}:
                _report_foreign(build, item, hole, [name for name in missing if name not in own])


def _report_foreign(build: Build, item: Item, hole: re.Match[str], missing: Sequence[str]) -> None:
    place = hole_place(item.fields["english"], hole)
    message = f"`{hole[1]}` is about {quoted_list(missing)}, which `{item.slug}` does not take"
    build.report.error("unknown-name", place, message, "name the parameter alike")


def unspoken_values(build: Build) -> None:
    """Warn about each parameter with several values that the gloss has no hole for."""
    below = build.content.built_upon
    items = [item for item in build.content.by_kind("power") if item.pack not in below]
    given = _given(build) if items else {}
    for item in items:
        power = build.symbols.powers.get(item.slug)
        if power is None or power.id != item.id or _is_thing(power):
            continue
        left_out = _left_out(power, given)
        if left_out:
            message = f"uses give {quoted_list(left_out)} different values, and the gloss none"
            help = f"`{{{left_out[0]}}}` where it is to be read"
            build.report.warning("gloss-leaves-out", item.fields["gloss"].place, message, help)


def _left_out(power: Signature, given: Given) -> list[str]:
    """The parameters with several values that the gloss of a power has no hole for."""
    spoken = names_in(power.english)
    names = (one.name for one in power.params if one.name not in spoken)
    return [name for name in names if len(given[power.name, name]) > 1]


def _is_thing(power: Signature) -> bool:
    """Whether the gloss is a noun, `a Move`, which is followed by the arguments."""
    words = power.english.split()
    return words[:1] in (["a"], ["an"]) and len(words) <= 4


def _given(build: Build) -> Given:
    """The constants that uses pass to parameters, by power and name; None for a default."""
    found: Given = defaultdict(set)
    uses = (use for _, body in build.bodies.texts() for use in nodes_of(body, ast.UseStmt))
    for use in uses:
        power = build.symbols.powers.get(use.power.id)
        for name, value in _arguments(power, use) if power is not None else ():
            match value:
                case ast.NumberLiteral() | ast.BoolLiteral() | ast.TextLiteral():
                    found[use.power.id, name].add(value.value)
                case ast.DiceLiteral():
                    found[use.power.id, name].add((value.count, value.sides))
                case ast.Name(id=one) if one in build.symbols.values:
                    found[use.power.id, name].add(one)
                case None:
                    found[use.power.id, name].add(None)
    return found


def _arguments(power: Signature, use: ast.UseStmt) -> Iterator[tuple[str, ast.Expr | None]]:
    names = [one.name for one in power.params]
    left = dict.fromkeys(names)
    for name, arg in zip(names, use.args, strict=False):
        place = arg.label or name
        left.pop(place, None)
        yield place, arg.value
    yield from left.items()
