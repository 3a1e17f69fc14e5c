"""Where in an effect text somebody writes: which sort of name is due, and what is known there.

In goes a place in a YAML file; out comes an `EffectCursor`, or None where there is no effect text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruleloom.compiler.analysis.yaml_cursor import ItemLines, YamlCursor
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS
from ruleloom.compiler.packs.poison import slug_of
from ruleloom.compiler.resolve.symbols import ParamSymbol, Symbols
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import (
    BrokenOff,
    finished,
    parse_event,
    parse_params,
    read_open,
)
from ruleloom.compiler.syntax.tokens import LAYOUT, EffectSyntaxError, Tok
from ruleloom.compiler.types import UNKNOWN, read_type
from ruleloom.editor.cursor.nearness import Nearness
from ruleloom.editor.cursor.probe import HERE, KnownHere, Surroundings, probe
from ruleloom.editor.snapshot import Snapshot
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.values import BOOL, FRACTION, PLAYER, Type

# The start symbol of each form of effect text.
STARTS = {
    "block": "block",
    "abilities": "abilities",
    "expr": "one_expr",
    "params": "all_params",
    "result": "result",
    "event": "event",
    "occurrence": "occurrence",
}
# Effect text in the kinds of games, whose schemas do not mark it.
USUAL = {"effect": "block", "abilities": "abilities", "ended": "block"}
SCENARIOS = "scenarios"
CONDITIONS = frozenset({"where", "when", "holds"})
THING = re.compile(r"(?:^|[{,\s])([A-Za-z_][\w-]*):[ \n]*(?:\{[ ]*|[ \n]+)kind:[ ]*([a-z][\w-]*)")

# Which sort of name follows which token, whatever stands before that.
AFTER = {
    "USE": "power",
    "IGNORING": "rule",
    "ALLOWED": "rule",
    "RESTRICT": "rule",
    "MODIFY": "stat",
    "TYPE": "bonus",
    "PROLONG": "lasting",
    "BEGIN": "lasting",
    "END": "lasting",
    "LET": "new",
    "GIVING": "new",
    "NAMED": "new",
    "STEP": "new",
    "CHOOSE": "new",
    "ROLL": "new",
    "DRAW": "new",
    "TEXT": "new",
    "EACH": "new",
    "AS": "new",
    "RANKED": "new",
    "SET": "variable",
    "BEFORE": "hooked",
    "AFTER": "hooked",
    "ROLLED": "roll",
    "TIME": "event",
    "WHEN": "event",
}


@dataclass(frozen=True, slots=True)
class EffectCursor:
    """A place in an effect text.

    `role` is the sort of name that is due there. `tokens` stand before it; `callee` is what is being
    called there, with the number of the argument; `known` is what the checker knows.
    """

    form: str
    before: str
    word: str
    role: str
    read: BrokenOff
    callee: str
    argument: int
    known: KnownHere
    in_comment: bool
    in_text: bool
    near: Nearness

    @property
    def tokens(self) -> tuple[Tok, ...]:
        """The tokens before the place."""
        return self.read.tokens

    @property
    def accepted(self) -> frozenset[str]:
        """The kinds of token that may stand here."""
        return self.read.accepted


def form_of(schemas: SchemaStore, kind: str, fields: tuple[str, ...]) -> str:
    """The form of the effect text that a field holds; empty if it holds none."""
    known = schemas.effect_fields(kind) if kind in schemas.kinds else {}
    found = next((form for path, form in known.items() if _leads_to(path, fields)), "")
    if found:
        return found
    if fields == ("replace-effect",) or fields[-1:] == ("do",):
        return "block"
    of_item = len(fields) == 1 or fields[0:1] == ("set",) or "things" in fields
    return USUAL.get(fields[-1], "") if of_item and fields else ""


def _leads_to(path: tuple[str, ...], fields: tuple[str, ...]) -> bool:
    """Is a path, in which `*` is any step, that of some fields?"""
    return len(path) == len(fields) and all(
        want in ("*", field) for want, field in zip(path, fields, strict=True)
    )


def effect_cursor(snapshot: Snapshot, cursor: YamlCursor) -> EffectCursor | None:
    """The place in an effect text, if there is one."""
    form = form_of(snapshot.schemas, cursor.item.kind, cursor.fields)
    if not form or cursor.before is None:
        return None
    around = surroundings(snapshot, cursor)
    near = Nearness(cursor.item.text, cursor.start)
    return cursor_in(snapshot, form, cursor.before, around, near)


def cursor_in(
    snapshot: Snapshot, form: str, written: str, around: Surroundings, near: Nearness
) -> EffectCursor:
    """The place at the end of what is written of an effect text."""
    found = re.search(r"[A-Za-z_]\w*$", written)
    word = found[0] if found is not None else ""
    before = written[: len(written) - len(word)]
    line = before.rpartition("\n")[2]
    in_text, in_comment = _in_quotes(line)
    read = read_open(before, STARTS[form])
    callee, argument = _called(read.tokens)
    tree = None if in_text or in_comment else finished(read, HERE, STARTS[form])
    if tree is not None:
        known = probe(snapshot.bodies, tree, around)
    else:
        known = _known_at_line(snapshot, form, before, around)
    role = "text" if in_text else _role(read, form)
    return EffectCursor(
        form, before, word, role, read, callee, argument, known, in_comment, in_text, near
    )


def _known_at_line(snapshot: Snapshot, form: str, before: str, around: Surroundings) -> KnownHere:
    """The variables where a line begins that cannot be ended so that it means something."""
    above, newline, line = before.rpartition("\n")
    margin = line[: len(line) - len(line.lstrip(" "))]
    tree = finished(read_open(f"{above}{newline}{margin}", STARTS[form]), HERE, STARTS[form])
    if tree is None:
        return KnownHere(None, {one.name: one.type for one in around.params})
    return KnownHere(None, probe(snapshot.bodies, tree, around).variables)


def _in_quotes(line: str) -> tuple[bool, bool]:
    """Whether the end of a line lies in a text in quotes, or in a comment."""
    inside = False
    for sign in line:
        if sign == '"':
            inside = not inside
        elif sign == "#" and not inside:
            return False, True
    return inside, False


def _role(read: BrokenOff, form: str) -> str:
    """Which sort of name is due."""
    tokens, accepted = read.tokens, read.accepted
    last = tokens[-1].type if tokens else ""
    if form in ("params", "result"):
        return "type" if last in ("COLON", "OF") else "new"
    if form == "event" and not _open_bracket(tokens):
        return {"BEFORE": "hooked", "AFTER": "hooked", "ROLLED": "roll"}.get(last, "event")
    found = AFTER.get(last)
    if found is not None and _is_head(last, accepted):
        return _finer(found, tokens, accepted)
    if last == "OF" and _line_head(tokens) == "INSTEAD" and "NUMBER" not in accepted:
        return "event"
    first = next((role for kind, role in BY_ACCEPTED if kind in accepted), "")
    if first == "name":
        return _by_line(tokens, last)
    return first or "keyword"


# What a token that may come next says of the name that is due, the most telling first.
BY_ACCEPTED = (("NUMBER", "value"), ("LET", "statement"), ("MODIFY", "ability"), ("NAME", "name"))


def _is_head(last: str, accepted: frozenset[str]) -> bool:
    """Does the last token say what follows? Some words do so only where they begin a line."""
    if last in ("WHEN", "TIME", "END", "BEGIN", "EACH", "TEXT", "AS"):
        return "NUMBER" not in accepted
    return True


def _finer(role: str, tokens: Sequence[Tok], accepted: frozenset[str]) -> str:
    if role == "lasting" and _line_head(tokens) in ("WHEN", "INSTEAD", "NEXT", "IN"):
        return "hooked_lasting"
    if role == "new" and "NAME" not in accepted:
        return "keyword"
    return role


def _line_head(tokens: Sequence[Tok]) -> str:
    for token in reversed(range(len(tokens))):
        if tokens[token].type in LAYOUT:
            return tokens[token + 1].type if token + 1 < len(tokens) else ""
    return tokens[0].type if tokens else ""


def _by_line(tokens: Sequence[Tok], last: str) -> str:
    """Which sort of name is due within a line that has begun."""
    head = _line_head(tokens)
    if head == "IGNORING" and last == "COMMA":
        return "rule"
    if head in ("ADD", "REMOVE") and last in ("TO", "FROM"):
        return "variable"
    return "new"


def _open_bracket(tokens: Sequence[Tok]) -> int | None:
    """The number of the token that opens the bracket around the end."""
    depth = 0
    for at in reversed(range(len(tokens))):
        kind = tokens[at].type
        if kind in ("RPAR", "RSQB"):
            depth += 1
        elif kind in ("LPAR", "LSQB"):
            if depth == 0:
                return at
            depth -= 1
    return None


def _called(tokens: Sequence[Tok]) -> tuple[str, int]:
    """What is being called at the end of the tokens, and which argument it is given there."""
    opened = _open_bracket(tokens)
    if not opened or tokens[opened].type != "LPAR":
        return "", 0
    depth = argument = 0
    for token in tokens[opened + 1 :]:
        depth += {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}.get(token.type, 0)
        argument += token.type == "COMMA" and depth == 0
    name = tokens[opened - 1]
    return (str(name.value), argument) if str(name.value).isidentifier() else ("", 0)


# ------------------------------------------------------------------ what a text knows beforehand


def surroundings(snapshot: Snapshot, cursor: YamlCursor) -> Surroundings:
    """What a text knows before its first line, as the fields of its item say."""
    item, symbols = cursor.item, snapshot.symbols
    if item.kind == SCENARIOS:
        return Surroundings(tuple(_things(symbols, cursor)), _wanted(item, cursor, ""))
    params = [*_params(item.value("takes")), *_params(item.value("of"))]
    params += _told(symbols, item.value("event"))
    params += _bearer(symbols, item)
    if cursor.fields[-1:] == ("do",) or "things" in cursor.fields:
        params += _things(symbols, cursor)
    given = item.value("gives")
    named = _params(given)
    if named and cursor.fields[-1:] == ("effect",):
        params += [one for one in named if one.type.optional]
    return Surroundings(tuple(params), _wanted(item, cursor, given))


def _wanted(item: ItemLines, cursor: YamlCursor, given: str) -> Type | None:
    """What the value of a field is to be."""
    field = cursor.fields[-1] if cursor.fields else ""
    if field in CONDITIONS or (item.kind == "rule" and field == "is"):
        return BOOL
    if field == "is":
        return read_type(given) or (FRACTION if item.kind == "stat" else None)
    return None


def _params(text: str) -> list[ParamSymbol]:
    """The names that a field declares, such as `who: Player`."""
    try:
        found = parse_params(text)
    except EffectSyntaxError:
        return []
    return [
        ParamSymbol(
            one.name,
            Type(one.type.name, one.type.many, one.type.optional, one.type.by_player),
        )
        for one in found
    ]


def _told(symbols: Symbols, event: str) -> list[ParamSymbol]:
    """The names under which a trigger knows what its event tells."""
    try:
        call = parse_event(event)
    except EffectSyntaxError:
        return []
    told = symbols.events.get(call.name.id, ())
    names = [arg.value.id for arg in call.args if isinstance(arg.value, ast.Name)]
    return [ParamSymbol(name, one.type) for name, one in zip(names, told, strict=False)]


def _bearer(symbols: Symbols, item: ItemLines) -> list[ParamSymbol]:
    """`self` and `this`, in the abilities of an item and in the texts of an effect that lasts."""
    found: list[ParamSymbol] = []
    known = symbols.bearers.get(item.kind)
    on = item.value("on") if item.kind == "lasting" else ""
    entity = known.entity if known is not None else on or item.value("entity")
    if item.kind == "lasting":
        found.append(ParamSymbol(OWNER_NAME, PLAYER))
    if entity or item.kind == "keyword":
        found.append(ParamSymbol(SELF, Type(entity) if entity else UNKNOWN))
    if symbols.kinds.get(item.kind):
        found.append(ParamSymbol(THIS, Type(symbols.kinds[item.kind])))
    return found


def _things(symbols: Symbols, cursor: YamlCursor) -> list[ParamSymbol]:
    """The things that cases bring, under the names that their texts use."""
    written = cursor.item.text[cursor.item.start : cursor.start]
    found = {
        slug_of(name): symbols.kinds[kind]
        for name, kind in THING.findall(written)
        if symbols.kinds.get(kind)
    }
    return [ParamSymbol(name, Type(entity)) for name, entity in found.items()]
