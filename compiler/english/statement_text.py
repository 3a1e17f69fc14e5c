"""Blocks of effect text as steps: every form of statement, in words."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.compiler.english import action_text, choice_text
from ruleloom.compiler.english.fold import NO, YES
from ruleloom.compiler.english.page import Step, StepPart, Teller, is_never
from ruleloom.compiler.english.phrase import group_of
from ruleloom.compiler.english.speaker import enumerated, is_me
from ruleloom.compiler.english.word import count, is_statement, times
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import INT, PLAYER


def told(teller: Teller, block: Sequence[ast.Stmt]) -> tuple[Step, ...]:
    """The steps of a block."""
    steps: list[Step] = []
    stmts = tuple(block)
    for at, stmt in enumerate(stmts):
        steps += _statement(teller, stmt, stmts[at + 1 :])
    return tuple(steps)


def _statement(teller: Teller, stmt: ast.Stmt, following: tuple[ast.Stmt, ...]) -> list[Step]:
    match stmt:
        case ast.ChooseStmt():
            return choice_text.told_choose(teller, stmt, following)
        case ast.SecretlyStmt():
            return choice_text.told_secretly(teller, stmt)
        case ast.AskStmt():
            return choice_text.told_ask(teller, stmt, following)
        case ast.RollStmt():
            return choice_text.told_roll(teller, stmt)
        case ast.DrawStmt():
            return choice_text.told_draw(teller, stmt)
        case ast.LetStmt():
            return action_text.told_let(teller, stmt, following)
        case ast.AssignStmt():
            return action_text.told_assign(teller, stmt)
        case ast.AddStmt():
            return action_text.told_add(teller, stmt)
        case ast.OperateStmt():
            return action_text.told_operate(teller, stmt)
        case ast.UseStmt():
            return action_text.told_use(teller, stmt)
        case ast.UsePowerStmt():
            return action_text.told_use_power(teller, stmt)
        case ast.CombinableStmt():
            return action_text.told_combinable(teller, stmt)
        case ast.EnsureStmt():
            return action_text.told_ensure(teller, stmt)
        case ast.FinishStmt():
            return action_text.told_finish(teller, stmt)
        case ast.SayStmt(text=text):
            return [Step(f"say: “{teller.written(text)}”")]
        case ast.TellStmt(to=to, text=text):
            who = teller.noun(teller.scene.read(to, PLAYER))
            return [Step(f"tell {who}, and nobody else: “{teller.written(text)}”")]
        case ast.StopStmt():
            return [Step("stop here")]
        case _:
            return _with_block(teller, stmt)


def _with_block(teller: Teller, stmt: ast.Stmt) -> list[Step]:
    match stmt:
        case ast.ChooseOneStmt():
            return _choose_one(teller, stmt)
        case ast.OptionalStmt():
            return _optional(teller, stmt)
        case ast.IfStmt():
            return _branch(teller, stmt)
        case ast.ForEachStmt():
            return _for_each(teller, stmt)
        case ast.RepeatStmt():
            return _repeat(teller, stmt)
        case ast.RepeatUntilStmt():
            return _repeat_until(teller, stmt)
        case ast.IgnoringStmt():
            return _ignoring(teller, stmt)
        case _:
            return []


# ------------------------------------------------------------------------------- which way to go on


def _choose_one(teller: Teller, node: ast.ChooseOneStmt) -> list[Step]:
    by = teller.scene.read(node.by) if node.by is not None else ("scope", "me")
    who = "" if is_me(by) else teller.noun(by)
    verb = "chooses" if who else "choose"
    glosses = _nouns_of(teller, node)
    if glosses is not None:
        return [Step(glosses, who=who)]
    parts: list[StepPart] = []
    for mode in node.modes:
        tests = teller.tests(mode.when)
        if is_never(tests):
            continue
        label = mode.label.value
        if tests:
            # The conditions stand behind the label, joined into one.
            said = enumerated([teller.speaker.clause(test) for test in tests], "and")
            label += f", if {teller.say(said)}"
        before = dict(teller.scene.names)
        parts.append(StepPart(label, _mode_steps(teller, mode)))
        teller.scene.names = {
            **before,
            **{k: v for k, v in teller.scene.names.items() if k not in before},
        }
    if len(parts) == 1:
        return [Step(f"take this: {parts[0].label}", (StepPart("", parts[0].steps),), who=who)]
    return [Step(f"{verb} one", tuple(parts), who=who)]


def _mode_steps(teller: Teller, mode: ast.ModeClause) -> tuple[Step, ...]:
    steps = told(teller, mode.body)
    # A mode that says no more than its label needs no steps.
    if len(steps) == 1 and steps[0].text.lower() == mode.label.value.lower() and not steps[0].parts:
        return ()
    return steps


def _nouns_of(teller: Teller, node: ast.ChooseOneStmt) -> str | None:
    """`use this card as a Move or a Grow`, where each mode is only the use of a power that is a
    noun."""
    texts: list[str] = []
    start = f"use this {teller.thing} as " if teller.thing else "use "
    for mode in node.modes:
        if (
            mode.when is not None
            or len(mode.body) != 1
            or not isinstance(mode.body[0], ast.UseStmt)
        ):
            return None
        step = action_text.told_use(teller, mode.body[0])[0]
        if not step.text.startswith(f"{start}a"):
            return None
        texts.append(step.text.removeprefix(start))
    return f"{start}{', '.join(texts[:-1])} or {texts[-1]}" if len(texts) > 1 else None


def _optional(teller: Teller, node: ast.OptionalStmt) -> list[Step]:
    by = teller.scene.read(node.by) if node.by is not None else ("scope", "me")
    who = "" if is_me(by) else teller.noun(by)
    label = teller.written(node.label)
    if len(node.body) == 1 and isinstance(node.body[0], ast.UseStmt):
        steps: Sequence[Step] = action_text.told_use(teller, node.body[0], label)
    else:
        steps = told(teller, node.body)
    if not steps:
        return []
    only = steps[0]
    if len(steps) == 1 and not only.who and not is_statement(only.text) and not _is_condition(only):
        return [Step(only.text, only.parts, True, who)]
    return [Step(label or "do this", (StepPart("", tuple(steps)),), True, who)]


def _is_condition(step: Step) -> bool:
    return step.text.startswith(("if ", "for each ", "until ", "otherwise")) or step.may


# ---------------------------------------------------------------------------- conditions and rounds


def _branch(teller: Teller, node: ast.IfStmt) -> list[Step]:
    steps: list[Step] = []
    before = dict(teller.scene.names)
    for condition, body in node.arms:
        test = teller.scene.read(condition)
        if test == NO:
            continue
        if test == YES:
            return [*steps, *_otherwise(teller, body, bool(steps))]
        head = f"{'otherwise, if' if steps else 'if'} {teller.stated(test)}"
        inner = told(teller, body)
        if inner:
            steps.append(Step(head, (StepPart("", inner),)))
        elif node.otherwise:
            steps.append(Step(head, (StepPart("", (Step("do nothing"),)),)))
        teller.scene.names = {**teller.scene.names, **before}
    return [*steps, *_otherwise(teller, node.otherwise, bool(steps))]


def _otherwise(teller: Teller, body: tuple[ast.Stmt, ...], behind: bool) -> tuple[Step, ...]:
    steps = told(teller, body)
    return (Step("otherwise", (StepPart("", steps),)),) if behind and steps else steps


def _for_each(teller: Teller, node: ast.ForEachStmt) -> list[Step]:
    at_once = action_text.told_for_each_at_once(teller, node)
    if at_once is not None:
        return at_once
    scene = teller.scene
    domain = scene.read(node.domain)
    every = teller.say(group_of(teller.speaker, domain).every)
    scene.declare(node.name.id, scene.type_of(domain).item)
    order = (
        f", in the order of {teller.noun(scene.read(node.order))}" if node.order is not None else ""
    )
    return [Step(f"for {every}{order}", (StepPart("", told(teller, node.body)),))]


def _repeat(teller: Teller, node: ast.RepeatStmt) -> list[Step]:
    number = teller.scene.read(node.times)
    if node.name is not None:
        teller.scene.declare(node.name.id, INT)
    inner = told(teller, node.body)
    if len(inner) == 1:
        only = inner[0]
        most = f"up to {_times(teller, number, up_to=True)}"
        if only.may and not only.who:
            return [Step(most, (StepPart("", (Step(only.text, only.parts),)),))]
        nested = only.parts[0].steps if len(only.parts) == 1 and not only.chooses else ()
        if len(nested) == 1 and nested[0].may and not nested[0].who and only.text.startswith("if "):
            head = f"{most}, {only.text}"
            return [Step(head, (StepPart("", (Step(nested[0].text, nested[0].parts),)),))]
    return [Step(_times(teller, number), (StepPart("", inner),))]


def _times(teller: Teller, number: Expr, up_to: bool = False) -> str:
    number = (
        number if number[0] != "setting" else ("value", teller.scene.settings.get(number[1], 0))
    )
    if number[0] == "value" and isinstance(number[1], int) and number[1] > 0:
        return f"{count(number[1])} times" if up_to and number[1] > 1 else times(number[1])
    words = teller.noun(number)
    return f"as often as {words}" if words.startswith("the number of ") else f"{words} times"


def _repeat_until(teller: Teller, node: ast.RepeatUntilStmt) -> list[Step]:
    most = _times(teller, teller.scene.read(node.most))
    before = dict(teller.scene.names)
    inner = told(teller, node.body)
    after, teller.scene.names = teller.scene.names, before
    until = teller.condition(node.until)
    teller.scene.names = after
    return [Step(f"repeat this until {until} (at most {most})", (StepPart("", inner),))]


def _ignoring(teller: Teller, node: ast.IgnoringStmt) -> list[Step]:
    words = action_text.ignored(teller, node.rules)
    steps = told(teller, node.body)
    if len(steps) == 1 and not steps[0].parts:
        only = steps[0]
        return [Step(f"{only.text}, {words}", only.parts, only.may, only.who)]
    return [Step(words, (StepPart("", steps),))]
