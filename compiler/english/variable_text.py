"""Renders what variables are, and are from now on."""

from __future__ import annotations

from collections.abc import Iterable

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause import clause
from ruleloom.compiler.english.clause_tree import (
    ActTree,
    BecomesTree,
    BelongsTree,
    ChangesTree,
    FromHereTree,
    NoneTree,
    TestTree,
    Told,
)
from ruleloom.compiler.english.glossary import NO, Scene, Variable
from ruleloom.compiler.english.page import Step, Teller
from ruleloom.compiler.english.phrase import group_of, noun, wording
from ruleloom.compiler.english.stretch import counted, is_set, stays, told_of
from ruleloom.compiler.english.template import (
    is_me,
    joined,
    opening,
    without_opening,
)
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import SettingSymbol
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of, walk
from ruleloom.compiler.types import is_number
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, Type

# --------------------------------------------------------------------------------------- variables


def describe_let(teller: Teller, node: ast.LetStmt, following: tuple[ast.Stmt, ...]) -> list[Step]:
    """`let x = ...`: inlined if used only once and soon, otherwise a step."""
    value = teller.read(node.value)
    name = node.name.id
    if value == NO and _only_ends(name, following):
        teller.exits.add(name)
        teller.declare(name, BOOL)
        return []
    following = _told_behind(teller, name, following)
    if counted(following, name) and not told_of(following, name):
        teller.names[name] = value
        return []
    changes = is_set(following, name)
    if not changes and _is_said_in_place(teller, name, value, following):
        teller.names[name] = value
        teller.derived.append(value)
        return []
    words = teller.noun(value)
    teller.declare(name, teller.type_of(value))
    if not changes:
        teller.derived.append(teller.names[name])
    return _noted_as(teller, name, value, words, "at first, " if changes else "")


def _told_behind(teller: Teller, name: str, rest: tuple[ast.Stmt, ...]) -> tuple[ast.Stmt, ...]:
    """What of the statements behind a variable is put into words."""
    rest = tuple(one for one in rest if not _is_dead(teller, one))
    return rest if teller.full else _unguarded(rest, name)


def _only_ends(name: str, following: tuple[ast.Stmt, ...]) -> bool:
    """Whether a flag only ends the next loop: it is never read elsewhere, and set only to yes."""
    match [one for one in following if counted(one, name)]:
        case [ast.RepeatUntilStmt(until=until, body=body)] if name in _ways_out(until):
            ends = [one.value for one in nodes_of(body, ast.AssignStmt) if one.name.id == name]
            said = all(isinstance(one, ast.BoolLiteral) and one.value for one in ends)
            return said and counted(body, name) == len(ends)
    return False


def _ways_out(until: ast.Expr) -> list[str]:
    """The variables each of which alone can end a loop."""
    match until:
        case ast.Name(id=name):
            return [name]
        case ast.Binary(op="or", left=left, right=right):
            return [*_ways_out(left), *_ways_out(right)]
    return []


def _is_said_in_place(
    teller: Teller, name: str, value: Expr, following: tuple[ast.Stmt, ...]
) -> bool:
    """Whether a value is inlined for its name: it is short, or used only once and soon."""
    if value[0] in ("scope", "slot"):
        own = [name for name, one in teller.names.items() if one == value]
        names = [value[1], *own] if value[0] == "scope" else own
        if names and not any(is_set(following, name) for name in names):
            return True  # it does not change in the rest of the block, and needs no second name
    # A variable never used again is the result of the whole text.
    return (stays(name, following) and counted(following, name) == 1) or value[0] == "value"


def _noted_as(teller: Teller, name: str, value: Expr, words: str, first: str) -> list[Step]:
    """The step that gives a variable its value; `first` opens it if that changes."""
    type_ = teller.variable(name).type
    known = teller.called(name, noun_of(teller, type_))
    if words == f"the {known}" and not first:
        return []  # its value has the same words
    if type_ == BOOL:
        return _noted_flag(teller, name, value, known, first)
    if value == ("value", ()):
        teller.declare(name, Type("?", many=True))
        return [Step(f"{first}there are no {teller.called(name, word.spaced(name))}")]
    several = _is_several(type_, known)
    phrase = noun(teller.speaker, value)
    if opening(phrase).startswith(f"the {known} "):
        rest = without_opening(phrase, f"the {known}")
        words = teller.say(joined("those" if several else "the one", rest))
    said = f"{first}the {known} {'are' if several else 'is'} {words}"
    return [
        Step(
            Told.of(said, BecomesTree(teller.speaker, known, value, noun_of(teller, type_), first))
        )
    ]


def _noted_flag(teller: Teller, name: str, value: Expr, known: str, first: str) -> list[Step]:
    """The step that gives a Bool variable its value; an initial no is left out."""
    said = teller.variable(name).said
    if first and value == NO and said and not teller.repeated:
        return []
    if value[0] != "value" and not said:
        return [Step(f"see whether {teller.stated(value)} (“{known}”)")]
    return [Step(_answered(teller, name, value, first))]


def _is_several(type_: Type, known: str) -> bool:
    return type_.many or (is_number(type_) and word.is_several(known))


def _is_dead(teller: Teller, stmt: ast.Stmt) -> bool:
    """Whether the current settings leave out a statement."""
    match stmt:
        case ast.IfStmt(arms=((test, _),), otherwise=()):
            settings, values = teller.symbols.settings, teller.symbols.values
            names = {one.id for one in walk(test) if isinstance(one, ast.Name)}
            settled = all(
                name in settings or name in values or settings.answer(_is_option, name)
                for name in names
            )
            return settled and teller.read(test) == NO
    return False


def _is_option(settings: Iterable[tuple[str, SettingSymbol]], name: str) -> bool:
    return any(name in one.options for _, one in settings)


def _unguarded(following: tuple[ast.Stmt, ...], name: str) -> tuple[ast.Stmt, ...]:
    """The following statements, without a first test that `name` is there."""
    match following:
        case (
            ast.IfStmt(
                arms=((ast.IsNone(value=ast.Name(id=asked), negated=True), body),), otherwise=()
            ),
            *rest,
        ) if asked == name:
            return (*body, *rest)
    return following


def noun_of(scene: Scene, type_: Type) -> str:
    """The noun of a variable's type, to go with its name; a Bool needs none."""
    plain = {"Bool": "", "Fraction": word.NUMBER}.get(type_.name)
    return scene.glossary.noun(type_, type_.many) if plain is None else plain


def describe_assign(teller: Teller, node: ast.AssignStmt) -> list[Step]:
    """`set x = ...`."""
    name = node.name.id
    if name in teller.exits:
        return [Step("repeat this no longer")]
    scope = teller.symbols.scope.get(name)
    value = teller.read(node.value, scope.type if scope is not None else None)
    if scope is not None:
        same = teller.noun(value) == teller.glossary.named(
            "scope", name
        )  # its value has the same words
        return [] if same else [Step(now_words(teller, name, value))]
    if value == teller.names.get(name):
        return []
    return [Step(_assigned(teller, name, value))]


def _assigned(teller: Teller, name: str, value: Expr) -> str:
    """The assignment of a new value to a local variable."""
    itself, type_ = teller.names.get(name, NO), teller.type_of(value)
    if value == ("value", None) and itself[0] == "slot":
        return _none_now(teller, itself, "now ")
    words = _than_before(teller, value, itself)
    known = teller.called(name, noun_of(teller, type_))
    changed = _changed_by(teller, itself, value, f"the {known}", noun_of(teller, type_))
    if itself[0] != "slot":
        teller.declare(name, type_)
    elif teller.variables[itself[1]].type.name == "?":
        teller.variables[itself[1]] = Variable(name, type_)  # a list that began empty
    if changed:
        return changed
    if type_ == BOOL:
        return _answered(teller, name, value, "from here on, ")
    several = _is_several(type_, known)
    tree = BecomesTree(teller.speaker, known, value, noun_of(teller, type_), "now ")
    said = f"the {known} {'are' if several else 'is'} now {words}"
    return Told.of(said, tree if words == teller.noun(value) else None)


def _answered(teller: Teller, name: str, value: Expr, when: str) -> str:
    """The value of a Bool variable, in the words of its condition."""
    if value[0] == "value":
        return _holds(teller, teller.names[name], value, when)
    return f"{when}{teller.stated(teller.names[name])} if {teller.stated(value)}"


def now_words(teller: Teller, name: str, value: Expr, when: str = "") -> str:
    """The assignment of a new value to a variable of the game."""
    itself, words = ("scope", name), teller.glossary.named("scope", name)
    scope, now = teller.symbols.scope.get(name), when or "now "
    if is_me(itself):
        acts = ActTree(teller.speaker, "{who} acts from here on", {"who": value})
        return Told.of(f"{teller.noun(value)} acts from here on", acts)
    if not when and (changed := _changed_by(teller, itself, value, words)):
        return changed
    if scope is not None and scope.type == BOOL:
        return _holds_now(teller, itself, value, words, when)
    if value == ("value", None):
        return _none_now(teller, itself, now)
    if value == ("value", ()):
        return f"{words} are {now}none"
    if is_me(value):
        return Told.of(f"you are {now}{words}", BecomesTree(teller.speaker, words, value, "", now))
    # `are` for a list, and for a plural name.
    many = scope is not None and (scope.type.many or word.is_plural(words))
    said = _than_before(teller, value, itself)
    plain = said == teller.noun(value) and scope is not None
    tree = BecomesTree(teller.speaker, words, value, "", now) if plain else None
    return Told.of(f"{words} {'are' if many else 'is'} {now}{said}", tree)


def _none_now(teller: Teller, itself: Expr, now: str) -> str:
    """The assignment of none: `there is now no defence score`."""
    none = clause(teller.speaker, ("is_none", itself), False)
    there = "there is " if opening(none).startswith("there is ") else ""
    said = teller.say(joined(f"{there}{now}" if there else "", without_opening(none, there)))
    return Told.of(said, NoneTree(teller.speaker, itself) if there and now == "now " else None)


def _holds_now(teller: Teller, itself: Expr, value: Expr, words: str, when: str) -> str:
    if value[0] != "value":
        return f"from here on, {words} if {teller.stated(value)}"
    return _holds(teller, itself, value, when or "from here on ")


def _holds(teller: Teller, itself: Expr, value: Expr, when: str) -> str:
    """What holds, or no longer, from some time."""
    test = TestTree(teller.speaker, itself, value[1] is not True)
    from_here = FromHereTree(test) if when.startswith("from here on") else None
    return Told.of(f"{when}{teller.stated(itself, test.denied)}", from_here)


def _than_before(teller: Teller, value: Expr, itself: Expr) -> str:
    """A new value, relative to the old one where its English allows: `one step less than before`."""
    english, values = wording(teller.speaker, value)
    last = HOLE.findall(english)[-1:]
    if last and english.endswith(f" than {{{last[0]}}}") and values[last[0]] == itself:
        return teller.filled(english, {**values, last[0]: ("value", "before")})
    return teller.noun(value)


def _changed_by(teller: Teller, itself: Expr, value: Expr, words: str, kind: str = "") -> str:
    """A change by an amount: `add 2 to the score`; empty for other changes."""
    match value:
        case (("+" | "-") as op, left, by) if left == itself:
            verb, link = ("add", "to") if op == "+" else ("take", "from")
            tree = ChangesTree(teller.speaker, words, kind, op == "-", by)
            return Told.of(f"{verb} {teller.noun(by)} {link} {words}", tree)
        case ("each", ("highest" | "lowest") as kind, None, _, ("list", one, other), None):
            bound, change = (one, other) if other[0] in ("+", "-") else (other, one)
            if (change[:2], kind) in ((("+", itself), "lowest"), (("-", itself), "highest")):
                verb, link = ("raise", "up to") if kind == "lowest" else ("lower", "not below")
                by = teller.noun(change[2])
                return f"{verb} {words} by {by}, {link} {teller.noun(bound)}"
    return ""


def describe_add(teller: Teller, node: ast.AddStmt) -> list[Step]:
    """`add x to xs` and `remove x from xs`."""
    value = teller.read(node.value)
    target: Expr = teller.names.get(node.name.id) or ("scope", node.name.id)
    whole = teller.say(group_of(teller.speaker, target).whole)
    who, many = teller.noun(value), teller.type_of(value).many
    verb = "are" if many or who == "you" else "is"
    when = "no longer" if node.removing else "now"
    text = f"{who} {verb} {when} {'among' if many else 'one of'} {whole}"
    if not many:
        text = Told.of(text, BelongsTree(teller.speaker, value, target, when))
    return [Step(text)]
