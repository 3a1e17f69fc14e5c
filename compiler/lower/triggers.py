"""Triggers, which answer events, and rules that always hold.

An event is an operation with its parameters in order, `touched(x)` or `drawn(x)`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from ruleloom.compiler.check.calls import shape
from ruleloom.compiler.check.expect import condition, item_type, judge, listed, warn_if_constant
from ruleloom.compiler.check.moments import INSTEAD, given_variable
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean, nearest, offer
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.cost import Call
from ruleloom.compiler.flow.flow import NO_FACTS, Facts, unnamed
from ruleloom.compiler.lower.abilities import MARK
from ruleloom.compiler.lower.routines import NO_BOUNDS, Bodies, Checked
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.lasting_names import SELF
from ruleloom.compiler.resolve.embedded import ITEM, Meaning, meaning_of, read_text
from ruleloom.compiler.resolve.symbols import ParamSymbol, ScopeSymbol, Signature, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_abilities, parse_block, parse_event, parse_expr
from ruleloom.compiler.syntax.tree import EVENT, event_word, names_given, nodes_of
from ruleloom.compiler.types import UNKNOWN, is_unknown, list_of
from ruleloom.compiler.yaml.node import YamlNode, text_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import Callee, conjunction, walk
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, DICE, INT, PLAYER, TEXT, Type

PHASES = ("before ", "after ", INSTEAD)
ROLLED = "rolled "
"""The prefix of a roll's name in the event after it."""
THROWN = "thrown "
"""The prefix of a roll's name in the event before its dice are read."""
UNSEEN = f"{THROWN}unseen"
ROLLER = ParamSymbol("who", PLAYER)
ANY_ROLL = {
    f"{ROLLED}any": (ROLLER, ParamSymbol("value", INT)),
    f"{ROLLED}each": (ROLLER, ParamSymbol("value", DICE)),
    f"{THROWN}any": (ROLLER, ParamSymbol("dice", DICE), ParamSymbol("sides", INT)),
    UNSEEN: (ROLLER, ParamSymbol("dice", DICE, told=True), ParamSymbol("sides", INT)),
}
"""The events after any roll of a sum, of separate dice, and before any dice are read: those that
everybody sees, and those that only some see, among them the player who rolls.
"""
PERSON = "person"
ALWAYS_SET = (INT, BOOL, TEXT, PLAYER)
"""The types whose variables have a natural initial value."""


def of_any_roll(symbols: Symbols) -> dict[str, tuple[ParamSymbol, ...]]:
    """The events of any roll with their values, the last of which is the person, if a game has them."""
    person = _person(symbols)
    return {event: (*values, *person) for event, values in ANY_ROLL.items()}


def _person(symbols: Symbols) -> tuple[ParamSymbol, ...]:
    type_ = symbols.rolls_for.get(PERSON)
    return () if type_ is None else (ParamSymbol(PERSON, type_),)


def enter_events(content: Content, symbols: Symbols) -> None:
    """Add the events other than operations: `touched`, `drawn`, and those of powers and flows."""
    for item in content.by_kind("flow"):
        symbols.events.update(dict.fromkeys((f"{phase}{item.slug}" for phase in PHASES), ()))
    for power in symbols.powers.values():
        given = (ParamSymbol(power.result_name, power.result),) if power.result is not None else ()
        values = power.params, (*power.params, *given), (*power.params, *given)
        symbols.events.update(
            (f"{phase}{power.name}", told) for phase, told in zip(PHASES, values, strict=True)
        )
    touched: set[str] = set()
    for operation in symbols.operations.values():
        types = {param.name: param.type.name for param in operation.params}
        if operation.result is not None:
            types["result"] = operation.result.name
        touched.update(types[name] for name in operation.touches)
    drawn = {zone.of for zone in symbols.zones.values() if zone.lazy}
    for event, things in (("touched", touched), ("drawn", drawn)):
        things.discard(UNKNOWN.name)  # reported at its declaration
        if len(things) == 1:
            symbols.events[event] = (ParamSymbol("it", Type(things.pop())),)
        elif things:
            symbols.vague_events[event] = tuple(sorted(things))


def note_answered(content: Content, symbols: Symbols, reactions: Iterable[ast.CallExpr]) -> None:
    """Note the answered events; those before or after a power are raised only then."""
    symbols.answered.update((event.name.id, True) for event in reactions)
    for item in content.by_kind("trigger"):
        # A text that cannot be read is reported where the trigger is lowered.
        found = read_text(content, item.fields.get("event"), parse_event, Report())
        if found is not None:
            symbols.answered[found[1].name.id] = True
    named = {*symbols.deciders}.difference(ANY_ROLL)
    if any(name.startswith((ROLLED, THROWN)) for name in {*named, *symbols.answered}):
        _enter_rolls(content, symbols)
    _enter_handed_over(symbols)


def _enter_handed_over(symbols: Symbols) -> None:
    """Add the hidden variables that pass values from answers."""
    for power in symbols.powers.values():
        event, type_ = f"{INSTEAD}{power.name}", power.result
        if event in symbols.answered and type_ is not None:
            held = type_ if type_.many else replace(type_, optional=True)
            symbol = ScopeSymbol(given_variable(event), held, power.place)
            symbols.scope[symbol.name] = symbol
    for moment in symbols.operations.values():
        if moment.open and moment.name in symbols.answered:
            held = _held_open(moment.result or UNKNOWN)
            symbol = ScopeSymbol(moment.open_variable, held, moment.place)
            symbols.scope[symbol.name] = symbol


def _held_open(type_: Type) -> Type:
    if type_.many or type_ in ALWAYS_SET or is_unknown(type_):
        return type_
    # Nothing stands in it until the moment comes, and answers find it set.
    return replace(type_, optional=True)


def _enter_rolls(content: Content, symbols: Symbols) -> None:
    """Add the moments of each roll of the game, by its name, and of any roll: before its dice are
    read, and after.
    """
    rolls = {one.name.id: one for item in content.items for one in _rolls_in(content, item)}
    seen = {
        one.name.id
        for item in content.items
        for one in _rolls_in(content, item)
        if one.seen_by is None
    }
    of_any, person, place = of_any_roll(symbols), _person(symbols), content.items[0].place
    for name, one in rolls.items():
        what = f"for {name.replace('_', ' ')}"
        value = ParamSymbol("value", DICE if one.each else INT)
        before = of_any[f"{THROWN}any" if name in seen else UNSEEN]
        _enter_roll(symbols, f"{ROLLED}{name}", (ROLLER, value, *person), f"rolls {what}", place)
        _enter_roll(symbols, f"{THROWN}{name}", before, f"throws {what}", place)
    for event, params in of_any.items():
        does = "rolls dice" if event.startswith(ROLLED) else "throws dice"
        _enter_roll(symbols, event, params, f"{does} unseen" if event == UNSEEN else does, place)


def _rolls_in(content: Content, item: Item) -> Iterator[ast.RollStmt]:
    """The rolls of an item's texts."""
    for field, parse in (("effect", parse_block), ("abilities", parse_abilities)):
        found = read_text(content, item.fields.get(field), parse, Report())
        if found is not None:
            yield from nodes_of(found[1], ast.RollStmt)


def _enter_roll(
    symbols: Symbols, event: str, params: tuple[ParamSymbol, ...], does: str, place: Place
) -> None:
    """Add one moment of a roll, whose second value is open."""
    moment = Signature("moment", event, f"moment/{event}", params, params[1].type, place)
    moment.open = params[1].name
    of_person = f" {{{PERSON}?for {{{PERSON}}}}}" if params[-1].name == PERSON else ""
    moment.english = f"{{who}} {does}{of_person}"
    symbols.operations[event] = moment
    symbols.events[event] = params


def bound_event(
    ctx: Context, call: ast.CallExpr, instead: bool = False
) -> tuple[str, tuple[ParamSymbol, ...]] | None:
    """An event and its parameters as named in the pattern; None after an error."""
    name = call.name.id
    known = ctx.symbols.events.get(name)
    if known is None:
        if not ctx.symbols.poisoned.may_declare(name):
            _unknown_event(ctx, call.name, instead)
        return None
    _note_event(ctx, call)
    if len(call.args) > len(known):
        operation = ctx.symbols.operations.get(name)
        form = (
            shape(operation) if operation else f"{name}({', '.join(param.name for param in known)})"
        )
        message = f"`{name}` has {len(known)} values, and here are {len(call.args)} names"
        ctx.error("too-many-arguments", call.args[len(known)], message, f"its form is `{form}`")
        return None
    names = _bound(ctx, call)
    # A value that the pattern does not name still has its slot.
    names += [unnamed(param.name) for param in known[len(names) :]]
    bound = zip(names, known, strict=True)
    return name, tuple(replace(param, name=new) for new, param in bound)


def _note_event(ctx: Context, call: ast.CallExpr) -> None:
    """Note the meanings of the names in an event and its pattern."""
    symbols, uses = ctx.symbols, ctx.symbols.uses
    for name in names_given(call, EVENT):
        uses.note_local(ctx.passage, name, declares=True)
    word, span = event_word(call.name)
    lasting = symbols.lasting.get(word) if call.name.id != word else None
    about = symbols.operations.get(call.name.id) if call.name.id == word else None
    about = about or symbols.powers.get(word)
    if lasting is not None:
        uses.note(ctx.passage, span, Meaning(ITEM, lasting.names.item.id), "effect that lasts")
    elif about is not None:
        uses.note(ctx.passage, span, meaning_of(about.id, word, about.kind), about.kind)
    else:
        uses.note(ctx.passage, span, Meaning("event", call.name.id))


def _unknown_event(ctx: Context, name: ast.Name, instead: bool) -> None:
    symbols = ctx.symbols
    if name.id in symbols.vague_events:
        kinds = " or ".join(ctx.say(Type(one)) for one in symbols.vague_events[name.id])
        message = f"what is {name.id} may be {kinds}, and a trigger must know which"
        ctx.error("unknown-event", name, message, "answer each operation by its own name")
        return
    plain = [one for one in symbols.events if " " not in one]
    if " " in name.id:
        message, help = _no_place(symbols, name.id, plain)
    else:
        message, help = _no_event(symbols, name.id, plain, instead)
    ctx.error("unknown-event", name, message, help)


def _no_place(symbols: Symbols, written: str, plain: Collection[str]) -> tuple[str, str | None]:
    """The message and help for an unknown power after a phase."""
    phase, word = written.rsplit(" ", 1)
    known = [one.rpartition(" ")[2] for one in symbols.events if one.startswith(f"{phase} ")]
    if written.startswith((ROLLED, THROWN)):
        return f"nothing is rolled under the name `{word}`", offer(word, known)
    help, close = did_you_mean(word, known), nearest(word, plain, 1)
    if help is None and close:
        without = f"write `{close[0]}`, without `{phase}`: it is answered so"
        help = Suggestion(written, close[0], without)
    return f"there is no power or flow `{word}`", help or offer(word, known)


def _no_event(
    symbols: Symbols, word: str, plain: Collection[str], instead: bool
) -> tuple[str, str | None]:
    """The message and help for an unknown event, which may be a power or flow without a phase."""
    places = [one.removeprefix(INSTEAD) for one in symbols.events if one.startswith(INSTEAD)]
    help = None if word in places else did_you_mean(word, plain)
    if help is None and instead:
        help = did_you_mean(word, places)
    elif help is None and (close := nearest(word, places, 1)):
        help = f"`before {close[0]}` or `after {close[0]}`: it is a power or flow"
    missing = "no operation, power or flow" if instead else "nothing that happens"
    return f"{missing} is called `{word}`", help or offer(word, plain)


def _bound(ctx: Context, call: ast.CallExpr) -> list[str]:
    names: list[str] = []
    for arg in call.args:
        if not isinstance(arg.value, ast.Name):
            ctx.error("unknown-event", arg, "an event is written with new names in its parentheses")
            names.append(unnamed(str(len(names))))
            continue
        name = arg.value.id
        taken = name in ctx.flow.visible and name != SELF
        if name in names or taken or ctx.symbols.is_value_name(name):
            ctx.error("name-clash", arg, f"`{name}` already means something", "another name")
        names.append(name)
    return names


def settled(symbols: Symbols, event: str, many: int, facts: Facts) -> Facts:
    """Those facts about the `many` values of an event that no other answer can change."""
    moment = symbols.operations.get(event)
    place = moment.open_place if moment is not None and moment.open else -1
    return facts & frozenset(("slot", slot) for slot in range(many) if slot != place)


class Reaction(Frozen):
    """One lowered answer to an event: a trigger or a replacement, its routines by id, and the variable
    that records whether it has run this turn.
    """

    routines: dict[str, Checked]
    triggers: tuple[program.Trigger, ...] = ()
    replacements: tuple[program.Replacement, ...] = ()
    scope: tuple[program.ScopeVariable, ...] = ()
    borne: Expr | None = None
    """The condition of bearing it, as a part of its whole condition."""
    among: tuple[int, str, Expr] | None = None
    """The slot and kind of each bearer, and the item's list of them."""


def build_trigger(bodies: Bodies, item: Item) -> Reaction | None:
    """Check one trigger and its effect."""
    pattern = bodies.read(item.fields.get("event"), parse_event, item.id)
    event = bound_event(*pattern) if pattern is not None else None
    if event is None:
        return None
    name, params = event
    where: Expr | None = None
    known = NO_FACTS
    found = bodies.read(item.fields.get("where"), parse_expr, item.id, params)
    if found is not None:
        ctx, node = found
        typed = condition(ctx, node)
        where, known = typed.expr, settled(bodies.symbols, name, len(params), typed.yes)
        judge(ctx, 0, None)
        warn_if_constant(ctx, node, where)
    timing = str(item.data("timing") or "afterwards")
    moment = bodies.symbols.operations.get(name)
    answered = (moment, timing != "immediately") if moment is not None and moment.open else None
    checked = bodies.routine(item, params, answered=answered, known=known)
    if checked is None:
        return None
    trigger = program.Trigger(item.id, name, where, timing, item.id)
    if item.data("once_per") == "turn":
        return _once_a_turn(trigger, checked)
    return Reaction({item.id: checked}, (trigger,))


def _once_a_turn(trigger: program.Trigger, checked: Checked) -> Reaction:
    """The trigger, with a variable that records whether it has run."""
    id, routine, spent = trigger.id, checked.routine, Spent(trigger.id)
    where = conjunction([*([trigger.where] if trigger.where else []), spent.is_open])
    run, names, origin = f"{id}{MARK}", routine.params, routine.origin
    use = program.Use(origin, id, tuple(("slot", slot) for slot in range(len(names))), -1)
    rows = (*spent.rows(origin, 3), use, program.Return(origin))
    types = routine.slot_types[: len(names)]
    once = program.Routine(run, names, names, types, -1, rows, origin, NO_BOUNDS)
    cost = Call(Callee("routine", id), checked.text.place((0, 0)))
    round_ = Checked(once, cost, (), (), checked.text, once=True)
    triggers = (replace(trigger, where=where, routine=run),)
    return Reaction({id: checked, run: round_}, triggers, (), (spent.variable,))


class Spent(Frozen):
    """The record that a response has run this turn, or for which bearers.

    `bearer` is the current one, and `about` their type.
    """

    id: str
    bearer: Expr | None = None
    about: Type = UNKNOWN

    @property
    def variable(self) -> program.ScopeVariable:
        """The hidden variable, reset with each turn."""
        type_, initial = (BOOL, False) if self.bearer is None else (list_of(self.about), ())
        return program.ScopeVariable(self._name, str(type_), "turn", initial, shown=False)

    @property
    def is_open(self) -> Expr:
        """Whether it has not run."""
        spent: Expr = ("scope", self._name)
        return "not", spent if self.bearer is None else ("in", self.bearer, spent)

    def rows(self, origin: program.Origin, past: int) -> tuple[program.Row, ...]:
        """Rows that jump to `past` if it has run, and else record that it has."""
        after: Expr = ("value", True)
        if self.bearer is not None:
            after = "join", ("scope", self._name), ("list", self.bearer)
        record = program.SetScope(origin, self._name, after)
        return program.JumpUnless(origin, self.is_open, past), record

    @property
    def _name(self) -> str:
        return f"{self.id} is spent"


def _refuse_clash(bodies: Bodies, each: YamlNode, type_: Type) -> None:
    if not is_unknown(type_) and bodies.symbols.is_value_name(each.text or ""):
        message = f"`{each.text or ''}` already means something"
        bodies.report.error("name-clash", each.place, message, "another name")


def build_always(bodies: Bodies, node: YamlNode) -> program.Always | None:
    """Check one rule that always holds."""
    parts = [node.get(key) for key in ("name", "for", "in", "when", "do")]
    given = [part for part in parts if part is not None]
    if len(given) < len(parts):
        return None
    _, each, within, when, do = given
    found = bodies.read(within, parse_expr)
    if found is None:
        return None
    domain = listed(*found)
    name, type_ = each.text or "", item_type(domain)
    _refuse_clash(bodies, each, type_)
    params = (ParamSymbol(name, type_),)
    test = bodies.expression(when, BOOL, params)
    action = bodies.operation(do, params)
    if test is None or action is None or not domain.known:
        return None
    columns = {*columns_of(bodies, domain.expr), *columns_of(bodies, test)}
    called, english = text_of(node.get("name")), text_of(node.get("english"))
    return program.Always(called, domain.expr, test, *action, tuple(sorted(columns)), english)


def columns_of(bodies: Bodies, expr: Expr) -> set[str]:
    """The columns of the world that an expression reads, also through rules and measures."""
    found: set[str] = set()
    for one in chain.from_iterable(map(walk, (expr, *bodies.functions.called([expr])))):
        if one[0] in ("field", "zone", "at"):
            found.add(one[1])
        elif one[0] == "query":
            found.update(bodies.symbols.callables[one[1]].reads)
    return found
