"""Shared parts of declarations: claiming names, resolving types, filling the holes of English.

A name has one meaning within a table. `{space}` in a template is a hole for the parameter of that name,
`{space_limit}` for a setting; `{space? onto {space}}` is included if a space is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean, nearest, quoted_list
from ruleloom.compiler.packs.content import slug_of
from ruleloom.compiler.resolve.embedded import Meaning, Passage
from ruleloom.compiler.resolve.symbols import STAT, TAG_TYPE, ParamSymbol, Signature, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import RESERVED
from ruleloom.compiler.types import UNKNOWN, is_unknown, read_type
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import OptionalPart, optional_parts
from ruleloom.runtime.program.values import BOOL, INT, TEXT, Type

# The tables of names that effect texts use; names of enums and kinds of items are not restricted.
SPOKEN = ("value", "call", "operation", "power")
_BEGUN = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\?")
_DICE = re.compile(r"\{(\w+)\}d\{(\w+)\}")
HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?::[a-z_]+)?\}")


def claim(symbols: Symbols, report: Report, table: str, name: str, place: Place) -> bool:
    """Claim a name in a table; False, after an error, if it is taken or reserved."""
    first = symbols.places.get((table, name))
    if first is not None:
        # A vocabulary is read before all other items, so a pack's additions to it may come first.
        late = symbols.belonging.is_later(first, place)
        wrong, right = (first, place) if late else (place, first)
        told, message, help = "the first one", f"`{name}` already means something", "another name"
        if symbols.belonging.are_strangers(right, wrong):
            packs = [symbols.belonging.pack(one) for one in (right, wrong)]
            told, message = (
                f"that of `{packs[0]}`",
                f"{quoted_list(packs)} both call something `{name}`",
            )
            own = f"{slug_of(packs[1])}_{name}"
            if table == "type":  # `LongRoadMood` of `long-road`
                own = f"{packs[1].title().replace('-', '')}{name}"
            help = f"another name, such as `{own}`"
            if table == "menu":
                help = (
                    f"{help}, which a third pack gives it by a patch of this text and of its ways"
                )
        report.error("name-clash", wrong, message, help, (Note(right, told),))
        # A text that uses the name may mean either, so neither is reported as unused.
        symbols.used.add(name)
        if late:
            symbols.forget(name)
            symbols.places[table, name] = place
        return late
    symbols.places[table, name] = place
    if table in SPOKEN and refuse_reserved(name, place, report):
        symbols.used.add(name)
        return False
    return True


def refuse_reserved(name: str, place: Place, report: Report) -> bool:
    """Whether a name is a word of the effect language; reports it."""
    is_reserved = name in RESERVED or name == "players"
    if is_reserved:
        message = f"`{name}` is a word of the effect language"
        report.error("reserved-name", place, message, "another name")
    return is_reserved


def type_in(symbols: Symbols, report: Report, node: YamlNode | None) -> Type:
    """The type at a node; UNKNOWN after an error."""
    if node is None or node.text is None:
        return UNKNOWN
    type_ = read_type(node.text)
    if type_ is None:
        message = f"`{node.text}` is not written like a type"
        report.error("unknown-type", node.place, message, "`Int`, `Piece?` or `List of Piece`")
        return UNKNOWN
    return known_type(symbols, report, type_, node.place, node.text)


def known_type(symbols: Symbols, report: Report, type_: Type, place: Place, written: str) -> Type:
    """The type if its name is known; UNKNOWN after an error."""
    if symbols.is_type_name(type_.name):
        return type_
    close = nearest(type_.name, symbols.type_names(), 1)
    help: str | None = None
    if close:
        help = Suggestion(written, written.replace(type_.name, close[0]))
    elif called := [one for one, (noun, _) in symbols.nouns.items() if noun == type_.name.lower()]:
        help = Suggestion(written, written.replace(type_.name, called[0]))
    elif type_.name == TAG_TYPE:
        help = "an item of the kind `tag`, which makes it the type of all tags"
    if not symbols.poisoned.may_declare(type_.name):
        report.error("unknown-type", place, f"there is no type `{type_.name}`", help)
    return UNKNOWN


def written_type(symbols: Symbols, report: Report, passage: Passage, written: ast.TypeName) -> Type:
    """The type in `takes:` or `gives:`."""
    start, end = written.span
    plain = Type(written.name, written.many, written.optional, written.by_player)
    table = "enum" if written.name in symbols.enums else "type"
    if symbols.uses.on and written.name in symbols.types:
        first = passage.text.index(written.name, start)
        span = first, first + len(written.name)
        symbols.uses.note(passage, span, Meaning(table, written.name), "type")
    type_ = Type.parse(str(plain)) if written.name == "Dice" and not written.many else plain
    return known_type(symbols, report, type_, passage.place(written.span), passage.text[start:end])


def names_in(text: str) -> set[str]:
    """The names in the holes and parts of a template."""
    return {*HOLE.findall(text), *(part.name for part in optional_parts(text))}


def check_holes(
    node: YamlNode | None,
    symbols: Symbols,
    report: Report,
    params: Sequence[ParamSymbol] = (),
    also: Collection[str] = (),
    *,
    asks: bool = False,
) -> None:
    """Report unknown holes, and optional parts without a condition.

    `asks`: the template is the English of a question, which is filled in play.
    """
    if node is None or node.text is None:
        return
    own = {*(one.name for one in params), *also}
    for hole in HOLE.finditer(node.text):
        name = hole[1]
        if not (name in own or _is_known(name, symbols, asks)):
            help = hole_help(name, {*own, *symbols.scope, *symbols.settings})
            message = f"nothing fills the hole `{hole[0]}`"
            report.error("unknown-name", hole_place(node, hole), message, help)
    _check_parts(node, {one.name: one for one in params}, asks, report)


def _is_known(name: str, symbols: Symbols, asks: bool) -> bool:
    """Whether a variable or setting of the game, or in a question a limit, may fill a hole."""
    known = name in symbols.scope or name in symbols.settings
    known = known or (asks and symbols.values.get(name) == STAT)
    return known or symbols.poisoned.may_declare(name)


def _check_parts(
    node: YamlNode, params: Mapping[str, ParamSymbol], asks: bool, report: Report
) -> None:
    """Report an optional part that is constant or malformed."""
    text = node.text or ""
    whole = {part.start: part for part in optional_parts(text)}
    for begun in _BEGUN.finditer(text):
        name, part = begun[1], whole.get(begun.start())
        param = params.get(name)
        place = hole_place(node, begun)
        if part is None:
            message = f"the part `{begun[0]} ...` has no end, or has a part of its own"
            report.error("odd-part", place, message, f"`{{{name}? with {{{name}}} | without}}`")
        elif param is None:
            help = did_you_mean(name, params)
            report.error(
                "unknown-name", place, f"nothing decides on the part `{begun[0]} ...`", help
            )
        elif not _can_lack(param, asks):
            message = f"`{name}` is always given, so this part is always read"
            report.error("odd-part", place, message, "write it without braces")
        elif asks and HOLE.search(f"{part.given}{part.otherwise}"):
            message = "in the words of a question, such a part is plain text"
            report.error("odd-part", place, message, "put the hole outside of it")


def _can_lack(param: ParamSymbol, asks: bool) -> bool:
    """Whether it can be no, none, 0, empty, or its default; in questions, no or none."""
    if param.type == BOOL or param.type.optional or is_unknown(param.type):
        return True
    return not asks and (param.type == INT or param.type.many or param.default is not None)


def hole_place(node: YamlNode, hole: re.Match[str]) -> Place:
    """The place of a hole of the template at `node`; the whole node if YAML has rewritten the text."""
    start = node.start + (node.style is not None)
    text = node.text or ""
    if node.style in ("|", ">") or not node.source.text.startswith(text, start):
        return node.place
    return node.source.place(start + hole.start(), start + hole.end())


def hole_help(name: str, known: Collection[str]) -> str | None:
    """The help for an unknown hole: the nearest name."""
    meant = nearest(name, known, 1)
    return Suggestion(f"{{{name}}}", f"{{{meant[0]}}}") if meant else None


def template(symbols: Symbols, text: str, values: Mapping[str, tuple[Expr, str]]) -> Template:
    """A template with its holes filled by expressions; an unknown hole stays as written."""
    found: list[str | tuple[Expr, str]] = []
    end = 0
    for part in optional_parts(text):
        plain = text[end : part.start]
        found += _filled(symbols, plain.removesuffix(" "), values)
        found.append(decided_later(part, *values[part.name], gap=plain[-1:] == " "))
        end = part.end
    return (*found, *_filled(symbols, text[end:], values))


def decided_later(part: OptionalPart, value: Expr, type_: str, gap: bool) -> tuple[Expr, str]:
    """The hole for an optional part whose condition is evaluated in play, with the gap before it."""
    test: Expr = value if type_ == str(BOOL) else ("not", ("is_none", value))
    before = " " if gap else ""
    texts = (before + one if one else "" for one in (part.given, part.otherwise))
    return ("if", test, *(("value", one) for one in texts)), str(TEXT)


def _filled(
    symbols: Symbols, text: str, values: Mapping[str, tuple[Expr, str]]
) -> list[str | tuple[Expr, str]]:
    parts: list[str | tuple[Expr, str]] = []
    end = 0
    for hole in HOLE.finditer(text):
        value, name = values.get(hole[1]), hole[1]
        if value is None and name in symbols.settings:
            value = ("setting", name), str(symbols.settings[name].type)
        elif value is None and name in symbols.scope:
            value = ("scope", name), str(symbols.scope[name].type)
        if value is None:
            continue
        if hole.start() > end:
            parts.append(text[end : hole.start()])
        parts.append(value)
        end = hole.end()
    if end < len(text):
        parts.append(text[end:])
    return parts


def with_dice(text: str, args: Mapping[str, Expr], new: Collection[int] = ()) -> str:
    """`{many}d{faces}` in readable form: dice with one side are points; unknown numbers, those of slots
    in `new` included, give "some dice".
    """

    def is_open(value: Expr) -> bool:
        if value[0] == "value":  # a letter is a number, words are unknown
            return isinstance(value[-1], str) and not value[-1].isupper()
        return value[1:2] in news

    news = [(slot,) for slot in new]

    def worded(found: re.Match[str]) -> str:
        many, faces = (args.get(name, ("",)) for name in found.groups())
        if faces == ("value", 1):
            return f"{{{found[1]}}}"
        if many[0] in ("slot", "value") and is_open(many) and is_open(faces):
            return f"some dice{' of' if text.startswith(' {', found.end()) else ''}"
        if many[0] == faces[0] == "value":
            return found[0]
        dice = "{%s} dice" if many[0] == "value" else "as many dice as {%s}"
        sides = "each of {%s} sides" if faces[0] == "value" else "each with as many sides as {%s}"
        return f"{dice % found[1]}, {sides % found[2]}"

    return _DICE.sub(worded, text)


def signature_template(symbols: Symbols, callee: Signature, args: tuple[Expr, ...]) -> Template:
    """The English of a callee, with these arguments in its holes."""
    pairs = zip(callee.params, args, strict=False)
    values = {param.name: (arg, str(param.type)) for param, arg in pairs}
    return template(symbols, callee.english, values)
