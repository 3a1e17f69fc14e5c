"""Variables in words: notes of them, their present values, and how far these go up or down."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruleloom.compiler.english.clause import clause
from ruleloom.compiler.english.page import Step, Teller, counted, is_set, stays, told_of
from ruleloom.compiler.english.phrase import noun, wording
from ruleloom.compiler.english.phrase_parts import joined, opening, without_opening
from ruleloom.compiler.english.relower import NO, Scene
from ruleloom.compiler.english.speaker import Variable, is_me
from ruleloom.compiler.english.word import NUMBER, is_several, listed, spaced
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import ScopeSymbol, SettingSymbol, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.types import is_number
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, Type


def describe_let(teller: Teller, node: ast.LetStmt, following: tuple[ast.Stmt, ...]) -> list[Step]:
    """`let x = ...`: said where it is used, if that is soon and only once; else noted."""
    scene = teller.scene
    value = scene.read(node.value)
    name = node.name.id
    if value == NO and _only_ends(name, following):
        teller.exits.add(name)
        scene.declare(name, BOOL)
        return []
    following = tuple(one for one in following if not _is_dead(teller, one))
    following = following if teller.full else _unguarded(following, name)
    if counted(following, name) and not told_of(following, name):
        scene.names[name] = value
        return []
    changes = is_set(following, name)
    if not changes and _is_said_in_place(teller, name, value, following):
        scene.names[name] = value
        teller.derived.append(value)
        return []
    words, type_ = teller.noun(value), scene.type_of(value)
    scene.declare(name, type_)
    if not changes:
        teller.derived.append(scene.names[name])
    return _noted_as(teller, name, value, words, "at first, " if changes else "")


def _only_ends(name: str, following: tuple[ast.Stmt, ...]) -> bool:
    """Does a flag do nothing but end what the next loop repeats?"""
    at = next((at for at, one in enumerate(following) if counted(one, name)), None)
    if at is None or counted(following[at + 1 :], name):
        return False
    match following[at]:
        case ast.RepeatUntilStmt(until=until, body=body):
            return name in ways_out(until) and _is_only_set_to_yes(name, body)
    return False


def _is_only_set_to_yes(name: str, body: tuple[ast.Stmt, ...]) -> bool:
    """Is a flag never read, and never set to anything but yes?"""
    sets = [one for one in walk(body) if isinstance(one, ast.AssignStmt)]
    ends = [one for one in sets if one.name.id == name]
    said = all(isinstance(one.value, ast.BoolLiteral) and one.value.value for one in ends)
    return said and counted(body, name) == len(ends)


def ways_out(until: ast.Expr) -> list[str]:
    """The names of variables any of which is enough to end a loop."""
    match until:
        case ast.Name(id=name):
            return [name]
        case ast.Binary(op="or", left=left, right=right):
            return [*ways_out(left), *ways_out(right)]
    return []


def _is_said_in_place(
    teller: Teller, name: str, value: Expr, following: tuple[ast.Stmt, ...]
) -> bool:
    """Does a value stand for its name, which is short or spoken of only once and soon?"""
    if value[0] in ("scope", "slot") and _keeps(teller, value, following):
        return True
    # What is not spoken of any more is what comes of it all.
    once = stays(name, following) and counted(following, name) == 1
    return once or value[0] == "value"


def _noted_as(teller: Teller, name: str, value: Expr, words: str, first: str) -> list[Step]:
    """What a variable is, for all that speaks of it later; `first` if it may change."""
    scene = teller.scene
    type_ = scene.variable(name).type
    known = scene.called(name, _noun_of(scene, type_))
    if words == f"the {known}" and not first:
        return []  # it goes by the same words
    if type_ == BOOL:
        return _noted_flag(teller, name, value, known, first)
    if value == ("value", ()):
        scene.declare(name, Type("?", many=True))
        return [Step(f"{first}there are no {scene.called(name, spaced(name))}")]
    if value[0] == "without" and value[1] == value[2]:
        # An empty list of a type, as authors write it.
        return [Step(f"{first}there are no {known}")]
    several = _is_several(type_, known)
    said = noun(teller.speaker, value)
    if opening(said).startswith(f"the {known} "):
        rest = without_opening(said, f"the {known}")
        words = teller.say(joined("those" if several else "the one", rest))
    verb = "are" if several else "is"
    return [Step(f"{first}the {known} {verb} {words}")]


def _is_several(type_: Type, known: str) -> bool:
    return type_.many or (is_number(type_) and is_several(known))


def _noted_flag(teller: Teller, name: str, value: Expr, known: str, first: str) -> list[Step]:
    """Something that is so or not; that it is not so at first, nobody needs to be told."""
    said = teller.scene.variable(name).said
    if first and value == NO and said and not teller.repeated:
        return []
    if value[0] != "value" and not said:
        return [Step(f"see whether {teller.stated(value)} (“{known}”)")]
    return [Step(_answered(teller, name, value, first))]


def _is_dead(teller: Teller, stmt: ast.Stmt) -> bool:
    """Is a statement one that a switch leaves out as it stands?"""
    match stmt:
        case ast.IfStmt(arms=((test, _),), otherwise=()):
            names = {one.id for one in walk(test) if isinstance(one, ast.Name)}
            symbols = teller.scene.glossary.symbols
            settled = all(_is_settled(symbols, name) for name in names)
            return settled and teller.scene.read(test) == NO
    return False


def _is_settled(symbols: Symbols, name: str) -> bool:
    """Does a name stand for a setting, or for what one can be?"""
    if name in symbols.settings or name in symbols.values:
        return True
    return symbols.settings.answer(_is_option, name)


def _is_option(settings: Iterable[tuple[str, SettingSymbol]], name: str) -> bool:
    return any(name in one.options for _, one in settings)


def _unguarded(following: tuple[ast.Stmt, ...], name: str) -> tuple[ast.Stmt, ...]:
    """What follows, without asking first whether something is there at all."""
    match following:
        case (
            ast.IfStmt(
                arms=((ast.IsNone(value=ast.Name(id=asked), negated=True), body),), otherwise=()
            ),
            *rest,
        ) if asked == name:
            return (*body, *rest)
    return following


def _keeps(teller: Teller, value: Expr, following: tuple[ast.Stmt, ...]) -> bool:
    """Does a variable stay what it is for the rest of a block, so that it needs no second name?"""
    own = [name for name, one in teller.scene.names.items() if one == value]
    names = [value[1], *own] if value[0] == "scope" else own
    return bool(names) and not any(is_set(following, name) for name in names)


def _noun_of(scene: Scene, type_: Type) -> str:
    """What to call the value of a variable beside its name; a number or an answer needs no word."""
    plain = {"Bool": "", "Fraction": NUMBER}.get(type_.name)
    return scene.glossary.noun(type_, type_.many) if plain is None else plain


def describe_assign(teller: Teller, node: ast.AssignStmt) -> list[Step]:
    """`set x = ...`."""
    scene, name = teller.scene, node.name.id
    scope = scene.glossary.symbols.scope.get(name)
    if name in teller.exits:
        return [Step("repeat this no longer")]
    if scope is None:
        value = scene.read(node.value)
        if value == scene.names.get(name):
            return []
        itself, type_ = scene.names.get(name, NO), scene.type_of(value)
        words = _than_before(teller, value, itself)
        known = scene.called(name, _noun_of(scene, type_))
        changed = _changed_by(teller, itself, value, f"the {known}")
        slot = scene.names.get(name, ("value",))
        if slot[0] != "slot":
            scene.declare(name, type_)
        elif scene.variables[slot[1]].type.name == "?":
            scene.variables[slot[1]] = Variable(name, type_)  # a list that began empty
        if changed:
            return [Step(changed)]
        if type_ == BOOL:
            return [Step(_answered(teller, name, value, "from here on, "))]
        verb = "are" if _is_several(type_, known) else "is"
        return [Step(f"the {known} {verb} now {words}")]
    value = scene.read(node.value, scope.type)
    if teller.noun(value) == scene.glossary.scope(name):
        return []  # it goes by the same words
    return [Step(_now(teller, name, value))]


def _answered(teller: Teller, name: str, value: Expr, when: str) -> str:
    """A variable that is yes or no, in the words in which conditions ask for it."""
    itself, known = teller.scene.names[name], value[0] == "value"
    said = teller.say(clause(teller.speaker, itself, known and value[1] is not True))
    return f"{when}{said}" if known else f"{when}{said} if {teller.stated(value)}"


def _now(teller: Teller, name: str, value: Expr, when: str = "") -> str:
    """A variable of the game has another value from here on."""
    glossary, itself = teller.scene.glossary, ("scope", name)
    words, scope = glossary.scope(name), glossary.symbols.scope.get(name)
    now = when or "now "
    if is_me(itself):
        return f"{teller.noun(value)} acts from here on"
    if not when and (changed := _changed_by(teller, itself, value, words)):
        return changed
    if scope is not None and scope.type == BOOL:
        return _holds_now(teller, itself, value, when)
    if value == ("value", None):
        none = clause(teller.speaker, ("is_none", itself), False)
        there = "there is " if opening(none).startswith("there is ") else ""
        return teller.say(joined(f"{there}{now}" if there else "", without_opening(none, there)))
    if value == ("value", ()):
        return f"{words} are {now}none"
    if is_me(value):
        return f"you are {now}{words}"
    said = _than_before(teller, value, itself)
    return f"{words} {_verb_of(words, scope)} {now}{said}"


def _than_before(teller: Teller, value: Expr, itself: Expr) -> str:
    """What something comes to, where that is told from what it was: `one step less than before`."""
    english, values = wording(teller.speaker, value)
    last = HOLE.findall(english)[-1:]
    if last and english.endswith(f" than {{{last[0]}}}") and values[last[0]] == itself:
        return teller.filled(english, {**values, last[0]: ("value", "before")})
    return teller.noun(value)


def _verb_of(words: str, scope: ScopeSymbol | None) -> str:
    """`are` for a list, and for what is called by a plural."""
    many = scope is not None and (scope.type.many or _SEVERAL.match(words) is not None)
    return "are" if many else "is"


# What is called by a plural: `the coins in the bowl`.
_SEVERAL = re.compile(
    r"(?:the|your) (?:(?!(?:of|that|which|who|whose)\b)[a-z]+ )*?(?:[a-z]+[^sui\W]s|dice)"
    r"(?= (?:in|of|on|at|that|left|for|to|by|with|so|before|bought|as)\b|$)"
)


def _changed_by(teller: Teller, itself: Expr, value: Expr, words: str) -> str:
    """A number that goes up or down from what it was; empty for any other change."""
    match value:
        case (("+" | "-") as op, left, by) if left == itself:
            verb, link = ("add", "to") if op == "+" else ("take", "from")
            return f"{verb} {teller.noun(by)} {link} {words}"
        case ("each", ("highest" | "lowest") as kind, None, _, ("list", one, other), None):
            bound, change = (one, other) if other[0] in ("+", "-") else (other, one)
            if (change[:2], kind) in ((("+", itself), "lowest"), (("-", itself), "highest")):
                verb, link = ("raise", "up to") if kind == "lowest" else ("lower", "not below")
                by = teller.noun(change[2])
                return f"{verb} {words} by {by}, {link} {teller.noun(bound)}"
    return ""


def _holds_now(teller: Teller, itself: Expr, value: Expr, when: str) -> str:
    if value[0] != "value":
        return f"from here on, {teller.scene.glossary.scope(itself[1])} if {teller.stated(value)}"
    said = clause(teller.speaker, itself, value[1] is not True)
    return f"{when or 'from here on '}{teller.say(said)}"


def told_together(teller: Teller, stmts: tuple[ast.Stmt, ...], at: int) -> list[Step] | None:
    """One step for a run of assignments of one value; nothing for all but the first of them."""
    if at and len(_alike(teller, stmts, at - 1)) > 1:
        return []
    run = _alike(teller, stmts, at)
    if len(run) < 2:
        return None
    names = [teller.scene.glossary.scope(one.name.id) for one in run]
    none = run[0].value.value if isinstance(run[0].value, ast.NumberLiteral) else "none"
    return [Step(f"{listed(names)} are now {none}")]


def _alike(teller: Teller, stmts: tuple[ast.Stmt, ...], at: int) -> list[ast.AssignStmt]:
    """The assignments from here on that give variables of the game the same number, or none."""
    run: list[ast.AssignStmt] = []
    for stmt in stmts[at:]:
        match stmt:
            case ast.AssignStmt(name=name, value=ast.NumberLiteral() | ast.NoneLiteral() as value):
                same = not run or _number(run[0].value) == _number(value)
                if name.id in teller.scene.glossary.symbols.scope and same:
                    run.append(stmt)
                    continue
        break
    return run


def _number(value: ast.Expr) -> object:
    return value.value if isinstance(value, ast.NumberLiteral) else None
