"""Renders statements that prompt a player, and those of chance."""

from __future__ import annotations

from dataclasses import replace

from ruleloom.compiler.english.clause_tree import (
    ChanceTree,
    ChoiceTree,
    DrawnTree,
    SecretTree,
    Told,
    tree_of,
)
from ruleloom.compiler.english.clause_tree import called as named
from ruleloom.compiler.english.glossary import ANSWER, YES, Unsaid, Variable
from ruleloom.compiler.english.page import Step, Teller, done_by, verb_of
from ruleloom.compiler.english.phrase import group_of, noun, relative, spanned
from ruleloom.compiler.english.stretch import counted
from ruleloom.compiler.english.template import IT, Group, in_other_words, joined, opening
from ruleloom.compiler.english.word import NUMBER, TEXT, called, count, listed, with_article
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.program.expr import conjunction, conjuncts, slots_read
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import DICE, Type


def describe_choose(
    teller: Teller, node: ast.ChooseStmt, following: tuple[ast.Stmt, ...]
) -> list[Step]:
    """`choose x from xs where ...`."""
    who = teller.other_player(node.by)
    domain = teller.read(node.domain)
    if node.count == "order":
        return _ordered(teller, node, domain, who)
    item = teller.type_of(domain).item
    limit = _above_zero(teller.read(node.limit)) if node.limit is not None else None
    is_option = item.name in teller.symbols.enums
    if is_option and not who and _is_said_at_once(node, following):
        teller.names[node.name.id] = ("value", Unsaid.CHOICE)
        return []
    slot = teller.declare(node.name.id, item)
    if item.name == "Bool" and node.prompt is not None:
        answer = f"yes or no{_yes_only_if(teller, node)}: {_question(teller, node.prompt)}"
        if not teller.variables[slot].said:
            teller.variables[slot] = Variable(ANSWER, item)
        return [done_by(who, "answer", answer)]
    speaker, tree = teller.speaker, _choice(teller, node, slot, domain, limit)
    text, rest = _chosen(teller, node, slot, _object(teller, tree), following)
    if teller.names[node.name.id] == ("slot", slot):
        text = Told.of(text, tree)
    if not is_option and counted(following, node.name.id):
        several = teller.variable(node.name.id).type
        kind = teller.glossary.noun(several, several.many)
        text = named(text, speaker, _introduced(teller, node, text), kind)
    return [Step(_provided(text, teller.say(rest)) if rest else text, who=who)]


def _choice(
    teller: Teller, node: ast.ChooseStmt, slot: int, domain: Expr, limit: Expr | None
) -> ChoiceTree:
    """The tree of a choice."""
    tests = teller.tests(node.where)
    # Of one thing alone, all is said in one condition.
    about = tests if domain[0] == "list" else [one for one in tests if slot in slots_read(one)]
    others = tuple(one for one in tests if one not in about)
    may, name, sp = node.or_none, teller.called(node.name.id, NUMBER), teller.speaker
    return ChoiceTree(sp, domain, slot, conjunction(about), others, node.count, may, limit, name)


def _provided(text: str, test: str) -> str:
    """The text of a choice with a condition that its tree has already."""
    return Told.of(f"{text}, if {test}", tree_of(text))


def _chosen(
    teller: Teller,
    node: ast.ChooseStmt,
    slot: int,
    object_: tuple[Template, Template],
    following: tuple[ast.Stmt, ...],
) -> tuple[str, Template]:
    """The text of a choice, and a condition independent of the option."""
    who, item = teller.other_player(node.by), teller.variables[slot].type
    phrase, rest = object_
    # `you` or `who` comes before `may choose` in the finished step.
    verb = f"{'' if who else 'you '}may choose" if node.or_none else verb_of(who, "choose")
    is_option = item.name in teller.symbols.enums
    target = _only_to_be(teller, node, following) if is_option else ""
    if target:
        rest_of_it = opening(phrase).partition(teller.glossary.noun(item))[2]
        phrase = joined(teller.glossary.named("scope", target), rest_of_it, phrase[1:])
    text = teller.say(joined(f"{verb} ", phrase))
    if target:
        teller.names[node.name.id] = ("scope", target)
    if node.count != "one":
        said = teller.words.get(node.name.id, "")
        teller.variables[slot] = Variable(node.name.id, Type(item.name, many=True), said)
    return text, rest


def _introduced(teller: Teller, node: ast.ChooseStmt, text: str) -> str:
    """The name of the thing chosen, `prey`, unless the text has it already."""
    variable = teller.variable(node.name.id)
    noun = teller.glossary.noun(variable.type.item, node.count != "one")
    name = teller.words.get(node.name.id) or called(variable.name, noun)
    name = name.removeprefix("the ")
    return "" if name[: max(3, len(name) - 1)] in text else name


def _yes_only_if(teller: Teller, node: ast.ChooseStmt) -> str:
    """The note on the condition for a yes: ` (yes only if there is room)`."""
    names = teller.names
    before = names[node.name.id]
    names[node.name.id] = YES
    tests = teller.tests(node.where)
    names[node.name.id] = before
    return f" (yes only if {teller.say(teller.all_stated(tests))})" if tests else ""


def _only_to_be(teller: Teller, node: ast.ChooseStmt, following: tuple[ast.Stmt, ...]) -> str:
    """The variable of the game that the option is assigned to, if that is its only use."""
    if node.or_none or counted(following, node.name.id) != 1:
        return ""
    for stmt in following:
        match stmt:
            case ast.AssignStmt(name=target, value=ast.Name(id=chosen)) if (
                chosen == node.name.id and target.id in teller.symbols.scope
            ):
                return target.id
    return ""


def _ordered(teller: Teller, node: ast.ChooseStmt, domain: Expr, who: str) -> list[Step]:
    """`choose order x from xs`."""
    type_ = teller.type_of(domain)
    slot = teller.declare(node.name.id, type_.item)
    tests = teller.tests(node.where)
    such = group_of(teller.speaker, domain, slot, conjunction(tests), "from").plural
    what = teller.say(such) if tests else teller.noun(domain)
    teller.variables[slot] = Variable(node.name.id, Type(type_.name, many=True))
    name = called(node.name.id, teller.glossary.noun(type_.item, True))
    whose = "their" if who else "your"
    return [done_by(who, "put", f"{what} into an order of {whose} choice (the {name})")]


def _question(teller: Teller, prompt: ast.TextLiteral) -> str:
    text = teller.quoted(prompt).removesuffix(".")
    return text[:1].lower() + text[1:]


def _is_said_at_once(node: ast.ChooseStmt, following: tuple[ast.Stmt, ...]) -> bool:
    """Whether only the next operation uses the answer, and can say `a way of your choice`."""
    match node, following:
        case ast.ChooseStmt(where=None, count="one", or_none=False), (ast.OperateStmt(), *rest):
            name = node.name.id
            return counted(following[0], name) == 1 and not counted(tuple(rest), name)
    return False


_MOST_OPTIONS = 4
"""The most options that are listed."""


def _object(teller: Teller, choice: ChoiceTree) -> tuple[Template, Template]:
    """The object of a choice, and a condition independent of the option."""
    sp, of, slot, where = choice.speaker, choice.domain, choice.slot, choice.where
    about = conjuncts(where) if where is not None else []
    rest = teller.all_stated(choice.tests)
    match of:
        case ("list", only):
            return noun(sp, only), in_other_words(teller.all_stated(about), slot, (IT,))
        case ("..", low, high):
            span = joined(f"the {choice.name}, ", spanned(sp, low, high))
            such = in_other_words(teller.all_stated(about), slot, (IT,))
            return joined(span, ", such that " if about else "", such), rest
        case ("value", values):
            one = with_article(sp.glossary.noun(sp.type_of(of).item))
            if isinstance(values, tuple) and 0 < len(values) <= _MOST_OPTIONS:
                # ` (bashing, severe or aggravated)`
                one += f" ({listed([teller.noun(('value', value)) for value in values], 'or')})"
            return joined(one, relative(sp.binding(slot), where, slot) if where else ()), rest
    return _some(choice, group_of(sp, of, slot, where, "from")), rest


def _some(choice: ChoiceTree, group: Group) -> Template:
    count, limit = choice.count, choice.most
    if count == "one":
        return group.one
    if count == "any" or limit is None:
        return joined("any number of ", group.plural)
    if limit[0] in ("value", "setting", "slot"):
        word, of = "up to " if count == "up_to" else "exactly ", "of " if group.owned else ""
        number = ("that many",) if limit[0] == "slot" else noun(choice.speaker, limit)
        return joined(word, number, " ", of, group.plural)
    so_many = " (at most " if count == "up_to" else " (exactly "
    return joined(group.plural, so_many, noun(choice.speaker, limit), ")")


def _above_zero(limit: Expr) -> Expr:
    """A limit without a lower bound of 0, which goes without saying."""
    match limit:
        case ("each", "highest", None, _, ("list", ("value", 0), inner), None):
            return inner  # type: ignore[no-any-return]
    return limit


def describe_secretly(teller: Teller, node: ast.SecretlyStmt) -> list[Step]:
    """`each p in players secretly choose bid from hand(p)`."""
    players = teller.read(node.players)
    group = group_of(teller.speaker, players)
    before = dict(teller.names)
    player = teller.declare(node.player.id, teller.type_of(players).item)
    domain = teller.read(node.domain)
    slot = teller.declare(node.name.id, teller.type_of(domain).item)
    where = conjunction(teller.tests(node.where))
    what = group_of(teller.speaker, domain, slot, where, "from").one
    if teller.type_of(domain).item.name == "Bool":
        what = ("yes or no",)
    verb = " may secretly choose " if node.or_none else " secretly chooses "
    text = teller.say(joined(group.every, verb, what))
    choice = ChoiceTree(teller.speaker, domain, slot, where, (), "one", node.or_none, None, "")
    teller.names = before
    answer = teller.type_of(domain).item
    teller.declare(node.name.id, replace(answer, optional=node.or_none, by_player=True))
    shown = "all show"
    if node.seen_by is not None:
        shown = f"they show {teller.told(node.seen_by)}, and nobody else,"
    said = f"{text}; then {shown} what they chose"
    is_plain = node.seen_by is None and what != ("yes or no",)
    return [Step(Told.of(said, SecretTree(players, player, choice) if is_plain else None))]


def describe_ask(teller: Teller, node: ast.AskStmt, following: tuple[ast.Stmt, ...]) -> list[Step]:
    """`ask p for text story "How does it go?"`."""
    who = teller.other_player(node.who)
    verb = f"{'' if who else 'you '}may answer" if node.or_none else verb_of(who, "answer")
    text = f"{verb} in {'their' if who else 'your'} own words"
    if node.prompt is None or counted(following, node.name.id):
        text += f" (the {teller.called(node.name.id, TEXT)})"
    if node.prompt is not None:
        text += f": {_question(teller, node.prompt)}"
    if node.naming is not None:
        text += f"; it may name any of {teller.told(node.naming)}"
    teller.declare(node.name.id, Type("Text", optional=node.or_none))
    return [Step(text, who=who)]


# ------------------------------------------------------------------------------------------ chance


def describe_roll(
    teller: Teller, node: ast.RollStmt, following: tuple[ast.Stmt, ...] = ()
) -> list[Step]:
    """`roll x = 3d6`, `roll x = E d E`; a roll assigned at once to a variable is called by that one."""
    who, dice = teller.other_player(node.by), _thrown(teller, node.dice)
    name = f"the {teller.called(node.name.id, 'dice' if node.each else NUMBER)}"
    # The purpose of a roll says more than its name, if it fits into a sentence.
    purpose = teller.symbols.words.get(("roll", node.name.id), "")
    purpose = purpose if purpose.startswith(("the ", "what ")) else ""
    teller.declare(node.name.id, DICE if node.each else Type("Int"), purpose)
    person = who if node.whom is None else teller.noun(teller.read(node.whom))
    looked = "" if person == who else f" for {person}"
    looked += ", each by itself" if node.each else ""
    if node.seen_by is not None:
        looked += f", which only {teller.told(node.seen_by)} may see"
    called_so = purpose or name
    match following:
        case (ast.AssignStmt(name=target, value=ast.Name(id=rolled)), *rest) if (
            rolled == node.name.id and not counted(rest, rolled)
        ):
            teller.names[rolled] = itself = teller.read(target)
            called_so = f"now {teller.noun(itself)}"
    return [done_by(who, "roll", f"{dice}{looked} ({called_so})")]


def describe_look(teller: Teller, node: ast.LookStmt) -> list[Step]:
    """`look at 3 of pile by p as seen`."""
    who = teller.other_player(node.by)
    number, pile = teller.read(node.number), teller.read(node.pile)
    item = teller.type_of(pile).item
    many = teller.glossary.noun(item, True)
    what = f"as many {many} on top as {teller.noun(number)}"
    if number == ("value", 1):
        what = f"the top {teller.glossary.noun(item)}"
    elif number[0] == "value" and isinstance(number[1], int):
        what = f"the top {count(number[1])} {many}"
    teller.declare(node.name.id, Type(item.name, many=True))
    name = teller.called(node.name.id, many)
    return [done_by(who, "look", f"at {what} of {teller.noun(pile)} (the {name})")]


def _thrown(teller: Teller, dice: ast.DiceLiteral) -> str:
    if isinstance(dice.count, int) or isinstance(dice.sides, int):
        return f"{dice.count}d{dice.sides}"
    number, sides = teller.read(dice.count), teller.read(dice.sides)
    many, large = _settled(teller, number), _settled(teller, sides)
    letters = [teller.noun(one) for one in (number, sides)]
    if all(len(one) == 1 and one.isupper() for one in letters):
        return "d".join(letters)
    match number, sides:
        case (
            (("field" | "static"), str(dice_of), of),
            (("field" | "static"), str(sides_of), other),
        ) if (of, dice_of) == (other, f"{sides_of.removesuffix('sides')}dice"):
            return letters[0]  # a thing's own dice have its own sides
        case _, (("field" | "static"), str(sides_of), of) if sides_of.endswith(".sides"):
            sides = of  # as many sides as another die, not as that die's sides
    if large is not None:
        return f"as many d{large}s as {letters[0]}" if many is None else f"{many}d{large}"
    # `three dice, each with as many sides as the step`, if number or sides are not known yet.
    thrown = f"as many dice as {letters[0]}"
    if many is not None:
        thrown = "a die" if many == 1 else f"{count(many)} dice"
    each = "" if many == 1 else ", each"
    return f"{thrown}{each} with as many sides as {teller.noun(sides)}"


def _settled(teller: Teller, number: Expr) -> int | None:
    """A literal number, or the current value of a setting; else None."""
    value = teller.settings.get(number[1]) if number[0] == "setting" else number[1]
    return value if number[0] in ("value", "setting") and type(value) is int else None


def describe_draw(teller: Teller, node: ast.DrawStmt) -> list[Step]:
    """`draw x from pile to zone`, or without a zone, where it stays."""
    pile = teller.read(node.pile)
    item = teller.type_of(pile).item
    one, many = teller.glossary.noun(item), teller.glossary.noun(item, True)
    what = group_of(teller.speaker, pile, -1, None, "from").one
    if pile[0] == "value":
        what = (with_article(one),)
    if node.to is None:
        text = teller.say(joined("let chance choose ", what))
        tree = ChanceTree(teller.speaker, pile)
        teller.declare(node.name.id, Type(item.name, optional=True))
        name = teller.called(node.name.id, one)
        return [Step(named(Told.of(text, tree), teller.speaker, name, one))]
    goal = noun(teller.speaker, teller.read(node.to))
    among = opening(goal).startswith(f"the {many}")
    where = f"{'with' if among else 'into'} {teller.say(goal)}"
    teller.declare(node.name.id, Type(item.name, optional=True))
    teller.derived.append(teller.names[node.name.id])
    zone = teller.symbols.zones.get(pile[1]) if pile[0] == "zone" else None
    if zone is not None and not zone.lazy:
        return [Step(f"let chance take {teller.say(what)}, and put it {where}")]
    said = f"take the next {one} of {teller.noun(pile)} and put it {where}"
    return [Step(Told.of(said, DrawnTree(teller.speaker, pile, teller.read(node.to))))]
