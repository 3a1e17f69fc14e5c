"""The cursor in an effect text: the role of the name expected there, the variables and the wanted type.

The text before the cursor is parsed, completed as shortly as possible with a placeholder name, and
checked as usual. When the checker reaches the placeholder, its variables and expected type are
recorded. The input is a `YamlCursor`; the result an `EffectCursor`, or None outside effect text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import zip_longest
from typing import NamedTuple, NoReturn

from ruleloom.compiler.analysis.words import GameWord, GameWords
from ruleloom.compiler.analysis.yaml_cursor import HERE, ItemLines, YamlCursor, effect_tree
from ruleloom.compiler.check.forms import FORMS, check_block, check_expr
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.flow.context import Context, Forms, Typed
from ruleloom.compiler.flow.flow import Local, is_unnamed
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import slug_of
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.schema.registry import BUT, SchemaStore
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax import tree as roles
from ruleloom.compiler.syntax.lexer import LAYOUT, Tok
from ruleloom.compiler.syntax.parser import FIXED, STARTS, BrokenOff, finished, read_open
from ruleloom.compiler.syntax.parser import open_tokens as open_tokens
from ruleloom.compiler.types import UNKNOWN, is_unknown, list_of, read_type
from ruleloom.compiler.yaml.source_map import EffectText
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.values import BOOL, FRACTION, INT, PLAYER, Type

# The form of effect text in kinds that games declare, whose schemas do not mark it.
USUAL = {"effect": "block", "abilities": "abilities", "ended": "block"}
SCENARIOS = "scenarios"
CONDITIONS = frozenset({"where", "when", "holds"})
THING = re.compile(r"(?:^|[{,\s])([A-Za-z_][\w-]*):[ \n]*(?:\{[ ]*|[ \n]+)kind:[ ]*([a-z][\w-]*)")

ANY_LIST = Type("?", many=True)
NUMERIC = ("<", "<=", ">", ">=", "+", "-", "*", "div", "mod", "..")
BOTH_SIDES = {**dict.fromkeys(NUMERIC, INT), "and": BOOL, "or": BOOL}


class KnownHere(Frozen):
    """The variables in scope at a cursor by name, latest first, and the wanted type; for a whole
    text, its parameters and the type of its value."""

    wanted: Type | None = None
    variables: Mapping[str, Type] = field(default_factory=dict)


def form_of(schemas: SchemaStore, kind: str, fields: tuple[str, ...]) -> str:
    """The form of the effect text in a field; empty if the field holds none."""
    if fields[:1] == (BUT,):
        kind, fields = "patch", fields[1:]
    found = form_in(schemas.effect_fields(kind) if kind in schemas.kinds else {}, fields)
    if found:
        return found
    if fields == ("replace-effect",) or fields[-1:] == ("do",):
        return "block"
    of_item = len(fields) == 1 or fields[0:1] == ("set",) or "things" in fields
    return USUAL.get(fields[-1], "") if of_item and fields else ""


def form_in(forms: Mapping[tuple[str, ...], str], fields: tuple[str, ...]) -> str:
    """The form at a field path, where `*` in a key of `forms` matches any step; empty without one."""
    if fields in forms:
        return forms[fields]
    for path, form in forms.items():
        steps = zip(path, fields, strict=False)
        if len(path) == len(fields) and all(want in ("*", field) for want, field in steps):
            return form
    return ""


def probe(bodies: Bodies, tree: object, around: KnownHere) -> KnownHere:
    """The variables and the wanted type at `HERE` in a checked tree."""
    source = Source(next(iter(bodies.content.files)), "")  # rows need a place; this one is unused
    passage = Passage(EffectText(source, "", (0,), (0,), 0), bodies.content)
    forms = Forms(_probed_expr, _probed_block, FORMS.arguments)
    try:
        ctx = check_alone(bodies, passage, tree, around, bodies.symbols, forms)
    except _Noted as noted:
        return noted.known
    return KnownHere(None, _variables(ctx))


def check_alone(
    bodies: Bodies,
    passage: Passage,
    tree: object,
    around: KnownHere,
    symbols: Symbols,
    forms: Forms = FORMS,
) -> Context:
    """Check the tree of a text in isolation, with a game's symbols."""
    ctx = Context(symbols, Report(), passage, bodies.functions, forms, "")
    for name, type_ in around.variables.items():
        _enter(ctx, name, type_)
    if isinstance(tree, tuple):
        ctx.block([one for one in tree if isinstance(one, ast.Stmt)])
        for one in tree:
            if isinstance(one, ast.Ability):
                _check_ability(ctx, one)
    elif isinstance(tree, ast.Expr):
        ctx.check(tree, around.wanted)
    return ctx


def _enter(ctx: Context, name: str, type_: Type) -> None:
    place = ctx.passage.place((0, 0))
    ctx.enter(Local(name, ctx.slot(name), type_, place, "a parameter", used=True))


class _Noted(Exception):
    """Raised at the placeholder, to skip the rest of the check."""

    def __init__(self, known: KnownHere) -> None:
        super().__init__()
        self.known = known


def _probed_expr(ctx: Context, node: ast.Expr, expected: Type | None) -> Typed:
    """Check an expression; at the placeholder, record what is known."""
    if _is_here(node):
        _note(ctx, expected)
    if isinstance(node, ast.Binary) and (beside := _beside(ctx, node)) is not None:
        _note(ctx, beside)
    if isinstance(node, ast.Aggregate) and _is_here(node.domain):
        _note(ctx, ANY_LIST)
    return check_expr(ctx, node, expected)


def _probed_block(ctx: Context, statements: Sequence[ast.Stmt]) -> None:
    """Check statements one by one; at the placeholder, record what is known."""
    for statement in statements:
        named = (getattr(statement, name, None) for name in ("name", "call", "power"))
        if any(_is_here(getattr(one, "name", one)) for one in named):
            _note(ctx, None)
        chosen = isinstance(statement, ast.ChooseStmt | ast.ForEachStmt | ast.SecretlyStmt)
        if chosen and _is_here(getattr(statement, "domain", None)):
            _note(ctx, ANY_LIST)
        check_block(ctx, [statement])


def _note(ctx: Context, wanted: Type | None) -> NoReturn:
    """Raise `_Noted` with what is known here."""
    raise _Noted(KnownHere(wanted, _variables(ctx)))


def _is_here(node: object) -> bool:
    return isinstance(node, ast.Name) and node.id == HERE


def _variables(ctx: Context) -> Mapping[str, Type]:
    found = {name: one.type for name, one in ctx.flow.visible.items() if not is_unnamed(name)}
    return dict(reversed(found.items()))


def _beside(ctx: Context, node: ast.Binary) -> Type | None:
    """The type wanted on one side of an operator, by the other side."""
    if _is_here(node.left) == _is_here(node.right):
        return None
    if node.op in BOTH_SIDES:
        return BOTH_SIDES[node.op]
    is_left = _is_here(node.left)
    other = node.right if is_left else node.left
    with_other = ctx.rehearsal().check(other).type
    if is_unknown(with_other):
        return ANY_LIST if node.op in ("in", "not in") and not is_left else None
    if node.op in ("=", "!="):
        return with_other.present
    if is_left is not with_other.many:
        return None
    return with_other.item if is_left else list_of(with_other.present)


# ------------------------------------------------------------------ abilities


def _check_ability(ctx: Context, node: ast.Ability) -> None:
    symbols = ctx.symbols
    match node:
        case ast.When() | ast.Instead():
            for name, type_ in _told(symbols, node.event).items():
                _enter(ctx, name, type_)
        case ast.Modify() | ast.Restrict():
            changed = node.stat if isinstance(node, ast.Modify) else node.rule
            _check_places(ctx, symbols.callables.get(changed.id), node.places)
        case ast.Keyword():
            _check_places(ctx, symbols.keywords.get(node.name.id), node.args)
    for part, type_ in (("value", FRACTION), ("where", BOOL)):
        if getattr(node, part, None) is not None:
            ctx.check(getattr(node, part), type_)
    if isinstance(node, ast.When | ast.Instead):
        ctx.block(node.body)
    for inner in node.body if isinstance(node, ast.Passive) else ():
        _check_ability(ctx, inner)


def _check_places(
    ctx: Context, callee: Signature | None, given: Sequence[ast.Arg | ast.StatArg]
) -> None:
    """Check the arguments of a call; `each x` binds a name of the parameter's type."""
    types = [one.type for one in callee.params] if callee is not None else []
    for one, wanted in zip_longest(given, types[: len(given)]):
        if one.value is not None:
            ctx.check(one.value, wanted)
        elif one.each is not None and wanted is not None:
            _enter(ctx, one.each.id, wanted)


# ------------------------------------------------------------------ the initial scope of a text


def surroundings(symbols: Symbols, cursor: YamlCursor) -> KnownHere:
    """The parameters of a text and the type of its value, by its item's fields."""
    item, fields = cursor.item, cursor.fields
    is_case = item.kind == SCENARIOS
    given = "" if is_case else item.value("gives")
    found: dict[str, Type] = {}
    if not is_case:
        found |= _declared(item.value("takes")) | _declared(item.value("of"))
        event = effect_tree(item.value("event"), "event")
        found |= (_told(symbols, event) if event is not None else {}) | _bearer(symbols, item)
    if is_case or fields[-1:] == ("do",) or "things" in fields:
        found |= _brought(symbols, item.text[item.start : cursor.start])
    if fields[-1:] == ("effect",):
        found |= {name: type_ for name, type_ in _declared(given).items() if type_.optional}
    return KnownHere(_wanted(item.kind, fields[-1] if fields else "", given), found)


def _brought(symbols: Symbols, text: str) -> dict[str, Type]:
    """The types of the things in cases, by the names in texts."""
    made = ((name, symbols.kinds.get(kind)) for name, kind in THING.findall(text))
    return {slug_of(name): Type(entity) for name, entity in made if entity}


def _wanted(kind: str, field: str, given: str) -> Type | None:
    """The type wanted of a field's value."""
    if field in CONDITIONS or (kind == "rule" and field == "is"):
        return BOOL
    if field == "is":
        return read_type(given) or (FRACTION if kind == "stat" else None)
    return None


def _declared(text: str) -> dict[str, Type]:
    """The types by name in a field such as `who: Player`."""
    types = ((one.name, one.type) for one in effect_tree(text, "params") or ())
    return {name: Type(one.name, one.many, one.optional, one.by_player) for name, one in types}


def _told(symbols: Symbols, event: ast.CallExpr) -> dict[str, Type]:
    """The types of the names that a response binds to its event."""
    told = zip(event.args, symbols.events.get(event.name.id, ()), strict=False)
    return {arg.value.id: one.type for arg, one in told if isinstance(arg.value, ast.Name)}


def _bearer(symbols: Symbols, item: ItemLines) -> dict[str, Type]:
    """`self` and `this`, in an item's abilities and in the texts of a lasting effect."""
    known, is_lasting = symbols.bearers.get(item.kind), item.kind == "lasting"
    on = item.value("on") if is_lasting else ""
    entity = known.entity if known is not None else on or item.value("entity")
    found = {OWNER_NAME: PLAYER} if is_lasting else {}
    if entity or item.kind == "keyword":
        found[SELF] = Type(entity) if entity else UNKNOWN
    if symbols.kinds.get(item.kind):
        found[THIS] = Type(symbols.kinds[item.kind])
    return found


TEXT, START = "text", "<start>"
LANGUAGE = frozenset(FIXED.values())
"""The keywords and punctuation marks."""
# The phases of an event that take the names of another phase, or of lasting effects.
AS_AFTER, OF_LASTING = {"before": "after"}, ("begin", "end", "prolong")


class EffectCursor(NamedTuple):
    """A cursor in an effect text.

    `role` is the role of a name there (see `syntax/tree.py`), `text` within quotes and empty where
    no name is allowed; for an event, `phase` is the word before it. `reading` has the tokens around
    the cursor; `known` its variables and the wanted type.
    """

    form: str
    before: str
    word: str
    role: str
    phase: str
    read: BrokenOff
    reading: TextReading
    known: KnownHere
    in_comment: bool

    @property
    def callee(self) -> str:
        """The name of the enclosing call."""
        return self.reading.called[0]

    @property
    def argument(self) -> int:
        """The index of its argument there, from 0."""
        return self.reading.called[1]

    @property
    def tokens(self) -> tuple[Tok, ...]:
        """The tokens up to the cursor."""
        return self.read.tokens

    @property
    def takes_name(self) -> bool:
        """Is a name allowed here?"""
        return "NAME" in self.read.accepted

    @property
    def accepted(self) -> list[str]:
        """The keywords and punctuation allowed here."""
        return [FIXED[kind] for kind in self.read.accepted if kind in FIXED]

    @property
    def is_first(self) -> bool:
        """Does a statement or an ability begin here?"""
        return self.role in (roles.OPERATION, roles.KEYWORD)

    def due(self, words: GameWords) -> Iterable[GameWord]:
        """The words of a game allowed here that are not values."""
        tables = {
            roles.POWER: words.powers,
            roles.OPERATION: words.operations,
            roles.KEYWORD: words.keywords,
            roles.BONUS: words.bonuses,
            roles.TYPE: words.types,
            roles.LASTING: words.lasting,
        }
        if self.role in (roles.RULE, roles.STAT):
            return [one for one in words.numbers.values() if one.sort == self.role]
        if self.role not in (roles.EVENT, roles.REPLACED):
            return tables.get(self.role, {}).values()
        if self.phase in OF_LASTING:
            return words.lasting.values()
        phase = AS_AFTER.get(self.phase, self.phase)
        return [one for one in words.events.values() if one.name.rpartition(" ")[0] == phase]


def effect_cursor(bodies: Bodies, cursor: YamlCursor) -> EffectCursor | None:
    """The cursor in an effect text, if any."""
    form = form_of(bodies.content.schemas, cursor.item.kind, cursor.fields)
    if not form or cursor.before is None:
        return None
    found = re.search(r"[A-Za-z_]\w*$", cursor.before)
    word = found[0] if found is not None else ""
    before = cursor.before[: len(cursor.before) - len(word)]
    line = before.rpartition("\n")[2]
    in_comment = comment_start(line) is not None
    in_text = not in_comment and line.count('"') % 2 == 1
    read = read_open(before, STARTS[form])
    tree = None if in_text or in_comment else finished(read, HERE, STARTS[form])
    around = surroundings(bodies.symbols, cursor)
    if tree is not None:
        known = probe(bodies, tree, around)
    else:
        known = _known_at_line(bodies, form, before, around)
    outer = roles.EVENT if form == "event" else roles.VALUE
    role, name = roles.role_at(tree, HERE, outer) or (TEXT * in_text, "")
    phase = name.rpartition(" ")[0]
    reading = TextReading(read.tokens)
    return EffectCursor(form, before, word, role, phase, read, reading, known, in_comment)


def _known_at_line(bodies: Bodies, form: str, before: str, around: KnownHere) -> KnownHere:
    """The variables at the start of the last line, for a line that cannot be completed."""
    above, newline, line = before.rpartition("\n")
    margin = line[: len(line) - len(line.lstrip(" "))]
    tree = finished(read_open(f"{above}{newline}{margin}", STARTS[form]), HERE, STARTS[form])
    if tree is None:
        return KnownHere(None, around.variables)
    return KnownHere(None, probe(bodies, tree, around).variables)


def comment_start(line: str) -> int | None:
    """The index of a line's comment: its first `#` outside quotes; None without one."""
    inside = False
    for at, sign in enumerate(line):
        if sign == '"':
            inside = not inside
        elif sign == "#" and not inside:
            return at
    return None


class TextReading:
    """The context of the next token of a text."""

    def __init__(self, tokens: Iterable[Tok] = ()) -> None:
        self.before = [START, START, START]
        self.calls: list[tuple[str, int]] = []
        self.head = START
        for token in tokens:
            self.take(token)

    def take(self, token: Tok) -> None:
        """Consume a token."""
        value = token.type if token.type in (*LAYOUT, "STRING", "NUMBER") else str(token.value)
        if token.type in LAYOUT:
            self.head = START
        elif self.head == START:
            self.head = value
        if value in ("(", "["):
            self.calls.append((self.before[-1] if value == "(" else "[", 0))
        elif value in (")", "]") and self.calls:
            self.calls.pop()
        elif value == "," and self.calls:
            name, number = self.calls.pop()
            self.calls.append((name, number + 1))
        self.before = [*self.before[1:], value]

    @property
    def called(self) -> tuple[str, int]:
        """The enclosing call's name, empty outside of any, and the index of the next argument."""
        name, number = self.calls[-1] if self.calls else ("", 0)
        return (name, number) if name.isidentifier() else ("", 0)

    def around(self) -> list[tuple[str, ...]]:
        """The contexts of the next token as keys, most specific first."""
        _, second, last = self.before
        call = self.calls[-1] if self.calls else ("", 0)
        within = ("call", call[0], str(call[1]), last)
        return [
            (*within, second, self.head),
            ("two", second, last, self.head),
            within if call[0] else ("line", self.head, last),
            ("one", last),
        ]
