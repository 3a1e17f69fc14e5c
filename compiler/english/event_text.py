"""Renders events, which trigger effects and abilities, and their conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from ruleloom.compiler.english.clause_tree import ActTree, EventTree, TestTree, Told
from ruleloom.compiler.english.glossary import Scene, parsed_field
from ruleloom.compiler.english.page import Sort, Step, Teller
from ruleloom.compiler.english.phrase import group_of
from ruleloom.compiler.english.template import is_me, joined, opening, says
from ruleloom.compiler.english.word import (
    is_noun,
    is_statement,
    participle,
    plain_verb,
    spaced,
    third_person,
    with_article,
)
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.lasting_names import SELF
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_event, parse_expr
from ruleloom.compiler.syntax.tree import conjuncts
from ruleloom.runtime.program.expr import mentions
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import optional_parts
from ruleloom.runtime.program.values import INT

NOBODY: Mapping[str, Expr] = {}


def event_of(item: Item, teller: Teller) -> Step:
    """The event of a trigger: `when somebody moves a piece`."""
    found = _event(item, teller, parsed_field(teller.symbols, item, "where", parse_expr))
    once = item.data("once_per")
    return replace(found, note=f" (once a {once}, for all)" if once else "")


def unanswered_text(item: Item, teller: Teller) -> str:
    """The text of a trigger that the current settings switch off."""
    return f"{_event(item, teller, None).head}, nothing follows under the present settings"


def _event(item: Item, teller: Teller, where: ast.Expr | None) -> Step:
    call = parsed_field(teller.symbols, item, "event", parse_event)
    if not isinstance(call, ast.CallExpr):
        return Step("its event happens", sort=Sort.EVENT, lead="whenever ")
    word = "when" if str(item.data("timing")) == "immediately" else "after"
    return occasion(teller, word, call, where)


def occasion(
    teller: Teller,
    word: str,
    call: ast.CallExpr,
    where: ast.Expr | None,
    known: Mapping[str, Expr] = NOBODY,
    would: str = "",
) -> Step:
    """`when somebody moves a piece, if it is small`.

    `known` are names introduced before; `would` is the auxiliary of an event that is replaced.
    """
    name = call.name.id
    events = teller.symbols.events
    params = events.get(name) or events.get(f"instead of {name}", ())
    if (bearer := teller.names.get(SELF)) is not None:
        known = {**known, **dict.fromkeys(_same_as_bearer(where), bearer)}
    teller.names |= {name: one for name, one in known.items() if name == "me"}
    slots: dict[str, Expr] = {}
    for arg, param in zip(call.args, params, strict=False):
        if isinstance(arg.value, ast.Name):
            bound = arg.value.id
            slots[param.name] = known.get(bound) or (
                "slot",
                _declared(teller, bound, param, params),
            )
            teller.names[bound] = slots[param.name]
    teller.fresh = frozenset(one[1] for one in slots.values() if one[0] == "slot")
    tests = [
        test
        for test in _open_tests(teller, where)
        if not _is_said_by_event(teller, test, _own_words(teller, name), slots)
    ]
    phase, said = _happening(name, params, slots, teller, would)
    teller.fresh = frozenset()
    words = tuple(_stated(teller, [*_unsaid(teller, call, params, known)], tests))
    about = ""
    match tests[-1:]:
        case [("each", "exists", _, slot, domain, test)]:
            group = group_of(teller.speaker, domain, slot, test)
            about = teller.say(joined(group.singular, group.tail))
    never, lead = ("value", False) in tests, _lead(word, phase)
    return Step(said, sort=Sort.EVENT, lead=lead, tests=words, about=about, never=never)


def _stated(teller: Teller, unsaid: list[str], tests: list[Expr]) -> Iterator[str]:
    """The conditions of an event, each with its tree, after those that its English does not name."""
    speaker = teller.speaker
    plain: list[Template] = [(one,) for one in unsaid]
    said = map(teller.say, _in_a_row([*plain, *map(speaker.clause, tests)]))
    for one, test in zip(said, [*([None] * len(plain)), *tests], strict=True):
        yield Told.of(one, TestTree(speaker, test) if test else None)


def _lead(word: str, phase: str) -> str:
    """The opening of an event: `when `, `after `, `the next time after `."""
    if phase and word.startswith("the "):
        return f"{word.removesuffix(' that')} {phase} "
    return f"{phase or word} "


def _unsaid(
    teller: Teller, call: ast.CallExpr, params: tuple[ParamSymbol, ...], known: Mapping[str, Expr]
) -> Iterator[str]:
    """The conditions on the actor and arguments of an event that its own English does not name."""
    words = _first_half(_words_of(teller, call.name.id))
    if is_me(known.get("me", ("value",))) and not _names_actor(teller, call.name.id, words):
        yield "it is your turn"
    for arg, param in zip(call.args, params, strict=False):
        bound = arg.value.id if isinstance(arg.value, ast.Name) else ""
        if words and bound in known and bound != SELF and f"{{{param.name}" not in words:
            who = teller.noun(known[bound])
            yield f"{who} {'are' if who == 'you' else 'is'} the {spaced(bound)}"


def _own_words(teller: Teller, name: str) -> str:
    """The English of an operation, with holes; empty without any."""
    operation = teller.symbols.operations.get(name)
    return operation.english if operation is not None else ""


def _words_of(teller: Teller, name: str) -> str:
    """The English of an operation, or else of the event's power, with holes."""
    power = teller.symbols.powers.get(name.rpartition(" ")[2])
    return _own_words(teller, name) or (power.english if power is not None else "")


def _names_actor(teller: Teller, name: str, words: str) -> bool:
    """Whether an event's English names its actor: `you move a piece`, not `a piece is moved`."""
    operation = teller.symbols.operations.get(name)
    if operation is None:
        return name not in ("touched", "drawn") and not _says_who(words)
    return bool(words) and not _is_clause(operation) and _LET.fullmatch(words) is None


def _says_who(words: str) -> bool:
    """Whether a template begins with its actor, or is a statement anyhow."""
    return words.startswith("{") or is_statement(words)


def _is_said_by_event(teller: Teller, test: Expr, english: str, slots: dict[str, Expr]) -> bool:
    """Enter a condition into an event's English (an option, `3 or more`), if it fits."""
    match test:
        case ("=" | ">=" | ">" as op, ("slot", slot), ("value", value)) if slot in teller.fresh:
            name = next((name for name, one in slots.items() if one == ("slot", slot)), "")
            if not name or f"{{{name}}}" not in english:
                return False
            if op == "=" and isinstance(value, str):
                slots[name] = ("value", value)
                return True
            if op == ">=" and type(value) is int:
                variables = teller.variables
                variables[slot] = replace(variables[slot], least=value)
                return True
            return bool((op, value) == (">", 0))  # `some` says so
    return False


def _open_tests(teller: Teller, where: ast.Expr | None) -> list[Expr]:
    """The conditions of an event, without trivial ones; on a card, without a test that a thing exists
    which another condition mentions."""
    tests = [test for test in teller.tests(where) if test[1:2] != test[2:3] or test[0] != "="]

    def presupposed(test: Expr) -> bool:
        match test:
            case ("not", ("is_none", thing)):
                return any(mentions(one, thing) for one in tests if one != test)
        return False

    return tests if teller.full else [test for test in tests if not presupposed(test)]


# The subject of a statement, before its verb.
_SUBJECT = re.compile(
    r"(?:(?:you|(?:the|your) [a-z]+(?: [a-z]+)?) |^ )(?=(?:is|are|has|have|does|do|can|may) )"
)


def _in_a_row(stated: list[Template]) -> list[Template]:
    """The statements, each without its subject if that is the same as in the one before."""
    found = stated[:1]
    for before, one in pairwise(stated):
        subject, rest = _parted(one)
        same = subject != () and _parted(before)[0] == subject
        found.append(rest if same and not says(before, " or ") else one)
    return found


def _parted(statement: Template) -> tuple[Template, Template]:
    """The subject and the predicate of a statement; an empty subject if they cannot be separated."""
    at = 0 if opening(statement) else 1
    head = opening(statement[at:])
    subject = _SUBJECT.match(head)
    if subject is None:
        return (), statement
    return (*statement[:at], subject[0]), joined(head[subject.end() :], statement[at + 1 :])


def _declared(scene: Scene, name: str, param: ParamSymbol, params: tuple[ParamSymbol, ...]) -> int:
    """The slot of a variable for an event's argument, called by its noun if unique."""
    symbols, type_ = scene.glossary.symbols, param.type
    alone = [one.type.name for one in params].count(type_.name) == 1 and not type_.many
    if alone and type_.name in symbols.enums:
        return scene.declare(scene.glossary.noun(type_), type_)
    taken = {scene.type_of(one).name for one in scene.names.values()}
    named = alone and type_.name in symbols.entities and type_.name not in taken
    return scene.declare("what" if named else name, type_)


def _same_as_bearer(where: ast.Expr | None) -> Iterator[str]:
    """The names that must equal the bearer, as in `where me = self`."""
    for test in conjuncts(where) if where is not None else ():
        match test:
            case (
                ast.Binary(op="=", left=ast.Name(id=name), right=ast.Name(id="self"))
                | ast.Binary(op="=", left=ast.Name(id="self"), right=ast.Name(id=name))
            ):
                yield name


# -------------------------------------------------------------------------------- what happens


def _doing(who: str, verb: str, rest: str, would: str, several: bool = False) -> str:
    """A clause, maybe with an auxiliary: `the piece moves`, `you would move`."""
    if would:
        verb = f"{would} {verb}"
    elif verb == "be":
        verb = "are" if several else "is"
    elif not several and who != "you":
        verb = third_person(verb)
    return f"{who} {verb} {rest.strip()}".rstrip()


def _happening(
    name: str, params: tuple[ParamSymbol, ...], args: Mapping[str, Expr], teller: Teller, would: str
) -> tuple[str, str]:
    """The phase of an event (`before`, `after` or empty), and its clause."""
    # An argument that the event does not bind is left out, if the English has it as optional.
    open_parts = {part.name for part in optional_parts(_words_of(teller, name))}
    values: dict[str, Expr] = {}
    for param in params:
        any_of = with_article(teller.glossary.noun(param.type))
        any_of_it = ("value", None if param.name in open_parts else any_of)
        values[param.name] = args.get(param.name) or any_of_it
    if name in ("touched", "drawn"):
        english = "something is done to {it}" if name == "touched" else "{it} is drawn"
        return "", _told_event(teller, english, {"it": next(iter(values.values()))})
    operation = teller.symbols.operations.get(name)
    if operation is not None:
        said = _done(operation, values, teller, would)
        return "", said if would else _with_event(teller, said, operation.english, values)
    phase, _, hooked = name.partition(" ")
    said = _around(phase, hooked.removeprefix("of ") or name, values, teller, would)
    return "" if would else phase, said


def _told_event(teller: Teller, english: str, values: Mapping[str, Expr]) -> str:
    """What happens, in words of ours."""
    return _with_event(teller, teller.filled(english, values), english, values)


def _with_event(teller: Teller, said: str, english: str, values: Mapping[str, Expr]) -> str:
    """What happens, with its tree."""
    yours = is_me(teller.names.get("me", ("value",)))
    return Told.of(said, EventTree(ActTree(teller.speaker, english, values), yours))


def _done(operation: Signature, values: Mapping[str, Expr], teller: Teller, would: str) -> str:
    """An operation or moment as a clause, maybe with `would`."""
    english = _first_half(operation.english)
    if not english:
        return _doing(spaced(operation.name), "happen", "", would)
    # Operations of lasting effects are clauses too; their names have spaces.
    if _is_clause(operation):
        # Its English includes the actor: `{who} comes in`.
        return _would(english, values, teller, would)
    if let := _LET.fullmatch(english):
        # The object of `let` is the subject: `some hours pass`.
        who, rest = (teller.filled(let[part], values) for part in (1, 3))
        return _doing(who, let[2], rest, would, let[1].endswith("s"))
    verb, _, rest = teller.filled(english, values).partition(" ")
    if is_me(teller.names.get("me", ("value",))):
        return _doing("you", verb, rest, would)
    object_ = _OBJECT.fullmatch(english)
    if object_ is None or verb in ("let", "count"):
        return _doing("a player", verb, rest, would)
    # In the passive, whoever acts: `a piece is moved to a space`.
    what = teller.filled(object_["what"], values)
    rest = teller.filled(object_["rest"], values)
    if verb in ("begin", "end"):  # these need no actor
        return _doing(what, verb, rest, would)
    several = what == "you" or _is_of_several(object_["what"], values, teller)
    return _doing(what, "be", f"{participle(verb)} {rest.strip()}", would, several)


def _first_half(english: str) -> str:
    """The English before a semicolon; semicolons within optional parts do not count."""
    return re.split(r";(?![^{}]*(?:\{[^{}]*\}[^{}]*)*\})", english, maxsplit=1)[0]


def _would(english: str, values: Mapping[str, Expr], teller: Teller, would: str) -> str:
    """The conditional form of a clause that begins with its actor: `you would die`."""
    if not would:
        return teller.filled(english, values)
    found = re.match(r"(\{\w+\}) ([a-z]+)\b", english)
    if found is None:
        return f"it {would} be that {teller.filled(english, values)}"
    verb = {"is": "be", "may": "be allowed to"}.get(found[2]) or plain_verb(found[2])
    return teller.filled(f"{found[1]} {would} {verb}{english[found.end() :]}", values)


# `let` with its object and verb: `let {who} sleep`, `let {many} hours pass`.
_LET = re.compile(r"let (\{\w+\}(?: [a-z]+s)?) (?!be\b)([a-z]+)\b(.*)")


def _is_clause(operation: Signature) -> bool:
    """Whether its English has an actor."""
    by_itself = " " in operation.name or operation.kind == "moment"
    return by_itself or _says_who(operation.english)


# A verb in the base form, its object, and the rest: `move {piece}` and ` to {goal}`.
_OBJECT = re.compile(
    r"[a-z]+ (?P<what>the [a-z]+ of \{\w+\} on \{\w+\}"
    r"|(?:the |an? )?(?:[a-z]+ )*?\{\w+\}(?:'s [a-z]+)?(?: (?!"
    r"(?:to|from|by|on|onto|into|in|at|with|for|off|as|over|under|back|away|beside|out)\b)[A-Za-z]+)*"
    r"|(?:the |an? )[a-z]+)(?P<rest>.*)"
)


def _is_of_several(english: str, values: Mapping[str, Expr], teller: Teller) -> bool:
    """Whether an object is plural: `{many} cards`, `the cards of {who}`, `{cards}`."""
    holes = [values[name] for name in HOLE.findall(english) if name in values]
    types = [teller.type_of(one) for one in holes]
    counts = [type_ == INT and one != ("value", 1) for type_, one in zip(types, holes, strict=True)]
    several = re.match(r"(?:the (?:\w+ )?|\{\w+\} )\w*[^s\W]s\b", english)
    counted = several is not None and (english.startswith("the ") or any(counts))
    return counted or any(type_.many for type_ in types)


def _around(phase: str, name: str, values: Mapping[str, Expr], teller: Teller, would: str) -> str:
    """An event before, after or instead of a power or flow."""
    power = teller.symbols.powers.get(name)
    yours = is_me(teller.names.get("me", ("value",)))
    if power is None or not power.english or re.match(r"[a-z ]+: ", power.english):
        # A gloss with a colon names the power before it explains it.
        named = f"{'your' if power is None and yours else 'the'} {spaced(name)}"
        return _doing(named, "begin", "", would) if would or phase == "before" else named
    # The part after a semicolon describes the consequences.
    english = _first_half(power.english)
    if would and english.startswith("{"):
        return _would(english, values, teller, would)
    return _around_gloss(
        english, teller.filled(english, values), "you" if yours else "somebody", would
    )


def _around_gloss(english: str, gloss: str, who: str, would: str) -> str:
    """A gloss as a clause, with `who` as its missing subject."""
    if _says_who(english):
        return f"it {would} come to this: {gloss}" if would else gloss
    if gloss.startswith("may "):
        allowed = gloss.removeprefix("may ")
        return _doing(who, "be allowed to", allowed, would) if would else f"{who} {gloss}"
    does = f"use {gloss}" if is_noun(english) else gloss
    if not would and re.search(r", (?!with |which |who )| and ", english):
        does = f"do this: {does}"
    return _doing(who, *does.partition(" ")[::2], would)
