"""Events in words: what a trigger or an ability waits for, and what must be so besides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ruleloom.compiler.english.glossary import Scene, parsed_field
from ruleloom.compiler.english.page import Sort, Step, StepPart, Teller
from ruleloom.compiler.english.phrase import group_of
from ruleloom.compiler.english.template import is_me, joined, opening
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
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.resolve.templates import HOLE
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_event, parse_expr
from ruleloom.compiler.syntax.parts import conjuncts
from ruleloom.runtime.program.expr import mentions
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import optional_parts
from ruleloom.runtime.program.values import INT

NOBODY: Mapping[str, Expr] = {}


def once_a_turn(teller: Teller, bearer: Expr | None) -> str:
    """To whom something comes once a turn: to each bearer, if it has any."""
    return f" (once a turn for {teller.noun(bearer)})" if bearer is not None else " (once a turn)"


class Occasion(NamedTuple):
    """An event in words, what must be so besides, and whether that can never be.

    `about` says of which things there has to be one, where that comes last.
    """

    lead: str
    said: str
    tests: tuple[str, ...] = ()
    never: bool = False
    about: str = ""
    note: str = ""

    @property
    def head(self) -> str:
        """What happens, without what must be so besides."""
        return f"{self.lead}{self.said}"

    @property
    def rest(self) -> str:
        """What must be so besides."""
        return (f", if {' and '.join(self.tests)}" if self.tests else "") + self.note

    def step(self, steps: tuple[Step, ...]) -> Step:
        """The effect that follows."""
        told = (StepPart("", steps),)
        if self.note:
            return Step(self.head + self.rest, told, sort=Sort.EVENT)
        return Step(
            self.said, told, sort=Sort.EVENT, lead=self.lead, tests=self.tests, about=self.about
        )


def event_of(item: Item, teller: Teller) -> Occasion:
    """What a trigger waits for: `when somebody moves a piece`."""
    found = _event(item, teller, parsed_field(item, "where", parse_expr))
    once = item.data("once_per")
    return found._replace(note=f" (once a {once}, for all)" if once else "")


def unanswered_text(item: Item, teller: Teller) -> str:
    """What a trigger would wait for that the settings in force switch off."""
    return f"{_event(item, teller, None).head}, nothing follows under the present settings"


def _event(item: Item, teller: Teller, where: ast.Expr | None) -> Occasion:
    call = parsed_field(item, "event", parse_event)
    if not isinstance(call, ast.CallExpr):
        return Occasion("whenever ", "its event happens")
    word = "when" if str(item.data("timing")) == "immediately" else "after"
    return occasion(teller, word, call, where)


def occasion(
    teller: Teller,
    word: str,
    call: ast.CallExpr,
    where: ast.Expr | None,
    known: Mapping[str, Expr] = NOBODY,
    would: str = "",
) -> Occasion:
    """`when somebody moves a piece, if it is small`.

    `known` are names introduced before; `would` is the auxiliary of what only might happen.
    """
    scene, name = teller.scene, call.name.id
    events = scene.glossary.symbols.events
    params = events.get(name) or events.get(f"instead of {name}", ())
    known = {**known, **_same_as_bearer(scene, where)}
    scene.names |= {name: one for name, one in known.items() if name == "me"}
    slots = _brought(scene, call, params, known)
    teller.fresh = frozenset(one[1] for one in slots.values() if one[0] == "slot")
    tests = _open_tests(teller, where)
    tests = _narrowed(teller, tests, events_english(scene, name), slots)
    phase, said = _happening(name, params, slots, teller, would)
    teller.fresh = frozenset()
    unsaid: list[Template] = [(one,) for one in _unsaid(teller, call, params, known)]
    stated = [*unsaid, *(teller.speaker.clause(test) for test in tests)]
    never = ("value", False) in tests
    about = _of_which_there_is_one(teller, tests[-1]) if tests else ""
    return Occasion(
        f"{phase or word} ", said, tuple(map(teller.say, _in_a_row(stated))), never, about
    )


def _of_which_there_is_one(teller: Teller, test: Expr) -> str:
    """The things of which a condition asks for one; empty for any other."""
    match test:
        case ("each", "exists", _, slot, domain, where):
            group = group_of(teller.speaker, domain, slot, where)
            return teller.say(joined(group.singular, group.tail))
    return ""


def _unsaid(
    teller: Teller,
    call: ast.CallExpr,
    params: tuple[ParamSymbol, ...],
    known: Mapping[str, Expr],
) -> Iterator[str]:
    """Whom an event has to be about, where its words name neither who acts nor what it is told."""
    scene, name = teller.scene, call.name.id
    words = _words_of(scene, name)
    if "me" in known and is_me(known["me"]) and not _names_actor(scene, name):
        yield "it is your turn"
    for arg, param in zip(call.args, params, strict=False):
        bound = arg.value.id if isinstance(arg.value, ast.Name) else ""
        if words and bound in known and bound != SELF and f"{{{param.name}" not in words:
            yield f"{teller.noun(known[bound])} {_is(teller, known[bound])} the {spaced(bound)}"


def _is(teller: Teller, who: Expr) -> str:
    return "are" if teller.noun(who) == "you" else "is"


def _words_of(scene: Scene, name: str) -> str:
    """The words of what happens, or of the power that it is about, with holes."""
    return _first_half(_all_words_of(scene, name))


def _all_words_of(scene: Scene, name: str) -> str:
    power = scene.glossary.symbols.powers.get(name.rpartition(" ")[2])
    return events_english(scene, name) or (power.english if power is not None else "")


def _names_actor(scene: Scene, name: str) -> bool:
    """Do the words of an event say who acts: `you move a piece`, and not `a piece is moved`?"""
    operation = scene.glossary.symbols.operations.get(name)
    if operation is None:
        words = _words_of(scene, name)
        is_clause = words.startswith("{") or is_statement(words)
        return name not in ("touched", "drawn") and not is_clause
    english = _first_half(operation.english)
    return bool(english) and not _is_clause(operation) and _LET.fullmatch(english) is None


def events_english(scene: Scene, name: str) -> str:
    """The words of what happens, with holes; empty for what goes by its name."""
    operation = scene.glossary.symbols.operations.get(name)
    return operation.english if operation is not None else ""


def _narrowed(
    teller: Teller, tests: list[Expr], english: str, slots: dict[str, Expr]
) -> list[Expr]:
    """The conditions that the event does not say itself: `3 or more rain`, `a swift ship`."""
    return [test for test in tests if not _is_said_by_event(teller, test, english, slots)]


def _is_said_by_event(teller: Teller, test: Expr, english: str, slots: dict[str, Expr]) -> bool:
    """Can the words of an event say a condition: by an option, by `some`, by `3 or more`?"""
    match test:
        case ("=" | ">=" | ">" as op, ("slot", slot), ("value", value)) if slot in teller.fresh:
            names = [name for name, one in slots.items() if one == ("slot", slot)]
            if not names or f"{{{names[0]}}}" not in english:
                return False
            if op == "=" and isinstance(value, str):
                slots[names[0]] = ("value", value)
                return True
            if op == ">=" and type(value) is int:
                variables = teller.scene.variables
                variables[slot] = replace(variables[slot], least=value)
                return True
            return bool((op, value) == (">", 0))  # `some` says so
    return False


def _brought(
    scene: Scene, call: ast.CallExpr, params: tuple[ParamSymbol, ...], known: Mapping[str, Expr]
) -> dict[str, Expr]:
    """What an event brings, by parameter; names for it that are new are declared."""
    slots: dict[str, Expr] = {}
    for arg, param in zip(call.args, params, strict=False):
        if isinstance(arg.value, ast.Name):
            bound = arg.value.id
            slots[param.name] = known.get(bound) or ("slot", _declared(scene, bound, param, params))
            scene.names[bound] = slots[param.name]
    return slots


def _open_tests(teller: Teller, where: ast.Expr | None) -> list[Expr]:
    """What an event has to be like, without what is so anyway."""
    tests = [test for test in teller.tests(where) if test[1:2] != test[2:3] or test[0] != "="]
    return [test for test in tests if teller.full or not _is_presupposed(test, tests)]


def _is_presupposed(test: Expr, tests: Sequence[Expr]) -> bool:
    """Does a condition ask only whether there is what another one speaks of?"""
    if test[0] != "not" or test[1][0] != "is_none":
        return False
    return any(mentions(one, test[1][1]) for one in tests if one is not test)


# Who or what a statement is about, before its verb.
_SUBJECT = re.compile(
    r"(?:(?:you|(?:the|your) [a-z]+(?: [a-z]+)?) |^ )(?=(?:is|are|has|have|does|do|can|may) )"
)


def _in_a_row(stated: list[Template]) -> list[Template]:
    """Statements of which one that is about the same as the one before it does not say so again."""
    found = stated[:1]
    for before, one in pairwise(stated):
        subject, rest = _parted(one)
        same = subject != () and _parted(before)[0] == subject
        either = any(isinstance(part, str) and " or " in part for part in before)
        found.append(rest if same and not either else one)
    return found


def _parted(statement: Template) -> tuple[Template, Template]:
    """Who or what a statement is about, and what it says of it; nothing, if that cannot be told."""
    at = 0 if opening(statement) else 1
    head = statement[at] if at < len(statement) else ""
    subject = _SUBJECT.match(head) if isinstance(head, str) else None
    if subject is None:
        return (), statement
    rest = joined(head[subject.end() :], statement[at + 1 :])
    return (*statement[:at], subject[0]), rest


def _declared(scene: Scene, name: str, param: ParamSymbol, params: tuple[ParamSymbol, ...]) -> int:
    """A variable for what an event brings; what could be no other thing goes by what it is."""
    taken = {scene.type_of(one).name for one in scene.names.values()}
    alone = [one.type.name for one in params].count(param.type.name) == 1
    is_thing = param.type.name in scene.glossary.symbols.entities and not param.type.many
    if alone and param.type.name in scene.glossary.symbols.enums and not param.type.many:
        return scene.declare(scene.glossary.noun(param.type), param.type)
    named = alone and is_thing and param.type.name not in taken
    return scene.declare("what" if named else name, param.type)


def _same_as_bearer(scene: Scene, where: ast.Expr | None) -> dict[str, Expr]:
    """The names that have to be the bearer's for an event to count, as in `where me = self`."""
    found: dict[str, Expr] = {}
    bearer = scene.names.get(SELF)
    if bearer is None or where is None:
        return found
    for test in conjuncts(where):
        match test:
            case (
                ast.Binary(op="=", left=ast.Name(id=name), right=ast.Name(id="self"))
                | ast.Binary(op="=", left=ast.Name(id="self"), right=ast.Name(id=name))
            ):
                found[name] = bearer
    return found


def _happening(
    name: str, params: tuple[ParamSymbol, ...], args: Mapping[str, Expr], teller: Teller, would: str
) -> tuple[str, str]:
    """Whether something is before or after an event, and what happens."""
    glossary = teller.scene.glossary
    # What an event is not asked for is not told, where its words can do without.
    open_parts = {part.name for part in optional_parts(_all_words_of(teller.scene, name))}
    values: dict[str, Expr] = {
        param.name: args.get(param.name)
        or ("value", None if param.name in open_parts else with_article(glossary.noun(param.type)))
        for param in params
    }
    if name in ("touched", "drawn"):
        thing = teller.noun(next(iter(values.values()), ("value", "anything")))
        return "", f"something is done to {thing}" if name == "touched" else f"{thing} is drawn"
    operation = glossary.symbols.operations.get(name)
    if operation is None:
        phase, _, hooked = name.partition(" ")
        said = _around(phase, hooked.removeprefix("of ") or name, values, teller, would)
        return "" if would else phase, said
    return "", _done(operation, values, teller, would)


def _done(operation: Signature, values: Mapping[str, Expr], teller: Teller, would: str) -> str:
    """What somebody does, or would do, or the moment that comes."""
    if not operation.english:
        return f"{spaced(operation.name)} {f'{would} happen' if would else 'happens'}"
    words = teller.filled(_first_half(operation.english), values)
    # So do the operations of effects that last, whose names nobody writes.
    if _is_clause(operation):
        # It says by itself who does it: `{who} comes in`.
        return _would(operation, values, teller, would) or words if would else words
    verb, _, rest = words.partition(" ")
    if let := _LET.fullmatch(_first_half(operation.english)):
        return _let(let, values, teller, would)
    if _is_yours(teller):
        return f"you {f'{would} {verb}' if would else verb} {rest}"
    object_ = _OBJECT.fullmatch(_first_half(operation.english))
    if object_ is None or verb in ("let", "count"):
        return f"a player {f'{would} {verb}' if would else third_person(verb)} {rest}"
    return _suffered(verb, object_, values, teller, would)


def _first_half(english: str) -> str:
    """What an author says before a semicolon, which may also stand in a part that is left out."""
    return re.split(r";(?![^{}]*(?:\{[^{}]*\}[^{}]*)*\})", english, maxsplit=1)[0]


def _would(operation: Signature, values: Mapping[str, Expr], teller: Teller, would: str) -> str:
    """What only might happen, of a clause that begins with who does it: `you would die`."""
    english = _first_half(operation.english)
    found = re.match(r"(\{\w+\}) ([a-z]+)\b", english)
    if found is None:
        return f"it {would} be that {teller.filled(english, values)}"
    verb = {"is": "be", "may": "be allowed to"}.get(found[2]) or plain_verb(found[2])
    return teller.filled(f"{found[1]} {would} {verb}{english[found.end() :]}", values)


def _let(parts: re.Match[str], values: Mapping[str, Expr], teller: Teller, would: str) -> str:
    """What is let do something does it: `some hours pass`."""
    whom, verb, rest = parts[1], parts[2], teller.filled(parts[3], values)
    said = teller.filled(whom, values)
    plain = whom.endswith("s") or said == "you"
    return f"{said} {f'{would} {verb}' if would else verb if plain else third_person(verb)}{rest}"


# What is let do something, which then does it: `let {who} sleep`, `let {many} hours pass`.
_LET = re.compile(r"let (\{\w+\}(?: [a-z]+s)?) (?!be\b)([a-z]+)\b(.*)")


def _is_clause(operation: Signature) -> bool:
    """Does it say by itself who does it?"""
    said = operation.english.startswith("{") or is_statement(operation.english)
    return said or " " in operation.name or operation.kind == "moment"


# A verb in the base form, what is done to, and the rest: `move {piece}` and ` to {goal}`.
_OBJECT = re.compile(
    r"[a-z]+ (?P<what>the [a-z]+ of \{\w+\} on \{\w+\}"
    r"|(?:the |an? )?(?:[a-z]+ )*?\{\w+\}(?:'s [a-z]+)?(?: (?!"
    r"(?:to|from|by|on|onto|into|in|at|with|for|off|as|over|under|back|away|beside)\b)[A-Za-z]+)*"
    r"|(?:the |an? )[a-z]+)(?P<rest>.*)"
)


def _suffered(
    verb: str, parts: re.Match[str], values: Mapping[str, Expr], teller: Teller, would: str
) -> str:
    """What is done to a thing, whoever does it: `a piece is moved to a space`."""
    what = teller.filled(parts["what"], values)
    rest = teller.filled(parts["rest"], values) if parts["rest"] else ""
    if verb in ("begin", "end"):  # nobody need do it
        return f"{what} {f'{would} {verb}' if would else third_person(verb)} {rest}".rstrip()
    several = what == "you" or _is_of_several(parts["what"], values, teller)
    done = f"{would} be" if would else "are" if several else "is"
    return f"{what} {done} {participle(verb)} {rest.strip()}".rstrip()


def _is_of_several(english: str, values: Mapping[str, Expr], teller: Teller) -> bool:
    """Does a template speak of several things: `{many} cards`, `the cards of {who}`, `{cards}`?"""
    holes = [values[name] for name in HOLE.findall(english) if name in values]
    types = [teller.speaker.type_of(one) for one in holes]
    if any(type_.many for type_ in types):
        return True
    if re.match(r"(?:the (?:\w+ )?|\{\w+\} )\w*[^s\W]s\b", english) is None:
        return False
    counts = (type_ == INT and one != ("value", 1) for type_, one in zip(types, holes, strict=True))
    return english.startswith("the ") or any(counts)


def _is_yours(teller: Teller) -> bool:
    """Is it the bearer of an ability who acts?"""
    me = teller.scene.names.get("me")
    return me is not None and is_me(me)


def _around(phase: str, name: str, values: Mapping[str, Expr], teller: Teller, would: str) -> str:
    """The moment before or after a power or flow, or when it would begin."""
    power = teller.scene.glossary.symbols.powers.get(name)
    yours = _is_yours(teller)
    if power is None or not power.english or re.match(r"[a-z ]+: ", power.english):
        # A gloss with a colon names the power and then says what it is about.
        whose = "your" if power is None and yours else "the"
        return _around_named(phase, f"{whose} {spaced(name)}", would)
    # What stands behind a semicolon says what comes of it.
    if would and power.english.startswith("{") and (said := _would(power, values, teller, would)):
        return said
    gloss = teller.filled(_first_half(power.english), values)
    if not would and power.english.startswith("{"):
        return gloss  # a clause that begins with whom it is about
    return _around_gloss(power.english, gloss, "you" if yours else "somebody", would)


def _around_gloss(english: str, gloss: str, who: str, would: str) -> str:
    """What somebody does, of a gloss that says it of nobody."""
    if is_statement(english):
        return f"it {would} come to this: {gloss}" if would else gloss
    does = f"use {gloss}" if is_noun(english) else gloss
    if english.startswith("may "):
        allowed = f"be allowed to {gloss.removeprefix('may ')}"
        return f"{who} {would} {allowed}" if would else f"{who} {gloss}"
    if would:
        return f"{who} {would} {does}"
    if re.search(r", (?!with |which |who )| and ", _first_half(english)):
        does = f"do this: {does}"
    verb, _, rest = does.partition(" ")
    return f"{who} {verb if who == 'you' else third_person(verb)} {rest}"


def _around_named(phase: str, named: str, would: str) -> str:
    if would:
        return f"{named} {would} begin"
    return f"{named} begins" if phase == "before" else named
