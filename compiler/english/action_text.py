"""Renders statements that act: operations, powers, variables, lasting effects."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause_tree import (
    ActTree,
    ForEachTree,
    IgnoringTree,
    OnlyIfTree,
    TestTree,
    Told,
    UsesTree,
    called,
    tree_of,
)
from ruleloom.compiler.english.filling import filled, turned_round, undone_words
from ruleloom.compiler.english.glossary import YES
from ruleloom.compiler.english.page import Step, Teller
from ruleloom.compiler.english.phrase import group_of, owned
from ruleloom.compiler.english.stretch import counted
from ruleloom.compiler.english.template import (
    IT,
    joined,
    places_of,
    realise,
)
from ruleloom.compiler.english.variable_text import noun_of, now_words
from ruleloom.compiler.packs.lasting_names import SELF, unit_of
from ruleloom.compiler.resolve.declare import names_in
from ruleloom.compiler.resolve.symbols import Lasting, ParamSymbol, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import BOOL, INT


def operation(teller: Teller, call: ast.CallExpr) -> tuple[Template, ActTree | None]:
    """An operation in its author's English, and its tree; None for words that these turn round."""
    callee = teller.symbols.operations.get(call.name.id)
    if callee is None or not callee.english:
        return (word.spaced(call.name.id),), None
    args = teller.arguments(callee, call.args)
    values = {param.name: arg for param, arg in zip(callee.params, args, strict=False)}
    turned = turned_round(callee.english, values)
    said = filled(teller.speaker, turned, values)
    told = names_in(callee.english)
    flags = [one.name for one in callee.params if one.type == BOOL and one.name not in told]
    if not flags and turned == callee.english:
        return said, ActTree(teller.speaker, turned, values)
    if len(flags) != 1 or values[flags[0]] == ("value", True):
        return said, None
    undone = filled(teller.speaker, undone_words(callee.english), values)
    if values[flags[0]] == ("value", False):
        return undone, None
    test = teller.speaker.clause(values[flags[0]])
    return joined("if ", test, ", ", said, ", otherwise ", undone), None


def describe_operate(
    teller: Teller, node: ast.OperateStmt, following: tuple[ast.Stmt, ...] = ()
) -> list[Step]:
    """An operation of the vocabulary."""
    callee = teller.symbols.operations.get(node.call.name.id)
    if callee is not None and callee.kind == "moment":
        return []  # a moment does nothing by itself, and its result is its argument
    said, act = operation(teller, node.call)
    text = Told.of(teller.say(said), act)
    return [Step(_with_result(teller, node.giving, callee, following, text))]


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
    known = teller.called(name, noun_of(teller, type_))
    is_new = type_ != BOOL and (another or counted(following, name)) and known not in text
    return called(text, teller.speaker, known if is_new else "", noun_of(teller, type_))


# ------------------------------------------------------------------------------------------ powers


def using(teller: Teller, name: str, args: tuple[ast.Arg, ...] = ()) -> str:
    """The use of a power: its gloss with its holes filled, or `use this card as a Move`."""
    power = teller.symbols.powers.get(name)
    if power is None:
        return f"use {word.spaced(name)}"
    said = _told_use(teller, power, args)
    if not word.is_noun(power.english):
        return said
    return as_uses(teller, use_as(teller) + said, (said,))


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
        now_words(teller, arg.label, teller.read(arg.value), "meanwhile ")
        for arg in node.scope
        if arg.label is not None
    )
    text = f"use the power of {teller.told(node.of)}"
    act = ActTree(teller.speaker, "use the power of {card}", {"card": teller.read(node.of)})
    return [Step("; ".join((text, *meanwhile)) if node.scope else Told.of(text, act))]


def as_uses(teller: Teller, words: str, nouns: Sequence[str], then: bool = False) -> str:
    """The words for several uses of a card, with their tree if each has one."""
    powers = tuple(one for one in map(tree_of, nouns) if isinstance(one, ActTree))
    tree = UsesTree(teller.thing, powers, then) if len(powers) == len(nouns) else None
    return Told.of(words, tree)


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
    said, act = operation(teller, call)
    if not places_of(said, slot):
        return None
    words = chain((group.every,), repeat((IT,)))
    text = teller.say(
        realise(said, lambda part: next(words) if part[0] == ("slot", slot) else None)
    )
    return [Step(Told.of(text, act and ForEachTree(act, slot, domain)))]


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
