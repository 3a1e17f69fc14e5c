"""Statements that ask, in words: who chooses what from where, and what it must be like."""

from __future__ import annotations

from ruleloom.compiler.english.glossary import ANSWER, YES, Unsaid, Variable
from ruleloom.compiler.english.page import Step, Teller, counted, verb_of
from ruleloom.compiler.english.phrase import group_of, noun, relative, spanned
from ruleloom.compiler.english.template import (
    IT,
    Group,
    enumerated,
    in_other_words,
    joined,
    opening,
)
from ruleloom.compiler.english.word import NUMBER, TEXT, called, count, listed, with_article
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.program.expr import conjunction, conjuncts, slots_read
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import DICE, Type


def describe_choose(
    teller: Teller, node: ast.ChooseStmt, following: tuple[ast.Stmt, ...]
) -> list[Step]:
    """`choose x from xs where ...`."""
    return _ordered(teller, node) if node.count == "order" else _chosen(teller, node, following)


def _chosen(teller: Teller, node: ast.ChooseStmt, following: tuple[ast.Stmt, ...]) -> list[Step]:
    scene = teller.scene
    domain = scene.read(node.domain)
    item = scene.type_of(domain).item
    who = teller.other_player(node.by)
    limit = scene.read(node.limit) if node.limit is not None else None
    is_option = item.name in scene.glossary.symbols.enums
    if is_option and not who and _is_said_at_once(node, following):
        scene.names[node.name.id] = ("value", Unsaid.CHOICE)
        return []
    slot = scene.declare(node.name.id, item)
    tests = teller.tests(node.where)
    if item.name == "Bool" and node.prompt is not None:
        verb = f"{verb_of(who, 'answer')} yes or no{_yes_only_if(teller, node)}"
        if not scene.variables[slot].said:
            scene.variables[slot] = Variable(ANSWER, item)
        return [Step(f"{verb}: {_question(teller, node.prompt)}", who=who)]
    phrase, rest = _object(teller, node, slot, domain, tests, limit)
    # `you` or `who` is put before `may choose` when the step is set.
    verb = f"{'' if who else 'you '}may choose" if node.or_none else verb_of(who, "choose")
    target = _only_to_be(teller, node, following) if is_option else ""
    if target:
        rest_of_it = opening(phrase).partition(scene.glossary.noun(item))[2]
        phrase = joined(scene.glossary.scope(target), rest_of_it, phrase[1:])
    text = teller.say(joined(f"{verb} ", phrase))
    if target:
        scene.names[node.name.id] = ("scope", target)
    if node.count != "one":
        said = scene.words.get(node.name.id, "")
        scene.variables[slot] = Variable(node.name.id, Type(item.name, many=True), said)
    text += _introduced(teller, node, following, item, text)
    if rest:
        text += f", if {teller.say(rest)}"
    return [Step(text, who=who)]


def _yes_only_if(teller: Teller, node: ast.ChooseStmt) -> str:
    """What must be so for an answer to be yes: ` (yes only if there is room)`."""
    names = teller.scene.names
    before = names[node.name.id]
    names[node.name.id] = YES
    tests = teller.tests(node.where)
    names[node.name.id] = before
    return f" (yes only if {teller.say(_stated(teller, tests))})" if tests else ""


def _only_to_be(teller: Teller, node: ast.ChooseStmt, following: tuple[ast.Stmt, ...]) -> str:
    """The variable of the game that an option is chosen for, if it is for nothing else."""
    if node.or_none or counted(following, node.name.id) != 1:
        return ""
    for stmt in following:
        match stmt:
            case ast.AssignStmt(name=target, value=ast.Name(id=chosen)) if (
                chosen == node.name.id and target.id in teller.scene.glossary.symbols.scope
            ):
                return target.id
    return ""


def _ordered(teller: Teller, node: ast.ChooseStmt) -> list[Step]:
    """`choose order x from xs`."""
    scene = teller.scene
    domain, who = scene.read(node.domain), teller.other_player(node.by)
    slot = scene.declare(node.name.id, scene.type_of(domain).item)
    type_ = Type(scene.type_of(domain).name, many=True)
    tests = teller.tests(node.where)
    such = group_of(teller.speaker, domain, slot, conjunction(tests), "from").plural
    what = teller.say(such) if tests else teller.noun(domain)
    scene.variables[slot] = Variable(node.name.id, type_)
    name = called(node.name.id, scene.glossary.noun(type_.item, True))
    return [
        Step(
            f"{verb_of(who, 'put')} {what} into an order of {_whose(who)} choice (the {name})",
            who=who,
        )
    ]


def _whose(who: str) -> str:
    return "their" if who else "your"


def _introduced(
    teller: Teller, node: ast.ChooseStmt, following: tuple[ast.Stmt, ...], item: Type, text: str
) -> str:
    """What the thing chosen is called from here on, unless the text has said so: ` (the prey)`."""
    if item.name in teller.scene.glossary.symbols.enums or not counted(following, node.name.id):
        return ""
    noun = teller.scene.glossary.noun(item, node.count != "one")
    name = teller.scene.words.get(node.name.id) or called(
        teller.scene.variable(node.name.id).name, noun
    )
    name = name.removeprefix("the ")
    return "" if name[: max(3, len(name) - 1)] in text else f" (the {name})"


def _question(teller: Teller, prompt: ast.TextLiteral) -> str:
    text = teller.quoted(prompt).removesuffix(".")
    return text[:1].lower() + text[1:]


def _is_said_at_once(node: ast.ChooseStmt, following: tuple[ast.Stmt, ...]) -> bool:
    """Is the answer used by the next operation alone, which can then say `a way of your choice`?"""
    if node.where is not None or node.count != "one" or node.or_none or not following:
        return False
    first, name = following[0], node.name.id
    uses = counted(first, name), counted(following[1:], name)
    return isinstance(first, ast.OperateStmt) and uses == (1, 0)


def _object(
    teller: Teller, node: ast.ChooseStmt, slot: int, of: Expr, tests: list[Expr], limit: Expr | None
) -> tuple[Template, Template]:
    """What is chosen, and a condition that is not about its being this one or that."""
    sp = teller.speaker
    about = [test for test in tests if slot in slots_read(test)]
    where = conjunction(about)
    rest = _stated(teller, [test for test in tests if test not in about])
    match of:
        case ("list", only):
            return noun(sp, only), in_other_words(_stated(teller, tests), slot, (IT,))
        case ("..", low, high):
            name = teller.scene.called(node.name.id, NUMBER)
            span = joined(f"the {name}, ", spanned(sp, low, high))
            such = in_other_words(_stated(teller, about), slot, (IT,))
            return joined(span, ", such that " if about else "", such), rest
        case ("value", _):
            one = with_article(sp.glossary.noun(sp.type_of(of).item)) + _options(teller, of)
            return joined(one, relative(sp.binding(slot), where, slot) if where else ()), rest
    return _some(teller, node.count, group_of(sp, of, slot, where, "from"), limit), rest


def _options(teller: Teller, of: Expr) -> str:
    """The values of a short list: ` (bashing, severe or aggravated)`."""
    values = of[1] if isinstance(of[1], tuple) else ()
    if not 0 < len(values) <= _MOST_OPTIONS:
        return ""
    return f" ({listed([teller.noun(('value', one)) for one in values], 'or')})"


_MOST_OPTIONS = 4
"""How many options of a choice are told."""


def _some(teller: Teller, count: str, group: Group, limit: Expr | None) -> Template:
    if count == "one":
        return group.one
    of = "of " if group.owned else ""
    if count == "any" or limit is None:
        return joined("any number of ", group.plural)
    match limit:
        case ("each", "highest", None, _, ("list", ("value", 0), inner), None):
            limit = inner  # nobody takes fewer than none
    word = "up to " if count == "up_to" else "exactly "
    if limit[0] in ("value", "setting", "slot"):
        number = ("that many",) if limit[0] == "slot" else noun(teller.speaker, limit)
        return joined(word, number, " ", of, group.plural)
    so_many = " (at most " if count == "up_to" else " (exactly "
    return joined(group.plural, so_many, noun(teller.speaker, limit), ")")


def _stated(teller: Teller, tests: list[Expr]) -> Template:
    parts = [part for test in tests for part in conjuncts(test)]
    return enumerated([teller.speaker.clause(part) for part in parts], "and")


def describe_secretly(teller: Teller, node: ast.SecretlyStmt) -> list[Step]:
    """`each p in players secretly choose bid from hand(p)`."""
    scene = teller.scene
    players = scene.read(node.players)
    group = group_of(teller.speaker, players)
    before = dict(scene.names)
    scene.declare(node.player.id, scene.type_of(players).item)
    domain = scene.read(node.domain)
    slot = scene.declare(node.name.id, scene.type_of(domain).item)
    where = conjunction(teller.tests(node.where))
    what = group_of(teller.speaker, domain, slot, where, "from").one
    if scene.type_of(domain).item.name == "Bool":
        what = ("yes or no",)
    text = teller.say(joined(group.every, " secretly chooses ", what))
    scene.names = before
    scene.declare(node.name.id, Type(scene.type_of(domain).name, by_player=True))
    if node.seen_by is not None:
        readers = teller.noun(scene.read(node.seen_by))
        return [Step(f"{text}; then they show {readers}, and nobody else, what they chose")]
    return [Step(f"{text}; then all show what they chose")]


def describe_ask(teller: Teller, node: ast.AskStmt, following: tuple[ast.Stmt, ...]) -> list[Step]:
    """`ask p for text story "How does it go?"`."""
    who = teller.other_player(node.who)
    verb = f"{'' if who else 'you '}may answer" if node.or_none else verb_of(who, "answer")
    name = teller.scene.called(node.name.id, TEXT)
    text = f"{verb} in {'their' if who else 'your'} own words"
    if node.prompt is None or counted(following, node.name.id):
        text += f" (the {name})"
    if node.prompt is not None:
        text += f": {_question(teller, node.prompt)}"
    teller.scene.declare(node.name.id, Type("Text", optional=node.or_none))
    return [Step(text, who=who)]


def describe_roll(
    teller: Teller, node: ast.RollStmt, following: tuple[ast.Stmt, ...] = ()
) -> list[Step]:
    """`roll x = 3d6`, `roll x = E d E`; what is only to be another number is called that at once."""
    who = teller.other_player(node.by)
    dice = _thrown(teller, node.dice)
    name = f"the {teller.scene.called(node.name.id, 'dice' if node.each else NUMBER)}"
    # What a roll is for says more than its name does, where that can stand in a sentence.
    purpose = teller.scene.glossary.roll(node.name.id)
    purpose = purpose if purpose.startswith(("the ", "what ")) else ""
    teller.scene.declare(node.name.id, DICE if node.each else Type("Int"), purpose)
    looked = ", each by itself" if node.each else ""
    if node.seen_by is not None:
        readers = teller.noun(teller.scene.read(node.seen_by))
        looked += f", which only {readers} may see"
    called_so = purpose or name
    match following:
        case (ast.AssignStmt(name=target, value=ast.Name(id=rolled)), *rest) if (
            rolled == node.name.id and not counted(rest, rolled)
        ):
            teller.scene.names[rolled] = itself = teller.scene.read(target)
            called_so = f"now {teller.noun(itself)}"
    return [Step(f"{verb_of(who, 'roll')} {dice}{looked} ({called_so})", who=who)]


def describe_look(teller: Teller, node: ast.LookStmt) -> list[Step]:
    """`look at 3 of pile by p as seen`."""
    scene = teller.scene
    who = teller.other_player(node.by)
    number, pile = scene.read(node.number), scene.read(node.pile)
    item = scene.type_of(pile).item
    one, many = scene.glossary.noun(item), scene.glossary.noun(item, True)
    if number[0] == "value" and isinstance(number[1], int):
        what = f"the top {one}" if number[1] == 1 else f"the top {count(number[1])} {many}"
    else:
        what = f"as many {many} on top as {teller.noun(number)}"
    scene.declare(node.name.id, Type(item.name, many=True))
    name = scene.called(node.name.id, many)
    return [Step(f"{verb_of(who, 'look')} at {what} of {teller.noun(pile)} (the {name})", who=who)]


def describe_put(teller: Teller, node: ast.PutStmt) -> list[Step]:
    """`put xs on top of pile`."""
    scene = teller.scene
    what, pile = (teller.noun(scene.read(one)) for one in (node.things, node.pile))
    order = ", in that order" if scene.type_of(scene.read(node.things)).many else ""
    end = "on top of" if node.end == "top" else "at the bottom of"
    return [Step(f"put {what} {end} {pile}{order}")]


def describe_show(teller: Teller, node: ast.ShowStmt) -> list[Step]:
    """`show x to p`."""
    what, whom = (teller.noun(teller.scene.read(one)) for one in (node.things, node.to))
    return [Step(f"show {what} to {whom}, and to nobody else")]


def _thrown(teller: Teller, dice: ast.DiceLiteral) -> str:
    if isinstance(dice.count, int) or isinstance(dice.sides, int):
        return f"{dice.count}d{dice.sides}"
    number, sides = teller.scene.read(dice.count), teller.scene.read(dice.sides)
    many, large = _settled(teller, number), _settled(teller, sides)
    letters = [teller.noun(one) for one in (number, sides)]
    if all(len(one) == 1 and one.isupper() for one in letters):
        return "d".join(letters)
    if _is_half(number, "dice") == _is_half(sides, "sides") != ():
        return teller.noun(number)  # a thing's own dice have the sides that it says
    if many is not None and large is not None:
        return f"{many}d{large}"
    if many is None:
        thrown = f"as many {f'd{large}s' if large is not None else 'dice'} as {teller.noun(number)}"
    else:
        thrown = "a die" if many == 1 else f"{count(many)} dice"
    if large is not None:
        return thrown
    each = "" if many == 1 else ", each"
    return f"{thrown}{each} with as many sides as {teller.noun(_like(sides))}"


def _is_half(expr: Expr, name: str) -> tuple[str | Expr, ...]:
    """Whose dice or sides a field says, and which ones, `fright`; empty for anything else."""
    match expr:
        case ("field" | "static", str(field), of) if field.endswith(name):
            return field.removesuffix(name), of
    return ()


def _like(sides: Expr) -> Expr:
    """A die has as many sides as another die, not as its sides."""
    match sides:
        case ("field" | "static", str(name), of) if name.endswith(".sides"):
            return tuple(of)
    return sides


def _settled(teller: Teller, number: Expr) -> int | None:
    """A number that stands there, or that the settings in force decide."""
    value = teller.scene.settings.get(number[1]) if number[0] == "setting" else number[1]
    return value if number[0] in ("value", "setting") and type(value) is int else None


def describe_draw(teller: Teller, node: ast.DrawStmt) -> list[Step]:
    """`draw x from pile to zone`."""
    scene = teller.scene
    if node.to is None:
        return _describe_pick(teller, node)
    pile, to = scene.read(node.pile), scene.read(node.to)
    item = scene.type_of(pile).item
    goal = noun(teller.speaker, to)
    among = opening(goal).startswith(f"the {scene.glossary.noun(item, True)}")
    where = f"{'with' if among else 'into'} {teller.say(goal)}"
    scene.declare(node.name.id, Type(item.name, optional=True))
    teller.derived.append(scene.names[node.name.id])
    one = scene.glossary.noun(item)
    zone = scene.glossary.symbols.zones.get(pile[1]) if pile[0] == "zone" else None
    if zone is not None and not zone.lazy:
        what = teller.say(group_of(teller.speaker, pile, -1, None, "from").one)
        return [Step(f"let chance take {what}, and put it {where}")]
    return [Step(f"take the next {one} of {teller.noun(pile)} and put it {where}")]


def _describe_pick(teller: Teller, node: ast.DrawStmt) -> list[Step]:
    scene = teller.scene
    domain = scene.read(node.pile)
    item = scene.type_of(domain).item
    if domain[0] == "..":
        what = joined("a number ", spanned(teller.speaker, *domain[1:]))
    elif domain[0] == "value":
        what = (with_article(scene.glossary.noun(item)),)
    else:
        what = group_of(teller.speaker, domain, -1, None, "from").one
    text = teller.say(joined("let chance choose ", what))
    scene.declare(node.name.id, Type(item.name, optional=True))
    name = scene.called(node.name.id, scene.glossary.noun(item))
    return [Step(f"{text} (the {name})")]
