"""Renders blocks as steps, by form of statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from ruleloom.compiler.english import action_text, choice_text, variable_text
from ruleloom.compiler.english.clause import NOT_TRUE, NUMBER_OF
from ruleloom.compiler.english.clause_tree import (
    ActTree,
    AgainTree,
    EndsTree,
    IgnoringTree,
    LoopTree,
    ModeTree,
    OftenTree,
    SpokenTree,
    TestTree,
    Told,
    fixed,
    tree_of,
)
from ruleloom.compiler.english.event_text import occasion
from ruleloom.compiler.english.glossary import ANSWER, NO, YES, parsed_field
from ruleloom.compiler.english.page import FARTHEST, Sort, Step, StepMode, Teller, done_by, verb_of
from ruleloom.compiler.english.phrase import group_of, noun, wording
from ruleloom.compiler.english.stretch import asked, asks, counted
from ruleloom.compiler.english.template import in_other_words, is_me, joined, opening
from ruleloom.compiler.english.word import count, is_statement, listed, times
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_abilities
from ruleloom.compiler.syntax.tree import walk
from ruleloom.runtime.program.expr import conjunction, conjuncts, operands
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import INT, PLAYER


def render_steps(teller: Teller, block: Sequence[ast.Stmt]) -> tuple[Step, ...]:
    """The steps of a block."""
    steps: list[Step] = []
    stmts = tuple(block) if teller.full else _without_asides(tuple(block))
    told = 0
    for at, stmt in enumerate(stmts):
        rest, run = stmts[at + 1 :], _alike(teller, stmts[at:])
        if at >= told and len(run) > 1:
            steps.append(_told_together(teller, run))
            told = at + len(run)
        if at < told:
            continue
        teller.offered = _offered(stmts[at - 1]) if at else ""
        if rest and (instead := _without_stop(stmt)) is not None:
            return (*steps, *_two_ways(teller, instead, _other_way(stmt), rest))
        ahead = _LOOKING_AHEAD.get(type(stmt))
        steps += ahead(teller, stmt, rest) if ahead else _FORMS[type(stmt)](teller, stmt)
    return tuple(steps)


def _two_ways(
    teller: Teller, one: ast.Stmt, head: str, other: Sequence[ast.Stmt]
) -> tuple[Step, ...]:
    """What stops after it has done something, and what is done where it does not."""
    first, others = render_steps(teller, (one,)), render_steps(teller, other)
    sort = Sort.ACT if head == _GOES_ON else Sort.OTHERWISE
    return (*first, Step(fixed(head), others, sort=sort)) if first else others


def _told_together(teller: Teller, run: Sequence[ast.AssignStmt]) -> Step:
    """One step for several assignments of the same value."""
    names = [teller.glossary.named("scope", one.name.id) for one in run]
    none = run[0].value.value if isinstance(run[0].value, ast.NumberLiteral) else "none"
    return Step(f"{listed(names)} are now {none}")


def _alike(teller: Teller, stmts: Sequence[ast.Stmt]) -> list[ast.AssignStmt]:
    """The leading assignments of one number, or of none, to variables of the game."""
    run: list[ast.AssignStmt] = []
    for stmt in stmts:
        match stmt:
            case ast.AssignStmt(name=name, value=ast.NumberLiteral() | ast.NoneLiteral() as value):
                if name.id in teller.symbols.scope and (not run or run[0].value == value):
                    run.append(stmt)
                    continue
        break
    return run


def _offered(stmt: ast.Stmt) -> str:
    """The variable of an optional choice or prompt; empty for any other statement."""
    match stmt:
        case (
            ast.ChooseStmt(count="one", or_none=True, name=name)
            | ast.AskStmt(or_none=True, name=name)
        ):
            return name.id
    return ""


def _without_asides(block: tuple[ast.Stmt, ...]) -> tuple[ast.Stmt, ...]:
    """A block without texts said beside its actions, and without values used only in these: a card has
    no room for them."""
    done: tuple[ast.Stmt, ...] = ()
    for stmt in reversed(block):
        match stmt:
            case ast.LetStmt(name=name) if counted(block, name.id) > 1 and not counted(
                done, name.id
            ):
                continue
            case ast.ForEachStmt(body=(ast.LetStmt(), *_) as body) if not _does_anything(body):
                continue
        done = done if isinstance(stmt, ast.SayStmt) else (stmt, *done)
    return done if _does_anything(done) else block


def _does_anything(block: tuple[ast.Stmt, ...]) -> bool:
    """Whether a block does more than say texts."""
    idle = ast.IdleMoment | ast.StopStmt | ast.SayStmt | ast.LetStmt
    return any(not isinstance(one, idle) for one in block)


def _without_stop(stmt: ast.Stmt) -> ast.Stmt | None:
    """A condition or an offer whose body ends with `stop`, without that; None if it has none.

    One whose body ends the game is returned unchanged.
    """
    match stmt:
        case ast.IfStmt(arms=((condition, body),), otherwise=()) if left := _unstopped(body):
            return replace(stmt, arms=((condition, left),))
        case ast.OptionalStmt(body=body) if left := _unstopped(body):
            return replace(stmt, body=left)
        case ast.ForEachStmt() if _ends_game(stmt):
            return stmt
    return None


def _unstopped(body: tuple[ast.Stmt, ...]) -> tuple[ast.Stmt, ...]:
    """A block without its final `stop`; empty if it has none, or nothing else."""
    if body and _ends_game(body[-1]):
        return body
    if len(body) > 1 and isinstance(body[-1], ast.StopStmt):
        return body[:-1]
    inner = _without_stop(body[0]) if len(body) == 1 else None
    return (inner,) if inner is not None else ()


def _ends_game(node: object) -> bool:
    return any(isinstance(one, ast.FinishStmt | ast.RankStmt) for one in walk(node))


_GOES_ON = "if the game goes on"


def _other_way(stmt: ast.Stmt) -> str:
    """The head of the following steps, after a statement that may end the effect or the game."""
    match stmt:
        case (
            ast.IfStmt(arms=((_, (*_, ast.FinishStmt() | ast.RankStmt())),))
            | ast.OptionalStmt(body=(*_, ast.FinishStmt() | ast.RankStmt()))
        ):
            pass
        case _ if _ends_game(stmt):
            return _GOES_ON
    return "if not" if isinstance(stmt, ast.OptionalStmt) else "otherwise"


def _begin(teller: Teller, node: ast.BeginStmt) -> list[Step]:
    """A lasting effect; one that only waits for an event is rendered as that event."""
    lasting = teller.symbols.lasting.get(node.name.id)
    if lasting is None or not lasting.names.is_later:
        return action_text.describe_begin(teller, node)
    item = lasting.names.item
    (when, *_) = parsed_field(teller.symbols, item, "abilities", parse_abilities) or (None,)
    return _later(teller, when, node.time) if isinstance(when, ast.When) else []


_ASKED = "$asked"
_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}


def _later(teller: Teller, node: ast.LaterStmt | ast.When, counted: ast.Expr | None) -> list[Step]:
    """The consequences of a later event: its next occurrence, or the `counted` one."""
    before = dict(teller.names)
    number = teller.read(counted) if counted is not None else ("value", 1)
    # The acting player may then be another; prompts still go to the current one.
    teller.names[_ASKED] = before.get("me", ("scope", "me"))
    teller.let_another_act()
    word = "the next time"
    if number != ("value", 1):
        which = _ORDINALS.get(number[1]) if number[0] == "value" else None
        said = f"{which} time" if which is not None else f"last of {teller.noun(number)} times"
        word = f"the {said} from now that"
    when = occasion(teller, word, node.event, node.where)
    steps = render_steps(teller, asked(node.body, _ASKED))
    teller.names = before
    return [] if when.never else [replace(when, inner=steps)]


# ------------------------------------------------------------------------------- ways and offers


def _choose_one(teller: Teller, node: ast.ChooseOneStmt) -> list[Step]:
    who = teller.other_player(node.by)
    menu = teller.symbols.menu(node)
    offered = [offer.clause() for offer in menu.offers] if menu is not None else node.modes
    glosses = _nouns_of(teller, offered)
    if glosses is not None:
        return [Step(glosses, who=who)]
    parts = tuple(filter(None, (_mode(teller, mode) for mode in offered)))
    if len(parts) == 1:
        head = f"the only choice{f' of {who}' if who else ''} is {parts[0].label}"
        return [Step(head, parts[0].steps, sort=Sort.OFTEN)]
    chooser = done_by(who, "choose", "one") if who else Step(fixed("choose one"))
    return [replace(chooser, modes=parts)]


def _mode(teller: Teller, mode: ast.ModeClause) -> StepMode | None:
    """One mode; None if the current settings rule it out."""
    tests = teller.tests(mode.when)
    if NO in tests:
        return None
    label = mode.label.value + (f", if {teller.say(teller.all_stated(tests))}" if tests else "")
    stated = tuple(TestTree(teller.speaker, part) for test in tests for part in conjuncts(test))
    label = Told.of(label, ModeTree(ActTree(teller.speaker, mode.label.value, {}), stated))
    before = dict(teller.names)
    steps = render_steps(teller, mode.body)
    # A mode whose only step equals its label needs no steps.
    if len(steps) == 1 and steps[0].text.lower() == mode.label.value.lower() and steps[0].is_bare:
        steps = ()
    teller.names |= before
    return StepMode(label, steps)


def _nouns_of(teller: Teller, modes: Sequence[ast.ModeClause]) -> str | None:
    """`use this card as a Move or a Grow`, if each mode only uses a power that reads as a noun."""
    nouns = []
    for mode in modes:
        match mode:
            case ast.ModeClause(when=None, body=(ast.UseStmt(power=power, args=args),)):
                nouns.append(action_text.as_noun(teller, power.id, args))
            case _:
                return None
    if len(nouns) < 2 or not all(nouns):
        return None
    words = action_text.use_as(teller) + listed(nouns, "or")
    return action_text.as_uses(teller, words, nouns)


def _optional(teller: Teller, node: ast.OptionalStmt) -> list[Step]:
    who = teller.other_player(node.by)
    label = _label(teller, node, who)
    if len(node.body) == 1 and isinstance(node.body[0], ast.UseStmt):
        steps: Sequence[Step] = action_text.describe_use(teller, node.body[0], label=label)
    else:
        steps = render_steps(teller, node.body)
    if not steps:
        return []
    if len(steps) == 1:
        only, (verb, _, rest) = steps[0], label.partition(" ")
        if only.is_bare and only.text == f"{who or 'you'} {verb_of(who, verb)} {rest}":
            return [Step(label, may=True, who=who)]
        conditional = only.may or only.sort in (Sort.IF, Sort.OTHERWISE)
        # No `may` before a step with its own actor or condition.
        if not (only.who or is_statement(only.text) or conditional):
            return [replace(only, may=True, who=who)]
    if is_statement(label):
        label = f"decide that {label}"
    return [Step(label or "do this", tuple(steps), True, who)]


def _label(teller: Teller, node: ast.OptionalStmt, who: str) -> str:
    """The label of an offer, which is something to do."""
    label = teller.written(node.label)
    if who:
        return label.removesuffix(f" with {who}")
    is_plain = node.label is not None and label == node.label.value
    return Told.of(label, ActTree(teller.speaker, label, {}) if is_plain else None)


# ------------------------------------------------------------------------------------- conditions


def _branch(teller: Teller, node: ast.IfStmt) -> list[Step]:
    steps: list[Step] = []
    before, offered, denied = dict(teller.names), teller.offered, NO
    alone = len(node.arms) == 1 and not node.otherwise
    for condition, body in node.arms:
        test = _without_guards(teller, teller.read(condition), alone)
        if test == NO:
            continue
        if steps and test == denied:
            test = YES
        denied = ("not", test)
        if test == YES:
            return [*steps, *_otherwise(teller, body, bool(steps))]
        lead, head = _if(teller, test, offered)
        sort = Sort.OTHERWISE if steps or head == "not" else Sort.IF
        lead = f"{'otherwise, ' if steps else ''}{lead}"
        inner = render_steps(teller, body)
        if not teller.full and _is_guard(test, body):
            continue
        if not inner and node.otherwise:
            inner = (Step(fixed("do nothing")),)
        if inner:
            steps.append(Step(head, inner, sort=sort, lead=lead))
        teller.names |= before
    return [*steps, *_otherwise(teller, node.otherwise, bool(steps))]


def _without_guards(teller: Teller, test: Expr, alone: bool) -> Expr:
    """A condition; on a card, without tests that a value of the text exists.

    If `alone`, tests that a variable of the game exists are dropped as well.
    """
    left = []
    for one in () if teller.full else conjuncts(test):
        match one:
            case ("not", ("is_none", value)) if value in teller.derived:
                continue
            case ("not", ("is_none", ("scope", _))) if alone:
                continue
        left.append(one)
    return test if teller.full else conjunction(left) or YES


def _if(teller: Teller, test: Expr, offered: str) -> tuple[str, str]:
    """`if it rains`; `unless` where a negation would be hard to understand."""
    denies = test[0] == "not"
    asked = test[1] if denies else test
    if offered and asked == ("is_none", teller.names.get(offered)):
        return "if ", "so" if denies else "not"
    if asked[0] == "slot" and teller.variables[asked[1]].name == ANSWER:
        return "if ", "not" if denies else "so"
    if denies and opening(teller.speaker.clause(test)).startswith(NOT_TRUE):
        return "unless ", teller.stated(asked)
    return "if ", teller.stated(test)


def _is_guard(test: Expr, body: tuple[ast.Stmt, ...]) -> bool:
    """Whether an arm only stops if a thing is missing, which a card leaves out."""
    absent = all(one[0] == "is_none" for one in operands("or", test))
    return absent and len(body) == 1 and isinstance(body[0], ast.StopStmt)


def _otherwise(teller: Teller, body: tuple[ast.Stmt, ...], behind: bool) -> tuple[Step, ...]:
    steps = render_steps(teller, body)
    last = Step(fixed("otherwise"), steps, sort=Sort.OTHERWISE)
    return (last,) if behind and steps else steps


# ------------------------------------------------------------------------------- again and again


def _for_each(teller: Teller, node: ast.ForEachStmt) -> list[Step]:
    at_once = action_text.describe_for_each_at_once(teller, node)
    if at_once is not None:
        return at_once
    domain = teller.read(node.domain)
    group, item = group_of(teller.speaker, domain), teller.type_of(domain).item
    every, about = teller.say(group.every), teller.say(joined(group.singular, group.tail))
    teller.declare(node.name.id, item)
    head, noun = f"for {every}", teller.glossary.noun(item)
    called = ""
    name = teller.called(node.name.id, noun)
    known = name == noun or name in every or item.name in teller.symbols.enums
    if not known and counted(node.body, node.name.id):
        head += f" (the {name})"  # the name of each from here on
        called = name
    if node.order is not None:
        by = teller.read(node.order)
        highest = by[0] == "negative"
        head += f", in the order of {teller.noun(by[1] if highest else by)}"
        head += ", the highest first" if highest else ""
    head += ", one after the other" if node.one_by_one else ""
    if node.order is None and not node.one_by_one:
        kind = teller.glossary.noun(item)
        head = Told.of(head, LoopTree(teller.speaker, domain, called, kind))
    return [Step(head, _again(teller, node.body), sort=Sort.EACH, about=about)]


def _repeat(teller: Teller, node: ast.RepeatStmt) -> list[Step]:
    number = teller.read(node.times)
    if node.name is not None:
        teller.declare(node.name.id, INT)
    inner = _again(teller, node.body)
    if number == ("value", 1) and node.name is None:
        return list(inner)
    if len(inner) == 1:
        often = _as_often(inner[0], _so_often(teller, number, up_to=True))
        if often is not None:
            return [often]
    most = "up to " if _ends_when_left(node.body) and number[0] in ("value", "setting") else ""
    head = _so_often(teller, number, up_to=bool(most))
    return [Step(head, inner, sort=Sort.OFTEN if most else Sort.ACT)]


def _as_often(only: Step, most: str) -> Step | None:
    """A step that is ours to skip, perhaps within a condition, as one that may be taken so often."""
    if only.sort == Sort.IF and len(only.inner) == 1 and not _is_ours_to_skip(only):
        often, test = tree_of(most), tree_of(only.text)
        only, most = only.inner[0], f"{most}, {only.lead}{only.text}"
        if isinstance(often, OftenTree) and isinstance(test, TestTree):
            most = Told.of(most, ModeTree(often, (test,)))
    if _is_ours_to_skip(only):
        return Step(most, (replace(only, may=False),), sort=Sort.OFTEN)
    return None


def _again(teller: Teller, body: tuple[ast.Stmt, ...]) -> tuple[Step, ...]:
    """The steps of the body of a loop."""
    before, teller.repeated = teller.repeated, True
    steps = render_steps(teller, body)
    teller.repeated = before
    return steps


def _ends_when_left(body: tuple[ast.Stmt, ...]) -> bool:
    """Whether a block begins with a choice, and stops without one."""
    match body:
        case (
            ast.ChooseStmt(or_none=True, name=name),
            ast.IfStmt(
                arms=((ast.IsNone(value=ast.Name(id=asked), negated=False), (ast.StopStmt(),)),),
                otherwise=(),
            ),
            *_,
        ):
            return asked == name.id
    return False


def _is_ours_to_skip(step: Step) -> bool:
    return step.may and not step.who


def _so_often(teller: Teller, number: Expr, up_to: bool) -> str:
    """The head of what is done so often, or up to that."""
    words = "up to " * up_to + _times(teller, number, up_to)
    return Told.of(words, OftenTree(teller.speaker, number, up_to))


def _times(teller: Teller, number: Expr, up_to: bool = False) -> str:
    if number[0] == "setting":
        number = ("value", teller.settings.get(number[1], 0))
    if _is_counted(number):
        return f"{count(number[1])} times" if up_to and number[1] > 1 else times(number[1])
    if number[0] == "slot":
        return "that many times"
    if number[0] == "count":
        return f"as often as there are {teller.say(group_of(teller.speaker, number[1]).plural)}"
    if number[0] == "-" and number[1][0] == "count":
        return f"{_times(teller, number[1])} but {_in_letters(teller, number[2])}"
    counted = wording(teller.speaker, number)[0].startswith(NUMBER_OF)
    return f"as {'often' if counted else 'many times'} as {teller.noun(number)}"


def _in_letters(teller: Teller, number: Expr) -> str:
    return count(number[1]) if _is_counted(number) else teller.noun(number)


def _is_counted(number: Expr) -> bool:
    return number[0] == "value" and isinstance(number[1], int) and number[1] > 0


def _repeat_until(teller: Teller, node: ast.RepeatUntilStmt) -> list[Step]:
    number = teller.read(node.most)
    before = dict(teller.names)
    inner = _again(teller, node.body)
    after, teller.names = teller.names, before
    exits = {("slot", before[name][1]) for name in teller.exits if name in before}
    tests = [one for one in operands("or", teller.read(node.until)) if one not in exits]
    head, until, most = "repeat this", None, None
    if tests:
        until = TestTree(teller.speaker, reduce(lambda one, other: ("or", one, other), tests))
        head += f" until {teller.stated(until.expr)}"
    teller.names = after
    if teller.full or (asks(node.body) and _is_ruled(number)):
        head += f" (at most {_times(teller, number)})"
        most = OftenTree(teller.speaker, number, False)
    return [Step(Told.of(head, AgainTree(until, most)), inner, sort=Sort.OFTEN)]


def _is_ruled(most: Expr) -> bool:
    """Is it a rule of its author's? Any other is a bound for the machine."""
    told = most[0] == "value" and isinstance(most[1], int) and most[1] < FARTHEST
    return most[0] == "setting" or told


def _ignoring(teller: Teller, node: ast.IgnoringStmt) -> list[Step]:
    words = action_text.ignored(teller, node.rules)
    steps = render_steps(teller, node.body)
    if len(steps) == 1 and steps[0].is_bare:
        of, rules = tree_of(steps[0].text), tree_of(words)
        tree = of and isinstance(rules, IgnoringTree) and replace(rules, of=of)
        return [replace(steps[0], text=Told.of(f"{steps[0].text}, {words}", tree or None))]
    return [Step(words, steps)]


def _keeping(teller: Teller, node: ast.KeepingStmt) -> list[Step]:
    said = listed([teller.glossary.named("scope", one.id) for one in node.names])
    several = f"these are again as they were before: {said}"
    again = several if node.names[1:] else f"{said} is again as it was before"
    return [*render_steps(teller, node.body), Step(again)]


# ----------------------------------------------------------------------------------------- the end


def describe_finish(teller: Teller, node: ast.FinishStmt) -> list[Step]:
    """`finish won by x` and `finish drawn`."""
    reason = teller.written(node.reason)
    if node.winner is None:
        drawn = f"the game ends in a draw: {reason}"
        return [Step(Told.of(drawn, EndsTree(teller.speaker, None, reason)))]
    winner = teller.read(node.winner)
    several = is_me(winner) or teller.type_of(winner).many
    said = f"{teller.noun(winner)} {'win' if several else 'wins'} the game: {reason}"
    return [Step(Told.of(said, EndsTree(teller.speaker, winner, reason)))]


def describe_rank(teller: Teller, node: ast.RankStmt) -> list[Step]:
    """`finish ranked p in players by score(p)`."""
    reason = teller.written(node.reason)
    whole, before = teller.told(node.domain), dict(teller.names)
    slot = teller.declare(node.name.id, PLAYER)
    number = noun(teller.speaker.binding(slot), teller.read(node.number))
    by = teller.say(in_other_words(number, slot, "each"))
    teller.names = before
    return [Step(f"the game ends, and {whole} are ranked by {by}, the highest first: {reason}")]


def _put(teller: Teller, node: ast.PutStmt) -> str:
    order = ", in that order" if teller.type_of(teller.read(node.things)).many else ""
    end = "on top of" if node.end == "top" else "at the bottom of"
    return f"put {teller.told(node.things)} {end} {teller.told(node.pile)}{order}"


def _plain(text: Callable[[Teller, Any], str]) -> Callable[[Teller, Any], list[Step]]:
    """The renderer of a statement that is one step, regardless of context."""
    return lambda teller, node: [Step(text(teller, node))]


# Each function takes its own class of node, which the type of a mapping cannot express.
_FORMS: Mapping[type[ast.Stmt], Callable[[Teller, Any], list[Step]]] = {
    ast.SecretlyStmt: choice_text.describe_secretly,
    ast.DrawStmt: choice_text.describe_draw,
    ast.LookStmt: choice_text.describe_look,
    ast.PutStmt: _plain(_put),
    ast.ShowStmt: _plain(
        lambda teller, node: (
            f"show {teller.told(node.things)} to {teller.told(node.to)}, and to nobody else"
        )
    ),
    ast.AssignStmt: variable_text.describe_assign,
    ast.AddStmt: variable_text.describe_add,
    ast.IdleMoment: lambda *_: [],
    ast.UsePowerStmt: action_text.describe_use_power,
    ast.CombinableStmt: action_text.describe_combinable,
    ast.EnsureStmt: action_text.describe_ensure,
    ast.BeginStmt: _begin,
    ast.EndStmt: _plain(lambda teller, node: f"{action_text.whole_effect(teller, node)} is over"),
    ast.ProlongStmt: action_text.describe_prolong,
    ast.RunOut: lambda *_: [],
    ast.LaterStmt: lambda teller, node: _later(teller, node, node.times),
    ast.FinishStmt: describe_finish,
    ast.RankStmt: describe_rank,
    ast.SayStmt: _plain(
        lambda teller, node: Told.of(
            f"say: “{teller.quoted(node.text)}”", SpokenTree(node.text.value)
        )
    ),
    ast.TellStmt: _plain(
        lambda teller, node: (
            f"tell {teller.told(node.to)}, and nobody else: “{teller.quoted(node.text)}”"
        )
    ),
    ast.StopStmt: lambda *_: [Step(fixed("stop here"))],
    ast.ChooseOneStmt: _choose_one,
    ast.OptionalStmt: _optional,
    ast.IfStmt: _branch,
    ast.ForEachStmt: _for_each,
    ast.RepeatStmt: _repeat,
    ast.RepeatUntilStmt: _repeat_until,
    ast.IgnoringStmt: _ignoring,
    ast.KeepingStmt: _keeping,
}
# These also see the rest of the block, to leave out what it repeats.
_LOOKING_AHEAD: Mapping[type[ast.Stmt], Callable[[Teller, Any, tuple[ast.Stmt, ...]], list[Step]]]
_LOOKING_AHEAD = {
    ast.ChooseStmt: choice_text.describe_choose,
    ast.AskStmt: choice_text.describe_ask,
    ast.RollStmt: choice_text.describe_roll,
    ast.LetStmt: variable_text.describe_let,
    ast.OperateStmt: action_text.describe_operate,
    ast.UseStmt: action_text.describe_use,
}
