"""Renders statements that act: operations, powers, variables, lasting effects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause import clause
from ruleloom.compiler.english.clause_tree import (
    ActTree,
    BecomesTree,
    BelongsTree,
    ChangesTree,
    ForEachTree,
    FromHereTree,
    IgnoringTree,
    OnlyIfTree,
    TestTree,
    Told,
    UsesTree,
    called,
    tree_of,
)
from ruleloom.compiler.english.filling import filled, turned_round, undone_words
from ruleloom.compiler.english.glossary import NO, YES, Scene, Variable
from ruleloom.compiler.english.page import Step, Teller, counted, is_set, stays, told_of
from ruleloom.compiler.english.phrase import group_of, noun, owned, wording
from ruleloom.compiler.english.template import (
    IT,
    is_me,
    joined,
    opening,
    places_of,
    realise,
    without_opening,
)
from ruleloom.compiler.packs.lasting_names import SELF, unit_of
from ruleloom.compiler.resolve.declare import HOLE, names_in
from ruleloom.compiler.resolve.symbols import Lasting, ParamSymbol, SettingSymbol, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of, walk
from ruleloom.compiler.types import is_number
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import BOOL, INT, Type


def operation(teller: Teller, call: ast.CallExpr) -> Template:
    """An operation in its author's English."""
    callee = teller.symbols.operations.get(call.name.id)
    if callee is None or not callee.english:
        return (word.spaced(call.name.id),)
    args = teller.arguments(callee, call.args)
    values = {param.name: arg for param, arg in zip(callee.params, args, strict=False)}
    said = filled(teller.speaker, turned_round(callee.english, values), values)
    told = names_in(callee.english)
    flags = [one.name for one in callee.params if one.type == BOOL and one.name not in told]
    if len(flags) != 1 or values[flags[0]] == ("value", True):
        return said
    undone = filled(teller.speaker, undone_words(callee.english), values)
    if values[flags[0]] == ("value", False):
        return undone
    test = teller.speaker.clause(values[flags[0]])
    return joined("if ", test, ", ", said, ", otherwise ", undone)


def describe_operate(
    teller: Teller, node: ast.OperateStmt, following: tuple[ast.Stmt, ...] = ()
) -> list[Step]:
    """An operation of the vocabulary."""
    callee = teller.symbols.operations.get(node.call.name.id)
    if callee is not None and callee.kind == "moment":
        return []  # a moment does nothing by itself, and its result is its argument
    text = teller.say(operation(teller, node.call))
    act = _act(teller, node.call, callee)
    text = text if act is None else Told.of(text, act)
    return [Step(_with_result(teller, node.giving, callee, following, text))]


def _act(teller: Teller, call: ast.CallExpr, callee: Signature | None) -> ActTree | None:
    """The tree of an operation in its author's words; None for one that these words turn round."""
    if callee is None or not callee.english:
        return None
    args = teller.arguments(callee, call.args)
    values = {param.name: arg for param, arg in zip(callee.params, args, strict=False)}
    told = names_in(callee.english)
    flags = [one for one in callee.params if one.type == BOOL and one.name not in told]
    turned = turned_round(callee.english, dict(values)) != callee.english
    return None if flags or turned else ActTree(teller.speaker, callee.english, values)


def _with_result(
    teller: Teller,
    giving: ast.Name | None,
    callee: Signature | None,
    following: tuple[ast.Stmt, ...],
    text: str,
) -> str:
    """A text with the name of the result of its call, if that is new: ` (the added piece)`."""
    if giving is None or callee is None or callee.result is None:
        return text
    name, type_ = giving.id, callee.result
    another = name in teller.names  # the name gets a new value
    teller.declare(name, type_, teller.words.get(name) or callee.words.get(callee.result_name, ""))
    known = teller.called(name, _noun_of(teller, type_))
    is_new = type_ != BOOL and (another or counted(following, name)) and known not in text
    return called(text, teller.speaker, known if is_new else "", _noun_of(teller, type_))


# ------------------------------------------------------------------------------------------ powers


def using(teller: Teller, name: str, args: tuple[ast.Arg, ...] = ()) -> str:
    """The use of a power: its gloss with its holes filled, or `use this card as a Move`."""
    power = teller.symbols.powers.get(name)
    if power is None:
        return f"use {word.spaced(name)}"
    said = _told_use(teller, power, args)
    if not word.is_noun(power.english):
        return said
    act = tree_of(said)
    words = use_as(teller) + said
    return Told.of(words, UsesTree(teller.thing, (act,))) if isinstance(act, ActTree) else words


def as_noun(teller: Teller, name: str, args: tuple[ast.Arg, ...] = ()) -> str:
    """The use of a power whose gloss is a noun: `a Move, with a step of 2`; empty for other powers."""
    power = teller.symbols.powers.get(name)
    is_one = power is not None and word.is_noun(power.english)
    return _told_use(teller, power, args) if power is not None and is_one else ""


def _told_use(teller: Teller, power: Signature, args: tuple[ast.Arg, ...]) -> str:
    values, unsaid = _arguments(teller, power, args)
    teller.mention(power.name, values)
    gloss = power.english or f"use the power {word.spaced(power.name)}"
    turned = turned_round(gloss, values)
    said = teller.say(filled(teller.speaker, turned, values, unsaid))
    untold = _untold(teller, power, values, unsaid)
    if untold or turned != gloss:
        return said + untold
    return Told.of(said, ActTree(teller.speaker, gloss, values, unsaid))


def use_as(teller: Teller) -> str:
    """The words before the noun of a power: `use this card as `."""
    return f"use this {teller.thing} as " if teller.thing else "use "


def _arguments(
    teller: Teller, power: Signature, args: tuple[ast.Arg, ...]
) -> tuple[dict[str, Expr], frozenset[str]]:
    """The arguments of a power by parameter, and the parameters left at their defaults."""
    names = (one.name for one in power.params)
    values = dict(zip(names, teller.arguments(power, args), strict=True))
    unsaid = (
        one.name
        for one in power.params
        if one.default and values[one.name] == teller.default(one.default, one.type)
    )
    return values, frozenset(unsaid)


def describe_use(
    teller: Teller, node: ast.UseStmt, following: tuple[ast.Stmt, ...] = (), label: str = ""
) -> list[Step]:
    """`use power(...)`; with special arguments, the label of the choice is used instead."""
    power = teller.symbols.powers.get(node.power.id)
    text = using(teller, node.power.id, node.args)
    if power is not None and label and not teller.full and word.is_noun(power.english):
        text = label if _untold(teller, power, *_arguments(teller, power, node.args)) else text
    return [Step(_with_result(teller, node.giving, power, following, text))]


def _untold(
    teller: Teller, power: Signature, values: Mapping[str, Expr], unsaid: Collection[str]
) -> str:
    """The special arguments of a use that its gloss lacks: `, with a step of 2`, or in brackets."""
    told, noun = {*names_in(power.english), *unsaid}, word.is_noun(power.english)
    special = [
        one
        for one in power.params
        if one.name not in told
        and not _is_plain(teller, one, values[one.name])
        # `die: the die` is redundant.
        and (noun or teller.noun(values[one.name]) != f"the {word.spaced(one.name)}")
    ]
    words = [(_with if noun else _noted)(teller, power, one, values[one.name]) for one in special]
    if not words:
        return ""
    return f", {' and '.join(words)}" if noun else f" ({'; '.join(words)})"


def _is_plain(teller: Teller, param: ParamSymbol, value: Expr) -> bool:
    """Whether an argument needs no words: none, or the only thing chosen before."""
    if value == ("value", None) or value[0] != "slot":
        return value == ("value", None)
    others = [one for one in teller.names.values() if teller.type_of(one).name == param.type.name]
    return teller.variables[value[1]].name == param.name or len(others) < 2


def _with(teller: Teller, power: Signature, param: ParamSymbol, value: Expr) -> str:
    name = word.spaced(param.name)
    if param.type == BOOL and param.name in power.words:
        return f"while {_noted(teller, power, param, value)}"
    if param.type == BOOL and value[0] == "value":
        return f"{'with' if value[1] else 'without'} “{name}”"
    if param.type == INT:
        return f"with {word.with_article(name)} of {teller.noun(value)}"
    return f"with {teller.noun(value)} as {name}"


def _noted(teller: Teller, power: Signature, param: ParamSymbol, value: Expr) -> str:
    name, said = word.spaced(param.name), power.words.get(param.name, "")
    if param.type == BOOL and value[0] == "value":
        if value[1]:
            return said or name
        return (word.denied(said) or f"not: {said}") if said else f"not {name}"
    return f"{said} if {teller.stated(value)}" if said else f"{name}: {teller.noun(value)}"


def describe_use_power(teller: Teller, node: ast.UsePowerStmt) -> list[Step]:
    """`use power of card with ...`."""
    meanwhile = (
        _now(teller, arg.label, teller.read(arg.value), "meanwhile ")
        for arg in node.scope
        if arg.label is not None
    )
    text = f"use the power of {teller.told(node.of)}"
    act = ActTree(teller.speaker, "use the power of {card}", {"card": teller.read(node.of)})
    return [Step("; ".join((text, *meanwhile)) if node.scope else Told.of(text, act))]


def as_uses(teller: Teller, words: str, nouns: Sequence[str], then: bool = False) -> str:
    """The words for several uses of a card, with their tree if each has one."""
    acts = [tree_of(one) for one in nouns]
    powers = tuple(one for one in acts if isinstance(one, ActTree))
    return (
        Told.of(words, UsesTree(teller.thing, powers, then)) if len(powers) == len(acts) else words
    )


def describe_combinable(teller: Teller, node: ast.CombinableStmt) -> list[Step]:
    """`combinable:` with two uses: in turn, or together by their fusion."""
    names = tuple(use.power.id for use in node.uses)
    if len(set(names)) == 1:
        used = using(teller, names[0])
        text, tree = f"{used} {word.times(len(names))}", tree_of(used)
        if isinstance(tree, UsesTree):
            text = Told.of(text, replace(tree, times=len(names)))
    elif teller.thing and all(nouns := [as_noun(teller, name) for name in names]):
        # `use this card as a Move, then as a Grow`: the opening is not repeated.
        text = as_uses(teller, use_as(teller) + ", then as ".join(nouns), nouns, then=True)
    else:
        text = ", then ".join(using(teller, name) for name in names)
    steps = [Step(text, may=True)]
    fusions = teller.symbols.fusions
    fusion = fusions.get(names) or fusions.get(tuple(reversed(names)))
    if fusion is not None and fusion.english:
        teller.mention(fusion.id, {})
        steps.append(Step(Told.of(fusion.english, ActTree(teller.speaker, fusion.english, {}))))
    return steps


def describe_for_each_at_once(teller: Teller, node: ast.ForEachStmt) -> list[Step] | None:
    """`for each` around one operation, as a single step; None for any other loop."""
    match node:
        case ast.ForEachStmt(order=None, body=(ast.OperateStmt(call=call),), one_by_one=False):
            domain = teller.read(node.domain)
        case _:
            return None
    group = group_of(teller.speaker, domain)
    slot = teller.declare(node.name.id, teller.type_of(domain).item)
    said = operation(teller, call)
    if not places_of(said, slot):
        return None
    words = chain((group.every,), repeat((IT,)))
    text = teller.say(
        realise(said, lambda part: next(words) if part[0] == ("slot", slot) else None)
    )
    act = _act(teller, call, teller.symbols.operations.get(call.name.id))
    return [Step(text if act is None else Told.of(text, ForEachTree(act, slot, domain)))]


def describe_ensure(teller: Teller, node: ast.EnsureStmt) -> list[Step]:
    """`ensure c "reason"`."""
    test = teller.read(node.condition)
    if test == YES:
        return []
    stated, reason = teller.stated(test), teller.written(node.reason)
    new = teller.full and not stated.startswith(reason)
    text = f"this is allowed only if {stated}" + (f" ({reason})" if new else "")
    tree = OnlyIfTree(TestTree(teller.speaker, test), reason if new else "")
    return [Step(Told.of(text, tree))]


def ignored(teller: Teller, rules: tuple[ast.Name, ...]) -> str:
    """`ignoring the limit of 3 pieces on a space`, or, without a name, `the rule that ...`."""
    glossary = teller.glossary
    # The noun of each rule, if all have one.
    named = (teller.symbols.words.get(("called", one.id), "") for one in rules)
    words = list(named)
    names = [teller.filled(one, {}) for one in words]
    if all(names):
        tree = IgnoringTree(None, teller.speaker, tuple(words))
        return Told.of(f"ignoring {word.listed(names)}", tree)
    said: list[str] = []
    for rule in rules:
        callee = teller.symbols.callables.get(rule.id)
        params = callee.params if callee is not None else ()
        any_of = {one.name: ("value", word.with_article(glossary.noun(one.type))) for one in params}
        said.append(teller.filled(glossary.rule(rule.id), any_of))
    return f"ignoring the rule{'s' * (len(said) > 1)} that {' and that '.join(said)}"


# -------------------------------------------------------------------------------- effects that last


def describe_begin(teller: Teller, node: ast.BeginStmt) -> list[Step]:
    """`begin blessing(2) on hero for 3`."""
    lasting = teller.symbols.lasting.get(node.name.id)
    if lasting is None:
        return [Step(f"{word.spaced(node.name.id)} begins")]
    args = teller.arguments(lasting.signature, node.args)
    names = (one.name for one in lasting.signature.params)
    values = dict(zip(names, args, strict=False))
    if node.on is not None:
        values[SELF] = teller.read(node.on, lasting.on)
    english, said = lasting.names.item.data("english"), f"{whole_effect(teller, node)} begins"
    if isinstance(english, str):
        said = f"from here on, {teller.filled(english, values)}"
    if node.time is not None:
        said += f", for {_times(teller, lasting, teller.read(node.time, INT), values)}"
    if node.giving is not None:
        teller.declare(node.giving.id, lasting.entity)
    return [Step(said)]


def _times(teller: Teller, lasting: Lasting, time: Expr, values: Mapping[str, Expr]) -> str:
    """The time of an effect: `2 rounds` if it counts the ends of rounds, otherwise `2 times`."""
    many, unit = teller.noun(time), ""
    if lasting.names.unit and SELF in values:
        unit = f"of {teller.say(owned(teller.speaker, 'turns', values[SELF]))}"
    elif lasting.names.counted is not None:
        name = lasting.names.counted.event.name.id
        event = teller.symbols.operations.get(name)
        unit = unit_of(name, event.english if event is not None else "")
        unit = unit.removesuffix("s") if many == "1" else unit
    if many.isdigit():
        return f"{many} {unit}".rstrip()
    return f"as many {unit or 'times'} as {many}"


def describe_prolong(teller: Teller, node: ast.ProlongStmt) -> list[Step]:
    """`prolong blessing on hero by 2`."""
    lasting, times = teller.symbols.lasting.get(node.name.id), teller.told(node.by, INT)
    if lasting is not None and node.name.id not in teller.names:
        values = {SELF: teller.read(node.on, lasting.on)} if node.on is not None else {}
        times = _times(teller, lasting, teller.read(node.by, INT), values)
    return [Step(f"{whole_effect(teller, node)} lasts longer by {times}")]


def whole_effect(teller: Teller, node: ast.BeginStmt | ast.EndStmt | ast.ProlongStmt) -> str:
    """A lasting effect, with its bearer."""
    lasting = teller.symbols.lasting.get(node.name.id)
    if lasting is None or node.name.id in teller.names:
        return teller.told(node.name)
    bearer = f" on {teller.told(node.on, lasting.on)}" if node.on is not None else ""
    return f"the {lasting.names.noun}{bearer}"


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
    known = teller.called(name, _noun_of(teller, type_))
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
            Told.of(said, BecomesTree(teller.speaker, known, value, _noun_of(teller, type_), first))
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


def _noun_of(scene: Scene, type_: Type) -> str:
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
        return [] if same else [Step(_now(teller, name, value))]
    if value == teller.names.get(name):
        return []
    return [Step(_assigned(teller, name, value))]


def _assigned(teller: Teller, name: str, value: Expr) -> str:
    """The assignment of a new value to a local variable."""
    itself, type_ = teller.names.get(name, NO), teller.type_of(value)
    if value == ("value", None) and itself[0] == "slot":
        return _none_now(teller, itself, "now ")
    words = _than_before(teller, value, itself)
    known = teller.called(name, _noun_of(teller, type_))
    changed = _changed_by(teller, itself, value, f"the {known}", _noun_of(teller, type_))
    if itself[0] != "slot":
        teller.declare(name, type_)
    elif teller.variables[itself[1]].type.name == "?":
        teller.variables[itself[1]] = Variable(name, type_)  # a list that began empty
    if changed:
        return changed
    if type_ == BOOL:
        return _answered(teller, name, value, "from here on, ")
    several = _is_several(type_, known)
    tree = BecomesTree(teller.speaker, known, value, _noun_of(teller, type_), "now ")
    plain = words == teller.noun(value)
    said = f"the {known} {'are' if several else 'is'} now {words}"
    return Told.of(said, tree) if plain else said


def _answered(teller: Teller, name: str, value: Expr, when: str) -> str:
    """The value of a Bool variable, in the words of its condition."""
    itself, known = teller.names[name], value[0] == "value"
    denied = known and value[1] is not True
    said = teller.say(clause(teller.speaker, itself, denied))
    if known and when == "from here on, ":
        return Told.of(f"{when}{said}", FromHereTree(TestTree(teller.speaker, itself, denied)))
    return f"{when}{said}" if known else f"{when}{said} if {teller.stated(value)}"


def _now(teller: Teller, name: str, value: Expr, when: str = "") -> str:
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
    text = f"{words} {'are' if many else 'is'} {now}{said}"
    if said != teller.noun(value) or scope is None:
        return text
    tree = BecomesTree(teller.speaker, words, value, "", now)
    return Told.of(text, tree)


def _none_now(teller: Teller, itself: Expr, now: str) -> str:
    """The assignment of none: `there is now no defence score`."""
    none = clause(teller.speaker, ("is_none", itself), False)
    there = "there is " if opening(none).startswith("there is ") else ""
    return teller.say(joined(f"{there}{now}" if there else "", without_opening(none, there)))


def _holds_now(teller: Teller, itself: Expr, value: Expr, words: str, when: str) -> str:
    if value[0] != "value":
        return f"from here on, {words} if {teller.stated(value)}"
    denied = value[1] is not True
    said = teller.say(clause(teller.speaker, itself, denied))
    text = f"{when or 'from here on '}{said}"
    return text if when else Told.of(text, FromHereTree(TestTree(teller.speaker, itself, denied)))


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
